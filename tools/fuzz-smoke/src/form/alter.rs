//! Changes of an unpacked folder, one at a time.

use std::collections::BTreeMap;

use ::field::unhex;
use bitexact::exchange::{MANIFEST, parse, print};
use bitexact::field::Value;
use bitexact::json::{Compact, Document};
use bytes::Bytes;

use super::entries::EVIL;
use super::sample::{Absent, Sample, Site, names_a_medium};
use crate::draw::Draw;
use crate::edits::change;

/// The expected result of packing a changed folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The folder is refused.
    Refused,
    /// The file is unchanged: the change is in informative text.
    Same,
    /// The folder is refused, or the file contains the change.
    Said,
}

/// A changed folder.
pub(crate) struct Altered {
    pub(crate) contents: BTreeMap<String, Bytes>,
    /// The place of the change.
    pub(crate) site: Site,
    /// The value before and after the change.
    pub(crate) before: Value,
    pub(crate) after: Value,
    /// The type of change, and the change in words.
    pub(crate) class: String,
    pub(crate) words: String,
    pub(crate) expected: Expected,
}

/// Informative members of the manifest.
const FOR_PEOPLE: [&str; 3] = ["games", "deviations", "sha256"];

/// Makes a change, or returns `None` if the drawn one is impossible.
pub(crate) fn alter(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    match draw(24) {
        0..=2 => unknown(sample, draw),
        3 => twice(sample, draw),
        4..=6 => told(sample, draw),
        7 => file(sample, draw),
        8 => named(sample, draw),
        9..=11 => retyped(sample, draw),
        12..=14 => item(sample, draw),
        15..=16 => removed(sample, draw),
        _ => value(sample, draw),
    }
}

fn any<'a, T>(all: &'a [T], draw: Draw<'_>) -> Option<&'a T> {
    all.get(draw(all.len() as u64) as usize)
}

fn short(value: &Value) -> String {
    let text = Compact(value).to_string();
    if text.chars().count() > 60 { text.chars().take(60).chain(['…']).collect() } else { text }
}

/// Returns the type of a value, for the type of a change.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Integer(_) | Value::Named(None, _) => "integer",
        Value::Float(_) | Value::Fixed(_) => "float",
        Value::Text(_) | Value::Named(Some(_), _) | Value::Bytes(_) => "text",
        Value::List(_) => "list",
        Value::Object(_) if value.get("kept").is_some() => "kept",
        Value::Object(_) => "object",
    }
}

/// Returns the expected result of a change at a site.
fn expected(site: &Site) -> Expected {
    match site.1.first() {
        Some(member) if site.0 == MANIFEST && FOR_PEOPLE.contains(&member.as_str()) => Expected::Same,
        Some(member) if site.0 == MANIFEST && member != "data" => Expected::Refused,
        None if site.0 == MANIFEST => Expected::Refused,
        _ => Expected::Said,
    }
}

/// Returns the folder with the value at a site edited.
fn put(
    sample: &Sample,
    site: &Site,
    class: impl Into<String>,
    edit: impl FnOnce(&mut Value) -> Option<String>,
) -> Option<Altered> {
    let Document::Json(mut json) = sample.files.get(&site.0)?.clone() else { return None };
    let value = site.1.iter().try_fold(&mut json, |json, key| json.step_mut(key))?;
    let before = value.clone();
    let words = edit(value)?;
    let after = value.clone();
    let mut contents = sample.contents.clone();
    contents.insert(site.0.clone(), print(&json).into());
    let (site, expected) = (site.clone(), expected(site));
    Some(Altered { contents, site, before, after, class: class.into(), words, expected })
}

/// Inserts an unknown member into an object.
fn unknown(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let mut site = None;
    for _ in 0..16 {
        let drawn = any(&sample.sites, draw)?;
        if matches!(sample.at(drawn), Some(Value::Object(_))) {
            site = Some(drawn);
            break;
        }
    }
    let site = site?;
    let values = [9999.into(), "x".into(), 1.5.into(), Value::Bool(true), Value::from([("x", 1.into())]), Value::Null];
    let values =
        [&values[..], &[Value::List(Vec::new()), Value::Object(Vec::new()), Value::List(vec![1.into()])]].concat();
    let value = any(&values, draw)?.clone();
    let name = ["vitalitty", "Name", "kind_", "unknown"][draw(4) as usize];
    let class = if is_nothing(&value) { "unknown member, empty" } else { "unknown member" };
    let mut altered = put(sample, site, class, |json| {
        let words = format!("put {name}: {}", Compact(&value));
        let Value::Object(members) = json else { return None };
        let at = draw(members.len() as u64 + 1) as usize;
        members.insert(at, (name.into(), value));
        Some(words)
    })?;
    altered.expected = if expected(site) == Expected::Same { Expected::Same } else { Expected::Refused };
    Some(altered)
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Inserts a duplicate of a member.
fn twice(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let site = any(&sample.sites, draw)?;
    let mut altered = put(sample, site, "member twice", |json| {
        let Value::Object(members) = json else { return None };
        let again = any(members, draw)?.clone();
        let words = format!("{} twice", again.0);
        members.insert(draw(members.len() as u64 + 1) as usize, again);
        Some(words)
    })?;
    altered.expected = Expected::Refused;
    Some(altered)
}

/// Inserts a member that the folder omits: it is computed, or stored in a separate file.
fn told(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let Absent { object, name, value, in_file } = any(&sample.absent, draw)?;
    let mut value = value.clone();
    let words = if draw(4) > 0 { change(&mut value, draw)? } else { "as it is".to_owned() };
    let class = if *in_file { "told twice" } else { "derived or reserved" };
    let class = format!("{class} {name}{}", if words == "as it is" { ", unchanged" } else { "" });
    let mut altered = put(sample, object, class, |json| {
        let Value::Object(members) = json else { return None };
        members.push((name.as_str().into(), value.clone()));
        Some(format!("put {name}: {}: {words}", short(&value)))
    })?;
    // The site of the edit is the member, so that an empty value does not hide it.
    altered.site.1.push(name.clone());
    altered.before = Value::Null;
    altered.after = value;
    Some(altered)
}

/// Removes, duplicates, renames or changes a file.
fn file(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let files: Vec<&String> = sample.contents.keys().collect();
    let file = (*any(&files, draw)?).clone();
    let mut contents = sample.contents.clone();
    let bytes = contents.get(&file)?.clone();
    let (class, words) = match draw(5) {
        0 => {
            contents.remove(&file);
            ("file missing", String::new())
        }
        1 => {
            let names = ["notes.txt", "x.json", "data.bin", "a/b/c.json", "Bitexact.JSON", "picture.png", "x"];
            let name = *any(&names, draw)?;
            if contents.contains_key(name) {
                return None;
            }
            contents.insert(name.to_owned(), bytes);
            ("file surplus", name.to_owned())
        }
        2 => {
            contents.remove(&file);
            let name = format!("{file}.json");
            contents.insert(name.clone(), bytes);
            ("file renamed", name)
        }
        3 => {
            // Cut a text between two lines, because the end of an incomplete line is added when it is read.
            let half = bytes.len() / 2;
            let end = bytes.get(..half)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let half = bytes.slice(..if file.ends_with(".txt") { end } else { half });
            contents.insert(file.clone(), half);
            ("file cut", String::new())
        }
        _ => return byte(sample, &file, draw),
    };
    // A prefix of a number is a number: that is an edit of the value.
    let cut = contents.get(&file).filter(|_| class == "file cut");
    let values = cut.and_then(|half| Some((parse(sample.contents.get(&file)?).ok()?, parse(half).ok()?)));
    let is_edit = values.is_some() || (class == "file cut" && !file.ends_with(".json"));
    let expected = if is_edit { Expected::Said } else { Expected::Refused };
    let (site, (before, after)) = ((file, Vec::new()), values.unwrap_or_default());
    Some(Altered { contents, site, before, after, class: class.to_owned(), words, expected })
}

/// Changes a byte of a file that is not JSON.
fn byte(sample: &Sample, file: &str, draw: Draw<'_>) -> Option<Altered> {
    let mut contents = sample.contents.clone();
    let mut bytes = contents.get(file)?.to_vec();
    // The headers of such files contain much redundant data, and little of it is read.
    let range = match file.rsplit_once('.').map_or("", |(_, end)| end) {
        "json" | "png" => return None,
        "wav" => {
            let length = bytes.get(40..44).and_then(|it| it.try_into().ok()).map(u32::from_le_bytes)?;
            44..44 + length as usize
        }
        _ => 0..bytes.len(),
    };
    let at = range.start + draw(range.len() as u64) as usize;
    *bytes.get_mut(at)? ^= 1 << draw(8);
    contents.insert(file.to_owned(), bytes.into());
    let (site, before, after) = ((file.to_owned(), Vec::new()), Value::Null, Value::Bool(true));
    let words = format!("changed byte {at}");
    Some(Altered { contents, site, before, after, class: "byte".to_owned(), words, expected: Expected::Said })
}

/// Gives an entry a malicious name, or changes the file named in a row to one.
fn named(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let mut site = None;
    for _ in 0..64 {
        let drawn = any(&sample.sites, draw)?;
        let row = drawn.1.split_last().map(|(_, way)| (drawn.0.clone(), way.to_vec()));
        let is_row = row.and_then(|row| sample.at(&row)).is_some_and(|row| row.get("file").is_some());
        if is_row && matches!(sample.at(drawn), Some(Value::Text(_))) {
            site = Some(drawn);
            break;
        }
    }
    let site = site?;
    let name = any(&EVIL, draw)?;
    put(sample, site, "evil name", |json| {
        let words = format!("{} became {name:?}", short(json));
        (json.text() != Some(name)).then(|| {
            *json = (*name).into();
            words
        })
    })
}

/// Changes the type of a value.
fn retyped(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let site = any(&sample.sites, draw)?;
    let values = [
        Value::Null,
        Value::Bool(true),
        0.into(),
        1.into(),
        Value::Float(0.0),
        Value::Float(1.5),
        "".into(),
        "x".into(),
        "f32:7fc00000".into(),
        "0x1".into(),
        Value::List(Vec::new()),
        Value::List(vec![1.into()]),
        Value::Object(Vec::new()),
        Value::from([("kept", 1.into()), ("computed", 2.into())]),
        Value::from([("kept", Value::Float(1.0))]),
        Value::from([("text", "a".into()), ("tail", "61".into())]),
        Value::from([("value", 1.into())]),
    ];
    let value = match (draw(4), sample.at(site)?) {
        // An equal number with a different type.
        (0, Value::Float(it)) => Value::Integer(*it as i64),
        (0, Value::Integer(it)) => Value::from(*it as f32),
        (1, Value::Integer(it)) => it.to_string().into(),
        (1, Value::Text(it)) => it.parse::<i64>().map_or(Value::Null, Value::Integer),
        (1, Value::List(items)) => items.first()?.clone(),
        _ => any(&values, draw)?.clone(),
    };
    let class = format!("{} became {}", type_of(sample.at(site)?), type_of(&value));
    put(sample, site, class, |json| {
        let words = format!("{} became {}", short(json), short(&value));
        (*json != value).then(|| {
            *json = value;
            words
        })
    })
}

/// Removes, duplicates or reorders items of a list.
fn item(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let mut site = None;
    for _ in 0..16 {
        let drawn = any(&sample.sites, draw)?;
        if matches!(sample.at(drawn), Some(Value::List(items)) if !items.is_empty()) {
            site = Some(drawn);
            break;
        }
    }
    let (site, how) = (site?, draw(5));
    let class = ["item gone", "item doubled", "item doubled last", "items swapped", "list emptied"][how as usize];
    put(sample, site, class, |json| {
        let Value::List(items) = json else { return None };
        let (before, at) = (items.clone(), draw(items.len() as u64) as usize);
        let item = items.get(at)?.clone();
        let other = draw(items.len() as u64) as usize;
        match how {
            0 => drop(items.remove(at)),
            1 => items.insert(at, item),
            2 => items.push(item),
            3 => items.swap(at, other),
            _ => items.clear(),
        }
        (before != *items).then(|| if how == 3 { format!("{at} and {other}") } else { format!("at {at}") })
    })
}

/// Removes a member.
fn removed(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let site = any(&sample.sites, draw)?;
    let mut gone = None;
    let mut altered = put(sample, site, "member gone", |json| {
        let Value::Object(members) = json else { return None };
        let at = draw(members.len() as u64) as usize;
        let (name, value) = (at < members.len()).then(|| members.remove(at))?;
        let words = format!("{name}: {}", short(&value));
        gone = Some(name.to_string());
        Some(words)
    })?;
    let name = gone?;
    if site.0 == MANIFEST && site.1.is_empty() && FOR_PEOPLE.contains(&name.as_str()) {
        altered.expected = Expected::Same;
    }
    altered.class = format!("member gone {name}");
    Some(altered)
}

/// Changes a value but not its type: to a limit of integers, or anything.
fn value(sample: &Sample, draw: Draw<'_>) -> Option<Altered> {
    let mut site = None;
    for _ in 0..8 {
        let drawn = any(&sample.sites, draw)?;
        if !matches!(sample.at(drawn), Some(Value::Object(_) | Value::List(_)) | None) {
            site = Some(drawn);
            break;
        }
    }
    let site = site?;
    // File names are not part of the model; `file` changes them.
    let names_a_file = site.1.last().is_some_and(|key| key == "file" || names_a_medium(key));
    let is_limit = draw(3) == 0;
    let class = format!("{}{}", type_of(sample.at(site)?), if names_a_file { " (file)" } else { "" });
    put(sample, site, class, |json| {
        let before = json.clone();
        let words = match json {
            Value::Integer(it) if is_limit => {
                let (power, off) = (draw(64) as u32, draw(3) as i64 - 1);
                let limit = 1_i64.checked_shl(power)?.wrapping_add(off);
                *it = if draw(2) == 0 { limit } else { limit.wrapping_neg() };
                format!("{} became {}", short(&before), short(json))
            }
            Value::Text(text) if unhex(text).is_some_and(|bytes| !bytes.is_empty()) && !is_limit => {
                let at = 3 * draw((text.len() as u64).div_ceil(3)) as usize;
                let mut edited = text.to_string();
                edited.replace_range(at..at + 1, ["0", "7", "f"][draw(3) as usize]);
                *text = edited.into();
                format!("{} became {}", short(&before), short(json))
            }
            _ => change(json, draw)?,
        };
        (before != *json).then_some(words)
    })
}
