//! Files of one item or member, repeated, and of long texts: made through the exchange format, which lays out whatever it is given.
//!
//! The library makes these files itself, but nothing is concluded from that: they only have to be large.

use std::collections::BTreeSet;

use bitexact::exchange::{About, MANIFEST, documents};
use bitexact::field::{Value, encode};
use bitexact::json::Document;
use bitexact::passes::Sha;
use bitexact::registry::Kind;

use crate::draw::Draw;
use crate::harness::form::{Exchange, pack};

/// How often an item is repeated to learn how large it is.
const FEW: usize = 9;
/// The most items of a list: items without bytes of their own have no size to reach.
const MOST: usize = 40_000;

/// Integers and floats that are long as text, or the largest of their type.
const INTEGERS: [i64; 12] = [0, 1, -1, 127, -128, 255, -32_768, 32_767, 65_535, 0x7FFF_FFFF, -0x8000_0000, 0xFFFF_FFFF];
const FLOATS: [u32; 5] = [0, 1, 0x807F_FFFF, 0x7FA0_0001, 0xC2F6_E979];

/// Characters that take more bytes in the exchange format than in a file, and one that does not.
const CHARACTERS: [char; 6] = ['\u{1}', '"', '\\', '\u{2019}', '\u{E9}', 'x'];
/// How deep an item is nested in itself.
const DEPTHS: [usize; 4] = [2, 16, 200, 900];

/// A place in the documents of a file: the name of the document, and the keys in it.
type Site = (String, Vec<String>);

/// A file in the exchange format.
pub(crate) struct Structure {
    exchange: Exchange,
    /// The lists with items, one of each place with indices left out.
    lists: Vec<Site>,
    /// The objects with members, likewise.
    objects: Vec<Site>,
    /// The texts and bytes, likewise.
    texts: Vec<Site>,
    /// The entries.
    pub(crate) entries: Vec<Site>,
}

/// How an item is changed before it is repeated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dress {
    /// Not at all.
    Same,
    /// Lists and texts in it become empty, and numbers 0.
    Least,
    /// Lists in it become empty.
    Bare,
    /// Each value in it is drawn: unchanged, left out, the least, or a long number.
    Drawn,
    /// A list in it holds another such item, and so on.
    Nested,
}

impl Dress {
    const ALL: [Self; 5] = [Self::Same, Self::Least, Self::Bare, Self::Drawn, Self::Nested];
}

impl Structure {
    /// Takes a file apart.
    pub(crate) fn of(kind: &'static Kind, bytes: &[u8]) -> Option<Self> {
        let model = (kind.decode)(bytes.to_vec().into()).ok()?.model;
        let about = About { kind, games: &[], sha256: Sha::of(bytes), deviations: &[] };
        let exchange = Exchange { files: documents(&model, about).ok()? };
        let mut found = Found::default();
        for (file, document) in &exchange.files {
            match document {
                Document::Json(json) if file == MANIFEST => {
                    json.get("data").into_iter().for_each(|data| found.look(file, data, &mut vec!["data".to_owned()]));
                }
                Document::Json(json) => found.look(file, json, &mut Vec::new()),
                Document::Raw(_) => {}
            }
        }
        let Found { lists, objects, texts, entries, .. } = found;
        Some(Self { exchange, lists, objects, texts, entries })
    }

    /// Repeats something until the file has about this size, and returns the change in words, and the file.
    pub(crate) fn grown(&self, size: usize, draw: Draw<'_>) -> Option<(String, Vec<u8>)> {
        match draw(8) {
            0 => self.with_members(one(&self.objects, draw)?, size, draw),
            1 => self.with_text(one(&self.texts, draw)?, size, draw),
            _ => self.with_items(one(&self.lists, draw)?, size, draw),
        }
    }

    /// Repeats an item of a list.
    fn with_items(&self, list: &Site, size: usize, draw: Draw<'_>) -> Option<(String, Vec<u8>)> {
        let Value::List(items) = json(&self.exchange, list)? else { return None };
        let dress = Dress::ALL[draw(Dress::ALL.len() as u64) as usize];
        let which = match draw(3) {
            0 => 0,
            1 => items.len() - 1,
            _ => draw(items.len() as u64) as usize,
        };
        let mut item = items[which].clone();
        dressed(&mut item, dress, draw);
        // The list may have had a few other items before, which only dilute the repeated one.
        let before = if draw(2) == 0 { items.len() } else { 0 };
        let made = |count: usize| {
            let mut exchange = self.exchange.clone();
            let mut copies = Vec::with_capacity(count);
            for copy in 0..count {
                let mut item = item.clone();
                copy_files(&mut item, copy, &self.exchange, &mut exchange);
                copies.push(item);
            }
            let Some(Value::List(items)) = json_mut(&mut exchange, list) else { return None };
            items.truncate(before);
            items.extend(copies);
            packed(exchange)
        };
        let (count, file) = repeated(before, size, made)?;
        Some((format!("{} item {which} {dress:?} {count} times", shown(list)), file))
    }

    /// Repeats a member of an object, under other names.
    fn with_members(&self, object: &Site, size: usize, draw: Draw<'_>) -> Option<(String, Vec<u8>)> {
        let Value::Object(members) = json(&self.exchange, object)? else { return None };
        let (name, value) = one(members, draw)?;
        let made = |count: usize| {
            let mut exchange = self.exchange.clone();
            let Some(Value::Object(members)) = json_mut(&mut exchange, object) else { return None };
            members.extend((0..count).map(|copy| (format!("{copy:x}").into(), value.clone())));
            packed(exchange)
        };
        let (count, file) = repeated(members.len(), size, made)?;
        Some((format!("{} member {name} {count} times", shown(object)), file))
    }

    /// Makes a text as long as the file is to be.
    fn with_text(&self, text: &Site, size: usize, draw: Draw<'_>) -> Option<(String, Vec<u8>)> {
        let character = *one(&CHARACTERS, draw)?;
        let made = |count: usize| {
            let mut exchange = self.exchange.clone();
            match json_mut(&mut exchange, text)? {
                Value::Text(text) => *text = character.to_string().repeat(count).into(),
                Value::Bytes(bytes) => **bytes = vec![character as u8; count].into(),
                _ => return None,
            }
            packed(exchange)
        };
        let (count, file) = repeated(0, size, made)?;
        Some((format!("{} {character:?} {count} times", shown(text)), file))
    }

    /// Replaces the bytes of an entry.
    pub(crate) fn with_entry(&self, entry: &Site, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let mut exchange = self.exchange.clone();
        let row = json_mut(&mut exchange, entry)?;
        let file = "replaced.bin";
        let old = row.get("file").and_then(Value::text)?.to_owned();
        row.put("kind", "opaque".into());
        row.put("file", file.into());
        exchange.files.remove(&old);
        exchange.files.insert(file.to_owned(), Document::Raw(bytes.into()));
        packed(exchange)
    }

    /// Returns the kind of an entry.
    pub(crate) fn kind_of(&self, entry: &Site) -> &str {
        json(&self.exchange, entry).and_then(|row| row.get("kind")?.text()).unwrap_or_default()
    }
}

/// Returns one of the items, or `None` if there are none.
pub(crate) fn one<'a, T>(things: &'a [T], draw: Draw<'_>) -> Option<&'a T> {
    things.get(draw(things.len() as u64) as usize)
}

/// Makes a file of about this size by repeating something, besides those before it. Returns how often, and the file.
fn repeated(before: usize, size: usize, made: impl Fn(usize) -> Option<Vec<u8>>) -> Option<(usize, Vec<u8>)> {
    let [one, few] = [made(1)?, made(FEW)?].map(|file| file.len());
    let each = few.saturating_sub(one) as f64 / (FEW - 1) as f64;
    let count = match each {
        0.0 => MOST,
        each => ((size.saturating_sub(one) as f64 / each) as usize).clamp(1, MOST),
    };
    // A count of 8 or 16 bits allows fewer.
    let fewer = [65_535, 32_767, 255, 127].map(|most: usize| most.saturating_sub(before));
    let counts = std::iter::once(count).chain(fewer.into_iter().filter(|&it| it > 0 && it < count));
    counts.into_iter().find_map(|count| Some((count, made(count)?)))
}

fn packed(exchange: Exchange) -> Option<Vec<u8>> {
    encode(&pack(exchange).ok()?.model).ok()
}

/// Returns a place with indices left out, and documents with their extensions only.
pub(crate) fn shown((file, keys): &Site) -> String {
    let extension = file.split_once('.').map_or("", |(_, end)| end);
    let keys: Vec<&str> = keys.iter().map(|key| if key.parse::<usize>().is_ok() { "*" } else { key }).collect();
    format!("{extension}:/{}", keys.join("/"))
}

fn json<'a>(exchange: &'a Exchange, (file, keys): &Site) -> Option<&'a Value> {
    let Document::Json(json) = exchange.files.get(file)? else { return None };
    keys.iter().try_fold(json, |json, key| json.step(key))
}

fn json_mut<'a>(exchange: &'a mut Exchange, (file, keys): &Site) -> Option<&'a mut Value> {
    let Document::Json(json) = exchange.files.get_mut(file)? else { return None };
    keys.iter().try_fold(json, |json, key| json.step_mut(key))
}

/// The places of lists and entries.
#[derive(Default)]
struct Found {
    lists: Vec<Site>,
    objects: Vec<Site>,
    texts: Vec<Site>,
    entries: Vec<Site>,
    known: BTreeSet<String>,
}

impl Found {
    fn look(&mut self, file: &str, json: &Value, keys: &mut Vec<String>) {
        let site = || (file.to_owned(), keys.clone());
        match json {
            Value::List(items) => {
                if !items.is_empty() && self.known.insert(shown(&site())) {
                    self.lists.push(site());
                }
                for (index, item) in items.iter().enumerate() {
                    keys.push(index.to_string());
                    self.look(file, item, keys);
                    keys.pop();
                }
            }
            Value::Object(members) => {
                let kind = json.get("kind").and_then(Value::text);
                if let (Some(kind), Some(_), false) = (kind, json.get("file"), keys.is_empty())
                    && self.known.insert(format!("{} {kind}", shown(&site())))
                {
                    self.entries.push(site());
                }
                if !members.is_empty() && self.known.insert(shown(&site())) {
                    self.objects.push(site());
                }
                for (name, value) in members {
                    keys.push(name.to_string());
                    self.look(file, value, keys);
                    keys.pop();
                }
            }
            Value::Text(_) | Value::Bytes(_) if self.known.insert(shown(&site())) => self.texts.push(site()),
            _ => {}
        }
    }
}

/// Gives an item its own copies of the files of entries that it names.
fn copy_files(item: &mut Value, copy: usize, from: &Exchange, to: &mut Exchange) {
    match item {
        Value::List(items) => items.iter_mut().for_each(|item| copy_files(item, copy, from, to)),
        Value::Object(members) => {
            for (name, value) in members {
                let file = value.text().filter(|_| name == "file").and_then(|file| from.files.get_key_value(file));
                match file {
                    Some((file, document)) => {
                        let mut document = document.clone();
                        if let Document::Json(json) = &mut document {
                            copy_files(json, copy, from, to);
                        }
                        let name = format!("{copy}/{file}");
                        to.files.remove(file);
                        *value = name.as_str().into();
                        to.files.insert(name, document);
                    }
                    None => copy_files(value, copy, from, to),
                }
            }
        }
        _ => {}
    }
}

/// Returns the keys to the first list in a value, or to the value itself if it is one.
fn list_in(value: &Value, keys: &mut Vec<String>) -> bool {
    match value {
        Value::List(_) => true,
        Value::Object(members) => members.iter().any(|(name, value)| {
            keys.push(name.to_string());
            let is_found = list_in(value, keys);
            if !is_found {
                keys.pop();
            }
            is_found
        }),
        _ => false,
    }
}

/// Puts an item into the list in it, again and again.
fn nest(item: &mut Value, draw: Draw<'_>) {
    let mut keys = Vec::new();
    if !list_in(item, &mut keys) {
        return;
    }
    let mut outer = item.clone();
    let list_of = |item: &mut Value, items: Vec<Value>| {
        let list = keys.iter().try_fold(item, |json, key| json.step_mut(key));
        list.into_iter().for_each(|list| *list = Value::List(items.clone()));
    };
    list_of(&mut outer, Vec::new());
    for _ in 0..one(&DEPTHS, draw).copied().unwrap_or(0) {
        let inner = std::mem::replace(item, outer.clone());
        list_of(item, vec![inner]);
    }
}

/// Changes the values in an item.
fn dressed(value: &mut Value, dress: Dress, draw: Draw<'_>) {
    if let Dress::Nested = dress {
        return nest(value, draw);
    }
    match value {
        Value::Object(members) => {
            // The kind and the file of an entry are no values.
            let is_value = |name: &str| !matches!(name, "kind" | "file");
            if let Dress::Drawn = dress {
                members.retain(|(name, _)| !is_value(name) || draw(6) > 0);
            }
            members.iter_mut().filter(|(name, _)| is_value(name)).for_each(|(_, value)| dressed(value, dress, draw));
        }
        Value::List(items) => match dress {
            Dress::Same | Dress::Nested => {}
            Dress::Least | Dress::Bare => items.clear(),
            Dress::Drawn if draw(2) == 0 => items.clear(),
            Dress::Drawn => items.iter_mut().for_each(|item| dressed(item, dress, draw)),
        },
        plain => {
            let is_least = match dress {
                Dress::Same | Dress::Bare | Dress::Nested => return,
                Dress::Least => true,
                Dress::Drawn => match draw(3) {
                    0 => return,
                    drawn => drawn == 1,
                },
            };
            *plain = match (&*plain, is_least) {
                (Value::Integer(_) | Value::Named(..), true) => 0.into(),
                (Value::Integer(_) | Value::Named(..), false) => INTEGERS[draw(INTEGERS.len() as u64) as usize].into(),
                (Value::Float(_), true) => 0.0_f32.into(),
                (Value::Float(_), false) => f32::from_bits(FLOATS[draw(FLOATS.len() as u64) as usize]).into(),
                (Value::Fixed(_), true) => Value::Fixed(0),
                (Value::Fixed(_), false) => Value::Fixed(0x7FFF_FFFF - draw(2) as i64 * 0xFFFF_FFFE),
                (Value::Text(_), true) => "".into(),
                (Value::Text(_), false) => "\u{1}".into(),
                (Value::Bytes(_), true) => Value::of_bytes(Vec::new()),
                (other, _) => (*other).clone(),
            };
        }
    }
}
