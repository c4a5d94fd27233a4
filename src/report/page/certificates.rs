//! The certificates of the installs: what each is, what differs, and a table of its files.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, path, s, short};
use crate::install::certificate::{Certificate, Checked, Missing};
use crate::install::known::Origin;
use crate::install::zipper::Why;
use crate::report::text::plain;
use crate::report::{HtmlReport, how_moved, why_lacking, why_missing};
use field::wide;
use output::printable::{first, grouped};

/// The number of names that are shown of a list of an install.
const NAMES: usize = 100;
/// The number of places in a file, and of sources of a list, that are shown.
const SOME: usize = 3;
/// The number of files in all tables of a page, so that it stays small.
const FILES: usize = 5000;
/// The number of files up to which a table is shown at once.
const FEW: usize = 200;
/// The digits of a SHA-256 that tell files apart at a glance.
const DIGITS: usize = 16;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let installs = &run.installs;
    let mut rest = FILES;
    let mut room = |files: usize| {
        let shown = files.min(rest);
        rest -= shown;
        shown
    };
    let body = html! {
        @if installs.shown.len() > 1 { (overview(&installs.shown)) }
        @let is_one = installs.total == 1;
        @for (nth, install) in installs.shown.iter().enumerate() { (article(nth, install, is_one, room(install.files.len()))) }
        (more("installs.more", installs.more()))
    };
    (installs.total > 0).then_some(Section::new(
        "installs",
        if installs.total == 1 { "Certificate" } else { "Installs" },
        body,
    ))
}

/// Returns the files of folders without an install.
pub(super) fn folders(run: &HtmlReport) -> Option<Section> {
    let (folder, files, digest) = run.folder.as_ref()?;
    let body = html! {
        @if let Some(sha256) = digest { (whole(&sha256.to_string())) }
        (table(files, files.len().min(FILES), &|file| state(None, file)))
    };
    (!files.is_empty()).then(|| Section::new("list", &format!("Files in {}", short(folder)), body))
}

/// Returns a row for each of several installs, with links to their certificates.
fn overview(installs: &[Certificate]) -> Markup {
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
                @for (nth, it) in installs.iter().enumerate() {
                    @let standing = &it.standing;
                    @let lists = [standing.differ.len(), standing.moved.len(), it.required().count(), it.unexpected.len()];
                    @let [differ, moved, missing, unexpected] = lists.map(wide);
                    @let counts = [it.count(), standing.as_sold, differ, moved, missing, unexpected];
                    tr data-of={ "install." (short(&it.root)) } {
                        th scope="row" { a href={ "#install-" (nth) } { (short(it.name())) } " " (verdict(it)) }
                        td { (path(&it.root)) }
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

/// Returns the verdict as a word with its color.
pub(super) fn verdict(install: &Certificate) -> Markup {
    let it = install.verdict();
    html! { span .tag .bad[it.is_bad()] .fine[it.is_fine()] .warn[!it.is_bad() && !it.is_fine()] { (it.word()) } }
}

/// Returns the certificate of an install: what it is, how many files are as sold, what differs, what is missing, and its files. If it is the
/// only one, the sentence is the headline of the page.
fn article(nth: usize, install: &Certificate, is_one: bool, shown: usize) -> Markup {
    let standing = &install.standing;
    let list = |pairs: &[(String, String)]| pairs.to_vec();
    let moved = standing.moved.iter().map(|it| (it.path.clone(), how_moved(it))).collect();
    let unexpected = install.unexpected.iter().map(|it| (it.clone(), String::new())).collect();
    let equal = |(path, other): &(String, String)| (path.clone(), format!("the same bytes as {other}"));
    let rival = |(path, other): &(String, String)| (path.clone(), format!("differs from {other} only in case"));
    let unread = install.unread().map(|(path, why)| (path.to_owned(), why.to_owned())).collect();
    let doubtful = |of: fn(&Checked) -> &[String], words: &str| -> Vec<(String, String)> {
        let files = install.files.iter().filter(|file| file.is_doubtful() && !of(file).is_empty());
        files.map(|file| (file.path.clone(), format!("{words}{}", first(of(file), SOME)))).collect()
    };
    let unfound = install.unfound.iter().map(|it| (it.path.clone(), it.why.map_or_else(String::new, why_missing)));
    let lists = [
        ("differ", ["", " known to differ"], list(&standing.differ)),
        ("moved", ["", " in a wrong place"], moved),
        ("alike", ["", " equal to another"], install.alike.iter().map(equal).collect()),
        ("copied", ["", " with the bytes of another"], standing.copies.iter().map(equal).collect()),
        ("rivals", ["", " with the place of another"], install.rivals.iter().map(rival).collect()),
        ("not_read", ["", " not read"], unread),
        ("checksums", ["", " with a checksum that does not fit"], doubtful(|file| &file.checksums, "")),
        ("undecoded", ["", " with entries that do not decode"], doubtful(|file| &file.undecoded, "")),
        ("missing", ["required ", " missing"], names(install.required())),
        ("explained", ["optional ", " absent"], names(install.optional())),
        ("not_found", ["listed ", " absent"], unfound.collect()),
        ("unlisted", ["unexpected ", ""], unexpected),
    ];
    let differ = wide(standing.differ.len());
    html! {
        article id={ "install-" (nth) } data-of={ "install." (short(&install.root)) } {
            @if is_one { h3 { (short(install.name())) } }
            @else {
                h3 { (verdict(install)) " " (short(install.name())) }
                p { (plain(&install.sentence())) }
            }
            p .about {
                "In " (path(&install.root)) ". "
                @if install.basis.is_empty() { "The edition is not identified." }
                @else { "Evidence of the edition: " (short(&install.basis)) "." }
            }
            p .about {
                (number(".as_sold", standing.as_sold)) " of " (number(".files", install.count())) " file" (s(install.count())) " "
                (install.sold()) ", "
                @if let Some(list) = &install.list { (number(".as_listed", standing.as_listed)) " as in " (short(&list.name)) ", " }
                (number(".differs", differ)) " known to differ, " (number(".unknown", standing.unknown)) " unknown"
                @if !standing.has_reference { " (no digests of this game are known)" } "."
            }
            @if let Some(list) = &install.list { (origin(list)) }
            @for (key, [before, after], names) in &lists {
                @if !names.is_empty() {
                    @let count = wide(names.len());
                    @let is_short = names.len() <= 10 && *key != "explained";
                    details .rule open=[is_short.then_some("")] {
                        summary { span .what { (number(format!(".{key}"), count)) " " (before) "file" (s(count)) (after) } }
                        ul .paths {
                            @for (name, why) in names.iter().take(NAMES) {
                                li { (path(name)) @if !why.is_empty() { " " span .soft { (plain(why)) } } }
                            }
                        }
                        (more(&format!(".{key}.more"), count.saturating_sub(wide(NAMES))))
                    }
                }
            }
            @for (path, why) in install.resized.iter().take(NAMES) { p .about { (plain(path)) ": " (plain(why)) } }
            @for note in install.notes.iter().take(NAMES) { p .about { (plain(note)) } }
            @if let Some(sha256) = install.digest() { (whole(&sha256.to_string())) }
            (table(&install.files, shown, &|file| state(Some(install), file)))
        }
    }
}

/// Returns what the list of the user's is: what it says is as good as its source.
fn origin(list: &Origin) -> Markup {
    html! {
        p .about {
            "Compared with the list " (short(&list.name)) ", which is not one of bitexact: " (grouped(list.entries)) " file" (s(list.entries))
            @if let Some(sha256) = list.sha256 { ", SHA-256 " code { (sha256) } }
            @if list.sources.is_empty() { ", without a source." } @else { ", source: " (plain(&first(&list.sources, SOME))) "." }
        }
    }
}

/// Returns the digest of all files, and how others compute it.
fn whole(sha256: &str) -> Markup {
    html! {
        p .whole { "SHA-256 of the whole: " code { (sha256) } }
        p .about {
            "It is that of the list of all files, which others get in the folder by "
            code { "find -L . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum" } "."
        }
    }
}

/// Returns the table of some files with their hashes, of which the first are shown.
fn table(files: &[Checked], shown: usize, state: &dyn Fn(&Checked) -> (&'static str, bool)) -> Markup {
    let total = wide(files.len());
    html! {
        details .rule open=[(files.len() <= FEW).then_some("")] {
            summary { span .what { (grouped(total)) " file" (s(total)) " with SHA-256" } }
            table .cards .hashes {
                thead { tr { th { "File" } th .n { "Bytes" } th { "SHA-256, beginning" } th { "State" } } }
                tbody {
                    @for file in files.iter().take(shown) {
                        @let (state, is_bad) = state(file);
                        @let sha256 = file.sha256.map(|sha256| sha256.to_string());
                        tr {
                            td { (path(&file.path)) }
                            td .n { (grouped(file.bytes)) }
                            td { code title=[sha256.as_deref()] { (sha256.as_deref().and_then(|it| it.get(..DIGITS)).unwrap_or("cannot be read")) } }
                            td .bad[is_bad] { (state) }
                        }
                    }
                }
            }
            @if files.len() > shown {
                p .more { "and " (grouped(wide(files.len() - shown))) " more, in the rows of " code { "--json" } }
            }
        }
    }
}

/// Returns what is known of a file in a few words, and whether it is bad.
fn state(install: Option<&Certificate>, file: &Checked) -> (&'static str, bool) {
    let is_in = |list: &[(String, String)]| list.iter().any(|(path, _)| *path == file.path);
    let standing = install.map(|install| &install.standing);
    if file.status.is_failure() {
        return (file.status.name(), true);
    }
    match standing {
        _ if file.is_damaged() => ("damaged", true),
        Some(standing) if standing.mixed_up.contains(&file.path) => ("in the place of another", true),
        Some(standing) if is_in(&standing.differ) => ("differs", true),
        Some(standing) if standing.moved.iter().any(|it| it.path == file.path) => ("in a wrong place", true),
        Some(standing) if is_in(&standing.copies) => ("a copy", false),
        _ if file.severity == Some("suspect") => ("may be damaged", false),
        _ if file.is_listed => ("as in the list", false),
        _ if file.is_doubtful() => ("doubtful", false),
        _ if file.is_pristine => (install.map_or("as sold", Certificate::sold), false),
        _ => (file.status.name(), false),
    }
}

/// Returns names, with the reasons why optional ones can be missing.
fn names<'a>(missing: impl Iterator<Item = &'a Missing>) -> Vec<(String, String)> {
    let is_plain = |it: &Missing| it.why == Why::Always && it.named_in.is_none() && it.found.is_none();
    let why = |it: &Missing| if is_plain(it) { String::new() } else { why_lacking(it) };
    missing.map(|it| (it.path.clone(), why(it))).collect()
}
