//! Plans: the files that mods change, with all contents computed and proven before anything is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::edit::diff::Change;
use crate::edit::is_key;
use field::wide;
use output::printable::in_line;

use super::conflicts::{Side, conflicts};
use super::contents::Contents;
use super::disk::{Disk as _, What};
use super::file::Lines;
use super::path::Locator;
use super::remote::Files;
use super::state::{Held, State};
use super::transaction::Step;
use super::{Applied, FileEdit, Game, ModFile, Named, READ_ONLY, Result, apply, path, read_only, refusal};

/// A file that a call has written, or would write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Its path in the game.
    pub path: String,
    /// The hash of its bytes, or `None` if it is removed.
    pub sha256: Option<String>,
    /// `true` if it has its original contents again, or is gone again.
    pub is_original: bool,
}

/// The files that mods would change, and the reasons why they cannot be applied.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The files that change.
    pub files: Vec<Written>,
    /// Conflicts between mods, and old values that do not match; each begins with a path.
    pub findings: Vec<String>,
    /// The sizes of BIFs that KEYs state after that.
    pub notes: Vec<String>,
    pub(super) steps: Vec<Step>,
    pub(super) next: State,
    /// The sizes of the BIFs that change.
    pub(super) sizes: BTreeMap<String, u64>,
    /// The contents of the KEYs that change.
    pub(super) keys: BTreeMap<String, Contents>,
}

/// Stores contents, unless the plan is only shown.
pub(super) type Keep<'k> = &'k dyn Fn(&Contents) -> Result;

impl Plan {
    /// Creates a plan that changes nothing yet.
    pub(super) fn of(state: &State) -> Self {
        Self { next: state.clone(), ..Self::default() }
    }

    /// Adds a file with its contents before and after the call. It is held if mods still change it.
    pub(super) fn add(
        &mut self,
        path: &str,
        [old, new]: [Option<&Contents>; 2],
        (original, edits, is_held): (Option<String>, Vec<String>, bool),
        keep: Keep<'_>,
    ) -> Result {
        old.into_iter().chain(new).try_for_each(keep)?;
        let [before, after] = [old, new].map(|contents| contents.map(|it| it.sha256.clone()));
        if let Some(new) = new {
            if is_bif(path) {
                self.sizes.insert(path.to_owned(), new.size);
            }
            if is_key(Path::new(path)) {
                self.keys.insert(path.to_owned(), new.clone());
            }
        }
        let is_original = after == original;
        match is_original && !is_held {
            true => drop(self.next.files.remove(path)),
            false => {
                self.next.files.insert(path.to_owned(), Held { original, now: after.clone(), edits });
            }
        }
        self.files.push(Written { path: path.to_owned(), sha256: after.clone(), is_original });
        self.steps.push(Step { path: path.to_owned(), before, after });
        Ok(())
    }
}

/// Returns `true` if a file has the ending of a BIF.
pub(super) fn is_bif(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("bif"))
}

impl Game {
    /// Returns the applied mods, whose contents of whole files stay in the journal.
    pub(super) fn loaded(&self) -> Result<Vec<(Applied, ModFile)>> {
        let describe = |why: String| in_line(&why);
        let load = |it: &Applied| {
            let mut lines = Lines::of_journal(it);
            self.journal.lines(&it.sha256, &mut |line| lines.next(line, &describe))?;
            let file = lines.end(&describe)?;
            // Without its row, a file would keep the changes of the mod, and lose its original.
            let unlisted = file.files.iter().find(|edit| !self.journal.state.files.contains_key(&edit.path));
            match unlisted {
                Some(edit) => Err(self.journal.unlisted(&edit.path, &it.name)),
                None => Ok((it.clone(), file)),
            }
        };
        self.journal.will_read(self.journal.state.mods.iter().map(|it| it.sha256.as_str()));
        self.journal.state.mods.iter().map(load).collect()
    }

    /// Announces that [`file`](Self::file) will be asked for these files.
    pub(super) fn will_read<'p>(&self, locator: &Locator<'_, Files>, paths: impl IntoIterator<Item = &'p str>) {
        self.journal.disk.will_read(paths.into_iter().filter_map(|path| locator.locate(path).ok()));
    }

    /// Returns the contents of a file, or `None` if it does not exist.
    pub(super) fn file(&self, locator: &Locator<'_, Files>, path: &str) -> Result<Option<Contents>> {
        let real = locator.locate(path).map_err(|why| refusal(path, why))?;
        self.journal.file(&real).map_err(|error| refusal(path, error))
    }

    /// Returns stored contents.
    pub(super) fn stored(&self, hash: Option<&String>) -> Result<Option<Contents>> {
        hash.map(|hash| self.journal.stored(hash)).transpose()
    }

    pub(super) fn is_read_only(&self, path: &str) -> bool {
        self.journal.disk.what(path).is_ok_and(|what| what == What::File { is_read_only: true })
    }

    /// Plans mods applied one after the other. `keep` stores contents.
    pub(super) fn planned(&self, mods: &[Named], keep: Keep<'_>) -> Result<Plan> {
        let (state, locator) = (&self.journal.state, Locator::new(&self.journal.disk));
        let mut plan = Plan::of(state);
        let mut names: BTreeSet<_> = state.mods.iter().map(|it| (it.name.as_str(), it.only.as_deref())).collect();
        for named in mods {
            if !names.insert((&named.name, named.only.as_deref())) {
                let why = "a mod of this name is applied or named twice; undo it first, or rename the file";
                plan.findings.push(format!("{}: {why}", named.name));
            }
            let (sha256, files) = (named.sha256.clone(), wide(named.file.files.len()));
            let (name, only) = (named.name.clone(), named.only.clone());
            plan.next.mods.push(Applied { name, sha256, files, only, date: None });
        }
        let lost = self.lost()?;
        if !lost.is_empty() {
            plan.findings.extend(lost);
            return Ok(plan);
        }
        let loaded = self.loaded()?;
        let earlier = by_path(loaded.iter().map(|(it, file)| (it.name.as_str(), &file.files)));
        let wanted = by_path(mods.iter().map(|named| (named.name.as_str(), &named.file.files)));
        plan.findings.extend(clashes(state, &wanted));
        self.will_read(&locator, wanted.keys().copied());
        for (path, edits) in &wanted {
            let old = self.file(&locator, path)?;
            let hash = old.as_ref().map(|old| old.sha256.clone());
            let held = state.files.get(*path);
            if held.is_some_and(|held| held.now != hash) {
                plan.findings.push(format!("{path}: {CHANGED}"));
                continue;
            }
            if self.is_read_only(path) {
                plan.findings.push(format!("{path}: {READ_ONLY}"));
                continue;
            }
            let before = edits_of(&earlier, path);
            let mut findings = Vec::new();
            let new = self.chained(old.clone(), before, edits, &mut findings)?;
            plan.findings.extend(findings.into_iter().map(|why| format!("{path}: {why}")));
            let Some(new) = new else { continue };
            if new.is_some() {
                plan.next.folders.extend(self.new_folders(path)?);
            }
            let (original, made) = held.map_or((hash, Vec::new()), |it| (it.original.clone(), it.edits.clone()));
            plan.add(path, [old.as_ref(), new.as_ref()], (original, made, true), keep)?;
        }
        let mut all = earlier;
        wanted.into_iter().for_each(|(path, edits)| all.entry(path).or_default().extend(edits));
        self.recompute_keys(&mut plan, &all, keep)?;
        plan.next.keep_folders();
        Ok(plan)
    }

    /// Plans the state without a mod: its files have the original contents and the changes of the others.
    pub(super) fn without(&self, gone: &Applied) -> Result<Plan> {
        let (state, locator) = (&self.journal.state, Locator::new(&self.journal.disk));
        let mut plan = Plan::of(state);
        plan.next.mods.retain(|it| it != gone);
        let loaded = self.loaded()?;
        let (of_it, others): (Vec<_>, Vec<_>) = loaded.iter().partition(|(it, _)| it == gone);
        let others = by_path(others.into_iter().map(|(it, file)| (it.name.as_str(), &file.files)));
        let keep = |contents: &Contents| self.journal.keep(contents);
        let paths = || of_it.iter().flat_map(|(_, file)| &file.files).map(|edit| &edit.path);
        self.will_read(&locator, paths().map(String::as_str));
        let held = paths().filter_map(|path| Some((state.files.get(path)?, edits_of(&others, path))));
        // What later edits have made is stored, and made again from there.
        held.for_each(|(held, edits)| {
            let stored =
                edits.iter().filter(|(_, edit)| edit.is_stored()).filter_map(|(_, edit)| edit.after.as_deref());
            self.journal.will_read(held.original.as_deref().into_iter().chain(stored));
        });
        for path in paths() {
            let held = state.files.get(path).ok_or_else(|| self.journal.unlisted(path, &gone.name))?;
            let now = self.file(&locator, path)?;
            // A missing file can be restored without a loss.
            if now.as_ref().is_some_and(|now| Some(&now.sha256) != held.now.as_ref()) {
                return Err(refusal(path, CHANGED));
            }
            if self.is_read_only(path) {
                return Err(read_only(path));
            }
            let edits = edits_of(&others, path);
            let mut findings = Vec::new();
            let new = self.chained(self.stored(held.original.as_ref())?, &[], edits, &mut findings)?;
            let new = match (new, findings.first()) {
                (Some(new), None) => new,
                (_, why) => {
                    let why = why.map_or("cannot be applied again", String::as_str);
                    let later = edits.last().map_or("the later mod", |(name, _)| name);
                    return Err(refusal(path, format!("{why}; undo {later} first, which depends on {gone}")));
                }
            };
            if new.is_some() {
                // It can have gone with the last file in it.
                plan.next.folders.extend(self.new_folders(path)?);
            }
            let made = edits.iter().filter(|(_, edit)| edit.is_stored()).filter_map(|(_, edit)| edit.after.clone());
            let original = (held.original.clone(), made.collect(), !edits.is_empty());
            plan.add(path, [now.as_ref(), new.as_ref()], original, &keep)?;
        }
        self.recompute_keys(&mut plan, &others, &keep)?;
        plan.next.keep_folders();
        Ok(plan)
    }

    /// Applies edits of one file one after the other to a file that has the `earlier` ones. Returns `None` with findings if one cannot
    /// be applied; the inner `None` is a file that is removed.
    ///
    /// # Errors
    /// Returns an error if contents cannot be read, or are damaged, or if the memory limit does not allow them.
    pub(super) fn chained<'a>(
        &self,
        old: Option<Contents>,
        earlier: &[(&'a str, &'a FileEdit)],
        edits: &[(&'a str, &'a FileEdit)],
        findings: &mut Vec<String>,
    ) -> Result<Option<Option<Contents>>> {
        // What `pack` and `patch` have written is what later mods find: their old values match or not.
        let mut made: Vec<_> = earlier.iter().copied().filter(|(_, edit)| !edit.is_stored()).collect();
        let mut file = old;
        for &(name, edit) in edits {
            // A mod made for exactly this file knows the earlier changes.
            let is_made_for_it = file.as_ref().map(|file| &file.sha256) == edit.before.as_ref();
            let mut sides = Vec::new();
            if !is_made_for_it {
                let found: Vec<String> = made.iter().flat_map(|it| conflicts(*it, (name, edit))).collect();
                if !found.is_empty() {
                    findings.extend(found.into_iter().map(|why| format!("conflict: {why}")));
                    return Ok(None);
                }
                sides = made.iter().map(|(_, it)| Side::of(it)).collect();
            }
            let is_made = |change: &Change| sides.iter().any(|side| side.makes(change));
            match apply::apply(edit, file.as_ref(), is_made, &self.journal)? {
                Ok(new) => file = new,
                Err(why) => {
                    findings.push(format!("{name}: {why}"));
                    return Ok(None);
                }
            }
            if !edit.is_stored() {
                made.push((name, edit));
            }
        }
        Ok(Some(file))
    }

    /// Returns the folders of a path that do not exist yet.
    fn new_folders(&self, path: &str) -> Result<Vec<String>> {
        let mut folders = Vec::new();
        for folder in path::folders_of(path) {
            if self.journal.disk.what(folder).map_err(|error| refusal(folder, error))? == What::Nothing {
                folders.push(folder.to_owned());
            }
        }
        Ok(folders)
    }
}

pub(super) const CHANGED: &str =
    "something else has changed the file since mods were applied; move it away, and undo them to restore it";

/// The edits of one file by several mods, with their names.
pub(super) type Edits<'a> = Vec<(&'a str, &'a FileEdit)>;

/// Returns the edits of a file, of which there may be none.
pub(super) fn edits_of<'m, 'a>(all: &'m BTreeMap<&str, Edits<'a>>, path: &str) -> &'m [(&'a str, &'a FileEdit)] {
    all.get(path).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the edits of several mods by their paths. Each mod is a name and its edits.
pub(super) fn by_path<'a, E: IntoIterator<Item = &'a FileEdit>>(
    mods: impl Iterator<Item = (&'a str, E)>,
) -> BTreeMap<&'a str, Edits<'a>> {
    let mut by_path: BTreeMap<&str, Edits<'a>> = BTreeMap::new();
    for (name, edits) in mods {
        for edit in edits {
            by_path.entry(&edit.path).or_default().push((name, edit));
        }
    }
    by_path
}

/// Returns the files of mods that cannot exist beside each other, before or after them.
fn clashes(state: &State, wanted: &BTreeMap<&str, Edits<'_>>) -> Vec<String> {
    let held = state.files.keys().map(String::as_str).filter(|path| !wanted.contains_key(path));
    let named = wanted.iter().map(|(path, edits)| (*path, edits.first().map(|(name, _)| *name)));
    let clash = |(why, path, by): (String, &str, Option<&str>)| match by {
        Some(by) => format!("{path}: conflict: {by}: {why}"),
        None => format!("{path}: conflict: {why}"),
    };
    path::clashes(named.chain(held.map(|path| (path, None)))).into_iter().map(clash).collect()
}
