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

/// The first digits of SHA-256.
const PREFIXES: &[(&str, u64)] = &[
    ("zbd/c1/gamez.zbd", 0x2A61_482D),
    ("zbd/c1b/gamez.zbd", 0x38EA_1C08),
    ("zbd/c1c/gamez.zbd", 0x6AD3_9CD4),
    ("zbd/c2/gamez.zbd", 0x2B2C_F09B),
    ("zbd/c2b/gamez.zbd", 0x8B64_F30B),
    ("zbd/c3/gamez.zbd", 0x3031_8F7B),
    ("zbd/c4/gamez.zbd", 0x91CD_F00C),
    ("zbd/c5/gamez.zbd", 0x4E7A_6690),
    ("zbd/c1/texture.zbd", 0x1DFD_789C),
    ("zbd/c1/rtexture2.zbd", 0xA71E_6206),
    ("zbd/c1/rtexture4.zbd", 0xDDA4_10E0),
    ("zbd/c1/rtexture6.zbd", 0x8D8A_AF43),
    ("zbd/c1/rtexture8.zbd", 0x948E_8B16),
    ("zbd/c1/rtexture15.zbd", 0xCCA3_9C7A),
    ("zbd/c1b/texture.zbd", 0x71A8_2C23),
    ("zbd/c1b/rtexture2.zbd", 0x2229_2017),
    ("zbd/c1b/rtexture4.zbd", 0xA3A1_1B30),
    ("zbd/c1b/rtexture6.zbd", 0xBBA6_D626),
    ("zbd/c1b/rtexture8.zbd", 0xCD3E_1850),
    ("zbd/c1b/rtexture11.zbd", 0x36A3_C8B0),
    ("zbd/c1c/texture.zbd", 0x55DA_80AA),
    ("zbd/c1c/rtexture2.zbd", 0xE914_CED6),
    ("zbd/c1c/rtexture4.zbd", 0x3634_6EFC),
    ("zbd/c1c/rtexture6.zbd", 0x0E5B_32BD),
    ("zbd/c1c/rtexture8.zbd", 0x9E5B_5C4E),
    ("zbd/c1c/rtexture10.zbd", 0xDE03_F94B),
    ("zbd/c2/texture.zbd", 0x43F2_A040),
    ("zbd/c2/rtexture2.zbd", 0x9078_E31E),
    ("zbd/c2/rtexture4.zbd", 0xFBF2_497F),
    ("zbd/c2/rtexture6.zbd", 0xB4B0_FAB1),
    ("zbd/c2/rtexture8.zbd", 0x7169_DA60),
    ("zbd/c2/rtexture14.zbd", 0x1B49_6C5E),
    ("zbd/c2b/texture.zbd", 0xB3A0_AEBA),
    ("zbd/c2b/rtexture2.zbd", 0x548D_313A),
    ("zbd/c2b/rtexture4.zbd", 0x453A_0205),
    ("zbd/c2b/rtexture6.zbd", 0xE9D4_C437),
    ("zbd/c2b/rtexture8.zbd", 0x2B7C_289A),
    ("zbd/c2b/rtexture9.zbd", 0x4EDC_7326),
    ("zbd/c3/texture.zbd", 0x9E97_DA6F),
    ("zbd/c3/rtexture2.zbd", 0xCD84_1035),
    ("zbd/c3/rtexture4.zbd", 0x0299_7412),
    ("zbd/c3/rtexture6.zbd", 0x97F2_9AEE),
    ("zbd/c3/rtexture8.zbd", 0xD871_7D18),
    ("zbd/c3/rtexture12.zbd", 0xC1F6_977F),
    ("zbd/c4/texture.zbd", 0x3C34_9DE1),
    ("zbd/c4/rtexture2.zbd", 0x04C7_3646),
    ("zbd/c4/rtexture4.zbd", 0x1027_1491),
    ("zbd/c4/rtexture6.zbd", 0x485D_A1B4),
    ("zbd/c4/rtexture8.zbd", 0x80A8_BBD3),
    ("zbd/c4/rtexture14.zbd", 0x6D1C_229F),
    ("zbd/c5/texture.zbd", 0xD129_EAF8),
    ("zbd/c5/rtexture2.zbd", 0xEDAC_177A),
    ("zbd/c5/rtexture4.zbd", 0x9184_8465),
    ("zbd/c5/rtexture6.zbd", 0xD0C6_D826),
    ("zbd/c5/rtexture8.zbd", 0xB0C9_F1C2),
    ("zbd/c5/rtexture14.zbd", 0x4224_D1AD),
];

/// The last digits of some of them, with their number.
const SUFFIXES: &[(&str, usize, u64)] = &[
    ("zbd/c1/gamez.zbd", 6, 0xAE_31A8),
    ("zbd/c1b/gamez.zbd", 6, 0x28_F099),
    ("zbd/c1c/gamez.zbd", 6, 0x5A_7794),
    ("zbd/c2/gamez.zbd", 7, 0x4C9_24B6),
    ("zbd/c2b/gamez.zbd", 4, 0xF2AB),
    ("zbd/c3/gamez.zbd", 7, 0xFA8_1D73),
    ("zbd/c4/gamez.zbd", 7, 0xC62_D458),
    ("zbd/c5/gamez.zbd", 8, 0x0469_823D),
    ("zbd/c1/texture.zbd", 4, 0xC551),
    ("zbd/c1b/texture.zbd", 4, 0x0732),
    ("zbd/c1c/texture.zbd", 4, 0xB7C9),
    ("zbd/c2/texture.zbd", 4, 0x9D72),
    ("zbd/c2b/texture.zbd", 4, 0x18E3),
    ("zbd/c3/texture.zbd", 4, 0x1D76),
    ("zbd/c4/texture.zbd", 4, 0xE2BC),
    ("zbd/c5/texture.zbd", 4, 0xAA7E),
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
    for &(path, digits) in PREFIXES {
        state(format!("cs-sha-{path}"), path, Sha, digits);
    }
    for &(path, length, digits) in SUFFIXES {
        state(format!("cs-sha-end-{path}"), path, ShaEnd(length), digits);
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
