//! Unknown and foreign files, and the installs among all files.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, path, s, short};
use crate::field::wide;
use crate::kind::Game;
use crate::report::{HtmlReport, unlisted, why_missing};
use crate::zipper::install::{Install, Why};

/// The number of names that are shown of a list of an install.
const NAMES: usize = 100;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let unknown = &run.unknown;
    let body = html! {
        p .note { "Not recognized by content or name." }
        ul .paths { @for it in &unknown.shown { li { (path(it)) } } }
        (more("unknown.more", unknown.more()))
    };
    (unknown.total > 0).then_some(Section { id: "unknown", title: "Unknown files", body })
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
    (!run.foreign.is_empty()).then_some(Section { id: "foreign", title: "Foreign files", body })
}

pub(super) fn installs(run: &HtmlReport) -> Option<Section> {
    let installs = &run.installs;
    let body = html! {
        @for (root, it) in &installs.shown { (install(root, it)) }
        (more("installs.more", installs.more()))
    };
    (installs.total > 0).then_some(Section { id: "installs", title: "Installs", body })
}

fn install(root: &str, install: &Install) -> Markup {
    let edition = install.edition.to_string();
    let (required, optional): (Vec<_>, Vec<_>) = install.missing.iter().partition(|(_, why)| *why == Why::Always);
    let lists = [
        ("missing", ["required ", " missing"], names(&required)),
        ("explained", ["optional ", " absent"], names(&optional)),
        ("unlisted", ["unexpected ", ""], unlisted(install).map(|it| (it, String::new())).collect()),
    ];
    let files = wide(install.files.len());
    html! {
        article data-of={ "install." (short(root)) } {
            h3 {
                (install.game.map_or("Unknown game", Game::title))
                @if !edition.is_empty() { " (" (edition) ")" }
            }
            p .about { (number(".files", files)) " file" (s(files)) ", in " (path(root)) }
            @for (key, [before, after], names) in lists {
                @if !names.is_empty() {
                    @let count = wide(names.len());
                    details .rule {
                        summary { span .what { (number(format!(".{key}"), count)) " " (before) "file" (s(count)) (after) } }
                        ul .paths {
                            @for (name, why) in names.iter().take(NAMES) {
                                li { (path(name)) @if !why.is_empty() { " " span .soft { (short(why)) } } }
                            }
                        }
                        (more(&format!(".{key}.more"), count.saturating_sub(wide(NAMES))))
                    }
                }
            }
        }
    }
}

/// Returns names, with the reasons why optional ones can be missing.
fn names<'a>(missing: &[&'a (String, Why)]) -> Vec<(&'a str, String)> {
    let why = |why: Why| if why == Why::Always { String::new() } else { why_missing(why) };
    missing.iter().map(|(name, it)| (name.as_str(), why(*it))).collect()
}
