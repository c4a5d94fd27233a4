//! Comparison of two jobs measured in turn.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bitexact::install::Found;
use bitexact::verify::jobs::ordered;
use cpu_time::ProcessTime;

/// The minimum duration of a measured block: shorter ones depend more on the clock than on the job.
const BLOCK: Duration = Duration::from_millis(50);

/// The results of many pairs of blocks.
#[derive(Clone, Copy, Debug)]
pub struct Paired {
    /// Wall time of the job over that of the reference.
    pub wall: Spread,
    /// Processor time of all threads, as the same ratio.
    pub cpu: Spread,
    /// Bytes that the job processes per second of wall time.
    pub job_speed: Spread,
    /// Bytes that the reference processes per second of wall time.
    pub reference_speed: Spread,
}

/// The median and the range of many values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest value.
    pub min: f64,
    /// The median.
    pub median: f64,
    /// The largest value.
    pub max: f64,
}

impl Spread {
    /// Returns the spread of at least one value.
    fn of(figures: impl Iterator<Item = f64>) -> Self {
        let mut figures: Vec<f64> = figures.collect();
        figures.sort_by(f64::total_cmp);
        Self { min: figures[0], median: figures[figures.len() / 2], max: figures[figures.len() - 1] }
    }
}

/// The costs of a block.
#[derive(Clone, Copy)]
struct Took {
    wall: f64,
    cpu: f64,
}

/// Measures a job over some files relative to a reference, in pairs of blocks; every other pair begins with the reference, so that drift
/// does not favor either.
///
/// # Errors
/// Returns an error if a thread cannot be started.
pub fn compare(
    files: &[Found],
    threads: usize,
    pairs: usize,
    job: impl Fn(&Found) + Sync,
    reference: impl Fn(&Found) + Sync,
) -> Result<Paired> {
    // Run both once without measuring, which warms the caches and determines the number of rounds.
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

/// Processes the files this many times, with threads like those of `bitexact verify`.
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
    fn median_does_not_depend_on_the_order() {
        let spread = Spread::of([3.0, 1.0, 9.0, 2.0, 4.0].into_iter());
        assert_eq!(spread, Spread { min: 1.0, median: 3.0, max: 9.0 });
    }
}
