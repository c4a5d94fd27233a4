//! Types and limits that several formats of the engine have.

use field::F32;

/// The maximum total length of the data of all entries or fields, in multiples of the size of the file. Several can share theirs, and JSON
/// shows them once for each: without this limit, a small file would take any amount of memory.
pub(super) const SHARED: u64 = 8;

/// Returns the part of some values in a range that was found in them; it is empty if the range ends after them.
pub(super) fn part<T>(of: &[T], range: impl core::slice::SliceIndex<[T], Output = [T]>) -> &[T] {
    of.get(range).unwrap_or_default()
}

/// A point, direction or color: x, y, z or r, g, b.
pub type Vec3 = [F32; 3];

/// Texture coordinates.
pub type Vec2 = [F32; 2];

/// A rotation: w, x, y, z.
pub type Quaternion = [F32; 4];

/// Returns `true` if a file begins as text files of the engine do: with a letter, a space or a remark after `#`.
pub(super) fn is_text(file: &[u8]) -> bool {
    file.first().is_some_and(|byte| matches!(byte, b'#' | b'\t' | b'\r' | b'\n' | b' ') || byte.is_ascii_alphabetic())
}
