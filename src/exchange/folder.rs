//! Reads and writes unpacked folders.

mod swap;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use tempfile::TempDir;
use walkdir::WalkDir;

use field::work;
use field::{Fault, memory};
use output::cleanup::{Staged, stage, step};
use output::{PREFIX, folder_of};
use passes::Sha;

use super::{MANIFEST, is_litter};

pub use swap::recover;
pub use written::{Fate, Listed, WRITTEN, edited};

/// The path that cannot be read or written, and the error.
type Failed = (PathBuf, io::Error);

/// The files of a folder.
#[derive(Debug)]
#[non_exhaustive]
pub struct Inside {
    /// The files, by their relative paths with `/` as separator.
    pub files: BTreeMap<String, Bytes>,
    /// The paths of [ignored](is_litter) files and folders.
    pub litter: Vec<PathBuf>,
}

/// Reads the files of a folder.
///
/// # Errors
/// Returns an error if a file cannot be read, if its name is not valid Unicode, or if a path is neither a file nor a folder.
pub fn read(folder: &Path) -> Result<Inside, Failed> {
    let (mut found_files, mut total, mut litter) = (Vec::new(), 0_u64, Vec::new());
    let mut walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    while let Some(found) = walk.next() {
        let found = found.map_err(|error| unread(folder, error))?;
        if found.depth() > 0 && found.file_name().to_str().is_some_and(is_litter) {
            if found.file_type().is_dir() {
                walk.skip_current_dir();
            }
            litter.push(found.into_path());
            continue;
        }
        let refused = |why: &str| Err((found.path().to_owned(), io::Error::new(io::ErrorKind::InvalidData, why)));
        match found.file_type() {
            // If the folder itself is a link, the user has typed its path.
            it if it.is_dir() || found.depth() == 0 => continue,
            it if it.is_file() => {}
            // A link could lead anywhere, and `unpack` never writes one.
            it if it.is_symlink() => {
                return refused(
                    "expected the file of an entry, found a link; links are not followed, so put a copy here",
                );
            }
            _ => return refused("expected the file of an entry, found something other than a file; move it away"),
        }
        let path = found.path().strip_prefix(folder).unwrap_or(found.path());
        let steps: Option<Vec<_>> = path.iter().map(|step| step.to_str()).collect();
        let Some(steps) = steps else { return refused("the name is not valid Unicode") };
        total = total.saturating_add(found.metadata().map_or(0, |about| about.len()));
        if total > memory::allowed() {
            return refused(&Fault::Memory { limit: memory::allowed() }.to_string());
        }
        found_files.push((steps.join("/"), found.into_path()));
    }
    let threads = work::cores_for(usize::try_from(total).unwrap_or(usize::MAX));
    let contents = work::share(&found_files, threads, |(_, path)| fs::read(path));
    let read = |((name, path), bytes): ((String, PathBuf), io::Result<Vec<u8>>)| {
        bytes.map(|bytes| (name, bytes.into())).map_err(|error| (path, error))
    };
    let files = found_files.into_iter().zip(contents).map(read).collect::<Result<_, Failed>>()?;
    Ok(Inside { files, litter })
}

/// Returns the path that a walk cannot read, and the error.
fn unread(folder: &Path, error: walkdir::Error) -> Failed {
    let path = error.path().unwrap_or(folder).to_owned();
    // The words of `walkdir` repeat the path.
    let kind = error.io_error().map(io::Error::kind);
    (path, error.into_io_error().unwrap_or_else(|| kind.unwrap_or(io::ErrorKind::InvalidData).into()))
}

/// Files that are written, but not yet in their folder. They are deleted unless [`put`](Self::put) moves them there.
#[derive(Debug)]
pub struct Written {
    folder: PathBuf,
    /// `true` if the folder is filled instead of replaced.
    fills: bool,
    beside: TempDir,
    _staged: Staged,
}

/// Writes the files of a folder to a temporary folder beside it. [`Written::put`] moves them to their place.
///
/// # Errors
/// Returns an error if something cannot be written, with its path.
pub fn write(folder: &Path, files: &BTreeMap<String, Bytes>) -> Result<Written, Failed> {
    let folder = real(folder);
    // A shell in the folder would stay in the old one. So such a folder is filled if it is empty, and never replaced.
    let fills = env::current_dir()
        .and_then(fs::canonicalize)
        .is_ok_and(|here| here.starts_with(fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone())));
    if fills && fs::read_dir(&folder).map_err(at(&folder))?.next().is_some() {
        let why = "is the current folder or contains it, so it cannot be replaced; run this from a different folder";
        return Err((folder, io::Error::other(why)));
    }
    let (staged, beside) = written_in(if fills { &folder } else { folder_of(&folder) }, &folder, files)?;
    Ok(Written { folder, fills, beside, _staged: staged })
}

/// Returns the path of a folder without a link or `..` at its end. Any other path stays as the user wrote it: on Windows, people do not
/// recognize canonical paths.
fn real(folder: &Path) -> PathBuf {
    let is_name = matches!(folder.components().next_back(), Some(Component::Normal(_)));
    match is_name && !folder.is_symlink() {
        true => folder.to_owned(),
        false => fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()),
    }
}

impl Written {
    /// Returns the path of the files until they are put into their place. More can be written there.
    #[must_use]
    pub fn inside(&self) -> PathBuf {
        self.beside.path().join(NEW)
    }

    /// Moves the files to their place atomically: the new folder and the old one are exchanged, and then the old one is deleted. A
    /// symbolic link is followed. What no unpack has written in the old folder is in the new one, too. Returns its paths in the folder.
    ///
    /// # Errors
    /// Returns an error if they cannot be moved, or if a file in the old folder has been edited. The old folder is then still in place, or
    /// the message reports its location.
    pub fn put(self) -> Result<Vec<PathBuf>, Failed> {
        self.put_if(|| false)
    }

    /// Moves the files to their place as [`put`](Self::put) does, and replaces edited files too if `is_packed`: no edit is lost.
    ///
    /// # Errors
    /// Returns the same errors.
    pub fn put_if(self, is_packed: impl FnOnce() -> bool) -> Result<Vec<PathBuf>, Failed> {
        let new = self.inside();
        let Self { folder, fills, beside, _staged } = self;
        if fills {
            return fill(&folder, &new).map(|()| Vec::new());
        }
        let mut kept = Vec::new();
        if let Ok(old) = fs::metadata(&folder) {
            kept = keep(&folder, &new, is_packed)?;
            fs::set_permissions(&new, old.permissions()).map_err(at(&new))?;
        }
        step(|| swap::put(&new, &folder)).map_err(at(&folder))?;
        let path = beside.path().to_owned();
        // If the two have been exchanged, this deletes the old folder.
        step(|| beside.close()).map_err(|error| {
            let why = format!("the new folder is in place, but the old one cannot be deleted: {error}");
            (path, io::Error::new(error.kind(), why))
        })?;
        Ok(kept)
    }
}

/// The name of the new folder in the temporary one, which cannot be used itself because only its owner can read it.
const NEW: &str = "new";

/// Gives the new folder everything in the old one that no unpack has written, and returns the paths. Links to the files suffice, so that
/// neither folder is ever without them.
fn keep(old: &Path, new: &Path, is_packed: impl FnOnce() -> bool) -> Result<Vec<PathBuf>, Failed> {
    let list = fs::read(old.join(WRITTEN)).map_or_else(|_| Listed::default(), |text| Listed::parse(&text));
    let leading: BTreeSet<&Path> = list.paths().flat_map(|path| Path::new(path).ancestors().skip(1)).collect();
    let (mut kept, mut folders, mut edited_files) = (Vec::<PathBuf>::new(), Vec::new(), Vec::new());
    for found in WalkDir::new(old).min_depth(1).sort_by_file_name() {
        let found = found.map_err(|error| unread(old, error))?;
        let path = found.path().strip_prefix(old).unwrap_or(found.path()).to_owned();
        let (target, is_dir) = (new.join(&path), found.file_type().is_dir());
        let is_replaced = match is_dir {
            true => leading.contains(&*path),
            false => {
                let name = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
                let hash = |path: &Path| fs::read(path).map(|bytes| Sha::of(&bytes));
                let is_there = fs::symlink_metadata(&target).is_ok_and(|about| about.is_file());
                let needs_hash = found.file_type().is_file() && (is_there || list.names(&name));
                let now = needs_hash.then(|| hash(found.path()).map_err(at(found.path()))).transpose()?;
                let then = is_there.then(|| hash(&target).map_err(at(&target))).transpose()?;
                let fate = list.fate(&name, now, then);
                edited_files.extend((fate == Fate::Edited).then_some(name));
                matches!(fate, Fate::Replaced | Fate::Edited)
            }
        };
        if is_replaced {
            continue;
        }
        let linked = match is_dir {
            true if target.is_dir() => Ok(()),
            true => step(|| fs::create_dir_all(&target)),
            false => step(|| fs::create_dir_all(folder_of(&target)).and_then(|()| link(found.path(), &target))),
        };
        linked.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                let why = "was not written by the earlier unpack, and a new file has its path; move it away";
                (found.path().to_owned(), io::Error::new(error.kind(), why))
            }
            _ => (found.path().to_owned(), error),
        })?;
        if is_dir {
            let about = found.metadata().map_err(|error| unread(old, error))?;
            folders.push((target, about.permissions()));
        }
        if !kept.last().is_some_and(|last| path.starts_with(last)) {
            kept.push(path);
        }
    }
    if !edited_files.is_empty() && !is_packed() {
        return Err((old.to_owned(), io::Error::other(edited(&edited_files))));
    }
    // A folder that is read-only takes no files, so the modes come last.
    for (folder, permissions) in folders.into_iter().rev() {
        step(|| fs::set_permissions(&folder, permissions)).map_err(at(&folder))?;
    }
    Ok(kept)
}

/// Links a file, or copies it where the file system has no links.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    let Err(error) = fs::hard_link(from, to) else { return Ok(()) };
    match fs::symlink_metadata(from) {
        Ok(about) if about.is_file() && error.kind() != ErrorKind::AlreadyExists => fs::copy(from, to).map(drop),
        _ => Err(error),
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Failed {
    let path = path.to_owned();
    move |error| (path, error)
}

/// Writes files into a new temporary folder. Errors name the path that a file will have in `folder`.
fn written_in(parent: &Path, folder: &Path, files: &BTreeMap<String, Bytes>) -> Result<(Staged, TempDir), Failed> {
    step(|| fs::create_dir_all(parent)).map_err(at(parent))?;
    let (staged, beside) = stage(|| tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent), TempDir::path)
        .map_err(|error| {
            // Its own words name the temporary folder.
            let why = format!("cannot write to the folder: {}", error.kind());
            (parent.to_owned(), io::Error::new(error.kind(), why))
        })?;
    let new = beside.path().join(NEW);
    // The files of a folder are adjacent in the list.
    let mut made = new.clone();
    let mut write = |path: &str, bytes: &[u8]| {
        let target = new.join(path);
        let inner = folder_of(&target);
        if made != inner {
            step(|| fs::create_dir_all(inner))?;
            made = inner.to_owned();
        }
        step(|| fs::write(&target, bytes))
    };
    step(|| fs::create_dir(&new)).map_err(at(folder))?;
    files.iter().try_for_each(|(path, bytes)| write(path, bytes).map_err(at(&folder.join(path))))?;
    Ok((staged, beside))
}

/// Writes files into a folder that may hold others, all or none: each is complete before the first one takes its place.
///
/// # Errors
/// Returns an error if something cannot be written, with its path.
pub fn add(folder: &Path, files: &BTreeMap<String, Bytes>) -> Result<(), Failed> {
    let (_staged, beside) = written_in(folder, folder, files)?;
    fill(folder, &beside.path().join(NEW))
}

/// Moves files into a folder that cannot be replaced, from a folder inside it. The manifest comes last, so that an incomplete folder
/// cannot be packed. A file that is replaced ends up in the folder inside.
fn fill(folder: &Path, new: &Path) -> Result<(), Failed> {
    let names = fs::read_dir(new).and_then(|inside| inside.map(|entry| Ok(entry?.file_name())).collect());
    let mut names: Vec<OsString> = names.map_err(at(new))?;
    names.sort_by_key(|name| name == MANIFEST);
    let put = |name: &OsString| {
        let target = folder.join(name);
        match fs::symlink_metadata(&target) {
            Ok(about) if !about.is_file() => {
                Err(io::Error::other("expected a file, found something else; move it away"))
            }
            _ => swap::put(&new.join(name), &target),
        }
    };
    step(|| {
        for (done, name) in names.iter().enumerate() {
            if let Err(error) = put(name) {
                // Those already moved go back, and are deleted with the rest.
                names.iter().take(done).for_each(|name| drop(swap::put(&folder.join(name), &new.join(name))));
                return Err((folder.join(name), error));
            }
        }
        Ok(())
    })
}
