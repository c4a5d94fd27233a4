//! `diff`: finds the changes between two files by place, and writes them as JSON that can be applied.

mod apply;
mod as_lines;
mod change;
mod common_parts;
mod compare;
mod compared_file;
mod media_summary;
mod runs;
mod shifted_offsets;
mod words;

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;

use field::Error;
use kind::{Kind, Model};
use passes::{Span, spans};

pub(super) use apply::is_expected;
#[cfg(feature = "mods")]
pub(crate) use apply::nested;
pub use apply::{apply, read};
pub use as_lines::{as_lines, bytes_as_lines};
pub use change::{Change, Changes, Content, Held, SCHEMA};
pub(super) use common_parts::Parts;
use common_parts::{Common, CommonParts};
pub(super) use compare::changes_of_fields;
use compared_file::ComparedFile;
pub(super) use compared_file::Walked;
pub(super) use media_summary::MediaFinder;
pub use media_summary::{MediaSummaries, MediaSummary};
pub use shifted_offsets::without_shifted_offsets;
pub use words::lines_of;

/// Returns the changes between two files.
///
/// # Errors
/// Returns an error if one of them cannot be laid out.
pub(super) fn between(kind: &'static Kind, old: Walked<'_>, new: Walked<'_>) -> Result<Vec<Change>, Error> {
    let same_kind = |entry: &str| Some(old.entries.get(entry)?.kind == new.entries.get(entry)?.kind);
    let same = |entry: &String| {
        let (a, b) = (old.entries.get(entry)?, new.entries.get(entry)?);
        let containers = entry.match_indices('!').filter_map(|(end, _)| entry.get(..end));
        let kinds_match = a.kind == b.kind && containers.into_iter().all(|it| same_kind(it) == Some(true));
        (kinds_match && a.of(old.bytes)? == b.of(new.bytes)?).then(|| entry.clone())
    };
    let skipped: HashSet<String> = old.entries.keys().filter_map(same).collect();
    let common = Common::of(old.parts, new.parts);
    let changes = |common: Option<&Common>| -> Result<Vec<Change>, Error> {
        let file = |it: Walked<'_>| {
            let common = common.map(|common| CommonParts::of(it.parts, common));
            ComparedFile::new(kind, it, &skipped, common)
        };
        Ok(compare::compare(&file(old)?, &file(new)?, &skipped))
    };
    let found = changes(Some(&common).filter(|_| kind.raw.is_none()))?;
    // A part that both have can have moved to another place: then the change must include its contents.
    if found.iter().any(Change::is_marked) { changes(None) } else { Ok(found) }
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
