//! Contact sheets of packages.

use field::decode;
use kind::{Drawing, Export};
use media::sheet::{self, Tile};

use super::Package;
use super::png::{PngError, shown};

/// All images of a package.
pub const EXPORT: Export = Export {
    extension: "png",
    shows: "all images, with their names",
    draw: |file, _| Drawing::of_sheet(&tiles(&decode::<Package>(file)?.model)),
    levels: None,
};

/// Returns a contact sheet of all images of a package, in directory order, as a PNG.
///
/// # Errors
/// Returns an error if there is no image, or the sheet would be too large.
pub fn contact_sheet(package: &Package) -> Result<Vec<u8>, PngError> {
    Ok(sheet::contact_sheet(&tiles(package))?)
}

/// Returns the images of a package.
fn tiles(package: &Package) -> Vec<Tile<'_>> {
    let tile = |(item, image): (usize, _)| {
        let image: &super::Image = image;
        let name = package.directory.get(item).map(|slot| slot.name.bytes().to_vec()).unwrap_or_default();
        let [width, height] = [image.head.width, image.head.height].map(|side| side.get().into());
        Tile { name, width, height, shown: Box::new(move || shown(image, package.palette_of(item))) }
    };
    package.images.iter().enumerate().map(tile).collect()
}
