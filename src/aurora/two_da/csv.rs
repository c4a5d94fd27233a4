//! A table as CSV, for spreadsheets: the label of each row, then its cells.

use std::collections::HashSet;

use bytes::Bytes;

use super::TwoDa;
use field::{Address, Value, decode};
use kind::{Drawing, Export, ExportError, Imported, ImportedEdit, Model, model_of};
use media::csv;

/// The export.
pub const EXPORT: Export =
    Export { extension: "csv", shows: "the table, for a spreadsheet", draw: |file, _| draw(file), levels: None };

/// The name of the first column, which has none in a table.
const LABEL: &str = "row";
/// A cell without a value.
const NOTHING: &str = "****";

/// Returns the rows of a table as text: first the names of the columns.
///
/// # Errors
/// Returns an error if two columns have one name, so that the cells of a row are not known by their columns.
fn rows(table: &TwoDa) -> Result<Vec<Vec<String>>, ExportError> {
    let table = table.json();
    let columns: Vec<String> = table.list("columns").iter().filter_map(Value::text).map(str::to_owned).collect();
    let mut seen = HashSet::new();
    if let Some(twice) = columns.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(ExportError::content(format_args!("two columns have the name {twice}; rename one of them first")));
    }
    let mut rows = vec![[LABEL.to_owned()].into_iter().chain(columns).collect::<Vec<_>>()];
    for row in table.list("rows") {
        let text = |json: &Value| json.text().map(str::to_owned);
        let cells = match row.get("cells") {
            Some(Value::Object(cells)) => cells.iter().filter_map(|(_, cell)| text(cell)).collect(),
            _ => Vec::new(),
        };
        let label = row.get("label").and_then(text);
        let more = row.list("more").iter().filter_map(text);
        rows.push(label.into_iter().chain(cells).chain(more).collect());
    }
    Ok(rows)
}

fn draw(file: Bytes) -> Result<Drawing, ExportError> {
    let table = decode::<TwoDa>(file)?.model;
    Ok(csv::write(rows(&table)?).map_err(ExportError::content)?.into())
}

/// Takes the cells of a file. New rows are those after the last one.
pub fn import(model: &Model, file: Bytes) -> Result<Imported, ExportError> {
    let old = rows(model_of::<TwoDa>(model)?)?;
    let new = csv::read(&file).map_err(ExportError::Content)?;
    let mut imported = Imported::default();
    let (Some((head, old)), Some(((line, given), new))) = (old.split_first(), new.split_first()) else {
        return Err(ExportError::content("expected CSV with the names of the columns, found an empty file"));
    };
    let names = |cells: &[String]| cells.iter().skip(1).map(|name| name.trim().to_owned()).collect::<Vec<_>>();
    let (columns, found) = (names(head), names(trimmed(given)));
    if columns != found {
        let found = if found.is_empty() { "none".to_owned() } else { found.join(",") };
        let columns = columns.join(",");
        return Err(ExportError::content(format_args!(
            "line {line}: expected the columns {columns}, found {found}; `patch --set /columns/-=NAME` adds one"
        )));
    }
    // Spreadsheets add rows without a cell at the end. Elsewhere, all rows after one would get other numbers.
    let last = new.iter().rposition(|(_, cells)| !trimmed(cells).is_empty());
    let new = new.get(..last.map_or(0, |last| last + 1)).unwrap_or_default();
    if let Some((line, _)) = new.iter().find(|(_, cells)| trimmed(cells).is_empty()) {
        return Err(ExportError::content(format_args!(
            "line {line}: expected a row, found no cell, and the rows after it would get other numbers; fill its cells with {NOTHING}, or delete the line"
        )));
    }
    for (nth, (line, cells)) in new.iter().enumerate() {
        let place = Address::from("/rows").with(nth.to_string());
        match old.get(nth) {
            Some(old) => change(&mut imported, (&place, &columns), old, (*line, cells))?,
            None => {
                let (label, cells) = cells.split_first().map_or(("", &[][..]), |(label, cells)| (label, cells));
                let label = if label.trim().is_empty() { nth.to_string() } else { label.to_owned() };
                let cell = |at: usize| cells.get(at).filter(|cell| !cell.is_empty()).map_or(NOTHING, String::as_str);
                let cells = columns.iter().enumerate().map(|(at, name)| (name.as_str().into(), cell(at).into()));
                let row = Value::from([("label", label.into()), ("cells", Value::Object(cells.collect()))]);
                imported.edits.push(ImportedEdit::Set(Address::from("/rows/-"), row));
            }
        }
    }
    let surplus = new.len()..old.len();
    imported.edits.extend(surplus.map(|nth| ImportedEdit::Delete(Address::from("/rows").with(nth.to_string()))));
    Ok(imported)
}

/// Returns the cells without empty ones at the end, which spreadsheets add.
fn trimmed(cells: &[String]) -> &[String] {
    let last = cells.iter().rposition(|cell| !cell.trim().is_empty());
    cells.get(..last.map_or(0, |last| last + 1)).unwrap_or_default()
}

/// Sets the cells of a row that differ.
fn change(
    imported: &mut Imported,
    (place, columns): (&Address, &[String]),
    old: &[String],
    (line, new): (u64, &[String]),
) -> Result<(), ExportError> {
    let new = trimmed(new);
    // The cells that a short row lacks are filled up to the last one that the file gives.
    let last = new.iter().rposition(|cell| !cell.is_empty() && cell != NOTHING);
    for at in 0..old.len().max(new.len()) {
        let (was, now) = (old.get(at), new.get(at).map_or("", String::as_str));
        // An empty cell is no value, but one that the table also has empty stays.
        if was.is_some_and(|was| was == now) {
            continue;
        }
        let now = if now.is_empty() { NOTHING } else { now };
        let is_beyond = last.is_none_or(|last| at > last);
        if was.is_some_and(|was| was == now) || was.is_none() && now == NOTHING && is_beyond {
            continue;
        }
        let place = match at.checked_sub(1) {
            None => place.with("label"),
            Some(column) => match columns.get(column) {
                Some(name) => place.with("cells").with(name.as_str()),
                None if was.is_some() => place.with("more").with((column - columns.len()).to_string()),
                None => {
                    return Err(ExportError::content(format_args!(
                        "line {line}: expected at most {} cells, found {now:?} after them",
                        columns.len() + 1
                    )));
                }
            },
        };
        imported.set(place, now);
    }
    Ok(())
}
