//! What has become of an install since a snapshot.

use std::collections::BTreeMap;
use std::fmt;

use super::{Known, Row, Snapshot};
use crate::field::{Class, Json};

/// What has become of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It was not there.
    New,
    /// It is not there any more.
    Missing,
    /// Its bytes are others.
    Changed,
    /// Its bytes are the same, but this version of the program says something else of them.
    DecodedDifferently,
}

impl Change {
    /// The word for it in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::DecodedDifferently => "decoded-differently",
        }
    }
}

/// What a snapshot says of a file, one thing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// What became of it.
    Status,
    /// Its kind.
    Kind,
    /// The games it can be of.
    Games,
    /// Its size.
    Bytes,
    /// Its hash.
    Sha256,
    /// How many entries of a kind it has.
    Entries,
    /// How many items there are at a place.
    Records,
    /// How many bytes of a class it has.
    Census,
    /// What deviates at a place.
    Deviations,
    /// How many entries do not decode.
    Undecoded,
}

impl Aspect {
    /// The word for it in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Kind => "kind",
            Self::Games => "games",
            Self::Bytes => "bytes",
            Self::Sha256 => "sha256",
            Self::Entries => "entries",
            Self::Records => "records",
            Self::Census => "census",
            Self::Deviations => "deviations",
            Self::Undecoded => "undecoded",
        }
    }
}

/// One thing that is not as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What it is.
    pub aspect: Aspect,
    /// Of which kind of entries, at which place, of which class: where there are several.
    pub at: Option<String>,
    /// What the snapshot says, if anything.
    pub was: Option<Json>,
    /// What is there now, if anything.
    pub now: Option<Json>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.as_ref().map_or(String::new(), |at| format!(" {at}"));
        let (was, now) = (short(self.was.as_ref()), short(self.now.as_ref()));
        write!(f, "{}{at}: {was}, now {now}", self.aspect.name())
    }
}

fn short(value: Option<&Json>) -> String {
    match value {
        None => "none".to_owned(),
        Some(Json::Text(text)) => text.to_string(),
        Some(Json::List(items)) => items.iter().map(|item| short(Some(item))).collect::<Vec<_>>().join("|"),
        Some(Json::Object(members)) => {
            let members = members.iter().map(|(name, value)| format!("{name} {value}"));
            members.collect::<Vec<_>>().join(" ")
        }
        Some(plain) => plain.to_string(),
    }
}

/// A file that is not as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What has become of it.
    pub change: Change,
    /// Its path from the root of the install on.
    pub path: String,
    /// In what it is not as it was; of a new or missing file only the hash.
    pub differences: Vec<Difference>,
}

impl Snapshot {
    /// Compares a file with what it was, if it is not the same. Whatever has not been compared so is
    /// [missing](Self::missing) in the end.
    pub fn compare(&mut self, now: &Row) -> Option<Finding> {
        let path = now.path.clone();
        let Some(was) = self.files.remove(&path) else {
            let differences = differences(Facts::new(), hash(now.sha256.as_ref()));
            return Some(Finding { change: Change::New, path, differences });
        };
        let differences = match was {
            Known::Row(was) => differences(facts(&was), facts(now)),
            Known::Sha256(was) => differences(hash(Some(&was)), hash(now.sha256.as_ref())),
        };
        let change = match differences.iter().any(|it| it.aspect == Aspect::Sha256) {
            true => Change::Changed,
            false => Change::DecodedDifferently,
        };
        (!differences.is_empty()).then_some(Finding { change, path, differences })
    }

    /// The files that are not there any more, in the order of their paths.
    pub fn missing(self) -> impl Iterator<Item = Finding> {
        self.files.into_iter().map(|(path, was)| {
            let was = match was {
                Known::Row(was) => was.sha256,
                Known::Sha256(was) => Some(was),
            };
            Finding { change: Change::Missing, path, differences: differences(hash(was.as_ref()), Facts::new()) }
        })
    }
}

/// What is known of a file, thing by thing.
type Facts = BTreeMap<(Aspect, Option<String>), Json>;

fn hash(sha256: Option<&String>) -> Facts {
    sha256.map(|sha256| ((Aspect::Sha256, None), sha256.as_str().into())).into_iter().collect()
}

fn facts(row: &Row) -> Facts {
    let mut facts = hash(row.sha256.as_ref());
    let mut put = |aspect, at: Option<&str>, value: Json| facts.insert((aspect, at.map(str::to_owned)), value);
    put(Aspect::Status, None, row.status.as_str().into());
    if let Some(kind) = &row.kind {
        put(Aspect::Kind, None, kind.as_str().into());
    }
    put(Aspect::Games, None, row.game.iter().chain(&row.games).map(String::as_str).collect());
    if let Some(bytes) = row.bytes {
        put(Aspect::Bytes, None, bytes.into());
    }
    for (kind, &count) in &row.entries {
        put(Aspect::Entries, Some(kind), count.into());
    }
    for (place, &count) in &row.records {
        put(Aspect::Records, Some(place), count.into());
    }
    for (census, class) in row.census.iter().flat_map(|census| Class::ALL.map(|class| (census, class))) {
        put(Aspect::Census, Some(class.name()), census.of(class).into());
    }
    for it in &row.deviations {
        let (expected, found) = (it.expected.clone(), it.found.clone());
        let deviation = Json::from([("count", it.count.into()), ("expected", expected), ("found", found)]);
        put(Aspect::Deviations, Some(&it.place), deviation);
    }
    put(Aspect::Undecoded, None, row.undecoded.into());
    facts
}

fn differences(mut was: Facts, now: Facts) -> Vec<Difference> {
    let now = now.into_iter().map(|(key, now)| (was.remove(&key), key, Some(now)));
    let mut all: Vec<_> = now.filter(|(was, _, now)| was != now).collect();
    all.extend(was.into_iter().map(|(key, was)| (Some(was), key, None)));
    all.sort_by(|(_, one, _), (_, other, _)| one.cmp(other));
    all.into_iter().map(|(was, (aspect, at), now)| Difference { aspect, at, was, now }).collect()
}
