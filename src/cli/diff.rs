//! `bitexact diff`: what changed between two files or two folders, in words.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::diff::{Change, Mod, SCHEMA, diff};
use bitexact::install::files;
use bitexact::registry::{KINDS, Kind, recognise};
use bytes::Bytes;

use super::Code;
use super::out::Out;
use super::source::name_of;

/// Say what changed between two files, or two folders
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file or folder before
    a: PathBuf,
    /// The file or folder after
    b: PathBuf,
    /// As JSON; that of two files is what `patch --apply` takes
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    if args.a.is_dir() != args.b.is_dir() {
        bail!("{} and {}: a file and a folder", args.a.display(), args.b.display());
    }
    if args.a.is_dir() { folders(args, out) } else { two_files(args, out) }
}

/// A file, and its kind if it is ours.
fn open(path: &Path) -> anyhow::Result<(Bytes, Option<&'static Kind>)> {
    let bytes: Bytes = super::read(path).with_context(|| path.display().to_string())?.into();
    let kind = recognise(KINDS, &name_of(path), &bytes).map(|(kind, _)| kind);
    Ok((bytes, kind))
}

/// The kind of two files, and what they differ in.
type Changes = (&'static Kind, Vec<Change>);

/// Whether two files are the same, and what they differ in; nothing where they are of no kind in which that could be said.
fn changes(a: &Path, b: &Path) -> anyhow::Result<(bool, Option<Changes>)> {
    let ((old, old_kind), (new, new_kind)) = (open(a)?, open(b)?);
    if old == new {
        return Ok((true, old_kind.map(|kind| (kind, Vec::new()))));
    }
    match (old_kind, new_kind) {
        (Some(kind), Some(other)) if kind.name == other.name => {
            let of = || format!("{} and {}", a.display(), b.display());
            Ok((false, Some((kind, diff(kind, old, new).with_context(of)?))))
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
        None => bail!("{} and {} differ, and are not of one known kind", args.a.display(), args.b.display()),
    }
    Ok(())
}

/// Prints changes.
fn say(changes: &[Change], same: bool, indent: &str, out: &mut Out) {
    if !changes.is_empty() && changes.iter().all(|change| matches!(change, Change::Move { .. })) {
        out.line(format_args!("{indent}the same entries in another order"));
    }
    for change in changes {
        out.line(format_args!("{indent}{change}"));
    }
    if changes.is_empty() && !same {
        out.line(format_args!("{indent}the same values, laid out differently"));
    }
}

fn folders(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let list = |folder: &Path| -> anyhow::Result<BTreeMap<PathBuf, PathBuf>> {
        let found = files(folder).with_context(|| folder.display().to_string())?;
        let inner = |path: PathBuf| (path.strip_prefix(folder).unwrap_or(&path).to_owned(), path);
        Ok(found.into_iter().map(|file| inner(file.path)).collect())
    };
    let (old, new) = (list(&args.a)?, list(&args.b)?);
    let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    for name in names {
        let shown = name.display();
        match (old.get(name), new.get(name)) {
            (Some(a), Some(b)) => {
                let (same, changes) = changes(a, b)?;
                if same {
                    continue;
                }
                match (changes, args.json) {
                    (Some((kind, changes)), true) => {
                        out.json(&FileRow { path: &shown.to_string(), schema: SCHEMA, kind: Some(kind.name), changes });
                    }
                    (Some((_, changes)), false) => {
                        out.line(format_args!("{shown}:"));
                        say(&changes, same, "  ", out);
                    }
                    (None, true) => {
                        out.json(&FileRow {
                            path: &shown.to_string(),
                            schema: SCHEMA,
                            kind: None,
                            changes: Vec::new(),
                        });
                    }
                    (None, false) => out.line(format_args!("{shown}: differs")),
                }
            }
            (gone, _) if args.json => {
                let status = if gone.is_some() { "removed" } else { "added" };
                out.json(&GoneRow { schema: SCHEMA, path: &shown.to_string(), status });
            }
            (Some(_), _) => out.line(format_args!("{shown}: removed")),
            (None, _) => out.line(format_args!("{shown}: added")),
        }
        out.comes_to(Code::Finding);
    }
    Ok(())
}

/// What changed in a file of a folder.
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
