//! A game file is never left half written: whatever fails.

use std::io;

use bitexact::output;

use super::{Desk, archive};

#[test]
fn fault_before_the_rename_leaves_the_old_file_intact() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    for path in ["reader.zbd", "new.zbd"] {
        let failed = output::write_and(&desk.path(path), b"new", || Err(io::Error::other("injected")));
        assert_eq!(failed.unwrap_err().to_string(), "injected");
        let panicked = std::panic::catch_unwind(|| output::write_and(&desk.path(path), b"new", || panic!("injected")));
        assert!(panicked.is_err());
        assert_eq!(desk.all(""), ["reader.zbd"], "nothing else is left");
    }
    assert!(desk.read("reader.zbd") == archive());
    // The whole new file exists before the old one is replaced.
    output::write_and(&desk.path("reader.zbd"), b"new", || {
        let all = desk.all("");
        assert_eq!(all.len(), 2);
        assert!(desk.read(&all[0]) == b"new" && desk.read("reader.zbd") == archive());
        Ok(())
    })
    .unwrap();
    assert_eq!(desk.read("reader.zbd"), b"new");
}

#[cfg(unix)]
#[test]
fn failed_write_is_reported_and_leaves_no_files() {
    // Files are limited to 1,024 bytes, as on a full disk: the write fails midway.
    let large = {
        let mut spec = super::readers(5.0);
        spec.entries.push(super::entry(b"large.txt", vec![b'x'; 1 << 16]));
        forge::archive::build(&spec)
    };
    let desk = Desk::of(&[("reader.zbd", &large)]);
    desk.ok(&["unpack", "reader.zbd", "form"]);
    let before = desk.all("");
    let limited = |line: &str| {
        let program = env!("CARGO_BIN_EXE_bitexact");
        let script = format!("trap '' XFSZ; ulimit -f 2; exec '{program}' {line}");
        std::process::Command::new("sh").current_dir(desk.path("")).args(["-c", &script]).output().unwrap()
    };
    for line in [
        "patch reader.zbd --set weapons.zrd:/0/1=7.5",
        "patch reader.zbd --set weapons.zrd:/0/1=7.5 --backup",
        "patch reader.zbd --set weapons.zrd:/0/1=7.5 -o out.zbd",
        "pack form out.zbd",
        "pack form reader.zbd --force",
        "unpack reader.zbd new",
        "unpack reader.zbd form --force",
        "unpack . whole",
        "unpack . whole.zip",
    ] {
        let output = limited(line);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.starts_with("bitexact: ") && said.contains("too large"), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
        assert!(!said.contains(".bitexact-"), "temporary names are of no use: {said}");
        assert_eq!(desk.all(""), before, "{line}");
        assert!(desk.read("reader.zbd") == large, "{line}");
    }
}

/// Writing to a device fails like on a full disk, and does not replace the device by a file.
#[cfg(target_os = "linux")]
#[test]
fn device_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    // Use a link, in case a bug replaces the system's device; creating a device needs privileges.
    if fs_is_root() && std::env::var_os("BITEXACT_TEST_DEVICES").is_none() {
        eprintln!("skipped: as root, a mistake would replace /dev/full; BITEXACT_TEST_DEVICES=1 runs it");
        return;
    }
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let said = desk.run(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=7.5", "-o", "/dev/full"]);
    assert_eq!((said.code, said.err.contains("/dev/full: No space left on device")), (2, true), "{}", said.err);
    desk.ok(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=7.5", "-o", "/dev/null"]);
    for device in ["/dev/full", "/dev/null"] {
        assert!(std::fs::metadata(device).unwrap().file_type().is_char_device());
    }
}

#[cfg(unix)]
fn fs_is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let mine = tempfile::tempdir().unwrap();
    std::fs::metadata(mine.path()).unwrap().uid() == 0
}

#[cfg(unix)]
#[test]
fn read_only_folder_is_reported_and_unchanged() {
    use std::os::unix::fs::PermissionsExt;
    if fs_is_root() {
        eprintln!("skipped: no folder is read-only for root");
        return;
    }
    let desk = Desk::of(&[("game/reader.zbd", &archive())]);
    let mode = |mode| std::fs::set_permissions(desk.path("game"), PermissionsExt::from_mode(mode)).unwrap();
    mode(0o555);
    for args in [
        &["patch", "game/reader.zbd", "--set", "weapons.zrd:/0/1=7.5"][..],
        &["patch", "game/reader.zbd", "--set", "weapons.zrd:/0/1=7.5", "--backup"],
        &["unpack", "game/reader.zbd", "game/form"],
    ] {
        let said = desk.run(args);
        assert_eq!((said.code, said.err.contains("ermission denied")), (2, true), "{args:?}: {}", said.err);
        assert_eq!(desk.all("game"), ["reader.zbd"]);
    }
    mode(0o755);
    assert!(desk.read("game/reader.zbd") == archive());
}

#[test]
fn folder_is_refused_as_output_file() {
    let desk = Desk::of(&[("reader.zbd", &archive()), ("folder/file", b"")]);
    let said = desk.run(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=7.5", "-o", "folder"]);
    assert_eq!((said.code, said.err.starts_with("bitexact: folder: ")), (2, true), "{}", said.err);
    assert_eq!(desk.all(""), ["folder", "folder/file", "reader.zbd"]);
}
