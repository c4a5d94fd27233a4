//! Printed output: Markdown, ready for the README.

use std::env;
use std::path::Path;
use std::thread::available_parallelism;

/// Returns the line before a table: the command, and the machine.
#[must_use]
pub fn heading() -> String {
    let mut words = env::args();
    let program = words.next().unwrap_or_default();
    let program = Path::new(&program);
    // Cargo names the folder after the profile.
    let profile = match program.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy()) {
        Some(folder) if folder == "debug" => String::new(),
        Some(folder) if folder != "release" => format!(" --profile {folder}"),
        _ => " --release".to_owned(),
    };
    let program = program.file_stem().unwrap_or_default().to_string_lossy();
    let mut command = format!("cargo run{profile} -p bench --bin {program}");
    for (index, word) in words.enumerate() {
        command += if index == 0 { " -- " } else { " " };
        command += &word;
    }
    let cores = available_parallelism().map_or(1, usize::from);
    let sha = if hashes_in_hardware() { "with" } else { "without" };
    format!("`{command}` on {}, {cores} cores, {sha} SHA-256 instructions", env::consts::ARCH)
}

/// Returns a row of a Markdown table.
#[must_use]
pub fn row<'a>(cells: impl AsRef<[&'a str]>) -> String {
    format!("| {} |", cells.as_ref().join(" | "))
}

/// Returns the line after a table: the number of files left out, if any.
#[must_use]
pub fn footing(left_out: usize) -> String {
    match left_out {
        0 => String::new(),
        files => format!("\nLeft out, as not identical after `verify`: {files} files.\n"),
    }
}

/// Returns `true` if the processor has instructions for SHA-256, which determine the cost of the reference.
fn hashes_in_hardware() -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return std::arch::is_x86_feature_detected!("sha");
    #[cfg(target_arch = "aarch64")]
    return std::arch::is_aarch64_feature_detected!("sha2");
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    return false;
}
