//! Output: files that are written atomically, and text that is safe for a terminal.

#[cfg(feature = "exchange")]
mod file;
pub mod printable;
#[cfg(feature = "exchange")]
pub(crate) mod staged;

#[cfg(feature = "exchange")]
pub(crate) use file::PREFIX;
#[cfg(feature = "exchange")]
pub use {
    file::{back_up, folder_of, is_one_place, write, write_and},
    staged::end_writing,
};
