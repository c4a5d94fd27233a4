//! Ordinary archives.

use super::traps::traps;
use super::{Content, Entry, Spec, build};
use crate::bytes::field;
use crate::random::Random;
use crate::wave::{self, Format, Sound};
use crate::{Sample, Size};
use crate::{motion, reader};

/// The end of a table entry is often leftover memory: one in this many entries has it.
const STALE: u32 = 6;

const NAMES: [&str; 12] = [
    "footfall", "engine", "laser", "missile", "ambient", "explode", "bett", "radio", "water", "gravel", "dropship",
    "jumpjet",
];
const MECHS: [&str; 8] = ["thor", "orion", "strider", "annihilator", "vulture", "bushwacker", "madcat", "firefly"];
const MOTIONS: [&str; 7] = ["walk", "stand", "landf", "fall", "getup", "turn", "run"];

/// Returns a typical entry of the packer, from a file below `folder`.
pub(super) fn entry(random: &mut Random, folder: &str, name: &str, data: Vec<u8>) -> Entry {
    let mut entry = Entry {
        flags: 2,
        comment: field(format!("c:\\{folder}\\{name}").as_bytes(), b""),
        time: 0x01BE_0000_0000_0000 + (random.draw() >> 16),
        ..Entry::new(name.as_bytes(), data)
    };
    if random.below(STALE) == 0 {
        entry.flags = random.draw() as u32;
        entry.comment = random.garbage(64).try_into().expect("64 bytes");
        entry.time = random.draw();
    }
    entry
}

/// Returns `count` sounds, limited in length. One in 15 repeats an earlier one under its name, as in MechWarrior 3.
pub fn sounds(random: &mut Random, version: u32, formats: &[Format], count: usize, longest: i32) -> Spec {
    let noise = wave::noise(random);
    let mut entries: Vec<Entry> = vec![];
    for at in 0..count {
        if at % 15 == 14 {
            let earlier = entries[at / 2].clone();
            entries.push(earlier);
            continue;
        }
        let length = random.between(longest / 20, longest) as usize;
        let format = formats[random.below(formats.len() as u32) as usize].clone();
        let block = usize::from(format.block_align);
        let cues = if random.below(12) == 0 { 3 } else { 0 };
        let sound = Sound { format, length: length.next_multiple_of(block), cues };
        let data = wave::build(&wave::ordinary(random, &noise, &sound));
        let name = format!("{}_{at:02}.wav", random.one_of(&NAMES));
        entries.push(entry(random, "sounds", &name, data));
    }
    Spec::new(version, Content::Sounds, entries)
}

/// Returns `count` reader files.
pub fn readers(random: &mut Random, version: u32, size: Size, count: usize) -> Spec {
    let names = ["objectives", "ai", "aiv", "net_01", "weapons", "vehicle", "hud", "detail", "fmv", "sounds"];
    let entry = |at: usize| {
        let name = names.get(at).map_or_else(|| format!("dfn_{at:02}.zrd"), |name| format!("{name}.zrd"));
        let data = reader::build(&reader::ordinary(random, size));
        entry(random, "zrdr", &name, data)
    };
    Spec::new(version, Content::Readers, (0..count).map(entry).collect())
}

/// Returns `count` motions.
pub fn motions(random: &mut Random, version: u32, size: Size, count: usize) -> Spec {
    let entry = |at: usize| {
        let again = match at / MOTIONS.len() / MECHS.len() {
            0 => String::new(),
            times => times.to_string(),
        };
        let name = format!("{}_{}{again}", MECHS[at / MOTIONS.len() % MECHS.len()], MOTIONS[at % MOTIONS.len()]);
        let frames = random.between(1, 28) as u32;
        let data = motion::build(&motion::ordinary(random, size, frames));
        entry(random, "motion", &name, data)
    };
    Spec::new(version, Content::Motions, (0..count).map(entry).collect())
}

/// Returns the games that have archives of this version. Source: zipper-archives.md, section 1.
pub(super) fn games(spec: &Spec) -> &'static [&'static str] {
    match (spec.version, spec.content) {
        (2, _) => &["pm"],
        (_, Content::Motions) => &["mw"],
        _ => &["rc", "mw", "cs"],
    }
}

/// Returns archives of a size class, ordinary ones first.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, make: &dyn Fn(&mut Random) -> Spec| {
        let spec = make(&mut Random::named(seed, name));
        Sample {
            name: name.into(),
            kind: "archive",
            games: games(&spec),
            bytes: build(&spec),
            trap: None,
            deviates: false,
        }
    };
    let [high, low] = [(22050, 16), (11025, 8)]
        .map(|(rate, bits)| [Format::pcm(1, rate, bits), Format::pcm(2, rate, bits), Format::pcm(1, rate, 8)]);
    let compressed = [
        Format::ms_adpcm(1, 11025, 256),
        Format::ms_adpcm(1, 22050, 512),
        Format::ms_adpcm(2, 22050, 1024),
        Format::ima_adpcm(1, 11025, 256),
        Format::pcm(1, 11025, 8),
    ];
    // The number of sounds in a retail archive, and the maximum length of each.
    let sounds = |name, version, formats: &[Format], retail, longest| {
        let (count, longest) = match size {
            Size::Tiny => (2, 20),
            Size::Small => (15, longest / 60),
            Size::Retail => (retail, longest),
        };
        sample(name, &|random| sounds(random, version, formats, count, longest))
    };
    let readers = |name, version, retail| {
        let count = match size {
            Size::Tiny => 2,
            Size::Small => 6,
            Size::Retail => retail,
        };
        sample(name, &|random| readers(random, version, size, count))
    };
    let motions = |name, version| {
        let count = match size {
            Size::Tiny => 2,
            Size::Small => 5,
            // Source: vectors-rc-mw-pm.md, section 5.
            Size::Retail => 258,
        };
        sample(name, &|random| motions(random, version, size, count))
    };
    let ordinary = [
        sounds("rc_soundsl.zbd", 1, &low, 281, 30_000),
        sounds("rc_soundsm.zbd", 1, &low, 281, 40_000),
        sounds("rc_soundsh.zbd", 1, &high, 281, 60_000),
        sounds("mw_soundsL.zbd", 1, &low, 999, 20_000),
        // 80 MB.
        sounds("mw_soundsH.zbd", 1, &high, 999, 152_000),
        sounds("pm_soundsL.zbd", 2, &low, 500, 20_000),
        sounds("pm_soundsH.zbd", 2, &high, 500, 40_000),
        sounds("cs_soundsl.zbd", 1, &compressed, 2520, 6_000),
        sounds("cs_soundsh.zbd", 1, &compressed, 2521, 12_000),
        readers("rc_zrdr.zbd", 1, 20),
        readers("rc_m1_zrdr.zbd", 1, 149),
        readers("mw_reader.zbd", 1, 100),
        readers("mw_c1_reader.zbd", 1, 10),
        readers("mw_c1_readerm1.zbd", 1, 10),
        readers("pm_reader.zbd", 2, 100),
        readers("pm_c1_reader.zbd", 2, 10),
        readers("pm_c1_readerm1.zbd", 2, 10),
        readers("cs_zrdr.zbd", 1, 221),
        readers("cs_m01_zrdr.zbd", 1, 10),
        motions("mw_motion.zbd", 1),
        motions("pm_motion.zbd", 2),
    ];
    ordinary.into_iter().chain(traps(seed, size.of_traps())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Size, samples};

    /// Source: zipper-sounds.md, section 2, for the number of entries.
    #[test]
    fn retail_sounds_have_the_retail_size() {
        let samples = samples(1, Size::Retail);
        let sounds = &samples.iter().find(|sample| sample.name == "mw_soundsH.zbd").expect("the sample is there").bytes;
        assert!((70_000_000..90_000_000).contains(&sounds.len()));
        assert_eq!(sounds[sounds.len() - 8..], [1, 0, 0, 0, 0xE7, 0x03, 0, 0]);
    }
}
