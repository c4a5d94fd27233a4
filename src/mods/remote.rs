//! A game whose files something else reads and writes, such as a browser that may change a folder.
//!
//! It tells [`Remote`] what there is. A call reads what it needs from there and notes which bytes it lacks: the first file that it cannot
//! read, and all that it has announced by then, so that the number of calls does not grow with the number of files. Once it lacks none, the
//! operations that it would have made are there in their order, and making them one by one is the same as the call on a disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::disk::{Disk, Fill, Folder, What};
use super::path::folders_of;

/// A change of the files, which is made as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Writes a file: all bytes are there before it has its name, in place of the file that had it.
    Write(String, Bytes),
    /// Removes a file.
    Remove(String),
    /// Creates a folder.
    CreateFolder(String),
    /// Removes an empty folder.
    RemoveFolder(String),
}

/// The files below the folder of a game. Paths are relative to it, with `/` between their parts.
#[derive(Clone, Debug, Default)]
pub struct Remote(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    /// Seconds since 1970.
    now: u64,
    entries: BTreeMap<String, Entry>,
    /// The files that the call has announced.
    expected: BTreeSet<String>,
    lacks: BTreeSet<String>,
    operations: Vec<Operation>,
}

#[derive(Clone, Debug)]
enum Entry {
    Folder,
    /// A file, with its bytes if they were read.
    File(Option<Bytes>),
}

impl Remote {
    /// Begins with an empty folder, at this number of seconds since 1970.
    #[must_use]
    pub fn new(now: u64) -> Self {
        let inner = Inner { now, ..Inner::default() };
        Self(Arc::new(Mutex::new(inner)))
    }

    /// Tells that there is a folder.
    pub fn has_folder(&self, path: &str) {
        self.inner().entries.insert(path.to_owned(), Entry::Folder);
    }

    /// Tells that there is a file, with its bytes if they were read.
    pub fn has_file(&self, path: &str, bytes: Option<Bytes>) {
        self.inner().entries.insert(path.to_owned(), Entry::File(bytes));
    }

    /// Returns the files whose bytes a call lacked. If there are any, the call has failed: tell the bytes to another [`Remote`], and make
    /// the call again.
    #[must_use]
    pub fn lacks(&self) -> Vec<String> {
        self.inner().lacks.iter().cloned().collect()
    }

    /// Returns the operations to make, in this order. After each of them, the next call of any bitexact can finish the change or restore
    /// the files.
    #[must_use]
    pub fn operations(&self) -> Vec<Operation> {
        self.inner().operations.clone()
    }

    /// No code panics while it changes the files.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Returns the names in a folder; that of the game has an empty path.
    fn names<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        self.entries.keys().filter_map(move |path| {
            let rest = path.strip_prefix(folder)?;
            let name = if folder.is_empty() { rest } else { rest.strip_prefix('/')? };
            (!name.is_empty() && !name.contains('/')).then_some(name)
        })
    }

    fn is_file(&self, path: &str) -> bool {
        matches!(self.entries.get(path), Some(Entry::File(_)))
    }

    fn is_unread(&self, path: &str) -> bool {
        matches!(self.entries.get(path), Some(Entry::File(None)))
    }

    /// Notes that the call has failed at a file without bytes. What it does afterward is of no use.
    fn lack(&mut self, path: &str) {
        if self.lacks.is_empty() {
            let expected = core::mem::take(&mut self.expected);
            self.lacks = expected.into_iter().filter(|path| self.is_unread(path)).collect();
            self.lacks.insert(path.to_owned());
        }
    }
}

fn not_found() -> io::Error {
    ErrorKind::NotFound.into()
}

impl Disk for Remote {
    type Lock = ();
    type Reader = Cursor<Bytes>;

    fn what(&self, path: &str) -> io::Result<What> {
        Ok(match self.inner().entries.get(path) {
            _ if path.is_empty() => What::Folder,
            None => What::Nothing,
            Some(Entry::Folder) => What::Folder,
            Some(Entry::File(_)) => What::File { is_read_only: false },
        })
    }

    fn resolve(&self, _: &str) -> io::Result<Option<String>> {
        Ok(None)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        match self.what(folder)? {
            What::Folder => Ok(self.inner().names(folder).map(str::to_owned).collect()),
            _ => Err(not_found()),
        }
    }

    fn will_read(&self, paths: impl IntoIterator<Item = String>) {
        // What names them can ask for the files meanwhile.
        let paths: Vec<String> = paths.into_iter().collect();
        self.inner().expected.extend(paths);
    }

    fn open(&self, path: &str) -> io::Result<(Cursor<Bytes>, u64)> {
        let mut inner = self.inner();
        match inner.entries.get(path) {
            Some(Entry::File(Some(bytes))) => Ok((Cursor::new(bytes.clone()), field::wide(bytes.len()))),
            Some(Entry::File(None)) => {
                inner.lack(path);
                Err(io::Error::other("its bytes have not been read yet"))
            }
            Some(Entry::Folder) => Err(io::Error::new(ErrorKind::InvalidInput, "expected a file, found a folder")),
            None => Err(not_found()),
        }
    }

    fn create(&self, path: &str, fill: Fill<'_>, _: Option<&str>) -> io::Result<()> {
        // What fills it can read from here.
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        let (mut inner, bytes) = (self.inner(), Bytes::from(bytes));
        inner.entries.insert(path.to_owned(), Entry::File(Some(bytes.clone())));
        inner.operations.push(Operation::Write(path.to_owned(), bytes));
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut inner = self.inner();
        let Some(Entry::File(Some(bytes))) = inner.entries.remove(from) else { return Err(not_found()) };
        // A file that was just written gets its name at once.
        match inner.operations.last_mut() {
            Some(Operation::Write(path, _)) if path == from => to.clone_into(path),
            _ => {
                inner.operations.push(Operation::Write(to.to_owned(), bytes.clone()));
                inner.operations.push(Operation::Remove(from.to_owned()));
            }
        }
        inner.entries.insert(to.to_owned(), Entry::File(Some(bytes)));
        Ok(())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let mut inner = self.inner();
        if !inner.is_file(path) {
            return Err(not_found());
        }
        inner.entries.remove(path);
        inner.operations.push(Operation::Remove(path.to_owned()));
        Ok(())
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        let mut inner = self.inner();
        if inner.entries.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        inner.entries.insert(path.to_owned(), Entry::Folder);
        inner.operations.push(Operation::CreateFolder(path.to_owned()));
        Ok(())
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        let mut inner = self.inner();
        if !matches!(inner.entries.get(path), Some(Entry::Folder)) {
            return Err(not_found());
        }
        if inner.names(path).next().is_some() {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        inner.entries.remove(path);
        inner.operations.push(Operation::RemoveFolder(path.to_owned()));
        Ok(())
    }

    fn sync(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn begins_files(&self) -> bool {
        true
    }

    fn now(&self) -> u64 {
        self.inner().now
    }

    /// What makes the operations has to see to it that nothing else does at the same time.
    fn lock(&self, path: &str, for_one: bool) -> io::Result<Option<()>> {
        let folder = folders_of(path).next_back().unwrap_or("");
        let is_file = self.inner().is_file(path);
        let has_folder = self.what(folder)? == What::Folder;
        match (is_file, for_one) {
            (false, true) if !has_folder => Ok(None),
            (false, true) => self.create(path, &mut |_| Ok(()), None).map(Some),
            (false, false) => Ok(None),
            (true, _) => Ok(Some(())),
        }
    }
}

/// Where the files of a game are.
#[derive(Debug)]
pub(super) enum Files {
    Here(Folder),
    There(Remote),
}

macro_rules! on {
    ($files:ident, $it:ident => $call:expr) => {
        match $files {
            Files::Here($it) => $call,
            Files::There($it) => $call,
        }
    };
}

impl Disk for Files {
    type Lock = Option<File>;
    type Reader = Box<dyn Read>;

    fn what(&self, path: &str) -> io::Result<What> {
        on!(self, it => it.what(path))
    }

    fn resolve(&self, link: &str) -> io::Result<Option<String>> {
        on!(self, it => it.resolve(link))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        on!(self, it => it.list(folder))
    }

    fn will_read(&self, paths: impl IntoIterator<Item = String>) {
        on!(self, it => it.will_read(paths));
    }

    fn open(&self, path: &str) -> io::Result<(Box<dyn Read>, u64)> {
        on!(self, it => {
            let (file, size) = it.open(path)?;
            Ok((Box::new(file), size))
        })
    }

    fn create(&self, path: &str, fill: Fill<'_>, like: Option<&str>) -> io::Result<()> {
        on!(self, it => it.create(path, fill, like))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        on!(self, it => it.rename(from, to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        on!(self, it => it.remove(path))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        on!(self, it => it.create_folder(path))
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        on!(self, it => it.remove_folder(path))
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        on!(self, it => it.sync(path))
    }

    fn lock(&self, path: &str, for_one: bool) -> io::Result<Option<Option<File>>> {
        match self {
            Self::Here(it) => it.lock(path, for_one).map(|lock| lock.map(Some)),
            Self::There(it) => it.lock(path, for_one).map(|lock| lock.map(|()| None)),
        }
    }

    fn begins_files(&self) -> bool {
        on!(self, it => it.begins_files())
    }

    fn now(&self) -> u64 {
        on!(self, it => it.now())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::{Game, Replacement, Result};
    use super::*;
    use passes::Sha;

    const FILES: [(&str, &[u8]); 2] = [("zbd/a.zrd", b"one"), ("b.txt", b"two")];
    const EDITED: [&[u8]; 2] = [b"one, edited", b"two, edited"];

    /// Tells what is in a folder, with the bytes of these files.
    fn told(folder: &Path, read: &BTreeSet<String>) -> Remote {
        let remote = Remote::new(1_795_718_033);
        for entry in walkdir::WalkDir::new(folder).min_depth(1).into_iter().map(|entry| entry.expect("readable")) {
            let path = entry.path().strip_prefix(folder).expect("below").to_str().expect("text").replace('\\', "/");
            match entry.file_type().is_dir() {
                true => remote.has_folder(&path),
                false if read.contains(&path) => {
                    remote.has_file(&path, Some(fs::read(entry.path()).expect("readable").into()));
                }
                false => remote.has_file(&path, None),
            }
        }
        remote
    }

    /// Makes a call with only the bytes that it needs. Returns its operations, the files that were read, and how often it was made.
    fn operations(folder: &Path, call: impl Fn(&mut Game) -> Result) -> (Vec<Operation>, BTreeSet<String>, usize) {
        let (mut read, mut rounds) = (BTreeSet::new(), 0);
        loop {
            rounds += 1;
            let remote = told(folder, &read);
            let done = Game::remote(folder, &remote).and_then(|mut game| call(&mut game));
            let lacks = remote.lacks();
            if lacks.is_empty() {
                done.expect("the change is made");
                return (remote.operations(), read, rounds);
            }
            assert!(lacks.iter().all(|path| !read.contains(path)), "bytes are asked for once: {lacks:?}");
            read.extend(lacks);
        }
    }

    fn make(folder: &Path, operations: &[Operation]) {
        for operation in operations {
            match operation {
                Operation::Write(path, bytes) => fs::write(folder.join(path), bytes),
                Operation::Remove(path) => fs::remove_file(folder.join(path)),
                Operation::CreateFolder(path) => fs::create_dir(folder.join(path)),
                Operation::RemoveFolder(path) => fs::remove_dir(folder.join(path)),
            }
            .expect("the operation is made");
        }
    }

    fn game() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("zbd")).expect("a folder");
        FILES.iter().for_each(|(path, bytes)| fs::write(folder.path().join(path), bytes).expect("written"));
        fs::write(folder.path().join("other"), b"not read").expect("written");
        folder
    }

    fn found(folder: &Path) -> Vec<Vec<u8>> {
        FILES.iter().map(|(path, _)| fs::read(folder.join(path)).expect("readable")).collect()
    }

    fn save(game: &mut Game) -> Result {
        let files = FILES.iter().zip(EDITED);
        let files = files.map(|((path, old), new)| Replacement::new(path, Some(Sha::of(old)), new.into()));
        let (name, plan) = game.replace("page", &files.collect::<Result<Vec<_>>>()?)?;
        assert_eq!((name.as_deref(), plan.findings.as_slice()), (Some("page"), [].as_slice()));
        Ok(())
    }

    #[test]
    fn operations_are_a_change_that_the_program_undoes() {
        let folder = game();
        let (made, read, _) = operations(folder.path(), save);
        assert!(!read.contains("other"), "only what is needed is read: {read:?}");
        make(folder.path(), &made);
        assert_eq!(found(folder.path()), EDITED);
        // Once more: the journal is read, and the same edit continued.
        let (again, ..) = operations(folder.path(), |game| {
            let new = Replacement::new("b.txt", None, b"third"[..].into())?;
            game.replace("page", &[new]).map(drop)
        });
        make(folder.path(), &again);
        let mut opened = Game::lock(folder.path()).expect("a game");
        assert_eq!(opened.applied().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["page"]);
        opened.undo(None).expect("undone");
        drop(opened);
        assert_eq!(found(folder.path()), FILES.map(|(_, bytes)| bytes));
        assert!(!folder.path().join(crate::install::JOURNAL).exists(), "no journal without a mod");
    }

    /// Returns all files of a folder but those of the journal, with their bytes.
    fn all_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let all = walkdir::WalkDir::new(folder).min_depth(1).into_iter().map(|entry| entry.expect("readable"));
        let path = |entry: &walkdir::DirEntry| entry.path().strip_prefix(folder).expect("below").to_path_buf();
        let files = all.filter(|it| it.file_type().is_file() && !path(it).starts_with(crate::install::JOURNAL));
        files.map(|it| (path(&it).display().to_string(), fs::read(it.path()).expect("readable"))).collect()
    }

    /// Ends a change after each of its operations, and within each that creates a file: a browser creates it empty first.
    fn ended_anywhere(game: impl Fn() -> tempfile::TempDir, call: impl Fn(&mut Game) -> Result) {
        let (all, old) = (operations(game().path(), &call).0, all_files(game().path()));
        let whole = game();
        make(whole.path(), &all);
        let (new, mut seen) = (all_files(whole.path()), BTreeSet::new());
        for count in 0..=all.len() {
            for is_begun in [false, true] {
                let folder = game();
                make(folder.path(), all.get(..count).expect("some of them"));
                let begun = all.get(count).filter(|_| is_begun);
                if let Some(Operation::Write(path, _)) = begun
                    && !folder.path().join(path).exists()
                {
                    fs::write(folder.path().join(path), b"").expect("begun");
                }
                drop(Game::lock(folder.path()).expect("recovered"));
                let found = all_files(folder.path());
                assert!(found == new || found == old, "after {count} operations, {begun:?}: {found:?}");
                seen.insert(found == new);
                let has_journal = folder.path().join(crate::install::JOURNAL).exists();
                let has_mods = Game::open(folder.path()).expect("readable").applied().count() > 0;
                assert_eq!(has_journal, has_mods, "after {count} operations, {begun:?}: nothing is left over");
            }
        }
        assert_eq!(seen.len(), 2, "old and new were both seen");
    }

    #[test]
    fn after_each_operation_the_program_finishes_or_restores() {
        ended_anywhere(game, save);
        // Its undoing, too.
        let edited = || {
            let folder = game();
            make(folder.path(), &operations(folder.path(), save).0);
            folder
        };
        ended_anywhere(edited, |game| game.undo(None).map(drop));
    }

    #[test]
    fn mod_that_adds_and_removes_files_is_finished_or_restored() {
        let file = |path: &str, old: Option<&'static [u8]>, new: Option<&'static [u8]>| {
            (path.to_owned(), old.map(Bytes::from_static), new.map(Bytes::from_static))
        };
        let files = [
            file("b.txt", Some(b"two"), None),
            file("more/deep/new.txt", None, Some(b"added")),
            file("zbd/a.zrd", Some(b"one"), Some(b"edited")),
        ];
        let text = super::super::make_of(&files).expect("made").file.print().expect("printed");
        let apply = |game: &mut Game| {
            let named = game.read("cool.bxmod", text.as_bytes())?;
            let plan = game.apply(&[named])?;
            assert_eq!(plan.findings, [""; 0]);
            Ok(())
        };
        ended_anywhere(game, apply);
        let applied = || {
            let folder = game();
            make(folder.path(), &operations(folder.path(), apply).0);
            assert!(folder.path().join("more/deep/new.txt").exists() && !folder.path().join("b.txt").exists());
            folder
        };
        ended_anywhere(applied, |game| game.undo(None).map(drop));
    }

    /// Returns how often each call is made for a game with this number of files: a save, another one, a mod, their undoing, and the end of a
    /// save and of an undoing that were interrupted.
    fn rounds(count: usize) -> Vec<usize> {
        let folder = tempfile::tempdir().expect("a folder");
        let names: Vec<String> = (0..count).map(|nth| format!("{nth}.txt")).collect();
        names.iter().for_each(|name| fs::write(folder.path().join(name), name).expect("written"));
        let save = |edit: &'static str| {
            let names = &names;
            move |game: &mut Game| {
                let new = |name: &String| Replacement::new(name, None, format!("{name}{edit}").into());
                game.replace("page", &names.iter().map(new).collect::<Result<Vec<_>>>()?).map(drop)
            }
        };
        let changes = names.iter().map(|name| {
            let text = |edit: &str| Some(Bytes::from(format!("{name}{edit}")));
            (name.clone(), text(" twice"), text(" by a mod"))
        });
        let changes: Vec<_> = changes.collect();
        let text = super::super::make_of(&changes).expect("made").file.print().expect("printed");
        let undo = |game: &mut Game| game.undo(None).map(drop);
        let mut all = Vec::new();
        let mut whole = |call: &dyn Fn(&mut Game) -> Result| {
            let (made, _, rounds) = operations(folder.path(), call);
            make(folder.path(), &made);
            all.push(rounds);
        };
        whole(&save(" once"));
        whole(&save(" twice"));
        whole(&|game| {
            let plan = game.apply(&[game.read("cool.bxmod", text.as_bytes())?])?;
            assert_eq!(plan.findings, [""; 0]);
            Ok(())
        });
        whole(&undo);
        whole(&undo);
        let mut half = |call: &dyn Fn(&mut Game) -> Result| {
            let (made, ..) = operations(folder.path(), call);
            let is_file = |it: &Operation| matches!(it, Operation::Write(path, _) if path == "0.txt");
            let first = made.iter().position(is_file).expect("it changes the file");
            make(folder.path(), made.get(..=first).expect("a part of it"));
            let ended = |game: &mut Game| {
                assert_eq!(game.recovered(), Some(super::super::Recovered::Finished));
                Ok(())
            };
            let (made, _, rounds) = operations(folder.path(), ended);
            make(folder.path(), &made);
            all.push(rounds);
        };
        half(&save(" again"));
        half(&undo);
        names
            .iter()
            .for_each(|name| assert_eq!(fs::read_to_string(folder.path().join(name)).expect("readable"), *name));
        all
    }

    #[test]
    fn number_of_rounds_does_not_grow_with_the_number_of_files() {
        let few = rounds(2);
        assert_eq!(few, rounds(40));
        assert!(few.iter().all(|it| *it <= 5), "{few:?}");
    }

    #[test]
    fn file_that_has_changed_since_is_not_replaced() {
        let folder = game();
        fs::write(folder.path().join("b.txt"), b"by something else").expect("written");
        let (made, ..) = operations(folder.path(), |game| {
            let new = Replacement::new("b.txt", Some(Sha::of(b"two")), b"new"[..].into())?;
            let (_, plan) = game.replace("page", &[new])?;
            assert!(plan.findings.iter().any(|it| it.contains("something else has changed")), "{plan:?}");
            Ok(())
        });
        make(folder.path(), &made);
        assert_eq!(fs::read(folder.path().join("b.txt")).expect("readable"), b"by something else");
    }
}
