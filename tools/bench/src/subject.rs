//! Files to measure: similar ones, by kind and games.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use bitexact::install::{Found, files};
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};
use forge::{INSTALL_SEED, Sample, Size, samples};
use tempfile::TempDir;

use crate::forge_hak;

/// The total bytes of copies of a generated file, because an install has many small files rather than one that never leaves the processor's
/// cache.
const SET: usize = 16 << 20;

/// Smaller samples are small in every game, and do not represent retail files.
const SMALLEST: usize = 16 << 10;

/// A kind whose files are small in retail too, with the size of the least sample that represents them.
const SMALL_IN_RETAIL: (&str, usize) = ("text-reader", 2 << 10);

/// Files of one kind and of the same games, because the files of a kind can consist of smaller parts in one game than in another.
#[derive(Debug)]
pub struct Subject {
    /// The name of the kind.
    pub kind: &'static str,
    /// The games that they can belong to.
    pub games: String,
    /// The files.
    pub files: Vec<Found>,
}

/// All files to measure.
#[derive(Debug)]
pub struct Subjects {
    /// By kind, in the order of names.
    pub all: Vec<Subject>,
    /// The number of files that are not identical after `verify`, most of them of unsupported kinds.
    pub left_out: usize,
    /// The folder of generated files, kept until they have been measured.
    _forged: Option<TempDir>,
}

impl Subject {
    /// Returns the total bytes of the files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| file.size.as_ref().ok()).sum()
    }
}

impl Subjects {
    /// Collects the files below some paths; without paths, the largest ordinary generated files, or one container of about `hak`
    /// million bytes.
    ///
    /// # Errors
    /// Returns an error if a path does not exist, or if there is nothing to measure.
    pub fn new(paths: &[PathBuf], hak: Option<usize>) -> Result<Self> {
        if !paths.is_empty() {
            return Self::below(paths);
        }
        let forged = tempfile::tempdir().context("cannot make a folder for the forged files")?;
        if let Some(hak) = hak {
            forge_hak(hak.saturating_mul(1_000_000), forged.path())?;
            let container = Self::below(&[forged.path().to_owned()])?;
            return Ok(Self { _forged: Some(forged), ..container });
        }
        for sample in largest(SMALLEST) {
            for copy in 0..SET.div_ceil(sample.bytes.len()) {
                // One folder per copy, because the name may determine the kind.
                let folder = forged.path().join(format!("{} {copy}", sample.name));
                fs::create_dir_all(&folder)?;
                fs::write(folder.join(&sample.name), &sample.bytes)?;
            }
        }
        let subjects = Self::below(&[forged.path().to_owned()])?;
        ensure!(subjects.left_out == 0, "{} forged files are not identical", subjects.left_out);
        Ok(Self { _forged: Some(forged), ..subjects })
    }

    fn below(paths: &[PathBuf]) -> Result<Self> {
        let mut groups: BTreeMap<(&'static str, String), Vec<Found>> = BTreeMap::new();
        let mut left_out = 0;
        for path in paths {
            for file in files(path).with_context(|| path.display().to_string())? {
                let report = file.read().map(|bytes| verify(KINDS, &file.name(), bytes));
                match report.map(|report| (report.status, report.kind, report.games)) {
                    Ok((Status::Identical, Some(kind), games)) => {
                        let games: Vec<_> = games.iter().map(|game| game.code()).collect();
                        groups.entry((kind, games.join(" "))).or_default().push(file);
                    }
                    _ => left_out += 1,
                }
            }
        }
        ensure!(!groups.is_empty(), "nothing to measure: no file of a known kind");
        let all = groups.into_iter().map(|((kind, games), files)| Subject { kind, games, files }).collect();
        Ok(Self { all, left_out, _forged: None })
    }
}

/// Returns the largest ordinary sample of each kind and game, of those with so many bytes at least. Text readers may be smaller.
#[must_use]
pub fn largest(smallest: usize) -> Vec<Sample> {
    let mut largest: BTreeMap<_, Sample> = BTreeMap::new();
    let (small, least) = SMALL_IN_RETAIL;
    let is_large = |it: &Sample| it.bytes.len() >= if it.kind == small { smallest.min(least) } else { smallest };
    let ordinary = |sample: &Sample| sample.trap.is_none() && is_large(sample);
    for sample in samples(INSTALL_SEED, Size::Retail).into_iter().filter(ordinary) {
        let key = (sample.kind, sample.games);
        if largest.get(&key).is_none_or(|known| known.bytes.len() < sample.bytes.len()) {
            largest.insert(key, sample);
        }
    }
    largest.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds whose samples are too small to measure.
    const SMALL: [&str; 7] = ["physics", "key", "binary-2da", "ssf", "ncs", "text-model", "set"];

    #[test]
    fn every_kind_is_generated() {
        let forged: Vec<_> = largest(SMALLEST).iter().map(|sample| sample.kind).collect();
        // Separate files of binary readers are too small to measure; archives of them are measured with paths. Others are too
        // small as well.
        let is_small = |name: &str| name == "reader" || SMALL.contains(&name);
        let missing = KINDS.iter().map(|kind| kind.name).filter(|name| !is_small(name) && !forged.contains(name));
        assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
    }
}
