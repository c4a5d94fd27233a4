//! PNG files whose samples are stored as they are: written and read many times faster than compressed ones, and hardly larger if the
//! image has noise.
//!
//! Source: Portable Network Graphics (PNG) Specification, W3C; RFC 1950 and RFC 1951, section 3.2.4.

use png::ColorType;

use super::chunks::{self, SIGNATURE};
use super::pixels::{Pixels, sides};

/// The largest piece of a stream that is stored, in bytes.
const LONGEST: usize = 65_535;
/// The first two bytes of the stream: deflate with the largest window, the lowest level.
const STREAM: [u8; 2] = [0x78, 0x01];
/// The bits of a sample from which on it is stored: below that, compression saves more than an eighth.
const DENSE: usize = 7;

/// The size of an image whose samples can be stored.
#[derive(Clone, Copy)]
pub(super) struct Size {
    width: u32,
    height: u32,
    /// The number of bytes of a row.
    row: usize,
    rows: usize,
}

impl Size {
    /// Returns the size of an image, or `None` if it is empty, a row is too long for a piece, or the file would be too long for a chunk.
    pub(super) fn of(width: u32, height: u32, pixels: &Pixels) -> Option<Self> {
        let row = usize::try_from(width).ok()?.checked_mul(pixels.channels())?;
        let size = Self { width, height, row, rows: usize::try_from(height).ok()? };
        let fits = (1..LONGEST).contains(&row) && size.rows > 0 && i32::try_from(size.stream()?).is_ok();
        fits.then_some(size)
    }

    /// Returns the number of rows in a piece.
    fn of_piece(self) -> usize {
        (LONGEST / (self.row + 1)).max(1)
    }

    /// Returns the length of the stream.
    fn stream(self) -> Option<usize> {
        let pieces = self.rows.div_ceil(self.of_piece());
        (self.row + 1).checked_mul(self.rows)?.checked_add(pieces.checked_mul(5)?)?.checked_add(STREAM.len() + 4)
    }
}

/// Returns `true` if the rows of an image hardly become shorter by compression. Some rows decide, the same in every call: each is estimated
/// by its differences from the row above, which a fast compressor writes with so many bits.
pub(super) fn is_dense(size: Size, fill: &dyn Fn(usize, &mut [u8])) -> bool {
    let count = (size.rows / 8).clamp(8, 32).min(size.rows);
    let (mut above, mut row) = (vec![0; size.row], vec![0; size.row]);
    let mut bits = 0;
    for nth in 0..count {
        let at = (nth * 2 + 1) * size.rows / (count * 2);
        match at.checked_sub(1) {
            Some(before) => fill(before, &mut above),
            None => above.fill(0),
        }
        fill(at, &mut row);
        bits += estimate(&above, &row);
    }
    bits >= count * size.row * DENSE
}

/// The bits of each difference from the row above, if it is not repeated.
static BITS: [u8; 256] = {
    let mut bits = [0; 256];
    let (mut rest, mut difference): (&mut [u8], u8) = (&mut bits, 0);
    while let Some((first, behind)) = rest.split_first_mut() {
        *first = match difference.wrapping_neg() {
            other if other < difference => of_distance(other),
            _ => of_distance(difference),
        };
        (rest, difference) = (behind, difference.wrapping_add(1));
    }
    bits
};

const fn of_distance(distance: u8) -> u8 {
    match distance {
        0 => 2,
        1 => 3,
        2 => 4,
        3..=4 => 5,
        5..=6 => 6,
        7..=9 => 7,
        10..=14 => 8,
        15..=21 => 9,
        22..=30 => 10,
        31..=42 => 11,
        _ => 12,
    }
}

/// Estimates the number of bits of a row after compression.
fn estimate(above: &[u8], row: &[u8]) -> usize {
    let (mut bits, mut zeros) = (0, 0_u32);
    for (above, byte) in above.iter().zip(row) {
        let difference = byte.wrapping_sub(*above);
        zeros = if difference == 0 { zeros + 1 } else { 0 };
        // Repeated zeros are a run.
        let of_one = BITS.get(usize::from(difference)).copied().unwrap_or(0);
        bits += if zeros > 8 { 0 } else { usize::from(of_one) };
    }
    bits
}

/// Returns the file of an image whose rows are filled in order, or `None` if its palette is none.
pub(super) fn write(size: Size, pixels: &Pixels, fill: &dyn Fn(usize, &mut [u8])) -> Option<Vec<u8>> {
    let stream = size.stream()?;
    let palette: &[u8] = match pixels {
        Pixels::Indexed(palette) if (3..=768).contains(&palette.len()) && palette.len().is_multiple_of(3) => palette,
        Pixels::Indexed(_) => return None,
        _ => &[],
    };
    let mut file = Vec::with_capacity(SIGNATURE.len() + 4 * 12 + 13 + palette.len() + stream);
    file.extend_from_slice(SIGNATURE);
    let ([a, b, c, d], [e, f, g, h]) = (size.width.to_be_bytes(), size.height.to_be_bytes());
    let color = match pixels {
        Pixels::Grey => 0,
        Pixels::Rgb => 2,
        Pixels::Indexed(_) => 3,
        Pixels::Rgba => 6,
    };
    chunk(&mut file, b"IHDR", 13, |file| file.extend([a, b, c, d, e, f, g, h, 8, color, 0, 0, 0]))?;
    if !palette.is_empty() {
        chunk(&mut file, b"PLTE", palette.len(), |file| file.extend_from_slice(palette))?;
    }
    let mut is_whole = Some(());
    chunk(&mut file, b"IDAT", stream, |file| is_whole = put_stream(file, size, fill))?;
    is_whole?;
    chunk(&mut file, b"IEND", 0, |_| ())?;
    Some(file)
}

/// Appends a chunk with so many bytes.
fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], length: usize, data: impl FnOnce(&mut Vec<u8>)) -> Option<()> {
    file.extend(u32::try_from(length).ok()?.to_be_bytes());
    let at = file.len();
    file.extend_from_slice(kind);
    data(file);
    let checksum = crc32fast::hash(file.get(at..)?);
    file.extend(checksum.to_be_bytes());
    Some(())
}

fn put_stream(file: &mut Vec<u8>, size: Size, fill: &dyn Fn(usize, &mut [u8])) -> Option<()> {
    file.extend(STREAM);
    let (line, mut checksum, mut at) = (size.row + 1, simd_adler32::Adler32::new(), 0);
    while at < size.rows {
        let count = size.of_piece().min(size.rows - at);
        let length = u16::try_from(count * line).ok()?;
        file.push(u8::from(at + count == size.rows));
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        let begin = file.len();
        // The first byte of each row stays 0: the row has no filter.
        file.resize(begin + count * line, 0);
        let piece = file.get_mut(begin..)?;
        for (nth, row) in piece.chunks_exact_mut(line).enumerate() {
            fill(at + nth, row.get_mut(1..)?);
        }
        checksum.write(piece);
        at += count;
    }
    file.extend(checksum.finish().to_be_bytes());
    Some(())
}

/// An image in a file that stores its samples as they are, 8 bits each.
pub struct Stored<'f> {
    /// The width and the height.
    pub size: (u16, u16),
    /// The meaning of the samples: gray; red, green, blue; with opacity; indices.
    pub color: ColorType,
    /// The palette of indices.
    pub palette: &'f [[u8; 3]],
    /// Rows of this length, end to end in each piece, with a 0 before each.
    pieces: Vec<&'f [u8]>,
    line: usize,
}

impl<'f> Stored<'f> {
    /// Reads a file as [`write`](super::write()) makes it, with all its checksums. Returns `None` for any other file, even an image.
    pub fn read(file: &'f [u8]) -> Option<Self> {
        let (head, rest) = next(file.strip_prefix(SIGNATURE)?, b"IHDR")?;
        let (sides_of, &[8, color, 0, 0, 0]) = head.split_first_chunk::<8>()? else { return None };
        let [a, b, c, d, e, f, g, h] = *sides_of;
        let size = sides((u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]))).ok()?;
        let (color, channels) = match color {
            0 => (ColorType::Grayscale, 1),
            2 => (ColorType::Rgb, 3),
            3 => (ColorType::Indexed, 1),
            6 => (ColorType::Rgba, 4),
            _ => return None,
        };
        let (palette, rest) = match color {
            ColorType::Indexed => next(rest, b"PLTE")?,
            _ => (&[][..], rest),
        };
        let (palette, []) = palette.as_chunks::<3>() else { return None };
        ((color == ColorType::Indexed) != palette.is_empty() && palette.len() <= 256).then_some(())?;
        let (stream, rest) = next(rest, b"IDAT")?;
        let ([], []) = next(rest, b"IEND")? else { return None };
        let line = usize::from(size.0) * channels + 1;
        let (pieces, mut rows) = (pieces(stream, line)?, 0);
        for row in pieces.iter().flat_map(|piece| piece.chunks_exact(line)) {
            (row.first() == Some(&0)).then_some(())?;
            rows += 1;
        }
        (rows == usize::from(size.1) && rows > 0 && line > 1).then_some(Self { size, color, palette, pieces, line })
    }

    /// Returns the rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &'f [u8]> + use<'_, 'f> {
        let rows = self.pieces.iter().flat_map(|piece| piece.chunks_exact(self.line));
        rows.filter_map(|row| row.split_first().map(|(_, samples)| samples))
    }

    /// Returns all samples.
    pub fn samples(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity((self.line - 1) * usize::from(self.size.1));
        self.rows().for_each(|row| all.extend_from_slice(row));
        all
    }
}

/// Returns the bytes of a chunk of this kind with the right checksum, and what follows it.
fn next<'f>(file: &'f [u8], kind: &[u8; 4]) -> Option<(&'f [u8], &'f [u8])> {
    // The kind is looked at first, because the checksum takes time.
    file.get(4..)?.starts_with(kind).then_some(())?;
    chunks::chunk(file).ok().map(|(_, data, rest)| (data, rest))
}

/// Returns the pieces of a stream of stored rows of this length, if all belongs to it and its checksum is right.
fn pieces(stream: &[u8], line: usize) -> Option<Vec<&[u8]>> {
    let mut rest = stream.strip_prefix(&STREAM)?;
    let (mut pieces, mut checksum) = (Vec::new(), simd_adler32::Adler32::new());
    loop {
        let ([last, a, b, c, d], after) = rest.split_first_chunk::<5>()?;
        let length = u16::from_le_bytes([*a, *b]);
        (*last <= 1 && u16::from_le_bytes([*c, *d]) == !length).then_some(())?;
        let (piece, after) = after.split_at_checked(length.into())?;
        piece.len().is_multiple_of(line).then_some(())?;
        checksum.write(piece);
        pieces.push(piece);
        rest = after;
        if *last == 1 {
            return (rest == checksum.finish().to_be_bytes()).then_some(pieces);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Picture, deflated};
    use super::*;

    /// Writes the samples of an image as they are.
    fn written(width: u32, height: u32, pixels: &Pixels, bytes: &[u8]) -> Option<Vec<u8>> {
        let size = Size::of(width, height, pixels)?;
        write(size, pixels, &|at: usize, row: &mut [u8]| row.copy_from_slice(&bytes[at * size.row..][..size.row]))
    }

    /// Returns bytes that no compressor shortens.
    fn noise(count: usize) -> Vec<u8> {
        let step = |state: &mut u32| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some(state.to_be_bytes()[0])
        };
        std::iter::repeat_n((), count).scan(7_u32, |state, ()| step(state)).collect()
    }

    fn modes() -> [(Pixels, usize); 4] {
        let palette = (0..=255).flat_map(|it| [it, 0, it]).collect();
        [(Pixels::Grey, 1), (Pixels::Rgb, 3), (Pixels::Rgba, 4), (Pixels::Indexed(palette), 1)]
    }

    #[test]
    fn stored_files_are_read_like_compressed_ones() {
        for (pixels, channels) in modes() {
            // One piece, several pieces, one row, one column.
            for (width, height) in [(3, 5), (200, 400), (70, 1), (1, 300)] {
                let bytes = noise(usize::try_from(width * height).expect("a few pixels") * channels);
                let stored = written(width, height, &pixels, &bytes).expect("it is written");
                let compressed = deflated(width, height, &pixels, &bytes).expect("it is written");
                let read = Stored::read(&stored).expect("it is stored");
                assert_eq!(read.samples(), bytes);
                let picture = Picture::read(&stored).expect("it is read");
                assert_eq!(Ok(&picture), Picture::read_any(&stored).as_ref(), "as other readers do");
                assert_eq!(picture, Picture::read(&compressed).expect("it is read"));
            }
        }
    }

    #[test]
    fn damaged_and_other_files_are_left_to_the_general_reader() {
        for (pixels, channels) in modes() {
            let file = written(9, 4, &pixels, &noise(9 * 4 * channels)).expect("it is written");
            assert!(Stored::read(&file).is_some());
            for at in 0..file.len() {
                let mut other = file.clone();
                other[at] ^= 1;
                assert!(Stored::read(&other).is_none(), "{at}");
                assert!(Stored::read(&file[..at]).is_none(), "{at}");
            }
            assert!(Stored::read(&[&file[..], b"x"].concat()).is_none());
            // The checksum of a filtered row is right, but its samples are others.
            let mut filtered = file.clone();
            let row = file.windows(4).position(|it| it == b"IDAT").expect("it has one") + 4 + 2 + 5;
            filtered[row] = 2;
            assert!(Stored::read(&filtered).is_none());
        }
        assert!(Size::of(0, 1, &Pixels::Rgb).is_none() && Size::of(1, 0, &Pixels::Rgb).is_none());
        assert!(Size::of(21_845, 1, &Pixels::Rgb).is_none() && Size::of(21_844, 1, &Pixels::Rgb).is_some());
        assert!(Size::of(65_535, u32::MAX, &Pixels::Grey).is_none());
    }

    #[test]
    fn only_what_compression_hardly_shortens_is_stored() {
        let (width, height) = (64_u32, 64_u32);
        let size = Size::of(width, height, &Pixels::Grey).expect("it fits");
        let is_stored = |sample: &dyn Fn(usize, usize) -> u8| {
            let fill = |y: usize, row: &mut [u8]| (0..).zip(row).for_each(|(x, to)| *to = sample(x, y));
            let bytes: Vec<u8> = (0..64 * 64).map(|at| sample(at % 64, at / 64)).collect();
            let compressed = deflated(width, height, &Pixels::Grey, &bytes).expect("it is written").len();
            let chosen = super::super::write(width, height, &Pixels::Grey, &bytes).expect("it is written").len();
            assert!(chosen * 10 <= compressed * 13, "{chosen} bytes instead of {compressed}");
            is_dense(size, &fill)
        };
        let noise = noise(64 * 64);
        assert!(is_stored(&|x, y| noise[y * 64 + x]));
        assert!(!is_stored(&|x, y| noise[y * 64 + x] & 15));
        assert!(!is_stored(&|x, y| u8::try_from((x * 3 + y * 2) % 256).expect("a byte")));
        assert!(!is_stored(&|_, _| 9));
        // Half of it is noise.
        is_stored(&|x, y| if y < 32 { noise[y * 64 + x] } else { 0 });
    }
}
