//! A talk table as a JSON file of its own, `dialog.tlk.json`. Source: `nwn-tlk.md`.

use crate::field::{Lines, Place, decode, encode};
use crate::json::{parse, unmarked};
use crate::kind::TextForm;

use super::{Tlk, load};

/// A talk table as JSON.
pub(super) static TEXT: TextForm = TextForm::new("json", is_text, write, read);

/// Returns `true` for a JSON object with the members that every table has, and nothing of a GFF.
fn is_text(bytes: &[u8]) -> bool {
    let Ok(text) = unmarked(bytes) else { return false };
    let has = |name: &str| memchr::memmem::find(text, name.as_bytes()).is_some();
    text.trim_ascii_start().starts_with(b"{")
        && ["\"language\"", "\"count\"", "\"entries\""].into_iter().all(has)
        && !has("\"__data_type\"")
        && !has("\"schema\"")
}

fn write(file: &[u8]) -> Result<Vec<u8>, String> {
    let table = decode::<Tlk>(file.to_vec()).map_err(|error| error.to_string())?.model;
    let mut lines = Lines::new();
    lines.json(&table.json());
    let mut text = lines.finish();
    text.push(b'\n');
    match read(&text)? == file {
        true => Ok(text),
        false => Err("the text would not become the same file".to_owned()),
    }
}

fn read(text: &[u8]) -> Result<Vec<u8>, String> {
    let json = parse(text).map_err(|error| error.to_string())?;
    let file = load(json, &mut Vec::new()).map_err(|wrong| {
        let place = Place::default().with(wrong.steps);
        format!("{place}: expected {}, found {}", wrong.expected, wrong.found)
    })?;
    let table = decode::<Tlk>(file).map_err(|error| error.to_string())?.model;
    encode(&table).map_err(|error| error.to_string())
}
