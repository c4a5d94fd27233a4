//! Finds the changes of an install since a snapshot.

use std::collections::BTreeMap;
use std::fmt;

use super::text::{Known, Snapshot};
use crate::install::known::Digest;
use crate::verify::{Row, SCHEMA};
use field::{Class, Value};
use json::Compact;

/// The change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Change {
    /// It did not exist before.
    New,
    /// It no longer exists.
    Missing,
    /// It existed at another path, or with another case.
    Moved,
    /// Its bytes differ.
    Changed,
    /// Its bytes are unchanged, but this version of bitexact reports other facts about them.
    DecodedDifferently,
}

impl Change {
    /// Returns its name in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Missing => "missing",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::DecodedDifferently => "decoded-differently",
        }
    }
}

/// One fact about a file in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Aspect {
    /// The path.
    Path,
    /// The status.
    Status,
    /// The kind.
    Kind,
    /// The games that it can belong to.
    Games,
    /// The size.
    Bytes,
    /// The hash.
    Sha256,
    /// Another digest, in a list that has no SHA-256.
    Digest,
    /// The number of entries of a kind.
    Entries,
    /// The number of items at a place.
    Records,
    /// The number of bytes of a class.
    Census,
    /// The deviation at a place.
    Deviations,
    /// The number of entries that do not decode.
    Undecoded,
}

impl Aspect {
    /// Returns its name in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Status => "status",
            Self::Kind => "kind",
            Self::Games => "games",
            Self::Bytes => "bytes",
            Self::Sha256 => "sha256",
            Self::Digest => "digest",
            Self::Entries => "entries",
            Self::Records => "records",
            Self::Census => "census",
            Self::Deviations => "deviations",
            Self::Undecoded => "undecoded",
        }
    }
}

impl Aspect {
    /// Returns the fact that a digest is.
    pub(super) fn of_digest(digest: &str) -> Self {
        if Digest::kind(digest) == Some(Digest::Sha256) { Self::Sha256 } else { Self::Digest }
    }

    /// Returns `true` if the fact is a digest of the bytes.
    #[must_use]
    pub const fn is_content(self) -> bool {
        matches!(self, Self::Sha256 | Self::Digest)
    }
}

/// One changed fact.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The fact.
    pub aspect: Aspect,
    /// The kind of entries, the place or the class, for facts that have several.
    pub at: Option<String>,
    /// The value in the snapshot, if any.
    pub was: Option<Value>,
    /// The current value, if any.
    pub now: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.as_ref().map_or(String::new(), |at| format!(" {at}"));
        let (was, now) = (short(self.was.as_ref()), short(self.now.as_ref()));
        write!(f, "{}{at}: {was}, now {now}", self.aspect.name())
    }
}

fn short(value: Option<&Value>) -> String {
    match value {
        None => "none".to_owned(),
        Some(Value::List(items)) if items.is_empty() => "none".to_owned(),
        Some(Value::Text(text)) => text.to_string(),
        Some(Value::List(items)) => items.iter().map(|item| short(Some(item))).collect::<Vec<_>>().join("|"),
        Some(Value::Object(members)) => {
            let members = members.iter().map(|(name, value)| format!("{name} {}", Compact(value)));
            members.collect::<Vec<_>>().join(" ")
        }
        Some(plain) => Compact(plain).to_string(),
    }
}

/// A file that has changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The change of the file.
    pub change: Change,
    /// Its path from the root of the install.
    pub path: String,
    /// The changed facts; for a new or missing file only the hash.
    pub differences: Vec<Difference>,
}

impl Finding {
    /// Returns its row in the output of `verify --json`.
    #[must_use]
    pub fn row(&self) -> Value {
        let difference = |it: &Difference| {
            let aspect = [("aspect", Some(it.aspect.name().into())), ("at", it.at.as_deref().map(Value::from))];
            let known = aspect.into_iter().chain([("was", it.was.clone()), ("now", it.now.clone())]);
            Value::Object(known.filter_map(|(key, value)| Some((key.into(), value?))).collect())
        };
        Value::from([
            ("schema", SCHEMA.into()),
            ("finding", self.change.name().into()),
            ("path", self.path.as_str().into()),
            ("differences", self.differences.iter().map(difference).collect()),
        ])
    }
}

impl Snapshot {
    /// Returns how a file differs from its snapshot row, or `None` if it is unchanged. Files that are never compared are
    /// [missing](Self::missing) at the end. `digest` is that of the file of the [kind](Self::other_digest) that the list has.
    pub fn compare(&mut self, now: &Row, digest: Option<&str>) -> Option<Finding> {
        let path = now.path.clone();
        let current = digest.or(now.sha256.as_deref());
        let Some(was) = self.files.remove(&path) else {
            let differences = differences(Facts::new(), hash(current));
            return Some(Finding { change: Change::New, path, differences });
        };
        let differences = match was {
            // A file that no longer decodes has lost all other facts with that.
            Known::Row(was) if was.census.is_some() && now.census.is_none() => {
                let mut differences = differences(facts(&was), facts(now));
                differences.retain(|it| it.aspect <= Aspect::Sha256);
                differences
            }
            Known::Row(was) => differences(facts(&was), facts(now)),
            Known::Digest(was) => differences(hash(Some(&was)), hash(current)),
        };
        let change = match differences.iter().any(|it| it.aspect.is_content()) {
            true => Change::Changed,
            false => Change::DecodedDifferently,
        };
        (!differences.is_empty()).then_some(Finding { change, path, differences })
    }

    /// Returns the files that no longer exist, in the order of their paths.
    pub fn missing(self) -> impl Iterator<Item = Finding> {
        self.files.into_iter().map(|(path, was)| {
            let was = match was {
                Known::Row(was) => was.sha256,
                Known::Digest(was) => Some(was),
            };
            Finding { change: Change::Missing, path, differences: differences(hash(was.as_deref()), Facts::new()) }
        })
    }
}

/// The known facts of a file.
type Facts = BTreeMap<(Aspect, Option<String>), Value>;

/// Returns a digest as a fact.
fn hash(digest: Option<&str>) -> Facts {
    digest.map(|digest| ((Aspect::of_digest(digest), None), digest.into())).into_iter().collect()
}

fn facts(row: &Row) -> Facts {
    let mut facts = hash(row.sha256.as_deref());
    let mut put = |aspect, at: Option<&str>, value: Value| facts.insert((aspect, at.map(str::to_owned)), value);
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
        let deviation = Value::from([("count", it.count.into()), ("expected", expected), ("found", found)]);
        put(Aspect::Deviations, Some(&it.place), deviation);
    }
    put(Aspect::Undecoded, None, row.undecoded.count().into());
    facts
}

fn differences(mut was: Facts, now: Facts) -> Vec<Difference> {
    let now = now.into_iter().map(|(key, now)| (was.remove(&key), key, Some(now)));
    let mut all: Vec<_> = now.filter(|(was, _, now)| was != now).collect();
    all.extend(was.into_iter().map(|(key, was)| (Some(was), key, None)));
    all.sort_by(|(_, one, _), (_, other, _)| one.cmp(other));
    all.into_iter().map(|(was, (aspect, at), now)| Difference { aspect, at, was, now }).collect()
}
