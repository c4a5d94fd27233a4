//! What decoders of PNG overlook: every checksum must be right, and every byte must belong to the image.
//!
//! Source: Portable Network Graphics (PNG) Specification, W3C.

use super::super::zlib::inflate;
use field::wide;
use output::printable::counted;

/// The first bytes of every PNG.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";
/// The first column and row, and the distances to the next ones, of the pixels of each pass of an interlaced image.
const PASSES: [[u64; 4]; 7] =
    [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

/// The size and the mode of an image.
struct Head {
    width: u64,
    height: u64,
    bits: u64,
    is_interlaced: bool,
}

impl Head {
    fn of(chunk: &[u8]) -> Option<Self> {
        let ([width, height], rest) = chunk.split_first_chunk::<8>().map(|(sides, rest)| {
            let [a, b, c, d, e, f, g, h] = *sides;
            ([u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])], rest)
        })?;
        let &[depth, color, _, _, interlace] = rest else { return None };
        let samples = match color {
            0 | 3 => 1,
            2 => 3,
            4 => 2,
            6 => 4,
            _ => return None,
        };
        let bits = u64::from(depth) * samples;
        Some(Self { width: width.into(), height: height.into(), bits, is_interlaced: interlace == 1 })
    }

    /// Returns the number of bytes of the pixels, with the filter of each row.
    fn bytes(&self) -> u64 {
        let passes = if self.is_interlaced { &PASSES[..] } else { &[[0, 0, 1, 1]] };
        let of_pass = |&[left, top, right, down]: &[u64; 4]| {
            let width = self.width.checked_sub(left).filter(|width| *width > 0)?.div_ceil(right);
            let height = self.height.checked_sub(top)?.div_ceil(down);
            Some(height * ((width * self.bits).div_ceil(8) + 1))
        };
        passes.iter().filter_map(of_pass).sum()
    }
}

/// Checks a file whose sides are those of an image that can be read.
pub(super) fn check(file: &[u8]) -> Result<(), String> {
    let mut rest = file.strip_prefix(SIGNATURE).ok_or("it does not begin like one")?;
    let (mut head, mut pixels) = (None, Vec::new());
    loop {
        let at = file.len() - rest.len();
        let (kind, data, after) = chunk(rest).map_err(|why| format!("{at:#x}: {why}"))?;
        rest = after;
        match kind {
            b"IHDR" => head = Head::of(data),
            b"PLTE" if data.is_empty() || data.len() > 256 * 3 || !data.len().is_multiple_of(3) => {
                let found = counted(wide(data.len()), "byte");
                return Err(format!("{at:#x}: expected a palette of 1 to 256 colors, found {found}"));
            }
            b"IDAT" => pixels.extend_from_slice(data),
            b"IEND" => break,
            _ => {}
        }
    }
    if !rest.is_empty() {
        let (at, found) = (file.len() - rest.len(), counted(wide(rest.len()), "byte"));
        return Err(format!("{at:#x}: expected nothing after its end, found {found}"));
    }
    let expected = head.ok_or("it has no head")?.bytes();
    match inflate(pixels.as_slice(), |_| true) {
        Ok(found) if found == expected => Ok(()),
        Ok(found) => Err(format!("expected {expected} bytes of pixels, found {found}")),
        Err(why) => Err(format!("pixels: {why}")),
    }
}

/// A kind of chunk, its bytes, and the file after it.
pub(super) type Chunk<'f> = (&'f [u8; 4], &'f [u8], &'f [u8]);

pub(super) fn chunk(file: &[u8]) -> Result<Chunk<'_>, String> {
    const CUT: &str = "expected a chunk, found the end of the file";
    let (length, named) = file.split_first_chunk::<4>().ok_or(CUT)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|error| error.to_string())?;
    let (named, rest) = length.checked_add(4).and_then(|length| named.split_at_checked(length)).ok_or(CUT)?;
    let ((kind, data), (checksum, rest)) =
        named.split_first_chunk::<4>().zip(rest.split_first_chunk::<4>()).ok_or(CUT)?;
    match crc32fast::hash(named) == u32::from_be_bytes(*checksum) {
        true => Ok((kind, data, rest)),
        false => Err(format!("the checksum of the chunk {} is wrong", kind.escape_ascii())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_interlaced_pixels_are_those_of_the_passes() {
        let bytes = |width, height, bits, is_interlaced| Head { width, height, bits, is_interlaced }.bytes();
        assert_eq!((bytes(3, 2, 8, false), bytes(9, 1, 1, false)), (8, 3));
        // A single pixel is in the first pass; eight by eight pixels fill all seven: 1, 1, 2, 4, 8, 16 and 32 of them.
        assert_eq!((bytes(1, 1, 32, true), bytes(8, 8, 8, true)), (5, 64 + 1 + 1 + 1 + 2 + 2 + 4 + 4));
    }
}
