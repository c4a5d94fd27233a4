//! Verifies that every file of a folder round-trips bit for bit, on all processors, with progress.
//!
//! ```sh
//! cargo run --release --example verify_folder -- "C:\Games\Recoil"
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::{env, thread};

use bitexact::field::memory::allowed;
use bitexact::install::{self, Found};
use bitexact::registry::KINDS;
use bitexact::verify::jobs::{self, Budget};
use bitexact::verify::{Report, Status, VerifyOptions, verify_with};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: verify_folder FOLDER")?;
    let statuses = verify(folder.as_ref(), |done, file, report| {
        eprint!("\r{done} files");
        if report.status.is_failure() {
            eprintln!("\n{}: {:?}", file.shown(), report.failure);
        }
    })?;
    for (status, files) in statuses {
        println!("{}: {files} files", status.name());
    }
    Ok(())
}

/// Verifies all files below a folder, and calls `progress` after each, in the order of their paths: with the number of files so far,
/// the file, and its report. Returns the number of files of each status.
pub(crate) fn verify(
    folder: &Path,
    mut progress: impl FnMut(usize, &Found, &Report),
) -> Result<BTreeMap<Status, usize>, Box<dyn Error>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // All threads share the memory: a file waits until there is enough for it.
    let budget = Budget::of(allowed());
    let size = |file: &Found| *file.size.as_ref().unwrap_or(&0);
    let work = |file: &Found| {
        let _share = budget.share(size(file));
        match file.read() {
            Ok(bytes) => verify_with(KINDS, &file.name(), bytes, VerifyOptions::default()),
            Err(why) => Report::unreadable(why),
        }
    };
    // Set to `true` (by a handler of Ctrl-C, say), this would end the work after the files in progress.
    let stop = AtomicBool::new(false);
    let (mut statuses, mut done) = (BTreeMap::new(), 0);
    jobs::ordered(install::walk(folder)?, threads, &stop, size, Report::memory, work, |file, report| {
        done += 1;
        *statuses.entry(report.status).or_insert(0) += 1;
        progress(done, file, &report);
        true
    })?;
    Ok(statuses)
}
