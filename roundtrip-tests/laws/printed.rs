//! Documents printed from the bytes of a model contain its values, in the style of `print`.

use bitexact::exchange::{self, About, Contents, Form, contents, documents, print};
use bitexact::field::{Value, encode};
use bitexact::json::{Compact, Document};
use bitexact::passes::Sha;
use bitexact::registry::KINDS;

use crate::edits::{decoded, is_empty};
use crate::harness::Case;
use crate::harness::form::Exchange;

/// Checks that each text is that of its value, that the documents with their parts and media match those of the model,
/// and that they pack to the same bytes.
pub(crate) fn printed(case: &Case) -> Result<(), String> {
    let report = bitexact::verify::verify(KINDS, case.name.rsplit('/').next().unwrap_or_default(), case.bytes.clone());
    let sha256 = Sha::of(&case.bytes);
    let about = About { kind: case.kind, games: &report.games, sha256, deviations: &report.deviations };
    let model = decoded(case, &case.bytes)?;
    let Contents { files, .. } = contents(&model, about).map_err(|error| error.to_string())?;
    for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".json")) {
        let value = exchange::parse(text).map_err(|error| format!("{file}: {error}"))?;
        same_text(file, text, &print(&value))?;
    }
    let (ours, theirs) = (Exchange::parse(files.clone())?.files, documents(&model, about));
    let mut theirs = theirs.map_err(|error| error.to_string())?;
    // A file that replaces its document as a whole is only packed below.
    let mut ours = ours;
    theirs.retain(|file, _| match file.strip_suffix(".json").filter(|_| !ours.contains_key(file)) {
        Some(whole) => {
            let ends = [whole.to_owned(), format!("{whole}.txt")];
            !ends.iter().any(|whole| matches!(ours.get(whole), Some(Document::Raw(_))) && ours.remove(whole).is_some())
        }
        None => true,
    });
    if !ours.keys().eq(theirs.keys()) {
        return Err(format!("the documents are {:?}, expected {:?}", ours.keys(), theirs.keys()));
    }
    for (file, document) in &ours {
        let is_same = match (document, &theirs[file]) {
            (Document::Json(ours), Document::Json(theirs)) => says_all(theirs, ours),
            (Document::Raw(ours), Document::Raw(theirs)) => ours == theirs,
            _ => false,
        };
        if !is_same {
            return Err(format!("{file}: another document"));
        }
    }
    let packed = Form::parse(files)?.pack(KINDS).map_err(|error| error.to_string())?;
    let bytes = encode(&packed.model).map_err(|error| error.to_string())?;
    if bytes == case.bytes { Ok(()) } else { Err("it packs to other bytes".to_owned()) }
}

/// Returns `true` if a document contains a value. The order of members can differ if images and sounds are restored
/// from files.
fn says_all(value: &Value, document: &Value) -> bool {
    match (value, document) {
        (Value::Object(members), Value::Object(others)) => {
            // Empty members may be omitted.
            let is_known = others.iter().all(|(name, other)| value.get(name).is_some() || is_empty(other));
            let is_said =
                |name: &str, own: &Value, it: &Value| says_all(own, it) || name == "file" && is_whole(own, it);
            is_known
                && members
                    .iter()
                    .all(|(name, own)| document.get(name).map_or(is_empty(own), |it| is_said(name, own, it)))
        }
        (Value::List(items), Value::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| says_all(item, other))
        }
        // Parsed bytes are text, and a parsed float can be.
        (Value::Bytes(_) | Value::Float(_), _) => {
            value == document
                || exchange::parse(Compact(value).to_string().as_bytes()).is_ok_and(|value| value == *document)
        }
        _ => value == document,
    }
}

/// Returns `true` if a file replaces a document as a whole.
fn is_whole(document: &Value, file: &Value) -> bool {
    let own = document.text().and_then(|it| it.strip_suffix(".json"));
    own.zip(file.text()).is_some_and(|(own, file)| file == own || file.strip_suffix(".txt") == Some(own))
}

fn same_text(file: &str, ours: &[u8], theirs: &[u8]) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let (ours, theirs) = (String::from_utf8_lossy(ours), String::from_utf8_lossy(theirs));
    let line = ours.lines().zip(theirs.lines()).enumerate().find(|(_, (ours, theirs))| ours != theirs);
    Err(match line {
        Some((nth, (ours, theirs))) => format!("{file}:{}: expected {theirs:?}, found {ours:?}", nth + 1),
        None => format!("{file}: expected {} bytes, found {}", theirs.len(), ours.len()),
    })
}
