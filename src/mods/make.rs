//! Makes a mod from an original and an edited copy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::edit::diff::{Change, diff, without_layout};
use crate::exchange::litter_in;
use crate::field::wide;
use crate::install::{Found, files};
use crate::kind::Kind;
use crate::passes::Sha;
use crate::registry::{KINDS, recognize};

use super::{FileEdit, ModFile, Result, apply, at, content, hash, path, refusal};

/// A mod that was made, and the files that were ignored.
#[derive(Debug)]
#[non_exhaustive]
pub struct Made {
    /// The mod.
    pub file: ModFile,
    /// Files and folders of editors and systems, which are no part of a game.
    pub litter: BTreeSet<String>,
    /// The files that are also, or only, laid out differently, which is no part of a mod that has changes of values.
    pub relaid: BTreeSet<String>,
}

/// Makes a mod that turns the folder `original` into `mine`, or one file into the other. `output` is left out if it is below `mine`.
///
/// # Errors
/// Returns an error if a file cannot be read, or if its path cannot be used on every system.
pub fn make(original: &Path, mine: &Path, output: &Path) -> Result<Made> {
    let (mut edits, mut litter) = (Vec::new(), BTreeSet::new());
    if original.is_file() && mine.is_file() {
        let name = original.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path::check(&name).map_err(at(original.display()))?;
        let sides = [original, mine].map(|path| std::fs::read(path).map(Bytes::from).map_err(at(path.display())));
        let [old, new] = sides;
        edits.extend(compare(&name, Some(&old?), Some(&new?)));
        return Ok(Made::of(edits, litter));
    }
    if original.is_file() || mine.is_file() {
        return Err(refusal(mine.display(), "cannot compare a file with a folder"));
    }
    let mut sides = Vec::new();
    for folder in [original, mine] {
        sides.push(below(folder, output, &mut litter)?);
    }
    let [old, new] = sides.as_slice() else { return Ok(Made::of(edits, litter)) };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        path::check(name).map_err(at(mine.display()))?;
        let read = |side: &BTreeMap<String, Found>| {
            let found = side.get(name);
            found.map(|found| found.read().map(Bytes::from).map_err(at(found.shown()))).transpose()
        };
        edits.extend(compare(name, read(old)?.as_ref(), read(new)?.as_ref()));
    }
    let paths = edits.iter().map(|compared: &Compared| (compared.edit.path.as_str(), None::<()>));
    match path::clashes(paths).first() {
        Some((why, ..)) => Err(refusal(mine.display(), format!("{why}; no mod can change one into the other"))),
        None => Ok(Made::of(edits, litter)),
    }
}

/// The edit of a file, and whether it leaves out that the file is laid out differently.
struct Compared {
    edit: FileEdit,
    is_relaid: bool,
}

impl Compared {
    /// Returns `true` if the file is laid out differently, and nothing else.
    fn is_of_layout(&self) -> bool {
        self.edit.changes.as_ref().is_some_and(|changes| changes.iter().all(Change::is_of_layout))
    }
}

impl Made {
    /// Puts the edits into a mod. Files that are only laid out differently are left out, unless all are.
    fn of(edits: Vec<Compared>, litter: BTreeSet<String>) -> Self {
        let is_relaid = edits.iter().all(Compared::is_of_layout);
        let (mut file, mut relaid) = (ModFile::default(), BTreeSet::new());
        for compared in edits {
            let is_left_out = !is_relaid && compared.is_of_layout();
            if is_left_out || compared.is_relaid {
                relaid.insert(compared.edit.path.clone());
            }
            if !is_left_out {
                file.files.push(compared.edit);
            }
        }
        Self { file, litter, relaid }
    }
}

/// Returns the files below a folder by relative path.
fn below(folder: &Path, output: &Path, litter: &mut BTreeSet<String>) -> Result<BTreeMap<String, Found>> {
    let mut below = BTreeMap::new();
    for found in files(folder).map_err(at(folder.display()))? {
        let inner: PathBuf = found.path.strip_prefix(folder).unwrap_or(&found.path).to_owned();
        let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
        let Some(parts) = parts else { return Err(refusal(found.shown(), "the name is not valid Unicode")) };
        if let Some(until) = litter_in(&inner) {
            litter.insert(folder.join(until).display().to_string());
        } else if !crate::output::is_one_place(&found.path, output) {
            below.insert(parts.join("/"), found);
        }
    }
    Ok(below)
}

/// Returns the edit that turns one file into the other, or `None` if they are equal.
fn compare(path: &str, old: Option<&Bytes>, new: Option<&Bytes>) -> Option<Compared> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let kind = |file: Option<&Bytes>| recognize(KINDS, name, file?).map(|(kind, _)| kind);
    if old == new {
        return None;
    }
    let edit = FileEdit {
        path: path.to_owned(),
        kind: None,
        before: hash(old),
        after: hash(new),
        bytes: new.map_or(0, |new| wide(new.len())),
        changes: None,
        content: None,
    };
    if let (Some(old), Some(new), Some(before), Some(after)) = (old, new, kind(old), kind(new))
        && before.name == after.name
        && let Ok(changes) = diff(before, old.clone(), new.clone())
    {
        let edit = FileEdit { kind: Some(before.name.to_owned()), ..edit.clone() };
        let values = without_layout(changes.clone());
        let has_layout = values.len() < changes.len();
        if let Some(compared) = by_place(&edit, before, (old, new), values) {
            return Some(compared);
        }
        if let Some(compared) = has_layout.then(|| by_place(&edit, before, (old, new), changes)).flatten() {
            return Some(compared);
        }
    }
    let edit = FileEdit { content: new.map(|new| content::pack(new)), ..edit };
    let whole = FileEdit { kind: kind(new).map(|kind| kind.name.to_owned()), ..edit.clone() };
    // A file that is recognized but does not decode is only bytes.
    let proves = new.is_some() && apply::apply(&whole, old, |_| false, &nothing_stored).is_ok();
    Some(Compared { edit: if proves { whole } else { edit }, is_relaid: false })
}

/// A mod that is being made has no journal.
fn nothing_stored(hash: &str) -> core::result::Result<Vec<u8>, String> {
    Err(format!("{hash} is not stored"))
}

/// Returns the edit with these changes if their result is the new file, or differs from it in layout only.
fn by_place(
    edit: &FileEdit,
    kind: &'static Kind,
    (old, new): (&Bytes, &Bytes),
    changes: Vec<Change>,
) -> Option<Compared> {
    // Without the hash of the original, any result is as expected.
    let edit = FileEdit { changes: Some(changes), before: None, ..edit.clone() };
    let made = apply::apply(&edit, Some(old), |_| false, &nothing_stored).ok()??;
    let is_relaid = made != *new;
    if is_relaid {
        // Files can have the same values and differ where no change says so: then the changes are not all.
        let rest = diff(kind, made.clone(), new.clone()).ok()?;
        if rest.is_empty() || !rest.iter().all(Change::is_of_layout) {
            return None;
        }
    }
    let (before, after) = (Some(Sha::of(old).to_string()), Some(Sha::of(&made).to_string()));
    Some(Compared { edit: FileEdit { before, after, bytes: wide(made.len()), ..edit }, is_relaid })
}
