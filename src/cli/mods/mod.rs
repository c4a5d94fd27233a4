//! `bitexact mod`: mods for an install.

mod apply;
mod make;
mod package;
mod show;
mod undo;

use std::path::Path;

use anyhow::bail;
use bitexact::mods::{Game, Plan, Recovered};
use bitexact::output::printable::argument;
use clap::Subcommand;

use super::Code;
use super::examples;
use super::out::Out;

/// Make, apply and undo mods of an install or of one file
///
/// Several mods are applied together or not at all. The folder .bitexact-mods in GAME holds the originals of all changed files.
#[derive(clap::Args)]
#[command(after_help = examples::MODS)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Make(Box<make::Args>),
    Show(show::Args),
    Check(apply::CheckArgs),
    Apply(apply::Args),
    Undo(undo::Args),
    List(undo::ListArgs),
    Finish(undo::FinishArgs),
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    match &args.action {
        Action::Make(args) => make::run(args, out),
        Action::Show(args) => show::run(args, out),
        Action::Check(args) => apply::check(args, out),
        Action::Apply(args) => apply::run(args, out),
        Action::Undo(args) => undo::run(args, out),
        Action::List(args) => undo::list(args, out),
        Action::Finish(args) => undo::finish(args, out),
    }
}

/// Opens a game to change it, and reports an interrupted call that this one has finished.
pub(super) fn lock(path: &Path, out: &Out) -> anyhow::Result<Game> {
    let (game, shown) = (Game::lock(path)?, path.display());
    match game.recovered() {
        None => {}
        Some(Recovered::Finished) => {
            out.say(format_args!("{shown}: finished the changes of an earlier call, which was interrupted"));
        }
        Some(_) => out.say(format_args!("{shown}: restored the files of an earlier call, which was interrupted")),
    }
    Ok(game)
}

/// Prints that a call was interrupted in a game, and how to finish it.
pub(super) fn say_interrupted(path: &Path, out: &Out) {
    let shown = path.display();
    let game = argument(&shown.to_string());
    out.say_once(format_args!("{shown}: a call was interrupted; `bitexact mod finish {game}` finishes its changes"));
}

/// Finishes an interrupted call before the files of the game are read. A game without one is not changed.
pub(super) fn recover(path: &Path, out: &Out) -> anyhow::Result<()> {
    if Game::open(path)?.is_interrupted()? {
        lock(path, out)?;
    }
    Ok(())
}

/// Returns an error if a plan cannot be carried out.
pub(super) fn refuse(plan: &Plan, shown: &str, out: &mut Out) -> anyhow::Result<()> {
    if plan.findings.is_empty() {
        return Ok(());
    }
    plan.findings.iter().for_each(|finding| out.error(Code::Failed, finding));
    bail!("{shown}: no file was changed")
}

/// Prints the files of a plan, or why it cannot be carried out.
fn print(plan: &Plan, code: Code, out: &mut Out) {
    for finding in &plan.findings {
        out.error(code, finding);
    }
    plan.notes.iter().for_each(|note| out.say(note));
    if plan.findings.is_empty() && !out.is_quiet() {
        for file in &plan.files {
            let how = match (&file.sha256, file.is_original) {
                (Some(hash), true) => format!("original, SHA-256 {hash}"),
                (Some(hash), false) => format!("SHA-256 {hash}"),
                (None, _) => "removed".to_owned(),
            };
            out.line(format_args!("{}: {how}", file.path));
        }
    }
}
