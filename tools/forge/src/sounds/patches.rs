//! Patches of sounds as files, `*.SnPa`. Source: marathon-sounds-patch.md.

use super::samples::{patch, waves};
use super::{Definition, Sound};
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

const KIND: &str = "sounds-patch";
const BOTH: &[&str] = &["m2", "mi"];

/// A patch.
#[derive(Clone, Debug)]
struct Spec {
    /// The slot of each item, and its sounds.
    items: Vec<(u16, Definition)>,
    /// Bytes written over the file, with their offset.
    over: Vec<(usize, Vec<u8>)>,
    /// Bytes at the end of the file.
    trailing: Vec<u8>,
}

impl Spec {
    fn new(items: Vec<(u16, Definition)>) -> Self {
        Self { items, over: vec![], trailing: vec![] }
    }
}

fn build(spec: &Spec) -> Vec<u8> {
    let mut file: Vec<u8> = spec.items.iter().flat_map(|(slot, definition)| patch(*slot, definition)).collect();
    for (offset, bytes) in &spec.over {
        file[*offset..offset + bytes.len()].copy_from_slice(bytes);
    }
    [file, spec.trailing.clone()].concat()
}

/// Returns a patch of both sources, and of a sound that it silences.
fn ordinary(random: &mut Random, size: Size) -> Spec {
    let (count, length) = match size {
        Size::Tiny => (1, 5),
        Size::Small => (8, 700),
        Size::Retail => (215, 12_000),
    };
    let mut items = vec![];
    for source in 0..2_u16 {
        for slot in 0..count {
            let permutations = slot % 5 + 1;
            let sounds = (0..permutations).map(|_| {
                let samples = waves(random, length & !1);
                if source == 0 { Sound::standard(samples) } else { Sound::extended(1, samples) }
            });
            items.push((215 * source + slot, Definition::new(2000 + slot as i16, sounds.collect())));
        }
    }
    items.push((count, Definition::new(2000, vec![])));
    Spec::new(items)
}

/// Returns two items, one with two sounds.
fn simple(random: &mut Random) -> Spec {
    let sound = |random: &mut Random, length| Sound::standard(waves(random, length));
    let two = vec![sound(random, 5), sound(random, 4)];
    Spec::new(vec![(12, Definition::new(0, two)), (215 + 13, Definition::new(2, vec![sound(random, 3)]))])
}

/// Returns patches of a size class. Source of the traps: marathon-sounds-patch.md, sections 1, 3 and 5.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let name = "Sounds.SnPa";
    let spec = ordinary(&mut Random::named(seed, name), size);
    let plain = Sample::of(name, KIND, BOTH, spec, None, build);
    let odd = TRAPS.iter().map(|trap| {
        let spec = simple(&mut Random::named(seed, trap.name));
        Sample::of(trap.name, KIND, BOTH, spec, Some(trap), build)
    });
    [plain].into_iter().chain(odd).collect()
}

const TRAPS: [Trap<Spec>; 14] = [
    kept("snpa_silent.SnPa", "one item, which silences a sound: the smallest file", |spec| {
        spec.items = vec![(3, Definition::new(0, vec![]))];
    }),
    kept("snpa_twice.SnPa", "two items for one slot, of which the first counts", |spec| spec.items[1].0 = 12),
    kept("snpa_downward.SnPa", "items in falling order", |spec| spec.items.reverse()),
    kept("snpa_runtime.SnPa", "words of a running program", |spec| {
        spec.items[0].1.runtime = [3, 99, 0x1234_5678, 7];
    }),
    reported("snpa_group_offset.SnPa", "an offset of the group, which readers ignore", |spec| {
        spec.items[0].1.group_offset = Some(0x7000_0000);
    }),
    kept("snpa_16_bits.SnPa", "a sound of 16 bits and two channels", |spec| {
        spec.items[0].1.sounds = vec![Sound::extended(2, vec![1, 2, 3, 4, 5, 6, 7, 8])];
    }),
    kept("snpa_twos.SnPa", "a compressed sound", |spec| {
        spec.items[0].1.sounds = vec![Sound { encoding: 0xFE, bits: 8, ..Sound::extended(1, vec![1, 0x80, 3]) }];
    }),
    reported("snpa_unknown.SnPa", "a reserved word that is not 0", |spec| spec.over = vec![(4, vec![1, 2])]),
    reported("snpa_single_length.SnPa", "a length of the first sound that is not its own", |spec| {
        spec.items[0].1.single_length = Some(1);
    }),
    reported("snpa_offsets.SnPa", "offsets of sounds that are not theirs", |spec| {
        spec.items[0].1.offsets = Some([0, 4, 3, 2, 1]);
    }),
    reported("snpa_sizes.SnPa", "a size of a sound that is not its own", |spec| {
        spec.over = vec![(72, vec![0, 0, 0, 9])];
    }),
    reported("snpa_slack.SnPa", "bytes in a group after its sounds", |spec| spec.items[0].1.slack = vec![1, 2, 3]),
    reported("snpa_trailing.SnPa", "bytes after the last item", |spec| spec.trailing = b"left over".into()),
    reported("snpa_other_tag.SnPa", "an item with another tag, for which the engine refuses the whole patch", |spec| {
        spec.trailing = [b"sndx".to_vec(), vec![0; 80]].concat();
    }),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = simple(&mut Random::named(seed, "broken.SnPa"));
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new(KIND, &format!("{name}.SnPa"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("snpa_total_length_{lie:08x}"), "sounds longer than the file", &|spec| {
                spec.items[0].1.total_length = Some(lie);
            }),
            broken(&format!("snpa_second_length_{lie:08x}"), "sounds of a later item longer than the file", &|spec| {
                spec.items[1].1.total_length = Some(lie);
            }),
        ]
    });
    let others = [
        broken("snpa_permutations_7fff", "more sizes than the file holds", &|spec| {
            spec.items[0].1.permutations = Some(0x7FFF);
        }),
        broken("snpa_permutations_negative", "less than no sizes", &|spec| spec.items[0].1.permutations = Some(-1)),
    ];
    let whole = build(&plain);
    let places =
        [(75, "in the sizes of an item"), (90, "in its first sound"), (whole.len() - 1, "before its last byte")];
    lies.chain(others).chain(cuts(KIND, "SnPa", &whole, &places)).collect()
}
