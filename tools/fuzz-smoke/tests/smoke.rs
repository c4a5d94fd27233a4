//! A short attack on every format, the same in every run, and all findings of longer ones.

use std::path::Path;
use std::thread;

use bitexact::field::limits;
use bitexact::registry::{KINDS, Kind, recognize};
use bitexact::verify::VerifyOptions;
use forge::Size;
use fuzz_smoke::{Round, Seeds, Target, any, prove};

/// Inputs of the short attack: a few seconds without optimization.
const INPUTS: u64 = 64 * 25 * 4;

/// Runs on a stack large enough for the deepest nesting, like the program.
fn on_a_deep_stack(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(limits::STACK).spawn(run).expect("a thread starts");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn every_kind_withstands_a_short_attack() {
    on_a_deep_stack(|| {
        let seeds = Seeds::new(1, Size::Tiny, None);
        assert_eq!(seeds.kinds().count(), KINDS.len());
        let round = Round { seeds: &seeds, seed: 1, only: None };
        let mut accepted = 0;
        for number in 0..INPUTS {
            match round.input(number).outcome {
                Ok(proven) => accepted += u64::from(proven.accepted),
                Err(finding) => panic!("input {number}: {finding}"),
            }
        }
        // Otherwise only refusals would be tested.
        assert!(accepted * 4 > INPUTS, "only {accepted} of {INPUTS} were accepted");
    });
}

#[test]
fn unpacked_folder_withstands_a_short_attack() {
    on_a_deep_stack(|| {
        let seeds = Seeds::new(1, Size::Tiny, None);
        let round = Round { seeds: &seeds, seed: 1, only: Some(Target::Form) };
        for number in 0..INPUTS {
            if let Err(finding) = round.input(number).outcome {
                panic!("input {number}: {finding}");
            }
        }
    });
}

#[test]
fn files_as_text_withstand_a_short_attack() {
    on_a_deep_stack(|| {
        let seeds = Seeds::new(1, Size::Tiny, None);
        let round = Round { seeds: &seeds, seed: 1, only: Some(Target::Texts) };
        let (mut accepted, mut refused) = (0, 0);
        for number in 0..INPUTS {
            let tried = round.input(number);
            let has_text = KINDS.iter().any(|kind| kind.name == tried.kind && kind.text.is_some());
            match tried.outcome {
                Ok(proven) if proven.accepted => accepted += 1,
                Ok(_) => refused += usize::from(has_text),
                Err(finding) => panic!("input {number}: {finding}"),
            }
        }
        // Both happen, or nothing is tested.
        assert!(accepted > 100 && refused > 100, "{accepted} were accepted and {refused} refused");
    });
}

/// Tries inputs of one target, and counts those that are accepted and those that are refused.
fn tried(only: Target, inputs: u64, has: fn(&Kind) -> bool) -> (u64, u64) {
    let seeds = Seeds::new(1, Size::Tiny, None);
    let round = Round { seeds: &seeds, seed: 1, only: Some(only) };
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..inputs {
        let tried = round.input(number);
        let is_meant = KINDS.iter().any(|kind| kind.name == tried.kind && has(kind));
        match tried.outcome {
            Ok(proven) if proven.accepted => accepted += 1,
            Ok(_) => refused += u64::from(is_meant),
            Err(finding) => panic!("input {number}: {finding}"),
        }
    }
    (accepted, refused)
}

#[test]
fn changed_exports_are_imported_or_refused() {
    on_a_deep_stack(|| {
        let (accepted, refused) = tried(Target::Drawings, INPUTS, |kind| kind.import.is_some());
        // Both happen, or nothing is tested.
        assert!(accepted > 50 && refused > 50, "{accepted} were accepted and {refused} refused");
    });
}

#[test]
fn changed_mods_and_journals_lose_nothing() {
    on_a_deep_stack(|| {
        let (accepted, refused) = tried(Target::Journals, INPUTS / 8, |_| true);
        assert!(accepted > 50 && refused > 50, "{accepted} were accepted and {refused} refused");
    });
}

#[test]
fn earlier_findings_do_not_recur() {
    on_a_deep_stack(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/regressions");
        let how = VerifyOptions::default().entries(true).counts(true).via_exchange(true);
        let mut failed = Vec::new();
        for found in bitexact::install::files(&folder).expect("there are regressions") {
            let bytes = found.read().expect("it can be read");
            // Findings are in a folder named after their kind.
            let folder = found.path.parent().and_then(Path::file_name).expect("it lies in a folder").to_string_lossy();
            let by_folder = KINDS.iter().find(|kind| kind.name == folder);
            let kind = by_folder.or_else(|| Some(recognize(KINDS, &found.name(), &bytes)?.0)).expect("it has a kind");
            if let Err(finding) = prove(kind, &bytes, how).and_then(|_| any(&bytes, VerifyOptions::default())) {
                failed.push(format!("{}: {finding}", found.shown()));
            }
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    });
}
