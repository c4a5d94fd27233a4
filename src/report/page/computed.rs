//! Rules that compute a value, and how many values follow them: by `--rules`.

use maud::html;

use super::Section;
use super::words::{more, number, s, short};
use crate::field::wide;
use crate::report::Account;

/// Rules that are shown: those that most values do not follow, then those that most do.
const RULES: usize = 1_000;

pub(super) fn section(account: &Account) -> Option<Section> {
    let mut rules: Vec<_> = account.computed.iter().collect();
    rules.sort_by_key(|(_, followed)| std::cmp::Reverse((followed.differ, followed.follow)));
    let all = wide(rules.len());
    let body = html! {
        p .note {
            (number("computed", all)) " rule" (s(all)) " by which a value is computed from others. Values that do not follow one "
            "are kept as they are."
        }
        table .cards {
            thead { tr { th { "Kind, value" } th .n { "Follow" } th .n { "Do not" } } }
            tbody {
                @for ((kind, place), followed) in rules.into_iter().take(RULES) {
                    tr data-of={ "computed." (kind) "." (short(place)) } {
                        td { span .tag { (kind) } " " code .place { (short(place)) } }
                        td .n data-label="Follow" { (number(".follow", followed.follow)) }
                        td .n .none[followed.differ == 0] data-label="Do not" { (number(".differ", followed.differ)) }
                    }
                }
            }
        }
        (more("computed.more", all.saturating_sub(wide(RULES))))
    };
    (all > 0).then_some(Section { id: "computed", title: "Computed values", body })
}
