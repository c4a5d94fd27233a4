//! The worlds and the texture packages of Crimson Skies. Source: `vectors-cs.md`, sections 2 and 5.

use bitexact::kind::Game;

use super::Statement;
use super::fact::Fact::{self, Bytes, Kind, MissesFormulaB, Others, Records, Sha, ShaEnd, Start, Sum, Values};
use super::facts::{ALL, of};

/// A world of Crimson Skies. Source: `vectors-cs.md`, section 2.
pub(super) struct World {
    pub(super) path: &'static str,
    pub(super) bytes: u64,
    pub(super) stamp: u64,
    /// The index of the first free slot for models.
    pub(super) free_head: u64,
    /// The nodes with a model.
    pub(super) with_model: u64,
    /// The offset of the data of the nodes.
    pub(super) data: u64,
    /// The matrices that formula B misses by more than 1e-4.
    pub(super) odd_matrices: u64,
    pub(super) textures: u64,
    /// The slots for models, and those in use.
    pub(super) models: u64,
    pub(super) used: u64,
    pub(super) polygons: u64,
    pub(super) materials: u64,
    /// The materials that are textured, plain, cycled, and with bit 1.
    pub(super) kinds: [u64; 4],
    /// The free slots for materials.
    pub(super) free: u64,
    pub(super) nodes: u64,
    /// The polygons whose set of zones is empty, -1, 0, 1, 2 and 3.
    pub(super) zone_sets: [u64; 6],
    /// The nodes of zones 255, 1, 2 and 3; not published for the planes.
    pub(super) zones: [u64; 4],
    /// The polygons with flag 0x0800.
    pub(super) flag_0800: u64,
}

#[rustfmt::skip]
pub(super) const WORLDS: [World; 9] = [
    World { path: "zbd/planes.zbd", bytes: 6083868, stamp: 967277477, free_head: 1313, with_model: 1766,
        data: 5584432, odd_matrices: 107, textures: 298, models: 2250, used: 1766, polygons: 16200,
        materials: 954, kinds: [936, 18, 608, 134], free: 46, nodes: 3317,
        zone_sets: [15327, 873, 0, 0, 0, 0], zones: [0, 0, 0, 0], flag_0800: 0 },
    World { path: "zbd/c1/gamez.zbd", bytes: 6875076, stamp: 967277730, free_head: 2237, with_model: 3966,
        data: 5823864, odd_matrices: 5, textures: 565, models: 2250, used: 2237, polygons: 18277,
        materials: 570, kinds: [552, 18, 3, 0], free: 430, nodes: 7064,
        zone_sets: [3396, 8875, 10, 5623, 373, 0], zones: [3529, 2666, 869, 0], flag_0800: 49 },
    World { path: "zbd/c1b/gamez.zbd", bytes: 3953304, stamp: 967278018, free_head: 1305, with_model: 3485,
        data: 3111984, odd_matrices: 1, textures: 359, models: 1500, used: 1305, polygons: 8323,
        materials: 320, kinds: [310, 10, 5, 0], free: 680, nodes: 5603,
        zone_sets: [3107, 3336, 14, 1866, 0, 0], zones: [3500, 2101, 2, 0], flag_0800: 0 },
    World { path: "zbd/c1c/gamez.zbd", bytes: 4008612, stamp: 967278208, free_head: 1518, with_model: 3354,
        data: 3161212, odd_matrices: 1, textures: 279, models: 2250, used: 1518, polygons: 8040,
        materials: 284, kinds: [276, 8, 1, 0], free: 716, nodes: 5644,
        zone_sets: [3262, 3698, 0, 586, 494, 0], zones: [4181, 146, 1317, 0], flag_0800: 71 },
    World { path: "zbd/c2/gamez.zbd", bytes: 4908288, stamp: 967278462, free_head: 1765, with_model: 2558,
        data: 4162500, odd_matrices: 1, textures: 498, models: 2250, used: 1765, polygons: 12645,
        materials: 492, kinds: [480, 12, 2, 0], free: 508, nodes: 4956,
        zone_sets: [4320, 4277, 26, 4022, 0, 0], zones: [4189, 766, 1, 0], flag_0800: 71 },
    World { path: "zbd/c2b/gamez.zbd", bytes: 3435348, stamp: 967278721, free_head: 1365, with_model: 3039,
        data: 2697712, odd_matrices: 1, textures: 285, models: 1500, used: 1365, polygons: 7008,
        materials: 274, kinds: [267, 7, 2, 0], free: 726, nodes: 4901,
        zone_sets: [2869, 3234, 0, 587, 318, 0], zones: [3338, 149, 1414, 0], flag_0800: 45 },
    World { path: "zbd/c3/gamez.zbd", bytes: 5633696, stamp: 967278943, free_head: 1901, with_model: 2868,
        data: 4808244, odd_matrices: 18, textures: 465, models: 2250, used: 1901, polygons: 16087,
        materials: 483, kinds: [456, 27, 2, 21], free: 517, nodes: 5408,
        zone_sets: [5466, 4975, 10, 5636, 0, 0], zones: [3759, 1647, 2, 0], flag_0800: 1 },
    World { path: "zbd/c4/gamez.zbd", bytes: 8102080, stamp: 967279328, free_head: 2283, with_model: 4929,
        data: 6864412, odd_matrices: 11, textures: 654, models: 3000, used: 2431, polygons: 19661,
        materials: 685, kinds: [662, 23, 2, 38], free: 315, nodes: 8289,
        zone_sets: [5259, 6217, 2, 6122, 2061, 0], zones: [5330, 802, 2157, 0], flag_0800: 141 },
    World { path: "zbd/c5/gamez.zbd", bytes: 9385808, stamp: 967279700, free_head: 2851, with_model: 6003,
        data: 7684148, odd_matrices: 3, textures: 582, models: 3000, used: 2851, polygons: 22493,
        materials: 607, kinds: [583, 24, 2, 22], free: 393, nodes: 11438,
        zone_sets: [6616, 10558, 44, 3307, 0, 1968], zones: [9734, 1555, 0, 149], flag_0800: 658 },
];

/// The hashes of the world and of the packages of a group.
struct Hashes {
    group: &'static str,
    /// The first eight digits of each file.
    first: [(&'static str, u64); 7],
    /// The last digits of some files, and how many these are.
    last: [(&'static str, usize, u64); 2],
}

#[rustfmt::skip]
const HASHES: [Hashes; 8] = [
    Hashes { group: "c1", last: [("gamez", 6, 0xAE_31A8), ("texture", 4, 0xC551)],
        first: [("gamez", 0x2A61_482D), ("texture", 0x1DFD_789C), ("rtexture2", 0xA71E_6206), ("rtexture4", 0xDDA4_10E0),
            ("rtexture6", 0x8D8A_AF43), ("rtexture8", 0x948E_8B16), ("rtexture15", 0xCCA3_9C7A)] },
    Hashes { group: "c1b", last: [("gamez", 6, 0x28_F099), ("texture", 4, 0x0732)],
        first: [("gamez", 0x38EA_1C08), ("texture", 0x71A8_2C23), ("rtexture2", 0x2229_2017), ("rtexture4", 0xA3A1_1B30),
            ("rtexture6", 0xBBA6_D626), ("rtexture8", 0xCD3E_1850), ("rtexture11", 0x36A3_C8B0)] },
    Hashes { group: "c1c", last: [("gamez", 6, 0x5A_7794), ("texture", 4, 0xB7C9)],
        first: [("gamez", 0x6AD3_9CD4), ("texture", 0x55DA_80AA), ("rtexture2", 0xE914_CED6), ("rtexture4", 0x3634_6EFC),
            ("rtexture6", 0x0E5B_32BD), ("rtexture8", 0x9E5B_5C4E), ("rtexture10", 0xDE03_F94B)] },
    Hashes { group: "c2", last: [("gamez", 7, 0x4C9_24B6), ("texture", 4, 0x9D72)],
        first: [("gamez", 0x2B2C_F09B), ("texture", 0x43F2_A040), ("rtexture2", 0x9078_E31E), ("rtexture4", 0xFBF2_497F),
            ("rtexture6", 0xB4B0_FAB1), ("rtexture8", 0x7169_DA60), ("rtexture14", 0x1B49_6C5E)] },
    Hashes { group: "c2b", last: [("gamez", 4, 0xF2AB), ("texture", 4, 0x18E3)],
        first: [("gamez", 0x8B64_F30B), ("texture", 0xB3A0_AEBA), ("rtexture2", 0x548D_313A), ("rtexture4", 0x453A_0205),
            ("rtexture6", 0xE9D4_C437), ("rtexture8", 0x2B7C_289A), ("rtexture9", 0x4EDC_7326)] },
    Hashes { group: "c3", last: [("gamez", 7, 0xFA8_1D73), ("texture", 4, 0x1D76)],
        first: [("gamez", 0x3031_8F7B), ("texture", 0x9E97_DA6F), ("rtexture2", 0xCD84_1035), ("rtexture4", 0x0299_7412),
            ("rtexture6", 0x97F2_9AEE), ("rtexture8", 0xD871_7D18), ("rtexture12", 0xC1F6_977F)] },
    Hashes { group: "c4", last: [("gamez", 7, 0xC62_D458), ("texture", 4, 0xE2BC)],
        first: [("gamez", 0x91CD_F00C), ("texture", 0x3C34_9DE1), ("rtexture2", 0x04C7_3646), ("rtexture4", 0x1027_1491),
            ("rtexture6", 0x485D_A1B4), ("rtexture8", 0x80A8_BBD3), ("rtexture14", 0x6D1C_229F)] },
    Hashes { group: "c5", last: [("gamez", 8, 0x0469_823D), ("texture", 4, 0xAA7E)],
        first: [("gamez", 0x4E7A_6690), ("texture", 0xD129_EAF8), ("rtexture2", 0xEDAC_177A), ("rtexture4", 0x9184_8465),
            ("rtexture6", 0xD0C6_D826), ("rtexture8", 0xB0C9_F1C2), ("rtexture14", 0x4224_D1AD)] },
];

/// The images with full and with simple alpha in `texture.zbd`.
pub(super) const ALPHA: [(&str, u64, u64); 8] = [
    ("c1", 431, 3),
    ("c1b", 367, 1),
    ("c1c", 331, 1),
    ("c2", 379, 1),
    ("c2b", 322, 1),
    ("c3", 361, 2),
    ("c4", 405, 10),
    ("c5", 418, 3),
];

/// The images of a package.
const PACKAGE: Fact = Records(&["/directory"]);

/// The images in each of the six packages of a group.
pub(super) const IMAGES: [(&str, u64); 8] =
    [("c1", 881), ("c1b", 667), ("c1c", 593), ("c2", 820), ("c2b", 601), ("c3", 732), ("c4", 935), ("c5", 896)];

/// The data of the classes of nodes.
const NODE_DATA: &[&str] = &[
    "/nodes/slots/*/camera",
    "/nodes/slots/*/world",
    "/nodes/slots/*/window",
    "/nodes/slots/*/display",
    "/nodes/slots/*/object",
    "/nodes/slots/*/lod",
    "/nodes/slots/*/light",
    "/nodes/slots/*/sound",
];

/// Returns the statements about worlds and packages.
pub(super) fn statements() -> Vec<Statement> {
    let mut all = Vec::new();
    let mut state = |id: String, path: &str, fact: Fact, expected| {
        all.push(of(Game::CrimsonSkies, "", &(&id, path, fact, expected)));
    };
    for world in &WORLDS {
        let name = world.path.trim_start_matches("zbd/").replace("/gamez", "").replace(".zbd", "");
        let [empty, minus_1, zones @ ..] = world.zone_sets;
        let zone = &["/models/slots/*/polygons/*/zone_set/zones/0"];
        for (what, fact, expected) in [
            ("bytes", Bytes, world.bytes),
            ("data", Start(NODE_DATA), world.data),
            ("textures", Records(&["/textures"]), world.textures),
            ("models", Records(&["/models/slots", "/models/free"]), world.models),
            ("used", Records(&["/models/slots"]), world.used),
            ("polygons", Records(&["/models/slots/*/polygons"]), world.polygons),
            ("materials", Records(&["/materials/slots"]), world.materials),
            ("free-materials", Records(&["/materials/free"]), world.free),
            ("material-slots", Records(&["/materials/slots", "/materials/free"]), 1_000),
            ("nodes", Records(&["/nodes/slots"]), world.nodes),
            ("textured", Values(&["/materials/slots/*/flags"], 1, 1), world.kinds[0]),
            ("plain", Values(&["/materials/slots/*/flags"], 1, 0), world.kinds[1]),
            ("cycled", Values(&["/materials/slots/*/flags"], 4, 4), world.kinds[2]),
            ("bit-1", Values(&["/materials/slots/*/flags"], 2, 2), world.kinds[3]),
            ("flag-0800", Values(&["/models/slots/*/polygons/*/flags"], 0x0800, 0x0800), world.flag_0800),
            ("zones-empty", Values(&["/models/slots/*/polygons/*/zone_set/length"], ALL, 0), empty),
            // An empty set has -1 as well, in place of a zone.
            ("zones-minus-1", Values(zone, ALL, 0xFF), empty + minus_1),
            ("zones-0", Values(zone, ALL, 0), zones[0]),
            ("zones-1", Values(zone, ALL, 1), zones[1]),
            ("zones-2", Values(zone, ALL, 2), zones[2]),
            ("zones-3", Values(zone, ALL, 3), zones[3]),
            ("materials-offset", Sum(&["/materials_offset"]), 40 + 44 * world.textures),
            ("material-array-size", Sum(&["/materials/array_size"]), world.materials),
            ("material-used", Sum(&["/materials/used"]), world.materials),
            ("material-free-head", Sum(&["/materials/free_head"]), world.materials),
            ("material-used-head", Sum(&["/materials/used_head"]), world.materials - 1),
            ("stamp", Sum(&["/timestamp"]), world.stamp),
            ("free-head", Sum(&["/models/free_head"]), world.free_head),
            ("with-model", Others(&["/nodes/slots/*/model_index"], ALL, 0xFFFF_FFFF), world.with_model),
            // How many miss formula A is not published.
            ("odd-matrices", MissesFormulaB, world.odd_matrices),
        ] {
            state(format!("cs-2-{name}-{what}"), world.path, fact, expected);
        }
        for (zone, count) in [255, 1, 2, 3].into_iter().zip(world.zones) {
            // The zones of the planes are not published.
            if world.zones != [0; 4] {
                let fact = Values(&["/nodes/slots/*/zone_id"], 0xFF, zone);
                state(format!("cs-2-{name}-zone-{zone}"), world.path, fact, count);
            }
        }
    }
    for Hashes { group, first, last } in &HASHES {
        let path = |name: &str| format!("zbd/{group}/{name}.zbd");
        for (name, digits) in first {
            state(format!("cs-sha-{}", path(name)), &path(name), Sha, *digits);
        }
        for (name, length, digits) in last {
            state(format!("cs-sha-end-{}", path(name)), &path(name), ShaEnd(*length), *digits);
        }
    }
    for (group, count) in IMAGES {
        let packages = format!("zbd/{group}/*texture*.zbd");
        state(format!("cs-5-{group}-packages"), &packages, Kind("texture"), 6);
        for (id, fact) in [("least", Fact::Least(&PACKAGE)), ("most", Fact::Most(&PACKAGE))] {
            state(format!("cs-5-{group}-images-{id}"), &packages, fact, count);
        }
    }
    for (group, full, simple) in ALPHA {
        let path = format!("zbd/{group}/texture.zbd");
        state(format!("cs-5-{group}-full-alpha"), &path, Values(&["*:/flags"], 0x08, 0x08), full);
        state(format!("cs-5-{group}-simple-alpha"), &path, Values(&["*:/flags"], 0x0A, 0x02), simple);
    }
    all
}
