//! The table by game and kind.

use maud::{Markup, html};

use super::Section;
use super::words::number;
use crate::registry::KINDS;
use crate::report::{HtmlReport, percent};
use crate::verify::{Sort, Sum};
use field::Class;
use kind::{Game, named};

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let mut rows: Vec<_> = run.summary.tally.rows().collect();
    // Files of one game come before files that can belong to several.
    rows.sort_by_key(|(games, ..)| games.len().wrapping_sub(1));
    let mut total = Sum::default();
    rows.iter().for_each(|(_, _, sum)| total.add(sum));
    let body = html! {
        table .cards .kinds {
            thead {
                tr {
                    th { "Kind" }
                    @for head in ["Files", "Failed", "Bytes", "Opaque", "Deviations", "Undecoded"] { th .n { (head) } }
                }
            }
            @for group in rows.chunk_by(|one, other| one.0 == other.0) {
                @let games = group.first().map(|row| row.0).unwrap_or_default();
                tbody {
                    tr .game { th colspan="7" scope="rowgroup" { (titles(games)) } }
                    @for (_, kind, sum) in group {
                        tr {
                            th scope="row" { (kind) " " span .soft { (title(*kind)) } }
                            (cells(&format!("{}.{kind}", codes(games)).replace(' ', "-"), sum))
                        }
                    }
                }
            }
            tfoot { tr { th scope="row" { "All" } (cells("all", &total)) } }
        }
        p .note {
            "Opaque: share of bytes whose meaning is not yet known. Deviations: files with values that the format specs do not "
            "expect. Undecoded: files with entries that do not decode. All are preserved."
        }
    };
    (!rows.is_empty()).then_some(Section::new("kinds", "Games and kinds", body))
}

fn cells(key: &str, sum: &Sum) -> Markup {
    let opaque = percent(sum.census.of(Class::Opaque), sum.census.total());
    let cell = |name: &str, label: &str, count: u64, bad: bool| {
        html! { td .n .none[count == 0] .bad[bad] data-label=(label) { (number(format!("kind.{key}.{name}"), count)) } }
    };
    html! {
        (cell("files", "Files", sum.files, false))
        (cell("failed", "Failed", sum.failed(), sum.failed() > 0))
        (cell("bytes", "Bytes", sum.bytes, false))
        td .n .none[sum.census.opaque == 0] data-label="Opaque" {
            data value=(opaque.trim_end_matches('%')) data-key=(format!("kind.{key}.opaque")) { (opaque) }
        }
        (cell("deviating", "Deviations", sum.deviating, false))
        (cell("undecoded", "Undecoded", sum.undecoded, false))
    }
}

/// Returns the titles of the games.
fn titles(games: &[Game]) -> String {
    let titles: Vec<&str> = games.iter().map(|game| game.title()).collect();
    match titles.split_last() {
        None => "Game not identified".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// Returns the codes of the games, as in the summary of `--json`.
fn codes(games: &[Game]) -> String {
    games.iter().map(|game| game.code()).collect::<Vec<_>>().join("|")
}

/// Returns the title of a kind.
fn title(sort: Sort) -> &'static str {
    // What an archive holds is said with its kind.
    let kind = sort.kind.filter(|_| sort.holds.is_none());
    kind.and_then(|kind| named(KINDS, kind)).map_or("", |it| it.title)
}
