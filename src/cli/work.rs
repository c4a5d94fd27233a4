//! Work on many files at once, and those who watch it: progress, Ctrl-C.

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;

use anyhow::Context as _;
use bitexact::field::limits;
use bitexact::install::Found;
use bitexact::jobs::{self, Budget};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::out::Out;
use super::signals::Gentle;

/// How much is done at once.
#[derive(clap::Args)]
pub(crate) struct Jobs {
    /// How many files at once [default: one a processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl Jobs {
    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Does `work` on every file, and hands each result to `sink` in the order of the files, until nobody reads stdout
    /// any more. Gives whether Ctrl-C ended it.
    ///
    /// One file takes up to `factor` times its size of memory, and all together share a budget of it.
    ///
    /// With `progress`, it is shown over the bytes, on a terminal only. A panic is not told: it is a result like any other.
    pub(crate) fn each<R: Send>(
        &self,
        found: &[Found],
        factor: u64,
        progress: bool,
        out: &mut Out,
        work: impl Fn(&Found) -> R + Sync,
        mut sink: impl FnMut(&mut Out, &Found, R),
    ) -> anyhow::Result<bool> {
        let gentle = Gentle::new();
        if !out.verbose {
            // A panic is told in the row of its file.
            std::panic::set_hook(Box::new(|_| {}));
        }
        let bar = bar(progress && !out.is_quiet(), found);
        let size = |file: &Found| *file.size.as_ref().unwrap_or(&0);
        let budget = Budget::of(limits::MEMORY);
        let work = |file: &Found| {
            let share = budget.share(size(file).saturating_mul(factor));
            let result = work(file);
            drop(share);
            result
        };
        let outcome = jobs::ordered(found, self.threads(), gentle.stop(), size, work, |file, result| {
            bar.suspend(|| sink(out, file, result));
            bar.inc(size(file));
            !out.is_closed()
        });
        bar.finish_and_clear();
        outcome.context("cannot start a thread")?;
        Ok(gentle.stop().load(Ordering::Relaxed))
    }
}

/// Progress over the bytes, on a terminal only.
fn bar(wanted: bool, found: &[Found]) -> ProgressBar {
    let total = found.iter().filter_map(|file| file.size.as_ref().ok()).sum();
    let target = if wanted && super::watched() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {bytes} of {total_bytes}, {eta} left");
    ProgressBar::with_draw_target(Some(total), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
