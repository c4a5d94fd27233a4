//! A wrong count is refused before any memory is allocated for it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "a test tells its failure by a panic"
)]

mod harness;

use bitexact::field::{Class, Datum, Result, Step, Visitor, What, visit};
use bytes::Bytes;
use forge::Size;
use peak_alloc::PeakAlloc;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// The memory that a decoder may take beyond that of the model: for the message and a few small tables.
const ROOM: usize = 64 << 10;

/// The positions of computed numbers: offset, size, place, and `true` for a count or length.
#[derive(Default)]
struct Counts(Vec<(usize, usize, String, bool)>);

impl Visitor for Counts {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        datum.owners(&mut |owner| {
            let Some(Step::Name(name)) = owner.place.steps().last() else { return };
            if owner.class == Class::Derived && owner.leaf.is_some() {
                // A length in a plain array is not the length of following data: a line of a map has a length.
                let plain = matches!(datum.what, What::Block(..));
                let counts = !plain && (name.ends_with("count") || name.ends_with("length"));
                self.0.push((owner.offset as usize, owner.bytes.len(), owner.place.to_string(), counts));
            }
        });
        Ok(())
    }
}

// This is the only test in this file, because the peak is that of the whole process.
#[test]
fn every_count_of_every_format_is_checked_first() {
    let mut tried = 0;
    for case in harness::forged(Size::Tiny, "tiny") {
        let decoded = (case.kind.decode)(case.bytes.clone().into()).expect("a sample decodes");
        let mut counts = Counts::default();
        visit(&decoded.model, &mut counts).expect("a model can be visited");
        let (_, honest) = peak(|| drop((case.kind.decode)(case.bytes.clone().into())));
        for (offset, size, place, counts) in counts.0 {
            let mut bytes = case.bytes.clone();
            bytes[offset..offset + size].fill(0xFF);
            let file = Bytes::from(bytes);
            let (decoded, lying) = peak(|| (case.kind.decode)(file.clone()));
            if let (true, Ok(decoded)) = (counts, decoded) {
                // In a container, an entry that does not decode is kept as raw bytes and then has no such count.
                let mut left = Counts::default();
                visit(&decoded.model, &mut left).expect("a model can be visited");
                assert!(!left.0.iter().any(|it| it.0 == offset && it.3), "{}: {place} as 0xff… is accepted", case.name);
            }
            assert!(lying <= honest + ROOM, "{}: {place} as 0xff… takes {lying} bytes, not {honest}", case.name);
            tried += 1;
        }
    }
    assert!(tried > 1000, "only {tried} counts were tried");
}

/// Returns the result of a call, and the peak memory that it took in bytes.
fn peak<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let before = PEAK.current_usage();
    PEAK.reset_peak_usage();
    let result = call();
    (result, PEAK.peak_usage().saturating_sub(before))
}
