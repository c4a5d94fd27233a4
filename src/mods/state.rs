//! The state of a game with mods, which its journal holds.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::path;

/// The schema version of the files of the journal.
pub(super) const SCHEMA: u32 = 1;

/// A mod that is applied, or an edit that `pack`, `patch` or `import` has made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Applied {
    /// The name of its file. For an edit, the name of the folder or of the file that was packed or patched.
    pub name: String,
    /// The SHA-256 of its text.
    pub sha256: String,
    /// The number of files that it changes.
    pub files: u64,
    /// The name of the file to which it was applied, if it was applied to one file and not to the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// For an edit, when it was made, in UTC: `2026-11-26 18:33`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

impl core::fmt::Display for Applied {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.only.as_ref().or(self.date.as_ref()) {
            Some(more) => write!(f, "{} ({more})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Returns what a user calls by a name: by the name or a hash, or if nothing has it, by the path of the mod or of the changed file, with the
/// separators of any system, or on Windows in another case.
pub(super) fn called<'a>(applied: &[&'a Applied], which: &str, ignores_case: bool) -> Vec<&'a Applied> {
    let with = |fits: &dyn Fn(&Applied) -> bool| applied.iter().copied().filter(|it| fits(it)).collect::<Vec<_>>();
    let is_called = |it: &Applied, which: &str| {
        let stem = it.name.rsplit_once('.').map_or(it.name.as_str(), |(stem, _)| stem);
        // An edit has the path of its file.
        let is_file = it.date.is_some() && it.name.rsplit('/').next() == Some(which);
        it.name == which || stem == which || is_file || which.len() >= 8 && it.sha256.starts_with(which)
    };
    let slashed = which.replace('\\', "/");
    let is_path = |it: &Applied, slashed: &str| {
        let last = slashed.rsplit('/').next().filter(|_| it.date.is_none());
        is_called(it, slashed)
            || slashed.strip_suffix(it.name.as_str()).is_some_and(|outer| outer.ends_with('/'))
            || last.is_some_and(|last| is_called(it, last))
    };
    let exact = with(&|it| is_called(it, which));
    let found = if exact.is_empty() { with(&|it| is_path(it, &slashed)) } else { exact };
    if !found.is_empty() || !ignores_case {
        return found;
    }
    let folded = |it: &Applied| Applied { name: it.name.to_lowercase(), ..it.clone() };
    with(&|it| is_path(&folded(it), &slashed.to_lowercase()))
}

/// A file that mods have changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Held {
    /// The hash of the original, or `None` if mods added the file.
    pub(super) original: Option<String>,
    /// The hash with all mods, or `None` if one removed the file.
    pub(super) now: Option<String>,
    /// The hashes of what edits have made of the file. Those that later mods have changed are stored, to undo these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) edits: Vec<String>,
}

impl Held {
    /// Returns the hashes of the contents that are needed to undo its changes.
    pub(super) fn needs(&self) -> impl Iterator<Item = &str> {
        let edits = self.edits.iter().filter(|it| self.now.as_ref() != Some(*it));
        self.original.iter().chain(edits).map(String::as_str)
    }
}

/// The state of a game with mods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) schema: u32,
    pub(super) mods: Vec<Applied>,
    pub(super) files: BTreeMap<String, Held>,
    /// Folders that mods have created.
    pub(super) folders: BTreeSet<String>,
}

impl Default for State {
    fn default() -> Self {
        Self { schema: SCHEMA, mods: Vec::new(), files: BTreeMap::new(), folders: BTreeSet::new() }
    }
}

impl State {
    /// Gives up the folders without a file, so that the transaction removes them. An empty one could not be restored.
    pub(super) fn keep_folders(&mut self) {
        let files = self.files.iter().filter(|(_, held)| held.now.is_some());
        let needed: BTreeSet<&str> = files.flat_map(|(path, _)| path::folders_of(path)).collect();
        self.folders.retain(|folder| needed.contains(folder.as_str()));
    }

    /// Returns the hashes of the contents that the state needs.
    pub(super) fn needs(&self) -> BTreeSet<&str> {
        let mut needs: BTreeSet<&str> = self.mods.iter().map(|it| it.sha256.as_str()).collect();
        needs.extend(self.files.values().flat_map(Held::needs));
        needs
    }
}

#[cfg(test)]
mod tests {
    use super::{Applied, called};

    #[test]
    fn names_are_taken_as_paths_and_in_another_case() {
        let of = |name: &str, date: Option<&str>| {
            let (name, date) = (name.to_owned(), date.map(str::to_owned));
            Applied { name, sha256: "0".repeat(64), files: 1, only: None, date }
        };
        let now = Some("2026-11-26 18:33");
        let all = [
            of("Cool.bxmod", None),
            of("a.bxmod", None),
            of("A.bxmod", None),
            of("zbd/Reader.zbd", now),
            of("a\\b", None),
        ];
        let all: Vec<&Applied> = all.iter().collect();
        let said = |which: &str, ignores_case: bool| {
            called(&all, which, ignores_case).into_iter().map(|it| it.name.as_str()).collect::<Vec<_>>()
        };
        for which in ["Cool.bxmod", "Cool", "mods/Cool.bxmod", "C:\\my mods\\Cool.bxmod"] {
            assert_eq!(said(which, false), ["Cool.bxmod"], "{which}");
        }
        for which in ["zbd/Reader.zbd", "zbd\\Reader.zbd", "Reader.zbd", "C:\\game\\zbd\\Reader.zbd"] {
            assert_eq!(said(which, false), ["zbd/Reader.zbd"], "{which}");
        }
        assert_eq!(said("a", true), ["a.bxmod"], "the exact name comes first");
        assert_eq!(said("a\\b", false), ["a\\b"]);
        assert_eq!((said("cool", false), said("cool", true)), (vec![], vec!["Cool.bxmod"]));
        assert_eq!(said("ZBD\\reader.zbd", true), ["zbd/Reader.zbd"]);
        assert_eq!(said("xCool.bxmod", true), [""; 0]);
        assert_eq!(said("mods/b.bxmod", true), [""; 0]);
    }
}
