//! Random edits of the exchange format, drawn from the JSON itself, and the check that the packed file contains the
//! edit.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::mem::discriminant;

use ::field::{GAME_TEXT, Leaf, encode_text};
use bitexact::edit::misread;
use bitexact::exchange::{About, MANIFEST, Packed, show};
use bitexact::field::{Class, Fault, Label, Place, Value, Visitor, encode, visit, wide};
use bitexact::json::{Compact, Document};
use bitexact::kind::Game;
use bitexact::media::png::{PALETTE, Picture};
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, Model};
use bitexact::verify::{Status, verify};

use crate::harness::Case;
use crate::harness::form::{Exchange, Unpacked, media, pack, unpack};

pub(crate) type Found<T = ()> = Result<T, String>;
/// Draws a number below another.
pub(crate) type Draw<'a> = &'a mut dyn FnMut(u64) -> u64;

/// Makes `times` edits of a file, one at a time, and returns the sizes of the edited files that were not refused.
pub(crate) fn edits(case: &Case, times: usize, draw: Draw<'_>) -> Found<Vec<usize>> {
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let unpacked = unpacked(case, &case.bytes)?;
    let sites = Sites::of(case, &unpacked.exchange);
    let mut taken = Vec::new();
    for _ in 0..times {
        let Some((file, keys)) = &sites.drawn(&unpacked.exchange, draw) else { break };
        let mut edited = unpacked.exchange.clone();
        let before = at(&edited, file, keys);
        let Some(words) = edit(&mut edited, file, keys, draw) else { continue };
        let said = says(case, name, edited, (file, keys, before));
        taken.extend(said.map_err(|why| format!("{file}: /{}: {words}: {why}", keys.join("/")))?);
    }
    Ok(taken)
}

pub(crate) fn unpacked(case: &Case, bytes: &[u8]) -> Found<Unpacked> {
    let model = decoded(case, bytes)?;
    let games: &[Game] = &[];
    let about = About { kind: case.kind, games, sha256: Sha::of(bytes), deviations: &[] };
    unpack(&model, about).map_err(|error| error.to_string())
}

pub(crate) fn decoded(case: &Case, bytes: &[u8]) -> Found<Model> {
    let decoded = (case.kind.decode)(bytes.to_vec().into());
    decoded.map(|it| it.model).map_err(|error| format!("the packed file does not decode: {error}"))
}

/// Returns the JSON at a place of the unpacked folder.
pub(crate) fn at(exchange: &Exchange, file: &str, keys: &[String]) -> Value {
    let Some(Document::Json(json)) = exchange.files.get(file) else { return Value::Null };
    keys.iter().try_fold(json, |json, key| json.step(key)).cloned().unwrap_or_default()
}

/// Checks that the packed file verifies as identical and contains the edited documents, or that the edit is refused
/// with a place. Returns the size of the packed file if there was one to compare.
fn says(
    case: &Case,
    name: &str,
    edited: Exchange,
    (file, keys, before): (&str, &[String], Value),
) -> Found<Option<usize>> {
    let as_edited = edited.clone();
    // The text is parsed because people edit text.
    let edited = Exchange::parse(edited.contents()).map_err(|why| format!("its text is no JSON: {why}"))?;
    // If a file holds one value, its name is the place.
    let Ok(mut taken) = taken(case, name, pack(edited), keys.len() <= 1)? else { return Ok(None) };
    let keys = if file == MANIFEST { &keys[1..] } else { keys };
    let unpacked = unpacked(case, &taken.bytes)?;
    let new = &unpacked.exchange;
    taken.says(case, (&as_edited, new), &unpacked, (format!("{file}:/{}", keys.join("/")), before))?;
    Ok(Some(taken.bytes.len()))
}

/// An edited folder that packs to a file of its kind, which verifies as identical.
pub(crate) struct Taken {
    /// The packed file.
    pub(crate) bytes: Vec<u8>,
    /// The places of replaced computed values that pack reports.
    pub(crate) told: HashSet<String>,
    /// The model of the file.
    model: Model,
}

/// Packs and verifies an edited folder. The inner error is the reason why it is refused, which needs a place unless
/// `root` is true, or the kind of another format.
pub(crate) fn taken(
    case: &Case,
    name: &str,
    edited: Result<Packed, bitexact::field::Error>,
    root: bool,
) -> Found<Result<Taken, String>> {
    let refused = |error: bitexact::field::Error| match error.fault() {
        // Unknown members are not part of a place.
        Fault::Unknown { expected, .. } if expected.starts_with("no member ") => Ok(Err(error.to_string())),
        // It names the file that is missing, or that no entry names.
        Fault::Beside { .. } => Ok(Err(error.to_string())),
        _ if error.offset().is_none() && *error.place() == Place::default() && !root => {
            Err(format!("refused without a place: {error}"))
        }
        _ => Ok(Err(error.to_string())),
    };
    let Packed { model, recomputed: told, .. } = match edited {
        Ok(packed) => packed,
        Err(error) => return refused(error),
    };
    let bytes = match encode(&model) {
        Ok(bytes) => bytes,
        Err(error) => return refused(error),
    };
    let report = verify(KINDS, name, bytes.clone());
    if report.kind != Some(case.kind.name) {
        // The program refuses a result of a different kind.
        return Ok(Err(format!("recognized as {}", report.kind.unwrap_or("nothing known"))));
    }
    match (report.status, report.failure) {
        (Status::Identical, None) => {}
        // It also refuses a file that does not decode, with offset and place.
        (Status::Refused, Some(bitexact::verify::Failure::Decode(error))) => return refused(error),
        (status, failure) => return Err(format!("the packed file is {status:?}: {failure:?}")),
    }
    let misread = misread(&model, case.kind, &bytes.clone().into()).map_err(|error| error.to_string())?;
    // It also refuses a result that would be read back differently.
    if let Some(refusal) = misread {
        return Ok(Err(refusal.to_string()));
    }
    let model = decoded(case, &bytes)?;
    Ok(Ok(Taken { bytes, told: told.iter().map(|told| reported(&told.place)).collect(), model }))
}

/// Returns the place of a replaced value as errors write it, with the name of its file first.
fn reported(place: &str) -> String {
    match place.split_once(": /") {
        Some((file, pointer)) => format!("{}{pointer}", Place::default().with_entry(Label::role(file))),
        None => place.to_owned(),
    }
}

impl Taken {
    /// Checks that the `new` documents, unpacked from the file, contain what the `old` ones contain, which were edited
    /// at a file and keys. Names of entries are those of the unpacked file.
    ///
    /// # Errors
    /// Returns an error if a value is lost, or if one has changed that pack does not report.
    pub(crate) fn says(
        &mut self,
        case: &Case,
        (old, new): (&Exchange, &Exchange),
        unpacked: &Unpacked,
        edited: (String, Value),
    ) -> Found {
        let mut facts = Facts::default();
        visit(&self.model, &mut facts).map_err(|error| error.to_string())?;
        let entries = unpacked.files.iter().map(|(entry, file)| (file.as_str(), entry.as_str())).collect();
        let mut before = decoded(case, &case.bytes)?;
        let (told, model) = (self.told.clone(), &mut self.model);
        let mut compare = Compare { old, new, entries, told, facts: facts.0, edited, before: &mut before, model };
        compare.document(MANIFEST, MANIFEST)
    }
}

/// The places of facts: remarks, and values that no byte stores.
#[derive(Default)]
struct Facts(HashSet<String>);

impl Visitor for Facts {
    fn data(&mut self, _: &bitexact::field::Datum<'_>) -> bitexact::field::Result {
        Ok(())
    }

    fn fact(&mut self, place: &Place, _: Value) {
        self.0.insert(place.to_string());
    }

    fn wants_facts(&self) -> bool {
        true
    }
}

/// A value of a file: its class, its type if it has a fixed size, its bytes.
type LeafValue = (Class, Option<&'static Leaf>, Vec<u8>);

/// A search for the value at a place.
struct Stored<'a> {
    place: &'a str,
    found: Option<LeafValue>,
}

impl Visitor for Stored<'_> {
    fn data(&mut self, datum: &bitexact::field::Datum<'_>) -> bitexact::field::Result {
        datum.owners(&mut |owner| {
            if self.found.is_none() && owner.place.to_string() == self.place {
                self.found = Some((owner.class, owner.leaf, owner.bytes.to_vec()));
            }
        });
        Ok(())
    }
}

/// The member that determines whether the pixels of an image are indices.
const COLORS: &str = "palette_count";

/// Returns `true` if the keys of a node at a place have been put in order.
fn is_in_order(told: &HashSet<String>, node: &str) -> bool {
    told.iter().any(|told| told.strip_prefix(node).is_some_and(|rest| rest.starts_with("/keys/")))
}

/// The edited documents and those of the file packed from them.
struct Compare<'a> {
    old: &'a Exchange,
    new: &'a Exchange,
    /// The entries by their files in the new documents.
    entries: BTreeMap<&'a str, &'a str>,
    /// The places of replaced values that pack reports.
    told: HashSet<String>,
    facts: HashSet<String>,
    /// The file and keys of the edit, and the value before.
    edited: (String, Value),
    /// The model before the edit, and that of the packed file.
    before: &'a mut Model,
    model: &'a mut Model,
}

impl Compare<'_> {
    fn document(&mut self, old: &str, new: &str) -> Found {
        let entry = self.entries.get(new).copied().unwrap_or_default().to_owned();
        let data = |document: &Document, file: &str| match document {
            Document::Json(json) if file == MANIFEST => {
                json.get("data").or(json.get("file")).cloned().unwrap_or_default()
            }
            Document::Json(json) => json.clone(),
            Document::Raw(bytes) => ::field::hex(bytes).into(),
        };
        let (before, after) = (self.old.files.get(old), self.new.files.get(new));
        let (Some(before), Some(after)) = (before, after) else { return Err(format!("{old} or {new} is missing")) };
        let (before, after) = (data(before, old), data(after, new));
        self.value(&before, &after, old, &entry, &mut Vec::new())
    }

    /// Compares images, sounds or text in separate files.
    fn medium(&self, old: &str, new: &str) -> Found {
        match (self.old.files.get(old), self.new.files.get(new)) {
            (Some(Document::Raw(before)), Some(Document::Raw(after))) => match self.shows_as(new, before, after) {
                true => Ok(()),
                false => Err("differs".to_owned()),
            },
            _ => Ok(()),
        }
    }

    /// Returns `true` if a medium is unchanged, except for effects of the edited value: the rate of a WAV, or pixels of
    /// a PNG that became indices.
    fn shows_as(&self, file: &str, old: &[u8], new: &[u8]) -> bool {
        let extension = file.rsplit_once('.').map_or("", |(_, end)| end);
        let mut keys = self.edited.0.trim_end_matches("/kept").rsplit('/');
        match (extension, keys.next()) {
            _ if old == new => true,
            ("wav", Some("rate")) => {
                // All except for the frames and bytes per second.
                let but_rate = |wav: &[u8]| wav.get(..24).zip(wav.get(32..)).map(|(a, b)| (a.to_vec(), b.to_vec()));
                but_rate(old).is_some() && but_rate(old) == but_rate(new)
            }
            ("png", _) if self.is_made_of_indices() => {
                // The opacity of indices is in a separate file.
                let shown = |png: &[u8]| {
                    let it = Picture::read(png).ok()?;
                    let colors: Vec<_> = it.colors.iter().map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
                    Some((it.width, it.height, colors))
                };
                shown(old).is_some() && shown(old) == shown(new)
            }
            _ => false,
        }
    }

    /// Returns `true` if the edited value is the number of colors of an image, or an image that lost this number.
    fn is_made_of_indices(&self) -> bool {
        let (place, before) = &self.edited;
        place.ends_with(&format!("/{COLORS}")) || (place.ends_with(":/") && before.get(COLORS).is_some())
    }

    fn value(&mut self, old: &Value, new: &Value, file: &str, entry: &str, keys: &mut Vec<String>) -> Found {
        let place = |keys: &[String]| {
            if entry.is_empty() { format!("/{}", keys.join("/")) } else { format!("{entry}:/{}", keys.join("/")) }
        };
        let here = format!("{file}:/{}", keys.join("/"));
        // Values replaced while the documents are read are reported with the name of the file.
        let loaded = |keys: &[String]| format!("{}{}", Place::default().with_entry(Label::role(file)), keys.join("/"));
        let text = |json: &Value, name: &str| json.get(name).and_then(Value::text).map(str::to_owned);
        match (old, new) {
            _ if self.told.contains(&place(keys))
                || self.told.contains(&loaded(keys))
                || (is_empty(old) && is_empty(new)) =>
            {
                Ok(())
            }
            // The WAV has the edited rate, rounded, so the rate computed from it differs.
            (Value::Object(_), _)
                if self.edited.0 == format!("{here}/kept")
                    && here.ends_with("/rate")
                    && old.get("kept").is_some_and(|kept| is_same_fixed(kept, new.get("kept").unwrap_or(new))) =>
            {
                Ok(())
            }
            (Value::Object(before), Value::Object(after)) => {
                if let (Some(old), Some(new)) = (text(old, "file"), text(new, "file")) {
                    self.document(&old, &new)?;
                }
                for name in media().flat_map(|medium| medium.files).map(|(member, _)| member) {
                    if let (Some(old), Some(new)) = (text(old, name), text(new, name)) {
                        self.medium(&old, &new).map_err(|why| format!("{}/{name} {why}", place(keys)))?;
                    }
                }
                // The name of the file of an image, a sound or text depends on what contains it.
                let is_medium = |name: &str| media().any(|it| it.files.iter().any(|(member, _)| *member == name));
                let is_plane = self.is_made_of_indices();
                let is_named = |name: &str| {
                    is_medium(name) && (text(new, name).is_some() || (is_plane && name == "alpha_picture"))
                };
                for (name, value) in before.iter().filter(|(name, _)| name != "file" && !is_named(name)) {
                    keys.push(name.to_string());
                    match new.get(name) {
                        Some(new) => self.value(value, new, file, entry, keys)?,
                        None if self.told.contains(&loaded(keys)) => {}
                        // Controllers are shown as rows once their keys have been put in order.
                        None if matches!(name.as_str(), "keys" | "data")
                            && new.get("controllers").is_some()
                            && is_in_order(&self.told, &place(&keys[..keys.len() - 1])) => {}
                        // Blank offsets are 0 by either rule if no entry of a table has a text.
                        None if name == "blank_offsets" && old.get("entries").is_some_and(is_empty) => {}
                        // Bits that are no longer those of a NaN are shown as the value.
                        None if name == "bits" && new.get("value").is_some_and(|new| is_float_of(value, new)) => {}
                        // A missing value that was empty is fine unless an edit emptied it.
                        None if is_empty(value) && format!("{file}:/{}", keys.join("/")) != self.edited.0 => {}
                        None => self.absent(value, &place(keys))?,
                    }
                    keys.pop();
                }
                for (name, value) in after.iter().filter(|(name, _)| old.get(name).is_none()) {
                    keys.push(name.to_string());
                    // New members are fine if they are remarks that had been removed, empty strings, lists or entries,
                    // or kinds that had been left to the content.
                    // A PNG without a checksum does not show whether its palette has been edited, so its colors count.
                    // Colors that became indices have their opacity in a separate file.
                    let is_plane = name == "alpha_picture" && self.is_made_of_indices();
                    // A number of fewer bits than its word, and bits that are no longer those of a NaN, are shown as the value.
                    let is_plain = name == "value"
                        && (old.get("word") == Some(value)
                            || old.get("bits").is_some_and(|bits| is_float_of(bits, value)));
                    let is_rows = name == "controllers" && is_in_order(&self.told, &place(&keys[..keys.len() - 1]));
                    // A talk table whose texts are all UTF-8 now is shown in it.
                    let is_table = new.get("language").is_some() && new.get("entries").is_some();
                    let is_utf_8 = is_table && place(keys) == "/encoding" && value.text() == Some("utf-8");
                    let known = name == PALETTE
                        || is_utf_8
                        || is_plane
                        || is_plain
                        || is_rows
                        || is_empty(value)
                        || name == "kind"
                        || name == "file"
                        || self.facts.contains(&place(keys));
                    if !(known || is_no_number(value) || self.was(value, &place(keys))?) {
                        return Err(format!("{} is there: {}", place(keys), Compact(value)));
                    }
                    keys.pop();
                }
                Ok(())
            }
            (Value::List(before), Value::List(after)) if before.len() == after.len() => {
                let (before, after) = (led(before), led(after));
                for (index, (old, new)) in before.iter().zip(&*after).enumerate() {
                    keys.push(index.to_string());
                    self.value(old, new, file, entry, keys)?;
                    keys.pop();
                }
                Ok(())
            }
            _ if old == new => Ok(()),
            // A plain value in place of a computed one.
            (_, Value::Object(_)) if new.get("kept") == Some(old) => Ok(()),
            // A different spelling: flags as text, an integer for a float.
            (Value::Text(_) | Value::Integer(_), Value::Object(_))
                if let Some(kept) = new.get("kept")
                    && self.holds(&place(keys), old, kept)? =>
            {
                Ok(())
            }
            (Value::Object(_), _) if old.get("text") == Some(new) => Ok(()),
            // Bits that are no longer those of a NaN are shown as a number.
            (Value::Object(_), _) if old.only("bits").is_some_and(|bits| is_float_of(bits, new)) => Ok(()),
            // A record with one member can be written as its value.
            (_, Value::Object(members)) if matches!(&members[..], [(_, only)] if only == old) => Ok(()),
            // The index of something with a name follows it.
            (Value::Named(Some(old), _), Value::Named(Some(new), _)) if old == new => Ok(()),
            // Words are shown with one space between them, and with quotes only if necessary.
            (Value::Text(old), Value::Text(new))
                if keys.last().is_some_and(|key| key == "words")
                    && unquoted(old).split_ascii_whitespace().eq(unquoted(new).split_ascii_whitespace()) =>
            {
                Ok(())
            }
            // A value with several spellings: a number with a name, flags as their bits, a decimal with more digits than necessary.
            (
                Value::Text(_) | Value::Integer(_) | Value::Named(..) | Value::Float(_),
                Value::Text(_) | Value::Integer(_) | Value::Named(..) | Value::Float(_) | Value::Fixed(_),
            ) if self.holds(place(keys).trim_end_matches("/kept"), old, new)? => Ok(()),
            // A talk table whose texts are all UTF-8 now is shown in it, also those that an edit has left as they were.
            (Value::Text(old), Value::Text(new))
                if matches!(&keys[..], [.., list, _, last] if list == "entries" && last == "text")
                    && encode_text(GAME_TEXT, old).is_some_and(|bytes| bytes == new.as_bytes()) =>
            {
                Ok(())
            }
            // The language of a talk table decides what its texts are shown in.
            _ if self.edited.0 == format!("{file}:/language")
                && matches!(&keys[..], [.., list, _, last] if list == "entries" && last == "text")
                && self.differs_only_in(8..12)? =>
            {
                Ok(())
            }
            // Rows that both packers pack identically.
            _ if keys.last().is_some_and(|key| key == "packer") => Ok(()),
            // Bytes at the end keep their positions when the data before them changes length.
            _ if keys.last().is_some_and(|key| key == "tail" || key == "rest") && {
                let both = old.bytes().zip(new.bytes());
                both.is_some_and(|(old, new)| !new.is_empty() && (old.ends_with(&new) || new.ends_with(&old)))
            } =>
            {
                Ok(())
            }
            // A value without a tail needs no object around it.
            (Value::Object(_), _) if old.get("value").is_some() => {
                self.value(&old.get("value").cloned().unwrap_or_default(), new, file, entry, keys)
            }
            // An offset or size that is always shown is updated with the data it describes.
            (Value::Integer(_), Value::Integer(_)) if here != self.edited.0 && self.is_derived(&place(keys))? => Ok(()),
            _ => Err(format!("{} is {} instead of {}", place(keys), Compact(new), Compact(old))),
        }
    }

    /// Returns the value at a place of the packed file.
    fn stored(&mut self, place: &str) -> Found<Option<LeafValue>> {
        let mut stored = Stored { place, found: None };
        visit(self.model, &mut stored).map_err(|error| error.to_string())?;
        Ok(stored.found)
    }

    /// Returns `true` if the edit has changed only these bytes of the file.
    fn differs_only_in(&self, range: core::ops::Range<usize>) -> Found<bool> {
        let bytes = |model: &Model| encode(model).map_err(|error| error.to_string());
        let (before, after) = (bytes(self.before)?, bytes(self.model)?);
        let differs = |at: usize| before[at] != after[at] && !range.contains(&at);
        Ok(before.len() == after.len() && !(0..before.len()).any(differs))
    }

    /// Returns `true` if the value at a place is derived from others.
    fn is_derived(&mut self, place: &str) -> Found<bool> {
        Ok(self.stored(place)?.is_some_and(|(class, ..)| class == Class::Derived))
    }

    /// Returns `true` if the packed field holds a value that is shown with a different spelling.
    fn holds(&mut self, place: &str, said: &Value, shown: &Value) -> Found<bool> {
        let other_type = discriminant(said) != discriminant(shown);
        // An integer has only one spelling as a number.
        if !other_type && matches!(said, Value::Integer(_)) {
            return Ok(false);
        }
        Ok(match self.stored(place)? {
            Some((_, Some(leaf), bytes)) => {
                let mut own = vec![0; leaf.size];
                leaf.tail.is_none() && leaf.set(said, &mut own).is_ok() && own == bytes
            }
            // Custom encodings name numbers by values stored elsewhere.
            _ => other_type,
        })
    }

    /// Returns `true` if a value that was omitted as derived is unchanged, though it is no longer derived.
    fn was(&mut self, value: &Value, place: &str) -> Found<bool> {
        let shown = show(self.before, place, usize::MAX).map_err(|error| error.to_string())?;
        Ok(shown.is_some_and(|shown| shown == *value || Some(&shown) == value.get("kept")))
    }

    /// Checks that an omitted value is the computed one.
    fn absent(&mut self, old: &Value, place: &str) -> Found {
        if self.told.contains(place) {
            return Ok(());
        }
        // `show` truncates values of more than 64 bytes.
        if let Some(said) = old.bytes().filter(|said| said.len() > 64)
            && self.stored(place)?.is_some_and(|(_, _, bytes)| said[..] == bytes)
        {
            return Ok(());
        }
        let shown = show(self.model, place, usize::MAX).map_err(|error| error.to_string())?;
        let plain = old.get("kept").unwrap_or(old);
        // A word that is that of a small number is shown as the number.
        if shown.is_none()
            && let Some(field) = place.strip_suffix("/word")
            && show(self.model, &format!("{field}/value"), usize::MAX).is_ok_and(|value| value.as_ref() == Some(old))
        {
            return Ok(());
        }
        match shown {
            None if is_empty(old) => Ok(()),
            // A layout is packed unless it says otherwise.
            None if *old == Value::Bool(true) && place.ends_with("/__layout/packed") => Ok(()),
            // A talk table whose texts are all ASCII now is in UTF-8 as much as in any other encoding.
            None if place == "/encoding" && old.text() == Some("utf-8") => Ok(()),
            // Bits that are no longer those of a NaN are shown as the value.
            None if let Some(field) = place.strip_suffix("/bits")
                && show(self.model, &format!("{field}/value"), usize::MAX)
                    .is_ok_and(|value| value.is_some_and(|value| is_float_of(old, &value))) =>
            {
                Ok(())
            }
            // In trees of fields, -1 is what an absent id means.
            None if *old == -1 && (place.ends_with("/__struct_id") || place.ends_with("/id")) => Ok(()),
            None if *old == i64::from(u32::MAX) && place.ends_with("/value/id") => Ok(()),
            // Flags of which none is set have no text.
            Some(Value::Named(None, 0)) if plain.text() == Some("") => Ok(()),
            Some(shown) if is_said(plain, &shown) || shown == *old || (is_empty(old) && is_empty(&shown)) => Ok(()),
            shown => Err(format!("{place} was {}, is {shown:?}", Compact(old))),
        }
    }
}

/// Returns `true` if two numbers are the same in units of 1/65,536.
fn is_same_fixed(one: &Value, other: &Value) -> bool {
    let units = |json: &Value| Some((Compact(json).to_string().parse::<f64>().ok()? * 65_536.0).round());
    one == other || units(one).is_some_and(|one| Some(one) == units(other))
}

/// Returns `true` if a number is the float of these bits.
fn is_float_of(bits: &Value, number: &Value) -> bool {
    let (digits, number) = (bits.text().unwrap_or_default(), Compact(number).to_string());
    let number = number.trim_matches('"');
    match digits.len() {
        // A float of 64 bits is a number or text.
        16 => {
            u64::from_str_radix(digits, 16).is_ok_and(|bits| number.parse::<f64>().is_ok_and(|it| it.to_bits() == bits))
        }
        _ => ::field::float_of_bits(digits)
            .is_some_and(|float| number.parse::<f32>().is_ok_and(|it| it.to_bits() == float.to_bits())),
    }
}

/// Returns `true` if `whole` contains everything in `said`; it may contain more.
fn is_said(said: &Value, whole: &Value) -> bool {
    match (said, whole) {
        (Value::Object(members), Value::Object(_)) => members.iter().all(|(name, said)| match whole.get(name) {
            Some(whole) => is_said(said, whole),
            None => is_empty(said),
        }),
        (Value::List(said), Value::List(whole)) if said.len() == whole.len() => {
            said.iter().zip(whole).all(|(said, whole)| is_said(said, whole))
        }
        // An integer can represent the float of equal value.
        (Value::Integer(said), Value::Float(whole)) => *said as f32 == *whole as f32,
        // A string without a tail needs no object around it.
        (Value::Object(_), whole) => said.get("tail").is_some_and(is_empty) && said.get("text") == Some(whole),
        _ => said == whole,
    }
}

/// Returns `true` for a kept value that equals the computed one: a rule that gives NaN never matches.
fn is_no_number(value: &Value) -> bool {
    value.get("kept").is_some_and(|kept| Some(kept) == value.get("computed"))
}

/// Returns `true` if a value contains only empty strings, bytes and other empty values.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().all(|(_, value)| is_empty(value)),
        Value::List(items) => items.iter().all(is_empty),
        Value::Bool(false) | Value::Null | Value::Integer(0) => true,
        Value::Float(float) => float.to_bits() == 0,
        _ => value.bytes().is_some_and(|bytes| bytes.is_empty()),
    }
}

/// The position of an editable value: the file, and the keys to the value.
pub(crate) type Site = (String, Vec<String>);

/// The positions to draw from.
pub(crate) enum Sites {
    /// All of them, each as likely as any other.
    All(Vec<Site>),
    /// In a large file a walk from the top draws one, because a list of all would be much larger than the file.
    Large,
}

impl Sites {
    /// Returns the positions of a file.
    pub(crate) fn of(case: &Case, exchange: &Exchange) -> Self {
        if case.is_large { Self::Large } else { Self::All(sites(exchange)) }
    }

    /// Draws a position.
    pub(crate) fn drawn(&self, exchange: &Exchange, draw: Draw<'_>) -> Option<Site> {
        match self {
            Self::All(sites) => sites.get(draw(sites.len() as u64) as usize).cloned(),
            // A walk through a folder without values ends nowhere.
            Self::Large => (0..64).find_map(|_| walked(exchange, draw)),
        }
    }
}

/// Draws a position: often in the first document, else in any, and at every level one of the values below, or none.
fn walked(exchange: &Exchange, draw: Draw<'_>) -> Option<Site> {
    let file = match draw(3) {
        0 => MANIFEST,
        _ => exchange.files.keys().nth(draw(exchange.files.len() as u64) as usize)?,
    };
    let mut keys = Vec::new();
    let mut json = match exchange.files.get(file)? {
        Document::Raw(_) => return Some((file.to_owned(), keys)),
        Document::Json(json) if file == MANIFEST => {
            keys.push("data".to_owned());
            json.get("data")?
        }
        Document::Json(json) => json,
    };
    loop {
        let key = match json {
            Value::Object(members) if !members.is_empty() => members[draw(members.len() as u64) as usize].0.to_string(),
            Value::List(items) if !items.is_empty() => draw(items.len() as u64).to_string(),
            _ => break,
        };
        if key == "file" || (!keys.is_empty() && draw(8) == 0) {
            break;
        }
        json = json.step(&key)?;
        keys.push(key);
    }
    (!keys.is_empty()).then(|| (file.to_owned(), keys))
}

fn sites(exchange: &Exchange) -> Vec<Site> {
    let mut sites = Vec::new();
    for (file, document) in &exchange.files {
        let Document::Json(json) = document else {
            sites.push((file.clone(), Vec::new()));
            continue;
        };
        match (file == MANIFEST, json.get("data")) {
            (true, Some(data)) => gather(data, file, &mut vec!["data".to_owned()], &mut sites),
            (true, None) => {}
            (false, _) => gather(json, file, &mut Vec::new(), &mut sites),
        }
    }
    sites
}

fn gather(json: &Value, file: &str, keys: &mut Vec<String>, sites: &mut Vec<Site>) {
    if !keys.is_empty() {
        sites.push((file.to_owned(), keys.clone()));
    }
    let inner: Vec<(String, &Value)> = match json {
        Value::Object(members) => members.iter().map(|(name, value)| (name.to_string(), value)).collect(),
        Value::List(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        _ => return,
    };
    // The file of an entry is not a packed value.
    for (key, value) in inner.into_iter().filter(|(key, _)| key != "file") {
        keys.push(key);
        gather(value, file, keys, sites);
        keys.pop();
    }
}

/// Edits a value, and returns a description of the edit.
fn edit(exchange: &mut Exchange, file: &str, keys: &[String], draw: Draw<'_>) -> Option<String> {
    let json = match exchange.files.get_mut(file)? {
        Document::Json(json) => json,
        Document::Raw(bytes) => {
            let mut edited = bytes.to_vec();
            let at = draw(edited.len() as u64) as usize;
            *edited.get_mut(at)? ^= 1 << draw(8);
            *bytes = edited.into();
            return Some(format!("changed byte {at}"));
        }
    };
    change(keys.iter().try_fold(json, |json, key| json.step_mut(key))?, draw)
}

/// Changes a value, and returns a description of the change.
pub(crate) fn change(value: &mut Value, draw: Draw<'_>) -> Option<String> {
    let before = Compact(value).to_string();
    match value {
        Value::Bytes(bytes) if draw(2) == 0 => {
            let at = draw(bytes.len() as u64) as usize;
            let mut changed = bytes.to_vec();
            *changed.get_mut(at)? ^= 1 << draw(8);
            **bytes = changed.into();
        }
        // In the notation that people see.
        Value::Bytes(bytes) => *value = ::field::hex(bytes).into(),
        Value::Named(Some(name), _) => *value = Value::Text(name.clone()),
        Value::Named(None, number) => *value = Value::Integer(*number),
        _ => {}
    }
    match value {
        Value::Bytes(_) | Value::Named(..) => {}
        Value::Integer(it) => {
            *it = match draw(6) {
                0 => 0,
                1 => it.wrapping_add(1),
                2 => it.wrapping_sub(1),
                3 => *it ^ (1 << draw(32)),
                4 => draw(1 << 32) as i64,
                _ => -1 - draw(1 << 31) as i64,
            }
        }
        Value::Float(it) => {
            *value = match draw(3) {
                0 => Value::from(*it as f32 + 1.0),
                1 => Value::from(f32::from_bits(draw(1 << 32) as u32)),
                _ => Value::from(f32::from_bits((*it as f32).to_bits() ^ 1)),
            }
        }
        Value::Fixed(it) => {
            *it = match draw(3) {
                0 => *it + 0x10000,
                1 => *it ^ (1 << draw(31)),
                _ => -*it,
            }
        }
        // Hexadecimal numbers and floats.
        Value::Text(text) if text.starts_with("0x") || text.starts_with("f32:") => {
            let digit = char::from_digit(draw(16) as u32, 16)?;
            let mut edited = text.to_string();
            edited.pop();
            edited.push(digit);
            *text = edited.into();
        }
        Value::Text(text) => {
            let mut edited = text.to_string();
            match draw(6) {
                0 => edited.clear(),
                1 => edited.push('x'),
                2 => edited.push_str(&"long ".repeat(20)),
                3 => drop(edited.pop()),
                4 => edited.push('é'),
                _ => edited.push('λ'),
            }
            *text = edited.into();
        }
        Value::Bool(it) => *it = !*it,
        Value::List(items) => {
            let at = draw(items.len() as u64) as usize;
            let item = items.get(at)?.clone();
            match draw(3) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, item),
                _ => items.push(item),
            }
        }
        Value::Object(members) => {
            let at = draw(members.len() as u64) as usize;
            members.get(at)?;
            members.remove(at);
        }
        Value::Null => return None,
    }
    let after = Compact(value).to_string();
    let short = |text: &str| text.chars().take(80).collect::<String>();
    (before != after).then(|| format!("{} became {}", short(&before), short(&after)))
}

/// Returns words without quotes.
fn unquoted(words: &str) -> String {
    words.trim_end_matches('\\').replace('"', "")
}

/// Returns the instructions of a script with the indices that their jumps lead to instead of labels, and other lists unchanged. A file
/// stores no labels: their names follow from the indices.
fn led(items: &[Value]) -> Cow<'_, [Value]> {
    if !items.iter().any(|item| item.get("op").is_some() && item.get("label").is_some()) {
        return items.into();
    }
    let at = |label: &Value| items.iter().position(|item| item.get("label") == Some(label));
    let instruction = |item: &Value| {
        let mut item = item.without(&["label"]);
        if let Some(to) = item.get("to").and_then(at) {
            item.put("to", wide(to).into());
        }
        item
    };
    items.iter().map(instruction).collect()
}
