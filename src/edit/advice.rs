//! Advice on places that do not exist: the part that exists, and similar names.

#[cfg(feature = "exchange")]
use exchange::show;
use field::Value;
#[cfg(feature = "exchange")]
use field::{Address, Error, walk};
use json::Describe as _;
use output::printable::first;

/// Returns the reason why a model has nothing at a place: the longest part of the place that exists, and what is there.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
#[cfg(feature = "exchange")]
pub fn why_nothing<M: walk::Lay + ?Sized>(model: &M, place: &Address) -> Result<String, Error> {
    for depth in (0..place.keys.len()).rev() {
        let (known, left) = place.keys.split_at(depth);
        let outer = Address { entry: place.entry.clone(), keys: known.to_vec() };
        if let (Some(value), [key, ..]) = (show(model, &outer.to_string(), usize::MAX)?, left) {
            return Ok(missing(&value, known, key));
        }
    }
    let entries: Vec<String> = passes::spans(model)?.into_keys().collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    Ok(no_entry(&place.entry, &entries))
}

/// Returns the reason for a place in an entry that does not exist.
pub(super) fn no_entry(entry: &str, entries: &[&str]) -> String {
    match near(entry, entries) {
        Some(name) => format!("no entry of this name; did you mean {name}?"),
        None => "no entry of this name".to_owned(),
    }
}

/// Returns the reason why nothing can be found by a name.
pub(super) fn no_name(name: &str, names: &[&str]) -> String {
    match near(name, names) {
        Some(name) => format!("nothing has this name; did you mean {name}?"),
        None => "nothing has this name".to_owned(),
    }
}

/// Returns the reason why a value, which these keys lead to, does not contain another key: the part of the place that exists, and the
/// keys that exist there.
pub(super) fn missing(json: &Value, way: &[String], key: &str) -> String {
    let place: String = way.iter().map(|key| format!("/{key}")).collect();
    let place = if place.is_empty() { "at the top level".to_owned() } else { format!("in {place}") };
    match json {
        Value::List(items) => match items.len().checked_sub(1) {
            Some(last) => format!("no {key} {place}, which has the items 0 to {last}"),
            None => format!("no {key} {place}, which is an empty list"),
        },
        Value::Object(members) => {
            let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
            let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
            if !names.is_empty() && names.iter().all(|name| is_number(name)) {
                return match is_number(key) {
                    true => format!("no {key} {place}, where blank ones are left out; set {key} itself to fill it"),
                    false => format!("no {key} {place}, whose members are numbered; set a number itself to fill it"),
                };
            }
            match near(key, &names) {
                Some(name) => format!("no {key} {place}; did you mean {name}?"),
                None => format!("no {key} {place}, which has {}", listed(&names)),
            }
        }
        other => format!("no {key} {place}, which is {}", other.describe()),
    }
}

/// The maximum number of names that a message lists.
const NAMES: usize = 12;

pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    if names.is_empty() { "no members".to_owned() } else { first(names, NAMES) }
}

/// Returns the name most similar to a misspelled one, if any is similar enough.
pub(super) fn near<'n>(key: &str, names: &[&'n str]) -> Option<&'n str> {
    let alike = names.iter().copied().find(|name| name.eq_ignore_ascii_case(key));
    #[cfg(feature = "exchange")]
    let alike = alike.or_else(|| similar::get_close_matches(key, names, 1, 0.6).into_iter().next());
    alike
}
