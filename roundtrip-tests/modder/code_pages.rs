//! Texts in other encodings than Windows-1252: shown, searched, edited and packed in the one that is chosen.

use forge::nwn::tables::two_da;

use super::Desk;
use crate::harness::golden_install;

/// Returns a talk table in English with these texts.
fn table(texts: &[&[u8]]) -> Vec<u8> {
    let mut file = b"TLK V3.0".to_vec();
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    for number in [0, texts.len(), 20 + texts.len() * 40] {
        file.extend(word(number));
    }
    let mut at = 0;
    for text in texts {
        file.extend(word(1));
        file.extend([0; 24]);
        file.extend([word(if text.is_empty() { 0 } else { at }), word(text.len()), word(0)].concat());
        at += text.len();
    }
    file.extend(texts.concat());
    file
}

/// "Привет" in Windows-1251.
const HELLO: &[u8] = b"\xCF\xF0\xE8\xE2\xE5\xF2";

#[test]
fn a_table_in_a_chosen_encoding_is_read_searched_and_edited() {
    let desk = Desk::of(&[("rus.tlk", &table(&[b"Bad Strref", HELLO]))]);
    let said = desk.ok(&["inspect", "rus.tlk", "/entries/1/text"]);
    assert_eq!(said.out, "Ïðèâåò\n");
    let hint =
        "hint: rus.tlk: its texts look like windows-1251; with --encoding windows-1251, they are read and written so\n";
    assert_eq!(said.err, hint);
    for name in ["1251", "cp1251", "Windows-1251"] {
        let said = desk.ok(&["--encoding", name, "inspect", "rus.tlk", "/entries/1/text"]);
        assert_eq!((said.out.as_str(), said.err.as_str()), ("Привет\n", ""));
    }
    let said = desk.ok(&["inspect", "rus.tlk", "--find", "привет", "--encoding", "1251"]);
    assert_eq!(said.out, "/entries/1/text: Привет\n");
    desk.ok(&["patch", "rus.tlk", "--encoding", "1251", "--set", "/entries/1/text=Пока"]);
    assert!(desk.read("rus.tlk") == table(&[b"Bad Strref", b"\xCF\xEE\xEA\xE0"]));
    let said = desk.run(&["patch", "rus.tlk", "--encoding", "1251", "--set", "/entries/1/text=é"]);
    assert!(said.code == 2 && said.err.contains("expected characters of windows-1251, or bytes64"), "{}", said.err);
    let said = desk.run(&["inspect", "rus.tlk", "--encoding", "klingon"]);
    assert!(said.code == 2 && said.err.contains("no such encoding; there are windows-1252, utf-8"), "{}", said.err);
}

#[test]
fn a_table_in_utf_8_is_edited_as_utf_8() {
    let desk = Desk::of(&[("a.tlk", &table(&[b"Bad Strref", "Prêtre".as_bytes(), "日本".as_bytes()]))]);
    let said = desk.ok(&["inspect", "a.tlk", "/entries/1/text"]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("Prêtre\n", ""));
    desk.ok(&["patch", "a.tlk", "--set", "/entries/1/text=Prêtresse"]);
    assert!(desk.read("a.tlk") == table(&[b"Bad Strref", "Prêtresse".as_bytes(), "日本".as_bytes()]));
    // Also through the forms of the table, wherever they go.
    desk.ok(&["unpack", "a.tlk", "form"]);
    desk.ok(&["export", "a.tlk", "a.tlk.json"]);
    desk.ok(&["pack", "form", "b.tlk"]);
    desk.ok(&["pack", "a.tlk.json", "c.tlk"]);
    assert!(desk.read("b.tlk") == desk.read("a.tlk") && desk.read("c.tlk") == desk.read("a.tlk"));
    // A mixed table is in the page of its language, with a hint if nearly all is UTF-8.
    let accented: Vec<String> = (0..20).map(|at| format!("Prêtre {at}")).collect();
    let mut texts: Vec<&[u8]> = accented.iter().map(String::as_bytes).collect();
    texts.push(b"Pr\xEAtre");
    desk.write("mixed.tlk", &table(&texts));
    let said = desk.ok(&["inspect", "mixed.tlk", "/entries/0/text"]);
    assert!(said.out == "PrÃªtre 0\n" && said.err.contains("look like utf-8"), "{}{}", said.out, said.err);
    let said = desk.ok(&["inspect", "mixed.tlk", "/entries/0/text", "--encoding", "utf-8"]);
    assert_eq!(said.out, "Prêtre 0\n");
    // Bytes that are no UTF-8 stay.
    desk.ok(&["patch", "mixed.tlk", "--encoding", "utf-8", "--set", "/entries/0/text=à"]);
    texts[0] = "à".as_bytes();
    assert!(desk.read("mixed.tlk") == table(&texts));
}

#[test]
fn a_folder_keeps_the_encoding() {
    let odd = [&two_da(3)[..], b"  9 \xCF\xF0\xE8\r\n"].concat();
    let file = std::fs::read(golden_install().join("nwn/hak/content.hak")).unwrap();
    let desk = Desk::of(&[("a.hak", &file), ("odd.2da", &odd)]);
    desk.ok(&["patch", "a.hak", "--add", "odd.2da=odd.2da"]);
    desk.ok(&["patch", "a.hak", "--encoding", "1251", "--set", "c_boar.utc:/FirstName/value/0=Вепрь"]);
    desk.ok(&["unpack", "a.hak", "form", "--encoding", "1251"]);
    let manifest = String::from_utf8(desk.read("form/bitexact.json")).unwrap();
    assert!(manifest.contains("\"encoding\": \"windows-1251\""), "{manifest}");
    let boar = String::from_utf8(desk.read("form/c_boar.utc.json")).unwrap();
    assert!(boar.contains("Вепрь"), "{boar:.300}");
    let said = desk.ok(&["pack", "form", "b.hak"]);
    assert!(desk.read("b.hak") == desk.read("a.hak") && said.err.contains("identical"), "{}", said.err);
    desk.write("form/c_boar.utc.json", boar.replace("Вепрь", "Кабан").as_bytes());
    desk.ok(&["pack", "form", "c.hak"]);
    let said = desk.run(&["diff", "a.hak", "c.hak", "--encoding", "1251"]);
    assert!(said.out.contains("\"Вепрь\" → \"Кабан\""), "{}", said.out);
    let said = desk.run(&["pack", "form", "d.hak", "--encoding", "1250"]);
    assert!(
        said.code == 2
            && said.err.contains("form: expected --encoding windows-1251, that of the folder, found windows-1250")
    );
    desk.ok(&["unpack", "a.hak", "plain"]);
    let said = desk.run(&["pack", "plain", "d.hak", "--encoding", "1251"]);
    assert!(said.code == 2 && said.err.contains("expected --encoding windows-1252"), "{}", said.err);
    desk.ok(&["pack", "plain", "d.hak", "--encoding", "1252"]);
}

#[test]
fn changes_and_exports_keep_the_encoding() {
    let (old, new) = (table(&[b"x", HELLO]), table(&[b"x", b"\xCF\xEE\xEA\xE0"]));
    let desk = Desk::of(&[("a.tlk", &old), ("b.tlk", &new)]);
    // The changes of two files.
    let said = desk.run(&["diff", "--json", "a.tlk", "b.tlk", "--encoding", "1251"]);
    assert!(said.out.contains("\"encoding\":\"windows-1251\"") && said.out.contains("Пока"), "{}", said.out);
    desk.write("changes.json", said.out.as_bytes());
    desk.ok(&["patch", "a.tlk", "--apply", "changes.json", "-o", "c.tlk"]);
    assert!(desk.read("c.tlk") == new);
    let said = desk.run(&["patch", "a.tlk", "--apply", "changes.json", "--encoding", "1250", "-o", "d.tlk"]);
    assert!(said.code == 2 && said.err.contains("expected --encoding windows-1251, that of its texts"), "{}", said.err);
    let plain = desk.run(&["diff", "--json", "a.tlk", "b.tlk"]).out;
    assert!(!plain.contains("encoding"), "{plain}");
    // A table for a spreadsheet, and a file of JSON.
    for form in ["t.csv", "t.tlk.json"] {
        desk.ok(&["export", "a.tlk", form, "--encoding", "1251"]);
        let text = String::from_utf8(desk.read(form)).unwrap();
        assert!(text.contains("windows-1251") && text.contains("Привет"), "{text}");
        let said = desk.ok(&["import", "a.tlk", form]);
        assert!(said.err.contains("no changes") && desk.read("a.tlk") == old, "{form}: {}{}", said.out, said.err);
        desk.write(form, text.replace("Привет", "Пока").as_bytes());
        desk.ok(&["import", "a.tlk", form]);
        assert!(desk.read("a.tlk") == new, "{form}");
        desk.write("a.tlk", &old);
    }
    desk.ok(&["import", "a.tlk", "t.csv", "--encoding", "1251", "--dry-run"]);
    let said = desk.run(&["import", "a.tlk", "t.csv", "--encoding", "1250"]);
    assert!(said.code == 2 && said.err.contains("expected --encoding windows-1251, that of its texts"), "{}", said.err);
    desk.ok(&["export", "a.tlk", "plain.csv", "--force"]);
    assert!(!String::from_utf8(desk.read("plain.csv")).unwrap().contains("windows-"));
}

#[test]
fn a_mod_keeps_the_encoding() {
    let desk = Desk::of(&[("a.tlk", &table(&[b"x", HELLO])), ("b.tlk", &table(&[b"x", b"\xCF\xEE\xEA\xE0"]))]);
    desk.ok(&["mod", "make", "a.tlk", "b.tlk", "-o", "bye.bxmod", "--encoding", "1251"]);
    let said = desk.ok(&["mod", "show", "-v", "bye.bxmod"]);
    assert!(said.out.contains("/entries/1/text: \"Привет\" → \"Пока\""), "{}", said.out);
    desk.ok(&["mod", "apply", "a.tlk", "bye.bxmod"]);
    assert!(desk.read("a.tlk") == desk.read("b.tlk"));
    desk.ok(&["mod", "undo", "a.tlk"]);
    assert!(desk.read("a.tlk") == table(&[b"x", HELLO]));
}

#[test]
fn files_round_trip_in_every_encoding() {
    let desk = Desk::of(&[]);
    let nwn = golden_install().join("nwn").display().to_string();
    for name in ["utf-8", "1250", "1251", "1254", "932", "949"] {
        let said = desk.run(&["verify", "--via", "exchange", "--encoding", name, &nwn]);
        assert!(said.out.contains("Everything it has comes back bit for bit"), "{name}: {}{}", said.out, said.err);
    }
}

#[test]
fn changes_in_several_encodings_are_told_apart() {
    let (old, new) = (table(&[b"x", HELLO]), table(&[b"x", b"\xCF\xEE\xEA\xE0"]));
    let desk = Desk::of(&[("a.tlk", &old), ("b.tlk", &new), ("c.tlk", &table(&[b"y", HELLO]))]);
    for (page, file) in [("1251", "cyrillic.json"), ("1250", "central.json")] {
        let said = desk.run(&["diff", "--json", "a.tlk", "b.tlk", "--encoding", page]);
        desk.write(file, said.out.as_bytes());
    }
    let said = desk.run(&["patch", "a.tlk", "--apply", "cyrillic.json", "--apply", "central.json"]);
    let why = "central.json: its texts are in windows-1250, and those of cyrillic.json in windows-1251; apply one after the other";
    assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
    // Texts of a file that states no encoding are read in that of the other.
    desk.write("plain.json", desk.run(&["diff", "--json", "a.tlk", "b.tlk"]).out.as_bytes());
    desk.write("ascii.json", desk.run(&["diff", "--json", "a.tlk", "c.tlk"]).out.as_bytes());
    let said = desk.run(&["patch", "a.tlk", "--apply", "plain.json", "--apply", "cyrillic.json"]);
    let why = "plain.json, applied in windows-1251, which cyrillic.json states: ";
    assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
    desk.ok(&["patch", "a.tlk", "--apply", "ascii.json", "--apply", "cyrillic.json"]);
    assert!(desk.read("a.tlk") == table(&[b"y", b"\xCF\xEE\xEA\xE0"]));
}

/// As in `--apply <(bitexact diff --json a b)`.
#[cfg(unix)]
#[test]
fn changes_come_from_a_pipe() {
    use std::io::Write as _;
    use std::process::Stdio;
    let (old, new) = (table(&[b"x", HELLO]), table(&[b"x", b"\xCF\xEE\xEA\xE0"]));
    let desk = Desk::of(&[("a.tlk", &old), ("b.tlk", &new)]);
    for page in [&["--encoding", "1251"][..], &[]] {
        let changes = desk.run(&[&["diff", "--json", "a.tlk", "b.tlk"], page].concat()).out;
        let mut command = desk.command(&["patch", "a.tlk", "--apply", "/dev/stdin", "-o", "c.tlk", "--force"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(changes.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        assert!(desk.read("c.tlk") == new);
    }
}
