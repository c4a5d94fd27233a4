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
use super::{lock, print};

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

/// Returns the texts of mods by their names.
fn read(mods: &[PathBuf]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let read = |path: &PathBuf| {
        if path.is_dir() {
            bail!("{}: expected a mod, found a folder; the game comes before its mods", path.display());
        }
        Ok((name_of(path), read_input(path).with_context(|| path.display().to_string())?))
    };
    mods.iter().map(read).collect()
}

/// Parses mods. Each text is freed once it is parsed.
fn named(game: &Game, texts: Vec<(String, Vec<u8>)>) -> anyhow::Result<Vec<Named>> {
    Ok(texts.into_iter().map(|(name, text)| game.read(&name, &text)).collect::<Result<_, _>>()?)
}

pub(super) fn check(args: &CheckArgs, out: &mut Out) -> anyhow::Result<()> {
    let (texts, game, shown) = (read(&args.mods)?, Game::open(&args.game)?, args.game.display());
    if game.is_interrupted()? {
        bail!("{shown}: an earlier call was interrupted; `bitexact mod finish {shown}` finishes its changes");
    }
    let plan = game.plan(&named(&game, texts)?)?;
    print(&plan, Code::Finding, out);
    if plan.findings.is_empty() {
        out.say(format_args!("{}: {} can be applied", args.game.display(), names(&args.mods)));
    }
    Ok(())
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    // A mod can be a pipe, which the user must be able to interrupt.
    let texts = read(&args.mods)?;
    // Ctrl-C does not end a transaction halfway; a second one does, and the next call finishes it.
    let _gentle = Gentle::new();
    let mut game = lock(&args.game, out)?;
    let mods = named(&game, texts)?;
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
