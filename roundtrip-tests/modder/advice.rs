//! What a refusal or a line of output says, and what it advises.

use super::{Desk, archive};
use crate::harness::{golden_install, sample};

/// Returns a desk with files of the sample install of Neverwinter Nights.
fn neverwinter(paths: &[&str]) -> Desk {
    let read = |path: &&str| std::fs::read(golden_install().join("nwn").join(path)).unwrap();
    let files: Vec<(&str, Vec<u8>)> = paths.iter().map(|path| (path.rsplit('/').next().unwrap(), read(path))).collect();
    Desk::of(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>())
}

/// Runs calls that must be refused with exit code 2, each with a part of its message.
fn refused(desk: &Desk, calls: &[(&[&str], &str)]) {
    for (args, expected) in calls {
        let said = desk.run(args);
        assert!(said.code == 2 && said.err.contains(expected), "{args:?}: {}{}", said.out, said.err);
        assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    }
}

#[test]
fn numbers_that_no_value_holds_are_refused_as_they_were_written() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "form"]);
    let whole = desk.read("form/weapons.zrd.json");
    for (number, expected) in [
        ("99999999999999999999", "99999999999999999999 is too large for an integer"),
        ("18446744073709551616", "18446744073709551616 is too large for an integer"),
        ("18446744073709551615", "18446744073709551615 is too large for an integer"),
        ("-9223372036854775809", "-9223372036854775809 is too large for an integer"),
        ("-0", "expected an integer or a float, found -0; write 0 or -0.0"),
        ("1e-50", "1e-50 is too small: the nearest float is 0.0"),
        ("-0.1e-45", "-0.1e-45 is too small"),
        ("0.00000000000000000000000000000000000000000000000001", "is too small"),
        ("1e39", "1e39 is too large for a float"),
    ] {
        desk.write("form/weapons.zrd.json", format!("[1.5, \"-0\\\"\", {number}]").as_bytes());
        let said = desk.run(&["pack", "form", "new.zbd"]);
        let place = "bitexact: form/weapons.zrd.json:1:15: ";
        assert!(said.code == 2 && said.err.starts_with(place) && said.err.contains(expected), "{number}: {}", said.err);
        let set = format!("weapons.zrd:/0/1={number}");
        refused(&desk, &[(&["patch", "reader.zbd", "-n", "--retype", "--set", &set], expected)]);
    }
    for (number, shown) in [("-0.0", "-0.0"), ("1e-45", "1e-45"), ("0e-99", "0.0"), ("0.0e5", "0.0"), ("1e20", "1e+20")]
    {
        desk.write("form/weapons.zrd.json", format!("[{number}]").as_bytes());
        desk.ok(&["pack", "form", "new.zbd", "--force"]);
        let value = desk.ok(&["inspect", "--json", "new.zbd", "weapons.zrd:/0"]).out;
        assert!(value.contains(&format!("\"value\":{shown}")), "{number}: {value}");
    }
    desk.write("form/weapons.zrd.json", &whole);
    desk.ok(&["pack", "form", "new.zbd", "--force"]);
}

#[test]
fn entry_is_added_and_its_values_are_set_in_one_call() {
    let desk = neverwinter(&["hak/content.hak", "override/c_boar.utc"]);
    desk.write("new.nss", b"void main()\r\n{\r\n}\r\n");
    desk.write("new.2da", b"2DA V2.0\r\n\r\n   A B\r\n0  1 2\r\n");
    desk.ok(&[
        "patch",
        "content.hak",
        "--add",
        "new.nss=new.nss",
        "--set",
        "new.nss:/0=\"int main()\"",
        "--add",
        "new.2da=new.2da",
        "--set",
        "new.2da:/rows/0/cells/B=\"7\"",
        "--add",
        "boar2.utc=c_boar.utc",
        "--set",
        "boar2.utc:/Str/value=19",
    ]);
    let shown = |place: &str| desk.ok(&["inspect", "content.hak", place]).out.trim().to_owned();
    assert_eq!(shown("new.nss:/0"), "int main()");
    assert_eq!(shown("new.2da:/rows/0/cells/B"), "7");
    assert_eq!(shown("boar2.utc:/Str/value"), "19");
    // All or nothing.
    let before = desk.read("content.hak");
    refused(&desk, &[(&["patch", "content.hak", "--add", "x.nss=new.nss", "--set", "x.nss:/9=\"\""], "no 9")]);
    assert!(desk.read("content.hak") == before);
}

#[test]
fn added_entries_that_are_not_what_their_names_say_are_reported() {
    let desk = neverwinter(&["hak/content.hak", "override/c_boar.utc"]);
    desk.write("new.nss", b"void main() {}\n");
    let add = |what: &str| desk.ok(&["patch", "content.hak", "-n", "--add", what]).err;
    let said = add("x.utc=new.nss");
    assert!(said.contains("warning: x.utc: its name is that of a file of kind gff, but its bytes are not"), "{said}");
    let said = add("x.uti=c_boar.utc");
    assert!(said.contains("warning: x.uti: its name ends in .uti, but it holds a resource of type UTC"), "{said}");
    assert!(!add("x.utc=c_boar.utc").contains("warning: x.utc") && !add("x.nss=new.nss").contains("warning: x.nss"));
}

#[test]
fn quote_in_a_cell_is_named() {
    let desk = neverwinter(&["override/appearance.2da"]);
    let expected = "/rows/3/cells: expected the cell of Label as one word or text without quotes and line ends; **** for no \
                    value, found \"a\\\"b\" (3 bytes)";
    refused(&desk, &[(&["patch", "appearance.2da", "-n", "--set", "/rows/3/cells/Label=\"a\\\"b\""], expected)]);
}

#[test]
fn inserted_instruction_renames_no_label() {
    let desk = neverwinter(&["override/nw_c2_default1.ncs"]);
    let name = "nw_c2_default1.ncs";
    desk.write("a/x.ncs", &desk.read(name));
    desk.write("b/x.ncs", &desk.read(name));
    desk.ok(&["patch", "b/x.ncs", "-q", "--insert", "/code/3={\"op\": \"NOP\"}"]);
    let said = desk.run(&["diff", "a/x.ncs", "b/x.ncs"]);
    assert_eq!((said.code, said.out.as_str()), (1, "/code/3: added {\"op\":\"NOP\"}\n"));
    desk.write("changes.json", desk.run(&["diff", "--json", "a/x.ncs", "b/x.ncs"]).out.as_bytes());
    desk.ok(&["patch", "a/x.ncs", "-q", "--apply", "changes.json", "-o", "new.ncs"]);
    assert!(desk.read("new.ncs") == desk.read("b/x.ncs"));
    let made = desk.ok(&["mod", "make", "a", "b", "-o", "x.mod"]);
    assert_eq!(made.out, "x.ncs: 1 change\n");
    desk.ok(&["mod", "apply", "a", "x.mod"]);
    assert!(desk.read("a/x.ncs") == desk.read("b/x.ncs"));
    // A jump to a new instruction.
    let list = desk.ok(&["inspect", "--json", "b/x.ncs", "/code"]).out;
    let jump = list.split("\"op\":").position(|op| op.starts_with("\"JMP\"")).unwrap() - 1;
    desk.write("c/x.ncs", &desk.read("b/x.ncs"));
    desk.ok(&[
        "patch",
        "c/x.ncs",
        "-q",
        "--set",
        "/code/3/label=\"here\"",
        "--set",
        &format!("/code/{jump}/to=\"here\""),
    ]);
    desk.write("changes.json", desk.run(&["diff", "--json", "b/x.ncs", "c/x.ncs"]).out.as_bytes());
    desk.ok(&["patch", "b/x.ncs", "-q", "--apply", "changes.json"]);
    assert!(desk.read("b/x.ncs") == desk.read("c/x.ncs"));
}

#[test]
fn loose_texts_are_compared_line_by_line() {
    let desk = Desk::of(&[("a.nss", b"one\ntwo\nthree\n"), ("b.nss", b"one\n2\nthree\n"), ("c.bin", b"\0\x01")]);
    let said = desk.run(&["diff", "a.nss", "b.nss"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (1, "  -two\n  +2\n", ""));
    // Stdin can be read only once.
    let input = std::fs::File::open(desk.path("a.nss")).unwrap();
    let said = desk.command(&["diff", "-", "b.nss"]).stdin(input).output().unwrap();
    assert_eq!(String::from_utf8(said.stdout).unwrap(), "  -two\n  +2\n");
    let said = desk.run(&["diff", "a.nss", "a.nss"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""));
    refused(&desk, &[(&["diff", "a.nss", "c.bin"], "details need two files of the same supported kind")]);
}

#[test]
fn values_are_refused_in_the_words_of_the_command() {
    let desk = neverwinter(&["localvault/boar.bic", "dialog.tlk"]);
    let set = |value: &'static str| ["patch", "boar.bic", "-n", "--set", value];
    for (value, expected) in [
        (
            "/A={\"type\": \"dword64\", \"value\": 18446744073709551614}",
            "a field of 64 bits takes a string, \"18446744073709551614\"\n",
        ),
        ("/Str/value=1e39", "1e39 is too large for a float\n"),
        ("/Str/value=null", "/Str/value: null is no value; --delete removes a member or an item\n"),
        ("/Str/value=", "expected a value after =, found nothing\n"),
        ("/Str/value=abc", "/Str/value: expected a value like 14, found abc\n"),
        ("/Str=abc", "/Str: expected a value like 14, found abc\n"),
        ("/Strr=15", "such as {\"type\":\"int\",\"value\":15}, found 15; or did you mean Str?\n"),
        ("/Tag=\"abc", "end it with a quotation mark, or leave out both\n"),
        ("/ALabelThatIsMuchTooLong={\"type\": \"byte\", \"value\": 1}", "expected a label of at most 16 characters"),
    ] {
        refused(&desk, &[(&set(value), expected)]);
        assert!(!desk.run(&set(value)).err.contains(" at line "), "{value}");
    }
    refused(
        &desk,
        &[
            (
                &["patch", "boar.bic", "-n", "--insert", "/Str={\"type\": \"byte\", \"value\": 1}"],
                "/Str: is a member, and only items of lists can be inserted before; --set changes it",
            ),
            (&["patch", "boar.bic", "-n", "--add", "x.utc=dialog.tlk"], "a file of kind gff has no entries"),
            (
                &["patch", "dialog.tlk", "-n", "--set", "/entries/999999={\"flags\": 1, \"text\": \"x\"}"],
                "the count; raise /count for more entries, found \"999999\"",
            ),
            (
                &["patch", "dialog.tlk", "-n", "--set", "/entries/-={\"flags\": 1, \"text\": \"x\"}"],
                "whose members are numbered; set a number itself to fill it",
            ),
        ],
    );
    // What was not there is added, and computed by no rule.
    let said = desk.ok(&["patch", "boar.bic", "-n", "--set", "/New={\"type\": \"byte\", \"value\": 1}"]);
    assert!(said.out.starts_with("/New: added {\"type\":\"byte\",\"value\":1}\n"), "{}", said.out);
    let said = desk.ok(&["patch", "boar.bic", "-n", "--delete", "/Str"]);
    assert!(said.out.starts_with("/Str: removed {\"type\":\"byte\","), "{}", said.out);
}

#[test]
fn deviations_of_one_sort_are_counted_and_trimmed_bytes_are_said_once() {
    let desk = neverwinter(&["override/appearance.2da"]);
    let said = desk.ok(&["patch", "appearance.2da", "-n", "--set", "/columns/-=\"New\""]);
    let lines = said.err.lines().filter(|line| line.starts_with("deviation: ")).count();
    assert!(lines == 6 && said.err.contains("deviation: /rows/*: and 195 more\n"), "{}", said.err);
    let map = sample("m1.zmap");
    let desk = Desk::of(&[("m1.zmap", &[&map[..], b"appended by tool"].concat())]);
    let said = desk.ok(&["patch", "m1.zmap", "--trim"]);
    assert!(said.err.starts_with("m1.zmap: 16 bytes removed from its end, "), "{}", said.err);
    assert!(desk.read("m1.zmap") == map);
}

#[test]
fn other_files_under_the_name_of_a_format_are_named_by_all_commands() {
    let page = b"<!DOCTYPE html>\n<html><body>404</body></html>\n";
    let desk = Desk::of(&[
        ("page.ncs", page),
        ("page.zmap", page),
        ("list.ncs", b"{\"a\": [1, 2, 3], \"b\": 4}"),
        ("packed.2da", b"\x1F\x8B\x08\0\0\0\0\0\x02\x03\x0D\x0Dabcdef"),
    ]);
    for name in ["page.ncs", "page.zmap"] {
        for args in [&["unpack", name, "out"][..], &["patch", name, "-n", "--set", "/a=1"], &["ls", name]] {
            refused(&desk, &[(args, "a web page is in place of the file")]);
        }
        let said = desk.run(&["lint", name]);
        assert!(said.code == 1 && said.out.contains("[file-is-web-page;"), "{}{}", said.out, said.err);
    }
    for (name, found) in
        [("list.ncs", "expected NCS V1.0, found {\\\"a\\\": ["), ("packed.2da", "expected 2DA V2.0, found ")]
    {
        let said = desk.run(&["verify", name]);
        assert!(said.code == 1 && said.out.contains(found), "{}", said.out);
    }
}
