//! Marathon and Neverwinter Nights.

use std::fs;
use std::process::Command;

use crate::harness::golden_install;

/// A file of the sample install, in a folder to work in.
struct Bench(tempfile::TempDir, String);

impl Bench {
    fn of(file: &str) -> Self {
        let bench = Self(tempfile::tempdir().unwrap(), file.rsplit('/').next().unwrap().to_owned());
        fs::copy(golden_install().join(file), bench.0.path().join(&bench.1)).unwrap();
        bench
    }

    fn run(&self, args: &[&str]) -> (bool, String) {
        let output =
            Command::new(env!("CARGO_BIN_EXE_bitexact")).current_dir(self.0.path()).args(args).output().unwrap();
        let text = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap()).concat();
        (output.status.success(), text)
    }

    fn ok(&self, args: &[&str]) -> String {
        let (is_ok, text) = self.run(args);
        assert!(is_ok, "{args:?}: {text}");
        text
    }

    fn shown(&self, place: &str) -> String {
        self.ok(&["inspect", &self.1, place]).trim().trim_matches('"').to_owned()
    }

    fn set(&self, place: &str, value: &str) -> Vec<u8> {
        self.ok(&["patch", &self.1, "--set", &format!("{place}={value}")]);
        self.ok(&["verify", "--via", "exchange", &self.1]);
        self.bytes()
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.0.path().join(&self.1)).unwrap()
    }

    /// Applies a mod with one change.
    fn try_apply(&self, change: &str) -> (bool, String) {
        let text = format!(r#"{{"schema": 3, "kind": "wad", "changes": [{change}]}}"#);
        fs::write(self.0.path().join("mod.json"), text).unwrap();
        self.run(&["patch", &self.1, "--apply", "mod.json"])
    }

    fn apply(&self, change: &str) {
        let (is_ok, text) = self.try_apply(change);
        assert!(is_ok, "{change}: {text}");
    }

    /// Checks that a value is shown by a name, and set by name and by number to the same bytes.
    fn has_name(&self, place: &str, name: &str, number: i64) {
        let by_name = self.set(place, &format!("\"{name}\""));
        assert_eq!(self.shown(place), name, "{place}");
        assert!(by_name == self.set(place, &number.to_string()), "{place}: {name} is not {number}");
        assert_eq!(self.shown(place), name, "{place}");
    }

    /// Checks also that a number without a name survives.
    fn is_named(&self, place: &str, name: &str, number: i64, unknown: i64) {
        self.set(place, &unknown.to_string());
        assert_eq!(self.shown(place), unknown.to_string(), "{place}");
        self.has_name(place, name, number);
    }
}

const EMITTER: &str = "nwn/override/vff_howl.mdl";
const MAP: &str = "m2/Map.sceA";

#[test]
fn seeds_3_controllers_are_named_by_the_sort_of_node() {
    let bench = Bench::of(EMITTER);
    let kind = "/root/children/0/controllers/2/kind";
    assert_eq!(bench.shown(kind), "ALPHA_END");
    bench.is_named(kind, "P2P_BEZIER2", 152, 1000);
    bench.is_named(kind, "P2P_BEZIER3", 156, 479);
    for (name, number) in [
        ("DETONATE", 228),
        ("ALPHA_MID", 464),
        ("COLOR_MID", 468),
        ("PERCENT_START", 480),
        ("PERCENT_MID", 481),
        ("PERCENT_END", 482),
        ("SIZE_MID", 484),
        ("SIZE_MID_Y", 488),
    ] {
        bench.is_named(kind, name, number, 999);
    }
    bench.is_named(kind, "BIRTH_RATE", 88, 76);
    // The outline shows the same names.
    assert!(bench.ok(&["inspect", &bench.1]).contains("birth rate: 0.5"), "{}", bench.ok(&["inspect", &bench.1]));
    // The node is no light.
    let refused = bench.run(&["patch", &bench.1, "--set", &format!("{kind}=\"SHADOW_RADIUS\"")]);
    assert!(!refused.0 && refused.1.contains("BIRTH_RATE"), "{}", refused.1);

    let bench = Bench::of("nwn/override/c_boar.mdl");
    bench.is_named("/root/children/0/controllers/0/kind", "SELF_ILLUMINATION_COLOR", 100, 88);
    bench.is_named("/root/children/0/controllers/0/kind", "ALPHA", 128, 140);
}

#[test]
fn seeds_3_controllers_have_rows_of_time_and_values() {
    let bench = Bench::of(EMITTER);
    let before = bench.bytes();
    let (place, size) = ("/root/children/0/controllers/2", before.len());
    let rows = |shown: &str| assert_eq!(bench.shown(&format!("{place}/rows")), shown);
    bench.set(&format!("{place}/rows"), "[[0.0, 1.0]]");
    let one = bench.set(&format!("{place}/rows/0/1"), "2.5");
    rows("0: [0.0,2.5]");
    // A row more moves the values of all controllers after it.
    bench.ok(&["patch", &bench.1, "--insert", &format!("{place}/rows/-=[0.5, 4.0]")]);
    bench.ok(&["verify", "--strict", "--via", "exchange", &bench.1]);
    rows("0: [0.0,2.5]\n1: [0.5,4.0]");
    assert_eq!(bench.bytes().len(), size + 8);
    bench.ok(&["patch", &bench.1, "--delete", &format!("{place}/rows/1")]);
    assert!(bench.bytes() == one);
    // A controller with all its rows, and back.
    let controller = r#"{"kind": "ALPHA_START", "rows": [[0.0, 1.0], [1.0, 0.0]]}"#;
    bench.ok(&["patch", &bench.1, "--insert", &format!("{place}={controller}")]);
    bench.ok(&["verify", "--via", "exchange", &bench.1]);
    assert_eq!(bench.bytes().len(), size + 12 + 16);
    bench.ok(&["patch", &bench.1, "--delete", place]);
    assert!(bench.bytes() == one);

    for (value, why) in [
        (r#"[[0.0, 1.0], [1.0]]"#, "/rows/1: expected a time and a value, found a list of 1"),
        (r#"[[0.0, "x"]]"#, "/rows/0/1: expected a float"),
    ] {
        let (is_ok, text) = bench.run(&["patch", &bench.1, "--set", &format!("{place}/rows={value}")]);
        assert!(!is_ok && text.contains(why), "{value}: {text}");
    }
}

#[test]
fn seeds_3_controllers_of_lights_are_named() {
    let light = golden_light();
    let bench = Bench::of(&light.0);
    for (name, number) in
        [("COLOR", 76), ("RADIUS", 88), ("SHADOW_RADIUS", 96), ("VERTICAL_DISPLACEMENT", 100), ("MULTIPLIER", 140)]
    {
        bench.is_named(&light.1, name, number, 84);
    }
}

/// Returns a model of the sample install that has a light, and the kind of the first controller of the light.
fn golden_light() -> (String, String) {
    let models = ["plc_sun", "tms01_a01_01", "plc_marker", "c_worm", "c_doll", "plc_chest", "plc_chests"];
    let found = models.iter().find_map(|model| {
        let file = format!("nwn/override/{model}.mdl");
        let map = Bench::of(&file).ok(&["inspect", &format!("{model}.mdl"), "--map"]);
        let places: Vec<&str> = map.lines().filter_map(|line| line.split_whitespace().nth(3)).collect();
        let light = places.iter().find_map(|place| place.strip_suffix("/light/priority"))?;
        let kind = format!("{light}/controllers/0/kind");
        places.contains(&kind.as_str()).then_some((file, kind))
    });
    found.expect("a light with a controller")
}

#[test]
fn seeds_5_objects_have_names_by_group() {
    let bench = Bench::of(MAP);
    let [group, index] = ["group", "index"].map(|field| format!("0!OBJS:/objects/2/{field}"));
    assert_eq!((bench.shown(&group).as_str(), bench.shown(&index).as_str()), ("ITEM", "TRIPLE_ENERGY_POWERUP"));
    bench.is_named(&index, "MAGNUM", 1, 1000);
    // A number without a name is the same in every group.
    bench.set(&index, "1000");
    bench.set(&group, "\"MONSTER\"");
    bench.is_named(&index, "TICK_ENERGY", 1, 99);
    bench.set(&index, "1000");
    bench.set(&group, "\"SCENERY\"");
    bench.is_named(&index, "LAVA_DARK_DIRT", 1, 61);
    // An edit of the group alone keeps the number of the index, and shows it by its name in the new group.
    bench.set(&index, "\"LAVA_BONES\"");
    bench.set(&group, "\"ITEM\"");
    assert_eq!(bench.shown(&index), "MAGNUM_MAGAZINE");
    bench.ok(&["patch", &bench.1, "--set", &format!("{group}=\"SCENERY\""), "--set", &format!("{index}=3")]);
    assert_eq!(bench.shown(&index), "LAVA_BONE");
    // A name of the former group is refused, with the names of the new one.
    let both = |name: &str| {
        let values = [format!("{group}=\"ITEM\""), format!("{index}=\"{name}\"")];
        bench.run(&["patch", &bench.1, "--set", &values[0], "--set", &values[1]])
    };
    let refused = both("LAVA_BONES");
    assert!(!refused.0 && refused.1.contains("KNIFE"), "{}", refused.1);
    assert!(both("KNIFE").0);
    assert_eq!(bench.shown(&index), "KNIFE");
    bench.set(&index, "30000");
    bench.set(&group, "\"GOAL\"");
    bench.set(&index, "1");
    assert_eq!(bench.shown(&index), "1");

    // Marathon has other monsters and items.
    let bench = Bench::of("m1/Map.scen");
    assert_eq!(bench.shown("data!0!OBJS:/objects/2/group"), "ITEM");
    assert_eq!(bench.shown("data!0!OBJS:/objects/2/index"), "3");
}

#[test]
fn seeds_5_numbers_and_names_are_taken_and_expected_alike() {
    let bench = Bench::of(MAP);
    let objects = "0!OBJS:/objects/2";
    for (place, name, number) in [
        ("0!Minf:/landscape".to_owned(), "MOON", 2),
        ("0!Minf:/environment_flags".to_owned(), "VACUUM | LOW_GRAVITY", 9),
        (format!("{objects}/index"), "MAGNUM_MAGAZINE", 2),
        ("0!POLY:/polygons/0/floor_texture".to_owned(), "WALLS2 | SHAPE=0", 18 << 8),
    ] {
        let (name, number) = (format!("\"{name}\""), number.to_string());
        for (old, new) in [(&name, "0"), (&number, "0")] {
            assert!(bench.set(&place, &number) == bench.set(&place, &name), "{place}");
            let change = format!(r#"{{"do": "set", "at": "{place}", "old": {old}, "new": {new}}}"#);
            bench.apply(&change);
            assert!(bench.bytes() == bench.set(&place, "0"), "{place}: {change}");
        }
    }
    // A mod of the group alone keeps the number of the index; a name of another group is refused.
    bench.set(&format!("{objects}/index"), "2");
    let group = |new: &str| format!(r#"{{"do": "set", "at": "{objects}/group", "old": "ITEM", "new": "{new}"}}"#);
    bench.apply(&group("SCENERY"));
    assert_eq!(bench.shown(&format!("{objects}/index")), "LAVA_BONES");
    let index = format!(r#"{{"do": "set", "at": "{objects}/index", "old": "LAVA_BONES", "new": "MAGNUM"}}"#);
    let refused = bench.try_apply(&index);
    assert!(!refused.0 && refused.1.contains("a number or one of LAVA_LIGHT_DIRT"), "{}", refused.1);
}

#[test]
fn seeds_5_shapes_show_collection_and_color_table() {
    let bench = Bench::of(MAP);
    let texture = "0!POLY:/polygons/0/floor_texture";
    bench.has_name(texture, "NONE", 0xFFFF);
    bench.has_name(texture, "WALLS1 | SHAPE=5", 17 << 8 | 5);
    bench.has_name(texture, "LANDSCAPE4 | SHAPE=0 | COLOR_TABLE=7", 30 << 8 | 7 << 13);
    let refused = bench.run(&["patch", &bench.1, "--set", &format!("{texture}=\"WALLS1 | SHAPE=256\"")]);
    assert!(!refused.0 && refused.1.contains("SHAPE from 0 to 255"), "{}", refused.1);

    let bench = Bench::of("m1/Map.scen");
    let texture = "data!0!POLY:/early_polygons/0/floor_texture";
    bench.has_name(texture, "COLLECTION=11 | SHAPE=0", 11 << 8);
    bench.has_name(texture, "PFHOR_SWITCHES | SHAPE=1", 24 << 8 | 1);
}

#[test]
fn seeds_5_fixed_point_is_a_decimal() {
    let bench = Bench::of("m1/Physics.phys");
    let height = "/blocks/4/weapons/0/idle_height";
    let at = bench.ok(&["inspect", &bench.1, "--map"]);
    let at = at.lines().find(|line| line.contains(&format!(" {height}"))).unwrap();
    let at = usize::from_str_radix(at.split_whitespace().next().unwrap().trim_start_matches("0x"), 16).unwrap();
    for (given, shown, parts) in [
        ("1.0", "1.0", 65536),
        ("2", "2.0", 2 << 16),
        ("-0.5", "-0.5", -0x8000),
        ("0.1", "0.1", 6554),
        ("0.123456", "0.12346", 8091),
        ("0", "0.0", 0),
        ("20000.12346", "20000.12346", 1_310_728_091),
        ("32767.99998", "32767.99998", i32::MAX),
        ("-32768", "-32768.0", i32::MIN),
    ] {
        let bytes = bench.set(height, given);
        assert_eq!(bench.shown(height), shown);
        assert_eq!(bytes[at..at + 4], parts.to_be_bytes(), "{given}");
    }
    for given in ["32768", "-40000.5", "\"high\""] {
        let (is_ok, text) = bench.run(&["patch", &bench.1, "--set", &format!("{height}={given}")]);
        assert!(!is_ok && text.contains(": expected a"), "{given}: {text}");
    }
}

#[test]
fn seeds_6_triangle_mode_has_names() {
    let bench = Bench::of("nwn/override/c_boar.mdl");
    let mode = "/root/children/0/mesh/triangle_mode";
    assert_eq!(bench.shown(mode), "TRIANGLES");
    bench.is_named(mode, "STRIPS", 4, 9);
}

#[test]
fn seeds_8_levels_and_saved_games_have_names() {
    let bench = Bench::of(MAP);
    bench.is_named("0!Minf:/landscape", "OUTER_SPACE", 3, 12);
    bench.is_named("0!PLAT:/platforms/0/speed", "VERY_FAST", 51, 50);
    assert_eq!(bench.shown("/data_version"), "MARATHON_2_OR_INFINITY");
    // With this flag the landscape is the index of a song.
    bench.set("0!Minf:/landscape", "12");
    bench.set("0!Minf:/environment_flags", "\"SONG_INDEX\"");
    bench.set("0!Minf:/landscape", "1");
    assert_eq!(bench.shown("0!Minf:/landscape"), "1");

    let bench = Bench::of("mi/Films/Four Players.filA");
    bench.is_named("/players/0/identifier", "DOES_NOT_SWITCH_WEAPONS | ID=3", 0x8003, 0x4003);
}

#[test]
fn seeds_8_shapes_have_names() {
    let bench = Bench::of("m2/Shapes.shpA");
    let sequence = |field: &str| format!("collection 1:/sequences/1/{field}");
    assert_eq!(bench.shown(&sequence("view_type")), "ONE");
    let by_name = bench.set(&sequence("view_type"), "\"NOT_ANIMATED\"");
    assert!(bench.set(&sequence("view_type"), "10") == by_name);
    bench.is_named(&sequence("transfer_mode"), "FOLD_IN", 13, 99);
    bench.is_named(&sequence("key_frame_sound"), "GOT_ITEM", 20, 215);

    // Marathon has other sounds.
    let bench = Bench::of("m1/Shapes.shps");
    let shown = bench.shown("resource!.256 128:/sequences/0/key_frame_sound");
    assert!(shown.parse::<i16>().is_ok(), "{shown}");

    let bench = Bench::of("m2/Plugins/Enforcer.ShPa");
    bench.is_named("/blocks/0/collection", "INTERFACE", 0, 40);
}

#[test]
fn seeds_8_sounds_and_pictures_have_names() {
    let bench = Bench::of("m2/Sounds.sndA");
    bench.is_named("/definitions/0/flags", "RESISTS_PITCH_CHANGES | AMBIENT", 0x44, 0);

    let bench = Bench::of("m2/Resources/PICT/01606.pct");
    assert_eq!(bench.shown("/opcodes/2/row_bytes"), "PIXEL_MAP | LENGTH=136");
    bench.set("/opcodes/2/row_bytes", &(0x8000 + 136).to_string());
    bench.is_named("/opcodes/2/pack_type", "RUN_LENGTH_BY_PIXEL", 3, 9);
    bench.is_named("/opcodes/2/pixel_type", "DIRECT", 16, 7);
    bench.is_named("/opcodes/2/color_table_data/flags", "DEVICE", 0x8000, 0);
}

#[test]
fn seeds_8_collections_of_physics_have_names() {
    let bench = Bench::of("m2/Physics Models/Standard.phyA");
    let collection = "0!WPpx:/weapons/0/collection";
    bench.is_named(collection, "NONE", -1, 256);
    bench.is_named(collection, "FIGHTER | COLOR_TABLE=2", 73, -2);

    let bench = Bench::of("m1/Physics.phys");
    let collection = "/blocks/4/weapons/0/collection";
    bench.is_named(collection, "WASP | COLOR_TABLE=1", 59, 256);
    bench.is_named(collection, "COLLECTION=11", 11, 300);
}
