//! Packages with traps. Source: zipper-textures.md, sections 2 to 6.

use super::samples::{Colors, package, palette};
use super::{FULL_ALPHA, GLOBAL_PALETTE, HAS_ALPHA, Image, NO_ALPHA, SIXTEEN_BIT, Spec, build};
use crate::bytes::field;
use crate::random::Random;
use crate::sample::{Trap, kept, reported};
use crate::{Sample, Size};

/// The trap that is too large for the tiny samples.
const LARGE: &str = "texture_palettes.zbd";

/// Returns unusual packages, each with one trap.
pub(super) fn traps(seed: u64, size: Size) -> Vec<Sample> {
    let (count, most) = if size == Size::Tiny { (3, 2) } else { (7, 12) };
    let all = |colors, traps: &[Trap<Spec>]| -> Vec<Sample> {
        let sample = |trap: &Trap<Spec>| {
            let spec = package(&mut Random::named(seed, trap.name), colors, count, most);
            let games: &[&str] = if trap.name.starts_with("texture_cs_") { &["cs"] } else { &["rc", "mw", "pm", "cs"] };
            Sample::of(trap.name, "texture", games, spec, Some(trap), build)
        };
        traps.iter().filter(|trap| size != Size::Tiny || trap.name != LARGE).map(sample).collect()
    };
    [all(Colors::Direct, &DIRECT), all(Colors::Own, &OWN), all(Colors::Shared(1), &SHARED)].concat()
}

/// Replaces the second image by a plain one of two by two pixels, under its name.
fn plain(spec: &mut Spec) -> &mut Image {
    let image = &mut spec.images[1];
    *image = Image { name: image.name, ..Image::new("", 2, 2, vec![0, 0, 0xFF, 0xFF, 0x20, 0, 0, 0xF8]) };
    image
}

/// Replaces the second image by indices into its own palette of three colors, the last one twice.
fn indexed(spec: &mut Spec) -> &mut Image {
    let image = plain(spec);
    *image = Image { pixels: vec![2, 1, 0, 1], ..image.clone() }.with_palette(vec![0, 0x1234, 0x1234]);
    image
}

/// Replaces the second image by indices into the palette of the package.
fn shared(spec: &mut Spec, count: u16) -> &mut Image {
    let image = plain(spec);
    *image = Image { pixels: vec![2, 1, 0, 1], ..image.clone() }.with_global_palette(0, count);
    image
}

/// Packages of images without palettes.
const DIRECT: [Trap<Spec>; 36] = [
    kept("texture_one_pixel.zbd", "one image of one pixel", |spec| {
        spec.images = vec![Image::new("dot", 1, 1, vec![0, 0xF8])];
    }),
    kept("texture_odd_sides.zbd", "sides that are no powers of two", |spec| {
        spec.images[1] = Image::new("odd", 7, 3, (0..42).collect());
    }),
    kept("texture_twice.zbd", "two different images of one name", |spec| spec.images[1].name = spec.images[0].name),
    kept("texture_case.zbd", "names in both cases, one the other in capitals", |spec| {
        (spec.images[0].name, spec.images[1].name) = (field(b"Sky01", b""), field(b"SKY01", b""));
    }),
    kept("texture_name_31.zbd", "a name that leaves room for its NUL only", |spec| {
        spec.images[1].name = field(b"a_very_long_name_of_31_letters_", b"");
    }),
    kept("texture_name_tail.zbd", "an older name behind the name", |spec| {
        spec.images[1].name = field(b"sky", b"01_left_over");
    }),
    kept("texture_name_none.zbd", "an image without a name", |spec| spec.images[1].name = [0; 32]),
    kept("texture_name_path.zbd", "names that look like paths", |spec| {
        (spec.images[0].name, spec.images[1].name) = (field(b"..\\..\\sky", b""), field(b"a/b:c%d!e", b""));
    }),
    kept("texture_name_bytes.zbd", "a name that is not ASCII", |spec| {
        spec.images[1].name = field(b"Gel\xE4nde\x01\x81", b"");
    }),
    kept("texture_owned.zbd", "the bits of ownership, each alone and all of them", |spec| {
        spec.images.iter_mut().zip([0x20, 0x40, 0x80, 0xE0]).for_each(|(image, owns)| {
            image.flags = image.flags & 0x1F | owns;
        });
    }),
    kept("texture_in_order.zbd", "names in the order in which Crimson Skies finds them", |spec| {
        for (image, at) in spec.images.iter_mut().zip(0..) {
            image.name = field(format!("image{at:03}").as_bytes(), b"");
        }
    }),
    kept("texture_cs_addressing.zbd", "4, 7 and 8 at offset 14, as in Crimson Skies", |spec| {
        spec.images.iter_mut().zip([8, 7, 4]).for_each(|(image, bits)| image.addressing = bits);
    }),
    kept("texture_addressing.zbd", "bits at offset 14 that no file has", |spec| spec.images[1].addressing = 0xFFF0),
    kept("texture_simple.zbd", "simple transparency, and a pixel that is transparent", |spec| {
        *plain(spec) = plain(spec).clone().with_alpha(None);
    }),
    kept("texture_simple_none.zbd", "simple transparency, and no pixel that is transparent", |spec| {
        *plain(spec) = plain(spec).clone().with_alpha(None);
        spec.images[1].pixels.fill(0x55);
    }),
    kept("texture_full.zbd", "an alpha plane, and colors below what it hides", |spec| {
        *plain(spec) = plain(spec).clone().with_alpha(Some(vec![0, 0, 1, 255]));
    }),
    kept(
        "texture_alpha_names.zbd",
        "indices with an alpha plane, and an image that has its name and `.alpha`",
        |spec| {
            let sky = Image::new("sky", 2, 2, vec![0, 1, 1, 0]).with_palette(vec![0, 0xFFFF]);
            spec.images[0] = sky.with_alpha(Some(vec![0, 1, 2, 255]));
            spec.images[1] = Image::new("sky.alpha", 1, 1, vec![0x34, 0x12]);
        },
    ),
    reported("texture_gap.zbd", "bytes between two images", |spec| spec.images[1].gap = vec![0, 7, 7]),
    reported("texture_gap_first.zbd", "zeros before the first image", |spec| spec.images[0].gap = vec![0; 4]),
    reported("texture_file_order.zbd", "images in another order than the directory's", |spec| {
        spec.file_order = (0..spec.images.len()).rev().collect();
    }),
    reported("texture_shared.zbd", "two entries for the same image", |spec| spec.images[2].same_as = Some(0)),
    reported("texture_overlap.zbd", "an image that begins in the middle of another", |spec| {
        // It begins with the header of an image of one pixel.
        let head = [5, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x34, 0x12];
        let first = 24 + 40 * spec.images.len() as u32;
        spec.images[0] = Image::new("outer", 3, 4, [&head[..], &[0xAB; 6]].concat());
        spec.images[2].start = Some(first + 16);
        spec.images[2].same_as = Some(0);
    }),
    reported("texture_trailing.zbd", "bytes after the last image", |spec| spec.trailing = b"left over".into()),
    reported("texture_trailing_1.zbd", "a zero after the last image", |spec| spec.trailing = vec![0]),
    reported("texture_zero00.zbd", "1 at offset 0", |spec| spec.zero00 = 1),
    reported("texture_version.zbd", "version 2, which the engine refuses", |spec| spec.version = 2),
    reported("texture_zeros.zbd", "figures at offsets 16 and 20", |spec| spec.zeros = [1, u32::MAX]),
    reported("texture_zero08.zbd", "a figure at offset 8 of an image", |spec| spec.images[1].zero08 = 0x0100_0000),
    reported("texture_no_images.zbd", "no image", |spec| spec.images.clear()),
    reported("texture_name_full.zbd", "a name without room for its NUL", |spec| spec.images[1].name = [b'x'; 32]),
    reported("texture_no_width.zbd", "an image without width", |spec| {
        spec.images[1] = Image::new("flat", 0, 9, vec![])
    }),
    reported("texture_eight_bit.zbd", "an image that is not of 16 bits", |spec| plain(spec).flags = NO_ALPHA),
    reported("texture_both_alphas.zbd", "an image with transparency and without", |spec| {
        plain(spec).flags = SIXTEEN_BIT | NO_ALPHA | HAS_ALPHA;
    }),
    reported("texture_neither_alpha.zbd", "an image neither with transparency nor without", |spec| {
        plain(spec).flags = SIXTEEN_BIT;
    }),
    reported("texture_full_alone.zbd", "an alpha plane of an image without transparency", |spec| {
        *plain(spec) = Image { flags: SIXTEEN_BIT | NO_ALPHA | FULL_ALPHA, alpha: vec![9; 4], ..plain(spec).clone() };
    }),
    reported("texture_flags_high.zbd", "flags beyond the lowest eight", |spec| plain(spec).flags |= 0x8000_0100),
];

/// Packages of images with their own palettes.
const OWN: [Trap<Spec>; 8] = [
    kept("texture_color_twice.zbd", "a palette that has a color twice", |spec| _ = indexed(spec)),
    kept("texture_one_color.zbd", "a palette of one color", |spec| {
        indexed(spec).pixels.fill(0);
        spec.images[1] = spec.images[1].clone().with_palette(vec![0xFFFF]);
    }),
    kept("texture_all_colors.zbd", "a palette of 256 colors, most of which no pixel uses", |spec| {
        spec.images[1] = indexed(spec).clone().with_palette((0..256).collect());
    }),
    kept("texture_indexed_simple.zbd", "indices with simple transparency, whose rule nobody knows", |spec| {
        spec.images[1] = indexed(spec).clone().with_alpha(None);
    }),
    kept("texture_indexed_full.zbd", "indices with an alpha plane", |spec| {
        spec.images[1] = indexed(spec).clone().with_alpha(Some(vec![255, 0, 128, 0]));
    }),
    reported("texture_index_high.zbd", "an index beyond the palette", |spec| indexed(spec).pixels[3] = 3),
    reported("texture_257_colors.zbd", "a palette of more colors than an index can name", |spec| {
        spec.images[1] = indexed(spec).clone().with_palette((0..257).collect());
    }),
    reported("texture_own_and_index.zbd", "a palette of its own, and one of the package that is not there", |spec| {
        indexed(spec).palette_index = 0;
    }),
];

/// Packages with one shared palette.
const SHARED: [Trap<Spec>; 11] = [
    kept(LARGE, "so many palettes that they are in files of their own", |spec| {
        spec.palettes = vec![spec.palettes[0].clone(); 21];
    }),
    kept("texture_palette_unused.zbd", "a palette that no image uses", |spec| {
        spec.images = vec![Image::new("dot", 1, 1, vec![0, 0xF8])];
    }),
    kept("texture_palette_second.zbd", "two palettes, of which one is used", |spec| {
        spec.palettes.push(palette(&mut Random::named(1, "second"), 256));
        shared(spec, 3).palette_index = 1;
    }),
    kept("texture_palette_part.zbd", "a palette of which an image uses three colors", |spec| _ = shared(spec, 3)),
    kept("texture_palette_full.zbd", "indices into the palette with an alpha plane", |spec| {
        spec.images[1] = shared(spec, 256).clone().with_alpha(Some(vec![0, 1, 2, 255]));
    }),
    kept("texture_mixed.zbd", "colors, a palette of its own, and one of the package", |spec| {
        spec.images[0] = plain(spec).clone();
        spec.images[2] = indexed(spec).clone();
        shared(spec, 3);
    }),
    reported("texture_palette_index_high.zbd", "a palette that is not there", |spec| {
        shared(spec, 3).palette_index = 1;
    }),
    reported("texture_palette_index_low.zbd", "a palette before the first", |spec| shared(spec, 3).palette_index = -2),
    reported("texture_palette_none.zbd", "a palette of the package, and none is named", |spec| {
        shared(spec, 3).palette_index = -1;
    }),
    reported(
        "texture_palette_unflagged.zbd",
        "a palette of the package is named, and one of its own is stored",
        |spec| {
            indexed(spec).palette_index = 0;
        },
    ),
    reported("texture_palette_direct.zbd", "a palette of the package for an image of colors", |spec| {
        let image = plain(spec);
        (image.flags, image.palette_index) = (image.flags | GLOBAL_PALETTE, 0);
    }),
];
