//! `bitexact completions`: shell completion scripts, from the declaration of the command line.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Call;
use super::examples;
use super::out::Out;

/// Print a shell completion script
#[derive(clap::Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(crate) struct Args {
    /// Shell to complete for
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut Out) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Call::command(), "bitexact", &mut script);
    out.bytes(&script);
}
