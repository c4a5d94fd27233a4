//! Textures of worlds and libraries, from packages.

use std::collections::HashMap;

use bitflags::Flags as _;

use crate::texture::png::{Transparency, picture, transparency};
use crate::texture::{Addressing, Package};
use field::{Style as _, Windows, decode_text};
use media::gltf::{Image, Material, Opacity, Scene};

/// The images of packages, by name.
pub(super) struct Textures<'a> {
    packages: &'a [Package],
    /// Package and item, by lowercase name without extension.
    known: HashMap<Vec<u8>, (usize, usize)>,
    /// The images already in the scene; `None` if an image cannot be a PNG.
    made: HashMap<(usize, usize), Option<usize>>,
}

impl<'a> Textures<'a> {
    pub(super) fn of(packages: &'a [Package]) -> Self {
        let mut known = HashMap::new();
        for (package, of) in packages.iter().enumerate() {
            for (item, slot) in of.directory.iter().enumerate() {
                // Names can repeat; the first one counts.
                known.entry(slot.name.bytes().to_ascii_lowercase()).or_insert((package, item));
            }
        }
        Self { packages, known, made: HashMap::new() }
    }

    /// Adds a material with a texture to the scene.
    pub(super) fn material(&mut self, scene: &mut Scene, name: &[u8], place: String) {
        let texture = decode_text(Windows::PAGE, name);
        let image = self.image(scene, name, &texture);
        let color = [1.0; 4];
        let (name, texture, place) = (texture.clone(), Some(texture), Some(place));
        scene.materials.push(Material { name, color, texture, image, two_sided: true, place });
    }

    /// Returns the image of a texture, adding it to the scene if necessary.
    fn image(&mut self, scene: &mut Scene, name: &[u8], shown: &str) -> Option<usize> {
        let name = name.to_ascii_lowercase();
        let stem = name.iter().rposition(|&byte| byte == b'.').and_then(|dot| name.get(..dot));
        // The stem itself can end in dots, which the image does not have (`zipper-gamez.md`, section 4).
        let end = stem.and_then(|stem| stem.iter().rposition(|&byte| byte != b'.'));
        let stem = end.and_then(|end| name.get(..=end));
        let Some(&at) = self.known.get(&name).or_else(|| self.known.get(stem?)) else {
            scene.leave("textures that are not in the given packages", usize::from(!self.packages.is_empty()));
            return None;
        };
        if let Some(&made) = self.made.get(&at) {
            return made;
        }
        let (package, item) = at;
        let package = self.packages.get(package)?;
        let image = package.images.get(item)?;
        let opacity = match transparency(&image.head) {
            Transparency::None => Opacity::Opaque,
            Transparency::Simple => Opacity::Holes,
            Transparency::Full => Opacity::Blended,
        };
        let png = picture(image, package.palette_of(item));
        scene.leave("textures that cannot be PNGs", usize::from(png.is_err()));
        let addressing = image.head.addressing;
        scene.leave(
            "textures that the game draws by adding their colors",
            usize::from(addressing.contains(Addressing::ADDITIVE)),
        );
        let clamped = [Addressing::CLAMP_U, Addressing::CLAMP_V].map(|mode| addressing.contains(mode));
        let made = png.ok().map(|png| {
            scene.images.push(Image { name: shown.to_owned(), png, opacity, clamped });
            scene.images.len() - 1
        });
        self.made.insert(at, made);
        made
    }
}

/// Adds a material with a color to the scene: red, green, blue up to 255, and its opacity.
pub(super) fn colored(scene: &mut Scene, color: [f32; 3], alpha: u8, place: String) {
    let name = format!("{} {} {}", color[0], color[1], color[2]);
    let [red, green, blue] = super::models::light(color);
    let color = [red, green, blue, f32::from(alpha) / 255.0];
    scene.materials.push(Material { name, color, texture: None, image: None, two_sided: true, place: Some(place) });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::{Image, ImageFlags, ImageHeader, Slot};
    use field::Text;

    /// Source: `zipper-gamez.md`, section 4.
    #[test]
    fn seeds_11_dots_at_the_end_of_a_stem_do_not_matter() {
        let mut name = [0; 32];
        name[..14].copy_from_slice(b"bldhwk_cowling");
        let flags = ImageFlags::from_bits_retain(5);
        let head = ImageHeader { flags, width: 1.into(), height: 1.into(), ..ImageHeader::default() };
        let image = Image { head, pixels: vec![0; 2].into(), ..Image::default() };
        let directory = vec![Slot { name: Text::new(name), ..Slot::default() }];
        let package = Package { directory, images: vec![image], ..Package::default() };
        for (name, found) in
            [(&b"bldhwk_cowling..tif"[..], 1), (b"bldhwk_cowling.tif", 1), (b"bldhwk_cowl.tif", 0), (b"...tif", 0)]
        {
            let (packages, mut scene) = ([package.clone()], Scene::default());
            Textures::of(&packages).material(&mut scene, name, String::new());
            assert_eq!(scene.images.len(), found);
        }
    }
}
