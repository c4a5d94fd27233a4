//! Text of reports.

use output::printable::printable;

/// Returns a share in tenths of a percent, rounded up so that no opaque byte is shown as 0.0%.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = part.saturating_mul(1000).div_ceil(whole.max(1));
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// Returns text without characters that move the cursor or that XML cannot contain.
pub(super) fn plain(text: &str) -> String {
    printable(text).replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}")
}
