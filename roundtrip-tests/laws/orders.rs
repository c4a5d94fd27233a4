//! The order of the members of objects is a matter of layout.

use bitexact::edit::Edit;
use bitexact::edit::changes_between;
use bitexact::edit::diff::{Change, Held, apply, held};
use bitexact::exchange::About;
use bitexact::field::{Value, encode};
use bitexact::json::Document;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;

use super::edits::{Draw, Found, Sites, change, decoded, unpacked};
use crate::harness::Case;
use crate::harness::form::pack;

/// Reverses the members of all objects. Those about their object keep their places, and those of one name, which differ in a number
/// after `#`, their order.
fn reverse(json: &mut Value) {
    match json {
        Value::Object(members) => {
            let is_field = |name: &str| !name.starts_with("__");
            let base = |name: &str| name.split('#').next().unwrap_or_default().to_owned();
            let mut groups: Vec<Vec<(smol_str::SmolStr, Value)>> = Vec::new();
            for member in members.iter().filter(|(name, _)| is_field(name)).cloned() {
                match groups.iter_mut().find(|group| base(&group[0].0) == base(&member.0)) {
                    Some(group) => group.push(member),
                    None => groups.push(vec![member]),
                }
            }
            let fields: Vec<_> = groups.into_iter().rev().flatten().collect();
            members.iter_mut().filter(|(name, _)| is_field(name)).zip(fields).for_each(|(slot, it)| *slot = it);
            members.iter_mut().for_each(|(_, value)| reverse(value));
        }
        Value::List(items) => items.iter_mut().for_each(reverse),
        _ => {}
    }
}

/// Checks that a file whose members are in another order has the same values, and that its changes give its bytes. With an edit of one
/// value besides, the changes of values give a file that differs from it in layout only. Returns whether the order is kept at all.
pub(crate) fn orders(case: &Case, draw: Draw<'_>) -> Found<bool> {
    let unpacked = unpacked(case, &case.bytes)?;
    let mut reversed = unpacked.exchange.clone();
    for document in reversed.files.values_mut() {
        if let Document::Json(json) = document {
            reverse(json);
        }
    }
    let saved = |exchange| -> Result<Vec<u8>, String> {
        let packed = pack(exchange).map_err(|error| error.to_string())?;
        encode(&packed.model).map_err(|error| error.to_string())
    };
    let resaved = saved(reversed.clone()).map_err(|why| format!("in another order: {why}"))?;
    if resaved == case.bytes {
        return Ok(false);
    }
    let changes = changes(case, &case.bytes, &resaved)?;
    if let Some(change) = changes.iter().find(|change| !change.is_of_layout()) {
        return Err(format!("another order is a change of a value: {change}"));
    }
    if made(case, &changes)? != resaved {
        return Err("the changes of the order give another file".to_owned());
    }
    let sites = Sites::of(case, &reversed);
    for _ in 0..EDITS {
        let Some((file, keys)) = &sites.drawn(&reversed, draw) else { break };
        let mut edited = reversed.clone();
        let Some(Document::Json(json)) = edited.files.get_mut(file) else { continue };
        let Some(value) = keys.iter().try_fold(json, |json, key| json.step_mut(key)) else { continue };
        let Some(words) = change(value, draw) else { continue };
        let Ok(edited) = saved(edited) else { continue };
        let wrong = |why: String| format!("{file}: /{}: {words}: {why}", keys.join("/"));
        let Ok(mut values) = self::changes(case, &case.bytes, &edited) else { continue };
        values.retain(|change| !change.is_of_layout());
        let made = made(case, &values).map_err(wrong)?;
        let rest = self::changes(case, &made, &edited).map_err(wrong)?;
        if let Some(change) = rest.iter().find(|change| !change.is_of_layout()) {
            return Err(wrong(format!("the changes of values leave one out: {change}")));
        }
    }
    Ok(true)
}

/// The number of edits of single values.
const EDITS: usize = 6;

fn changes(case: &Case, old: &[u8], new: &[u8]) -> Found<Vec<Change>> {
    changes_between(case.kind, old.to_vec().into(), new.to_vec().into()).map_err(|why| why.to_string())
}

/// Returns the file with these changes.
fn made(case: &Case, changes: &[Change]) -> Found<Vec<u8>> {
    let model = decoded(case, &case.bytes)?;
    let about = About { kind: case.kind, games: &[], sha256: Sha::of(&case.bytes), deviations: &[] };
    let mut edit = Edit::of(&model, about).map_err(|why| why.to_string())?;
    let entries = held(&model, &case.bytes).map_err(|why| why.to_string())?;
    let own = Held::of(case.kind.name, &case.bytes);
    let hash = |entry: &str| if entry.is_empty() { Some(own) } else { entries.get(entry).copied() };
    apply(changes, &mut edit, hash).map_err(|why| why.to_string())?;
    let packed = edit.pack(KINDS).map_err(|why| why.to_string())?;
    encode(&packed.model).map_err(|why| why.to_string())
}
