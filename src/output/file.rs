//! Output files: complete or absent, whatever happens on the way.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use super::staged;

/// Writes a file, or replaces one: beside it under another name, to the disk, then renamed. A symbolic link is followed, and
/// the mode and the owner of an existing file are kept as far as the system lets one, except for its setuid and setgid bits:
/// they were given to other bytes. A pipe or a device is written to, unless it is a terminal.
///
/// # Errors
/// Why it cannot be written; what was there is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_and(path, bytes, || Ok(()))
}

/// The same; what `before` does happens when all is on the disk and nothing is in its place yet.
///
/// # Errors
/// Why it cannot be written, or what `before` says; what was there is as it was.
pub fn write_and(path: &Path, bytes: &[u8], before: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    write_like(path, bytes, fs::metadata(path).ok(), before)
}

/// The same, with the mode and the owner of some file.
fn write_like(
    path: &Path,
    bytes: &[u8],
    old: Option<fs::Metadata>,
    before: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        before()?;
        return write_into(path, bytes);
    }
    let target = target(path)?;
    let folder = folder_of(&target);
    let (_staged, mut beside) =
        staged::stage(|| builder().prefix(PREFIX).tempfile_in(folder), tempfile::NamedTempFile::path)?;
    beside.write_all(bytes)?;
    if let Some(old) = old {
        take_after(beside.as_file(), &old)?;
    }
    beside.as_file().sync_all()?;
    before()?;
    staged::step(|| beside.persist(&target)).map_err(|error| error.error)?;
    // That the folder knows the new name is best made sure of, but not every system lets a folder be opened.
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// What the names of all begin with that is written beside its place.
pub(crate) const PREFIX: &str = ".bitexact-";

/// Writes into a pipe or a device, which cannot be replaced: by the path that was given, for what `/dev/stdout` leads to has
/// none if it is a pipe.
fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut target = fs::OpenOptions::new().write(true).open(path)?;
    if target.is_terminal() {
        return Err(io::Error::other("is a terminal; expected a file, or a pipe to a different program"));
    }
    target.write_all(bytes)
}

/// Gives a file the mode and the owner of the one that it replaces.
fn take_after(file: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    #[allow(unused_mut, reason = "only Unix has modes")]
    let mut permissions = old.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        // Only root can give a file away, others perhaps to a group of theirs: where neither can be, it is one's own.
        if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            let _ = fchown(file, None, Some(old.gid()));
        }
        permissions.set_mode(permissions.mode() & 0o777);
    }
    file.set_permissions(permissions)
}

/// Keeps a copy of a file beside it, as `NAME.bak`, and says where, and whether it is new: one that is there already is
/// older, so it stays.
///
/// # Errors
/// Returns an error if it cannot be written, or if what has its name is no file.
pub fn back_up(path: &Path) -> io::Result<(PathBuf, bool)> {
    let target = target(path)?;
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".bak");
    let copy = target.with_file_name(name);
    let found = match (fs::metadata(&copy), fs::symlink_metadata(&copy)) {
        (Ok(about), Ok(link)) if about.is_file() => match link.is_symlink() && same_file::is_same_file(&copy, &target)?
        {
            true => "a link to the file itself",
            false => return Ok((copy, false)),
        },
        (Err(_), Err(error)) if error.kind() == ErrorKind::NotFound => {
            // Whoever may not read the file may not read its backup.
            write_like(&copy, &fs::read(&target)?, Some(fs::metadata(&target)?), || Ok(()))?;
            return Ok((copy, true));
        }
        (Ok(about), _) if about.is_dir() => "a folder",
        (Err(_), Ok(about)) if about.is_symlink() => "a broken link",
        _ => "something else",
    };
    let shown = copy.display();
    let why = format!("{shown}: expected a backup or nothing, found {found}; move it away, or omit --backup");
    Err(io::Error::new(ErrorKind::AlreadyExists, why))
}

/// The folder that a path lies in: of a mere name, the one one is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two paths lead to one file, be it there already or not.
#[must_use]
pub fn is_one_place(one: &Path, other: &Path) -> bool {
    // Most people's Windows and macOS take names that differ in case for the same.
    let key = |path: &Path| {
        let path = place(path).into_os_string();
        if cfg!(any(windows, target_os = "macos")) { path.to_ascii_lowercase() } else { path }
    };
    same_file::is_same_file(one, other).unwrap_or(false) || key(one) == key(other)
}

/// Where a file is, or comes to lie.
fn place(path: &Path) -> PathBuf {
    let named = || Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(named).unwrap_or_else(|| path.to_owned())
}

/// Where a path leads to in the end.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(_) => fs::canonicalize(path),
        Err(_) => Ok(path.to_owned()),
    }
}

/// New files get the mode that the user's mask gives, not that of a secret.
fn builder() -> tempfile::Builder<'static, 'static> {
    #[allow(unused_mut, reason = "only Unix has modes")]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}
