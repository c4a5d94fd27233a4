//! The shapes file of Marathon 2 and Infinity, `*.shpA`.
//!
//! 32 [`Slot`]s, then collections anywhere.
//!
//! Source: `marathon-shapes.md`, section 1.

use core::ops::Range;

use crate::field::{
    Block, Fault, I16be, I32be, Label, Lay, Result, Run, Spread, Stale, Step, Tape, U16be, Whole as _, size, wide,
};
use crate::format::{Format, Game, binrw_over_lay};
use crate::record;

use super::collection::{Collection, Encoding};
use super::patch::ShapesPatch;

/// How many collections there are.
const COLLECTIONS: usize = 32;
/// Where the first can lie.
const FIRST: u64 = 1024;

record! {
    /// Where a collection lies, 32 bytes. Source: `marathon-shapes.md`, section 1.
    pub struct Slot: 32 {
        status: I16be as Pointer,
        flags: U16be as Pointer,
        /// Of the version for 8 bits; -1 for none.
        offset: I32be as Outside,
        size: I32be as Outside,
        /// Of the version for more bits; -1 where it is the same.
        deep_offset: I32be as Outside,
        deep_size: I32be as Outside,
        unused: Stale<12>,
    }
}

/// What lies where a collection should.
#[derive(Clone, Debug)]
pub enum Carried {
    /// A collection.
    Collection(Box<Collection>),
    /// Bytes kept as they are.
    Opaque(Block),
}

/// A shapes file.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// Where the collections lie.
    pub slots: Vec<Slot>,
    /// The collections, those for 8 bits and for more in turn.
    pub collections: Vec<Option<Carried>>,
    /// How they lie in the file.
    pub spread: Spread,
    /// What stands behind the last.
    pub trailing: Block,
}

impl Default for Carried {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

impl Lay for Carried {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        match self {
            Self::Collection(collection) => collection.lay(t),
            Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
        }
    }
}

impl crate::field::Payload for Carried {
    fn kind(&self) -> &'static str {
        match self {
            Self::Collection(_) => "collection",
            Self::Opaque(_) => "opaque",
        }
    }

    fn recognise(_: &Label, _: &bytes::Bytes) -> Self {
        Self::Collection(Box::new(Collection::of(Encoding::Marathon2)))
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        let all = [Self::Collection(Box::new(Collection::of(Encoding::Marathon2))), Self::opaque()];
        all.into_iter().find(|carried| carried.kind() == kind)
    }

    fn raw(&self) -> Option<&'static str> {
        matches!(self, Self::Opaque(_)).then_some("bin")
    }
}

/// Where a version lies, nothing for none; or the field that says where none can lie.
type Told = core::result::Result<Option<Range<u64>>, (&'static str, i32)>;

impl Slot {
    /// Where both versions lie, as they are told.
    fn ranges(&self) -> [Told; 2] {
        let range = |field, length_field, offset: I32be, length: I32be| match (offset.wide(), length.wide()) {
            (Some(begin), Some(length)) => Ok(Some(begin..begin.saturating_add(length)).filter(|it| !it.is_empty())),
            (None, _) if offset.get() == -1 => Ok(None),
            (None, _) => Err((field, offset.get())),
            (_, None) => Err((length_field, length.get())),
        };
        [
            range("offset", "size", self.offset, self.size),
            range("deep_offset", "deep_size", self.deep_offset, self.deep_size),
        ]
    }

    /// The slot of collections that are not there.
    fn without(&self) -> Self {
        let none = I32be::new(-1);
        let zero = I32be::default();
        Self { offset: none, size: zero, deep_offset: none, deep_size: zero, ..*self }
    }
}

/// The names of the entries: the number of the collection, and which version.
fn labels() -> Vec<Label> {
    let names = (0..COLLECTIONS).flat_map(|nth| [format!("collection {nth}"), format!("collection {nth} deep")]);
    names.map(|name| Label { listed: true, ..Label::role(&name) }).collect()
}

impl Lay for Shapes {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let start = t.position();
        let rules = if t.filling() { self.place(t)? } else { Vec::new() };
        let mut rules = rules.iter();
        t.list("slots", wide(COLLECTIONS), wide(size_of::<Slot>()), &mut self.slots, |t, slot| {
            t.fields_by(slot, rules.next())
        })?;
        let labels = labels();
        if t.reading() {
            self.find(t, start)?;
        }
        if t.loading() {
            let has = |label| Ok(t.has_entry(label)?.then(Carried::default));
            self.collections = labels.iter().map(has).collect::<Result<_>>()?;
        }
        let Self { collections, spread, trailing, .. } = self;
        spread.lay_items(t, "slots", collections, |t, item, carried| {
            let label = labels.get(item).cloned().unwrap_or_default();
            if t.reading() && t.remaining() > 0 {
                *carried = Some(Carried::default());
            }
            carried.as_mut().map_or(Ok(()), |carried| t.entry(label, t.remaining(), carried))
        })?;
        t.rest("trailing", Run::Surplus, trailing)
    }
}

impl Shapes {
    /// In read mode, finds the collections.
    fn find(&mut self, t: &Tape<'_>, start: u64) -> Result {
        let at = |item: usize| start.saturating_add(wide(item.saturating_mul(size_of::<Slot>())));
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
        self.collections = t.make(ranges.len())?;
        self.spread = Spread::find_items(t, start, ranges).map_err(|(nth, fault)| {
            let field = if nth.is_multiple_of(2) { "offset" } else { "deep_offset" };
            t.error_at(at(nth / 2), steps(nth / 2, field), fault)
        })?;
        Ok(())
    }

    /// In visit mode, makes the slots say where the collections lie; gives them as they should be.
    fn place(&mut self, t: &Tape<'_>) -> Result<Vec<Slot>> {
        let sizes = self.collections.iter_mut().map(|carried| carried.as_mut().map_or(0, |it| size(|t| it.lay(t))));
        let sizes: Vec<u64> = sizes.collect();
        let places = self.spread.places(FIRST, &sizes, None).items;
        let mut rules = Vec::with_capacity(self.slots.len());
        for (slot, places) in self.slots.iter_mut().zip(places.chunks(2)) {
            let mut rule = slot.without();
            let [plain, deep] = places else { continue };
            for (place, offset, length, rules) in [
                (plain, &mut slot.offset, &mut slot.size, (&mut rule.offset, &mut rule.size)),
                (deep, &mut slot.deep_offset, &mut slot.deep_size, (&mut rule.deep_offset, &mut rule.deep_size)),
            ] {
                if !place.is_empty() {
                    t.fill("offset", offset, place.start)?;
                    t.fill("size", length, place.end.saturating_sub(place.start))?;
                    (*rules.0, *rules.1) = (*offset, *length);
                }
            }
            rules.push(rule);
        }
        Ok(rules)
    }
}

impl Format for Shapes {
    const NAME: &'static str = "shapes";
    const TITLE: &'static str = "shapes file";
    const GAMES: &'static [Game] = &[Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.shpa"];

    /// Slots that tell of at least one collection, all of them inside the file, and a version where each begins.
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
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
