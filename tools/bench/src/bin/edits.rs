//! `edits`: the cost of whole processes of `bitexact patch -n --set` of one number beside those of `bitexact verify`, by kind.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use bench::{Spent, heading, largest, measure, memory_folder, published, row, stopwatch, verdict};
use bitexact::edit::{Batch, Edit, InModel};
use bitexact::exchange::{About, parse};
use bitexact::field::{Address, Value};
use bitexact::install::files;
use bitexact::json::Compact;
use bitexact::kind::{Kind, Model};
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use bytes::Bytes;
use clap::Parser;

/// Measure a process of `bitexact patch -n --set` of one number, and one of `bitexact verify`, at the largest sample of each kind
#[derive(Parser)]
struct Cli {
    /// Program to measure [default: the program of this workspace, built with `--profile dist`]
    #[arg(long, value_name = "PATH")]
    bitexact: Option<PathBuf>,
    /// Runs per file; the least processor time counts
    #[arg(long, default_value = "3", value_name = "N")]
    repeat: usize,
    /// Files or folders of your own, instead of generated samples
    paths: Vec<PathBuf>,
}

/// The goal for memory: so many bytes, and so many times the file.
const MEMORY: (u64, u64) = (64 << 20, 4);
/// The most places that are tried until an edit of the value there is accepted.
const TRIES: usize = 40;

fn main() -> Result<std::process::ExitCode> {
    if let Some(code) = stopwatch() {
        return Ok(code);
    }
    let cli = Cli::parse();
    let program = cli.bitexact.map_or_else(published, Ok)?;
    let scratch = tempfile::tempdir_in(memory_folder()).context("cannot make a folder")?;
    let mut paths = Vec::new();
    for path in &cli.paths {
        let found = files(path).with_context(|| path.display().to_string())?;
        paths.extend(found.into_iter().map(|found| found.path));
    }
    if cli.paths.is_empty() {
        let mut by_kind = BTreeMap::new();
        for sample in largest(0) {
            let size = |sample: &forge::Sample| sample.bytes.len();
            let known = by_kind.entry(sample.kind).or_insert_with(|| sample.clone());
            if size(known) < size(&sample) {
                *known = sample;
            }
        }
        for (nth, sample) in by_kind.into_values().enumerate() {
            // The name can decide the kind.
            let folder = scratch.path().join(nth.to_string());
            fs::create_dir(&folder)?;
            fs::write(folder.join(&sample.name), &sample.bytes)?;
            paths.push(folder.join(&sample.name));
        }
    }
    println!("{}\n\nGoal: at most {} MiB and {} times the file\n", heading(), MEMORY.0 >> 20, MEMORY.1);
    let head = ["kind", "file", "bytes", "place", "patch, s", "MiB", "verify, s", "MiB", "goal"];
    println!("{}", row(head));
    println!("{}", row(["---", "---", "--:", "---", "--:", "--:", "--:", "--:", "---"]));
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = Bytes::from(fs::read(&path).with_context(|| path.display().to_string())?);
        let Some((kind, _)) = recognize(KINDS, &name, &bytes) else { continue };
        let size = bytes.len().to_string();
        let (place, value) = match number(kind, &name, &bytes) {
            Ok(Some(found)) => found,
            outcome => {
                let why = if outcome.is_ok() { "no number" } else { "does not decode" };
                println!("{}", row([kind.name, &name, &size, why, "", "", "", "", ""]));
                continue;
            }
        };
        drop(bytes);
        let set = format!("{place}={}", Compact(&value));
        let patch: [&OsStr; 5] = ["patch".as_ref(), "-n".as_ref(), "--set".as_ref(), set.as_ref(), path.as_ref()];
        let patch = best(&program, &patch, cli.repeat)?;
        let verify = best(&program, &["verify".as_ref(), path.as_ref()], cli.repeat)?;
        let seconds = |it: Spent| format!("{:.3}", it.cpu.as_secs_f64());
        let memory = |it: Spent| format!("{:.1}", it.peak as f64 / f64::from(1 << 20));
        let is_met = patch.peak <= MEMORY.0 + MEMORY.1 * fs::metadata(&path)?.len();
        let cells = [seconds(patch), memory(patch), seconds(verify), memory(verify)];
        let [one, two, three, four] = &cells;
        println!("{}", row([kind.name, &name, &size, &format!("`{place}`"), one, two, three, four, verdict(is_met)]));
    }
    Ok(std::process::ExitCode::SUCCESS)
}

/// Returns the least time and the most memory of some runs.
fn best(program: &Path, args: &[&OsStr], repeat: usize) -> Result<Spent> {
    let mut best = measure(program, args)?;
    for _ in 1..repeat {
        best = best.best(measure(program, args)?);
    }
    Ok(best)
}

/// Returns the place of a number of a file that can be edited in its part alone, and another value for it.
fn number(kind: &'static Kind, name: &str, bytes: &Bytes) -> Result<Option<(Address, Value)>> {
    let model = (kind.decode)(bytes.clone())?.model;
    for (place, value) in numbers(kind, &model, bytes)? {
        let mut batch = Batch::default();
        batch.set.push((place.clone(), value.clone()));
        if let Ok(InModel::Made(_)) = batch.in_model(KINDS, (kind, &model, name)) {
            return Ok(Some((place, value)));
        }
    }
    Ok(None)
}

/// Returns the places of some numbers, each with another value. The last ones come first: those at the beginning often say how many
/// others there are.
fn numbers(kind: &'static Kind, model: &Model, bytes: &Bytes) -> Result<Vec<(Address, Value)>> {
    let mut edit = Edit::of(model, About { kind, games: &[], sha256: Sha::of(bytes), deviations: &[] })?;
    let entries: Vec<String> = edit.entries().map(|(entry, _)| entry.to_owned()).collect();
    let mut found = Vec::new();
    for entry in entries.into_iter().rev().take(TRIES).chain([String::new()]) {
        let at = Address::of_entry(entry);
        if let Some(json) = edit.get(&at) {
            let mut own = Vec::new();
            numbers_in(json, &at, &mut own);
            own.reverse();
            own.truncate(TRIES / 4);
            found.extend(own);
        }
        if found.len() >= TRIES {
            break;
        }
    }
    Ok(found)
}

fn numbers_in(json: &Value, at: &Address, found: &mut Vec<(Address, Value)>) {
    let other = |text: String| parse(text.as_bytes()).ok();
    match json {
        // What describes an entry.
        Value::Object(members) if members.iter().any(|(name, _)| name == "file") => {}
        Value::Object(members) => {
            members.iter().for_each(|(name, json)| numbers_in(json, &at.with(name.as_str()), found))
        }
        Value::List(items) => {
            items.iter().enumerate().for_each(|(nth, json)| numbers_in(json, &at.with(nth.to_string()), found));
        }
        Value::Integer(value) => found.extend(other((value ^ 1).to_string()).map(|new| (at.clone(), new))),
        Value::Float(_) => {
            let value = Compact(json).to_string().parse::<f32>().ok().filter(|value| value.is_finite());
            let new = value.and_then(|value| other(format!("{:?}", value + 1.0)));
            found.extend(new.map(|new| (at.clone(), new)));
        }
        Value::Text(text) if text.parse::<f32>().is_ok() => {
            found.push((at.clone(), Value::from(if text == "7" { "8" } else { "7" })));
        }
        _ => {}
    }
}
