//! What can be pointed to, where it lies, and pointers of things that are empty.
//!
//! A pointer says what the walk says, so none is kept. But of something empty a pointer says nothing: one of the two
//! programs that compiled models made it null, the other let it point to where the thing would have been, the *cursor*
//! (`nwn-mdl.md`, section 5.3). Which of them is a fact of the model.

use std::collections::HashMap;

use bitflags::Flags as _;

use crate::field::{Fault, Result, U32, lay};
use crate::{flags, names};

names! {
    /// What can lie in a section as one piece. Those from [`WEIGHTS`](Self::WEIGHTS) on lie in the raw data.
    pub struct Part(U8: u8) {
        /// The header of the model.
        MODEL = 0;
        /// The table of animations.
        ANIMATIONS = 1;
        /// The header of an animation.
        ANIMATION = 2;
        /// The events of an animation.
        EVENTS = 3;
        /// A node with everything of fixed size in it.
        NODE = 4;
        /// The table of children.
        CHILDREN = 5;
        /// Controllers.
        KEYS = 6;
        /// Values of controllers.
        DATA = 7;
        /// The table of names of lens flares.
        FLARES = 8;
        /// A name of a lens flare.
        FLARE = 9;
        /// Sizes of lens flares.
        FLARE_SIZES = 10;
        /// Positions of lens flares.
        FLARE_POSITIONS = 11;
        /// Colour shifts of lens flares.
        FLARE_SHIFTS = 12;
        /// The slot of each node in a skin.
        MAP = 13;
        /// Inverse rotations of bones.
        ROTATIONS = 14;
        /// Inverse translations of bones.
        TRANSLATIONS = 15;
        /// What stands for each bone.
        CONSTANTS = 16;
        /// Sets of vertices.
        ANIM_VERTICES = 17;
        /// Sets of texture coordinates.
        ANIM_COORDINATES = 18;
        /// How far each vertex dangles.
        CONSTRAINTS = 19;
        /// A box of a tree of boxes.
        BOX = 20;
        /// Faces.
        FACES = 21;
        /// How long the index lists are.
        LIST_COUNTS = 22;
        /// Where the index lists are.
        LISTS = 23;
        /// Bytes of the model data that nobody owns.
        GAP = 31;
        /// Weights of vertices in a skin.
        WEIGHTS = 32;
        /// Bone slots of vertices in a skin.
        SLOTS = 33;
        /// Positions of vertices.
        VERTICES = 34;
        /// The first set of texture coordinates.
        COORDINATES_0 = 35;
        /// The second.
        COORDINATES_1 = 36;
        /// The third.
        COORDINATES_2 = 37;
        /// The fourth.
        COORDINATES_3 = 38;
        /// Normals of vertices.
        NORMALS = 39;
        /// Colours of vertices.
        COLOURS = 40;
        /// The first of six streams of which little is known.
        STREAM_0 = 41;
        /// The second.
        STREAM_1 = 42;
        /// The third.
        STREAM_2 = 43;
        /// The fourth; tangents, say tools for the Enhanced Edition.
        STREAM_3 = 44;
        /// The fifth.
        STREAM_4 = 45;
        /// The sixth; bitangents, say the same.
        STREAM_5 = 46;
        /// An index list.
        LIST = 47;
        /// Bytes of the raw data that nobody owns.
        RAW_GAP = 63;
    }
}

impl Part {
    /// The sets of texture coordinates.
    pub const COORDINATES: [Self; 4] =
        [Self::COORDINATES_0, Self::COORDINATES_1, Self::COORDINATES_2, Self::COORDINATES_3];
    /// The streams of which little is known.
    pub const STREAMS: [Self; 6] =
        [Self::STREAM_0, Self::STREAM_1, Self::STREAM_2, Self::STREAM_3, Self::STREAM_4, Self::STREAM_5];

    /// Whether it lies in the raw data.
    #[must_use]
    pub const fn is_raw(self) -> bool {
        self.get() >= Self::WEIGHTS.get()
    }

    /// What a pointer to nothing is: in the model data 0, where the header lies, in the raw data -1.
    #[must_use]
    pub const fn null(self) -> u32 {
        if self.is_raw() { u32::MAX } else { 0 }
    }
}

flags! {
    /// What a structure points to.
    pub struct Things(U32: u32) {
        /// Animations of a model.
        ANIMATIONS = 1;
        /// Events of an animation.
        EVENTS = 2;
        /// Children of a node.
        CHILDREN = 4;
        /// Its controllers.
        KEYS = 8;
        /// Their values.
        DATA = 0x10;
        /// Lens flares of a light.
        FLARES = 0x20;
        /// Their sizes.
        FLARE_SIZES = 0x40;
        /// Their positions.
        FLARE_POSITIONS = 0x80;
        /// Their colour shifts.
        FLARE_SHIFTS = 0x100;
        /// Faces of a mesh.
        FACES = 0x200;
        /// How long its index lists are.
        LIST_COUNTS = 0x400;
        /// Where they are.
        LISTS = 0x800;
        /// Positions.
        VERTICES = 0x1000;
        /// Texture coordinates.
        COORDINATES_0 = 0x2000;
        /// Texture coordinates.
        COORDINATES_1 = 0x4000;
        /// Texture coordinates.
        COORDINATES_2 = 0x8000;
        /// Texture coordinates.
        COORDINATES_3 = 0x1_0000;
        /// Normals.
        NORMALS = 0x2_0000;
        /// Colours.
        COLOURS = 0x4_0000;
        /// Any of the six streams of which little is known.
        STREAMS = 0x8_0000;
        /// Weights of a skin.
        WEIGHTS = 0x10_0000;
        /// Its bone slots.
        SLOTS = 0x20_0000;
        /// The slot of each node in it.
        MAP = 0x40_0000;
        /// Inverse rotations.
        ROTATIONS = 0x80_0000;
        /// Inverse translations.
        TRANSLATIONS = 0x100_0000;
        /// What stands for each bone.
        CONSTANTS = 0x200_0000;
        /// Sets of vertices of an anim mesh.
        ANIM_VERTICES = 0x400_0000;
        /// Its sets of texture coordinates.
        ANIM_COORDINATES = 0x800_0000;
        /// How far vertices dangle.
        CONSTRAINTS = 0x1000_0000;
        /// The tree of boxes.
        BOXES = 0x2000_0000;
    }
}

/// What a structure says of things that it need not say anything of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Empties {
    /// Empty things whose pointers point to where they would be.
    pub at_cursor: Things,
    /// Empty things whose pointers are neither that nor null: they are kept in the record.
    pub stray: Things,
    /// Things of which more or less is allocated than used, or which are counted and not there: that is kept in the record.
    pub miscounted: Things,
}

impl Empties {
    /// Whether the record holds something that does not follow from the model.
    #[must_use]
    pub fn odd(&self) -> bool {
        !self.stray.is_empty() || !self.miscounted.is_empty()
    }
}

lay! {
    impl Lay for Empties {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("at_cursor", at!(self.at_cursor))?;
            t.fact("stray", at!(self.stray))?;
            t.fact("miscounted", at!(self.miscounted))
        }
    }
}

/// Who owns a piece: the geometry (0) or an animation (its index and one), the node in preorder, what of it, and which.
pub(super) type Owner = (usize, usize, u8, usize);

/// What is done with pointers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way<'a> {
    /// They were read, and must say what the walk says.
    Check,
    /// They were read, and may say anything.
    Strip,
    /// They are made to say what the walk says.
    Fill,
    /// They are made to say where things have come to lie.
    Place(&'a HashMap<Owner, u64>),
    /// They were read, and lead to what is to be found.
    Collect,
    /// They were read in a file that turned out to lie as the walk goes: strays that say so are cursors.
    Sort,
}

/// What goes through the pointers of a structure, and where the walk is in both sections.
#[derive(Debug)]
pub(super) struct Binder<'a> {
    pub(super) way: Way<'a>,
    pub(super) model: u64,
    pub(super) raw: u64,
    /// Tree and node.
    pub(super) owner: (usize, usize),
    /// What they lead to: of which part, where, how many bytes.
    pub(super) found: Vec<(Part, u32, u64)>,
}

impl<'a> Binder<'a> {
    /// A binder where the walk is in both sections.
    pub(super) fn new(way: Way<'a>, model: u64, raw: u64) -> Self {
        Self { way, model, raw, owner: (0, 0), found: Vec::new() }
    }

    /// Whether sizes are those of the model, not those that records tell.
    pub(super) fn sized(&self) -> bool {
        matches!(self.way, Way::Fill | Way::Place(_) | Way::Sort)
    }

    /// Whether counts are filled in.
    pub(super) fn fills(&self) -> bool {
        matches!(self.way, Way::Fill | Way::Place(_))
    }

    pub(super) fn cursor(&mut self, part: Part) -> &mut u64 {
        if part.is_raw() { &mut self.raw } else { &mut self.model }
    }

    /// One pointer to so many bytes; of which item of its kind, where there are several.
    pub(super) fn pointer(
        &mut self,
        empties: &mut Empties,
        thing: Things,
        (part, item): (Part, usize),
        pointer: &mut U32,
        bytes: u64,
    ) -> core::result::Result<(), Fault> {
        let (found, cursor) = (pointer.get(), *self.cursor(part));
        if bytes == 0 {
            match self.way {
                _ if self.fills() => {
                    if matches!(self.way, Way::Fill) && empties.at_cursor.contains(thing) {
                        *pointer = offset(cursor)?;
                    } else if !empties.stray.contains(thing) {
                        pointer.set(part.null());
                    }
                }
                Way::Collect => {}
                _ if found == part.null() => {}
                Way::Check | Way::Sort if u64::from(found) == cursor => {
                    empties.stray.remove(thing);
                    empties.at_cursor.insert(thing);
                }
                _ => empties.stray.insert(thing),
            }
            return Ok(());
        }
        match self.way {
            Way::Strip => return Ok(()),
            Way::Collect => {
                self.found.push((part, found, bytes));
                return Ok(());
            }
            Way::Check if u64::from(found) != cursor => {
                return Err(Fault::Outside { found: found.into(), expected: cursor.to_string() });
            }
            Way::Fill => *pointer = offset(cursor)?,
            Way::Place(places) => {
                let owner = (self.owner.0, self.owner.1, part.get(), item);
                let place = places.get(&owner).ok_or_else(|| Fault::Unknown {
                    found: "none".to_owned(),
                    expected: format!("a piece for {}", part.name().unwrap_or("a part")),
                })?;
                *pointer = offset(*place)?;
            }
            Way::Check | Way::Sort => {}
        }
        *self.cursor(part) = cursor.saturating_add(bytes);
        Ok(())
    }

    /// An array: pointer, how many entries of how many bytes are used, how many are allocated.
    pub(super) fn array(
        &mut self,
        empties: &mut Empties,
        thing: Things,
        part: Part,
        [pointer, used, allocated]: [&mut U32; 3],
        (entries, each): (u64, u64),
    ) -> core::result::Result<(), Fault> {
        if self.fills() {
            *used = offset(entries)?;
            if !empties.miscounted.contains(thing) {
                *allocated = *used;
            }
        } else if used != allocated && !matches!(self.way, Way::Collect) {
            empties.miscounted.insert(thing);
        }
        let entries = if self.sized() { entries } else { used.get().into() };
        self.pointer(empties, thing, (part, 0), pointer, entries.saturating_mul(each))
    }
}

/// Pointers or counts are not what they should be: the model was changed, and not settled.
pub(super) fn unsettled() -> Fault {
    let expected = "pointers, counts and part numbers that match the model".to_owned();
    Fault::Unknown { found: "others".to_owned(), expected }
}

/// An offset or a count as it is written.
pub(super) fn offset(value: u64) -> core::result::Result<U32, Fault> {
    u32::try_from(value).map(U32::new).map_err(|_| Fault::TooLarge { value, field: "u32" })
}
