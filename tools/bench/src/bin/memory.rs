//! `memory`: the peak of memory of one `verify`. A program of its own, because counting what is allocated costs time.

use std::path::PathBuf;

use bench::{PEAK_BASE, PEAK_FACTOR, Subjects, footing, heading, row, verdict, verify};
use bitexact::install::Found;
use clap::Parser;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Measures the peak of memory of one `verify`, reading included, and shows the worst file of each kind and game.
#[derive(Parser)]
struct Cli {
    /// Files and folders; without any, files that the forge makes
    paths: Vec<PathBuf>,
}

/// What one `verify` took beyond what was there before it.
#[derive(Clone, Copy)]
struct Peak {
    file: u64,
    peak: u64,
}

impl Peak {
    fn of(file: &Found) -> Self {
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let report = verify(file);
        let peak = ALLOCATOR.peak_usage() - before;
        Self { file: report.bytes, peak: peak as u64 }
    }

    fn times(self) -> f64 {
        self.peak as f64 / self.file.max(1) as f64
    }

    fn goal(self) -> u64 {
        PEAK_BASE + PEAK_FACTOR * self.file
    }
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let subjects = Subjects::new(&cli.paths)?;
    println!("{}\n", heading());
    println!("{}", row(["kind", "games", "file, bytes", "peak, bytes", "peak", "goal"]));
    println!("{}", row(["---", "---", "--:", "--:", "--:", "---"]));
    for subject in &subjects.all {
        // The worst is the one that comes nearest to the goal.
        let nearness = |peak: &Peak| peak.peak as f64 / peak.goal() as f64;
        let peaks = subject.files.iter().map(Peak::of);
        let Some(worst) = peaks.max_by(|one, other| nearness(one).total_cmp(&nearness(other))) else { continue };
        println!(
            "{}",
            row([
                subject.kind,
                &subject.games,
                &worst.file.to_string(),
                &worst.peak.to_string(),
                &format!("{:.1} × file", worst.times()),
                verdict(worst.peak <= worst.goal()),
            ])
        );
    }
    print!("{}", footing(subjects.left_out));
    Ok(())
}
