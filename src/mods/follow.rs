//! What a mod says about rows that have got other numbers: values in its changes, and in the whole files that it adds or replaces.

use std::collections::BTreeSet;

use bytes::Bytes;

use crate::aurora::{bif::Bif, erf::Erf};
use crate::edit::diff::Change;
use crate::edit::{Batch, Edit, label_of, name_in};
use crate::loose::moved_rows::{Followed, table_name};
use crate::registry::{KINDS, recognize};
use exchange::About;
use field::wide;
use json::Document;
use kind::{Format as _, Game};
use output::printable::counted;
use passes::{Sha, spans};

use super::FileEdit;
use super::packed::pack;

/// What to do about a value that cannot follow.
pub(super) const HINT: &str = "repair it and make the mod again, or apply the mods without --renumber";

/// The kinds of Neverwinter Nights whose files hold others.
const CONTAINERS: [&str; 2] = [Erf::NAME, Bif::NAME];

/// Changes the numbers of moved rows in an edit. Returns `true` if some have followed.
///
/// # Errors
/// Returns the reason why a value cannot follow.
pub(super) fn follow(edit: &mut FileEdit, followed: &mut Followed<'_>) -> Result<bool, String> {
    let before = followed.count.clone();
    let name = edit.name().to_owned();
    for change in edit.changes.iter_mut().flatten() {
        in_change(change, &name, followed);
    }
    if edit.kind.is_some()
        && let Some(content) = &edit.content
    {
        let bytes = content.unpacked(edit.bytes).map_err(|why| why.to_string())?.into();
        if let Some(new) = in_file(&name, &bytes, followed)? {
            let (content, sha256, bytes) = pack(&new[..], |_| Ok(())).map_err(|why| why.to_string())?;
            (edit.content, edit.after, edit.bytes) = (Some(content), Some(sha256.to_string()), bytes);
        }
    }
    match followed.errors.as_slice() {
        [] => Ok(followed.count != before),
        [why] => Err(why.clone()),
        [why, more @ ..] => Err(format!("{why}; and so it is with {}", counted(wide(more.len()), "other value"))),
    }
}

/// Changes the numbers in a change of a file of this name.
fn in_change(change: &mut Change, file: &str, followed: &mut Followed<'_>) {
    let named = |entry: &str| if entry.is_empty() { file.to_owned() } else { name_in(label_of(entry)).to_owned() };
    match change {
        Change::Set { at, new: Some(new), .. } | Change::Insert { at, new, .. } => {
            followed.within(&at.entry).value(&named(&at.entry), &at.keys, new);
        }
        Change::Add { entry, content, .. } | Change::Replace { entry, content, .. } => {
            for (nth, (document, json)) in content.files.iter_mut().enumerate() {
                let of = document.rsplit('/').next().unwrap_or(document);
                // The first document is that of the entry itself.
                let of = if nth == 0 { named(entry) } else { of.strip_suffix(".json").unwrap_or(of).to_owned() };
                followed.within(entry).value(&of, &[], json);
            }
        }
        Change::Set { new: None, .. }
        | Change::Order { .. }
        | Change::Delete { .. }
        | Change::Rename { .. }
        | Change::Move { .. }
        | Change::Remove { .. } => {}
    }
}

/// Returns a file in which numbers have followed, in the file itself or in its entries, or `None` if it stays as it is.
fn in_file(name: &str, bytes: &Bytes, followed: &mut Followed<'_>) -> Result<Option<Bytes>, String> {
    if let Some(new) = followed.within("").resource(name, bytes, 0)? {
        return Ok(Some(new));
    }
    let Some((kind, games)) = recognize(KINDS, name, bytes) else { return Ok(None) };
    // A file of another kind holds no resources, whether it can be read or not.
    if !games.contains(&Game::Neverwinter) || !CONTAINERS.contains(&kind.name) {
        return Ok(None);
    }
    let decoded = (kind.decode)(bytes.clone());
    let decoded =
        decoded.map_err(|why| format!("cannot be read, so that numbers of rows in it cannot follow: {why}; {HINT}"))?;
    let entries = spans(&decoded.model).map_err(|why| why.to_string())?;
    // A container with a table of its own means the rows of that one, which stay.
    let own: BTreeSet<String> = entries.keys().filter_map(|entry| table_name(name_in(label_of(entry)))).collect();
    let moves = followed.moves_but(&own);
    let mut inside = Followed::new(&moves, HINT);
    let mut new = Vec::new();
    for (entry, span) in entries {
        let Some(own) = span.of(bytes).map(|own| bytes.slice_ref(own)) else { continue };
        let changed = inside.within(&entry).resource(name_in(label_of(&entry)), &own, 0);
        new.extend(changed.map_err(|why| format!("{entry}: {why}"))?.map(|changed| (entry, changed)));
    }
    followed.add(inside.count, inside.errors);
    if new.is_empty() {
        return Ok(None);
    }
    let replace = |edit: &mut Edit| {
        new.iter().try_for_each(|(entry, bytes)| Ok(edit.replace(entry, Document::Raw(bytes.clone()))?))
    };
    let about = About { kind, games: &games, sha256: Sha::of(bytes), deviations: &[] };
    let edited = Batch::default().apply(KINDS, (about, &decoded.model, name), Some(&replace));
    Ok(Some(edited.map_err(|why| why.to_string())?.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loose::moved_rows::{MovedRange, Moves};

    #[test]
    fn containers_are_those_with_entries() {
        let mut found = BTreeSet::new();
        for sample in [forge::Size::Tiny, forge::Size::Small].into_iter().flat_map(|size| forge::samples(7, size)) {
            let Some((kind, games)) = recognize(KINDS, &sample.name, &sample.bytes) else { continue };
            if games.contains(&Game::Neverwinter)
                && let Ok(decoded) = (kind.decode)(sample.bytes.into())
                && !spans(&decoded.model).expect("it is laid out").is_empty()
            {
                found.insert(kind.name);
            }
        }
        assert_eq!(found, BTreeSet::from(CONTAINERS));
    }

    #[test]
    fn only_containers_must_be_read() {
        let moves = Moves::from([("spells".to_owned(), MovedRange { first: 1, rows: 1, by: 1 })]);
        let follow =
            |name: &str, bytes: &[u8]| in_file(name, &Bytes::copy_from_slice(bytes), &mut Followed::new(&moves, HINT));
        let samples = forge::samples(7, forge::Size::Tiny);
        let cut = |kind: &str| {
            let sample = samples.iter().find(|it| it.kind == kind).expect("a sample");
            let cut = &sample.bytes[..sample.bytes.len() - 1];
            let (kind, _) = recognize(KINDS, &sample.name, cut).expect("it is recognized");
            assert!((kind.decode)(Bytes::copy_from_slice(cut)).is_err(), "{}", sample.name);
            follow(&sample.name, cut)
        };
        for kind in ["ssf", "key", "ltr", "plt"] {
            assert_eq!(cut(kind), Ok(None), "{kind}");
        }
        assert!(cut("erf").is_err_and(|why| why.starts_with("cannot be read, so that numbers of rows in it")));
    }
}
