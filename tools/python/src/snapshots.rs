//! `snapshot`, and what has changed in an install since one.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitexact::exchange::litter_in;
use bitexact::install::aurora;
use bitexact::install::known::Sold;
use bitexact::install::snapshot::{Change, Moves, Snapshot, path_below, print, sums_line};
use bitexact::install::zipper::{Facts, KnownFile, Seen, Survey};
use bitexact::install::{Found, lossless};
use bitexact::json::Compact;
use bitexact::passes::Sha;
use bitexact::verify::{Report, Row, VerifyOptions};
use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::commands::json;
use crate::failure::{Done, Failure};
use crate::folders::{each, found, report, threads};
use crate::source::bytes_of;
use crate::work::work;

/// Returns the text of a snapshot of a folder, a list of `sha256sum`, or a table of known files. `known` is the edition, if it is given, and
/// the source.
#[pyfunction]
pub(crate) fn snapshot<'py>(
    py: Python<'py>,
    path: PathBuf,
    sha256sum: bool,
    known: Option<(Option<String>, String)>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let text = work(py, || {
        let files = found(std::slice::from_ref(&path))?;
        if files.is_empty() {
            return Err(Failure::new("nothing to record: no files").of(&path));
        }
        match (known, sha256sum) {
            (Some(known), _) => table(&path, files, known, threads(jobs)),
            (None, true) => sums(&path, files, threads(jobs)),
            (None, false) => rows(&path, files, threads(jobs)),
        }
    })?;
    Ok(PyBytes::new(py, &text?))
}

fn rows(path: &Path, files: Vec<Found>, threads: usize) -> Done<PyResult<Vec<u8>>> {
    let how = VerifyOptions::default().counts(true).spread(threads > 1);
    let mut rows = Vec::new();
    let job = |file: &Found, bytes: Done<Bytes>| report(file, bytes, how);
    let done = each(files, threads, Report::memory, job, |file, report| {
        rows.push(Row::of_snapshot(lossless(&path_below(path, &file.path)), &report));
        Ok(())
    })?;
    let text = print(&rows).map_err(|why| Failure::new(why.to_string()))?;
    Ok(done.map(|()| text.into_bytes()))
}

fn sums(path: &Path, files: Vec<Found>, threads: usize) -> Done<PyResult<Vec<u8>>> {
    let mut text = Vec::new();
    let job = |_: &Found, bytes: Done<Bytes>| bytes.map(|bytes| Sha::of(&bytes));
    let done = each(
        files,
        threads,
        |_| HELD,
        job,
        |file, sha256| {
            text.extend(sums_line(sha256.map_err(|why| why.of(&file.path))?, &path_below(path, &file.path)));
            Ok(())
        },
    )?;
    Ok(done.map(|()| text))
}

/// The approximate memory of a line, in bytes.
const HELD: u64 = 1 << 10;

fn table(
    path: &Path,
    files: Vec<Found>,
    (edition, source): (Option<String>, String),
    threads: usize,
) -> Done<PyResult<Vec<u8>>> {
    let texts = edition.iter().chain([&source]);
    if texts.into_iter().any(|text| text.trim().is_empty() || text.contains(['\t', '\n', '\r'])) {
        return Err(Failure::new("edition and source need text without tabs and line ends"));
    }
    let job = |file: &Found, bytes: Done<Bytes>| {
        let (bytes, name) = (bytes?, file.shown());
        Ok((Facts::of(&name, &bytes), aurora::Facts::of(&name, &bytes), bytes.len() as u64, Sha::of(&bytes)))
    };
    let (mut survey, mut keys, mut hashes) = (Survey::default(), aurora::Survey::default(), HashMap::new());
    let done = each(
        files,
        threads,
        |_| HELD,
        job,
        |file, seen: Done<_>| {
            let (facts, of_keys, bytes, sha256) = seen.map_err(|why| why.of(&file.path))?;
            let path = lossless(&path_below(path, &file.path));
            keys.see(path.as_str(), bytes, of_keys, None);
            survey.see(Seen::new(path.clone(), facts).with_content(bytes, Some(sha256), None));
            hashes.insert(path, sha256);
            Ok(())
        },
    )?;
    let sold = survey.installs(None).iter().filter_map(Sold::of).collect::<Vec<_>>();
    let keyed = keys.installs(None);
    let mut rows = Vec::new();
    for install in sold.into_iter().chain(keyed.iter().map(Sold::of_keys)) {
        let found = if install.edition.is_empty() { KnownFile::UNIDENTIFIED } else { &install.edition };
        let edition = edition.as_deref().unwrap_or(found);
        rows.extend(install.table(edition, &source, |path| hashes.get(path).copied()));
    }
    match rows.is_empty() {
        true => Err(Failure::new(
            "no install of a known game; name the folder that contains its folder zbd, or its chitin.key",
        )
        .of(path)),
        false => Ok(done.map(|()| rows.concat().into_bytes())),
    }
}

/// Returns the rows of `verify --against --json` for what has changed in a folder since a snapshot, as JSON.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    path: PathBuf,
    list: PathBuf,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Vec<String>> {
    work(py, || {
        let text = bytes_of(&list)?;
        let mut snapshot = Snapshot::parse(&text).map_err(|why| Failure::new(why.to_string()).of(&list))?;
        let (threads, other) = (threads(jobs), snapshot.other_digest());
        let how = VerifyOptions::default().counts(true).spread(threads > 1);
        let job = |file: &Found, bytes: Done<Bytes>| {
            let digest = other.zip(bytes.as_ref().ok()).map(|(kind, bytes)| kind.of(bytes, None));
            (report(file, bytes, how), digest)
        };
        let (mut new, mut findings) = (Vec::new(), Vec::new());
        let mut files = found(std::slice::from_ref(&path))?;
        let is_list = |file: &Found| same_file(&file.path, &list);
        files.retain(|file| !is_list(file));
        let held = |(report, _): &(Report, _)| report.memory();
        let done = each(files, threads, held, job, |file, (report, digest)| {
            let below = lossless(&path_below(&path, &file.path));
            let finding = snapshot.compare(&Row::of_snapshot(below, &report), digest.as_deref());
            match finding {
                Some(finding) if finding.change == Change::New => new.push(finding),
                Some(finding) => findings.push(finding),
                None => {}
            }
            Ok(())
        })?;
        let Moves { findings: others, .. } = snapshot.moves(new);
        // Litter is not looked at, so that it counts as missing in lists of other programs.
        findings.extend(
            others.into_iter().filter(|it| it.change != Change::Missing || litter_in(Path::new(&it.path)).is_none()),
        );
        Ok(done.map(|()| findings.iter().map(|it| json(&Compact(&it.row()))).collect()))
    })?
}

fn same_file(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
