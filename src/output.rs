//! Output files: complete or absent, whatever happens on the way.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file, or replaces one: beside it under another name, to the disk, then renamed. A symbolic link is followed, and
/// the mode of a file that is there is kept. A pipe or a device is written to.
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
    let target = target(path)?;
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A pipe or a device cannot be replaced.
        before()?;
        return fs::OpenOptions::new().write(true).open(&target)?.write_all(bytes);
    }
    let folder = folder_of(&target);
    let mut beside = builder().prefix(".bitexact-").tempfile_in(folder)?;
    beside.write_all(bytes)?;
    if let Some(old) = old {
        fs::set_permissions(beside.path(), old.permissions())?;
    }
    beside.as_file().sync_all()?;
    before()?;
    beside.persist(&target).map_err(|error| error.error)?;
    // That the folder knows the new name is best made sure of, but not every system lets a folder be opened.
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Keeps a copy of a file beside it, as `NAME.bak`, and says where, and whether it is new: one that is there already is
/// older, so it stays.
///
/// # Errors
/// Why it cannot be written.
pub fn back_up(path: &Path) -> io::Result<(PathBuf, bool)> {
    let target = target(path)?;
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".bak");
    let copy = target.with_file_name(name);
    let is_new = !copy.exists();
    if is_new {
        write(&copy, &fs::read(&target)?)?;
    }
    Ok((copy, is_new))
}

/// The folder that a path lies in: of a mere name, the one one is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
