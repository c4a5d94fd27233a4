//! Output files, written atomically.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use super::{PREFIX, cleanup};

/// Writes a file atomically: to a temporary file in the same folder, which is synced and then renamed. Symbolic links are followed.
///
/// A read-only file is not replaced. The mode and the owner of an existing file are kept as far as the system permits, except for
/// its setuid and setgid bits, which were given to different bytes. Pipes and devices are written to directly, unless the target is
/// a terminal.
///
/// # Errors
/// Returns an error if the file cannot be written. An existing file is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_and(path, bytes, || Ok(()))
}

/// Writes a file like [`write()`]. `before` runs after all bytes are on disk and before the file is renamed.
///
/// # Errors
/// Returns an error if the file cannot be written, or the error of `before`. An existing file is then unchanged.
pub fn write_and(path: &Path, bytes: &[u8], before: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    write_pieces_and(path, &[bytes], before)
}

/// Writes a file like [`write_and`], whose bytes are in several pieces.
///
/// # Errors
/// Returns an error if `write_and` would.
pub fn write_pieces_and(
    path: &Path,
    pieces: &[impl AsRef<[u8]>],
    before: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if is_stdout(path) || old.as_ref().is_some_and(|old| !old.is_file()) {
        before()?;
        return write_into(path, pieces);
    }
    replace(path, old, |file| write_all(file, pieces), before)
}

fn write_all(to: &mut impl io::Write, pieces: &[impl AsRef<[u8]>]) -> io::Result<()> {
    pieces.iter().try_for_each(|piece| to.write_all(piece.as_ref()))
}

/// Writes a file like [`write()`], whose bytes `fill` writes to the temporary file. The path must not lead to a pipe or device.
///
/// # Errors
/// Returns an error if the file cannot be written, or the error of `fill`. An existing file is then unchanged.
pub fn write_by<T, E: From<io::Error>>(path: &Path, fill: impl FnOnce(&mut fs::File) -> Result<T, E>) -> Result<T, E> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "expected a file, found something else").into());
    }
    replace(path, old, fill, || Ok(()))
}

/// Creates a file that does not exist, with the mode and the owner of a file that it will replace. `fill` writes its bytes.
///
/// # Errors
/// Returns an error if the file exists or cannot be written, or the error of `fill`.
#[cfg(feature = "exchange")]
pub fn create_like(
    path: &Path,
    fill: impl FnOnce(&mut fs::File) -> io::Result<()>,
    old: Option<&fs::Metadata>,
) -> io::Result<()> {
    let mut file = fs::File::options().write(true).create_new(true).open(path)?;
    fill(&mut file)?;
    old.map_or(Ok(()), |old| take_after(&file, old))
}

/// Replaces a file, or creates it: `fill` writes the bytes, and `before` runs before the file is renamed.
fn replace<T, E: From<io::Error>>(
    path: &Path,
    old: Option<fs::Metadata>,
    fill: impl FnOnce(&mut fs::File) -> Result<T, E>,
    before: impl FnOnce() -> io::Result<()>,
) -> Result<T, E> {
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "is read-only; make it writable to replace it").into());
    }
    let target = target(path)?;
    let folder = folder_of(&target);
    let (_staged, mut beside) =
        cleanup::stage(|| builder().prefix(PREFIX).tempfile_in(folder), tempfile::NamedTempFile::path)?;
    let filled = fill(beside.as_file_mut())?;
    if let Some(old) = old {
        take_after(beside.as_file(), &old)?;
    }
    beside.as_file().sync_all()?;
    before()?;
    cleanup::step(|| beside.persist(&target)).map_err(|error| error.error)?;
    sync_folder(folder)?;
    Ok(filled)
}

/// Makes the names in a folder durable. Not every system opens folders, and not every file system syncs them.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(folder) = fs::File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            let why = format!("is written, but a power failure may undo that: {error}");
            Err(io::Error::new(error.kind(), why))
        }
        _ => Ok(()),
    }
}

/// Returns `true` for a path by which systems call the stdout of a program. It may lead to a file, which the shell has opened: replacing
/// that would lose what the shell writes there before and after.
#[must_use]
pub fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|it| path == Path::new(it))
}

/// Writes into a pipe or a device, which cannot be replaced. It uses the path as given, because `/dev/stdout` resolves to no path
/// if it is a pipe.
fn write_into(path: &Path, pieces: &[impl AsRef<[u8]>]) -> io::Result<()> {
    if is_stdout(path) && !io::stdout().is_terminal() {
        let mut stdout = io::stdout().lock();
        return write_all(&mut stdout, pieces).and_then(|()| stdout.flush());
    }
    let mut target = open_into(path)?;
    if target.is_terminal() {
        return Err(io::Error::other("is a terminal; expected a file, or a pipe to a different program"));
    }
    write_all(&mut target, pieces)
}

/// Opens a pipe or a device, unless it is a pipe that no program reads: that would wait forever.
#[cfg(unix)]
fn open_into(path: &Path) -> io::Result<fs::File> {
    use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
    use rustix::io::Errno;
    /// How often a program is looked for that is just being started, and how long after each time.
    const LOOKS: (u32, std::time::Duration) = (40, std::time::Duration::from_millis(25));
    for _ in 0..LOOKS.0 {
        match open(path, OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
            Err(Errno::NXIO) => std::thread::sleep(LOOKS.1),
            opened => {
                let opened = opened?;
                fcntl_setfl(&opened, OFlags::empty())?;
                return Ok(fs::File::from(opened));
            }
        }
    }
    Err(io::Error::other("is a pipe that no program reads"))
}

#[cfg(not(unix))]
fn open_into(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).open(path)
}

/// Gives a file the mode and the owner of the one it replaces.
fn take_after(file: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    #[allow(unused_mut, reason = "only Unix has modes")]
    let mut permissions = old.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        // Only root can change the owner; others may be able to change the group. If neither works, the file belongs to the user.
        if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            let _ = fchown(file, None, Some(old.gid()));
        }
        permissions.set_mode(permissions.mode() & 0o777);
    }
    file.set_permissions(permissions)
}

/// Checks that a file can be created in a folder. Where the system can, the temporary file for that has no name.
///
/// # Errors
/// Returns an error if it cannot.
pub fn can_write_to(folder: &Path) -> io::Result<()> {
    cleanup::step(|| tempfile::tempfile_in(folder)).map(drop)
}

/// Makes sure that a file can be replaced. Only Windows forbids it while another program has the file open.
///
/// # Errors
/// Returns the error of replacing it.
pub fn can_replace(path: &Path) -> io::Result<()> {
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        /// The right to delete or rename a file.
        const DELETE: u32 = 0x0001_0000;
        fs::OpenOptions::new().access_mode(DELETE).open(path)?;
    }
    #[cfg(not(windows))]
    let _ = path;
    Ok(())
}

/// Copies a file to `NAME.bak` in the same folder. Returns the path of the copy, and `true` if it is new. An existing backup is
/// older, so it is left unchanged.
///
/// # Errors
/// Returns an error if the backup cannot be written, or if its name is taken by something other than a file.
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
            // The backup gets the mode of the file, so that it is not readable by more users.
            let mut original = fs::File::open(&target)?;
            let about = original.metadata()?;
            replace(&copy, Some(about), |copy| io::copy(&mut original, copy), || Ok(()))?;
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

/// Returns the folder of a path; for a bare name, the current folder.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns `true` if two paths lead to the same file, even if it does not exist yet.
#[must_use]
pub fn is_one_place(one: &Path, other: &Path) -> bool {
    // File systems on Windows and macOS usually ignore case.
    let key = |path: &Path| {
        let path = place(path).into_os_string();
        if cfg!(any(windows, target_os = "macos")) { path.to_ascii_lowercase() } else { path }
    };
    // Comparing opens both, which waits forever for a pipe.
    let can_open = |path: &Path| fs::metadata(path).is_ok_and(|about| about.is_file() || about.is_dir());
    let is_same = can_open(one) && can_open(other) && same_file::is_same_file(one, other).unwrap_or(false);
    is_same || key(one) == key(other)
}

/// Returns the canonical path of a file, even if only its folder exists.
fn place(path: &Path) -> PathBuf {
    let named = || Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(named).unwrap_or_else(|| path.to_owned())
}

/// Returns the path that a link leads to, or an unchanged path if it is no link: on Windows, people do not recognize canonical paths.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_owned()),
    }
}

/// Returns a builder whose files get the mode of the user's umask, not the private mode that is usual for temporary files.
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
