//! The jobs to compare. All begin with the file on disk.

use std::hint::black_box;

use bitexact::install::Found;
use bitexact::registry::KINDS;
use bitexact::verify::{Report, Status, VerifyOptions, verify_with};
use sha2::{Digest as _, Sha256};

/// Reads and verifies a file.
///
/// # Panics
/// Panics if the file cannot be read or is not identical: then there is nothing to measure.
#[must_use]
pub fn verify(file: &Found) -> Report {
    verify_in(file, VerifyOptions::default())
}

/// Reads and verifies a file via its exchange format.
///
/// # Panics
/// Panics if the file cannot be read or is not identical.
#[must_use]
pub fn verify_through_exchange(file: &Found) -> Report {
    verify_in(file, VerifyOptions::default().via_exchange(true))
}

fn verify_in(file: &Found, how: VerifyOptions) -> Report {
    let report = verify_with(KINDS, &file.name(), read(file), how);
    assert_eq!(report.status, Status::Identical, "{}: {:?}", file.shown(), report.failure);
    report
}

/// Reads a file and hashes its bytes twice.
///
/// # Panics
/// Panics if the file cannot be read.
pub fn hash_twice(file: &Found) {
    let bytes = read(file);
    for _ in 0..2 {
        black_box(Sha256::digest(black_box(&bytes)));
    }
}

fn read(file: &Found) -> Vec<u8> {
    file.read().unwrap_or_else(|why| panic!("{}: {why}", file.shown()))
}
