//! Conversion of RGB565 to 8 bits per channel and back.
//!
//! Rounding in both directions restores every color ([`zipper-textures.md`](formats::zipper_textures), section 2.2). How the
//! games expand the bits
//! is not known; that affects what is displayed, not what is stored.

use field::U16;

/// Expands a stored color to 8 bits per channel.
#[inline]
#[must_use]
pub fn expand(color: U16) -> [u8; 3] {
    // Images have millions of pixels: a product and a shift round like a division, and several pixels are computed at once.
    let channel = |value: u16, factor: u32, half: u32| {
        let [channel, ..] = ((u32::from(value) * factor + half) >> 6).to_le_bytes();
        channel
    };
    let color = color.get();
    [channel(color >> 11, 527, 23), channel(color >> 5 & 63, 259, 33), channel(color & 31, 527, 23)]
}

/// Returns the stored color nearest to one with 8 bits per channel.
#[inline]
#[must_use]
pub fn reduce(color: [u8; 3]) -> U16 {
    let [red, green, blue] = color;
    let (red, green, blue) = (u32::from(red), u32::from(green), u32::from(blue));
    let (red, green, blue) = ((red * 249 + 1014) >> 11, (green * 253 + 505) >> 10, (blue * 249 + 1014) >> 11);
    let [low, high, ..] = (red << 11 | green << 5 | blue).to_le_bytes();
    U16::new(u16::from_le_bytes([low, high]))
}

/// Returns the distance between two colors.
pub(super) fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    one.into_iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_color_round_trips() {
        assert!((0..=u16::MAX).all(|color| reduce(expand(U16::new(color))).get() == color));
    }

    /// Source: `zipper-textures.md`, section 2.2: rounding, which differs from bit replication.
    #[test]
    fn channels_are_rounded() {
        assert_eq!(expand(U16::new(0xF800)), [255, 0, 0]);
        assert_eq!(expand(U16::new(0x001F)), [0, 0, 255]);
        assert_eq!(expand(U16::new(3 << 11 | 11 << 5 | 28)), [25, 45, 230]);
        assert_eq!(reduce([3, 4, 255]).get(), 1 << 5 | 31);
        let rounded = |value: u16, to: u16, from: u16| (value * to * 2 + from) / (from * 2);
        for value in 0..=u8::MAX {
            let [five, six] = [31, 63].map(|most| rounded(value.into(), most, 255));
            assert_eq!(reduce([value; 3]).get(), five << 11 | six << 5 | five);
        }
        for value in 0..64_u16 {
            let expected = [rounded(value.min(31), 255, 31), rounded(value, 255, 63), rounded(value.min(31), 255, 31)];
            let five = value.min(31);
            assert_eq!(expand(U16::new(five << 11 | value << 5 | five)).map(u16::from), expected);
        }
    }
}
