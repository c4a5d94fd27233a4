//! Ordinary shapes files and patches, others with traps, and broken files.

use super::{Bitmap, Block, Collection, Frame, Item, Operation, Patch, Rows, Sequence, Slot, Spec, build, build_patch};
use crate::picture::colors;
use crate::random::Random;
use crate::sample::{Trap, cuts, kept, reported};
use crate::sounds::{self, Definition, Sound};
use crate::{Broken, Sample, Size, wad};

const SHAPES: &str = "shapes";
const PATCH: &str = "shapes-patch";
const BOTH: &[&str] = &["m2", "mi"];

/// Returns pixels of a column that is transparent above and below.
pub(crate) fn stretch(random: &mut Random, height: i16) -> (i16, Vec<u8>) {
    let first = random.between(0, i32::from(height)) as i16;
    let last = random.between(first.into(), height.into()) as i16;
    if first == last { (0, vec![]) } else { (first, (first..last).map(|_| random.below(255) as u8 + 1).collect()) }
}

/// Returns a column as stored in Marathon.
pub(crate) fn operations(random: &mut Random, height: i16) -> Vec<Operation> {
    let (first, pixels) = stretch(random, height);
    let rest = height - first - pixels.len() as i16;
    let mut operations = vec![];
    if first > 0 {
        operations.push(Operation::Skip(first));
    }
    if pixels.len() > 3 {
        // One of the pixels is transparent, so it may be omitted or stored.
        operations.extend([Operation::Put(pixels[..2].into()), Operation::Skip(1), Operation::Put(pixels[3..].into())]);
    } else if !pixels.is_empty() {
        operations.push(Operation::Put(pixels));
    }
    if rest > 0 {
        operations.push(Operation::Skip(rest));
    }
    operations
}

/// Returns a collection of objects, either of Marathon or of its successors.
pub fn collection(random: &mut Random, size: Size, marathon: bool) -> Collection {
    let (count, width, height, colors_) = match size {
        Size::Tiny => (1, 3, 4, 2),
        Size::Small => (4, 20, 30, 24),
        Size::Retail => (60, 90, 120, 200),
    };
    let bitmaps = (0..count).map(|nth| {
        let rows = match (nth % 4, marathon) {
            (3, _) => Rows::Plain((0..width).map(|_| random.garbage(height as usize)).collect()),
            (_, false) => Rows::Stretches((0..width).map(|_| stretch(random, height)).collect()),
            (_, true) => Rows::Operations((0..width).map(|_| operations(random, height)).collect()),
        };
        Bitmap::new([width, height], rows)
    });
    let bitmaps: Vec<Bitmap> = bitmaps.collect();
    let views = if count > 3 { 4 } else { 1 };
    let mut walk = Sequence::new(b"walking", (0..count.min(views)).collect());
    if views == 4 {
        (walk.views, walk.frames_per_view) = (3, 1);
    }
    Collection {
        colors: colors_,
        tables: vec![colors(random, colors_ as u16), colors(random, colors_ as u16)],
        sequences: vec![walk, Sequence::new(b"dying", vec![0])],
        frames: (0..count).map(Frame::new).collect(),
        bitmaps,
        ..Collection::new()
    }
}

fn ordinary(random: &mut Random, size: Size) -> Spec {
    let count = match size {
        Size::Tiny => 1,
        Size::Small => 3,
        Size::Retail => 32,
    };
    let mut slots = vec![];
    for nth in 0..count {
        let (plain, deep) = (collection(random, size, false), collection(random, size, false));
        slots.push(Slot::new([Some(&plain), Some(&deep).filter(|_| nth % 2 == 1)]));
    }
    slots.insert(0, Slot::new([None, None]));
    slots.truncate(32);
    Spec::new(slots)
}

/// A file of two collections, the first in the second slot, and the changes of a trap.
struct Odd {
    collections: Vec<Collection>,
    edit: fn(&mut Spec),
}

fn odd(random: &mut Random, size: Size) -> Odd {
    Odd { collections: vec![collection(random, size, false), collection(random, Size::Tiny, false)], edit: |_| {} }
}

fn build_odd(odd: &Odd) -> Vec<u8> {
    let mut slots = vec![Slot::new([None, None])];
    slots.extend(odd.collections.iter().map(|collection| Slot::new([Some(collection), None])));
    let mut spec = Spec::new(slots);
    (odd.edit)(&mut spec);
    build(&spec)
}

/// Returns shapes files of a size class. Source of the traps: marathon-shapes.md, sections 1 to 5 and 8.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let name = "Shapes.shpA";
    let bytes = build(&ordinary(&mut Random::named(seed, name), size));
    let plain = Sample { name: name.into(), kind: SHAPES, games: BOTH, bytes, trap: None, deviates: false };
    let odd = TRAPS.iter().map(|trap| {
        let spec = odd(&mut Random::named(seed, trap.name), size.of_traps());
        Sample::of(trap.name, SHAPES, BOTH, spec, Some(trap), build_odd)
    });
    [plain].into_iter().chain(odd).collect()
}

const TRAPS: [Trap<Odd>; 26] = [
    kept("shp_runtime.shpA", "words of a running program", |odd| odd.edit = |spec| spec.slots[1].runtime = [1, 0x8001]),
    kept("shp_unused.shpA", "left-over bytes in a slot", |odd| odd.edit = |spec| spec.slots[31].unused = 0xCD),
    kept("shp_deep_only.shpA", "a collection for more than 8 bits alone", |odd| {
        odd.edit = |spec| spec.slots[1].versions.swap(0, 1)
    }),
    reported("shp_absent_0.shpA", "a slot without a collection whose offset is 0", |odd| {
        odd.edit = |spec| spec.slots[0].offsets = [Some(0), None]
    }),
    reported("shp_absent_length.shpA", "a slot without a collection that tells a length", |odd| {
        odd.edit = |spec| spec.slots[0].lengths = [Some(77), None]
    }),
    reported("shp_gap.shpA", "a gap before the first collection", |odd| odd.edit = |spec| spec.gap = vec![0; 5]),
    reported("shp_backwards.shpA", "collections in the opposite order", |odd| odd.edit = |spec| spec.backwards = true),
    reported("shp_same.shpA", "two slots with one collection", |odd| {
        odd.edit = |spec| {
            let length = spec.slots[1].versions[0].as_ref().map(Vec::len).unwrap_or_default();
            (spec.slots[5].offsets[0], spec.slots[5].lengths[0]) = (Some(1024), Some(length as i32));
        }
    }),
    reported("shp_trailing.shpA", "bytes behind the last collection", |odd| {
        odd.edit = |spec| spec.trailing = b"left".into()
    }),
    reported("shp_unused_words.shpA", "words of a collection that are not 0", |odd| odd.collections[0].unused = -1),
    reported("shp_size.shpA", "a size that is not that of the collection", |odd| odd.collections[0].size = Some(0)),
    reported("shp_inner_gap.shpA", "a gap in a collection", |odd| odd.collections[0].gap = vec![0; 4]),
    reported("shp_bitmaps_first.shpA", "bitmaps before all else", |odd| odd.collections[0].bitmaps_first = true),
    reported("shp_inner_trailing.shpA", "bytes behind the last bitmap", |odd| {
        odd.collections[0].trailing = vec![1, 2, 3]
    }),
    kept("shp_empty.shpA", "a collection of nothing", |odd| odd.collections[0] = Collection::new()),
    kept("shp_no_spare.shpA", "sequences without a spare index", |odd| {
        odd.collections[0].sequences.iter_mut().for_each(|it| it.spare = None)
    }),
    reported("shp_spare.shpA", "a spare index that is not 0", |odd| odd.collections[0].sequences[0].spare = Some(7)),
    kept("shp_name_tail.shpA", "left-over bytes behind a name", |odd| {
        odd.collections[0].sequences[0].name_tail = b"old".into()
    }),
    reported("shp_name_length.shpA", "a name with a length beyond its field", |odd| {
        odd.collections[0].sequences[0].name_length = Some(200)
    }),
    reported("shp_name_full.shpA", "a name that fills its field", |odd| {
        odd.collections[0].sequences[0].name = vec![b'x'; 33]
    }),
    kept("shp_views.shpA", "a sequence of eight views", |odd| {
        let walk = &mut odd.collections[0].sequences[0];
        (walk.views, walk.frames_per_view, walk.frames) = (5, 2, vec![0; 16]);
    }),
    kept("shp_rows.shpA", "rows whose ends are transparent, and empty ones elsewhere than at 0", |odd| {
        odd.collections[0].bitmaps[0] =
            Bitmap::new([3, 4], Rows::Stretches(vec![(0, vec![0, 0, 7, 0]), (4, vec![]), (2, vec![])]))
    }),
    kept("shp_addresses.shpA", "addresses of rows", |odd| odd.collections[0].bitmaps[0].address = 0x0012_3456),
    reported("shp_depth.shpA", "a bitmap of another depth", |odd| odd.collections[0].bitmaps[0].depth = 16),
    reported("shp_wide_rows.shpA", "rows of more bytes than pixels", |odd| {
        odd.collections[0].bitmaps[0] =
            Bitmap { bytes_per_row: Some(6), ..Bitmap::new([1, 4], Rows::Plain(vec![vec![1, 2, 3, 4, 5, 6]])) }
    }),
    reported("shp_same_bitmap.shpA", "two bitmaps in one place", |odd| {
        let again = odd.collections[0].bitmaps[0].clone();
        odd.collections[0].bitmaps.push(again);
        let last = odd.collections[0].bitmaps.len() - 1;
        odd.collections[0].same_bitmap = Some((last, 0));
    }),
];

pub(crate) fn block(collection: u32, depth: u32, items: Vec<Item>) -> Block {
    Block { collection, depth, items, ends: true }
}

/// Returns a patch of all 64 blocks, only one of which has items.
fn ordinary_patch(random: &mut Random, size: Size) -> Patch {
    let collection = collection(random, size, false);
    let counts = [collection.sequences.len() as i16, 90, 70];
    let mut items = vec![Item::Definition(Box::new(collection.clone()), counts)];
    items.extend((0..).zip(&collection.sequences).map(|(nth, it)| Item::Sequence(nth, it.clone(), None)));
    items.extend((3..).zip(&collection.frames).map(|(nth, it)| Item::Frame(nth, *it)));
    items.extend((5..).zip(&collection.bitmaps).map(|(nth, it)| Item::Bitmap(nth, it.clone(), None)));
    let all = if size == Size::Tiny { 2 } else { 32 };
    let depths = [8, 16].into_iter().flat_map(|depth| (0..all).map(move |nth| block(nth, depth, vec![])));
    let mut blocks: Vec<Block> = depths.collect();
    blocks[1].items = items;
    Patch { blocks }
}

/// Returns shapes patches of a size class. Source of the traps: marathon-shapes.md, sections 7 and 8.
pub fn patches(seed: u64, size: Size) -> Vec<Sample> {
    let name = "Enforcer.ShPa";
    let bytes = build_patch(&ordinary_patch(&mut Random::named(seed, name), size));
    let plain = Sample { name: name.into(), kind: PATCH, games: BOTH, bytes, trap: None, deviates: false };
    let odd = PATCH_TRAPS.iter().map(|trap| {
        let patch = ordinary_patch(&mut Random::named(seed, trap.name), size.of_traps());
        Sample::of(trap.name, PATCH, BOTH, patch, Some(trap), build_patch)
    });
    [plain].into_iter().chain(odd).collect()
}

const PATCH_TRAPS: [Trap<Patch>; 9] = [
    kept("shpa_nothing.ShPa", "a patch of nothing", |patch| patch.blocks.iter_mut().for_each(|it| it.items.clear())),
    kept("shpa_one_block.ShPa", "one block", |patch| {
        patch.blocks.swap(0, 1);
        patch.blocks.truncate(1);
    }),
    kept("shpa_order.ShPa", "items in another order, tags in turn", |patch| patch.blocks[1].items.reverse()),
    kept("shpa_colors.ShPa", "a table of colors", |patch| {
        let Item::Definition(collection, _) = &patch.blocks[1].items[0] else { return };
        let table = collection.tables[0].clone();
        patch.blocks[1].items.push(Item::Colors(1, table));
    }),
    kept("shpa_colors_later.ShPa", "a table of colors in a later block of the collection", |patch| {
        let Item::Definition(collection, _) = &patch.blocks[1].items[0] else { return };
        let table = collection.tables[0].clone();
        patch.blocks.push(block(1, 16, vec![Item::Colors(0, table)]));
    }),
    reported("shpa_slack.ShPa", "bytes behind a bitmap", |patch| {
        if let Some(Item::Bitmap(_, bitmap, _)) = patch.blocks[1].items.last_mut() {
            bitmap.slack = vec![1, 2, 3];
        }
    }),
    reported("shpa_definition_size.ShPa", "a definition that tells a size", |patch| {
        if let Item::Definition(collection, _) = &mut patch.blocks[1].items[0] {
            collection.size = Some(77);
        }
    }),
    reported("shpa_frame_unused.ShPa", "words of a frame that are not 0", |patch| {
        patch.blocks[1].items.push(Item::Frame(9, Frame { unused: 3, ..Frame::new(0) }))
    }),
    kept("shpa_mirrored.ShPa", "frames with all flags, and one without a bitmap", |patch| {
        patch.blocks[1].items.push(Item::Frame(9, Frame { flags: 0xFFFF, ..Frame::new(-1) }))
    }),
];

/// Returns a level that brings its own shapes and sounds. Source: marathon-wad.md, section 3; marathon-sounds.md, section 4.
pub fn levels(seed: u64, size: Size) -> Vec<Sample> {
    let name = "mi_map_patched.sceA";
    let mut random = Random::named(seed, name);
    let shapes = build_patch(&ordinary_patch(&mut random, size.of_traps()));
    let sound = |samples: &[u8]| Sound::standard(samples.to_vec());
    let several = Definition::new(12, vec![sound(&[1, 2, 3]), sound(&[4]), sound(&[])]);
    let wide = Definition::new(13, vec![Sound::extended(1, vec![0; 6])]);
    let sounds = [sounds::patch(12, &several), sounds::patch(215 + 13, &wide)].concat();
    let chunk = |tag: &[u8; 4], data: Vec<u8>| wad::Chunk {
        gap: vec![],
        tag: *tag,
        next: None,
        length: None,
        patch_offset: 0,
        data,
    };
    let chunks = vec![chunk(b"ShPa", shapes), chunk(b"SnPa", sounds)];
    let level = wad::Entry { chunks, ..wad::Entry::default() };
    let bytes = wad::build(&wad::Spec::new(4, 1, b"Patched", vec![level]));
    vec![Sample { name: name.into(), kind: "wad", games: &["mi"], bytes, trap: None, deviates: false }]
}

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = |name: &str| odd(&mut Random::named(seed, name), Size::Tiny);
    let shapes = |name: &str, why: &str, edit: fn(&mut Spec)| {
        let odd = Odd { edit, ..plain(name) };
        Broken::new(SHAPES, &format!("{name}.shpA"), build_odd(&odd), why)
    };
    let patched = |name: &str, why: &str, edit: &dyn Fn(&mut Patch)| {
        let mut patch = ordinary_patch(&mut Random::named(seed, name), Size::Tiny);
        edit(&mut patch);
        Broken::new(PATCH, &format!("{name}.ShPa"), build_patch(&patch), why)
    };
    let row = |rows: Vec<u8>| {
        move |patch: &mut Patch| {
            patch.blocks[1].items.push(Item::Bitmap(0, Bitmap::new([1, 4], Rows::Raw(rows.clone())), None))
        }
    };
    let all = [
        shapes("shp_offset_negative", "a collection before the file", |spec| spec.slots[1].offsets[0] = Some(-2)),
        shapes("shp_offset_7fffffff", "a collection behind the file", |spec| spec.slots[1].offsets[0] = Some(i32::MAX)),
        shapes("shp_length_7fffffff", "a collection longer than the file", |spec| {
            spec.slots[1].lengths[0] = Some(i32::MAX)
        }),
        shapes("shp_length_negative", "a collection of less than nothing", |spec| spec.slots[1].lengths[0] = Some(-1)),
        shapes("shp_in_slots", "a collection among the slots", |spec| spec.slots[1].offsets[0] = Some(1000)),
        patched("shpa_tag", "an item of an unknown tag", &|patch| {
            patch.blocks[1].items.push(Item::Raw(b"what".into()))
        }),
        patched("shpa_no_end", "a block without an end", &|patch| {
            patch.blocks.truncate(2);
            patch.blocks[1].ends = false;
        }),
        patched("shpa_colors_first", "colors of which nobody tells the number", &|patch| {
            patch.blocks[0].items.push(Item::Colors(0, vec![[0; 4]]))
        }),
        patched("shpa_sequence_size", "a sequence longer than the file", &|patch| {
            patch.blocks[1].items.push(Item::Sequence(0, Sequence::new(b"x", vec![]), Some(0xFFFF_FFFF)))
        }),
        patched("shpa_sequence_short", "a sequence shorter than its frames", &|patch| {
            patch.blocks[1].items.push(Item::Sequence(0, Sequence::new(b"x", vec![1, 2, 3]), Some(90)))
        }),
        patched("shpa_bitmap_size", "a bitmap shorter than its rows", &|patch| {
            let bitmap = Bitmap::new([1, 4], Rows::Plain(vec![vec![1, 2, 3, 4]]));
            patch.blocks[1].items.push(Item::Bitmap(0, bitmap, Some(30)))
        }),
        patched("shpa_row_over", "a row of more pixels than the bitmap is high", &row(vec![0, 0, 0, 5, 1, 2, 3, 4, 5])),
        patched("shpa_row_backwards", "a row that ends before it begins", &row(vec![0, 3, 0, 2])),
        patched("shpa_row_negative", "a row that begins before 0", &row(vec![0xFF, 0xFF, 0, 2, 1, 2, 3])),
        patched("shpa_width_negative", "a bitmap of less than no width", &|patch| {
            let bitmap = Bitmap { flags: 0, ..Bitmap::new([-1, 0], Rows::Raw(vec![])) };
            patch.blocks[1].items.push(Item::Bitmap(0, bitmap, None))
        }),
    ];
    let whole = build_odd(&plain("cut.shpA"));
    let places = [(600, "among its slots"), (1100, "in a definition"), (whole.len() - 1, "before its last byte")];
    let patch = build_patch(&ordinary_patch(&mut Random::named(seed, "cut.ShPa"), Size::Tiny));
    let in_patch = [(19, "in a head"), (100, "in a definition"), (patch.len() - 1, "before its last byte")];
    all.into_iter().chain(cuts(SHAPES, "shpA", &whole, &places)).chain(cuts(PATCH, "ShPa", &patch, &in_patch)).collect()
}
