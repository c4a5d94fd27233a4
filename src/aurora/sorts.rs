//! What a mesh is besides: bound to bones, animated by sets of vertices, dangling, to be walked on.

use bitflags::Flags as _;

use crate::field::build::Tape;
use crate::field::{Block, F32, Fault, I16, Result, U32, lay, wide};
use crate::record;

use super::boxes::Boxes;
use super::header::NO_ARRAY;
use super::node::{Named, NodeFlags, Vector};
use super::place::{Binder, Empties, Part, Things};
use super::{Quaternion, Vec2, Vec3};

record! {
    /// A skin but for its bones, 64 bytes behind the mesh. Source: `nwn-mdl.md`, section 4.6.
    pub struct SkinHead: 64 {
        unk_00: [U32; 3] = NO_ARRAY,
        weights_at: U32 as Outside,
        slots_at: U32 as Outside,
        map_at: U32 as Outside,
        map_used: U32 as Outside,
        rotations_at: U32 as Outside,
        rotations_used: U32 as Outside,
        rotations_allocated: U32 as Outside,
        translations_at: U32 as Outside,
        translations_used: U32 as Outside,
        translations_allocated: U32 as Outside,
        constants_at: U32 as Outside,
        constants_used: U32 as Outside,
        constants_allocated: U32 as Outside,
    }
}

record! {
    /// An anim mesh, 56 bytes behind the mesh; no file seen has one. Source: `nwn-mdl.md`, section 4.7.
    pub struct AnimHead: 56 {
        sample_period: F32,
        unk_04: [U32; 3] = NO_ARRAY,
        unk_10: [U32; 3] = NO_ARRAY,
        unk_1c: [U32; 3] = NO_ARRAY,
        vertices_at: U32 as Outside,
        coordinates_at: U32 as Outside,
        vertex_sets: U32,
        coordinate_sets: U32,
    }
}

record! {
    /// A mesh that dangles, 24 bytes behind the mesh; in animations leftover memory from `displacement` on. Source:
    /// `nwn-mdl.md`, section 4.8.
    pub struct DanglyHead: 24 {
        constraints_at: U32 as Outside,
        constraints_used: U32 as Outside,
        constraints_allocated: U32 as Outside,
        displacement: F32,
        tightness: F32,
        period: F32,
    }
}

/// A leftover word of a skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Constant(pub U32);

impl crate::field::Shaped for Constant {
    const SHAPE: crate::field::Shape = U32::SHAPE;
    const CLASS: crate::field::Class = crate::field::Class::Stale;
}

/// A mesh bound to bones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Where everything is.
    pub head: SkinHead,
    /// The node that is each bone; leftover memory behind the last slot that the map tells. 18 bones, in the Enhanced
    /// Edition 64.
    pub bones: Block<I16>,
    /// The slot of each node, or -1.
    pub map: Block<I16>,
    /// Inverse rotations of nodes.
    pub rotations: Block<Quaternion>,
    /// Inverse translations of nodes.
    pub translations: Block<Vec3>,
    /// What stands for each node.
    pub constants: Block<Constant>,
    /// Weights of each vertex.
    pub weights: Block<[F32; 4]>,
    /// Bone slots of each vertex, or -1.
    pub slots: Block<[I16; 4]>,
}

/// A mesh with sets of vertices and texture coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anim {
    /// How many sets, and how fast.
    pub head: AnimHead,
    /// All vertices of each set.
    pub vertices: Block<Vec3>,
    /// All texture coordinates of each set.
    pub coordinates: Block<Vec2>,
}

/// A mesh that dangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dangly {
    /// How.
    pub head: DanglyHead,
    /// How far each vertex, 0 to 255.
    pub constraints: Block<F32>,
}

/// What a mesh is besides.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Sort {
    /// Nothing.
    #[default]
    Plain,
    /// Bound to bones.
    Skin(Box<Skin>),
    /// Animated by sets of vertices.
    Anim(Box<Anim>),
    /// Dangling.
    Dangly(Dangly),
    /// To be walked on.
    Boxes(Boxes),
}

/// Bones of a skin, and in the Enhanced Edition.
pub(super) const BONES: [u64; 2] = [18, 64];

impl Sort {
    /// The sort that flags stand for, of which at most one is set.
    pub(super) fn of(flags: NodeFlags) -> Self {
        match flags.intersection(NodeFlags::SORTS) {
            NodeFlags::SKIN => Self::Skin(Box::default()),
            NodeFlags::ANIM => Self::Anim(Box::default()),
            NodeFlags::DANGLY => Self::Dangly(Dangly::default()),
            NodeFlags::AABB => Self::Boxes(Boxes::default()),
            _ => Self::Plain,
        }
    }

    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Plain => 0,
            Self::Skin(skin) => wide(size_of::<SkinHead>()).saturating_add(wide(skin.bones.bytes().len())),
            Self::Anim(_) => wide(size_of::<AnimHead>()),
            Self::Dangly(_) => wide(size_of::<DanglyHead>()),
            Self::Boxes(_) => 4,
        }
    }

    /// Whether it has anything but settings.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Plain => true,
            Self::Skin(_) => false,
            Self::Anim(anim) => anim.vertices.is_empty() && anim.coordinates.is_empty(),
            Self::Dangly(dangly) => dangly.constraints.is_empty(),
            Self::Boxes(boxes) => boxes.entries.is_empty(),
        }
    }

    /// How many vertices it tells of.
    pub(super) fn vertex_count(&self) -> Option<usize> {
        let Self::Skin(skin) = self else { return None };
        [skin.weights.len(), skin.slots.len()].into_iter().find(|&length| length > 0)
    }

    pub(super) fn bind(
        &mut self,
        empties: &mut Empties,
        b: &mut Binder<'_>,
        vertices: u64,
    ) -> core::result::Result<(), Fault> {
        match self {
            Self::Plain => Ok(()),
            Self::Skin(skin) => skin.bind(empties, b, vertices),
            Self::Anim(anim) => anim.bind(empties, b, vertices),
            Self::Dangly(Dangly { head, constraints }) => {
                let array = [&mut head.constraints_at, &mut head.constraints_used, &mut head.constraints_allocated];
                b.array(empties, Things::CONSTRAINTS, Part::CONSTRAINTS, array, (wide(constraints.len()), 4))
            }
            Self::Boxes(boxes) => boxes.bind(empties, b),
        }
    }
}

/// What is known of a sort beside it.
pub(super) struct Kin<'a> {
    /// Whether it is leftover memory.
    pub(super) is_stale: bool,
    /// How rules would have it, if they are asked.
    pub(super) rules: Option<&'a Sort>,
    /// In read mode, room for how many bones there is.
    pub(super) bones: Bones,
}

lay! {
    impl Tape<'_> {
        /// The vector that is a part of a sort, with so many vertices.
        pub(in crate::aurora) fn sort_vector(
            it: at!(Sort),
            part: Part,
            vertices: u64,
        ) -> Option<(Named, at!(dyn Vector))> {
            let of = |pointer: U32| if pointer.get() == u32::MAX { 0 } else { vertices };
            match (it, part) {
                (Sort::Skin(skin), _) => {
                    let Skin { head, map, rotations, translations, constants, weights, slots, .. } = at!(**skin);
                    Some(match part {
                        Part::MAP => (Named::of("map", head.map_used), map),
                        Part::ROTATIONS => (Named::of("rotations", head.rotations_used), rotations),
                        Part::TRANSLATIONS => (Named::of("translations", head.translations_used), translations),
                        Part::CONSTANTS => (Named::of("constants", head.constants_used), constants),
                        Part::WEIGHTS => (Named { name: "weights", used: of(head.weights_at) }, weights),
                        Part::SLOTS => (Named { name: "slots", used: of(head.slots_at) }, slots),
                        _ => return None,
                    })
                }
                (Sort::Anim(anim), Part::ANIM_VERTICES) => {
                    let used = sets(anim.head.vertices_at, anim.head.vertex_sets, vertices);
                    Some((Named { name: "anim_vertices", used }, at!(anim.vertices)))
                }
                (Sort::Anim(anim), Part::ANIM_COORDINATES) => {
                    let used = sets(anim.head.coordinates_at, anim.head.coordinate_sets, vertices);
                    Some((Named { name: "anim_coordinates", used }, at!(anim.coordinates)))
                }
                (Sort::Dangly(dangly), Part::CONSTRAINTS) => {
                    Some((Named::of("constraints", dangly.head.constraints_used), at!(dangly.constraints)))
                }
                _ => None,
            }
        }
    }

    /// Lays what is of fixed size.
    impl LayBy<Kin<'_>> for Sort {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Kin { is_stale, rules, bones }: Kin<'_>) -> Result {
            match (self, rules) {
                (Self::Plain, _) => Ok(()),
                (Self::Skin(skin), rules) => {
                    let rules = if let Some(Self::Skin(skin)) = rules { Some(&skin.head) } else { None };
                    t.structure("skin", at!(skin.head), is_stale, rules)?;
                    let count = t.seen(|t| skin.room(t, bones)).transpose()?.unwrap_or(wide(skin.bones.len()));
                    t.block("bones", count, at!(skin.bones))
                }
                (Self::Anim(anim), rules) => {
                    let rules = if let Some(Self::Anim(anim)) = rules { Some(&anim.head) } else { None };
                    t.structure("anim_mesh", at!(anim.head), is_stale, rules)
                }
                (Self::Dangly(dangly), rules) => {
                    let rules = if let Some(Self::Dangly(dangly)) = rules { Some(&dangly.head) } else { None };
                    t.structure("dangly", at!(dangly.head), is_stale, rules)
                }
                (Self::Boxes(boxes), rules) => {
                    let rules = if let Some(Self::Boxes(boxes)) = rules { Some(&boxes.head) } else { None };
                    t.structure("aabb", at!(boxes.head), is_stale, rules)
                }
            }
        }
    }
}

/// How it is known, in read mode, how many bones a skin has room for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bones {
    /// The map lies behind them, at an offset from this one in the file.
    Base(u64),
    /// They are all that is left.
    Rest,
}

impl Skin {
    fn room(&self, t: &Tape<'_>, bones: Bones) -> Result<u64> {
        let bytes = match bones {
            Bones::Base(base) => base.saturating_add(self.head.map_at.get().into()).saturating_sub(t.position()),
            Bones::Rest => t.remaining(),
        };
        let known = BONES.into_iter().find(|room| room.saturating_mul(2) == bytes);
        known.ok_or_else(|| {
            let expected = "space for 18 or 64 bones".to_owned();
            t.error_in("map", Fault::Outside { found: bytes.into(), expected })
        })
    }

    fn bind(&mut self, empties: &mut Empties, b: &mut Binder<'_>, vertices: u64) -> core::result::Result<(), Fault> {
        let Self { head, map, rotations, translations, constants, weights, slots, .. } = self;
        if b.fills() {
            head.map_used = super::place::offset(wide(map.len()))?;
        }
        let bytes = if b.sized() { wide(map.bytes().len()) } else { u64::from(head.map_used.get()).saturating_mul(2) };
        b.pointer(empties, Things::MAP, (Part::MAP, 0), &mut head.map_at, bytes)?;
        let array = [&mut head.rotations_at, &mut head.rotations_used, &mut head.rotations_allocated];
        b.array(empties, Things::ROTATIONS, Part::ROTATIONS, array, (wide(rotations.len()), 16))?;
        let array = [&mut head.translations_at, &mut head.translations_used, &mut head.translations_allocated];
        b.array(empties, Things::TRANSLATIONS, Part::TRANSLATIONS, array, (wide(translations.len()), 12))?;
        let array = [&mut head.constants_at, &mut head.constants_used, &mut head.constants_allocated];
        b.array(empties, Things::CONSTANTS, Part::CONSTANTS, array, (wide(constants.len()), 4))?;
        let told = |pointer: &U32, each: u64| if pointer.get() == u32::MAX { 0 } else { vertices.saturating_mul(each) };
        let bytes = if b.sized() { wide(weights.bytes().len()) } else { told(&head.weights_at, 16) };
        b.pointer(empties, Things::WEIGHTS, (Part::WEIGHTS, 0), &mut head.weights_at, bytes)?;
        let bytes = if b.sized() { wide(slots.bytes().len()) } else { told(&head.slots_at, 8) };
        b.pointer(empties, Things::SLOTS, (Part::SLOTS, 0), &mut head.slots_at, bytes)
    }

    /// What does not hold between map and bones.
    pub(super) fn trouble(&self) -> Option<(&'static str, String)> {
        self.map.iter().enumerate().find_map(|(node, slot)| {
            let slot = usize::try_from(slot.get()).ok()?;
            let bone = self.bones.get(slot).map(|bone| bone.get());
            (bone != i16::try_from(node).ok())
                .then(|| ("the slot whose bone is the node", format!("{slot} for {node}")))
        })
    }
}

impl Anim {
    fn bind(&mut self, empties: &mut Empties, b: &mut Binder<'_>, vertices: u64) -> core::result::Result<(), Fault> {
        let Self { head, vertices: moved, coordinates } = self;
        let told = |pointer: U32, count: U32, each: u64| sets(pointer, count, vertices).saturating_mul(each);
        let bytes = if b.sized() { wide(moved.bytes().len()) } else { told(head.vertices_at, head.vertex_sets, 12) };
        b.pointer(empties, Things::ANIM_VERTICES, (Part::ANIM_VERTICES, 0), &mut head.vertices_at, bytes)?;
        let bytes = if b.sized() {
            wide(coordinates.bytes().len())
        } else {
            told(head.coordinates_at, head.coordinate_sets, 8)
        };
        b.pointer(empties, Things::ANIM_COORDINATES, (Part::ANIM_COORDINATES, 0), &mut head.coordinates_at, bytes)
    }
}

/// How many values so many sets of so many vertices are, if there is a pointer to them.
fn sets(pointer: U32, sets: U32, vertices: u64) -> u64 {
    if pointer.get() == 0 { 0 } else { vertices.saturating_mul(sets.get().into()) }
}
