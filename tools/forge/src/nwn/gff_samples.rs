//! Ordinary trees of fields, and files with traps. Source: nwn-gff.md, sections 3 and 8.

use super::gff::{Spec, Struct, Value, build, localized, resref, string, void};
use super::sample;
use crate::random::Random;
use crate::sample::{LIES, cuts};
use crate::{Broken, Sample, Size};

const LABELS: [&str; 8] =
    ["Tag", "TemplateResRef", "Appearance", "XPosition", "YPosition", "Bearing", "Commandable", "HP"];

fn float(value: f32) -> Value {
    Value::Word(8, value.to_bits())
}

/// Returns a struct of some fields of all usual types.
fn item(random: &mut Random, at: usize) -> Struct {
    let tag = format!("item_{at}");
    let mut fields = vec![
        ("TemplateResRef", resref(tag.as_bytes())),
        ("LocalizedName", localized(5000 + at as u32, &[(0, b"A thing"), (4, "Ein Ding für alle".as_bytes())])),
        ("Tag", string(tag.as_bytes())),
        ("XPosition", float(random.real(0.0, 80.0))),
        ("Cost", Value::Word(4, random.below(90_000))),
        ("Plot", Value::Word(0, random.below(2))),
    ];
    if random.below(3) == 0 {
        let inner =
            Struct { id: 0, fields: vec![("PropertyName", Value::Word(2, 15)), ("Subtype", Value::Word(2, 3))] };
        fields.push(("PropertiesList", Value::List(vec![inner.clone(), inner])));
    }
    Struct { id: at as i32, fields }
}

/// Returns a file as the game writes it.
pub fn ordinary(random: &mut Random, kind: &[u8; 4], size: Size) -> Spec {
    let items = match size {
        Size::Tiny => 1,
        Size::Small => 24,
        // 3,033 structs and more than 14,000 fields below 300 KB. Source: nwn-gff.md, section 6.
        Size::Retail => 1820,
    };
    let list = (0..items).map(|at| item(random, at)).collect();
    let fields = vec![
        ("FirstName", localized(u32::MAX, &[(0, b"Boar")])),
        ("Str", Value::Word(0, 14)),
        ("fortbonus", Value::Word(3, 0xFFFF_FFFE)),
        ("ChallengeRating", float(0.1)),
        ("Mod_ID", void(&[0xFF, 0, 0x80, 7])),
        ("ItemList", Value::List(list)),
        ("Combat", Value::Struct(Struct { id: 51_882, fields: vec![("NumAttacks", Value::Word(0, 2))] })),
        ("Comment", string(b"line\nand another")),
    ];
    Spec::new(kind, fields)
}

/// A change of a file, its name, what it is, and whether it must be reported.
type Trap = (&'static str, &'static str, bool, fn(&mut Spec));

fn add(spec: &mut Spec, fields: Vec<(&'static str, Value)>) {
    spec.root.fields.extend(fields);
}

const TRAPS: &[Trap] = &[
    ("gff_order.utc", "fields in no alphabetic order", false, |spec| spec.root.fields.reverse()),
    ("gff_same_label.utc", "two fields of a struct with the same label", true, |spec| {
        add(spec, vec![("Comment", string(b"again")), ("Comment", string(b"line\nand another"))]);
    }),
    ("gff_empty_references.utc", "empty references, strings and texts", false, |spec| {
        add(spec, vec![("Conversation", resref(b"")), ("Deity", string(b"")), ("LastName", localized(u32::MAX, &[]))]);
    }),
    ("gff_strref_only.utc", "a localized string without texts", false, |spec| {
        add(spec, vec![("LastName", localized(12_345, &[]))]);
    }),
    ("gff_floats.git", "-0.0, denormals, infinities and NaN with payloads", false, |spec| {
        let bits = [0x8000_0000, 1, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0001, 0x7F80_0001, 0x3DCC_CCCD, 0x7F7F_FFFF];
        spec.root.fields.extend(LABELS.into_iter().zip(bits.map(|bits| Value::Word(8, bits))));
    }),
    ("gff_numbers.uti", "the limits of all integers", false, |spec| {
        add(
            spec,
            vec![
                ("A", Value::Word(0, 0xFF)),
                ("B", Value::Word(1, 0xFFFF_FF80)),
                ("C", Value::Word(1, 0x7F)),
                ("D", Value::Word(2, 0xFFFF)),
                ("E", Value::Word(3, 0xFFFF_8000)),
                ("RangeDefect", Value::Word(4, u32::MAX)),
                ("G", Value::Word(5, 0x8000_0000)),
                ("H", Value::Data(6, u64::MAX.to_le_bytes().into())),
                ("I", Value::Data(7, i64::MIN.to_le_bytes().into())),
                ("J", Value::Data(6, 7_u64.to_le_bytes().into())),
                ("K", Value::Data(9, 0.1_f64.to_le_bytes().into())),
                ("L", Value::Data(9, 0.5_f64.to_le_bytes().into())),
                ("M", Value::Data(9, f64::NAN.to_le_bytes().into())),
            ],
        );
    }),
    ("gff_upper_bits.uti", "bits before a small number that are not its sign", true, |spec| {
        add(spec, vec![("A", Value::Word(0, 0x100)), ("B", Value::Word(1, 0xFF)), ("C", Value::Word(3, 0x1_8000))]);
    }),
    ("gff_void.ifo", "raw data of any bytes, and none", false, |spec| {
        add(spec, vec![("A", void(&[0xFF; 16])), ("B", void(&[0; 16])), ("C", void(&[])), ("D", void(&[7]))]);
    }),
    ("gff_empty_lists.dlg", "empty lists, and empty structs in lists", false, |spec| {
        let empty = Struct { id: 2, fields: vec![] };
        add(
            spec,
            vec![
                ("A", Value::List(vec![])),
                ("B", Value::List(vec![empty.clone(), empty])),
                ("C", Value::List(vec![])),
            ],
        );
    }),
    ("gff_struct_none.utc", "an empty struct with index 0, as some programs write it", true, |spec| {
        add(spec, vec![("Empty", Value::Struct(Struct { id: 0, fields: vec![] }))]);
        spec.none = 0;
    }),
    ("gff_root_id.utc", "a root with id 0", true, |spec| spec.root.id = 0),
    ("gff_languages.utp", "languages in no order, unknown ones, and texts in their code pages", false, |spec| {
        let texts: [(u32, &[u8]); 8] = [
            (10, b"\x8Cwi\xEAto \xB3"),
            (0, b"Caf\xE9 \x81\x8D"),
            (256, b"\xC7\xD1"),
            (262, b"\x93\xFA\x96{"),
            (1, b""),
            (8, b"<c\xFE\x01\x01>color</c>"),
            (u32::MAX, b"?"),
            (77, b"x"),
        ];
        add(spec, vec![("Description", localized(3, &texts))]);
    }),
    ("gff_bad_text.utp", "texts that are not of the code page of their language", false, |spec| {
        add(spec, vec![("Description", localized(3, &[(262, b"\x81"), (260, b"\xFF\xFF")]))]);
    }),
    ("gff_same_language.utp", "a localized string with one language twice", false, |spec| {
        add(spec, vec![("Description", localized(3, &[(0, b"one"), (0, b"two")]))]);
    }),
    ("gff_labels.gff", "labels with spaces and signs, one of 16 characters, one that is not text", false, |spec| {
        add(
            spec,
            vec![
                ("Creature List", Value::List(vec![])),
                ("a#b", Value::Word(0, 1)),
                ("#", Value::Word(0, 1)),
                ("__struct_id", Value::Word(0, 1)),
                ("Sixteen_letters_", Value::Word(0, 1)),
                ("a/b~c", Value::Word(0, 1)),
                ("\u{e9}", Value::Word(0, 1)),
                ("", Value::Word(0, 1)),
                ("a\0b", Value::Word(0, 1)),
            ],
        );
    }),
    ("gff_long_resref.utc", "a reference of more than 16 characters", true, |spec| {
        add(spec, vec![("Portrait", resref(b"a_name_of_neverwinter_nights_2"))]);
    }),
    ("gff_sister_types.utc", "types of the sister games", false, |spec| {
        add(
            spec,
            vec![
                ("Orientation", Value::Data(16, (0..16).collect())),
                ("Position", Value::Data(17, vec![1; 12])),
                ("Ref", Value::Data(18, vec![2; 8])),
            ],
        );
    }),
    ("gff_packed.git", "words left behind that were removed below 1%", false, |spec| {
        spec.packed = Some(true);
    }),
    ("gff_not_packed.git", "words left behind that stay above 1%", false, |spec| {
        spec.packed = Some(false);
    }),
    ("gff_lists_last.git", "lists numbered after what is below them", false, |spec| spec.lists_last = true),
    ("gff_double_labels.uti", "a table of labels with doubles and unused ones", true, |spec| {
        spec.unused_labels = vec!["Tag", "Unused", "Tag"];
    }),
    ("gff_unowned.utt", "data that no field owns", false, |spec| spec.unowned = vec![0xAB, 0xCD, 0, 1]),
    ("gff_shared.dlg", "empty strings that share their data, and data that no field owns", true, |spec| {
        let speaker = || Struct { id: 0, fields: vec![("Speaker", string(b"")), ("Quest", string(b""))] };
        add(
            spec,
            vec![
                ("Sound", string(b"")),
                ("EntryList", Value::List(vec![speaker(), speaker()])),
                ("Last", string(b"not empty")),
            ],
        );
        spec.shares_empty = true;
        spec.unowned = vec![7; 61];
    }),
    ("gff_tail.utc", "bytes after the last section", true, |spec| spec.tail = vec![1, 2, 3]),
    ("gff_short.utc", "a file without its last byte", true, |spec| {
        add(spec, vec![("Last", Value::List(vec![]))]);
        spec.is_short = true;
    }),
    ("gff_deep.dlg", "structs nested deep", false, |spec| {
        let mut inner = Struct { id: 1, fields: vec![] };
        for _ in 0..30 {
            inner = Struct { id: 1, fields: vec![("S", Value::Struct(inner))] };
        }
        add(spec, vec![("Deep", Value::Struct(inner))]);
    }),
];

/// Returns trees of a size class.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let plain = |name: &str, kind: &[u8; 4]| {
        sample(name, "gff", build(&ordinary(&mut Random::named(seed, name), kind, size)), None)
    };
    let mut samples = vec![plain("boar.utc", b"UTC "), plain("area.git", b"GIT "), plain("module.ifo", b"IFO ")];
    samples.extend(TRAPS.iter().map(|&(name, words, deviates, edit)| {
        let mut spec = ordinary(&mut Random::named(seed, name), b"UTC ", size.of_traps());
        edit(&mut spec);
        sample(name, "gff", build(&spec), Some((words, deviates)))
    }));
    samples
}

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let file = build(&ordinary(&mut Random::named(seed, "broken.utc"), b"UTC ", Size::Tiny));
    let mut broken = cuts(
        "gff",
        "utc",
        &file,
        &[
            (20, "in the header of fields"),
            (60, "in the structs of fields"),
            (file.len() - 2, "in the indices of fields"),
        ],
    );
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("4 bytes")) as usize;
    let (fields, lists) = (word(16), word(48));
    let mut patch = |name: &str, why: &str, at: usize, value: u32| {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        broken.push(Broken::new("gff", &format!("gff_{name}.utc"), file, why));
    };
    for lie in LIES {
        patch(&format!("structs_{lie:08x}"), "more structs than the file has room for", 12, lie);
        patch(&format!("label_{lie:08x}"), "a label that is not in the table", fields + 4, lie);
        patch(&format!("data_{lie:08x}"), "data outside its section", fields + 8, lie);
        patch(&format!("count_{lie:08x}"), "more fields than there are indices", 56 + 8, lie);
        patch(&format!("list_{lie:08x}"), "a longer list than there are indices", lists, lie);
    }
    patch("type", "a type of unknown size", fields, 77);
    patch("indices", "indices whose size is no multiple of 4", 52, 6);
    patch("root", "a list that contains the root", lists + 4, 0);
    patch("offset", "sections with a gap between them", 16, fields as u32 + 4);
    patch("version", "another version", 4, u32::from_le_bytes(*b"V4.0"));
    // The last two fields: a string that begins inside the data of another one.
    let mut file = build(&Spec::new(b"UTC ", vec![("A", string(&[0; 8])), ("B", string(b""))]));
    let fields = u32::from_le_bytes(file[16..20].try_into().expect("4 bytes")) as usize;
    file[fields + 20] = 4;
    broken.push(Broken::new("gff", "gff_overlap.utc", file, "data that begin inside those of another field"));
    let shared = [vec![("A", string(&[b'x'; 900]))], vec![("A", Value::Word(10, 0)); 20]].concat();
    let file = build(&Spec::new(b"UTC ", shared));
    broken.push(Broken::new(
        "gff",
        "gff_shared_by_many.utc",
        file,
        "data that many fields share, each of which shows them",
    ));
    broken
}
