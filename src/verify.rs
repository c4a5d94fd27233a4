//! `verify`: recognise, decode, lay out again, hash both, compare.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use bytes::Bytes;

use crate::census::Census;
use crate::check::{Check, Deviation, Rules};
use crate::counts::Counts;
use crate::exchange::{self, About, Lost};
use crate::field::memory::{self, Meter};
use crate::field::{Datum, Decoded, Detail, Error, Group, Json, Place, Result, Undecoded, Visitor, visit, wide};
use crate::foreign;
use crate::format::Game;
use crate::format::Model;
use crate::kind::{Kind, Memory, recognise};
use crate::map::Locate;
use crate::proof::{Proof, Sha};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    fn new(status: Status) -> Self {
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
        crate::field::wide(entries.saturating_add(others))
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

/// How a file is verified.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyOptions {
    /// With a report on every entry of a container as well.
    pub entries: bool,
    /// With the numbers of its entries and records.
    pub counts: bool,
    /// With how many values follow the rules that compute them.
    pub rules: bool,
    /// By way of the exchange form: what is laid out again is the model that comes back from it.
    pub via_exchange: bool,
    /// How much memory the file and what is made of it may take, in bytes; without it, what [`memory::allowed`] returns.
    pub memory: Option<u64>,
    /// Where another thread can run, it hashes a large file while this one takes it apart.
    pub spread: bool,
}

/// A file from which on hashing it is worth a thread.
const LARGE: usize = 4 << 20;

/// Verifies the bytes of a file. `name` is the last part of its path; it decides only what content leaves open.
///
/// A panic is caught and reported as internal.
#[must_use]
pub fn verify(kinds: &'static [Kind], name: &str, file: impl Into<Bytes>) -> Report {
    verify_with(kinds, name, file, VerifyOptions::default())
}

/// The same, in a certain way.
#[must_use]
pub fn verify_with(kinds: &'static [Kind], name: &str, file: impl Into<Bytes>, how: VerifyOptions) -> Report {
    Candidate::new(kinds, name, file).verify(how)
}

/// A file of which is known what it is, and which has not been taken apart.
#[derive(Debug)]
pub struct Candidate {
    kinds: &'static [Kind],
    name: String,
    file: Bytes,
    /// The kind and the games, or what the program says that failed.
    recognised: core::result::Result<Option<(&'static Kind, Vec<Game>)>, String>,
}

impl Candidate {
    /// Finds out what a file is. `name` is the last part of its path.
    #[must_use]
    pub fn new(kinds: &'static [Kind], name: &str, file: impl Into<Bytes>) -> Self {
        let file = file.into();
        let recognised = caught(|| recognise(kinds, name, &file));
        Self { kinds, name: name.to_owned(), file, recognised }
    }

    /// The bytes.
    #[must_use]
    pub fn file(&self) -> &Bytes {
        &self.file
    }

    /// Returns how much memory it takes at most to verify it, in bytes, the file included.
    #[must_use]
    pub fn memory(&self, how: VerifyOptions) -> u64 {
        let bytes = crate::field::wide(self.file.len());
        match &self.recognised {
            Ok(Some((kind, _))) => kind.memory.of(bytes, how),
            Ok(None) | Err(_) => bytes,
        }
    }

    /// Verifies it. A panic is caught and reported as internal.
    #[must_use]
    pub fn verify(self, how: VerifyOptions) -> Report {
        self.take_apart(how).0
    }

    /// Verifies it, and returns the model that was laid out again too, if there is one.
    #[must_use]
    pub fn take_apart(self, how: VerifyOptions) -> (Report, Option<Model>) {
        let Self { kinds, name, file, recognised } = self;
        let taken_apart = recognised.and_then(|recognised| caught(|| report(kinds, recognised, &name, &file, how)));
        let (report, model) = taken_apart.unwrap_or_else(|panic| (Report::internal(panic), None));
        (Report { bytes: crate::field::wide(file.len()), ..report }, model)
    }
}

/// What a call gives, or what it says that panics.
fn caught<T>(call: impl FnOnce() -> T) -> core::result::Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let told = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
        told.unwrap_or("panic without a message").to_owned()
    })
}

fn report(
    kinds: &'static [Kind],
    recognised: Option<(&'static Kind, Vec<Game>)>,
    name: &str,
    file: &Bytes,
    how: VerifyOptions,
) -> (Report, Option<Model>) {
    let hash = || Sha::of(file);
    let Some((kind, games)) = recognised else {
        let known = foreign::recognise(name, file);
        let status = if known.is_some() { Status::Foreign } else { Status::Unknown };
        return (Report { kind: known, sha256: Some(hash()), ..Report::new(status) }, None);
    };
    let limit = how.memory.unwrap_or_else(memory::allowed);
    let lay = || -> Result<_> {
        let Decoded { model, undecoded } = (kind.decode_within)(file.clone(), limit)?;
        let laid = Laid::out(&model, file, how)?;
        Ok((model, undecoded, laid))
    };
    let (sha256, laid) = match how.spread && file.len() >= LARGE {
        true => thread::scope(|scope| {
            let hash = scope.spawn(hash);
            let laid = lay();
            (hash.join().unwrap_or_else(|panic| resume_unwind(panic)), laid)
        }),
        false => (hash(), lay()),
    };
    let (report, model) = match laid {
        Ok((mut model, undecoded, laid)) => {
            let mut report = laid.report(sha256);
            if how.via_exchange {
                let about = About { kind, games: &games, sha256, deviations: &report.deviations };
                match exchange::through(kinds, model, about, limit, wide(file.len())) {
                    Ok(back) => {
                        model = back;
                        match Laid::out(&model, file, how) {
                            Ok(laid) => report = laid.report(sha256),
                            Err(error) => return (too_large(&error), None),
                        }
                    }
                    Err(Lost::Memory(error)) => return (too_large(&error), None),
                    Err(Lost::Exchange(why)) => {
                        report.failure = Some(Failure::Exchange(why));
                        report.status = Status::Different;
                        let (kind, sha256) = (Some(kind.name), Some(sha256));
                        return (Report { undecoded, kind, games, sha256, ..report }, None);
                    }
                }
            }
            if how.counts {
                let mut counts = Counts::default();
                report.counts = visit(&model, &mut counts).is_ok().then_some(counts);
            }
            (Report { undecoded, ..report }, Some(model))
        }
        Err(error) if error.is_memory() => return (too_large(&error), None),
        Err(error) => (Report { failure: Some(Failure::Decode(error)), ..Report::new(Status::Refused) }, None),
    };
    (Report { kind: Some(kind.name), games, sha256: Some(sha256), ..report }, model)
}

/// Returns the report on a file that takes more memory than allowed.
fn too_large(error: &Error) -> Report {
    Report::unreadable(error.to_string())
}

/// What laying a model out again has shown.
struct Laid {
    rewritten: Sha,
    ledger: Ledger,
    deviations: Vec<Deviation>,
    rules: Option<Rules>,
    failure: Option<Failure>,
}

impl Laid {
    /// Lays the model out in one pass: hashed, compared, counted and checked at once.
    ///
    /// # Errors
    /// Returns an error if that takes more memory than allowed.
    fn out(model: &Model, file: &[u8], how: VerifyOptions) -> Result<Self> {
        let mut pass = Pass {
            proof: Proof::against(file),
            check: Check::default(),
            ledger: Ledger::new(how.entries, how.memory.unwrap_or_else(memory::allowed), wide(file.len())),
        };
        let mut outcome = visit(model, &mut pass);
        if outcome.is_ok()
            && let Some(fault) = pass.ledger.memory.refused()
        {
            return Err(Error::new(wide(file.len()), Place::default(), fault));
        }
        if let Err(error) = &outcome
            && error.is_memory()
        {
            return Err(error.clone());
        }
        let Pass { proof, check, ledger } = pass;
        let (rewritten, difference) = proof.finish();
        let (mut deviations, mut rules) = check.finish();
        if !deviations.is_empty() || outcome.is_err() || how.rules {
            // Places were left out; now they are wanted.
            let mut check = if how.rules { Check::counting() } else { Check::default() };
            outcome = visit(model, &mut check);
            (deviations, rules) = check.finish();
        }
        let failure = match (outcome, difference) {
            (Err(error), _) => Some(Failure::Decode(error)),
            (Ok(_), Some(offset)) => {
                let mut locate = Locate::at(offset);
                let found = visit(model, &mut locate);
                Some(Failure::Differs { offset, place: found.ok().and_then(|_| locate.place()) })
            }
            (Ok(_), None) => None,
        };
        Ok(Self { rewritten, ledger, deviations, rules, failure })
    }

    /// What there is to report when the file has this hash.
    fn report(self, sha256: Sha) -> Report {
        let Self { rewritten, ledger, deviations, rules, failure } = self;
        let status = if failure.is_none() && rewritten == sha256 { Status::Identical } else { Status::Different };
        Report {
            rewritten: Some(rewritten),
            census: Some(ledger.census),
            deviations,
            rules,
            entries: ledger.entries,
            failure,
            ..Report::new(status)
        }
    }
}

/// One pass for the proof, the deviations and the census.
struct Pass<'a> {
    proof: Proof<'a>,
    check: Check,
    ledger: Ledger,
}

impl Visitor for Pass<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        self.proof.data(datum)?;
        self.check.data(datum)?;
        self.ledger.data(datum)
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.ledger.enter(group, place, offset);
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.ledger.leave(group, place, offset);
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Json, found: Json) {
        self.check.deviates(place, offset, expected, found);
    }

    fn detail(&self) -> Detail {
        if self.ledger.detailed { Detail::Entries } else { Detail::Bytes }
    }

    fn judges(&self) -> bool {
        true
    }
}

/// The census of a file and of each of its entries.
#[derive(Debug)]
struct Ledger {
    /// Whether entries are wanted.
    detailed: bool,
    census: Census,
    entries: Vec<Entry>,
    /// Which entries are open, and the census of the file when each began.
    open: Vec<(usize, Census)>,
    /// What the entries take.
    memory: Meter,
}

impl Ledger {
    fn new(detailed: bool, memory: u64, elsewhere: u64) -> Self {
        let memory = Meter::new(memory, elsewhere);
        Self { detailed, census: Census::default(), entries: Vec::new(), open: Vec::new(), memory }
    }
}

impl Visitor for Ledger {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if let Some(fault) = self.memory.refused() {
            return Err(Error::new(datum.offset, datum.place.clone(), fault));
        }
        self.census.data(datum)
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        if let (true, Group::Entry { kind, .. }) = (self.detailed, group) {
            let census = Census::default();
            let bytes = wide(size_of::<Entry>().saturating_mul(2).saturating_add(place.memory()));
            // Nothing can be refused here; the next byte is.
            if self.memory.charge(bytes).is_err() {
                return;
            }
            self.open.push((self.entries.len(), self.census));
            self.entries.push(Entry { place: place.clone(), kind, offset, bytes: 0, census });
        }
    }

    fn leave(&mut self, group: Group, _: &Place, offset: u64) {
        if let (true, Group::Entry { .. }) = (self.detailed, group)
            && let Some((entry, before)) = self.open.pop()
            && let Some(entry) = self.entries.get_mut(entry)
        {
            entry.bytes = offset.saturating_sub(entry.offset);
            entry.census = self.census.since(&before);
        }
    }
}

impl Memory {
    /// The factor for a way to verify a file.
    #[must_use]
    pub const fn factor(self, how: VerifyOptions) -> u64 {
        let way = if how.via_exchange { self.exchange } else { self.direct };
        way.saturating_add(if how.entries { self.entries } else { 0 })
    }

    /// The bytes that a file of this size takes at most.
    #[must_use]
    pub const fn of(self, bytes: u64, how: VerifyOptions) -> u64 {
        crate::field::limits::MEMORY_BASE.saturating_add(bytes.saturating_mul(self.factor(how)))
    }
}
