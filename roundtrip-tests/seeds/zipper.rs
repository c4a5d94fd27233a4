//! The formats of the Zipper games.
