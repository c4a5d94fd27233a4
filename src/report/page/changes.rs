//! The changes of the files since a snapshot.

use maud::html;

use super::Section;
use super::words::{more, number, path};
use crate::report::Account;

pub(super) fn section(account: &Account) -> Option<Section> {
    let body = html! {
        ul .inline {
            @for (change, count) in &account.changes { li { (number(format!("finding.{change}"), *count)) " " (change) } }
        }
        table .cards {
            thead { tr { th { "Finding" } th { "File" } th { "Differences" } } }
            tbody {
                @for finding in &account.findings.shown {
                    @let aspects: Vec<&str> = finding.differences.iter().map(|it| it.aspect.name()).collect();
                    tr {
                        td { (finding.change.name()) }
                        td { (path(&finding.path)) }
                        td { (aspects.join(", ")) }
                    }
                }
            }
        }
        (more("finding.more", account.findings.more()))
    };
    (account.findings.total > 0).then_some(Section { id: "changes", title: "Changes since the snapshot", body })
}
