//! Files of Marathon and its successors.

use super::TrueSize;
use crate::Size;
use crate::applesingle::{self, RESOURCES, SINGLE};
use crate::bytes::Bytes;
use crate::film;
use crate::level::{self, Level};
use crate::macbinary;
use crate::physics;
use crate::picture;
use crate::random::Random;
use crate::resources::{self, Resource};
use crate::shapes::{self, Bitmap, Collection, Frame, Item, Patch, Rows, Sequence, Slot, block, operations, stretch};
use crate::sounds::{self, Definition, Sound};
use crate::wad::{self, Entry};

pub(super) const FILES: &[TrueSize] = &[
    TrueSize {
        name: "Shapes.shpA",
        kind: "shapes",
        counts: "32 collections of Infinity, five of them in two depths, 1,565 bitmaps; one of 403 frames and 204 bitmaps",
        source: "counts-marathon.md, section 2",
        make: all_shapes,
    },
    TrueSize {
        name: "Player.ShPa",
        kind: "shapes-patch",
        counts: "35 sequences, 403 frames, 204 bitmaps, 8 tables of 224 colors",
        source: "counts-marathon.md, section 2.2",
        make: patch,
    },
    TrueSize {
        name: "Shapes.shps",
        kind: "macbinary",
        counts: "26 collections of Marathon",
        source: "counts-marathon.md, section 1.2",
        make: |random| macbinary::build(&macbinary::Spec::new(b"Shapes", vec![], early_shapes(random))),
    },
    TrueSize {
        name: "Shapes.as",
        kind: "applesingle",
        counts: "26 collections of Marathon",
        source: "counts-marathon.md, section 1.2",
        make: |random| {
            let entries = vec![applesingle::Entry::new(RESOURCES, early_shapes(random))];
            applesingle::build(&applesingle::Spec::new(SINGLE, entries))
        },
    },
    TrueSize {
        name: "Sounds.rsrc",
        kind: "resources",
        counts: "104 sounds of Marathon, with the true ids",
        source: "counts-marathon.md, section 1.3",
        make: early_sounds,
    },
    TrueSize {
        name: "Images.imgA",
        kind: "resources",
        counts: "14 pictures, one of them 640 by 480, and 4 tables of 256 colors",
        source: "counts-marathon.md, section 5",
        make: images,
    },
    TrueSize {
        name: "01000.pct",
        kind: "picture",
        counts: "640 by 480 pixels, 256 colors",
        source: "counts-marathon.md, section 5",
        make: |random| [vec![0; 512], picture::build(&picture::indexed(random, (640, 480, 256)))].concat(),
    },
    TrueSize {
        name: "Sounds.sndA",
        kind: "sounds",
        counts: "2 by 215 definitions, 583 permutations in each source",
        source: "counts-marathon.md, section 3",
        make: later_sounds,
    },
    TrueSize {
        name: "Sounds.SnPa",
        kind: "sounds-patch",
        counts: "430 items: each of 215 sounds of both sources, 583 permutations in each source",
        source: "counts-marathon.md, section 3",
        make: |random| {
            let slots = later_definitions(random).into_iter().enumerate();
            slots.flat_map(|(slot, definition)| sounds::patch(slot as u16, &definition)).collect()
        },
    },
    TrueSize {
        name: "Map.scen",
        kind: "wad",
        counts: "37 levels with 155 to 255 polygons and about 7,595 in all",
        source: "counts-marathon.md, section 1.1",
        make: |random| wad::build(&wad::marathon(random, Size::Retail)),
    },
    TrueSize {
        name: "Map.sceA",
        kind: "wad",
        counts: "41 levels, the first of 369 polygons, the others small",
        source: "counts-marathon.md, section 4",
        make: |random| wad::build(&wad::levels_of(random, 41, |at| if at == 0 { 369 } else { 20 })),
    },
    TrueSize {
        name: "limits.sceA",
        kind: "wad",
        counts: "1,024 polygons, the limit of the games, processed",
        source: "counts-marathon.md, section 4",
        make: |random| level(random, 1024, &level::PROCESSED),
    },
    TrueSize {
        name: "raised_limits.sceA",
        kind: "wad",
        counts: "8,399 lines or more, as the largest of 1,171 unprocessed levels",
        source: "counts-marathon.md, section 4",
        make: |random| level(random, 4140, &level::UNPROCESSED_B),
    },
    TrueSize {
        name: "Standard.phyA",
        kind: "wad",
        counts: "47 monsters, 73 effects, 39 projectiles, 2 players, 10 weapons",
        source: "counts-marathon.md, section 5",
        make: |random| {
            let chunks = level::physics(true, false, random);
            wad::build(&wad::Spec::new(4, 1, b"Standard", vec![Entry::new(0, chunks)]))
        },
    },
    TrueSize {
        name: "Physics.phys",
        kind: "physics",
        counts: "40 monsters, 38 effects, 25 projectiles, 3 players, 7 weapons",
        source: "counts-marathon.md, section 1.4",
        make: |random| physics::build(&physics::model(random, Size::Retail)),
    },
    TrueSize {
        name: "demo.filA",
        kind: "film",
        counts: "72,850 bytes, the longest demo of Infinity",
        source: "counts-marathon.md, section 5",
        make: |random| {
            let mut film = film::film(random, 3, 1, Size::Retail);
            let mut bytes = film::build(&film);
            while bytes.len() < 72_850 {
                film.flags[0].extend((0..100).flat_map(|_| [random.below(1 << 30) << 2; 9]));
                bytes = film::build(&film);
            }
            bytes
        },
    },
];

fn level(random: &mut Random, polygons: usize, tags: &[&wad::Tag]) -> Vec<u8> {
    let level = Level { tags, data_version: 1, polygons, name: b"Arrival" };
    wad::build(&wad::Spec::new(2, 1, b"Arrival", vec![Entry::new(0, level::level(level, random))]))
}

/// The counts of a collection.
struct Counts {
    kind: i16,
    colors: i16,
    tables: usize,
    sequences: usize,
    frames: usize,
    bitmaps: usize,
}

impl Counts {
    const fn of(kind: i16, colors: i16, tables: usize, sequences: usize, frames: usize, bitmaps: usize) -> Self {
        Self { kind, colors, tables, sequences, frames, bitmaps }
    }
}

/// Walls and landscapes.
const WALLS: Counts = Counts::of(1, 231, 1, 0, 30, 30);
const LANDSCAPE: Counts = Counts::of(1, 224, 1, 0, 1, 1);

/// The collections of Infinity with 8 bits. The bitmaps of 13, 20 and 25 are inferred; sequences and frames of 0, 13 and 25 are ours.
const COLLECTIONS: [Counts; 32] = [
    Counts::of(3, 256, 1, 1, 56, 56),
    Counts::of(2, 224, 1, 27, 72, 60),
    Counts::of(2, 67, 2, 9, 72, 31),
    Counts::of(2, 137, 2, 7, 136, 49),
    Counts::of(2, 85, 1, 30, 161, 86),
    Counts::of(2, 76, 4, 11, 124, 55),
    Counts::of(2, 224, 8, 35, 403, 204),
    Counts::of(2, 202, 1, 34, 146, 51),
    Counts::of(2, 231, 3, 10, 129, 58),
    Counts::of(2, 119, 5, 13, 189, 72),
    Counts::of(2, 169, 3, 9, 68, 48),
    Counts::of(2, 76, 3, 14, 117, 71),
    Counts::of(2, 223, 5, 13, 157, 67),
    Counts::of(2, 223, 5, 13, 157, 67),
    Counts::of(2, 113, 5, 8, 120, 46),
    Counts::of(2, 105, 5, 8, 90, 45),
    Counts::of(2, 91, 4, 8, 101, 38),
    WALLS,
    WALLS,
    WALLS,
    WALLS,
    WALLS,
    Counts::of(2, 239, 1, 24, 64, 47),
    Counts::of(2, 169, 1, 21, 55, 31),
    Counts::of(2, 183, 1, 18, 57, 39),
    Counts::of(2, 231, 1, 21, 51, 51),
    Counts::of(2, 231, 1, 21, 51, 36),
    LANDSCAPE,
    LANDSCAPE,
    LANDSCAPE,
    LANDSCAPE,
    Counts::of(2, 154, 4, 9, 99, 39),
];

/// Returns a collection with these counts: the first bitmap large, the others small.
fn collection(random: &mut Random, counts: &Counts, marathon: bool) -> Collection {
    let bitmap = |nth: usize, random: &mut Random| {
        let (width, height) = if nth == 0 { (40, 60) } else { (4, 9) };
        let rows = match (counts.kind, marathon) {
            (1, _) => Rows::Plain((0..width).map(|_| random.garbage(height as usize)).collect()),
            (_, false) => Rows::Stretches((0..width).map(|_| stretch(random, height)).collect()),
            (_, true) => Rows::Operations((0..width).map(|_| operations(random, height)).collect()),
        };
        Bitmap::new([width, height], rows)
    };
    let sequence = |nth: usize| {
        let first = nth * counts.frames / counts.sequences;
        let last = ((nth + 1) * counts.frames / counts.sequences).max(first + 1);
        Sequence::new(format!("sequence {nth}").as_bytes(), (first as i16..last as i16).collect())
    };
    Collection {
        kind: counts.kind,
        colors: counts.colors,
        tables: (0..counts.tables).map(|_| picture::colors(random, counts.colors as u16)).collect(),
        sequences: (0..counts.sequences).map(sequence).collect(),
        frames: (0..counts.frames).map(|nth| Frame::new((nth % counts.bitmaps) as i16)).collect(),
        bitmaps: (0..counts.bitmaps).map(|nth| bitmap(nth, random)).collect(),
        ..Collection::new()
    }
}

fn all_shapes(random: &mut Random) -> Vec<u8> {
    let slots = COLLECTIONS.iter().enumerate().map(|(nth, counts)| {
        let plain = collection(random, counts, false);
        // Weapons in hand, and the landscapes.
        let is_deep = nth == 1 || (27..=30).contains(&nth);
        let deep = is_deep.then(|| collection(random, &Counts { colors: 256, ..*counts }, false));
        Slot::new([Some(&plain), deep.as_ref()])
    });
    shapes::build(&shapes::Spec::new(slots.collect()))
}

fn patch(random: &mut Random) -> Vec<u8> {
    let collection = collection(random, &COLLECTIONS[6], false);
    let counts = [&COLLECTIONS[6].sequences, &COLLECTIONS[6].frames, &COLLECTIONS[6].bitmaps].map(|&it| it as i16);
    let mut items = vec![Item::Definition(Box::new(collection.clone()), counts)];
    items.extend((0..).zip(&collection.tables).map(|(nth, it)| Item::Colors(nth, it.clone())));
    items.extend((0..).zip(&collection.sequences).map(|(nth, it)| Item::Sequence(nth, it.clone(), None)));
    items.extend((0..).zip(&collection.frames).map(|(nth, it)| Item::Frame(nth, *it)));
    items.extend((0..).zip(&collection.bitmaps).map(|(nth, it)| Item::Bitmap(nth, it.clone(), None)));
    let depths = [8, 16].into_iter().flat_map(|depth| (0..32).map(move |nth| block(nth, depth, vec![])));
    let mut blocks: Vec<_> = depths.collect();
    blocks[6].items = items;
    shapes::build_patch(&Patch { blocks })
}

/// Returns the resource fork of the shapes of Marathon. Only the bitmaps of walls are stated; the other counts are those of Infinity, at
/// most 40 bitmaps.
fn early_shapes(random: &mut Random) -> Vec<u8> {
    let collection = |&id: &i16| {
        let later = &COLLECTIONS[id as usize];
        let bitmaps = match id {
            2 => 32,
            8 => 8,
            17..=19 => 30,
            24 => 5,
            _ => later.bitmaps.min(40),
        };
        let collection = collection(random, &Counts { bitmaps, frames: later.frames.min(60), ..*later }, true);
        Resource::new(b".256", 128 + id, collection.write())
    };
    let ids: Vec<i16> = (0..32).filter(|id| ![11, 13, 20, 28, 30, 31].contains(id)).collect();
    let collections = ids.iter().map(collection).collect();
    resources::build(&resources::Spec::new(vec![0x20; 240], collections))
}

fn early_sounds(random: &mut Random) -> Vec<u8> {
    let ranges = [(1000, 41), (2000, 31), (3000, 6), (4000, 3), (5000, 2), (20_000, 21)];
    let ids = ranges.into_iter().flat_map(|(first, count)| (0..count).map(move |nth| first + 10 * nth));
    let sound =
        |id: i16| Resource::new(b"snd ", id, sounds::resource(&Sound::standard(random.garbage(150 + id as usize % 7))));
    resources::build(&resources::Spec::new(vec![0x20; 240], ids.map(sound).collect()))
}

fn images(random: &mut Random) -> Vec<u8> {
    let ids = [1000, 1100, 1101, 1400, 1700, 2000, 2100, 2101, 2400, 2700, 3000, 3100, 3101, 3400];
    let mut all: Vec<_> = ids
        .into_iter()
        .map(|id| {
            let extent = if id == 1000 { (640, 480, 256) } else { (64, 48, 256) };
            Resource::new(b"PICT", id, picture::build(&picture::indexed(random, extent)))
        })
        .collect();
    all.extend([1000, 1100, 1101, 1400].map(|id| {
        let mut out = Bytes::new();
        out.be_u32(0).be_u16(0).be_u16(255);
        picture::colors(random, 256).iter().flatten().for_each(|word| _ = out.be_u16(*word));
        Resource::new(b"clut", id, out.finish())
    }));
    resources::build(&resources::Spec::new(random.garbage(240), all))
}

fn later_sounds(random: &mut Random) -> Vec<u8> {
    let definitions = later_definitions(random);
    sounds::build(&sounds::Spec { sources: Some(2), ..sounds::Spec::new(definitions) })
}

/// Returns the definitions of both sources.
fn later_definitions(random: &mut Random) -> Vec<Definition> {
    let mut definitions = vec![];
    for source in 0..2 {
        for nth in 0..215_usize {
            let permutations = (nth + 1) * 583 / 215 - nth * 583 / 215;
            let sounds = (0..permutations).map(|_| {
                let samples = random.garbage(40);
                if source == 0 { Sound::standard(samples) } else { Sound::extended(1, samples) }
            });
            definitions.push(Definition::new(10_000 + 10 * nth as i16, sounds.collect()));
        }
    }
    definitions
}
