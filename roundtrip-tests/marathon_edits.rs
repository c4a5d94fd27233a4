//! Edits in resource forks, sounds, shapes and pictures: lengths, offsets and checksums are updated, and everything
//! else is unchanged. Independent readers check the result.

use std::collections::BTreeMap;

use bitexact::edit::{Batch, Edit, misread};
use bitexact::exchange::{About, parse};
use bitexact::field::{Address, Class, encode};
use bitexact::install::files;
use bitexact::passes::{Sha, spans};
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::{Status, verify};
use forge::picture::{self, Packing, Pixels};
use forge::resources::Resource;
use forge::sounds::{Definition, Sound};
use forge::{macbinary, resources, shapes, sounds};

use crate::harness;

/// Returns a file after edits of its exchange format; the edits must not cause new deviations.
fn edited(name: &str, file: &[u8], edit: impl FnOnce(&mut Edit)) -> Vec<u8> {
    let (kind, games) = recognize(KINDS, name, file).expect("a kind");
    let model = (kind.decode)(file.to_vec().into()).expect("it decodes").model;
    let about = About { kind, games: &games, sha256: Sha::of(file), deviations: &[] };
    let mut form = Edit::of(&model, about).expect("it is laid out");
    edit(&mut form);
    let packed = form.pack(KINDS).unwrap_or_else(|error| panic!("{error}"));
    let after = encode(&packed.model).unwrap_or_else(|error| panic!("{error}"));
    let refusal = misread(&packed.model, kind, &after.clone().into()).expect("it lays");
    assert!(refusal.is_none(), "{refusal:?}");
    let report = verify(KINDS, name, after.clone());
    assert_eq!((report.status, report.kind), (Status::Identical, Some(kind.name)), "{:?}", report.failure);
    assert!(report.deviations.is_empty(), "{:?}", report.deviations);
    after
}

/// Sets a value, given as JSON.
fn set(edit: &mut Edit, place: &str, json: &str) {
    edit.set(&place.into(), parse(json.as_bytes()).unwrap(), false).unwrap_or_else(|refusal| panic!("{refusal}"));
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn half(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_be_bytes(bytes[at..at + 2].try_into().unwrap()))
}

/// The name and data of each resource, by type and id.
type Resources = BTreeMap<(String, i16), (Option<Vec<u8>>, Vec<u8>)>;

/// Reads a fork as the Resource Manager would, and checks that duplicate values agree.
fn read_fork(fork: &[u8]) -> Resources {
    let [data, map, data_length, map_length] = [0, 4, 8, 12].map(|at| word(fork, at));
    assert_eq!((data, data + data_length, map + map_length), (256, map, fork.len()));
    assert_eq!(fork[..16], fork[map..map + 16]);
    let (types, names) = (map + half(fork, map + 24), map + half(fork, map + 26));
    let (mut resources, mut taken, mut named) = (Resources::new(), 0, 0);
    for nth in 0..(half(fork, types) + 1) % 65536 {
        let at = types + 2 + 8 * nth;
        let code = String::from_utf8_lossy(&fork[at..at + 4]).into_owned();
        let references = types + half(fork, at + 6);
        for nth in 0..=half(fork, at + 4) {
            let at = references + 12 * nth;
            let name = match half(fork, at + 2) {
                0xFFFF => None,
                offset => {
                    let length = usize::from(fork[names + offset]);
                    named += 1 + length;
                    Some(fork[names + offset + 1..][..length].to_vec())
                }
            };
            let block = data + (word(fork, at + 4) & 0xFF_FFFF);
            let content = fork[block + 4..][..word(fork, block)].to_vec();
            taken += 4 + content.len();
            let id = half(fork, at) as u16 as i16;
            assert!(resources.insert((code.clone(), id), (name, content)).is_none(), "{code} {id} twice");
        }
    }
    assert_eq!((taken, names + named), (data_length, fork.len()), "data and names fill their areas");
    resources
}

/// Computes CRC-16 bit by bit, with polynomial 0x1021 and initial value 0, as in MacBinary II.
fn crc(bytes: &[u8]) -> u16 {
    let mut crc = 0_u16;
    for bit in bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)) {
        let out = crc & 0x8000 != 0;
        crc <<= 1;
        if out != bit {
            crc ^= 0x1021;
        }
    }
    crc
}

/// Returns the resource fork of a MacBinary file without a data fork, after checking its header.
fn unwrap(file: &[u8]) -> &[u8] {
    let [data, resources] = [83, 87].map(|at| word(file, at));
    assert_eq!((data, file.len()), (0, 128 + resources.next_multiple_of(128)));
    assert_eq!(half(file, 124), usize::from(crc(&file[..124])));
    assert!(file[128 + resources..].iter().all(|&byte| byte == 0));
    &file[128..128 + resources]
}

/// Returns a MacBinary file of strings, colors and sounds, whose data are not in map order.
fn wrapped() -> Vec<u8> {
    let sound = |byte: u8| sounds::resource(&Sound::standard(vec![byte; 9]));
    let clut = [&[0, 0, 0, 0, 0, 0, 0, 1][..], &[0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 4, 4, 5, 5, 6, 6]].concat();
    let all = vec![
        Resource::new(b"snd ", 1000, sound(1)).named(b"pistol"),
        Resource::new(b"snd ", 1010, sound(2)),
        Resource::new(b"clut", 130, clut).named(b"Interface"),
        Resource::new(b"TEXT", 128, b"hello".to_vec()),
    ];
    let fork = resources::Spec { data_order: vec![2, 0, 3, 1], ..resources::Spec::new(vec![0x41; 240], all) };
    macbinary::build(&macbinary::Spec::new(b"Sounds", vec![], resources::build(&fork)))
}

/// Returns the resources of that file before and after an edit.
fn after(edit: impl FnOnce(&mut Edit)) -> (Resources, Resources) {
    let before = wrapped();
    let after = edited("Sounds.sndz", &before, edit);
    (read_fork(unwrap(&before)), read_fork(unwrap(&after)))
}

/// Source: `marathon-wad.md`, section 12: the opaque bytes there are resources of the Mac toolbox.
#[test]
fn corpora_decode() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let known =
        [("Fonts.fntA", 21914), ("applesingle-DITL.rsrc", 224), ("applesingle-marathon2-early.resource", 90996)];
    let opaque = BTreeMap::from(known);
    let mut seen = 0;
    for folder in ["images", "resources", "shapes", "sounds"] {
        for file in files(&corpora.join("marathon").join(folder)).unwrap() {
            let bytes = file.read().unwrap();
            let report = verify(KINDS, &file.name(), bytes);
            assert_eq!(report.status, Status::Identical, "{}", file.shown());
            assert!(report.deviations.is_empty() && report.undecoded.is_empty(), "{}", file.shown());
            let expected = opaque.get(&*file.name()).copied().unwrap_or(0);
            assert_eq!(report.census.unwrap().of(Class::Opaque), expected, "{}", file.shown());
            seen += 1;
        }
    }
    assert_eq!(seen, 24);
}

fn key(code: &str, id: i16) -> (String, i16) {
    (code.to_owned(), id)
}

#[test]
fn checksum_of_this_test_matches_xmodem() {
    assert_eq!(crc(b"123456789"), 0x31C3);
    assert_eq!(read_fork(unwrap(&wrapped())).len(), 4);
}

#[test]
fn resource_is_renamed() {
    for name in ["a much longer name of a pistol", "", "p"] {
        let (mut before, after) = after(|edit| set(edit, "resource:/resources/0/name", &format!("{name:?}")));
        before.get_mut(&key("snd ", 1000)).unwrap().0 = Some(name.into());
        assert_eq!(after, before);
    }
}

#[test]
fn resource_names_are_added_and_removed() {
    let (mut before, after) = after(|edit| {
        set(edit, "resource:/resources/3/name", "\"welcome\"");
        edit.delete(&"resource:/resources/2/name".into()).unwrap();
    });
    before.get_mut(&key("TEXT", 128)).unwrap().0 = Some(b"welcome".into());
    before.get_mut(&key("clut", 130)).unwrap().0 = None;
    assert_eq!(after, before);
}

#[test]
fn color_is_changed() {
    let (mut before, after) = after(|edit| set(edit, "resource!clut 130:/colors/1/green", "51966"));
    let color = &mut before.get_mut(&key("clut", 130)).unwrap().1[20..22];
    assert_eq!(color, [5, 5]);
    color.copy_from_slice(&[0xCA, 0xFE]);
    assert_eq!(after, before);
}

#[test]
fn color_is_removed() {
    let (mut before, after) = after(|edit| edit.delete(&"resource!clut 130:/colors/0".into()).map(drop).unwrap());
    let clut = &mut before.get_mut(&key("clut", 130)).unwrap().1;
    clut.drain(8..16);
    clut[7] = 0;
    assert_eq!(after, before);
}

#[test]
fn samples_are_replaced() {
    for samples in [vec![0x80; 5000], vec![7], vec![]] {
        let hex = samples.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        // A loop beyond the samples would be a deviation.
        let (mut before, after) = after(|edit| {
            set(edit, "resource!snd 1000:/sound/samples", &format!("{hex:?}"));
            ["loop_start", "loop_end"]
                .iter()
                .for_each(|end| set(edit, &format!("resource!snd 1000:/sound/{end}"), "0"));
        });
        let sound = &mut before.get_mut(&key("snd ", 1000)).unwrap().1;
        sound.truncate(42);
        sound.extend(&samples);
        sound[24..28].copy_from_slice(&(samples.len() as u32).to_be_bytes());
        sound[32..40].fill(0);
        assert_eq!(after, before);
    }
}

#[test]
fn added_command_moves_the_samples() {
    let (mut before, after) = after(|edit| {
        let command = r#"{"command": 3, "param1": 0, "param2": 9}"#;
        edit.insert(&"resource!snd 1010:/commands/0".into(), parse(command.as_bytes()).unwrap()).unwrap();
    });
    let sound = &mut before.get_mut(&key("snd ", 1010)).unwrap().1;
    sound.splice(12..12, [0, 3, 0, 0, 0, 0, 0, 9]);
    (sound[11], sound[27]) = (2, 28);
    assert_eq!(after, before);
}

#[test]
fn resources_are_added_and_removed_if_data_are_not_in_map_order() {
    let (mut before, gone) = after(|edit| edit.remove("resource!snd 1000").unwrap());
    before.remove(&key("snd ", 1000)).unwrap();
    assert_eq!(gone, before);

    let (mut before, more) = after(|edit| {
        let text = r#"{"text": "bye"}"#;
        let files = vec![("x.json".to_owned(), bitexact::json::Document::Json(parse(text.as_bytes()).unwrap()))];
        let row = parse(br#"{"type": "TEXT", "id": -5, "attributes": "PURGEABLE", "name": "end"}"#).unwrap();
        edit.add_at("resource!TEXT -5", &"resource:/resources/-".into(), row, "text", files).unwrap();
    });
    before.insert(key("TEXT", -5), (Some(b"end".into()), b"bye".into()));
    assert_eq!(more, before);
}

#[test]
fn sounds_file_is_updated_if_samples_change() {
    let standard = |byte: u8, count| Sound::standard(vec![byte; count]);
    let definitions = |first: usize| {
        vec![
            Definition::new(0, vec![standard(1, first), standard(2, 7)]),
            Definition::new(-1, vec![]),
            Definition { group_of: Some(0), ..Definition::new(2, vec![]) },
            Definition::new(3, vec![Sound::extended(2, vec![9; 16])]),
        ]
    };
    let file = |first| sounds::build(&sounds::Spec::new(definitions(first)));
    let samples = vec!["01"; 300].join(" ");
    let after = edited("Sounds.sndA", &file(5), |edit| {
        set(edit, "0:/sounds/0/samples", &format!("{samples:?}"));
        // The generated loop is at the end of the samples.
        set(edit, "0:/sounds/0/loop_start", "298");
        set(edit, "0:/sounds/0/loop_end", "299");
    });
    assert!(after == file(300), "as the forge writes it");
}

#[test]
fn patch_is_updated_if_rows_change() {
    let rows = |pixels: &[u8]| shapes::Rows::Stretches(vec![(1, pixels.to_vec()), (0, vec![])]);
    let file = |pixels: &[u8]| {
        let bitmap = shapes::Bitmap::new([2, 9], rows(pixels));
        let items = vec![shapes::Item::Bitmap(4, bitmap, None), shapes::Item::Frame(1, shapes::Frame::new(4))];
        let block = shapes::Block { collection: 3, depth: 8, items, ends: true };
        shapes::build_patch(&shapes::Patch { blocks: vec![block] })
    };
    let after = edited("Tick.ShPa", &file(&[7, 8]), |edit| {
        set(edit, "/blocks/0/items/0/bitmaps/0/rows/0/pixels", "\"07 08 09 0a\"")
    });
    assert!(after == file(&[7, 8, 9, 10]), "as the forge writes it");
}

#[test]
fn marathon_collection_is_updated_if_rows_change() {
    use shapes::Operation::{Put, Skip};
    let fork = |rows: Vec<shapes::Operation>| {
        let bitmaps = vec![
            shapes::Bitmap::new([1, 6], shapes::Rows::Operations(vec![rows])),
            shapes::Bitmap::new([1, 2], shapes::Rows::Plain(vec![vec![1, 2]])),
        ];
        let collection = shapes::Collection {
            bitmaps,
            frames: vec![shapes::Frame::new(0)],
            sequences: vec![shapes::Sequence::new(b"walk", vec![0])],
            ..shapes::Collection::new()
        };
        let all = vec![Resource::new(b".256", 128, collection.write())];
        resources::build(&resources::Spec::new(vec![0; 240], all))
    };
    let after = edited("Shapes.rsrc", &fork(vec![Skip(2), Put(vec![7]), Skip(3)]), |edit| {
        set(edit, ".256 128:/bitmaps/0/rows/0", r#"["05 06", -1, "07 08 09"]"#)
    });
    assert!(after == fork(vec![Put(vec![5, 6]), Skip(1), Put(vec![7, 8, 9])]), "as the forge writes it");
}

#[test]
fn picture_is_repacked_by_the_same_packer() {
    for packing in [Packing::Pieces, Packing::QuickDraw(1)] {
        let picture = |first: Vec<u8>| {
            let rows = vec![first, vec![5; 16]];
            let pixels = Pixels { packing, ..Pixels::indexed([16, 2], 16, vec![[0, 1, 2, 3]; 9], rows) };
            // If both packers produce the same rows, the header identifies the packer.
            let header = if packing == Packing::Pieces { picture::extended(16, 2) } else { picture::native(16, 2) };
            let spec = picture::Spec::new(16, 2, vec![header, picture::clip(16, 2), pixels.write()]);
            [vec![0; 512], picture::build(&spec)].concat()
        };
        let row = vec![1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 1, 2, 3, 1, 5, 5];
        let hex = row.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        let after = edited("01604.pct", &picture(vec![1; 16]), |edit| {
            set(edit, "/opcodes/2/pixels/rows/0", &format!("{hex:?}"))
        });
        assert!(after == picture(row), "{packing:?}: as the forge writes it");
    }
}

#[test]
fn edits_that_cannot_be_laid_out_are_refused() {
    let refused = |name: &str, file: &[u8], place: &str, json: &str, why: &str| {
        let (kind, games) = recognize(KINDS, name, file).unwrap();
        let model = (kind.decode)(file.to_vec().into()).unwrap().model;
        let about = About { kind, games: &games, sha256: Sha::of(file), deviations: &[] };
        let mut form = Edit::of(&model, about).unwrap();
        form.set(&place.into(), parse(json.as_bytes()).unwrap(), true).unwrap();
        let outcome = form.pack(KINDS).and_then(|packed| encode(&packed.model));
        let error = outcome.expect_err(place).to_string();
        assert!(error.contains(why), "{place}: {error}");
    };
    let pixels = Pixels::indexed([16, 1], 16, vec![[0, 1, 2, 3]; 2], vec![vec![1; 16]]);
    let picture = [vec![0; 512], picture::build(&picture::Spec::new(16, 1, vec![pixels.write()]))].concat();
    refused("a.pct", &picture, "/opcodes/0/pixels/rows/0", "\"01 01\"", "16 bytes in the row");
    refused("a.pct", &picture, "/opcodes/0/pixels/packer", "\"ZIP\"", "PIECES or QUICKDRAW");
    refused("a.pct", &picture, "/opcodes/0/opcode", "18", "an opcode whose length is known");
    let long = format!("\"{}\"", "n".repeat(256));
    refused("Sounds.sndz", &wrapped(), "resource:/resources/0/name", &long, "256");
    // The map is item 4, and the types, whose offset from there has no sign, are item 5.
    let pieces: Vec<String> = [0, 1, 2, 3, 5, 4, 6, 7, 8, 9, 10].map(|item| format!("{{\"item\": {item}}}")).to_vec();
    let pieces = format!("[{}]", pieces.join(", "));
    refused("Sounds.sndz", &wrapped(), "resource:/pieces", &pieces, "where the map begins");
    let sounds = sounds::build(&sounds::Spec::new(vec![Definition::new(0, vec![Sound::extended(2, vec![0; 8])])]));
    refused("Sounds.sndA", &sounds, "0:/sounds/0/samples", "\"00 00 00\"", "4");
}

/// A video or a sound is a raw file in the exchange format, so it has no document that could hold a value.
#[test]
fn values_of_raw_files_are_refused() {
    for sample in forge::samples(7, forge::Size::Tiny) {
        let Some((kind, games)) = recognize(KINDS, &sample.name, &sample.bytes).filter(|(kind, _)| kind.raw.is_some())
        else {
            continue;
        };
        let model = (kind.decode)(sample.bytes.clone().into()).unwrap().model;
        let about = About { kind, games: &games, sha256: Sha::of(&sample.bytes), deviations: &[] };
        for place in ["/chunks", "/chunks/0/id", "/new"] {
            let mut form = Edit::of(&model, about).unwrap();
            let set = form.set(&place.into(), parse(b"[]").unwrap(), true);
            // The values of a text with an encoding are checked when it is encoded.
            assert!(set.is_err() || form.pack(KINDS).is_err(), "{}: {place}", sample.name);
        }
    }
}

/// Values of a wad decide how its entries are read, so the entries cannot be taken over as bytes.
#[test]
fn values_that_parts_depend_on_are_set_as_in_whole_documents() {
    let file = |path: &str| std::fs::read(harness::golden_install().join(path)).unwrap();
    let terminals = file("m2/Maps/Terminals.sceA");
    let wrapped = macbinary::build(&macbinary::Spec::new(b"Terminals", terminals.clone(), vec![]));
    let cases = [
        ("Standard.phyA", file("m2/Physics Models/Standard.phyA"), "/chunk_header_size", "12"),
        ("Terminals.sceA", terminals.clone(), "/chunk_header_size", "12"),
        ("Terminals.sceA", terminals, "/data_version", "0"),
        ("Short Headers.sceA", file("mi/Maps/Short Headers.sceA"), "/chunk_header_size", "0"),
        ("Own Physics.sceA", file("mi/Maps/Own Physics.sceA"), "/data_version", "0"),
        ("Terminals", wrapped.clone(), "data:/chunk_header_size", "12"),
        ("Terminals", wrapped, "data!0!Minf:/level_name", "\"Elsewhere\""),
    ];
    let mut taken = Vec::new();
    for (name, file, place, json) in cases {
        let (kind, games) = recognize(KINDS, name, &file).unwrap();
        let model = (kind.decode)(file.clone().into()).unwrap().model;
        let about = About { kind, games: &games, sha256: Sha::of(&file), deviations: &[] };
        let made = |with_all: bool| {
            let mut form = Edit::of(&model, about).unwrap();
            let entries: Vec<String> = form.entries().map(|(entry, _)| entry.to_owned()).collect();
            for entry in entries.iter().filter(|_| with_all) {
                _ = form.get(&Address::of_entry(entry));
            }
            set(&mut form, place, json);
            Batch::default().pack(KINDS, form, (kind, name)).map_err(|why| why.to_string())
        };
        match (made(false), made(true)) {
            (Ok(some), Ok(all)) => {
                assert!(some.bytes == all.bytes && some.bytes != file, "{name}: {place}");
                // Headers of another size leave all contents as they were.
                if place.ends_with("chunk_header_size") {
                    let contents = |model, bytes: &[u8]| -> Vec<Vec<u8>> {
                        let chunks = spans(model).unwrap().into_iter().filter(|(_, span)| span.kind != "entry");
                        let chunks = chunks.filter(|(place, _)| place.matches('!').count() >= 1);
                        chunks.map(|(_, span)| span.of(bytes).unwrap().to_vec()).collect()
                    };
                    assert!(contents(&model, &file) == contents(&some.model, &some.bytes), "{name}: {place}");
                }
                taken.push((name, place));
            }
            (Err(_), Err(_)) => {}
            (some, all) => {
                let [some, all] = [some, all].map(|it| it.map(|it| it.bytes.len()));
                panic!("{name}: {place}: {some:?}, from all documents {all:?}");
            }
        }
    }
    let expected = [("Standard.phyA", "/chunk_header_size"), ("Terminals.sceA", "/chunk_header_size")];
    assert!(expected.iter().all(|it| taken.contains(it)), "{taken:?}");
    assert!(taken.contains(&("Terminals", "data!0!Minf:/level_name")), "{taken:?}");
}
