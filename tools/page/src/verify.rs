//! The rows of `verify --json`.

use bitexact::registry::KINDS;
use bitexact::verify::{EntryRow, Report, Row, VerifyOptions, verify_with};
use bytes::Bytes;

/// Returns the row of a file, and with `entries` the rows of its entries, a line of JSON each.
#[must_use]
pub fn rows(path: &str, file: Bytes, entries: bool) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let report = verify_with(KINDS, name, file, VerifyOptions::default().entries(entries));
    print(path, &report, entries)
}

/// Returns the row of a file that cannot be read.
#[must_use]
pub fn unreadable(path: &str, why: &str) -> String {
    print(path, &Report::unreadable(why.to_owned()), false)
}

fn print(path: &str, report: &Report, entries: bool) -> String {
    let mut lines = line(&Row::new(path.to_owned(), report));
    for entry in report.entries.iter().filter(|_| entries) {
        lines.push_str(&line(&EntryRow::new(path, entry)));
    }
    lines
}

fn line(row: &impl serde::Serialize) -> String {
    serde_json::to_string(row).map_or_else(|why| why.to_string(), |text| text + "\n")
}
