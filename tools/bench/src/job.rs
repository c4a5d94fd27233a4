//! The two jobs that are compared. Both begin with the file on disk.

use std::hint::black_box;

use bitexact::install::Found;
use bitexact::registry::KINDS;
use bitexact::verify::{Report, Status};
use sha2::{Digest as _, Sha256};

/// Reads and verifies a file.
///
/// # Panics
/// When it cannot be read or is not identical: then there is nothing to measure.
#[must_use]
pub fn verify(file: &Found) -> Report {
    let report = bitexact::verify::verify(KINDS, &file.name(), read(file));
    assert_eq!(report.status, Status::Identical, "{}: {:?}", file.shown(), report.trouble);
    report
}

/// Reads a file and hashes its bytes twice.
///
/// # Panics
/// When it cannot be read.
pub fn hash_twice(file: &Found) {
    let bytes = read(file);
    for _ in 0..2 {
        black_box(Sha256::digest(black_box(&bytes)));
    }
}

fn read(file: &Found) -> Vec<u8> {
    file.read().unwrap_or_else(|why| panic!("{}: {why}", file.shown()))
}
