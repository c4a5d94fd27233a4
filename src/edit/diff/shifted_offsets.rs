//! Offsets into a text that changed only because the text before them became longer or shorter.

use std::collections::BTreeMap;

use field::{Address, Value};

use super::Change;

/// The fields that hold offsets into a text of the same record.
const OFFSETS: [&str; 2] = ["text_start", "text_index"];
/// The number of characters that have to follow an offset before and after the change.
const ALIKE: usize = 8;

/// Returns the changes to print, and the number of the others by the place of their text: offsets at which the text is still the same.
#[must_use]
pub fn without_shifted_offsets(changes: &[Change]) -> (Vec<Change>, BTreeMap<String, u64>) {
    let text = |change: &Change| match change {
        Change::Set { at, old: Some(Value::Text(old)), new: Some(Value::Text(new)) } => {
            let (record, key) = at.outer()?;
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            (key == "text").then(|| (record, letters(old), letters(new)))
        }
        _ => None,
    };
    let texts: Vec<(Address, Vec<char>, Vec<char>)> = changes.iter().filter_map(text).collect();
    let mut shifted: BTreeMap<String, u64> = BTreeMap::new();
    let mut is_shown = |change: &&Change| {
        let Some((place, was, is)) = offsets(change) else { return true };
        let after = |letters: &[char], at: usize| {
            letters.get(at..).map(|rest| rest.iter().take(ALIKE).copied().collect::<String>())
        };
        let Some((record, old, new)) = texts.iter().find(|(record, ..)| place.is_in(record)) else { return true };
        let is_same = matches!((after(old, was), after(new, is)), (Some(old), Some(new)) if old == new);
        if is_same {
            let count = shifted.entry(record.with("text").to_string()).or_default();
            *count += 1;
        }
        !is_same
    };
    let shown: Vec<Change> = changes.iter().filter(&mut is_shown).cloned().collect();
    (shown, shifted)
}

/// Returns the place of a changed offset, with the old and the new one.
fn offsets(change: &Change) -> Option<(&Address, usize, usize)> {
    let Change::Set { at, old: Some(old), new: Some(new) } = change else { return None };
    let key = at.keys.last()?;
    let offset = |json: &Value| usize::try_from(json.whole()?).ok();
    OFFSETS.contains(&key.as_str()).then_some((at, offset(old)?, offset(new)?))
}
