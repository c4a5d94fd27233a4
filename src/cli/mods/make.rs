//! `bitexact mod make`

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use bitexact::field::wide;
use bitexact::output::{self, printable::counted};

use super::super::out::Out;
use super::super::target;

/// Make a mod from an original and an edited copy
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Original folder or file
    original: PathBuf,
    /// Edited copy
    mine: PathBuf,
    /// Mod to write
    #[arg(short, long, value_name = "MOD")]
    output: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let shown = args.output.display();
    target::game_file(&args.output, args.force)?;
    let made = bitexact::mods::make(&args.original, &args.mine, &args.output)?;
    out.ignored(made.litter.into_iter());
    if let Some(first) = made.relaid.first() {
        let more = match made.relaid.len().saturating_sub(1) {
            0 => String::new(),
            more => format!(" and {}", counted(wide(more), "more file")),
        };
        out.say(format_args!("{first}{more}: laid out differently, which is not part of the mod"));
    }
    if made.file.files.is_empty() {
        bail!("{} and {} are equal; a mod needs a difference", args.original.display(), args.mine.display());
    }
    let is_quiet = out.is_quiet();
    for file in made.file.files.iter().filter(|_| !is_quiet) {
        out.line(file);
    }
    let text = made.file.print()?;
    output::write(&args.output, text.as_bytes()).with_context(|| shown.to_string())?;
    let files = counted(wide(made.file.files.len()), "file");
    out.say(format_args!("{shown}: {files}, {}", counted(wide(text.len()), "byte")));
    Ok(())
}
