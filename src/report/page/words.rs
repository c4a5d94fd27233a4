//! Numbers and texts on the page.

use maud::{Markup, html};

use crate::field::Json;
use crate::report::plain;

/// A longer text loses its middle.
const LONG: usize = 120;
/// So does a longer value.
const LONG_VALUE: usize = 80;

/// A number as people read it, and as programs do: `key` says which one it is. A key that begins with a point goes on from
/// the `data-of` of an element around it.
pub(super) fn number(key: impl AsRef<str>, number: u64) -> Markup {
    html! { data value=(number) data-key=(key.as_ref()) { (grouped(number)) } }
}

/// Digits in groups of three, with a narrow space that does not break.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (left, digit) in (0..digits.len()).rev().zip(digits.chars()) {
        grouped.push(digit);
        if left > 0 && left % 3 == 0 {
            grouped.push('\u{202F}');
        }
    }
    grouped
}

/// A share of the bytes.
pub(super) fn share(part: u64, whole: u64) -> String {
    let tenths = (part.saturating_mul(1000).saturating_add(whole / 2)).checked_div(whole).unwrap_or(0);
    match tenths {
        0 if part > 0 => "< 0.1\u{A0}%".to_owned(),
        1000 if part < whole => "> 99.9\u{A0}%".to_owned(),
        tenths => format!("{}.{}\u{A0}%", tenths / 10, tenths % 10),
    }
}

/// A path. Letters of any script in it do not turn the line around.
pub(super) fn path(path: &str) -> Markup {
    html! { bdi .path { (short(path)) } }
}

/// A value that stands in a file.
pub(super) fn value(value: &Json) -> Markup {
    let text = value.text().map_or_else(|| value.to_string(), str::to_owned);
    html! { code { (shortened(&text, LONG_VALUE)) } }
}

/// An offset.
pub(super) fn offset(offset: u64) -> Markup {
    html! { code .offset data-offset=(offset) { (format!("{offset:#010x}")) } }
}

/// A text without what would move the cursor, and not too long.
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
    text.chars().take(half).chain(['…']).chain(text.chars().skip(letters.saturating_sub(half))).collect()
}

/// What is not shown, and where it can be seen.
pub(super) fn more(key: &str, more: u64) -> Markup {
    html! {
        @if more > 0 { p .more { "and " (number(key, more)) " more, in the rows of " code { "--json" } } }
    }
}

/// `s` where there are several.
pub(super) const fn s(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_shares_read_well() {
        let grouped = [0, 999, 1000, 1_246_905].map(|number| grouped(number).replace('\u{202F}', " "));
        assert_eq!(grouped, ["0", "999", "1 000", "1 246 905"]);
        let shares = [(0, 0), (0, 9), (1, 9999), (1, 3), (9999, 10000), (3, 3)].map(|(part, whole)| share(part, whole));
        assert_eq!(
            shares.map(|it| it.replace('\u{A0}', " ")),
            ["0.0 %", "0.0 %", "< 0.1 %", "33.3 %", "> 99.9 %", "100.0 %"]
        );
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let text = short("ä".repeat(5000) + "end");
        assert!(text.chars().count() == LONG + 1 && text.ends_with("end") && text.contains('…'));
        assert_eq!(short("a\nb\u{1b}"), "a\\nb\\u{1b}");
    }
}
