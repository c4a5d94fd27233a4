//! An edit of a single value produces the same file as the same edit of the exchange format, or none.

use std::collections::HashSet;

use bitexact::edit::{Values, misread_as};
use bitexact::exchange::MANIFEST;
use bitexact::field::{Address, Json, Place, Visitor, encode, visit};
use bitexact::json::Document;
use bitexact::registry::{KINDS, Model};
use bitexact::verify::{Status, verify};

use super::edits::{Draw, Found, Sites, at, change, decoded, unpacked};
use crate::harness::Case;

/// The results of edits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// The number of edits that produced another file.
    pub(crate) taken: usize,
    /// The number of edits made without unpacking.
    pub(crate) alone: usize,
}

/// Draws edits of values, and makes them one at a time.
pub(crate) fn values(case: &Case, times: usize, draw: Draw<'_>) -> Found<Tally> {
    let unpacked = unpacked(case, &case.bytes)?;
    let sites = Sites::of(case, &unpacked.exchange);
    let entries: std::collections::BTreeMap<_, _> =
        unpacked.files.iter().map(|(entry, file)| (file.clone(), entry.clone())).collect();
    let labels = labels(case)?;
    let mut tally = Tally::default();
    for _ in 0..times {
        let Some((file, keys)) = &sites.drawn(&unpacked.exchange, draw) else { break };
        if !matches!(unpacked.exchange.files.get(file), Some(Document::Json(_))) {
            continue;
        }
        let mut value = at(&unpacked.exchange, file, keys);
        let Some(words) = change(&mut value, draw) else { continue };
        let (entry, keys) = match file == MANIFEST {
            true => (String::new(), keys[1..].to_vec()),
            false => (entries[file].clone(), keys.clone()),
        };
        let place = Address { entry, keys };
        let mut edit = unpacked.edit.clone();
        let formed = edit.set(&place, value.clone(), true).map_err(|why| why.to_string());
        let formed = formed.and_then(|()| {
            let packed = edit.pack(KINDS).map_err(|why| why.to_string())?;
            // The exchange format also has labels, which follow; a single value has none beside it.
            let recomputed = packed
                .recomputed
                .into_iter()
                .filter(|it| !labels.contains(it.place.rsplit(':').next().unwrap_or_default()));
            let told = recomputed.map(|it| format!("{} {} {}", it.place, it.was, it.now)).collect();
            file_of(case, packed.model, told)
        });
        let alone = alone(case, &place, value)?;
        tally.taken += usize::from(formed.is_ok());
        tally.alone += usize::from(alone.is_some());
        let wrong = |why: String| format!("{place}: {words}: {why}");
        match (alone, formed) {
            (None, _) => {}
            (Some((bytes, told)), Ok((expected, expected_told))) => {
                if bytes != expected {
                    return Err(wrong("alone it makes another file".to_owned()));
                }
                // Entries are named by their files in the unpacked folder, so places are not compared.
                if told.len() < expected_told.len() {
                    return Err(wrong(format!("alone it reports {told:?}, not {expected_told:?}")));
                }
            }
            (Some(_), Err(why)) => return Err(wrong(format!("alone it is not refused: {why}"))),
        }
    }
    Ok(tally)
}

type Made = (Vec<u8>, Vec<String>);

/// Returns the file of a model, if it round-trips.
fn file_of(case: &Case, model: Model, told: Vec<String>) -> Result<Made, String> {
    let bytes = encode(&model).map_err(|why| why.to_string())?;
    let report = verify(KINDS, case.name.rsplit('/').next().unwrap_or_default(), bytes.clone());
    if (report.kind, report.status) != (Some(case.kind.name), Status::Identical) {
        return Err(format!("{:?} {:?}", report.kind, report.failure));
    }
    let again = decoded(case, &bytes)?;
    match misread_as(&model, &again).map_err(|why| why.to_string())? {
        Some(refusal) => Err(refusal.to_string()),
        None => Ok((bytes, told)),
    }
}

/// Returns the file after an edit of a single value, and the reports, or `None` if the edit needs the unpacked folder.
fn alone(case: &Case, place: &Address, value: Json) -> Found<Option<Made>> {
    if case.kind.raw.is_some() {
        return Ok(None);
    }
    let mut model = decoded(case, &case.bytes)?;
    let opened = Values::open(&model, std::slice::from_ref(place)).map_err(|why| why.to_string())?;
    let Some(mut values) = opened else { return Ok(None) };
    if values.set(0, value, true).is_err() {
        return Ok(None);
    }
    let Ok(made) = values.load(&mut model) else { return Ok(None) };
    let told = made.replaced.iter().map(|it| format!("{} {} {}", it.place, it.was, it.now)).collect();
    let Ok((bytes, told)) = file_of(case, model, told) else { return Ok(None) };
    let is_said = made.is_in(&decoded(case, &bytes)?).map_err(|why| why.to_string())?;
    Ok(is_said.then_some((bytes, told)))
}

/// Returns the places of all labels and other facts. Entries are named by their files in the unpacked folder, so they are left out.
fn labels(case: &Case) -> Found<HashSet<String>> {
    #[derive(Default)]
    struct Labels(HashSet<String>);
    impl Visitor for Labels {
        fn data(&mut self, _: &bitexact::field::Datum<'_>) -> bitexact::field::Result {
            Ok(())
        }

        fn fact(&mut self, place: &Place, _: Json) {
            self.0.insert(Place::default().with(place.pointer().iter().copied()).to_string());
        }

        fn wants_facts(&self) -> bool {
            true
        }
    }
    let mut labels = Labels::default();
    visit(&decoded(case, &case.bytes)?, &mut labels).map_err(|why| why.to_string())?;
    Ok(labels.0)
}
