//! Where the numbers come from that decide what is tried.

use forge::random::Random;

/// Draws a number below another; below 0 it is 0.
pub type Draw<'a> = &'a mut dyn FnMut(u64) -> u64;

/// Numbers of a generator.
pub fn of_random(mut random: Random) -> impl FnMut(u64) -> u64 {
    move |end| random.draw() % end.max(1)
}

/// Numbers that a fuzzer gives as bytes, no more of them than each number needs; 0 when they are used up.
pub fn of_bytes(bytes: &[u8]) -> impl FnMut(u64) -> u64 {
    let mut bytes = bytes.iter();
    move |end| {
        let (mut number, mut room) = (0_u64, end.saturating_sub(1));
        while room > 0 {
            number = number << 8 | u64::from(bytes.next().copied().unwrap_or(0));
            room >>= 8;
        }
        number % end.max(1)
    }
}
