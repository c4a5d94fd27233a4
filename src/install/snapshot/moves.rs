//! Finds moved and renamed files among new and missing ones, and a folder that is not the one of the snapshot.

use std::collections::{BTreeMap, HashMap};

use super::Snapshot;
use super::compare::{Aspect, Change, Difference, Finding};
use field::Value;

/// The new and missing files of an install, with the moves among them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Moves {
    /// Moved, new and missing files, by path: first those that exist.
    pub findings: Vec<Finding>,
    /// The folder at which all files of the snapshot were expected, if another folder seems to be meant.
    pub level: Option<Level>,
}

/// A folder that is not the one of the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Level {
    /// The files of the snapshot are below this folder of it: PATH is one level or more too deep.
    TooDeep(String),
    /// The files of the snapshot are below this folder of PATH: PATH is one level or more too high.
    TooHigh(String),
}

impl core::fmt::Display for Level {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooDeep(folder) => write!(f, "looks one level too deep: the list has its files below {folder}"),
            Self::TooHigh(folder) => write!(f, "looks one level too high: it has the files of the list below {folder}"),
        }
    }
}

impl Snapshot {
    /// Returns the moves among the new files and those that no longer exist, and the other ones.
    #[must_use]
    pub fn moves(self, new: Vec<Finding>) -> Moves {
        // Missing files are matched with new ones: by their hash if only one of each has it, then by their path if only its case differs.
        let missing: Vec<Finding> = self.missing().collect();
        let level = level(&new, &missing);
        let mut missing: BTreeMap<String, Finding> = missing.into_iter().map(|it| (it.path.clone(), it)).collect();
        let mut by_hash: HashMap<String, [Vec<&str>; 2]> = HashMap::new();
        let mut by_case: HashMap<String, Vec<&str>> = HashMap::new();
        let gone: Vec<(String, String)> = missing.values().map(|it| (it.path.clone(), hash(it))).collect();
        for (path, hash) in &gone {
            let [was, _] = by_hash.entry(hash.clone()).or_default();
            was.push(path);
            by_case.entry(path.to_lowercase()).or_default().push(path);
        }
        for it in &new {
            let [_, now] = by_hash.entry(hash(it)).or_default();
            now.push(&it.path);
        }
        // Files that could not be read have no hash.
        by_hash.remove("");
        let mut findings = Vec::new();
        for it in &new {
            let same_case =
                by_case.get(&it.path.to_lowercase()).into_iter().flatten().find(|from| missing.contains_key(**from));
            let same_hash = match by_hash.get(&hash(it)) {
                Some([was, now]) if now.len() == 1 => was.as_slice(),
                _ => &[],
            };
            let same_hash = if let [from] = same_hash { Some(from) } else { None };
            let Some(was) = same_case.or(same_hash).and_then(|from| missing.remove(*from)) else {
                findings.push(it.clone());
                continue;
            };
            let path = |path: &str| Some(Value::from(path));
            let moved = Difference { aspect: Aspect::Path, at: None, was: path(&was.path), now: path(&it.path) };
            let is_same = hash(&was) == hash(it);
            let bytes = Difference {
                aspect: Aspect::of_digest(&hash(it)),
                at: None,
                was: Some(hash(&was).into()),
                now: Some(hash(it).into()),
            };
            findings.push(Finding {
                change: if is_same { Change::Moved } else { Change::Changed },
                path: it.path.clone(),
                differences: [Some(moved), (!is_same).then_some(bytes)].into_iter().flatten().collect(),
            });
        }
        findings.extend(missing.into_values());
        Moves { findings, level }
    }
}

/// Returns the hash of a new or missing file, or an empty text if it could not be read.
fn hash(finding: &Finding) -> String {
    let value = finding.differences.iter().find_map(|it| it.was.as_ref().or(it.now.as_ref()));
    value.and_then(Value::text).unwrap_or_default().to_owned()
}

/// Returns the folder between the paths of new and of missing files, if most of the smaller number differ by it.
fn level(new: &[Finding], missing: &[Finding]) -> Option<Level> {
    /// The number of files that make a level likely.
    const FEW: usize = 2;
    let below = |deep: &[Finding], high: &[Finding]| {
        let mut folders: BTreeMap<String, usize> = BTreeMap::new();
        let high: HashMap<String, &Finding> = high.iter().map(|it| (it.path.to_lowercase(), it)).collect();
        for it in deep {
            let path = it.path.to_lowercase();
            for (at, _) in path.match_indices('/') {
                let (folder, inner) = path.split_at_checked(at.saturating_add(1))?;
                if high.get(inner).is_some_and(|other| hash(other) == hash(it)) {
                    let count = folders.entry(folder.to_owned()).or_default();
                    *count = count.saturating_add(1);
                }
            }
        }
        let (folder, count) = folders.into_iter().max_by_key(|(_, count)| *count)?;
        let least = deep.len().min(high.len());
        (count >= FEW && count.saturating_mul(2) > least).then_some(folder)
    };
    below(missing, new).map(Level::TooDeep).or_else(|| below(new, missing).map(Level::TooHigh))
}
