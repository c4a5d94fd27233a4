//! Statements about an English install of Crimson Skies. Source: `vectors-cs.md`.

use bitexact::kind::Game;

use super::Statement;
use super::arithmetic::{CONDITIONS, EVENTS as EVENT_COUNTS};
use super::fact::Fact::{
    Addresses, Bytes, DecodedBytes, DecodedSha, Deviations, Different, DifferentTexts, Entries, EntryBytes, EntrySha,
    EntryStart, Files, FirstString, FoldedTexts, Highest, Kind, LastString, Least, Length, Lowest, Most,
    OtherEntrySizes, OtherSizes, Others, Records, Start, Sum, Texts, Twin, Values, With, Within, Words,
};
use super::fact::{Fact, Is};
use super::facts::{ALL, Row, bits, events, of};

/// The names of textures: stem, NUL, extension.
const NAMES: &[&str] = &["/textures/*/name"];
const MATERIALS: &[&str] = &["/models/slots/*/polygons/*/material_count"];
const DEPTH: &[&str] = &["/nodes/slots/*/world/area_bottom", "/nodes/slots/*/world/area_top"];
/// The sequences of all kinds.
const BLOCKS: &[&str] =
    &["/definitions/*/reset_sequence/size", "/definitions/*/damage_sequence/size", "/definitions/*/sequences/*/size"];
const EVENTS: &[&str] = &[
    "/definitions/*/reset_sequence/events/*",
    "/definitions/*/damage_sequence/events/*",
    "/definitions/*/sequences/*/events/*",
];
const PASSES: &[&str] = events!("payload/passes");
const LIGHT_ON: &[(&str, Is)] = &[("light_type", Is::Number(1)), ("active_state", Is::Number(1))];
const LIGHT_OFF: &[(&str, Is)] = &[("light_type", Is::Number(1)), ("active_state", Is::Number(0))];
const ENTRIES: &[&str] = &["/entries/*/name"];
/// The additive images of C1: those of a fire, and all others. Source: `zipper-textures.md`, section 2.3.
#[rustfmt::skip]
const FIRE: &[&str] = &[
    "fire101:/addressing", "fire102:/addressing", "fire103:/addressing", "fire104:/addressing", "fire105:/addressing",
    "fire106:/addressing", "fire107:/addressing", "fire108:/addressing", "fire109:/addressing", "fire110:/addressing",
    "fire111:/addressing", "fire112:/addressing",
];
#[rustfmt::skip]
const GLOW: &[&str] = &[
    "bigflare01:/addressing", "bigflare02:/addressing", "lflare1:/addressing", "lflare2:/addressing", "lflare3:/addressing",
    "lflare4:/addressing", "light_flare:/addressing", "light_flare_r:/addressing", "ring_ap:/addressing", "ring_he:/addressing",
    "ring_sonic:/addressing", "bluehilite:/addressing", "blueindicator:/addressing", "redhilite:/addressing",
    "redindicator:/addressing", "yellowhilite:/addressing", "yellowindicator:/addressing", "lowalt:/addressing",
    "stall:/addressing",
];
const CLOUD: &[&str] = &["cloud1:/addressing", "cloud2:/addressing", "rotorblur:/addressing"];
const ROF_FLAGS: &[&str] = &["/records/*/flags", "*:/records/*/flags"];
const LINES: &[&str] = &["*:/lines/*/words"];
const SOILS: &[&str] = &["player", "enemy", "airstrip", "opensesame", "death", "buildings", "dzone", "dirt"];
/// The length and the text of strings in blocks of 16.
const STRINGS: &[&str] = &[".rsrc:/resources/*/strings/*"];

#[rustfmt::skip]
pub(super) const ROWS: &[Row<'_>] = &[
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
    ("cs-2-bit-3", "zbd/**.zbd", Values(&["/materials/slots/*/flags", "/materials/free/*/flags"], 8, 8), 0),
    ("cs-2-node-1000", "zbd/**.zbd", Values(&["/nodes/slots/*/flags"], 0x1000, 0x1000), 47),
    ("cs-2-node-1000-c1", "zbd/c1/gamez.zbd", Values(&["/nodes/slots/*/flags"], 0x1000, 0x1000), 47),
    ("cs-2-node-40000", "zbd/**.zbd", Values(&["/nodes/slots/*/flags"], 0x4_0000, 0x4_0000), 0),
    ("cs-2-models-not-1", "zbd/**.zbd", Values(&["/models/slots/*/flags"], 1, 0), 3_003),
    ("cs-2-models-not-2", "zbd/**.zbd", Values(&["/models/slots/*/flags"], 2, 0), 225),
    ("cs-2-models-neither", "zbd/**.zbd", Values(&["/models/slots/*/flags"], 3, 0), 197),
    ("cs-2-lights", "zbd/**.zbd", Records(&["/models/slots/*/lights"]), 783),
    ("cs-2-morphs", "zbd/**.zbd", Values(&["/models/slots/*/morph_count"], ALL, 0), 17_139),
    ("cs-3-no-scripts", "zbd/**_anim.zbd", Values(&["/info/script_count"], ALL, 0), 30),
    ("cs-3-no-spline", "zbd/**_anim.zbd", Values(&["/script_heads/*/spline_interp"], ALL, 0), 15),
    ("cs-3-frames-0", "zbd/**_anim.zbd", Values(&["/scripts/*/frames/*/flags"], ALL, 0), 8_596),
    ("cs-3-frames-scale", "zbd/**_anim.zbd", Values(&["/scripts/*/frames/*/flags"], 4, 4), 477),
    ("cs-3-c1-defs", "zbd/c1/cam_anim.zbd", Sum(&["/info/defs_ptr"]), 0x048F_631C),
    ("cs-3-c1-scripts-ptr", "zbd/c1/cam_anim.zbd", Sum(&["/info/scripts_ptr"]), 0x048B_B5DC),
    ("cs-3-c1-world", "zbd/c1/cam_anim.zbd", Sum(&["/info/world_ptr"]), 0x03B8_000C),
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
    ("cs-5-additive-c1", "zbd/c1/texture.zbd", Values(&["*:/addressing"], 4, 4), 31),
    ("cs-5-additive-c3", "zbd/c3/texture.zbd", Values(&["*:/addressing"], 4, 4), 26),
    ("cs-5-rimage", "zbd/rimage.zbd", Records(&["/directory"]), 254),
    ("cs-5-font-8", "zbd/rimage.zbd", Values(&["lucida_console_8:/width"], ALL, 670), 1),
    ("cs-5-font-8b", "zbd/rimage.zbd", Values(&["lucida_console_8b:/width"], ALL, 761), 1),
    ("cs-5-font-modern", "zbd/rimage.zbd", Values(&["modern_white_12:/width"], ALL, 718), 1),
    ("cs-5-font-verdana", "zbd/rimage.zbd", Values(&["verdana_red_11:/width"], ALL, 712), 1),
    ("cs-5-font-hud", "zbd/rimage.zbd", Values(&["5pointhud:/width"], ALL, 463), 1),
    ("cs-5-font-hud-height", "zbd/rimage.zbd", Values(&["5pointhud:/height"], ALL, 6), 1),
    ("cs-5-fire-c1", "zbd/c1/texture.zbd", Values(FIRE, ALL, 7), 12),
    ("cs-5-glow-c1", "zbd/c1/texture.zbd", Values(GLOW, 4, 4), 19),
    ("cs-5-cloud-c1", "zbd/c1/texture.zbd", Values(CLOUD, 8, 8), 3),
    ("cs-5-cloud-only-c1", "zbd/c1/texture.zbd", Values(&["*:/addressing"], 8, 8), 3),
    ("cs-6-font", "gosdata/assets/graphics/font.tga", Bytes, 65_580),
    ("cs-6-arial", "gosdata/assets/graphics/arial8.tga", Bytes, 45_636),
    ("cs-6-mpg", "gosdata/assets/graphics/mpg/*.mpg", Files, 10),
    ("cs-7-scripts", "zbd/interp.zbd", Entries("script"), 98),
    ("cs-7-lines", "zbd/interp.zbd", Records(&["*:/lines"]), 5_083),
    ("cs-1-readers", "zbd/**zrdr.zbd", Files, 62),
    ("cs-1-sounds", "zbd/sounds*.zbd", Files, 2),
    ("cs-1-campaign", "zbd/*/m0*/mis_anim.zbd", Files, 24),
    ("cs-1-instant-action", "zbd/*/ia1/mis_anim.zbd", Files, 8),
    ("cs-1-multiplayer", "zbd/*/mp*/mis_anim.zbd", Files, 21),
    ("cs-1-empty", "**ebusetup.sem", Bytes, 0),
    ("cs-2-models-offset-low", "zbd/**.zbd", Lowest(&["/models_offset"]), 56_372),
    ("cs-2-models-offset-high", "zbd/**.zbd", Highest(&["/models_offset"]), 103_388),
    ("cs-2-names", "zbd/**.zbd", DifferentTexts(NAMES, &["*\0*"]), 1_476),
    ("cs-2-names-tif", "zbd/**.zbd", DifferentTexts(NAMES, &["*\0tif\0*", "*\0.tif\0*"]), 1_410),
    ("cs-2-names-upper-tif", "zbd/**.zbd", DifferentTexts(NAMES, &["*\0TIF\0*"]), 42),
    ("cs-2-names-t", "zbd/**.zbd", DifferentTexts(NAMES, &["*\0t\0*"]), 8),
    ("cs-2-names-ti", "zbd/**.zbd", DifferentTexts(NAMES, &["*\0ti\0*"]), 5),
    ("cs-2-names-upper-ti", "zbd/**.zbd", DifferentTexts(NAMES, &["sacredtrust_logo1\0TI\0"]), 1),
    ("cs-2-names-jpg", "zbd/**.zbd", DifferentTexts(NAMES, &["*\0jpg\0*"]), 1),
    ("cs-2-names-twice-dotted", "zbd/planes.zbd", Texts(NAMES, &["bldhwk_cowling\0.tif\0*"]), 36),
    ("cs-2-names-full", "zbd/planes.zbd", DifferentTexts(NAMES, &["cpit_bullethole1\0tif\0"]), 1),
    ("cs-2-images-null", "zbd/**.zbd", Values(&["/textures/*/image_ptr"], ALL, 0), 175),
    ("cs-2-images-set", "zbd/**.zbd", Others(&["/textures/*/image_ptr"], ALL, 0), 3_810),
    // The document counts 5,331 of 10,000 slots, but nine files have 9,000, and 4,331 of them are free by its own table.
    ("cs-2-free-0x20", "zbd/**.zbd", Values(&["/materials/free/*/flags"], ALL, 0x20), 4_331),
    ("cs-2-soil", "zbd/**.zbd", Different(&["/materials/slots/*/soil"]), 7),
    ("cs-2-cycles", "zbd/**.zbd", Others(&["/materials/cycles/*/looping"], ALL, 0), 627),
    ("cs-2-several-materials", "zbd/**.zbd", Within(MATERIALS, 2, ALL), 1_006),
    ("cs-2-planes-several-materials", "zbd/planes.zbd", Within(MATERIALS, 2, ALL), 0),
    ("cs-2-stars", "zbd/c1/gamez.zbd", Within(&["/models/slots/*/lights/*/color/*"], bits(218.65), bits(218.75)), 3 * 64),
    ("cs-2-world-left", "zbd/c1/gamez.zbd", Values(&["/nodes/slots/*/world/area_left"], ALL, bits(-12_288.0)), 1),
    ("cs-2-world-right", "zbd/c1/gamez.zbd", Values(&["/nodes/slots/*/world/area_right"], ALL, 0), 1),
    ("cs-2-world-depth", "zbd/c1/gamez.zbd", Values(DEPTH, ALL, bits(-12_288.0)), 1),
    ("cs-2-world-depth-0", "zbd/c1/gamez.zbd", Values(DEPTH, ALL, 0), 1),
    ("cs-2-world-columns", "zbd/c1/gamez.zbd", Sum(&["/nodes/slots/*/world/x_count"]), 12),
    ("cs-2-world-rows", "zbd/c1/gamez.zbd", Sum(&["/nodes/slots/*/world/z_count"]), 12),
    ("cs-2-world-cells", "zbd/c1/gamez.zbd", Values(&["/nodes/slots/*/world/cell_size/*"], 0x7FFF_FFFF, bits(1024.0)), 2),
    ("cs-3-blocks", "zbd/**_anim.zbd", Values(BLOCKS, 0, 0), 56_994),
    ("cs-3-reset", "zbd/**_anim.zbd", Values(&["/definitions/*/reset_sequence/size"], 0, 0), 5_171),
    ("cs-3-damage", "zbd/**_anim.zbd", Values(&["/definitions/*/damage_sequence/size"], 0, 0), 1_544),
    ("cs-3-events", "zbd/**_anim.zbd", Values(events!("event_type"), 0, 0), 242_391),
    ("cs-3-event-types", "zbd/**_anim.zbd", Different(events!("event_type")), 35),
    ("cs-3-event-bytes", "zbd/**_anim.zbd", Sum(events!("size")), 16_132_948),
    ("cs-3-c1-info", "zbd/c1/cam_anim.zbd", Start(&["/info"]), 14_560),
    ("cs-3-pools", "zbd/**_anim.zbd", Length(&["/scripts"]), 10_231_693),
    ("cs-3-pools-least", "zbd/**cam_anim.zbd", Least(&Length(&["/scripts"])), 29_690),
    ("cs-3-pools-most", "zbd/**_anim.zbd", Most(&Length(&["/scripts"])), 1_361_762),
    ("cs-3-c1c-pool", "zbd/c1c/cam_anim.zbd", Length(&["/scripts"]), 405_135),
    ("cs-3-c1b-pool", "zbd/c1b/cam_anim.zbd", Length(&["/scripts"]), 405_135),
    ("cs-3-c2b-pool", "zbd/c2b/cam_anim.zbd", Length(&["/scripts"]), 405_135),
    ("cs-3-c3-pool", "zbd/c3/cam_anim.zbd", Length(&["/scripts"]), 405_135),
    ("cs-3-c1c-m01-pool", "zbd/c1c/m01/mis_anim.zbd", Start(&["/script_heads", "/scripts"]), 1_468_528),
    ("cs-3-no-scripts-ia1", "zbd/*/ia1/mis_anim.zbd", Values(&["/info/script_count"], ALL, 0), 8),
    ("cs-3-no-scripts-mp", "zbd/*/mp*/mis_anim.zbd", Values(&["/info/script_count"], ALL, 0), 21),
    ("cs-3-no-scripts-c4-m05", "zbd/c4/m05/mis_anim.zbd", Values(&["/info/script_count"], ALL, 0), 1),
    ("cs-3-loop-endless", "zbd/**_anim.zbd", Values(PASSES, ALL, 0xFFFF), 2_919),
    ("cs-3-loop-0", "zbd/**_anim.zbd", Values(PASSES, ALL, 0), 26),
    ("cs-3-loop-counted", "zbd/**_anim.zbd", Within(PASSES, 1, 0x7FFF), 530),
    ("cs-3-lights", "zbd/**_anim.zbd", Values(events!("payload/light_type"), ALL, 1), 1_468),
    ("cs-3-lights-on", "zbd/**_anim.zbd", With(events!("payload"), LIGHT_ON), 1_147),
    ("cs-3-lights-off", "zbd/**_anim.zbd", With(events!("payload"), LIGHT_OFF), 321),
    ("cs-3-event-46-start", "zbd/**_anim.zbd", With(EVENTS, &[("event_type", Is::Number(46)), ("start_time", Is::Number(0))]), 3),
    ("cs-3-fog", "zbd/c1/m04/mis_anim.zbd", Values(&["/definitions/*/reset_sequence/events/*/event_type"], ALL, 28), 1),
    ("cs-3-fog-name", "zbd/c1/m04/mis_anim.zbd", Texts(&["/definitions/*/reset_sequence/events/*/payload/name"], &["drop_fog"]), 1),
    ("cs-3-fog-low", "zbd/c1/m04/mis_anim.zbd", Values(events!("payload/altitude/*"), ALL, bits(10_000.0)), 1),
    ("cs-3-fog-high", "zbd/c1/m04/mis_anim.zbd", Values(events!("payload/altitude/*"), ALL, bits(11_000.0)), 1),
    ("cs-3-fog-animation", "zbd/c1/m04/mis_anim.zbd", With(&["/definitions/*"], &[("anim_name", Is::Text("mission_intro_animation"))]), 1),
    // 2000-08-26 08:11:17 to 08:48:20, and 08:00:56 to 08:06:58, in seconds since 1970.
    ("cs-3-base-first", "zbd/**_anim.zbd", Lowest(&["/bases/*/time"]), 967_277_477),
    ("cs-3-base-last", "zbd/**_anim.zbd", Highest(&["/bases/*/time"]), 967_279_700),
    ("cs-3-source-first", "zbd/**_anim.zbd", Lowest(&["/sources/*/time"]), 967_276_856),
    ("cs-3-source-last", "zbd/**_anim.zbd", Highest(&["/sources/*/time"]), 967_277_218),
    ("cs-3-source-times", "zbd/**_anim.zbd", Different(&["/sources/*/time"]), 39),
    ("cs-3-addresses", "zbd/**_anim.zbd", Addresses(0x01FA_DCF8, 0x04F7_FE60), 0),
    ("cs-4-comments", "zbd/**.zbd", Deviations("/entries/*/comment"), 0),
    ("cs-4-soundsh-names", "zbd/soundsh.zbd", DifferentTexts(ENTRIES, &["*"]), 2_477),
    ("cs-4-soundsh-folded", "zbd/soundsh.zbd", FoldedTexts(ENTRIES), 2_476),
    ("cs-4-soundsl-names", "zbd/soundsl.zbd", DifferentTexts(ENTRIES, &["*"]), 2_476),
    ("cs-4-soundsl-folded", "zbd/soundsl.zbd", FoldedTexts(ENTRIES), 2_475),
    ("cs-4-flags-train", "zbd/soundsl.zbd", With(&["/entries/*"], &[("name", Is::Text("train2.wav")), ("flags", Is::Number(2))]), 1),
    ("cs-4-flags-pilot", "zbd/soundsl.zbd", With(&["/entries/*"], &[("name", Is::Text("pilot_eject1.wav")), ("flags", Is::Number(2))]), 1),
    ("cs-4-flags-ima", "zbd/soundsl.zbd", Within(&["/entries/*/flags"], 29_688_754, 30_092_802), 555),
    ("cs-4-flags-ima-high", "zbd/soundsl.zbd", Highest(&["/entries/*/flags"]), 30_092_802),
    ("cs-4-readers-first", "zbd/**zrdr.zbd", Lowest(&["/entries/*/time"]), 126_117_504_540_000_000),
    ("cs-4-readers-last", "zbd/**zrdr.zbd", Highest(&["/entries/*/time"]), 126_117_508_180_000_000),
    ("cs-4-readers-times", "zbd/**zrdr.zbd", Different(&["/entries/*/time"]), 42),
    ("cs-4-players", "zbd/zrdr.zbd", Texts(&["/entries/22/name", "/entries/100/name"], &["player.zrd"]), 2),
    ("cs-4-detail-index", "zbd/zrdr.zbd", Texts(&["/entries/5/name"], &["detail.zrd"]), 1),
    ("cs-4-detail-start", "zbd/zrdr.zbd", EntryStart("detail.zrd"), 212_450),
    ("cs-4-objectives-start", "zbd/c3/m05/zrdr.zbd", EntryStart("objectives.zrd"), 15_718),
    ("cs-4-soils", "zbd/zrdr.zbd", Words(0xE_631C, SOILS), 8),
    ("cs-6-roots", "gosdata/assets/crimson.rof", Texts(&["/names/*/name"], &["ASSETS"]), 1),
    ("cs-6-root", "gosdata/assets/crimson.rof", Records(&["/records"]), 1),
    ("cs-6-directories", "gosdata/assets/crimson.rof", Values(ROF_FLAGS, 1, 1), 21),
    ("cs-6-compressed-flags", "gosdata/assets/crimson.rof", Values(ROF_FLAGS, 3, 2), 418),
    ("cs-6-raw", "gosdata/assets/crimson.rof", Values(ROF_FLAGS, 3, 0), 428),
    ("cs-6-stored", "gosdata/assets/crimson.rof", Sum(&["/records/*/stored_size", "*:/records/*/stored_size"]), 60_198_862),
    ("cs-6-decoded", "gosdata/assets/crimson.rof", Sum(&["/records/*/decoded_size", "*:/records/*/decoded_size"]), 96_063_812),
    ("cs-6-root-name", "gosdata/assets/crimson.rof", Deviations("/names/*/name"), 0),
    ("cs-6-names", "gosdata/assets/crimson.rof", Deviations("*:/names/*/name"), 0),
    ("cs-6-name-offsets", "gosdata/assets/crimson.rof", Deviations("*:/records/*/name_offset"), 0),
    ("cs-6-streams", "gosdata/assets/crimson.rof", Values(&["*:/stream"], 0xFFFF, 0x0178), 418),
    ("cs-6-patch-stored", "gosdata/assets/crimptch.rof", EntryBytes("*/AIRFRAME.SCRIPT"), 670),
    ("cs-6-patch-decoded", "gosdata/assets/crimptch.rof", DecodedBytes("*/AIRFRAME.SCRIPT"), 1_641),
    ("cs-6-font-twin", "gosdata/assets/graphics/font.tga", Twin("gosdata/assets/crimson.rof", "*/FONT.TGA"), 1),
    ("cs-6-arial-twin", "gosdata/assets/graphics/arial8.tga", Twin("gosdata/assets/crimson.rof", "*/ARIAL8.TGA"), 1),
    ("cs-7-words", "zbd/interp.zbd", Sum(&["*:/lines/*/tokens"]), 11_189),
    ("cs-7-first-words", "zbd/interp.zbd", DifferentTexts(LINES, &["*"]), 85),
    ("cs-7-find-node", "zbd/interp.zbd", Texts(LINES, &["FindNode"]), 1_549),
    ("cs-7-node-set-active", "zbd/interp.zbd", Texts(LINES, &["NodeSetActive"]), 1_171),
    ("cs-7-load-game-gen", "zbd/interp.zbd", Texts(LINES, &["LoadGameGen"]), 564),
    ("cs-7-strings", "strings.dll", Values(STRINGS, 0, 0), 1_792),
    ("cs-7-strings-set", "strings.dll", Others(STRINGS, ALL, 0), 1_023),
    ("cs-7-strings-first", "strings.dll", FirstString, 96),
    ("cs-7-strings-last", "strings.dll", LastString, 17_151),
    ("cs-7-langui", "gosdata/assets/binaries/langui.dll", Values(STRINGS, 0, 0), 1_616),
    ("cs-7-langui-set", "gosdata/assets/binaries/langui.dll", Others(STRINGS, ALL, 0), 1_247),
    ("cs-7-langui-first", "gosdata/assets/binaries/langui.dll", FirstString, 0),
    ("cs-7-langui-last", "gosdata/assets/binaries/langui.dll", LastString, 40_175),
    ("cs-7-language", "gosdata/assets/binaries/language.dll", Values(STRINGS, 0, 0), 48),
    ("cs-7-language-set", "gosdata/assets/binaries/language.dll", Others(STRINGS, ALL, 0), 36),
    ("cs-8-persist", "**/persist.*", OtherSizes(&[320, 472]), 0),
    ("cs-8-status", "**/status.dat", OtherSizes(&[12_732]), 0),
    ("cs-8-autosave", "**/autosave.sav", OtherSizes(&[11_136]), 0),
    ("cs-8-plane", "**/planes/*", OtherSizes(&[204]), 0),
    ("cs-8-persist-mask", "**/persist.*", Others(&["*:/categories"], ALL, 1), 0),
    ("cs-8-status-mask", "**/status.dat", Others(&["*:/categories"], ALL, 2), 0),
    ("cs-8-autosave-mask", "**/autosave.sav", Others(&["*:/categories"], ALL, 0x1_0000), 0),
    ("cs-8-mission-mask", "**/mission.*", Others(&["*:/categories"], ALL, 0x2_0000), 0),
    ("cs-8-activations", "**/mission.*", OtherEntrySizes("AnimActivation/*", &[88, 328, 568, 628, 700]), 0),
    ("cs-8-turrets", "**/mission.*", OtherEntrySizes("TurretList/*", &[280]), 0),
    ("cs-8-vehicles", "**/mission.*", OtherEntrySizes("VehicleList/*", &[408]), 0),
];

/// The members of `crimson.rof` by name.
#[rustfmt::skip]
const MEMBERS: &[(&str, Fact, u64)] = &[
    ("binaries", EntryBytes("ASSETS/BINARIES"), 8), ("films", EntryBytes("ASSETS/GRAPHICS/MPG"), 8),
    ("script-stored", EntryBytes("*/AIRFRAME.SCRIPT"), 703), ("script-decoded", DecodedBytes("*/AIRFRAME.SCRIPT"), 1_813),
    ("icon-stored", EntryBytes("*/PX_ICON_1_9_3.TGA"), 6_045), ("icon-decoded", DecodedBytes("*/PX_ICON_1_9_3.TGA"), 479_764),
    ("layout-start", EntryStart("*/LAYOUT.CSV"), 37_359), ("layout-stored", EntryBytes("*/LAYOUT.CSV"), 15_078),
    ("layout-bytes", DecodedBytes("*/LAYOUT.CSV"), 56_148), ("layout-sha", DecodedSha("*/LAYOUT.CSV"), 0xB50E_A48B),
    ("scrapbook-start", EntryStart("*/SCRAPBOOK.CSV"), 52_437), ("scrapbook-stored", EntryBytes("*/SCRAPBOOK.CSV"), 7_639),
    ("scrapbook-bytes", DecodedBytes("*/SCRAPBOOK.CSV"), 35_154), ("scrapbook-sha", DecodedSha("*/SCRAPBOOK.CSV"), 0x28B5_144C),
    ("resource-bytes", DecodedBytes("*/RESOURCE.H"), 29_579), ("resource-sha", DecodedSha("*/RESOURCE.H"), 0x61EC_2327),
    ("resrc1-bytes", DecodedBytes("*/RESRC1.H"), 8_922), ("resrc1-sha", DecodedSha("*/RESRC1.H"), 0x5D9C_896D),
    ("debuginfo-bytes", DecodedBytes("*/DEBUGINFO.TXT"), 20_505), ("debuginfo-sha", DecodedSha("*/DEBUGINFO.TXT"), 0x8CED_CC3D),
];

/// Returns the statements that are counted by type, value or folder.
pub(super) fn counted() -> Vec<Statement> {
    let mut all = Vec::new();
    let mut state = |id: String, files: &str, fact, expected| {
        all.push(of(Game::CrimsonSkies, "", &(&id, files, fact, expected)));
    };
    for (kind, count) in EVENT_COUNTS {
        let fact = Values(events!("event_type"), ALL, kind.into());
        state(format!("cs-3-events-{kind}"), "zbd/**_anim.zbd", fact, count.into());
    }
    for (condition, count) in CONDITIONS {
        let fact = Values(events!("payload/condition"), ALL, condition);
        state(format!("cs-3-condition-{condition:x}"), "zbd/**_anim.zbd", fact, count);
    }
    for soil in [2, 3, 4, 6, 7, 9, 10] {
        let fact = Values(&["/materials/slots/*/soil"], ALL, soil);
        state(format!("cs-2-soil-{soil}"), "zbd/**.zbd", fact, 0);
    }
    for (word, count) in [(0, 34_820), (1, 168), (2, 294), (3, 366), (4, 648), (7, 576), (8, 132)] {
        state(format!("cs-5-word-{word}"), "zbd/**.zbd", Values(&["*:/addressing"], ALL, word), count);
    }
    for (flag, count) in [(0x0400, 52_621), (0x1000, 54_100), (0x2000, 22_124), (0x4000, 240)] {
        let fact = Values(&["/models/slots/*/polygons/*/flags"], flag, flag);
        state(format!("cs-2-polygon-{flag:04x}"), "zbd/**.zbd", fact, count);
    }
    for (flags, count) in [(40, 31_548), (32, 20_063)] {
        let fact = Values(&["/nodes/slots/*/object/flags"], ALL, flags);
        state(format!("cs-2-objects-{flags}"), "zbd/**.zbd", fact, count);
    }
    for (id, fact, expected) in MEMBERS {
        state(format!("cs-6-{id}"), "gosdata/assets/crimson.rof", *fact, *expected);
    }
    let missions: [(&str, &[u8]); 8] = [
        ("c1", &[2, 4, 5]),
        ("c1b", &[3]),
        ("c1c", &[1]),
        ("c2", &[1, 2, 3, 5]),
        ("c2b", &[4]),
        ("c3", &[1, 2, 3, 4, 5]),
        ("c4", &[1, 2, 3, 4, 5]),
        ("c5", &[1, 2, 3, 4]),
    ];
    for (group, missions) in missions {
        state(format!("cs-1-{group}-missions"), &format!("zbd/{group}/m0*/mis_anim.zbd"), Files, missions.len() as u64);
        for mission in missions {
            state(format!("cs-1-{group}-m0{mission}"), &format!("zbd/{group}/m0{mission}/mis_anim.zbd"), Files, 1);
        }
    }
    all
}
