//! Every kind of file, cut and with zeros in its second half: the findings that `verify` gives for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use bitexact::kind::named;
use bitexact::registry::KINDS;
use bitexact::verify::{Report, Status, verify};
use forge::{Sample, Size, samples};

use super::Desk;
use crate::harness;

/// What has happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Loss {
    None,
    CutAtThird,
    CutAtHalf,
    CutLast100,
    SecondHalfZeroed,
}

impl Loss {
    const ALL: [Self; 5] = [Self::None, Self::CutAtThird, Self::CutAtHalf, Self::CutLast100, Self::SecondHalfZeroed];

    fn of(self, whole: &[u8]) -> Vec<u8> {
        let length = whole.len();
        let mut bytes = whole.to_vec();
        match self {
            Self::None => {}
            Self::CutAtThird => bytes.truncate(length / 3),
            Self::CutAtHalf => bytes.truncate(length / 2),
            Self::CutLast100 => bytes.truncate(length - 100),
            Self::SecondHalfZeroed => bytes[length / 2..].fill(0),
        }
        bytes
    }
}

/// Returns the name of a sample, or a name that its kind expects, since the name is all that some damaged files can be recognized by.
pub(super) fn name(sample: &Sample) -> String {
    let kind = named(KINDS, sample.kind).unwrap();
    let claimed = || kind.claims.first().map_or(sample.name.clone(), |claim| claim.replace('*', "1"));
    if kind.claims(&sample.name) { sample.name.clone() } else { claimed() }
}

/// Returns the status and the ids of the damage.
fn words(report: &Report) -> String {
    let mut ids: Vec<_> = report.damage.iter().map(|it| it.trap.id).collect();
    ids.sort_unstable();
    ids.dedup();
    format!("{} {}", report.status.name(), if ids.is_empty() { "-".to_owned() } else { ids.join(" ") })
}

/// Returns the ordinary samples from 600 bytes on; shorter files have no room for what a disk loses at once.
pub(super) fn ordinary() -> Vec<Sample> {
    let all = samples(1, Size::Small).into_iter();
    all.filter(|sample| sample.trap.is_none() && sample.bytes.len() >= 600).collect()
}

#[test]
fn lost_bytes_of_every_kind_are_found() {
    let mut table: BTreeMap<(&str, Loss), BTreeMap<String, usize>> = BTreeMap::new();
    for sample in ordinary() {
        for loss in Loss::ALL {
            let report = verify(KINDS, &name(&sample), loss.of(&sample.bytes));
            *table.entry((sample.kind, loss)).or_default().entry(words(&report)).or_default() += 1;
        }
    }
    let mut text = String::new();
    for ((kind, loss), found) in &table {
        let found: Vec<_> = found.iter().map(|(words, count)| format!("{count} {words}")).collect();
        writeln!(text, "{kind} {loss:?}: {}", found.join(", ")).unwrap();
    }
    insta::with_settings!({snapshot_path => "../../golden/snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("lost_bytes", text);
    });
}

#[test]
fn undamaged_samples_are_not_called_damaged() {
    for sample in samples(1, Size::Small).iter().filter(|sample| sample.trap.is_none()) {
        let report = verify(KINDS, &sample.name, sample.bytes.clone());
        assert!(!report.is_damaged(), "{}: {:?}", sample.name, report.damage);
    }
}

/// The first sample of each kind stands for all: a damaged one ends `verify` as the guide promises.
#[test]
fn lost_bytes_decide_the_exit_code() {
    let mut first: BTreeMap<&str, Sample> = BTreeMap::new();
    for sample in ordinary() {
        first.entry(sample.kind).or_insert(sample);
    }
    let desk = Desk::of([]);
    for sample in first.into_values() {
        for loss in Loss::ALL {
            let (name, bytes) = (name(&sample), loss.of(&sample.bytes));
            let report = verify(KINDS, &name, bytes.clone());
            let refused = matches!(report.status, Status::Refused | Status::Different);
            let lenient = if report.status == Status::Unknown { 2 } else { i32::from(refused) };
            let strict = lenient.max(i32::from(report.is_finding()));
            desk.write(&name, &bytes);
            let codes = [&["verify", &*name][..], &["verify", "--strict", &*name]].map(|args| desk.run(args).code);
            assert_eq!(codes, [lenient, strict], "{} {name} {loss:?}: {}", sample.kind, words(&report));
            fs::remove_file(desk.path(&name)).unwrap();
        }
    }
}

/// Files that people have shared are whole, except for those that were broken for tests.
#[test]
fn files_of_others_are_not_called_damaged() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let mut count = 0;
    for file in bitexact::install::files(&corpora).unwrap() {
        let path = file.shown();
        let report = verify(KINDS, &file.name(), file.read().unwrap());
        if report.status == Status::Identical && !path.contains("/hostile/") {
            assert!(!report.is_damaged(), "{path}: {:?}", report.damage);
            count += 1;
        }
    }
    assert!(count > 600, "only {count} files");
}
