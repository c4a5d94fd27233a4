//! A talk table as JSON. Source: `nwn-tlk.md`.

use crate::base64;
use crate::pages::{decode_exactly, usual_page};
use crate::part;
use field::{CodePage, GAME_TEXT, Value, wide};
use passes::Sha;

use super::{ENCODING, HEAD, LAYOUT, ROW, Row, Table};

/// The order of the texts.
struct Order {
    /// `true` if the offset of an entry without text is where the next text begins, in most of them, and not 0.
    is_running: bool,
    /// `true` if the texts follow in the order of the table, from its end to the end of the file.
    is_orderly: bool,
}

impl Order {
    fn of(table: &Table<'_>) -> Self {
        let (mut running, mut zero, mut end) = (0_usize, 0_usize, 0_u64);
        // Whether each entry has the offset of either rule.
        let (mut all_running, mut all_zero) = (true, true);
        for row in table.rows() {
            let offset = u64::from(row.offset);
            all_running &= offset == end;
            all_zero &= offset == if row.size == 0 { 0 } else { end };
            if row.size == 0 && end > 0 {
                running += usize::from(offset == end);
                zero += usize::from(offset == 0);
            }
            end += u64::from(row.size);
        }
        let is_running = running > zero;
        let is_filled = wide(table.texts) + end == wide(table.bytes.len()) && table.texts == HEAD + table.count * ROW;
        Self { is_running, is_orderly: is_filled && if is_running { all_running } else { all_zero } }
    }
}

/// Returns for each entry whether JSON lists it: whether it is not blank.
pub(super) fn listed(table: &Table<'_>) -> Vec<bool> {
    table.rows().map(|row| Row { offset: 0, ..row } != Row::default()).collect()
}

/// Returns the offsets of texts that follow in the order of the table, or `None` if one of them has more than 32 bits.
pub(super) fn offsets(sizes: impl Iterator<Item = u32>, is_running: bool) -> Option<Vec<u32>> {
    let mut end = 0_u64;
    let mut next = |size: u32| {
        let begin = end;
        end += u64::from(size);
        if size == 0 && !is_running { Some(0) } else { u32::try_from(begin).ok() }
    };
    sizes.map(&mut next).collect()
}

/// Returns `true` if the texts of a table follow in its order, from the end of the table to the end of the file.
pub(super) fn is_orderly(bytes: &[u8]) -> bool {
    Table::of(bytes).is_ok_and(|table| Order::of(&table).is_orderly)
}

/// Returns the hash of the sizes of texts, which decides whether a layout still fits.
pub(super) fn digest(texts: impl Iterator<Item = impl AsRef<[u8]>>) -> String {
    let mut all = Vec::new();
    for text in texts {
        all.extend_from_slice(&wide(text.as_ref().len()).to_le_bytes());
        all.extend_from_slice(text.as_ref());
    }
    Sha::of(&all).to_string()
}

/// Returns a table as JSON.
pub(super) fn show(bytes: &[u8]) -> Value {
    let Ok(table) = Table::of(bytes) else { return Value::Null };
    let text = |row: Row| part(bytes, table.range(row));
    let entries = table.rows().zip(listed(&table)).enumerate().filter(|(_, (_, is_listed))| *is_listed);
    let page = page(&table);
    let entries = entries.map(|(nth, (row, _))| (nth.to_string().into(), entry(row, text(row), page)));
    let mut members = vec![("language".into(), Value::from(table.language)), ("count".into(), table.count.into())];
    // So the texts are encoded in it again, wherever the JSON goes.
    if page.name() != usual_page(table.language).name() {
        members.push((ENCODING.into(), page.name().into()));
    }
    let order = Order::of(&table);
    if order.is_running {
        members.push(("blank_offsets".into(), "running".into()));
    }
    members.push(("entries".into(), Value::Object(entries.collect())));
    if !order.is_orderly {
        let offsets: Vec<u8> = table.rows().flat_map(|row| row.offset.to_le_bytes()).collect();
        let after = HEAD + table.count * ROW;
        members.push((
            LAYOUT.into(),
            Value::from([
                ("of", digest(table.rows().map(text)).into()),
                ("gap64", base64::encode(part(bytes, after..table.texts)).into()),
                ("offsets64", base64::encode(&offsets).into()),
                ("texts64", base64::encode(part(bytes, table.texts..)).into()),
            ]),
        ));
    }
    Value::Object(members)
}

/// Returns the code page of the texts of a table: the chosen one; UTF-8 if there are texts beyond ASCII, and all are UTF-8; or that of its
/// language. In a code page, such texts would be words of accents and signs.
fn page(table: &Table<'_>) -> &'static CodePage {
    let chosen = CodePage::chosen();
    let is_utf8 = || {
        let mut texts = table.rows().map(|row| part(table.bytes, table.range(row))).filter(|text| !text.is_ascii());
        texts.next().is_some_and(is_utf8) && texts.all(is_utf8)
    };
    match chosen {
        Some(page) => page,
        None if is_utf8() => CodePage::named("utf-8").unwrap_or(GAME_TEXT),
        None => usual_page(table.language),
    }
}

fn is_utf8(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_ok()
}

/// Returns an entry without its zeros.
fn entry(row: Row, text: &[u8], page: &'static CodePage) -> Value {
    let mut members = vec![("flags".into(), Value::from(row.flags))];
    let mut put = |name: &'static str, is: bool, value: &dyn Fn() -> Value| {
        if is {
            members.push((name.into(), value()));
        }
    };
    let bytes64 = |bytes: &[u8]| Value::from([("bytes64", base64::encode(bytes).into())]);
    put("text", !text.is_empty(), &|| match decode_exactly(page, text) {
        Some(text) => text.into(),
        None => bytes64(text),
    });
    let name = row.sound.split(|byte| *byte == 0).next().unwrap_or_default();
    let is_padded = part(&row.sound, name.len()..).iter().all(|byte| *byte == 0);
    put("sound", row.sound != [0; 16], &|| match decode_exactly(GAME_TEXT, name).filter(|_| is_padded) {
        Some(name) => name.into(),
        None => bytes64(&row.sound),
    });
    put("volume", row.volume != 0, &|| row.volume.into());
    put("pitch", row.pitch != 0, &|| row.pitch.into());
    let length = f32::from_bits(row.length);
    put("sound_length", row.length != 0, &|| match length.is_finite() {
        true => length.into(),
        false => Value::from([("bits", format!("{:08x}", row.length).into())]),
    });
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_have_32_bits() {
        let of = |sizes: &[u32], is_running| offsets(sizes.iter().copied(), is_running);
        assert_eq!(of(&[3, 0, 5, 0], false), Some(vec![0, 0, 3, 0]));
        assert_eq!(of(&[3, 0, 5, 0], true), Some(vec![0, 3, 3, 8]));
        assert_eq!(of(&[u32::MAX, 1], false), Some(vec![0, u32::MAX]));
        assert_eq!(of(&[u32::MAX, 1, 1], false), None);
        assert_eq!(of(&[u32::MAX, 1, 0], false), Some(vec![0, u32::MAX, 0]));
        assert_eq!(of(&[u32::MAX, 1, 0], true), None);
    }
}
