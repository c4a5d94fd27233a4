//! Ordinary DLLs of each game.

use super::resources::{Content, Leaf, Message, Messages, Resources, strings};
use super::traps::{STRINGS, TABLES};
use super::{Held, Key, Keys, Section, Spec, build};
use crate::random::Random;
use crate::sample::Trap;
use crate::{Sample, Size};

/// The purpose of a DLL. Source: zipper-messages.md, section 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `messages.dll`: a message table, 48 bytes before the keys.
    Recoil,
    /// `Mech3Msg.dll`: a message table, 16 zeros before the keys.
    MechWarrior,
    /// `strings.dll`: string blocks, a version, a resource of type 255; 48 bytes before the keys.
    CrimsonSkies,
    /// `langui.dll`: only string blocks, and no code.
    Interface,
    /// `language.dll`: string blocks, and code without keys.
    Language,
}

/// Characteristics of code, of writable data, of read-only data, of relocations.
const CODE: u32 = 0x6000_0020;
const DATA: u32 = 0xC000_0040;
const CONSTANTS: u32 = 0x4000_0040;
const RELOCATIONS: u32 = 0x4200_0040;

const WORDS: [&[u8]; 12] = [
    b"Mission",
    b"F\xFCr",
    b"%1!d! tons",
    b"\x93Hellbender\x94",
    b"Gel\xE4nde",
    b"Zur\xFCck\x85",
    b"d\xE9truit",
    b"insert the CD",
    b"%n",
    b"armor \x80",
    b"\r\n",
    b"Heat",
];

const STRING_WORDS: [&str; 6] = ["Zeppelin", "Löschen", "“Fortune Hunters”", "中", "%d €", "\r\n"];

/// Returns the text of a message.
fn text(random: &mut Random, most: u32) -> Vec<u8> {
    let words = random.below(most + 1);
    (0..words).map(|_| random.one_of(&WORDS)).collect::<Vec<_>>().join(&b' ')
}

/// Returns ascending ids, with gaps between some.
fn ids(random: &mut Random, count: u32, first: u32) -> Vec<u32> {
    let mut id = first;
    let mut step = |_| {
        id += 1 + if random.below(5) == 0 { random.below(90) } else { 0 };
        id
    };
    (0..count).map(&mut step).collect()
}

/// Returns the keys of some messages.
fn keys(random: &mut Random, lead: usize, ids: &[u32]) -> Keys {
    let parts: [&str; 5] = ["MECH", "PILOT", "NO", "OBJ", "WEAPON_"];
    let lead = if lead == 16 { vec![0; 16] } else { random.garbage(lead) };
    let mut key = |&id: &u32| {
        let words = 1 + random.below(3);
        let words: String = (0..words).map(|_| random.one_of(&parts)).collect();
        Key::new(format!("MSG_{words}{id}").as_bytes(), id)
    };
    let keys = ids.iter().map(&mut key).collect();
    Keys { lead, keys, tail: [b"left in the data section\0".to_vec(), random.garbage(21)].concat() }
}

/// Returns blocks of 16 strings that hold the strings of some ids.
fn string_blocks(random: &mut Random, ids: &[u32], code_page: u32) -> Vec<Leaf> {
    let language = 1033;
    let mut leaves = vec![];
    for of in ids.chunk_by(|one, next| one / 16 == next / 16) {
        let mut texts: Vec<Vec<u16>> = vec![vec![]; 16];
        for id in of {
            let words = 1 + random.below(3);
            let words: Vec<_> = (0..words).map(|_| random.one_of(&STRING_WORDS)).collect();
            texts[(id % 16) as usize] = words.join(" ").encode_utf16().collect();
        }
        let block = strings(texts.iter().map(Vec::as_slice));
        leaves.push(Leaf::new([6, of[0] / 16 + 1, language], code_page, Content::Raw(block)));
    }
    leaves
}

/// Returns a typical DLL.
pub fn ordinary(random: &mut Random, shape: Shape, size: Size) -> Spec {
    let (count, words) = match size {
        Size::Tiny => (3, 1),
        Size::Small => (40, 6),
        Size::Retail => (850, 14),
    };
    let first = random.below(900);
    let ids = ids(random, count, first);
    with_ids(random, shape, size, &ids, words)
}

/// Returns a DLL with messages or strings of these ids, of at most this many words.
pub fn with_ids(random: &mut Random, shape: Shape, size: Size, ids: &[u32], words: u32) -> Spec {
    let leaves = match shape {
        Shape::Recoil | Shape::MechWarrior => {
            let language = random.one_of(&[1031, 1033, 1036]);
            let messages = ids.iter().map(|&id| (id, Message::new(&text(random, words)))).collect();
            vec![Leaf::new([11, 1, language], 0, Content::Messages(Messages::new(messages)))]
        }
        Shape::CrimsonSkies => {
            let mut leaves = string_blocks(random, ids, 1252);
            let version = random.garbage(if size == Size::Tiny { 13 } else { 944 });
            leaves.push(Leaf::new([16, 1, 1033], 1252, Content::Raw(version)));
            leaves.push(Leaf::new([255, 1, 1033], 1252, Content::Raw(vec![9, 4, 0, 0])));
            leaves
        }
        Shape::Interface | Shape::Language => string_blocks(random, ids, 0),
    };
    let mut resources = Resources::new(leaves);
    resources.rest = vec![0; if shape == Shape::CrimsonSkies { 1 } else { 8 }];
    let resources = Section::new(b".rsrc", CONSTANTS, Held::Resources(resources));
    let relocations = Section::new(b".reloc", RELOCATIONS, Held::Relocations);
    let mut code = b"\xB8\x01\0\0\0\xC2\x0C\0".to_vec();
    code.extend(random.garbage(if size == Size::Tiny { 0 } else { 90 }));
    let code = Section::new(b".text", CODE, Held::Raw(code));
    let lead = if shape == Shape::MechWarrior { 16 } else { 48 };
    let mut spec = match shape {
        Shape::Interface => Spec::new(vec![resources, relocations]),
        Shape::Language => {
            let constants = Section::new(b".rdata", CONSTANTS, Held::Raw(vec![0x5A; 20]));
            let data = Section::new(b".data", DATA, Held::Raw(b"language\0".to_vec()));
            Spec::new(vec![code, constants, data, resources, relocations])
        }
        _ => {
            let export = if shape == Shape::CrimsonSkies { &b"ZLocGetStringID"[..] } else { b"ZLocGetID" };
            let constants = Section::new(b".rdata", CONSTANTS, Held::Export(export));
            let data = Section::new(b".data", DATA, Held::Keys(keys(random, lead, ids)));
            let all = vec![code, constants, data, resources, relocations];
            // The samples of the format spec have neither exports nor relocations.
            let plain = |section: &Section| matches!(section.content, Held::Keys(_) | Held::Resources(_));
            Spec::new(if size == Size::Tiny { all.into_iter().filter(plain).collect() } else { all })
        }
    };
    spec.time = 0x3600_0000 + random.below(0x0100_0000);
    if size == Size::Tiny {
        spec.file_alignment = 16;
    } else {
        let message = b"\x0E\x1F\xBA\x0E\0\xB4\x09\xCD!\xB8\x01L\xCD!This program cannot be run in DOS mode.\r\r\n$";
        spec.stub = message.to_vec();
        spec.stub.resize(64, 0);
        // The linker's record of its tools, with every word masked by the same value.
        let words = [0x536E_6144, 0, 0, 0, 0x000A_1FE8, 7, 0x0006_1F6F, 1].map(|word: u32| word ^ 0x3A5C_71E9);
        spec.stub.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        spec.stub.extend(b"Rich\xE9\x71\x5C\x3A\0\0\0\0\0\0\0\0");
    }
    if shape == Shape::CrimsonSkies {
        spec.image_base = 0x2000_0000;
    }
    spec
}

/// Returns DLLs of a size class. Source of the traps: zipper-messages.md, sections 2 to 8.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, games, shape, size, trap: Option<&Trap<Spec>>| {
        Sample::of(name, "messages", games, ordinary(&mut Random::named(seed, name), shape, size), trap, build)
    };
    let plain: [(&str, &'static [&str], Shape); 6] = [
        ("messages.dll", &["rc"], Shape::Recoil),
        ("Mech3Msg.dll", &["mw"], Shape::MechWarrior),
        ("pm_Mech3Msg.dll", &["pm"], Shape::MechWarrior),
        ("strings.dll", &["cs"], Shape::CrimsonSkies),
        ("langui.dll", &["cs"], Shape::Interface),
        ("language.dll", &["cs"], Shape::Language),
    ];
    let plain = plain.into_iter().map(|(name, games, shape)| sample(name, games, shape, size, None));
    let tables =
        TABLES.iter().map(|trap| sample(trap.name, &["mw", "pm"], Shape::MechWarrior, size.of_traps(), Some(trap)));
    let strings =
        STRINGS.iter().map(|trap| sample(trap.name, &["cs"], Shape::CrimsonSkies, size.of_traps(), Some(trap)));
    plain.chain(tables).chain(strings).collect()
}
