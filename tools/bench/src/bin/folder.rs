//! `folder`: the cost of a process of `bitexact pack --new` beside one that reads the same folder and writes one file of its size.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use bench::{Spent, forge_hak, heading, measure, memory_folder, published, row, stopwatch};
use bitexact::install::files;
use clap::Parser;

/// Measure a process of `bitexact pack --new` that builds a container from loose files
#[derive(Parser)]
struct Cli {
    /// Size of the generated folder
    #[arg(long, default_value = "100", value_name = "MB")]
    size: usize,
    /// Program to measure [default: the program of this workspace, built with `--profile dist`]
    #[arg(long, value_name = "PATH")]
    bitexact: Option<PathBuf>,
    /// Runs of each process; the fastest counts
    #[arg(long, default_value = "10", value_name = "N")]
    repeat: u32,
    /// Where the folder and the container are written [default: a folder in memory]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Folder of your own, instead of a generated one
    path: Option<PathBuf>,
}

/// The goal: the time over that of reading and writing.
const GOAL: f64 = 3.0;

/// The first argument of the reference.
const COPY: &str = "--copy";

fn main() -> Result<ExitCode> {
    if let Some(code) = stopwatch() {
        return Ok(code);
    }
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if let [first, from, to] = &args[..]
        && first == COPY
    {
        return copy(from.as_ref(), to.as_ref()).map(|()| ExitCode::SUCCESS);
    }
    let cli = Cli::parse();
    let program = cli.bitexact.map_or_else(published, Ok)?;
    let this = std::env::current_exe().context("cannot find this program, which is the reference")?;
    let scratch = tempfile::tempdir_in(cli.folder.unwrap_or_else(memory_folder)).context("cannot make a folder")?;
    let at = |name: &str| scratch.path().join(name);
    let from = match cli.path {
        Some(path) => path,
        None => {
            forge_hak(cli.size.saturating_mul(1_000_000), scratch.path())?;
            let (hak, from) = (at("content.hak"), at("src"));
            measure(&program, &["unpack".as_ref(), "--loose".as_ref(), hak.as_ref(), from.as_ref()])?;
            from
        }
    };
    let (copied, built) = (at("copied"), at("built.hak"));
    let copy: [&OsStr; 3] = [COPY.as_ref(), from.as_ref(), copied.as_ref()];
    let pack: [&OsStr; 6] =
        ["pack".as_ref(), "--new".as_ref(), "hak".as_ref(), from.as_ref(), built.as_ref(), "--force".as_ref()];
    let mut best: Option<[Spent; 2]> = None;
    for _ in 0..cli.repeat.max(1) {
        let now = [measure(&this, &copy)?, measure(&program, &pack)?];
        best = Some(best.map_or(now, |[a, b]| [a.best(now[0]), b.best(now[1])]));
    }
    let [reference, own] = best.context("expected at least one run")?;
    let ratio = |of: fn(Spent) -> std::time::Duration| of(own).as_secs_f64() / of(reference).as_secs_f64();
    println!("{}\n\nGoal: {GOAL} times reading all files and writing one\n", heading());
    println!("{}", row(["process", "wall, ms", "CPU, ms", "memory, MiB"]));
    println!("{}", row(["---", "--:", "--:", "--:"]));
    for (name, it) in [("reading and writing", reference), ("`pack --new`", own)] {
        let ms = |time: std::time::Duration| format!("{:.0}", time.as_secs_f64() * 1e3);
        println!("{}", row([name, &*ms(it.wall), &*ms(it.cpu), &*(it.peak >> 20).to_string()]));
    }
    let size = fs::metadata(&built).with_context(|| built.display().to_string())?.len();
    println!("\n{size} bytes: {:.2} times in wall time, {:.2} in CPU", ratio(|it| it.wall), ratio(|it| it.cpu));
    Ok(ExitCode::SUCCESS)
}

/// Reads the files of a folder and writes them one after another to a file, as safely as the program writes its own.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let all = files(from).with_context(|| from.display().to_string())?;
    bitexact::output::write_by(to, |file| -> Result<()> {
        for found in all {
            file.write_all(&fs::read(&found.path)?)?;
        }
        Ok(())
    })
}
