//! Texts of which two copies have changed different lines, as Git merges them.

use bytes::Bytes;
use smol_str::SmolStr;

use core::ops::Range;

use crate::edit::diff::{Change, Content, lines_of, runs};
use crate::field::{Json, wide};
use crate::passes::{Sha, Spans};

/// The changes that make the same merged text of that of each copy.
pub(super) struct MergedText {
    pub(super) in_ours: Change,
    pub(super) in_theirs: Change,
}

/// Takes the changes of texts out of which two copies have changed different lines, and returns these texts. `original` has the entries of the
/// original, with its bytes.
pub(super) fn take_texts((spans, file): (&Spans, &Bytes), [ours, theirs]: [&mut Vec<Change>; 2]) -> Vec<MergedText> {
    let mut merged = Vec::new();
    for change in &*theirs {
        let Change::Replace { entry, content, .. } = change else { continue };
        let of_ours = ours.iter().find_map(|it| match it {
            Change::Replace { entry: own, content, .. } if own == entry => Some(content),
            _ => None,
        });
        let original = if entry.is_empty() { Some(&**file) } else { spans.get(entry).and_then(|span| span.of(file)) };
        let (Some(of_ours), Some(original)) = (of_ours, original) else { continue };
        let (Some(one), Some(other)) = (bytes_of(of_ours), bytes_of(content)) else { continue };
        if one == other || of_ours.kind != content.kind {
            continue;
        }
        let Some(text) = merged_lines([original, &one, &other]) else { continue };
        let bytes = wide(text.len());
        let files = content.files.iter().map(|(file, _)| {
            (file.clone(), Json::Object(vec![(SmolStr::new_static("hex"), Json::of_bytes(text.clone()))]))
        });
        let content = Content { kind: content.kind.clone(), bytes, files: files.collect() };
        let of_copy = |copy: &[u8]| Change::Replace {
            entry: entry.clone(),
            sha256: Sha::of(copy).to_string(),
            bytes: wide(copy.len()),
            content: content.clone(),
            words: format!(", lines of both\n{}", lines_of(copy, &text).unwrap_or_default()).trim_end().to_owned(),
        };
        merged.push(MergedText { in_ours: of_copy(&one), in_theirs: of_copy(&other) });
    }
    let is_merged = |it: &Change| {
        let is_it = |text: &MergedText| text.in_ours.entry() == it.entry();
        matches!(it, Change::Replace { .. }) && merged.iter().any(is_it)
    };
    for changes in [ours, theirs] {
        changes.retain(|it| !is_merged(it));
    }
    merged
}

/// Returns the bytes of contents that are one file of bytes.
fn bytes_of(content: &Content) -> Option<Vec<u8>> {
    match content.files.as_slice() {
        [(_, json)] => Some(json.only("hex")?.bytes()?.into_owned()),
        _ => None,
    }
}

/// Merges the lines of two texts that have a common original. `None` if they have changed the same or neighboring lines, or are no texts.
fn merged_lines(texts: [&[u8]; 3]) -> Option<Vec<u8>> {
    texts.iter().all(|text| !text.contains(&0)).then_some(())?;
    let [original, one, other] = texts.map(|text| text.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>());
    let hunks = |copy: &[&[u8]]| -> Vec<(Range<usize>, Vec<u8>)> {
        let differing = runs(&original, copy).into_iter().filter(|run| !run.is_same);
        differing.map(|run| (run.old, copy.get(run.new).unwrap_or_default().concat())).collect()
    };
    let (mut left, mut right) = (hunks(&one).into_iter().peekable(), hunks(&other).into_iter().peekable());
    let (mut text, mut at) = (Vec::new(), 0);
    loop {
        let (lines, new) = match (left.peek(), right.peek()) {
            (Some(one), Some(other)) if one == other => {
                right.next();
                left.next()?
            }
            // Lines without one between them belong together.
            (Some((one, _)), Some((other, _))) if one.start <= other.end && other.start <= one.end => return None,
            (Some((one, _)), Some((other, _))) if other.start < one.start => right.next()?,
            (Some(_), _) => left.next()?,
            (None, Some(_)) => right.next()?,
            (None, None) => break,
        };
        text.extend(original.get(at..lines.start)?.concat());
        text.extend(new);
        at = lines.end;
    }
    text.extend(original.get(at..)?.concat());
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::merged_lines;

    fn merged(texts: [&str; 3]) -> Option<String> {
        merged_lines(texts.map(str::as_bytes)).map(|text| String::from_utf8(text).expect("text"))
    }

    #[test]
    fn different_lines_are_merged() {
        let original = "a\nb\nc\nd\ne\n";
        assert_eq!(merged([original, "A\nb\nc\nd\ne\n", "a\nb\nc\nD\ne\nf"]).as_deref(), Some("A\nb\nc\nD\ne\nf"));
        assert_eq!(merged([original, "b\nc\nd\ne\n", "a\nb\nc\nd\n"]).as_deref(), Some("b\nc\nd\n"));
        assert_eq!(merged([original, "a\nB\nc\nd\ne\n", "a\nB\nc\nd\nE\n"]).as_deref(), Some("a\nB\nc\nd\nE\n"));
        assert_eq!(merged(["", "", "a\n"]).as_deref(), Some("a\n"));
    }

    #[test]
    fn same_and_neighboring_lines_are_not() {
        let original = "a\nb\nc\n";
        assert_eq!(merged([original, "A\nb\nc\n", "1\nb\nc\n"]), None);
        assert_eq!(merged([original, "A\nb\nc\n", "a\nB\nc\n"]), None);
        assert_eq!(merged([original, "a\nb\nc\nd\n", "a\nb\nc\ne\n"]), None);
        assert_eq!(merged(["a\0", "b\n", "a\0"]), None);
    }
}
