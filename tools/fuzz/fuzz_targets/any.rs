//! Arbitrary bytes, decoded as a file of every kind.

#![no_main]

use bitexact::verify::VerifyOptions;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let how = VerifyOptions::default().entries(true).counts(true).via_exchange(true);
    if let Err(finding) = fuzz_smoke::any(bytes, how) {
        panic!("{finding}");
    }
});
