//! The installs among the files of `verify`.

use std::collections::HashSet;
use std::path::Path;

use bitexact::field::{Json, wide};
use bitexact::kind::Game;
use bitexact::output::printable::grouped;
use bitexact::report::{unlisted, why_missing};
use bitexact::verify::SCHEMA;
use bitexact::zipper::install::{Install, Why, has_reference};

use super::out::Out;
use super::table::Table;

/// An install, with its path and the number of its files that match the known retail release.
pub(crate) struct Listed {
    root: String,
    install: Install,
    retail: usize,
}

/// Returns the path of an install that was found below a folder.
pub(crate) fn root_of(folder: &str, install: &Install) -> String {
    let root = Path::new(folder).join(&install.root);
    // Joining leaves a separator at the end, which `components` drops.
    root.components().as_path().to_string_lossy().into_owned()
}

/// Prints a table of installs. With `-v`, also their missing and unexpected files.
pub(crate) fn print(installs: &[Listed], out: &mut Out) {
    if out.verbose {
        installs.iter().for_each(|it| it.print_files(out));
    }
    if !installs.is_empty() {
        let mut table = Table::new(["install ", "game ", "files", "missing", "optional", "unexpected", "retail "]);
        installs.iter().for_each(|it| table.row(it.cells()));
        table.print(out);
    }
}

impl Listed {
    /// Creates the row of an install. `retail` are the files below the searched folder that match the known retail release.
    pub(crate) fn new(root: String, install: Install, retail: &HashSet<String>) -> Self {
        let retail = install.files.iter().filter(|(path, _)| retail.contains(path)).count();
        Self { root, install, retail }
    }

    /// Returns the number of required files that are missing.
    pub(crate) fn missing(&self) -> u64 {
        wide(self.install.missing.iter().filter(|(_, why)| *why == Why::Always).count())
    }

    /// Returns the number of unexpected files.
    pub(crate) fn unexpected(&self) -> u64 {
        wide(unlisted(&self.install).count())
    }

    /// Returns the title of the game if hashes of a retail release are known.
    pub(crate) fn retail_title(&self) -> Option<&'static str> {
        self.install.game.filter(|game| has_reference(*game)).map(Game::title)
    }

    fn cells(&self) -> [String; 7] {
        let edition = self.install.edition.to_string();
        let edition = if edition.is_empty() { edition } else { format!(" ({edition})") };
        let game = self.install.game.map_or("unknown game", Game::title);
        let (files, missing) = (wide(self.install.files.len()), self.missing());
        let optional = wide(self.install.missing.len()).saturating_sub(missing);
        let retail = match self.retail_title() {
            Some(_) => format!("{} of {} match", self.retail, files),
            None => "no reference".to_owned(),
        };
        let [files, missing, optional, unexpected] = [files, missing, optional, self.unexpected()].map(grouped);
        [self.root.clone(), format!("{game}{edition}"), files, missing, optional, unexpected, retail]
    }

    fn print_files(&self, out: &mut Out) {
        for (path, why) in &self.install.missing {
            out.line(format_args!("{}: missing: {path} ({})", self.root, why_missing(*why)));
        }
        for path in unlisted(&self.install) {
            out.line(format_args!("{}: unexpected: {path}", self.root));
        }
    }

    /// Returns the JSON row.
    pub(crate) fn row(&self) -> Json {
        let missing = |(path, why): &(String, Why)| {
            let always = [("path", Json::from(path.as_str())), ("why", why.code().into())];
            let detail = why.detail().map(|detail| ("detail", detail.into()));
            Json::Object(always.into_iter().chain(detail).map(|(key, value)| (key.into(), value)).collect())
        };
        let about = Json::from([
            ("root", self.root.as_str().into()),
            ("game", self.install.game.map_or(Json::Null, |game| game.code().into())),
            ("edition", self.install.edition.to_string().into()),
            ("files", self.install.files.len().into()),
            ("missing", self.install.missing.iter().map(missing).collect()),
            ("unlisted", unlisted(&self.install).collect()),
        ]);
        Json::from([("schema", SCHEMA.into()), ("install", about)])
    }
}
