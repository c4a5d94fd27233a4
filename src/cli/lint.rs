//! `bitexact lint`: values that a game ignores, draws at a wrong place or crashes on.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use bitexact::aurora::module::Needs;
use bitexact::field::wide;
use bitexact::install::Found;
use bitexact::install::zipper::{Facts, Seen, Survey};
use bitexact::lint::{Scope, Trap, Warning};
use bitexact::output::printable::{counted, grouped};
use bitexact::registry::traps;
use bitexact::verify::{Linted, SCHEMA, Status, VerifyOptions};
use bitexact::zipper::attached::{Attached, Missions};
use serde::Serialize;

use super::allow::Allowed;
use super::examples;
use super::out::{Out, with_advice};
use super::work::{Job, Jobs, Litter, found};
use super::{Code, native};

/// Warn of values that a game ignores, draws at a wrong place or crashes on
///
/// Exits with 1 if there are warnings. Example: bitexact lint --allow map-points maps
#[derive(clap::Args)]
#[command(after_help = examples::LINT)]
pub(crate) struct Args {
    /// Files and folders, or - for stdin
    #[arg(required_unless_present = "list", value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Print one JSON object per warning, then a summary
    #[arg(long)]
    json: bool,
    /// Also print warnings that are usual in unedited files
    #[arg(long)]
    all: bool,
    /// Omit the warnings with this id (repeatable)
    #[arg(long, value_name = "ID")]
    allow: Vec<String>,
    /// List all warnings with their sources
    #[arg(long, conflicts_with = "paths")]
    list: bool,
    #[command(flatten)]
    jobs: Jobs,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let known = traps();
    if let Some(id) = args.allow.iter().find(|id| !known.iter().any(|trap| trap.id == **id)) {
        bail!("--allow {id}: no warning has this id; see `bitexact lint --list`");
    }
    if args.list {
        known.into_iter().for_each(|trap| list(args, trap, out));
        return Ok(());
    }
    let mut seen = HashSet::new();
    let litter = Litter::default();
    let files = found(&args.paths, &litter, out).filter(move |file| seen.insert(file.path.clone()));
    let folders = args.paths.iter().filter(|path| path.is_dir());
    let mut surveys: Vec<_> = folders.map(|folder| (folder, Survey::default(), Missions::default())).collect();
    let how = VerifyOptions::default();
    let work = |mut job: Job<'_>| match job.candidate(how) {
        Ok(candidate) => {
            let facts = Facts::of(&job.file.shown(), candidate.file());
            let needs = Needs::of(candidate.file()).unwrap_or_default();
            let attached = if args.all { Attached::of(candidate.file()) } else { None };
            let mut linted = candidate.lint(how);
            linted.warnings.extend(absent(&job.file.path, &needs));
            (linted, facts, attached)
        }
        Err(why) => (Linted::unreadable(with_advice(why)), Facts::default(), None),
    };
    let hold = |(linted, ..): &(Linted, _, _)| wide(linted.warnings.len()).saturating_mul(HELD);
    let mut totals = Totals::default();
    let interrupted = args.jobs.each(files, !args.json, out, hold, work, |out, file, (linted, facts, attached)| {
        for (folder, survey, missions) in &mut surveys {
            if let Ok(inner) = file.path.strip_prefix(folder) {
                let inner = inner.to_string_lossy().replace('\\', "/");
                if let Some(attached) = &attached {
                    missions.see(&inner, attached.clone());
                }
                survey.see(Seen::new(inner, facts));
            }
        }
        totals.file(args, file, &linted, out);
        out.flush();
    })?;
    litter.say(out);
    if interrupted {
        out.comes_to(Code::Interrupted);
    }
    if out.is_closed() {
        out.comes_to(Code::Finding);
        return Ok(());
    }
    for (folder, survey, missions) in surveys.iter().filter(|_| !interrupted) {
        for (path, warning) in missions.warnings() {
            totals.warning(args, &Found::new(folder.join(path), Ok(0)), None, &warning, out);
        }
        for install in survey.installs(None) {
            for (path, warning) in install.warnings() {
                totals.warning(args, &Found::new(folder.join(path), Ok(0)), None, &warning, out);
            }
        }
    }
    if totals.supported == 0 && !interrupted && out.code() < Code::Finding {
        let paths = args.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        bail!("nothing to check: no supported files in {paths}");
    }
    totals.print(args, interrupted, out);
    Ok(())
}

/// The folders of the user in which the game looks for what a module names, and that of modules.
const BESIDE: [&str; 2] = ["hak", "tlk"];
const MODULES: &str = "modules";

/// Returns a warning for each file that a module names and that is not beside it: in its folder, or in those of HAKs and talk tables. A
/// module has none if these folders are not beside it, or in its own: its files may be anywhere.
fn absent(module: &Path, needs: &Needs) -> Vec<Warning> {
    let Some(folder) = module.parent().filter(|_| !needs.is_empty() && module.exists()) else { return Vec::new() };
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let lower = |name: &OsStr| name.to_string_lossy().to_lowercase();
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let of_user = folder.parent().filter(|_| folder.file_name().is_some_and(|name| lower(name) == MODULES));
    let beside: Vec<PathBuf> = [Some(&*folder), of_user]
        .into_iter()
        .flatten()
        .flat_map(entries)
        .filter(|it| BESIDE.contains(&&*lower(&it.file_name())) && it.path().is_dir())
        .map(|it| it.path())
        .collect();
    if beside.is_empty() && of_user.is_none() {
        return Vec::new();
    }
    let all = beside.iter().map(PathBuf::as_path).chain([&*folder]);
    let there: HashSet<String> = all.flat_map(entries).map(|file| lower(&file.file_name())).collect();
    needs.missing(|file| there.contains(&file.to_lowercase()))
}

/// Returns a path as rows have it, or as the system writes it for people.
fn shown(args: &Args, file: &Found) -> String {
    if args.json { file.shown() } else { native(&file.shown()) }
}

/// The approximate memory of a warning, in bytes.
const HELD: u64 = 512;

/// A trap in the output of `lint --list --json`.
#[derive(Serialize)]
struct TrapRow<'a> {
    schema: u32,
    id: &'a str,
    scope: &'a str,
    message: &'a str,
    effect: &'a str,
    source: &'a str,
}

/// A warning in the output of `lint --json`.
#[derive(Serialize)]
struct WarningRow<'a> {
    schema: u32,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    id: &'a str,
    place: &'a str,
    count: u64,
    first_place: String,
    message: String,
    effect: &'a str,
    source: &'a str,
}

/// The last line of `lint --json`.
#[derive(Serialize)]
struct SummaryRow<'a> {
    schema: u32,
    summary: Summary<'a>,
}

/// The totals in the last line.
#[derive(Serialize)]
struct Summary<'a> {
    /// The number of files of supported kinds.
    files: u64,
    failed: u64,
    files_with_warnings: u64,
    /// The number of warnings by id.
    warnings: &'a BTreeMap<&'static str, u64>,
    /// The warnings that the user allows, by id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    silenced: &'a BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

/// Returns `true` for traps that unedited files have too.
fn is_usual(scope: Scope) -> bool {
    matches!(scope, Scope::Addition | Scope::Change)
}

/// Prints a trap.
fn list(args: &Args, trap: &Trap, out: &mut Out) {
    let (scope, Trap { id, what, effect, source, .. }) = (trap.scope.name(), trap);
    match args.json {
        true => out.json(&TrapRow { schema: SCHEMA, id, scope, message: what, effect, source }),
        false => out.line(format_args!("{id} ({scope}): {what}; {effect} [{source}]")),
    }
}

/// The totals of a run.
#[derive(Default)]
struct Totals {
    /// The files of supported kinds.
    supported: u64,
    failed: u64,
    /// The files with warnings.
    warned: HashSet<String>,
    /// The warnings by id.
    warnings: BTreeMap<&'static str, u64>,
    /// The warnings that were not printed because the user allows them, by id.
    silenced: BTreeMap<&'static str, u64>,
    allowed: Allowed,
}

impl Totals {
    /// Prints and counts the warnings of a file.
    fn file(&mut self, args: &Args, file: &Found, linted: &Linted, out: &mut Out) {
        self.supported += u64::from(linted.is_supported);
        if let (Some(failure), Some(status)) = (&linted.failure, linted.status()) {
            self.failed += 1;
            let code = if status == Status::Unreadable { Code::Failed } else { Code::Finding };
            let code = if linted.is_internal() { Code::Internal } else { code };
            out.error(code, format_args!("{}: {failure}", shown(args, file)));
        }
        for warning in &linted.warnings {
            self.warning(args, file, linted.kind, warning, out);
        }
    }

    /// Prints and counts a warning, or only counts it if it is silenced.
    fn warning(&mut self, args: &Args, file: &Found, kind: Option<&str>, warning: &Warning, out: &mut Out) {
        let Warning { trap, place, count, first_place, .. } = warning;
        if is_usual(trap.scope) && !args.all {
            return;
        }
        if args.allow.iter().any(|id| *id == trap.id) || self.allowed.silences(&file.path, trap.id, out) {
            *self.silenced.entry(trap.id).or_default() += *count;
            return;
        }
        let path = &*shown(args, file);
        out.comes_to(Code::Finding);
        self.warned.insert(path.to_owned());
        let total = self.warnings.entry(trap.id).or_default();
        *total += *count;
        if !args.json {
            return out.line(format_args!("{path}: {warning}"));
        }
        let (count, first_place, message) = (*count, first_place.to_string(), warning.message());
        let Trap { id, effect, source, .. } = trap;
        out.json(&WarningRow { schema: SCHEMA, path, kind, id, place, count, first_place, message, effect, source });
    }

    /// Prints the totals.
    fn print(&self, args: &Args, interrupted: bool, out: &mut Out) {
        let count: u64 = self.warnings.values().sum();
        if args.json {
            let (files, warned, warnings) = (self.supported, wide(self.warned.len()), &self.warnings);
            let (failed, silenced) = (self.failed, &self.silenced);
            let summary = Summary { files, failed, files_with_warnings: warned, warnings, silenced, interrupted };
            return out.json(&SummaryRow { schema: SCHEMA, summary });
        }
        let files = counted(self.supported, "file");
        let silenced = self.silenced.iter().map(|(id, count)| format!("{id} {}", grouped(*count)));
        let silenced = match &*silenced.collect::<Vec<_>>().join(", ") {
            "" => String::new(),
            ids => format!("; {} silenced: {ids}", grouped(self.silenced.values().sum())),
        };
        match count {
            0 => out.line(format_args!("no warnings in {files}{silenced}")),
            _ => {
                let (warnings, warned) = (counted(count, "warning"), grouped(wide(self.warned.len())));
                out.line(format_args!("{warnings} in {warned} of {files}{silenced}"));
            }
        }
    }
}
