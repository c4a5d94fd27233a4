//! Ordinary maps, maps with traps, and broken files.

use super::{Feature, Spec, build};
use crate::bytes::bits;
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

/// Returns a typical map.
pub fn ordinary(random: &mut Random, size: Size) -> Spec {
    let features = match size {
        Size::Tiny => 2,
        Size::Small => 12,
        Size::Retail => 420,
    };
    Spec {
        version: 5,
        unk04: random.between(1, 31) as u32,
        min: bits([0.0; 3].map(|_: f32| random.real(-4000.0, 0.0))),
        max: bits([0.0; 3].map(|_: f32| random.real(0.0, 4000.0))),
        features: (0..features).map(|_| feature(random, size)).collect(),
        trailing: vec![],
    }
}

fn feature(random: &mut Random, size: Size) -> Feature {
    let points = if size == Size::Tiny { 2 } else { random.between(2, 12) };
    let center = [0.0; 3].map(|_: f32| random.real(-4000.0, 4000.0));
    Feature {
        color: [0; 3].map(|_| random.below(256) as u8),
        point_count: None,
        points: (0..points).map(|_| bits(center.map(|at| at + random.real(-60.0, 60.0)))).collect(),
        objective: random.between(-1, 7),
    }
}

/// Returns maps of a size class. Source of the traps: zipper-zmap.md, sections 1 and 3.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, size, trap: Option<&Trap<Spec>>| {
        Sample::of(name, "zmap", &["rc"], ordinary(&mut Random::named(seed, name), size), trap, build)
    };
    let plain = ["m1.zmap", "m2.zmap", "m3.zmap"].into_iter().map(|name| sample(name, size, None));
    let odd = TRAPS.iter().map(|trap| sample(trap.name, size.of_traps(), Some(trap)));
    plain.chain(odd).collect()
}

const TRAPS: [Trap<Spec>; 19] = [
    kept("no_features.zmap", "no feature", |spec| spec.features.clear()),
    kept("no_points.zmap", "a feature without points", |spec| spec.features[0].points.clear()),
    kept("no_points_at_all.zmap", "features without points, the last one too", |spec| {
        spec.features.iter_mut().for_each(|feature| feature.points.clear());
    }),
    kept("one_point.zmap", "a feature of one point", |spec| spec.features[0].points.truncate(1)),
    kept("closed.zmap", "an outline whose last point is its first", |spec| {
        let first = spec.features[0].points[0];
        spec.features[0].points.push(first);
    }),
    kept("objectives.zmap", "objectives below -1 and above all missions", |spec| {
        spec.features[0].objective = i32::MIN;
        spec.features[1].objective = i32::MAX;
    }),
    kept("negative_zero.zmap", "-0.0 in bounds and points", |spec| {
        spec.min[1] = 0x8000_0000;
        spec.features[0].points[0] = [0x8000_0000; 3];
    }),
    kept("nan.zmap", "a quiet and a signalling NaN in the points, each with a payload", |spec| {
        spec.features[0].points[0] = [0xFFC1_2345, 0x7FA0_0001, 0x7FC0_0000];
    }),
    kept("denormals.zmap", "denormals and infinities in the points", |spec| {
        spec.features[0].points[0] = [0x0000_0001, 0x807F_FFFF, 0x7F80_0000];
    }),
    kept("unk04.zmap", "unk04 beyond those of retail", |spec| spec.unk04 = 0xDEAD_BEEF),
    kept("unk04_zero.zmap", "unk04 is 0", |spec| spec.unk04 = 0),
    kept("bounds_inside_out.zmap", "min lies above max", |spec| std::mem::swap(&mut spec.min, &mut spec.max)),
    kept("bounds_of_one_point.zmap", "bounds that enclose no feature", |spec| {
        spec.min = bits([9999.0; 3]);
        spec.max = spec.min;
    }),
    kept("bounds_nan.zmap", "bounds that are no numbers", |spec| spec.max = [0x7FC0_0000, 0xFF80_0000, 0x7FA0_0001]),
    reported("trailing_1.zmap", "one byte after the last feature", |spec| spec.trailing = vec![0xFF]),
    reported("trailing_2.zmap", "two bytes after the last feature", |spec| spec.trailing = vec![0x80, 0]),
    reported("no_features_trailing.zmap", "two bytes after the header, and no feature", |spec| {
        spec.features.clear();
        spec.trailing = vec![1, 2];
    }),
    reported("version_4.zmap", "version 4, which the game refuses", |spec| spec.version = 4),
    reported("version_6.zmap", "version 6, which the game refuses", |spec| spec.version = 6),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let tiny = ordinary(&mut Random::named(seed, "broken.zmap"), Size::Tiny);
    let broken = |name: &str, why: &str, count| {
        let mut spec = tiny.clone();
        spec.features[1].point_count = Some(count);
        Broken::new("zmap", &format!("{name}.zmap"), build(&spec), why)
    };
    let lies = LIES
        .map(|lie| broken(&format!("point_count_{lie:08x}"), "a point count that no file has room for", lie as i32));
    let one_more = broken("one_point_more", "one point more than there is", 3);
    let file = build(&tiny);
    let unfinished =
        Broken::new("zmap", "m1.zmap", file[..32 + 20].into(), "the file ends in a point of its first feature");
    let places = [
        (0, "at its start"),
        (3, "in the version"),
        (31, "in the header"),
        (32 + 5, "in a point count"),
        (32 + 7 + 24, "before an objective"),
        (file.len() - 1, "in the last objective"),
    ];
    lies.into_iter().chain([one_more, unfinished]).chain(cuts("zmap", "zmap", &file, &places)).collect()
}
