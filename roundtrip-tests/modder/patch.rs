//! Several edits in one step: all or none, in place or to a different file.

use forge::archive::{Content, Spec, build};
use forge::reader::{self, list};

use super::{Desk, archive, data, entry, readers};

#[test]
fn one_invalid_edit_cancels_all() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let right = ["--set", "weapons.zrd:/0/0=LARGE LASER"];
    for (wrong, words) in [
        (
            &["--set", "weapons.zrd:/0/2=3.5"][..],
            "weapons.zrd:/0/2: expected a value like 3, found 3.5; use --retype to change the type",
        ),
        (
            &["--set", "weapons.zrd:/0/1=16777217"],
            "expected a float like 5.0, found 16777217, which a float cannot hold exactly; use --retype to change the type",
        ),
        (&["--set", "weapons.zrd:/0/1=7,5"], "write a decimal point: 7.5"),
        (&["--set", "weapons.zrd:/0/2=LASER"], "weapons.zrd:/0/2: expected a value like 3, found LASER"),
        (&["--set", "weapons.zrd:/0/7=1"], "weapons.zrd:/0/7: no 7 in /0, which has the items 0 to 2"),
        (&["--set", "weapon.zrd:/0/0=1"], "weapon.zrd: no entry of this name; did you mean weapons.zrd?"),
        (&["--set", "weapons.zrd:/0/0"], "expected PLACE=VALUE"),
        (&["--set", "/entries/0/color=1"], "/entries/0/color: no color in /entries/0, which has name, flags, "),
        (&["--set", "/entries/0/nane=1"], "/entries/0/nane: no nane in /entries/0; did you mean name?"),
        (&["--set", "/entries/0/name=\"λ\""], "/entries/0/name: expected characters of windows-1252"),
        (&["--remove", "weapon.zrd"], "weapon.zrd: no entry of this name; did you mean weapons.zrd?"),
        (&["--rename", "hud.zrd=weapons.zrd"], "weapons.zrd already exists"),
        (&["--add", "hud.zrd=hud.json"], "hud.zrd: an entry with this name already exists"),
        (&["--add", "new.zrd=nowhere.json"], "nowhere.json: "),
        (&["--replace", "hud.zrd=hud.bin"], "hud.zrd: would change from reader to opaque; use --force to allow it"),
        (&["--replace", "hud.zrd=wrong.json"], "wrong.json: "),
        (&["--recompute", "gone.zrd:/0"], "gone.zrd:/0: no entry of this name"),
        (&["--recompute", "/nope"], "/nope: no nope at the top level, which has "),
        (&["--recompute", "/entries/0/name"], "/entries/0/name: no rule computes a value here"),
        (&["--recompute", "/entries/0/nam"], "/entries/0/nam: no nam in /entries/0; did you mean name?"),
        (
            &["--replace", "hud.zrd=hud.mod.json"],
            "reader.zbd: hud.mod.json: /: expected a number, a string or a list, found",
        ),
        (&["--add", "new.zrd=odd.json"], "reader.zbd: odd.json: /0: expected a number, a string or a list, found true"),
        (&["--apply", "utf16.json"], "utf16.json: expected UTF-8, found UTF-16; save the file as UTF-8"),
        (&["--apply", "hud.json"], "hud.json: "),
    ] {
        for (file, bytes) in [
            ("hud.json", &b"[1]"[..]),
            ("hud.bin", b"\xFF\xFF"),
            ("wrong.json", b"[1"),
            ("hud.mod.json", b"{\"a\": 1}"),
            ("odd.json", b"[true]"),
            ("utf16.json", b"\xFF\xFE[\0]\0"),
        ] {
            desk.write(file, bytes);
        }
        let before = desk.all("");
        let said = desk.run(&[&["patch", "reader.zbd"], &right[..], wrong].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{wrong:?}: {}", said.err);
        assert!(said.err.contains(words) && said.err.lines().count() == 1, "{wrong:?}: {}", said.err);
        assert!(desk.read("reader.zbd") == archive(), "{wrong:?}");
        assert_eq!(desk.all(""), before);
    }
    assert_eq!(desk.run(&["patch", "reader.zbd"]).code, 2, "nothing to do is a wrong call");
    desk.ok(&["patch", "reader.zbd", "--replace", "hud.zrd=hud.bin", "--force"]);
}

#[test]
fn dry_run_reports_all_changes_without_writing() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let said = desk.ok(&["patch", "reader.zbd", "-n", "--backup", "--set", "weapons.zrd:/0/1=7.5"]);
    let (old, new) = (archive(), build(&readers(7.5)));
    let lines: Vec<_> = said.out.lines().collect();
    assert_eq!(lines[0], "weapons.zrd:/0/1: 5.0 → 7.5");
    // The ranges cover every byte that differs, and little else: the float and the checksum.
    let mut rest = old.clone();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for line in &lines[1..] {
        let (offset, length) = line.split_once(": ").unwrap();
        let offset = usize::from_str_radix(offset.strip_prefix("0x").unwrap(), 16).unwrap();
        let length: usize = length.strip_suffix(" bytes").or(length.strip_suffix(" byte")).unwrap().parse().unwrap();
        assert!(length <= 4);
        rest[offset..offset + length].copy_from_slice(&new[offset..offset + length]);
    }
    assert!(rest == new);
    assert_eq!(desk.all(""), ["reader.zbd"]);
    assert!(desk.read("reader.zbd") == old);
}

#[test]
fn original_is_kept_on_request() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=7.5", "-o", "other.zbd"]);
    assert!(desk.read("reader.zbd") == archive() && desk.read("other.zbd") == build(&readers(7.5)));
    let backed_up = |damage: &str| {
        let set = format!("weapons.zrd:/0/1={damage}");
        desk.ok(&["patch", "reader.zbd", "--set", &set, "--backup"]).err.lines().next().unwrap().to_owned()
    };
    assert!(backed_up("7.5").ends_with("reader.zbd.bak: backup written"));
    assert!(backed_up("9.5").ends_with("reader.zbd.bak: already exists, left unchanged"));
    assert!(desk.read("reader.zbd") == build(&readers(9.5)));
    assert!(desk.read("reader.zbd.bak") == archive(), "the oldest is kept");
    assert_eq!(desk.all(""), ["other.zbd", "reader.zbd", "reader.zbd.bak"]);
}

#[test]
fn existing_output_is_replaced_only_with_force() {
    let desk = Desk::of(&[("reader.zbd", &archive()), ("other.zbd", b"precious")]);
    let edit = ["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=7.5", "-o"];
    let said = desk.run(&[&edit[..], &["other.zbd"]].concat());
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert_eq!(said.err, "bitexact: other.zbd: already exists; use --force to overwrite it\n");
    assert!(desk.read("other.zbd") == b"precious");
    desk.ok(&[&edit[..], &["other.zbd", "-n"]].concat());
    desk.ok(&[&edit[..], &["other.zbd", "--force"]].concat());
    assert!(desk.read("other.zbd") == build(&readers(7.5)));
    let said = desk.run(&[&edit[..], &["no/such/other.zbd"]].concat());
    let why = said.err.replace('\\', "/");
    assert_eq!((said.code, why.as_str()), (2, "bitexact: no/such/other.zbd: folder no/such does not exist\n"));
}

#[test]
fn edit_without_effect_writes_no_file() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let said = desk.ok(&["patch", "reader.zbd", "--backup", "--set", "weapons.zrd:/0/1=5.0"]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", "reader.zbd: no changes, file not written\n"));
    assert_eq!(desk.all(""), ["reader.zbd"]);
}

#[test]
fn input_from_stdin_needs_an_output_file() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let patch = |args: &[&str]| {
        let stdin = std::fs::File::open(desk.path("reader.zbd")).unwrap();
        desk.command(&[&["patch", "-", "--set", "weapons.zrd:/0/1=7.5"], args].concat()).stdin(stdin).output().unwrap()
    };
    assert_eq!(patch(&[]).status.code(), Some(2));
    assert_eq!(desk.all(""), ["reader.zbd"]);
    assert_eq!(patch(&["-o", "out.zbd"]).status.code(), Some(0));
    assert!(desk.read("out.zbd") == build(&readers(7.5)));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_the_mode_is_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = Desk::of(&[("game/reader.zbd", &archive())]);
    let mode = |path: &str| std::fs::metadata(desk.path(path)).unwrap().permissions().mode() & 0o7777;
    std::fs::set_permissions(desk.path("game/reader.zbd"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("game/reader.zbd", desk.path("link.zbd")).unwrap();
    desk.ok(&["patch", "link.zbd", "--set", "weapons.zrd:/0/1=7.5"]);
    assert!(std::fs::symlink_metadata(desk.path("link.zbd")).unwrap().is_symlink());
    assert!(desk.read("game/reader.zbd") == build(&readers(7.5)));
    assert_eq!(mode("game/reader.zbd"), 0o640);
    assert_eq!(desk.all(""), ["game", "game/reader.zbd", "link.zbd"]);
    // New files and folders have this user's default mode.
    desk.ok(&["unpack", "link.zbd", "form"]);
    desk.ok(&["pack", "form", "new.zbd"]);
    desk.write("plain/file", b"");
    assert_eq!((mode("form"), mode("new.zbd")), (mode("plain"), mode("plain/file")));
}

#[test]
fn entries_are_added_removed_and_renamed_in_one_call() {
    let desk =
        Desk::of(&[("reader.zbd", &archive()), ("new.json", b"[1, 2]"), ("hud", &data(list([reader::Value::Int(8)])))]);
    let said = desk.ok(&[
        "patch",
        "reader.zbd",
        "--rename",
        "weapons.zrd=guns.zrd",
        "--remove",
        "objectives.zrd",
        "--replace",
        "hud.zrd=hud",
        "--add",
        "new.zrd=new.json",
        "--set",
        "guns.zrd:/0/1=6.0",
        "--set",
        "new.zrd:/0=3",
    ]);
    assert!(said.out.contains("objectives.zrd: removed (reader, "), "{}", said.out);
    let expected = Spec::new(
        2,
        Content::Readers,
        vec![
            entry(b"guns.zrd", readers(6.0).entries[1].data.clone()),
            entry(b"hud.zrd", data(list([reader::Value::Int(8)]))),
            forge::archive::Entry {
                flags: 0,
                comment: [0; 64],
                time: 0,
                ..entry(b"new.zrd", data(list([reader::Value::Int(3), reader::Value::Int(2)])))
            },
        ],
    );
    assert!(desk.read("reader.zbd") == build(&expected), "{}", said.out);
}

/// Returns a desk with a generated world.
fn world() -> Desk {
    let sample = forge::samples(crate::harness::SEED, forge::Size::Small).into_iter();
    let sample = sample.into_iter().find(|it| it.name == "mw_c1_gamez.zbd").expect("a world");
    Desk::of(&[("gamez.zbd", &sample.bytes)])
}

#[test]
fn material_shows_the_new_name_of_a_renamed_texture() {
    let desk = world();
    let used = desk.ok(&["inspect", "gamez.zbd", "/materials/slots", "--all"]).out;
    let name =
        used.lines().find_map(|line| line.trim().strip_prefix("texture_index: ")).expect("a material with a texture");
    let textures = desk.ok(&["inspect", "gamez.zbd", "/textures", "--all"]).out;
    let names: Vec<_> = textures.lines().filter_map(|line| line.trim().strip_prefix("name: ")).collect();
    let index = names.iter().position(|it| *it == name).unwrap_or_else(|| panic!("no {name} in {textures}"));
    let set = format!(r#"/textures/{index}/name="renamed.tif""#);
    let said = desk.ok(&["patch", "gamez.zbd", "-o", "new.zbd", "--set", &set]);
    assert_eq!(said.out, format!("/textures/{index}/name: {name:?} → \"renamed.tif\"\n"));
    let materials = desk.ok(&["inspect", "new.zbd", "/materials/slots", "--all"]).out;
    assert_eq!(materials, used.replace(&format!("texture_index: {name}"), "texture_index: renamed.tif"));
    let same = desk.run(&["diff", "gamez.zbd", "new.zbd"]).out;
    assert_eq!(same, said.out);
}

#[test]
fn edit_of_a_value_that_determines_the_layout_is_refused_with_a_reason() {
    let desk = world();
    for (set, place) in [("/version=41", "/"), ("/nodes/slots/0/class=\"CAMERA\"", "/nodes/slots/0")] {
        let said = desk.run(&["patch", "gamez.zbd", "-o", "new.zbd", "--set", set]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{set}: {}", said.err);
        assert!(said.err.contains(place), "{set}: {}", said.err);
        assert_eq!(desk.all(""), ["gamez.zbd"], "{set}");
    }
}

#[test]
fn edits_of_several_sorts_are_all_shown() {
    let desk = Desk::of(&[("reader.zbd", &archive()), ("hud.json", b"[1]"), ("new.json", b"[2]")]);
    let lines = |args: &[&str]| {
        let said = desk.ok(&[&["patch", "reader.zbd", "--dry-run"], args].concat());
        said.out.lines().map(|line| line.trim_start().to_owned()).collect::<Vec<_>>()
    };
    let flags = desk.ok(&["inspect", "reader.zbd", "/entries/0/flags"]).out.trim_end().to_owned();
    let of_flags = format!("/entries/0/flags: \"{flags}\" → \"0x4d\"");
    let sets = [("weapons.zrd:/0/2=4", "weapons.zrd:/0/2: 3 → 4"), ("/entries/0/flags=77", &of_flags)];
    for (set, shown) in sets {
        assert_eq!(lines(&["--set", set])[0], shown);
    }
    for (other, shown) in [
        (["--replace", "hud.zrd=hud.json"], "hud.zrd:/"),
        (["--rename", "hud.zrd=screen.zrd"], "hud.zrd: renamed to screen.zrd"),
        (["--add", "new.zrd=new.json"], "new.zrd: added ("),
        (["--remove", "hud.zrd"], "hud.zrd: removed ("),
    ] {
        for (set, of_set) in sets {
            let set = ["--set", set];
            for args in [[set, other].concat(), [other, set].concat()] {
                let lines = lines(&args);
                let of = |shown: &str| lines.iter().filter(|line| line.starts_with(shown)).count();
                assert!(of(of_set) == 1 && of(shown) > 0, "{args:?}: {lines:?}");
            }
        }
    }
}

#[test]
fn bytes_of_unknown_meaning_are_compared_as_bytes() {
    let spec = |bytes: &[u8]| Spec::new(2, Content::Readers, vec![entry(b"x.bin", bytes.to_vec())]);
    let [one, other] = [&b"\xFF\x00\x01\x02"[..], b"\xFF\x00\x01\x09"].map(|bytes| build(&spec(bytes)));
    let desk = Desk::of(&[("one.zbd", &one), ("other.zbd", &other)]);
    let said = desk.run(&["diff", "one.zbd", "other.zbd"]);
    assert!(said.out.contains("x.bin: 4 bytes → 4 bytes (opaque), 1 byte differs, at 0x3"), "{}", said.out);
}

#[test]
fn value_in_bytes_that_replace_an_entry_is_compared_with_what_was_there() {
    let new = data(list([reader::Value::Int(7), reader::Value::Int(8)]));
    let desk = Desk::of(&[("reader.zbd", &archive()), ("new.zrd", &new)]);
    let said = desk.ok(&["patch", "reader.zbd", "--dry-run", "--replace", "hud.zrd=new.zrd", "--set", "hud.zrd:/0=5"]);
    let lines: Vec<&str> = said.out.lines().filter(|line| line.starts_with("hud.zrd")).collect();
    assert_eq!(lines, ["hud.zrd:/0: added 5", "hud.zrd:/1: added 8"], "{}", said.out);
}
