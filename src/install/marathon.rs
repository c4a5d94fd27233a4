//! Installs of Marathon, Marathon 2 and Marathon Infinity: the game and the edition of a folder, and the files that it lacks.
//!
//! A [`Survey`] receives every file in a set of folders. An install is a folder with at least two of the files that have a role in the game,
//! such as `Map.sceA` and `Shapes.shpA`, or with one of them and a folder of the game with its files, such as `Films`; names are compared
//! without case. Scenarios of others can name their files freely, and are none.
//!
//! Source: `golden/known.tsv`, and the list of files by role in the notes on installs of Marathon.

use std::collections::{BTreeMap, BTreeSet};

use crate::install::zipper::{
    Caveat, Item, KnownFile, KnownFiles, Part, Standing, Why, all_known, deepest, expand, required_by_all,
};
use kind::Game;
use passes::Sha;

/// The files of a game in one form of distribution.
struct Layout {
    form: Form,
    /// The games, if the names do not tell which.
    games: &'static [Game],
    /// The files in the folder of the game that have a role, by lower-case names. Two of them make an install.
    marks: &'static [&'static str],
    /// Files in folders of the game, by folder and ending in lower case. One of each folder counts, beside a file that has a role.
    hints: &'static [(&'static str, &'static str)],
}

/// A form in which the games were distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The free release, for Aleph One.
    AlephOne,
    /// The disc for the Mac.
    Mac,
    /// Marathon 2 for Windows 95.
    Windows,
}

const LAYOUTS: &[Layout] = &[
    Layout {
        form: Form::AlephOne,
        games: &[Game::Marathon],
        marks: &["map.scen", "shapes.shps", "sounds.sndz", "physics.phys", "marathon.appl"],
        hints: &[("films", ".fila"), ("maps", ".scen"), ("music", ".ogg")],
    },
    Layout {
        form: Form::AlephOne,
        games: &[Game::Marathon2, Game::Infinity],
        marks: &["map.scea", "shapes.shpa", "sounds.snda", "images.imga", "physics models/standard.phya"],
        hints: &[("films", ".fila"), ("maps", ".scea"), ("saved games", ".sgaa")],
    },
    Layout {
        form: Form::Windows,
        games: &[Game::Marathon2],
        marks: &["map.sce2", "shapes.shp2", "sounds.snd2", "images.img2", "marathon2.exe"],
        hints: &[],
    },
    Layout {
        form: Form::Mac,
        games: &[Game::Marathon, Game::Marathon2, Game::Infinity],
        marks: &["map", "shapes", "sounds"],
        hints: &[],
    },
];

/// The files of a game in one form, with lists in braces.
fn list(game: Game, form: Form) -> &'static [(&'static str, Why)] {
    match (form, game) {
        (Form::AlephOne, Game::Marathon) => &[
            ("{map.scen,shapes.shps,marathon.appl,scripts/marathon.mml}", Why::Always),
            ("sounds.sndz", Why::Option("sounds")),
            ("physics.phys", Why::Option("physics")),
            ("music/{00,01,02,03,04,05,06,07,08,09,10,11,12,13,14,15}.ogg", Why::Option("music")),
            ("scripts/default preferences.xml", Why::Option("since 2020")),
        ],
        (Form::AlephOne, Game::Marathon2) => &[
            ("{map.scea,shapes.shpa}", Why::Always),
            ("sounds.snda", Why::Option("sounds")),
            ("images.imga", Why::Option("images")),
            ("music.ogg", Why::Option("music")),
            ("physics models/standard.phya", Why::Option("physics")),
            ("scripts/{filenames,marathon 2,transparent_liquids}.mml", Why::Option("scripts")),
            ("scripts/default preferences.xml", Why::Option("since 2020")),
            ("demos/{l00,l01,l05}.fila", Why::Option("since 2024")),
        ],
        (Form::AlephOne, _) => &[
            ("{map.scea,shapes.shpa}", Why::Always),
            ("sounds.snda", Why::Option("sounds")),
            ("images.imga", Why::Option("images")),
            ("music.ogg", Why::Option("music")),
            ("physics models/standard.phya", Why::Option("physics")),
            ("scripts/{filenames,marathon infinity,transparent_liquids}.mml", Why::Option("scripts")),
            ("scripts/default preferences.xml", Why::Option("since 2020")),
            ("demos/{la cosa nostra,morphine,wrath no more,yorrick}.fila", Why::Option("since 2024")),
        ],
        (Form::Windows, _) => &[
            ("{marathon2.exe,map.sce2,shapes.shp2}", Why::Always),
            ("sounds.snd2", Why::Option("sounds")),
            ("images.img2", Why::Option("images")),
        ],
        (Form::Mac, Game::Marathon) => &[
            ("{marathon,map,shapes}", Why::Always),
            ("sounds", Why::Option("sounds")),
            ("music", Why::Option("music")),
            ("physics model", Why::Option("physics")),
        ],
        (Form::Mac, Game::Marathon2) => &[
            ("{marathon 2,map,shapes}", Why::Always),
            ("sounds", Why::Option("sounds")),
            ("images", Why::Option("images")),
            ("music", Why::Option("music")),
        ],
        (Form::Mac, _) => &[
            ("{marathon infinity,map,shapes}", Why::Always),
            ("sounds", Why::Option("sounds")),
            ("images", Why::Option("images")),
            ("music", Why::Option("music")),
        ],
    }
}

/// Returns the files of a game in one form.
fn parts_of(game: Game, form: Form) -> Vec<Part> {
    let of = |&(pattern, why): &(&str, Why)| expand(pattern).into_iter().map(move |path| Part::new(path, why));
    list(game, form).iter().flat_map(of).collect()
}

/// Returns the files of a game in one form, or if it is not known, those that all games that it can be require.
fn parts_of_any(game: Option<Game>, games: &[Game], form: Form) -> Vec<Part> {
    match game {
        Some(game) => parts_of(game, form),
        None => required_by_all(games, |game| parts_of(game, form)),
    }
}

/// Returns the reason why a file at a path in lower case exists, given the list of its game.
fn why_of(parts: &[Part], path: &str) -> Option<Why> {
    parts.iter().find(|part| part.holds(path)).map(Part::why).or_else(|| why_beside(path))
}

/// What a path tells of a file that is not in the list of its game.
fn why_beside(path: &str) -> Option<Why> {
    let (folder, name) = path.split_once('/').map_or(("", path), |(folder, _)| (folder, path));
    let (_, ending) = name.rsplit_once('.').unwrap_or_default();
    let is_saved = matches!(ending, "sgaa" | "sga2" | "fila" | "fil2" | "film" | "sgam");
    Some(match folder {
        "quick saves" | "recordings" | "saved games" | "films" => Why::Written,
        _ if is_saved || name.ends_with(" preferences") || name == "untitled game" => Why::Written,
        "plugins" | "physics models" | "maps" | "music" | "scripts" | "themes" | "resources" => Why::Added,
        "" if matches!(ending, "exe" | "dll" | "md" | "txt" | "rtf" | "fnta" | "pdf" | "html") => Why::Aside,
        _ => return None,
    })
}

/// The checksums of the maps as films name them: the wad checksum field, not a digest of the file. Source: the header of
/// `golden/known.tsv`'s list of Marathon.
const CHECKSUMS: [(u32, Game); 3] =
    [(0x0000_03C9, Game::Marathon), (0x2D71_CCB4, Game::Marathon2), (0xA80E_94B1, Game::Infinity)];

/// The facts about an install in the content of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Facts {
    /// The game of a map, by its checksum or its version.
    pub game: Option<Game>,
    /// `true` if the checksum tells it.
    pub is_certain: bool,
}

impl Facts {
    /// Returns the facts in a file with this path. Source: `marathon-wad.md`, section 1, and `marathon-images.md`, section 1: the data fork
    /// of a MacBinary file begins at 128.
    #[must_use]
    pub fn of(path: &str, bytes: &[u8]) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        if name != "map" && !name.starts_with("map.") {
            return Self::default();
        }
        // Either the wad begins the file, or its header is behind that of MacBinary, which begins with 0 and the length of a name.
        let wads = [0, 128].map(|at| bytes.get(at..).unwrap_or_default());
        let checksums = wads.map(|wad| Some(u32::from_be_bytes(*wad.get(68..)?.first_chunk()?)));
        if let Some((_, game)) = CHECKSUMS.iter().find(|(known, _)| checksums.contains(&Some(*known))) {
            return Self { game: Some(*game), is_certain: true };
        }
        let versions = wads.map(|wad| Some(u16::from_be_bytes(*wad.first_chunk()?)));
        let version = versions.into_iter().flatten().find(|version| *version <= 4);
        let game = match version {
            Some(2) => Some(Game::Marathon2),
            Some(4) => Some(Game::Infinity),
            _ => None,
        };
        Self { game, is_certain: false }
    }
}

/// A file that was found in a set of folders.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Seen {
    /// Its path, with `/` between the parts.
    pub path: String,
    /// The facts in its content.
    pub facts: Facts,
    /// Its hash, if it could be read.
    pub sha256: Option<Sha>,
    /// The file of the table with this content by another digest than SHA-256.
    pub other: Option<&'static KnownFile>,
    /// The file of a list of the user's with this content.
    pub listed: Option<KnownFile>,
}

impl Seen {
    /// Creates a file with its hash, and the file of the table that has its content by another digest.
    #[must_use]
    pub fn new(path: impl Into<String>, facts: Facts, sha256: Option<Sha>, other: Option<&'static KnownFile>) -> Self {
        Self { path: path.into(), facts, sha256, other, listed: None }
    }

    /// Returns the file with its file of a list of the user's.
    #[must_use]
    pub fn with_listed(self, listed: Option<KnownFile>) -> Self {
        Self { listed, ..self }
    }

    /// Returns the known files with this content.
    fn known<'a>(&'a self, list: Option<&'a KnownFiles>) -> Vec<&'a KnownFile> {
        let digest = self.sha256.map(|sha256| sha256.to_string());
        let table = digest.into_iter().flat_map(|digest| KnownFiles::table().with_digest(&digest).collect::<Vec<_>>());
        all_known(table.chain(self.other), self.listed.as_ref(), list)
    }
}

/// An install of one of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Install {
    /// The folder of the install, as a prefix of its paths; empty if it is the searched folder.
    pub root: String,
    /// The game, if it can be inferred.
    pub game: Option<Game>,
    /// The edition in words, or an empty text if it is not identified.
    pub edition: String,
    /// What the edition rests on, or an empty text.
    pub basis: String,
    /// The files with their spelling and their reason; `None` for unexpected files.
    pub files: Vec<(String, Option<Why>)>,
    /// Absent files of the list, and the reasons why they may be absent.
    pub missing: Vec<(String, Why)>,
    /// How the files compare with the known ones.
    pub standing: Standing,
    /// The games that it can be, if one cannot be inferred.
    pub games: Vec<Game>,
    /// What is not known about the list of its files.
    pub caveats: Vec<Caveat>,
    form: Form,
}

/// The files with a role in a folder, and its folders with files of the game.
type Marks = (BTreeSet<&'static str>, BTreeSet<&'static str>);

/// All files found in a set of folders.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    files: Vec<Seen>,
}

impl Survey {
    /// Records a file.
    pub fn see(&mut self, file: Seen) {
        self.files.push(file);
    }

    /// Returns the installs among the files, by folder. The files are compared with the known ones, and with a list of the user's.
    #[must_use]
    pub fn installs(&self, list: Option<&KnownFiles>) -> Vec<Install> {
        let mut marked: BTreeMap<(&str, usize), Marks> = BTreeMap::new();
        for file in &self.files {
            let lower = file.path.to_lowercase();
            for (nth, layout) in LAYOUTS.iter().enumerate() {
                let of = |before: &str| file.path.get(..before.len()).filter(|it| it.is_empty() || it.ends_with('/'));
                for mark in layout.marks {
                    if let Some(root) = lower.strip_suffix(mark).and_then(of) {
                        marked.entry((root, nth)).or_default().0.insert(mark);
                    }
                }
                let folder = lower.rsplit_once('/').map_or("", |(folder, _)| folder);
                for (hint, _) in layout.hints.iter().filter(|(_, ending)| lower.ends_with(ending)) {
                    if let Some(root) = folder.strip_suffix(hint).and_then(of) {
                        marked.entry((root, nth)).or_default().1.insert(hint);
                    }
                }
            }
        }
        let mut roots: BTreeMap<&str, (&Layout, Vec<&Seen>)> = BTreeMap::new();
        for ((root, nth), (marks, hints)) in marked {
            if let (1.., 2.., Some(layout)) = (marks.len(), marks.len() + hints.len(), LAYOUTS.get(nth)) {
                roots.entry(root).or_insert((layout, Vec::new()));
            }
        }
        for file in &self.files {
            if let Some((_, files)) = deepest(&mut roots, &file.path) {
                files.push(file);
            }
        }
        roots.into_iter().map(|(root, (layout, files))| Install::of(root, layout, &files, list)).collect()
    }
}

impl Install {
    fn of(root: &str, layout: &Layout, files: &[&Seen], list: Option<&KnownFiles>) -> Self {
        let inner = |path: &str| path.get(root.len()..).unwrap_or_default().to_lowercase();
        let paths: Vec<String> = files.iter().map(|seen| inner(&seen.path)).collect();
        let known: Vec<Vec<&KnownFile>> = files.iter().map(|seen| seen.known(list)).collect();
        let game = game_of(layout, files, &paths, &known);
        let form = layout.form;
        let games = if game.is_none() { layout.games } else { &[] };
        let parts = parts_of_any(game, games, form);
        let why = |path: &str| why_of(&parts, path);
        let has = |path: &str| paths.iter().any(|it| it == path);
        let missing = parts.iter().filter(|part| !has(part.path()));
        let missing = missing.map(|part| (part.path().to_owned(), part.why())).collect();
        let items = files.iter().zip(&paths).zip(&known).map(|((seen, inner), known)| {
            let known = known.iter().copied().filter(|it| it.can_be_of(game)).collect();
            Item { path: &seen.path, inner, known }
        });
        let items: Vec<Item<'_>> = items.collect();
        let (edition, basis) = edition_of(form, &items);
        let is_compared = game.is_some() || list.is_some();
        let standing = if is_compared { Standing::of_items(game, &items, list) } else { Standing::default() };
        let files = files.iter().zip(&paths).map(|(seen, path)| (seen.path.clone(), why(path))).collect();
        let open = (form != Form::AlephOne).then_some(Caveat::Open);
        let (games, caveats) = (games.to_vec(), open.into_iter().collect());
        Self { root: root.to_owned(), game, edition, basis, files, missing, standing, games, caveats, form }
    }

    /// Returns the reason why the game has a file at a path in lower case, or `None` for other files.
    pub(super) fn reasons(&self) -> impl Fn(&str) -> Option<Why> {
        let parts = parts_of_any(self.game, &self.games, self.form);
        move |path| why_of(&parts, path)
    }
}

/// Returns the game that most known files are of, or that the map or a name tells.
fn game_of(layout: &Layout, files: &[&Seen], paths: &[String], known: &[Vec<&KnownFile>]) -> Option<Game> {
    if let [game] = layout.games {
        return Some(*game);
    }
    let may_be = |game: &Game| layout.games.contains(game);
    let count = |game: Game| known.iter().filter(|of| of.iter().any(|it| it.game == Some(game))).count();
    let known = layout.games.iter().copied().map(|game| (count(game), game)).max_by_key(|(count, _)| *count);
    let facts = |is_certain: bool| {
        let facts = files.iter().map(|seen| seen.facts).filter(move |facts| facts.is_certain == is_certain);
        facts.filter_map(|facts| facts.game).find(may_be)
    };
    let names = [
        ("scripts/marathon 2.mml", Game::Marathon2),
        ("marathon 2", Game::Marathon2),
        ("scripts/marathon infinity.mml", Game::Infinity),
        ("marathon infinity", Game::Infinity),
        ("marathon", Game::Marathon),
    ];
    let named = || names.iter().find(|(name, _)| paths.iter().any(|path| path == name)).map(|(_, game)| *game);
    let several = layout.games.iter().filter(|game| known.is_some_and(|(most, _)| count(**game) == most)).count();
    let by_digest = known.filter(|(count, _)| *count > 0 && several == 1).map(|(_, game)| game);
    by_digest.or_else(|| facts(true)).or_else(named).or_else(|| facts(false))
}

/// Returns the edition of an install in words, and what it rests on. Of a free release, each known file names the releases that hold it;
/// the edition is what they share.
fn edition_of(form: Form, items: &[Item<'_>]) -> (String, String) {
    let words = |edition: &str, basis: &str| (edition.to_owned(), basis.to_owned());
    match form {
        Form::Windows => return words("Windows 95", "names of files of that edition"),
        Form::Mac => return words("Mac", "names of files without an ending"),
        Form::AlephOne => {}
    }
    let here = items.iter().filter_map(|it| it.known.iter().find(|known| known.path.eq_ignore_ascii_case(it.inner)));
    let ranges: Vec<(u32, u32)> = here.filter_map(|known| releases(&known.edition)).collect();
    if ranges.is_empty() {
        return words("", "");
    }
    let first = ranges.iter().map(|(first, _)| *first).max().unwrap_or_default();
    let last = ranges.iter().map(|(_, last)| *last).min().unwrap_or_default();
    let basis = match ranges.len() {
        1 => "1 file as Aleph One distributes it".to_owned(),
        count => format!("{count} files as Aleph One distributes them"),
    };
    let edition = match first.cmp(&last) {
        core::cmp::Ordering::Less => format!("Aleph One release {first} to {last}"),
        core::cmp::Ordering::Equal => format!("Aleph One release {first}"),
        core::cmp::Ordering::Greater => "files of several Aleph One releases".to_owned(),
    };
    (edition, basis)
}

/// Returns the first and the last release with a file, as numbers of a date.
fn releases(edition: &str) -> Option<(u32, u32)> {
    if let Some(one) = edition.strip_prefix("release ") {
        let one = one.parse().ok()?;
        return Some((one, one));
    }
    let (first, last) = edition.strip_prefix("releases ")?.split_once(" to ")?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installs(paths: &[&str]) -> Vec<Install> {
        let mut survey = Survey::default();
        for path in paths {
            survey.see(Seen::new(*path, Facts::default(), None, None));
        }
        survey.installs(None)
    }

    #[test]
    fn two_files_with_a_role_make_an_install() {
        assert_eq!(installs(&["m2/Map.sceA", "scenario/Rubicon.sceA"]), []);
        let found = installs(&["m2/Map.sceA", "m2/Shapes.shpA", "m2/Scripts/Marathon 2.mml", "m2/notes.bin"]);
        let [install] = &found[..] else { panic!("{found:?}") };
        assert_eq!((install.root.as_str(), install.game), ("m2/", Some(Game::Marathon2)));
        assert_eq!(install.files[3], ("m2/notes.bin".to_owned(), None));
        assert!(install.missing.iter().all(|(_, why)| *why != Why::Always), "{:?}", install.missing);
        let found = installs(&["Map.scen", "Sounds.sndz"]);
        assert_eq!(found[0].game, Some(Game::Marathon));
        let lost: Vec<&str> =
            found[0].missing.iter().filter(|(_, why)| *why == Why::Always).map(|(path, _)| path.as_str()).collect();
        assert_eq!(lost, ["shapes.shps", "marathon.appl", "scripts/marathon.mml"]);
    }

    #[test]
    fn checksum_of_the_map_tells_the_game() {
        let mut map = vec![0; 128];
        map[1] = 4;
        map[68..72].copy_from_slice(&0x2D71_CCB4_u32.to_be_bytes());
        assert_eq!(Facts::of("Map.sceA", &map), Facts { game: Some(Game::Marathon2), is_certain: true });
        let wrapped = [&[0, 8][..], &[0; 126], &map].concat();
        assert_eq!(Facts::of("Map.sceA", &wrapped), Facts { game: Some(Game::Marathon2), is_certain: true });
        assert_eq!(Facts::of("Other.sceA", &map), Facts::default());
    }

    #[test]
    fn files_of_a_release_share_it() {
        assert_eq!(releases("releases 20150907 to 20230529"), Some((20_150_907, 20_230_529)));
        assert_eq!(releases("release 20150907"), Some((20_150_907, 20_150_907)));
        assert_eq!(releases("no release, 2013-05-05"), None);
        let known = |edition: &str| KnownFile {
            edition: edition.to_owned(),
            ..KnownFile::listed(String::new(), "a".to_owned(), String::new())
        };
        let [early, late, other] =
            ["releases 20150907 to 20230529", "releases 20221126 to 20250829", "release 20150907"].map(known);
        let item = |known| Item { path: "a", inner: "a", known: vec![known] };
        let edition = |items: &[Item<'_>]| edition_of(Form::AlephOne, items).0;
        assert_eq!(edition(&[item(&early), item(&late)]), "Aleph One release 20221126 to 20230529");
        assert_eq!(edition(&[item(&early), item(&late), item(&other)]), "files of several Aleph One releases");
        assert_eq!(edition(&[]), "");
    }
}
