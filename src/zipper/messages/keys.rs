//! The keys in `.data`: the names that the game uses to look up messages.
//!
//! | part | bytes |
//! |---|---|
//! | words of the C run-time library | 16 or 48 |
//! | [`Pair`]s of address and id, no count | 8 |
//! | strings in the opposite order, each ended by a NUL, aligned to 4 | |
//! | other data of the program | |
//!
//! Code and relocations refer to the bytes after a key, so keys keep their positions: a key can be renamed, but not
//! outgrow its space.
//!
//! Source: [`zipper-messages.md`](formats::zipper_messages), section 6.

use core::cell::LazyCell;
use std::collections::HashMap;

use field::build::Tape;
use field::record;
use field::{Block, Fault, Pad, Result, Run, Step, Style as _, U8, U32, Windows, as_read, first_nul, lay, wide};

record! {
    /// A key and the id of its message, 8 bytes. Source: `zipper-messages.md`, section 6.
    pub struct Pair: 8 {
        /// The address of the key's string in memory, or 0 if it no longer has one.
        address: U32 as Derived,
        id: U32,
    }
}

record! {
    /// The end of a string, 1 byte.
    pub struct End: 1 {
        nul: U8 = 0,
    }
}

/// The string of a key.
#[derive(Clone, Debug, Default)]
pub struct Key {
    /// Bytes before the string that belong to no key.
    pub gap: Block,
    /// The string.
    pub text: Block,
    /// The NUL.
    pub end: End,
    /// Zeros up to a multiple of 4.
    pub padding: Pad,
}

/// The contents of `.data`.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// Bytes before the table.
    pub lead: Block,
    /// The table.
    pub pairs: Block<Pair>,
    /// The strings, in memory order.
    pub keys: Vec<Key>,
    /// Bytes after the strings.
    pub tail: Block,
    /// Zeros up to the end of the section in the file.
    pub slack: Pad,
}

/// The names of messages by their ids.
pub type Names = HashMap<u32, String>;

/// The position of the table in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The number of bytes before the table.
    pub lead: usize,
    /// The number of pairs.
    pub pairs: usize,
}

impl Found {
    /// Finds the table in the bytes of a section that begins at `base` in memory. The table begins at the first
    /// multiple of 4 from which consecutive pairs extend exactly to the lowest string that they refer to.
    #[must_use]
    pub fn find(bytes: &[u8], base: u64) -> Option<Self> {
        let mut texts = Texts { bytes, all: None, left: bytes.len() };
        // The outer `None` means that no pair begins here, the inner one that the pair has lost its address.
        let mut text = |address: U32| -> Option<Option<usize>> {
            match u64::from(address.get()) {
                0 => Some(None),
                address => {
                    let offset = usize::try_from(address.checked_sub(base)?).ok()?;
                    texts.begins_at(offset).then_some(Some(offset))
                }
            }
        };
        let words: &[U32] = bytemuck::must_cast_slice(bytes.as_chunks::<4>().0);
        let addresses = words.split_last().map_or(words, |(_, all_but_the_last)| all_but_the_last);
        // From the end: the runs of pairs that begin two words and one word later, each with its end and its lowest string.
        let (mut second, mut first) = (None::<(usize, usize)>, None);
        let (mut found, size) = (None, wide(bytes.len()));
        for (slot, address) in addresses.iter().enumerate().rev() {
            // Most words are no address in the section.
            if address.get() != 0 && u64::from(address.get()).wrapping_sub(base) >= size {
                (second, first) = (first, None);
                continue;
            }
            let at = slot * 4;
            let text = text(*address);
            let run = match (text, second) {
                (Some(Some(text)), Some((end, lowest))) => Some((end, lowest.min(text))),
                (Some(Some(text)), None) => Some((at + 8, text)),
                (Some(None), next) => next,
                (None, _) => None,
            };
            // A pair that has lost its address can continue a table, but not begin one.
            if let (Some(Some(_)), Some((end, lowest))) = (text, run)
                && end == lowest
            {
                found = Some(Self { lead: at, pairs: (end - at) / 8 });
            }
            (second, first) = (first, run);
        }
        found
    }
}

/// The NUL-terminated strings of printable ASCII in a section.
struct Texts<'a> {
    bytes: &'a [u8],
    /// For each byte, `true` if a string begins at it. Computed only for a section in which addresses share long strings.
    all: Option<Vec<bool>>,
    /// The number of bytes that may still be looked at one string at a time, so that the time is linear in any section.
    left: usize,
}

impl Texts<'_> {
    /// Returns `true` if a string begins at an offset.
    fn begins_at(&mut self, offset: usize) -> bool {
        if let Some(all) = &self.all {
            return all.get(offset).is_some_and(|&begins| begins);
        }
        let rest = self.bytes.get(offset..).unwrap_or_default();
        let length = first_nul(rest.get(..self.left.min(rest.len())).unwrap_or_default());
        let Some(length) = length else {
            self.all = Some(Self::all(self.bytes));
            return self.begins_at(offset);
        };
        self.left -= length;
        // Not `all`, so that several bytes are looked at together.
        let text = rest.get(..length).unwrap_or_default();
        length > 0 && text.iter().fold(true, |all, byte| all & is_printable(byte))
    }

    /// Marks every byte at which a string begins.
    fn all(bytes: &[u8]) -> Vec<bool> {
        let mut texts = vec![false; bytes.len()];
        let mut ends = false;
        for (byte, is_text) in bytes.iter().zip(&mut texts).rev() {
            *is_text = ends && is_printable(byte);
            ends = *is_text || *byte == 0;
        }
        texts
    }
}

fn is_printable(byte: &u8) -> bool {
    (b' '..=b'~').contains(byte)
}

/// Returns the offsets of the strings that pairs refer to, without duplicates.
fn starts(pairs: &[Pair], base: u64) -> Vec<u64> {
    let mut starts: Vec<u64> =
        pairs.iter().filter_map(|pair| u64::from(pair.address.get()).checked_sub(base)).collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

impl Keys {
    /// Returns every key with the id of its message, in table order, for a section that begins at `base` in memory.
    pub fn named(&self, base: u64) -> impl Iterator<Item = (&[u8], u32)> {
        let mut texts = Vec::with_capacity(self.keys.len());
        let starts = starts(&self.pairs, base);
        let mut end = 0;
        for key in &self.keys {
            let start = starts.get(starts.partition_point(|&start| start < end)).copied().unwrap_or(end);
            end = start + wide(key.text.len()) + 1;
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

/// The position of a section in memory.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// The address of its first byte.
    pub(super) base: u64,
    /// The number of bytes loaded into memory.
    pub(super) visible: u64,
    /// The number of bytes in the file.
    pub(super) room: u64,
    /// The table in it, in read mode.
    pub(super) found: Option<Found>,
}

lay! {
    /// Every key has to begin at an address that a pair refers to.
    impl LayBy<Room> for Keys {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Room { base, visible, room, found }: Room) -> Result {
            let begin = t.position();
            let Found { lead, pairs } = found.unwrap_or(Found { lead: self.lead.len(), pairs: self.pairs.len() });
            t.run("lead", Run::Opaque, wide(lead), at!(self.lead))?;
            t.block("pairs", wide(pairs), at!(self.pairs))?;
            let pairs = &self.pairs;
            let starts = LazyCell::new(|| starts(pairs, base));
            let texts = t.seen(|t| count(t, begin, visible, &starts)).transpose()?;
            let mut passed = 0;
            t.list("keys", as_read(texts.unwrap_or(0)), 1, at!(self.keys), |t, key| {
                // Returns the first of them from an offset on, when a file is read.
                let mut next = |t: &Tape<'_>, from: u64| {
                    t.seen(|_| {
                        passed += starts.iter().skip(passed).take_while(|&&start| start < from).count();
                        starts.get(passed).copied()
                    })
                };
                let gap = next(t, t.position() - begin).flatten().unwrap_or(0) + begin;
                let gap = as_read(gap.saturating_sub(t.position()));
                t.run("gap", Run::Surplus, gap, at!(key.gap))?;
                let start = t.position() - begin;
                t.when_whole(|t| match starts.binary_search(&start) {
                    Ok(_) => Ok(()),
                    Err(_) => {
                        let expected = "an address that a pair contains".to_owned();
                        let fault = Fault::Outside { found: start.into(), expected };
                        Err(t.error_at(t.position(), [Step::Name("text")], fault))
                    }
                })?;
                t.label("id", || {
                    let of_text = |pair: &&Pair| u64::from(pair.address.get()) == base + start;
                    pairs.iter().find(of_text).map(|pair| pair.id.get().into())
                });
                let length = text_length(t.ahead(visible.saturating_sub(t.position() - begin)));
                t.text_of("text", Windows::PAGE, as_read(length), at!(key.text))?;
                t.fields(at!(key.end))?;
                // A key that begins immediately leaves no space for padding.
                let behind = t.position() - begin;
                let most = next(t, behind).flatten().unwrap_or(visible).saturating_sub(behind);
                t.window(most, |t| t.pad("padding", begin, 4, at!(key.padding)))
            })?;
            let behind = t.position() - begin;
            let tail = as_read(visible.saturating_sub(behind));
            t.run("tail", Run::Opaque, tail, at!(self.tail))?;
            let end = t.position() - begin;
            t.agree("keys", visible, end)?;
            t.pad("slack", begin, room, at!(self.slack))
        }
    }
}

/// Returns the number of strings that do not begin inside another.
fn count(t: &Tape<'_>, begin: u64, visible: u64, starts: &[u64]) -> Result<u64> {
    let bytes = t.look(begin, visible).map_err(|fault| t.error(fault))?;
    let (mut count, mut end) = (0, 0);
    for &start in starts.iter().filter(|&&start| start < visible) {
        if start >= end {
            let text = bytes.get(usize::try_from(start).unwrap_or(usize::MAX)..).unwrap_or_default();
            end = start + text_length(text) + 1;
            count += 1;
        }
    }
    Ok(count)
}

/// Returns the length of the string at the beginning of some bytes.
fn text_length(bytes: &[u8]) -> u64 {
    wide(first_nul(bytes).unwrap_or(bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section at 0x1000 with `lead` bytes before two keys, and a pair without a string between them.
    fn section(lead: usize) -> Vec<u8> {
        let text = u32::try_from(0x1000 + lead + 24).expect("small");
        let pairs = [text + 8, 1, 0, 2, text, 3].map(u32::to_le_bytes).concat();
        [vec![0; lead], pairs, b"MSG_A\0\0\0MSG_B\0\0\0more\0".to_vec()].concat()
    }

    #[test]
    fn table_is_found_after_any_number_of_zeros() {
        for lead in [0, 16, 48, 52] {
            assert_eq!(Found::find(&section(lead), 0x1000), Some(Found { lead, pairs: 3 }));
        }
        assert_eq!(Found::find(&section(16), 0x1004), None);
        assert_eq!(Found::find(&[0; 64], 0), None);
    }

    #[test]
    fn strings_are_found_one_by_one_and_all_at_once() {
        let bytes = b"one\0\x01two\0\0three";
        for left in [0, 5, 99] {
            let mut texts = Texts { bytes, all: None, left };
            let found: Vec<usize> = (0..20).filter(|&at| texts.begins_at(at)).collect();
            assert_eq!(found, [0, 1, 2, 5, 6, 7], "{left}");
        }
    }
}
