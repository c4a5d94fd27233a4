//! Changes of mods and of the journal of a game, chosen by the fuzzer.

#![no_main]

use std::sync::LazyLock;

use forge::Size;
use fuzz_smoke::{Seeds, journals, of_bytes};
use libfuzzer_sys::fuzz_target;

static SEEDS: LazyLock<Seeds> = LazyLock::new(|| Seeds::new(1, Size::Tiny, None));

fuzz_target!(|bytes: &[u8]| {
    let mut draw = of_bytes(bytes);
    let kind = draw(256);
    if let Err(finding) = journals(SEEDS.of(kind), &mut draw) {
        panic!("{finding}");
    }
});
