//! Ordinary AppleSingle and AppleDouble files, others with traps, and broken files.

use super::{DATA, DOUBLE, Entry, FINDER, RESOURCES, SINGLE, Spec, build};
use crate::bytes::Bytes;
use crate::random::Random;
use crate::resources::one_string;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size, wad};

/// Returns 32 bytes: type, creator, flags, position, folder, and 16 more.
fn finder(kind: &[u8; 4]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(kind).raw(b"26.2").be_u16(0x0100).be_i16(0x68).be_i16(0x100).fill(0, 18);
    out.finish()
}

/// Returns a resource file: entries 1, 2, 9 with an empty data fork.
pub(crate) fn resource_file(random: &mut Random) -> Spec {
    let fork = one_string(random.garbage(240), b"Marathon");
    Spec::new(SINGLE, vec![Entry::new(DATA, vec![]), Entry::new(RESOURCES, fork), Entry::new(FINDER, finder(b"rsrc"))])
}

/// Returns the companion of a data file: entries 9, 2.
pub(crate) fn double(random: &mut Random) -> Spec {
    let fork = one_string(random.garbage(240), b"Marathon");
    Spec::new(DOUBLE, vec![Entry::new(FINDER, finder(b"sce2")), Entry::new(RESOURCES, fork)])
}

/// Returns a map in its data fork: entries 1, 9.
pub(crate) fn map_file(random: &mut Random, size: Size) -> Spec {
    let data = wad::build(&wad::single(random, size, 2, 1, &crate::level::UNPROCESSED_A));
    Spec::new(SINGLE, vec![Entry::new(DATA, data), Entry::new(FINDER, finder(b"sce2"))])
}

/// Returns AppleSingle and AppleDouble files of a size class. Source of the traps: marathon-images.md, section 2.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, games, spec: &Spec| Sample {
        name: name.into(),
        kind: "applesingle",
        games,
        bytes: build(spec),
        trap: None,
        deviates: false,
    };
    let plain =
        |name, games, spec: &dyn Fn(&mut Random) -> Spec| sample(name, games, &spec(&mut Random::named(seed, name)));
    let odd = TRAPS.iter().map(|trap| {
        let mut spec = resource_file(&mut Random::named(seed, trap.name));
        (trap.edit)(&mut spec);
        Sample { trap: Some(trap.words), deviates: trap.deviates, ..sample(trap.name, ALL, &spec) }
    });
    let tail = |random: &mut Random| {
        let mut spec = map_file(random, size.of_traps());
        spec.entries[0].data.extend(b"tail");
        spec
    };
    let tail = plain("single_map_with_tail.sceA", BOTH, &tail);
    [
        plain("demos.resource", ALL, &resource_file),
        plain("single_map.sceA", BOTH, &|random| map_file(random, size)),
        plain("._double_map.sceA", ALL, &double),
        Sample { trap: Some("a data fork in which bytes follow the wad"), deviates: true, ..tail },
    ]
    .into_iter()
    .chain(odd)
    .collect()
}

const ALL: &[&str] = &["m1", "m2", "mi"];
const BOTH: &[&str] = &["m2", "mi"];

/// Entry 0 is the empty data fork, 1 the resource fork, 2 the Finder information.
const TRAPS: [Trap<Spec>; 15] = [
    kept("unknown_ids.rsrc", "entries whose ids have no meaning here", |spec| {
        let ids = [3, 0, 0x8000_1234].map(|id| Entry::new(id, id.to_le_bytes().into()));
        spec.entries.extend(ids);
    }),
    kept("stale_finder.rsrc", "left-over bytes at the end of the Finder information", |spec| {
        spec.entries[2].data[24..].copy_from_slice(b"tion_sen")
    }),
    kept("odd_fork.rsrc", "a data fork of one byte that is no file we know", |spec| spec.entries[0].data = vec![7]),
    kept("no_entries.rsrc", "no entry", |spec| spec.entries.clear()),
    kept("all_empty.rsrc", "entries without bytes", |spec| {
        spec.entries.iter_mut().for_each(|entry| entry.data.clear())
    }),
    kept("double_without_finder.rsrc", "an AppleDouble file of the resource fork alone", |spec| {
        spec.magic = DOUBLE;
        spec.entries = vec![spec.entries.swap_remove(1)];
    }),
    reported("gap.rsrc", "a gap between two entries", |spec| spec.entries[2].gap = vec![0; 6]),
    reported("gap_stale.rsrc", "a gap before the first entry, with left-over bytes", |spec| {
        spec.entries[0].gap = b"left".into()
    }),
    reported("disorder.rsrc", "entries that lie in another order than the table's", |spec| {
        spec.file_order = vec![2, 0, 1]
    }),
    reported("empty_fork_at_0.rsrc", "an empty data fork whose offset is 0", |spec| spec.entries[0].offset = Some(0)),
    reported("filler.rsrc", "a filler that is not zero", |spec| spec.filler = [0xCC; 16]),
    reported("filler_home.rsrc", "a filler that names the home file system", |spec| spec.filler = *b"Macintosh       "),
    reported("version_1.rsrc", "version 0x00010000", |spec| spec.version = 0x0001_0000),
    reported("trailing.rsrc", "bytes after the last entry", |spec| spec.trailing = b"left over".into()),
    reported("trailing_double.rsrc", "bytes after the last entry of an AppleDouble file", |spec| {
        spec.magic = DOUBLE;
        spec.entries.remove(0);
        spec.trailing = vec![0; 5];
    }),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = resource_file(&mut Random::named(seed, "broken.rsrc"));
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("applesingle", &format!("{name}.rsrc"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("entry_offset_{lie:08x}"), "an entry that lies outside the file", &|spec| {
                spec.entries[1].offset = Some(lie)
            }),
            broken(&format!("entry_length_{lie:08x}"), "an entry longer than the file", &|spec| {
                spec.entries[1].length = Some(lie)
            }),
        ]
    });
    let others = [
        broken("entry_count_ffff", "more entries than the file has room for", &|spec| spec.entry_count = Some(0xFFFF)),
        broken("unknown_magic", "a magic that is neither of the two", &|spec| spec.magic = 0x0005_1601),
    ];
    let file = build(&plain);
    let places = [
        (3, "in the magic"),
        (25, "in the header"),
        (26, "before the table"),
        (61, "in the table"),
        (62, "before the entries"),
        (100, "in the resource fork"),
        (file.len() - 1, "before its last byte"),
    ];
    lies.chain(others).chain(cuts("applesingle", "rsrc", &file, &places)).collect()
}
