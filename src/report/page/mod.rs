//! The HTML page: one file without scripts or external resources. Many images are on further pages beside it.
//!
//! Its numbers are `data` elements, each with a key that names the number in the JSON rows. Except for the `head` element, the
//! page is also XML.

mod certificates;
mod changes;
mod computed;
mod damage;
mod failed;
mod kinds;
mod owners;
mod rules;
mod sheets;
mod strips;
mod unknown;
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{About, HtmlReport, text};
use crate::install::certificate::Certificate;
use crate::verify::Status;
use words::{number, path, s};

/// Returns a page with a title and a body.
fn framed(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – bitexact" }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// A section of the page, with its title in the list at the top.
struct Section {
    id: &'static str,
    title: String,
    body: Markup,
    /// `true` if only experts need it, so that it is folded.
    is_expert: bool,
}

impl Section {
    fn new(id: &'static str, title: &str, body: Markup) -> Self {
        Self { id, title: title.to_owned(), body, is_expert: false }
    }

    /// Returns a section that only experts need.
    fn expert(id: &'static str, title: &str, body: Markup) -> Self {
        Self { is_expert: true, ..Self::new(id, title, body) }
    }
}

impl HtmlReport {
    /// Returns the page with everything in it.
    #[must_use]
    pub fn page(&self, about: &About<'_>) -> String {
        self.page_beside(about, None)
    }

    /// Returns the page for a file of this name, then pages for files beside it, each with its file name: the images of a large install,
    /// which the browser loads when they are opened.
    #[must_use]
    pub fn pages(&self, about: &About<'_>, name: &str) -> Vec<(String, String)> {
        let images = (1..).zip(sheets::groups(self).unwrap_or_default());
        let images = images.map(|(nth, sheets)| (sheets::page_name(name, nth), sheets::page(sheets, name)));
        [(name.to_owned(), self.page_beside(about, Some(name)))].into_iter().chain(images).collect()
    }

    fn page_beside(&self, about: &About<'_>, name: Option<&str>) -> String {
        let sections = [
            failed::section(self),
            damage::section(self),
            changes::section(self),
            certificates::section(self),
            certificates::folders(self),
            kinds::section(self),
            owners::section(self),
            strips::section(self),
            sheets::section(self, name),
            rules::section(self),
            computed::section(self),
            rules::undecoded(self),
            unknown::section(self),
            unknown::foreign(self),
        ];
        let sections: Vec<Section> = sections.into_iter().flatten().collect();
        let (verdict, title) = self.verdict();
        let title = self.shown_install().map_or(title, |install| self.headline(install));
        let body = html! {
            header {
                p .eyebrow { "bitexact " (env!("CARGO_PKG_VERSION")) " verify" }
                @if let Some(install) = self.shown_install() {
                    h1 {
                        @if self.installs.total == 1 { (certificates::verdict(install)) " " }
                        (text::plain(&self.headline(install)))
                    }
                    @if self.installs.total == 1 {
                        p .lead { (text::plain(&install.sentences().into_iter().skip(1).collect::<Vec<_>>().join(" "))) }
                    }
                    p .lead { (verdict) "." }
                } @else {
                    h1 { (verdict) }
                }
                (self.lead(about))
                (self.statuses())
                @if sections.len() > 1 {
                    nav aria-label="Contents" {
                        ul { @for it in &sections { li { a href={ "#" (it.id) } { (it.title) } } } }
                    }
                }
            }
            main {
                @for it in &sections {
                    section id=(it.id) {
                        @if it.is_expert { details .experts { summary { h2 { (it.title) } } (it.body) } }
                        @else { h2 { (it.title) } (it.body) }
                    }
                }
            }
            footer { (legend()) }
        };
        framed(&title, &body)
    }

    /// Returns the first install, unless the page is about the changes since a snapshot.
    fn shown_install(&self) -> Option<&Certificate> {
        self.installs.shown.first().filter(|_| self.findings.total == 0)
    }

    /// Returns the sentence about the first install, or about several.
    fn headline(&self, install: &Certificate) -> String {
        if self.installs.total == 1 {
            return install.sentences().swap_remove(0);
        }
        let fine = self.installs.shown.iter().filter(|it| it.verdict().is_fine()).count();
        let of = words::grouped(self.installs.total);
        format!(
            "{} of {of} installs {} nothing wrong.",
            words::grouped(field::wide(fine)),
            if fine == 1 { "has" } else { "have" }
        )
    }

    /// Returns the result of the run in one sentence, as markup and as text.
    fn verdict(&self) -> (Markup, String) {
        let failed = self.failed.total;
        let known = self
            .summary
            .files
            .saturating_sub(self.summary.of(Status::Foreign))
            .saturating_sub(self.summary.of(Status::Unknown));
        let of_known = if known == self.summary.files { "" } else { " of supported kinds" };
        let (before, (key, count), after) = match (failed, self.findings.total, known) {
            (0, 0, 0) => return (html! { "Nothing to verify" }, "Nothing to verify".to_owned()),
            (0, 0, 1) => ("", ("known", 1), format!(" file{of_known} comes back bit for bit")),
            (0, 0, _) => ("All ", ("known", known), format!(" files{of_known} come back bit for bit")),
            (0, 1, _) => ("", ("findings", 1), " file differs from the snapshot".to_owned()),
            (0, found, _) => ("", ("findings", found), " files differ from the snapshot".to_owned()),
            (_, found, _) => {
                let files = format!(" of {} file{} failed", words::grouped(self.summary.files), s(self.summary.files));
                let differ = match found {
                    0 => String::new(),
                    1 => ", and 1 differs from the snapshot".to_owned(),
                    found => format!(", and {} differ from the snapshot", words::grouped(found)),
                };
                ("", ("failed", failed), files + &differ)
            }
        };
        (html! { (before) (number(key, count)) (after) }, format!("{before}{}{after}", words::grouped(count)))
    }

    fn lead(&self, about: &About<'_>) -> Markup {
        let shown = about.paths.iter().take(8);
        let more = field::wide(about.paths.len().saturating_sub(8));
        html! {
            p .lead {
                (number("files", self.summary.files)) " file" (s(self.summary.files)) ", " (number("bytes", self.summary.bytes)) " bytes, in "
                @for (index, it) in shown.enumerate() { @if index > 0 { ", " } (path(it)) }
                @if more > 0 { " and " (words::grouped(more)) " more" }
                ". Each file of a supported kind was decoded, "
                @if about.via_exchange { "written to the exchange format and read back, " }
                "encoded again and compared by SHA-256."
                @if self.summary.pristine > 0 {
                    " " (number("pristine", self.summary.pristine)) " file" (s(self.summary.pristine)) ""
                    @if self.summary.pristine == 1 { " is" } @else { " are" } " known to be as sold."
                }
            }
        }
    }

    fn statuses(&self) -> Markup {
        html! {
            dl .statuses {
                @if self.summary.damaged > 0 { div .bad { dt { "damaged" } dd { (number("damaged", self.summary.damaged)) } } }
                @for status in Status::ALL {
                    @let (count, name) = (self.summary.of(status), status.name());
                    div .none[count == 0] .bad[count > 0 && status.is_failure()] {
                        dt { (name) }
                        dd { (number(format!("status.{name}"), count)) }
                    }
                }
            }
        }
    }
}

/// Returns the meanings of the terms.
fn legend() -> Markup {
    let statuses = [
        ("identical", "decoded and encoded again, with equal SHA-256; this does not prove that the file is undamaged"),
        ("different", "decoded, but the re-encoded bytes differ (a bug in bitexact, please report it)"),
        ("refused", "recognized by content or name, but does not decode"),
        ("foreign", "recognized, but not supported; only hashed"),
        ("unknown", "not recognized by content or name; only hashed"),
        ("unreadable", "cannot be read from disk"),
    ];
    html! {
        h2 { "Glossary" }
        dl .legend { @for (word, meaning) in statuses { div { dt { (word) } dd { (meaning) } } } }
        p {
            "A place such as " code { "data!0:/points/3" } " names the entries from the outside in, then the field in the last one. "
            "A star matches every index. The numbers of this page are those of " code { "bitexact verify --json" } "."
        }
    }
}
