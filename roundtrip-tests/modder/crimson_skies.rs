//! Edits of what only Crimson Skies has.

use bitexact::field::{Value, decode};
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};
use bitexact::zipper::texture::Package;
use forge::archive::{Content, Entry, Spec, build};
use forge::reader::{self, float, list, string};
use forge::texture::{self, Image};

use super::Desk;
use crate::harness::{self, sample};

/// The name that 36 textures of `planes.zbd` have. Source: `vectors-cs.md`, section 2.
const COWLING: &[u8; 20] = b"bldhwk_cowling\0.tif\0";

/// Returns a world whose first texture has the given name.
fn world(name: &[u8; 20]) -> Vec<u8> {
    let mut world = sample("material_array_size_cs.zbd");
    world[40 + 12..][..20].copy_from_slice(name);
    world
}

#[test]
fn texture_name_with_two_dots_is_text() {
    let other = world(b"rock\0tif\0\0\0\0\0\0\0\0\0\0\0\0");
    let desk = Desk::of(&[("names.zbd", &world(COWLING)), ("other.zbd", &other)]);
    assert_eq!(desk.ok(&["inspect", "names.zbd", "/textures/0/name"]).out, "bldhwk_cowling..tif\n");
    assert!(desk.ok(&["inspect", "names.zbd", "--find", "bldhwk"]).out.contains("/textures/0/name"));
    desk.ok(&["patch", "other.zbd", "--set", r#"/textures/0/name="bldhwk_cowling..tif""#]);
    assert!(desk.read("other.zbd") == desk.read("names.zbd"));
    desk.ok(&["patch", "names.zbd", "--set", r#"/textures/0/name="rock.tif""#]);
    assert!(desk.read("names.zbd") == other);
}

#[test]
fn texture_name_that_no_text_gives_can_be_set_to_a_text() {
    let desk = Desk::of(&[("names.zbd", &world(b"bldhwk_cowling.\0tif\0"))]);
    assert!(desk.ok(&["inspect", "names.zbd", "/textures/0/name"]).out.contains("62 6c 64 68"));
    desk.ok(&["patch", "names.zbd", "--set", r#"/textures/0/name="bldhwk_cowling..tif""#]);
    assert!(desk.read("names.zbd") == world(COWLING));
}

/// The campaign in the sample save.
const CAMPAIGN: &str = "InMenu/UIData";
const SAVE: &str = "Mission.102.sav";
/// Its airframes, by their numbers. Source: `zipper-saves.md`, section 5.3.
const AIRFRAMES: [&str; 11] = [
    "hoplite",
    "hellhound",
    "balmoral",
    "bloodhawk",
    "brigand",
    "devastator",
    "firebrand",
    "fury",
    "kestrel",
    "peacemaker",
    "warhawk",
];

fn saved() -> Desk {
    Desk::of(&[(SAVE, &sample(SAVE))])
}

/// Returns a value of the campaign.
fn value(desk: &Desk, place: &str) -> serde_json::Value {
    let said = desk.ok(&["inspect", "--json", SAVE, &format!("{CAMPAIGN}:{place}")]);
    serde_json::from_str::<serde_json::Value>(&said.out).unwrap()["value"].clone()
}

/// Returns what an edit of the campaign prints.
fn set(desk: &Desk, place: &str, value: &str) -> String {
    let said = desk.ok(&["patch", SAVE, "--set", &format!("{CAMPAIGN}:{place}={value}")]);
    said.out + &said.err
}

/// Source: `vectors-cs.md`, section 8.
#[test]
fn result_of_a_mission_counts_kills_by_airframe() {
    let desk = saved();
    let half = |desk: &Desk| {
        let bytes = desk.read(SAVE);
        let offset = desk.ok(&["inspect", SAVE, "--map"]).out;
        let line = offset.lines().find(|it| it.contains("UIData:/mission_index")).expect("is in the map");
        let start = line.split_whitespace().next().unwrap().trim_start_matches("0x");
        bytes[usize::from_str_radix(start, 16).unwrap() + 0x1868 + 168..][..84].to_vec()
    };
    set(&desk, "/results/0/0/objectives", "6150");
    assert_eq!(value(&desk, "/results/0/0/objectives"), "PRIORITY_1 | PRIORITY_2 | PRIORITY_11 | PRIORITY_12");
    set(&desk, "/results/0/0/objectives", r#""WON | OBJECTIVE_30""#);
    assert_eq!(half(&desk)[..4], [1, 0, 0, 0x40]);
    for (number, name) in AIRFRAMES.iter().enumerate() {
        for (list, at) in [("kills", 8), ("ace_kills", 20)] {
            set(&desk, &format!("/results/0/0/{list}/{name}"), &(100 + number).to_string());
            assert_eq!(usize::from(half(&desk)[at + number]), 100 + number, "{list} {name}");
        }
    }
    let shown = value(&desk, "/results/0/0/kills");
    let names: std::collections::BTreeSet<_> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, AIRFRAMES.into(), "byte 19 is unused, and 0");
    assert!(set(&desk, "/results/0/0/ace_kills/unused", "7").contains("deviation: "));
    assert_eq!(half(&desk)[31], 7);
}

/// Source: `zipper-saves.md`, section 5.3.
#[test]
fn parts_of_a_plane_have_names() {
    let desk = saved();
    for (place, names) in [
        ("airframe", &[(0, "HOPLITE"), (5, "DEVASTATOR"), (10, "WARHAWK")][..]),
        ("decals/0", &[(0, "LOGO_00"), (20, "LOGO_20"), (21, "NOSE_ART_21"), (49, "NOSE_ART_49")]),
        ("ammunition/0", &[(0, "SLUG"), (1, "DUMDUM"), (2, "ARMOR_PIERCING"), (3, "MAGNESIUM"), (4, "NO_GUN")]),
        ("ordnance/0", &[(0, "ARMOR_PIERCING"), (5, "REAR_FLASH"), (10, "AERIAL_TORPEDO"), (11, "NONE")]),
    ] {
        let place = format!("/planes/0/{place}");
        for (number, name) in names {
            set(&desk, &place, "99");
            set(&desk, &place, &number.to_string());
            assert_eq!(value(&desk, &place), *name, "{place}");
            let by_number = desk.read(SAVE);
            set(&desk, &place, "99");
            set(&desk, &place, &format!("\"{name}\""));
            assert!(desk.read(SAVE) == by_number, "{place} {name}");
        }
    }
    set(&desk, "/results/3/1/airframe", "3");
    assert_eq!(value(&desk, "/results/3/1/airframe"), "BLOODHAWK");
}

#[test]
fn edits_that_the_game_would_not_make_warn() {
    let desk = saved();
    // No warning tells anything about what the game wrote itself.
    set(&desk, "/planes/0/owned", "1");
    set(&desk, "/planes/0/hardpoints", "[2,2]");
    for pylon in [2, 3, 6, 7] {
        set(&desk, &format!("/planes/0/ordnance/{pylon}"), "11");
    }
    set(&desk, "/planes/0/guns/1", "1");
    let quiet = set(&desk, "/planes/0/ammunition/1", "2");
    assert!(!quiet.contains("warning: "), "{quiet}");
    for (place, value, warning) in [
        ("/planes/0/color_rgb/1/0", "1", "save-value-ignored"),
        ("/planes/0/ammunition/1", "4", "plane-ammunition"),
        ("/planes/0/ordnance/7", "1", "plane-ordnance"),
        ("/results/0/1/time", "9000000", "save-result"),
        ("/results/1/1/objectives", "0", "save-result"),
        ("/results/2/0/kills/fury", "200", "save-result"),
        ("/results/3/1/gun_hits", "0", "save-result"),
    ] {
        let said = set(&desk, place, value);
        assert_eq!(said.matches("warning: ").count(), 1, "{place}: {said}");
        assert!(said.contains(&format!("[{warning};")), "{place}: {said}");
    }
    let ignored = warnings(&desk, &[SAVE, "--set", "PlayerVehicle/player:/value=5", "--retype"]);
    assert_eq!(ignored, ["save-value-ignored"]);
}

const PACKAGE: &str = "texture.zbd";

/// Returns a package of images of one pixel, whose color is their number.
fn package(names: &[&str]) -> Vec<u8> {
    let image = |(number, name): (u8, &&str)| Image::new(name, 1, 1, vec![number, 0]);
    texture::build(&texture::Spec::new(vec![], (1..).zip(names).map(image).collect()))
}

/// Returns the names in a package, each with the color of its image.
fn images(bytes: Vec<u8>) -> Vec<(String, u8)> {
    let package: Package = decode(bytes).unwrap().model;
    let images = package.directory.iter().zip(&package.images);
    images.map(|(slot, image)| (slot.name.to_string(), image.pixels[0])).collect()
}

/// Returns a folder with a package in order, and an image that is not in it.
fn sorted() -> Desk {
    let image = br#"{"flags": "SIXTEEN_BIT | NO_ALPHA", "width": 1, "height": 1, "palette_count": 0, "addressing": 0, "pixels": "09 00"}"#;
    Desk::of(&[(PACKAGE, &package(&["anvil", "cloud1", "zeppelin"])), ("new.json", image)])
}

/// Source: `zipper-textures.md`, section 3.
#[test]
fn added_and_renamed_images_go_where_the_game_finds_them() {
    let named = |list: [(&str, u8); 4]| list.map(|(name, color)| (name.to_owned(), color)).to_vec();
    let desk = sorted();
    let said = desk.ok(&["patch", PACKAGE, "--add", "bomber=new.json"]);
    let said = said.out + &said.err;
    assert!(said.contains(r#"/directory: "bomber at 3" → "bomber at 1""#), "{said}");
    assert_eq!(images(desk.read(PACKAGE)), named([("anvil", 1), ("bomber", 9), ("cloud1", 2), ("zeppelin", 3)]));
    let before = desk.read(PACKAGE);
    let after = named([("bomber", 9), ("cloud1", 2), ("tower", 1), ("zeppelin", 3)]);
    desk.ok(&["patch", PACKAGE, "--rename", "anvil=tower"]);
    assert_eq!(images(desk.read(PACKAGE)), after);
    // A value of the directory is a name, too.
    desk.write(PACKAGE, &before);
    desk.ok(&["patch", PACKAGE, "--set", r#"/directory/0/name="tower""#]);
    assert_eq!(images(desk.read(PACKAGE)), after);

    desk.write(PACKAGE, &before);
    desk.ok(&["unpack", PACKAGE, "folder"]);
    desk.edit("folder/bitexact.json", |json| {
        let Some(Value::List(directory)) = json.step_mut("data").unwrap().step_mut("directory") else {
            panic!("a list")
        };
        directory[0].put("name", "tower".into());
    });
    desk.ok(&["pack", "folder", "packed.zbd"]);
    assert_eq!(images(desk.read("packed.zbd")), after);
}

#[test]
fn name_that_the_game_does_not_find_is_refused() {
    for (name, why, warning) in [
        (
            "Tower",
            "/directory/0/name: expected a name in lower case, because Crimson Skies finds no other",
            "texture-order",
        ),
        ("zeppelin", "already exists", "texture-name-repeated"),
    ] {
        let desk = sorted();
        let refused = desk.run(&["patch", PACKAGE, "--rename", &format!("cloud1={name}")]);
        assert!(refused.code == 2 && refused.err.contains(why), "{name}: {}", refused.err);
        let place = format!("/directory/1/name=\"{name}\"");
        let refused = desk.run(&["patch", PACKAGE, "--set", &place]);
        assert!(refused.code == 2 && refused.err.contains("Crimson Skies finds no other"), "{name}: {}", refused.err);
        // The other games need no order.
        let said = desk.ok(&["patch", PACKAGE, "--set", &place, "--set", "/in_order=false"]);
        assert!((said.out + &said.err).contains(warning));
        assert_eq!(images(desk.read(PACKAGE))[1].0, name);
    }
}

#[test]
fn package_without_order_keeps_its_own() {
    let desk = Desk::of(&[(PACKAGE, &package(&["cloud1", "zeppelin", "anvil"]))]);
    desk.ok(&["patch", PACKAGE, "--rename", "cloud1=Tower"]);
    let names: Vec<_> = images(desk.read(PACKAGE)).into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["Tower", "zeppelin", "anvil"]);
    // An edit can also give it an order, which is no error.
    desk.ok(&["patch", PACKAGE, "--rename", "Tower=a"]);
    desk.ok(&["patch", PACKAGE, "--rename", "anvil=zeppelin2"]);
    assert_eq!(desk.ok(&["inspect", PACKAGE, "/in_order"]).out, "true\n");
}

/// Source: `vectors-cs.md`, section 8.
#[test]
fn saves_of_the_game_have_these_sizes_and_nothing_unknown() {
    let campaign = |desk: &Desk| {
        let said = desk.ok(&["inspect", SAVE, "--map"]).out;
        let line = said.lines().find(|it| it.contains("UIData:/mission_index")).expect("is in the map");
        let start = line.split_whitespace().next().unwrap().trim_start_matches("0x");
        desk.read(SAVE)[usize::from_str_radix(start, 16).unwrap()..][..10_820].to_vec()
    };
    let (campaign, header) = (campaign(&saved()), |mask: u32| [12, 2, mask].map(u32::to_le_bytes).concat());
    let vehicle = || vec![4, 0, 0, 0];
    for (name, bytes, kinds, entries) in [
        ("Persist.101", 320, 2, vec![("zSaveHeader", header(1)), ("PlayerVehicle/player", vehicle())]),
        (
            "Persist.102",
            472,
            3,
            vec![
                ("zSaveHeader", header(1)),
                ("PlayerVehicle/player", vehicle()),
                ("PlayerVehicle/wingman_1", vehicle()),
            ],
        ),
        (
            "Status.dat",
            12_732,
            2,
            vec![
                ("zSaveHeader", header(2)),
                ("PilotStatus/PilotStatus", vec![0; 1_448]),
                ("UIData/UIData", campaign.clone()),
            ],
        ),
        ("AutoSave.sav", 11_136, 2, vec![("zSaveHeader", header(0x1_0000)), ("InMenu/UIData", campaign)]),
    ] {
        let entries = entries.into_iter().map(|(name, data)| Entry::new(name.as_bytes(), data)).collect();
        let file = build(&Spec::new(1, Content::Unknown, entries));
        assert_eq!(file.len(), bytes, "{name}");
        let report = verify(KINDS, name, file.clone());
        assert_eq!((report.status, report.games[0].code()), (Status::Identical, "cs"), "{name}");
        assert!(report.deviations.is_empty() && report.undecoded.is_empty(), "{name}: {:?}", report.deviations);
        let model = (harness::kind("archive").decode)(file.into()).unwrap().model;
        let entries = spans(&*model).unwrap();
        let known = entries.values().filter(|entry| entry.kind.starts_with("save-crimson"));
        assert_eq!(known.count(), kinds, "{name}");
    }
}

/// Returns the ids of the warnings of an edit.
fn warnings(desk: &Desk, args: &[&str]) -> Vec<String> {
    let said = desk.ok(&[&["patch"], args].concat());
    let said = said.out + &said.err;
    let lines = said.lines().filter(|line| line.starts_with("warning: "));
    lines.filter_map(|line| Some(line.rsplit_once('[')?.1.split_once(';')?.0.to_owned())).collect()
}

/// Source: `zipper-textures.md`, section 2.6.
#[test]
fn changes_of_fonts_decals_and_small_logos_warn() {
    let decal = || Image::new("00bomber_logo1", 64, 64, vec![0; 2 * 64 * 64]).with_alpha(Some(vec![255; 64 * 64]));
    let font = Image::new("5pointhud", 5, 1, vec![1, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
    let logo = Image::new("fir_winglogo", 1, 1, vec![1, 0]);
    let file = texture::build(&texture::Spec::new(vec![], vec![decal(), font, logo]));
    let desk = Desk::of(&[(PACKAGE, &file)]);
    for (place, value, id) in [
        ("5pointhud:/pixels", r#""02 00 00 00 03 00 00 00 01 00""#, None),
        ("5pointhud:/pixels", r#""02 00 00 00 03 00 00 00 00 00""#, Some("font-letters")),
        ("fir_winglogo:/pixels", r#""02 00""#, Some("logo-ignored")),
        ("00bomber_logo1:/addressing", "0", None),
    ] {
        let found = warnings(&desk, &[PACKAGE, "--set", &format!("{place}={value}")]);
        let found: Vec<_> = found.iter().filter(|it| *it != "texture-siblings").map(String::as_str).collect();
        assert_eq!(found, id.into_iter().collect::<Vec<_>>(), "{place}={value}");
    }
    let sides = ["--set", "00bomber_logo1:/width=32", "--set", "00bomber_logo1:/height=128"];
    assert!(warnings(&desk, &[&[PACKAGE], &sides[..]].concat()).contains(&"decal".to_owned()));
}

/// Source: `zipper-anim-events.md`, section 31.
#[test]
fn condition_inside_another_warns() {
    let file = "cs_c1_cam_anim.zbd";
    let desk = Desk::of(&[(file, &sample(file))]);
    let said = desk.ok(&["inspect", "--json", file, "/definitions"]);
    let definitions = serde_json::from_str::<serde_json::Value>(&said.out).unwrap()["value"].take();
    let mut places = Vec::new();
    for (at, definition) in definitions.as_array().unwrap().iter().enumerate() {
        for (nth, sequence) in definition["sequences"].as_array().into_iter().flatten().enumerate() {
            for (index, event) in sequence["events"].as_array().into_iter().flatten().enumerate() {
                if event["event_type"] == "IF" {
                    places.push((format!("/definitions/{at}/sequences/{nth}/events/{index}"), event.to_string()));
                }
            }
        }
    }
    let (place, event) = places.first().expect("a condition");
    assert!(warnings(&desk, &[file, "--insert", &format!("{place}={event}")]).contains(&"event-if-nested".to_owned()));
}

/// Source: `zipper-reader.md`, section 3.
#[test]
fn key_that_loses_its_value_warns() {
    let weapon = list([
        string(b"NAME"),
        string(b"LASER"),
        string(b"DAMAGE"),
        float(1.0),
        string(b"RANGE"),
        reader::Value::Int(3),
    ]);
    let flags = list([string(b"HOT"), string(b"LOUD")]);
    let data = reader::build(&reader::Spec::new(list([weapon, flags])));
    let desk =
        Desk::of(&[("zrdr.zbd", &build(&Spec::new(1, Content::Readers, vec![Entry::new(b"weapons.zrd", data)])))]);
    assert_eq!(warnings(&desk, &["zrdr.zbd", "--delete", "weapons.zrd:/1/1"]), [""; 0], "a list of texts has no keys");
    let file = desk.read("zrdr.zbd");
    assert_eq!(warnings(&desk, &["zrdr.zbd", "--delete", "weapons.zrd:/0/5"]), ["reader-key-alone"]);
    desk.write("zrdr.zbd", &file);
    let both = ["--delete", "weapons.zrd:/0/5", "--delete", "weapons.zrd:/0/4"];
    assert_eq!(warnings(&desk, &[&["zrdr.zbd"], &both[..]].concat()), [""; 0]);
}
