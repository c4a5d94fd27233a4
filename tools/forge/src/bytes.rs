//! The byte builder used for all formats.

/// A file that grows at its end.
#[derive(Default)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// Creates an empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of bytes written so far: the offset of the next one.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if the file is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends raw bytes.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// Appends a byte `count` times.
    pub fn fill(&mut self, byte: u8, count: usize) -> &mut Self {
        self.0.resize(self.0.len() + count, byte);
        self
    }

    /// Appends a byte up to the next multiple of `unit`.
    pub fn pad(&mut self, unit: usize, byte: u8) -> &mut Self {
        self.0.resize(self.0.len().next_multiple_of(unit), byte);
        self
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    /// Appends a little-endian half word.
    pub fn le_u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a signed little-endian half word.
    pub fn le_i16(&mut self, value: i16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a little-endian word.
    pub fn le_u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a signed little-endian word.
    pub fn le_i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a little-endian double word.
    pub fn le_u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// Appends a big-endian half word.
    pub fn be_u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Appends a signed big-endian half word.
    pub fn be_i16(&mut self, value: i16) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Appends a big-endian word.
    pub fn be_u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Appends a signed big-endian word.
    pub fn be_i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Overwrites earlier bytes.
    pub fn patch(&mut self, offset: usize, bytes: &[u8]) -> &mut Self {
        self.0[offset..offset + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Truncates the file.
    pub fn truncate(&mut self, length: usize) -> &mut Self {
        self.0.truncate(length);
        self
    }

    /// Returns the bytes written so far.
    pub fn written(&self) -> &[u8] {
        &self.0
    }

    /// Returns the finished file.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Returns a text field of `N` bytes: the text, a NUL, the leftover tail of an older text, zeros. Excess bytes are cut off, including the
/// NUL.
pub fn field<const N: usize>(text: &[u8], tail: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    let content = text.iter().chain(&[0]).chain(tail);
    bytes.iter_mut().zip(content).for_each(|(byte, &value)| *byte = value);
    bytes
}

/// Converts floats to bits. Tracks and points are kept as bits, because moving a signaling NaN as a float may change it on some processors.
pub fn bits<const N: usize>(values: [f32; N]) -> [u32; N] {
    values.map(f32::to_bits)
}

#[cfg(test)]
mod tests {
    use super::{Bytes, bits, field};

    #[test]
    fn values_are_written_in_both_byte_orders_and_patched() {
        let mut out = Bytes::new();
        out.le_u32(0x0102_0304).be_u32(0x0102_0304).be_i16(-2).pad(4, 0xCC).patch(0, &[9]);
        assert_eq!(out.finish(), [9, 3, 2, 1, 1, 2, 3, 4, 0xFF, 0xFE, 0xCC, 0xCC]);
        let mut out = Bytes::new();
        out.le_u16(0x0102).le_i16(-2).le_u64(3);
        assert_eq!(out.finish(), [2, 1, 0xFE, 0xFF, 3, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn text_is_cut_to_its_field() {
        assert_eq!(&field::<8>(b"Map", b"xy"), b"Map\0xy\0\0");
        assert_eq!(&field::<4>(b"Marathon", b"xy"), b"Mara");
    }

    #[test]
    fn sign_of_zero_is_preserved() {
        assert_eq!(bits([-0.0, 0.0]), [0x8000_0000, 0]);
    }
}
