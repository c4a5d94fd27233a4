//! What users asked for, item by item.

use bitexact::field::Value;
use bitexact::json::Compact;
use forge::archive::build;

use super::recompute_option::FILE;
use super::{Desk, archive, readers};
use crate::harness::sample;

/// Returns a desk with a generated file.
fn forged(name: &str) -> Desk {
    Desk::of(&[(name, &sample(name))])
}

fn inspect(desk: &Desk, file: &str, place: &str) -> String {
    let json = desk.ok(&["inspect", "--json", file, place]).out;
    Compact(bitexact::exchange::parse(json.as_bytes()).unwrap().get("value").unwrap()).to_string()
}

#[test]
fn users_1_deviations_that_an_edit_creates_are_printed_with_it() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let said = desk.ok(&["patch", "reader.zbd", "-n", "--set", "weapons.zrd:/0/1=7.5"]);
    assert!(!said.err.contains("deviation: "), "{}", said.err);
    let texture = forged("texture_name_tail.zbd");
    let said = texture.ok(&["patch", "texture_name_tail.zbd", "-n", "--set", "/directory/0/palette_index=99"]);
    assert!(said.err.contains("deviation: /directory/0/palette_index: expected "), "{}{}", said.out, said.err);
    assert!(said.err.contains("found 99"), "{}", said.err);
}

#[test]
fn users_14_wrong_place_names_what_exists_and_what_is_near() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    for (place, expected) in [
        ("/entry/0", "no entry at the top level; did you mean entries?"),
        ("/entries/0/nam", "no nam in /entries/0; did you mean name?"),
        ("weapon.zrd:/0", "no entry of this name; did you mean weapons.zrd?"),
        ("weapons.zrd:/0/99", "no 99 in /0, which has the items 0 to 2"),
    ] {
        for args in [vec!["inspect", "reader.zbd", place], vec!["patch", "reader.zbd", "-n", "--delete", place]] {
            let said = desk.run(&args);
            assert_eq!((said.code, said.err.contains(expected)), (2, true), "{args:?}: {}", said.err);
        }
    }
}

#[test]
fn users_15_plain_text_sets_a_text_and_keeps_its_tail() {
    let desk = forged("texture_name_tail.zbd");
    let name = "texture_name_tail.zbd";
    let before = inspect(&desk, name, "/directory/1/name");
    assert!(before.contains("sky") && before.contains("tail"), "{before}");
    desk.ok(&["patch", name, "--set", "/directory/1/name=\"hip\""]);
    assert_eq!(inspect(&desk, name, "/directory/1/name"), before.replace("sky", "hip"));
}

#[test]
fn users_16_items_of_lists_are_inserted_and_deleted() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let list = |desk: &Desk| inspect(desk, "reader.zbd", "weapons.zrd:/0");
    let before = list(&desk);
    desk.ok(&["patch", "reader.zbd", "--insert", "weapons.zrd:/0/1=\"B\"", "--insert", "weapons.zrd:/0/0=\"A\""]);
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/0"), "\"A\"");
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/2"), "\"B\"");
    // Both places are those before the command.
    desk.ok(&["patch", "reader.zbd", "--delete", "weapons.zrd:/0/0", "--delete", "weapons.zrd:/0/2"]);
    assert_eq!(list(&desk), before);
    let said = desk.run(&["patch", "reader.zbd", "--insert", "weapons.zrd:/0/9=1"]);
    assert!(said.code == 2 && said.err.contains("which has the items 0 to 2"), "{}", said.err);
}

#[test]
fn users_18_whole_number_sets_a_float() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=100"]);
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/1"), "100.0");
    desk.ok(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=100", "--retype"]);
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/1"), "100");
}

/// Above 64 values, the edits go through the exchange format as a whole.
#[test]
fn many_values_are_set_as_few_are() {
    let desk = super::recompute_option::forged("mw_c1_gamez.zbd");
    let count = desk.value().get("nodes").and_then(|it| it.get("slots")).and_then(Value::items).unwrap().len();
    let sets: Vec<String> = (0..count)
        .flat_map(|node| {
            ["zone_id=7", "area_partition_x=3", "area_partition_z=4"].map(|set| format!("/nodes/slots/{node}/{set}"))
        })
        .collect();
    assert!(sets.len() > 64, "{}", sets.len());
    let patch = |from: &str, sets: &[String], to: &str| {
        let mut args = vec!["patch", from, "-o", to, "--force"];
        sets.iter().for_each(|set| args.extend(["--set", set]));
        desk.ok(&args);
    };
    patch(FILE, &sets, "at once");
    let mut from = FILE.to_owned();
    for (nth, few) in sets.chunks(50).enumerate() {
        let to = format!("step {nth}");
        patch(&from, few, &to);
        from = to;
    }
    assert_ne!(desk.read("at once"), desk.read(FILE));
    assert!(desk.read("at once") == desk.read(&from));
}

/// Returns a desk with a copy of a game of the sample install, in a folder of a snapshot.
fn recorded(game: &str) -> Desk {
    let desk = Desk::of(&[]);
    let prefix = format!("{game}/");
    for (path, bytes) in forge::install(forge::INSTALL_SEED).iter().filter(|(path, _)| path.starts_with(&prefix)) {
        desk.write(path, bytes);
    }
    desk.ok(&["snapshot", game, "-q", "-o", "was.jsonl"]);
    desk
}

#[test]
fn users_7_mod_of_an_install_is_made_applied_and_undone() {
    let desk = Desk::of(&[("pm/zbd/reader.zbd", &archive()), ("pmod/zbd/reader.zbd", &build(&readers(7.5)))]);
    desk.ok(&["mod", "make", "pm", "pmod", "-o", "cool.mod"]);
    desk.ok(&["mod", "apply", "pm", "cool.mod"]);
    assert!(desk.read("pm/zbd/reader.zbd") == build(&readers(7.5)));
    let said = desk.ok(&["mod", "undo", "pm"]);
    assert!(said.err.ends_with("pm: undid cool.mod, 1 file\n"), "{}", said.err);
    assert!(desk.read("pm/zbd/reader.zbd") == archive());
}

#[test]
fn users_11_moved_file_is_no_loss_and_another_level_is_named() {
    let desk = recorded("rc");
    desk.ok(&["snapshot", ".", "-q", "-o", "outer.jsonl"]);
    std::fs::rename(desk.path("rc/maps/m1.zmap"), desk.path("rc/zbd/M1.zmap")).unwrap();
    let said = desk.run(&["verify", "rc", "--against", "was.jsonl"]);
    assert!(said.code == 1 && said.out.ends_with("against was.jsonl: 1 moved\n"), "{}", said.out);
    assert!(said.out.contains("moved         zbd/M1.zmap\n  path: maps/m1.zmap, now zbd/M1.zmap\n"), "{}", said.out);
    let said = desk.run(&["verify", "rc", "--against", "outer.jsonl"]);
    assert!(said.err.contains("hint: rc looks one level too deep: the list has its files below rc/"), "{}", said.err);
}

#[test]
fn users_12_page_names_each_aspect_once_and_counts_all_findings() {
    let desk = recorded("rc");
    for name in ["m1", "m2", "m3"] {
        desk.ok(&[
            "patch",
            &format!("rc/maps/{name}.zmap"),
            "-q",
            "--delete",
            "/features/0",
            "--delete",
            "/features/1",
        ]);
    }
    let said = desk.run(&["verify", "rc", "-q", "--against", "was.jsonl", "--html", "page.html"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let page = String::from_utf8(desk.read("page.html")).unwrap();
    assert!(page.contains("<title>3 files differ from the snapshot – bitexact</title>"), "{page:.300}");
    let cells: Vec<&str> = page.split("<td>").filter(|cell| cell.starts_with("bytes, ")).collect();
    assert_eq!(cells.len(), 3);
    assert!(cells.iter().all(|cell| cell.starts_with("bytes, sha256, records, census</td>")), "{cells:?}");
}

#[test]
fn users_13_cut_file_is_told_in_a_line() {
    let desk = recorded("rc");
    let mut map = desk.read("rc/maps/m2.zmap");
    map.truncate(map.len() - 3);
    desk.write("rc/maps/m2.zmap", &map);
    let said = desk.run(&["verify", "rc", "--against", "was.jsonl"]);
    let (_, told) = said.out.split_once("\nchanged       maps/m2.zmap\n").expect("the finding");
    let line = told.lines().next().unwrap();
    assert_eq!(line, "  1,064 → 1,061 bytes, 3 fewer; no longer decodes");
    assert!(!told.contains("now none"), "{told}");
    assert!(said.out.contains("expected 4 bytes, found 1\n"), "{}", said.out);
}

/// Returns what the program prints on a terminal, or `None` if there is no way to give it one.
#[cfg(target_os = "linux")]
fn on_a_terminal(desk: &Desk, args: &str) -> Option<String> {
    let line = format!("'{}' {args}", env!("CARGO_BIN_EXE_bitexact"));
    // Without a type of terminal, no progress is drawn.
    let mut script = std::process::Command::new("script");
    script.current_dir(desk.path("")).env("TERM", "xterm").args(["-qec", &line, "/dev/null"]);
    let Ok(output) = script.output() else {
        eprintln!("script: not installed, nothing is tested on a terminal");
        return None;
    };
    Some(String::from_utf8(output.stdout).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn users_20_progress_counts_files_and_guesses_no_time_at_once() {
    let desk = recorded("rc");
    let Some(said) = on_a_terminal(&desk, "verify rc") else { return };
    assert!(said.contains(" files, ") && said.contains(" of "), "{said:?}");
    assert!(!said.contains(" left"), "{said:?}");
}

#[test]
fn users_23_texts_display_and_are_made_from_text() {
    use ::field::TextError;
    use bitexact::field::Text;
    let name = Text::<32>::try_from("vexsha_87").unwrap();
    assert_eq!((format!("{name}"), format!("{name:>12}")), ("vexsha_87".into(), "   vexsha_87".into()));
    assert!(name == "vexsha_87" && name != "vexsha");
    assert_eq!(Text::<4>::try_from("vexsha"), Err(TextError::TooLong { bytes: 6, most: 4 }));
    assert_eq!(Text::<4>::try_from("λ"), Err(TextError::Lacking { page: "windows-1252" }));
}

#[test]
fn users_24_missing_files_have_a_reason_that_is_no_riddle() {
    let desk = recorded("mw");
    let said = desk.ok(&["verify", "mw", "-v"]).out.replace('\\', "/");
    assert!(said.contains("mw: missing: zbd/rmechtex16.zbd (option: hardware, 2 MB)\n"), "{said}");
    assert!(said.contains("mw: missing: readme.txt (not game data)\n"), "{said}");
    assert!(!said.contains("nothing of the game"));
    assert!(said.contains("incomplete    mw: MechWarrior 3, patched to 1.2: "), "{said}");
    assert!(said.contains("mw: evidence of the edition: zbd/mech_engine_np.wav exists\n"), "{said}");
}

#[test]
fn users_24_files_of_an_install_count_as_its_game() {
    let desk = recorded("mw");
    let rows = |args: &[&str]| -> Vec<serde_json::Value> {
        let rows = desk.ok(&[&["verify", "--json"], args].concat()).out;
        rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    };
    let have_several = |rows: &[serde_json::Value]| {
        rows.iter().filter(|row| row["games"].as_array().is_some_and(|games| games.len() > 1)).count()
    };
    let inside = rows(&["mw"]);
    // Files that are given alone have no install around them.
    let paths: Vec<&str> = inside.iter().filter_map(|row| row["path"].as_str()).collect();
    let possible = have_several(&rows(&paths));
    assert!(possible > 1, "the content alone does not tell the game");
    let unexpected = inside.iter().find_map(|row| row["install"]["unlisted"].as_array()).unwrap().len();
    let games = inside.last().unwrap()["summary"]["game"].as_object().unwrap();
    let several =
        games.iter().filter(|(game, _)| game.contains('|')).map(|(_, count)| count.as_u64().unwrap() as usize);
    let several: usize = several.sum();
    assert!(several <= unexpected && several < possible, "only unexpected files: {games:?}");
    assert_eq!(have_several(&inside), several, "the rows state what the table counts");
    desk.ok(&["verify", "mw", "--html", "page.html"]);
    let page = String::from_utf8(desk.read("page.html")).unwrap();
    assert!(page.contains("archive of readers"));
}

#[test]
fn users_24_summary_says_what_archives_hold() {
    let desk = recorded("mw");
    let said = desk.ok(&["verify", "mw"]).out;
    let has = |label: &str| said.lines().any(|line| line.starts_with(&format!("{label}  ")));
    for label in ["archive of sounds", "archive of readers", "archive of motions", "archive of models", "gamez"] {
        assert!(has(label), "{label}: {said}");
    }
    assert!(!has("archive"), "{said}");
    let saves = recorded("rc").ok(&["verify", "rc"]).out;
    assert!(saves.contains("\narchive of saved states  "), "{saves}");
}

#[test]
fn script_is_printed_as_text_that_replaces_it() {
    let name = "interp.zbd";
    let bytes = std::fs::read(crate::harness::golden_install().join("mw/zbd/interp.zbd")).unwrap();
    let desk = Desk::of(&[(name, &bytes)]);
    let listed = desk.ok(&["ls", name]).out;
    let entry = listed.lines().next().unwrap().split_whitespace().last().unwrap();
    let text = desk.ok(&["cat", name, entry, "--text"]).out;
    assert!(text.lines().count() > 1 && !text.contains('\0'), "{text:?}");
    desk.write("script.txt", format!("Hello world\n{text}").as_bytes());
    desk.ok(&["patch", name, "-q", "--replace", &format!("{entry}=script.txt")]);
    assert_eq!(desk.ok(&["cat", name, entry, "--text"]).out, format!("Hello world\n{text}"));
    let sounds = Desk::of(&[("reader.zbd", &archive())]);
    assert!(sounds.ok(&["cat", "reader.zbd", "weapons.zrd", "--text"]).out.contains("LASER"));
    let textures = forged("texture_name_tail.zbd");
    let image = textures.ok(&["ls", "texture_name_tail.zbd"]).out;
    if let Some(image) = image.lines().next().and_then(|line| line.split_whitespace().last()) {
        let said = textures.run(&["cat", "texture_name_tail.zbd", image, "--text"]);
        assert!(said.code == 2 && said.err.contains("cannot export image as .txt, only as .png"), "{}", said.err);
    }
}

#[test]
fn blank_entry_of_a_talk_table_is_told_from_a_misspelled_one() {
    let bytes = std::fs::read(crate::harness::golden_install().join("nwn/tlk/custom.tlk")).unwrap();
    let desk = Desk::of(&[("custom.tlk", &bytes)]);
    for args in [
        &["inspect", "custom.tlk", "/entries/9/text"][..],
        &["patch", "custom.tlk", "-n", "--set", "/entries/9/text=\"x\""],
    ] {
        let said = desk.run(args);
        let hint = "no 9 in /entries, where blank ones are left out; set 9 itself to fill it";
        assert!(said.code == 2 && said.err.contains(hint), "{}", said.err);
    }
    desk.ok(&["patch", "custom.tlk", "--set", "/entries/9={\"flags\": 1, \"text\": \"x\"}"]);
    assert_eq!(inspect(&desk, "custom.tlk", "/entries/9/text"), "\"x\"");
}

#[test]
fn mod_and_module_with_the_same_suffix_are_told_apart() {
    let module = sample("module.mod");
    let desk =
        Desk::of(&[("a/reader.zbd", &archive()), ("b/reader.zbd", &build(&readers(7.5))), ("module.mod", &module)]);
    desk.ok(&["mod", "make", "a", "b", "-o", "cool.mod"]);
    let said = desk.run(&["mod", "apply", "a", "module.mod"]);
    let found = "module.mod:1: expected a mod, as `bitexact mod make` writes it; found a module of Neverwinter Nights";
    assert!(said.code == 2 && said.err.contains(found), "{}", said.err);
    for args in [&["inspect", "cool.mod"][..], &["unpack", "cool.mod"], &["patch", "cool.mod", "--set", "/a=1"]] {
        let said = desk.run(args);
        let found = "cool.mod: a mod by `bitexact mod make`, not a game file; `bitexact mod apply` applies it";
        assert!(said.code == 2 && said.err.contains(found), "{args:?}: {}", said.err);
    }
    let said = desk.run(&["verify", "cool.mod", "module.mod"]);
    assert!(said.code == 0 && said.out.contains("cool.mod (bitexact-mod)"), "{}", said.out);
    // A mod of the other sort, for one file.
    desk.write("changes.json", desk.run(&["diff", "--json", "a/reader.zbd", "b/reader.zbd"]).out.as_bytes());
    let said = desk.run(&["mod", "apply", "a", "changes.json"]);
    assert!(said.code == 2 && said.err.contains("`bitexact patch FILE --apply` makes them"), "{}", said.err);
    let said = desk.run(&["patch", "a/reader.zbd", "--apply", "cool.mod"]);
    assert!(said.code == 2 && said.err.contains("`bitexact mod apply` applies it"), "{}", said.err);
}
