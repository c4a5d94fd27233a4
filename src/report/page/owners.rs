//! The census: bytes counted by class, with one bar per kind.

use maud::{Markup, html};

use super::Section;
use super::words::{number, share};
use crate::report::HtmlReport;
use field::Class;
use passes::Census;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let kinds = run.summary.tally.by_kind();
    let mut all = Census::default();
    kinds.values().for_each(|sum| all.add(&sum.census));
    let rows =
        || kinds.iter().filter(|(_, sum)| sum.census.total() > 0).map(|(kind, sum)| (kind.to_string(), &sum.census));
    let body = html! {
        table .cards .classes {
            thead { tr { th { "Class" } th { "Meaning" } th .n { "Bytes" } th .n { "Share" } } }
            tbody {
                @for class in Class::ALL {
                    @let (name, bytes) = (class.name(), all.of(class));
                    tr .none[bytes == 0] {
                        th scope="row" { i .swatch .(name) {} " " (name) }
                        td .soft { (reason(class)) }
                        td .n data-label="Bytes" { (number(format!("census.{name}"), bytes)) }
                        td .n data-label="Share" { (share(bytes, all.total())) }
                    }
                }
            }
        }
        dl .bars {
            (bar("all kinds", &all))
            @for (kind, census) in rows() { (bar(&kind, census)) }
        }
        details {
            summary { "Numbers of the bars" }
            table .cards .wide {
                thead { tr { th { "Kind" } @for class in Class::ALL { th .n { (class.name()) } } } }
                tbody {
                    @for (kind, census) in rows() {
                        tr {
                            th scope="row" { (kind) }
                            @for class in Class::ALL {
                                @let (name, bytes) = (class.name(), census.of(class));
                                td .n .none[bytes == 0] data-label=(name) { (number(format!("census.{}.{name}", kind.replace(' ', "-")), bytes)) }
                            }
                        }
                    }
                }
            }
        }
    };
    (all.total() > 0).then_some(Section::expert("bytes", "Census", body))
}

/// Returns a bar of all classes in order. Every class with bytes is wide enough to be seen.
fn bar(kind: &str, census: &Census) -> Markup {
    let present = || Class::ALL.into_iter().filter(|class| census.of(*class) > 0);
    let share = |class: Class| format!("{} {}", class.name(), share(census.of(class), census.total()));
    html! {
        div {
            dt { (kind) }
            dd {
                div .bar role="img" aria-label=(present().map(share).collect::<Vec<_>>().join(", ")) data-kind=(kind) {
                    @for class in present() {
                        i .(class.name()) title=(share(class)) style={ "flex-grow:" (census.of(class)) } {}
                    }
                }
            }
        }
    }
}

const fn reason(class: Class) -> &'static str {
    match class {
        Class::Semantic => "values that the game uses",
        Class::Derived => "values that a rule computes, such as counts, offsets and checksums",
        Class::Reserved => "constants that are equal in every known file",
        Class::Pointer => "memory addresses of the program that wrote the file",
        Class::Stale => "leftover memory that was not cleared before it was written",
        Class::Padding => "alignment and gaps",
        Class::Opaque => "bytes whose meaning is not yet known",
    }
}
