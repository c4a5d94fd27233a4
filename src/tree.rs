//! A model as JSON: what `inspect` prints, and what the exchange form is made of.
//!
//! Members by name, what is as expected left out. Entries stand beside the fields of their container, under their label
//! and `!` as in places, or are documents of their own.

use std::collections::HashSet;

use bytes::Bytes;
use smol_str::SmolStr;

use crate::diff::Alike;
use crate::exchange::{Names, Tables};
use crate::field::{
    Datum, Document, Error, Fault, Group, Json, Label, Layout, Members, Place, Result, Row, Run, Shape, Step, Visitor,
    What, decode_text, hex,
    memory::{self, Meter},
    wide,
};

/// Builds the JSON of a model.
#[derive(Debug)]
pub struct Tree {
    /// Whether everything is shown, as expected or not.
    all: bool,
    /// Where entries become documents: their names.
    names: Option<Names>,
    /// The documents so far.
    documents: Vec<Entered>,
    /// The records of lists in documents.
    tables: Tables,
    /// Entries whose bytes are not looked at.
    skipped: HashSet<String>,
    /// Other parts that are not looked at.
    alike: Option<Alike>,
    open: Vec<Open>,
    /// What the values take.
    memory: Meter,
}

/// An entry that has become a document.
#[derive(Debug)]
pub struct Entered {
    /// The entry.
    pub entry: String,
    /// The file that it is.
    pub file: String,
    /// What is in it.
    pub document: Document,
}

/// A group whose members are still coming.
#[derive(Debug)]
struct Open {
    value: Json,
    entry: Option<Entry>,
}

/// What is known of an entry that is still coming.
#[derive(Debug, Default)]
struct Entry {
    /// The file it becomes, and its kind.
    file: String,
    kind: &'static str,
    /// Its bytes, where they are wanted as they are.
    raw: Option<Vec<u8>>,
    /// Whether they are not looked at.
    skipped: bool,
    /// Items of its lists that entries in it belong to, with what is to be said there.
    rows: Vec<(&'static str, usize, Members)>,
}

impl Tree {
    /// One value, everything in it.
    #[must_use]
    pub fn whole(all: bool) -> Self {
        Self::new(all, None, None)
    }

    /// A document for the model, and one for each entry in it. With `raw` the model is its bytes as they are.
    #[must_use]
    pub fn documents(raw: bool) -> Self {
        Self::new(false, Some(Names::default()), raw.then(Vec::new))
    }

    fn new(all: bool, names: Option<Names>, raw: Option<Vec<u8>>) -> Self {
        let root = Open { value: Json::Object(Vec::new()), entry: Some(Entry { raw, ..Entry::default() }) };
        let (documents, tables, skipped) = (Vec::new(), Tables::new(), HashSet::new());
        let memory = Meter::new(memory::allowed(), 0);
        Self { all, names, documents, tables, skipped, alike: None, open: vec![root], memory }
    }

    /// The same, without what is in some entries, by their places.
    #[must_use]
    pub fn without(self, skipped: HashSet<String>) -> Self {
        Self { skipped, ..self }
    }

    /// The same, with a mark instead of each part that another model has as well.
    pub(crate) fn unlike(self, alike: Alike) -> Self {
        Self { alike: Some(alike), ..self }
    }

    /// Returns the tree with another limit of memory, of which so many bytes are taken by something else.
    #[must_use]
    pub fn within(self, memory: u64, elsewhere: u64) -> Self {
        Self { memory: Meter::new(memory, elsewhere), ..self }
    }

    /// Counts what something takes where nothing can be refused. What comes next is.
    fn spend(&self, bytes: u64) {
        let _ = self.memory.charge(bytes);
    }

    /// Returns the error if the values took more memory than allowed.
    #[must_use]
    pub fn refused(&self) -> Option<Fault> {
        self.memory.refused()
    }

    /// Counts what a value is about to take, or its parts.
    fn charge(&self, datum: &Datum<'_>, bytes: u64) -> Result {
        self.memory
            .charge(bytes.saturating_mul(FORMS))
            .map_err(|fault| Error::new(datum.offset, datum.place.clone(), fault))
    }

    /// What the model is, the documents of its entries, and the records of its tables.
    #[must_use]
    pub fn finish(mut self) -> (Document, Vec<Entered>, Tables) {
        let root = self.open.pop().map(Open::document).unwrap_or_default();
        (root, self.documents, self.tables)
    }

    /// What keys lead to in the model.
    #[must_use]
    pub fn value(self, keys: &[String]) -> Option<Json> {
        let Document::Json(mut value) = self.finish().0 else { return None };
        for key in keys {
            let known = value.step_mut(key).is_some();
            // What stands beside a value that is all there is of a file made it a member.
            let from = if known { &mut value } else { value.step_mut("value")? };
            value = std::mem::take(from.step_mut(key)?);
        }
        Some(value)
    }

    /// Puts what stands for a part at its place. Of an item that is told in pieces, it is there after the first.
    fn put_mark(&mut self, place: &Place, mark: Json) {
        let Some(open) = self.open.last() else { return };
        let is_there = match place.pointer().last() {
            Some(Step::Index(index)) => usize::try_from(*index).is_ok_and(|index| {
                open.value.items().and_then(|items| items.get(index)).is_some_and(|it| *it != Json::Null)
            }),
            _ => false,
        };
        if !is_there {
            self.put(place, mark);
        }
    }

    /// Puts what stands at a place into the group that it is in.
    pub(crate) fn put(&mut self, place: &Place, value: Json) {
        let Some(open) = self.open.last_mut() else { return };
        match place.pointer().last() {
            // All there is of a file or entry takes its place.
            None => open.value = value,
            Some(Step::Name(name)) => open.value.put(*name, value),
            Some(Step::Index(index)) => open.value.put_item(*index, value),
            Some(_) => open.value.push(value),
        }
    }

    fn members(&mut self, datum: &Datum<'_>, layout: &'static Layout, rules: Option<&[u8]>) -> Result {
        let bytes = datum.bytes;
        let members = if self.all { layout.show_all(bytes) } else { layout.show(bytes, rules) };
        self.charge(datum, Json::memory_of_members(&members))?;
        if let Some(open) = self.open.last_mut() {
            open.value.put_all(members);
        }
        Ok(())
    }

    /// Says in its container what became of an entry.
    fn tell(&mut self, label: &Label, entry: &Entry) {
        let file = vec![("kind".into(), entry.kind.into()), ("file".into(), entry.file.as_str().into())];
        let Some(open) = self.open.last_mut() else { return };
        match label.row {
            Row::Here => file.into_iter().for_each(|(name, value)| open.value.put(name, value)),
            Row::Member => open.value.put(label.to_string(), Json::Object(file)),
            Row::Item(list, index) => {
                let container = self.open.iter_mut().rev().find_map(|open| open.entry.as_mut());
                if let Some(container) = container {
                    container.rows.push((list, index, file));
                }
            }
        }
    }
}

/// How many times the memory of the values a file takes on its way through them: they are text, and a model again.
pub(crate) const FORMS: u64 = 2;
/// About what the place of something takes in tables: of files and of facts.
pub(crate) const PLACED: u64 = 256;

/// What is shown of some bytes that are no record: everything with `all`, else nothing where they are as expected. Rows of a
/// block that are not `wanted` are null.
pub(crate) fn value(datum: &Datum<'_>, all: bool, wanted: &dyn Fn(u64) -> bool) -> Option<Json> {
    let show = if all { Shape::show_all } else { Shape::show };
    Some(match datum.what {
        What::Fields(layout, rules) => Json::Object(layout.show(datum.bytes, rules)),
        What::Count(leaf) if all => (leaf.show)(datum.bytes),
        What::Count(_) => return None,
        What::Value(item) => show(&item.shape, datum.bytes),
        What::Block(item, rules) => {
            let rows = (0..).zip(datum.bytes.chunks_exact(item.size.max(1)));
            let row = |index, show: &dyn Fn() -> Json| if wanted(index) { show() } else { Json::Null };
            match (item.shape, rules) {
                (Shape::Record(layout), Some(rules)) if !all => {
                    let rules = rules.chunks_exact(item.size.max(1));
                    let both = rows.zip(rules);
                    both.map(|((index, it), rules)| row(index, &|| Json::Object(layout.show(it, Some(rules)))))
                        .collect()
                }
                _ => rows.map(|(index, it)| row(index, &|| show(&item.shape, it))).collect(),
            }
        }
        What::Text(page) => decode_text(page, datum.bytes).into(),
        What::Coded(coding, _) => match (coding.show)(datum.bytes) {
            Json::Null if !all => return None,
            Json::Null => Json::Bytes(datum.bytes.to_vec()),
            value => value,
        },
        What::Run(Run::Padding(wanted)) => {
            let zeros = datum.bytes.iter().all(|&byte| byte == 0) && wide(datum.bytes.len()) == wanted;
            if zeros && !all {
                return None;
            }
            Json::kept(hex(datum.bytes), wanted)
        }
        What::Run(_) => Json::Bytes(datum.bytes.to_vec()),
    })
}

/// The memory that what is shown of a block takes at least, known before it is shown: a value for each record.
fn least(datum: &Datum<'_>) -> u64 {
    match datum.what {
        What::Block(item, _) => {
            wide(datum.bytes.len()).checked_div(wide(item.size)).unwrap_or(0).saturating_mul(wide(size_of::<Json>()))
        }
        _ => wide(datum.bytes.len()),
    }
}

impl Open {
    /// What an entry holds, with what entries in it have to say.
    fn document(mut self) -> Document {
        let entry = self.entry.unwrap_or_default();
        for (list, index, row) in entry.rows {
            let item = match self.value.step_mut(list) {
                Some(Json::List(items)) => items.get_mut(index),
                _ => None,
            };
            if let Some(Json::Object(item)) = item {
                item.splice(0..0, row);
            }
        }
        match entry.raw {
            Some(bytes) => Document::Raw(Bytes::from(bytes)),
            None => Document::Json(self.value),
        }
    }
}

impl Visitor for Tree {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if let Some(alike) = &self.alike {
            if alike.is_inside() {
                return Ok(());
            }
            // Bytes as they are may be wanted, and cost no more than a mark.
            let is_raw = self.open.iter().rev().find_map(|open| open.entry.as_ref()).is_some_and(|it| it.raw.is_some());
            if let Some(mark) = alike.datum(datum).filter(|_| !is_raw) {
                self.put(datum.place, mark);
                return Ok(());
            }
        }
        // What is not looked at costs nothing, bytes as they are cost themselves, and anything else is counted again when it is shown.
        self.charge(
            datum,
            match self.open.iter().rev().find_map(|open| open.entry.as_ref()) {
                Some(Entry { skipped: true, .. }) => 0,
                Some(Entry { raw: Some(_), .. }) => wide(datum.bytes.len()),
                _ => least(datum),
            },
        )?;
        let entry = self.open.iter_mut().rev().find_map(|open| open.entry.as_mut());
        if let Some(entry) = entry {
            if let (false, Some(raw)) = (entry.skipped, &mut entry.raw) {
                raw.extend_from_slice(datum.bytes);
            }
            if entry.skipped || entry.raw.is_some() {
                return Ok(());
            }
        }
        if let What::Fields(layout, rules) = datum.what {
            if let (Some(_), [Step::Name(list), Step::Index(_)]) = (&self.names, datum.place.pointer()) {
                let container = datum.place.container();
                self.tables.entry((container, (*list).to_owned())).or_insert(layout);
            }
            return self.members(datum, layout, rules);
        }
        let Some(value) = value(datum, self.all, &|_| true) else { return Ok(()) };
        self.charge(datum, value.memory().saturating_sub(least(datum)))?;
        self.put(datum.place, value);
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, _: u64) {
        match self.alike.as_mut().map(|alike| alike.enter(group, place)) {
            Some((Some(mark), _)) => return self.put_mark(place, mark),
            Some((None, true)) => return,
            Some((None, false)) | None => {}
        }
        if matches!(group, Group::Entry { .. }) {
            self.spend(wide(place.memory()).saturating_add(PLACED));
        }
        let folder = self.open.iter().rev().find_map(|open| open.entry.as_ref()).map(|entry| entry.file.as_str());
        let entry = match (group, place.labels().last()) {
            (Group::Entry { kind, raw }, Some(label)) => {
                let folder = folder.unwrap_or_default();
                let file = self.names.as_mut().map(|names| names.file(folder, label, raw)).unwrap_or_default();
                let raw = raw.filter(|_| self.names.is_some()).map(|_| Vec::new());
                let within = self.open.iter().rev().find_map(|open| open.entry.as_ref()).is_some_and(|it| it.skipped);
                let skipped = within || (!self.skipped.is_empty() && self.skipped.contains(&place.container()));
                Some(Entry { file, kind, raw, skipped, rows: Vec::new() })
            }
            _ => None,
        };
        let value = match (group, place.pointer().last()) {
            // A list that is gone through again goes on where it was: its items are told in pieces.
            (Group::List, Some(Step::Name(name))) => self.open.last_mut().and_then(|open| open.value.take_list(name)),
            _ => None,
        };
        let empty = if group == Group::List { Json::List(Vec::new()) } else { Json::Object(Vec::new()) };
        self.open.push(Open { value: value.unwrap_or(empty), entry });
    }

    fn leave(&mut self, _: Group, place: &Place, _: u64) {
        if self.alike.as_mut().is_some_and(|alike| alike.leave(place)) {
            return;
        }
        let Some(mut open) = self.open.pop() else { return };
        self.spend(wide(size_of::<(SmolStr, Json)>()).saturating_mul(FORMS));
        let Some(entry) = open.entry.take() else { return self.put(place, open.value) };
        let Some(label) = place.labels().last() else { return };
        if self.names.is_some() {
            self.tell(label, &entry);
            let file = entry.file.clone();
            let document = Open { entry: Some(entry), ..open }.document();
            self.documents.push(Entered { entry: place.container(), file, document });
        } else if let Some(container) = self.open.iter_mut().rev().find(|open| open.entry.is_some()) {
            let name = format!("{label}!");
            match &mut container.value {
                // No two entries have one name, and there can be many.
                Json::Object(members) => members.push((name.into(), open.value)),
                other => other.put(name, open.value),
            }
        }
    }

    fn fact(&mut self, place: &Place, fact: Json) {
        if self.alike.as_ref().is_some_and(Alike::is_inside) {
            return;
        }
        // A fact is found again by its place.
        self.spend(fact.memory().saturating_mul(FORMS).saturating_add(PLACED));
        self.put(place, fact);
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn judges(&self) -> bool {
        true
    }
}
