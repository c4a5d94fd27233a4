//! Deviations by rule, and entries that do not decode.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, offset, path, s, short, value};
use crate::report::{HtmlReport, Rule};
use field::wide;

/// The number of rules that are shown: those with deviations in the most files.
const RULES: usize = 100;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let mut rules: Vec<_> = run.rules.iter().map(|((kind, place), rule)| (*kind, place.as_str(), rule)).collect();
    rules.sort_by_key(|(_, _, rule)| std::cmp::Reverse((rule.files.total, rule.count)));
    let (all, places) = (wide(rules.len()), rules.iter().map(|(_, _, rule)| rule.count).sum());
    let body = html! {
        p .note {
            (number("rules", all)) " rule" (s(all)) " of the format specs, broken in " (number("deviations", places)) " place"
            (s(places)) ". The values are preserved: retail files have deviations too."
        }
        @for (kind, place, rule) in rules.iter().take(RULES) { (group(kind, place, rule)) }
        (more("rules.more", all.saturating_sub(wide(RULES))))
    };
    (all > 0).then_some(Section::expert("deviations", "Deviations", body))
}

fn group(kind: &str, place: &str, rule: &Rule) -> Markup {
    html! {
        details .rule data-of={ "rule." (kind) "." (short(place)) } {
            summary {
                span .what { span .tag { (kind) } " " code .place { (short(place)) } }
                span .counts {
                    (number(".files", rule.files.total)) " file" (s(rule.files.total)) ", "
                    (number(".count", rule.count)) " place" (s(rule.count))
                }
            }
            table .cards {
                thead { tr { th { "File, first place" } th { "Expected" } th { "Found" } th .n { "Places" } } }
                tbody {
                    @for (file, it) in &rule.files.shown {
                        tr {
                            td { (path(file)) " " span .soft { (offset(it.offset)) " " code .place { (short(it.first_place.to_string())) } } }
                            td data-label="Expected" { (value(&it.expected)) }
                            td data-label="Found" { (value(&it.found)) }
                            td .n data-label="Places" { (number(".in", it.count)) }
                        }
                    }
                }
            }
            (more(".more", rule.files.more()))
        }
    }
}

pub(super) fn undecoded(run: &HtmlReport) -> Option<Section> {
    let undecoded = &run.undecoded;
    let body = html! {
        p .note {
            (number("undecoded", undecoded.total)) " entr" (if undecoded.total == 1 { "y" } else { "ies" })
            " kept as raw bytes: recognized by content, but not decoded. Their files can still be identical."
        }
        table .cards {
            thead { tr { th { "File, entry" } th { "Offset" } th { "Place" } th { "Reason" } } }
            tbody {
                @for it in &undecoded.shown {
                    tr {
                        td { (path(&it.path)) " " code .place { (short(&it.entry)) } }
                        td data-label="Offset" { @if let Some(at) = it.offset { (offset(at)) } }
                        td data-label="Place" { code .place { (short(&it.place)) } }
                        td data-label="Reason" { (short(&it.message)) }
                    }
                }
            }
        }
        (more("undecoded.more", undecoded.more()))
    };
    (undecoded.total > 0).then_some(Section::expert("undecoded", "Entries that do not decode", body))
}
