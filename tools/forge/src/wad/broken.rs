//! Broken wads. Source: marathon-wad.md, section 11.

use super::traps::three_levels;
use super::{Chunk, Entry, Spec, build};
use crate::random::Random;
use crate::sample::{LIES, cuts};
use crate::{Broken, Size};

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = three_levels(&mut Random::named(seed, "broken.sceA"), Size::Tiny);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("wad", &format!("{name}.sceA"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        let value = Some(lie as i32);
        let name = |field: &str| format!("{field}_{lie:08x}");
        [
            broken(&name("directory_offset"), "a directory outside the file", &|spec| spec.directory_offset = value),
            broken(&name("entry_offset"), "an entry outside the file", &|spec| spec.entries[1].offset = value),
            broken(&name("entry_length"), "an entry longer than the file", &|spec| spec.entries[1].length = value),
            broken(&name("next_offset"), "a next chunk outside its entry", &|spec| {
                spec.entries[1].chunks[0].next = value
            }),
            broken(&name("chunk_length"), "a payload longer than its entry", &|spec| {
                spec.entries[1].chunks[0].length = value
            }),
        ]
    });
    let short_lies = [-1, i16::MIN, i16::MAX].into_iter().flat_map(|lie| {
        let name = |field: &str| format!("{field}_{lie:04x}");
        [
            broken(&name("entry_count"), "a count that no directory has room for", &|spec| {
                spec.entry_count = Some(lie)
            }),
            broken(&name("application_size"), "application data that no directory has room for", &|spec| {
                spec.application_size = Some(lie)
            }),
        ]
    });
    let others = [
        broken("version_5", "a version the engine refuses", &|spec| spec.version = 5),
        broken("version_negative", "a negative version", &|spec| spec.version = -1),
        broken("entry_count_0", "no entry", &|spec| spec.entry_count = Some(0)),
        broken("one_entry_more", "one entry more than there is", &|spec| spec.entry_count = Some(4)),
        broken("application_data_in_version_0", "application data in version 0", &|spec| {
            (spec.version, spec.data_version) = (0, 0);
            spec.entries.iter_mut().for_each(|entry| entry.application_data = vec![0; 74]);
        }),
        broken("directory_one_late", "a directory that ends a byte after the file", &|spec| {
            spec.directory_offset = Some(build(spec).len() as i32 - 29);
        }),
        broken("entry_one_long", "an entry that ends a byte after the file", &|spec| {
            let start = 128 + spec.entry_length(&spec.entries[0]) + spec.entry_length(&spec.entries[1]);
            spec.entries[2].length = Some((build(spec).len() - start) as i32 + 1);
        }),
        broken("payload_one_long", "a payload that ends a byte after its entry", &|spec| {
            let last = &mut spec.entries[1].chunks[2];
            last.length = Some(last.data.len() as i32 + 1);
        }),
        broken("entry_of_3_bytes", "an entry without room for a chunk header", &|spec| {
            spec.entries[1].length = Some(3)
        }),
    ];
    let file = build(&plain);
    let sizes = [
        ("chunk_header_14", "chunk headers of 14 bytes", 80, 14),
        ("chunk_header_negative", "chunk headers of -16 bytes", 80, -16),
        ("entry_size_9", "directory entries of 9 bytes", 82, 9),
        ("entry_size_negative", "directory entries of -10 bytes", 82, -10),
    ];
    let sizes = sizes.map(|(name, why, at, size): (_, _, usize, i16)| {
        let mut file = file.clone();
        file[at..at + 2].copy_from_slice(&size.to_be_bytes());
        Broken::new("wad", &format!("{name}.sceA"), file, why)
    });
    let places = [
        (0, "at its start"),
        (1, "in the version"),
        (127, "in the header"),
        (128, "before the entries"),
        (137, "in a chunk header"),
        (150, "in a payload"),
        (file.len() - 30, "before the directory"),
        (file.len() - 20, "after a directory entry"),
        (file.len() - 1, "before its last byte"),
    ];
    lies.chain(short_lies)
        .chain(others)
        .chain(sizes)
        .chain(chains())
        .chain(cuts("wad", "sceA", &file, &places))
        .collect()
}

/// Returns chains of chunks that never end or leave their entry.
///
/// The chunks have 8 bytes of payload, so chunk `n` begins at 24 n.
fn chains() -> impl Iterator<Item = Broken> {
    let chain = |name: &str, why: &str, at: usize, next: i32| {
        let mut chunks: Vec<_> =
            [b"aaaa", b"bbbb", b"cccc", b"dddd"].into_iter().map(|tag| Chunk::new(tag, vec![0; 8])).collect();
        chunks[at].next = Some(next);
        Broken::new(
            "wad",
            &format!("chain_{name}.sceA"),
            build(&Spec::new(2, 1, b"Map", vec![Entry::new(0, chunks)])),
            why,
        )
    };
    [
        chain("to_itself", "a chunk whose next is itself", 1, 24),
        chain("of_two", "two chunks each of which is the other's next", 2, 24),
        chain("of_three", "a chunk whose next lies two chunks before it", 3, 24),
        chain("to_the_end", "a next chunk at the very end of its entry", 2, 96),
        chain("near_the_end", "a next chunk without room for its header", 2, 96 - 3),
        chain("past_the_end", "a next chunk after the end of its entry", 2, 96 + 24),
        chain("backwards", "a next chunk before its entry", 2, -24),
    ]
    .into_iter()
}
