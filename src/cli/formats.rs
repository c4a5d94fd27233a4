//! `bitexact formats`: the table of supported kinds, from the registry.

use bitexact::field::Value;
use bitexact::kind::Game;
use bitexact::registry::{KINDS, Kind};
use bitexact::verify::SCHEMA;
use json::Compact;

use super::examples;
use super::out::Out;

/// List supported kinds by game
#[derive(clap::Args)]
#[command(after_help = examples::FORMATS)]
pub(crate) struct Args {
    /// Print one JSON object per line
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the Markdown table of the guide
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    if args.json {
        for kind in KINDS {
            out.json(&Compact(&Value::from([
                ("schema", SCHEMA.into()),
                ("kind", kind.name.into()),
                ("title", kind.title.into()),
                ("games", kind.games.iter().map(|game| game.code()).collect()),
                ("claims", kind.claims.iter().copied().collect()),
            ])));
        }
        return Ok(());
    }
    let separator = if args.markdown { " | " } else { "  " };
    let row = |cells: Vec<String>| match args.markdown {
        true => format!("| {} |", cells.join(separator)),
        false => cells.join(separator).trim_end().to_owned(),
    };
    let width = |cell: fn(&Kind) -> &str| KINDS.iter().map(|kind| cell(kind).chars().count()).max().unwrap_or(0);
    let (name, title) = (width(|kind| kind.name).max(4), width(|kind| kind.title).max(8));
    let games = |mark: &dyn Fn(Game) -> String| Game::ALL.map(|game| format!("{:<3}", mark(game)));
    let line = |first: &str, second: &str, mark: &dyn Fn(Game) -> String| {
        let mut cells = vec![format!("{first:<name$}"), format!("{second:<title$}")];
        cells.extend(games(mark));
        row(cells)
    };
    out.line(line("kind", "contents", &|game| game.code().to_owned()));
    if args.markdown {
        out.line(line(&"-".repeat(name), &"-".repeat(title), &|_| "---".to_owned()));
    }
    for kind in KINDS {
        out.line(line(kind.name, kind.title, &|game| if kind.games.contains(&game) { "✓" } else { "" }.to_owned()));
    }
    Ok(())
}
