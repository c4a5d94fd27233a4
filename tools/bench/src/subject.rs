//! What is measured: files that are alike, by kind and games.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use bitexact::install::{Found, files};
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};
use forge::{INSTALL_SEED, Sample, Size, samples};
use tempfile::TempDir;

/// Copies of a forged file are made until they come to so many bytes, as an install has many small files rather than
/// one that never leaves the processor's cache.
const SET: usize = 16 << 20;

/// Smaller samples are small in any game, and say nothing of retail files.
const SMALLEST: usize = 16 << 10;

/// Files of one kind and of the same games, for one game's files of a kind can be made of smaller parts than another's.
#[derive(Debug)]
pub struct Subject {
    /// The kind in one word.
    pub kind: &'static str,
    /// The games they can be of.
    pub games: String,
    /// The files.
    pub files: Vec<Found>,
}

/// All that is measured.
#[derive(Debug)]
pub struct Subjects {
    /// Kind by kind, in the order of their names.
    pub all: Vec<Subject>,
    /// Files left out because they are not identical after `verify`, most of them of no kind of ours.
    pub left_out: usize,
    /// Where the forged files lie, for as long as they are measured.
    _forged: Option<TempDir>,
}

impl Subject {
    /// Returns all bytes of the files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| file.size.as_ref().ok()).sum()
    }
}

impl Subjects {
    /// Creates the files below some paths; without paths, the largest ordinary files that the forge makes.
    ///
    /// # Errors
    /// When there is nothing at a path, or nothing to measure below them.
    pub fn new(paths: &[PathBuf]) -> Result<Self> {
        if !paths.is_empty() {
            return Self::below(paths);
        }
        let forged = tempfile::tempdir().context("cannot make a folder for the forged files")?;
        for sample in largest() {
            for copy in 0..SET.div_ceil(sample.bytes.len()) {
                // A folder a copy, for the name may say the kind.
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

/// Returns the largest ordinary sample of each kind and game.
fn largest() -> Vec<Sample> {
    let mut largest: BTreeMap<_, Sample> = BTreeMap::new();
    let ordinary = |sample: &Sample| sample.trap.is_none() && sample.bytes.len() >= SMALLEST;
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

    #[test]
    fn every_kind_is_forged() {
        let forged: Vec<_> = largest().iter().map(|sample| sample.kind).collect();
        // Loose reader files are too small to be measured; archives of them are measured by their paths. So is the physics
        // model of Marathon.
        for kind in KINDS.iter().filter(|kind| !kind.name.ends_with("reader") && kind.name != "physics") {
            assert!(forged.contains(&kind.name), "{}", kind.name);
        }
    }
}
