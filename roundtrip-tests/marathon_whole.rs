//! Files of the Marathon trilogy as their users have them: BinHex, patches of sounds, terminals as text, drawings of all levels.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bitexact::exchange::parse;
use bitexact::registry::{KINDS, recognize};
use forge::macbinary::{Spec, binhex, build};
use forge::wad::Chunk;

use crate::harness::{self, golden_install, output_of, sample};

/// A folder to work in.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(name, bytes)| fs::write(desk.path(name), bytes).unwrap());
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
        let output = output_of(command.current_dir(self.0.path()).args(args));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().expect("not killed"), text(output.stdout), text(output.stderr))
    }

    fn ok(&self, args: &[&str]) -> String {
        let (code, out, err) = self.run(args);
        assert_eq!(code, 0, "{args:?}: {out}{err}");
        out
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let found = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = found.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Returns a file with all bytes, runs of each length and the byte that marks runs.
fn spec() -> Spec {
    let runs =
        (1..9).chain([254, 255, 256, 600]).flat_map(|length| [vec![7; length], vec![0x90; length], vec![1]].concat());
    let data = (0..=255).chain(runs).collect();
    Spec { dates: [0; 2], icon: [0; 2], ..Spec::new(b"Map \xA5", data, forge::resources::build(&terminal())) }
}

fn terminal() -> forge::resources::Spec {
    let text = b"; a\r#logon\rHi \xA5\r".to_vec();
    forge::resources::Spec::new(vec![0; 240], vec![forge::resources::Resource::new(b"term", 1000, text)])
}

#[test]
fn binhex_becomes_the_file_that_it_was_made_of() {
    let spec = spec();
    for (runs_from, end) in [(4, "\n"), (3, "\r"), (256, "\r\n"), (2, "\n")] {
        let desk = Desk::new(&[("Map.hqx", &binhex(&spec, runs_from, end))]);
        desk.ok(&["pack", "Map.hqx", "Map.bin"]);
        assert!(desk.read("Map.bin") == build(&spec), "runs from {runs_from}");
        // And back, in the form of this program.
        desk.ok(&["export", "Map.bin", "again.hqx"]);
        desk.ok(&["pack", "again.hqx", "again.bin"]);
        assert!(desk.read("again.bin") == build(&spec));
    }
    // It is of no kind of a game, so nothing is verified; the way to what is in it is named.
    let (_, out, _) = Desk::new(&[("Map.hqx", &binhex(&spec, 4, "\n"))]).run(&["verify", "Map.hqx"]);
    assert!(out.contains("foreign ") && out.contains("bitexact pack FILE.hqx"), "{out}");
}

#[test]
fn values_that_binhex_lacks_are_kept_beside_it() {
    for name in ["Map.scen", "Sounds.sndz", "macbinary_3_script.scen", "crc.scen", "name_tail.scen", "finder.scen"] {
        let file = sample(name);
        let desk = Desk::new(&[("file.scen", &file)]);
        let (code, _, err) = desk.run(&["export", "file.scen", "file.hqx"]);
        // A wrong CRC would be put right, so it is refused.
        if name == "crc.scen" {
            assert!(code == 2 && err.contains("the text would not become the same file"), "{err}");
            continue;
        }
        assert_eq!(code, 0, "{name}: {err}");
        assert!(desk.read("file.hqx").iter().all(|byte| byte.is_ascii()));
        desk.ok(&["pack", "file.hqx", "again.scen"]);
        assert!(desk.read("again.scen") == file, "{name}");
    }
    let desk = Desk::new(&[("comment.scen", &sample("comment.scen"))]);
    let (code, _, err) = desk.run(&["export", "comment.scen", "comment.hqx"]);
    assert!(code == 2 && err.contains("a comment"), "{err}");
}

#[test]
fn damaged_binhex_is_refused_with_its_place() {
    let text = String::from_utf8(binhex(&spec(), 4, "\n")).unwrap();
    let at = text.len() / 2;
    let swapped = if text.as_bytes()[at] == b'!' { "#" } else { "!" };
    for (text, why) in [
        (format!("{}{swapped}{}", &text[..at], &text[at + 1..]), "the text is damaged"),
        (text[..at].to_owned(), "the text ends in the data fork"),
        (format!("{}:", &text[..at]), "the characters end in the data fork"),
        (text.replacen("\n:", "\n:~", 1), "found \"~\""),
        (text.replacen("\n:", "\nx:", 1), "before the characters, found \"x\""),
        ("(This file must be converted with BinHex 4.0)".to_owned(), "expected characters after the line"),
        ("(This file must be converted with BinHex 4.0)\n:N!!:".to_owned(), "the name"),
    ] {
        let desk = Desk::new(&[("a.hqx", text.as_bytes())]);
        let (code, _, err) = desk.run(&["pack", "a.hqx", "a.bin"]);
        let is_said = err.contains(why) || (why.starts_with("found") && err.contains("found \"~\""));
        assert!(code == 2 && is_said && !desk.path("a.bin").exists(), "{why}: {err}");
    }
}

#[test]
fn terminals_of_marathon_are_text_files() {
    let file = build(&spec());
    let desk = Desk::new(&[("file.bin", &file)]);
    desk.ok(&["unpack", "file.bin", "form"]);
    let found = walkdir::WalkDir::new(desk.path("form/resource")).into_iter().map(|it| it.unwrap().into_path());
    let texts: Vec<PathBuf> = found.filter(|it| it.extension().is_some_and(|end| end == "txt")).collect();
    let [text] = &*texts else { panic!("{texts:?}") };
    assert_eq!(fs::read_to_string(text).unwrap(), "; a\n#logon\nHi \u{2022}\n");
    fs::write(text, "; a\r\n#logon\r\nHello \u{2022}\r\n").unwrap();
    desk.ok(&["pack", "form", "new.bin"]);
    assert!(desk.ok(&["inspect", "new.bin", "resource!term 1000:/text"]).contains("Hello"));
    let mut cat = Command::new(env!("CARGO_BIN_EXE_bitexact"));
    let text = cat.current_dir(desk.0.path()).args(["cat", "new.bin", "resource!term 1000"]).output().unwrap().stdout;
    assert_eq!(text, b"; a\r#logon\rHello \xA5\r");
    // The type of the resource says what it is if the row does not.
    let stated = r#""kind": "text", "#;
    let found = walkdir::WalkDir::new(desk.path("form")).into_iter().map(|it| it.unwrap().into_path());
    let states = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(stated));
    let rows: Vec<PathBuf> = found.filter(states).collect();
    let [row] = &*rows else { panic!("{rows:?}") };
    fs::write(row, fs::read_to_string(row).unwrap().replacen(stated, "", 1)).unwrap();
    desk.ok(&["pack", "form", "bare.bin"]);
    assert!(desk.read("bare.bin") == desk.read("new.bin"), "a text without a kind is packed as it is");
    // A text with line ends of other systems stays in JSON, where they can be told apart.
    for name in ["fork_terminal.rsrc", "fork_terminal_lines.rsrc"] {
        let file = sample(name);
        let form = harness::unpacked(recognize(KINDS, name, &file).unwrap().0, &file);
        let is_file = form.keys().any(|path| path.starts_with("term") && path.ends_with(".txt"));
        assert_eq!(is_file, name == "fork_terminal.rsrc", "{:?}", form.keys());
        assert!(harness::packed(form).unwrap() == file, "{name}");
    }
}

#[test]
fn patches_of_sounds_hold_wav_files() {
    let file = sample("Sounds.SnPa");
    assert_eq!(recognize(KINDS, "any", &file).unwrap().0.name, "sounds-patch");
    let desk = Desk::new(&[("Sounds.SnPa", &file)]);
    desk.ok(&["verify", "Sounds.SnPa"]);
    desk.ok(&["unpack", "Sounds.SnPa", "form"]);
    let waves = |desk: &Desk| -> Vec<PathBuf> {
        let found = walkdir::WalkDir::new(desk.path("form")).sort_by_file_name().into_iter();
        found.map(|it| it.unwrap().into_path()).filter(|it| it.extension().is_some_and(|end| end == "wav")).collect()
    };
    let found = waves(&desk);
    // Eight items in each source, with one to five sounds each.
    assert_eq!(found.len(), 2 * (1 + 2 + 3 + 4 + 5 + 1 + 2 + 3));
    desk.ok(&["pack", "form", "same.SnPa"]);
    assert!(desk.read("same.SnPa") == file);
    // The first sound of the first item sounds like the first of the next one.
    fs::copy(&found[1], &found[0]).unwrap();
    desk.ok(&["pack", "form", "new.SnPa"]);
    desk.ok(&["verify", "new.SnPa"]);
    assert!(desk.run(&["diff", "Sounds.SnPa", "new.SnPa"]).1.lines().count() > 0);
    // The chunk of a level is the same bytes.
    let json = parse(&harness::unpacked(harness::kind("sounds-patch"), &file)["bitexact.json"]).unwrap();
    assert!(json.get("data").and_then(|data| data.get("items")).is_some());
}

#[test]
fn every_shape_of_a_drawn_level_says_its_place() {
    for (file, before) in [("m1/Map.scen", "data!0!"), ("m2/Map.sceA", "0!"), ("mi/Map.sceA", "0!")] {
        let path = golden_install().join(file);
        let path = path.to_str().unwrap();
        let desk = Desk::new(&[]);
        desk.ok(&["export", path, "level.svg"]);
        let drawn = String::from_utf8(desk.read("level.svg")).unwrap();
        let shapes = drawn.matches(" data-index=").count();
        let titles: Vec<&str> =
            drawn.split("<title>").skip(2).filter_map(|rest| rest.split("</title>").next()).collect();
        assert!(titles.len() == shapes && shapes > 10, "{file}: {} of {shapes}", titles.len());
        assert!(titles.iter().all(|title| title.starts_with(before)), "{file}: {titles:?}");
        // Every place is one of the file; the last of each list stands for it.
        let list = |title: &&str| title.rsplit_once('/').unwrap().0.to_owned();
        for (nth, title) in titles.iter().enumerate() {
            if titles.get(nth + 1).is_none_or(|next| list(next) != list(title)) {
                desk.ok(&["inspect", path, title]);
            }
        }
    }
}

#[test]
fn all_levels_are_drawn_at_once() {
    for (file, levels) in [("m2/Map.sceA", None), ("m1/Map.scen", None), ("mi/Map.sceA", Some("00 Arrival"))] {
        let path = golden_install().join(file);
        let path = path.to_str().unwrap();
        let desk = Desk::new(&[]);
        for form in ["svg", "png"] {
            desk.ok(&["export", path, "levels", &format!("--{form}")]);
            let names: Vec<String> = desk.names("levels").into_iter().filter(|it| it.ends_with(form)).collect();
            assert!(!names.is_empty() && names[0].starts_with("00"), "{names:?}");
            assert!(levels.is_none_or(|name| names == [format!("{name}.{form}")]), "{names:?}");
            for (nth, name) in names.iter().enumerate() {
                let bytes = desk.read(&format!("levels/{name}"));
                match form {
                    "svg" => {
                        let level = nth.to_string();
                        desk.ok(&["export", path, "one.svg", "--force", "--level", &level]);
                        assert!(bytes == desk.read("one.svg"), "{name}");
                    }
                    _ => is_picture(&bytes, name),
                }
            }
        }
        // Nothing is replaced unasked.
        let (code, _, err) = desk.run(&["export", path, "levels", "--png"]);
        assert!(code == 2 && err.contains("already exists"), "{err}");
        desk.ok(&["export", path, "levels", "--png", "--force"]);
        // All or none: a folder that did not exist has nothing, and one that did has what it had.
        let names = desk.names("levels");
        let first = names.iter().find(|name| name.ends_with("png")).unwrap();
        fs::remove_file(desk.path(&format!("levels/{first}"))).unwrap();
        fs::create_dir(desk.path(&format!("levels/{first}"))).unwrap();
        let before = desk.names("levels");
        let (code, _, err) = desk.run(&["export", path, "levels", "--png", "--force"]);
        assert!(code == 2 && desk.names("levels") == before, "{err}");
        desk.ok(&["export", path, "new/levels", "--svg"]);
        assert!(desk.names("new") == ["levels"] && !desk.names("new/levels").is_empty());
    }
    let desk = Desk::new(&[]);
    let zmap = golden_install().join("rc/maps/m1.zmap");
    let (code, _, err) = desk.run(&["export", zmap.to_str().unwrap(), "levels", "--svg"]);
    assert!(code == 2 && err.contains("has no levels to draw") && !Path::new(&desk.path("levels")).exists(), "{err}");
}

/// Asserts that a PNG is a drawing with several colors.
fn is_picture(bytes: &[u8], name: &str) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert!(frame.width > 100 && frame.height > 20, "{name}: {} by {}", frame.width, frame.height);
    let size = frame.color_type.samples();
    let colors: std::collections::BTreeSet<&[u8]> = pixels.chunks(size).collect();
    assert!(colors.len() > 4, "{name}: {} colors", colors.len());
}

/// Returns a scenario of three levels, one of which has patches and physics of its own, between its other chunks.
fn scenario() -> Vec<u8> {
    let mut spec = forge::wad::levels_of(&mut forge::random::Random::new(5), 3, |_| 12);
    let chunks = &mut spec.entries[1].chunks;
    chunks.insert(2, Chunk::new(b"SnPa", sample("Sounds.SnPa")));
    chunks.insert(4, Chunk::new(b"PXpx", vec![1; 208]));
    chunks.push(Chunk::new(b"ShPa", sample("shpa_mirrored.ShPa")));
    chunks.push(Chunk::new(b"FXpx", vec![2; 28]));
    forge::wad::build(&spec)
}

#[test]
fn scenarios_are_folders_of_levels_and_become_the_same_file() {
    let file = scenario();
    let desk = Desk::new(&[("Map.sceA", &file)]);
    desk.ok(&["verify", "Map.sceA"]);
    desk.ok(&["unpack", "--loose", "Map.sceA", "levels"]);
    let folders = desk.names("levels");
    assert!(folders.len() == 4 && folders[3] == "scenario.json", "{folders:?}");
    let level = &folders[1];
    let ends: Vec<String> =
        desk.names(&format!("levels/{level}")).iter().map(|it| it.rsplit('.').next().unwrap().to_owned()).collect();
    assert_eq!(ends, ["ShPa", "SnPa", "phyA", "sceA"]);
    // Each file is one that editors and this program take.
    for (end, kind) in ends.iter().zip(["shapes-patch", "sounds-patch", "wad", "wad"]) {
        let path = format!("levels/{level}/{level}.{end}");
        assert_eq!(recognize(KINDS, "any", &desk.read(&path)).unwrap().0.name, kind, "{path}");
        desk.ok(&["verify", &path]);
    }
    assert!(desk.read(&format!("levels/{level}/{level}.SnPa")) == sample("Sounds.SnPa"));
    desk.ok(&["pack", "--new", "scen", "levels", "again.sceA"]);
    assert!(desk.read("again.sceA") == file);

    // An edit of a level and of a patch, and a level without its patch of shapes.
    let map = format!("levels/{level}/{level}.sceA");
    let place =
        if desk.ok(&["ls", &map]).contains("EPNT") { "0!EPNT:/endpoints/0/x=5" } else { "0!PNTS:/points/0/x=5" };
    desk.ok(&["patch", &map, "--set", place]);
    fs::remove_file(desk.path(&format!("levels/{level}/{level}.ShPa"))).unwrap();
    desk.ok(&["pack", "--new", "scen", "levels", "edited.sceA"]);
    desk.ok(&["verify", "--strict", "edited.sceA"]);
    let changes = desk.run(&["diff", "Map.sceA", "edited.sceA"]).1;
    assert!(changes.contains("1!ShPa: removed") && changes.contains("/0/x: ") && !changes.contains("0!P"), "{changes}");

    // The folders of other tools have no list.
    fs::remove_file(desk.path("levels/scenario.json")).unwrap();
    fs::rename(desk.path(&format!("levels/{}", folders[2])), desk.path("levels/-1 first")).unwrap();
    desk.ok(&["pack", "--new", "scen", "levels", "other.sceA"]);
    desk.ok(&["verify", "other.sceA"]);
    let rows = desk.ok(&["inspect", "other.sceA", "/directory", "--json"]);
    assert!((0..3).all(|nth| rows.contains(&format!("\"index\":{nth}"))), "{rows}");
}

#[test]
fn folders_that_are_no_scenario_are_refused() {
    let file = scenario();
    let desk = Desk::new(&[("Map.sceA", &file)]);
    desk.ok(&["unpack", "--loose", "Map.sceA", "levels"]);
    let level = &desk.names("levels")[1];
    let folder = |name: &str| desk.path(&format!("levels/{level}/{name}"));
    let refused = |why: &str| {
        let (code, _, err) = desk.run(&["pack", "--new", "scen", "levels", "x.sceA"]);
        assert!(code == 2 && err.contains(why) && !desk.path("x.sceA").exists(), "{why}: {err}");
    };
    fs::write(folder("notes.doc"), "x").unwrap();
    refused("expected a .sceA, .phyA, .ShPa or .SnPa");
    fs::remove_file(folder("notes.doc")).unwrap();
    fs::copy(desk.path("Map.sceA"), folder("Map.sceA")).unwrap();
    refused("expected one level, found 3");
    fs::remove_file(folder("Map.sceA")).unwrap();
    fs::create_dir(desk.path("levels/more")).unwrap();
    fs::write(desk.path("levels/more/x.SnPa"), sample("Sounds.SnPa")).unwrap();
    refused("is not in scenario.json");
    fs::remove_dir_all(desk.path("levels/more")).unwrap();
    fs::remove_file(folder(&format!("{level}.sceA"))).unwrap();
    refused("expected a map, a file NAME.sceA, found none");
    // Two levels with one number, which the list keeps.
    let desk = Desk::new(&[("Map.sceA", &scenario())]);
    desk.ok(&["unpack", "--loose", "Map.sceA", "levels"]);
    let levels = desk.names("levels");
    let map = format!("levels/{0}/{0}.sceA", levels[1]);
    desk.ok(&["patch", &map, "--set", "/directory/0/index=0"]);
    let (code, _, err) = desk.run(&["pack", "--new", "scen", "levels", "x.sceA"]);
    assert!(code == 2 && err.contains("expected another number than 0") && !desk.path("x.sceA").exists(), "{err}");
    desk.ok(&["patch", &map, "--set", "/directory/0/index=1"]);
    desk.ok(&["pack", "--new", "scen", "levels", "x.sceA"]);
    assert!(desk.read("x.sceA") == desk.read("Map.sceA"));
    // What no level holds is named before anything is written.
    let file = sample("trailing_few.sceA");
    let desk = Desk::new(&[("Map.sceA", &file)]);
    let (code, _, err) = desk.run(&["unpack", "--loose", "Map.sceA", "levels"]);
    assert!(
        code == 2 && err.contains("would not be merged to the same bytes") && !desk.path("levels").exists(),
        "{err}"
    );
}

/// Source: `marathon-physics.md`, sections 1 to 6.
#[test]
fn physics_of_marathon_become_those_of_later_games_and_come_back() {
    let early = fs::read(golden_install().join("m1/Physics.phys")).unwrap();
    let later = fs::read(golden_install().join("mi/Physics Models/Standard.phyA")).unwrap();
    let desk = Desk::new(&[("Physics.phys", &early), ("Standard.phyA", &later)]);
    // Nothing is made up.
    let (code, _, err) = desk.run(&["export", "Physics.phys", "New.phyA"]);
    assert!(
        code == 2 && err.contains("`--like LATER.phyA` says from which") && !desk.path("New.phyA").exists(),
        "{err}"
    );
    let (code, out, err) = desk.run(&["export", "Physics.phys", "New.phyA", "--like", "Standard.phyA"]);
    assert_eq!(code, 0, "{out}{err}");
    for line in [
        "omitted: `conversation_sound` of monsters (40)",
        "omitted: `sound_activation_range` of weapons (7)",
        "omitted: player physics of the editor (1)",
        "unchanged: the last 7 records of --like (monsters)",
    ] {
        assert!(err.lines().chain(out.lines()).any(|it| it == line), "{line}: {out}{err}");
    }
    desk.ok(&["verify", "New.phyA"]);
    let value = |file: &str, place: &str| desk.ok(&["inspect", file, place]);
    let both = |early: &str, later: &str| assert_eq!(value("Physics.phys", early), value("New.phyA", later), "{later}");
    both("/blocks/0/monsters/3/vitality", "0!MNpx:/monsters/3/vitality");
    both("/blocks/0/monsters/39/ranged_attack/range", "0!MNpx:/monsters/39/ranged_attack/range");
    both("/blocks/3/players/1/gravitational_acceleration", "0!PXpx:/player_physics/0/gravitational_acceleration");
    both("/blocks/4/weapons/2/recoil/1", "0!WPpx:/weapons/2/secondary_trigger/recoil");
    both("/blocks/4/weapons/2/secondary_offset/1", "0!WPpx:/weapons/2/secondary_trigger/dz");
    both("/blocks/2/projectiles/5/damage/base", "0!PRpx:/projectiles/5/damage/base");
    for place in
        ["0!MNpx:/monsters/3/clear_sound", "0!MNpx:/monsters/46/vitality", "0!PXpx:/player_physics/1/splash_height"]
    {
        assert_eq!(value("Standard.phyA", place), value("New.phyA", place), "{place}");
    }
    // The way back gives the same file.
    let back = ["export", "New.phyA", "Back.phys", "--like", "Standard.phyA", "--like", "Physics.phys"];
    desk.ok(&back);
    assert!(desk.read("Back.phys") == early);
    desk.ok(&["patch", "New.phyA", "--set", "0!MNpx:/monsters/3/vitality=77"]);
    // A file of a game is not overwritten.
    assert_eq!(desk.run(&back).0, 2);
    fs::remove_file(desk.path("Back.phys")).unwrap();
    desk.ok(&back);
    assert_eq!(value("Back.phys", "/blocks/0/monsters/3/vitality"), "77\n");
    let (code, out, _) = desk.run(&["diff", "Physics.phys", "Back.phys"]);
    assert!(code == 1 && out.lines().filter(|line| line.contains(" → ")).count() == 1, "{out}");
    // It is refused where it would lose something.
    let refused = |place: &str, why: &str| {
        desk.ok(&["patch", "New.phyA", "-o", "Lost.phyA", "--force", "--set", place]);
        let args = ["export", "Lost.phyA", "x.phys", "--like", "Standard.phyA", "--like", "Physics.phys"];
        let (code, _, err) = desk.run(&args);
        assert!(code == 2 && err.contains(why) && !desk.path("x.phys").exists(), "{place}: {err}");
    };
    refused("0!MNpx:/monsters/3/clear_sound=1", "monsters/3/clear_sound would be lost");
    refused("0!PRpx:/projectiles/2/flags=65536", "projectiles/2/flags would be lost");
    refused("0!MNpx:/monsters/45/vitality=1234", "monsters/45 would be lost");
    refused(
        "0!WPpx:/weapons/1/primary_trigger/charging_sound=3",
        "weapons/1: `charging_sound` differs between the triggers",
    );
    let (code, _, err) = desk.run(&["export", "New.phyA", "x.phys", "--like", "Standard.phyA"]);
    assert!(code == 2 && err.contains("a second `--like EARLY.phys`"), "{err}");
    let (code, _, err) = desk.run(&["export", "New.phyA", "x.svg", "--like", "Standard.phyA"]);
    assert!(code == 2 && err.contains("--like is for physics models"), "{err}");
}

/// Source: `marathon-physics.md`, sections 1 to 6.
#[test]
fn physics_that_a_conversion_would_lose_are_said_or_refused() {
    let early = fs::read(golden_install().join("m1/Physics.phys")).unwrap();
    let later = fs::read(golden_install().join("mi/Physics Models/Standard.phyA")).unwrap();
    let desk = Desk::new(&[("Physics.phys", &early), ("Standard.phyA", &later)]);
    let chunk = |tag: &[u8; 4]| {
        let mut cat = Command::new(env!("CARGO_BIN_EXE_bitexact"));
        let place = format!("0!{}", tag.escape_ascii());
        let output = cat.current_dir(desk.0.path()).args(["cat", "Standard.phyA", &place]).output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{place}");
        Chunk::new(tag, output.stdout)
    };
    let chunks = || [b"MNpx", b"FXpx", b"PRpx", b"PXpx", b"WPpx"].map(chunk).to_vec();
    // A later model in two entries, or with one list twice.
    let twice = [chunks(), vec![chunk(b"FXpx")]].concat();
    for (name, entries, why) in [
        ("one.phyA", vec![chunks()], None),
        ("two.phyA", vec![chunks(), chunks()], Some("it has 2 lists of monsters, in the entries 0 and 1")),
        ("twice.phyA", vec![twice], Some("it has 2 lists of effects, in the entries 0 and 0")),
    ] {
        let entries = (0..).zip(entries).map(|(index, chunks)| forge::wad::Entry::new(index, chunks)).collect();
        fs::write(desk.path(name), forge::wad::build(&forge::wad::Spec::new(4, 0, b"Standard", entries))).unwrap();
        for args in [
            &["export", "Physics.phys", "x.phyA", "--like", name][..],
            &["export", name, "x.phys", "--like", "Standard.phyA", "--like", "Physics.phys"],
            &["export", "one.phyA", "x.phys", "--like", name, "--like", "Physics.phys"],
        ] {
            let (code, out, err) = desk.run(args);
            match why {
                Some(why) => {
                    // A second list in one entry has a label of its own, which is refused before.
                    let is_said = err.contains(why) || err.contains("0!FXpx#1 would be lost");
                    assert!(code == 2 && is_said && !desk.path(args[2]).exists(), "{args:?}: {err}");
                }
                None => {
                    // The flags of a later projectile would be lost; one list of each is no reason to refuse.
                    assert!(
                        !err.contains("lists of") && (code == 0) == args[2].ends_with(".phyA"),
                        "{args:?}: {out}{err}"
                    );
                    if code == 0 {
                        fs::remove_file(desk.path(args[2])).unwrap();
                    }
                }
            }
        }
    }
    // A block of another tool: two records of three bytes.
    let junk = [&early[..], b"junk", &[0; 4], &[0, 2, 0, 3], &[7; 6]].concat();
    let made = bitexact::marathon::physics::to_later(&junk.into(), &later.clone().into()).unwrap();
    assert_eq!(made.left_out.get("block \"junk\""), Some(&2), "{:?}", made.left_out);
    let made = bitexact::marathon::physics::to_later(&early.into(), &later.into()).unwrap();
    assert!(!made.left_out.keys().any(|name| name.starts_with("block")), "{:?}", made.left_out);
}

/// Every wad that is split is merged to the same bytes; all others are refused with the reason.
#[test]
fn all_wads_are_split_and_merged_or_refused() {
    let samples = forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "wad");
    let mut files: Vec<(String, Vec<u8>)> = samples.map(|it| (it.name, it.bytes)).collect();
    let made = files.len();
    if let Some(corpora) = harness::corpora() {
        let found = fs::read_dir(corpora.join("marathon/maps")).unwrap().map(|it| it.unwrap().path());
        let maps = found.filter(|path| path.extension().is_some_and(|end| end == "sceA"));
        files.extend(maps.map(|path| (path.display().to_string(), fs::read(&path).unwrap())));
    }
    let (mut split, mut real) = (0, 0);
    for (nth, (name, file)) in files.iter().enumerate() {
        match bitexact::loose::scenario::split(&file.clone().into()) {
            Ok(parts) => {
                assert!(bitexact::loose::scenario::merge(&parts).unwrap() == file, "{name}");
                (split, real) = (split + 1, real + usize::from(nth >= made));
            }
            Err(errors) => {
                eprintln!("{name}: {errors:?}");
                assert!(!errors.is_empty() && errors.iter().all(|why| !why.is_empty()), "{name}");
            }
        }
    }
    eprintln!("{split} of {} split, {real} of {} real", files.len(), files.len() - made);
    assert!(split > 10 && (real > 20 || files.len() == made), "{split} of {}, {real} real", files.len());
}
