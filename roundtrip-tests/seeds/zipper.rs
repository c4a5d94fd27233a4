//! The formats of the Zipper games.

use std::path::PathBuf;
use std::process::Command;

use bitexact::edit::Values;
use bitexact::field::{Address, F32, Value, decode, encode};
use bitexact::json::{Compact, Recomputation};
use bitexact::recompute::recompute;
use bitexact::registry::{KINDS, named, recognize};
use bitexact::verify::{Status, verify};
use bitexact::zipper::gamez::games::Recoil;
use bitexact::zipper::gamez::materials::MaterialSlot;
use bitexact::zipper::gamez::models::{ModelKind, Slot};
use bitexact::zipper::gamez::{Body, Gamez};
use bitexact::zipper::rof::{Item, Rof};
use bitexact::zipper::text_reader::TextReader;

use crate::harness::{self, sample};

/// A folder with one file.
struct Desk(tempfile::TempDir, &'static str);

impl Desk {
    fn of(name: &'static str) -> Self {
        Self::with(name, &sample(name))
    }

    fn with(name: &'static str, bytes: &[u8]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap(), name);
        std::fs::write(desk.path(), bytes).unwrap();
        desk
    }

    fn path(&self) -> PathBuf {
        self.0.path().join(self.1)
    }

    fn run(&self, args: &[&str]) -> String {
        let output =
            Command::new(env!("CARGO_BIN_EXE_bitexact")).current_dir(self.0.path()).args(args).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {args:?}: {error}", self.1);
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Returns the value at a place.
    fn value(&self, place: &str) -> serde_json::Value {
        let said: serde_json::Value = serde_json::from_str(&self.run(&["inspect", "--json", self.1, place])).unwrap();
        said["value"].clone()
    }

    fn set(&self, place: &str, value: &str) {
        self.run(&["patch", self.1, "--set", &format!("{place}={value}")]);
    }

    /// Checks that a number is shown by its name, that it can be set by both, and that a number without a name survives.
    fn names(&self, place: &str, number: i64, name: &str, unknown: i64) {
        let (number, named) = (number.to_string(), format!("\"{name}\""));
        self.set(place, &unknown.to_string());
        let (odd, bytes) = (self.value(place), self.bytes());
        assert!(odd == unknown || odd == format!("0x{unknown:x}"), "{} {place}: {odd}", self.1);
        self.set(place, &number);
        assert_eq!(self.value(place), name, "{} {place}", self.1);
        let by_number = self.bytes();
        self.set(place, &unknown.to_string());
        assert!(self.bytes() == bytes, "{} {place}: the number without a name", self.1);
        self.set(place, &named);
        assert!(self.bytes() == by_number, "{} {place}: set by name", self.1);
        self.packs_from(&[(&named, &number)]);
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.path()).unwrap()
    }

    /// Checks that the unpacked folder packs to the same bytes, also with the second of two texts in place of the first.
    fn packs_from(&self, texts: &[(&str, &str)]) {
        let bytes = self.bytes();
        let (kind, _) = recognize(KINDS, self.1, &bytes).unwrap();
        let files = harness::unpacked(kind, &bytes);
        let mut older = files.clone();
        for &(text, other) in texts {
            let before = older.clone();
            for (_, content) in older.iter_mut().filter(|(path, _)| path.ends_with(".json")) {
                *content = String::from_utf8(content.to_vec()).unwrap().replace(text, other).into();
            }
            assert!(older != before, "{}: {text} is in the folder", self.1);
        }
        assert!(harness::packed(files).unwrap() == bytes);
        assert!(harness::packed(older).unwrap() == bytes, "{}: {texts:?}", self.1);
    }
}

/// Returns the deviations of a file as `place: expected, found`.
fn deviations(name: &str, bytes: Vec<u8>) -> Vec<String> {
    let report = verify(KINDS, name, bytes);
    assert_eq!(report.status, Status::Identical, "{name}: {:?}", report.failure);
    report
        .deviations
        .iter()
        .map(|it| format!("{}: {}, {}", it.first_place, Compact(&it.expected), Compact(&it.found)))
        .collect()
}

#[test]
fn seeds_4_soils_have_names() {
    let soil = "/materials/slots/0/soil";
    let early = Desk::of("material_array_size.zbd");
    early.names(soil, 13, "NOSLIP", 77);
    early.names(soil, 10, "SNOW", 77);
    let crimson = Desk::of("material_array_size_cs.zbd");
    crimson.names(soil, 13, "DIRT", 77);
    crimson.names(soil, 11, "BUILDINGS", 77);
}

#[test]
fn seeds_7_numbers_have_names() {
    let event = "/definitions/1/sequences/0/events/2/payload";
    for (file, place, number, name, unknown) in [
        ("sun_far_sq.zbd", "/nodes/slots/0/light/flags", 0x80, "STATIC", 2),
        ("sun_near_sq_pm.zbd", "/nodes/slots/0/light/flags", 0x100, "STATIC", 2),
        ("sun_near_sq_cs.zbd", "/nodes/slots/0/light/flags", 0x800, "ENABLED", 2),
        ("world_grid.zbd", "/nodes/slots/0/world/fog_type", 2, "EXPONENTIAL", 9),
        ("world_grid.zbd", "/nodes/slots/0/world/flags", 4, "FOG_RANGE", 64),
        ("world_grid.zbd", "/nodes/slots/0/update_flags", 4, "VIEW_SPHERE_STALE", 64),
        ("pm_c1_gamez.zbd", "/nodes/slots/6/active_bbox", 1, "MODEL", 9),
        ("mw_light_index_anim.zbd", &format!("{event}/node"), -200, "INPUT_NODE", -300),
        ("mw_light_index_anim.zbd", &format!("{event}/light_type"), 0, "DIRECTED", 7),
        ("mw_puffer_index_anim.zbd", &format!("{event}/node"), -100, "MAIN_ROOT_NODE", -300),
        ("mw_puffer_index_anim.zbd", &format!("{event}/interval_type"), 1, "DISTANCE", 5),
        ("pm_c1_anim.zbd", "/definitions/1/status", 5, "NOT_ACTIVE", 7),
    ] {
        Desk::of(file).names(place, number, name, unknown);
    }
}

#[test]
fn seeds_7_scale_is_named_where_it_is_refused() {
    let mut motion = sample("trailing.motion");
    let flags = motion[24..].windows(4).position(|word| word == [12, 0, 0, 0]).unwrap() + 24;
    motion[flags] = 14;
    let failure = verify(KINDS, "trailing.motion", motion).failure.expect("its size is not known");
    assert!(format!("{failure:?}").contains("SCALE"), "{failure:?}");
}

#[test]
fn seeds_11_image_word_has_names() {
    Desk::of("texture_cs_addressing.zbd").names("tree04_2:/addressing", 4, "ADDITIVE", 8);
}

#[test]
fn seeds_11_offsets_of_rof_names_follow_the_names() {
    assert_eq!(deviations("crimson.rof", sample("crimson.rof")), [""; 0]);
    let odd = deviations("rof_name_offsets.rof", sample("rof_name_offsets.rof"));
    assert_eq!(odd, ["ASSETS:/records/0/name_offset: 0, 4294967295"]);
    let odd = deviations("rof_case.rof", sample("rof_case.rof"));
    assert!(odd.iter().any(|it| it.contains("upper case")), "{odd:?}");

    let mut rof: Rof = decode(sample("crimson.rof")).unwrap().model;
    let large = rof.items.iter_mut().find_map(|item| match item {
        Item::Directory(directory) if directory.records.len() > 2 => Some(directory),
        _ => None,
    });
    large.unwrap().records[0].name = b"A MUCH LONGER NAME\0".to_vec().into();
    recompute(&mut rof, &Recomputation::default()).unwrap();
    let bytes = encode(&rof).unwrap();
    assert_eq!(deviations("crimson.rof", bytes), [""; 0]);
}

/// In retail Crimson Skies, the comment is the name again in every entry: it is text, and no deviation.
#[test]
fn seeds_11_comment_of_an_archive_repeats_the_name() {
    let name = |text: &[u8]| [text, &vec![0; 64 - text.len()][..]].concat();
    let reader = [4, 0, 0, 0, 1, 0, 0, 0];
    let slot = [&[0, 0, 0, 0, 8, 0, 0, 0][..], &name(b"a.zrd"), &[2, 0, 0, 0], &name(b"a.zrd"), &[7; 8]].concat();
    let archive = [&reader[..], &slot, &[1, 0, 0, 0, 1, 0, 0, 0]].concat();
    assert_eq!(deviations("zrdr.zbd", archive.clone()), [""; 0]);
    let desk = Desk::with("zrdr.zbd", &archive);
    assert_eq!([desk.value("/entries/0/name"), desk.value("/entries/0/comment")], ["a.zrd", "a.zrd"]);
}

#[test]
fn seeds_11_resized_level_of_a_chain_warns() {
    let image = |width: u16, height: u16| {
        let head = [5_u16, 0, width, height, 0, 0, 0, 0].map(u16::to_le_bytes).concat();
        [head, vec![0x11; usize::from(width) * usize::from(height) * 2]].concat()
    };
    let package = |sides: &[(&str, u16, u16)]| {
        let images: Vec<_> = sides.iter().map(|(_, width, height)| image(*width, *height)).collect();
        let count = u32::try_from(sides.len()).unwrap();
        let mut package = [0, 1, 0, count, 0, 0].map(u32::to_le_bytes).concat();
        let mut start = package.len() + sides.len() * 40;
        for ((name, ..), image) in sides.iter().zip(&images) {
            let mut name = name.as_bytes().to_vec();
            name.resize(32, 0);
            package.extend(name);
            package.extend(u32::try_from(start).unwrap().to_le_bytes());
            package.extend([0xFF; 4]);
            start += image.len();
        }
        package.extend(images.concat());
        package
    };
    let lint = |sides: &[(&str, u16, u16)]| {
        let desk = Desk::with("texture.zbd", &package(sides));
        let output = Command::new(env!("CARGO_BIN_EXE_bitexact")).arg("lint").arg("--all").arg(desk.path()).output();
        let lines = String::from_utf8(output.unwrap().stdout).unwrap();
        lines.lines().filter(|line| line.contains("[texture-level; ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lint(&[("rock", 16, 8), ("rock_1", 8, 4), ("rock_2", 4, 2), ("sand_1", 3, 3)]), [""; 0]);
    let warnings = lint(&[("rock", 16, 8), ("rock_1", 8, 8), ("rock_2", 4, 2)]);
    assert!(
        warnings.len() == 1 && warnings[0].contains("/directory/1: ") && warnings[0].contains("(8 x 8, of 16 x 8)"),
        "{warnings:?}"
    );
}

#[test]
fn seeds_11_material_head_of_crimson_skies_may_state_the_used_slots() {
    let name = "material_array_size_cs.zbd";
    assert_eq!(deviations(name, sample(name)), [""; 0]);
    Desk::of(name).packs_from(&[("\"tick\"", "\"tick\" ")]);
    let mut gamez: Gamez = decode(sample(name)).unwrap().model;
    let Body::CrimsonSkies(world) = &mut gamez.body else { panic!("of Crimson Skies") };
    world.materials.slots.push(MaterialSlot { flags: world.materials.slots[0].flags, ..MaterialSlot::default() });
    world.materials.slots[3].flags = Default::default();
    recompute(&mut gamez, &Recomputation::default()).unwrap();
    let Body::CrimsonSkies(world) = &gamez.body else { panic!("of Crimson Skies") };
    assert_eq!([world.materials.head.array_size.get(), world.materials.head.used.get()], [4, 4]);
    // In other games, the word is that of all slots.
    assert_eq!(deviations("material_array_size.zbd", sample("material_array_size.zbd")).len(), 1);
}

#[test]
fn seeds_11_event_46_ends_with_its_run_time() {
    let desk = Desk::of("cs_event_46_anim.zbd");
    let events = desk.value("/definitions/1/sequences/0/events");
    let at = events.as_array().unwrap().iter().position(|event| event["event_type"] == "SOUND_ADJUST").unwrap();
    let place = format!("/definitions/1/sequences/0/events/{at}/payload/run_time");
    desk.set(&place, "2.5");
    assert_eq!(desk.value(&place), 2.5);
    desk.packs_from(&[("\"SOUND_ADJUST\"", "46")]);
}

#[test]
fn seeds_11_saves_of_crimson_skies_are_not_those_of_other_games() {
    let name = "Mission.102.sav";
    let report = verify(KINDS, name, sample(name));
    assert_eq!((report.status, report.games.len(), report.games[0].code()), (Status::Identical, 1, "cs"));
    assert!(report.deviations.is_empty() && report.undecoded.is_empty(), "{:?}", report.deviations);
    let desk = Desk::of(name);
    desk.names("zSaveHeader:/categories", 2, "STATUS", 16);
    assert_eq!(desk.value("InMenu/UIData:/planes/0/name"), "Devastator");
    desk.names("InMenu/UIData:/planes/0/guns/3", 4, "CALIBER_70", 9);
    desk.names("InMenu/UIData:/planes/0/ammunition/0", 4, "NO_GUN", 9);
    desk.names("InMenu/UIData:/planes/0/ordnance/7", 8, "BEEPER", 33);
    // It is as long as a state of Recoil.
    assert!(desk.value("AnimActivation/Activation0000:/")["bytes"].is_string());
}

#[test]
fn seeds_12_fields_of_levels_and_lights_have_names() {
    for (file, names) in [
        ("lod_far_sq.zbd", &["far_fade", "range_fade"][..]),
        ("lod_far_sq_pm.zbd", &["far_fade"]),
        (
            "rc_m1_gamez.zbd",
            &[
                "depth_bias",
                "depth_fade_start",
                "depth_fade_end",
                "depth_fade_factor",
                "lens_flare",
                "flare_fade_near",
                "flare_fade_far",
                "color_alpha",
            ],
        ),
    ] {
        let (kind, _) = recognize(KINDS, file, &sample(file)).unwrap();
        let texts: Vec<_> = harness::unpacked(kind, &sample(file)).into_values().collect();
        for name in names.iter().map(|name| format!("\"{name}\":")) {
            let has = |text: &bytes::Bytes| String::from_utf8_lossy(text).contains(&name);
            assert!(texts.iter().any(has), "{file}: {name}");
        }
    }
}

#[test]
fn seeds_12_bounds_of_recoil_include_lights() {
    let name = "rc_m1_gamez.zbd";
    assert_eq!(deviations(name, sample(name)), [""; 0]);
    let mut gamez: Gamez = decode(sample(name)).unwrap().model;
    let odd = |gamez: &Gamez| deviations(name, encode(gamez).unwrap());
    let Body::Recoil(world) = &mut gamez.body else { panic!("of Recoil") };
    let lit = |it: &Slot<Recoil>| {
        it.model.head.model_type == ModelKind::DEFAULT
            && !it.model.mesh.lights.is_empty()
            && it.model.mesh.morphs.is_empty()
    };
    let at = world.models.slots.iter().position(lit).unwrap();
    world.models.slots[at].model.mesh.lights[0].vertices.edit(|points| points[0] = [F32::new(1e6); 3]);
    assert!(odd(&gamez).iter().any(|it| it.contains("/bbox_mid: ")));
    // The engine does not compute the bounds of points.
    let Body::Recoil(world) = &mut gamez.body else { panic!("of Recoil") };
    world.models.slots[at].model.head.model_type = ModelKind::POINTS;
    assert_eq!(odd(&gamez), [""; 0]);
}

#[test]
fn seeds_9_binary_readers_come_back_from_text_or_are_refused() {
    let text = named(KINDS, "reader").and_then(|kind| kind.text).unwrap();
    let (mut written, mut refused) = (0, 0);
    for sample in forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "reader") {
        assert!(!(text.is_text)(&sample.bytes), "{}", sample.name);
        match text.write(&sample.bytes) {
            Ok(form) => {
                assert!((text.is_text)(&form) && (text.read)(&form).as_ref() == Ok(&sample.bytes), "{}", sample.name);
                written += 1;
            }
            Err(why) => {
                assert!(why.contains("expected ") || why.contains("cannot hold"), "{}: {why}", sample.name);
                refused += 1;
            }
        }
    }
    assert!(written > 3 && refused > 3, "{written} {refused}");
}

#[test]
fn seeds_9_text_readers_are_trees_and_keep_all_other_bytes() {
    let first = [Address::from("/0")];
    let (mut trees, mut strings) = (0, 0);
    for sample in forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "text-reader") {
        let model = decode::<TextReader>(sample.bytes.clone()).unwrap().model;
        let Some(Value::List(items)) = model.json().filter(|tree| tree.step("0").is_some()) else {
            strings += 1;
            continue;
        };
        let set = |value: Value| {
            let mut edited = model.clone();
            let mut values = Values::open(&model, &first).unwrap().unwrap();
            values.set(0, value, true).unwrap();
            values.load(&mut edited).unwrap();
            encode(&edited).unwrap()
        };
        assert!(set(items[0].clone()) == sample.bytes, "{}: nothing changes", sample.name);
        let edited = set(Value::List(vec![7.into(), "a b".into(), 0.5.into()]));
        let Some(Value::List(again)) = decode::<TextReader>(edited).unwrap().model.json() else {
            panic!("{}: a tree", sample.name)
        };
        assert_eq!(
            (Compact(&again[0]).to_string().as_str(), &again[1..]),
            (r#"[7,"a b",0.5]"#, &items[1..]),
            "{}",
            sample.name
        );
        trees += 1;
    }
    assert!(trees > 10 && strings > 1, "{trees} {strings}");
}
