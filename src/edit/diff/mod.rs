//! `diff`: finds the changes between two files by place, and writes them as JSON that can be applied.

mod apply;
mod common_parts;
mod compare;
mod compared_file;
mod media_summary;
mod runs;
mod shifted_offsets;
mod words;

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::field::{Address, Error, Json, LAYOUT};
use crate::kind::{Kind, Model};
use crate::passes::{Sha, Span, spans};

#[cfg(feature = "mods")]
pub(crate) use apply::nested;
pub use apply::{apply, read};
pub(crate) use common_parts::CommonParts;
use compared_file::ComparedFile;
pub use media_summary::{MediaSummaries, MediaSummary};
pub use shifted_offsets::without_shifted_offsets;
pub use words::lines_of;

/// The schema version of [`Changes`]. In version 1, numbers in parts of 65,536 are their bits.
pub const SCHEMA: u32 = 3;

/// A set of changes that can be applied to another file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    /// The schema version.
    pub schema: u32,
    /// The kind of file that the changes apply to.
    pub kind: String,
    /// The changes, applied one after the other.
    pub changes: Vec<Change>,
}

/// A change of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Change {
    /// Changes a value.
    Set {
        /// The place of the value.
        at: Address,
        /// The old value, or `None` if its rule computed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        old: Option<Json>,
        /// The new value, or `None` if its rule computes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        new: Option<Json>,
    },
    /// Puts the fields of an object into another order, which has no meaning but is kept.
    Order {
        /// The place of the object.
        at: Address,
        /// The names of its fields in the old order.
        old: Vec<String>,
        /// The names of its fields in the new order.
        new: Vec<String>,
    },
    /// Inserts an item into a list.
    Insert {
        /// The place of the new item.
        at: Address,
        /// The item.
        new: Json,
    },
    /// Deletes an item of a list.
    Delete {
        /// The former place of the item.
        at: Address,
        /// The item.
        old: Json,
    },
    /// Renames an entry.
    Rename {
        /// The entry.
        entry: String,
        /// Its new label.
        to: String,
    },
    /// Moves an entry within its table.
    Move {
        /// The entry.
        entry: String,
        /// The old index.
        from: usize,
        /// The new index.
        to: usize,
    },
    /// Adds an entry.
    Add {
        /// The entry.
        entry: String,
        /// The place that lists the entry, most often an item of a table.
        at: Address,
        /// The contents of that table row.
        row: Json,
        /// The contents of the entry.
        content: Content,
    },
    /// Removes an entry.
    Remove {
        /// The entry.
        entry: String,
        /// The hash of its contents.
        sha256: String,
        /// The kind of its contents.
        kind: String,
        /// The size of its contents.
        bytes: u64,
    },
    /// Replaces the contents of an entry by contents that have no parts in common with them.
    Replace {
        /// The entry.
        entry: String,
        /// The hash of the old contents.
        sha256: String,
        /// The size of the old contents.
        bytes: u64,
        /// The new contents.
        content: Content,
        /// For display: the lines that differ, or the number of differing bytes.
        #[serde(skip)]
        words: String,
    },
}

/// The contents of an entry: its document, and those of the entries in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The kind.
    pub kind: String,
    /// The size in the file.
    pub bytes: u64,
    /// The files of the exchange format, the entry's own first.
    pub files: Vec<(String, Json)>,
}

/// Returns the changes between two files of one kind. Parts that are identical byte by byte are not compared further.
///
/// # Errors
/// Returns an error if one of the files does not decode.
pub fn diff(kind: &'static Kind, old: Bytes, new: Bytes) -> Result<Vec<Change>, Error> {
    let (old_model, new_model) = ((kind.decode)(old.clone())?.model, (kind.decode)(new.clone())?.model);
    between(kind, (old, &old_model), (new, &new_model))
}

/// Returns the changes between two files whose models are already decoded.
///
/// # Errors
/// Returns an error if one of them cannot be laid out.
pub fn between(
    kind: &'static Kind,
    (old, old_model): (Bytes, &Model),
    (new, new_model): (Bytes, &Model),
) -> Result<Vec<Change>, Error> {
    let (old_spans, new_spans) = (spans(old_model)?, spans(new_model)?);
    let alike = |entry: &str| Some(old_spans.get(entry)?.kind == new_spans.get(entry)?.kind);
    let same = |entry: &String| {
        let (a, b) = (old_spans.get(entry)?, new_spans.get(entry)?);
        let containers = entry.match_indices('!').filter_map(|(end, _)| entry.get(..end));
        let alike = a.kind == b.kind && containers.into_iter().all(|it| alike(it) == Some(true));
        (alike && a.of(&old)? == b.of(&new)?).then(|| entry.clone())
    };
    let skipped: HashSet<String> = old_spans.keys().filter_map(same).collect();
    let alike = match kind.raw {
        Some(_) => [None, None],
        None => CommonParts::of(old_model, new_model)?.map(Some),
    };
    let sides = |alike: [Option<CommonParts>; 2]| -> Result<Vec<Change>, Error> {
        let [old_alike, new_alike] = alike;
        let old = ComparedFile::new(kind, old.clone(), (old_model, old_spans.clone()), &skipped, old_alike)?;
        let new = ComparedFile::new(kind, new.clone(), (new_model, new_spans.clone()), &skipped, new_alike)?;
        Ok(compare::compare(&old, &new, &skipped))
    };
    let changes = sides(alike)?;
    // A part that both have can have moved to another place: then the change must include its contents.
    if changes.iter().any(Change::is_marked) { sides([None, None]) } else { Ok(changes) }
}

/// Returns `true` if a place holds how a file deviates from the layout that follows from its values.
fn is_of_layout(at: &Address) -> bool {
    at.keys.last().is_some_and(|key| key == LAYOUT)
}

/// Returns changes without those of the layout only, unless there are no others: a file that another program has saved again has
/// another layout in many places, which says nothing about what was changed in it.
#[must_use]
pub fn without_layout(changes: Vec<Change>) -> Vec<Change> {
    match changes.iter().all(Change::is_of_layout) {
        true => changes,
        false => changes.into_iter().filter(|change| !change.is_of_layout()).collect(),
    }
}

impl Change {
    /// Returns the entry that the change is in, or an empty text for the file itself.
    #[must_use]
    pub fn entry(&self) -> &str {
        match self {
            Self::Set { at, .. } | Self::Order { at, .. } | Self::Insert { at, .. } | Self::Delete { at, .. } => {
                &at.entry
            }
            Self::Rename { entry, .. }
            | Self::Move { entry, .. }
            | Self::Add { entry, .. }
            | Self::Remove { entry, .. }
            | Self::Replace { entry, .. } => entry,
        }
    }

    /// Returns `true` if the change is only one of the layout: of the order of fields, or of what a file keeps beside its values.
    #[must_use]
    pub fn is_of_layout(&self) -> bool {
        match self {
            Self::Order { .. } => true,
            Self::Set { at, .. } => is_of_layout(at),
            _ => false,
        }
    }

    /// Returns `true` if another change is the same, perhaps with the members of its values in another order.
    #[cfg(feature = "mods")]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let by_name = |change: &Self| {
            let mut change = change.clone();
            change.values_mut().into_iter().for_each(|value| *value = value.by_name());
            change
        };
        self == other || by_name(self) == by_name(other)
    }

    /// Returns the values in the change.
    fn values_mut(&mut self) -> Vec<&mut Json> {
        match self {
            Self::Set { old, new, .. } => old.iter_mut().chain(new).collect(),
            Self::Insert { new, .. } => vec![new],
            Self::Delete { old, .. } => vec![old],
            Self::Add { row, content, .. } => content.files.iter_mut().map(|(_, json)| json).chain([row]).collect(),
            Self::Replace { content, .. } => content.files.iter_mut().map(|(_, json)| json).collect(),
            Self::Order { .. } | Self::Rename { .. } | Self::Move { .. } | Self::Remove { .. } => Vec::new(),
        }
    }

    /// Returns `true` if the change omits a part that both models have.
    fn is_marked(&self) -> bool {
        let values: Vec<&Json> = match self {
            Self::Set { old, new, .. } => old.iter().chain(new).collect(),
            Self::Insert { new, .. } => vec![new],
            Self::Delete { old, .. } => vec![old],
            Self::Add { row, content, .. } => content.files.iter().map(|(_, json)| json).chain([row]).collect(),
            Self::Replace { content, .. } => content.files.iter().map(|(_, json)| json).collect(),
            Self::Order { .. } | Self::Rename { .. } | Self::Move { .. } | Self::Remove { .. } => Vec::new(),
        };
        values.into_iter().any(common_parts::is_marked)
    }
}

/// The contents of an entry, as a change checks them before removing or replacing the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The kind.
    pub kind: &'static str,
    /// The hash.
    pub sha256: Sha,
    /// The size.
    pub bytes: u64,
}

impl Held {
    /// Describes the bytes of an entry of this kind.
    #[must_use]
    pub fn of(kind: &'static str, bytes: &[u8]) -> Self {
        Self { kind, sha256: Sha::of(bytes), bytes: crate::field::wide(bytes.len()) }
    }
}

/// Describes the contents of every entry of a file.
///
/// # Errors
/// Returns an error if the file does not decode.
pub fn entries(kind: &'static Kind, file: &Bytes) -> Result<BTreeMap<String, Held>, Error> {
    held(&(kind.decode)(file.clone())?.model, file)
}

/// Describes the contents of every entry of a file whose model is already decoded.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn held(model: &Model, file: &[u8]) -> Result<BTreeMap<String, Held>, Error> {
    let spans = spans(model)?;
    let entry = |(entry, span): (String, Span)| (entry, Held::of(span.kind, span.of(file).unwrap_or_default()));
    Ok(spans.into_iter().map(entry).collect())
}
