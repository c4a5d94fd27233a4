//! Broken packages, whose names are those of packages. Source: zipper-textures.md, sections 2 and 5.

use super::samples::{Colors, package};
use super::{Spec, build};
use crate::Broken;
use crate::random::Random;
use crate::sample::{LIES, cuts};

/// Returns files that must be refused. The length of an image depends only on its own fields, and the end of the last one only on the end
/// of the file.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = package(&mut Random::named(seed, "broken texture"), Colors::Shared(1), 3, 2);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("texture", &format!("texture_{name}.zbd"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("images_{lie:08x}"), "more images than the file has room for", &|spec| {
                spec.image_count = Some(lie);
            }),
            broken(&format!("palettes_{lie:08x}"), "palettes without end, or fewer than none", &|spec| {
                spec.palette_count = Some(lie as i32);
            }),
            broken(&format!("start_{lie:08x}"), "an image outside the file", &|spec| spec.images[1].start = Some(lie)),
        ]
    });
    let others = [
        broken("start_0", "an image in the head", &|spec| spec.images[1].start = Some(0)),
        broken("start_in_directory", "an image in the directory", &|spec| spec.images[0].start = Some(30)),
        broken("start_in_palette", "an image in the palette", &|spec| spec.images[0].start = Some(144 + 100)),
        broken("large", "an image that is larger than the file", &|spec| {
            (spec.images[2].width, spec.images[2].height) = (0xFFFF, 0xFFFF);
        }),
        broken("colors", "a palette that is larger than the file", &|spec| {
            let image = &mut spec.images[2];
            (image.flags, image.palette_count) = (5, 0xFFFF);
        }),
        broken("alpha", "an alpha plane that is not there", &|spec| {
            let image = &mut spec.images[2];
            if image.alpha.is_empty() {
                image.flags |= 0x0A;
            } else {
                image.alpha.clear();
            }
        }),
    ];
    let file = build(&plain);
    let first = 24 + 3 * 40 + 512;
    let places = [
        (0, "at its start"),
        (9, "in the head"),
        (24 + 20, "in a name"),
        (24 + 3 * 40 + 7, "in a palette"),
        (first, "before the first image"),
        (first + 9, "in the head of an image"),
        (file.len() - 1, "before its last byte"),
    ];
    let cuts = cuts("texture", "zbd", &file, &places).into_iter();
    let cuts = cuts.map(|cut| Broken { name: format!("texture_{}", cut.name), ..cut });
    lies.chain(others).chain(cuts).collect()
}
