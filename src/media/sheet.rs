//! Contact sheets: all images of a file on one PNG, with their names.

use font8x8::legacy::BASIC_LEGACY;

use field::limits;

use super::Placed;
use super::png::{Error, Pixels, Rgba, write};

/// The width of a sheet, unless one image is wider.
const SHEET: usize = 2048;
/// The number of pixels between images and around the sheet.
const GAP: usize = 4;
/// The width and height of a letter.
const LETTER: usize = 8;
/// The minimum width of a cell: eight letters per line of the name, however small the image.
const CELL: usize = 8 * LETTER;

const PAPER: [u8; 3] = [32, 32, 36];
const INK: [u8; 3] = [230, 230, 230];
/// The background of transparent pixels: a checkerboard of both colors.
const BOARD: [[u8; 3]; 2] = [[96, 96, 96], [160, 160, 160]];
/// The color of a pixel whose index is outside the palette.
const NOTHING: Rgba = [255, 0, 255, 255];

/// An image for a sheet.
pub struct Tile<'a> {
    /// The name below the image.
    pub name: Vec<u8>,
    /// The width in pixels.
    pub width: usize,
    /// The height in pixels.
    pub height: usize,
    /// Returns the color of every pixel, row by row, or `None` for a pixel without one.
    pub shown: Box<dyn Fn() -> Vec<Option<Rgba>> + 'a>,
}

impl core::fmt::Debug for Tile<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ({} by {})", self.name.escape_ascii(), self.width, self.height)
    }
}

/// An image and its position.
struct Cell<'a> {
    tile: &'a Tile<'a>,
    /// The name, split into lines.
    lines: Vec<&'a [u8]>,
    left: usize,
    top: usize,
}

impl<'a> Cell<'a> {
    fn new(tile: &'a Tile<'a>) -> Self {
        let cell = Self { tile, lines: Vec::new(), left: 0, top: 0 };
        let lines = tile.name.chunks(cell.width() / LETTER).collect();
        Self { lines, ..cell }
    }

    fn width(&self) -> usize {
        self.tile.width.max(CELL)
    }

    fn height(&self) -> usize {
        let letters = self.lines.len().max(1) * LETTER;
        self.tile.height + GAP / 2 + letters
    }
}

/// Returns a sheet of images in the given order, as a PNG.
///
/// # Errors
/// Returns an error if there is no image, or the sheet would be too large.
pub fn contact_sheet(tiles: &[Tile<'_>]) -> Result<Vec<u8>, Error> {
    Ok(placed_sheet(tiles)?.0)
}

/// Returns a sheet of images in the given order, as a PNG, and where each of them is on it.
///
/// # Errors
/// Returns an error if there is no image, or the sheet would be too large.
pub fn placed_sheet(tiles: &[Tile<'_>]) -> Result<(Vec<u8>, Vec<Placed>), Error> {
    let mut cells: Vec<Cell<'_>> = tiles.iter().map(Cell::new).collect();
    let width = (cells.iter().map(Cell::width).max().ok_or(Error::Empty)? + 2 * GAP).max(SHEET);
    let (mut left, mut top, mut shelf, mut right) = (GAP, GAP, 0, 0);
    for cell in &mut cells {
        if left > GAP && left + cell.width() + GAP > width {
            (left, top, shelf) = (GAP, top + shelf + GAP, 0);
        }
        (cell.left, cell.top) = (left, top);
        left += cell.width() + GAP;
        right = right.max(left);
        shelf = shelf.max(cell.height());
    }
    let mut sheet = Sheet::new(right, top + shelf + GAP)?;
    cells.iter().for_each(|cell| sheet.draw(cell));
    let placed = cells.iter().map(|Cell { tile, left, top, .. }| {
        let name = String::from_utf8_lossy(&tile.name).into_owned();
        Placed { name, left: *left, top: *top, width: tile.width, height: tile.height }
    });
    Ok((sheet.finish()?, placed.collect()))
}

/// A sheet to draw on.
struct Sheet {
    width: usize,
    pixels: Vec<u8>,
    size: (u32, u32),
}

impl Sheet {
    /// Creates a blank sheet.
    fn new(width: usize, height: usize) -> Result<Self, Error> {
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        let size = (side(width), side(height));
        let area = width.checked_mul(height).filter(|area| *area <= limits::SHEET_PIXELS);
        let area = area.ok_or(Error::TooLarge { width: size.0, height: size.1 })?;
        Ok(Self { width, pixels: PAPER.repeat(area), size })
    }

    fn put(&mut self, x: usize, y: usize, color: [u8; 3]) {
        let at = y.saturating_mul(self.width).saturating_add(x);
        if let (true, Some(pixel)) = (x < self.width, self.pixels.as_chunks_mut::<3>().0.get_mut(at)) {
            *pixel = color;
        }
    }

    fn draw(&mut self, cell: &Cell<'_>) {
        let width = cell.tile.width.max(1);
        for (at, color) in (0..).zip((cell.tile.shown)()) {
            let (x, y) = (at % width, at / width);
            let below = if (x / LETTER + y / LETTER).is_multiple_of(2) { BOARD[0] } else { BOARD[1] };
            self.put(cell.left + x, cell.top + y, over(color.unwrap_or(NOTHING), below));
        }
        let mut top = cell.top + cell.tile.height + GAP / 2;
        for line in &cell.lines {
            for (nth, letter) in (0..).zip(*line) {
                self.letter(cell.left + nth * LETTER, top, *letter);
            }
            top += LETTER;
        }
    }

    /// Draws a letter, or a question mark for anything except printable ASCII.
    fn letter(&mut self, left: usize, top: usize, letter: u8) {
        let letter = if letter.is_ascii_graphic() || letter == b' ' { letter } else { b'?' };
        let rows = BASIC_LEGACY.get(usize::from(letter)).copied().unwrap_or_default();
        for (y, row) in (0..).zip(rows) {
            (0..LETTER).filter(|x| row >> x & 1 == 1).for_each(|x| self.put(left + x, top + y, INK));
        }
    }

    fn finish(self) -> Result<Vec<u8>, Error> {
        let (width, height) = self.size;
        write(width, height, &Pixels::Rgb, &self.pixels)
    }
}

/// Blends a color over another.
fn over([red, green, blue, opacity]: Rgba, below: [u8; 3]) -> [u8; 3] {
    let opacity = u16::from(opacity);
    let mix = |above: u8, below: u8| {
        let mixed = u16::from(above) * opacity + u16::from(below) * (255 - opacity);
        u8::try_from((mixed + 127) / 255).unwrap_or(u8::MAX)
    };
    let [below_red, below_green, below_blue] = below;
    [mix(red, below_red), mix(green, below_green), mix(blue, below_blue)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheet_shows_images_and_their_names() {
        let shown = || vec![Some([255, 0, 0, 255]), Some([0, 0, 255, 255])];
        let tile = Tile { name: b"dot".to_vec(), width: 2, height: 1, shown: Box::new(shown) };
        let (sheet, placed) = placed_sheet(&[tile]).expect("a sheet");
        assert_eq!(placed, [Placed { name: "dot".to_owned(), left: 4, top: 4, width: 2, height: 1 }]);
        let sheet = image::load_from_memory(&sheet).expect("another program reads it").into_rgb8();
        assert_eq!(sheet.dimensions(), (72, 19));
        assert_eq!([4, 5, 6].map(|x| sheet.get_pixel(x, 4).0), [[255, 0, 0], [0, 0, 255], PAPER]);
        let ink = |left: u32| {
            sheet.enumerate_pixels().filter(|(x, _, it)| (left..left + 8).contains(x) && it.0 == INK).count()
        };
        assert!((10..40).contains(&ink(4)) && ink(12) > 0 && ink(20) > 0 && ink(28) == 0);
    }

    #[test]
    fn no_sheet_is_drawn_without_images() {
        assert_eq!(contact_sheet(&[]), Err(Error::Empty));
    }

    #[test]
    fn transparent_pixels_show_the_checkerboard() {
        assert_eq!(over([255, 0, 10, 0], [1, 2, 3]), [1, 2, 3]);
        assert_eq!(over([255, 0, 10, 255], [1, 2, 3]), [255, 0, 10]);
        assert_eq!(over([255, 0, 10, 128], [0, 0, 10]), [128, 0, 10]);
    }
}
