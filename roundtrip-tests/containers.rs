//! Every container lists its entries via one trait, and they match those of a walk.

use std::collections::BTreeSet;

use bitexact::aurora::bif::Bif;
use bitexact::aurora::erf::Erf;
use bitexact::field::{decode, walk};
use bitexact::kind::{Container, Format};
use bitexact::marathon::applesingle::AppleSingle;
use bitexact::marathon::film::Film;
use bitexact::marathon::macbinary::MacBinary;
use bitexact::marathon::resources::ResourceFork;
use bitexact::marathon::shapes::Shapes;
use bitexact::marathon::sounds::{Sounds, SoundsPatch};
use bitexact::marathon::wad::Wad;
use bitexact::passes::spans;
use bitexact::zipper::archive::Archive;
use bitexact::zipper::interp::Interp;
use bitexact::zipper::messages::Dll;
use bitexact::zipper::rof::Rof;
use bitexact::zipper::texture::Package;
use forge::Size;

use crate::harness::{self, Case};

/// Compares the entries of a container with the spans of a walk through it: names, kinds, bytes. Returns their number.
fn compare<F: Format + Container>(case: &Case) -> usize {
    let Case { name, bytes, .. } = case;
    let model = decode::<F>(bytes.clone()).unwrap_or_else(|error| panic!("{name}: {error}")).model;
    let spans = spans(&model).unwrap_or_else(|error| panic!("{name}: {error}"));
    let walked: Vec<_> = spans.iter().filter(|(place, _)| !place.contains('!')).collect();
    assert_eq!(model.entries().len(), walked.len(), "{name}");
    for (place, span) in walked {
        let entry = model.entry(place).unwrap_or_else(|| panic!("{name}: no entry {place}"));
        assert_eq!((&entry.label.to_string(), entry.kind()), (place, span.kind), "{name}");
        let own = entry.bytes().unwrap_or_else(|error| panic!("{name}!{place}: {error}"));
        assert!(Some(&own[..]) == span.of(bytes), "{name}!{place}: the bytes differ");
    }
    spans.len()
}

/// Compares the chunks of the entries of a wad in the same way.
fn compare_chunks(case: &Case) {
    let wad = decode::<Wad>(case.bytes.clone()).unwrap().model;
    let spans = spans(&wad).unwrap();
    for entry in wad.entries() {
        for chunk in entry.content.entries() {
            let place = format!("{}!{}", entry.label, chunk.label);
            let span = spans.get(&place).unwrap_or_else(|| panic!("{}: no chunk {place}", case.name));
            assert_eq!(chunk.kind(), span.kind, "{}: {place}", case.name);
            assert!(Some(&chunk.bytes().unwrap()[..]) == span.of(&case.bytes), "{}: {place}", case.name);
        }
    }
}

#[test]
fn entries_are_those_of_a_walk() {
    let cases = harness::forged(Size::Small, "small")
        .into_iter()
        .chain(harness::known_files(&harness::golden_install(), "golden"));
    let (mut compared, mut others) = (BTreeSet::new(), BTreeSet::new());
    for case in cases {
        let entries = match case.kind.name {
            Archive::NAME => compare::<Archive>(&case),
            Interp::NAME => compare::<Interp>(&case),
            Dll::NAME => compare::<Dll>(&case),
            Rof::NAME => compare::<Rof>(&case),
            Package::NAME => compare::<Package>(&case),
            AppleSingle::NAME => compare::<AppleSingle>(&case),
            MacBinary::NAME => compare::<MacBinary>(&case),
            ResourceFork::NAME => compare::<ResourceFork>(&case),
            Film::NAME => compare::<Film>(&case),
            Shapes::NAME => compare::<Shapes>(&case),
            Sounds::NAME => compare::<Sounds>(&case),
            SoundsPatch::NAME => compare::<SoundsPatch>(&case),
            Erf::NAME => compare::<Erf>(&case),
            Bif::NAME => compare::<Bif>(&case),
            Wad::NAME => {
                compare_chunks(&case);
                compare::<Wad>(&case)
            }
            other => {
                let model = (case.kind.decode)(case.bytes.clone().into()).unwrap().model;
                if !spans(&model).unwrap().is_empty() {
                    others.insert(other);
                }
                continue;
            }
        };
        if entries > 0 {
            compared.insert(case.kind.name);
        }
    }
    assert_eq!(compared.len(), 15, "{compared:?}");
    assert!(others.is_empty(), "containers without the trait: {others:?}");
}

#[test]
fn entries_are_found_by_name() {
    let archive = harness::golden_install().join("mw/zbd/mechlib.zbd");
    let archive: Archive = decode(std::fs::read(archive).unwrap()).unwrap().model;
    for entry in archive.entries() {
        assert_eq!(archive.entry(&entry.name()).unwrap().name(), entry.name());
    }
    assert!(archive.entry("no such entry").is_none());
    assert!(archive.entry("version").is_some_and(|entry| entry.bytes() == Ok(vec![27, 0, 0, 0])));
}

#[test]
fn meshes_of_a_mech_library_name_their_entries() {
    for library in ["mw/zbd/mechlib.zbd", "pm/zbd/mechlib.zbd"] {
        let bytes = std::fs::read(harness::golden_install().join(library)).unwrap();
        let archive: Archive = decode(bytes).unwrap().model;
        let named: BTreeSet<String> = archive.meshes().map(|mesh| mesh.entry.expect("an entry")).collect();
        let models: BTreeSet<String> =
            archive.entries().map(|it| it.name()).filter(|it| it.ends_with(".flt")).collect();
        assert!(!models.is_empty() && named.is_subset(&models) && !named.is_empty(), "{library}: {named:?}");
    }
}

#[test]
fn levels_of_a_wad_are_named_by_the_game() {
    let wad = harness::golden_install().join("m2/Map.sceA");
    let bytes = std::fs::read(wad).unwrap();
    let wad: Wad = match decode::<Wad>(bytes.clone()) {
        Ok(decoded) => decoded.model,
        Err(error) => panic!("{error}"),
    };
    let levels: Vec<_> = wad.levels().map(|level| (level.index, level.data.level_name.to_string())).collect();
    assert!(!levels.is_empty() && levels.iter().all(|(_, name)| !name.is_empty()), "{levels:?}");
    for level in wad.levels() {
        let points = level.entry.entry("EPNT").or_else(|| level.entry.entry("PNTS"));
        assert!(points.is_some_and(|points| !points.bytes().unwrap().is_empty()), "{level:?}");
    }
    assert_eq!(walk::encode(&wad).unwrap(), bytes);
}

/// Source: `marathon-wad.md`: the directory has numbers if its slots are longer than an offset and a length.
#[test]
fn levels_have_the_numbers_of_the_directory() {
    let numbers = |wad: &forge::wad::Spec| {
        let wad: Wad = decode(forge::wad::build(wad)).unwrap().model;
        wad.levels().map(|level| level.number).collect::<Vec<_>>()
    };
    let mut wad = forge::wad::merged(&mut forge::random::Random::named(harness::SEED, "levels"), forge::Size::Tiny);
    let expected: Vec<_> = (0..wad.entries.len()).map(|at| i16::try_from(40 + 3 * at).unwrap()).collect();
    wad.entries.iter_mut().zip(&expected).for_each(|(entry, index)| entry.index = *index);
    assert!(wad.directory_entry() > 8);
    assert_eq!(numbers(&wad), expected.iter().copied().map(Some).collect::<Vec<_>>());
    let old = forge::wad::marathon(&mut forge::random::Random::named(harness::SEED, "levels"), forge::Size::Tiny);
    assert_eq!(old.directory_entry(), 8);
    assert_eq!(numbers(&old), vec![None; old.entries.len()]);
}
