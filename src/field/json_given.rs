//! A value as the user gave it: an edit puts a text into the object that holds one, and a refusal names the text again.

use super::json::Json;

impl Json {
    /// Returns the text that a value is, or that an object holds in its member `text` or in its only member.
    #[must_use]
    pub(crate) fn given_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Object(members) => match members.as_slice() {
                [(_, Self::Text(text))] => Some(text),
                _ => self.get("text").and_then(Self::text),
            },
            _ => None,
        }
    }

    /// Describes a value that does not fit where text is expected: a text with its length.
    #[must_use]
    pub fn describe_text(&self) -> String {
        match self.given_text() {
            Some(text) => format!("{} ({})", Self::from(text).describe(), length(text)),
            None => self.describe(),
        }
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
        let text = || Json::from("Höhle");
        for (value, shown) in [
            (text(), "\"Höhle\" (5 characters)"),
            ("a".into(), "\"a\" (1 byte)"),
            (Json::from([("bytes", "ab".into())]), "\"ab\" (2 bytes)"),
            (Json::from([("text", text()), ("tail", "00".into())]), "\"Höhle\" (5 characters)"),
            (Json::from([("a", text()), ("b", text())]), "an object"),
            (5.into(), "5"),
        ] {
            assert_eq!(value.describe_text(), shown);
        }
    }
}
