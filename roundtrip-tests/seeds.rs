//! Names and rules that a comparison with the format specs asked for, one test for each.

mod zipper;
