//! A change of several files: all are changed, or none.
//!
//! All new and old contents are stored in the journal before the transaction is recorded. From then on it is carried out, by this
//! process or by the next call. If a step fails, the opposite transaction is recorded and carried out in the same way.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};

use serde::{Deserialize, Serialize};

use crate::edit::Refusal;
use crate::passes::Sha;

use super::journal::{Journal, SCHEMA, State, is_hash};
use super::{Result, path, refusal};

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
    pub(super) fn run(self, journal: &mut Journal) -> Result {
        let old = journal.state.clone();
        journal.begin(&self)?;
        let Err(error) = self.finish(journal) else { return Ok(()) };
        let turn =
            |step: &Step| Step { path: step.path.clone(), before: step.after.clone(), after: step.before.clone() };
        let back = Self::new(self.steps.iter().rev().map(turn).collect(), &self.next, old);
        match journal.begin(&back).and_then(|()| back.finish(journal)) {
            Ok(()) => Err(Refusal { why: format!("{}; no file was changed", error.why), ..error }),
            Err(_) => Err(Refusal {
                why: format!("{}; `bitexact mod list` finishes or restores all files", error.why),
                ..error
            }),
        }
    }

    /// Makes the changes that are not yet made, and ends the transaction.
    pub(super) fn finish(&self, journal: &mut Journal) -> Result {
        self.steps.iter().try_for_each(|it| put(journal, it))?;
        for folder in self.gone.iter().rev() {
            match step().and_then(|()| fs::remove_dir(path::on_disk(&journal.root, folder))) {
                // A folder stays if the user has put files into it.
                Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => {
                    return Err(refusal(folder, error));
                }
                _ => {}
            }
        }
        journal.end(&self.next)
    }
}

/// Makes a step, unless it is already made.
fn put(journal: &Journal, step: &Step) -> Result {
    let found = hash_of(journal, &step.path)?;
    if found == step.after {
        return Ok(());
    }
    // A file that the user has moved away since can be written without a loss.
    if found.is_some() && found != step.before {
        return Err(refusal(
            &step.path,
            "something else has changed the file since; move it away, and call this again",
        ));
    }
    let bytes = step.after.as_ref().map(|hash| journal.content(hash)).transpose()?;
    journal.put(&step.path, bytes.as_deref()).map_err(|error| refusal(&step.path, error))
}

/// Returns the hash of a file of the game, or `None` if it does not exist.
pub(super) fn hash_of(journal: &Journal, path: &str) -> Result<Option<String>> {
    Ok(read(journal, path)?.map(|bytes| Sha::of(&bytes).to_string()))
}

/// Returns a file of the game, or `None` if it does not exist.
pub(super) fn read(journal: &Journal, path: &str) -> Result<Option<Vec<u8>>> {
    let real = path::locate(&journal.root, path).map_err(|why| refusal(path, why))?;
    match fs::read(path::on_disk(&journal.root, &real)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(refusal(path, error)),
    }
}

/// Is called before each change of the file system. Tests let it fail.
pub(super) fn step() -> io::Result<()> {
    #[cfg(test)]
    super::tests::step()?;
    Ok(())
}
