//! Errors of the JSON parser in the words of JSON, not of Rust.

/// Returns what was expected and found, given an error of `serde_json` about a value, without its position.
pub fn in_words(why: &str) -> String {
    if let Some(name) = why.strip_prefix("missing field ") {
        return format!("expected the member {name}, found none");
    }
    let of_value = ["invalid type: ", "invalid value: ", "unknown variant "];
    let split = |why: &str, prefix| -> Option<(String, String)> {
        let (found, expected) = why.strip_prefix(prefix)?.split_once(", expected ")?;
        Some((expected.to_owned(), found.to_owned()))
    };
    let of_length = || {
        let (expected, count) = split(why, "invalid length ")?;
        Some((expected, if count == "1" { "1 item".to_owned() } else { format!("{count} items") }))
    };
    let Some((expected, found)) = of_value.iter().find_map(|prefix| split(why, prefix)).or_else(of_length) else {
        return why.to_owned();
    };
    let found = match &*found {
        "sequence" => "a list",
        "map" => "an object",
        other => ["integer ", "floating point ", "string ", "boolean "]
            .iter()
            .find_map(|kind| other.strip_prefix(kind))
            .unwrap_or(other)
            .trim_matches('`'),
    };
    let expected = match &*expected {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        it if it.starts_with("struct ") || it.starts_with("internally tagged enum") => "an object",
        other => match other.strip_prefix("an array of length ") {
            Some(count) => return format!("expected a list of {count} items, found {found}"),
            None => other,
        },
    };
    format!("expected {expected}, found {found}")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    enum Word {
        One,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are of interest")]
    struct Object {
        whole: u32,
        floats: Option<[f32; 3]>,
        word: Option<Word>,
        list: Option<Vec<bool>>,
    }

    #[test]
    fn errors_use_no_words_of_rust() {
        for (text, expected) in [
            (r"{}", "expected the member `whole`, found none"),
            (r#"{"whole": "é"}"#, "expected a whole number, found \"é\""),
            (r#"{"whole": -1}"#, "expected a whole number, found -1"),
            (r#"{"whole": 1.5}"#, "expected a whole number, found 1.5"),
            (r#"{"whole": null}"#, "expected a whole number, found null"),
            (r#"{"whole": 1, "floats": [1, 2]}"#, "expected a list of 3 items, found 2 items"),
            (r#"{"whole": 1, "floats": [1, 2, {}]}"#, "expected a number, found an object"),
            (r#"{"whole": 1, "word": "Two"}"#, "expected `One`, found Two"),
            (r#"{"whole": 1, "list": {}}"#, "expected a list, found an object"),
            (r#"{"whole": 1, "list": [5]}"#, "expected a boolean, found 5"),
            ("7", "expected an object, found 7"),
        ] {
            let why = serde_json::from_str::<Object>(text).expect_err(text).to_string();
            let (why, _) = why.split_once(" at line ").expect(text);
            assert_eq!(super::in_words(why), expected);
        }
    }
}
