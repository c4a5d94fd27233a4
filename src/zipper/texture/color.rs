//! Conversion of RGB565 to 8 bits per channel and back.
//!
//! Rounding in both directions restores every color ([`zipper-textures.md`](crate::guide::formats::zipper_textures), section 2.2). How the
//! games expand the bits
//! is not known; that affects what is displayed, not what is stored.

use crate::field::U16;

/// 5-bit and 6-bit channels expanded to 8 bits. Images have millions of pixels, and a lookup is faster than a division.
static EXPANDED: [[u8; 64]; 2] = [expanded(31), expanded(63)];
/// 8-bit channels reduced to 5 and to 6 bits.
static REDUCED: [[u16; 256]; 2] = [reduced(31), reduced(63)];

const fn expanded(most: u16) -> [u8; 64] {
    let mut table = [0; 64];
    let (mut rest, mut value): (&mut [u8], u16) = (&mut table, 0);
    while let Some((channel, behind)) = rest.split_first_mut() {
        // A larger value does not fit in the field.
        let used = if value < most { value } else { most };
        [*channel, _] = ((used * 510 + most) / (most * 2)).to_le_bytes();
        (rest, value) = (behind, value + 1);
    }
    table
}

const fn reduced(most: u16) -> [u16; 256] {
    let mut table = [0; 256];
    let (mut rest, mut value): (&mut [u16], u16) = (&mut table, 0);
    while let Some((channel, behind)) = rest.split_first_mut() {
        *channel = (value * most * 2 + 255) / 510;
        (rest, value) = (behind, value + 1);
    }
    table
}

/// Expands a stored color to 8 bits per channel.
#[must_use]
pub fn expand(color: U16) -> [u8; 3] {
    let color = color.get();
    let [five, six] = &EXPANDED;
    let channel = |of: &[u8; 64], value: u16| of.get(usize::from(value)).copied().unwrap_or(u8::MAX);
    [channel(five, color >> 11), channel(six, color >> 5 & 63), channel(five, color & 31)]
}

/// Returns the stored color nearest to one with 8 bits per channel.
#[must_use]
pub fn reduce(color: [u8; 3]) -> U16 {
    let [red, green, blue] = color;
    let [five, six] = &REDUCED;
    let channel = |of: &[u16; 256], value: u8| of.get(usize::from(value)).copied().unwrap_or(u16::MAX);
    U16::new(channel(five, red) << 11 | channel(six, green) << 5 | channel(five, blue))
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
    }
}
