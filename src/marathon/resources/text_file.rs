//! Texts of resources as text files: those of the game, and the terminals of Marathon.
//!
//! Source: `marathon-1-resources.md`, section 1.5.

use field::Value;
use json::utf8;
use media::{Around, Files, Imported, Location, Medium, MediumError, first};

/// A text, with a line feed where the Mac has a carriage return.
pub static MEDIUM: Medium = Medium {
    kind: "text",
    looks_around: false,
    is_whole: true,
    parts: |_| vec![Location::default()],
    files: &[("lines", ".txt")],
    determined: &["text"],
    export,
    import,
};

/// Returns the text, or `None` if it has line feeds, which no file could tell from the ends of its lines.
fn export(around: &Around<'_>) -> Option<(Value, Files)> {
    let text = around.part.get("text")?.text().filter(|text| !text.contains('\n'))?;
    let file = text.replace('\r', "\n").into_bytes();
    Some((around.part.without(&["text"]), vec![Some(file.into())]))
}

fn import(files: &Files, around: &Around<'_>) -> Result<Imported, MediumError> {
    let file = utf8(first(files)?)?;
    let mut part = around.part.without(&["text"]);
    part.put("text", file.replace("\r\n", "\n").replace('\n', "\r").as_str().into());
    Ok(part.into())
}
