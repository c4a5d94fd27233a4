//! Models that do not move, as few large parts: a world has tens of thousands of primitives with a few triangles each, and each of them
//! would be drawn by a call of its own.

use core::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;

use bitexact::field::{Value, decode, wide};
use bitexact::kind::{Format, Kind};
use bitexact::media::gltf::{Opacity, Primitive, Scene, Transform};
use bitexact::zipper::archive::Archive;
use bitexact::zipper::gamez::Gamez;
use bitexact::zipper::scene::{of_library, of_world};
use bitexact::zipper::texture::Package;
use bytes::Bytes;

use crate::open::{Done, Opened};

/// The vertices that parts have at most. Nodes can share a mesh, so a small file can have any number.
const MOST: usize = 6_000_000;

/// The triangles of one material, in the coordinates of the whole. Lists without values are empty.
#[derive(Default)]
pub struct Part {
    /// Three numbers for each vertex.
    pub positions: Vec<f32>,
    /// Three numbers for each vertex.
    pub normals: Vec<f32>,
    /// Two numbers for each vertex.
    pub coordinates: Vec<f32>,
    /// Four numbers for each vertex.
    pub colors: Vec<f32>,
    /// Three vertices for each triangle.
    pub indices: Vec<u32>,
}

/// A model in parts.
pub struct Still {
    /// The parts, each with the number of its material.
    pub parts: Vec<(Option<usize>, Part)>,
    /// Materials: color, number of the image, opacity, sides.
    pub surfaces: Value,
    /// The images as PNG.
    pub images: Vec<Vec<u8>>,
    /// What is left out.
    pub about: Value,
}

/// A matrix by columns, the last one being the offset.
type Matrix = [[f64; 3]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];

/// The memory of a world, its model and its scene, in multiples of its size.
const OF_WORLD: usize = 9;
/// The memory that is set aside at most.
const ASIDE: usize = 128 << 20;

/// Sets memory aside for a file of this size, all at once, if it is of a kind that is drawn in 3D: otherwise the memory of the module grows
/// by 64 KB again and again, which takes some engines as long as making the scene. What is not used of it takes no memory of the machine,
/// but stays with the module, so nothing is set aside for other kinds.
pub(crate) fn set_aside(kind: &Kind, bytes: usize) {
    if !kind.exports.iter().any(|export| export.extension == "glb") {
        return;
    }
    let mut room = Vec::<u8>::new();
    // If there is not as much, the memory grows when it must.
    if room.try_reserve_exact(bytes.saturating_mul(OF_WORLD).min(ASIDE)).is_ok() {
        std::hint::black_box(&room);
    }
}

impl Opened {
    /// Returns a world or a library of models in parts, or `None` if the entry is something else, or too large for that. `packages` are
    /// texture packages.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if something does not decode.
    pub fn still(&self, entry: &str, packages: Vec<Bytes>) -> Done<Option<Still>> {
        let (kind, bytes) = self.part(entry)?;
        let said = |why: bitexact::field::Error| why.to_string();
        let is = |name: &str| kind.is_some_and(|kind: &Kind| kind.name == name);
        if !is(Gamez::NAME) && !is(Archive::NAME) {
            return Ok(None);
        }
        kind.into_iter().for_each(|kind| set_aside(kind, bytes.len()));
        let packages = packages.into_iter().map(|file| decode::<Package>(file).map(|it| it.model).map_err(said));
        let packages: Vec<Package> = packages.collect::<Done<_>>()?;
        let scene = match is(Gamez::NAME) {
            true => Some(of_world(&*self.model_of::<Gamez>(entry, bytes)?, &packages)),
            false => of_library(&*self.model_of::<Archive>(entry, bytes)?, &packages),
        };
        Ok(scene.and_then(still))
    }

    /// Returns the model of an entry. That of the file itself is there already.
    fn model_of<M: Format + Clone + 'static>(&self, entry: &str, bytes: Bytes) -> Done<Cow<'_, M>> {
        let whole: &dyn Any = &*self.model;
        match whole.downcast_ref().filter(|_| entry.is_empty()) {
            Some(model) => Ok(Cow::Borrowed(model)),
            None => decode::<M>(bytes).map(|it| Cow::Owned(it.model)).map_err(|why| why.to_string()),
        }
    }
}

/// Returns a scene in parts, unless it moves or would be too large.
fn still(scene: Scene) -> Option<Still> {
    if !scene.animations.is_empty() || !scene.skins.is_empty() {
        return None;
    }
    let mut parts: BTreeMap<(Option<usize>, [bool; 3]), Part> = BTreeMap::new();
    let mut vertices: usize = 0;
    let mut open: Vec<(usize, Matrix)> = scene.roots.iter().map(|root| (*root, IDENTITY)).collect();
    while let Some((index, outer)) = open.pop() {
        let Some(node) = scene.nodes.get(index) else { continue };
        let matrix = times(&outer, &matrix(&node.transform));
        let turn = cofactors(&matrix);
        for primitive in node.mesh.and_then(|mesh| scene.meshes.get(mesh)).iter().flat_map(|mesh| &mesh.primitives) {
            vertices = vertices.saturating_add(primitive.positions.len());
            if vertices > MOST {
                return None;
            }
            let has = [primitive.normals.is_empty(), primitive.coordinates.is_empty(), primitive.colors.is_empty()];
            parts.entry((primitive.material, has)).or_default().add(primitive, &matrix, &turn);
        }
        open.extend(node.children.iter().map(|child| (*child, matrix)));
    }
    let surfaces = scene.materials.iter().map(|material| {
        let image = material.image.and_then(|index| Some((index, scene.images.get(index)?)));
        let [.., opacity] = material.color;
        let mode = match image.map(|(_, image)| image.opacity).unwrap_or_default() {
            _ if opacity < 1.0 => "BLEND",
            Opacity::Opaque => "OPAQUE",
            Opacity::Holes => "MASK",
            Opacity::Blended => "BLEND",
        };
        Value::from([
            ("color", material.color.iter().map(|it| Value::from(*it)).collect()),
            ("image", image.map_or(Value::Null, |(index, _)| wide(index).into())),
            ("mode", mode.into()),
            ("isTwoSided", material.two_sided.into()),
            ("isClamped", image.map_or([false; 2], |(_, image)| image.clamped).into_iter().collect()),
        ])
    });
    let surfaces = surfaces.collect();
    let left_out = scene.left_out.iter().map(|(what, count)| ((*what).into(), wide(*count).into())).collect();
    Some(Still {
        parts: parts.into_iter().map(|((material, _), part)| (material, part)).collect(),
        surfaces,
        images: scene.images.into_iter().map(|image| image.png).collect(),
        about: Value::from([("left_out", Value::Object(left_out)), ("lacking", Value::List(Vec::new()))]),
    })
}

impl Part {
    fn add(&mut self, from: &Primitive, matrix: &Matrix, turn: &[[f64; 3]; 3]) {
        let first = u32::try_from(self.positions.len() / 3).unwrap_or(u32::MAX);
        for position in &from.positions {
            let [x, y, z] = position.map(f64::from);
            let [a, b, c, d] = matrix;
            self.positions.extend([0, 1, 2].map(|row| (a[row] * x + b[row] * y + c[row] * z + d[row]) as f32));
        }
        for normal in &from.normals {
            let [x, y, z] = normal.map(f64::from);
            let [a, b, c] = turn;
            let turned = [0, 1, 2].map(|row| a[row] * x + b[row] * y + c[row] * z);
            let length = turned.iter().map(|it| it * it).sum::<f64>().sqrt();
            let length = if length > 0.0 { length } else { 1.0 };
            self.normals.extend(turned.map(|it| (it / length) as f32));
        }
        self.coordinates.extend(from.coordinates.as_flattened());
        self.colors.extend(from.colors.as_flattened());
        self.indices.extend(from.indices.iter().map(|index| index.saturating_add(first)));
    }
}

/// Returns the matrix of a transform.
fn matrix(Transform { translation, rotation, scale }: &Transform) -> Matrix {
    let [x, y, z, w] = rotation.map(f64::from);
    let [along, up, across] = scale.map(f64::from);
    let columns = [
        ([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)], along),
        ([2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)], up),
        ([2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)], across),
    ];
    let [a, b, c] = columns.map(|(column, factor)| column.map(|it| it * factor));
    [a, b, c, translation.map(f64::from)]
}

fn times(one: &Matrix, other: &Matrix) -> Matrix {
    let [a, b, c, d] = one;
    let turned = |[x, y, z]: &[f64; 3]| [0, 1, 2].map(|row| a[row] * x + b[row] * y + c[row] * z);
    let [e, f, g, h] = other.each_ref().map(turned);
    [e, f, g, [0, 1, 2].map(|row| h[row] + d[row])]
}

/// Returns what turns normals as a matrix turns positions: its cofactors, with their sign for mirrored parts.
fn cofactors([a, b, c, _]: &Matrix) -> [[f64; 3]; 3] {
    let cross = |one: &[f64; 3], other: &[f64; 3]| {
        [
            one[1] * other[2] - one[2] * other[1],
            one[2] * other[0] - one[0] * other[2],
            one[0] * other[1] - one[1] * other[0],
        ]
    };
    let all = [cross(b, c), cross(c, a), cross(a, b)];
    let volume: f64 = a.iter().zip(&all[0]).map(|(one, other)| one * other).sum();
    all.map(|column| column.map(|it| if volume < 0.0 { -it } else { it }))
}
