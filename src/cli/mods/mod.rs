//! `bitexact mod`: mods for an install.

mod apply;
mod make;
mod undo;

use std::path::Path;

use bitexact::mods::{Game, Plan};
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
    Make(make::Args),
    Check(apply::CheckArgs),
    Apply(apply::Args),
    Undo(undo::Args),
    List(undo::ListArgs),
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    match &args.action {
        Action::Make(args) => make::run(args, out),
        Action::Check(args) => apply::check(args, out),
        Action::Apply(args) => apply::run(args, out),
        Action::Undo(args) => undo::run(args, out),
        Action::List(args) => undo::list(args, out),
    }
}

/// Opens a game, and reports an interrupted call that this one has finished.
pub(super) fn open(path: &Path, out: &Out) -> anyhow::Result<Game> {
    let game = Game::open(path)?;
    if game.is_recovered() {
        out.say(format_args!("{}: finished the changes of an earlier call, which was interrupted", path.display()));
    }
    Ok(game)
}

/// Prints the files of a plan, or why it cannot be carried out.
fn print(plan: &Plan, code: Code, out: &mut Out) {
    for finding in &plan.findings {
        out.error(code, finding);
    }
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
