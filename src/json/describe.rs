//! Values in messages. An edit puts a text into the object that holds one, and a refusal names the text again.

use field::{Value, limits, quote};

use super::compact::Compact;

/// Describes values for messages.
pub trait Describe {
    /// Describes the type of the value, or the value if it is plain.
    fn describe(&self) -> String;

    /// Describes a value that does not fit where text is expected: a text with its length.
    fn describe_text(&self) -> String;
}

impl Describe for Value {
    fn describe(&self) -> String {
        match self {
            Self::Null => "nothing".to_owned(),
            Self::Bytes(bytes) => quote(bytes),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Object(_) => "an object".to_owned(),
            plain => {
                let text = Compact(plain).to_string();
                match text.char_indices().nth(limits::QUOTE) {
                    Some((end, _)) => {
                        let quote = if text.starts_with('"') { "\"" } else { "" };
                        format!("{}…{quote}", text.get(..end).unwrap_or_default())
                    }
                    None => text,
                }
            }
        }
    }

    fn describe_text(&self) -> String {
        match given_text(self) {
            Some(text) => format!("{} ({})", Self::from(text).describe(), length(text)),
            None => self.describe(),
        }
    }
}

/// Returns the text that a value is, or that an object holds in its member `text` or in its only member.
fn given_text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Object(members) => match members.as_slice() {
            [(_, Value::Text(text))] => Some(text),
            _ => value.get("text").and_then(Value::text),
        },
        _ => None,
    }
}

/// Returns the length of a text in words. How many bytes other characters take depends on the code page.
fn length(text: &str) -> String {
    let unit = if text.is_ascii() { "byte" } else { "character" };
    match text.chars().count() {
        1 => format!("1 {unit}"),
        count => format!("{count} {unit}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_described_with_their_length_wherever_they_are() {
        let text = || Value::from("Höhle");
        for (value, shown) in [
            (text(), "\"Höhle\" (5 characters)"),
            ("a".into(), "\"a\" (1 byte)"),
            (Value::from([("bytes", "ab".into())]), "\"ab\" (2 bytes)"),
            (Value::from([("text", text()), ("tail", "00".into())]), "\"Höhle\" (5 characters)"),
            (Value::from([("a", text()), ("b", text())]), "an object"),
            (5.into(), "5"),
        ] {
            assert_eq!(value.describe_text(), shown);
        }
    }
}
