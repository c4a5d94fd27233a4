//! Two mods that append rows to one table.

use ::field::Thresholds;
use bitexact::edit::Batch;
use bitexact::exchange::{About, parse, show};
use bitexact::field::Value;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use forge::nwn::gff::{self, Spec, build};
use forge::nwn::resources::{Erf, build_erf, resource};

use super::Desk;
use crate::harness;

/// Creates a game with a table of 200 rows, and two mods that append a row to it, the second of which changes another one, too.
fn game() -> Desk {
    let table = std::fs::read(harness::golden_install().join("nwn/override/appearance.2da")).unwrap();
    let desk = Desk::of(&[("game/appearance.2da", &table)]);
    for (name, cell) in [("a", "AAA"), ("b", "BBB")] {
        let file = format!("{name}/appearance.2da");
        desk.write(&file, &table);
        let cells = format!(r#"{{"Label":"{cell}","Name":"7","Icon":"ir_7","Value":"8.50"}}"#);
        desk.ok(&["patch", &file, "-q", "--set", &format!(r#"/rows/-={{"label":"200","cells":{cells}}}"#)]);
    }
    desk.ok(&["patch", "b/appearance.2da", "-q", "--set", "/rows/3/cells/Value=9.50"]);
    for name in ["a", "b"] {
        desk.ok(&["mod", "make", "game", name, "-o", &format!("{name}.mod"), "-q"]);
    }
    desk
}

fn cell(desk: &Desk, place: &str) -> String {
    desk.ok(&["inspect", "game/appearance.2da", place]).out.trim().trim_matches('"').to_owned()
}

#[test]
fn conflict_shows_both_rows_and_the_way_out() {
    let desk = game();
    let said = desk.run(&["mod", "check", "game", "a.mod", "b.mod"]);
    let rows = "b.mod (/rows/200: added 200  BBB  7  ir_7  8.50) and a.mod (/rows/200: added 200  AAA  7  ir_7  8.50)";
    assert_eq!(said.err.matches(rows).count(), 1, "{}", said.err);
    assert!(
        said.code == 1 && said.err.contains("--renumber gives what the later mod appends the next free numbers"),
        "{}",
        said.err
    );
}

#[test]
fn later_mod_gets_the_next_free_row() {
    let desk = game();
    let table = desk.read("game/appearance.2da");
    let said = desk.ok(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    let why = "appearance.2da: b.mod: item 200 of /rows becomes 201, after those of other mods; \
        nothing else in the mod is known to refer to 200; scripts that do need the new number\n";
    assert!(said.err.starts_with(why), "{}", said.err);
    let both = desk.read("game/appearance.2da");
    assert_eq!([cell(&desk, "/rows/200/cells/Label"), cell(&desk, "/rows/201/cells/Label")], ["AAA", "BBB"]);
    assert_eq!([cell(&desk, "/rows/201/label"), cell(&desk, "/rows/3/cells/Value")], ["201", "9.50"]);
    // The first one cannot go alone: the second would leave a gap.
    let said = desk.run(&["mod", "undo", "game", "a.mod"]);
    assert!(said.code == 2 && said.err.contains("undo b.mod first"), "{}", said.err);
    desk.ok(&["mod", "undo", "game", "b.mod"]);
    desk.ok(&["mod", "undo", "game", "a.mod"]);
    assert!(desk.read("game/appearance.2da") == table);
    // One after the other is the same as both at once.
    desk.ok(&["mod", "apply", "game", "a.mod"]);
    let said = desk.run(&["mod", "apply", "game", "b.mod"]);
    assert!(said.code == 2 && said.err.contains("--renumber"), "{}", said.err);
    desk.ok(&["mod", "apply", "game", "b.mod", "--renumber"]);
    assert!(desk.read("game/appearance.2da") == both);
}

#[test]
fn other_conflicts_stay() {
    let desk = game();
    desk.ok(&["patch", "a/appearance.2da", "-q", "--set", "/rows/3/cells/Value=4.75"]);
    desk.ok(&["mod", "make", "game", "a", "-o", "a.mod", "-q", "--force"]);
    let said = desk.run(&["mod", "check", "game", "a.mod", "b.mod", "--renumber"]);
    assert!(said.code == 1 && said.err.contains("/rows/3/cells/Value"), "{}", said.err);
    // Without another mod, nothing moves.
    desk.ok(&["mod", "apply", "game", "b.mod", "--renumber"]);
    assert_eq!([cell(&desk, "/rows/200/label"), cell(&desk, "/rows/200/cells/Label")], ["200", "BBB"]);
}

#[test]
fn rows_are_found_by_their_names_and_new_ones_get_their_numbers() {
    let table = std::fs::read(harness::golden_install().join("nwn/override/appearance.2da")).unwrap();
    let desk = Desk::of(&[("appearance.2da", &table)]);
    let set = |place: &str| desk.run(&["patch", "appearance.2da", "--set", place]);
    // The column for names is that of the table, and a column leads to its cell.
    let text = |place: &str| desk.ok(&["inspect", "appearance.2da", place]).out.trim().trim_matches('"').to_owned();
    let name = text("/rows/3/cells/Label");
    let said = set(&format!("/rows/@{name}/Name=16"));
    assert!(said.out.starts_with("/rows/3/cells/Name: "), "{}{}", said.out, said.err);
    // It does so after the number of a row, too.
    let said = set("/rows/3/Name=17");
    assert!(said.out.starts_with("/rows/3/cells/Name: "), "{}{}", said.out, said.err);
    let said = set("/rows/@Nobody/Name=16");
    assert!(said.code == 2 && said.err.contains("no item has the name Nobody in /rows"), "{}", said.err);
    let row = r#"{"cells":{"Label":"Newt","Name":"7","Icon":"ir_7","Value":"8.50"}}"#;
    for place in ["/rows/-", "/rows/-"] {
        let said = set(&format!("{place}={row}"));
        assert_eq!(said.code, 0, "{}", said.err);
    }
    assert_eq!([text("/rows/200/label"), text("/rows/201/label")], ["200", "201"]);
    // Cells that are not named have no value.
    desk.ok(&["patch", "appearance.2da", "-o", "short.2da", "--set", r#"/rows/-={"cells":{"Icon":"ir_8"}}"#]);
    let said = desk.ok(&["inspect", "short.2da", "/rows/202", "--json"]).out;
    let cells = r#""cells":{"Label":"****","Name":"****","Icon":"ir_8","Value":"****"}"#;
    assert!(said.replace(": ", ":").replace(", ", ",").contains(cells), "{said}");
    let said = desk.run(&["patch", "appearance.2da", "-n", "--set", r#"/rows/-={"cells":{"Icom":"ir_8"}}"#]);
    assert!(said.code == 2 && said.err.contains("Icom"), "{}", said.err);
    // Two rows have the name now.
    let said = set("/rows/@Newt/Name=16");
    assert!(said.code == 2 && said.err.contains("several items have the name Newt: 200, 201"), "{}", said.err);
}

/// Cells that a new row does not name have no value, whatever the last row has. What `diff` has found is made as it is.
#[test]
fn new_rows_have_all_cells() {
    let table = |rows: &str| format!("2DA V2.0\r\n\r\n   Label A D\r\n{rows}").into_bytes();
    let desk = Desk::of(&[]);
    let row = |json: &str| format!("/rows/-={json}");
    for (rows, new, made) in [
        ("", r#"{"cells":{"A":"1"}}"#, "0 **** 1 ****"),
        ("0 x\r\n", r#"{"cells":{"Label":"y"}}"#, "1 y **** ****"),
        ("0 x 1\r\n", r#"{"cells":{"D":"2","A":"1"}}"#, "1 **** 1 2"),
        ("0 x 1 2\r\n", r#"{"label":"202","cells":{"Label":"y"}}"#, "202 y **** ****"),
        ("zero x 1 2\r\n", r#"{"label":"one","cells":{"D":"2"}}"#, "one **** **** 2"),
        ("0 x 1 2\r\n", r#"{"cells":{}}"#, "1 **** **** ****"),
    ] {
        for edit in ["--set", "--insert"] {
            desk.write("some.2da", &table(rows));
            desk.ok(&["patch", "some.2da", "-q", edit, &row(new)]);
            let text = String::from_utf8(desk.read("some.2da")).unwrap();
            let last = text.lines().last().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(last, made, "{edit} {new} after {rows:?}");
        }
    }
    // A column that the table does not have.
    let said = desk.run(&["patch", "some.2da", "-n", "--set", &row(r#"{"cells":{"E":"1"}}"#)]);
    assert!(said.code == 2 && said.err.contains('E'), "{}", said.err);
    desk.write("old.2da", &table("0 x 1 2\r\n"));
    desk.write("new.2da", &table("0 x 1 2\r\n1 y\r\n"));
    desk.write("changes.json", desk.run(&["diff", "old.2da", "new.2da", "--json"]).out.as_bytes());
    desk.ok(&["patch", "old.2da", "-q", "--apply", "changes.json"]);
    assert_eq!(desk.read("old.2da"), desk.read("new.2da"));
}

/// Law 7: rows get their labels in short and long tables, and whether they are inserted one by one or all at once.
#[test]
fn inserted_rows_get_their_numbers_with_any_thresholds() {
    static THRESHOLDS: [Thresholds; 3] = [Thresholds::PROGRAM, Thresholds::SMALLEST, Thresholds::LARGEST];
    let table = std::fs::read(harness::golden_install().join("nwn/override/appearance.2da")).unwrap();
    let (kind, games) = recognize(KINDS, "appearance.2da", &table).unwrap();
    let model = (kind.decode)(table.clone().into()).unwrap().model;
    let row = parse(br#"{"cells":{"Label":"Newt","Name":"7","Icon":"ir_7","Value":"8.50"}}"#).unwrap();
    let made = || {
        let mut batch = Batch::default();
        batch.insert = (0..70).map(|_| ("/rows/-".into(), row.clone())).collect();
        let about = About { kind, games: &games, sha256: Sha::of(&table), deviations: &[] };
        let batched = batch.apply(KINDS, (about, &model, "appearance.2da"), None).unwrap();
        let label = |row: usize| show(&batched.model, &format!("/rows/{row}/label"), 9).unwrap().unwrap();
        assert_eq!([200, 234, 269].map(label), ["200", "234", "269"].map(Value::from));
        batched.bytes
    };
    let [program, others @ ..] = THRESHOLDS.each_ref().map(|thresholds| thresholds.during(made));
    assert!(others.iter().all(|other| *other == program));
}

/// Returns a creature with an appearance, and with a field of another meaning that has the same number.
fn creature(appearance: u16) -> Vec<u8> {
    let fields = vec![("Appearance_Type", gff::Value::Word(2, appearance.into())), ("Str", gff::Value::Word(0, 200))];
    build(&Spec::new(b"UTC ", fields))
}

/// What a mod says about its own rows follows them: in values that it sets, in files and entries that it adds, and in cells of tables. What
/// the other mod and the game say does not.
#[test]
fn values_of_a_mod_follow_its_moved_rows() {
    let table = std::fs::read(harness::golden_install().join("nwn/override/appearance.2da")).unwrap();
    let polymorph = b"2DA V2.0\r\n\r\n   Name  AppearanceType Portrait\r\n0  a     7              200\r\n";
    let hak = |appearance| {
        let entries = vec![resource("boar", 2027, creature(appearance)), resource("other", 2027, creature(3))];
        build_erf(&Erf::new(b"HAK ", entries))
    };
    let desk = Desk::of(&[("game/appearance.2da", &table)]);
    let files = ["polymorph.2da", "sow.utc", "old.hak"];
    let contents = [&polymorph[..], &creature(7), &hak(7)];
    for (file, bytes) in files.into_iter().zip(contents) {
        for folder in ["game", "a", "b"] {
            desk.write(&format!("{folder}/{file}"), bytes);
        }
    }
    let add_row = |folder: &str, cell: &str| {
        let file = format!("{folder}/appearance.2da");
        desk.write(&file, &table);
        desk.ok(&[
            "patch",
            &file,
            "-q",
            "--set",
            &format!(r#"/rows/-={{"cells":{{"Label":"{cell}","Name":"8","Icon":"8","Value":"8.50"}}}}"#),
        ]);
    };
    for folder in ["a", "b"] {
        add_row(folder, folder);
    }
    // The first mod means its own row by 200, the second one another.
    desk.write("a/first.utc", &creature(200));
    desk.write("b/new.utc", &creature(200));
    desk.write("b/new.hak", &hak(200));
    desk.ok(&["patch", "b/polymorph.2da", "-q", "--set", "/rows/0/cells/AppearanceType=200"]);
    desk.ok(&["patch", "b/sow.utc", "-q", "--set", "/Appearance_Type=200"]);
    desk.ok(&["patch", "b/old.hak", "-q", "--set", "boar.utc:/Appearance_Type=200"]);
    desk.write("third.utc", &creature(200));
    desk.ok(&["patch", "b/old.hak", "-q", "--add", "third.utc=third.utc"]);
    for name in ["a", "b"] {
        desk.ok(&["mod", "make", "game", name, "-o", &format!("{name}.mod"), "-q"]);
    }
    let said = desk.ok(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    let why = "appearance.2da: b.mod: item 200 of /rows becomes 201, after those of other mods; \
        6 values of the mod that may refer to 200 were changed; scripts that refer to 200 need the new number\n";
    assert!(said.err.contains(why), "{}", said.err);
    assert_eq!(desk.read("game/first.utc"), creature(200));
    assert_eq!([desk.read("game/new.utc"), desk.read("game/sow.utc")], [creature(201), creature(201)]);
    assert_eq!(desk.read("game/new.hak"), hak(201));
    let value = |file: &str, place: &str| desk.ok(&["inspect", file, place]).out.trim().to_owned();
    for (entry, number) in [("boar", "201"), ("other", "3"), ("third", "201")] {
        assert_eq!(value("game/old.hak", &format!("{entry}.utc:/Appearance_Type/value")), number);
    }
    assert_eq!(value("game/polymorph.2da", "/rows/0/cells/AppearanceType").trim_matches('"'), "201");
    assert_eq!(value("game/polymorph.2da", "/rows/0/cells/Portrait").trim_matches('"'), "200");
    // Each can go, and one after the other is the same as both at once.
    let both = ["sow.utc", "old.hak", "new.hak", "appearance.2da"].map(|file| desk.read(&format!("game/{file}")));
    desk.ok(&["mod", "undo", "game", "b.mod"]);
    desk.ok(&["mod", "apply", "game", "b.mod", "--renumber"]);
    assert!(both == ["sow.utc", "old.hak", "new.hak", "appearance.2da"].map(|file| desk.read(&format!("game/{file}"))));
    for name in ["b.mod", "a.mod"] {
        desk.ok(&["mod", "undo", "game", name]);
    }
    assert!(desk.read("game/old.hak") == hak(7) && desk.read("game/sow.utc") == creature(7));
}

/// A number that its field cannot hold is refused, and no file changes.
#[test]
fn value_that_cannot_follow_is_refused() {
    let rows: String = (0..254).map(|row| format!("{row} a\r\n")).collect();
    let table = |more: &[&str]| {
        let more: String = (254..).zip(more).map(|(row, name)| format!("{row} {name}\r\n")).collect();
        format!("2DA V2.0\r\n\r\n   LABEL\r\n{rows}{more}").into_bytes()
    };
    let human = |race| build(&Spec::new(b"UTC ", vec![("Race", gff::Value::Word(0, race))]));
    let desk = Desk::of(&[
        ("game/racialtypes.2da", &table(&[])),
        ("a/racialtypes.2da", &table(&["one", "two"])),
        ("b/racialtypes.2da", &table(&["other"])),
        ("b/human.utc", &human(254)),
    ]);
    for name in ["a", "b"] {
        desk.ok(&["mod", "make", "game", name, "-o", &format!("{name}.mod"), "-q"]);
    }
    let said = desk.run(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    let why = "human.utc: /Race/value: row 254 of racialtypes.2da becomes 256, but the field holds at most 255";
    assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
    assert_eq!(desk.read("game/racialtypes.2da"), table(&[]));
    // In a container, the entry is named, and how many others there are.
    let hak = vec![resource("human", 2027, human(254)), resource("other", 2027, human(254))];
    desk.write("b/new.hak", &build_erf(&Erf::new(b"HAK ", hak)));
    std::fs::remove_file(desk.path("b/human.utc")).unwrap();
    desk.ok(&["mod", "make", "game", "b", "-o", "b.mod", "-q", "--force"]);
    let said = desk.run(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    let why = "new.hak: human.utc:/Race/value: row 254 of racialtypes.2da becomes 256, but the field holds at most 255";
    assert!(said.code == 2 && said.err.contains(why) && said.err.contains("1 other value"), "{}", said.err);
}

/// A file that cannot be read stops the mod only if what it holds could name rows.
#[test]
fn undecodable_files_without_entries_stay() {
    let rows = |names: &[&str]| {
        let rows: String = (0..).zip(names).map(|(row, name)| format!("{row} {name}\r\n")).collect();
        format!("2DA V2.0\r\n\r\n   LABEL\r\n{rows}").into_bytes()
    };
    let no_sounds = b"SSF V1.0\x01\0\0\0";
    let desk = Desk::of(&[
        ("game/spells.2da", &rows(&["a"])),
        ("a/spells.2da", &rows(&["a", "one"])),
        ("b/spells.2da", &rows(&["a", "two"])),
        ("b/broken.ssf", no_sounds),
        ("b/broken.2da", b"2DA V3.0\r\n"),
    ]);
    for name in ["a", "b"] {
        desk.ok(&["mod", "make", "game", name, "-o", &format!("{name}.mod"), "-q"]);
    }
    for file in ["b/broken.ssf", "b/broken.2da"] {
        assert!(desk.run(&["verify", "--json", file]).out.contains("\"refused\""), "{file}");
    }
    desk.ok(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    assert_eq!(desk.read("game/spells.2da"), rows(&["a", "one", "two"]));
    assert_eq!(desk.read("game/broken.ssf"), no_sounds);
    desk.ok(&["mod", "undo", "game", "b.mod"]);
    // A container can hold fields that name rows. A mod is made with such a file as mere bytes, without its kind.
    let hak = build_erf(&Erf::new(b"HAK ", vec![resource("spells", 2017, rows(&["a"]))]));
    desk.write("b/broken.hak", &hak[..hak.len() - 20]);
    desk.ok(&["mod", "undo", "game", "a.mod"]);
    desk.ok(&["mod", "make", "game", "b", "-o", "b.mod", "-q", "--force"]);
    let made = String::from_utf8(desk.read("b.mod")).unwrap();
    let path = r#""path":"broken.hak""#;
    assert!(made.contains(path), "{made}");
    desk.write("b.mod", made.replace(path, &format!(r#"{path},"kind":"erf""#)).as_bytes());
    let said = desk.run(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    let why = "broken.hak: cannot be read, so that numbers of rows in it cannot follow";
    assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
    assert_eq!(desk.read("game/spells.2da"), rows(&["a"]));
}

/// Columns are no rows: what names a row by the number of a moved column stays.
#[test]
fn moved_columns_leave_numbers_of_rows() {
    let table = |column: &str| format!("2DA V2.0\r\n\r\n   LABEL {column}\r\n0 a 0\r\n1 b 1\r\n").into_bytes();
    let plain = b"2DA V2.0\r\n\r\n   LABEL\r\n0 a\r\n1 b\r\n";
    let feat = |spell: &str| format!("2DA V2.0\r\n\r\n   LABEL SPELLID\r\n0 a {spell}\r\n").into_bytes();
    let desk = Desk::of(&[
        ("game/spells.2da", plain),
        ("game/feat.2da", &feat("0")),
        ("a/spells.2da", &table("One")),
        ("a/feat.2da", &feat("0")),
        ("b/spells.2da", &table("Two")),
        ("b/feat.2da", &feat("1")),
    ]);
    for name in ["a", "b"] {
        desk.ok(&["mod", "make", "game", name, "-o", &format!("{name}.mod"), "-q"]);
    }
    let said = desk.ok(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    assert!(said.err.contains("item 1 of /columns becomes 2"), "{}", said.err);
    assert!(!said.err.contains("changed"), "{}", said.err);
    assert_eq!(desk.read("game/feat.2da"), feat("1"));
}

/// If a mod has a second table of the name whose rows stay, nobody knows which of them a number means.
#[test]
fn numbers_stay_if_two_tables_of_one_name_move_differently() {
    let table = |rows: &[&str]| {
        let rows: String = (0..).zip(rows).map(|(row, name)| format!("{row} {name}\r\n")).collect();
        format!("2DA V2.0\r\n\r\n   LABEL\r\n{rows}").into_bytes()
    };
    let feat = |spell: &str| format!("2DA V2.0\r\n\r\n   LABEL SPELLID\r\n0 a {spell}\r\n").into_bytes();
    let desk = Desk::of(&[
        ("game/spells.2da", &table(&["a", "b"])),
        ("game/development/spells.2da", &table(&["a", "b"])),
        ("game/feat.2da", &feat("0")),
        ("a/spells.2da", &table(&["a", "b", "one"])),
        ("a/development/spells.2da", &table(&["a", "b"])),
        ("a/feat.2da", &feat("0")),
        ("b/spells.2da", &table(&["a", "b", "two"])),
        ("b/development/spells.2da", &table(&["a", "b", "two"])),
        ("b/feat.2da", &feat("2")),
    ]);
    for name in ["a", "b"] {
        desk.ok(&["mod", "make", "game", name, "-o", &format!("{name}.mod"), "-q"]);
    }
    let said = desk.ok(&["mod", "apply", "game", "a.mod", "b.mod", "--renumber"]);
    assert!(said.err.contains("files that refer to 2 need the new number"), "{}", said.err);
    assert_eq!(desk.read("game/spells.2da"), table(&["a", "b", "one", "two"]));
    assert_eq!(desk.read("game/feat.2da"), feat("2"));
}
