//! The sentence that answers whether a copy is good.

use super::copy::Certificate;
use crate::verify::Status;
use field::wide;
use kind::Game;
use output::printable::{counted, grouped};

/// What an install is, in a word. The first that applies is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// Bytes are lost, or a file does not come back.
    Damaged,
    /// Files are in the place of others, or in a wrong place.
    MixedUp,
    /// Required files are missing.
    Incomplete,
    /// Files are known to differ from those that were sold.
    Differs,
    /// Bytes may be lost, or files are equal that should differ.
    Doubtful,
    /// Nothing is wrong, and most files are known to be as sold.
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

/// Returns a verb for one or several.
const fn verb(count: u64, one: &'static str, several: &'static str) -> &'static str {
    if count == 1 { one } else { several }
}

impl Certificate {
    /// Returns what the install is, in a word.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let standing = &self.standing;
        if self.failed() > 0 || self.damaged() > 0 {
            Verdict::Damaged
        } else if !standing.mixed_up.is_empty() || !standing.moved.is_empty() {
            Verdict::MixedUp
        } else if self.required().next().is_some() {
            Verdict::Incomplete
        } else if !standing.differ.is_empty() || !self.resized.is_empty() {
            Verdict::Differs
        } else if self.suspect() > 0 || !self.alike.is_empty() {
            Verdict::Doubtful
        } else if standing.as_sold > self.count() / 2 {
            Verdict::Good
        } else {
            Verdict::Complete
        }
    }

    /// Returns the number of files that do not come back, or cannot be read.
    #[must_use]
    pub fn failed(&self) -> u64 {
        wide(self.files.iter().filter(|it| it.status.is_failure()).count())
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
        let game = self.game.map_or("unknown game", Game::title);
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
        let standing = &self.standing;
        let [failed, damaged, suspect] = [self.failed(), self.damaged(), self.suspect()];
        let [mixed, moved, alike] = [standing.mixed_up.len(), standing.moved.len(), self.alike.len()].map(wide);
        let (missing, resized) = (wide(self.required().count()), wide(self.resized.len()));
        let differ = standing.differ.iter().filter(|(path, _)| !standing.mixed_up.contains(path));
        let differ = wide(differ.count());
        let mut clauses = Vec::new();
        let mut say = |is: bool, clause: String| clauses.extend(is.then_some(clause));
        say(
            failed > 0,
            format!("{} {} not decode or cannot be read", counted(failed, "file"), verb(failed, "does", "do")),
        );
        say(damaged > 0, format!("{} damaged", counted(damaged, "file")));
        say(mixed > 0, format!("{} in the place of {}", counted(mixed, "file"), verb(mixed, "another", "others")));
        say(moved > 0, format!("{} in a wrong place", counted(moved, "file")));
        say(missing > 0, format!("{} missing", counted(missing, "required file")));
        say(missing == 0 && moved == 0, "complete".to_owned());
        say(differ > 0, format!("{} {}", grouped(differ), verb(differ, "differs", "differ")));
        say(resized > 0, format!("{} of another size than the game states", counted(resized, "file")));
        say(alike > 0, format!("{} equal to another that should differ", counted(alike, "file")));
        say(suspect > 0, format!("{} that may be damaged", counted(suspect, "file")));
        say(failed + damaged + suspect == 0, "no damage found".to_owned());
        let mut sentences = vec![format!("{}: {}.", self.name(), clauses.join(", "))];
        sentences.push(self.known());
        sentences.extend(self.proof());
        sentences
    }

    /// Returns the words for a file that is as its maker gave it away: the Marathon trilogy is free.
    #[must_use]
    pub fn sold(&self) -> &'static str {
        match self.game {
            Some(Game::Marathon | Game::Marathon2 | Game::Infinity) => "as distributed",
            _ => "as sold",
        }
    }

    /// Returns a sentence about how many files are as sold.
    fn known(&self) -> String {
        let (standing, sold, files) = (&self.standing, self.sold(), self.count());
        if !standing.has_reference {
            return format!("No hashes of this game are known, so nothing can be said about whether it is {sold}.");
        }
        match (standing.as_sold, standing.other_edition) {
            (0, Some(edition)) => {
                format!("Hashes are known only of the edition {edition}, so most of its files cannot be compared.")
            }
            (0, None) => format!("No file has a known hash, so nothing can be said about whether it is {sold}."),
            (count, _) if count == files => format!("All {} are {sold}.", counted(files, "file")),
            (count, _) => {
                let unknown = match standing.unknown {
                    0 => String::new(),
                    unknown => format!("; nothing is known of {}", grouped(unknown)),
                };
                let are = verb(count, "is", "are");
                format!("{} of {} {are} {sold}{unknown}.", grouped(count), counted(files, "file"))
            }
        }
    }

    /// Returns a sentence about what comes back bit for bit, or `None` if nothing does.
    fn proof(&self) -> Option<String> {
        let identical = wide(self.files.iter().filter(|it| it.status == Status::Identical).count());
        let supported = self.files.iter().filter(|it| it.status.is_ours()).count();
        let lacks = self.required().next().is_some();
        Some(match (identical, self.failed()) {
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
