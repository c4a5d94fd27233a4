//! Files that are none of ours, and the installs among all.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, path, s, short};
use crate::field::wide;
use crate::kind::Game;
use crate::report::{Account, unlisted, why_missing};
use crate::zipper::install::{Install, Why};

/// Names that are shown of a list of an install.
const NAMES: usize = 100;

pub(super) fn section(account: &Account) -> Option<Section> {
    let unknown = &account.unrecognised;
    let body = html! {
        p .note { "Neither content nor name is known." }
        ul .paths { @for it in &unknown.shown { li { (path(it)) } } }
        (more("unrecognised.more", unknown.more()))
    };
    (unknown.total > 0).then_some(Section { id: "unknown", title: "Unknown files", body })
}

pub(super) fn foreign(account: &Account) -> Option<Section> {
    let body = html! {
        p .note { "Known kinds that are none of these games' own: named and hashed, never taken apart." }
        @for (kind, files) in &account.foreign {
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
    (!account.foreign.is_empty()).then_some(Section { id: "foreign", title: "Foreign files", body })
}

pub(super) fn installs(account: &Account) -> Option<Section> {
    let installs = &account.installs;
    let body = html! {
        @for (root, it) in &installs.shown { (install(root, it)) }
        (more("installs.more", installs.more()))
    };
    (installs.total > 0).then_some(Section { id: "installs", title: "Installs", body })
}

fn install(root: &str, install: &Install) -> Markup {
    let edition = install.edition.to_string();
    let (lacks, may_lack): (Vec<_>, Vec<_>) = install.missing.iter().partition(|(_, why)| *why == Why::Always);
    let strangers: Vec<&str> = unlisted(install).collect();
    let lists = [
        ("missing", "missing", names(&lacks)),
        ("explained", "missing that an option, a patch or the disc explains", names(&may_lack)),
        ("unlisted", "that no list of the game has", strangers.into_iter().map(|it| (it, "")).collect()),
    ];
    let files = wide(install.files.len());
    html! {
        article data-of={ "install." (short(root)) } {
            h3 {
                (install.game.map_or("A game that nothing tells", Game::title))
                @if !edition.is_empty() { " (" (edition) ")" }
            }
            p .about { (number(".files", files)) " file" (s(files)) ", in " (path(root)) }
            @for (key, words, names) in lists {
                @if !names.is_empty() {
                    @let count = wide(names.len());
                    details .rule {
                        summary { span .what { (number(format!(".{key}"), count)) " file" (s(count)) " " (words) } }
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

/// Names, and why they may be missing where that is not said already.
fn names<'a>(missing: &[&'a (String, Why)]) -> Vec<(&'a str, &'static str)> {
    let why = |why: Why| if why == Why::Always { "" } else { why_missing(why) };
    missing.iter().map(|(name, it)| (name.as_str(), why(*it))).collect()
}
