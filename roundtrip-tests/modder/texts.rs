//! Scripts and readers as text that people edit.

use forge::bytes::field;
use forge::interp::{Line, Spec, build};
use forge::reader::{self, float, list, string};

use super::{Desk, data, entry};

/// Returns scripts whose paths lead through folders.
fn scripts() -> Vec<u8> {
    let lines = || {
        vec![
            Line::new(&[b"SetWorld", b"5204", b"off"]),
            Line::new(&[b"source", b"support\\bft1.gw"]),
            Line::new(&[b"set", b"TITLE", b"two words", b"", b"#1"]),
        ]
    };
    let script = |path: &[u8], lines| (field(path, b""), 7, lines);
    let odd = vec![Line::raw(b"Quit".into())];
    build(&Spec::new(vec![
        script(b"data\\hob\\rambelsil.gw", lines()),
        script(b"DATA\\HOB\\Rambelsil.gw", vec![Line::new(&[b"Quit"])]),
        script(b"data", vec![]),
        script(b"..\\m1.gs", odd),
    ]))
}

const TEXT: &str = "SetWorld 5204 off\nsource support\\bft1.gw\nset TITLE \"two words\",,\"#1\"\n";

#[test]
fn script_is_a_text_file_with_a_line_per_command() {
    let desk = Desk::of(&[("interp.zbd", &scripts())]);
    desk.ok(&["unpack", "interp.zbd", "form"]);
    assert_eq!(
        desk.all("form"),
        [
            "%2E%2E",
            "%2E%2E/m1.gs.json",
            "bitexact.json",
            "data",
            "data/hob",
            "data/hob/Rambelsil.gw~2",
            "data/hob/rambelsil.gw",
            "data~2.txt"
        ]
    );
    assert_eq!(desk.read("form/data/hob/rambelsil.gw"), TEXT.as_bytes());
    desk.ok(&["pack", "form", "again.zbd"]);
    assert!(desk.read("again.zbd") == scripts());
    desk.ok(&["verify", "--via", "exchange", "interp.zbd"]);

    // Editors for Windows write other line ends.
    desk.write("form/data/hob/rambelsil.gw", TEXT.replace('\n', "\r\n").as_bytes());
    let packed = desk.ok(&["pack", "form", "again.zbd", "--force"]);
    assert!(packed.err.starts_with("again.zbd: identical to the original, "), "{}", packed.err);

    desk.write("form/data/hob/rambelsil.gw", b"SetWorld 5204  on\nQuit\n");
    desk.ok(&["pack", "form", "edited.zbd"]);
    let shown = desk.ok(&["inspect", "edited.zbd", "data\\hob\\rambelsil.gw!"]).out;
    assert_eq!(shown, "lines:\n  0:\n    words: SetWorld 5204 on\n  1:\n    words: Quit\n");

    desk.write("form/data/hob/rambelsil.gw", b"Quit\nset A # comment\n");
    let refused = desk.run(&["pack", "form", "edited.zbd", "--force"]);
    let why =
        "data/hob/rambelsil.gw: line 2: the file cannot hold the comment \"#\"; remove it, or write the word in quotes";
    assert_eq!((refused.code, refused.err.contains(why)), (2, true), "{}", refused.err);
}

#[test]
fn script_is_patched_by_lines() {
    let place = "data\\hob\\rambelsil.gw:/lines";
    let desk = Desk::of(&[("interp.zbd", &scripts()), ("new.gw", b"Quit\n")]);
    let edits = [
        format!("{place}/0=\"SetClipNear 685\""),
        format!("{place}/1/words=\"source a.gw\""),
        format!("{place}/-=\"Quit\""),
    ];
    let sets: Vec<&str> = edits.iter().flat_map(|edit| ["--set", edit]).collect();
    let insert = format!("{place}/1=\"Echo \\\"a b\\\"\"");
    desk.ok(&[&["patch", "interp.zbd", "-o", "b.zbd", "--insert", &insert][..], &sets].concat());
    desk.ok(&["unpack", "b.zbd", "form"]);
    let text = "SetClipNear 685\nEcho \"a b\"\nsource a.gw\nset TITLE \"two words\",,\"#1\"\nQuit\n";
    assert_eq!(String::from_utf8(desk.read("form/data/hob/rambelsil.gw")).unwrap(), text);

    desk.ok(&["patch", "b.zbd", "--replace", "data\\hob\\rambelsil.gw=new.gw"]);
    let shown = desk.ok(&["inspect", "b.zbd", "data\\hob\\rambelsil.gw:/lines/0/words"]).out;
    assert_eq!(shown, "Quit\n");
    let refused = desk.run(&["patch", "b.zbd", "--set", &format!("{place}/0=\"a,\"")]);
    assert!(refused.code == 2 && refused.err.contains("expected words between spaces or commas"), "{}", refused.err);
}

/// Recoil's own reader of scripts makes an empty word of nothing else than two commas. Source: `zipper-interp.md`, section 2.
#[test]
fn empty_word_between_others_is_written_as_the_game_reads_it() {
    let desk = Desk::of(&[("interp.zbd", &scripts())]);
    desk.ok(&["unpack", "interp.zbd", "form"]);
    let script = "form/data/hob/rambelsil.gw";
    assert!(String::from_utf8(desk.read(script)).unwrap().ends_with("set TITLE \"two words\",,\"#1\"\n"));
    for line in
        ["set TITLE \"two words\" \"\" \"#1\"", "set,TITLE,\"two words\",,\"#1\"", "set TITLE, \"two words\",, \"#1\""]
    {
        let text = TEXT.lines().take(2).chain([line]).map(|line| format!("{line}\n")).collect::<String>();
        desk.write(script, text.as_bytes());
        desk.ok(&["pack", "form", "again.zbd", "--force"]);
        assert!(desk.read("again.zbd") == scripts(), "{line}");
    }
    desk.write(script, b"set a , b\n");
    let refused = desk.run(&["pack", "form", "again.zbd", "--force"]);
    assert!(refused.code == 2 && refused.err.contains("an empty word is a,,b"), "{}", refused.err);
}

/// The controls of a pilot, with comments.
const CONTROLS: &str = "; mine\r\n(\r\n\tKEYS ; all\r\n\t(\r\n\t\t(CMD_ZOOM\tkeya(0x32))\r\n\t)\r\n\tAXES\r\n\t(\r\n\t\t(Pitch slope(0.250000))\r\n\t)\r\n)\r\n";

#[test]
fn text_reader_is_a_tree_and_keeps_its_layout() {
    let desk = Desk::of(&[("DefaultCtlConfig.zrd", CONTROLS.as_bytes())]);
    let name = "DefaultCtlConfig.zrd";
    let shown = desk.ok(&["inspect", "--json", name]).out;
    assert!(shown.contains(r#"["KEYS",[["CMD_ZOOM","keya",["0x32"]]],"AXES",[["Pitch","slope",[0.25]]]]"#), "{shown}");
    assert_eq!(desk.ok(&["inspect", name, "/3/0/2/0"]).out, "0.25\n");
    let set = ["--set", "/3/0/2/0=0.5", "--set", r#"/1/0/2/0="0x33""#];
    let patched = desk.ok(&[&["patch", name][..], &set].concat());
    assert_eq!(patched.out, "/1/0/2/0: \"0x32\" → \"0x33\"\n/3/0/2/0: 0.25 → 0.5\n");
    let edited = CONTROLS.replace("0.250000", "0.500000").replace("0x32", "0x33");
    assert_eq!(String::from_utf8(desk.read(name)).unwrap(), edited);
    // Items come and go as in any list.
    desk.ok(&["patch", name, "-o", "items.zrd", "--delete", "/1/0", "--insert", r#"/3/-=["Roll", "slope", [1.0]]"#]);
    let roll = "\r\n\t\t(\r\n\t\t\tRoll\r\n\t\t\tslope\r\n\t\t\t(1.000000)\r\n\t\t)";
    let expected = edited.replace("\r\n\t\t(CMD_ZOOM\tkeya(0x33))", "");
    let expected = expected.replace("(Pitch slope(0.500000))", &format!("(Pitch slope(0.500000)){roll}"));
    assert_eq!(String::from_utf8(desk.read("items.zrd")).unwrap(), expected);
    let refused = desk.run(&["patch", name, "--delete", "/1/7"]);
    assert!(
        refused.code == 2 && refused.err.contains("/1/7: no 7 in /1, which has the items 0 to 0"),
        "{}",
        refused.err
    );
    let refused = desk.run(&["patch", name, "--set", r#"/0="a\"b""#]);
    let why = "/0: expected ASCII without quotes and control characters, found \"a\\\"b\"";
    assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
    assert_eq!(String::from_utf8(desk.read(name)).unwrap(), edited);
}

#[test]
fn binary_reader_is_exported_as_text_and_taken_back() {
    let value = |damage: f32| {
        list([string(b"LASER"), list([string(b"DAMAGE"), list([float(damage)]), string(b"2"), reader::Value::Int(3)])])
    };
    let archive = |damage| {
        let entries = vec![entry(b"weapons.zrd", data(value(damage))), entry(b"odd.zrd", data(list([string(b"\"")])))];
        forge::archive::build(&forge::archive::Spec::new(1, forge::archive::Content::Readers, entries))
    };
    let desk = Desk::of(&[("reader.zbd", &archive(5.0))]);
    desk.ok(&["export", "reader.zbd!weapons.zrd", "weapons.zrd"]);
    let text = "(\n\tLASER\n\t(\n\t\tDAMAGE\n\t\t(5.0)\n\t\t\"2\"\n\t\t3\n\t)\n)\n";
    assert_eq!(String::from_utf8(desk.read("weapons.zrd")).unwrap(), text);
    desk.replace("weapons.zrd", "5.0", "7.5");
    desk.ok(&["patch", "reader.zbd", "--replace", "weapons.zrd=weapons.zrd"]);
    assert!(desk.read("reader.zbd") == archive(7.5));
    for (from, to, why) in [
        ("7.5", "0x10", "0x10: write a number in decimal, or a string as \"0x10\""),
        ("DAMAGE", "DAMAGE ; much", "binary data cannot hold a comment; remove it"),
        ("3\n", "3)\n", "expected one list, with parentheses and quotes in pairs"),
    ] {
        let text = String::from_utf8(desk.read("weapons.zrd")).unwrap();
        desk.write("wrong.zrd", text.replace(from, to).as_bytes());
        let refused = desk.run(&["patch", "reader.zbd", "--replace", "weapons.zrd=wrong.zrd"]);
        let expected = format!("wrong.zrd: {why}");
        assert!(refused.code == 2 && refused.err.contains(&expected), "{}", refused.err);
    }
    let refused = desk.run(&["export", "reader.zbd!odd.zrd", "odd.zrd"]);
    let why = "reader.zbd!odd.zrd: /0: expected ASCII without quotes and control characters, found \"\\\"\"";
    assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
}
