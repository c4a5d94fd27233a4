//! Changes of `diff --json` with unknown members, and with edited values.

use bitexact::edit::changes_between;
use bitexact::edit::diff::{self, Changes};
use bitexact::exchange::{Form, parse};
use bitexact::field::{Address, Value};
use bitexact::json::Compact;
use bitexact::kind::Game;
use bitexact::registry::KINDS;

use super::alter::alter;
use super::law::starred;
use super::sample::Sample;
use super::{Broken, Held};
use crate::draw::Draw;
use crate::edits::{change, taken};
use crate::prove::edited_to;

/// Returns changes for the file: one that packs, as printed by `diff --json`.
fn drawn(sample: &Sample, draw: Draw<'_>) -> Option<(Value, Vec<u8>)> {
    let altered = alter(sample, draw)?;
    let form = Form::parse(altered.contents).ok()?;
    let name = sample.case.name.rsplit('/').next().unwrap_or_default();
    let bytes = taken(&sample.case, name, form.pack(KINDS), true).ok()?.ok()?.bytes;
    edited_to(bytes.len());
    let changes = changes_between(sample.case.kind, sample.case.bytes.clone().into(), bytes.clone().into()).ok()?;
    if changes.is_empty() {
        return None;
    }
    let it = Changes::of(sample.case.kind.name, changes);
    Some((parse(serde_json::to_string(&it).ok()?.as_bytes()).ok()?, bytes))
}

/// Edits such changes: an unknown member must be refused, and an edited value must not be ignored.
pub(super) fn changed(sample: &Sample, draw: Draw<'_>) -> Held {
    let Some((mut json, bytes)) = drawn(sample, draw) else { return Ok(false) };
    let mut sites = Vec::new();
    gather(&json, &mut Vec::new(), &mut sites);
    let Some(keys) = sites.get(draw(sites.len() as u64) as usize) else { return Ok(false) };
    let Some(value) = keys.iter().try_fold(&mut json, |json, key| json.step_mut(key)) else { return Ok(false) };
    let (keys, before) = (keys.clone(), value.clone());
    let (class, words) = match value {
        Value::Object(members) if draw(3) > 0 => {
            members.insert(draw(members.len() as u64 + 1) as usize, ("vitalitty".into(), 9999.into()));
            ("unknown member in a mod", "put vitalitty: 9999".to_owned())
        }
        Value::Object(members) => {
            let Some(again) = members.first().cloned() else { return Ok(false) };
            let words = format!("{} twice", again.0);
            members.push(again);
            ("member twice in a mod", words)
        }
        Value::List(_) => return Ok(false),
        value => match change(value, draw) {
            Some(words) => ("value of a mod", words),
            None => return Ok(false),
        },
    };
    let broken = |law: &str| {
        let at = keys.join("/");
        let cause = format!("{law}: {class}: {}", starred(&keys));
        Broken { cause, words: format!("mod {}: /{at}: {words}: {law}", Compact(&json)).chars().take(4000).collect() }
    };
    let Ok((packed, told)) = applied(sample, &json) else { return Ok(false) };
    edited_to(packed.len());
    let after = keys.iter().try_fold(&json, |json, key| json.step(key)).cloned().unwrap_or_default();
    match class {
        "value of a mod" if packed != bytes => Ok(true),
        "value of a mod" if is_alike(&json, &keys, &before, &after) => Ok(true),
        "value of a mod" if is_of_one_part(sample, &before, &after) => Ok(true),
        // A rule computes the value, and pack reports that.
        "value of a mod" if is_told(&json, &keys, &told) => Ok(true),
        "value of a mod" => Err(broken("ignored")),
        _ if packed == bytes => Err(broken("accepted, and ignored")),
        _ => Err(broken("accepted")),
    }
}

/// Returns `true` if pack reports a replaced value: by its name, or at the place of the change.
fn is_told(json: &Value, keys: &[String], told: &[String]) -> bool {
    let at = keys.iter().take(2).try_fold(json, |json, key| json.step(key)).and_then(|change| change.get("at"));
    let is_new = keys.len() == 3 && keys.last().is_some_and(|key| key == "new");
    let at = at.and_then(Value::text).filter(|_| is_new);
    let ends = |told: &String| keys.last().is_some_and(|key| told.ends_with(&format!("/{key}")));
    told.iter().any(|told| ends(told) || at == Some(told))
}

/// Returns `true` if two values of changes are equivalent.
fn is_alike(json: &Value, keys: &[String], before: &Value, after: &Value) -> bool {
    let does = keys.iter().take(2).try_fold(json, |json, key| json.step(key)).and_then(|change| change.get("do"));
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let both = before.text().zip(after.text());
    match keys.as_slice() {
        // The root has no keys, whatever its notation.
        ["changes", _, "at"] => both.is_some_and(|(before, after)| Address::from(before) == Address::from(after)),
        // The number of a duplicate name has a meaning only in the changes.
        ["changes", _, "to"] => both.is_some_and(|(before, after)| name_of(before) == name_of(after)),
        ["changes", _, "entry"] if does.is_some_and(|it| *it == "add") => {
            both.is_some_and(|(before, after)| name_of(before) == name_of(after))
        }
        // Informative: an added entry has the size that it packs to.
        ["changes", _, "content", "bytes"] => true,
        // An earlier version wrote most changes alike.
        ["schema"] => *after == 1,
        // Names only link the documents of one entry; packing uses other free names.
        ["changes", _, "content", "files", _, "0"] => true,
        _ => false,
    }
}

/// Returns `true` if two decimals of a game without floats are nearest to the same part of 65,536.
fn is_of_one_part(sample: &Sample, before: &Value, after: &Value) -> bool {
    let is_fixed = |game: &Game| matches!(game, Game::Marathon | Game::Marathon2 | Game::Infinity);
    let (Value::Float(before), Value::Float(after)) = (before, after) else { return false };
    let part = |value: f64| (value * 65_536.0).round_ties_even();
    sample.case.kind.games.iter().all(is_fixed) && part(*before) == part(*after)
}

/// Returns an entry or label without the number of a duplicate name at its end.
fn name_of(entry: &str) -> &str {
    let is_number = |end: &&str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    entry.rsplit_once('#').filter(|(_, end)| is_number(end)).map_or(entry, |(name, _)| name)
}

/// Returns the result of `patch --apply`, and the places that it reports.
fn applied(sample: &Sample, json: &Value) -> Result<(Vec<u8>, Vec<String>), String> {
    let it = diff::read(Compact(json).to_string().as_bytes())?;
    if it.kind != sample.case.kind.name {
        return Err("another kind".to_owned());
    }
    let bytes = sample.case.bytes.clone().into();
    let entries = diff::entries(sample.case.kind, &bytes).map_err(|error| error.to_string())?;
    let whole = diff::Held::of(sample.case.kind.name, &bytes);
    let held = |entry: &str| if entry.is_empty() { Some(whole) } else { entries.get(entry).copied() };
    let mut edit = sample.unpacked.edit.clone();
    diff::apply(&it.changes, &mut edit, held).map_err(|refusal| refusal.to_string())?;
    let packed = edit.pack(KINDS).map_err(|error| error.to_string())?;
    let bytes = bitexact::field::encode(&packed.model).map_err(|error| error.to_string())?;
    Ok((bytes, packed.recomputed.iter().map(|told| told.place.to_string()).collect()))
}

fn gather(json: &Value, keys: &mut Vec<String>, sites: &mut Vec<Vec<String>>) {
    sites.push(keys.clone());
    let mut inner = |key: String, value: &Value| {
        keys.push(key);
        gather(value, keys, sites);
        keys.pop();
    };
    match json {
        Value::Object(members) => members.iter().for_each(|(name, value)| inner(name.to_string(), value)),
        Value::List(items) => items.iter().enumerate().for_each(|(index, item)| inner(index.to_string(), item)),
        _ => {}
    }
}
