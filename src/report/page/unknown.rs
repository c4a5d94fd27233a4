//! Unknown and foreign files, and the installs among all files.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, path, s, short};
use crate::aurora::install as aurora;
use crate::field::wide;
use crate::kind::Game;
use crate::report::{HtmlReport, how_moved, unlisted, why_missing};
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
    let (installs, keyed) = (&run.installs, &run.keyed);
    let body = html! {
        @for (root, it) in &installs.shown { (install(root, it)) }
        @for (root, it) in &keyed.shown { (of_keys(root, it)) }
        (more("installs.more", installs.more().saturating_add(keyed.more())))
    };
    (installs.total > 0 || keyed.total > 0).then_some(Section { id: "installs", title: "Installs", body })
}

/// Returns the certificate of an install: what it is, how many files are as sold, what differs, what is missing.
fn install(root: &str, install: &Install) -> Markup {
    let (required, optional): (Vec<_>, Vec<_>) = install.missing.iter().partition(|(_, why)| *why == Why::Always);
    let standing = &install.standing;
    let inner = |path: &'_ str| path.strip_prefix(&*install.root).unwrap_or(path).to_owned();
    let differ: Vec<_> = standing.differ.iter().map(|(path, why)| (inner(path), why.clone())).collect();
    let moved: Vec<_> = standing.moved.iter().map(|it| (inner(&it.path), how_moved(it))).collect();
    let unlisted = unlisted(install).map(|it| (it.to_owned(), String::new())).collect();
    let lists = [
        ("differ", ["", " known to differ"], differ),
        ("moved", ["", " in a wrong place"], moved),
        ("missing", ["required ", " missing"], names(&required)),
        ("explained", ["optional ", " absent"], names(&optional)),
        ("unlisted", ["unexpected ", ""], unlisted),
    ];
    let files = wide(install.files.len());
    html! {
        article data-of={ "install." (short(root)) } {
            h3 { (install.game.map_or("Unknown game", Game::title)) @if !install.edition.marks().is_empty() { ", " (install.edition.to_string()) } }
            p .about {
                "In " (path(root)) ". "
                @match install.edition.basis() {
                    basis if basis.is_empty() => { "The edition is not identified." }
                    basis => { "Evidence of the edition: " (short(basis)) "." }
                }
            }
            p .about {
                (number(".as_sold", standing.as_sold)) " of " (number(".files", files)) " file" (s(files)) " as sold, "
                (number(".differs", wide(standing.differ.len()))) " known to differ, " (number(".unknown", standing.unknown)) " unknown"
                @if !standing.has_reference { " (no digests of this game are known)" } "."
            }
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

/// Returns what is known of an install whose KEYs name its files.
fn of_keys(root: &str, install: &aurora::Install) -> Markup {
    let findings: Vec<String> = install.findings.iter().map(ToString::to_string).collect();
    let count = wide(findings.len());
    html! {
        article data-of={ "install." (short(root)) } {
            h3 { (Game::Neverwinter.title()) ", " (install.edition.to_string()) }
            p .about { "In " (path(root)) ". " (short(&install.sentence())) "." }
            @if !findings.is_empty() {
                details .rule {
                    summary { span .what { (number(".findings", count)) " finding" (s(count)) } }
                    ul .paths { @for finding in findings.iter().take(NAMES) { li { (path(finding)) } } }
                    (more(".findings.more", count.saturating_sub(wide(NAMES))))
                }
            }
        }
    }
}

/// Returns names, with the reasons why optional ones can be missing.
fn names(missing: &[&(String, Why)]) -> Vec<(String, String)> {
    let why = |why: Why| if why == Why::Always { String::new() } else { why_missing(why) };
    missing.iter().map(|(name, it)| (name.clone(), why(*it))).collect()
}
