//! The statements about retail installs, as data.

use bitexact::kind::Game;

use super::{Fact, Statement};

/// A world of Crimson Skies. Source: `vectors-cs.md`, section 2.
pub(super) struct World {
    pub(super) path: &'static str,
    pub(super) bytes: u64,
    pub(super) stamp: u64,
    /// The index of the first free slot for models.
    pub(super) free_head: u64,
    /// The nodes with a model.
    pub(super) with_model: u64,
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
    World { path: "zbd/planes.zbd", bytes: 6083868, stamp: 967277477, free_head: 1313, with_model: 1766, textures: 298, models: 2250, used: 1766, polygons: 16200, materials: 954, kinds: [936, 18, 608, 134], free: 46, nodes: 3317, zone_sets: [15327, 873, 0, 0, 0, 0], zones: [0, 0, 0, 0], flag_0800: 0 },
    World { path: "zbd/c1/gamez.zbd", bytes: 6875076, stamp: 967277730, free_head: 2237, with_model: 3966, textures: 565, models: 2250, used: 2237, polygons: 18277, materials: 570, kinds: [552, 18, 3, 0], free: 430, nodes: 7064, zone_sets: [3396, 8875, 10, 5623, 373, 0], zones: [3529, 2666, 869, 0], flag_0800: 49 },
    World { path: "zbd/c1b/gamez.zbd", bytes: 3953304, stamp: 967278018, free_head: 1305, with_model: 3485, textures: 359, models: 1500, used: 1305, polygons: 8323, materials: 320, kinds: [310, 10, 5, 0], free: 680, nodes: 5603, zone_sets: [3107, 3336, 14, 1866, 0, 0], zones: [3500, 2101, 2, 0], flag_0800: 0 },
    World { path: "zbd/c1c/gamez.zbd", bytes: 4008612, stamp: 967278208, free_head: 1518, with_model: 3354, textures: 279, models: 2250, used: 1518, polygons: 8040, materials: 284, kinds: [276, 8, 1, 0], free: 716, nodes: 5644, zone_sets: [3262, 3698, 0, 586, 494, 0], zones: [4181, 146, 1317, 0], flag_0800: 71 },
    World { path: "zbd/c2/gamez.zbd", bytes: 4908288, stamp: 967278462, free_head: 1765, with_model: 2558, textures: 498, models: 2250, used: 1765, polygons: 12645, materials: 492, kinds: [480, 12, 2, 0], free: 508, nodes: 4956, zone_sets: [4320, 4277, 26, 4022, 0, 0], zones: [4189, 766, 1, 0], flag_0800: 71 },
    World { path: "zbd/c2b/gamez.zbd", bytes: 3435348, stamp: 967278721, free_head: 1365, with_model: 3039, textures: 285, models: 1500, used: 1365, polygons: 7008, materials: 274, kinds: [267, 7, 2, 0], free: 726, nodes: 4901, zone_sets: [2869, 3234, 0, 587, 318, 0], zones: [3338, 149, 1414, 0], flag_0800: 45 },
    World { path: "zbd/c3/gamez.zbd", bytes: 5633696, stamp: 967278943, free_head: 1901, with_model: 2868, textures: 465, models: 2250, used: 1901, polygons: 16087, materials: 483, kinds: [456, 27, 2, 21], free: 517, nodes: 5408, zone_sets: [5466, 4975, 10, 5636, 0, 0], zones: [3759, 1647, 2, 0], flag_0800: 1 },
    World { path: "zbd/c4/gamez.zbd", bytes: 8102080, stamp: 967279328, free_head: 2283, with_model: 4929, textures: 654, models: 3000, used: 2431, polygons: 19661, materials: 685, kinds: [662, 23, 2, 38], free: 315, nodes: 8289, zone_sets: [5259, 6217, 2, 6122, 2061, 0], zones: [5330, 802, 2157, 0], flag_0800: 141 },
    World { path: "zbd/c5/gamez.zbd", bytes: 9385808, stamp: 967279700, free_head: 2851, with_model: 6003, textures: 582, models: 3000, used: 2851, polygons: 22493, materials: 607, kinds: [583, 24, 2, 22], free: 393, nodes: 11438, zone_sets: [6616, 10558, 44, 3307, 0, 1968], zones: [9734, 1555, 0, 149], flag_0800: 658 },
];

/// The first digits of SHA-256 of which no more are published. Source: `vectors-cs.md`, sections 2 and 5.
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

use Fact::{Bytes, Entries, EntryBytes, EntrySha, Files, Kind, Records, Sum, Values};

/// All bits of a value.
const ALL: u64 = u64::MAX;
/// The event types of animations.
const EVENT_TYPES: &[&str] = &[
    "/definitions/*/reset_sequence/events/*/event_type",
    "/definitions/*/damage_sequence/events/*/event_type",
    "/definitions/*/sequences/*/events/*/event_type",
];

/// Statements about an English install of Crimson Skies. Source: `vectors-cs.md`, by section.
#[rustfmt::skip]
const CRIMSON_SKIES: &[(&str, &str, Fact, u64)] = &[
    ("cs-1-files", "**", Files, 228),
    ("cs-1-bytes", "**", Bytes, 842_048_219),
    ("cs-1-zbd", "zbd/**.zbd", Files, 184),
    ("cs-1-anim", "zbd/**.zbd", Kind("anim"), 61),
    ("cs-1-gamez", "zbd/**.zbd", Kind("gamez"), 9),
    ("cs-1-texture", "zbd/**.zbd", Kind("texture"), 49),
    ("cs-1-interp", "zbd/**.zbd", Kind("interp"), 1),
    ("cs-1-archive", "zbd/**.zbd", Kind("archive"), 64),
    ("cs-1-strings", "strings.dll", Bytes, 131_072),
    ("cs-1-langui", "gosdata/assets/binaries/langui.dll", Bytes, 282_624),
    ("cs-1-language", "gosdata/assets/binaries/language.dll", Bytes, 32_768),
    ("cs-1-crimson-rof", "gosdata/assets/crimson.rof", Bytes, 60_236_221),
    ("cs-1-crimptch-rof", "gosdata/assets/crimptch.rof", Bytes, 797),
    ("cs-1-interp-bytes", "zbd/interp.zbd", Bytes, 188_296),
    ("cs-3-records", "zbd/**_anim.zbd", Records(&["/definitions"]), 15_024),
    ("cs-3-scripts", "zbd/**_anim.zbd", Records(&["/scripts"]), 1_090),
    ("cs-3-frames", "zbd/**_anim.zbd", Records(&["/scripts/*/frames"]), 76_845),
    ("cs-3-bases", "zbd/**_anim.zbd", Records(&["/bases"]), 122),
    ("cs-3-sources", "zbd/**_anim.zbd", Records(&["/sources"]), 2_595),
    ("cs-3-c1-records", "zbd/c1/cam_anim.zbd", Records(&["/definitions"]), 476),
    ("cs-3-c1-scripts", "zbd/c1/cam_anim.zbd", Records(&["/scripts"]), 48),
    ("cs-3-c1c-bytes", "zbd/c1c/cam_anim.zbd", Bytes, 1_217_815),
    ("cs-3-c1c-records", "zbd/c1c/cam_anim.zbd", Records(&["/definitions"]), 307),
    ("cs-3-c1c-m01-bytes", "zbd/c1c/m01/mis_anim.zbd", Bytes, 2_019_493),
    ("cs-3-c1c-m01-records", "zbd/c1c/m01/mis_anim.zbd", Records(&["/definitions"]), 573),
    ("cs-3-c1c-mp1-bytes", "zbd/c1c/mp1/mis_anim.zbd", Bytes, 1_680),
    ("cs-4-readers", "zbd/**zrdr.zbd", Records(&["/entries"]), 1_293),
    ("cs-4-soundsh", "zbd/soundsh.zbd", Entries("wave"), 2_521),
    ("cs-4-soundsl", "zbd/soundsl.zbd", Entries("wave"), 2_520),
    ("cs-4-zrdr", "zbd/zrdr.zbd", Records(&["/entries"]), 221),
    ("cs-5-images", "zbd/**.zbd", Entries("image"), 37_004),
    ("cs-6-items", "gosdata/assets/crimson.rof", Records(&["/items"]), 846 + 21),
    ("cs-6-compressed", "gosdata/assets/crimson.rof", Entries("zlib"), 418),
    ("cs-6-bm", "gosdata/assets/crimson.rof", Entries("bm"), 184),
    ("cs-1-icd", "crimson.icd", Bytes, 2_580_578),
    ("cs-1-readme", "readme.rtf", Bytes, 57_539),
    ("cs-1-eula", "eula.rtf", Bytes, 266_123),
    ("cs-2-textures-offset", "zbd/**.zbd", Values(&["/textures_offset"], ALL, 40), 9),
    ("cs-2-soil-unused", "zbd/**.zbd", Values(&["/materials/slots/*/soil"], ALL, 2), 0),
    ("cs-2-bit-3", "zbd/**.zbd", Values(&["/materials/slots/*/flags", "/materials/free/*/flags"], 8, 8), 0),
    ("cs-2-polygon-0400", "zbd/**.zbd", Values(&["/models/slots/*/polygons/*/flags"], 0x0400, 0x0400), 52_621),
    ("cs-2-polygon-1000", "zbd/**.zbd", Values(&["/models/slots/*/polygons/*/flags"], 0x1000, 0x1000), 54_100),
    ("cs-2-polygon-2000", "zbd/**.zbd", Values(&["/models/slots/*/polygons/*/flags"], 0x2000, 0x2000), 22_124),
    ("cs-2-polygon-4000", "zbd/**.zbd", Values(&["/models/slots/*/polygons/*/flags"], 0x4000, 0x4000), 240),
    ("cs-2-node-1000", "zbd/**.zbd", Values(&["/nodes/slots/*/flags"], 0x1000, 0x1000), 47),
    ("cs-2-node-1000-c1", "zbd/c1/gamez.zbd", Values(&["/nodes/slots/*/flags"], 0x1000, 0x1000), 47),
    ("cs-2-node-40000", "zbd/**.zbd", Values(&["/nodes/slots/*/flags"], 0x4_0000, 0x4_0000), 0),
    ("cs-2-objects-40", "zbd/**.zbd", Values(&["/nodes/slots/*/object/flags"], ALL, 40), 31_548),
    ("cs-2-objects-32", "zbd/**.zbd", Values(&["/nodes/slots/*/object/flags"], ALL, 32), 20_063),
    ("cs-2-models-not-1", "zbd/**.zbd", Values(&["/models/slots/*/flags"], 1, 0), 3_003),
    ("cs-2-models-not-2", "zbd/**.zbd", Values(&["/models/slots/*/flags"], 2, 0), 225),
    ("cs-2-models-neither", "zbd/**.zbd", Values(&["/models/slots/*/flags"], 3, 0), 197),
    ("cs-2-lights", "zbd/**.zbd", Records(&["/models/slots/*/lights"]), 783),
    ("cs-2-morphs", "zbd/**.zbd", Values(&["/models/slots/*/morph_count"], ALL, 0), 17_139),
    ("cs-3-no-scripts", "zbd/**_anim.zbd", Values(&["/info/script_count"], ALL, 0), 30),
    ("cs-3-no-spline", "zbd/**_anim.zbd", Values(&["/script_heads/*/spline_interp"], ALL, 0), 15),
    ("cs-3-frames-0", "zbd/**_anim.zbd", Values(&["/scripts/*/frames/*/flags"], ALL, 0), 8_596),
    ("cs-3-frames-scale", "zbd/**_anim.zbd", Values(&["/scripts/*/frames/*/flags"], 4, 4), 477),
    ("cs-3-c1-defs", "zbd/c1/cam_anim.zbd", Sum("/info/defs_ptr"), 0x048F_631C),
    ("cs-3-c1-scripts-ptr", "zbd/c1/cam_anim.zbd", Sum("/info/scripts_ptr"), 0x048B_B5DC),
    ("cs-3-c1-world", "zbd/c1/cam_anim.zbd", Sum("/info/world_ptr"), 0x03B8_000C),
    ("cs-4-flags-readers", "zbd/**zrdr.zbd", Values(&["/entries/*/flags"], ALL, 2), 1_293),
    ("cs-4-flags-soundsh", "zbd/soundsh.zbd", Values(&["/entries/*/flags"], ALL, 62), 2_521),
    ("cs-4-flags-soundsl", "zbd/soundsl.zbd", Values(&["/entries/*/flags"], ALL, 62), 1_963),
    ("cs-4-flags-soundsl-2", "zbd/soundsl.zbd", Values(&["/entries/*/flags"], ALL, 2), 2),
    ("cs-4-soundsl-pcm", "zbd/soundsl.zbd", Values(&["*:/chunks/*/format_tag"], ALL, 1), 11),
    ("cs-4-soundsl-ms", "zbd/soundsl.zbd", Values(&["*:/chunks/*/format_tag"], ALL, 2), 1_954),
    ("cs-4-soundsl-ima", "zbd/soundsl.zbd", Values(&["*:/chunks/*/format_tag"], ALL, 0x11), 555),
    ("cs-4-soundsl-mono", "zbd/soundsl.zbd", Values(&["*:/chunks/*/channels"], ALL, 1), 2_520),
    ("cs-4-soundsl-rate", "zbd/soundsl.zbd", Values(&["*:/chunks/*/samples_per_sec"], ALL, 11_025), 2_520),
    ("cs-4-soundsh-pcm", "zbd/soundsh.zbd", Values(&["*:/chunks/*/format_tag"], ALL, 1), 11),
    ("cs-4-soundsh-ms", "zbd/soundsh.zbd", Values(&["*:/chunks/*/format_tag"], ALL, 2), 2_510),
    ("cs-4-soundsh-time", "zbd/soundsh.zbd", Values(&["/entries/*/time"], ALL, 126_117_538_340_000_000), 2_521),
    ("cs-4-soundsl-time", "zbd/soundsl.zbd", Values(&["/entries/*/time"], ALL, 126_117_540_800_000_000), 2_520),
    ("cs-4-detail-bytes", "zbd/zrdr.zbd", EntryBytes("detail.zrd"), 1_994),
    ("cs-4-detail-sha", "zbd/zrdr.zbd", EntrySha("detail.zrd"), 0xC6CE_22C1),
    ("cs-4-player-1", "zbd/zrdr.zbd", EntryBytes("player.zrd"), 3_414),
    ("cs-4-player-2", "zbd/zrdr.zbd", EntryBytes("player.zrd#2"), 34_711),
    ("cs-4-objectives-bytes", "zbd/c3/m05/zrdr.zbd", EntryBytes("objectives.zrd"), 13_998),
    ("cs-4-objectives-sha", "zbd/c3/m05/zrdr.zbd", EntrySha("objectives.zrd"), 0xAED2_A5DA),
    ("cs-5-word-0", "zbd/**.zbd", Values(&["*:/addressing"], ALL, 0), 34_820),
    ("cs-5-word-1", "zbd/**.zbd", Values(&["*:/addressing"], ALL, 1), 168),
    ("cs-5-word-2", "zbd/**.zbd", Values(&["*:/addressing"], ALL, 2), 294),
    ("cs-5-word-3", "zbd/**.zbd", Values(&["*:/addressing"], ALL, 3), 366),
    ("cs-5-word-4", "zbd/**.zbd", Values(&["*:/addressing"], ALL, 4), 648),
    ("cs-5-word-7", "zbd/**.zbd", Values(&["*:/addressing"], ALL, 7), 576),
    ("cs-5-word-8", "zbd/**.zbd", Values(&["*:/addressing"], ALL, 8), 132),
    ("cs-5-additive-c1", "zbd/c1/texture.zbd", Values(&["*:/addressing"], 4, 4), 31),
    ("cs-5-additive-c3", "zbd/c3/texture.zbd", Values(&["*:/addressing"], 4, 4), 26),
    ("cs-6-root", "gosdata/assets/crimson.rof", Records(&["/records"]), 1),
    ("cs-6-font", "gosdata/assets/graphics/font.tga", Bytes, 65_580),
    ("cs-6-arial", "gosdata/assets/graphics/arial8.tga", Bytes, 45_636),
    ("cs-6-mpg", "gosdata/assets/graphics/mpg/*.mpg", Files, 10),
    ("cs-7-scripts", "zbd/interp.zbd", Entries("script"), 98),
    ("cs-7-lines", "zbd/interp.zbd", Records(&["*:/lines"]), 5_083),
];

/// Statements about the edition of Recoil of 1999. Source: `vectors-rc-mw-pm.md`, by section.
#[rustfmt::skip]
const RECOIL: &[(&str, &str, Fact, u64)] = &[
    ("rc-1-zbd", "zbd/**.zbd", Files, 105),
    ("rc-1-gamez", "zbd/**.zbd", Kind("gamez"), 13),
    ("rc-1-anim", "zbd/**.zbd", Kind("anim"), 13),
    ("rc-1-texture", "zbd/**.zbd", Kind("texture"), 61),
    ("rc-1-archive", "zbd/**.zbd", Kind("archive"), 17),
    ("rc-1-interp", "zbd/**.zbd", Kind("interp"), 1),
    ("rc-1-images", "zbd/**.zbd", Entries("image"), 31_351),
    ("rc-1-palettes", "zbd/**.zbd", Records(&["/palettes"]), 542),
    ("rc-1-image", "zbd/image.zbd", Entries("image"), 433),
    ("rc-1-m1-texture2", "zbd/m1/texture2.zbd", Entries("image"), 576),
    ("rc-1-readers", "zbd/**zrdr.zbd", Records(&["/entries"]), 997),
    ("rc-1-m1-zrdr", "zbd/m1/zrdr.zbd", Records(&["/entries"]), 149),
    ("rc-1-maps", "maps/*.zmap", Files, 12),
    ("rc-2-scripts", "zbd/interp.zbd", Entries("script"), 122),
    ("rc-3-nodes", "zbd/m1/gamez.zbd", Records(&["/nodes/slots", "/nodes/free"]), 16_000),
    ("rc-3-models", "zbd/m1/gamez.zbd", Records(&["/models/slots", "/models/free"]), 6_000),
    ("rc-3-materials", "zbd/m1/gamez.zbd", Records(&["/materials/slots", "/materials/free"]), 5_000),
    ("rc-3-m1-used", "zbd/m1/gamez.zbd", Records(&["/nodes/slots"]), 4_199),
    ("rc-1-zmap-version", "maps/*.zmap", Values(&["/version"], ALL, 5), 12),
    ("rc-2-version", "zbd/interp.zbd", Sum("/version"), 7),
    ("rc-3-textures-offset", "zbd/**gamez.zbd", Values(&["/textures_offset"], ALL, 36), 13),
    ("rc-3-m1-free-head", "zbd/m1/gamez.zbd", Sum("/node_free_head"), 4_199),
    ("rc-3-m6-free-head", "zbd/m6/gamez.zbd", Sum("/node_free_head"), 309),
    ("rc-3-m1-cameras", "zbd/m1/gamez.zbd", Values(&["/nodes/slots/*/class"], ALL, 1), 1),
    ("rc-3-m1-worlds", "zbd/m1/gamez.zbd", Values(&["/nodes/slots/*/class"], ALL, 2), 1),
    ("rc-3-m1-windows", "zbd/m1/gamez.zbd", Values(&["/nodes/slots/*/class"], ALL, 3), 1),
    ("rc-3-m1-displays", "zbd/m1/gamez.zbd", Values(&["/nodes/slots/*/class"], ALL, 4), 1),
    ("rc-3-m1-objects", "zbd/m1/gamez.zbd", Values(&["/nodes/slots/*/class"], ALL, 5), 4_041),
    ("rc-3-m1-lods", "zbd/m1/gamez.zbd", Values(&["/nodes/slots/*/class"], ALL, 6), 153),
    ("rc-3-m1-lights", "zbd/m1/gamez.zbd", Values(&["/nodes/slots/*/class"], ALL, 9), 1),
    ("rc-3-m1-columns", "zbd/m1/gamez.zbd", Sum("/nodes/slots/*/world/x_count"), 16),
    ("rc-3-m1-rows", "zbd/m1/gamez.zbd", Sum("/nodes/slots/*/world/z_count"), 17),
    ("rc-3-dec-features", "zbd/**gamez.zbd", Values(&["/nodes/slots/*/world/max_dec_features"], ALL, 16), 13),
    ("rc-3-virtual-partition", "zbd/**gamez.zbd", Values(&["/nodes/slots/*/world/virtual_partition"], ALL, 0), 13),
    ("rc-4-version", "zbd/**anim.zbd", Values(&["/version"], ALL, 28), 13),
    ("rc-4-messages", "zbd/**anim.zbd", Values(&["/info/msg_count"], ALL, 0), 13),
    ("rc-4-priority", "zbd/**anim.zbd", Values(&["/definitions/*/execution_priority"], ALL, 1), 34),
    ("rc-4-events-12", "zbd/**anim.zbd", Values(EVENT_TYPES, ALL, 12), 176),
];

/// Returns all statements.
pub(super) fn statements() -> Vec<Statement> {
    let of = |game, needs, &(id, files, fact, expected): &(&str, &str, Fact, u64)| Statement {
        id: id.to_owned(),
        game,
        needs,
        files: files.to_owned(),
        fact,
        expected,
    };
    let crimson = |row: &(&str, &str, Fact, u64)| of(Game::CrimsonSkies, "", row);
    let mut all: Vec<Statement> = CRIMSON_SKIES.iter().map(crimson).collect();
    all.extend(RECOIL.iter().map(|row| of(Game::Recoil, "zbd/m13/gamez.zbd", row)));
    for world in &WORLDS {
        let name = world.path.trim_start_matches("zbd/").replace("/gamez", "").replace(".zbd", "");
        for (what, fact, expected) in [
            ("bytes", Bytes, world.bytes),
            ("textures", Records(&["/textures"]), world.textures),
            ("models", Records(&["/models/slots", "/models/free"]), world.models),
            ("used", Records(&["/models/slots"]), world.used),
            ("polygons", Records(&["/models/slots/*/polygons"]), world.polygons),
            ("materials", Records(&["/materials/slots"]), world.materials),
            ("free-materials", Records(&["/materials/free"]), world.free),
            ("nodes", Records(&["/nodes/slots"]), world.nodes),
            ("textured", Values(&["/materials/slots/*/flags"], 1, 1), world.kinds[0]),
            ("cycled", Values(&["/materials/slots/*/flags"], 4, 4), world.kinds[2]),
            ("bit-1", Values(&["/materials/slots/*/flags"], 2, 2), world.kinds[3]),
            ("flag-0800", Values(&["/models/slots/*/polygons/*/flags"], 0x0800, 0x0800), world.flag_0800),
            ("zones-empty", Values(&["/models/slots/*/polygons/*/zone_set/length"], ALL, 0), world.zone_sets[0]),
            ("materials-offset", Sum("/materials_offset"), 40 + 44 * world.textures),
            ("material-array-size", Sum("/materials/array_size"), world.materials),
            ("stamp", Sum("/timestamp"), world.stamp),
            ("free-head", Sum("/models/free_head"), world.free_head),
            ("no-model", Values(&["/nodes/slots/*/model_index"], ALL, 0xFFFF_FFFF), world.nodes - world.with_model),
        ] {
            all.push(crimson(&(&format!("cs-2-{name}-{what}"), world.path, fact, expected)));
        }
        for (zone, count) in [255, 1, 2, 3].into_iter().zip(world.zones) {
            // The zones of the planes are not published.
            if world.zones != [0; 4] {
                let fact = Values(&["/nodes/slots/*/zone_id"], 0xFF, zone);
                all.push(crimson(&(&format!("cs-2-{name}-zone-{zone}"), world.path, fact, count)));
            }
        }
    }
    for &(kind, count) in &super::arithmetic::EVENTS {
        let fact = Values(EVENT_TYPES, ALL, kind.into());
        all.push(crimson(&(&format!("cs-3-events-{kind}"), "zbd/**_anim.zbd", fact, count.into())));
    }
    for &(path, prefix) in PREFIXES {
        all.push(crimson(&(&format!("cs-sha-{path}"), path, Fact::Sha, prefix)));
    }
    // A program states its version and size. Source: `vectors-rc-mw-pm.md`, section 5.
    let program = ("mw-5-program", "mech3.exe", Bytes, 2_384_384);
    all.push(of(Game::MechWarrior3, "zbd/c3/readermp3.zbd", &program));
    all
}
