//! `race`: the cost of whole processes of `bitexact unpack` and `bitexact pack`, by kind.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use bench::{Spent, forge_install, heading, measure, memory_folder, published, row, stopwatch, warning};
use bitexact::field::limits;
use bitexact::install::{Found, files};
use bitexact::registry::{KINDS, recognize};
use clap::Parser;
use cpu_time::ThreadTime;
use sha2::{Digest as _, Sha256};

/// Measure a process of `bitexact unpack` and one of `bitexact pack` per file of an install, over hashing the file twice
#[derive(Parser)]
struct Cli {
    /// Game whose install is generated, as large as the retail release
    #[arg(long, default_value = "mw", value_parser = clap::builder::PossibleValuesParser::new(forge::RETAIL))]
    game: String,
    /// Program to measure [default: the program of this workspace, built with `--profile dist`]
    #[arg(long, value_name = "PATH")]
    bitexact: Option<PathBuf>,
    /// Measure only files of this kind, as the table names it; may be repeated
    #[arg(long, value_name = "KIND")]
    only: Vec<String>,
    /// Runs per file; the fastest counts
    #[arg(long, default_value = "1", value_name = "N")]
    repeat: NonZeroUsize,
    /// Skip files larger than this
    #[arg(long, value_name = "BYTES")]
    largest: Option<u64>,
    /// Folder for the generated install and for output [default: /dev/shm if it exists]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Install of your own, instead of a generated one
    path: Option<PathBuf>,
}

/// The number of measured starts of the program.
const STARTS: usize = 10;

/// Archives with different contents are different work: the starts of their names, and their names in the table.
const ARCHIVES: [(&str, &str); 5] = [
    ("mechlib", "mechlib"),
    ("motion", "motion-archive"),
    ("reader", "reader-archive"),
    ("zrdr", "reader-archive"),
    ("sounds", "sounds-archive"),
];

/// The columns.
const TITLES: [&str; 12] = [
    "kind",
    "files",
    "bytes",
    "double hash, ms",
    "unpack, wall",
    "CPU",
    "pack, wall",
    "CPU",
    "both, wall",
    "CPU",
    "memory, unpack",
    "pack",
];

/// The costs of the files of a kind.
#[derive(Clone, Copy, Default)]
struct Took {
    files: u64,
    bytes: u64,
    hash: Spent,
    unpack: Spent,
    pack: Spent,
    /// The highest peaks over the limits of their files.
    memory: [f64; 2],
}

impl Took {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.hash += other.hash;
        self.unpack += other.unpack;
        self.pack += other.pack;
        self.memory.iter_mut().zip(other.memory).for_each(|(highest, one)| *highest = highest.max(one));
    }

    fn cells(&self, kind: &str) -> [String; TITLES.len()] {
        let mut both = self.unpack;
        both += self.pack;
        let wall = |job: Spent| format!("{:.2}", job.wall.as_secs_f64() / self.hash.wall.as_secs_f64());
        let cpu = |job: Spent| format!("{:.2}", job.cpu.as_secs_f64() / self.hash.cpu.as_secs_f64());
        let [memory_of_unpack, memory_of_pack] = self.memory.map(|ratio| format!("{ratio:.2}"));
        [
            kind.to_owned(),
            self.files.to_string(),
            self.bytes.to_string(),
            format!("{:.2}", self.hash.wall.as_secs_f64() * 1e3),
            wall(self.unpack),
            cpu(self.unpack),
            wall(self.pack),
            cpu(self.pack),
            wall(both),
            cpu(both),
            memory_of_unpack,
            memory_of_pack,
        ]
    }
}

/// The files to measure, by the name of their kind, and the numbers of others.
struct Field {
    kinds: BTreeMap<&'static str, Vec<Found>>,
    unknown: usize,
    larger: usize,
    /// Files that cannot be read, and the reasons.
    failures: Vec<String>,
}

impl Field {
    /// Groups the files below a folder by kind.
    fn of(folder: &Path, only: &[String], largest: Option<u64>) -> Result<Self> {
        let mut field = Self { kinds: BTreeMap::new(), unknown: 0, larger: 0, failures: Vec::new() };
        for file in files(folder).with_context(|| folder.display().to_string())? {
            let name = file.name();
            match file.read().map(|bytes| recognize(KINDS, &name, &bytes)) {
                Ok(Some((kind, _))) => field.kinds.entry(class(kind.name, &name)).or_default().push(file),
                Ok(None) => field.unknown += 1,
                Err(why) => field.failures.push(format!("{}: {why}", file.shown())),
            }
        }
        let known = field.kinds.keys().copied().collect::<Vec<_>>().join(", ");
        for kind in only {
            ensure!(field.kinds.contains_key(kind.as_str()), "--only {kind}: expected one of {known}");
        }
        field.kinds.retain(|kind, _| only.is_empty() || only.iter().any(|wanted| wanted == kind));
        for files in field.kinds.values_mut() {
            let before = files.len();
            files.retain(|file| file.size.as_ref().is_ok_and(|&size| largest.is_none_or(|largest| size <= largest)));
            field.larger += before - files.len();
        }
        field.kinds.retain(|_, files| !files.is_empty());
        ensure!(!field.kinds.is_empty(), "{}: no files to measure", folder.display());
        Ok(field)
    }
}

fn main() -> Result<ExitCode> {
    if let Some(code) = stopwatch() {
        return Ok(code);
    }
    let cli = Cli::parse();
    let program = match cli.bitexact {
        Some(program) => program,
        None => published()?,
    };
    let mut start = measure(&program, &[OsStr::new("--version")])?;
    for _ in 1..STARTS {
        start = start.best(measure(&program, &[OsStr::new("--version")])?);
    }

    let folder = cli.folder.unwrap_or_else(memory_folder);
    let scratch = tempfile::Builder::new().prefix("bitexact-race-").tempdir_in(&folder);
    let scratch = scratch.with_context(|| format!("{}: cannot make a folder in it", folder.display()))?;
    let install = cli.path.clone().unwrap_or_else(|| scratch.path().join("install"));
    if cli.path.is_none() {
        forge_install(&cli.game, &install)?;
    }
    let mut field = Field::of(&install, &cli.only, cli.largest)?;

    println!("{}\n", heading());
    let warnings = [Some(&folder), cli.path.as_ref()].into_iter().flatten().filter_map(|folder| warning(folder));
    warnings.for_each(|warning| println!("**Warning:** {warning}.\n"));
    println!("{}", row(TITLES));
    println!("{}", row([&["---"][..], &["--:"; TITLES.len() - 1]].concat()));
    let mut whole = Took::default();
    for (kind, files) in &field.kinds {
        let mut all = Took::default();
        for file in files {
            match race(&program, file, scratch.path(), cli.repeat) {
                Ok(took) => all.add(&took),
                Err(error) => field.failures.push(format!("{}: {error:#}", file.shown())),
            }
        }
        whole.add(&all);
        if all.files > 0 {
            println!("{}", row(all.cells(kind).each_ref().map(String::as_str)));
        }
    }
    if whole.files > 0 {
        println!("{}", row(whole.cells("all").each_ref().map(String::as_str)));
    }

    println!(
        "\nThe start of {} (`--version`), once in every `unpack` and `pack`: {:.2} ms wall, {:.2} ms CPU, {:.1} MiB",
        program.display(),
        start.wall.as_secs_f64() * 1e3,
        start.cpu.as_secs_f64() * 1e3,
        start.peak as f64 / f64::from(1 << 20)
    );
    for (left_out, why) in [(field.unknown, "of no known kind"), (field.larger, "larger than --largest")] {
        if left_out > 0 {
            println!("\nFiles left out, {why}: {left_out}");
        }
    }
    field.failures.iter().for_each(|failure| eprintln!("{failure}"));
    Ok(if field.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the name of a file of this kind and name in the table.
fn class(kind: &'static str, name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let archive = ARCHIVES.iter().find(|(start, _)| name.starts_with(start));
    archive.filter(|_| kind == "archive").map_or(kind, |(_, class)| class)
}

/// Unpacks and packs a file, hashes it twice, and checks that packing reproduces it.
fn race(program: &Path, file: &Found, scratch: &Path, repeat: NonZeroUsize) -> Result<Took> {
    let bytes = file.read().map_err(anyhow::Error::msg)?;
    let mut best: Option<[Spent; 3]> = None;
    for _ in 0..repeat.get() {
        let lap = lap(program, file, &bytes, scratch)?;
        best =
            Some(best.map_or(lap, |[hash, unpack, pack]| [hash.best(lap[0]), unpack.best(lap[1]), pack.best(lap[2])]));
    }
    let [hash, unpack, pack] = best.context("expected at least one run")?;
    let size = bytes.len() as u64;
    let allowed = limits::MEMORY_BASE + limits::MEMORY_FACTOR_OF_STEP_2 * size;
    let memory = [unpack, pack].map(|job| job.peak as f64 / allowed as f64);
    Ok(Took { files: 1, bytes: size, hash, unpack, pack, memory })
}

/// Measures one run of hashing, unpacking and packing.
fn lap(program: &Path, file: &Found, bytes: &[u8], scratch: &Path) -> Result<[Spent; 3]> {
    // A separate folder, deleted at the end, so that memory holds the output of one run only.
    let folder = tempfile::tempdir_in(scratch).context("cannot make a folder for output")?;
    let unpacked = folder.path().join("unpacked");
    // Keep the name, because it can determine the kind; use a subfolder in case a file is named "unpacked".
    let packed = folder.path().join("packed").join(file.name());
    fs::create_dir(folder.path().join("packed")).context("cannot make a folder for output")?;

    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    for _ in 0..2 {
        black_box(Sha256::digest(black_box(bytes)));
    }
    let hash = Spent { wall: wall.elapsed(), cpu: cpu.elapsed(), peak: 0 };
    let unpack = measure(program, &["unpack".as_ref(), file.path.as_os_str(), unpacked.as_os_str()])?;
    let pack = measure(program, &["pack".as_ref(), unpacked.as_os_str(), packed.as_os_str()])?;
    let result = fs::read(&packed).with_context(|| format!("{}: cannot be read", packed.display()))?;
    ensure!(result == bytes, "`pack` wrote different bytes");
    Ok([hash, unpack, pack])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_classified_by_name() {
        assert_eq!(class("archive", "soundsH.zbd"), "sounds-archive");
        assert_eq!(class("archive", "ZRDR.ZBD"), "reader-archive");
        assert_eq!(class("archive", "readerm1.zbd"), "reader-archive");
        assert_eq!(class("archive", "mechlib.zbd"), "mechlib");
        assert_eq!(class("archive", "motion.zbd"), "motion-archive");
        assert_eq!(class("archive", "pilot.mw3"), "archive");
        assert_eq!(class("motion", "motion.zbd"), "motion");
    }
}
