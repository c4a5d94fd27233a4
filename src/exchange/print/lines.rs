//! The text of documents, written value by value.

use crate::document::{Body, Doc, DocValue, Id, Sort};
use crate::text::finish;
use field::{Codec, Nest, Shape, Thresholds, work};
use json::{Flat, Lines, put_encoded, put_hex, put_json, put_name};

/// Returns the text of a value, with a line end, printed on this number of threads; after this text, if there is one.
pub(super) fn print(doc: &Doc, value: DocValue<'_>, threads: usize, before: Vec<u8>) -> Vec<u8> {
    let mut lines = Lines::after(before);
    put(&mut lines, doc, value, threads);
    finish(lines)
}

/// Returns `true` if a value has a list that is printed on all threads.
pub(super) fn is_large(doc: &Doc, id: Id) -> bool {
    let is_long = |id| items(doc, DocValue::Node(id)).is_some();
    is_long(id) || doc.inside(id).any(is_long)
}

/// Returns the number of items of a list that is printed on all threads, or `None` if it is not.
fn items(doc: &Doc, value: DocValue<'_>) -> Option<(Id, usize)> {
    let DocValue::Node(id) = value else { return None };
    match doc.node(id).body {
        Body::Group(group) if group.is_list && group.count() / 2 >= Thresholds::here().items_for_thread => {
            Some((id, group.count()))
        }
        _ => None,
    }
}

/// Writes a value.
fn put(lines: &mut Lines, doc: &Doc, value: DocValue<'_>, threads: usize) {
    match value.sort(doc) {
        Sort::Plain => lines.plain(|text| put_plain(text, doc, value)),
        Sort::Text => lines.flat(|text| put_plain(text, doc, value)),
        Sort::Other => put_other(lines, doc, value),
        Sort::List if is_plain(doc, value) => match value.leaves(doc) {
            Some((leaf, bytes)) => {
                lines.plain_list(bytes.chunks_exact(leaf.size.max(1)), |text, one| {
                    (leaf.put)(one, &mut Flat::new(text))
                });
            }
            None => {
                lines.begin(Nest::Plain);
                put_all(lines, doc, value);
                lines.end();
            }
        },
        Sort::List => {
            lines.begin(Nest::List);
            lines.spread_for(columns(doc, value));
            if !put_apart(lines, doc, value, threads) {
                put_all(lines, doc, value);
            }
            lines.end();
        }
        Sort::Object => {
            lines.begin(Nest::Object);
            lines.spread_for(columns(doc, value));
            value.each(doc, &mut |name, member| {
                lines.name(|text| put_name(name, text));
                put(lines, doc, member, threads);
                true
            });
            lines.end();
        }
    }
}

/// Returns a number of columns that a value takes at least on one line, as far as known before it is printed.
fn columns(doc: &Doc, value: DocValue<'_>) -> usize {
    match value {
        DocValue::Record(layout, ..) | DocValue::Shape(&Shape::Record(layout), _) => layout.columns,
        DocValue::Node(id) => match &doc.node(id).body {
            Body::Group(_) => {
                let (enough, mut columns) = (Thresholds::here().columns, 0);
                for id in doc.inside(id) {
                    columns += columns_inside(doc, id);
                    if columns > enough {
                        break;
                    }
                }
                columns
            }
            _ => columns_inside(doc, id),
        },
        _ => 0,
    }
}

/// Returns a number of columns that a node takes at least, with its name and what is directly in it.
fn columns_inside(doc: &Doc, id: Id) -> usize {
    let node = doc.node(id);
    // Its name in quotes, a colon, a comma, and spaces.
    let name = node.name.as_ref().map_or(0, |name| name.len() + 6);
    match &node.body {
        Body::Fields { layout, .. } => layout.columns,
        Body::Block { item, length, .. } => name + length / item.size.max(1) * 2,
        Body::Bytes { length, .. } => name + length,
        // Text can have more bytes in its code page than it has as UTF-8.
        Body::Text { .. } | Body::Group(_) | Body::Value { .. } | Body::Coded { .. } | Body::Json(_) => name + 1,
    }
}

/// Writes all items of a list.
fn put_all(lines: &mut Lines, doc: &Doc, list: DocValue<'_>) {
    list.each(doc, &mut |_, item| {
        put(lines, doc, item, 1);
        true
    });
}

/// Writes the items of a long list, printed on all threads. Returns `false` if the list is too short for that.
fn put_apart(lines: &mut Lines, doc: &Doc, value: DocValue<'_>, threads: usize) -> bool {
    let Some((id, count)) = items(doc, value).filter(|_| threads > 1) else { return false };
    // Each takes a column, a comma and a space.
    if !lines.spread_for(count * 2) {
        return false;
    }
    let items: Vec<(usize, Id)> = doc.inside(id).enumerate().collect();
    // More pieces than threads, since some items are longer than others.
    let pieces: Vec<_> = items.chunks(count.div_ceil(threads.saturating_mul(8)).max(1)).collect();
    let printed = work::share(&pieces, threads, |piece| {
        let mut own = lines.of_items(piece.first().map_or(0, |(index, _)| *index));
        piece.iter().for_each(|(_, item)| put(&mut own, doc, DocValue::Node(*item), 1));
        own
    });
    lines.append_all(printed);
    true
}

/// Returns `true` if all items of a list are plain.
fn is_plain(doc: &Doc, list: DocValue<'_>) -> bool {
    list.leaves(doc).is_some() || list.each(doc, &mut |_, item| item.is_plain(doc))
}

/// Writes a value that is not printed item by item.
fn put_other(lines: &mut Lines, doc: &Doc, value: DocValue<'_>) {
    match value {
        DocValue::Node(id) => match &doc.node(id).body {
            Body::Json(index) => lines.json(doc.value(*index)),
            Body::Coded { codec: Codec { print: Some(print), .. }, at, length } => {
                print(doc.bytes(*at, *length), lines)
            }
            _ => lines.json(&value.json(doc)),
        },
        _ => lines.json(&value.json(doc)),
    }
}

/// Writes a value that is neither a list nor an object, or a string with its tail.
fn put_plain(text: &mut Vec<u8>, doc: &Doc, value: DocValue<'_>) {
    match value {
        DocValue::Shape(Shape::Leaf(leaf), bytes) => (leaf.put)(bytes, &mut Flat::new(text)),
        DocValue::Node(id) => match &doc.node(id).body {
            Body::Value { shape: Shape::Leaf(leaf), at, .. } => {
                (leaf.put)(doc.bytes(*at, leaf.size), &mut Flat::new(text))
            }
            Body::Text { page, at, length } => put_encoded(page, doc.bytes(*at, *length), text),
            Body::Bytes { at, length } => put_hex(doc.bytes(*at, *length), text),
            _ => put_json(&value.json(doc), text),
        },
        _ => put_json(&value.json(doc), text),
    }
}
