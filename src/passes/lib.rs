//! Passes over a model. Each is a [`Visitor`](field::Visitor).

mod census;
mod check;
mod counts;
pub mod damage;
mod encodings;
mod find;
mod map;
mod names;
mod proof;
mod several;
pub mod spoiled;
mod strings;
mod strip;
pub mod zeros;

pub use census::Census;
pub use check::{Check, Deviation, Followed, Rules};
pub use counts::Counts;
pub use encodings::Encodings;
pub use find::Find;
pub use kind::{Span, SpanFinder, Spans, spans};
pub use map::{Extent, Locate, Map, Stretch};
pub use names::{NameAt, names};
pub use proof::{Hashing, Proof, Receiver, Sha};
pub use several::{Nobody, Several};
pub use spoiled::extra;
pub use strings::Strings;
pub use strip::{Strip, Stripping};
