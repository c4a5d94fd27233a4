//! Everyday habits: paths alone, litter, outputs that exist, quiet runs, searches, lists of entries, differences for people.

use forge::archive::build;
use forge::reader::{self, list};

use super::{Desk, archive, data, readers};
use crate::harness::sample;

/// Returns an archive with a long list in its second entry, and this many items in it.
fn with_items(items: i32) -> Vec<u8> {
    let mut spec = readers(5.0);
    spec.entries[1].data = data(list((0..items).map(reader::Value::Int).collect::<Vec<_>>()));
    build(&spec)
}

/// Returns a texture package.
fn textures() -> Vec<u8> {
    std::fs::read(crate::harness::golden_install().join("mw/zbd/rimage.zbd")).unwrap()
}

/// Makes a file read-only, or writable again, which Windows needs to delete it.
fn set_read_only(desk: &Desk, path: &str, is_read_only: bool) {
    let path = desk.path(path);
    let mut mode = std::fs::metadata(&path).unwrap().permissions();
    mode.set_readonly(is_read_only);
    std::fs::set_permissions(&path, mode).unwrap();
}

const LITTER: [&str; 6] = ["Thumbs.db", ".DS_Store", "Desktop.ini", "reader.zbd~", ".git/HEAD", ".git/objects/ab/cd"];

#[test]
fn users_8_litter_is_ignored_with_one_line_by_every_command() {
    let desk = Desk::of(&[("game/reader.zbd", &archive()), ("other/reader.zbd", &archive())]);
    LITTER.iter().for_each(|path| desk.write(&format!("game/{path}"), b"litter"));
    let line = "ignored: game/.DS_Store, game/.git, game/Desktop.ini and 2 more\n";
    for args in [
        &["verify", "--strict", "game"][..],
        &["snapshot", "game"],
        &["lint", "game"],
        &["diff", "game", "other"],
        &["inspect", "game", "--find", "laser"],
        &["unpack", "game", "form"],
    ] {
        let said = desk.ok(args);
        let err = said.err.replace('\\', "/");
        assert_eq!(err.matches(line).count(), 1, "{args:?}: {err}");
        assert!(!said.out.contains("Thumbs") && !said.out.contains("HEAD"), "{args:?}: {}", said.out);
    }
    // A list of another program has it, and that is no difference.
    desk.write(
        "sums",
        format!(
            "{}  Thumbs.db\n{}  reader.zbd\n",
            bitexact::passes::Sha::of(b"litter"),
            bitexact::passes::Sha::of(&archive())
        )
        .as_bytes(),
    );
    let said = desk.ok(&["verify", "game", "--against", "sums"]);
    assert!(said.out.ends_with("against sums: no changes\n"), "{}", said.out);
    // Who names a file wants it.
    let said = desk.run(&["verify", "game/Thumbs.db"]);
    assert!(said.out.contains("game/Thumbs.db") && !said.err.contains("ignored"), "{}{}", said.out, said.err);
}

#[test]
fn patterns_that_the_shell_leaves_name_the_folder() {
    let desk = Desk::of(&[("game/reader.zbd", &archive())]);
    for command in ["verify", "lint"] {
        let said = desk.run(&[command, "game/*.mod"]);
        let why = "game/*.mod: no file has this name, and the shell has found none for it; name the folder instead";
        assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
    }
}

#[test]
fn users_9_nothing_of_the_user_is_replaced_without_force() {
    let desk = Desk::of(&[("reader.zbd", &archive()), ("rimage.zbd", &textures())]);
    for (name, text) in
        [("notes.html", "<!DOCTYPE html>mine"), ("precious.json", "{\"mine\": 1}"), ("sheet.png", "mine")]
    {
        desk.write(name, text.as_bytes());
        let args: &[&str] = match name {
            "notes.html" => &["verify", "reader.zbd", "--html", name],
            "precious.json" => &["snapshot", "reader.zbd", "-o", name],
            _ => &["export", "rimage.zbd", name],
        };
        let said = desk.run(args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}: {}", said.err);
        assert!(
            said.err.contains("already exists") && said.err.contains("use --force to overwrite it"),
            "{}",
            said.err
        );
        assert_eq!(desk.read(name), text.as_bytes());
        desk.ok(&[args, &["--force"]].concat());
        assert_ne!(desk.read(name), text.as_bytes());
        // A report and a snapshot replace an earlier one.
        let said = desk.run(args);
        assert_eq!(said.code == 0, name != "sheet.png", "{}", said.err);
        // A game file is never replaced by a report.
        let game: Vec<&str> = args.iter().map(|it| if *it == name { "reader.zbd" } else { it }).collect();
        let said = desk.run(&[&game[..], &["--force"]].concat());
        assert_eq!((said.code, desk.read("reader.zbd") == archive()), (2, true), "{game:?}: {}", said.err);
    }
    for args in [
        &["snapshot", "reader.zbd", "--sha256sum", "-o", "sums"][..],
        &["verify", "reader.zbd", "--junit", "cases.xml"],
    ] {
        desk.ok(args);
        desk.ok(args);
    }
    set_read_only(&desk, "sums", true);
    let said = desk.run(&["snapshot", "reader.zbd", "--sha256sum", "--force", "-o", "sums"]);
    assert!(said.code == 2 && said.err.contains("sums: is read-only; make it writable"), "{}", said.err);
    set_read_only(&desk, "sums", false);
}

#[test]
fn users_10_similar_changes_are_cut_short() {
    let desk = Desk::of(&[("a.zbd", &with_items(3)), ("b.zbd", &with_items(261))]);
    let said = desk.run(&["diff", "a.zbd", "b.zbd"]);
    let expected = "weapons.zrd:/3: added 3\nweapons.zrd:/4: added 4\nweapons.zrd:/5: added 5\nweapons.zrd:/6: added 6\n\
                    weapons.zrd:/7: added 7\nweapons.zrd: and 253 items more; --full prints all\n";
    assert_eq!((said.code, said.out.as_str()), (1, expected));
    assert_eq!(desk.run(&["diff", "--full", "a.zbd", "b.zbd"]).out.lines().count(), 258);
    let said = desk.run(&["diff", "--stat", "a.zbd", "b.zbd"]);
    assert_eq!((said.code, said.out.as_str()), (1, "weapons.zrd: 258 changes\n258 changes in 1 place\n"));
    let rows = desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out;
    assert_eq!(rows.matches("\"do\":\"insert\"").count(), 258, "a mod is whole");
    assert_eq!(desk.run(&["diff", "--stat", "a.zbd", "a.zbd"]).out, "");
}

#[test]
fn users_6_changed_part_of_a_text_is_shown() {
    let long =
        |word: &str| format!("{}{word}{}", "The quick brown fox ".repeat(9), " jumps over the lazy dog".repeat(9));
    let file = |word: &str| {
        let mut spec = readers(5.0);
        spec.entries[1].data = data(list([forge::reader::string(long(word).as_bytes())]));
        build(&spec)
    };
    let desk = Desk::of(&[("a.zbd", &file("sleeps")), ("b.zbd", &file("wakes"))]);
    let said = desk.run(&["diff", "a.zbd", "b.zbd"]).out;
    assert_eq!(
        said,
        "weapons.zrd:/0: …\"The quick brown fox sleeps jumps over the laz\"… → …\"The quick brown fox wakes jumps over the laz\"…\n"
    );
}

#[test]
fn users_19_quiet_run_prints_only_findings() {
    let desk = Desk::of(&[("game/reader.zbd", &archive()), ("game/broken.zbd", &archive()[..90]), ("x.foo", b"?")]);
    let said = desk.ok(&["verify", "-q", "game/reader.zbd"]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    let said = desk.run(&["verify", "-q", "--strict", "game", "x.foo"]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    assert_eq!(said.out.lines().count(), 2, "{}", said.out);
    assert!(
        said.out.contains("broken.zbd") && said.out.contains("x.foo"),
        "the reasons of the exit code: {}",
        said.out
    );
    let said = desk.ok(&["patch", "-q", "game/reader.zbd", "--set", "weapons.zrd:/0/1=7.5"]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    assert!(desk.read("game/reader.zbd") == build(&readers(7.5)));
}

#[test]
fn users_21_search_has_an_exit_code_numbers_and_kinds() {
    let desk = Desk::of(&[("game/reader.zbd", &archive()), ("module.mod", &sample("module.mod"))]);
    let find = |args: &[&str]| {
        let said = desk.run(&[&["inspect"], args].concat());
        assert_eq!(said.err, "", "{args:?}");
        (said.code, said.out.replace('\\', "/"))
    };
    for path in ["game", "game/reader.zbd"] {
        assert_eq!(find(&[path, "--find", "no such text"]), (1, String::new()));
    }
    assert_eq!(find(&["game/reader.zbd", "--find", "laser"]), (0, "weapons.zrd:/0/0: LASER\n".into()));
    // Numbers are found by value, however they are stored.
    assert_eq!(find(&["game", "--find", "5.0"]), (0, "game/reader.zbd: weapons.zrd:/0/1: 5.0\n".into()));
    assert_eq!(find(&["game/reader.zbd", "--find", "0.5"]), (0, "weapons.zrd:/1/1: 0.5\n".into()));
    // A number that no double equals.
    assert_eq!(find(&["module.mod", "--find", "0.1"]).1, "c_boar.utc:/ChallengeRating/value: 0.1\n");
    // Only in entries of a kind.
    let all = find(&["module.mod", "--find", "boar"]).1;
    let some = find(&["module.mod", "--find", "boar", "--only", "gff"]).1;
    assert!(!some.is_empty() && some.lines().count() < all.lines().count(), "{some}{all}");
    assert!(some.lines().all(|line| line.starts_with("c_boar.utc:")), "{some}");
    assert_eq!(find(&["module.mod", "--find", "boar", "--only", "erf"]).1, all);
    let said = desk.run(&["inspect", "game", "--find", "x", "--only", "gif"]);
    assert!(said.code == 2 && said.err.contains("gif: no such kind; there are "), "{}", said.err);
    // A long string is cut around what is found.
    let long = format!("{}needle{}", "a".repeat(5000), "b".repeat(5000));
    let mut spec = readers(5.0);
    spec.entries[1].data = data(list([forge::reader::string(long.as_bytes())]));
    desk.write("long.zbd", &build(&spec));
    let shown = format!("weapons.zrd:/0: …{}needle{}…\n", "a".repeat(60), "b".repeat(60));
    assert_eq!(find(&["long.zbd", "--find", "NEEDLE"]), (0, shown));
}

#[test]
fn users_22_entries_are_listed_and_printed() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let said = desk.ok(&["ls", "reader.zbd"]).out;
    let names: Vec<&str> = said.lines().map(|line| line.split_whitespace().last().unwrap()).collect();
    assert_eq!(names, ["objectives.zrd", "weapons.zrd", "hud.zrd"], "in the order of the file");
    let rows = desk.ok(&["ls", "--json", "reader.zbd"]).out;
    let row = bitexact::exchange::parse(rows.lines().nth(1).unwrap().as_bytes()).unwrap();
    assert_eq!(row.get("entry").and_then(bitexact::field::Value::text), Some("weapons.zrd"));
    let weapons = readers(5.0).entries[1].data.clone();
    for args in [
        &["cat", "reader.zbd", "weapons.zrd"][..],
        &["cat", "reader.zbd!weapons.zrd"],
        &["cat", "reader.zbd!weapons.zrd:"],
    ] {
        let output = desk.command(args).output().unwrap();
        assert!(output.status.success() && output.stdout == weapons, "{args:?}");
    }
    let text = desk.ok(&["cat", "reader.zbd", "weapons.zrd", "--text"]).out;
    assert!(text.contains("LASER") && text.contains("5.0"), "{text}");
    let said = desk.run(&["cat", "reader.zbd", "weapon.zrd"]);
    assert!(said.code == 2 && said.err.contains("did you mean weapons.zrd?"), "{}", said.err);
    let said = desk.run(&["cat", "reader.zbd"]);
    assert!(said.code == 2 && said.err.contains("`bitexact ls` lists them"), "{}", said.err);
}

#[test]
fn users_22_missing_arguments_have_defaults() {
    let desk = Desk::of(&[("games/reader.zbd", &archive()), ("games/rimage.zbd", &textures())]);
    desk.ok(&["extract", "games/reader.zbd"]);
    let said = desk.ok(&["pack", "reader.zbd.unpacked"]);
    assert!(said.err.starts_with("reader.zbd: identical to the original"), "{}", said.err);
    assert!(desk.read("reader.zbd") == archive());
    let said = desk.run(&["pack", "reader.zbd.unpacked"]);
    assert!(said.code == 2 && said.err.contains("reader.zbd: already exists"), "{}", said.err);
    let said = desk.run(&["pack", "games"]);
    assert!(said.code == 2 && said.err.contains("also name the file to write"), "{}", said.err);
    desk.ok(&["export", "games/rimage.zbd"]);
    assert!(desk.read("rimage.png").starts_with(b"\x89PNG"));
    let said = desk.run(&["export", "games/rimage.zbd"]);
    assert!(said.code == 2 && said.err.contains("rimage.png: already exists"), "{}", said.err);
    let said = desk.run(&["export", "games/rimage.zbd", "out"]);
    assert!(said.code == 2 && said.err.contains("can be exported as .png"), "{}", said.err);
    for args in [&["verify", "nothing"][..], &["cat", "nothing", "entry"], &["ls", "nothing"], &["unpack", "nothing"]] {
        let said = desk.run(args);
        assert_eq!((said.code, (said.out + &said.err).matches("(os error 2)").count()), (2, 1), "{args:?}");
    }
}

#[test]
fn help_explains_places_with_places_that_exist() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let help = desk.ok(&["help", "places"]).out;
    assert!(help.contains("weapons.zrd:/0/1"), "{help}");
    desk.ok(&["inspect", "reader.zbd", "weapons.zrd:/0/1"]);
    assert!(desk.ok(&["--help"]).out.contains("`bitexact help places`"));
    assert!(desk.ok(&["help", "patch"]).out.contains("Examples:"));
}

/// A report that cannot be written is known before the work.
#[test]
fn users_25_output_is_checked_before_the_work() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    for args in [
        &["verify", "reader.zbd", "--html", "no/page.html"][..],
        &["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=7.5", "-o", "no/new.zbd"],
        &["mod", "make", "reader.zbd", "reader.zbd", "-o", "no/x.mod"],
        &["snapshot", "reader.zbd", "-o", "no/was.jsonl"],
    ] {
        let said = desk.run(args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}");
        assert!(said.err.contains("folder no does not exist"), "{args:?}: {}", said.err);
    }
    set_read_only(&desk, "reader.zbd", true);
    let said = desk.run(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=7.5"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "no change is printed that is not made");
    assert!(said.err.contains("reader.zbd: is read-only"), "{}", said.err);
    set_read_only(&desk, "reader.zbd", false);
}

#[test]
fn diff_tells_an_image_by_its_size_and_how_much_of_it_differs() {
    let name = "texture8.zbd";
    let bytes = std::fs::read(crate::harness::golden_install().join("rc/zbd/m1/texture8.zbd")).unwrap();
    let desk = Desk::of(&[(name, &bytes)]);
    desk.ok(&["unpack", name, "form"]);
    // One image gets another size, the other one other pixels.
    let edits = ["--replace", "sky01_4=form/grnd00_1.png", "--replace", "grnd00_1=form/water05_1.png"];
    desk.ok(&[&["patch", name, "-o", "b.zbd"][..], &edits].concat());
    let said = desk.run(&["diff", name, "b.zbd"]).out;
    let (first, others) = said.split_once('\n').unwrap();
    let begin = "grnd00_1: 16 × 16, palette of 9 colors; pixels: 256 → 256 bytes, ";
    assert!(first.starts_with(begin) && first.contains(" bytes differ, first at 0x"), "{said}");
    assert_eq!(others, "sky01_4: 9 × 12, palette of 4 colors → 16 × 16, palette of 4 colors\n");
    let full = desk.run(&["diff", "--full", name, "b.zbd"]).out;
    assert!(
        full.ends_with("sky01_4:/width: 9 → 16\nsky01_4:/height: 12 → 16\nsky01_4:/pixels: 108 → 256 bytes\n"),
        "{full}"
    );
}
