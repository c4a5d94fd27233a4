//! The files that failed, each with the bytes around its error.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, offset, path, s, short};
use crate::report::excerpt::ROW;
use crate::report::{Excerpt, Failed, HtmlReport};
use field::wide;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let failed = &run.failed;
    let body = html! {
        @for it in &failed.shown { (file(it)) }
        (more("failed.more", failed.more()))
    };
    (failed.total > 0).then_some(Section::new("failed", "Failed files", body))
}

fn file(Failed { path: name, report, excerpt }: &Failed) -> Markup {
    html! {
        article .failed data-of="failed" data-status=(report.status.name()) {
            h3 { span .tag .bad { (report.status.name()) } " " (path(name)) }
            p .about {
                @if let Some(kind) = report.kind { (kind) ", " }
                @if report.sha256.is_some() {
                    (number(".bytes", report.bytes)) " byte" (s(report.bytes))
                }
            }
            @if let Some(failure) = &report.failure {
                p .why {
                    @if let Some(at) = failure.offset() { (offset(at)) " " }
                    @if let Some(place) = failure.place() { code .place { (short(place.to_string())) } " " }
                    @if report.is_internal() { "internal error: " }
                    span .message { (short(failure.message())) }
                }
            }
            @if let Some(excerpt) = excerpt { (hex(excerpt)) }
        }
    }
}

/// Returns rows of offset, bytes and letters, with the byte at the offset marked.
fn hex(excerpt: &Excerpt) -> Markup {
    let marked = excerpt.offset.saturating_sub(excerpt.start);
    let rows = excerpt.bytes.chunks(ROW).zip(0_u64..);
    html! {
        pre .hex {
            @for (row, index) in rows {
                @let start = index * wide(ROW);
                span .at { (format!("{:08x}", excerpt.start + start)) } " "
                @for (byte, at) in row.iter().zip(start..) {
                    " " @if at == marked { mark { (format!("{byte:02x}")) } } @else { (format!("{byte:02x}")) }
                }
                ("   ".repeat(ROW.saturating_sub(row.len()))) "  "
                span .letters {
                    @for (byte, at) in row.iter().zip(start..) {
                        @if at == marked { mark { (letter(*byte)) } } @else { (letter(*byte)) }
                    }
                }
                "\n"
            }
            @if excerpt.ends {
                @let end = excerpt.start + wide(excerpt.bytes.len());
                span .at { (format!("{end:08x}")) } "  "
                @if excerpt.offset == end { mark { "end of file" } } @else { span .at { "end of file" } } "\n"
            }
        }
    }
}

/// Returns a byte as a letter, or a dot.
fn letter(byte: u8) -> char {
    if byte.is_ascii_graphic() { char::from(byte) } else { '·' }
}
