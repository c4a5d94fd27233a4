//! Reads a talk table from JSON. Source: `nwn-tlk.md`.

use std::collections::BTreeMap;

use crate::base64;
use crate::pages::page_of;
use field::{CodePage, GAME_TEXT, LoadError, Loaded, Step, Value, encode_text, memory, near_single, wide};
use json::Describe as _;

use super::show::{digest, is_orderly, offsets};
use super::{ENCODING, HEAD, LAYOUT, MAGIC, ROW, Row, index, misfit, misfit_of_text};

/// The maximum number of entries: numbers of custom texts have 24 bits.
const MOST: u64 = 1 << 24;

/// Reads a table, and reports whether its layout no longer fits.
pub(super) fn load(json: &Value) -> Loaded<(Vec<u8>, bool)> {
    let Value::Object(members) = json else { return Err(misfit(&[], "an object", json)) };
    let known = ["language", "count", ENCODING, "blank_offsets", "entries", LAYOUT];
    if let Some((key, value)) = members.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(LoadError::surplus(Vec::new(), vec![key.to_string()], value.describe()));
    }
    let null = Value::Null;
    let of = |name: &str| json.get(name).unwrap_or(&null);
    let language = number(of("language"), &[Step::Name("language")])?;
    let page = match of(ENCODING) {
        Value::Null => page_of(language),
        stated => {
            let named = stated.text().and_then(CodePage::named);
            let names = || CodePage::names().collect::<Vec<_>>().join(", ");
            named.ok_or_else(|| misfit(&[Step::Name(ENCODING)], format!("one of {}", names()), stated))?
        }
    };
    // The file is made from the entries that are not blank, and decoded to be checked.
    let most = MOST.min(memory::allowed() / (wide(ROW) * 4));
    let stated = of("count").whole().filter(|count| *count <= most).and_then(|count| u32::try_from(count).ok());
    let stated =
        stated.ok_or_else(|| misfit(&[Step::Name("count")], format!("a number from 0 to {most}"), of("count")))?;
    let is_running = match of("blank_offsets") {
        Value::Null => false,
        other if *other == "running" => true,
        other => return Err(misfit(&[Step::Name("blank_offsets")], "running, or no such member", other)),
    };
    let mut rows = Rows { count: index(stated), listed: BTreeMap::new() };
    let Value::Object(entries) = of("entries") else {
        return Err(misfit(&[Step::Name("entries")], "an object of entries by number", of("entries")));
    };
    for (key, value) in entries {
        let nth = key.parse::<usize>().ok().filter(|nth| nth.to_string() == *key);
        let count = rows.count;
        let Some(nth) = nth.filter(|nth| *nth < count) else {
            let expected = format!("a number below {count}, the count; raise /count for more entries");
            let wrong = misfit(&[Step::Name("entries")], expected, &Value::from(key.as_str()));
            // A number is no misspelled name.
            return Err(if key.parse::<u64>().is_ok() {
                wrong
            } else {
                LoadError { surplus: vec![key.to_string()], ..wrong }
            });
        };
        rows.listed.insert(nth, entry(value, page, &[Step::Name("entries"), Step::Index(wide(nth))])?);
    }
    let layout = json.get(LAYOUT).map(|layout| self::layout(layout, &rows)).transpose()?;
    let (has_layout, is_lost) = (layout.is_some(), layout.as_ref().is_some_and(Option::is_none));
    let (gap, at, texts) = match layout.flatten() {
        Some(layout) => layout,
        None => {
            let at = offsets(rows.all().map(|(row, _)| row.size), is_running);
            let large = || misfit(&[Step::Name("entries")], "texts of less than 4 GB in all", of("entries"));
            let at = at.ok_or_else(large)?;
            (Vec::new(), at, rows.all().flat_map(|(_, text)| text).copied().collect())
        }
    };
    let size = HEAD + rows.count * ROW + gap.len();
    let large = |_| misfit(&[Step::Name(LAYOUT), Step::Name("gap64")], "less than 4 GB", of(LAYOUT));
    let begin = u32::try_from(size).map_err(large)?;
    let mut file = Vec::with_capacity(size + texts.len());
    file.extend(MAGIC);
    for word in [language, stated, begin] {
        file.extend(word.to_le_bytes());
    }
    for ((row, _), offset) in rows.all().zip(at) {
        file.extend(row.flags.to_le_bytes());
        file.extend(row.sound);
        for word in [row.volume, row.pitch, offset, row.size, row.length] {
            file.extend(word.to_le_bytes());
        }
    }
    file.extend(gap);
    file.extend(texts);
    // A layout that describes the usual order is not shown again.
    let is_lost = is_lost || has_layout && is_orderly(&file);
    Ok((file, is_lost))
}

/// The entries of a table: nearly all of them can be blank.
struct Rows {
    count: usize,
    /// Those that are not blank, with their texts.
    listed: BTreeMap<usize, (Row, Vec<u8>)>,
}

impl Rows {
    /// Returns all entries, with their texts.
    fn all(&self) -> impl Iterator<Item = (Row, &[u8])> {
        let mut listed = self.listed.iter().peekable();
        (0..self.count).map(move |nth| match listed.next_if(|(at, _)| **at == nth) {
            Some((_, (row, text))) => (*row, text.as_slice()),
            None => (Row::default(), &[][..]),
        })
    }
}

/// The gap before the texts, the offset of each entry, and the texts.
type Layout = (Vec<u8>, Vec<u32>, Vec<u8>);

/// Reads a layout, or returns `None` if the texts have changed.
fn layout(json: &Value, rows: &Rows) -> Loaded<Option<Layout>> {
    let Value::Object(members) = json else { return Err(misfit(&[Step::Name(LAYOUT)], "an object", json)) };
    let known = ["of", "gap64", "offsets64", "texts64"];
    if let Some((key, value)) = members.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(LoadError::surplus(vec![Step::Name(LAYOUT)], vec![key.to_string()], value.describe()));
    }
    let bytes = |name: &'static str| {
        let value = json.get(name).unwrap_or(&Value::Null);
        let bytes = value.text().and_then(base64::decode);
        bytes.ok_or_else(|| misfit(&[Step::Name(LAYOUT), Step::Name(name)], "bytes in base64", value))
    };
    let of = json.get("of").unwrap_or(&Value::Null);
    let of = of.text().ok_or_else(|| misfit(&[Step::Name(LAYOUT), Step::Name("of")], "a hash", of))?;
    let (gap, at, texts) = (bytes("gap64")?, bytes("offsets64")?, bytes("texts64")?);
    if of != digest(rows.all().map(|(_, text)| text)) {
        return Ok(None);
    }
    let at: Vec<u32> = at.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let holds = |((row, text), at): ((Row, &[u8]), &u32)| {
        row.size == 0 || texts.get(index(*at)..).is_some_and(|rest| rest.starts_with(text))
    };
    match at.len() == rows.count && rows.all().zip(&at).all(holds) {
        true => Ok(Some((gap, at, texts))),
        false => Err(misfit(&[Step::Name(LAYOUT)], "offsets at which the texts are", json)),
    }
}

fn number(json: &Value, steps: &[Step]) -> Loaded<u32> {
    let word = json.whole().and_then(|whole| u32::try_from(whole).ok());
    word.ok_or_else(|| misfit(steps, "a whole number of 32 bits", json))
}

/// Reads an entry and its text.
fn entry(json: &Value, page: &'static CodePage, at: &[Step]) -> Loaded<(Row, Vec<u8>)> {
    let Value::Object(members) = json else { return Err(misfit(at, "an object", json)) };
    let (mut row, mut text) = (Row::default(), Vec::new());
    let mut has_flags = false;
    for (key, value) in members {
        let steps = |name: &'static str| [at, &[Step::Name(name)]].concat();
        let bytes = |name: &'static str, page| {
            let bytes = match value.only("bytes64") {
                Some(bytes) => bytes.text().and_then(base64::decode),
                None => value.text().and_then(|text| encode_text(page, text)),
            };
            bytes.ok_or_else(|| {
                misfit_of_text(&steps(name), format!("characters of {}, or bytes64", page.name()), value)
            })
        };
        match key.as_str() {
            "flags" => (row.flags, has_flags) = (number(value, &steps("flags"))?, true),
            "text" => {
                text = bytes("text", page)?;
                let most = || misfit(&steps("text"), "a text of less than 4 GB", value);
                row.size = u32::try_from(text.len()).map_err(|_| most())?;
            }
            "sound" => {
                let name = bytes("sound", GAME_TEXT)?;
                let room = row.sound.get_mut(..name.len());
                let room = room.ok_or_else(|| misfit_of_text(&steps("sound"), "at most 16 bytes", value))?;
                room.copy_from_slice(&name);
            }
            "volume" => row.volume = number(value, &steps("volume"))?,
            "pitch" => row.pitch = number(value, &steps("pitch"))?,
            "sound_length" => {
                let float = match value {
                    Value::Float(float) => near_single(*float).map(f32::to_bits),
                    Value::Integer(whole) => whole.to_string().parse::<f32>().ok().map(f32::to_bits),
                    _ => value.only("bits").and_then(Value::text).and_then(field::float_of_bits).map(f32::to_bits),
                };
                row.length = float.ok_or_else(|| misfit(&steps("sound_length"), "a number, or its bits", value))?;
            }
            _ => return Err(LoadError::surplus(at.to_vec(), vec![key.to_string()], value.describe())),
        }
    }
    match has_flags {
        true => Ok((row, text)),
        false => Err(misfit(&[at, &[Step::Name("flags")]].concat(), "a number", &Value::Null)),
    }
}
