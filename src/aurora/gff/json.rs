//! A GFF as JSON, in the spirit of neverwinter.nim: one object per struct, with type and value of each field.
//!
//! Source: `nwn-gff.md`, section 7.

use field::{GAME_TEXT, Value};

use super::keys::Keys;
use super::sections::{DOUBLE, FLOAT, LOCSTRING, RESREF, STRING, Sections, VOID, strings, word};
use super::tree::{self, Tree};
use super::{layout, sections};
use crate::base64;
use crate::pages::{decode_exactly, page_of};
use crate::part;

/// The largest whole number that all readers of JSON keep: 2^53.
pub(super) const EXACT: u64 = 1 << 53;

/// Returns `true` for a field of 64 bits in JSON. Its value is text where a reader of JSON would round it, and a number otherwise.
pub fn is_wide(field: &Value) -> bool {
    field.get("type").and_then(Value::text).is_some_and(|of| ["double", "int64", "dword64"].contains(&of))
}

/// Returns a GFF that can be laid out as JSON.
pub(super) fn show(bytes: &[u8]) -> Value {
    let Ok(it) = Sections::of(bytes) else { return Value::Null };
    let (tree, numbers) = Tree::of(&it);
    let mut members = vec![("__data_type".into(), field::FourCc(tree.file_type).text().into())];
    if let Value::Object(root) = structure(&tree, 0) {
        members.extend(root);
    }
    members.extend(layout::show(&it, &tree, &numbers).map(|layout| (layout::KEY.into(), layout)));
    Value::Object(members)
}

/// Returns a struct as an object.
fn structure(tree: &Tree, it: usize) -> Value {
    let Some(of) = tree.structs.get(it) else { return Value::Null };
    let mut members = Vec::with_capacity(of.fields.len() + 1);
    // Without a number, it is -1, as in the JSON of neverwinter.nim.
    if of.id != u32::MAX {
        members.push(("__struct_id".into(), Value::from(of.id.cast_signed())));
    }
    let mut keys = Keys::default();
    for field in of.fields.iter().filter_map(|field| tree.fields.get(*field)) {
        members.push((keys.key(field.label).into(), value(tree, field.kind, &field.value)));
    }
    Value::Object(members)
}

/// Returns the type and the value of a field.
fn value(tree: &Tree, kind: u32, value: &tree::Value) -> Value {
    let name = sections::type_name(kind);
    let (key, shown) = match value {
        tree::Value::Struct(one) => ("value", structure(tree, *one)),
        tree::Value::List(items) => ("value", items.iter().map(|item| structure(tree, *item)).collect()),
        tree::Value::Word(word) => small(kind, *word),
        tree::Value::Data(bytes) => data(kind, bytes),
    };
    Value::from([("type", name.into()), (key, shown)])
}

/// Returns the key and the value of a field without data.
fn small(kind: u32, word: u32) -> (&'static str, Value) {
    let [low, next, ..] = word.to_le_bytes();
    let short = u16::from_le_bytes([low, next]);
    let whole = match kind {
        0 => i64::from(low),
        1 => i64::from(low.cast_signed()),
        2 => i64::from(short),
        3 => i64::from(short.cast_signed()),
        4 => i64::from(word),
        5 => i64::from(word.cast_signed()),
        _ => {
            let float = f32::from_bits(word);
            return match float.is_finite() {
                true => ("value", float.into()),
                false => ("bits", format!("{word:08x}").into()),
            };
        }
    };
    // A small number fills its word with zeros or its sign.
    match extended(kind, whole) == Some(word) {
        true => ("value", whole.into()),
        false => ("word", word.into()),
    }
}

/// Returns the word of a number, or `None` if the type does not hold it.
pub(super) fn extended(kind: u32, whole: i64) -> Option<u32> {
    Some(match kind {
        0 => u8::try_from(whole).ok()?.into(),
        1 => i32::from(i8::try_from(whole).ok()?).cast_unsigned(),
        2 => u16::try_from(whole).ok()?.into(),
        3 => i32::from(i16::try_from(whole).ok()?).cast_unsigned(),
        4 => u32::try_from(whole).ok()?,
        5 => i32::try_from(whole).ok()?.cast_unsigned(),
        _ => return None,
    })
}

/// Returns the key and the value of data.
fn data(kind: u32, bytes: &[u8]) -> (&'static str, Value) {
    let after = |head: usize| part(bytes, head..);
    let plain = |text: &[u8]| match decode_exactly(GAME_TEXT, text) {
        Some(text) => ("value", text.into()),
        None => ("bytes64", base64::encode(text).into()),
    };
    match (kind, <[u8; 8]>::try_from(bytes)) {
        (6, Ok(eight)) => match u64::from_le_bytes(eight) {
            whole if whole > EXACT => ("value", whole.to_string().into()),
            whole => ("value", whole.into()),
        },
        (7, Ok(eight)) => match i64::from_le_bytes(eight) {
            whole if whole.unsigned_abs() > EXACT => ("value", whole.to_string().into()),
            whole => ("value", whole.into()),
        },
        (DOUBLE, Ok(eight)) => double(f64::from_le_bytes(eight)),
        (STRING, _) => plain(after(4)),
        (RESREF, _) => plain(after(1)),
        (LOCSTRING, _) => localized(bytes),
        (VOID, _) => ("value64", base64::encode(after(4)).into()),
        (FLOAT, _) => ("value", Value::Null),
        _ => ("value64", base64::encode(bytes).into()),
    }
}

/// Returns a float of 64 bits as a number if it is the decimal of one of 32 bits, else as text: readers of JSON differ.
fn double(value: f64) -> (&'static str, Value) {
    if !value.is_finite() {
        return ("bits", format!("{:016x}", value.to_bits()).into());
    }
    let shown = Value::from(field::single(value));
    let is_exact = matches!(shown, Value::Float(decimal) if decimal.to_bits() == value.to_bits());
    ("value", if is_exact { shown } else { format!("{value:?}").into() })
}

/// Returns a localized string: its texts by id, and the number of a text in the talk table.
fn localized(bytes: &[u8]) -> (&'static str, Value) {
    // The members of an object have different names.
    let is_clear = strings(bytes).is_some_and(|strings| {
        let mut ids: Vec<u32> = strings.map(|(id, _)| id).collect();
        ids.sort_unstable();
        ids.windows(2).all(|two| two.first() != two.last())
    });
    let Some(strings) = strings(bytes).filter(|_| is_clear) else {
        return ("raw64", base64::encode(part(bytes, 4..)).into());
    };
    let mut members = Vec::with_capacity(strings.len() + 1);
    for (id, text) in strings {
        let shown = match decode_exactly(page_of(id / 2), text) {
            Some(text) => text.into(),
            None => Value::from([("bytes64", base64::encode(text).into())]),
        };
        members.push((id.to_string().into(), shown));
    }
    let strref = word(bytes, 4);
    if strref != u32::MAX {
        members.push(("id".into(), strref.into()));
    }
    ("value", Value::Object(members))
}
