//! Edits of models: points, normals, corners and polygons.
//!
//! Points and normals belong to the model, coordinates and colors to the corners of a polygon. Points that no polygon uses any more
//! stay, so that the numbers of the others do not change.

use std::collections::{BTreeMap, HashMap};

use super::new_material::Materials;
use crate::gamez::arithmetic;
use crate::gamez::games::Layouts;
use crate::gamez::models::{Mesh, Model, Polygon, PolygonHeader as _};
use field::{Address, F32, I32, Shaped as _, Value};
use kind::{Imported, ImportedEdit};
use media::gltf::faces::{CornerEdit, MeshEdit, NewFace};
use media::gltf::paint::Paint;
use media::gltf::vector::{dot, screen, times, unit, with_zeros_of};

/// The surroundings of an edited model.
pub(super) struct Context<'s> {
    pub(super) materials: &'s Materials<'s>,
    /// The place of the model.
    pub(super) place: Address,
    /// For each material, `true` if it is cycled. `None` if the place changes, so that nothing can be recomputed there.
    pub(super) changing: Option<&'s [bool]>,
}

/// The corners of polygons that use a normal, and the new normals of some of them.
type Users = BTreeMap<u32, (usize, Vec<[f32; 3]>)>;

impl Context<'_> {
    /// Finds the edits of a model.
    pub(super) fn edit<G: Layouts>(&self, model: &Model<G>, edit: &MeshEdit, to: &mut Imported) -> Result<(), String> {
        let mesh = &model.mesh;
        let mut points: Vec<[F32; 3]> = mesh.vertices.to_vec();
        for (&vertex, position) in &edit.vertices {
            let point = usize::try_from(vertex).ok().and_then(|vertex| points.get_mut(vertex));
            *point.ok_or_else(|| format!("model {}: no vertex {vertex}", self.place))? = position.map(F32::new);
            to.set(self.at(["vertices", &vertex.to_string()]), numbers(position));
        }
        self.edit_corners(mesh, edit, to)?;
        for (face, material) in &edit.materials {
            self.edit_material(mesh, *face, *material, to)?;
        }
        for face in &edit.deleted {
            to.edits.push(ImportedEdit::Delete(self.at(["polygons", &face.to_string()])));
        }
        self.add(mesh, edit, &mut points, to)?;
        let has_other_materials = !(edit.deleted.is_empty() && edit.added.is_empty() && edit.materials.is_empty());
        if has_other_materials && self.changing.is_some_and(|changing| model.refers_by_rule(changing)) {
            to.edits.push(ImportedEdit::Recompute(self.at(["material_refs"])));
        }
        if !edit.vertices.is_empty() || points.len() > mesh.vertices.len() {
            self.follow(model, &points, to);
            // The boxes are in the coordinates of the world or of other nodes, and no format spec has an exact rule for them.
            let ([low, high], [new_low, new_high]) = (reach(&mesh.vertices), reach(&points));
            let has_grown = |(old, new): (f32, f32)| new > old;
            if high.into_iter().zip(new_high).any(has_grown) || new_low.into_iter().zip(low).any(has_grown) {
                to.ignore("boxes of nodes around models that reach farther now, which stay unchanged", 1);
            }
        }
        Ok(())
    }

    fn at<'k>(&self, keys: impl IntoIterator<Item = &'k str>) -> Address {
        keys.into_iter().fold(self.place.clone(), |place, key| place.with(key))
    }

    fn edit_corners<G: Layouts>(&self, mesh: &Mesh<G>, edit: &MeshEdit, to: &mut Imported) -> Result<(), String> {
        let mut users = Users::new();
        for (&[face, corner], CornerEdit { normal, coordinates, color, .. }) in &edit.corners {
            let polygon = usize::try_from(face).ok().and_then(|face| mesh.polygons.get(face));
            let polygon = polygon.ok_or_else(|| format!("model {}: no polygon {face}", self.place))?;
            let (face, key) = (face.to_string(), corner.to_string());
            if let Some(coordinates) = coordinates {
                to.set(self.at(["polygons", &face, "uvs", &key]), numbers(coordinates));
            }
            if let Some(color) = color {
                let was = usize::try_from(corner).ok().and_then(|corner| polygon.colors.get(corner)).copied();
                to.set(self.at(["polygons", &face, "colors", &key]), numbers(&on_screen(*color, was)));
            }
            let index = usize::try_from(corner).ok().and_then(|corner| polygon.normals.get(corner));
            if let (Some(normal), Some(index)) = (normal, index) {
                users.entry(index.get()).or_default().1.push(*normal);
            }
        }
        if users.is_empty() {
            return Ok(());
        }
        for index in mesh.polygons.iter().flat_map(|polygon| polygon.normals.iter()) {
            if let Some((count, _)) = users.get_mut(&index.get()) {
                *count += 1;
            }
        }
        for (index, (count, found)) in users {
            let was = usize::try_from(index).ok().and_then(|index| mesh.normals.get(index));
            let (Some(first), Some(was)) = (found.first().copied().and_then(unit), was) else { continue };
            let alike = found.iter().all(|normal| unit(*normal).is_some_and(|normal| dot(normal, first) > 0.999));
            if found.len() < count || !alike {
                to.ignore("normals that corners with another one share, which stay unchanged", 1);
                continue;
            }
            let was = was.map(F32::get);
            let length = was.iter().map(|it| it * it).sum::<f32>().sqrt();
            let now = times(first, if length > 0.0 { length } else { 1.0 });
            to.set(self.at(["normals", &index.to_string()]), numbers(&with_zeros_of(was, now)));
        }
        Ok(())
    }

    fn edit_material<G: Layouts>(
        &self,
        mesh: &Mesh<G>,
        face: u32,
        material: Paint,
        to: &mut Imported,
    ) -> Result<(), String> {
        let polygon = usize::try_from(face).ok().and_then(|face| mesh.polygons.get(face));
        let polygon = polygon.ok_or_else(|| format!("model {}: no polygon {face}", self.place))?;
        let index = self.number(material, polygon)?;
        let face = face.to_string();
        match polygon.head.material_index() {
            Some(_) => to.set(self.at(["polygons", &face, "material_index"]), i64::from(index)),
            None => to.set(self.at(["polygons", &face, "materials", "0"]), i64::from(index)),
        }
        Ok(())
    }

    /// Returns the number in the file of a material for a polygon, or for one like it.
    fn number<G: Layouts>(&self, material: Paint, polygon: &Polygon<G>) -> Result<i32, String> {
        let is_new = matches!(material, Paint::New(_));
        if is_new && self.materials.is_textured(material) && polygon.head.uvs_ptr().get() == 0 {
            return Err(format!(
                "model {}: a polygon without texture coordinates has a new material with an image; give it one with a color only, or \
                 move the polygon to the mesh of a new node",
                self.place
            ));
        }
        self.materials.number(material)
    }

    fn add<G: Layouts>(
        &self,
        mesh: &Mesh<G>,
        edit: &MeshEdit,
        points: &mut Vec<[F32; 3]>,
        to: &mut Imported,
    ) -> Result<(), String> {
        let mut new: HashMap<[u32; 3], u32> = HashMap::new();
        let mut normals: HashMap<[u32; 3], u32> = HashMap::new();
        for (index, normal) in (0..).zip(mesh.normals.iter()) {
            normals.entry(normal.map(|it| it.get().to_bits())).or_insert(index);
        }
        let mut next_normal = u32::try_from(mesh.normals.len()).unwrap_or(u32::MAX);
        for face @ NewFace { like, material, corners } in &edit.added {
            let like = like.and_then(|like| mesh.polygons.get(usize::try_from(like).ok()?));
            let like = like.ok_or_else(|| format!("model {}: no polygon to make a new one like", self.place))?;
            let mut vertices = Vec::with_capacity(3);
            for corner in corners {
                vertices.push(match corner.vertex {
                    Some(vertex) => vertex,
                    None => {
                        let key = corner.position.map(f32::to_bits);
                        let next = u32::try_from(points.len()).map_err(|_| "too many vertices")?;
                        let vertex = *new.entry(key).or_insert(next);
                        if vertex == next {
                            if !mesh.morphs.is_empty() {
                                return Err(format!("model {}: it morphs, so it cannot have new vertices", self.place));
                            }
                            points.push(corner.position.map(F32::new));
                            to.set(self.at(["vertices", "-"]), numbers(&corner.position));
                        }
                        vertex
                    }
                });
            }
            let mut indices = Vec::new();
            if like.head.has_normals() {
                for corner in corners {
                    let normal = corner.normal.and_then(unit).unwrap_or([0.0, 1.0, 0.0]);
                    let index = *normals.entry(normal.map(f32::to_bits)).or_insert(next_normal);
                    if index == next_normal {
                        to.set(self.at(["normals", "-"]), numbers(&normal));
                        next_normal += 1;
                    }
                    indices.push(index);
                }
            }
            let index = match material {
                Some(material) => Some(self.number(*material, like)?),
                None => None,
            };
            let polygon = polygon::<G>(like, (&vertices, &indices), index, face);
            to.set(self.at(["polygons", "-"]), polygon.map_err(|why| format!("model {}: {why}", self.place))?);
        }
        Ok(())
    }

    /// Lets the bounds follow the points, if they did before.
    ///
    /// Source: `zipper-models.md`, section 2.2.
    fn follow<G: Layouts>(&self, model: &Model<G>, points: &[[F32; 3]], to: &mut Imported) {
        let lit = model.mesh.lights.iter().flat_map(|light| light.vertices.iter());
        let others: Vec<[F32; 3]> = lit.chain(model.mesh.morphs.iter()).copied().collect();
        let was = arithmetic::bounds(model.mesh.vertices.iter().chain(&others));
        let (Some((mid, diagonal)), Some((new_mid, new_diagonal))) =
            (was, arithmetic::bounds(points.iter().chain(&others)))
        else {
            return;
        };
        let near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * a.abs().max(1.0);
        let followed = model.body.bbox_mid.iter().zip(mid).all(|(found, mid)| near(found.get(), mid))
            && near(model.body.bbox_diag.get(), diagonal);
        if !followed {
            to.ignore("bounds of models that did not follow from their points, which stay unchanged", 1);
            return;
        }
        if mid != new_mid {
            to.set(self.at(["bbox_mid"]), numbers(&new_mid));
        }
        if diagonal.to_bits() != new_diagonal.to_bits() {
            to.set(self.at(["bbox_diag"]), new_diagonal);
        }
    }
}

/// Returns the lowest and highest numbers of some points.
fn reach(points: &[[F32; 3]]) -> [[f32; 3]; 2] {
    let mut reach = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    let [low, high] = &mut reach;
    for point in points {
        for ((low, high), value) in low.iter_mut().zip(&mut *high).zip(point.map(F32::get)) {
            (*low, *high) = (low.min(value), high.max(value));
        }
    }
    reach
}

pub(super) fn numbers(values: &[f32]) -> Value {
    values.iter().map(|&value| Value::from(value)).collect()
}

/// Converts a linear color to components up to 255. A component that is the same stays, and a new one is whole if the old ones were.
fn on_screen([red, green, blue, _]: [f32; 4], was: Option<[F32; 3]>) -> [f32; 3] {
    let is_whole = was.is_none_or(|was| was.iter().all(|it| it.get().fract() == 0.0));
    let mut color = [red, green, blue].map(|part| screen(part) * 255.0);
    for (at, part) in color.iter_mut().enumerate() {
        let was = was.and_then(|was| was.get(at).copied()).map(F32::get);
        *part = match was {
            Some(was) if (was.clamp(0.0, 255.0) - *part).abs() <= 0.6 => was,
            _ if is_whole => part.round(),
            _ => *part,
        };
    }
    color
}

/// Returns a new polygon in the exchange format.
///
/// # Errors
/// Returns the reason, as a sentence without the mesh, if a corner has no texture coordinates, but the polygon needs them.
pub(super) fn polygon<G: Layouts>(
    like: &Polygon<G>,
    (vertices, normals): (&[u32], &[u32]),
    material: Option<i32>,
    face: &NewFace,
) -> Result<Value, &'static str> {
    let mut head = like.head;
    head.set_corners(3);
    let mut json = G::Polygon::SHAPE.show(field::bytes_of(&head));
    let whole = |values: &[u32]| values.iter().map(|&value| Value::from(i64::from(value))).collect::<Value>();
    json.put("vertices", whole(vertices));
    if like.head.has_normals() {
        json.put("normals", whole(normals));
    }
    let groups = match like.head.material_index() {
        Some(_) => {
            if let Some(material) = material {
                json.put("material_index", i64::from(material).into());
            }
            1
        }
        None => {
            let mut materials: Vec<I32> = like.materials.to_vec();
            if let (Some(first), Some(material)) = (materials.first_mut(), material) {
                *first = I32::new(material);
            }
            json.put("materials", materials.iter().map(|it| Value::from(i64::from(it.get()))).collect());
            materials.len()
        }
    };
    if like.head.uvs_ptr().get() != 0 {
        let coordinates = face.coordinates()?;
        let uvs = coordinates.iter().map(|it| numbers(it));
        json.put("uvs", (0..groups).flat_map(|_| uvs.clone()).collect());
    }
    if G::Polygon::COLORS {
        let colors = face.corners.iter().map(|corner| numbers(&on_screen(corner.color.unwrap_or([1.0; 4]), None)));
        json.put("colors", colors.collect());
    }
    Ok(json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamez::games::MechWarrior3;
    use crate::gamez::models::PolygonMw;
    use media::gltf::faces::NewCorner;

    #[test]
    fn polygon_like_one_with_texture_coordinates_needs_its_own() {
        let head = PolygonMw { uvs_ptr: 1.into(), ..PolygonMw::default() };
        let like = Polygon::<MechWarrior3> { head, ..Polygon::default() };
        let place = Some([0.5, 0.25]);
        let corner = NewCorner { vertex: None, position: [0.0; 3], normal: None, coordinates: place, color: None };
        let made = |coordinates| {
            let corners = [corner, corner, NewCorner { coordinates, ..corner }];
            polygon(&like, (&[0, 1, 2], &[]), None, &NewFace { like: None, material: None, corners })
        };
        assert!(made(place).is_ok());
        assert!(made(None).is_err(), "no corner is at 0, 0 only because it has no coordinates");
    }
}
