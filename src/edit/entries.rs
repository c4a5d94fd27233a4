//! Edits a model in the documents of its entries, as `patch` does.
//!
//! Only the documents that an edit touches, and those around them, are loaded again. All other entries stay as they are.

mod draft;
mod shown;
mod untouched;

pub use shown::Shown;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use bytes::Bytes;
use field::{CodePage, GAME_TEXT, MACINTOSH};
use smol_str::SmolStr;

use crate::registry::KINDS;
use ::media::{Around, Medium};
use exchange::document::{MANIFEST, Names};
use exchange::sequence::Sequence;
use field::{Address, Error, Fault, Layout, Place, Thresholds, Value};
use json::Document;
use kind::{EntryTable, Game, Kind, Model};
use passes::spans;

use super::typed::{typed, typed_item};
use super::{advice, label_of, value};
use draft::Drafts;
use exchange::media::{self, medium_of};
use exchange::{About, Packed};

/// The reason why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The place of the edit.
    pub place: String,
    /// The reason.
    pub why: String,
}

impl Refusal {
    /// Creates the reason why an edit at a place cannot be made.
    #[must_use]
    pub fn new(place: impl Into<String>, why: impl Into<String>) -> Self {
        Self { place: place.into(), why: why.into() }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

impl core::error::Error for Refusal {}

/// The result of an edit.
pub type Edited<T = ()> = Result<T, Refusal>;

/// The documents of a model that are being edited. They are checked against the file format when the model is packed.
#[derive(Clone, Debug)]
pub struct Edit {
    kind: &'static Kind,
    drafts: Drafts,
    /// The file of each entry, by the place of the entry.
    files: BTreeMap<String, String>,
    names: Names,
    /// The files of entries that were added with several files, whose names are compared when the model is packed.
    added: BTreeSet<String>,
    /// The last known rows of entries, by the files of the entries.
    rows: HashMap<String, Row>,
    /// The list that is being changed.
    open: Option<Open>,
    /// The code page of names.
    page: &'static CodePage,
}

/// The item that describes an entry: its file, and the keys to it there.
#[derive(Clone, Debug)]
struct Row {
    file: String,
    keys: Vec<String>,
}

/// A long list that is taken out of its document while items are added, removed and moved.
///
/// A vector would move all items after each one and could not look up an item. Only one list is open at a time: an operation on a
/// whole document closes it.
#[derive(Clone, Debug)]
struct Open {
    file: String,
    keys: Vec<String>,
    /// The items, with the files of the entries that they describe.
    items: Sequence<String, Value>,
}

/// The table that a new entry joins.
struct Joined {
    /// The document of the container.
    file: String,
    /// The keys to the list there.
    list: Vec<String>,
    /// The fields at the beginning of a row.
    layout: &'static Layout,
    /// A row.
    item: Value,
    /// The name of its entry.
    label: String,
}

/// The kind of raw bytes.
const OPAQUE: &str = "opaque";
/// The member that holds the type of a resource.
const TYPE: &str = "kind_of_resource";
/// Why an entry has no name to change.
const NUMBERED: &str = "the entries of this table have no names: their order numbers them";
/// Why an entry cannot have a name.
const NOT_A_NAME: &str =
    "entries of this table have no such names; that of a resource needs an extension in lower case";

impl Edit {
    /// Prepares a model for editing.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn of(model: &Model, about: About<'_>) -> Result<Self, Error> {
        let (drafts, files) = Drafts::of(model, about)?;
        Ok(Self::new(about.kind, drafts, files))
    }

    /// Prepares a model for looking for its entries, which takes no memory for what stays as it is. The model cannot be packed.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub(super) fn to_look_at(model: &Model, about: About<'_>) -> Result<Self, Error> {
        let (drafts, files) = Drafts::to_look_at(model, about)?;
        Ok(Self::new(about.kind, drafts, files))
    }

    fn new(kind: &'static Kind, drafts: Drafts, files: BTreeMap<String, String>) -> Self {
        let mut names = Names::default();
        drafts.names().for_each(|file| names.take(file));
        let page = page_of(Some(kind));
        Self { kind, drafts, files, names, added: BTreeSet::new(), rows: HashMap::new(), open: None, page }
    }

    /// Returns `true` if there is such an entry.
    #[must_use]
    pub fn has(&self, entry: &str) -> bool {
        self.files.contains_key(entry)
    }

    /// Returns the entries by their places, and the file of each.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(entry, file)| (entry.as_str(), file.as_str()))
    }

    /// Returns the file of an entry.
    #[must_use]
    pub fn file(&self, entry: &str) -> Option<&str> {
        self.files.get(entry).map(String::as_str)
    }

    /// Returns the kind of an entry, or `None` if there is no such entry or its bytes decide.
    #[must_use]
    pub fn kind_of(&mut self, entry: &str) -> Option<String> {
        let (row, _) = self.row(entry).ok()?;
        let kind = self.value(&row.file, &row.keys)?.get("kind")?.text();
        kind.map(str::to_owned)
    }

    /// Packs the edited documents into a model.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit, or if an added entry gets a different name than requested.
    pub fn pack(mut self, kinds: &'static [Kind]) -> Result<Packed, Error> {
        self.close();
        self.drafts.encode().map_err(|(file, misfit)| {
            let entry = self.files.iter().find(|(_, of)| *of == file).map_or("", |(entry, _)| entry);
            misfit.at(&Place::of_entry(entry))
        })?;
        let added = self.files.iter().filter(|(_, file)| self.added.contains(*file)).map(|(entry, _)| entry.clone());
        let added: Vec<String> = added.collect();
        let mut packed = self.drafts.finish()?.pack(kinds)?;
        are_named(&added, &packed.model)?;
        // Only an unpacked folder has files; here, places are those of entries.
        let mut entries: HashMap<&str, &str> = HashMap::new();
        if !packed.recomputed.is_empty() {
            entries.extend(self.files.iter().rev().map(|(entry, file)| (file.as_str(), entry.as_str())));
        }
        for it in &mut packed.recomputed {
            if let Some((file, place)) = it.place.split_once(": /")
                && let Some(entry) = entries.get(file)
            {
                let keys = Address::from(format!("/{place}")).keys;
                it.place = Address { keys, ..Address::of_entry(*entry) }.to_string();
            }
        }
        Ok(packed)
    }

    /// Returns the value at a place, or `None` if there is none.
    #[must_use]
    pub fn get(&mut self, at: &Address) -> Option<&Value> {
        let file = self.home(&at.entry)?;
        self.value(&file, &at.keys).map(|value| &*value)
    }

    /// Sets a value. An existing value keeps its type unless `retyped` is true. `-` as the last key of a list is the place after
    /// its last item.
    ///
    /// # Errors
    /// Returns an error if there is no such place, or if the existing value has a different type.
    pub fn set(&mut self, at: &Address, value: Value, retyped: bool) -> Edited {
        let refuse = |why: String| Refusal { place: at.to_string(), why };
        let file = self.home(&at.entry);
        let Some((last, way)) = at.keys.split_last() else {
            let whole = file.and_then(|file| self.value(&file, &[]));
            *whole.ok_or_else(|| refuse("nothing at this place".to_owned()))? = value;
            return Ok(());
        };
        let file = file.filter(|file| self.document(file).is_some());
        let file = file.ok_or_else(|| self.unknown(&at.entry))?;
        // An open list has items, and no numbered members.
        let is_numbered = last.parse::<u64>().is_ok() && self.depth_in_open(&file, &at.keys).is_none();
        let value = match is_numbered.then(|| self.value(&file, &[])).flatten() {
            Some(whole) => value::new_entry(whole, &at.keys, value),
            None if last == "-" => self.filled(&file, way, value),
            None => value,
        };
        if let Some(inside) = self.value(&file, way) {
            return value::put(inside, way, last, value, retyped).map_err(refuse);
        }
        self.close();
        match self.document(&file) {
            Some(whole) => value::set(whole, &at.keys, value, retyped).map_err(refuse),
            None => Err(self.missing(at)),
        }
    }

    /// Sets a value to what a person has typed: JSON, or a word where there is a text.
    ///
    /// # Errors
    /// Returns an error if the word is neither JSON nor the text that the value takes, or if [`set`](Self::set) does.
    pub fn set_typed(&mut self, at: &Address, word: &str, retyped: bool) -> Edited {
        let value = self.typed(at, word, (retyped, false))?;
        self.set(at, value, retyped)
    }

    /// Inserts what a person has typed into a list, before the existing item.
    ///
    /// # Errors
    /// Returns an error if the word is neither JSON nor the text that the list takes, or if [`insert`](Self::insert) does.
    pub fn insert_typed(&mut self, at: &Address, word: &str) -> Edited {
        let value = self.typed(at, word, (false, true))?;
        self.insert_new(at, value)
    }

    /// Inserts an item into a list, before the existing one, as [`insert`](Self::insert) does, but gives a row of a table the cells that it
    /// lacks. What was found in another file is inserted as it is there.
    pub(super) fn insert_new(&mut self, at: &Address, value: Value) -> Edited {
        let value = match (self.home(&at.entry), at.keys.split_last()) {
            (Some(file), Some((_, way))) => self.filled(&file, way, value),
            _ => value,
        };
        self.insert(at, value)
    }

    /// Returns a new item of a list as [`value::filled`] does. An open list stays open.
    fn filled(&mut self, file: &str, way: &[String], value: Value) -> Value {
        match self.document(file) {
            Some(whole) => value::filled(whole, way, value),
            None => value,
        }
    }

    fn typed(&mut self, at: &Address, word: &str, (retyped, is_new): (bool, bool)) -> Edited<Value> {
        let value = match at.outer().filter(|(_, key)| is_new || *key == "-") {
            Some((list, key)) => typed_item(self.get(&list), key, word, retyped),
            None => typed(self.get(at), word, retyped),
        };
        value.map_err(|why| Refusal::new(at.to_string(), why))
    }

    /// Puts the fields of an object from the old order, which they must have, into a new one.
    ///
    /// # Errors
    /// Returns an error if there is no such object, or if it does not have these fields in the old order.
    pub fn reorder(&mut self, at: &Address, old: &[String], new: &[String]) -> Edited {
        let file = self.home(&at.entry).ok_or_else(|| self.unknown(&at.entry))?;
        match self.value(&file, &at.keys) {
            Some(value) => json::reorder(value, old, new).map_err(|why| Refusal { place: at.to_string(), why }),
            None => Err(self.missing(at)),
        }
    }

    /// Returns the length of the list in which there is an item at this place, or could be one, or `None` if there is no list.
    pub(super) fn length_around_item(&mut self, at: &Address) -> Option<usize> {
        let file = self.home(&at.entry)?;
        self.length_around(&file, &at.keys)
    }

    /// Inserts an item into a list, before the existing one.
    ///
    /// # Errors
    /// Returns an error if there is no such list, or if it is shorter.
    pub fn insert(&mut self, at: &Address, value: Value) -> Edited {
        let file = self.home(&at.entry).ok_or_else(|| self.unknown(&at.entry))?;
        if self.length_around(&file, &at.keys).is_some() {
            let value = value::beside(self.get(at), value);
            return if self.put_in(&file, &at.keys, value) { Ok(()) } else { Err(self.missing(at)) };
        }
        match at.outer() {
            // A list is absent while it is empty.
            Some((list, "0" | "-")) if self.get(&list).is_none() => self.set(&list.with("-"), value, false),
            _ if self.get(at).is_some() => {
                let why = "is a member, and only items of lists can be inserted before; --set changes it";
                Err(Refusal::new(at.to_string(), why))
            }
            _ => Err(self.missing(at)),
        }
    }

    /// Deletes a value: an item of a list, or a member, which its rule then computes.
    ///
    /// # Errors
    /// Returns an error if there is no such value.
    pub fn delete(&mut self, at: &Address) -> Edited<Value> {
        let taken = self.home(&at.entry).and_then(|file| self.take_out(&file, &at.keys));
        taken.ok_or_else(|| self.missing(at))
    }

    /// Replaces the contents of an entry by bytes, whose kind is detected, or by JSON of the same kind.
    ///
    /// # Errors
    /// Returns an error if there is no such entry.
    pub fn replace(&mut self, entry: &str, document: Document) -> Edited {
        let (row, old) = self.row(entry)?;
        self.forget(entry);
        let raw = matches!(document, Document::Raw(_));
        self.drop_file(&old);
        let file = if raw {
            self.names.release(&old);
            let (file, extension) = raw_file(&old);
            self.names.again(&file, &extension)
        } else {
            old
        };
        let item = self.value(&row.file, &row.keys).ok_or_else(|| no_entry(entry))?;
        if raw && let Value::Object(members) = item {
            members.retain(|(name, _)| name != "kind");
        }
        if let Some(named) = item.step_mut("file") {
            *named = file.as_str().into();
        }
        self.drafts.insert(file.clone(), document);
        self.take_for(entry, row, &file);
        Ok(())
    }

    /// Returns the images, sounds or texts of an entry, or of the file itself if `entry` is empty; none if files of these types could not
    /// hold it.
    ///
    /// # Errors
    /// Returns an error if there is no such entry.
    pub fn shown(&mut self, entry: &str) -> Edited<Vec<Shown>> {
        let (kind, file, row) = match entry {
            "" => (Some(self.kind.name.to_owned()), MANIFEST.to_owned(), Value::Null),
            _ => {
                let (row, file) = self.row(entry)?;
                let row = self.value(&row.file, &row.keys).cloned().unwrap_or_default();
                (row.get("kind").and_then(Value::text).map(str::to_owned), file, row)
            }
        };
        let Some(medium) = kind.and_then(|kind| medium_of(self.kind.media, &kind)) else { return Ok(Vec::new()) };
        let outer = entry.rsplit_once('!').map_or("", |(outer, _)| outer);
        let home = self.home(outer).ok_or_else(|| no_entry(entry))?;
        let container = self.value(&home, &[]).cloned().unwrap_or_default();
        let document = self.value(&file, &[]);
        Ok(document.map_or_else(Vec::new, |json| shown::of_document(medium, entry, json, (&row, &container))))
    }

    /// Replaces the contents of an image, sound or text entry by a file. Returns `false` if files with this extension cannot replace
    /// the entry.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if the file cannot be imported.
    pub fn show(&mut self, entry: &str, extension: &str, content: Bytes) -> Edited<bool> {
        self.show_at(&Address::of_entry(entry), extension, content)
    }

    /// Replaces an image, a sound or a text by a file: that of an entry, or if it has several, the one at a place in it. Returns `false` if
    /// files with this extension cannot replace it.
    ///
    /// # Errors
    /// Returns an error if there is no such entry or place, or if the file cannot be imported.
    pub fn show_at(&mut self, at: &Address, extension: &str, content: Bytes) -> Edited<bool> {
        let entry = at.entry.as_str();
        let refuse = |why: String| Refusal { place: at.to_string(), why };
        let (row, file) = self.row(entry)?;
        let container = self.value(&row.file, &[]).cloned().unwrap_or_default();
        let item = self.value(&row.file, &row.keys).cloned().unwrap_or_default();
        let medium = item.get("kind").and_then(Value::text).and_then(|kind| medium_of(self.kind.media, kind));
        let Some(medium) = medium.filter(|medium| fits(medium, entry, extension)) else { return Ok(false) };
        let document = self.value(&file, &[]).ok_or_else(|| no_entry(entry))?;
        let around = Around { part: document, way: &[], document, row: &item, container: &container };
        *document = media::put(medium, &vec![Some(content)], around, at).map_err(refuse)?;
        Ok(true)
    }

    /// Appends an entry whose contents are an image, a sound or text of the kind that the table holds. What the file cannot hold, the
    /// entry has from the last entry of that kind. Returns `false` if files with this extension are not contents of such an entry.
    ///
    /// # Errors
    /// Returns an error if [`add`](Self::add) does, or if the file cannot be imported.
    pub fn add_shown(&mut self, entry: &str, extension: &str, content: Bytes) -> Edited<bool> {
        let Some(kind) = self.kind_to_add(entry) else { return Ok(false) };
        let Some(medium) = medium_of(self.kind.media, &kind).filter(|it| fits(it, entry, extension)) else {
            return Ok(false);
        };
        let alike = self.beside(entry).into_iter().rev().find(|other| self.kind_of(other).as_ref() == Some(&kind));
        let alike = alike.and_then(|other| self.files.get(&other).cloned()).filter(|_| !medium.is_whole);
        let document = alike.and_then(|file| self.value(&file, &[]).cloned());
        self.add(entry, Document::Json(document.unwrap_or_else(|| Value::Object(Vec::new()))))?;
        self.show(entry, extension, content)
    }

    /// Appends an entry to a table. Its table row contains only its name.
    ///
    /// # Errors
    /// Returns an error if an entry of this name exists, or if there is no table in which entries have names.
    pub fn add(&mut self, entry: &str, document: Document) -> Edited {
        let refuse = |why: &str| Refusal { place: entry.to_owned(), why: why.to_owned() };
        if self.files.contains_key(entry) {
            return Err(refuse("an entry with this name already exists"));
        }
        let name = label_of(entry);
        numbered(name).map_err(refuse)?;
        let Joined { file: home, list, layout, item, label } = self.table_of(entry)?;
        let plain = plain_name(self.page, name);
        let named = named_by(&item, &label, &plain).ok_or_else(|| refuse(NOT_A_NAME))?;
        let kind = self.kind_to_add(entry);
        let file = name.replace(['/', '\\'], "_");
        let (file, extension) = match document {
            Document::Raw(_) => raw_file(&file),
            Document::Json(_) => (format!("{file}.json"), "json".to_owned()),
        };
        let file = self.names.again(&file, &extension);
        let mut fresh = vec![("file".into(), file.as_str().into())];
        if let Some(kind) = kind.filter(|_| extension == "json") {
            fresh.push(("kind".into(), kind.into()));
        }
        fresh.extend(layout.blank());
        for (member, part) in named {
            match fresh.iter_mut().find(|(key, _)| *key == member) {
                Some((_, value)) => *value = part,
                // A field of another record of the row.
                None => fresh.push((member, part)),
            }
        }
        let (row, last) = (Value::Object(fresh), [list.as_slice(), &["-".to_owned()]].concat());
        // The list is absent while it is empty.
        if !self.put_in(&home, &last, row.clone()) {
            let whole = self.value(&home, &[]).ok_or_else(|| refuse("the table is not a list"))?;
            value::set(whole, &last, row, false).map_err(|why| refuse(&why))?;
        }
        self.drafts.insert(file.clone(), document);
        self.files.insert(entry.to_owned(), file);
        Ok(())
    }

    /// Adds an entry with its row, at a place in a list or as a member of an object, and its contents: its own document first, then
    /// those of the entries in it. Its row and place determine its name, which [`pack`](Self::pack) compares with `entry`.
    ///
    /// # Errors
    /// Returns an error if an entry of this name exists, or if the place does not exist or is in another container.
    pub fn add_at(
        &mut self,
        entry: &str,
        at: &Address,
        row: Value,
        kind: &str,
        files: Vec<(String, Document)>,
    ) -> Edited {
        let refuse = |why: &str| Refusal { place: entry.to_owned(), why: why.to_owned() };
        if self.files.contains_key(entry) {
            return Err(refuse("an entry with this name already exists"));
        }
        let (container, name) = entry.rsplit_once('!').unwrap_or(("", entry));
        numbered(name).map_err(refuse)?;
        if container != at.entry {
            return Err(refuse(&format!("expected an entry of the container that holds {at}")));
        }
        let file = self.put_all(entry, files);
        self.added.insert(file.clone());
        let mut item = vec![("kind".into(), kind.into()), ("file".into(), file.as_str().into())];
        if let Value::Object(members) = row {
            item.extend(members);
        }
        if let Some(home) = self.home(&at.entry) {
            let is_item = self.length_around(&home, &at.keys).is_some();
            self.rows.insert(file, Row { file: home, keys: at.keys.clone() });
            if is_item {
                return self.insert(at, Value::Object(item));
            }
        }
        match self.get(at) {
            None => self.set(at, Value::Object(item), false),
            Some(_) => Err(Refusal { place: at.to_string(), why: "already exists".to_owned() }),
        }
    }

    /// Replaces the contents of an entry, as in [`add_at`](Self::add_at), or those of the file itself if `entry` is empty.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if new contents of the file itself are of another kind or not one file of bytes.
    pub fn replace_with(&mut self, entry: &str, kind: &str, files: Vec<(String, Document)>) -> Edited {
        if entry.is_empty() {
            return self.replace_whole(kind, files);
        }
        let (row, old) = self.row(entry)?;
        self.forget(entry);
        self.drop_file(&old);
        self.names.release(&old);
        let file = self.put_all(entry, files);
        let item = self.value(&row.file, &row.keys).ok_or_else(|| no_entry(entry))?;
        item.put("kind", kind.into());
        item.put("file", file.as_str().into());
        self.take_for(entry, row, &file);
        Ok(())
    }

    /// Replaces all bytes of a file that the exchange format has as raw bytes. Its kind stays the same: changes are for one kind.
    fn replace_whole(&mut self, kind: &str, files: Vec<(String, Document)>) -> Edited {
        let refuse = |why: String| Refusal { place: "/".to_owned(), why };
        let own = self.kind.name;
        if kind != own {
            return Err(refuse(format!("expected content of kind {own:?}, found {kind:?}")));
        }
        let new = match <[_; 1]>::try_from(files) {
            Ok([(_, new @ Document::Raw(_))]) => new,
            Ok([(_, Document::Json(_))]) => return Err(refuse("expected content of bytes, found JSON".to_owned())),
            Err(files) => return Err(refuse(format!("expected content of one file, found {} files", files.len()))),
        };
        if self.drafts.replace_whole(new) { Ok(()) } else { Err(no_entry("/")) }
    }

    /// Stores the documents of an entry, and of those in it, under free names, and returns the name of its own.
    fn put_all(&mut self, entry: &str, files: Vec<(String, Document)>) -> String {
        let mut first = None;
        let mut named: HashMap<String, String> = HashMap::new();
        for (old, _) in &files {
            let extension = old.rsplit_once('.').map_or("json", |(_, end)| end);
            let new = self.names.again(old, extension);
            first.get_or_insert_with(|| new.clone());
            named.insert(old.clone(), new);
        }
        let first = first.unwrap_or_default();
        for (old, mut document) in files {
            if let Document::Json(json) = &mut document {
                call_anew(json, &named);
            }
            if let Some(new) = named.get(&old) {
                self.drafts.insert(new.clone(), document);
            }
        }
        self.files.insert(entry.to_owned(), first.clone());
        first
    }

    /// Returns the kind that JSON has as a new entry: the only one of its table, that of the last entry with the same extension, that of
    /// files with this name, or that of the last entry. `None` if there are none.
    #[must_use]
    pub fn kind_to_add(&mut self, entry: &str) -> Option<String> {
        let end_of = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
        let name = plain_name(self.page, label_of(entry));
        if let Some(kind) = self.only_table(entry).and_then(|table| table.entry) {
            return Some(kind.to_owned());
        }
        let (beside, named) = (self.beside(entry), self.kind_named(&name));
        let mut of_last = |is_it: &dyn Fn(&str) -> bool| {
            let alike = beside.iter().rev().filter(|other| is_it(name_in(label_of(other))));
            alike.filter_map(|other| self.kind_of(other)).find(|kind| kind != OPAQUE)
        };
        let end = end_of(&name);
        let alike = of_last(&|other| end.is_some() && end_of(other) == end);
        alike.or(named).or_else(|| of_last(&|_| true))
    }

    /// Returns the kind of files with this name, of the games that this file can belong to. JSON is preferred to text.
    fn kind_named(&self, name: &str) -> Option<String> {
        let of_game = |kind: &&Kind| kind.games.iter().any(|game| self.kind.games.contains(game)) && kind.claims(name);
        let kinds = || KINDS.iter().filter(of_game);
        let kind = kinds().find(|kind| kind.raw.is_none()).or_else(|| kinds().next())?;
        Some(kind.name.to_owned())
    }

    /// Returns the other entries of the container of an entry.
    fn beside(&self, entry: &str) -> Vec<String> {
        let container = |entry: &str| entry.rsplit_once('!').map(|(outer, _)| outer.to_owned());
        let own = container(entry);
        self.files.keys().filter(|other| container(other) == own).cloned().collect()
    }

    /// Returns the only table with names of the container of an entry, or `None` if it has none or several.
    fn only_table(&mut self, entry: &str) -> Option<&'static EntryTable> {
        let kind = match entry.rsplit_once('!') {
            Some((container, _)) => self.kind_of(container)?,
            None => self.kind.name.to_owned(),
        };
        KINDS.iter().flat_map(|it| it.tables).find(|table| kind == table.kind)
    }

    /// Returns the table that a new entry joins: that of the last entry in the same container, or the only one of an empty container.
    fn table_of(&mut self, entry: &str) -> Edited<Joined> {
        let refuse = |why: &str| Refusal { place: entry.to_owned(), why: why.to_owned() };
        let container = entry.rsplit_once('!').map(|(outer, _)| outer.to_owned());
        let only = self.only_table(entry);
        let home = self.home(container.as_deref().unwrap_or_default()).ok_or_else(|| no_entry(entry))?;
        let layout = only.and_then(|only| Some((only.row)(self.value(&home, &[])?)));
        if let Some(last) = self.beside(entry).pop() {
            let (mut row, _) = self.row(&last)?;
            let item = self.value(&row.file, &row.keys).cloned().unwrap_or_default();
            let known = row.keys.first().and_then(|list| self.drafts.table(&row.file, list));
            // A list that was empty shows no layout.
            let layout = known.or(layout).ok_or_else(|| refuse("the table is not a list of records"))?;
            row.keys.pop();
            let label = plain_name(self.page, label_of(&last));
            return Ok(Joined { file: row.file, list: row.keys, layout, item, label });
        }
        let outer = container.as_deref().map_or(Some(self.kind.name.to_owned()), |outer| self.kind_of(outer));
        let kind = outer.unwrap_or_else(|| OPAQUE.to_owned());
        let why = match self.files.is_empty() || container.is_some() {
            true => format!("a file of kind {kind} has no entries"),
            false => "the entries of this file have no names, so that none can be added".to_owned(),
        };
        let (table, layout) = only.zip(layout).ok_or_else(|| refuse(&why))?;
        // An example of a row, which shows where its name is.
        let mut item = vec![(SmolStr::from(table.name), Value::from("name"))];
        item.extend(table.extension.map(|extension| (extension.into(), "END".into())));
        let label = if table.extension.is_some() { "name.end" } else { "name" };
        let list = vec![table.list.to_owned()];
        Ok(Joined { file: home, list, layout, item: Value::Object(item), label: label.to_owned() })
    }

    /// Removes an entry and its row.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if its row is neither an item nor a member.
    pub fn remove(&mut self, entry: &str) -> Edited {
        let (row, file) = self.row(entry)?;
        let refuse = || Refusal { place: entry.to_owned(), why: "neither an item of a list nor a member".to_owned() };
        self.take_out(&row.file, &row.keys).ok_or_else(refuse)?;
        self.forget(entry);
        self.drop_file(&file);
        self.files.remove(entry);
        Ok(())
    }

    /// Returns the index of an entry in its table.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if it is in no list.
    pub fn index(&mut self, entry: &str) -> Edited<usize> {
        let (row, _) = self.row(entry)?;
        let refuse = || Refusal { place: entry.to_owned(), why: "not in a list".to_owned() };
        row.keys.last().and_then(|last| last.parse().ok()).ok_or_else(refuse)
    }

    /// Moves an entry to another index of its table.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or no such index.
    pub fn shift(&mut self, entry: &str, to: usize) -> Edited {
        let (mut row, _) = self.row(entry)?;
        let refuse = || Refusal { place: entry.to_owned(), why: format!("cannot move to {to}") };
        self.length_around(&row.file, &row.keys).filter(|length| to < *length).ok_or_else(refuse)?;
        let item = self.take_out(&row.file, &row.keys).ok_or_else(refuse)?;
        if let Some(last) = row.keys.last_mut() {
            *last = to.to_string();
        }
        if self.put_in(&row.file, &row.keys, item) { Ok(()) } else { Err(refuse()) }
    }

    /// Renames an entry in its table.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, if the name is taken, or if entries have no names in this table.
    pub fn rename(&mut self, entry: &str, name: &str) -> Edited {
        let refuse = |why: &str| Refusal { place: entry.to_owned(), why: why.to_owned() };
        let (container, label) = entry.rsplit_once('!').map_or(("", entry), |both| both);
        numbered(name).map_err(refuse)?;
        let renamed = if container.is_empty() { name.to_owned() } else { format!("{container}!{name}") };
        if self.files.contains_key(&renamed) {
            return Err(refuse(&format!("{renamed} already exists")));
        }
        let (row, _) = self.row(entry)?;
        let page = self.page;
        let item = self.value(&row.file, &row.keys).ok_or_else(|| no_entry(entry))?;
        if !rename_in(page, item, label, name) {
            let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
            return Err(refuse(if is_number { NUMBERED } else { NOT_A_NAME }));
        }
        let mut moved = self.within(entry);
        moved.push(entry.to_owned());
        for old in moved {
            if let Some(file) = self.files.remove(&old) {
                self.files.insert(old.replacen(entry, &renamed, 1), file);
            }
        }
        Ok(())
    }

    /// Renames an entry in its table, and returns the places of the values that make up its name, with the new ones.
    ///
    /// # Errors
    /// Returns an error as [`rename`](Self::rename) does.
    pub(super) fn renamed(&mut self, entry: &str, name: &str) -> Edited<Vec<(Address, Value)>> {
        let (row, _) = self.row(entry)?;
        let before = self.value(&row.file, &row.keys).cloned().ok_or_else(|| no_entry(entry))?;
        self.rename(entry, name)?;
        let after = self.value(&row.file, &row.keys).cloned().ok_or_else(|| no_entry(entry))?;
        let container = entry.rsplit_once('!').map_or("", |(outer, _)| outer);
        let Value::Object(members) = after else { return Ok(Vec::new()) };
        let changed = members.into_iter().filter(|(member, value)| before.get(member.as_str()) != Some(value));
        let at = |member: &str| Address { entry: container.to_owned(), keys: row.keys.clone() }.with(member);
        Ok(changed.map(|(member, value)| (at(&member), value)).collect())
    }

    /// Returns the error for a place that does not exist.
    fn missing(&mut self, at: &Address) -> Refusal {
        let Some(file) = self.home(&at.entry) else { return self.unknown(&at.entry) };
        self.close();
        let found = self.document(&file).map(|whole| value::follow(whole, &at.keys));
        let why = found.and_then(Result::err).unwrap_or_else(|| "nothing at this place".to_owned());
        Refusal { place: at.to_string(), why }
    }

    /// Returns the error for an entry that does not exist.
    fn unknown(&self, entry: &str) -> Refusal {
        if entry.is_empty() || self.files.contains_key(entry) {
            let why = "is one file in the exchange format, without a value here; replace it (`patch --replace`), or unpack, edit and pack";
            return Refusal { place: entry.to_owned(), why: why.to_owned() };
        }
        let entries: Vec<&str> = self.files.keys().map(String::as_str).collect();
        Refusal { place: entry.to_owned(), why: advice::no_entry(entry, &entries) }
    }

    /// Returns the file that holds the document of an entry; for the file itself, the manifest.
    fn home(&self, entry: &str) -> Option<String> {
        if entry.is_empty() { Some(MANIFEST.to_owned()) } else { self.files.get(entry).cloned() }
    }

    /// Returns the value of a JSON file; for the manifest, that of the model. An open list is not in it.
    fn document(&mut self, file: &str) -> Option<&mut Value> {
        self.drafts.value(file)
    }

    /// Returns the value at these keys of a file.
    fn value(&mut self, file: &str, keys: &[String]) -> Option<&mut Value> {
        if let Some(depth) = self.depth_in_open(file, keys) {
            let (index, rest) = keys.get(depth..)?.split_first()?;
            let item = self.open.as_mut()?.items.get_mut(index.parse().ok()?)?;
            return rest.iter().try_fold(item, |json, key| json.step_mut(key));
        }
        keys.iter().try_fold(self.document(file)?, |json, key| json.step_mut(key))
    }

    /// Returns the number of keys that lead to the open list, if these keys lead into it. Closes the list if they lead to what holds it.
    fn depth_in_open(&mut self, file: &str, keys: &[String]) -> Option<usize> {
        let open = self.open.as_ref().filter(|open| open.file == file)?;
        if keys.len() > open.keys.len() && keys.starts_with(&open.keys) {
            return Some(open.keys.len());
        }
        if open.keys.starts_with(keys) {
            self.close();
        }
        None
    }

    /// Opens a list, if it is a long one.
    fn open(&mut self, file: &str, keys: &[String]) -> Option<&mut Open> {
        if !self.open.as_ref().is_some_and(|open| open.file == file && open.keys == keys) {
            match self.value(file, keys) {
                Some(Value::List(items)) if items.len() >= Thresholds::here().items_kept_open => {}
                _ => return None,
            }
            self.close();
            let Some(Value::List(items)) = self.value(file, keys).map(core::mem::take) else { return None };
            let items = Sequence::new(items.into_iter().map(|item| (file_of(&item).map(str::to_owned), item)));
            self.open = Some(Open { file: file.to_owned(), keys: keys.to_vec(), items });
        }
        self.open.as_mut()
    }

    /// Puts the open list back into its document.
    fn close(&mut self) {
        if let Some(Open { file, keys, items }) = self.open.take()
            && let Some(list) = self.value(&file, &keys)
        {
            *list = Value::List(items.into_items().map(|(_, item)| item).collect());
        }
    }

    /// Returns the length of the list that the keys lead into: to one of its items, or after the last.
    fn length_around(&mut self, file: &str, keys: &[String]) -> Option<usize> {
        let (last, way) = keys.split_last()?;
        let length = match self.open(file, way) {
            Some(open) => open.items.count(),
            None => self.value(file, way)?.items()?.len(),
        };
        (last == "-" || last.parse::<usize>().is_ok()).then_some(length)
    }

    /// Inserts an item into a list, before the one at these keys. Returns `false` if there is no such place.
    fn put_in(&mut self, file: &str, keys: &[String], value: Value) -> bool {
        let Some((last, way)) = keys.split_last() else { return false };
        let at = |length: usize| if last == "-" { Some(length) } else { last.parse().ok() };
        if let Some(open) = self.open(file, way) {
            let Some(index) = at(open.items.count()) else { return false };
            let item = |index: usize| open.items.get(index).map(|(_, item)| item);
            let last = open.items.count().checked_sub(1).and_then(item);
            let value = value::labeled((item(index), last), value);
            let key = file_of(&value).map(str::to_owned);
            return open.items.insert(index, key, value);
        }
        self.value(file, way).is_some_and(|list| value::insert(list, std::slice::from_ref(last), value).is_ok())
    }

    /// Takes an item out of a list, or a member out of an object.
    fn take_out(&mut self, file: &str, keys: &[String]) -> Option<Value> {
        let (last, way) = keys.split_last()?;
        if let Some(open) = self.open(file, way) {
            return open.items.remove(last.parse().ok()?).map(|(_, item)| item);
        }
        value::delete(self.value(file, way)?, std::slice::from_ref(last)).ok()
    }

    /// Returns the row of an entry, and its file.
    fn row(&mut self, entry: &str) -> Edited<(Row, String)> {
        let file = self.files.get(entry).cloned().ok_or_else(|| self.unknown(entry))?;
        let container = entry.rsplit_once('!').map_or("", |(outer, _)| outer);
        let home = self.home(container).ok_or_else(|| no_entry(entry))?;
        if let Some(row) = self.known_row(&home, &file) {
            return Ok((row, file));
        }
        self.find_rows(&home);
        let row = self.known_row(&home, &file).ok_or_else(|| no_entry(entry))?;
        Ok((row, file))
    }

    /// Returns the row of the entry of a file if it is known: at its last place, or at another index of that list.
    fn known_row(&mut self, home: &str, file: &str) -> Option<Row> {
        let mut row = self.rows.get(file).filter(|row| row.file == home)?.clone();
        if self.value(home, &row.keys).is_some_and(|item| file_of(item) == Some(file)) {
            return Some(row);
        }
        let (last, way) = row.keys.split_last_mut()?;
        let index = match self.open(home, way) {
            Some(open) => open.items.position(&file.to_owned()),
            None => self.value(home, way)?.items()?.iter().position(|item| file_of(item) == Some(file)),
        };
        *last = index?.to_string();
        Some(row)
    }

    /// Finds every object of a document that describes an entry.
    fn find_rows(&mut self, home: &str) {
        let mut found = Vec::new();
        if let Some(document) = self.value(home, &[]) {
            rows_of(document, &mut Vec::new(), &mut |file, keys| found.push((file.to_owned(), keys.to_vec())));
        }
        // If several describe one file, the first one counts.
        for (file, keys) in found.into_iter().rev() {
            self.rows.insert(file, Row { file: home.to_owned(), keys });
        }
    }

    /// Records that the row of an entry names another file now.
    fn take_for(&mut self, entry: &str, row: Row, file: &str) {
        if let Some(open) = self.open.as_mut().filter(|open| open.file == row.file)
            && let Some((last, way)) = row.keys.split_last()
            && let (true, Ok(index)) = (open.keys == way, last.parse())
        {
            open.items.name(index, file.to_owned());
        }
        self.rows.insert(file.to_owned(), row);
        self.files.insert(entry.to_owned(), file.to_owned());
    }

    /// Returns the entries in an entry.
    fn within(&self, entry: &str) -> Vec<String> {
        let inner = format!("{entry}!");
        let from = (Bound::Included(inner.clone()), Bound::Unbounded);
        self.files.range(from).map(|(it, _)| it).take_while(|it| it.starts_with(&inner)).cloned().collect()
    }

    /// Removes the entries in an entry.
    fn forget(&mut self, entry: &str) {
        for entry in self.within(entry) {
            if let Some(file) = self.files.remove(&entry) {
                self.drop_file(&file);
            }
        }
    }

    /// Removes a file, and the open list if it is in that file.
    fn drop_file(&mut self, file: &str) {
        self.open.take_if(|open| open.file == file);
        self.rows.remove(file);
        self.drafts.remove(file);
    }
}

/// Refuses entries that have been added under a name that the model does not give them.
fn are_named(added: &[String], model: &Model) -> Result<(), Error> {
    if added.is_empty() {
        return Ok(());
    }
    let entries = spans(model)?;
    // The numbers of duplicate names depend on the file that the entry is added to.
    let names: HashSet<String> = entries.keys().map(|entry| unnumbered(entry)).collect();
    let Some(entry) = added.iter().find(|entry| !names.contains(&unnumbered(entry))) else { return Ok(()) };
    let expected = format!("an added entry named {entry:?}");
    let found = "none; its table row and place determine its name".to_owned();
    Err(Error::in_exchange(Place::default(), Fault::Unknown { found, expected }))
}

/// Returns the place of an entry without the numbers of duplicate names.
fn unnumbered(entry: &str) -> String {
    entry.split('!').map(name_in).collect::<Vec<_>>().join("!")
}

/// Returns the name in a label, without the number of a duplicate name.
pub(crate) fn name_in(label: &str) -> &str {
    label.split_once('#').map_or(label, |(name, _)| name)
}

/// Returns the code page of the names in files of a kind: each family of games has one.
#[must_use]
pub(crate) fn page_of(kind: Option<&Kind>) -> &'static CodePage {
    let is_of_macs = |game: &Game| matches!(game, Game::Marathon | Game::Marathon2 | Game::Infinity);
    if kind.is_some_and(|kind| kind.games.iter().any(is_of_macs)) { MACINTOSH } else { GAME_TEXT }
}

/// Renames the entry that an item describes, given both labels. Returns `false` if the item does not contain its name.
pub(crate) fn rename_in(page: &'static CodePage, item: &mut Value, label: &str, to: &str) -> bool {
    let Some(named) = named_by(item, &plain_name(page, label), &plain_name(page, to)) else { return false };
    for (member, part) in named {
        match item.step_mut(&member) {
            Some(tailed @ Value::Object(_)) => tailed.put("text", part),
            Some(value) => *value = part,
            None => {}
        }
    }
    true
}

/// Returns the members of an item that hold the name of its entry, with their values for another name. The extension can be a member of
/// its own, as the type of a resource is.
fn named_by(item: &Value, label: &str, to: &str) -> Option<Vec<(SmolStr, Value)>> {
    let Value::Object(members) = item else { return None };
    let member = |is: &dyn Fn(&Value) -> bool| {
        let found = members.iter().find(|(key, value)| key != "file" && key != "kind" && is(value));
        found.map(|(key, _)| key.clone())
    };
    let is_text = |text: &str| member(&|value| value_text(value) == Some(text));
    // A resource without a name and a type has an empty label, but needs both in order to be named.
    let blank = if label.is_empty() { item.get(TYPE).and_then(value_text).map(|it| format!(".{it}")) } else { None };
    let label = blank.as_deref().unwrap_or(label);
    if let Some(name) = is_text(label) {
        return Some(vec![(name, to.into())]);
    }
    let ((stem, end), (new_stem, new_end)) = (label.rsplit_once('.')?, to.rsplit_once('.')?);
    // The extension of a type has small letters and digits.
    if !new_end.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit()) {
        return None;
    }
    // A type without a name is a number.
    let number = |end: &str| end.parse::<i64>().ok().map(Value::Integer);
    let extension = member(&|value| match value_text(value) {
        Some(text) => text.eq_ignore_ascii_case(end),
        None => number(end).as_ref() == Some(value),
    })?;
    let new_end = number(new_end).unwrap_or_else(|| new_end.to_ascii_uppercase().into());
    Some(vec![(is_text(stem)?, new_stem.into()), (extension, new_end)])
}

/// Returns the name and the extension of a file of bytes for an entry. The extension is that of the entry, by which bytes are
/// recognized.
fn raw_file(name: &str) -> (String, String) {
    let name = name.strip_suffix(".json").unwrap_or(name);
    match name.rsplit_once('.') {
        Some((_, own)) => (name.to_owned(), own.to_owned()),
        None => (format!("{name}.bin"), "bin".to_owned()),
    }
}

/// Returns `true` if files with an extension can be contents of an entry.
fn fits(medium: &Medium, entry: &str, extension: &str) -> bool {
    let ends = |end: &str| end.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case(extension));
    // A file that holds all of a document can have the name of the entry.
    medium.files.first().is_some_and(|(_, end)| ends(end)) || medium.is_whole && ends(name_in(label_of(entry)))
}

fn no_entry(entry: &str) -> Refusal {
    Refusal { place: entry.to_owned(), why: "no entry of this name".to_owned() }
}

/// Returns the file of the entry that an item describes.
fn file_of(item: &Value) -> Option<&str> {
    item.get("file").and_then(Value::text)
}

/// Calls `tell` for every object that names a file, with the keys that lead to it.
fn rows_of(json: &Value, keys: &mut Vec<String>, tell: &mut dyn FnMut(&str, &[String])) {
    if let Some(file) = file_of(json) {
        tell(file, keys);
    }
    let mut look = |key: String, value: &Value| {
        if matches!(value, Value::Object(_) | Value::List(_)) {
            keys.push(key);
            rows_of(value, keys, tell);
            keys.pop();
        }
    };
    match json {
        Value::Object(members) => members.iter().for_each(|(name, value)| look(name.to_string(), value)),
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Object(_) | Value::List(_))) => {
            items.iter().enumerate().for_each(|(index, item)| look(index.to_string(), item));
        }
        _ => {}
    }
}

/// Renames the files that objects name.
fn call_anew(json: &mut Value, names: &HashMap<String, String>) {
    if let Some(new) = file_of(json).and_then(|file| names.get(file)) {
        json.put("file", new.as_str().into());
    }
    match json {
        Value::Object(members) => members.iter_mut().for_each(|(_, value)| call_anew(value, names)),
        Value::List(items) => items.iter_mut().for_each(|item| call_anew(item, names)),
        _ => {}
    }
}

/// Returns the text of a field, with or without a tail.
fn value_text(value: &Value) -> Option<&str> {
    value.text().or_else(|| value.get("text").and_then(Value::text))
}

/// Refuses a label with anything but a number after `#`, since that would be left out of the name.
fn numbered(label: &str) -> Result<(), &'static str> {
    match label.split_once('#') {
        Some((_, twin)) if twin.is_empty() || !twin.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err("expected the number of a duplicate name after #; write %23 for # in a name")
        }
        _ => Ok(()),
    }
}

/// Returns the text of a label: without the number of a duplicate name, and with `%XX` decoded to the character of that byte.
fn plain_name(page: &'static CodePage, label: &str) -> String {
    let mut parts = name_in(label).split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let odd = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match odd.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                text.push_str(&field::decode_text(page, &[byte]));
                text.push_str(part.get(2..).unwrap_or_default());
            }
            None => {
                text.push('%');
                text.push_str(part);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use exchange::parse;
    use json::Compact;
    use kind::named;

    /// Returns an unpacked file with two duplicate names, one of which contains an entry.
    fn edit() -> Edit {
        let head = r#"{"size": 1.0, "kept": {"kept": 1, "computed": 2}, "only": {"kind": "k", "file": "only.bin"},
            "entries": [{"kind": "k", "file": "a.json", "name": "a"}, {"kind": "k", "file": "a~2.json", "name": "a"}]}"#;
        let json = |text: &str| Document::Json(parse(text.as_bytes()).expect("JSON"));
        let documents = [
            (MANIFEST, json(head)),
            ("a.json", json("[1, 2]")),
            ("a~2.json", json(r#"{"inner": [{"kind": "k", "file": "a~2/b.json", "name": "b"}]}"#)),
            ("a~2/b.json", json("[]")),
            ("only.bin", Document::Raw(vec![1].into())),
        ];
        let mut drafts = Drafts::default();
        documents.into_iter().for_each(|(file, document)| drafts.insert(file.to_owned(), document));
        let files = [("a#1", "a.json"), ("a#2", "a~2.json"), ("a#2!b", "a~2/b.json"), ("only", "only.bin")];
        let files = files.map(|(entry, file)| (entry.to_owned(), file.to_owned())).into();
        Edit::new(named(KINDS, "archive").expect("a kind"), drafts, files)
    }

    fn names(edit: &Edit) -> Vec<&str> {
        edit.drafts.names().collect()
    }

    fn get(edit: &mut Edit, place: &str) -> String {
        edit.get(&place.into()).map(|it| Compact(it).to_string()).unwrap_or_default()
    }

    #[test]
    fn values_keep_their_type_unless_retyped() {
        let mut edit = edit();
        assert_eq!(edit.set(&"a#1:/1".into(), 7.into(), false), Ok(()));
        assert_eq!(edit.set(&"a#1:/-".into(), "x".into(), false), Ok(()));
        assert_eq!(get(&mut edit, "a#1"), r#"[1,7,"x"]"#);
        for (place, value) in
            [("/size", Value::from("2")), ("a#1:/0", 1.5.into()), ("a#1:/9", 1.into()), ("b:/0", 1.into())]
        {
            assert!(edit.set(&place.into(), value, false).is_err(), "{place}");
        }
        assert_eq!(edit.set(&"/size".into(), 2.into(), false), Ok(()), "a whole number is taken for a float");
        assert_eq!(get(&mut edit, "/size"), "2.0");
        assert_eq!(edit.set(&"/size".into(), 2.into(), true), Ok(()));
        assert_eq!(edit.set(&"/kept".into(), 3.into(), false), Ok(()), "what is kept can be set");
        assert_eq!((get(&mut edit, "/size"), get(&mut edit, "/kept")), ("2".into(), "3".into()));
    }

    #[test]
    fn removing_an_entry_removes_its_entries() {
        let mut edit = edit();
        edit.remove("a#2").expect("is there");
        edit.remove("only").expect("a member goes, too");
        assert!(!edit.has("a#2!b"));
        assert_eq!(names(&edit), ["a.json", MANIFEST]);
    }

    #[test]
    fn entries_of_a_renamed_entry_get_its_new_name() {
        let mut edit = edit();
        edit.rename("a#2", "c%21").expect("is there");
        assert!(edit.has("c%21!b"));
        assert_eq!(get(&mut edit, "/entries/1/name"), r#""c!""#);
        assert!(edit.rename("a#1", "c%21").is_err());
    }

    #[test]
    fn replaced_entry_leaves_no_file() {
        let mut edit = edit();
        edit.replace("a#2", Document::Raw(vec![2].into())).expect("is there");
        assert_eq!(get(&mut edit, "/entries/1"), r#"{"file":"a~2.bin","name":"a"}"#);
        assert_eq!(names(&edit), ["a.json", "a~2.bin", MANIFEST, "only.bin"]);
    }

    #[test]
    fn added_entries_get_their_own_files() {
        let mut edit = edit();
        let document = || Document::Json(Value::List(Vec::new()));
        let files = vec![("a.json".to_owned(), document()), ("a/b.json".to_owned(), document())];
        let row = Value::from([("name", "d".into())]);
        edit.add_at("d", &"/entries/1".into(), row.clone(), "k", files).expect("a place in the table");
        assert_eq!(get(&mut edit, "/entries/1"), r#"{"kind":"k","file":"a~3.json","name":"d"}"#);
        assert_eq!(
            edit.add_at("e", &"/more".into(), row.clone(), "k", Vec::new()),
            Ok(()),
            "a member that was not there"
        );
        assert!(edit.add_at("f", &"/size".into(), row.clone(), "k", Vec::new()).is_err());
        assert!(
            edit.add_at("g#x", &"/more2".into(), row.clone(), "k", Vec::new()).is_err(),
            "no number of a duplicate"
        );
        assert!(edit.add_at("a#1!g", &"/more2".into(), row.clone(), "k", Vec::new()).is_err(), "another container");
        assert!(edit.add_at("d", &"/entries/0".into(), row, "k", Vec::new()).is_err());
    }

    #[test]
    fn entries_move_within_their_table() {
        let mut edit = edit();
        edit.shift("a#2", 0).expect("is there");
        assert_eq!(get(&mut edit, "/entries/0/file"), r#""a~2.json""#);
        assert!(edit.shift("a#1", 2).is_err());
    }

    #[test]
    fn labels_decode_to_names() {
        assert_eq!(plain_name(GAME_TEXT, "p%8Cth#2"), "pŒth");
        assert_eq!(plain_name(MACINTOSH, "p%8Cth#2"), "påth");
        assert_eq!(plain_name(GAME_TEXT, "100%25"), "100%");
        assert_eq!(plain_name(GAME_TEXT, "Gel%E4nde €, 7% %+1"), "Gelände €, 7% %+1");
    }

    #[test]
    fn list_that_stays_open_is_edited_as_any_other() {
        static SMALLEST: field::Thresholds = field::Thresholds::SMALLEST;
        let edited = || {
            let mut edit = edit();
            let mut seen = Vec::new();
            edit.insert(&"a#1:/0".into(), 5.into()).expect("is inserted");
            edit.insert(&"a#1:/-".into(), 6.into()).expect("is inserted");
            seen.push(get(&mut edit, "a#1:/3"));
            edit.insert(&"a#1:/2".into(), 7.into()).expect("is inserted");
            assert_eq!(edit.length_around_item(&"a#1:/9".into()), Some(5));
            assert!(edit.insert(&"a#1:/6".into(), 7.into()).is_err());
            edit.delete(&"a#1:/1".into()).expect("is deleted");
            edit.set(&"a#1:/0".into(), 9.into(), false).expect("is set");
            seen.push(get(&mut edit, "/size"));
            edit.set(&"/size".into(), 3.into(), false).expect("is set");
            edit.insert(&"a#1:/4".into(), 8.into()).expect("is inserted");
            edit.set(&"a#1:/-".into(), 4.into(), false).expect("is set");
            edit.insert(&"a#2:/inner/0".into(), 1.into()).expect("is inserted");
            assert!(edit.set(&"a#1:/9".into(), 4.into(), false).is_err());
            seen.extend([get(&mut edit, "a#1"), get(&mut edit, "/size"), get(&mut edit, "a#2:/inner/0")]);
            seen
        };
        let expected = ["6", "1.0", "[9,7,2,6,8,4]", "3.0", "1"];
        assert_eq!(edited(), expected);
        assert_eq!(SMALLEST.during(edited), expected);
    }

    /// Returns a table with two columns, and a numbered one beside its count.
    fn tables() -> Edit {
        let table = r#"{"columns": ["x", "y"], "rows": [{"label": "0", "cells": {"x": "1", "y": "2"}}],
            "count": 2, "entries": {"0": {"flags": 1, "text": "a"}}}"#;
        let mut drafts = Drafts::default();
        drafts.insert(MANIFEST.to_owned(), Document::Json(parse(table.as_bytes()).expect("JSON")));
        Edit::new(named(KINDS, "2da").expect("a kind"), drafts, BTreeMap::new())
    }

    #[test]
    fn new_row_gets_the_cells_that_it_lacks_and_no_other_does() {
        let row = |text: &str| parse(text.as_bytes()).expect("JSON");
        let mut edit = tables();
        edit.set(&"/rows/-".into(), row(r#"{"cells": {"y": "3"}}"#), false).expect("is set");
        assert_eq!(get(&mut edit, "/rows/1"), r#"{"label":"1","cells":{"x":"****","y":"3"}}"#);
        edit.insert_new(&"/rows/0".into(), row(r#"{"cells": {"x": "4"}}"#)).expect("is inserted");
        assert_eq!(get(&mut edit, "/rows/0"), r#"{"label":"0","cells":{"x":"4","y":"****"}}"#);
        edit.set(&"/rows/0".into(), row(r#"{"cells": {"y": "5"}}"#), false).expect("is set");
        assert_eq!(get(&mut edit, "/rows/0"), r#"{"cells":{"y":"5"}}"#);
        edit.insert(&"/rows/0".into(), row(r#"{"cells": {"x": "6"}}"#)).expect("is inserted");
        assert_eq!(get(&mut edit, "/rows/0"), r#"{"cells":{"x":"6"}}"#);
    }

    #[test]
    fn member_of_a_numbered_table_is_new_by_its_number() {
        let mut edit = tables();
        edit.set(&"/entries/2".into(), "b".into(), false).expect("is set");
        assert_eq!(get(&mut edit, "/entries/2"), r#"{"flags":1,"text":"b"}"#);
        assert_eq!(get(&mut edit, "/count"), "3");
        edit.set(&"/entries/0".into(), "c".into(), false).expect("is set");
        assert_eq!(get(&mut edit, "/entries/0"), r#"{"flags":1,"text":"c"}"#);
        edit.set(&"/other".into(), "b".into(), false).expect("is set");
        assert_eq!((get(&mut edit, "/other"), get(&mut edit, "/count")), (r#""b""#.to_owned(), "3".to_owned()));
    }

    #[test]
    fn item_is_inserted_only_into_a_list() {
        let mut edit = edit();
        edit.insert(&"/none/0".into(), 1.into()).expect("an absent list is empty");
        edit.insert(&"/another/-".into(), 2.into()).expect("an absent list is empty");
        assert_eq!((get(&mut edit, "/none"), get(&mut edit, "/another")), ("[1]".to_owned(), "[2]".to_owned()));
        let why = |edit: &mut Edit, place: &str| edit.insert(&place.into(), 1.into()).expect_err("is refused").why;
        assert!(why(&mut edit, "/size").contains("is a member"));
        assert_eq!(why(&mut edit, "/size/0"), "no 0 in /size, which is 1.0");
        for place in ["/absent", "/absent/1", "/size/-", "a#1:/x", "none:/0"] {
            assert!(!why(&mut edit, place).contains("is a member"), "{place}");
        }
        assert_eq!(get(&mut edit, "/size"), "1.0");
    }

    #[test]
    fn word_for_a_new_item_is_of_its_list() {
        let mut edit = edit();
        edit.set(&"a#1:/-".into(), "text".into(), false).expect("is set");
        edit.set_typed(&"a#1:/-".into(), "word", false).expect("there is a text");
        edit.insert_typed(&"a#1:/0".into(), "other").expect("there is a text");
        assert!(edit.set_typed(&"a#1:/1".into(), "word", false).is_err(), "a number is there");
        assert_eq!(get(&mut edit, "a#1"), r#"["other",1,2,"text","word"]"#);
    }

    #[test]
    fn entry_is_moved_only_within_its_table() {
        let mut edit = edit();
        assert_eq!(edit.index("a#2"), Ok(1));
        assert!(edit.index("only").is_err() && edit.index("none").is_err());
        assert!(edit.shift("a#1", 2).is_err());
        assert_eq!(get(&mut edit, "/entries/1/file"), r#""a~2.json""#, "nothing has moved");
        edit.shift("a#1", 1).expect("is moved");
        assert_eq!(get(&mut edit, "/entries/1/file"), r#""a.json""#);
    }

    #[test]
    fn new_entry_is_of_the_kind_of_those_with_its_ending() {
        let head = r#"{"entries": [{"kind": "gff", "file": "a.json", "name": "a.utc"}, {"kind": "opaque", "file": "b.bin", "name": "b.utc"},
            {"kind": "set", "file": "c.json", "name": "c"}]}"#;
        let mut drafts = Drafts::default();
        drafts.insert(MANIFEST.to_owned(), Document::Json(parse(head.as_bytes()).expect("JSON")));
        let files = [("a.utc", "a.json"), ("b.utc", "b.bin"), ("c", "c.json")];
        let files = files.map(|(entry, file)| (entry.to_owned(), file.to_owned())).into();
        let mut edit = Edit::new(named(KINDS, "archive").expect("a kind"), drafts, files);
        let mut kind = |name: &str| edit.kind_to_add(name);
        assert_eq!(kind("d.UTC").as_deref(), Some("gff"));
        assert_eq!(kind("d.none").as_deref(), Some("set"), "that of the last one");
        assert_eq!(kind("d").as_deref(), Some("set"));
        assert_eq!(kind("d.zrd").as_deref(), Some("reader"), "the game has such files");
    }

    #[test]
    fn entries_are_edited_in_the_same_way_while_lists_stay_open() {
        static SMALLEST: field::Thresholds = field::Thresholds::SMALLEST;
        SMALLEST.during(|| {
            removing_an_entry_removes_its_entries();
            entries_of_a_renamed_entry_get_its_new_name();
            replaced_entry_leaves_no_file();
            added_entries_get_their_own_files();
            entries_move_within_their_table();
            entry_is_moved_only_within_its_table();
            new_row_gets_the_cells_that_it_lacks_and_no_other_does();
            item_is_inserted_only_into_a_list();
        });
    }
}
