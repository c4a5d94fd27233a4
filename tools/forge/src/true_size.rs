//! Files with the counts of retail files: entries, records, slots and levels as many as in the games, at least one file of every kind.
//!
//! Only the counts are true. What they count is as small as possible, so that all files together have some 20 MB and can go through every
//! law and every command.

mod marathon;
mod neverwinter;
mod zipper;

use crate::random::Random;

/// A file with the counts of a retail file.
pub struct TrueSize {
    /// File name with extension, unique among these files.
    pub name: &'static str,
    /// The kind, as named in the registry of the library.
    pub kind: &'static str,
    /// Its counts in words.
    pub counts: &'static str,
    /// The documents that state them.
    pub source: &'static str,
    make: fn(&mut Random) -> Vec<u8>,
}

impl TrueSize {
    /// Builds the file.
    pub fn bytes(&self, seed: u64) -> Vec<u8> {
        (self.make)(&mut Random::named(seed, self.name))
    }
}

/// Returns all files, by family.
pub fn true_size() -> impl Iterator<Item = &'static TrueSize> {
    [zipper::FILES, marathon::FILES, neverwinter::FILES].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::true_size;

    #[test]
    fn names_are_unique_and_sources_are_told() {
        let mut names: Vec<_> = true_size().map(|file| file.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(true_size().all(|file| file.source.contains(".md, ") && !file.counts.is_empty()));
    }

    /// Counts that stand at a known place of the file.
    #[test]
    fn files_have_their_counts() {
        let word = |name: &str, from_end: bool, at: usize| {
            let bytes = true_size().find(|file| file.name == name).expect(name).bytes(7);
            let at = if from_end { bytes.len() - at } else { at };
            u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
        };
        for (name, from_end, at, count) in [
            ("mw_soundsH.zbd", true, 4, 1003),
            ("cs_soundsh.zbd", true, 4, 2521),
            ("mw_motion.zbd", true, 4, 258),
            ("mw_mechlib.zbd", true, 4, 58),
            ("rc_m1_gamez.zbd", false, 24, 16_000),
            ("cs_c5_gamez.zbd", false, 28, 11_438),
            ("cs_interp.zbd", false, 8, 98),
            ("chitin.key", false, 12, 43_871),
            ("xp3.bif", false, 8, 12_579),
            ("xp1_templates.hak", false, 16, 3736),
            ("dialog.tlk", false, 12, 44_001),
            ("dialog.dlg", false, 12, 3044),
            ("dialog.dlg", false, 20, 14_098),
            ("largest.ncs", false, 9, 535_879_u32.swap_bytes()),
        ] {
            assert_eq!(word(name, from_end, at), count, "{name}");
        }
    }
}
