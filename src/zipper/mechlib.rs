//! Entries of a 'Mech library, `mechlib.zbd` (MechWarrior 3, Pirate's Moon).
//!
//! | entry | contents |
//! |---|---|
//! | `format` | [`LibraryFormat`] |
//! | `version` | [`LibraryVersion`]: the version of the model records |
//! | `materials` | [`LibraryMaterials`]: the materials of all models |
//! | `*.flt` | [`Mech`]: a tree of nodes, each followed by its model |
//!
//! The records are those of [worlds](super::gamez), without the words after slots and without lists of parents and
//! children. The version can come after the models, so the version of a model is inferred from its first node.
//!
//! Source: [`zipper-mechlib.md`](formats::zipper_mechlib).

use core::cell::Cell;

use field::GAME_TEXT;

use field::record;
use field::{Block, F32, Fault, Integer as _, Result, U8, U16, U32, decode, lay, wide};
use kind::{MeshRef, lay_record};

use super::gamez::games::{Layouts, MechWarrior3, PiratesMoon};
use super::gamez::materials::{MaterialFlags, Soil, packed_rgb};
use super::gamez::models::{Head, Model, Scene};
use super::gamez::nodes::{
    Around, Base, Class, NodeClass, NodeHeader, NodePlace as _, NodePlacePm, NodePlaceRc, Parents,
};

record! {
    /// The entry `format`, 4 bytes. Source: `zipper-mechlib.md`, section 1.
    pub struct LibraryFormat: 4 {
        format: U32 = 1,
    }
}

record! {
    /// The entry `version`, 4 bytes: 27 MechWarrior 3, 41 Pirate's Moon. Source: `zipper-mechlib.md`, section 1.
    pub struct LibraryVersion: 4 {
        version: U32,
    }
}

record! {
    /// A material of a library, 40 bytes. Source: `zipper-mechlib.md`, section 2.
    pub struct MaterialHeader: 40 {
        alpha: U8,
        flags: MaterialFlags,
        rgb: U16 => |it| packed_rgb(it.flags),
        /// Red, green, blue, each up to 255.
        color: [F32; 3],
        texture_ptr: U32 as Pointer,
        unk_14: F32 = 0.0,
        unk_18: F32 = 0.5,
        unk_1c: F32 = 0.5,
        soil: Soil = Soil::DEFAULT,
        cycle_ptr: U32 = 0,
    }
}

/// A material of a library.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// The properties of the material.
    pub head: MaterialHeader,
    /// The name of its texture, if it has one.
    pub texture: Block,
}

/// The entry `materials`.
#[derive(Clone, Debug, Default)]
pub struct LibraryMaterials {
    /// The materials, in the order in which models refer to them.
    pub materials: Vec<Material>,
}

/// A node of a model.
#[derive(Clone, Debug, Default)]
pub struct MechNode<G: Layouts> {
    /// Its record.
    pub base: Base<G>,
    /// The number of its children among the following nodes.
    pub children: U32,
    /// The data of its class.
    pub class: Class<G>,
    /// Its model, if it has one.
    pub model: Option<Box<Model<G>>>,
}

/// An entry `*.flt`: a tree of nodes, each followed by its children.
#[derive(Clone, Debug, Default)]
pub struct Mech<G: Layouts> {
    /// The nodes; the first is the root.
    pub nodes: Vec<MechNode<G>>,
}

lay! {
    lay_record!(LibraryFormat);

    impl Lay for LibraryVersion {
        /// Lays out the version, and reports an unknown one.
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(*self))?;
            let found = self.version.get();
            let known = [MechWarrior3::VERSION, PiratesMoon::VERSION].contains(&found);
            t.expect("version", || (!known).then(|| ("27 or 41".into(), found.into())));
            Ok(())
        }
    }

    impl Lay for LibraryMaterials {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let count = t.number::<U32>("count", wide(self.materials.len()))?;
            t.list("materials", count, wide(size_of::<MaterialHeader>()), at!(self.materials), |t, material| {
                t.fields(at!(material.head))?;
                let textured = bitflags::Flags::contains(&material.head.flags, MaterialFlags::TEXTURED);
                if textured || !material.texture.is_empty() {
                    t.text::<U32>("texture_length", "texture", GAME_TEXT, at!(material.texture))?;
                }
                Ok(())
            })
        }
    }

    impl<G: Layouts> Lay for Mech<G> {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            // The number of nodes still to come, according to the previous ones.
            let (pending, mut root) = (Cell::new(1_u64), true);
            t.list_while("nodes", |_| pending.get() > 0, at!(self.nodes), |t, node| {
                node.lay_by(t, u64::from(!core::mem::take(&mut root)))?;
                let children = u64::from(node.children.get());
                pending.set(pending.get().saturating_sub(1) + children);
                Ok(())
            })?;
            match pending.get() {
                0 => Ok(()),
                pending => {
                    let found = wide(self.nodes.len());
                    Err(t.error_in("nodes", Fault::Count { expected: found + pending, found }))
                }
            }
        }
    }

    impl<G: Layouts> LayBy<u64> for MechNode<G> {
        /// Lays out the node, with the expected number of parents.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, parents: u64) -> Result {
            let Self { base, children, class, model } = self;
            t.fact("children", at!(*children))?;
            base.lay_by(t, Around::of(Parents::Expected(parents), children.get().into(), class))?;
            let [_, said] = base.place.stated(|name, count| t.stated(name, count))?;
            t.read(children, |children, t| {
                let too_large = || t.error_in("children", Fault::TooLarge { value: said, field: U32::LEAF.name });
                *children = U32::of(said).ok_or_else(too_large)?;
                Ok(())
            })?;
            t.computed("child_array_size", at!(*children), said)?;
            t.choose(at!(*class), |_| Class::of(base.head.class));
            t.choose(at!(*model), |_| {
                let modelled = base.head.class == NodeClass::OBJECT_3D && base.head.model_index.get() != 0;
                modelled.then(Box::default)
            });
            class.lay(t)?;
            match model {
                Some(model) => t.group("model", |t| {
                    model.lay_by(t, Head)?;
                    model.lay_by(t, Scene::default())
                }),
                None => Ok(()),
            }
        }
    }
}

impl<G: Layouts> Mech<G> {
    /// Returns an iterator over the meshes of the nodes that have a model, in the order of the nodes.
    pub fn meshes(&self) -> impl Iterator<Item = MeshRef<'_>> {
        self.nodes.iter().filter_map(|node| {
            let model = node.model.as_ref()?;
            Some(MeshRef { name: Some(node.base.head.name.to_string()), ..model.mesh.unnamed() })
        })
    }
}

/// Returns `true` if a model has the records of Pirate's Moon, judging by the root or, if it has no children, by decoding it.
///
/// Source: `zipper-nodes.md`, section 2.
pub(super) fn is_pirates_moon(entry: &bytes::Bytes) -> bool {
    let place = size_of::<NodeHeader>();
    let place = |size: usize| entry.get(place..)?.get(..size);
    let later: Option<NodePlacePm> = place(size_of::<NodePlacePm>()).and_then(field::macros::read_pod);
    let earlier: Option<NodePlaceRc> = place(size_of::<NodePlaceRc>()).and_then(field::macros::read_pod);
    match (later, earlier) {
        // At this position, one layout has the address of the children, and the other has a center that is always 0.
        (_, Some(earlier)) if earlier.child_array_ptr.get() != 0 => false,
        (Some(later), _) if later.child_array_size.get() != 0 => true,
        _ => decode::<Mech<MechWarrior3>>(entry.clone()).is_err(),
    }
}
