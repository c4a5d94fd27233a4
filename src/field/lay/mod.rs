//! One source for both directions: [`lay!`](crate::lay!) compiles the functions that lay out a structure twice.
//!
//! A structure is filled through `&mut` and walked through `&`, which is the only difference between the two functions. So both
//! have one source: for `at!`, the function that builds has `&mut`, and the function that walks has `&`. The compiler ensures that
//! a walk cannot change the model.

mod here;
mod parts;

/// Compiles the functions that lay out a structure twice: once to build a model, from a file or from the exchange format, and once
/// to walk it.
///
/// `at!(self.head)` is `&mut self.head` when building and `&self.head` when walking; `at!(Self)` is the type of that. `Tape` is
/// the tape that builds ([`build::Tape`]) or the one that walks ([`walk::Tape`]), `Lay` and `LayBy` are its traits, and `recast` gives a part
/// the fields of another type of its size. Both
/// tapes have methods of the same names for everything that a structure can name; methods that do something on only one of them,
/// such as [`build::Tape::choose`], take closures.
///
/// It takes implementations of `Lay` and `LayBy`, functions that only they call, and methods of `Tape` that other files call, by a trait
/// above [`Direction`]. A file has one `lay!`.
///
/// [`Direction`]: crate::Direction
/// [`build::Tape`]: crate::build::Tape
/// [`build::Tape::choose`]: crate::build::Tape::choose
/// [`walk::Tape`]: crate::walk::Tape
#[macro_export]
macro_rules! lay {
    ($($item:item)*) => {
        #[allow(clippy::needless_arbitrary_self_type, clippy::into_iter_on_ref, clippy::ptr_arg, reason = "`at!` says which reference it is")]
        mod build {
            #[allow(unused_imports, reason = "not every text names all of them")]
            use super::*;
            #[allow(unused_imports, reason = "not every text names all of them")]
            use $crate::build::{Lay, LayBy, Tape, at, recast};
            $($item)*
        }

        #[allow(clippy::needless_arbitrary_self_type, clippy::into_iter_on_ref, clippy::ptr_arg, reason = "`at!` says which reference it is")]
        #[allow(unused_mut, reason = "what builds takes `&mut` of variables too")]
        mod walk {
            #[allow(unused_imports, reason = "not every text names all of them")]
            use super::*;
            #[allow(unused_imports, reason = "not every text names all of them")]
            use $crate::walk::{Lay, LayBy, Tape, at, recast};
            $($item)*
        }
    };
}
