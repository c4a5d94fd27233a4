//! Changes of exported models and tables, chosen by the fuzzer; `import` takes them back.

#![no_main]

use std::sync::LazyLock;

use forge::Size;
use fuzz_smoke::{Seeds, drawings, of_bytes};
use libfuzzer_sys::fuzz_target;

static SEEDS: LazyLock<Seeds> = LazyLock::new(|| Seeds::new(1, Size::Tiny, None));

fuzz_target!(|bytes: &[u8]| {
    let mut draw = of_bytes(bytes);
    let kind = draw(256);
    if let Err(finding) = drawings(SEEDS.of(kind), &mut draw) {
        panic!("{finding}");
    }
});
