//! Ordinary physics models of Marathon, others with traps, and broken files.

use super::{BLOCKS, Block, Spec, build};
use crate::level::{figures, leading};
use crate::random::Random;
use crate::sample::{Trap, cuts, kept};
use crate::{Broken, Sample, Size};

pub(crate) fn model(random: &mut Random, size: Size) -> Spec {
    let blocks = BLOCKS.map(|(tag, address, count, size_of)| {
        let count = if size == Size::Tiny { 1 } else { count };
        let entries = |of: usize| if size == Size::Tiny { 1 } else { BLOCKS[of].2 };
        let (effects, projectiles) = (entries(1), entries(2));
        // The references between definitions.
        let leads: &[(usize, usize)] = match tag {
            b"mons" => &[(54, effects), (56, effects), (106, projectiles), (122, projectiles)],
            b"proj" => &[(4, effects), (6, effects)],
            b"weap" => &[(98, projectiles), (100, projectiles)],
            _ => &[],
        };
        let records = figures(count * usize::from(size_of), random);
        let data = leading(records, size_of.into(), leads, random);
        Block { tag: *tag, address, count: None, size: size_of, data }
    });
    Spec { blocks: blocks.into() }
}

/// Returns physics models of a size class.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, size, trap| {
        Sample::of(name, "physics", &["m1"], model(&mut Random::named(seed, name), size), trap, build)
    };
    let traps = TRAPS.iter().map(|trap| sample(trap.name, Size::Tiny, Some(trap)));
    [sample("Physics.phys", size, None)].into_iter().chain(traps).collect()
}

const TRAPS: &[Trap<Spec>] = &[
    kept("physics_other_size.phys", "records of a size that nobody knows", |spec| {
        (spec.blocks[1].size, spec.blocks[1].data) = (7, vec![9; 21]);
    }),
    kept("physics_size_0.phys", "five records without bytes", |spec| {
        let block = &mut spec.blocks[2];
        (block.size, block.count) = (0, Some(5));
        block.data.clear();
    }),
    kept("physics_empty_block.phys", "a block without records", |spec| spec.blocks[0].data.clear()),
    kept("physics_twice.phys", "a block that comes twice, in another order", |spec| {
        spec.blocks.swap(0, 4);
        spec.blocks[3] = spec.blocks[1].clone();
    }),
    kept("physics_one_block.phys", "one block only", |spec| spec.blocks.truncate(1)),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = model(&mut Random::named(seed, "broken.phys"), Size::Tiny);
    let lie = |name: &str, why: &str, count, size| {
        let mut spec = plain.clone();
        (spec.blocks[4].count, spec.blocks[4].size) = (Some(count), size);
        Broken::new("physics", name, build(&spec), why)
    };
    let file = build(&plain);
    let places = [
        (5, "in the head of a block"),
        (155, "in the head of the second block"),
        (file.len() - 1, "before its last byte"),
    ];
    let lies = [
        lie("count_ffff.phys", "more records than there is room for", 0xFFFF, 120),
        lie("size_ffff.phys", "larger records than there is room for", 1, 0xFFFF),
    ];
    lies.into_iter().chain(cuts("physics", "phys", &file, &places)).collect()
}
