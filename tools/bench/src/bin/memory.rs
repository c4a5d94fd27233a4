//! `memory`: the peak memory of one `verify`. A separate program, because counting allocations costs time.

use std::path::PathBuf;

use bench::{Subject, Subjects, footing, heading, row, verdict, verify, verify_through_exchange};
use bitexact::field::limits;
use bitexact::install::Found;
use bitexact::verify::Report;
use clap::Parser;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Measure the peak memory of one `verify`, including reading, and show the worst file of each kind and game
#[derive(Parser)]
struct Cli {
    /// Files and folders; without any, generated files
    paths: Vec<PathBuf>,
    /// Instead of the generated files, measure one container of about this many million bytes
    #[arg(long, value_name = "MB", conflicts_with = "paths")]
    hak: Option<usize>,
}

/// The allowed multiple of the file size.
type Goal = u64;

/// The memory that one `verify` used in addition to earlier allocations.
#[derive(Clone, Copy)]
struct Peak {
    file: u64,
    peak: u64,
}

impl Peak {
    fn of(file: &Found, verify: fn(&Found) -> Report) -> Self {
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let report = verify(file);
        let peak = ALLOCATOR.peak_usage() - before;
        Self { file: report.bytes, peak: peak as u64 }
    }

    /// Returns the peak closest to the limit.
    fn worst(subject: &Subject, verify: fn(&Found) -> Report, factor: Goal) -> Option<Self> {
        let nearness = |peak: &Self| peak.peak as f64 / peak.allowed(factor) as f64;
        let peaks = subject.files.iter().map(|file| Self::of(file, verify));
        peaks.max_by(|one, other| nearness(one).total_cmp(&nearness(other)))
    }

    fn allowed(self, factor: Goal) -> u64 {
        limits::MEMORY_BASE + factor * self.file
    }

    fn cells(self, factor: Goal) -> [String; 4] {
        let times = self.peak as f64 / self.file.max(1) as f64;
        let verdict = verdict(self.peak <= self.allowed(factor)).to_owned();
        [self.file.to_string(), self.peak.to_string(), format!("{times:.1} × file"), verdict]
    }
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let subjects = Subjects::new(&cli.paths, cli.hak)?;
    println!("{}\n", heading());
    let [file, times, goal] = ["file, bytes", "peak", "goal"];
    println!(
        "{}",
        row(["kind", "games", file, "verify, bytes", times, goal, file, "via exchange, bytes", times, goal])
    );
    println!("{}", row(["---", "---", "--:", "--:", "--:", "---", "--:", "--:", "--:", "---"]));
    for subject in &subjects.all {
        let (plain, exchange) = (limits::MEMORY_FACTOR, limits::MEMORY_FACTOR_OF_EXCHANGE);
        let Some(worst) = Peak::worst(subject, verify, plain) else { continue };
        let Some(through) = Peak::worst(subject, verify_through_exchange, exchange) else { continue };
        let (worst, through) = (worst.cells(plain), through.cells(exchange));
        let ([a, b, c, d], [e, f, g, h]) = (&worst, &through);
        println!("{}", row([subject.kind, &subject.games, a, b, c, d, e, f, g, h]));
    }
    print!("{}", footing(subjects.left_out));
    Ok(())
}
