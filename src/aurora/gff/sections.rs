//! The sections of a GFF: where they are, and whether they can be laid out.
//!
//! Source: `nwn-gff.md`, sections 1 to 3 and 6.

use core::ops::Range;

use crate::{SHARED, part};
use field::{Class, Fault, Step, wide};
use output::printable::counted;

use super::keys::{Keys, MOST_DEEP};

/// The size of the header in bytes.
pub(super) const HEAD: usize = 56;
/// The size of a struct or a field in bytes.
pub(super) const ROW: usize = 12;
/// The size of a label in bytes.
pub(super) const LABEL: usize = 16;
/// The index of a struct without fields.
pub(super) const NONE: u32 = u32::MAX;

/// The types of fields, by number. Source: `nwn-gff.md`, section 2.
pub const TYPES: [&str; 19] = [
    "byte",
    "char",
    "word",
    "short",
    "dword",
    "int",
    "dword64",
    "int64",
    "float",
    "double",
    "cexostring",
    "resref",
    "cexolocstring",
    "void",
    "struct",
    "list",
    "orientation",
    "vector",
    "strref",
];
/// Those with a layout of their own, by number.
pub(super) const FLOAT: u32 = 8;
pub(super) const DOUBLE: u32 = 9;
pub(super) const STRING: u32 = 10;
pub(super) const RESREF: u32 = 11;
pub(super) const LOCSTRING: u32 = 12;
pub(super) const VOID: u32 = 13;
pub(super) const STRUCT: u32 = 14;
pub(super) const LIST: u32 = 15;

/// An error in a GFF: its position, the steps to it, and its cause.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) steps: Vec<Step>,
    pub(super) fault: Fault,
}

impl Wrong {
    pub(super) fn outside(at: usize, found: u32, expected: impl Into<String>) -> Self {
        Self { at, steps: Vec::new(), fault: Fault::Outside { found: found.into(), expected: expected.into() } }
    }
}

/// A result of looking at the bytes of a GFF.
pub(super) type Seen<T = ()> = Result<T, Wrong>;

/// A GFF, and the byte ranges of its sections.
#[derive(Clone, Debug)]
pub(super) struct Sections<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) structs: Range<usize>,
    pub(super) fields: Range<usize>,
    pub(super) labels: Range<usize>,
    pub(super) data: Range<usize>,
    pub(super) field_indices: Range<usize>,
    pub(super) list_indices: Range<usize>,
}

/// A field as stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) kind: u32,
    pub(super) label: u32,
    pub(super) value: u32,
}

/// A struct as stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struct {
    pub(super) id: u32,
    pub(super) data: u32,
    pub(super) count: u32,
}

/// Returns the word at an offset. Bytes after the end are zeros: some files lack their last one.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(word) => u32::from_le_bytes(*word),
        None => {
            let left = part(bytes, at..);
            left.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
        }
    }
}

/// Returns the name of a type that was found to be known.
pub(super) fn type_name(kind: u32) -> &'static str {
    TYPES.get(index(kind)).copied().unwrap_or_default()
}

/// Converts a number of the file to an index.
pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl<'a> Sections<'a> {
    /// Finds the sections of a file. They follow in a fixed order without gaps.
    pub(super) fn of(bytes: &'a [u8]) -> Seen<Self> {
        if bytes.len() < HEAD {
            let fault = Fault::Ends { count: 1, each: wide(HEAD), remain: wide(bytes.len()) };
            return Err(Wrong { at: 0, steps: Vec::new(), fault });
        }
        if bytes.get(4..8) != Some(b"V3.2") {
            let found = part(bytes, 4..8).escape_ascii().to_string();
            let fault = Fault::Unknown { found, expected: "version V3.2".into() };
            return Err(Wrong { at: 4, steps: vec![Step::Name("__version")], fault });
        }
        let mut begin = HEAD;
        let mut ranges = Vec::with_capacity(6);
        for (section, each) in (0..6).zip([ROW, ROW, LABEL, 1, 1, 1]) {
            let at = section * 8 + 8;
            let (offset, count) = (word(bytes, at), word(bytes, at + 4));
            if wide(begin) != u64::from(offset) {
                return Err(Wrong::outside(at, offset, format!("{begin}, the end of the section before it")));
            }
            let size = index(count).saturating_mul(each);
            let end = begin.saturating_add(size);
            // The last byte of the last word may be missing (`nwn-gff.md`, section 3).
            let left = bytes.len().saturating_sub(begin);
            let is_short = section >= 4 && end.saturating_sub(bytes.len()) == 1 && size > 0;
            if end > bytes.len() && !is_short {
                let fault = Fault::Ends { count: count.into(), each: wide(each), remain: wide(left) };
                return Err(Wrong { at: at + 4, steps: Vec::new(), fault });
            }
            if section >= 4 && count % 4 != 0 {
                return Err(Wrong::outside(at + 4, count, "a multiple of 4"));
            }
            ranges.push(begin..end);
            begin = end;
        }
        let Ok([structs, fields, labels, data, field_indices, list_indices]) = <[_; 6]>::try_from(ranges) else {
            return Err(Wrong::outside(0, 0, "six sections"));
        };
        Ok(Self { bytes, structs, fields, labels, data, field_indices, list_indices })
    }

    /// Returns the offset of the end of the last section, which can be one byte after that of the file.
    pub(super) fn end(&self) -> usize {
        self.list_indices.end
    }

    pub(super) fn struct_count(&self) -> usize {
        self.structs.len() / ROW
    }

    pub(super) fn field_count(&self) -> usize {
        self.fields.len() / ROW
    }

    pub(super) fn label_count(&self) -> usize {
        self.labels.len() / LABEL
    }

    pub(super) fn row(&self, field: usize) -> Row {
        let [kind, label, value] = self.words(&self.fields, field);
        Row { kind, label, value }
    }

    pub(super) fn structure(&self, number: usize) -> Struct {
        let [id, data, count] = self.words(&self.structs, number);
        Struct { id, data, count }
    }

    /// Returns the words of a struct or a field, or zeros if its section has none with this number.
    #[inline]
    fn words(&self, section: &Range<usize>, number: usize) -> [u32; ROW / 4] {
        let (rows, _) = part(self.bytes, section.clone()).as_chunks::<ROW>();
        let (words, _) = rows.get(number).map_or(&[][..], |row| row.as_slice()).as_chunks();
        core::array::from_fn(|nth| words.get(nth).copied().map_or(0, u32::from_le_bytes))
    }

    /// Returns a label; it is zeros if there is none with this index.
    pub(super) fn label(&self, number: u32) -> [u8; LABEL] {
        let (labels, _) = part(self.bytes, self.labels.clone()).as_chunks();
        labels.get(index(number)).copied().unwrap_or_default()
    }

    /// Returns the field numbers of a struct.
    pub(super) fn fields_of(&self, it: Struct) -> impl Iterator<Item = u32> + use<'a> {
        let (bytes, at) = (self.bytes, self.field_indices.start.saturating_add(index(it.data)));
        let many = if it.count > 1 { it.count } else { 0 };
        let one = (it.count == 1).then_some(it.data);
        let word_at = move |nth: u32| word(bytes, at.saturating_add(index(nth).saturating_mul(4)));
        one.into_iter().chain((0..many).map(word_at))
    }

    /// Returns the struct numbers of a list at a byte offset of its section.
    pub(super) fn items_of(&self, offset: u32) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let (bytes, at) = (self.bytes, self.list_indices.start.saturating_add(index(offset)));
        (0..index(word(bytes, at))).map(move |nth| word(bytes, at.saturating_add(nth.saturating_mul(4)) + 4))
    }

    /// Returns the data of a field, or an error if it does not lie in its section.
    pub(super) fn data_of(&self, kind: u32, value: u32) -> Result<Range<usize>, Fault> {
        let begin = index(value);
        let section = part(self.bytes, self.data.clone());
        let data = part(section, begin..);
        let size = match kind {
            6 | 7 | DOUBLE | 18 => 8,
            16 => 16,
            17 => 12,
            RESREF => usize::from(data.first().copied().unwrap_or(0)) + 1,
            _ => index(word(data, 0)).saturating_add(4),
        };
        let least = if kind == RESREF { 1 } else { size.min(4) };
        let remain = wide(data.len());
        if begin > section.len() || data.len() < least || data.len() < size {
            return Err(Fault::Ends { count: wide(size), each: 1, remain });
        }
        let begin = self.data.start + begin;
        Ok(begin..begin + size)
    }
}

/// Returns the fields whose data belong to an earlier field too, in the order of their data.
pub(super) fn sharing(it: &Sections<'_>) -> Vec<usize> {
    let (mut end, mut orderly) = (0, true);
    let mut ranges = Vec::new();
    for field in 0..it.field_count() {
        let Row { kind, value, .. } = it.row(field);
        if let Some(range) = Some(kind).filter(|kind| has_data(*kind)).and_then(|kind| it.data_of(kind, value).ok()) {
            orderly &= range.start >= end;
            end = range.end;
            ranges.push((range, field));
        }
    }
    if orderly {
        return Vec::new();
    }
    ranges.sort_by_key(|(range, _)| range.start);
    let pairs = ranges.iter().zip(ranges.iter().skip(1));
    pairs.filter(|((one, _), (next, _))| one == next).map(|(_, (_, field))| *field).collect()
}

/// Returns `true` if fields of a type have data.
pub(super) fn has_data(kind: u32) -> bool {
    matches!(kind, 6 | 7 | DOUBLE..=VOID | 16..=18)
}

/// Returns the strings of a localized string: the id and the text of each. `None` if they do not fill the data.
pub(super) fn strings(data: &[u8]) -> Option<impl ExactSizeIterator<Item = (u32, &[u8])>> {
    if broken_length(data).is_some() {
        return None;
    }
    let (mut rest, count) = (data.get(12..)?, index(word(data, 8)));
    Some((0..count).map(move |_| {
        let (one, after) = string(rest).unwrap_or_default();
        rest = after;
        one
    }))
}

/// A length or a number in the data of a field that its container contradicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BrokenLength {
    /// Its offset in the data.
    pub(super) at: usize,
    pub(super) expected: String,
    pub(super) found: u64,
}

/// Returns the first length of a localized string that its container contradicts, or `None` if the strings fill the data.
pub(super) fn broken_length(data: &[u8]) -> Option<BrokenLength> {
    let size = |bytes: usize| counted(wide(bytes), "byte");
    let wrong = |at: usize, expected: String, found: usize| Some(BrokenLength { at, expected, found: wide(found) });
    let Some(strings) = data.get(12..) else {
        return wrong(0, "at least 8 bytes".into(), data.len().saturating_sub(4));
    };
    let count = index(word(data, 8));
    let most = strings.len() / 8;
    if count > most {
        return wrong(8, format!("at most {}", counted(wide(most), "string")), count);
    }
    let mut rest = strings;
    for nth in 0..count {
        let at = data.len() - rest.len();
        let Some((head, inner)) = rest.split_at_checked(8) else {
            return wrong(8, counted(wide(nth), "string"), count);
        };
        let length = index(word(head, 4));
        let Some((_, after)) = inner.split_at_checked(length) else {
            let others = count - nth - 1;
            let expected = match length_before(inner, others) {
                Some(length) => size(length),
                None => format!("at most {}", size(inner.len().saturating_sub(others * 8))),
            };
            return wrong(at + 4, expected, length);
        };
        rest = after;
    }
    let used = data.len() - rest.len() - 4;
    if rest.is_empty() { None } else { wrong(0, size(used), data.len() - 4) }
}

/// Returns the one length of a text after which this number of strings fills the rest of the data, or `None` if there are several or none.
/// It is not sought in much data: many strings take time.
fn length_before(data: &[u8], strings: usize) -> Option<usize> {
    const MOST: usize = 1 << 20;
    if data.len().saturating_mul(strings + 1) > MOST {
        return None;
    }
    let fills = |length: &usize| {
        let rest = (0..strings).try_fold(data.get(*length..)?, |rest, _| Some(string(rest)?.1))?;
        rest.is_empty().then_some(())
    };
    let mut lengths = (0..=data.len()).filter(|length| fills(length).is_some());
    lengths.next().filter(|_| lengths.next().is_none())
}

/// The id and the text of a string.
type Text<'a> = (u32, &'a [u8]);

/// Returns a string, and what follows it.
fn string(data: &[u8]) -> Option<(Text<'_>, &[u8])> {
    let (head, inner) = data.split_at_checked(8)?;
    let (text, after) = inner.split_at_checked(index(word(head, 4)))?;
    Some(((word(head, 0), text), after))
}

/// Marks an item as seen, and returns `true` if it was not before.
fn mark(seen: &mut [bool], at: usize) -> Option<bool> {
    seen.get_mut(at).map(|seen| !core::mem::replace(seen, true))
}

/// Checks that a GFF can be laid out: all numbers are in range, and no struct or field belongs to two others. Returns its bytes by class.
pub(super) fn check(bytes: &[u8]) -> Seen<[usize; 7]> {
    let it = Sections::of(bytes)?;
    let mut census = [0; 7];
    let [semantic, derived, .., stale, padding, opaque] = &mut census;
    let (structs, fields, labels) = (it.struct_count(), it.field_count(), it.label_count());
    if structs == 0 {
        return Err(Wrong::outside(12, 0, "at least 1 struct, the root"));
    }
    // The header, ids and labels of structs and fields.
    *semantic += 8 + structs * 4 + fields * 4 + labels * LABEL;
    *derived += HEAD - 8 + structs * 8 + fields * 4;
    let mut of_structs = vec![false; structs];
    // The root belongs to no field.
    mark(&mut of_structs, 0);
    let mut of_lists = vec![false; it.list_indices.len() / 4];
    let (mut data_end, mut orderly) = (it.data.start, true);
    let (mut ranges, mut total) = (Vec::new(), 0);
    for field in 0..fields {
        let Row { kind, label, value } = it.row(field);
        let at = it.fields.start + field * ROW;
        let wrong = |at: usize, found: u32, expected: String| Err(Wrong::outside(at, found, expected));
        if index(kind) >= TYPES.len() {
            return wrong(at, kind, format!("a type from 0 to {}", TYPES.len() - 1));
        }
        if index(label) >= labels {
            return wrong(at + 4, label, format!("the index of one of {labels} labels"));
        }
        if has_data(kind) {
            *derived += 4;
            let range = it.data_of(kind, value).map_err(|fault| Wrong { at: at + 8, steps: Vec::new(), fault })?;
            orderly &= range.start >= data_end;
            data_end = range.end;
            total += wide(range.len());
            if total > wide(bytes.len()) * SHARED {
                return wrong(at + 8, value, "the offset of data that do not belong to many other fields too".into());
            }
            ranges.push((range, kind));
        } else if kind == STRUCT {
            *derived += 4;
            if mark(&mut of_structs, index(value)) != Some(true) {
                return wrong(at + 8, value, "the number of a struct that belongs to no other field".into());
            }
        } else if kind == LIST {
            *derived += 4;
            let Some(free) = it.list_indices.len().checked_sub(index(value)).filter(|free| *free >= 4) else {
                return wrong(at + 8, value, format!("an offset below {}", it.list_indices.len()));
            };
            if value % 4 != 0 {
                return wrong(at + 8, value, "a multiple of 4".into());
            }
            let first = index(value) / 4;
            let begin = it.list_indices.start + first * 4;
            let items = it.items_of(value);
            if items.len() > free / 4 - 1 {
                let count = wide(items.len());
                let fault = Fault::Ends { count, each: 4, remain: wide(free - 4) };
                return Err(Wrong { at: begin, steps: Vec::new(), fault });
            }
            let count = items.len();
            of_lists.get_mut(first..=first + count).unwrap_or_default().fill(true);
            for (nth, item) in items.enumerate() {
                if mark(&mut of_structs, index(item)) != Some(true) {
                    let expected = "the number of a struct that belongs to no other field";
                    return wrong(begin + 4 + nth * 4, item, expected.into());
                }
            }
        } else {
            *semantic += 4;
        }
    }
    if !orderly {
        // Fields can share their data, which belong to the first of them (`nwn-gff.md`, section 9.1).
        ranges.sort_by_key(|(range, _)| range.start);
        ranges.dedup_by(|(next, _), (one, _)| next == one);
        let overlap = ranges.iter().zip(ranges.iter().skip(1)).find(|((one, _), (next, _))| one.end > next.start);
        if let Some(((one, _), (next, _))) = overlap {
            let expected = format!(
                "all of the data from {}, which another field has too, or data from {}, their end",
                one.start, one.end
            );
            let fault = Fault::Outside { found: i128::try_from(next.start).unwrap_or(i128::MAX), expected };
            return Err(Wrong { at: next.start, steps: Vec::new(), fault });
        }
    }
    for (range, kind) in &ranges {
        let (own, (rest, class)) = split(part(it.bytes, range.clone()), *kind);
        *derived += own;
        *(if class == Class::Opaque { &mut *opaque } else { &mut *semantic }) += rest;
    }
    let ranges: Vec<_> = ranges.into_iter().map(|(range, _)| range).collect();
    add_unowned(&it, &ranges, (stale, padding));
    let mut of_fields = vec![false; fields];
    let mut words = 0_usize;
    for number in 0..structs {
        let row = it.structure(number);
        let at = it.structs.start + number * ROW;
        let wrong = |at: usize, found: u32, expected: String| Err(Wrong::outside(at, found, expected));
        if row.count > 1 {
            let begin = index(row.data);
            let room = it.field_indices.len().checked_sub(begin);
            if room.is_none_or(|room| index(row.count) > room / 4) || !begin.is_multiple_of(4) {
                return wrong(at + 4, row.data, format!("the offset of {} field numbers", row.count));
            }
            words += index(row.count);
        }
        for field in it.fields_of(row) {
            if mark(&mut of_fields, index(field)) != Some(true) {
                return wrong(at + 4, field, "the number of a field that belongs to no other struct".into());
            }
        }
    }
    *derived += words * 4;
    let lists = of_lists.iter().filter(|owned| **owned).count() * 4;
    *derived += lists;
    let left = it.field_indices.len() - words * 4 + it.list_indices.len() - lists;
    let short = it.end().saturating_sub(bytes.len());
    // The missing byte belongs to the last word.
    *stale += left + bytes.len().saturating_sub(it.end());
    let is_last_stale = match it.list_indices.is_empty() {
        true => !is_owned(&it, it.field_indices.len() / 4),
        false => of_lists.last() == Some(&false),
    };
    *(if is_last_stale { stale } else { derived }) -= short;
    depth(&it)?;
    Ok(census)
}

/// Returns `true` if the last word of the field indices belongs to a struct.
fn is_owned(it: &Sections<'_>, words: usize) -> bool {
    let end = wide(words) * 4;
    (0..it.struct_count())
        .map(|number| it.structure(number))
        .any(|row| row.count > 1 && u64::from(row.data) + u64::from(row.count) * 4 == end)
}

/// Counts the bytes of the data that belong to no field.
fn add_unowned(it: &Sections<'_>, ranges: &[Range<usize>], (stale, padding): (&mut usize, &mut usize)) {
    for gap in gaps(&it.data, ranges) {
        let bytes = part(it.bytes, gap);
        *(if bytes.iter().all(|byte| *byte == 0) { &mut *padding } else { &mut *stale }) += bytes.len();
    }
}

/// Returns the parts of a range that are in none of others, which are in order.
pub(super) fn gaps(whole: &Range<usize>, parts: &[Range<usize>]) -> Vec<Range<usize>> {
    let begins = parts.iter().map(|part| part.start).chain([whole.end]);
    let ends = [whole.start].into_iter().chain(parts.iter().map(|part| part.end));
    ends.zip(begins).map(|(end, begin)| end..begin).filter(|gap| !gap.is_empty()).collect()
}

/// Returns the number of derived bytes in the data of a field, and that and the class of the others: those of a localized string whose
/// lengths contradict each other are of no known meaning.
pub(super) fn split(data: &[u8], kind: u32) -> (usize, (usize, Class)) {
    let (derived, class) = match kind {
        STRING | VOID => (4, Class::Semantic),
        RESREF => (1, Class::Semantic),
        LOCSTRING => match strings(data) {
            Some(strings) => (8 + strings.len() * 4, Class::Semantic),
            None => (4, Class::Opaque),
        },
        _ => (0, Class::Semantic),
    };
    (derived, (data.len() - derived, class))
}

/// Checks the depth of the structs below the root.
fn depth(it: &Sections<'_>) -> Seen {
    let mut open = vec![(0, 1)];
    while let Some((number, depth)) = open.pop() {
        if depth > MOST_DEEP {
            let at = it.structs.start + number * ROW;
            return Err(Wrong { at, steps: Vec::new(), fault: Fault::TooDeep { limit: MOST_DEEP } });
        }
        for field in it.fields_of(it.structure(number)) {
            let Row { kind, value, .. } = it.row(index(field));
            match kind {
                STRUCT => open.push((index(value), depth + 1)),
                LIST => open.extend(it.items_of(value).map(|item| (index(item), depth + 1))),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Calls back for the number of every field below the root, with the steps to it, struct by struct.
pub(super) fn each_place(it: &Sections<'_>, mut tell: impl FnMut(usize, Option<usize>, &[Step])) {
    let mut open = vec![(0_usize, Vec::new())];
    while let Some((number, mut steps)) = open.pop() {
        tell(number, None, &steps);
        let mut keys = Keys::default();
        for field in it.fields_of(it.structure(number)) {
            let Row { kind, value, label } = it.row(index(field));
            let depth = steps.len();
            steps.extend(keys.name(it.label(label)).map(Step::Name));
            tell(number, Some(index(field)), &steps);
            let inner = |last: Option<Step>| steps.iter().copied().chain([Step::Name("value")]).chain(last).collect();
            match kind {
                STRUCT => open.push((index(value), inner(None))),
                LIST => {
                    let items = (0..).zip(it.items_of(value));
                    open.extend(items.map(|(nth, item)| (index(item), inner(Some(Step::Index(nth))))));
                }
                _ => {}
            }
            steps.truncate(depth);
        }
    }
}
