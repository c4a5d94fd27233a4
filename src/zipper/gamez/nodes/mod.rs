//! Nodes: an array of slots, then the data of each, in slot order.
//!
//! | part | bytes |
//! |---|---|
//! | slots: a [`Base`] and a word after it | 196 Recoil (268 in the demos of 1998), 212 later |
//! | for each slot the data of its [`Class`], its parents, its children | |
//!
//! In Recoil and MechWarrior 3 the array is the whole pool. The word of a used slot is the offset of its data; the word of a
//! free slot is the next free slot. Slots that were never used are at the end of the array. Later games write only used
//! slots, with the previous word of the slot in the pool. Parents and children are independent of one another.
//!
//! Source: [`zipper-nodes.md`](formats::zipper_nodes).

mod base;
mod camera;
mod cell;
mod class;
mod extent;
mod light;
mod lod;
mod object;
mod ownership;
mod screen;
mod tree;
mod world;

pub use base::{
    ActiveBox, Around, Base, FreeNodeMw, FreeNodeRc, FreeNodeRcDemo, NodeClass, NodeEnd, NodeFlags, NodeHeader,
    NodeHeaderCs, NodePlace, NodePlacePm, NodePlaceRc, Parents, Ruled, UpdateFlags,
};
pub use camera::Camera;
pub use cell::{Cell, CellEndMw, CellEndPm, CellHeader, CellNode, InCell};
pub use class::{Class, Sound, SoundHeader};
pub use extent::{NodeBox, NodeBoxes, NodeCorners, NodeExtent, StaleCorners};
pub use light::{
    LightFlagsCs, LightFlagsMw, LightFlagsPm, LightKinds, LightMix, LightPose, LightRange, LightRangeCs, LightRangeMw,
    LightRangePm, LightRangeRc, LightRecalc, LightTint, Sun,
};
pub use lod::{Lod, LodPm, LodRc};
pub use object::{Object, ObjectFlags, ObjectHeader, ObjectMatrices, ObjectTranslate};
pub use ownership::Ownership;
pub use screen::{Display, Window};
pub use world::{
    LastCells, World, WorldArea, WorldBorder, WorldFlags, WorldGrid, WorldPartition, WorldRange, WorldRangeCs,
};

use field::record;
use field::{Block, I32, Integer as _, Judge, Place, Result, Truth, U32, lay, wide};

use super::free::{broken_list, first_free};
use super::games::Layouts;
use super::models::{Next as _, slots_ahead};
use super::pool::Pool;

/// The end of a free list: -1 in 24 bits.
pub(super) const END: u32 = 0x00FF_FFFF;

record! {
    /// The word after a used slot of a pool, 4 bytes. Source: `zipper-nodes.md`, section 1.2.
    pub struct NodeOffset: 4 {
        /// The offset of the node's data in the file, modulo 2^24; the other bits are 0 in files.
        data_offset: U32 as Outside,
    }
}

record! {
    /// The word after a slot from Pirate's Moon onward, 4 bytes. Source: `zipper-nodes.md`, section 1.3.
    pub struct NodeGarbage: 4 {
        /// The link that the slot had in the pool before it was used.
        link: U32 as Stale,
    }
}

/// The word after the record in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// The offset of the data.
    Data(NodeOffset),
    /// The next free slot.
    Next(U32),
    /// Leftover memory.
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
    /// The word after the record.
    pub link: Link,
    /// The data of its class.
    pub class: Class<G>,
    /// The parents of the node.
    pub parents: Block<I32>,
    /// The children of the node.
    pub children: Block<I32>,
    /// The offset of its data when they were last laid out.
    data_at: u64,
}

/// The node section.
#[derive(Clone, Debug, Default)]
pub struct Nodes<G: Layouts> {
    /// The slots up to the last one that was ever used.
    pub slots: Vec<Node<G>>,
    /// The slots after them.
    pub free: Block<G::FreeNode>,
    /// From Pirate's Moon onward: `true` if the stale addresses of data are their offsets in the file.
    pub data_offsets: Truth,
}

impl<G: Layouts> Nodes<G> {
    /// The size of a slot in bytes.
    pub(super) const SLOT: usize = Base::<G>::SIZE + size_of::<U32>();

    /// Returns the number of slots.
    pub(super) fn size(&self) -> u64 {
        wide(self.slots.len()) + wide(self.free.len())
    }

    /// Returns `true` if the stale addresses of data are the offsets at which they were laid out.
    fn are_data_offsets(&self) -> bool {
        let mut used = self.slots.iter().filter(|node| node.base.head.is_used()).peekable();
        let told = |node: &Node<G>| u64::from(node.base.head.data_ptr.get()) == node.data_at;
        !G::NODE_POOL && used.peek().is_some() && used.all(told)
    }

    /// Reports a free list of a pool that does not include all free slots.
    pub(super) fn judge_free_list(&self, t: &mut Judge<'_>, head: U32) {
        if !G::NODE_POOL {
            return;
        }
        t.expect("node_free_head", || {
            let broken = broken_list(&self.free_slots(), head.get(), END)?;
            Some(("a list of all free slots".into(), broken.into()))
        });
    }

    /// Returns the slot at which the free list begins if its links are right.
    pub(super) fn first_free(&self) -> Option<u32> {
        first_free(&self.free_slots(), END).filter(|_| G::NODE_POOL)
    }

    /// Returns the slots as a pool whose free list has this head.
    pub(super) fn pool(&self, head: u32) -> Pool {
        Pool::of(self.free_slots(), self.slots.len(), head, END)
    }

    /// Returns for each slot the next free one, or `None` if it is in use.
    fn free_slots(&self) -> Vec<Option<u32>> {
        let slots = self.slots.iter().map(|it| if let Link::Next(next) = it.link { Some(next.get()) } else { None });
        slots.chain(self.free.iter().map(|slot| Some(slot.next()))).collect()
    }
}

lay! {
    impl<G: Layouts> LayBy<u64> for Nodes<G> {
        /// Lays out the section; in read mode it has `size` slots.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, size: u64) -> Result {
            t.fact("data_offsets", at!(self.data_offsets))?;
            let [used, free] = match t.seen(|t| slots_ahead(t, size, Self::SLOT, is_virgin)) {
                Some(found) => found?,
                None => [self.slots.len(), self.free.len()].map(wide),
            };
            let data_offsets = bool::from(self.data_offsets);
            t.list("slots", used, wide(Self::SLOT), at!(self.slots), |t, node| node.lay_by(t, data_offsets))?;
            t.block("free", free, at!(self.free))?;
            t.each("slots", at!(self.slots), |t, node| {
                t.begins(at!(node.data_at))?;
                node_data(t, node)
            })?;
            t.read(at!(*self), |nodes, _| {
                nodes.data_offsets = nodes.are_data_offsets().into();
                Ok(())
            })
        }
    }

    impl<G: Layouts> LayBy<bool> for Node<G> {
        /// Lays out the slot of a node; `data_offset` is `true` if its stale address is the offset of its data.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, data_offset: bool) -> Result {
            let Self { base, link, class, parents, children, data_at } = self;
            if data_offset && base.head.is_used() {
                let was = base.head;
                t.computed("data_ptr", at!(base.head.data_ptr), *data_at)?;
                t.report_replaced(Place::clone, &was, &base.head);
            }
            base.lay_by(t, Around::of(Parents::Listed(wide(parents.len())), wide(children.len()), class))?;
            t.choose(class, |_| Class::of(base.head.class));
            t.choose(at!(*link), |_| base.head.link::<G>());
            match link {
                Link::Data(data) => {
                    let rule = U32::of(*data_at & u64::from(END));
                    t.fields_ruled(data, |data| NodeOffset { data_offset: rule.unwrap_or(data.data_offset) })
                }
                Link::Next(next) => t.value("next_free", next),
                Link::Garbage(garbage) => t.fields(garbage),
            }
        }
    }

    /// Lays out the data of a node, as much as its record states.
    fn node_data<G: Layouts>(t: &mut Tape<'_>, node: at!(Node<G>)) -> Result {
        let Node { base, class, parents, children, .. } = node;
        class.lay(t)?;
        let [parent_count, child_count] = base.place.stated(|name, count| t.stated(name, count))?;
        t.block("parents", parent_count, parents)?;
        t.block("children", child_count, children)
    }
}

/// Returns `true` if a slot was never used: all zeros except for the model, which is -1.
fn is_virgin(slot: &[u8]) -> bool {
    let Some((head, rest)) = slot.split_at_checked(60) else { return false };
    rest.starts_with(&[0xFF; 4]) && head.iter().chain(rest.iter().skip(4)).all(|&byte| byte == 0)
}
