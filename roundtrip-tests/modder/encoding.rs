//! Texts that an editor has saved in another encoding.

use forge::nwn::resources::{Erf, build_erf, resource};
use forge::nwn::tables::two_da;

use super::Desk;

/// A script with letters above 7F, and the bytes of a color.
const SCRIPT: &[u8] = b"// \xE9\xFF\r\nvoid main() { string s = \"<c\xFE\x01\x80>\"; }\r\n";
const UTF_8: &str = "// éÿ\r\nvoid main() { string s = \"<cþ\u{1}€>\"; }\r\n";

fn module(script: &[u8]) -> Vec<u8> {
    build_erf(&Erf::new(b"MOD ", vec![resource("col", 2009, script.to_vec())]))
}

const IS_WARNED: &str = "col.nss:/: the text is in another encoding than the game reads (UTF-8, 'é' in line 1)";

#[test]
fn script_saved_as_utf_8_is_noticed() {
    let desk = Desk::of(&[("a.mod", &module(SCRIPT)), ("utf8.nss", UTF_8.as_bytes()), ("same.nss", SCRIPT)]);
    let said = desk.ok(&["patch", "a.mod", "--replace", "col.nss=utf8.nss", "-o", "b.mod"]);
    assert!(said.err.contains(&format!("warning: {IS_WARNED}")), "{}", said.err);
    let said = desk.run(&["diff", "a.mod", "b.mod"]);
    assert!(said.err.contains(&format!("warning: {IS_WARNED}")), "{}", said.err);
    assert!(said.out.contains("// éÿ") && said.out.contains("// Ã©Ã¿"), "{}", said.out);
    let said = desk.run(&["lint", "b.mod"]);
    assert!(said.code == 1 && said.out.contains(IS_WARNED), "{}{}", said.out, said.err);
    // An edit of something else, and files that are as they were, bring no warning.
    let said = desk.run(&["diff", "b.mod", "a.mod"]);
    assert!(!said.err.contains("warning"), "{}", said.err);
    assert_eq!(desk.run(&["lint", "a.mod"]).out, "no warnings in 1 file\n");
    let said = desk.ok(&["patch", "b.mod", "--replace", "col.nss=utf8.nss"]);
    assert!(!said.err.contains("warning"), "{}", said.err);
    desk.ok(&["unpack", "a.mod", "form"]);
    desk.write("form/col.nss", UTF_8.as_bytes());
    for (target, force) in [("c.mod", &[][..]), ("a.mod", &["--force"])] {
        let said = desk.ok(&[&["pack", "form", target][..], force].concat());
        assert!(said.err.contains(&format!("warning: {IS_WARNED}")), "{target}: {}", said.err);
    }
}

#[test]
fn replacement_characters_are_noticed() {
    let lost = String::from_utf8_lossy(SCRIPT).into_owned();
    let desk = Desk::of(&[("a.mod", &module(SCRIPT)), ("lost.nss", lost.as_bytes())]);
    let said = desk.ok(&["patch", "a.mod", "--replace", "col.nss=lost.nss", "-o", "b.mod"]);
    let warning = "warning: col.nss:/: the text contains U+FFFD (line 1); the character that was there is lost";
    assert!(said.err.contains(warning) && !said.err.contains("text-encoding"), "{}", said.err);
    assert!(desk.run(&["diff", "a.mod", "b.mod"]).err.contains(warning));
}

#[test]
fn tables_and_texts_of_zipper_are_noticed_too() {
    let table = two_da(3);
    let odd = [&table[..], "  9 Höhle\r\n".as_bytes()].concat();
    let latin = [&table[..], b"  9 H\xF6hle\r\n"].concat();
    let desk = Desk::of(&[("a.2da", &table), ("b.2da", &odd), ("c.2da", &latin)]);
    let said = desk.run(&["diff", "a.2da", "b.2da"]);
    assert!(
        said.err.contains("warning: /: the text is in another encoding than the game reads (UTF-8, 'ö'"),
        "{}",
        said.err
    );
    let said = desk.run(&["diff", "a.2da", "c.2da"]);
    assert!(said.err.is_empty() && said.out.contains("Höhle"), "{}{}", said.out, said.err);
    desk.write("a.zrd", "( NAME Höhle )".as_bytes());
    assert!(desk.run(&["lint", "a.zrd"]).out.contains("[text-encoding; "));
    desk.write("b.zrd", b"( NAME H\xF6hle )");
    assert!(!desk.run(&["lint", "b.zrd"]).out.contains("[text-encoding; "));
}

#[test]
fn changed_lines_of_texts_in_windows_1252_are_shown() {
    // Other line ends make the whole text another one.
    let new = String::from_utf8_lossy(b"// x\nvoid main() {}\n").into_owned();
    let desk = Desk::of(&[("a.mod", &module(SCRIPT)), ("b.mod", &module(new.as_bytes()))]);
    let said = desk.run(&["diff", "a.mod", "b.mod"]);
    let line = "  -void main() { string s = \"<cþ\u{1}€>\"; }";
    let shown = |text: &str| said.out.contains(text) || said.out.contains(&text.replace('\u{1}', "\\u{1}"));
    assert!(shown("  -// éÿ") && shown(line) && shown("  +// x"), "{}", said.out);
}
