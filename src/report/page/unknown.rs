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
    let all = installs.shown.iter().map(|(root, it)| (root.as_str(), Certificate::of(it)));
    let all = all.chain(keyed.shown.iter().map(|(root, it)| (root.as_str(), Certificate::of_keys(it))));
    let all: Vec<(&str, Certificate<'_>)> = all.collect();
    let body = html! {
        @if all.len() > 1 { (overview(&all)) }
        @for (nth, (root, install)) in all.iter().enumerate() { (article(nth, root, install)) }
        (more("installs.more", installs.more() + keyed.more()))
    };
    (installs.total > 0 || keyed.total > 0).then_some(Section { id: "installs", title: "Installs", body })
}

/// What the page says of an install.
struct Certificate<'a> {
    title: &'a str,
    edition: String,
    basis: String,
    files: usize,
    as_sold: u64,
    unknown: u64,
    has_reference: bool,
    /// Names, each with a remark: known to differ, in a wrong place, missing, optional and absent, unexpected.
    lists: [Vec<(String, String)>; 5],
    /// What else is worth a look.
    notes: Vec<String>,
}

/// Returns a path from the root of its install.
fn inner(root: &str, path: &str) -> String {
    path.strip_prefix(root).unwrap_or(path).to_owned()
}

impl<'a> Certificate<'a> {
    fn of(install: &'a Install) -> Self {
        let (required, optional): (Vec<_>, Vec<_>) = install.missing.iter().partition(|(_, why)| *why == Why::Always);
        let standing = &install.standing;
        let inner = |path: &str| inner(&install.root, path);
        let differ = standing.differ.iter().map(|(path, why)| (inner(path), why.clone())).collect();
        let moved = standing.moved.iter().map(|it| (inner(&it.path), how_moved(it))).collect();
        let unlisted = unlisted(install).map(|it| (it.to_owned(), String::new())).collect();
        Self {
            title: install.game.map_or("Unknown game", Game::title),
            edition: install.edition.to_string(),
            basis: install.edition.basis(),
            files: install.files.len(),
            as_sold: standing.as_sold,
            unknown: standing.unknown,
            has_reference: standing.has_reference,
            lists: [differ, moved, names(&required), names(&optional), unlisted],
            notes: Vec::new(),
        }
    }

    /// Returns the game and the edition.
    fn name(&self) -> String {
        let separator = if self.edition.is_empty() { "" } else { ", " };
        format!("{}{separator}{}", self.title, self.edition)
    }

    fn of_keys(install: &'a aurora::Install) -> Self {
        let missing = install.missing().map(|(path, key)| (path.to_owned(), format!("named by {key}")));
        let unnamed = install.unnamed().map(|path| (path.to_owned(), String::new()));
        let standing = &install.standing;
        let differ = standing.differ.iter().map(|(path, why)| (inner(&install.root, path), why.clone())).collect();
        Self {
            title: Game::Neverwinter.title(),
            edition: install.edition.to_string(),
            basis: install.basis(),
            files: install.files,
            as_sold: standing.as_sold,
            unknown: standing.unknown,
            has_reference: standing.has_reference,
            lists: [differ, Vec::new(), missing.collect(), Vec::new(), unnamed.collect()],
            notes: install.others().map(ToString::to_string).collect(),
        }
    }
}

/// Returns a row for each of several installs, with links to their certificates.
fn overview(installs: &[(&str, Certificate<'_>)]) -> Markup {
    let heads = [
        ("Files", ".files"),
        ("As sold", ".as_sold"),
        ("Differ", ".differs"),
        ("Moved", ".moved"),
        ("Missing", ".missing"),
        ("Unexpected", ".unlisted"),
    ];
    html! {
        table .cards .installs {
            thead { tr { th { "Install" } th { "Folder" } @for (head, _) in heads { th .n { (head) } } } }
            tbody {
                @for (nth, (root, it)) in installs.iter().enumerate() {
                    @let count = |list: usize| it.lists.get(list).map_or(0, |names| wide(names.len()));
                    @let counts = [wide(it.files), it.as_sold, count(0), count(1), count(2), count(4)];
                    tr data-of={ "install." (short(root)) } {
                        th scope="row" { a href={ "#install-" (nth) } { (it.name()) } }
                        td { (path(root)) }
                        @for ((head, key), count) in heads.into_iter().zip(counts) {
                            @let is_bad = count > 0 && matches!(head, "Differ" | "Missing");
                            td .n .none[count == 0] .bad[is_bad] data-label=(head) { (number(key, count)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the certificate of an install: what it is, how many files are as sold, what differs, what is missing.
fn article(nth: usize, root: &str, install: &Certificate<'_>) -> Markup {
    let words = [
        ("differ", ["", " known to differ"]),
        ("moved", ["", " in a wrong place"]),
        ("missing", ["required ", " missing"]),
        ("explained", ["optional ", " absent"]),
        ("unlisted", ["unexpected ", ""]),
    ];
    let differ = install.lists.first().map_or(0, |differ| wide(differ.len()));
    let files = wide(install.files);
    html! {
        article id={ "install-" (nth) } data-of={ "install." (short(root)) } {
            h3 { (install.name()) }
            p .about {
                "In " (path(root)) ". "
                @if install.basis.is_empty() { "The edition is not identified." }
                @else { "Evidence of the edition: " (short(&install.basis)) "." }
            }
            p .about {
                (number(".as_sold", install.as_sold)) " of " (number(".files", files)) " file" (s(files)) " as sold, "
                (number(".differs", differ)) " known to differ, " (number(".unknown", install.unknown)) " unknown"
                @if !install.has_reference { " (no digests of this game are known)" } "."
            }
            @for ((key, [before, after]), names) in words.into_iter().zip(&install.lists) {
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
            @for note in install.notes.iter().take(NAMES) { p .about { (short(note)) } }
        }
    }
}

/// Returns names, with the reasons why optional ones can be missing.
fn names(missing: &[&(String, Why)]) -> Vec<(String, String)> {
    let why = |why: Why| if why == Why::Always { String::new() } else { why_missing(why) };
    missing.iter().map(|(name, it)| (name.clone(), why(*it))).collect()
}
