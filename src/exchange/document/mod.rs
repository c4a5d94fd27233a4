//! A model as documents: its groups, and the bytes in them with their layouts.
//!
//! One document is the model, and each entry has its own. Values are made of the bytes only on demand: the exchange format prints
//! text from them, `diff` and `inspect` make values of the few parts that they need.

mod doc;
mod names;
mod record;
mod shelf;
mod value;

use bytes::Bytes;

use field::{Result, Value, visit, walk};

pub use doc::{Body, Doc, Group, Id};
pub use names::Names;
#[cfg(feature = "exchange")]
pub use names::is_safe;
pub use names::{MANIFEST, fold, is_litter, litter_in};
#[cfg(feature = "exchange")]
pub use record::{Content, Entered, Recorded};
pub use record::{Recorder, shown};
#[cfg(feature = "exchange")]
pub use value::{DocValue, Sort};

/// Returns the values of a model, including its entries, without values that are as expected.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn values<M: walk::Lay + ?Sized>(model: &M) -> Result<Value> {
    values_from(model, Bytes::new())
}

/// Returns the values of a model of which some bytes lie in `source`: these are shared, not copied.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn values_from<M: walk::Lay + ?Sized>(model: &M, source: Bytes) -> Result<Value> {
    let mut whole = Recorder::whole(false).sharing(source);
    visit(model, &mut whole)?;
    Ok(whole.value(&[]).unwrap_or_default())
}
