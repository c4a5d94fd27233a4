//! Models that are JSON in the exchange format, as JSON files of their own.

use crate::field::{Json, Lay, Lines, Loaded, Place, ReplacedField, decode, encode, walk};
use crate::json::parse;

/// Prints a document, with a line end.
pub(super) fn print(json: &Json) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.json(json);
    let mut text = lines.finish();
    text.push(b'\n');
    text
}

/// Returns the file of a document, which `load` makes. It is decoded, so that what `load` does not check is refused.
pub(super) fn read<M: Lay + walk::Lay + Default>(
    text: &[u8],
    load: fn(Json, &mut Vec<ReplacedField>) -> Loaded<Vec<u8>>,
) -> Result<Vec<u8>, String> {
    let json = parse(text).map_err(|error| error.to_string())?;
    let file = load(json, &mut Vec::new()).map_err(|wrong| {
        let place = Place::default().with(wrong.steps);
        format!("{place}: expected {}, found {}", wrong.expected, wrong.found)
    })?;
    let model = decode::<M>(file).map_err(|error| error.to_string())?.model;
    encode(&model).map_err(|error| error.to_string())
}
