//! Runs of zeros in bytes.

use core::ops::Range;

use field::wide;

/// The least number of zeros that a run is made of in a compressed stream, in a file of zeros, and elsewhere: what a disk or a disc
/// loses at once.
pub(super) const PIECE: usize = 512;
/// The least number of zeros, and of unowned bytes, that are reported. Where values are expected, at most 1,500 zeros in a row have been
/// seen in whole files of the games, but up to 1.2 MB where zeros are ordinary: pixels, tables of numbers, blank entries.
pub(super) const LONG: usize = 4 << 10;
/// The least number of zeros at the end of a file that are reported if they are half of it.
pub(super) const END: usize = 256;
/// A piece of zeros, to compare others with at once.
const NOTHING: [u8; PIECE] = [0; PIECE];

/// Returns the longest run of at least this many zeros in some bytes. Runs are found by whole pieces of 512 bytes.
#[must_use]
pub fn zeros(bytes: &[u8], least: usize) -> Option<Range<usize>> {
    let (mut longest, mut begin) = (0..0, None);
    // A run of pieces of zeros, extended by the zeros before and after it.
    let mut end_run = |begin: usize, end: usize| {
        let zero = |byte: &&u8| **byte == 0;
        let before = bytes.get(..begin).unwrap_or_default().iter().rev().take_while(zero).count();
        let after = bytes.get(end..).unwrap_or_default().iter().take_while(zero).count();
        let run = begin - before..end + after;
        if run.len() > longest.len() {
            longest = run;
        }
    };
    let mut at = 0_usize;
    for piece in bytes.chunks(PIECE) {
        match (*piece == NOTHING, begin) {
            (true, None) => begin = Some(at),
            (false, Some(first)) => {
                end_run(first, at);
                begin = None;
            }
            _ => {}
        }
        at += piece.len();
    }
    if let Some(first) = begin {
        end_run(first, at - at % PIECE);
    }
    (longest.len() >= least.max(PIECE)).then_some(longest)
}

/// Returns the number of zeros at the end of some bytes.
pub(super) fn end_zeros(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|byte| **byte == 0).count()
}

/// Returns `true` if so many zeros at the end of a file of this size are rather the bytes that an interrupted copy has not written than
/// the last values of the file. Of whole files with any contents, at most a third has been seen to be zeros at the end.
pub fn is_lost_end(zeros: u64, bytes: u64) -> bool {
    zeros >= wide(END) && zeros.saturating_mul(2) >= bytes
}

/// Returns `true` if a file has a long run of zeros, which [`Damage`](super::damage::Damage) decides on.
pub fn has_zeros(file: &[u8]) -> bool {
    // Half of a long run fills a piece of that size, so most pieces need a look at their first byte only.
    let may_have = file.chunks_exact(LONG / 2).any(|half| half.starts_with(&NOTHING));
    may_have && zeros(file, LONG).is_some() || is_lost_end(wide(end_zeros(file)), wide(file.len()))
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
}
