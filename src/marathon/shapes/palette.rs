//! Palettes for the indices of bitmaps.

use super::records::Color;

/// A palette.
pub(super) type Palette = Vec<[u8; 3]>;

/// The color of an index that is not in the color table.
const NOTHING: [u8; 3] = [255, 0, 255];

/// Returns `true` if an index has a color in a table; without one, each is a gray level.
pub(super) fn has(colors: &[Color], index: u8) -> bool {
    colors.is_empty() || colors.iter().any(|color| color.value.get() == index)
}

/// Returns the color of every index according to a color table; without one, gray levels.
pub(super) fn of(colors: &[Color]) -> Palette {
    if colors.is_empty() {
        return (0..=u8::MAX).map(|index| [index; 3]).collect();
    }
    let mut palette = vec![NOTHING; 256];
    for color in colors {
        if let Some(slot) = palette.get_mut(usize::from(color.value.get())) {
            *slot = [color.red, color.green, color.blue].map(|channel| channel.get().to_be_bytes()[0]);
        }
    }
    palette
}
