//! What is written: files that are complete or absent, and text that a terminal can show.

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
