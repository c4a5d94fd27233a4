//! Broken files. Source: zipper-archives.md, section 7.

use super::traps::{three_motions, three_readers, three_sounds};
use super::{Spec, build};
use crate::random::Random;
use crate::sample::{LIES, cuts};
use crate::{Broken, Size};

/// Returns files that must be refused, although their names are those of archives. An archive is recognized only by its footer, so one that
/// is cut or followed by bytes can even begin like a sound or a motion.
pub fn broken(seed: u64) -> Vec<Broken> {
    let random = &mut Random::named(seed, "broken sounds.zbd");
    let older = three_sounds(random, 1, Size::Tiny);
    let newer = three_readers(random, 2, Size::Tiny);
    let mut motions = build(&three_motions(random, 2, Size::Tiny));
    motions.truncate(motions.len() - 12);
    let motions = Broken::new("archive", "motion.zbd", motions, "the file ends before the footer");
    let plain = [("sounds", older), ("reader", newer)];
    plain.iter().flat_map(|(stem, plain)| all(stem, plain)).chain([motions]).collect()
}

fn all(stem: &str, plain: &Spec) -> Vec<Broken> {
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("archive", &format!("{stem}_{name}.zbd"), build(&spec), why)
    };
    let data: usize = plain.entries.iter().map(|entry| entry.data.len()).sum();
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("count_{lie:08x}"), "more entries than the file has room for", &|spec| {
                spec.count = Some(lie)
            }),
            broken(&format!("start_{lie:08x}"), "an entry outside the file", &|spec| spec.entries[1].start = Some(lie)),
            broken(&format!("length_{lie:08x}"), "an entry longer than the file", &|spec| {
                spec.entries[1].length = Some(lie)
            }),
            broken(&format!("length_0_start_{lie:08x}"), "an entry without content outside the file", &|spec| {
                (spec.entries[1].start, spec.entries[1].length) = (Some(lie), Some(0));
            }),
        ]
    });
    let others = [
        broken("count_0", "no entry", &|spec| spec.count = Some(0)),
        broken("no_entries", "a footer alone", &|spec| spec.entries.clear()),
        broken("one_entry_more", "one entry more than there is", &|spec| {
            // Its data are long enough for an entry, but not a valid one.
            let last = spec.entries.last_mut().expect("there are entries");
            last.data.extend([0xFF; 148]);
            spec.count = Some(4);
        }),
        broken("version_0", "version 0", &|spec| spec.version = 0),
        broken("version_3", "version 3", &|spec| spec.version = 3),
        broken("start_in_table", "an entry that begins in the table", &|spec| {
            spec.entries[2].start = Some(data as u32 + 1)
        }),
        broken("length_into_table", "an entry that ends in the table", &|spec| {
            spec.entries[2].length = Some(spec.entries[2].data.len() as u32 + 1);
        }),
        broken("start_and_length", "an entry whose start and length add up to less than either", &|spec| {
            (spec.entries[1].start, spec.entries[1].length) = (Some(8), Some(u32::MAX - 3));
        }),
        broken("trailing_1", "one byte after the footer", &|spec| spec.trailing = vec![0]),
        broken("trailing", "bytes after the footer", &|spec| spec.trailing = b"left over".into()),
    ];
    let file = build(plain);
    let end = file.len();
    let places = [
        (0, "at its start"),
        (7, "in the first entry"),
        (data - 1, "in the last entry"),
        (data, "before the table"),
        (data + 20, "in a name"),
        (data + 148, "after the first of the table"),
        (data + 3 * 148, "before the footer"),
        (end - 4, "in the footer"),
        (end - 1, "before its last byte"),
    ];
    let cuts = cuts("archive", "zbd", &file, &places).into_iter();
    let cuts = cuts.map(|cut| Broken { name: format!("{stem}_{}", cut.name), ..cut });
    lies.chain(others).chain(cuts).collect()
}
