//! A file, recognized, decoded, encoded again and compared.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use bytes::Bytes;

#[cfg(feature = "exchange")]
use exchange::{self, About, RoundTripError};
use field::memory::{self, Meter};
use field::walk::visit_fresh;
use field::work::{cores_for, start};
use field::{Datum, Decoded, Detail, Error, Group, Place, Result, Thresholds, Value, Visitor, limits, wide};
use kind::{Game, Kind, Model, foreign, recognize};
use lint::{Scope, Warning};
use passes::damage::{self, Damage, Suspicion};
use passes::spoiled::{self, Decoder};
use passes::zeros;
use passes::{Census, Check, Counts, Deviation, Locate, Nobody, Proof, Receiver, Rules, Sha, Strip, Stripping};

use super::{Entry, Failure, Report, Status, VerifyOptions};
use crate::registry::KINDS;

/// Verifies the bytes of a file. `name` is the last part of its path; it only decides what the content leaves open.
///
/// A panic is caught and reported as internal.
#[must_use]
pub fn verify(kinds: &'static [Kind], name: &str, file: impl Into<Bytes>) -> Report {
    verify_with(kinds, name, file, VerifyOptions::default())
}

/// Verifies the bytes of a file with the given options. `name` is the last part of its path.
///
/// A panic is caught and reported as internal.
#[must_use]
pub fn verify_with(kinds: &'static [Kind], name: &str, file: impl Into<Bytes>, how: VerifyOptions) -> Report {
    Candidate::new(kinds, name, file).verify(how)
}

/// What is done with a model while it is proven.
type Beside<'a> = &'a (dyn Fn(&'static Kind, &Model) + Sync);

/// A recognized file that has not been decoded yet.
#[derive(Debug)]
pub struct Candidate {
    pub(super) kinds: &'static [Kind],
    pub(super) name: String,
    pub(super) file: Bytes,
    /// The kind and the games, or the message of the panic during recognition.
    pub(super) recognized: core::result::Result<Option<(&'static Kind, Vec<Game>)>, String>,
}

impl Candidate {
    /// Recognizes the kind of a file. `name` is the last part of its path.
    #[must_use]
    pub fn new(kinds: &'static [Kind], name: &str, file: impl Into<Bytes>) -> Self {
        let file = file.into();
        let recognized = caught(|| recognize(kinds, name, &file));
        Self { kinds, name: name.to_owned(), file, recognized }
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn file(&self) -> &Bytes {
        &self.file
    }

    /// Returns the maximum memory in bytes for verifying the file, including the file itself.
    #[must_use]
    pub fn memory(&self, how: VerifyOptions) -> u64 {
        let bytes = field::wide(self.file.len());
        match &self.recognized {
            Ok(Some((kind, _))) => how.estimate(kind.memory, bytes),
            Ok(None) | Err(_) => bytes,
        }
    }

    /// Verifies the file. A panic is caught and reported as internal.
    #[must_use]
    pub fn verify(self, how: VerifyOptions) -> Report {
        self.take_apart(how).0
    }

    /// Verifies the file, and also returns the model that was re-encoded, if any.
    #[must_use]
    pub fn take_apart(self, how: VerifyOptions) -> (Report, Option<Model>) {
        self.report(how, None, None, None)
    }

    /// Does the same as [`take_apart`](Self::take_apart), and something else with the model of a file that is laid out, meanwhile if there
    /// is a core for it. Returns its result too.
    #[must_use]
    pub fn take_apart_beside<R: Send>(
        self,
        how: VerifyOptions,
        beside: impl Fn(&'static Kind, &Model) -> R + Sync,
    ) -> (Report, Option<Model>, Option<R>) {
        let done = Mutex::new(None);
        let act = |kind, model: &Model| {
            let made = beside(kind, model);
            *done.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
        };
        let (report, model) = self.report(how, None, None, Some(&act));
        (report, model, done.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Verifies the file, but leaves both hashes to others, such as to the browser around the program, which is faster: `to` receives all
    /// re-encoded bytes. With `strip`, the owners of the bytes along the file are reported too.
    #[must_use]
    pub fn verify_unhashed(self, strip: bool, to: Receiver<'_>) -> Unhashed {
        Unhashed(self.report(VerifyOptions::default().strip(strip), None, Some(to), None).0)
    }

    /// Does the same as [`take_apart`](Self::take_apart), but for [the proof alone](VerifyOptions::only_proof), whose walk another visitor
    /// shares. The file is not hashed either.
    #[cfg(feature = "exchange")]
    pub(crate) fn take_apart_with(self, other: &mut dyn Visitor) -> (Report, Option<Model>) {
        self.report(VerifyOptions::default().only_proof(true), Some(other), None, None)
    }

    fn report(
        self,
        how: VerifyOptions,
        other: Option<&mut dyn Visitor>,
        to: Option<Receiver<'_>>,
        beside: Option<Beside<'_>>,
    ) -> (Report, Option<Model>) {
        let Self { kinds, name, file, recognized } = self;
        let taken_apart = recognized
            .and_then(|recognized| caught(|| report(kinds, recognized, (&name, &file), how, (other, to, beside))));
        let (report, model) = taken_apart.unwrap_or_else(|panic| (Report::internal(panic), None));
        (Report { bytes: field::wide(file.len()), ..report }, model)
    }
}

/// The report on a file whose hashes are still to come.
#[derive(Clone, Debug)]
pub struct Unhashed(Report);

impl Unhashed {
    /// Returns the report, given the hashes of the file and of all re-encoded bytes. The file is identical only if they are equal.
    #[must_use]
    pub fn hashed(self, sha256: Sha, rewritten: Sha) -> Report {
        let Self(mut report) = self;
        if report.status == Status::Unreadable || report.is_internal() {
            return report;
        }
        report.sha256 = Some(sha256);
        // Only a file that was decoded has bytes that were encoded again.
        if report.census.is_some() {
            report.rewritten = Some(rewritten);
            report.status = status(report.failure.as_ref(), rewritten == sha256);
        }
        report
    }
}

/// Returns the result for a file that was encoded again.
fn status(failure: Option<&Failure>, is_same: bool) -> Status {
    if failure.is_none() && is_same { Status::Identical } else { Status::Different }
}

/// Returns the result of a call, or its message if it panics.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> core::result::Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let told = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
        told.unwrap_or("panic without a message").to_owned()
    })
}

#[cfg_attr(not(feature = "exchange"), allow(unused_mut, unused_variables, reason = "no model is replaced"))]
fn report(
    kinds: &'static [Kind],
    recognized: Option<(&'static Kind, Vec<Game>)>,
    (name, file): (&str, &Bytes),
    how: VerifyOptions,
    (other, to, beside): (Option<&mut dyn Visitor>, Option<Receiver<'_>>, Option<Beside<'_>>),
) -> (Report, Option<Model>) {
    let is_hashed = to.is_none() && other.is_none();
    let hash = || is_hashed.then(|| Sha::of(file));
    let Some((kind, games)) = recognized else {
        let known = foreign::recognize(name, file);
        let status = if known.is_some() { Status::Foreign } else { Status::Unknown };
        let is_claimed = kinds.iter().any(|kind| kind.claims(name));
        let damage = damage::of_stranger(known, file, is_claimed).into_iter().collect();
        return (Report { kind: known, sha256: hash(), damage, ..Report::new(status) }, None);
    };
    let limit = how.memory.unwrap_or_else(memory::allowed);
    let decoder = Decoder { kind, memory: limit };
    let lay = || -> Result<_> {
        let Decoded { model, undecoded } = (kind.decode_within)(file.clone(), limit)?;
        let out = || Laid::out(&model, file, how, (visit_fresh, decoder), (other, to));
        let laid = match beside {
            Some(beside) => meanwhile(file.len(), out, &|| beside(kind, &model))?,
            None => out()?,
        };
        Ok((model, undecoded, laid))
    };
    let (sha256, laid) = match how.spread && is_hashed && file.len() >= Thresholds::here().bytes_for_hash {
        true => thread::scope(|scope| {
            let other = start(scope, None, hash);
            let laid = lay();
            let joined = |it: ScopedJoinHandle<'_, Option<Sha>>| it.join().unwrap_or_else(|panic| resume_unwind(panic));
            // If a thread cannot be started, this one does its share.
            (other.map_or_else(|_| hash(), joined), laid)
        }),
        false => (hash(), lay()),
    };
    let (report, model) = match laid {
        Ok((mut model, undecoded, laid)) => {
            let mut report = laid.report(sha256, how);
            let mut visit_it: Visit = visit_fresh;
            #[cfg(feature = "exchange")]
            if how.via_exchange
                && let Some(sha256) = sha256
            {
                let about = About { kind, games: &games, sha256, deviations: &report.deviations };
                match exchange::through(kinds, model, about, limit, wide(file.len())) {
                    Ok(back) => {
                        model = back;
                        visit_it = |model, _, visitor| field::visit(model, visitor);
                        match Laid::out(&model, file, how, (visit_it, decoder), (None, None)) {
                            Ok(laid) => report = laid.report(Some(sha256), how),
                            Err(error) => return (too_large(&error), None),
                        }
                    }
                    Err(RoundTripError::Memory(error)) => return (too_large(&error), None),
                    Err(RoundTripError::Exchange(why)) => {
                        report.failure = Some(Failure::Exchange(why));
                        report.status = Status::Different;
                        let (kind, sha256) = (Some(kind.name), Some(sha256));
                        return (Report { undecoded, kind, games, sha256, ..report }, None);
                    }
                }
            }
            #[cfg(feature = "export")]
            if how.via_gltf
                && report.failure.is_none()
                && let Err(why) = through_gltf(kind, &model, file)
            {
                report.failure = Some(Failure::Gltf(why));
                report.status = Status::Different;
            }
            // The laws hold for our own kinds, whose stated counts and offsets need not be compared with the computed ones again.
            if report.failure.is_none()
                && !KINDS.iter().any(|own| core::ptr::eq(own, kind))
                && let Err(error) = field::visit(&model, &mut Nobody)
            {
                report.failure = Some(Failure::Decode(error));
                report.status = Status::Different;
            }
            if how.counts {
                let mut counts = Counts::default();
                match visit_it(&model, file, &mut counts) {
                    Ok(_) => report.counts = Some(counts),
                    Err(error) => {
                        report.failure.get_or_insert(Failure::Decode(error));
                        report.status = Status::Different;
                    }
                }
            }
            // An entry that is text can be empty, but a whole file has lost its bytes.
            let spoiled =
                || spoiled::of_claimed(file).or_else(|| spoiled::of_deviating(decoder, file, &report.deviations));
            if report.failure.is_none()
                && !how.only_proof
                && let Some(warning) = spoiled()
            {
                // Bytes that were converted can seem to follow the file.
                report.damage.retain(|it| it.trap.scope != Scope::Extra);
                report.damage.insert(0, warning);
            }
            (Report { undecoded, ..report }, Some(model))
        }
        Err(error) if error.is_memory() => return (too_large(&error), None),
        Err(error) => {
            let damage = damage::of_error(&error, file, decoder).into_iter().collect();
            (Report { failure: Some(Failure::Decode(error)), damage, ..Report::new(Status::Refused) }, None)
        }
    };
    (Report { kind: Some(kind.name), holds: (kind.holds)(file), games, sha256, ..report }, model)
}

/// Proves the model of a file of this size, and does something else: meanwhile if there is a core for it, or else if the proof has not
/// failed.
fn meanwhile<T>(bytes: usize, proof: impl FnOnce() -> Result<T>, other: &(impl Fn() + Sync)) -> Result<T> {
    if cores_for(bytes) == 1 {
        let proven = proof()?;
        other();
        return Ok(proven);
    }
    thread::scope(|scope| {
        let beside = start(scope, Some(limits::STACK), other);
        let proven = proof();
        // If a thread cannot be started, this one does its share.
        beside.map_or_else(|_| other(), |it| it.join().unwrap_or_else(|panic| resume_unwind(panic)));
        proven
    })
}

/// Exports the models of a file and imports them again, or returns the reason why that is an edit. Files without models pass.
#[cfg(feature = "export")]
fn through_gltf(kind: &Kind, model: &Model, file: &Bytes) -> core::result::Result<(), String> {
    let export = kind.exports.iter().find(|export| export.extension == "glb");
    let Some((export, import)) = export.zip(kind.import) else { return Ok(()) };
    for options in [false, true].map(|unbound| kind::ExportOptions::default().unbound(unbound)) {
        // An archive without a library has no models.
        let Ok(drawing) = (export.draw)(file.clone(), &options) else { return Ok(()) };
        let imported = import(model, drawing.file.into()).map_err(|why| why.to_string())?;
        if let Some(edit) = imported.edits.first() {
            return Err(format!("the unedited export has {} edits, first {edit:?}", imported.edits.len()));
        }
    }
    Ok(())
}

/// Returns the report on a file that takes more memory than allowed.
fn too_large(error: &Error) -> Report {
    Report::unreadable(error.to_string())
}

/// Visits every byte of the model of a file.
type Visit = fn(&Model, &[u8], &mut dyn Visitor) -> Result<u64>;

/// The results of re-encoding a model.
struct Laid {
    /// `None` if others hash the bytes, or if they are only compared.
    rewritten: Option<Sha>,
    ledger: Ledger,
    strip: Option<Strip>,
    deviations: Vec<Deviation>,
    rules: Option<Rules>,
    damage: Vec<Warning>,
    failure: Option<Failure>,
}

impl Laid {
    /// Encodes the model in one pass that compares, counts and checks it at once, and hashes it unless only the proof is wanted. Another
    /// visitor can share the pass, and something else can receive the bytes, to hash them instead.
    ///
    /// # Errors
    /// Returns an error if this takes more memory than allowed.
    fn out(
        model: &Model,
        file: &Bytes,
        how: VerifyOptions,
        (visit, decoder): (Visit, Decoder<'_>),
        (other, to): (Option<&mut dyn Visitor>, Option<Receiver<'_>>),
    ) -> Result<Self> {
        let mut pass = Pass {
            proof: match to {
                Some(to) => Proof::unhashed(file, to),
                // Equal bytes have the hash of the file.
                None if how.only_proof => Proof::comparing(file),
                None => Proof::against(file),
            },
            check: Check::default(),
            suspicion: Suspicion::default(),
            ledger: Ledger::new(how.entries, how.memory.unwrap_or_else(memory::allowed), wide(file.len())),
            strip: how.strip.then(|| Stripping::of(wide(file.len()))),
            other,
        };
        let mut outcome = visit(model, file, &mut pass);
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
        let Pass { proof, check, suspicion, ledger, strip, .. } = pass;
        let strip = strip.map(Stripping::finish);
        let (rewritten, difference) = proof.finish();
        // Labels of entries were omitted, but deviations need them; counted rules and errors need all places.
        let is_placed = !(how.rules || check.lacks_labels() || outcome.is_err());
        let (mut deviations, mut rules) = check.finish();
        if !is_placed {
            let mut check = if how.rules { Check::counting() } else { Check::default() };
            outcome = visit(model, file, &mut check);
            (deviations, rules) = check.finish();
        }
        let failure = match (outcome, difference) {
            (Err(error), _) => Some(Failure::Decode(error)),
            (Ok(_), Some(offset)) => {
                let mut locate = Locate::at(offset);
                let found = visit(model, file, &mut locate);
                Some(Failure::Differs { offset, place: found.ok().and_then(|_| locate.place()) })
            }
            (Ok(_), None) => None,
        };
        if how.only_proof && failure.is_none() {
            return Ok(Self { rewritten, ledger, strip, deviations, rules, damage: Vec::new(), failure });
        }
        // Damage in the middle of a file leaves values that deviate, or runs that are suspicious.
        // What follows a file deviates.
        let extra = if deviations.is_empty() { None } else { spoiled::extra_alone(decoder, model, file) };
        let mut damage = Vec::new();
        let is_spread = || zeros::has_zeros(file) || damage::has_words(file);
        if suspicion.is_justified() || !deviations.is_empty() || is_spread() {
            damage = lint::signs(model);
            let mut others = Damage::besides(&damage, file, extra.as_ref());
            // An error of this walk is that of the first.
            visit(model, file, &mut others).ok();
            damage.extend(others.finish());
        }
        if damage.is_empty() {
            damage.extend(damage::of_cut(decoder.kind, file));
            damage.extend(extra.map(|extra| spoiled::of_extra(file, &extra)));
        }
        Ok(Self { rewritten, ledger, strip, deviations, rules, damage, failure })
    }

    /// Returns the report on the file with this hash. Without hashes, it is preliminary.
    fn report(self, sha256: Option<Sha>, how: VerifyOptions) -> Report {
        let Self { rewritten, ledger, strip, deviations, rules, damage, failure } = self;
        let status = status(failure.as_ref(), how.only_proof || rewritten == sha256);
        Report {
            rewritten,
            census: Some(ledger.census),
            strip,
            deviations,
            rules,
            damage,
            entries: ledger.entries,
            failure,
            ..Report::new(status)
        }
    }
}

/// One pass for the proof, the deviations and the census.
struct Pass<'a, 'o> {
    proof: Proof<'a>,
    check: Check,
    suspicion: Suspicion,
    ledger: Ledger,
    strip: Option<Stripping>,
    /// A visitor that shares the pass.
    other: Option<&'o mut dyn Visitor>,
}

impl Visitor for Pass<'_, '_> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        self.proof.data(datum)?;
        self.check.data(datum)?;
        self.suspicion.data(datum);
        let before = self.ledger.census;
        self.ledger.data(datum)?;
        if let Some(strip) = &mut self.strip {
            strip.add(datum.offset, wide(datum.bytes.len()), &self.ledger.census.since(&before));
        }
        self.other.as_mut().map_or(Ok(()), |other| other.data(datum))
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.ledger.enter(group, place, offset);
        if let Some(other) = &mut self.other {
            other.enter(group, place, offset);
        }
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.ledger.leave(group, place, offset);
        if let Some(other) = &mut self.other {
            other.leave(group, place, offset);
        }
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Value, found: Value) {
        if let Some(other) = &mut self.other {
            other.deviates(place, offset, expected.clone(), found.clone());
        }
        self.check.deviates(place, offset, expected, found);
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        if let Some(other) = &mut self.other {
            other.fact(place, fact);
        }
    }

    fn wants_facts(&self) -> bool {
        self.other.as_ref().is_some_and(|other| other.wants_facts())
    }

    fn detail(&self) -> Detail {
        if self.ledger.detailed || self.other.is_some() { Detail::Places } else { Detail::Steps }
    }

    fn judges(&self) -> bool {
        true
    }
}

/// The census of a file and of each entry.
#[derive(Debug)]
struct Ledger {
    /// `true` if entries are reported.
    detailed: bool,
    census: Census,
    entries: Vec<Entry>,
    /// The indices of the open entries, with the census of the file when each began.
    open: Vec<(usize, Census)>,
    /// The memory that the entries take.
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
        if self.detailed
            && let Some(fault) = self.memory.refused()
        {
            return Err(Error::new(datum.offset, datum.place.clone(), fault));
        }
        self.census.data(datum)
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        if let (true, Group::Entry { kind, .. }) = (self.detailed, group) {
            let census = Census::default();
            let bytes = wide(size_of::<Entry>().saturating_mul(2).saturating_add(place.memory()));
            // This function cannot refuse; `data` refuses the next byte instead.
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
