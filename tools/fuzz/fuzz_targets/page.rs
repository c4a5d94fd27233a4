//! Operations of the page on a file, chosen by the fuzzer: edits, undo, redo, and what is shown meanwhile.

#![no_main]

use std::sync::LazyLock;

use bitexact::json::Compact;
use bitexact::field::Value;
use forge::Size;
use fuzz_smoke::{Draw, Seed, Seeds, of_bytes};
use libfuzzer_sys::fuzz_target;
use page::open::Opened;

static SEEDS: LazyLock<Seeds> = LazyLock::new(|| Seeds::new(1, Size::Tiny, None));

/// Values of every type, which a place may take or refuse.
const VALUES: [&str; 9] = ["0", "-1", "4294967296", "0.5", "\"text\"", "true", "[]", "{}", "null"];

fuzz_target!(|bytes: &[u8]| {
    let mut draw = of_bytes(bytes);
    let seeds = SEEDS.of(draw(256));
    if let Some(seed) = seeds.get(draw(seeds.len() as u64) as usize) {
        operate(seed, &mut draw);
    }
});

fn operate(seed: &Seed, draw: Draw<'_>) {
    let name = seed.name.rsplit('/').next().unwrap_or_default();
    let original = seed.bytes().to_vec();
    let Ok(mut opened) = Opened::open(name, original.clone().into()) else { return };
    // The states after each edit that was made, which undo and redo must give again.
    let (mut states, mut at) = (vec![original], 0);
    for _ in 0..8 {
        match draw(4) {
            0 => {
                let expected = at > 0;
                assert_eq!(opened.step(false), Ok(expected));
                at -= usize::from(expected);
            }
            1 => {
                let expected = at + 1 < states.len();
                assert_eq!(opened.step(true), Ok(expected));
                at += usize::from(expected);
            }
            2 => drop(opened.described().expect("an open file is described")),
            _ => {
                let places = seed.places();
                let Some(place) = places.get(draw(places.len() as u64) as usize) else { return };
                let value = VALUES[draw(9) as usize];
                let place = Value::from(place.as_str());
                if opened.edit(&format!("{{\"set\": [[{}, {value}]]}}", Compact(&place))).is_ok()
                    && *opened.bytes() != states[at]
                {
                    states.truncate(at + 1);
                    states.push(opened.bytes().to_vec());
                    at += 1;
                }
            }
        }
        assert!(*opened.bytes() == states[at], "{}: not the bytes of this state", seed.name);
    }
}
