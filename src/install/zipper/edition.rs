//! The edition of an install: its release, patches and language, with the evidence for each.
//!
//! Source: `zipper-installs.md`, sections 2 to 5.

use std::fmt;

use super::most_named;
use super::standing::release;
use super::{Member, is_mission_after};
use kind::Game;

/// What distinguishes an install from others of its game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edition {
    /// The distinctions, each with its evidence.
    marks: Vec<(Mark, String)>,
}

/// A distinction of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// A release whose digests are known.
    Release(String),
    /// The demo.
    Demo,
    /// The German edition.
    German,
    /// The language of the messages.
    Language(&'static str),
    /// A patch.
    Patched(&'static str),
    /// The edition of 1998, without the later missions.
    Early,
    /// A program that is known not to be as sold.
    Altered,
    /// A program of an edition about which nothing else is known.
    OtherBuild,
    /// The edition that a list of the user's gives most of its files.
    Listed(String),
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Release(name) => write!(f, "edition {name}"),
            Self::Demo => f.write_str("demo"),
            Self::German => f.write_str("German"),
            Self::Language(name) => f.write_str(name),
            Self::Patched(version) => write!(f, "patched to {version}"),
            Self::Early => f.write_str("edition of 1998"),
            Self::Altered => f.write_str("altered program"),
            Self::OtherBuild => f.write_str("unknown build of the program"),
            Self::Listed(name) => f.write_str(name),
        }
    }
}

/// The distinctions, without the evidence.
impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.marks.iter().map(|(mark, _)| mark.to_string()).collect();
        f.write_str(&words.join(", "))
    }
}

impl Edition {
    /// Infers the edition of an install from its files, with their paths in lower case.
    pub(super) fn of(game: Option<Game>, files: &[Member<'_>]) -> Self {
        let mut edition = Self::default();
        let Some(game) = game else { return edition };
        if let Some((name, count)) = release(game, files) {
            let s = if count == 1 { " is" } else { "s are" };
            let first = files.iter().find(|it| it.seen.known().is_some_and(|known| known.edition == name));
            let basis = match (count, first) {
                (1, Some(it)) => format!("the SHA-256 of {}", it.path),
                _ => format!("{count} file{s} as sold"),
            };
            edition.mark(Mark::Release(name.to_owned()), basis);
        }
        match game {
            Game::Recoil => edition.recoil(files),
            Game::MechWarrior3 => edition.mechwarrior_3(files),
            Game::CrimsonSkies => edition.crimson_skies(files),
            _ => {}
        }
        let altered = |it: &&Member<'_>| it.seen.known().is_some_and(super::KnownFile::is_altered);
        for it in files.iter().filter(|it| PROGRAMS.contains(&&*it.path)).filter(altered) {
            edition.mark(Mark::Altered, format!("the SHA-256 of {}", it.path));
        }
        let messages = ["messages.dll", "mech3msg.dll", "strings.dll"];
        if let Some(it) = files.iter().find(|it| messages.contains(&&*it.path))
            && let Some(language) = it.seen.facts.language.and_then(language)
            && !edition.marks.iter().any(|(mark, _)| mark.to_string() == language)
        {
            edition.mark(Mark::Language(language), format!("the language of {}", it.path));
        }
        let listed = files.iter().filter_map(|it| it.seen.listed.as_ref());
        if let Some((name, count)) = most_named(listed.filter(|it| it.can_be_of(Some(game)))) {
            let s = if count == 1 { "" } else { "s" };
            edition.mark(Mark::Listed(name.to_owned()), format!("{count} file{s} of the given list"));
        }
        edition
    }

    /// Returns the distinctions, each with its evidence.
    #[must_use]
    pub fn marks(&self) -> &[(Mark, String)] {
        &self.marks
    }

    /// Returns the evidence in words, or an empty text if there is none.
    #[must_use]
    pub fn basis(&self) -> String {
        self.marks.iter().map(|(_, basis)| basis.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns `true` for the demo.
    #[must_use]
    pub fn is_demo(&self) -> bool {
        self.has(&Mark::Demo)
    }

    /// Returns `true` if a patch is installed.
    #[must_use]
    pub fn is_patched(&self) -> bool {
        self.marks.iter().any(|(mark, _)| matches!(mark, Mark::Patched(_)))
    }

    /// Returns `true` for the edition of 1998 without the later missions.
    #[must_use]
    pub fn is_early(&self) -> bool {
        self.has(&Mark::Early)
    }

    /// Returns the release whose digests the files have.
    #[must_use]
    pub fn release(&self) -> Option<&str> {
        self.marks.iter().find_map(|(mark, _)| if let Mark::Release(name) = mark { Some(name.as_str()) } else { None })
    }

    /// Returns `true` if the hashes of a table or of a list of the user's name the edition.
    pub(super) fn is_vouched_for(&self) -> bool {
        self.marks.iter().any(|(mark, _)| matches!(mark, Mark::Release(_) | Mark::Listed(_)))
    }

    fn has(&self, wanted: &Mark) -> bool {
        self.marks.iter().any(|(mark, _)| mark == wanted)
    }

    fn mark(&mut self, mark: Mark, basis: impl Into<String>) {
        self.marks.push((mark, basis.into()));
    }

    /// Source: `zipper-installs.md`, section 4.1.
    fn recoil(&mut self, files: &[Member<'_>]) {
        let has = |start: &str| files.iter().any(|it| it.path.starts_with(start));
        let demo = files.iter().find_map(|it| Some((&it.path, it.seen.facts.demo_version?)));
        // A world of the demo can be mixed into another edition.
        let is_world = |it: &&Member<'_>| it.path.ends_with("/gamez.zbd");
        let is_whole = files.iter().filter(is_world).all(|it| it.seen.facts.demo_version.is_some());
        if let Some((path, version)) = demo.filter(|_| is_whole) {
            self.mark(Mark::Demo, format!("{path} has version {version}"));
            return;
        }
        // One source has data for missions 1 to 6 only; another says that missions 10 to 13 are packaged otherwise.
        let is_late = self.release() == Some("1999-01-29");
        if !is_late && has("zbd/m6/") && !files.iter().any(|it| is_mission_after(&it.path, 9)) {
            let last = if files.iter().any(|it| is_mission_after(&it.path, 6)) { "ninth" } else { "sixth" };
            self.mark(Mark::Early, format!("no data of missions after the {last}"));
        }
        let program = files.iter().find(|it| it.path == "recoil.exe");
        if program.is_some_and(|it| it.seen.bytes == 1_868_288) {
            self.mark(Mark::OtherBuild, "the size of recoil.exe, 1,868,288 bytes");
        }
        for name in ["recoil3dfx.exe", "recoild3d.exe"] {
            if files.iter().any(|it| it.path == name) {
                self.mark(Mark::OtherBuild, format!("{name} exists"));
            }
        }
    }

    /// Source: `zipper-installs.md`, sections 2.1, 2.2, 2.3, 2.6 and 2.7.
    fn mechwarrior_3(&mut self, files: &[Member<'_>]) {
        let has = |name: &str| files.iter().any(|it| it.path == name);
        if let Some(it) = files.iter().find(|it| DEMO.contains(&&*it.path)) {
            self.mark(Mark::Demo, format!("{} exists", it.path));
        } else if has("zbd/soundsm.zbd") && !has("zbd/soundsl.zbd") && !has("zbd/soundsh.zbd") {
            self.mark(Mark::Demo, "zbd/soundsM.zbd in place of soundsL and soundsH");
        }
        if has("mech3.icd") {
            self.mark(Mark::German, "Mech3.icd exists");
        }
        let size =
            |(path, bytes, _): &&(&str, u64, &str)| files.iter().any(|it| it.path == *path && it.seen.bytes == *bytes);
        if let Some((path, _, language)) = SIZES.iter().find(size)
            && !self.has(&Mark::German)
        {
            self.mark(
                if *language == "German" { Mark::German } else { Mark::Language(language) },
                format!("the size of {path}"),
            );
        }
        let is_wave = |path: &str| {
            let name = path.strip_prefix("zbd/").and_then(|name| name.strip_suffix(".wav"));
            name.is_some_and(|name| !name.contains('/'))
        };
        let is_new = |path: &str| path == "zbd/c3/readermp3.zbd" || path == "zbd/c3/readermp4.zbd" || is_wave(path);
        let is_program = |it: &Member<'_>| it.path == "mech3.exe" && it.seen.facts.version == Some([1, 2, 22, 0]);
        if let Some(it) = files.iter().find(|it| is_new(&it.path)) {
            self.mark(Mark::Patched("1.2"), format!("{} exists", it.path));
        } else if files.iter().any(is_program) {
            self.mark(Mark::Patched("1.2"), "the version of mech3.exe, 1.2.22.0");
        }
    }

    /// Source: `zipper-installs.md`, section 5.
    fn crimson_skies(&mut self, files: &[Member<'_>]) {
        let program = files.iter().find(|it| it.path == "crimson.exe");
        if let Some([1, 1, ..]) = program.and_then(|it| it.seen.facts.version) {
            self.mark(Mark::Patched("1.01"), "the version of crimson.exe, 1.1");
        }
        // Of an English install.
        if files.iter().any(|it| it.path == "zbd/rimage.zbd" && it.seen.bytes == 37_970_361) {
            self.mark(Mark::Language("English"), "the size of zbd/rimage.zbd, 37,970,361 bytes");
        }
    }
}

/// The programs of the games.
const PROGRAMS: [&str; 3] = ["recoil.exe", "mech3.exe", "crimson.exe"];

/// The sizes in bytes of files that depend on the language. Source: `zipper-installs.md`, section 2.2.
const SIZES: [(&str, u64, &str); 4] = [
    ("zbd/soundsh.zbd", 92_824_738, "English"),
    ("zbd/soundsh.zbd", 96_578_674, "German"),
    ("zbd/rimage.zbd", 42_528_982, "English"),
    ("zbd/rimage.zbd", 41_914_526, "German"),
];

/// The files that only the demo of MechWarrior 3 has. Source: `zipper-installs.md`, section 2.7.
const DEMO: [&str; 3] = ["mech3demo.exe", "zbd/rlab.zbd", "zbd/c4/readerm4.zbd"];

/// Returns `true` for a file that only the demo of MechWarrior 3 has, by its path in the install.
#[must_use]
pub fn is_only_in_demo(path: &str) -> bool {
    DEMO.iter().any(|known| known.eq_ignore_ascii_case(path))
}

/// Returns the language of an id of Windows, if an edition in it is known. Source: `zipper-installs.md`, sections 2.5 and 5.
fn language(id: u16) -> Option<&'static str> {
    Some(match id {
        0x0409 | 0x0809 => "English",
        0x0407 => "German",
        0x040C => "French",
        0x0411 => "Japanese",
        0x0404 => "Chinese",
        0x0410 => "Italian",
        0x0419 => "Russian",
        _ => return None,
    })
}
