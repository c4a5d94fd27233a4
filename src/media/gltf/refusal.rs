//! Why the text of a glTF file is refused, and where.

use serde_json::error::Category;

use output::refusal::in_words;

/// Returns why a text is no glTF file, given the error of the parser: the place of a wrong value, or what was expected of the text; and the
/// position, which is an offset in a `.glb` file, whose text begins at `begin`, and otherwise a line and a column in bytes.
pub(super) fn why_not(text: &[u8], begin: Option<usize>, error: &serde_json::Error) -> String {
    let of_line = match error.line().checked_sub(2) {
        Some(before) => memchr::memchr_iter(b'\n', text).nth(before).map_or(text.len(), |end| end + 1),
        None => 0,
    };
    // The position of the parser is after what it has read.
    let at = (of_line + error.column()).clamp(1, text.len() + 1) - 1;
    let why = error.to_string();
    let why = why.split_once(" at line ").map_or(&*why, |(why, _)| why);
    let position = |at: usize| match begin {
        Some(begin) => format!("at offset {}", begin + at),
        None => {
            let ends = memchr::memchr_iter(b'\n', text).take_while(|end| *end < at);
            let (line, begin) = ends.fold((1, 0), |(line, _), end| (line + 1, end + 1));
            format!("in line {line}, column {}", at - begin + 1)
        }
    };
    if error.classify() == Category::Data {
        // The parser has read the value, or the first byte of a list or an object.
        let place = place(text.get(..=at).unwrap_or(text));
        let place = if place.is_empty() { "not a glTF file".to_owned() } else { place };
        return format!("{place}: {}, {}; export again", in_words(why), position(at));
    }
    let is_cut = error.is_eof();
    let at = if is_cut { text.len() } else { at };
    let found = match text.get(at) {
        None => "the end of the text".to_owned(),
        Some(byte @ b' '..=b'~') => char::from(*byte).to_string(),
        Some(byte) => format!("the byte 0x{byte:02x}"),
    };
    let expected = match why {
        _ if is_cut => "the rest of the JSON text",
        "expected value" => "a value",
        "expected ident" => "true, false or null",
        "expected `:`" => "a colon",
        "expected `,` or `}`" => "a comma or }",
        "expected `,` or `]`" => "a comma or ]",
        "key must be a string" => "the name of a member in quotation marks",
        "trailing comma" => "another item after the comma",
        "trailing characters" => "the end of the text",
        "invalid number" => "a number",
        "number out of range" => "a number that a float can hold",
        "invalid escape" | "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "a character after the backslash that JSON knows"
        }
        "invalid unicode code point" => "UTF-8",
        "recursion limit exceeded" => "lists and objects at most 127 levels deep",
        _ => "JSON",
    };
    format!("not a glTF file: expected {expected}, found {found} {}; export as .glb or .gltf again", position(at))
}

/// A list or an object that is open at the end of a text.
enum Open {
    /// The index of the item, if one has begun.
    List(Option<usize>),
    /// The name of the member, once its value has begun.
    Object { name: String, is_value: bool },
}

/// Returns the place of the value at the end of a text that is valid JSON so far.
fn place(text: &[u8]) -> String {
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some((byte, rest)) = text.get(at..).and_then(<[u8]>::split_first) {
        at += 1;
        if let (Some(Open::List(item @ None)), false) =
            (open.last_mut(), matches!(byte, b']' | b' ' | b'\t' | b'\n' | b'\r'))
        {
            *item = Some(0);
        }
        match byte {
            b'[' => open.push(Open::List(None)),
            b'{' => open.push(Open::Object { name: String::new(), is_value: false }),
            b']' | b'}' => drop(open.pop()),
            b',' => match open.last_mut() {
                Some(Open::List(Some(item))) => *item += 1,
                Some(Open::Object { is_value, .. }) => *is_value = false,
                _ => {}
            },
            b'"' => {
                let mut is_escaped = false;
                let end = rest.iter().position(|byte| match byte {
                    b'"' if !is_escaped => true,
                    byte => {
                        is_escaped = *byte == b'\\' && !is_escaped;
                        false
                    }
                });
                let string = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
                if let Some(Open::Object { name, is_value: false }) = open.last_mut() {
                    *name = String::from_utf8_lossy(string).into_owned();
                }
                at += string.len() + 1;
            }
            b':' => {
                if let Some(Open::Object { is_value, .. }) = open.last_mut() {
                    *is_value = true;
                }
            }
            _ => {}
        }
    }
    let key = |open: &Open| match open {
        Open::List(item) => item.map(|item| format!("/{item}")),
        Open::Object { name, is_value } => is_value.then(|| format!("/{name}")),
    };
    open.iter().map_while(key).collect()
}

#[cfg(test)]
mod tests {
    use crate::gltf::Scene;

    #[test]
    fn refusals_have_a_place_or_a_position_and_no_words_of_the_library() {
        for (text, expected) in [
            ("", "not a glTF file: expected the rest of the JSON text, found the end of the text in line 1, column 1"),
            ("{\n \"asset\"", "expected the rest of the JSON text, found the end of the text in line 2, column 9"),
            ("v 1.0 2.0", "not a glTF file: expected a value, found v in line 1, column 1"),
            ("{\n\"asset\": {},\n 5}", "expected the name of a member in quotation marks, found 5 in line 3, column 2"),
            ("{\"asset\" 5}", "expected a colon, found 5 in line 1, column 10"),
            ("{\"nodes\": [{} {}]}", "expected a comma or ], found { in line 1, column 15"),
            ("{} x", "expected the end of the text, found x in line 1, column 4"),
            ("7", "not a glTF file: expected an object, found 7, in line 1, column 1"),
            ("{\"nodes\": 5}", "/nodes: expected a list, found 5, in line 1, column 11"),
            (
                "{\"nodes\": [{\"name\": \"a, [\\\"\"},\n{\"mesh\": \"x\"}]}",
                "/nodes/1/mesh: expected a whole number, found \"x\",",
            ),
            ("{\"nodes\": [{}, {\"children\": [1, -2]}]}", "/nodes/1/children/1: expected a whole number, found -2,"),
            (
                "{\"nodes\": [{\"translation\": [1, 2]}]}",
                "/nodes/0/translation: expected a list of 3 items, found 2 items,",
            ),
            ("{\"nodes\": [{\"mesh\": [1]}]}", "/nodes/0/mesh: expected a whole number, found a list,"),
            ("{\"nodes\": [{\"mesh\": {\"a\": 1}}]}", "/nodes/0/mesh: expected a whole number, found an object,"),
            ("{\"accessors\": [{\"type\": \"VEC5\"}]}", "/accessors/0/type: expected one of `SCALAR`, "),
        ] {
            let why = Scene::read(text.as_bytes()).expect_err(text);
            assert!(why.contains(expected) && why.contains("; export "), "{why}");
            // In a `.glb` file, whose text begins at offset 20.
            let length = |count: usize| u32::try_from(count).expect("short").to_le_bytes();
            let head = [b"glTF\x02\0\0\0", &length(20 + text.len())[..], &length(text.len()), b"JSON"].concat();
            let why = Scene::read(&[&head, text.as_bytes()].concat()).expect_err(text);
            assert!(why.contains(" at offset ") && !why.contains(" line "), "{why}");
        }
        let cut = b"glTF\x02\0\0\0\x20\0\0\0\x06\0\0\0JSON{\"a\":x";
        let why = Scene::read(cut).expect_err("broken");
        assert!(why.contains("expected a value, found x at offset 25; "), "{why}");
        let text = r#"{"asset": {"version": "2.0"}, "buffers": [{"uri": "data:;base64,AA*A"}]}"#;
        let why = Scene::read(text.as_bytes()).expect_err("broken");
        assert_eq!(why, "/buffers/0/uri: expected Base64, found '*' as letter 3; export again, or as .glb");
    }
}
