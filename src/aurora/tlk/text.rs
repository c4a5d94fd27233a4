//! A talk table as a JSON file of its own, `dialog.tlk.json`. Source: `nwn-tlk.md`.

use crate::json_text;
use field::{Value, decode};
use json::{parse, unmarked};
use kind::TextForm;

use super::{Tlk, load};

/// A talk table as JSON.
pub static TEXT: TextForm = TextForm::new("json", is_text, write, read);

/// Returns `true` for a JSON object with the members that every table has, and nothing of a GFF.
fn is_text(bytes: &[u8]) -> bool {
    let Ok(text) = unmarked(bytes) else { return false };
    let has = |name: &str| memchr::memmem::find(text, name.as_bytes()).is_some();
    let may_be =
        text.trim_ascii_start().starts_with(b"{") && ["\"language\"", "\"count\"", "\"entries\""].into_iter().all(has);
    // A text of the table can be such a word too, so the members decide.
    let Some(Value::Object(members)) = may_be.then(|| parse(text).ok()).flatten() else { return false };
    members.iter().all(|(name, _)| name != "__data_type" && name != "schema")
}

fn write(file: &[u8]) -> Result<Vec<u8>, String> {
    let table = decode::<Tlk>(file.to_vec()).map_err(|error| error.to_string())?.model;
    Ok(json_text::print(&table.json()))
}

fn read(text: &[u8]) -> Result<Vec<u8>, String> {
    json_text::read::<Tlk>(text, load)
}
