//! The vocabulary: records, the tape, layout tables, places, errors, limits. Nothing here knows a game.

mod block;
mod error;
mod layout;
pub mod limits;
mod names;
mod number;
mod pad;
mod place;
mod raw;
mod record;
mod spread;
mod tape;
mod text;
mod visit;

pub use block::Block;
pub use error::{Error, Fault, Result};
pub use layout::{Class, Field, Item, Layout, Leaf, Record, Rule, Shape, Shaped, Tail};
pub use names::show_flags;
pub use number::{F32, FileTime, I16, I16be, I32, I32be, U8, U16, U16be, U32, U32be, Whole};
pub use pad::Pad;
pub use place::{Label, Place, Step};
pub use raw::{FourCc, Opaque, Padding, Stale, hex, quote};
pub use spread::{Part, Places, Spread};
pub use tape::{Decoded, Lay, Tape, Undecoded, decode, encode, size, visit, wide};
pub use text::{Mac, Pascal, Style, Text, Windows, decode as decode_text};
pub use visit::{Datum, Detail, Group, Owner, Payload, Run, Visitor, What};
