//! Models and objects of worlds and libraries.
//!
//! The games have y up, like glTF. The left of their worlds is at the lesser x and their bottom at the greater z
//! (`zipper-nodes.md`, section 6.8), so they are right-handed too, and no number changes. The order of a polygon's corners is
//! not specified: they are ordered to agree with its normals, and all materials are two-sided.

use crate::gamez::games::Layouts;
use crate::gamez::models::{Model, Polygon, PolygonHeader as _};
use crate::gamez::nodes::{Class, NodeClass, Object};
use field::F32;
use media::gltf::build::{Builder, Corner, triangles};
use media::gltf::vector::{Place, linear};
use media::gltf::{Mesh, Scene, Transform};

/// Converts a color of a file, with components up to 255, to linear light.
pub(super) fn light(color: [f32; 3]) -> [f32; 3] {
    color.map(|value| linear(value / 255.0))
}

/// What of its meshes a scene keeps.
#[derive(Clone, Copy)]
pub(super) enum Detail {
    All,
    /// Names and places. Each mesh can be [drawn](drawn) when it is needed.
    Outline,
}

impl Detail {
    /// Drops what is not kept of the last mesh of a scene.
    pub(super) fn keep(self, scene: &mut Scene) {
        if let (Self::Outline, Some(mesh)) = (self, scene.meshes.last_mut()) {
            mesh.primitives = Vec::new();
        }
    }
}

/// Draws the mesh of a model again, on a scene with the materials of the first.
pub(super) fn drawn<G: Layouts>(canvas: &mut Scene, model: &Model<G>, outline: &Mesh) -> Option<Mesh> {
    let Mesh { name, place, .. } = outline.clone();
    mesh(canvas, model, name, place.unwrap_or_default())?;
    canvas.meshes.pop()
}

/// Adds the mesh of a model to the scene, or returns `None` if it has no triangles.
pub(super) fn mesh<G: Layouts>(scene: &mut Scene, model: &Model<G>, name: String, place: String) -> Option<usize> {
    let mesh = &model.mesh;
    let mut builder = Builder::default();
    for (face, polygon) in (0..).zip(&mesh.polygons) {
        let material = polygon.material();
        let known = material.filter(|&material| material < scene.materials.len());
        scene.leave("polygons whose material is missing", usize::from(material != known));
        scene.leave("further materials of polygons", polygon.materials.len().saturating_sub(1));
        let corners: Option<Vec<Corner>> =
            (0..polygon.vertices.len()).map(|at| corner(model, polygon, (face, at))).collect();
        let Some(corners) = corners else {
            scene.leave("polygons with a missing corner", 1);
            continue;
        };
        for triangle in triangles(corners.len(), polygon.head.is_strip()) {
            let corners = triangle.map(|at| corners.get(at).copied().unwrap_or_default());
            builder.triangle_by_normals(known, corners);
        }
    }
    scene.leave("lights of models", mesh.lights.len());
    let morphs = usize::from(!mesh.morphs.is_empty());
    scene.leave("morphs of models, which are exported in their first shape", morphs);
    builder.finish(scene, name, Some(place))
}

/// Returns a corner of a polygon, or `None` if its point is missing.
fn corner<G: Layouts>(model: &Model<G>, polygon: &Polygon<G>, (face, at): (u32, usize)) -> Option<Corner> {
    let mesh = &model.mesh;
    let number = polygon.vertices.get(at)?.get();
    let vertex = usize::try_from(number).ok()?;
    let normal = polygon.normals.get(at).map(|index| {
        let normal = usize::try_from(index.get()).ok().and_then(|index| mesh.normals.get(index));
        // A missing normal has no direction either.
        normal.map_or([0.0; 3], |normal| normal.map(F32::get))
    });
    // The first material's coordinates come first. As in glTF, but unlike in most programs, v points down (`zipper-models.md`, section 4).
    let coordinates = polygon.uvs.get(at).map(|place| place.map(F32::get));
    let color = polygon.colors.get(at).map(|color| {
        let [red, green, blue] = light(color.map(F32::get));
        [red, green, blue, 1.0]
    });
    let (position, source) = (mesh.vertices.get(vertex)?.map(F32::get), [face, u32::try_from(at).ok()?]);
    Some(Corner { position, normal, coordinates, color, binding: None, vertex: number, source })
}

/// Returns the transform of an object; other classes have no transform of their own.
pub(super) fn transform<G: Layouts>(scene: &mut Scene, class: &Class<G>) -> Transform {
    let Class::Object(object) = class else { return Transform::default() };
    let (rows, translation) = matrix(object);
    let Some((transform, exact)) = Transform::of_rows(rows, translation) else {
        scene.leave("transforms that are not finite", 1);
        return Transform::default();
    };
    scene.leave("shears of matrices", usize::from(!exact));
    transform
}

/// Returns the rows and the translation.
pub(super) fn matrix<G: Layouts>(object: &Object<G>) -> Place {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, x, y, z] = object.matrices.transform.map(F32::get);
    ([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]], [x, y, z])
}

/// Returns additional information on a node.
pub(super) fn extras<G: Layouts>(kind: NodeClass, class: &Class<G>) -> serde_json::Map<String, serde_json::Value> {
    use crate::gamez::nodes::Lod as _;
    let mut extras = serde_json::Map::new();
    let name = kind.name().map_or_else(|| kind.get().to_string(), str::to_owned);
    extras.insert("class".to_owned(), name.into());
    if let Class::Lod(lod) = class {
        let [near, far] = lod.range().map(F32::get);
        // A number that is not finite becomes null.
        extras.insert("near".to_owned(), near.sqrt().into());
        extras.insert("far".to_owned(), far.into());
    }
    extras
}
