//! The library for the page: files are opened, shown, changed and proven in memory. [`js`] has the calls from JavaScript.

#![deny(unsafe_code)]

pub mod certify;
pub mod change;
pub mod compare;
pub mod js;
pub mod open;
pub mod save;
pub mod see;
pub mod still;
pub mod verify;
