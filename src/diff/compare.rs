//! Finding the changes.

use std::collections::HashSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::address::Address;
use crate::exchange::rename_in;
use crate::field::{Document, Json};
use crate::proof::Sha;

use super::{Change, Content, Side};

/// Lists up to so many items are compared as sequences; longer ones item by item.
const LONG: usize = 20_000;

/// The changes that make the old file the new one.
pub(super) fn compare(old: &Side, new: &Side, same: &HashSet<String>) -> Vec<Change> {
    let mut compare = Compare { old, new, same, changes: Vec::new() };
    if old.raw {
        if old.file != new.file {
            compare.replace("", "");
        }
    } else {
        compare.value(&old.root, &new.root, &Address::default());
    }
    compare.changes
}

struct Compare<'a> {
    old: &'a Side,
    new: &'a Side,
    same: &'a HashSet<String>,
    changes: Vec<Change>,
}

fn file_of(json: &Json) -> Option<&str> {
    json.get("file").and_then(Json::text)
}

/// Whether a member tells of an entry, and not of the item that it is in.
fn tells_entry(name: &str) -> bool {
    matches!(name, "file" | "kind")
}

impl Compare<'_> {
    fn value(&mut self, old: &Json, new: &Json, at: &Address) {
        match (old, new) {
            (Json::Object(before), Json::Object(after)) if old.get("kept").is_none() && new.get("kept").is_none() => {
                let entries = (file_of(old), file_of(new));
                if let (Some(old), Some(new)) = entries {
                    self.entry(old, new);
                }
                let own = |name: &str| !(entries.0.is_some() && tells_entry(name));
                for (name, old) in before.iter().filter(|(name, _)| own(name)) {
                    let at = at.with(name.as_ref());
                    match new.get(name) {
                        Some(new) => self.value(old, new, &at),
                        None => self.changes.push(Change::Set { at, old: Some(old.clone()), new: None }),
                    }
                }
                for (name, value) in after.iter().filter(|(name, _)| own(name) && old.get(name).is_none()) {
                    self.changes.push(Change::Set { at: at.with(name.as_ref()), old: None, new: Some(value.clone()) });
                }
            }
            (Json::List(before), Json::List(after)) => {
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

    fn list(&mut self, old: &[Json], new: &[Json], at: &Address) {
        if old.len() == new.len() && old.len() > LONG {
            let pairs = old.iter().zip(new).enumerate();
            return pairs.for_each(|(index, (old, new))| self.value(old, new, &at.with(index.to_string())));
        }
        let text = |items: &[Json]| items.iter().map(Json::to_string).collect::<Vec<_>>();
        // In a long list it is not worth finding the fewest changes.
        let deadline = std::time::Instant::now().checked_add(std::time::Duration::from_secs(2));
        let ops = match deadline.filter(|_| old.len().saturating_add(new.len()) > LONG) {
            None => capture_diff_slices(Algorithm::Myers, &text(old), &text(new)),
            limit => similar::capture_diff_slices_deadline(Algorithm::Myers, &text(old), &text(new), limit),
        };
        for op in ops {
            let (before, after) = (op.old_range(), op.new_range());
            if matches!(op, DiffOp::Equal { .. }) {
                continue;
            }
            let first = after.start;
            let (before, after) = (old.get(before).unwrap_or_default(), new.get(after).unwrap_or_default());
            let index = |offset: usize| at.with(first.saturating_add(offset).to_string());
            for (offset, (old, new)) in before.iter().zip(after).enumerate() {
                self.value(old, new, &index(offset));
            }
            for (offset, new) in after.iter().enumerate().skip(before.len()) {
                self.changes.push(Change::Insert { at: index(offset), new: new.clone() });
            }
            for old in before.iter().skip(after.len()) {
                self.changes.push(Change::Delete { at: index(after.len()), old: old.clone() });
            }
        }
    }

    /// A list whose items are entries, matched by their names.
    fn table(&mut self, old: &[Json], new: &[Json], at: &Address) {
        let keyed = |side: &Side, items: &[Json]| -> Vec<(String, Json)> {
            let key = |(index, item): (usize, &Json)| {
                let entry = file_of(item).and_then(|file| side.entries.get(file));
                (entry.cloned().unwrap_or_else(|| format!("#{index}")), item.clone())
            };
            items.iter().enumerate().map(key).collect()
        };
        let (mut rows, after) = (keyed(self.old, old), keyed(self.new, new));
        let has = |rows: &[(String, Json)], key: &str| rows.iter().any(|(it, _)| it == key);
        // What has gone under one name and come under another, the same to the byte, has been renamed.
        let known: HashSet<String> = rows.iter().map(|(key, _)| key.clone()).collect();
        for (key, _) in after.iter().filter(|(key, _)| !known.contains(key)) {
            let content = self.new.entry(key);
            let gone = rows.iter().position(|(it, _)| !has(&after, it) && self.old.entry(it) == content);
            if let Some((entry, row)) = gone.and_then(|gone| rows.get_mut(gone)) {
                let (from, to) = (label(entry).to_owned(), label(key).to_owned());
                if rename_in(row, &from, &to) {
                    self.changes.push(Change::Rename { entry: entry.clone(), to });
                    entry.clone_from(key);
                }
            }
        }
        rows.retain(|(entry, _)| {
            let stays = has(&after, entry);
            if !stays {
                let (kind, bytes) = self.old.entry(entry);
                let (kind, sha256, bytes) =
                    (kind.to_owned(), Sha::of(bytes).to_string(), crate::field::wide(bytes.len()));
                self.changes.push(Change::Remove { entry: entry.clone(), sha256, kind, bytes });
            }
            stays
        });
        self.order(&mut rows, &after);
        for (index, (entry, row)) in after.iter().enumerate() {
            if !has(&rows, entry) {
                let (row, content) = (own(row), self.content(entry));
                self.changes.push(Change::Add { entry: entry.clone(), index, row, content });
            }
        }
        for (index, (entry, new)) in after.iter().enumerate() {
            if let Some((_, old)) = rows.iter().find(|(it, _)| it == entry) {
                self.value(old, new, &at.with(index.to_string()));
            }
        }
    }

    /// Brings rows that are in both into the new order.
    fn order(&mut self, rows: &mut Vec<(String, Json)>, after: &[(String, Json)]) {
        let wanted: Vec<&String> =
            after.iter().map(|(key, _)| key).filter(|key| rows.iter().any(|(it, _)| it == *key)).collect();
        let mut to = 0;
        while let (Some(&want), Some((here, _))) = (wanted.get(to), rows.get(to)) {
            if want == here {
                to = to.saturating_add(1);
                continue;
            }
            // Either the row that is here belongs further back, or the one that is wanted comes from there.
            let next = rows.get(to.saturating_add(1)).is_some_and(|(next, _)| next == want);
            let (entry, from, target) = match wanted.iter().position(|it| *it == here) {
                Some(target) if next => (here.clone(), to, target),
                _ => match rows.iter().position(|(it, _)| it == want) {
                    Some(from) => (want.clone(), from, to),
                    None => break,
                },
            };
            let row = rows.remove(from);
            rows.insert(target, row);
            self.changes.push(Change::Move { entry, from, to: target });
        }
    }

    fn entry(&mut self, old: &str, new: &str) {
        let (Some(before), Some(after)) = (self.old.entries.get(old), self.new.entries.get(new)) else { return };
        if (before == after && self.same.contains(after)) || self.old.entry(before) == self.new.entry(after) {
            return;
        }
        let documents = (self.old.unpacked.exchange.files.get(old), self.new.unpacked.exchange.files.get(new));
        match documents {
            (Some(Document::Json(old)), Some(Document::Json(new)))
                if self.old.entry(before).0 == self.new.entry(after).0 =>
            {
                self.value(old, new, &Address::of_entry(after.as_str()));
            }
            _ => self.replace(before, after),
        }
    }

    fn replace(&mut self, before: &str, after: &str) {
        let ((_, old), (_, new)) = (self.old.entry(before), self.new.entry(after));
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok().filter(|text| !text.contains('\0'));
        self.changes.push(Change::Replace {
            entry: after.to_owned(),
            sha256: Sha::of(old).to_string(),
            bytes: crate::field::wide(old.len()),
            content: self.content(after),
            text: text(old).zip(text(new)),
        });
    }

    /// What an entry of the new file holds.
    fn content(&self, entry: &str) -> Content {
        let (kind, bytes) = self.new.entry(entry);
        let inner = format!("{entry}!");
        let files = &self.new.unpacked.files;
        let within = files.iter().filter(|(it, _)| *it == entry || (!entry.is_empty() && it.starts_with(&inner)));
        let document = |(_, file): (&String, &String)| {
            let json = match self.new.unpacked.exchange.files.get(file)? {
                Document::Json(json) => json.clone(),
                Document::Raw(bytes) => Json::from([("hex", Json::Bytes(bytes.to_vec()))]),
            };
            Some((file.clone(), json))
        };
        let mut files: Vec<_> = within.filter_map(document).collect();
        if entry.is_empty() {
            files = vec![(String::new(), Json::from([("hex", Json::Bytes(bytes.to_vec()))]))];
        }
        Content { kind: kind.to_owned(), bytes: crate::field::wide(bytes.len()), files }
    }
}

/// The name of an entry in its container.
fn label(entry: &str) -> &str {
    entry.rsplit('!').next().unwrap_or_default()
}

/// What an item says but for the entry.
fn own(row: &Json) -> Json {
    match row {
        Json::Object(members) => Json::Object(members.iter().filter(|(name, _)| !tells_entry(name)).cloned().collect()),
        other => other.clone(),
    }
}
