//! Text in files, folders and calls cannot control the terminal (A7), and a failing stderr stops nothing (A8).

use bitexact::output::printable::is_escaped;

use super::{Desk, Said, map};

/// A name with terminal controls: a color, a title, the bell, C1, DEL and the marks of the writing direction.
#[cfg(unix)]
const NAME: &str = "a\u{1b}[31m\u{1b}]0;title\u{7}\u{9b}1m\u{7f}\u{202e}b\u{2066}\u{200f}\u{61c}";

fn is_clean(said: &Said) {
    for text in [said.out(), &said.err] {
        let hostile: Vec<char> = text.chars().filter(|it| *it != '\n' && is_escaped(*it)).collect();
        assert!(hostile.is_empty(), "{hostile:?} in {text:?}");
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_reach_the_terminal() {
    let desk = Desk::new();
    let (file, cut) = (format!("a/{NAME}.zmap"), format!("a/cut{NAME}.zmap"));
    desk.write(&file, &map());
    desk.write(&cut, &map()[..100]);
    desk.write(format!("b/{NAME}.zmap"), &map()[..map().len() - 1]);
    desk.write(format!("b/only{NAME}"), b"");
    std::os::unix::fs::symlink(".", desk.path(format!("a/link{NAME}"))).unwrap();
    for (args, code) in [
        (&["verify", "-v", "a"][..], 2),
        (&["verify", "-v", "--json", "a"], 2),
        (&["verify", &cut], 1),
        (&["verify", &format!("none{NAME}")], 2),
        (&["inspect", &file], 0),
        (&["inspect", &file, "--json"], 0),
        (&["inspect", &cut], 1),
        (&["inspect", &file, NAME], 2),
        (&["inspect", "a", "--find", "x"], 2),
        (&["diff", "a", "b"], 2),
        (&["diff", "a", "b", "--json"], 2),
        (&["diff", &file, &cut], 2),
        (&["snapshot", "a"], 2),
        (&["unpack", &cut, "out"], 2),
        (&["unpack", &file, &format!("out{NAME}")], 0),
        (&["pack", &format!("none{NAME}"), "new.zmap"], 2),
        (&["patch", &file, "--set", &format!("/{NAME}=1")], 2),
        (&["patch", &file, "-n", "--set", &format!("/version={NAME}")], 2),
        (&["export", &file, &format!("{NAME}.png")], 2),
        // The command-line parser quotes wrong arguments.
        (&[NAME], 2),
        (&["verify", "--color", NAME, "a"], 2),
        (&["verify", &format!("--{NAME}")], 2),
        (&["patch", &file, "--recompute", NAME], 2),
    ] {
        let said = desk.run(args);
        assert_eq!(said.code, Some(code), "{args:?}: {said:?}");
        assert!(!(said.out.is_empty() && said.err.is_empty()), "{args:?} says something");
        is_clean(&said);
    }
    // JSON still contains the true name.
    let rows = desk.run(&["verify", "--json", &file]);
    let row: serde_json::Value = serde_json::from_str(rows.out().lines().next().unwrap()).unwrap();
    assert_eq!(row["path"], *file);
}

#[test]
fn contents_do_not_reach_the_terminal() {
    // Reader data with one string.
    let text = "weapon\u{1b}]0;title\u{7}\u{7f}".as_bytes();
    let word = |it: usize| u32::try_from(it).unwrap().to_le_bytes();
    let data = [&word(4)[..], &word(2), &word(3), &word(text.len()), text].concat();
    let desk = Desk::new();
    desk.write("a.zrd", &data);
    desk.ok(&["unpack", "a.zrd", "a"]);
    for args in [
        &["inspect", "a.zrd"][..],
        &["inspect", "a.zrd", "/0"],
        &["inspect", "a.zrd", "--json"],
        &["inspect", "a.zrd", "--find", "weapon"],
        &["inspect", "a.zrd", "--find", "weapon", "--json"],
        &["patch", "a.zrd", "-n", "--set", r#"/0="\u001b]0;title\u0007""#],
    ] {
        let said = desk.ok(args);
        is_clean(&said);
        assert!(said.out().contains("title"), "{said:?}");
    }
    let json = desk.ok(&["inspect", "a.zrd", "--json", "/0"]);
    let row: serde_json::Value = serde_json::from_str(json.out()).unwrap();
    assert_eq!(row["value"], "weapon\u{1b}]0;title\u{7}\u{7f}");
    // A mod, a folder and a snapshot made by others.
    let kind = "\u{1b}]0;title\u{7}\u{202e}";
    for (name, mod_) in [
        ("kind", format!(r#"{{"schema":3,"kind":"{}","changes":[]}}"#, r"\u001b]0;\u202e")),
        ("member", format!(r#"{{"schema":3,"kind":"reader","changes":[],"{}":1}}"#, r"\u001b]0;\u202e")),
        (
            "place",
            r#"{"schema":3,"kind":"reader","changes":[{"do":"set","at":"/\u001b]0;\u202e","new":1}]}"#.to_owned(),
        ),
        ("raw", format!("{kind}{{")),
    ] {
        desk.write(name, mod_.as_bytes());
        let said = desk.run(&["patch", "a.zrd", "--apply", name]);
        assert_eq!(said.code, Some(2), "{said:?}");
        is_clean(&said);
    }
    desk.write(format!("a/{}.json", kind.replace(['\u{1b}', '\u{7}'], "")), b"[]");
    desk.write("a/bitexact.json", format!(r#"{{"schema":3,"{}":1}}"#, r"\u001b]0;\u202e").as_bytes());
    let said = desk.run(&["pack", "a", "new.zrd"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    is_clean(&said);
    let row = r#"{"schema":1,"path":"\u001b]0;\u202e","status":"\u001b]0;\u202e"}"#;
    desk.write(
        "s.jsonl",
        format!("{row}\n{}\n", r#"{"schema":1,"summary":{"files":1,"bytes":0,"status":{},"kind":{}}}"#).as_bytes(),
    );
    for args in
        [&["verify", "--against", "s.jsonl", "a.zrd"][..], &["verify", "--json", "--against", "s.jsonl", "a.zrd"]]
    {
        let said = desk.run(args);
        assert_eq!(said.code, Some(1), "{said:?}");
        is_clean(&said);
    }
}

#[test]
fn colors_of_the_program_still_pass() {
    let desk = Desk::new();
    desk.write("a.zmap", &map());
    let said = desk.ok(&["verify", "-v", "--color", "always", "a.zmap"]);
    assert!(said.out().contains("\u{1b}[32m"), "{said:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn full_stderr_stops_nothing() {
    let desk = Desk::unpacked();
    let said = desk.shell("$B verify --json /nonexist m1.zmap 2>/dev/full");
    assert_eq!(
        (said.code, said.out().matches("\"identical\"").count()),
        (Some(2), 2),
        "the row and the summary: {said:?}"
    );
    for line in ["pack map new.zmap", "patch m1.zmap -o other.zmap --set /version=6", "unpack m1.zmap more"] {
        let said = desk.shell(&format!("$B {line} 2>/dev/full"));
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
    }
    let said = desk.shell("$B nonsense 2>/dev/full; echo $?; $B pack none new.zmap 2>&-; echo $?");
    assert_eq!(said.out(), "2\n2\n");
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_help_is_a_failure() {
    let desk = Desk::new();
    for words in ["--help", "--version", "verify --help", "formats", "man", "completions bash"] {
        let said = desk.shell(&format!("$B {words} > /dev/full"));
        assert_eq!(said.code, Some(2), "{words}: {said:?}");
        assert!(said.err.starts_with("bitexact: cannot write to stdout: "), "{words}: {said:?}");
    }
    // A reader that closes stdout early is not a failure.
    let said = desk.shell("{ sleep 0.2; $B --help; echo $? >&2; } | true");
    assert_eq!(said.err, "0\n");
}
