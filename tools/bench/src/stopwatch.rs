//! Costs of a whole process: wall time, processor time and peak memory.
//!
//! The system counts the peak of a parent process as the first peak of its child. A benchmark that held a large file would measure itself.
//! So it starts itself again as a stopwatch, which holds no data, and the stopwatch starts the program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use wait4::Wait4 as _;

/// The first argument of a stopwatch.
const FLAG: &str = "--stopwatch";

/// The costs of a process, or of several in sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// From its start to its end.
    pub wall: Duration,
    /// Processor time of all its threads, in the program and in the system.
    pub cpu: Duration,
    /// Maximum resident memory, in bytes.
    pub peak: u64,
}

impl Spent {
    /// Returns the least time and the most memory of two runs.
    #[must_use]
    pub fn best(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu), peak: self.peak.max(other.peak) }
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        *self = Self { wall: self.wall + other.wall, cpu: self.cpu + other.cpu, peak: self.peak.max(other.peak) };
    }
}

/// Returns the program as it is published, which is next to the folder of this program's profile.
///
/// # Errors
/// Returns an error if there is none.
pub fn published() -> Result<PathBuf> {
    let this = env::current_exe().context("cannot find this program, beside which the published one is")?;
    let target = this.parent().and_then(Path::parent).context("expected this program in a folder of cargo")?;
    let program = target.join("dist").join(format!("bitexact{}", env::consts::EXE_SUFFIX));
    let shown = program.display();
    ensure!(
        program.is_file(),
        "{shown}: no such file; run `cargo build --profile dist -p bitexact`, or use --bitexact PATH"
    );
    Ok(program)
}

/// Runs a program and measures it. The calling program must begin with [`stopwatch`].
///
/// # Errors
/// Returns an error if the program cannot be started or fails, with what it wrote to stderr.
pub fn measure(program: &Path, args: &[&OsStr]) -> Result<Spent> {
    let stopwatch = env::current_exe().context("cannot find this program, which has to start itself again")?;
    let mut command = Command::new(&stopwatch);
    let output = command.arg(FLAG).arg(program).args(args).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("{}: cannot be started", stopwatch.display()))?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim_end());
    let printed = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<u64> = printed.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
    let [wall, cpu, peak] = figures[..] else { bail!("expected three figures of a stopwatch, found {printed:?}") };
    Ok(Spent { wall: Duration::from_nanos(wall), cpu: Duration::from_nanos(cpu), peak })
}

/// Acts as a stopwatch and returns its exit code, or `None` if this process is not one. Must come first in `main`.
#[must_use]
pub fn stopwatch() -> Option<ExitCode> {
    let mut args = env::args_os().skip(1);
    (args.next()? == FLAG).then(|| match clock(args) {
        Ok(Spent { wall, cpu, peak }) => {
            println!("{} {} {peak}", wall.as_nanos(), cpu.as_nanos());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    })
}

/// Starts a program and waits for its end.
fn clock(mut args: impl Iterator<Item = OsString>) -> Result<Spent> {
    let program = args.next().with_context(|| format!("{FLAG}: expected a program to measure"))?;
    let shown = Path::new(&program).display();
    let mut command = Command::new(&program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("{shown}: cannot be started"))?;
    let done = child.wait4().with_context(|| format!("{shown}: cannot be waited for"))?;
    let wall = start.elapsed();
    ensure!(done.status.success(), "{shown}: {}", done.status);
    Ok(Spent { wall, cpu: done.rusage.utime + done.rusage.stime, peak: done.rusage.maxrss })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_of_two_runs_has_the_least_time_and_the_most_memory() {
        let spent =
            |wall, cpu, peak| Spent { wall: Duration::from_millis(wall), cpu: Duration::from_millis(cpu), peak };
        assert_eq!(spent(5, 9, 3).best(spent(7, 2, 4)), spent(5, 2, 4));
    }

    #[test]
    fn sum_of_two_runs_adds_times_and_keeps_the_larger_peak() {
        let second = Spent { wall: Duration::from_secs(1), cpu: Duration::from_secs(2), peak: 7 };
        let mut sum = Spent { peak: 8, ..second };
        sum += second;
        assert_eq!(sum, Spent { wall: Duration::from_secs(2), cpu: Duration::from_secs(4), peak: 8 });
    }
}
