//! `scenes`: the cost of whole processes of `bitexact export` to glTF and of `bitexact import` of the same models, by file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use bench::{Spent, forge_install, heading, measure, memory_folder, published, row, stopwatch};
use bitexact::install::{Found, files};
use bitexact::registry::{KINDS, recognize};
use clap::Parser;

/// Measure a process of `bitexact export` and one of `bitexact import` per file with models
#[derive(Parser)]
struct Cli {
    /// Game whose install is generated, as large as the retail release
    #[arg(long, default_value = "mw", value_parser = clap::builder::PossibleValuesParser::new(forge::RETAIL))]
    game: String,
    /// Program to measure [default: the program of this workspace, built with `--profile dist`]
    #[arg(long, value_name = "PATH")]
    bitexact: Option<PathBuf>,
    /// Runs per file; the fastest counts
    #[arg(long, default_value = "3", value_name = "N")]
    repeat: usize,
    /// Files or folders of your own, instead of a generated install
    paths: Vec<PathBuf>,
}

/// The goals: seconds for each process, and its memory as a multiple of the file.
const GOALS: (f64, f64) = (2.0, 10.0);

fn main() -> Result<std::process::ExitCode> {
    if let Some(code) = stopwatch() {
        return Ok(code);
    }
    let cli = Cli::parse();
    let program = cli.bitexact.map_or_else(published, Ok)?;
    let scratch = tempfile::tempdir_in(memory_folder()).context("cannot make a folder")?;
    let mut paths = cli.paths;
    if paths.is_empty() {
        paths.push(scratch.path().join("install"));
        forge_install(&cli.game, &paths[0])?;
    }
    println!("{}\n\nGoals: {} s, {} times the file\n", heading(), GOALS.0, GOALS.1);
    println!("{}", row(["file", "bytes", "export, s", "memory / file", "import, s", "memory / file"]));
    println!("{}", row(["---", "--:", "--:", "--:", "--:", "--:"]));
    for path in &paths {
        for file in files(path).with_context(|| path.display().to_string())? {
            if has_models(&file)? {
                let [export, import] = best(&program, &file, scratch.path(), cli.repeat)?;
                let size = file.size.clone().map_err(anyhow::Error::msg)?;
                let seconds = |it: Spent| format!("{:.2}", it.wall.as_secs_f64());
                let memory = |it: Spent| format!("{:.1}", it.peak as f64 / size as f64);
                let (name, size) = (file.name(), size.to_string());
                let cells = [seconds(export), memory(export), seconds(import), memory(import)];
                println!("{}", row([&*name, &size, &cells[0], &cells[1], &cells[2], &cells[3]]));
            }
        }
    }
    Ok(std::process::ExitCode::SUCCESS)
}

/// Returns `true` if models of the file can be imported.
fn has_models(file: &Found) -> Result<bool> {
    let bytes = file.read().map_err(anyhow::Error::msg)?;
    Ok(recognize(KINDS, &file.name(), &bytes).is_some_and(|(kind, _)| {
        // Other kinds are imported from tables and texts.
        match kind.name {
            "gamez" | "mdl" => true,
            "archive" => file.name().to_ascii_lowercase().starts_with("mechlib"),
            _ => false,
        }
    }))
}

/// Returns the costs of the fastest export and import.
fn best(program: &Path, file: &Found, scratch: &Path, repeat: usize) -> Result<[Spent; 2]> {
    let drawing = scratch.join("drawing.glb");
    let mut best: Option<[Spent; 2]> = None;
    for _ in 0..repeat.max(1) {
        let args: [&OsStr; 4] = ["export".as_ref(), "--force".as_ref(), file.path.as_os_str(), drawing.as_os_str()];
        let export = measure(program, &args)?;
        ensure!(drawing.is_file(), "{}: was not exported", file.shown());
        let import = measure(program, &["import".as_ref(), file.path.as_os_str(), drawing.as_os_str()])?;
        best = Some(best.map_or([export, import], |[a, b]| [a.best(export), b.best(import)]));
    }
    best.context("expected at least one run")
}
