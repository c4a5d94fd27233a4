//! JSON text in lines: a value is on one line if it fits, otherwise it has one item or member per line, or as many plain values as fit.
//!
//! Text is written once, flat. As soon as the line at its end is too long, the outermost list or object on that line is spread over
//! lines, and the few columns after its bracket are moved there.

use core::iter::{once, repeat_n};
use core::mem::take;

use field::{CodePage, Nest, Sink, Thresholds, Value, as_single};

use super::print::{brackets, put_encoded, put_fixed, put_float, put_hex, put_name, put_text, put_whole};

/// The largest indentation, that of 40 levels. Lists are nested up to a thousand levels deep, and each level takes two lines: without an
/// end, the indentation of a small file would take hundreds of times its size.
const DEEPEST: usize = 80;

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
    /// Room for a line while it is spread, and for what is open on it.
    line: Vec<u8>,
    inner: Vec<Open>,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

impl Lines {
    /// Returns an empty text, with lines of the usual length.
    pub fn new() -> Self {
        Self::within(Thresholds::here().columns)
    }

    /// Returns text that continues this one as if it were the first, with lines of the usual length.
    pub fn after(text: Vec<u8>) -> Self {
        Self { text, ..Self::new() }
    }

    /// Returns text that continues this one on the same line, however long.
    pub(super) fn on_one_line(text: Vec<u8>) -> Self {
        Self { text, ..Self::within(usize::MAX) }
    }

    fn within(columns: usize) -> Self {
        let (text, open, line, inner) = Default::default();
        Self { text, columns, open, spread: 0, line, inner }
    }

    /// Returns an empty text for the items of this list from an index on, which [`append_all`](Self::append_all) adds to the list later.
    pub fn of_items(&self, from: usize) -> Self {
        let open = self.open.last().map(|open| Open { at: 0, items: from, ..*open });
        Self { open: open.into_iter().collect(), spread: 1, ..Self::within(self.columns) }
    }

    /// Appends the texts of items. Each is dropped as soon as it is copied.
    pub fn append_all(&mut self, items: Vec<Self>) {
        self.text.reserve(items.iter().map(|items| items.text.len()).sum());
        items.into_iter().for_each(|items| self.text.extend_from_slice(&items.text));
    }

    /// Spreads the list or object that was begun last, because at least this many columns are known to follow. Returns `false` if they
    /// may fit on a line.
    pub fn spread_for(&mut self, columns: usize) -> bool {
        let is_long = columns > self.columns;
        while is_long && self.spread < self.open.len() {
            self.spread_first();
        }
        is_long
    }

    /// Returns the text.
    pub fn finish(self) -> Vec<u8> {
        self.text
    }

    /// Begins a list or an object.
    pub fn begin(&mut self, nest: Nest) {
        self.item();
        self.begin_here(nest);
    }

    fn begin_here(&mut self, nest: Nest) {
        self.open.push(Open { nest, indent: self.inner_indent(), at: self.text.len(), items: 0 });
        self.text.push(brackets(nest)[0]);
        self.fit(0);
    }

    /// Writes the name of a member.
    pub fn name(&mut self, name: impl FnOnce(&mut Vec<u8>)) {
        self.next();
        name(&mut self.text);
    }

    /// Writes a value that is neither a list nor an object.
    pub fn plain(&mut self, value: impl FnOnce(&mut Vec<u8>)) {
        let is_spread = self.spread == self.open.len();
        if let Some(Open { nest: Nest::Plain, indent, at, items }) = self.open.last_mut().filter(|_| is_spread) {
            let (begin, is_first, indent) = (self.text.len(), *items == 0, deeper(*indent));
            *items += 1;
            if is_first {
                end_line(&mut self.text, indent);
                *at = self.text.len();
                return value(&mut self.text);
            }
            self.text.extend_from_slice(b", ");
            value(&mut self.text);
            if self.text.len() - *at + indent > self.columns {
                // The value moves to a line of its own, in place of the space.
                drop(self.text.splice(begin + 1..begin + 2, once(b'\n').chain(repeat_n(b' ', indent))));
                *at = begin + 2 + indent;
            }
            return;
        }
        self.item();
        value(&mut self.text);
        self.fit(0);
    }

    /// Writes a list of plain values, faster than one by one: most lists fit on their line.
    pub fn plain_list<T>(&mut self, items: impl Iterator<Item = T> + Clone, put: impl Fn(&mut Vec<u8>, T)) {
        self.item();
        let begin = self.text.len();
        let (at, indent) = match self.open.get(self.spread) {
            Some(first) => (first.at, first.indent),
            None => (begin, self.inner_indent()),
        };
        // The bracket at the end needs a column, too.
        let indent = indent + 1;
        let mut count = 0_usize;
        let fits = items.clone().all(|item| {
            self.text.extend_from_slice(if count == 0 { b"[" } else { b", " });
            count += 1;
            put(&mut self.text, item);
            self.text.len() - at + indent <= self.columns
        });
        if fits && count > 0 {
            return self.text.push(b']');
        }
        self.text.truncate(begin);
        self.begin_here(Nest::Plain);
        items.for_each(|item| self.plain(|text| put(text, item)));
        self.end();
    }

    /// Writes a value that is given on one line.
    pub fn flat(&mut self, value: impl FnOnce(&mut Vec<u8>)) {
        if self.open.last().is_some_and(|open| open.nest == Nest::Plain) {
            return self.plain(value);
        }
        self.item();
        let at = self.text.len();
        value(&mut self.text);
        self.fit_nested(at);
        self.fit(0);
    }

    /// Spreads the list or object at the end of the text that begins at this position, if it is too long for its line.
    fn fit_nested(&mut self, at: usize) {
        let indent = self.inner_indent();
        let Some(value) = self.text.get(at..) else { return };
        if is_nested(value) && value.len() + indent > self.columns {
            self.open.push(Open { nest: nest_of(value), indent, at, items: 0 });
            // It ends again on a line of its own.
            self.text.pop();
            self.end();
        }
    }

    /// Returns the indentation of the line on which the next value begins.
    fn inner_indent(&self) -> usize {
        self.open.last().map_or(0, |outer| match self.open.len() <= self.spread {
            true => deeper(outer.indent),
            false => outer.indent,
        })
    }

    /// Ends the list or object that was begun last.
    pub fn end(&mut self) {
        // The bracket needs a column, too.
        self.fit(1);
        let Some(Open { nest, indent, .. }) = self.open.pop() else { return };
        if self.spread > self.open.len() {
            self.spread = self.open.len();
            end_line(&mut self.text, indent);
        }
        let [_, bracket] = brackets(nest);
        self.text.push(bracket);
    }

    /// Writes any value.
    pub fn json(&mut self, json: &Value) {
        match json {
            Value::List(items) => {
                self.begin(list_of(items));
                items.iter().for_each(|item| self.json(item));
                self.end();
            }
            Value::Object(members) => {
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
        let is_spread = self.spread == self.open.len();
        let Some(open) = self.open.last_mut() else { return };
        if open.items > 0 {
            self.text.extend_from_slice(if is_spread { b"," } else { b", " });
        }
        open.items += 1;
        if is_spread {
            end_line(&mut self.text, deeper(open.indent));
        }
    }

    /// Spreads the outermost lists and objects on the line as long as the line is too long, with this many more columns.
    fn fit(&mut self, more: usize) {
        while let Some(first) = self.open.get(self.spread)
            && self.text.len() - first.at + more + first.indent > self.columns
        {
            self.spread_first();
        }
    }

    /// Spreads the outermost list or object of those on one line, with what it contains so far.
    fn spread_first(&mut self) {
        let level = self.spread;
        let Some(first) = self.open.get_mut(level) else { return };
        self.spread += 1;
        first.items = 0;
        let (from, nest, indent) = (first.at + 1, first.nest, deeper(first.indent));
        let (mut line, mut inner) = (take(&mut self.line), take(&mut self.inner));
        line.clear();
        line.extend(self.text.drain(from..));
        inner.clear();
        inner.extend(self.open.drain(level + 1..));
        let mut rest = &line[..];
        while !rest.is_empty() {
            let (item, others) = rest.split_at(item_end(rest));
            rest = others.strip_prefix(b", ").unwrap_or(others);
            if nest == Nest::Plain {
                self.plain(|text| text.extend_from_slice(item));
                continue;
            }
            self.next();
            let (name, value) = item.split_at(if nest == Nest::Object { value_start(item) } else { 0 });
            self.text.extend_from_slice(name);
            let at = self.text.len();
            if rest.is_empty() && !inner.is_empty() {
                // Only the last item is still open, and what is open in it moves with it.
                let was = inner.first().map_or(0, |open| open.at);
                self.text.extend_from_slice(value);
                self.open.extend(inner.drain(..).map(|open| Open { indent, at: open.at - was + at, ..open }));
            } else {
                // The first item of a list has fewer columns on a line of its own than after the bracket of the list.
                self.text.extend_from_slice(value);
                self.fit_nested(at);
            }
        }
        (self.line, self.inner) = (line, inner);
    }
}

/// Writes values item by item.
impl Sink for Lines {
    fn truth(&mut self, value: bool) {
        self.plain(|text| text.extend_from_slice(if value { b"true" } else { b"false" }));
    }

    fn whole(&mut self, value: i64) {
        self.plain(|text| put_whole(value, text));
    }

    fn float(&mut self, value: f32) {
        self.plain(|text| put_float(value, text));
    }

    fn fixed(&mut self, parts: i64) {
        self.plain(|text| put_fixed(parts, text));
    }

    fn text(&mut self, it: &str) {
        self.plain(|text| put_text(it, text));
    }

    fn encoded(&mut self, page: &'static CodePage, bytes: &[u8]) {
        self.plain(|text| put_encoded(page, bytes, text));
    }

    fn hex(&mut self, bytes: &[u8]) {
        self.plain(|text| put_hex(bytes, text));
    }

    fn value(&mut self, value: Value) {
        self.json(&value);
    }

    fn begin(&mut self, nest: Nest) {
        Self::begin(self, nest);
    }

    fn name(&mut self, name: &str) {
        Self::name(self, |text| put_name(name, text));
    }

    fn end(&mut self) {
        Self::end(self);
    }
}

/// Returns the type of a list with these items.
fn list_of(items: &[Value]) -> Nest {
    if items.iter().all(is_plain) { Nest::Plain } else { Nest::List }
}

/// Ends a line, and indents the next one.
fn end_line(text: &mut Vec<u8>, indent: usize) {
    const LINE: [u8; DEEPEST + 1] = {
        let mut line = [b' '; DEEPEST + 1];
        line[0] = b'\n';
        line
    };
    text.extend_from_slice(LINE.get(..=indent).unwrap_or(&LINE));
}

/// Returns the length of the first of several items or members on one line.
fn item_end(line: &[u8]) -> usize {
    find(line, |byte, depth| byte == b',' && depth == 0)
}

/// Returns the length of the name of a member, with its colon and space.
fn value_start(member: &[u8]) -> usize {
    find(member, |byte, _| byte == b':') + b": ".len()
}

/// Returns `true` if a value is a list or an object.
fn is_nested(value: &[u8]) -> bool {
    matches!(value.first(), Some(b'[' | b'{'))
}

/// Returns what a list or an object on one line is.
fn nest_of(value: &[u8]) -> Nest {
    match value.split_first() {
        Some((b'{', _)) => Nest::Object,
        Some((_, items)) if find(items, |byte, _| matches!(byte, b'[' | b'{')) < items.len() => Nest::List,
        _ => Nest::Plain,
    }
}

/// Returns the position of a byte outside of strings that is wanted at its depth, or the length of the text.
#[inline]
fn find(text: &[u8], is_wanted: impl Fn(u8, i32) -> bool) -> usize {
    let (mut depth, mut bytes) = (0_i32, text.iter());
    while let Some(&byte) = bytes.next() {
        if is_wanted(byte, depth) {
            return text.len() - bytes.len() - 1;
        }
        match byte {
            b'"' => {
                while bytes.next().is_some_and(|&byte| byte != b'"' && (byte != b'\\' || bytes.next().is_some())) {}
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the indentation of what is inside a value with this one.
fn deeper(indent: usize) -> usize {
    (indent + 2).min(DEEPEST)
}

/// Returns `true` if a value is neither a list nor an object.
pub fn is_plain(json: &Value) -> bool {
    !matches!(json, Value::List(_) | Value::Object(_))
}

/// Writes a value on one line, with a space after each comma and colon.
pub fn put_json(json: &Value, text: &mut Vec<u8>) {
    match json {
        Value::Null => text.extend_from_slice(b"null"),
        Value::Bool(truth) => text.extend_from_slice(if *truth { b"true" } else { b"false" }),
        Value::Integer(value) | Value::Named(None, value) => put_whole(*value, text),
        Value::Float(value) => match as_single(*value) {
            Some(value) => put_float(value, text),
            None => text.extend_from_slice(zmij::Buffer::new().format_finite(*value).as_bytes()),
        },
        Value::Fixed(parts) => put_fixed(*parts, text),
        Value::Text(it) | Value::Named(Some(it), _) => put_text(it, text),
        Value::Bytes(bytes) => put_hex(bytes, text),
        Value::List(_) | Value::Object(_) => {
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
    fn text(json: &Value, columns: usize) -> String {
        let mut lines = Lines::within(columns);
        lines.json(json);
        String::from_utf8(lines.finish()).expect("is UTF-8")
    }

    #[test]
    fn lists_and_objects_are_spread_when_a_line_is_too_short() {
        let json = parsed(r#"{"a": [1, 2, 3], "b": {"c": [[4], []], "d": "text"}, "e": []}"#);
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

    #[test]
    fn lists_print_equally_as_a_whole_and_item_by_item() {
        for (columns, count) in (0..60).flat_map(|columns| (0..12).map(move |count| (columns, count))) {
            let [mut at_once, mut in_turn, mut on_a_line] = [(); 3].map(|()| Lines::within(columns));
            let flat = |text: &mut Vec<u8>| {
                put_json(&(0..count).map(Value::Integer).collect(), text);
            };
            for lines in [&mut at_once, &mut in_turn, &mut on_a_line] {
                lines.begin(Nest::List);
                lines.plain(|text| text.extend_from_slice(b"true"));
                lines.begin(Nest::List);
            }
            at_once.plain_list(0..count, |text, item| put_whole(item, text));
            in_turn.json(&(0..count).map(Value::Integer).collect());
            on_a_line.flat(flat);
            let texts = [at_once, in_turn, on_a_line].map(|mut lines| {
                lines.end();
                lines.end();
                String::from_utf8(lines.finish()).expect("is UTF-8")
            });
            assert!(texts.iter().all(|text| *text == texts[0]), "{columns}: {texts:?}");
        }
    }

    /// Returns a value as text, with every part of it tried on one line first.
    fn laid_out(json: &Value, indent: usize, columns: usize) -> String {
        let mut flat = Vec::new();
        put_json(json, &mut flat);
        let flat = String::from_utf8(flat).expect("is UTF-8");
        let (inner, line) = (deeper(indent), |indent| format!("\n{}", " ".repeat(indent)));
        let (items, [begin, end]) = match json {
            _ if flat.len() <= columns.saturating_sub(indent) => return flat,
            Value::List(items) if items.iter().all(is_plain) => {
                let mut lines: Vec<String> = Vec::new();
                for item in items.iter().map(|item| laid_out(item, inner, columns)) {
                    match lines.last_mut() {
                        Some(last) if last.len() + 2 + item.len() <= columns.saturating_sub(inner) => {
                            *last = format!("{last}, {item}");
                        }
                        _ => lines.push(item),
                    }
                }
                (lines, ["[", "]"])
            }
            Value::List(items) => (items.iter().map(|item| laid_out(item, inner, columns)).collect(), ["[", "]"]),
            Value::Object(members) => {
                let member = |(name, value)| {
                    let mut text = Vec::new();
                    put_name(name, &mut text);
                    String::from_utf8(text).expect("is UTF-8") + &laid_out(value, inner, columns)
                };
                (members.iter().map(|(name, value)| member((name, value))).collect::<Vec<_>>(), ["{", "}"])
            }
            _ => return flat,
        };
        let items: Vec<String> = items.into_iter().map(|item| line(inner) + &item).collect();
        format!("{begin}{}{}{end}", items.join(","), line(indent))
    }

    fn parsed(json: &str) -> Value {
        crate::parse(json.as_bytes()).expect("JSON")
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
            "[[1, [22, \"]\"], {}], [[333], 4444], {\"a: {\": [1, [2], 3], \"b\": {\"c\": [[]]}}]".to_owned(),
        ] {
            let value = parsed(&json);
            for columns in (0..160).chain([usize::MAX]) {
                let text = text(&value, columns);
                assert_eq!(parsed(&text), value, "{text}");
                assert_eq!(text, laid_out(&value, 0, columns), "{columns}");
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
        let json = Value::from([
            ("a", vec![1, 2].into()),
            ("b", Value::from([("c", true.into())])),
            ("d", Value::List(vec![])),
        ]);
        let mut text = Vec::new();
        put_json(&json, &mut text);
        assert_eq!(String::from_utf8_lossy(&text), r#"{"a": [1, 2], "b": {"c": true}, "d": []}"#);
    }
}
