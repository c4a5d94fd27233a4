//! bitexact

pub mod census;
pub mod check;
pub mod field;
pub mod find;
pub mod foreign;
pub mod format;
pub mod install;
pub mod jobs;
pub mod map;
pub mod marathon;
pub mod proof;
pub mod registry;
pub mod show;
pub mod verify;
pub mod zipper;

/// What the expansions of [`record!`], [`flags!`] and [`names!`] call.
#[doc(hidden)]
pub mod macros {
    pub use binrw;
    pub use bitflags::{Flag, Flags};
    pub use bytemuck::{Pod, Zeroable, bytes_of, bytes_of_mut};

    /// All bits zero.
    #[must_use]
    pub fn zeroed<T: Zeroable>() -> T {
        T::zeroed()
    }

    /// A record in its bytes.
    #[must_use]
    pub fn view<T: Pod>(bytes: &[u8]) -> Option<&T> {
        bytemuck::try_from_bytes(bytes).ok()
    }

    /// A value from its bytes.
    #[must_use]
    pub fn read_pod<T: Pod>(bytes: &[u8]) -> Option<T> {
        bytemuck::try_pod_read_unaligned(bytes).ok()
    }

    /// Writes a value into a buffer of its size.
    pub fn put<T: Pod>(value: &T, out: &mut [u8]) {
        let bytes = bytemuck::bytes_of(value);
        if out.len() == bytes.len() {
            out.copy_from_slice(bytes);
        }
    }

    /// Writes the names of the bits that are set.
    ///
    /// # Errors
    /// Those of the formatter.
    pub fn write_flags<F: Flags>(flags: &F, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result
    where
        F::Bits: bitflags::parser::WriteHex,
    {
        bitflags::parser::to_writer(flags, f)
    }
}
