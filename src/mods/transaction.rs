//! A change of several files: all are changed, or none.
//!
//! The rules, each with what a power failure could do otherwise:
//!
//! * All new and old contents are stored, and durable, before the transaction is recorded: a record is only of use with them.
//! * The record is durable before the first file of the game changes: it names what is changed and how to go on.
//! * Each file is replaced by renaming one whose bytes are durable. A file that has neither its old nor its new bytes is left alone.
//! * The names in all changed folders are durable before the state is replaced: afterward, nobody looks at the files again.
//! * The state is durable before contents that it does not need are removed.
//! * If something fails, the old state is durable again before the first file is restored, and the files are before the record is removed:
//!   so a record beside the old state means that files can be anything between, and one beside the new state that all are new.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};

use serde::{Deserialize, Serialize};

use super::disk::{Disk, What};
use super::journal::{Journal, Recovered, is_hash};
use super::state::{SCHEMA, State};
use super::{Refusal, Result, path, placed, read_only, refusal};

/// Files that are changed together.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Transaction {
    schema: u32,
    steps: Vec<Step>,
    /// The state afterward.
    next: State,
    /// The folders that mods have created and that are no longer needed.
    gone: BTreeSet<String>,
}

/// A file with the hashes of its contents before and after the transaction, or `None` if it does not exist.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) path: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Step {
    /// Returns the hash of the file, or `None` if it does not exist, and whether a browser has only begun it: where this step of one adds or
    /// removes a file, an empty file is none.
    fn found<D: Disk>(&self, journal: &Journal<D>) -> Result<(Option<String>, bool)> {
        let found = hash_at(journal, &self.path)?;
        let is_known = found == self.before || found == self.after;
        if is_known || found.is_none() || self.before.is_some() && self.after.is_some() {
            return Ok((found, false));
        }
        let is_begun = || Ok(journal.is_of_browser()? && journal.is_empty(&self.path)?);
        match is_begun().map_err(|error: io::Error| refusal(&self.path, error))? {
            true => Ok((None, true)),
            false => Ok((found, false)),
        }
    }
}

impl Transaction {
    /// Creates a transaction that leads from one state to the next.
    pub(super) fn new(steps: Vec<Step>, old: &State, next: State) -> Self {
        let gone = old.folders.difference(&next.folders).cloned().collect();
        Self { schema: SCHEMA, steps, next, gone }
    }

    /// Checks a recorded transaction, which anyone could have edited.
    pub(super) fn check(&self) -> core::result::Result<(), String> {
        if self.schema != SCHEMA {
            return Err(format!("expected schema {SCHEMA}, found {}", self.schema));
        }
        self.gone.iter().try_for_each(|folder| path::check(folder))?;
        self.steps.iter().try_for_each(|step| {
            path::check(&step.path)?;
            [&step.before, &step.after].into_iter().flatten().try_for_each(|hash| is_hash(hash))
        })
    }

    /// Makes all changes, or none.
    pub(super) fn run<D: Disk>(self, journal: &mut Journal<D>) -> Result {
        let old = journal.state.clone();
        let Err(error) = journal.begin(&self).and_then(|()| self.finish(journal)) else { return Ok(()) };
        match self.restore(journal, &old) {
            Ok(()) => Err(Refusal { why: format!("{}; no file was changed", error.why), ..error }),
            Err(_) => {
                let game = journal.root.display();
                let why = format!("{}; `bitexact mod finish {game}` finishes or restores all files", error.why);
                Err(Refusal { why, ..error })
            }
        }
    }

    /// Ends a transaction that was interrupted: makes the changes that are left, or restores the files if that is impossible.
    pub(super) fn recover<D: Disk>(self, journal: &mut Journal<D>) -> Result<Recovered> {
        // What was found may not be durable yet: neither the record, which must be before a file changes, nor the state.
        journal.sync()?;
        // All files are changed, and may have been changed again since.
        if journal.state == self.next {
            journal.sweep();
            return journal.end().map(|()| Recovered::Finished);
        }
        let old = journal.state.clone();
        self.will_read(journal, |step| step.after.as_deref());
        let possible = self.steps.iter().try_for_each(|step| is_possible(journal, step));
        let Err(error) = possible.and_then(|()| self.finish(journal)) else { return Ok(Recovered::Finished) };
        match self.restore(journal, &old) {
            Ok(()) => Ok(Recovered::Restored),
            Err(_) => Err(error),
        }
    }

    /// Announces that the files will be read, and their stored contents on one side.
    fn will_read<D: Disk>(&self, journal: &Journal<D>, side: impl Fn(&Step) -> Option<&str>) {
        journal.disk.will_read(self.steps.iter().map(|step| step.path.clone()));
        journal.will_read(self.steps.iter().filter_map(side));
    }

    /// Makes the changes that are not yet made, and ends the transaction.
    fn finish<D: Disk>(&self, journal: &mut Journal<D>) -> Result {
        let mut folders = Folders::default();
        for step in &self.steps {
            let (found, is_begun) = step.found(journal)?;
            // A file that the user has moved away since can be written without a loss.
            if found.is_some() && found != step.before && found != step.after {
                return Err(refusal(&step.path, CHANGED_SINCE));
            }
            if found != step.after || is_begun && step.after.is_none() {
                put(journal, &step.path, step.after.as_deref())?;
            }
            folders.changed(&step.path);
        }
        remove_folders(journal, &self.gone, &mut folders)?;
        folders.sync(journal)?;
        journal.replace(&self.next)?;
        // From here on, the change is made. The next call removes what is left.
        journal.sweep();
        let _ = journal.end();
        Ok(())
    }

    /// Restores the files that the transaction has changed, and ends it. A file that something else has changed is left alone.
    fn restore<D: Disk>(&self, journal: &mut Journal<D>, old: &State) -> Result {
        if !journal.has_stored(old) {
            journal.replace(old)?;
        }
        journal.state = old.clone();
        self.will_read(journal, |step| step.before.as_deref());
        let mut folders = Folders::default();
        for step in self.steps.iter().rev() {
            let (found, is_begun) = step.found(journal)?;
            let is_ours = found == step.after || found.is_none();
            if is_ours && found != step.before || is_begun && step.before.is_none() {
                put(journal, &step.path, step.before.as_deref())?;
            }
            folders.changed(&step.path);
        }
        remove_folders(journal, &self.next.folders.difference(&old.folders).cloned().collect(), &mut folders)?;
        folders.sync(journal)?;
        journal.end()?;
        journal.sweep();
        Ok(())
    }
}

pub(super) const CHANGED_SINCE: &str = "something else has changed the file since; call this again";

/// Checks that a step is made, or can be.
fn is_possible<D: Disk>(journal: &Journal<D>, step: &Step) -> Result {
    let (found, _) = step.found(journal)?;
    match &step.after {
        _ if found == step.after => Ok(()),
        _ if found.is_some() && found != step.before => Err(refusal(&step.path, CHANGED_SINCE)),
        Some(hash) => journal.verify(hash),
        None => Ok(()),
    }
}

/// The folders with names that have changed.
#[derive(Default)]
struct Folders(BTreeSet<String>);

impl Folders {
    /// Notes that the names on the way to a path have changed, perhaps by the call that was interrupted.
    fn changed(&mut self, path: &str) {
        for folder in path::folders_of(path).rev().chain([""]) {
            if !self.0.insert(folder.to_owned()) {
                break;
            }
        }
    }

    /// Makes the names durable.
    fn sync<D: Disk>(&self, journal: &Journal<D>) -> Result {
        for folder in &self.0 {
            match journal.disk.what(folder).map_err(|error| refusal(folder, error))? {
                What::Nothing => {}
                _ => journal.disk.sync(folder).map_err(|error| refusal(folder, error))?,
            }
        }
        Ok(())
    }
}

/// Writes a file of the game, or removes it.
fn put<D: Disk>(journal: &Journal<D>, path: &str, hash: Option<&str>) -> Result {
    let failed = |error| refusal(path, error);
    let Some(hash) = hash else { return journal.disk.remove(path).map_err(failed) };
    let like = match journal.disk.what(path).map_err(failed)? {
        What::File { is_read_only: true } => return Err(read_only(path)),
        What::File { .. } => Some(path),
        _ => None,
    };
    // A damaged content is noticed before anything changes.
    let contents = journal.stored(hash)?;
    journal.stage(&mut |to| journal.write(&contents, to), like).map_err(placed(failed))?;
    for folder in path::folders_of(path) {
        if journal.disk.what(folder).map_err(failed)? == What::Nothing {
            journal.disk.create_folder(folder).map_err(failed)?;
        }
    }
    journal.place(path).map_err(failed)
}

/// Removes folders that are empty.
fn remove_folders<D: Disk>(journal: &Journal<D>, gone: &BTreeSet<String>, folders: &mut Folders) -> Result {
    for folder in gone.iter().rev() {
        match journal.disk.remove_folder(folder) {
            // A folder stays if the user has put files into it.
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => {
                return Err(refusal(folder, error));
            }
            _ => folders.changed(folder),
        }
    }
    Ok(())
}

/// Returns the hash of the file at a path that the plan has found, or `None` if it does not exist.
///
/// # Errors
/// Returns an error if something else has the path since, or a link is in the way.
fn hash_at<D: Disk>(journal: &Journal<D>, path: &str) -> Result<Option<String>> {
    for folder in path::folders_of(path) {
        match journal.disk.what(folder).map_err(|error| refusal(folder, error))? {
            What::Folder => {}
            What::Nothing => return Ok(None),
            other => return Err(refusal(folder, format!("expected a folder, found {}; move it away", other.name()))),
        }
    }
    match journal.disk.what(path).map_err(|error| refusal(path, error))? {
        What::File { .. } | What::Nothing => {}
        other => return Err(refusal(path, format!("expected a file, found {}; move it away", other.name()))),
    }
    let found = journal.file(path).map_err(|error| refusal(path, error))?;
    Ok(found.map(|found| found.sha256))
}
