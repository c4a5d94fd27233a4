//! The keys in `.data`: names that the game looks messages up by.
//!
//! | part | bytes |
//! |---|---|
//! | words of the C run-time library | 16 or 48 |
//! | [`Pair`]s of address and id, no count | 8 |
//! | texts in the opposite order, a NUL behind each, aligned to 4 | |
//! | other data of the program | |
//!
//! Code and relocations refer to what lies behind a key, so keys keep their places: one can be renamed, but not outgrow its
//! room.
//!
//! Source: `zipper-messages.md`, section 6.

use std::collections::HashMap;

use crate::field::build::Tape;
use crate::field::{Block, Fault, Pad, Result, Run, Step, Style as _, U8, U32, Windows, lay, wide};
use crate::record;

record! {
    /// A key and the message it stands for, 8 bytes. Source: `zipper-messages.md`, section 6.
    pub struct Pair: 8 {
        /// Where its text lies in memory; 0 where there is none any more.
        address: U32 as Derived,
        id: U32,
    }
}

record! {
    /// What ends a text, 1 byte.
    pub struct End: 1 {
        nul: U8 = 0,
    }
}

/// The text of a key.
#[derive(Clone, Debug, Default)]
pub struct Key {
    /// What lies before it that no key owns.
    pub gap: Block,
    /// The text.
    pub text: Block,
    /// The NUL.
    pub end: End,
    /// Zeros up to a multiple of 4.
    pub padding: Pad,
}

/// What `.data` holds.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// What stands before the table.
    pub lead: Block,
    /// The table.
    pub pairs: Block<Pair>,
    /// The texts, as they lie in memory.
    pub keys: Vec<Key>,
    /// What stands behind the texts.
    pub tail: Block,
    /// Zeros up to the end of the section in the file.
    pub slack: Pad,
}

/// The names of messages by their ids.
pub type Names = HashMap<u32, String>;

/// Where the table lies in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Bytes before it.
    pub lead: usize,
    /// How many pairs it has.
    pub pairs: usize,
}

impl Found {
    /// Finds the table in the bytes of a section that lies at `base` in memory: it begins at the first multiple of 4 from
    /// which pairs follow each other up to the lowest key that one of them names.
    #[must_use]
    pub fn find(bytes: &[u8], base: u64) -> Option<Self> {
        let texts = texts(bytes);
        // Where the text of the pair at an offset lies; nothing where it is no pair. A pair may have lost its address.
        let text = |at: usize| -> Option<Option<usize>> {
            let pair: Pair = bytes.get(at..at.checked_add(8)?).and_then(crate::macros::read_pod)?;
            match u64::from(pair.address.get()) {
                0 => Some(None),
                address => {
                    let offset = usize::try_from(address.checked_sub(base)?).ok()?;
                    texts.get(offset).is_some_and(|&is_text| is_text).then_some(Some(offset))
                }
            }
        };
        // From the end on: for each multiple of 4, where the run of pairs from there ends, and its lowest text.
        let mut runs: Vec<Option<(usize, usize)>> = vec![None; bytes.len() / 4];
        for slot in (0..runs.len()).rev() {
            let at = slot.saturating_mul(4);
            let next = runs.get(slot.saturating_add(2)).copied().flatten();
            let run = match (text(at), next) {
                (Some(Some(text)), Some((end, lowest))) => Some((end, lowest.min(text))),
                (Some(Some(text)), None) => Some((at.saturating_add(8), text)),
                (Some(None), next) => next,
                (None, _) => None,
            };
            if let Some(slot) = runs.get_mut(slot) {
                *slot = run;
            }
        }
        let (slot, end) = runs.iter().enumerate().find_map(|(slot, run)| {
            let (end, lowest) = (*run)?;
            // What has lost its address can go on a table, but not begin one.
            let begins = text(slot.saturating_mul(4)).is_some_and(|text| text.is_some());
            (begins && end == lowest).then_some((slot, end))
        })?;
        let lead = slot.saturating_mul(4);
        Some(Self { lead, pairs: end.saturating_sub(lead) / 8 })
    }
}

/// For each byte, whether a text of printable ASCII begins there that a NUL ends.
fn texts(bytes: &[u8]) -> Vec<bool> {
    let mut texts = vec![false; bytes.len()];
    let mut ends = false;
    for (byte, is_text) in bytes.iter().zip(&mut texts).rev() {
        *is_text = ends && (b' '..=b'~').contains(byte);
        ends = *is_text || *byte == 0;
    }
    texts
}

impl Keys {
    /// Where the texts lie in the section that the pairs name, each once.
    fn starts(&self, base: u64) -> Vec<u64> {
        let mut starts: Vec<u64> =
            self.pairs.iter().filter_map(|pair| u64::from(pair.address.get()).checked_sub(base)).collect();
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// Every key with the message it stands for, in the order of the table, in a section that lies at `base` in memory.
    pub fn named(&self, base: u64) -> impl Iterator<Item = (&[u8], u32)> {
        let mut texts = Vec::with_capacity(self.keys.len());
        let starts = self.starts(base);
        let mut end = 0;
        for key in &self.keys {
            let start = starts.get(starts.partition_point(|&start| start < end)).copied().unwrap_or(end);
            end = start.saturating_add(wide(key.text.len())).saturating_add(1);
            texts.push((start, key));
        }
        self.pairs.iter().filter_map(move |pair| {
            let at = u64::from(pair.address.get()).checked_sub(base)?;
            let (start, key) = texts.get(texts.partition_point(|(start, _)| *start <= at).checked_sub(1)?)?;
            let text = key.text.get(usize::try_from(at.checked_sub(*start)?).ok()?..)?;
            Some((text, pair.id.get()))
        })
    }
}

/// Where a section lies in memory.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Where it begins.
    pub(super) base: u64,
    /// How many of its bytes are there.
    pub(super) visible: u64,
    /// How many bytes it has in the file.
    pub(super) room: u64,
}

lay! {
    /// Keys have to lie where their pairs say.
    impl LayBy<Room> for Keys {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Room { base, visible, room }: Room) -> Result {
            let begin = t.position();
            let found = t.seen(|t| find(t, begin, visible, base)).transpose()?.flatten();
            let Found { lead, pairs } = found.unwrap_or(Found { lead: self.lead.len(), pairs: self.pairs.len() });
            t.run("lead", Run::Opaque, wide(lead), at!(self.lead))?;
            t.block("pairs", wide(pairs), at!(self.pairs))?;
            let starts = self.starts(base);
            let texts = t.seen(|t| count(t, begin, visible, &starts)).transpose()?;
            let pairs = &self.pairs;
            t.list("keys", texts.unwrap_or(wide(self.keys.len())), 1, at!(self.keys), |t, key| {
                let next = |from: u64| starts.get(starts.partition_point(|&start| start < from)).copied();
                let gap = next(t.position().saturating_sub(begin)).unwrap_or(0).saturating_add(begin);
                let gap = t.told(gap.saturating_sub(t.position()), wide(key.gap.len()));
                t.run("gap", Run::Surplus, gap, at!(key.gap))?;
                let start = t.position().saturating_sub(begin);
                if t.filling() && starts.binary_search(&start).is_err() {
                    let expected = "an address that a pair contains".to_owned();
                    let fault = Fault::Outside { found: start.into(), expected };
                    return Err(t.error_at(t.position(), [Step::Name("text")], fault));
                }
                t.remark("id", || {
                    let of_text = |pair: &&Pair| u64::from(pair.address.get()) == base.saturating_add(start);
                    pairs.iter().find(of_text).map(|pair| pair.id.get().into())
                });
                let length = t.seen(|t| text_at(t, begin, visible)).unwrap_or(wide(key.text.len()));
                t.text_of("text", Windows::PAGE, length, at!(key.text))?;
                t.fields(at!(key.end))?;
                // Where the next key begins at once, there is no padding.
                let behind = t.position().saturating_sub(begin);
                let most = next(behind).unwrap_or(visible).saturating_sub(behind);
                t.window(most, |t| t.pad("padding", begin, 4, at!(key.padding)))
            })?;
            let behind = t.position().saturating_sub(begin);
            let tail = t.told(visible.saturating_sub(behind), wide(self.tail.len()));
            t.run("tail", Run::Opaque, tail, at!(self.tail))?;
            let end = t.position().saturating_sub(begin);
            if t.filling() && end != visible {
                return Err(t.error_in("keys", Fault::Count { expected: visible, found: end }));
            }
            t.pad("slack", begin, room, at!(self.slack))
        }
    }
}

/// Finds the table in a section that lies at `base` in memory.
fn find(t: &Tape<'_>, begin: u64, visible: u64, base: u64) -> Result<Option<Found>> {
    let bytes = t.peek(begin, visible).map_err(|fault| t.error(fault))?;
    Ok(Found::find(&bytes, base))
}

/// How many of the texts do not begin in another.
fn count(t: &Tape<'_>, begin: u64, visible: u64, starts: &[u64]) -> Result<u64> {
    let bytes = t.peek(begin, visible).map_err(|fault| t.error(fault))?;
    let (mut count, mut end) = (0, 0);
    for &start in starts.iter().filter(|&&start| start < visible) {
        if start >= end {
            let text = bytes.get(usize::try_from(start).unwrap_or(usize::MAX)..).unwrap_or_default();
            end = start.saturating_add(text_length(text)).saturating_add(1);
            count += 1;
        }
    }
    Ok(count)
}

/// How long the text is that begins here.
fn text_at(t: &Tape<'_>, begin: u64, visible: u64) -> u64 {
    text_length(t.ahead(visible.saturating_sub(t.position().saturating_sub(begin))))
}

/// How long the text is that some bytes begin with.
fn text_length(bytes: &[u8]) -> u64 {
    wide(bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section at 0x1000 with so many bytes before two keys, and a pair without text between them.
    fn section(lead: usize) -> Vec<u8> {
        let text = u32::try_from(0x1000 + lead + 24).expect("small");
        let pairs = [text + 8, 1, 0, 2, text, 3].map(u32::to_le_bytes).concat();
        [vec![0; lead], pairs, b"MSG_A\0\0\0MSG_B\0\0\0more\0".to_vec()].concat()
    }

    #[test]
    fn the_table_is_found_behind_zeros_of_any_number() {
        for lead in [0, 16, 48, 52] {
            assert_eq!(Found::find(&section(lead), 0x1000), Some(Found { lead, pairs: 3 }));
        }
        assert_eq!(Found::find(&section(16), 0x1004), None);
        assert_eq!(Found::find(&[0; 64], 0), None);
    }
}
