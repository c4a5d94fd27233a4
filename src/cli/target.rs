//! The output files of a subcommand. Obstacles are reported before the work, not after it.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::edit::BifKeys;
use bitexact::exchange;
use bitexact::install::snapshot::Snapshot;
use bitexact::kind::Kind;
use bitexact::mods;
use bitexact::output;
use bitexact::output::printable::argument;
use bitexact::output::{can_replace, can_write_to, folder_of, is_stdout};
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use bytes::Bytes;

use super::out::Out;
use super::signals::Gentle;
use super::source::name_of;

/// Makes sure that a report overwrites neither a game file nor, without `force`, anything that this program has not written.
pub(crate) fn report(target: &Path, force: bool) -> anyhow::Result<()> {
    if target == Path::new("-") {
        bail!("-: expected a file, since other lines go to stdout; name one, such as report.html");
    }
    has_room(target)?;
    let is_replaced = target.is_file() && !is_stdout(target);
    let Some(bytes) = is_replaced.then(|| fs::read(target).ok()).flatten() else { return Ok(()) };
    let shown = target.display();
    // The user has probably forgotten the option's argument, so that a game file takes its place.
    if let Some((kind, _)) = recognize(KINDS, &name_of(target), &bytes) {
        bail!("{shown}: refusing to overwrite a game file ({}); choose another name", kind.name);
    }
    if !force && !bytes.is_empty() && !is_own(&bytes) {
        bail!("{shown}: already exists, and is not an earlier report; use --force to overwrite it");
    }
    Ok(())
}

/// Returns `true` if nothing is in a folder, or at its path.
pub(crate) fn is_free(dir: &Path) -> anyhow::Result<bool> {
    let shown = dir.display();
    // Systems differ in the error of a file that is read as a folder.
    if dir.is_file() {
        bail!("{shown}: is a file; name a new folder, or a .zip");
    }
    match fs::read_dir(dir) {
        Ok(mut inside) => Ok(inside.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => bail!("{shown}: {error}"),
    }
}

/// Makes sure that an export overwrites no game file, and an existing file only by `force`.
pub(crate) fn drawing(target: &Path, force: bool) -> anyhow::Result<()> {
    // The text of a model and a sound are game files too, but such that `export` writes. A `.glb` file is none, and reading all of it would
    // leave the allocator with memory that the export needs elsewhere.
    let is_export = || [&b"#bitexact compiler "[..], b"glTF", b"RIFF"].iter().any(|start| begins(target, start));
    if force && target.is_file() && is_export() {
        return has_room(target);
    }
    report(target, true)?;
    game_file(target, force)
}

/// Returns `true` if a file begins with these bytes.
fn begins(file: &Path, with: &[u8]) -> bool {
    let mut bytes = vec![0; with.len()];
    File::open(file).and_then(|mut file| file.read_exact(&mut bytes)).is_ok_and(|()| bytes == with)
}

/// Returns `true` if a file is a report or a snapshot that this program has written.
fn is_own(bytes: &[u8]) -> bool {
    /// The beginnings of reports, with a text that follows there.
    const REPORTS: [(&str, &str); 2] =
        [("<!DOCTYPE html>", "bitexact"), ("<?xml", "<property name=\"bitexact\" value=")];
    /// Where that text is looked for, in bytes.
    const HEAD: usize = 2048;
    let head = String::from_utf8_lossy(bytes.get(..HEAD.min(bytes.len())).unwrap_or_default()).into_owned();
    let is_report = REPORTS.iter().any(|(begin, mark)| head.starts_with(begin) && head.contains(mark));
    is_report || Snapshot::parse(bytes).is_ok() || head.lines().next().is_some_and(is_known)
}

/// Returns `true` for a row of `snapshot --known`.
fn is_known(line: &str) -> bool {
    let cells: Vec<&str> = line.split('\t').collect();
    cells.len() == 5 && cells.first().is_some_and(|hash| hash.len() == 64)
}

/// Makes sure that an existing file is replaced only by `force`.
pub(crate) fn game_file(target: &Path, force: bool) -> anyhow::Result<()> {
    has_room(target)?;
    if target.is_file() && !is_stdout(target) && !force {
        bail!("{}: already exists; use --force to overwrite it", target.display());
    }
    Ok(())
}

/// Returns `true` if a file is in a folder or below it, with links resolved.
pub(crate) fn is_inside(target: &Path, folder: &Path) -> bool {
    let real = fs::canonicalize(target).or_else(|_| fs::canonicalize(folder_of(target)));
    real.is_ok_and(|real| fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder)))
}

/// Makes sure that a file is not in a folder nor below it.
pub(crate) fn is_outside(target: &Path, folder: &Path) -> anyhow::Result<()> {
    if is_inside(target, folder) {
        bail!("{}: is inside {}, the folder being packed; choose another location", target.display(), folder.display());
    }
    Ok(())
}

/// Restores a folder whose replacement was interrupted.
pub(crate) fn recover(folder: &Path, out: &Out) -> anyhow::Result<()> {
    let shown = folder.display();
    if exchange::recover(folder).with_context(|| shown.to_string())? {
        out.say(format_args!("{shown}: restored, because an earlier unpack was interrupted"));
    }
    Ok(())
}

/// Finds the KEYs that follow when these bytes are written, makes sure that they can be written, and prints what will change.
pub(crate) fn bif_keys(kind: &Kind, target: &Path, bytes: &[u8], out: &Out) -> anyhow::Result<BifKeys> {
    let keys = keys_of(kind, target, bytes)?;
    keys.notes.iter().for_each(|note| out.say(note));
    Ok(keys)
}

/// Finds the KEYs that follow when these bytes are written, and makes sure that they can be written.
pub(crate) fn keys_of(kind: &Kind, target: &Path, bytes: &[u8]) -> anyhow::Result<BifKeys> {
    let keys = BifKeys::of(kind, target, bytes, &super::read)?;
    keys.paths().try_for_each(has_room)?;
    Ok(keys)
}

/// Copies a file to `NAME.bak` beside it. Returns the note about that, and the path of the copy if it is new.
pub(crate) fn back_up(file: &Path) -> anyhow::Result<(String, Option<PathBuf>)> {
    let (copy, is_new) = output::back_up(file).with_context(|| file.display().to_string())?;
    let is = if is_new { "backup written" } else { "already exists, left unchanged" };
    Ok((format!("{}: {is}", copy.display()), is_new.then_some(copy)))
}

/// Writes a file, whose bytes can be in several pieces, and the KEYs that follow it. Returns what undoes the change, in words, if it is
/// recorded in a game.
pub(crate) fn write(
    target: &Path,
    pieces: &[Bytes],
    before: Option<Sha>,
    keys: &BifKeys,
    game: Option<&Path>,
) -> anyhow::Result<String> {
    // Ctrl-C does not end a transaction halfway; a second one does, and the next call finishes it.
    let _gentle = Gentle::new();
    Ok(match mods::write(target, pieces, before, keys, game)? {
        Some((game, name)) => undone_by(&game, name.as_deref()),
        None => String::new(),
    })
}

/// Returns the command that undoes an edit of a game, for the end of a message.
pub(crate) fn undone_by(game: &Path, name: Option<&str>) -> String {
    match name {
        Some(name) => {
            format!("; `bitexact mod undo {} {}` undoes it", argument(&game.display().to_string()), argument(name))
        }
        None => "; the game has no edit of it any more".to_owned(),
    }
}

/// Finishes the changes of a call that was interrupted in the game around a file, before that is read.
pub(crate) fn finish(file: &Path, game: Option<&Path>, out: &Out) -> anyhow::Result<()> {
    let game = match game {
        Some(game) => Some(game.to_owned()),
        None => mods::interrupted(file)?,
    };
    match game {
        Some(game) => super::mods::recover(&game, out),
        None => Ok(()),
    }
}

/// Prints that a change was interrupted in the game around a file or folder that is about to be read: it can be anything between two
/// states.
pub(crate) fn say_interrupted(path: &Path, out: &Out) {
    if is_stdout(path) {
        return;
    }
    match mods::interrupted(path) {
        Ok(Some(game)) => super::mods::say_interrupted(&game, out),
        Ok(None) => {}
        // Reading needs no journal.
        Err(error) => out.say_once(error),
    }
}

/// Makes sure that a file can be written: its folder exists and is writable, and no folder or read-only file has its path.
pub(crate) fn has_room(target: &Path) -> anyhow::Result<()> {
    let (shown, folder) = (target.display(), folder_of(target));
    if is_stdout(target) {
        return Ok(());
    }
    if !folder.is_dir() {
        bail!("{shown}: folder {} does not exist", folder.display());
    }
    if target.is_dir() {
        bail!("{shown}: is a folder; name a file");
    }
    if target.is_symlink() && fs::metadata(target).is_err() {
        bail!("{shown}: is a broken link; delete it or choose another name");
    }
    match fs::metadata(target) {
        Ok(about) if about.is_file() && about.permissions().readonly() => {
            bail!("{shown}: is read-only; make it writable to replace it")
        }
        // Pipes and devices are not replaced, so that their folder does not matter.
        Ok(about) if !about.is_file() => return Ok(()),
        Ok(_) => can_replace(target).with_context(|| shown.to_string())?,
        Err(_) => {}
    }
    can_write_to(folder).with_context(|| format!("{shown}: cannot write to folder {}", folder.display()))
}
