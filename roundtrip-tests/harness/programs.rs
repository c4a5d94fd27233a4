//! External programs, used if they are installed.

#![allow(dead_code, reason = "each test target uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs another program, or returns `None` and reports it if the program is not installed.
pub(crate) fn other_program(program: &str, args: &[&str]) -> Option<Output> {
    let output = Command::new(program).args(args).output().ok();
    if output.is_none() {
        eprintln!("{program}: not installed, nothing is tested with it");
    }
    output
}

/// Returns the folder of an npm package of this version, below the target folder, and fetches the package if necessary.
/// Returns `None` and reports it if npm or the network is missing.
pub(crate) fn npm_package(name: &str, version: &str) -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm");
    let place = home.join(format!("{name}-{version}"));
    if !place.is_dir() {
        std::fs::create_dir_all(&home).expect("a folder for packages");
        // Unpacked in a temporary folder, then renamed, because another test may do the same at the same time.
        let folder = tempfile::tempdir_in(&home).expect("a temporary folder");
        let at = |path: &Path| path.to_str().expect("a path in Unicode").to_owned();
        let (archive, into) = (folder.path().join(format!("{name}-{version}.tgz")), at(folder.path()));
        let fetch =
            ["pack", &format!("{name}@{version}"), "--silent", "--fetch-retries=0", "--pack-destination", &into];
        other_program("npm", &fetch)?;
        if archive.is_file() {
            other_program("tar", &["-xzf", &at(&archive), "-C", &into])?;
        }
        if std::fs::rename(folder.path().join("package"), &place).is_err() && !place.is_dir() {
            eprintln!("{name}: npm cannot fetch it, nothing is tested with it");
            return None;
        }
    }
    Some(place)
}
