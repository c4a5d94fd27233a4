//! Patches of sounds: a file of their own, or the chunk `SnPa` of a level.
//!
//! A patch is items to its end. Bytes that begin no item are kept after them.
//!
//! Source: [`marathon-sounds-patch.md`](formats::marathon_sounds_patch).

use field::macros::split_head;
use field::record;
use field::walk::size;
use field::{Block, DescribedIn, FourCc, Label, Result, Run, Tape, U16be, U32be, lay};
use kind::{Container, Format, Game, binrw_over_lay};
use lint::no_traps;

use super::super::names::SoundIndex;
use super::file::{Definition, Group};

/// The tag of an item.
const TAG: FourCc = FourCc(*b"sndc");

record! {
    /// The header of an item, 8 bytes. Source: `marathon-sounds-patch.md`, section 1.
    pub struct PatchItemHeader: 8 {
        tag: FourCc = TAG,
        zero04: U16be = 0,
        /// Sounds from 215 onward belong to the second source.
        index: SoundIndex,
    }
}

/// A replacement for a sound.
#[derive(Clone, Debug, Default)]
pub struct PatchItem {
    /// Index of the sound.
    pub head: PatchItemHeader,
    /// The properties of the sound.
    pub definition: Definition,
    /// The length of each of its sounds.
    pub sizes: Block<U32be>,
    /// Its sounds.
    pub group: Group,
}

/// A patch of sounds.
#[derive(Clone, Debug, Default)]
pub struct SoundsPatch {
    /// The sounds.
    pub items: Vec<PatchItem>,
    /// Bytes after the last item.
    pub trailing: Block,
}

no_traps!(SoundsPatch);

lay! {
    impl Lay for SoundsPatch {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let mut nth = 0..;
            t.list_while("items", begins_item, at!(self.items), |t, item| {
                item.lay_by(t, nth.next().unwrap_or_default())
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    /// Lays out the item at index `nth`.
    impl LayBy<usize> for PatchItem {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, nth: usize) -> Result {
            let (mut rules, mut lengths) = (None, None);
            if let Some((size, each)) = t.from_sizes(|| Ok((size(&self.group)?, self.group.lengths()?)))? {
                t.computed("total_size", at!(self.definition.total_size), size)?;
                // The offset of the group in a sounds file is ignored.
                let rule = t.from_sizes(|| self.definition.by_rule(&each))?;
                rules = rule.map(|rule| Definition { group_offset: U32be::default(), ..rule });
                lengths = Some(each);
            }
            t.fields(at!(self.head))?;
            t.fields_by(at!(self.definition), rules.as_ref())?;
            let count = t.stated("permutations", self.definition.permutations)?;
            t.block("sizes", count, at!(self.sizes))?;
            let sizes = &self.sizes;
            t.expect("sizes", || {
                let lengths = lengths?;
                let agree = sizes.iter().map(|it| u64::from(it.get())).eq(lengths.iter().copied());
                (!agree).then(|| (format!("{lengths:?}").into(), format!("{sizes:?}").into()))
            });
            let length = t.stated("total_size", self.definition.total_size)?;
            t.entry(label(nth), length, at!(self.group))
        }
    }
}

/// Returns the name of the sounds of an item: its index.
fn label(nth: usize) -> Label {
    Label { listed: true, described_in: DescribedIn::Here, ..Label::role(&nth.to_string()) }
}

impl Container for SoundsPatch {
    type Content = Group;

    /// Returns the sounds of each item, named by its index.
    fn labeled(&self) -> Vec<(Label, &Group)> {
        self.items.iter().enumerate().map(|(nth, item)| (label(nth), &item.group)).collect()
    }
}

/// Returns `true` if an item begins here.
fn begins_item(t: &Tape<'_>) -> bool {
    t.peek(t.position(), SHORTEST).is_ok_and(|bytes| bytes.starts_with(&TAG.0))
}

/// Bytes of the shortest item, which silences a sound.
const SHORTEST: u64 = 72;

impl Format for SoundsPatch {
    const NAME: &'static str = "sounds-patch";
    const TITLE: &'static str = "sounds patch";
    const GAMES: &'static [Game] = &[Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.snpa"];

    /// Recognizes the tag of the first item, and its sounds, which lie inside the file.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let (head, rest): (PatchItemHeader, _) = split_head(file)?;
        let (definition, rest): (Definition, _) = split_head(rest)?;
        let count = usize::try_from(definition.permutations.get())
            .ok()
            .filter(|count| *count <= definition.permutation_offsets.len())?;
        let length = usize::try_from(definition.total_size.get()).ok()?.checked_add(count * size_of::<U32be>())?;
        (head.tag == TAG && length <= rest.len()).then(|| Self::GAMES.to_vec())
    }

    fn suits(file: &[u8]) -> bool {
        file.starts_with(&TAG.0)
    }
}

binrw_over_lay!(SoundsPatch);
