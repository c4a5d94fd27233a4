//! One text for both directions: [`lay!`] compiles the functions that lay a structure twice.
//!
//! A structure is filled through `&mut` and walked through `&`, and nothing but this tells the two functions apart. So
//! both are one text: where it says `at!`, the function that builds has `&mut`, and the function that walks has `&`. What
//! walks a model cannot change it: the compiler sees to that.

mod here;
mod judge;
mod parts;

/// Compiles the functions that lay a structure twice: once to build a model, from a file or from its exchange form, and once
/// to walk it.
///
/// `at!(self.head)` is `&mut self.head` in the one and `&self.head` in the other; `at!(Self)` is the type of that. `Tape` is
/// the tape that builds ([`build::Tape`]) or the one that walks ([`walk::Tape`]), and `Lay` and `LayBy` are its traits. Both
/// tapes have methods of the same names for everything that a structure can name; those that only one of them has
/// something to do for, such as [`build::Tape::choose`], take closures.
///
/// What belongs here: implementations of `Lay` and `LayBy`, functions that only they call, and methods of `Tape` that other
/// files call. A file has one `lay!`.
///
/// [`build::Tape`]: crate::field::build::Tape
/// [`build::Tape::choose`]: crate::field::build::Tape::choose
/// [`walk::Tape`]: crate::field::walk::Tape
#[macro_export]
macro_rules! lay {
    ($($item:item)*) => {
        #[allow(clippy::needless_arbitrary_self_type, clippy::into_iter_on_ref, clippy::ptr_arg, reason = "`at!` says which reference it is")]
        mod build {
            #[allow(unused_imports, reason = "not every text names all of them")]
            use super::*;
            #[allow(unused_imports, reason = "not every text names all of them")]
            use $crate::field::build::{Lay, LayBy, Tape, at};
            $($item)*
        }

        #[allow(clippy::needless_arbitrary_self_type, clippy::into_iter_on_ref, clippy::ptr_arg, reason = "`at!` says which reference it is")]
        #[allow(unused_mut, reason = "what builds takes `&mut` of variables too")]
        mod walk {
            #[allow(unused_imports, reason = "not every text names all of them")]
            use super::*;
            #[allow(unused_imports, reason = "not every text names all of them")]
            use $crate::field::walk::{Lay, LayBy, Tape, at};
            $($item)*
        }
    };
}
pub use crate::lay;
pub(crate) use judge::Judge;
