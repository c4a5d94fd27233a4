//! The two directions of a tape, for traits that both implement.

use super::{build, walk};

/// The direction of a tape: what `at!` makes of a type. A family can add methods to the tapes of both directions by a trait of its own
/// above this one, which a [`lay!`](crate::lay!) then implements for `Tape`.
///
/// A method that returns a part of what it is given says `where 'a: 'a`, in the trait and in its implementation: in the trait, only `At`
/// names the lifetime, so without that the two would not be declared alike.
pub trait Direction {
    /// `at!(T)`.
    type At<'a, T: ?Sized + 'a>;
}

impl Direction for build::Tape<'_> {
    type At<'a, T: ?Sized + 'a> = &'a mut T;
}

impl Direction for walk::Tape<'_> {
    type At<'a, T: ?Sized + 'a> = &'a T;
}
