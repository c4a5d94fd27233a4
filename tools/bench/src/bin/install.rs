//! `install`: the cost of `verify`, `unpack` and `pack` over a whole install, by kind.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use bench::{Subjects, compare, footing, forge_install, hash_twice, heading, row, verify};
use bitexact::exchange::{About, Form, contents};
use bitexact::field::encode;
use bitexact::install::Found;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::{Status, VerifyOptions, verify_with};
use clap::Parser;
use cpu_time::ProcessTime;
use serde::Deserialize as _;

/// Measure every job on every file of an install in turn, over the time of reading the file and hashing it twice
#[derive(Parser)]
struct Cli {
    /// Game whose install is generated, as large as the retail release: rc, mw, pm or cs
    #[arg(long, default_value = "mw", value_parser = clap::builder::PossibleValuesParser::new(forge::RETAIL))]
    game: String,
    /// Number of files to process in parallel when the whole is measured
    #[arg(short, long, default_value = "2", value_name = "N")]
    threads: NonZeroUsize,
    /// Number of pairs when the whole is measured
    #[arg(short, long, default_value = "5", value_name = "N")]
    pairs: NonZeroUsize,
    /// Install of your own
    path: Option<PathBuf>,
}

/// The jobs to measure besides the reference.
const JOBS: [&str; 5] = ["verify", "via exchange", "unpack", "pack", "JSON alone"];

/// The costs of the files of a kind.
#[derive(Clone, Copy, Default)]
struct Took {
    files: u64,
    bytes: u64,
    reference: Duration,
    jobs: [Duration; JOBS.len()],
}

impl Took {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.reference += other.reference;
        self.jobs.iter_mut().zip(other.jobs).for_each(|(all, one)| *all += one);
    }

    /// Returns the times of the jobs over that of the reference.
    fn ratios(&self) -> [String; JOBS.len()] {
        self.jobs.map(|job| format!("{:.2}", job.as_secs_f64() / self.reference.as_secs_f64()))
    }
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let forged = tempfile::tempdir().context("cannot make a folder for the forged install")?;
    let folder = cli.path.as_deref().unwrap_or(forged.path());
    if cli.path.is_none() {
        forge_install(&cli.game, folder)?;
    }
    let Subjects { all, left_out, .. } = Subjects::new(&[folder.to_owned()], None)?;

    println!("{}\n", heading());
    println!("{}", row([&["kind", "files", "bytes"][..], &JOBS].concat()));
    println!("{}", row([&["---"][..], &["--:"; 2 + JOBS.len()]].concat()));
    let (mut kinds, mut whole) = (BTreeMap::<&str, Took>::new(), Took::default());
    for subject in &all {
        for took in subject.files.iter().map(measure) {
            let took = took?;
            kinds.entry(subject.kind).or_default().add(&took);
            whole.add(&took);
        }
    }
    for (kind, took) in kinds.iter().chain([(&"all", &whole)]) {
        let (files, bytes, ratios) = (took.files.to_string(), took.bytes.to_string(), took.ratios());
        println!("{}", row([&[kind, &*files, &*bytes][..], &ratios.each_ref().map(String::as_str)].concat()));
    }
    let found: Vec<Found> = all.into_iter().flat_map(|subject| subject.files).collect();
    let paired = compare(&found, cli.threads.get(), cli.pairs.get(), |file| drop(verify(file)), hash_twice)?;
    let (wall, cpu) = (paired.wall, paired.cpu);
    println!(
        "\n`verify` of the whole, {} files at once: wall {:.2} [{:.2}–{:.2}], CPU {:.2}; {:.0} MB/s",
        cli.threads,
        wall.median,
        wall.min,
        wall.max,
        cpu.median,
        paired.job_speed.median / 1e6
    );
    print!("{}", footing(left_out));
    Ok(())
}

/// Measures each job for a file. Times are processor time: the jobs of one file run one at a time.
fn measure(file: &Found) -> Result<Took> {
    let read = || file.read().map_err(|why| anyhow!("{}: {why}", file.shown()));
    let bytes = read()?;
    let size = bytes.len() as u64;
    let name = file.name();
    let (kind, games) = recognize(KINDS, &name, &bytes).context("a kind that was known")?;
    let sha256 = Sha::of(&bytes);
    drop(bytes);

    let ((), reference) = timed(|| {
        hash_twice(file);
        Ok(())
    })?;
    let (_, verified) = timed(|| Ok(verify(file)))?;
    let ((), through) = timed(|| {
        let report = verify_with(KINDS, &name, read()?, VerifyOptions::default().via_exchange(true));
        ensure!(report.status == Status::Identical, "{name}: {:?}", report.failure);
        Ok(())
    })?;
    let (contents, unpacked) = timed(|| {
        let model = (kind.decode)(read()?.into())?.model;
        Ok(contents(&model, About { kind, games: &games, sha256, deviations: &[] })?.files)
    })?;
    // The minimum cost of the JSON of the exchange format: the library that parses it reads it into its own values, and writes those.
    let ((), json) = timed(|| {
        for (path, text) in contents.iter().filter(|(path, _)| path.ends_with(".json")) {
            let mut reader = serde_json::Deserializer::from_slice(text);
            reader.disable_recursion_limit();
            let value = serde_json::Value::deserialize(&mut reader).with_context(|| format!("{name}: {path}"))?;
            black_box(serde_json::to_vec(&value)?);
        }
        Ok(())
    })?;
    let ((), packed) = timed(|| {
        let form = Form::parse(contents).map_err(anyhow::Error::msg)?;
        let packed = encode(&form.pack(KINDS)?.model)?;
        ensure!(Sha::of(&packed) == sha256, "{name}: packed to something else");
        Ok(())
    })?;
    Ok(Took { files: 1, bytes: size, reference, jobs: [verified, through, unpacked, packed, json] })
}

/// Returns the result of a job, and its processor time.
fn timed<T>(job: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let began = ProcessTime::now();
    let made = job()?;
    Ok((made, began.elapsed()))
}
