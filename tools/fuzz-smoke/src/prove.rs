//! Laws for every input.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::slice;
use std::time::Duration;

use allocation_counter::measure;
use bitexact::field::{encode, limits, wide};
use bitexact::registry::Kind;
use bitexact::verify::{Failure, Report, Status, VerifyOptions, verify_with};
use cpu_time::ThreadTime;

use crate::finding::{Finding, What};

/// The time limit of an input, plus a time per byte; four times as long via the exchange format.
const TIME: Duration = Duration::from_millis(250);
const TIME_OF_BYTE: Duration = Duration::from_micros(10);

/// The costs of an input that satisfies the laws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proven {
    /// `true` if a decoder accepted it.
    pub accepted: bool,
    /// The peak of memory, in bytes.
    pub peak: u64,
    /// The CPU time of its thread.
    pub took: Duration,
}

thread_local! {
    /// The place of this thread's last panic, because the catcher gets only the message.
    static PANICKED: RefCell<String> = const { RefCell::new(String::new()) };
    /// The size of the largest edited file of this thread's check.
    static MADE: Cell<usize> = const { Cell::new(0) };
}

/// Silences panics: each becomes a finding, with the place in the source.
pub fn quiet_panics() {
    set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |at| format!("{}: line {}", at.file(), at.line()));
        let told = info.payload();
        let told = told.downcast_ref::<&str>().copied().or(told.downcast_ref::<String>().map(String::as_str));
        let words = format!("{place}: {}", told.unwrap_or_default());
        PANICKED.with(|panicked| *panicked.borrow_mut() = words);
    }));
}

/// Proves that some bytes, decoded as a file of a kind, are refused or round-trip, within limits.
///
/// # Errors
/// Returns an error if a law is violated.
pub fn prove(kind: &'static Kind, bytes: &[u8], how: VerifyOptions) -> Result<Proven, Finding> {
    let factor = how.factor(kind.memory);
    let times = if how.via_exchange { 4 } else { 1 };
    bounded(kind, bytes, factor, times, || {
        // Use a name that the kind claims, so that the kind is not skipped because of the content.
        let name = kind.claims.first().copied().unwrap_or("x").replace('*', "x");
        let report = verify_with(slice::from_ref(kind), &name, bytes.to_vec(), how);
        match report.status {
            // A wrapper could still contain it.
            Status::Foreign | Status::Unknown => decoded(kind, bytes),
            _ => judged(&report, bytes),
        }
    })
}

/// Tells [`bounded`] the size of an edited file: a count of entries, for one, can make a large file of a small one.
pub(crate) fn edited_to(bytes: usize) {
    MADE.set(MADE.get().max(bytes));
}

/// Runs a check on some bytes, and asserts that it does not panic, with limits on memory and time that depend on their number, or on that
/// of the largest file that was made of them.
pub(crate) fn bounded(
    kind: &'static Kind,
    bytes: &[u8],
    memory_factor: u64,
    times: u32,
    check: impl FnOnce() -> Result<bool, (What, String)>,
) -> Result<Proven, Finding> {
    MADE.take();
    let start = ThreadTime::now();
    let mut outcome = None;
    let memory = measure(|| outcome = Some(catch_unwind(AssertUnwindSafe(check))));
    let took = start.elapsed();
    let fails = |what, words| Err(Finding { what, kind: kind.name, words, bytes: bytes.to_vec(), alike: None });
    let accepted = match outcome {
        Some(Ok(Ok(accepted))) => accepted,
        Some(Ok(Err((What::Panic, told)))) => return fails(What::Panic, panicked(told)),
        Some(Ok(Err((what, words)))) => return fails(what, words),
        Some(Err(_)) | None => return fails(What::Panic, panicked(String::new())),
    };
    let (peak, size) = (memory.bytes_max, bytes.len().max(MADE.take()));
    if peak > limits::MEMORY_BASE + memory_factor * wide(size) {
        return fails(What::Memory, format!("{peak} bytes at the peak"));
    }
    if took > (TIME + TIME_OF_BYTE * size as u32) * times {
        return fails(What::Time, format!("{took:?}"));
    }
    Ok(Proven { accepted, peak, took })
}

/// Returns the place of the last panic, or else the given message.
fn panicked(told: String) -> String {
    let place = PANICKED.with(|panicked| std::mem::take(&mut *panicked.borrow_mut()));
    if place.is_empty() { told } else { place }
}

/// Returns `true` if the file was accepted, or an error if the report violates a law.
fn judged(report: &Report, bytes: &[u8]) -> Result<bool, (What, String)> {
    match (report.status, &report.failure) {
        (_, Some(Failure::Internal(told))) => Err((What::Panic, told.clone())),
        (Status::Identical, None) => {
            let census = report.census.unwrap_or_default().total();
            let entries = || report.entries.iter().map(|entry| (entry.bytes, entry.census.total()));
            match entries().find(|(bytes, census)| bytes != census) {
                _ if census != wide(bytes.len()) => {
                    Err((What::Census, format!("the classes add up to {census} of {} bytes", bytes.len())))
                }
                Some((bytes, census)) => {
                    Err((What::Census, format!("those of an entry add up to {census} of {bytes} bytes")))
                }
                None => Ok(true),
            }
        }
        (Status::Refused, Some(Failure::Decode(error))) => refused(error, bytes),
        (_, Some(Failure::Exchange(why))) => Err((What::Exchange, why.clone())),
        (_, Some(Failure::Differs { offset, place })) => {
            let place = place.as_ref().map(ToString::to_string).unwrap_or_default();
            Err((What::Different, format!("the rewritten bytes differ from {place} ({offset:#x}) on")))
        }
        (status, failure) => Err((What::Different, format!("{}: {failure:?}", status.name()))),
    }
}

fn refused(error: &bitexact::field::Error, bytes: &[u8]) -> Result<bool, (What, String)> {
    match error.offset() {
        Some(offset) if offset <= wide(bytes.len()) => Ok(false),
        _ => Err((What::Nowhere, error.to_string())),
    }
}

/// Decodes and encodes bytes that are not recognized by content and name.
fn decoded(kind: &Kind, bytes: &[u8]) -> Result<bool, (What, String)> {
    let model = match (kind.decode)(bytes.to_vec().into()) {
        Ok(decoded) => decoded.model,
        Err(error) => return refused(&error, bytes),
    };
    match encode(&model) {
        Ok(again) if again == bytes => Ok(true),
        Ok(again) => {
            let same = again.iter().zip(bytes).take_while(|(one, other)| one == other).count();
            Err((What::Different, format!("the rewritten bytes differ from {same:#x} on")))
        }
        Err(error) => Err((What::Different, format!("decoded, not encoded: {error}"))),
    }
}
