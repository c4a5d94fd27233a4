//! Moves parts of documents to separate files before printing: the items that a kind names, and, in large documents, sections and
//! large items of a list.
//!
//! A part is replaced by an object whose only member is `file`. An object that describes an entry also has a kind, so the two are
//! never confused.

use crate::document::{Body, Doc, DocValue, Id, Names, Sort};
use field::{Thresholds, Value};
use kind::Parts;

use super::super::schema::Part;

/// A part of a document: its file, its node, and what it is.
pub(super) type InFile = (String, Id, Part);

/// Moves the parts of a document out: those that the kind names, and those of a large document.
pub(super) fn split(doc: &mut Doc, data: Id, folder: &str, named: &[Parts], names: &mut Names) -> Vec<InFile> {
    let mut parts = Vec::new();
    for Parts { list, name } in named {
        if let Some(list_id) = doc.group(data, list) {
            each(doc, list_id, (list, list), name, names, &mut parts);
        }
    }
    // Lists are not split, and encoded data is one.
    let is_list = matches!(doc.node(data).body, Body::Coded { .. }) || DocValue::Node(data).sort(doc) == Sort::List;
    if !is_list && DocValue::Node(data).count(doc, Thresholds::here().values_of_document).is_none() {
        // The fields of a record stay together: they are read from one text.
        let fields: Vec<&str> = doc.fields(data).collect();
        doc.open(data);
        if let Body::Group(group) = doc.node(data).body
            && !group.is_list
        {
            let is_field = |id: &Id| doc.node(*id).name.as_deref().is_some_and(|name| fields.contains(&name));
            let members: Vec<Id> = doc.inside(data).filter(|id| !is_field(id)).collect();
            for member in members {
                let name = doc.node(member).name.clone().unwrap_or_default();
                // What a kind names has been moved already.
                let is_named = named.iter().any(|it| it.list == name);
                part(doc, (member, &name, is_named), folder, names, &mut parts);
            }
        }
    }
    parts
}

/// Moves a member of a large document out, and the items of a list before it unless they are in files of their own.
fn part(
    doc: &mut Doc,
    (member, name, is_apart): (Id, &str, bool),
    folder: &str,
    names: &mut Names,
    parts: &mut Vec<InFile>,
) {
    let Thresholds { values_of_member, values_of_item, .. } = *Thresholds::here();
    // A single value is as short as the object that would name its file.
    if DocValue::Node(member).count(doc, values_of_member.max(1)).is_some() {
        return;
    }
    let path = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    if !is_apart
        && let Some(items) = items(doc, member)
        && is_more_in(doc, member, items.saturating_mul(values_of_item))
    {
        each(doc, member, (name, &path(name)), "name", names, parts);
    }
    let file = names.again(&path(&format!("{name}.json")), "json");
    away(doc, member, (file, Part::Member(name.into())), parts);
}

/// Returns the number of items of a list, or `None` if the node is not a list.
fn items(doc: &Doc, id: Id) -> Option<usize> {
    match &doc.node(id).body {
        Body::Group(group) if group.is_list => Some(group.count()),
        Body::Json(index) => doc.value(*index).items().map(<[Value]>::len),
        Body::Coded { codec, at, length } => (codec.show)(doc.bytes(*at, *length)).items().map(<[Value]>::len),
        _ if DocValue::Node(id).sort(doc) == Sort::List => {
            let mut count = 0_usize;
            DocValue::Node(id).each(doc, &mut |_, _| {
                count += 1;
                true
            });
            Some(count)
        }
        _ => None,
    }
}

/// Returns `true` if all items of a list together have more than this many values.
fn is_more_in(doc: &Doc, list: Id, than: usize) -> bool {
    // The list itself is one more.
    DocValue::Node(list).count(doc, than.saturating_add(1)).is_none()
}

/// Moves the items of the list that these keys lead to to separate files below a folder, named by their numbers and by a member.
fn each(doc: &mut Doc, list: Id, (keys, folder): (&str, &str), name: &str, names: &mut Names, parts: &mut Vec<InFile>) {
    if DocValue::Node(list).sort(doc) == Sort::Object {
        return;
    }
    if !matches!(doc.node(list).body, Body::Group(_)) {
        doc.open(list);
    }
    let items: Vec<Id> = match doc.node(list).body {
        Body::Group(group) if group.is_list => doc.inside(list).collect(),
        _ => return,
    };
    for (index, item) in items.into_iter().enumerate() {
        let own = named(doc, item, name).map_or(String::new(), |own| format!(" {own}"));
        let file = names.part(folder, &format!("{index:04}{own}"));
        away(doc, item, (file, Part::Item(keys.to_owned())), parts);
    }
}

/// Returns the name of an item, as one of its members states it.
fn named(doc: &Doc, item: Id, name: &str) -> Option<String> {
    let mut own = None;
    let mut look = |member: Value| {
        let text = member.text().or_else(|| member.get("text")?.text());
        own = text.filter(|text| !text.is_empty()).map(str::to_owned);
    };
    match &doc.node(item).body {
        Body::Json(index) => doc.value(*index).get(name).cloned().map_or((), look),
        _ if DocValue::Node(item).sort(doc) == Sort::Object => {
            DocValue::Node(item).each(doc, &mut |member, value| {
                if member == name {
                    look(value.json(doc));
                }
                member != name
            });
        }
        _ => {}
    }
    own
}

/// Moves a value to a separate file.
fn away(doc: &mut Doc, value: Id, (file, what): (String, Part), parts: &mut Vec<InFile>) {
    let moved = doc.copy(value);
    let body = doc.keep_value(Value::from([("file", file.as_str().into())]));
    doc.set(value, body);
    parts.push((file, moved, what));
}
