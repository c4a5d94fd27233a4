//! Ordinary sounds, others with traps, and broken files.

use super::{Definition, Sound, Spec, build};
use crate::bytes::Bytes;
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

const KIND: &str = "sounds";
const BOTH: &[&str] = &["m2", "mi"];

/// Returns a resource `snd ` of format 1, as in Marathon. Source: marathon-sounds.md, section 3.
pub fn resource(sound: &Sound) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u16(1).be_u16(1).be_u16(5).be_u32(160).be_u16(1).be_u16(0x8051).be_i16(0).be_u32(20).raw(&sound.write());
    out.finish()
}

/// Returns an item of a patch, the chunk `SnPa`. Source: marathon-sounds.md, section 4.
pub fn patch(index: u16, definition: &Definition) -> Vec<u8> {
    let mut out = Bytes::new();
    let group = definition.group();
    out.raw(b"sndc").be_u16(0).be_u16(index);
    definition.write(&definition.sounds, group.len(), 0, &mut out);
    definition.sounds.iter().for_each(|sound| _ = out.be_u32(sound.write().len() as u32));
    out.raw(&group);
    out.finish()
}

pub(super) fn waves(random: &mut Random, length: usize) -> Vec<u8> {
    let mut level = 128_i32;
    (0..length)
        .map(|_| {
            level = (level + random.between(-9, 9)).clamp(0, 255);
            level as u8
        })
        .collect()
}

/// Returns 8-bit sounds, then 16-bit ones.
fn ordinary(random: &mut Random, size: Size) -> Spec {
    let (count, length) = match size {
        Size::Tiny => (2, 6),
        Size::Small => (6, 800),
        Size::Retail => (215, 12_000),
    };
    let mut definitions = vec![];
    for source in 0..2 {
        for code in 0..count {
            let permutations = random.below(if size == Size::Tiny { 2 } else { 5 }) as usize + 1;
            let sounds = (0..permutations).map(|_| {
                let length = (length + random.below(length as u32) as usize) & !1;
                let samples = waves(random, length);
                if source == 0 { Sound::standard(samples) } else { Sound::extended(1, samples) }
            });
            definitions.push(Definition::new(code, sounds.collect()));
        }
        // The last of each source is empty.
        definitions.push(Definition::new(-1, vec![]));
    }
    Spec { sources: Some(2), ..Spec::new(definitions) }
}

/// Returns three sounds, one of them empty.
fn simple(random: &mut Random) -> Spec {
    Spec::new(vec![
        Definition::new(0, vec![Sound::standard(waves(random, 5)), Sound::standard(waves(random, 4))]),
        Definition::new(-1, vec![]),
        Definition::new(2, vec![Sound::standard(waves(random, 3))]),
    ])
}

/// Returns sounds files of a size class. Source of the traps: marathon-sounds.md, sections 1, 2 and 5.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let name = "Sounds.sndA";
    let bytes = build(&ordinary(&mut Random::named(seed, name), size));
    let plain = Sample { name: name.into(), kind: KIND, games: BOTH, bytes, trap: None, deviates: false };
    let odd = TRAPS.iter().map(|trap| {
        let spec = simple(&mut Random::named(seed, trap.name));
        Sample::of(trap.name, KIND, BOTH, spec, Some(trap), build)
    });
    [plain].into_iter().chain(odd).collect()
}

const TRAPS: [Trap<Spec>; 27] = [
    kept("snd_version_0.sndA", "version 0", |spec| spec.version = 0),
    kept("snd_old.sndA", "an old file, the number of sounds in place of the sources", |spec| spec.old = true),
    kept("snd_old_empty.sndA", "a file without sounds", |spec| {
        spec.old = true;
        spec.definitions.clear();
    }),
    kept("snd_unused.sndA", "left-over bytes in the head", |spec| spec.unused = 0xCD),
    kept("snd_runtime.sndA", "words of a running program", |spec| {
        spec.definitions[0].runtime = [3, 99, 0x1234_5678, 7]
    }),
    kept("snd_shared_group.sndA", "two definitions with one group", |spec| {
        spec.definitions[2].sounds.clear();
        spec.definitions[2].group_of = Some(0);
    }),
    kept("snd_16_bits.sndA", "a sound of 16 bits and two channels", |spec| {
        spec.definitions[0].sounds = vec![Sound::extended(2, vec![1, 2, 3, 4, 5, 6, 7, 8])]
    }),
    kept("snd_extended_8.sndA", "an extended sound of 8 bits", |spec| {
        spec.definitions[0].sounds = vec![Sound { bits: 8, ..Sound::extended(1, vec![1, 2, 3]) }]
    }),
    kept("snd_twos.sndA", "a compressed sound", |spec| {
        spec.definitions[0].sounds = vec![Sound { encoding: 0xFE, bits: 8, ..Sound::extended(1, vec![1, 0x80, 3]) }]
    }),
    kept("snd_no_samples.sndA", "a sound without samples", |spec| {
        spec.definitions[2].sounds = vec![Sound::standard(vec![])]
    }),
    reported("snd_pointers.sndA", "a sound with an address and odd loops", |spec| {
        let sound = &mut spec.definitions[0].sounds[0];
        (sound.pointer, sound.loops, sound.base_note) = (0xDEAD_BEEF, Some([9, 2]), 255);
    }),
    reported("snd_rate_float.sndA", "a float that is not the rate", |spec| {
        spec.definitions[0].sounds = vec![Sound {
            rate_extended: Some([0x40, 0x0D, 0xAC, 0x44, 1, 0, 0, 0, 0, 0]),
            ..Sound::extended(1, vec![0; 4])
        }]
    }),
    reported("snd_future.sndA", "reserved bytes of a head that are not 0", |spec| {
        spec.definitions[0].sounds = vec![Sound { future: 7, ..Sound::extended(1, vec![0; 4]) }]
    }),
    reported("snd_single_length.sndA", "a length of the first sound that is not its own", |spec| {
        spec.definitions[0].single_length = Some(1)
    }),
    reported("snd_offsets.sndA", "offsets of sounds that are not theirs", |spec| {
        spec.definitions[0].offsets = Some([5, 4, 3, 2, 1])
    }),
    reported("snd_offset_of_none.sndA", "an offset of a sound that does not exist", |spec| {
        spec.definitions[2].offsets = Some([0, 0, 0, 0, 9])
    }),
    reported("snd_permutations_6.sndA", "more sounds told than fit", |spec| spec.definitions[0].permutations = Some(6)),
    reported("snd_permutations_negative.sndA", "less than no sounds", |spec| {
        spec.definitions[0].permutations = Some(-1)
    }),
    reported("snd_empty_offset.sndA", "an empty slot that says where it lies", |spec| {
        spec.definitions[1].group_offset = Some(0x7000_0000);
        spec.definitions[1].total_length = Some(8);
    }),
    reported("snd_gap.sndA", "a gap between groups", |spec| spec.definitions[2].gap = vec![0; 6]),
    reported("snd_gap_stale.sndA", "left-over bytes before the first group", |spec| {
        spec.definitions[0].gap = b"left over".into()
    }),
    reported("snd_slack.sndA", "bytes in a group behind its sounds", |spec| spec.definitions[0].slack = vec![1, 2, 3]),
    reported("snd_disorder.sndA", "groups in another order than the definitions", |spec| {
        spec.file_order = vec![2, 1, 0]
    }),
    reported("snd_trailing.sndA", "bytes behind the last group", |spec| spec.trailing = b"left over".into()),
    reported("snd_overlap.sndA", "a group that begins inside another", |spec| {
        spec.definitions[2].sounds.clear();
        spec.definitions[2].group_offset = Some(260 + 3 * 64 + 4);
        spec.definitions[2].total_length = Some(30);
    }),
    kept("snd_undecoded.sndA", "a group that holds no sounds", |spec| {
        spec.definitions[2] = Definition { slack: vec![0x77; 30], permutations: Some(1), ..Definition::new(2, vec![]) };
    }),
    kept("snd_channels_0.sndA", "a sound without channels, kept as it is", |spec| {
        spec.definitions[2] = Definition {
            sounds: vec![Sound { channels: 0, count: Some(3), ..Sound::extended(1, vec![]) }],
            single_length: Some(0),
            ..Definition::new(2, vec![])
        };
    }),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = simple(&mut Random::named(seed, "broken.sndA"));
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new(KIND, &format!("{name}.sndA"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("snd_group_offset_{lie:08x}"), "a group that lies outside the file", &|spec| {
                spec.definitions[0].group_offset = Some(lie)
            }),
            broken(&format!("snd_total_length_{lie:08x}"), "a group longer than the file", &|spec| {
                spec.definitions[0].total_length = Some(lie)
            }),
        ]
    });
    let others = [
        broken("snd_sources_negative", "less than no sources", &|spec| spec.sources = Some(-1)),
        broken("snd_sounds_7fff", "more sounds than the file holds", &|spec| spec.sounds = Some(0x7FFF)),
        broken("snd_sounds_negative", "less than no sounds", &|spec| spec.sounds = Some(-2)),
        broken("snd_group_in_head", "a group that begins in the definitions", &|spec| {
            spec.definitions[0].group_offset = Some(100)
        }),
    ];
    let whole = build(&plain);
    let places = [(11, "in its head"), (270, "in its definitions"), (whole.len() - 1, "before its last byte")];
    lies.chain(others).chain(cuts(KIND, "sndA", &whole, &places)).collect()
}
