//! `diff`: what changed between two files, by places; and the changes as a mod that can be applied.

mod alike;
mod apply;
mod compare;
mod side;
mod words;

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::field::{Address, Error, Json};
use crate::kind::{Kind, Model};
use crate::passes::{Sha, Span, spans};

pub(crate) use alike::Alike;
pub use apply::{apply, read};
use side::Side;

/// The version of the form of [`Mod`].
pub const SCHEMA: u32 = 1;

/// Changes that one can pass on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mod {
    /// The version of the form.
    pub schema: u32,
    /// The kind of the file that they are for.
    pub kind: String,
    /// The changes, to be made one after the other.
    pub changes: Vec<Change>,
}

/// A change of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Change {
    /// A value; nothing where a rule gives it.
    Set {
        /// Where.
        at: Address,
        /// Before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        old: Option<Json>,
        /// After.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        new: Option<Json>,
    },
    /// A new item of a list.
    Insert {
        /// Where it stands.
        at: Address,
        /// The item.
        new: Json,
    },
    /// An item of a list that is gone.
    Delete {
        /// Where it stood.
        at: Address,
        /// The item.
        old: Json,
    },
    /// An entry has another name.
    Rename {
        /// The entry.
        entry: String,
        /// Its label now.
        to: String,
    },
    /// An entry stands elsewhere in its table.
    Move {
        /// The entry.
        entry: String,
        /// The index before.
        from: usize,
        /// The index after.
        to: usize,
    },
    /// A new entry.
    Add {
        /// The entry.
        entry: String,
        /// Where that is said, most often an item of a table.
        at: Address,
        /// What is said of it there.
        row: Json,
        /// What it holds.
        content: Content,
    },
    /// An entry that is gone.
    Remove {
        /// The entry.
        entry: String,
        /// The hash of what it held.
        sha256: String,
        /// The kind of that.
        kind: String,
        /// Its size.
        bytes: u64,
    },
    /// An entry holds something else, that has no parts in common.
    Replace {
        /// The entry.
        entry: String,
        /// The hash of what it held.
        sha256: String,
        /// How long that was.
        bytes: u64,
        /// What it holds.
        content: Content,
        /// For people: the lines that differ, or how many bytes do.
        #[serde(skip)]
        words: String,
    },
}

/// What an entry holds: a document, and those of the entries in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The kind.
    pub kind: String,
    /// The size in the file.
    pub bytes: u64,
    /// The files of the exchange form, the entry's own first.
    pub files: Vec<(String, Json)>,
}

/// What two files of one kind differ in. What is the same in both, byte by byte, is not looked into.
///
/// # Errors
/// When one of them does not decode.
pub fn diff(kind: &'static Kind, old: Bytes, new: Bytes) -> Result<Vec<Change>, Error> {
    let (old_model, new_model) = ((kind.decode)(old.clone())?.model, (kind.decode)(new.clone())?.model);
    between(kind, (old, &old_model), (new, &new_model))
}

/// The same of files whose models are there already.
///
/// # Errors
/// Returns an error if one of them cannot be laid.
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
        None => Alike::of(old_model, new_model)?.map(Some),
    };
    let sides = |alike: [Option<Alike>; 2]| -> Result<Vec<Change>, Error> {
        let [old_alike, new_alike] = alike;
        let old = Side::new(kind, old.clone(), (old_model, old_spans.clone()), &skipped, old_alike)?;
        let new = Side::new(kind, new.clone(), (new_model, new_spans.clone()), &skipped, new_alike)?;
        Ok(compare::compare(&old, &new, &skipped))
    };
    let changes = sides(alike)?;
    // A part that both have can have gone and come in another place: then the change says what is in it.
    if changes.iter().any(Change::is_marked) { sides([None, None]) } else { Ok(changes) }
}

impl Change {
    /// Whether something is left out of what it says.
    fn is_marked(&self) -> bool {
        let values: Vec<&Json> = match self {
            Self::Set { old, new, .. } => old.iter().chain(new).collect(),
            Self::Insert { new, .. } => vec![new],
            Self::Delete { old, .. } => vec![old],
            Self::Add { row, content, .. } => content.files.iter().map(|(_, json)| json).chain([row]).collect(),
            Self::Replace { content, .. } => content.files.iter().map(|(_, json)| json).collect(),
            Self::Rename { .. } | Self::Move { .. } | Self::Remove { .. } => Vec::new(),
        };
        values.into_iter().any(alike::is_marked)
    }
}

/// What an entry holds, as a mod knows it before it removes or replaces it.
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

/// What every entry of a file holds.
///
/// # Errors
/// When the file does not decode.
pub fn entries(kind: &'static Kind, file: &Bytes) -> Result<BTreeMap<String, Held>, Error> {
    held(&(kind.decode)(file.clone())?.model, file)
}

/// The same of a file whose model is there already.
///
/// # Errors
/// Returns an error if it cannot be laid.
pub fn held(model: &Model, file: &[u8]) -> Result<BTreeMap<String, Held>, Error> {
    let spans = spans(model)?;
    let entry = |(entry, span): (String, Span)| (entry, Held::of(span.kind, span.of(file).unwrap_or_default()));
    Ok(spans.into_iter().map(entry).collect())
}
