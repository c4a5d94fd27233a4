//! The lines of a JSON file: short values on one line, long lists with one item per line, as many numbers per line as fit.
//!
//! The output equals that of [`text::print`](super::super::text::print) for the same value.

use crate::exchange::document::{Body, Doc, Id, Sort, Value};
use crate::field::{Coding, Shape, Thresholds, put_encoded, put_hex, put_json, put_name, work};

use super::super::text::{self, columns, deeper, end, line};
use super::flow;

/// Returns the text of a value, with a line end, printed on this number of threads.
pub(super) fn print(doc: &Doc, value: Value<'_>, threads: usize) -> Vec<u8> {
    let mut text = Vec::new();
    put(&mut text, &Printer { doc, threads, columns: columns() }, value, 0);
    text.push(b'\n');
    text
}

/// Returns `true` if a value has a list that is printed on all threads.
pub(super) fn is_large(doc: &Doc, id: Id) -> bool {
    let is_long = |id| items(doc, Value::Node(id)).is_some();
    is_long(id) || doc.inside(id).any(is_long)
}

/// Returns the number of items of a list that is printed on all threads, or `None` if it is not.
fn items(doc: &Doc, value: Value<'_>) -> Option<(Id, usize)> {
    let Value::Node(id) = value else { return None };
    match doc.node(id).body {
        Body::Group(group) if group.is_list && group.count() / 2 >= Thresholds::here().items_for_thread => {
            Some((id, group.count()))
        }
        _ => None,
    }
}

/// The document to print, the number of threads, and the maximum number of columns of a line.
struct Printer<'d> {
    doc: &'d Doc,
    threads: usize,
    columns: usize,
}

/// Writes a value on one line if it fits, otherwise with one item or member per line.
fn put(text: &mut Vec<u8>, printer: &Printer<'_>, value: Value<'_>, indent: usize) {
    let doc = printer.doc;
    let room = printer.columns.saturating_sub(indent);
    let sort = value.sort(doc);
    match sort {
        // A plain value has one line, even if it is long.
        Sort::Plain => return value.put_plain(doc, text),
        Sort::Other => return put_other(text, printer, value, indent),
        Sort::List | Sort::Object => {}
    }
    let start = text.len();
    if value.least(doc, room) <= room && put_flat(text, doc, value, start.saturating_add(room)) {
        return;
    }
    text.truncate(start);
    let inner = deeper(indent);
    match sort {
        Sort::List if is_filled(doc, value) => put_filled(text, printer, value, indent),
        Sort::List => {
            text.push(b'[');
            if put_apart(text, printer, value, inner) {
                return end(text, indent, b']');
            }
            let mut index = 0_usize;
            value.each(doc, &mut |_, item| {
                line(text, index, inner);
                put(text, printer, item, inner);
                index += 1;
                true
            });
            end(text, indent, b']');
        }
        _ => {
            text.push(b'{');
            let mut index = 0_usize;
            value.each(doc, &mut |name, member| {
                line(text, index, inner);
                put_name(name, text);
                put(text, printer, member, inner);
                index += 1;
                true
            });
            end(text, indent, b'}');
        }
    }
}

/// Writes the items of a long list, printed on all threads. Returns `false` if the list is too short for that.
fn put_apart(text: &mut Vec<u8>, printer: &Printer<'_>, value: Value<'_>, indent: usize) -> bool {
    let Some((id, count)) = items(printer.doc, value).filter(|_| printer.threads > 1) else { return false };
    let items: Vec<(usize, Id)> = printer.doc.inside(id).enumerate().collect();
    // More pieces than threads, since some items are longer than others.
    let pieces: Vec<_> = items.chunks(count.div_ceil(printer.threads.saturating_mul(8)).max(1)).collect();
    let own = Printer { threads: 1, ..*printer };
    let texts = work::share(&pieces, printer.threads, |piece| {
        let mut text = Vec::new();
        for (index, item) in *piece {
            line(&mut text, *index, indent);
            put(&mut text, &own, Value::Node(*item), indent);
        }
        text
    });
    text.reserve(texts.iter().map(Vec::len).sum());
    texts.into_iter().for_each(|piece| text.extend_from_slice(&piece));
    true
}

/// Returns `true` if all items of a list are plain.
fn is_filled(doc: &Doc, value: Value<'_>) -> bool {
    value.leaves(doc).is_some() || value.each(doc, &mut |_, item| item.is_plain(doc))
}

/// Writes plain values, as many per line as fit.
fn put_filled(text: &mut Vec<u8>, printer: &Printer<'_>, value: Value<'_>, indent: usize) {
    let (doc, inner) = (printer.doc, deeper(indent));
    let room = printer.columns.saturating_sub(inner);
    text.push(b'[');
    let (mut begin, mut index) = (0, 0_usize);
    let mut put = |plain: &[u8]| {
        // A comma, a space and the value.
        let columns = text.len() - begin + 2 + plain.len();
        if index == 0 || columns > room {
            line(text, index, inner);
            begin = text.len();
        } else {
            text.extend_from_slice(b", ");
        }
        text.extend_from_slice(plain);
        index += 1;
    };
    let mut plain = Vec::new();
    if let Some((leaf, bytes)) = value.leaves(doc) {
        for one in bytes.chunks_exact(leaf.size.max(1)) {
            plain.clear();
            (leaf.print)(one, &mut plain);
            put(&plain);
        }
    } else {
        value.each(doc, &mut |_, item| {
            plain.clear();
            item.put_plain(doc, &mut plain);
            put(&plain);
            true
        });
    }
    end(text, indent, b']');
}

/// Writes a value that is not printed item by item.
fn put_other(text: &mut Vec<u8>, printer: &Printer<'_>, value: Value<'_>, indent: usize) {
    let (doc, indent) = (printer.doc, (indent, printer.columns));
    match value {
        Value::Node(id) => match &doc.node(id).body {
            Body::Json(index) => text::put(text, doc.value(*index), indent),
            Body::Coded { coding: Coding { print: Some(print), .. }, at, length } => {
                let mut flat = Vec::new();
                print(doc.bytes(*at, *length), &mut flat);
                flow::put(text, &flat, indent);
            }
            _ => text::put(text, &value.json(doc), indent),
        },
        _ => text::put(text, &value.json(doc), indent),
    }
}

/// Writes a value on one line, unless it would extend beyond `limit`.
fn put_flat(text: &mut Vec<u8>, doc: &Doc, value: Value<'_>, limit: usize) -> bool {
    if let Some((leaf, bytes)) = value.leaves(doc) {
        text.push(b'[');
        for (index, one) in bytes.chunks_exact(leaf.size.max(1)).enumerate() {
            if index > 0 {
                text.extend_from_slice(b", ");
            }
            (leaf.print)(one, text);
            if text.len() > limit {
                return false;
            }
        }
        text.push(b']');
        return text.len() <= limit;
    }
    let (open, close) = match value.sort(doc) {
        Sort::List => (b'[', b']'),
        Sort::Object => (b'{', b'}'),
        Sort::Plain | Sort::Other => {
            value.put_plain(doc, text);
            return text.len() <= limit;
        }
    };
    text.push(open);
    let mut is_first = true;
    let fits = value.each(doc, &mut |name, inside| {
        if !is_first {
            text.extend_from_slice(b", ");
        }
        is_first = false;
        if open == b'{' {
            put_name(name, text);
        }
        put_flat(text, doc, inside, limit)
    });
    text.push(close);
    fits && text.len() <= limit
}

impl Value<'_> {
    /// Writes it on one line, if it is neither a list nor an object.
    pub(crate) fn put_plain(self, doc: &Doc, text: &mut Vec<u8>) {
        match self {
            Self::Shape(Shape::Leaf(leaf), bytes) => (leaf.print)(bytes, text),
            Self::Node(id) => match &doc.node(id).body {
                Body::Value { shape: Shape::Leaf(leaf), at, .. } => (leaf.print)(doc.bytes(*at, leaf.size), text),
                Body::Text { page, at, length } => put_encoded(page, doc.bytes(*at, *length), text),
                Body::Bytes { at, length } => put_hex(doc.bytes(*at, *length), text),
                Body::Coded { coding: Coding { print: Some(print), .. }, at, length } => {
                    print(doc.bytes(*at, *length), text);
                }
                _ => put_json(&self.json(doc), text),
            },
            _ => put_json(&self.json(doc), text),
        }
    }
}
