//! Wads with traps. Source: marathon-wad.md, sections 2 to 7.

use super::samples::games;
use super::{Chunk, Entry, Spec, build};
use crate::bytes::field;
use crate::level::{self, Level, UNPROCESSED_A};
use crate::random::Random;
use crate::sample::{Trap, kept, reported};
use crate::{Sample, Size};

/// Returns the wad that the traps are based on: three levels, version 2, no application data.
pub(super) fn three_levels(random: &mut Random, size: Size) -> Spec {
    let (tags, polygons) = match size {
        Size::Tiny => (&[b"PNTS", b"LINS", b"Minf"][..], 1),
        Size::Small | Size::Retail => (&UNPROCESSED_A[..], 8),
    };
    let entries = (0..3).map(|index| {
        Entry::new(index, level::level(Level { tags, data_version: 1, polygons, name: b"Arrival" }, random))
    });
    Spec::new(2, 1, b"Map", entries.collect())
}

/// Returns wads with traps.
pub(super) fn traps(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |trap: &Trap<Spec>| {
        let mut spec = three_levels(&mut Random::named(seed, trap.name), size);
        (trap.edit)(&mut spec);
        Sample {
            name: trap.name.into(),
            kind: "wad",
            games: games(spec.version),
            bytes: build(&spec),
            trap: Some(trap.words),
            deviates: trap.deviates,
        }
    };
    [HEADER, DIRECTORY, PLACES, CHUNKS].into_iter().flatten().map(sample).collect()
}

/// Traps of section 2.1 and 6.
const HEADER: &[Trap<Spec>] = &[
    kept("version_0_sizes.scen", "version 0 with sizes in the header, which mean nothing there", |spec| {
        (spec.version, spec.data_version) = (0, 0);
        // Marathon has different lights.
        let mut light = [0; 32];
        (light[5], light[20]) = (1, 0x80);
        for chunk in spec.entries.iter_mut().flat_map(|entry| &mut entry.chunks).filter(|chunk| chunk.tag == *b"LITE") {
            chunk.data = light.repeat(chunk.data.len() / 100);
        }
        sizes(spec, 16, 10);
    }),
    kept("version_1.sceA", "version 1, which no known file has", |spec| spec.version = 1),
    kept("version_1_sizes.sceA", "version 1 with sizes in the header, which mean nothing there", |spec| {
        spec.version = 1;
        sizes(spec, 16, 10);
    }),
    kept("version_4.sceA", "version 4 with more than one entry", |spec| spec.version = 4),
    kept("sizes_0.sceA", "sizes of 0 in version 2, which mean 16 and 10", |spec| sizes(spec, 0, 0)),
    kept("sizes_12_10.sceA", "chunk headers of 12 bytes in version 2", |spec| sizes(spec, 12, 10)),
    kept("sizes_16_8.sceA", "directory entries of 8 bytes in version 2", |spec| sizes(spec, 16, 8)),
    kept("sizes_12_8.sceA", "both sizes of version 0 in version 4", |spec| {
        spec.version = 4;
        sizes(spec, 12, 8);
    }),
    kept("data_version_2.sceA", "data version 2, which the engine accepts of Infinity", |spec| {
        (spec.version, spec.data_version) = (4, 2);
    }),
    kept("name_full.sceA", "a name that fills its 64 bytes, without a NUL", |spec| {
        spec.name = *b"/Users/durandal/Documents/Marathon/Scenarios/Eternal/Maps/Where ";
    }),
    kept("name_tail.sceA", "an older name behind the name", |spec| spec.name = field(b"Map", b"rathon Infinity.sceA")),
    kept("name_tail_only.sceA", "no name, and an older one behind it", |spec| spec.name = field(b"", b"arathon")),
    kept("name_utf8.sceA", "a name in UTF-8", |spec| spec.name = field("Façade – £".as_bytes(), b"")),
    kept("unused_cd.sceA", "fresh memory in the unused bytes", |spec| spec.unused = [0xCD; 40]),
    kept("parent_checksum.sceA", "the checksum of a parent", |spec| spec.parent_checksum = 0x2D71_CCB4),
    reported("checksum_wrong.sceA", "a checksum that does not fit", |spec| spec.checksum = Some(0x1234_5678)),
    reported("checksum_0.sceA", "no checksum", |spec| spec.checksum = Some(0)),
    reported("checksum_marathon.sceA", "the checksum of Marathon in version 2", |spec| {
        spec.checksum = Some(super::MARATHON_CHECKSUM)
    }),
];

/// Traps of section 2.2.
const DIRECTORY: &[Trap<Spec>] = &[
    kept("indices.sceA", "indices that are not those of the directory", |spec| {
        for (entry, index) in spec.entries.iter_mut().zip([7, -1, 7]) {
            entry.index = index;
        }
    }),
    kept("many_entries.sceA", "more than 64 entries", |spec| {
        spec.entries = (0..70).map(|index| Entry::new(index, vec![Chunk::new(b"TEXT", vec![index as u8])])).collect();
    }),
    kept("application_74.sceA", "application data that repeats each level", |spec| {
        for entry in &mut spec.entries {
            entry.application_data = level::application_data(&entry.chunks);
        }
    }),
    reported("application_74_stale.sceA", "application data that says other than the levels", |spec| {
        for entry in &mut spec.entries {
            entry.application_data = [&[0, 1, 0, 2, 0, 0, 0, 3][..], &field::<66>(b"Old Name", b"of a level")].concat();
        }
    }),
    kept("application_5.sceA", "application data of a size that has no meaning", |spec| {
        for (entry, byte) in spec.entries.iter_mut().zip(1..) {
            entry.application_data = vec![byte; 5];
        }
    }),
    kept("entry_empty.sceA", "an entry without chunks", |spec| spec.entries[1].chunks.clear()),
    kept("entries_all_empty.sceA", "no chunk at all", |spec| {
        spec.entries.iter_mut().for_each(|entry| entry.chunks.clear())
    }),
    reported("entry_empty_at_0.sceA", "an entry without chunks, at offset 0", |spec| {
        spec.entries[1].chunks.clear();
        spec.entries[1].offset = Some(0);
    }),
    reported("entry_empty_outside.sceA", "an entry without chunks, at an offset outside the file", |spec| {
        spec.entries[1].chunks.clear();
        spec.entries[1].offset = Some(0x00DE_AD00);
    }),
];

/// Traps of sections 2.4 and 7: unusual locations.
const PLACES: &[Trap<Spec>] = &[
    reported("file_order.sceA", "entries that lie in another order than the directory's", |spec| {
        spec.file_order = vec![2, 0, 1]
    }),
    reported("directory_first.sceA", "the directory before the entries", |spec| spec.directory_first = true),
    reported("directory_first_gap.sceA", "gaps on both sides of a directory before the entries", |spec| {
        spec.directory_first = true;
        spec.directory_gap = vec![0; 4];
        spec.entries[0].gap = b"gap".into();
    }),
    reported("gap_before_first.sceA", "a gap between header and first entry", |spec| spec.entries[0].gap = vec![0; 8]),
    reported("gap_between_entries.sceA", "a gap between two entries", |spec| spec.entries[1].gap = b"gap".into()),
    reported("gap_between_chunks.sceA", "a gap between two chunks", |spec| {
        spec.entries[0].chunks[1].gap = b"gap".into()
    }),
    reported("gap_before_directory.sceA", "a gap before the directory", |spec| spec.directory_gap = vec![0xFF; 5]),
    reported("slack.sceA", "left-over bytes in an entry, after its last chunk", |spec| {
        spec.entries[1].slack = b"slack".into()
    }),
    reported("gaps_everywhere.sceA", "every gap at once, and another order", |spec| {
        for entry in &mut spec.entries {
            entry.gap = vec![0x11; 3];
            entry.slack = vec![0x22; 5];
            entry.chunks.iter_mut().for_each(|chunk| chunk.gap = vec![0x33; 7]);
        }
        spec.directory_gap = vec![0x44; 9];
        spec.file_order = vec![1, 2, 0];
        spec.trailing = vec![0x55; 11];
    }),
    reported("same_range.sceA", "two entries of the directory for the same bytes", |spec| {
        let offset = 128 + spec.entry_length(&spec.entries[0]);
        let length = spec.entry_length(&spec.entries[1]);
        spec.entries[2] = Entry { offset: Some(offset as i32), length: Some(length as i32), ..Entry::new(2, vec![]) };
    }),
    reported("reach_into_next.sceA", "an entry that reaches into the next", |spec| {
        spec.entries[0].length = Some(spec.entry_length(&spec.entries[0]) as i32 + 20);
    }),
    reported("trailing_older.sceA", "the end of a longer, older version after the directory", |spec| {
        let older = Spec { entries: spec.entries.clone(), ..Spec::new(2, 1, b"Map", vec![]) };
        spec.entries.truncate(2);
        spec.trailing = build(&older).split_off(build(spec).len());
    }),
    reported("trailing_few.sceA", "three bytes after the directory", |spec| spec.trailing = vec![1, 2, 3]),
];

/// Traps of sections 2.3 and 3.
const CHUNKS: &[Trap<Spec>] = &[
    kept("odd_lengths.sceA", "payloads of odd length, with no padding between", |spec| {
        spec.entries[0]
            .chunks
            .splice(1..1, [1, 357].map(|length| Chunk::new(b"TEXT", b"odd".repeat(119)[..length].into())));
    }),
    kept("no_payloads.sceA", "chunks without payload only", |spec| {
        spec.entries.iter_mut().flat_map(|entry| &mut entry.chunks).for_each(|chunk| chunk.data.clear());
    }),
    kept("one_chunk.sceA", "one entry with one chunk without payload", |spec| {
        spec.entries = vec![Entry::new(0, vec![Chunk::new(b"NOTE", vec![])])];
    }),
    kept("twin_tags.sceA", "two chunks of the same tag in one entry", |spec| {
        spec.entries[0]
            .chunks
            .extend([b"first".to_vec(), b"second".to_vec(), vec![]].map(|text| Chunk::new(b"TEXT", text)));
    }),
    kept("tag_8c.sceA", "a tag that is not ASCII", |spec| spec.entries[0].chunks.push(Chunk::new(b"p\x8Cth", vec![]))),
    kept("tag_odd.sceA", "tags nobody knows, one of them all NULs", |spec| {
        spec.entries[2].chunks.extend([*b"\0\0\0\0", *b"\xFF\x01/!"].map(|tag| Chunk::new(&tag, b"content".into())));
    }),
    reported("patch_offset.sceA", "a patch offset", |spec| spec.entries[0].chunks[1].patch_offset = 64),
];

fn sizes(spec: &mut Spec, chunk_header: i16, entry: i16) {
    spec.chunk_header_size = Some(chunk_header);
    spec.entry_size = Some(entry);
}

#[cfg(test)]
mod tests {
    use super::{Size, traps};

    /// An older version ends with its directory entry. Source: marathon-wad.md, section 7.
    #[test]
    fn older_tail_ends_with_a_directory() {
        let traps = traps(1, Size::Tiny);
        let older = traps.iter().find(|trap| trap.name == "trailing_older.sceA").expect("the trap is there");
        assert!(older.bytes.ends_with(&[0, 2]));
        assert_eq!(&older.bytes[76..78], [0, 2]);
    }

    #[test]
    fn empty_names_do_not_hide_the_tail() {
        let traps = traps(1, Size::Tiny);
        let tail = traps.iter().find(|trap| trap.name == "name_tail_only.sceA").expect("the trap is there");
        assert_eq!(&tail.bytes[4..13], b"\0arathon\0");
    }
}
