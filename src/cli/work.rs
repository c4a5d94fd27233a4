//! Work on many files in parallel, with progress and Ctrl-C.

use std::collections::BTreeSet;
use std::iter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use bitexact::exchange::litter_in;
use bitexact::field::memory::{allowed, fits};
use bitexact::install::{Found, files, walk};
use bitexact::output::printable::{counted, grouped};
use bitexact::registry::KINDS;
use bitexact::verify::jobs::{self, Budget, Share};
use bitexact::verify::{Candidate, VerifyOptions};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::Code;
use super::inside::Archive;
use super::out::Out;
use super::signals::Stoppable;
use super::target::say_interrupted;

/// The number of parallel jobs.
#[derive(clap::Args, Default)]
pub(crate) struct Jobs {
    /// Number of files to process in parallel [default: number of CPUs]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// The ignored files and folders of editors, systems and version control.
#[derive(Default)]
pub(crate) struct Litter(Mutex<BTreeSet<String>>);

impl Litter {
    /// Returns `true` if a file is wanted: it is no litter below `root`, or the user has named it.
    pub(crate) fn spares(&self, root: &Path, file: &Path) -> bool {
        let Some(until) = file.strip_prefix(root).ok().and_then(litter_in) else { return true };
        if let Ok(mut known) = self.0.lock() {
            known.insert(root.join(until).display().to_string());
        }
        false
    }

    /// Prints what was ignored, on one line.
    pub(crate) fn say(self, out: &Out) {
        out.ignored(self.0.into_inner().unwrap_or_default().into_iter());
    }
}

/// Returns the files below a folder, or the file itself, and prints what is ignored.
pub(crate) fn wanted(path: &Path, out: &Out) -> anyhow::Result<Vec<Found>> {
    say_interrupted(path, out);
    Ok(without_litter(path, files(path).with_context(|| path.display().to_string())?, out))
}

/// Returns what [`wanted`] does, or the files inside an archive.
pub(crate) fn wanted_inside(path: &Path, out: &Out) -> anyhow::Result<Vec<Found>> {
    let Some(archive) = Archive::of(path) else { return wanted(path, out) };
    Ok(without_litter(path, archive.files(path).with_context(|| path.display().to_string())?, out))
}

/// Drops litter from the files below a folder, and prints what is ignored.
fn without_litter(path: &Path, mut found: Vec<Found>, out: &Out) -> Vec<Found> {
    let litter = Litter::default();
    found.retain(|file| litter.spares(path, &file.path));
    litter.say(out);
    found
}

/// Returns the files at and below some paths and inside those that are archives, without litter, and reports paths that cannot be read.
pub(crate) fn found<'a>(
    paths: &'a [PathBuf],
    litter: &'a Litter,
    out: &mut Out,
) -> impl Iterator<Item = Found> + Send + 'a {
    let mut walks: Vec<Box<dyn Iterator<Item = Found> + Send + 'a>> = Vec::new();
    for path in paths {
        say_interrupted(path, out);
        let only = |size| Box::new(iter::once(Found::new(path.clone(), size)));
        walks.push(match path.to_str() {
            Some("-") => only(Ok(0)),
            _ => match Archive::of(path).map(|archive| archive.files(path)) {
                Some(Ok(found)) => Box::new(found.into_iter().filter(move |file| litter.spares(path, &file.path))),
                Some(Err(error)) => {
                    out.error(Code::Failed, format_args!("{}: {error:#}", path.display()));
                    only(Err(format!("{error:#}")))
                }
                None => match walk(path) {
                    Ok(found) => Box::new(found.filter(move |file| litter.spares(path, &file.path))),
                    Err(error) => {
                        let why = unexpanded(path).map_or_else(|| error.to_string(), str::to_owned);
                        out.error(Code::Failed, format_args!("{}: {why}", path.display()));
                        only(Err(why))
                    }
                },
            },
        });
    }
    walks.into_iter().flatten()
}

/// Returns why a name with a pattern is no file: some shells, such as `cmd.exe`, do not expand patterns.
fn unexpanded(path: &Path) -> Option<&'static str> {
    let name = path.to_str()?;
    name.contains(['*', '?'])
        .then_some("no file has this name, and the shell has found none for it; name the folder instead")
}

/// A file that is being worked on, and the memory for it.
pub(crate) struct Job<'a> {
    pub(crate) file: &'a Found,
    share: Share<'a>,
}

impl<'a> Job<'a> {
    /// Waits until the bytes of the file have their share of a budget.
    pub(crate) fn within(budget: &'a Budget, file: &'a Found) -> Self {
        // A file larger than the budget is not read.
        let bytes = Some(size(file)).filter(|bytes| *bytes <= budget.limit()).unwrap_or(0);
        Self { file, share: budget.share(bytes) }
    }

    /// Returns the bytes of the file.
    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        fits(size(self.file)).map_err(|error| error.to_string())?;
        match self.file.path.to_str() {
            Some("-") => super::read(&self.file.path).map_err(|error| error.to_string()),
            _ => self.file.read(),
        }
    }

    /// Reads and recognizes the file, and waits for the memory needed to verify it.
    pub(crate) fn candidate(&mut self, how: VerifyOptions) -> Result<Candidate, String> {
        let candidate = |bytes| Candidate::new(KINDS, &self.file.name(), bytes);
        let first = candidate(self.read()?);
        // The estimate is that of the worst file of this size, so it is no reason to refuse the file. If it exceeds the limit,
        // the file waits until it is alone, and is refused only if it really needs more.
        let memory = first.memory(how);
        if self.share.try_resize(memory) {
            return Ok(first);
        }
        if self.file.path.to_str() == Some("-") {
            self.share.resize(memory);
            return Ok(first);
        }
        // Two files that hold their bytes while waiting could wait for each other forever, so this one is read again.
        drop(first);
        self.share.resize(0);
        self.share.resize(memory);
        Ok(Candidate::new(KINDS, &self.file.name(), self.read()?))
    }
}

/// Returns the size of a file, or 0 if it cannot be read.
pub(crate) fn size(file: &Found) -> u64 {
    *file.size.as_ref().unwrap_or(&0)
}

impl Jobs {
    /// Returns the number of worker threads.
    pub(crate) fn threads(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Does `work` on every file, and passes each result to `sink` in the order of the files, until stdout is closed. Returns
    /// `true` if Ctrl-C ended it.
    ///
    /// All files share a memory budget. A file has a share as large as itself, and `work` asks for more.
    ///
    /// Files are processed while `found` goes on to find others.
    ///
    /// With `progress`, a progress bar counts the bytes, on a terminal only. A panic prints no message, because it is part of
    /// the result of its file.
    pub(crate) fn each<R: Send>(
        &self,
        found: impl Iterator<Item = Found> + Send,
        progress: bool,
        out: &mut Out,
        hold: impl Fn(&R) -> u64 + Sync,
        work: impl Fn(Job<'_>) -> R + Sync,
        mut sink: impl FnMut(&mut Out, &Found, R),
    ) -> anyhow::Result<bool> {
        let stoppable = Stoppable::new();
        if !out.verbose {
            // The row of the file reports the panic.
            std::panic::set_hook(Box::new(|_| {}));
        }
        let bar = bar(progress && !out.is_quiet());
        let budget = Budget::of(allowed());
        let work = |file: &Found| work(Job::within(&budget, file));
        let (all, mut done) = (AtomicU64::new(0), 0_u64);
        let found = found.inspect(|file| {
            all.fetch_add(1, Ordering::Relaxed);
            bar.inc_length(size(file));
        });
        let outcome = jobs::ordered(found, self.threads(), stoppable.stop(), size, hold, work, |file, result| {
            bar.suspend(|| sink(out, file, result));
            done += 1;
            bar.set_message(format!("{} of {}", grouped(done), counted(all.load(Ordering::Relaxed), "file")));
            bar.inc(size(file));
            !out.is_closed()
        });
        bar.finish_and_clear();
        outcome.context("cannot start a thread")?;
        Ok(stoppable.stop().load(Ordering::Relaxed))
    }
}

/// Returns a progress bar over the bytes found so far, on a terminal only.
fn bar(wanted: bool) -> ProgressBar {
    let target = if wanted && super::watched() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    /// The first files say little about the time that the others need.
    const TOO_SOON: Duration = Duration::from_secs(2);
    let style = ProgressStyle::with_template("{wide_bar} {msg}, {bytes} of {total_bytes}{left}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let left = |state: &ProgressState, to: &mut dyn core::fmt::Write| {
        if state.elapsed() >= TOO_SOON {
            let _ = write!(to, ", {} left", HumanDuration(state.eta()));
        }
    };
    ProgressBar::with_draw_target(Some(0), target).with_style(style.with_key("left", left))
}
