//! What is found out about a file.

use std::fmt;

use crate::field::{Error, Place, Undecoded, wide};
use crate::kind::Game;
use crate::passes::{Census, Counts, Deviation, Rules, Sha};
use crate::zipper::install::pristine;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Decoded, laid out again, both hashes computed from bytes and equal.
    Identical,
    /// Decoded, but the rewritten bytes differ: a bug of ours.
    Different,
    /// Of a known kind by content or name, but it does not decode.
    Refused,
    /// A known kind that is not ours.
    Foreign,
    /// Neither content nor name known.
    Unknown,
    /// Could not be read from disk.
    Unreadable,
}

impl Status {
    /// All of them, in the order of the summary.
    pub const ALL: [Self; 6] =
        [Self::Identical, Self::Different, Self::Refused, Self::Foreign, Self::Unknown, Self::Unreadable];

    /// Whether the file is of a kind that is ours.
    #[must_use]
    pub const fn is_ours(self) -> bool {
        matches!(self, Self::Identical | Self::Different | Self::Refused)
    }

    /// Whether the file failed.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Different | Self::Refused | Self::Unreadable)
    }

    /// The word for it in rows.
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

/// What went wrong with a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// It does not decode, or its model cannot be written.
    Decode(Error),
    /// The rewritten bytes differ.
    Differs {
        /// The first byte that does.
        offset: u64,
        /// The field that owns it in the model.
        place: Option<Place>,
    },
    /// It does not come back from its exchange form.
    Exchange(String),
    /// It cannot be read.
    Read(String),
    /// The program failed: a panic, with its message.
    Internal(String),
}

impl Failure {
    /// Where in the file it is.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Decode(error) => error.offset(),
            Self::Differs { offset, .. } => Some(*offset),
            Self::Exchange(_) | Self::Read(_) | Self::Internal(_) => None,
        }
    }

    /// The field that it is about.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Decode(error) => Some(error.place()),
            Self::Differs { place, .. } => place.as_ref(),
            Self::Exchange(_) | Self::Read(_) | Self::Internal(_) => None,
        }
    }

    /// What went wrong, without where.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Decode(error) => error.fault().to_string(),
            Self::Differs { .. } => {
                "the re-encoded file differs from here on (a bug in bitexact, please report it)".to_owned()
            }
            Self::Exchange(why) | Self::Read(why) | Self::Internal(why) => why.clone(),
        }
    }
}

/// One line: offset, place, reason.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Differs { offset, place: Some(place) } => write!(f, "{offset:#010x}: {place}: {}", self.message()),
            Self::Differs { offset, place: None } => write!(f, "{offset:#010x}: (no field): {}", self.message()),
            Self::Read(why) => f.write_str(why),
            Self::Exchange(why) => write!(f, "via the exchange format: {why}"),
            Self::Internal(why) => write!(f, "internal error: {why}"),
        }
    }
}

/// What `verify` says of a file, or of an entry of one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// What became of it.
    pub status: Status,
    /// Its kind, if any.
    pub kind: Option<&'static str>,
    /// The games it can be of.
    pub games: Vec<Game>,
    /// Its size.
    pub bytes: u64,
    /// The hash of the file.
    pub sha256: Option<Sha>,
    /// The hash of what its model lays down.
    pub rewritten: Option<Sha>,
    /// Who owns its bytes.
    pub census: Option<Census>,
    /// What deviates from the documents.
    pub deviations: Vec<Deviation>,
    /// How many values follow the rules that compute them, if that was asked for.
    pub rules: Option<Rules>,
    /// Entries kept as they are because they do not decode.
    pub undecoded: Vec<Undecoded>,
    /// The entries it holds, at all depths, if they were asked for.
    pub entries: Vec<Entry>,
    /// How much it holds of what, if that was asked for.
    pub counts: Option<Counts>,
    /// What went wrong.
    pub failure: Option<Failure>,
}

/// An entry of a container.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Where it is.
    pub place: Place,
    /// What it holds.
    pub kind: &'static str,
    /// Where it begins in the file.
    pub offset: u64,
    /// Its size.
    pub bytes: u64,
    /// Who owns its bytes, those of entries in it included.
    pub census: Census,
}

impl Report {
    pub(super) fn new(status: Status) -> Self {
        Self {
            status,
            kind: None,
            games: Vec::new(),
            bytes: 0,
            sha256: None,
            rewritten: None,
            census: None,
            deviations: Vec::new(),
            rules: None,
            undecoded: Vec::new(),
            entries: Vec::new(),
            counts: None,
            failure: None,
        }
    }

    /// The report on a file that cannot be read.
    #[must_use]
    pub fn unreadable(why: String) -> Self {
        Self { failure: Some(Failure::Read(why)), ..Self::new(Status::Unreadable) }
    }

    /// The report on a file at which the program failed.
    #[must_use]
    pub fn internal(why: String) -> Self {
        Self { failure: Some(Failure::Internal(why)), ..Self::new(Status::Refused) }
    }

    /// About how many bytes of memory it takes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let Self { deviations, undecoded, entries, .. } = self;
        let places = entries.iter().map(|entry| entry.place.memory()).sum::<usize>();
        let entries = entries.len().saturating_mul(size_of::<Entry>()).saturating_add(places);
        let others = deviations.len().saturating_add(undecoded.len()).saturating_add(1).saturating_mul(1 << 10);
        wide(entries.saturating_add(others))
    }

    /// Returns `true` if the file matches the known retail release.
    #[must_use]
    pub fn is_pristine(&self) -> bool {
        self.sha256.is_some_and(|sha256| pristine(&sha256).is_some())
    }

    /// Whether the program itself failed at this file.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        matches!(self.failure, Some(Failure::Internal(_)))
    }

    /// Whether it is a finding under `--strict`: anything but an identical file of which every entry decodes.
    #[must_use]
    pub fn is_finding(&self) -> bool {
        self.status != Status::Identical || !self.undecoded.is_empty()
    }
}
