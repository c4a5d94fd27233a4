//! What a transaction needs of a file system, and the real one.
//!
//! Paths are relative to the folder of the game, with `/` between their parts. No operation follows a link.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use field::memory;
use output::{self, create_like};
use passes::Sha;

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

/// Writes the bytes of a file.
pub(super) type Fill<'f> = &'f mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// The file operations of a transaction. Tests drive the same code over a file system in memory that crashes.
///
/// A name that was created, renamed or removed is durable after [`sync`](Self::sync) of its folder, the bytes of a file after that of
/// the file: until then, a power failure can undo each of them alone, in any order.
pub(super) trait Disk {
    /// Is held by one process at a time.
    type Lock: core::fmt::Debug;
    /// Reads a file in pieces.
    type Reader: Read;

    /// Returns what has a path.
    fn what(&self, path: &str) -> io::Result<What>;
    /// Returns the path that a link leads to, or `None` if that is not inside the game.
    fn resolve(&self, link: &str) -> io::Result<Option<String>>;
    /// Returns the names in a folder.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;
    /// Announces files that will be read if they exist, so that a disk that has to fetch them can do so together.
    fn will_read(&self, _: impl IntoIterator<Item = String>) {}
    /// Opens a regular file, and returns its size too.
    fn open(&self, path: &str) -> io::Result<(Self::Reader, u64)>;
    /// Creates a file that does not exist, with the mode and the owner of the file `like`.
    fn create(&self, path: &str, fill: Fill<'_>, like: Option<&str>) -> io::Result<()>;
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

    /// Returns `true` if files are created before they have their bytes, as a browser does.
    fn begins_files(&self) -> bool {
        false
    }

    /// Returns the number of seconds since 1970.
    fn now(&self) -> u64 {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    /// Returns the bytes of a regular file, unless the memory limit forbids it.
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let (file, size) = self.open(path)?;
        memory::read_to_end(file, Some(size))
    }

    /// Returns the hash and the size of a regular file of any size.
    fn hash(&self, path: &str) -> io::Result<(Sha, u64)> {
        Sha::of_all(&mut self.open(path)?.0)
    }
}

/// The files below a folder.
#[derive(Debug)]
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    fn at(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.0.clone() } else { on_disk(&self.0, path) }
    }
}

/// Returns the path of a file on disk.
pub(super) fn on_disk(root: &Path, path: &str) -> PathBuf {
    path.split('/').fold(root.to_owned(), |found, part| found.join(part))
}

impl Disk for Folder {
    type Lock = File;
    type Reader = File;

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

    fn open(&self, path: &str) -> io::Result<(File, u64)> {
        open(&self.at(path))
    }

    fn create(&self, path: &str, fill: Fill<'_>, like: Option<&str>) -> io::Result<()> {
        step()?;
        let like = like.and_then(|like| fs::metadata(self.at(like)).ok());
        let fill = |file: &mut File| {
            let mut to = BufWriter::new(file);
            fill(&mut to)?;
            to.flush()
        };
        create_like(&self.at(path), fill, like.as_ref())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        let [from, to] = [from, to].map(|path| self.at(path));
        match fs::rename(&from, &to) {
            // A part of the folder can be on a different file system.
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                let (mut file, _) = open(&from)?;
                output::write_by(&to, |to| io::copy(&mut file, to))?;
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

/// Opens a regular file; a pipe would wait forever.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<(File, u64)> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(open(path, flags, Mode::empty())?);
    let size = size_of_regular(&file)?;
    Ok((file, size))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<(File, u64)> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(not_regular());
    }
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

/// Returns the size of a regular file.
#[cfg(unix)]
fn size_of_regular(file: &File) -> io::Result<u64> {
    let about = file.metadata()?;
    if about.is_file() { Ok(about.len()) } else { Err(not_regular()) }
}

fn not_regular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "expected a file, found something else")
}

/// Opens a file that one process can hold.
#[cfg(unix)]
fn locked(path: &Path, for_one: bool) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
    // Readers need no right to write.
    let (how, operation) = match for_one {
        true => (OFlags::RDWR | OFlags::CREATE, FlockOperation::NonBlockingLockExclusive),
        false => (OFlags::RDONLY, FlockOperation::NonBlockingLockShared),
    };
    let flags = how | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let lock = File::from(open(path, flags, Mode::from_raw_mode(0o666))?);
    size_of_regular(&lock)?;
    flock(&lock, operation)?;
    // The process that held it can have removed it, and another one created the next.
    match fs::symlink_metadata(path) {
        Ok(about) if is_same(&lock, &about)? => Ok(Some(lock)),
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

/// Opens a file that is about to be replaced. On Unix, another bitexact that is about to replace it waits until it is closed, as far as the
/// file system has locks.
#[cfg(unix)]
pub(super) fn hold(path: &Path) -> io::Result<File> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    /// How often the lock is tried, and the time between.
    const TRIES: (u32, std::time::Duration) = (40, std::time::Duration::from_millis(25));
    for _ in 0..TRIES.0 {
        let file = File::open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) if is_same(&file, &fs::metadata(path)?)? => return Ok(file),
            // The one that held it has replaced it.
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => std::thread::sleep(TRIES.1),
            Err(_) => return Ok(file),
        }
    }
    Err(io::Error::new(ErrorKind::WouldBlock, "another program has locked the file; call this again"))
}

#[cfg(not(unix))]
pub(super) fn hold(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Returns `true` if this is about the open file.
#[cfg(unix)]
fn is_same(file: &File, about: &fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let own = file.metadata()?;
    Ok((about.dev(), about.ino()) == (own.dev(), own.ino()))
}

/// Is called before each change of the file system. Tests let it fail.
fn step() -> io::Result<()> {
    #[cfg(test)]
    super::faults::step()?;
    Ok(())
}
