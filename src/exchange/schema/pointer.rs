//! The member of a document that names its schema.

use bytes::Bytes;

/// The member of a document that names its schema. `pack` does not read it.
pub const POINTER: &str = "$schema";

/// Returns the text of an object with a first member that names its schema.
pub(super) fn pointed(text: &[u8], path: &str) -> Bytes {
    let inner = text.get(1..).unwrap_or_default();
    let member = format!("\"{POINTER}\": \"{path}\"");
    let (before, after) = match inner.first() {
        Some(b'}') => ("", ""),
        Some(b'\n') => ("\n  ", ","),
        _ => ("", ", "),
    };
    [b"{", before.as_bytes(), member.as_bytes(), after.as_bytes(), inner].concat().into()
}

/// Returns the beginning of a text whose value is printed after it, so that [`join`] need not move a long one.
pub(crate) fn head(path: &str) -> Vec<u8> {
    format!("{{\n  \"{POINTER}\": \"{path}\"").into_bytes()
}

/// Makes a text after a [`head`] and that head one value, whose first member names its schema if it is an object.
pub(crate) fn join(mut text: Vec<u8>, path: &str) -> Bytes {
    let at = head(path).len();
    match text.get_mut(at..) {
        // The comma takes the place of the bracket.
        Some([bracket @ b'{', b'\n', ..]) => {
            *bracket = b',';
            text.into()
        }
        Some(object @ [b'{', ..]) => pointed(object, path),
        _ => Bytes::from(text).slice(at..),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_member_is_the_schema() {
        for (text, expected) in [
            ("{}\n", "{\"$schema\": \"a\"}\n"),
            ("{\"b\": 1}\n", "{\"$schema\": \"a\", \"b\": 1}\n"),
            ("{\n  \"b\": 1\n}\n", "{\n  \"$schema\": \"a\",\n  \"b\": 1\n}\n"),
        ] {
            assert_eq!(pointed(text.as_bytes(), "a"), expected);
            assert_eq!(join([&head("a"), text.as_bytes()].concat(), "a"), expected);
        }
        assert_eq!(join([&head("a"), &b"[\n  1\n]\n"[..]].concat(), "a"), "[\n  1\n]\n");
    }
}
