//! Output targets: pipes and devices (A6), the same file twice, backups, owners and modes (A12).

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Desk, is_root, map};

#[test]
fn piped_stdout_is_written_but_not_read() {
    let desk = Desk::unpacked();
    for (line, file) in [
        ("pack map /dev/stdout", true),
        ("pack --force map /dev/fd/1", true),
        ("patch m1.zmap --set /version=5 -o /dev/stdout", true),
        ("snapshot m1.zmap -o /dev/stdout", false),
        ("verify m1.zmap --html /dev/stdout", false),
        ("verify m1.zmap --junit /dev/stdout", false),
    ] {
        let said = desk.shell(&format!("{{ $B -q {line}; echo $? >&2; }} | cat"));
        assert_eq!((said.err.as_str(), said.out.is_empty()), ("0\n", false), "{line}: {said:?}");
        assert_eq!(said.out == map(), file, "{line}");
    }
    assert_eq!(desk.names(""), ["m1.zmap", "map"]);
}

/// A file that the shell has opened is written, not replaced, so that what is there before and after stays.
#[test]
fn stdout_that_is_a_file_is_written_and_not_replaced() {
    let desk = Desk::unpacked();
    for line in ["pack map /dev/stdout", "pack map /dev/fd/1", "patch m1.zmap --set /version=5 -o /proc/self/fd/1"] {
        let said = desk.shell(&format!("{{ printf before; $B -q {line}; echo $? >&2; printf after; }} > out"));
        assert_eq!(said.err, "0\n", "{line}");
        let out = desk.read("out");
        let inner = out.strip_prefix(b"before").and_then(|out| out.strip_suffix(b"after"));
        assert!(inner.is_some_and(|inner| inner.ends_with(&map())), "{line}: {}", out.len());
    }
}

#[test]
fn terminal_gets_only_text_and_escaped() {
    let desk = Desk::new();
    desk.write("big.zbd", &super::replaced::archive(2, 0.5));
    if desk.shell("script -qec true /dev/null").code != Some(0) {
        eprintln!("skipped: there is no program script to make a terminal");
        return;
    }
    let said = desk.shell("script -qec \"$B cat big.zbd 0.zrd\" /dev/null");
    assert!(said.code == Some(2) && said.out().contains("it is not text"), "{said:?}");
    let said = desk.shell("script -qec \"$B cat big.zbd 0.zrd --text\" /dev/null");
    assert!(said.code == Some(0) && said.out().contains("0.5"), "{said:?}");
    assert!(desk.shell("$B cat big.zbd 0.zrd | wc -c").out().trim() != "0");
}

/// Waits for a process that was asked to end, and kills it if it does not.
fn ends(mut child: std::process::Child) -> Option<i32> {
    for _ in 0..1000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

#[test]
fn first_signal_ends_what_waits_for_input() {
    let desk = Desk::unpacked();
    desk.shell("mkfifo pipe.mod; mkdir game; cp m1.zmap game");
    // A program has opened the pipe, and writes nothing. Without one, the pipe is refused.
    let _writer = std::fs::File::options().read(true).write(true).open(desk.path("pipe.mod")).unwrap();
    for args in [
        &["verify", "-"][..],
        &["mod", "apply", "game", "pipe.mod"],
        &["mod", "check", "game", "pipe.mod"],
        &["patch", "m1.zmap", "--apply", "pipe.mod"],
        &["inspect", "-"],
    ] {
        let child =
            desk.command(args).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The time that the program needs to begin.
        std::thread::sleep(std::time::Duration::from_secs(2));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert_eq!(ends(child), Some(130), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn folder_that_cannot_be_synced_is_reported() {
    if !super::has_strace() {
        eprintln!("skipped: there is no strace to let a sync fail");
        return;
    }
    let desk = Desk::unpacked();
    let said =
        desk.shell("strace -f -o trace -e inject=fsync:error=EIO:when=2 $B -q snapshot m1.zmap -o new.txt; exit $?");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("new.txt: is written, but a power failure may undo that: Input/output error"),
        "{said:?}"
    );
    assert!(desk.path("new.txt").exists());
}

#[test]
fn pipe_is_no_archive() {
    let desk = Desk::unpacked();
    desk.shell("mkfifo pipe.zip");
    for args in [&["pack", "pipe.zip", "new.zmap"], &["unpack", "m1.zmap", "pipe.zip"]] {
        let said = desk.run(args);
        assert!(said.code == Some(2) && said.err.contains("not a regular file"), "{args:?}: {said:?}");
    }
}

#[test]
fn manual_pages_are_written_all_or_none() {
    let desk = Desk::new();
    desk.write("man/mine.1", b"mine");
    desk.write("man/bitexact.1", b"an older page");
    desk.ok(&["man", "man"]);
    let pages = desk.names("man");
    assert!(pages.len() > 10 && desk.read("man/mine.1") == b"mine" && desk.read("man/bitexact.1").len() > 1000);
    for before in ["mkdir -p other/bitexact-pack.1", "mkdir other; ulimit -f 2; trap '' XFSZ"] {
        let said = desk.shell(&format!("{before}; printf old > other/bitexact-diff.1; $B man other; echo $? >&2"));
        assert!(said.err.ends_with("2\n"), "{before}: {said:?}");
        let left = desk.names("other");
        assert!(
            left.iter().all(|name| ["bitexact-pack.1", "bitexact-diff.1"].contains(&&**name)),
            "{before}: {left:?}"
        );
        assert_eq!(desk.read("other/bitexact-diff.1"), b"old", "{before}");
        fs::remove_dir_all(desk.path("other")).unwrap();
    }
}

/// Sends a signal at each of many system calls that create, move or delete something.
#[cfg(target_os = "linux")]
#[test]
fn signal_at_any_moment_leaves_nothing() {
    if !super::has_strace() {
        eprintln!("skipped: there is no strace to send a signal at a system call");
        return;
    }
    let desk = Desk::new();
    for name in ["game/a/m1.zmap", "game/b/m2.zmap", "m1.zmap"] {
        desk.write(name, &map());
    }
    desk.ok(&["unpack", "m1.zmap", "form"]);
    desk.write("form/.git/notes", b"mine");
    let mut stopped = 0;
    for (line, calls) in [
        ("unpack game out/inner/all", "mkdir"),
        ("unpack game out.zip", "openat"),
        ("unpack m1.zmap form --force", "linkat,mkdir,renameat2,unlinkat"),
        ("pack form out.zmap", "openat"),
        ("man out", "renameat2,rename,mkdir"),
        ("mod make game/a game/b -o out.mod", "rename"),
        ("snapshot game -o out.txt", "rename"),
    ] {
        for when in [1, 2, 3, 4, 5, 7, 10, 15, 22] {
            let inject = format!("inject={calls}:signal=SIGINT:when={when}");
            let said = desk.shell(&format!("strace -f -o trace -e trace={calls} -e {inject} $B -q {line}; exit $?"));
            assert!([Some(0), Some(130), None].contains(&said.code), "{line}, {when}: {said:?}");
            stopped += u32::from(said.code != Some(0));
            let left: Vec<_> =
                walkdir::WalkDir::new(desk.path("")).into_iter().map(|it| it.unwrap().into_path()).collect();
            let is_ours =
                |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(".bitexact");
            assert!(!left.iter().any(is_ours), "{line}, {when}: {left:?}");
            assert_eq!(desk.read("form/.git/notes"), b"mine", "{line}, {when}");
            desk.shell("rm -rf out*");
        }
    }
    assert!(stopped > 10, "it was stopped in time only {stopped} times");
}

#[test]
fn fifo_is_written_but_not_read() {
    let desk = Desk::unpacked();
    let said = desk.shell("mkfifo pipe; cat pipe & $B -q pack map pipe; echo $? >&2; wait");
    assert!((said.err.as_str(), said.out) == ("0\n", map()), "{}", said.err);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_device_is_not_read() {
    if !super::has_strace() {
        eprintln!("skipped: there is no strace to see what is read");
        return;
    }
    let desk = Desk::unpacked();
    for line in ["pack map /dev/zero", "pack --force map /dev/zero", "patch m1.zmap --set /version=6 -o /dev/zero"] {
        // The memory limit stops a program that reads it.
        let said = desk.shell(&format!("ulimit -v 2000000; strace -f -y -e trace=read,write -o trace $B {line}"));
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
        let trace = String::from_utf8_lossy(&desk.read("trace")).into_owned();
        let calls = |name: &str| trace.lines().filter(|it| it.contains(name) && it.contains("/dev/zero>")).count();
        assert_eq!((calls("read("), calls("write(")), (0, 1), "{line}");
    }
}

#[test]
fn two_reports_never_go_to_one_file() {
    let desk = Desk::new();
    desk.write("m1.zmap", &map());
    fs::create_dir(desk.path("folder")).unwrap();
    symlink("folder", desk.path("link")).unwrap();
    desk.write("real", b"");
    symlink("real", desk.path("alias")).unwrap();
    let absolute = desk.path("r");
    for (html, junit) in [
        ("r", "./r"),
        ("r", absolute.to_str().unwrap()),
        ("folder/r", "link/../folder/r"),
        ("link/r", "folder/r"),
        ("real", "alias"),
    ] {
        let said = desk.run(&["verify", "m1.zmap", "--html", html, "--junit", junit]);
        assert_eq!(said.code, Some(2), "{html} {junit}: {said:?}");
        assert!(said.out.is_empty() && said.err.contains("name the same file"), "before the work: {said:?}");
    }
    assert!(desk.read("real").is_empty() && !absolute.exists());
    desk.ok(&["verify", "m1.zmap", "--html", "r", "--junit", "folder/r"]);
}

#[test]
fn impossible_backup_is_an_error_before_anything_is_written() {
    for make in ["mkdir m1.zmap.bak", "ln -s nowhere m1.zmap.bak", "mkfifo m1.zmap.bak", "ln -s m1.zmap m1.zmap.bak"] {
        let desk = Desk::new();
        desk.write("m1.zmap", &map());
        desk.shell(make);
        let said = desk.run(&["patch", "m1.zmap", "--backup", "--set", "/version=6"]);
        assert_eq!(said.code, Some(2), "{make}: {said:?}");
        assert!(said.err.contains("m1.zmap.bak: expected a backup or nothing, found "), "{make}: {said:?}");
        assert!(desk.read("m1.zmap") == map(), "{make}");
    }
}

#[test]
fn backup_has_the_owner_and_mode_of_the_file() {
    let desk = Desk::new();
    desk.write("m1.zmap", &map());
    let path = desk.path("m1.zmap");
    if is_root() {
        std::os::unix::fs::chown(&path, Some(12), Some(34)).unwrap();
    } else {
        eprintln!("only root can give a file away: that its backup has its owner is not tested");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let before = fs::metadata(&path).unwrap();
    desk.ok(&["patch", "m1.zmap", "--backup", "--set", "/version=6"]);
    let backup = fs::metadata(desk.path("m1.zmap.bak")).unwrap();
    assert!(desk.read("m1.zmap.bak") == map());
    assert_eq!((backup.uid(), backup.gid(), backup.mode() & 0o7777), (before.uid(), before.gid(), 0o600));
}

#[test]
fn endless_device_is_no_input() {
    let desk = Desk::new();
    desk.write("m1.zmap", &map());
    for args in [["patch", "m1.zmap", "--apply", "/dev/zero"], ["patch", "m1.zmap", "--replace", "=/dev/zero"]] {
        let said = desk.run(&args);
        assert_eq!(said.code, Some(2), "{args:?}: {said:?}");
        assert!(said.err.contains("/dev/zero") && said.err.contains("not a regular file"), "{args:?}: {said:?}");
    }
}

#[test]
fn changed_file_keeps_its_owner_and_mode_but_not_setuid() {
    let desk = Desk::new();
    desk.write("m1.zmap", &map());
    let path = desk.path("m1.zmap");
    if is_root() {
        std::os::unix::fs::chown(&path, Some(12), Some(34)).unwrap();
    } else {
        eprintln!("only root can give a file away: that its owner stays is not tested");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o6751)).unwrap();
    let before = fs::metadata(&path).unwrap();
    assert_eq!(before.mode() & 0o7777, 0o6751);
    desk.ok(&["patch", "m1.zmap", "--set", "/version=6"]);
    let after = fs::metadata(&path).unwrap();
    assert!(desk.read("m1.zmap") != map());
    assert_eq!((after.uid(), after.gid(), after.mode() & 0o7777), (before.uid(), before.gid(), 0o751));
}

#[test]
fn signal_leaves_no_partial_output() {
    let desk = Desk::new();
    // With many small files, the program spends most of its time writing them.
    desk.write("big.zbd", &super::replaced::archive(600, 0.5));
    // The first time takes longer than the others.
    let whole = [(), ()].map(|()| {
        let begun = Instant::now();
        desk.ok(&["unpack", "big.zbd", "first"]);
        let whole = begun.elapsed();
        fs::remove_dir_all(desk.path("first")).unwrap();
        whole
    });
    let whole = whole[0].min(whole[1]);
    let mut stopped = 0;
    for round in 0..40_u32 {
        let args = [&["unpack", "big.zbd", "new"][..], &["patch", "big.zbd", "-o", "new", "--rename", "0.zrd=x.zrd"]];
        let mut command = desk.command(args[round as usize % 2]);
        let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * (round + 4) / 40);
        let signal = if round % 4 < 2 { "-INT" } else { "-TERM" };
        Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
        let status = child.wait().unwrap();
        let code = status.code();
        // A signal that arrives before the program has begun ends it at once.
        let is_early = status.signal() == Some(if round % 4 < 2 { 2 } else { 15 });
        assert!(code == Some(130) || code == Some(0) || is_early, "{status:?}");
        let names = desk.names("");
        assert!(names.iter().all(|name| !name.starts_with('.')), "round {round}: {names:?}");
        stopped += u32::from(code == Some(130));
        let new = desk.path("new");
        assert!(
            code == Some(0) || !new.exists() || new.is_dir() && new.join("bitexact.json").exists() || new.is_file()
        );
        let _ = if new.is_dir() { fs::remove_dir_all(&new) } else { fs::remove_file(&new) };
    }
    assert!(stopped >= 10, "it was stopped in time only {stopped} times");
}
