//! Records the documents of a model during a walk: the bytes are copied, together with their layouts.

use core::ops::Range;
use std::collections::BTreeMap;

use bytes::Bytes;
use smol_str::SmolStr;

use super::value::DocValue;
use super::{Body, Doc, Group, Id, Names};
use field::memory::{self, Meter};
use field::{
    Codec, Datum, DescribedIn, Error, Group as Visited, Label, Place, Result, Run, Shape, Step, Value, Visitor, What,
    decode_text, hex, wide,
};
use json::Document;

/// The approximate memory of one row in the tables of files and of facts, in bytes.
const PLACED: u64 = 256;

/// Records the documents of a model.
pub struct Recorder {
    names: Names,
    /// The view of the model.
    view: View,
    /// Kinds whose values are needed at once.
    as_values: Vec<&'static str>,
    /// The complete documents, by file.
    entered: BTreeMap<String, Entered>,
    /// The file of each entry, by its place.
    entries: BTreeMap<String, String>,
    /// The open documents, each nested in the one before it.
    open: Vec<Open>,
    /// The memory that the values take once they are read again.
    memory: Meter,
    /// The file of the model, or nothing.
    source: Bytes,
    /// `true` if derived values that deviate are recorded.
    judges: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// A document for the model, and one for each entry.
    Documents,
    /// One document: entries are placed beside the fields of their container, under their labels and `!`, as in places. With
    /// `all`, it includes values that are as expected.
    Whole { all: bool },
}

/// The recorded documents of a model.
#[derive(Debug)]
pub struct Recorded {
    /// The contents of the model itself.
    pub root: Entered,
    /// The contents of its entries, by file.
    pub entered: BTreeMap<String, Entered>,
    /// The file of each entry, by its place.
    pub entries: BTreeMap<String, String>,
    /// The memory that the values take once they are read again.
    pub(crate) memory: Meter,
}

/// An entry that has been entered, and what it holds so far.
#[derive(Debug)]
pub struct Entered {
    /// Its contents.
    pub content: Content,
    /// The encoding of raw bytes whose values can be edited without changes to the rest.
    pub codec: Option<&'static Codec>,
    /// The objects that list the kinds and files of entries.
    pub(crate) rows: Vec<(Id, &'static str, String)>,
}

/// The contents of a file.
#[derive(Debug)]
pub enum Content {
    /// The entry as a document.
    Doc(Doc),
    /// The entry as bytes.
    Raw(Bytes),
}

impl Content {
    /// Returns the value of a document.
    pub fn into_values(self) -> Document {
        match self {
            Self::Doc(doc) => Document::Json(DocValue::Node(Id::ROOT).json(&doc)),
            Self::Raw(bytes) => Document::Raw(bytes),
        }
    }
}

/// Returns where these bytes lie in a file, or `None` if they are elsewhere in memory.
fn part_of(file: &Bytes, bytes: &[u8]) -> Option<Range<usize>> {
    let at = bytes.as_ptr().addr().checked_sub(file.as_ptr().addr())?;
    Some(at..at.checked_add(bytes.len())?).filter(|part| part.end <= file.len())
}

/// The bytes of an entry, which are a part of the file as long as they lie there end to end.
#[derive(Default)]
struct Raw {
    file: Bytes,
    part: Range<usize>,
    /// Copied bytes, once there are any from elsewhere.
    copied: Option<Vec<u8>>,
}

impl Raw {
    fn of(file: &Bytes) -> Self {
        Self { file: file.clone(), ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        self.copied.is_none() && self.part.is_empty()
    }

    fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        match (&mut self.copied, part_of(&self.file, bytes)) {
            (None, Some(range)) if self.part.is_empty() => self.part = range,
            (None, Some(range)) if self.part.end == range.start => self.part.end = range.end,
            (copied, _) => {
                let before = || self.file.slice(self.part.clone()).to_vec();
                copied.get_or_insert_with(before).extend_from_slice(bytes);
            }
        }
    }

    fn into_bytes(self) -> Bytes {
        match self.copied {
            Some(copied) => copied.into(),
            None => self.file.slice(self.part),
        }
    }
}

/// An entry that is not yet complete.
struct Open {
    file: String,
    kind: &'static str,
    doc: Doc,
    /// Its bytes, if the entry is recorded as raw bytes.
    raw: Option<Raw>,
    /// The encoding of these bytes, if it is that of all of them.
    codec: Option<&'static Codec>,
    /// The groups on the way in.
    groups: Vec<Id>,
    /// The node before the first of them, if that group is new: entries in it go there, too, if they have no documents.
    before: Option<Option<Id>>,
    /// Items of its lists that describe entries in it, with the kind and file of each.
    rows: Vec<(&'static str, usize, &'static str, String)>,
    /// The objects that already list an entry.
    told: Vec<(Id, &'static str, String)>,
}

impl Open {
    fn new(file: String, kind: &'static str, raw: Option<Raw>) -> Self {
        let (rows, told) = (Vec::new(), Vec::new());
        Self { file, kind, doc: Doc::default(), raw, codec: None, groups: vec![Id::ROOT], before: None, rows, told }
    }

    fn group(&self) -> Id {
        self.groups.last().copied().unwrap_or(Id::ROOT)
    }

    /// Puts a body into the group of its place. Raw bytes have no groups.
    fn put(&mut self, place: &Place, body: Body) {
        let group = self.group();
        match place.pointer().last() {
            // A value that makes up a whole file or entry takes its place.
            None => self.doc.set_whole(body),
            Some(Step::Name(name)) => _ = self.doc.push(group, Some(SmolStr::new_static(name)), body),
            Some(Step::Index(index)) => _ = self.doc.put_item(group, slot(*index), body),
            Some(Step::Entry) => _ = self.doc.push(group, None, body),
        }
    }

    /// Enters a group. An existing group is continued.
    fn enter(&mut self, is_list: bool, step: Option<&Step>) {
        let outer = self.group();
        if self.raw.is_some() {
            self.groups.push(outer);
            return;
        }
        let known = match step {
            Some(Step::Name(name)) => self.doc.group(outer, name),
            Some(Step::Index(index)) => self.doc.item(outer, slot(*index)),
            _ => None,
        };
        if let (Some(known), true) = (known, is_list) {
            self.doc.open(known);
        }
        let known =
            known.filter(|known| matches!(self.doc.node(*known).body, Body::Group(it) if it.is_list == is_list));
        if self.groups.len() == 1 {
            self.before = known.is_none().then(|| self.doc.last(Id::ROOT));
        }
        let group = Body::Group(Group::of(is_list));
        let id = known.unwrap_or_else(|| match step {
            Some(Step::Name(name)) => self.doc.push(outer, Some(SmolStr::new_static(name)), group),
            Some(Step::Index(index)) => self.doc.put_item(outer, slot(*index), group),
            _ => self.doc.push(outer, None, group),
        });
        self.groups.push(id);
    }

    /// Puts the kind and the file of an entry into an object.
    fn tell(&mut self, object: Id, kind: &'static str, file: String) {
        for (name, value) in [("kind", kind), ("file", file.as_str())] {
            let body = self.doc.keep_value(value.into());
            self.doc.push(object, Some(SmolStr::new_static(name)), body);
        }
        self.told.push((object, kind, file));
    }

    /// Adds kinds and files of entries to the items of its lists, and puts values that make up the whole document in place. The next datum,
    /// or the end, returns the error if these take more memory than allowed.
    fn finish(mut self, as_values: &[&str], memory: &Meter) -> Entered {
        self.doc.finish();
        for (list, index, kind, file) in std::mem::take(&mut self.rows) {
            let Some(list) = self.doc.group(Id::ROOT, list) else { continue };
            if !matches!(self.doc.node(list).body, Body::Group(_)) {
                self.doc.open(list);
            }
            let item = self.doc.item(list, index);
            let item = item.filter(|item| matches!(self.doc.node(*item).body, Body::Group(it) if !it.is_list));
            if let Some(item) = item {
                for (name, value) in [("file", file.as_str()), ("kind", kind)] {
                    let body = self.doc.keep_value(value.into());
                    self.doc.insert(item, None, Some(SmolStr::new_static(name)), body);
                }
                self.told.push((item, kind, file));
            }
        }
        if as_values.contains(&self.kind) && self.told.is_empty() {
            let json = DocValue::Node(Id::ROOT).json(&self.doc);
            let _ = memory.charge(json.memory());
            self.doc = Doc::of(json);
        }
        let content = match self.raw {
            Some(raw) => Content::Raw(raw.into_bytes()),
            None => Content::Doc(self.doc),
        };
        Entered { content, codec: self.codec, rows: self.told }
    }
}

/// Converts an index to one of memory.
fn slot(index: u64) -> usize {
    // Rust supports no machine with addresses of more than 64 bits, so no list in memory is longer than this.
    usize::try_from(index).unwrap_or(usize::MAX)
}

impl Recorder {
    /// Creates a recorder of one document for the model and one for each entry. If `raw`, the model is recorded as raw bytes.
    pub fn documents(raw: bool, memory: Meter) -> Self {
        Self::new(View::Documents, raw, memory)
    }

    /// Creates a recorder of one document for the whole model; with `all`, it includes values that are as expected.
    pub fn whole(all: bool) -> Self {
        Self::new(View::Whole { all }, false, Meter::new(memory::allowed(), 0))
    }

    fn new(view: View, raw: bool, memory: Meter) -> Self {
        let open = vec![Open::new(String::new(), "", raw.then(Raw::default))];
        let (names, as_values, entered, entries) = (Names::default(), Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { names, view, as_values, entered, entries, open, memory, source: Bytes::new(), judges: true }
    }

    /// Records nothing about what the rules of containers compute, which can take a walk of its own.
    pub fn unjudged(self) -> Self {
        Self { judges: false, ..self }
    }

    /// Takes raw entries, and bytes of documents that become values, from the file of the model where they lie in it, instead of copying
    /// them.
    pub(crate) fn sharing(mut self, source: Bytes) -> Self {
        self.open.iter_mut().filter_map(|open| open.raw.as_mut()).for_each(|raw| *raw = Raw::of(&source));
        Self { source, ..self }
    }

    /// Converts documents of these kinds to values at once, if they contain no entries.
    pub(crate) fn with_values(self, of: Vec<&'static str>) -> Self {
        Self { as_values: of, ..self }
    }

    /// Charges memory where no error can be returned. The next datum returns it.
    fn spend(&self, bytes: u64) {
        let _ = self.memory.charge(bytes);
    }

    /// Returns the documents of the model, which has this kind and ends at this offset.
    ///
    /// # Errors
    /// Returns an error if their values take more memory than allowed.
    pub fn finish(mut self, kind: &'static str, end: u64) -> Result<Recorded> {
        let root = self.open.pop().unwrap_or_else(|| Open::new(String::new(), "", None));
        let root = Open { kind, ..root }.finish(&self.as_values, &self.memory);
        if let Some(fault) = self.memory.refused() {
            return Err(Error::new(end, Place::default(), fault));
        }
        Ok(Recorded { root, entered: self.entered, entries: self.entries, memory: self.memory })
    }

    /// Returns the value at these keys of the only document.
    pub fn value(mut self, keys: &[String]) -> Option<Value> {
        let root = self.open.pop()?.finish(&self.as_values, &self.memory);
        let Document::Json(mut value) = root.content.into_values() else { return None };
        for key in keys {
            let known = value.step_mut(key).is_some();
            // A value that made up the whole file became a member because of the members beside it.
            let from = if known { &mut value } else { value.step_mut("value")? };
            value = std::mem::take(from.step_mut(key)?);
        }
        Some(value)
    }

    /// Puts a value at a place, instead of the data there.
    pub fn put(&mut self, place: &Place, value: Value) {
        if let Some(open) = self.open.last_mut() {
            let body = open.doc.keep_value(value);
            open.put(place, body);
        }
    }

    /// Returns `true` if the item at a place, or a part of it, has been recorded.
    pub fn has_item(&mut self, place: &Place) -> bool {
        let (Some(open), Some(Step::Index(index))) = (self.open.last_mut(), place.pointer().last()) else {
            return false;
        };
        let group = open.group();
        open.doc.item(group, slot(*index)).is_some_and(|item| !open.doc.is_nothing(item))
    }

    /// Returns `true` if the open entry, or the model, is recorded as raw bytes.
    pub fn is_raw(&self) -> bool {
        self.open.last().is_some_and(|open| open.raw.is_some())
    }

    /// Adds the kind and file of an entry to its container.
    fn tell(&mut self, label: &Label, kind: &'static str, file: String) {
        let Some(open) = self.open.last_mut() else { return };
        match label.described_in {
            DescribedIn::Here => open.tell(open.group(), kind, file),
            DescribedIn::Member => {
                let (group, name) = (open.group(), label.to_string());
                let known = open.doc.group(group, &name);
                let known = known.filter(|it| matches!(open.doc.node(*it).body, Body::Group(it) if !it.is_list));
                let object =
                    known.unwrap_or_else(|| open.doc.push(group, Some(name.into()), Body::Group(Group::of(false))));
                open.tell(object, kind, file);
            }
            DescribedIn::Item(list, index) => open.rows.push((list, index, kind, file)),
        }
    }
}

/// Returns the fields of a record that show names instead of indices.
fn names_in(datum: &Datum<'_>) -> Vec<(&'static str, Value)> {
    match (datum.what, datum.referents) {
        (What::Fields(layout, _), Some(referents)) => {
            layout.named_indices(datum.bytes, referents).map(|(field, named)| (field.name, named)).collect()
        }
        _ => Vec::new(),
    }
}

/// Estimates the memory of the values of some bytes once their text is read. Values computed by rules are not counted, but values
/// that are otherwise omitted are.
fn weight(datum: &Datum<'_>) -> u64 {
    let length = wide(datum.bytes.len());
    let member = wide(size_of::<(SmolStr, Value)>());
    match datum.what {
        What::Count(_) => 0,
        What::Fields(layout, _) => wide(layout.memory()),
        What::Value(item) => member.saturating_add(wide(item.shape.memory())),
        What::Block(item, _) => {
            let each = wide(size_of::<Value>().saturating_add(item.shape.memory()));
            length.checked_div(wide(item.size)).unwrap_or(0).saturating_mul(each).saturating_add(member)
        }
        What::Text(_) => length.saturating_add(member),
        // If data is printed straight from its bytes, a value takes at least 8 of them, and so does its list.
        What::Coded(Codec { print: Some(_), .. }, _) => length.saturating_mul(5),
        // The value, what it is made from, and the bytes that it becomes.
        What::Coded(codec, _) => (codec.show)(datum.bytes).memory().saturating_add(length).saturating_mul(2),
        What::Run(_) | What::AsExpected(_) => length.saturating_mul(3).saturating_add(member),
    }
}

/// Returns the value of bytes that are not a record: always with `all`, else `None` if they are as expected. Rows of a block
/// that are not `wanted` are null.
pub fn shown(datum: &Datum<'_>, all: bool, wanted: &dyn Fn(u64) -> bool) -> Option<Value> {
    let show = if all { Shape::show_all } else { Shape::show };
    Some(match datum.what {
        What::Fields(layout, rules) => Value::Object(layout.show(datum.bytes, rules)),
        What::Count(leaf) if all => leaf.show(datum.bytes),
        What::Count(_) => return None,
        What::Value(item) => show(&item.shape, datum.bytes),
        What::Block(item, rules) => {
            let rows = (0..).zip(datum.bytes.chunks_exact(item.size.max(1)));
            let row = |index, show: &dyn Fn() -> Value| if wanted(index) { show() } else { Value::Null };
            match (item.shape, rules) {
                (Shape::Record(layout), Some(rules)) if !all => {
                    let rules = rules.chunks_exact(item.size.max(1));
                    let both = rows.zip(rules);
                    both.map(|((index, it), rules)| row(index, &|| Value::Object(layout.show(it, Some(rules)))))
                        .collect()
                }
                _ => rows.map(|(index, it)| row(index, &|| show(&item.shape, it))).collect(),
            }
        }
        What::Text(page) => decode_text(page, datum.bytes).into(),
        What::Coded(codec, _) => match (codec.show)(datum.bytes) {
            Value::Null if !all => return None,
            Value::Null => Value::of_bytes(Bytes::copy_from_slice(datum.bytes)),
            value => value,
        },
        What::Run(Run::Padding(wanted)) => {
            let zeros = datum.bytes.iter().all(|&byte| byte == 0) && wide(datum.bytes.len()) == wanted;
            if zeros && !all {
                return None;
            }
            Value::kept(hex(datum.bytes), wanted)
        }
        What::Run(_) | What::AsExpected(_) => Value::of_bytes(Bytes::copy_from_slice(datum.bytes)),
    })
}

impl Visitor for Recorder {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        let bytes = if open.raw.is_some() { wide(datum.bytes.len()) } else { weight(datum) };
        self.memory.charge(bytes).map_err(|fault| Error::new(datum.offset, datum.place.clone(), fault))?;
        if let Some(raw) = &mut open.raw {
            open.codec = match datum.what {
                What::Coded(codec, _) if raw.is_empty() && codec.merge.is_some() => Some(codec),
                _ => None,
            };
            raw.push(datum.bytes);
            return Ok(());
        }
        if let View::Whole { all: true } = self.view {
            let values = match datum.what {
                What::Fields(layout, _) => {
                    let mut values = layout.show_all(datum.bytes);
                    for (field, named) in names_in(datum) {
                        values.iter_mut().filter(|(name, _)| name == field).for_each(|(_, it)| *it = named.clone());
                    }
                    values
                }
                _ => {
                    if let Some(value) = shown(datum, true, &|_| true) {
                        self.put(datum.place, value);
                    }
                    return Ok(());
                }
            };
            let group = open.group();
            for (name, value) in values {
                let body = open.doc.keep_value(value);
                open.doc.push(group, Some(name), body);
            }
            return Ok(());
        }
        let doc = &mut open.doc;
        let length = datum.bytes.len();
        let is_zero = || datum.bytes.iter().all(|&byte| byte == 0);
        // The values computed by its container's rules are stored after it.
        let keep = |doc: &mut Doc, rules: Option<&[u8]>| {
            let at = doc.keep(datum.bytes);
            let rules = rules.filter(|rules| rules.len() == length);
            if let Some(rules) = rules {
                doc.keep(rules);
            }
            (at, rules.is_some())
        };
        let body = match datum.what {
            What::Count(_) => return Ok(()),
            What::Fields(layout, rules) => {
                let (at, judged) = keep(doc, rules);
                let names = doc.keep_names(names_in(datum));
                let group = open.group();
                open.doc.push(group, None, Body::Fields { layout, at, judged, names });
                return Ok(());
            }
            What::Block(item, rules) => {
                let (at, judged) = keep(doc, rules.filter(|_| matches!(item.shape, Shape::Record(_))));
                Body::Block { item, at, length, judged }
            }
            What::Value(item) => {
                Body::Value { shape: &item.shape, at: doc.keep(datum.bytes), is_leftover: item.class.is_leftover() }
            }
            What::Text(page) => Body::Text { page, at: doc.keep(datum.bytes), length },
            // Zeros can be a value that need not be printed.
            What::Coded(codec, _) if is_zero() && matches!((codec.show)(datum.bytes), Value::Null) => return Ok(()),
            What::Coded(codec, _) => Body::Coded { codec, at: doc.keep(datum.bytes), length },
            What::Run(Run::Padding(wanted)) => {
                if is_zero() && wide(length) == wanted {
                    return Ok(());
                }
                doc.keep_value(Value::kept(hex(datum.bytes), wanted))
            }
            What::Run(_) | What::AsExpected(_) => {
                // Pixels and samples become values, and need no copy in between.
                let is_value = self.view != View::Documents || self.as_values.contains(&open.kind);
                match part_of(&self.source, datum.bytes).filter(|part| is_value && !part.is_empty()) {
                    Some(part) => doc.keep_value(Value::of_bytes(self.source.slice(part))),
                    None => Body::Bytes { at: doc.keep(datum.bytes), length },
                }
            }
        };
        open.put(datum.place, body);
        Ok(())
    }

    fn enter(&mut self, group: Visited, place: &Place, _: u64) {
        if matches!(group, Visited::Entry { .. }) {
            self.spend(wide(place.memory()).saturating_add(PLACED));
        }
        let Some(open) = self.open.last_mut() else { return };
        match group {
            Visited::Entry { kind, raw, .. } => {
                let (file, raw) = match self.view {
                    View::Documents => {
                        let label = place.labels().last().cloned().unwrap_or_default();
                        (self.names.file(&open.file, &label, raw), raw.map(|_| Raw::of(&self.source)))
                    }
                    View::Whole { .. } => (String::new(), None),
                };
                self.open.push(Open::new(file, kind, raw));
            }
            Visited::List | Visited::Object => open.enter(group == Visited::List, place.pointer().last()),
        }
    }

    fn leave(&mut self, group: Visited, place: &Place, _: u64) {
        self.spend(wide(size_of::<(SmolStr, Value)>()));
        if !matches!(group, Visited::Entry { .. }) {
            if let Some(open) = self.open.last_mut() {
                open.groups.pop();
            }
            return;
        }
        let (Some(open), Some(label)) = (self.open.pop(), place.labels().last()) else { return };
        if let View::Whole { .. } = self.view {
            let Document::Json(value) = open.finish(&self.as_values, &self.memory).content.into_values() else {
                return;
            };
            if let Some(outer) = self.open.last_mut() {
                let (name, body) = (Some(format!("{label}!").into()), outer.doc.keep_value(value));
                match outer.before.filter(|_| outer.groups.len() > 1) {
                    Some(before) => outer.before = Some(Some(outer.doc.insert(Id::ROOT, before, name, body))),
                    None => _ = outer.doc.push(Id::ROOT, name, body),
                }
            }
            return;
        }
        self.tell(label, open.kind, open.file.clone());
        let file = open.file.clone();
        self.entries.insert(place.container(), file.clone());
        self.entered.insert(file, open.finish(&self.as_values, &self.memory));
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        // A fact is found by its place.
        self.spend(fact.memory().saturating_add(PLACED));
        if let Some(open) = self.open.last_mut().filter(|open| open.raw.is_none()) {
            let body = open.doc.keep_value(fact);
            open.put(place, body);
        }
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn judges(&self) -> bool {
        self.judges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shared_only_where_they_lie_in_the_file_end_to_end() {
        let file = Bytes::from_static(b"0123456789");
        let raw = |parts: &[&[u8]]| {
            let mut raw = Raw::of(&file);
            parts.iter().for_each(|part| raw.push(part));
            (raw.copied.is_none(), raw.into_bytes())
        };
        assert_eq!(raw(&[&file[2..4], b"", &file[4..7]]), (true, file.slice(2..7)));
        assert_eq!(raw(&[&file[2..4], &file[5..7]]), (false, Bytes::from_static(b"2356")));
        assert_eq!(raw(&[&file[2..4], b"45", &file[6..7]]), (false, Bytes::from_static(b"23456")));
        assert_eq!(raw(&[&[7][..], &file[..1]]), (false, Bytes::from_static(b"\x070")));
        assert_eq!(raw(&[]), (true, Bytes::new()));
        let mut none = Raw::default();
        none.push(b"12");
        assert_eq!(none.into_bytes(), Bytes::from_static(b"12"));
    }
}
