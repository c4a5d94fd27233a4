//! Ordinary wads.

use super::traps::traps;
use super::{Chunk, Entry, Spec, Tag, build, levels};
use crate::bytes::Bytes;
use crate::level::{self, Level};
use crate::picture;
use crate::random::Random;
use crate::sounds::{self, Sound};
use crate::{Sample, Size};

/// The checksum field of the Marathon map, which matches no known rule. Source: marathon-wad.md, section 6.
pub const MARATHON_CHECKSUM: u32 = 0x3C9;

const LEVEL_NAMES: [&[u8]; 6] =
    [b"Arrival", b"Bigger Guns Nearby", b"Never Burn Money", b"Defend THIS!", b"Couch Fishing", b"Fa\x8Dade"];

/// Returns a map of Marathon: version 0, with levels like the retail one (37 of about 105 KB).
pub fn marathon(random: &mut Random, size: Size) -> Spec {
    let (levels, [least, most]) = match size {
        Size::Tiny => (1, [1, 1]),
        Size::Small => (3, [12, 20]),
        // 37 levels with 7,595 polygons in all, at most 255. Source: counts-marathon.md, section 1.1.
        Size::Retail => (37, [155, 255]),
    };
    let entries = (0..levels).map(|at: usize| {
        let polygons = random.between(least, most) as usize;
        let level =
            Level { tags: &level::MARATHON, data_version: 0, polygons, name: LEVEL_NAMES[at % LEVEL_NAMES.len()] };
        Entry::new(0, level::level(level, random))
    });
    Spec::new(0, 0, b"Map", entries.collect())
}

/// Returns a map of one level, as written by editors; a retail one has about 600 KB.
pub fn single(random: &mut Random, size: Size, version: i16, data_version: i16, tags: &[&Tag]) -> Spec {
    let polygons = match size {
        Size::Tiny => 1,
        Size::Small => 30,
        Size::Retail => 1320,
    };
    let name = random.one_of(&LEVEL_NAMES);
    let level = Level { tags, data_version, polygons, name };
    Spec::new(version, data_version, name, vec![Entry::new(0, level::level(level, random))])
}

/// Returns a merged map with 74 bytes of application data for each level; the one of Marathon 2 has 41 levels of 134 KB. Source:
/// counts-marathon.md, section 4.
pub fn merged(random: &mut Random, size: Size) -> Spec {
    let (levels, polygons) = match size {
        Size::Tiny => (2, 1),
        Size::Small => (3, 20),
        Size::Retail => (41, 330),
    };
    levels_of(random, levels, |_| polygons)
}

/// Returns a merged map of this many levels, each with the number of polygons that `polygons` gives.
pub fn levels_of(random: &mut Random, levels: usize, polygons: impl Fn(usize) -> usize) -> Spec {
    let entries = (0..levels).map(|at: usize| {
        let level = Level {
            tags: &level::PROCESSED,
            data_version: 1,
            polygons: polygons(at),
            name: LEVEL_NAMES[at % LEVEL_NAMES.len()],
        };
        let chunks = level::level(level, random);
        Entry { application_data: level::application_data(&chunks), ..Entry::new(at as i16, chunks) }
    });
    Spec::new(2, 1, b"Map", entries.collect())
}

/// Returns a physics model. `notes`: with the empty `NOTE` of some editors.
fn physics(random: &mut Random, size: Size, version: i16, data_version: i16, notes: bool) -> Spec {
    let mut chunks = level::physics(version == 4, size == Size::Tiny, random);
    if notes {
        chunks.push(super::Chunk::new(b"NOTE", vec![]));
    }
    Spec::new(version, data_version, b"Standard", vec![Entry::new(0, chunks)])
}

/// Returns images, sounds and text as resources of a wad. Source: marathon-images.md, section 4.
fn images(random: &mut Random, size: Size) -> Spec {
    let (width, height) = if size == Size::Tiny { (2, 1) } else { (40, 30) };
    let raw = |depth: i16, random: &mut Random| {
        let mut out = Bytes::new();
        out.be_i16(0).be_i16(0).be_i16(height).be_i16(width).be_i16(depth);
        out.raw(&random.garbage(width as usize * height as usize * depth as usize / 8));
        out.finish()
    };
    let mut colors = Bytes::new();
    colors.be_u16(255).be_u16(0).be_u16(0).raw(&random.garbage(256 * 6));
    let chunk = |tag: &Tag, data| Chunk::new(tag, data);
    let sound = sounds::resource(&Sound::standard(random.garbage(if size == Size::Tiny { 4 } else { 900 })));
    let entries = vec![
        Entry::new(1000, vec![chunk(b"PICT", picture::build(&picture::ordinary(random, size)))]),
        Entry::new(1100, vec![chunk(b"clut", colors.finish()), chunk(b"pict", raw(8, random))]),
        Entry::new(1200, vec![chunk(b"pict", raw(16, random))]),
        Entry::new(2000, vec![chunk(b"snd ", sound), chunk(b"TEXT", b"The lights\rare on; it\xD5s dark.".to_vec())]),
    ];
    Spec::new(2, 0, b"Images", entries)
}

/// Returns the games that have wads of this version. Source: marathon-wad.md, section 2.1.
pub(super) fn games(version: i16) -> &'static [&'static str] {
    match version {
        0 => &["m1"],
        4 => &["mi"],
        _ => &["m2", "mi"],
    }
}

/// Returns wads of a size class, ordinary ones first.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, build_spec: &dyn Fn(&mut Random) -> Spec| {
        let spec = build_spec(&mut Random::named(seed, name));
        Sample {
            name: name.into(),
            kind: "wad",
            games: games(spec.version),
            bytes: build(&spec),
            trap: None,
            deviates: false,
        }
    };
    let m1 = sample("m1_map.scen", &|random| Spec { checksum: Some(MARATHON_CHECKSUM), ..marathon(random, size) });
    let ordinary = [
        // Its checksum matches no known rule, so even the retail map deviates.
        Sample { deviates: true, ..m1 },
        sample("m1_map_by_the_rule.scen", &|random| marathon(random, size)),
        sample("m2_map_a.sceA", &|random| single(random, size, 2, 1, &level::UNPROCESSED_A)),
        sample("m2_map_a_platforms_last.sceA", &|random| {
            single(random, size, 2, 1, &level::UNPROCESSED_A_PLATFORMS_LAST)
        }),
        sample("m2_map_b.sceA", &|random| single(random, size, 2, 1, &level::UNPROCESSED_B)),
        sample("m2_map_processed.sceA", &|random| single(random, size, 2, 1, &level::PROCESSED)),
        sample("m2_map_merged.sceA", &|random| merged(random, size)),
        sample("mi_map.sceA", &|random| single(random, size, 4, 1, &level::UNPROCESSED_B)),
        sample("mi_map_physics.sceA", &|random| single(random, size, 4, 1, &level::UNPROCESSED_B_PHYSICS)),
        sample("mi_saved.sgaA", &|random| single(random, size, 4, 2, &level::SAVED)),
        sample("mi_saved_picture.sgaA", &|random| {
            let mut spec = single(random, size, 4, 2, &level::SAVED);
            let picture = [b"SMET", b"SIMG"];
            let level = Level { tags: &picture, data_version: 2, polygons: 1, name: b"" };
            spec.entries.push(Entry::new(1, level::level(level, random)));
            spec
        }),
        sample("m2_overlay.sceA", &|random| Spec {
            parent_checksum: 0x2D71_CCB4,
            ..single(random, size, 2, 1, &[b"OBJS", b"plac"])
        }),
        sample("m2_images.imgA", &|random| images(random, size)),
        sample("m2_standard.phyA", &|random| physics(random, size, 2, 0, false)),
        sample("m2_standard_note.phyA", &|random| physics(random, size, 2, 0, true)),
        sample("mi_standard.phyA", &|random| physics(random, size, 4, 1, true)),
    ];
    ordinary.into_iter().chain(traps(seed, size.of_traps())).chain(levels::traps(seed, size.of_traps())).collect()
}
