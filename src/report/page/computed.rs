//! The computed rules, and the numbers of values that match them: by `--rules`.

use maud::html;

use super::Section;
use super::words::{more, number, s, short};
use crate::report::HtmlReport;
use field::wide;

/// The number of rules that are shown: first those with the most mismatches, then those with the most matches.
const RULES: usize = 1_000;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let mut rules: Vec<_> = run.computed.iter().collect();
    rules.sort_by_key(|(_, followed)| std::cmp::Reverse((followed.differ, followed.follow)));
    let all = wide(rules.len());
    let body = html! {
        p .note {
            (number("computed", all)) " rule" (s(all)) " that compute" @if all == 1 { "s" } " a value from other values. Values that "
            "do not match are preserved."
        }
        table .cards {
            thead { tr { th { "Kind, value" } th .n { "Matches" } th .n { "Mismatches" } } }
            tbody {
                @for ((kind, place), followed) in rules.into_iter().take(RULES) {
                    tr data-of={ "computed." (kind) "." (short(place)) } {
                        td { span .tag { (kind) } " " code .place { (short(place)) } }
                        td .n data-label="Matches" { (number(".follow", followed.follow)) }
                        td .n .none[followed.differ == 0] data-label="Mismatches" { (number(".differ", followed.differ)) }
                    }
                }
            }
        }
        (more("computed.more", all.saturating_sub(wide(RULES))))
    };
    (all > 0).then_some(Section::expert("computed", "Computed values", body))
}
