//! Functions for the expansions of [`record!`](crate::record!), [`flags!`](crate::flags!) and [`names!`](crate::names!).

#[cfg(feature = "binrw")]
pub use binrw;
pub use bitflags::{Flag, Flags};
pub use bytemuck::{self, Pod, Zeroable, bytes_of, bytes_of_mut};

pub use super::cast::{put, read_head, read_pod, split_head, view};
pub use super::names::{load_flags, load_name, put_flags};
pub use super::number::{I16, I16be, I32, U8, U16, U16be, U32, U32be};
pub use super::table::{StoresLength, StoresOffset};

/// Returns a value of zeros.
#[must_use]
pub fn zeroed<T: Zeroable>() -> T {
    T::zeroed()
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
