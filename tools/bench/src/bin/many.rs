//! `many`: the cost of the program's start, and of many small archives one by one and in one call.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use bench::{Spent, heading, measure, memory_folder, published, row, stopwatch};
use clap::Parser;
use forge::Size;

/// Measure the start of `bitexact`, and its calls for many small archives over as many calls for one of them
#[derive(Parser)]
struct Cli {
    /// Number of archives
    #[arg(long, default_value = "1000", value_name = "N")]
    files: u32,
    /// Program to measure [default: the program of this workspace, built with `--profile dist`]
    #[arg(long, value_name = "PATH")]
    bitexact: Option<std::path::PathBuf>,
    /// Runs of each call; the fastest counts
    #[arg(long, default_value = "10", value_name = "N")]
    repeat: u32,
}

/// The goals: the milliseconds of the start, and the call for all archives over the sum of those for one, without their starts.
const GOALS: (f64, f64) = (1.2, 1.5);

fn main() -> Result<ExitCode> {
    if let Some(code) = stopwatch() {
        return Ok(code);
    }
    let cli = Cli::parse();
    let program = cli.bitexact.map_or_else(published, Ok)?;
    let scratch = tempfile::tempdir_in(memory_folder()).context("cannot make a folder")?;
    let best = |args: &dyn Fn(&Path) -> Vec<std::path::PathBuf>| -> Result<Spent> {
        let mut best: Option<Spent> = None;
        for _ in 0..cli.repeat.max(1) {
            // A separate folder, so that nothing is replaced.
            let folder = tempfile::tempdir_in(scratch.path()).context("cannot make a folder for output")?;
            let args = args(folder.path());
            let args: Vec<&OsStr> = args.iter().map(|arg| arg.as_os_str()).collect();
            let spent = measure(&program, &args)?;
            best = Some(best.map_or(spent, |best| best.best(spent)));
        }
        best.context("expected at least one run")
    };

    let sample = forge::samples(forge::INSTALL_SEED, Size::Small);
    let sample = sample.into_iter().find(|it| it.kind == "archive" && it.trap.is_none() && it.name.contains("reader"));
    let bytes = sample.context("expected an archive among the samples")?.bytes;
    let install = scratch.path().join("install");
    fs::create_dir(&install).context("cannot make a folder")?;
    for nth in 0..cli.files {
        fs::write(install.join(format!("reader{nth:05}.zbd")), &bytes).context("cannot write an archive")?;
    }
    let one = install.join("reader00000.zbd");
    let (unpacked, all_unpacked) = (scratch.path().join("one"), scratch.path().join("all"));

    let start = best(&|_| vec!["--version".into()])?;
    let verify = best(&|_| vec!["verify".into(), one.clone()])?;
    let verify_all = best(&|_| vec!["verify".into(), install.clone()])?;
    let unpack = best(&|folder| vec!["unpack".into(), one.clone(), folder.join("to")])?;
    let unpack_all = best(&|folder| vec!["unpack".into(), install.clone(), folder.join("to")])?;
    for (from, to) in [(&one, &unpacked), (&install, &all_unpacked)] {
        measure(&program, &["unpack".as_ref(), from.as_os_str(), to.as_os_str()])?;
    }
    let pack = best(&|folder| vec!["pack".into(), unpacked.clone(), folder.join("reader00000.zbd")])?;
    let pack_all = best(&|_| vec!["pack".into(), all_unpacked.clone(), install.clone()])?;

    let ms = |spent: Spent| [spent.wall, spent.cpu].map(|time| time.as_secs_f64() * 1e3);
    let [wall, cpu] = ms(start);
    println!("{}\n\nStart (goal {} ms): {wall:.2} ms wall, {cpu:.2} ms CPU\n", heading(), GOALS.0);
    println!(
        "Archives: {} of {} bytes. Goal: at most {} times the calls for one, without their starts\n",
        cli.files,
        bytes.len(),
        GOALS.1
    );
    println!("{}", row(["command", "one, ms CPU", "all, ms wall", "CPU", "all / calls for one"]));
    println!("{}", row(["---", "--:", "--:", "--:", "--:"]));
    for (command, one, all) in
        [("verify", verify, verify_all), ("unpack", unpack, unpack_all), ("pack", pack, pack_all)]
    {
        let ([_, one], [wall, all]) = (ms(one), ms(all));
        let ratio = all / ((one - cpu).max(0.0) * f64::from(cli.files));
        let cells = [format!("{one:.2}"), format!("{wall:.1}"), format!("{all:.1}"), format!("{ratio:.2}")];
        println!("{}", row([command, &*cells[0], &*cells[1], &*cells[2], &*cells[3]]));
    }
    Ok(ExitCode::SUCCESS)
}
