//! Files of Neverwinter Nights.

use super::TrueSize;
use crate::Size;
use crate::bytes::Bytes;
use crate::mdl::{self, Body, Mesh, Node, Profile, Shape};
use crate::nwn::gff::{self, Struct, Value, localized, resref, string};
use crate::nwn::resource_samples::resources;
use crate::nwn::resources::{Bif, Erf, Key, Resource, build_bif, build_erf, build_key, resource};
use crate::nwn::small::{ltr, plt, ssf};
use crate::nwn::tables::{Text, Tlk, tlk};
use crate::random::Random;

pub(super) const FILES: &[TrueSize] = &[
    TrueSize {
        name: "chitin.key",
        kind: "key",
        counts: "43,871 keys, 26 BIFs with their true numbers of keys",
        source: "nwn-installs.md, section 1",
        make: |_| chitin(),
    },
    TrueSize {
        name: "xp3.bif",
        kind: "bif",
        counts: "12,579 resources",
        source: "nwn-installs.md, section 1",
        make: |random| {
            let resources = many(random, 12_579).into_iter().map(|it| (u32::from(it.kind), it.data)).collect();
            build_bif(&Bif { is_enhanced: false, repeats: false, resources, trailing: vec![], lies: vec![] })
        },
    },
    TrueSize {
        name: "xp1_templates.hak",
        kind: "erf",
        counts: "3,736 resources, as many as xp1_templates.bif",
        source: "nwn-installs.md, section 1",
        make: |random| build_erf(&Erf::new(b"HAK ", many(random, 3736))),
    },
    TrueSize {
        name: "dialog.dlg",
        kind: "gff",
        counts: "3,044 structs, 14,098 fields",
        source: "nwn-gff.md, section 6",
        make: |_| conversation(),
    },
    TrueSize {
        name: "dialog.tlk",
        kind: "tlk",
        counts: "44,001 entries, 1,709 of them used",
        source: "nwn-tlk.md, introduction",
        make: |_| {
            let entry = |at: usize| match (at + 1) * 1709 / 44_001 - at * 1709 / 44_001 {
                0 => Text::default(),
                _ => Text { flags: 1, text: format!("Text {at}\nin two lines").into(), ..Text::default() },
            };
            tlk(&Tlk { entries: (0..44_001).map(entry).collect(), ..Tlk::default() })
        },
    },
    TrueSize {
        name: "appearance.2da",
        kind: "2da",
        counts: "4,819 rows whose labels are not their numbers, and 34 columns; the rows of the largest file are not stated",
        source: "nwn-2da.md, section 1",
        make: |_| table(4819, 34),
    },
    TrueSize {
        name: "sister.2da",
        kind: "binary-2da",
        counts: "729 rows",
        source: "nwn-2da.md, section 4",
        make: |_| binary_table(729, 12),
    },
    TrueSize {
        name: "c_boar.ssf",
        kind: "ssf",
        counts: "49 sounds",
        source: "nwn-ssf.md, introduction",
        make: |_| ssf(49, &(0..49).collect::<Vec<_>>(), &[0; 24]),
    },
    TrueSize {
        name: "pmh0_chest017.plt",
        kind: "plt",
        counts: "256 by 256 pixels, 10 layers",
        source: "nwn-other.md, section 2",
        make: |random| plt(random, 256, 256, 10),
    },
    TrueSize {
        name: "elff.ltr",
        kind: "ltr",
        counts: "26 letters, 54,834 numbers",
        source: "nwn-other.md, section 4",
        make: |_| ltr(26),
    },
    TrueSize {
        name: "largest.ncs",
        kind: "ncs",
        counts: "84,627 instructions, 535,879 bytes",
        source: "nwn-ncs.md, introduction",
        make: |_| script(84_627, 535_879),
    },
    TrueSize {
        name: "c_boar.mdl",
        kind: "mdl",
        counts: "4,560 nodes and 151 animations; the most in real files are 4,558 and 154",
        source: "nwn-mdl.md, section 9",
        make: creature,
    },
    TrueSize {
        name: "plc_hand.mdl",
        kind: "text-model",
        counts: "1,006 vertices, 1,250 faces, 90 nodes",
        source: "nwn-mdl.md, section 9",
        make: |_| text_model(),
    },
    TrueSize {
        name: "tde01.set",
        kind: "set",
        counts: "427 tiles, as many as resources in the BIF of a tileset",
        source: "nwn-installs.md, section 1",
        make: |_| tileset(427),
    },
];

fn chitin() -> Vec<u8> {
    const BIFS: [(&str, u32, u32); 26] = [
        ("2da", 379, 2_115_713),
        ("aurora_gui", 2718, 72_250_447),
        ("aurora_tcn", 771, 33_948_746),
        ("aurora_tdc", 437, 15_142_645),
        ("aurora_tde", 427, 16_035_541),
        ("aurora_tdm", 570, 18_504_549),
        ("aurora_tds", 457, 18_148_437),
        ("aurora_tic", 494, 17_353_789),
        ("aurora_tin", 762, 29_256_352),
        ("aurora_tms", 36, 625_214),
        ("aurora_ttf", 439, 14_337_275),
        ("aurora_ttr", 644, 18_561_957),
        ("editor", 9, 393_961),
        ("ini", 80, 281_185),
        ("loadscreens", 157, 60_351_769),
        ("misc", 1, 115),
        ("models_01", 1186, 72_343_110),
        ("models_02", 11_112, 82_484_368),
        ("music", 16, 17_545_032),
        ("scripts", 2744, 10_043_061),
        ("sounds", 1370, 39_783_704),
        ("templates", 2952, 13_331_657),
        ("textures_01", 4325, 63_052_761),
        ("textures_02", 5366, 242_498_709),
        ("voicesets", 4807, 208_436_357),
        ("convo", 1612, 167_345_518),
    ];
    let files = BIFS.iter().map(|(name, _, size)| (format!("data\\{name}.bif\0").into_bytes(), *size)).collect();
    let keys = (0..).zip(BIFS).flat_map(|(bif, (_, count, _))| {
        (0..count).map(move |nth| {
            let name = format!("resource{bif:02}{nth:05}").into_bytes();
            (name.into(), [2017, 2002, 2027, 3][nth as usize % 4], bif << 20 | nth)
        })
    });
    build_key(&Key {
        is_enhanced: false,
        leftover: [0; 32],
        files,
        keys: keys.collect(),
        gap: vec![],
        trailing: vec![],
        lies: vec![],
    })
}

/// Returns this many resources: the same few, under new names.
fn many(random: &mut Random, count: usize) -> Vec<Resource> {
    let few = resources(random, Size::Small);
    let again =
        |at: usize| resource(format!("resource{at:05}"), few[at % few.len()].kind, few[at % few.len()].data.clone());
    (0..count).map(again).collect()
}

fn conversation() -> Vec<u8> {
    let inner = |at: usize| Struct {
        id: at as i32,
        fields: vec![("Index", Value::Word(4, at as u32)), ("Active", resref(b"")), ("IsChild", Value::Word(0, 0))],
    };
    let entry = |at: usize| {
        let mut fields = vec![
            ("Speaker", string(b"")),
            ("Animation", Value::Word(4, 0)),
            ("Text", localized(u32::MAX, &[(0, format!("Line {at}").as_bytes())])),
            ("Delay", Value::Word(4, u32::MAX)),
            ("Script", resref(b"at_script")),
            ("Quest", string(b"")),
            ("RepliesList", Value::List(vec![inner(0), inner(1)])),
        ];
        if at < 907 {
            fields.push(("Comment", string(b"")));
        }
        Struct { id: at as i32, fields }
    };
    // Nine fields and two structs beside those of the entries.
    let root = vec![
        ("DelayEntry", Value::Word(4, 0)),
        ("DelayReply", Value::Word(4, 0)),
        ("NumWords", Value::Word(4, 9000)),
        ("EndConversation", resref(b"nw_walk_wp")),
        ("EndConverAbort", resref(b"nw_walk_wp")),
        ("PreventZoomIn", Value::Word(0, 0)),
        ("EntryList", Value::List((0..1014).map(entry).collect())),
        ("Start", Value::Struct(Struct { id: 0, fields: vec![("Index", Value::Word(4, 0))] })),
    ];
    gff::build(&gff::Spec::new(b"DLG ", root))
}

fn table(rows: usize, columns: usize) -> Vec<u8> {
    let mut text = "2DA V2.0\r\n\r\n   ".to_owned();
    (0..columns).for_each(|column| text += &format!(" Column{column:02}"));
    text += "\r\n";
    for row in 0..rows {
        text += &format!("{:<6}", row + 1);
        for column in 0..columns {
            text += match (row + column) % 3 {
                0 => " ****",
                1 => " 0.50",
                _ => " c_boar",
            };
        }
        text += "\r\n";
    }
    text.into_bytes()
}

fn binary_table(rows: usize, columns: usize) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"2DA V2.b\n");
    (0..columns).for_each(|column| _ = out.raw(format!("column{column}\t").as_bytes()));
    out.u8(0).le_u32(rows as u32);
    (0..rows).for_each(|row| _ = out.raw(format!("{row}\t").as_bytes()));
    // The cells share their texts: 100 of three bytes each.
    (0..rows * columns).for_each(|cell| _ = out.le_u16((cell * 7 % 100 * 3) as u16));
    out.le_u16(300);
    (0..100).for_each(|text| _ = out.raw(format!("{text:02}\0").as_bytes()));
    out.finish()
}

/// Returns a script of this many instructions and bytes: functions of the same form, and instructions of two and eight bytes in the last.
fn script(instructions: usize, bytes: usize) -> Vec<u8> {
    // Push an integer, jump over a call, call, drop the stack, return.
    const FUNCTION: &[&[u8]] = &[
        &[0x02, 0x03],
        &[0x04, 0x03, 0, 0, 0, 5],
        &[0x03, 0x01, 0xFF, 0xFF, 0xFF, 0xFC, 0, 4],
        &[0x1F, 0, 0, 0, 0, 12],
        &[0x04, 0x05, 0, 2, b'o', b'k'],
        &[0x05, 0, 0, 1, 1],
        &[0x04, 0x04, 0, 0, 0x80, 0x3F],
        &[0x1B, 0, 0xFF, 0xFF, 0xFF, 0xF8],
        &[0x26, 0x01, 0xFF, 0xFF, 0xFF, 0xF8, 0, 4],
        &[0x27, 0x01, 0xFF, 0xFF, 0xFF, 0xF8, 0, 4],
        &[0x20, 0],
    ];
    let function = FUNCTION.concat();
    // The head of 13 bytes, a call and a return.
    let (left, left_bytes) = (instructions - 2, bytes - 13 - 8);
    let fill = |functions: usize| {
        let short = left.checked_sub(functions * FUNCTION.len())?;
        let rest = left_bytes.checked_sub(functions * function.len())?;
        // Two bytes each, six more for some of them.
        let more = rest.checked_sub(2 * short)?;
        (more % 6 == 0 && more / 6 < short).then(|| (functions, more / 6, short - more / 6))
    };
    let (functions, long, short) = (0..left).rev().find_map(fill).expect("the numbers can be reached");
    let mut out = Bytes::new();
    out.raw(b"NCS V1.0\x42").be_u32(bytes as u32).raw(&[0x1E, 0, 0, 0, 0, 8, 0x20, 0]);
    (0..functions).for_each(|_| _ = out.raw(&function));
    (0..long).for_each(|_| _ = out.raw(FUNCTION[2]));
    (1..short).for_each(|_| _ = out.raw(&[0x2D, 0]));
    out.raw(&[0x20, 0]);
    out.finish()
}

fn creature(random: &mut Random) -> Vec<u8> {
    const NAMES: [&str; 6] = ["torso", "head", "lbicep", "rbicep", "lthigh", "rthigh"];
    let bones = (0..29).map(|at| {
        let mesh = if at % 7 == 0 { Mesh::sheet(Shape::Plain, 2) } else { Mesh::empty(Shape::Plain) };
        let body = if at % 2 == 0 { Body::Mesh(mesh) } else { Body::Dummy };
        mdl::placed(Node::new(NAMES[at % NAMES.len()], 0, body))
    });
    let bones = bones.collect();
    let animations = ["cwalkf", "ca1slashl", "cdamages", "cpause1", "ccastout"].repeat(31);
    let spec = mdl::model(random, (Profile::A, "c_boar", 4), bones, &animations[..151], Size::Tiny);
    mdl::build(&spec, Random::new(random.draw()))
}

fn text_model() -> Vec<u8> {
    let mut text =
        "# Exported from a tool\r\nnewmodel plc_hand\r\nsetsupermodel plc_hand NULL\r\nclassification character\r\n\
                    beginmodelgeom plc_hand\r\nnode dummy plc_hand\r\n  parent NULL\r\nendnode\r\n"
            .to_owned();
    text += "node trimesh mesh\r\n  parent plc_hand\r\n  bitmap hand\r\n  verts 1006\r\n";
    for at in 0..1006 {
        text += &format!("    {}.5 {}.25 1e-005\r\n", at % 37, at / 37);
    }
    text += "  faces 1250\r\n";
    for at in 0..1250 {
        text += &format!("    {} {} {} 1 0 0 0 1\r\n", at % 1004, at % 1004 + 1, at % 1004 + 2);
    }
    text += "endnode\r\n";
    for at in 2..90 {
        text += &format!("node dummy part{at}\r\n  parent plc_hand\r\n  position 0.0 -{at}.5 0.0\r\nendnode\r\n");
    }
    text += "endmodelgeom plc_hand\r\ndonemodel plc_hand\r\n";
    text.into_bytes()
}

fn tileset(tiles: usize) -> Vec<u8> {
    let mut text = format!(
        "[GENERAL]\r\nName=tde01\r\nType=SET\r\nVersion=V1.0\r\nInterior=1\r\n\r\n[TILES]\r\nCount={tiles}\r\n"
    );
    for at in 0..tiles {
        text += &format!(
            "[TILE{at}]\r\nModel=tde01_{at:03}\r\nWalkMesh=msb01\r\nTopLeft=floor\r\nTopLeftHeight=0\r\nDoors=1\r\n\r\n"
        );
        text += &format!("[TILE{at}DOOR0]\r\nType=1\r\nX=0.0\r\nY=5.0\r\nZ=0.0\r\nOrientation=180\r\n\r\n");
    }
    text.into_bytes()
}
