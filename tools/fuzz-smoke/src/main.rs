//! `fuzz-smoke`: mutated files and edits of every format, on stable Rust.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bitexact::field::limits;
use bitexact::registry::{KINDS, named};
use bitexact::verify::VerifyOptions;
use clap::{Parser, ValueEnum};
use forge::Size;
use fuzz_smoke::{Finding, Round, Seeds, Target, Tried, What, minimised, prove, quiet_panics};

/// An input that takes longer is considered endless.
const HANGS: Duration = Duration::from_secs(120);

/// Try mutated files and edits of every format, and write findings to golden/regressions
///
/// Input N of a seed is the same in every run. Exits with 1 if there are findings.
#[derive(Parser)]
struct Cli {
    /// Seconds to run
    #[arg(long, value_name = "N", default_value = "60", conflicts_with = "inputs")]
    seconds: u64,
    /// Number of inputs, instead of a duration
    #[arg(long, value_name = "N")]
    inputs: Option<u64>,
    /// Seed of the generator
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,
    /// Number of the first input
    #[arg(long, value_name = "N", default_value = "0")]
    from: u64,
    /// Only files of this kind
    #[arg(long, value_name = "K")]
    kind: Option<String>,
    /// Only this target
    #[arg(long, value_name = "T", value_enum)]
    target: Option<Of>,
    /// Size of the files to mutate
    #[arg(long, value_enum, default_value = "tiny")]
    size: Files,
    /// Also mutate files of known kinds below DIR
    #[arg(long, value_name = "DIR")]
    also: Option<PathBuf>,
    /// Number of inputs to process in parallel
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Folder for findings
    #[arg(long, value_name = "DIR")]
    regressions: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Of {
    /// Arbitrary bytes, decoded as every kind
    Any,
    /// Generated files with fields and parts changed
    Forged,
    /// Edits via the exchange format
    Edited,
    /// Changes of any file of the unpacked folder, of entries and of mods
    Form,
    /// Changes of lines and words of files as text
    Texts,
    /// Changes of exported models and tables, which are imported
    Drawings,
    /// Changes of mods and of the journal of a game
    Journals,
}

#[derive(Clone, Copy, ValueEnum)]
enum Files {
    /// Up to 9 KB
    Tiny,
    /// Up to 60 KB
    Small,
}

impl Cli {
    /// Returns the command that repeats an input.
    fn repeat(&self, number: u64) -> String {
        let mut command = "cargo run --profile fuzz -p fuzz-smoke --".to_owned();
        let mut add = |option: &str, value: &dyn std::fmt::Display| command.push_str(&format!(" --{option} {value}"));
        if let Some(target) = self.target.as_ref().and_then(ValueEnum::to_possible_value) {
            add("target", &target.get_name());
        }
        if let Some(size) = self.size.to_possible_value() {
            add("size", &size.get_name());
        }
        if let Some(kind) = &self.kind {
            add("kind", kind);
        }
        if let Some(folder) = &self.also {
            add("also", &folder.display());
        }
        add("seed", &self.seed);
        add("from", &number);
        add("inputs", &1);
        command
    }
}

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    quiet_panics();
    let size = match cli.size {
        Files::Tiny => Size::Tiny,
        Files::Small => Size::Small,
    };
    let mut seeds = Seeds::new(cli.seed, size, cli.kind.as_deref());
    if let Some(folder) = &cli.also {
        seeds.also(folder).with_context(|| folder.display().to_string())?;
    }
    ensure!(seeds.kinds().next().is_some(), "no such kind");
    let only = cli.target.map(|of| match of {
        Of::Any => Target::Any,
        Of::Forged => Target::Forged,
        Of::Edited => Target::Edited,
        Of::Form => Target::Form,
        Of::Texts => Target::Texts,
        Of::Drawings => Target::Drawings,
        Of::Journals => Target::Journals,
    });
    let round = Round { seeds: &seeds, seed: cli.seed, only };
    let start = Instant::now();
    let (tally, findings) = run(&cli, &round)?;
    tally.print(start.elapsed());
    for finding in findings.values() {
        println!("{finding}");
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tries one input after another, and collects one finding per cause.
fn run(cli: &Cli, round: &Round<'_>) -> Result<(Tally, BTreeMap<String, Finding>)> {
    let folder = cli.regressions.clone().unwrap_or_else(regressions);
    let start = Instant::now();
    let next = AtomicU64::new(cli.from);
    let ended = AtomicBool::new(false);
    let is_wanted = |number: u64| match cli.inputs {
        Some(inputs) => number - cli.from < inputs,
        None => start.elapsed() < Duration::from_secs(cli.seconds),
    };
    // The current input of each thread, and its start, to detect endless ones.
    let current: Vec<_> = (0..cli.threads.get()).map(|_| (AtomicU64::new(0), AtomicU64::new(u64::MAX))).collect();
    let (mut tally, mut findings) = (Tally::default(), BTreeMap::new());
    thread::scope(|scope| {
        let (sender, tried) = mpsc::sync_channel(1024);
        for (number_at, since) in &current {
            let (sender, next, is_wanted) = (sender.clone(), &next, &is_wanted);
            thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if !is_wanted(number) {
                        break;
                    }
                    number_at.store(number, Ordering::Relaxed);
                    since.store(start.elapsed().as_secs(), Ordering::Relaxed);
                    let tried = round.input(number);
                    since.store(u64::MAX, Ordering::Relaxed);
                    if sender.send((number, tried)).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        scope.spawn(|| watch(&current, start, &ended, cli.seed));
        let mut written = Ok(());
        for (number, tried) in tried {
            tally.count(&tried);
            if let Err(finding) = tried.outcome {
                let cause = finding.cause();
                if let Entry::Vacant(place) = findings.entry(cause) {
                    let finding = smallest(finding);
                    println!("input {number} of seed {}: {finding}\n  cause: {}", cli.seed, finding.cause());
                    println!("  repeat: {}", cli.repeat(number));
                    written = write(&folder, &finding);
                    place.insert(finding);
                }
            }
            if written.is_err() {
                break;
            }
            if tally.inputs.is_multiple_of(1_000_000) {
                eprintln!(
                    "{} inputs, {:.0} s, {} findings",
                    tally.inputs,
                    start.elapsed().as_secs_f64(),
                    findings.len()
                );
            }
        }
        // End the watching thread, even if a finding cannot be written.
        ended.store(true, Ordering::Relaxed);
        written
    })?;
    Ok((tally, findings))
}

/// Exits the program if an input does not end.
fn watch(current: &[(AtomicU64, AtomicU64)], start: Instant, ended: &AtomicBool, seed: u64) {
    while !ended.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(100));
        let now = start.elapsed().as_secs();
        for (number, since) in current {
            if now.saturating_sub(since.load(Ordering::Relaxed)) > HANGS.as_secs() {
                eprintln!("input {} of seed {seed} does not end", number.load(Ordering::Relaxed));
                std::process::exit(3);
            }
        }
    }
}

/// Returns a small file with the same error, found on a stack large enough for the deepest nesting.
fn smallest(finding: Finding) -> Finding {
    let Some(kind) = named(KINDS, finding.kind) else { return finding };
    if matches!(finding.what, What::Edit | What::Form) {
        return finding;
    }
    let how = VerifyOptions::default().entries(true).counts(true).via_exchange(finding.what == What::Exchange);
    let before = finding.clone();
    let smaller = || minimised(finding, |bytes| prove(kind, bytes, how).err());
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, smaller);
        thread.ok().and_then(|thread| thread.join().ok()).unwrap_or(before)
    })
}

/// Returns the project's folder for findings.
fn regressions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/regressions")
}

/// Writes the file of a finding to the folder of its kind. Edits are only printed: the file alone does not show them.
fn write(folder: &Path, finding: &Finding) -> Result<()> {
    if matches!(finding.what, What::Edit | What::Form) {
        return Ok(());
    }
    let folder = folder.join(finding.kind);
    let file = folder.join(finding.file_name());
    let write = || {
        fs::create_dir_all(&folder)?;
        fs::write(&file, &finding.bytes)
    };
    write().with_context(|| file.display().to_string())
}

/// The results of all inputs, by kind.
#[derive(Default)]
struct Tally {
    inputs: u64,
    kinds: BTreeMap<&'static str, Counted>,
}

#[derive(Default)]
struct Counted {
    inputs: u64,
    accepted: u64,
    exchanged: u64,
    edited: u64,
    peak: u64,
    took: Duration,
}

impl Tally {
    fn count(&mut self, tried: &Tried) {
        self.inputs += 1;
        let counted = self.kinds.entry(tried.kind).or_default();
        counted.inputs += 1;
        let Ok(proven) = &tried.outcome else { return };
        counted.accepted += u64::from(proven.accepted);
        counted.exchanged += u64::from(proven.accepted && tried.exchange);
        counted.edited += u64::from(tried.target == Target::Edited);
        counted.peak = counted.peak.max(proven.peak);
        counted.took = counted.took.max(proven.took);
    }

    fn print(&self, took: Duration) {
        println!("| kind | inputs | accepted | through exchange | edited | most memory, bytes | most time, ms |");
        println!("| --- | --: | --: | --: | --: | --: | --: |");
        for (kind, it) in &self.kinds {
            let (took, share) = (it.took.as_secs_f64() * 1e3, it.accepted * 100 / it.inputs.max(1));
            let (inputs, exchanged, edited, peak) = (it.inputs, it.exchanged, it.edited, it.peak);
            println!("| {kind} | {inputs} | {share} % | {exchanged} | {edited} | {peak} | {took:.1} |");
        }
        println!("\n{} inputs in {:.0} s", self.inputs, took.as_secs_f64());
    }
}
