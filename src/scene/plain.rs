//! Triangles that a texture cannot be laid on.
//!
//! glTF wants texture coordinates wherever a material has an image. Polygons of the Zipper games may have a textured material
//! and no coordinates (`zipper-models.md`, section 4): one texel on all of it would be arbitrary, and may be a hole. So they have
//! the material without its image, in which the colors of their corners show.

use std::collections::HashMap;

use super::{Material, Scene};

impl Scene {
    /// Gives triangles without texture coordinates materials without images.
    pub(super) fn plain(&mut self) {
        let Self { meshes, materials, .. } = self;
        let mut plain = HashMap::new();
        let mut count: usize = 0;
        for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            let Some(index) = primitive.material.filter(|_| primitive.coordinates.is_empty()) else { continue };
            let Some(material) = materials.get(index).filter(|material| material.image.is_some()) else { continue };
            let material = Material { image: None, ..material.clone() };
            primitive.material = Some(*plain.entry(index).or_insert_with(|| {
                materials.push(material);
                materials.len().saturating_sub(1)
            }));
            count = count.saturating_add(primitive.indices.len() / 3);
        }
        self.leave("textures of triangles without texture coordinates", count);
    }
}
