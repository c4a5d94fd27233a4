//! Models: a pool of slots, then the data of the used ones, in slot order.
//!
//! | part | bytes |
//! |---|---|
//! | [`ModelsHeader`] | 12 |
//! | slots: a [`Model`], and the offset of its data or the next free slot | 88 Recoil, 96 MechWarrior 3, 104 later |
//! | the [`Mesh`] of each used slot | |
//!
//! The offset of the data is recorded when they are laid out. The offset stored in a slot is compared with it, and is
//! recomputed from it by laying the file out again until no value changes.
//!
//! The entries of a 'Mech library contain the same models, each followed directly by its mesh.
//!
//! Source: [`zipper-models.md`](formats::zipper_models).

mod halves;
mod light;
mod mesh;
mod polygon;
mod record;

pub(crate) use halves::Head;
pub use light::{Light, LightHeader};
pub use mesh::{MaterialRef, Mesh, Scene};
pub use polygon::{Polygon, PolygonHeader, PolygonMw, PolygonPm, PolygonRc, Zones};
pub use record::{
    FreeModelMw, FreeModelPm, FreeModelRc, ModelBody, ModelEnd, ModelEndMw, ModelEndPm, ModelFlags, ModelFlagsRc,
    ModelHeadMw, ModelHeadRc, ModelHeader, ModelKind, Next,
};

use field::build::Tape;
use field::record;
use field::{Block, Change, I32, Integer as _, Judge, Result, U32, change, lay, wide};

use self::mesh::material_refs_by_rule;
#[cfg(feature = "export")]
pub(crate) use self::mesh::references_to;
use super::free::{broken_list, first_free, null_where_nothing};
use super::games::Layouts;
use super::pool::Pool;

record! {
    /// The header of the section, 12 bytes. Source: `zipper-models.md`, section 1.
    pub struct ModelsHeader: 12 {
        array_size: I32 as Outside,
        used: I32 as Outside,
        /// The first free slot, or -1 for none.
        free_head: I32,
    }
}

record! {
    /// The word after a used model, 4 bytes. Source: `zipper-models.md`, section 1.
    pub struct DataOffset: 4 {
        data_offset: U32 as Outside,
    }
}

/// The word after the record in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// Used slot: the offset of its data in the file.
    Data(DataOffset),
    /// Free slot: the next free one, or -1 for none.
    Next(I32),
}

impl Default for Link {
    fn default() -> Self {
        Self::Data(DataOffset::default())
    }
}

impl Link {
    /// Returns the word after a used or free slot.
    fn of(used: bool) -> Self {
        if used { Self::default() } else { Self::Next(I32::default()) }
    }
}

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model<G: Layouts> {
    /// The type of the model.
    pub head: G::ModelHeader,
    /// Counts and addresses, which every game has.
    pub body: ModelBody,
    /// The fields that later games added.
    pub end: G::ModelEnd,
    /// Points, lights, polygons.
    pub mesh: Mesh<G>,
}

/// A model slot.
#[derive(Clone, Debug, Default)]
pub struct Slot<G: Layouts> {
    /// The model; empty if the slot is free.
    pub model: Model<G>,
    /// The word after it.
    pub link: Link,
    /// The offset of its data when they were last laid out.
    data_at: u64,
}

impl<G: Layouts> Model<G> {
    /// The size of the record in bytes.
    const SIZE: usize = size_of::<G::ModelHeader>() + size_of::<ModelBody>() + size_of::<G::ModelEnd>();

    /// Computes the material references from the polygons. Returns the previous and the current number of them.
    fn follow_polygons(&mut self, t: &Tape<'_>, scene: Scene<'_>) -> Result<Change> {
        let rules = material_refs_by_rule(&self.mesh.polygons, &self.body, scene);
        if self.end.references().is_none() || self.mesh.material_refs == rules {
            return Ok(None);
        }
        let was = core::mem::replace(&mut self.mesh.material_refs, rules).len();
        self.end.fill(t, self.mesh.material_refs.len())?;
        Ok(Some((was.into(), self.mesh.material_refs.len().into())))
    }

    /// Returns `true` if the model has material references and they follow from its polygons, given which materials are cycled.
    pub(crate) fn refers_by_rule(&self, changing: &[bool]) -> bool {
        let rules = material_refs_by_rule(&self.mesh.polygons, &self.body, Scene { changing, placed: false });
        let told = |it: &MaterialRef| (it.material_index, it.usages);
        self.end.references().is_some() && rules.iter().map(told).eq(self.mesh.material_refs.iter().map(told))
    }

    /// Returns `true` if a slot with this model is used: it is referred to or has data.
    fn is_used(&self) -> bool {
        let ModelBody { parent_count, polygon_count, vertex_count, normal_count, morph_count, light_count, .. } =
            self.body;
        let references = self.end.references().map(|(_, count)| count);
        let counts = [parent_count, polygon_count, vertex_count, normal_count, morph_count, light_count];
        counts.into_iter().chain(references).any(|count| count.get() != 0)
    }

    /// Returns `true` if the record is all zeros.
    fn is_blank(&self) -> bool {
        let parts = [field::bytes_of(&self.head), field::bytes_of(&self.body), field::bytes_of(&self.end)];
        parts.into_iter().flatten().all(|&byte| byte == 0)
    }
}

/// The model section.
#[derive(Clone, Debug, Default)]
pub struct Models<G: Layouts> {
    /// Counts and the first slot of the free list.
    pub head: ModelsHeader,
    /// The slots up to the last used one.
    pub slots: Vec<Slot<G>>,
    /// The free slots after them.
    pub free: Block<G::FreeModel>,
}

/// Returns a link of the free list without its sign.
fn unsigned(next: I32) -> u32 {
    u32::from_le_bytes(next.get().to_le_bytes())
}

impl<G: Layouts> Models<G> {
    /// The size of a slot in bytes.
    pub(super) const SLOT: usize = Model::<G>::SIZE + size_of::<U32>();

    /// Counts the slots up to the last used one, and the free slots after it.
    fn sizes(&self) -> [u64; 2] {
        [self.slots.len(), self.free.len()].map(wide)
    }

    /// Reports a free list that does not include all free slots.
    fn judge_free_list(&self, t: &mut Judge<'_>) {
        t.expect("free_head", || {
            let broken = broken_list(&self.free_slots(), unsigned(self.head.free_head), u32::MAX)?;
            Some(("a list of all free slots".into(), broken.into()))
        });
    }

    /// Returns the slots as a pool.
    pub(crate) fn pool(&self) -> Pool {
        Pool::of(self.free_slots(), self.slots.len(), unsigned(self.head.free_head), u32::MAX)
    }

    /// Returns for each slot the next free one, or `None` if it is in use.
    fn free_slots(&self) -> Vec<Option<u32>> {
        let slots =
            self.slots.iter().map(|it| if let Link::Next(next) = it.link { Some(unsigned(next)) } else { None });
        slots.chain(self.free.iter().map(|slot| Some(slot.next()))).collect()
    }

    /// Sets the first slot of the free list if the links are right.
    fn follow_free_list(&mut self) -> Change {
        let first = first_free(&self.free_slots(), u32::MAX)?;
        change(&mut self.head.free_head, I32::new(i32::from_le_bytes(first.to_le_bytes())))
    }
}

lay! {
    impl<G: Layouts> LayBy<Scene<'_>> for Models<G> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, scene: Scene<'_>) -> Result {
            let [slots, free] = self.sizes();
            t.recompute("free_head", at!(*self), |models, _| Ok(models.follow_free_list()))?;
            t.computed("array_size", at!(self.head.array_size), slots + free)?;
            let used = self.slots.iter().filter(|slot| matches!(slot.link, Link::Data(_))).count();
            let rules = ModelsHeader { used: t.rule("used", wide(used), self.head.used)?, ..self.head };
            t.fields_by(at!(self.head), Some(&rules))?;
            let size = t.stated("array_size", self.head.array_size)?;
            t.judge(|t| self.judge_free_list(t));
            let is_free = |slot: &[u8]| slot.iter().all(|&byte| byte == 0);
            let [slots, free] = match t.seen(|t| slots_ahead(t, size, Self::SLOT, is_free)) {
                Some(found) => found?,
                None => [slots, free],
            };
            t.list("slots", slots, wide(Self::SLOT), at!(self.slots), |t, slot| slot.lay(t))?;
            t.block("free", free, at!(self.free))?;
            t.each_apart(
                "slots",
                at!(self.slots),
                |t, slot| {
                    t.begins(at!(slot.data_at))?;
                    slot.model.lay_by(t, scene)
                },
                |slot, by| slot.data_at += by,
            )
        }
    }

    impl<G: Layouts> Lay for Slot<G> {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let Self { model, link, data_at } = self;
            model.lay_by(t, Head)?;
            t.choose(at!(*link), |t| Link::of(!t.exists("next_free", !model.is_used())));
            match link {
                Link::Data(data) => {
                    let rule = U32::of(*data_at);
                    t.fields_ruled(data, |data| DataOffset { data_offset: rule.unwrap_or(data.data_offset) })
                }
                Link::Next(next) => {
                    t.value("next_free", next)?;
                    let blank = model.is_blank();
                    t.expect("next_free", || (!blank).then(|| ("zeros in a free slot".into(), "other bytes".into())));
                    Ok(())
                }
            }
        }
    }

    /// Its record, with the counts of its mesh.
    impl<G: Layouts> LayBy<Head> for Model<G> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, _: Head) -> Result {
            let Self { head, body, end, mesh } = self;
            t.fields(at!(*head))?;
            for (name, count, length) in [
                ("polygon_count", at!(body.polygon_count), mesh.polygons.len()),
                ("vertex_count", at!(body.vertex_count), mesh.vertices.len()),
                ("normal_count", at!(body.normal_count), mesh.normals.len()),
                ("morph_count", at!(body.morph_count), mesh.morphs.len()),
                ("light_count", at!(body.light_count), mesh.lights.len()),
            ] {
                t.computed(name, count, wide(length))?;
            }
            t.fields(at!(*body))?;
            for (name, address, count) in [
                ("polygons_ptr", body.polygons_ptr, body.polygon_count),
                ("vertices_ptr", body.vertices_ptr, body.vertex_count),
                ("normals_ptr", body.normals_ptr, body.normal_count),
                ("lights_ptr", body.lights_ptr, body.light_count),
                ("morphs_ptr", body.morphs_ptr, body.morph_count),
            ] {
                t.judge(|t| null_where_nothing(t, name, address, count.get() > 0));
            }
            t.judge(|t| mesh.judge_bounds(t, head.is_plain(), body));
            t.when_recomputing(at!(*end), |end, t| end.fill(t, mesh.material_refs.len()))?;
            t.fields(at!(*end))?;
            if let Some((address, count)) = end.references() {
                t.judge(|t| null_where_nothing(t, "material_refs_ptr", address, count.get() > 0));
            }
            Ok(())
        }
    }

    /// Its data, as long as the record states.
    impl<G: Layouts> LayBy<Scene<'_>> for Model<G> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, scene: Scene<'_>) -> Result {
            t.recompute("material_refs", at!(*self), |model, t| model.follow_polygons(t, scene))?;
            let Self { body, end, mesh, .. } = self;
            let (body, end): (&ModelBody, &G::ModelEnd) = (body, end);
            mesh.lay_by(t, (body, end, scene))
        }
    }
}

/// Counts the next slots up to the last that does not look free, and those after it. The word at the end of each slot
/// does not matter.
pub(super) fn slots_ahead(t: &Tape<'_>, count: u64, size: usize, is_free: impl Fn(&[u8]) -> bool) -> Result<[u64; 2]> {
    t.room(count, wide(size))?;
    let slots = t.peek(t.position(), count * wide(size)).map_err(|fault| t.error(fault))?;
    let record = size - size_of::<U32>();
    let free = slots.rchunks_exact(size).take_while(|slot| slot.get(..record).is_some_and(&is_free));
    let free = wide(free.count());
    Ok([count - free, free])
}
