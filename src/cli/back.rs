//! Edits of values that are written back: `patch` and `import`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::edit::{self, Edit, Recomputed, Refusal, Values, created, diff, recompute, why_nothing};
use bitexact::exchange::{Packed, show};
use bitexact::field::{Address, Json, Told, encode, wide};
use bitexact::media::Replaced;
use bitexact::output;
use bitexact::output::printable::{counted, grouped};
use bitexact::registry::{KINDS, Model};
use bytes::Bytes;

use super::out::Out;
use super::source::{Source, name_of, prove, warn};
use super::target;

/// The most characters of a value in a message of one line.
const LINE: usize = 160;

/// The file to write, and how.
#[derive(clap::Args)]
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
    /// Allow an entry to change kind, and --output to overwrite a file
    #[arg(long)]
    pub(crate) force: bool,
}

impl Back {
    /// Makes sure that the result of editing a file can be written.
    pub(crate) fn check(&self, file: &Path) -> anyhow::Result<()> {
        if file == Path::new("-") && self.output.is_none() && !self.dry_run {
            bail!("cannot write back to stdin; add --output FILE");
        }
        match self.output.as_deref().filter(|_| !self.dry_run) {
            Some(target) => target::game_file(target, self.force),
            None if self.dry_run => Ok(()),
            None => target::has_room(file),
        }
    }

    /// Prints what has changed in a file, and writes it.
    pub(crate) fn write(&self, file: &Path, source: &Source, edited: &Edited, out: &mut Out) -> anyhow::Result<()> {
        let (path, name) = (file.display().to_string(), name_of(file));
        let Edited { recomputed, bytes, after } = edited;
        let changes = diff::between(source.kind, (source.bytes.clone(), &source.model), (bytes.clone(), after))?;
        let is_quiet = out.is_quiet();
        for change in changes.iter().filter(|_| !is_quiet) {
            out.lines(change);
        }
        for it in recomputed {
            out.say(format_args!("recomputed: {}: {} → {}", it.place, it.was, it.now));
        }
        for it in created(&source.model, after)? {
            let (expected, found) = (brief(&it.expected), brief(&it.found));
            out.say(format_args!("deviation: {}: expected {expected}, found {found}", it.first_place));
        }
        warn(source.kind, &name, [(&source.model, &source.bytes), (after, bytes)], out)?;
        if self.dry_run {
            for (offset, old, new) in ranges(&source.bytes, bytes) {
                let become_ = if old == new { String::new() } else { format!(" become {}", grouped(wide(new))) };
                out.line(format_args!("{offset:#010x}: {}{become_}", counted(wide(old), "byte")));
            }
            return Ok(());
        }
        let target = self.output.as_deref().unwrap_or(file);
        if *bytes == source.bytes && self.output.is_none() {
            out.say(format_args!("{path}: no changes, file not written"));
            return Ok(());
        }
        if self.backup {
            let (copy, is_new) = output::back_up(file).with_context(|| path.clone())?;
            let is = if is_new { "backup written" } else { "already exists, left unchanged" };
            out.say(format_args!("{}: {is}", copy.display()));
        }
        output::write(target, bytes).with_context(|| target.display().to_string())?;
        let (changes, size) = (counted(wide(changes.len()), "change"), counted(wide(bytes.len()), "byte"));
        out.say(format_args!("{}: {changes}, {size}", target.display()));
        Ok(())
    }
}

/// Returns a value in full if it fits a line, such as the nine numbers of a matrix.
fn brief(value: &Json) -> String {
    let text = value.to_string();
    if text.len() <= LINE { text } else { value.describe() }
}

/// A file after all edits, proven to round-trip.
pub(crate) struct Edited {
    /// The values that have been recomputed because of the edits.
    pub(crate) recomputed: Vec<Replaced>,
    pub(crate) bytes: Bytes,
    /// The model of the edited file.
    pub(crate) after: Model,
}

/// The edits of values, at places without names.
#[derive(Default)]
pub(crate) struct Wishes {
    pub(crate) set: Vec<(Address, Json)>,
    pub(crate) delete: Vec<Address>,
    pub(crate) insert: Vec<(Address, Json)>,
    pub(crate) recompute: Vec<Address>,
}

impl Wishes {
    /// Applies the edits to a file.
    pub(crate) fn edit(&self, source: &Source, name: &str) -> anyhow::Result<Edited> {
        if let Some(edited) = self.of_values(false, source, name)? {
            return Ok(edited);
        }
        let mut edit = Edit::of(&source.model, source.about())?;
        self.apply(&mut edit, false)?;
        let Packed { model, recomputed, .. } = edit.pack(KINDS)?;
        let bytes = Bytes::from(encode(&model)?);
        let after = prove(source.kind, &model, &bytes, name)?;
        Ok(Edited { recomputed, bytes, after })
    }

    /// Applies the edits if all are of values that can be loaded alone, or returns `None`.
    pub(crate) fn of_values(&self, retype: bool, source: &Source, name: &str) -> anyhow::Result<Option<Edited>> {
        // The exchange format, which explains why an edit is rejected, has no values of a file that it stores as raw bytes.
        let is_raw = source.kind.raw.is_some();
        let has_items = !self.insert.is_empty() || !self.delete.is_empty();
        if has_items && !is_raw {
            return Ok(None);
        }
        let edited = self.set.iter().map(|(place, _)| place).chain(&self.delete);
        let places: Vec<_> = edited.chain(self.insert.iter().map(|(place, _)| place)).cloned().collect();
        let Some(mut values) = Values::open(&source.model, &places)? else { return Ok(None) };
        if has_items {
            values.edit(0, |whole| self.edit_whole(retype, whole)).map_err(anyhow::Error::msg)?;
        }
        let sets = if has_items { &[] } else { self.set.as_slice() };
        for (number, (place, value)) in sets.iter().enumerate() {
            match values.set(number, value.clone(), retype) {
                Ok(()) => {}
                Err(why) if is_raw => bail!("{place}: {why}"),
                Err(_) => return Ok(None),
            }
        }
        let mut model = source.model.copy();
        let made = match values.load(&mut model) {
            Ok(made) => made,
            Err(error) if is_raw => return Err(error.into()),
            Err(_) => return Ok(None),
        };
        let by_wish = recompute_in(&mut model, &self.recompute)?;
        let Ok(bytes) = encode(&model).map(Bytes::from) else { return Ok(None) };
        let Ok(after) = prove(source.kind, &model, &bytes, name) else { return Ok(None) };
        if !made.is_said_by(&after)? {
            return Ok(None);
        }
        let recomputed = made.told.into_iter().map(replaced).chain(by_wish).collect();
        Ok(Some(Edited { recomputed, bytes, after }))
    }

    /// Applies the edits to the value of a whole file.
    fn edit_whole(&self, retype: bool, whole: &mut Json) -> Result<(), String> {
        for (place, value) in &self.set {
            edit::set(whole, &place.keys, value.clone(), retype).map_err(|why| format!("{place}: {why}"))?;
        }
        for place in last_first(&self.delete) {
            edit::delete(whole, &place.keys).map_err(|why| format!("{place}: {why}"))?;
        }
        for (place, value) in &self.insert {
            edit::insert(whole, &place.keys, value.clone()).map_err(|why| format!("{place}: {why}"))?;
        }
        Ok(())
    }

    /// Applies the edits to the exchange format.
    pub(crate) fn apply(&self, edit: &mut Edit, retype: bool) -> Result<(), Refusal> {
        for (place, value) in &self.set {
            edit.set(place, value.clone(), retype)?;
        }
        for place in last_first(&self.delete) {
            edit.delete(place)?;
        }
        for (place, value) in &self.insert {
            edit.insert(place, value.clone())?;
        }
        Ok(())
    }
}

/// Recomputes the values at these places, or returns an error if no rule computes one of them.
pub(crate) fn recompute_in(model: &mut Model, places: &[Address]) -> anyhow::Result<Vec<Replaced>> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let Recomputed { told, idle, .. } = recompute(model, places)?;
    if let Some(place) = idle.first() {
        let is_there = show(model, &place.to_string(), 0)?.is_some();
        let why = if is_there { "no rule computes a value here".to_owned() } else { why_nothing(model, place)? };
        bail!("{place}: {why}");
    }
    Ok(told.into_iter().map(replaced).collect())
}

fn replaced(Told { place, was, now }: Told) -> Replaced {
    Replaced { place: place.to_string(), was, now }
}

/// Returns places with later items of a list before earlier ones, so that deleting one does not move the next.
fn last_first(places: &[Address]) -> Vec<&Address> {
    let key = |place: &&Address| {
        let keys = place.keys.iter().map(|key| (key.parse::<u64>().ok(), key.clone()));
        (place.entry.clone(), keys.collect::<Vec<_>>())
    };
    let mut places: Vec<&Address> = places.iter().collect();
    places.sort_by_key(|place| core::cmp::Reverse(key(place)));
    places
}

/// Returns the ranges that differ if the lengths are equal, otherwise the one range between the common beginning and end.
fn ranges(old: &[u8], new: &[u8]) -> Vec<(usize, usize, usize)> {
    let first = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    if old.len() != new.len() {
        let rest = |bytes: &[u8]| bytes.len().saturating_sub(first);
        let most = rest(old).min(rest(new));
        let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
        return vec![(first, rest(old).saturating_sub(last), rest(new).saturating_sub(last))];
    }
    let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
    for (offset, _) in old.iter().zip(new).enumerate().skip(first).filter(|(_, (old, new))| old != new) {
        match ranges.last_mut() {
            // Equal bytes inside one value do not split it.
            Some((begin, old, new)) if offset.saturating_sub(*begin) < old.saturating_add(4) => {
                *old = offset.saturating_sub(*begin).saturating_add(1);
                *new = *old;
            }
            _ => ranges.push((offset, 1, 1)),
        }
    }
    ranges
}
