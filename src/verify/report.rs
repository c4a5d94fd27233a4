//! The results of verifying a file.

use std::fmt;

use super::pristine;
use field::{Error, Place, Undecoded, wide};
use kind::Game;
use lint::{Scope, Warning};
use passes::{Census, Counts, Deviation, Rules, Sha, Strip};

/// What the map of Marathon has in place of a checksum.
const CHECKSUM_OF_MARATHON: i64 = 0x03C9;

/// The result of verifying a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It decodes, and the hashes of the file and of the re-encoded bytes, both computed, are equal.
    Identical,
    /// It decodes, but the re-encoded bytes differ: a bug in bitexact.
    Different,
    /// It is of a known kind by content or name, but does not decode.
    Refused,
    /// It is of a recognized but unsupported kind.
    Foreign,
    /// Neither its content nor its name is known.
    Unknown,
    /// It could not be read from disk.
    Unreadable,
}

impl Status {
    /// All statuses, in the order of the summary.
    pub const ALL: [Self; 6] =
        [Self::Identical, Self::Different, Self::Refused, Self::Foreign, Self::Unknown, Self::Unreadable];

    /// Returns `true` if the file is of a supported kind.
    #[must_use]
    pub const fn is_ours(self) -> bool {
        matches!(self, Self::Identical | Self::Different | Self::Refused)
    }

    /// Returns `true` if the file is different, refused or unreadable.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Different | Self::Refused | Self::Unreadable)
    }

    /// Returns the name of the status, as in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Different => "different",
            Self::Refused => "refused",
            Self::Foreign => "foreign",
            Self::Unknown => "unknown",
            Self::Unreadable => "unreadable",
        }
    }
}

/// The reason why a file failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// It does not decode, or its model cannot be encoded.
    Decode(Error),
    /// The re-encoded bytes differ.
    Differs {
        /// The offset of the first byte that differs.
        offset: u64,
        /// The field that owns this byte in the model.
        place: Option<Place>,
    },
    /// It does not round-trip via the exchange format.
    Exchange(String),
    /// An import finds edits in its own export.
    Gltf(String),
    /// It cannot be read.
    Read(String),
    /// The program panicked, with this message.
    Internal(String),
}

impl Failure {
    /// Returns the offset in the file, or `None` if there is none.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Decode(error) => error.offset(),
            Self::Differs { offset, .. } => Some(*offset),
            Self::Exchange(_) | Self::Gltf(_) | Self::Read(_) | Self::Internal(_) => None,
        }
    }

    /// Returns the field concerned, or `None` if there is none.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Decode(error) => Some(error.place()),
            Self::Differs { place, .. } => place.as_ref(),
            Self::Exchange(_) | Self::Gltf(_) | Self::Read(_) | Self::Internal(_) => None,
        }
    }

    /// Returns the reason, without offset and place.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Decode(error) => error.fault().to_string(),
            Self::Differs { .. } => {
                "the re-encoded file differs from here on (a bug in bitexact, please report it)".to_owned()
            }
            Self::Exchange(why) | Self::Gltf(why) | Self::Read(why) | Self::Internal(why) => why.clone(),
        }
    }
}

/// The failure on one line: offset, place, reason.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Differs { offset, place: Some(place) } => write!(f, "{offset:#010x}: {place}: {}", self.message()),
            Self::Differs { offset, place: None } => write!(f, "{offset:#010x}: (no field): {}", self.message()),
            Self::Read(why) => f.write_str(why),
            Self::Exchange(why) => write!(f, "via the exchange format: {why}"),
            Self::Gltf(why) => write!(f, "via glTF: {why}"),
            Self::Internal(why) => write!(f, "internal error: {why}"),
        }
    }
}

/// The report of `verify` on a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The result.
    pub status: Status,
    /// The kind of the file, if any.
    pub kind: Option<&'static str>,
    /// What its entries are, if files of its kind hold different things.
    pub holds: Option<&'static str>,
    /// The games that it can belong to.
    pub games: Vec<Game>,
    /// The size in bytes.
    pub bytes: u64,
    /// The hash of the file.
    pub sha256: Option<Sha>,
    /// The hash of the re-encoded bytes, if they were hashed.
    pub rewritten: Option<Sha>,
    /// `true` if a list of the user's names a file with this content.
    pub is_listed: bool,
    /// `true` if the content is that of a known file, but at the path of another.
    pub is_misplaced: bool,
    /// The bytes, counted by class.
    pub census: Option<Census>,
    /// The owners of the bytes along the file, if requested.
    pub strip: Option<Strip>,
    /// The values that the format specs do not expect.
    pub deviations: Vec<Deviation>,
    /// The numbers of values that match the rules that compute them, if requested.
    pub rules: Option<Rules>,
    /// The signs of damage, each with its [severity](lint::Scope::severity).
    pub damage: Vec<Warning>,
    /// Entries kept as raw bytes because they do not decode.
    pub undecoded: Vec<Undecoded>,
    /// The entries at all depths, if requested.
    pub entries: Vec<Entry>,
    /// The numbers of entries and records, if requested.
    pub counts: Option<Counts>,
    /// The reason if the file failed.
    pub failure: Option<Failure>,
}

/// An entry of a container.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The place of the entry.
    pub place: Place,
    /// The kind of its contents.
    pub kind: &'static str,
    /// The offset in the file at which it begins.
    pub offset: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// Its bytes, counted by class, including those of nested entries.
    pub census: Census,
}

impl Report {
    pub(crate) fn new(status: Status) -> Self {
        Self {
            status,
            kind: None,
            holds: None,
            games: Vec::new(),
            bytes: 0,
            sha256: None,
            rewritten: None,
            is_listed: false,
            is_misplaced: false,
            census: None,
            strip: None,
            deviations: Vec::new(),
            rules: None,
            damage: Vec::new(),
            undecoded: Vec::new(),
            entries: Vec::new(),
            counts: None,
            failure: None,
        }
    }

    /// Returns the report on a file that cannot be read.
    #[must_use]
    pub fn unreadable(why: String) -> Self {
        Self { failure: Some(Failure::Read(why)), ..Self::new(Status::Unreadable) }
    }

    /// Returns the report on a file at which the program panicked.
    #[must_use]
    pub fn internal(why: String) -> Self {
        Self { failure: Some(Failure::Internal(why)), ..Self::new(Status::Refused) }
    }

    /// Returns the approximate memory that the report takes, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let Self { deviations, undecoded, damage, entries, .. } = self;
        let places = entries.iter().map(|entry| entry.place.memory()).sum::<usize>();
        let entries = entries.len() * size_of::<Entry>() + places;
        let others = (deviations.len() + undecoded.len() + damage.len() + 1) * (1 << 10);
        wide(entries + others)
    }

    /// Returns `true` if the file is known to be as sold, and not known to be in the place of another.
    #[must_use]
    pub fn is_pristine(&self) -> bool {
        let is_known = || self.sha256.is_some_and(|sha256| pristine(&sha256).is_some());
        !self.is_misplaced && (self.is_listed || is_known())
    }

    /// Returns `true` if the program itself failed at this file.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        matches!(self.failure, Some(Failure::Internal(_)))
    }

    /// Returns the worst severity of the signs of damage, `damaged`, `extra` or `suspect`, or `None` if there are none.
    #[must_use]
    pub fn severity(&self) -> Option<&'static str> {
        // In the order of the alphabet, the worse one is first.
        self.damage.iter().filter_map(|it| it.trap.scope.severity()).min()
    }

    /// Returns `true` if bytes of the file are lost.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.damage.iter().any(|it| it.trap.scope == Scope::Damage)
    }

    /// Returns the checksums that do not fit the bytes they cover: something has changed the file after it was written.
    pub fn wrong_checksums(&self) -> impl Iterator<Item = &Deviation> {
        let is_checksum = |it: &&Deviation| it.place.ends_with("/checksum") || it.place.ends_with("/crc");
        // The map of Marathon has a constant (`marathon-wad.md`, section 6).
        self.deviations.iter().filter(is_checksum).filter(|it| it.found != CHECKSUM_OF_MARATHON)
    }

    /// Returns `true` if nothing but its kind, which bitexact does not read, makes the file a finding under `--strict`. It is none if the
    /// install around it has such a file there.
    #[must_use]
    pub fn is_beyond(&self) -> bool {
        matches!(self.status, Status::Foreign | Status::Unknown) && !self.is_damaged()
    }

    /// Returns `true` if the file is a finding under `--strict`: not identical, damaged, with an entry that does not decode, or with a
    /// checksum that does not fit.
    #[must_use]
    pub fn is_finding(&self) -> bool {
        let is_changed = self.is_damaged() || self.wrong_checksums().next().is_some();
        self.status != Status::Identical || !self.undecoded.is_empty() || is_changed
    }
}
