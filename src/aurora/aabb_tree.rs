//! AABB trees, which the game uses to find the face under a creature.

use field::record;
use field::{Fault, I32, Result, U8, U32, lay, wide};

use super::Vec3;
use super::flags::{PieceKind, Things};
use super::pointers::{Binder, Empties};

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
}

impl AabbTree {
    pub(super) fn bind(&mut self, empties: &mut Empties, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        let (root, entries) = (&mut self.head.root_at, wide(self.entries.len()));
        let boxes = match (b.sized(), b.fills()) {
            (false, _) => u64::from(root.get() != 0),
            (_, false) => entries,
            _ => entries.min(1),
        };
        b.pointer(empties, Things::BOXES, (PieceKind::BOX, 0), root, boxes * Entry::SIZE)?;
        if b.fills() { self.link(b) } else { Ok(()) }
    }

    /// Computes the pointers between the entries.
    fn link(&mut self, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        for entry in &mut self.entries {
            (entry.head.left_at, entry.head.right_at) = (U32::default(), U32::default());
        }
        // The halves without an entry so far, the next one last: the index of the parent, and whether it is the left half.
        let mut waiting: Vec<(usize, bool)> = Vec::new();
        for index in 0..self.entries.len() {
            let mut pointer = U32::default();
            if index > 0 {
                b.pointer(&mut Empties::default(), Things::BOXES, (PieceKind::BOX, index), &mut pointer, Entry::SIZE)?;
                let parent = waiting.pop().and_then(|(parent, left)| Some((self.entries.get_mut(parent)?, left)));
                match parent {
                    Some((parent, true)) => parent.head.left_at = pointer,
                    Some((parent, false)) => parent.head.right_at = pointer,
                    None => return Err(Fault::Count { expected: wide(index), found: wide(self.entries.len()) }),
                }
            }
            if let Some([left, right]) = self.entries.get(index).map(Entry::halves) {
                waiting.extend(right.then_some((index, false)));
                waiting.extend(left.then_some((index, true)));
            }
        }
        match waiting.len() {
            0 => Ok(()),
            more => {
                let found = wide(self.entries.len());
                Err(Fault::Count { expected: found + wide(more), found })
            }
        }
    }
}
