//! The vocabulary: records, the tape, layout tables, places, errors, limits. Nothing here knows a game.

mod block;
mod coding;
mod error;
mod json;
mod json_text;
mod layout;
pub mod limits;
mod load;
pub mod memory;
mod names;
mod number;
mod pad;
mod place;
mod print;
mod raw;
mod record;
mod spread;
mod tape;
#[cfg(test)]
mod tests;
mod text;
mod visit;

pub use block::Block;
pub use coding::{Coding, Tell};
pub use error::{Error, Fault, Result};
pub use json::{Json, Members};
pub use json_text::{At, JsonText, Member, parse, unmarked};
pub use layout::{Class, Field, Item, Layout, Leaf, Record, Rule, Shape, Shaped, Tail};
pub use load::{Kept, Loaded, Loading, Misfit, Settled};
pub use names::{Truth, load_flags, load_name, print_flags, show_flags};
pub use number::{F32, FileTime, I16, I16be, I32, I32be, U8, U16, U16be, U32, U32be, Whole};
pub use pad::Pad;
pub use place::{Label, Place, Row, Step};
pub use print::{Print, put_encoded, put_float, put_hex, put_json, put_name, put_text, put_whole};
pub use raw::{FourCc, Opaque, Padding, Stale, hex, quote, unhex};
pub use spread::{PIECES, Part, Places, Spread};
pub use tape::{
    Content, Decoded, Deviating, Document, Documents, Given, Lay, Media, Piece, Settlement, Tape, Told, Undecoded,
    Which, counts, decode, decode_within, edit, encode, load, load_text, settle, size, visit, wide,
};
pub use text::{Mac, Pascal, Style, Text, Windows, decode as decode_text, encode as encode_text};
pub use visit::{Datum, Detail, Group, Owner, Payload, Run, Visitor, What};
