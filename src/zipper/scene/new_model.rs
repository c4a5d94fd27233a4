//! New models from the triangles of meshes: each polygon is like one of the file with the same material.
//!
//! Source: `zipper-models.md`, sections 1 to 6.

use std::collections::{BTreeMap, HashMap};

use super::import_model::{numbers, polygon};
use super::new_material::Materials;
use super::shown::{model_record, whole};
use super::slots::Slots;
use crate::gamez::World;
use crate::gamez::arithmetic;
use crate::gamez::games::Layouts;
use crate::gamez::models::{
    Link, Model, ModelBody, ModelEnd as _, ModelHeader as _, Polygon, PolygonHeader as _, Scene as Surroundings,
    references_to,
};
use field::{F32, I32, Value};
use kind::Imported;
use media::gltf::Scene;
use media::gltf::faces::NewFace;
use media::gltf::paint::Paint;
use media::gltf::vector::unit;

/// A new model in a slot of a world.
pub(super) struct Made {
    pub(super) slot: usize,
    /// The lowest and highest numbers of its points.
    pub(super) extent: [[f32; 3]; 2],
}

/// The new models of a world.
pub(super) struct NewModels<'w, G: Layouts> {
    world: &'w World<G>,
    drawn: &'w Scene,
    materials: &'w Materials<'w>,
    slots: Slots,
}

impl<'w, G: Layouts> NewModels<'w, G> {
    pub(super) fn of(world: &'w World<G>, (drawn, materials): (&'w Scene, &'w Materials<'w>)) -> Self {
        let mut blank = model_record(&Model::<G>::default());
        for name in ["vertices", "normals", "morphs", "lights", "polygons"] {
            blank.put(name, whole([]));
        }
        let slots = Slots {
            place: "/models",
            head: "/models/free_head",
            before: world.models.pool(),
            after: world.models.pool(),
            filled: BTreeMap::new(),
            freed: BTreeMap::new(),
            blank,
        };
        Self { world, drawn, materials, slots }
    }

    /// Makes a model with these triangles, which one node uses.
    pub(super) fn make(&mut self, faces: &[NewFace]) -> Result<Made, String> {
        let used = self.world.models.slots.iter().filter(|slot| matches!(slot.link, Link::Data(_)));
        let models: Vec<&Model<G>> = used.map(|slot| &slot.model).collect();
        let changing = self.world.changing();
        let (json, extent) = model(&models, (self.drawn, self.materials), faces, &changing)?;
        let slot = self.slots.after.take()?;
        self.slots.filled.insert(slot, json);
        Ok(Made { slot, extent })
    }

    /// Adds the edits.
    pub(super) fn edit(&self, to: &mut Imported) {
        self.slots.edit(to);
    }
}

/// Returns a model with these triangles in the exchange format, and the lowest and highest numbers of its points.
///
/// Its settings are those of one of these models with its first material.
pub(super) fn model<G: Layouts>(
    models: &[&Model<G>],
    (drawn, paints): (&Scene, &Materials<'_>),
    faces: &[NewFace],
    changing: &[bool],
) -> Result<(Value, [[f32; 3]; 2]), String> {
    // Facades turn, and morphs need points to which vertices move.
    let is_plain = |model: &Model<G>| model.head.is_plain() && model.mesh.morphs.is_empty();
    let mut order: Vec<&Model<G>> = models.to_vec();
    order.sort_by_key(|model| !is_plain(model));
    let mut known: HashMap<usize, (&Model<G>, &Polygon<G>)> = HashMap::new();
    for model in &order {
        for polygon in &model.mesh.polygons {
            if let Some(material) = polygon.material() {
                known.entry(material).or_insert((*model, polygon));
            }
        }
    }
    let (mut points, mut normals) = (Rows::default(), Rows::default());
    let (mut polygons, mut like_model) = (Vec::with_capacity(faces.len()), None);
    let mut materials = Vec::with_capacity(faces.len());
    for face @ NewFace { material, corners, .. } in faces {
        let material = material.ok_or("its mesh has triangles without a material; give them one of the file")?;
        let index = paints.number(material)?;
        let (of, like) = match material {
            Paint::Known(at) => {
                let slot = usize::try_from(index).map_err(|_| "internal error: a material without a place")?;
                known.get(&slot).copied().ok_or_else(|| {
                    let name = drawn.materials.get(at).map(|it| it.name.clone()).unwrap_or_default();
                    format!(
                        "no polygon of the file has the material {name:?}, so its settings are unknown; give the mesh another one"
                    )
                })?
            }
            Paint::New(_) => like_new(&order, drawn, paints.is_textured(material))?,
        };
        like_model.get_or_insert(of);
        let vertices = corners.each_ref().map(|corner| points.number(corner.position));
        let own: Vec<u32> = match like.head.has_normals() {
            true => {
                corners.iter().map(|it| normals.number(it.normal.and_then(unit).unwrap_or([0.0, 1.0, 0.0]))).collect()
            }
            false => Vec::new(),
        };
        polygons.push(polygon::<G>(like, (&vertices, &own), Some(index), face)?);
        materials.push(I32::new(index));
    }
    let like =
        like_model.filter(|model| is_plain(model)).or_else(|| order.first().copied().filter(|model| is_plain(model)));
    let like = like.ok_or(match faces.is_empty() {
        true => "its mesh has no triangles",
        false => "all models of the file turn to the viewer or morph, so there are no settings for a new one; copy an object and its mesh",
    })?;
    let cells: Vec<[F32; 3]> = points.rows.iter().map(|row| row.map(F32::new)).collect();
    let (mid, diagonal) = arithmetic::bounds(&cells).ok_or("its mesh has no points")?;
    let address = |is_present: bool| if is_present { like.body.polygons_ptr } else { 0.into() };
    let mut record: Model<G> = Model { head: like.head, end: like.end, ..Model::default() };
    record.body = ModelBody {
        parent_count: 1.into(),
        polygons_ptr: address(true),
        vertices_ptr: address(true),
        normals_ptr: address(!normals.rows.is_empty()),
        lights_ptr: address(false),
        morphs_ptr: address(false),
        bbox_mid: mid.map(F32::new),
        bbox_diag: F32::new(diagonal),
        ..like.body
    };
    let mut json = model_record(&record);
    json.put("vertices", points.json());
    json.put("normals", normals.json());
    json.put("morphs", whole([]));
    json.put("lights", whole([]));
    json.put("polygons", polygons.into_iter().collect());
    if record.end.references().is_some() {
        // Their values follow from the polygons.
        let scene = Surroundings { changing, placed: false };
        let count = references_to(materials.into_iter(), like.body.polygons_ptr, scene).len();
        json.put("material_refs", (0..count).map(|_| Value::Object(Vec::new())).collect());
        json.put("material_refs_ptr", i64::from(like.body.polygons_ptr.get()).into());
    }
    Ok((json, extent(&points.rows)))
}

/// Returns the first polygon whose settings one with a new material can have, with its model: it has a texture too, or none either, and a
/// single material.
fn like_new<'m, G: Layouts>(
    models: &[&'m Model<G>],
    drawn: &Scene,
    is_textured: bool,
) -> Result<(&'m Model<G>, &'m Polygon<G>), String> {
    let is_like = |polygon: &&Polygon<G>| {
        let material = polygon.material().and_then(|material| drawn.materials.get(material));
        material.is_some_and(|material| material.texture.is_some() == is_textured)
            && (polygon.head.uvs_ptr().get() != 0) == is_textured
            && polygon.materials.len() <= 1
    };
    let all = models.iter().flat_map(|model| model.mesh.polygons.iter().map(move |polygon| (*model, polygon)));
    let found = all.into_iter().find(|(_, polygon)| is_like(polygon));
    let what = if is_textured { "a texture" } else { "only a color" };
    found.ok_or_else(|| {
        format!(
            "its material is new, and no polygon of the file has a material with {what}, so the settings of its polygons are unknown; \
             give the mesh a material of the file"
        )
    })
}

/// Different rows of numbers.
#[derive(Default)]
struct Rows {
    rows: Vec<[f32; 3]>,
    known: HashMap<[u32; 3], u32>,
}

impl Rows {
    /// Returns the number of a row, which is added if it is new.
    fn number(&mut self, row: [f32; 3]) -> u32 {
        let next = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let number = *self.known.entry(row.map(f32::to_bits)).or_insert(next);
        if number == next {
            self.rows.push(row);
        }
        number
    }

    fn json(&self) -> Value {
        self.rows.iter().map(|row| numbers(row)).collect()
    }
}

/// Returns the lowest and highest numbers of some points.
fn extent(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let [mut low, mut high] = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for point in points {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip(point) {
            (*low, *high) = (low.min(*value), high.max(*value));
        }
    }
    [low, high]
}
