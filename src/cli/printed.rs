//! A value as lines for people: an indented outline, trees of fields with a line for each value, tables with aligned columns.

use std::fmt::Display;

use bitexact::aurora::gff::TYPES;
use bitexact::field::Value;
use json::Compact;

use super::out::Out;

/// The number of items of a list that are printed without `--all`.
pub(crate) const MOST: usize = 8;
/// The number of rows of a table that are printed without `--all`.
const ROWS: usize = 40;
/// The widest column of names that others are aligned to.
const WIDEST: usize = 24;

/// Prints a value as an indented outline.
pub(crate) fn print(out: &mut Out, value: &Value, is_all: bool) {
    match Table::of(value) {
        Some(table) => table.print(out, if is_all { usize::MAX } else { ROWS }),
        None if is_short(value) => out.line(short(value)),
        None => match Field::of(value) {
            Some(field) => field.print(out, "", 0, 0),
            None => outline(out, value, 0),
        },
    }
}

fn outline(out: &mut Out, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    let item = |out: &mut Out, key: &dyn Display, value: &Value| {
        if is_short(value) {
            out.line(format_args!("{indent}{key}: {}", short(value)));
        } else {
            out.line(format_args!("{indent}{key}:"));
            outline(out, value, depth + 1);
        }
    };
    match value {
        Value::Object(members) if members.iter().any(|(_, value)| Field::of(value).is_some()) => {
            structure(out, members, depth);
        }
        Value::Object(members) => members.iter().for_each(|(key, value)| item(out, key, value)),
        Value::List(items) => {
            for (index, value) in items.iter().enumerate() {
                match value.text().filter(|text| text.starts_with('…')) {
                    Some(more) => out.line(format_args!("{indent}{more}")),
                    None => item(out, &index, value),
                }
            }
        }
        other => out.line(format_args!("{indent}{}", short(other))),
    }
}

/// Prints the fields of a struct of a GFF, whose values are aligned.
fn structure(out: &mut Out, members: &[(impl Display, Value)], depth: usize) {
    let indent = "  ".repeat(depth);
    let widths = members.iter().map(|(key, _)| key.to_string().chars().count()).filter(|width| *width <= WIDEST);
    let width = widths.max().unwrap_or(0);
    for (key, value) in members {
        match Field::of(value) {
            Some(field) => field.print(out, &key.to_string(), width, depth),
            None if is_short(value) => out.line(format_args!("{indent}{key:<width$}  {}", short(value))),
            None => {
                out.line(format_args!("{indent}{key}"));
                outline(out, value, depth + 1);
            }
        }
    }
}

/// A field of a GFF: its type, and the member with its value.
struct Field<'a> {
    kind: &'a str,
    form: &'a str,
    value: &'a Value,
}

impl<'a> Field<'a> {
    fn of(json: &'a Value) -> Option<Self> {
        let Value::Object(members) = json else { return None };
        let [(key, kind), (form, value)] = members.as_slice() else { return None };
        let kind = kind.text().filter(|kind| *key == *"type" && TYPES.contains(kind))?;
        let is_form = ["value", "value64", "bits", "word", "raw64", "bytes64"].contains(&form.as_str());
        is_form.then_some(Self { kind, form: form.as_str(), value })
    }

    /// Prints the field, with its name in a column of this width.
    fn print(&self, out: &mut Out, key: &str, width: usize, depth: usize) {
        let indent = "  ".repeat(depth);
        let Self { kind, form, value } = self;
        let kind = if *form == "value" { (*kind).to_owned() } else { format!("{kind}, {form}") };
        let mut line = |shown: &dyn Display| match key.is_empty() {
            true => out.line(format_args!("{indent}{shown}  ({kind})")),
            false => out.line(format_args!("{indent}{key:<width$}  {shown}  ({kind})")),
        };
        match value {
            Value::List(items) => {
                let more =
                    items.last().and_then(Value::text).and_then(|text| text.strip_prefix("… ")?.split(' ').next());
                let more: usize = more.and_then(|more| more.parse().ok()).unwrap_or(0);
                let count = items.len() - usize::from(more > 0) + more;
                line(&format_args!("{count} item{}", if count == 1 { "" } else { "s" }));
                outline(out, value, depth + 1);
            }
            Value::Object(members) => match members.as_slice() {
                [] => line(&"empty"),
                // The usual text, in the first language.
                [(id, text @ Value::Text(_))] if *id == *"0" => line(&short(text)),
                [(id, number)] if *id == *"id" => line(&format_args!("text {} of the talk table", short(number))),
                members => {
                    line(&format_args!("{} values", members.len()));
                    outline(out, value, depth + 1);
                }
            },
            Value::Text(text) if text.is_empty() => line(&"\"\""),
            value => line(&short(value)),
        }
    }
}

/// A table with the names of its columns.
struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    fn of(value: &Value) -> Option<Self> {
        let columns =
            value.get("columns").and_then(Value::items)?.iter().map(Value::text).collect::<Option<Vec<_>>>()?;
        let head = [""].into_iter().chain(columns).map(str::to_owned).collect();
        let row = |row: &Value| {
            let Value::Object(cells) = row.get("cells")? else { return None };
            let more = row.get("more").and_then(Value::items).unwrap_or_default();
            let cells = cells.iter().map(|(_, cell)| cell).chain(more);
            let cells = [row.get("label")?].into_iter().chain(cells);
            cells.map(|cell| cell.text().map(|text| if text.is_empty() { "\"\"" } else { text }.to_owned())).collect()
        };
        let rows = value.get("rows").and_then(Value::items)?.iter().map(row).collect::<Option<Vec<_>>>()?;
        Some(Self { rows: [head].into_iter().chain(rows).collect() })
    }

    /// Prints the names of the columns and at most this many rows.
    fn print(&self, out: &mut Out, most: usize) {
        let Some((head, rows)) = self.rows.split_first() else { return };
        let shown = rows.len().min(most);
        let more = rows.len() - shown;
        let rows = [head].into_iter().chain(rows.iter().take(shown));
        let mut widths: Vec<usize> = Vec::new();
        for row in rows.clone() {
            widths.resize(widths.len().max(row.len()), 0);
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.chars().count().max(*width));
        }
        for row in rows {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            out.line(cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        match more {
            0 => {}
            more => out.line(format_args!("… {more} more; --all prints them")),
        }
    }
}

/// Returns `true` if a value fits on the line of its key: a plain value, or a short list of plain values.
fn is_short(value: &Value) -> bool {
    match value {
        Value::List(items) => {
            items.len() <= MOST && items.iter().all(|item| !matches!(item, Value::List(_) | Value::Object(_)))
        }
        Value::Object(members) => members.is_empty(),
        _ => true,
    }
}

fn short(value: &Value) -> String {
    match value {
        Value::Text(text) | Value::Named(Some(text), _) => text.to_string(),
        Value::Bytes(bytes) => ::field::hex(bytes),
        other => Compact(other).to_string(),
    }
}
