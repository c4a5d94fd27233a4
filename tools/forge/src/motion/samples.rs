//! Ordinary motions, motions with traps, and broken files.

use super::{Part, ROTATION, Spec, TRANSLATION, build};
use crate::bytes::bits;
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

/// Ordinary motions and their frame counts. Source: zipper-motion.md, section 3.
const RETAIL: [(&str, u32); 5] = [
    ("thor_walk.motion", 56),
    ("orion_landf.motion", 18),
    ("strider_stand.motion", 2),
    ("thor_stand.motion", 1),
    ("vulture_stand.motion", 99),
];

const PARTS: [&str; 20] = [
    "hip",
    "torso",
    "lshoulder",
    "rshoulder",
    "larm",
    "rarm",
    "lgun",
    "rgun",
    "lthigh",
    "rthigh",
    "lknee",
    "rknee",
    "lcalf",
    "rcalf",
    "lankle",
    "rankle",
    "lfoot",
    "rfoot",
    "ltoe",
    "rtoe",
];

/// Returns a typical motion of at most `frames` frames.
pub fn ordinary(random: &mut Random, size: Size, frames: u32) -> Spec {
    let (parts, frames) = match size {
        Size::Tiny => (1, frames.min(2)),
        Size::Small => (12, frames.min(18)),
        Size::Retail => (20, frames),
    };
    Spec {
        version: 4,
        loop_time: (frames as f32 / 30.0).to_bits(),
        frame_count: frames,
        part_count: None,
        unk16: (-1.0f32).to_bits(),
        unk20: 1.0f32.to_bits(),
        parts: PARTS[..parts].iter().map(|name| part(random, name, frames)).collect(),
        trailing: vec![],
    }
}

/// Returns a part that sways out along an arc and back, so that its last frame is its first.
fn part(random: &mut Random, name: &str, frames: u32) -> Part {
    let rest = [0.0, random.real(0.0, 8.0), random.real(-2.0, 2.0)];
    let sway = [0; 3].map(|_| random.real(-1.5, 1.5));
    let turn = [0; 3].map(|_| random.real(-0.5, 0.5));
    let frame = |frame: u32| {
        let time = frame as f32 / frames as f32;
        let arc = 4.0 * time * (1.0 - time);
        let [x, y, z] = turn.map(|angle| angle * arc);
        let norm = (1.0 + x * x + y * y + z * z).sqrt();
        (bits([0, 1, 2].map(|axis| rest[axis] + sway[axis] * arc)), bits([1.0, x, y, z].map(|value| value / norm)))
    };
    let (translations, rotations) = (0..=frames).map(frame).unzip();
    Part { name: name.into(), name_length: None, flags: ROTATION | TRANSLATION, translations, rotations }
}

/// Returns motions of a size class. Source of the traps: zipper-motion.md, sections 1 and 2.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, frames, size, trap: Option<&Trap<Spec>>| {
        Sample::of(name, "motion", &["mw", "pm"], ordinary(&mut Random::named(seed, name), size, frames), trap, build)
    };
    let plain = RETAIL.iter().map(|&(name, frames)| sample(name, frames, size, None));
    let odd = TRAPS.iter().map(|trap| sample(trap.name, 6, size.of_traps(), Some(trap)));
    plain.chain(odd).collect()
}

const TRAPS: [Trap<Spec>; 23] = [
    kept("no_parts.motion", "no part, so that nothing else tells the frame count", |spec| spec.parts.clear()),
    kept("no_parts_most_frames.motion", "no part, and a frame count to which nothing can be added", |spec| {
        spec.parts.clear();
        spec.frame_count = u32::MAX;
    }),
    kept("negative_zero.motion", "-0.0 in both tracks", |spec| {
        loops(spec, |part| (&mut part.translations[0][0], &mut part.rotations[0][2]), [0x8000_0000; 2])
    }),
    kept("nan.motion", "a quiet and a signalling NaN, each with a payload", |spec| {
        loops(spec, |part| (&mut part.translations[0][1], &mut part.rotations[0][0]), [0xFFC1_2345, 0x7FA0_0001]);
    }),
    kept("infinities.motion", "both infinities", |spec| {
        loops(spec, |part| (&mut part.translations[0][2], &mut part.rotations[0][3]), [0x7F80_0000, 0xFF80_0000]);
    }),
    kept("denormals.motion", "the smallest and the largest denormal", |spec| {
        loops(spec, |part| (&mut part.translations[0][0], &mut part.rotations[0][1]), [0x0000_0001, 0x807F_FFFF]);
    }),
    kept("loop_time.motion", "a loop time that is not frame_count / 30", |spec| spec.loop_time = 7.3f32.to_bits()),
    kept("repeated_names.motion", "two parts of the same name", |spec| spec.parts.push(spec.parts[0].clone())),
    kept("high_bytes.motion", "a part name that is not ASCII", |spec| spec.parts[0].name = b"h\xFCfte\x80\xFF".into()),
    kept("nul_in_name.motion", "a part name with NULs in it", |spec| spec.parts[0].name = b"\0hip\0".into()),
    kept("empty_name.motion", "a part without a name", |spec| spec.parts[0].name.clear()),
    kept("long_name.motion", "a part name of 300 bytes", |spec| spec.parts[0].name = b"hip".repeat(100)),
    reported("one_frame_stored.motion", "frame_count 0: the first frame is the last", |spec| {
        spec.frame_count = 0;
        for part in &mut spec.parts {
            part.translations.truncate(1);
            part.rotations.truncate(1);
        }
    }),
    reported("last_frame_sign.motion", "the last frame is equal to the first as floats, not as bits", |spec| {
        for (frame, zero) in [(0, 0.0f32), (spec.frame_count as usize, -0.0)] {
            spec.parts[0].translations[frame][0] = zero.to_bits();
            spec.parts[0].rotations[frame][1] = zero.to_bits();
        }
    }),
    reported("last_frame_moved.motion", "the last frame is not the first", |spec| {
        let frame = spec.frame_count as usize;
        spec.parts[0].translations[frame] = bits([1.0, 2.0, 3.0]);
    }),
    reported("rotations_only.motion", "a part with flag 4 alone, and no translations", |spec| {
        spec.parts[0].flags = ROTATION;
        spec.parts[0].translations.clear();
    }),
    reported("translations_only.motion", "a part with flag 8 alone, and no rotations", |spec| {
        spec.parts[0].flags = TRANSLATION;
        spec.parts[0].rotations.clear();
    }),
    reported("version_3.motion", "version 3", |spec| spec.version = 3),
    reported("version_5.motion", "version 5", |spec| spec.version = 5),
    reported("unk16.motion", "unk16 is not -1.0", |spec| spec.unk16 = 0.5f32.to_bits()),
    reported("unk20.motion", "unk20 is not 1.0", |spec| spec.unk20 = 0x8000_0000),
    reported("trailing.motion", "bytes after the last part", |spec| spec.trailing = b"left over".into()),
    reported("no_parts_trailing.motion", "bytes after the header of a motion without parts", |spec| {
        spec.parts.clear();
        spec.trailing = vec![0; 4];
    }),
];

/// Sets one value of each track in the first frame and, to keep the loop closed, in the last.
fn loops(spec: &mut Spec, place: fn(&mut Part) -> (&mut u32, &mut u32), [translation, rotation]: [u32; 2]) {
    let part = &mut spec.parts[0];
    let (first, second) = place(part);
    (*first, *second) = (translation, rotation);
    let last = spec.frame_count as usize;
    part.translations[last] = part.translations[0];
    part.rotations[last] = part.rotations[0];
}

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let tiny = ordinary(&mut Random::named(seed, "broken.motion"), Size::Tiny, 2);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = tiny.clone();
        edit(&mut spec);
        Broken::new("motion", &format!("{name}.motion"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("part_count_{lie:08x}"), "more parts than the file has room for", &|spec| {
                spec.part_count = Some(lie)
            }),
            broken(&format!("frame_count_{lie:08x}"), "more frames than the file has room for", &|spec| {
                spec.frame_count = lie
            }),
            broken(&format!("name_length_{lie:08x}"), "a name longer than the file", &|spec| {
                spec.parts[0].name_length = Some(lie)
            }),
        ]
    });
    let others = [
        broken("one_part_more", "one part more than there is", &|spec| spec.part_count = Some(2)),
        broken("one_frame_more", "one frame more than there is", &|spec| spec.frame_count += 1),
        broken("unknown_flag", "a flag whose track has an unknown size", &|spec| spec.parts[0].flags |= 0x10),
    ];
    let places = [
        (0, "at its start"),
        (3, "in the version"),
        (23, "in the header"),
        (24, "before the parts"),
        (26, "in the name length"),
        (29, "in the name"),
        (33, "in the flags"),
        (40, "in the translations"),
        (76, "in the rotations"),
        (118, "before its last byte"),
    ];
    lies.chain(others).chain(cuts("motion", "motion", &build(&tiny), &places)).collect()
}
