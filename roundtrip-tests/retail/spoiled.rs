//! Files of every kind that something has happened to as a whole: they are named as what they are, and bytes are said to be missing only
//! if they are.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bitexact::field::memory;
use bitexact::passes::extra;
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::{Status, verify};
use bytes::Bytes;
use forge::{Size, samples};

use super::lost::{name, ordinary};
use super::{Desk, texts};
use crate::harness::sample;

/// What has happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spoil {
    Empty,
    WebPage,
    ZerosAfter,
    TextAfter,
    TextMode,
    Utf8,
    Utf8Lossy,
}

/// The ids of traps that say that bytes are missing.
const MISSING: [&str; 7] =
    ["file-cut", "script-cut", "sound-cut", "zeros-at-end", "zeros-in-file", "zeros-in-gap", "zeros-in-packed"];

impl Spoil {
    const ALL: [Self; 7] =
        [Self::Empty, Self::WebPage, Self::ZerosAfter, Self::TextAfter, Self::TextMode, Self::Utf8, Self::Utf8Lossy];

    fn of(self, whole: &[u8]) -> Vec<u8> {
        match self {
            Self::Empty => Vec::new(),
            Self::WebPage => b"<!DOCTYPE html>\r\n<html><head><title>404 Not Found</title></head></html>\r\n".to_vec(),
            // Fewer than would be half of the file, which is rather lost than followed by zeros.
            Self::ZerosAfter => [whole, &vec![0; (whole.len() / 3).clamp(1, 1939)]].concat(),
            Self::TextAfter => [whole, b"copied by FastCopy."].concat(),
            Self::TextMode => whole
                .iter()
                .flat_map(|byte| if *byte == b'\n' { &b"\r\n"[..] } else { core::slice::from_ref(byte) })
                .copied()
                .collect(),
            Self::Utf8 => whole.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes(),
            Self::Utf8Lossy => String::from_utf8_lossy(whole).into_owned().into_bytes(),
        }
    }

    /// The trap that names it.
    fn id(self) -> &'static str {
        match self {
            Self::Empty => "file-empty",
            Self::WebPage => "file-is-web-page",
            Self::ZerosAfter | Self::TextAfter => "extra-bytes",
            Self::TextMode => "file-in-text-mode",
            Self::Utf8 | Self::Utf8Lossy => "file-as-unicode",
        }
    }
}

#[test]
fn spoiled_files_of_every_kind_are_named_as_what_they_are() {
    let mut table: BTreeMap<(&str, Spoil), BTreeMap<String, usize>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for it in ordinary() {
        let name = name(&it);
        for spoil in Spoil::ALL {
            let bytes = spoil.of(&it.bytes);
            if bytes == it.bytes {
                continue;
            }
            let report = verify(KINDS, &name, bytes.clone());
            let ids: Vec<_> = report.damage.iter().map(|it| it.trap.id).collect();
            let mut words =
                format!("{} {}", report.status.name(), if ids.is_empty() { "-".to_owned() } else { ids.join(" ") });
            if let Spoil::ZerosAfter | Spoil::TextAfter = spoil {
                let file = Bytes::from(bytes.clone());
                let found = recognize(KINDS, &name, &bytes).and_then(|(kind, _)| extra(kind, &file, memory::allowed()));
                words += match found {
                    Some(extra) if extra == (it.bytes.len()..bytes.len()) => ", trimmed",
                    Some(_) => ", trimmed wrongly",
                    None => ", kept",
                };
            }
            if ids.iter().any(|id| MISSING.contains(id)) || words.contains("wrongly") {
                wrong.push(format!("{} {name} {spoil:?}: {words}: {:?}", it.kind, report.failure));
            }
            // A file whose name no kind claims can be anything.
            let is_claimed = KINDS.iter().any(|kind| kind.claims(&name));
            let is_named = ids.contains(&spoil.id());
            if is_claimed && matches!(spoil, Spoil::Empty | Spoil::WebPage) && !is_named {
                wrong.push(format!("{} {name} {spoil:?}: {words}", it.kind));
            }
            *table.entry((it.kind, spoil)).or_default().entry(words).or_default() += 1;
        }
    }
    let mut text = String::new();
    for ((kind, spoil), found) in &table {
        let found: Vec<_> = found.iter().map(|(words, count)| format!("{count} {words}")).collect();
        writeln!(text, "{kind} {spoil:?}: {}", found.join(", ")).unwrap();
    }
    insta::with_settings!({snapshot_path => "../../golden/snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("spoiled_files", text);
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns a padded archive of readers: 1,939 zeros up to a multiple of the size of a sector, as discs and old copiers pad.
fn padded() -> (Vec<u8>, Vec<u8>) {
    let whole = sample("mw_reader.zbd");
    let padded = [&whole[..], &[0; 1939]].concat();
    (whole, padded)
}

#[test]
fn padded_file_is_trimmed_by_patch() {
    let (whole, padded) = padded();
    let desk = Desk::of([("reader.zbd", &padded[..])]);
    let said = desk.run(&["verify", "reader.zbd"]);
    let expected = format!(
        "extra: /: other bytes follow the file (1,939 extra zero bytes from {:#x}); without them the file decodes: ",
        whole.len()
    );
    assert!(said.code == 1 && said.out.contains(&expected) && !said.out.contains("damaged:"), "{}", said.out);
    let (_, rows) = desk.rows(&["reader.zbd"]);
    assert_eq!(
        (texts(&rows[0]["damage"], "id"), texts(&rows[0]["damage"], "severity")),
        (vec!["extra-bytes"], vec!["extra"])
    );

    let said = desk.run(&["patch", "reader.zbd", "--trim", "--dry-run"]);
    assert!(
        said.code == 0 && said.out.contains("1,939 bytes after the end of the file removed"),
        "{}{}",
        said.out,
        said.err
    );
    assert_eq!(std::fs::read(desk.path("reader.zbd")).unwrap(), padded);
    let said = desk.run(&["patch", "reader.zbd", "--trim", "--output", "whole.zbd"]);
    assert!(said.code == 0, "{}", said.err);
    assert_eq!(
        [std::fs::read(desk.path("reader.zbd")).unwrap(), std::fs::read(desk.path("whole.zbd")).unwrap()],
        [padded, whole.clone()]
    );
    let said = desk.run(&["patch", "reader.zbd", "--trim", "--backup"]);
    assert!(said.code == 0, "{}", said.err);
    assert_eq!(std::fs::read(desk.path("reader.zbd")).unwrap(), whole);
    assert!(desk.path("reader.zbd.bak").is_file());
    let said = desk.run(&["patch", "reader.zbd", "--trim"]);
    assert!(said.code == 0 && said.err.contains("no changes"), "{}", said.err);
}

/// Of files that decode with what follows them, too.
#[test]
fn bytes_after_a_file_that_decodes_are_trimmed() {
    for it in samples(1, Size::Tiny).into_iter().filter(|it| it.trap.is_none() && it.kind == "gamez") {
        let desk = Desk::of([(&*it.name, &[&it.bytes[..], b"copied by FastCopy."].concat()[..])]);
        assert_eq!(desk.run(&["verify", &it.name]).code, 0);
        let said = desk.run(&["patch", &it.name, "--trim"]);
        assert!(said.code == 0, "{}", said.err);
        assert_eq!(std::fs::read(desk.path(&it.name)).unwrap(), it.bytes, "{}", it.name);
    }
}

#[test]
fn what_cannot_be_trimmed_is_left_unchanged() {
    let (whole, _) = padded();
    let cut = &whole[..whole.len() - 100];
    let desk = Desk::of([("reader.zbd", cut)]);
    let said = desk.run(&["patch", "reader.zbd", "--trim"]);
    assert!(said.code == 2 && said.err.contains("reader.zbd: "), "{}", said.err);
    assert_eq!(std::fs::read(desk.path("reader.zbd")).unwrap(), cut);
    desk.write("reader.zbd", &whole);
    let said = desk.run(&["patch", "reader.zbd!any.zrd", "--trim"]);
    assert!(said.code == 2 && said.err.contains("--trim is for whole files"), "{}", said.err);
}

/// A page and an empty file are damage under a name of the game only.
#[test]
fn web_pages_and_empty_files_under_other_names_are_no_damage() {
    for (name, bytes, status) in [
        ("index.html", &b"<html></html>"[..], Status::Foreign),
        ("notes", b"", Status::Unknown),
        ("page.dat", b"<HTML>", Status::Foreign),
    ] {
        let report = verify(KINDS, name, bytes.to_vec());
        assert_eq!((report.status, report.damage.len()), (status, 0), "{name}");
    }
}

/// A sound archive with 16 kB of what disks and tools write in place of lost bytes.
#[test]
fn runs_of_a_byte_and_of_words_in_samples_are_named() {
    let mut wave = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0data".to_vec();
    wave.extend(40_000_u32.to_le_bytes());
    wave.extend((0..40_000_u32).map(|at| u8::try_from(at % 200 + 1).unwrap()));
    let size = u32::try_from(wave.len() - 8).unwrap();
    wave[4..8].copy_from_slice(&size.to_le_bytes());
    let filled = |word: &[u8]| {
        let mut wave = wave.clone();
        wave[10_000..26_384].iter_mut().zip(word.iter().cycle()).for_each(|(byte, with)| *byte = *with);
        wave
    };
    for (word, id, severity, found) in [
        (&b"\xFF"[..], "byte-in-samples", "suspect", "16384 bytes of FF from 0x2710"),
        (b"\xF6", "byte-in-samples", "suspect", "16384 bytes of F6 from 0x2710"),
        (b"\xDE\xAD\xBE\xEF", "word-repeated", "damaged", "16384 bytes of DEADBEEF from 0x2710"),
        (b"BADSECT!", "word-repeated", "damaged", "16384 bytes of \"BADSECT!\" from 0x2710"),
        (b"UNREADABLESECTOR", "word-repeated", "damaged", "16384 bytes of \"UNREADABLESECTOR\" from 0x2710"),
    ] {
        let report = verify(KINDS, "a.wav", filled(word));
        let damage: Vec<_> =
            report.damage.iter().map(|it| (it.trap.id, it.trap.scope.severity().unwrap(), &*it.found)).collect();
        assert_eq!((report.status, damage), (Status::Identical, vec![(id, severity, found)]));
    }
    for silence in [0x80, 0x7F, 0x41, 0x01] {
        assert_eq!(verify(KINDS, "a.wav", filled(&[silence])).damage.len(), 0, "{silence:#04x}");
    }
}
