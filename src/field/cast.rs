//! Values of fixed size as their bytes.

use core::slice;

use bytemuck::{NoUninit, Pod};

/// Returns the bytes of a value. Unlike [`bytemuck::bytes_of`], it has no code for what cannot happen, of which every type would have a copy.
#[must_use]
pub fn bytes_of<T: NoUninit>(value: &T) -> &[u8] {
    bytemuck::must_cast_slice(slice::from_ref(value))
}

/// Returns the bytes of a value, to change them.
pub fn bytes_of_mut<T: Pod>(value: &mut T) -> &mut [u8] {
    bytemuck::must_cast_slice_mut(slice::from_mut(value))
}

/// Writes a value to a buffer of its size.
pub fn put<T: NoUninit>(value: &T, out: &mut [u8]) {
    let bytes = bytes_of(value);
    if out.len() == bytes.len() {
        out.copy_from_slice(bytes);
    }
}

/// Returns a record from its bytes, without a copy.
#[must_use]
pub fn view<T: Pod>(bytes: &[u8]) -> Option<&T> {
    bytemuck::try_from_bytes(bytes).ok()
}

/// Returns a value from its bytes.
#[must_use]
pub fn read_pod<T: Pod>(bytes: &[u8]) -> Option<T> {
    bytemuck::try_pod_read_unaligned(bytes).ok()
}

/// Returns the value at the beginning of some bytes.
#[must_use]
pub fn read_head<T: Pod>(bytes: &[u8]) -> Option<T> {
    split_head(bytes).map(|(value, _)| value)
}

/// Returns the value that some bytes begin with, and the bytes after it.
#[must_use]
pub fn split_head<T: Pod>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let (value, rest) = bytes.split_at_checked(size_of::<T>())?;
    Some((read_pod(value)?, rest))
}
