//! The rules that files of the game follow, and that a GFF need not follow to be laid out. Source: `nwn-gff.md`, sections 1 to 3.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::part;
use field::{Judge, Step, Value, quote, wide};

use super::sections::{LABEL, LOCSTRING, NONE, RESREF, ROW, Sections, broken_length, each_place, index, sharing};

/// Reports what no file of the game has.
pub(super) fn judge(bytes: &[u8], start: u64, t: &mut Judge<'_>) {
    let Ok(it) = Sections::of(bytes) else { return };
    let mut broken = |at: usize, steps: &[Step], expected: Value, found: Value| {
        t.judged(start + wide(at), steps, Some((expected, found)));
    };
    match it.end().checked_sub(bytes.len()) {
        Some(0) => {}
        Some(_) => broken(bytes.len(), &[], "the last byte of the last word".into(), "the end of the file".into()),
        None => {
            let tail = part(bytes, it.end()..);
            broken(it.end(), &[], "the end of the file".into(), quote(tail).into());
        }
    }
    let mut seen = FxHashSet::default();
    let all = part(bytes, it.labels.clone());
    if !all.chunks_exact(LABEL).all(|label| seen.insert(label)) {
        broken(it.labels.start, &[], "a label once".into(), "twice".into());
    }
    let mut fields = 0_usize;
    let mut odd: Vec<Odd> = Vec::new();
    // The last struct that has each label.
    let (mut labels, mut has_label) = (vec![usize::MAX; it.label_count()], false);
    // Places cost more than the fields, so they are looked up only for those that deviate.
    for number in 0..it.struct_count() {
        let row = it.structure(number);
        let at = it.structs.start + number * ROW;
        if number == 0 && row.id != NONE {
            broken(at, &[], (-1).into(), row.id.into());
        }
        if row.count == 0 && row.data != NONE {
            broken(at + 4, &[], NONE.into(), row.data.into());
        }
        for field in it.fields_of(row).map(index) {
            fields += 1;
            let stored = it.row(field);
            let at = it.fields.start + field * ROW;
            let last = labels.get_mut(index(stored.label)).map(|last| core::mem::replace(last, number));
            if last == Some(number) && !has_label {
                has_label = true;
                let at = at + 4;
                odd.push(Odd::new(field, at, "a label once in each struct", "the same label twice"));
            }
            let upper = match stored.kind {
                0 => stored.value > 0xFF,
                1 => !(stored.value < 0x80 || stored.value >= 0xFFFF_FF80),
                2 => stored.value > 0xFFFF,
                3 => !(stored.value < 0x8000 || stored.value >= 0xFFFF_8000),
                _ => false,
            };
            if upper {
                let found = format!("{:#010x}", stored.value);
                odd.push(Odd::new(field, at + 8, "zeros or the sign before a small number", found));
            }
            if stored.kind == RESREF
                && let Some(length) = it.data_of(RESREF, stored.value).ok().map(|range| range.len() - 1)
                && length > 16
            {
                odd.push(Odd::new(field, at + 8, "at most 16 bytes", length.to_string()));
            }
            if stored.kind == LOCSTRING
                && let Ok(range) = it.data_of(LOCSTRING, stored.value)
                && let Some(broken) = broken_length(part(bytes, range.clone()))
            {
                let at = range.start + broken.at;
                odd.push(Odd { is_of_value: true, ..Odd::new(field, at, &broken.expected, broken.found) });
            }
        }
    }
    if fields < it.field_count() {
        broken(it.fields.start, &[], "no unused fields".into(), (it.field_count() - fields).into());
    }
    for field in sharing(&it) {
        let at = it.fields.start + field * ROW + 8;
        odd.push(Odd::new(field, at, "data of its own", "those of another field"));
    }
    if odd.is_empty() {
        return;
    }
    let mut places: FxHashMap<usize, Vec<Step>> = odd.iter().map(|odd| (odd.field, Vec::new())).collect();
    each_place(&it, |_, field, steps| {
        if let Some(place) = field.and_then(|field| places.get_mut(&field)) {
            *place = steps.to_vec();
        }
    });
    for Odd { field, at, expected, found, is_of_value } in odd {
        let mut steps = places.get(&field).cloned().unwrap_or_default();
        steps.extend(is_of_value.then_some(Step::Name("value")));
        broken(at, &steps, expected, found);
    }
}

/// A deviation in a field, whose place is not known yet.
struct Odd {
    /// The number of the field.
    field: usize,
    /// The offset.
    at: usize,
    expected: Value,
    found: Value,
    /// `true` if it is in the data of the field.
    is_of_value: bool,
}

impl Odd {
    fn new(field: usize, at: usize, expected: &str, found: impl Into<Value>) -> Self {
        Self { field, at, expected: expected.into(), found: found.into(), is_of_value: false }
    }
}
