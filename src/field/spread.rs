//! How the items of a table lie in a file whose table tells their offsets.
//!
//! Writers lay items end to end in table order, but nothing forces them to. A [`Spread`] holds what an orderly file would
//! not have: another order, gaps, items that reach back over bytes that another item owns. Offsets are not kept: they
//! follow from the order and the sizes, so an edit moves what stands behind it and keeps every gap.

use core::ops::Range;

use bytes::Bytes;
use serde_json::Value;

use super::block::Block;
use super::error::{Fault, Result};
use super::tape::{Tape, wide};
use super::visit::Run;

/// The items of a table in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Empty where the items lie end to end in table order.
    pieces: Vec<Piece>,
    /// In read mode, how long each item is.
    lengths: Vec<u64>,
}

/// A stretch of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// So many bytes that no item owns.
    Gap(Block),
    /// An item of the table, all its bytes its own.
    Item(usize),
    /// An item that begins inside what is already laid.
    Over {
        /// Which item.
        item: usize,
        /// How far before the end of what is already laid it begins.
        back: u64,
        /// How many of its bytes other items own.
        shared: u64,
        /// The bytes that are its own, behind those.
        own: Block,
    },
}

impl Spread {
    /// Finds how items lie whose table is being read from `t`.
    ///
    /// An item without bytes lies nowhere, whatever the table says: it keeps its turn behind the one before it.
    ///
    /// # Errors
    /// The first item that lies before the position of the tape or reaches past what is being read, and how.
    pub fn find(t: &Tape<'_>, ranges: &[Range<u64>]) -> core::result::Result<Self, (usize, Fault)> {
        let start = t.position();
        let mut order = Vec::with_capacity(ranges.len());
        let (mut orderly, mut before) = (true, start);
        for (item, range) in ranges.iter().enumerate() {
            // What takes no room lies nowhere: it keeps its turn in the table.
            let (begin, end) = if range.is_empty() { (before, before) } else { (range.start, range.end) };
            orderly &= begin == before;
            before = end;
            order.push((begin, item, range));
        }
        order.sort_by_key(|&(begin, item, _)| (begin, item));
        let mut pieces = Vec::new();
        let mut at = start;
        for (_, item, range) in order {
            if range.is_empty() {
                pieces.push(Piece::Item(item));
                continue;
            }
            if range.start < start {
                return Err((
                    item,
                    Fault::Outside { found: range.start.into(), expected: format!("an offset from {start}") },
                ));
            }
            let peek = |from: u64, to: u64| t.peek(from, to.saturating_sub(from)).map_err(|fault| (item, fault));
            let bytes = peek(range.start, range.end)?;
            if range.start < at {
                let shared = at.min(range.end).saturating_sub(range.start);
                let own = bytes.slice(usize::try_from(shared).unwrap_or(bytes.len()).min(bytes.len())..);
                pieces.push(Piece::Over { item, back: at.saturating_sub(range.start), shared, own: block(own) });
            } else {
                if range.start > at {
                    pieces.push(Piece::Gap(block(peek(at, range.start)?)));
                }
                pieces.push(Piece::Item(item));
            }
            at = at.max(range.end);
        }
        if orderly {
            pieces.clear();
        }
        let lengths = ranges.iter().map(|range| range.end.saturating_sub(range.start)).collect();
        Ok(Self { pieces, lengths })
    }

    /// Whether an item begins inside others, and so is kept only as bytes.
    #[must_use]
    pub fn is_over(&self, item: usize) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Over { item: over, .. } if *over == item))
    }

    /// Where items of these sizes lie, the first from `start` on.
    #[must_use]
    pub fn ranges(&self, start: u64, sizes: &[u64]) -> Vec<Range<u64>> {
        let mut at = start;
        let mut ranges = vec![start..start; sizes.len()];
        let mut put = |ranges: &mut Vec<Range<u64>>, item: usize, back: u64, length: u64| {
            let begin = at.saturating_sub(back);
            let end = begin.saturating_add(length);
            if let Some(range) = ranges.get_mut(item) {
                *range = begin..end;
            }
            at = at.max(end);
        };
        if self.pieces.is_empty() {
            for (item, &size) in sizes.iter().enumerate() {
                put(&mut ranges, item, 0, size);
            }
            return ranges;
        }
        for piece in &self.pieces {
            match piece {
                Piece::Gap(bytes) => put(&mut ranges, usize::MAX, 0, wide(bytes.len())),
                Piece::Item(item) => put(&mut ranges, *item, 0, sizes.get(*item).copied().unwrap_or(0)),
                Piece::Over { item, back, shared, own } => {
                    put(&mut ranges, *item, *back, shared.saturating_add(wide(own.len())));
                }
            }
        }
        ranges
    }

    /// The first item that lies behind one that comes after it in the table, for a deviation.
    fn disorder(&self) -> Option<(Value, Value)> {
        let mut last = 0;
        let late = self.pieces.iter().find_map(|piece| match piece {
            Piece::Item(item) | Piece::Over { item, .. } if *item < last => Some(*item),
            Piece::Item(item) | Piece::Over { item, .. } => {
                last = *item;
                None
            }
            Piece::Gap(_) => None,
        })?;
        Some(("the order of the table".into(), format!("item {late} behind item {last}").into()))
    }

    /// Lays the items in file order, and what lies between them; `table` is the list that tells where they are.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn lay(
        &mut self,
        t: &mut Tape<'_>,
        table: &'static str,
        count: usize,
        mut each: impl FnMut(&mut Tape<'_>, usize) -> Result,
    ) -> Result {
        let lengths = core::mem::take(&mut self.lengths);
        let mut item = |t: &mut Tape<'_>, item: usize| match lengths.get(item) {
            Some(&length) => t.window(length, |t| each(t, item)),
            None => each(t, item),
        };
        if self.pieces.is_empty() {
            return (0..count).try_for_each(|index| item(t, index));
        }
        t.expect(table, || self.disorder());
        for (index, piece) in self.pieces.iter_mut().enumerate() {
            match piece {
                Piece::Gap(bytes) => {
                    t.nth("pieces", index, |t| t.run("gap", Run::Surplus, wide(bytes.len()), bytes))?;
                }
                Piece::Item(index) => item(t, *index)?,
                Piece::Over { item, shared, own, .. } => {
                    t.nth("overlaps", *item, |t| t.run("own", Run::Overlap(*shared), wide(own.len()), own))?;
                }
            }
        }
        Ok(())
    }
}

fn block(bytes: Bytes) -> Block {
    if bytes.is_empty() { Block::default() } else { Block::shared(bytes) }
}
