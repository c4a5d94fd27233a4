//! What the program does with many files: `verify`, `lint`, and the installs among them.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use bitexact::field::memory;
use bitexact::install::certificate::{Certificate, Facts, Inventory};
use bitexact::install::known::KnownList;
use bitexact::install::zipper;
use bitexact::install::{Found, walk};
use bitexact::json::Compact;
use bitexact::lint::{Scope, Warning};
use bitexact::registry::{KINDS, traps};
use bitexact::verify::jobs::{self, Budget};
use bitexact::verify::{Candidate, EntryRow, Linted, Report, Row, SCHEMA, VerifyOptions, verify_with};
use bytes::Bytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::commands::json;
use crate::failure::{Done, Failure};
use crate::source::{bytes_of, name_of};
use crate::warned::{Warned, warn};
use crate::work::work;

/// The number of threads that a user asks for; all processors without a wish.
pub(crate) fn threads(jobs: Option<NonZeroUsize>) -> usize {
    jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Returns the files at and below some paths.
pub(crate) fn found(paths: &[PathBuf]) -> Done<Vec<Found>> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(walk(path).map_err(|error| Failure::from(error).of(path))?);
    }
    Ok(found)
}

/// Does work on every file, on several threads, and takes the results in the order of the files. Ctrl-C ends it.
pub(crate) fn each<R: Send>(
    files: Vec<Found>,
    threads: usize,
    held: impl Fn(&R) -> u64 + Sync,
    job: impl Fn(&Found, Done<Bytes>) -> R + Sync,
    mut take: impl FnMut(&Found, R) -> Done,
) -> Done<PyResult<()>> {
    let budget = Budget::of(memory::allowed());
    let size = |file: &Found| *file.size.as_ref().unwrap_or(&0);
    let job = |file: &Found| {
        let _share = budget.share(size(file).min(budget.limit()));
        // The estimate of the whole work is checked while the file is decoded.
        let bytes = fits(size(file)).and_then(|()| file.read());
        job(file, bytes.map(Bytes::from).map_err(Failure::new))
    };
    let (stop, mut done, mut interrupted) = (AtomicBool::new(false), Ok(()), Ok(()));
    jobs::ordered(files.into_iter(), threads, &stop, size, held, job, |file, result| {
        interrupted = Python::attach(|py| py.check_signals());
        if interrupted.is_ok() {
            done = take(file, result);
        }
        let goes_on = interrupted.is_ok() && done.is_ok();
        if !goes_on {
            stop.store(true, Ordering::Relaxed);
        }
        goes_on
    })?;
    done.map(|()| interrupted)
}

/// Returns an error if the bytes of a file alone are more than the memory allowed.
fn fits(bytes: u64) -> Result<(), String> {
    let limit = memory::allowed();
    match bytes > limit {
        true => Err(format!("has {bytes} bytes, more than the memory limit of {limit}; set memory_limit() higher")),
        false => Ok(()),
    }
}

/// Verifies a file, or reports that it cannot be read.
pub(crate) fn report(file: &Found, bytes: Done<Bytes>, how: VerifyOptions) -> Report {
    match bytes {
        Ok(bytes) => verify_with(KINDS, &file.name(), bytes, how),
        Err(why) => Report::unreadable(why.why()),
    }
}

/// Reads a list of known files.
fn known_list(path: Option<&Path>) -> Done<Option<KnownList>> {
    let read = |path: &Path| {
        let list = KnownList::parse(&bytes_of(path)?, &path.display().to_string());
        list.map_err(|why| Failure::new(why.to_string()).of(path))
    };
    path.map(read).transpose()
}

/// What a run of `verify` has found: the row of each file with those of its entries, and the installs.
#[derive(Default)]
struct Verified {
    rows: Vec<(Row, Vec<String>)>,
    installs: Vec<Certificate>,
}

/// Verifies the files at and below some paths.
fn verified(
    paths: &[PathBuf],
    (how, entries): (VerifyOptions, bool),
    known: Option<&Path>,
    jobs: Option<NonZeroUsize>,
) -> Done<PyResult<Verified>> {
    let (threads, known) = (threads(jobs), known_list(known)?);
    let how = how.entries(entries).spread(threads > 1);
    let job = |file: &Found, bytes: Done<Bytes>| {
        let copy = bytes.as_ref().ok().cloned();
        let mut report = report(file, bytes, how);
        let facts = copy.map(|bytes| Facts::of(&file.shown(), &bytes, &report, known.as_ref()));
        facts.iter().for_each(|facts| facts.note(&mut report));
        (facts.unwrap_or_default(), report)
    };
    let folders = paths.iter().filter(|path| path.is_dir());
    let mut inventories: Vec<Inventory> = folders.map(|folder| Inventory::new(folder)).collect();
    let mut found_here = Verified::default();
    let held = |(_, report): &(Facts, Report)| report.memory();
    let done = each(found(paths)?, threads, held, job, |file, (facts, report)| {
        inventories.iter_mut().for_each(|it| it.see(&file.path, &facts, &report));
        let path = file.shown();
        let inner = report.entries.iter().filter(|_| entries).map(|entry| json(&EntryRow::new(&path, entry))).collect();
        found_here.rows.push((Row::new(path, &report), inner));
        Ok(())
    })?;
    found_here.installs = inventories.iter().flat_map(|it| it.certificates(known.as_ref())).collect();
    Ok(done.map(|()| found_here))
}

impl Verified {
    /// Returns the rows of the files and entries. Those of files name the install around them, as those of the program do.
    fn rows(self) -> Vec<String> {
        let mut around = HashMap::new();
        for install in &self.installs {
            let root = Path::new(&install.root);
            let unexpected: HashSet<&str> = install.unexpected.iter().map(String::as_str).collect();
            for file in install.files.iter() {
                let game = install.game.filter(|_| !unexpected.contains(&*file.path));
                around.insert(Found::new(root.join(&file.path), Ok(0)).shown(), (install, game));
            }
        }
        let mut rows = Vec::new();
        for (mut row, inner) in self.rows {
            if let Some((install, game)) = around.get(&row.path) {
                let code = game.map(|game| game.code().to_owned());
                let code = code.filter(|code| row.game.is_none() && (row.games.is_empty() || row.games.contains(code)));
                if code.is_some() {
                    (row.game, row.games) = (code, Vec::new());
                }
                row.edition = Some(install.edition.clone()).filter(|edition| !edition.is_empty());
                row.root = Some(install.root.clone());
            }
            rows.push(json(&row));
            rows.extend(inner);
        }
        rows
    }
}

/// Returns the rows of `verify --json` for the files at and below some paths, as JSON.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    with: (bool, bool, bool),
    known: Option<PathBuf>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Vec<String>> {
    let (entries, rules, via_exchange) = with;
    let how = VerifyOptions::default().rules(rules).via_exchange(via_exchange);
    work(py, || Ok(verified(&paths, (how, entries), known.as_deref(), jobs)?.map(Verified::rows)))?
}

/// Returns the rows of `verify --json` for the installs below some folders, as JSON.
#[pyfunction]
pub(crate) fn installs(
    py: Python<'_>,
    folders: Vec<PathBuf>,
    known: Option<PathBuf>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Vec<String>> {
    work(py, || {
        let verified = verified(&folders, (VerifyOptions::default(), false), known.as_deref(), jobs)?;
        Ok(verified.map(|it| it.installs.iter().map(|install| json(&Compact(&install.row()))).collect()))
    })?
}

/// Returns the rows of `lint --json` for the files at and below some paths, as JSON. An error is that of a file that does not decode, and
/// a warning that of one in a folder. `all` also tells warnings that are usual in unedited
/// files; those with an id of `allow` are left out.
#[pyfunction]
pub(crate) fn lint(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    all: bool,
    allow: Vec<String>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Vec<String>> {
    if let Some(id) = allow.iter().find(|id| traps().iter().all(|trap| trap.id != **id)) {
        return Err(PyValueError::new_err(format!("no warning has the id {id:?}")));
    }
    let found_here = work(py, || {
        let job = |file: &Found, bytes: Done<Bytes>| match bytes {
            Ok(bytes) => {
                let facts = zipper::Facts::of(&file.shown(), &bytes);
                let name = name_of(&file.path);
                (Candidate::new(KINDS, &name, bytes).lint(VerifyOptions::default()), facts)
            }
            Err(why) => (Linted::unreadable(why.why()), zipper::Facts::default()),
        };
        let is_told = |it: &Warning| (all || !is_usual(it)) && !allow.iter().any(|id| *id == it.trap.id);
        let mut surveys: Vec<_> =
            paths.iter().filter(|it| it.is_dir()).map(|it| (it, zipper::Survey::default())).collect();
        let (mut rows, mut unread) = (Vec::new(), Vec::new());
        let held = |(linted, _): &(Linted, _)| HELD.saturating_mul(linted.warnings.len() as u64);
        let done = each(found(&paths)?, threads(jobs), held, job, |file, (linted, facts)| {
            for (folder, survey) in &mut surveys {
                if let Ok(inner) = file.path.strip_prefix(folder) {
                    survey.see(zipper::Seen::new(inner.to_string_lossy().replace('\\', "/"), facts));
                }
            }
            match &linted.failure {
                Some(failure) if paths.contains(&file.path) => return Err(Failure::from(failure).of(&file.path)),
                Some(failure) => unread.push(Warned::from(format!("{}: {failure}", file.shown()))),
                None => {}
            }
            let told = linted.warnings.iter().filter(|it| is_told(it));
            rows.extend(told.map(|it| row(&file.shown(), linted.kind, it)));
            Ok(())
        })?;
        for (folder, survey) in surveys {
            for install in survey.installs(None) {
                let told = install.warnings().filter(|(_, it)| is_told(it));
                rows.extend(told.map(|(path, it)| row(&Found::new(folder.join(path), Ok(0)).shown(), None, &it)));
            }
        }
        Ok(done.map(|()| (rows, unread)))
    })?;
    let (rows, unread) = found_here?;
    warn(py, unread)?;
    Ok(rows)
}

/// Returns `true` for warnings that unedited files have too.
pub(crate) fn is_usual(warning: &Warning) -> bool {
    matches!(warning.trap.scope, Scope::Addition | Scope::Change)
}

/// The approximate memory of a warning, in bytes.
const HELD: u64 = 512;

/// Returns the row of a warning, as `lint --json` prints it.
pub(crate) fn row(path: &str, kind: Option<&str>, warning: &Warning) -> String {
    let Warning { trap, place, count, first_place, .. } = warning;
    let mut row = serde_json::json!({
        "schema": SCHEMA, "path": path, "kind": kind, "id": trap.id, "place": place, "count": count,
        "first_place": first_place.to_string(), "message": warning.message(), "effect": trap.effect, "source": trap.source,
    });
    if let (None, Some(members)) = (kind, row.as_object_mut()) {
        members.remove("kind");
    }
    row.to_string()
}
