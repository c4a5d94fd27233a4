//! The command-line program.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let code = cli::run(std::env::args_os().collect());
    cli::hold();
    code.into()
}
