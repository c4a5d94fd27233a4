//! The cost of verifying a file and of applying a mod: memory is known in advance, and work grows linearly with the
//! mod.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "a test tells its failure by a panic"
)]

// The search mutates files as the attacks on the laws do: one file, two programs.
#[path = "../../tools/fuzz-smoke/src/anatomy.rs"]
mod anatomy;
#[allow(dead_code, unreachable_pub, reason = "the search takes its numbers from a generator")]
#[path = "../../tools/fuzz-smoke/src/draw.rs"]
mod draw;
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../../tools/fuzz-smoke/src/mutate.rs"]
mod mutate;
mod patterns;
mod pieces;
mod search;
mod structure;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::Instant;
use std::{slice, thread};

use allocation_counter::measure;
use bitexact::edit::Comparison;
use bitexact::edit::diff::{apply, entries, read};
use bitexact::edit::{Edit, Values};
use bitexact::exchange::{About, show};
use bitexact::field::{encode, limits};
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, Kind};
use bitexact::verify::{Status, VerifyOptions, verify_with};
use bytes::Bytes;
use forge::random::Random;
use forge::{messages, mods};

/// The approximate size of a measured file in bytes.
const BYTES: usize = 1 << 20;
/// The memory that any file takes in addition: tables, buffers, the message.
const ROOM: u64 = 64 << 10;

/// Returns the memory that a file takes, in hundredths of its size. The file itself is in memory too.
fn hundredths(taken: u64, size: u64) -> u64 {
    ((taken + size).saturating_sub(ROOM) * 100).div_ceil(size)
}

/// The ways to verify a file.
#[derive(Clone, Copy)]
enum Way {
    Plain,
    Exchange,
    Entries,
}

impl Way {
    fn options(self) -> VerifyOptions {
        let how = VerifyOptions::default();
        match self {
            Self::Plain => how,
            Self::Exchange => how.via_exchange(true),
            Self::Entries => how.entries(true),
        }
    }
}

/// A file that consists of the smallest records.
struct Amplified {
    kind: &'static Kind,
    name: String,
    bytes: Bytes,
}

impl Amplified {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn verify(&self, how: VerifyOptions) -> Status {
        verify_with(slice::from_ref(self.kind), &self.name, self.bytes.clone(), how).status
    }
}

/// Returns the worst files of each kind, which all tests share.
fn amplified() -> &'static [Amplified] {
    static FILES: LazyLock<Vec<Amplified>> = LazyLock::new(|| {
        let samples = forge::amplified(BYTES).into_iter();
        let file = |sample: forge::Sample| Amplified {
            kind: harness::kind(sample.kind),
            name: sample.name,
            bytes: sample.bytes.into(),
        };
        samples.map(file).collect()
    });
    &FILES
}

/// Runs a job for each of the worst files, on all processors, and returns the results in the order of the files.
///
/// The counter of memory counts per thread.
fn each<T: Send + Sync>(job: impl Fn(usize, &Amplified) -> T + Sync) -> Vec<T> {
    let (files, turn) = (amplified(), AtomicUsize::new(0));
    let results: Vec<OnceLock<T>> = files.iter().map(|_| OnceLock::new()).collect();
    let work = || {
        loop {
            let index = turn.fetch_add(1, Ordering::Relaxed);
            let (Some(file), Some(result)) = (files.get(index), results.get(index)) else { return };
            result.get_or_init(|| job(index, file));
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for thread in Vec::from_iter((0..threads).map(|_| scope.spawn(work))) {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    results.into_iter().map(|result| result.into_inner().expect("a result")).collect()
}

/// Returns the memory that each of the worst files takes in addition to itself: measured once, for all tests.
fn taken(way: Way) -> &'static [u64] {
    static TAKEN: [OnceLock<Vec<u64>>; 3] = [const { OnceLock::new() }; 3];
    TAKEN[way as usize].get_or_init(|| {
        each(|_, file| {
            let mut status = None;
            let taken = measure(|| status = Some(file.verify(way.options()))).bytes_max;
            // A file that is not a sample of its kind proves nothing.
            assert_eq!(status, Some(Status::Identical), "{}", file.name);
            taken
        })
    })
}

/// Returns the memory of the worst file of each kind, as a multiple of its size.
fn factors(way: Way) -> BTreeMap<&'static str, (u64, String)> {
    let (mut worst, how) = (BTreeMap::new(), way.options());
    for (file, taken) in amplified().iter().zip(taken(way)) {
        let (kind, name, size) = (file.kind.name, &file.name, file.size());
        let factor = hundredths(*taken, size).div_ceil(100);
        eprintln!("{kind:12} {name:22} {size:8} {:5} {:5} {factor}", how.via_exchange, how.entries);
        let known: &mut (u64, String) = worst.entry(kind).or_default();
        *known = (*known).clone().max((factor, name.clone()));
    }
    worst
}

/// Compares the table of the registry with the worst file of each kind.
fn judge(way: Way) {
    let worst = factors(way);
    assert!(KINDS.iter().all(|kind| worst.contains_key(kind.name)), "every kind is measured");
    let low = KINDS.iter().filter_map(|kind| {
        let told = way.options().factor(kind.memory);
        let (measured, file) = &worst[kind.name];
        (*measured > told)
            .then(|| format!("{}: {file} takes {measured} times its size, the table says {told}", kind.name))
    });
    let low: Vec<_> = low.collect();
    assert!(low.is_empty(), "{}", low.join("\n"));
}

#[test]
fn memory_table_holds_for_the_smallest_records() {
    judge(Way::Plain);
}

#[test]
fn memory_table_holds_for_the_smallest_records_through_exchange() {
    judge(Way::Exchange);
}

#[test]
fn memory_table_holds_for_rows_of_entries() {
    judge(Way::Entries);
}

/// Compares the memory limit with the memory of the worst files: a limit of less than half must refuse them, and three
/// times as much must be enough.
///
/// The counter counts a growing list twice, in its old and its new place, though both need not be in memory at once.
fn judge_limit(way: Way) {
    let measured = taken(way);
    let wrong = each(|index, file| {
        let (name, taken) = (&file.name, file.size() + measured[index]);
        let limits = [(taken * 2 / 5, Status::Unreadable), (taken * 3, Status::Identical)];
        limits.map(|(limit, expected)| {
            let found = file.verify(way.options().memory(Some(limit)));
            (found != expected)
                .then(|| format!("{name}: takes {taken} bytes, and with a limit of {limit} it is {}", found.name()))
        })
    });
    let wrong: Vec<_> = wrong.into_iter().flatten().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn limit_matches_the_memory_that_a_file_takes() {
    judge_limit(Way::Plain);
}

#[test]
fn limit_matches_the_memory_that_a_file_takes_through_exchange() {
    judge_limit(Way::Exchange);
}

#[test]
fn limit_matches_the_memory_that_rows_of_entries_take() {
    judge_limit(Way::Entries);
}

/// Step 2 replaces the tree of JSON between model and text, and promises this factor for every kind. When this test
/// begins to pass, remove `should_panic` and lower the table of the registry.
#[test]
#[should_panic(expected = "times its size, step 2 promises 6")]
fn step_2_takes_6_times_the_file_through_exchange() {
    let high = factors(Way::Exchange).into_iter().filter(|(_, (factor, _))| *factor > limits::MEMORY_FACTOR_OF_STEP_2);
    let high =
        high.map(|(kind, (factor, file))| format!("{kind}: {file} takes {factor} times its size, step 2 promises 6"));
    let high: Vec<_> = high.collect();
    assert!(high.is_empty(), "{}", high.join("\n"));
}

/// Returns the bytes allocated for the changes of a mod, made in an archive of as many entries.
fn allocated(sort: &str, count: usize) -> u64 {
    let (file, kind) = (Bytes::from(mods::archive(count)), harness::kind("archive"));
    let model = (kind.decode)(file.clone()).unwrap().model;
    let about = About { kind, games: &[], sha256: Sha::of(&file), deviations: &[] };
    let mut edit = Edit::of(&model, about).unwrap();
    let hashes = entries(kind, &file).unwrap();
    let changes = read(mods::changes(sort, count, &|bytes| Sha::of(bytes).to_string()).as_bytes()).unwrap().changes;
    let allocated = measure(|| {
        apply(&changes, &mut edit, |entry| hashes.get(entry).copied()).unwrap();
    });
    let packed = edit.pack(KINDS).unwrap();
    assert!(encode(&packed.model).unwrap() != file);
    allocated.bytes_total
}

#[test]
fn mod_four_times_as_long_takes_four_times_the_work() {
    for sort in mods::SORTS {
        let [once, four_times] = [1000, 4000].map(|count| allocated(sort, count));
        eprintln!("{sort}: {once}, {four_times}");
        // A growing hash table makes jumps; quadratic work would take 16 times as much.
        assert!(four_times < once * 7, "{sort}: {once} bytes for 1000 changes, {four_times} for 4000");
    }
}

/// Returns worlds that consist of the smallest records, and the place of a number in each.
fn worlds() -> impl Iterator<Item = (String, Bytes, String)> {
    amplified().iter().filter(|file| file.kind.name == "gamez").map(|Amplified { kind, name, bytes: file }| {
        let model = (kind.decode)(file.clone()).unwrap().model;
        let place = (0..4).map(|slot| format!("/nodes/slots/{slot}/zone_id"));
        let place = place.into_iter().find(|place| show(&model, place, 0).unwrap().is_some());
        let place = place.unwrap_or_else(|| panic!("{name}: no node"));
        (name.clone(), file.clone(), place)
    })
}

/// Returns the peak memory of a job, in bytes.
fn most(job: impl FnOnce()) -> u64 {
    measure(job).bytes_max
}

#[test]
fn edit_of_a_number_takes_the_memory_of_few_models() {
    let kind = harness::kind("gamez");
    for (name, file, place) in worlds() {
        let decode = || (kind.decode)(file.clone()).unwrap().model;
        let model = most(|| drop(decode()));
        let edit = most(|| {
            let old = decode();
            let mut values = Values::open(&old, &[place.as_str().into()]).unwrap().expect("a part");
            values.set(0, 77.into(), false).unwrap();
            let mut edited = old.copy();
            let made = values.load(&mut edited).unwrap();
            let bytes = Bytes::from(encode(&edited).unwrap());
            drop(edited);
            let new = (kind.decode)(bytes.clone()).unwrap().model;
            assert!(made.replaced.is_empty() && made.is_in(&new).unwrap(), "{name}");
            let changes = Comparison::of(kind, (&file, &old), (&bytes, &new)).unwrap().changes().unwrap();
            assert_eq!(changes.len(), 1, "{name}: {changes:?}");
        });
        eprintln!("{name}: {} bytes, the model {model}, the edit {edit}", file.len());
        // The old model, the edited one, the new one, and the parts they share.
        assert!(edit < 5 * model + 4 * file.len() as u64, "{name}: {edit} bytes, where the model takes {model}");
    }
}

#[test]
fn shown_place_takes_little_memory() {
    for (name, file, place) in worlds() {
        let model = (harness::kind("gamez").decode)(file.clone()).unwrap().model;
        let shown = most(|| assert!(show(&model, &place, 8).unwrap().is_some(), "{name}: {place}"));
        eprintln!("{name}: {} bytes, {place} {shown}", file.len());
        assert!(shown < file.len() as u64, "{name}: {place} takes {shown} bytes");
    }
}

/// Returns the seconds that this thread has worked, which other programs do not lengthen; elsewhere than on Linux, those of the clock.
fn worked() -> f64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.and_then(|stat| stat.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGUN.elapsed().as_secs_f64(), |it| it / 1e9)
}

/// Returns the seconds for verifying this number of empty messages through the exchange format, the best of three.
fn seconds(count: usize) -> f64 {
    let mut spec = messages::ordinary(&mut Random::new(1), messages::Shape::Recoil, forge::Size::Tiny);
    let message = messages::Message { length: Some(4), ..<_>::default() };
    let block = messages::Block { low: 1, messages: vec![message; count], ..<_>::default() };
    let content = messages::Content::Messages(messages::Messages { blocks: vec![block], ..<_>::default() });
    spec.resources().leaves[0].content = content;
    let file = Bytes::from(messages::build(&spec));
    let how = VerifyOptions::default().via_exchange(true);
    let kind = slice::from_ref(harness::kind("messages"));
    let best = (0..3).map(|_| {
        let begun = worked();
        assert_eq!(verify_with(kind, "messages.dll", file.clone(), how).status, Status::Identical);
        worked() - begun
    });
    best.fold(f64::MAX, f64::min)
}

#[test]
fn four_times_the_messages_take_four_times_as_long_through_exchange() {
    let [once, four_times] = [10_000, 40_000].map(seconds);
    eprintln!("{once:.3} s, {four_times:.3} s");
    // Quadratic work would take 16 times as long.
    assert!(four_times < once * 8.0, "{once:.3} s for 10,000 messages, {four_times:.3} s for 40,000");
}
