//! The changes between two files.

use bitexact::edit::changes_between;
use bitexact::edit::diff::without_layout;
use bitexact::field::Value;
use bitexact::kind::recognize;
use bitexact::registry::KINDS;
use bytes::Bytes;

use crate::open::Done;

/// Returns the changes between two files of one kind, in words, with their entries.
///
/// # Errors
/// Returns an error if they are of different kinds, or if one does not decode.
pub fn compare(name: &str, old: Bytes, new: Bytes) -> Done<Value> {
    let kind = |bytes: &Bytes| recognize(KINDS, name, bytes).map(|(kind, _)| kind);
    let (Some(kind), Some(other)) = (kind(&old), kind(&new)) else {
        return Err("unknown format, so only the bytes can be compared".to_owned());
    };
    if kind.name != other.name {
        return Err(format!("expected a file of kind {}, found {}", kind.name, other.name));
    }
    let changes = without_layout(changes_between(kind, old, new).map_err(|why| why.to_string())?);
    let words = changes.iter().map(|it| Value::from([("entry", it.entry().into()), ("words", it.to_string().into())]));
    Ok(words.collect())
}
