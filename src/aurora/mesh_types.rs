//! Types of meshes: skins, animated meshes, danglymeshes and walkmeshes.

use bitflags::Flags as _;

use field::record;
use field::{Block, Class, F32, I16, Result, Shape, Shaped, U32, lay, wide};

use super::aabb_tree::AabbTree;
use super::flags::{Kinds, NodeFlags, PieceKind, Things};
use super::pointers::{Access, NO_ARRAY, Part, Parts as _};
use super::vectors::{Element, LayVectors as _};
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

    /// Returns the kinds that its parts can have.
    pub(super) fn kinds(&self) -> Kinds {
        match self {
            Self::Plain => Kinds::NONE,
            Self::Skin(_) => Kinds::SKIN,
            Self::Anim(_) => Kinds::new(PieceKind::ANIM_VERTICES, PieceKind::ANIM_COORDINATES),
            Self::Dangly(_) => Kinds::new(PieceKind::CONSTRAINTS, PieceKind::CONSTRAINTS),
            Self::Aabb(_) => Kinds::new(PieceKind::BOX, PieceKind::BOX),
        }
    }

    /// Returns the number of vertices that it has values for, or `None` if it has none.
    pub(super) fn vertex_count(&self) -> Option<usize> {
        let Self::Skin(skin) = self else { return None };
        [skin.weights.len(), skin.slots.len()].into_iter().find(|&length| length > 0)
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
pub(super) trait LayMeshType: Access {
    /// Returns a part of a type of mesh with this number of vertices, or an item of it, or `None` if it has no such part.
    fn mesh_type_part<'a: 'a>(
        it: Self::At<'a, MeshType>,
        kind: PieceKind,
        item: usize,
        vertices: u64,
    ) -> Option<Part<'a, Self>>;
}

lay! {
    impl LayMeshType for Tape<'_> {
        fn mesh_type_part<'a: 'a>(
            it: at!('a MeshType),
            kind: PieceKind,
            item: usize,
            vertices: u64,
        ) -> Option<Part<'a, Self>> {
            Some(match (kind, it) {
                (PieceKind::MAP, MeshType::Skin(skin)) => {
                    let map = Tape::vector((Things::MAP, "map"), at!(skin.head.map_at), 0, Some(at!(skin.map)));
                    Part { counts: [Some(at!(skin.head.map_used)), None], each: 2, ..map }
                }
                (PieceKind::ROTATIONS, MeshType::Skin(skin)) => {
                    let head = at!(skin.head);
                    let array = [at!(head.rotations_at), at!(head.rotations_used), at!(head.rotations_allocated)];
                    Tape::array((Things::ROTATIONS, "rotations"), array, 16, at!(skin.rotations))
                }
                (PieceKind::TRANSLATIONS, MeshType::Skin(skin)) => {
                    let head = at!(skin.head);
                    let array = [at!(head.translations_at), at!(head.translations_used), at!(head.translations_allocated)];
                    Tape::array((Things::TRANSLATIONS, "translations"), array, 12, at!(skin.translations))
                }
                (PieceKind::CONSTANTS, MeshType::Skin(skin)) => {
                    let head = at!(skin.head);
                    let array = [at!(head.constants_at), at!(head.constants_used), at!(head.constants_allocated)];
                    Tape::array((Things::CONSTANTS, "constants"), array, 4, at!(skin.constants))
                }
                (PieceKind::WEIGHTS, MeshType::Skin(skin)) => {
                    let stated = per_vertex(skin.head.weights_at, vertices * 16);
                    Tape::vector((Things::WEIGHTS, "weights"), at!(skin.head.weights_at), stated, Some(at!(skin.weights)))
                }
                (PieceKind::SLOTS, MeshType::Skin(skin)) => {
                    let stated = per_vertex(skin.head.slots_at, vertices * 8);
                    Tape::vector((Things::SLOTS, "slots"), at!(skin.head.slots_at), stated, Some(at!(skin.slots)))
                }
                (PieceKind::ANIM_VERTICES, MeshType::Anim(anim)) => {
                    let Anim { head, vertices: moved, .. } = at!(**anim);
                    let stated = sets(head.vertices_at, head.vertex_sets, vertices) * 12;
                    Tape::vector((Things::ANIM_VERTICES, "anim_vertices"), at!(head.vertices_at), stated, Some(moved))
                }
                (PieceKind::ANIM_COORDINATES, MeshType::Anim(anim)) => {
                    let Anim { head, coordinates, .. } = at!(**anim);
                    let stated = sets(head.coordinates_at, head.coordinate_sets, vertices) * 8;
                    let name = (Things::ANIM_COORDINATES, "anim_coordinates");
                    Tape::vector(name, at!(head.coordinates_at), stated, Some(coordinates))
                }
                (PieceKind::CONSTRAINTS, MeshType::Dangly(Dangly { head, constraints })) => {
                    let array = [at!(head.constraints_at), at!(head.constraints_used), at!(head.constraints_allocated)];
                    Tape::array((Things::CONSTRAINTS, "constraints"), array, 4, constraints)
                }
                (PieceKind::BOX, MeshType::Aabb(tree)) => return AabbTree::part(tree, kind, item),
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

/// Returns the number of bytes of a part with values for each vertex, or 0 if its pointer is null.
pub(super) fn per_vertex(pointer: U32, bytes: u64) -> u64 {
    if pointer.get() == u32::MAX { 0 } else { bytes }
}

/// Returns the number of values in this many sets of `vertices` vertices, or 0 if the pointer is null.
fn sets(pointer: U32, sets: U32, vertices: u64) -> u64 {
    if pointer.get() == 0 { 0 } else { vertices * u64::from(sets.get()) }
}
