//! Tables and texts in a spreadsheet: exported, edited, and imported.

use std::fs;

use super::Desk;
use crate::harness::{beside, golden_install};

fn desk(paths: &[&str]) -> Desk {
    let desk = Desk::of(&[]);
    for path in paths {
        desk.write(path.rsplit('/').next().unwrap(), &fs::read(golden_install().join(path)).unwrap());
    }
    desk
}

/// Exports a file as CSV, and imports it after an edit of its text.
fn edited(desk: &Desk, file: &str, edit: impl FnOnce(String) -> String) -> super::Said {
    desk.ok(&["export", file, "a.csv", "--force"]);
    let text = String::from_utf8(desk.read("a.csv")).unwrap();
    desk.write("a.csv", edit(text).as_bytes());
    desk.run(&["import", file, "a.csv"])
}

#[test]
fn an_unedited_table_changes_nothing() {
    let files = ["nwn/dialog.tlk", "nwn/override/appearance.2da", "pm/Mech3Msg.dll", "cs/strings.dll"];
    let desk = desk(&files);
    for file in files {
        let file = file.rsplit('/').next().unwrap();
        let said = edited(&desk, file, |text| text);
        assert!(said.err.contains("no changes"), "{file}: {}{}", said.out, said.err);
        // A spreadsheet saves other separators, no mark, and empty cells at the ends of lines.
        let said = edited(&desk, file, |text| {
            let lines = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n");
            let has_quotes = lines.contains('"') || lines.contains(';');
            if has_quotes { lines } else { lines.replace(',', ";").replace('\n', ";;\r\n") }
        });
        assert!(said.err.contains("no changes"), "{file}: {}{}", said.out, said.err);
    }
}

#[test]
fn texts_are_translated_added_and_removed() {
    let desk = desk(&["nwn/dialog.tlk"]);
    let said = edited(&desk, "dialog.tlk", |text| {
        let text = text.replacen("1,Halt!,", "1,\"Halt, wer da?\",", 1).replacen("6,Halt!,", "6,,", 1);
        format!("{text}400,Größe,\n")
    });
    assert_eq!(said.code, 0, "{}", said.err);
    for line in
        ["/count: 400 → 401", "/entries/1/text: \"Halt!\" → \"Halt, wer da?\"", "/entries/6/text: removed \"Halt!\""]
    {
        assert!(said.out.lines().any(|it| it == line), "{line}\n{}", said.out);
    }
    assert_eq!(desk.ok(&["inspect", "dialog.tlk", "/entries/400/text"]).out, "Größe\n");
    // Blank entries fill the numbers between.
    let said = edited(&desk, "dialog.tlk", |text| format!("{text}450,Ende,\n"));
    assert!(said.out.contains("/count: 401 → 451\n/entries/450: added "), "{}{}", said.out, said.err);
    for (text, why) in [
        ("number,text\nx,y\n", "a.csv: line 2: expected the number of an entry, found \"x\""),
        ("number,text\r\n0,a\r\nx,y\r\n", "a.csv: line 3: expected the number of an entry, found \"x\""),
        ("number,text\r0,a\rx,y\r", "a.csv: line 3: expected the number of an entry, found \"x\""),
        ("number,text\n1,y\n1,z\n", "a.csv: line 3: number 1 is also in line 2"),
        ("a,b\n", "a.csv: line 1: expected the columns number and text, found a,b"),
        ("number,text\n99999999,y\n", "/count: expected a number from 0 to 16777216"),
    ] {
        let said = edited(&desk, "dialog.tlk", |_| text.to_owned());
        assert!(said.code == 2 && said.err.contains(why), "{text:?}: {}", said.err);
    }
}

#[test]
fn cells_and_rows_of_tables_are_changed() {
    let desk = desk(&["nwn/override/appearance.2da"]);
    let said = edited(&desk, "appearance.2da", |text| {
        let text = text.replacen("1,Type_1,1001,ir_1,1.50", "1,Type_1,1001,,a b", 1);
        format!("{text},New,5,,\n")
    });
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("/rows/1/cells/Icon: \"ir_1\" → \"****\"\n"), "{}", said.out);
    assert!(said.out.contains("/rows/1/cells/Value: \"1.50\" → \"\\\"a b\\\"\"\n"), "{}", said.out);
    let text = String::from_utf8(desk.read("appearance.2da")).unwrap();
    let last: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last, ["200", "New", "5", "****", "****"]);
    let said = edited(&desk, "appearance.2da", |text| text.lines().take(3).collect::<Vec<_>>().join("\n"));
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(desk.ok(&["inspect", "appearance.2da"]).out.lines().count(), 4);
    let said = edited(&desk, "appearance.2da", |text| text.replacen("Label", "Name", 1));
    assert!(said.code == 2 && said.err.contains("expected the columns Label,Name,Icon,Value, found Name,Name"));
}

#[test]
fn short_rows_are_filled_up_to_the_last_cell() {
    let desk = Desk::of(&[("a.2da", b"2DA V2.0\r\n\r\n   A  B  C  D\r\n0  1\r\n1  1  2  3  4\r\n")]);
    let said = edited(&desk, "a.2da", |text| {
        assert!(text.contains("\n0,1\n") || text.contains("\n0,1\r\n"), "{text}");
        text.replacen("\n0,1", "\n0,1,,3", 1)
    });
    assert_eq!(said.code, 0, "{}", said.err);
    let text = String::from_utf8(desk.read("a.2da")).unwrap();
    let row: Vec<&str> = text.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(row, ["0", "1", "****", "3"]);
    let said = edited(&desk, "a.2da", |text| text);
    assert!(said.err.contains("no changes"), "{}", said.err);
}

#[test]
fn messages_are_translated_by_their_places() {
    let desk = desk(&["pm/Mech3Msg.dll"]);
    let said = edited(&desk, "Mech3Msg.dll", |text| {
        let (first, rest) = text.split_once('\n').unwrap();
        format!("{first}\n.rsrc:/resources/0/table/messages/1/text,,,Größe\n{}", &rest[..0])
    });
    assert!(said.code == 0 && said.out.contains("messages/1/text: "), "{}{}", said.out, said.err);
    let place = ".rsrc:/resources/0/table/messages/1/text";
    assert_eq!(desk.ok(&["inspect", "Mech3Msg.dll", place]).out, "Größe\n");
}

#[test]
fn columns_for_people_cannot_be_edited_without_a_word() {
    let files = ["pm/Mech3Msg.dll", "nwn/dialog.tlk"];
    let desk = desk(&files);
    let of = |file: &str| {
        desk.ok(&["export", file, "a.csv", "--force"]);
        let text = String::from_utf8(desk.read("a.csv")).unwrap();
        text.lines().nth(1).unwrap().split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    let row = of("Mech3Msg.dll");
    let (number, key) = (&row[1], &row[2]);
    for (column, was, now) in [("number", number, "77777"), ("key", key, "OTHER")] {
        let said = edited(&desk, "Mech3Msg.dll", |text| text.replacen(&format!(",{was},"), &format!(",{now},"), 1));
        let why =
            format!("a.csv: line 2: {}: expected the {column} {was:?}, found {now:?}; import takes only texts", row[0]);
        assert!(said.code == 2 && said.err.contains(&why), "{}", said.err);
    }
    let clear = |text: &str| text.replacen(&format!(",{number},{key},"), ",,,", 1);
    let said = edited(&desk, "Mech3Msg.dll", |text| clear(&text));
    assert!(said.code == 2 && said.err.contains(&format!("the number {number:?}, found no cell; ")), "{}", said.err);
    // Without these columns, or with only empty cells in them, only the texts count.
    let said = edited(&desk, "Mech3Msg.dll", |text| {
        let rows = bitexact::media::csv::read(text.as_bytes()).unwrap();
        let mut rows: Vec<Vec<String>> = rows.into_iter().map(|(_, cells)| cells).collect();
        rows.iter_mut().skip(1).for_each(|row| row[1..3].fill(String::new()));
        String::from_utf8(bitexact::media::csv::write(rows).unwrap().to_vec()).unwrap()
    });
    assert!(said.code == 0 && said.err.contains("no changes"), "{}", said.err);
    desk.write("b.csv", b"number,text,sound\n1,x,other\n");
    let said = desk.run(&["import", "dialog.tlk", "b.csv"]);
    assert!(said.code == 2 && said.err.contains("b.csv: line 2: 1: expected the sound "), "{}", said.err);
    assert!(said.err.contains("found \"other\"; import takes only texts"), "{}", said.err);
}

/// A value that follows from others is reported with the place at which it is edited.
#[test]
fn recomputed_values_of_messages_are_said_with_their_places() {
    let desk = desk(&["rc/messages.dll"]);
    let place = ".rsrc:/resources/0/table/messages/10";
    for (edit, was) in [("length=12", "length: 12 → "), ("key=X", "key: \"X\" → ")] {
        let said = desk.ok(&["patch", "messages.dll", "-n", "--set", &format!("{place}/{edit}")]);
        assert!(said.err.contains(&format!("recomputed: {place}/{was}")), "{}", said.err);
    }
}

#[test]
fn tables_of_real_files_come_back() {
    let Some(corpora) = beside("corpora") else { return };
    let desk = Desk::of(&[]);
    let (mut tables, mut refused) = (0, Vec::new());
    for folder in ["nwn-install", "nwn-text", "nwn-pairs"] {
        for file in bitexact::install::files(&corpora.join(folder)).unwrap() {
            let name = file.name().to_lowercase();
            if !["2da", "tlk"].iter().any(|end| name.ends_with(end)) {
                continue;
            }
            let (path, table) = (file.path.display().to_string(), desk.path("a.csv").display().to_string());
            let said = desk.run(&["export", &path, &table, "--force"]);
            if said.code != 0 {
                refused.push(said.err);
                continue;
            }
            let said = desk.ok(&["import", &path, &table, "-n"]);
            assert!(said.err.contains("no changes"), "{path}: {}{}", said.out, said.err);
            tables += 1;
        }
    }
    assert!(tables >= 20, "{tables} tables; {refused:?}");
    assert!(
        refused.iter().all(|why| why.contains("export binary-2da") || why.contains("end with CR only")),
        "{refused:?}"
    );
}
