//! AABB trees, which the game uses to find the face under a creature.

use field::record;
use field::{Fault, I32, Result, U8, U32, lay, wide};

use super::Vec3;
use super::flags::{PieceKind, Things};
use super::pointers::{Access, Binder, Part, Parts, Visited};

record! {
    /// The pointer to the tree, 4 bytes after the mesh. Source: `nwn-mdl.md`, section 4.9.
    pub struct AabbHeader: 4 {
        root_at: U32 as Outside,
    }
}

record! {
    /// A box, 40 bytes. Source: `nwn-mdl.md`, section 4.9.
    pub struct BoxHeader: 40 {
        min: Vec3 as Derived,
        max: Vec3 as Derived,
        left_at: U32 as Outside,
        right_at: U32 as Outside,
        /// The face in the box; -1 if the box contains two boxes.
        face: I32,
        /// The direction in which the box is divided: 1, 2, 4; 0 in a box with a face.
        plane: U32,
    }
}

/// An entry of an AABB tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// The box.
    pub head: BoxHeader,
    /// Bits for the left (1) and the right (2) box in it, each set if that does not match the face.
    pub unusual: U8,
}

/// An AABB tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AabbTree {
    pub(super) head: AabbHeader,
    /// The entries in preorder, the left half of a box first.
    pub entries: Vec<Entry>,
}

impl Entry {
    /// The size of a box in bytes.
    pub(super) const SIZE: u64 = 40;

    /// Returns the bits for both boxes that match the face.
    fn usual(&self) -> u8 {
        if self.head.face.get() == -1 { 3 } else { 0 }
    }

    /// Returns whether it contains a left and a right box.
    fn halves(&self) -> [bool; 2] {
        let halves = self.usual() ^ self.unusual.get();
        [halves & 1 != 0, halves & 2 != 0]
    }

    /// Infers the boxes in it from its pointers, and returns these, the left one first.
    pub(super) fn find_halves(&mut self) -> impl DoubleEndedIterator<Item = u64> + use<> {
        let halves = [self.head.left_at, self.head.right_at].map(U32::get);
        let [left, right] = halves.map(|half| u8::from(half != 0));
        self.unusual.set(self.usual() ^ (left | (right << 1)));
        halves.into_iter().filter(|&half| half != 0).map(u64::from)
    }
}

/// Lays out AABB trees.
pub(super) trait LayBoxes: Access {
    /// Computes the pointers between the boxes of a tree, or compares them.
    fn link(tree: Self::At<'_, AabbTree>, b: &mut Binder<'_>) -> Visited<Fault>;
}

lay! {
    impl Lay for Entry {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("unusual", at!(self.unusual))?;
            t.fields(at!(self.head))?;
            let unusual = self.unusual.get();
            t.expect("face", || (unusual != 0).then(|| ("two boxes in it or a face".into(), "something else".into())));
            Ok(())
        }
    }

    impl<'t> Parts<Tape<'t>> for AabbTree {
        fn part<'a: 'a>(it: at!('a Self), _: PieceKind, item: usize) -> Option<Part<'a, Tape<'t>>> {
            let AabbTree { head, entries } = it;
            let stated = if head.root_at.get() == 0 { 0 } else { Entry::SIZE };
            let length = if item < entries.len() { Entry::SIZE } else { 0 };
            let root = Part { length, ..Tape::vector((Things::BOXES, ""), at!(head.root_at), stated, None) };
            match (item, length) {
                (0, _) => Some(root),
                (_, 0) => None,
                _ => Some(Part { pointer: None, ..root }),
            }
        }
    }

    impl LayBoxes for Tape<'_> {
        fn link(tree: at!(AabbTree), b: &mut Binder<'_>) -> Visited<Fault> {
            let found = wide(tree.entries.len());
            // The pointers to boxes without an entry so far, the next one last.
            let mut waiting = Vec::new();
            for (index, entry) in at!(tree.entries).into_iter().enumerate() {
                if index > 0 {
                    let pointer = waiting.pop().ok_or(Fault::Count { expected: wide(index), found })?;
                    let place = b.place(PieceKind::BOX, index, b.boxes + wide(index) * Entry::SIZE)?;
                    b.put::<Self, _>(pointer, place);
                }
                let [left, right] = entry.halves();
                let BoxHeader { left_at, right_at, .. } = at!(entry.head);
                for (is_half, pointer) in [(right, right_at), (left, left_at)] {
                    if is_half {
                        waiting.push(pointer);
                    } else {
                        b.put::<Self, _>(pointer, U32::default());
                    }
                }
            }
            match wide(waiting.len()) {
                0 => Ok(()),
                more => Err(Fault::Count { expected: found + more, found }),
            }
        }
    }
}
