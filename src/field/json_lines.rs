//! JSON text in lines: a value is on one line if it fits, otherwise it has one item or member per line, or as many plain values as fit.
//!
//! Text is written once. What may still fit on a line is at the end of it, with marks where its values begin; as soon as it is too long,
//! its outermost list or object is spread over lines, and the few columns after that are laid out again.

use core::iter::repeat_n;
use core::mem::{replace, take};
use core::ops::Range;

use super::decimal::as_single;
use super::json::Json;
use super::print::{put_fixed, put_float, put_hex, put_name, put_text, put_whole};
use super::thresholds::Thresholds;

/// The largest indentation, that of 40 levels. Lists are nested up to a thousand levels deep, and each level takes two lines: without an
/// end, the indentation of a small file would take hundreds of times its size.
const DEEPEST: usize = 80;

/// A list or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nest {
    /// A list of values of which one is a list or an object.
    List,
    /// A list of plain values, or an empty one.
    Plain,
    /// An object.
    Object,
}

impl Nest {
    /// Returns the brackets around it.
    const fn brackets(self) -> [u8; 2] {
        match self {
            Self::List | Self::Plain => *b"[]",
            Self::Object => *b"{}",
        }
    }

    /// Returns what a list with these items is.
    pub(crate) fn of(items: &[Json]) -> Self {
        if items.iter().all(is_plain) { Self::Plain } else { Self::List }
    }
}

/// A list or object that has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    nest: Nest,
    /// The indentation of the line with its bracket.
    indent: usize,
    /// The position of the bracket, or of the last line of plain values.
    at: usize,
    /// The number of items or members so far.
    items: usize,
}

/// A part of what is still on one line. Names and values are at a range of the text.
#[derive(Clone, Debug)]
enum Mark {
    Begin(Nest),
    Name(Range<usize>),
    Value(Range<usize>),
    End,
}

/// JSON text that is being written, value by value.
///
/// A member of an object is its [`name`](Self::name) and then its value. A value is [`plain`](Self::plain), or it is what comes between
/// [`begin`](Self::begin) and [`end`](Self::end).
#[derive(Debug)]
pub struct Lines {
    text: Vec<u8>,
    /// The maximum number of columns of a line, unless a single value is longer.
    columns: usize,
    open: Vec<Open>,
    /// The number of those that are spread over lines. All others are inside them, on one line.
    spread: usize,
    /// What is on that line.
    marks: Vec<Mark>,
}

impl Lines {
    /// Returns an empty text, with lines of the usual length.
    pub(crate) fn new() -> Self {
        Self::within(Thresholds::here().columns)
    }

    /// Returns text that continues this one on the same line, however long.
    pub(super) fn on_one_line(text: Vec<u8>) -> Self {
        Self { text, ..Self::within(usize::MAX) }
    }

    fn within(columns: usize) -> Self {
        Self { text: Vec::new(), columns, open: Vec::new(), spread: 0, marks: Vec::new() }
    }

    /// Returns an empty text for the items of this list from an index on, which [`append`](Self::append) adds to the list later.
    #[cfg(feature = "exchange")]
    pub(crate) fn of_items(&self, from: usize) -> Self {
        let open = self.open.last().map(|open| Open { at: 0, items: from, ..*open });
        Self { open: open.into_iter().collect(), spread: 1, ..Self::within(self.columns) }
    }

    /// Appends the text of items.
    #[cfg(feature = "exchange")]
    pub(crate) fn append(&mut self, items: &Self) {
        self.text.extend_from_slice(&items.text);
    }

    /// Spreads the list that was begun last, because at least this many items are known to follow. Returns `false` if they may fit on a
    /// line.
    #[cfg(feature = "exchange")]
    pub(crate) fn spread_for(&mut self, items: usize) -> bool {
        // Each takes a column, a comma and a space.
        let is_long = items.saturating_mul(2) > self.columns;
        while is_long && self.spread < self.open.len() {
            self.spread_first();
        }
        is_long
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.text
    }

    /// Begins a list or an object.
    pub fn begin(&mut self, nest: Nest) {
        self.item();
        let indent = self.open.last().map_or(0, |outer| match self.open.len() <= self.spread {
            true => deeper(outer.indent),
            false => outer.indent,
        });
        self.open.push(Open { nest, indent, at: self.text.len(), items: 0 });
        self.text.push(nest.brackets()[0]);
        self.mark(Mark::Begin(nest));
    }

    /// Writes the name of a member.
    pub fn name(&mut self, name: impl FnOnce(&mut Vec<u8>)) {
        self.next();
        let begin = self.text.len();
        name(&mut self.text);
        self.mark(Mark::Name(begin..self.text.len()));
    }

    /// Writes a value that is neither a list nor an object.
    pub fn plain(&mut self, value: impl FnOnce(&mut Vec<u8>)) {
        let is_spread = self.spread == self.open.len();
        if let Some(Open { nest: Nest::Plain, indent, at, items }) = self.open.last_mut().filter(|_| is_spread) {
            let (begin, index, indent) = (self.text.len(), replace(items, *items + 1), deeper(*indent));
            let between: &[u8] = if index > 0 { b", " } else { b"" };
            self.text.extend_from_slice(between);
            value(&mut self.text);
            if index == 0 || self.text.len() - *at > self.columns.saturating_sub(indent) {
                let line = between.iter().take(1).copied().chain(*b"\n").chain(repeat_n(b' ', indent));
                *at = begin + between.len().min(1) + 1 + indent;
                drop(self.text.splice(begin..begin + between.len(), line));
            }
            return;
        }
        self.item();
        let begin = self.text.len();
        value(&mut self.text);
        self.mark(Mark::Value(begin..self.text.len()));
    }

    /// Ends the list or object that was begun last.
    pub fn end(&mut self) {
        let Some(Open { nest, indent, .. }) = self.open.last().copied() else { return };
        let [_, bracket] = nest.brackets();
        if self.spread < self.open.len() {
            self.text.push(bracket);
            // If that is too much, it ends again on a line of its own.
            if !self.mark(Mark::End) {
                return;
            }
        } else {
            self.text.push(b'\n');
            self.text.extend(repeat_n(b' ', indent));
            self.text.push(bracket);
            self.spread -= 1;
        }
        self.open.pop();
        if self.spread == self.open.len() {
            self.marks.clear();
        }
    }

    /// Writes any value.
    pub(crate) fn json(&mut self, json: &Json) {
        match json {
            Json::List(items) => {
                self.begin(Nest::of(items));
                items.iter().for_each(|item| self.json(item));
                self.end();
            }
            Json::Object(members) => {
                self.begin(Nest::Object);
                for (name, value) in members {
                    self.name(|text| put_name(name, text));
                    self.json(value);
                }
                self.end();
            }
            plain => self.plain(|text| put_json(plain, text)),
        }
    }

    /// Begins an item of a list. A member has begun with its name.
    fn item(&mut self) {
        if self.open.last().is_some_and(|open| open.nest != Nest::Object) {
            self.next();
        }
    }

    /// Begins an item or a member.
    fn next(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        let (indent, index) = (open.indent, open.items);
        open.items += 1;
        let is_spread = self.spread == self.open.len();
        match (index, is_spread) {
            (0, false) => {}
            (_, false) => self.text.extend_from_slice(b", "),
            (0, true) => self.text.push(b'\n'),
            (_, true) => self.text.extend_from_slice(b",\n"),
        }
        self.text.extend(repeat_n(b' ', if is_spread { deeper(indent) } else { 0 }));
    }

    /// Notes what has been added to the line, and spreads the outermost list or object on it if it has become too long. Returns `false`
    /// then.
    fn mark(&mut self, mark: Mark) -> bool {
        let Some(first) = self.open.get(self.spread).filter(|_| self.columns < usize::MAX) else { return true };
        self.marks.push(mark);
        let fits = self.text.len() - first.at <= self.columns.saturating_sub(first.indent);
        if !fits {
            self.spread_first();
        }
        fits
    }

    /// Spreads the outermost list or object of those on one line, and lays out again what it contains so far.
    fn spread_first(&mut self) {
        let Some(first) = self.open.get(self.spread).copied() else { return };
        let line = self.text.split_off(first.at);
        let part = |Range { start, end }: Range<usize>| line.get(start - first.at..end - first.at).unwrap_or_default();
        let [bracket, _] = first.nest.brackets();
        self.text.push(bracket);
        self.open.truncate(self.spread);
        self.open.push(Open { items: 0, ..first });
        self.spread += 1;
        // The first one is its own beginning.
        for mark in take(&mut self.marks).into_iter().skip(1) {
            match mark {
                Mark::Begin(nest) => self.begin(nest),
                Mark::Name(at) => self.name(|text| text.extend_from_slice(part(at))),
                Mark::Value(at) => self.plain(|text| text.extend_from_slice(part(at))),
                Mark::End => self.end(),
            }
        }
    }
}

/// Returns the indentation of what is inside a value with this one.
fn deeper(indent: usize) -> usize {
    (indent + 2).min(DEEPEST)
}

/// Returns `true` if a value is neither a list nor an object.
pub(crate) fn is_plain(json: &Json) -> bool {
    !matches!(json, Json::List(_) | Json::Object(_))
}

/// Writes a value on one line, with a space after each comma and colon.
pub(crate) fn put_json(json: &Json, text: &mut Vec<u8>) {
    match json {
        Json::Null => text.extend_from_slice(b"null"),
        Json::Bool(truth) => text.extend_from_slice(if *truth { b"true" } else { b"false" }),
        Json::Integer(value) | Json::Named(None, value) => put_whole(*value, text),
        Json::Float(value) => match as_single(*value) {
            Some(value) => put_float(value, text),
            None => text.extend_from_slice(zmij::Buffer::new().format_finite(*value).as_bytes()),
        },
        Json::Fixed(parts) => put_fixed(*parts, text),
        Json::Text(it) | Json::Named(Some(it), _) => put_text(it, text),
        Json::Bytes(bytes) => put_hex(bytes, text),
        Json::List(_) | Json::Object(_) => {
            let mut line = Lines::on_one_line(take(text));
            line.json(json);
            *text = line.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a value as text with lines of this length.
    fn text(json: &Json, columns: usize) -> String {
        let mut lines = Lines::within(columns);
        lines.json(json);
        String::from_utf8(lines.finish()).expect("is UTF-8")
    }

    #[test]
    fn lists_and_objects_are_spread_when_a_line_is_too_short() {
        let json =
            crate::json::parse(br#"{"a": [1, 2, 3], "b": {"c": [[4], []], "d": "text"}, "e": []}"#).expect("JSON");
        assert_eq!(text(&json, usize::MAX), r#"{"a": [1, 2, 3], "b": {"c": [[4], []], "d": "text"}, "e": []}"#);
        // `{"c": [[4], []], "d": "text"}` has 29 columns, and 2 are before it.
        let spread = "{\n  \"a\": [1, 2, 3],\n  \"b\": {\"c\": [[4], []], \"d\": \"text\"},\n  \"e\": []\n}";
        assert_eq!(text(&json, 31), spread);
        let spread =
            "{\n  \"a\": [1, 2, 3],\n  \"b\": {\n    \"c\": [[4], []],\n    \"d\": \"text\"\n  },\n  \"e\": []\n}";
        assert_eq!(text(&json, 30), spread);
        assert_eq!(text(&parsed("[1, 22, 333, [], 4]"), 8), "[\n  1,\n  22,\n  333,\n  [],\n  4\n]");
        assert_eq!(text(&parsed("[1, 22, 333, 4444, 5]"), 9), "[\n  1, 22,\n  333,\n  4444, 5\n]");
        assert_eq!(text(&parsed("[[[]]]"), 0), "[\n  [\n    [\n    ]\n  ]\n]");
    }

    fn parsed(json: &str) -> Json {
        crate::json::parse(json.as_bytes()).expect("JSON")
    }

    #[test]
    fn text_says_the_same_whatever_the_length_of_its_lines() {
        let long = "x".repeat(120);
        let numbers = (0..60).map(|nth| (nth * 7_919).to_string()).collect::<Vec<_>>().join(", ");
        for json in [
            "1".to_owned(),
            "\"[\\\\\\\"]\"".to_owned(),
            format!("[[{numbers}], [1, 2], [], {{}}, \"a, b]\", {{\"a, \\\"b\": [{numbers}], \"c\": true}}]"),
            format!("[\"{long}\", 1, \"{long}\"]"),
            format!("{{\"text\": \"{long}\", \"tail\": \"00\"}}"),
            format!("{}[1, 2]{}", "[".repeat(60), "]".repeat(60)),
            format!("{}{{}}, {{\"a\": 1}}{}", "[".repeat(120), "]".repeat(120)),
        ] {
            let value = parsed(&json);
            for columns in (0..160).chain([usize::MAX]) {
                let text = text(&value, columns);
                assert_eq!(parsed(&text), value, "{text}");
                // A line is longer only if it has one value, beside its name and its brackets.
                let too_long = |line: &&str| {
                    let value = line.trim_start().trim_end_matches(',');
                    value.len() > columns.saturating_sub(line.len() - line.trim_start().len())
                };
                let several = |line: &&str| line.contains(", ") && !line.contains(&long) && !line.contains('"');
                assert!(!text.lines().filter(too_long).any(|line| several(&line)), "{columns}: {text}");
            }
            assert_eq!(text(&value, usize::MAX), json);
        }
    }

    #[test]
    fn lists_and_objects_print_on_one_line() {
        let json =
            Json::from([("a", vec![1, 2].into()), ("b", Json::from([("c", true.into())])), ("d", Json::List(vec![]))]);
        let mut text = Vec::new();
        put_json(&json, &mut text);
        assert_eq!(String::from_utf8_lossy(&text), r#"{"a": [1, 2], "b": {"c": true}, "d": []}"#);
    }
}
