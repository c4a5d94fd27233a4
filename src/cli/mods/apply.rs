//! `bitexact mod check` and `bitexact mod apply`

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::field::wide;
use bitexact::mods::{Game, Named};
use bitexact::output::printable::counted;

use super::super::out::Out;
use super::super::signals::Gentle;
use super::super::source::name_of;
use super::super::{Code, read_input};
use super::{open, print};

/// Apply mods, all or none
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Mods, applied in this order
    #[arg(required = true, value_name = "MOD")]
    mods: Vec<PathBuf>,
}

/// Check whether mods can be applied, without writing anything
#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Mods, in the order of their application
    #[arg(required = true, value_name = "MOD")]
    mods: Vec<PathBuf>,
}

fn read(game: &Game, mods: &[PathBuf]) -> anyhow::Result<Vec<Named>> {
    let read = |path: &PathBuf| {
        if path.is_dir() {
            bail!("{}: expected a mod, found a folder; the game comes before its mods", path.display());
        }
        let text = read_input(path).with_context(|| path.display().to_string())?;
        Ok(game.read(&name_of(path), &text)?)
    };
    mods.iter().map(read).collect()
}

pub(super) fn check(args: &CheckArgs, out: &mut Out) -> anyhow::Result<()> {
    let game = open(&args.game, out)?;
    let plan = game.plan(&read(&game, &args.mods)?)?;
    print(&plan, Code::Finding, out);
    if plan.findings.is_empty() {
        out.say(format_args!("{}: {} can be applied", args.game.display(), names(&args.mods)));
    }
    Ok(())
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    // Ctrl-C does not end a transaction halfway; a second one does, and the next call finishes it.
    let _gentle = Gentle::new();
    let mut game = open(&args.game, out)?;
    let mods = read(&game, &args.mods)?;
    let plan = game.apply(&mods)?;
    print(&plan, Code::Failed, out);
    if !plan.findings.is_empty() {
        bail!("{}: no mod was applied, and no file changed", args.game.display());
    }
    let files = counted(wide(plan.files.len()), "file");
    out.say(format_args!("{}: applied {}, {files}", args.game.display(), names(&args.mods)));
    Ok(())
}

fn names(mods: &[PathBuf]) -> String {
    mods.iter().map(|path| name_of(Path::new(path))).collect::<Vec<_>>().join(", ")
}
