//! A talk table as JSON. Source: `nwn-tlk.md`.

use crate::aurora::base64;
use crate::aurora::pages::{decode_exactly, page_of};
use crate::field::{Json, WINDOWS_1252, wide};
use crate::passes::Sha;

use super::{HEAD, LAYOUT, ROW, Row, Table};

/// What a blank entry of a file is: its flags, and whether its offset is where the next text begins, or 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Blank {
    pub(super) flags: u32,
    pub(super) is_running: bool,
}

impl Blank {
    /// Returns the blank entry of a table: the flags of most entries without text, and the offset of most of them.
    fn of(table: &Table<'_>) -> Self {
        let (mut flags, mut running, mut zero, mut end) = (std::collections::BTreeMap::new(), 0_usize, 0_usize, 0_u64);
        for row in table.rows() {
            if row.size == 0 {
                running += usize::from(u64::from(row.offset) == end && end > 0);
                zero += usize::from(row.offset == 0 && end > 0);
                if is_empty(row) {
                    *flags.entry(row.flags).or_insert(0_usize) += 1;
                }
            }
            end = end.saturating_add(row.size.into());
        }
        let most = flags.into_iter().max_by_key(|(flags, count)| (*count, core::cmp::Reverse(*flags)));
        Self { flags: most.map_or(0, |(flags, _)| flags), is_running: running > zero }
    }
}

/// Returns `true` for an entry without anything but flags.
fn is_empty(row: Row) -> bool {
    Row { flags: 0, offset: 0, ..row } == Row::default()
}

/// Returns for each entry whether JSON lists it.
pub(super) fn listed(table: &Table<'_>) -> Vec<bool> {
    let blank = Blank::of(table);
    table.rows().map(|row| !is_empty(row) || row.flags != blank.flags).collect()
}

/// Returns the offsets of texts that follow in the order of the table.
pub(super) fn offsets(sizes: impl Iterator<Item = u32>, blank: Blank) -> Vec<u32> {
    let mut end = 0_u32;
    let mut next = |size: u32| {
        let begin = end;
        end = end.saturating_add(size);
        if size == 0 && !blank.is_running { 0 } else { begin }
    };
    sizes.map(&mut next).collect()
}

/// Returns `true` if the texts of a table follow in its order, from the end of the table to the end of the file.
pub(super) fn is_orderly(bytes: &[u8]) -> bool {
    let Ok(table) = Table::of(bytes) else { return false };
    let expected = offsets(table.rows().map(|row| row.size), Blank::of(&table));
    let texts: u64 = table.rows().map(|row| u64::from(row.size)).sum();
    table.rows().map(|row| row.offset).eq(expected)
        && wide(table.texts).saturating_add(texts) == wide(bytes.len())
        && table.texts == HEAD.saturating_add(table.count.saturating_mul(ROW))
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
pub(super) fn show(bytes: &[u8]) -> Json {
    let Ok(table) = Table::of(bytes) else { return Json::Null };
    let blank = Blank::of(&table);
    let text = |row: Row| bytes.get(table.range(row)).unwrap_or_default();
    let entries = table.rows().zip(listed(&table)).enumerate().filter(|(_, (_, is_listed))| *is_listed);
    let entries = entries.map(|(nth, (row, _))| (nth.to_string().into(), entry(row, text(row), table.language)));
    let mut members = vec![
        ("language".into(), Json::from(table.language)),
        ("count".into(), table.count.into()),
        ("blank_flags".into(), blank.flags.into()),
        ("blank_offsets".into(), if blank.is_running { "running" } else { "zero" }.into()),
        ("entries".into(), Json::Object(entries.collect())),
    ];
    if !is_orderly(bytes) {
        let offsets: Vec<u8> = table.rows().flat_map(|row| row.offset.to_le_bytes()).collect();
        let after = HEAD.saturating_add(table.count.saturating_mul(ROW));
        members.push((LAYOUT.into(), Json::from([
            ("of", digest(table.rows().map(text)).into()),
            ("gap64", base64::encode(bytes.get(after..table.texts).unwrap_or_default()).into()),
            ("offsets64", base64::encode(&offsets).into()),
            ("texts64", base64::encode(bytes.get(table.texts..).unwrap_or_default()).into()),
        ])));
    }
    Json::Object(members)
}

/// Returns an entry without its zeros.
fn entry(row: Row, text: &[u8], language: u32) -> Json {
    let mut members = vec![("flags".into(), Json::from(row.flags))];
    let mut put = |name: &'static str, is: bool, value: &dyn Fn() -> Json| {
        if is {
            members.push((name.into(), value()));
        }
    };
    let bytes64 = |bytes: &[u8]| Json::from([("bytes64", base64::encode(bytes).into())]);
    put("text", !text.is_empty(), &|| match decode_exactly(page_of(language), text) {
        Some(text) => text.into(),
        None => bytes64(text),
    });
    let name = row.sound.split(|byte| *byte == 0).next().unwrap_or_default();
    let is_padded = row.sound.get(name.len()..).unwrap_or_default().iter().all(|byte| *byte == 0);
    put("sound", row.sound != [0; 16], &|| match decode_exactly(WINDOWS_1252, name).filter(|_| is_padded) {
        Some(name) => name.into(),
        None => bytes64(&row.sound),
    });
    put("volume", row.volume != 0, &|| row.volume.into());
    put("pitch", row.pitch != 0, &|| row.pitch.into());
    let length = f32::from_bits(row.length);
    put("sound_length", row.length != 0, &|| match length.is_finite() {
        true => length.into(),
        false => Json::from([("bits", format!("{:08x}", row.length).into())]),
    });
    Json::Object(members)
}
