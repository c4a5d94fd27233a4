//! The exchange form on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use walkdir::WalkDir;

use crate::output::folder_of;

/// Reads the files of a folder, by their paths in it with `/` between folders.
///
/// # Errors
/// The file that cannot be read, or whose name is no Unicode.
pub fn read(folder: &Path) -> Result<BTreeMap<String, Bytes>, (PathBuf, io::Error)> {
    let mut files = BTreeMap::new();
    for found in WalkDir::new(folder).sort_by_file_name() {
        let found = found.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            (path, error.into())
        })?;
        if !found.file_type().is_file() {
            continue;
        }
        let path = found.path().strip_prefix(folder).unwrap_or(found.path());
        let steps: Option<Vec<_>> = path.iter().map(|step| step.to_str()).collect();
        let Some(steps) = steps else {
            return Err((found.into_path(), io::Error::new(io::ErrorKind::InvalidData, "the name is no Unicode")));
        };
        let bytes = fs::read(found.path()).map_err(|error| (found.path().to_owned(), error))?;
        files.insert(steps.join("/"), bytes.into());
    }
    Ok(files)
}

/// Writes files into a folder, all of them or none: they are written beside it under another name, and then the folder gets
/// its own. What was there under that name goes when all is written; a symbolic link is followed.
///
/// # Errors
/// What cannot be written, and why.
pub fn write(folder: &Path, files: &BTreeMap<String, Bytes>) -> Result<(), (PathBuf, io::Error)> {
    let folder = &fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let parent = folder_of(folder);
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| (path, error)
    };
    fs::create_dir_all(parent).map_err(at(parent))?;
    let beside = tempfile::Builder::new().prefix(".bitexact-").tempdir_in(parent).map_err(at(parent))?;
    // Not the temporary folder itself, which nobody else may look into.
    let (new, old) = (beside.path().join("new"), beside.path().join("old"));
    fs::create_dir(&new).map_err(at(&new))?;
    for (path, bytes) in files {
        let target = new.join(path);
        if let Some(inner) = target.parent() {
            fs::create_dir_all(inner).map_err(at(inner))?;
        }
        fs::write(&target, bytes).map_err(at(&target))?;
    }
    if folder.exists() {
        fs::rename(folder, &old).map_err(at(folder))?;
    }
    fs::rename(&new, folder).map_err(|error| {
        // Whatever keeps the new one away, the old one was there.
        let _ = fs::rename(&old, folder);
        (folder.clone(), error)
    })
}
