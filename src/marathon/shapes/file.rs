//! The shapes file of Marathon 2 and Infinity, `*.shpA`.
//!
//! 32 [`Slot`]s, then collections anywhere.
//!
//! Source: `marathon-shapes.md`, section 1.

use core::ops::Range;

use field::record;
use field::walk::{size, sizes};
use field::{
    Arrangement, Block, Fault, I16be, I32be, Integer as _, Label, Result, Run, Stale, Step, Tape, U16be, lay, wide,
};
use kind::{Container, Format, Game, binrw_over_lay, payloads};
use lint::{Entries, Lint};

use super::collection::{Collection, Encoding};
use super::patch::ShapesPatch;

/// The number of collections.
const COLLECTIONS: usize = 32;
/// The lowest possible offset of a collection.
const FIRST: u64 = 1024;

record! {
    /// The location of a collection, 32 bytes. Source: `marathon-shapes.md`, section 1.
    pub struct Slot: 32 {
        status: I16be as Pointer,
        flags: U16be as Pointer,
        /// Offset of the 8-bit version; -1 for none.
        offset: I32be as Outside,
        size: I32be as Outside,
        /// Offset of the version for more bits; -1 to use the 8-bit version.
        deep_offset: I32be as Outside,
        deep_size: I32be as Outside,
        unused: Stale<12>,
    }
}

payloads! {
    /// The contents at the location of a collection.
    pub enum Carried {
        Collection(Box<Collection>) = "collection", empty Box::new(Collection::of(Encoding::Marathon2));
    }
}

/// A shapes file.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// The locations of the collections.
    pub slots: Vec<Slot>,
    /// The collections, each as the 8-bit version and the deep version.
    pub collections: Vec<Option<Carried>>,
    /// The layout of the collections in the file.
    pub arrangement: Arrangement,
    /// Bytes after the last collection.
    pub trailing: Block,
}

impl Carried {
    fn fitting(_: &Label, _: &bytes::Bytes) -> Self {
        Self::Collection(Box::new(Collection::of(Encoding::Marathon2)))
    }
}

/// The location of a version, or `None` if it does not exist; as an error, the field with an invalid value.
type StatedRange = core::result::Result<Option<Range<u64>>, (&'static str, i32)>;

impl Slot {
    /// Returns the stored locations of both versions.
    fn ranges(&self) -> [StatedRange; 2] {
        let range = |field, length_field, offset: I32be, length: I32be| match (offset.wide(), length.wide()) {
            (Some(begin), Some(length)) => Ok(Some(begin..begin + length).filter(|it| !it.is_empty())),
            (None, _) if offset.get() == -1 => Ok(None),
            (None, _) => Err((field, offset.get())),
            (_, None) => Err((length_field, length.get())),
        };
        [
            range("offset", "size", self.offset, self.size),
            range("deep_offset", "deep_size", self.deep_offset, self.deep_size),
        ]
    }

    /// Returns the slot for missing collections.
    fn without(&self) -> Self {
        let none = I32be::new(-1);
        let zero = I32be::default();
        Self { offset: none, size: zero, deep_offset: none, deep_size: zero, ..*self }
    }
}

/// Returns the names of the entries: the number of the collection, and the version.
fn labels() -> Vec<Label> {
    let names = (0..COLLECTIONS).flat_map(|nth| [format!("collection {nth}"), format!("collection {nth} deep")]);
    names.map(|name| Label { listed: true, ..Label::role(&name) }).collect()
}

lay! {
    impl Lay for Shapes {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let places = t.from_sizes(|| self.places())?.into_iter().flatten().collect::<Vec<_>>();
            let mut places = places.chunks(2);
            t.list("slots", wide(COLLECTIONS), wide(size_of::<Slot>()), at!(self.slots), |t, slot| {
                slot.lay_by(t, places.next())
            })?;
            let labels = labels();
            t.read(at!(*self), |shapes, t| shapes.find(t, start))?;
            t.as_many(at!(self.collections), labels.len())?;
            let Self { collections, arrangement, trailing, .. } = self;
            t.arranged_entries(arrangement, "slots", &labels, collections, |t, label, _, carried| {
                t.optional_entry(label, t.remaining() > 0, t.remaining(), carried)
            })?;
            t.rest("trailing", Run::Surplus, trailing)
        }
    }

    /// Lays out the locations of both versions of a collection.
    impl LayBy<Option<&[Range<u64>]>> for Slot {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, places: Option<&[Range<u64>]>) -> Result {
            let Some([plain, deep]) = places else { return t.fields(self) };
            if !plain.is_empty() {
                t.computed("offset", at!(self.offset), plain.start)?;
                t.computed("size", at!(self.size), plain.end - plain.start)?;
            }
            if !deep.is_empty() {
                t.computed("deep_offset", at!(self.deep_offset), deep.start)?;
                t.computed("deep_size", at!(self.deep_size), deep.end - deep.start)?;
            }
            let none = self.without();
            let (offset, size) = if plain.is_empty() { (none.offset, none.size) } else { (self.offset, self.size) };
            let rules = Slot { offset, size, ..*self };
            let is_deep = !deep.is_empty();
            let rules = if is_deep { rules } else { Slot { offset, size, ..none } };
            t.fields_by(self, Some(&rules))
        }
    }
}

impl Shapes {
    /// Finds the collections in read mode.
    fn find(&mut self, t: &Tape<'_>, start: u64) -> Result {
        let at = |item: usize| start + wide(item * size_of::<Slot>());
        let steps = |item: usize, field| [Step::Name("slots"), Step::Index(wide(item)), Step::Name(field)];
        let mut ranges = Vec::new();
        for (item, slot) in self.slots.iter().enumerate() {
            for range in slot.ranges() {
                let wrong = |(field, found): (_, i32)| {
                    let fault = Fault::Outside { found: found.into(), expected: "-1, or a number from 0".into() };
                    t.error_at(at(item), steps(item, field), fault)
                };
                ranges.push(range.map_err(wrong)?.unwrap_or_default());
            }
        }
        self.arrangement = Arrangement::find_items(t, start, ranges).map_err(|(nth, fault)| {
            let field = if nth.is_multiple_of(2) { "offset" } else { "deep_offset" };
            t.error_at(at(nth / 2), steps(nth / 2, field), fault)
        })?;
        Ok(())
    }

    /// Returns the locations of the collections, with both versions of each in turn.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be written.
    fn places(&self) -> Result<Vec<Range<u64>>> {
        let sizes = sizes("slots", &self.collections, |carried| carried.as_ref().map_or(Ok(0), size))?;
        Ok(self.arrangement.places(FIRST, &sizes, None)?.items)
    }
}

impl Format for Shapes {
    const NAME: &'static str = "shapes";
    const TITLE: &'static str = "shapes file";
    const GAMES: &'static [Game] = &[Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.shpa"];
    const TRAPS: &'static [&'static lint::Trap] = super::world::TRAPS;

    /// Recognizes slots that point to at least one collection, all inside the file, with a version number at the start of each.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let slots = file.get(..COLLECTIONS.checked_mul(size_of::<Slot>())?)?;
        let slots: &[Slot] = bytemuck::try_cast_slice(slots).ok()?;
        let mut found = 0_usize;
        for slot in slots {
            for range in slot.ranges() {
                let Some(range) = range.ok()? else { continue };
                let begin = usize::try_from(range.start).ok().filter(|_| range.start >= FIRST)?;
                let collection = file.get(begin..usize::try_from(range.end).ok()?)?;
                collection.starts_with(&[0, 3]).then_some(())?;
                found += 1;
            }
        }
        (found > 0).then(|| Self::GAMES.to_vec())
    }

    fn suits(file: &[u8]) -> bool {
        !ShapesPatch::suits(file)
    }
}

binrw_over_lay!(Shapes);

impl Lint for Shapes {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        pass.items(&self.arrangement, labels().into_iter().zip(self.collections.iter().map(Option::as_ref)));
    }
}

impl Container for Shapes {
    type Content = Carried;

    /// Returns the collections that exist: `collection 0`, `collection 0 deep` and so on.
    fn labeled(&self) -> Vec<(Label, &Carried)> {
        labels().into_iter().zip(&self.collections).filter_map(|(label, it)| Some((label, it.as_ref()?))).collect()
    }
}
