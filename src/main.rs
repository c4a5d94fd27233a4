//! The command-line program.

mod cli;

use std::process::ExitCode;

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
