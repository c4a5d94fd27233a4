//! RGB565, as 8 bits a channel and back.
//!
//! Rounding both ways gives every colour back (`zipper-textures.md`, section 2.2). How the games spread the bits is not
//! known; that is about what one sees, not about what is stored.

use crate::field::U16;

/// The largest values of red, green and blue.
const MOST: [u16; 3] = [31, 63, 31];

/// A stored colour with 8 bits a channel.
#[must_use]
pub fn expand(colour: U16) -> [u8; 3] {
    let colour = colour.get();
    let [red, green, blue] = MOST;
    let channel = |value: u16, most: u16| u8::try_from((value * 510 + most) / (most * 2)).unwrap_or(u8::MAX);
    [channel(colour >> 11, red), channel(colour >> 5 & green, green), channel(colour & blue, blue)]
}

/// The stored colour nearest to one of 8 bits a channel.
#[must_use]
pub fn reduce(colour: [u8; 3]) -> U16 {
    let [red, green, blue] = colour;
    let [most_red, most_green, most_blue] = MOST;
    let channel = |value: u8, most: u16| (u16::from(value) * most * 2 + 255) / 510;
    U16::new(channel(red, most_red) << 11 | channel(green, most_green) << 5 | channel(blue, most_blue))
}

/// How far two colours lie apart.
pub(super) fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    one.into_iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_comes_back() {
        assert!((0..=u16::MAX).all(|colour| reduce(expand(U16::new(colour))).get() == colour));
    }

    /// Source: `zipper-textures.md`, section 2.2: it is rounding, which differs from repeating bits.
    #[test]
    fn channels_are_rounded() {
        assert_eq!(expand(U16::new(0xF800)), [255, 0, 0]);
        assert_eq!(expand(U16::new(0x001F)), [0, 0, 255]);
        assert_eq!(expand(U16::new(3 << 11 | 11 << 5 | 28)), [25, 45, 230]);
        assert_eq!(reduce([3, 4, 255]).get(), 1 << 5 | 31);
    }
}
