//! Which laws and which kinds of file take how long: printed at the end, so that whoever waits knows for what.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

use super::Law;
use crate::harness::Case;

/// The most laws and kinds that are printed.
const PRINTED: usize = 8;

/// The time of all trials by law and kind.
static TIMES: Mutex<BTreeMap<(&str, &str), Duration>> = Mutex::new(BTreeMap::new());

/// Checks a law and adds the time to that of its law and kind.
pub(super) fn timed(law: &'static str, case: &Case, check: Law) -> Result<(), Failed> {
    let began = Instant::now();
    let outcome = check(case);
    let mut times = TIMES.lock().unwrap_or_else(PoisonError::into_inner);
    *times.entry((law, case.kind.name)).or_default() += began.elapsed();
    outcome
}

/// Prints the laws and kinds that took longest.
pub(super) fn print() {
    let times = TIMES.lock().unwrap_or_else(PoisonError::into_inner);
    let whole: Duration = times.values().sum();
    let mut named = [BTreeMap::<&str, Duration>::new(), BTreeMap::new()];
    for ((law, kind), time) in times.iter() {
        *named[0].entry(law).or_default() += *time;
        *named[1].entry(kind).or_default() += *time;
    }
    for (what, times) in ["laws", "kinds"].into_iter().zip(named) {
        let mut times: Vec<_> = times.into_iter().collect();
        times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        let share = |time: Duration| (100.0 * time.as_secs_f64() / whole.as_secs_f64().max(f64::MIN_POSITIVE)).round();
        let rows = times.iter().take(PRINTED).map(|(name, time)| format!("{name} {} %", share(*time)));
        eprintln!("slowest {what} of {} s on all cores: {}", whole.as_secs(), rows.collect::<Vec<_>>().join(", "));
    }
}
