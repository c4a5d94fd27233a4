//! The only source of randomness.

/// SplitMix64 (Steele, Lea, Flood 2014).
///
/// Not a crate: these six lines are the whole definition, so an update cannot change a sample.
pub struct Random(u64);

impl Random {
    /// Creates the generator that starts at `state`.
    pub fn new(state: u64) -> Self {
        Self(state)
    }

    /// Returns the generator of a sample: its name is part of the state (FNV-1a), so samples do not share numbers.
    pub fn named(seed: u64, name: &str) -> Self {
        let start = 0xCBF2_9CE4_8422_2325 ^ seed;
        Self(name.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)))
    }

    /// Returns the next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `end - 1`.
    pub fn below(&mut self, end: u32) -> u32 {
        (((self.draw() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// Returns an integer from `first` to `last`, both included.
    pub fn between(&mut self, first: i32, last: i32) -> i32 {
        first.wrapping_add_unsigned(self.below(last.abs_diff(first) + 1))
    }

    /// Returns a real number from `low` up to `high`, in steps of 2^-24 of the way.
    pub fn real(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.draw() >> 40) as f32 / 16_777_216.0)
    }

    /// Returns one of the items.
    pub fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len() as u32) as usize]
    }

    /// Returns `length` random bytes, like leftover memory.
    pub fn garbage(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length + 8);
        while bytes.len() < length {
            bytes.extend_from_slice(&self.draw().to_le_bytes());
        }
        bytes.truncate(length);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn draws_the_published_numbers() {
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.draw(), random.draw(), random.draw()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_within_bounds() {
        let mut random = Random::named(1, "bounds");
        for _ in 0..1000 {
            assert!((-3..=4).contains(&random.between(-3, 4)));
            assert!((-1.0..1.0).contains(&random.real(-1.0, 1.0)));
        }
        assert_eq!(random.garbage(13).len(), 13);
    }
}
