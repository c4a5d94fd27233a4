//! Bits and numbers for the parts of a node and of a file.

use bitflags::Flags as _;

use field::U32;
use field::{flags, names};

flags! {
    /// The parts of a node. Source: `nwn-mdl.md`, section 4.
    pub struct NodeFlags(U32: u32) {
        /// The header, which every node has.
        HEADER = 1;
        /// A light.
        LIGHT = 2;
        /// An emitter.
        EMITTER = 4;
        /// A reference.
        REFERENCE = 0x10;
        /// A mesh.
        MESH = 0x20;
        /// A skin.
        SKIN = 0x40;
        /// An animated mesh.
        ANIM = 0x80;
        /// A danglymesh.
        DANGLY = 0x100;
        /// A walkmesh.
        AABB = 0x200;
    }
}

impl NodeFlags {
    /// The types of meshes.
    pub const MESH_TYPES: Self = Self(U32::new(0x3C0));

    /// Returns `true` if the size of every part is known and at most one type of mesh is set.
    pub(super) fn is_known(self) -> bool {
        let types = self.intersection(Self::MESH_TYPES).bits();
        Self::all().contains(self) && (types == 0 || types.is_power_of_two() && self.contains(Self::MESH))
    }
}

names! {
    /// The contents of a piece of a section. Pieces from [`WEIGHTS`](Self::WEIGHTS) onward are in the raw data.
    pub struct PieceKind(U8: u8) {
        /// The header of the model.
        MODEL = 0;
        /// The table of animations.
        ANIMATIONS = 1;
        /// The header of an animation.
        ANIMATION = 2;
        /// The events of an animation.
        EVENTS = 3;
        /// A node with all its parts of fixed size.
        NODE = 4;
        /// The table of children.
        CHILDREN = 5;
        /// Controllers.
        KEYS = 6;
        /// Values of controllers.
        DATA = 7;
        /// The table of names of lens flares.
        FLARES = 8;
        /// The name of a lens flare.
        FLARE = 9;
        /// Sizes of lens flares.
        FLARE_SIZES = 10;
        /// Positions of lens flares.
        FLARE_POSITIONS = 11;
        /// Color shifts of lens flares.
        FLARE_SHIFTS = 12;
        /// The slot of each node in a skin.
        MAP = 13;
        /// Inverse rotations of bones.
        ROTATIONS = 14;
        /// Inverse translations of bones.
        TRANSLATIONS = 15;
        /// A leftover word per bone.
        CONSTANTS = 16;
        /// Sets of vertices.
        ANIM_VERTICES = 17;
        /// Sets of texture coordinates.
        ANIM_COORDINATES = 18;
        /// The range of movement of each vertex.
        CONSTRAINTS = 19;
        /// An entry of an AABB tree.
        BOX = 20;
        /// Faces.
        FACES = 21;
        /// The lengths of the index lists.
        LIST_COUNTS = 22;
        /// The pointers to the index lists.
        LISTS = 23;
        /// Bytes of the model data without an owner.
        GAP = 31;
        /// Weights of vertices in a skin.
        WEIGHTS = 32;
        /// Bone slots of vertices in a skin.
        SLOTS = 33;
        /// Positions of vertices.
        VERTICES = 34;
        /// The first set of texture coordinates.
        COORDINATES_0 = 35;
        /// The second set of texture coordinates.
        COORDINATES_1 = 36;
        /// The third set of texture coordinates.
        COORDINATES_2 = 37;
        /// The fourth set of texture coordinates.
        COORDINATES_3 = 38;
        /// Normals of vertices.
        NORMALS = 39;
        /// Colors of vertices.
        COLORS = 40;
        /// The first of six streams of unknown type.
        STREAM_0 = 41;
        /// The second stream of unknown type.
        STREAM_1 = 42;
        /// The third stream of unknown type.
        STREAM_2 = 43;
        /// The fourth stream of unknown type; tangents in files of the Enhanced Edition, three floats per vertex (`nwn-mdl.md`, section 4.5).
        STREAM_3 = 44;
        /// The fifth stream of unknown type.
        STREAM_4 = 45;
        /// The sixth stream of unknown type; signs of bitangents in files of the Enhanced Edition, one float per vertex.
        STREAM_5 = 46;
        /// An index list.
        LIST = 47;
        /// Bytes of the raw data without an owner.
        RAW_GAP = 63;
    }
}

impl PieceKind {
    /// The sets of texture coordinates.
    pub const COORDINATES: [Self; 4] =
        [Self::COORDINATES_0, Self::COORDINATES_1, Self::COORDINATES_2, Self::COORDINATES_3];
    /// The streams of unknown type.
    pub const STREAMS: [Self; 6] =
        [Self::STREAM_0, Self::STREAM_1, Self::STREAM_2, Self::STREAM_3, Self::STREAM_4, Self::STREAM_5];

    /// Returns `true` if each of its items is a piece.
    #[inline]
    pub(super) fn has_items(self) -> bool {
        matches!(self, Self::FLARE | Self::BOX | Self::LIST)
    }

    /// Returns `true` if it is in the raw data.
    #[must_use]
    #[inline]
    pub const fn is_raw(self) -> bool {
        self.get() >= Self::WEIGHTS.get()
    }

    /// Returns the null pointer: 0 in the model data, where the header begins, and -1 in the raw data.
    #[must_use]
    #[inline]
    pub const fn null(self) -> u32 {
        if self.is_raw() { u32::MAX } else { 0 }
    }

    /// Returns `true` if it belongs to a model or an animation, not to a node.
    pub(super) fn is_of_model(self) -> bool {
        matches!(self, Self::MODEL | Self::ANIMATIONS | Self::ANIMATION | Self::EVENTS)
    }
}

/// Kinds of pieces, a bit for each. As an iterator, it returns them in the order of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds(u64);

impl Kinds {
    /// The number of kinds before [`PieceKind::FLARES`]. In the order of the walk, they come last: the children of a node and its controllers.
    const LAST: u32 = 8;
    /// All kinds.
    pub(super) const ALL: Self = Self(u64::MAX);
    /// No kinds.
    pub(super) const NONE: Self = Self(0);
    /// The parts of a light.
    pub(super) const LIGHT: Self = Self::new(PieceKind::FLARES, PieceKind::FLARE_SHIFTS);
    /// The parts of a skin.
    pub(super) const SKIN: Self =
        Self::new(PieceKind::MAP, PieceKind::CONSTANTS).and(Self::new(PieceKind::WEIGHTS, PieceKind::SLOTS));
    /// The streams of a mesh.
    pub(super) const STREAMS: Self = Self::new(PieceKind::VERTICES, PieceKind::STREAM_5);
    /// The other parts of a mesh of any type.
    pub(super) const MESH: Self =
        Self::new(PieceKind::FACES, PieceKind::LISTS).and(Self::new(PieceKind::LIST, PieceKind::LIST));
    /// The parts of every node.
    pub(super) const NODE: Self = Self::new(PieceKind::CHILDREN, PieceKind::DATA);

    /// Returns the kinds from one to another, or none if there is no bit for the last one: a document can store any number.
    pub(super) const fn new(first: PieceKind, last: PieceKind) -> Self {
        if last.get() > PieceKind::RAW_GAP.get() || first.get() > last.get() {
            return Self::NONE;
        }
        let kinds = u64::MAX >> (63 - (last.get() - first.get())) << first.get();
        Self(kinds.rotate_right(Self::LAST))
    }

    /// Returns `true` if a kind is one of these.
    pub(super) const fn has(self, kind: PieceKind) -> bool {
        self.0 & Self::new(kind, kind).0 != 0
    }

    /// Returns these kinds and others.
    pub(super) const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns these kinds, or none.
    pub(super) const fn only_if(self, holds: bool) -> Self {
        if holds { self } else { Self::NONE }
    }
}

impl Iterator for Kinds {
    type Item = PieceKind;

    #[inline]
    fn next(&mut self) -> Option<PieceKind> {
        if self.0 == 0 {
            return None;
        }
        let next = (self.0.trailing_zeros() + Self::LAST) % 64;
        self.0 &= self.0 - 1;
        u8::try_from(next).ok().map(PieceKind::new)
    }
}

flags! {
    /// The things that a structure can point to.
    pub struct Things(U32: u32) {
        /// Animations of a model.
        ANIMATIONS = 1;
        /// Events of an animation.
        EVENTS = 2;
        /// Children of a node.
        CHILDREN = 4;
        /// Controllers of a node.
        KEYS = 8;
        /// Values of the controllers.
        DATA = 0x10;
        /// Lens flares of a light.
        FLARES = 0x20;
        /// Sizes of the lens flares.
        FLARE_SIZES = 0x40;
        /// Positions of the lens flares.
        FLARE_POSITIONS = 0x80;
        /// Color shifts of the lens flares.
        FLARE_SHIFTS = 0x100;
        /// Faces of a mesh.
        FACES = 0x200;
        /// Lengths of the index lists.
        LIST_COUNTS = 0x400;
        /// Pointers to the index lists.
        LISTS = 0x800;
        /// Positions of vertices.
        VERTICES = 0x1000;
        /// The first set of texture coordinates.
        COORDINATES_0 = 0x2000;
        /// The second set of texture coordinates.
        COORDINATES_1 = 0x4000;
        /// The third set of texture coordinates.
        COORDINATES_2 = 0x8000;
        /// The fourth set of texture coordinates.
        COORDINATES_3 = 0x1_0000;
        /// Normals.
        NORMALS = 0x2_0000;
        /// Colors.
        COLORS = 0x4_0000;
        /// All six streams of unknown type.
        STREAMS = 0x8_0000;
        /// Weights of a skin.
        WEIGHTS = 0x10_0000;
        /// Bone slots of a skin.
        SLOTS = 0x20_0000;
        /// The slot of each node in a skin.
        MAP = 0x40_0000;
        /// Inverse rotations.
        ROTATIONS = 0x80_0000;
        /// Inverse translations.
        TRANSLATIONS = 0x100_0000;
        /// A leftover word per bone.
        CONSTANTS = 0x200_0000;
        /// Sets of vertices of an animated mesh.
        ANIM_VERTICES = 0x400_0000;
        /// Sets of texture coordinates of an animated mesh.
        ANIM_COORDINATES = 0x800_0000;
        /// The range of movement of each vertex of a danglymesh.
        CONSTRAINTS = 0x1000_0000;
        /// The AABB tree.
        BOXES = 0x2000_0000;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_contain_those_from_the_first_to_the_last_and_no_unknown_ones() {
        for number in 0..=u8::MAX {
            let kind = PieceKind::new(number);
            let is_part = (8..=12).contains(&number);
            assert_eq!(Kinds::LIGHT.has(kind), is_part, "{number}");
            assert_eq!(Kinds::ALL.has(kind), number < 64, "{number}");
            assert_eq!(Kinds::new(kind, kind).next(), (number < 64).then_some(kind), "{number}");
            assert!(!Kinds::NONE.has(kind), "{number}");
        }
        assert!(Kinds::new(PieceKind::SLOTS, PieceKind::WEIGHTS).next().is_none(), "the last is before the first");
    }
}
