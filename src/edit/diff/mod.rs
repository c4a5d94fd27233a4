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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::tests::{Sample, archive, samples};
    use crate::registry::KINDS;
    use field::Value;

    #[test]
    fn every_entry_of_a_file_is_described() {
        let Sample { kind, bytes: file, model, .. } = archive();
        let found = entries(kind, &file).expect("it decodes");
        let spans = spans(&model).expect("it is laid out");
        assert!(!spans.is_empty() && found.keys().eq(spans.keys()));
        for (entry, span) in spans {
            assert_eq!(
                found.get(&entry),
                Some(&Held::of(span.kind, span.of(&file).expect("it is in the file"))),
                "{entry}"
            );
        }
    }

    #[test]
    fn parts_and_entries_in_common_are_left_out_of_the_comparison_and_not_of_its_result() {
        static SMALLEST: field::Thresholds = field::Thresholds::SMALLEST;
        let mut files: BTreeMap<&str, Vec<(Bytes, Model)>> = BTreeMap::new();
        for Sample { kind, bytes: file, model, .. } in samples() {
            files.entry(kind.name).or_default().push((file, model));
        }
        let mut differing = 0;
        // The same index can have another name, in bytes that are the same and thus left out; in animations, also in items of lists.
        let is_name_of_same_index = |change: &Change| match change {
            Change::Set { old: Some(Value::Named(_, old)), new: Some(Value::Named(_, new)), .. } => old == new,
            _ => false,
        };
        for (kind, files) in files.iter().filter(|(kind, _)| **kind != "anim") {
            let kind = kind::named(KINDS, kind).expect("it is a kind");
            for (old, new) in files.iter().zip(files.iter().skip(1)) {
                let compared = || {
                    let [old_parts, new_parts] = [old, new].map(|(_, model)| {
                        let mut parts = Parts::default();
                        field::visit(model, &mut parts).expect("is laid out");
                        parts
                    });
                    let [old_spans, new_spans] = [old, new].map(|(_, model)| spans(model).expect("is laid out"));
                    let old = Walked { bytes: &old.0, model: &old.1, entries: &old_spans, parts: &old_parts };
                    let new = Walked { bytes: &new.0, model: &new.1, entries: &new_spans, parts: &new_parts };
                    let mut found = between(kind, old, new).expect("are laid out");
                    found.retain(|it| !is_name_of_same_index(it));
                    let none = HashSet::new();
                    let whole = |it| ComparedFile::new(kind, it, &none, None).expect("is laid out");
                    let mut all = compare::compare(&whole(old), &whole(new), &none);
                    all.retain(|it| !is_name_of_same_index(it));
                    assert_eq!(found, all, "{}", kind.name);
                    found.len()
                };
                differing += compared() + SMALLEST.during(compared);
            }
        }
        assert!(differing > 1000, "{differing}");
    }
}
