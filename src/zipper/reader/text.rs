//! Binary reader data in the language of text readers. Source: `zipper-reader.md`, section 4.
//!
//! The root list is the list of the text. A string is in quotes if it could be read as a number, or as several words.

use crate::text_reader::{Spelling, oddity, print, tree};
use field::{LoadError, Place};
use json::unmarked;
use kind::{TextForm, foreign};

use super::Reader;

/// Reader data as text.
pub static TEXT: TextForm = TextForm::new("zrd", is_text, write, read);

/// Returns `true` if some bytes begin with a list or a comment. No binary reader data does.
fn is_text(bytes: &[u8]) -> bool {
    // BinHex begins with a remark in parentheses.
    let Ok(text) = unmarked(bytes) else { return false };
    matches!(text.trim_ascii_start().first(), Some(b'(' | b';')) && foreign::recognize("", bytes).is_none()
}

fn write(file: &[u8]) -> Result<Vec<u8>, String> {
    let reader = field::decode::<Reader>(file.to_vec()).map_err(|error| error.to_string())?.model;
    if !reader.trailing.is_empty() {
        return Err(format!("a text cannot hold the {} bytes after the value", reader.trailing.len()));
    }
    print(&reader.json(), Spelling::Binary).map_err(describe)
}

fn read(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = unmarked(text)?;
    if let Some(why) = oddity(text) {
        return Err(why);
    }
    let json = tree(text).ok_or("expected one list, with parentheses and quotes in pairs")?;
    let reader = Reader::from_json(json).map_err(describe)?;
    field::encode(&reader).map_err(|error| error.to_string())
}

/// Describes a value that does not fit, with its place.
fn describe(misfit: LoadError) -> String {
    let LoadError { steps, expected, found, .. } = misfit;
    format!("{}: expected {expected}, found {found}", Place::default().with(steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::encode;
    use json::parse;

    fn file(json: &str) -> Vec<u8> {
        let json = parse(json.as_bytes()).expect("JSON");
        encode(&Reader::from_json(json).expect("reader data")).expect("a file")
    }

    #[test]
    fn types_come_back_exactly() {
        for (json, text) in [
            (r#"[]"#, "()\n"),
            (r#"[1, -2, 1.0, -0.0, 0.1, 1e-10]"#, "(1 -2 1.0 -0.0 0.1 0.0000000001)\n"),
            (
                r#"["A", "", "1", "1.0", "-.5", "0x1e", "a b", "(", ";"]"#,
                "(A \"\" \"1\" \"1.0\" \"-.5\" \"0x1e\" \"a b\" \"(\" \";\")\n",
            ),
            (r#"["LASER", ["RANGE", [5.0]]]"#, "(\n\tLASER\n\t(\n\t\tRANGE\n\t\t(5.0)\n\t)\n)\n"),
        ] {
            let file = file(json);
            assert_eq!(TEXT.write(&file).map(|it| String::from_utf8(it).expect("ASCII")).as_deref(), Ok(text));
            assert_eq!(read(text.as_bytes()), Ok(file));
        }
        assert!(is_text(b"\xEF\xBB\xBF(a)") && !is_text(b"\xFF\xFE(\0"));
        assert_eq!(read(b"\xEF\xBB\xBF(\r\n1)"), Ok(file("[1]")), "a byte order mark");
        assert_eq!(read(b"( +1 ( .5 ) \"a\"b )\r\n"), Ok(file(r#"[1, [0.5], "ab"]"#)));
    }

    #[test]
    fn what_the_other_form_cannot_hold_is_refused() {
        for (json, why) in [
            (r#"["a\"b"]"#, "/0: expected ASCII without quotes and control characters"),
            (r#"[[], ["\u0000"]]"#, "/1/0: expected ASCII without quotes and control characters"),
            (r#"["f32:7fa00001"]"#, "/0: expected a list, a string or a finite number"),
            (r#""a""#, "expected a list, found \"a\""),
        ] {
            let error = TEXT.write(&file(json)).expect_err(json);
            assert!(error.contains(why), "{json}: {error}");
        }
        for (text, why) in [
            ("(a ; note\n)", "comment"),
            ("(key(0x2d))", "0x2d"),
            ("(9999999999)", "9999999999"),
            ("(a", "expected one list"),
            ("(a) (b)", "expected one list"),
            ("(\u{e9})", "ASCII"),
        ] {
            let error = read(text.as_bytes()).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
