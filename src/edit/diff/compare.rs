//! Finds the changes between two files.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Bound;

use smol_str::SmolStr;

use crate::edit::{label_of, page_of, rename_in};
use crate::registry::KINDS;
use exchange::sequence::Sequence;
use field::{Address, CodePage, Members, Thresholds, Value};
use json::Document;
use json::{Compact, field_names};
use kind::named;
use passes::Sha;

use super::change::is_of_layout;
use super::runs::runs;
use super::{Change, ComparedFile, Content, words};

/// The number of a struct of Neverwinter Nights. The toolset numbers those of many lists in their order, so that it does not tell an item
/// from others.
const NUMBER: &str = "__struct_id";

/// Returns the changes that turn the old file into the new one.
pub(super) fn compare(old: &ComparedFile, new: &ComparedFile, same: &HashSet<String>) -> Vec<Change> {
    let keeps_order = [old, new].iter().all(|side| side.encoded.contains(""));
    let mut compare = Compare { old, new, same, changes: Vec::new(), is_ordered: false, keeps_order };
    if old.raw {
        if old.file != new.file && !compare.coded(("", &old.file), ("", &new.file), &Address::default()) {
            compare.replace("", "");
        }
    } else {
        compare.document(old.kind, (&old.root, &new.root), &Address::default());
    }
    compare.changes
}

/// Returns the changes from the old to the new fields of a record at a place, which describe no entry.
pub(in crate::edit) fn changes_of_fields(old: &Value, new: &Value, at: &Address) -> Vec<Change> {
    let (none, same) = (ComparedFile::default(), HashSet::new());
    let (changes, is_ordered, keeps_order) = (Vec::new(), false, false);
    let mut compare = Compare { old: &none, new: &none, same: &same, changes, is_ordered, keeps_order };
    compare.value(old, new, at);
    compare.changes
}

struct Compare<'a> {
    old: &'a ComparedFile,
    new: &'a ComparedFile,
    same: &'a HashSet<String>,
    changes: Vec<Change>,
    /// `true` in values of raw bytes, whose members have an order.
    is_ordered: bool,
    /// `true` in values whose encoding keeps the order of fields.
    keeps_order: bool,
}

/// Returns `true` if an edit rather than a coincidence explains why two contents are alike: half of them is the same at both ends.
fn is_like(old: &[u8], new: &[u8]) -> bool {
    let begin = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - begin;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    (begin + end) * 2 >= old.len().max(new.len())
}

fn file_of(json: &Value) -> Option<&str> {
    json.get("file").and_then(Value::text)
}

/// Returns the orders of the fields of an object, after the changes of single members and in the new object, if they differ. If only the
/// layout of a record decides the place of a field, one that is added counts as in its place.
fn orders(before: &Members, after: &Members, keeps_order: bool) -> Option<[Vec<String>; 2]> {
    // Nearly all objects have the same members in the same order.
    if before.iter().map(|(name, _)| name).eq(after.iter().map(|(name, _)| name)) {
        return None;
    }
    let [old, new] = [before, after].map(field_names);
    let both: [HashSet<&str>; 2] = [&old, &new].map(|names| names.iter().copied().collect());
    let [had, has] = &both;
    let stay: Vec<&str> = old.iter().copied().filter(|name| has.contains(name)).collect();
    let comes = new.iter().copied().filter(|name| !had.contains(name));
    if !keeps_order && new.iter().filter(|name| had.contains(*name)).eq(&stay) {
        return None;
    }
    let old: Vec<&str> = stay.iter().copied().chain(comes).collect();
    (old != new).then(|| [old, new].map(|names| names.into_iter().map(str::to_owned).collect()))
}

/// Returns `true` if changes of single members cannot turn one object into another, because their order would differ.
fn is_reordered(old: &Members, new: &Members) -> bool {
    let (mut had, mut has) = (ByName::of(old), ByName::of(new));
    let stays: Vec<&SmolStr> = old.iter().map(|(name, _)| name).filter(|name| has.get(name).is_some()).collect();
    let comes = new.iter().map(|(name, _)| name).filter(|name| had.get(name).is_none());
    !stays.into_iter().chain(comes).eq(new.iter().map(|(name, _)| name))
}

/// The members of an object, which are asked for one after another, mostly in their order. A talk table has tens of thousands.
struct ByName<'j> {
    members: &'j Members,
    /// The index of the member that is probably asked for next.
    next: usize,
    /// The index of each member, the first of a name, once another one is asked for.
    indices: Option<HashMap<&'j str, usize>>,
}

impl<'j> ByName<'j> {
    fn of(members: &'j Members) -> Self {
        Self { members, next: 0, indices: None }
    }

    fn get(&mut self, name: &str) -> Option<&'j Value> {
        let is_next = self.members.get(self.next).is_some_and(|(next, _)| next == name);
        if !is_next {
            let all = self.members.iter().enumerate().rev();
            let indices = self.indices.get_or_insert_with(|| all.map(|(at, (name, _))| (name.as_str(), at)).collect());
            self.next = *indices.get(name)?;
        }
        let (_, value) = self.members.get(self.next)?;
        self.next += 1;
        Some(value)
    }
}

/// Returns `true` if a member describes an entry rather than the item that the entry is in.
fn tells_entry(name: &str) -> bool {
    matches!(name, "file" | "kind")
}

impl ComparedFile {
    /// Returns the entry that a value describes.
    fn entry_of(&self, value: &Value) -> Option<String> {
        file_of(value).and_then(|file| self.entries.get(file)).cloned()
    }

    /// Returns the items of a table by their entries. Items without an entry get a key that no entry can have.
    fn rows(&self, items: &[Value], side: &str) -> Vec<(String, Value)> {
        let row = |(index, item): (usize, &Value)| {
            (self.entry_of(item).unwrap_or_else(|| format!("!{side} {index}")), item.clone())
        };
        items.iter().enumerate().map(row).collect()
    }
}

/// Returns [`Pairs`](kind::Pairs).
fn pairs(old: &[String], new: &[String]) -> HashMap<usize, usize> {
    runs(old, new).into_iter().flat_map(|run| run.new.zip(run.old)).collect()
}

impl Compare<'_> {
    /// Compares two documents of this kind.
    fn document(&mut self, kind: &str, (old, new): (&Value, &Value), at: &Address) {
        match named(KINDS, kind).and_then(|kind| kind.align).filter(|_| old != new) {
            Some(align) => {
                let mut new = new.clone();
                align(old, &mut new, &pairs);
                self.value(old, &new, at);
            }
            None => self.value(old, new, at),
        }
    }

    fn value(&mut self, old: &Value, new: &Value, at: &Address) {
        match (old, new) {
            _ if is_of_layout(at) => {
                if old != new {
                    self.changes.push(Change::Set { at: at.clone(), old: Some(old.clone()), new: Some(new.clone()) });
                }
            }
            (Value::Object(before), Value::Object(after)) if old.get("kept").is_none() && new.get("kept").is_none() => {
                let entries = (file_of(old), file_of(new));
                if let (Some(old), Some(new)) = entries {
                    self.entry(old, new);
                }
                if self.is_ordered && is_reordered(before, after) {
                    let (old, new) = (Some(old.clone()), Some(new.clone()));
                    return self.changes.push(Change::Set { at: at.clone(), old, new });
                }
                let own = |name: &str| !(entries.0.is_some() && tells_entry(name));
                let (mut had, mut has) = (ByName::of(before), ByName::of(after));
                for (name, old) in before.iter().filter(|(name, _)| own(name)) {
                    let at = at.with(name.as_str());
                    match (has.get(name), self.old.entry_of(old)) {
                        // A member that describes an entry is added and removed together with it.
                        (Some(new), entry) if entry.is_some() == file_of(new).is_some() => self.value(old, new, &at),
                        (Some(new), Some(entry)) => {
                            self.gone(&entry, old, at.clone());
                            self.changes.push(Change::Set { at, old: None, new: Some(new.clone()) });
                        }
                        (Some(new), None) => {
                            self.changes.push(Change::Set { at: at.clone(), old: Some(old.clone()), new: None });
                            self.come(&self.new.entry_of(new).unwrap_or_default(), new, at, None);
                        }
                        (None, Some(entry)) => self.gone(&entry, old, at),
                        (None, None) => self.changes.push(Change::Set { at, old: Some(old.clone()), new: None }),
                    }
                }
                for (name, value) in after.iter().filter(|(name, _)| own(name) && had.get(name).is_none()) {
                    let at = at.with(name.as_str());
                    match self.new.entry_of(value) {
                        Some(entry) => self.come(&entry, value, at, None),
                        None => self.changes.push(Change::Set { at, old: None, new: Some(value.clone()) }),
                    }
                }
                // The rows of entries have the order of their records.
                if entries == (None, None)
                    && let Some([old, new]) = orders(before, after, self.keeps_order)
                {
                    self.changes.push(Change::Order { at: at.clone(), old, new });
                }
            }
            (Value::List(before), Value::List(after)) => {
                if before.iter().chain(after).any(|item| file_of(item).is_some()) {
                    self.table(before, after, at);
                } else if old != new {
                    self.list(before, after, at);
                }
            }
            _ if old == new => {}
            _ => self.changes.push(Change::Set { at: at.clone(), old: Some(old.clone()), new: Some(new.clone()) }),
        }
    }

    fn list(&mut self, old: &[Value], new: &[Value], at: &Address) {
        // For example, a position or a color, whose items do not move.
        let Thresholds { items_of_vector: few, items_compared: long, .. } = *Thresholds::here();
        if old.len() == new.len() && (old.len() <= few || old.len() > long) {
            let pairs = old.iter().zip(new).enumerate();
            return pairs.for_each(|(index, (old, new))| self.value(old, new, &at.with(index.to_string())));
        }
        // Objects with the same members are the same item, in whatever order these are.
        let text = |items: &[Value]| {
            let text = |item: &Value| match (self.is_ordered, item) {
                (true, _) => Compact(item).to_string(),
                (false, Value::Object(members)) if item.get(NUMBER).is_some() => {
                    let own = members.iter().filter(|(name, _)| name != NUMBER).cloned().collect();
                    Compact(&json::by_name(&Value::Object(own))).to_string()
                }
                (false, _) => Compact(&json::by_name(item)).to_string(),
            };
            items.iter().map(text).collect::<Vec<_>>()
        };
        let mut length = old.len();
        for run in runs(&text(old), &text(new)) {
            let first = run.new.start;
            let (Some(before), Some(after)) = (old.get(run.old), new.get(run.new)) else { continue };
            // Items that are the same can still have their members in another order.
            if run.is_same && before == after {
                continue;
            }
            let index = |offset: usize| at.with((first + offset).to_string());
            for (offset, (old, new)) in before.iter().zip(after).enumerate() {
                self.value(old, new, &index(offset));
            }
            for (offset, new) in after.iter().enumerate().skip(before.len()) {
                self.changes.push(Change::Insert { at: index(offset), length: Some(length), new: new.clone() });
                length += 1;
            }
            for old in before.iter().skip(after.len()) {
                self.changes.push(Change::Delete { at: index(after.len()), old: old.clone() });
                length -= 1;
            }
        }
    }

    /// Compares lists whose items are entries, matched by name. Other items, which have only an index, are matched only if all
    /// entries are still in the same rows.
    fn table(&mut self, old: &[Value], new: &[Value], at: &Address) {
        let mut rows = self.old.rows(old, "old");
        let after = self.new.rows(new, "new");
        let entries = |rows: &[(String, Value)]| {
            rows.iter().map(|(key, row)| file_of(row).map(|_| key.clone())).collect::<Vec<_>>()
        };
        if entries(&rows) != entries(&after) {
            self.renamed(&mut rows, &after);
        }
        if entries(&rows) == entries(&after) {
            for (index, ((_, old), new)) in rows.iter().zip(new).enumerate() {
                self.value(old, new, &at.with(index.to_string()));
            }
            return;
        }
        let wanted = names(&after);
        let mut index: usize = 0;
        rows.retain(|(key, row)| {
            let stays = wanted.contains(key);
            if stays {
                index += 1;
            } else {
                self.gone(key, row, at.with(index.to_string()));
            }
            stays
        });
        self.order(&rows, &after);
        let rows: HashMap<String, Value> = rows.into_iter().collect();
        let new = after.iter().enumerate().filter(|(_, (key, _))| !rows.contains_key(key));
        for (length, (index, (key, row))) in (rows.len()..).zip(new) {
            self.come(key, row, at.with(index.to_string()), Some(length));
        }
        for (index, (key, new)) in after.iter().enumerate() {
            if let Some(old) = rows.get(key) {
                self.value(old, new, &at.with(index.to_string()));
            }
        }
    }

    /// Finds renamed entries: those whose contents appear under a new name, identical to the byte or nearly so.
    fn renamed(&mut self, rows: &mut [(String, Value)], after: &[(String, Value)]) {
        let (known, wanted) = (names(rows), names(after));
        let page = page_of(named(KINDS, self.new.kind));
        let entry =
            |(key, row): &(String, Value), others: &HashSet<String>| file_of(row).is_some() && !others.contains(key);
        let mut gone: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (row, it) in rows.iter().enumerate().filter(|(_, it)| entry(it, &wanted)) {
            gone.entry(self.old.entry(&it.0)).or_default().push_back(row);
        }
        let mut others = Vec::new();
        for (key, _) in after.iter().filter(|it| entry(it, &known)) {
            match gone.get_mut(&self.new.entry(key)).and_then(VecDeque::pop_front) {
                Some(row) => self.rename(page, rows.get_mut(row), key),
                None => others.push(key),
            }
        }
        let mut gone: Vec<usize> = gone.into_values().flatten().collect();
        gone.sort_unstable();
        if gone.len().saturating_mul(others.len()) > Thresholds::here().pairs_compared {
            return;
        }
        for key in others {
            let (kind, new) = self.new.entry(key);
            let is_like = |row: &usize| {
                rows.get(*row).is_some_and(|(entry, _)| {
                    let (old_kind, old) = self.old.entry(entry);
                    old_kind == kind && is_like(old, new)
                })
            };
            if let Some(found) = gone.iter().position(is_like) {
                let row = gone.remove(found);
                self.rename(page, rows.get_mut(row), key);
            }
        }
    }

    /// Records that an entry was renamed, if its row can say so.
    fn rename(&mut self, page: &'static CodePage, row: Option<&mut (String, Value)>, key: &str) {
        let Some((entry, row)) = row else { return };
        let (from, to) = (label_of(entry).to_owned(), label_of(key).to_owned());
        if rename_in(page, row, &from, &to) {
            self.changes.push(Change::Rename { entry: entry.clone(), to });
            key.clone_into(entry);
        }
    }

    /// Records that an entry, or an item beside entries, was removed.
    fn gone(&mut self, key: &str, row: &Value, at: Address) {
        if file_of(row).is_none() {
            return self.changes.push(Change::Delete { at, old: row.clone() });
        }
        let (kind, bytes) = self.old.entry(key);
        let (sha256, length) = (Sha::of(bytes).to_string(), field::wide(bytes.len()));
        let (entry, kind) = (key.to_owned(), kind.to_owned());
        self.changes.push(Change::Remove { entry, sha256, kind, bytes: length });
    }

    /// Records that an entry, or an item beside entries, was added, to a list of this length if it is one.
    fn come(&mut self, key: &str, row: &Value, at: Address, length: Option<usize>) {
        self.changes.push(match file_of(row) {
            Some(_) => Change::Add { entry: key.to_owned(), at, row: own(row), content: self.content(key) },
            None => Change::Insert { at, length, new: row.clone() },
        });
    }

    /// Moves the rows that both have into the new order.
    fn order(&mut self, rows: &[(String, Value)], after: &[(String, Value)]) {
        let both: HashSet<&String> = rows.iter().map(|(key, _)| key).collect();
        let wanted: Vec<&String> = after.iter().map(|(key, _)| key).filter(|key| both.contains(key)).collect();
        let targets: HashMap<&String, usize> = wanted.iter().enumerate().map(|(at, key)| (*key, at)).collect();
        let mut rows = Sequence::new(rows.iter().map(|(key, _)| (Some(key), ())));
        let mut to = 0;
        while let (Some(&want), Some(&(Some(here), ()))) = (wanted.get(to), rows.get(to)) {
            if want == here {
                to += 1;
                continue;
            }
            // Either the row here belongs further back, or the wanted one comes from there.
            let next = matches!(rows.get(to + 1), Some((Some(next), ())) if *next == want);
            let (entry, from, target) = match targets.get(here) {
                Some(target) if next => (here, to, *target),
                _ => match rows.position(&want) {
                    Some(from) => (want, from, to),
                    None => break,
                },
            };
            rows.shift(from, target);
            self.changes.push(Change::Move { entry: entry.clone(), from, to: target });
        }
    }

    fn entry(&mut self, old: &str, new: &str) {
        let (Some(before), Some(after)) = (self.old.entries.get(old), self.new.entries.get(new)) else { return };
        if (before == after && self.same.contains(after)) || self.old.entry(before) == self.new.entry(after) {
            return;
        }
        let documents = (self.old.documents.get(old), self.new.documents.get(new));
        let keeps_order = self.old.encoded.contains(old) && self.new.encoded.contains(new);
        match documents {
            (Some(Document::Json(old)), Some(Document::Json(new)))
                if self.old.entry(before).0 == self.new.entry(after).0 =>
            {
                let outer = core::mem::replace(&mut self.keeps_order, keeps_order);
                let kind = self.old.entry(before).0;
                self.document(kind, (old, new), &Address::of_entry(after.as_str()));
                self.keeps_order = outer;
            }
            (Some(Document::Raw(one)), Some(Document::Raw(other)))
                if self.coded((old, one), (new, other), &Address::of_entry(after.as_str())) => {}
            _ => self.replace(before, after),
        }
    }

    /// Records the changes of values in raw bytes of these files. Returns `false` if they do not lead to the new bytes.
    fn coded(&mut self, (old, one): (&str, &[u8]), (new, other): (&str, &[u8]), at: &Address) -> bool {
        let codecs = (self.old.codecs.get(old), self.new.codecs.get(new));
        let (Some(codec), Some(of_new)) = codecs else { return false };
        let (before, after) = ((codec.show)(one), (codec.show)(other));
        let leads = core::ptr::eq(*codec, *of_new)
            && codec.merge.is_some_and(|merge| merge(one, &after).is_ok_and(|merged| merged == other));
        if leads {
            self.is_ordered = true;
            self.value(&before, &after, at);
            self.is_ordered = false;
        }
        leads
    }

    fn replace(&mut self, before: &str, after: &str) {
        let ((_, old), (_, new)) = (self.old.entry(before), self.new.entry(after));
        self.changes.push(Change::Replace {
            entry: after.to_owned(),
            sha256: Sha::of(old).to_string(),
            bytes: field::wide(old.len()),
            content: self.content(after),
            words: words::inside(old, new, self.old.is_text(before) && self.new.is_text(after)),
        });
    }

    /// Returns the contents of an entry of the new file.
    fn content(&self, entry: &str) -> Content {
        let (kind, bytes) = self.new.entry(entry);
        let inner = format!("{entry}!");
        let files = &self.new.files;
        let after = (Bound::Included(inner.clone()), Bound::Unbounded);
        let within = files.range(after).take_while(|(it, _)| it.starts_with(&inner));
        let within = files.get_key_value(entry).into_iter().chain(within);
        let document = |(_, file): (&String, &String)| {
            let json = match self.new.documents.get(file)? {
                Document::Json(json) => json.clone(),
                Document::Raw(bytes) => Value::from([("hex", Value::of_bytes(bytes.clone()))]),
            };
            Some((file.clone(), json))
        };
        let mut files: Vec<_> = within.filter_map(document).collect();
        if entry.is_empty() {
            files = vec![(String::new(), Value::from([("hex", Value::of_bytes(bytes.to_vec()))]))];
        }
        Content { kind: kind.to_owned(), bytes: field::wide(bytes.len()), files }
    }
}

fn names(rows: &[(String, Value)]) -> HashSet<String> {
    rows.iter().map(|(key, _)| key.clone()).collect()
}

/// Returns the members of an item, except for those that describe its entry.
fn own(row: &Value) -> Value {
    match row {
        Value::Object(members) => {
            Value::Object(members.iter().filter(|(name, _)| !tells_entry(name)).cloned().collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::KINDS;
    use exchange::parse;
    use kind::recognize;

    /// Encodes this JSON as reader data.
    fn reader(text: &str) -> bytes::Bytes {
        let json = parse(text.as_bytes()).expect("JSON");
        let reader = crate::zipper::reader::Reader::from_json(json).expect("reader data");
        field::encode(&reader).expect("laid").into()
    }

    fn changes(old: &str, new: &str) -> Vec<String> {
        let (old, new) = (reader(old), reader(new));
        let (kind, _) = recognize(KINDS, "a.zrd", &old).expect("reader data");
        crate::edit::changes_between(kind, old, new).expect("compared").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn short_lists_of_equal_length_are_compared_item_by_item() {
        assert_eq!(
            changes("[[1.0, 2.0, 3.0]]", "[[2.0, 3.0, 4.0]]"),
            ["/0/0: 1.0 → 2.0", "/0/1: 2.0 → 3.0", "/0/2: 3.0 → 4.0"]
        );
    }

    #[test]
    fn longer_lists_are_compared_as_sequences_with_places_at_that_time() {
        assert_eq!(changes("[1, 2, 3, 4, 5, 6]", "[2, 3, 4, 5, 6, 7]"), ["/0: removed 1", "/5: added 7"]);
        assert_eq!(changes("[1, 2, 3, [4, 5]]", "[1, 9, 2, 3, [4, 6]]"), ["/1: added 9", "/4/1: 5 → 6"]);
        assert_eq!(changes("[[1, 2], 5, 6, 7, 8]", "[[1, 3], 5, 6, 7]"), ["/0/1: 2 → 3", "/4: removed 8"]);
    }

    #[test]
    fn floats_differ_by_their_bits() {
        assert_eq!(changes("[0.0]", "[-0.0]"), ["/0: 0.0 → -0.0"]);
        assert_eq!(changes("[1]", "[1.0]"), ["/0: 1 → 1.0"]);
    }

    #[test]
    fn equal_values_are_no_change() {
        assert_eq!(changes(r#"["a", [1, 2.5]]"#, r#"["a", [1, 2.5]]"#), [""; 0]);
    }

    fn json(text: &str) -> Value {
        parse(text.as_bytes()).expect("JSON")
    }

    fn of_fields(old: &str, new: &str) -> Vec<Change> {
        changes_of_fields(&json(old), &json(new), &Address::default())
    }

    fn said(old: &str, new: &str) -> Vec<String> {
        of_fields(old, new).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn preserved_value_and_layout_are_compared_as_a_whole() {
        let kept = |value: u32| format!(r#"{{"a": {{"kept": {value}, "computed": 2}}}}"#);
        let word = |value: u32| format!("{value} (kept; the rule gives 2)");
        assert_eq!(said(&kept(1), &kept(3)), [format!("/a: {} → {}", word(1), word(3))]);
        assert_eq!(said(&kept(1), r#"{"a": {"b": 3}}"#), [format!("/a: {} → {{\"b\":3}}", word(1))]);
        assert_eq!(said(r#"{"a": {"b": 3}}"#, &kept(1)), [format!("/a: {{\"b\":3}} → {}", word(1))]);
        assert_eq!(said(&kept(1), r#"{"a": 2}"#), [format!("/a: {} → 2", word(1))]);
        let layout = |value: u32| format!(r#"{{"{}": {{"gap": {value}}}, "b": 1}}"#, json::LAYOUT);
        assert_eq!(said(&layout(1), &layout(2)), [format!("/{}: the layout differs", json::LAYOUT)]);
        assert_eq!(said(&layout(1), &layout(1)), [""; 0]);
    }

    #[test]
    fn members_come_and_go() {
        assert_eq!(
            said(r#"{"a": 1, "b": 2}"#, r#"{"b": 3, "c": "x"}"#),
            ["/a: 1 → by rule", "/b: 2 → 3", "/c: added \"x\""]
        );
        assert_eq!(said(r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "x": 3, "b": 2}"#), ["/x: by rule → 3"]);
        let order = said(r#"{"a": 1, "b": 2, "c": 3}"#, r#"{"c": 3, "b": 2, "a": 1}"#);
        assert_eq!(order, ["/: the fields are in another order"]);
    }

    #[test]
    fn inserted_item_says_how_long_the_list_is_by_then() {
        let lengths = |old: &str, new: &str| {
            let length = |change: &Change| match change {
                Change::Insert { at, length, .. } => format!("+{at} {}", length.expect("it is known")),
                Change::Delete { at, .. } => format!("-{at}"),
                other => other.to_string(),
            };
            of_fields(old, new).iter().map(length).collect::<Vec<_>>()
        };
        assert_eq!(lengths("[1, 2, 3, 4, 5, 6]", "[0, 1, 2, 3, 9, 9, 4, 5, 6]"), ["+/0 6", "+/4 7", "+/5 8"]);
        assert_eq!(lengths("[1, 2, 3, 4, 5, 6, 7]", "[3, 4, 5, 6, 7, 8, 9]"), ["-/0", "-/0", "+/5 5", "+/6 6"]);
    }

    #[test]
    fn contents_are_alike_if_half_of_them_is_the_same_at_the_ends() {
        for (old, new, is) in [
            (&b"1234"[..], &b"1299"[..], true),
            (b"12345", b"12999", false),
            (b"9934", b"1234", true),
            (b"12xx90", b"12yyyyy90", false),
            (b"123x90", b"123yyyyy90", true),
            (b"123abc", b"123xyz", true),
            // What is in common is not counted twice.
            (b"111", b"111111", true),
            (b"111", b"1111111", false),
            (b"", b"1", false),
        ] {
            assert_eq!(is_like(old, new), is, "{old:?} {new:?}");
            assert_eq!(is_like(new, old), is, "{new:?} {old:?}");
        }
    }

    #[test]
    fn order_of_fields_differs_if_changes_of_members_cannot_make_it() {
        let members =
            |names: &str| -> Members { names.chars().map(|name| (name.to_string().into(), Value::Null)).collect() };
        let reordered = |old: &str, new: &str| is_reordered(&members(old), &members(new));
        assert!(!reordered("ab", "ab") && !reordered("ab", "abc") && !reordered("abc", "ac") && !reordered("ab", "c"));
        assert!(reordered("ab", "ba") && reordered("ab", "acb") && reordered("abc", "cb"));
        let orders = |old: &str, new: &str, keeps: bool| {
            orders(&members(old), &members(new), keeps).map(|orders| orders.map(|names| names.concat()))
        };
        let both = |old: &str, new: &str| Some([old.to_owned(), new.to_owned()]);
        for keeps in [false, true] {
            assert_eq!(orders("ab", "ab", keeps), None);
            assert_eq!(orders("ab", "abc", keeps), None);
            assert_eq!(orders("abc", "ac", keeps), None);
            assert_eq!(orders("ab", "ba", keeps), both("ab", "ba"));
            assert_eq!(orders("abc", "cxa", keeps), both("acx", "cxa"));
        }
        assert_eq!(orders("ab", "axb", true), both("abx", "axb"));
        assert_eq!(orders("ab", "axb", false), None, "the layout of the record puts it there");
    }
}
