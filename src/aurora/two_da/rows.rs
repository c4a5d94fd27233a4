//! Rows of two tables: what they have in common, rows that one appends, and numbers of rows of other tables in cells.

use field::wide;

use super::{Table, TwoDa, shown};

/// How the rows of two tables with the same columns, default and labels compare. Labels of rows that differ do not count, since the game
/// counts rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsOfTwo {
    /// The number of equal rows at the beginning.
    pub common: usize,
    /// The number of rows of each.
    pub rows: [usize; 2],
    /// The number of rows after these that differ although both have them, if a later one is equal again: then they were edited, and not
    /// appended.
    pub edited: usize,
    /// The number of rows up to the last one of these; the rows after them were appended.
    pub joint: usize,
}

impl TwoDa {
    /// Compares the rows of two tables, or returns `None` if their columns, their defaults or the labels of equal rows differ.
    #[must_use]
    pub fn compare_rows(&self, other: &Self) -> Option<RowsOfTwo> {
        let (one, other) = (Table::of(&self.text).ok()?, Table::of(&other.text).ok()?);
        if one.words(one.columns) != other.words(other.columns) || one.default() != other.default() {
            return None;
        }
        let mut same: Vec<(bool, bool)> = Vec::new();
        for (a, b) in one.rows.iter().zip(&other.rows) {
            let (a, b) = (one.words(*a), other.words(*b));
            let is_same = a.iter().skip(1).eq(b.iter().skip(1));
            if is_same && a.first() != b.first() {
                return None;
            }
            same.push((is_same, a.iter().skip(1).any(|cell| cell.iter().any(|byte| *byte != b'*'))));
        }
        let common = same.iter().take_while(|(is_same, _)| *is_same).count();
        let last = same.iter().rposition(|(is_same, is_filled)| *is_same && *is_filled).filter(|last| *last > common);
        let edited = last.map_or(0, |last| same.iter().take(last).filter(|(is_same, _)| !is_same).count());
        let joint = last.map_or(common, |last| last + 1);
        Some(RowsOfTwo { common, rows: [one.rows.len(), other.rows.len()], edited, joint })
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

    /// Changes the whole numbers in a column in rows from one on, and returns how many have changed. They stay in quotes or hexadecimal.
    pub fn renumber(&mut self, column: &str, first: usize, change: &dyn Fn(u64) -> Option<u64>) -> u64 {
        let Ok(table) = Table::of(&self.text) else { return 0 };
        let names = table.words(table.columns);
        let Some(nth) = names.iter().position(|name| shown(name).eq_ignore_ascii_case(column)) else { return 0 };
        let (mut text, mut at, mut count) = (Vec::with_capacity(self.text.len()), 0, 0_usize);
        for row in table.rows.iter().skip(first) {
            let Some(line) = table.lines.get(*row) else { continue };
            let Some(word) = line.words.get(nth + 1) else { continue };
            let cell = self.text.get(word.clone()).unwrap_or_default();
            if let Some(new) = core::str::from_utf8(cell).ok().and_then(|cell| renumbered(cell, change)) {
                text.extend_from_slice(self.text.get(at..word.start).unwrap_or_default());
                text.extend_from_slice(new.as_bytes());
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

/// Returns a cell with a whole number that changes, in the form that it has.
pub fn renumbered(cell: &str, change: &dyn Fn(u64) -> Option<u64>) -> Option<String> {
    let number = Number::of(cell)?;
    Some(number.with(change(number.value)?))
}

/// A whole number in a cell: `7`, `"7"`, `0x07`.
#[derive(Clone, Copy)]
struct Number<'c> {
    value: u64,
    is_quoted: bool,
    /// What is before hexadecimal digits, and the digits.
    hexadecimal: Option<(&'c str, &'c str)>,
}

impl<'c> Number<'c> {
    fn of(cell: &'c str) -> Option<Self> {
        let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
        let digits = inner.unwrap_or(cell);
        let hexadecimal = digits.split_at_checked(2).filter(|(begin, _)| begin.eq_ignore_ascii_case("0x"));
        let value = match hexadecimal {
            // A sign after the prefix is no number.
            Some((_, digits)) if digits.bytes().all(|it| it.is_ascii_hexdigit()) => u64::from_str_radix(digits, 16),
            _ => digits.parse(),
        };
        Some(Self { value: value.ok()?, is_quoted: inner.is_some(), hexadecimal })
    }

    /// Returns another number in the same form.
    fn with(self, value: u64) -> String {
        let number = match self.hexadecimal {
            Some((begin, digits)) if digits.bytes().any(|it| it.is_ascii_uppercase()) => {
                format!("{begin}{value:0width$X}", width = digits.len())
            }
            Some((begin, digits)) => format!("{begin}{value:0width$x}", width = digits.len()),
            None => value.to_string(),
        };
        if self.is_quoted { format!("\"{number}\"") } else { number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_form() {
        for (cell, expected) in [
            ("7", Some("12")),
            ("\"7\"", Some("\"12\"")),
            ("0x7", Some("0xc")),
            ("0x0A", Some("0x0C")),
            ("\"0X007\"", Some("\"0X00c\"")),
            ("0x", None),
            ("0x+7", None),
            ("-7", None),
            ("\"7", None),
            ("****", None),
            ("7.0", None),
        ] {
            assert_eq!(Number::of(cell).map(|it| it.with(12)).as_deref(), expected, "{cell}");
        }
    }
}
