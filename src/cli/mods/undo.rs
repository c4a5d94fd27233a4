//! `bitexact mod undo`, `bitexact mod list` and `bitexact mod finish`

use std::path::PathBuf;

use bitexact::field::wide;
use bitexact::mods::Game;
use bitexact::output::printable::counted;

use super::super::Code;
use super::super::out::Out;
use super::super::signals::Gentle;
use super::{lock, print, refuse, say_interrupted};

/// Undo a mod or an edit, and apply the others again
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Name of the mod or of the edit [default: the last one]
    #[arg(value_name = "MOD")]
    which: Option<String>,
}

/// List the applied mods, and the edits of pack, patch and import
#[derive(clap::Args)]
pub(crate) struct ListArgs {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Print one JSON object per mod
    #[arg(long)]
    json: bool,
}

/// Finish the changes of a call that was interrupted
#[derive(clap::Args)]
pub(crate) struct FinishArgs {
    /// Folder of the game, or one file
    game: PathBuf,
}

pub(super) fn finish(args: &FinishArgs, out: &mut Out) -> anyhow::Result<()> {
    let _gentle = Gentle::new();
    if lock(&args.game, out)?.recovered().is_none() {
        out.say(format_args!("{}: no change was interrupted", args.game.display()));
    }
    Ok(())
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    // Ctrl-C does not end a transaction halfway; a second one does, and the next call finishes it.
    let _gentle = Gentle::new();
    let mut game = lock(&args.game, out)?;
    let (undone, plan) = game.undo(args.which.as_deref())?;
    refuse(&plan, &args.game.display().to_string(), out)?;
    print(&plan, Code::Failed, out);
    let files = counted(wide(plan.files.len()), "file");
    out.say(format_args!("{}: undid {}, {files}", args.game.display(), undone.name));
    Ok(())
}

pub(super) fn list(args: &ListArgs, out: &mut Out) -> anyhow::Result<()> {
    let (game, shown) = (Game::open(&args.game)?, args.game.display());
    if game.is_interrupted()? {
        say_interrupted(&args.game, out);
    }
    for why in game.lost()? {
        out.error(Code::Failed, why);
    }
    for applied in game.applied() {
        match args.json {
            true => out.json(applied),
            false => {
                out.line(format_args!("{applied}: {}, SHA-256 {}", counted(applied.files, "file"), applied.sha256))
            }
        }
    }
    if game.applied().next().is_none() {
        out.say(format_args!("{shown}: no mod is applied"));
    }
    Ok(())
}
