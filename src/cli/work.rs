//! Work on many files at once, and those who watch it: progress, Ctrl-C.

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;

use anyhow::Context as _;
use bitexact::field::memory::allowed;
use bitexact::install::Found;
use bitexact::registry::KINDS;
use bitexact::verify::jobs::{self, Budget, Share};
use bitexact::verify::{Candidate, How};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::memory;
use super::out::Out;
use super::signals::Gentle;

/// How much is done at once.
#[derive(clap::Args)]
pub(crate) struct Jobs {
    /// How many files at once [default: one a processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// A file that is being worked on, and the memory for it.
pub(crate) struct Job<'a> {
    pub(crate) file: &'a Found,
    share: Share<'a>,
}

impl Job<'_> {
    /// The bytes of the file.
    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        let size = *self.file.size.as_ref().unwrap_or(&0);
        memory::fits(size).map_err(|error| error.to_string())?;
        match self.file.path.to_str() {
            Some("-") => super::read(&self.file.path).map_err(|error| error.to_string()),
            _ => self.file.read(),
        }
    }

    /// Reads the file, recognizes it, and waits for the memory that it takes to verify it.
    pub(crate) fn candidate(&mut self, how: How) -> Result<Candidate, String> {
        let candidate = |bytes| Candidate::new(KINDS, &self.file.name(), bytes);
        let first = candidate(self.read()?);
        // What only the worst file of its size takes is no reason to refuse this one. If it is more than the limit, the file waits
        // until it is alone, and is refused when it really takes more.
        let memory = first.memory(how);
        if self.share.try_resize(memory) {
            return Ok(first);
        }
        if self.file.path.to_str() == Some("-") {
            self.share.resize(memory);
            return Ok(first);
        }
        // Two files that keep their bytes while they wait could wait for each other forever, so this one is read again.
        drop(first);
        self.share.resize(0);
        self.share.resize(memory);
        Ok(Candidate::new(KINDS, &self.file.name(), self.read()?))
    }
}

impl Jobs {
    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Does `work` on every file, and hands each result to `sink` in the order of the files, until nobody reads stdout
    /// any more. Gives whether Ctrl-C ended it.
    ///
    /// All files share a budget of memory. A file has a share as large as itself, and `work` asks for more.
    ///
    /// Files are worked on while `found` goes on to find others.
    ///
    /// With `progress`, it is shown over the bytes, on a terminal only. A panic is not told: it is a result like any other.
    pub(crate) fn each<R: Send>(
        &self,
        found: impl Iterator<Item = Found> + Send,
        progress: bool,
        out: &mut Out,
        hold: impl Fn(&R) -> u64 + Sync,
        work: impl Fn(Job<'_>) -> R + Sync,
        mut sink: impl FnMut(&mut Out, &Found, R),
    ) -> anyhow::Result<bool> {
        let gentle = Gentle::new();
        if !out.verbose {
            // A panic is told in the row of its file.
            std::panic::set_hook(Box::new(|_| {}));
        }
        let bar = bar(progress && !out.is_quiet());
        let size = |file: &Found| *file.size.as_ref().unwrap_or(&0);
        let budget = Budget::of(allowed());
        let work = |file: &Found| {
            // What is larger than the budget is not read.
            let bytes = Some(size(file)).filter(|bytes| *bytes <= budget.limit()).unwrap_or(0);
            work(Job { file, share: budget.share(bytes) })
        };
        let found = found.inspect(|file| bar.inc_length(size(file)));
        let outcome = jobs::ordered(found, self.threads(), gentle.stop(), size, hold, work, |file, result| {
            bar.suspend(|| sink(out, file, result));
            bar.inc(size(file));
            !out.is_closed()
        });
        bar.finish_and_clear();
        outcome.context("cannot start a thread")?;
        Ok(gentle.stop().load(Ordering::Relaxed))
    }
}

/// Progress over the bytes known so far, on a terminal only.
fn bar(wanted: bool) -> ProgressBar {
    let target = if wanted && super::watched() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {bytes} of {total_bytes}, {eta} left");
    ProgressBar::with_draw_target(Some(0), target).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
