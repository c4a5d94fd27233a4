//! Numbers and strings on the page.

use json::Compact;
use maud::{Markup, html};

use crate::report::text::plain;
use field::Value;
pub(super) use output::printable::grouped;

/// The length above which a string loses its middle.
const LONG: usize = 120;
/// The length above which a value loses its middle.
const LONG_VALUE: usize = 80;

/// Returns a number for people, with its raw digits and its `key` for programs. A key that begins with a dot continues the
/// `data-of` of the element around it.
pub(super) fn number(key: impl AsRef<str>, number: u64) -> Markup {
    html! { data value=(number) data-key=(key.as_ref()) { (grouped(number)) } }
}

/// Returns a share of the bytes.
pub(super) fn share(part: u64, whole: u64) -> String {
    let tenths = (part.saturating_mul(1000).saturating_add(whole / 2)).checked_div(whole).unwrap_or(0);
    match tenths {
        0 if part > 0 => "<\u{A0}0.1%".to_owned(),
        1000 if part < whole => ">\u{A0}99.9%".to_owned(),
        tenths => format!("{}.{}%", tenths / 10, tenths % 10),
    }
}

/// Returns a path. Right-to-left letters in it do not affect the rest of the line.
pub(super) fn path(path: &str) -> Markup {
    html! { bdi .path { (short(path)) } }
}

/// Returns a value of a file.
pub(super) fn value(value: &Value) -> Markup {
    let text = value.text().map_or_else(|| Compact(value).to_string(), str::to_owned);
    html! { code { (shortened(&text, LONG_VALUE)) } }
}

/// Returns an offset.
pub(super) fn offset(offset: u64) -> Markup {
    html! { code .offset data-offset=(offset) { (format!("{offset:#010x}")) } }
}

/// Returns text without characters that move the cursor, and not too long.
pub(super) fn short(text: impl AsRef<str>) -> String {
    shortened(text.as_ref(), LONG)
}

fn shortened(text: &str, long: usize) -> String {
    let text = plain(text);
    let letters = text.chars().count();
    if letters <= long {
        return text;
    }
    let half = long / 2;
    text.chars().take(half).chain(['…']).chain(text.chars().skip(letters - half)).collect()
}

/// Returns a note on the number of items that are not shown.
pub(super) fn more(key: &str, more: u64) -> Markup {
    html! {
        @if more > 0 { p .more { "and " (number(key, more)) " more, in the rows of " code { "--json" } } }
    }
}

/// Returns the plural ending for a number.
pub(super) const fn s(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_shares_are_formatted() {
        assert_eq!([0, 999, 1000, 1_246_905].map(grouped), ["0", "999", "1,000", "1,246,905"]);
        let shares = [(0, 0), (0, 9), (1, 9999), (1, 3), (9999, 10000), (3, 3)].map(|(part, whole)| share(part, whole));
        assert_eq!(
            shares.map(|it| it.replace('\u{A0}', " ")),
            ["0.0%", "0.0%", "< 0.1%", "33.3%", "> 99.9%", "100.0%"]
        );
    }

    #[test]
    fn long_strings_lose_their_middle() {
        let text = short("ä".repeat(5000) + "end");
        assert!(text.chars().count() == LONG + 1 && text.ends_with("end") && text.contains('…'));
        assert_eq!(short("a\nb\u{1b}"), "a\\nb\\u{1b}");
    }
}
