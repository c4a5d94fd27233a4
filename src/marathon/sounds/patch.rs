//! Patches of sounds, the chunk `SnPa` of a level.
//!
//! Source: `marathon-sounds.md`, section 4.

use crate::field::walk::size;
use crate::field::{Block, DescribedIn, Fault, FourCc, Label, Result, U16be, U32be, lay};
use crate::record;

use super::super::names::SoundIndex;
use super::file::{Definition, Group};

record! {
    /// The header of an item, 8 bytes. Source: `marathon-sounds.md`, section 4.
    pub struct PatchItemHeader: 8 {
        tag: FourCc = FourCc(*b"sndc"),
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
}

lay! {
    impl Lay for SoundsPatch {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let mut nth = 0..;
            t.list_while("items", |t| t.remaining() > 0, at!(self.items), |t, item| {
                item.lay_by(t, nth.next().unwrap_or_default())
            })
        }
    }

    /// Lays out the item at index `nth`.
    impl LayBy<usize> for PatchItem {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, nth: usize) -> Result {
            let mut rules = None;
            if let Some((size, lengths)) = t.from_sizes(|| Ok((size(&self.group)?, self.group.lengths()?)))? {
                t.computed("total_size", at!(self.definition.total_size), size)?;
                // The offset of the group in a sounds file is ignored.
                let rule = t.from_sizes(|| self.definition.by_rule(&lengths))?;
                rules = rule.map(|rule| Definition { group_offset: U32be::default(), ..rule });
            }
            t.fields(at!(self.head))?;
            if self.head.tag != PatchItemHeader::default().tag {
                let found = self.head.tag.text();
                return Err(t.error_in("tag", Fault::Unknown { found, expected: "sndc".to_owned() }));
            }
            t.fields_by(at!(self.definition), rules.as_ref())?;
            let count = t.stated("permutations", self.definition.permutations)?;
            t.block("sizes", count, at!(self.sizes))?;
            let lengths = t.rules(|| t.from_sizes(|| self.group.lengths()))?.flatten();
            let sizes = &self.sizes;
            t.expect("sizes", || {
                let lengths = lengths?;
                let agree = sizes.iter().map(|it| u64::from(it.get())).eq(lengths.iter().copied());
                (!agree).then(|| (format!("{lengths:?}").into(), format!("{sizes:?}").into()))
            });
            let length = t.stated("total_size", self.definition.total_size)?;
            let label = Label { listed: true, described_in: DescribedIn::Here, ..Label::role(&nth.to_string()) };
            t.entry(label, length, at!(self.group))
        }
    }
}
