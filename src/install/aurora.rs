//! Installs of Neverwinter Nights: the edition in a folder, and what its KEYs name that is missing or different.
//!
//! A [`Survey`] receives every file in a set of folders. An install is a folder that contains a KEY of the game, such as `chitin.key`, or
//! `data/nwn_base.key` in the Enhanced Edition, or `dialog.tlk` and a BIF in `data`; names are compared without case.
//!
//! Source: [`nwn-installs.md`](crate::guide::formats::nwn_installs).

use core::fmt::{self, Display};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use bytes::Bytes;

use crate::install::zipper::{Item, KnownFile, KnownFiles, Standing, Why, all_known, deepest, expand, most_named};
use field::{GAME_TEXT, Text, decode, decode_text};
use kind::{Format as _, Game, glob};
use output::printable::grouped;

use crate::aurora::key::Key;
use crate::aurora::resource::ResourceType;
use crate::aurora::{language, name_of};

/// The KEYs of the original game, each later one over the earlier ones. Source: `nwn-installs.md`, section 1.
const KEYS: [&str; 8] =
    ["chitin.key", "patch.key", "xp1.key", "xp1patch.key", "xp2.key", "xp2patch.key", "xp3.key", "xp3patch.key"];
/// The KEYs that mark the expansions and the last patch.
const XP: [&str; 3] = ["xp1.key", "xp2.key", "xp3.key"];
/// The mark of the Enhanced Edition.
const BASE_KEY: &str = "data/nwn_base.key";
/// The other KEYs of the Enhanced Edition. Source: `nwn-installs.md`, section 2.
const MORE_KEYS: [&str; 3] = ["data/nwn_base_loc.key", "data/nwn_retail.key", "data/nwn_retail_loc.key"];
/// The talk table of the original game.
const DIALOG: &str = "dialog.tlk";
/// The folders in which the game has files and the player has none. Source: `nwn-installs.md`, sections 1 and 2.
const SOLD: [&str; 9] = ["ambient", "bin", "data", "lang", "movies", "music", "nwm", "ovr", "texturepacks"];
/// The number of bytes of `databuild.txt` that can name a build.
const BUILD: usize = 64;
/// The largest ERF that the game reads, in bytes. Source: `nwn-erf.md`, section 6.
const LARGEST: u64 = 1 << 31;

/// The edition of an install.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edition {
    /// The original game, with its expansions.
    Classic {
        /// Shadows of Undrentide.
        undrentide: bool,
        /// Hordes of the Underdark.
        underdark: bool,
        /// The content of patch 1.69.
        patch_1_69: bool,
    },
    /// The Enhanced Edition, and the content of `databuild.txt`.
    Enhanced(Option<String>),
}

impl Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classic { undrentide, underdark, patch_1_69 } => {
                let parts = [
                    (undrentide, "Shadows of Undrentide"),
                    (underdark, "Hordes of the Underdark"),
                    (patch_1_69, "content of 1.69"),
                ];
                let parts: Vec<&str> = parts.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
                if parts.is_empty() { f.write_str("original") } else { f.write_str(&parts.join(", ")) }
            }
            Self::Enhanced(None) => f.write_str("Enhanced Edition"),
            Self::Enhanced(Some(build)) => write!(f, "Enhanced Edition, build {build}"),
        }
    }
}

/// Something about a file of an install that is worth a look. None of it is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// A KEY names this BIF, which is absent.
    Missing {
        /// The BIF.
        path: String,
        /// The KEY.
        key: String,
    },
    /// No KEY names this BIF.
    Unnamed(String),
    /// The size of a BIF is not the one in its KEY.
    Size {
        /// The BIF.
        path: String,
        /// The size in the KEY, in bytes.
        stated: u64,
        /// The size of the file, in bytes.
        found: u64,
    },
    /// The game ignores a resource in `override` whose name has more than 16 characters.
    LongName(String),
    /// Two files whose names differ only in case.
    SameName(String, String),
    /// An ERF of more than 2 GB.
    TooLarge(String),
}

/// An install.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Install {
    /// The folder of the install, as a prefix of its paths; empty if it is the searched folder.
    pub root: String,
    /// The edition.
    pub edition: Edition,
    /// The language of `dialog.tlk`, if it is there.
    pub language: Option<u32>,
    /// The findings, in the order of paths.
    pub findings: Vec<Finding>,
    /// The number of files.
    pub files: usize,
    /// The files that were sold with the game, as far as their places tell: all but settings, logs, and those in folders of the player's.
    pub sold: Vec<String>,
    /// How the files compare with a list of the user's.
    pub standing: Standing,
    /// The edition that this list gives most of the files.
    pub listed: Option<String>,
    /// Absent files that every install has, or of which every install has one.
    pub absent: Vec<(String, Why)>,
    /// The number of KEYs.
    pub keys: usize,
    /// The number of BIFs that they name.
    pub bifs: usize,
    /// The number of keys that one of a later KEY replaces.
    pub shadowed: usize,
}

/// A file that was seen.
#[derive(Clone, Debug)]
struct Seen {
    path: String,
    size: u64,
    content: Content,
    listed: Option<KnownFile>,
}

/// What an install report needs of the content of a file: what KEYs and talk tables state.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Facts(Content);

/// What a survey keeps of a file.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Content {
    Key(Vec<(String, u64)>, Vec<(String, u16)>),
    Language(Option<u32>),
    Build(String),
    #[default]
    Other,
}

impl Facts {
    /// Returns the facts in a file with this name.
    #[must_use]
    pub fn of(name: &str, bytes: &Bytes) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        Self(if name.ends_with(".key") && Key::recognize(bytes).is_some() {
            decode::<Key>(bytes.clone()).map_or(Content::Other, |decoded| content_of(&decoded.model))
        } else if name == DIALOG {
            Content::Language(language(bytes))
        } else if name == "databuild.txt" {
            Content::Build(
                decode_text(GAME_TEXT, bytes.get(..BUILD.min(bytes.len())).unwrap_or(bytes)).trim().to_owned(),
            )
        } else {
            Content::Other
        })
    }
}

/// All files found in a set of folders.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    files: Vec<Seen>,
}

impl Survey {
    /// Records a file: its path with `/` between the parts, its size in bytes, the facts in it, and the file of a list of the user's with
    /// its content.
    pub fn see(&mut self, path: impl Into<String>, size: u64, Facts(content): Facts, listed: Option<KnownFile>) {
        self.files.push(Seen { path: path.into(), size, content, listed });
    }

    /// Returns the installs among the files, by folder. The files are compared with a list of the user's.
    #[must_use]
    pub fn installs(&self, list: Option<&KnownFiles>) -> Vec<Install> {
        let mut roots: BTreeMap<&str, Vec<&Seen>> = BTreeMap::new();
        for file in &self.files {
            roots.extend(root_of(&file.path).map(|root| (root, Vec::new())));
        }
        // Without KEYs, the talk table and the BIFs are left.
        let with_bifs: HashSet<&str> = self.files.iter().flat_map(|file| roots_of_bif(&file.path)).collect();
        let tables = self.files.iter().filter_map(|file| before(&file.path, &file.path.to_ascii_lowercase(), DIALOG));
        roots.extend(tables.filter(|root| with_bifs.contains(root)).map(|root| (root, Vec::new())));
        for file in &self.files {
            if let Some(files) = deepest(&mut roots, &file.path) {
                files.push(file);
            }
        }
        roots.into_iter().map(|(root, files)| Install::of(root, &files, list)).collect()
    }
}

/// Returns the files that a KEY names, with their sizes, and its resources.
fn content_of(key: &Key) -> Content {
    let files = key.files.iter().map(|file| (file.path(), file.slot.file_size.get().into()));
    let resource =
        |name: Text<16>, kind: ResourceType| (decode_text(GAME_TEXT, name.bytes()).to_lowercase(), kind.get());
    let resources = key.keys.iter().map(|it| resource(it.name, it.kind_of_resource));
    let enhanced = key.enhanced_keys.iter().map(|it| resource(it.name, it.kind_of_resource));
    Content::Key(files.collect(), resources.chain(enhanced).collect())
}

/// Returns the part of a path before the mark of an install, or `None` if the path is not one.
fn root_of(path: &str) -> Option<&str> {
    let lower = path.to_ascii_lowercase();
    KEYS.into_iter().chain([BASE_KEY]).chain(MORE_KEYS).find_map(|mark| before(path, &lower, mark))
}

/// Returns the part of a path before a file of the root of an install, or `None` if the path is another. `lower` is the path in lower case,
/// and so is `mark`.
fn before<'a>(path: &'a str, lower: &str, mark: &str) -> Option<&'a str> {
    let end = lower.strip_suffix(mark)?.len();
    path.get(..end).filter(|root| root.is_empty() || root.ends_with('/'))
}

/// Returns the parts of the path of a BIF before a folder `data`, or none for other files.
fn roots_of_bif(path: &str) -> Vec<&str> {
    let lower = path.to_ascii_lowercase();
    let is_bif = lower.ends_with(".bif");
    let ends = lower.match_indices("data/").filter(|_| is_bif).map(|(at, _)| at);
    ends.filter_map(|end| path.get(..end).filter(|root| root.is_empty() || root.ends_with('/'))).collect()
}

/// Returns `true` for the path of a KEY, of a BIF or of the talk table of the game, in lower case.
pub(super) fn is_place(path: &str) -> bool {
    let is_data = path.starts_with("data/") && (path.ends_with(".bif") || path.ends_with(".key"));
    is_data || path == DIALOG || KEYS.contains(&path)
}

/// Returns `true` for the path of a file, in lower case, that is neither in a folder of the player's nor holds settings or a log.
fn is_sold(path: &str) -> bool {
    match path.split_once('/') {
        Some((folder, _)) => SOLD.contains(&folder),
        None => ![".ini", ".log", ".tml"].iter().any(|ending| path.ends_with(ending)),
    }
}

/// The files of the game besides KEYs, BIFs and talk tables, by lower-case paths with lists in braces and `*`. Source: `nwn-installs.md`,
/// sections 1 and 2.
const OTHERS: [&str; 7] = [
    "{dialogf.tlk,databuild.txt,nwn.ini,nwnplayer.ini,nwncdkey.ini}",
    "{*.exe,*.dll}",
    "{readme*,*readme}.{txt,rtf,doc,htm,html,pdf}",
    "{bin/*,bin/*/*}",
    "{ambient,portraits}/*.{wav,tga}",
    "music/*.bmu",
    "movies/*.bik",
];

/// Returns `true` for the path of a file, in lower case, that the format spec names, so that it is expected there.
pub(super) fn is_expected(path: &str) -> bool {
    static PATTERNS: LazyLock<Vec<String>> = LazyLock::new(|| OTHERS.iter().flat_map(|it| expand(it)).collect());
    is_place(path) || PATTERNS.iter().any(|pattern| glob::fits(pattern, path, true))
}

/// Returns the reason why a file is at a path, in lower case, that only a list names: those of the player are no part of the game.
pub(super) fn why_of(path: &str) -> Option<Why> {
    (!is_sold(path)).then_some(Why::Written)
}

impl Install {
    fn of(root: &str, files: &[&Seen], list: Option<&KnownFiles>) -> Self {
        let spelled = |file: &Seen| file.path.get(root.len()..).unwrap_or_default().to_owned();
        let paths: Vec<String> = files.iter().map(|file| spelled(file).to_lowercase()).collect();
        let mut by_path: HashMap<String, &Seen> = HashMap::new();
        let mut findings = Vec::new();
        for (file, path) in files.iter().zip(&paths) {
            if let Some(before) = by_path.insert(path.clone(), file) {
                findings.push(Finding::SameName(spelled(before), spelled(file)));
            }
        }
        let has = |path: &str| by_path.contains_key(path);
        let build = by_path.get("databuild.txt").and_then(|file| match &file.content {
            Content::Build(build) => Some(build.clone()),
            _ => None,
        });
        let is_enhanced = has(BASE_KEY) || MORE_KEYS.iter().any(|key| has(key));
        let edition = match is_enhanced {
            true => Edition::Enhanced(build),
            false => Edition::Classic { undrentide: has(XP[0]), underdark: has(XP[1]), patch_1_69: has(XP[2]) },
        };
        let language =
            [DIALOG, "lang/en/data/dialog.tlk"].into_iter().find_map(|path| match by_path.get(path)?.content {
                Content::Language(language) => language,
                _ => None,
            });
        // Source: `nwn-installs.md`, sections 1 and 2.
        let is_talk = |path: &str| path.starts_with("lang/") && path.ends_with("/data/dialog.tlk");
        let (key, has_talk) = match is_enhanced {
            true => (BASE_KEY, by_path.keys().any(|path| is_talk(path))),
            false => (KEYS[0], has(DIALOG)),
        };
        let talk = match is_enhanced {
            true => ("lang/*/data/dialog.tlk".to_owned(), Why::OneOf("talk tables")),
            false => (DIALOG.to_owned(), Why::Always),
        };
        let key = (!has(key)).then(|| (key.to_owned(), Why::Always));
        let absent = key.into_iter().chain((!has_talk).then_some(talk)).collect();
        // Later KEYs replace the resources of earlier ones.
        let mut keys: Vec<(usize, String, &Seen)> = Vec::new();
        for (path, file) in &by_path {
            let order = KEYS.iter().position(|key| key == path).unwrap_or(KEYS.len());
            if matches!(file.content, Content::Key(..)) {
                keys.push((order, path.clone(), file));
            }
        }
        keys.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        let (mut named, mut known, mut shadowed) = (HashSet::new(), HashSet::new(), 0_usize);
        for (_, _, key) in &keys {
            let Content::Key(bifs, resources) = &key.content else { continue };
            for (path, stated) in bifs {
                if !named.insert(path.clone()) {
                    continue;
                }
                match by_path.get(path) {
                    None => findings.push(Finding::Missing { path: path.clone(), key: spelled(key) }),
                    Some(file) if file.size != *stated => {
                        findings.push(Finding::Size { path: spelled(file), stated: *stated, found: file.size })
                    }
                    Some(_) => {}
                }
            }
            let resources: HashSet<_> = resources.iter().cloned().collect();
            let added = resources.into_iter().filter(|resource| !known.insert(resource.clone())).count();
            shadowed += added;
        }
        for (path, file) in &by_path {
            let name = path.rsplit('/').next().unwrap_or_default();
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            if path.starts_with("data/") && path.ends_with(".bif") && !named.contains(path) {
                findings.push(Finding::Unnamed(spelled(file)));
            }
            if path.starts_with("override/") && stem.len() > 16 {
                findings.push(Finding::LongName(spelled(file)));
            }
            if file.size > LARGEST && [".erf", ".hak", ".mod", ".nwm", ".sav"].iter().any(|end| name.ends_with(end)) {
                findings.push(Finding::TooLarge(spelled(file)));
            }
        }
        findings.sort_by_key(Finding::to_string);
        let (keys, bifs) = (keys.len(), named.len());
        let game = Game::Neverwinter;
        let compared = files.iter().zip(&paths).map(|(file, inner)| {
            let known = all_known(core::iter::empty(), file.listed.as_ref(), list).into_iter();
            Item { path: &file.path, inner, known: known.filter(|it| it.can_be_of(Some(game))).collect() }
        });
        let standing = Standing::of_items(Some(game), &compared.collect::<Vec<_>>(), list);
        let listed = files.iter().filter_map(|file| file.listed.as_ref()).filter(|it| it.can_be_of(Some(game)));
        let listed = most_named(listed).map(|(edition, _)| edition.to_owned());
        let sold =
            files.iter().zip(&paths).filter(|(_, path)| is_sold(path)).map(|(file, _)| file.path.clone()).collect();
        let (root, files) = (root.to_owned(), files.len());
        Self { root, edition, language, findings, files, sold, standing, listed, absent, keys, bifs, shadowed }
    }

    /// Returns in one sentence which game the install is, and how its KEYs fit its BIFs.
    #[must_use]
    pub fn sentence(&self) -> String {
        let language = self.language.map_or_else(|| "no talk table".to_owned(), language_name);
        let Self { edition, keys, bifs, shadowed, .. } = self;
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let listed = self.listed.as_ref().map_or_else(String::new, |edition| format!("; {edition} by the given list"));
        let found = bifs.saturating_sub(self.missing().count());
        format!(
            "{} ({edition}), {language}; {keys} KEY{}, {found} of {bifs} BIF{} that they name, {shadowed} resource{} replaced by later KEYs{listed}",
            Game::Neverwinter.title(),
            s(*keys),
            s(*bifs),
            s(*shadowed),
        )
    }

    /// Returns what the edition rests on: the KEYs and `databuild.txt`.
    #[must_use]
    pub fn basis(&self) -> String {
        let has = |key: &str| !self.absent.iter().any(|(path, _)| path == key);
        let marks: &[(bool, &str)] = match &self.edition {
            Edition::Enhanced(build) => &[(has(BASE_KEY), BASE_KEY), (build.is_some(), "databuild.txt")],
            Edition::Classic { undrentide, underdark, patch_1_69 } => {
                &[(has(KEYS[0]), KEYS[0]), (*undrentide, XP[0]), (*underdark, XP[1]), (*patch_1_69, XP[2])]
            }
        };
        marks.iter().filter_map(|(is, mark)| is.then_some(*mark)).collect::<Vec<_>>().join(", ")
    }

    /// Returns the absent BIFs, each with the first KEY that names it.
    pub fn missing(&self) -> impl Iterator<Item = (&str, &str)> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::Missing { path, key } => Some((path.as_str(), key.as_str())),
            _ => None,
        })
    }

    /// Returns the BIFs that no KEY names.
    pub fn unnamed(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::Unnamed(path) => Some(path.as_str()),
            _ => None,
        })
    }

    /// Returns the BIFs whose size is not the one in their KEY, each with both sizes in words.
    pub fn resized(&self) -> impl Iterator<Item = (&str, String)> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::Size { path, stated, found } => Some((path.as_str(), sizes(*stated, *found))),
            _ => None,
        })
    }

    /// Returns the files whose names differ only in case, in pairs.
    pub fn rivals(&self) -> impl Iterator<Item = (&str, &str)> {
        self.findings.iter().filter_map(|finding| match finding {
            Finding::SameName(one, other) => Some((other.as_str(), one.as_str())),
            _ => None,
        })
    }

    /// Returns the findings that are about files that are there and named.
    pub fn others(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|it| !matches!(it, Finding::Missing { .. } | Finding::Unnamed(_)))
    }
}

/// Returns the name of a language of talk tables, or its number if it has none.
#[must_use]
pub fn language_name(language: u32) -> String {
    name_of(language).map_or_else(|| format!("language {language}"), str::to_owned)
}

impl Finding {
    /// Returns `true` if the size of a BIF is not the one in its KEY.
    #[must_use]
    pub const fn is_size(&self) -> bool {
        matches!(self, Self::Size { .. })
    }

    /// Returns `true` if the names of two files differ only in case.
    #[must_use]
    pub const fn is_same_name(&self) -> bool {
        matches!(self, Self::SameName(..))
    }
}

fn sizes(stated: u64, found: u64) -> String {
    format!("expected {} bytes, as in its KEY, found {}", grouped(stated), grouped(found))
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path, key } => write!(f, "{path}: missing, though {key} names it"),
            Self::Unnamed(path) => write!(f, "{path}: no KEY names it"),
            Self::Size { path, stated, found } => write!(f, "{path}: {}", sizes(*stated, *found)),
            Self::LongName(path) => write!(f, "{path}: the game ignores names of more than 16 characters"),
            Self::SameName(one, other) => write!(f, "{one}: {other} differs only in case"),
            Self::TooLarge(path) => write!(f, "{path}: more than 2 GB, which the game does not read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::wide;

    /// Returns a KEY with one BIF of this path and size, and one resource.
    fn key(path: &str, size: u32, resource: &[u8; 16]) -> Vec<u8> {
        let mut file = b"KEY V1  ".to_vec();
        let length = u8::try_from(path.len() + 1).expect("a short path");
        let name_end = 76 + u32::from(length);
        for word in [1, 1, 64, name_end, 102, 156] {
            file.extend(word.to_le_bytes());
        }
        file.extend([0; 32]);
        for word in [size, 76] {
            file.extend(word.to_le_bytes());
        }
        file.extend([length, 0, 1, 0]);
        file.extend(path.as_bytes());
        file.push(0);
        file.extend(resource);
        file.extend([0xE1, 0x07, 0, 0, 0, 0]);
        file
    }

    #[test]
    fn editions_and_missing_files_are_found() {
        let mut survey = Survey::default();
        let mut see = |path: &str, bytes: &[u8]| {
            let bytes = Bytes::copy_from_slice(bytes);
            survey.see(path, wide(bytes.len()), Facts::of(path, &bytes), None);
        };
        let resource = b"appearance\0\0\0\0\0\0";
        see("games/NWN/Chitin.key", &key("data\\2da.bif", 3, resource));
        see("games/NWN/xp1.key", &key("data\\xp1.bif", 3, resource));
        see("games/NWN/data/2DA.bif", &[0; 4]);
        see("games/NWN/data/other.bif", &[0; 4]);
        see("games/NWN/override/a_name_of_17_chars.2da", &[]);
        see("games/NWN/override/C_Boar.utc", &[]);
        see("games/NWN/override/c_boar.utc", &[]);
        let installs = survey.installs(None);
        let [install] = &installs[..] else { panic!("{installs:?}") };
        assert_eq!((install.root.as_str(), install.shadowed), ("games/NWN/", 1));
        assert_eq!(install.edition.to_string(), "Shadows of Undrentide");
        assert_eq!(install.missing().collect::<Vec<_>>(), [("data/xp1.bif", "xp1.key")]);
        assert_eq!((install.basis().as_str(), install.files), ("chitin.key, xp1.key", 7));
        let findings: Vec<String> = install.findings.iter().map(Finding::to_string).collect();
        assert_eq!(
            findings,
            [
                "data/2DA.bif: expected 3 bytes, as in its KEY, found 4",
                "data/other.bif: no KEY names it",
                "data/xp1.bif: missing, though xp1.key names it",
                "override/C_Boar.utc: override/c_boar.utc differs only in case",
                "override/a_name_of_17_chars.2da: the game ignores names of more than 16 characters",
            ]
        );
    }

    #[test]
    fn enhanced_edition_has_its_own_mark() {
        let mut survey = Survey::default();
        survey.see("data/nwn_base.key", 8, Facts::default(), None);
        survey.see("databuild.txt", 9, Facts::of("databuild.txt", &Bytes::from_static(b"8193.37\r\n")), None);
        let installs = survey.installs(None);
        assert_eq!(installs[0].edition.to_string(), "Enhanced Edition, build 8193.37");
        assert_eq!((installs[0].root.as_str(), installs[0].language), ("", None));
    }
}
