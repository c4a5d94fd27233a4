//! Passes over a model. Each is a [`Visitor`](crate::field::Visitor).

mod census;
mod check;
mod counts;
pub(crate) mod damage;
mod encodings;
mod entries;
mod find;
mod map;
mod names;
mod proof;
#[cfg(feature = "exchange")]
mod several;
pub(crate) mod spoiled;
mod strings;
mod strip;
pub(crate) mod zeros;

pub use census::Census;
pub use check::{Check, Deviation, Followed, Rules};
pub use counts::Counts;
pub use encodings::Encodings;
#[cfg(feature = "exchange")]
pub(crate) use entries::SpanFinder;
pub use entries::{Span, Spans, spans};
pub use find::Find;
pub use map::{Extent, Locate, Map, Stretch};
pub use names::{NameAt, names};
#[cfg(feature = "mods")]
pub(crate) use proof::Hashing;
pub use proof::{Proof, Receiver, Sha};
#[cfg(feature = "exchange")]
pub(crate) use several::{Nobody, Several};
pub use spoiled::extra;
pub use strings::Strings;
pub use strip::Strip;
pub(crate) use strip::Stripping;
