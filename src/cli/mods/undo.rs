//! `bitexact mod undo` and `bitexact mod list`

use std::path::PathBuf;

use bitexact::field::wide;
use bitexact::output::printable::counted;

use super::super::Code;
use super::super::out::Out;
use super::super::signals::Gentle;
use super::{open, print};

/// Undo a mod, and apply the others again
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Name of the mod [default: the last one applied]
    #[arg(value_name = "MOD")]
    which: Option<String>,
}

/// List the applied mods
#[derive(clap::Args)]
pub(crate) struct ListArgs {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Print one JSON object per mod
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    // Ctrl-C does not end a transaction halfway; a second one does, and the next call finishes it.
    let _gentle = Gentle::new();
    let mut game = open(&args.game, out)?;
    let (undone, plan) = game.undo(args.which.as_deref())?;
    print(&plan, Code::Failed, out);
    let files = counted(wide(plan.files.len()), "file");
    out.say(format_args!("{}: undid {}, {files}", args.game.display(), undone.name));
    Ok(())
}

pub(super) fn list(args: &ListArgs, out: &mut Out) -> anyhow::Result<()> {
    let game = open(&args.game, out)?;
    for applied in game.applied() {
        match args.json {
            true => out.json(applied),
            false => {
                out.line(format_args!("{applied}: {}, SHA-256 {}", counted(applied.files, "file"), applied.sha256))
            }
        }
    }
    if game.applied().next().is_none() {
        out.say(format_args!("{}: no mod is applied", args.game.display()));
    }
    Ok(())
}
