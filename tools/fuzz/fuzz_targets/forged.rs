//! Generated files with fields and parts changed by the fuzzer.

#![no_main]

use std::sync::LazyLock;

use bitexact::verify::VerifyOptions;
use forge::Size;
use fuzz_smoke::{Seeds, forged, of_bytes};
use libfuzzer_sys::fuzz_target;

static SEEDS: LazyLock<Seeds> = LazyLock::new(|| Seeds::new(1, Size::Tiny, None));

fuzz_target!(|bytes: &[u8]| {
    let mut draw = of_bytes(bytes);
    let how = VerifyOptions::default().entries(true).counts(true).via_exchange(draw(4) == 0);
    let kind = draw(256);
    if let Err(finding) = forged(SEEDS.of(kind), how, &mut draw) {
        panic!("{finding}");
    }
});
