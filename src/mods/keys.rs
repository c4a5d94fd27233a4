//! The KEYs of a game state the sizes of its BIFs, so they follow in the same transaction.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;

use crate::aurora::key::Key;
use crate::edit::changes_between;
use crate::edit::diff::Change;
use crate::edit::{BifKeys, is_key};
use crate::registry::KINDS;
use field::memory;
use kind::{Format as _, named};

use super::READ_ONLY;
use super::contents::Contents;
use super::disk::on_disk;
use super::path::Locator;
use super::plan::{CHANGED, Edits, Keep, edits_of, is_bif};
use super::remote::Files;
use super::{Game, Plan, Result, at, placed, refusal};

impl Game {
    /// Adds the KEYs that follow the BIFs of a plan. A KEY that only follows is its original with the sizes of the BIFs that mods change,
    /// so that it is the original again with the last of them. `edits` has the edits of all mods that the plan leaves.
    pub(super) fn recompute_keys(&self, plan: &mut Plan, edits: &BTreeMap<&str, Edits<'_>>, keep: Keep<'_>) -> Result {
        if plan.keys.is_empty() && !plan.steps.iter().any(|step| is_bif(&step.path)) {
            return Ok(());
        }
        // The KEYs that name a BIF are searched for on the disk.
        if let (Files::There(_), Some(step)) = (&self.journal.disk, plan.steps.iter().find(|step| is_bif(&step.path))) {
            return Err(refusal(
                &step.path,
                "KEYs of the game state the size of this file; let `bitexact mod apply` change it",
            ));
        }
        let (state, locator, root) = (&self.journal.state, Locator::new(&self.journal.disk), &self.journal.root);
        let mut keys = core::mem::take(&mut plan.keys);
        // The sizes in these may be those of BIFs that are their originals again.
        let mut loose: BTreeSet<String> = keys.keys().cloned().collect();
        for (path, held) in state.files.iter().filter(|(path, _)| is_key(Path::new(path))) {
            if keys.contains_key(path) {
                continue;
            }
            let of_it = edits_of(edits, path);
            let now = self.file(&locator, path)?;
            let is_foreign = now.as_ref().is_some_and(|now| Some(&now.sha256) != held.now.as_ref());
            let base = match is_foreign {
                true => None,
                false => self.chained(self.stored(held.original.as_ref())?, &[], of_it, &mut Vec::new())?.flatten(),
            };
            if base.is_none() {
                loose.insert(path.clone());
            }
            keys.extend(base.or(now).map(|contents| (path.clone(), contents)));
        }
        let keys = RefCell::new(keys);
        for (path, size, is_changed) in self.sizes(plan)? {
            let within = |at: &Path| Some(at.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"));
            let read = |at: &Path| {
                let Some(path) = within(at) else {
                    let file = File::open(at)?;
                    let size = file.metadata()?.len();
                    return memory::read_to_end(file, Some(size));
                };
                let known = keys.borrow().get(&path).cloned();
                let contents = match known {
                    Some(contents) => contents,
                    None => {
                        let found = self.file(&locator, &path).map_err(|refusal| io::Error::other(refusal.why))?;
                        found.ok_or(io::ErrorKind::NotFound)?
                    }
                };
                self.journal.bytes(&contents).map(Vec::from)
            };
            let found = BifKeys::sized(&on_disk(root, &path), size, &read)?;
            plan.notes.extend(found.notes.into_iter().filter(|note| note.starts_with("warning: ")));
            for (at, bytes) in found.keys {
                match within(&at) {
                    Some(key) if is_changed || loose.contains(&key) => {
                        keys.borrow_mut().insert(key, Contents::of(bytes.into()));
                    }
                    Some(_) => {}
                    None => plan.findings.push(format!(
                        "{path}: {} states its size, but is not in {}; name the folder of the game",
                        at.display(),
                        root.display()
                    )),
                }
            }
        }
        for (path, new) in keys.into_inner() {
            self.follow(plan, &locator, (&path, &new), edits.contains_key(path.as_str()), keep)?;
        }
        // Without a changed BIF, no KEY follows any more, even one that something else has changed meanwhile.
        if !plan.next.files.iter().any(|(path, held)| is_bif(path) && held.now != held.original) {
            plan.next.files.retain(|path, _| !is_key(Path::new(path)) || edits.contains_key(path.as_str()));
        }
        Ok(())
    }

    /// Returns the sizes of the BIFs that KEYs have to state, and whether mods have changed each.
    fn sizes(&self, plan: &Plan) -> Result<Vec<(String, u64, bool)>> {
        let mut sizes = Vec::new();
        let changed = plan.next.files.iter().filter(|(path, held)| is_bif(path) && held.now != held.original);
        let changed: BTreeSet<&String> = changed.filter(|(_, held)| held.now.is_some()).map(|(path, _)| path).collect();
        for path in changed.iter().copied().chain(plan.sizes.keys().filter(|path| !changed.contains(path))) {
            let size = match plan.sizes.get(path) {
                Some(size) => *size,
                None => std::fs::metadata(on_disk(&self.journal.root, path)).map_err(at(path))?.len(),
            };
            sizes.push((path.clone(), size, changed.contains(path)));
        }
        Ok(sizes)
    }

    /// Adds a KEY with the contents that follow, if it changes.
    fn follow(
        &self,
        plan: &mut Plan,
        locator: &Locator<'_, Files>,
        (path, new): (&str, &Contents),
        is_edited: bool,
        keep: Keep<'_>,
    ) -> Result {
        let now = self.file(locator, path)?;
        let hash = now.as_ref().map(|now| now.sha256.clone());
        if let Some(step) = plan.steps.iter().position(|step| step.path == path) {
            // A mod changes it too.
            plan.steps.remove(step);
            plan.files.retain(|file| file.path != path);
        } else if hash.as_ref() == Some(&new.sha256) {
            return Ok(());
        }
        let held = self.journal.state.files.get(path);
        let is_foreign = now.is_some() && held.is_some_and(|held| held.now != hash);
        if is_foreign && is_edited {
            plan.findings.push(format!("{path}: {CHANGED}"));
        }
        if self.is_read_only(path) {
            plan.findings.push(format!("{path}: {READ_ONLY}"));
        }
        if let Some(now) = &now {
            let shown = on_disk(&self.journal.root, path);
            let note = |change: &Change| format!("recomputed: {}:{change}", shown.display());
            // The edits of mods are listed by them.
            let changes = match named(KINDS, Key::NAME).filter(|_| !is_edited) {
                Some(key) => {
                    let bytes = |contents| self.journal.bytes(contents).map_err(placed(at(path)));
                    changes_between(key, bytes(now)?, bytes(new)?).ok()
                }
                None => None,
            };
            plan.notes.extend(changes.iter().flatten().map(note));
        }
        let (original, made) = match held.filter(|_| !is_foreign) {
            Some(held) => (held.original.clone(), held.edits.clone()),
            None => (hash, Vec::new()),
        };
        plan.add(path, [now.as_ref(), Some(new)], (original, made, is_edited), keep)
    }
}
