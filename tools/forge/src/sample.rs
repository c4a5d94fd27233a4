//! Samples of all kinds.

use crate::{
    anim, applesingle, archive, avi, bm, film, gamez, interp, macbinary, mdl, mechlib, messages, motion, nwn, physics,
    picture, reader, resources, rof, save, shapes, sounds, text_reader, texture, wad, wave, zmap,
};

/// The size class of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As small as the structure allows, usually less than 1 KB: for tests that visit every byte.
    Tiny,
    /// 1 to 60 KB.
    Small,
    /// Retail size, up to 80 MB. Traps are built as for [`Size::Small`], because a larger size does not make them harder.
    Retail,
}

/// A file that must be read and written back bit for bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// File name with extension, unique among the samples of all kinds.
    pub name: String,
    /// The kind, as named in the registry of the library.
    pub kind: &'static str,
    /// The games that it can belong to: `rc mw pm cs nwn m1 m2 mi`.
    pub games: &'static [&'static str],
    /// The file.
    pub bytes: Vec<u8>,
    /// The unusual property in words, or `None` for an ordinary file.
    pub trap: Option<&'static str>,
    /// `true` if a reader must report a deviation: an unexpected reserved or derived value, a broken documented rule, gaps or trailing
    /// bytes. Also `true` for a wrapper of such a file.
    pub deviates: bool,
}

/// A change that turns an ordinary file into a trap.
pub(crate) struct Trap<Spec> {
    /// File name with extension.
    pub(crate) name: &'static str,
    /// The unusual property in words.
    pub(crate) words: &'static str,
    /// `true` if a reader must report it.
    pub(crate) deviates: bool,
    /// Applies the change.
    pub(crate) edit: fn(&mut Spec),
}

/// Returns a trap that breaks no documented rule.
pub(crate) const fn kept<Spec>(name: &'static str, words: &'static str, edit: fn(&mut Spec)) -> Trap<Spec> {
    Trap { name, words, deviates: false, edit }
}

/// Returns a trap that a reader must report.
pub(crate) const fn reported<Spec>(name: &'static str, words: &'static str, edit: fn(&mut Spec)) -> Trap<Spec> {
    Trap { name, words, deviates: true, edit }
}

impl Sample {
    /// Builds the file of a spec, with a trap if there is one.
    pub(crate) fn of<Spec>(
        name: &str,
        kind: &'static str,
        games: &'static [&'static str],
        mut spec: Spec,
        trap: Option<&Trap<Spec>>,
        build: fn(&Spec) -> Vec<u8>,
    ) -> Self {
        trap.inspect(|trap| (trap.edit)(&mut spec));
        Self {
            name: name.into(),
            kind,
            games,
            bytes: build(&spec),
            trap: trap.map(|trap| trap.words),
            deviates: trap.is_some_and(|trap| trap.deviates),
        }
    }
}

impl Size {
    /// Returns the size class of traps.
    pub(crate) fn of_traps(self) -> Self {
        if self == Self::Tiny { Self::Tiny } else { Self::Small }
    }
}

/// A file that must be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// File name with extension, unique among the broken files of all kinds; extensions are those of the kind.
    pub name: String,
    /// The kind that it resembles.
    pub kind: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// The reason that it cannot be laid out, in words.
    pub why: String,
}

impl Broken {
    /// Creates a file that cannot be laid out, for this reason.
    pub(crate) fn new(kind: &'static str, name: &str, bytes: Vec<u8>, why: &str) -> Self {
        Self { name: name.into(), kind, bytes, why: why.into() }
    }
}

/// Returns the file cut at each of the offsets, with a description of the place.
pub(crate) fn cuts(kind: &'static str, extension: &str, file: &[u8], offsets: &[(usize, &str)]) -> Vec<Broken> {
    let cut = |&(offset, place): &(usize, &str)| {
        let name = format!("cut_{}.{extension}", place.replace(' ', "_"));
        Broken::new(kind, &name, file[..offset].to_vec(), &format!("the file ends {place}"))
    };
    offsets.iter().map(cut).collect()
}

/// Wrong values for 32-bit counts, lengths and offsets: the largest, the largest signed, the smallest signed.
pub(crate) const LIES: [u32; 3] = [0xFFFF_FFFF, 0x7FFF_FFFF, 0x8000_0000];

/// The samples of a kind.
type Samples = fn(u64, Size) -> Vec<Sample>;
/// The broken files of a kind.
type Brokens = fn(u64) -> Vec<Broken>;

/// All kinds.
const KINDS: &[(Samples, Brokens)] = &[
    (motion::samples, motion::broken),
    (zmap::samples, zmap::broken),
    (wad::samples, wad::broken),
    (physics::samples, physics::broken),
    (film::samples, film::broken),
    (macbinary::samples, macbinary::broken),
    (applesingle::samples, applesingle::broken),
    (resources::samples, resources::broken),
    (picture::samples, picture::broken),
    (sounds::samples, sounds::broken),
    (sounds::patches, sounds::broken_patches),
    (shapes::samples, shapes::broken),
    (shapes::patches, |_| vec![]),
    (shapes::levels, |_| vec![]),
    (archive::samples, archive::broken),
    (wave::samples, wave::broken),
    (reader::samples, reader::broken),
    (text_reader::samples, |_| vec![]),
    (interp::samples, interp::broken),
    (texture::samples, texture::broken),
    (rof::samples, rof::broken),
    (bm::samples, bm::broken),
    (avi::samples, avi::broken),
    (save::samples, |_| vec![]),
    (messages::samples, messages::broken),
    (anim::samples, anim::broken),
    (mdl::samples, mdl::broken),
    (nwn::samples, nwn::broken),
    (gamez::samples, gamez::broken),
    (mechlib::samples, |_| vec![]),
];

/// Returns ordinary files and all traps, of every kind and every game.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    KINDS.iter().flat_map(|(samples, _)| samples(seed, size)).collect()
}

/// Returns files that must be refused, of every kind.
pub fn broken(seed: u64) -> Vec<Broken> {
    KINDS.iter().flat_map(|(_, broken)| broken(seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Sample, Size, broken, samples};

    fn twins(mut names: Vec<String>) -> Vec<String> {
        names.sort();
        names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect()
    }

    #[test]
    fn names_are_unique() {
        for size in [Size::Tiny, Size::Small] {
            assert_eq!(twins(samples(1, size).into_iter().map(|sample| sample.name).collect()), [""; 0]);
        }
        assert_eq!(twins(broken(1).into_iter().map(|broken| broken.name).collect()), [""; 0]);
    }

    #[test]
    fn same_seed_gives_the_same_bytes() {
        assert_eq!(samples(1, Size::Tiny), samples(1, Size::Tiny));
        assert_eq!(samples(1, Size::Small), samples(1, Size::Small));
        assert_eq!(broken(1), broken(1));
        assert_ne!(samples(1, Size::Tiny), samples(2, Size::Tiny));
    }

    #[test]
    fn samples_fit_their_size_class() {
        let tiny = samples(1, Size::Tiny);
        assert!(tiny.iter().filter(|sample| sample.bytes.len() < 1024).count() * 2 > tiny.len());
        let too_large = |samples: Vec<Sample>, most: usize| -> Vec<String> {
            let most = |sample: &Sample| match &*sample.name {
                // A saved game of Crimson Skies has one record of 10,820 bytes.
                "Mission.102.sav" => most.max(14 * 1024),
                // The length of a string in a script has 16 bits.
                "ncs_longest.ncs" => 66 * 1024,
                _ => most,
            };
            let large = samples.into_iter().filter(|sample| sample.bytes.len() >= most(sample));
            large.map(|sample| format!("{}: {} bytes", sample.name, sample.bytes.len())).collect()
        };
        assert_eq!(too_large(tiny, 9 * 1024), [""; 0]);
        assert_eq!(too_large(samples(1, Size::Small), 60 * 1024), [""; 0]);
    }

    #[test]
    fn every_broken_file_has_a_reason() {
        assert!(broken(1).iter().all(|broken| !broken.why.is_empty()));
    }
}
