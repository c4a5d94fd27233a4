//! Plain arrays that are read and written as blocks.

use core::ops::Deref;

use bytemuck::Pod;
use bytes::Bytes;

/// Any number of records or bytes, end to end, in their file representation.
///
/// A block read from a file shares the file's memory, so decoding a 90 MB archive copies none of it; the first edit makes it a
/// separate vector. It derefs to a slice of records. As long as a block shares a file, the file stays in memory.
#[derive(Clone)]
pub struct Block<T = u8> {
    store: Store<T>,
}

#[derive(Clone)]
enum Store<T> {
    Shared(Bytes),
    Owned(Vec<T>),
}

impl<T: Pod> Block<T> {
    /// Checks that records need no alignment and are not empty, so that any slice of a file can be a slice of them.
    const FITS: () = assert!(align_of::<T>() == 1 && size_of::<T>() > 0);

    /// Creates a block over a piece of a file, whose length is a multiple of the record's.
    pub fn shared(bytes: Bytes) -> Self {
        let () = Self::FITS;
        Self { store: Store::Shared(bytes) }
    }

    /// Returns the bytes of all records.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        bytemuck::must_cast_slice(self)
    }

    /// Returns the same bytes as records of another type of this size.
    pub(crate) fn recast<As: Pod>(self) -> Block<As> {
        let () = const { assert!(size_of::<T>() == size_of::<As>()) };
        let () = Block::<As>::FITS;
        let store = match self.store {
            Store::Shared(bytes) => Store::Shared(bytes),
            Store::Owned(records) => Store::Owned(records.into_iter().map(bytemuck::must_cast).collect()),
        };
        Block { store }
    }

    /// Returns an iterator over the records.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        (**self).iter()
    }

    /// Edits the records as a vector.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let mut records = match core::mem::take(self).store {
            Store::Owned(records) => records,
            shared @ Store::Shared(_) => Self { store: shared }.to_vec(),
        };
        let result = change(&mut records);
        self.store = Store::Owned(records);
        result
    }
}

impl Block {
    /// Returns the bytes, without a copy.
    pub fn into_bytes(self) -> Bytes {
        match self.store {
            Store::Shared(bytes) => bytes,
            Store::Owned(bytes) => bytes.into(),
        }
    }
}

impl<T: Pod> Deref for Block<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.store {
            Store::Owned(records) => records,
            // Cannot fail: `FITS` ensures alignment 1, and the tape that cut the piece ensures the length.
            Store::Shared(bytes) => bytemuck::try_cast_slice(bytes).unwrap_or_default(),
        }
    }
}

impl<T: Pod> Default for Block<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Pod> From<Vec<T>> for Block<T> {
    fn from(records: Vec<T>) -> Self {
        let () = Self::FITS;
        Self { store: Store::Owned(records) }
    }
}

impl<T: Pod> FromIterator<T> for Block<T> {
    fn from_iter<I: IntoIterator<Item = T>>(records: I) -> Self {
        Vec::from_iter(records).into()
    }
}

impl<'a, T: Pod> IntoIterator for &'a Block<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Pod> PartialEq for Block<T> {
    fn eq(&self, other: &Self) -> bool {
        // Copies of a block that was read share the file, and need no comparison of bytes.
        core::ptr::eq(self.bytes(), other.bytes()) || self.bytes() == other.bytes()
    }
}

impl<T: Pod + core::fmt::Debug> core::fmt::Debug for Block<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::U16;

    #[test]
    fn edit_leaves_the_shared_file_unchanged() {
        let file = Bytes::from_static(&[1, 0, 2, 0, 3, 0]);
        let mut block: Block<U16> = Block::shared(file.slice(2..));
        assert_eq!(block.iter().map(|it| it.get()).collect::<Vec<_>>(), [2, 3]);
        block.edit(|records| records.push(U16::new(4)));
        assert_eq!(block.bytes(), [2, 0, 3, 0, 4, 0]);
        assert_eq!(file.as_ref(), [1, 0, 2, 0, 3, 0]);
    }

    #[test]
    fn blocks_are_collected_and_iterated() {
        let block: Block<U16> = (1..4).map(U16::new).collect();
        assert_eq!(block.bytes(), [1, 0, 2, 0, 3, 0]);
        let mut sum = 0;
        for number in &block {
            sum += number.get();
        }
        assert_eq!((sum, block.iter().len()), (6, 3));
    }

    #[test]
    fn blocks_are_equal_if_their_records_are() {
        let owned: Block = vec![1, 2].into();
        assert_eq!(owned, Block::shared(Bytes::from_static(&[1, 2])));
        assert_ne!(owned, Block::shared(Bytes::from_static(&[1, 3])));
        assert_eq!(format!("{owned:?}"), "[1, 2]");
    }
}
