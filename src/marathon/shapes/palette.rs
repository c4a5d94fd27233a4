//! What indices look like.

use super::records::Color;

/// A palette.
pub(super) type Palette = Vec<[u8; 3]>;

/// What an index shows as that no color has.
const NOTHING: [u8; 3] = [255, 0, 255];

/// What every index looks like by a color table; without one, as bright as it is high.
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
