//! The byte builder all formats write with.

/// A file that grows at its end.
#[derive(Default)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// An empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes written so far: the offset of what comes next.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// The same byte, so many times.
    pub fn fill(&mut self, byte: u8, count: usize) -> &mut Self {
        self.0.resize(self.0.len() + count, byte);
        self
    }

    /// The same byte up to the next multiple of `unit`.
    pub fn pad(&mut self, unit: usize, byte: u8) -> &mut Self {
        self.0.resize(self.0.len().next_multiple_of(unit), byte);
        self
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    /// A little-endian half word.
    pub fn le_u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A signed little-endian half word.
    pub fn le_i16(&mut self, value: i16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A little-endian word.
    pub fn le_u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A signed little-endian word.
    pub fn le_i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A little-endian double word.
    pub fn le_u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A big-endian half word.
    pub fn be_u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// A signed big-endian half word.
    pub fn be_i16(&mut self, value: i16) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// A big-endian word.
    pub fn be_u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// A signed big-endian word.
    pub fn be_i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Writes over earlier bytes.
    pub fn patch(&mut self, offset: usize, bytes: &[u8]) -> &mut Self {
        self.0[offset..offset + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Takes the end away again.
    pub fn truncate(&mut self, length: usize) -> &mut Self {
        self.0.truncate(length);
        self
    }

    /// What is written so far.
    pub fn written(&self) -> &[u8] {
        &self.0
    }

    /// The finished file.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// A text field of `N` bytes: the text, a NUL, the tail an older text left behind, zeros.
/// Whatever does not fit is cut off, the NUL included.
pub fn field<const N: usize>(text: &[u8], tail: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    let content = text.iter().chain(&[0]).chain(tail);
    bytes.iter_mut().zip(content).for_each(|(byte, &value)| *byte = value);
    bytes
}

/// Floats as the bits that are written: tracks and points are kept as bits, because moving a signalling NaN as a float
/// may change it on some processors.
pub fn bits<const N: usize>(values: [f32; N]) -> [u32; N] {
    values.map(f32::to_bits)
}

#[cfg(test)]
mod tests {
    use super::{Bytes, bits, field};

    #[test]
    fn writes_both_orders_and_patches() {
        let mut out = Bytes::new();
        out.le_u32(0x0102_0304).be_u32(0x0102_0304).be_i16(-2).pad(4, 0xCC).patch(0, &[9]);
        assert_eq!(out.finish(), [9, 3, 2, 1, 1, 2, 3, 4, 0xFF, 0xFE, 0xCC, 0xCC]);
        let mut out = Bytes::new();
        out.le_u16(0x0102).le_i16(-2).le_u64(3);
        assert_eq!(out.finish(), [2, 1, 0xFE, 0xFF, 3, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn cuts_text_to_its_field() {
        assert_eq!(&field::<8>(b"Map", b"xy"), b"Map\0xy\0\0");
        assert_eq!(&field::<4>(b"Marathon", b"xy"), b"Mara");
    }

    #[test]
    fn keeps_the_sign_of_zero() {
        assert_eq!(bits([-0.0, 0.0]), [0x8000_0000, 0]);
    }
}
