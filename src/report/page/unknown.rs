//! Unknown and foreign files.

use maud::html;

use super::Section;
use super::words::{more, number, path, s};
use crate::report::HtmlReport;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let unknown = &run.unknown;
    let body = html! {
        p .note { "Not recognized by content or name." }
        ul .paths { @for it in &unknown.shown { li { (path(it)) } } }
        (more("unknown.more", unknown.more()))
    };
    (unknown.total > 0).then_some(Section::new("unknown", "Unknown files", body))
}

pub(super) fn foreign(run: &HtmlReport) -> Option<Section> {
    let body = html! {
        p .note { "Recognized, but not supported. Only the hashes are recorded." }
        @for (kind, files) in &run.foreign {
            details .rule {
                summary {
                    span .what { (kind) }
                    span .counts { (number(format!("foreign.{kind}"), files.total)) " file" (s(files.total)) }
                }
                ul .paths { @for it in &files.shown { li { (path(it)) } } }
                (more(&format!("foreign.{kind}.more"), files.more()))
            }
        }
    };
    (!run.foreign.is_empty()).then_some(Section::new("foreign", "Foreign files", body))
}
