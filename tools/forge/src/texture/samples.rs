//! Ordinary packages.

use super::traps::traps;
use super::{Image, Spec, build};
use crate::bytes::field;
use crate::random::Random;
use crate::{Sample, Size};

/// The pixels of the images in a package.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colors {
    /// Two bytes per pixel.
    Direct,
    /// A palette per image.
    Own,
    /// This many palettes of the package.
    Shared(u32),
    /// All of these.
    Mixed(u32),
}

/// The games of the packages; a package alone does not identify its game, unless it uses features of Crimson Skies.
/// Source: zipper-textures.md, section 2.3.
const ANY: &[&str] = &["rc", "mw", "pm", "cs"];
const CRIMSON_SKIES: &[&str] = &["cs"];

const NAMES: [&str; 16] = [
    "grnd", "sky", "rock", "bldg", "tree", "water", "road", "smoke", "fire", "hud", "mfd", "decal", "metal", "glass",
    "crater", "shadow",
];

/// Returns a package of `count` images, limited in size.
pub(crate) fn package(random: &mut Random, colors: Colors, count: usize, most: u16) -> Spec {
    let palettes = match colors {
        Colors::Shared(count) | Colors::Mixed(count) => count,
        Colors::Direct | Colors::Own => 0,
    };
    let palettes: Vec<_> = (0..palettes).map(|_| palette(random, 256)).collect();
    let noise = random.garbage(usize::from(most) * usize::from(most) * 2);
    let image = |at: usize| image(random, colors, palettes.len() as i32, at, most, &noise);
    let images = (0..count).map(image).collect();
    Spec::new(palettes, images)
}

/// Returns a palette whose first color is black.
pub(super) fn palette(random: &mut Random, count: usize) -> Vec<u16> {
    (0..count).map(|at| if at == 0 { 0 } else { random.draw() as u16 }).collect()
}

fn image(random: &mut Random, colors: Colors, palettes: i32, at: usize, most: u16, noise: &[u8]) -> Image {
    let side = |random: &mut Random| match random.below(4) {
        0 => random.between(1, most.into()) as u16,
        1 => most,
        _ => most / 2 + 1,
    };
    let (width, height) = (side(random), side(random));
    let pixels = usize::from(width) * usize::from(height);
    let name = format!("{}{at:02}_{}", NAMES[at % NAMES.len()], random.between(1, 4));
    let colors = match colors {
        Colors::Mixed(count) => [Colors::Direct, Colors::Own, Colors::Shared(count)][at % 3],
        colors => colors,
    };
    let image = match colors {
        Colors::Direct | Colors::Mixed(_) => Image::new(&name, width, height, noise[..2 * pixels].to_vec()),
        Colors::Own | Colors::Shared(_) => {
            let count = if random.below(3) == 0 { 256 } else { random.between(1, 256.min(most.into())) as u16 };
            let indices = noise[..pixels].iter().map(|&byte| (u16::from(byte) % count) as u8).collect();
            let image = Image::new(&name, width, height, indices);
            match colors {
                Colors::Own => image.with_palette(palette(random, count.into())),
                _ => image.with_global_palette(random.between(0, palettes - 1), count),
            }
        }
    };
    let mut image = match random.below(3) {
        0 => image.with_alpha(Some(noise[noise.len() - pixels..].to_vec())),
        1 if colors == Colors::Direct => image.with_alpha(None),
        _ => image,
    };
    // The owners of the parts in memory. Source: zipper-textures.md, section 2.1.
    image.flags |= random.one_of(&[0, 0, 0xA0, 0x20, 0xE0]);
    image.addressing = random.one_of(&[0, 0, 0, 1, 2, 3]);
    image
}

/// Returns packages of a size class, ordinary ones first.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    // The number of images in a retail package, and the side of the largest in pixels.
    let sample = |name: &str, colors, retail, most| {
        let random = &mut Random::named(seed, name);
        let (count, most, colors) = match (size, colors) {
            (Size::Tiny, Colors::Shared(_) | Colors::Mixed(_)) => (3, 2, Colors::Shared(1)),
            (Size::Tiny, colors) => (3, 3, colors),
            (Size::Small, _) => (9, 16, colors),
            (Size::Retail, _) => (retail, most, colors),
        };
        let mut spec = package(random, colors, count, most);
        if name.contains("mechtex") {
            // A texture named in the 'Mech libraries, so that their export has an image.
            spec.images[0].name = field(b"met01", b"");
        }
        let crimson = name.starts_with("cs_");
        if crimson {
            spec.images.iter_mut().zip([4, 7, 8]).for_each(|(image, bits)| image.addressing = bits);
        }
        let games = if crimson { CRIMSON_SKIES } else { ANY };
        Sample { name: name.into(), kind: "texture", games, bytes: build(&spec), trap: None, deviates: false }
    };
    let ordinary = [
        sample("rc_image.zbd", Colors::Direct, 433, 64),
        sample("rc_m1_texture2.zbd", Colors::Shared(12), 576, 32),
        sample("rc_m1_texture8.zbd", Colors::Shared(18), 576, 64),
        sample("rc_m1_rtexture4.zbd", Colors::Mixed(3), 400, 64),
        // 39 MB.
        sample("mw_rimage.zbd", Colors::Direct, 630, 256),
        sample("mw_rmechtex.zbd", Colors::Direct, 200, 128),
        sample("mw_rmechtexs.zbd", Colors::Own, 200, 64),
        sample("mw_c1_texture.zbd", Colors::Own, 300, 64),
        sample("mw_c1_rtexture.zbd", Colors::Direct, 300, 64),
        sample("pm_rimage.zbd", Colors::Direct, 300, 64),
        sample("pm_c1_texture.zbd", Colors::Mixed(2), 300, 64),
        sample("cs_rimage.zbd", Colors::Direct, 254, 64),
        sample("cs_c1_texture.zbd", Colors::Own, 881, 64),
        // 13 MB.
        sample("cs_c1_rtexture15.zbd", Colors::Direct, 881, 100),
    ];
    ordinary.into_iter().chain(traps(seed, size.of_traps())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Size, samples};

    /// Source: zipper-textures.md, section 1.
    #[test]
    fn largest_retail_package_has_the_retail_size() {
        let samples = samples(1, Size::Retail);
        let package = &samples.iter().find(|sample| sample.name == "mw_rimage.zbd").expect("the sample is there").bytes;
        assert!((30_000_000..50_000_000).contains(&package.len()), "{}", package.len());
    }
}
