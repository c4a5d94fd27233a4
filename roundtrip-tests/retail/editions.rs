//! The edition of an install, and what it never had.

use super::{Desk, texts};
use crate::harness::sample;

/// Returns the paths of Recoil's data for some missions, with as many files as the source counts. Source: `zipper-installs.md`, section 4.
fn recoil(missions: u32, maps: u32) -> Vec<String> {
    let common = ["Recoil.exe", "messages.dll", "zbd/interp.zbd", "zbd/image.zbd", "zbd/zrdr.zbd"];
    let sounds = ["zbd/soundsl.zbd", "zbd/soundsm.zbd", "zbd/soundsh.zbd"];
    let mut paths: Vec<String> = common.iter().chain(&sounds).map(|path| (*path).to_owned()).collect();
    for mission in 1..=missions {
        let tiers = ["texture2", "texture4", "rtexture2", "rtexture4"];
        paths.extend(["gamez", "anim", "zrdr"].iter().chain(&tiers).map(|name| format!("zbd/m{mission}/{name}.zbd")));
        if mission <= 6 || mission == 13 {
            paths.push(format!("zbd/m{mission}/texture6.zbd"));
        }
    }
    paths.push("zbd/m6/texture8.zbd".to_owned());
    paths.extend((1..=maps).map(|map| format!("maps/m{map}.zmap")));
    paths
}

/// Source: `zipper-installs.md`, section 4: 60 texture packages; larger ones are additions.
#[test]
fn texture_packages_of_recoil_are_known_exactly() {
    let mut paths = recoil(13, 12);
    assert_eq!(paths.iter().filter(|path| path.contains("texture")).count(), 60);
    paths.retain(|path| path != "zbd/m13/texture6.zbd");
    paths.extend(["zbd/m1/rtexture8.zbd", "zbd/m2/texturemax.zbd"].map(str::to_owned));
    let desk = forged(&paths);
    let install = desk.install(&["rc"]);
    assert_eq!(texts(&install["missing"], "path"), ["zbd/m13/texture6.zbd"]);
    assert_eq!(texts(&install["missing"], "why"), ["required"]);
    assert_eq!(install["unlisted"], serde_json::json!([]), "a modder has added them");
}

/// Forges an install with these paths: worlds are worlds, programs begin like programs, other files only have their names.
fn forged(paths: &[String]) -> Desk {
    let world = sample("rc_m1_gamez.zbd");
    let bytes = |path: &str| match path.rsplit_once('.') {
        _ if path.ends_with("gamez.zbd") => world.clone(),
        Some((_, "exe" | "dll")) => b"MZ a program".to_vec(),
        _ => path.as_bytes().to_vec(),
    };
    let files: Vec<_> = paths.iter().map(|path| (format!("rc/{path}"), bytes(path))).collect();
    Desk::of(files.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])))
}

#[test]
fn forged_editions_of_recoil_lack_nothing_they_never_had() {
    for (missions, maps, edition, evidence) in [
        (6, 6, "edition of 1998", "no data of missions after the sixth"),
        (9, 9, "edition of 1998", "no data of missions after the ninth"),
        (13, 12, "", ""),
    ] {
        let desk = forged(&recoil(missions, maps));
        let install = desk.install(&["rc"]);
        assert_eq!((&install["game"], &install["edition"]), (&"rc".into(), &edition.into()));
        assert_eq!(install["evidence"], evidence);
        assert_eq!(install["missing"], serde_json::json!([]), "{missions} missions");
        assert_eq!(install["unlisted"], serde_json::json!([]), "{missions} missions");
        let said = desk.run(&["verify", "rc"]);
        let name = if edition.is_empty() { "edition not identified" } else { edition };
        assert!(said.out.contains(&format!("  rc: Recoil, {name}: ")), "{}", said.out);
        assert!(
            said.out.contains(", no required file missing. ") && !said.out.contains(" files missing"),
            "{}",
            said.out
        );
        let told = said.out.contains(&format!("rc: evidence of the edition: {evidence}\n"));
        assert_eq!(told, !evidence.is_empty(), "{}", said.out);
        let files = recoil(missions, maps).len();
        assert_eq!((&install["as_sold"], &install["unknown"]), (&0.into(), &files.into()));
    }
}

/// A file of another kind does not stand for a required one.
#[test]
fn something_else_in_the_place_of_a_required_file_is_missing() {
    let desk = Desk::golden("rc");
    desk.write("rc/recoil.exe", b"MZ a program");
    let before = desk.install(&["rc"]);
    desk.write("rc/recoil.exe", b"\x89PNG\r\n\x1A\n an image");
    desk.write("rc/messages.dll", b"something else");
    let install = desk.install(&["rc"]);
    let missing = |install: &serde_json::Value| install["missing"].as_array().unwrap().clone();
    let more: Vec<_> = missing(&install).into_iter().filter(|it| !missing(&before).contains(it)).collect();
    let row = |path: &str, found: &str| serde_json::json!({ "path": path, "why": "required", "found": found });
    let expected = [
        row("messages.dll", "a file with other contents is in its place"),
        row("recoil.exe", "a file of kind png is in its place"),
    ];
    assert_eq!(more, expected);
    let said = desk.run(&["verify", "rc"]).out;
    assert!(
        said.contains("rc: recoil.exe: a file of kind png is in its place, so that its own bytes are missing\n"),
        "{said}"
    );
}

/// What the words and the row of an install say, the rows of its files say.
#[test]
fn rows_of_files_name_the_install_around_them() {
    let said = super::run(&crate::harness::golden_install(), &["verify", "--json", "."]);
    let rows: Vec<serde_json::Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let installs: Vec<_> = rows.iter().filter_map(|row| row.get("install")).collect();
    assert_eq!(installs.len(), 9);
    let mut games = 0;
    for row in rows.iter().filter(|row| row.get("path").is_some()) {
        let path = row["path"].as_str().unwrap();
        let is_around = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'));
        let around = installs.iter().find(|it| is_around(it["root"].as_str().unwrap())).expect(path);
        assert_eq!(row["root"], around["root"], "{path}");
        let edition = Some(&around["edition"]).filter(|it| *it != "");
        assert_eq!(row.get("edition"), edition, "{path}");
        let inner = path.strip_prefix(around["root"].as_str().unwrap()).unwrap().trim_start_matches('/');
        if !texts_of(&around["unlisted"]).contains(&inner) && row.get("game").is_some() {
            games += 1;
            assert_eq!(row["game"], around["game"], "{path}");
        }
        let is_open = row.get("games").is_some_and(|games| games.as_array().unwrap().contains(&around["game"]));
        assert!(!is_open || texts_of(&around["unlisted"]).contains(&inner), "{path}");
    }
    assert!(games > 100, "{games}");
    // Files outside of an install, and files that are named, have none.
    let desk = Desk::of([("a.zmap", &sample("m1.zmap")[..])]);
    for path in ["a.zmap", "."] {
        assert_eq!(desk.rows(&[path]).1[0].get("root"), None);
    }
}

/// Returns a list of texts.
fn texts_of(list: &serde_json::Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
}

#[test]
fn incomplete_edition_lacks_what_it_had() {
    let paths: Vec<_> = recoil(13, 12).into_iter().filter(|path| path != "zbd/m8/anim.zbd").collect();
    assert_eq!(texts(&forged(&paths).install(&["rc"])["missing"], "path"), ["zbd/m8/anim.zbd"]);
    let paths: Vec<_> = recoil(9, 9).into_iter().filter(|path| path != "zbd/m8/anim.zbd").collect();
    assert_eq!(
        texts(&forged(&paths).install(&["rc"])["missing"], "path"),
        ["zbd/m8/anim.zbd"],
        "of a mission that it has"
    );
    let paths: Vec<_> = recoil(6, 6).into_iter().filter(|path| path != "zbd/m5/anim.zbd").collect();
    assert_eq!(texts(&forged(&paths).install(&["rc"])["missing"], "path"), ["zbd/m5/anim.zbd"]);
}

#[test]
fn program_tells_patch_language_and_build() {
    let program = |version: [u16; 4], language: u16| {
        let mut program = b"MZ\0\0\xBD\x04\xEF\xFE\0\0\x01\0".to_vec();
        let [a, b, c, d] = version;
        program.extend([b, a, d, c].into_iter().flat_map(u16::to_le_bytes));
        program.extend("Translation\0".encode_utf16().chain([0, language, 1200]).flat_map(u16::to_le_bytes));
        program
    };
    let world = sample("mw_c1_gamez.zbd");
    let patched = program([1, 2, 22, 0], 0x0407);
    let files = [("mw/zbd/c1/gamez.zbd", &world[..]), ("mw/Mech3.exe", &patched), ("mw/Mech3Msg.dll", &patched)];
    let said = Desk::of(files).run(&["verify", "mw"]);
    let evidence = "mw: evidence of the edition: the version of mech3.exe, 1.2.22.0, the language of mech3msg.dll\n";
    assert!(
        said.out.contains(" mw: MechWarrior 3, patched to 1.2, German: ") && said.out.contains(evidence),
        "{}",
        said.out
    );
    let world = sample("cs_c1_gamez.zbd");
    let patched = program([1, 1, 0, 0], 0x0409);
    let files = [("zbd/c1/gamez.zbd", &world[..]), ("crimson.exe", &patched), ("strings.dll", &patched)];
    let install = Desk::of(files).install(&["."]);
    assert_eq!(install["edition"], "patched to 1.01, English");
    let third = vec![1; 1_868_288];
    let world = sample("rc_m1_gamez.zbd");
    let install = Desk::of([("zbd/m13/gamez.zbd", &world[..]), ("Recoil.exe", &third)]).install(&["."]);
    assert_eq!(install["edition"], "unknown build of the program");
}

/// Source: `zipper-installs.md`, section 4.1.
#[test]
fn demo_of_recoil_is_identified_by_the_version_of_a_world() {
    let world = sample("rc_demo_gamez.zbd");
    let desk = Desk::of([("rc/zbd/m1/gamez.zbd", &world[..]), ("rc/zbd/m6/gamez.zbd", &world)]);
    let install = desk.install(&["rc"]);
    assert_eq!((&install["game"], &install["edition"]), (&"rc".into(), &"demo".into()));
    assert_eq!(install["missing"], serde_json::json!([]), "the files of the demos are not published");
    let said = desk.run(&["verify", "rc"]);
    assert!(said.out.contains("rc: evidence of the edition: zbd/m1/gamez.zbd has version 13\n"), "{}", said.out);
}

/// Source: `zipper-installs.md`, section 2.7.
#[test]
fn demo_of_mechwarrior_3_is_identified_by_names_and_its_files_are_kept() {
    let root =
        ["interp", "mechlib", "motion", "reader", "rimage", "rlab", "rmechtex", "rmechtex16", "rmechtexs", "soundsM"];
    let tiers = ["rtexture", "rtexture2", "rtexture3", "texture", "texture1", "texture2"];
    let readers = ["readeria1", "readeria2", "readeria3", "readerm1", "readerm2", "readerm3", "readerm4", "readermp1"];
    let mut paths: Vec<String> = root.iter().map(|name| format!("zbd/{name}.zbd")).collect();
    paths.extend(
        ["anim", "gamez", "reader"].iter().chain(&readers).chain(&tiers).map(|name| format!("zbd/c4/{name}.zbd")),
    );
    assert_eq!(paths.len(), 27);
    // A world of a version that no format spec describes, and a sound archive.
    let mut world = sample("mw_c1_gamez.zbd");
    world[4] = 21;
    let sounds = sample("mw_soundsL.zbd");
    let bytes = |path: &str| match path {
        "zbd/c4/gamez.zbd" => &world[..],
        "zbd/soundsM.zbd" => &sounds,
        _ => b"?",
    };
    let files = paths.iter().map(|path| (path.as_str(), bytes(path))).chain([("mech3demo.exe", &b"MZ"[..])]);
    let desk = Desk::of(files);
    let install = desk.install(&["."]);
    assert_eq!((&install["game"], &install["edition"]), (&"mw".into(), &"demo".into()));
    assert_eq!((&install["missing"], &install["unlisted"]), (&serde_json::json!([]), &serde_json::json!([])));
    let (code, rows) = desk.rows(&["."]);
    let status = |path: &str| {
        rows.iter()
            .find(|row| row["path"].as_str().is_some_and(|it| it.ends_with(path)))
            .map(|row| row["status"].clone())
            .unwrap()
    };
    assert_eq!([status("zbd/c4/gamez.zbd"), status("zbd/soundsM.zbd")], ["unknown", "identical"]);
    assert_eq!(code, 0, "nothing fails");
    // Elsewhere such a world is refused.
    let other = Desk::of([("zbd/c4/gamez.zbd", &world[..])]);
    assert_eq!(other.rows(&["."]).1[0]["status"], "refused");
    // One name is enough.
    let install = Desk::of([("zbd/rlab.zbd", &b"?"[..]), ("zbd/soundsM.zbd", &sounds)]).install(&["."]);
    assert_eq!((&install["game"], &install["evidence"]), (&"mw".into(), &"zbd/rlab.zbd exists".into()));
}

/// Source: `zipper-installs.md`, sections 2.1 and 3.
#[test]
fn saves_and_controls_of_mechwarrior_are_written_by_the_game() {
    for (name, game) in [("mw_c1_gamez.zbd", "mw"), ("pm_c1_gamez.zbd", "pm")] {
        let world = sample(name);
        let files = [
            ("zbd/c1/gamez.zbd", &world[..]),
            ("pilots/Ace/game.mw3", b"?"),
            ("keys/Ace.zrd", b"?"),
            ("pilots/Ace/x", b"?"),
        ];
        let install = Desk::of(files).install(&["."]);
        assert_eq!((&install["game"], &install["unlisted"]), (&game.into(), &serde_json::json!([])));
    }
}

#[test]
fn demo_lacks_nothing() {
    let world = sample("mw_c1_gamez.zbd");
    let install = Desk::of([("zbd/c1/gamez.zbd", &world[..]), ("zbd/soundsM.zbd", b"")]).install(&["."]);
    assert_eq!((&install["edition"], &install["missing"]), (&"demo".into(), &serde_json::json!([])));
}

#[test]
fn missing_required_files_are_findings_under_strict() {
    let desk = Desk::golden("rc");
    let install = desk.install(&["rc"]);
    let missing = install["missing"].as_array().unwrap().iter();
    let required: Vec<_> =
        missing.filter(|it| it["why"] == "required").map(|it| it["path"].as_str().unwrap()).collect();
    assert!(!required.is_empty());
    let lenient = desk.run(&["verify", "rc"]);
    assert!(lenient.code == 0 && !lenient.out.contains("\nmissing "), "{}", lenient.out);
    let strict = desk.run(&["verify", "--strict", "--junit", "cases.xml", "rc"]);
    let cases = std::fs::read_to_string(desk.path("cases.xml")).unwrap();
    let said = strict.out.lines().filter(|line| line.starts_with("missing ")).count();
    assert_eq!((strict.code, said), (1, required.len()), "{}", strict.out);
    for path in &required {
        assert!(strict.out.contains(&format!("missing       rc/{path} (required)\n")), "{path}: {}", strict.out);
        assert!(cases.contains(&format!("<testcase name=\"rc/{path}\" classname=\"missing\"")), "{path}: {cases}");
    }
    let quiet = desk.run(&["verify", "--strict", "-q", "rc"]);
    assert!(quiet.code == 1 && quiet.out.contains(" (required)\n"), "{}", quiet.out);
    // Optional files and those of other editions are none.
    let verbose = desk.run(&["verify", "--strict", "-v", "rc"]);
    assert_eq!(verbose.out.matches(": missing: ").count(), install["missing"].as_array().unwrap().len());
    for path in required {
        desk.write(&format!("rc/{path}"), b"MZ");
    }
    let whole = desk.run(&["verify", "--strict", "rc"]);
    assert!(!whole.out.lines().any(|line| line.starts_with("missing ")), "{}", whole.out);
}
