//! Scripts as text files: a line per command, as [`WORDS`](field::WORDS) writes it.

use field::{Value, are_whole_words};
use json::utf8;
use media::{Around, Files, Imported, Location, Medium, MediumError, first};

/// The text of a script.
pub static MEDIUM: Medium = Medium {
    kind: super::SCRIPT,
    looks_around: false,
    is_whole: true,
    parts: |_| vec![Location::default()],
    files: &[("script", ".txt")],
    determined: &["lines"],
    export,
    import,
};

/// Returns the text of the lines, or `None` if it could not hold them: a line has another number of words than it states, or no NUL at
/// its end.
fn export(around: &Around<'_>) -> Option<(Value, Files)> {
    let lines = around.part.list("lines");
    let mut text = String::new();
    for line in lines {
        let line = line.only("words")?.text()?;
        check(line).ok()?;
        text.push_str(line);
        text.push('\n');
    }
    Some((around.part.without(&["lines"]), vec![Some(text.into_bytes().into())]))
}

/// Checks that a line of a file is words that all end with a NUL.
fn check(line: &str) -> Result<(), String> {
    match are_whole_words(line)? {
        true => Ok(()),
        false => Err("a text file cannot hold words without a NUL after the last one".to_owned()),
    }
}

fn import(files: &Files, around: &Around<'_>) -> Result<Imported, MediumError> {
    let text = utf8(first(files)?)?;
    let line = |(number, line): (usize, &str)| {
        check(line).map_err(|why| format!("line {number}: {why}"))?;
        Ok(Value::from([("words", line.into())]))
    };
    let lines: Vec<Value> = (1..).zip(text.lines()).map(line).collect::<Result<_, String>>()?;
    let mut part = around.part.without(&["lines"]);
    part.put("lines", Value::List(lines));
    Ok(part.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;

    fn around(part: &Value) -> Around<'_> {
        Around { part, way: &[], document: part, row: &Value::Null, container: &Value::Null }
    }

    fn read(text: &str) -> Result<Value, String> {
        let files = vec![Some(text.as_bytes().to_vec().into())];
        import(&files, &around(&Value::Object(Vec::new()))).map(|it| it.part).map_err(|error| error.to_string())
    }

    #[test]
    fn script_has_a_line_per_command() {
        let script = read("\u{FEFF}set A \"two words\"\r\nQuit\r\n").expect("it is read");
        assert_eq!(Compact(&script).to_string(), r#"{"lines":[{"words":"set A \"two words\""},{"words":"Quit"}]}"#);
        let (rest, files) = export(&around(&script)).expect("it is written");
        assert_eq!(files, [Some("set A \"two words\"\nQuit\n".into())]);
        assert_eq!(rest, Value::Object(Vec::new()));
        assert_eq!(read("Quit").map(|it| Compact(&it).to_string()), read("Quit\n").map(|it| Compact(&it).to_string()));
    }

    #[test]
    fn missing_file_is_no_empty_script() {
        for files in [vec![], vec![None]] {
            assert!(import(&files, &around(&Value::Object(Vec::new()))).is_err());
        }
    }

    #[test]
    fn script_with_an_unusual_line_has_no_text() {
        for line in [r#"{"words": "\"Quit\"\\"}"#, r#"{"words": "Quit", "tokens": 2}"#] {
            let script = json::parse(format!(r#"{{"lines": [{line}]}}"#).as_bytes()).expect("JSON");
            assert_eq!(export(&around(&script)), None);
        }
    }

    #[test]
    fn invalid_script_is_refused_with_its_line() {
        for (text, why) in [
            ("Quit\n\nQuit\n", "line 2: expected a word, found none; an empty word is \"\""),
            ("Quit\n# end\n", "line 2: the file cannot hold the comment \"#\"; remove it, or write the word in quotes"),
            ("\"Quit\"\\\n", "line 1: a text file cannot hold words without a NUL after the last one"),
            ("Quit\0\n", "line 1: expected words between spaces, found '\\0'; write a word that contains it in quotes"),
        ] {
            assert_eq!(read(text), Err(why.to_owned()));
        }
    }
}
