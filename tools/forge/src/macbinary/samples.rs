//! Ordinary MacBinary files, others with traps, and broken files.

use super::{Spec, build};
use crate::random::Random;
use crate::resources::{self, one_string};
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::wad;
use crate::{Broken, Sample, Size};

/// Returns a map of Marathon in its usual form: a wad in the data fork, one `STR ` in the resource fork.
pub(crate) fn ordinary(random: &mut Random, size: Size, checksum: Option<u32>) -> Spec {
    let data = wad::build(&wad::Spec { checksum, ..wad::marathon(random, size) });
    Spec::new(b"Map", data, one_string(random.garbage(240), b"Marathon"))
}

/// Returns MacBinary files of a size class. Source of the traps: marathon-images.md, section 1.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, spec: Spec| Sample {
        name: name.into(),
        kind: "macbinary",
        games: &["m1"],
        bytes: build(&spec),
        trap: None,
        deviates: false,
    };
    let plain = |name, checksum| sample(name, ordinary(&mut Random::named(seed, name), size, checksum));
    let odd = TRAPS.iter().map(|trap| {
        let mut spec = ordinary(&mut Random::named(seed, trap.name), size.of_traps(), None);
        (trap.edit)(&mut spec);
        Sample { trap: Some(trap.words), deviates: trap.deviates, ..sample(trap.name, spec) }
    });
    // The checksum of the real map matches no known rule, so even that deviates.
    let map = Sample { deviates: true, ..plain("Map.scen", Some(wad::MARATHON_CHECKSUM)) };
    // Sounds and shapes of Marathon consist of a resource fork only.
    let forks = [("Sounds.sndz", resources::sounds as fn(&mut Random, Size) -> _), ("Shapes.shps", resources::shapes)];
    let forks = forks.map(|(name, fork)| {
        let fork = resources::build(&fork(&mut Random::named(seed, name), size));
        let spec = Spec::new(name.split('.').next().unwrap_or_default().as_bytes(), vec![], fork);
        Sample { games: &["m1", "m2", "mi"], ..sample(name, spec) }
    });
    [map, plain("Map_by_the_rule.scen", None)].into_iter().chain(forks).chain(odd).collect()
}

const TRAPS: [Trap<Spec>; 27] = [
    kept("name_of_1.scen", "a name of one byte", |spec| spec.name = b"M".into()),
    kept("name_of_63.scen", "a name that fills its field", |spec| spec.name = b"Marathon ".repeat(7)),
    kept("name_high_bytes.scen", "a name that is not ASCII", |spec| spec.name = b"M\x8Cp \xA5\xFF".into()),
    kept("name_tail.scen", "an older name behind the name", |spec| spec.name_tail = b"rathon Map".into()),
    kept("data_only.scen", "no resource fork", |spec| spec.resources.clear()),
    kept("resources_only.scen", "no data fork", |spec| spec.data.clear()),
    kept("no_forks.scen", "the header alone", |spec| {
        spec.data.clear();
        spec.resources.clear();
    }),
    kept("fork_of_256.scen", "a data fork that needs no padding, and is no wad", |spec| spec.data = vec![0xA5; 256]),
    kept("comment.scen", "a comment after the forks", |spec| spec.comment = b"Vidmaster's oath".into()),
    kept("secondary_header.scen", "a secondary header before the forks", |spec| spec.secondary = vec![0x5A; 40]),
    kept("finder.scen", "odd Finder data and dates", |spec| {
        spec.finder_flags = 0xFFFF;
        spec.icon = [-1, i16::MIN];
        spec.folder = -2;
        spec.protected = 1;
        spec.dates = [0, u32::MAX];
        spec.file_type = *b"\0\x8C\xFF?";
    }),
    reported("padding.scen", "padding that is not zero", |spec| spec.padding = 0xE5),
    reported("no_final_padding.scen", "no padding after the last fork", |spec| spec.pad_last = false),
    reported("no_final_padding_data_only.scen", "no padding after the only fork", |spec| {
        spec.resources.clear();
        spec.pad_last = false;
    }),
    reported("crc.scen", "a CRC that does not fit", |spec| spec.crc = Some(0xBEEF)),
    reported("crc_zero.scen", "no CRC", |spec| spec.crc = Some(0)),
    reported("reserved_82.scen", "byte 82 is not 0", |spec| spec.zero82 = 1),
    reported("reserved_102.scen", "bytes 102 to 115 are not 0", |spec| spec.unused = [0xCC; 14]),
    kept("macbinary_3.scen", "a header of MacBinary III", |spec| {
        spec.unused[..4].copy_from_slice(b"mBIN");
        spec.versions = [0x82, 0x81];
    }),
    kept("macbinary_3_script.scen", "a header of MacBinary III with a script and flags", |spec| {
        spec.unused[..6].copy_from_slice(b"mBIN\x01\x80");
        spec.versions = [0x82, 0x82];
    }),
    reported("macbinary_3_unsigned.scen", "a version of MacBinary III without its signature", |spec| {
        spec.versions = [0x82, 0x81];
    }),
    reported("unpacked_length.scen", "an unpacked length", |spec| spec.unpacked_length = 4096),
    reported("reserved_126.scen", "bytes 126 and 127 are not 0", |spec| spec.reserved = 0x0102),
    reported("trailing.scen", "bytes after the padding of the last fork", |spec| spec.trailing = b"left over".into()),
    reported("trailing_block.scen", "a block of zeros after the padding of the last fork", |spec| {
        spec.trailing = vec![0; 128]
    }),
    reported("comment_trailing.scen", "bytes after the comment", |spec| {
        spec.comment = b"Vidmaster's oath".into();
        spec.trailing = vec![0x11; 3];
    }),
    reported("wad_with_tail.scen", "a data fork in which bytes follow the wad", |spec| spec.data.extend(b"tail")),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let tiny = ordinary(&mut Random::named(seed, "broken.scen"), Size::Tiny, None);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = tiny.clone();
        edit(&mut spec);
        Broken::new("macbinary", &format!("{name}.scen"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("data_length_{lie:08x}"), "a data fork longer than the file", &|spec| {
                spec.data_length = Some(lie)
            }),
            broken(&format!("resource_length_{lie:08x}"), "a resource fork longer than the file", &|spec| {
                spec.resource_length = Some(lie)
            }),
        ]
    });
    let others = [
        broken("secondary_length_ffff", "a secondary header longer than the file", &|spec| {
            spec.secondary_length = Some(0xFFFF)
        }),
        broken("comment_length_ffff", "a comment longer than the file", &|spec| spec.comment_length = Some(0xFFFF)),
        broken("name_of_0", "no name", &|spec| spec.name_length = Some(0)),
        broken("name_of_64", "a name longer than its field", &|spec| spec.name_length = Some(64)),
        broken("name_of_255", "a name longer than its field", &|spec| spec.name_length = Some(255)),
        broken("old_version_1", "byte 0 is not 0", &|spec| spec.old_version = 1),
    ];
    let file = build(&tiny);
    let places = [
        (0, "at its start"),
        (1, "in the first word"),
        (127, "in the header"),
        (128, "before the forks"),
        (300, "in the data fork"),
        (128 + tiny.data.len() + 1, "in the padding between the forks"),
        (128 + tiny.data.len().next_multiple_of(128) + 100, "in the resource fork"),
        (128 + tiny.data.len().next_multiple_of(128) + tiny.resources.len() - 1, "before its last byte"),
    ];
    lies.chain(others).chain(cuts("macbinary", "scen", &file, &places)).collect()
}
