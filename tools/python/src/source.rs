//! A file that has been read and proven to round-trip, as the program does it before it edits.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::{fs, io};

use bitexact::edit::{BifKeys, Comparison};
use bitexact::exchange::{About, repacked};
use bitexact::field::memory;
use bitexact::install::is_readable;
use bitexact::json::Describe as _;
use bitexact::kind::{Game, foreign};
use bitexact::mods;
use bitexact::output;
pub(crate) use bitexact::output::name_of;
use bitexact::passes::{Deviation, Sha};
use bitexact::registry::{KINDS, Kind, Model, recognize};
use bitexact::verify::{Candidate, VerifyOptions};
use bytes::Bytes;

use crate::failure::{Done, Failure};
use crate::warned::Warned;

/// A file of a supported kind that round-trips.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
    pub(crate) kind: &'static Kind,
    pub(crate) games: Vec<Game>,
    pub(crate) sha256: Sha,
    deviations: Vec<Deviation>,
    pub(crate) model: Model,
}

/// Returns the bytes of a regular file, unless it is larger than the memory allowed.
pub(crate) fn bytes_of(path: &Path) -> Done<Bytes> {
    let read = || -> Done<Bytes> {
        let about = fs::metadata(path)?;
        if about.is_dir() {
            return Err(Failure::of_system(ErrorKind::IsADirectory, "is a folder; name a file"));
        }
        is_readable(&about).map_err(Failure::new)?;
        if about.len() > memory::allowed() {
            let (bytes, limit) = (about.len(), memory::allowed());
            return Err(Failure::new(format!(
                "expected at most {limit} bytes, found {bytes}; set memory_limit() higher"
            )));
        }
        Ok(fs::read(path)?.into())
    };
    read().map_err(|failure| failure.of(path))
}

impl Source {
    /// Reads and decodes a file.
    pub(crate) fn read(path: &Path) -> Done<Self> {
        Self::of(name_of(path), bytes_of(path)?).map_err(|failure| failure.of(path))
    }

    /// Decodes the bytes of a file with this name.
    pub(crate) fn of(name: String, bytes: Bytes) -> Done<Self> {
        let Some((kind, games)) = recognize(KINDS, &name, &bytes) else {
            return Err(Failure::new(match foreign::recognize(&name, &bytes) {
                Some(foreign) => format!("unsupported format: {foreign}"),
                None => "unknown format; formats() lists the supported ones".to_owned(),
            }));
        };
        let how = VerifyOptions::default().spread(true);
        let (report, model) = Candidate::new(KINDS, &name, bytes.clone()).take_apart(how);
        match (&report.failure, report.sha256, model) {
            (None, Some(sha256), Some(model)) => {
                Ok(Self { name, bytes, kind, games, sha256, deviations: report.deviations, model })
            }
            (Some(failure), ..) => Err(failure.into()),
            (None, ..) => Err(Failure::new(report.status.name())),
        }
    }

    /// Returns the file after an edit that has been proven.
    pub(crate) fn edited(&self, bytes: Bytes, model: Model) -> Self {
        let sha256 = Sha::of(&bytes);
        let (name, games) = (self.name.clone(), self.games.clone());
        Self { name, bytes, kind: self.kind, games, sha256, deviations: Vec::new(), model }
    }

    pub(crate) fn about(&self) -> About<'_> {
        About { kind: self.kind, games: &self.games, sha256: self.sha256, deviations: &self.deviations }
    }

    /// Compares the file with the one before an edit.
    pub(crate) fn compared<'c>(&'c self, before: &'c Self) -> Done<Comparison<'c>> {
        Ok(Comparison::of(self.kind, (&before.bytes, &before.model), (&self.bytes, &self.model))?)
    }

    /// Returns what an edit brings that the file before does not have: deviations, and warnings.
    pub(crate) fn warnings(&self, compared: &Comparison<'_>) -> Done<Vec<Warned>> {
        let mut warnings = Vec::new();
        for it in compared.new_deviations()? {
            let (expected, found) = (it.expected.describe(), it.found.describe());
            let text = format!("deviation: {}: expected {expected}, found {found}", it.first_place);
            warnings.push(Warned { text, place: Some(it.first_place.to_string()), id: None });
        }
        warnings.extend(compared.new_warnings(&self.name)?.iter().map(Warned::of));
        Ok(warnings)
    }

    /// Proves that the files of the exchange format pack to the same bytes.
    pub(crate) fn prove(&self, files: BTreeMap<String, Bytes>) -> Done {
        repacked(KINDS, files, &self.bytes).map(drop).map_err(Failure::new)
    }
}

/// Writes a file and the KEYs that follow it, which are backed up before if `backup`. `before` is the hash that the file must have.
pub(crate) fn put(target: &Path, bytes: &Bytes, before: Option<Sha>, (stated, backup): (&BifKeys, bool)) -> Done {
    for key in stated.paths().filter(|_| backup) {
        output::back_up(key).map_err(|error| Failure::from(error).of(key))?;
    }
    let written = mods::write(target, core::slice::from_ref(bytes), before, stated, None);
    written.map(drop).map_err(|refusal| Failure::of_file(target, refusal))
}

/// Finds the KEYs that state the size of a BIF that is written.
pub(crate) fn stated(kind: &Kind, target: &Path, bytes: &[u8]) -> Done<BifKeys> {
    let read = |path: &Path| {
        let about = fs::metadata(path)?;
        is_readable(&about).map_err(io::Error::other)?;
        match about.len() > memory::allowed() {
            true => Err(io::Error::other("larger than memory_limit() allows")),
            false => fs::read(path),
        }
    };
    Ok(BifKeys::of(kind, target, bytes, &read)?)
}
