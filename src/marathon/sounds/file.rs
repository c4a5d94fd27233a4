//! The sounds file of Marathon 2 and Infinity, `*.sndA`.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 260 |
//! | definitions, those of the first source first | 64 each |
//! | groups of sounds, each of one or more definitions | |
//!
//! Source: `marathon-sounds.md`, section 1.

use core::ops::Range;
use std::collections::HashMap;

use field::walk::{in_item, size, sizes};
use field::{
    Arrangement, Block, Error, Fault, FourCc, I16be, I32be, Integer as _, Label, Nth, Place, Result, Run, Stale, Step,
    Table, Tape, Truth, U16be, U32be, as_read, lay, wide,
};
use field::{flags, names, record};
use kind::{Container, Format, Game, binrw_over_lay, payloads};
use lint::no_traps;

use super::super::numbers::Fixed;
use super::header::Sound;

/// The location of a group, and the index of its owner.
type Placed = (Range<u64>, usize);

/// The list of definitions.
const DEFINITIONS: &str = "definitions";
/// The maximum number of sounds in a group.
const PERMUTATIONS: usize = 5;

record! {
    /// The header, 260 bytes. Source: `marathon-sounds.md`, section 1.
    pub struct Header: 260 {
        /// 0 or 1.
        version: I32be,
        tag: FourCc = FourCc(*b"snd2"),
        /// 1, or 2 if one is 16-bit. In old files the number of sounds.
        source_count: I16be,
        /// Sounds per source. 0 in old files.
        sound_count: I16be as Outside,
        unused: Stale<248>,
    }
}

names! {
    /// The volume curve of a sound over distance. Source: `marathon-enums.md`.
    pub struct Behavior(I16be: i16) {
        /// Audible nearby only.
        QUIET = 0;
        /// For most sounds.
        NORMAL = 1;
        /// Audible from afar.
        LOUD = 2;
    }
}

flags! {
    /// The playing of a sound. Source: `marathon-enums.md`, Shapes and sounds.
    pub struct SoundFlags(U16be: u16) {
        /// While it plays, it is not started again.
        CANNOT_BE_RESTARTED = 0x01;
        /// It does not stop itself.
        DOES_NOT_SELF_ABORT = 0x02;
        /// Its pitch changes less.
        RESISTS_PITCH_CHANGES = 0x04;
        /// Its pitch never changes.
        CANNOT_CHANGE_PITCH = 0x08;
        /// Walls do not dampen it.
        CANNOT_BE_OBSTRUCTED = 0x10;
        /// Liquids do not dampen it.
        CANNOT_BE_MEDIA_OBSTRUCTED = 0x20;
        /// It is a continuous sound.
        AMBIENT = 0x40;
    }
}

record! {
    /// A sound and its location, 64 bytes. Source: `marathon-sounds.md`, section 1.
    pub struct Definition: 64 {
        /// -1 for none.
        code: I16be,
        behavior: Behavior,
        flags: SoundFlags,
        /// The chance out of 65,536 that the sound does not play.
        chance: U16be,
        /// With 16 fractional bits, like the next.
        low_pitch: Fixed,
        high_pitch: Fixed,
        permutations: I16be,
        permutations_played: U16be as Pointer,
        group_offset: U32be as Offset,
        /// Bytes of the first sound, with its header.
        single_size: U32be as Outside,
        total_size: U32be as Outside,
        /// Offset of each sound in the group.
        permutation_offsets: [U32be; PERMUTATIONS] as Outside,
        last_played: U32be as Pointer,
        sample_pointer: U32be as Pointer,
        sample_pointer_size: U32be as Pointer,
    }
}

/// A definition, and its group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slot {
    /// The properties of the sound.
    pub definition: Definition,
    /// The first definition with the same group, if that is a different definition.
    pub same_as: Nth,
    /// `true` if it has no group.
    pub is_empty: Truth,
}

no_traps!(Sounds, Permutations);

payloads! {
    /// The contents of a group.
    pub enum Group {
        Sounds(Permutations) = "sounds";
    }
}

/// The sounds of a group, one of which is played.
#[derive(Clone, Debug, Default)]
pub struct Permutations {
    /// The sounds.
    pub sounds: Vec<Sound>,
    /// Bytes after the last sound.
    pub trailing: Block,
}

/// A sounds file.
#[derive(Clone, Debug, Default)]
pub struct Sounds {
    /// Version and counts.
    pub head: Header,
    /// `true` if the field for the number of sources holds the number of sounds.
    pub is_old: Truth,
    /// The sounds.
    pub definitions: Vec<Slot>,
    /// The group of each definition that is the first with this group.
    pub groups: Vec<Option<Group>>,
    /// The layout of the groups in the file.
    pub arrangement: Arrangement,
    /// Bytes after the last group.
    pub trailing: Block,
}

impl Group {
    fn fitting(_: &Label, _: &bytes::Bytes) -> Self {
        Self::Sounds(Permutations::default())
    }

    /// Returns the length of each sound with its header; none for raw bytes.
    ///
    /// # Errors
    /// Returns an error if a sound cannot be written.
    pub(super) fn lengths(&self) -> Result<Vec<u64>> {
        match self {
            Self::Sounds(group) => sizes("sounds", &group.sounds, size),
            Self::Opaque(_) => Ok(Vec::new()),
        }
    }
}

impl Definition {
    /// Returns the definition as computed for a group of sounds of these lengths.
    ///
    /// # Errors
    /// Returns an error if a length or an offset does not fit its field.
    pub(super) fn by_rule(&self, lengths: &[u64]) -> Result<Self> {
        let number = |name, value: u64| {
            let too_large = Fault::TooLarge { value, field: U32be::LEAF.name };
            U32be::of(value).ok_or_else(|| Error::in_exchange(Place::default().with([Step::Name(name)]), too_large))
        };
        let mut offsets = [U32be::default(); PERMUTATIONS];
        let mut at = 0_u64;
        for (offset, length) in offsets.iter_mut().zip(lengths) {
            *offset = number("permutation_offsets", at)?;
            at += *length;
        }
        let single_size = number("single_size", lengths.first().copied().unwrap_or(0))?;
        Ok(Self { single_size, permutation_offsets: offsets, ..*self })
    }

    /// Returns `true` if it has a group according to its fields.
    fn has_group(&self) -> bool {
        self.total_size.get() > 0 && self.code.get() != -1
    }
}

lay! {
    impl Lay for Permutations {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.list_while("sounds", |t| t.remaining() >= Sound::SHORTEST, at!(self.sounds), |t, sound| sound.lay(t))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl Lay for Sounds {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.when_recomputing(at!(*self), |sounds, t| sounds.recompute(t))?;
            let rules = t.from_sizes(|| self.rules())?.into_iter().flatten().collect::<Vec<_>>();
            // Without sources there are no sounds, so the number per source is ignored.
            let none = (self.head.source_count.get() == 0).then(|| Header { sound_count: I16be::new(0), ..self.head });
            t.fields_by(at!(self.head), none.as_ref())?;
            let sources = t.stated("source_count", self.head.source_count)?;
            let sounds = t.stated("sound_count", self.head.sound_count)?;
            t.seen_fact("is_old", at!(self.is_old), |_| (sounds == 0).into())?;
            let count = as_read(if sounds == 0 { sources } else { sources * sounds });
            let table = t.position();
            let mut rules = rules.iter();
            t.list(DEFINITIONS, count, wide(size_of::<Definition>()), at!(self.definitions), |t, slot| {
                slot.lay_by(t, rules.next())
            })?;
            t.read(at!(*self), |sounds, t| sounds.find(t, start, table))?;
            t.as_many(at!(self.groups), self.definitions.len())?;
            let Self { groups, arrangement, definitions, trailing, .. } = self;
            let owners = owners(definitions);
            t.arranged(arrangement, DEFINITIONS, owners.len(), |t, item| {
                let index = owners.get(item).copied().unwrap_or_default();
                match at!(*groups).into_iter().nth(index) {
                    Some(group) => {
                        t.optional_entry(Label::nth(DEFINITIONS, index), t.remaining() > 0, t.remaining(), group)
                    }
                    None => Ok(()),
                }
            })?;
            t.rest("trailing", Run::Surplus, trailing)
        }
    }

    /// Lays out a definition, with its computed values.
    impl LayBy<Option<&Definition>> for Slot {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, rules: Option<&Definition>) -> Result {
            t.fields_by(at!(self.definition), rules)?;
            let permutations = self.definition.permutations.get();
            let known = usize::try_from(permutations).is_ok_and(|permutations| permutations <= PERMUTATIONS);
            t.expect("permutations", || (!known).then(|| ("0 to 5".into(), permutations.into())));
            let has_group = self.definition.has_group();
            t.seen_fact("is_empty", at!(self.is_empty), |_| (!has_group).into())?;
            t.fact("same_as", at!(self.same_as))
        }
    }
}

/// Returns the definitions that are the first with their group.
fn owners(definitions: &[Slot]) -> Vec<usize> {
    let owns = |slot: &Slot| slot.same_as.get().is_none() && !bool::from(slot.is_empty);
    definitions.iter().enumerate().filter_map(|(index, slot)| owns(slot).then_some(index)).collect()
}

impl Sounds {
    /// Updates the counts, and the locations of the groups.
    fn recompute(&mut self, t: &mut Tape<'_>) -> Result {
        self.count(t)?;
        let Some(places) = t.from_sizes(|| self.places())? else { return Ok(()) };
        for (slot, place) in self.definitions.iter_mut().zip(&places) {
            if let Some((place, _)) = place {
                t.computed("group_offset", &mut slot.definition.group_offset, place.start)?;
                t.computed("total_size", &mut slot.definition.total_size, place.end - place.start)?;
            }
        }
        Ok(())
    }

    /// Updates the counts of definitions in the header.
    fn count(&mut self, t: &mut Tape<'_>) -> Result {
        let count = wide(self.definitions.len());
        let sources = self.head.source_count.wide().unwrap_or(0);
        if self.is_old.into() {
            let was = self.head.source_count.get();
            t.computed("sound_count", &mut self.head.sound_count, 0)?;
            t.computed("source_count", &mut self.head.source_count, count)?;
            let place = t.place().with([Step::Name("source_count")]);
            t.report_replaced_value(place, was.into(), self.head.source_count.get().into());
            return Ok(());
        }
        match count.checked_div(sources) {
            Some(sounds) if count.is_multiple_of(sources) => {
                t.computed("sound_count", &mut self.head.sound_count, sounds)
            }
            Some(_) => {
                let expected = count.next_multiple_of(sources);
                Err(t.error_in(DEFINITIONS, Fault::Count { expected, found: count }))
            }
            None => Ok(()),
        }
    }

    /// Finds the groups in read mode.
    fn find(&mut self, t: &Tape<'_>, start: u64, table: u64) -> Result {
        let mut known: HashMap<Range<u64>, usize> = HashMap::new();
        let mut ranges = Vec::new();
        for (index, slot) in self.definitions.iter_mut().enumerate() {
            if slot.is_empty.into() {
                continue;
            }
            let begin = u64::from(slot.definition.group_offset.get());
            let range = begin..begin + u64::from(slot.definition.total_size.get());
            match known.get(&range) {
                Some(first) => slot.same_as = Nth::new(*first),
                None => {
                    known.insert(range.clone(), index);
                    ranges.push(range);
                }
            }
        }
        let owners = owners(&self.definitions);
        let rows = Table::of::<Definition>(DEFINITIONS, start, table);
        self.arrangement = Arrangement::find_items(t, start, ranges)
            .map_err(|(item, fault)| rows.wrong(t, owners.get(item).copied().unwrap_or_default(), fault))?;
        Ok(())
    }

    /// Returns for each definition with a group the location of the group and the index of its owner.
    ///
    /// # Errors
    /// Returns an error if a group cannot be written.
    fn places(&self) -> Result<Vec<Option<Placed>>> {
        let owners = owners(&self.definitions);
        let first = size_of::<Header>() + self.definitions.len() * size_of::<Definition>();
        let group = |index: &usize| self.groups.get(*index).and_then(Option::as_ref);
        let sized = |index: &usize| in_item(DEFINITIONS, *index, group(index).map_or(Ok(0), size));
        let sizes = owners.iter().map(sized).collect::<Result<Vec<u64>>>()?;
        let places = self.arrangement.places(wide(first), &sizes, None)?.items;
        let of_owner: HashMap<usize, Range<u64>> = owners.into_iter().zip(places).collect();
        let place = |(index, slot): (usize, &Slot)| {
            let owner = slot.same_as.get().unwrap_or(index);
            of_owner.get(&owner).filter(|_| !bool::from(slot.is_empty)).map(|place| (place.clone(), owner))
        };
        Ok(self.definitions.iter().enumerate().map(place).collect())
    }

    /// Returns the definitions with their computed values.
    ///
    /// # Errors
    /// Returns an error if a group cannot be written, or if a value does not fit its field.
    fn rules(&self) -> Result<Vec<Definition>> {
        let rule = |(slot, place): (&Slot, Option<Placed>)| match place {
            Some((_, owner)) => {
                let group = self.groups.get(owner).and_then(Option::as_ref);
                slot.definition.by_rule(&group.map_or(Ok(Vec::new()), Group::lengths)?)
            }
            None => Ok(Definition {
                group_offset: U32be::default(),
                total_size: U32be::default(),
                ..slot.definition.by_rule(&[])?
            }),
        };
        let rules = self.definitions.iter().zip(self.places()?).enumerate();
        rules.map(|(index, it)| in_item(DEFINITIONS, index, rule(it))).collect()
    }
}

impl Format for Sounds {
    const NAME: &'static str = "sounds";
    const TITLE: &'static str = "sounds file";
    const GAMES: &'static [Game] = &[Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.snda"];

    /// Recognizes the tag, a version, and counts of definitions that lie inside the file.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let head: Header = field::macros::read_head(file)?;
        let known = head.tag == FourCc(*b"snd2") && matches!(head.version.get(), 0 | 1);
        let sources = usize::try_from(head.source_count.get()).ok()?;
        let count = match usize::try_from(head.sound_count.get()).ok()? {
            0 => sources,
            sounds => sources.checked_mul(sounds)?,
        };
        let table = file.len().checked_sub(size_of::<Header>())?;
        (known && count.checked_mul(size_of::<Definition>())? <= table).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Sounds);

impl Container for Sounds {
    type Content = Group;

    /// Returns the sounds of the definitions that have their own, each named by the index of its definition.
    fn labeled(&self) -> Vec<(Label, &Group)> {
        let groups = self.groups.iter().enumerate();
        groups.filter_map(|(index, group)| Some((Label::nth(DEFINITIONS, index), group.as_ref()?))).collect()
    }
}
