//! Tables on the terminal.

use super::out::Out;

/// A table, whose columns are as wide as their longest cells.
pub(crate) struct Table<const N: usize> {
    /// The columns whose cells are aligned to the left.
    left: [bool; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// Returns a table with these headers. A header that ends in a space aligns its column to the left.
    pub(crate) fn new(headers: [&str; N]) -> Self {
        Self { left: headers.map(|it| it.ends_with(' ')), rows: vec![headers.map(|it| it.trim_end().to_owned())] }
    }

    pub(crate) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    /// Prints the table, and an empty line after it.
    pub(crate) fn print(&self, out: &mut Out) {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for row in &self.rows {
            let cells = row.iter().zip(widths).zip(self.left);
            let cells = cells.map(|((cell, width), left)| match left {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            });
            out.line(cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        out.line("");
    }
}
