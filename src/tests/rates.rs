//! Rates of animations.

use crate::registry::KINDS;
use crate::verify::{Status, verify};
use field::F32;
use json::Compact;

/// Source: `zipper-anim-events.md`, section 0.3.
#[test]
fn rates_that_no_rule_gives_are_preserved_and_reported() {
    let samples = forge::samples(7, forge::Size::Tiny);
    let sample = samples.into_iter().find(|it| it.name == "mw_delta_outlier_anim.zbd").expect("forged");
    let report = verify(KINDS, &sample.name, sample.bytes);
    assert_eq!(report.status, Status::Identical);
    let paths: Vec<_> = report.deviations.iter().map(|it| (it.place.as_str(), it.count)).collect();
    let payload = |field| format!("/definitions/*/sequences/*/events/*/payload/{field}");
    assert_eq!(paths, [(payload("delta").as_str(), 2), (payload("alpha_delta").as_str(), 1)]);
    assert_eq!(Compact(&report.deviations[1].expected).to_string(), "-1.0");
    assert_eq!(
        Compact(&report.deviations[1].found).to_string(),
        F32::new(f32::from_bits(0xBF7F_FFFF)).get().to_string()
    );
}
