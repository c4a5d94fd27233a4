//! Values as a person types them.
//!
//! Shells treat quotes in different ways: `cmd.exe` does not know single quotes, and PowerShell drops double ones inside an argument. So a
//! word is a text wherever there is a text, with or without quotes.

use field::Value;
use json::{Describe as _, parse};

/// Returns the value that a person means by a word in place of an old value, or beside one: the word itself where there is a text,
/// otherwise the JSON that it is. If the type may change, JSON is meant as such.
///
/// # Errors
/// Returns an error if there is no text and the word is not JSON.
pub(super) fn typed(old: Option<&Value>, word: &str, retyped: bool) -> Result<Value, String> {
    let json = parse(word.as_bytes());
    match (json, old) {
        // Quotes, and lists and objects, are meant as such.
        (Ok(json @ (Value::Text(_) | Value::List(_) | Value::Object(_))), _) => Ok(json),
        (Ok(json), _) if retyped => Ok(json),
        (json, Some(old)) if takes_text(old, json.is_ok()) && !word.starts_with('"') => Ok(Value::from(word)),
        (Ok(json), _) => Ok(json),
        // The type of a value that is absent because it is as expected is not known here.
        (Err(_), None) if is_word(word) => Ok(Value::from(word)),
        (Err(error), _) => Err(not_json(word, old, &error)),
    }
}

/// Returns the value that a person means by a word as a new item of a list: of the type of the item at its place or of the last one, or a
/// text if the word is nothing else and the list has texts among other items.
///
/// # Errors
/// Returns an error if the word is neither JSON nor a text that the list takes.
pub(super) fn typed_item(list: Option<&Value>, key: &str, word: &str, retyped: bool) -> Result<Value, String> {
    let items = list.and_then(Value::items).unwrap_or_default();
    let beside = key.parse().map_or_else(|_| items.last(), |index: usize| items.get(index));
    let is_text = is_word(word) && parse(word.as_bytes()).is_err();
    let text = items.iter().find(|item| is_text && takes_text(item, false));
    typed(text.or(beside), word, retyped)
}

/// Returns what [`typed`] does for the value at these keys, or [`typed_item`] for a new item before it or, if the last key is `-`, at the end
/// of its list.
///
/// # Errors
/// Returns an error if the word is neither JSON nor a text that is possible there.
pub(super) fn typed_at(
    whole: &Value,
    keys: &[String],
    word: &str,
    (retyped, is_new): (bool, bool),
) -> Result<Value, String> {
    let at = |keys: &[String]| keys.iter().try_fold(whole, |json, key| json.step(key));
    match keys.split_last() {
        Some((last, way)) if is_new || last == "-" => typed_item(at(way), last, word, retyped),
        _ => typed(at(keys), word, retyped),
    }
}

/// Returns `true` if a word is meant as a text in place of this value.
fn takes_text(old: &Value, is_json: bool) -> bool {
    match old {
        // A float that JSON cannot represent is a string.
        Value::Text(text) => !(text.starts_with("f32:") && is_json),
        Value::Bytes(_) => true,
        // A number is meant as one where names stand for numbers.
        Value::Named(..) => !is_json,
        Value::Object(members) => match (old.get("kept"), old.get("text"), old.get("value"), members.as_slice()) {
            (Some(inner), ..) | (_, Some(inner), ..) | (_, _, Some(inner), _) | (.., [(_, inner)]) => {
                takes_text(inner, is_json)
            }
            _ => false,
        },
        Value::List(items) => matches!(items.as_slice(), [only] if takes_text(only, is_json)),
        _ => false,
    }
}

/// Returns `true` if nothing suggests that a word should have been JSON.
fn is_word(word: &str) -> bool {
    !word.is_empty()
        && word != "null"
        && !word.starts_with(['"', '[', '{', '-'])
        && !word.starts_with(|it: char| it.is_ascii_digit())
}

/// Returns the value that a person sees in an object with its type or with an irregularity.
fn shown(value: &Value) -> &Value {
    let inner = ["kept", "text", "value"].into_iter().find_map(|name| value.get(name));
    inner.map_or(value, shown)
}

/// Returns why a word is refused, and how to write it.
fn not_json(word: &str, old: Option<&Value>, error: &serde_json::Error) -> String {
    let is_number = |part: &str| part.parse::<i64>().is_ok();
    let hint = match (word, word.split_once(',')) {
        ("", _) => return "expected a value after =, found nothing".to_owned(),
        ("null", _) => return "null is no value; --delete removes a member or an item".to_owned(),
        (_, Some((whole, fraction))) if is_number(whole) && is_number(fraction) => {
            format!("; write a decimal point: {whole}.{fraction}")
        }
        // A string that a shell has cut, or that is not closed.
        (text, _) if text.starts_with('"') => "; end it with a quotation mark, or leave out both".to_owned(),
        _ => match old {
            Some(old) if is_word(word) => {
                return format!("expected a value like {}, found {word}", shown(old).describe());
            }
            _ => String::new(),
        },
    };
    // The value is one line.
    let why = error.to_string();
    let why = why.split_once(" at line ").map_or(&*why, |(why, _)| why);
    let value = Value::from(word).describe();
    let value = value.trim_matches('"');
    format!("{value} is not valid JSON: {why}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;

    fn by(old: &str, word: &str) -> String {
        let old: Value = parse(old.as_bytes()).expect("JSON");
        typed(Some(&old), word, false).map_or_else(|why| why, |json| Compact(&json).to_string())
    }

    #[test]
    fn word_is_a_text_where_there_is_one() {
        for old in
            [r#""Cela""#, r#"{"kept": "a"}"#, r#"{"text": "a", "tail": "00"}"#, r#"{"type": "string", "value": "a"}"#]
        {
            assert_eq!(by(old, "Bob"), r#""Bob""#, "{old}");
            assert_eq!(by(old, "5"), r#""5""#, "{old}");
            assert_eq!(by(old, "true"), r#""true""#, "{old}");
            assert_eq!(by(old, r#""5""#), r#""5""#, "{old}");
            assert_eq!(by(old, "It's 5 o'clock"), r#""It's 5 o'clock""#, "{old}");
        }
        assert_eq!(by(r#"{"type": "locstring", "value": {"0": "Cela"}}"#, "Bob"), r#""Bob""#);
        assert_eq!(by(r#""f32:7fa00001""#, "1.5"), "1.5");
    }

    #[test]
    fn word_is_a_new_text_in_a_list_that_has_texts() {
        let by = |list: &str, key: &str, word: &str| {
            let list: Value = parse(list.as_bytes()).expect("JSON");
            let value = typed_item(Some(&list), key, word, false);
            value.map_or_else(|why| why, |json| Compact(&json).to_string())
        };
        for key in ["0", "1", "-"] {
            assert_eq!(by(r#"["a", 1, [2]]"#, key, "LASER"), r#""LASER""#, "{key}");
            assert_eq!(by("[2, 1, [2]]", key, "5"), "5", "{key}");
        }
        assert_eq!(by(r#"["a", 1]"#, "0", "5"), r#""5""#, "a text is there");
        assert_eq!(by(r#"["a", 1]"#, "-", "5"), "5");
        assert_eq!(by("[1, [2]]", "0", "LASER"), "expected a value like 1, found LASER");
    }

    #[test]
    fn word_is_json_elsewhere() {
        assert_eq!(by("93", "100"), "100");
        assert_eq!(by(r#"{"type": "short", "value": 93}"#, "100"), "100");
        assert_eq!(by("93", "many"), "expected a value like 93, found many");
        assert_eq!(by(r#"{"type": "short", "value": 93}"#, "many"), "expected a value like 93, found many");
        assert_eq!(by("0.5", "0,25"), "0,25 is not valid JSON: trailing characters; write a decimal point: 0.25");
        assert!(by(r#""a""#, r#""b"#).ends_with("; end it with a quotation mark, or leave out both"));
        assert_eq!(by(r#""a""#, ""), r#""""#);
        assert_eq!(typed(None, "light", false), Ok(Value::from("light")), "the type of an absent value is not known");
        assert!(typed(None, "", false).is_err());
        assert!(typed(None, "null", false).is_err_and(|why| why.contains("--delete")));
    }

    #[test]
    fn word_for_a_new_item_is_of_the_list_and_not_of_a_value_there() {
        let whole = parse(br#"{"mixed": [1, "a"], "texts": ["a"], "number": 4}"#).expect("JSON");
        let by = |place: &str, word: &str, is_new: bool| {
            let keys: Vec<String> = place.split('/').map(str::to_owned).collect();
            typed_at(&whole, &keys, word, (false, is_new)).map_or_else(|why| why, |json| Compact(&json).to_string())
        };
        assert_eq!(by("mixed/0", "LASER", true), r#""LASER""#);
        assert_eq!(by("mixed/0", "LASER", false), "expected a value like 1, found LASER");
        assert_eq!(by("texts/-", "5", false), r#""5""#);
        assert_eq!(by("texts/-", "-5", false), r#""-5""#);
        assert_eq!(by("texts/1", "-5", true), "-5", "there is no item here");
        assert_eq!(by("number", "5", false), "5");
        // What is JSON is no text because others are.
        assert_eq!(by("mixed/0", "true", true), "true");
    }

    #[test]
    fn word_is_a_text_where_bytes_or_names_are() {
        assert_eq!(typed(Some(&Value::of_bytes(vec![7; 3])), "5", false), Ok(Value::from("5")));
        let named = Value::Named(Some("fire".into()), 3);
        assert_eq!(typed(Some(&named), "ice", false), Ok(Value::from("ice")));
        assert_eq!(typed(Some(&named), "5", false), Ok(Value::from(5)));
        let only = parse(br#"["a"]"#).expect("JSON");
        assert_eq!(typed(Some(&only), "5", false), Ok(Value::from("5")));
        assert!(typed(Some(&parse(br#"["a", "b"]"#).expect("JSON")), "b", false).is_err());
        assert_eq!(typed(Some(&only), "true", true), Ok(Value::Bool(true)), "the type may change");
    }

    #[test]
    fn comma_between_other_words_is_no_decimal_point() {
        for word in ["0,b", "5,", "[,5"] {
            assert!(!by("0.5", word).contains("decimal"), "{}", by("0.5", word));
        }
    }
}
