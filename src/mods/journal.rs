//! The journal beside a game: the applied mods, the originals of all changed files, and the running transaction.
//!
//! Contents are stored under their hashes. `state.json` refers to those that are needed; `transaction.json` exists only while files of
//! the game are being changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::install::JOURNAL;
use crate::output::{self, PREFIX, printable, sync_folder};
use crate::passes::Sha;

use super::transaction::{Transaction, step};
use super::{Result, at, path, refusal};

/// The schema version of the files of the journal.
pub(super) const SCHEMA: u32 = 1;
const STATE: &str = "state.json";
const TRANSACTION: &str = "transaction.json";
const CONTENTS: &str = "contents";
const LOCK: &str = "lock";

/// A mod that is applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Applied {
    /// The name of its file.
    pub name: String,
    /// The SHA-256 of its text.
    pub sha256: String,
    /// The number of files that it changes.
    pub files: u64,
    /// The name of the file to which it was applied, if it was applied to one file and not to the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
}

impl core::fmt::Display for Applied {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match &self.only {
            Some(file) => write!(f, "{} ({file})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A file that mods have changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Held {
    /// The hash of the original, or `None` if mods added the file.
    pub(super) original: Option<String>,
    /// The hash with all mods, or `None` if one removed the file.
    pub(super) now: Option<String>,
}

/// The state of a game with mods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) schema: u32,
    pub(super) mods: Vec<Applied>,
    pub(super) files: BTreeMap<String, Held>,
    /// Folders that mods have created.
    pub(super) folders: BTreeSet<String>,
}

impl Default for State {
    fn default() -> Self {
        Self { schema: SCHEMA, mods: Vec::new(), files: BTreeMap::new(), folders: BTreeSet::new() }
    }
}

impl State {
    /// Returns the hashes of the contents that the state needs.
    fn needs(&self) -> BTreeSet<&str> {
        let originals = self.files.values().filter_map(|file| file.original.as_deref());
        originals.chain(self.mods.iter().map(|it| it.sha256.as_str())).collect()
    }
}

/// The open journal of a game. No other process can open it meanwhile.
#[derive(Debug)]
pub(super) struct Journal {
    pub(super) root: PathBuf,
    folder: PathBuf,
    pub(super) state: State,
    lock: Option<File>,
    /// `true` if opening it has finished an interrupted transaction.
    pub(super) recovered: bool,
}

impl Journal {
    /// Opens the journal of a folder, and finishes a transaction that was interrupted.
    pub(super) fn open(root: &Path) -> Result<Self> {
        let folder = root.join(JOURNAL);
        let mut journal = Self { root: root.to_owned(), folder, state: State::default(), lock: None, recovered: false };
        if journal.folder.is_dir() {
            journal.lock()?;
            journal.state = journal.load(STATE)?.unwrap_or_default();
            journal.check()?;
            if let Some(transaction) = journal.load::<Transaction>(TRANSACTION)? {
                transaction.check().map_err(at(journal.folder.join(TRANSACTION).display()))?;
                transaction.finish(&mut journal)?;
                journal.recovered = true;
            }
        }
        Ok(journal)
    }

    /// Creates the folder of the journal.
    pub(super) fn create(&mut self) -> Result {
        if self.lock.is_none() {
            step().and_then(|()| fs::create_dir_all(&self.folder)).map_err(at(self.folder.display()))?;
            self.lock()?;
        }
        step().and_then(|()| fs::create_dir_all(self.folder.join(CONTENTS))).map_err(at(self.folder.display()))?;
        sync_folder(&self.folder);
        sync_folder(&self.root);
        Ok(())
    }

    fn lock(&mut self) -> Result {
        let path = self.folder.join(LOCK);
        let lock = locked(&path).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => {
                refusal(self.root.display(), "another bitexact is changing this game; wait for its end")
            }
            _ => refusal(path.display(), error),
        })?;
        self.lock = Some(lock);
        Ok(())
    }

    /// Checks the state, which anyone could have edited.
    fn check(&self) -> Result {
        let path = self.folder.join(STATE);
        let fail = at(path.display());
        if self.state.schema != SCHEMA {
            return Err(fail(format!("expected schema {SCHEMA}, found {}", self.state.schema)));
        }
        let paths = self.state.files.keys().chain(&self.state.folders);
        let hashes = self.state.needs().into_iter().map(is_hash);
        paths.map(|it| path::check(it)).chain(hashes).collect::<core::result::Result<(), String>>().map_err(fail)
    }

    fn load<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let path = self.folder.join(name);
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(at(path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refusal(path.display(), error)),
        }
    }

    fn save(&self, name: &str, value: &impl Serialize) -> Result {
        let path = self.folder.join(name);
        let text = printable::json(value).map_err(at(path.display()))?;
        step().and_then(|()| output::write(&path, text.as_bytes())).map_err(at(path.display()))
    }

    /// Stores contents, and returns their hash.
    pub(super) fn keep(&self, bytes: &[u8]) -> Result<String> {
        let hash = Sha::of(bytes).to_string();
        if self.content(&hash).is_err() {
            let path = self.folder.join(CONTENTS).join(&hash);
            step().and_then(|()| output::write(&path, bytes)).map_err(at(path.display()))?;
        }
        Ok(hash)
    }

    /// Returns stored contents, verified by their hash.
    pub(super) fn content(&self, hash: &str) -> Result<Vec<u8>> {
        let path = self.folder.join(CONTENTS).join(hash);
        let bytes = fs::read(&path).map_err(at(path.display()))?;
        match Sha::of(&bytes) {
            found if found.to_string() == hash => Ok(bytes),
            found => Err(refusal(path.display(), format!("the stored content is damaged: its SHA-256 is {found}"))),
        }
    }

    /// Records a transaction: from here on, it will be finished.
    pub(super) fn begin(&self, transaction: &Transaction) -> Result {
        self.save(TRANSACTION, transaction)
    }

    /// Replaces the state, and ends the transaction.
    pub(super) fn end(&mut self, next: &State) -> Result {
        self.save(STATE, next)?;
        self.state = next.clone();
        let path = self.folder.join(TRANSACTION);
        step().and_then(|()| fs::remove_file(&path)).map_err(at(path.display()))?;
        sync_folder(&self.folder);
        Ok(())
    }

    /// Writes a file of the game, or deletes it.
    pub(super) fn put(&self, path: &str, bytes: Option<&[u8]>) -> io::Result<()> {
        let target = path::on_disk(&self.root, path);
        let folder = output::folder_of(&target);
        step()?;
        match bytes {
            Some(bytes) => {
                fs::create_dir_all(folder)?;
                output::write_from(&self.folder, &target, bytes)?;
                // The names of new folders must be as durable as the file.
                folder.ancestors().skip(1).take_while(|outer| outer.starts_with(&self.root)).for_each(sync_folder);
                Ok(())
            }
            None => {
                fs::remove_file(&target)?;
                sync_folder(folder);
                Ok(())
            }
        }
    }

    /// Deletes what the state does not need; without mods, the whole journal. Leftovers do no harm, so that errors do not count.
    pub(super) fn sweep(&mut self) {
        if self.lock.is_none() || self.folder.join(TRANSACTION).exists() {
            return;
        }
        let needs = self.state.needs();
        let contents = self.folder.join(CONTENTS);
        let inside = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in inside(&contents) {
            if !entry.file_name().to_str().is_some_and(|name| needs.contains(name)) {
                let _ = step().and_then(|()| fs::remove_file(entry.path()));
            }
        }
        for entry in inside(&self.folder) {
            if entry.file_name().to_string_lossy().starts_with(PREFIX) {
                let _ = step().and_then(|()| fs::remove_file(entry.path()));
            }
        }
        if self.state == State::default() && step().is_ok() {
            let _ = fs::remove_file(self.folder.join(STATE));
            let _ = fs::remove_dir(&contents);
            // Windows deletes no open file. On Unix, a process that waits for the lock notices that its file is gone.
            if cfg!(windows) {
                self.lock = None;
            }
            let _ = fs::remove_file(self.folder.join(LOCK));
            let _ = fs::remove_dir(&self.folder);
            self.lock = None;
        }
    }
}

/// Checks that a text is a SHA-256, so that it is a safe name.
pub(super) fn is_hash(text: &str) -> core::result::Result<(), String> {
    match text.len() == 64 && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')) {
        true => Ok(()),
        false => Err(format!("expected a SHA-256, found {text:?}")),
    }
}

/// Creates a file that one process can hold.
#[cfg(unix)]
fn locked(path: &Path) -> io::Result<File> {
    use rustix::fs::{FlockOperation, flock};
    use std::os::unix::fs::MetadataExt as _;
    let lock = File::options().create(true).truncate(false).write(true).open(path)?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    // The process that held it can have deleted it.
    match fs::metadata(path) {
        Ok(about) if about.ino() == lock.metadata()?.ino() => Ok(lock),
        _ => Err(ErrorKind::WouldBlock.into()),
    }
}

#[cfg(windows)]
fn locked(path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// The file is open in another process without sharing (`ERROR_SHARING_VIOLATION`).
    const IN_USE: i32 = 32;
    let lock = File::options().create(true).truncate(false).write(true).share_mode(0).open(path);
    lock.map_err(|error| if error.raw_os_error() == Some(IN_USE) { ErrorKind::WouldBlock.into() } else { error })
}

#[cfg(not(any(unix, windows)))]
fn locked(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(path)
}
