//! Bitmaps of shapes for contact sheets.

use bitflags::Flags as _;

use field::{Integer as _, limits};
use media::Rgba;
use media::sheet::Tile;

use super::bitmap::{Bitmap, BitmapFlags};
use super::{Carried, Collection, Encoding, PatchItems, Shapes, ShapesPatch, palette};

/// Returns a bitmap with the colors of a palette.
fn tile<'a>(name: String, bitmap: &'a Bitmap, encoding: Encoding, palette: &'a [[u8; 3]]) -> Tile<'a> {
    let side = |side: i16| usize::try_from(side).unwrap_or(0);
    let (width, height) = (side(bitmap.head.width.get()), side(bitmap.head.height.get()));
    let has = |flag| bitmap.head.flags.contains(flag);
    let (is_turned, is_clear) = (has(BitmapFlags::COLUMN_ORDER), has(BitmapFlags::TRANSPARENT));
    let shown = move || {
        let pixels = bitmap.unpack(encoding);
        let color = |at: usize| -> Option<Rgba> {
            let index = *pixels.get(at)?;
            let [red, green, blue] = *palette.get(usize::from(index))?;
            Some([red, green, blue, if is_clear && index == 0 { 0 } else { u8::MAX }])
        };
        let at = |x: usize, y: usize| if is_turned { x * height + y } else { y * width + x };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| color(at(x, y))).collect()
    };
    Tile { name: name.into_bytes(), width, height, shown: Box::new(shown) }
}

/// A list of bitmaps with a common palette.
pub(crate) struct Group<'a> {
    name: String,
    encoding: Encoding,
    palette: palette::Palette,
    bitmaps: Vec<(u64, &'a Bitmap)>,
}

impl Group<'_> {
    /// Returns the bitmaps for a contact sheet, each captioned with its collection and index.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = Tile<'_>> {
        let name = |index: &u64| format!("{}:{index}", self.name);
        let area = |bitmap: &Bitmap| {
            let [width, height] = [bitmap.head.width, bitmap.head.height].map(|side| usize::try_from(side.get()));
            width.ok()?.checked_mul(height.ok()?)
        };
        let seen =
            self.bitmaps.iter().filter(move |(_, bitmap)| area(bitmap).is_some_and(|area| area <= limits::PIXELS));
        seen.map(move |(index, bitmap)| tile(name(index), bitmap, self.encoding, &self.palette))
    }
}

impl Shapes {
    /// Returns the bitmaps of each collection.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.collections.iter().enumerate().filter_map(|(nth, carried)| match carried {
            Some(Carried::Collection(collection)) => {
                let deep = if nth.is_multiple_of(2) { "" } else { " deep" };
                Some(collection.group(format!("{}{deep}", nth / 2)))
            }
            _ => None,
        })
    }
}

impl Collection {
    /// Returns the bitmaps, with a name for all of them.
    pub(crate) fn group(&self, name: String) -> Group<'_> {
        let each = self.definition.colors_per_table.wide().and_then(|each| usize::try_from(each).ok());
        let colors = self.colors.get(..each.unwrap_or(0)).unwrap_or(&self.colors);
        let bitmaps = (0..).zip(self.bitmaps.iter().map(|slot| &slot.bitmap)).collect();
        Group { name, encoding: self.encoding, palette: palette::of(colors), bitmaps }
    }
}

impl ShapesPatch {
    /// Returns the bitmaps of each block.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.blocks.iter().map(|block| {
            let tables = block.items.iter().filter_map(|items| match items {
                PatchItems::Colors(tables) => tables.first(),
                _ => None,
            });
            let palette = palette::of(tables.map(|table| &*table.colors).next().unwrap_or_default());
            let bitmaps = block.items.iter().flat_map(|items| match items {
                PatchItems::Bitmaps(bitmaps) => bitmaps.as_slice(),
                _ => &[],
            });
            let bitmaps = bitmaps.map(|item| (item.head.index.get().into(), &item.bitmap)).collect();
            let deep = if block.head.bit_depth.get() > 8 { " deep" } else { "" };
            let name = format!("{}{deep}", block.head.collection.get());
            Group { name, encoding: Encoding::Marathon2, palette, bitmaps }
        })
    }
}
