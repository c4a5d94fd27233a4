//! Attacks on mods and on the journal of a game: their texts are changed, and every call is refused or leaves what it should.

use std::fs;
use std::path::{Path, PathBuf};

use bitexact::field::limits;
use bitexact::mods::{Game, make_of};

use crate::draw::Draw;
use crate::finding::{Finding, What};
use crate::prove::{Proven, bounded};
use crate::seed::Seed;
use crate::texts::changed_text;

/// The path of the file in the game.
const FILE: &str = "data/file.bin";

/// Applies a mod, which may be changed, to a game of one file, changes the journal, and undoes the mod.
///
/// # Errors
/// Returns an error if a law is violated.
///
/// # Panics
/// Panics if there is no temporary folder.
pub fn journals(seeds: &[Seed], draw: Draw<'_>) -> Result<Proven, Finding> {
    let [one, other] = [draw(seeds.len() as u64), draw(seeds.len() as u64)].map(|at| seeds.get(at as usize));
    let (Some(one), Some(other)) = (one, other) else { return Ok(Proven::default()) };
    let (old, new) = (&one.file.bytes, &other.file.bytes);
    let files = [(FILE.to_owned(), Some(old.clone().into()), Some(new.clone().into()))];
    let Ok(text) = make_of(&files).map(|made| made.file.print().unwrap_or_default().into_bytes()) else {
        return Ok(Proven::default());
    };
    let text = if draw(2) == 0 { text.clone() } else { changed_text(&text, &text, draw) };
    let game = tempfile::tempdir().expect("a temporary folder");
    let made = fs::create_dir_all(game.path().join("data")).and_then(|()| fs::write(game.path().join(FILE), old));
    made.expect("the game is written");
    // The files of the journal are those of a mod, so that the largest is no larger than the text and the file.
    let sizes = [old.as_slice(), new, &text].concat();
    bounded(one.kind, &sizes, limits::MEMORY_FACTOR_OF_EXCHANGE, 64, || {
        undone(game.path(), (old, &text), draw).map_err(|words| (What::Form, format!("{}: {words}", one.name)))
    })
}

/// Applies and undoes a mod. Returns `true` if both was possible.
fn undone(game: &Path, (old, text): (&[u8], &[u8]), draw: Draw<'_>) -> Result<bool, String> {
    let now = || fs::read(game.join(FILE)).ok();
    let apply = || {
        let mut game = Game::lock(game)?;
        let named = game.read("a.jsonl", text)?;
        game.apply(&[named])
    };
    let has_applied = apply().is_ok_and(|plan| plan.findings.is_empty());
    let after = now();
    if !has_applied && after.as_deref() != Some(old) {
        return Err("a mod was refused, and changed the file".to_owned());
    }
    let is_changed = draw(4) > 0 && has_applied && change_a_file(game, draw);
    let undo = || Game::lock(game)?.undo(None);
    match undo() {
        Ok((_, plan)) if plan.findings.is_empty() && now().as_deref() == Some(old) => Ok(true),
        Ok((_, plan)) if plan.findings.is_empty() => Err("undo has not restored the file".to_owned()),
        Ok(_) | Err(_) if now() != after && now().as_deref() != Some(old) => {
            Err("a refused undo has changed the file".to_owned())
        }
        Err(why) if why.to_string().trim().is_empty() => Err("refused without a reason".to_owned()),
        Err(why) if has_applied && !is_changed => Err(format!("a mod cannot be undone: {why}")),
        Ok(_) | Err(_) => Ok(false),
    }
}

/// Changes a file of the journal. Returns `true` if there was one.
fn change_a_file(game: &Path, draw: Draw<'_>) -> bool {
    let files: Vec<PathBuf> = bitexact::install::files(&game.join(bitexact::install::JOURNAL))
        .map(|files| files.into_iter().map(|it| it.path).collect())
        .unwrap_or_default();
    let Some(file) = files.get(draw(files.len() as u64) as usize) else { return false };
    let Ok(bytes) = fs::read(file) else { return false };
    let other = files.get(draw(files.len() as u64) as usize).and_then(|it| fs::read(it).ok()).unwrap_or_default();
    let done = match draw(8) {
        0 => fs::remove_file(file),
        1 => fs::write(file, &other),
        2 => fs::write(file.with_file_name("transaction.json"), changed_text(&bytes, &other, draw)),
        _ => fs::write(file, changed_text(&bytes, &other, draw)),
    };
    done.is_ok()
}
