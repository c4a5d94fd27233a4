//! Applies the changes of one file to another, each only where the old value matches.

use std::collections::HashMap;

use smol_str::SmolStr;

use crate::edit::{Edit, Edited, Refusal};
use field::{Address, Value, wide};
use json::{Describe as _, Document};
use kind::foreign;
use output::printable::counted;
use output::refusal::in_words;

use super::{Change, Changes, Content, Held};

/// Reads the changes from the output of `diff --json`.
///
/// # Errors
/// Returns an error with the line and the reason if the text does not describe changes.
pub fn read(text: &[u8]) -> Result<Changes, String> {
    if foreign::recognize("", text) == Some(foreign::MOD) {
        return Err(
            "expected changes by `bitexact diff --json`, found a mod; `bitexact mod apply` applies it".to_owned()
        );
    }
    let it: Changes = nested(text)?;
    match it.schema {
        super::SCHEMA => Ok(it),
        schema => Err(format!(
            "expected schema {}, as this version writes it (compare the files again), found {schema}",
            super::SCHEMA
        )),
    }
}

/// Reads a value that holds changes, whose nesting depth is limited like that of any document.
pub(crate) fn nested<T: serde::de::DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    let text = exchange::unmarked(text)?;
    // Check the nesting depth first.
    let json = exchange::parse(text).map_err(|error| error.to_string())?;
    if !matches!(json, Value::Object(_)) {
        return Err(format!("expected an object, found {}", json.describe()));
    }
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    T::deserialize(&mut reader).map_err(|error: serde_json::Error| {
        let error = error.to_string();
        let (why, at) = error.find(" at line ").map_or((&*error, ""), |at| error.split_at(at));
        format!("{}{at}", in_words(why))
    })
}

/// Applies changes one after the other; `held` returns the contents that an entry of the file had before them.
///
/// # Errors
/// Returns an error for the first change whose old value does not match.
pub fn apply(changes: &[Change], edit: &mut Edit, held: impl Fn(&str) -> Option<Held>) -> Edited {
    changes.iter().try_for_each(|change| make(change, edit, &held))
}

/// Returns `true` if the value at a place is the one that a change expects; the members of objects can be in any order.
pub(in crate::edit) fn is_expected(found: Option<&Value>, expected: Option<&Value>) -> bool {
    found == expected || found.map(json::by_name) == expected.map(json::by_name)
}

fn make(change: &Change, edit: &mut Edit, held: &impl Fn(&str) -> Option<Held>) -> Edited {
    let refuse = |place: &dyn core::fmt::Display, why: String| Refusal { place: place.to_string(), why };
    let differs = |at: &Address, expected: Option<&Value>, found: Option<&Value>| {
        let (at, expected, found) = difference(at.clone(), expected, found);
        let word = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::describe);
        let (expected, found) = (word(expected), word(found));
        // Long strings are cut, and the difference can lie in the part that is cut off.
        let found = if found == expected { "another".to_owned() } else { found };
        Err(refuse(&at, format!("expected {expected}, found {found}")))
    };
    match change {
        Change::Set { at, old, new } => match (edit.get(at), new) {
            (found, _) if !is_expected(found, old.as_ref()) => differs(at, old.as_ref(), found),
            (_, Some(new)) => edit.set(at, new.clone(), true),
            (_, None) => edit.delete(at).map(drop),
        },
        Change::Order { at, old, new } => edit.reorder(at, old, new),
        Change::Insert { at, length, new } => match (length, edit.length_around_item(at)) {
            (Some(expected), Some(found)) if *expected != found => {
                let expected = counted(wide(*expected), "item");
                Err(refuse(
                    at,
                    format!(
                        "expected a list of {expected}, found {}, so that the place of the new one is unclear; `bitexact merge` \
                         finds it by the original of both files",
                        counted(wide(found), "item")
                    ),
                ))
            }
            _ => edit.insert(at, new.clone()),
        },
        Change::Delete { at, old } => match edit.get(at) {
            found if is_expected(found, Some(old)) => edit.delete(at).map(drop),
            found => differs(at, Some(old), found),
        },
        Change::Rename { entry, to } => edit.rename(entry, to),
        Change::Move { entry, from, to } => match edit.index(entry)? {
            found if found != *from => Err(refuse(entry, format!("expected at index {from}, found at {found}"))),
            _ => edit.shift(entry, *to),
        },
        Change::Add { entry, at, row, content } => {
            let files = documents(content).ok_or_else(|| refuse(entry, "bytes that are not hexadecimal".to_owned()))?;
            edit.add_at(entry, at, row.clone(), &content.kind, files)
        }
        Change::Remove { entry, sha256, kind, bytes } => {
            is_held(held(entry), sha256, Some(kind), *bytes).map_err(|why| refuse(entry, why))?;
            edit.remove(entry)
        }
        Change::Replace { entry, sha256, bytes, content, .. } => {
            is_held(held(entry), sha256, None, *bytes).map_err(|why| refuse(entry, why))?;
            let files = documents(content).ok_or_else(|| refuse(entry, "bytes that are not hexadecimal".to_owned()))?;
            edit.replace_with(entry, &content.kind, files)
        }
    }
}

/// Returns an error if the contents of an entry do not match a change. An entry that an earlier change added or renamed has none.
fn is_held(held: Option<Held>, sha256: &str, kind: Option<&str>, bytes: u64) -> Result<(), String> {
    let Some(held) = held else { return Ok(()) };
    if held.sha256.to_string() != sha256 {
        return Err(format!("expected an entry with SHA-256 {sha256}, found {}", held.sha256));
    }
    if let Some(kind) = kind.filter(|kind| *kind != held.kind) {
        return Err(format!("expected an entry of kind {kind:?}, found {:?}", held.kind));
    }
    if bytes == held.bytes { Ok(()) } else { Err(format!("expected an entry of {bytes} bytes, found {}", held.bytes)) }
}

/// Returns the first place at which two values differ, and both values there.
pub(super) fn difference<'j>(
    at: Address,
    one: Option<&'j Value>,
    other: Option<&'j Value>,
) -> (Address, Option<&'j Value>, Option<&'j Value>) {
    let found = match (one, other) {
        (Some(Value::List(one)), Some(Value::List(other))) if one.len() == other.len() => {
            let mut items = one.iter().zip(other).enumerate();
            let found = items.find(|(_, (one, other))| one != other);
            found.map(|(index, (one, other))| (index.to_string(), Some(one), Some(other)))
        }
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let is_same = one.len() == other.len() && one.iter().zip(other).all(|((one, _), (other, _))| one == other);
            if is_same {
                let found = one.iter().zip(other).find(|((_, one), (_, other))| one != other);
                found.map(|((name, one), (_, other))| (name.to_string(), Some(one), Some(other)))
            } else {
                let named = |members: &'j [(SmolStr, Value)]| -> HashMap<&'j str, &'j Value> {
                    members.iter().rev().map(|(name, value)| (name.as_str(), value)).collect()
                };
                let (of_one, of_other) = (named(one), named(other));
                let names = one.iter().chain(other).map(|(name, _)| name.as_str());
                let mut both = names.map(|name| (name, of_one.get(name).copied(), of_other.get(name).copied()));
                let found = both.find(|(_, one, other)| one != other);
                found.map(|(name, one, other)| (name.to_owned(), one, other))
            }
        }
        _ => None,
    };
    match found {
        Some((key, one, other)) => difference(at.with(key.as_str()), one, other),
        None => (at, one, other),
    }
}

fn documents(content: &Content) -> Option<Vec<(String, Document)>> {
    let document = |(file, json): &(String, Value)| {
        let document = match json.only("hex") {
            Some(hex) => Document::Raw(hex.bytes()?.into_owned().into()),
            None => Document::Json(json.clone()),
        };
        Some((file.clone(), document))
    };
    content.files.iter().map(document).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::tests::{Sample, archive};

    #[test]
    fn first_difference_is_found_in_lists_and_objects() {
        let first = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|text| json::parse(text.as_bytes()).expect("JSON"));
            let (at, one, other) = difference(Address::default(), Some(&one), Some(&other));
            let word = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::describe);
            format!("{} {} {}", at.keys.join("/"), word(one), word(other))
        };
        assert_eq!(first("[1, 2, 3]", "[1, 5, 6]"), "1 2 5");
        assert_eq!(first("[1, [2, 3]]", "[1, [2, 4]]"), "1/1 3 4");
        assert_eq!(first("[1, 2, 3]", "[1, 5]"), " a list of 3 a list of 2");
        assert_eq!(first(r#"{"a": 1, "b": 2, "c": 3}"#, r#"{"a": 1, "b": 4, "c": 5}"#), "b 2 4");
        assert_eq!(first(r#"{"a": 1, "b": 2}"#, r#"{"a": 1}"#), "b 2 nothing");
        assert_eq!(first(r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#), "b nothing 2");
        assert_eq!(first(r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "c": 2}"#), "b 2 nothing");
        // The order of members is none.
        assert_eq!(first(r#"{"a": 1, "b": 2}"#, r#"{"b": 3, "a": 1}"#), "b 2 3");
        assert_eq!(first(r#"{"a": {"b": 2, "c": 3}}"#, r#"{"a": {"c": 4, "b": 2}}"#), "a/c 3 4");
        assert_eq!(first("1", "2"), " 1 2");
    }

    #[test]
    fn entry_is_moved_from_where_it_is() {
        let Sample { kind, model, .. } = archive();
        let about = exchange::About { kind, games: &[], sha256: passes::Sha::of(&[]), deviations: &[] };
        let mut edit = Edit::of(&model, about).expect("is laid out");
        let entries: Vec<String> = edit.entries().map(|(entry, _)| entry.to_owned()).collect();
        let first = entries.iter().find(|entry| edit.index(entry) == Ok(0)).expect("it is a list").clone();
        let mut moved = |from| make(&Change::Move { entry: first.clone(), from, to: 1 }, &mut edit, &|_| None);
        assert_eq!(moved(1).map_err(|refusal| refusal.why), Err("expected at index 1, found at 0".to_owned()));
        assert_eq!(moved(0), Ok(()));
        assert_eq!(moved(1), Ok(()));
        assert_eq!(edit.index(&first), Ok(1));
    }
}
