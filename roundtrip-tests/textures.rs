//! Images in the exchange format: PNG files that other programs read and edit.

use std::fs;
use std::io::Cursor;
use std::process::Command;

use bitexact::exchange::MANIFEST;
use bitexact::field::{Value, decode};
use bitexact::media::png::Picture;
use bitexact::zipper::texture::{Image, Package};
use bytes::Bytes;
use forge::Size;
use image::{DynamicImage, ImageFormat, ImageReader};

use crate::harness::{self, Files, packed};

/// Returns every generated package.
fn packages() -> impl Iterator<Item = harness::Case> {
    harness::forged(Size::Small, "small").into_iter().filter(|case| case.kind.name == "texture")
}

fn unpacked(file: &[u8]) -> Files {
    harness::unpacked(harness::kind("texture"), file)
}

/// Returns the document of an image, by its index in the directory, or `None` for an image that shares the bytes of an
/// earlier one.
fn document(files: &Files, item: usize) -> Option<Value> {
    let head = bitexact::exchange::parse(&files[MANIFEST]).unwrap();
    let directory = head.get("data").unwrap().get("directory").unwrap().clone();
    let part = directory.get("file").map(|file| bitexact::exchange::parse(&files[file.text().unwrap()]).unwrap());
    let directory = part.unwrap_or(directory);
    let row = directory.items().unwrap()[item].clone();
    let file = row.get("file")?.text().unwrap().to_owned();
    Some(bitexact::exchange::parse(&files[&file]).unwrap())
}

fn picture(files: &Files, item: usize) -> Option<String> {
    document(files, item)?.get("picture")?.text().map(str::to_owned)
}

fn read(png: &[u8]) -> DynamicImage {
    ImageReader::with_format(Cursor::new(png), ImageFormat::Png).decode().unwrap()
}

fn write(image: &DynamicImage) -> Bytes {
    let mut png = Cursor::new(Vec::new());
    image.write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner().into()
}

/// Returns the displayed color of a 16-bit color (`zipper-textures.md`, section 2.2).
fn shown(color: u16) -> [u8; 3] {
    let channel = |value: u16, most: f64| (f64::from(value) * 255.0 / most + 0.5) as u8;
    [channel(color >> 11, 31.0), channel(color >> 5 & 0x3F, 63.0), channel(color & 0x1F, 31.0)]
}

/// Returns the color of a pixel, from the bytes of the image alone.
fn color(package: &Package, item: usize, at: usize) -> [u8; 3] {
    let Image { head, pixels, .. } = &package.images[item];
    match head.palette_count.get() {
        0 => shown(u16::from_le_bytes([pixels[at * 2], pixels[at * 2 + 1]])),
        _ => shown(package.palette_of(item).unwrap()[usize::from(pixels[at])].get()),
    }
}

#[test]
fn other_program_reads_the_colors() {
    let (mut images, mut without) = (0, Vec::new());
    for case in packages() {
        let (files, package) = (unpacked(&case.bytes), decode::<Package>(case.bytes.clone()).unwrap().model);
        for item in 0..package.images.len() {
            let Some(picture) = picture(&files, item) else {
                without.push(format!("{} {item}", case.name));
                continue;
            };
            let json = document(&files, item).unwrap();
            let own = package.images[item].head.is_indexed() && !package.images[item].head.is_palette_shared();
            let counted = own.then_some("palette_count");
            for told in ["pixels", "width", "height", "alpha", "palette"].into_iter().chain(counted) {
                assert!(json.get(told).is_none(), "{}: {told} is told twice", case.name);
            }
            let (png, head) = (read(&files[&picture]).to_rgba8(), &package.images[item].head);
            assert_eq!(png.dimensions(), (head.width.get().into(), head.height.get().into()), "{}", case.name);
            for (at, pixel) in png.pixels().enumerate() {
                assert_eq!(pixel.0[..3], color(&package, item, at), "{} {item}: pixel {at}", case.name);
            }
            images += 1;
        }
        assert_eq!(packed(files).as_deref(), Ok(&case.bytes[..]), "{}", case.name);
    }
    assert!(images > 100, "only {images} images");
    // Excluded are images that no PNG can hold (without pixels, with more than 256 colors, or with an index outside the
    // palette), and images that share their bytes with an earlier one.
    assert_eq!(without.len(), 8, "{without:?}");
}

#[test]
fn one_pixel_changes_only_its_bytes() {
    let mut changed = 0;
    for case in packages() {
        let (files, package) = (unpacked(&case.bytes), decode::<Package>(case.bytes.clone()).unwrap().model);
        if package.arrangement != Default::default() {
            // A pixel may share its byte with another image.
            continue;
        }
        for item in 0..package.images.len() {
            let head = &package.images[item].head;
            // Indices survive only in an indexed PNG, which this program does not write.
            let Some(picture) = picture(&files, item).filter(|_| head.palette_count.get() == 0) else { continue };
            let mut image = read(&files[&picture]);
            let at = (head.width.get() as usize * head.height.get() as usize) / 2;
            let (x, y) = (at as u32 % u32::from(head.width.get()), at as u32 / u32::from(head.width.get()));
            let flip = |value: u8| value ^ 0x80;
            match &mut image {
                DynamicImage::ImageRgb8(image) => image.get_pixel_mut(x, y).0[1] = flip(image.get_pixel(x, y).0[1]),
                DynamicImage::ImageRgba8(image) => {
                    let pixel = image.get_pixel_mut(x, y);
                    pixel.0[1] = flip(pixel.0[1]);
                    // Transparency is stored as a color here, so the edited pixel must be opaque.
                    pixel.0[3] = if head.has_alpha_plane() { pixel.0[3] } else { 255 };
                }
                other => panic!("{}: {:?}", case.name, other.color()),
            }
            let mut edited = files.clone();
            edited.insert(picture, write(&image));
            let bytes = packed(edited).unwrap();
            assert_eq!(bytes.len(), case.bytes.len());
            let differing: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != case.bytes[at]).collect();
            let again = decode::<Package>(bytes).unwrap().model;
            let (old, new) = (&package.images[item], &again.images[item]);
            let pixels: Vec<usize> = (0..old.pixels.len()).filter(|&it| old.pixels[it] != new.pixels[it]).collect();
            assert!(!pixels.is_empty() && pixels.iter().all(|byte| byte / 2 == at), "{}: {pixels:?}", case.name);
            assert_eq!((differing.len(), &old.alpha), (pixels.len(), &new.alpha), "{}", case.name);
            changed += 1;
        }
    }
    assert!(changed > 50, "only {changed} images");
}

#[test]
fn missing_and_unreadable_pictures_are_reported() {
    let case = packages().next().unwrap();
    let files = unpacked(&case.bytes);
    let picture = picture(&files, 0).unwrap();
    let why = |edit: &dyn Fn(&mut Files)| {
        let mut edited = files.clone();
        edit(&mut edited);
        packed(edited).unwrap_err()
    };
    let missing = why(&|files| drop(files.remove(&picture)));
    assert!(missing.contains(&picture) && missing.contains("is missing"), "{missing}");
    let upper = picture.to_uppercase();
    let renamed = why(&|files| {
        let bytes = files.remove(&picture).unwrap();
        drop(files.insert(upper.clone(), bytes));
    });
    let expected = format!("expected the file {picture}, found {upper}, whose name differs in case or form; rename it");
    assert!(renamed.contains(&expected), "{renamed}");
    let damaged = why(&|files| drop(files.insert(picture.clone(), Bytes::from_static(b"BM"))));
    assert!(damaged.starts_with(&picture) && damaged.contains("not a readable PNG"), "{damaged}");
    let surplus = why(&|files| drop(files.insert("more.png".into(), files[&picture].clone())));
    assert!(surplus.contains("more.png"), "{surplus}");
}

#[test]
fn patch_replaces_an_image_with_one_of_another_size_and_mode() {
    let folder = tempfile::tempdir().unwrap();
    let (file, png) = (folder.path().join("rtexture.zbd"), folder.path().join("new.png"));
    for case in packages() {
        let package = decode::<Package>(case.bytes.clone()).unwrap().model;
        if package.images.is_empty() {
            continue;
        }
        let names: Vec<_> = package.directory.iter().map(|slot| slot.name.bytes().to_vec()).collect();
        let name = String::from_utf8(names[0].clone()).unwrap_or_default();
        let plain = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') && !name.is_empty();
        if !plain || names.iter().filter(|it| **it == names[0]).count() > 1 {
            continue;
        }
        fs::write(&file, &case.bytes).unwrap();
        let grey = DynamicImage::ImageLuma8(image::GrayImage::from_fn(9, 5, |x, y| image::Luma([(x * 25 + y) as u8])));
        fs::write(&png, write(&grey)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
        let replace = format!("{name}={}", png.display());
        let output = command.args(["patch", "--replace", &replace]).arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if package.arrangement != Default::default() {
            // Overlapping or unordered images are not moved, and the error names the cause.
            assert!(output.status.success() || said.contains(&name) || said.contains("/"), "{}: {said}", case.name);
            continue;
        }
        assert!(output.status.success(), "{}: {said}", case.name);
        let again = decode::<Package>(fs::read(&file).unwrap()).unwrap().model;
        let head = &again.images[0].head;
        assert_eq!((head.width.get(), head.height.get()), (9, 5), "{}", case.name);
        assert_eq!(head.has_alpha_plane(), package.images[0].head.has_alpha_plane(), "{}", case.name);
        assert_eq!(again.images[1..], package.images[1..], "{}", case.name);
    }
}

/// Returns a PNG of indices with a palette, and with opacities if there are any.
fn indexed((width, height): (u16, u16), palette: &[[u8; 3]], indices: &[u8], opacities: &[u8]) -> Bytes {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width.into(), height.into());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    if !opacities.is_empty() {
        encoder.set_trns(opacities.to_vec());
    }
    encoder.write_header().unwrap().write_image_data(indices).unwrap();
    file.into()
}

#[test]
fn edited_color_of_a_shared_palette_is_refused() {
    let mut refused = 0;
    for case in packages() {
        let (files, package) = (unpacked(&case.bytes), decode::<Package>(case.bytes.clone()).unwrap().model);
        for (item, image) in package.images.iter().enumerate() {
            let is_shared = image.head.is_indexed() && image.head.is_palette_shared();
            let Some(path) = picture(&files, item).filter(|_| is_shared) else { continue };
            let read = Picture::read(&files[&path]).unwrap();
            let (indices, palette) = read.indexed.unwrap();
            let used = usize::from(indices[0]);
            let unused = (0..palette.len()).find(|at| !indices.iter().any(|index| usize::from(*index) == *at));
            for entry in core::iter::once(used).chain(unused) {
                let mut own = palette.clone();
                own[entry] = own[entry].map(|channel| channel ^ 0x80);
                let mut edited = files.clone();
                edited.insert(path.clone(), indexed((read.width, read.height), &own, &indices, &[]));
                let why = packed(edited).expect_err("an edit of a palette that is shared");
                assert!(
                    why.contains(&format!("at index {entry} of its palette, as the shared palette has it")),
                    "{why}"
                );
                assert!(why.contains("edit them in `palettes` of the package"), "{why}");
                refused += 1;
            }
        }
    }
    assert!(refused > 1, "{refused}");
}

#[test]
fn opacity_of_an_image_with_an_alpha_picture_is_taken_or_refused() {
    let mut tried = 0;
    for case in packages() {
        let (files, package) = (unpacked(&case.bytes), decode::<Package>(case.bytes.clone()).unwrap().model);
        for (item, image) in package.images.iter().enumerate() {
            let Some(path) = picture(&files, item).filter(|_| image.head.is_indexed() && !image.alpha.is_empty())
            else {
                continue;
            };
            let mut json = document(&files, item).unwrap();
            let Some(plane) = json.take_member("alpha_picture") else { continue };
            let read = Picture::read(&files[&path]).unwrap();
            let (indices, palette) = read.indexed.unwrap();
            let png =
                |opacity: u8| indexed((read.width, read.height), &palette, &indices, &vec![opacity; palette.len()]);
            let mut opaque = files.clone();
            opaque.insert(path.clone(), png(255));
            assert_eq!(
                packed(opaque).as_deref(),
                Ok(&case.bytes[..]),
                "{}: saved with an opacity that says nothing",
                case.name
            );
            let mut edited = files.clone();
            edited.insert(path.clone(), png(7));
            if image.alpha.iter().any(|alpha| *alpha != 7) {
                let why = packed(edited.clone()).expect_err("two opacities");
                assert!(why.contains("as alpha_picture has it, found 7; edit the opacity there, or remove"), "{why}");
            }
            // Without the other picture, the opacity of this one counts.
            let beside = path.replace(".png", ".json");
            edited.insert(beside, bitexact::exchange::print(&json).into());
            edited.remove(plane.text().unwrap());
            let again = decode::<Package>(packed(edited).unwrap()).unwrap().model;
            assert!(again.images[item].alpha.iter().all(|alpha| *alpha == 7), "{}", case.name);
            tried += 1;
        }
    }
    assert!(tried > 0);
}

#[test]
fn number_of_colors_that_contradicts_its_png_is_refused() {
    let own = |case: &harness::Case| {
        let package = decode::<Package>(case.bytes.clone()).unwrap().model;
        package.images.iter().position(|image| image.head.is_indexed() && !image.head.is_palette_shared())
    };
    let (case, item) = packages().find_map(|case| own(&case).map(|item| (case, item))).expect("an own palette");
    let mut files = unpacked(&case.bytes);
    let picture = picture(&files, item).expect("a picture");
    let path =
        files.keys().find(|path| path.ends_with(".json") && picture.strip_suffix(".png") == path.strip_suffix(".json"));
    let path = path.expect("the document of the image").clone();
    let mut json = bitexact::exchange::parse(&files[&path]).unwrap();
    json.put("palette_count", 7_777.into());
    files.insert(path, bitexact::exchange::print(&json).into());
    let why = packed(files).expect_err("it disagrees with the PNG");
    assert!(why.contains("/palette_count: expected") && why.contains("found 7777"), "{why}");
}
