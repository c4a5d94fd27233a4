//! Spreads the text of a value over lines if it is too long for one.
//!
//! The content does not change, and the text is spread as [`text::put`](super::super::text::put) spreads the same value. So each
//! number is printed once, and no list is printed twice to measure it.

use super::super::text::{deeper, end, line};

/// A list or object in the text.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The position of its end.
    end: usize,
    /// `true` if it contains lists or objects.
    nests: bool,
    /// The index of the first span after it, in order of their beginnings.
    after: usize,
}

/// Writes a value whose text is on one line.
pub(super) fn put(text: &mut Vec<u8>, flat: &[u8], (indent, columns): (usize, usize)) {
    let mut flow = Flow { flat, spans: spans(flat), next: 0, columns };
    flow.value(text, 0, indent);
}

/// Returns the lists and objects of a text, in order of their beginnings.
fn spans(flat: &[u8]) -> Vec<Span> {
    let (mut spans, mut open, mut at) = (Vec::new(), Vec::<usize>::new(), 0_usize);
    while let Some(byte) = flat.get(at) {
        match byte {
            b'"' => at = after_string(flat, at),
            b'[' | b'{' => {
                if let Some(outer) = open.last().and_then(|outer| spans.get_mut(*outer)) {
                    let outer: &mut Span = outer;
                    outer.nests = true;
                }
                open.push(spans.len());
                spans.push(Span { end: flat.len(), nests: false, after: 0 });
                at += 1;
            }
            b']' | b'}' => {
                at += 1;
                let after = spans.len();
                if let Some(span) = open.pop().and_then(|index| spans.get_mut(index)) {
                    (span.end, span.after) = (at, after);
                }
            }
            _ => at += 1,
        }
    }
    spans
}

/// Returns the end of the string that begins at an offset.
fn after_string(flat: &[u8], begin: usize) -> usize {
    let mut at = begin + 1;
    loop {
        match flat.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') => return at + 1,
            Some(_) => at += 1,
            None => return flat.len(),
        }
    }
}

struct Flow<'a> {
    flat: &'a [u8],
    spans: Vec<Span>,
    /// The index of the list or object that begins next.
    next: usize,
    /// The maximum number of columns of a line.
    columns: usize,
}

impl Flow<'_> {
    fn piece(&self, from: usize, to: usize) -> &[u8] {
        self.flat.get(from..to).unwrap_or_default()
    }

    /// Writes the value at an offset, and returns its end.
    fn value(&mut self, text: &mut Vec<u8>, at: usize, indent: usize) -> usize {
        let bracket = match self.flat.get(at) {
            Some(bracket @ (b'[' | b'{')) => *bracket,
            _ => {
                let end = self.plain(at);
                text.extend_from_slice(self.piece(at, end));
                return end;
            }
        };
        let Some(span) = self.spans.get(self.next).copied() else { return self.flat.len() };
        if span.end.saturating_sub(at) <= self.columns.saturating_sub(indent) {
            self.next = span.after;
            text.extend_from_slice(self.piece(at, span.end));
            return span.end;
        }
        self.next += 1;
        text.push(bracket);
        let inner = deeper(indent);
        let (mut from, last, mut index, mut begin) = (at + 1, span.end - 1, 0_usize, 0);
        while from < last {
            if bracket == b'[' && !span.nests {
                let to = self.plain(from);
                // A comma, a space and the value.
                let columns = text.len() - begin + 2 + to - from;
                if index == 0 || columns > self.columns.saturating_sub(inner) {
                    line(text, index, inner);
                    begin = text.len();
                } else {
                    text.extend_from_slice(b", ");
                }
                text.extend_from_slice(self.piece(from, to));
                from = to;
            } else {
                line(text, index, inner);
                if bracket == b'{' {
                    // The name, a colon and a space.
                    let to = after_string(self.flat, from) + 2;
                    text.extend_from_slice(self.piece(from, to));
                    from = to;
                }
                from = self.value(text, from, inner);
            }
            index += 1;
            from += 2;
        }
        end(text, indent, if bracket == b'[' { b']' } else { b'}' });
        span.end
    }

    /// Returns the end of the value at an offset that is neither a list nor an object.
    fn plain(&self, at: usize) -> usize {
        match self.flat.get(at) {
            Some(b'"') => after_string(self.flat, at),
            _ => {
                let rest = self.flat.get(at..).unwrap_or_default();
                let length = rest.iter().position(|byte| matches!(byte, b',' | b']' | b'}'));
                at + length.unwrap_or(rest.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{parse, text};
    use crate::field::put_json;

    #[test]
    fn text_is_spread_like_its_value() {
        let long = "x".repeat(120);
        let numbers = (0..60).map(|nth| (nth * 7_919).to_string()).collect::<Vec<_>>().join(", ");
        for json in [
            "1".to_owned(),
            "\"[\\\\\\\"]\"".to_owned(),
            "[]".to_owned(),
            format!("[{numbers}]"),
            format!("[[{numbers}], [1, 2], [], {{}}, \"a, b]\", {{\"a, \\\"b\": [{numbers}], \"c\": true}}]"),
            format!("[\"{long}\", 1, \"{long}\"]"),
            format!("{{\"text\": \"{long}\", \"tail\": \"00\"}}"),
            format!("{}[1, 2]{}", "[".repeat(60), "]".repeat(60)),
            format!("{}[]{}", "[".repeat(120), "]".repeat(120)),
            format!("{}{{}}, {{\"a\": 1}}{}", "[".repeat(120), "]".repeat(120)),
        ] {
            let value = parse(json.as_bytes()).expect("is JSON");
            let (mut flat, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
            put_json(&value, &mut flat);
            put(&mut ours, &flat, (0, 100));
            text::put(&mut theirs, &value, (0, 100));
            assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&theirs), "{json}");
        }
    }
}
