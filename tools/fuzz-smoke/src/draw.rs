//! The sources of numbers that decide what to try.

use forge::random::Random;

/// Draws a number below a limit, or 0 if the limit is 0.
pub type Draw<'a> = &'a mut dyn FnMut(u64) -> u64;

/// Draws numbers from a generator.
pub fn of_random(mut random: Random) -> impl FnMut(u64) -> u64 {
    move |end| random.draw() % end.max(1)
}

/// Draws numbers from the bytes of a fuzzer, as few bytes per number as possible; 0 after the end.
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
