//! The journal beside a game: the applied mods, the originals of all changed files, and the running transaction.
//!
//! Contents are stored under their hashes. `state.json` refers to those that are needed, and is there before them and after them;
//! `transaction.json` exists only while files of the game are being changed. Anyone can have made what is there, so nothing is read, written or removed through a link, and nothing is
//! removed except for what has one of these names, or the name of its own hash in `contents`.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::install::JOURNAL;
use output::printable;
use passes::Sha;

use super::contents::Contents;
use super::disk::{Disk, Fill, What, on_disk};
use super::remote::Files;
use super::state::{SCHEMA, State};
use super::transaction::Transaction;
use super::{Reason, Refusal, Result, at, path, placed, refusal};

const STATE: &str = "state.json";
const TRANSACTION: &str = "transaction.json";
const CONTENTS: &str = "contents";
const LOCK: &str = "lock";
/// The file that is being written, until it gets its name.
const STAGED: &str = "staged";
/// The file beside a transaction that a browser makes: it creates each file before it has its bytes, so an empty one can be one without
/// contents. It is there before the record, and until after it.
const BEGUN: &str = "begun";

/// How often a lock is taken that its last holder removes meanwhile.
const ATTEMPTS: u32 = 1000;

const IN_USE: &str = "another bitexact is changing this game; wait for its end";

/// What a call has done about an earlier one that was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recovered {
    /// It has made the changes that were left.
    Finished,
    /// Something has changed the files meanwhile, so it has restored those that were changed.
    Restored,
}

/// The open journal of a game. No other process can open it meanwhile, unless both only read.
#[derive(Debug)]
pub(super) struct Journal<D: Disk = Files> {
    pub(super) disk: D,
    /// The folder of the game, for messages.
    pub(super) root: PathBuf,
    pub(super) state: State,
    lock: Option<D::Lock>,
    /// `true` if it may be changed.
    is_writer: bool,
    pub(super) recovered: Option<Recovered>,
}

impl<D: Disk> Journal<D> {
    /// Opens the journal to read it. Nothing is created or removed.
    pub(super) fn open(disk: D, root: PathBuf) -> Result<Self> {
        let mut journal = Self { disk, root, state: State::default(), lock: None, is_writer: false, recovered: None };
        if journal.exists()? {
            journal.lock = match journal.disk.lock(&within(LOCK), false) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(journal.refused("", IN_USE)),
                lock => lock.map_err(|error| journal.refused(LOCK, error))?,
            };
            journal.load_state()?;
        }
        Ok(journal)
    }

    /// Opens the journal to change the game, and finishes a transaction that was interrupted. It is created if there is none. The state
    /// is read under the lock, so that no process forgets what another one has done.
    pub(super) fn lock(disk: D, root: PathBuf) -> Result<Self> {
        let mut journal = Self { disk, root, state: State::default(), lock: None, is_writer: false, recovered: None };
        journal.lock = Some(journal.acquire()?);
        journal.disk.will_read([STATE, TRANSACTION].map(within));
        journal.load_state()?;
        journal.is_writer = true;
        match journal.transaction()? {
            Some(transaction) => journal.recovered = Some(transaction.recover(&mut journal)?),
            None => journal.sweep(),
        }
        Ok(journal)
    }

    fn acquire(&self) -> Result<D::Lock> {
        for _ in 0..ATTEMPTS {
            if !self.exists()? {
                match self.disk.create_folder(JOURNAL) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(self.refused("", error)),
                    _ => {}
                }
            }
            match self.disk.lock(&within(LOCK), true) {
                Ok(Some(lock)) => return Ok(lock),
                Ok(None) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(self.refused(LOCK, error)),
            }
        }
        Err(refusal(self.root.display(), IN_USE))
    }

    /// Returns `true` if there is a journal.
    ///
    /// # Errors
    /// Returns an error if something else has the name of it or of a part of it, such as a link.
    fn exists(&self) -> Result<bool> {
        if self.what("")? == What::Nothing {
            return Ok(false);
        }
        let parts = [
            ("", false),
            (CONTENTS, false),
            (STATE, true),
            (TRANSACTION, true),
            (LOCK, true),
            (STAGED, true),
            (BEGUN, true),
        ];
        for (name, is_file) in parts {
            let (found, expected) = (self.what(name)?, if is_file { "a file" } else { "a folder" });
            if found != What::Nothing && found.name() != expected {
                let why = format!("expected {expected} of the journal, found {}; move it away", found.name());
                return Err(self.refused(name, why));
            }
        }
        Ok(true)
    }

    /// Returns `true` if there is no state, or an empty one, which a browser has only begun.
    fn has_no_state(&self) -> Result<bool> {
        match self.what(STATE)? {
            What::Nothing => Ok(true),
            What::File { .. } => self.is_empty(&within(STATE)).map_err(|error| self.refused(STATE, error)),
            _ => Ok(false),
        }
    }

    /// Returns `true` if a browser makes the transaction, so that an empty file can be one that it has only begun.
    pub(super) fn is_of_browser(&self) -> io::Result<bool> {
        Ok(self.disk.what(&within(BEGUN))?.is_file())
    }

    /// Returns `true` if a browser has only begun the record of its transaction: it has changed no file of the game.
    fn is_only_begun(&self) -> io::Result<bool> {
        let record = within(TRANSACTION);
        Ok(self.is_of_browser()? && self.disk.what(&record)?.is_file() && self.is_empty(&record)?)
    }

    /// Returns `true` if a file has no bytes.
    pub(super) fn is_empty(&self, path: &str) -> io::Result<bool> {
        self.disk.open(path).map(|(_, size)| size == 0)
    }

    fn what(&self, name: &str) -> Result<What> {
        self.disk.what(&within(name)).map_err(|error| self.refused(name, error))
    }

    /// Creates the error about a file of the journal.
    pub(super) fn refused(&self, name: &str, why: impl Reason) -> Refusal {
        refusal(on_disk(&self.root, &within(name)).display(), why)
    }

    /// Returns the error for a state that does not list a file that a mod changes.
    pub(super) fn unlisted(&self, path: &str, name: &str) -> Refusal {
        let why = format!(
            "is damaged: it does not list {path}, which {name} changes; put an undamaged {STATE} back, or restore the files from {CONTENTS}, \
             which holds their originals"
        );
        self.refused(STATE, why)
    }

    /// Reads the state, which anyone could have edited.
    fn load_state(&mut self) -> Result {
        // Between the check before and the lock, the last holder can have removed all.
        self.exists()?;
        self.has_no_lost_state()?;
        let state = self.stored_state()?;
        let wrong = |why: String| self.refused(STATE, why);
        if state.schema != SCHEMA {
            return Err(wrong(format!("expected schema {SCHEMA}, found {}", state.schema)));
        }
        state.files.keys().chain(&state.folders).try_for_each(|it| path::check(it)).map_err(wrong)?;
        let now = state.files.values().filter_map(|file| file.now.as_deref());
        state.needs().into_iter().chain(now).try_for_each(is_hash).map_err(wrong)?;
        self.state = state;
        Ok(())
    }

    /// Checks that a journal with contents has a state. Without it, the files of the contents are unknown, and the contents would be removed
    /// as unused.
    fn has_no_lost_state(&self) -> Result {
        if !self.has_no_state()? || self.what(CONTENTS)? == What::Nothing {
            return Ok(());
        }
        let contents = self.disk.list(&within(CONTENTS)).map_err(|error| self.refused(CONTENTS, error))?;
        self.will_read(contents.iter().map(String::as_str));
        match contents.iter().filter(|name| is_hash(name).is_ok() && self.verify(name).is_ok()).count() {
            0 => Ok(()),
            count => {
                let why = format!(
                    "is missing or empty, but {CONTENTS} holds {count} stored files, such as the originals of changed files; put {STATE} back, or \
                     move the folder {JOURNAL} away to start again without them"
                );
                Err(self.refused(STATE, why))
            }
        }
    }

    /// Returns which files and mods cannot be undone because something has removed contents from the journal, with the reason.
    pub(super) fn lost(&self) -> Result<Vec<String>> {
        let of_files = self.state.files.iter().flat_map(|(path, held)| held.needs().map(move |hash| (path, hash)));
        let of_mods = self.state.mods.iter().map(|it| (&it.name, it.sha256.as_str()));
        let mut lost = Vec::new();
        for (of, hash) in of_files.chain(of_mods) {
            let name = content(hash);
            if !self.what(&name)?.is_file() {
                lost.push(format!("{of}: {}", self.refused(&name, "is missing, so that it cannot be undone")));
            }
        }
        Ok(lost)
    }

    /// Returns the transaction that was interrupted.
    pub(super) fn transaction(&self) -> Result<Option<Transaction>> {
        if self.is_only_begun().map_err(|error| self.refused(TRANSACTION, error))? {
            return Ok(None);
        }
        let transaction: Option<Transaction> = self.load(TRANSACTION)?;
        if let Some(transaction) = &transaction {
            transaction.check().map_err(|why| self.refused(TRANSACTION, why))?;
        }
        Ok(transaction)
    }

    fn load<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        match self.disk.read(&within(name)) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|error| self.refused(name, error)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.refused(name, error)),
        }
    }

    /// Replaces a file of the journal. Its name is durable after the next sync of its folder.
    fn save(&self, name: &str, fill: Fill<'_>) -> Result {
        let saved = self.stage(fill, None).and_then(|()| self.place(&within(name)));
        saved.map_err(placed(|error| self.refused(name, error)))
    }

    fn save_json(&self, name: &str, value: &impl Serialize) -> Result {
        let text = printable::json(value).map_err(|error| self.refused(name, error))?;
        self.save(name, &mut |to| to.write_all(text.as_bytes()))?;
        self.sync()
    }

    /// Makes the names of the files of the journal durable.
    pub(super) fn sync(&self) -> Result {
        self.disk.sync(JOURNAL).map_err(|error| self.refused("", error))
    }

    /// Writes a file that gets its name by [`place`](Self::place). Its bytes are durable before: otherwise, a power failure could leave the
    /// name with other bytes.
    pub(super) fn stage(&self, fill: Fill<'_>, like: Option<&str>) -> io::Result<()> {
        let staged = within(STAGED);
        if self.disk.what(&staged)? != What::Nothing {
            self.disk.remove(&staged)?;
        }
        let written = self.disk.create(&staged, fill, like).and_then(|()| self.disk.sync(&staged));
        if written.is_err() {
            // What is left does no harm.
            let _ = self.disk.remove(&staged);
        }
        written
    }

    /// Gives the staged file its path in the game.
    pub(super) fn place(&self, path: &str) -> io::Result<()> {
        self.disk.rename(&within(STAGED), path)
    }

    /// Stores contents. They are durable when the transaction is recorded.
    pub(super) fn keep(&self, contents: &Contents) -> Result {
        self.keep_by(&contents.sha256, &mut |to| self.write(contents, to))
    }

    /// Stores contents with this hash, which `fill` writes.
    pub(super) fn keep_by(&self, hash: &str, fill: Fill<'_>) -> Result {
        if self.what(CONTENTS)? == What::Nothing {
            if self.has_no_state()? {
                self.save_json(STATE, &self.state)?;
            }
            self.disk.create_folder(&within(CONTENTS)).map_err(|error| self.refused(CONTENTS, error))?;
        }
        match self.verify(hash) {
            Ok(()) => Ok(()),
            Err(_) => self.save(&content(hash), fill),
        }
    }

    /// Announces that stored contents will be read.
    pub(super) fn will_read<'h>(&self, hashes: impl IntoIterator<Item = &'h str>) {
        self.disk.will_read(hashes.into_iter().map(|hash| within(&content(hash))));
    }

    /// Checks that stored contents have their hash.
    pub(super) fn verify(&self, hash: &str) -> Result {
        let name = content(hash);
        match self.disk.hash(&within(&name)).map_err(|error| self.refused(&name, error))? {
            (found, _) if found.to_string() == hash => Ok(()),
            (found, _) => Err(self.damaged(hash, found)),
        }
    }

    /// Creates the error about stored contents that have another hash.
    pub(super) fn damaged(&self, hash: &str, found: Sha) -> Refusal {
        self.refused(&content(hash), format!("the stored content is damaged: its SHA-256 is {found}"))
    }

    /// Records a transaction: from here on, it will be finished. All contents that it names are durable before.
    pub(super) fn begin(&self, transaction: &Transaction) -> Result {
        if self.what(CONTENTS)? != What::Nothing {
            self.disk.sync(&within(CONTENTS)).map_err(|error| self.refused(CONTENTS, error))?;
        }
        // So must be the names of the folder of contents, and of the journal itself.
        self.sync()?;
        self.disk.sync("").map_err(at(self.root.display()))?;
        if self.disk.begins_files() && self.what(BEGUN)? == What::Nothing {
            let begun = self.disk.create(&within(BEGUN), &mut |_| Ok(()), None);
            begun.map_err(|error| self.refused(BEGUN, error))?;
        }
        self.save_json(TRANSACTION, transaction)
    }

    /// Replaces the state.
    pub(super) fn replace(&mut self, next: &State) -> Result {
        self.save_json(STATE, next)?;
        self.state = next.clone();
        Ok(())
    }

    /// Returns the stored state; a game without mods has none.
    fn stored_state(&self) -> Result<State> {
        if self.has_no_state()? {
            return Ok(State::default());
        }
        Ok(self.load(STATE)?.unwrap_or_default())
    }

    /// Returns `true` if the stored state is this one.
    pub(super) fn has_stored(&self, state: &State) -> bool {
        self.stored_state().is_ok_and(|stored| stored == *state)
    }

    /// Ends the transaction: the next call finds none.
    pub(super) fn end(&self) -> Result {
        if self.what(TRANSACTION)? != What::Nothing {
            self.disk.remove(&within(TRANSACTION)).map_err(|error| self.refused(TRANSACTION, error))?;
        }
        if self.what(BEGUN)? != What::Nothing {
            self.disk.remove(&within(BEGUN)).map_err(|error| self.refused(BEGUN, error))?;
        }
        self.sync()
    }

    /// Removes contents that the state does not need, and the leftover of a file that was being written. What is left does no harm, so
    /// that errors do not count.
    pub(super) fn sweep(&self) {
        let _ = self.swept();
    }

    fn swept(&self) -> io::Result<()> {
        let staged = within(STAGED);
        if self.disk.what(&staged)?.is_file() {
            self.disk.remove(&staged)?;
        }
        if self.is_only_begun()? {
            self.disk.remove(&within(TRANSACTION))?;
        }
        if self.is_of_browser()? && self.disk.what(&within(TRANSACTION))? == What::Nothing {
            self.disk.remove(&within(BEGUN))?;
        }
        if self.disk.what(&within(CONTENTS))? != What::Folder {
            return Ok(());
        }
        let (needs, mut names) = (self.state.needs(), self.disk.list(&within(CONTENTS))?);
        names.retain(|name| is_hash(name).is_ok() && !needs.contains(name.as_str()));
        self.will_read(names.iter().map(String::as_str));
        for name in names {
            // A file that does not have its hash as its name is none that this program has stored, or one that a browser has only begun.
            let is_ours = |name| self.verify(name).is_ok() || self.is_empty(&within(&content(name))).unwrap_or(false);
            if is_ours(&name) {
                self.disk.remove(&within(&content(&name)))?;
            }
        }
        Ok(())
    }

    /// Removes a journal without mods, and what a change that was not made has stored. Other files stay, and the folder with them.
    fn remove(&mut self) -> io::Result<()> {
        if self.disk.what(&within(TRANSACTION))? != What::Nothing && !self.is_only_begun()? {
            return Ok(());
        }
        self.swept()?;
        if self.state != State::default() {
            return Ok(());
        }
        if self.disk.what(&within(CONTENTS))? == What::Folder {
            match self.disk.remove_folder(&within(CONTENTS)) {
                Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => return Err(error),
                _ => {}
            }
        }
        if self.disk.what(&within(STATE))?.is_file() {
            self.disk.remove(&within(STATE))?;
        }
        // Windows removes no open file. On Unix, a process that waits for the lock notices that its file is gone.
        if cfg!(windows) {
            self.lock = None;
        }
        self.disk.remove(&within(LOCK))?;
        self.disk.remove_folder(JOURNAL)
    }
}

impl<D: Disk> Drop for Journal<D> {
    fn drop(&mut self) {
        if self.is_writer {
            // Leftovers do no harm.
            let _ = self.remove();
        }
    }
}

/// Returns the path of a file of the journal; an empty name is its folder.
pub(super) fn within(name: &str) -> String {
    if name.is_empty() { JOURNAL.to_owned() } else { path::inside(JOURNAL, name) }
}

/// Returns the name of stored contents in the journal.
pub(super) fn content(hash: &str) -> String {
    path::inside(CONTENTS, hash)
}

/// Checks that a text is a SHA-256, so that it is a safe name.
pub(super) fn is_hash(text: &str) -> core::result::Result<(), String> {
    match text.len() == 64 && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')) {
        true => Ok(()),
        false => Err(format!("expected a SHA-256, found {text:?}")),
    }
}
