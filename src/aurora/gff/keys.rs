//! Labels of fields as the keys of JSON objects.
//!
//! The second field with a label has the key `NAME#2`; a `#` in a label is written as `#0`. A label that is not plain text, or begins
//! with `__`, is written as `#hex.` and its bytes. Source: `nwn-gff.md`, section 7.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex};

use rustc_hash::FxHashMap;

use field::{hex, unhex};

use super::sections::LABEL;

/// The maximum nesting depth of structs. Source: `nwn-gff.md`, section 6.
pub(super) const MOST_DEEP: usize = 200;
/// The maximum number of different keys that places can name. The game has about a thousand labels.
const MOST_NAMES: usize = 8192;

/// A label.
pub(super) type Label = [u8; LABEL];

/// The keys of the fields of one struct so far.
#[derive(Default)]
pub(super) struct Keys(FxHashMap<Label, u32>);

/// The names of fields in places, by their labels and numbers.
type Names = FxHashMap<(Label, u32), Option<&'static str>>;

impl Keys {
    /// Returns the key of the next field with a label.
    pub(super) fn key(&mut self, label: Label) -> String {
        numbered(label, self.number(label))
    }

    /// Returns the key of the next field with a label, for places, as [`intern`] does. Most labels occur often, so their keys are looked up.
    pub(super) fn name(&mut self, label: Label) -> Option<&'static str> {
        static NAMES: LazyLock<Mutex<Names>> = LazyLock::new(Mutex::default);
        let number = self.number(label);
        let mut names = NAMES.lock().ok()?;
        if let Some(known) = names.get(&(label, number)) {
            return *known;
        }
        let name = intern(&numbered(label, number));
        if names.len() < MOST_NAMES {
            names.insert((label, number), name);
        }
        name
    }

    /// Returns the number of the next field among those with its label.
    fn number(&mut self, label: Label) -> u32 {
        let number = self.0.entry(label).or_default();
        *number += 1;
        *number
    }

    /// Returns the label of the next field, given its key, or `None` if it must have a different one.
    pub(super) fn label(&mut self, key: &str) -> Option<Label> {
        let label = parse(key)?;
        (self.key(label) == key).then_some(label)
    }
}

/// Returns a label as the key of the field with this number among those that have it.
fn numbered(label: Label, number: u32) -> String {
    let plain = plain(label);
    if number > 1 { format!("{plain}#{number}") } else { plain }
}

/// Returns a label as the key of the first field that has it.
fn plain(label: Label) -> String {
    let end = label.iter().position(|&byte| byte == 0).unwrap_or(LABEL);
    let (text, tail) = label.split_at(end);
    let is_plain = |byte: &u8| (b' '..=b'~').contains(byte) && !matches!(byte, b'/' | b'~' | b'"' | b'\\');
    let fits = !text.is_empty() && text.iter().all(is_plain) && !text.starts_with(b"__");
    if fits && tail.iter().all(|&byte| byte == 0) {
        text.iter().map(|&byte| char::from(byte)).collect::<String>().replace('#', "#0")
    } else {
        format!("#hex.{}", hex(&label).replace(' ', ""))
    }
}

/// Returns the label of a key.
fn parse(key: &str) -> Option<Label> {
    if let Some(digits) = key.strip_prefix("#hex.") {
        let digits = digits.split('#').next()?;
        return unhex(digits)?.try_into().ok();
    }
    let mut text = Vec::new();
    let mut rest = key;
    while let Some(byte) = rest.bytes().next() {
        if let Some(after) = rest.strip_prefix("#0") {
            text.push(b'#');
            rest = after;
            continue;
        }
        if byte == b'#' {
            break;
        }
        text.push(byte);
        rest = rest.get(1..)?;
    }
    let mut label = [0; LABEL];
    label.get_mut(..text.len())?.copy_from_slice(&text);
    Some(label)
}

/// Returns a key that lives as long as the program, for places. `None` if there are too many different ones.
pub(super) fn intern(key: &str) -> Option<&'static str> {
    static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    // In a place, a colon ends the names of entries.
    if key.contains(':') {
        return None;
    }
    let mut names = NAMES.lock().ok()?;
    if let Some(known) = names.get(key) {
        return Some(known);
    }
    if names.len() >= MOST_NAMES {
        return None;
    }
    let name: &'static str = String::from(key).leak();
    names.insert(name);
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &[u8]) -> Label {
        let mut label = [0; LABEL];
        label[..text.len()].copy_from_slice(text);
        label
    }

    #[test]
    fn keys_return_their_labels() {
        let labels =
            [&b"Tag"[..], b"Creature List", b"a#b", b"a#", b"__x", b"", b"a\0b", b"\xFF", b"Tag", b"0123456789abcdef"];
        let (mut keys, mut again) = (Keys::default(), Keys::default());
        let shown: Vec<String> = labels.iter().map(|it| keys.key(label(it))).collect();
        assert_eq!(shown[..4], ["Tag", "Creature List", "a#0b", "a#0"]);
        assert_eq!(shown[4], "#hex.5f5f7800000000000000000000000000");
        assert_eq!(shown[8], "Tag#2");
        for (key, of) in shown.iter().zip(labels) {
            assert_eq!(again.label(key), Some(label(of)), "{key}");
        }
        for wrong in ["Tag#2", "Tag#x", "#hex.00", "#", "seventeen letters", "Größe"] {
            assert_eq!(Keys::default().label(wrong), None, "{wrong}");
        }
    }
}
