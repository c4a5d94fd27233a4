//! Setting a string of a DLL to any value changes nothing else, according to two independent readers.

use std::collections::BTreeMap;
use std::ops::Range;

use ::field::Decoded;
use bitexact::exchange::{Form, documents};
use bitexact::field::{Value, decode};
use bitexact::json::Document;
use bitexact::passes::Sha;
use bitexact::recompute::encode_edited;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};
use bitexact::zipper::messages::{Dll, Unset};
use forge::messages::{Content, Held, Leaf, Section, Shape, Spec, build, image_checksum, ordinary};
use forge::random::Random;
use goblin::pe::header::Header;
use pelite::pe32::{Pe as _, PeFile};
use pelite::resources::{Directory, Entry, Name};

use crate::harness;

/// Type, name, language.
type Path = [u32; 3];

/// The contents of a DLL according to the independent readers.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    /// The bytes of every resource.
    resources: BTreeMap<Path, Vec<u8>>,
    /// The strings by language and id: bytes of messages including their end, units of block strings.
    texts: BTreeMap<(u32, u32), Vec<u8>>,
    /// Every section: its name, its range in memory, its range in the file.
    sections: Vec<(String, Range<usize>, Range<usize>)>,
}

/// Returns the headers as read by goblin. It reads resources too, but rejects some of their versions.
fn header(file: &[u8]) -> Header<'_> {
    Header::parse(file).expect("goblin reads it")
}

fn see(file: &[u8]) -> Seen {
    let header = header(file);
    let mut table =
        header.dos_header.pe_pointer as usize + 24 + usize::from(header.coff_header.size_of_optional_header);
    let sections = header.coff_header.sections(file, &mut table).expect("goblin reads it");
    let sections: Vec<_> = sections
        .iter()
        .map(|it| {
            let memory = it.virtual_address as usize..(it.virtual_address + it.virtual_size) as usize;
            let raw = it.pointer_to_raw_data as usize..(it.pointer_to_raw_data + it.size_of_raw_data) as usize;
            assert!(raw.end <= file.len());
            (it.name().expect("a name").to_owned(), memory, raw)
        })
        .collect();
    for (before, after) in sections.iter().zip(sections.iter().skip(1)) {
        assert!(before.1.end <= after.1.start, "sections overlap in memory: {sections:x?}");
    }
    let end = sections.iter().map(|it| it.1.end.next_multiple_of(0x1000)).max().expect("sections");
    let optional = header.optional_header.expect("an optional header");
    assert_eq!(optional.windows_fields.size_of_image as usize, end);

    // Read with pelite's own walk, and with a walk of this test over goblin's sections.
    let pelite = PeFile::from_bytes(file).expect("pelite reads it");
    let mut resources = BTreeMap::new();
    walk(&pelite.resources().expect("resources").root().expect("a root"), &mut vec![], &mut resources);
    let table = optional.data_directories.get_resource_table().expect("resources");
    let offset = |rva: usize| {
        let section = sections.iter().find(|it| (it.1.start..it.1.start + it.2.len()).contains(&rva)).expect("inside");
        section.2.start + rva - section.1.start
    };
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let root = offset(table.virtual_address as usize);
    let mut found = BTreeMap::new();
    let mut inner = vec![(root, vec![])];
    while let Some((at, path)) = inner.pop() {
        let count = (word(at + 12) & 0xFFFF) + (word(at + 12) >> 16);
        for entry in (0..count as usize).map(|index| at + 16 + 8 * index) {
            let path = [path.as_slice(), &[word(entry)]].concat();
            let to = word(entry + 4);
            if to >> 31 == 1 {
                inner.push((root + (to & 0x7FFF_FFFF) as usize, path));
                continue;
            }
            let (rva, size) = (word(root + to as usize) as usize, word(root + to as usize + 4) as usize);
            assert!(rva + size <= (table.virtual_address + table.size) as usize, "inside the data directory");
            let bytes = file[offset(rva)..offset(rva) + size].to_vec();
            found.insert(Path::try_from(path).expect("three levels"), bytes);
        }
    }
    assert_eq!(resources, found);
    let texts = resources.iter().flat_map(|(path, bytes)| texts(*path, bytes)).collect();
    Seen { resources, texts, sections }
}

fn walk(directory: &Directory<'_>, path: &mut Vec<u32>, found: &mut BTreeMap<Path, Vec<u8>>) {
    for entry in directory.entries() {
        let Name::Id(id) = entry.name().expect("a name") else { panic!("a number") };
        path.push(id);
        match entry.entry().expect("an entry") {
            Entry::Directory(inner) => walk(&inner, path, found),
            Entry::DataEntry(data) => {
                found
                    .insert(Path::try_from(path.clone()).expect("three levels"), data.bytes().expect("bytes").to_vec());
            }
        }
        path.pop();
    }
}

/// Returns the strings of a resource, read as the spec describes. Source: zipper-messages.md, sections 4 and 5.
fn texts([kind, name, language]: Path, bytes: &[u8]) -> Vec<((u32, u32), Vec<u8>)> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let half = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let mut texts = vec![];
    match kind {
        11 => {
            for block in (0..word(0) as usize).map(|index| 4 + 12 * index) {
                let mut at = word(block + 8) as usize;
                for id in word(block)..=word(block + 4) {
                    let text = &bytes[at + 4..at + half(at)];
                    let end = text.iter().position(|&byte| byte == 0).expect("a NUL");
                    assert!(text[end..].iter().all(|&byte| byte == 0));
                    texts.push(((language, id), text[..end].to_vec()));
                    at += half(at);
                }
            }
        }
        6 => {
            let mut at = 0;
            for id in (name - 1) * 16..name * 16 {
                let end = at + 2 + 2 * half(at);
                texts.push(((language, id), bytes[at + 2..end].to_vec()));
                at = end;
            }
            assert_eq!(at, bytes.len(), "16 strings and nothing else");
        }
        _ => {}
    }
    texts
}

/// Returns the bytes of a string as stored in the file.
fn stored(before: &[u8], text: &str) -> Vec<u8> {
    // Messages end with a line end.
    match before.ends_with(b"\r\n") {
        true => [encoding_rs::WINDOWS_1252.encode(text).0.as_ref(), b"\r\n"].concat(),
        false => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    }
}

fn dll(file: &[u8]) -> Dll {
    let Decoded { model, undecoded } = decode::<Dll>(file.to_vec()).unwrap_or_else(|error| panic!("{error}"));
    assert!(undecoded.is_empty());
    model
}

/// Returns DLLs that the independent readers accept too: ordinary ones, some unusual ones, those of the corpora.
fn dlls() -> Vec<(String, Vec<u8>)> {
    let kept = [
        "messages_addresses.dll",
        "messages_room.dll",
        "messages_stub.dll",
        "messages_overlay.dll",
        "messages_slack.dll",
        "messages_payload_gap.dll",
        "messages_checksum.dll",
        "messages_two_languages.dll",
        "strings_types.dll",
        "strings_languages.dll",
        "strings_long.dll",
    ];
    let forged = forge::samples(harness::SEED, forge::Size::Small).into_iter();
    let forged = forged.filter(|it| it.kind == "messages" && (it.trap.is_none() || kept.contains(&it.name.as_str())));
    let mut dlls: Vec<_> = forged.map(|it| (it.name, it.bytes)).collect();
    assert_eq!(dlls.len(), 6 + kept.len());
    let corpora = harness::corpora().map(|corpora| harness::known_files(&corpora, "corpora")).unwrap_or_default();
    dlls.extend(corpora.into_iter().filter(|it| it.kind.name == "messages").map(|it| (it.name, it.bytes)));
    dlls
}

/// Returns the offsets at which two files of equal length differ.
fn differences(before: &[u8], after: &[u8]) -> Vec<usize> {
    assert_eq!(before.len(), after.len());
    (0..before.len()).filter(|&at| before[at] != after[at]).collect()
}

/// Sets a string, and checks that no other string, resource, key or section has changed.
fn set(name: &str, before: &[u8], (language, id): (u32, u32), text: &str) -> Vec<u8> {
    let mut model = dll(before);
    model.set_text(language, id, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let after = encode_edited(&mut model).unwrap_or_else(|error| panic!("{name}: {error}"));

    let (old, new) = (see(before), see(&after));
    let mut wanted = old.texts.clone();
    wanted.insert((language, id), stored(&old.texts[&(language, id)], text));
    assert_eq!(new.texts, wanted, "{name}");
    let others = |seen: &Seen| {
        seen.resources
            .clone()
            .into_iter()
            .filter(|(path, _)| path[2] != language || ![6, 11].contains(&path[0]))
            .collect::<Vec<_>>()
    };
    assert_eq!(others(&new), others(&old), "{name}");
    for ((section, memory, raw), (_, memory_after, raw_after)) in old.sections.iter().zip(&new.sections) {
        if section != ".rsrc" {
            assert_eq!(before[raw.clone()], after[raw_after.clone()], "{name}: {section}");
            assert!(memory == memory_after || section == ".reloc", "{name}: {section}");
        } else {
            assert_eq!(memory.start, memory_after.start, "{name}");
        }
    }
    let ends = |seen: &Seen| seen.sections.iter().map(|it| it.2.end).max().unwrap();
    assert_eq!(before[ends(&old)..], after[ends(&new)..], "{name}: what stands behind the last section");
    // The report on the edited file contains no new deviations.
    let (report, said) = (verify(KINDS, "messages.dll", after.clone()), verify(KINDS, "messages.dll", before.to_vec()));
    assert_eq!(report.status, Status::Identical, "{name}");
    let odd: Vec<_> =
        report.deviations.iter().map(|it| it.place.clone()).filter(|path| !path.ends_with("/gap")).collect();
    assert!(odd.iter().all(|path| said.deviations.iter().any(|it| it.place == *path)), "{name}: {odd:?}");
    let texts = dll(&after).texts();
    let found = texts.iter().find(|it| (it.language, it.id) == (language, id)).map(|it| it.text.clone());
    assert_eq!(found.unwrap_or_default(), text, "{name}");
    after
}

/// Returns the ids to try: the first, one in the middle, the last.
fn ids(file: &[u8]) -> Vec<(u32, u32)> {
    let texts = dll(file).texts();
    let at = |index: usize| (texts[index].language, texts[index].id);
    vec![at(0), at(texts.len() / 2), at(texts.len() - 1)]
}

#[test]
fn independent_readers_agree() {
    for (name, file) in dlls() {
        let seen = see(&file);
        let found: BTreeMap<_, _> = dll(&file).texts().into_iter().map(|it| ((it.language, it.id), it.text)).collect();
        assert!(found.len() >= 16, "{name}");
        for (id, bytes) in seen.texts.iter().filter(|(_, bytes)| !bytes.is_empty()) {
            let text = found.get(id).unwrap_or_else(|| panic!("{name}: {id:?}"));
            assert_eq!(*bytes, stored(bytes, text), "{name}");
        }
    }
}

#[test]
fn string_that_fits_changes_nothing_else() {
    for (name, file) in dlls() {
        for id in ids(&file) {
            let old = dll(&file).texts().into_iter().find(|it| (it.language, it.id) == id).unwrap().text;
            let other: String = old.chars().map(|_| '#').collect();
            if stored(&see(&file).texts[&id], &other).len() != see(&file).texts[&id].len() {
                continue;
            }
            let after = set(&name, &file, id, &other);
            let length = see(&file).texts[&id].len();
            let checksum = if name == "messages_checksum.dll" { 4 } else { 0 };
            assert!(differences(&file, &after).len() <= length + checksum, "{name}");
            assert_eq!(set(&name, &after, id, &old), file, "{name}: set back");
        }
    }
}

#[test]
fn string_can_be_emptied_and_set_back() {
    for (name, file) in dlls() {
        for id in ids(&file) {
            let old = dll(&file).texts().into_iter().find(|it| (it.language, it.id) == id).unwrap().text;
            let after = set(&name, &file, id, "");
            assert_eq!(after.len(), file.len(), "{name}");
            assert_eq!(set(&name, &after, id, &old), file, "{name}: set back");
        }
    }
}

#[test]
fn longer_string_takes_the_available_space() {
    for (name, file) in dlls() {
        for id in ids(&file) {
            set(&name, &file, id, "A longer text than before, with €, “quotes” and\r\na second line.");
        }
    }
}

#[test]
fn long_string_makes_the_section_grow() {
    for (name, file) in dlls() {
        let id = ids(&file)[1];
        let after = set(&name, &file, id, &"grow ".repeat(800));
        assert!(after.len() > file.len() && (after.len() - file.len()).is_multiple_of(0x200), "{name}");
        let shorter = set(&name, &after, id, "short again");
        assert_eq!(shorter.len(), after.len(), "{name}: sections do not shrink");
    }
}

#[test]
fn relocations_move_if_the_section_reaches_them() {
    let mut moved = 0;
    for (name, file) in dlls() {
        let mut after = file.clone();
        for id in ids(&file) {
            after = set(&name, &after, id, &"far ".repeat(15_000));
        }
        let reloc = |file: &[u8]| see(file).sections.iter().find(|it| it.0 == ".reloc").map(|it| it.1.start);
        assert!(reloc(&after) > reloc(&file), "{name}");
        let directory = |file: &[u8]| {
            let directories = header(file).optional_header.unwrap().data_directories;
            directories.get_base_relocation_table().map(|it| it.virtual_address as usize).filter(|&it| it > 0)
        };
        if directory(&file).is_some() {
            assert_eq!(directory(&after), reloc(&after), "{name}");
            moved += 1;
        }
    }
    assert!(moved > 10);
}

#[test]
fn checksum_is_updated_if_present() {
    let checksum = |file: &[u8]| header(file).optional_header.unwrap().windows_fields.check_sum;
    let right = |file: &[u8]| {
        let at = u32::from_le_bytes(file[60..64].try_into().unwrap()) as usize + 24 + 64;
        let mut file = file.to_vec();
        file[at..at + 4].fill(0);
        image_checksum(&file)
    };
    for sample in ["messages_checksum.dll", "messages_checksum_wrong.dll", "Mech3Msg.dll"] {
        let file =
            forge::samples(harness::SEED, forge::Size::Small).into_iter().find(|it| it.name == sample).unwrap().bytes;
        let after = set(sample, &file, ids(&file)[0], "Another text");
        match sample {
            "Mech3Msg.dll" => assert_eq!(checksum(&after), 0),
            _ => assert_eq!(checksum(&after), right(&after), "{sample}"),
        }
        let mut same = dll(&file);
        let text = same.texts().remove(0);
        same.set_text(text.language, text.id, &text.text).unwrap();
        assert_eq!(encode_edited(&mut same).unwrap(), file, "{sample}: the same text");
    }
}

#[test]
fn strings_can_be_set_in_the_exchange_format() {
    fn replace(json: &mut Value, from: &str, to: &str) -> usize {
        match json {
            Value::Text(text) if text == from => {
                *json = to.into();
                1
            }
            Value::List(items) => items.iter_mut().map(|it| replace(it, from, to)).sum(),
            Value::Object(members) => members.iter_mut().map(|(_, it)| replace(it, from, to)).sum(),
            _ => 0,
        }
    }
    for (name, file) in dlls() {
        for new in ["", "x", "Somewhat longer than it was", &"grow ".repeat(800)] {
            let all = dll(&file).texts();
            let Some(text) = all
                .iter()
                .find(|it| it.text.len() > 3 && all.iter().filter(|other| other.text == it.text).count() == 1)
            else {
                continue;
            };
            let kind = harness::kind("messages");
            let model = (kind.decode)(file.clone().into()).unwrap().model;
            let about = bitexact::exchange::About { kind, games: &[], sha256: Sha::of(&file), deviations: &[] };
            let mut files = documents(&model, about).unwrap();
            let documents = files.values_mut().filter_map(|document| match document {
                Document::Json(json) => Some(json),
                Document::Raw(_) => None,
            });
            assert_eq!(documents.map(|json| replace(json, &text.text, new)).sum::<usize>(), 1, "{name}");
            let mut packed = Form::of(files).pack(KINDS).unwrap_or_else(|error| panic!("{name}: {error}"));
            let by_exchange = encode_edited(&mut packed.model).unwrap();
            assert_eq!(by_exchange, set(&name, &file, (text.language, text.id), new), "{name}");
        }
    }
}

/// Returns a DLL whose first string has outgrown its section.
fn grow(spec: &Spec) -> Result<Vec<u8>, String> {
    let mut model = dll(&build(spec));
    let text = model.texts().remove(0);
    model.set_text(text.language, text.id, &"far ".repeat(15_000)).unwrap();
    encode_edited(&mut model).map_err(|error| error.to_string())
}

#[test]
fn string_without_enough_space_is_refused() {
    let plain = ordinary(&mut Random::new(1), Shape::Recoil, forge::Size::Small);
    assert!(grow(&plain).is_ok());
    let refused = |edit: &dyn Fn(&mut Spec), why: &str| {
        let mut spec = plain.clone();
        edit(&mut spec);
        let Err(error) = grow(&spec) else { panic!("not refused, though {why}") };
        assert!(error.contains(why), "{error}");
    };
    let bss = Section { virtual_size: Some(64), ..Section::new(b".bss", 0xC000_0080, Held::Raw(vec![])) };
    refused(&|spec| spec.sections.push(bss.clone()), "where the next begins");
    let other = Section::new(b".other", 0x4000_0040, Held::Raw(vec![1]));
    refused(&|spec| *spec.section(b".reloc") = other.clone(), "where the next begins");
    refused(&|spec| spec.directories.push((6, 0x1000, 28)), "contain file offsets");
    refused(&|spec| spec.directories.push((4, 0x1000, 28)), "contain file offsets");
    let within = Leaf { rva: Some(0x5010), size: Some(8), ..Leaf::new([256, 1, 1033], 0, Content::Raw(vec![])) };
    refused(
        &|spec| {
            spec.section(b".rsrc").address = Some(0x5000);
            // After the tree of two resources, inside the first of them.
            let rva = 0x5000 + 16 + 2 * 8 + 4 * 24 + 2 * 16 + 4;
            spec.resources().leaves.push(Leaf { rva: Some(rva), ..within.clone() });
        },
        "other resources are in them",
    );
}

#[test]
fn resources_that_share_bytes_stay_identical() {
    let mut spec = ordinary(&mut Random::new(2), Shape::CrimsonSkies, forge::Size::Small);
    spec.resources().leaves.push(Leaf::new([256, 1, 1033], 0, Content::Same(0)));
    let first = spec.resources().leaves[0].path;
    let seen = see(&grow(&spec).unwrap());
    assert!(seen.resources[&first].len() > 100_000);
    assert_eq!(seen.resources[&first], seen.resources[&[256, 1, 1033]]);
}

#[test]
fn keys_lead_to_ids() {
    for (shape, lacking) in [(Shape::Recoil, true), (Shape::MechWarrior, true), (Shape::CrimsonSkies, false)] {
        let mut spec = ordinary(&mut Random::new(3), shape, forge::Size::Small);
        let mut model = dll(&build(&spec));
        for key in &spec.keys().keys {
            assert_eq!(model.id_of(std::str::from_utf8(&key.text).unwrap()), Some(key.id));
        }
        assert_eq!(model.id_of("MSG_NONE_SUCH"), None);
        let text = model.texts().remove(0);
        assert_eq!(model.set_text(text.language, 60_000, "?"), Err(Unset::Unknown));
        assert_eq!(model.set_text(7, text.id, "?"), Err(Unset::Unknown));
        let set = model.set_text(text.language, text.id, "\u{3bb}");
        assert_eq!(set, if lacking { Err(Unset::Lacking("windows-1252")) } else { Ok(()) });
    }
}

/// The name of a block of strings is the number of 16 ids, from 1; other numbers lead to no ids.
#[test]
fn strings_of_names_that_are_no_blocks_have_no_ids() {
    let block = || [&2_u16.to_le_bytes()[..], &[b'H', 0, b'i', 0], &[0; 30]].concat();
    let texts = |name: u32| {
        let mut spec = ordinary(&mut Random::new(5), Shape::Recoil, forge::Size::Small);
        let leaves = &mut spec.resources().leaves;
        leaves.insert(0, Leaf::new([6, name, 7], 0, Content::Raw(block())));
        let mut model = dll(&build(&spec));
        let texts = model.texts().into_iter().filter(|it| it.language == 7).map(|it| it.id).collect::<Vec<_>>();
        (texts, model.set_text(7, 0xFFFF_FFFF, "?"))
    };
    assert_eq!(texts(1), (vec![0], Err(Unset::Unknown)));
    assert_eq!(texts(0x1000_0000), (vec![0xFFFF_FFF0], Ok(())));
    for name in [0, 0x1000_0001, 0x7FFF_FFFF] {
        assert_eq!(texts(name), (vec![], Err(Unset::Unknown)), "{name:#x}");
    }
}

#[test]
fn keys_distinguish_the_games() {
    let games = |name: &str| {
        let samples = forge::samples(harness::SEED, forge::Size::Small);
        let sample = samples.into_iter().find(|it| it.name == name).expect(name);
        let report = verify(KINDS, "unnamed", sample.bytes);
        report.games.iter().map(|game| game.code()).collect::<Vec<_>>().join("|")
    };
    assert_eq!(games("messages.dll"), "rc");
    assert_eq!(games("Mech3Msg.dll"), "mw|pm");
    assert_eq!(games("strings.dll"), "cs");
    assert_eq!(games("langui.dll"), "cs");
    assert_eq!(games("language.dll"), "cs");
}

#[test]
fn other_libraries_stay_foreign() {
    let foreign = |edit: &dyn Fn(&mut Spec)| {
        let mut spec = ordinary(&mut Random::new(4), Shape::Recoil, forge::Size::Small);
        edit(&mut spec);
        let report = verify(KINDS, "other.dll", build(&spec));
        assert_eq!((report.status, report.kind), (Status::Foreign, Some("program")));
    };
    // Messages without keys, keys without messages, a program.
    foreign(&|spec| spec.section(b".data").content = Held::Raw(vec![1; 64]));
    foreign(&|spec| spec.resources().leaves[0].path[0] = 10);
    foreign(&|spec| spec.characteristics = 0x010E);
}
