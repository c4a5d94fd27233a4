//! Two jobs measured in turn.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bitexact::install::Found;
use bitexact::verify::jobs::ordered;
use cpu_time::ProcessTime;

/// How long a measured block lasts at least: shorter ones say more about the clock than about the job.
const BLOCK: Duration = Duration::from_millis(50);

/// What many pairs of blocks say.
#[derive(Clone, Copy, Debug)]
pub struct Paired {
    /// Wall time of the job over that of the reference.
    pub wall: Spread,
    /// Processor time, of all threads, likewise.
    pub cpu: Spread,
    /// Bytes the job gets through in a second of wall time.
    pub job_speed: Spread,
    /// The same of the reference.
    pub reference_speed: Spread,
}

/// The middle and the ends of many figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least.
    pub min: f64,
    /// The one in the middle.
    pub median: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    /// The spread of at least one figure.
    fn of(figures: impl Iterator<Item = f64>) -> Self {
        let mut figures: Vec<f64> = figures.collect();
        figures.sort_by(f64::total_cmp);
        Self { min: figures[0], median: figures[figures.len() / 2], max: figures[figures.len() - 1] }
    }
}

/// What a block took.
#[derive(Clone, Copy)]
struct Took {
    wall: f64,
    cpu: f64,
}

/// Measures a job over some files beside a reference, in so many pairs of blocks; every other pair begins with the
/// reference, so that what drifts favours neither.
///
/// # Errors
/// When a thread cannot be started.
pub fn compare(
    files: &[Found],
    threads: usize,
    pairs: usize,
    job: impl Fn(&Found) + Sync,
    reference: impl Fn(&Found) + Sync,
) -> Result<Paired> {
    // Both once unmeasured, which warms the caches and says how often the files must be gone through.
    block(files, 1, threads, &job)?;
    let once = block(files, 1, threads, &reference)?.wall;
    let rounds = (BLOCK.as_secs_f64() / once).ceil() as usize;

    let mut took = Vec::with_capacity(pairs.max(1));
    for pair in 0..pairs.max(1) {
        took.push(if pair % 2 == 0 {
            let job = block(files, rounds, threads, &job)?;
            (job, block(files, rounds, threads, &reference)?)
        } else {
            let reference = block(files, rounds, threads, &reference)?;
            (block(files, rounds, threads, &job)?, reference)
        });
    }

    let sizes = files.iter().filter_map(|file| file.size.as_ref().ok());
    let bytes = sizes.sum::<u64>() as f64 * rounds as f64;
    Ok(Paired {
        wall: Spread::of(took.iter().map(|(job, reference)| job.wall / reference.wall)),
        cpu: Spread::of(took.iter().map(|(job, reference)| job.cpu / reference.cpu)),
        job_speed: Spread::of(took.iter().map(|(job, _)| bytes / job.wall)),
        reference_speed: Spread::of(took.iter().map(|(_, reference)| bytes / reference.wall)),
    })
}

/// Goes through the files so many times, spread over threads as `bitexact verify` spreads them.
fn block(files: &[Found], rounds: usize, threads: usize, job: &(impl Fn(&Found) + Sync)) -> Result<Took> {
    let work = (0..rounds).flat_map(|_| files);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let size = |file: &&Found| *file.size.as_ref().unwrap_or(&0);
    ordered(work, threads, &AtomicBool::new(false), size, |()| 0, |file| job(file), |_, ()| true)
        .context("cannot start a thread")?;
    Ok(Took { wall: wall.elapsed().as_secs_f64(), cpu: cpu.elapsed().as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_found_whatever_the_order() {
        let spread = Spread::of([3.0, 1.0, 9.0, 2.0, 4.0].into_iter());
        assert_eq!(spread, Spread { min: 1.0, median: 3.0, max: 9.0 });
    }
}
