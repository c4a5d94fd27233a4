//! The text of a JSON file: short values on one line, long lists with one item per line, as many numbers per line as fit.

use crate::field::{Json, Thresholds, put_json, put_name};

/// Returns a value as formatted text, with a line end.
#[must_use]
pub fn print(json: &Json) -> Vec<u8> {
    let mut text = Vec::new();
    put(&mut text, json, (0, columns()));
    text.push(b'\n');
    text
}

/// Returns the maximum number of columns of a line.
pub(super) fn columns() -> usize {
    Thresholds::here().columns
}

/// Writes a value on one line if it fits, otherwise with one item or member per line.
pub(super) fn put(text: &mut Vec<u8>, json: &Json, (indent, columns): (usize, usize)) {
    let room = columns.saturating_sub(indent);
    let start = text.len();
    if least(json, room) <= room && put_flat(text, json, start.saturating_add(room)) {
        return;
    }
    text.truncate(start);
    match json {
        Json::List(items) if items.iter().all(is_plain) => put_filled(text, items, (indent, columns)),
        Json::List(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                line(text, index, deeper(indent));
                put(text, item, (deeper(indent), columns));
            }
            end(text, indent, b']');
        }
        Json::Object(members) => {
            text.push(b'{');
            for (index, (name, value)) in members.iter().enumerate() {
                line(text, index, deeper(indent));
                put_name(name, text);
                put(text, value, (deeper(indent), columns));
            }
            end(text, indent, b'}');
        }
        plain => put_json(plain, text),
    }
}

/// The largest indentation, that of 40 levels. Lists are nested up to a thousand levels deep, and each level takes two lines: without an
/// end, the indentation of a small file would take hundreds of times its size.
const DEEPEST: usize = 80;

/// Returns the indentation of what is inside a value with this one.
pub(super) fn deeper(indent: usize) -> usize {
    (indent + 2).min(DEEPEST)
}

/// Begins a line for the item at an index.
pub(super) fn line(text: &mut Vec<u8>, index: usize, indent: usize) {
    text.extend_from_slice(if index > 0 { b",\n" } else { b"\n" });
    text.extend(std::iter::repeat_n(b' ', indent));
}

/// Ends a list or object on its own line.
pub(super) fn end(text: &mut Vec<u8>, indent: usize, bracket: u8) {
    text.push(b'\n');
    text.extend(std::iter::repeat_n(b' ', indent));
    text.push(bracket);
}

/// Writes plain values, as many per line as fit.
fn put_filled(text: &mut Vec<u8>, items: &[Json], (indent, columns): (usize, usize)) {
    let inner = deeper(indent);
    text.push(b'[');
    let mut begin = 0;
    for (index, item) in items.iter().enumerate() {
        let before = text.len();
        if index > 0 {
            text.extend_from_slice(b", ");
        }
        put_json(item, text);
        if index == 0 || text.len().saturating_sub(begin) > columns.saturating_sub(inner) {
            text.truncate(before);
            line(text, index, inner);
            begin = text.len();
            put_json(item, text);
        }
    }
    end(text, indent, b']');
}

/// Returns the minimum number of columns that a value takes on one line. Counting stops at `enough`: that detects most values that
/// do not fit before any text is written.
pub(super) fn least(json: &Json, enough: usize) -> usize {
    let all = |parts: &mut dyn Iterator<Item = (usize, &Json)>| {
        let mut columns = 2_usize;
        for (name, value) in parts {
            columns += name + least(value, enough);
            if columns > enough {
                break;
            }
        }
        columns
    };
    match json {
        Json::List(items) => all(&mut items.iter().map(|item| (", ".len(), item))).saturating_sub(", ".len()),
        Json::Object(members) => all(&mut members.iter().map(|(name, value)| (name.len() + "\"\": , ".len(), value)))
            .saturating_sub(", ".len()),
        Json::Text(text) | Json::Named(Some(text), _) => text.len() + 2,
        Json::Bytes(bytes) => bytes.len() * 3,
        Json::Float(_) | Json::Fixed(_) => "0.0".len(),
        Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Named(None, _) => 1,
    }
}

/// Writes a value on one line, unless it would extend beyond `limit`.
pub(super) fn put_flat(text: &mut Vec<u8>, json: &Json, limit: usize) -> bool {
    match json {
        Json::List(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.extend_from_slice(b", ");
                }
                if !put_flat(text, item, limit) {
                    return false;
                }
            }
            text.push(b']');
        }
        Json::Object(members) => {
            text.push(b'{');
            for (index, (name, value)) in members.iter().enumerate() {
                if index > 0 {
                    text.extend_from_slice(b", ");
                }
                put_name(name, text);
                if !put_flat(text, value, limit) {
                    return false;
                }
            }
            text.push(b'}');
        }
        plain => put_json(plain, text),
    }
    text.len() <= limit
}

/// Returns `true` if a value is neither a list nor an object.
pub(super) fn is_plain(json: &Json) -> bool {
    !matches!(json, Json::List(_) | Json::Object(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::parse;

    #[test]
    fn long_lists_have_one_item_or_many_numbers_per_line() {
        let rows: Json = (0..2).map(|row| (0..12).map(|it| 1_000_000 * row + it).collect::<Json>()).collect();
        let numbers: Json = (0..40).collect();
        let json = Json::from([("rows", rows), ("numbers", numbers), ("none", Json::List(vec![]))]);
        let text = print(&json);
        assert_eq!(
            String::from_utf8_lossy(&text),
            "\
{
  \"rows\": [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [
      1000000, 1000001, 1000002, 1000003, 1000004, 1000005, 1000006, 1000007, 1000008, 1000009,
      1000010, 1000011
    ]
  ],
  \"numbers\": [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39
  ],
  \"none\": []
}
"
        );
        assert_eq!(parse(&text).expect("parses"), json);
    }

    #[test]
    fn byte_order_mark_is_not_part_of_the_text() {
        assert_eq!(parse(b"\xEF\xBB\xBF[1]\n").expect("parses"), Json::List(vec![1.into()]));
        for text in [b"\xFF\xFE[\x001\0]\0", b"\xFE\xFF\0[\x001\0]"] {
            assert_eq!(parse(text).expect_err("UTF-16").to_string(), "expected UTF-8, found UTF-16");
        }
    }

    #[test]
    fn errors_report_the_line() {
        let error = parse(b"{\n  \"a\": [1,\n  2\n}\n").expect_err("no JSON");
        assert_eq!((error.line(), error.column()), (4, 1));
    }
}
