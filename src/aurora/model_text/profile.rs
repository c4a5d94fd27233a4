//! The programs that compiled models, and what each of them writes beside the values of a text.
//!
//! Source: `nwn-mdl-text.md`, section 1; `nwn-mdl.md`, sections 4.1 and 5.3.

use bitflags::Flags as _;

use crate::flags::NodeFlags;
use field::U32;

/// A program that compiled models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// BioWare's compiler.
    A,
    /// `nwnmdlcomp`. New models are compiled as it does: everything about it is known, and both editions of the game read its models.
    B,
    /// The Enhanced Edition itself.
    C,
}

/// The functions of nodes of a type: six of the node and two of its mesh.
type Functions = ([u32; 6], [u32; 2]);

impl Profile {
    /// Returns the program that wrote a model with these functions.
    pub(crate) fn of(functions: [U32; 2]) -> Self {
        match functions.map(U32::get) {
            [0x0040_BBC0, _] => Self::A,
            [0x0046_AB0C, _] => Self::B,
            _ => Self::C,
        }
    }

    /// Returns the program that wrote a mesh with these functions.
    pub(crate) fn of_mesh(functions: [U32; 2]) -> Self {
        let functions = functions.map(U32::get);
        let is_of = |all: &[Functions]| all.iter().any(|(_, of_mesh)| *of_mesh == functions);
        if is_of(&[A_MESH, A_SKIN, A_DANGLY, A_AABB]) {
            Self::A
        } else if is_of(&[B_MESH, B_SKIN, B_DANGLY]) {
            Self::B
        } else {
            Self::C
        }
    }

    /// Returns its name in a text.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }

    /// Returns the program with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::A, Self::B, Self::C].into_iter().find(|it| it.name().eq_ignore_ascii_case(name))
    }

    /// Returns `true` if the pointers of some empty things are the places where these would be.
    pub(crate) const fn has_cursors(self) -> bool {
        !matches!(self, Self::B)
    }

    /// Returns the functions of a model.
    pub(crate) const fn model(self) -> [u32; 2] {
        match self {
            Self::A => [0x0040_BBC0, 0x0040_BBD0],
            Self::B => [0x0046_AB0C, 0x0046_AB1C],
            Self::C => [0; 2],
        }
    }

    /// Returns the functions of an animation.
    pub(crate) const fn animation(self) -> [u32; 2] {
        match self {
            Self::A => [0x0040_B6C0, 0x0044_E700],
            Self::B => [0x0046_A144, 0x004C_64E4],
            Self::C => [0; 2],
        }
    }

    /// Returns the functions of a node with these parts.
    pub(crate) fn node(self, flags: NodeFlags) -> Functions {
        let has = |part: NodeFlags| flags.contains(part);
        match self {
            Self::A if has(NodeFlags::SKIN) => A_SKIN,
            Self::A if has(NodeFlags::DANGLY) => A_DANGLY,
            Self::A if has(NodeFlags::AABB) => A_AABB,
            Self::A if has(NodeFlags::MESH) => A_MESH,
            Self::A if has(NodeFlags::LIGHT) => A_LIGHT,
            Self::A if has(NodeFlags::EMITTER) => A_EMITTER,
            Self::A if has(NodeFlags::REFERENCE) => A_REFERENCE,
            Self::A => A_DUMMY,
            Self::B if has(NodeFlags::SKIN) => B_SKIN,
            Self::B if has(NodeFlags::DANGLY) => B_DANGLY,
            Self::B if has(NodeFlags::MESH) => B_MESH,
            Self::B if has(NodeFlags::LIGHT) => B_LIGHT,
            Self::B if has(NodeFlags::EMITTER) => B_EMITTER,
            Self::B if has(NodeFlags::REFERENCE) => B_REFERENCE,
            Self::B => B_DUMMY,
            Self::C => ([0; 6], [0; 2]),
        }
    }
}

const A_DUMMY: Functions = ([0x40_CB70, 0x40_CBD0, 0x40_CBE0, 0x40_CBF0, 0x40_CC10, 0x40_CC20], [0; 2]);
const A_LIGHT: Functions = ([0x40_DB70, 0x40_DB80, 0x40_DB90, 0x40_DBA0, 0x40_DBC0, 0x40_DBD0], [0; 2]);
const A_EMITTER: Functions = ([0x40_CB70, 0x40_D9B0, 0x40_D9C0, 0x40_D9D0, 0x40_D9F0, 0x40_DA00], [0; 2]);
const A_REFERENCE: Functions = ([0x40_CB70, 0x40_DF30, 0x40_CBE0, 0x40_DF40, 0x40_DF60, 0x40_DF70], [0; 2]);
const A_MESH: Functions = ([0x40_E2E0, 0x40_E2F0, 0x40_E300, 0x40_E310, 0x40_E330, 0x40_E340], [0x40_E350, 0x40_D7E0]);
const A_SKIN: Functions = ([0x40_D710, 0x40_D790, 0x40_D7A0, 0x40_E310, 0x40_D7B0, 0x40_D7C0], [0x40_D7D0, 0x40_D7E0]);
const A_DANGLY: Functions =
    ([0x40_E040, 0x40_E080, 0x40_E090, 0x40_E310, 0x40_E330, 0x40_E0A0], [0x40_E0C0, 0x40_E0B0]);
const A_AABB: Functions = ([0x40_E660, 0x40_E6E0, 0x40_E300, 0x40_E310, 0x40_E330, 0x40_E6F0], [0x40_E350, 0x40_D7E0]);
const B_DUMMY: Functions = ([0x46_B9E0, 0x46_B9F0, 0x46_BA04, 0x46_BA14, 0x46_BA30, 0x46_BA40], [0; 2]);
const B_LIGHT: Functions = ([0x46_DBB8, 0x46_DBC8, 0x46_DBDC, 0x46_DBEC, 0x46_DC08, 0x46_DC18], [0; 2]);
const B_EMITTER: Functions = ([0x46_DBB8, 0x46_DA00, 0x46_DA14, 0x46_DA24, 0x46_DA40, 0x46_DA50], [0; 2]);
const B_REFERENCE: Functions = ([0x46_B9E0, 0x46_E178, 0x46_BA04, 0x46_E18C, 0x46_E1A8, 0x46_E1B8], [0; 2]);
const B_MESH: Functions = ([0x46_E7B4, 0x46_E7C4, 0x46_E7D8, 0x46_E7E8, 0x46_E804, 0x46_E814], [0x46_E828, 0x46_E838]);
const B_SKIN: Functions = ([0x46_D394, 0x46_D3A4, 0x46_D3B8, 0x46_E7E8, 0x46_D3C8, 0x46_D3D8], [0x46_D3EC, 0x46_D3FC]);
const B_DANGLY: Functions =
    ([0x46_E2B4, 0x46_E2C4, 0x46_E2D8, 0x46_E7E8, 0x46_E804, 0x46_E2E8], [0x46_E2FC, 0x46_E30C]);
