//! Small formats: sound sets, layered textures, letters, binary tables. Sources: nwn-ssf.md, nwn-other.md, nwn-2da.md.

use super::sample;
use crate::bytes::{Bytes, field};
use crate::random::Random;
use crate::{Broken, Sample, Size};

/// Returns a sound set; `order` has the places of the sounds.
pub(crate) fn ssf(count: usize, order: &[usize], padding: &[u8; 24]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"SSF V1.0").le_u32(count as u32).le_u32(40).raw(padding);
    order.iter().for_each(|place| _ = out.le_u32((40 + 4 * count + 20 * place) as u32));
    for at in 0..order.iter().max().map_or(0, |last| last + 1) {
        let name: [u8; 16] = if at == 1 { *b"vs_nkmtripm_warn" } else { field(format!("vs_{at}").as_bytes(), b"") };
        out.raw(&if at == 2 { [0; 16] } else { name }).le_u32(if at % 3 == 0 {
            u32::MAX
        } else {
            0x0100_0000 + at as u32
        });
    }
    out.finish()
}

/// Returns a sound set of Neverwinter Nights 2. Source: nwn-ssf.md, Neverwinter Nights 2.
fn long_ssf(names: &[&[u8]]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"SSF V1.1").le_u32(names.len() as u32).le_u32(40).raw(&[0; 24]);
    (0..names.len()).for_each(|at| _ = out.le_u32((40 + 4 * names.len() + 36 * at) as u32));
    for (at, name) in names.iter().enumerate() {
        out.raw(&field::<32>(name, b"")).le_u32(if at % 3 == 0 { 0x0100_0007 } else { u32::MAX });
    }
    out.finish()
}

pub(crate) fn plt(random: &mut Random, width: u32, height: u32, layers: u32) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"PLT V1  ").le_u32(layers).le_u32(0).le_u32(width).le_u32(height);
    for _ in 0..width * height {
        out.u8(random.draw() as u8).u8(random.below(10) as u8);
    }
    out.finish()
}

pub(crate) fn ltr(letters: u8) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"LTR V1.0").u8(letters);
    let n = usize::from(letters);
    for at in 0..3 * (n + n * n + n * n * n) {
        out.le_u32((at as f32 / 100.0).to_bits());
    }
    out.finish()
}

fn binary_2da(size: u16) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"2DA V2.b\nA\tB\t\0").le_u32(2).raw(b"0\t1\t");
    for at in [0_u16, 3, 3, 0] {
        out.le_u16(at);
    }
    out.le_u16(size).raw(b"ab\0\0");
    out.finish()
}

/// Returns files of a size class.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let count = if size == Size::Tiny { 4 } else { 49 };
    let order: Vec<usize> = (0..count).collect();
    let back: Vec<usize> = (0..count).rev().collect();
    let mut random = Random::named(seed, "cloak.plt");
    let side = match size {
        Size::Tiny => 4,
        Size::Small => 64,
        Size::Retail => 256,
    };
    let letters = match size {
        Size::Tiny => 2,
        Size::Small => 12,
        // Source: nwn-other.md, section 4.
        Size::Retail => 26,
    };
    vec![
        sample("c_boar.ssf", "ssf", ssf(count, &order, &[0; 24]), None),
        sample("ssf_order.ssf", "ssf", ssf(count, &back, &[0; 24]), Some(("sounds in another order", true))),
        sample("ssf_shared.ssf", "ssf", ssf(3, &[0, 0, 1], &[0; 24]), Some(("two items with one sound", true))),
        sample("ssf_padding.ssf", "ssf", ssf(3, &[0, 1, 2], &[9; 24]), Some(("padding that is not zero", true))),
        sample(
            "ssf_sister.ssf",
            "ssf",
            [&b"SSF V1.1\x0C\0\0\0"[..], &[1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]].concat(),
            Some(("a sound set of the sister game", false)),
        ),
        sample(
            "ssf_long.ssf",
            "ssf",
            long_ssf(&if size == Size::Tiny {
                vec![&b"vs_a_name_of_22_letter"[..], b""]
            } else {
                vec![&b"vs_fnx1mcastf_att"[..]; 51]
            }),
            Some(("a sound set of Neverwinter Nights 2", false)),
        ),
        sample(
            "ssf_twelve.ssf",
            "ssf",
            long_ssf(&[&b"vs_twelve"[..]; 12]),
            Some((
                "a sound set of Neverwinter Nights 2 with 12 sounds, the first word of one of the sister game",
                false,
            )),
        ),
        sample(
            "ssf_full.ssf",
            "ssf",
            long_ssf(&[b"a_name_of_thirty-two_characters_"]),
            Some(("a name without a NUL after it", true)),
        ),
        sample("cloak.plt", "plt", plt(&mut random, side, side, 10), None),
        sample("plt_layers.plt", "plt", plt(&mut random, 2, 3, 7), Some(("another number of layers", false))),
        sample(
            "plt_tail.plt",
            "plt",
            [plt(&mut random, 2, 2, 10), vec![1]].concat(),
            Some(("bytes after the pixels", true)),
        ),
        sample("elff.ltr", "ltr", ltr(letters), None),
        sample("table.b.2da", "binary-2da", binary_2da(4), None),
        sample("no_size.b.2da", "binary-2da", binary_2da(0), Some(("a size of 0", false))),
    ]
}

/// Returns files that must be refused.
pub fn broken() -> Vec<Broken> {
    let sounds = ssf(3, &[0, 1, 2], &[0; 24]);
    let patched = |at: usize, value: u32| {
        let mut file = sounds.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        file
    };
    let mut broken = vec![
        Broken::new("ssf", "ssf_count.ssf", patched(8, u32::MAX), "more sounds than the file has room for"),
        Broken::new("ssf", "ssf_table.ssf", patched(12, 0x7FFF_FFFF), "a table outside the file"),
        Broken::new("ssf", "ssf_offset.ssf", patched(40, 0x7FFF_FFFF), "a sound outside the file"),
        Broken::new("ssf", "ssf_texts.ssf", b"SSF V1.1\x99\0\0\0".to_vec(), "texts at an unknown offset"),
    ];
    let image = plt(&mut Random::new(1), 2, 2, 10);
    broken.push(Broken::new("plt", "plt_cut.plt", image[..30].to_vec(), "the file ends in the pixels"));
    broken.push(Broken::new("ltr", "ltr_cut.ltr", ltr(2)[..60].to_vec(), "the file ends in the tables"));
    broken.push(Broken::new(
        "binary-2da",
        "binary_cut.2da",
        binary_2da(4)[..20].to_vec(),
        "the file ends in the labels",
    ));
    broken
}
