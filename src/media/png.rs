//! Conversion between PNG files and pixels.

mod chunks;
mod pixels;
mod stored;

use std::collections::HashMap;
use std::io::Cursor;

pub use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};

use crate::{MediumError, Replaced};
use field::{Value, wide};
use json::Describe as _;
use output::printable::counted;

use chunks::SIGNATURE;
pub use pixels::sides;
pub use pixels::{Error, Pixels};
pub use stored::Stored;

/// Red, green, blue, opacity.
pub type Rgba = [u8; 4];

/// A decoded PNG file.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u16,
    /// The height in pixels.
    pub height: u16,
    /// The colors, row by row from the top.
    pub colors: Vec<Rgba>,
    /// `true` if the file can store transparency.
    pub has_alpha: bool,
    /// The indices and the palette, if the file has them.
    pub indexed: Option<(Vec<u8>, Vec<[u8; 3]>)>,
}

/// Writes pixels to a PNG file with 8 bits per channel. They are compressed only if that makes the file shorter by more than an eighth, as
/// some rows show.
///
/// # Errors
/// Returns an error if the number of bytes does not match the size.
pub fn write(width: u32, height: u32, pixels: &Pixels, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let row = usize::try_from(width).ok().and_then(|width| width.checked_mul(pixels.channels()));
    let row = row.filter(|row| *row > 0 && bytes.len().is_multiple_of(*row));
    let rows = row.filter(|row| usize::try_from(height).is_ok_and(|height| bytes.len() / row == height));
    if let Some(row) = rows
        && let Some(file) = write_dense(width, height, pixels, &|at, to| {
            if let Some(from) = bytes.get(at * row..).and_then(|rest| rest.get(..row)) {
                to.copy_from_slice(from);
            }
        })
    {
        return Ok(file);
    }
    deflated(width, height, pixels, bytes)
}

/// Writes pixels to a PNG file without compression, given a function that fills a row, or returns `None` if they are to be compressed.
pub fn write_dense(width: u32, height: u32, pixels: &Pixels, fill: &dyn Fn(usize, &mut [u8])) -> Option<Vec<u8>> {
    let size = stored::Size::of(width, height, pixels)?;
    if stored::is_dense(size, fill) { stored::write(size, pixels, fill) } else { None }
}

/// Writes pixels to a compressed PNG file.
fn deflated(width: u32, height: u32, pixels: &Pixels, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    // The files are viewed, edited and packed again, so speed matters more than size.
    encoder.set_compression(Compression::Fastest);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(match pixels {
        Pixels::Grey => ColorType::Grayscale,
        Pixels::Rgb => ColorType::Rgb,
        Pixels::Rgba => ColorType::Rgba,
        Pixels::Indexed(_) => ColorType::Indexed,
    });
    if let Pixels::Indexed(palette) = pixels {
        encoder.set_palette(palette.as_slice());
    }
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(bytes)?;
        writer.finish()
    });
    written.map(|()| file).map_err(|error| Error::Unwritable(error.to_string()))
}

/// A PNG file of any size and mode, decoded as asked for.
struct Raw {
    color: ColorType,
    depth: BitDepth,
    line: usize,
    palette: Vec<u8>,
    /// The opacity of the first colors of the palette, if the file stores it.
    opacities: Option<Vec<u8>>,
    bytes: Vec<u8>,
}

impl Picture {
    /// Reads a PNG file of any mode.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a PNG, or the PNG is damaged or too large.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        match Stored::read(file) {
            Some(stored) => Self::of_stored(&stored),
            None => Self::read_any(file),
        }
    }

    fn of_stored(stored: &Stored<'_>) -> Result<Self, Error> {
        let ((width, height), samples) = (stored.size, stored.samples());
        if stored.color == ColorType::Indexed {
            return Self::of_indices((width, height), samples, stored.palette.to_vec(), None);
        }
        let (colors, has_alpha) = colors(stored.color, &samples);
        Ok(Self { width, height, colors, has_alpha, indexed: None })
    }

    /// Reads a file of any mode, compressed or not.
    fn read_any(file: &[u8]) -> Result<Self, Error> {
        if !file.starts_with(SIGNATURE) {
            return Err(Error::Unreadable("it does not begin like a PNG; save the image in that format".to_owned()));
        }
        let unreadable = |error: png::DecodingError| Error::Unreadable(error.to_string());
        let mut decoder = Decoder::new(Cursor::new(file));
        let info = decoder.read_header_info().map_err(unreadable)?;
        let ((width, height), is_indexed) = (sides(info.size())?, info.color_type == ColorType::Indexed);
        chunks::check(file).map_err(Error::Unreadable)?;
        if !is_indexed {
            decoder.set_transformations(Transformations::normalize_to_color8());
        }
        let raw = Raw::read(decoder).map_err(unreadable)?;
        if !is_indexed {
            let (colors, has_alpha) = colors(raw.color, &raw.bytes);
            return Ok(Self { width, height, colors, has_alpha, indexed: None });
        }
        let (palette, opacities) = (raw.palette.as_chunks::<3>().0.to_vec(), raw.opacities.clone());
        Self::of_indices((width, height), raw.indices(width.into()), palette, opacities.as_deref())
    }

    fn of_indices(
        (width, height): (u16, u16),
        indices: Vec<u8>,
        palette: Vec<[u8; 3]>,
        opacities: Option<&[u8]>,
    ) -> Result<Self, Error> {
        // Missing opacities are opaque.
        let opacity = |index: usize| opacities.and_then(|all| all.get(index)).copied().unwrap_or(u8::MAX);
        let color = |(at, &index): (usize, &u8)| match palette.get(usize::from(index)) {
            Some(&[red, green, blue]) => Ok([red, green, blue, opacity(index.into())]),
            None => {
                let side = usize::from(width).max(1);
                let (x, y, has) = (at % side, at / side, counted(wide(palette.len()), "color"));
                let why = format!("pixel {x}, {y} has color {index}, but the palette has only {has}");
                Err(Error::Unreadable(why))
            }
        };
        let colors = indices.iter().enumerate().map(color).collect::<Result<_, _>>()?;
        Ok(Self { width, height, colors, has_alpha: opacities.is_some(), indexed: Some((indices, palette)) })
    }

    /// Returns the indices of the pixels. They are unchanged if the file's own palette agrees with `palette` for all of
    /// them; otherwise each is the first index of the same color in `palette`, of those that `has` a color: the others only
    /// fill the palette. Transparent pixels have the index `clear`.
    ///
    /// # Errors
    /// Returns an error if a color is not in the palette; the error names the first such pixel.
    pub fn indices(&self, palette: &[[u8; 3]], has: &dyn Fn(u8) -> bool, clear: Option<u8>) -> Result<Vec<u8>, String> {
        if let Some((indices, own)) = &self.indexed {
            let same = |index: &u8| {
                own.get(usize::from(*index)).is_some_and(|it| palette.get(usize::from(*index)) == Some(it))
            };
            if indices.iter().all(same) {
                return Ok(indices.clone());
            }
        }
        let mut known = HashMap::new();
        for (index, color) in (0..=u8::MAX).zip(palette).filter(|(index, _)| has(*index)) {
            known.entry(*color).or_insert(index);
        }
        let index = |(at, &[red, green, blue, opacity]): (usize, &Rgba)| {
            let index = match opacity {
                u8::MAX => known.get(&[red, green, blue]).copied(),
                0 => clear,
                _ => None,
            };
            index.ok_or_else(|| {
                let (x, y) = (at % usize::from(self.width).max(1), at / usize::from(self.width).max(1));
                match opacity {
                    u8::MAX => {
                        format!("pixel {x}, {y} has color #{red:02x}{green:02x}{blue:02x}, which is not in the palette")
                    }
                    _ => format!("pixel {x}, {y} is transparent, but the image cannot store transparency"),
                }
            })
        };
        self.colors.iter().enumerate().map(index).collect()
    }
}

/// The JSON member with the checksum of the palette that the image had when its PNG was written.
pub const PALETTE: &str = "palette_crc32";

/// Returns the checksum of a palette, for [`PALETTE`].
#[must_use]
pub fn checksum(palette: &[[u8; 3]]) -> Value {
    format!("{:08x}", crc32fast::hash(palette.as_flattened())).into()
}

/// Removes the checksum of the palette from the JSON of an image, and returns it.
///
/// # Errors
/// Returns an error if the member is not a checksum.
pub fn take_checksum(image: &mut Value) -> Result<Option<Value>, MediumError> {
    let Some(checksum) = image.take_member(PALETTE) else { return Ok(None) };
    match checksum.text() {
        Some(text) if text.len() == 8 && text.bytes().all(|it| it.is_ascii_hexdigit()) => Ok(Some(checksum)),
        _ => {
            let why = format!("expected 8 hexadecimal digits, found {}", checksum.describe());
            Err(MediumError::at(PALETTE, why))
        }
    }
}

impl Picture {
    /// Reports a checksum that matches neither the palette of the PNG nor that of the JSON. It cannot show which one is
    /// unedited, so it is replaced.
    #[must_use]
    pub fn of_neither(&self, checksum_given: Option<&Value>, known: &[[u8; 3]]) -> Vec<Replaced> {
        let (Some(given), known) = (checksum_given, checksum(known)) else { return Vec::new() };
        if *given == known || self.indexed.as_ref().is_some_and(|(_, own)| *given == checksum(own)) {
            return Vec::new();
        }
        vec![Replaced { place: format!("/{PALETTE}"), was: given.clone(), now: known }]
    }

    /// Returns the indices and the palette if the palette has this checksum. Then it has not been edited since it was
    /// written, and an index keeps its meaning, whatever its current color is.
    #[must_use]
    pub fn unedited(&self, palette: Option<&Value>) -> Option<(&[u8], &[[u8; 3]])> {
        let (indices, own) = self.indexed.as_ref()?;
        (palette? == &checksum(own)).then_some((indices, own))
    }

    /// Returns the indices and the palette if the palette can be compared with the one that was written: none was stated, or just that one.
    /// If the colors were edited elsewhere too, it is not known.
    #[must_use]
    pub fn comparable(&self, stated: Option<&Value>, written: &[[u8; 3]]) -> Option<(&[u8], &[[u8; 3]])> {
        let (indices, own) = self.indexed.as_ref()?;
        stated.is_none_or(|stated| *stated == checksum(written)).then_some((indices, own))
    }
}

/// Returns the entries of a PNG's palette that were edited, given the palette that was written and the indices of the pixels: those that
/// differ. Another program can give colors another order, and unused entries one color that only fills the palette. Neither is an edit, and
/// a palette of another length is another palette.
#[must_use]
pub fn edited_entries(own: &[[u8; 3]], written: &[[u8; 3]], indices: &[u8]) -> Vec<usize> {
    if own.len() != written.len() || own == written {
        return Vec::new();
    }
    let is_used = used_entries(own, indices);
    let entries = || own.iter().zip(written).zip(&is_used).enumerate();
    let mut fills: HashMap<[u8; 3], usize> = HashMap::new();
    let unused = entries().filter(|(_, ((own, written), is_used))| !**is_used && own != written);
    unused.for_each(|(_, ((own, _), _))| *fills.entry(*own).or_default() += 1);
    let is_filler = |own: &[u8; 3], is_used: bool| !is_used && fills.get(own).is_some_and(|count| *count > 1);
    let mut left: HashMap<[u8; 3], usize> = HashMap::new();
    written.iter().for_each(|color| *left.entry(*color).or_default() += 1);
    // All colors of the palette that was written, in another order.
    let is_known = entries().filter(|(_, ((own, _), is_used))| !is_filler(own, **is_used)).all(|(_, ((own, _), _))| {
        let count = left.get_mut(own).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    });
    if is_known {
        return Vec::new();
    }
    let is_edited =
        |((own, written), is_used): &((&[u8; 3], &[u8; 3]), &bool)| own != written && !is_filler(own, **is_used);
    entries().filter(|(_, it)| is_edited(it)).map(|(entry, _)| entry).collect()
}

/// Returns for each entry of a palette whether a pixel has it.
#[must_use]
pub fn used_entries(palette: &[[u8; 3]], indices: &[u8]) -> Vec<bool> {
    let mut is_used = vec![false; palette.len()];
    for index in indices {
        if let Some(used) = is_used.get_mut(usize::from(*index)) {
            *used = true;
        }
    }
    is_used
}

/// Returns the color of an entry of a palette in words.
#[must_use]
pub fn shown_color(palette: &[[u8; 3]], entry: usize) -> String {
    match palette.get(entry) {
        Some([red, green, blue]) => format!("#{red:02x}{green:02x}{blue:02x}"),
        None => "nothing".to_owned(),
    }
}

/// Checks that the palette of a PNG is the one that was written, if it cannot be edited there. The palette of another picture, whose pixels
/// have other colors in most entries, is none that was edited: its colors are looked for.
///
/// # Errors
/// Returns an error for the first entry that was edited, with what has the colors, and what to do.
pub fn is_unedited(
    (indices, own): (&[u8], &[[u8; 3]]),
    written: &[[u8; 3]],
    (owner, hint): (&str, &str),
) -> Result<(), String> {
    let edited = edited_entries(own, written, indices);
    let is_other = edited.len() * 2 > written.len() && {
        let is_used = used_entries(own, indices);
        edited.iter().any(|entry| is_used.get(*entry) == Some(&true))
    };
    let Some(entry) = edited.first().copied().filter(|_| !is_other) else { return Ok(()) };
    let [found, expected] = [own, written].map(|palette| shown_color(palette, entry));
    Err(format!("expected {expected} at index {entry} of its palette, as {owner} has it, found {found}; {hint}"))
}

impl Raw {
    fn read(decoder: Decoder<Cursor<&[u8]>>) -> Result<Self, png::DecodingError> {
        let mut reader = decoder.read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let frame = reader.next_frame(&mut bytes)?;
        bytes.truncate(frame.buffer_size());
        let palette = reader.info().palette.as_ref().map(|palette| palette.to_vec()).unwrap_or_default();
        let opacities = reader.info().trns.as_ref().map(|opacities| opacities.to_vec());
        let (color, depth, line) = (frame.color_type, frame.bit_depth, frame.line_size);
        Ok(Self { color, depth, line, palette, opacities, bytes })
    }

    /// Returns indices of 1 to 8 bits as bytes.
    fn indices(self, width: usize) -> Vec<u8> {
        let bits = match self.depth {
            BitDepth::One => 1,
            BitDepth::Two => 2,
            BitDepth::Four => 4,
            BitDepth::Eight | BitDepth::Sixteen => return self.bytes,
        };
        let mask = u8::MAX >> (8 - bits);
        let of_byte = |byte: u8| (1..=8 / bits).map(move |nth| byte >> (8 - nth * bits) & mask);
        let lines = self.bytes.chunks_exact(self.line.max(1));
        lines.flat_map(|line| line.iter().copied().flat_map(of_byte).take(width)).collect()
    }
}

/// Returns the colors of 8-bit samples, and `true` if they have opacity.
fn colors(color: ColorType, bytes: &[u8]) -> (Vec<Rgba>, bool) {
    fn each<const N: usize>(bytes: &[u8], color: impl Fn([u8; N]) -> Rgba) -> Vec<Rgba> {
        bytes.as_chunks::<N>().0.iter().map(|&samples| color(samples)).collect()
    }
    match color {
        ColorType::Grayscale | ColorType::Indexed => (each(bytes, |[v]| [v, v, v, u8::MAX]), false),
        ColorType::GrayscaleAlpha => (each(bytes, |[v, a]| [v, v, v, a]), true),
        ColorType::Rgb => (each(bytes, |[r, g, b]| [r, g, b, u8::MAX]), false),
        ColorType::Rgba => (each(bytes, |rgba| rgba), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(bytes: &[u8]) -> Pixels {
        Pixels::Indexed(bytes.to_vec())
    }

    #[test]
    fn written_png_is_read_back() {
        let file = write(2, 1, &palette(&[1, 2, 3, 4, 5, 6]), &[1, 0]).expect("it is written");
        let picture = Picture::read(&file).expect("it is read");
        assert_eq!(picture.colors, [[4, 5, 6, 255], [1, 2, 3, 255]]);
        assert_eq!(picture.indexed, Some((vec![1, 0], vec![[1, 2, 3], [4, 5, 6]])));
        let file = write(1, 2, &Pixels::Rgba, &[1, 2, 3, 0, 4, 5, 6, 7]).expect("it is written");
        assert_eq!(Picture::read(&file).expect("it is read").colors, [[1, 2, 3, 0], [4, 5, 6, 7]]);
    }

    #[test]
    fn indices_are_kept_if_their_colors_are() {
        let known = [[9; 3], [7; 3], [7; 3]];
        let read = |pixels: &Pixels, bytes: &[u8]| {
            Picture::read(&write(2, 1, pixels, bytes).expect("it is written")).expect("it is read")
        };
        let own = known.concat();
        assert_eq!(read(&palette(&own), &[2, 1]).indices(&known, &|_| true, None), Ok(vec![2, 1]), "as they are");
        assert_eq!(read(&palette(&[7, 7, 7, 9, 9, 9]), &[0, 1]).indices(&known, &|_| true, None), Ok(vec![1, 0]));
        let clear = read(&Pixels::Rgba, &[7, 7, 7, 255, 1, 2, 3, 0]);
        assert_eq!(clear.indices(&known, &|_| true, Some(0)), Ok(vec![1, 0]));
        assert!(clear.indices(&known, &|_| true, None).is_err_and(|why| why.contains("1, 0 is transparent")));
        let other = read(&Pixels::Rgb, &[7, 7, 7, 1, 2, 3]).indices(&known, &|_| true, None);
        assert!(other.is_err_and(|why| why.contains("1, 0 has color #010203")));
    }

    #[test]
    fn colors_that_only_fill_a_palette_are_not_found() {
        let known = [[9; 3], [255, 0, 255], [7; 3]];
        let file = write(2, 1, &Pixels::Rgb, &[7, 7, 7, 255, 0, 255]).expect("it is written");
        let picture = Picture::read(&file).expect("it is read");
        assert_eq!(picture.indices(&known, &|_| true, None), Ok(vec![2, 1]));
        let refused = picture.indices(&known, &|index| index != 1, None).expect_err("a filler");
        assert!(refused.contains("pixel 1, 0 has color #ff00ff"), "{refused}");
    }

    #[test]
    fn palette_of_another_program_is_no_edit() {
        let written = [[1; 3], [2; 3], [3; 3], [4; 3]];
        let edited = |own: &[[u8; 3]], indices: &[u8]| edited_entries(own, &written, indices);
        assert_eq!(edited(&written, &[0]), [0; 0]);
        assert_eq!(edited(&[[1; 3], [9; 3], [3; 3], [8; 3]], &[]), [1, 3]);
        assert_eq!(edited(&[[4; 3], [3; 3], [2; 3], [1; 3]], &[0, 1, 2, 3]), [0; 0], "another order");
        assert_eq!(edited(&[[1; 3], [3; 3], [2; 3], [4; 3]], &[1]), [0; 0], "two that are exchanged");
        assert_eq!(edited(&[[1; 3], [9; 3], [3; 3]], &[0]), [0; 0], "another length");
        assert_eq!(edited(&[[1; 3], [2; 3], [0; 3], [0; 3]], &[0, 1]), [0; 0], "padding");
        assert_eq!(edited(&[[2; 3], [1; 3], [0; 3], [0; 3]], &[0, 1]), [0; 0], "another order and padding");
        assert_eq!(edited(&[[9; 3], [2; 3], [0; 3], [0; 3]], &[0, 1]), [0], "an edit beside padding");
        assert_eq!(edited(&[[0; 3], [2; 3], [0; 3], [4; 3]], &[0, 2]), [0, 2], "one color for two that are used");
        assert_eq!(edited(&[[1; 3], [2; 3], [3; 3], [9; 3]], &[0]), [3], "one that is not used");
        assert_eq!(edited(&[[5; 3], [6; 3], [7; 3], [8; 3]], &[0, 1]), [0, 1, 2, 3], "another hue of all");
        let refused =
            is_unedited((&[], &[[1; 3], [2; 3], [0, 10, 255], [4; 3]]), &written, ("the file", "edit it there"));
        let why = "expected #030303 at index 2 of its palette, as the file has it, found #000aff; edit it there";
        assert_eq!(refused, Err(why.to_owned()));
        let other = [[1; 3], [5; 3], [6; 3], [7; 3]];
        let is_unedited = |indices: &[u8]| is_unedited((indices, &other), &written, ("the file", "")).is_ok();
        assert!(
            is_unedited(&[0, 3]) && !is_unedited(&[0]),
            "the palette of another picture has pixels of other colors"
        );
    }

    #[test]
    fn indices_below_a_byte_end_with_their_row() {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 3, 2);
        encoder.set_depth(BitDepth::Two);
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(vec![0; 12]);
        let mut writer = encoder.write_header().expect("a head");
        writer.write_image_data(&[0b0001_1000, 0b1110_0100]).expect("pixels");
        writer.finish().expect("an end");
        let picture = Picture::read(&file).expect("it is read");
        assert_eq!(picture.indexed.map(|(indices, _)| indices), Some(vec![0, 1, 2, 3, 2, 1]));
    }

    #[test]
    fn other_and_oversized_files_are_refused() {
        assert!(matches!(Picture::read(b"BM"), Err(Error::Unreadable(_))));
        let file = write(0x1_0000, 1, &Pixels::Grey, &vec![0; 0x1_0000]).expect("it is written");
        assert_eq!(Picture::read(&file), Err(Error::TooLarge { width: 0x1_0000, height: 1 }));
        assert_eq!(sides((2048, 2048)), Ok((2048, 2048)));
        assert_eq!(sides((2048, 2049)), Err(Error::TooLarge { width: 2048, height: 2049 }));
        let mut cut = write(64, 64, &Pixels::Grey, &[7; 4096]).expect("it is written");
        cut.truncate(50);
        assert!(matches!(Picture::read(&cut), Err(Error::Unreadable(_))));
    }
}
