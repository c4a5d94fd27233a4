//! What dropped files are as a copy of a game: the sentence, the digest of the whole, and the page that `verify --html` writes.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bitexact::field::{Place, Value};
use bitexact::install::certificate::{Certificate, Facts, Inventory, Missing};
use bitexact::install::zipper::is_only_in_demo;
use bitexact::kind::{Game, foreign, named};
use bitexact::lint::Warning;
use bitexact::mods::Origin;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, traps};
use bitexact::report::{About, HtmlReport, how_moved, why_lacking};
use bitexact::verify::{Counted, Report, Row, Status};

use crate::open::Done;
use crate::verify::{Verified, line};

/// Files that are surveyed by the rows and facts that workers have found.
pub struct Survey {
    inventories: Vec<Inventory>,
    rows: Vec<Row>,
}

/// What the install around a file states: its path, its edition, and its game if the file belongs to it.
struct Around {
    root: String,
    edition: String,
    game: Option<Game>,
}

/// Returns the install around each of its files.
fn places(installs: &[Certificate]) -> HashMap<PathBuf, Around> {
    let mut places = HashMap::new();
    for install in installs {
        let unexpected: HashSet<&str> = install.unexpected.iter().map(String::as_str).collect();
        places.extend(install.files.iter().map(|file| {
            let game = install.game.filter(|_| !unexpected.contains(&*file.path));
            let around = Around { root: install.root.clone(), edition: install.edition.clone(), game };
            (Path::new(&install.root).join(&file.path), around)
        }));
    }
    places
}

fn inventories(folders: &[String]) -> Vec<Inventory> {
    folders.iter().map(|folder| Inventory::new(Path::new(folder))).collect()
}

impl Survey {
    /// Begins with the folders that were dropped.
    #[must_use]
    pub fn new(folders: &[String]) -> Self {
        Self { inventories: inventories(folders), rows: Vec::new() }
    }

    /// Adds a file by its row and its facts.
    ///
    /// # Errors
    /// Returns an error if one of them is not what a worker has written.
    pub fn see(&mut self, row: &str, facts: &str) -> Done<()> {
        let row: Row = serde_json::from_str(row).map_err(|why| why.to_string())?;
        let facts: Facts = match facts {
            "" => Facts::default(),
            text => serde_json::from_str(text).map_err(|why| why.to_string())?,
        };
        let mut report = report_of(&row)?;
        facts.note(&mut report);
        self.inventories.iter_mut().for_each(|it| it.see(Path::new(&row.path), &facts, &report));
        self.rows.push(row);
        Ok(())
    }

    /// Returns the game in the first folder, as far as its files show it.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        let (game, edition) = self.inventories.first()?.only()?;
        Some(Origin::new(game, edition))
    }

    /// Returns the installs among the files, or else the digest of each folder.
    #[must_use]
    pub fn installs(&self) -> Value {
        let found: Vec<Certificate> = self.inventories.iter().flat_map(|it| it.certificates(None)).collect();
        let installs: Vec<Value> = found.iter().map(told).collect();
        let folder = |it: &Inventory| it.folder().to_string_lossy().into_owned();
        let pair = |one: String, other: String| -> Value { [one, other].into_iter().collect() };
        let digests = self.inventories.iter().filter(|_| installs.is_empty());
        let digests = digests.filter_map(|it| Some(pair(folder(it), it.digest()?.to_string()))).collect();
        let too_deep =
            self.inventories.iter().filter_map(|it| Some(pair(folder(it), it.is_too_deep()?.title().to_owned())));
        let too_deep = too_deep.collect();
        let rows = self.placed(&places(&found)).into_iter().map(|(path, row)| pair(path, row)).collect();
        let installs = installs.into_iter().collect();
        Value::from([("installs", installs), ("digests", digests), ("too_deep", too_deep), ("rows", rows)])
    }
}

impl Survey {
    /// Returns the rows of files in installs, with what these state, by their paths.
    fn placed(&self, places: &HashMap<PathBuf, Around>) -> Vec<(String, String)> {
        let rows = self.rows.iter().filter_map(|row| Some((row, places.get(Path::new(&row.path))?)));
        rows.map(|(row, around)| {
            let mut row = row.clone();
            let code = around.game.map(Game::code);
            let fits =
                |code: &&str| row.game.is_none() && (row.games.is_empty() || row.games.iter().any(|it| it == code));
            if let Some(code) = code.filter(fits) {
                (row.game, row.games) = (Some(code.to_owned()), Vec::new());
            }
            row.edition = Some(around.edition.clone()).filter(|edition| !edition.is_empty());
            row.root = Some(around.root.clone());
            (row.path.clone(), line(&row))
        })
        .collect()
    }
}

/// Returns what an install needs of the report that this row is of.
fn report_of(row: &Row) -> Done<Report> {
    let mut report = Report::unreadable(String::new());
    let status = Status::ALL.into_iter().find(|status| status.name() == row.status);
    report.status = status.ok_or_else(|| format!("{}: no status is called {}", row.path, row.status))?;
    report.failure = None;
    let kind = |name: &str| named(KINDS, name).map(|kind| kind.name).or_else(|| foreign::named(name));
    report.kind = row.kind.as_deref().and_then(kind);
    report.bytes = row.bytes.unwrap_or(0);
    report.sha256 = row.sha256.as_deref().map(sha).transpose()?;
    let traps = traps();
    for damage in &row.damage {
        let trap = traps.iter().find(|trap| trap.id == damage.id);
        let trap = trap.ok_or_else(|| format!("{}: no sign of damage is called {}", row.path, damage.id))?;
        report.damage.push(Warning::of(trap, Place::default(), String::new()));
    }
    Ok(report)
}

/// Reads a hash in hexadecimal digits.
fn sha(text: &str) -> Done<Sha> {
    let wrong = || format!("expected a SHA-256, found {text}");
    let bytes: Vec<u8> = text
        .as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|it| u8::from_str_radix(it, 16).ok()).ok_or_else(wrong))
        .collect::<Done<_>>()?;
    Ok(Sha::computed(bytes.try_into().map_err(|_| wrong())?))
}

/// Returns what the page says of an install.
fn told(install: &Certificate) -> Value {
    let pair = |path: &str, why: &str| -> Value { [path, why].into_iter().collect() };
    let pairs = |all: &[(String, String)]| -> Value { all.iter().map(|(path, why)| pair(path, why)).collect() };
    let missing = |it: &Missing| pair(&it.path, &why_lacking(it));
    let (verdict, standing) = (install.verdict(), &install.standing);
    let tone = match verdict {
        it if it.is_fine() => "fine",
        it if it.is_bad() => "bad",
        _ => "doubtful",
    };
    Value::from([
        ("root", install.root.as_str().into()),
        ("name", install.name().into()),
        ("verdict", verdict.word().into()),
        ("tone", tone.into()),
        ("sentences", install.sentences().iter().map(String::as_str).collect()),
        ("evidence", install.basis.as_str().into()),
        ("sha256", install.digest().map_or(Value::Null, |it| it.to_string().into())),
        ("files", install.count().into()),
        ("differ", pairs(&standing.differ)),
        ("moved", standing.moved.iter().map(|it| pair(&it.path, &how_moved(it))).collect()),
        ("resized", pairs(&install.resized)),
        ("alike", pairs(&install.alike)),
        ("copies", pairs(&standing.copies)),
        ("missing", install.required().map(missing).collect()),
        ("optional", install.optional().map(missing).collect()),
        ("unexpected", install.unexpected.iter().map(String::as_str).collect()),
        ("notes", install.notes.iter().map(String::as_str).collect()),
    ])
}

/// A run of `verify --html`, file by file in the order of their paths.
pub struct Reporting {
    html: HtmlReport,
    inventories: Vec<Inventory>,
    /// Files of several games, which the install around them tells.
    open: Vec<(PathBuf, Counted)>,
}

impl Reporting {
    /// Begins with the folders that were dropped.
    #[must_use]
    pub fn new(folders: &[String]) -> Self {
        Self { html: HtmlReport::default(), inventories: inventories(folders), open: Vec::new() }
    }

    /// Adds a file.
    pub fn see(&mut self, file: Verified) {
        let Verified { path, report, facts, excerpt } = file;
        self.inventories.iter_mut().for_each(|it| it.see(Path::new(&path), &facts, &report));
        let counted = Counted::of(&report);
        match counted.games.len() {
            2.. => self.open.push((PathBuf::from(&path), counted)),
            _ => self.html.count(&counted),
        }
        self.html.file(&path, &report, excerpt);
    }

    /// Returns the page. `paths` are those that were dropped.
    #[must_use]
    pub fn finish(self, paths: &[String]) -> String {
        let Self { mut html, inventories, open } = self;
        let installs: Vec<Certificate> = inventories.iter().flat_map(|it| it.certificates(None)).collect();
        let places = places(&installs);
        installs.iter().for_each(|install| html.install(install));
        if installs.is_empty() {
            inventories.iter().for_each(|it| html.folder(it));
        }
        for (path, mut counted) in open {
            if let Some(game) = places.get(&path).and_then(|it| it.game).filter(|game| counted.games.contains(game)) {
                counted.games = vec![game];
            }
            html.count(&counted);
        }
        html.page(&About { paths, via_exchange: false })
    }
}

/// Returns for each path whether it is in an install of the demo of MechWarrior 3, whose files no format spec describes.
#[must_use]
pub fn in_demo(paths: &[String]) -> Vec<bool> {
    let is_data = |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("zbd"));
    let mut demos: HashSet<PathBuf> = HashSet::new();
    for path in paths.iter().map(Path::new) {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        let name = name.to_string_lossy();
        if is_data(&folder) && is_only_in_demo(&format!("zbd/{name}")) {
            demos.insert(folder.to_owned());
        }
        if is_only_in_demo(&name) {
            // The folder of data beside it can have any case.
            let below = paths.iter().map(Path::new).flat_map(Path::ancestors);
            demos.extend(below.filter(|it| is_data(it) && it.parent() == Some(folder)).map(Path::to_owned));
        }
    }
    paths.iter().map(|path| Path::new(path).ancestors().any(|it| demos.contains(it))).collect()
}
