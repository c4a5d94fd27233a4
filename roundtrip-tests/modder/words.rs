//! Values as people type them: a word is a text where there is a text, so that one form works in every shell.

use super::{Desk, archive, data, entry};
use crate::harness;

fn neverwinter(file: &str) -> Desk {
    let bytes = std::fs::read(harness::golden_install().join("nwn").join(file)).unwrap();
    Desk::of(&[(file.rsplit('/').next().unwrap(), &bytes)])
}

/// Checks that words and JSON have the same effect, and returns what is printed.
fn alike(desk: &Desk, file: &str, [word, json]: [&str; 2]) -> String {
    desk.ok(&["patch", file, "-o", "word", "--force", "--set", word]);
    desk.ok(&["patch", file, "-o", "json", "--force", "--set", json]);
    assert!(desk.read("word") == desk.read("json"), "{word}");
    desk.ok(&["patch", file, "-n", "--set", word]).out
}

#[test]
fn word_is_the_text_where_there_is_one() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    for (word, json) in [
        ("weapons.zrd:/0/0=LARGE LASER", r#"weapons.zrd:/0/0="LARGE LASER""#),
        ("weapons.zrd:/0/0=5", r#"weapons.zrd:/0/0="5""#),
        ("weapons.zrd:/0/0=true", r#"weapons.zrd:/0/0="true""#),
        ("weapons.zrd:/0/0=", r#"weapons.zrd:/0/0="""#),
    ] {
        alike(&desk, "reader.zbd", [word, json]);
    }
}

#[test]
fn word_sets_the_value_of_an_object_with_a_type() {
    let desk = neverwinter("override/c_boar.utc");
    let said = alike(&desk, "c_boar.utc", ["/Str=18", "/Str/value=18"]);
    assert_eq!(said.lines().next(), Some("/Str/value: 14 → 18"), "{said}");
    alike(
        &desk,
        "c_boar.utc",
        ["/ItemList/value/0/TemplateResRef=18", r#"/ItemList/value/0/TemplateResRef/value="18""#],
    );
    alike(&desk, "c_boar.utc", ["/FirstName=Old Boar", r#"/FirstName/value/0="Old Boar""#]);
    let refused = desk.run(&["patch", "c_boar.utc", "-n", "--set", "/Str=strong"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("/Str: expected a value like 14, found strong"), "{}", refused.err);
}

#[test]
fn cell_takes_any_text_and_gets_its_quotes() {
    let desk = neverwinter("override/appearance.2da");
    let cell = "/rows/0/cells/Name";
    alike(&desk, "appearance.2da", [&format!("{cell}=5"), &format!(r#"{cell}="5""#)]);
    let said = alike(&desk, "appearance.2da", [&format!("{cell}=a b"), &format!(r#"{cell}="\"a b\"""#)]);
    assert!(said.starts_with(&format!("{cell}: ")), "{said}");
    let refused = desk.run(&["patch", "appearance.2da", "-n", "--set", "/rows/0/cells/NAME=5"]);
    assert!(refused.err.contains("no NAME in /rows/0/cells; did you mean Name?"), "{}", refused.err);
}

#[test]
fn default_of_a_table_takes_any_word_and_is_a_change_of_its_own() {
    let desk = neverwinter("override/appearance.2da");
    for word in ["0", "5", "007", "0.50", "Foo", "true"] {
        let said = alike(&desk, "appearance.2da", [&format!("/default={word}"), &format!("/default=\"{word}\"")]);
        assert_eq!(said.lines().next(), Some(&*format!("/default: \"\" → \"{word}\"")), "{said}");
        let text = String::from_utf8(desk.read("word")).unwrap();
        assert_eq!(text.lines().nth(1), Some(&*format!("DEFAULT: {word}")), "{text}");
        assert_eq!(desk.run(&["diff", "appearance.2da", "word"]).out, said.lines().next().unwrap().to_owned() + "\n");
    }
    let refused = desk.run(&["patch", "appearance.2da", "-n", "--retype", "--set", "/default=[1]"]);
    assert!(refused.code == 2 && refused.err.contains("/default: expected a word"), "{}", refused.err);
    // Another change of the same table is none of the default.
    desk.ok(&["patch", "appearance.2da", "-o", "cell", "--force", "--set", "/rows/3/cells/Name=7"]);
    desk.ok(&["merge", "appearance.2da", "word", "cell", "-o", "both"]);
    let text = String::from_utf8(desk.read("both")).unwrap();
    assert!(text.lines().nth(1) == Some("DEFAULT: true") && text.lines().nth(6).unwrap().contains(" 7 "), "{text}");
}

#[test]
fn entry_after_the_last_is_a_new_one() {
    let desk = neverwinter("dialog.tlk");
    let said = alike(&desk, "dialog.tlk", ["/entries/400=New", r#"/entries/400={"flags": 1, "text": "New"}"#]);
    assert!(said.contains("/count: 400 → 401\n"), "{said}");
    let two = ["patch", "dialog.tlk", "-n", "--set", "/entries/400=New", "--set", "/entries/401=Newer"];
    assert!(desk.ok(&two).out.contains("/count: 400 → 402\n"));
    // Entry 2 of the sample is blank.
    alike(&desk, "dialog.tlk", ["/entries/2=New", r#"/entries/2={"flags": 1, "text": "New"}"#]);
    let refused = desk.run(&["patch", "dialog.tlk", "-n", "--set", "/entries/402=New"]);
    let why = "expected a number below 400, the count; raise /count for more entries, found \"402\"";
    assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
}

#[test]
fn items_of_lists_are_found_by_name() {
    use forge::archive::{Content, Spec, build};
    use forge::reader::{float, list, string};

    let value = |damage| list([string(b"LASER"), list([string(b"DAMAGE"), list([float(damage)])])]);
    let readers = |damage| build(&Spec::new(1, Content::Readers, vec![entry(b"weapons.zrd", data(value(damage)))]));
    let desk = Desk::of(&[("reader.zbd", &readers(5.0))]);
    let said = desk.ok(&["patch", "reader.zbd", "--set", "weapons.zrd:/@LASER/DAMAGE=7.5"]).out;
    assert_eq!(said, "weapons.zrd:/1/1/0: 5.0 → 7.5\n");
    assert!(desk.read("reader.zbd") == readers(7.5));
    assert!(desk.ok(&["inspect", "reader.zbd", "weapons.zrd:@LASER/DAMAGE/0"]).out.contains("7.5"));
    for (place, why) in [
        ("weapons.zrd:/@GAUSS/DAMAGE", "weapons.zrd:/@GAUSS/DAMAGE: no item has the name GAUSS in weapons.zrd"),
        ("weapons.zrd:/@LASER/HEAT", "no item has the name HEAT in weapons.zrd:/1"),
    ] {
        let refused = desk.run(&["patch", "reader.zbd", "-n", "--set", &format!("{place}=1")]);
        assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
    }
    let desk = neverwinter("override/appearance.2da");
    let rows = desk.ok(&["patch", "appearance.2da", "-n", "--set", "/rows/@1/cells/Name=x"]).out;
    assert!(rows.starts_with("/rows/1/cells/Name: "), "{rows}");
}
