//! `bitexact schema`: the JSON Schema of a kind.

use anyhow::bail;
use bitexact::exchange::schema::{kinds, schema};

use super::examples;
use super::out::Out;

/// Print the JSON Schema of the files that `unpack` writes for a kind
#[derive(clap::Args)]
#[command(after_help = examples::SCHEMA)]
pub(crate) struct Args {
    /// Kind of the file or entry, as in the column `kind` of `bitexact formats`
    kind: String,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let Some(text) = schema(&args.kind) else {
        let kinds: Vec<_> = kinds().collect();
        bail!("{}: no such kind; there are {}", args.kind, kinds.join(", "))
    };
    text.lines().for_each(|line| out.line(line));
    Ok(())
}
