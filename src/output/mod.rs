//! Writes output files atomically.

pub mod printable;
pub(crate) mod staged;

use std::fs;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

pub use staged::end_writing;

/// Writes a file atomically: to a temporary file in the same folder, which is synced and then renamed. Symbolic links are followed,
/// and the mode and owner of an existing file are preserved as far as the system allows, except for its setuid and setgid bits, which
/// were granted to different bytes. Pipes and devices are written directly, but terminals are refused.
///
/// # Errors
/// Returns an error if the file cannot be written; an existing file is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_and(path, bytes, || Ok(()))
}

/// Writes a file, and calls `before` when all bytes are on disk but not yet in place.
///
/// # Errors
/// Returns an error if the file cannot be written or `before` fails; an existing file is then unchanged.
pub fn write_and(path: &Path, bytes: &[u8], before: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    write_like(path, bytes, fs::metadata(path).ok(), before)
}

/// Writes a file with the mode and owner of another one.
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
    // Syncing the folder makes the new name durable, but not every system can open a folder.
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// The prefix of the names of all temporary files and folders.
pub(crate) const PREFIX: &str = ".bitexact-";

/// Writes into a pipe or a device, which cannot be replaced. It is opened by the given path, since the target of `/dev/stdout` has
/// no path if it is a pipe.
fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut target = fs::OpenOptions::new().write(true).open(path)?;
    if target.is_terminal() {
        return Err(io::Error::other("is a terminal; expected a file, or a pipe to another program"));
    }
    target.write_all(bytes)
}

/// Gives a file the mode and owner of the one that it replaces.
fn take_after(file: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    #[allow(unused_mut, reason = "only Unix has modes")]
    let mut permissions = old.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        // Only root can change the owner, and others at most the group: if neither works, the file belongs to the user.
        if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            let _ = fchown(file, None, Some(old.gid()));
        }
        permissions.set_mode(permissions.mode() & 0o777);
    }
    file.set_permissions(permissions)
}

/// Copies a file to `NAME.bak` in the same folder, and returns that path and whether the copy is new: an existing backup is older,
/// so it stays.
///
/// # Errors
/// Returns an error if the copy cannot be written, or if its path exists but is not a file.
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
            // Users who cannot read the file must not be able to read its backup.
            write_like(&copy, &fs::read(&target)?, Some(fs::metadata(&target)?), || Ok(()))?;
            return Ok((copy, true));
        }
        (Ok(about), _) if about.is_dir() => "a folder",
        (Err(_), Ok(about)) if about.is_symlink() => "a link to nothing",
        _ => "something else",
    };
    let shown = copy.display();
    let why = format!("{shown}: expected a backup or nothing, found {found}; move it away, or leave out --backup");
    Err(io::Error::new(ErrorKind::AlreadyExists, why))
}

/// Returns the folder of a path, or the current folder if it is a mere name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns `true` if two paths refer to one file, even if it does not exist yet.
#[must_use]
pub fn is_one_place(one: &Path, other: &Path) -> bool {
    // Windows and macOS usually treat names that differ only in case as equal.
    let key = |path: &Path| {
        let path = place(path).into_os_string();
        if cfg!(any(windows, target_os = "macos")) { path.to_ascii_lowercase() } else { path }
    };
    same_file::is_same_file(one, other).unwrap_or(false) || key(one) == key(other)
}

/// Returns the absolute path of a file, even if it does not exist yet.
fn place(path: &Path) -> PathBuf {
    let named = || Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(named).unwrap_or_else(|| path.to_owned())
}

/// Returns the final target of a path.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(_) => fs::canonicalize(path),
        Err(_) => Ok(path.to_owned()),
    }
}

/// Uses the mode of the user's umask for new files, not the private one of temporary files.
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
