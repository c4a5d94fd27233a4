//! A model as documents: its groups, and the bytes in them with the layouts that they follow.
//!
//! One document is the model, and each entry has one of its own. No value is made of the bytes before someone wants it: the
//! exchange form prints text from them, `diff` and `inspect` make values of the few parts that they look into.

mod doc;
mod names;
mod record;
mod shelf;
mod value;

use crate::field::{Json, Result, visit, walk};

pub(crate) use doc::{Body, Doc, Group, Id};
pub(crate) use names::Names;
pub(crate) use record::{Content, Entered, Recorded, Recorder, shown};
pub(crate) use value::{Sort, Value};

/// The file of the model itself, which says what the others are.
pub const MANIFEST: &str = "bitexact.json";
/// About what the place of something takes in tables: of files and of facts.
pub(crate) const PLACED: u64 = 256;

/// The values of a model, entries among them, without what is as expected.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub(crate) fn values<M: walk::Lay + ?Sized>(model: &M) -> Result<Json> {
    let mut whole = Recorder::whole(false);
    visit(model, &mut whole)?;
    Ok(whole.value(&[]).unwrap_or_default())
}
