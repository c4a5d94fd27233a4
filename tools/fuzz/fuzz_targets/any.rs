//! Arbitrary bytes, decoded as a file of every kind.

#![no_main]

use bitexact::verify::How;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let how = How::default().entries(true).counts(true).through_exchange(true);
    if let Err(finding) = fuzz_smoke::any(bytes, how) {
        panic!("{finding}");
    }
});
