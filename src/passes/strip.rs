//! The owners of the bytes along a file, for a picture.

use field::Class;

use super::Census;

/// The number of equal parts into which a file is divided.
const PARTS: u64 = 128;

/// The class that owns the most bytes of each part of a file, from its beginning to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// The classes of up to 128 parts of equal size.
    pub parts: Vec<Class>,
}

/// Counts the bytes of the parts of a file.
#[derive(Debug)]
pub struct Stripping {
    size: u64,
    parts: Vec<Census>,
}

impl Stripping {
    /// Divides a file of this size.
    pub fn of(size: u64) -> Self {
        let parts = usize::try_from(PARTS.min(size)).unwrap_or_default();
        Self { size, parts: vec![Census::default(); parts] }
    }

    /// Adds a range of bytes. If it covers several parts, each gets its share of every class.
    pub fn add(&mut self, offset: u64, bytes: u64, census: &Census) {
        let count = PARTS.min(self.size);
        let end = offset.saturating_add(bytes).min(self.size);
        let Some(last) = end.checked_sub(1) else { return };
        let part_of = |byte: u64| byte.saturating_mul(count).checked_div(self.size).unwrap_or(0);
        for part in part_of(offset)..=part_of(last) {
            // The first byte of a part is the first that belongs to it.
            let begin_of = |part: u64| part.saturating_mul(self.size).div_ceil(count);
            let inside = end.min(begin_of(part.saturating_add(1))).saturating_sub(offset.max(begin_of(part)));
            let Some(sums) = usize::try_from(part).ok().and_then(|part| self.parts.get_mut(part)) else { return };
            for class in Class::ALL {
                let shares = u128::from(census.of(class)) * u128::from(inside);
                let share = shares.checked_div(bytes.into()).and_then(|share| u64::try_from(share).ok());
                sums.count(class, share.unwrap_or(0));
            }
        }
    }

    /// Returns the owners.
    pub fn finish(self) -> Strip {
        // Of several largest classes, the first one counts, so the search begins at the end.
        let owner = |sums: &Census| Class::ALL.into_iter().rev().max_by_key(|class| sums.of(*class));
        Strip { parts: self.parts.iter().filter_map(owner).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(class: Class, bytes: u64) -> Census {
        let mut census = Census::default();
        census.count(class, bytes);
        census
    }

    #[test]
    fn each_part_has_the_class_of_most_of_its_bytes() {
        let mut strip = Stripping::of(1280);
        strip.add(0, 4, &census(Class::Reserved, 4));
        strip.add(4, 640, &census(Class::Semantic, 640));
        strip.add(644, 636, &census(Class::Opaque, 636));
        let parts = strip.finish().parts;
        assert_eq!(parts.len(), 128);
        assert!(parts[..64].iter().all(|it| *it == Class::Semantic), "{parts:?}");
        assert!(parts[64..].iter().all(|it| *it == Class::Opaque), "{parts:?}");
    }

    #[test]
    fn shares_of_a_large_range_have_the_class_of_most_of_its_bytes() {
        let (mut strip, bytes) = (Stripping::of(1 << 42), 1 << 42);
        let mut of = census(Class::Semantic, bytes / 4);
        of.count(Class::Opaque, bytes / 4 * 3);
        strip.add(0, bytes, &of);
        assert!(strip.finish().parts.iter().all(|it| *it == Class::Opaque));
    }

    #[test]
    fn small_file_has_a_part_for_each_byte() {
        let mut strip = Stripping::of(3);
        strip.add(0, 2, &census(Class::Derived, 2));
        strip.add(2, 1, &census(Class::Padding, 1));
        assert_eq!(strip.finish().parts, [Class::Derived, Class::Derived, Class::Padding]);
        assert_eq!(Stripping::of(0).finish().parts, []);
    }
}
