//! Two mods that append rows to one table.

use bitexact::edit::Batch;
use bitexact::exchange::{About, parse, show};
use bitexact::field::{Json, Thresholds};
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};

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
        said.code == 1 && said.err.contains("--renumber gives those of the later mod the next free numbers"),
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
        files that refer to 200 need the new number\n";
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
    let said = set("/rows/@Nobody/Name=16");
    assert!(said.code == 2 && said.err.contains("no item has the name Nobody in /rows"), "{}", said.err);
    let row = r#"{"cells":{"Label":"Newt","Name":"7","Icon":"ir_7","Value":"8.50"}}"#;
    for place in ["/rows/-", "/rows/-"] {
        let said = set(&format!("{place}={row}"));
        assert_eq!(said.code, 0, "{}", said.err);
    }
    assert_eq!([text("/rows/200/label"), text("/rows/201/label")], ["200", "201"]);
    // Two rows have the name now.
    let said = set("/rows/@Newt/Name=16");
    assert!(said.code == 2 && said.err.contains("several items have the name Newt: 200, 201"), "{}", said.err);
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
        assert_eq!([200, 234, 269].map(label), ["200", "234", "269"].map(Json::from));
        batched.bytes
    };
    let [program, others @ ..] = THRESHOLDS.each_ref().map(|thresholds| thresholds.during(made));
    assert!(others.iter().all(|other| *other == program));
}
