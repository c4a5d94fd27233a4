use image::{DynamicImage, ImageFormat, Rgba as Color};

use super::*;
use crate::texture::Palette;

const ALPHA: u32 = 0x03;
const FULL: u32 = 0x0B;

/// A shared palette in which each color occurs twice.
fn shared() -> Palette {
    core::array::from_fn(|at| U16::new(u16::try_from(at / 2).expect("small") * 257))
}

/// An image of 3 by 2 pixels, one of which has the color 0.
fn image(flags: u32, palette_count: u16) -> Image {
    let flags = ImageFlags::from_bits_retain(flags | 0xA0);
    let own = palette_count > 0 && !flags.contains(ImageFlags::GLOBAL_PALETTE);
    let colors = [0x0000_u16, 0x0020, 0xF81F, 0x1234, 0xFFFF, 0x0000];
    let pixels: Vec<u8> = match palette_count {
        0 => colors.iter().flat_map(|color| color.to_le_bytes()).collect(),
        _ => vec![0, 3, 1, 2, 5, 4],
    };
    // The colors 2 and 3 are equal; 6 is not used.
    let palette: Vec<U16> = [0, 0xF800, 0x07E0, 0x07E0, 0x001F, 0xFFFF, 0x7777].map(U16::new).to_vec();
    Image {
        head: ImageHeader {
            flags,
            width: 3.into(),
            height: 2.into(),
            palette_count: palette_count.into(),
            ..ImageHeader::default()
        },
        pixels: pixels.into(),
        alpha: if flags.contains(ImageFlags::FULL_ALPHA) {
            vec![0, 0, 1, 128, 254, 255].into()
        } else {
            Block::default()
        },
        palette: if own { palette.into() } else { Block::default() },
    }
}

/// Colors, own palette, shared palette; each with no, simple and full alpha.
fn all() -> Vec<Image> {
    let kinds = [(0x00, 0), (0x00, 7), (0x10, 6)];
    let alphas = [0x05, ALPHA, FULL];
    kinds.into_iter().flat_map(|(kind, count)| alphas.map(|alpha| image(kind | alpha, count))).collect()
}

fn exported(image: &Image) -> Pngs {
    export(image, palette(image, Some(&shared()))).expect("an image becomes a PNG")
}

fn imported(files: &Pngs, onto: &Image) -> Image {
    import(files, onto, Some(&shared())).expect("a PNG becomes an image")
}

fn read(file: &[u8]) -> image::RgbaImage {
    image::load_from_memory_with_format(file, ImageFormat::Png).expect("another program reads it").into_rgba8()
}

#[test]
#[cfg(feature = "exchange")]
fn stored_files_are_imported_as_all_others() {
    let mut stored = 0;
    for image in all() {
        let files = exported(&image);
        for flags in all().into_iter().map(|it| it.head) {
            let blank = Image { head: ImageHeader { width: 0.into(), height: 0.into(), ..flags }, ..Image::default() };
            if let Some(found) = import_stored(&files.colors, files.alpha.as_deref(), &blank, Some(&shared())) {
                assert_eq!(found, imported(&files, &blank));
                stored += 1;
            }
            let onto =
                import_stored(&files.colors, files.alpha.as_deref(), &Image { head: flags, ..image.clone() }, None);
            assert_eq!(onto, None, "pixels of before may be kept");
        }
        assert_eq!(
            lossless(&image, Some(&shared()))
                .map(|files| imported(&files, &Image { head: image.head, ..Image::default() })),
            Some(image)
        );
    }
    assert!(stored >= 9, "{stored}");
}

fn saved(picture: impl Into<DynamicImage>) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut file, ImageFormat::Png).expect("another program writes it");
    file.into_inner()
}

#[test]
fn every_image_is_restored_from_its_header_and_files() {
    for image in all() {
        let onto = Image { head: image.head, ..Image::default() };
        assert_eq!(imported(&exported(&image), &onto), image);
        assert_eq!(imported(&exported(&image), &image), image);
        assert_eq!(lossless(&image, Some(&shared())), Some(exported(&image)));
    }
}

#[test]
fn wrong_palette_count_is_not_restored() {
    let mut image = image(0x05, 7);
    image.head.palette_count = 9.into();
    assert_eq!(lossless(&image, None), None);
}

#[test]
fn other_program_sees_the_colors() {
    let direct = [[0, 0, 0], [0, 4, 0], [255, 0, 255], [16, 69, 165], [255, 255, 255], [0, 0, 0]];
    let indexed = [[0, 0, 0], [0, 255, 0], [255, 0, 0], [0, 255, 0], [255, 255, 255], [0, 0, 255]];
    for image in all().iter().filter(|image| !image.head.is_palette_shared()) {
        let expected = if image.head.is_indexed() { indexed } else { direct };
        let seen = read(&exported(image).colors);
        assert_eq!(seen.pixels().map(|&Color([r, g, b, _])| [r, g, b]).collect::<Vec<_>>(), expected);
        let opacity: Vec<u8> = seen.pixels().map(|&Color([.., opacity])| opacity).collect();
        match transparency(&image.head) {
            Transparency::Simple => assert_eq!(opacity, [0, 255, 255, 255, 255, 0]),
            Transparency::Full if !image.head.is_indexed() => assert_eq!(opacity, *image.alpha),
            _ => assert_eq!(opacity, [255; 6]),
        }
    }
    let plane = exported(&image(FULL, 7)).alpha.expect("the plane is a file of its own");
    assert_eq!(read(&plane).pixels().map(|&Color([grey, ..])| grey).collect::<Vec<_>>(), [0, 0, 1, 128, 254, 255]);
}

/// A program may write RGBA for any PNG. The palette is then lost, but no other pixel changes.
#[test]
fn one_edited_pixel_changes_one_pixel() {
    for image in all() {
        let files = exported(&image);
        let mut picture = read(&files.colors);
        assert_eq!(imported(&Pngs { colors: saved(picture.clone()), ..files.clone() }, &image), image);
        picture.put_pixel(1, 1, Color([0, 255, 0, 255]));
        let edited = imported(&Pngs { colors: saved(picture), ..files }, &image);
        assert_eq!((edited.head, &edited.palette), (image.head, &image.palette));
        let step = if image.head.is_indexed() { 1 } else { 2 };
        let changed = |before: &[u8], after: &[u8], step: usize| -> Vec<usize> {
            assert_eq!(before.len(), after.len());
            let pixels = before.chunks(step).zip(after.chunks(step)).enumerate();
            pixels.filter(|(_, (before, after))| before != after).map(|(at, _)| at).collect()
        };
        assert_eq!(changed(&image.pixels, &edited.pixels, step), [4]);
        let opacity_changed = if step == 2 && image.head.has_alpha_plane() { vec![4] } else { vec![] };
        assert_eq!(changed(&image.alpha, &edited.alpha, 1), opacity_changed);
    }
}

#[test]
fn hidden_colors_are_kept_even_if_a_program_blanks_them() {
    let image = image(FULL, 0);
    let mut picture = read(&exported(&image).colors);
    picture.put_pixel(1, 0, Color([0, 0, 0, 0]));
    let files = Pngs { colors: saved(picture), alpha: None };
    assert_eq!(imported(&files, &image), image);
}

#[test]
fn recolored_palette_is_taken_and_new_colors_are_appended() {
    let image = image(0x05, 7);
    let bytes: Vec<u8> = (0..21).map(|byte| byte * 12).collect();
    let recolored = write(3, 2, &Pixels::Indexed(bytes), &image.pixels).expect("a PNG");
    let edited = imported(&Pngs { colors: recolored, alpha: None }, &image);
    assert_eq!(edited.pixels, image.pixels);
    assert!(edited.palette.iter().zip(image.palette.iter()).all(|(new, old)| new != old));

    let mut picture = read(&exported(&image).colors);
    picture.put_pixel(0, 0, Color([255, 0, 255, 255]));
    let edited = imported(&Pngs { colors: saved(picture), alpha: None }, &image);
    assert_eq!((edited.pixels.first(), edited.palette.len()), (Some(&7), 8));
    assert_eq!(edited.head.palette_count.get(), 8);
}

#[test]
fn any_png_is_adapted_to_the_storage_of_the_image() {
    let gradient = |width, height| {
        image::RgbImage::from_fn(width, height, |x, y| {
            let channel = |value: u32| u8::try_from(value % 256).expect("a byte");
            image::Rgb([channel(x * 5), channel(y * 5), channel(x * y)])
        })
    };
    let picture = DynamicImage::from(gradient(50, 40));
    let pictures = [
        saved(picture.clone()),
        saved(picture.to_luma8()),
        saved(picture.to_luma16()),
        saved(picture.to_rgba16()),
        saved(picture.to_luma_alpha8()),
    ];
    for onto in all() {
        for colors in &pictures {
            let new = imported(&Pngs { colors: colors.clone(), alpha: None }, &onto);
            assert_eq!((new.head.width.get(), new.head.height.get()), (50, 40));
            assert_eq!(new.head.flags, onto.head.flags);
            let files = exported(&new);
            assert_eq!(imported(&files, &new), new, "and is an image like any other");
            // The distance from the expected color, per pixel and channel.
            let wanted = read(colors);
            let far: u64 = read(&files.colors)
                .pixels()
                .zip(wanted.pixels())
                .map(|(Color(seen), Color(wanted))| {
                    seen.iter().zip(wanted).map(|(seen, wanted)| u64::from(seen.abs_diff(*wanted))).sum::<u64>()
                })
                .sum();
            let most = if onto.head.is_palette_shared() { 100 } else { 10 };
            assert!(far / 8000 < most, "{far}: {:?}", onto.head);
        }
    }
}

#[test]
fn simple_alpha_keeps_black_apart_from_transparency() {
    let mut picture = image::RgbaImage::from_pixel(2, 2, Color([0, 0, 0, 255]));
    picture.put_pixel(1, 0, Color([200, 100, 50, 127]));
    let new = imported(&Pngs { colors: saved(picture), alpha: None }, &image(ALPHA, 0));
    assert_eq!(*new.pixels, [0x20, 0, 0, 0, 0x20, 0, 0x20, 0]);
}

#[test]
fn unsuitable_png_is_refused_with_a_reason() {
    let clear = saved(image::RgbaImage::from_pixel(2, 2, Color([9, 9, 9, 0])));
    let clear = Pngs { colors: clear, alpha: None };
    for onto in [image(0x05, 0), image(0x05, 7), image(ALPHA, 7)] {
        assert_eq!(import(&clear, &onto, None), Err(PngError::Transparent { x: 0, y: 0 }));
    }
    let opaque = exported(&image(0x05, 0));
    assert_eq!(import(&opaque, &image(0x15, 6), None), Err(PngError::NoPalette));
    let plane = Pngs { alpha: Some(clear.colors.clone()), ..opaque.clone() };
    let sizes = PngError::AlphaSize { colors: (3, 2), alpha: (2, 2) };
    assert_eq!(import(&plane, &image(FULL, 7), None), Err(sizes));
    let junk = Pngs { colors: b"GIF89a".to_vec(), alpha: None };
    assert!(matches!(import(&junk, &image(0x05, 0), None), Err(PngError::File(png::Error::Unreadable(_)))));

    assert_eq!(export(&Image::default(), None), Err(PngError::File(png::Error::Empty)));
    assert_eq!(export(&image(0x15, 6), None), Err(PngError::NoPalette));
    assert_eq!(export(&image(0x05, 7), Some(&[U16::new(0); 5])), Err(PngError::IndexOutside(5)));
    assert_eq!(export(&image(0x05, 7), Some(&[U16::new(0); 257])), Err(PngError::PaletteTooLong(257)));
    let unfinished = Image { alpha: Block::default(), ..image(FULL, 0) };
    assert_eq!(export(&unfinished, None), Err(PngError::Unfinished));
}
