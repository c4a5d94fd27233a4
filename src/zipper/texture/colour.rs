//! RGB565, as 8 bits a channel and back.
//!
//! Rounding both ways gives every colour back (`zipper-textures.md`, section 2.2). How the games spread the bits is not
//! known; that is about what one sees, not about what is stored.

use crate::field::U16;

/// Channels of 5 and of 6 bits in 8 bits. Images are millions of pixels, and looking up is faster than dividing.
static EXPANDED: [[u8; 64]; 2] = [expanded(31), expanded(63)];
/// Channels of 8 bits in 5 and in 6.
static REDUCED: [[u16; 256]; 2] = [reduced(31), reduced(63)];

const fn expanded(most: u16) -> [u8; 64] {
    let mut table = [0; 64];
    let (mut rest, mut value): (&mut [u8], u16) = (&mut table, 0);
    while let Some((channel, behind)) = rest.split_first_mut() {
        // No field has room for a larger one.
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

/// A stored colour with 8 bits a channel.
#[must_use]
pub fn expand(colour: U16) -> [u8; 3] {
    let colour = colour.get();
    let [five, six] = &EXPANDED;
    let channel = |of: &[u8; 64], value: u16| of.get(usize::from(value)).copied().unwrap_or(u8::MAX);
    [channel(five, colour >> 11), channel(six, colour >> 5 & 63), channel(five, colour & 31)]
}

/// The stored colour nearest to one of 8 bits a channel.
#[must_use]
pub fn reduce(colour: [u8; 3]) -> U16 {
    let [red, green, blue] = colour;
    let [five, six] = &REDUCED;
    let channel = |of: &[u16; 256], value: u8| of.get(usize::from(value)).copied().unwrap_or(u16::MAX);
    U16::new(channel(five, red) << 11 | channel(six, green) << 5 | channel(five, blue))
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
