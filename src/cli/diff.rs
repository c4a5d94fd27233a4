//! `bitexact diff`: the changes between two files or two folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::edit::Comparison;
use bitexact::edit::diff::{
    Change, Changes, MediaSummaries, SCHEMA, lines_of, without_layout, without_shifted_offsets,
};
use bitexact::field::{Address, wide};
use bitexact::install::Found;
use bitexact::lint::{Warning, reencoded};
use bitexact::output::printable::{counted, grouped};
use bitexact::registry::{KINDS, Kind, Model, recognize};
use bytes::Bytes;

use super::examples;
use super::out::Out;
use super::source::name_of;
use super::target::say_interrupted;
use super::work::wanted;
use super::{Code, native};

/// Show what changed between two files or folders
#[derive(clap::Args)]
#[command(after_help = examples::DIFF)]
pub(crate) struct Args {
    /// Old file or folder
    a: PathBuf,
    /// New file or folder
    b: PathBuf,
    /// Print JSON (for two files, changes for `patch --apply`)
    #[arg(long)]
    json: bool,
    /// Print all changes and all their lines, not just the first ones
    #[arg(long, conflicts_with = "json")]
    full: bool,
    /// Print only the number of changes, by entry or by file
    #[arg(long, conflicts_with_all = ["json", "full"])]
    stat: bool,
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
fn open(path: &Path) -> anyhow::Result<Opened> {
    let bytes: Bytes = super::read(path).with_context(|| path.display().to_string())?.into();
    let kind = recognize(KINDS, &name_of(path), &bytes).map(|(kind, _)| kind);
    Ok((bytes, kind))
}

/// The kind of two files, the changes between them, their images and sounds, and warnings of texts in another encoding.
type Compared = (&'static Kind, Vec<Change>, MediaSummaries, Vec<Warning>);

/// A file as [`open`] returns it.
type Opened = (Bytes, Option<&'static Kind>);

/// Returns whether two files are equal, and the changes, or `None` if they have no supported kind in common.
fn changes(args: &Args, a: &Path, b: &Path) -> anyhow::Result<(bool, Option<Compared>)> {
    compared(args, (a, open(a)?), (b, open(b)?))
}

/// Returns the [changes] between two files that are open.
fn compared(
    args: &Args,
    (a, (old, old_kind)): (&Path, Opened),
    (b, (new, new_kind)): (&Path, Opened),
) -> anyhow::Result<(bool, Option<Compared>)> {
    if old == new {
        return Ok((true, old_kind.map(|kind| (kind, Vec::new(), MediaSummaries::default(), Vec::new()))));
    }
    match (old_kind, new_kind) {
        (Some(kind), Some(other)) if kind.name == other.name => {
            let model = |path: &Path, bytes: &Bytes| -> anyhow::Result<Model> {
                Ok((kind.decode)(bytes.clone()).with_context(|| path.display().to_string())?.model)
            };
            let (before, after) = (model(a, &old)?, model(b, &new)?);
            let both = Comparison::of(kind, (&old, &before), (&new, &after))?;
            let changes = both.changes()?;
            // Only the changes themselves are printed otherwise.
            let looks = match args.json || args.stat || args.full {
                true => MediaSummaries::default(),
                false => both.media(),
            };
            let warnings = reencoded(&before, &after);
            Ok((false, Some((kind, changes, looks, warnings))))
        }
        _ => Ok((false, None)),
    }
}

fn two_files(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    [&args.a, &args.b].into_iter().for_each(|path| say_interrupted(path, out));
    // Stdin can be read only once.
    let (old, new) = (open(&args.a)?, open(&args.b)?);
    let (same, changes) = compared(args, (&args.a, old.clone()), (&args.b, new.clone())).inspect_err(|_| {
        if !args.json {
            let [old, new] = [&old, &new].map(|(bytes, _)| grouped(wide(bytes.len())));
            out.line(format_args!("/: differs, {old} → {new} bytes"));
        }
    })?;
    if !same {
        out.comes_to(Code::Finding);
    }
    if let Some((.., warnings)) = &changes {
        warned("", warnings, out);
    }
    match changes {
        Some((kind, changes, ..)) if args.json => {
            let changes = without_layout(changes);
            out.json(&Changes::of(kind.name, changes));
        }
        Some((_, changes, ..)) if args.stat => stat(&changes, same, out),
        Some((_, changes, looks, _)) => say((&changes, &looks), same, ("", args.full), out),
        None if same => {}
        None if !args.json
            && let Some(lines) = lines(&old, &new) =>
        {
            match args.stat {
                true => out.line(format_args!("{} in 1 place", counted(wide(lines.lines().count()), "line"))),
                false => print(&lines, ("", args.full), out),
            }
        }
        None => bail!(
            "{} and {} differ; details need two files of the same supported kind",
            args.a.display(),
            args.b.display()
        ),
    }
    Ok(())
}

/// Returns the lines in which two files of text differ, or `None` if one of them is no text.
fn lines((old, old_kind): &Opened, (new, new_kind): &Opened) -> Option<String> {
    if old_kind.is_none() && new_kind.is_none() { lines_of(old, new) } else { None }
}

/// Prints warnings.
fn warned(path: &str, warnings: &[Warning], out: &Out) {
    for warning in warnings {
        out.say(format_args!("warning: {path}{warning}"));
    }
}

/// Prints the number of changes of each entry.
fn stat(changes: &[Change], same: bool, out: &mut Out) {
    let mut entries: BTreeMap<&str, Count> = BTreeMap::new();
    for change in changes {
        entries.entry(change.entry()).or_default().add(change);
    }
    for (entry, count) in &entries {
        let entry = if entry.is_empty() { "/" } else { entry };
        out.line(format_args!("{entry}: {count}"));
    }
    let total = Count::of(changes);
    let entries = match entries.values().filter(|count| count.values > 0).count() {
        1 => "1 place".to_owned(),
        count => format!("{} entries", grouped(wide(count))),
    };
    match total.values {
        0 if same => {}
        0 => out.line(ALIKE),
        values => out.line(format_args!("{} in {entries}", counted(values, "change"))),
    }
}

/// The number of changes of values, and whether the layout differs.
#[derive(Default)]
struct Count {
    values: u64,
    is_relaid: bool,
}

impl Count {
    fn of(changes: &[Change]) -> Self {
        let mut count = Self::default();
        changes.iter().for_each(|change| count.add(change));
        count
    }

    fn add(&mut self, change: &Change) {
        match change.is_of_layout() {
            true => self.is_relaid = true,
            false => self.values += 1,
        }
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.values, self.is_relaid) {
            (0, true) => f.write_str("laid out differently"),
            (values, true) => write!(f, "{}, laid out differently", counted(values, "change")),
            (values, false) => f.write_str(&counted(values, "change")),
        }
    }
}

/// What is said of files that differ without a change of a value.
const ALIKE: &str = "the same values, laid out differently";
/// The number of changes printed for a file without `--full`.
const CHANGES: usize = 40;
/// The number of similar changes printed one after the other without `--full`.
const RUN: usize = 5;
/// The number of lines printed for a change without `--full`.
const LINES: usize = 20;

/// Returns what the changes in a row have in common: the list, and whether items are set, inserted or deleted.
fn row_of(change: &Change) -> Option<(Address, u8)> {
    let (at, what) = match change {
        Change::Set { at, .. } => (at, 0),
        Change::Insert { at, .. } => (at, 1),
        Change::Delete { at, .. } => (at, 2),
        _ => return None,
    };
    let (list, index) = at.outer()?;
    index.parse::<u64>().ok().map(|_| (list, what))
}

/// Prints changes, with `is_full` all of them.
fn say((changes, looks): (&[Change], &MediaSummaries), same: bool, (indent, is_full): (&str, bool), out: &mut Out) {
    if !changes.is_empty() && changes.iter().all(|change| matches!(change, Change::Move { .. })) {
        out.line(format_args!("{indent}the same entries in a different order"));
    }
    let (layout, values): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(|change| change.is_of_layout());
    let values: Vec<Change> = values.into_iter().cloned().collect();
    if values.is_empty() && !same {
        out.line(format_args!("{indent}{ALIKE}"));
    }
    let (shown, shifted) = if is_full { (values, BTreeMap::new()) } else { without_shifted_offsets(&values) };
    let (mut printed, mut rest) = (0_usize, &*shown);
    while let Some(first) = rest.first() {
        if printed == CHANGES && !is_full {
            out.line(format_args!("{indent}and {} more; --full prints all", grouped(wide(rest.len()))));
            break;
        }
        if let Some(looked) = looks.first(rest) {
            out.line(format_args!("{indent}{}", looked.line));
            printed += 1;
            rest = rest.get(looked.changes..).unwrap_or_default();
            continue;
        }
        let row = row_of(first);
        let run = rest.iter().take_while(|it| row.is_some() && row_of(it) == row).count().max(1);
        let shown = if is_full || run <= RUN + 1 { run } else { RUN };
        let (run, later) = rest.split_at_checked(run).unwrap_or((rest, &[]));
        for change in run.iter().take(shown) {
            let change = if is_full { format!("{change:#}") } else { change.to_string() };
            print(&change, (indent, is_full), out);
        }
        if let (Some(more @ 1..), Some((list, _))) = (run.len().checked_sub(shown), row) {
            out.line(format_args!("{indent}{list}: and {} more; --full prints all", counted(wide(more), "item")));
        }
        printed += 1;
        rest = later;
    }
    for (text, count) in shifted {
        out.line(format_args!("{indent}{text}: {} moved with it; --full prints them", counted(count, "offset")));
    }
    relaid(&layout, (indent, is_full), out);
}

/// Prints where the layout differs: a line for each entry, with `is_full` for each place.
fn relaid(layout: &[&Change], (indent, is_full): (&str, bool), out: &mut Out) {
    let mut rest = layout;
    let mut printed = 0_usize;
    while let Some(first) = rest.first() {
        if printed == CHANGES && !is_full {
            out.line(format_args!("{indent}and {} more; --full prints all", grouped(wide(rest.len()))));
            break;
        }
        printed += 1;
        let entry = first.entry();
        let of_entry = rest.iter().take_while(|it| it.entry() == entry).count();
        let (own, later) = rest.split_at_checked(of_entry).unwrap_or((rest, &[]));
        rest = later;
        if is_full {
            own.iter().for_each(|change| out.line(format_args!("{indent}{change}")));
            continue;
        }
        let orders: Vec<_> = own.iter().filter(|it| matches!(it, Change::Order { .. })).collect();
        match &*orders {
            [] => out.line(format_args!("{indent}{first}")),
            [one] => out.line(format_args!("{indent}{one}")),
            [_, others @ ..] => {
                let (places, entry) = (wide(others.len()) + 1, Address::of_entry(entry));
                let places = grouped(places);
                out.line(format_args!("{indent}{entry}: the fields are in another order in {places} places"));
            }
        }
    }
}

/// Prints a change, which can have many lines.
fn print(change: &str, (indent, is_full): (&str, bool), out: &mut Out) {
    let lines: Vec<&str> = change.split('\n').collect();
    let shown = if is_full || lines.len() <= LINES + 1 { lines.len() } else { LINES };
    for line in lines.iter().take(shown) {
        out.line(format_args!("{indent}{line}"));
    }
    if let Some(more @ 1..) = lines.len().checked_sub(shown) {
        out.line(format_args!("{indent}  and {} more; --full prints all", counted(wide(more), "line")));
    }
}

/// Prints every file in which two folders differ. A file that cannot be compared does not stop the others.
fn folders(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (old, new) = (below(&args.a, out)?, below(&args.b, out)?);
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
                failed(args, name, &format!("{}: {why}", native(&file.shown())), out);
            }
        }
        match (a, b) {
            _ if closed == Some(name) => {}
            (Some(a), Some(b)) => match changes(args, &a.path, &b.path) {
                Ok((true, _)) => {}
                Ok((false, changes)) => differs(args, name, changes, out),
                // Equal bytes need no model.
                Err(error) => {
                    if !args.json {
                        out.line(format_args!("{}: differs", native(&shown(name))));
                    }
                    failed(args, name, &format!("{error:#}"), out);
                }
            },
            (Some(_), None) => one_sided(args, name, "removed", out),
            (None, _) => one_sided(args, name, "added", out),
        }
    }
    Ok(())
}

/// Returns the files below a folder, by their relative paths.
fn below(folder: &Path, out: &Out) -> anyhow::Result<BTreeMap<PathBuf, Found>> {
    let found = wanted(folder, out)?;
    let inner = |file: Found| (file.path.strip_prefix(folder).unwrap_or(&file.path).to_owned(), file);
    Ok(found.into_iter().map(inner).collect())
}

/// Returns the relative path of a file as rows print it.
fn shown(name: &Path) -> String {
    Found::new(name.to_owned(), Ok(0)).shown()
}

/// Prints a file that differs between the folders.
fn differs(args: &Args, name: &Path, changes: Option<Compared>, out: &mut Out) {
    out.comes_to(Code::Finding);
    let path = &shown(name);
    if let Some((.., warnings)) = &changes {
        warned(&format!("{}: ", native(path)), warnings, out);
    }
    match (changes, args.json) {
        (changes, true) => {
            let (kind, changes) =
                changes.map_or((None, Vec::new()), |(kind, changes, ..)| (Some(kind.name), without_layout(changes)));
            out.json(&FileRow { schema: SCHEMA, path, kind, changes });
        }
        (Some((_, changes, looks, _)), false) => {
            let path = native(path);
            if args.stat {
                return out.line(format_args!("{path}: {}", Count::of(&changes)));
            }
            out.line(format_args!("{path}:"));
            say((&changes, &looks), false, ("  ", args.full), out);
        }
        (None, false) => out.line(format_args!("{}: differs", native(path))),
    }
}

/// Prints a file that is in one folder only.
fn one_sided(args: &Args, name: &Path, status: &'static str, out: &mut Out) {
    out.comes_to(Code::Finding);
    let path = &shown(name);
    match args.json {
        true => out.json(&GoneRow { schema: SCHEMA, path, status }),
        false => out.line(format_args!("{}: {status}", native(path))),
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
