//! The effect of an edit on a value of the exchange format.

use std::collections::HashSet;

use super::advice::missing;
use crate::aurora::gff::is_wide;
use field::{Value, whole_f32};
use json::{Compact, Describe as _};

/// The flag of an entry of a talk table that has a text.
const HAS_TEXT: u32 = 1;
/// The member of a row of a table that holds its cells.
const CELLS: &str = "cells";
/// The members of a table that hold its rows and the names of its columns.
const ROWS: &str = "rows";
const COLUMNS: &str = "columns";
/// A cell of a table without a value. Source: `nwn-2da.md`, section 2.
const NO_VALUE: &str = "****";

/// Sets the value at these keys. An existing value keeps its type unless `retyped` is true: a whole number becomes a float, and a
/// string the text of an object that also holds a tail. `-` as the last key of a list is the place after its last item; an absent
/// list is empty, and a new row of a table gets the cells that it lacks.
///
/// # Errors
/// Returns an error if there is no such place, or if the existing value has a different type.
pub fn set(whole: &mut Value, keys: &[String], value: Value, retyped: bool) -> Result<(), String> {
    let Some((last, way)) = keys.split_last() else {
        *whole = if retyped { value } else { fitted(whole, value)? };
        return Ok(());
    };
    // A list is absent while it is empty.
    if let (Some((list, way)), "-") = (way.split_last(), last.as_str())
        && let Ok(Value::Object(members)) = follow(whole, way)
        && members.iter().all(|(name, _)| name != list)
    {
        members.push((list.clone().into(), Value::List(vec![value])));
        return Ok(());
    }
    let value = if last == "-" { filled(whole, way, value) } else { value };
    put(follow(whole, way)?, way, last, value, retyped)
}

/// Prepares a new member of an object whose members are numbered, beside their count: the entries of a talk table. The count is raised if the
/// member is the one after the last, and a text becomes an entry that has this text and nothing else (`nwn-tlk.md`).
pub(super) fn new_entry(whole: &mut Value, keys: &[String], value: Value) -> Value {
    let [way @ .., list, number] = keys else { return value };
    let Ok(table) = follow(whole, way) else { return value };
    let (Some(count), Ok(number)) = (table.get("count").and_then(Value::whole), number.parse::<u64>()) else {
        return value;
    };
    let Some(Value::Object(members)) = table.get(list) else { return value };
    let numbers: Option<Vec<u64>> = members.iter().map(|(name, _)| name.parse().ok()).collect();
    if numbers.is_none_or(|numbers| numbers.contains(&number)) {
        return value;
    }
    if number == count
        && let Some(raised) = table.step_mut("count")
    {
        *raised = (count + 1).into();
    }
    match value {
        Value::Text(text) => Value::from([("flags", HAS_TEXT.into()), ("text", Value::Text(text))]),
        value => value,
    }
}

/// Sets a member or an item of a value, which these keys lead to; see [`set`].
///
/// # Errors
/// Returns an error if there is no such member or item, or if the existing value has a different type.
pub(super) fn put(inside: &mut Value, way: &[String], last: &str, value: Value, retyped: bool) -> Result<(), String> {
    let is_wide = last == "value" && is_wide(inside);
    match (inside.step_mut(last), value) {
        (Some(old), value) if is_wide && (is_number(old) || is_number(&value)) => *old = value,
        (Some(old), value) => *old = if retyped { value } else { fitted(old, value)? },
        (None, value) => match inside {
            // A field whose value is as expected is absent until it is set.
            Value::Object(members) => members.push((last.into(), value)),
            Value::List(items) if last == "-" => {
                let value = labeled((None, items.last()), beside(items.last(), value));
                items.push(value);
            }
            other => return Err(missing(other, way, last)),
        },
    }
    Ok(())
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Integer(_) | Value::Float(_))
}

/// Inserts an item into a list, before the one that these keys lead to. A new row of a table gets the cells that it lacks.
///
/// # Errors
/// Returns an error if there is no such list, or if it is shorter.
pub fn insert(whole: &mut Value, keys: &[String], value: Value) -> Result<(), String> {
    let Some((last, way)) = keys.split_last() else { return Err("not an item of a list".to_owned()) };
    let value = filled(whole, way, value);
    let inside = follow(whole, way)?;
    let at = |length: usize| if last == "-" { Some(length) } else { last.parse().ok() };
    if let Value::List(items) = &mut *inside
        && let Some(index) = at(items.len()).filter(|index| *index <= items.len())
    {
        let value = labeled((items.get(index), items.last()), beside(items.get(index), value));
        items.insert(index, value);
        return Ok(());
    }
    Err(missing(inside, way, last))
}

/// Deletes the item or the member that these keys lead to.
///
/// # Errors
/// Returns an error if there is no such value.
pub fn delete(whole: &mut Value, keys: &[String]) -> Result<Value, String> {
    let Some((last, way)) = keys.split_last() else { return Err("neither an item nor a member".to_owned()) };
    let inside = follow(whole, way)?;
    let taken = match &mut *inside {
        Value::List(items) => {
            let index = last.parse().ok().filter(|index| *index < items.len());
            index.map(|index: usize| items.remove(index))
        }
        object => object.take_member(last),
    };
    taken.ok_or_else(|| missing(inside, way, last))
}

/// Returns the value at these keys.
///
/// # Errors
/// Returns an error if there is no such place.
pub(super) fn follow<'j>(whole: &'j mut Value, keys: &[String]) -> Result<&'j mut Value, String> {
    let mut json = whole;
    for (depth, key) in keys.iter().enumerate() {
        if json.step(key).is_none() {
            return Err(missing(json, keys.get(..depth).unwrap_or_default(), key));
        }
        json = json.step_mut(key).ok_or_else(|| format!("no {key} here"))?;
    }
    Ok(json)
}

/// Returns a new item of a list as the type of another item: a string becomes an object if the other holds nothing but a text.
pub(super) fn beside(other: Option<&Value>, value: Value) -> Value {
    match (other, value) {
        (Some(Value::Object(members)), Value::Text(text)) => match members.as_slice() {
            [(name, Value::Text(_))] => Value::Object(vec![(name.clone(), Value::Text(text))]),
            _ => Value::Text(text),
        },
        (_, value) => value,
    }
}

/// Returns a new row of a table with a label, if it has none, given the row at its index and the last one: the number after that of the last
/// row, or that of the row at its index. The labels of rows are their numbers, and games only count the rows.
pub(super) fn labeled(rows: (Option<&Value>, Option<&Value>), row: Value) -> Value {
    let label_of = |row: &Value| row.get("label")?.text()?.parse::<u64>().ok();
    let label = match rows {
        (Some(here), _) => label_of(here),
        (None, Some(last)) => label_of(last).and_then(|label| label.checked_add(1)),
        (None, None) => Some(0),
    };
    match (row, label) {
        (Value::Object(mut members), Some(label)) if matches!(members.as_slice(), [(name, Value::Object(_))] if name == CELLS) =>
        {
            members.insert(0, ("label".into(), Value::from(label.to_string())));
            Value::Object(members)
        }
        (row, _) => row,
    }
}

/// Returns a new row of a table, given the way to the rows, with all cells in the order of the columns: those that it lacks have no value.
/// A row can only lack its last cells, and tools count on all of them. Other values stay.
pub(super) fn filled(whole: &Value, way: &[String], mut row: Value) -> Value {
    let Some((ROWS, table)) = way.split_last().map(|(list, table)| (list.as_str(), table)) else { return row };
    let table = table.iter().try_fold(whole, |json, key| json.step(key));
    let columns = table.and_then(|table| table.get(COLUMNS)?.items()?.iter().map(Value::text).collect());
    let Some(columns): Option<Vec<&str>> = columns else { return row };
    // Cells are not known by a name that two columns have.
    if columns.iter().collect::<HashSet<_>>().len() < columns.len() {
        return row;
    }
    if let Some(Value::Object(cells)) = row.step_mut(CELLS) {
        let mut named = core::mem::take(cells);
        for column in columns {
            let at = named.iter().position(|(name, _)| name == column);
            cells.push(at.map_or_else(|| (column.into(), NO_VALUE.into()), |at| named.remove(at)));
        }
        // The table itself says that there are no such columns.
        cells.append(&mut named);
    }
    row
}

/// Returns a new value as the type of the existing one, or an error if it has a different type.
pub(super) fn fitted(old: &Value, new: Value) -> Result<Value, String> {
    match (old, converted(old, new)) {
        (old, new) if same_type(old, &new) => Ok(new),
        (Value::Float(_), Value::Integer(value)) => Err(format!(
            "expected a float like {}, found {value}, which a float cannot hold exactly; use --retype to change the type",
            Compact(old)
        )),
        (old, new) => {
            let (old, new) = (old.describe(), new.describe());
            Err(format!("expected a value like {old}, found {new}; use --retype to change the type"))
        }
    }
}

/// Converts a new value to the type of the existing one where nothing is lost: a whole number to a float, and a string to the text of
/// an object that also holds a tail, or nothing but a text. Values in lists and objects are converted one by one.
fn converted(old: &Value, new: Value) -> Value {
    match (old, new) {
        (Value::Float(_), Value::Integer(whole)) => whole_f32(whole).map_or(Value::Integer(whole), Value::from),
        (Value::Fixed(_), new) => new.into_fixed(),
        (Value::List(old), Value::List(new)) if old.len() == new.len() => {
            old.iter().zip(new).map(|(old, new)| converted(old, new)).collect()
        }
        // A wrong length is not that of the new text.
        (Value::Object(_), text @ Value::Text(_)) if is_overlong(old) => text,
        (Value::Object(_), Value::Text(text)) if matches!(old.get("text"), Some(Value::Text(_))) => {
            let mut changed = old.clone();
            changed.put("text", Value::Text(text));
            changed
        }
        // Bytes stand in for a text that the field could not be shown as.
        (old, text @ Value::Text(_)) if stands_in(old) => text,
        (Value::Object(members), text @ Value::Text(_)) if matches!(members.as_slice(), [(_, Value::Text(_))]) => {
            beside(Some(old), text)
        }
        (Value::Object(_), Value::Object(members)) => {
            let convert = |(name, value): (smol_str::SmolStr, Value)| match old.get(name.as_str()) {
                Some(old) => (name, converted(old, value)),
                None => (name, value),
            };
            Value::Object(members.into_iter().map(convert).collect())
        }
        // The only item of a list, such as a value of a reader.
        (Value::List(items), new) if items.len() == 1 && is_single(&new) => {
            items.iter().map(|inner| converted(inner, new.clone())).collect()
        }
        (Value::Object(members), new) => match (old.get("kept"), old.get("value"), members.as_slice()) {
            (Some(kept), ..) => converted(kept, new),
            // A value with its type, or the only value of an object.
            (None, Some(inner), _) => within(old, "value", converted(inner, new)),
            (None, None, [(name, inner)]) if is_single(inner) => within(old, name, converted(inner, new)),
            _ => new,
        },
        (_, new) => new,
    }
}

/// Returns an object with another value of this member.
fn within(old: &Value, name: &str, value: Value) -> Value {
    let mut changed = old.clone();
    if let Some(inner) = changed.step_mut(name) {
        *inner = value;
    }
    changed
}

/// Returns `true` if a value is neither a list nor an object.
fn is_single(value: &Value) -> bool {
    !matches!(value, Value::List(_) | Value::Object(_))
}

/// Returns `true` for a string with a length beyond its field.
fn is_overlong(json: &Value) -> bool {
    matches!(json, Value::Object(members) if members.len() == 2)
        && matches!((json.get("text"), json.get("length")), (Some(Value::Text(_)), Some(Value::Integer(_))))
}

/// Returns `true` if a value is bytes in place of a text.
fn stands_in(old: &Value) -> bool {
    ["bytes", "bytes64"].iter().any(|name| old.only(name).is_some())
}

fn same_type(old: &Value, new: &Value) -> bool {
    match (old, new) {
        // Values that JSON cannot represent are strings, a name and a number replace each other, and a preserved value can be set.
        (Value::Float(_), Value::Text(text)) | (Value::Text(text), Value::Float(_)) => text.starts_with("f32:"),
        (Value::Bytes(_), Value::Text(_)) | (Value::Named(..), Value::Text(_) | Value::Integer(_)) => true,
        // A string with a wrong length.
        (Value::Object(_), Value::Text(_)) if is_overlong(old) => true,
        (Value::Object(_), Value::Text(_)) if stands_in(old) => true,
        (Value::Object(_), _) => old.get("kept").is_some() || matches!(new, Value::Object(_)),
        _ => core::mem::discriminant(old) == core::mem::discriminant(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::parse;

    /// Returns an object after its value at `/value` is set to another, or the reason why that is refused.
    fn after(old: &str, new: &str) -> String {
        let [old, new] = [old, new].map(|text| parse(text.as_bytes()).expect("JSON"));
        let mut whole = Value::Object(vec![("value".into(), old)]);
        match set(&mut whole, &["value".to_owned()], new, false) {
            Ok(()) => Compact(whole.get("value").expect("it is there")).to_string(),
            Err(why) => why,
        }
    }

    #[test]
    fn value_is_converted_to_the_type_of_the_one_before() {
        assert_eq!(after("0.5", "2"), "2.0");
        assert_eq!(after("[0.5, 1.5]", "[2, 3]"), "[2.0,3.0]");
        assert_eq!(after("[0.5]", "2"), "[2.0]", "the only item of a list");
        assert_eq!(after(r#"{"type": "float", "value": 0.5}"#, "2"), r#"{"type":"float","value":2.0}"#);
        assert_eq!(after(r#"{"0": 0.5}"#, "2"), r#"{"0":2.0}"#, "the only value of an object");
        assert_eq!(after(r#"{"text": "a", "tail": "00"}"#, r#""b""#), r#"{"text":"b","tail":"00"}"#);
    }

    #[test]
    fn value_that_replaces_another_form_of_itself_is_taken() {
        assert_eq!(after(r#"{"text": "a", "length": 300}"#, r#""b""#), r#""b""#, "a wrong length");
        assert_eq!(after(r#"{"bytes64": "gQ=="}"#, r#""b""#), r#""b""#, "bytes in place of a text");
        assert_eq!(after(r#"{"kept": 0.5, "computed": 1.5}"#, "2"), "2.0");
        assert_eq!(after(r#""f32:7fa00001""#, "1.5"), "1.5");
        assert_eq!(after("1.5", r#""f32:7fa00001""#), r#""f32:7fa00001""#);
    }

    #[test]
    fn value_of_64_bits_is_a_number_or_its_text() {
        let after = |of: &str, old: &str, new: &str| {
            let mut field = parse(format!(r#"{{"type": "{of}", "value": {old}}}"#).as_bytes()).expect("JSON");
            let new = parse(new.as_bytes()).expect("JSON");
            set(&mut field, &["value".to_owned()], new, false)
                .map(|()| Compact(field.get("value").expect("it is there")).to_string())
        };
        assert_eq!(after("double", r#""0.3333333333333333""#, "0.5"), Ok("0.5".to_owned()));
        assert_eq!(after("dword64", r#""18446744073709551615""#, "7"), Ok("7".to_owned()));
        assert_eq!(after("dword64", "7", r#""18446744073709551615""#), Ok(r#""18446744073709551615""#.to_owned()));
        assert!(after("double", r#""0.3333333333333333""#, "[1]").is_err());
        assert!(after("int", "7", r#""8""#).is_err(), "32 bits are never text");
    }

    #[test]
    fn value_of_another_type_is_refused() {
        let why = "expected a value like 1, found \"b\"; use --retype to change the type";
        assert_eq!(after("1", r#""b""#), why);
        assert_eq!(after("1", "[2]"), "expected a value like 1, found a list of 1; use --retype to change the type");
        assert!(after("[0.5, 1.5]", "2").starts_with("expected a value like "), "{}", after("[0.5, 1.5]", "2"));
        assert!(after("1.5", r#""word""#).starts_with("expected a value like "));
        assert!(after(r#"{"text": "a", "length": 300}"#, "5").starts_with("expected a value like "));
    }

    #[test]
    fn first_item_of_an_absent_list_makes_the_list() {
        let keys = |keys: &str| keys.split('/').map(str::to_owned).collect::<Vec<_>>();
        let mut whole = parse(br#"{"head": {"name": "a"}}"#).expect("JSON");
        set(&mut whole, &keys("head/items/-"), Value::from("b"), false).expect("it is added");
        set(&mut whole, &keys("head/items/-"), Value::from("c"), false).expect("it is added");
        assert_eq!(Compact(&whole).to_string(), r#"{"head":{"name":"a","items":["b","c"]}}"#);
        assert!(set(&mut whole, &keys("head/items/x"), Value::from("d"), false).is_err(), "it is no place");
        assert!(set(&mut whole, &keys("head/name/-"), Value::from("d"), false).is_err(), "it is no list");
    }

    fn json(text: &str) -> Value {
        parse(text.as_bytes()).expect("JSON")
    }

    fn keys(place: &str) -> Vec<String> {
        place.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn new_member_of_a_numbered_table_raises_its_count() {
        let after = |place: &str, value: &str| {
            let mut whole =
                json(r#"{"in": {"count": 3, "entries": {"0": {"text": "a"}, "2": {"text": "c"}}, "by": {"name": 1}}}"#);
            let value = new_entry(&mut whole, &keys(place), json(value));
            let count = whole.get("in").and_then(|it| it.get("count")).and_then(Value::whole).expect("it is there");
            (count, Compact(&value).to_string())
        };
        let entry = |text: &str| format!(r#"{{"flags":1,"text":"{text}"}}"#);
        assert_eq!(after("in/entries/3", r#""d""#), (4, entry("d")), "the one after the last");
        assert_eq!(after("in/entries/1", r#""b""#), (3, entry("b")), "one that is not stored");
        assert_eq!(after("in/entries/9", r#""z""#), (3, entry("z")), "one that the table does not have says so itself");
        assert_eq!(after("in/entries/3", r#"{"flags": 7}"#), (4, r#"{"flags":7}"#.to_owned()));
        for place in ["in/entries/0", "in/entries/x", "in/by/3", "in/none/3", "out/entries/3", "3"] {
            assert_eq!(after(place, r#""d""#), (3, r#""d""#.to_owned()), "{place}");
        }
    }

    #[test]
    fn deleted_is_what_is_there() {
        let mut whole = json(r#"{"items": [1, 2]}"#);
        assert!(delete(&mut whole, &keys("items/2")).is_err());
        assert_eq!(delete(&mut whole, &keys("items/1")), Ok(2.into()));
        assert_eq!(delete(&mut whole, &keys("items")), Ok(json("[1]")));
        assert!(delete(&mut whole, &keys("items")).is_err());
    }

    #[test]
    fn new_row_has_all_cells_of_the_table() {
        let after = |columns: &str| {
            let mut whole = json(&format!(
                r#"{{"columns": {columns}, "rows": [{{"label": "0", "cells": {{"a": "1", "b": "2"}}}}]}}"#
            ));
            set(&mut whole, &keys("rows/-"), json(r#"{"cells": {"b": "3"}}"#), false).expect("it is added");
            Compact(whole.get("rows").and_then(|rows| rows.step("1")).expect("it is there")).to_string()
        };
        assert_eq!(after(r#"["a", "b"]"#), r#"{"label":"1","cells":{"a":"****","b":"3"}}"#);
        // Cells are not known by a name that two columns have.
        assert_eq!(after(r#"["a", "b", "b"]"#), r#"{"label":"1","cells":{"b":"3"}}"#);
        // Other lists have no cells.
        let mut whole = json(r#"{"columns": ["a"], "lines": [{"cells": {"a": "1"}}]}"#);
        set(&mut whole, &keys("lines/-"), json(r#"{"cells": {}}"#), false).expect("it is added");
        assert_eq!(Compact(&whole).to_string(), r#"{"columns":["a"],"lines":[{"cells":{"a":"1"}},{"cells":{}}]}"#);
    }

    #[test]
    fn only_a_single_value_stands_for_the_one_in_it() {
        assert_eq!(after(r#"{"0": "a"}"#, r#""b""#), r#"{"0":"b"}"#);
        assert!(after(r#"{"0": "a", "1": "b"}"#, r#""c""#).starts_with("expected a value like "));
        assert!(after(r#"{"0": [0.5]}"#, "2").starts_with("expected a value like "));
        assert_eq!(after(r#"{"kept": "a"}"#, r#""b""#), r#"{"kept":"b"}"#);
        assert!(after(r#"{"name": "a", "id": 3}"#, r#""b""#).starts_with("expected a value like "));
    }
}
