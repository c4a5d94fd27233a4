//! Places that lead through lists by name: `weapons.zrd:/@LASER/DAMAGE` instead of `weapons.zrd:/1/1`.

use super::advice::listed;
use exchange::show;
use field::{Address, Error, Value, walk};

/// The list that was looked at last, as JSON, since an edit often names many of its items.
#[derive(Default)]
pub(super) struct LastList(Option<(Address, Option<Value>)>);

impl LastList {
    fn at<M: walk::Lay + ?Sized>(&mut self, model: &M, place: &Address) -> Result<Option<&Value>, Error> {
        if self.0.as_ref().is_none_or(|(last, _)| last != place) {
            self.0 = Some((place.clone(), show(model, &place.to_string(), usize::MAX)?));
        }
        Ok(self.0.as_ref().and_then(|(_, value)| value.as_ref()))
    }
}

/// Returns the place that a place with `@NAME` among its keys leads to, or with a column after the number of a row of a table; other places
/// stay as they are. From the first name on, every key that is not a number is the name of an item if it leads into a list. The inner error
/// is the reason why there is none.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub(super) fn by_keys<M: walk::Lay + ?Sized>(
    model: &M,
    place: Address,
    last: &mut LastList,
) -> Result<Result<Address, String>, Error> {
    let Some(known) = known(&place.keys) else { return Ok(Ok(place)) };
    let (known, names) = place.keys.split_at(known);
    let mut found = Address { entry: place.entry.clone(), keys: known.to_vec() };
    let mut inside = last.at(model, &found)?;
    for key in names {
        let name = key.strip_prefix('@').unwrap_or(key);
        let step = match inside {
            Some(Value::List(items)) if is_name(key) => match item(items, name) {
                Ok(index) => index.to_string(),
                Err(why) => return Ok(Err(format!("{why} in {found}"))),
            },
            _ => name.to_owned(),
        };
        if inside.is_some_and(|row| is_cell(row, &step)) {
            inside = inside.and_then(|row| row.get(CELLS));
            found.keys.push(CELLS.to_owned());
        }
        inside = inside.and_then(|value| value.step(&step));
        found.keys.push(step);
    }
    Ok(Ok(found))
}

/// Returns all places that a place with `@NAME` among its keys leads to, or with a column after the number of a row of a table; other places
/// stay as they are.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub(super) fn all_by_keys<M: walk::Lay + ?Sized>(model: &M, place: Address) -> Result<Vec<Address>, Error> {
    let Some(known) = known(&place.keys) else { return Ok(vec![place]) };
    let (known, names) = place.keys.split_at(known);
    let known = Address { entry: place.entry.clone(), keys: known.to_vec() };
    let Some(outer) = show(model, &known.to_string(), usize::MAX)? else { return Ok(Vec::new()) };
    let mut found = vec![(known, Some(&outer))];
    for key in names {
        found = found.into_iter().flat_map(|(at, inside)| inner(&at, inside, key)).collect();
    }
    Ok(found.into_iter().map(|(at, _)| at).collect())
}

/// Returns the places that one more key leads to, and what is there.
fn inner<'j>(at: &Address, inside: Option<&'j Value>, key: &str) -> Vec<(Address, Option<&'j Value>)> {
    let name = key.strip_prefix('@').unwrap_or(key);
    let steps: Vec<String> = match inside {
        Some(Value::List(list)) if is_name(key) => {
            items(list, name).into_iter().map(|index| index.to_string()).collect()
        }
        _ => vec![name.to_owned()],
    };
    let step_in = |step: String| match inside.filter(|row| is_cell(row, &step)).and_then(|row| row.get(CELLS)) {
        Some(cells) => (at.with(CELLS).with(step.as_str()), cells.step(&step)),
        None => (at.with(step.as_str()), inside.and_then(|value| value.step(&step))),
    };
    steps.into_iter().map(step_in).collect()
}

/// Returns `true` if some keys may be names, or a column without that of the cells of a row.
pub(super) fn has_names(keys: &[String]) -> bool {
    known(keys).is_some()
}

/// Returns the number of keys before the first that may be a name, or before the number of a row that a column may follow.
fn known(keys: &[String]) -> Option<usize> {
    let column = match keys {
        [outer @ .., row, column] if column != CELLS && column != "label" && !is_name(row) => {
            outer.last().filter(|rows| *rows == "rows").map(|_| outer.len())
        }
        _ => None,
    };
    keys.iter().position(|key| key.starts_with('@')).or(column)
}

/// The member of a row of a table that holds its cells, by their columns.
const CELLS: &str = "cells";

/// Returns `true` for a column of a row of a table, so that the name of the column alone leads to the cell.
fn is_cell(row: &Value, name: &str) -> bool {
    row.get(name).is_none() && row.get(CELLS).is_some_and(|cells| cells.get(name).is_some())
}

/// Returns the name that a row of a table has in a column for it, which nearly all tables of Neverwinter Nights have.
fn name_of_row(row: &Value) -> Option<&Value> {
    let Value::Object(cells) = row.get(CELLS)? else { return None };
    cells.iter().find(|(column, _)| column.eq_ignore_ascii_case("label")).map(|(_, cell)| cell)
}

/// Returns `true` for the name of an item, after the first `@`.
fn is_name(key: &str) -> bool {
    key.starts_with('@') || key != "-" && key.parse::<usize>().is_err()
}

/// Returns the indices of the items with a name: objects that have it as their label or name, or rows of tables in their column for it,
/// lists that begin with it, and what follows the name itself, as in the readers of Zipper's games.
fn items(items: &[Value], name: &str) -> Vec<usize> {
    let is_it = |value: &Value| value.text().or_else(|| value.get("text").and_then(Value::text)) == Some(name);
    let has_name = |item: &Value| match item {
        Value::Object(_) => ["label", "name"].iter().any(|key| item.get(key).is_some_and(is_it)),
        Value::List(inner) => inner.first().is_some_and(is_it),
        _ => false,
    };
    let all = |has: &dyn Fn(&Value) -> bool| -> Vec<usize> {
        items.iter().enumerate().filter(|(_, item)| has(item)).map(|(index, _)| index).collect()
    };
    let mut found = all(&has_name);
    found.extend(all(&is_it).into_iter().map(|index| index + 1).filter(|index| *index < items.len()));
    // The number of a row comes before its name.
    if found.is_empty() { all(&|row| name_of_row(row).is_some_and(is_it)) } else { found }
}

/// Returns the index of the only item with a name.
fn item(list: &[Value], name: &str) -> Result<usize, String> {
    let found = items(list, name);
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
    use super::LastList;
    use super::item;
    use json::parse;

    #[test]
    fn items_are_found_by_what_names_them() {
        let of = |text: &str, name: &str| item(parse(text.as_bytes()).expect("JSON").items().expect("a list"), name);
        assert_eq!(of(r#"["LASER", ["DAMAGE", [5.0]], "GAUSS", [1]]"#, "GAUSS"), Ok(3));
        assert_eq!(of(r#"[["LASER", 1], ["GAUSS", 2]]"#, "GAUSS"), Ok(1));
        assert_eq!(of(r#"[{"label": "28", "cells": {}}, {"label": "28a"}]"#, "28"), Ok(0));
        assert_eq!(
            of(r#"[{"label": "0", "cells": {"LABEL": "Elf"}}, {"label": "1", "cells": {"LABEL": "Dwarf"}}]"#, "Dwarf"),
            Ok(1)
        );
        assert_eq!(of(r#"[{"name": {"text": "a", "tail": "00"}}]"#, "a"), Ok(0));
        assert_eq!(of(r#"["LASER"]"#, "LASER"), Err("no item has the name LASER".to_owned()));
        let twice = of(r#"[{"name": "a"}, {"name": "a"}]"#, "a");
        assert_eq!(twice, Err("several items have the name a: 0, 1; use one of these indices".to_owned()));
    }

    #[test]
    fn list_is_looked_at_anew_if_it_is_another_one() {
        let list = json::parse(b"[[1, 2], [3], [1, 2]]").expect("JSON");
        let model = crate::zipper::reader::Reader::from_json(list).expect("reader data");
        let mut last = LastList::default();
        let mut at = |place: &str| {
            last.at(&model, &place.into()).expect("is laid out").and_then(field::Value::items).map(<[_]>::len)
        };
        assert_eq!([at("/0"), at("/0"), at("/1"), at("/0"), at("/7")], [Some(2), Some(2), Some(1), Some(2), None]);
    }
}
