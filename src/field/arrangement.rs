//! The arrangement of the items of a table that stores their offsets.
//!
//! Writers put items end to end in table order, with the table before or after them, but formats do not require that. An [`Arrangement`]
//! holds the differences from such an orderly file: another order, gaps, items that begin inside bytes that another item owns.
//! Offsets are not stored: they follow from the order and the sizes, so an edit moves everything after it and preserves every gap.
//! Overlapping items cannot be moved; an edit that would move them is refused.

use core::ops::Range;

use bytes::Bytes;

use crate::lay;
use crate::record;

use super::block::Block;
use super::error::{Error, Fault, Result};
use super::names::Truth;
use super::nth::Nth;
use super::number::{Integer as _, U32};
use super::place::{Label, Place, Step};
use super::tape::Tape;
use super::value::Value;
use super::visit::Run;
use super::wide::wide;

/// The items of a table in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// Empty if the items lie end to end in table order, followed by the table if it is among them.
    pieces: Vec<Piece>,
    /// In read mode, the length of each item, followed by that of the table.
    lengths: Vec<u64>,
}

/// The list of pieces in the exchange format, for items that are not in order.
pub const PIECES: &str = "pieces";

/// The approximate memory that the label of an item takes.
const LABEL: usize = size_of::<Label>() + 64;

/// A piece of the file.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// Bytes that no item owns.
    Gap(Block),
    /// A part that owns all its bytes.
    Part(Part),
    /// An item that begins inside bytes already laid out, and the bytes of its own, after the shared ones.
    Over(Overlap, Block),
}

record! {
    /// An item that begins inside bytes already laid out.
    pub(super) struct Overlap: 16 {
        item: U32,
        /// The total number of bytes already laid out.
        laid: U32,
        /// The distance from the beginning of the item to the end of those bytes.
        back: U32,
        /// The number of its bytes that other items own.
        shared: U32,
    }
}

/// A part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// An item of the table.
    Item(usize),
    /// The table itself.
    Table,
}

impl Part {
    /// Returns this number of items, and the table if it is among them, in the order of an orderly file.
    fn all(items: usize, table: bool) -> impl Iterator<Item = Self> {
        (0..items).map(Self::Item).chain(table.then_some(Self::Table))
    }

    /// Returns `true` if it is one of this number of items, or the table if that is among them.
    fn is_among(self, items: usize, table: bool) -> bool {
        match self {
            Self::Item(item) => item < items,
            Self::Table => table,
        }
    }
}

/// The parts of a file that are arranged.
#[derive(Clone, Copy)]
struct Parts {
    /// The number of items.
    count: usize,
    /// `true` if the table is among them.
    table: bool,
    /// `true` if none can be added or removed.
    are_fixed: bool,
}

impl Parts {
    fn of(count: usize) -> Self {
        Self { count, table: false, are_fixed: false }
    }

    /// Returns an error if the exchange format has pieces of another number of items, and they cannot follow it.
    fn can_follow(self, t: &mut Tape<'_>, pieces: usize) -> Result {
        let (mut items, mut over) = (0, 0);
        for index in 0..pieces {
            t.nth(PIECES, index, |t| {
                items += usize::from(t.exists("item", false));
                over += usize::from(t.exists("overlap", false));
                Ok(())
            })?;
        }
        let reason = match self.are_fixed {
            _ if pieces == 0 || items + over == self.count => return Ok(()),
            true => "their order is stored",
            false if over > 0 => "some overlap",
            false => return Ok(()),
        };
        let expected = format!("as many items as before, {}, because {reason}", items + over);
        let fault = Fault::Unknown { found: self.count.to_string(), expected };
        Err(t.error_at(t.position(), [Step::Name(PIECES)], fault))
    }
}

/// Returns the fault of a piece that is not one of the parts.
fn not_among(part: Part, items: usize) -> Fault {
    let found = part.to_string();
    match part {
        Part::Item(_) => Fault::Unknown { found, expected: format!("an item below {items}") },
        Part::Table => Fault::Unknown { found, expected: "an item, because the table is not among them".to_owned() },
    }
}

impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Item(item) => write!(f, "item {item}"),
            Self::Table => f.write_str("the table"),
        }
    }
}

/// The positions of the parts.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The items.
    pub items: Vec<Range<u64>>,
    /// The table, if it is among them.
    pub table: Option<Range<u64>>,
}

impl Arrangement {
    /// Finds the arrangement of the items of a table that is being read from `t`, and of the table itself if it is among them. All
    /// ranges count from `base`; the first part begins at the position of the tape.
    ///
    /// An item without bytes has no position, whatever the table states: it comes after the one before it.
    ///
    /// # Errors
    /// Returns an error with the first part that begins before the position of the tape, extends past the data being read, or, if it
    /// is the table, begins inside an item.
    pub fn find(t: &Tape<'_>, base: u64, places: &Places) -> core::result::Result<Self, (Part, Fault)> {
        // The memory needed for an item in addition to itself: here, in the table, and its label.
        let each = size_of::<(u64, Part, &Range<u64>)>() + size_of::<Piece>() + size_of::<Range<u64>>() * 2 + LABEL;
        let needed = wide(places.items.len() * each);
        t.charge(needed).map_err(|error| (Part::Table, error.fault().clone()))?;
        let first = t.position() - base;
        let items = places.items.iter().enumerate().map(|(item, range)| (Part::Item(item), range));
        let parts = items.chain(places.table.iter().map(|range| (Part::Table, range)));
        let mut order = Vec::new();
        let (mut orderly, mut before) = (true, first);
        for (part, range) in parts.clone() {
            // A part without bytes has no position: it keeps its turn in the table.
            let (begin, end) = if range.is_empty() { (before, before) } else { (range.start, range.end) };
            orderly &= begin == before;
            before = end;
            order.push((begin, part, range));
        }
        order.sort_by_key(|&(begin, part, _)| (begin, part));
        let mut pieces = Vec::new();
        let mut at = first;
        for (_, part, range) in order {
            if range.is_empty() {
                pieces.push(Piece::Part(part));
                continue;
            }
            let outside = |expected| (part, Fault::Outside { found: range.start.into(), expected });
            if range.start < first {
                return Err(outside(format!("an offset from {first}")));
            }
            let peek = |from: u64, to: u64| t.peek(base + from, to - from).map_err(|fault| (part, fault));
            let bytes = peek(range.start, range.end)?;
            match part {
                Part::Table if range.start < at => {
                    return Err(outside(format!("an offset from {at}, after the entries")));
                }
                Part::Item(item) if range.start < at => {
                    let shared = at.min(range.end) - range.start;
                    let own = bytes.slice(usize::try_from(shared).unwrap_or(bytes.len()).min(bytes.len())..);
                    let number = |value| number(value).map_err(|fault| (part, fault));
                    let over = Overlap {
                        item: number(wide(item))?,
                        laid: number(at - first)?,
                        back: number(at - range.start)?,
                        shared: number(shared)?,
                    };
                    pieces.push(Piece::Over(over, block(own)));
                }
                _ => {
                    if range.start > at {
                        pieces.push(Piece::Gap(block(peek(at, range.start)?)));
                    }
                    pieces.push(Piece::Part(part));
                }
            }
            at = at.max(range.end);
        }
        if orderly {
            pieces.clear();
        }
        Ok(Self { pieces, lengths: parts.map(|(_, range)| range.end.saturating_sub(range.start)).collect() })
    }

    /// Finds the arrangement of items whose table is elsewhere.
    ///
    /// # Errors
    /// Returns an error with the first item that begins before the position of the tape or extends past the data being read.
    pub fn find_items(t: &Tape<'_>, base: u64, items: Vec<Range<u64>>) -> core::result::Result<Self, (usize, Fault)> {
        Self::find(t, base, &Places { items, table: None }).map_err(|(part, fault)| match part {
            Part::Item(item) => (item, fault),
            Part::Table => (0, fault),
        })
    }

    /// Returns the items that begin inside bytes that others own.
    pub fn overlapping(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Over(over, _) => usize::try_from(over.item.get()).ok(),
            _ => None,
        })
    }

    /// Returns the items, out of this number, that own all their bytes, in file order.
    pub fn items(&self, count: usize) -> impl Iterator<Item = usize> {
        let placed = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Part(part) => Some(*part),
            Piece::Gap(_) | Piece::Over(..) => None,
        });
        self.orderly(count, false).chain(placed).filter_map(|part| match part {
            Part::Item(item) => Some(item),
            Part::Table => None,
        })
    }

    /// Returns the positions of items of these sizes, and of a table of this size, with the first part at `first`.
    ///
    /// # Errors
    /// Returns an error if a piece is a part that is not among them, or an impossible overlap.
    pub fn places(&self, first: u64, sizes: &[u64], table: Option<u64>) -> Result<Places> {
        let mut at = first;
        let mut places = Places { items: vec![first..first; sizes.len()], table: None };
        let mut put = |part: Option<Part>, begin: Option<u64>, length: u64| {
            let begin = begin.unwrap_or(at);
            let range = begin..begin + length;
            at = at.max(range.end);
            match part {
                Some(Part::Table) => places.table = Some(range),
                Some(Part::Item(item)) => {
                    if let Some(place) = places.items.get_mut(item) {
                        *place = range;
                    }
                }
                None => {}
            }
        };
        let size = |part: Part| match part {
            Part::Item(item) => sizes.get(item).copied().ok_or_else(|| not_among(part, sizes.len())),
            Part::Table => table.ok_or_else(|| not_among(part, sizes.len())),
        };
        let here = |index: u64| Place::default().with([Step::Name(PIECES), Step::Index(index)]);
        // An orderly file has no pieces, so that no part of it can be wrong.
        for part in self.orderly(sizes.len(), table.is_some()) {
            put(Some(part), None, size(part).map_err(|fault| Error::in_exchange(Place::default(), fault))?);
        }
        for (index, piece) in (0..).zip(&self.pieces) {
            let size = |part| size(part).map_err(|fault| Error::in_exchange(here(index), fault));
            match piece {
                Piece::Gap(bytes) => put(None, None, wide(bytes.len())),
                Piece::Part(part) => put(Some(*part), None, size(*part)?),
                Piece::Over(over, own) => {
                    size(over.part())?;
                    over.check(own.is_empty()).map_err(|(field, fault)| {
                        let overlap = [Step::Name("overlap"), Step::Name(field)];
                        Error::in_exchange(here(index).with(overlap), fault)
                    })?;
                    let [laid, back, shared] = [over.laid, over.back, over.shared].map(|it| u64::from(it.get()));
                    put(Some(over.part()), Some(first + laid - back), shared + wide(own.len()));
                }
            }
        }
        Ok(places)
    }

    /// Returns the parts of an orderly file, or none if there are pieces.
    fn orderly(&self, items: usize, table: bool) -> impl Iterator<Item = Part> + use<> {
        let (items, table) = if self.pieces.is_empty() { (items, table) } else { (0, false) };
        Part::all(items, table)
    }

    /// Returns the parts among the pieces, in file order.
    fn parts(&self) -> impl Iterator<Item = Part> {
        self.parts_by_piece().flatten()
    }

    /// Returns the parts among the pieces, in the order of an orderly file.
    fn sorted_parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = self.parts().collect();
        parts.sort_unstable();
        parts
    }

    /// Returns the part that each piece is, or `None` for a gap.
    fn parts_by_piece(&self) -> impl Iterator<Item = Option<Part>> {
        self.pieces.iter().map(|piece| match piece {
            Piece::Part(part) => Some(*part),
            Piece::Over(over, _) => Some(over.part()),
            Piece::Gap(_) => None,
        })
    }

    /// Returns the first part that comes after a later one of the table, for a deviation.
    fn disorder(&self) -> Option<(Value, Value)> {
        let (before, late) = self.parts().zip(self.parts().skip(1)).find(|(before, part)| part < before)?;
        Some(("the order of the table".into(), format!("{late} after {before}").into()))
    }
}

lay! {
    impl Tape<'_> {
        /// Lays out `count` items in file order, the table if it is among them, and the gaps between them.
        fn arranged_parts(
            &mut self,
            arrangement: at!(Arrangement),
            name: &'static str,
            parts: Parts,
            mut each: impl FnMut(&mut Self, Part) -> Result,
        ) -> Result {
            let Parts { count, table, .. } = parts;
            let start = self.position();
            let lengths = self.take(at!(arrangement.lengths));
            let mut lay = |t: &mut Self, part: Part| {
                let length = match part {
                    Part::Item(item) => lengths.get(item),
                    Part::Table => lengths.last(),
                };
                match length {
                    Some(&length) => t.window(length, |t| each(t, part)),
                    None => each(t, part),
                }
            };
            self.load(at!(arrangement.pieces), |pieces, t| {
                *pieces = vec![Piece::Part(Part::Table); t.given(PIECES, 0)?];
                parts.can_follow(t, pieces.len())
            })?;
            arrangement.orderly(count, table).try_for_each(|part| lay(self, part))?;
            if !self.loading() && !arrangement.pieces.is_empty() {
                arrangement.check(count, table).map_err(|fault| self.error_in(name, fault))?;
                self.expect(name, || arrangement.disorder());
            }
            for (index, piece) in (0..).zip(at!(arrangement.pieces)) {
                if let Piece::Over(over, own) = piece {
                    let laid = self.position() - start;
                    over.comes_after(laid).map_err(|fault| self.error_in(name, fault))?;
                    if !self.loading() {
                        over.check(own.is_empty()).map_err(|(field, fault)| {
                            let overlap = [Step::Name("overlap"), Step::Name(field)];
                            let steps = [Step::Name(PIECES), Step::Index(wide(index))].into_iter().chain(overlap);
                            self.error_at(self.position(), steps, fault)
                        })?;
                    }
                }
                self.nth(PIECES, index, |t| piece.lay(t))?;
                if let Piece::Part(part) = piece {
                    match part.is_among(count, table) {
                        true => lay(self, *part)?,
                        false if self.loading() => {}
                        false => {
                            let steps = [Step::Name(PIECES), Step::Index(wide(index))];
                            return Err(self.error_at(self.position(), steps, not_among(*part, count)));
                        }
                    }
                }
            }
            let (was, mut fitted) = (arrangement.pieces.len(), None);
            self.load(at!(*arrangement), |arrangement, t| {
                fitted = arrangement.fit(t, parts)?;
                Ok(())
            })?;
            let new = fitted.map_or(0..0, |(was, now)| was..now);
            new.map(Part::Item).try_for_each(|part| lay(self, part))?;
            self.load(arrangement, |arrangement, t| {
                arrangement.tidy(t, parts, was, fitted);
                Ok(())
            })
        }

        /// Lays out `count` items in file order, and the gaps between them; `name` is the list that stores their offsets.
        ///
        /// # Errors
        /// Returns an error if `each` does. Except in read mode, also returns an error if an edit moves bytes that an item overlaps, if items
        /// were added or removed while one overlaps another, or, in a model that is changed in Rust, while they are not in order.
        pub fn arranged(
            &mut self,
            arrangement: at!(Arrangement),
            name: &'static str,
            count: usize,
            mut each: impl FnMut(&mut Self, usize) -> Result,
        ) -> Result {
            self.arranged_parts(arrangement, name, Parts::of(count), |t, part| match part {
                Part::Item(item) => each(t, item),
                Part::Table => Ok(()),
            })
        }

        /// Lays out `count` sections of several kinds, as [`arranged`](Self::arranged) does. What a section is depends on its number, so that
        /// none can be added or removed while their order is stored.
        ///
        /// # Errors
        /// Returns an error if [`arranged`](Self::arranged) does, or if there is another number of sections than before.
        pub fn arranged_sections(
            &mut self,
            arrangement: at!(Arrangement),
            name: &'static str,
            count: usize,
            mut each: impl FnMut(&mut Self, usize) -> Result,
        ) -> Result {
            self.arranged_parts(arrangement, name, Parts { are_fixed: true, ..Parts::of(count) }, |t, part| match part {
                Part::Item(item) => each(t, item),
                Part::Table => Ok(()),
            })
        }

        /// Lays out items with their table among them, usually last, as [`arranged`](Self::arranged) does.
        ///
        /// # Errors
        /// Returns an error if [`arranged`](Self::arranged) does, or if `table` does.
        pub fn arranged_with_table<T>(
            &mut self,
            arrangement: at!(Arrangement),
            name: &'static str,
            items: at!([T]),
            mut each: impl FnMut(&mut Self, usize, at!(T)) -> Result,
            mut table: impl FnMut(&mut Self) -> Result,
        ) -> Result {
            self.arranged_parts(arrangement, name, Parts { table: true, ..Parts::of(items.len()) }, |t, part| match part {
                Part::Item(item) => at!(*items).into_iter().nth(item).map_or(Ok(()), |it| each(t, item, it)),
                Part::Table => table(t),
            })
        }

        /// Lays out items of one kind, as [`arranged`](Self::arranged) does.
        ///
        /// # Errors
        /// Returns an error if [`arranged`](Self::arranged) does.
        pub(in crate) fn arranged_items<T>(
            &mut self,
            arrangement: at!(Arrangement),
            name: &'static str,
            items: at!([T]),
            mut each: impl FnMut(&mut Self, usize, at!(T)) -> Result,
        ) -> Result {
            self.arranged(arrangement, name, items.len(), |t, item| {
                // Every item is among them.
                at!(*items).into_iter().nth(item).map_or(Ok(()), |it| each(t, item, it))
            })
        }
    }

    impl Lay for Piece {
        /// Lays out the piece itself, without its part.
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.load(at!(*self), |piece, t| {
                *piece = Piece::load(t)?;
                Ok(())
            })?;
            match self {
                Self::Gap(bytes) => t.run("gap", Run::Surplus, wide(bytes.len()), bytes),
                Self::Part(Part::Item(item)) => t.fact("item", at!(Nth::new(*item))),
                Self::Part(Part::Table) => t.fact("table", at!(Truth::from(true))),
                Self::Over(over, own) => {
                    t.fact("overlap", over)?;
                    t.run("own", Run::Overlap(over.shared.get().into()), wide(own.len()), own)
                }
            }
        }
    }
}

impl Arrangement {
    /// Removes redundant pieces in load mode: gaps without bytes, and all of them if the parts are in order.
    fn tidy(
        &mut self,
        t: &mut Tape<'_>,
        Parts { count, table, .. }: Parts,
        was: usize,
        fitted: Option<(usize, usize)>,
    ) {
        self.pieces.retain(|piece| !matches!(piece, Piece::Gap(bytes) if bytes.is_empty()));
        let parts = self.pieces.iter().map(|piece| if let Piece::Part(part) = piece { Some(*part) } else { None });
        if parts.eq(Part::all(count, table).map(Some)) {
            self.pieces.clear();
        }
        // Joined gaps can make up for new items.
        let (was, now) = fitted.filter(|_| was == self.pieces.len()).unwrap_or((was, self.pieces.len()));
        t.report_replaced_value(t.place().with([Step::Name(PIECES)]), was.into(), now.into());
    }

    /// Adapts loaded pieces to the number of items, which the lists of the model say: the last items that are no longer there leave, and new
    /// ones come last. Returns the numbers of items before and now if they differ. Bytes in gaps stay, before an item.
    fn fit(&mut self, t: &Tape<'_>, parts: Parts) -> Result<Option<(usize, usize)>> {
        let Parts { count, table, .. } = parts;
        if self.pieces.is_empty() {
            return Ok(None);
        }
        let wrong = |fault: Fault| t.error_at(t.position(), [Step::Name(PIECES)], fault);
        let known = self.sorted_parts();
        let was = known.iter().filter(|part| **part != Part::Table).count();
        if was == count || !known.into_iter().eq(Part::all(was, table)) {
            let strange =
                (0..).zip(self.parts_by_piece()).find(|(_, part)| part.is_some_and(|it| !it.is_among(count, table)));
            return match strange {
                Some((index, Some(part))) => {
                    Err(t.error_at(t.position(), [Step::Name(PIECES), Step::Index(index)], not_among(part, count)))
                }
                _ => self.check(count, table).map(|()| None).map_err(wrong),
            };
        }
        self.pieces.retain(|piece| !matches!(piece, Piece::Part(Part::Item(item)) if *item >= count));
        self.pieces.extend((was..count).map(|item| Piece::Part(Part::Item(item))));
        // What follows the last part is not among the pieces of a file that is read.
        if let Some(last) = self.pieces.iter().rposition(|piece| matches!(piece, Piece::Part(_)))
            && let Some(end) = self.pieces.get_mut(last..)
        {
            end.rotate_left(1);
        }
        // Gaps that an item lay between are one.
        self.pieces.dedup_by(|next, piece| match (piece, next) {
            (Piece::Gap(gap), Piece::Gap(next)) => {
                gap.edit(|bytes| bytes.extend_from_slice(next));
                true
            }
            _ => false,
        });
        Ok(Some((was, count)))
    }

    /// Returns an error if the pieces are not those of this number of items.
    fn check(&self, count: usize, table: bool) -> core::result::Result<(), Fault> {
        let known = self.sorted_parts();
        if known.iter().copied().eq(Part::all(count, table)) {
            return Ok(());
        }
        let expected = known.iter().filter(|part| **part != Part::Table).count();
        if expected != count {
            return Err(Fault::Count { expected: wide(expected), found: wide(count) });
        }
        Err(match known.iter().find(|part| !part.is_among(count, table)) {
            Some(part) => not_among(*part, count),
            None => Fault::Unknown {
                found: "one of them twice, or no table".to_owned(),
                expected: format!("each part once in {PIECES}"),
            },
        })
    }
}

impl Overlap {
    /// Returns an error if the number of bytes before the item has changed, because it overlaps them.
    fn comes_after(&self, laid: u64) -> core::result::Result<(), Fault> {
        let expected = self.laid.get();
        if laid == u64::from(expected) {
            return Ok(());
        }
        let expected = format!("{expected} bytes before it, because it overlaps them");
        Err(Fault::Outside { found: laid.into(), expected })
    }

    /// Checks that all bytes that others own are already laid out, and that those of the item itself come after them.
    fn check(&self, owns_nothing: bool) -> core::result::Result<(), (&'static str, Fault)> {
        let [laid, back, shared] = [self.laid, self.back, self.shared].map(U32::get);
        let fault = |found: u32, expected: String| Fault::Outside { found: found.into(), expected };
        if back > laid {
            return Err(("back", fault(back, format!("at most {laid}, the number of bytes before it"))));
        }
        if shared > back || (shared < back && !owns_nothing) {
            return Err(("shared", fault(shared, format!("{back}, the distance of its beginning from the end"))));
        }
        Ok(())
    }
}

impl Piece {
    /// Loads a piece from the exchange format, without its bytes.
    fn load(t: &mut Tape<'_>) -> Result<Self> {
        let (mut item, mut table) = (Nth::default(), Truth::default());
        Ok(if t.exists("gap", false) {
            Self::Gap(Block::default())
        } else if t.exists("overlap", false) {
            Self::Over(Overlap::default(), Block::default())
        } else {
            t.fact("item", &mut item)?;
            t.fact("table", &mut table)?;
            let nothing = || {
                let expected = "an item, the table, a gap or an overlap".to_owned();
                t.error(Fault::Unknown { found: "none of them".to_owned(), expected })
            };
            match item.get() {
                _ if bool::from(table) => Self::Part(Part::Table),
                Some(item) => Self::Part(Part::Item(item)),
                None => return Err(nothing()),
            }
        })
    }
}

impl Overlap {
    fn part(&self) -> Part {
        Part::Item(usize::try_from(self.item.get()).unwrap_or(usize::MAX))
    }
}

/// Returns a 32-bit number: files with such tables store 32-bit offsets.
fn number(value: u64) -> core::result::Result<U32, Fault> {
    U32::of(value).ok_or(Fault::TooLarge { value, field: U32::LEAF.name })
}

fn block(bytes: Bytes) -> Block {
    if bytes.is_empty() { Block::default() } else { Block::shared(bytes) }
}
