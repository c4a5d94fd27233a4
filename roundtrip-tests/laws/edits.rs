//! Random edits of the exchange form, drawn from the JSON itself, and whether the packed file says what was edited.

use std::collections::{BTreeMap, HashSet};
use std::mem::discriminant;

use bitexact::exchange::{self, About, MANIFEST, Packed};
use bitexact::field::{Class, Document, Fault, Json, Label, Leaf, Place, Visitor, encode, visit};
use bitexact::format::Game;
use bitexact::media::png::{PALETTE, Picture};
use bitexact::proof::Sha;
use bitexact::registry::{KINDS, Model};
use bitexact::show::show;
use bitexact::verify::{Status, verify};

use crate::harness::Case;
use crate::harness::form::{Exchange, Unpacked, media, pack, unpack};

pub(crate) type Found<T = ()> = Result<T, String>;
/// Draws a number below another.
pub(crate) type Draw<'a> = &'a mut dyn FnMut(u64) -> u64;

/// Makes so many edits of a file, one at a time. Gives how many were not refused.
pub(crate) fn edits(case: &Case, times: usize, draw: Draw<'_>) -> Found<usize> {
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let unpacked = unpacked(case, &case.bytes)?;
    let sites = sites(&unpacked.exchange);
    let mut taken = 0;
    for _ in 0..times {
        let Some((file, keys)) = sites.get(draw(sites.len() as u64) as usize) else { break };
        let mut edited = unpacked.exchange.clone();
        let before = at(&edited, file, keys);
        let Some(words) = edit(&mut edited, file, keys, draw) else { continue };
        let said = says(case, name, edited, (file, keys, before));
        taken += usize::from(said.map_err(|why| format!("{file}: /{}: {words}: {why}", keys.join("/")))?);
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

/// What is at a place of the form, if it is JSON.
pub(crate) fn at(exchange: &Exchange, file: &str, keys: &[String]) -> Json {
    let Some(Document::Json(json)) = exchange.files.get(file) else { return Json::Null };
    keys.iter().try_fold(json, |json, key| json.step(key)).cloned().unwrap_or_default()
}

/// The packed file verifies identical and says what the edited form says, or the edit is refused with a place. Gives whether
/// there was a file to compare.
fn says(case: &Case, name: &str, edited: Exchange, (file, keys, before): (&str, &[String], Json)) -> Found<bool> {
    let as_edited = edited.clone();
    // What people edit is text.
    let edited = Exchange::parse(edited.contents()).map_err(|why| format!("its text is no JSON: {why}"))?;
    // Where a file holds one value, that is the place.
    let Ok(mut taken) = taken(case, name, pack(edited), keys.len() <= 1)? else { return Ok(false) };
    let keys = if file == MANIFEST { &keys[1..] } else { keys };
    let unpacked = unpacked(case, &taken.bytes)?;
    let new = &unpacked.exchange;
    taken.says(case, (&as_edited, new), &unpacked, (format!("{file}:/{}", keys.join("/")), before)).map(|()| true)
}

/// A form that packs to a file of its kind, which verifies identical.
pub(crate) struct Taken {
    /// The file.
    pub(crate) bytes: Vec<u8>,
    /// Places of values that rules have replaced, which pack reports.
    pub(crate) told: HashSet<String>,
    /// The model of the file.
    model: Model,
}

/// Proves what an edited form packs to. Gives why it is refused, which must be with a place unless the `root` is one, or the file that it is.
pub(crate) fn taken(
    case: &Case,
    name: &str,
    edited: Result<Packed, bitexact::field::Error>,
    root: bool,
) -> Found<Result<Taken, String>> {
    let refused = |error: bitexact::field::Error| match error.fault() {
        // Members that nobody knows are no steps of a place.
        Fault::Unknown { expected, .. } if expected.starts_with("no member ") => Ok(Err(error.to_string())),
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
        // The program refuses that, by the name of the kind.
        return Ok(Err(format!("recognized as {}", report.kind.unwrap_or("nothing known"))));
    }
    match (report.status, report.failure) {
        (Status::Identical, None) => {}
        // So it does a file that does not decode, with offset and place.
        (Status::Refused, Some(bitexact::verify::Failure::Decode(error))) => return refused(error),
        (status, failure) => return Err(format!("the packed file is {status:?}: {failure:?}")),
    }
    let misread = exchange::misread(&model, case.kind, &bytes.clone().into()).map_err(|error| error.to_string())?;
    // And what would be taken for something else.
    if let Some(refusal) = misread {
        return Ok(Err(refusal.to_string()));
    }
    let model = decoded(case, &bytes)?;
    Ok(Ok(Taken { bytes, told: told.iter().map(|told| reported(&told.place)).collect(), model }))
}

/// The place of a value that pack reports to have replaced; a file of the form before it as errors have it.
fn reported(place: &str) -> String {
    match place.split_once(": /") {
        Some((file, pointer)) => format!("{}{pointer}", Place::default().with_entry(Label::role(file))),
        None => place.to_owned(),
    }
}

impl Taken {
    /// The `new` form, that of the file, has what the `old` one has, which was edited at a file and keys. Names of entries are
    /// those of the unpacked file.
    ///
    /// # Errors
    /// Returns an error if a value is lost, or if one has changed that pack does not report.
    pub(crate) fn says(
        &mut self,
        case: &Case,
        (old, new): (&Exchange, &Exchange),
        unpacked: &Unpacked,
        edited: (String, Json),
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

/// Remarks, and what no byte tells.
#[derive(Default)]
struct Facts(HashSet<String>);

impl Visitor for Facts {
    fn data(&mut self, _: &bitexact::field::Datum<'_>) -> bitexact::field::Result {
        Ok(())
    }

    fn fact(&mut self, place: &Place, _: Json) {
        self.0.insert(place.to_string());
    }

    fn wants_facts(&self) -> bool {
        true
    }
}

/// A value of a file: its class, its type if it is of fixed shape, its bytes.
type Value = (Class, Option<&'static Leaf>, Vec<u8>);

/// Looks for the value at a place.
struct Stored<'a> {
    place: &'a str,
    found: Option<Value>,
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

/// The member that says whether the pixels of an image are indices.
const COLORS: &str = "palette_count";

/// An edited form, and that of the file packed from it.
struct Compare<'a> {
    old: &'a Exchange,
    new: &'a Exchange,
    /// The entry that a file of the new form is.
    entries: BTreeMap<&'a str, &'a str>,
    /// Places of values that have been replaced, and which pack told.
    told: HashSet<String>,
    facts: HashSet<String>,
    /// The file and keys that were edited, and what was there before.
    edited: (String, Json),
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
            Document::Raw(bytes) => bitexact::field::hex(bytes).into(),
        };
        let (before, after) = (self.old.files.get(old), self.new.files.get(new));
        let (Some(before), Some(after)) = (before, after) else { return Err(format!("{old} or {new} is missing")) };
        let (before, after) = (data(before, old), data(after, new));
        self.value(&before, &after, old, &entry, &mut Vec::new())
    }

    /// An image, a sound or a text that is a file of its own.
    fn medium(&self, old: &str, new: &str) -> Found {
        match (self.old.files.get(old), self.new.files.get(new)) {
            (Some(Document::Raw(before)), Some(Document::Raw(after))) => match self.shows_as(new, before, after) {
                true => Ok(()),
                false => Err("differs".to_owned()),
            },
            _ => Ok(()),
        }
    }

    /// Whether a medium is what it was, but for what says the edited value itself: a WAV its rate, an indexed PNG that its
    /// pixels are indices.
    fn shows_as(&self, file: &str, old: &[u8], new: &[u8]) -> bool {
        let extension = file.rsplit_once('.').map_or("", |(_, end)| end);
        let mut keys = self.edited.0.trim_end_matches("/kept").rsplit('/');
        match (extension, keys.next()) {
            _ if old == new => true,
            ("wav", Some("rate")) => {
                // The frames and the bytes of a second.
                let but_rate = |wav: &[u8]| wav.get(..24).zip(wav.get(32..)).map(|(a, b)| (a.to_vec(), b.to_vec()));
                but_rate(old).is_some() && but_rate(old) == but_rate(new)
            }
            ("png", _) if self.is_made_of_indices() => {
                // Opacity beside indices is in a file of its own.
                let shown = |png: &[u8]| {
                    let it = Picture::read(png).ok()?;
                    let colors: Vec<_> = it.colours.iter().map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
                    Some((it.width, it.height, colors))
                };
                shown(old).is_some() && shown(old) == shown(new)
            }
            _ => false,
        }
    }

    /// Whether the edited value is the number of colors of an image, or an image which had one and has it no more.
    fn is_made_of_indices(&self) -> bool {
        let (place, before) = &self.edited;
        place.ends_with(&format!("/{COLORS}")) || (place.ends_with(":/") && before.get(COLORS).is_some())
    }

    fn value(&mut self, old: &Json, new: &Json, file: &str, entry: &str, keys: &mut Vec<String>) -> Found {
        let place = |keys: &[String]| {
            if entry.is_empty() { format!("/{}", keys.join("/")) } else { format!("{entry}:/{}", keys.join("/")) }
        };
        let here = format!("{file}:/{}", keys.join("/"));
        // What is told while the form is read is told with the name of the file.
        let loaded = |keys: &[String]| format!("{}{}", Place::default().with_entry(Label::role(file)), keys.join("/"));
        let text = |json: &Json, name: &str| json.get(name).and_then(Json::text).map(str::to_owned);
        match (old, new) {
            _ if self.told.contains(&place(keys))
                || self.told.contains(&loaded(keys))
                || (is_empty(old) && is_empty(new)) =>
            {
                Ok(())
            }
            // The WAV has the rate that was edited, rounded, so what it gives is another.
            (Json::Object(_), _)
                if self.edited.0 == format!("{here}/kept")
                    && here.ends_with("/rate")
                    && old.get("kept") == Some(new.get("kept").unwrap_or(new)) =>
            {
                Ok(())
            }
            (Json::Object(before), Json::Object(after)) => {
                if let (Some(old), Some(new)) = (text(old, "file"), text(new, "file")) {
                    self.document(&old, &new)?;
                }
                for name in media().flat_map(|medium| medium.files).map(|(member, _)| member) {
                    if let (Some(old), Some(new)) = (text(old, name), text(new, name)) {
                        self.medium(&old, &new).map_err(|why| format!("{}/{name} {why}", place(keys)))?;
                    }
                }
                // What the file of an image, a sound or a text is called follows from what it is of.
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
                        // What was left empty says nothing; what an edit made so does.
                        None if is_empty(value) && format!("{file}:/{}", keys.join("/")) != self.edited.0 => {}
                        None => self.absent(value, &place(keys))?,
                    }
                    keys.pop();
                }
                for (name, value) in after.iter().filter(|(name, _)| old.get(name).is_none()) {
                    keys.push(name.to_string());
                    // A remark that was taken away is there again; a text, list or entry that is not there is empty; and what an
                    // entry is may be left to its content.
                    // Without a checksum, a PNG does not say whether its palette has been edited; then its colors count.
                    // Colors that became indices have their opacity in a file of its own.
                    let is_plane = name == "alpha_picture" && self.is_made_of_indices();
                    let known = name == PALETTE
                        || is_plane
                        || is_empty(value)
                        || name == "kind"
                        || name == "file"
                        || self.facts.contains(&place(keys));
                    if !(known || is_no_number(value) || self.was(value, &place(keys))?) {
                        return Err(format!("{} is there: {value}", place(keys)));
                    }
                    keys.pop();
                }
                Ok(())
            }
            (Json::List(before), Json::List(after)) if before.len() == after.len() => {
                for (index, (old, new)) in before.iter().zip(after).enumerate() {
                    keys.push(index.to_string());
                    self.value(old, new, file, entry, keys)?;
                    keys.pop();
                }
                Ok(())
            }
            _ if old == new => Ok(()),
            // A plain value in place of what a rule gives.
            (_, Json::Object(_)) if new.get("kept") == Some(old) => Ok(()),
            // The same, written in another way: flags as text, a whole number for a float.
            (Json::Text(_) | Json::Integer(_), Json::Object(_))
                if let Some(kept) = new.get("kept")
                    && self.holds(&place(keys), old, kept)? =>
            {
                Ok(())
            }
            (Json::Object(_), _) if old.get("text") == Some(new) => Ok(()),
            // One and the same can be written in several ways: a number that has a name, flags as their bits.
            (Json::Text(_) | Json::Integer(_), Json::Text(_) | Json::Integer(_) | Json::Float(_))
                if self.holds(place(keys).trim_end_matches("/kept"), old, new)? =>
            {
                Ok(())
            }
            // Rows that pack alike either way.
            _ if keys.last().is_some_and(|key| key == "packer") => Ok(()),
            // What is left behind something stays where it is, when that ends elsewhere.
            _ if keys.last().is_some_and(|key| key == "tail" || key == "rest") && {
                let both = old.bytes().zip(new.bytes());
                both.is_some_and(|(old, new)| !new.is_empty() && (old.ends_with(&new) || new.ends_with(&old)))
            } =>
            {
                Ok(())
            }
            // All there is needs no name, when nothing stands beside it any more.
            (Json::Object(_), _) if old.get("value").is_some() => {
                self.value(&old.get("value").cloned().unwrap_or_default(), new, file, entry, keys)
            }
            // An offset or size that is always shown follows what it tells of.
            (Json::Integer(_), Json::Integer(_)) if here != self.edited.0 && self.is_derived(&place(keys))? => Ok(()),
            _ => Err(format!("{} is {new} instead of {old}", place(keys))),
        }
    }

    /// What the packed file has at a place.
    fn stored(&mut self, place: &str) -> Found<Option<Value>> {
        let mut stored = Stored { place, found: None };
        visit(self.model, &mut stored).map_err(|error| error.to_string())?;
        Ok(stored.found)
    }

    /// Whether the value at a place is one that follows from others.
    fn is_derived(&mut self, place: &str) -> Found<bool> {
        Ok(self.stored(place)?.is_some_and(|(class, ..)| class == Class::Derived))
    }

    /// Whether the packed field holds what a value says that is shown in another way.
    fn holds(&mut self, place: &str, said: &Json, shown: &Json) -> Found<bool> {
        let other_type = discriminant(said) != discriminant(shown);
        // A number says itself alone.
        if !other_type && !matches!(said, Json::Text(_)) {
            return Ok(false);
        }
        Ok(match self.stored(place)? {
            Some((_, Some(leaf), bytes)) => {
                let mut own = vec![0; leaf.size];
                leaf.tail.is_none() && (leaf.load)(said, &mut own).is_ok() && own == bytes
            }
            // An encoding of its own names numbers by what stands elsewhere.
            _ => other_type,
        })
    }

    /// Whether a value that was not there because it followed from others is what it was, though it no longer follows.
    fn was(&mut self, value: &Json, place: &str) -> Found<bool> {
        let shown = show(self.before, place, usize::MAX).map_err(|error| error.to_string())?;
        Ok(shown.is_some_and(|shown| shown == *value || Some(&shown) == value.get("kept")))
    }

    /// A value that is not there again is what a rule gives.
    fn absent(&mut self, old: &Json, place: &str) -> Found {
        if self.told.contains(place) {
            return Ok(());
        }
        // Of more than 64 bytes `show` has only the first.
        if let Some(said) = old.bytes().filter(|said| said.len() > 64)
            && self.stored(place)?.is_some_and(|(_, _, bytes)| said[..] == bytes)
        {
            return Ok(());
        }
        let shown = show(self.model, place, usize::MAX).map_err(|error| error.to_string())?;
        let plain = old.get("kept").unwrap_or(old);
        match shown {
            None if is_empty(old) => Ok(()),
            Some(shown) if is_said(plain, &shown) || shown == *old || (is_empty(old) && is_empty(&shown)) => Ok(()),
            shown => Err(format!("{place} was {old}, is {shown:?}")),
        }
    }
}

/// Whether all that is said of a value is what it is; it may be more.
fn is_said(said: &Json, whole: &Json) -> bool {
    match (said, whole) {
        (Json::Object(members), Json::Object(_)) => members.iter().all(|(name, said)| match whole.get(name) {
            Some(whole) => is_said(said, whole),
            None => is_empty(said),
        }),
        (Json::List(said), Json::List(whole)) if said.len() == whole.len() => {
            said.iter().zip(whole).all(|(said, whole)| is_said(said, whole))
        }
        // A whole number stands for the float that it is.
        (Json::Integer(said), Json::Float(whole)) => *said as f32 == *whole,
        // A text with nothing behind it needs no name.
        (Json::Object(_), whole) => said.get("tail").is_some_and(is_empty) && said.get("text") == Some(whole),
        _ => said == whole,
    }
}

/// Whether this is kept instead of just that: a rule that gives no number never agrees.
fn is_no_number(value: &Json) -> bool {
    value.get("kept").is_some_and(|kept| Some(kept) == value.get("computed"))
}

/// No text, no bytes, nothing that is not empty.
pub(crate) fn is_empty(value: &Json) -> bool {
    match value {
        Json::Object(members) => members.iter().all(|(_, value)| is_empty(value)),
        Json::List(items) => items.iter().all(is_empty),
        Json::Bool(false) | Json::Null | Json::Integer(0) => true,
        _ => value.bytes().is_some_and(|bytes| bytes.is_empty()),
    }
}

/// Where a value is that can be edited: the file, and the keys to it.
pub(crate) type Site = (String, Vec<String>);

pub(crate) fn sites(exchange: &Exchange) -> Vec<Site> {
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

fn gather(json: &Json, file: &str, keys: &mut Vec<String>, sites: &mut Vec<Site>) {
    if !keys.is_empty() {
        sites.push((file.to_owned(), keys.clone()));
    }
    let inner: Vec<(String, &Json)> = match json {
        Json::Object(members) => members.iter().map(|(name, value)| (name.to_string(), value)).collect(),
        Json::List(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        _ => return,
    };
    // Which file an entry is in is nothing that is packed.
    for (key, value) in inner.into_iter().filter(|(key, _)| key != "file") {
        keys.push(key);
        gather(value, file, keys, sites);
        keys.pop();
    }
}

/// Edits a value; gives what was done, in words.
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

/// Changes a value; gives what was done, in words.
pub(crate) fn change(value: &mut Json, draw: Draw<'_>) -> Option<String> {
    let before = value.to_string();
    match value {
        Json::Bytes(bytes) if draw(2) == 0 => {
            let at = draw(bytes.len() as u64) as usize;
            *bytes.get_mut(at)? ^= 1 << draw(8);
        }
        // As people see them.
        Json::Bytes(bytes) => *value = bitexact::field::hex(bytes).into(),
        _ => {}
    }
    match value {
        Json::Bytes(_) => {}
        Json::Integer(it) => {
            *it = match draw(6) {
                0 => 0,
                1 => it.wrapping_add(1),
                2 => it.wrapping_sub(1),
                3 => *it ^ (1 << draw(32)),
                4 => draw(1 << 32) as i64,
                _ => -1 - draw(1 << 31) as i64,
            }
        }
        Json::Float(it) => {
            *value = match draw(3) {
                0 => Json::from(*it + 1.0),
                1 => Json::from(f32::from_bits(draw(1 << 32) as u32)),
                _ => Json::from(f32::from_bits(it.to_bits() ^ 1)),
            }
        }
        // Numbers in hexadecimal, and bytes.
        Json::Text(text) if text.starts_with("0x") || text.starts_with("f32:") => {
            let digit = char::from_digit(draw(16) as u32, 16)?;
            let mut edited = text.to_string();
            edited.pop();
            edited.push(digit);
            *text = edited.into();
        }
        Json::Text(text) => {
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
        Json::Bool(it) => *it = !*it,
        Json::List(items) => {
            let at = draw(items.len() as u64) as usize;
            let item = items.get(at)?.clone();
            match draw(3) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, item),
                _ => items.push(item),
            }
        }
        Json::Object(members) => {
            let at = draw(members.len() as u64) as usize;
            members.get(at)?;
            members.remove(at);
        }
        Json::Null => return None,
    }
    let after = value.to_string();
    let short = |text: &str| text.chars().take(80).collect::<String>();
    (before != after).then(|| format!("{} became {}", short(&before), short(&after)))
}
