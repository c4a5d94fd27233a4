//! Folders of links and folders that are slow to read (A11), and names that look alike (A12).

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Desk, all, has_strace, map};

#[test]
fn folder_is_visited_once_however_many_links_lead_to_it() {
    let desk = Desk::new();
    // Beside the verified folder, and in it.
    for root in ["outside", "inside"] {
        for nth in 0..24 {
            let folder = format!("{root}/f{nth:02}");
            desk.write(format!("{folder}/m1.zmap"), &map());
            for link in ["a", "b"] {
                symlink(format!("../f{:02}", nth + 1), desk.path(format!("{folder}/{link}"))).unwrap();
            }
        }
        fs::create_dir(desk.path(format!("{root}/f24"))).unwrap();
    }
    for (path, first) in [("inside", "inside/f00/m1.zmap"), ("outside/f00", "outside/f00/a/m1.zmap")] {
        let begun = Instant::now();
        let said = desk.ok(&["verify", "--json", path]);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        let paths: Vec<String> = said
            .out()
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .filter_map(|row| Some(row.get("path")?.as_str()?.to_owned()))
            .collect();
        assert_eq!(paths.len(), 24, "{paths:?}");
        assert!(paths.iter().any(|it| it.ends_with(first)), "{paths:?}");
        // A folder below the given path has its own name, whatever links come first.
        assert!(path != "inside" || paths.iter().all(|it| it.split('/').count() == 3), "{paths:?}");
    }
}

#[test]
fn link_to_an_enclosing_folder_visits_nothing_twice() {
    let desk = Desk::new();
    desk.write("games/a/m1.zmap", &map());
    desk.write("games/z/m2.zmap", &map());
    symlink("..", desk.path("games/a/up")).unwrap();
    symlink("../..", desk.path("games/a/far")).unwrap();
    desk.write("beside.zmap", &map());
    let said = desk.run(&["verify", "--json", "games"]);
    let paths = ["games/a/m1.zmap", "games/z/m2.zmap", "games/a/far/beside.zmap"];
    for path in paths {
        assert_eq!(said.out().matches(&format!("\"path\":\"{path}\"")).count(), 1, "{path}: {said:?}");
    }
    assert_eq!(said.out().matches("\"identical\"").count(), paths.len() + 1, "and the summary: {said:?}");
    assert!(said.out().contains("a link back to games"), "{said:?}");
}

/// Rows of JSON wait for the installs around their files, lines do not.
#[test]
fn lines_begin_before_the_walk_ends() {
    if !has_strace() {
        eprintln!("skipped: strace is not there to hold up the walk");
        return;
    }
    let desk = Desk::new();
    desk.write("in/a/m1.zmap", &map());
    desk.write("in/z/m1.zmap", &map());
    for jobs in ["-j1", "-j4"] {
        // Two calls read each of `in` and `in/a`, so the fifth reads `in/z`.
        let held_up = "inject=getdents64:delay_enter=4000000:when=5";
        let mut child = Command::new("strace")
            .current_dir(desk.path(""))
            .args(["-f", "-q", "-o", "calls", "-e", "trace=getdents64", "-e", held_up])
            .args([env!("CARGO_BIN_EXE_bitexact"), "verify", "-v", jobs, "in"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut out, mut first) = (BufReader::new(child.stdout.take().unwrap()), String::new());
        out.read_line(&mut first).unwrap();
        let printed = Instant::now();
        let rest = String::from_utf8(all(out)).unwrap();
        assert!(child.wait().unwrap().success(), "{first}{rest}");
        assert!(first.contains("in/a/m1.zmap") && rest.contains("in/z/m1.zmap"), "{first}{rest}");
        assert!(printed.elapsed() > Duration::from_secs(1), "{jobs}: {:?}", printed.elapsed());
    }
}

#[test]
fn lookalike_names_stay_distinct_in_snapshots_and_lists() {
    let desk = Desk::new();
    let names = [&b"a\xFF.zmap"[..], b"a\xFE.zmap", b"a%FF.zmap"];
    for (nth, name) in names.iter().enumerate() {
        let file = [&map()[..], &vec![0; nth]].concat();
        if fs::create_dir_all(desk.path("in")).is_err()
            || fs::write(desk.path("in").join(std::ffi::OsStr::from_bytes(name)), file).is_err()
        {
            eprintln!("skipped: this file system holds no name that is not UTF-8");
            return;
        }
    }
    desk.run(&["snapshot", "in", "-o", "rows.jsonl"]);
    let list = desk.run(&["snapshot", "in", "--sha256sum"]).out;
    assert!(names.iter().all(|name| list.windows(name.len()).any(|it| it == *name)), "sha256sum has the bytes");
    desk.write("list", &list);
    let rows = String::from_utf8(desk.read("rows.jsonl")).unwrap();
    for path in ["a%FF.zmap", "a%FE.zmap", "a%25FF.zmap"] {
        assert_eq!(rows.matches(&format!("\"path\":\"{path}\"")).count(), 1, "{rows}");
    }
    for against in ["rows.jsonl", "list"] {
        let said = desk.run(&["verify", "--json", "in", "--against", against]);
        assert!(!said.out().contains("\"finding\""), "{against}: {said:?}");
        assert!(said.out().contains("\"summary\""), "{against}: {said:?}");
    }
    fs::write(desk.path("in").join(std::ffi::OsStr::from_bytes(names[0])), b"other").unwrap();
    for against in ["rows.jsonl", "list"] {
        let said = desk.run(&["verify", "--json", "in", "--against", against]);
        let found = "\"finding\":\"changed\",\"path\":\"a%FF.zmap\"";
        assert_eq!(said.out().matches("\"finding\":").count(), 2, "one, and the summary: {said:?}");
        assert!(said.out().contains(found), "{against}: {said:?}");
    }
}
