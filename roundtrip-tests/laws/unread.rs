//! A member that no format reads is refused, wherever it occurs in the exchange format.

use std::collections::BTreeMap;

use bitexact::exchange::{self, About, Form, MANIFEST, contents, print};
use bitexact::field::Value;
use bitexact::json::Compact;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;

use crate::edits::decoded;
use crate::harness::Case;

/// The name of a member that no format reads.
const NAME: &str = "unread";
/// The members of `bitexact.json` that are only for people.
const FOR_PEOPLE: [&str; 2] = ["games", "deviations"];

/// An object in the text of a document: its file, and the keys to the object.
type Site = (String, Vec<String>);

/// Puts an unknown member into objects of an unpacked folder, one at a time: into one object of each type, up to
/// `most`.
pub(crate) fn unread(case: &Case, most: usize) -> Result<(), String> {
    let about = About { kind: case.kind, games: &[], sha256: Sha::of(&case.bytes), deviations: &[] };
    let contents = contents(&decoded(case, &case.bytes)?, about).map_err(|error| error.to_string())?.files;
    let documents: BTreeMap<String, Value> = contents
        .iter()
        .filter(|(file, _)| file.ends_with(".json"))
        .map(|(file, text)| Ok((file.clone(), exchange::parse(text).map_err(|error| format!("{file}: {error}"))?)))
        .collect::<Result<_, String>>()?;
    let mut sites = BTreeMap::new();
    for (file, json) in &documents {
        objects(json, (file, &mut Vec::new()), &mut sites);
    }
    let step = sites.len().div_ceil(most).max(1);
    let values = [Value::from(9999), "text".into(), Value::Object(Vec::new()), Value::List(Vec::new())];
    for ((file, keys), value) in sites.into_values().step_by(step).zip(values.into_iter().cycle()) {
        let mut json = documents.get(&file).cloned().unwrap_or_default();
        let Some(Value::Object(members)) = keys.iter().try_fold(&mut json, |json, key| json.step_mut(key)) else {
            continue;
        };
        members.push((NAME.into(), value.clone()));
        let mut contents = contents.clone();
        contents.insert(file.clone(), Bytes::from(print(&json)));
        let place = format!("{file}: /{}", keys.join("/"));
        let outcome = Form::parse(contents).and_then(|form| match form.pack(KINDS) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        });
        match outcome {
            Err(why) if why.contains(NAME) || keys.is_empty() || keys.iter().any(|key| why.contains(key.as_str())) => {}
            Err(why) => return Err(format!("{place}: refused without naming the member or its place: {why}")),
            Ok(()) => {
                return Err(format!("{place}: an unknown member with {} was dropped without a word", Compact(&value)));
            }
        }
    }
    Ok(())
}

/// Records the first object of each type, by its path with indices starred.
fn objects(json: &Value, at: (&str, &mut Vec<String>), sites: &mut BTreeMap<String, Site>) {
    let (file, keys) = at;
    let mut visit = |key: String, value: &Value| {
        keys.push(key);
        objects(value, (file, &mut *keys), sites);
        keys.pop();
    };
    match json {
        Value::List(items) => items.iter().enumerate().for_each(|(index, item)| visit(index.to_string(), item)),
        Value::Object(members) => {
            for (name, value) in members {
                if !(file == MANIFEST && FOR_PEOPLE.contains(&name.as_str())) {
                    visit(name.to_string(), value);
                }
            }
            let starred = |key: &String| if key.parse::<u64>().is_ok() { "*".to_owned() } else { key.clone() };
            let names: Vec<_> = members.iter().map(|(name, _)| name.as_str()).collect();
            let sort = keys.iter().map(starred).collect::<Vec<_>>().join("/");
            let folder = file.chars().filter(|it| !it.is_ascii_digit()).collect::<String>();
            let sort = format!("{folder}:/{sort} {}", names.join(" "));
            sites.entry(sort).or_insert_with(|| (file.to_owned(), keys.clone()));
        }
        _ => {}
    }
}
