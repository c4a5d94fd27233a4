//! Meshes, whatever the family of their games.

use field::F32;

/// A mesh of a world, a library or a model.
#[derive(Clone, Debug)]
pub struct MeshRef<'a> {
    /// The entry of a library that the mesh belongs to, if any.
    pub entry: Option<String>,
    /// The name of the first node with this mesh, or `None` if no node has it.
    pub name: Option<String>,
    /// The positions of its vertices: x, y, z.
    pub vertices: &'a [[F32; 3]],
    /// Its normals. In worlds and libraries, polygons refer to them; in models, there is one per vertex, or none.
    pub normals: &'a [[F32; 3]],
    /// The number of its faces: polygons with any number of corners in worlds and libraries, triangles in models.
    pub faces: usize,
}
