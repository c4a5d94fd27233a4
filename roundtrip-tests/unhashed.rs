//! Files whose hashes something else computes, as the page for a browser does.

use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bitexact::verify::{Candidate, Report, Row, Status, verify};
use forge::Size;

use crate::harness;

/// Verifies a file with hashes that are computed here, those of the re-encoded bytes after a change.
fn elsewhere(name: &str, file: &[u8], change: impl Fn(&mut Vec<u8>)) -> Report {
    let mut rewritten = Vec::new();
    let unhashed = Candidate::new(KINDS, name, file.to_vec())
        .verify_unhashed(false, &mut |bytes| rewritten.extend_from_slice(bytes));
    change(&mut rewritten);
    unhashed.hashed(Sha::of(file), Sha::of(&rewritten))
}

#[test]
fn reports_are_those_of_verify() {
    let samples = forge::samples(harness::SEED, Size::Small).into_iter().map(|it| (it.name, it.bytes));
    let others =
        [("unknown".to_owned(), b"nothing known".to_vec()), ("video.avi".to_owned(), b"RIFF\0\0\0\0AVI ".to_vec())];
    let mut compared = 0;
    for (name, file) in samples.chain(others) {
        for file in [&file[..], file.get(..file.len() / 2).unwrap_or_default()] {
            let row = |report: &Report| Row::new(name.clone(), report);
            let ours = elsewhere(&name, file, |_| {});
            assert_eq!(row(&ours), row(&verify(KINDS, &name, file.to_vec())), "{name}");
            compared += 1;
        }
    }
    assert!(compared > 200, "only {compared} were compared");
}

#[test]
fn other_bytes_are_different() {
    let changes: [fn(&mut Vec<u8>); 3] = [
        |bytes| {
            if let Some(last) = bytes.last_mut() {
                *last ^= 1;
            }
        },
        |bytes| bytes.truncate(bytes.len().saturating_sub(1)),
        |bytes| bytes.push(0),
    ];
    let mut seen = 0;
    for sample in forge::samples(harness::SEED, Size::Tiny) {
        if verify(KINDS, &sample.name, sample.bytes.clone()).status != Status::Identical || sample.bytes.is_empty() {
            continue;
        }
        for change in changes {
            let report = elsewhere(&sample.name, &sample.bytes, change);
            assert_eq!(report.status, Status::Different, "{}", sample.name);
            assert_ne!(report.sha256, report.rewritten, "{}", sample.name);
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} were seen");
}
