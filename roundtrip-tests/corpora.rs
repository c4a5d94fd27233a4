//! The sample files beside the project, if present: the number per kind, and the remaining deviations.

use std::collections::BTreeMap;
use std::path::Path;

use bitexact::field::{Class, decode};
use bitexact::install::files;
use bitexact::kind::Format as _;
use bitexact::registry::KINDS;
use bitexact::verify::{Report, Status, VerifyOptions, verify, verify_with};
use bitexact::zipper::texture::contact_sheet;
use bitexact::zipper::texture::{Image, Package, png};

use crate::harness;

fn reports(folder: &Path) -> Vec<(String, Report)> {
    let report = |file: &bitexact::install::Found| {
        verify_with(KINDS, &file.name(), file.read().unwrap(), VerifyOptions::default().entries(true))
    };
    files(folder).unwrap().iter().map(|file| (file.shown(), report(file))).collect()
}

/// Returns the number of identical files of each kind, and checks that none is different, refused or undecoded.
fn identical(reports: &[(String, Report)]) -> BTreeMap<&'static str, usize> {
    let mut kinds = BTreeMap::new();
    for (path, report) in reports {
        assert!(!matches!(report.status, Status::Different | Status::Refused), "{path}: {:?}", report.failure);
        assert!(report.undecoded.is_empty(), "{path}: {:?}", report.undecoded);
        if let (Status::Identical, Some(kind)) = (report.status, report.kind) {
            assert_eq!(report.rewritten, report.sha256, "{path}");
            *kinds.entry(kind).or_default() += 1;
        }
    }
    kinds
}

#[test]
fn marathon() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let reports = reports(&corpora.join("marathon"));
    let counts = [
        ("applesingle", 4),
        ("film", 9),
        ("macbinary", 3),
        ("physics", 1),
        ("picture", 6),
        ("resources", 1),
        ("shapes-patch", 12),
        ("wad", 42),
    ];
    assert_eq!(identical(&reports), BTreeMap::from(counts));
    for (path, report) in &reports {
        // `marathon-wad.md`, section 12.
        if ["wad", "film", "physics", "picture", "shapes-patch"].contains(&report.kind.unwrap_or_default()) {
            assert_eq!(report.census.unwrap().of(Class::Opaque), 0, "{path}");
        }
    }
    // Values derived from the geometry of a level match in all levels of Marathon, and in all that were processed; an
    // editor leaves some of them to other programs (`marathon-map.md`).
    let mut deviating: BTreeMap<&str, u64> = BTreeMap::new();
    for deviation in reports.iter().flat_map(|(_, report)| &report.deviations) {
        *deviating.entry(&deviation.place).or_default() += deviation.count;
    }
    let expected = [
        ("*!LINS:/lines/*/highest_adjacent_floor", 247),
        ("*!LINS:/lines/*/length", 8),
        ("*!LINS:/lines/*/lowest_adjacent_ceiling", 269),
        ("*!POLY:/polygons/*/area", 7263),
        ("*!POLY:/polygons/*/center", 7269),
        // Side 197 of `eternal-The-Philosophy-Of-Time-Travel.sceA` is a panel for the third terminal of two.
        ("*!SIDS:/sides/*/permutation", 1),
        ("/checksum", 1),
        ("/trailing", 4),
        ("data:/checksum", 1),
    ];
    assert_eq!(deviating, BTreeMap::from(expected));
}

#[test]
fn zipper() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let reports = reports(&corpora.join("zipper"));
    let counts =
        [("anim", 32), ("archive", 102), ("gamez", 42), ("interp", 8), ("messages", 8), ("texture", 78), ("zmap", 12)];
    assert_eq!(identical(&reports), BTreeMap::from(counts));
    let mut off_by_the_last_bit = 0;
    let mut deviating: BTreeMap<String, u64> = BTreeMap::new();
    for (path, report) in reports.iter().filter(|(_, report)| report.status == Status::Identical) {
        // The nodes in saves are not understood, and code is not data.
        if !path.ends_with(".mw3") && report.kind != Some("messages") {
            assert_eq!(report.census.unwrap().of(Class::Opaque), 0, "{path}");
        }
        for deviation in &report.deviations {
            match report.kind {
                // The compiler of animations computed with unrounded numbers.
                Some("anim") if deviation.place.ends_with("_delta") => off_by_the_last_bit += deviation.count,
                Some("gamez") => *deviating.entry(deviation.place.clone()).or_default() += 1,
                _ => panic!("{path}: {deviation:?}"),
            }
        }
    }
    // `zipper-anim-events.md`, section 0.3.
    assert_eq!(off_by_the_last_bit, 26);
    // The samples were generated without regard to these rules: `zipper-gamez.md`, sections 3 and 9,
    // `zipper-models.md`, section 2.2, `zipper-nodes.md`, section 6.4.
    let known = [
        ("/models/free_head", 5),
        ("/models/slots/*/bbox_diag", 12),
        ("/models/slots/*/bbox_mid", 12),
        ("/node_free_head", 20),
        ("/nodes/slots/*/object/transform", 3),
    ];
    assert_eq!(deviating, known.map(|(path, files)| (path.to_owned(), files)).into());
}

#[test]
fn archives_are_recognized_without_their_names() {
    let mut folders = vec![harness::golden_install()];
    folders.extend(harness::corpora().map(|corpora| corpora.join("zipper")));
    let mut known = 0;
    for file in folders.iter().flat_map(|folder| files(folder).unwrap()) {
        let bytes = file.read().unwrap();
        let named = verify(KINDS, &file.name(), bytes.clone());
        if matches!(named.kind, Some("archive" | "interp" | "wave" | "text-reader")) {
            let alone = verify(KINDS, "x7f3", bytes);
            assert_eq!((alone.status, alone.kind), (Status::Identical, named.kind), "{}", file.shown());
            assert_eq!((alone.rewritten, alone.census), (named.rewritten, named.census), "{}", file.shown());
            known += 1;
        }
    }
    assert!(known > 30, "only {known} files");
}

#[test]
fn textures_round_trip_as_png() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let mut images = 0;
    for file in files(&corpora.join("zipper")).unwrap() {
        let bytes = file.read().unwrap();
        if verify(KINDS, &file.name(), bytes.clone()).kind != Some(Package::NAME) {
            continue;
        }
        let package = decode::<Package>(bytes).unwrap().model;
        for (item, image) in package.images.iter().enumerate() {
            let palette = package.palette_of(item);
            let pngs = png::export(image, palette).unwrap();
            // Only the PNG contains the image's own palette.
            let onto = Image { head: image.head, ..Image::default() };
            assert_eq!(png::import(&pngs, &onto, palette).unwrap(), *image, "{}", file.shown());
            images += 1;
        }
        contact_sheet(&package).unwrap();
    }
    assert_eq!(images, 786);
}

/// Otherwise a test would depend on files that a newcomer does not have, and `.ci/run` could not hide them.
#[test]
fn only_the_harness_looks_beside_the_project() {
    let mut seen = 0;
    for file in files(&harness::root().join("roundtrip-tests")).unwrap() {
        let text = String::from_utf8_lossy(&file.read().unwrap()).into_owned();
        let words = ["..", "shared"].join("/");
        let looks = text.lines().any(|line| line.contains(&words) && !line.trim_start().starts_with("//"));
        assert!(!looks || file.path.ends_with("harness/mod.rs"), "{}: use `harness::beside`", file.shown());
        seen += usize::from(looks);
    }
    assert_eq!(seen, 1);
}
