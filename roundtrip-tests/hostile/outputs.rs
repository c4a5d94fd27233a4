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
