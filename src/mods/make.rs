//! Makes a mod from an original and an edited copy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::edit::diff::diff;
use crate::exchange::litter_in;
use crate::field::wide;
use crate::install::{Found, files};
use crate::passes::Sha;
use crate::registry::{KINDS, recognize};

use super::{FileEdit, ModFile, Result, apply, at, content, path, refusal};

/// A mod that was made, and the files that were ignored.
#[derive(Debug)]
#[non_exhaustive]
pub struct Made {
    /// The mod.
    pub file: ModFile,
    /// Files and folders of editors and systems, which are no part of a game.
    pub litter: BTreeSet<String>,
}

/// Makes a mod that turns the folder `original` into `mine`, or one file into the other. `output` is left out if it is below `mine`.
///
/// # Errors
/// Returns an error if a file cannot be read, or if its path cannot be used on every system.
pub fn make(original: &Path, mine: &Path, output: &Path) -> Result<Made> {
    let (mut file, mut litter) = (ModFile::default(), BTreeSet::new());
    if original.is_file() && mine.is_file() {
        let name = original.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path::check(&name).map_err(at(original.display()))?;
        let sides = [original, mine].map(|path| std::fs::read(path).map(Bytes::from).map_err(at(path.display())));
        let [old, new] = sides;
        file.files.extend(compare(&name, Some(&old?), Some(&new?)));
        return Ok(Made { file, litter });
    }
    if original.is_file() || mine.is_file() {
        return Err(refusal(mine.display(), "cannot compare a file with a folder"));
    }
    let mut sides = Vec::new();
    for folder in [original, mine] {
        sides.push(below(folder, output, &mut litter)?);
    }
    let [old, new] = sides.as_slice() else { return Ok(Made { file, litter }) };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        path::check(name).map_err(at(mine.display()))?;
        let read = |side: &BTreeMap<String, Found>| {
            let found = side.get(name);
            found.map(|found| found.read().map(Bytes::from).map_err(at(found.shown()))).transpose()
        };
        file.files.extend(compare(name, read(old)?.as_ref(), read(new)?.as_ref()));
    }
    Ok(Made { file, litter })
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
fn compare(path: &str, old: Option<&Bytes>, new: Option<&Bytes>) -> Option<FileEdit> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let hash = |file: Option<&Bytes>| file.map(|file| Sha::of(file).to_string());
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
        // Files with the same values can be laid out differently, so the changes count only if they give the same bytes.
        let edit = FileEdit { kind: Some(before.name.to_owned()), changes: Some(changes), ..edit.clone() };
        if apply::apply(&edit, Some(old), |_| false).is_ok_and(|made| made.as_ref() == Some(new)) {
            return Some(edit);
        }
    }
    let edit = FileEdit { content: new.map(|new| content::pack(new)), ..edit };
    let whole = FileEdit { kind: kind(new).map(|kind| kind.name.to_owned()), ..edit.clone() };
    // A file that is recognized but does not decode is only bytes.
    let proves = new.is_some() && apply::apply(&whole, old, |_| false).is_ok();
    Some(if proves { whole } else { edit })
}
