//! Compares the public interface of each published crate with its list in `golden/interface`.
//!
//! `interface` fails if one differs from its list; `interface --accept` writes the lists. rustdoc writes the items as JSON, whose form
//! differs between versions of Rust: with another one, nothing is checked, which `interface` says. Only rustdoc gets the variable that
//! permits this output, because cargo would build all crates again with it: so this program stands in for rustdoc.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use public_api::{Builder, PublicItem};
use serde_json::Value;

/// The version of the JSON that the crate `public-api` reads.
const FORMAT: u64 = 57;
/// The variable with the actual rustdoc, when this program stands in for it.
const RUSTDOC: &str = "INTERFACE_RUSTDOC";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let outcome = match env::var_os(RUSTDOC) {
        Some(rustdoc) => run(Command::new(rustdoc).args(arguments).env("RUSTC_BOOTSTRAP", "1")),
        None if arguments.is_empty() => compare(false),
        None if arguments == ["--accept"] => compare(true),
        None => Err("usage: interface [--accept]".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares each interface with its list, or writes the lists.
fn compare(accept: bool) -> Result<(), String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = Command::new(&cargo).args(["metadata", "--no-deps", "--format-version", "1", "--locked"]).output();
    let metadata = metadata.map_err(|error| format!("cargo metadata: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&metadata.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let path = |name: &str| metadata[name].as_str().map(PathBuf::from).ok_or(format!("cargo metadata: no {name}"));
    let (folder, target) = (path("workspace_root")?.join("golden/interface"), path("target_directory")?);

    let libraries = libraries(&metadata);
    let packages = libraries.iter().flat_map(|(package, _)| ["-p", package]);
    document(&cargo, &target, packages)?;
    // `.ci/run` checks the library without features in the same folder.
    let without_features = target.join("features");
    document(&cargo, &without_features, ["-p", "bitexact", "--no-default-features"])?;

    let json = |target: &Path, library: &str| target.join("doc").join(format!("{library}.json"));
    let mut lists: Vec<(PathBuf, PathBuf)> =
        libraries.iter().map(|(_, library)| (folder.join(format!("{library}.txt")), json(&target, library))).collect();
    lists.push((folder.join("bitexact_without_features.txt"), json(&without_features, "bitexact")));

    let (_, first) = lists.first().ok_or("the workspace has no published library")?;
    let version = read(first)?["format_version"].as_u64();
    let version = version.ok_or(format!("{}: rustdoc wrote no format_version", first.display()))?;
    if version != FORMAT {
        let other = format!(
            "this rustdoc writes version {version} of its JSON, and the crate public-api reads {FORMAT}, that of Rust 1.95"
        );
        return match accept {
            true => Err(other),
            false => {
                println!("the public interface is not checked: {other}");
                Ok(())
            }
        };
    }
    let mut differ = false;
    for (list, json) in &lists {
        let (before, now) = (fs::read_to_string(list).unwrap_or_default(), interface(json)?);
        if now == before {
            continue;
        }
        differ = true;
        println!("{}:", list.display());
        print_difference(&before, &now);
        if accept {
            fs::write(list, now).map_err(|error| format!("{}: {error}", list.display()))?;
        }
    }
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let list = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if !lists.iter().any(|(known, _)| *known == list) {
            return Err(format!("{}: no published library has this list; delete it", list.display()));
        }
    }
    match differ && !accept {
        true => {
            Err("the public interface has changed; if that is intended: cargo run -p interface -- --accept".to_owned())
        }
        false => Ok(()),
    }
}

/// Writes the JSON of libraries to a target folder.
fn document<'a>(cargo: &OsString, target: &Path, packages: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let rustdoc = env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    let mut doc = Command::new(cargo);
    doc.args(["doc", "--no-deps", "--lib", "--locked", "--quiet", "--target-dir"]).arg(target).args(packages);
    doc.env("RUSTDOC", program)
        .env(RUSTDOC, rustdoc)
        // With these, the JSON would be in another place, or would not be written.
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("CARGO_ENCODED_RUSTDOCFLAGS")
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json --cap-lints=allow");
    run(&mut doc)
}

/// Returns the published packages of the workspace, each with its library.
fn libraries(metadata: &Value) -> Vec<(&str, &str)> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let published = packages.filter(|package| package["publish"].is_null());
    published
        .filter_map(|package| {
            let library = package["targets"].as_array()?.iter().find(|target| target["kind"][0] == "lib")?;
            Some((package["name"].as_str()?, library["name"].as_str()?))
        })
        .collect()
}

/// Reads the JSON of a library.
fn read(path: &Path) -> Result<Value, String> {
    let fail = |error: &dyn Display| format!("{}: {error}", path.display());
    let json = fs::read(path).map_err(|error| fail(&error))?;
    serde_json::from_slice(&json).map_err(|error| fail(&error))
}

/// Returns the public items in the JSON of a library, one per line; the traits of a type are one line.
fn interface(path: &Path) -> Result<String, String> {
    let json = read(path)?;
    let api = Builder::from_rustdoc_json(path).omit_blanket_impls(true).omit_auto_trait_impls(true).build();
    let api = api.map_err(|error| format!("{}: {error}", path.display()))?;
    // What the implementation of a trait contains follows from the trait, except for the types that it chooses;
    // `()`, the `Args` of binrw, is no choice.
    let follows = |item: &PublicItem| {
        let parent = item.parent_id().map(|id| &json["index"][id.0.to_string()]["inner"]["impl"]["trait"]);
        parent.is_some_and(|of| !of.is_null())
    };
    let items = api.items().map(|item| (item.to_string(), item));
    let chooses = |line: &str| line.starts_with("pub type ") && !line.ends_with(" = ()");
    let lines = items.filter(|(line, item)| chooses(line) || !follows(item)).map(|(line, _)| line);
    let lines: Vec<String> = lines.collect();
    let split = |line| str::strip_prefix(line, "impl ").and_then(|it| it.rsplit_once(" for ")).unwrap_or((line, ""));
    let items: Vec<(&str, &str)> = lines.iter().map(|line| split(line)).collect();
    let joined = items.chunk_by(|(_, one), (_, other)| !one.is_empty() && one == other).map(|items| {
        let traits = items.iter().map(|(of_trait, _)| *of_trait).collect::<Vec<_>>().join(" + ");
        match items.first() {
            Some((_, of)) if !of.is_empty() => format!("impl {traits} for {of}\n"),
            _ => format!("{traits}\n"),
        }
    });
    Ok(joined.collect())
}

/// Prints the lines that are only in one of two lists.
fn print_difference(before: &str, now: &str) {
    let [before, now] = [before, now].map(|list| list.lines().collect::<BTreeSet<_>>());
    before.difference(&now).for_each(|line| println!("- {line}"));
    now.difference(&before).for_each(|line| println!("+ {line}"));
}

/// Runs a program to its end.
fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", command.get_program().display())) }
}
