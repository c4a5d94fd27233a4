//! `bitexact snapshot`: hashes and summaries of an install for later comparison.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::field::wide;
use bitexact::install::aurora;
use bitexact::install::known::Sold;
use bitexact::install::snapshot::{path_below, print, sums_line};
use bitexact::install::zipper::{Facts, KnownFile, Seen, Survey};
use bitexact::install::{Found, lossless};
use bitexact::output;
use bitexact::passes::Sha;
use bitexact::verify::{Report, Row, VerifyOptions};
use bytes::Bytes;

use super::examples;
use super::out::{Out, with_advice};
use super::target;
use super::verify::code_of;
use super::work::{Job, Jobs, wanted_inside};
use super::{Code, native};

/// Record hashes and a summary of every file, for `verify --against`
#[derive(clap::Args)]
#[command(after_help = examples::SNAPSHOT)]
pub(crate) struct Args {
    /// Folder, archive or file to record
    path: PathBuf,
    /// File to write, or - for stdout [default: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite a file that is not a snapshot
    #[arg(long)]
    force: bool,
    /// Write only hashes, in `sha256sum` format
    #[arg(long)]
    sha256sum: bool,
    /// Write the files of the installs as a table of known files, to share and for `verify --known`
    #[arg(long, conflicts_with = "sha256sum")]
    known: bool,
    /// Edition in that table, such as "German 1.2" [default: the identified one]
    #[arg(long, value_name = "TEXT", requires = "known")]
    edition: Option<String>,
    /// Source in that table, such as your name and the disc
    #[arg(long, value_name = "TEXT", requires = "known", default_value = "own copy")]
    source: String,
    #[command(flatten)]
    jobs: Jobs,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let target = args.output.as_deref().filter(|target| *target != Path::new("-"));
    target.map_or(Ok(()), |target| target::report(target, args.force))?;
    let mut found = wanted_inside(&args.path, out)?;
    found.retain(|file| !target.is_some_and(|target| super::is_same(&file.path, target)));
    if found.is_empty() {
        bail!("nothing to record: no files in {}", args.path.display());
    }
    let text = match (args.known, args.sha256sum) {
        (true, _) => known(args, found, out)?,
        (_, true) => sums(args, found, out)?,
        _ => rows(args, found, out)?,
    };
    match (text, target) {
        (None, _) => out.comes_to(Code::Interrupted),
        (Some(text), None) => out.listing(&text),
        (Some(text), Some(target)) => output::write(target, &text).with_context(|| target.display().to_string())?,
    }
    Ok(())
}

/// Returns a row for every file and a summary, or `None` after Ctrl-C.
fn rows(args: &Args, found: Vec<Found>, out: &mut Out) -> anyhow::Result<Option<Vec<u8>>> {
    let how = VerifyOptions::default().counts(true);
    let work = |mut job: Job<'_>| match job.candidate(how) {
        Ok(candidate) => candidate.verify(how),
        Err(why) => Report::unreadable(with_advice(why)),
    };
    let mut rows: Vec<Row> = Vec::with_capacity(found.len());
    let interrupted = args.jobs.each(found.into_iter(), true, out, Report::memory, work, |out, file, report| {
        match (&report.failure, code_of(&report, false)) {
            (Some(failure), code) => out.error(code, format_args!("{}: {failure}", native(&file.shown()))),
            (None, code) => out.comes_to(code),
        }
        let path = path_below(&args.path, &file.path);
        rows.push(Row::of_snapshot(lossless(&path), &report));
    })?;
    Ok(if interrupted { None } else { Some(print(&rows)?.into_bytes()) })
}

/// Returns a line of `sha256sum` for every file, or `None` after Ctrl-C.
fn sums(args: &Args, found: Vec<Found>, out: &mut Out) -> anyhow::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    let work = |job: Job<'_>| job.read().map(|bytes| Sha::of(&bytes));
    let hold = |_: &Result<Sha, String>| 1 << 10;
    let interrupted = args.jobs.each(found.into_iter(), true, out, hold, work, |out, file, sha256| match sha256 {
        Ok(sha256) => text.extend(sums_line(sha256, &path_below(&args.path, &file.path))),
        Err(why) => out.error(Code::Failed, format_args!("{}: {why}", native(&file.shown()))),
    })?;
    Ok((!interrupted).then_some(text))
}

/// Returns a table of the files of all installs, or `None` after Ctrl-C.
fn known(args: &Args, found: Vec<Found>, out: &mut Out) -> anyhow::Result<Option<Vec<u8>>> {
    for text in [Some(&args.source), args.edition.as_ref()].into_iter().flatten() {
        if text.trim().is_empty() || text.contains(['\t', '\n', '\r']) {
            bail!("--edition and --source need text without tabs and line ends");
        }
    }
    let work = |job: Job<'_>| {
        let (bytes, name) = (Bytes::from(job.read()?), job.file.shown());
        let facts = (Facts::of(&name, &bytes), aurora::Facts::of(&name, &bytes));
        Ok((facts, wide(bytes.len()), Sha::of(&bytes)))
    };
    let (mut survey, mut keys, mut hashes) = (Survey::default(), aurora::Survey::default(), HashMap::new());
    let hold = |_: &Result<_, String>| 1 << 10;
    let interrupted = args.jobs.each(found.into_iter(), true, out, hold, work, |out, file, seen| match seen {
        Ok(((facts, of_keys), bytes, sha256)) => {
            let path = lossless(&path_below(&args.path, &file.path));
            keys.see(path.as_str(), bytes, of_keys, None);
            survey.see(Seen::new(path.clone(), facts).with_content(bytes, Some(sha256), None));
            hashes.insert(path, sha256);
        }
        Err(why) => out.error(Code::Failed, format_args!("{}: {why}", native(&file.shown()))),
    })?;
    if interrupted {
        return Ok(None);
    }
    let sold = survey.installs(None).iter().filter_map(Sold::of).collect::<Vec<_>>();
    let keyed = keys.installs(None);
    let mut rows = Vec::new();
    for install in sold.into_iter().chain(keyed.iter().map(Sold::of_keys)) {
        let edition = if install.edition.is_empty() { KnownFile::UNIDENTIFIED } else { &install.edition };
        let edition = args.edition.as_deref().unwrap_or(edition);
        rows.extend(install.table(edition, &args.source, |path| hashes.get(path).copied()));
    }
    if rows.is_empty() {
        bail!(
            "no install of a known game in {}; name the folder that contains its folder zbd, or its chitin.key",
            args.path.display()
        );
    }
    Ok(Some(rows.concat().into_bytes()))
}
