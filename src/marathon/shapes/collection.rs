//! Collections: colors, sequences, frames and bitmaps.
//!
//! | part | bytes |
//! |---|---|
//! | [`Definition`] | 544 |
//! | color tables; tables of offsets of sequences, frames and bitmaps, and the items themselves, in any order | |
//!
//! All offsets count from the definition.
//!
//! Source: `marathon-shapes.md`, sections 2 to 6.

use core::ops::Range;

use field::record;
use field::walk::{in_item, size_by};
use field::{
    Arrangement, Block, Fault, I16be, I32be, Integer as _, PIECES, Result, Run, Step, Tape, Truth, U32be, lay, wide,
};
use lint::{Lint, Warnings};

use super::super::tables::{Table, Tables, or_none};
use super::bitmap::Bitmap;
use super::records::{Color, Definition, EarlySequenceHeader, Frame, MOST_OF_NAME, SequenceHeader};
use super::world::Worlds;

/// The coding of pixel rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As operations: Marathon.
    Marathon,
    /// As the first and the last pixel: Marathon 2 and Infinity.
    #[default]
    Marathon2,
}

record! {
    /// The size stored before a collection, 4 bytes. Source: `marathon-shapes.md`, section 6.
    pub struct SizeBefore: 4 {
        total_size: U32be as Outside,
    }
}

record! {
    /// The offset of an item, 4 bytes. Source: `marathon-shapes.md`, section 2.
    pub struct Offset: 4 {
        offset: I32be as Outside,
    }
}

record! {
    /// An index after those of a sequence, 2 bytes. Source: `marathon-shapes.md`, section 3.
    pub struct Spare: 2 {
        spare_frame: I16be = 0,
    }
}

/// A sequence: frames by view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Name, views, timing.
    pub head: SequenceHeader,
    /// The frames of the first view, then those of the next.
    pub frames: Block<I16be>,
    /// `true` if the spare index is missing.
    pub lacks_spare: Truth,
    /// One more index after the frames.
    pub spare: Spare,
    /// Bytes after the sequence.
    pub trailing: Block,
}

/// A bitmap and the bytes after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BitmapSlot {
    /// The bitmap.
    pub bitmap: Bitmap,
    /// Bytes after the bitmap.
    pub trailing: Block,
}

/// A collection.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The coding of its pixel rows.
    pub encoding: Encoding,
    /// `true` if its size is stored before it.
    pub has_size: Truth,
    /// Its size, if stored before it.
    pub size_before: SizeBefore,
    /// Type, counts and offsets.
    pub definition: Definition,
    /// The colors of all tables.
    pub colors: Block<Color>,
    /// The offsets of the sequences.
    pub sequence_offsets: Vec<Offset>,
    /// The sequences.
    pub sequences: Vec<Sequence>,
    /// The offsets of the frames.
    pub frame_offsets: Vec<Offset>,
    /// The frames.
    pub frames: Vec<Frame>,
    /// The offsets of the bitmaps.
    pub bitmap_offsets: Vec<Offset>,
    /// The bitmaps.
    pub bitmaps: Vec<BitmapSlot>,
    /// The layout of these parts after the definition.
    pub arrangement: Arrangement,
    /// Bytes after the last part.
    pub trailing: Block,
}

/// A part after the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Colors,
    SequenceTable,
    Sequence(usize),
    FrameTable,
    Frame(usize),
    BitmapTable,
    Bitmap(usize),
}

impl Item {
    fn is_table(self) -> bool {
        matches!(self, Self::SequenceTable | Self::FrameTable | Self::BitmapTable)
    }
}

impl Sequence {
    /// Returns the number of indices according to the header.
    fn count(&self) -> u64 {
        let views = self.head.view_type.views().try_into().unwrap_or(0_u64);
        views * self.head.frames_per_view.wide().unwrap_or(0)
    }
}

lay! {
    impl Lay for Collection {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            // The version is 3; its position shows if the size is stored before it.
            t.seen_fact("has_size", at!(self.has_size), |t| {
                matches!(t.ahead(6), [high, low, _, _, 0, 3] if [*high, *low] != [0, 3]).into()
            })?;
            t.when_recomputing(at!(*self), |collection, t| collection.recompute(t))?;
            let rules = t.rules(|| Ok(self.rules(self.places()?)))?;
            if self.has_size.into() {
                let end = rules.as_ref().and_then(|rules| U32be::of(rules.size.wide()?));
                let rules = end.map(|total_size| SizeBefore { total_size });
                t.fields_by(at!(self.size_before), rules.as_ref())?;
            }
            let start = t.position();
            t.fields_by(at!(self.definition), rules.as_ref())?;
            t.build(at!(*self), |collection, t| {
                collection.make(t)?;
                t.read(collection, |collection, t| collection.find(t, start))
            })?;
            let (items, tables, encoding) = (self.items(), self.tables(), self.encoding);
            let worlds = t.rules(|| Ok(self.worlds()))?;
            let color_count = self.color_count(|name, value| t.stated(name, value))?;
            let Self { sequence_offsets, sequences, frame_offsets, frames, bitmap_offsets, bitmaps, .. } = self;
            let Self { colors, arrangement, trailing, .. } = self;
            t.arranged_sections(arrangement, PIECES, items.len(), |t, item| {
                match items.get(item).copied() {
                    None => Ok(()),
                    Some(Item::Colors) => t.block("colors", color_count, at!(*colors)),
                    Some(Item::SequenceTable) => t.each("sequences", at!(*sequence_offsets), |t, it| t.fields(it)),
                    Some(Item::FrameTable) => t.each("frames", at!(*frame_offsets), |t, it| t.fields(it)),
                    Some(Item::BitmapTable) => t.each("bitmaps", at!(*bitmap_offsets), |t, it| t.fields(it)),
                    Some(Item::Sequence(index)) => {
                        t.nth_of("sequences", index, at!(*sequences), |t, it| it.lay_by(t, (&tables, encoding)))
                    }
                    Some(Item::Frame(index)) => t.nth_of("frames", index, at!(*frames), |t, frame| {
                        t.when_recomputing(at!(*frame), |frame, t| match &worlds {
                            Some(worlds) => worlds.recompute(t, frame),
                            None => Ok(()),
                        })?;
                        let start = t.position();
                        t.fields(at!(*frame))?;
                        t.judge(|t| tables.judge_one(t, start, &[], frame));
                        Ok(())
                    }),
                    Some(Item::Bitmap(index)) => {
                        t.nth_of("bitmaps", index, at!(*bitmaps), |t, it| it.lay_by(t, encoding))
                    }
                }
            })?;
            t.rest("trailing", Run::Surplus, trailing)
        }
    }

    /// Lays out the remaining bytes as a sequence of a collection with these tables.
    impl LayBy<(&Tables, Encoding)> for Sequence {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (tables, encoding): (&Tables, Encoding)) -> Result {
            match encoding {
                Encoding::Marathon => t.fields(recast::<EarlySequenceHeader, _>(at!(self.head)))?,
                Encoding::Marathon2 => t.fields(at!(self.head))?,
            }
            let name = self.head.name;
            t.expect("name", || name.too_long(MOST_OF_NAME));
            let (start, count) = (t.position(), self.count());
            t.block("frames", count, at!(self.frames))?;
            let frames = &self.frames;
            t.judge(|t| {
                let listed = frames.iter().map(|frame| (*frame, frame.get(), Some(or_none(Table::Frames))));
                tables.judge_listed(t, "frames", start, listed);
            });
            t.seen_fact("lacks_spare", at!(self.lacks_spare), |t| (t.remaining() < 2).into())?;
            if !bool::from(self.lacks_spare) {
                t.fields(at!(self.spare))?;
            }
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl LayBy<Encoding> for BitmapSlot {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, encoding: Encoding) -> Result {
            self.bitmap.lay_by(t, encoding)?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Lint for Collection {
    fn lint(&self, out: &mut Warnings<'_>) {
        let (items, worlds) = (self.items(), self.worlds());
        for item in self.arrangement.items(items.len()) {
            if let Some(Item::Frame(index)) = items.get(item)
                && let Some(frame) = self.frames.get(*index)
            {
                worlds.lint(out, &[Step::Name("frames"), Step::Index(wide(*index))], frame);
            }
        }
    }
}

/// Returns the error for an item with an invalid location.
fn wrong(t: &Tape<'_>, item: Option<&Item>, fault: Fault) -> field::Error {
    let at = |list, index: usize| {
        t.error_at(t.position(), [Step::Name(list), Step::Index(wide(index)), Step::Name("offset")], fault.clone())
    };
    match item {
        Some(Item::Sequence(index)) => at("sequences", *index),
        Some(Item::Frame(index)) => at("frames", *index),
        Some(Item::Bitmap(index)) => at("bitmaps", *index),
        Some(Item::SequenceTable) => t.error_in("sequence_table", fault),
        Some(Item::FrameTable) => t.error_in("frame_table", fault),
        Some(Item::BitmapTable) => t.error_in("bitmap_table", fault),
        _ => t.error_in("color_tables", fault),
    }
}

impl Collection {
    /// Creates a collection with this coding of rows.
    #[must_use]
    pub fn of(encoding: Encoding) -> Self {
        Self { encoding, ..Self::default() }
    }

    /// Creates as many parts as the definition specifies.
    fn make(&mut self, t: &mut Tape<'_>) -> Result {
        let definition = self.definition;
        let mut count = |field, list, told: I16be| -> Result<usize> {
            let count = t.stated(field, told)?;
            t.room(count, 4)?;
            t.given(list, usize::try_from(count).unwrap_or(0))
        };
        let sequences = count("sequence_count", "sequences", definition.sequence_count)?;
        let frames = count("frame_count", "frames", definition.frame_count)?;
        let bitmaps = count("bitmap_count", "bitmaps", definition.bitmap_count)?;
        self.sequence_offsets = t.make(sequences)?;
        self.sequences = t.make(sequences)?;
        self.frame_offsets = t.make(frames)?;
        self.frames = t.make(frames)?;
        self.bitmap_offsets = t.make(bitmaps)?;
        self.bitmaps = t.make(bitmaps)?;
        Ok(())
    }

    /// Returns the parts after the definition, in the usual order.
    fn items(&self) -> Vec<Item> {
        let mut items = vec![Item::Colors, Item::SequenceTable];
        items.extend((0..self.sequences.len()).map(Item::Sequence));
        items.push(Item::FrameTable);
        items.extend((0..self.frames.len()).map(Item::Frame));
        items.push(Item::BitmapTable);
        items.extend((0..self.bitmaps.len()).map(Item::Bitmap));
        items
    }

    /// Returns the number of colors. `stated` converts a field of the definition to a number.
    fn color_count(&self, stated: impl Fn(&'static str, I16be) -> Result<u64>) -> Result<u64> {
        let Definition { color_table_count, colors_per_table, .. } = self.definition;
        Ok(stated("color_table_count", color_table_count)? * stated("colors_per_table", colors_per_table)?)
    }

    /// Returns the number of entries in each table that the indices of its parts refer to.
    fn tables(&self) -> Tables {
        let mut tables = Tables::default();
        tables.set(Table::Frames, self.frames.len());
        tables.set(Table::Bitmaps, self.bitmaps.len());
        tables
    }

    /// Finds the parts after the definition.
    fn find(&mut self, t: &Tape<'_>, start: u64) -> Result {
        let items = self.items();
        let ranges = self.ranges(t, start, &items)?;
        self.arrangement = Arrangement::find_items(t, start, ranges.clone())
            .map_err(|(item, fault)| wrong(t, items.get(item), fault))?;
        // The number of items depends on their table, so the table itself cannot overlap other parts.
        let table = self.arrangement.overlapping().find(|item| items.get(*item).is_some_and(|item| item.is_table()));
        let Some(item) = table else { return Ok(()) };
        let found = ranges.get(item).map_or(0, |range| range.start).into();
        let expected = "an offset after the other parts".to_owned();
        Err(wrong(t, items.get(item), Fault::Outside { found, expected }))
    }

    /// Returns the locations of the parts. A part with unknown length extends to the next one.
    fn ranges(&self, t: &Tape<'_>, start: u64, items: &[Item]) -> Result<Vec<Range<u64>>> {
        let Definition { color_tables, sequence_table, frame_table, bitmap_table, .. } = self.definition;
        let end = t.position() + t.remaining() - start;
        let offset = |field, told: I32be, bytes: u64| -> Result<Range<u64>> {
            let begin = if bytes == 0 { 0 } else { t.stated(field, told)? };
            Ok(begin..begin + bytes)
        };
        let table = |field, told: I32be, count: usize| offset(field, told, wide(count) * 4);
        let color_count = self.color_count(|name, value| t.stated(name, value))?;
        let colors = offset("color_tables", color_tables, color_count * 8)?;
        let tables = [
            table("sequence_table", sequence_table, self.sequences.len())?,
            table("frame_table", frame_table, self.frames.len())?,
            table("bitmap_table", bitmap_table, self.bitmaps.len())?,
        ];
        let begins = |range: &Range<u64>, item: fn(usize) -> Item| -> Result<Vec<u64>> {
            let bytes = t.peek(start + range.start, range.end - range.start);
            let bytes = bytes.map_err(|fault| wrong(t, Some(&item(0)), fault))?;
            let offset = |(index, offset): (usize, &[u8; 4])| {
                let told = i32::from_be_bytes(*offset);
                let fault = || Fault::Outside { found: told.into(), expected: "a number from 0".into() };
                u64::try_from(told).map_err(|_| wrong(t, Some(&item(index)), fault()))
            };
            bytes.as_chunks::<4>().0.iter().enumerate().map(offset).collect()
        };
        let [sequence_table, frame_table, bitmap_table] = &tables;
        let sequences = begins(sequence_table, Item::Sequence)?;
        let frames = begins(frame_table, Item::Frame)?;
        let bitmaps = begins(bitmap_table, Item::Bitmap)?;
        let mut known: Vec<u64> =
            tables.iter().chain([&colors]).filter(|it| !it.is_empty()).map(|it| it.start).collect();
        known.extend(sequences.iter().chain(&frames).chain(&bitmaps));
        known.sort_unstable();
        let whole = |begin: Option<&u64>| {
            let begin = begin.copied().unwrap_or_default();
            let next = known.get(known.partition_point(|known| *known <= begin)).copied();
            begin..next.unwrap_or(end).max(begin + 1)
        };
        let range = |item: &Item| match *item {
            Item::Colors => colors.clone(),
            Item::SequenceTable => sequence_table.clone(),
            Item::FrameTable => frame_table.clone(),
            Item::BitmapTable => bitmap_table.clone(),
            Item::Sequence(index) => whole(sequences.get(index)),
            Item::Bitmap(index) => whole(bitmaps.get(index)),
            Item::Frame(index) => {
                let begin = frames.get(index).copied().unwrap_or_default();
                begin..begin + wide(size_of::<Frame>())
            }
        };
        Ok(items.iter().map(range).collect())
    }

    /// Returns the parts and their locations.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be written.
    fn places(&self) -> Result<Vec<(Item, Range<u64>)>> {
        let (items, encoding, tables) = (self.items(), self.encoding, self.tables());
        let length = |item: &Item| match *item {
            Item::Colors => Ok(wide(self.colors.bytes().len())),
            Item::SequenceTable => Ok(wide(self.sequences.len()) * 4),
            Item::FrameTable => Ok(wide(self.frames.len()) * 4),
            Item::BitmapTable => Ok(wide(self.bitmaps.len()) * 4),
            Item::Sequence(index) => self
                .sequences
                .get(index)
                .map_or(Ok(0), |sequence| in_item("sequences", index, size_by(sequence, (&tables, self.encoding)))),
            Item::Frame(_) => Ok(wide(size_of::<Frame>())),
            Item::Bitmap(index) => {
                self.bitmaps.get(index).map_or(Ok(0), |slot| in_item("bitmaps", index, size_by(slot, encoding)))
            }
        };
        let lengths = items.iter().map(length).collect::<Result<Vec<u64>>>()?;
        let places = self.arrangement.places(wide(size_of::<Definition>()), &lengths, None)?.items;
        Ok(items.into_iter().zip(places).collect())
    }

    /// Returns what the extents of its frames follow from.
    fn worlds(&self) -> Worlds {
        let bitmaps = (0..).zip(self.bitmaps.iter().map(|slot| &slot.bitmap));
        Worlds::of(bitmaps, Some(self.definition.pixels_to_world))
    }

    /// Returns the definition with its computed values.
    fn rules(&self, places: Vec<(Item, Range<u64>)>) -> Definition {
        let end = places.iter().map(|(_, place)| place.end).max().unwrap_or(0);
        let end = end + wide(self.trailing.len());
        let mut rules = Definition { size: I32be::of(end).unwrap_or(self.definition.size), ..self.definition };
        for (item, place) in places {
            let rule = match item {
                Item::Colors => &mut rules.color_tables,
                Item::SequenceTable => &mut rules.sequence_table,
                Item::FrameTable => &mut rules.frame_table,
                Item::BitmapTable => &mut rules.bitmap_table,
                Item::Sequence(_) | Item::Frame(_) | Item::Bitmap(_) => continue,
            };
            *rule = if place.is_empty() { I32be::default() } else { I32be::of(place.start).unwrap_or(*rule) };
        }
        rules
    }

    /// Updates counts and offsets.
    fn recompute(&mut self, t: &Tape<'_>) -> Result {
        let definition = &mut self.definition;
        for (field, count, told) in [
            ("sequence_count", self.sequences.len(), &mut definition.sequence_count),
            ("frame_count", self.frames.len(), &mut definition.frame_count),
            ("bitmap_count", self.bitmaps.len(), &mut definition.bitmap_count),
        ] {
            t.computed(field, told, wide(count))?;
        }
        let Some(places) = t.from_sizes(|| self.places())? else { return Ok(()) };
        let Self { definition, sequence_offsets, frame_offsets, bitmap_offsets, .. } = self;
        // The offset of a table without items is arbitrary.
        for (item, place) in places.into_iter().filter(|(_, place)| !place.is_empty()) {
            let (field, told) = match item {
                Item::Colors => ("color_tables", Some(&mut definition.color_tables)),
                Item::SequenceTable => ("sequence_table", Some(&mut definition.sequence_table)),
                Item::FrameTable => ("frame_table", Some(&mut definition.frame_table)),
                Item::BitmapTable => ("bitmap_table", Some(&mut definition.bitmap_table)),
                Item::Sequence(index) => ("offset", sequence_offsets.get_mut(index).map(|it| &mut it.offset)),
                Item::Frame(index) => ("offset", frame_offsets.get_mut(index).map(|it| &mut it.offset)),
                Item::Bitmap(index) => ("offset", bitmap_offsets.get_mut(index).map(|it| &mut it.offset)),
            };
            if let Some(told) = told {
                t.computed(field, told, place.start)?;
            }
        }
        Ok(())
    }
}
