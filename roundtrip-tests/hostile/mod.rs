//! Attacks: hostile names, targets and folders, and processes killed at any moment.

#![cfg_attr(not(unix), allow(dead_code, unused_imports, reason = "most of it is about what only Unix has"))]

#[cfg(unix)]
mod archives;
#[cfg(unix)]
mod changes;
mod escapes;
mod input;
#[cfg(unix)]
mod outputs;
#[cfg(unix)]
mod replaced;
#[cfg(unix)]
mod walk;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::harness::sample;

/// A folder to work in.
struct Desk(tempfile::TempDir);

/// The result of a run of the program.
struct Said {
    code: Option<i32>,
    out: Vec<u8>,
    err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let err = String::from_utf8(output.stderr).expect("words are UTF-8");
        Self { code: output.status.code(), out: output.stdout, err }
    }
}

impl std::fmt::Debug for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, out {:?}, err {:?}", self.code, String::from_utf8_lossy(&self.out), self.err)
    }
}

impl Said {
    fn out(&self) -> &str {
        str::from_utf8(&self.out).expect("it is UTF-8")
    }
}

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates a desk with a map of Recoil, and a folder `map` with its contents.
    fn unpacked() -> Self {
        let desk = Self::new();
        desk.write("m1.zmap", &map());
        desk.ok(&["unpack", "m1.zmap", "map"]);
        desk
    }

    fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: impl AsRef<Path>, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
        command.current_dir(self.0.path()).env_remove("NO_COLOR").args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Said {
        ended(self.command(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Runs a command that must succeed.
    fn ok(&self, args: &[&str]) -> Said {
        let said = self.run(args);
        assert_eq!(said.code, Some(0), "{args:?}: {said:?}");
        said
    }

    /// Runs a shell command, in which `$B` is the program.
    #[cfg(unix)]
    fn shell(&self, line: &str) -> Said {
        let mut command = Command::new("sh");
        command.current_dir(self.0.path()).env("B", env!("CARGO_BIN_EXE_bitexact")).args(["-c", line]);
        // A new process group, so that a hanging command is ended with all its children.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        ended(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Returns the names of everything in a folder, including leftovers of unfinished work.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|it| it.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// Waits for a process, with a time limit, and returns its result.
fn ended(mut child: Child) -> Said {
    // A full pipe would block the process, so its output is read meanwhile.
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let readers = [std::thread::spawn(move || all(out)), std::thread::spawn(move || all(err))];
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(20) {
            #[cfg(unix)]
            Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status().unwrap();
            let _ = child.kill();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let [stdout, stderr] = readers.map(|it| it.join().unwrap());
    Output { status, stdout, stderr }.into()
}

fn all(mut from: impl std::io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Returns a map of Recoil.
fn map() -> Vec<u8> {
    sample("m1.zmap")
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(tempfile::tempdir().unwrap().path()).unwrap().uid() == 0
}

/// Returns `true` if strace is installed, which traces system calls or makes them fail.
#[cfg(unix)]
fn has_strace() -> bool {
    Command::new("strace").args(["-o", "/dev/null", "true"]).stderr(Stdio::null()).status().is_ok_and(|it| it.success())
}
