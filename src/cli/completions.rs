//! `bitexact completions`: what a shell completes, from the declaration of the command line.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Call;
use super::out::Out;

/// Print what a shell needs to complete calls of this program
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut Out) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Call::command(), "bitexact", &mut script);
    out.bytes(&script);
}
