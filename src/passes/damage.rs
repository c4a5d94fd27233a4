//! Signs of damage that need no known hashes: lost bytes read back as zeros, and gaps where no tool of the games leaves one.
//!
//! A file with lost bytes can decode and come back bit for bit.

use core::ops::Range;

use crate::field::{
    Datum, Detail, Error, Fault, Group, Place, Result, Run, Scope, Step, Trap, Visitor, What, traps, wide,
};

use super::Lint;
use super::lint::Warning;

traps! { TRAPS:
    STUB = "film-stub" in Damage:
        "a film is a part of the installer, not a film" =>
        "the game crashes when it plays the film: replace it by the file from the disc, or delete it",
        "zipper-other.md, section 6 (measured)";
    FILE_OF_ZEROS = "zeros-in-file" in Damage:
        "a file consists of zeros, or ends with them" => "the bytes are lost: compare the file with another copy",
        "zipper-installs.md, section 6 (checked)";
    FILE_CUT = "file-cut" in Damage:
        "a file ends before the end of a part" => "its end is lost: compare the file with another copy",
        "zipper-installs.md, section 6 (checked)";
    ENTRY_OF_ZEROS = "zeros-in-entry" in Damage:
        "an entry consists of zeros only" => "the entry is lost: compare the file with another copy",
        "zipper-archives.md, section 1 (checked)";
    PACKED = "zeros-in-packed" in Damage:
        "a compressed stream contains a long run of zeros" => "the stream is lost from there: compare the file with another copy",
        "zipper-other.md, section 1 (measured)";
    PIXELS = "zeros-in-pixels" in Doubt:
        "an image contains a long run of zeros" => "it can be black, or lost: look at it, or compare the file with another copy",
        "zipper-textures.md, section 2 (checked)";
    LOST_GAP = "zeros-in-gap" in Damage:
        "a long run of zeros belongs to no part of the file" => "what was there is lost: compare the file with another copy",
        "zipper-installs.md, section 6 (checked)";
    GAP = "unowned-gap" in Doubt:
        "a long run of bytes belongs to no part of the file" =>
        "the game does not read it: something may have overwritten an offset or a length", "zipper-installs.md, section 6 (checked)";
}

/// The least number of zeros that a run is made of in a compressed stream, in a file of zeros, and elsewhere: what a disk or a disc
/// loses at once.
const PIECE: usize = 512;
/// The least number of zeros, and of unowned bytes, that are reported.
const LONG: usize = 4 << 10;
/// The least number of zeros in an image that are reported. Smaller black areas are common.
const BLACK: usize = 32 << 10;

/// Returns the longest run of at least this many zeros in some bytes. Runs are found by whole pieces of 512 bytes.
#[must_use]
pub(crate) fn zeros(bytes: &[u8], least: usize) -> Option<Range<usize>> {
    let (mut longest, mut begin) = (0..0, None);
    // A run of pieces of zeros, extended by the zeros before and after it.
    let mut end_run = |begin: usize, end: usize| {
        let zero = |byte: &&u8| **byte == 0;
        let before = bytes.get(..begin).unwrap_or_default().iter().rev().take_while(zero).count();
        let after = bytes.get(end..).unwrap_or_default().iter().take_while(zero).count();
        let run = begin.saturating_sub(before)..end.saturating_add(after);
        if run.len() > longest.len() {
            longest = run;
        }
    };
    let mut at = 0_usize;
    for piece in bytes.chunks(PIECE) {
        match (piece.len() == PIECE && piece.iter().all(|&byte| byte == 0), begin) {
            (true, None) => begin = Some(at),
            (false, Some(first)) => {
                end_run(first, at);
                begin = None;
            }
            _ => {}
        }
        at = at.saturating_add(piece.len());
    }
    if let Some(first) = begin {
        end_run(first, at.saturating_sub(at % PIECE));
    }
    (longest.len() >= least.max(PIECE)).then_some(longest)
}

/// A quick look for signs of damage, while a file is verified.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Suspicion(bool);

impl Suspicion {
    /// Looks at some bytes of a file.
    pub(crate) fn data(&mut self, datum: &Datum<'_>) {
        if let What::Run(run) = datum.what
            && !self.0
        {
            self.0 = match run {
                Run::Opaque | Run::Samples | Run::Packed => zeros(datum.bytes, PIECE).is_some(),
                Run::Pixels => zeros(datum.bytes, BLACK).is_some(),
                Run::Surplus => datum.bytes.len() >= LONG,
                Run::Padding(_) | Run::Overlap(_) => false,
            };
        }
    }

    /// Returns `true` if there is a reason for [`Damage`].
    pub(crate) const fn is_justified(self) -> bool {
        self.0
    }
}

/// A visitor that collects the signs of damage, including those that formats report as traps.
#[derive(Debug, Default)]
pub(crate) struct Damage {
    found: Lint,
    /// The kinds of the open entries.
    entries: Vec<&'static str>,
}

impl Damage {
    /// Returns the signs of damage in file order.
    pub(crate) fn finish(self) -> Vec<Warning> {
        self.found.finish()
    }

    fn run(&mut self, run: Run, place: &Place, offset: u64, bytes: &[u8]) {
        let mut report = |trap: &'static Trap, zeros: Range<usize>| {
            let at = offset.saturating_add(wide(zeros.start));
            let found = format!("{} bytes from {at:#x}, of {}", zeros.len(), bytes.len());
            self.found.warn(place.clone(), trap, found);
        };
        let is_entry = self.entries.last().is_some_and(|kind| *kind == "opaque");
        let is_end = place.steps() == [Step::Name("trailing")];
        let all = bytes.iter().all(|&byte| byte == 0);
        match run {
            Run::Opaque if is_entry && all && bytes.len() >= PIECE => report(&ENTRY_OF_ZEROS, 0..bytes.len()),
            Run::Packed => zeros(bytes, PIECE).into_iter().for_each(|run| report(&PACKED, run)),
            Run::Pixels => zeros(bytes, BLACK).into_iter().for_each(|run| report(&PIXELS, run)),
            Run::Surplus if bytes.len() >= LONG && all => report(&LOST_GAP, 0..bytes.len()),
            // Editors leave older contents at the end of a file.
            Run::Surplus if bytes.len() >= LONG && !is_end => report(&GAP, 0..bytes.len()),
            _ => {}
        }
    }
}

impl Visitor for Damage {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if let What::Run(run) = datum.what {
            self.run(run, datum.place, datum.offset, datum.bytes);
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { kind, .. } = group {
            self.entries.push(kind);
        }
    }

    fn leave(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { .. } = group {
            self.entries.pop();
        }
    }

    fn warn(&mut self, place: Place, trap: &'static Trap, found: String) {
        if trap.scope.severity().is_some() {
            self.found.warn(place, trap, found);
        }
    }

    fn lints(&self) -> bool {
        true
    }

    fn detail(&self) -> Detail {
        Detail::Places
    }
}

/// Returns the signs of damage in a file that does not decode.
pub(crate) fn of_error(error: &Error, bytes: &[u8]) -> Option<Warning> {
    // A wrong number can announce any length. A file that is cut in half lacks no more than it has.
    match *error.fault() {
        Fault::Ends { count, each, remain } if count.saturating_mul(each) <= wide(bytes.len()) => {
            let found = format!("{} bytes of {} remain", remain, count.saturating_mul(each));
            Some(Warning::of(&FILE_CUT, error.place().clone(), found))
        }
        _ => of_bytes(None, bytes),
    }
}

/// Returns the signs of damage in a file that is of no supported kind, or does not decode.
pub(crate) fn of_bytes(kind: Option<&str>, bytes: &[u8]) -> Option<Warning> {
    if kind == Some("compressed-film") {
        return Some(Warning::of(
            &STUB,
            Place::default(),
            format!("it begins with ISc(, not RIFF; {} bytes", bytes.len()),
        ));
    }
    let run = zeros(bytes, PIECE).filter(|run| run.end == bytes.len() && (run.start == 0 || run.len() >= LONG))?;
    let found = format!("{} bytes from {:#x}, of {}", run.len(), run.start, bytes.len());
    Some(Warning::of(&FILE_OF_ZEROS, Place::default(), found))
}

impl Scope {
    /// Returns how serious a trap of damage is, `damaged` or `suspect`, or `None` for other traps.
    #[must_use]
    pub const fn severity(self) -> Option<&'static str> {
        match self {
            Self::Damage => Some("damaged"),
            Self::Doubt => Some("suspect"),
            Self::File | Self::Addition | Self::Change => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_run_of_zeros_is_found_exactly() {
        let mut bytes = vec![1; 10_000];
        assert_eq!(zeros(&bytes, 1), None);
        bytes[100..1200].fill(0);
        assert_eq!(zeros(&bytes, 1), Some(100..1200), "it contains a whole piece");
        assert_eq!(zeros(&bytes, 1101), None);
        bytes[3000..5001].fill(0);
        assert_eq!(zeros(&bytes, 1), Some(3000..5001));
        bytes[6000..].fill(0);
        assert_eq!(zeros(&bytes, 1), Some(6000..10_000), "to the end");
        assert_eq!(zeros(&[0; 5000], LONG), Some(0..5000));
        assert_eq!(zeros(&[0; 511], 1), None);
        assert_eq!(zeros(&[], 1), None);
    }

    #[test]
    fn files_of_zeros_and_film_stubs_are_damaged() {
        let id = |kind, bytes: &[u8]| of_bytes(kind, bytes).map(|it| it.trap.id);
        assert_eq!(id(Some("compressed-film"), b"ISc("), Some("film-stub"));
        assert_eq!(id(None, &[0; 600]), Some("zeros-in-file"));
        assert_eq!(id(None, &[&[1; 600][..], &[0; 4096]].concat()), Some("zeros-in-file"));
        assert_eq!(id(None, &[&[1; 600][..], &[0; 600]].concat()), None, "short, and not the whole file");
        assert_eq!(id(None, &[&[0; 8000][..], &[1]].concat()), None, "something follows");
    }
}
