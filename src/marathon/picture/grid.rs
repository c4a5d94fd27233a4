//! Converts rows of pixels to image rows and back.

use bitflags::Flags as _;

use super::Opcode;
#[cfg(feature = "export")]
use super::opcode::Body;
use super::pixels::{Copy, Rows, is_direct};
#[cfg(feature = "export")]
use super::{Instruction, Picture};
use crate::resources::{Color, ColorTable, ColorTableFlags};
use field::limits;
use media::Rgba;
#[cfg(feature = "export")]
use media::sheet::Tile;

/// The color of indices without one.
const NOTHING: [u8; 3] = [255, 0, 255];

/// The format of a pixel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// An index of this many bits.
    Index(usize),
    /// A color of 5 bits per channel.
    Short,
    /// Planes: the given number, then those of the channels.
    Planes(usize),
    /// One byte, then one per channel.
    Long,
}

/// The layout of copied pixels in rows.
pub(super) struct Grid {
    depth: Depth,
    pub(super) rows: Rows,
    /// Visible pixels per row.
    pub(super) width: usize,
    pub(super) height: usize,
}

/// The visible pixels of a row, with one byte per index or three per color; and the rest of the row.
pub(super) type Shown = (Vec<u8>, Vec<u8>);

impl Grid {
    /// Returns the grid of copied pixels, or `None` if a PNG cannot represent them.
    pub(super) fn of(copy: &Copy, opcode: Opcode) -> Option<Self> {
        let rows = copy.rows(opcode).ok()?;
        let (bits, components) = (copy.pixel_map.pixel_size.get(), copy.pixel_map.component_count.get());
        let depth = match (is_direct(opcode), copy.has_pixel_map()) {
            (false, false) => Depth::Index(1),
            (false, true) => Depth::Index(Some(bits).filter(|bits| matches!(bits, 1 | 2 | 4 | 8))?.into()),
            (true, true) if bits == 16 => Depth::Short,
            (true, true) if bits == 32 && rows.packing.is_none() => Depth::Long,
            (true, true) if bits == 32 && matches!(components, 3 | 4) => Depth::Planes((components - 3).into()),
            _ => return None,
        };
        let size = |side: i32| usize::try_from(side).ok().filter(|side| *side > 0);
        let (width, height) = (size(copy.width())?, size(copy.height())?);
        width.checked_mul(height).filter(|area| *area <= limits::PIXELS)?;
        let grid = Self { depth, rows, width, height };
        let room = usize::try_from(grid.rows.length).ok()?.checked_mul(8)? / grid.bits();
        (room >= width).then_some(grid)
    }

    /// Returns the bits of a row per pixel.
    fn bits(&self) -> usize {
        match self.depth {
            Depth::Index(bits) => bits,
            Depth::Short => 16,
            Depth::Planes(before) => (before + 3) * 8,
            Depth::Long => 32,
        }
    }

    /// Returns the visible pixels of a row and its rest, or `None` if they cannot represent the whole row.
    pub(super) fn show(&self, row: &[u8]) -> Option<Shown> {
        let units = |unit: usize| row.split_at_checked(self.width.checked_mul(unit)?);
        match self.depth {
            Depth::Index(bits) => {
                let mask = u8::MAX >> (8 - bits);
                let each = |byte: &u8| {
                    let byte = *byte;
                    (1..=8 / bits).map(move |nth| byte >> (8 - nth * bits) & mask)
                };
                let mut indices: Vec<u8> = row.iter().flat_map(each).collect();
                let tail = indices.split_off(self.width.min(indices.len()));
                Some((indices, tail))
            }
            Depth::Short => {
                let (colors, tail) = units(2)?;
                let colors = colors.as_chunks::<2>().0.iter().map(|color| u16::from_be_bytes(*color));
                let channel = |value: u16| u8::try_from(((value & 31) * 510 + 31) / 62).unwrap_or(u8::MAX);
                let shown: Option<Vec<[u8; 3]>> = colors
                    .map(|color| (color < 0x8000).then(|| [color >> 10, color >> 5, color].map(channel)))
                    .collect();
                Some((shown?.concat(), tail.to_vec()))
            }
            Depth::Planes(before) => {
                let (before, planes) = row.split_at_checked(self.width.checked_mul(before)?)?;
                let (red, rest) = planes.split_at_checked(self.width)?;
                let (green, blue) = rest.split_at_checked(self.width)?;
                let colors = red.iter().zip(green).zip(blue).flat_map(|((red, green), blue)| [*red, *green, *blue]);
                Some((colors.collect(), before.to_vec()))
            }
            Depth::Long => {
                let (colors, behind) = units(4)?;
                let colors = colors.as_chunks::<4>().0;
                let shown = colors.iter().flat_map(|[_, red, green, blue]| [*red, *green, *blue]).collect();
                Some((shown, colors.iter().map(|[first, ..]| *first).chain(behind.iter().copied()).collect()))
            }
        }
    }

    /// Returns the row with these visible pixels and this rest, padded with zeros.
    pub(super) fn row(&self, shown: &[u8], tail: &[u8]) -> Vec<u8> {
        let length = usize::try_from(self.rows.length).unwrap_or_default();
        let tail = tail.iter().copied().chain(core::iter::repeat(0));
        let mut row: Vec<u8> = match self.depth {
            Depth::Index(bits) => {
                let all: Vec<u8> = shown.iter().copied().chain(tail).take(length * 8 / bits).collect();
                all.chunks(8 / bits)
                    .map(|indices| indices.iter().fold(0, |byte, index| byte << (bits % 8) | index))
                    .collect()
            }
            Depth::Short => {
                let channel = |value: u8| (u16::from(value) * 62 + 255) / 510;
                let color = |[red, green, blue]: &[u8; 3]| channel(*red) << 10 | channel(*green) << 5 | channel(*blue);
                let colors = shown.as_chunks::<3>().0.iter().flat_map(|it| color(it).to_be_bytes());
                colors.chain(tail).take(length).collect()
            }
            Depth::Planes(before) => {
                let channel = |nth: usize| shown.iter().skip(nth).step_by(3).copied();
                let before = tail.take(self.width * before);
                before.chain(channel(0)).chain(channel(1)).chain(channel(2)).collect()
            }
            Depth::Long => {
                let mut tail = tail;
                let mut row = Vec::with_capacity(length);
                for color in shown.as_chunks::<3>().0 {
                    row.extend(tail.next());
                    row.extend(color);
                }
                row.into_iter().chain(tail).take(length).collect()
            }
        };
        row.truncate(length);
        row
    }

    /// Returns the maximum number of colors in a palette, or `None` if pixels are not indices.
    pub(super) fn colors(&self) -> Option<usize> {
        if let Depth::Index(bits) = self.depth { Some(1 << bits) } else { None }
    }
}

/// Returns the slot of each color of a table: its stored number, or its position in the table of a device.
pub(super) fn slots(table: &ColorTable) -> impl Iterator<Item = (usize, Color)> {
    let is_device = table.head.flags.contains(ColorTableFlags::DEVICE);
    let slot = move |(nth, color): (usize, &Color)| (if is_device { nth } else { color.value.get().into() }, *color);
    table.colors.iter().enumerate().map(slot)
}

/// Returns the colors of the first `colors` indices.
pub(super) fn palette(copy: &Copy, colors: usize) -> Vec<[u8; 3]> {
    if !copy.has_pixel_map() {
        return vec![[255; 3], [0; 3]];
    }
    let mut palette = vec![NOTHING; colors];
    for (slot, color) in slots(&copy.colors) {
        if let Some(known) = palette.get_mut(slot) {
            *known = color.rgb();
        }
    }
    palette
}

/// Returns the pixels that a picture copies, for a contact sheet.
#[cfg(feature = "export")]
pub(crate) fn tiles<'a>(name: &'a str, picture: &'a Picture) -> impl Iterator<Item = Tile<'a>> {
    let tile = move |Instruction { opcode, body, .. }: &'a Instruction| {
        let Body::Copy(copy) = body else { return None };
        let Grid { width, height, .. } = Grid::of(copy, *opcode)?;
        Some(Tile { name: name.into(), width, height, shown: Box::new(|| shown(copy, *opcode)) })
    };
    picture.opcodes.iter().filter_map(tile)
}

/// Returns the colors of copied pixels.
fn shown(copy: &Copy, opcode: Opcode) -> Vec<Option<Rgba>> {
    let Some(grid) = Grid::of(copy, opcode) else { return Vec::new() };
    let palette = grid.colors().map(|colors| palette(copy, colors));
    let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, u8::MAX];
    let row = |row: Vec<u8>| -> Vec<Option<Rgba>> {
        let (shown, _) = grid.show(&row).unwrap_or_default();
        match &palette {
            Some(palette) => shown.iter().map(|index| palette.get(usize::from(*index)).copied().map(opaque)).collect(),
            None => shown.as_chunks::<3>().0.iter().map(|color| Some(opaque(*color))).collect(),
        }
    };
    copy.unpacked(opcode).into_iter().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(depth: Depth, width: usize, length: u64) -> Grid {
        let rows = Rows { count: 1, length, packing: None };
        Grid { depth, rows, width, height: 1 }
    }

    #[test]
    fn rows_of_every_depth_round_trip() {
        for (depth, width, row, shown, tail) in [
            (Depth::Index(1), 3, &[0b1011_0000][..], &[1, 0, 1][..], &[1, 0, 0, 0, 0][..]),
            (Depth::Index(4), 3, &[0x12, 0x34], &[1, 2, 3], &[4]),
            (Depth::Index(8), 2, &[7, 8, 9], &[7, 8], &[9]),
            (Depth::Short, 1, &[0x7C, 0x1F, 1, 2], &[255, 0, 255], &[1, 2]),
            (Depth::Planes(0), 2, &[1, 2, 3, 4, 5, 6], &[1, 3, 5, 2, 4, 6], &[]),
            (Depth::Planes(1), 1, &[9, 1, 2, 3], &[1, 2, 3], &[9]),
            (Depth::Long, 1, &[9, 1, 2, 3, 8], &[1, 2, 3], &[9, 8]),
        ] {
            let grid = grid(depth, width, u64::try_from(row.len()).expect("small"));
            assert_eq!(grid.show(row), Some((shown.to_vec(), tail.to_vec())));
            assert_eq!(grid.row(shown, tail), row);
        }
        assert_eq!(grid(Depth::Short, 1, 2).show(&[0x80, 0]), None, "a bit that no color has");
    }

    #[test]
    fn all_colors_of_5_bits_round_trip() {
        let grid = grid(Depth::Short, 1, 2);
        for color in 0..0x8000_u16 {
            let (shown, tail) = grid.show(&color.to_be_bytes()).expect("a color");
            assert_eq!(grid.row(&shown, &tail), color.to_be_bytes());
        }
    }
}
