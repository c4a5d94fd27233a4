//! The vocabulary of formats: records, the tape, layout tables, places, errors, limits. It is independent of the games.

// The macros refer to the crate by the name of the one that users depend on, also inside it.
extern crate self as bitexact;
// Examples name it as users do, `bitexact::field`.
#[doc(hidden)]
pub extern crate self as field;

mod address;
mod arrangement;
mod block;
pub mod build;
mod cast;
mod code_page;
mod codec;
mod count;
mod decimal;
mod direction;
pub mod driver;
mod effort;
mod error;
pub mod fixed;
mod hex;
mod lay;
mod layout;
mod lazy_list;
pub mod limits;
#[doc(hidden)]
pub mod macros;
pub mod memory;
mod names;
mod nth;
mod number;
pub mod packed;
mod pad;
mod payload;
mod place;
mod raw;
mod record;
mod referents;
mod show;
mod sink;
mod spot;
mod table;
mod tape;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod thresholds;
mod value;
mod visit;
pub mod walk;
mod wide;
mod words;
pub mod work;

/// Has the methods of the types that [`flags!`](crate::flags!) declares.
pub use bitflags::Flags;

pub use address::Address;
pub use arrangement::{Arrangement, PIECES, Places};
pub use block::Block;
pub use cast::{bytes_of, bytes_of_mut};
pub use code_page::{CodePage, GAME_TEXT, MACINTOSH, WINDOWS_1252};
pub use codec::{Codec, LoadError, Loaded, Merge, PartOf, ReplacedField, Tell};
pub use count::{Count, as_read};
pub use decimal::{as_single, float_of_bits, near_single, single};
pub use direction::Direction;
#[doc(hidden)]
pub use effort::passes;
pub use error::{Error, Fault, Result};
pub use hex::{hex, quote, unhex};
pub use layout::{Class, Expected, Field, Item, Layout, Leaf, Record, Rule, Shape, Shaped, Tail, Takes, Template};
pub use lazy_list::{LazyItem, LazyList, pieces};
pub use names::Truth;
pub use nth::Nth;
pub use number::whole_f32;
pub use number::{
    F32, F32be, FileTime, Fixed16be, I16, I16be, I32, I32be, Integer, U8, U16, U16be, U32, U32be, UnsignedFixed16be,
};
pub use pad::Pad;
pub use payload::Payload;
pub use place::{DescribedIn, Label, Place, Step};
pub use raw::{FourCc, Opaque, Padding, Stale};
pub use referents::{Referents, Roster};
pub use sink::{Nest, Sink, Source};
pub use spot::Spot;
pub use table::Table;
pub use tape::{Change, Decoded, Lay, LayBy, Tape, Undecoded, change, decode, decode_within, drive};
pub use text::{Mac, Pascal, Style, Text, TextError, Windows, decode as decode_text, encode as encode_text, first_nul};
pub use thresholds::Thresholds;
pub use value::{Members, Value};
pub use visit::{Datum, Detail, Group, Owner, Run, Visitor, What};
pub use walk::{Judge, encode, size, sizes, visit};
pub use wide::wide;
pub use words::{WORDS, are_whole as are_whole_words};
