//! The law harness: it checks the laws for every format of the registry, on every available sample file.
//!
//! Formats need not register here: the files come from the forge, the sample install and the corpora, and a kind
//! without a generated sample fails. `--ignored` runs the quadratic version: every cut, every byte.
//!
//! `BITEXACT_CORPUS=DIR` checks all files of a folder instead, see [`corpus`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "a test tells its failure by a panic"
)]

mod corpus;
mod edits;
#[path = "../harness/mod.rs"]
mod harness;
mod orders;
mod printed;
mod thresholds;
mod times;
mod unread;
mod values;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use ::field::{Decoded, Thresholds};
use bitexact::edit::ByDocument;
use bitexact::exchange::show;
use bitexact::field::{Datum, Detail, Place, Result, Value, Visitor, encode, limits, visit, wide};
use bitexact::kind::Model;
use bitexact::passes::{Census, Check, Map};
use bitexact::registry::KINDS;
use bitexact::verify::{Status, VerifyOptions, verify, verify_with};
use forge::Size;
use harness::Case;
use libtest_mimic::{Arguments, Failed, Trial};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// The number of cuts drawn in addition to those at fields; four times as many bytes are changed.
const DRAWN: u64 = 64;

/// The number of edits drawn per file, reduced if they would write more than `EDITED_BYTES` in total.
const EDITS: usize = 16;
/// The number of edits of values drawn per file.
const VALUES: usize = 24;
const EDITED_BYTES: usize = 1 << 20;
/// The number of objects that get an unknown member, reduced for large files.
const UNREAD: usize = 48;
/// The numbers of cuts and changed bytes, of edits and of unknown members that are drawn for a large file.
const LARGE_CUTS: usize = 6;
const LARGE_EDITS: usize = 2;

/// How many of the edits that are drawn of all kinds are left to documents and made there, at most, by reason.
const LEFT: [(ByDocument, usize); 7] = [
    (ByDocument::Many, 0),
    (ByDocument::NoPart, 20),
    (ByDocument::Unfit, 180),
    (ByDocument::Unloaded, 70),
    (ByDocument::Unwritten, 0),
    (ByDocument::Unproven, 2),
    // Among them the default of a table, which has no bytes of its own if it is blank.
    (ByDocument::OtherParts, 50),
];

type Law = fn(&Case) -> std::result::Result<(), Failed>;

/// The laws by name that look at the file as it is.
const READING: &[(&str, Law)] = &[
    ("identity", identity),
    ("exchange", exchange),
    ("printed", printed),
    ("census", census),
    ("places", places),
    ("without places", without_places),
    ("thresholds 0", |case| with_thresholds(case, &thresholds::SMALLEST)),
    ("thresholds 1", |case| with_thresholds(case, &thresholds::ONE)),
    ("thresholds largest", |case| with_thresholds(case, &thresholds::LARGEST)),
    ("orders", orders),
];
/// The laws that change the file many times.
const CHANGING: &[(&str, Law)] =
    &[("cuts", cuts), ("changed bytes", changed_bytes), ("edits", edits), ("values", values), ("unread", unread)];
/// These are quadratic and run only on request, over small files.
const QUADRATIC: &[(&str, Law)] = &[("every cut", every_cut), ("every byte", every_byte)];
/// The maximum size of a file for the quadratic laws.
const QUADRATIC_LIMIT: usize = 4 << 10;

fn main() {
    let mut args = Arguments::from_args();
    // If other tests run too, a filter on the command line applies to all of them.
    args.filter = args.filter.or_else(|| std::env::var("BITEXACT_LAWS").ok());
    // Trials hold whole files in memory, so more trials than processors gain nothing.
    args.test_threads = args.test_threads.or(std::thread::available_parallelism().ok().map(Into::into));
    let corpus = |folder: &Path| {
        let changing = if args.include_ignored || args.ignored { CHANGING } else { &[] };
        corpus::run(folder, &args, &[READING, changing].concat())
    };
    if let Some(folder) = std::env::var_os("BITEXACT_CORPUS") {
        std::process::exit(if corpus(folder.as_ref()) { 0 } else { 101 });
    }
    let conclusion = libtest_mimic::run(&args, trials());
    times::print();
    // The files of an install come after the tests.
    let is_listing = args.list;
    let install = std::env::var_os("BITEXACT_INSTALL").filter(|_| !is_listing);
    if install.is_some_and(|folder| !corpus(folder.as_ref())) {
        std::process::exit(101);
    }
    conclusion.exit();
}

/// Returns a test per file and law.
fn trials() -> Vec<Trial> {
    let mut cases = harness::forged(Size::Tiny, "tiny");
    cases.extend(harness::forged(Size::Small, "small"));
    let mut trials = vec![
        Trial::test("registry: every kind is forged", every_kind_is_forged),
        Trial::test("registry: every kind is forged in true size", every_kind_is_forged_in_true_size),
        Trial::test("corpus: every file is counted", corpus::every_file_is_counted),
        Trial::test("registry: of every kind some edits are taken", some_edits_are_taken),
        Trial::test("registry: of every kind most values are edited alone", most_values_are_edited_alone),
        Trial::test("registry: the order of fields is kept", order_of_fields_is_kept),
    ];
    cases.extend(harness::known_files(&harness::golden_install(), "golden"));
    // Files that once failed, except for those that are refused now: the tests of `fuzz-smoke` check that they stay
    // refused.
    let mut regressions = harness::known_files(&harness::root().join("golden/regressions"), "regressions");
    regressions.retain(|case| (case.kind.decode)(case.bytes.clone().into()).is_ok());
    cases.extend(regressions);
    match harness::corpora() {
        // Some files of the corpora are damaged: the test target `all` checks that they are refused.
        Some(corpora) => {
            let mut known = harness::known_files(&corpora, "corpora");
            known.retain(|case| (case.kind.decode)(case.bytes.clone().into()).is_ok());
            cases.extend(known);
        }
        None => trials.push(Trial::test("corpora: absent beside the project", || Ok(())).with_ignored_flag(true)),
    }
    for case in cases.into_iter().map(Arc::new) {
        for (law, check) in laws() {
            let case = Arc::clone(&case);
            trials.push(Trial::test(format!("{law}: {}", case.name), move || times::timed(law, &case, *check)));
        }
        for (law, check) in QUADRATIC.iter().filter(|_| case.bytes.len() <= QUADRATIC_LIMIT) {
            let case = Arc::clone(&case);
            trials.push(Trial::test(format!("{law}: {}", case.name), move || check(&case)).with_ignored_flag(true));
        }
    }
    // Each is built when its first law is checked, and dropped after its last.
    for file in forge::true_size::true_size() {
        let name = format!("forge/true size/{}", file.name);
        let built = name.clone();
        let case = Arc::new(LazyLock::new(move || Case {
            name: built,
            kind: harness::kind(file.kind),
            bytes: file.bytes(harness::SEED),
            is_large: true,
        }));
        for (law, check) in laws() {
            let case = Arc::clone(&case);
            trials.push(Trial::test(format!("{law}: {name}"), move || times::timed(law, &case, *check)));
        }
    }
    trials
}

/// Returns the laws of every file.
fn laws() -> impl Iterator<Item = &'static (&'static str, Law)> {
    READING.iter().chain(CHANGING)
}

/// Returns how many edits of a file are drawn: `most`, fewer if they would write more than [`EDITED_BYTES`].
fn times(case: &Case, least: usize, most: usize) -> usize {
    match case.is_large {
        true => LARGE_EDITS,
        false => (EDITED_BYTES / case.bytes.len().max(1)).clamp(least, most),
    }
}

/// Returns some of the items of a list, evenly, for a large file.
fn thinned(case: &Case, items: Vec<u64>) -> Vec<u64> {
    let step = if case.is_large { items.len().div_ceil(LARGE_CUTS).max(1) } else { 1 };
    items.into_iter().step_by(step).collect()
}

fn every_kind_is_forged_in_true_size() -> std::result::Result<(), Failed> {
    match KINDS.iter().find(|kind| !forge::true_size::true_size().any(|file| file.kind == kind.name)) {
        Some(kind) => Err(format!("the forge makes no {} of true size", kind.name).into()),
        None => Ok(()),
    }
}

fn every_kind_is_forged() -> std::result::Result<(), Failed> {
    for size in [Size::Tiny, Size::Small, Size::Retail] {
        let samples = forge::samples(harness::SEED, size);
        for kind in KINDS {
            if !samples.iter().any(|sample| sample.kind == kind.name) {
                return Err(format!("the forge makes no {}", kind.name).into());
            }
        }
    }
    Ok(())
}
/// Law 1: a decoded file is encoded to the same bytes, by the function that `verify` uses.
fn identity(case: &Case) -> std::result::Result<(), Failed> {
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let report = verify(KINDS, name, case.bytes.clone());
    if report.status != Status::Identical {
        return Err(format!("{}: {:?}", report.status.name(), report.failure).into());
    }
    assert_eq!(report.kind, Some(case.kind.name));
    assert_eq!(report.rewritten, report.sha256);
    Ok(())
}

/// Law 2: the exchange format packs to the same bytes.
fn exchange(case: &Case) -> std::result::Result<(), Failed> {
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let report = verify_with(KINDS, name, case.bytes.clone(), VerifyOptions::default().via_exchange(true));
    if report.status != Status::Identical {
        return Err(format!("{}: {:?}", report.status.name(), report.failure).into());
    }
    assert_eq!(report.rewritten, report.sha256);
    Ok(())
}

/// Law 2: files printed from the bytes match those of the tree of values, and pack to the same bytes.
fn printed(case: &Case) -> std::result::Result<(), Failed> {
    Ok(deep(|| printed::printed(case))?)
}

/// Law 5: a random edit of the exchange format is refused, or the packed file contains it.
fn edits(case: &Case) -> std::result::Result<(), Failed> {
    edited(case, times(case, 1, EDITS)).map(drop)
}

/// Law 5: an edit of a part has the same result as one of its document, and that the same as one of all documents.
fn values(case: &Case) -> std::result::Result<(), Failed> {
    Ok(edited_alone(case, times(case, 1, VALUES)).map(drop)?)
}

/// Draws edits of values, and returns their tally.
fn edited_alone(case: &Case, times: usize) -> std::result::Result<values::Tally, String> {
    let mut draw = draw(case);
    deep(|| values::values(case, times, &mut |end| draw.below(end)))
}

/// Most edits do not need a document, every kind has some that do not, and what is left to documents is counted by reason.
/// `BITEXACT_TEST_EDITS=100000` draws about as many edits.
fn most_values_are_edited_alone() -> std::result::Result<(), Failed> {
    /// The files of each kind.
    const FILES: usize = 8;
    let wanted = std::env::var("BITEXACT_TEST_EDITS").ok().map(|text| text.parse::<usize>()).transpose()?;
    let times = wanted.map_or(VALUES, |wanted| wanted.div_ceil(KINDS.len() * FILES));
    let forged = harness::forged(Size::Tiny, "tiny");
    let (mut all, mut few) = (values::Tally::default(), Vec::new());
    for kind in KINDS {
        let mut tally = values::Tally::default();
        for case in forged.iter().filter(|case| case.kind.name == kind.name).take(FILES) {
            tally.add(&edited_alone(case, times).map_err(|why| format!("{}: {why}", case.name))?);
        }
        eprintln!("{}: {} of {} edits need no document; {:?}", kind.name, tally.alone, tally.taken, tally.left);
        all.add(&tally);
        // Sounds and films of other programs have no values.
        few.extend((tally.alone == 0 && tally.made > 0).then_some(kind.name));
    }
    eprintln!("{} edits, {} taken, {} of them need no document; {:?}", all.made, all.taken, all.alone, all.left);
    let [made, taken] = all.entries;
    eprintln!("{made} edits of entries, {taken} taken");
    if taken * 3 < made || taken == 0 {
        return Err(format!("{taken} of {made} edits of entries are taken, at least a third are known").into());
    }
    // An edit that needs the document and not only its part is one that the part should learn.
    for (why, most) in LEFT.iter().filter(|_| wanted.is_none()) {
        let taken = all.left.get(why).map_or(0, |[_, taken]| *taken);
        if taken > *most {
            return Err(format!("{why:?}: {taken} edits need a document, {most} at most are known").into());
        }
    }
    match all.alone * 5 < all.taken * 4 || !few.is_empty() {
        true => Err(format!("{} of {} edits need no document, and none of {few:?}", all.alone, all.taken).into()),
        false => Ok(()),
    }
}

/// Law 5: a member that no format reads is refused.
fn unread(case: &Case) -> std::result::Result<(), Failed> {
    let most = times(case, 4, UNREAD);
    Ok(deep(|| unread::unread(case, most))?)
}

/// Law 7: results do not depend on the numbers at which work is divided.
fn with_thresholds(case: &Case, thresholds: &'static Thresholds) -> std::result::Result<(), Failed> {
    Ok(deep(|| thresholds::alike(case, thresholds))?)
}

/// Law 5: members in another order are the same values, and an edit among them is the only change of a value.
fn orders(case: &Case) -> std::result::Result<(), Failed> {
    Ok(reordered(case).map(drop)?)
}

/// Puts members into another order, and returns `true` if the file keeps it.
fn reordered(case: &Case) -> std::result::Result<bool, String> {
    let mut draw = draw(case);
    deep(|| orders::orders(case, &mut |end| draw.below(end)))
}

/// Trees of fields keep any order of their fields.
fn order_of_fields_is_kept() -> std::result::Result<(), Failed> {
    let forged = harness::forged(Size::Tiny, "tiny");
    let ordinary = forged.iter().filter(|case| case.kind.name == "gff");
    match ordinary.map(reordered).collect::<std::result::Result<Vec<bool>, _>>()?.contains(&true) {
        true => Ok(()),
        false => Err("no file keeps another order".into()),
    }
}

/// Not every edit is refused: every kind has a file that some edits change.
fn some_edits_are_taken() -> std::result::Result<(), Failed> {
    let forged = harness::forged(Size::Tiny, "tiny");
    for kind in KINDS {
        let mut of_kind = forged.iter().filter(|case| case.kind.name == kind.name);
        let taken = of_kind.try_fold(0, |taken, case| if taken > 0 { Ok(taken) } else { edited(case, EDITS) });
        if taken? == 0 {
            return Err(format!("no edit of a {} is taken", kind.name).into());
        }
    }
    Ok(())
}

/// Makes `times` edits of a file, and returns the number that were not refused.
fn edited(case: &Case, times: usize) -> std::result::Result<usize, Failed> {
    let mut draw = draw(case);
    Ok(deep(|| edits::edits(case, times, &mut |end| draw.below(end)))?.len())
}

/// Runs a check on a stack as large as the program's, which holds the deepest nesting.
fn deep<T: Send>(check: impl FnOnce() -> std::result::Result<T, String> + Send) -> std::result::Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, check);
        let outcome = thread.map_err(|error| error.to_string())?.join();
        outcome.map_err(|_| "the check has panicked".to_owned())?
    })
}

/// Law 4: every byte has exactly one owner, and the classes add up to the size of the file.
fn census(case: &Case) -> std::result::Result<(), Failed> {
    let Decoded { model, .. } = (case.kind.decode)(case.bytes.clone().into())?;
    let (mut census, mut map, mut owners) = (Census::default(), Map::default(), Owners::default());
    visit(&model, &mut census)?;
    visit(&model, &mut map)?;
    visit(&model, &mut owners)?;
    assert_eq!(census.total(), wide(case.bytes.len()), "the census adds up to the size");
    assert_eq!(census, owners.census, "the sums of the layout tables agree with a count byte by byte");
    assert!(owners.bytes == case.bytes, "the owners hold the bytes of the file, in order");
    let (mut at, mut mapped) = (0, Census::default());
    for stretch in map.stretches {
        assert_eq!(stretch.offset, at, "the map has no hole and no overlap before {}", stretch.place);
        at += stretch.bytes;
        mapped.count(stretch.class, stretch.bytes);
    }
    assert_eq!(at, wide(case.bytes.len()));
    assert_eq!(mapped, census, "the map says the classes of the census");
    Ok(())
}

/// Every reported place can be looked up: the first of each kind, and those of deviations.
fn places(case: &Case) -> std::result::Result<(), Failed> {
    let Decoded { model, .. } = (case.kind.decode)(case.bytes.clone().into())?;
    let (mut owners, mut check) = (Owners::default(), Check::default());
    visit(&model, &mut owners)?;
    visit(&model, &mut check)?;
    let deviations = check.finish().0.into_iter().map(|it| it.first_place.to_string());
    for place in owners.places.into_values().chain(deviations) {
        assert!(show(&model, &place, usize::MAX)?.is_some(), "nothing is shown at {place}");
    }
    Ok(())
}

/// A visitor without places, which receives many records in one piece, finds the same as one with places, and so does `verify`.
fn without_places(case: &Case) -> std::result::Result<(), Failed> {
    let Decoded { model, .. } = (case.kind.decode)(case.bytes.clone().into())?;
    found_alike(&model)?;
    // `verify` omits the comparisons that a model just decoded passes.
    let report = verify(KINDS, case.name.rsplit('/').next().unwrap_or_default(), case.bytes.clone());
    let mut fine = Found { detail: Detail::Places, check: Check::default(), census: Census::default() };
    visit(&model, &mut fine)?;
    assert_eq!(report.census, Some(fine.census));
    assert_eq!(report.deviations, fine.check.finish().0);
    Ok(())
}

fn found_alike(model: &Model) -> std::result::Result<(), String> {
    let [fine, coarse] = [Detail::Places, Detail::Steps].map(|detail| {
        let mut found = Found { detail, check: Check::default(), census: Census::default() };
        let outcome = visit(model, &mut found).map_err(|error| error.to_string());
        (outcome, found)
    });
    assert_eq!(coarse.0, fine.0);
    let (census, lacks_labels) = (coarse.1.census, coarse.1.check.lacks_labels());
    if census != fine.1.census {
        return Err(format!("without places the census is {census:?} instead of {:?}", fine.1.census));
    }
    let [fine, coarse] = [fine, coarse].map(|(_, found)| found.check.finish().0);
    // Places that lack the labels of their entries differ from the reported ones.
    match lacks_labels || coarse == fine {
        true => Ok(()),
        false => Err(format!("without places the deviations are {coarse:?} instead of {fine:?}")),
    }
}

/// Deviations, and bytes by class.
struct Found {
    detail: Detail,
    check: Check,
    census: Census,
}

impl Visitor for Found {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        self.check.data(datum)?;
        self.census.data(datum)
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Value, found: Value) {
        self.check.deviates(place, offset, expected, found);
    }

    fn judges(&self) -> bool {
        true
    }

    fn detail(&self) -> Detail {
        self.detail
    }
}

/// A file cut anywhere decodes to the remaining data, or is refused with an offset in it.
fn cuts(case: &Case) -> std::result::Result<(), Failed> {
    let mut draw = draw(case);
    let mut cuts: Vec<u64> = boundaries(case, &mut draw)?.into_values().flatten().collect();
    cuts.extend((0..DRAWN).map(|_| draw.below(wide(case.bytes.len()))));
    thinned(case, cuts).into_iter().try_for_each(|cut| cut_at(case, cut))
}

/// A file with one byte changed decodes to the changed data, or is refused with an offset in it.
fn changed_bytes(case: &Case) -> std::result::Result<(), Failed> {
    let mut draw = draw(case);
    let length = wide(case.bytes.len());
    let mut offsets: Vec<u64> =
        boundaries(case, &mut draw)?.into_values().filter_map(|places| places.first().copied()).collect();
    offsets.extend((0..4 * DRAWN).map(|part| part * length / (4 * DRAWN)));
    thinned(case, offsets).into_iter().filter(|&offset| offset < length).try_for_each(|offset| {
        let with = u8::try_from(draw.below(255))? + 1;
        change_at(case, offset, with)
    })
}

fn every_cut(case: &Case) -> std::result::Result<(), Failed> {
    (0..wide(case.bytes.len())).try_for_each(|cut| cut_at(case, cut))
}

fn every_byte(case: &Case) -> std::result::Result<(), Failed> {
    (0..wide(case.bytes.len()))
        .try_for_each(|offset| [0x01, 0x80, 0xFF, 0x7F].into_iter().try_for_each(|with| change_at(case, offset, with)))
}

fn cut_at(case: &Case, cut: u64) -> std::result::Result<(), Failed> {
    let bytes = case.bytes[..cut as usize].to_vec();
    identical_or_refused(case, bytes).map_err(|why| format!("cut at {cut:#x}: {why}").into())
}

fn change_at(case: &Case, offset: u64, with: u8) -> std::result::Result<(), Failed> {
    let mut bytes = case.bytes.clone();
    bytes[offset as usize] ^= with;
    identical_or_refused(case, bytes).map_err(|why| format!("byte {offset:#x} changed by {with:#x}: {why}").into())
}

/// Checks that the decoder, called directly, returns a model that encodes to the same bytes, or an error with an offset
/// in the file.
fn identical_or_refused(case: &Case, bytes: Vec<u8>) -> std::result::Result<(), String> {
    match (case.kind.decode)(bytes.clone().into()) {
        Ok(decoded) => {
            let again = encode(&decoded.model).map_err(|error| format!("decoded, not encoded: {error}"))?;
            if again != bytes {
                return Err("decoded, and encoded to other bytes".to_owned());
            }
            // For the other kinds, the unchanged files are enough.
            if case.kind.name == "anim" { found_alike(&decoded.model) } else { Ok(()) }
        }
        Err(error) if error.offset().is_some_and(|offset| offset <= wide(bytes.len())) => Ok(()),
        Err(error) => Err(format!("refused outside the file: {error}")),
    }
}

/// Returns the beginnings of fields: for each place with indices starred, the first, the last and two drawn offsets.
fn boundaries(case: &Case, draw: &mut Draw) -> std::result::Result<BTreeMap<String, Vec<u64>>, Failed> {
    let Decoded { model, .. } = (case.kind.decode)(case.bytes.clone().into())?;
    let mut owners = Owners::default();
    visit(&model, &mut owners)?;
    let mut boundaries = owners.begins;
    for begins in boundaries.values_mut() {
        let (first, last) = (begins[0], begins[begins.len() - 1]);
        let drawn = [(); 2].map(|()| begins[draw.below(wide(begins.len())) as usize]);
        *begins = vec![first, last, drawn[0], drawn[1]];
    }
    Ok(boundaries)
}

/// All owners of a model: the number of bytes, the classes, the offsets.
#[derive(Default)]
struct Owners {
    bytes: Vec<u8>,
    census: Census,
    begins: BTreeMap<String, Vec<u64>>,
    /// The first place of each kind.
    places: BTreeMap<String, String>,
}

impl Visitor for Owners {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        datum.owners(&mut |owner| {
            assert_eq!(owner.offset, wide(self.bytes.len()), "{} begins where the one before ends", owner.place);
            self.bytes.extend_from_slice(owner.bytes);
            let kind = owner.place.starred();
            self.places.entry(kind.clone()).or_insert_with(|| owner.place.to_string());
            self.begins.entry(kind).or_default().push(owner.offset);
            self.census.count(owner.class, wide(owner.bytes.len()));
        });
        Ok(())
    }
}

/// Random numbers seeded with the name of a case, the same in every run.
struct Draw(ChaCha8Rng);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0.next_u64() % end.max(1)
    }
}

fn draw(case: &Case) -> Draw {
    let seed = case.name.bytes().fold(0_u64, |seed, byte| seed.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte));
    Draw(ChaCha8Rng::seed_from_u64(seed))
}
