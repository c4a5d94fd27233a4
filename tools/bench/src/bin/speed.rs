//! `speed`: the time of `verify` over that of reading the same files and hashing them twice.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use bench::{RATIO, Subjects, compare, footing, hash_twice, heading, row, verdict, verify};
use clap::Parser;

/// Measure the time of `verify`, by kind and game, over that of reading the same files and hashing them twice
#[derive(Parser)]
struct Cli {
    /// Files and folders; without any, generated files
    paths: Vec<PathBuf>,
    /// Instead of the generated files, measure one container of about this many million bytes
    #[arg(long, value_name = "MB", conflicts_with = "paths")]
    hak: Option<usize>,
    /// Number of files to process in parallel
    #[arg(short, long, default_value = "1", value_name = "N")]
    threads: NonZeroUsize,
    /// Number of pairs of blocks to measure per kind
    #[arg(short, long, default_value = "31", value_name = "N")]
    pairs: NonZeroUsize,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let subjects = Subjects::new(&cli.paths, cli.hak)?;
    println!("{}\n", heading());
    println!(
        "{}",
        row(["kind", "games", "files", "bytes", "wall, median [min–max]", "CPU", "MB/s", "reference MB/s", "goal"])
    );
    println!("{}", row(["---", "---", "--:", "--:", "--:", "--:", "--:", "--:", "---"]));
    for subject in &subjects.all {
        let verify = |file: &_| drop(verify(file));
        let paired = compare(&subject.files, cli.threads.get(), cli.pairs.get(), verify, hash_twice)?;
        let wall = paired.wall;
        println!(
            "{}",
            row([
                subject.kind,
                &subject.games,
                &subject.files.len().to_string(),
                &subject.bytes().to_string(),
                &format!("{:.2} [{:.2}–{:.2}]", wall.median, wall.min, wall.max),
                &format!("{:.2}", paired.cpu.median),
                &format!("{:.0}", paired.job_speed.median / 1e6),
                &format!("{:.0}", paired.reference_speed.median / 1e6),
                verdict(wall.median <= RATIO),
            ])
        );
    }
    print!("{}", footing(subjects.left_out));
    Ok(())
}
