//! `bitexact mod check` and `bitexact mod apply`

use std::path::{Path, PathBuf};

use anyhow::bail;
use bitexact::field::wide;
use bitexact::mods::{Game, Named, Origin, Plan};
use bitexact::output::printable::counted;

use super::super::Code;
use super::super::out::Out;
use super::super::signals::Gentle;
use super::super::source::name_of;
use super::{lock, package, print};

/// Apply mods, all or none
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Mods, applied in this order
    #[arg(required = true, value_name = "MOD")]
    mods: Vec<PathBuf>,
    /// Give rows that several mods append to one table the next free numbers, in the order of the mods
    #[arg(long)]
    renumber: bool,
}

/// Check whether mods can be applied, without writing anything
#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// Folder of the game, or one file
    game: PathBuf,
    /// Mods, in the order of their application
    #[arg(required = true, value_name = "MOD")]
    mods: Vec<PathBuf>,
    /// Give rows that several mods append to one table the next free numbers, in the order of the mods
    #[arg(long)]
    renumber: bool,
}

/// Returns the texts of mods by their names.
fn read(mods: &[PathBuf]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    mods.iter().map(|path| Ok((name_of(path), package::text(path)?))).collect()
}

/// Parses mods. Each text is freed once it is parsed.
fn named(game: &Game, texts: Vec<(String, Vec<u8>)>) -> anyhow::Result<Vec<Named>> {
    Ok(texts.into_iter().map(|(name, text)| game.read(&name, &text)).collect::<Result<_, _>>()?)
}

/// Moves rows of mods after those of others if that is wanted, and prints which.
fn numbered(game: &Game, mods: Vec<Named>, is_wanted: bool, out: &Out) -> anyhow::Result<Vec<Named>> {
    if !is_wanted {
        return Ok(mods);
    }
    let (mods, moved) = game.renumbered(mods)?;
    moved.iter().for_each(|it| out.say(it));
    Ok(mods)
}

/// Prints which mods were made for another game than this one, or for another edition of it.
fn say_others(path: &Path, mods: &[Named], out: &Out) {
    let mut here = None;
    for it in mods {
        let Some(origin) = &it.about().made_for else { continue };
        let here = here.get_or_insert_with(|| Origin::of_folder(path));
        if let Some(why) = here.as_ref().and_then(|here| origin.differs(here)) {
            out.say(format_args!("{}: {why}", it.name));
        }
    }
}

/// Prints how mods that append to one list can be applied together.
fn say_way_out(game: &Game, (plan, mods): (&Plan, Vec<Named>), is_renumbered: bool, out: &Out) -> anyhow::Result<()> {
    let several = mods.len() > 1;
    if !plan.findings.is_empty() && !is_renumbered && !game.renumbered(mods)?.1.is_empty() {
        out.say(
            "the mods append to one list or table; --renumber gives what the later mod appends the next free numbers",
        );
    } else if !plan.findings.is_empty() && several {
        out.say(
            "of mods that change one place, apply the one whose value you want; `bitexact mod show -v MOD` lists the changes of a mod, \
             and a copy in which both are edited makes a mod of its own",
        );
    }
    Ok(())
}

pub(super) fn check(args: &CheckArgs, out: &mut Out) -> anyhow::Result<()> {
    let (texts, game, shown) = (read(&args.mods)?, Game::open(&args.game)?, args.game.display());
    if game.is_interrupted()? {
        bail!("{shown}: an earlier call was interrupted; `bitexact mod finish {shown}` finishes its changes");
    }
    let mods = numbered(&game, named(&game, texts)?, args.renumber, out)?;
    say_others(&args.game, &mods, out);
    let plan = game.plan(&mods)?;
    print(&plan, Code::Finding, out);
    say_way_out(&game, (&plan, mods), args.renumber, out)?;
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
    let mods = numbered(&game, named(&game, texts)?, args.renumber, out)?;
    say_others(&args.game, &mods, out);
    let plan = game.apply(&mods)?;
    print(&plan, Code::Failed, out);
    say_way_out(&game, (&plan, mods), args.renumber, out)?;
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
