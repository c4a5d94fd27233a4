//! Trees of boxes, by which the game finds the face that is walked on.

use crate::field::{Fault, I32, Result, U8, U32, lay, wide};
use crate::record;

use super::Vec3;
use super::place::{Binder, Empties, Part, Things, Way};

record! {
    /// Where the tree is, 4 bytes behind the mesh. Source: `nwn-mdl.md`, section 4.9.
    pub struct BoxesHead: 4 {
        root_at: U32 as Outside,
    }
}

record! {
    /// A box, 40 bytes. Source: `nwn-mdl.md`, section 4.9.
    pub struct BoxHead: 40 {
        min: Vec3 as Derived,
        max: Vec3 as Derived,
        left_at: U32 as Outside,
        right_at: U32 as Outside,
        /// The face in it; -1 where there are others in it.
        face: I32,
        /// The direction in which it is cut: 1, 2, 4; 0 where there is a face in it.
        plane: U32,
    }
}

/// A box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// What it holds.
    pub head: BoxHead,
    /// Whether there is a left one (1) and a right one (2) in it, where that is not as its face says.
    pub unusual: U8,
}

/// A tree of boxes in preorder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boxes {
    pub(super) head: BoxesHead,
    /// The boxes, each before those that are in it, the left one first.
    pub entries: Vec<Entry>,
}

impl Entry {
    /// Bytes of a box.
    pub(super) const SIZE: u64 = 40;

    /// Whether there are boxes in it by its face: both or none.
    fn usual(&self) -> u8 {
        if self.head.face.get() == -1 { 3 } else { 0 }
    }

    /// Whether there is a left one in it, and a right one.
    pub(super) fn halves(&self) -> [bool; 2] {
        let halves = self.usual() ^ self.unusual.get();
        [halves & 1 != 0, halves & 2 != 0]
    }

    /// Sets whether there is a left one in it, and a right one.
    pub(super) fn set_halves(&mut self, [left, right]: [bool; 2]) {
        self.unusual.set(self.usual() ^ (u8::from(left) | (u8::from(right) << 1)));
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

impl Boxes {
    pub(super) fn bind(&mut self, empties: &mut Empties, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        let root = &mut self.head.root_at;
        if !b.sized() {
            if matches!(b.way, Way::Check) && root.get() > 0 {
                // How many boxes there are is not told: they have to be followed.
                return Err(Fault::Outside { found: root.get().into(), expected: "0".into() });
            }
            let bytes = if root.get() == 0 { 0 } else { Entry::SIZE };
            return b.pointer(empties, Things::BOXES, (Part::BOX, 0), root, bytes);
        }
        let bytes = if self.entries.is_empty() { 0 } else { Entry::SIZE };
        b.pointer(empties, Things::BOXES, (Part::BOX, 0), root, bytes)?;
        for entry in &mut self.entries {
            (entry.head.left_at, entry.head.right_at) = (U32::default(), U32::default());
        }
        self.link(b)
    }

    /// Makes the boxes point to one another.
    fn link(&mut self, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        // Which half of which box each is.
        let mut waiting: Vec<(usize, bool)> = Vec::new();
        for index in 0..self.entries.len() {
            let mut pointer = U32::default();
            if index > 0 {
                b.pointer(&mut Empties::default(), Things::BOXES, (Part::BOX, index), &mut pointer, Entry::SIZE)?;
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
                Err(Fault::Count { expected: found.saturating_add(wide(more)), found })
            }
        }
    }
}
