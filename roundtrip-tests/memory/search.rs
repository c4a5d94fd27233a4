//! A search for the files that take the most memory for their size.
//!
//! It begins with the samples of a kind and repeats and changes their parts ([`structure`], [`patterns`], the mutator of `fuzz-smoke`); what
//! takes the most is changed further. Every run makes the same files. `BITEXACT_TEST_SEARCH` is the number of attempts for each kind, or for
//! the one that `BITEXACT_TEST_SEARCH_KIND` names.
//!
//! A file beyond the table of the registry is a fault: either it takes needlessly much, or the table is too low. Then the file becomes a
//! generator in `forge::amplified`, where every run tests it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::{slice, thread};

use allocation_counter::measure;
use bitexact::field::limits;
use bitexact::registry::{KINDS, Kind};
use bitexact::verify::{Status, VerifyOptions, verify_with};
use bytes::Bytes;
use forge::random::Random;
use forge::{Sample, Size};

use crate::anatomy::Anatomy;
use crate::draw::{Draw, of_random};
use crate::harness;
use crate::mutate::mutated;
use crate::patterns;
use crate::structure::{Structure, one, shown};
use crate::{ROOM, hundredths};

/// The attempts for each kind, unless `BITEXACT_TEST_SEARCH` says otherwise.
const TRIES: usize = 6;
/// The sizes of the files that are made, in bytes: large enough that [`ROOM`] does not matter, small enough to try many.
const LEAST: usize = 24 << 10;
const LARGEST: usize = 64 << 10;
/// The number of sizes between them.
const SIZES: usize = 6;
/// How many of the files that differ only in their counts and offsets are measured.
const ACCEPTED: usize = 3;
/// The most changes of a file at a time.
const STEPS: u64 = 3;
/// How many files that take the most are changed further, for each kind and each way to verify.
const KEPT: usize = 8;
/// The most fields and parts of a file that are looked at.
const PARTS: usize = 100_000;

/// Returns the ways to verify a file.
fn ways() -> [(&'static str, VerifyOptions); 3] {
    let how = VerifyOptions::default();
    [("default", how), ("exchange", how.via_exchange(true)), ("entries", how.entries(true))]
}

/// A file, and the memory that it takes.
#[derive(Clone, Debug)]
struct File {
    /// A name that its kind claims.
    name: String,
    /// How it was made.
    story: String,
    bytes: Bytes,
    /// The memory, in hundredths of its size.
    factor: u64,
    /// `true` if it was accepted.
    is_identical: bool,
}

/// The files of a kind that take the most memory, for each way to verify.
type Worst = [Vec<File>; 3];

#[derive(Default)]
struct Search {
    /// Those of the kinds that are done.
    worst: BTreeMap<&'static str, Worst>,
    /// What the files that they began with take.
    by_hand: BTreeMap<&'static str, [u64; 3]>,
    /// Violations of other laws, found on the way.
    faults: Vec<String>,
}

/// Returns the number of attempts for each kind.
fn tries() -> usize {
    match std::env::var("BITEXACT_TEST_SEARCH") {
        Ok(tries) => tries.parse().expect("BITEXACT_TEST_SEARCH is a number"),
        Err(_) => TRIES,
    }
}

/// Returns the generated samples of a kind, each with a name.
fn samples(kind: &Kind) -> Vec<(String, Vec<u8>)> {
    static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| forge::samples(harness::SEED, Size::Tiny));
    let samples = SAMPLES.iter().filter(|sample| sample.kind == kind.name);
    samples.map(|sample| (sample.name.clone(), sample.bytes.clone())).collect()
}

/// Returns the worst files that were made by hand, by kind: in several sizes, because a list that grows takes the most memory when it
/// has just been doubled.
fn by_hand() -> Vec<(&'static str, String, Vec<u8>)> {
    let sizes = (0..SIZES).map(|step| LEAST + (LARGEST - LEAST) * step / SIZES);
    sizes.flat_map(forge::amplified).map(|sample| (sample.kind, sample.name, sample.bytes)).collect()
}

impl Search {
    /// Searches the files of a kind, beginning with `seeds`; `others` can be entries in them.
    fn of(&mut self, kind: &'static Kind, seeds: &[(String, Vec<u8>)], others: &[(&str, Vec<u8>)], tries: usize) {
        let mut draw = of_random(Random::named(1, kind.name));
        let mut worst = Worst::default();
        for (name, bytes) in seeds {
            self.weigh(kind, &mut worst, (name, name.clone()), bytes.clone());
        }
        self.by_hand.insert(kind.name, worst.each_ref().map(|files| files.first().map_or(0, |file| file.factor)));
        for _ in 0..tries {
            let Some((name, story, files)) = attempt(kind, seeds, others, &worst, &mut draw) else { continue };
            let files = files.into_iter().filter(|bytes| bytes.len() <= 2 * LARGEST);
            let is_accepted = |bytes| self.weigh(kind, &mut worst, (&name, story.clone()), bytes);
            // Of those that are accepted, most are alike.
            files.map(is_accepted).filter(|is_accepted| *is_accepted).take(ACCEPTED).count();
        }
        self.worst.insert(kind.name, worst);
    }

    /// Measures a file, and keeps it if it is one of the worst. Returns `true` if it is accepted.
    fn weigh(&mut self, kind: &'static Kind, worst: &mut Worst, (name, story): (&str, String), bytes: Vec<u8>) -> bool {
        if bytes.len() < LEAST / 6 {
            return false;
        }
        let (size, bytes) = (bytes.len() as u64, Bytes::from(bytes));
        for (worst, (way, how)) in worst.iter_mut().zip(ways()) {
            let mut report = None;
            let taken = measure(|| report = Some(verify_with(slice::from_ref(kind), name, bytes.clone(), how)));
            let report = report.expect("a report");
            let is_identical = match report.status {
                Status::Identical => true,
                Status::Refused => false,
                Status::Foreign | Status::Unknown => return false,
                status => {
                    let why = report.failure.map_or_else(String::new, |failure| failure.message());
                    let path = kept(&format!("fault-{}-{way}-{}", kind.name, self.faults.len()), &bytes);
                    self.faults.push(format!(
                        "{}: {way}: {story}: {}: {why}: {}",
                        kind.name,
                        status.name(),
                        path.display()
                    ));
                    return false;
                }
            };
            let factor = hundredths(taken.bytes_max, size);
            let file = File { name: name.to_owned(), story: story.clone(), bytes: bytes.clone(), factor, is_identical };
            keep(worst, file);
            // What is refused is refused before it goes any other way.
            if !is_identical {
                return false;
            }
        }
        true
    }
}

/// Keeps a file if it is one of the worst.
fn keep(worst: &mut Vec<File>, file: File) {
    // Many changes make no difference, or little: files that take nearly the same count as one.
    let is_alike = |other: &File| other.factor.abs_diff(file.factor) * 64 <= file.factor;
    if worst.iter().any(|other| is_alike(other) && other.factor >= file.factor) {
        return;
    }
    worst.retain(|other| !is_alike(other));
    worst.push(file);
    worst.sort_by_key(|file| Reverse(file.factor));
    worst.truncate(KEPT);
}

/// Makes files in one way: their name, how they were made, and the files, of which often only one is accepted.
fn attempt(
    kind: &'static Kind,
    seeds: &[(String, Vec<u8>)],
    others: &[(&str, Vec<u8>)],
    worst: &Worst,
    draw: Draw<'_>,
) -> Option<(String, String, Vec<Vec<u8>>)> {
    let size = LEAST + draw((LARGEST - LEAST) as u64) as usize;
    let worst = &worst[draw(worst.len() as u64) as usize];
    let (name, mut story, mut bytes, mut changes) = match one(worst, draw).filter(|_| draw(3) > 0) {
        Some(file) => (&file.name, file.story.clone(), file.bytes.to_vec(), [1, 4, 2]),
        None => {
            let (name, bytes) = one(seeds, draw)?;
            (name, name.clone(), bytes.clone(), [3, 1, 0])
        }
    };
    // Often only several changes together make a difference.
    let mut steps = 1 + draw(STEPS);
    loop {
        let [structure, pattern, _] = changes;
        let made = match draw(changes.iter().sum()) {
            turn if turn < structure => {
                restructured(kind, &bytes, others, size, draw).map(|(how, file)| (how, vec![file]))
            }
            turn => {
                let file = Anatomy::of(kind, bytes.clone(), PARTS).ok()?;
                let none: &[Anatomy] = &[];
                match turn < structure + pattern {
                    true => patterns::changed(&file, size, draw),
                    false => Some(("mutated".to_owned(), vec![mutated(&file, none, draw)])),
                }
            }
        };
        let (how, files) = made?;
        story = format!("{story}; {how}");
        steps -= 1;
        if steps == 0 {
            return Some((name.clone(), story, files));
        }
        bytes = files.into_iter().find(|file| (kind.decode)(file.clone().into()).is_ok())?;
        changes = [1, 5, 2];
    }
}

/// Repeats something in a file, or replaces an entry.
fn restructured(
    kind: &'static Kind,
    bytes: &[u8],
    others: &[(&str, Vec<u8>)],
    size: usize,
    draw: Draw<'_>,
) -> Option<(String, Vec<u8>)> {
    let structure = Structure::of(kind, bytes)?;
    if let Some(entry) = one(&structure.entries, draw).filter(|_| draw(2) == 0) {
        let alike: Vec<_> = others.iter().filter(|(kind, _)| *kind == structure.kind_of(entry)).collect();
        let other = match draw(4) {
            0 => one(others, draw)?,
            _ => one(&alike, draw).copied().or(one(others, draw))?,
        };
        let made = structure.with_entry(entry, other.1.clone())?;
        return Some((format!("{} is a {}", shown(entry), other.0), made));
    }
    structure.grown(size, draw)
}

/// Writes a file to look at, and returns its path.
fn kept(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("search");
    std::fs::create_dir_all(&folder).expect("a folder for finds");
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file for a find");
    path
}

/// Returns what is wrong with the memory limit for a file: it does not refuse what takes much more, or refuses what takes much less.
fn misjudged(kind: &'static Kind, file: &File, how: VerifyOptions) -> Option<String> {
    let verify = |memory| {
        let how = how.memory(Some(memory));
        verify_with(slice::from_ref(kind), &file.name, file.bytes.clone(), how).status
    };
    let taken = file.bytes.len() as u64 + measure(|| _ = verify(u64::MAX)).bytes_max;
    // What any file takes in addition is not counted.
    if taken < 16 * ROOM {
        return None;
    }
    let limits = [(taken * 2 / 5, Status::Unreadable), (taken * 3, Status::Identical)];
    let wrong = limits.into_iter().find(|(limit, expected)| verify(*limit) != *expected);
    wrong.map(|(limit, _)| format!("takes {taken} bytes, and with a limit of {limit} it is {}", verify(limit).name()))
}

/// Runs a test on a stack that holds the deepest nesting.
fn deep(test: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(limits::STACK).spawn(test).expect("a thread");
    thread.join().unwrap_or_else(|panic| resume_unwind(panic));
}

#[test]
fn search_finds_no_file_beyond_the_table() {
    deep(search_all);
}

fn search_all() {
    let by_hand = by_hand();
    let mut search = Search::default();
    let mut wrong = Vec::new();
    // Containers come last, because the worst files of other kinds can be entries in them.
    let is_container = |kind: &Kind| kind.memory.entries > 0 || !kind.tables.is_empty();
    let mut kinds: Vec<_> = KINDS.iter().collect();
    kinds.sort_by_key(|kind| is_container(kind));
    let only = std::env::var("BITEXACT_TEST_SEARCH_KIND").ok();
    for kind in kinds.into_iter().filter(|kind| only.as_ref().is_none_or(|only| only == kind.name)) {
        let hand: Vec<_> = by_hand.iter().filter(|(of, ..)| *of == kind.name).collect();
        let mut seeds = samples(kind);
        seeds.extend(hand.iter().map(|(_, name, bytes)| (name.clone(), bytes.clone())));
        let mut others: Vec<_> = by_hand.iter().map(|(kind, _, bytes)| (*kind, bytes.clone())).collect();
        for (other, worst) in &search.worst {
            others.extend(worst.iter().filter_map(|files| Some((*other, files.first()?.bytes.to_vec()))));
        }
        search.of(kind, &seeds, &others, tries());
        let by_hand = search.by_hand[kind.name];
        for ((files, hand), (way, how)) in search.worst[kind.name].iter().zip(by_hand).zip(ways()) {
            let told = how.factor(kind.memory);
            let Some(file) = files.first() else { continue };
            eprintln!(
                "{:12} {way:8} table {told:4}, by hand {:7.2}, found {:7.2}: {}{}",
                kind.name,
                hand as f64 / 100.0,
                file.factor as f64 / 100.0,
                if file.is_identical { "" } else { "(refused) " },
                file.story
            );
            if file.factor > told * 100 {
                let path = kept(&format!("{}-{way}-{}", kind.name, file.name), &file.bytes);
                wrong.push(format!(
                    "{}: {way}: {} takes {:.2} times its size, the table says {told}: {}",
                    kind.name,
                    file.story,
                    file.factor as f64 / 100.0,
                    path.display()
                ));
            }
            let accepted = files.iter().find(|file| file.is_identical);
            if let Some((file, why)) = accepted.and_then(|file| Some((file, misjudged(kind, file, how)?))) {
                let path = kept(&format!("limit-{}-{way}-{}", kind.name, file.name), &file.bytes);
                wrong.push(format!("{}: {way}: {} {why}: {}", kind.name, file.story, path.display()));
            }
        }
    }
    wrong.extend(search.faults);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A search that finds nothing could be blind. This one does not begin with the worst file that is known.
#[test]
fn search_finds_half_of_the_known_worst_by_itself() {
    deep(search_one);
}

fn search_one() {
    let kind = harness::kind("ssf");
    let mut by_hand = Search::default();
    let known: Vec<_> = self::by_hand().into_iter().filter(|(of, ..)| *of == kind.name).collect();
    let known: Vec<_> = known.into_iter().map(|(_, name, bytes)| (name, bytes)).collect();
    by_hand.of(kind, &known, &[], 0);
    let mut search = Search::default();
    // Fewer attempts end at files that are twice as small: many draws add items to a table in any order.
    search.of(kind, &samples(kind), &[], tries().max(300));
    for ((known, found), (way, _)) in by_hand.worst[kind.name].iter().zip(&search.worst[kind.name]).zip(ways()) {
        let (known, found) = (&known[0], &found[0]);
        eprintln!("{way}: {} of {}: {}", found.factor, known.factor, found.story);
        assert!(found.factor * 2 >= known.factor, "{way}: {} of {}: {}", found.factor, known.factor, found.story);
    }
}
