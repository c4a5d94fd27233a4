//! Output: files that are written atomically, and text that is safe for a terminal.

#![cfg_attr(
    not(feature = "exchange"),
    allow(dead_code, unreachable_pub, reason = "some is used only by what other features build")
)]

#[cfg(feature = "exchange")]
mod atomic;
#[cfg(feature = "exchange")]
pub mod cleanup;
mod names;
pub mod printable;
#[cfg(any(feature = "exchange", feature = "export"))]
pub mod refusal;

#[cfg(feature = "exchange")]
pub use atomic::create_like;
pub use names::PREFIX;
pub use names::{name_of, parts, plain_name};
#[cfg(feature = "exchange")]
pub use {
    atomic::{
        back_up, can_replace, can_write_to, folder_of, is_one_place, is_stdout, write, write_and, write_by,
        write_pieces_and,
    },
    cleanup::end_writing,
};
