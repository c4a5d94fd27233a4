//! Types of meshes: skins, animated meshes, danglymeshes and walkmeshes.

use bitflags::Flags as _;

use field::record;
use field::{Block, Class, Direction, F32, Fault, I16, Result, Shape, Shaped, U32, lay, wide};

use super::aabb_tree::AabbTree;
use super::flags::{NodeFlags, PieceKind, Things};
use super::pointers::{Binder, Empties, NO_ARRAY, offset};
use super::vectors::{Element, LayVectors as _, Vector};
use super::{Quaternion, Vec2, Vec3};

record! {
    /// A skin except for its bones, 64 bytes after the mesh. Source: `nwn-mdl.md`, section 4.6.
    pub struct SkinHeader: 64 {
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
    /// An animated mesh, 56 bytes after the mesh; not in any file seen. Source: `nwn-mdl.md`, section 4.7.
    pub struct AnimHeader: 56 {
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
    /// A danglymesh, 24 bytes after the mesh. In animations, `displacement` and the rest are leftover memory. Source:
    /// `nwn-mdl.md`, section 4.8.
    pub struct DanglyHeader: 24 {
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

impl Shaped for Constant {
    const SHAPE: Shape = U32::SHAPE;
    const CLASS: Class = Class::Stale;
}

/// A mesh bound to bones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its pointers.
    pub head: SkinHeader,
    /// The node of each bone; leftover memory after the last slot in the map. 18 bones, or 64 in the Enhanced Edition.
    pub bones: Block<I16>,
    /// The slot of each node, or -1.
    pub map: Block<I16>,
    /// Inverse rotations of nodes.
    pub rotations: Block<Quaternion>,
    /// Inverse translations of nodes.
    pub translations: Block<Vec3>,
    /// A leftover word per node.
    pub constants: Block<Constant>,
    /// Weights of each vertex.
    pub weights: Block<[F32; 4]>,
    /// Bone slots of each vertex, or -1.
    pub slots: Block<[I16; 4]>,
}

/// A mesh with sets of vertices and texture coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anim {
    /// Its settings.
    pub head: AnimHeader,
    /// All vertices of each set.
    pub vertices: Block<Vec3>,
    /// All texture coordinates of each set.
    pub coordinates: Block<Vec2>,
}

/// A danglymesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dangly {
    /// Its settings.
    pub head: DanglyHeader,
    /// The range of movement of each vertex, 0 to 255.
    pub constraints: Block<F32>,
}

/// The type of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MeshType {
    /// A plain mesh.
    #[default]
    Plain,
    /// A skin.
    Skin(Box<Skin>),
    /// An animated mesh.
    Anim(Box<Anim>),
    /// A danglymesh.
    Dangly(Dangly),
    /// A walkmesh.
    Aabb(AabbTree),
}

/// The number of bones of a skin.
pub(super) const BONES: usize = 18;
/// The number of bones of a skin in the Enhanced Edition.
pub(super) const MORE_BONES: u64 = 64;

impl MeshType {
    /// Returns the type for the flags of a node, of which at most one is set.
    pub(super) fn of(flags: NodeFlags) -> Self {
        match flags.intersection(NodeFlags::MESH_TYPES) {
            NodeFlags::SKIN => {
                Self::Skin(Box::new(Skin { bones: vec![I16::default(); BONES].into(), ..Skin::default() }))
            }
            NodeFlags::ANIM => Self::Anim(Box::default()),
            NodeFlags::DANGLY => Self::Dangly(Dangly::default()),
            NodeFlags::AABB => Self::Aabb(AabbTree::default()),
            _ => Self::Plain,
        }
    }

    /// Returns the size of its structure in bytes.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Plain => 0,
            Self::Skin(skin) => wide(size_of::<SkinHeader>()) + wide(skin.bones.bytes().len()),
            Self::Anim(_) => wide(size_of::<AnimHeader>()),
            Self::Dangly(_) => wide(size_of::<DanglyHeader>()),
            Self::Aabb(_) => 4,
        }
    }

    /// Returns `true` if it has only settings.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Plain => true,
            Self::Skin(_) => false,
            Self::Anim(anim) => anim.vertices.is_empty() && anim.coordinates.is_empty(),
            Self::Dangly(dangly) => dangly.constraints.is_empty(),
            Self::Aabb(tree) => tree.entries.is_empty(),
        }
    }

    /// Returns the number of vertices that it has values for, or `None` if it has none.
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
                b.array(empties, Things::CONSTRAINTS, PieceKind::CONSTRAINTS, array, (wide(constraints.len()), 4))
            }
            Self::Aabb(tree) => tree.bind(empties, b),
        }
    }
}

/// The context of a type of mesh.
pub(super) struct Kin<'a> {
    /// Set if it is leftover memory.
    pub(super) is_stale: bool,
    /// The type as the rules compute it, if a visitor asks for that.
    pub(super) rules: Option<&'a MeshType>,
}

impl Element for Constant {}

/// Lays out the parts of a type of mesh.
pub(super) trait LayMeshType: Direction {
    /// Returns the name and the values of a part of a type of mesh, or `None` if it has no such part.
    fn mesh_type_vector<'a>(
        it: Self::At<'a, MeshType>,
        part: PieceKind,
    ) -> Option<(&'static str, Self::At<'a, dyn Vector + 'a>)>
    where
        'a: 'a;
}

lay! {
    impl LayMeshType for Tape<'_> {
        fn mesh_type_vector<'a>(it: at!('a MeshType), part: PieceKind) -> Option<(&'static str, at!('a dyn Vector))>
        where
            'a: 'a,
        {
            Some(match (it, part) {
                (MeshType::Skin(skin), PieceKind::MAP) => ("map", at!(skin.map)),
                (MeshType::Skin(skin), PieceKind::ROTATIONS) => ("rotations", at!(skin.rotations)),
                (MeshType::Skin(skin), PieceKind::TRANSLATIONS) => ("translations", at!(skin.translations)),
                (MeshType::Skin(skin), PieceKind::CONSTANTS) => ("constants", at!(skin.constants)),
                (MeshType::Skin(skin), PieceKind::WEIGHTS) => ("weights", at!(skin.weights)),
                (MeshType::Skin(skin), PieceKind::SLOTS) => ("slots", at!(skin.slots)),
                (MeshType::Anim(anim), PieceKind::ANIM_VERTICES) => ("anim_vertices", at!(anim.vertices)),
                (MeshType::Anim(anim), PieceKind::ANIM_COORDINATES) => ("anim_coordinates", at!(anim.coordinates)),
                (MeshType::Dangly(dangly), PieceKind::CONSTRAINTS) => ("constraints", at!(dangly.constraints)),
                _ => return None,
            })
        }
    }

    /// Lays out the structure.
    impl LayBy<Kin<'_>> for MeshType {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Kin { is_stale, rules }: Kin<'_>) -> Result {
            match (self, rules) {
                (Self::Plain, _) => Ok(()),
                (Self::Skin(skin), rules) => {
                    let rules = if let Some(Self::Skin(skin)) = rules { Some(&skin.head) } else { None };
                    t.structure("skin", at!(skin.head), is_stale, rules)?;
                    t.block("bones", wide(skin.bones.len()), at!(skin.bones))
                }
                (Self::Anim(anim), rules) => {
                    let rules = if let Some(Self::Anim(anim)) = rules { Some(&anim.head) } else { None };
                    t.structure("anim_mesh", at!(anim.head), is_stale, rules)
                }
                (Self::Dangly(dangly), rules) => {
                    let rules = if let Some(Self::Dangly(dangly)) = rules { Some(&dangly.head) } else { None };
                    t.structure("dangly", at!(dangly.head), is_stale, rules)
                }
                (Self::Aabb(tree), rules) => {
                    let rules = if let Some(Self::Aabb(tree)) = rules { Some(&tree.head) } else { None };
                    t.structure("aabb", at!(tree.head), is_stale, rules)
                }
            }
        }
    }
}

impl Skin {
    fn bind(&mut self, empties: &mut Empties, b: &mut Binder<'_>, vertices: u64) -> core::result::Result<(), Fault> {
        let Self { head, map, rotations, translations, constants, weights, slots, .. } = self;
        if b.fills() {
            head.map_used = offset(wide(map.len()))?;
        }
        let bytes = if b.sized() { wide(map.bytes().len()) } else { u64::from(head.map_used.get()) * 2 };
        b.pointer(empties, Things::MAP, (PieceKind::MAP, 0), &mut head.map_at, bytes)?;
        let array = [&mut head.rotations_at, &mut head.rotations_used, &mut head.rotations_allocated];
        b.array(empties, Things::ROTATIONS, PieceKind::ROTATIONS, array, (wide(rotations.len()), 16))?;
        let array = [&mut head.translations_at, &mut head.translations_used, &mut head.translations_allocated];
        b.array(empties, Things::TRANSLATIONS, PieceKind::TRANSLATIONS, array, (wide(translations.len()), 12))?;
        let array = [&mut head.constants_at, &mut head.constants_used, &mut head.constants_allocated];
        b.array(empties, Things::CONSTANTS, PieceKind::CONSTANTS, array, (wide(constants.len()), 4))?;
        let counted = |pointer: &U32, each: u64| if pointer.get() == u32::MAX { 0 } else { vertices * each };
        let bytes = if b.sized() { wide(weights.bytes().len()) } else { counted(&head.weights_at, 16) };
        b.pointer(empties, Things::WEIGHTS, (PieceKind::WEIGHTS, 0), &mut head.weights_at, bytes)?;
        let bytes = if b.sized() { wide(slots.bytes().len()) } else { counted(&head.slots_at, 8) };
        b.pointer(empties, Things::SLOTS, (PieceKind::SLOTS, 0), &mut head.slots_at, bytes)
    }

    /// Returns what is expected and found if the map does not match the bones.
    pub(super) fn mismatch(&self) -> Option<(&'static str, String)> {
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
        let counted = |pointer: U32, count: U32, each: u64| sets(pointer, count, vertices) * each;
        let bytes = if b.sized() { wide(moved.bytes().len()) } else { counted(head.vertices_at, head.vertex_sets, 12) };
        b.pointer(empties, Things::ANIM_VERTICES, (PieceKind::ANIM_VERTICES, 0), &mut head.vertices_at, bytes)?;
        let bytes = if b.sized() {
            wide(coordinates.bytes().len())
        } else {
            counted(head.coordinates_at, head.coordinate_sets, 8)
        };
        b.pointer(empties, Things::ANIM_COORDINATES, (PieceKind::ANIM_COORDINATES, 0), &mut head.coordinates_at, bytes)
    }
}

/// Returns the number of values in this many sets of `vertices` vertices, or 0 if the pointer is null.
fn sets(pointer: U32, sets: U32, vertices: u64) -> u64 {
    if pointer.get() == 0 { 0 } else { vertices * u64::from(sets.get()) }
}
