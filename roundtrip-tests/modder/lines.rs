//! Errors in JSON documents contain the file, the line and the column.

use std::collections::{BTreeMap, BTreeSet};

use bitexact::exchange::{About, Form, MANIFEST, contents};
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use forge::Size;

use super::{Desk, archive};
use crate::harness::{self, Files};

/// Marks the expected place of the error in a planted text. It is removed before the test.
const MARK: char = '\u{2192}';

fn unpacked(name: &str, bytes: &[u8]) -> Files {
    let (kind, _) = recognize(KINDS, name, bytes).unwrap_or_else(|| panic!("{name} is of a known kind"));
    harness::unpacked(kind, bytes)
}

fn installed(path: &str) -> Files {
    let bytes = std::fs::read(harness::golden_install().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    unpacked(path.rsplit('/').next().unwrap(), &bytes)
}

fn refused(files: Files) -> Option<String> {
    let packed = Form::parse(files).and_then(|form| form.pack(KINDS).map_err(|error| error.to_string()));
    packed.err()
}

fn text(files: &Files, file: &str) -> String {
    let bytes = files.get(file).unwrap_or_else(|| panic!("no {file} in {:?}", files.keys()));
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the line and column of an offset, as shown in an editor.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text[..offset].strip_prefix('\u{FEFF}').unwrap_or(&text[..offset]);
    let last = before.split('\n').next_back().unwrap();
    (before.split('\n').count(), last.chars().count() + 1)
}

/// Replaces the first occurrence of a text, and removes the mark. Returns the error, and its expected start.
fn planted(mut files: Files, file: &str, from: &str, to: &str) -> (String, String) {
    let before = text(&files, file);
    assert!(before.contains(from), "{from} in {file}: {before}");
    let marked = before.replacen(from, to, 1);
    let offset = marked.find(MARK).unwrap_or_else(|| panic!("no mark in {to}"));
    let after = marked.replace(MARK, "");
    let (line, column) = line_and_column(&after, offset);
    files.insert(file.to_owned(), after.into());
    let error = refused(files).unwrap_or_else(|| panic!("{file}: {to} was packed"));
    (error, format!("{file}:{line}:{column}: "))
}

#[test]
fn every_error_has_its_line_and_column() {
    let readers = || unpacked("reader.zbd", &archive());
    let (weapons, definition) = ("weapons.zrd.json", "definitions/0003 open_door2.json");
    let anim = || installed("pm/zbd/c1/anim.zbd");
    let scenario = || installed("m1/Maps/Comment.scen");
    let map = || installed("rc/maps/m1.zmap");
    let texture = || installed("pm/zbd/c1/texture.zbd");
    let image = |files: &Files| {
        let is_image = |file: &&String| file.ends_with(".json") && text(files, file).contains("\"picture\"");
        files.keys().find(is_image).expect("an image has a PNG").clone()
    };
    let picture = image(&texture());
    for (what, files, file, from, to, words) in [
        ("an error of syntax", readers(), weapons, "\"LASER\"", "→LASER", "expected value"),
        ("a wrong type", readers(), weapons, "5.0", "→true", "/0/1: expected a number, a string or a list, found true"),
        (
            "a value out of range",
            readers(),
            weapons,
            "3],",
            "→2147483648],",
            "/0/2: expected a whole number of 32 bits",
        ),
        ("a text of other characters", readers(), weapons, "\"LASER\"", "→\"\u{3bb}\"", "/0/0: expected characters of"),
        (
            "a missing kind",
            readers(),
            MANIFEST,
            "{\n  \"schema\": 3,\n  \"kind\": \"archive\",",
            "→{\n  \"schema\": 3,",
            "/kind: expected a supported kind",
        ),
        ("a missing member of a record", map(), MANIFEST, "\"data\": {\n    \"unk04\": 25,", "\"data\": →{", "/unk04"),
        (
            "an unknown member",
            readers(),
            MANIFEST,
            "\"version\": 2",
            "\"version\": 2, →\"versions\": 3",
            "no member versions",
        ),
        (
            "a second member",
            readers(),
            MANIFEST,
            "\"version\": 2",
            "\"version\": 2,\n →\"version\": 3",
            "duplicate key",
        ),
        ("a wrong item", map(), MANIFEST, "-981.5897", "→\"x\"", "/features/0/points/2/0: expected"),
        ("a list too short", map(), MANIFEST, "[-981.5897, ", "→[", "/features/0/points/2: expected a list of 3"),
        (
            "a wrong value in a part",
            anim(),
            definition,
            "\"two\": 2",
            "\"two\": →\"2\"",
            "/definitions/3/two: expected",
        ),
        ("an item of a part", anim(), definition, "\"run_time\": 0.5", "\"run_time\": →[]", "/run_time: expected"),
        ("a missing member of a part", anim(), definition, "{\n  \"anim_name\": \"open_door2\",", "→{", "/anim_name"),
        (
            "a surplus member of a part",
            anim(),
            definition,
            "\"two\": 2",
            "\"two\": 2, →\"three\": 3",
            "no member definitions/3/three",
        ),
        (
            "a name that nothing has",
            anim(),
            definition,
            "\"node\": \"hinge\"",
            "\"node\": →\"hedge\"",
            "expected an index or \"hinge\"",
        ),
        ("an entry in an entry", scenario(), "data/0/EPNT.json", "-1061", "→1061.0", "/endpoints/0/y: expected"),
        (
            "a table in an entry",
            scenario(),
            "data/0.json",
            "\"endpoints\"",
            "→\"corners\"",
            "a kind that this entry can have",
        ),
        (
            "a kind that is not known",
            readers(),
            MANIFEST,
            "\"reader\"",
            "→\"writer\"",
            "a kind that this entry can have",
        ),
        ("a kind that does not fit", scenario(), "data.json", "\"entry\"", "→\"exit\"", "expected entry, found exit"),
        ("a file that does not exist", readers(), MANIFEST, "\"weapons.zrd.json\"", "→\"lost.json\"", "no such file"),
        ("a kind of file", readers(), MANIFEST, "\"archive\"", "→\"archives\"", "/kind: expected a supported kind"),
        (
            "a schema",
            readers(),
            MANIFEST,
            "\"schema\": 3",
            "\"schema\": →2",
            "/schema: expected 3, as this version writes it (unpack the file again), found 2",
        ),
        ("a missing schema", readers(), MANIFEST, "{\n  \"schema\": 3,", "→{", "/schema: expected 3"),
        (
            "a surplus member of the head",
            readers(),
            MANIFEST,
            "\"schema\": 3",
            "\"schema\": 3, →\"note\": 2",
            "no member note",
        ),
        (
            "a size that its image does not have",
            texture(),
            &*picture,
            "\"picture\"",
            "\"width\": →77, \"picture\"",
            "/width: expected",
        ),
        ("a flag of an image", texture(), &*picture, "\"flags\": \"", "\"flags\": →\"X", "/flags: expected"),
        (
            "the file of an image",
            texture(),
            &*picture,
            &format!("\"{}\"", picture.replace(".json", ".png")),
            "→\"lost.png\"",
            "/picture: file lost.png is missing",
        ),
        (
            "a member that no image has",
            texture(),
            &*picture,
            "\"picture\"",
            "→\"frame\": 7, \"picture\"",
            "no member frame",
        ),
    ] {
        let (error, expected) = planted(files, file, from, to);
        assert!(error.starts_with(&expected) && error.contains(words), "{what}: {error}, not {expected}{words}");
        assert_eq!(error.matches(file).count(), 1, "{what}: the file is named once: {error}");
    }
}

#[test]
fn columns_count_characters_like_editors() {
    let files = || unpacked("reader.zbd", &archive());
    let file = "weapons.zrd.json";
    let plain = text(&files(), file);
    let one_line = plain.replace('\n', " ");
    for (what, before) in [
        ("CRLF", plain.replace('\n', "\r\n")),
        ("a mark of UTF-8", format!("\u{FEFF}{plain}")),
        ("both", format!("\u{FEFF}{}", plain.replace('\n', "\r\n"))),
        ("one line", one_line.clone()),
        ("a mark on one line", format!("\u{FEFF}{one_line}")),
        ("other characters", one_line.replace("LASER", "\u{e9}\u{20ac}\u{153}")),
    ] {
        for (from, to) in [("0.5", "\u{2192}true"), ("0.5", "\u{2192}tru")] {
            let mut files = files();
            files.insert(file.to_owned(), before.clone().into());
            let (error, mut expected) = planted(files, file, from, to);
            if to.ends_with("tru") {
                // The parser stops inside the word, at the first wrong character.
                let (file, column) = expected.trim_end_matches(": ").rsplit_once(':').unwrap();
                expected = format!("{file}:{}: ", column.parse::<usize>().unwrap() + 3);
            }
            assert!(error.starts_with(&expected), "{what}: {error}, not {expected}");
        }
    }
}

#[test]
fn pack_prints_a_path_that_leads_to_the_line() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    desk.replace("reader/weapons.zrd.json", "0.5", "true");
    let shown = text(&BTreeMap::from([(String::new(), desk.read("reader/weapons.zrd.json").into())]), "");
    let (line, column) = line_and_column(&shown, shown.find("true").unwrap());
    let expected =
        format!("reader/weapons.zrd.json:{line}:{column}: /1/1: expected a number, a string or a list, found true");
    for folder in ["reader", "reader/"] {
        let said = desk.run(&["pack", folder, "out.zbd"]);
        assert_eq!((said.code, said.err), (2, format!("bitexact: {expected}\n")));
    }
}

/// A count can be too large when the file is laid out: an offset in a file that is never written would be useless.
#[test]
fn error_of_a_count_has_its_line_and_no_offset() {
    let mut files = installed("pm/zbd/motion/thor_landf.motion");
    let mut head = bitexact::exchange::parse(&files[MANIFEST]).unwrap();
    let part = ["data", "parts", "0"].into_iter().try_fold(&mut head, |json, key| json.step_mut(key)).unwrap();
    assert!(part.take_member("rotations").is_some());
    files.insert(MANIFEST.to_owned(), bitexact::exchange::print(&head).into());
    let error = refused(files).expect("it is refused");
    assert!(error.starts_with("bitexact.json:") && error.contains("/parts/0/rotations: expected"), "{error}");
    assert!(!error.contains("0x"), "{error}");
}

#[test]
fn null_is_reported_at_its_start() {
    let (error, begin) = planted(unpacked("reader.zbd", &archive()), "weapons.zrd.json", "0.5", "\u{2192}null");
    assert!(error.starts_with(&begin), "{error}, not {begin}");
}

/// Returns the start and end of the scalars in a text.
fn scalars(text: &str) -> Vec<(usize, usize)> {
    let (bytes, mut at, mut found) = (text.as_bytes(), 0, Vec::new());
    while at < bytes.len() {
        let begin = at;
        at += 1;
        match bytes[begin] {
            b'"' => {
                while bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                if bytes.get(at) != Some(&b':') {
                    found.push((begin, at));
                }
            }
            byte if byte == b'-' || byte.is_ascii_alphanumeric() => {
                while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)) {
                    at += 1;
                }
                found.push((begin, at));
            }
            _ => {}
        }
    }
    found
}

/// Returns `true` if the value or member at an offset contains the whole range.
fn holds(text: &str, offset: usize, (begin, end): (usize, usize)) -> bool {
    let value = |from: usize| {
        let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<serde_json::Value>();
        values.next().is_some_and(|value| value.is_ok()).then(|| from + values.byte_offset())
    };
    let Some(last) = value(offset) else { return false };
    // The offset of a member is that of its name.
    let last = text[last..].strip_prefix(':').map_or(Some(last), |rest| value(text.len() - rest.len()));
    offset <= begin && last.is_some_and(|last| last >= end)
}

/// In each document one scalar is replaced by an object: either that packs, or the error leads to it.
#[test]
fn invalid_value_in_any_document_is_reported_with_its_line() {
    const PLANTED: &str = "{\"x\": []}";
    let (mut count, mut kinds, mut lost) = (0, BTreeSet::new(), Vec::new());
    for case in harness::forged(Size::Tiny, "tiny") {
        let Ok(decoded) = (case.kind.decode)(case.bytes.clone().into()) else { continue };
        let about = About { kind: case.kind, games: &[], sha256: Sha::of(&case.bytes), deviations: &[] };
        let files = contents(&decoded.model, about).unwrap().files;
        for (nth, file) in files.keys().enumerate().filter(|(_, file)| file.ends_with(".json")) {
            let before = text(&files, file);
            let scalars = scalars(&before);
            // The choice depends on the names alone.
            let pick =
                case.name.bytes().chain(file.bytes()).fold(nth, |sum, byte| sum * 31 % 65_521 + usize::from(byte));
            let Some(&(begin, end)) = scalars.get(pick % scalars.len().max(1)) else { continue };
            let after = format!("{}{PLANTED}{}", &before[..begin], &before[end..]);
            let mut edited = files.clone();
            edited.insert(file.clone(), after.clone().into());
            let Some(error) = refused(edited.clone()) else { continue };
            count += 1;
            kinds.insert(case.kind.name);
            let spot = error.split(": ").next().unwrap_or_default();
            let mut parts = spot.rsplitn(3, ':');
            let mut number = || parts.next().and_then(|part| part.parse::<usize>().ok());
            let (column, line) = (number(), number());
            let leads = line.zip(column).zip(parts.next()).is_some_and(|((line, column), named)| {
                let Some(shown) = edited.get(named) else { return false };
                let shown = std::str::from_utf8(shown).unwrap();
                let row = shown.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
                let column = shown[row..].char_indices().nth(column - 1).map_or(0, |(at, _)| at);
                named == file && holds(shown, row + column, (begin, begin + PLANTED.len()))
            });
            if !leads {
                lost.push(format!("{}: {file}: {:?}: {error}", case.name, &before[begin..end]));
            }
        }
    }
    assert!(lost.is_empty(), "{} of {count} errors do not lead to what is wrong:\n{}", lost.len(), lost.join("\n"));
    assert!(count > 1000 && kinds.len() > 15, "{count} {kinds:?}");
}
