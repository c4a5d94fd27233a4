//! Plans: the files that mods change, with all contents computed and proven before anything is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bytes::Bytes;

use crate::field::wide;
use crate::passes::Sha;

use super::conflicts::{Side, conflicts};
use super::journal::{Held, State};
use super::transaction::{Step, read};
use super::{Applied, FileEdit, Game, ModFile, Named, Result, apply, at, path, refusal};

/// New bytes for a file of the game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replacement {
    path: String,
    before: Sha,
    bytes: Bytes,
}

impl Replacement {
    /// Replaces the file at a path by `bytes`, if it has the hash `before`.
    ///
    /// # Errors
    /// Returns an error if the path leads out of the game.
    pub fn new(path: &str, before: Sha, bytes: Bytes) -> Result<Self> {
        path::check(path).map_err(at(path))?;
        Ok(Self { path: path.to_owned(), before, bytes })
    }
}

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
    pub(super) steps: Vec<Step>,
    pub(super) next: State,
}

impl Game {
    /// Plans the replacement of files.
    pub(super) fn replaced(&self, files: &[Replacement]) -> Result<Plan> {
        let state = &self.journal.state;
        let mut plan = Plan { next: state.clone(), ..Plan::default() };
        for Replacement { path, before, bytes } in files {
            let old = read(&self.journal, path)?;
            let finding = match &old {
                _ if state.files.contains_key(path) => Some("mods have changed the file; undo them first"),
                Some(old) if Sha::of(old) == *before => None,
                _ => Some("something else has changed the file since"),
            };
            let finding = finding.or_else(|| is_read_only(&self.journal.root, path).then_some(READ_ONLY));
            plan.findings.extend(finding.map(|why| format!("{path}: {why}")));
            let before = old.map(|old| self.journal.keep(&old)).transpose()?;
            let after = Some(self.journal.keep(bytes)?);
            plan.files.push(Written { path: path.clone(), sha256: after.clone(), is_original: false });
            plan.steps.push(Step { path: path.clone(), before, after });
        }
        Ok(plan)
    }

    /// Returns the applied mods with their text.
    fn loaded(&self) -> Result<Vec<(Applied, ModFile)>> {
        let load = |it: &Applied| {
            let text = self.journal.content(&it.sha256)?;
            Ok((it.clone(), ModFile::read(&it.name, &text)?))
        };
        self.journal.state.mods.iter().map(load).collect()
    }

    /// Plans mods applied one after the other. `keep` stores contents and returns their hash.
    pub(super) fn planned(&self, mods: &[Named], keep: &dyn Fn(&[u8]) -> Result<String>) -> Result<Plan> {
        let state = &self.journal.state;
        let mut plan = Plan { next: state.clone(), ..Plan::default() };
        let mut names: BTreeSet<_> = state.mods.iter().map(|it| (it.name.as_str(), it.only.as_deref())).collect();
        for named in mods {
            if !names.insert((&named.name, named.only.as_deref())) {
                let why = "a mod of this name is applied or named twice; undo it first, or rename the file";
                plan.findings.push(format!("{}: {why}", named.name));
            }
            let (sha256, files) = (Sha::of(named.text.as_bytes()).to_string(), wide(named.file.files.len()));
            let only = named.only.clone();
            plan.next.mods.push(Applied { name: named.name.clone(), sha256, files, only });
        }
        let loaded = self.loaded()?;
        let earlier = by_path(loaded.iter().map(|(it, file)| (it.name.as_str(), file)));
        let wanted = by_path(mods.iter().map(|named| (named.name.as_str(), &named.file)));
        plan.findings.extend(clashes(state, &wanted));
        for (path, edits) in wanted {
            let old = read(&self.journal, path)?.map(Bytes::from);
            let hash = old.as_ref().map(|old| Sha::of(old).to_string());
            let held = state.files.get(path);
            if held.is_some_and(|held| held.now != hash) {
                plan.findings.push(format!("{path}: {CHANGED}"));
                continue;
            }
            if is_read_only(&self.journal.root, path) {
                plan.findings.push(format!("{path}: {READ_ONLY}"));
                continue;
            }
            let before = earlier.get(path).map(Vec::as_slice).unwrap_or_default();
            let mut findings = Vec::new();
            let new = chained(old.clone(), before, &edits, &mut findings);
            plan.findings.extend(findings.into_iter().map(|why| format!("{path}: {why}")));
            let Some(new) = new else { continue };
            let kept = |bytes: &Option<Bytes>| bytes.as_ref().map(|bytes| keep(bytes)).transpose();
            let step = Step { path: path.to_owned(), before: kept(&old)?, after: kept(&new)? };
            let original = held.map_or(step.before.clone(), |held| held.original.clone());
            plan.next.files.insert(path.to_owned(), Held { original: original.clone(), now: step.after.clone() });
            if step.after.is_some() {
                plan.next.folders.extend(new_folders(&self.journal.root, path));
            }
            plan.files.push(Written {
                path: path.to_owned(),
                sha256: step.after.clone(),
                is_original: step.after == original,
            });
            plan.steps.push(step);
        }
        Ok(plan)
    }

    /// Plans the state without a mod: its files have the original contents and the changes of the others.
    pub(super) fn without(&self, gone: &Applied) -> Result<Plan> {
        let state = &self.journal.state;
        let mut plan = Plan { next: state.clone(), ..Plan::default() };
        plan.next.mods.retain(|it| it != gone);
        let loaded = self.loaded()?;
        let (of_it, others): (Vec<_>, Vec<_>) = loaded.iter().partition(|(it, _)| it == gone);
        let others = by_path(others.into_iter().map(|(it, file)| (it.name.as_str(), file)));
        for path in of_it.iter().flat_map(|(_, file)| &file.files).map(|edit| &edit.path) {
            let Some(held) = state.files.get(path) else { continue };
            let content = |hash: &Option<String>| {
                hash.as_ref().map(|hash| self.journal.content(hash).map(Bytes::from)).transpose()
            };
            let now = read(&self.journal, path)?;
            let hash = now.as_ref().map(|now| Sha::of(now).to_string());
            // A missing file can be restored without a loss.
            if hash.is_some() && hash != held.now {
                return Err(refusal(path, CHANGED));
            }
            if is_read_only(&self.journal.root, path) {
                return Err(refusal(path, READ_ONLY));
            }
            let edits = others.get(path.as_str()).map(Vec::as_slice).unwrap_or_default();
            let mut findings = Vec::new();
            let new = chained(content(&held.original)?, &[], edits, &mut findings);
            let new = match (new, findings.first()) {
                (Some(new), None) => new,
                (_, why) => {
                    let why = why.map_or("cannot be applied again", String::as_str);
                    return Err(refusal(path, format!("{why}; it depends on {gone}, so undo it first")));
                }
            };
            let keep = |bytes: &[u8]| self.journal.keep(bytes);
            let before = now.as_ref().map(|now| keep(now)).transpose()?;
            let after = new.as_ref().map(|new| keep(new)).transpose()?;
            let is_original = after == held.original;
            match edits.is_empty() {
                true => drop(plan.next.files.remove(path)),
                false => {
                    let held = Held { original: held.original.clone(), now: after.clone() };
                    plan.next.files.insert(path.clone(), held);
                }
            }
            plan.files.push(Written { path: path.clone(), sha256: after.clone(), is_original });
            plan.steps.push(Step { path: path.clone(), before, after });
        }
        let is_needed = |folder: &String| {
            let inside = |path: &String| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
            plan.next.files.iter().any(|(path, held)| held.now.is_some() && inside(path))
        };
        plan.next.folders = state.folders.iter().filter(|folder| is_needed(folder)).cloned().collect();
        Ok(plan)
    }
}

const READ_ONLY: &str = "is read-only; make it writable, and call this again";
const CHANGED: &str =
    "something else has changed the file since mods were applied; move it away, and undo them to restore it";

/// The edits of one file by several mods, with their names.
type Edits<'a> = Vec<(&'a str, &'a FileEdit)>;

fn by_path<'a>(mods: impl Iterator<Item = (&'a str, &'a ModFile)>) -> BTreeMap<&'a str, Edits<'a>> {
    let mut by_path: BTreeMap<&str, Edits<'a>> = BTreeMap::new();
    for (name, file) in mods {
        for edit in &file.files {
            by_path.entry(&edit.path).or_default().push((name, edit));
        }
    }
    by_path
}

/// Applies edits of one file one after the other to a file that has the `earlier` ones. Returns `None` with findings if one cannot
/// be applied; the inner `None` is a file that is removed.
fn chained<'a>(
    old: Option<Bytes>,
    earlier: &[(&'a str, &'a FileEdit)],
    edits: &[(&'a str, &'a FileEdit)],
    findings: &mut Vec<String>,
) -> Option<Option<Bytes>> {
    let (mut file, mut made) = (old, earlier.to_vec());
    for &(name, edit) in edits {
        // A mod made for exactly this file knows the earlier changes.
        let is_made_for_it = file.as_ref().map(|file| Sha::of(file).to_string()) == edit.before;
        let mut sides = Vec::new();
        if !is_made_for_it {
            let found: Vec<String> = made.iter().flat_map(|it| conflicts(*it, (name, edit))).collect();
            if !found.is_empty() {
                findings.extend(found.into_iter().map(|why| format!("conflict: {why}")));
                return None;
            }
            sides = made.iter().map(|(_, it)| Side::of(it)).collect();
        }
        match apply::apply(edit, file.as_ref(), |change| sides.iter().any(|side| side.makes(change))) {
            Ok(new) => file = new,
            Err(why) => {
                findings.push(format!("{name}: {why}"));
                return None;
            }
        }
        made.push((name, edit));
    }
    Some(file)
}

/// A path by its parts in lower case, as it is spelled, and the mod that changes it.
type Sorted<'a> = (Vec<String>, &'a str, Option<&'a (&'a str, &'a FileEdit)>);

/// Returns the files of mods that cannot exist beside each other.
fn clashes(state: &State, wanted: &BTreeMap<&str, Edits<'_>>) -> Vec<String> {
    let held = state.files.iter().filter(|(path, held)| held.now.is_some() && !wanted.contains_key(path.as_str()));
    let stays = |edits: &Edits<'_>| edits.last().is_some_and(|(_, edit)| edit.after.is_some());
    let named = wanted.iter().filter(|(_, edits)| stays(edits)).map(|(path, edits)| (*path, edits.first()));
    let held = held.map(|(path, _)| (path.as_str(), None));
    // Sorted by their parts in lower case, a path is directly followed by those that clash with it.
    let mut paths: Vec<Sorted<'_>> =
        named.chain(held).map(|(path, by)| (path.split('/').map(str::to_lowercase).collect(), path, by)).collect();
    paths.sort_by(|one, other| one.0.cmp(&other.0));
    let clash = |pair: &[Sorted<'_>]| match pair {
        [(_, one, by), (_, other, by_other)] => {
            let why = path::clash(one, other)?;
            let by = by_other.or(*by).map_or("", |(name, _)| name);
            Some(format!("{other}: conflict: {by}: {why}"))
        }
        _ => None,
    };
    paths.windows(2).filter_map(clash).collect()
}

fn is_read_only(root: &Path, path: &str) -> bool {
    std::fs::metadata(path::on_disk(root, path)).is_ok_and(|about| about.permissions().readonly())
}

/// Returns the folders of a path that do not exist yet.
fn new_folders(root: &Path, path: &str) -> Vec<String> {
    let folders = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
    folders.filter(|folder| !path::on_disk(root, folder).exists()).map(str::to_owned).collect()
}
