//! Models that are JSON in the exchange format, as JSON files of their own.

use field::{CodePage, Lay, Loaded, Place, ReplacedField, Value, decode, encode, walk};
use json::{Compact, JsonText, Lines, parse};

/// The member that states the encoding of the texts in the file, if one is chosen.
const ENCODING: &str = "__encoding";

/// Prints a document, with a line end, and the encoding that is chosen.
pub(super) fn print(json: &Value) -> Vec<u8> {
    let mut lines = Lines::new();
    match (json, CodePage::chosen()) {
        (Value::Object(members), Some(page)) => {
            let stated = core::iter::once((ENCODING.into(), page.name().into()));
            lines.json(&Value::Object(stated.chain(members.iter().cloned()).collect()));
        }
        _ => lines.json(json),
    }
    let mut text = lines.finish();
    text.push(b'\n');
    text
}

/// Returns the file of a document, which `load` makes. It is decoded, so that what `load` does not check is refused.
pub(super) fn read<M: Lay + walk::Lay + Default>(
    text: &[u8],
    load: fn(Value, &mut Vec<ReplacedField>) -> Loaded<Vec<u8>>,
) -> Result<Vec<u8>, String> {
    let mut json = parse(text).map_err(|error| error.to_string())?;
    let mut page = CodePage::chosen();
    if let Value::Object(members) = &mut json
        && let Some(at) = members.iter().position(|(name, _)| name == ENCODING)
    {
        let (_, stated) = members.remove(at);
        let known = stated.text().and_then(CodePage::named);
        page = Some(
            known
                .ok_or_else(|| format!("/{ENCODING}: expected the name of an encoding, found {}", Compact(&stated)))?,
        );
    }
    let file = CodePage::during_or(page, || load(json, &mut Vec::new())).map_err(|wrong| {
        let place = Place::default().with(wrong.steps.clone());
        let spot = JsonText::index_file(1, "", text.to_vec().into()).ok().and_then(|it| it.spot_of_misfit(&wrong));
        let at = spot.map_or_else(String::new, |it| format!(" at line {} column {}", it.line(), it.column()));
        format!("{place}: expected {}, found {}{at}", wrong.expected, wrong.found)
    })?;
    let model = decode::<M>(file).map_err(|error| error.to_string())?.model;
    encode(&model).map_err(|error| error.to_string())
}
