//! The statements that need no file, marked **A** in the documents, and the worked numbers of the engine.

use bitexact::field::{U32, encode};
use bitexact::json::Recomputation;
use bitexact::recompute::recompute;
use bitexact::zipper::gamez::textures::TexturePm;
use bitexact::zipper::rof::{Item, Record, Rof};

use super::worlds::{ALPHA, IMAGES, WORLDS, World};

/// Source: `vectors-cs.md`, section 2.
#[test]
fn worlds_add_up() {
    let sum = |of: fn(&World) -> u64| WORLDS.iter().map(of).sum::<u64>();
    assert_eq!(sum(|it| it.textures), 3_985);
    assert_eq!([sum(|it| it.materials), sum(|it| it.kinds[0]), sum(|it| it.kinds[1])], [4_669, 4_522, 147]);
    assert_eq!([sum(|it| it.kinds[2]), sum(|it| it.kinds[3])], [627, 215]);
    assert_eq!([sum(|it| it.polygons), sum(|it| it.flag_0800)], [128_734, 1_036]);
    assert_eq!(31_548 + 20_063, 51_611, "objects, by field flags 40 and 32");
    assert_eq!([sum(|it| it.used), sum(|it| it.odd_matrices)], [17_139, 148]);
    assert_eq!([sum(|it| it.free), 9_000 - sum(|it| it.materials)], [4_331; 2], "free materials");
    for world in &WORLDS {
        let World { path, materials, kinds, free, polygons, zone_sets, nodes, zones, .. } = world;
        assert_eq!((materials + free, kinds[0] + kinds[1]), (1_000, *materials), "{path}");
        assert_eq!(zone_sets.iter().sum::<u64>(), *polygons, "{path}");
        if zones.iter().any(|count| *count > 0) {
            assert_eq!(zones.iter().sum::<u64>(), *nodes, "{path}");
        }
    }
}

/// The entries of all cells, the children of the world, and the nodes whose parent is the world. Source: `vectors-cs.md`, section 2.
#[rustfmt::skip]
const CELLS: [[u32; 3]; 8] = [
    [346, 66, 412], [155, 78, 233], [293, 53, 346], [258, 24, 282], [290, 48, 338], [439, 14, 453], [350, 51, 401], [471, 105, 576],
];

/// Source: `vectors-cs.md`, section 2.
#[test]
fn nodes_of_the_worlds_add_up() {
    for [entries, children, below] in CELLS {
        assert_eq!(entries + children, below);
    }
    assert_eq!([13, 8, 1, 23, 1, 18, 4, 80].iter().sum::<u32>(), 148, "entries without model and box");
    let several = [385 + 5, 8, 10, 204 + 2, 8, 16, 16, 352];
    assert_eq!((several.iter().sum::<u32>(), 999 + 7), (1_006, 1_006), "polygons with more than one material");
    let modelled = [
        [1756, 1427, 783, 0],
        [1641, 1844, 0, 0],
        [1984, 145, 1225, 0],
        [2026, 532, 0, 0],
        [1549, 146, 1344, 0],
        [1719, 1149, 0, 0],
        [2570, 479, 1880, 0],
        [4872, 996, 0, 135],
    ];
    for (zones, world) in modelled.iter().zip(&WORLDS[1..]) {
        assert_eq!(zones.iter().sum::<u64>(), world.with_model, "{}", world.path);
    }
    let owned = [36_636, 2, 6_980, 3_220, 118, 193, 533, 2, 204, 7];
    assert_eq!(owned.iter().sum::<u64>(), 47_895, "nodes by their word of owners, without the third world");
    let nodes = |path: &str| WORLDS.iter().find(|it| it.path == path).unwrap().nodes;
    let all: u64 = WORLDS.iter().map(|it| it.nodes).sum();
    assert_eq!((all, all - nodes("zbd/planes.zbd") - nodes("zbd/c3/gamez.zbd")), (56_620, 47_895));
}

/// Source: `vectors-cs.md`, section 1.
#[test]
fn missions_of_the_groups_add_up() {
    let campaign = [3, 1, 1, 4, 1, 5, 5, 4];
    assert_eq!(campaign.iter().sum::<u32>(), 24, "C1, C1B, C1C, C2, C2B, C3, C4, C5");
    assert_eq!((24 + 8 + 21, 61 + 9 + 62 + 2 + 49 + 1), (53, 184));
}

/// Source: `vectors-rc-mw-pm.md`, sections 1, 3 and 5.
#[test]
fn worlds_of_the_demos_and_archives_have_their_sizes() {
    use bitexact::zipper::gamez::games::{Layouts, Recoil, RecoilDemo};
    use bitexact::zipper::gamez::nodes::{NodeBox, NodeCorners, ObjectHeader, ObjectMatrices, ObjectTranslate};
    assert_eq!(52 + 7 + 1, 60, "texture packages of the missions");
    let slots = [size_of::<<Recoil as Layouts>::FreeNode>(), size_of::<<RecoilDemo as Layouts>::FreeNode>()];
    assert_eq!(slots, [196, 196 - size_of::<NodeBox>() + size_of::<NodeCorners>()]);
    let object = size_of::<ObjectHeader>() + size_of::<ObjectMatrices>();
    assert_eq!((slots[1], object, object + size_of::<ObjectTranslate>()), (268, 144, 156));
    let entries = |bytes: u64, table: u64| (bytes - 8 - table) / 148;
    assert_eq!([entries(92_824_738, 0x586_230E), entries(96_578_674, 0x5BF_688E)], [999, 1_003], "soundsH");
    assert_eq!([entries(2_406_873, 0x24_9849), entries(6_007_773, 0x5B_16AD)], [58, 258], "mechlib and motion");
}

/// Source: `vectors-cs.md`, section 2.
#[test]
fn materials_follow_the_texture_records() {
    let record = size_of::<TexturePm>() as u64;
    let offset = |path: &str| 40 + record * WORLDS.iter().find(|it| it.path == path).unwrap().textures;
    assert_eq!([offset("zbd/c1c/gamez.zbd"), offset("zbd/c4/gamez.zbd")], [12_316, 28_816]);
}

/// The events of Crimson Skies by type. Source: `vectors-cs.md`, section 3.
#[rustfmt::skip]
pub(super) const EVENTS: [(u8, u32); 35] = [
    (1, 6398), (2, 1244), (4, 1468), (5, 535), (6, 68109), (7, 1143), (8, 2209), (9, 6610), (10, 7458), (11, 9421), (12, 845),
    (13, 340), (14, 9917), (15, 1163), (16, 263), (17, 144), (20, 10), (22, 22391), (23, 1143), (24, 56750), (25, 7928), (26, 11),
    (27, 6618), (28, 1), (30, 3475), (31, 5468), (32, 4680), (33, 5727), (34, 5468), (35, 736), (36, 155), (41, 3), (42, 4535),
    (46, 3), (47, 22),
];

/// The conditions of events 31 and 33 in Crimson Skies. Source: `vectors-cs.md`, section 3.
#[rustfmt::skip]
pub(super) const CONDITIONS: [(u64, u64); 10] = [
    (0x1, 4_537), (0x800, 4_007), (0x2, 1_052), (0x2000, 717), (0x10, 473), (0x1000, 124), (0x4, 120), (0x40, 120), (0x100, 28),
    (0x20, 17),
];

/// Source: `vectors-cs.md`, section 3.
#[test]
fn events_and_conditions_add_up() {
    assert_eq!(EVENTS.iter().map(|(_, count)| count).sum::<u32>(), 242_391);
    let of = |wanted: u8| EVENTS.iter().find(|(event, _)| *event == wanted).unwrap().1;
    assert_eq!(CONDITIONS.iter().map(|(_, count)| count).sum::<u64>(), 11_195);
    assert_eq!(of(31) + of(33), 11_195);
    assert_eq!(2_919 + 26 + 530, of(30));
}

/// Source: `vectors-cs.md`, sections 4, 5 and 6.
#[test]
fn archives_and_textures_add_up() {
    assert_eq!(1_963 + 2 + 555, 2_520, "flags of soundsl");
    assert_eq!([34_820, 168, 294, 366, 648, 576, 132].iter().sum::<u32>(), 37_004, "the word at 14 of the images");
    let alpha = |of: fn(&(&str, u64, u64)) -> u64| ALPHA.iter().map(of).sum::<u64>();
    assert_eq!([alpha(|it| it.1), alpha(|it| it.2)], [3_014, 22], "full and simple alpha");
    let images: u64 = IMAGES.iter().map(|(_, count)| count).sum();
    assert_eq!((images, 6 * images + 254), (6_125, 37_004), "six packages for each group, and rimage.zbd");
    assert_eq!(1_293 + 2_521 + 2_520, 6_334, "entries");
    assert_eq!(8 + 24 + 8 + 21, 61, "animations: groups, campaign, instant action, multiplayer");
    assert_eq!(846 - 418, 428, "files of crimson.rof that are not compressed");
    assert_eq!(11 + 8 + 8 + 8 + 8 + 53 + 2, 98, "scripts");
    assert_eq!(797 - 670, 127, "the blocks of crimptch.rof");
    assert_eq!(37_359 + 15_078, 52_437, "SCRAPBOOK.CSV begins where LAYOUT.CSV ends");
    assert_eq!([186 + 636, 294 + 167], [822, 461], "items of LAYOUT.CSV, and of SCRAPBOOK.CSV");
}

/// Source: `vectors-cs.md`, section 6.
#[test]
fn names_of_a_rof_archive_begin_after_each_other() {
    let named = |(index, name): (u32, &str)| Record {
        name: format!("{name}\0").into_bytes().into(),
        item: U32::new(index),
        ..Record::default()
    };
    let offsets = |first: &str| {
        let mut rof = Rof::default();
        rof.root.records = (0..).zip([first, "BB", "C"]).map(named).collect();
        rof.items = vec![Item::default(); 3];
        recompute(&mut rof, &Recomputation::default()).expect("it is computed");
        let bytes = encode(&rof).expect("it is written");
        assert!(!bytes.is_empty());
        rof.root.records.iter().map(|record| record.head.name_offset.get()).collect::<Vec<_>>()
    };
    assert_eq!(offsets("A.TXT"), [0, 6, 9]);
    assert_eq!(offsets("LONGER.TXT"), [0, 11, 14]);
}

/// Source: `vectors-cs.md`, section 8.
#[test]
fn saves_have_header_payload_table_and_footer() {
    assert_eq!(16 + 2 * 148 + 8, 320);
    assert_eq!(20 + 3 * 148 + 8, 472);
    assert_eq!(12 + 1_448 + 10_820 + 3 * 148 + 8, 12_732);
    assert_eq!(12 + 10_820 + 2 * 148 + 8, 11_136);
    assert_eq!(size_of::<bitexact::zipper::archive::Slot>(), 148);
    assert_eq!(size_of::<bitexact::zipper::archive::Footer>(), 8);
}

/// Source: `vectors-rc-mw-pm.md`, sections 1 and 2.
#[test]
fn recoil_adds_up() {
    assert_eq!(13 + 13 + 61 + 14 + 3 + 1, 105);
    assert_eq!(
        4 * 13 + 7 + 1,
        61 - 1,
        "texture packages: four in every mission, texture6 in seven, texture8 in one, and image.zbd"
    );
    assert_eq!(12 + 128 * 122, 15_628, "the first script after the index");
    assert_eq!("SetModelDirectory\0".len() + "..\\data\\m1\\models\\bft\0".len(), 0x28, "a line of two words");
}

/// An archive has a table at its end, of which the offset is stated: bytes, offset, entries. Source: `vectors-rc-mw-pm.md`, section 5.
#[test]
fn archives_of_mechwarrior_3_have_as_many_entries_as_their_tables_hold() {
    let [slot, footer] = [size_of::<bitexact::zipper::archive::Slot>(), size_of::<bitexact::zipper::archive::Footer>()];
    for (bytes, table, entries) in [
        (92_824_738, 0x0586_230E, 999),
        (96_578_674, 0x05BF_688E, 1_003),
        (2_406_873, 0x0024_9849, 58),
        (6_007_773, 0x005B_16AD, 258),
    ] {
        assert_eq!(bytes - footer - table, slot * entries, "{bytes}");
    }
}

/// Source: `vectors-rc-mw-pm.md`, section 6.
#[test]
fn rules_of_the_engine_give_the_worked_numbers() {
    let snap = |x: f32| ((x + 1.0 / 512.0) * 256.0).trunc() / 256.0;
    assert_eq!(snap(0.3), 0.300_781_25);
    assert_eq!(f32::from_bits(10), 1.4e-44, "an integer that is read as a float");
    assert_eq!([8.0_f32.to_bits(), 0x4100_0000], [1_090_519_040; 2]);
    assert_eq!([(0.9_f32 * 64.0).trunc(), (0.9_f32 * 1024.0).ceil()], [57.0, 922.0]);
    assert_eq!([64.0_f32 * 64.0, 1.0 / 32.0], [4096.0, 0.031_25]);
}
