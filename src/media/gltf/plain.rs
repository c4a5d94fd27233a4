//! Triangles that cannot have a texture.
//!
//! glTF requires texture coordinates if a material has an image. Polygons of the Zipper games can have a textured material but
//! no coordinates (`zipper-models.md`, section 4): a single texel on all of it would be arbitrary, and may be a hole. So they get
//! the material without its image, which shows the colors of their corners.

use std::collections::HashMap;

use super::{Material, Scene};

impl Scene {
    /// Gives triangles without texture coordinates materials without images.
    pub fn plain(&mut self) {
        let Self { meshes, materials, .. } = self;
        let mut plain = HashMap::new();
        let mut count: usize = 0;
        for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            let Some(index) = primitive.material.filter(|_| primitive.coordinates.is_empty()) else { continue };
            let Some(material) = materials.get(index).filter(|material| material.image.is_some()) else { continue };
            let material = Material { image: None, ..material.clone() };
            primitive.material = Some(*plain.entry(index).or_insert_with(|| {
                materials.push(material);
                materials.len() - 1
            }));
            count += primitive.indices.len() / 3;
        }
        self.leave("textures of triangles without texture coordinates", count);
    }
}
