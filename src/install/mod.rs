//! Installs: the games and editions in a folder, what is missing in them or different, and lists of their files.

pub mod aurora;
#[cfg(feature = "install")]
pub mod certificate;
#[cfg(feature = "install")]
mod found;
#[cfg(feature = "install")]
pub mod known;
pub mod marathon;
#[cfg(feature = "install")]
mod places;
#[cfg(feature = "install")]
pub mod snapshot;
pub mod zipper;

#[cfg(feature = "install")]
use found::utf8;
#[cfg(feature = "install")]
pub use found::{Found, JOURNAL, files, is_readable, lossless, walk};
