//! The rules that files of the game follow, and that a GFF need not follow to be laid out. Source: `nwn-gff.md`, sections 1 to 3.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::field::{Json, Judge, Step, quote, wide};

use super::sections::{LABEL, NONE, RESREF, Sections, each_place, index};

/// Reports what no file of the game has.
pub(super) fn judge(bytes: &[u8], start: u64, t: &mut impl Judge) {
    let Ok(it) = Sections::of(bytes) else { return };
    let mut broken = |at: usize, steps: &[Step], expected: Json, found: Json| {
        t.judged(start.saturating_add(wide(at)), steps, Some((expected, found)));
    };
    match it.end().checked_sub(bytes.len()) {
        Some(0) => {}
        Some(_) => broken(bytes.len(), &[], "the last byte of the last word".into(), "the end of the file".into()),
        None => {
            let tail = bytes.get(it.end()..).unwrap_or_default();
            broken(it.end(), &[], "the end of the file".into(), quote(tail).into());
        }
    }
    let mut seen = FxHashSet::default();
    let all = bytes.get(it.labels.clone()).unwrap_or_default();
    if !all.chunks_exact(LABEL).all(|label| seen.insert(label)) {
        broken(it.labels.start, &[], "a label once".into(), "twice".into());
    }
    let mut fields = 0_usize;
    let mut odd: Vec<(usize, usize, &'static str, String)> = Vec::new();
    // The last struct that has each label.
    let (mut labels, mut has_label) = (vec![usize::MAX; it.label_count()], false);
    // Places cost more than the fields, so they are looked up only for those that deviate.
    for number in 0..it.struct_count() {
        let row = it.structure(number);
        let at = it.structs.start.saturating_add(number.saturating_mul(12));
        if number == 0 && row.id != NONE {
            broken(at, &[], (-1).into(), row.id.into());
        }
        if row.count == 0 && row.data != NONE {
            broken(at.saturating_add(4), &[], NONE.into(), row.data.into());
        }
        for field in it.fields_of(row).map(index) {
            fields += 1;
            let stored = it.row(field);
            let at = it.fields.start.saturating_add(field.saturating_mul(12));
            let last = labels.get_mut(index(stored.label)).map(|last| core::mem::replace(last, number));
            if last == Some(number) && !has_label {
                has_label = true;
                odd.push((field, at.saturating_add(4), "label", "the same label twice".to_owned()));
            }
            let upper = match stored.kind {
                0 => stored.value > 0xFF,
                1 => !(stored.value < 0x80 || stored.value >= 0xFFFF_FF80),
                2 => stored.value > 0xFFFF,
                3 => !(stored.value < 0x8000 || stored.value >= 0xFFFF_8000),
                _ => false,
            };
            if upper {
                odd.push((field, at.saturating_add(8), "upper", format!("{:#010x}", stored.value)));
            }
            if stored.kind == RESREF
                && let Some(length) = it.data_of(RESREF, stored.value).ok().map(|range| range.len().saturating_sub(1))
                && length > 16
            {
                odd.push((field, at.saturating_add(8), "resref", length.to_string()));
            }
        }
    }
    if fields < it.field_count() {
        broken(it.fields.start, &[], "no unused fields".into(), it.field_count().saturating_sub(fields).into());
    }
    if odd.is_empty() {
        return;
    }
    let mut places: FxHashMap<usize, Vec<Step>> = odd.iter().map(|(field, ..)| (*field, Vec::new())).collect();
    each_place(&it, |_, field, steps| {
        if let Some(place) = field.and_then(|field| places.get_mut(&field)) {
            *place = steps.to_vec();
        }
    });
    for (field, at, what, found) in odd {
        let expected = match what {
            "label" => "a label once in each struct",
            "upper" => "zeros or the sign before a small number",
            _ => "at most 16 bytes",
        };
        broken(at, places.get(&field).map(|place| &place[..]).unwrap_or_default(), expected.into(), found.into());
    }
}
