//! The arrays of a definition, to which its events refer by index.
//!
//! The first element of most arrays is a placeholder, so that an index of 0 means none.

use crate::NodeStyle;
use field::{Block, F32, I32, Record, Result, Text, U8, U16, U32, hex, lay};
use field::{names, record};

/// The name of a node. Source: `zipper-anim.md`, section 8.1.
type NodeName = Text<32, NodeStyle>;

record! {
    /// An object in Recoil and MechWarrior 3, 96 bytes; the engine overwrites all fields but the name. Source:
    /// `zipper-anim.md`, section 8.2.
    pub struct Object96: 96 {
        name: NodeName,
        zero: U32 = 0,
        node_ptr: U32 as Pointer,
        node_active: U32 as Stale,
        matrix_in_use: U32 as Stale,
        /// A 3x4 matrix; or position, rotation, scale and three floats of earlier contents.
        transform: [F32; 12] as Stale,
    }
}

record! {
    /// An object in Pirate's Moon, 92 bytes. Source: `zipper-anim.md`, section 8.2.
    pub struct Object92: 92 {
        name: NodeName,
        zero: U32 = 0,
        node: U32 = u32::MAX,
        flags: U16 as Stale,
        root_idx: U16 = 0,
        transform: [F32; 12] as Stale,
    }
}

record! {
    /// An object in Crimson Skies, 92 bytes. Source: `zipper-anim.md`, section 8.2.
    pub struct ObjectById: 92 {
        name: NodeName,
        zero: U32 = 0,
        /// Index of the node in the `gamez.zbd` of the world group.
        node: I32,
        flags: U16 as Stale,
        root_idx: U16,
        transform: [F32; 12] as Stale,
    }
}

record! {
    /// A node in Recoil and MechWarrior 3, 40 bytes. Source: `zipper-anim.md`, section 8.3.
    pub struct Node40: 40 {
        name: NodeName,
        zero: U32 = 0,
        node_ptr: U32 as Pointer,
    }
}

record! {
    /// A node in Pirate's Moon, 44 bytes. Source: `zipper-anim.md`, section 8.3.
    pub struct Node44: 44 {
        flags: U16 as Stale,
        root_idx: U16 = 0,
        name: NodeName,
        zero: U32 = 0,
        node: U32 = u32::MAX,
    }
}

record! {
    /// A node in Crimson Skies, 44 bytes. Source: `zipper-anim.md`, section 8.3.
    pub struct NodeById: 44 {
        flags: U16 as Stale,
        root_idx: U16,
        name: NodeName,
        zero: U32 = 0,
        /// Index of the node in the `gamez.zbd` of the world group.
        node: I32,
    }
}

record! {
    /// A light or a dynamic sound, 44 bytes. Source: `zipper-anim.md`, section 8.4.
    pub struct Light: 44 {
        name: NodeName,
        flags: U32 = 0,
        node_ptr: U32 as Pointer,
        in_world: U32 = 0,
    }
}

record! {
    /// A puffer, 44 bytes. Source: `zipper-anim.md`, section 8.4.
    pub struct Puffer: 44 {
        name: Text<32>,
        unk_20: [U8; 3] = [U8::new(0); 3],
        flags: U8 as Stale,
        puffer_ptr: U32 as Pointer,
        in_world: U32 = 0,
    }
}

record! {
    /// A sound in Recoil, MechWarrior 3 and Pirate's Moon, 36 bytes. Source: `zipper-anim.md`, section 8.5.
    pub struct StaticSound36: 36 {
        name: Text<32>,
        sample_ptr: U32 as Pointer = 0,
    }
}

record! {
    /// A sound in Crimson Skies, 40 bytes. Source: `zipper-anim.md`, section 8.5.
    pub struct StaticSound40: 40 {
        name: Text<40>,
    }
}

record! {
    /// An effect of Recoil, 36 bytes. Source: `zipper-anim.md`, section 8.6.
    pub struct Effect: 36 {
        name: Text<32>,
        /// MediaSummary up again by the engine from the name.
        index: U32,
    }
}

record! {
    /// A component of the path to the node of a definition, 36 bytes. Source: `zipper-anim.md`, section 8.7.
    pub struct PathNode: 36 {
        name: Text<32>,
        node: U32 as Pointer,
    }
}

names! {
    /// The purpose of a reference to an animation. Source: `zipper-anim.md`, section 10.
    pub struct RefType(U32: u32) {
        /// For a call.
        CALL_ANIMATION = 0;
        /// In Recoil, for a call as a connector; in Crimson Skies, for a call by a local name.
        LOCAL_NAME = 1;
    }
}

record! {
    /// The name of an animation, 32 bytes.
    pub struct RefName: 32 {
        name: Text<32>,
    }
}

record! {
    /// A second name, 32 bytes.
    pub struct LocalName: 32 {
        local_name: Text<32>,
    }
}

record! {
    /// The unused field of a reference without a second name, 32 bytes.
    pub struct NoLocalName: 32 {
        local_name: Text<32> as Stale,
    }
}

record! {
    /// The end of a reference, 8 bytes.
    pub struct RefEnd: 8 {
        kind: RefType,
        anim_ptr: U32 as Pointer = 0,
    }
}

/// A reference to another animation, 72 bytes. Source: `zipper-anim.md`, section 10.
#[derive(Clone, Debug, Default)]
pub struct AnimRef {
    /// The name of the animation.
    pub name: RefName,
    /// Its local name, if the type uses it.
    pub local_name: LocalName,
    /// The purpose.
    pub end: RefEnd,
}

const _: () = assert!(size_of::<RefName>() + size_of::<LocalName>() + size_of::<RefEnd>() == 72);

impl AnimRef {
    /// The size in bytes.
    pub(super) const SIZE: u64 = 72;
}

/// An array of this many elements, of which the first is a placeholder, with `no_node` in place of its node.
pub(super) struct WithPlaceholder {
    pub(super) name: &'static str,
    pub(super) count: u64,
    pub(super) no_node: u32,
}

lay! {
    impl Lay for AnimRef {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.name))?;
            match self.end.kind {
                RefType::CALL_ANIMATION => t.fields(recast::<NoLocalName, _>(at!(self.local_name)))?,
                _ => t.fields(at!(self.local_name))?,
            }
            t.fields(at!(self.end))
        }
    }

    impl<R: Record> LayBy<WithPlaceholder> for Block<R> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, WithPlaceholder { name, count, no_node }: WithPlaceholder) -> Result {
            t.block(name, count, self)?;
            t.expect(name, || {
                let zero = field::bytes_of(self.first()?);
                // The word for the node is the last word of a node; in objects it follows the name and a zero.
                let node = R::LAYOUT.fields.iter().find(|field| matches!(field.name, "node" | "node_ptr"));
                let mut words = zero.chunks(4).zip((0_usize..).step_by(4));
                let expected = |at| if node.is_some_and(|node| node.offset == at) { no_node } else { 0 };
                let as_expected = words.all(|(word, at)| word == expected(at).to_le_bytes());
                (!as_expected).then(|| ("a placeholder of zeros".into(), hex(zero).into()))
            });
            Ok(())
        }
    }
}
