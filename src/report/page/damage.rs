//! The files in which bytes are lost, or may be.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, path, s};
use crate::report::text::plain;
use crate::report::{Damaged, HtmlReport};
use lint::Warning;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let (damaged, suspect) = (run.summary.damaged, run.summary.suspect);
    let body = html! {
        p .note { "These files need not fail: a file with lost bytes can be encoded again without a difference." }
        ul .inline {
            @if damaged > 0 { li { (number("damaged", damaged)) " file" (s(damaged)) " with lost or changed bytes" } }
            @if suspect > 0 { li { (number("suspect", suspect)) " file" (s(suspect)) " in which bytes may be lost" } }
        }
        @for it in &run.damage.shown { (file(it)) }
        (more("damage.more", run.damage.more()))
    };
    (run.damage.total > 0).then_some(Section::new("damage", "Damage", body))
}

fn file(Damaged { path: name, report }: &Damaged) -> Markup {
    html! {
        article .damaged data-of="damage" {
            @let severity = report.severity().unwrap_or_default();
            h3 { span .tag .bad[report.is_damaged()] { (severity) } " " (path(name)) }
            ul .paths {
                @for warning in &report.damage { li { (plain(&sentence(warning))) } }
            }
        }
    }
}

/// Returns a sign of damage with its place and with what to do, without the id and the format spec.
fn sentence(warning: &Warning) -> String {
    let more = if warning.count > 1 { format!(" (and {} more)", warning.count - 1) } else { String::new() };
    format!("{}: {}{more}; {}.", warning.first_place, warning.message(), warning.trap.effect)
}
