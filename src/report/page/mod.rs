//! The page: one file of HTML that needs nothing else, and runs nothing.
//!
//! Its numbers are `data` elements, each with a key that says which number of the rows it is. Outside of the head the page is
//! XML as well.

mod changes;
mod computed;
mod failed;
mod kinds;
mod owners;
mod rules;
mod unknown;
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Account;
use crate::verify::Status;
use words::{number, path, s};

/// What a page says of the call.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What was to be verified.
    pub paths: &'a [String],
    /// Whether the files went by way of the exchange form.
    pub through_exchange: bool,
}

/// A part of the page: what the list at the top calls it, what is in it.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

impl Account {
    /// The page for people.
    #[must_use]
    pub fn page(&self, about: &About<'_>) -> String {
        let sections = [
            failed::section(self),
            changes::section(self),
            kinds::section(self),
            owners::section(self),
            rules::section(self),
            computed::section(self),
            rules::undecoded(self),
            unknown::section(self),
            unknown::foreign(self),
            unknown::installs(self),
        ];
        let sections: Vec<Section> = sections.into_iter().flatten().collect();
        let (verdict, title) = self.verdict();
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
                body {
                    header {
                        p .eyebrow { "bitexact " (env!("CARGO_PKG_VERSION")) " verify" }
                        h1 { (verdict) }
                        (self.lead(about))
                        (self.statuses())
                        @if sections.len() > 1 {
                            nav aria-label="Contents" {
                                ul { @for it in &sections { li { a href={ "#" (it.id) } { (it.title) } } } }
                            }
                        }
                    }
                    main {
                        @for it in &sections { section id=(it.id) { h2 { (it.title) } (it.body) } }
                    }
                    footer { (legend()) }
                }
            }
        };
        page.into_string()
    }

    /// What the run comes to in one sentence, as markup and as text.
    fn verdict(&self) -> (Markup, String) {
        let failed = self.failed.total;
        let known = self
            .summary
            .files
            .saturating_sub(self.summary.of(Status::Foreign))
            .saturating_sub(self.summary.of(Status::Unrecognised));
        let of_known = if known == self.summary.files { "" } else { " of known kinds" };
        let (before, (key, count), after) = match (failed, self.findings.total, known) {
            (0, 0, 0) => return (html! { "Nothing to verify" }, "Nothing to verify".to_owned()),
            (0, 0, 1) => ("", ("known", 1), format!(" file{of_known}, and it is identical")),
            (0, 0, _) => ("All ", ("known", known), format!(" files{of_known} are identical")),
            (0, 1, _) => ("", ("findings", 1), " file is not as it was".to_owned()),
            (0, found, _) => ("", ("findings", found), " files are not as they were".to_owned()),
            _ => (
                "",
                ("failed", failed),
                format!(" of {} file{} failed", words::grouped(self.summary.files), s(self.summary.files)),
            ),
        };
        (html! { (before) (number(key, count)) (after) }, format!("{before}{}{after}", words::grouped(count)))
    }

    fn lead(&self, about: &About<'_>) -> Markup {
        let shown = about.paths.iter().take(8);
        let more = crate::field::wide(about.paths.len().saturating_sub(8));
        html! {
            p .lead {
                (number("files", self.summary.files)) " file" (s(self.summary.files)) ", " (number("bytes", self.summary.bytes)) " bytes, in "
                @for (index, it) in shown.enumerate() { @if index > 0 { ", " } (path(it)) }
                @if more > 0 { " and " (words::grouped(more)) " more" }
                ". Each file of a known kind was decoded, "
                @if about.through_exchange { "written to the exchange form and read back from it, " }
                "laid out again, and hashed with SHA-256 on both sides."
                @if self.summary.pristine > 0 { " " (number("pristine", self.summary.pristine)) " of them as they were sold." }
            }
        }
    }

    fn statuses(&self) -> Markup {
        html! {
            dl .statuses {
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

/// What the words mean.
fn legend() -> Markup {
    let statuses = [
        ("identical", "decoded, laid out again, both hashes computed from bytes and equal"),
        ("different", "decoded, but the rewritten bytes differ: a bug of bitexact, please report it"),
        ("refused", "of a known kind by content or name, but it does not decode"),
        ("foreign", "a known kind that bitexact does not take apart: named and hashed"),
        ("unrecognised", "neither content nor name is known"),
        ("unreadable", "cannot be read from disk"),
    ];
    html! {
        h2 { "What the words mean" }
        dl .legend { @for (word, meaning) in statuses { div { dt { (word) } dd { (meaning) } } } }
        p {
            "A place such as " code { "data!0:/points/3" } " names the entries that lead in, then a pointer in the last of them; "
            "a star stands for every index. The numbers of this page are those of " code { "bitexact verify --json" } "."
        }
    }
}
