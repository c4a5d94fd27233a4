//! PNG files as pixels.

use core::fmt::{self, Display};
use std::collections::HashMap;
use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};

use crate::field::{Json, limits};
use crate::media::{Mismatch, Replaced};

/// Red, green, blue, opacity.
pub type Rgba = [u8; 4];

/// Why there is no PNG, or none that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is no PNG, or a damaged one.
    Unreadable(String),
    /// The file cannot be made.
    Unwritable(String),
    /// No pixels: no PNG has none.
    Empty,
    /// More pixels than an image can have, or than are worth reading.
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "not a readable PNG: {why}"),
            Self::Unwritable(why) => write!(f, "cannot write a PNG: {why}"),
            Self::Empty => f.write_str("an image without pixels cannot be a PNG"),
            Self::TooLarge { width, height } => {
                write!(f, "expected an image of at most {} pixels, found {width} by {height}", limits::PIXELS)
            }
        }
    }
}

impl core::error::Error for Error {}

/// What a PNG file shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels from left to right.
    pub width: u16,
    /// Pixels from top to bottom.
    pub height: u16,
    /// Row by row from the top.
    pub colours: Vec<Rgba>,
    /// Whether the file can say that something is transparent.
    pub has_alpha: bool,
    /// Indices and the palette, where the file has them.
    pub indexed: Option<(Vec<u8>, Vec<[u8; 3]>)>,
}

/// What the bytes of a file that is written are.
#[derive(Clone, Debug)]
pub enum Pixels {
    /// Grey.
    Grey,
    /// Red, green, blue.
    Rgb,
    /// The same and opacity.
    Rgba,
    /// Indices into a palette of three bytes a colour.
    Indexed(Vec<u8>),
}

/// A PNG file of these pixels, 8 bits a channel.
///
/// # Errors
/// When the pixels are not as many as that.
pub fn write(width: u32, height: u32, pixels: &Pixels, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    // They are looked at, edited and packed again: how fast that is matters more than how small they are.
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
    /// The opacity of the first colours of the palette, if the file says it.
    opacities: Option<Vec<u8>>,
    bytes: Vec<u8>,
}

impl Picture {
    /// What a PNG file shows, whatever its mode.
    ///
    /// # Errors
    /// When it is none, damaged, or too large.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let unreadable = |error: png::DecodingError| Error::Unreadable(error.to_string());
        let mut decoder = Decoder::new(Cursor::new(file));
        let info = decoder.read_header_info().map_err(unreadable)?;
        let ((width, height), is_indexed) = (sides(info.size())?, info.color_type == ColorType::Indexed);
        if !is_indexed {
            decoder.set_transformations(Transformations::normalize_to_color8());
        }
        let raw = Raw::read(decoder).map_err(unreadable)?;
        if !is_indexed {
            let (colours, has_alpha) = colours(raw.color, &raw.bytes);
            return Ok(Self { width, height, colours, has_alpha, indexed: None });
        }
        let (palette, opacities) = (raw.palette.as_chunks::<3>().0.to_vec(), raw.opacities.clone());
        Ok(Self::of_indices((width, height), raw.indices(width.into()), palette, opacities.as_deref()))
    }

    /// What a file shows that is [written](write()) of these pixels.
    ///
    /// # Errors
    /// When they are too many to be read again.
    pub fn of(width: u32, height: u32, pixels: &Pixels, bytes: &[u8]) -> Result<Self, Error> {
        let (width, height) = sides((width, height))?;
        let color = match pixels {
            Pixels::Grey => ColorType::Grayscale,
            Pixels::Rgb => ColorType::Rgb,
            Pixels::Rgba => ColorType::Rgba,
            Pixels::Indexed(palette) => {
                let palette = palette.as_chunks::<3>().0.to_vec();
                return Ok(Self::of_indices((width, height), bytes.to_vec(), palette, None));
            }
        };
        let (colours, has_alpha) = colours(color, bytes);
        Ok(Self { width, height, colours, has_alpha, indexed: None })
    }

    fn of_indices(
        (width, height): (u16, u16),
        indices: Vec<u8>,
        palette: Vec<[u8; 3]>,
        opacities: Option<&[u8]>,
    ) -> Self {
        // What has no colour is black, what has no opacity opaque.
        let mut table = [[0, 0, 0, u8::MAX]; 256];
        for (entry, [red, green, blue]) in table.iter_mut().zip(&palette) {
            *entry = [*red, *green, *blue, u8::MAX];
        }
        for ([.., opacity], own) in table.iter_mut().zip(opacities.unwrap_or_default()) {
            *opacity = *own;
        }
        let colours = indices.iter().map(|&index| table.get(usize::from(index)).copied().unwrap_or_default()).collect();
        Self { width, height, colours, has_alpha: opacities.is_some(), indexed: Some((indices, palette)) }
    }

    /// The indices of its pixels: as they are where its palette is this one as far as they go, else those of the first colours
    /// of this palette that are the same. What is transparent has the index `clear`.
    ///
    /// # Errors
    /// The first pixel whose colour the palette does not have.
    pub fn indices(&self, palette: &[[u8; 3]], clear: Option<u8>) -> Result<Vec<u8>, String> {
        if let Some((indices, own)) = &self.indexed {
            let same = |index: &u8| {
                own.get(usize::from(*index)).is_some_and(|it| palette.get(usize::from(*index)) == Some(it))
            };
            if indices.iter().all(same) {
                return Ok(indices.clone());
            }
        }
        let mut known = HashMap::new();
        for (index, colour) in (0..=u8::MAX).zip(palette) {
            known.entry(*colour).or_insert(index);
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
        self.colours.iter().enumerate().map(index).collect()
    }
}

/// The member of the JSON that has the checksum of the palette which it and its PNG had when they were written.
pub const PALETTE: &str = "palette_crc32";

/// The checksum of a palette, for [`PALETTE`].
#[must_use]
pub fn checksum(palette: &[[u8; 3]]) -> Json {
    format!("{:08x}", crc32fast::hash(palette.as_flattened())).into()
}

/// Takes the checksum of its palette out of the JSON of an image.
///
/// # Errors
/// What it is instead of a checksum.
pub fn take_checksum(image: &mut Json) -> Result<Option<Json>, Mismatch> {
    let Some(checksum) = image.take_member(PALETTE) else { return Ok(None) };
    match checksum.text() {
        Some(text) if text.len() == 8 && text.bytes().all(|it| it.is_ascii_hexdigit()) => Ok(Some(checksum)),
        _ => {
            let why = format!("expected 8 hexadecimal digits, found {}", checksum.describe());
            Err(Mismatch::at(PALETTE, why))
        }
    }
}

impl Picture {
    /// Reports a checksum of neither the palette of the PNG nor the one that the JSON has: it says of none that it has not been
    /// edited, and is replaced.
    #[must_use]
    pub fn of_neither(&self, checksum_given: Option<&Json>, known: &[[u8; 3]]) -> Vec<Replaced> {
        let (Some(given), known) = (checksum_given, checksum(known)) else { return Vec::new() };
        if *given == known || self.indexed.as_ref().is_some_and(|(_, own)| *given == checksum(own)) {
            return Vec::new();
        }
        vec![Replaced { place: format!("/{PALETTE}"), was: given.clone(), now: known }]
    }

    /// The indices, and the palette, if that is the one with this checksum: then it has not been edited since it was written,
    /// and an index means what it did, whatever its color is now.
    #[must_use]
    pub fn unedited(&self, palette: Option<&Json>) -> Option<(&[u8], &[[u8; 3]])> {
        let (indices, own) = self.indexed.as_ref()?;
        (palette? == &checksum(own)).then_some((indices, own))
    }
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

    /// Indices of 1 to 8 bits.
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

/// The sides of a picture that is not too large to be looked at.
pub(crate) fn sides((width, height): (u32, u32)) -> Result<(u16, u16), Error> {
    match (u16::try_from(width), u16::try_from(height)) {
        (Ok(wide), Ok(high)) if usize::from(wide).saturating_mul(high.into()) <= limits::PIXELS => Ok((wide, high)),
        _ => Err(Error::TooLarge { width, height }),
    }
}

/// The colours of samples of 8 bits, and whether they have opacity.
fn colours(color: ColorType, bytes: &[u8]) -> (Vec<Rgba>, bool) {
    fn each<const N: usize>(bytes: &[u8], colour: impl Fn([u8; N]) -> Rgba) -> Vec<Rgba> {
        bytes.as_chunks::<N>().0.iter().map(|&samples| colour(samples)).collect()
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
    fn what_is_written_is_read() {
        let file = write(2, 1, &palette(&[1, 2, 3, 4, 5, 6]), &[1, 0]).expect("it is written");
        let picture = Picture::read(&file).expect("it is read");
        assert_eq!(picture.colours, [[4, 5, 6, 255], [1, 2, 3, 255]]);
        assert_eq!(picture.indexed, Some((vec![1, 0], vec![[1, 2, 3], [4, 5, 6]])));
        let file = write(1, 2, &Pixels::Rgba, &[1, 2, 3, 0, 4, 5, 6, 7]).expect("it is written");
        assert_eq!(Picture::read(&file).expect("it is read").colours, [[1, 2, 3, 0], [4, 5, 6, 7]]);
    }

    #[test]
    fn a_file_shows_what_its_pixels_do() {
        let bytes: Vec<u8> = (0..24).collect();
        let own: Vec<u8> = (0..=255).rev().cycle().take(768).collect();
        for (pixels, width) in [(Pixels::Grey, 12), (Pixels::Rgb, 4), (Pixels::Rgba, 3), (palette(&own), 12)] {
            let file = write(width, 2, &pixels, &bytes).expect("it is written");
            assert_eq!(Picture::of(width, 2, &pixels, &bytes), Picture::read(&file));
        }
    }

    #[test]
    fn indices_stay_where_their_colours_do() {
        let known = [[9; 3], [7; 3], [7; 3]];
        let read = |pixels: &Pixels, bytes: &[u8]| {
            Picture::read(&write(2, 1, pixels, bytes).expect("it is written")).expect("it is read")
        };
        let own = known.concat();
        assert_eq!(read(&palette(&own), &[2, 1]).indices(&known, None), Ok(vec![2, 1]), "as they are");
        assert_eq!(read(&palette(&[7, 7, 7, 9, 9, 9]), &[0, 1]).indices(&known, None), Ok(vec![1, 0]));
        let clear = read(&Pixels::Rgba, &[7, 7, 7, 255, 1, 2, 3, 0]);
        assert_eq!(clear.indices(&known, Some(0)), Ok(vec![1, 0]));
        assert!(clear.indices(&known, None).is_err_and(|why| why.contains("1, 0 is transparent")));
        let other = read(&Pixels::Rgb, &[7, 7, 7, 1, 2, 3]).indices(&known, None);
        assert!(other.is_err_and(|why| why.contains("1, 0 has the colour #010203")));
    }

    #[test]
    fn indices_of_less_than_a_byte_end_with_their_row() {
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
    fn what_is_no_png_or_too_large_is_refused() {
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
