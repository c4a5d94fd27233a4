//! Livery images of Crimson Skies: an image, three masks of paint, and an image to overlay.
//! Source: zipper-other.md, section 2.

use crate::bytes::Bytes;
use crate::random::Random;
use crate::sample::cuts;
use crate::{Broken, Sample, Size};

/// Returns an image of this size with all its planes, 10 bytes per pixel.
pub fn build(width: u16, height: u16, planes: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_u16(height).le_u16(width).raw(planes);
    out.finish()
}

/// Returns an image of noise.
pub fn ordinary(random: &mut Random, width: u16, height: u16) -> Vec<u8> {
    let planes = random.garbage(10 * usize::from(width) * usize::from(height));
    build(width, height, &planes)
}

/// Returns images of a size class. Colors under transparent pixels and planes of one color are not marked as traps.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, tiny: (u16, u16), small: (u16, u16), retail: (u16, u16), trap| {
        let (width, height) = match size {
            Size::Tiny => tiny,
            Size::Small => small,
            Size::Retail => retail,
        };
        let bytes = ordinary(&mut Random::named(seed, name), width, height);
        Sample { name: name.into(), kind: "bm", games: &["cs"], bytes, trap, deviates: false }
    };
    vec![
        sample("DEV_WING.BM", (1, 1), (32, 32), (256, 128), None),
        sample("FIR_BODY.BM", (2, 3), (64, 32), (128, 128), None),
        sample("bm_odd.bm", (3, 1), (7, 5), (7, 5), Some("sides that are no powers of two")),
    ]
}

/// Returns images that are cut, or whose size is wrong.
pub fn broken(seed: u64) -> Vec<Broken> {
    let file = ordinary(&mut Random::named(seed, "broken.bm"), 2, 2);
    let broken = |name: &str, edit: &[(usize, u8)], why: &str| {
        let mut bytes = file.clone();
        edit.iter().for_each(|&(at, byte)| bytes[at] = byte);
        Broken::new("bm", name, bytes, why)
    };
    let lies = [
        broken("bm_high.bm", &[(0, 3)], "more rows than there are"),
        broken("bm_huge.bm", &[(0, 0xFF), (1, 0xFF), (2, 0xFF), (3, 0xFF)], "more pixels than there are"),
        Broken::new("bm", "bm_long.bm", [&file[..], &[0]].concat(), "a byte behind the last"),
    ];
    let places = [(3, "in the head"), (4, "before the pixels"), (file.len() - 1, "in the last pixel")];
    let cuts = cuts("bm", "bm", &file, &places).into_iter();
    lies.into_iter().chain(cuts.map(|cut| Broken { name: format!("bm_{}", cut.name), ..cut })).collect()
}

#[cfg(test)]
mod tests {
    use super::build;

    /// Source: zipper-other.md, section 2.
    #[test]
    fn worked_example_is_built() {
        let planes = [0x0A, 0x14, 0x1E, 1, 2, 3, 0x28, 0x32, 0x3C, 0x46];
        assert_eq!(build(1, 1, &planes), [&[1, 0, 1, 0][..], &planes].concat());
    }
}
