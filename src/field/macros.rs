//! Functions for the expansions of [`record!`](crate::record!), [`flags!`](crate::flags!) and [`names!`](crate::names!).

#[cfg(feature = "binrw")]
pub use binrw;
pub use bitflags::{Flag, Flags};
pub use bytemuck::{self, Pod, Zeroable, bytes_of, bytes_of_mut};

pub use super::cast::put;
pub use super::names::{load_flags, load_name, put_flags};
pub use super::number::{I16, I16be, I32, U8, U16, U16be, U32, U32be};
pub use super::table::{StoresLength, StoresOffset};

/// Returns a value of zeros.
#[must_use]
pub fn zeroed<T: Zeroable>() -> T {
    T::zeroed()
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

/// Writes the names of the set bits.
///
/// # Errors
/// Returns an error if the formatter does.
pub fn write_flags<F: Flags>(flags: &F, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result
where
    F::Bits: bitflags::parser::WriteHex,
{
    bitflags::parser::to_writer(flags, f)
}
