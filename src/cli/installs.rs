//! The installs among the files of `verify`: for people, what each of them is, and as rows.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use bitexact::field::wide;
use bitexact::install::certificate::{Certificate, Verdict};
use bitexact::install::known::Origin;
use bitexact::install::zipper::is_only_in_demo;
use bitexact::output::printable::{counted, first, grouped};
use bitexact::report::{how_moved, why_lacking, why_unfound};

use super::native;
use super::out::Out;
use super::table::Table;

/// Returns `true` if a file is in an install of the demo of MechWarrior 3, whose files no format spec describes.
pub(crate) fn is_in_demo(path: &Path) -> bool {
    let is_data = |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("zbd"));
    let has = |folder: Option<&Path>, before: &str| {
        let names = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        names.into_iter().any(|it| is_only_in_demo(&format!("{before}{}", it.file_name().to_string_lossy())))
    };
    path.ancestors().filter(is_data).any(|data| has(Some(data), "zbd/") || has(data.parent(), ""))
}

/// Prints what each install is: first the sentence that answers whether it is good, then what differs. With `-v`, also its missing and
/// unexpected files.
pub(crate) fn print(installs: &[Certificate], out: &mut Out) {
    print_verdicts(installs, out);
    for install in installs {
        print_details(install, out);
    }
    if let Some(list) = installs.iter().find_map(|install| install.list.as_ref()) {
        out.line(origin(list));
    }
    if installs.len() > 1 || out.verbose && !installs.is_empty() {
        out.line("");
        let mut table = Table::new(["install ", "game ", "files", "missing", "optional", "unexpected", "moved"]);
        installs.iter().for_each(|it| table.row(cells(it)));
        table.print(out);
    } else if !installs.is_empty() {
        out.line("");
    }
}

/// Prints only the sentence about each install.
pub(crate) fn print_verdicts(installs: &[Certificate], out: &mut Out) {
    for install in installs {
        out.marked(style_of(install.verdict()), install.verdict().word(), said(install));
    }
}

/// Returns what a list of the user's is, in words: what it says is as good as its source.
fn origin(list: &Origin) -> String {
    let sha256 = list.sha256.map_or_else(String::new, |sha256| format!(", SHA-256 {sha256}"));
    let sources = match first(&list.sources, SOURCES) {
        sources if sources.is_empty() => "no source stated".to_owned(),
        sources => format!("source: {sources}"),
    };
    format!("list {}: {}{sha256}; {sources}", list.name, counted(list.entries, "file"))
}

/// The number of sources of a list that are printed.
const SOURCES: usize = 3;

/// Returns the color of a verdict.
fn style_of(verdict: Verdict) -> Style {
    match verdict {
        it if it.is_fine() => AnsiColor::Green.on_default(),
        it if it.is_bad() => AnsiColor::Red.on_default().bold(),
        _ => AnsiColor::Yellow.on_default(),
    }
}

/// Returns the path and the sentence of an install.
fn said(install: &Certificate) -> String {
    format!("{}: {}", native(&install.root), install.sentence())
}

fn cells(install: &Certificate) -> [String; 7] {
    let edition = if install.edition.is_empty() { String::new() } else { format!(" ({})", install.edition) };
    let game = install.game.map_or("unknown game", |game| game.title());
    let counts = [
        install.required().count(),
        install.optional().count(),
        install.unexpected.len(),
        install.standing.moved.len(),
    ];
    let [missing, optional, unexpected, moved] = counts.map(wide).map(grouped);
    [native(&install.root), format!("{game}{edition}"), grouped(install.count()), missing, optional, unexpected, moved]
}

/// Prints what the edition rests on, which files differ or are in a wrong place, and which lists there are.
fn print_details(install: &Certificate, out: &mut Out) {
    let (root, standing) = (native(&install.root), &install.standing);
    // What has a `/` in these words is a path.
    let mut line = |words: String| out.line(format_args!("{root}: {}", native(&words)));
    if !install.basis.is_empty() {
        line(format!("evidence of the edition: {}", install.basis));
    }
    if let Some((language, replaced)) = install.keyed {
        let language = language.map_or_else(|| "no talk table".to_owned(), bitexact::install::aurora::language_name);
        line(format!("{language}, {} replaced by later KEYs", counted(wide(replaced), "resource")));
    }
    standing.differ.iter().for_each(|(path, why)| line(format!("{path}: {why}")));
    install.resized.iter().for_each(|(path, why)| line(format!("{path}: {why}")));
    standing.moved.iter().for_each(|moved| line(format!("{}: {}", moved.path, how_moved(moved))));
    standing.copies.iter().for_each(|(path, of)| line(format!("{path}: a copy of {of}")));
    install.alike.iter().for_each(|(path, of)| line(format!("{path}: {}", equal_to(of))));
    let replaced = install.missing.iter().filter(|it| !standing.mixed_up.contains(&it.path));
    for (it, found) in replaced.filter_map(|it| Some((it, it.found.as_ref()?))) {
        let own = it.home.as_ref().map_or_else(
            || "so that its own bytes are missing".to_owned(),
            |home| format!("and its own bytes seem to be in {home}"),
        );
        line(format!("{}: {found}, {own}", it.path));
    }
    install.rivals.iter().for_each(|(path, other)| line(format!("{path}: {}", one_place(other))));
    for file in install.files.iter().filter(|file| file.bytes == 0 && file.is_damaged()) {
        line(format!("{}: the file is empty", file.path));
    }
    install.notes.iter().for_each(|note| line(note.clone()));
    if out.verbose {
        for it in &install.missing {
            out.line(format_args!("{root}: missing: {} ({})", native(&it.path), why_lacking(it)));
        }
        install.unexpected.iter().for_each(|path| out.line(format_args!("{root}: unexpected: {}", native(path))));
        for it in &install.unfound {
            out.line(format_args!("{root}: not there: {} ({})", native(&it.path), why_unfound(it)));
        }
        return;
    }
    let lists = [
        (install.required().count(), "missing file", ""),
        (install.optional().count(), "optional file", " not there"),
        (install.unexpected.len(), "unexpected file", ""),
        (install.unfound.len(), "file of the list", " not there"),
    ];
    let lists = lists.into_iter().filter(|(count, ..)| *count > 0);
    let lists: Vec<String> = lists.map(|(count, what, how)| format!("{}{how}", counted(wide(count), what))).collect();
    if !lists.is_empty() {
        out.line(format_args!("{root}: {}: -v lists them", lists.join(", ")));
    }
}

/// Returns what it means that the path of a file differs from another only in case, in words.
fn one_place(other: &str) -> String {
    format!(
        "differs from {other} only in case: both compete for one place, and the game sees only one of them; remove the other"
    )
}

/// Returns what it means that a file has the bytes of another, in words.
fn equal_to(other: &str) -> String {
    format!("has the same bytes as {other}, which should differ: compare both with another copy")
}
