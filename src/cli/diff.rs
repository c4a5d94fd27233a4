//! `bitexact diff`: the changes between two files or two folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::edit::diff::{Change, Mod, SCHEMA, diff};
use bitexact::install::{Found, files};
use bitexact::registry::{KINDS, Kind, recognize};
use bytes::Bytes;

use super::Code;
use super::out::Out;
use super::source::name_of;

/// Show what changed between two files or folders
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Old file or folder
    a: PathBuf,
    /// New file or folder
    b: PathBuf,
    /// Print JSON (for two files, a mod for `patch --apply`)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    match (is_folder(&args.a)?, is_folder(&args.b)?) {
        (true, true) => folders(args, out),
        (false, false) => two_files(args, out),
        _ => bail!("cannot compare a file with a folder: {}, {}", args.a.display(), args.b.display()),
    }
}

/// Returns `true` if a path leads to a folder, not to a file or stdin.
fn is_folder(path: &Path) -> anyhow::Result<bool> {
    if path == Path::new("-") {
        return Ok(false);
    }
    Ok(std::fs::metadata(path).with_context(|| path.display().to_string())?.is_dir())
}

/// Returns the bytes of a file, and its kind if it is supported.
fn open(path: &Path) -> anyhow::Result<(Bytes, Option<&'static Kind>)> {
    let bytes: Bytes = super::read(path).with_context(|| path.display().to_string())?.into();
    let kind = recognize(KINDS, &name_of(path), &bytes).map(|(kind, _)| kind);
    Ok((bytes, kind))
}

/// The kind of two files, and the changes between them.
type Changes = (&'static Kind, Vec<Change>);

/// Returns whether two files are equal, and the changes, or `None` if they have no supported kind in common.
fn changes(a: &Path, b: &Path) -> anyhow::Result<(bool, Option<Changes>)> {
    let ((old, old_kind), (new, new_kind)) = (open(a)?, open(b)?);
    if old == new {
        return Ok((true, old_kind.map(|kind| (kind, Vec::new()))));
    }
    match (old_kind, new_kind) {
        (Some(kind), Some(other)) if kind.name == other.name => {
            let refused = || if (kind.decode)(old.clone()).is_err() { a } else { b };
            let changes = diff(kind, old.clone(), new).with_context(|| refused().display().to_string())?;
            Ok((false, Some((kind, changes))))
        }
        _ => Ok((false, None)),
    }
}

fn two_files(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (same, changes) = changes(&args.a, &args.b)?;
    if !same {
        out.comes_to(Code::Finding);
    }
    match changes {
        Some((kind, changes)) if args.json => {
            out.json(&Mod { schema: SCHEMA, kind: kind.name.to_owned(), changes });
        }
        Some((_, changes)) => say(&changes, same, "", out),
        None if same => {}
        None => bail!(
            "{} and {} differ; details need two files of the same supported kind",
            args.a.display(),
            args.b.display()
        ),
    }
    Ok(())
}

/// Prints changes.
fn say(changes: &[Change], same: bool, indent: &str, out: &mut Out) {
    if !changes.is_empty() && changes.iter().all(|change| matches!(change, Change::Move { .. })) {
        out.line(format_args!("{indent}the same entries in a different order"));
    }
    for change in changes {
        out.lines(format_args!("{indent}{change}"));
    }
    if changes.is_empty() && !same {
        out.line(format_args!("{indent}the same values, laid out differently"));
    }
}

/// Prints every file in which two folders differ. A file that cannot be compared does not stop the others.
fn folders(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (old, new) = (below(&args.a)?, below(&args.b)?);
    let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    // The contents of an unreadable folder are unknown, so none of them counts as added or removed. They directly follow it.
    let mut closed: Option<&Path> = None;
    for name in names {
        if closed.is_some_and(|it| name.starts_with(it)) {
            continue;
        }
        let (a, b) = (old.get(name), new.get(name));
        for file in [a, b].into_iter().flatten() {
            if let Err(why) = &file.size {
                closed = Some(name);
                failed(args, name, &format!("{}: {why}", file.shown()), out);
            }
        }
        match (a, b) {
            _ if closed == Some(name) => {}
            (Some(a), Some(b)) => match changes(&a.path, &b.path) {
                Ok((true, _)) => {}
                Ok((false, changes)) => differs(args, name, changes, out),
                Err(error) => failed(args, name, &format!("{error:#}"), out),
            },
            (Some(_), None) => one_sided(args, name, "removed", out),
            (None, _) => one_sided(args, name, "added", out),
        }
    }
    Ok(())
}

/// Returns the files below a folder, by their relative paths.
fn below(folder: &Path) -> anyhow::Result<BTreeMap<PathBuf, Found>> {
    let found = files(folder).with_context(|| folder.display().to_string())?;
    let inner = |file: Found| (file.path.strip_prefix(folder).unwrap_or(&file.path).to_owned(), file);
    Ok(found.into_iter().map(inner).collect())
}

/// Returns the relative path of a file as rows print it.
fn shown(name: &Path) -> String {
    Found::new(name.to_owned(), Ok(0)).shown()
}

/// Prints a file that differs between the folders.
fn differs(args: &Args, name: &Path, changes: Option<Changes>, out: &mut Out) {
    out.comes_to(Code::Finding);
    let path = &shown(name);
    match (changes, args.json) {
        (changes, true) => {
            let (kind, changes) = changes.map_or((None, Vec::new()), |(kind, changes)| (Some(kind.name), changes));
            out.json(&FileRow { schema: SCHEMA, path, kind, changes });
        }
        (Some((_, changes)), false) => {
            out.line(format_args!("{path}:"));
            say(&changes, false, "  ", out);
        }
        (None, false) => out.line(format_args!("{path}: differs")),
    }
}

/// Prints a file that is in one folder only.
fn one_sided(args: &Args, name: &Path, status: &'static str, out: &mut Out) {
    out.comes_to(Code::Finding);
    let path = &shown(name);
    match args.json {
        true => out.json(&GoneRow { schema: SCHEMA, path, status }),
        false => out.line(format_args!("{path}: {status}")),
    }
}

/// Prints a file that cannot be compared.
fn failed(args: &Args, name: &Path, error: &str, out: &mut Out) {
    out.error(Code::Failed, error);
    if args.json {
        out.json(&FailedRow { schema: SCHEMA, path: &shown(name), error });
    }
}

/// The changes of a file in a folder.
#[derive(serde::Serialize)]
struct FileRow<'a> {
    schema: u32,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    changes: Vec<Change>,
}

/// A file that is in one folder only.
#[derive(serde::Serialize)]
struct GoneRow<'a> {
    schema: u32,
    path: &'a str,
    status: &'static str,
}

/// A file that cannot be compared.
#[derive(serde::Serialize)]
struct FailedRow<'a> {
    schema: u32,
    path: &'a str,
    error: &'a str,
}
