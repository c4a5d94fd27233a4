//! The installs among the files of `verify`.

use std::path::Path;

use bitexact::field::Json;
use bitexact::report::{unlisted, why_missing};
use bitexact::zipper::install::{Install, Why};

use super::out::Out;
use super::row::SCHEMA;

/// Prints the missing and unexpected files of an install.
pub(crate) fn tell(root: &str, install: &Install, json: bool, out: &mut Out) {
    match json {
        true => out.json(&row(root, install)),
        false => print(root, install, out),
    }
}

/// Returns the path of an install that was found below a folder.
pub(crate) fn root_of(folder: &str, install: &Install) -> String {
    let root = Path::new(folder).join(&install.root);
    // Joining leaves a separator at the end, which `components` drops.
    root.components().as_path().to_string_lossy().into_owned()
}

fn row(root: &str, install: &Install) -> Json {
    let missing =
        |(path, why): &(String, Why)| Json::from([("path", path.as_str().into()), ("why", why_missing(*why).into())]);
    let about = Json::from([
        ("root", root.into()),
        ("game", install.game.map_or(Json::Null, |game| game.code().into())),
        ("edition", install.edition.to_string().into()),
        ("files", install.files.len().into()),
        ("missing", install.missing.iter().map(missing).collect()),
        ("unlisted", unlisted(install).collect()),
    ]);
    Json::from([("schema", SCHEMA.into()), ("install", about)])
}

fn print(root: &str, install: &Install, out: &mut Out) {
    let game = install.game.map_or("a game that nothing tells", bitexact::format::Game::title);
    let edition = install.edition.to_string();
    let edition = if edition.is_empty() { edition } else { format!(" ({edition})") };
    let missing = |why: fn(&Why) -> bool| install.missing.iter().filter(|(_, it)| why(it)).count();
    let (lacks, may_lack) = (missing(|why| *why == Why::Always), missing(|why| *why != Why::Always));
    let strangers = unlisted(install).count();
    let counts = [
        (lacks, "missing"),
        (may_lack, "missing that an option, a patch or the disc explains"),
        (strangers, "that no list of the game has"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!(", {count} {words}"));
    let files = install.files.len();
    let s = if files == 1 { "" } else { "s" };
    out.line(format_args!("install {root}: {game}{edition}, {files} file{s}{}", counts.collect::<String>()));
    if out.verbose {
        for (path, why) in &install.missing {
            out.line(format_args!("  missing: {path} ({})", why_missing(*why)));
        }
        for path in unlisted(install) {
            out.line(format_args!("  not on the list: {path}"));
        }
    }
}
