//! Mistakes in tables, which the game reads as something else. Source: `nwn-2da.md`, sections 2 and 7.

use std::collections::HashMap;

use field::{Step, wide};
use lint::{Lint, Warnings, of_text, traps};

use super::{MARK, TwoDa, each_span, grammar, is_filled, part, shown};

traps! { TRAPS:
    SIGNATURE = "table-byte-order-mark" in File:
        "a byte order mark comes before the table" => "the game does not find the signature after it; save the table as ANSI",
        "nwn-2da.md, section 7 (checked)";
    COLUMN = "table-column-twice" in File:
        "two columns have one name" => "the game finds one of them", "nwn-2da.md, section 1 (checked)";
    FEWER = "table-cells-missing" in Addition:
        "a row has fewer cells than the table has columns" =>
        "the last ones have no value, or the cells after the one that is missing are in wrong columns",
        "nwn-2da.md, section 2 (checked)";
    MORE = "table-cells-too-many" in Addition:
        "a row has more cells than the table has columns" =>
        "the game drops the last ones; a text with spaces needs quotes", "nwn-2da.md, section 2 (checked)";
    QUOTE = "table-quote-open" in File:
        "a row has a quote that is not closed" => "all that follows in the row is one cell", "nwn-2da.md, section 7 (checked)";
    STARS = "table-stars" in Addition:
        "a cell of stars is not ****" => "the game takes it for a text, not for a cell without a value",
        "nwn-2da.md, section 7 (checked)";
    MIXED = "table-stars-mixed" in File:
        "the stars of a cell have another sign beside them" =>
        "the game takes it for a text: an area with such a table has loaded for ever", "nwn-2da.md, section 7 (checked)";
    COMMENT = "table-comment" in File:
        "a line that looks like a remark is a row" => "the rows after it have other numbers: a table has no remarks",
        "nwn-2da.md, section 7 (checked)";
    LABEL = "table-row-label" in Addition:
        "the label of a row is not its number" => "the game counts the rows, so that the row has the number of its place",
        "nwn-2da.md, section 1 (checked)";
}

impl Lint for TwoDa {
    fn lint(&self, out: &mut Warnings<'_>) {
        of_text(&self.text, out);
        let text = &self.text;
        if text.starts_with(MARK) {
            out.warn(&SIGNATURE, &[], "");
        }
        let mut filled = each_span(text).skip(1).map(|(span, _)| part(text, span)).filter(|line| is_filled(line));
        let Some(names) = filled.next() else { return };
        let names: Vec<&[u8]> = grammar(names).into_iter().map(|name| part(names, name)).collect();
        columns(out, &names);
        for (number, line) in filled.enumerate() {
            row(out, (number, line), names.len());
        }
    }
}

fn columns(out: &mut Warnings<'_>, names: &[&[u8]]) {
    let mut known = HashMap::new();
    for (nth, name) in names.iter().enumerate() {
        let first = *known.entry(name.to_ascii_lowercase()).or_insert(nth);
        if first != nth {
            let place = [Step::Name("columns"), Step::Index(wide(nth))];
            out.warn(&COLUMN, &place, format!("{}, column {first}", shown(name)));
        }
    }
}

/// Reports the mistakes in a row, given its number and the number of columns.
fn row(out: &mut Warnings<'_>, (number, line): (usize, &[u8]), columns: usize) {
    let place = [Step::Name("rows"), Step::Index(wide(number))];
    let words: Vec<&[u8]> = grammar(line).into_iter().map(|word| part(line, word)).collect();
    let Some((label, cells)) = words.split_first() else { return };
    let is_open = memchr::memchr_iter(b'"', line).count() % 2 == 1;
    if is_open {
        out.warn(&QUOTE, &place, "");
    } else if cells.len() < columns {
        out.warn(&FEWER, &place, format!("{} of {columns}", cells.len()));
    } else if cells.len() > columns {
        out.warn(&MORE, &place, format!("{}, {columns} columns", cells.len()));
    }
    if [&b"//"[..], b"#", b";", b"--"].iter().any(|begin| label.starts_with(begin)) {
        out.warn(&COMMENT, &place, shown(label));
    } else if core::str::from_utf8(label).ok().and_then(|label| label.parse::<usize>().ok()) != Some(number) {
        out.warn(&LABEL, &[&place[..], &[Step::Name("label")]].concat(), format!("{}, row {number}", shown(label)));
    }
    for (nth, cell) in cells.iter().enumerate() {
        // A cell after the last column has no name, so the row is its place.
        let stars = cell.iter().filter(|byte| **byte == b'*').count();
        if stars == 0 || cell.contains(&b'"') {
            continue;
        }
        let found = || format!("{}, cell {}", shown(cell), nth + 1);
        match stars {
            4 if cell.len() == 4 => {}
            stars if stars == cell.len() => out.warn(&STARS, &place, found()),
            2.. if cell.starts_with(b"**") && is_mistyped(cell) => out.warn(&MIXED, &place, found()),
            _ => {}
        }
    }
}

/// Returns `true` for stars with signs among them, and no word: `***-`. Words between stars are headings.
fn is_mistyped(cell: &[u8]) -> bool {
    cell.iter().all(|byte| byte.is_ascii_punctuation())
}
