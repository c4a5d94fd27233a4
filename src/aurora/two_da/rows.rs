//! Rows of two tables: what they have in common, rows that one appends, and numbers of rows of other tables in cells.

use crate::field::wide;

use super::{Table, TwoDa, shown};

/// How the rows of two tables with the same columns compare. Labels do not count, since the game counts rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowsOfTwo {
    /// The number of equal rows at the beginning.
    pub common: usize,
    /// The number of rows of each.
    pub rows: [usize; 2],
    /// The number of rows after these that differ although both have them, if a later one is equal again: then they were edited, and not
    /// appended.
    pub edited: usize,
}

impl TwoDa {
    /// Compares the rows of two tables, or returns `None` if their columns differ.
    #[must_use]
    pub fn compare_rows(&self, other: &Self) -> Option<RowsOfTwo> {
        let (one, other) = (Table::of(&self.text).ok()?, Table::of(&other.text).ok()?);
        if one.words(one.columns) != other.words(other.columns) {
            return None;
        }
        let cells = |table: &Table<'_>, row: &usize| -> Vec<Vec<u8>> {
            table.words(*row).iter().skip(1).map(|cell| cell.to_vec()).collect()
        };
        let same: Vec<(bool, bool)> = one
            .rows
            .iter()
            .zip(&other.rows)
            .map(|(a, b)| {
                let (a, b) = (cells(&one, a), cells(&other, b));
                (a == b, a.iter().any(|cell| cell.iter().any(|byte| *byte != b'*')))
            })
            .collect();
        let common = same.iter().take_while(|(is_same, _)| *is_same).count();
        let last = same.iter().rposition(|(is_same, is_filled)| *is_same && *is_filled).filter(|last| *last > common);
        let edited = last.map_or(0, |last| same.iter().take(last).filter(|(is_same, _)| !is_same).count());
        Some(RowsOfTwo { common, rows: [one.rows.len(), other.rows.len()], edited })
    }

    /// Appends the rows of another table from one on. Their labels become their numbers.
    pub fn append_rows(&mut self, other: &Self, first: usize) {
        let (Ok(own), Ok(theirs)) = (Table::of(&self.text), Table::of(&other.text)) else { return };
        let end: &[u8] = if self.text.windows(2).any(|two| two == b"\r\n") { b"\r\n" } else { b"\n" };
        let mut text = self.text.to_vec();
        for (number, row) in (own.rows.len()..).zip(theirs.rows.iter().skip(first)) {
            if !text.ends_with(b"\n") {
                text.extend_from_slice(end);
            }
            let Some(line) = theirs.lines.get(*row) else { continue };
            let bytes = theirs.text.get(line.span.clone()).unwrap_or_default();
            let label = theirs.words(*row).first().map_or(0, |label| label.len());
            let begin = bytes.iter().position(|byte| !super::is_space(*byte)).unwrap_or(0);
            text.extend_from_slice(number.to_string().as_bytes());
            text.extend_from_slice(bytes.get(begin + label..).unwrap_or_default().trim_ascii_end());
            text.extend_from_slice(end);
        }
        self.text = text.into();
    }

    /// Changes the whole numbers in a column in rows from one on, and returns how many have changed.
    pub fn renumber(&mut self, column: &str, first: usize, change: &dyn Fn(u64) -> Option<u64>) -> u64 {
        let Ok(table) = Table::of(&self.text) else { return 0 };
        let names = table.words(table.columns);
        let Some(nth) = names.iter().position(|name| shown(name).eq_ignore_ascii_case(column)) else { return 0 };
        let (mut text, mut at, mut count) = (Vec::with_capacity(self.text.len()), 0, 0_usize);
        for row in table.rows.iter().skip(first) {
            let Some(line) = table.lines.get(*row) else { continue };
            let Some(word) = line.words.get(nth + 1) else { continue };
            let cell = self.text.get(word.clone()).unwrap_or_default();
            let number = core::str::from_utf8(cell).ok().and_then(|cell| cell.parse::<u64>().ok());
            if let Some(new) = number.and_then(change) {
                text.extend_from_slice(self.text.get(at..word.start).unwrap_or_default());
                text.extend_from_slice(new.to_string().as_bytes());
                at = word.end;
                count += 1;
            }
        }
        text.extend_from_slice(self.text.get(at..).unwrap_or_default());
        if count > 0 {
            self.text = text.into();
        }
        wide(count)
    }
}
