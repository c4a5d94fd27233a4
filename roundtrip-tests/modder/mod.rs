//! A modder's workflow: unpack, edit, pack, patch, compare, share. The tests run the program from the command line.

mod advice;
mod again;
mod any_order;
mod by_name;
mod code_pages;
mod crimson_skies;
mod csv;
mod demo;
mod diff;
mod encoding;
mod everywhere;
mod exported;
mod first_entries;
mod given;
mod habits;
mod indices;
mod inside;
mod installs;
mod kept;
pub(crate) mod kills;
mod lines;
mod merge;
mod merge_command;
mod mods;
mod names;
mod opened;
mod order;
mod patch;
mod readme;
mod recompute_option;
mod recomputed;
mod recorded;
mod refused;
mod rows;
mod said;
mod salvage;
mod script;
mod shapes;
mod shared;
mod systems;
mod texts;
mod true_size;
mod users;
mod whole;
mod wishes;
mod words;
mod zip;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use bitexact::exchange::schema::SCHEMAS;
use bitexact::exchange::{parse, print};
use bitexact::field::Value;
use forge::archive::{Content, Entry, Spec, build};
use forge::bytes::field;
use forge::reader::{self, float, list, string};

use crate::harness;

/// A folder to work in.
struct Desk(tempfile::TempDir);

/// The result of running the program.
struct Said {
    code: i32,
    out: String,
    err: String,
}

impl Desk {
    fn of(files: &[(&str, &[u8])]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(path, bytes)| desk.write(path, bytes));
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
        command.current_dir(self.0.path()).args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Said {
        let output = harness::output_of(&mut self.command(args));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said { code: output.status.code().expect("not killed"), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Returns what a command that must succeed writes to stdout.
    fn run_bytes(&self, args: &[&str]) -> Vec<u8> {
        let output = self.command(args).output().expect("the program runs");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Runs a command that must succeed.
    fn ok(&self, args: &[&str]) -> Said {
        let said = self.run(args);
        assert_eq!(said.code, 0, "{args:?}: {}{}", said.out, said.err);
        said
    }

    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Replaces a text that occurs exactly once in a file.
    fn replace(&self, path: &str, from: &str, to: &str) {
        let text = String::from_utf8(self.read(path)).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from} in {path}: {text}");
        self.write(path, text.replace(from, to).as_bytes());
    }

    fn edit(&self, path: &str, edit: impl FnOnce(&mut Value)) {
        let mut json = parse(&self.read(path)).unwrap();
        edit(&mut json);
        self.write(path, &print(&json));
    }

    /// Returns everything below a folder, by relative path.
    fn all(&self, folder: &str) -> Vec<String> {
        let folder = self.path(folder);
        // Every unpacked folder has schemas.
        let walk = walkdir::WalkDir::new(&folder).sort_by_file_name().min_depth(1).into_iter();
        let walk = walk.filter_entry(|it| it.file_name() != SCHEMAS);
        walk.map(|found| found.unwrap().path().strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"))
            .collect()
    }
}

/// Returns a reader of some weapons.
fn weapons(damage: f32) -> reader::Value {
    list([
        list([string(b"LASER"), float(damage), reader::Value::Int(3)]),
        list([string(b"MISSILE"), float(0.5), list([reader::Value::Int(1), reader::Value::Int(2)])]),
    ])
}

fn entry(name: &[u8], data: Vec<u8>) -> Entry {
    Entry { flags: 2, comment: field(b"c:\\zrdr", b""), time: 0x01BE_9D0A_1234_5678, ..Entry::new(name, data) }
}

fn data(root: reader::Value) -> Vec<u8> {
    reader::build(&reader::Spec::new(root))
}

/// Returns a reader archive of Pirate's Moon.
fn readers(damage: f32) -> Spec {
    let entries = [
        entry(b"objectives.zrd", data(list([string(b"WIN"), reader::Value::Int(-1)]))),
        entry(b"weapons.zrd", data(weapons(damage))),
        entry(b"hud.zrd", data(list([]))),
    ];
    Spec::new(2, Content::Readers, entries.into())
}

fn archive() -> Vec<u8> {
    build(&readers(5.0))
}
