//! The data of a model: points, lights, polygons.

use crate::Vec3;
use crate::gamez::arithmetic;
use crate::gamez::games::Layouts;
use field::record;
use field::{Block, F32, I32, Judge, Result, Shaped as _, Thresholds, U32, lay, wide};
use kind::{Game, MeshRef};

use super::halves::{Data, Head};
use super::light::{Light, LightHeader};
use super::polygon::Polygon;
use super::record::{ModelBody, ModelEnd};

record! {
    /// A material that a model uses, from Pirate's Moon onward, 12 bytes. Source: `zipper-models.md`, section 6.
    pub struct MaterialRef: 12 {
        material_index: I32 as Outside,
        /// The number of polygons that have it as their first material.
        usages: U32 as Outside,
        /// The address of the first of them in memory.
        polygon_ptr: U32 as Outside,
    }
}

/// The surroundings that the data of models depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scene<'a> {
    /// For each material, `true` if it is cycled.
    pub changing: &'a [bool],
    /// `true` if material references store the addresses of polygons; `false` in a library.
    pub placed: bool,
}

/// The data of a model.
#[derive(Clone, Debug, Default)]
pub struct Mesh<G: Layouts> {
    /// Points.
    pub vertices: Block<Vec3>,
    /// Normals.
    pub normals: Block<Vec3>,
    /// Points that the vertices morph to.
    pub morphs: Block<Vec3>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Polygons.
    pub polygons: Vec<Polygon<G>>,
    /// The materials it uses, from Pirate's Moon onward.
    pub material_refs: Vec<MaterialRef>,
}

impl<G: Layouts> Mesh<G> {
    /// Returns a mesh without names.
    pub(crate) fn unnamed(&self) -> MeshRef<'_> {
        let Self { vertices, normals, polygons, .. } = self;
        MeshRef { entry: None, name: None, vertices, normals, faces: polygons.len() }
    }
}

lay! {
    impl<G: Layouts> LayBy<(&ModelBody, &G::ModelEnd, Scene<'_>)> for Mesh<G> {
        /// Lays out the data, as much as the record states.
        fn lay_by(
            self: at!(Self),
            t: &mut Tape<'_>,
            (body, end, scene): (&ModelBody, &G::ModelEnd, Scene<'_>),
        ) -> Result {
            let Self { vertices, normals, morphs, lights, polygons, material_refs } = self;
            let ModelBody { vertex_count, normal_count, morph_count, light_count, polygon_count, .. } = body;
            t.block("vertices", vertex_count.get(), vertices)?;
            t.block("normals", normal_count.get(), normals)?;
            t.block("morphs", morph_count.get(), morphs)?;
            t.list("lights", light_count.get(), wide(size_of::<LightHeader>()), at!(*lights), |t, light| light.lay_by(t, Head))?;
            t.each("lights", lights, |t, light| light.lay_by(t, Data))?;
            let (count, smallest) = (polygon_count.get(), wide(size_of::<G::Polygon>()));
            t.list("polygons", count, smallest, at!(*polygons), |t, polygon| polygon.lay_by(t, Head))?;
            t.each("polygons", polygons, |t, polygon| polygon.lay_by(t, Data))?;
            if let Some((_, count)) = end.references() {
                let rules = t.rules(|| Ok(material_refs_by_rule(polygons, body, scene)))?;
                // A reference beyond those that the rules give is compared with the default.
                let (mut by_rule, surplus) = (rules.iter().flatten(), MaterialRef::default());
                let smallest = wide(size_of::<MaterialRef>());
                t.list("material_refs", count.get(), smallest, at!(*material_refs), |t, reference| {
                    t.fields_by(reference, rules.is_some().then(|| by_rule.next().unwrap_or(&surplus)))
                })?;
                let (expected, found) = (rules.iter().flatten().count(), material_refs.len());
                t.expect("material_refs", || (expected != found).then(|| (expected.into(), found.into())));
            }
            Ok(())
        }
    }
}

/// Returns the material references of polygons.
pub(super) fn material_refs_by_rule<G: Layouts>(
    polygons: &[Polygon<G>],
    body: &ModelBody,
    scene: Scene<'_>,
) -> Vec<MaterialRef> {
    references_to(polygons.iter().filter_map(Polygon::first_material), body.polygons_ptr, scene)
}

/// Returns the references to the first materials of polygons: to each cycled one once per polygon, then to each other one once.
///
/// Source: `zipper-models.md`, section 6.
pub(crate) fn references_to(
    materials: impl Iterator<Item = I32>,
    polygons_ptr: U32,
    scene: Scene<'_>,
) -> Vec<MaterialRef> {
    let (mut changing, mut plain): (Vec<MaterialRef>, Vec<MaterialRef>) = Default::default();
    // Where the others lie after the first few, which are searched; most meshes have no others.
    let mut known = rustc_hash::FxHashMap::default();
    let few = Thresholds::here().materials;
    let mut address = polygons_ptr.get();
    // Where the last one is: polygons with the same material often follow each other.
    let mut last = 0;
    for material_index in materials {
        let polygon_ptr = U32::new(if scene.placed { address } else { 0 });
        let reference = MaterialRef { material_index, usages: 1.into(), polygon_ptr };
        address = address.wrapping_add(40);
        let is_same = |it: &MaterialRef| it.material_index == material_index;
        if let Some(known) = plain.get_mut(last).filter(|it| is_same(it)) {
            known.usages.set(known.usages.get() + 1);
            continue;
        }
        let index = usize::try_from(material_index.get()).ok();
        if index.and_then(|index| scene.changing.get(index)) == Some(&true) {
            changing.push(reference);
            continue;
        }
        let at = plain.iter().take(few).position(is_same).or_else(|| known.get(&material_index.get()).copied());
        last = at.unwrap_or(plain.len());
        if let Some(known) = plain.get_mut(last) {
            known.usages.set(known.usages.get() + 1);
            continue;
        }
        if plain.len() >= few {
            known.insert(material_index.get(), plain.len());
        }
        plain.push(reference);
    }
    changing.extend(plain);
    changing
}

impl<G: Layouts> Mesh<G> {
    /// Reports bounds of a Recoil model that differ from those of its points and of its lights. The engine computes other bounds for
    /// facades, none for points, and includes the points to which it morphs, about which too little is known.
    ///
    /// Source: `zipper-models.md`, section 2.2.
    pub(super) fn judge_bounds(&self, t: &mut Judge<'_>, is_plain: bool, body: &ModelBody) {
        if !is_plain || !self.morphs.is_empty() || G::TITLE != Game::Recoil {
            return;
        }
        let lit = self.lights.iter().flat_map(|light| light.vertices.iter());
        let Some((mid, diagonal)) = arithmetic::bounds(self.vertices.iter().chain(lit)) else { return };
        let found = body.bbox_mid.map(F32::get);
        // The engine computes with more digits.
        let near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * a.abs().max(1.0);
        let close = found.iter().zip(mid).all(|(&found, mid)| near(found, mid));
        t.expect("bbox_mid", || {
            let show = |point: [f32; 3]| Vec3::SHAPE.show(field::bytes_of(&point.map(F32::new)));
            (!close).then(|| (show(mid), show(found)))
        });
        let found = body.bbox_diag.get();
        t.expect("bbox_diag", || {
            let show = |value: f32| F32::SHAPE.show(field::bytes_of(&F32::new(value)));
            (!near(found, diagonal)).then(|| (show(diagonal), show(found)))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamez::games::PiratesMoon;

    /// Source: the example of `zipper-models.md`, section 6.
    #[test]
    fn cycled_materials_are_listed_first_and_once_per_polygon() {
        let polygon =
            |material: i32| Polygon { materials: vec![I32::new(material)].into(), ..Polygon::<PiratesMoon>::default() };
        let mesh = Mesh { polygons: [7, 7, 12, 3, 7, 12].map(polygon).into(), ..Mesh::default() };
        let body = ModelBody { polygons_ptr: 0x0500_0000.into(), ..ModelBody::default() };
        let mut changing = [false; 13];
        changing[12] = true;
        let told = |scene: Scene<'_>| -> Vec<_> {
            let references = material_refs_by_rule(&mesh.polygons, &body, scene).into_iter();
            references.map(|it| (it.material_index.get(), it.usages.get(), it.polygon_ptr.get())).collect()
        };
        assert_eq!(
            told(Scene { changing: &changing, placed: true }),
            [(12, 1, 0x0500_0050), (12, 1, 0x0500_00C8), (7, 3, 0x0500_0000), (3, 1, 0x0500_0078)]
        );
        assert_eq!(told(Scene::default()), [(7, 3, 0), (12, 2, 0), (3, 1, 0)]);
    }
}
