//! Counts what a statement is about in the files of an install.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use bitexact::field::{F32, decode, visit};
use bitexact::install;
use bitexact::install::zipper::{Facts, Install, Seen, Survey};
use bitexact::kind::Game;
use bitexact::passes::{Sha, Span, spans};
use bitexact::registry::{KINDS, Model, recognize};
use bitexact::verify::{VerifyOptions, verify_with};
use bitexact::zipper::gamez::arithmetic::{Turn, rotation};
use bitexact::zipper::gamez::nodes::Class;
use bitexact::zipper::gamez::{Body, Gamez};
use bitexact::zipper::messages::Dll;
use miniz_oxide::inflate::decompress_to_vec_zlib;

use super::fact::{Fact, fits};
use super::tally::{Equal, Tally, number, text, whole_text};
use super::{Closure, Statement};

/// An install with all its files.
pub(super) struct Retail {
    pub(super) game: Game,
    pub(super) files: Vec<File>,
}

/// A file of an install, whose contents are counted when they are needed.
pub(super) struct File {
    path: String,
    bytes: Vec<u8>,
    counted: OnceLock<Counted>,
    tally: OnceLock<Tally>,
}

/// What `verify` counts in a file.
struct Counted {
    kind: &'static str,
    records: BTreeMap<String, u64>,
    entries: BTreeMap<&'static str, u64>,
    deviations: BTreeMap<String, u64>,
}

impl Retail {
    /// Reads the installs below a folder.
    pub(super) fn read(folder: &Path) -> Vec<Self> {
        let mut survey = Survey::default();
        let mut all = BTreeMap::new();
        for found in install::files(folder).unwrap() {
            let path = found.path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            let bytes = found.read().unwrap();
            survey.see(Seen::new(path.clone(), Facts::of(&path, &bytes)));
            all.insert(path, bytes);
        }
        let of = |install: Install| {
            let file =
                |(path, _): &(String, _)| File::new(path[install.root.len()..].to_lowercase(), all[path].clone());
            Some(Self { game: install.game?, files: install.files.iter().map(file).collect() })
        };
        survey.installs(None).into_iter().filter_map(of).collect()
    }

    fn matching(&self, pattern: &str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| fits(pattern, &file.path))
    }

    /// Returns what a statement counts, or `None` if it does not apply.
    pub(super) fn count(&self, statement: &Statement) -> Option<u64> {
        let needs = statement.needs;
        if statement.game != self.game || !needs.is_empty() && self.matching(needs).next().is_none() {
            return None;
        }
        let files: Vec<&File> = self.matching(&statement.files).collect();
        let (first, fact) = (*files.first()?, statement.fact);
        let equal = || files.iter().flat_map(|file| fact.places().iter().filter_map(|place| file.equal(place)));
        let values = || equal().flat_map(BTreeMap::keys);
        let same = |wanted: &[u8]| files.iter().filter(|file| file.bytes == wanted).count() as u64;
        Some(match fact {
            Fact::Files => files.len() as u64,
            Fact::Sha => digits(&first.bytes),
            Fact::ShaEnd(length) => {
                let sha = Sha::of(&first.bytes).to_string();
                u64::from_str_radix(&sha[sha.len() - length..], 16).unwrap()
            }
            Fact::Like(pattern) => same(&self.matching(pattern).next()?.bytes),
            Fact::Twin(archive, entry) => same(&self.matching(archive).find_map(|file| file.decoded(entry))?),
            Fact::EntryBytes(entry) => files.iter().find_map(|file| file.entry(entry))?.len() as u64,
            Fact::EntryStart(entry) => files.iter().find_map(|file| file.span(entry))?.begin,
            Fact::EntrySha(entry) => digits(files.iter().find_map(|file| file.entry(entry))?),
            Fact::DecodedBytes(entry) => files.iter().find_map(|file| file.decoded(entry))?.len() as u64,
            Fact::DecodedSha(entry) => digits(&files.iter().find_map(|file| file.decoded(entry))?),
            Fact::Lowest(_) => values().map(|value| number(value)).min()?,
            Fact::Highest(_) => values().map(|value| number(value)).max()?,
            Fact::Different(_) => values().collect::<BTreeSet<_>>().len() as u64,
            Fact::DifferentTexts(_, patterns) => {
                values().flat_map(|value| like(patterns, value)).collect::<BTreeSet<_>>().len() as u64
            }
            Fact::FoldedTexts(_) => {
                values().map(|value| text(value).to_lowercase()).collect::<BTreeSet<_>>().len() as u64
            }
            Fact::Start(places) => files.iter().filter_map(|file| file.start(places)).min()?,
            Fact::FirstString => files.iter().flat_map(|file| file.string_numbers()).min()? / 16 * 16,
            Fact::LastString => files.iter().flat_map(|file| file.string_numbers()).max()? / 16 * 16 + 15,
            Fact::Least(fact) => files.iter().map(|file| file.count(*fact)).min()?,
            Fact::Most(fact) => files.iter().map(|file| file.count(*fact)).max()?,
            fact => files.iter().map(|file| file.count(fact)).sum(),
        })
    }

    pub(super) fn check(&self, statement: &Statement) -> Closure {
        match self.count(statement) {
            None => Closure::NotApplicable,
            Some(found) if found == statement.expected => Closure::Held,
            Some(found) => Closure::Failed(found),
        }
    }
}

/// Returns the number of objects of a world of Crimson Skies whose matrix formula B misses.
fn misses_formula_b(world: &[u8]) -> u64 {
    let world = decode::<Gamez>(world.to_vec()).unwrap().model;
    let Body::CrimsonSkies(world) = world.body else { return 0 };
    let objects = world.nodes.slots.iter().filter_map(|node| match &node.class {
        Class::Object(object) => Some(object),
        _ => None,
    });
    let miss = objects.filter(|object| {
        let by = rotation(Turn::B, object.head.rotate.map(F32::get), object.head.scale.map(F32::get));
        by.iter().zip(object.matrices.transform).any(|(by, stored)| (by - stored.get()).abs() > 1e-4)
    });
    miss.count() as u64
}

impl File {
    pub(super) fn new(path: String, bytes: Vec<u8>) -> Self {
        Self { path, bytes, counted: OnceLock::new(), tally: OnceLock::new() }
    }

    /// Counts a fact that adds up over the files.
    fn count(&self, fact: Fact) -> u64 {
        let equal = |fact: Fact| fact.places().iter().filter_map(|place| self.equal(place)).flatten();
        let sum = |is: &dyn Fn(&[u8]) -> bool| -> u64 {
            equal(fact).filter(|(value, _)| is(value)).map(|(_, count)| count).sum()
        };
        let size = self.bytes.len() as u64;
        match fact {
            Fact::Bytes => size,
            Fact::OtherSizes(sizes) => u64::from(!sizes.contains(&size)),
            Fact::Kind(kind) => u64::from(self.counted().kind == kind),
            Fact::Words(offset, words) => self.words(offset, words),
            Fact::Records(places) => places.iter().filter_map(|place| self.counted().records.get(*place)).sum(),
            Fact::Entries(kind) => self.counted().entries.get(kind).copied().unwrap_or_default(),
            Fact::OtherEntrySizes(pattern, sizes) => {
                let all = self.spans();
                let other = |span: &Span| !sizes.contains(&(span.end - span.begin));
                all.iter().filter(|(name, span)| fits(pattern, name) && other(span)).count() as u64
            }
            Fact::Sum(_) => equal(fact).map(|(value, count)| number(value) * count).sum(),
            Fact::Values(_, mask, wanted) => sum(&|value| number(value) & mask == wanted),
            Fact::Others(_, mask, wanted) => sum(&|value| number(value) & mask != wanted),
            Fact::Within(_, low, high) => sum(&|value| (low..=high).contains(&number(value))),
            Fact::Texts(_, patterns) => sum(&|value| like(patterns, value).is_some()),
            Fact::OtherTexts(_, patterns) => sum(&|value| like(patterns, value).is_none()),
            Fact::With(places, fields) => places.iter().map(|place| self.tally().with(place, fields)).sum(),
            Fact::Length(places) => {
                places.iter().filter_map(|place| self.tally().extents.get(place)).map(|extent| extent.length).sum()
            }
            Fact::Addresses(low, high) => {
                let outside = |(value, _): &(&Vec<u8>, &u64)| !(low..=high).contains(&number(value));
                self.tally().addresses.iter().filter(outside).map(|(_, count)| count).sum()
            }
            Fact::MissesFormulaB => misses_formula_b(&self.bytes),
            Fact::Deviations(place) => self.counted().deviations.get(place).copied().unwrap_or_default(),
            other => panic!("{other:?} does not add up"),
        }
    }

    /// Returns the equal values of fields at a place.
    fn equal(&self, place: &str) -> Option<&Equal> {
        self.tally().values.get(place)
    }

    fn start(&self, places: &[&str]) -> Option<u64> {
        places.iter().filter_map(|place| self.tally().extents.get(place)).map(|extent| extent.start).min()
    }

    /// Returns the number of words that are found one after the other from an offset.
    fn words(&self, offset: u64, words: &[&str]) -> u64 {
        let Some(mut rest) = self.bytes.get(offset as usize..) else { return 0 };
        let found = words.iter().take_while(|word| {
            // A reader stores a type and a length before each of them.
            let at = (0..=16).find(|at| rest.get(*at..).is_some_and(|rest| rest.starts_with(word.as_bytes())));
            at.inspect(|at| rest = &rest[at + word.len()..]).is_some()
        });
        found.count() as u64
    }

    fn string_numbers(&self) -> Vec<u64> {
        let Ok(dll) = decode::<Dll>(self.bytes.clone()) else { return Vec::new() };
        dll.model.texts().iter().map(|text| text.id.into()).collect()
    }

    fn tally(&self) -> &Tally {
        self.tally.get_or_init(|| {
            let mut tally = Tally::of_statements();
            if let Some(model) = self.model() {
                visit(&model, &mut tally).unwrap();
            }
            tally
        })
    }

    fn model(&self) -> Option<Model> {
        let (kind, _) = recognize(KINDS, self.name(), &self.bytes)?;
        Some((kind.decode)(self.bytes.clone().into()).ok()?.model)
    }

    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }

    fn spans(&self) -> BTreeMap<String, Span> {
        self.model().map(|model| spans(&model).unwrap()).unwrap_or_default()
    }

    fn span(&self, entry: &str) -> Option<Span> {
        self.spans().into_iter().find_map(|(name, span)| fits(entry, &name).then_some(span))
    }

    /// Returns the bytes of an entry.
    fn entry(&self, entry: &str) -> Option<&[u8]> {
        self.span(entry)?.of(&self.bytes)
    }

    /// Returns the bytes of the first entry of this name that is compressed.
    pub(super) fn decoded(&self, entry: &str) -> Option<Vec<u8>> {
        let decode = |span: Span| decompress_to_vec_zlib(span.of(&self.bytes)?).ok();
        self.spans()
            .into_iter()
            .filter(|(name, span)| fits(entry, name) && span.kind == "zlib")
            .find_map(|it| decode(it.1))
    }

    fn counted(&self) -> &Counted {
        self.counted.get_or_init(|| {
            let report = verify_with(KINDS, self.name(), self.bytes.clone(), VerifyOptions::default().counts(true));
            let counts = report.counts.unwrap_or_default();
            let deviations = report.deviations.into_iter().map(|it| (it.place, it.count)).collect();
            Counted {
                kind: report.kind.unwrap_or_default(),
                records: counts.records,
                entries: counts.entries,
                deviations,
            }
        })
    }
}

/// Returns the text of a value that matches one of some patterns.
fn like(patterns: &[&str], value: &[u8]) -> Option<String> {
    patterns.iter().find_map(|pattern| {
        let text = if pattern.contains('\0') { whole_text(value) } else { text(value) };
        fits(pattern, &text).then_some(text)
    })
}

/// Returns the first eight digits of the SHA-256 of some bytes as a number.
fn digits(bytes: &[u8]) -> u64 {
    u64::from_str_radix(&Sha::of(bytes).to_string()[..8], 16).unwrap()
}
