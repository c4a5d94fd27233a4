//! Patches of shapes: files `*.ShPa`, and the chunk `ShPa` of a level.
//!
//! A patch consists of blocks to its end, each a [`PatchHeader`], then tagged items up to `endc`. Items with the same tag are consecutive.
//!
//! Source: `marathon-shapes.md`, section 7.

use std::collections::HashMap;

use field::record;
use field::walk::size_by;
use field::{
    Block, Fault, FourCc, I16be, I32be, Integer as _, Result, Run, Step, Tape, U16be, U32be, as_read, lay, wide,
};
use kind::{Format, Game, binrw_over_lay};
use lint::{Lint, Warnings};

use super::super::names::PatchedCollection;
use super::super::tables::{Table, Tables};
use super::bitmap::Bitmap;
use super::collection::{Encoding, Sequence};
use super::records::{CollectionType, Color, Frame};
use super::world::Worlds;

record! {
    /// The header of a block, 8 bytes. Source: `marathon-shapes.md`, section 7.
    pub struct PatchHeader: 8 {
        collection: PatchedCollection,
        /// 8 or 16.
        bit_depth: U32be,
    }
}

record! {
    /// The definition of a patched collection, 548 bytes with the tag. Source: `marathon-shapes.md`, sections 2 and 7.
    pub struct DefinitionItem: 548 {
        tag: FourCc = FourCc(*b"cldf"),
        version: I16be,
        collection_type: CollectionType,
        flags: U16be,
        colors_per_table: I16be,
        color_table_count: I16be,
        color_tables: I32be = 544,
        sequence_count: I16be,
        sequence_table: I32be = 0,
        frame_count: I16be,
        frame_table: I32be = 0,
        bitmap_count: I16be,
        bitmap_table: I32be = 0,
        pixels_to_world: I16be,
        size: I32be = 0,
        unused: [I16be; 253] = [I16be::new(0); 253],
    }
}

record! {
    /// The header of a sequence, 12 bytes. Source: `marathon-shapes.md`, section 7.
    pub struct SequenceItemHeader: 12 {
        tag: FourCc = FourCc(*b"hlsh"),
        index: U32be,
        size: U32be as Outside,
    }
}

record! {
    /// A frame, 44 bytes. Source: `marathon-shapes.md`, sections 4 and 7.
    pub struct FrameItem: 44 {
        tag: FourCc = FourCc(*b"llsh"),
        index: U32be,
        frame: Frame,
    }
}

record! {
    /// The header of a bitmap, 12 bytes. Source: `marathon-shapes.md`, section 7.
    pub struct BitmapItemHeader: 12 {
        tag: FourCc = FourCc(*b"bmap"),
        index: U32be,
        size: U32be as Outside,
    }
}

record! {
    /// The header of a color table, 8 bytes. Source: `marathon-shapes.md`, section 7.
    pub struct ColorsItemHeader: 8 {
        tag: FourCc = FourCc(*b"ctab"),
        index: U32be,
    }
}

record! {
    /// The end of a block, 4 bytes. Source: `marathon-shapes.md`, section 7.
    pub struct PatchEnd: 4 {
        end: FourCc = FourCc(*b"endc"),
    }
}

/// A replacement for a sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SequenceItem {
    /// Index and length.
    pub head: SequenceItemHeader,
    /// The sequence.
    pub sequence: Sequence,
}

/// A replacement for a bitmap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BitmapItem {
    /// Index and length.
    pub head: BitmapItemHeader,
    /// The bitmap.
    pub bitmap: Bitmap,
    /// Bytes after the bitmap.
    pub trailing: Block,
}

/// Replacement colors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColorsItem {
    /// The table to replace.
    pub head: ColorsItemHeader,
    /// The colors.
    pub colors: Block<Color>,
}

/// Items with the same tag.
#[derive(Clone, Debug, PartialEq)]
pub enum PatchItems {
    /// The definition of the collection.
    Definition(Box<DefinitionItem>),
    /// Sequences.
    Sequences(Vec<SequenceItem>),
    /// Frames.
    Frames(Block<FrameItem>),
    /// Bitmaps.
    Bitmaps(Vec<BitmapItem>),
    /// Color tables.
    Colors(Vec<ColorsItem>),
}

/// The patch of one collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchBlock {
    /// The collection to patch.
    pub head: PatchHeader,
    /// The replacements.
    pub items: Vec<PatchItems>,
    /// The end of the block.
    pub end: PatchEnd,
}

/// A patch of shapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapesPatch {
    /// The patches of collections, 8-bit before 16-bit.
    pub blocks: Vec<PatchBlock>,
}

impl Default for PatchItems {
    fn default() -> Self {
        Self::Frames(Block::default())
    }
}

/// The parts of a collection's definition that its other items depend on.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The number of colors per table.
    colors: u64,
    /// The number of entries of its tables.
    tables: Tables,
    /// The scale of its frames.
    pixels_to_world: I16be,
}

impl Known {
    fn of(definition: &DefinitionItem) -> Self {
        let mut tables = Tables::default();
        for (table, count) in [
            (Table::Sequences, definition.sequence_count),
            (Table::Frames, definition.frame_count),
            (Table::Bitmaps, definition.bitmap_count),
        ] {
            tables.set(table, usize::try_from(count.get()).unwrap_or(0));
        }
        let pixels_to_world = definition.pixels_to_world;
        Self { colors: definition.colors_per_table.wide().unwrap_or(0), tables, pixels_to_world }
    }
}

/// The collections whose definitions have been read.
type Collections = HashMap<u32, Known>;

lay! {
    impl LayBy<&Tables> for SequenceItem {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, tables: &Tables) -> Result {
            t.computed_by("size", at!(self.head.size), || size_by(&self.sequence, (tables, Encoding::Marathon2)))?;
            t.fields(at!(self.head))?;
            t.expect("index", || tables.lack(Table::Sequences, self.head.index));
            let length = t.stated("size", self.head.size)?;
            t.window(length, |t| self.sequence.lay_by(t, (tables, Encoding::Marathon2)))
        }
    }

    impl LayBy<&Tables> for BitmapItem {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, tables: &Tables) -> Result {
            let bitmap = || size_by(&self.bitmap, Encoding::Marathon2);
            t.computed_by("size", at!(self.head.size), || Ok(bitmap()? + wide(self.trailing.len())))?;
            t.fields(at!(self.head))?;
            t.expect("index", || tables.lack(Table::Bitmaps, self.head.index));
            let length = t.stated("size", self.head.size)?;
            t.window(length, |t| {
                self.bitmap.lay_by(t, Encoding::Marathon2)?;
                t.rest("trailing", Run::Surplus, at!(self.trailing))
            })
        }
    }

    /// Lays out colors; the definition of their collection specifies their number.
    impl LayBy<Option<&Known>> for ColorsItem {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, known: Option<&Known>) -> Result {
            t.fields(at!(self.head))?;
            if known.is_none() {
                let expected = "cldf before it, which contains the number of colors".to_owned();
                return Err(t.error_in("tag", Fault::Unknown { found: "ctab".to_owned(), expected }));
            }
            let told = known.map_or(0, |known| known.colors);
            t.block("table", as_read(told), at!(self.colors))
        }
    }

    /// Lays out items of a collection, with the definitions before them, and what the extents of its frames follow from.
    impl LayBy<(u32, &mut Collections, Option<&Worlds>)> for PatchItems {
        fn lay_by(
            self: at!(Self),
            t: &mut Tape<'_>,
            (collection, known, worlds): (u32, &mut Collections, Option<&Worlds>),
        ) -> Result {
            t.build(at!(*self), |items, t| {
                *items = Self::next(t)?;
                Ok(())
            })?;
            let tables = known.get(&collection).map_or_else(Tables::default, |known| known.tables);
            match self {
                Self::Definition(definition) => {
                    t.record("definition", at!(**definition))?;
                    known.insert(collection, Known::of(definition));
                    Ok(())
                }
                Self::Sequences(items) => {
                    t.list_while("sequences", |t| tag(t) == *b"hlsh", items, |t, item| item.lay_by(t, &tables))
                }
                Self::Frames(frames) => {
                    t.when_asked(at!(*frames), |frames, t| {
                        worlds.map_or(Ok(()), |worlds| recompute(t, worlds, frames))
                    })?;
                    let start = t.position();
                    // A truncated item is not counted, so request at least one to get an error.
                    let items = t.ahead(u64::MAX).chunks_exact(size_of::<FrameItem>());
                    let told = wide(items.take_while(|item| item.starts_with(b"llsh")).count()).max(1);
                    t.block("frames", as_read(told), frames)?;
                    t.judge(|t| tables.judge(t, "frames", start, frames));
                    Ok(())
                }
                Self::Bitmaps(items) => {
                    t.list_while("bitmaps", |t| tag(t) == *b"bmap", items, |t, item| item.lay_by(t, &tables))
                }
                Self::Colors(items) => {
                    let known = known.get(&collection);
                    t.list_while("colors", |t| tag(t) == *b"ctab", items, |t, item| item.lay_by(t, known))
                }
            }
        }
    }

    impl Lay for ShapesPatch {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let mut known = Collections::new();
            t.list_while("blocks", |t| t.remaining() > 0, at!(self.blocks), |t, block| block.lay_by(t, &mut known))
        }
    }

    impl LayBy<&mut Collections> for PatchBlock {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, known: &mut Collections) -> Result {
            t.fields(at!(self.head))?;
            let collection = self.head.collection.get();
            let worlds = t.rules(|| Ok(self.worlds(known.get(&collection))))?;
            t.list_while("items", |t| tag(t) != *b"endc", at!(self.items), |t, items| {
                items.lay_by(t, (collection, &mut *known, worlds.as_ref()))
            })?;
            let joined = self.items.iter().zip(self.items.iter().skip(1)).any(|(before, items)| items.joins(before));
            if joined || self.items.iter().any(|items| items.count() == 0) {
                let (found, expected) = ("others".to_owned(), "all chunks of a tag together, at least one of each".to_owned());
                return Err(t.error_in("items", Fault::Unknown { found, expected }));
            }
            t.fields(at!(self.end))
        }
    }
}

impl Lint for ShapesPatch {
    fn lint(&self, out: &mut Warnings<'_>) {
        let mut known = Collections::new();
        for (nth, block) in (0..).zip(&self.blocks) {
            let collection = block.head.collection.get();
            let worlds = block.worlds(known.get(&collection));
            for (index, items) in (0..).zip(&block.items) {
                match items {
                    PatchItems::Definition(definition) => _ = known.insert(collection, Known::of(definition)),
                    PatchItems::Frames(frames) => {
                        let place = [Step::Name("blocks"), Step::Index(nth), Step::Name("items"), Step::Index(index)];
                        for (frame, item) in (0..).zip(frames.iter()) {
                            let own = [Step::Name("frames"), Step::Index(frame), Step::Name("frame")];
                            worlds.lint(out, &[&place[..], &own].concat(), &item.frame);
                        }
                    }
                    PatchItems::Sequences(_) | PatchItems::Bitmaps(_) | PatchItems::Colors(_) => {}
                }
            }
        }
    }
}

/// Recomputes the extents of frames, where that is wanted.
fn recompute(t: &mut Tape<'_>, worlds: &Worlds, frames: &mut Block<FrameItem>) -> Result {
    frames.edit(|frames| {
        frames.iter_mut().enumerate().try_for_each(|(nth, item)| {
            t.nth("frames", nth, |t| t.group("frame", |t| worlds.recompute(t, &mut item.frame)))
        })
    })
}

impl PatchBlock {
    /// Returns what the extents of its frames follow from, given the collection as defined before it.
    fn worlds(&self, before: Option<&Known>) -> Worlds {
        let own = self.items.iter().find_map(|items| match items {
            PatchItems::Definition(definition) => Some(definition.pixels_to_world),
            _ => None,
        });
        let bitmaps = self.items.iter().flat_map(|items| match items {
            PatchItems::Bitmaps(items) => items.as_slice(),
            _ => &[],
        });
        let bitmaps = bitmaps.map(|item| (item.head.index.get().into(), &item.bitmap));
        Worlds::of(bitmaps, own.or(before.map(|known| known.pixels_to_world)))
    }
}

/// Returns the next tag.
fn tag(t: &Tape<'_>) -> [u8; 4] {
    t.ahead(4).first_chunk().copied().unwrap_or_default()
}

impl PatchItems {
    /// Returns empty items for a tag, or `None` if the tag is unknown.
    fn of(tag: [u8; 4]) -> Option<Self> {
        Some(match &tag {
            b"cldf" => Self::Definition(Box::default()),
            b"hlsh" => Self::Sequences(Vec::new()),
            b"llsh" => Self::Frames(Block::default()),
            b"bmap" => Self::Bitmaps(Vec::new()),
            b"ctab" => Self::Colors(Vec::new()),
            _ => return None,
        })
    }

    /// Returns the tag of the items in the exchange format.
    fn given(t: &Tape<'_>) -> Option<[u8; 4]> {
        let members = [
            ("definition", b"cldf"),
            ("sequences", b"hlsh"),
            ("frames", b"llsh"),
            ("bitmaps", b"bmap"),
            ("colors", b"ctab"),
        ];
        members.into_iter().find_map(|(member, tag)| t.exists(member, false).then_some(*tag))
    }

    /// Returns the next items, still empty, in a file or in its exchange format.
    fn next(t: &Tape<'_>) -> Result<Self> {
        let tag = Self::given(t).unwrap_or_else(|| tag(t));
        t.room(4, 1)?;
        Self::of(tag).ok_or_else(|| {
            let (found, expected) = (FourCc(tag).text(), "cldf, hlsh, llsh, bmap, ctab or endc".to_owned());
            t.error(Fault::Unknown { found, expected })
        })
    }

    /// Returns the number of items.
    fn count(&self) -> usize {
        match self {
            Self::Definition(_) => 1,
            Self::Sequences(items) => items.len(),
            Self::Frames(frames) => frames.len(),
            Self::Bitmaps(items) => items.len(),
            Self::Colors(items) => items.len(),
        }
    }

    /// Returns `true` if these items would be read back as more of those before them.
    fn joins(&self, before: &Self) -> bool {
        !matches!(self, Self::Definition(_)) && core::mem::discriminant(self) == core::mem::discriminant(before)
    }
}

impl ShapesPatch {
    /// Returns `true` if `bytes` begin like a patch.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        let Some((head, rest)) = bytes.split_first_chunk::<8>() else { return false };
        let [collection, depth]: [U32be; 2] = bytemuck::must_cast(*head);
        let tag = rest.first_chunk().copied().unwrap_or_default();
        let known = tag == *b"endc" || PatchItems::of(tag).is_some();
        collection.get() < 64 && matches!(depth.get(), 8 | 16) && known
    }
}

impl Format for ShapesPatch {
    const NAME: &'static str = "shapes-patch";
    const TITLE: &'static str = "shapes patch";
    const GAMES: &'static [Game] = &[Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.shpa"];
    const TRAPS: &'static [&'static lint::Trap] = super::world::TRAPS;

    /// Recognizes a collection, a depth and a tag.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        Self::begins(file).then(|| Self::GAMES.to_vec())
    }

    fn suits(file: &[u8]) -> bool {
        // A shapes file has the same extension in different case, and begins with a status.
        matches!(file.get(4..8), Some([0, 0, 0, 8 | 16]))
    }
}

binrw_over_lay!(ShapesPatch);
