//! What a transaction needs of a file system, and the real one.
//!
//! Paths are relative to the folder of the game, with `/` between their parts. No operation follows a link.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::path::on_disk;
use crate::output::{self, create_like};

/// What has a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Nothing,
    File {
        is_read_only: bool,
    },
    Folder,
    Link,
    /// A pipe, a device, a socket.
    Other,
}

impl What {
    /// Returns `true` for a regular file.
    pub(super) fn is_file(self) -> bool {
        matches!(self, Self::File { .. })
    }

    /// Returns the word for it in a message.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::File { .. } => "a file",
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Other => "something else",
        }
    }
}

/// The file operations of a transaction. Tests drive the same code over a file system in memory that crashes.
///
/// A name that was created, renamed or removed is durable after [`sync`](Self::sync) of its folder, the bytes of a file after that of
/// the file: until then, a power failure can undo each of them alone, in any order.
pub(super) trait Disk {
    /// Is held by one process at a time.
    type Lock: core::fmt::Debug;

    /// Returns what has a path.
    fn what(&self, path: &str) -> io::Result<What>;
    /// Returns the path that a link leads to, or `None` if that is not inside the game.
    fn resolve(&self, link: &str) -> io::Result<Option<String>>;
    /// Returns the names in a folder.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;
    /// Returns the bytes of a regular file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// Creates a file that does not exist, with the mode and the owner of the file `like`.
    fn create(&self, path: &str, bytes: &[u8], like: Option<&str>) -> io::Result<()>;
    /// Gives a file a new path, and replaces the file that has it.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// Creates a folder.
    fn create_folder(&self, path: &str) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &str) -> io::Result<()>;
    /// Makes the bytes of a file durable, or the names in a folder.
    fn sync(&self, path: &str) -> io::Result<()>;
    /// Locks a file: for one process, which creates it if it does not exist, or for any number of them that only read. Returns `None` if
    /// it does not exist, or was removed meanwhile.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WouldBlock`] if another process holds it.
    fn lock(&self, path: &str, for_one: bool) -> io::Result<Option<Self::Lock>>;
}

/// The files below a folder.
#[derive(Debug)]
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    fn at(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.0.clone() } else { on_disk(&self.0, path) }
    }
}

impl Disk for Folder {
    type Lock = File;

    fn what(&self, path: &str) -> io::Result<What> {
        match fs::symlink_metadata(self.at(path)) {
            Ok(about) if about.is_symlink() => Ok(What::Link),
            Ok(about) if about.is_dir() => Ok(What::Folder),
            Ok(about) if about.is_file() => Ok(What::File { is_read_only: about.permissions().readonly() }),
            Ok(_) => Ok(What::Other),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(What::Nothing),
            Err(error) => Err(error),
        }
    }

    fn resolve(&self, link: &str) -> io::Result<Option<String>> {
        let (root, real) = (fs::canonicalize(&self.0)?, fs::canonicalize(self.at(link))?);
        let Ok(inner) = real.strip_prefix(&root) else { return Ok(None) };
        let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
        Ok(parts.map(|parts| parts.join("/")))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let names = fs::read_dir(self.at(folder))?;
        // A mod is text, so it names no file whose name is not.
        names.filter_map(|entry| entry.map(|entry| entry.file_name().into_string().ok()).transpose()).collect()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read(&self.at(path))
    }

    fn create(&self, path: &str, bytes: &[u8], like: Option<&str>) -> io::Result<()> {
        step()?;
        create_like(&self.at(path), bytes, like.and_then(|like| fs::metadata(self.at(like)).ok()).as_ref())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        let [from, to] = [from, to].map(|path| self.at(path));
        match fs::rename(&from, &to) {
            // A part of the folder can be on a different file system.
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                output::write(&to, &read(&from)?)?;
                fs::remove_file(&from)
            }
            done => done,
        }
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        step()?;
        fs::remove_file(self.at(path))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        step()?;
        fs::create_dir(self.at(path))
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        step()?;
        fs::remove_dir(self.at(path))
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        step()?;
        let path = self.at(path);
        match path.is_dir() {
            // Windows opens no folder, and makes names durable without it.
            true if cfg!(not(unix)) => Ok(()),
            true => File::open(path)?.sync_all(),
            false => File::options().write(true).open(path)?.sync_all(),
        }
    }

    fn lock(&self, path: &str, for_one: bool) -> io::Result<Option<File>> {
        match locked(&self.at(path), for_one) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            locked => locked,
        }
    }
}

/// Reads a regular file; a pipe would wait forever.
#[cfg(unix)]
fn read(path: &Path) -> io::Result<Vec<u8>> {
    use rustix::fs::{Mode, OFlags, open};
    use std::io::Read as _;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(open(path, flags, Mode::empty())?);
    let mut bytes = Vec::new();
    is_regular(&file)?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(not(unix))]
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::symlink_metadata(path)?.is_file() {
        true => fs::read(path),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "expected a file, found something else")),
    }
}

#[cfg(unix)]
fn is_regular(file: &File) -> io::Result<()> {
    match file.metadata()?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "expected a file, found something else")),
    }
}

/// Opens a file that one process can hold.
#[cfg(unix)]
fn locked(path: &Path, for_one: bool) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
    use std::os::unix::fs::MetadataExt as _;
    // Readers need no right to write.
    let (how, operation) = match for_one {
        true => (OFlags::RDWR | OFlags::CREATE, FlockOperation::NonBlockingLockExclusive),
        false => (OFlags::RDONLY, FlockOperation::NonBlockingLockShared),
    };
    let flags = how | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let lock = File::from(open(path, flags, Mode::from_raw_mode(0o666))?);
    is_regular(&lock)?;
    flock(&lock, operation)?;
    // The process that held it can have removed it, and another one created the next.
    match fs::symlink_metadata(path) {
        Ok(about) if (about.dev(), about.ino()) == (lock.metadata()?.dev(), lock.metadata()?.ino()) => Ok(Some(lock)),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(None),
    }
}

#[cfg(windows)]
fn locked(path: &Path, for_one: bool) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// The file is open in another process without sharing (`ERROR_SHARING_VIOLATION`).
    const IN_USE: i32 = 32;
    /// Others may read too (`FILE_SHARE_READ`).
    const READERS: u32 = 1;
    let mode = if for_one { 0 } else { READERS };
    let lock = File::options().create(for_one).truncate(false).read(true).write(for_one).share_mode(mode).open(path);
    let is_in_use = |error: &io::Error| error.raw_os_error() == Some(IN_USE);
    lock.map(Some).map_err(|error| if is_in_use(&error) { ErrorKind::WouldBlock.into() } else { error })
}

#[cfg(not(any(unix, windows)))]
fn locked(path: &Path, for_one: bool) -> io::Result<Option<File>> {
    File::options().create(for_one).truncate(false).read(true).write(for_one).open(path).map(Some)
}

/// Is called before each change of the file system. Tests let it fail.
fn step() -> io::Result<()> {
    #[cfg(test)]
    super::tests::step()?;
    Ok(())
}
