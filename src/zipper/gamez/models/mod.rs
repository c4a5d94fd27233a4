//! Models: a pool of slots, then the data of those that are used, in slot order.
//!
//! | part | bytes |
//! |---|---|
//! | [`ModelsHead`] | 12 |
//! | slots: a [`Model`] and where its data are, or which slot is free next | 88 Recoil, 96 MechWarrior 3, 104 later |
//! | the [`Mesh`] of each used slot | |
//!
//! Where data begin is noted as they are laid: what a slot says of it is compared with that, and settles by it, for to
//! settle is to lay the file until nothing changes any more.
//!
//! The same models stand in the entries of a 'Mech library, each with its mesh behind it and nothing between.
//!
//! Source: `zipper-models.md`.

mod light;
mod mesh;
mod polygon;
mod record;

pub use light::{Light, LightHead};
pub use mesh::{MaterialRef, Mesh, Scene};
pub use polygon::{Polygon, PolygonHead, PolygonMw, PolygonPm, PolygonRc, Zones};
pub use record::{
    FreeModelMw, FreeModelPm, FreeModelRc, ModelBody, ModelEnd, ModelEndMw, ModelEndPm, ModelFlags, ModelFlagsRc,
    ModelHead, ModelHeadMw, ModelHeadRc, ModelKind, Next,
};

use crate::field::{Block, I32, Result, Tape, U32, Whole as _, wide};
use crate::record;

use super::free::{broken_list, fields_ruled, null_where_nothing};
use super::games::Layouts;

record! {
    /// The head of the section, 12 bytes. Source: `zipper-models.md`, section 1.
    pub struct ModelsHead: 12 {
        array_size: I32 as Outside,
        used: I32 as Outside,
        /// The first free slot, -1 for none.
        free_head: I32,
    }
}

record! {
    /// What stands behind a model that is used, 4 bytes. Source: `zipper-models.md`, section 1.
    pub struct DataOffset: 4 {
        data_offset: U32 as Outside,
    }
}

/// What stands behind the record in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// Of a used slot: where its data lie in the file.
    Data(DataOffset),
    /// Of a free slot: the next free one, -1 for none.
    Next(I32),
}

impl Default for Link {
    fn default() -> Self {
        Self::Data(DataOffset::default())
    }
}

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model<G: Layouts> {
    /// What sort of model it is.
    pub head: G::ModelHead,
    /// Counts and addresses, which every game has.
    pub body: ModelBody,
    /// What later games added.
    pub end: G::ModelEnd,
    /// Points, lights, polygons.
    pub mesh: Mesh<G>,
}

/// A slot for a model.
#[derive(Clone, Debug, Default)]
pub struct Slot<G: Layouts> {
    /// The model; without anything in it where the slot is free.
    pub model: Model<G>,
    /// What stands behind it.
    pub link: Link,
    /// Where its data began when they were laid last.
    data_at: u64,
}

impl<G: Layouts> Model<G> {
    /// Bytes of the record.
    const SIZE: usize = size_of::<G::ModelHead>() + size_of::<ModelBody>() + size_of::<G::ModelEnd>();

    /// Lays the record, with its counts as the mesh has them.
    pub(in crate::zipper) fn lay_record(&mut self, t: &mut Tape<'_>) -> Result {
        let Self { head, body, end, mesh } = self;
        t.fields(head)?;
        for (name, count, length) in [
            ("polygon_count", &mut body.polygon_count, mesh.polygons.len()),
            ("vertex_count", &mut body.vertex_count, mesh.vertices.len()),
            ("normal_count", &mut body.normal_count, mesh.normals.len()),
            ("morph_count", &mut body.morph_count, mesh.morphs.len()),
            ("light_count", &mut body.light_count, mesh.lights.len()),
        ] {
            t.fill(name, count, wide(length))?;
        }
        t.fields(body)?;
        for (name, address, count) in [
            ("polygons_ptr", body.polygons_ptr, body.polygon_count),
            ("vertices_ptr", body.vertices_ptr, body.vertex_count),
            ("normals_ptr", body.normals_ptr, body.normal_count),
            ("lights_ptr", body.lights_ptr, body.light_count),
            ("morphs_ptr", body.morphs_ptr, body.morph_count),
        ] {
            null_where_nothing(t, name, address, count.get() > 0);
        }
        mesh.judge_bounds(t, head.is_facade(), body);
        end.fill(t, mesh.material_refs.len())?;
        t.fields(end)?;
        if let Some((address, count)) = end.references() {
            null_where_nothing(t, "material_refs_ptr", address, count.get() > 0);
        }
        Ok(())
    }

    /// Lays the data, as long as the record says.
    pub(in crate::zipper) fn lay_mesh(&mut self, t: &mut Tape<'_>, scene: Scene<'_>) -> Result {
        self.mesh.lay(t, &self.body, &self.end, scene)
    }

    /// Whether a slot with this model is used: someone refers to it, or it has something.
    fn is_used(&self) -> bool {
        let ModelBody { parent_count, polygon_count, vertex_count, normal_count, morph_count, light_count, .. } =
            self.body;
        let references = self.end.references().map(|(_, count)| count);
        let counts = [parent_count, polygon_count, vertex_count, normal_count, morph_count, light_count];
        counts.into_iter().chain(references).any(|count| count.get() != 0)
    }

    /// Whether there is nothing at all in the record.
    fn is_blank(&self) -> bool {
        let parts = [bytemuck::bytes_of(&self.head), bytemuck::bytes_of(&self.body), bytemuck::bytes_of(&self.end)];
        parts.into_iter().flatten().all(|&byte| byte == 0)
    }
}

/// The model section.
#[derive(Clone, Debug, Default)]
pub struct Models<G: Layouts> {
    /// Counts and the head of the free list.
    pub head: ModelsHead,
    /// The slots from the first to the last that is used.
    pub slots: Vec<Slot<G>>,
    /// The free slots behind them.
    pub free: Block<G::FreeModel>,
}

impl<G: Layouts> Models<G> {
    /// Bytes of a slot.
    pub(super) const SLOT: usize = Model::<G>::SIZE + size_of::<U32>();

    /// Lays the section.
    pub(super) fn lay(&mut self, t: &mut Tape<'_>, scene: Scene<'_>) -> Result {
        let size = wide(self.slots.len()).saturating_add(wide(self.free.len()));
        t.fill("array_size", &mut self.head.array_size, size)?;
        let used = self.slots.iter().filter(|slot| matches!(slot.link, Link::Data(_))).count();
        let rules = ModelsHead { used: I32::of(wide(used)).unwrap_or_default(), ..self.head };
        t.fields_by(&mut self.head, Some(&rules))?;
        let size = t.stated("array_size", self.head.array_size)?;
        self.judge_free_list(t);
        let mut free = wide(self.free.len());
        if t.reading() {
            t.room(size, wide(Self::SLOT))?;
            free = free_behind(t, size, Self::SLOT, |slot| slot.iter().all(|&byte| byte == 0))?;
        }
        let used = if t.reading() { size.saturating_sub(free) } else { wide(self.slots.len()) };
        t.list("slots", used, wide(Self::SLOT), &mut self.slots, lay_slot)?;
        t.block("free", free, &mut self.free)?;
        let lay = |t: &mut Tape<'_>, slot: &mut Slot<G>| {
            slot.data_at = t.position();
            slot.model.lay_mesh(t, scene)
        };
        t.each_apart("slots", &mut self.slots, lay, |slot, by| slot.data_at = slot.data_at.saturating_add(by))
    }

    /// Reports a free list that does not lead through all free slots.
    fn judge_free_list(&self, t: &mut Tape<'_>) {
        t.expect("free_head", || {
            let next = |next: I32| u32::from_le_bytes(next.get().to_le_bytes());
            let slots =
                self.slots.iter().map(|slot| if let Link::Next(it) = slot.link { Some(next(it)) } else { None });
            let free: Vec<_> = slots.chain(self.free.iter().map(|slot| Some(slot.next()))).collect();
            let broken = broken_list(&free, next(self.head.free_head), u32::MAX)?;
            Some(("a list of all free slots".into(), broken.into()))
        });
    }
}

/// Lays a slot.
fn lay_slot<G: Layouts>(t: &mut Tape<'_>, slot: &mut Slot<G>) -> Result {
    let Slot { model, link, data_at } = slot;
    model.lay_record(t)?;
    if t.building() {
        let used = if t.loading() { !t.is_given("next_free") } else { model.is_used() };
        *link = if used { Link::default() } else { Link::Next(I32::default()) };
    }
    match link {
        Link::Data(data) => {
            fields_ruled(t, data, |data| DataOffset { data_offset: U32::of(*data_at).unwrap_or(data.data_offset) })
        }
        Link::Next(next) => {
            t.value("next_free", next)?;
            let blank = model.is_blank();
            t.expect("next_free", || (!blank).then(|| ("nothing in a free slot".into(), "something".into())));
            Ok(())
        }
    }
}

/// In read mode, how many of so many slots ahead look free, from the last one back; the word behind each does not count.
pub(super) fn free_behind(t: &Tape<'_>, count: u64, size: usize, is_free: impl Fn(&[u8]) -> bool) -> Result<u64> {
    let slots = t.peek(t.position(), count.saturating_mul(wide(size))).map_err(|fault| t.error(fault))?;
    let record = size.saturating_sub(size_of::<U32>());
    let free = slots.rchunks_exact(size).take_while(|slot| slot.get(..record).is_some_and(&is_free));
    Ok(wide(free.count()))
}
