//! Edits a model by place: only the edited parts are shown and loaded again.
//!
//! An edit changes the value that the exchange format has at a place, and is checked in the same way. The values that depend on it
//! are recomputed.
//!
//! Only what an edit touches is loaded again: the part with a value, or if the value decides what else there is, the document of the
//! entry. Entries are added, removed, moved, renamed and replaced in the document of their container. All other entries stay as they are.

mod advice;
#[cfg(feature = "exchange")]
mod applied;
#[cfg(feature = "exchange")]
mod batch;
#[cfg(feature = "exchange")]
mod bif_keys;
#[cfg(feature = "exchange")]
mod by_key;
mod by_name;
#[cfg(feature = "exchange")]
mod comparison;
#[cfg(feature = "exchange")]
pub mod diff;
mod editor;
#[cfg(feature = "exchange")]
mod entries;
#[cfg(feature = "exchange")]
mod everywhere;
mod find_parts;
#[cfg(feature = "exchange")]
mod inventory;
#[cfg(feature = "exchange")]
mod new_findings;
mod other_parts;
mod part_value;
mod place_hash;
#[cfg(feature = "exchange")]
mod prove;
#[cfg(feature = "exchange")]
mod read_back;
mod recompute;
#[cfg(feature = "exchange")]
mod settle;
#[cfg(feature = "exchange")]
#[cfg(feature = "export")]
mod taken;
#[cfg(test)]
mod tests;
#[cfg(feature = "exchange")]
mod typed;
mod value;
mod values;

#[cfg(feature = "exchange")]
pub use advice::why_nothing;
#[cfg(feature = "exchange")]
pub use applied::apply_to_parts;
#[cfg(feature = "mods")]
pub(crate) use batch::Entries;
#[cfg(feature = "exchange")]
pub use batch::{Batch, BatchError, Batched, ByDocument, InModel};
#[cfg(feature = "exchange")]
pub use bif_keys::BifKeys;
#[cfg(feature = "mods")]
pub(crate) use bif_keys::{above, is_key};
#[cfg(feature = "exchange")]
pub(crate) use by_name::label_of;
pub use by_name::{Resolver, has_names, node_names, resolve};
#[cfg(feature = "exchange")]
pub use comparison::{Comparison, changes_between};
#[cfg(feature = "exchange")]
pub use entries::{Edit, Edited, Refusal, Shown};
#[cfg(feature = "exchange")]
pub(crate) use entries::{name_in, page_of, rename_in};
#[cfg(feature = "exchange")]
pub use everywhere::{Everywhere, ValueAt};
#[cfg(feature = "exchange")]
pub(crate) use other_parts::type_of;
#[cfg(feature = "exchange")]
pub use prove::prove;
#[cfg(feature = "exchange")]
pub use read_back::{misread, misread_as};
pub use recompute::{Recomputed, recompute};
#[cfg(feature = "exchange")]
pub use settle::Preserved;
#[cfg(feature = "exchange")]
#[cfg(feature = "export")]
pub use taken::{Exported, NotTaken, Taken, take_back};
pub use value::{delete, insert, set};
pub use values::{Made, Values};
