//! Files opened by [`bitexact::open`]: models by kind, values by place, changes in Rust, and saving.

use std::fs;

use bitexact::edit::Batch;
use bitexact::field::Value;
use bitexact::install::files;
use bitexact::opened::{GameFile, Why};
use bitexact::registry::{KINDS, Typed, TypedMut, recognize};
use bitexact::zipper::gamez::{Body, nodes::Class};

use super::Desk;
use crate::harness::golden_install;

fn golden(path: &str) -> GameFile {
    bitexact::open(golden_install().join(path)).unwrap()
}

#[test]
fn every_kind_opens_as_its_model_and_comes_back() {
    let (mut opened, mut kinds) = (0, std::collections::BTreeSet::new());
    for found in files(&golden_install()).unwrap() {
        let bytes = fs::read(&found.path).unwrap();
        let known = recognize(KINDS, &found.name(), &bytes);
        match (bitexact::open(&found.path), known) {
            (Ok(mut file), Some((kind, games))) => {
                assert_eq!((file.kind().name, file.games()), (kind.name, &games[..]));
                assert!(!matches!(file.typed(), Typed::Other), "{}", found.shown());
                assert!(!matches!(file.typed_mut().unwrap(), TypedMut::Other), "{}", found.shown());
                // Taking the model for changing and changing nothing is no change.
                assert!(file.encode().unwrap() == bytes, "{}", found.shown());
                kinds.insert(kind.name);
                opened += 1;
            }
            (Err(error), None) => assert!(matches!(error.why, Why::Unsupported(_)), "{error}"),
            (result, _) => panic!("{}: {:?}", found.shown(), result.err().map(|error| error.to_string())),
        }
    }
    assert!(opened > 100 && kinds.len() > 20, "{opened} {kinds:?}");
}

#[test]
fn values_are_read_and_set_by_place_as_the_program_does() {
    let mut world = golden("rc/zbd/m1/gamez.zbd");
    let place = "/nodes/slots/28/light/diffuse";
    let was = world.get(place).unwrap();
    assert_ne!(was, Value::from(0.25));
    world.set(place, 0.25).unwrap();
    assert_eq!(world.get(place).unwrap(), Value::from(0.25));
    let desk = Desk::of(&[("gamez.zbd", &fs::read(golden_install().join("rc/zbd/m1/gamez.zbd")).unwrap())]);
    desk.ok(&["patch", "gamez.zbd", "--set", &format!("{place}=0.25")]);
    assert!(world.encode().unwrap() == desk.read("gamez.zbd"));
    // An edit that does not fit leaves the file as it was.
    let before = world.encode().unwrap();
    let error = world.set(place, "bright").unwrap_err().to_string();
    assert!(error.contains("gamez.zbd") && error.contains(place), "{error}");
    let error = world.get("/nodes/slots/28/light/none").unwrap_err();
    assert!(matches!(error.why, Why::Nothing(_)), "{error}");
    let mut batch = Batch::default();
    batch.set.push((place.into(), 0.5.into()));
    batch.delete.push("/nodes/slots/999999".into());
    assert!(world.edit(batch).is_err());
    assert!(world.encode().unwrap() == before);
}

#[test]
fn what_follows_from_a_change_in_rust_is_recomputed() {
    let mut map = golden("rc/maps/m1.zmap");
    let TypedMut::Zmap(zmap) = map.typed_mut().unwrap() else { panic!("a map") };
    let points = zmap.features[0].points.len();
    zmap.features[0].points.edit(|points| points.truncate(1));
    assert!(points > 1);
    let mut again = GameFile::from_bytes("m1.zmap", map.encode().unwrap()).unwrap();
    let TypedMut::Zmap(zmap) = again.typed_mut().unwrap() else { panic!("a map") };
    assert_eq!(zmap.features[0].points.len(), 1);

    // The checksum of a wad, and the offsets of its directory, follow; the same change by place gives the same bytes.
    let mut wad = golden("m2/Map.sceA");
    let checksum = wad.get("/checksum").unwrap();
    let level = wad.get("/directory/0/level_name").ok();
    let TypedMut::Wad(model) = wad.typed_mut().unwrap() else { panic!("a wad") };
    model.entries.truncate(model.entries.len() - 1);
    model.directory.truncate(model.directory.len() - 1);
    let bytes = wad.encode().unwrap();
    assert_ne!(bytes, fs::read(golden_install().join("m2/Map.sceA")).unwrap());
    let again = GameFile::from_bytes("Map.sceA", bytes).unwrap();
    assert_ne!(again.get("/checksum").unwrap(), checksum);
    assert_eq!(again.get("/directory/0/level_name").ok(), level);
}

#[test]
fn squared_distance_follows_a_change_in_rust() {
    let path = "/nodes/slots/4/lod";
    let (squared, distance) = (format!("{path}/range_far_sq"), format!("{path}/range_far"));
    let mut by_place = golden("mw/zbd/c1/gamez.zbd");
    let before = by_place.encode().unwrap();
    by_place.set(&distance, 5.0).unwrap();
    let mut world = golden("mw/zbd/c1/gamez.zbd");
    let TypedMut::Gamez(model) = world.typed_mut().unwrap() else { panic!("a world") };
    let Body::MechWarrior3(body) = &mut model.body else { panic!("a world of MechWarrior 3") };
    let Class::Lod(lod) = &mut body.nodes.slots[4].class else { panic!("a level of detail") };
    let was = lod.range_far.get();
    lod.range_far = 5.0.into();
    assert!(world.encode().unwrap() == by_place.encode().unwrap(), "as by place");
    assert_eq!(world.get(&squared).unwrap(), Value::from(25.0));
    assert!(
        world.recomputed().iter().any(|it| it.place == squared && it.now == Value::from(25.0)),
        "{:?}",
        world.recomputed()
    );
    // A value that differed from its rule stays where nothing that it depends on is changed, also if it moves.
    let mut odd = golden("mw/zbd/c1/gamez.zbd");
    odd.set(&squared, 7.0).unwrap();
    let bytes = odd.encode().unwrap();
    assert!(bytes != before);
    odd.typed_mut().unwrap();
    assert!(odd.encode().unwrap() == bytes);
    let TypedMut::Gamez(model) = odd.typed_mut().unwrap() else { panic!("a world") };
    let Body::MechWarrior3(body) = &mut model.body else { panic!("a world of MechWarrior 3") };
    let Class::Lod(lod) = &mut body.nodes.slots[4].class else { panic!("a level of detail") };
    lod.range_far = was.into();
    assert_eq!(odd.get(&squared).unwrap().get("kept"), Some(&Value::from(7.0)));
}

#[test]
fn values_that_differ_from_their_rules_stay_where_a_change_does_not_touch_them() {
    let path = golden_install().join("mi/Maps/Wrong Checksum.sceA");
    let mut wad = bitexact::open(&path).unwrap().unwrapped().unwrap();
    let before = wad.encode().unwrap();
    wad.typed_mut().unwrap();
    assert!(wad.encode().unwrap() == before, "the wrong checksum is preserved");
}

#[test]
fn entries_open_as_files_and_are_put_back() {
    let mut archive = golden("rc/zbd/soundsl.zbd");
    let sound = archive.entries().unwrap().into_iter().find(|(_, span)| span.kind == "wave").unwrap().0;
    let mut wave = archive.entry(&sound).unwrap();
    assert!(matches!(wave.typed(), Typed::Wave(_)));
    let before = archive.encode().unwrap();
    archive.replace(&sound, wave.encode().unwrap()).unwrap();
    assert!(archive.encode().unwrap() == before, "put back as it was");
    let error = archive.entry("none.wav").err().unwrap();
    assert!(matches!(error.why, Why::Nothing(_)), "{error}");
    assert!(archive.replace("none.wav", before).is_err());

    let wrapped = golden("m1/Maps/Comment.scen");
    assert!(matches!(wrapped.typed(), Typed::MacBinary(_) | Typed::AppleSingle(_)));
    assert!(matches!(wrapped.unwrapped().unwrap().typed(), Typed::Wad(_)));
    assert!(matches!(golden("rc/maps/m1.zmap").unwrapped().unwrap().typed(), Typed::Zmap(_)));
}

#[test]
fn files_are_saved_whole_and_errors_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("m1.zmap");
    let mut map = golden("rc/maps/m1.zmap");
    map.save(&target).unwrap();
    assert!(fs::read(&target).unwrap() == fs::read(golden_install().join("rc/maps/m1.zmap")).unwrap());
    let nowhere = folder.path().join("none/m1.zmap");
    let error = map.save(&nowhere).unwrap_err();
    assert!(matches!(&error.why, Why::Io(error) if error.kind() == std::io::ErrorKind::NotFound), "{error}");
    let said = error.to_string();
    assert!(said.matches("m1.zmap").count() == 1 && said.contains("does not exist; make it first"), "{said}");
    assert!(std::error::Error::source(&error).is_some());

    // Nothing that something else has written is replaced without being asked for.
    let other = folder.path().join("other.zmap");
    fs::write(&other, "mine").unwrap();
    assert!(matches!(map.save(&other).unwrap_err().why, Why::Exists(_)));
    fs::write(&target, "changed meanwhile").unwrap();
    let changed = map.save(&target).unwrap_err();
    assert!(matches!(&changed.why, Why::Changed(why) if why.contains("open it again")), "{changed}");
    assert_eq!(
        (fs::read(&other).unwrap(), fs::read(&target).unwrap()),
        (b"mine".to_vec(), b"changed meanwhile".to_vec())
    );
    map.save_over(&target).unwrap();

    let missing = bitexact::open(folder.path().join("none.zbd")).err().unwrap();
    assert!(matches!(missing.why, Why::Io(_)) && missing.to_string().contains("none.zbd"), "{missing}");
    fs::write(folder.path().join("notes.txt"), "text").unwrap();
    let unknown = bitexact::open(folder.path().join("notes.txt")).err().unwrap();
    assert!(matches!(unknown.why, Why::Unsupported(_)), "{unknown}");
    let cut = fs::read(&target).unwrap();
    let cut = GameFile::from_bytes("m1.zmap", cut[..cut.len() - 1].to_vec()).err().unwrap();
    assert!(matches!(&cut.why, Why::Format(error) if error.offset().is_some()), "{cut}");
    assert!(cut.to_string().starts_with("m1.zmap: "), "{cut}");
    // A file beyond the memory limit is not read.
    let large = folder.path().join("large.zbd");
    fs::File::create(&large).unwrap().set_len(bitexact::field::memory::allowed() + 1).unwrap();
    let large = bitexact::open(&large).err().unwrap();
    assert!(matches!(large.why, Why::Io(_)) && large.to_string().contains("the memory limit"), "{large}");
}
