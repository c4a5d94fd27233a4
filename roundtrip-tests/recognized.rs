//! The kinds that files are recognized as by their content. The corpora cover ordinary files; the files here are built to resemble others.

use bitexact::field::decode;
use bitexact::kind::Game;
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::verify;
use bitexact::zipper::archive::{Archive, Content};
use forge::archive::{self, Entry, Spec, build};

use crate::harness::{kind, sample};

/// Returns an archive of version 1.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let entries = entries.iter().map(|(name, data)| Entry::new(name.as_bytes(), data.to_vec())).collect();
    build(&Spec::new(1, archive::Content::Unknown, entries))
}

fn content(file: &[u8]) -> Content {
    decode::<Archive>(file.to_vec()).expect("decodes").model.content
}

fn games(file: &[u8]) -> Option<Vec<Game>> {
    (kind("archive").recognize)(file)
}

/// Source: `zipper-archives.md`, section 7, step 2.
#[test]
fn table_needs_entries_before_it_and_printable_names() {
    let ordinary = archive(&[("one", b"abcd"), ("two", b"efgh")]);
    assert!(games(&ordinary).is_some());
    let table = ordinary.len() - 8 - 2 * 148;
    // The name of the second entry, then its length.
    let (mut unprintable, mut long) = (ordinary.clone(), ordinary.clone());
    unprintable[table + 148 + 8] = 7;
    long[table + 148 + 4] = 5;
    assert_eq!([games(&unprintable), games(&long)], [None, None]);
}

/// Source: `zipper-archives.md`, section 7, step 3.
#[test]
fn canonical_table_comes_first_then_version_2() {
    let version = |file: &[u8]| decode::<Archive>(file.to_vec()).expect("decodes").model.footer.version.get();
    let canonical = sample("reader_time_2.zbd");
    assert_eq!(version(&canonical), 1);
    // With a gap before its entry, neither table is canonical.
    let mut gap = [b"gap ", &canonical[..]].concat();
    let start = gap.len() - 8 - 148;
    gap[start] = 4;
    assert_eq!(version(&gap), 2);
}

/// Source: `zipper-archives.md`, section 7, step 4.
#[test]
fn save_of_crimson_skies_has_a_header_of_12_bytes_that_begins_with_12() {
    let [long, other, short] = [&[12, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0][..], &[11; 12], &[12, 0, 0, 0, 1, 0, 0, 0]];
    assert_eq!(content(&archive(&[("zSaveHeader", long), ("state", b"1")])), Content::SAVE_OF_CRIMSON_SKIES);
    assert_eq!(content(&archive(&[("zSaveHeader", other), ("state", b"1")])), Content::SAVE);
    assert_eq!(content(&archive(&[("zSaveHeader", short), ("state", b"1")])), Content::SAVE);
    assert_eq!(content(&archive(&[("state", long), ("zSaveHeader", short)])), Content::SAVE);
    assert_eq!(content(&archive(&[("state", long), ("another", short)])), Content::UNKNOWN);
    assert_eq!(games(&archive(&[("zSaveHeader", long)])), Some(vec![Game::CrimsonSkies]));
    assert_eq!(games(&archive(&[("zSaveHeader", short)])), Some(vec![Game::MechWarrior3]));
    assert_eq!(games(&archive(&[("state/a", short)])), Some(vec![Game::Recoil]));
}

/// Source: `zipper-archives.md`, section 7, step 4.
#[test]
fn mech_library_has_all_three_entries() {
    let [format, version, materials] = ["format", "version", "materials"].map(|name| (name, &[0, 0, 0, 0][..]));
    assert_eq!(content(&archive(&[materials, format, version])), Content::MECHLIB);
    for two in [[format, version], [format, materials], [version, materials]] {
        assert_ne!(content(&archive(&two)), Content::MECHLIB, "{two:?}");
    }
}

/// Source: `zipper-archives.md`, section 7, step 4.
#[test]
fn purpose_of_odd_entries_follows_from_the_endings_of_all_names() {
    let holds = |file: &[u8]| (kind("archive").holds)(file);
    let odd = &b"no value"[..];
    for (names, purpose, words) in [
        (["a.wav", "b.WAV"], Content::SOUNDS, Some("sounds")),
        (["a.zrd", "b.ZRD"], Content::READER, Some("readers")),
        (["a.zrd", "b.wav"], Content::UNKNOWN, None),
    ] {
        let file = archive(&names.map(|name| (name, odd)));
        assert_eq!((content(&file), holds(&file)), (purpose, words), "{names:?}");
    }
    let save = archive(&[("zSaveHeader", odd)]);
    assert_eq!(holds(&save), Some("saved states"));
    assert_eq!(holds(&sample("mw_motion.zbd")), Some("motions"));
}

#[test]
fn archive_without_a_table_is_cut_only_if_it_begins_like_one() {
    let refused = |file: &[u8]| {
        let failure = verify(KINDS, "sounds.zbd", file.to_vec()).failure;
        format!("{failure:?}")
    };
    let sounds = sample("mw_soundsL.zbd");
    let [cut, noise] = [&sounds[..sounds.len() / 2], &[0xA5; 400]].map(refused);
    assert!(cut.contains("Cut") && noise.contains("Unknown"), "{cut} {noise}");
}

/// Certificates have the ending `.key` too.
#[test]
fn key_begins_with_its_name() {
    let named = |file: &[u8]| recognize(KINDS, "chitin.key", file).map(|(kind, _)| kind.name);
    assert_eq!(named(b"KEY V9.9, which nobody has seen"), Some("key"));
    assert_eq!(named(b"-----BEGIN RSA PRIVATE KEY-----"), None);
}
