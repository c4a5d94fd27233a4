//! Lengths in memory and in files.

/// Converts a length in memory to a length in a file.
#[must_use]
pub fn wide(length: usize) -> u64 {
    // Rust supports no machine with addresses of more than 64 bits.
    length.try_into().unwrap_or(u64::MAX)
}
