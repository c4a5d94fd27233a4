//! The whole entries of containers that are cut.

use bitexact::kind::named;
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};

use super::Desk;
use crate::harness::sample;

/// Returns the entries of a whole container at the outermost level, in file order: the label, and the place in the file.
fn entries(kind: &str, file: &[u8]) -> Vec<(String, std::ops::Range<usize>)> {
    let model = (named(KINDS, kind).unwrap().decode)(file.to_vec().into()).unwrap().model;
    let spans = spans(&model).unwrap();
    let outer = spans.into_iter().filter(|(entry, _)| !entry.contains('!'));
    let place = |it: u64| usize::try_from(it).unwrap();
    let mut entries: Vec<_> = outer.map(|(entry, span)| (entry, place(span.begin)..place(span.end))).collect();
    entries.sort_by_key(|(_, span)| span.start);
    entries
}

/// Source: `nwn-erf.md`, section 1.
#[test]
fn resources_of_a_cut_container_are_written() {
    let whole = sample("module.mod");
    let all = entries("erf", &whole);
    let (last, lost) = all.last().unwrap();
    let desk = Desk::of(&[("town.mod", &whole[..lost.end - 1])]);
    let refused = desk.run(&["unpack", "town.mod", "folder"]);
    let advice = format!("; `bitexact unpack --salvage town.mod` writes {} whole entries\n", all.len() - 1);
    assert!(refused.code == 2 && refused.err.ends_with(&advice), "{}", refused.err);
    let said = desk.ok(&["unpack", "--salvage", "town.mod", "rest"]);
    let words =
        format!("rest: wrote {} whole entries (erf); the folder cannot be packed\nlost: {last}\n", all.len() - 1);
    assert_eq!(said.err, words);
    for (entry, place) in &all[..all.len() - 1] {
        assert_eq!(desk.read(&format!("rest/{entry}")), whole[place.clone()], "{entry}");
    }
    assert!(!desk.path(&format!("rest/{last}")).exists());
    // What is whole is no case for it.
    desk.write("whole.mod", &whole);
    let said = desk.run(&["unpack", "--salvage", "whole.mod", "other"]);
    assert!(
        said.code == 2 && said.err.contains("decodes as a whole (erf); unpack it without --salvage"),
        "{}",
        said.err
    );
    assert!(!desk.path("other").exists());
    let said = desk.run(&["unpack", "--salvage", "town.mod", "rest"]);
    assert!(said.code == 2 && said.err.contains("is not empty"), "{}", said.err);
}

/// Wherever it is cut, all that lies before the cut is written, and nothing else.
#[test]
fn containers_cut_anywhere_give_back_what_lies_before_the_cut() {
    for (name, kind) in [
        ("module.mod", "erf"),
        ("rc_soundsl.zbd", "archive"),
        ("mw_reader.zbd", "archive"),
        ("mw_motion.zbd", "archive"),
    ] {
        let whole = sample(name);
        let all = entries(kind, &whole);
        for cut in (0..20).map(|nth| whole.len() * nth / 20) {
            let kept: Vec<&[u8]> =
                all.iter().filter(|(_, it)| it.end <= cut).map(|(_, it)| &whole[it.clone()]).collect();
            let salvaged = bitexact::exchange::salvaged(named(KINDS, kind).unwrap(), &whole[..cut].to_vec().into());
            let files = salvaged.map(|it| it.files).unwrap_or_default();
            let mut found: Vec<&[u8]> = files.values().map(|bytes| &bytes[..]).collect();
            let mut expected = kept.clone();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found.len(), expected.len(), "{name} cut at {cut}");
            assert!(found == expected, "{name} cut at {cut}");
        }
    }
}

#[test]
fn archive_without_its_beginning_gives_back_what_is_behind_it_by_name() {
    let whole = sample("mw_reader.zbd");
    let all = entries("archive", &whole);
    let from = all[0].1.end - 3;
    let desk = Desk::of(&[("reader.zbd", &whole[from..])]);
    let said = desk.ok(&["unpack", "--salvage", "reader.zbd", "rest"]);
    assert!(said.err.contains(&format!("\nlost: {}\n", all[0].0)), "{}", said.err);
    for (entry, place) in &all[1..] {
        assert_eq!(desk.read(&format!("rest/{entry}")), whole[place.clone()], "{entry}");
    }
}

/// Source: `marathon-wad.md`, sections 2 and 6.
#[test]
fn levels_of_a_cut_wad_become_wads() {
    let whole = sample("m2_map_merged.sceA");
    let all = entries("wad", &whole);
    assert!(all.len() > 1);
    let lost = all.last().unwrap().1.clone();
    for cut in [lost.end - 1, lost.start + 1] {
        let desk = Desk::of(&[("Map.sceA", &whole[..cut])]);
        let said = desk.ok(&["unpack", "--salvage", "Map.sceA", "rest"]);
        assert!(said.err.contains("lost: 1 more entry without a name\n"), "{}", said.err);
        let files = desk.all("rest");
        let wads: Vec<&String> = files.iter().filter(|it| it.ends_with(".sceA")).collect();
        assert_eq!(wads.len(), all.len() - 1, "{files:?}");
        for (wad, (_, place)) in wads.into_iter().zip(&all) {
            let bytes = desk.read(&format!("rest/{wad}"));
            let report = verify(KINDS, wad, bytes.clone());
            assert_eq!((report.status, report.kind), (Status::Identical, Some("wad")), "{wad}");
            assert!(!report.deviations.iter().any(|it| it.place == "/checksum"), "{wad}: {:?}", report.deviations);
            let [(_, inner)] = &entries("wad", &bytes)[..] else { panic!("{wad}: one entry") };
            assert!(bytes[inner.clone()] == whole[place.clone()], "{wad}");
        }
    }
}

#[test]
fn only_a_new_folder_is_written() {
    let whole = sample("module.mod");
    let desk = Desk::of(&[("cut.mod", &whole[..whole.len() - 1]), ("notes.txt", b"notes"), ("full/a.txt", b"a")]);
    let cut = desk.read("cut.mod");
    for (to, why) in [
        ("notes.txt", "is a file; name a new folder"),
        ("cut.mod", "is a file; name a new folder"),
        ("full", "is not empty; choose a new folder"),
    ] {
        let said = desk.run(&["unpack", "--salvage", "cut.mod", to]);
        assert!(said.code == 2 && said.err.contains(why), "{to}: {}", said.err);
        assert!(desk.read("cut.mod") == cut && desk.read("notes.txt") == b"notes" && desk.read("full/a.txt") == b"a");
    }
}

#[test]
fn files_without_whole_entries_are_refused() {
    let cut = sample("m1.zmap");
    let desk = Desk::of(&[("m1.zmap", &cut[..cut.len() - 5]), ("notes.txt", b"notes")]);
    for (file, why) in
        [("m1.zmap", "no entry of this file (zmap) can be found"), ("notes.txt", "unsupported format: plain-text")]
    {
        let said = desk.run(&["unpack", "--salvage", file, "rest"]);
        assert!(said.code == 2 && said.err.contains(why) && !desk.path("rest").exists(), "{}", said.err);
    }
}
