//! `diff`: finds the changes between two files by place, and writes them as JSON that can be applied.

mod apply;
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

use crate::field::Error;
use crate::kind::{Kind, Model};
use crate::passes::{Span, spans};

#[cfg(feature = "mods")]
pub(crate) use apply::nested;
pub use apply::{apply, read};
pub use change::{Change, Changes, Content, Held, SCHEMA};
pub(crate) use common_parts::CommonParts;
use compared_file::ComparedFile;
pub use media_summary::{MediaSummaries, MediaSummary};
pub use shifted_offsets::without_shifted_offsets;
pub use words::lines_of;

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
    let same_kind = |entry: &str| Some(old_spans.get(entry)?.kind == new_spans.get(entry)?.kind);
    let same = |entry: &String| {
        let (a, b) = (old_spans.get(entry)?, new_spans.get(entry)?);
        let containers = entry.match_indices('!').filter_map(|(end, _)| entry.get(..end));
        let kinds_match = a.kind == b.kind && containers.into_iter().all(|it| same_kind(it) == Some(true));
        (kinds_match && a.of(&old)? == b.of(&new)?).then(|| entry.clone())
    };
    let skipped: HashSet<String> = old_spans.keys().filter_map(same).collect();
    let common = match kind.raw {
        Some(_) => [None, None],
        None => CommonParts::of(old_model, new_model)?.map(Some),
    };
    let sides = |common: [Option<CommonParts>; 2]| -> Result<Vec<Change>, Error> {
        let [old_common, new_common] = common;
        let old = ComparedFile::new(kind, old.clone(), (old_model, old_spans.clone()), &skipped, old_common)?;
        let new = ComparedFile::new(kind, new.clone(), (new_model, new_spans.clone()), &skipped, new_common)?;
        Ok(compare::compare(&old, &new, &skipped))
    };
    let changes = sides(common)?;
    // A part that both have can have moved to another place: then the change must include its contents.
    if changes.iter().any(Change::is_marked) { sides([None, None]) } else { Ok(changes) }
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
