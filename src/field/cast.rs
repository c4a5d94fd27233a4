//! Values of fixed size as their bytes.

use core::slice;

use bytemuck::{NoUninit, Pod};

/// Returns the bytes of a value. Unlike [`bytemuck::bytes_of`], it has no code for what cannot happen, of which every type would have a copy.
#[must_use]
pub(crate) fn bytes_of<T: NoUninit>(value: &T) -> &[u8] {
    bytemuck::must_cast_slice(slice::from_ref(value))
}

/// Returns the bytes of a value, to change them.
pub(crate) fn bytes_of_mut<T: Pod>(value: &mut T) -> &mut [u8] {
    bytemuck::must_cast_slice_mut(slice::from_mut(value))
}
