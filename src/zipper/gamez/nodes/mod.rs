//! Nodes: an array of slots, then the data of each, in slot order.
//!
//! | part | bytes |
//! |---|---|
//! | slots: a [`Base`] and a word behind it | 196 Recoil, 212 later |
//! | for each slot what its [`Class`] has, its parents, its children | |
//!
//! In Recoil and MechWarrior 3 the array is the whole pool: the word says where the data of a used slot begin, and which
//! slot is free behind a free one; slots in which nothing ever was end the array. Later only used slots are written, with
//! what the word had been in the pool. Parents and children are independent of one another.
//!
//! Source: `zipper-nodes.md`.

mod base;
mod camera;
mod cell;
mod class;
mod light;
mod lod;
mod object;
mod screen;
mod tree;
mod world;

pub use base::{
    Base, FreeNodeMw, FreeNodeRc, NodeBoxes, NodeClass, NodeEnd, NodeFlags, NodeHead, NodePlace, NodePlacePm,
    NodePlaceRc, Parents, Ruled,
};
pub use camera::Camera;
pub use cell::{Cell, CellEndMw, CellEndPm, CellHead, CellNode};
pub use class::{Class, Sound, SoundHead};
pub use light::{LightKinds, LightMix, LightPose, LightRange, LightRangeMw, LightRangeRc, LightRecalc, LightTint, Sun};
pub use lod::{Lod, LodPm, LodRc};
pub use object::{Object, ObjectFlags};
pub use screen::{Display, Window};
pub use world::{LastCells, World, WorldArea, WorldBorder, WorldGrid, WorldPartition, WorldRange, WorldRangeCs};

use crate::field::{Block, I32, Place, Result, Step, Tape, Truth, U32, Whole as _, size, wide};
use crate::record;

use super::free::{broken_list, fields_ruled};
use super::games::Layouts;
use super::models::{Next as _, free_behind};

/// What a free list ends with: -1 in 24 bits.
const END: u32 = 0x00FF_FFFF;

record! {
    /// The word behind a used slot of a pool, 4 bytes. Source: `zipper-nodes.md`, section 1.2.
    pub struct NodeOffset: 4 {
        /// Where the data of the node begin in the file, modulo 2^24; the other bits are 0 in files.
        data_offset: U32 as Outside,
    }
}

record! {
    /// The word behind a slot from Pirate's Moon on, 4 bytes. Source: `zipper-nodes.md`, section 1.3.
    pub struct NodeGarbage: 4 {
        /// The link that the slot had in the pool before it was used.
        link: U32 as Stale,
    }
}

/// What stands behind the record in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// Where the data lie.
    Data(NodeOffset),
    /// The next free slot.
    Next(U32),
    /// Left-over memory.
    Garbage(NodeGarbage),
}

impl Default for Link {
    fn default() -> Self {
        Self::Garbage(NodeGarbage::default())
    }
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct Node<G: Layouts> {
    /// Its record.
    pub base: Base<G>,
    /// What stands behind the record.
    pub link: Link,
    /// What it is.
    pub class: Class<G>,
    /// The nodes that it hangs from.
    pub parents: Block<I32>,
    /// The nodes that hang from it.
    pub children: Block<I32>,
    /// Where its data began when they were laid last.
    data_at: u64,
}

/// The node section.
#[derive(Clone, Debug, Default)]
pub struct Nodes<G: Layouts> {
    /// The slots from the first to the last in which there ever was something.
    pub slots: Vec<Node<G>>,
    /// The slots behind them.
    pub free: Block<G::FreeNode>,
    /// From Pirate's Moon on: whether the stale addresses of data are their offsets in the file.
    pub data_offsets: Truth,
}

impl<G: Layouts> Nodes<G> {
    /// Bytes of a slot.
    pub(super) const SLOT: usize = Base::<G>::SIZE + size_of::<U32>();

    /// How many slots there are.
    pub(super) fn size(&self) -> u64 {
        wide(self.slots.len()).saturating_add(wide(self.free.len()))
    }

    /// Lays the section, of so many slots in read mode.
    pub(super) fn lay(&mut self, t: &mut Tape<'_>, size: u64) -> Result {
        t.fact("data_offsets", &mut self.data_offsets)?;
        let mut used = wide(self.slots.len());
        let mut free = wide(self.free.len());
        if t.reading() {
            t.room(size, wide(Self::SLOT))?;
            free = free_behind(t, size, Self::SLOT, is_virgin)?;
            used = size.saturating_sub(free);
        }
        if t.filling() && bool::from(self.data_offsets) {
            self.fill_data_offsets(t)?;
        }
        t.list("slots", used, wide(Self::SLOT), &mut self.slots, |t, node| {
            node.base.lay(t, Parents::Listed(wide(node.parents.len())), wide(node.children.len()))?;
            if t.building() {
                node.class = Class::of(node.base.head.class);
                node.link = node.base.head.link::<G>();
            }
            lay_link(t, &mut node.link, node.data_at)
        })?;
        t.block("free", free, &mut self.free)?;
        let mut are_offsets = !G::NODE_POOL;
        t.each("slots", &mut self.slots, |t, node| {
            node.data_at = t.position();
            are_offsets &= !node.base.head.is_used() || u64::from(node.base.head.data_ptr.get()) == node.data_at;
            node.lay_data(t)
        })?;
        if t.reading() {
            let any = self.slots.iter().any(|node| node.base.head.is_used());
            self.data_offsets = (are_offsets && any).into();
        }
        Ok(())
    }

    /// Makes what seem to be addresses of data say where they begin.
    fn fill_data_offsets(&mut self, t: &mut Tape<'_>) -> Result {
        let mut at = t.position().saturating_add(self.size().saturating_mul(wide(Self::SLOT)));
        for (index, node) in (0..).zip(&mut self.slots) {
            if node.base.head.is_used() {
                let was = node.base.head;
                t.fill("data_ptr", &mut node.base.head.data_ptr, at)?;
                let here = |here: &Place| here.with([Step::Name("slots"), Step::Index(index)]);
                t.tell(here, &was, &node.base.head);
            }
            at = at.saturating_add(size(|t| node.lay_data(t)));
        }
        Ok(())
    }

    /// Reports a free list of a pool that does not lead through all free slots.
    pub(super) fn judge_free_list(&self, t: &mut Tape<'_>, head: U32) {
        if !G::NODE_POOL {
            return;
        }
        t.expect("node_free_head", || {
            let slots =
                self.slots.iter().map(|node| if let Link::Next(next) = node.link { Some(next.get()) } else { None });
            let free: Vec<_> = slots.chain(self.free.iter().map(|slot| Some(slot.next()))).collect();
            Some(("a list of all free slots".into(), broken_list(&free, head.get(), END)?.into()))
        });
    }
}

impl<G: Layouts> Node<G> {
    /// Lays the data, as much as the record says.
    fn lay_data(&mut self, t: &mut Tape<'_>) -> Result {
        let Self { base, class, parents, children, .. } = self;
        class.lay(t)?;
        let told = base.place.counts();
        let told = if t.building() { told } else { [wide(parents.len()), wide(children.len())] };
        let [parent_count, child_count] = told;
        t.block("parents", parent_count, parents)?;
        t.block("children", child_count, children)
    }
}

/// Lays the word behind a slot whose data begin at an offset.
fn lay_link(t: &mut Tape<'_>, link: &mut Link, data_at: u64) -> Result {
    match link {
        Link::Data(data) => fields_ruled(t, data, |data| NodeOffset {
            data_offset: U32::of(data_at & u64::from(END)).unwrap_or(data.data_offset),
        }),
        Link::Next(next) => t.value("next_free", next),
        Link::Garbage(garbage) => t.fields(garbage),
    }
}

/// Whether a slot is one in which nothing ever was: zeros, and no model.
fn is_virgin(slot: &[u8]) -> bool {
    let Some((head, rest)) = slot.split_at_checked(60) else { return false };
    rest.starts_with(&[0xFF; 4]) && head.iter().chain(rest.iter().skip(4)).all(|&byte| byte == 0)
}
