//! A file system in memory that crashes, and the transactions on it: whatever is lost, the next call finds the old or the new state.
//!
//! `BITEXACT_TEST_CRASHES=100000 cargo test --release --lib -- model --nocapture` runs as many random sequences of calls and faults,
//! `BITEXACT_TEST_CRASH=7` only the one with this number.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::rc::Rc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::at;
use super::contents::Contents;
use super::disk::{Disk, Fill, What};
use super::journal::Journal;
use super::state::{Applied, Held, State};
use super::transaction::{Step, Transaction};
use crate::install::JOURNAL;
use passes::Sha;

/// What has a name: a folder, or the file with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Folder,
    File(usize),
}

type Names = BTreeMap<String, Entry>;

/// A change of names that a power failure can undo.
#[derive(Clone, Debug)]
enum Op {
    Set(String, Entry),
    Remove(String),
    Move(String, String, usize),
}

impl Op {
    /// Returns the names that change.
    fn paths(&self) -> [&str; 2] {
        match self {
            Self::Set(path, _) | Self::Remove(path) => [path, path],
            Self::Move(from, to, _) => [from, to],
        }
    }

    /// Returns `true` if a sync of this folder makes it durable: a file that is renamed into another folder needs one of that.
    fn touches(&self, folder: &str) -> bool {
        let [_, new] = self.paths();
        folder_of(new) == folder
    }

    fn apply(&self, names: &mut Names) {
        match self {
            Self::Set(path, entry) => drop(names.insert(path.clone(), *entry)),
            // What is left in a folder is gone with it.
            Self::Remove(path) => {
                let below = format!("{path}/");
                names.retain(|it, _| it != path && !it.starts_with(&below));
            }
            Self::Move(from, to, file) => {
                if names.get(from) == Some(&Entry::File(*file)) {
                    names.remove(from);
                }
                names.insert(to.clone(), Entry::File(*file));
            }
        }
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn has_below(names: &BTreeSet<String>, folder: &str) -> bool {
    let below = format!("{folder}/");
    names.range(below.clone()..).next().is_some_and(|it| it.starts_with(&below))
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    is_durable: bool,
}

/// What goes wrong at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// It fails, once.
    Error,
    /// It and all later ones fail, as on a full disk or one that was pulled out.
    Errors,
    /// The process is killed: all later operations fail, and what was written can be read.
    Kill,
    /// The power fails: what is not durable is lost, or not, in any order.
    Power,
}

#[derive(Default)]
struct Inner {
    names: Names,
    durable: Names,
    ops: Vec<Op>,
    files: Vec<File>,
    /// The number of operations until something goes wrong.
    fault: Option<(usize, Fault)>,
    /// A class of syncs that does nothing.
    broken: Option<fn(&str) -> bool>,
    changes: usize,
}

struct Model {
    inner: RefCell<Inner>,
    lock: Rc<Cell<bool>>,
}

struct Locked(Rc<Cell<bool>>);

impl core::fmt::Debug for Locked {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Locked")
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Model {
    /// Runs a change, unless something goes wrong. `half` is what an interrupted one leaves.
    fn change(
        &self,
        half: impl FnOnce(&mut Inner),
        whole: impl FnOnce(&mut Inner) -> io::Result<()>,
    ) -> io::Result<()> {
        let inner = &mut *self.inner.borrow_mut();
        inner.changes += 1;
        match &mut inner.fault {
            Some((0, fault)) => {
                if *fault == Fault::Error {
                    inner.fault = None;
                }
                half(inner);
                Err(io::Error::other("injected"))
            }
            Some((left, _)) => {
                *left -= 1;
                whole(inner)
            }
            None => whole(inner),
        }
    }

    /// Loses what is not durable: any part of it, in any order. `draw` returns a number below another one.
    fn crash(&self, draw: &mut dyn FnMut(u64) -> u64) {
        let inner = &mut *self.inner.borrow_mut();
        let mut names = inner.durable.clone();
        // All, none, the first ones, or any.
        let (how, first) = (draw(4), draw(inner.ops.len() as u64 + 1));
        for (nth, op) in inner.ops.iter().enumerate() {
            let stays = match how {
                0 => true,
                1 => false,
                2 => (nth as u64) < first,
                _ => draw(2) == 0,
            };
            if stays {
                op.apply(&mut names);
            }
        }
        let is_reachable = |path: &str| {
            let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
            folders.all(|folder| names.get(folder) == Some(&Entry::Folder))
        };
        inner.names =
            names.iter().filter(|(path, _)| is_reachable(path)).map(|(path, it)| (path.clone(), *it)).collect();
        inner.durable = inner.names.clone();
        inner.ops.clear();
        for file in inner.files.iter_mut().filter(|file| !file.is_durable) {
            let length = file.bytes.len();
            match draw(4) {
                0 => file.bytes.truncate(draw(length as u64 + 1) as usize),
                1 => file.bytes = vec![0; length],
                2 => file.bytes.clear(),
                _ => {}
            }
            file.is_durable = true;
        }
        inner.fault = None;
        self.lock.set(false);
    }

    /// Returns the files and folders of the game, without the journal.
    fn game(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let inner = self.inner.borrow();
        let is_game = |path: &&String| path.split('/').next() != Some(JOURNAL);
        let paths: Vec<&String> = inner.names.keys().filter(is_game).collect();
        let bytes = |path: &String| match inner.names[path] {
            Entry::Folder => None,
            Entry::File(file) => Some(inner.files[file].bytes.clone()),
        };
        paths.into_iter().map(|path| (path.clone(), bytes(path))).collect()
    }

    /// Writes a file as another program would. All that was done before is durable.
    fn write(&self, path: &str, bytes: &[u8]) {
        let inner = &mut *self.inner.borrow_mut();
        let file = inner.files.len();
        inner.files.push(File { bytes: bytes.to_vec(), is_durable: true });
        let folders = path.match_indices('/').map(|(end, _)| (path[..end].to_owned(), Entry::Folder));
        inner.names.extend(folders);
        inner.names.insert(path.to_owned(), Entry::File(file));
        inner.durable = inner.names.clone();
        inner.ops.clear();
    }
}

/// The same file system, for several processes one after the other.
impl Disk for Rc<Model> {
    type Lock = Locked;
    type Reader = io::Cursor<Vec<u8>>;

    fn what(&self, path: &str) -> io::Result<What> {
        Ok(match self.inner.borrow().names.get(path) {
            _ if path.is_empty() => What::Folder,
            None => What::Nothing,
            Some(Entry::Folder) => What::Folder,
            Some(Entry::File(_)) => What::File { is_read_only: false },
        })
    }

    fn resolve(&self, _link: &str) -> io::Result<Option<String>> {
        Ok(None)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let inner = self.inner.borrow();
        let names = inner.names.keys().filter(|path| folder_of(path) == folder);
        Ok(names.map(|path| path.rsplit('/').next().unwrap_or(path).to_owned()).collect())
    }

    fn open(&self, path: &str) -> io::Result<(Self::Reader, u64)> {
        let inner = self.inner.borrow();
        match inner.names.get(path) {
            Some(Entry::File(file)) => {
                let bytes = inner.files[*file].bytes.clone();
                let size = bytes.len() as u64;
                Ok((io::Cursor::new(bytes), size))
            }
            Some(Entry::Folder) => Err(ErrorKind::IsADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn create(&self, path: &str, fill: Fill<'_>, _like: Option<&str>) -> io::Result<()> {
        let mut bytes = Vec::new();
        let filled = fill(&mut bytes);
        let add = |inner: &mut Inner, bytes: &[u8]| {
            let file = Entry::File(inner.files.len());
            inner.files.push(File { bytes: bytes.to_vec(), is_durable: false });
            inner.names.insert(path.to_owned(), file);
            inner.ops.push(Op::Set(path.to_owned(), file));
        };
        let is_free = !self.inner.borrow().names.contains_key(path);
        self.change(
            |inner| {
                if is_free {
                    add(inner, &bytes[..bytes.len() / 2]);
                }
            },
            |inner| match is_free && (folder_of(path).is_empty() || inner.names.contains_key(folder_of(path))) {
                true => {
                    add(inner, &bytes);
                    filled
                }
                false => Err(ErrorKind::AlreadyExists.into()),
            },
        )
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(
            |_| {},
            |inner| match (inner.names.get(from).copied(), inner.names.get(to)) {
                (Some(Entry::File(file)), None | Some(Entry::File(_))) => {
                    let op = Op::Move(from.to_owned(), to.to_owned(), file);
                    op.apply(&mut inner.names);
                    inner.ops.push(op);
                    Ok(())
                }
                _ => Err(ErrorKind::NotFound.into()),
            },
        )
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.change(
            |_| {},
            |inner| match inner.names.remove(path) {
                Some(_) => {
                    inner.ops.push(Op::Remove(path.to_owned()));
                    Ok(())
                }
                None => Err(ErrorKind::NotFound.into()),
            },
        )
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.change(
            |_| {},
            |inner| match inner.names.contains_key(path) {
                true => Err(ErrorKind::AlreadyExists.into()),
                false => {
                    inner.names.insert(path.to_owned(), Entry::Folder);
                    inner.ops.push(Op::Set(path.to_owned(), Entry::Folder));
                    Ok(())
                }
            },
        )
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        self.change(
            |_| {},
            |inner| match inner.names.contains_key(path) {
                false => Err(ErrorKind::NotFound.into()),
                true if inner.names.keys().any(|it| folder_of(it) == path) => Err(ErrorKind::DirectoryNotEmpty.into()),
                true => {
                    inner.names.remove(path);
                    inner.ops.push(Op::Remove(path.to_owned()));
                    Ok(())
                }
            },
        )
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        self.change(
            |_| {},
            |inner| {
                if inner.broken.is_some_and(|is_broken| is_broken(path)) {
                    return Ok(());
                }
                if let Some(Entry::File(file)) = inner.names.get(path) {
                    inner.files[*file].is_durable = true;
                    return Ok(());
                }
                // What happened to a name before is done before.
                let (mut done, mut left, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
                for op in core::mem::take(&mut inner.ops).into_iter().rev() {
                    // A folder of the same name that was removed is another one than that of files created since.
                    let was_around = |it: &str| matches!(op, Op::Remove(_)) && has_below(&names, it);
                    let is_done = op.touches(path) || op.paths().iter().any(|it| names.contains(*it) || was_around(it));
                    if is_done {
                        names.extend(op.paths().map(str::to_owned));
                    }
                    if is_done { &mut done } else { &mut left }.push(op);
                }
                inner.ops = left.into_iter().rev().collect();
                done.iter().rev().for_each(|op| op.apply(&mut inner.durable));
                Ok(())
            },
        )
    }

    fn lock(&self, path: &str, for_one: bool) -> io::Result<Option<Locked>> {
        if self.lock.get() {
            return Err(ErrorKind::WouldBlock.into());
        }
        if !self.inner.borrow().names.contains_key(path) {
            if !for_one {
                return Ok(None);
            }
            self.create(path, &mut |_| Ok(()), None)?;
        }
        self.lock.set(true);
        Ok(Some(Locked(Rc::clone(&self.lock))))
    }
}

/// The files that the calls change.
const PATHS: [&str; 5] = ["a", "b", "d/x", "d/e/y", "f/z"];

/// Plans and runs an edit that gives some files new contents, or removes them. Its text has the hash that each of them had before, and
/// whether no other edit had changed it.
fn edit(journal: &mut Journal<Rc<Model>>, name: u64, changes: &BTreeMap<&str, Option<Vec<u8>>>) -> super::Result {
    let mut next = journal.state.clone();
    let (mut steps, mut text) = (Vec::new(), vec![(name.to_string(), None, false)]);
    for (&path, new) in changes {
        let old = journal.file(path).expect("read");
        let new = new.as_ref().map(|new| Contents::of(new.clone().into()));
        old.iter().chain(&new).try_for_each(|contents| journal.keep(contents))?;
        let [before, after] = [old, new].map(|contents| contents.map(|it| it.sha256));
        text.push((path.to_owned(), before.clone(), !next.files.contains_key(path)));
        let held = next.files.entry(path.to_owned());
        let held = held.or_insert_with(|| Held { original: before.clone(), now: None, edits: Vec::new() });
        held.now.clone_from(&after);
        held.edits.extend(after.clone());
        if after.is_some() {
            next.folders.extend(new_folders(journal, path));
        }
        steps.push(Step { path: path.to_owned(), before, after });
    }
    let text = Contents::of(serde_json::to_vec(&text).expect("JSON").into());
    journal.keep(&text)?;
    next.mods.push(Applied { name: name.to_string(), sha256: text.sha256, files: 1, only: None, date: None });
    next.keep_folders();
    Transaction::new(steps, &journal.state, next).run(journal)
}

/// Returns the folders of a path that do not exist.
fn new_folders(journal: &Journal<Rc<Model>>, path: &str) -> Vec<String> {
    let folders = path.match_indices('/').map(|(end, _)| path[..end].to_owned());
    folders.filter(|folder| journal.disk.what(folder).is_ok_and(|it| it == What::Nothing)).collect()
}

/// Plans and runs the undoing of the last edit.
fn undo(journal: &mut Journal<Rc<Model>>) -> super::Result {
    let mut next = journal.state.clone();
    let Some(gone) = next.mods.pop() else { return Ok(()) };
    let text = journal.bytes(&journal.stored(&gone.sha256)?).map_err(at("the text"))?;
    let text: Vec<(String, Option<String>, bool)> = serde_json::from_slice(&text).expect("JSON");
    let mut steps = Vec::new();
    for (path, after, is_first) in text.into_iter().skip(1) {
        let held = next.files.get_mut(&path).expect("a file that it has changed");
        // As in a plan, the contents before and after are stored.
        if let Some(old) = journal.file(&path).expect("read") {
            journal.keep(&old)?;
        }
        after.as_deref().map_or(Ok(()), |after| journal.verify(after))?;
        steps.push(Step { path: path.clone(), before: held.now.clone(), after: after.clone() });
        if held.now.is_some() {
            held.edits.pop();
        }
        if after.is_some() {
            next.folders.extend(new_folders(journal, &path));
        }
        held.now = after;
        if is_first {
            next.files.remove(&path);
        }
    }
    next.keep_folders();
    Transaction::new(steps, &journal.state, next).run(journal)
}

type Snapshot = (BTreeMap<String, Option<Vec<u8>>>, State);

fn lock(model: &Rc<Model>) -> super::Result<Journal<Rc<Model>>> {
    Journal::lock(Rc::clone(model), PathBuf::from("game"))
}

fn draw(random: &mut ChaCha8Rng, below: u64) -> u64 {
    random.next_u64() % below
}

/// Lets something go wrong at one of the next operations.
fn inject(model: &Model, random: &mut ChaCha8Rng) -> Fault {
    let fault = [Fault::Error, Fault::Errors, Fault::Kill, Fault::Power][draw(random, 4) as usize];
    model.inner.borrow_mut().fault = Some((draw(random, 90) as usize, fault));
    fault
}

/// Ends a process with a fault: what it held is free, and after a power failure, some is lost. Returns `true` if something went wrong.
fn end(model: &Model, fault: Fault, random: &mut ChaCha8Rng) -> bool {
    let happened = !matches!(model.inner.borrow_mut().fault.take(), Some((1.., _)));
    // The power can also fail later.
    if fault == Fault::Power {
        model.crash(&mut |below| draw(random, below));
    }
    model.lock.set(false);
    happened
}

/// Runs a random sequence of calls and faults.
fn sequence(seed: u64, broken: Option<fn(&str) -> bool>, counts: &mut [u32; 3]) -> Result<(), String> {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let model = Rc::new(Model { inner: RefCell::default(), lock: Rc::default() });
    model.inner.borrow_mut().broken = broken;
    for (nth, path) in PATHS.iter().enumerate().filter(|(nth, _)| (seed >> nth) & 1 == 0) {
        model.write(path, &[b'o', nth as u8]);
    }
    let original = model.game();
    let mut now: Snapshot = (original.clone(), State::default());
    let read = |model: &Rc<Model>| -> Result<Snapshot, String> {
        let journal = lock(model).map_err(|why| format!("not recovered: {why}"))?;
        Ok((model.game(), journal.state.clone()))
    };
    for call in 0..2 + draw(random, 5) {
        let is_undo = draw(random, 3) == 0;
        let mut changes = BTreeMap::new();
        for path in PATHS {
            match draw(random, 4) {
                0 => drop(changes.insert(path, None)),
                1 => drop(changes.insert(path, Some(vec![b'n', draw(random, 3) as u8]))),
                _ => {}
            }
        }
        let act = |model: &Rc<Model>| {
            let mut journal = lock(model)?;
            match is_undo {
                true => undo(&mut journal),
                false => edit(&mut journal, call, &changes),
            }
        };
        // The result without a fault is that of a copy.
        let copy = {
            let inner = model.inner.borrow();
            let files = inner.files.iter().map(|it| File { bytes: it.bytes.clone(), is_durable: true }).collect();
            let (names, durable) = (inner.names.clone(), inner.names.clone());
            Rc::new(Model {
                inner: RefCell::new(Inner { names, durable, files, ..Inner::default() }),
                lock: Rc::default(),
            })
        };
        act(&copy).map_err(|why| format!("call {call}, without a fault: {why}: {:?}", now.1))?;
        let new = read(&copy)?;

        let fault = inject(&model, random);
        let done = act(&model);
        let happened = end(&model, fault, random);
        counts[2] += u32::from(happened);
        // Reading changes nothing, whatever was left.
        let changes = model.inner.borrow().changes;
        drop(Journal::open(Rc::clone(&model), PathBuf::from("game")));
        if model.inner.borrow().changes != changes {
            return Err(format!("call {call}: reading has changed something"));
        }
        // Something else can change a file before the next call. It is never overwritten.
        let users = (draw(random, 12) == 0).then(|| PATHS[draw(random, 5) as usize]);
        let is_file = |path: &&str| !matches!(model.game().get(*path), Some(None));
        let users = users.filter(is_file);
        if let Some(path) = users {
            model.write(path, b"user");
        }
        // The next calls can fail, too.
        while draw(random, 2) == 0 {
            let fault = inject(&model, random);
            drop(lock(&model));
            end(&model, fault, random);
        }
        let left = read(&model);
        if let Some(path) = users {
            match model.game().get(path) {
                Some(Some(bytes)) if bytes == b"user" => return Ok(()),
                found => return Err(format!("call {call}: the file of the user at {path} became {found:?}")),
            }
        }
        let left = left?;
        let is_new = left == new;
        match &done {
            _ if !is_new && left != now => {
                return Err(format!("call {call}, {fault:?}: {done:?}: neither {now:?} nor {new:?} but {left:?}"));
            }
            Ok(()) if !is_new => return Err(format!("call {call}, {fault:?}: said to be done, and lost: {left:?}")),
            Err(why) if is_new && new != now && why.why.contains("no file was changed") => {
                return Err(format!("call {call}, {fault:?}: {why}, and it was"));
            }
            _ => {}
        }
        counts[usize::from(is_new)] += 1;
        now = left;
    }
    while !now.1.mods.is_empty() {
        let mut journal = lock(&model).map_err(|why| why.to_string())?;
        undo(&mut journal).map_err(|why| format!("undo: {why}: {:?}", now.1))?;
        now.1 = journal.state.clone();
    }
    let is_journal = |path: &String| path.starts_with(JOURNAL);
    let left: Vec<String> = model.inner.borrow().names.keys().filter(|path| is_journal(path)).cloned().collect();
    match model.game() {
        game if game != original => Err(format!("undone to {game:?} instead of {original:?}")),
        _ if !left.is_empty() => Err(format!("left: {left:?}")),
        _ => Ok(()),
    }
}

#[test]
fn model_whatever_crashes_the_next_call_finds_the_old_or_the_new_state() {
    let given = |name: &str| std::env::var(name).ok().map(|it| it.parse().expect("a number"));
    let (first, count) = match given("BITEXACT_TEST_CRASH") {
        Some(one) => (one, 1),
        None => (0, given("BITEXACT_TEST_CRASHES").unwrap_or(500)),
    };
    let mut counts = [0; 3];
    for seed in first..first + count {
        if let Err(why) = sequence(seed, None, &mut counts) {
            panic!("sequence {seed}: {why}");
        }
    }
    let [old, new, faults] = counts;
    eprintln!("{count} sequences, {faults} faults: {old} calls left the old state, {new} the new one");
    assert!(count == 1 || old > 100 && new > 100 && faults > 100, "{counts:?}");
}

/// Each rule of durability is needed: without it, some sequence ends in a third state.
#[test]
fn model_finds_every_sync_that_is_missing() {
    let is_staged = |path: &str| path.ends_with("/staged");
    type Class = (&'static str, fn(&str) -> bool);
    let classes: [Class; 5] = [
        ("the bytes of files", is_staged),
        ("the names in the journal", |path| path == JOURNAL),
        ("the names of contents", |path| path.ends_with("/contents")),
        ("the names in the folder of the game", str::is_empty),
        ("the names in its folders", |path| matches!(path, "d" | "d/e" | "f")),
    ];
    for (what, is_broken) in classes {
        let found = (0..4000).find(|seed| sequence(*seed, Some(is_broken), &mut [0; 3]).is_err());
        assert!(found.is_some(), "nothing notices that {what} are not durable");
    }
}

#[test]
fn model_loses_only_what_is_not_durable() {
    let model = Rc::new(Model { inner: RefCell::default(), lock: Rc::default() });
    model.create("kept", &mut |to| to.write_all(b"1"), None).expect("created");
    model.sync("kept").expect("synced");
    model.sync("").expect("synced");
    model.create("lost", &mut |to| to.write_all(b"2"), None).expect("created");
    assert_eq!(Sha::of(&model.read("kept").expect("read")), Sha::of(b"1"));
    model.crash(&mut |_| 1);
    assert_eq!(model.list("").expect("listed"), ["kept"]);
}

#[test]
fn model_content_that_is_damaged_changes_nothing() {
    let model = Rc::new(Model { inner: RefCell::default(), lock: Rc::default() });
    model.write("a", b"old");
    let mut journal = lock(&model).expect("locked");
    let (old, new) = (journal.file("a").expect("read").expect("a file"), Contents::of(b"new".to_vec().into()));
    [&old, &new].into_iter().try_for_each(|contents| journal.keep(contents)).expect("stored");
    model.write(&format!("{JOURNAL}/contents/{}", new.sha256), b"bad");
    assert!(journal.verify(&new.sha256).is_err_and(|it| it.why.contains("is damaged")));
    let [before, after] = [old, new].map(|contents| Some(contents.sha256));
    for path in ["a", "d/x"] {
        let before = before.clone().filter(|_| path == "a");
        let steps = vec![Step { path: path.to_owned(), before, after: after.clone() }];
        let state = journal.state.clone();
        let done = Transaction::new(steps, &state, state.clone()).run(&mut journal);
        let why = done.expect_err("refused").why;
        assert!(why.contains("the stored content is damaged") && why.ends_with("no file was changed"), "{why}");
        assert_eq!(model.game(), BTreeMap::from([("a".to_owned(), Some(b"old".to_vec()))]));
        assert_eq!(model.what(&format!("{JOURNAL}/staged")).expect("asked"), What::Nothing);
    }
}
