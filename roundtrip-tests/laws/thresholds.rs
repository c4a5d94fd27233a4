//! Whatever the thresholds are at which work is divided, results are equal: small files take the paths of large ones, and large files
//! those of small ones.

use ::field::Thresholds;
use bitexact::edit::{Batch, Edit};
use bitexact::exchange::{About, MANIFEST};
use bitexact::field::Address;
use bitexact::json::{Compact, Document};
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, VerifyOptions, verify_with};

use crate::edits::{Draw, Found, Sites, at, change, decoded, edits, unpacked};
use crate::harness::Case;
use crate::printed::printed;
use crate::unread::unread;
use crate::values::values;
use crate::{draw, found_alike};

/// Everything is divided that can be.
pub(crate) static SMALLEST: Thresholds = Thresholds::SMALLEST;
/// Nearly everything is divided.
pub(crate) static ONE: Thresholds = Thresholds::ONE;
/// Nothing is divided.
pub(crate) static LARGEST: Thresholds = Thresholds::LARGEST;

/// The largest file that is divided into the smallest parts: each of its values can become a file.
const LARGE: usize = 64 << 10;
/// The numbers of edits, of edited values and of objects that get an unknown member.
const EDITS: (usize, usize, usize) = (2, 3, 4);

/// Checks that results do not depend on thresholds, and that the laws hold with these.
pub(crate) fn alike(case: &Case, thresholds: &'static Thresholds) -> Found {
    let divides = thresholds.values_of_document == 0 || thresholds.values_of_document == 1;
    if divides && case.bytes.len() > LARGE {
        return Ok(());
    }
    let expected = report(case);
    let found = thresholds.during(|| report(case));
    if found != expected {
        let same = found.bytes().zip(expected.bytes()).take_while(|(found, expected)| found == expected).count();
        let [found, expected] = [&found, &expected].map(|report| around(report, same));
        return Err(format!("the report has …{found}…, with the thresholds of the program …{expected}…"));
    }
    thresholds.during(|| {
        printed(case).map_err(|why| format!("printed: {why}"))?;
        found_alike(&decoded(case, &case.bytes)?)
    })?;
    batches(case, thresholds)?;
    if divides {
        let mut draw = draw(case);
        let mut below = |end| draw.below(end);
        thresholds.during(|| {
            edits(case, EDITS.0, &mut below).map_err(|why| format!("edits: {why}"))?;
            values(case, EDITS.1, &mut below).map_err(|why| format!("values: {why}"))?;
            unread(case, EDITS.2).map_err(|why| format!("unread: {why}"))
        })?;
    }
    Ok(())
}

/// Returns what a report has around a position.
fn around(report: &str, at: usize) -> String {
    String::from_utf8_lossy(&report.as_bytes()[at.saturating_sub(120)..report.len().min(at + 120)]).into_owned()
}

/// Returns everything that `verify` reports, after it has checked that the file comes back identical by the exchange format.
fn report(case: &Case) -> String {
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let how =
        VerifyOptions::default().via_exchange(true).entries(true).counts(true).rules(true).strip(true).spread(true);
    let report = verify_with(KINDS, name, case.bytes.clone(), how);
    let is_identical = report.status == Status::Identical && report.rewritten == report.sha256;
    format!("{} {report:?}", if is_identical { "identical" } else { "not identical" })
}

/// Checks that several edits in one step make the same file, or are rejected, with these thresholds and with those of the program.
fn batches(case: &Case, thresholds: &'static Thresholds) -> Found {
    let unpacked = unpacked(case, &case.bytes)?;
    let (sites, model) = (Sites::of(case, &unpacked.exchange), decoded(case, &case.bytes)?);
    let entries: std::collections::BTreeMap<_, _> =
        unpacked.files.iter().map(|(entry, file)| (file.clone(), entry.clone())).collect();
    let mut draw = draw(case);
    let mut batch = Batch::default();
    batch.retype = true;
    for _ in 0..2 {
        let below: Draw<'_> = &mut |end| draw.below(end);
        let Some((file, keys)) = &sites.drawn(&unpacked.exchange, below) else { break };
        let mut value = at(&unpacked.exchange, file, keys);
        if !matches!(unpacked.exchange.files.get(file), Some(Document::Json(_))) || change(&mut value, below).is_none()
        {
            continue;
        }
        // Files have other names if these have another length.
        if Compact(&value).to_string().contains("\"file\"") {
            continue;
        }
        let (entry, keys) = match file == MANIFEST {
            true => (String::new(), keys[1..].to_vec()),
            false => (entries[file].clone(), keys.clone()),
        };
        batch.set.push((Address { entry, keys }, value));
    }
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let about = About { kind: case.kind, games: &[], sha256: Sha::of(&case.bytes), deviations: &[] };
    let made = || {
        let made = batch.apply(KINDS, (about, &model, name), None::<&dyn Fn(&mut Edit) -> Result<(), _>>);
        made.map(|it| (it.bytes, it.recomputed.len())).map_err(|why| why.to_string())
    };
    match (made(), thresholds.during(made)) {
        (Ok((ours, _)), Ok((theirs, _))) if ours == theirs => Ok(()),
        (Err(_), Err(_)) => Ok(()),
        (ours, theirs) => {
            let word = |it: Result<(bytes::Bytes, usize), String>| match it {
                Ok((bytes, _)) => format!("a file with the hash {}", Sha::of(&bytes)),
                Err(why) => format!("rejected: {why}"),
            };
            let places: Vec<_> =
                batch.set.iter().map(|(place, value)| format!("{place}: {}", Compact(value))).collect();
            Err(format!("edits {places:?}: {}, with the thresholds of the program {}", word(theirs), word(ours)))
        }
    }
}
