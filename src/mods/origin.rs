//! Which game a folder or a mod is of.

use std::path::Path;

use super::{ModFile, Origin};
use crate::install::files;
use crate::install::zipper::{Facts, Seen, Survey};
use crate::registry::KINDS;
use kind::{Game, named};

/// The extensions of files that show the game or the edition by their content.
const TELLING: [&str; 3] = ["zbd", "exe", "dll"];

impl Origin {
    /// Returns the game in a folder, as far as its files show it. A file that cannot be read shows nothing.
    #[must_use]
    pub fn of_folder(folder: &Path) -> Option<Self> {
        if !folder.is_dir() {
            return None;
        }
        let mut survey = Survey::default();
        for file in files(folder).ok()? {
            let Ok(inner) = file.path.strip_prefix(folder) else { continue };
            let path = inner.to_string_lossy().replace('\\', "/");
            let end = path.rsplit_once('.').map_or("", |(_, end)| end);
            let facts = match TELLING.iter().any(|it| end.eq_ignore_ascii_case(it)) {
                true => file.read().map_or_else(|_| Facts::default(), |bytes| Facts::of(&path, &bytes)),
                false => Facts::default(),
            };
            survey.see(Seen::new(path, facts));
        }
        survey.only().map(|(game, edition)| Self::new(game, edition))
    }

    /// Returns the only game that the changed files can belong to.
    #[must_use]
    pub fn of_files(file: &ModFile) -> Option<Self> {
        let kinds = file.files.iter().filter_map(|edit| named(KINDS, edit.kind.as_deref()?));
        let mut games: Vec<Game> = Game::ALL.to_vec();
        let mut is_known = false;
        for kind in kinds {
            is_known = true;
            games.retain(|game| kind.games.contains(game));
        }
        match games.as_slice() {
            [game] if is_known => Some(Self::new(*game, "")),
            _ => None,
        }
    }
}
