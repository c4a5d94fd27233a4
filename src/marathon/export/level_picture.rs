//! Levels from above as PNG: the overhead map without its notes, for programs that show no SVG.

use field::{Mac, Style as _, decode_text};
use kind::{Drawing, ExportError};
use media::png::Rgba;
use media::sheet::Tile;

use super::overhead_map::{LINES, OBJECTS, OverheadMap, POLYGONS, Spot, group, spot, stops};
use crate::chunk::Content;

/// The number of pixels of the longer side.
const SIDE: i64 = 1200;
/// The number of pixels around a level.
const MARGIN: i64 = 16;
/// The number of pixels on each side of the center of an object.
const DOT: i64 = 3;
const FLOOR: Rgba = [0x33, 0x33, 0x33, 0xFF];
const OBJECT: Rgba = [0x88, 0x88, 0x88, 0xFF];
const PAPER: Rgba = [0x11, 0x11, 0x11, 0xFF];

/// Draws the level at an index.
///
/// # Errors
/// Returns an error if the picture would be too large.
pub(super) fn draw(index: usize, map: &OverheadMap<'_>) -> Result<Drawing, ExportError> {
    let name = format!("{index} {}", decode_text(Mac::PAGE, map.name()));
    let points = map.points();
    let view = View::of(&points);
    let shown = Box::new(move || view.drawn(map, &points));
    let ascii = name.chars().map(|it| u8::try_from(it).ok().filter(u8::is_ascii).unwrap_or(b'?')).collect();
    Drawing::of_sheet(&[Tile { name: ascii, width: view.width, height: view.height, shown }])
}

/// How the world is seen: where its corner is, and how much of it is a pixel.
#[derive(Clone, Copy)]
struct View {
    corner: [i64; 2],
    /// World units on the longer side.
    longer: i64,
    width: usize,
    height: usize,
}

impl View {
    fn of(points: &[Spot]) -> Self {
        let range = |axis: usize| {
            let all = || points.iter().filter_map(|it| it.get(axis)).map(|it| i64::from(*it));
            (all().min().unwrap_or(0), all().max().unwrap_or(0))
        };
        let [(left, right), (top, low)] = [range(0), range(1)];
        let longer = (right - left).max(low - top).max(1);
        let side = |length: i64| usize::try_from(length * SIDE / longer + 2 * MARGIN + 1).unwrap_or(1);
        Self { corner: [left, top], longer, width: side(right - left), height: side(low - top) }
    }

    /// Returns the pixel of a point in the world.
    fn pixel(&self, [x, y]: Spot) -> [i64; 2] {
        let [left, top] = self.corner;
        [(i64::from(x) - left) * SIDE / self.longer + MARGIN, (i64::from(y) - top) * SIDE / self.longer + MARGIN]
    }

    /// Returns the color of every pixel.
    fn drawn(&self, map: &OverheadMap<'_>, points: &[Spot]) -> Vec<Option<Rgba>> {
        let mut canvas = Canvas { width: self.width, pixels: vec![Some(PAPER); self.width * self.height] };
        for (_, outline) in map.outlines(points) {
            let corners: Vec<[i64; 2]> = outline.corners.iter().map(|corner| self.pixel(*corner)).collect();
            canvas.fill(&corners, color(&POLYGONS, &outline.class).unwrap_or(FLOOR));
        }
        for line in map.all(Content::lines) {
            let [from, to] = line.endpoints.map(|point| spot(points, point));
            if let (Some(from), Some(to)) = (from, to) {
                canvas.line(self.pixel(from), self.pixel(to), color(&LINES, stops(line)).unwrap_or(OBJECT));
            }
        }
        for object in map.all(Content::objects) {
            let [x, y] = self.pixel([object.x.get(), object.y.get()]);
            let color = color(&OBJECTS, &group(object)).unwrap_or(OBJECT);
            for row in y - DOT..=y + DOT {
                canvas.row(row, x - DOT, x + DOT, color);
            }
        }
        canvas.pixels
    }
}

/// Returns the color of a class.
fn color(classes: &[(&str, &str)], class: &str) -> Option<Rgba> {
    let (_, color) = classes.iter().find(|(name, _)| *name == class)?;
    let digits: Vec<u8> =
        color.trim_start_matches('#').chars().filter_map(|it| u8::try_from(it.to_digit(16)?).ok()).collect();
    match *digits {
        [red, green, blue] => Some([red * 17, green * 17, blue * 17, 0xFF]),
        [a, b, c, d, e, f] => Some([a * 16 + b, c * 16 + d, e * 16 + f, 0xFF]),
        _ => None,
    }
}

struct Canvas {
    width: usize,
    pixels: Vec<Option<Rgba>>,
}

impl Canvas {
    /// Colors the pixels of a row from one column to another, both included, as far as they exist.
    fn row(&mut self, row: i64, from: i64, to: i64, color: Rgba) {
        let (Ok(row), Ok(from)) = (usize::try_from(row), usize::try_from(from.max(0))) else { return };
        let Ok(to) = usize::try_from(to) else { return };
        let to = (to + 1).min(self.width);
        let Some(begin) = row.checked_mul(self.width) else { return };
        if let Some(pixels) = self.pixels.get_mut(begin + from.min(to)..begin + to) {
            pixels.fill(Some(color));
        }
    }

    /// Fills a polygon.
    fn fill(&mut self, corners: &[[i64; 2]], color: Rgba) {
        let rows = || corners.iter().map(|[_, y]| *y);
        let (Some(first), Some(last)) = (rows().min(), rows().max()) else { return };
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        for row in first..=last {
            let mut cuts: Vec<i64> = ends
                .clone()
                .filter(|([_, y], [_, next_y])| (*y <= row) != (*next_y <= row))
                .map(|([x, y], [next_x, next_y])| x + (row - y) * (next_x - x) / (next_y - y))
                .collect();
            cuts.sort_unstable();
            for pair in cuts.chunks_exact(2) {
                if let [from, to] = *pair {
                    self.row(row, from, to, color);
                }
            }
        }
    }

    /// Draws a line.
    fn line(&mut self, [x, y]: [i64; 2], [to_x, to_y]: [i64; 2], color: Rgba) {
        let steps = (to_x - x).abs().max((to_y - y).abs()).max(1);
        for step in 0..=steps {
            let (column, row) = (x + (to_x - x) * step / steps, y + (to_y - y) * step / steps);
            self.row(row, column, column, color);
        }
    }
}
