//! Textures of models: images found by name, as PNG.
//!
//! A texture is a TGA, a DDS of the game or of other programs (`nwn-other.md`, section 3), or a PNG that a user has put beside the model.
//! The formats TGA and DXT are those of Truevision's specification 2.0 and of Khronos' Data Format Specification, section 18.

use std::collections::HashMap;

use bytes::Bytes;

use kind::ExportOptions;
use media::gltf::{Image, Opacity, Scene};
use media::png::{self, Picture, Pixels, Rgba};

/// Gives the materials of a scene the images of their textures, where these are found.
pub(super) fn paint(scene: &mut Scene, options: &ExportOptions) {
    let Some(images) = &options.images else { return };
    let mut made: HashMap<String, Option<usize>> = HashMap::new();
    for at in 0..scene.materials.len() {
        let Some(name) = scene.materials.get(at).and_then(|material| material.texture.clone()) else { continue };
        let image = *made.entry(name.to_lowercase()).or_insert_with_key(|key| {
            let Some(file) = images.find(key) else {
                scene.leave("textures that were not found", 1);
                return None;
            };
            let image = image(&file, &name);
            scene.leave(
                "textures of other formats than PNG, TGA and DDS, or damaged ones",
                usize::from(image.is_none()),
            );
            scene.images.push(image?);
            scene.images.len().checked_sub(1)
        });
        if let Some(material) = scene.materials.get_mut(at) {
            material.image = image;
        }
    }
    scene.plain();
}

/// Returns an image as PNG, or `None` if it is of another format.
fn image(file: &Bytes, name: &str) -> Option<Image> {
    let (width, height, colors) = if file.starts_with(b"\x89PNG") {
        let picture = Picture::read(file).ok()?;
        (picture.width.into(), picture.height.into(), picture.colors)
    } else {
        dds(file).or_else(|| tga(file))?
    };
    let alphas = || colors.iter().map(|[.., alpha]| *alpha);
    let opacity = match (alphas().all(|it| it == u8::MAX), alphas().all(|it| it == 0 || it == u8::MAX)) {
        (true, _) => Opacity::Opaque,
        (_, true) => Opacity::Holes,
        _ => Opacity::Blended,
    };
    let png = png::write(width, height, &Pixels::Rgba, colors.as_flattened()).ok()?;
    Some(Image { name: name.to_owned(), png, opacity, ..Image::default() })
}

/// Returns a texture of the game as PNG: a TGA, a DDS of the game or of other programs, or a PNG. Returns `None` if it is damaged, or of
/// another format.
#[must_use]
pub fn picture(file: &Bytes) -> Option<Vec<u8>> {
    image(file, "").map(|image| image.png)
}

/// Width, height, and the pixels row by row from the top.
type Decoded = (u32, u32, Vec<Rgba>);

/// Takes numbers from the beginning of a file.
struct Reader<'f>(&'f [u8]);

impl<'f> Reader<'f> {
    fn take(&mut self, count: usize) -> Option<&'f [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn short(&mut self) -> Option<u16> {
        self.take(2)?.first_chunk().copied().map(u16::from_le_bytes)
    }

    fn long(&mut self) -> Option<u32> {
        self.take(4)?.first_chunk().copied().map(u32::from_le_bytes)
    }
}

/// Returns the number of pixels if an image is not too large.
fn count(width: u32, height: u32) -> Option<usize> {
    let (wide, high) = png::sides((width, height)).ok()?;
    Some(usize::from(wide) * usize::from(high))
}

fn tga(file: &[u8]) -> Option<Decoded> {
    let mut head = Reader(file);
    let (id, has_map, kind) = (head.byte()?, head.byte()?, head.byte()?);
    // The color map, which images of these types do not use, and the position on the screen.
    let (_, map_length, map_bits) = (head.short()?, head.short()?, head.byte()?);
    head.take(4)?;
    let (width, height) = (u32::from(head.short()?), u32::from(head.short()?));
    let (bits, descriptor) = (head.byte()?, head.byte()?);
    let size = usize::from(bits / 8);
    if has_map > 1 || !matches!((kind, bits), (2 | 10, 24 | 32) | (3 | 11, 8)) {
        return None;
    }
    let map = usize::from(map_length) * usize::from(map_bits).div_ceil(8);
    head.take(usize::from(id) + if has_map == 1 { map } else { 0 })?;
    let count = count(width, height)?;
    let pixel = |bytes: &[u8]| match *bytes {
        [grey] => [grey, grey, grey, u8::MAX],
        [blue, green, red] => [red, green, blue, u8::MAX],
        [blue, green, red, alpha] => [red, green, blue, alpha],
        _ => [0; 4],
    };
    let mut colors: Vec<Rgba> = Vec::new();
    if matches!(kind, 2 | 3) {
        colors.extend(head.take(count.checked_mul(size)?)?.chunks_exact(size.max(1)).map(pixel));
    }
    while colors.len() < count {
        let packet = head.byte()?;
        let run = (usize::from(packet & 0x7F) + 1).min(count - colors.len());
        if packet & 0x80 == 0 {
            colors.extend(head.take(run * size)?.chunks_exact(size.max(1)).map(pixel));
        } else {
            colors.extend(core::iter::repeat_n(pixel(head.take(size)?), run));
        }
    }
    // Rows begin at the bottom unless the descriptor differs.
    let wide = usize::try_from(width).ok()?.max(1);
    if descriptor & 0x20 == 0 {
        colors = colors.chunks_exact(wide).rev().flatten().copied().collect();
    }
    if descriptor & 0x10 != 0 {
        colors.chunks_exact_mut(wide).for_each(<[Rgba]>::reverse);
    }
    Some((width, height, colors))
}

/// Decodes the largest image of a DDS.
fn dds(file: &[u8]) -> Option<Decoded> {
    let mut head = Reader(file);
    let (width, height, has_alpha) = if file.starts_with(b"DDS ") {
        head.take(12)?;
        let (height, width) = (head.long()?, head.long()?);
        head.take(64)?;
        let kind = head.take(4)?;
        head.take(40)?;
        match kind {
            b"DXT1" => (width, height, false),
            b"DXT5" => (width, height, true),
            _ => return None,
        }
    } else {
        let (width, height, channels, size) = (head.long()?, head.long()?, head.long()?, head.long()?);
        head.take(4)?;
        let has_alpha = match channels {
            3 => false,
            4 => true,
            _ => return None,
        };
        let expected = u64::from(width).checked_mul(height.into())?.checked_div(if has_alpha { 1 } else { 2 })?;
        if expected != u64::from(size) || !width.is_power_of_two() || !height.is_power_of_two() {
            return None;
        }
        (width, height, has_alpha)
    };
    let pixels = count(width, height)?;
    // A block of 4 by 4 pixels has 8 bytes, or 16 with opacities.
    let blocks = usize::try_from(width.div_ceil(4)).ok()?.checked_mul(usize::try_from(height.div_ceil(4)).ok()?)?;
    if blocks.checked_mul(if has_alpha { 16 } else { 8 })? > head.0.len() {
        return None;
    }
    let mut colors: Vec<Rgba> = vec![[0; 4]; pixels];
    let wide = usize::try_from(width).ok()?;
    for top in (0..height).step_by(4) {
        for left in (0..width).step_by(4) {
            let alphas = if has_alpha { Some(alphas(&mut head)?) } else { None };
            let block = block(&mut head, has_alpha)?;
            for (nth, mut color) in (0_u32..).zip(block) {
                let (x, y) = (left + nth % 4, top + nth / 4);
                if let Some(alpha) = alphas.as_ref().and_then(|alphas| alphas.get(usize::try_from(nth).ok()?)) {
                    color[3] = *alpha;
                }
                let at = usize::try_from(y).ok()? * wide + usize::try_from(x).ok()?;
                if let Some(to) = colors.get_mut(at).filter(|_| x < width) {
                    *to = color;
                }
            }
        }
    }
    // The game stores rows from the bottom, as OpenGL does.
    if !file.starts_with(b"DDS ") {
        colors = colors.chunks_exact(wide.max(1)).rev().flatten().copied().collect();
    }
    Some((width, height, colors))
}

/// Returns the colors of a block of 4 by 4 pixels. In a block of DXT1 whose first color is not the greater, the fourth is a hole.
fn block(from: &mut Reader<'_>, has_alpha: bool) -> Option<[Rgba; 16]> {
    let (first, second) = (from.short()?, from.short()?);
    let indices = from.long()?;
    let wide = |color: u16| {
        let part = |shift: u16, bits: u16| {
            let most = (1_u32 << bits) - 1;
            (u32::from(color >> shift) & most) * 255 / most.max(1)
        };
        [part(11, 5), part(5, 6), part(0, 5)]
    };
    let (one, other) = (wide(first), wide(second));
    let mixed = |of_one: u32, of_other: u32| {
        let mut color = [u8::MAX; 4];
        for ((to, one), other) in color.iter_mut().zip(one).zip(other) {
            let sum = one * of_one + other * of_other;
            *to = u8::try_from(sum / (of_one + of_other).max(1)).unwrap_or(u8::MAX);
        }
        color
    };
    let palette = match has_alpha || first > second {
        true => [mixed(1, 0), mixed(0, 1), mixed(2, 1), mixed(1, 2)],
        false => [mixed(1, 0), mixed(0, 1), mixed(1, 1), [0; 4]],
    };
    let mut colors = [[0; 4]; 16];
    for (nth, to) in (0_u32..).zip(&mut colors) {
        let index = usize::try_from((indices >> (nth * 2)) & 3).ok()?;
        *to = *palette.get(index)?;
    }
    Some(colors)
}

/// Returns the opacities of a block of DXT5.
fn alphas(from: &mut Reader<'_>) -> Option<[u8; 16]> {
    let (first, second) = (from.byte()?, from.byte()?);
    let bits = from.take(6)?.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    let mixed = |of_one: u16, of_other: u16| {
        let sum = u16::from(first) * of_one + u16::from(second) * of_other;
        u8::try_from(sum / (of_one + of_other).max(1)).unwrap_or(u8::MAX)
    };
    let mut palette = [first, second, 0, 0, 0, 0, 0, u8::MAX];
    let steps: u16 = if first > second { 7 } else { 5 };
    for (nth, to) in (1..steps).zip(palette.iter_mut().skip(2)) {
        *to = mixed(steps - nth, nth);
    }
    let mut alphas = [0; 16];
    for (nth, to) in (0_u32..).zip(&mut alphas) {
        *to = *palette.get(usize::try_from((bits >> (nth * 3)) & 7).ok()?)?;
    }
    Some(alphas)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_runs_of_a_tga_are_decoded() {
        let head = |kind: u8, bits: u8, descriptor: u8| {
            [&[0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, bits, descriptor][..]].concat()
        };
        let plain = [head(2, 24, 0), vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]].concat();
        let rows = vec![[9, 8, 7, 255], [12, 11, 10, 255], [3, 2, 1, 255], [6, 5, 4, 255]];
        assert_eq!(tga(&plain), Some((2, 2, rows)));
        let runs = [head(10, 32, 0x20), vec![0x82, 1, 2, 3, 4, 0, 5, 6, 7, 8]].concat();
        assert_eq!(tga(&runs), Some((2, 2, vec![[3, 2, 1, 4], [3, 2, 1, 4], [3, 2, 1, 4], [7, 6, 5, 8]])));
        let grey = [head(3, 8, 0x30), vec![1, 2, 3, 4]].concat();
        assert_eq!(tga(&grey).unwrap().2.map_first(), [2, 1, 4, 3]);
        for length in 0..plain.len() {
            assert_eq!(tga(&plain[..length]), None, "cut to {length} bytes");
        }
    }

    #[test]
    fn blocks_of_a_dds_are_decoded() {
        let head = |channels: u8, size: u8| [4_u8, 4, channels, size].map(u32::from).map(u32::to_le_bytes).concat();
        let mean = 1.0_f32.to_le_bytes();
        // Red and blue; the last row, which is stored first, has all four colors.
        let colors = [0x00, 0xF8, 0x1F, 0x00, 0b1110_0100, 0, 0, 0];
        let file = [&head(3, 8)[..], &mean, &colors, &[0; 24]].concat();
        let (_, _, pixels) = dds(&file).expect("decodes");
        assert_eq!(pixels[12..], [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]]);
        assert_eq!(pixels[..12], [[255, 0, 0, 255]; 12]);
        let holes = [&head(3, 8)[..], &mean, &[0x1F, 0x00, 0x00, 0xF8, 0xFF, 0, 0, 0]].concat();
        assert_eq!(dds(&holes).unwrap().2[12..], [[0; 4]; 4]);
        let alphas = [255, 0, 0b0000_1000, 0, 0, 0, 0, 0];
        let file = [&head(4, 16)[..], &mean, &alphas, &colors].concat();
        let shown: Vec<u8> = dds(&file).unwrap().2[12..].iter().map(|it| it[3]).collect();
        assert_eq!(shown, [255, 0, 255, 255]);
        assert_eq!(dds(&[&head(3, 9)[..], &mean, &colors].concat()), None, "a wrong size");
        assert_eq!(dds(&file[..30]), None, "cut off");
        let side = 2048_u32.to_le_bytes();
        let huge = [&b"DDS "[..], &[0; 8], &side, &side, &[0; 64], b"DXT1", &[0; 40]].concat();
        let used = allocation_counter::measure(|| assert_eq!(dds(&huge), None)).bytes_max;
        assert!(used < 1024, "{used} bytes for pixels that are not in the file");
    }

    trait First {
        fn map_first(self) -> Vec<u8>;
    }

    impl First for Vec<Rgba> {
        fn map_first(self) -> Vec<u8> {
            self.into_iter().map(|[first, ..]| first).collect()
        }
    }
}
