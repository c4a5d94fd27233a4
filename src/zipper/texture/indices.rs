//! Colors as indices into a palette: an existing one, changed as little as possible, or a new one.

use std::collections::{HashMap, HashSet};

use field::U16;

use super::color::{distance, expand, reduce};

/// The number of colors that an index can distinguish.
const MOST: usize = 256;

/// A pixel: its existing index, or its new color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pixel {
    Kept(u8),
    New(U16),
}

/// Returns the index of the nearest color in a fixed palette, for each pixel.
pub(super) fn nearest(pixels: &[Pixel], palette: &[U16]) -> Vec<u8> {
    let mut known = HashMap::new();
    let mut index = |color: U16| *known.entry(color).or_insert_with(|| nearest_of(palette, color));
    let pixels = pixels.iter();
    pixels.map(|pixel| if let Pixel::New(color) = pixel { index(*color) } else { kept(pixel) }).collect()
}

/// Returns the index of the nearest color, the first one if several are equally near.
fn nearest_of(palette: &[U16], color: U16) -> u8 {
    let nearest = (0..=u8::MAX).zip(palette).min_by_key(|(_, known)| distance(expand(**known), expand(color)));
    nearest.map_or(0, |(index, _)| index)
}

fn kept(pixel: &Pixel) -> u8 {
    if let Pixel::Kept(index) = pixel { *index } else { 0 }
}

/// Returns the indices of pixels and the palette that they need. New colors are appended to the palette, then replace
/// colors that no pixel uses. If there is still not enough space, the whole palette is recomputed.
pub(super) fn extend(pixels: &[Pixel], palette: &[U16]) -> (Vec<u8>, Vec<U16>) {
    let mut palette = palette.to_vec();
    let mut known = HashMap::new();
    for (index, &color) in (0..=u8::MAX).zip(&palette) {
        known.entry(color).or_insert(index);
    }
    let mut used = [false; MOST];
    let mut missing = Vec::new();
    let mut seen = HashSet::new();
    for pixel in pixels {
        let index = match pixel {
            Pixel::Kept(index) => Some(*index),
            Pixel::New(color) => known.get(color).copied(),
        };
        match (index, pixel) {
            (Some(index), _) => used.iter_mut().skip(index.into()).take(1).for_each(|used| *used = true),
            (None, Pixel::New(color)) if seen.insert(*color) => missing.push(*color),
            _ => {}
        }
    }
    let behind = (0..=u8::MAX).skip(palette.len());
    let unused = (0..=u8::MAX).zip(used).take(palette.len()).filter_map(|(index, used)| (!used).then_some(index));
    let free: Vec<u8> = behind.chain(unused).collect();
    if missing.len() > free.len() {
        return afresh(pixels, &palette);
    }
    for (color, index) in missing.into_iter().zip(free) {
        known.insert(color, index);
        match palette.get_mut(usize::from(index)) {
            Some(unused) => *unused = color,
            None => palette.push(color),
        }
    }
    let index = |pixel: &Pixel| match pixel {
        Pixel::Kept(index) => *index,
        Pixel::New(color) => known.get(color).copied().unwrap_or(0),
    };
    (pixels.iter().map(index).collect(), palette)
}

/// Returns the indices of pixels, and a new palette for them alone.
fn afresh(pixels: &[Pixel], palette: &[U16]) -> (Vec<u8>, Vec<U16>) {
    let color = |pixel: &Pixel| match pixel {
        Pixel::Kept(index) => palette.get(usize::from(*index)).copied().unwrap_or_default(),
        Pixel::New(color) => *color,
    };
    let colors: Vec<Pixel> = pixels.iter().map(|pixel| Pixel::New(color(pixel))).collect();
    let mut counts: HashMap<U16, usize> = HashMap::new();
    pixels.iter().for_each(|pixel| *counts.entry(color(pixel)).or_default() += 1);
    let palette = median_cut(counts.into_iter().map(|(color, count)| (expand(color), count)).collect());
    (nearest(&colors, &palette), palette)
}

/// A set of colors with their counts.
type Cell = Vec<([u8; 3], usize)>;

/// Returns a palette that keeps the largest errors small (Heckbert 1982): the widest cell of colors, weighted by its
/// pixels, is cut at its median until there are enough cells.
fn median_cut(colors: Cell) -> Vec<U16> {
    let mut cells = vec![colors];
    while cells.len() < MOST {
        let cut = (0..).zip(&cells).filter_map(|(at, cell)| {
            let (width, axis) = widest(cell)?;
            Some((usize::from(width) * pixels(cell), at, axis))
        });
        let Some((_, at, axis)) = cut.max_by_key(|(weight, at, _)| (*weight, core::cmp::Reverse(*at))) else { break };
        let mut cell: Cell = cells.swap_remove(at);
        // All channels take part in the sort, so the order is the same in every run.
        cell.sort_unstable_by_key(|(color, _)| (color.get(axis).copied(), *color));
        let half = pixels(&cell) / 2;
        let mut before = 0;
        let median = cell.iter().position(|(_, count)| {
            before += count;
            before > half
        });
        let upper = cell.split_off(median.unwrap_or(0).clamp(1, cell.len().saturating_sub(1)));
        cells.extend([cell, upper]);
    }
    cells.iter().map(|cell| mean(cell)).collect()
}

/// Returns the width and axis of the widest channel of a cell, or `None` if it has only one color.
fn widest(cell: &[([u8; 3], usize)]) -> Option<(u8, usize)> {
    let channel = |axis: usize| cell.iter().filter_map(move |(color, _)| color.get(axis).copied());
    let width = |axis: usize| Some(channel(axis).max()?.abs_diff(channel(axis).min()?));
    (0..3).filter_map(|axis| Some((width(axis).filter(|width| *width > 0)?, axis))).max()
}

fn pixels(cell: &[([u8; 3], usize)]) -> usize {
    cell.iter().map(|(_, count)| count).sum()
}

fn mean(cell: &[([u8; 3], usize)]) -> U16 {
    let all = pixels(cell).max(1);
    let channel = |axis: usize| {
        let sum: usize = cell.iter().filter_map(|(color, count)| Some(usize::from(*color.get(axis)?) * count)).sum();
        u8::try_from((sum + all / 2) / all).unwrap_or(u8::MAX)
    };
    reduce([channel(0), channel(1), channel(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(color: u16) -> Pixel {
        Pixel::New(U16::new(color))
    }

    fn palette(colors: impl IntoIterator<Item = u16>) -> Vec<U16> {
        colors.into_iter().map(U16::new).collect()
    }

    #[test]
    fn known_colors_take_the_first_index_and_new_ones_are_appended() {
        let (indices, colors) = extend(&[new(7), Pixel::Kept(2), new(9)], &palette([5, 7, 7]));
        assert_eq!((indices, colors), (vec![1, 2, 3], palette([5, 7, 7, 9])));
    }

    #[test]
    fn full_palette_replaces_unused_colors() {
        let full = palette(0..256);
        let mut pixels: Vec<Pixel> = (0..255).map(Pixel::Kept).collect();
        pixels.push(new(999));
        let (indices, colors) = extend(&pixels, &full);
        assert_eq!((indices[255], colors[255].get()), (255, 999));
        assert_eq!(colors[..255], full[..255]);
    }

    #[test]
    fn excess_colors_are_reduced_to_near_ones() {
        let pixels: Vec<Pixel> = (0..2048).map(|color| new(color * 31)).collect();
        let (indices, colors) = extend(&pixels, &[]);
        assert_eq!((indices.len(), colors.len()), (2048, 256));
        let error = |(pixel, index): (&Pixel, &u8)| match pixel {
            Pixel::New(color) => distance(expand(*color), expand(colors[usize::from(*index)])),
            Pixel::Kept(_) => 0,
        };
        let mean = pixels.iter().zip(&indices).map(error).sum::<u32>() / 2048;
        assert!(mean < 400, "{mean}");
        assert_eq!((indices, colors), extend(&pixels, &[]), "the same in every run");
    }

    #[test]
    fn fixed_palette_gives_its_nearest_color() {
        assert_eq!(nearest(&[new(0x0001), new(0xFFDF), Pixel::Kept(9)], &palette([0xFFFF, 0, 0])), [1, 0, 9]);
    }
}
