//! The files to mutate: generated ones.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use bitexact::install;
use bitexact::registry::{KINDS, Kind, recognize};
use forge::Size;

use crate::anatomy::Anatomy;
use crate::edits::Found;
use crate::form::Sample;
use crate::harness::Case;
use crate::places::places;

/// The maximum number of fields or parts per file: more similar ones do not reveal more.
const PARTS: usize = 4096;

/// The maximum size of files from a folder: larger ones take too long.
const LARGEST: usize = 128 * 1024;

/// A file to mutate.
pub struct Seed {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: &'static Kind,
    /// Its bytes, and the locations of its parts.
    pub(crate) file: Anatomy,
    /// The unpacked folder, created on first use.
    sample: OnceLock<Found<Sample>>,
    places: OnceLock<Vec<String>>,
}

/// All seeds, grouped by kind.
pub struct Seeds(Vec<Vec<Seed>>);

impl Seeds {
    /// Creates the generated files of a size, of every kind or of one.
    ///
    /// # Panics
    /// Panics if a generated file does not decode: then there is nothing to mutate.
    #[must_use]
    pub fn new(seed: u64, size: Size, only: Option<&str>) -> Self {
        let mut all: Vec<Vec<Seed>> = Vec::new();
        let samples = forge::samples(seed, size);
        for kind in KINDS.iter().filter(|kind| only.is_none_or(|only| kind.name == only)) {
            let of_kind = samples.iter().filter(|sample| sample.kind == kind.name);
            all.push(of_kind.map(|sample| Seed::new(&sample.name, kind, sample.bytes.clone())).collect());
        }
        all.retain(|seeds| !seeds.is_empty());
        Self(all)
    }

    /// Adds the files below a folder, if their kind is included.
    ///
    /// # Errors
    /// Returns an error if the folder or a file cannot be read.
    pub fn also(&mut self, folder: &Path) -> io::Result<()> {
        for found in install::files(folder)? {
            let bytes = found.read().map_err(io::Error::other)?;
            let Some((kind, _)) = recognize(KINDS, &found.name(), &bytes) else { continue };
            let all = self.0.iter_mut().find(|seeds| seeds.iter().any(|seed| seed.kind.name == kind.name));
            if let Some(seeds) = all.filter(|_| bytes.len() <= LARGEST && (kind.decode)(bytes.clone().into()).is_ok()) {
                seeds.push(Seed::new(&found.shown(), kind, bytes));
            }
        }
        Ok(())
    }

    /// Returns the files of the kind at a turn.
    #[must_use]
    pub fn of(&self, turn: u64) -> &[Seed] {
        let kinds = self.0.len().max(1) as u64;
        self.0.get((turn % kinds) as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the included kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &'static Kind> {
        self.0.iter().filter_map(|seeds| Some(seeds.first()?.kind))
    }
}

impl AsRef<Anatomy> for Seed {
    fn as_ref(&self) -> &Anatomy {
        &self.file
    }
}

impl Seed {
    fn new(name: &str, kind: &'static Kind, bytes: Vec<u8>) -> Self {
        let file =
            Anatomy::of(kind, bytes, PARTS).unwrap_or_else(|error| panic!("{name} is no {}: {error}", kind.name));
        Self { name: name.to_owned(), kind, file, sample: OnceLock::new(), places: OnceLock::new() }
    }

    /// Returns its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.file.bytes
    }

    /// Returns the places of its values, found on first use.
    pub fn places(&self) -> &[String] {
        self.places.get_or_init(|| places(self.kind, self.file.bytes.clone(), PARTS).unwrap_or_default())
    }

    /// Returns the file with its unpacked folder, or the error of unpacking it.
    pub(crate) fn sample(&self) -> Result<&Sample, &str> {
        let case =
            || Case { name: self.name.clone(), kind: self.kind, bytes: self.file.bytes.clone(), is_large: false };
        self.sample.get_or_init(|| Sample::new(case())).as_ref().map_err(String::as_str)
    }
}
