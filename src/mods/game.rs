//! A game that mods are applied to.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::disk::Folder;
use super::journal::{Journal, Recovered};
use super::path::Locator;
use super::remote::{Files, Remote};
use super::state::called;
use super::transaction::Transaction;
use super::{About, Applied, ModFile, Plan, Result, at, refusal};
use output::folder_of;

/// A folder with a game, or one file of it. No other process can change it meanwhile.
#[derive(Debug)]
pub struct Game {
    pub(super) journal: Journal,
    /// The name of the file, if mods are applied to one file.
    single: Option<String>,
}

/// A mod with the name of its file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Named {
    /// The name.
    pub name: String,
    /// The mod, with the paths as the game spells them.
    pub(super) file: ModFile,
    /// The SHA-256 of its text.
    pub(super) sha256: String,
    pub(super) only: Option<String>,
}

impl Named {
    /// Returns what the mod says about itself.
    #[must_use]
    pub const fn about(&self) -> &About {
        &self.file.about
    }
}

impl Game {
    /// Opens a folder or a file to read its mods. Nothing is created or removed.
    ///
    /// # Errors
    /// Returns an error if it does not exist, or if its journal is damaged or another process is changing it.
    pub fn open(path: &Path) -> Result<Self> {
        Self::of(path, Journal::open)
    }

    /// Opens a folder or a file to change it, and finishes a transaction that was interrupted.
    ///
    /// # Errors
    /// Returns an error if it does not exist, if its journal is in use or damaged, or if the transaction cannot be finished.
    pub fn lock(path: &Path) -> Result<Self> {
        Self::of(path, Journal::lock)
    }

    /// Opens the folder of a game whose files something else reads and writes, to change it. Messages call the folder `name`.
    ///
    /// # Errors
    /// Returns an error as [`lock`](Self::lock) does, or if [bytes are lacking](Remote::lacks).
    pub fn remote(name: &Path, files: &Remote) -> Result<Self> {
        Ok(Self { journal: Journal::lock(Files::There(files.clone()), name.to_owned())?, single: None })
    }

    fn of(path: &Path, open: impl FnOnce(Files, std::path::PathBuf) -> Result<Journal>) -> Result<Self> {
        let about = std::fs::metadata(path).map_err(at(path.display()))?;
        let (root, single) = match about.is_dir() {
            true => (path, None),
            false => (folder_of(path), Some(path.file_name().unwrap_or_default().to_string_lossy().into_owned())),
        };
        Ok(Self { journal: open(Files::Here(Folder(root.to_owned())), root.to_owned())?, single })
    }

    /// Returns what opening it has done about a transaction that was interrupted, if there was one.
    #[must_use]
    pub fn recovered(&self) -> Option<Recovered> {
        self.journal.recovered
    }

    /// Returns `true` if a transaction was interrupted, so that the files of the game can be anything between. [`Game::lock`] finishes
    /// it.
    ///
    /// # Errors
    /// Returns an error if the transaction is damaged.
    pub fn is_interrupted(&self) -> Result<bool> {
        Ok(self.journal.transaction()?.is_some())
    }

    /// Returns what something has removed from the journal, in words: without it, mods cannot be undone.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be read.
    pub fn lost(&self) -> Result<Vec<String>> {
        self.journal.lost()
    }

    /// Returns the applied mods, the first one first. For one file, these are the mods that were applied to it alone.
    pub fn applied(&self) -> impl Iterator<Item = &Applied> {
        self.journal.state.mods.iter().filter(|it| self.single.is_none() || it.only == self.single)
    }

    /// Reads a mod for this game.
    ///
    /// # Errors
    /// Returns an error if the text is not a mod, or if it is for several files and the game is one file.
    pub fn read(&self, name: &str, text: &[u8]) -> Result<Named> {
        let mut file = ModFile::read(name, text)?;
        if let Some(single) = &self.single {
            let [edit] = file.files.as_mut_slice() else {
                return Err(refusal(name, "changes several files; name the folder of the game, not one file"));
            };
            edit.path.clone_from(single);
        }
        let locator = Locator::new(&self.journal.disk);
        let spelled = self.spelling(&locator);
        for edit in &mut file.files {
            edit.path = spelled(&edit.path).map_err(|why| refusal(format!("{name}: {}", edit.path), why))?;
        }
        let sha256 = file.sha256().map_err(at(name))?;
        Ok(Named { name: name.to_owned(), file, sha256, only: self.single.clone() })
    }

    /// Returns what finds the path of a file as the journal spells it, or else the game.
    pub(super) fn spelling<'g>(
        &'g self,
        locator: &'g Locator<'g, Files>,
    ) -> impl Fn(&str) -> core::result::Result<String, String> {
        let known: HashMap<String, &String> =
            self.journal.state.files.keys().map(|path| (path.to_lowercase(), path)).collect();
        move |path| {
            let found = locator.locate(path)?;
            Ok(known.get(&found.to_lowercase()).map_or(found, |known| (*known).clone()))
        }
    }

    /// Checks that mods can be applied one after the other, without writing anything.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn plan(&self, mods: &[Named]) -> Result<Plan> {
        self.planned(mods, &|_| Ok(()))
    }

    /// Applies mods one after the other. If the plan has findings, nothing is changed.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written. No file is then changed, or the next call finishes or restores all.
    pub fn apply(&mut self, mods: &[Named]) -> Result<Plan> {
        let plan = self.planned(mods, &|contents| self.journal.keep(contents))?;
        for named in mods {
            self.journal.keep_by(&named.sha256, &mut |to| named.file.write(to).map_err(io::Error::other))?;
        }
        self.run(plan)
    }

    /// Undoes a mod, given by its name, its name without extension, or the beginning of its hash; without one, the last that was
    /// applied. The other mods are applied again.
    ///
    /// # Errors
    /// Returns an error if no such mod is applied, if another one depends on it, or if a file was changed by something else. The plan has
    /// findings, and nothing is changed, if a KEY cannot follow.
    pub fn undo(&mut self, which: Option<&str>) -> Result<(Applied, Plan)> {
        let shown = self.shown();
        let applied: Vec<&Applied> = self.applied().collect();
        let names = || applied.iter().map(|it| it.to_string()).collect::<Vec<_>>().join(", ");
        let fitting = which.map_or_else(|| applied.clone(), |which| called(&applied, which, cfg!(windows)));
        let found = match (fitting.as_slice(), which) {
            ([.., last], None) => (*last).clone(),
            ([one], _) => (*one).clone(),
            (_, None) => return Err(refusal(shown, "no mod is applied")),
            ([], _) if applied.is_empty() => return Err(refusal(shown, "no mod is applied")),
            ([], Some(which)) => {
                return Err(refusal(shown, format!("no mod {which} is applied; applied: {}", names())));
            }
            (_, Some(which)) => {
                let why = format!("several mods are called {which}: {}; name the file, or a hash", names());
                return Err(refusal(shown, why));
            }
        };
        let plan = self.without(&found)?;
        self.run(plan).map(|plan| (found, plan))
    }

    /// Returns the path of the game for messages.
    fn shown(&self) -> String {
        let root = &self.journal.root;
        self.single.as_ref().map_or(root.clone(), |name| root.join(name)).display().to_string()
    }

    /// Makes the changes of a plan, unless it has findings.
    pub(super) fn run(&mut self, mut plan: Plan) -> Result<Plan> {
        if !plan.findings.is_empty() {
            return Ok(plan);
        }
        let steps = core::mem::take(&mut plan.steps);
        Transaction::new(steps, &self.journal.state, plan.next.clone()).run(&mut self.journal)?;
        Ok(plan)
    }
}
