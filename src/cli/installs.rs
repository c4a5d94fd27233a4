//! The installs among the files of `verify`.

use std::path::Path;

use bitexact::aurora::install as aurora;
use bitexact::field::{Json, wide};
use bitexact::install::Found;
use bitexact::kind::Game;
use bitexact::output::printable::grouped;
use bitexact::report::{how_moved, unlisted, why_missing};
use bitexact::verify::SCHEMA;
use bitexact::zipper::install::{Install, Moved, Standing, Why, is_only_in_demo};

use super::native;
use super::out::Out;
use super::table::Table;

/// An install, with its path.
pub(crate) struct Listed {
    root: String,
    install: Install,
}

/// An install whose KEYs name its files, with its path.
pub(crate) struct Keyed {
    root: String,
    install: aurora::Install,
}

/// Returns the path of an install that was found below a folder.
pub(crate) fn root_of(folder: &Path, root: &str) -> String {
    let root = folder.join(root);
    // Joining leaves a separator at the end, which `components` drops.
    Found::new(root.components().as_path().to_owned(), Ok(0)).shown()
}

/// Returns `true` if a file is in an install of the demo of MechWarrior 3, whose files no format spec describes.
pub(crate) fn is_in_demo(path: &Path) -> bool {
    let is_data = |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("zbd"));
    let has = |folder: Option<&Path>, before: &str| {
        let names = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        names.into_iter().any(|it| is_only_in_demo(&format!("{before}{}", it.file_name().to_string_lossy())))
    };
    path.ancestors().filter(is_data).any(|data| has(Some(data), "zbd/") || has(data.parent(), ""))
}

/// Returns a path from the root of its install.
fn inner<'a>(root: &str, path: &'a str) -> &'a str {
    path.strip_prefix(root).unwrap_or(path)
}

/// Returns the list of the files that are known to differ, each with the reason.
fn differing(root: &str, standing: &Standing) -> Json {
    let row =
        |(path, why): &(String, String)| Json::from([("path", inner(root, path).into()), ("why", why.as_str().into())]);
    standing.differ.iter().map(row).collect()
}

/// Prints a table of installs. With `-v`, also their missing and unexpected files.
pub(crate) fn print(installs: &[Listed], out: &mut Out) {
    if out.verbose {
        installs.iter().for_each(|it| it.print_files(out));
    }
    if !installs.is_empty() {
        let mut table = Table::new(["install ", "game ", "files", "missing", "optional", "unexpected", "moved"]);
        installs.iter().for_each(|it| table.row(it.cells()));
        table.print(out);
        installs.iter().for_each(|it| it.print_standing(out));
        out.line("");
    }
}

impl Listed {
    /// Creates the row of an install.
    pub(crate) fn new(root: String, install: Install) -> Self {
        Self { root, install }
    }

    /// Returns the number of required files that are missing.
    pub(crate) fn missing(&self) -> u64 {
        wide(self.install.missing.iter().filter(|(_, why)| *why == Why::Always).count())
    }

    /// Returns the number of unexpected files.
    pub(crate) fn unexpected(&self) -> u64 {
        wide(unlisted(&self.install).count())
    }

    /// Returns the number of files that are known to differ.
    pub(crate) fn differ(&self) -> u64 {
        wide(self.install.standing.differ.len())
    }

    fn cells(&self) -> [String; 7] {
        let edition = self.install.edition.to_string();
        let edition = if edition.is_empty() { edition } else { format!(" ({edition})") };
        let game = self.install.game.map_or("unknown game", Game::title);
        let (files, missing) = (wide(self.install.files.len()), self.missing());
        let optional = wide(self.install.missing.len()).saturating_sub(missing);
        let moved = wide(self.install.standing.moved.len());
        let [files, missing, optional, unexpected, moved] =
            [files, missing, optional, self.unexpected(), moved].map(grouped);
        [native(&self.root), format!("{game}{edition}"), files, missing, optional, unexpected, moved]
    }

    /// Prints which edition the install is, how many files are as sold, and which are known to differ or in a wrong place.
    fn print_standing(&self, out: &mut Out) {
        let Self { root, install } = self;
        let root = native(root);
        out.line(format_args!("{root}: {}", install.sentence()));
        out.line(format_args!("{root}: {}", install.standing.words(install.files.len())));
        for (path, why) in &install.standing.differ {
            out.line(format_args!("{root}: {}: {why}", self.inner(path)));
        }
        for moved in &install.standing.moved {
            out.line(format_args!("{root}: {}: {}", self.inner(&moved.path), how_moved(moved)));
        }
    }

    /// Returns a path from the root of the install.
    fn inner<'a>(&self, path: &'a str) -> &'a str {
        inner(&self.install.root, path)
    }

    fn print_files(&self, out: &mut Out) {
        for (path, why) in &self.install.missing {
            out.line(format_args!("{}: missing: {path} ({})", native(&self.root), why_missing(*why)));
        }
        for path in unlisted(&self.install) {
            out.line(format_args!("{}: unexpected: {path}", native(&self.root)));
        }
    }

    /// Returns the JSON row.
    pub(crate) fn row(&self) -> Json {
        let missing = |(path, why): &(String, Why)| {
            let always = [("path", Json::from(path.as_str())), ("why", why.code().into())];
            let detail = why.detail().map(|detail| ("detail", detail.into()));
            Json::Object(always.into_iter().chain(detail).map(|(key, value)| (key.into(), value)).collect())
        };
        let standing = &self.install.standing;
        let moved = |it: &Moved| {
            let proven = ("proven", it.is_proven.into());
            Json::from([("path", self.inner(&it.path).into()), ("from", it.from.as_str().into()), proven])
        };
        let about = Json::from([
            ("root", self.root.as_str().into()),
            ("game", self.install.game.map_or(Json::Null, |game| game.code().into())),
            ("edition", self.install.edition.to_string().into()),
            ("evidence", self.install.edition.basis().into()),
            ("files", self.install.files.len().into()),
            ("as_sold", standing.as_sold.into()),
            ("differ", differing(&self.install.root, standing)),
            ("unknown", standing.unknown.into()),
            ("moved", standing.moved.iter().map(moved).collect()),
            ("missing", self.install.missing.iter().map(missing).collect()),
            ("unlisted", unlisted(&self.install).collect()),
        ]);
        Json::from([("schema", SCHEMA.into()), ("install", about)])
    }
}

impl Keyed {
    /// Creates the row of an install.
    pub(crate) fn new(root: String, install: aurora::Install) -> Self {
        Self { root, install }
    }

    /// Returns the number of files that a KEY names and that are missing.
    pub(crate) fn missing(&self) -> u64 {
        wide(self.install.missing().count())
    }

    /// Returns the number of files that are known to differ.
    pub(crate) fn differ(&self) -> u64 {
        wide(self.install.standing.differ.len())
    }

    /// Returns the number of BIFs whose size is not the one in their KEY.
    pub(crate) fn resized(&self) -> u64 {
        wide(self.install.resized().count())
    }

    /// Returns the number of BIFs that no KEY names.
    pub(crate) fn unexpected(&self) -> u64 {
        wide(self.install.unnamed().count())
    }

    /// Prints which edition the install is, and what is worth a look.
    pub(crate) fn print(&self, out: &mut Out) {
        let Self { root, install } = self;
        let root = native(root);
        out.line(format_args!("{root}: {}", install.sentence()));
        if install.standing.has_reference {
            out.line(format_args!("{root}: {}", install.standing.words(install.files)));
        }
        for (path, why) in &install.standing.differ {
            out.line(format_args!("{root}: {}: {why}", inner(&install.root, path)));
        }
        install.findings.iter().for_each(|finding| out.line(format_args!("{root}: {finding}")));
        out.line("");
    }

    /// Returns the JSON row.
    pub(crate) fn row(&self) -> Json {
        let Self { root, install } = self;
        let missing = |(path, key): (&str, &str)| {
            Json::from([("path", path.into()), ("why", Why::Always.code().into()), ("detail", key.into())])
        };
        let about = Json::from([
            ("root", root.as_str().into()),
            ("game", Game::Neverwinter.code().into()),
            ("edition", install.edition.to_string().into()),
            ("evidence", install.basis().into()),
            ("language", install.language.map_or(Json::Null, Json::from)),
            ("files", install.files.into()),
            ("as_sold", install.standing.as_sold.into()),
            ("differ", differing(&install.root, &install.standing)),
            ("unknown", install.standing.unknown.into()),
            ("moved", Json::List(Vec::new())),
            ("missing", install.missing().map(missing).collect()),
            ("unlisted", install.unnamed().collect()),
            ("replaced", install.shadowed.into()),
            ("findings", install.others().map(|finding| Json::from(finding.to_string())).collect()),
        ]);
        Json::from([("schema", SCHEMA.into()), ("install", about)])
    }
}
