//! Places that lead through lists by name: `weapons.zrd:/@LASER/DAMAGE` instead of `weapons.zrd:/1/1`.

use super::advice::listed;
use crate::exchange::show;
use crate::field::{Address, Error, Json, walk};

/// Returns the place that a place with `@NAME` among its keys leads to; other places stay as they are. From the first such key on, every
/// key that is not a number is the name of an item if it leads into a list. The inner error is the reason why there is none.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub(super) fn by_keys<M: walk::Lay + ?Sized>(model: &M, place: Address) -> Result<Result<Address, String>, Error> {
    let Some(first) = place.keys.iter().position(|key| key.starts_with('@')) else { return Ok(Ok(place)) };
    let (known, names) = place.keys.split_at(first);
    let mut found = Address { entry: place.entry.clone(), keys: known.to_vec() };
    let outer = show(model, &found.to_string(), usize::MAX)?;
    let mut inside = outer.as_ref();
    for key in names {
        let name = key.strip_prefix('@').unwrap_or(key);
        let is_name = key.starts_with('@') || key != "-" && key.parse::<usize>().is_err();
        let step = match inside {
            Some(Json::List(items)) if is_name => match item(items, name) {
                Ok(index) => index.to_string(),
                Err(why) => return Ok(Err(format!("{why} in {found}"))),
            },
            _ => name.to_owned(),
        };
        inside = inside.and_then(|value| value.step(&step));
        found.keys.push(step);
    }
    Ok(Ok(found))
}

/// Returns the index of the item with a name: an object that has it as its label or name, a list that begins with it, or what follows the
/// name itself, as in the readers of Zipper's games.
fn item(items: &[Json], name: &str) -> Result<usize, String> {
    let is_it = |value: &Json| value.text().or_else(|| value.get("text").and_then(Json::text)) == Some(name);
    let has_name = |item: &Json| match item {
        Json::Object(_) => ["label", "name"].iter().any(|key| item.get(key).is_some_and(is_it)),
        Json::List(inner) => inner.first().is_some_and(is_it),
        _ => false,
    };
    let own = items.iter().enumerate().filter(|(_, item)| has_name(item)).map(|(index, _)| index);
    let next = items.iter().enumerate().filter(|(index, item)| is_it(item) && index + 1 < items.len());
    let found: Vec<usize> = own.chain(next.map(|(index, _)| index + 1)).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(format!("no item has the name {name}")),
        several => {
            let indices: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!("several items have the name {name}: {}; use one of these indices", listed(&indices)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::item;
    use crate::json::parse;

    #[test]
    fn items_are_found_by_what_names_them() {
        let of = |text: &str, name: &str| item(parse(text.as_bytes()).expect("JSON").items().expect("a list"), name);
        assert_eq!(of(r#"["LASER", ["DAMAGE", [5.0]], "GAUSS", [1]]"#, "GAUSS"), Ok(3));
        assert_eq!(of(r#"[["LASER", 1], ["GAUSS", 2]]"#, "GAUSS"), Ok(1));
        assert_eq!(of(r#"[{"label": "28", "cells": {}}, {"label": "28a"}]"#, "28"), Ok(0));
        assert_eq!(of(r#"[{"name": {"text": "a", "tail": "00"}}]"#, "a"), Ok(0));
        assert_eq!(of(r#"["LASER"]"#, "LASER"), Err("no item has the name LASER".to_owned()));
        let twice = of(r#"[{"name": "a"}, {"name": "a"}]"#, "a");
        assert_eq!(twice, Err("several items have the name a: 0, 1; use one of these indices".to_owned()));
    }
}
