//! The bytes of a file around an offset.

/// The number of bytes in a row.
pub(super) const ROW: usize = 8;
/// The number of rows before the one with the offset, and of all rows.
const BEFORE: usize = 3;
const ROWS: usize = 8;

/// Some rows of a file around an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The offset.
    pub offset: u64,
    /// The offset of the first byte: a multiple of eight.
    pub start: u64,
    /// The bytes from there onward.
    pub bytes: Vec<u8>,
    /// `true` if the file ends after these bytes.
    pub ends: bool,
}

impl Excerpt {
    /// Returns the rows around an offset, which can be the end of the file.
    #[must_use]
    pub fn around(offset: u64, file: &[u8]) -> Option<Self> {
        let at = usize::try_from(offset).ok().filter(|at| *at <= file.len())?;
        let start = (at / ROW).saturating_sub(BEFORE).saturating_mul(ROW);
        let bytes: Vec<u8> = file.get(start..)?.iter().take(ROW.saturating_mul(ROWS)).copied().collect();
        let ends = start + bytes.len() == file.len();
        Some(Self { offset, start: field::wide(start), bytes, ends })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_contain_the_offset_and_end_with_the_file() {
        let file: Vec<u8> = (0..=255).collect();
        let inside = Excerpt::around(100, &file).expect("inside");
        assert_eq!((inside.start, inside.bytes.len(), inside.ends), (72, 64, false));
        assert_eq!(inside.bytes[28], 100);
        let end = Excerpt::around(256, &file).expect("the end");
        assert_eq!((end.start, end.bytes.len(), end.ends), (232, 24, true));
        assert_eq!(Excerpt::around(257, &file), None);
        assert_eq!(Excerpt::around(0, &[]).map(|it| it.bytes), Some(Vec::new()));
    }
}
