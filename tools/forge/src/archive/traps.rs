//! Archives with traps. Source: zipper-archives.md, sections 2 to 7.

use super::samples::{entry, games, motions, readers, sounds};
use super::{Content, Entry, Spec, build};
use crate::bytes::field;
use crate::checksum::{pirates_moon, pirates_moon_ending};
use crate::random::Random;
use crate::reader::{self, Value, float, list, string};
use crate::sample::{Trap, kept, reported};
use crate::wave::{self, Format};
use crate::{Sample, Size};

/// Returns the archive that traps of sounds are based on.
pub(super) fn three_sounds(random: &mut Random, version: u32, size: Size) -> Spec {
    sounds(random, version, &[Format::pcm(1, 11025, 8)], 3, if size == Size::Tiny { 20 } else { 1000 })
}

/// Returns the archive that traps of reader files are based on.
pub(super) fn three_readers(random: &mut Random, version: u32, size: Size) -> Spec {
    readers(random, version, size, 3)
}

/// Returns the archive that traps of motions are based on.
pub(super) fn three_motions(random: &mut Random, version: u32, size: Size) -> Spec {
    motions(random, version, size, 3)
}

/// Returns the archive that traps of unknown files are based on.
fn three_unknown(random: &mut Random, version: u32, _: Size) -> Spec {
    let names = ["readme.txt", "table.dat", "picture.pcx"];
    let entries = names.map(|name| {
        let data = [b"\0\0", &random.garbage(30)[..]].concat();
        entry(random, "misc", name, data)
    });
    Spec::new(version, Content::Unknown, entries.into())
}

/// Builds an archive of a version.
type Base = fn(&mut Random, u32, Size) -> Spec;

/// Returns archives with traps.
pub(super) fn traps(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |base: Base, version, trap: &Trap<Spec>| {
        let mut spec = base(&mut Random::named(seed, trap.name), version, size);
        (trap.edit)(&mut spec);
        Sample {
            name: trap.name.into(),
            kind: "archive",
            games: games(&spec),
            bytes: build(&spec),
            trap: Some(trap.words),
            deviates: trap.deviates,
        }
    };
    let all: [(Base, u32, &[Trap<Spec>]); 10] = [
        (three_sounds, 1, TABLE),
        (three_sounds, 1, PLACES),
        (three_sounds, 1, SOUNDS),
        (three_sounds, 2, SOUNDS_2),
        (three_readers, 1, READERS),
        (three_readers, 2, READERS_2),
        (three_motions, 1, MOTIONS),
        (three_motions, 2, MOTIONS_2),
        (three_unknown, 1, UNKNOWN),
        (three_unknown, 2, UNKNOWN_2),
    ];
    let samples =
        all.iter().flat_map(|&(base, version, traps)| traps.iter().map(move |trap| sample(base, version, trap)));
    samples.collect()
}

/// Traps of section 2.3, in an archive of sounds.
const TABLE: &[Trap<Spec>] = &[
    kept("archive_twins.zbd", "a name twice, for equal content at two places", |spec| {
        let twin = spec.entries[0].clone();
        spec.entries.push(twin);
    }),
    kept("archive_twins_differ.zbd", "a name twice, for different content", |spec| {
        spec.entries[2].name = spec.entries[0].name;
    }),
    kept("archive_twins_case.zbd", "names that differ in case alone", |spec| {
        (spec.entries[0].name, spec.entries[1].name) = (field(b"boom.wav", b""), field(b"BOOM.WAV", b""));
    }),
    kept("archive_name_63.zbd", "a name that leaves room for its NUL only", |spec| {
        spec.entries[0].name = field(&[&b"footfall".repeat(8)[..59], b".wav"].concat(), b"");
    }),
    kept("archive_name_tail.zbd", "an older name behind the name", |spec| {
        spec.entries[0].name = field(b"a.wav", b"tfall_2s.wav");
    }),
    kept("archive_name_tail_bytes.zbd", "left-over memory behind the name", |spec| {
        spec.entries[2].name = field(b"a.wav", &[0xCD; 58]);
    }),
    kept("archive_name_marks.zbd", "names with blanks, marks and a backslash", |spec| {
        spec.entries[0].name = field(b"a b!#:%=~.wav", b"");
        spec.entries[1].name = field(b"..\\sounds\\..", b"");
    }),
    kept("archive_name_empty.zbd", "an entry without a name", |spec| spec.entries[1].name = [0; 64]),
    reported("archive_name_full.zbd", "a name that fills its 64 bytes, without a NUL", |spec| {
        spec.entries[0].name = field(&b"footfall".repeat(8), b"");
    }),
    kept("archive_comment_full.zbd", "a comment that fills its 64 bytes, without a NUL", |spec| {
        spec.entries[0].comment = field(&b"c:\\mech3\\".repeat(8)[..64], b"");
    }),
    kept("archive_comment_tail.zbd", "an older comment behind the comment", |spec| {
        spec.entries[1].comment = field(b"c:\\a", b"unds\\footfall.wav");
    }),
    kept("archive_comment_stale.zbd", "comments of left-over memory", |spec| {
        spec.entries[0].comment = [0xCD; 64];
        spec.entries[1].comment = field(b"", b"left over");
        spec.entries[2].comment = field(b"Gel\xE4nde\x01\x7F", b"\xFF");
    }),
    kept("archive_flags.zbd", "flags that nobody can explain", |spec| {
        for (entry, flags) in spec.entries.iter_mut().zip([0, 3, 0xDEAD_BEEF]) {
            entry.flags = flags;
        }
    }),
    kept("archive_times.zbd", "no time, one before all archives, and the last one that is a date", |spec| {
        for (entry, time) in spec.entries.iter_mut().zip([0, 1, 2_650_467_743_999_999_999]) {
            entry.time = time;
        }
    }),
    kept("archive_times_no_dates.zbd", "times that are no dates", |spec| {
        for (entry, time) in spec.entries.iter_mut().zip([2_650_467_744_000_000_000, 1 << 63, u64::MAX]) {
            entry.time = time;
        }
    }),
    kept("archive_blank.zbd", "no flags, no comments and no times, as the engine itself writes", |spec| {
        for entry in &mut spec.entries {
            (entry.flags, entry.comment, entry.time) = (0, [0; 64], 0);
        }
    }),
    reported("archive_length_0.zbd", "an entry without content", |spec| spec.entries[1].data.clear()),
    reported("archive_length_0_first.zbd", "a first entry without content", |spec| spec.entries[0].data.clear()),
    reported("archive_length_0_last.zbd", "a last entry without content", |spec| spec.entries[2].data.clear()),
    reported("archive_length_0_elsewhere.zbd", "an entry without content that lies at the start of the file", |spec| {
        spec.entries[1].data.clear();
        spec.entries[1].start = Some(0);
    }),
    reported("archive_length_0_within.zbd", "an entry without content that lies within another", |spec| {
        spec.entries[1].data.clear();
        spec.entries[1].start = Some(7);
    }),
    reported("archive_length_0_all_else.zbd", "one entry with content among many without", |spec| {
        let entry = Entry { data: vec![], ..spec.entries[0].clone() };
        spec.entries.splice(0..0, vec![entry; 4]);
    }),
    kept("archive_one_entry.zbd", "one entry", |spec| spec.entries.truncate(1)),
    kept("archive_many_entries.zbd", "30 entries", |spec| {
        let names = (0..30).map(|at| field(format!("s{at}.wav").as_bytes(), b""));
        let entry = Entry { data: wave::build(&wave::Spec::new(vec![])), ..spec.entries[0].clone() };
        spec.entries = names.map(|name| Entry { name, ..entry.clone() }).collect();
    }),
];

/// Traps of section 3: unusual locations in an archive of sounds.
const PLACES: &[Trap<Spec>] = &[
    reported("archive_file_order.zbd", "entries that lie in another order than the table's", |spec| {
        spec.file_order = vec![2, 0, 1]
    }),
    reported("archive_gap_before_first.zbd", "a gap before the first entry", |spec| spec.entries[0].gap = vec![0; 8]),
    reported("archive_gap_between.zbd", "a gap between two entries", |spec| spec.entries[1].gap = b"gap".into()),
    reported("archive_gap_of_1.zbd", "a gap of one byte between two entries", |spec| spec.entries[2].gap = vec![0]),
    reported("archive_gap_before_table.zbd", "a gap before the table", |spec| spec.table_gap = vec![0xFF; 5]),
    reported("archive_gap_old_table.zbd", "an old table and footer before an entry that came later", |spec| {
        spec.entries[2].gap = old_table(spec, 2);
    }),
    reported("archive_gap_old_table_last.zbd", "an old table and footer of more entries before the table", |spec| {
        let older = old_table(spec, 3);
        spec.entries.truncate(2);
        spec.table_gap = older;
    }),
    reported("archive_gaps_everywhere.zbd", "every gap at once, and another order", |spec| {
        spec.entries.iter_mut().for_each(|entry| entry.gap = vec![0x33; 7]);
        spec.table_gap = vec![0x44; 9];
        spec.file_order = vec![1, 2, 0];
    }),
    reported("archive_same_range.zbd", "two entries for the same bytes", |spec| {
        let length = spec.entries[0].data.len() as u32;
        spec.entries[2] = Entry { start: Some(0), length: Some(length), data: vec![], ..spec.entries[2].clone() };
    }),
    reported("archive_same_range_all.zbd", "nothing but entries for the same bytes", |spec| {
        let length = spec.entries[0].data.len() as u32;
        for entry in &mut spec.entries[1..] {
            (entry.start, entry.length, entry.data) = (Some(0), Some(length), vec![]);
        }
    }),
    reported("archive_reach_into_next.zbd", "an entry that reaches into the next", |spec| {
        spec.entries[0].length = Some(spec.entries[0].data.len() as u32 + 10);
    }),
    reported("archive_reach_over_all.zbd", "an entry that reaches over all others", |spec| {
        spec.entries[0].length = Some(spec.entries.iter().map(|entry| entry.data.len() as u32).sum());
    }),
    reported("archive_short.zbd", "an entry shorter than what lies there", |spec| {
        spec.entries[1].length = Some(spec.entries[1].data.len() as u32 - 2);
    }),
    reported("archive_within.zbd", "an entry within another", |spec| {
        let within = Entry { start: Some(12), length: Some(24), data: vec![], ..spec.entries[2].clone() };
        spec.entries.insert(1, within);
    }),
];

/// Returns the table and the footer of an archive of the first entries.
fn old_table(spec: &Spec, count: usize) -> Vec<u8> {
    let entries = spec.entries[..count].to_vec();
    let data = entries.iter().map(|entry| entry.data.len()).sum();
    build(&Spec { entries, ..spec.clone() }).split_off(data)
}

/// Traps of archives of sounds. Source: zipper-sounds.md, sections 1 and 3.
const SOUNDS: &[Trap<Spec>] = &[
    kept("sounds_one_byte.zbd", "18 sounds that are no sounds but a zero", |spec| {
        let entries = (0..18).map(|at| Entry {
            name: field(format!("s{at:02}.wav").as_bytes(), b""),
            data: vec![0],
            ..spec.entries[1].clone()
        });
        spec.entries.splice(1..1, entries.collect::<Vec<_>>());
    }),
    kept("sounds_and_others.zbd", "a text and a picture among sounds, the first of all entries", |spec| {
        (spec.entries[0].name, spec.entries[0].data) = (field(b"readme.txt", b""), b"Sounds\r\n".into());
        (spec.entries[2].name, spec.entries[2].data) = (field(b"a.wav", b""), b"BM\x06\0\0\0".into());
    }),
    kept("sounds_unlike_names.zbd", "sounds whose names do not say so", |spec| {
        (spec.entries[0].name, spec.entries[1].name) = (field(b"noext", b""), field(b"boom.zrd", b""));
    }),
    kept("sounds_cut.zbd", "a sound that ends within its format, which is no sound", |spec| {
        spec.entries[1].data.truncate(30)
    }),
    reported("sounds_riff_size.zbd", "a sound whose riff_size does not fit", |spec| spec.entries[1].data[4] ^= 1),
    reported("sounds_trailing.zbd", "a sound that bytes follow within its entry", |spec| {
        spec.entries[2].data.extend(b"left over");
    }),
];

/// Traps of sounds in version 2. Source: zipper-archives.md, sections 5 to 7.
const SOUNDS_2: &[Trap<Spec>] = &[
    kept("pm_sounds_one_byte.zbd", "a sound that is no sound but a zero", |spec| spec.entries[1].data = vec![0]),
    kept("pm_sounds_one_byte_alone.zbd", "one entry, and that of one byte", |spec| {
        spec.entries.truncate(1);
        spec.entries[0].data = vec![0];
    }),
    kept("pm_sounds_one_byte_each.zbd", "nothing but entries of one byte, the first a 4", |spec| {
        for (entry, byte) in spec.entries.iter_mut().zip([4, 0, 0]) {
            entry.data = vec![byte];
        }
    }),
    reported("pm_sounds_checksum.zbd", "a checksum that sounds do not have", |spec| spec.checksum = Some(0xBEEF_CAFE)),
    reported("pm_sounds_checksum_fits.zbd", "the checksum that reader files would have", |spec| {
        spec.checksum = Some(pirates_moon(spec.entries.iter().flat_map(|entry| &entry.data)));
    }),
    reported("pm_sounds_checksum_1.zbd", "one entry, and a checksum that would be a count in version 1", |spec| {
        spec.entries.truncate(1);
        spec.checksum = Some(1);
    }),
    reported("pm_sounds_checksum_largest.zbd", "one entry, and a checksum that would be too large a count", |spec| {
        spec.entries.truncate(1);
        spec.checksum = Some(u32::MAX);
    }),
    reported("pm_sounds_gap.zbd", "gaps in version 2", |spec| {
        spec.entries[0].gap = vec![0; 4];
        spec.table_gap = b"gap".into();
    }),
];

/// Traps of archives of reader files. Source: zipper-archives.md, section 7; zipper-reader.md, sections 1 and 2.
const READERS: &[Trap<Spec>] = &[
    kept("reader_names.zbd", "reader files whose names do not say so", |spec| {
        let names: [&[u8]; 3] = [b"noext", b"two.dots.zrd", b"sounds.wav"];
        spec.entries.iter_mut().zip(names).for_each(|(entry, name)| entry.name = field(name, b""));
    }),
    kept("reader_names_like_motions.zbd", "reader files that have the names of motions", |spec| {
        let names: [&[u8]; 3] = [b"thor_walk", b"orion_landf", b"strider_stand"];
        spec.entries.iter_mut().zip(names).for_each(|(entry, name)| entry.name = field(name, b""));
    }),
    kept("reader_roots.zbd", "a root of every kind", |spec| {
        let roots =
            [Value::Int(-2), float(-0.0), string(b"Bare string 1"), string(b""), list([]), list([Value::Int(4)])];
        let entry = &spec.entries[0];
        spec.entries = roots.into_iter().map(|root| Entry { data: value(root), ..entry.clone() }).collect();
    }),
    kept("reader_root_int_alone.zbd", "one entry of eight bytes", |spec| {
        spec.entries.truncate(1);
        spec.entries[0].data = value(Value::Int(i32::MAX));
    }),
    kept("reader_nested.zbd", "lists that lie deep in lists", |spec| spec.entries[1].data = reader::nested(41)),
    kept("reader_time_2.zbd", "one entry, and a time that would be the footer's version 2", |spec| {
        // Read as version 2, the table begins 4 bytes early: at the count of the empty list, with the length as a name.
        spec.entries.truncate(1);
        spec.entries[0].data = value(list([list([string(b"KEY"), list([])])]));
        spec.entries[0].time = 2 << 32 | 0x0001_2345;
    }),
    kept("reader_count_0.zbd", "a member that is no reader file, for a list in it counts less than itself", |spec| {
        let zero = Value::List { count: Some(0), values: vec![Value::Int(1)] };
        spec.entries[1].data = value(list([zero, Value::Int(2)]));
    }),
    kept("reader_tag.zbd", "a member that is no reader file, for it has a tag that no engine knows", |spec| {
        spec.entries[0].data = value(list([Value::Int(1), Value::Unknown(5)]));
    }),
    kept("reader_and_others.zbd", "a text among reader files, so that the archive is of no kind", |spec| {
        (spec.entries[1].name, spec.entries[1].data) = (field(b"readme.txt", b""), b"(not a list)".into());
    }),
    reported("reader_trailing.zbd", "a member in which bytes follow the value", |spec| {
        spec.entries[1].data.extend(b"left over");
    }),
    reported("reader_within.zbd", "an entry for a list within another entry", |spec| {
        let inner =
            Entry { start: Some(8), length: Some(spec.entries[0].data.len() as u32 - 8), ..spec.entries[0].clone() };
        spec.entries.push(Entry { name: field(b"inner.zrd", b""), data: vec![], ..inner });
    }),
];

/// Traps of archives of reader files in version 2. Source: zipper-archives.md, sections 5 and 7.
const READERS_2: &[Trap<Spec>] = &[
    kept("pm_reader_names.zbd", "reader files whose names do not say so, under their checksum", |spec| {
        let names: [&[u8]; 3] = [b"noext", b"two.dots.zrd", b"thor_walk"];
        spec.entries.iter_mut().zip(names).for_each(|(entry, name)| entry.name = field(name, b""));
    }),
    kept("pm_reader_crc_is_0.zbd", "content whose checksum is 0", |spec| end_in_crc(spec, 0)),
    kept("pm_reader_crc_is_1.zbd", "one entry, whose checksum would be a count in version 1", |spec| {
        spec.entries.truncate(1);
        end_in_crc(spec, 1);
    }),
    kept("pm_reader_crc_is_1_unnamed.zbd", "one entry, which would be an entry in version 1 too", |spec| {
        // Read as version 1, the table begins 4 bytes late: at the length, with the first bytes of the name as a length.
        spec.entries.truncate(1);
        spec.entries[0].name = field(b"", b"\0\0\0a.zrd");
        end_in_crc(spec, 1);
    }),
    reported("pm_reader_crc_wrong.zbd", "a checksum that does not fit", |spec| spec.checksum = Some(0x1234_5678)),
    reported("pm_reader_crc_0.zbd", "no checksum", |spec| spec.checksum = Some(0)),
    reported("pm_reader_crc_posix.zbd", "the checksum that `cksum` gives, length and inversion included", |spec| {
        let data: Vec<u8> = spec.entries.iter().flat_map(|entry| entry.data.clone()).collect();
        let length = (data.len() as u32).to_le_bytes();
        let digits = length.len() - length.iter().rev().take_while(|&&byte| byte == 0).count();
        spec.checksum = Some(!pirates_moon(data.iter().chain(&length[..digits])));
    }),
    reported("pm_reader_crc_turned.zbd", "a checksum in the other byte order", |spec| {
        spec.checksum = Some(pirates_moon(spec.entries.iter().flat_map(|entry| &entry.data)).swap_bytes());
    }),
    reported("pm_reader_file_order.zbd", "another order, and the checksum in that of the table", |spec| {
        spec.file_order = vec![1, 2, 0];
    }),
    reported("pm_reader_gap.zbd", "a gap that the checksum leaves out", |spec| spec.entries[1].gap = b"gap".into()),
    reported("pm_reader_length_0.zbd", "a member without content", |spec| spec.entries[1].data.clear()),
    reported("pm_reader_same_range.zbd", "two entries for the same bytes, which the checksum counts twice", |spec| {
        let length = spec.entries[0].data.len() as u32;
        spec.entries[2] = Entry { start: Some(0), length: Some(length), data: vec![], ..spec.entries[2].clone() };
    }),
    reported("pm_reader_trailing.zbd", "a member in which bytes follow the value", |spec| {
        spec.entries[2].data.extend([0; 4]);
    }),
];

fn value(root: Value) -> Vec<u8> {
    reader::build(&reader::Spec::new(root))
}

/// Changes the last entry so that the checksum of all entries becomes `wanted`.
fn end_in_crc(spec: &mut Spec, wanted: u32) {
    let (last, others) = spec.entries.split_last_mut().expect("there are entries");
    last.data = value(list([list([string(b"KEY"), Value::Int(0)])]));
    last.data.truncate(last.data.len() - 4);
    let before = pirates_moon(others.iter().flat_map(|entry| &entry.data).chain(&last.data));
    last.data.extend(pirates_moon_ending(before, wanted));
}

/// Traps of archives of motions. Source: zipper-motion.md.
const MOTIONS: &[Trap<Spec>] = &[
    kept("motions_one.zbd", "one motion", |spec| spec.entries.truncate(1)),
    kept("motions_no_parts.zbd", "a motion without parts", |spec| no_parts(&mut spec.entries[1].data)),
    kept("motions_twins.zbd", "a name twice, for different motions", |spec| {
        spec.entries[2].name = spec.entries[0].name;
    }),
    reported("motions_trailing.zbd", "a motion that bytes follow within its entry", |spec| {
        spec.entries[1].data.extend(b"left over");
    }),
];

/// Traps of archives of motions in version 2. Source: zipper-archives.md, section 6.
const MOTIONS_2: &[Trap<Spec>] = &[
    kept("pm_motions_one.zbd", "one motion", |spec| spec.entries.truncate(1)),
    kept("pm_motions_no_parts.zbd", "motions without parts, the last one too", |spec| {
        spec.entries[1..].iter_mut().for_each(|entry| no_parts(&mut entry.data));
    }),
    kept("pm_motions_twins.zbd", "a name twice, for different motions", |spec| {
        spec.entries[2].name = spec.entries[0].name;
    }),
    reported("pm_motions_lengths.zbd", "the true lengths", |spec| {
        spec.entries.iter_mut().for_each(|entry| entry.length = Some(entry.data.len() as u32));
    }),
    reported("pm_motions_one_length.zbd", "one true length, so that the others are one byte long", |spec| {
        spec.entries[1].length = Some(spec.entries[1].data.len() as u32);
    }),
    reported("pm_motions_checksum.zbd", "a checksum that motions do not have", |spec| spec.checksum = Some(0xBEEF)),
    reported("pm_motions_file_order.zbd", "motions that lie in another order than the table's", |spec| {
        spec.file_order = vec![2, 0, 1];
    }),
    reported("pm_motions_gap.zbd", "a gap before the first motion", |spec| spec.entries[0].gap = vec![0; 4]),
    reported("pm_motions_trailing.zbd", "bytes between two motions, and after the last", |spec| {
        spec.entries[0].data.extend(b"left over");
        spec.table_gap = vec![0; 3];
    }),
    reported("pm_motions_same_start.zbd", "two entries for the same motion", |spec| {
        spec.entries[2] = Entry { start: Some(0), data: vec![], ..spec.entries[2].clone() };
    }),
];

/// Truncates a motion to its header.
fn no_parts(motion: &mut Vec<u8>) {
    motion.truncate(24);
    motion[12] = 0;
}

/// Archives without a known type. Source: zipper-archives.md, section 7.
const UNKNOWN: &[Trap<Spec>] = &[
    kept("unknown.zbd", "files of no kind", |_| ()),
    kept("unknown_named_wav.zbd", "files of no kind that have the names of sounds", |spec| {
        spec.entries.iter_mut().for_each(|entry| entry.name = field(b"a.WAV", b""));
    }),
    kept("unknown_named_zrd.zbd", "files of no kind that have the names of reader files", |spec| {
        spec.entries.iter_mut().for_each(|entry| entry.name = field(b"a.Zrd", b""));
    }),
    kept("unknown_one_byte.zbd", "one entry of one byte", |spec| {
        spec.entries.truncate(1);
        spec.entries[0].data = vec![0];
    }),
    reported("unknown_one_empty.zbd", "one entry without content", |spec| {
        spec.entries.truncate(1);
        spec.entries[0].data.clear();
    }),
];

/// Archives without a known type in version 2. Source: zipper-archives.md, sections 5 and 7.
const UNKNOWN_2: &[Trap<Spec>] = &[
    kept("pm_unknown.zbd", "files of no kind in version 2", |_| ()),
    reported("pm_unknown_checksum.zbd", "a checksum that fits no rule", |spec| spec.checksum = Some(0x1234_5678)),
];

#[cfg(test)]
mod tests {
    use super::{Content, READERS, READERS_2, Trap, three_readers};
    use crate::archive::{Spec, build};
    use crate::random::Random;
    use crate::{Size, checksum};

    fn forged(traps: &[Trap<Spec>], version: u32, name: &str) -> Vec<u8> {
        let mut spec = three_readers(&mut Random::named(1, name), version, Size::Tiny);
        assert_eq!(spec.content, Content::Readers);
        (traps.iter().find(|trap| trap.name == name).expect("the trap is there").edit)(&mut spec);
        build(&spec)
    }

    fn words(bytes: &[u8], from_end: usize) -> [u32; 2] {
        let words = bytes[bytes.len() - from_end..].chunks_exact(4).take(2);
        let words: Vec<_> = words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
        [words[0], words[1]]
    }

    /// Source: zipper-archives.md, section 7: both footers are present, each with its table.
    #[test]
    fn one_entry_can_be_read_as_the_other_version() {
        let newer = forged(READERS_2, 2, "pm_reader_crc_is_1_unnamed.zbd");
        assert_eq!((words(&newer, 12), words(&newer, 8)), ([2, 1], [1, 1]));
        assert_eq!(words(&newer, 8 + 148), [newer.len() as u32 - 160, 0]);
        let older = forged(READERS, 1, "reader_time_2.zbd");
        assert_eq!((words(&older, 12), words(&older, 8)), ([2, 1], [1, 1]));
        assert_eq!(words(&older, 12 + 148), [1, 0]);
        assert_eq!(older[older.len() - 152..][..4], [b'#', 0, 0, 0]);
    }

    #[test]
    fn checksums_equal_the_wanted_ones() {
        let zero = forged(READERS_2, 2, "pm_reader_crc_is_0.zbd");
        assert_eq!(checksum::pirates_moon(&zero[..zero.len() - 12 - 3 * 148]), 0);
        assert!(zero.ends_with(&[3, 0, 0, 0, 0, 0, 0, 0]));
    }
}
