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
