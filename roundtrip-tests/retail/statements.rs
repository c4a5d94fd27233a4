//! Statements of others about retail installs: arithmetic that needs no file, and facts that are checked on an install that
//! the environment variable `BITEXACT_INSTALL` names.
//!
//! Source: `retail/vectors-cs.md` (ids that begin with `cs`) and `retail/vectors-rc-mw-pm.md`, with the number of the section.

mod arithmetic;
mod facts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use bitexact::field::{Datum, Visitor, visit};
use bitexact::install;
use bitexact::kind::Game;
use bitexact::passes::{Sha, spans};
use bitexact::registry::{KINDS, Model, recognize};
use bitexact::verify::{VerifyOptions, verify_with};
use bitexact::zipper::install::{Facts, Seen, Survey};

use facts::statements;

/// What a statement counts in some files of an install.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    /// The files.
    Files,
    /// The files of a kind.
    Kind(&'static str),
    /// The bytes of the files.
    Bytes,
    /// The items of lists and blocks at these places.
    Records(&'static [&'static str]),
    /// The entries of a kind.
    Entries(&'static str),
    /// The beginning of the SHA-256 of the one file, as a number of eight hexadecimal digits.
    Sha,
    /// The bytes of an entry.
    EntryBytes(&'static str),
    /// The beginning of the SHA-256 of an entry.
    EntrySha(&'static str),
    /// The sum of the values of a field, most often of one.
    Sum(&'static str),
    /// The number of values of fields at these places of which the bits of a mask are these.
    Values(&'static [&'static str], u64, u64),
}

impl Fact {
    /// Returns the places whose values it counts.
    fn places(self) -> &'static [&'static str] {
        match self {
            Self::Values(places, ..) => places,
            _ => &[],
        }
    }
}

/// A statement about an install of a game.
struct Statement {
    id: String,
    game: Game,
    /// A file without which the statement does not apply, because it is about another edition.
    needs: &'static str,
    /// The pattern of the paths of the files, in lower case.
    files: String,
    fact: Fact,
    expected: u64,
}

/// How a statement fares on an install.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Closure {
    Held,
    Failed(u64),
    /// The install is of another game or edition, or has no such file.
    NotApplicable,
}

/// A file of an install, whose contents are counted when they are needed.
struct File {
    path: String,
    bytes: Vec<u8>,
    counted: OnceLock<Counted>,
    values: OnceLock<Values>,
}

/// The numbers of equal values, by places with indices as `*`.
type Values = BTreeMap<String, BTreeMap<u64, u64>>;

/// What is counted in a file.
struct Counted {
    kind: &'static str,
    records: BTreeMap<String, u64>,
    entries: BTreeMap<String, u64>,
}

/// An install with all its files.
struct Retail {
    game: Game,
    files: Vec<File>,
}

/// Returns `true` if a path matches a pattern with stars at one place, which stand for anything.
fn fits(pattern: &str, path: &str) -> bool {
    match (pattern.find('*'), pattern.rfind('*')) {
        (Some(first), Some(last)) => {
            let (before, after) = (&pattern[..first], &pattern[last + 1..]);
            path.len() >= before.len() + after.len() && path.starts_with(before) && path.ends_with(after)
        }
        _ => pattern == path,
    }
}

impl Retail {
    /// Reads the installs below a folder.
    fn read(folder: &Path) -> Vec<Self> {
        let mut survey = Survey::default();
        let mut all = BTreeMap::new();
        for found in install::files(folder).unwrap() {
            let path = found.path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            let bytes = found.read().unwrap();
            survey.see(Seen::new(path.clone(), Facts::of(&path, &bytes)));
            all.insert(path, bytes);
        }
        let installs = survey.installs(None).into_iter();
        let of = |install: bitexact::zipper::install::Install| {
            let file = |(path, _): &(String, _)| File {
                path: path[install.root.len()..].to_lowercase(),
                bytes: all[path].clone(),
                counted: OnceLock::new(),
                values: OnceLock::new(),
            };
            Some(Self { game: install.game?, files: install.files.iter().map(file).collect() })
        };
        installs.filter_map(of).collect()
    }

    /// Returns what a statement counts, or `None` if it does not apply.
    fn count(&self, statement: &Statement) -> Option<u64> {
        let matching = |pattern: &'_ str| {
            let pattern = pattern.to_owned();
            self.files.iter().filter(move |file| fits(&pattern, &file.path))
        };
        let needs = statement.needs;
        if statement.game != self.game || !needs.is_empty() && matching(needs).next().is_none() {
            return None;
        }
        let mut files = matching(&statement.files).peekable();
        files.peek()?;
        Some(match statement.fact {
            Fact::Files => files.count() as u64,
            Fact::Bytes => files.map(|file| file.bytes.len() as u64).sum(),
            Fact::Kind(kind) => files.filter(|file| file.counted().kind == kind).count() as u64,
            Fact::Records(places) => {
                let of =
                    |file: &File| places.iter().filter_map(|place| file.counted().records.get(*place)).sum::<u64>();
                files.map(of).sum()
            }
            Fact::Entries(kind) => files.filter_map(|file| file.counted().entries.get(kind)).sum(),
            Fact::Sha => digits(&files.next()?.bytes),
            Fact::EntryBytes(entry) => files.find_map(|file| file.entry(entry))?.len() as u64,
            Fact::EntrySha(entry) => digits(&files.find_map(|file| file.entry(entry))?),
            Fact::Sum(place) => {
                let of = |file: &File| -> u64 { file.values(place).map(|(value, count)| value * count).sum() };
                files.map(of).sum()
            }
            Fact::Values(places, mask, wanted) => {
                let is = |(value, _): &(u64, u64)| value & mask == wanted;
                let of =
                    |file: &File, place: &str| -> u64 { file.values(place).filter(is).map(|(_, count)| count).sum() };
                files.map(|file| places.iter().map(|place| of(file, place)).sum::<u64>()).sum()
            }
        })
    }

    fn check(&self, statement: &Statement) -> Closure {
        match self.count(statement) {
            None => Closure::NotApplicable,
            Some(found) if found == statement.expected => Closure::Held,
            Some(found) => Closure::Failed(found),
        }
    }
}

/// Returns the first eight digits of the SHA-256 of some bytes as a number.
fn digits(bytes: &[u8]) -> u64 {
    u64::from_str_radix(&Sha::of(bytes).to_string()[..8], 16).unwrap()
}

/// Counts equal values of the fields that statements are about.
#[derive(Default)]
struct Tally {
    wanted: BTreeSet<&'static str>,
    values: Values,
}

impl Visitor for Tally {
    fn data(&mut self, datum: &Datum<'_>) -> bitexact::field::Result {
        datum.owners(&mut |owner| {
            let place = owner.place.starred();
            if self.wanted.contains(place.as_str()) {
                let value = owner.bytes.iter().rev().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
                *self.values.entry(place).or_default().entry(value).or_default() += 1;
            }
        });
        Ok(())
    }
}

impl File {
    /// Returns the values of a field, each with its number, in little-endian order of its bytes.
    fn values(&self, place: &str) -> impl Iterator<Item = (u64, u64)> + use<'_> {
        let values = self.values.get_or_init(|| {
            let mut tally = Tally::default();
            for fact in statements().iter().map(|it| it.fact) {
                tally.wanted.extend(fact.places());
                tally.wanted.extend(if let Fact::Sum(place) = fact { Some(place) } else { None });
            }
            if let Some(model) = self.model() {
                visit(&model, &mut tally).unwrap();
            }
            tally.values
        });
        values.get(place).into_iter().flatten().map(|(value, count)| (*value, *count))
    }

    fn model(&self) -> Option<Model> {
        let (kind, _) = recognize(KINDS, self.path.rsplit('/').next().unwrap(), &self.bytes)?;
        Some((kind.decode)(self.bytes.clone().into()).ok()?.model)
    }

    /// Returns the bytes of an entry.
    fn entry(&self, entry: &str) -> Option<Vec<u8>> {
        Some(spans(&self.model()?).unwrap().get(entry)?.of(&self.bytes)?.to_vec())
    }

    fn counted(&self) -> &Counted {
        self.counted.get_or_init(|| {
            let name = self.path.rsplit('/').next().unwrap();
            let how = VerifyOptions::default().counts(true);
            let report = verify_with(KINDS, name, self.bytes.clone(), how);
            let counts = report.counts.unwrap_or_default();
            let entries = counts.entries.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
            Counted { kind: report.kind.unwrap_or_default(), records: counts.records, entries }
        })
    }
}

impl Statement {
    /// Returns the row of the statement in the table.
    fn row(&self, closure: &Closure) -> String {
        let Self { id, files, fact, expected, .. } = self;
        let closure = match closure {
            Closure::Held => "held".to_owned(),
            Closure::Failed(found) => format!("FAILED: {found}"),
            Closure::NotApplicable => "did not apply".to_owned(),
        };
        format!("{id:24} {files} {fact:?} = {expected}: {closure}")
    }
}

/// With `BITEXACT_INSTALL`, prints how every statement fares on the installs below that folder, and fails if one does not hold.
#[test]
fn statements_hold_on_a_retail_install() {
    let Some(folder) = std::env::var_os("BITEXACT_INSTALL") else {
        return eprintln!("BITEXACT_INSTALL names no install: the statements about retail files are not checked");
    };
    let installs = Retail::read(Path::new(&folder));
    assert!(!installs.is_empty(), "{}: no install of a known game", Path::new(&folder).display());
    let mut failed = 0;
    for install in &installs {
        let (mut held, mut other) = (0, 0);
        for statement in statements() {
            let closure = install.check(&statement);
            match closure {
                Closure::Held => held += 1,
                Closure::Failed(_) => failed += 1,
                Closure::NotApplicable => other += 1,
            }
            if closure != Closure::NotApplicable {
                println!("{}", statement.row(&closure));
            }
        }
        println!("{}: {held} held, {failed} failed, {other} did not apply", install.game.title());
    }
    assert_eq!(failed, 0, "see the table above, or run it with --nocapture");
}

/// Forged installs have other numbers, but everything that the statements count.
#[test]
fn forged_installs_have_what_the_statements_count() {
    let forged = tempfile::tempdir().unwrap();
    for (path, bytes) in forge::install(forge::INSTALL_SEED) {
        let path = forged.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    std::fs::write(forged.path().join("mw/Mech3.exe"), b"MZ").unwrap();
    let installs = Retail::read(forged.path());
    assert_eq!(installs.len(), 4);
    let (mut shapes, mut read) = (BTreeSet::new(), BTreeSet::new());
    for statement in statements() {
        // The first file of its kind stands for that of the statement, and any value and any entry for those in it.
        let name = statement.files.rsplit('/').next().unwrap().to_owned();
        let name = if name.ends_with("_anim.zbd") { "_anim.zbd".to_owned() } else { name };
        let (game, fact) = (
            statement.game,
            match statement.fact {
                Fact::Values(places, ..) => Fact::Values(places, 0, 0),
                // The sample archives have other entries.
                Fact::EntryBytes(_) | Fact::EntrySha(_) => Fact::Bytes,
                fact => fact,
            },
        );
        let any = Statement { files: format!("**{name}"), needs: "", fact, ..statement };
        let shape = (game.code(), any.fact);
        shapes.insert(shape);
        let counts: Vec<u64> = installs.iter().filter_map(|install| install.count(&any)).collect();
        if counts.iter().any(|count| *count > 0) {
            read.insert(shape);
        }
    }
    let unread: Vec<_> = shapes.difference(&read).collect();
    assert!(unread.is_empty(), "{unread:?}");
}

#[test]
fn closures_are_told_apart() {
    let bytes = |count: usize| Retail {
        game: Game::CrimsonSkies,
        files: vec![File {
            path: "ebusetup.sem".to_owned(),
            bytes: vec![0; count],
            counted: OnceLock::new(),
            values: OnceLock::new(),
        }],
    };
    let of = |files: &str, needs| Statement {
        id: "cs-1".to_owned(),
        game: Game::CrimsonSkies,
        needs,
        files: files.to_owned(),
        fact: Fact::Bytes,
        expected: 0,
    };
    assert_eq!(bytes(0).check(&of("ebusetup.sem", "")), Closure::Held);
    assert_eq!(bytes(3).check(&of("*.sem", "")), Closure::Failed(3));
    assert_eq!(bytes(0).check(&of("other", "")), Closure::NotApplicable);
    assert_eq!(bytes(0).check(&of("*.sem", "zbd/*")), Closure::NotApplicable);
    assert_eq!(of("*.sem", "").row(&Closure::Failed(3)), format!("{:24} *.sem Bytes = 0: FAILED: 3", "cs-1"));
}
