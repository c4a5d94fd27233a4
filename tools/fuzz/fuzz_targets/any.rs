//! Arbitrary bytes, decoded as a file of every kind.

#![no_main]

use bitexact::verify::VerifyOptions;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let how = VerifyOptions { entries: true, counts: true, via_exchange: true, ..VerifyOptions::default() };
    if let Err(finding) = fuzz_smoke::any(bytes, how) {
        panic!("{finding}");
    }
});
