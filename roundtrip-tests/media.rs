//! Pictures, bitmaps, sounds and terminals of Marathon in the exchange format: PNG, WAV and text files that other
//! programs edit.

use std::fs;
use std::io::Cursor;
use std::process::Command;

use crate::harness::{self, Case, Files, packed};
use bitexact::edit::changes_between;
use bitexact::exchange::{self, About, MANIFEST, contents};
use bitexact::field::{Value, decode};
use bitexact::marathon::picture::{Body, PictureFile};
use bitexact::marathon::shapes::{Carried, Shapes};
use bitexact::marathon::sounds::{Group, Permutations, Sounds};
use bitexact::media::png::Picture;
use bitexact::media::wav::Wav;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use bytes::Bytes;
use forge::Size;
use image::{DynamicImage, ImageFormat, ImageReader};

fn sample(name: &str) -> Case {
    let wanted = format!("forge/small/{name}");
    harness::forged(Size::Small, "small").into_iter().find(|case| case.name == wanted).expect(name)
}

fn unpacked(case: &Case) -> Files {
    harness::unpacked(case.kind, &case.bytes)
}

/// Returns the file packed from edited files, and the changes that `diff` reports.
fn edited(case: &Case, edit: impl FnOnce(&mut Files)) -> (Vec<u8>, Vec<String>) {
    let mut files = unpacked(case);
    edit(&mut files);
    let bytes = packed(files).unwrap();
    let changes = changes_between(case.kind, case.bytes.clone().into(), bytes.clone().into()).unwrap();
    (bytes, changes.iter().map(ToString::to_string).collect())
}

fn refused(case: &Case, edit: impl FnOnce(&mut Files)) -> String {
    let mut files = unpacked(case);
    edit(&mut files);
    packed(files).unwrap_err()
}

/// Returns the paths of the files with an ending.
fn paths(files: &Files, end: &str) -> Vec<String> {
    files.keys().filter(|path| path.ends_with(end)).cloned().collect()
}

fn read(png: &[u8]) -> DynamicImage {
    ImageReader::with_format(Cursor::new(png), ImageFormat::Png).decode().unwrap()
}

fn write(image: impl Into<DynamicImage>) -> Bytes {
    let mut png = Cursor::new(Vec::new());
    image.into().write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner().into()
}

/// Returns a PNG of indices, as written by programs that preserve them.
fn indexed(width: u32, height: u32, palette: &[[u8; 3]], indices: &[u8]) -> Bytes {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(indices).unwrap();
    writer.finish().unwrap();
    file.into()
}

/// Returns the rows of the first pixels that a picture file copies.
fn rows(file: &[u8]) -> Vec<Vec<u8>> {
    let picture = decode::<PictureFile>(file.to_vec()).unwrap().model.picture;
    let copies = picture.opcodes.iter().filter_map(|it| match &it.body {
        Body::Copy(copy) => Some(copy.unpacked(it.opcode)),
        _ => None,
    });
    copies.into_iter().next().unwrap()
}

#[test]
fn every_medium_gets_a_file() {
    // The number of files per ending, by sample.
    for (name, expected) in [
        ("01604.pct", [1, 0, 0]),
        ("01605.pct", [1, 0, 0]),
        ("01606.pct", [1, 0, 0]),
        ("01607.pct", [1, 0, 0]),
        ("pict_bitmap.pct", [2, 0, 0]),
        ("pict_four_planes.pct", [2, 0, 0]),
        // Rows that no known packer produces stay in the JSON.
        ("pict_packed_oddly.pct", [1, 0, 0]),
        ("m2_images.imgA", [1, 1, 1]),
        ("m2_map_b.sceA", [0, 0, 2]),
    ] {
        let case = sample(name);
        let files = unpacked(&case);
        assert_eq!(
            [".png", ".wav", ".txt"].map(|end| paths(&files, end).len()),
            expected,
            "{name}: {:?}",
            files.keys()
        );
        assert_eq!(packed(files).as_deref(), Ok(&case.bytes[..]), "{name}");
    }
}

#[test]
fn pixel_of_a_picture_changes_its_row() {
    for (name, unit) in [("01604.pct", 1), ("01605.pct", 1), ("01606.pct", 2), ("01607.pct", 1)] {
        let case = sample(name);
        let old = rows(&case.bytes);
        let (bytes, changes) = edited(&case, |files| {
            let path = paths(files, ".png").remove(0);
            let mut image = read(&files[&path]).into_rgb8();
            // A color that occurs in the picture.
            let other = *image.pixels().find(|it| *it != image.get_pixel(7, 5)).unwrap();
            image.put_pixel(7, 5, other);
            files.insert(path, write(image));
        });
        let new = rows(&bytes);
        let differing: Vec<usize> = (0..old.len()).filter(|&row| old[row] != new[row]).collect();
        assert_eq!(differing, [5], "{name}");
        if name != "01607.pct" {
            let columns: Vec<usize> =
                (0..old[5].len()).filter(|&at| old[5][at] != new[5][at]).map(|at| at / unit).collect();
            assert!(columns.iter().all(|column| *column == 7), "{name}: {columns:?}");
        }
        assert!(changes.iter().all(|change| change.starts_with("/opcodes/2/pixels")), "{name}: {changes:?}");
    }
}

#[test]
fn indexed_png_can_bring_new_colors() {
    let case = sample("01604.pct");
    let (width, height) = (130_u32, 20_u32);
    let palette = [[1, 2, 3], [250, 251, 252]];
    let indices: Vec<u8> = (0..width * height).map(|at| (at % 2) as u8).collect();
    let (bytes, _) = edited(&case, |files| {
        let path = paths(files, ".png").remove(0);
        files.insert(path, indexed(width, height, &palette, &indices));
    });
    let picture = decode::<PictureFile>(bytes.clone()).unwrap().model.picture;
    let colors = picture.opcodes.iter().find_map(|it| match &it.body {
        Body::Copy(copy) => Some(copy.colors.colors.iter().map(|color| color.rgb()).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!(colors.unwrap(), palette);
    assert_eq!(rows(&bytes)[0][..4], [0, 1, 0, 1]);
}

#[test]
fn edited_colors_of_a_palette_become_those_of_the_picture_and_what_fills_it_does_not() {
    let case = sample("01604.pct");
    let (colors, pixels) = shown(&case.bytes);
    let files = unpacked(&case);
    let path = paths(&files, ".png").remove(0);
    let picture = Picture::read(&files[&path]).unwrap();
    let (indices, palette) = picture.indexed.unwrap();
    let is_used = |slot: usize| indices.iter().any(|index| usize::from(*index) == slot);
    let used = usize::from(indices[0]);
    let unused = (0..palette.len()).find(|slot| !is_used(*slot) && colors.iter().any(|it| usize::from(it[0]) == *slot));
    for slot in core::iter::once(used).chain(unused) {
        let mut own = palette.clone();
        own[slot] = [1, 2, 3];
        let png = indexed(picture.width.into(), picture.height.into(), &own, &indices);
        let (bytes, _) = edited(&case, |files| _ = files.insert(path.clone(), png));
        let mut expected = colors.clone();
        let color = expected.iter_mut().find(|it| usize::from(it[0]) == slot).unwrap();
        (color[1], color[2], color[3]) = (257, 2 * 257, 3 * 257);
        assert_eq!(shown(&bytes), (expected, pixels.clone()), "{slot}");
    }
    // A slot without a color gets one, and only this one.
    if let Some(free) = (0..palette.len()).find(|slot| !colors.iter().any(|it| usize::from(it[0]) == *slot)) {
        let mut own = palette.clone();
        own[free] = [1, 2, 3];
        let png = indexed(picture.width.into(), picture.height.into(), &own, &indices);
        let (bytes, _) = edited(&case, |files| _ = files.insert(path.clone(), png));
        let expected = [&colors[..], &[[free as u16, 257, 2 * 257, 3 * 257]]].concat();
        assert_eq!(shown(&bytes), (expected, pixels.clone()));
    }
}

#[test]
fn rows_of_indices_that_no_pixel_can_have_stay_beside_an_edited_color() {
    let mut case = sample("01604.pct");
    let files = unpacked(&case);
    let path = paths(&files, ".png").remove(0);
    let picture = Picture::read(&files[&path]).unwrap();
    let (indices, _) = picture.indexed.unwrap();
    let (bytes, _) = edited(&case, |files| {
        edit_json(files, MANIFEST, |json| {
            let Value::List(rows) = data(json, "opcodes/2/color_table_data/colors") else { panic!("colors") };
            let mut row = rows[0].clone();
            *row.step_mut("value").unwrap() = 300.into();
            rows.push(row);
        });
    });
    case.bytes = bytes;
    let (colors, pixels) = shown(&case.bytes);
    let (bytes, _) = edited(&case, |files| {
        // What only fills the palette is as it was written.
        let mut own = Picture::read(&files[&path]).unwrap().indexed.unwrap().1;
        own[usize::from(indices[0])] = [1, 2, 3];
        files.insert(path.clone(), indexed(picture.width.into(), picture.height.into(), &own, &indices));
    });
    let mut expected = colors.clone();
    let color = expected.iter_mut().find(|it| it[0] == u16::from(indices[0])).unwrap();
    (color[1], color[2], color[3]) = (257, 2 * 257, 3 * 257);
    assert_eq!(shown(&bytes), (expected, pixels));
}

/// Edits the JSON in a file of a folder.
fn edit_json(files: &mut Files, path: &str, edit: impl FnOnce(&mut Value)) {
    let mut json = exchange::parse(&files[path]).unwrap();
    edit(&mut json);
    files.insert(path.to_owned(), exchange::print(&json).into());
}

/// Returns the value at a path of keys in the data of the manifest.
fn data<'a>(json: &'a mut Value, keys: &str) -> &'a mut Value {
    let found = keys.split('/').try_fold(json.step_mut("data").unwrap(), |json, key| json.step_mut(key));
    found.unwrap_or_else(|| panic!("no {keys}"))
}

/// Returns the colors and pixels of the first copy of a picture.
fn shown(file: &[u8]) -> (Vec<[u16; 4]>, Vec<Vec<u8>>) {
    let picture = decode::<PictureFile>(file.to_vec()).unwrap().model.picture;
    let copies = picture.opcodes.iter().find_map(|it| if let Body::Copy(copy) = &it.body { Some(copy) } else { None });
    let colors = copies.unwrap().colors.colors.iter();
    (colors.map(|it| [it.value, it.red, it.green, it.blue].map(|it| it.get())).collect(), rows(file))
}

#[test]
fn color_of_a_picture_can_be_edited_beside_its_png() {
    let case = sample("01604.pct");
    let (colors, pixels) = shown(&case.bytes);
    let used = usize::from(pixels[0][0]);
    for (member, at, value) in [("green", 2, 32767_u16), ("value", 0, 200)] {
        let (bytes, _) = edited(&case, |files| {
            edit_json(files, MANIFEST, |json| {
                *data(json, &format!("opcodes/2/color_table_data/colors/{used}/{member}")) = value.into();
            });
        });
        let mut expected = colors.clone();
        expected[used][at] = value;
        assert_eq!(shown(&bytes), (expected, pixels.clone()), "{member}");
    }
}

#[test]
fn colors_that_contradict_the_palette_of_a_png_are_refused() {
    let case = sample("01604.pct");
    let (width, height) = (130_u32, 20_u32);
    let why = refused(&case, |files| {
        edit_json(files, MANIFEST, |json| *data(json, "opcodes/2/color_table_data/colors/0/green") = 32767.into());
        let path = paths(files, ".png").remove(0);
        let indices = vec![0; (width * height) as usize];
        files.insert(path, indexed(width, height, &[[1, 2, 3], [250, 251, 252]], &indices));
    });
    assert!(why.contains("/color_table_data/colors: expected #010203 at index 0, as the palette of the PNG"), "{why}");
    assert!(why.contains("edit one of them, or remove the colors"), "{why}");
}

#[test]
fn value_that_contradicts_its_file_is_refused() {
    for (name, end, at, member, value) in [
        ("01604.pct", ".png", "opcodes/2", "pixels", Value::from([("rows", 1.into())])),
        ("01604.pct", ".png", "opcodes/2", "row_tails", vec![Value::from("00")].into()),
        ("Shapes.shpA", "bitmap 0000.png", "bitmaps/0", "bytes_per_row", 3.into()),
        ("Shapes.shpA", "bitmap 0000.png", "bitmaps/0", "width", 3.into()),
        ("m2_images.imgA", ".wav", "sound", "channels", 2_147_483_648_i64.into()),
        ("m2_images.imgA", ".wav", "sound", "rate", 1.into()),
        ("m2_map_b.sceA", "terminal 0.txt", "terminals/0", "text", "another".into()),
        ("01605.pct", ".png", "opcodes/2", "pixels", Value::Object(Vec::new())),
    ] {
        let case = sample(name);
        let why = refused(&case, |files| {
            let media = paths(files, end).remove(0);
            // Returns the document whose part names the file.
            let named = |(path, text): (&String, &Bytes)| {
                let text = String::from_utf8_lossy(text);
                (path.ends_with(".json") && text.contains(&format!("{media:?}"))).then(|| path.clone())
            };
            let document = files.iter().find_map(named).unwrap();
            edit_json(files, &document, |json| {
                let json = if document == MANIFEST { json.step_mut("data").unwrap() } else { json };
                let part = at.split('/').try_fold(json, |json, key| json.step_mut(key));
                let part = part.unwrap_or_else(|| panic!("{name}: {document}: no {at}"));
                part.take_member(member);
                part.put(member, value.clone());
            });
        });
        assert!(why.contains(member) && why.contains("expected"), "{name}: {member}: {why}");
    }
}

#[test]
fn unsuitable_picture_is_refused_with_a_reason() {
    let case = sample("01604.pct");
    let path = paths(&unpacked(&case), ".png").remove(0);
    let small = refused(&case, |files| _ = files.insert(path.clone(), write(image::RgbImage::new(9, 9))));
    assert_eq!(small, "data.png: expected 130 by 20 pixels, found 9 by 9; the size of a picture cannot change");
    let foreign = refused(&case, |files| {
        let mut image = read(&files[&path]).into_rgb8();
        image.put_pixel(3, 2, image::Rgb([1, 2, 3]));
        files.insert(path.clone(), write(image));
    });
    assert!(foreign.starts_with("data.png: pixel 3, 2 has color #010203"), "{foreign}");
    let missing = refused(&case, |files| _ = files.remove(&path));
    assert!(missing.contains("/opcodes/2/picture: file data.png is missing"), "{missing}");
}

/// The chunks of a PNG.
struct Chunks(Vec<([u8; 4], Vec<u8>)>);

impl Chunks {
    fn of(file: &[u8]) -> Self {
        let (mut rest, mut chunks) = (&file[8..], Vec::new());
        while !rest.is_empty() {
            let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
            chunks.push((rest[4..8].try_into().unwrap(), rest[8..8 + length].to_vec()));
            rest = &rest[12 + length..];
        }
        Self(chunks)
    }

    fn get(&mut self, kind: &[u8; 4]) -> &mut Vec<u8> {
        &mut self.0.iter_mut().find(|(it, _)| it == kind).unwrap().1
    }

    fn without(mut self, kind: &[u8; 4]) -> Self {
        self.0.retain(|(it, _)| it != kind);
        self
    }

    fn edited(mut self, kind: &[u8; 4], edit: impl FnOnce(&mut Vec<u8>)) -> Bytes {
        edit(self.get(kind));
        self.file()
    }

    /// Returns the file with the right checksums.
    fn file(&self) -> Bytes {
        let mut file = b"\x89PNG\r\n\x1A\n".to_vec();
        for (kind, data) in &self.0 {
            let named = [&kind[..], data].concat();
            file.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
            file.extend_from_slice(&named);
            file.extend(crc32fast::hash(&named).to_be_bytes());
        }
        file.into()
    }
}

#[test]
fn damaged_png_is_refused_with_a_reason() {
    let case = sample("01604.pct");
    let path = paths(&unpacked(&case), ".png").remove(0);
    let why = |png: Bytes| refused(&case, |files| _ = files.insert(path.clone(), png));
    let palette = [[1, 2, 3], [250, 251, 252]];
    let png = |beyond: u8| {
        let mut indices = vec![0; 130 * 20];
        indices[131] = beyond;
        indexed(130, 20, &palette, &indices)
    };
    let chunks = || Chunks::of(&png(1));
    let compressed = |bytes: &[u8]| miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6);
    edited(&case, |files| _ = files.insert(path.clone(), png(1)));
    let mut checksum = png(1).to_vec();
    *checksum.last_mut().unwrap() ^= 1;
    let noted = {
        let mut chunks = chunks();
        chunks.0.insert(1, (*b"tEXt", b"Title\0mine".to_vec()));
        let mut file = chunks.file().to_vec();
        let at = file.windows(4).position(|it| it == b"mine").unwrap();
        file[at] ^= 1;
        file
    };
    for (what, png, expected) in [
        ("an index beyond the palette", png(7), "pixel 1, 1 has color 7, but the palette has only 2 colors"),
        ("no palette", chunks().without(b"PLTE").file(), "not a readable PNG"),
        (
            "a palette of 4 bytes",
            chunks().edited(b"PLTE", |it| it.truncate(4)),
            "expected a palette of 1 to 256 colors, found 4",
        ),
        ("a wrong Adler-32", chunks().edited(b"IDAT", |it| *it.last_mut().unwrap() ^= 1), "checksum is damaged"),
        (
            "bytes after the stream",
            chunks().edited(b"IDAT", |it| it.push(0)),
            "expected nothing after the compressed stream",
        ),
        (
            "bytes after the pixels",
            chunks().edited(b"IDAT", |it| *it = compressed(&[0; 131 * 20 + 5])),
            "expected 2620 bytes of pixels, found 2625",
        ),
        ("a wrong CRC at the end", checksum.into(), "the checksum of the chunk IEND is wrong"),
        ("a wrong CRC of a note", noted.into(), "the checksum of the chunk tEXt is wrong"),
        ("no end", chunks().without(b"IEND").file(), "expected a chunk, found the end of the file"),
        (
            "bytes after the end",
            [&png(1)[..], b"junk"].concat().into(),
            "expected nothing after its end, found 4 bytes",
        ),
    ] {
        let why = why(png);
        assert!(why.starts_with("data.png: ") && why.contains(expected), "{what}: {why}");
    }
}

#[test]
fn interlaced_png_is_read() {
    let (width, height) = (5_u8, 3_u8);
    let mut passes = Vec::new();
    for (left, top, right, down) in
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    {
        for y in (top..height).step_by(down) {
            let row: Vec<u8> = (left..width).step_by(right).map(|x| y * width + x).collect();
            if !row.is_empty() {
                passes.push(0);
                passes.extend(row);
            }
        }
    }
    let head = [0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 1];
    let data = miniz_oxide::deflate::compress_to_vec_zlib(&passes, 6);
    let png = Chunks(vec![(*b"IHDR", head.to_vec()), (*b"IDAT", data), (*b"IEND", Vec::new())]).file();
    let picture = bitexact::media::Picture::read(&png).unwrap();
    assert!(picture.colors.iter().map(|color| color[0]).eq(0..15), "{:?}", picture.colors);
}

#[test]
fn bitmaps_take_pixels_and_sizes_from_their_pngs() {
    let case = sample("Shapes.shpA");
    let files = unpacked(&case);
    let path = paths(&files, "bitmap 0000.png").remove(0);
    let old = read(&files[&path]).into_rgb8();
    let first = |bytes: &[u8]| {
        let shapes = decode::<Shapes>(bytes.to_vec()).unwrap().model;
        let carried = shapes.collections.into_iter().flatten().next().unwrap();
        let Carried::Collection(collection) = carried else { panic!("a collection") };
        collection.bitmaps[0].bitmap.clone()
    };
    // An additional column on the right and row at the bottom, in the colors of the adjacent pixels.
    let (width, height) = (old.width() + 1, old.height() + 1);
    let larger =
        image::RgbImage::from_fn(width, height, |x, y| *old.get_pixel(x.min(old.width() - 1), y.min(old.height() - 1)));
    let picture = Picture::read(&files[&path]).unwrap();
    let (indices, palette) = picture.indexed.unwrap();
    let at = |x: u32, y: u32| indices[(y.min(old.height() - 1) * old.width() + x.min(old.width() - 1)) as usize];
    let all: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| at(x, y)).collect();
    let png = indexed(width, height, &palette, &all);
    let (bytes, changes) = edited(&case, |files| _ = files.insert(path.clone(), png));
    let bitmap = first(&bytes);
    assert_eq!([bitmap.head.width.get(), bitmap.head.height.get()].map(i32::from), [width as i32, height as i32]);
    assert!(changes.iter().all(|change| change.contains(":/bitmaps/0/")), "{changes:?}");
    let again = Case { bytes, ..case.clone() };
    let seen = read(&unpacked(&again)[&path]).into_rgb8();
    assert!(seen.pixels().eq(larger.pixels()));
    // Some of its indices have no color in the collection, so an RGB file says less than they do.
    let rgb = refused(&case, |files| _ = files.insert(path.clone(), write(larger.clone())));
    assert!(rgb.contains("has color #ff00ff, which is not in the palette"), "{rgb}");
    // A color of the palette, which all bitmaps share, whether a pixel has it or not.
    for entry in [1, 200] {
        let mut other = palette.clone();
        other[entry] = [1, 2, 3];
        let png = indexed(old.width(), old.height(), &other, &indices);
        let why = refused(&case, |files| _ = files.insert(path.clone(), png));
        assert!(
            why.contains(&format!("at index {entry} of its palette, as its collection has it, found #010203")),
            "{why}"
        );
        assert!(why.contains("edit `colors` of the collection"), "{why}");
    }
    // A color that the collection does not contain.
    let foreign = refused(&case, |files| {
        let mut image = old.clone();
        image.put_pixel(1, 0, image::Rgb([12, 34, 56]));
        files.insert(path.clone(), write(image));
    });
    assert!(foreign.contains("bitmap 0000.png: pixel 1, 0 has color #0c2238"), "{foreign}");
}

#[test]
fn bitmaps_of_patches_and_of_marathon_get_pngs() {
    assert!(paths(&unpacked(&sample("Shapes.rsrc")), ".png").len() > 1);
    let patch = sample("Enforcer.ShPa");
    let pngs = paths(&unpacked(&patch), ".png");
    assert!(pngs.len() > 1, "{pngs:?}");
    for path in pngs {
        // A patch has no colors, so its indices are shown as grays, and an RGB file restores them.
        let (bytes, changes) = edited(&patch, |files| {
            files.insert(path.clone(), write(read(&files[&path]).into_rgb8()));
        });
        assert!(bytes == patch.bytes, "{path}: {changes:?}");
    }
}

#[test]
fn sounds_take_samples_and_rates_from_their_wav_files() {
    let case = harness::forged(Size::Small, "small").into_iter().find(|case| case.kind.name == "sounds").unwrap();
    let files = unpacked(&case);
    let path = paths(&files, ".wav").remove(0);
    let wav = Wav::read(&files[&path]).unwrap();
    let longer = Wav { rate: 11025, samples: [&wav.samples[..], &[1, 2, 3, 4]].concat(), ..wav.clone() };
    let (bytes, changes) = edited(&case, |files| _ = files.insert(path.clone(), longer.write().unwrap().into()));
    let sounds = decode::<Sounds>(bytes.clone()).unwrap().model;
    let Some(Group::Sounds(Permutations { sounds: group, .. })) = sounds.groups.into_iter().flatten().next() else {
        panic!("sounds")
    };
    assert_eq!((&group[0].samples[..], group[0].rate()), (&longer.samples[..], 11025 << 16));
    assert_eq!(group[0].standard.loop_end.get() as usize, longer.samples.len() - 1, "the loop follows");
    assert_eq!(bytes.len(), case.bytes.len() + 4);
    assert!(!changes.is_empty() && changes.iter().all(|change| change.contains(":/sounds/0/")), "{changes:?}");
    let stereo = Wav { channels: 2, ..wav };
    let why = refused(&case, |files| _ = files.insert(path.clone(), stereo.write().unwrap().into()));
    assert_eq!(why, format!("{path}: expected 1 channel of 8 bits, found 2 of 8"));
    let why = refused(&case, |files| _ = files.insert(path.clone(), Bytes::from_static(b"OggS")));
    assert_eq!(why, format!("{path}: not a WAV file"));
}

#[test]
fn loops_of_wav_files_are_taken_and_those_outside_the_samples_reported() {
    let case = harness::forged(Size::Small, "small").into_iter().find(|case| case.kind.name == "sounds").unwrap();
    let path = paths(&unpacked(&case), ".wav").remove(0);
    let loops = |bytes: &[u8]| {
        let sounds = decode::<Sounds>(bytes.to_vec()).unwrap().model;
        let Some(Group::Sounds(Permutations { sounds: group, .. })) = sounds.groups.into_iter().flatten().next() else {
            panic!("sounds")
        };
        [group[0].standard.loop_start.get(), group[0].standard.loop_end.get()]
    };
    let with = |file: &Bytes, all: &[[u32; 2]]| {
        let mut sampler = vec![0; 28];
        sampler.extend([(all.len() as u32).to_le_bytes(), [0; 4]].concat());
        all.iter().for_each(|[start, end]| {
            sampler.extend([0, 0, *start, *end, 0, 0].map(u32::to_le_bytes).concat());
        });
        let size = (sampler.len() as u32).to_le_bytes();
        Bytes::from([&file[..], b"smpl", &size, &sampler].concat())
    };
    let (bytes, _) = edited(&case, |files| _ = files.insert(path.clone(), with(&files[&path], &[[1, 2]])));
    assert_eq!(loops(&bytes), [1, 2]);
    // A file with another loop than the JSON says, and one with several.
    let again = Case { bytes, ..case.clone() };
    let why = refused(&again, |files| _ = files.insert(path.clone(), with(&files[&path], &[[1, 3]])));
    assert!(why.contains("/loop_end: expected 3, as the loop of the WAV file has it, found 2; remove"), "{why}");
    let why = refused(&case, |files| _ = files.insert(path.clone(), with(&files[&path], &[[1, 3], [1, 2]])));
    assert_eq!(why, format!("{path}: expected one loop at most, found 2; remove the others"));
    // A loop beyond the samples is kept and reported.
    let (bytes, _) = edited(&case, |files| _ = files.insert(path.clone(), with(&files[&path], &[[5, 1_000_000]])));
    assert_eq!(loops(&bytes), [5, 1_000_000]);
    let report = bitexact::verify::verify(KINDS, "Sounds.snd2", bytes);
    let places: Vec<_> = report.deviations.iter().map(|it| it.first_place.to_string()).collect();
    assert!(places.iter().any(|place| place.ends_with("/loop_end")), "{places:?}");
}

#[test]
fn fractional_rate_is_kept_and_can_be_edited() {
    let case = harness::forged(Size::Small, "small").into_iter().find(|case| case.kind.name == "sounds").unwrap();
    let rate = |bytes: &[u8]| {
        let sounds = decode::<Sounds>(bytes.to_vec()).unwrap().model;
        let Some(Group::Sounds(Permutations { sounds: group, .. })) = sounds.groups.into_iter().flatten().next() else {
            panic!("sounds")
        };
        group[0].rate()
    };
    let old = rate(&case.bytes);
    assert_ne!(old % (1 << 16), 0, "the sample has a rate that no WAV file has");
    let files = unpacked(&case);
    let names = |path: &String| path.ends_with(".json") && String::from_utf8_lossy(&files[path]).contains("\"wave\"");
    let document = files.keys().find(|path| names(path)).unwrap().clone();
    for value in [old + 1, 0] {
        let (bytes, _) = edited(&case, |files| {
            edit_json(files, &document, |json| {
                let json = if document == MANIFEST { json.step_mut("data").unwrap() } else { json };
                let keys = ["sounds", "0", "rate", "kept"];
                let kept = keys.iter().try_fold(json, |json, key| json.step_mut(key)).expect("the rate is kept");
                assert_eq!(*kept, Value::Fixed(old.into()));
                *kept = Value::Fixed(value.into());
            });
        });
        assert_eq!(rate(&bytes), value);
    }
}

#[test]
fn terminals_are_edited_as_text() {
    let case = sample("m2_map_b.sceA");
    let edit = |text: &str, from: &str, to: &str| Bytes::from(text.replace(from, to).into_bytes());
    let text = |files: &Files, path: &str| String::from_utf8(files[path].to_vec()).unwrap();
    let files = unpacked(&case);
    let path = paths(&files, "terminal 1.txt").remove(0);
    assert!(text(&files, &path).contains("\nthe vent core!$\n"), "{}", text(&files, &path));
    let (bytes, changes) = edited(&case, |files| {
        let new = edit(&text(files, &path), "the vent core", "They're $Beverywhere$b");
        files.insert(path.clone(), new);
    });
    assert!(changes.iter().all(|change| change.starts_with("0!term:/terminals/1/")), "{changes:?}");
    assert!(changes.iter().any(|change| change.contains("/text: ")), "{changes:?}");
    let again = Case { bytes, ..case.clone() };
    assert!(text(&unpacked(&again), &path).contains("They're $Beverywhere$b"));
    let why = refused(&case, |files| _ = files.insert(path.clone(), edit(&text(files, &path), "#", "#NO_")));
    assert!(why.starts_with(&format!("{path}: line 1: \"NO_")), "{why}");
}

#[test]
fn patch_replaces_a_single_picture_or_sound() {
    let desk = tempfile::tempdir().unwrap();
    let path = |name: &str| desk.path().join(name);
    let case = sample("m2_images.imgA");
    let files = unpacked(&case);
    let (png, wav) = (paths(&files, ".png").remove(0), paths(&files, ".wav").remove(0));
    let mut turned = read(&files[&png]).into_rgb8();
    image::imageops::flip_vertical_in_place(&mut turned);
    let mut louder = Wav::read(&files[&wav]).unwrap();
    louder.samples.reverse();
    fs::write(path("a.imgA"), &case.bytes).unwrap();
    fs::write(path("a.png"), write(turned.clone())).unwrap();
    fs::write(path("a.wav"), louder.write().unwrap()).unwrap();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_bitexact")).current_dir(desk.path()).args(args).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = run(&["patch", "a.imgA", "--replace", "0!PICT=a.png", "--replace", "3!snd =a.wav"]);
    assert_eq!(code, 0, "{said}");
    let files = unpacked(&Case { bytes: fs::read(path("a.imgA")).unwrap(), ..case });
    assert!(read(&files[&png]).into_rgb8().pixels().eq(turned.pixels()));
    assert_eq!(Wav::read(&files[&wav]), Ok(louder));
    let (code, said) = run(&["patch", "a.imgA", "--replace", "3!TEXT=a.png"]);
    assert!(code != 0 && said.contains("3!TEXT: not an image, so a PNG cannot replace it"), "{said}");
    assert_eq!(run(&["export", "a.imgA", "sheet.png"]).0, 0);
    assert!(read(&fs::read(path("sheet.png")).unwrap()).width() > turned.width());
    assert_ne!(run(&["export", "a.imgA", "a.glb"]).0, 0);
}

/// Every picture, sound and terminal of the corpora gets a file, and `diff` lists an edit of one and nothing else.
#[test]
fn real_files_get_their_media() {
    let Some(corpora) = harness::corpora() else { return };
    let mut counts = [0; 3];
    for file in harness::known_files(&corpora.join("marathon"), "marathon") {
        let files = unpacked(&file);
        for (count, end) in counts.iter_mut().zip([".png", ".wav", ".txt"]) {
            *count += paths(&files, end).len();
        }
        assert_eq!(packed(files.clone()).as_deref(), Ok(&file.bytes[..]), "{}", file.name);
        // The JSON does not repeat the media.
        for (path, content) in &files {
            let text = String::from_utf8_lossy(content);
            let is_json = path.ends_with(".json");
            assert!(
                !is_json || !(text.contains("\"samples\"") || text.contains("\"packer\": \"PIECES\", \"rows\"")),
                "{path}"
            );
            assert!(!is_json || !text.contains("\"text_start\""), "{}: {path}", file.name);
        }
        if let Some(path) = paths(&files, "term.txt").first().or(paths(&files, "terminal 0.txt").first()) {
            let (bytes, changes) = edited(&file, |files| {
                let text = String::from_utf8(files[path].to_vec()).unwrap();
                files.insert(path.clone(), text.replacen("#LOGOFF", "Bye.\n#LOGOFF", 1).into_bytes().into());
            });
            assert!(bytes.len() > file.bytes.len(), "{}", file.name);
            let beside = |change: &String| change.contains("!term:/terminals/0/") || change.contains("/checksum");
            assert!(!changes.is_empty() && changes.iter().all(beside), "{}: {changes:?}", file.name);
            assert!(recognize(KINDS, &file.name, &bytes).is_some());
        }
    }
    assert_eq!(counts, [543, 104, 27]);
}

/// Folders unpacked today can be packed by later versions, and under version control they show only changes made by
/// people: unpacked text changes only with the schema, or if a release announces it.
#[test]
fn unpacked_text_of_the_sample_install_is_stable() {
    let mut lines = String::new();
    let root = harness::golden_install();
    for Case { name, kind, bytes, .. } in harness::known_files(&root, "golden") {
        let file = name.rsplit('/').next().unwrap();
        let report = bitexact::verify::verify(KINDS, file, bytes.clone());
        let Ok(decoded) = (kind.decode)(bytes.clone().into()) else { continue };
        let about = About { kind, games: &report.games, sha256: Sha::of(&bytes), deviations: &report.deviations };
        let form = contents(&decoded.model, about).unwrap();
        let texts = form.files.iter().filter(|(path, _)| path.ends_with(".json") || path.ends_with(".txt"));
        let all: Vec<u8> = texts.flat_map(|(path, text)| [path.as_bytes(), b"\0", text, b"\0"].concat()).collect();
        lines.push_str(&format!("{:.16} {} files {name}\n", Sha::of(&all).to_string(), form.files.len()));
    }
    insta::with_settings!({snapshot_path => "../golden/snapshots", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("forms", lines);
    });
}
