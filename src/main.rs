//! The command-line program.

mod cli;

use std::process::ExitCode;

/// In large files, a quarter of the time goes into the first use of each page of 4 KiB. This allocator asks Linux for pages of 2 MiB.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let code = cli::run(std::env::args_os().collect());
    #[cfg(debug_assertions)]
    count_passes();
    cli::hold();
    code.into()
}

/// Appends the number of passes that the call has taken to the file that a test names.
#[cfg(debug_assertions)]
fn count_passes() {
    if let Some(file) = std::env::var_os("BITEXACT_TEST_PASSES") {
        let [built, walked] = ::field::passes();
        // A file that cannot be written is missed by the test.
        let _ = std::fs::write(file, format!("{built} {walked}"));
    }
}
