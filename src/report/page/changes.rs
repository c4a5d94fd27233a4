//! The changes of the files since a snapshot.

use maud::html;

use super::Section;
use super::words::{more, number, path};
use crate::report::HtmlReport;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let body = html! {
        ul .inline {
            @for (change, count) in &run.summary.finding { li { (number(format!("finding.{change}"), *count)) " " (change) } }
        }
        table .cards {
            thead { tr { th { "Finding" } th { "File" } th { "Differences" } } }
            tbody {
                @for finding in &run.findings.shown {
                    @let aspects: Vec<&str> = finding.differences.iter().map(|it| it.aspect.name()).collect();
                    tr {
                        td { (finding.change.name()) }
                        td { (path(&finding.path)) }
                        td { (aspects.join(", ")) }
                    }
                }
            }
        }
        (more("finding.more", run.findings.more()))
    };
    (run.findings.total > 0).then_some(Section { id: "changes", title: "Changes since the snapshot", body })
}
