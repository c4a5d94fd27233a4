//! Texture packages of the Zipper games: a directory, shared palettes, images end to end.
//! Source: zipper-textures.md.

mod broken;
mod samples;
mod traps;

use crate::bytes::{Bytes, field};
pub use broken::broken;
pub use samples::samples;
pub(crate) use samples::{Colors, package};

/// Set in every image. Source of this and the next constants: zipper-textures.md, section 2.1.
pub const SIXTEEN_BIT: u32 = 0x01;
/// The image has transparency.
pub const HAS_ALPHA: u32 = 0x02;
/// The image has no transparency.
pub const NO_ALPHA: u32 = 0x04;
/// An alpha plane is stored.
pub const FULL_ALPHA: u32 = 0x08;
/// The image uses a palette of the package.
pub const GLOBAL_PALETTE: u32 = 0x10;

/// A texture package. Source: zipper-textures.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 0.
    pub zero00: u32,
    /// 1.
    pub version: u32,
    /// `None`: the number of palettes.
    pub palette_count: Option<i32>,
    /// `None`: the number of images.
    pub image_count: Option<u32>,
    /// 0.
    pub zeros: [u32; 2],
    /// Of 256 colors each.
    pub palettes: Vec<Vec<u16>>,
    /// In the order of the directory.
    pub images: Vec<Image>,
    /// Indices of the images in the order of the file; empty: the order of the directory.
    pub file_order: Vec<usize>,
    /// Bytes after the last image.
    pub trailing: Vec<u8>,
}

/// An image and its directory row. Source: zipper-textures.md, section 2.
#[derive(Clone, Debug)]
pub struct Image {
    /// Bytes before the image.
    pub gap: Vec<u8>,
    /// Without extension.
    pub name: [u8; 32],
    /// `None`: the actual offset.
    pub start: Option<u32>,
    /// The index of an image with the same location: this one has no bytes of its own.
    pub same_as: Option<usize>,
    /// -1: no palette of the package.
    pub palette_index: i32,
    /// See the constants; the other bits are ownership or leftover memory.
    pub flags: u32,
    /// In pixels.
    pub width: u16,
    /// In pixels.
    pub height: u16,
    /// 0.
    pub zero08: u32,
    /// 0 if pixels are colors; else the number of colors used in the palette.
    pub palette_count: u16,
    /// Clamping or stretching.
    pub addressing: u16,
    /// Two bytes per pixel, or one if there is a palette.
    pub pixels: Vec<u8>,
    /// One byte per pixel, if the flags require it.
    pub alpha: Vec<u8>,
    /// The image's own palette.
    pub palette: Vec<u16>,
}

impl Spec {
    /// Creates a package with computed values.
    pub fn new(palettes: Vec<Vec<u16>>, images: Vec<Image>) -> Self {
        Self {
            zero00: 0,
            version: 1,
            palette_count: None,
            image_count: None,
            zeros: [0; 2],
            palettes,
            images,
            file_order: vec![],
            trailing: vec![],
        }
    }
}

impl Image {
    /// Creates an image of colors, without transparency.
    pub fn new(name: &str, width: u16, height: u16, pixels: Vec<u8>) -> Self {
        Self {
            gap: vec![],
            name: field(name.as_bytes(), b""),
            start: None,
            same_as: None,
            palette_index: -1,
            flags: SIXTEEN_BIT | NO_ALPHA,
            width,
            height,
            zero08: 0,
            palette_count: 0,
            addressing: 0,
            pixels,
            alpha: vec![],
            palette: vec![],
        }
    }

    /// Returns the image with transparency: encoded in its colors, or in a separate plane.
    pub fn with_alpha(self, plane: Option<Vec<u8>>) -> Self {
        let full = if plane.is_some() { FULL_ALPHA } else { 0 };
        Self { flags: self.flags & !NO_ALPHA | HAS_ALPHA | full, alpha: plane.unwrap_or_default(), ..self }
    }

    /// Returns the image with indices into its own palette.
    pub fn with_palette(self, palette: Vec<u16>) -> Self {
        Self { palette_count: palette.len() as u16, palette, ..self }
    }

    /// Returns the image with indices into this many colors of a palette of the package.
    pub fn with_global_palette(self, index: i32, count: u16) -> Self {
        Self { palette_index: index, palette_count: count, flags: self.flags | GLOBAL_PALETTE, ..self }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let first = 24 + 40 * spec.images.len() + 512 * spec.palettes.len();
    let mut data = Bytes::new();
    let mut starts = vec![0; spec.images.len()];
    let directory_order = (0..spec.images.len()).collect();
    for &at in if spec.file_order.is_empty() { &directory_order } else { &spec.file_order } {
        let image = &spec.images[at];
        if image.same_as.is_none() {
            data.raw(&image.gap);
            starts[at] = (first + data.len()) as u32;
            write(&mut data, image);
        }
    }
    let mut out = Bytes::new();
    out.le_u32(spec.zero00).le_u32(spec.version);
    out.le_i32(spec.palette_count.unwrap_or(spec.palettes.len() as i32));
    out.le_u32(spec.image_count.unwrap_or(spec.images.len() as u32));
    out.le_u32(spec.zeros[0]).le_u32(spec.zeros[1]);
    for (at, image) in spec.images.iter().enumerate() {
        let start = image.start.unwrap_or(starts[image.same_as.unwrap_or(at)]);
        out.raw(&image.name).le_u32(start).le_i32(image.palette_index);
    }
    spec.palettes.iter().flatten().for_each(|&color| _ = out.le_u16(color));
    out.raw(data.written()).raw(&spec.trailing);
    out.finish()
}

fn write(out: &mut Bytes, image: &Image) {
    out.le_u32(image.flags).le_u16(image.width).le_u16(image.height).le_u32(image.zero08);
    out.le_u16(image.palette_count).le_u16(image.addressing);
    out.raw(&image.pixels).raw(&image.alpha);
    image.palette.iter().for_each(|&color| _ = out.le_u16(color));
}

#[cfg(test)]
mod tests {
    use super::{Image, Spec, build};
    use crate::bytes::Bytes;

    /// Source: zipper-textures.md, section 4.
    #[test]
    fn worked_example_is_built() {
        let dot = Image::new("dot", 2, 1, vec![0x00, 0xF8, 0x1F, 0x00]);
        let mut expected = Bytes::new();
        expected.raw(&[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]).fill(0, 8);
        expected.raw(b"dot").fill(0, 29).raw(&[0x40, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
        expected.raw(&[5, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8, 0x1F, 0]);
        assert_eq!(build(&Spec::new(vec![], vec![dot])), expected.finish());
    }

    /// Source: zipper-textures.md, section 2: the order of the parts of an image.
    #[test]
    fn palettes_of_the_package_come_first_and_those_of_images_last() {
        let global = (0..256).collect();
        let own = Image::new("own", 1, 2, vec![1, 0]).with_alpha(Some(vec![9, 8])).with_palette(vec![0xAAAA, 0xBBBB]);
        let bytes = build(&Spec::new(vec![global], vec![own]));
        assert_eq!(bytes[64..68], [0, 0, 1, 0]);
        let image = [0x0B, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 9, 8, 0xAA, 0xAA, 0xBB, 0xBB];
        assert_eq!(bytes[64 + 512..], image);
        assert_eq!(bytes[56..60], (64u32 + 512).to_le_bytes());
    }
}
