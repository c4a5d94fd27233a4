//! The open values of documents that are being loaded, from the outside in, with the members already read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::documents::Files;
use super::text::{JsonText, Member, PARTS, Sources};
use super::tokens::At;
use super::values::{Loading, named};
use field::{DescribedIn, Label, Layout, LoadError, Loaded, Spot, Step, Thresholds, Value, wide};

/// The open documents, and the values in them that lead to the current one.
#[derive(Debug, Default)]
pub(super) struct Opened {
    open: Vec<Open>,
    /// The texts of the open documents and of their parts.
    texts: Vec<JsonText>,
    /// The tables of values that are not open, but not yet read completely.
    left: FxHashMap<(usize, At), Table>,
    /// The parts that have been opened, by the names of their files.
    parts: HashMap<String, usize>,
    /// Empty tables for reuse.
    spare: Spare,
    /// The document that contains a table of entries, for imports that need it, and the number of its text.
    container: Option<(usize, Arc<Value>)>,
}

/// An open value.
#[derive(Debug)]
struct Open {
    /// The value and the number of its text, or `None` if there is no value.
    value: Option<(usize, At)>,
    /// The index among the members or items of the surrounding value.
    slot: usize,
    /// Its depth in its document.
    depth: usize,
    /// The number of texts before its document was opened.
    texts: usize,
    /// `true` if all of it has been read.
    taken: bool,
    /// Its contents, once they have been requested.
    table: Option<Table>,
}

/// A value that is loaded separately from the surrounding one.
#[derive(Debug)]
pub(super) struct Handed {
    value: Option<(JsonText, At)>,
    depth: usize,
    table: Option<Table>,
}

/// The owner of a table: an open value, or another one.
#[derive(Clone, Copy, Debug)]
enum Holder {
    Open(usize),
    Left((usize, At)),
}

/// The key of a member or item.
#[derive(Clone, Copy, Debug)]
enum Key<'a> {
    Name(&'a str),
    Index(u64),
}

/// The contents of an object or a list, and which of them have been read.
#[derive(Debug)]
enum Table {
    Members { members: Vec<(Member, bool)>, next: usize, left: usize },
    Items { items: Vec<(At, bool)>, left: usize },
}

/// Empty tables for reuse.
#[derive(Debug, Default)]
struct Spare {
    members: Vec<Vec<(Member, bool)>>,
    items: Vec<Vec<(At, bool)>>,
}

impl Spare {
    fn keep(&mut self, table: Table) {
        match table {
            Table::Members { mut members, .. } => {
                members.clear();
                self.members.push(members);
            }
            Table::Items { mut items, .. } => {
                items.clear();
                self.items.push(items);
            }
        }
    }
}

/// A value, together with its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenValue<'t> {
    pub(super) text: &'t JsonText,
    pub(super) at: At,
}

/// The description of an entry in a document.
pub(super) struct RowOf<'o> {
    text: &'o JsonText,
    table: &'o mut Table,
}

impl OpenValue<'_> {
    pub(super) fn json(&self) -> Loaded<Value> {
        self.text.json(self.at).map_err(|found| LoadError::plain("a value", found))
    }
}

impl Table {
    fn of(text: &JsonText, at: At, spare: &mut Spare) -> Loaded<Self> {
        if text.is_list(at) {
            let mut items = spare.items.pop().unwrap_or_default();
            items.extend(text.items(at).map(|item| (item, false)));
            return Ok(Self::Items { left: items.len(), items });
        }
        let mut members = spare.members.pop().unwrap_or_default();
        for member in text.members(at) {
            if !text.is_null(member.value) {
                members.push((member, false));
            }
        }
        match Some(text).filter(|text| !text.is_apart()).and_then(|text| twice(text, &members)) {
            Some(member) => {
                let expected = format!("no second member {}", text.name(member));
                Err(LoadError::plain(&expected, text.describe(member.value)))
            }
            None => Ok(Self::Members { left: members.len(), members, next: 0 }),
        }
    }

    /// Returns the index of the member with a name, searching from the last one found: most are in order.
    fn find(&mut self, text: &JsonText, name: &str) -> Option<usize> {
        let Self::Members { members, next, .. } = self else { return None };
        let is_it = |(member, _): &(Member, bool)| text.is_written(member, name);
        let (before, after) = members.split_at(members.len().min(*next));
        let found = after.iter().position(is_it).map(|index| index + before.len());
        let found = found.or_else(|| before.iter().position(is_it));
        let found = match found {
            None if text.names_escape() => members.iter().position(|(member, _)| text.is_named(member, name)),
            found => found,
        }?;
        *next = found + 1;
        Some(found)
    }

    fn value(&self, slot: usize) -> Option<At> {
        match self {
            Self::Members { members, .. } => members.get(slot).map(|(member, _)| member.value),
            Self::Items { items, .. } => items.get(slot).map(|(item, _)| *item),
        }
    }

    /// Records that a member or item has been read.
    fn read(&mut self, slot: usize) {
        let (read, left) = match self {
            Self::Members { members, left, .. } => (members.get_mut(slot).map(|(_, read)| read), left),
            Self::Items { items, left } => (items.get_mut(slot).map(|(_, read)| read), left),
        };
        if let Some(read @ false) = read {
            *read = true;
            *left = left.saturating_sub(1);
        }
    }

    fn is_read(&self) -> bool {
        matches!(self, Self::Members { left: 0, .. } | Self::Items { left: 0, .. })
    }

    fn take(&mut self, text: &JsonText, name: &str) -> Option<At> {
        let slot = self.find(text, name)?;
        self.read(slot);
        self.value(slot)
    }
}

impl<'o> RowOf<'o> {
    /// Returns the member with this name.
    pub(super) fn member(&mut self, name: &str) -> Option<OpenValue<'o>> {
        let at = self.table.find(self.text, name).and_then(|slot| self.table.value(slot))?;
        Some(OpenValue { text: self.text, at })
    }

    /// Returns the member with this name, and marks it as read.
    pub(super) fn take_member(&mut self, name: &str) -> Option<OpenValue<'o>> {
        let at = self.table.take(self.text, name)?;
        Some(OpenValue { text: self.text, at })
    }
}

impl Opened {
    /// Returns the index of the innermost open value.
    fn last(&self) -> usize {
        self.open.len().saturating_sub(1)
    }

    /// Opens a document: a value in a text.
    pub(super) fn begin(&mut self, text: JsonText, at: At) {
        let number = self.texts.len();
        let value = (!text.is_null(at)).then_some((number, at));
        self.open.push(Open { value, slot: 0, depth: 0, texts: number, taken: false, table: None });
        self.texts.push(text);
    }

    /// Closes a document, which must have been read completely.
    pub(super) fn end(&mut self) -> Loaded {
        self.end_within(Vec::new())
    }

    /// Closes a value in a document, which must have been read completely. These keys lead to it.
    pub(super) fn end_within(&mut self, mut keys: Vec<String>) -> Loaded {
        if let Some(open) = self.open.last()
            && let Some(value) = open.value
            && !self.is_done(open)
        {
            let found = self.first_left(value, open.table.as_ref(), &mut keys);
            return Err(LoadError::surplus(Vec::new(), keys, found));
        }
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.texts.truncate(open.texts);
        self.left.retain(|(number, _), _| *number < open.texts);
        self.parts.retain(|_, number| *number < open.texts);
        self.container.take_if(|(number, _)| *number >= open.texts);
        Ok(())
    }

    /// Returns the position of the value at these keys, from the beginning of the current document.
    pub(super) fn spot_of(&self, keys: &[String], is_name: bool) -> Option<Spot> {
        let open = self.open.get(self.root())?;
        let (number, at) = open.value?;
        let part = |file: &str| self.texts.get(*self.parts.get(file)?).cloned();
        // A value that was handed out begins somewhere inside its document.
        self.texts.get(number)?.spot_of(at, keys.get(open.depth..)?, is_name, &part)
    }

    /// Returns the sources of the current document.
    pub(super) fn sources(&self) -> Option<Sources> {
        let (number, at) = self.open.get(self.root())?.value?;
        let parts = self.parts.values().filter(|part| **part > number);
        Sources::of(self.texts.get(number)?, at, parts.filter_map(|part| self.texts.get(*part)))
    }

    /// Hands out an item of the current list for another loader. Here it counts as read.
    pub(super) fn hand_out(&mut self, index: u64, documents: &Files<'_>) -> Loaded<Handed> {
        let last = self.last();
        let depth = self.open.last().map_or(0, |open| open.depth + 1);
        let inner = self.inner(Holder::Open(last), Key::Index(index), documents)?;
        let Some((slot, (number, at))) = inner else { return Ok(Handed { value: None, depth, table: None }) };
        if let Some(table) = self.open.last_mut().and_then(|open| open.table.as_mut()) {
            table.read(slot);
        }
        let table = self.left.remove(&(number, at));
        Ok(Handed { value: self.texts.get(number).map(|text| (text.clone(), at)), depth, table })
    }

    /// Opens a value that another loader has handed out.
    pub(super) fn begin_handed(&mut self, handed: Handed) {
        let Handed { value, depth, table } = handed;
        let number = self.texts.len();
        let at = value.as_ref().map(|(_, at)| (number, *at));
        self.texts.push(value.map(|(text, _)| text).unwrap_or_default());
        self.open.push(Open { value: at, slot: 0, depth, texts: number, taken: false, table });
    }

    /// Returns `true` if all of a value has been read.
    fn is_done(&self, open: &Open) -> bool {
        match (open.value, &open.table) {
            (None, _) => true,
            _ if open.taken => true,
            (_, Some(table)) => table.is_read(),
            (Some((number, at)), None) => self.texts.get(number).is_some_and(|text| text.is_empty(at)),
        }
    }

    /// Describes the first value that has not been read, and adds the keys that lead there.
    fn first_left(&self, (number, at): (usize, At), table: Option<&Table>, keys: &mut Vec<String>) -> String {
        let Some(text) = self.texts.get(number) else { return String::new() };
        let inner = match table.or_else(|| self.left.get(&(number, at))) {
            Some(Table::Members { members, .. }) => {
                members.iter().find(|(_, read)| !read).map(|(member, _)| (text.name(member).into_owned(), member.value))
            }
            Some(Table::Items { items, .. }) => items
                .iter()
                .enumerate()
                .find(|(_, (_, read))| !read)
                .map(|(index, (item, _))| (index.to_string(), *item)),
            None => None,
        };
        // Without a table nothing has been read, so the first value is the one.
        let inner = inner.or_else(|| {
            let member = text.members(at).next().map(|member| (text.name(&member).into_owned(), member.value));
            member.or_else(|| text.items(at).next().map(|item| ("0".to_owned(), item)))
        });
        match inner {
            Some((key, value)) => {
                keys.push(key);
                let value = self.part_of(number, value).unwrap_or((number, value));
                self.first_left(value, None, keys)
            }
            None => text.describe(at),
        }
    }

    /// Goes one step in.
    pub(super) fn go(&mut self, step: Step, documents: &Files<'_>) -> Loaded {
        let Some(last) = self.open.len().checked_sub(1) else { return Ok(()) };
        let inner = match step {
            Step::Name(name) => self.inner(Holder::Open(last), Key::Name(name), documents)?,
            Step::Index(index) => self.inner(Holder::Open(last), Key::Index(index), documents)?,
            Step::Entry => None,
        };
        let (depth, texts) = self.open.last().map_or((0, 0), |top| (top.depth + 1, top.texts));
        let (slot, value) = inner.map_or((0, None), |(slot, value)| (slot, Some(value)));
        let table = value.filter(|_| !self.left.is_empty()).and_then(|value| self.left.remove(&value));
        self.open.push(Open { value, slot, depth, texts, taken: false, table });
        Ok(())
    }

    /// Goes one step out.
    pub(super) fn back(&mut self) {
        let Some(mut open) = self.open.pop() else { return };
        let Some(value) = open.value else { return };
        if self.is_done(&open)
            && let Some(table) = self.open.last_mut().and_then(|outer| outer.table.as_mut())
        {
            table.read(open.slot);
        } else if let Some(table) = open.table.take() {
            self.left.insert(value, table);
        }
        if let Some(table) = open.table {
            self.spare.keep(table);
        }
    }

    /// Returns the contents of a value, or `None` if it is neither an object nor a list.
    fn table(&mut self, holder: Holder) -> Loaded<Option<(&JsonText, &mut Table)>> {
        let Self { open, texts, left, spare, .. } = self;
        let (number, at) = match holder {
            Holder::Open(level) => match open.get(level).and_then(|open| open.value) {
                Some(value) => value,
                None => return Ok(None),
            },
            Holder::Left(value) => value,
        };
        let Some(text) = texts.get(number).filter(|text| text.is_object(at) || text.is_list(at)) else {
            return Ok(None);
        };
        let table = match holder {
            Holder::Open(level) => match open.get_mut(level).map(|open| &mut open.table) {
                Some(Some(table)) => table,
                Some(none) => none.insert(Table::of(text, at, spare)?),
                None => return Ok(None),
            },
            Holder::Left(value) => match left.entry(value) {
                Entry::Occupied(table) => table.into_mut(),
                Entry::Vacant(none) => none.insert(Table::of(text, at, spare)?),
            },
        };
        Ok(Some((text, table)))
    }

    /// Returns the index and the value of the member or item at a key.
    fn inner(&mut self, holder: Holder, key: Key<'_>, documents: &Files<'_>) -> Loaded<Option<(usize, (usize, At))>> {
        let (number, depth) = match holder {
            Holder::Open(level) => {
                let open = self.open.get(level);
                (open.and_then(|open| open.value).map_or(0, |(number, _)| number), open.map_or(0, |open| open.depth))
            }
            // Only rows are looked up from outside, and these lie no deeper.
            Holder::Left((number, _)) => (number, 1),
        };
        let Some((text, table)) = self.table(holder)? else { return Ok(None) };
        let slot = match (key, &*table) {
            (Key::Name(name), _) => table.find(text, name),
            (Key::Index(index), Table::Items { .. }) => usize::try_from(index).ok(),
            (Key::Index(_), Table::Members { .. }) => None,
        };
        let Some((slot, value)) = slot.and_then(|slot| Some((slot, table.value(slot)?))) else { return Ok(None) };
        let value = if depth < PARTS { self.resolved(number, value, documents)? } else { (number, value) };
        Ok(Some((slot, value)))
    }

    /// Returns a value, or the part that it names.
    fn resolved(&mut self, number: usize, at: At, documents: &Files<'_>) -> Loaded<(usize, At)> {
        let Some(text) = self.texts.get(number) else { return Ok((number, at)) };
        let Some(file) = text.file_named(at) else {
            return match text.beside_file(at) {
                Some((file, member)) if self.parts.contains_key(&*file) || documents.lock().has_part(&file) => {
                    let (name, found) = (text.name(&member).into_owned(), text.describe(member.value));
                    let expected = format!("`kind`, if {file} is an entry, else nothing beside `file`");
                    let found = format!("`{name}`: {found}");
                    Err(LoadError { expected, ..LoadError::surplus(Vec::new(), vec![name], found) })
                }
                _ => Ok((number, at)),
            };
        };
        let part = self.part(&file, documents).and_then(|part| Some((part, self.texts.get(part)?.root())));
        Ok(part.unwrap_or((number, at)))
    }

    /// Returns the number of the text of a part, which is opened if it has not been yet.
    fn part(&mut self, file: &str, documents: &Files<'_>) -> Option<usize> {
        if !self.parts.contains_key(file)
            && let Some(part) = documents.lock().take_part(file)
        {
            self.parts.insert(file.to_owned(), self.texts.len());
            self.texts.push(part);
        }
        self.parts.get(file).copied()
    }

    /// Returns the part that a value names, if it has been opened.
    fn part_of(&self, number: usize, at: At) -> Option<(usize, At)> {
        let part = *self.parts.get(&self.texts.get(number)?.file_named(at)?)?;
        Some((part, self.texts.get(part)?.root()))
    }

    /// Returns the number of items in the current list, or `None` if there is no list.
    pub(super) fn items_here(&mut self) -> Loaded<Option<usize>> {
        let last = self.last();
        Ok(match self.table(Holder::Open(last))? {
            Some((_, Table::Items { items, .. })) => Some(items.len()),
            _ => None,
        })
    }

    /// Returns the number of items in a list.
    pub(super) fn items(&mut self, name: &str, documents: &Files<'_>) -> Loaded<usize> {
        let last = self.last();
        let Some((_, value)) = self.inner(Holder::Open(last), Key::Name(name), documents)? else { return Ok(0) };
        Ok(match self.table(Holder::Left(value))? {
            Some((_, Table::Items { items, .. })) => items.len(),
            _ => 0,
        })
    }

    /// Returns `true` if the current object has a member with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let Some((number, at)) = self.open.last().and_then(|open| open.value) else { return false };
        let text = self.texts.get(number);
        text.is_some_and(|text| text.member(at, name).is_some_and(|value| !text.is_null(value)))
    }

    /// Returns the member with this name.
    pub(super) fn member(&mut self, name: &str) -> Loaded<Option<OpenValue<'_>>> {
        let last = self.last();
        let Some((text, table)) = self.table(Holder::Open(last))? else { return Ok(None) };
        Ok(RowOf { text, table }.member(name))
    }

    /// Returns the member with this name, and marks it as read.
    pub(super) fn take_member(&mut self, name: &str, documents: &Files<'_>) -> Loaded<Option<OpenValue<'_>>> {
        let last = self.last();
        let Some((slot, (number, at))) = self.inner(Holder::Open(last), Key::Name(name), documents)? else {
            return Ok(None);
        };
        if let Some(table) = self.open.last_mut().and_then(|open| open.table.as_mut()) {
            table.read(slot);
        }
        Ok(self.texts.get(number).map(|text| OpenValue { text, at }))
    }

    /// Returns the current value, and marks it as read.
    pub(super) fn take_here(&mut self) -> Option<OpenValue<'_>> {
        let top = self.open.last_mut()?;
        let (number, at) = top.value.filter(|_| !top.taken)?;
        top.taken = true;
        self.texts.get(number).map(|text| OpenValue { text, at })
    }

    /// Returns the current value like [`take_here`](Self::take_here). If the items of a list are in files of their own, returns a list
    /// that contains them: fixed shapes, blocks and encoded values are read from one text.
    pub(super) fn take_whole(&mut self, documents: &Files<'_>) -> Loaded<Option<OpenValue<'_>>> {
        let Some(top) = self.open.last().filter(|top| top.depth < PARTS && !top.taken) else {
            return Ok(self.take_here());
        };
        let Some((number, at)) = top.value else { return Ok(None) };
        let Some(text) = self.texts.get(number) else { return Ok(None) };
        let is_in_files = |item| text.file_named(item).is_some() || text.beside_file(item).is_some();
        if !text.is_list(at) || !text.items(at).next().is_some_and(is_in_files) {
            return Ok(self.take_here());
        }
        let items: Vec<At> = text.items(at).collect();
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            let (number, at) = self.resolved(number, item, documents)?;
            if let Some(text) = self.texts.get(number) {
                list.push(OpenValue { text, at }.json()?);
            }
        }
        self.take_here();
        let text = JsonText::of(&Value::List(list));
        let at = text.root();
        self.texts.push(text);
        Ok(self.texts.last().map(|text| OpenValue { text, at }))
    }

    /// Sets the fields of a record from members of the current object.
    pub(super) fn fields(&mut self, layout: &Layout, record: &mut [u8], loading: &mut Loading) -> Loaded {
        let last = self.last();
        if let Some((number, at)) = self.open.last().and_then(|open| open.value)
            && let Some(text) = self.texts.get(number)
            && !text.is_object(at)
        {
            return Err(LoadError::plain("an object", text.describe(at)));
        }
        let mut values = loading.room(layout);
        let Some((text, Table::Members { members, left, .. })) = self.table(Holder::Open(last))? else {
            return loading.load_fields(layout, values, &JsonText::default(), record);
        };
        // There are fewer members than fields, many of which are omitted.
        let mut next = 0;
        for (member, read) in members.iter_mut().filter(|(_, read)| !read) {
            if let Some(index) = named(layout, text, member, next)
                && let Some(value @ None) = values.get_mut(index)
            {
                *value = Some(member.value);
                *read = true;
                *left = left.saturating_sub(1);
                next = index + 1;
            }
        }
        loading.load_fields(layout, values, text, record)
    }

    /// Calls `act` for the description of an entry, or returns `None` if there is none.
    pub(super) fn row<T>(
        &mut self,
        label: &Label,
        documents: &Files<'_>,
        act: impl FnOnce(&mut RowOf<'_>) -> T,
    ) -> Loaded<Option<T>> {
        let last = self.last();
        let name = label.to_string();
        let (from, keys) = match label.described_in {
            DescribedIn::Here => (last, Vec::new()),
            DescribedIn::Member => (last, vec![Key::Name(&name)]),
            DescribedIn::Item(list, index) => (self.root(), vec![Key::Name(list), Key::Index(wide(index))]),
        };
        let (mut holder, mut trail) = (Holder::Open(from), Vec::new());
        for key in keys {
            let Some((slot, value)) = self.inner(holder, key, documents)? else { return Ok(None) };
            trail.push((holder, slot));
            let is_next = |open: &Open| open.slot == slot && open.value == Some(value);
            holder = match holder {
                Holder::Open(level) if self.open.get(level + 1).is_some_and(is_next) => Holder::Open(level + 1),
                _ => Holder::Left(value),
            };
        }
        let Some((text, table)) = self.table(holder)? else { return Ok(None) };
        let outcome = act(&mut RowOf { text, table });
        // Open values are checked when they are closed.
        let mut is_read = matches!(holder, Holder::Left(_)) && table.is_read();
        for (outer, slot) in trail.into_iter().rev() {
            match self.table(outer)? {
                Some((_, table)) if is_read => {
                    table.read(slot);
                    is_read = matches!(outer, Holder::Left(_)) && table.is_read();
                }
                _ => break,
            }
        }
        Ok(Some(outcome))
    }

    /// Returns the level of the current document.
    fn root(&self) -> usize {
        self.open.iter().rposition(|open| open.depth == 0).unwrap_or(0)
    }

    /// Returns the whole current document.
    pub(super) fn container(&mut self, documents: &Files<'_>) -> Loaded<Arc<Value>> {
        let Some((number, at)) = self.open.get(self.root()).and_then(|open| open.value) else {
            return Ok(Arc::default());
        };
        if let Some((of, json)) = &self.container
            && *of == number
        {
            return Ok(json.clone());
        }
        let Some(text) = self.texts.get(number).cloned() else { return Ok(Arc::default()) };
        let mut part = |file: &str| self.part(file, documents).and_then(|part| self.texts.get(part)).cloned();
        let json = text.with_parts(at, &mut part).map_err(|found| LoadError::plain("a value", found))?;
        let json = Arc::new(json);
        self.container = Some((number, json.clone()));
        Ok(json)
    }
}

/// Returns the first member that has the name of one before it.
fn twice<'m>(text: &JsonText, members: &'m [(Member, bool)]) -> Option<&'m Member> {
    // Different hash bits usually show that the few names of an object differ.
    let mut ends = 0_u64;
    let told_apart = members.iter().all(|(member, _)| {
        text.hash_of_name(member).is_some_and(|hash| {
            let end = 1 << (hash % 64);
            let is_new = ends & end == 0;
            ends |= end;
            is_new
        })
    });
    if told_apart {
        return None;
    }
    if members.len() > Thresholds::here().names {
        let mut names = FxHashSet::default();
        return members.iter().map(|(member, _)| member).find(|member| !names.insert(text.name(member)));
    }
    let mut all = members.iter().enumerate();
    let is_known =
        |index, member: &Member| members.iter().take(index).any(|(other, _)| text.have_one_name(member, other));
    all.find(|(index, (member, _))| is_known(*index, member)).map(|(_, (member, _))| member)
}
