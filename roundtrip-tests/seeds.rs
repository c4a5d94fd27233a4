//! Names and rules that a comparison with the format specs asked for, one test for each: shown by name, set by name or number, and
//! preserved without a name.

mod others;
mod zipper;
