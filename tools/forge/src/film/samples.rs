//! Ordinary game recordings, others with traps, and broken files.

use super::{Spec, build};
use crate::bytes::Bytes;
use crate::level::{self, Level};
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::wad::{self, Entry};
use crate::{Broken, Sample, Size};

const ALL: &[&str] = &["m1", "m2", "mi"];

/// Returns a recording of `players` players, with random actions.
pub(crate) fn film(random: &mut Random, version: i16, players: usize, size: Size) -> Spec {
    let ticks = match size {
        Size::Tiny => 12,
        Size::Small => 1000,
        Size::Retail => 60_000,
    };
    let flags = (0..players).map(|_| {
        let mut flags = vec![];
        while flags.len() < ticks {
            flags.resize(flags.len() + random.between(1, 60) as usize, random.below(1 << 30) << 2);
        }
        flags.truncate(ticks + random.below(5) as usize);
        flags
    });
    let flags = flags.collect();
    Spec::new(version, 0x2D71_CCB4, flags)
}

/// Returns a saved game in a recording: magic, length, the header of the original file, the chunks of one entry.
fn saved(random: &mut Random) -> Vec<u8> {
    let tags = [b"EPNT", b"LINS", b"POLY", b"LITE", b"iidx", b"plyr", b"weap"];
    let level = Level { tags: &tags, data_version: 2, polygons: 1, name: b"Arrival" };
    let spec = wad::Spec {
        unused: [0xCD; 40],
        checksum: Some(0),
        parent_checksum: 0x2D71_CCB4,
        directory_offset: Some(221_584),
        entry_count: Some(2),
        ..wad::Spec::new(4, 2, b"1753400806.sgaA", vec![Entry::new(0, level::level(level, random))])
    };
    let wad = wad::flat(&spec);
    let mut out = Bytes::new();
    out.be_u32(0xDEAD_DEAD).be_u32(wad.len() as u32 + 8).raw(&wad);
    out.finish()
}

/// Returns recordings of a size class, ordinary ones first.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, games, version, players| {
        let spec = film(&mut Random::named(seed, name), version, players, size);
        Sample::of(name, "film", games, spec, None, build)
    };
    let saved = {
        let random = &mut Random::named(seed, "a1_saved.filA");
        let spec = Spec { extension: Some((1, saved(random))), ..film(random, 12, 1, size) };
        Sample::of("a1_saved.filA", "film", ALL, spec, None, build)
    };
    let ordinary = [
        sample("m1_arrival.filA", &["m1"], 1, 1),
        sample("m2_demo.filA", ALL, 2, 1),
        sample("mi_demo.filA", &["mi"], 3, 4),
        sample("a1_net.filA", ALL, 11, 5),
        saved,
    ];
    let traps = TRAPS.iter().map(|trap| {
        let spec = film(&mut Random::named(seed, trap.name), 12, 2, size.of_traps());
        Sample::of(trap.name, "film", ALL, spec, Some(trap), build)
    });
    ordinary.into_iter().chain(traps).collect()
}

const TRAPS: &[Trap<Spec>] = &[
    kept("film_0.filA", "the version of demos as first published", |spec| spec.version = 0),
    kept("film_unused_cc.filA", "fresh memory where nobody plays", |spec| spec.unused_players = 0xCC),
    kept("film_name_tail.filA", "what is left behind a name", |spec| spec.name_tail = b"rlier name".into()),
    kept("film_whole_blocks.filA", "as many ticks as whole blocks have", |spec| spec.flags = vec![vec![3; 512]; 2]),
    kept("film_no_ticks.filA", "nothing but marks", |spec| spec.flags = vec![vec![]; 2]),
    kept("film_opaque_extension.filA", "an extension of a type that nobody knows", |spec| {
        spec.extension = Some((2, b"what".into()));
    }),
    reported("film_no_marks.filA", "no marks at the end", |spec| spec.runs = Some(vec![(256, 1), (3, 2)])),
    reported("film_jump.filA", "a block that is longer than 256 ticks", |spec| {
        spec.runs = Some(vec![(200, 1), (57, 2), (257, 0), (257, 0)]);
    }),
    reported("film_negative.filA", "a run of a negative number of ticks", |spec| {
        spec.runs = Some(vec![(-1, 1), (257, 0), (257, 0)]);
    }),
    reported("film_not_maximal.filA", "two runs of the same", |spec| {
        spec.runs = Some(vec![(3, 1), (4, 1), (257, 0), (257, 0)]);
    }),
    reported("film_players.filA", "more players than have done something", |spec| spec.player_count = Some(3)),
    reported("film_slack.filA", "a saved game with a byte behind its last chunk", |spec| {
        let mut game = saved(&mut Random::new(7));
        let length = game.len() as u32 + 1;
        game[4..8].copy_from_slice(&length.to_be_bytes());
        game.push(0);
        spec.extension = Some((1, game));
    }),
    reported("film_trailing.filA", "bytes behind the runs that are no extension", |spec| {
        spec.trailing = b"tail".into()
    }),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = film(&mut Random::named(seed, "broken.filA"), 2, 1, Size::Tiny);
    let file = build(&plain);
    let lies = LIES.into_iter().map(|lie| {
        let file = build(&Spec { length: Some(lie as i32), ..plain.clone() });
        Broken::new("film", &format!("length_{lie:08x}.filA"), file, "a length past the end")
    });
    let short = build(&Spec { length: Some(351), ..plain.clone() });
    let short = Broken::new("film", "length_351.filA", short, "a length without room for a head");
    let places = [
        (0, "at its start"),
        (3, "in the length"),
        (351, "in the head"),
        (352, "before the runs"),
        (file.len() - 1, "before its last byte"),
    ];
    lies.chain([short]).chain(cuts("film", "filA", &file, &places)).collect()
}
