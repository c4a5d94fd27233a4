//! The owner of each byte of a GFF.

use core::ops::Range;

use crate::part;
use field::{Class, Step, Tell};

use super::sections::{LABEL, LIST, ROW, STRUCT, Sections, each_place, gaps, has_data, index, split};

/// A callback for a part of the file.
type Put<'a> = &'a mut dyn FnMut(Range<usize>, Class, &[Step]);

/// What is known of each field and each struct: the steps to it.
struct Places {
    fields: Vec<Vec<Step>>,
    structs: Vec<Vec<Step>>,
}

/// Calls back for every part of a GFF, in file order.
pub(super) fn owners(bytes: &[u8], tell: Tell<'_>) {
    let Ok(it) = Sections::of(bytes) else { return tell(&[], Class::Opaque, bytes) };
    let mut places =
        Places { fields: vec![Vec::new(); it.field_count()], structs: vec![Vec::new(); it.struct_count()] };
    each_place(&it, |number, field, steps| {
        let place = match field {
            Some(field) => places.fields.get_mut(field),
            None => places.structs.get_mut(number),
        };
        if let Some(place) = place {
            *place = steps.to_vec();
        }
    });
    let mut put = |range: Range<usize>, class: Class, steps: &[Step]| {
        let range = range.start.min(bytes.len())..range.end.min(bytes.len());
        if let Some(part @ [_, ..]) = bytes.get(range) {
            tell(steps, class, part);
        }
    };
    put(0..8, Class::Semantic, &[]);
    put(8..it.structs.start, Class::Derived, &[]);
    for (number, steps) in places.structs.iter().enumerate() {
        let at = it.structs.start + number * ROW;
        put(at..at + 4, Class::Semantic, steps);
        put(at + 4..at + ROW, Class::Derived, steps);
    }
    let (mut data, mut lists) = (Vec::new(), vec![None; it.list_indices.len() / 4]);
    for (field, steps) in places.fields.iter().enumerate() {
        let row = it.row(field);
        let at = it.fields.start + field * ROW;
        let is_derived = has_data(row.kind) || row.kind == STRUCT || row.kind == LIST;
        put(at..at + 4, Class::Semantic, steps);
        put(at + 4..at + 8, Class::Derived, steps);
        put(at + 8..at + ROW, if is_derived { Class::Derived } else { Class::Semantic }, steps);
        if has_data(row.kind) {
            data.extend(it.data_of(row.kind, row.value).ok().map(|range| (range, field, row.kind)));
        } else if row.kind == LIST {
            let first = index(row.value) / 4;
            let count = it.items_of(row.value).len() + 1;
            lists.get_mut(first..first + count).unwrap_or_default().fill(Some(field));
        }
    }
    for label in 0..it.label_count() {
        let at = it.labels.start + label * LABEL;
        put(at..at + LABEL, Class::Semantic, &[]);
    }
    data.sort_by_key(|(range, ..)| range.start);
    // Shared data belong to the first field.
    data.dedup_by(|(next, ..), (one, ..)| next == one);
    let ranges: Vec<_> = data.iter().map(|(range, ..)| range.clone()).collect();
    let mut unowned = gaps(&it.data, &ranges).into_iter().peekable();
    let mut gap = |end: usize, put: Put<'_>| {
        if let Some(gap) = unowned.next_if(|gap| gap.start < end) {
            let zeros = part(bytes, gap.clone()).iter().all(|byte| *byte == 0);
            put(gap, if zeros { Class::Padding } else { Class::Stale }, &[]);
        }
    };
    for (range, field, kind) in data {
        gap(range.start, &mut put);
        let steps = places.fields.get(field).map(|steps| &steps[..]).unwrap_or_default();
        for (part, class) in parts(part(bytes, range.clone()), kind) {
            put(range.start + part.start..range.start + part.end, class, steps);
        }
    }
    gap(usize::MAX, &mut put);
    let mut words = vec![None; it.field_indices.len() / 4];
    for (number, row) in (0..it.struct_count()).map(|number| (number, it.structure(number))) {
        if row.count > 1 {
            let first = index(row.data) / 4;
            words.get_mut(first..first + index(row.count)).unwrap_or_default().fill(Some(number));
        }
    }
    let mut put_words = |begin: usize, words: Vec<Option<usize>>, steps: &[Vec<Step>]| {
        for (nth, owner) in words.into_iter().enumerate() {
            let at = begin + nth * 4;
            match owner.and_then(|owner| steps.get(owner)) {
                Some(steps) => put(at..at + 4, Class::Derived, steps),
                None => put(at..at + 4, Class::Stale, &[]),
            }
        }
    };
    put_words(it.field_indices.start, words, &places.structs);
    put_words(it.list_indices.start, lists, &places.fields);
    put(it.end()..bytes.len(), Class::Stale, &[]);
}

/// Returns the parts of the data of a field.
fn parts(data: &[u8], kind: u32) -> Vec<(Range<usize>, Class)> {
    let (derived, (_, class)) = split(data, kind);
    if kind != super::sections::LOCSTRING {
        return vec![(0..derived, Class::Derived), (derived..data.len(), class)];
    }
    let mut parts = vec![(0..4, Class::Derived)];
    let Some(strings) = super::sections::strings(data) else {
        parts.push((4..data.len(), class));
        return parts;
    };
    parts.extend([(4..8, Class::Semantic), (8..12, Class::Derived)]);
    let mut at = 12;
    for (_, text) in strings {
        let end = at + 8 + text.len();
        parts.extend([(at..at + 4, Class::Semantic), (at + 4..at + 8, Class::Derived), (at + 8..end, Class::Semantic)]);
        at = end;
    }
    parts
}
