//! Changes of a file that consists of records of one size: the same bytes of each are set, all become equal, there are more or fewer.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::ops::Range;

use crate::anatomy::Anatomy;
use crate::draw::Draw;

/// The fewest records of one size in a row that count as such.
const FEW: usize = 4;
/// The end of the area in which counts and offsets are searched, in addition to those that the decoder knows.
const HEAD: usize = 256;
/// How many parts around records are tried as the beginning of offsets.
const BASES: usize = 3;

/// Records of one size in a row.
#[derive(Clone, Debug)]
struct Run {
    start: usize,
    size: usize,
    count: usize,
}

impl Run {
    fn end(&self) -> usize {
        self.start + self.size * self.count
    }

    fn record(&self, index: usize) -> Range<usize> {
        let start = self.start + index * self.size;
        start..start + self.size
    }
}

/// Returns the runs of a file, the longest last.
fn runs(file: &Anatomy) -> Vec<Run> {
    // Runs that can still grow, by the size of a record and their ends.
    let mut open: BTreeMap<(usize, usize), Run> = BTreeMap::new();
    let mut parts: Vec<_> = file.parts.iter().chain(&file.fields).cloned().collect();
    parts.sort_by_key(|part| (part.start, part.end));
    parts.dedup();
    let longest: BTreeMap<usize, usize> = parts.iter().map(|part| (part.start, part.len())).collect();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        let (start, size) = (part.start, part.len());
        // A table is not continued by the fields before it.
        let run = open.remove(&(size, start)).filter(|_| longest[&start] == size);
        let run = run.unwrap_or(Run { start, size, count: 0 });
        let run = Run { count: run.count + 1, ..run };
        open.insert((size, run.end()), run);
    }
    let mut runs: Vec<_> = open.into_values().filter(|run| run.count >= FEW).collect();
    runs.sort_by_key(|run| (run.size * run.count, run.start));
    runs
}

/// Draws an item: the last one half of the time, the one before it a quarter of the time, and so on.
fn drawn<'a, T>(things: &'a [T], draw: Draw<'_>) -> Option<&'a T> {
    let back = (draw(1 << 16) as u16).leading_zeros() as usize;
    things.get(things.len().checked_sub(1 + back % things.len().max(1))?)
}

/// Changes the records of a file, so that it has about this size, and returns the change in words, and files of which one may be right.
pub(crate) fn changed(file: &Anatomy, size: usize, draw: Draw<'_>) -> Option<(String, Vec<Vec<u8>>)> {
    let runs = runs(file);
    let (words, files) = match draw(12) {
        0..=3 => {
            let run = drawn(&runs, draw)?;
            let (words, bytes) = column(file, run, draw);
            (words, vec![bytes])
        }
        4 => {
            let (words, bytes) = alike(&file.bytes, drawn(&runs, draw)?, draw);
            (words, vec![bytes])
        }
        5 => {
            let run = drawn(&runs, draw)?;
            let kept = draw(2) as usize;
            (format!("cut off {} records of {}", run.count - kept, run.size), resized(file, &file.bytes, run, kept))
        }
        // Offsets that all lead to one place need only one thing there.
        6 | 7 => {
            let run = drawn(&runs, draw)?;
            let others: Vec<_> = runs.iter().filter(|other| other.start != run.start).cloned().collect();
            let (words, bytes) = alike(&file.bytes, drawn(&others, draw)?, draw);
            (format!("{words}, cut off {} records of {}", run.count - 1, run.size), resized(file, &bytes, run, 1))
        }
        8 | 9 => {
            let run = drawn(&runs, draw)?;
            let others = file.bytes.len() - run.size * run.count;
            let count = (size.saturating_sub(others) / run.size).max(FEW);
            (
                format!("{count} instead of {} records of {}", run.count, run.size),
                resized(file, &file.bytes, run, count),
            )
        }
        _ => {
            let part = repeated(file, draw)?;
            let copies = size.saturating_sub(file.bytes.len()) / part.len();
            if copies < FEW {
                return None;
            }
            (format!("bytes at {part:?} {copies} times more"), with_copies(file, &part, copies, draw))
        }
    };
    Some((words, files))
}

/// Sets all records to one of them, often the first.
fn alike(bytes: &[u8], run: &Run, draw: Draw<'_>) -> (String, Vec<u8>) {
    let index = draw(2) as usize * draw(run.count as u64) as usize;
    let record = bytes[run.record(index)].to_vec();
    let mut bytes = bytes.to_vec();
    bytes[run.start..run.end()].copy_from_slice(&record.repeat(run.count));
    (format!("all {} records of {} like {index}", run.count, run.size), bytes)
}

/// Sets the same bytes of every record, or of every other one.
fn column(file: &Anatomy, run: &Run, draw: Draw<'_>) -> (String, Vec<u8>) {
    let mut bytes = file.bytes.clone();
    let width = [1, 2, 4, 4][draw(4) as usize].min(run.size);
    let at = (draw((run.size / width) as u64) as usize * width + draw(8) as usize / 7).min(run.size - width);
    let value: u32 = match draw(14) {
        0 => 0,
        1 => 1,
        2 => u32::MAX,
        3 => 0x8000_0000,
        // The longest floats as text, in either byte order, and one that is no number.
        4 => 0x807F_FFFF,
        5 => 0x807F_FFFF_u32.swap_bytes(),
        6 => 1_u32.swap_bytes(),
        7 => 0x7FA0_0001,
        8 => 0x7FFF_FFFF,
        // Everything that has the value of one record.
        9 | 10 => {
            let from = run.start + draw(run.count as u64) as usize * run.size + at;
            let mut value = [0; 4];
            value[..width].copy_from_slice(&bytes[from..from + width]);
            u32::from_le_bytes(value)
        }
        11 => draw(256) as u32,
        12 => 1 << draw(32),
        _ => draw(1 << 32) as u32,
    };
    let step = 1 + draw(4) as usize / 3;
    for index in (0..run.count).step_by(step) {
        let from = run.start + index * run.size + at;
        bytes[from..from + width].copy_from_slice(&value.to_le_bytes()[..width]);
    }
    (format!("{width} bytes at {at} of {} records of {} {value:#x}", run.count / step, run.size), bytes)
}

/// A change of the number of records, and with it of the length of the file.
struct Change<'a> {
    /// The number of records before and after it.
    counts: [usize; 2],
    /// Where the records were.
    at: Range<usize>,
    /// The bytes after it.
    plain: &'a [u8],
    /// The parts that contain the records, the file itself among them.
    around: &'a [Range<usize>],
    /// The locations before it of the values that may have to change.
    fields: &'a [Range<usize>],
}

impl Change<'_> {
    /// Returns the file with counts, sizes and offsets changed, if offsets begin at `base`; or only counts.
    fn made(&self, is_big: bool, base: Option<usize>, in_records: Option<usize>) -> Vec<u8> {
        let mut bytes = self.plain.to_vec();
        let [old, new] = self.counts.map(|count| self.at.len() / self.counts[0] * count);
        for field in self.fields {
            let start = if field.start < self.at.end { field.start } else { field.start + new - old };
            if let Some(field) = bytes.get_mut(start..start + field.len()) {
                self.change(field, is_big, base);
            }
        }
        if let Some(width) = in_records {
            let records = self.at.start..self.at.start + new;
            bytes[records].chunks_exact_mut(width).for_each(|field| self.change(field, is_big, base));
        }
        bytes
    }

    fn change(&self, field: &mut [u8], is_big: bool, base: Option<usize>) {
        let width = field.len();
        let turn = |raw: &mut [u8]| {
            if is_big {
                raw.reverse()
            }
        };
        let mut raw = [0; 8];
        raw[..width].copy_from_slice(field);
        turn(&mut raw[..width]);
        let Ok(value) = usize::try_from(u64::from_le_bytes(raw)) else { return };
        let [old, new] = self.counts.map(|count| self.at.len() / self.counts[0] * count);
        let whole = self.around[0].end;
        let is_size = || value == old || self.around.iter().any(|part| part.len() == value);
        let is_offset = |base: usize| value > 0 && (self.at.end..=whole).contains(&value.saturating_add(base));
        let value = match base {
            _ if value == self.counts[0] => self.counts[1],
            // The size of a file is sometimes that without its header.
            Some(base) if is_size() || is_offset(base) || (value < whole && value + 16 > whole) => {
                (value + new).saturating_sub(old)
            }
            _ => return,
        };
        let mut raw = (value as u64).to_le_bytes();
        turn(&mut raw[..width]);
        field.copy_from_slice(&raw[..width]);
    }
}

/// Returns the file, with these bytes, with another number of records: with counts and offsets changed in different ways, of which one may
/// be right.
fn resized(file: &Anatomy, old: &[u8], run: &Run, count: usize) -> Vec<Vec<u8>> {
    let at = run.start..run.end();
    let records = (0..count).flat_map(|index| old[run.record(index % run.count)].iter().copied());
    let mut plain = old[..run.start].to_vec();
    plain.extend(records);
    plain.extend_from_slice(&old[run.end()..]);
    let contains = |part: &&Range<usize>| part.start <= at.start && part.end >= at.end && part.len() > at.len();
    let mut around: Vec<_> = iter::once(0..old.len()).chain(file.parts.iter().filter(contains).cloned()).collect();
    around.dedup();
    let head = (0..HEAD.min(run.start) / 4).map(|word| 4 * word..4 * word + 4);
    let outside = |part: &&Range<usize>| (part.end <= at.start || part.start >= at.end) && part.len() <= 8;
    let mut fields: Vec<_> = file.derived.iter().filter(outside).cloned().chain(head).collect();
    fields.sort_by_key(|field| (field.start, field.end));
    fields.dedup_by(|next, before| next.start < before.end);
    let change = Change { counts: [run.count, count], at, plain: &plain, around: &around, fields: &fields };
    // The innermost parts, and the file.
    let mut bases: Vec<_> = around.iter().map(|part| part.start).collect();
    bases.dedup();
    let bases = bases.iter().rev().take(BASES).chain(bases.first()).map(|&base| Some(base)).chain([None]);
    let mut files = Vec::new();
    for base in bases {
        for is_big in [false, true] {
            files.push(change.made(is_big, base, None));
            if base.is_some() && run.size.is_multiple_of(4) {
                files.push(change.made(is_big, base, Some(4)));
            }
        }
    }
    files.push(plain.clone());
    let mut known = BTreeSet::new();
    files.retain(|file| known.insert(file.clone()));
    files
}

/// Draws a short part of a file.
fn repeated(file: &Anatomy, draw: Draw<'_>) -> Option<Range<usize>> {
    let parts: Vec<_> = file.parts.iter().filter(|part| part.len() <= HEAD && !part.is_empty()).collect();
    match (draw(2), drawn(&parts, draw)) {
        (0, Some(part)) => Some((*part).clone()),
        // Texts have few parts.
        _ => {
            let size = file.bytes.len();
            let length = 1 + draw(8) as usize;
            let start = draw(size.checked_sub(length)? as u64 + 1) as usize;
            Some(start..start + length)
        }
    }
}

/// Returns the file with copies of a part after it: with nothing else changed, or with one count or size changed.
fn with_copies(file: &Anatomy, part: &Range<usize>, copies: usize, draw: Draw<'_>) -> Vec<Vec<u8>> {
    let more = file.bytes[part.clone()].repeat(copies);
    let plain = [&file.bytes[..part.end], &more, &file.bytes[part.end..]].concat();
    let mut files = vec![plain.clone()];
    if let Some(at) = drawn(&file.derived, draw).filter(|at| at.end <= part.start && at.len() <= 8) {
        for (added, is_big) in [(copies, false), (copies, true), (more.len(), false), (more.len(), true)] {
            let mut raw = [0; 8];
            let width = at.len();
            raw[..width].copy_from_slice(&plain[at.clone()]);
            if is_big {
                raw[..width].reverse();
            }
            let mut raw = u64::from_le_bytes(raw).wrapping_add(added as u64).to_le_bytes();
            if is_big {
                raw[..width].reverse();
            }
            let mut bytes = plain.clone();
            bytes[at.clone()].copy_from_slice(&raw[..width]);
            files.push(bytes);
        }
    }
    files
}
