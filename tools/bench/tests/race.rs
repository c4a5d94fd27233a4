//! Tests of `race` with programs whose work is known: shell scripts instead of `bitexact`.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Unpacks and packs a file by copying it.
const COPIES: &str = "case $1 in unpack | pack) cp \"$2\" \"$3\" ;; esac";

/// Returns a folder with an install of waves, each with a number of samples, and a script in place of `bitexact`.
fn course(script: &str, waves: &[(&str, u32)]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for files");
    let program = folder.path().join("bitexact");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("the script is written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("the script can be run");
    for (name, samples) in waves {
        let path = folder.path().join("install").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the file");
        fs::write(path, wave(*samples)).expect("the file is written");
    }
    (folder, program)
}

/// Returns a mono 8-bit wave.
fn wave(samples: u32) -> Vec<u8> {
    let mut file = b"RIFF".to_vec();
    file.extend((36 + samples).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(11_025_u32.to_le_bytes());
    file.extend(11_025_u32.to_le_bytes());
    file.extend(b"\x01\0\x08\0data");
    file.extend(samples.to_le_bytes());
    file.resize(file.len() + samples as usize, 0x80);
    file
}

fn race(folder: &Path, program: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_race"));
    command.arg("--bitexact").arg(program).arg("--folder").arg(folder).args(args).arg(folder.join("install"));
    command.output().expect("race starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the cells of a row.
fn cells(output: &Output, kind: &str) -> Vec<String> {
    let stdout = stdout(output);
    let row = stdout.lines().find(|line| line.starts_with(&format!("| {kind} |")));
    let row = row.unwrap_or_else(|| panic!("no row of {kind} in {stdout}{}", stderr(output)));
    row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn reproduced_files_are_counted_by_kind() {
    let (folder, program) = course(COPIES, &[("a.wav", 2), ("b.wav", 4), ("c.txt", 6), ("d.wav", 1000)]);
    fs::write(folder.path().join("install/c.txt"), "of no kind").expect("the file is written");
    let output = race(folder.path(), &program, &["--largest", "500", "--repeat", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for kind in ["wave", "all"] {
        assert_eq!(cells(&output, kind)[1..3], ["2", "94"], "{kind}");
    }
    assert!(stdout(&output).contains("left out, of no known kind: 1\n"));
    assert!(stdout(&output).contains("left out, larger than --largest: 1\n"));
}

#[test]
fn no_files_are_left_in_the_output_folder() {
    let (folder, program) = course(COPIES, &[("a.wav", 2)]);
    race(folder.path(), &program, &[]);
    let mut left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|it| it.expect("a file").file_name()).collect();
    left.sort();
    assert_eq!(left, ["bitexact", "install"]);
}

#[test]
fn different_bytes_after_pack_are_an_error_of_that_file_only() {
    let script = "case $1 in unpack) cp $2 $3 ;; pack) case $3 in *a.wav) echo >$3 ;; *) cp $2 $3 ;; esac ;; esac";
    let (folder, program) = course(script, &[("a.wav", 2), ("b.wav", 4)]);
    let output = race(folder.path(), &program, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).ends_with("install/a.wav: `pack` wrote different bytes\n"), "{}", stderr(&output));
    assert_eq!(cells(&output, "wave")[1..3], ["1", "48"]);
}

#[test]
fn unreadable_file_does_not_stop_the_others() {
    let (folder, program) = course(COPIES, &[("b.wav", 4)]);
    symlink("nowhere", folder.path().join("install/a.wav")).expect("the link is made");
    let output = race(folder.path(), &program, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("install/a.wav: "), "{}", stderr(&output));
    assert_eq!(cells(&output, "wave")[1..3], ["1", "48"]);
}

#[test]
fn file_named_like_the_output_folder_is_measured() {
    let (folder, program) = course(COPIES, &[("unpacked", 2)]);
    let output = race(folder.path(), &program, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(cells(&output, "wave")[1..3], ["1", "46"]);
}

#[test]
fn failing_program_is_reported_with_its_own_words() {
    let (folder, program) = course("case $1 in pack) echo 'no such luck' >&2; exit 3 ;; *) : ;; esac", &[("a.wav", 2)]);
    let output = race(folder.path(), &program, &[]);
    assert_eq!(output.status.code(), Some(1));
    for words in ["install/a.wav", "no such luck", "exit status: 3"] {
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
    }
    assert!(!stdout(&output).contains("| all |"));
}

#[test]
fn unknown_kind_is_refused_with_a_list_of_known_ones() {
    let (folder, program) = course(COPIES, &[("a.wav", 2)]);
    let output = race(folder.path(), &program, &["--only", "gamez"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--only gamez: expected one of wave"), "{}", stderr(&output));
}

#[test]
fn processor_time_is_that_of_the_program() {
    // Sleeping takes wall time only. Hashing 4 MiB takes milliseconds, for which two decimals are precise enough.
    let script = "case $1 in unpack) cp $2 $3; sleep 0.2 ;; pack) cp $2 $3 ;; esac";
    let (folder, program) = course(script, &[("a.wav", 4 << 20)]);
    let output = race(folder.path(), &program, &["--repeat", "3"]);
    let figures: Vec<f64> = cells(&output, "wave")[3..].iter().map(|cell| cell.parse().expect("a number")).collect();
    let [hash, unpack_wall, unpack_cpu] = figures[..3] else { panic!("{figures:?}") };
    assert!(hash * unpack_wall >= 190.0, "{figures:?}");
    assert!(hash * unpack_cpu < 100.0, "{figures:?}");
}

#[test]
fn memory_is_that_of_the_program_and_not_of_the_benchmark() {
    // The benchmark holds this file, the script does not. A tenth of the limit for it would be 32 MB.
    let (folder, program) = course(COPIES, &[("a.wav", 40 << 20)]);
    let output = race(folder.path(), &program, &[]);
    let figures: Vec<f64> = cells(&output, "wave")[10..].iter().map(|cell| cell.parse().expect("a number")).collect();
    assert!(figures.iter().all(|&peak| peak < 0.1), "{figures:?}");
}
