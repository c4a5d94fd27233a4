//! The changes of the files since a snapshot.

use maud::html;

use super::Section;
use super::words::{more, number, path, short};
use crate::install::snapshot::{Aspect, Finding};
use crate::report::HtmlReport;
use field::Value;

/// Returns what has changed, each aspect once; of a moved file also where it was.
fn aspects(finding: &Finding) -> String {
    let mut aspects: Vec<String> = Vec::new();
    for it in &finding.differences {
        let was = it.was.as_ref().and_then(Value::text).filter(|_| it.aspect == Aspect::Path);
        let aspect = was.map_or_else(|| it.aspect.name().to_owned(), |was| format!("was {}", short(was)));
        if !aspects.contains(&aspect) {
            aspects.push(aspect);
        }
    }
    aspects.join(", ")
}

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let body = html! {
        ul .inline {
            @for (change, count) in &run.summary.finding { li { (number(format!("finding.{change}"), *count)) " " (change) } }
        }
        table .cards {
            thead { tr { th { "Finding" } th { "File" } th { "Differences" } } }
            tbody {
                @for finding in &run.findings.shown {
                    @let aspects = aspects(finding);
                    tr {
                        td { span .word { (finding.change.name()) } }
                        td { (path(&finding.path)) }
                        td { (aspects) }
                    }
                }
            }
        }
        (more("finding.more", run.findings.more()))
    };
    (run.findings.total > 0).then_some(Section::new("changes", "Changes since the snapshot", body))
}
