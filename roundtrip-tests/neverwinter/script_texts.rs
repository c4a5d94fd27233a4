//! Compiled scripts as text: every script comes back from it, and jumps follow what is put between. Source: `nwn-ncs.md`, section 6.

use bitexact::kind::TextForm;
use forge::nwn::scripts::{jump, ncs, script, string};

use super::scripts::{ENDS, around_a_string, disassemble, jumps, real_scripts, strings};
use super::*;

fn form() -> &'static TextForm {
    kind("ncs").text.expect("scripts have a text form")
}

/// Returns a script as text.
fn text(file: &[u8]) -> String {
    let text = form().write(file).expect("a text");
    assert!((form().is_text)(&text) && !(form().is_text)(file));
    String::from_utf8(text).expect("UTF-8")
}

fn assembled(text: &str) -> Result<Vec<u8>, String> {
    (form().read)(text.as_bytes())
}

#[test]
fn a_script_is_shown_line_by_line() {
    let parts: [&[u8]; 9] = [
        &jump(0x1E, 8),
        &[0x20, 0],
        &[4, 4, 0x3F, 0x80, 0, 0],
        &[4, 4, 0x7F, 0xA0, 0, 1],
        &[4, 6, 0x7F, 0, 0, 0],
        &string(b"\xE9 \"\\\n\x00\xA0\x81"),
        &[5, 0, 0, 4, 1],
        &[0x0B, 0x24, 0, 12],
        &[3, 1, 0xFF, 0xFF, 0xFF, 0xFC, 0, 4],
    ];
    let file = ncs(&parts.concat());
    let shown = r#"ncs "V1.0"
        JSR L2
        RETN
L2:
        CONST.F 1.0
        CONST.F f32:7fa00001
        CONST.O 0x7f000000
        CONST.S "é \"\\\n\x00\xa0\x81"
        ACTION 4 1
        EQUAL.TT 12
        CPTOPSP -4 4
"#;
    assert_eq!(text(&file), shown);
    assert_eq!(assembled(shown), Ok(file));
}

#[test]
fn every_script_comes_back_from_its_text() {
    let forged = forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "ncs");
    let forged = forged.map(|it| (it.name, it.bytes)).chain([
        ("tail".to_owned(), [&around_a_string()[..], b"stale"].concat()),
        ("size".to_owned(), [b"NCS V1.0\x42\0\0\x10\0".as_slice(), &around_a_string()[13..]].concat()),
        ("empty".to_owned(), ncs(&[])),
        ("longest".to_owned(), ncs(&string(&[0xFF; 65535]))),
    ]);
    let (mut written, mut refused) = (0, Vec::new());
    let real = real_scripts();
    let count = real.len();
    for (name, file) in forged.chain(real) {
        match form().write(&file) {
            Ok(text) => {
                assert_eq!((form().read)(&text), Ok(file), "{name}");
                written += 1;
            }
            Err(why) => refused.push(format!("{name}: {why}")),
        }
    }
    assert!(written >= count + 10, "{written} of {count}: {refused:?}");
    assert!(refused.iter().all(|why| why.contains("cannot hold a damaged header")), "{refused:?}");
}

#[test]
fn jumps_follow_lines_that_are_put_between() {
    let ours = [("around".to_owned(), around_a_string()), ("script".to_owned(), script())];
    for (name, file) in ours.into_iter().chain(real_scripts()) {
        let Some(all) = disassemble(&file).filter(|_| !name.ends_with("bytes-after-code.ncs")) else { continue };
        // NOPs before some instructions, behind their labels: jumps end at them.
        let step = (all.len() / 40).max(1);
        let (mut nth, mut lines, mut added) = (0, Vec::new(), Vec::new());
        let shown = text(&file);
        for line in shown.lines() {
            if line.starts_with(' ') {
                // The place of a delayed action is at most 255 bytes away.
                if nth % step == 0 && !line.contains("STORESTATE") && !line.contains("JMP") {
                    lines.push("        NOP ; added".to_owned());
                    added.push(nth);
                }
                nth += 1;
            }
            lines.push(line.to_owned());
        }
        assert_eq!(nth, all.len(), "{name}");
        let after = assembled(&lines.join("\r\n")).unwrap_or_else(|why| panic!("{name}: {why}"));
        let moved = |nth: usize| nth + added.iter().filter(|it| **it < nth).count();
        let (before, after_jumps) = (jumps(&file), jumps(&after));
        assert_eq!(after_jumps.len(), all.len() + added.len(), "{name}");
        for (nth, end) in before.iter().enumerate() {
            let is_added = added.contains(&nth);
            assert_eq!(after_jumps[moved(nth) + usize::from(is_added)], end.map(moved), "{name}: instruction {nth}");
        }
    }
}

#[test]
fn one_string_of_a_real_script_is_changed_by_its_line() {
    let mut changed = 0;
    for (name, file) in real_scripts() {
        let Some(at) = disassemble(&file).and_then(|_| strings(&file).first().copied()) else { continue };
        let shown = text(&file);
        let line = shown.lines().filter(|line| line.starts_with(' ')).nth(at).expect("the line of the string");
        let new = shown.replacen(&format!("{line}\n"), "        CONST.S \"Übersetzt\"\n", 1);
        let after = assembled(&new).unwrap();
        let (old, now) = (disassemble(&file).unwrap(), disassemble(&after).expect("instructions"));
        assert_eq!(old.len(), now.len(), "{name}");
        let first = shown.lines().filter(|it| it.starts_with(' ')).position(|it| it == line).unwrap();
        let is_jump = |code: u8| [0x1D, 0x1E, 0x1F, 0x25].contains(&code);
        for (nth, ((_, before), (_, after))) in old.iter().zip(&now).enumerate() {
            match nth == first {
                true => {
                    assert_eq!(*after, string("Übersetzt".chars().map(|it| it as u8).collect::<Vec<_>>().as_slice()))
                }
                false => assert!(before == after || is_jump(before[0]), "{name}: instruction {nth}"),
            }
        }
        assert_eq!(jumps(&file), jumps(&after), "{name}");
        changed += 1;
    }
    assert!(changed == 0 || changed >= 100, "{changed}");
}

#[test]
fn a_text_may_have_labels_and_comments_of_its_own() {
    let file = assembled("; a script\r\nncs \"V1.0\" ; version\n\nstart: other:\n");
    assert_eq!(file, Err("line 4: expected an instruction such as JSR or CONST.S, found other:".to_owned()));
    let file = assembled(
        "\u{FEFF}; a script\r\nncs \"V1.0\" ; version\n\nstart:\nother: JSR main ; call\n RETN\nmain: JMP other\n CONST.S \"a;b\"\n JZ last\n JNZ start\nlast:\n",
    );
    let parts: [&[u8]; 6] =
        [&jump(0x1E, 8), &[0x20, 0], &jump(0x1D, -8), &string(b"a;b"), &jump(0x1F, 12), &jump(0x25, -27)];
    assert_eq!(file, Ok(ncs(&parts.concat())));
    assert!(!(form().is_text)(b"ncs \"V1.0\"x") && !(form().is_text)(b"; ncs \"V1.0\"") && !(form().is_text)(b""));
}

#[test]
fn a_wrong_text_is_refused_with_its_line() {
    let long = format!("CONST.S \"{}\"", "a".repeat(65536));
    let far = format!("STORESTATE far 0 0\n{}far: RETN", "JMP far\n".repeat(42));
    for (body, why) in [
        ("JSR", "line 2: expected a label after JSR"),
        ("JSR main", "line 2: no instruction has the label main"),
        ("RETN\nJSR @6", "line 3: expected a distance such as @+6 or @-6, found \"@6\""),
        ("main: RETN\nmain: RETN", "line 3: expected a label only once, found main: again"),
        ("end: RETN", "line 2: expected a name without @, : and quotes as a label, and not end"),
        ("retn", "line 2: expected an instruction such as JSR or CONST.S, found retn"),
        ("CONST.E5 1", "line 2: expected a constant of type I, F, S, O, E2 or E7"),
        ("RETN 1", "line 2: expected the end of the line, found 1"),
        ("ACTION 1", "line 2: expected 2 after ACTION, found 1: routine, arguments"),
        ("ACTION 70000 1", "line 2: expected a whole number from 0 to 65535, found 70000"),
        ("CONST.I 1.5", "line 2: expected a whole number from -2147483648 to 2147483647, found 1.5"),
        ("CONST.I one", "line 2: expected a number, found one"),
        ("CONST.S text", "line 2: expected a string in quotes after CONST.S"),
        ("CONST.S \"text", "line 2: a string has no quote at its end"),
        ("CONST.S \"\\xg1\"", "line 2: expected two hexadecimal digits after \\x, such as \\xe9"),
        ("CONST.S \"\\q\"", "line 2: expected \\\", \\\\, \\n, \\r, \\t or \\xNN after a backslash in a string"),
        ("CONST.S \"ł\"", "line 2: expected characters of windows-1252, found \"ł\""),
        ("CONST.S \"a\"b", "line 2: expected a blank after a string, found \"b\""),
        (&long, "line 2: expected a string of at most 65535 bytes, found 65536 bytes"),
        (&far, "line 2: expected a distance of 0 to 255 bytes, found 262 bytes"),
        ("RETN\nsize 4", "line 3: expected size NUMBER once, before all instructions"),
        ("rest 0", "line 2: expected bytes in hexadecimal, such as 2d00"),
        ("tail", "line 2: expected bytes in hexadecimal, such as 2d00"),
        ("tail 00\nRETN", "line 3: expected only tail after rest, and nothing else after tail"),
    ] {
        let found = assembled(&format!("ncs \"V1.0\"\n{body}\n")).expect_err(body);
        assert!(found.starts_with(why), "{body}: {found}");
    }
    assert_eq!(assembled("RETN"), Err("line 1: expected ncs \"V1.0\" on the first line".to_owned()));
    assert_eq!(assembled(""), Err("expected ncs \"V1.0\" on the first line".to_owned()));
    let broken = [b"NCS V1.1\x42\0\0\0\x0D".as_slice()].concat();
    assert!(form().write(&broken).unwrap_err().contains("a text cannot hold a damaged header"));
}

#[test]
fn commands_take_a_script_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.ncs"), around_a_string()).unwrap();
    let erf =
        forge::nwn::resources::Erf::new(b"MOD ", vec![forge::nwn::resources::resource("a", 2010, around_a_string())]);
    fs::write(at("a.mod"), forge::nwn::resources::build_erf(&erf)).unwrap();
    let ok = |args: &[&str]| prints(0, folder.path(), args);
    ok(&["export", "a.ncs"]);
    let shown = fs::read_to_string(at("a.asm")).unwrap();
    assert_eq!(shown, text(&around_a_string()));
    assert!(ok(&["cat", "a.mod", "a.ncs", "--text"]).starts_with(&shown));
    assert!(ok(&["import", "a.ncs", "a.asm"]).contains("a.ncs: no changes, file not written"));
    ok(&["pack", "a.asm", "b.ncs"]);
    assert_eq!(fs::read(at("b.ncs")).unwrap(), around_a_string());
    fs::write(at("a.asm"), shown.replacen("X0_APPRAISERANK", "ABC", 1)).unwrap();
    let said = ok(&["import", "a.ncs", "a.asm"]);
    assert!(said.contains("/code/3/value: \"X0_APPRAISERANK\" → \"ABC\"") && said.contains("1 change,"), "{said}");
    let after = fs::read(at("a.ncs")).unwrap();
    assert_eq!((after.len(), &jumps(&after)[..]), (around_a_string().len() - 12, &ENDS[..]));
    ok(&["import", "a.mod!a.ncs", "a.asm"]);
    ok(&["patch", "a.mod", "--add", "b.ncs=a.asm"]);
    for entry in ["a.ncs", "b.ncs"] {
        let module = decode::<Erf>(fs::read(at("a.mod")).unwrap()).unwrap().model;
        assert!(module.entries().any(|it| it.name() == entry && it.bytes().unwrap() == after), "{entry}");
    }
    assert!(ok(&["inspect", "--find", "ABC", "a.ncs"]).contains("/code/3/value"));
    fs::write(at("wrong.asm"), shown.replacen("RETN", "RETURN", 1)).unwrap();
    let (code, _, err) = run(folder.path(), &["pack", "wrong.asm", "c.ncs"]);
    assert!(code == 2 && err.contains("wrong.asm: line 3: expected an instruction") && !at("c.ncs").exists(), "{err}");
}
