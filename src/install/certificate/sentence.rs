//! The sentence that answers whether a copy is good.

use super::copy::{Certificate, Checked, any_of};
use crate::verify::Status;
use field::wide;
use kind::Game;
use output::printable::{counted, grouped};

/// What an install is, in a word. The first that applies is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// Bytes are lost, or a file does not decode.
    Damaged,
    /// Files are in the place of others, or in a wrong place.
    MixedUp,
    /// Required files are missing.
    Incomplete,
    /// Files are known to differ from those that were sold.
    Differs,
    /// Files could not be read, so that nothing is known of them.
    NotRead,
    /// Bytes may be lost, a checksum does not fit, an entry does not decode, files are equal that should differ or compete for one place,
    /// bitexact itself fails at a file, or the game is not identified.
    Doubtful,
    /// Nothing is wrong, and most files are known to be as sold, or as in a list of the user's.
    Good,
    /// Nothing is wrong, but it is not known whether the files are as sold.
    Complete,
}

impl Verdict {
    /// Returns the word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::MixedUp => "mixed up",
            Self::Incomplete => "incomplete",
            Self::Differs => "differs",
            Self::NotRead => "not read",
            Self::Doubtful => "doubtful",
            Self::Good => "good",
            Self::Complete => "complete",
        }
    }

    /// Returns `true` if nothing is wrong.
    #[must_use]
    pub const fn is_fine(self) -> bool {
        matches!(self, Self::Good | Self::Complete)
    }

    /// Returns `true` if a file of the game cannot be used as it is.
    #[must_use]
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Damaged | Self::MixedUp)
    }
}

/// Returns the words for one or for several.
const fn verb<'t>(count: u64, one: &'t str, several: &'t str) -> &'t str {
    if count == 1 { one } else { several }
}

/// Something that is wrong with a copy.
struct Flaw {
    /// What the copy is at best.
    verdict: Verdict,
    /// `true` if it is a sign of damage.
    is_damage: bool,
    /// How it is said.
    words: String,
}

impl Certificate {
    /// Returns what the install is, in a word: the worst that is wrong with it. Only if nothing is wrong is it good or complete.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let worst = self.flaws().into_iter().map(|flaw| flaw.verdict).min();
        let known = self.standing.as_sold + self.standing.as_listed;
        worst.unwrap_or(if known > self.count() / 2 { Verdict::Good } else { Verdict::Complete })
    }

    /// Returns everything that is wrong, in the order in which it is said. The verdict and the sentence both follow from it, so that they
    /// cannot contradict each other. Every member is taken, so that none that is added later is forgotten.
    fn flaws(&self) -> Vec<Flaw> {
        let Self {
            root: _,
            game,
            games: _,
            edition: _,
            basis: _,
            files,
            standing,
            missing: _,
            unexpected: _,
            list,
            unfound: _,
            alike,
            rivals,
            resized,
            notes: _,
            caveats: _,
            expected: _,
            keyed: _,
        } = self;
        let count = |is: &dyn Fn(&Checked) -> bool| wide(files.iter().filter(|file| is(file)).count());
        let files_that =
            |count: u64, one: &str, several: &str| format!("{} {}", counted(count, "file"), verb(count, one, several));
        let mut flaws = Vec::new();
        let mut add = |count: u64, verdict: Verdict, is_damage: bool, words: &dyn Fn(u64) -> String| {
            flaws.extend((count > 0).then(|| Flaw { verdict, is_damage, words: words(count) }));
        };
        let is_refused = |file: &Checked| file.status == Status::Refused && !file.is_unproven;
        add(count(&Checked::is_torn), Verdict::Damaged, true, &|count| files_that(count, "is cut", "are cut"));
        add(count(&|it| is_refused(it) && !it.is_torn() && it.bytes > 0), Verdict::Damaged, true, &|count| {
            files_that(count, "does not decode", "do not decode")
        });
        let is_empty = |file: &Checked| file.is_damaged() && file.bytes == 0;
        add(count(&is_empty), Verdict::Damaged, true, &|count| files_that(count, "is empty", "are empty"));
        let is_lossy = |file: &Checked| file.is_damaged() && !file.is_torn() && !file.status.is_failure();
        add(count(&|it| is_lossy(it) && !is_empty(it)), Verdict::Damaged, true, &|count| {
            format!("{} damaged", counted(count, "file"))
        });
        // By their hashes, or by their kinds.
        let swapped = self.replaced().filter(|it| it.home.is_some() && !standing.mixed_up.contains(&it.path));
        add(wide(standing.mixed_up.len() + swapped.count()), Verdict::MixedUp, false, &|count| {
            format!("{} in the place of {}", counted(count, "file"), verb(count, "another", "others"))
        });
        add(wide(standing.moved.len()), Verdict::MixedUp, false, &|count| {
            format!("{} in a wrong place", counted(count, "file"))
        });
        let replaced = self.replaced().filter(|it| it.home.is_none() && !standing.mixed_up.contains(&it.path));
        add(wide(replaced.count()), Verdict::Incomplete, false, &|count| match count {
            1 => "something else in the place of 1 file".to_owned(),
            count => format!("something else in the places of {} files", grouped(count)),
        });
        add(wide(self.required().filter(|it| it.found.is_none()).count()), Verdict::Incomplete, false, &|count| {
            format!("{} missing", counted(count, "required file"))
        });
        let name = list.as_ref().map_or("", |list| &list.name);
        add(wide(self.unexplained().count()), Verdict::Incomplete, false, &|count| {
            format!("{} of {name} missing", counted(count, "file"))
        });
        let differ = standing.differ.iter().filter(|(path, _)| !standing.mixed_up.contains(path));
        add(wide(differ.count()), Verdict::Differs, false, &|count| {
            format!("{} {}", grouped(count), verb(count, "differs", "differ"))
        });
        add(wide(resized.len()), Verdict::Differs, false, &|count| {
            format!("{} of another size than the game states", counted(count, "file"))
        });
        add(count(&|it| it.unread.is_some()), Verdict::NotRead, false, &|count| {
            format!("{} not read", counted(count, "file"))
        });
        add(count(&|it| it.is_unproven), Verdict::Doubtful, false, &|count| {
            format!("{} at which bitexact itself fails", counted(count, "file"))
        });
        add(game.is_none().into(), Verdict::Doubtful, false, &|_| "the game is not identified".to_owned());
        add(wide(alike.len()), Verdict::Doubtful, false, &|count| {
            format!("{} equal to another that should differ", counted(count, "file"))
        });
        add(wide(rivals.len()), Verdict::Doubtful, false, &|count| match count {
            1 => "2 files compete for one place".to_owned(),
            count => format!("files compete for {} places", grouped(count)),
        });
        add(count(&|it| it.is_doubtful() && !it.checksums.is_empty()), Verdict::Doubtful, true, &|count| {
            format!("{} with a checksum that does not fit", counted(count, "file"))
        });
        add(count(&|it| it.is_doubtful() && !it.undecoded.is_empty()), Verdict::Doubtful, true, &|count| {
            format!("{} with entries that do not decode", counted(count, "file"))
        });
        add(self.suspect(), Verdict::Doubtful, true, &|count| {
            format!("{} that may be damaged", counted(count, "file"))
        });
        flaws
    }

    /// Returns the number of files that do not come back.
    #[must_use]
    pub fn failed(&self) -> u64 {
        wide(self.files.iter().filter(|it| it.status.is_failure() && it.unread.is_none()).count())
    }

    /// Returns the files that could not be read, each with the reason.
    pub fn unread(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|it| Some((it.path.as_str(), it.unread.as_deref()?)))
    }

    /// Returns the number of files that come back, but have lost bytes.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        wide(self.files.iter().filter(|it| it.is_damaged() && !it.status.is_failure()).count())
    }

    /// Returns the number of other files in which bytes may be lost.
    #[must_use]
    pub fn suspect(&self) -> u64 {
        wide(self.files.iter().filter(|it| it.severity == Some("suspect") && !it.status.is_failure()).count())
    }

    /// Returns the game and the edition.
    #[must_use]
    pub fn name(&self) -> String {
        let game = match (self.game, &self.games[..]) {
            (Some(game), _) => game.title().to_owned(),
            (None, []) => "unknown game".to_owned(),
            (None, games) => any_of(games),
        };
        let edition = if self.edition.is_empty() { "edition not identified" } else { &self.edition };
        format!("{game}, {edition}")
    }

    /// Returns the sentence that answers whether the copy is good, complete, of which edition, and what differs, and another one each for
    /// what is known of it and what is proven.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.sentences().join(" ")
    }

    /// Returns the sentences of [`sentence`](Self::sentence).
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let flaws = self.flaws();
        let mut clauses: Vec<&str> = flaws.iter().map(|flaw| &*flaw.words).collect();
        // That something is missing is among the flaws. Of an unknown game, nothing can be said.
        let is_lacking = flaws.iter().any(|flaw| matches!(flaw.verdict, Verdict::MixedUp | Verdict::Incomplete));
        let is_whole = !self.caveats.iter().any(|caveat| caveat.is_open());
        clauses.extend((!is_lacking && self.game.is_some()).then_some(match (flaws.is_empty(), is_whole) {
            (true, true) => "complete",
            (true, false) => "no known file missing",
            (false, _) => "no required file missing",
        }));
        let is_damaged = flaws.iter().any(|flaw| flaw.is_damage);
        let is_read = self.unread().next().is_none();
        clauses.extend((!is_damaged).then_some(match is_read {
            true => "no damage found",
            false => "no damage found in what was read",
        }));
        let mut sentences = vec![format!("{}: {}.", self.name(), clauses.join(", "))];
        sentences.extend(self.caveats.iter().map(|caveat| caveat.words().to_owned()));
        sentences.extend(self.how_to_read());
        sentences.push(self.known());
        sentences.extend(self.absent_of_list());
        sentences.extend(self.proof());
        sentences
    }

    /// Returns what to do about files that could not be read, or `None` if there are none.
    fn how_to_read(&self) -> Option<String> {
        let (path, why) = self.unread().next()?;
        let more = match self.unread().count() {
            1 => String::new(),
            count => format!(" and {} more", grouped(wide(count - 1))),
        };
        let them = if more.is_empty() { "it" } else { "them" };
        let advice = match why {
            why if why.contains("--memory") => "Raise the limit by --memory".to_owned(),
            why if why.contains("not a regular file") => "Name a file instead".to_owned(),
            _ => format!("Make {them} readable"),
        };
        Some(format!("Not read: {path} ({why}){more}. {advice} and verify again."))
    }

    /// Returns a sentence about files of a list that are absent, but not required, or `None` if there are none.
    fn absent_of_list(&self) -> Option<String> {
        let list = self.list.as_ref()?;
        let count = wide(self.unfound.iter().filter(|it| it.why.is_some_and(|why| !why.is_required())).count());
        let are = verb(count, "is", "are");
        (count > 0).then(|| format!("{} of {} {are} not there.", counted(count, "optional file"), list.name))
    }

    /// Returns the words for a file that is as its maker gave it away: the Marathon trilogy is free.
    #[must_use]
    pub fn sold(&self) -> &'static str {
        match self.game {
            Some(Game::Marathon | Game::Marathon2 | Game::Infinity) => "as distributed",
            _ => "as sold",
        }
    }

    /// Returns a sentence about how many files are as sold, or as in the list of the user's, which vouches for itself.
    fn known(&self) -> String {
        if self.game.is_none() && self.list.is_none() {
            return "Without the game, nothing can be said about whether its files are as sold.".to_owned();
        }
        let (standing, sold, files) = (&self.standing, self.sold(), self.count());
        if !standing.has_reference {
            return format!("No hashes of this game are known, so nothing can be said about whether it is {sold}.");
        }
        let Some(list) = &self.list else { return self.known_as_sold() };
        let listed = format!("as in {}", list.name);
        match (standing.as_sold, standing.as_listed) {
            (0, 0) => format!("No file is {listed}, and none has another known hash: is it a list of another copy?"),
            (0, count) if count == files => format!("All {} are {listed}.", counted(files, "file")),
            (count, 0) if count == files => format!("All {} are {sold}.", counted(files, "file")),
            (sold_count, count) => {
                let known = [(sold_count, sold), (count, &*listed)].into_iter().filter(|(count, _)| *count > 0);
                let mut of = format!(" of {}", counted(files, "file"));
                let known = known.map(|(count, how)| {
                    let are = verb(count, "is", "are");
                    format!("{}{} {are} {how}", grouped(count), core::mem::take(&mut of))
                });
                format!("{}{}.", known.collect::<Vec<_>>().join(", "), self.nothing_known())
            }
        }
    }

    /// Returns the end of a sentence about known files: of how many nothing is known.
    fn nothing_known(&self) -> String {
        match self.standing.unknown {
            0 => String::new(),
            unknown => format!("; nothing is known of {}", grouped(unknown)),
        }
    }

    /// Returns a sentence about how many files are as sold by the table of this crate alone.
    fn known_as_sold(&self) -> String {
        let (standing, sold, files) = (&self.standing, self.sold(), self.count());
        match (standing.as_sold, standing.other_edition) {
            (0, Some(edition)) => {
                format!("Hashes are known only of the edition {edition}, so most of its files cannot be compared.")
            }
            (0, None) => format!("No file has a known hash, so nothing can be said about whether it is {sold}."),
            (count, _) if count == files => format!("All {} are {sold}.", counted(files, "file")),
            (count, _) => {
                let are = verb(count, "is", "are");
                format!("{} of {} {are} {sold}{}.", grouped(count), counted(files, "file"), self.nothing_known())
            }
        }
    }

    /// Returns a sentence about what comes back bit for bit, or `None` if nothing does.
    fn proof(&self) -> Option<String> {
        let identical = wide(self.files.iter().filter(|it| it.status == Status::Identical).count());
        let supported = self.files.iter().filter(|it| it.status.is_ours()).count();
        let lacks = self.required().next().is_some();
        let unproven = self.failed() + wide(self.unread().count());
        Some(match (identical, unproven) {
            (0, _) => return None,
            (_, 0) if supported == self.files.len() && lacks => "Everything it has comes back bit for bit.".to_owned(),
            (_, 0) if supported == self.files.len() => "Everything comes back bit for bit.".to_owned(),
            (1, 0) => "The one supported file comes back bit for bit.".to_owned(),
            (count, 0) => format!("All {} supported files come back bit for bit.", grouped(count)),
            (1, _) => "The other one comes back bit for bit.".to_owned(),
            (count, _) => format!("The other {} come back bit for bit.", grouped(count)),
        })
    }
}
