//! Edits that `pack`, `patch` and `import` make in a game: each is listed and undone like a mod.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::edit::{BifKeys, above};
use field::wide;
use output::{self, folder_of, name_of};
use passes::Sha;

use super::READ_ONLY;
use super::contents::Contents;
use super::disk::{Disk as _, What, hold};
use super::path::Locator;
use super::plan::{CHANGED, by_path};
use super::state::Held;
use super::{Applied, FileEdit, Game, ModFile, Plan, Result, at, date, path, refusal};

/// New bytes for a file of the game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replacement {
    path: String,
    before: Option<Sha>,
    bytes: Bytes,
}

impl Replacement {
    /// Replaces the file at a path by `bytes`. If `before` is given, the file must have this hash.
    ///
    /// # Errors
    /// Returns an error if the path leads out of the game.
    pub fn new(path: &str, before: Option<Sha>, bytes: Bytes) -> Result<Self> {
        path::check(path).map_err(at(path))?;
        Ok(Self { path: path.to_owned(), before, bytes })
    }
}

/// A mod of the journal that is being changed.
struct Entry {
    applied: Applied,
    /// Its edits by their paths.
    edits: BTreeMap<String, FileEdit>,
    is_changed: bool,
}

impl Game {
    /// Replaces files as one edit, which is listed by its name and date and can be undone like a mod. An edit of the same name is
    /// continued if nothing else has changed its files since. Returns the name that undoes it, unless the files are now as without it.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written. No file is then changed, or the next call finishes or restores all.
    pub fn replace(&mut self, name: &str, files: &[Replacement]) -> Result<(Option<String>, Plan)> {
        let (name, plan) = self.edited(name, files)?;
        self.run(plan).map(|plan| (name, plan))
    }

    fn edited(&self, name: &str, files: &[Replacement]) -> Result<(Option<String>, Plan)> {
        let (state, locator) = (&self.journal.state, Locator::new(&self.journal.disk));
        let mut entries: Vec<Entry> =
            self.loaded()?.into_iter().map(|(applied, file)| Entry::of(applied, file)).collect();
        let (spelled, mut paths, mut named) = (self.spelling(&locator), BTreeSet::new(), Vec::new());
        for file in files {
            let path = spelled(&file.path).map_err(at(&file.path))?;
            if !paths.insert(path.clone()) {
                return Err(refusal(&file.path, "is named twice"));
            }
            named.push((path, file));
        }
        let nth = entry_of(&mut entries, name, &paths, self.journal.disk.now());
        let mut plan = Plan::of(state);
        let keep = |contents: &Contents| self.journal.keep(contents);
        self.will_read(&locator, paths.iter().map(String::as_str));
        for (path, Replacement { before, bytes, .. }) in named {
            let (old, new) = (self.file(&locator, &path)?, Contents::of(bytes.clone()));
            let hash = old.as_ref().map(|old| old.sha256.clone());
            if before.is_some_and(|before| hash != Some(before.to_string())) {
                plan.findings.push(format!("{path}: something else has changed the file meanwhile; call this again"));
                continue;
            }
            if self.is_read_only(&path) {
                plan.findings.push(format!("{path}: {READ_ONLY}"));
                continue;
            }
            let is_foreign = state.files.get(&path).is_some_and(|held| held.now != hash);
            // What the user has put there is the original from now on, unless mods expect their own.
            if is_foreign && entries.iter().any(|it| it.applied.date.is_none() && it.has(&path)) {
                plan.findings.push(format!("{path}: {CHANGED}"));
                continue;
            }
            if is_foreign {
                entries.iter_mut().filter(|it| it.has(&path)).for_each(|it| drop(it.remove(&path)));
            }
            if let Some(entry) = entries.get_mut(nth) {
                entry.put(&path, (hash.clone(), Some(new.sha256.clone())), new.size);
            }
            let held = state.files.get(&path).filter(|_| !is_foreign);
            let original = held.map_or(hash, |held: &Held| held.original.clone());
            let edits = entries.iter().filter(|it| it.applied.date.is_some()).filter_map(|it| it.edits.get(&path));
            let made = edits.filter_map(|edit| edit.after.clone()).collect();
            let is_held = entries.iter().any(|it| it.has(&path));
            plan.add(&path, [old.as_ref(), Some(&new)], (original, made, is_held), &keep)?;
        }
        let own = entries.get(nth).filter(|it| !it.edits.is_empty()).map(|it| it.applied.name.clone());
        entries.retain(|it| !it.edits.is_empty());
        for entry in entries.iter_mut().filter(|it| it.is_changed) {
            let file = ModFile { files: entry.edits.values().cloned().collect(), ..ModFile::default() };
            let text = file.print().map_err(at(&entry.applied.name))?;
            let text = Contents::of(text.into());
            keep(&text)?;
            entry.applied.sha256 = text.sha256;
            entry.applied.files = wide(entry.edits.len());
        }
        let edits = by_path(entries.iter().map(|it| (it.applied.name.as_str(), it.edits.values())));
        self.recompute_keys(&mut plan, &edits, &keep)?;
        plan.next.mods = entries.into_iter().map(|it| it.applied).collect();
        Ok((own, plan))
    }
}

impl Entry {
    fn of(applied: Applied, file: ModFile) -> Self {
        let edits = file.files.into_iter().map(|edit| (edit.path.clone(), edit)).collect();
        Self { applied, edits, is_changed: false }
    }

    fn has(&self, path: &str) -> bool {
        self.edits.contains_key(path)
    }

    fn remove(&mut self, path: &str) -> Option<FileEdit> {
        self.is_changed = true;
        self.edits.remove(path)
    }

    /// Records that a file has new contents. If the edit has changed it before, it is as if it had done so at once.
    fn put(&mut self, path: &str, (mut before, after): (Option<String>, Option<String>), bytes: u64) {
        if let Some(earlier) = self.remove(path) {
            before = earlier.before;
        }
        if before != after {
            let path = path.to_owned();
            let edit = FileEdit { path: path.clone(), before, after, bytes, ..FileEdit::default() };
            self.edits.insert(path, edit);
        }
    }
}

/// Returns the index of the edit that a change of these files continues, or of a new one.
fn entry_of(entries: &mut Vec<Entry>, name: &str, paths: &BTreeSet<String>, now: u64) -> usize {
    let is_last = |nth: usize| {
        let later = entries.iter().skip(nth + 1);
        !later.flat_map(|it| it.edits.keys()).any(|path| paths.contains(path))
    };
    let own = entries.iter().rposition(|it| it.applied.name == name && it.applied.date.is_some());
    if let Some(nth) = own.filter(|nth| is_last(*nth)) {
        if let Some(entry) = entries.get_mut(nth) {
            entry.applied.date = Some(date::date(now));
        }
        return nth;
    }
    let names: BTreeSet<&str> = entries.iter().map(|it| it.applied.name.as_str()).collect();
    let numbered = (2..).map(|number: u64| format!("{name}-{number}"));
    let free = core::iter::once(name.to_owned()).chain(numbered).find(|it| !names.contains(it.as_str()));
    let name = free.unwrap_or_else(|| name.to_owned());
    let applied = Applied { name, sha256: String::new(), files: 0, only: None, date: Some(date::date(now)) };
    entries.push(Entry { applied, edits: BTreeMap::new(), is_changed: true });
    entries.len() - 1
}

/// Writes a file that was edited, and the KEYs that state its size. Several files, and those of a game with mods, are written as an edit
/// of the game, which [`Game::undo`] undoes; the folder of the game and the name of the edit, the path of the file in it, are then
/// returned. A single file is replaced in one step.
///
/// Its bytes can be in several pieces, which become one only for a game. `before` is the hash of the file that was edited, unless another
/// one is written. `game` is the folder of the game, if it is known.
///
/// # Errors
/// Returns an error if a file cannot be written, or has changed since. No file is then changed, or the next call finishes or restores
/// all.
pub fn write(
    file: &Path,
    pieces: &[Bytes],
    before: Option<Sha>,
    stated: &BifKeys,
    game: Option<&Path>,
) -> Result<Option<(PathBuf, Option<String>)>> {
    let game = match game {
        Some(game) if !game.is_dir() => return Err(refusal(game.display(), "expected the folder of a game")),
        Some(game) => Some(game.to_owned()),
        None => game_of(file, stated)?,
    };
    let shown = file.display();
    let Some(game) = game else {
        let mut held = None;
        // The bytes are complete and on disk by then, so that little time is left for something else.
        let is_same = || {
            let Some(before) = before else { return Ok(()) };
            let mut old = hold(file)?;
            let (found, _) = Sha::of_all(&mut old)?;
            // Windows replaces no open file.
            held = cfg!(unix).then_some(old);
            match found == before {
                true => Ok(()),
                false => Err(std::io::Error::other("something else has changed the file meanwhile; call this again")),
            }
        };
        output::write_pieces_and(file, pieces, is_same).map_err(at(shown))?;
        drop(held);
        return Ok(None);
    };
    let inner = within(&game, file)?.ok_or_else(|| refusal(&shown, format!("is not in {}", game.display())))?;
    let bytes = match pieces {
        [bytes] => bytes.clone(),
        _ => pieces.concat().into(),
    };
    let (name, plan) = Game::lock(&game)?.replace(&inner, &[Replacement::new(&inner, before, bytes)?])?;
    match plan.findings.first() {
        Some(finding) => Err(refusal(shown, finding)),
        None => Ok(Some((game, name))),
    }
}

/// Returns the folder of the game that a change of a file is recorded in: the folder of the KEYs that follow, or the one with mods that
/// have changed the file. `None` if it is the only file that changes.
fn game_of(file: &Path, stated: &BifKeys) -> Result<Option<PathBuf>> {
    let folder = folder_of(file);
    for game in with_journal(folder) {
        if let Some(inner) = within(&game, file)?
            && Game::open(&game)?.journal.state.files.contains_key(&inner)
        {
            return Ok(Some(shorter(&game, folder)));
        }
    }
    // The folder above has the other one in it.
    let above = above(folder);
    let of_key = stated.paths().find(|key| key.parent() == Some(&above)).or(stated.paths().next());
    Ok(of_key.map(|key| folder_of(key).to_owned()))
}

/// Returns the folder of the game around a file or folder in which a change was interrupted, if there is one: the files of the game can be
/// anything between two states until [`Game::lock`] finishes it.
///
/// # Errors
/// Returns an error if the journal of the game is damaged or in use.
pub fn interrupted(path: &Path) -> Result<Option<PathBuf>> {
    let folder = if path.is_dir() { path } else { folder_of(path) };
    for game in with_journal(folder) {
        if Game::open(&game)?.is_interrupted()? {
            return Ok(Some(shorter(&game, folder)));
        }
    }
    Ok(None)
}

/// Returns the folder and those above it that have a journal, or something else of its name, the innermost first.
fn with_journal(folder: &Path) -> Vec<PathBuf> {
    let Ok(real) = std::fs::canonicalize(folder) else { return Vec::new() };
    let has_journal = |game: &&Path| {
        let disk = super::disk::Folder((*game).to_owned());
        disk.what(crate::install::JOURNAL).is_ok_and(|it| it != What::Nothing)
    };
    real.ancestors().filter(has_journal).map(Path::to_owned).collect()
}

/// Returns a folder as the user would write it, if it is the folder of the file or one above.
fn shorter(game: &Path, folder: &Path) -> PathBuf {
    let same = folder.ancestors().filter(|it| !it.as_os_str().is_empty());
    let same = same.chain([Path::new(".")]).find(|it| std::fs::canonicalize(it).is_ok_and(|it| it == game));
    same.map_or_else(|| game.to_owned(), Path::to_owned)
}

/// Returns the path of a file in a folder, with links of folders resolved. `None` if it is not in there.
fn within(game: &Path, file: &Path) -> Result<Option<String>> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(at(file.display()));
    let folder = real(folder_of(file))?;
    let Ok(inner) = folder.strip_prefix(real(game)?).map(|inner| inner.join(name_of(file))) else { return Ok(None) };
    let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
    Ok(parts.map(|parts| parts.join("/")))
}
