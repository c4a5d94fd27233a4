//! Edits of values that are written back: `patch` and `import`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use bitexact::edit::diff::{self, Change};
use bitexact::edit::{Batched, BifKeys, Comparison, Recomputed, recompute};
use bitexact::field::{Address, wide};
use bitexact::output::printable::{argument, counted, grouped};
use bitexact::passes::Deviation;
use bitexact::registry::Model;
use bytes::Bytes;

use super::out::Out;
use super::source::{Source, name_of, say_deviations, say_recomputed, say_warnings};
use super::target;

/// The file to write, and how.
#[derive(Clone, clap::Args)]
pub(crate) struct Back {
    /// Write the result to FILE and leave the original unchanged
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show what would change without writing anything
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Back up the original as FILE.bak
    #[arg(long, conflicts_with = "output")]
    backup: bool,
    /// Record the change in the folder GAME, so that `mod undo GAME` can undo it
    #[arg(long, value_name = "GAME", conflicts_with = "output")]
    game: Option<PathBuf>,
    /// Allow an entry to change kind, and --output to overwrite a file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Returns changes in words, each a line or several; those inside an image or a sound are one.
pub(crate) fn said(compared: &Comparison<'_>, changes: &[Change]) -> Vec<String> {
    let (looks, mut rest, mut said) = (compared.media(), changes, Vec::new());
    while let [first, others @ ..] = rest {
        let looked = looks.first(rest);
        rest = looked.as_ref().map_or(others, |looked| rest.get(looked.changes..).unwrap_or_default());
        said.push(looked.map_or_else(|| first.to_string(), |looked| looked.line));
    }
    said
}

impl Back {
    /// Returns `true` if nothing is to be written. The files of a folder take no other options.
    pub(crate) fn is_dry_run_of_folder(&self) -> anyhow::Result<bool> {
        let options = [("--output", self.output.is_some()), ("--backup", self.backup), ("--game", self.game.is_some())];
        match options.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => bail!("{option} is for one file; `bitexact mod undo` undoes the edit of a folder"),
            None => Ok(self.dry_run),
        }
    }

    /// Makes sure that the result of editing a file can be written.
    pub(crate) fn check(&self, file: &Path, out: &Out) -> anyhow::Result<()> {
        if file == Path::new("-") && self.output.is_none() && !self.dry_run {
            bail!("cannot write back to stdin; add --output FILE");
        }
        match self.output.as_deref().filter(|_| !self.dry_run) {
            Some(target) => target::game_file(target, self.force),
            None if self.dry_run => Ok(()),
            None => {
                target::has_room(file)?;
                target::finish(file, self.game.as_deref(), out)
            }
        }
    }

    /// Prints what has changed in a file, and writes it.
    pub(crate) fn write(&self, file: &Path, source: &Source, edited: &Batched, out: &mut Out) -> anyhow::Result<()> {
        let (path, name) = (file.display().to_string(), name_of(file));
        let Batched { recomputed, bytes, model: after, .. } = edited;
        let compared = edited.compared(source.kind, (&source.bytes, &source.model))?;
        // An order that an edit gives up is reported as recomputed.
        let changes = diff::without_layout(compared.changes()?);
        let lines = if out.is_quiet() { Vec::new() } else { said(&compared, &changes) };
        let (deviations, warnings) = (compared.new_deviations()?, compared.new_warnings(&name)?);
        let options = recomputing(after, &deviations);
        let target = self.output.as_deref().unwrap_or(file);
        let is_same = *bytes == source.bytes && source.trimmed == 0 && self.output.is_none();
        let keys = match target != Path::new("-") && !is_same {
            true => target::keys_of(source.kind, target, bytes)?,
            false => BifKeys::default(),
        };
        // What is printed has happened.
        let written = match self.dry_run || is_same {
            true => None,
            false => Some(self.put((file, target), source, bytes, &keys)?),
        };
        lines.into_iter().for_each(|lines| out.lines(lines));
        recomputed.iter().for_each(|it| say_recomputed("", it, out));
        say_deviations("", &deviations, out);
        if let Some(options) = options {
            out.say(format_args!("`bitexact patch` sets such values by their rules with{options}"));
        }
        say_warnings("", &warnings, out);
        let end = wide(source.bytes.len());
        if source.trimmed > 0 {
            out.line(format_args!(
                "{end:#010x}: {} after the end of the file removed",
                counted(wide(source.trimmed), "byte")
            ));
        }
        keys.notes.iter().for_each(|note| out.say(note));
        if self.dry_run {
            for (offset, old, new) in ranges(&source.bytes, bytes) {
                let becomes = if old == 1 { "becomes" } else { "become" };
                let become_ = if old == new { String::new() } else { format!(" {becomes} {}", grouped(wide(new))) };
                out.line(format_args!("{offset:#010x}: {}{become_}", counted(wide(old), "byte")));
            }
            if is_same {
                out.say(format_args!("{path}: no changes"));
            }
            return Ok(());
        }
        let Some((backup, undo)) = written else {
            out.say(format_args!("{path}: no changes, file not written"));
            return Ok(());
        };
        backup.iter().for_each(|note| out.say(note));
        let size = counted(wide(bytes.len()), "byte");
        let changes = match source.trimmed {
            0 => counted(wide(changes.len()), "change"),
            trimmed if changes.is_empty() => format!("{} removed from its end", counted(wide(trimmed), "byte")),
            _ => format!("{}, and bytes removed from its end", counted(wide(changes.len()), "change")),
        };
        out.say(format_args!("{}: {changes}, {size}{undo}", target.display()));
        Ok(())
    }

    /// Writes a file and the KEYs that follow it. Returns what to print of its backup, and what undoes the change. New backups are removed if
    /// the file cannot be written.
    fn put(
        &self,
        (file, target): (&Path, &Path),
        source: &Source,
        bytes: &Bytes,
        keys: &BifKeys,
    ) -> anyhow::Result<(Option<String>, String)> {
        let mut copies = Vec::new();
        let mut back_up = |file: &Path| {
            let (note, copy) = target::back_up(file)?;
            copies.extend(copy);
            anyhow::Ok(note)
        };
        let mut written = || {
            let note = self.backup.then(|| back_up(file)).transpose()?;
            keys.paths().filter(|_| self.backup).try_for_each(|key| back_up(key).map(drop))?;
            let before = self.output.is_none().then_some(source.on_disk);
            let undo = target::write(target, core::slice::from_ref(bytes), before, keys, self.game.as_deref())?;
            Ok((note, undo))
        };
        written().inspect_err(|_| {
            // The error is about the file, and a copy of it does no harm.
            copies.iter().for_each(|copy| drop(std::fs::remove_file(copy)));
        })
    }
}

/// Returns the options of `patch` that recompute the values at the first few deviations for which a rule does, or `None`.
fn recomputing(model: &Model, deviations: &[Deviation]) -> Option<String> {
    let places: Vec<Address> =
        deviations.iter().take(MOST_OPTIONS).map(|it| it.first_place.to_string().into()).collect();
    if places.is_empty() {
        return None;
    }
    // A value that no rule computes is no reason to withhold the result of the edit.
    let Recomputed { replaced, .. } = recompute(&mut model.copy(), &places).ok()?;
    let is_told = |place: &&Address| replaced.iter().any(|it| it.place.to_string() == place.to_string());
    let option = |place: &Address| format!(" --recompute {}", argument(&place.to_string()));
    let options: String = places.iter().filter(is_told).map(option).collect();
    (!options.is_empty()).then_some(options)
}

/// The number of deviations for which options are printed.
const MOST_OPTIONS: usize = 4;

/// Returns the ranges that differ if the lengths are equal, otherwise the one range between the common beginning and end.
fn ranges(old: &[u8], new: &[u8]) -> Vec<(usize, usize, usize)> {
    if old.len() != new.len() {
        let first = differing(old, new).next().unwrap_or(old.len().min(new.len()));
        let rest = |bytes: &[u8]| bytes.len() - first;
        let most = rest(old).min(rest(new));
        let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
        return vec![(first, rest(old) - last, rest(new) - last)];
    }
    let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
    for offset in differing(old, new) {
        match ranges.last_mut() {
            // Equal bytes inside one value do not split it.
            Some((begin, old, new)) if offset - *begin < *old + 4 => {
                *old = offset - *begin + 1;
                *new = *old;
            }
            _ => ranges.push((offset, 1, 1)),
        }
    }
    ranges
}

/// Returns the offsets at which two files differ, up to the end of the shorter one. Equal pieces are compared as a whole.
fn differing<'b>(old: &'b [u8], new: &'b [u8]) -> impl Iterator<Item = usize> + 'b {
    const PIECE: usize = 4096;
    let pieces = (0..).step_by(PIECE).zip(old.chunks(PIECE).zip(new.chunks(PIECE)));
    pieces.filter(|(_, (old, new))| old != new).flat_map(|(begin, (old, new))| {
        let bytes = (begin..).zip(old.iter().zip(new));
        bytes.filter(|(_, (old, new))| old != new).map(|(offset, _)| offset)
    })
}
