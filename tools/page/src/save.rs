//! Changes of the files in the folder of a game, with the journal that undoes them, as the program makes them.

use std::path::Path;

use bitexact::field::Value;
use bitexact::mods::{Game, Operation, Plan, Recovered, Remote, Replacement};
use bitexact::passes::Sha;
use bytes::Bytes;

use crate::open::Done;

/// The name that the edits of the page have in the list of mods.
const NAME: &str = "page";

/// A folder that a browser reads and writes, and what is to be done in it: files to be saved, or mods to be applied. Without any of them,
/// the last change is undone.
pub struct Saving {
    remote: Remote,
    files: Vec<Replacement>,
    mods: Vec<(String, Vec<u8>)>,
    operations: Vec<Operation>,
}

/// What a call has done.
enum Made {
    /// It has only ended an earlier change that was interrupted: the files can be others now, so that the call has to be made again.
    Recovered(Recovered),
    /// What was asked for, by its name.
    Asked(String, Plan),
}

impl Saving {
    /// Begins at this number of seconds since 1970.
    #[must_use]
    pub fn new(now: u64) -> Self {
        Self { remote: Remote::new(now), files: Vec::new(), mods: Vec::new(), operations: Vec::new() }
    }

    /// Tells that there is a folder, or a file with its bytes if they were read.
    pub fn has(&mut self, path: &str, is_folder: bool, bytes: Option<Bytes>) {
        match is_folder {
            true => self.remote.has_folder(path),
            false => self.remote.has_file(path, bytes),
        }
    }

    /// Adds a file to be saved: its path in the game, the file that was edited, and the result.
    ///
    /// # Errors
    /// Returns an error if the path leads out of the game.
    pub fn add(&mut self, path: &str, old: &[u8], new: Bytes) -> Done<()> {
        let file = Replacement::new(path, Some(Sha::of(old)), new).map_err(|why| why.to_string())?;
        self.files.push(file);
        Ok(())
    }

    /// Adds a mod to be applied, by its name and its text.
    pub fn add_mod(&mut self, name: &str, text: Vec<u8>) {
        self.mods.push((name.to_owned(), text));
    }

    /// Returns the files whose bytes are needed, or else the operations to make, in this order. If these only end an earlier change, the
    /// call has to be made again after them.
    ///
    /// # Errors
    /// Returns an error if the change cannot be made. There is nothing to do then.
    pub fn run(&mut self, folder: &str) -> Done<Value> {
        let done = self.done(folder);
        let lacks = self.remote.lacks();
        if !lacks.is_empty() {
            return Ok(Value::from([("lacks", lacks.iter().map(String::as_str).collect())]));
        }
        let (recovered, name, plan) = match done.map_err(|why| why.to_string())? {
            Made::Recovered(Recovered::Finished) => ("finished", String::new(), Plan::default()),
            Made::Recovered(_) => ("taken back", String::new(), Plan::default()),
            Made::Asked(_, plan) if !plan.findings.is_empty() => return Err(plan.findings.join("; ")),
            Made::Asked(name, plan) => ("", name, plan),
        };
        self.operations = self.remote.operations();
        let told = self.operations.iter().map(|it| -> Value {
            let (what, path) = match it {
                Operation::Write(path, _) => ("write", path),
                Operation::Remove(path) | Operation::RemoveFolder(path) => ("remove", path),
                Operation::CreateFolder(path) => ("create", path),
            };
            [what, path.as_str()].into_iter().collect()
        });
        let files = plan.files.iter().map(|it| it.path.as_str());
        Ok(Value::from([
            ("operations", told.collect()),
            ("name", name.into()),
            ("files", files.collect()),
            ("recovered", recovered.into()),
        ]))
    }

    fn done(&self, folder: &str) -> bitexact::mods::Result<Made> {
        let mut game = Game::remote(Path::new(folder), &self.remote)?;
        if let Some(recovered) = game.recovered() {
            return Ok(Made::Recovered(recovered));
        }
        let (name, plan) = if !self.files.is_empty() {
            let (name, plan) = game.replace(NAME, &self.files)?;
            (name.unwrap_or_default(), plan)
        } else if !self.mods.is_empty() {
            let mods = self.mods.iter().map(|(name, text)| game.read(name, text)).collect::<Result<Vec<_>, _>>()?;
            let names: Vec<&str> = self.mods.iter().map(|(name, _)| name.as_str()).collect();
            (names.join(", "), game.apply(&mods)?)
        } else {
            let (applied, plan) = game.undo(None)?;
            (applied.to_string(), plan)
        };
        Ok(Made::Asked(name, plan))
    }

    /// Returns the bytes that the operation with this index writes.
    #[must_use]
    pub fn bytes(&self, nth: usize) -> Option<Bytes> {
        match self.operations.get(nth) {
            Some(Operation::Write(_, bytes)) => Some(bytes.clone()),
            _ => None,
        }
    }
}
