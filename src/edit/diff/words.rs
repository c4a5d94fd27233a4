//! Changes as text for people.

use core::fmt::{self, Display};

use crate::edit::{label_of, name_in};
use field::{Address, GAME_TEXT, Value, decode_text, wide};
use json::{Compact, Describe as _};
use media::wav;
use output::printable::grouped;

use super::Change;
use super::apply::difference;
use super::runs::runs;

/// `{:#}` cuts no text, list or object.
impl Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full = f.alternate();
        let short = |value: &Value| short(value, full);
        let word = |value: &Option<Value>| value.as_ref().map_or_else(|| "by rule".to_owned(), short);
        match self {
            Self::Set { at, old: Some(Value::Text(old)), new: Some(Value::Text(new)) } => {
                write!(f, "{at}: {}", inside_text(old, new, full))
            }
            Self::Set { at, old: Some(Value::Bytes(old)), new: Some(Value::Bytes(new)) }
                if old.len().max(new.len()) > SHORT =>
            {
                write!(
                    f,
                    "{at}: {} → {} bytes{}",
                    grouped(wide(old.len())),
                    grouped(wide(new.len())),
                    differing(old, new)
                )
            }
            Self::Set { at, .. } if self.is_of_layout() => write!(f, "{at}: the layout differs"),
            Self::Set { at, old: None, new: Some(new) } if !has_rule(new) => write!(f, "{at}: added {}", short(new)),
            Self::Set { at, old: Some(old), new: None } if !has_rule(old) => write!(f, "{at}: removed {}", short(old)),
            Self::Set { at, old: Some(old), new: Some(new) } => {
                let [was, now] = [old, new].map(short);
                write!(f, "{at}: {was} → {now}")?;
                if was != now {
                    return Ok(());
                }
                // What is summarized can be the same on both sides, and the difference is in it.
                let within = difference(Address::default(), Some(old), Some(new));
                match within {
                    (place, ..) if place.keys.is_empty() => Ok(()),
                    (at, old, new) => {
                        let change = Self::Set { at, old: old.cloned(), new: new.cloned() };
                        write!(f, ", first at {change}")
                    }
                }
            }
            Self::Set { at, old, new } => write!(f, "{at}: {} → {}", word(old), word(new)),
            Self::Order { at, .. } => write!(f, "{at}: the fields are in another order"),
            Self::Insert { at, new, .. } => write!(f, "{at}: added {}", short(new)),
            Self::Delete { at, old } => write!(f, "{at}: removed {}", short(old)),
            // The numbers of duplicate names depend on how many there are.
            Self::Rename { entry, to } if name(entry) == name(to) => write!(f, "{entry}: renumbered to {to}"),
            Self::Rename { entry, to } => write!(f, "{entry}: renamed to {to}"),
            Self::Move { entry, from, to } => write!(f, "{entry}: moved from {from} to {to}"),
            Self::Add { entry, content, .. } => {
                write!(f, "{entry}: added ({}, {} bytes)", content.kind, grouped(content.bytes))
            }
            Self::Remove { entry, kind, bytes, .. } => {
                write!(f, "{entry}: removed ({kind}, {} bytes)", grouped(*bytes))
            }
            Self::Replace { entry, bytes, content, words, .. } => {
                let name = if entry.is_empty() { "/" } else { entry };
                let [old, new] = [*bytes, content.bytes].map(grouped);
                write!(f, "{name}: {old} bytes → {new} bytes ({}){words}", content.kind)
            }
        }
    }
}

/// Returns the name of an entry in its container, without the number of a duplicate name.
fn name(entry: &str) -> &str {
    name_in(label_of(entry))
}

/// Returns `true` if a rule can compute a value: no part of a document, text or list.
fn has_rule(value: &Value) -> bool {
    match value {
        Value::Object(_) => value.get("kept").is_some(),
        Value::Text(_) | Value::List(_) => false,
        _ => true,
    }
}

/// Returns a value as text, or a summary if it is long and not wanted in full.
fn short(value: &Value, full: bool) -> String {
    if let Some(row) = row_as_text(value) {
        return row;
    }
    let whole = || Compact(value).to_string();
    match value {
        Value::Object(_) if value.get("kept").is_some() => {
            let [kept, computed] = [value.get("kept"), value.computed()]
                .map(|it| it.map(|it| if full { short(it, full) } else { it.describe() }).unwrap_or_default());
            format!("{kept} (kept; the rule gives {computed})")
        }
        Value::Text(text) if full || !is_long(text) => whole(),
        Value::Text(text) => {
            let begin: String = text.chars().take(MOST).collect();
            format!("{}{}", Compact(&Value::from(&*begin)), if begin.len() < text.len() { "…" } else { "" })
        }
        Value::List(_) | Value::Object(_) if full => whole(),
        Value::List(items) if items.len() <= 4 && whole().len() <= LONG => whole(),
        Value::Object(_) if whole().len() <= LONG => whole(),
        other => other.describe(),
    }
}

/// Returns the text of a row of a table: its label, then its cells.
fn row_as_text(row: &Value) -> Option<String> {
    let (Some(label), Some(Value::Object(cells))) = (row.get("label")?.text(), row.get("cells")) else { return None };
    let cell = |value: &Value| value.text().map_or_else(|| Compact(value).to_string(), str::to_owned);
    let cells = cells.iter().map(|(_, value)| cell(value));
    let more = row.get("more").and_then(Value::items).unwrap_or_default().iter().map(cell);
    Some(core::iter::once(label.to_owned()).chain(cells).chain(more).collect::<Vec<_>>().join("  "))
}

/// Describes the difference of bytes that have no fields: the lines if both are text, else the number of differing bytes. With
/// `is_text`, both are texts of the game, whatever their encoding.
pub(super) fn inside(old: &[u8], new: &[u8], is_text: bool) -> String {
    if let (Some(old), Some(new)) = (wav::length(old), wav::length(new)) {
        let [old, new] = [old, new].map(|(seconds, rate)| format!("{seconds:.2} s at {rate} Hz"));
        return if old == new { format!(", {old}") } else { format!(", {old} → {new}") };
    }
    if let Some(lines) = lines_of(old, new) {
        return format!("\n{lines}");
    }
    if is_text {
        // As the game reads them: a text that has become UTF-8 is not shown as if nothing had changed.
        let [old, new] = [old, new].map(|text| decode_text(GAME_TEXT, text));
        return format!("\n{}", lines(&old, &new));
    }
    differing(old, new)
}

/// Returns the lines in which two files of text differ, each after `+` or `-`, or `None` if one of them is no UTF-8 text.
#[must_use]
pub fn lines_of(old: &[u8], new: &[u8]) -> Option<String> {
    let text = |bytes| core::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    Some(lines(text(old)?, text(new)?))
}

/// The most bytes that are quoted, as those of a color or a hash.
const SHORT: usize = 20;

/// Describes in how many bytes two blocks of one size differ.
fn differing(old: &[u8], new: &[u8]) -> String {
    let mut differing = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new).map(|(index, _)| index);
    match differing.next() {
        Some(first) if old.len() == new.len() => match differing.count() + 1 {
            1 => format!(", 1 byte differs, at 0x{first:x}"),
            count => format!(", {count} bytes differ, first at 0x{first:x}"),
        },
        _ => String::new(),
    }
}

/// The most bytes of a value that is quoted as a whole.
const LONG: usize = 60;

/// Returns `true` if a text is too long to be quoted as a whole.
fn is_long(text: &str) -> bool {
    text.len() > LONG
}

/// Describes the difference of two texts: both if they are short, otherwise the lines that differ, or the part of the one line that does
/// if it is not wanted in full.
fn inside_text(old: &str, new: &str, full: bool) -> String {
    let whole = |text: &str| Compact(&Value::from(text)).to_string();
    if !is_long(old) && !is_long(new) {
        return format!("{} → {}", whole(old), whole(new));
    }
    // The texts of the Mac end lines with a carriage return.
    let [old_lines, new_lines] = [old, new].map(|text| text.replace("\r\n", "\n").replace('\r', "\n"));
    if old_lines != new_lines && old_lines.trim_end().contains('\n') && new_lines.trim_end().contains('\n') {
        return format!("text\n{}", lines(&old_lines, &new_lines));
    }
    if full {
        return format!("{} → {}", whole(old), whole(new));
    }
    let begin = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let most = old.chars().count().min(new.chars().count()) - begin;
    let end = old.chars().rev().zip(new.chars().rev()).take(most).take_while(|(old, new)| old == new).count();
    let [old, new] = [old, new].map(|text| {
        let letters: Vec<char> = text.chars().collect();
        let (first, last) = (begin.saturating_sub(AROUND), letters.len().saturating_sub(end) + AROUND);
        let last = last.min(first + MOST);
        let shown: String = letters.get(first..last.min(letters.len())).unwrap_or_default().iter().collect();
        let dots = |is_cut| if is_cut { "…" } else { "" };
        format!("{}{}{}", dots(first > 0), Compact(&Value::from(shown.as_str())), dots(last < letters.len()))
    });
    format!("{old} → {new}")
}

/// The number of characters shown on each side of a difference.
const AROUND: usize = 20;
/// The maximum number of characters shown of a text with a difference.
const MOST: usize = 80;

/// Returns the lines that differ.
fn lines(old: &str, new: &str) -> String {
    // The texts of the Mac end lines with a carriage return.
    let [old, new] = [old, new].map(|text| {
        let end = if text.contains('\n') { '\n' } else { '\r' };
        text.split_inclusive(end).collect::<Vec<_>>()
    });
    let line = |sign, line: &&str| {
        let missing = if line.ends_with(['\n', '\r']) { "" } else { "\n  \\ No newline at end of file" };
        format!("  {sign}{}{missing}", line.trim_end_matches(['\n', '\r']))
    };
    let differing = runs(&old, &new).into_iter().filter(|run| !run.is_same).flat_map(|run| {
        let [removed, added] = [(old.get(run.old), '-'), (new.get(run.new), '+')]
            .map(|(lines, sign)| lines.into_iter().flatten().map(move |text| line(sign, text)));
        removed.chain(added)
    });
    differing.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::LAYOUT;

    fn set(old: Value, new: Value) -> Change {
        Change::Set { at: Address::default(), old: Some(old), new: Some(new) }
    }

    #[test]
    fn text_is_quoted_as_a_whole_up_to_its_limit() {
        let text = |length: usize| Value::from(&*"a".repeat(length));
        assert_eq!(short(&text(LONG), false).len(), LONG + 2);
        assert_eq!(
            short(&text(LONG + 1), false),
            format!("\"{}\"", "a".repeat(LONG + 1)),
            "less than is quoted of a long one"
        );
        assert_eq!(short(&text(MOST + 1), false), format!("\"{}\"…", "a".repeat(MOST)));
        assert_eq!(short(&text(MOST + 1), true).len(), MOST + 3);
    }

    #[test]
    fn bytes_are_counted_beyond_their_limit() {
        let bytes = |length: usize, last: u8| {
            let mut bytes = vec![7; length];
            bytes[length - 1] = last;
            Value::of_bytes(bytes)
        };
        let of = |length| set(bytes(length, 7), bytes(length, 8)).to_string();
        assert!(of(SHORT).starts_with("/: 20 bytes: 07 07 "), "{}", of(SHORT));
        assert!(of(SHORT + 1).contains(": 21 → 21 bytes"), "{}", of(SHORT + 1));
    }

    fn json(text: &str) -> Value {
        json::parse(text.as_bytes()).expect("JSON")
    }

    fn change(at: &str, old: Option<&str>, new: Option<&str>) -> String {
        Change::Set { at: at.into(), old: old.map(json), new: new.map(json) }.to_string()
    }

    #[test]
    fn value_is_said_as_it_was_and_as_it_is() {
        let list = |third: u32| format!("[1, 2, {third}, 4, 5]");
        let long = |third: &str| format!(r#"["{third}{}", 2]"#, "x".repeat(LONG));
        let first = &format!(r#"/a: a list of 2 → a list of 2, first at /0: "p{0}"… → "q{0}"…"#, "x".repeat(AROUND));
        let object = |name: &str| format!(r#"{{"{name}": "{}"}}"#, "x".repeat(LONG));
        for (at, old, new, expected) in [
            ("/a", Some("1"), Some("2"), "/a: 1 → 2"),
            ("/a", None, Some("2"), "/a: by rule → 2"),
            ("/a", Some("1"), None, "/a: 1 → by rule"),
            ("/a", None, Some(r#""new""#), r#"/a: added "new""#),
            ("/a", Some("[1]"), None, "/a: removed [1]"),
            ("/a", None, Some(r#"{"b": 1}"#), r#"/a: added {"b":1}"#),
            ("/a", None, Some(r#"{"kept": 7, "computed": 8}"#), "/a: by rule → 7 (kept; the rule gives 8)"),
            ("/a", Some("[1, 2, 3, 4]"), Some("[1, 2, 3, 4, 5]"), "/a: [1,2,3,4] → a list of 5"),
            ("/a", Some(&list(3)), Some(&list(9)), "/a: a list of 5 → a list of 5, first at /2: 3 → 9"),
            ("/a", Some(&long("p")), Some(&long("q")), first),
            ("/a", Some(&object("b")), Some(&object("c")), "/a: an object → an object, first at /b: removed \"xxx\""),
        ] {
            let expected = expected.replace("\"xxx\"", &format!("\"{}\"", "x".repeat(LONG)));
            assert_eq!(change(at, old, new), expected);
        }
        assert_eq!(change(&format!("/{LAYOUT}"), Some("[1]"), Some("[2]")), format!("/{LAYOUT}: the layout differs"));
        // Of two different values that look the same and hold nothing, no more is said.
        assert_eq!(set(1.into(), Value::Named(None, 1)).to_string(), "/: 1 → 1");
        let full = Change::Set { at: "/a".into(), old: Some(json(&list(3))), new: Some(json(&list(9))) };
        assert_eq!(format!("{full:#}"), "/a: [1,2,3,4,5] → [1,2,9,4,5]");
        let kept = Change::Set { at: "/a".into(), old: None, new: Some(json(r#"{"kept": [1, 2], "computed": [3]}"#)) };
        assert_eq!(kept.to_string(), "/a: by rule → a list of 2 (kept; the rule gives a list of 1)");
        assert_eq!(format!("{kept:#}"), "/a: by rule → [1,2] (kept; the rule gives [3])");
    }

    #[test]
    fn new_name_that_differs_only_in_its_number_is_none() {
        let rename = |entry: &str, to: &str| Change::Rename { entry: entry.to_owned(), to: to.to_owned() }.to_string();
        assert_eq!(rename("a.mod!boar.utc#2", "boar.utc#3"), "a.mod!boar.utc#2: renumbered to boar.utc#3");
        assert_eq!(rename("a.mod!boar.utc", "bear.utc"), "a.mod!boar.utc: renamed to bear.utc");
    }

    #[test]
    fn row_is_compared_by_its_cells() {
        let row =
            |cost: &str| format!(r#"{{"label": "0", "cells": {{"Name": "Sword", "Cost": "{cost}"}}, "more": ["x"]}}"#);
        assert_eq!(change("/rows/0", Some(&row("1")), Some(&row("2"))), "/rows/0: 0  Sword  1  x → 0  Sword  2  x");
    }

    #[test]
    fn bytes_are_compared_only_if_there_are_as_many() {
        assert_eq!(differing(&[1, 2, 3, 4], &[1, 9, 3, 9]), ", 2 bytes differ, first at 0x1");
        assert_eq!(differing(&[1, 2, 3, 4], &[1, 2, 9, 4]), ", 1 byte differs, at 0x2");
        assert_eq!(differing(&[1, 2, 3], &[1, 9, 3, 4]), "");
        assert_eq!(differing(&[1, 2], &[1, 2]), "");
    }

    #[test]
    fn sounds_are_compared_by_their_length() {
        let sound = |seconds: usize| {
            let wav =
                wav::Wav { channels: 1, rate: 8000, bits: 8, samples: vec![1; 8000 * seconds], ..wav::Wav::default() };
            wav.write().expect("it is not too long")
        };
        assert_eq!(inside(&sound(1), &sound(2), false), ", 1.00 s at 8000 Hz → 2.00 s at 8000 Hz");
        assert_eq!(inside(&sound(1), &sound(1), false), ", 1.00 s at 8000 Hz");
    }

    #[test]
    fn long_texts_are_compared_by_line_or_around_their_difference() {
        let x = |length: usize| "x".repeat(length);
        let shown = |old: &str, new: &str| inside_text(old, new, false);
        // A text of the greatest length is quoted.
        assert_eq!(shown(&x(LONG), "y"), format!("\"{}\" → \"y\"", x(LONG)));
        assert_eq!(shown("y", &x(LONG)), format!("\"y\" → \"{}\"", x(LONG)));
        assert_eq!(
            shown(&format!("{}a{}", x(50), x(50)), &format!("{}bc{}", x(50), x(50))),
            format!("…\"{0}a{0}\"… → …\"{0}bc{0}\"…", x(AROUND))
        );
        let [one, other] = ["a", "b"].map(|end| x(LONG - 1) + end);
        assert_eq!(shown(&one, &other), format!("\"{one}\" → \"{other}\""));
        assert_eq!(shown(&x(100), "y"), format!("\"{}\"… → \"y\"", x(MOST)));
        assert_eq!(shown("y", &x(100)), format!("\"y\" → \"{}\"…", x(MOST)));
        // What is in common is not counted twice.
        assert_eq!(shown(&x(70), &x(72)), format!("…\"{0}\" → …\"{0}xx\"", x(AROUND)));
        let lines = format!("{}\ntwo\nthree\n", x(LONG));
        assert_eq!(shown(&lines, &lines.replace("two", "2")), "text\n  -two\n  +2");
        assert_eq!(inside_text(&lines, &lines.replace("two", "2"), true), "text\n  -two\n  +2");
        // Line ends alone, or a single line.
        assert_eq!(shown(&lines, &lines.replace('\n', "\r\n")).lines().count(), 1);
        assert_eq!(shown(&lines, &x(LONG + 1)).lines().count(), 1);
        assert_eq!(shown(&x(LONG + 1), &lines).lines().count(), 1);
        assert_eq!(inside_text(&x(61), &x(62), true), format!("\"{}\" → \"{}\"", x(61), x(62)));
    }
}
