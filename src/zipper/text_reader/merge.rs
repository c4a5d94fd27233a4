//! Changes a text so that it has another tree: words and lists that stay keep their bytes, with the spaces and comments around them.

use core::ops::Range;

use field::{Loaded, Step, Value, limits, wide};

use super::words::{Spelling, Words, put, value};
use super::{load, tree};

/// A word, or a list with its parentheses.
struct Node {
    span: Range<usize>,
    /// The items, or `None` if it is a word.
    items: Option<Vec<Node>>,
}

/// Returns a text that has this tree.
pub(super) fn merge(text: &[u8], json: &Value) -> Loaded<Vec<u8>> {
    // The tree of a text that has one is a list.
    let node = tree(text).and_then(|_| node(text)).filter(|_| matches!(json, Value::List(_)));
    let Some(node) = node else { return load(json.clone()) };
    let mut merged = Merged { old: text, text: Vec::new(), way: Vec::new() };
    merged.keep(0..node.span.start);
    merged.put(&node, json)?;
    merged.keep(node.span.end..text.len());
    Ok(merged.text)
}

/// Returns the list of a text that is a tree.
fn node(text: &[u8]) -> Option<Node> {
    let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
    for span in Words::of(text) {
        let node = match text.get(span.clone())? {
            b"(" => {
                open.push((span.start, Vec::new()));
                continue;
            }
            b")" => {
                let (start, items) = open.pop()?;
                Node { span: start..span.end, items: Some(items) }
            }
            _ => Node { span, items: None },
        };
        match open.last_mut() {
            Some((_, items)) => items.push(node),
            None => return Some(node),
        }
    }
    None
}

struct Merged<'t> {
    old: &'t [u8],
    text: Vec<u8>,
    /// The steps to the value that is written.
    way: Vec<Step>,
}

impl Merged<'_> {
    fn keep(&mut self, span: Range<usize>) {
        self.text.extend_from_slice(self.old.get(span).unwrap_or_default());
    }

    /// Returns `true` if a value of the old text is this one.
    fn is(&self, node: &Node, json: &Value) -> bool {
        match (&node.items, json) {
            (Some(items), Value::List(values)) => {
                items.len() == values.len() && items.iter().zip(values).all(|(item, value)| self.is(item, value))
            }
            (None, json) => value(self.old.get(node.span.clone()).unwrap_or_default()) == *json,
            (Some(_), _) => false,
        }
    }

    /// Writes a value in place of an old one.
    fn put(&mut self, node: &Node, json: &Value) -> Loaded {
        match (&node.items, json) {
            _ if self.is(node, json) => self.keep(node.span.clone()),
            (Some(items), Value::List(values)) if self.way.len() < limits::NESTING => {
                return self.put_items(node, items, values);
            }
            _ => {
                let begin = self.text.len();
                self.put_new(json)?;
                self.part(begin);
            }
        }
        Ok(())
    }

    /// Writes a new value, with the line ends of the old text.
    fn put_new(&mut self, json: &Value) -> Loaded {
        let mut text = Vec::new();
        put(json, Spelling::Text, self.way.len(), &mut text, &mut self.way)?;
        let has_returns = self.old.windows(2).any(|bytes| bytes == b"\r\n");
        for byte in text {
            self.text.extend(has_returns.then_some(b'\r').filter(|_| byte == b'\n'));
            self.text.push(byte);
        }
        Ok(())
    }

    /// Puts a space before what has been written from an offset onward, if it would join the word before it.
    fn part(&mut self, begin: usize) {
        let ends = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace() && !b"()".contains(byte));
        let before = begin.checked_sub(1).and_then(|before| self.text.get(before));
        if ends(before) && ends(self.text.get(begin)) {
            self.text.insert(begin, b' ');
        }
    }

    fn put_items(&mut self, node: &Node, items: &[Node], values: &[Value]) -> Loaded {
        // The items that are equal at the beginning and at the end stay; those between them are paired.
        let same = items.iter().zip(values).take_while(|(item, value)| self.is(item, value)).count();
        let most = items.len().min(values.len()) - same;
        let behind = items.iter().rev().zip(values.iter().rev()).take(most);
        let last = behind.take_while(|(item, value)| self.is(item, value)).count();
        let changed = values.len() - last;
        let (left, right) = (items.len().saturating_sub(last), |index: usize| index.saturating_sub(changed));
        let mut gap = node.span.start + 1..items.first().map_or(node.span.start, |it| it.span.start);
        self.text.push(b'(');
        for (index, value) in values.iter().enumerate() {
            let old = if index < changed {
                Some(index).filter(|index| *index < left)
            } else {
                left.checked_add(right(index))
            };
            self.way.push(Step::Index(wide(index)));
            match old.and_then(|old| Some((old, items.get(old)?))) {
                Some((old, item)) => {
                    let before = old.checked_sub(1).and_then(|before| items.get(before));
                    gap = before.map_or(node.span.start + 1, |it| it.span.end)..item.span.start;
                    self.keep(gap.clone());
                    let begin = self.text.len();
                    self.put(item, value)?;
                    self.part(begin);
                }
                None => {
                    // A new item is laid out like the one before it.
                    let space = self.old.get(gap.clone()).filter(|gap| !gap.is_empty() && !gap.contains(&b';'));
                    let space = if index == 0 { &[][..] } else { space.unwrap_or(b" ") };
                    self.text.extend_from_slice(space);
                    self.put_new(value)?;
                }
            }
            self.way.pop();
        }
        let end = node.span.end - 1;
        let inner = items.last().map_or(node.span.start + 1, |it| it.span.end);
        self.keep(inner..end);
        self.text.push(b')');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;
    use json::parse;

    const TEXT: &str =
        "; head\r\n(\r\n\tKEYS ; all\r\n\t(\r\n\t\t(UP\tkeya(0x2d))\r\n\t\t(\"two words\"\t+1 -0.5000)\r\n\t)\r\n)\r\n";

    fn merged(json: &str) -> String {
        let json = parse(json.as_bytes()).expect("JSON");
        let text = merge(TEXT.as_bytes(), &json).expect("it fits");
        assert_eq!(tree(&text), Some(json), "the text has the tree");
        String::from_utf8(text).expect("ASCII")
    }

    #[test]
    fn only_the_words_that_differ_change() {
        assert_eq!(
            tree(TEXT.as_bytes()).map(|it| Compact(&it).to_string()).as_deref(),
            Some(r#"["KEYS",[["UP","keya",["0x2d"]],["two words",1,-0.5]]]"#)
        );
        for (json, old, new) in [
            (r#"["KEYS",[["UP","keya",["0x2d"]],["two words",1,-0.5]]]"#, "", ""),
            (r#"["KEYS",[["UP","keya",["0x2e"]],["two words",1,-0.5]]]"#, "0x2d", "0x2e"),
            (r#"["KEYS",[["UP","keya",["0x2d"]],["two words",1,0.25]]]"#, "-0.5000", "0.250000"),
            (r#"["KEYS",[["UP","keya",["0x2d"]],["1",1,-0.5]]]"#, "\"two words\"", "\"1\""),
            (r#"["KEYS",[["UP","keya",["0x2d"]],["two words",1,-0.5,2]]]"#, "-0.5000", "-0.5000 2"),
            (r#"["KEYS",[["UP","keya",["0x2d"]],["two words",-0.5]]]"#, "\t+1 -0.5000", " -0.5000"),
            (r#"["KEYS",[["two words",1,-0.5]]]"#, "\r\n\t\t(UP\tkeya(0x2d))", ""),
            (r#"["KEYS",[["UP","keya",["0x2d"]],["two words",1,-0.5],["x"]]]"#, "0.5000)", "0.5000)\r\n\t\t(x)"),
            (r#"["KEYS",[["UP","keya",["0x2d"]],[]]]"#, "\"two words\"\t+1 -0.5000", ""),
            (r#"["KEYS",[["UP","keya",3],["two words",1,-0.5]]]"#, "(0x2d)", " 3"),
        ] {
            assert_eq!(merged(json), TEXT.replacen(old, new, 1), "{json}");
        }
    }

    #[test]
    fn values_that_no_word_can_hold_are_refused() {
        for (json, why) in [
            (r#"["a\"b"]"#, "ASCII without quotes and control characters"),
            (r#"["é"]"#, "ASCII without quotes and control characters"),
            ("[[{}]]", "a list, a string or a finite number"),
            ("[4294967296]", "a whole number of 32 bits"),
        ] {
            let json = parse(json.as_bytes()).expect("JSON");
            assert_eq!(merge(TEXT.as_bytes(), &json).expect_err("does not fit").expected, why);
        }
    }
}
