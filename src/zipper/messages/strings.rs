//! String blocks: resources of 16 strings, each a count followed by UTF-16 units.
//!
//! In the exchange format, a string is text, or `{"units": […]}` if it contains an unpaired surrogate.
//!
//! Source: [`zipper-messages.md`](formats::zipper_messages), section 5.

use field::{Class, Codec, LoadError, Loaded, Step, Tell, Value};
use json::Describe as _;

/// The number of strings in a block.
pub const STRINGS: usize = 16;

/// Access to the parts of an encoded block.
pub(super) static CODEC: Codec =
    Codec { name: "16 strings", owners, show, print: None, load: |json, _| load(json), merge: None, dense: None };

/// Visits the strings of the block at the beginning of some bytes, each as the bytes of its units, and returns the length of the block,
/// or `None` if the bytes end too early.
fn visit<'b>(bytes: &'b [u8], mut each: impl FnMut(&'b [u8])) -> Option<usize> {
    let mut rest = bytes;
    for _ in 0..STRINGS {
        let (count, behind) = rest.split_first_chunk::<2>()?;
        let (units, behind) = behind.split_at_checked(usize::from(u16::from_le_bytes(*count)).checked_mul(2)?)?;
        each(units);
        rest = behind;
    }
    Some(bytes.len() - rest.len())
}

/// Returns the length of the block at the beginning of some bytes, or `None` if the bytes end too early.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    visit(bytes, |_| {})
}

/// Splits the block at the beginning of some bytes into strings, each as the bytes of its units, or returns `None` if
/// the bytes end too early.
#[must_use]
pub fn split(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut strings = Vec::with_capacity(STRINGS);
    visit(bytes, |units| strings.push(units))?;
    Some(strings)
}

/// Counts the bytes by class of the block at the beginning of some bytes; all counts are 0 if the bytes end too early.
pub(super) fn census(bytes: &[u8]) -> [usize; 7] {
    match length(bytes) {
        Some(length) => [length - 2 * STRINGS, 2 * STRINGS, 0, 0, 0, 0, 0],
        None => [0; 7],
    }
}

/// Joins strings, each given as the bytes of its units, to a block, or returns `None` if one is too long.
#[must_use]
pub fn join<S: AsRef<[u8]>>(strings: &[S]) -> Option<Vec<u8>> {
    let mut block = Vec::new();
    for units in strings {
        let units = units.as_ref();
        block.extend(u16::try_from(units.len() / 2).ok()?.to_le_bytes());
        block.extend(units);
    }
    Some(block)
}

/// Decodes units to text, or returns `None` if they contain an unpaired surrogate.
#[must_use]
pub fn decode(units: &[u8]) -> Option<String> {
    char::decode_utf16(numbers(units)).collect::<Result<_, _>>().ok()
}

/// Decodes units to text for display, with replacement characters for unpaired surrogates.
#[must_use]
pub fn lossy(units: &[u8]) -> String {
    char::decode_utf16(numbers(units)).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Encodes text to the bytes of its units.
#[must_use]
pub fn encode(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn numbers(units: &[u8]) -> impl Iterator<Item = u16> {
    units.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit))
}

fn owners(bytes: &[u8], tell: Tell<'_>) {
    let mut rest = bytes;
    for (index, units) in (0..).zip(split(bytes).unwrap_or_default()) {
        let (count, behind) = rest.split_at_checked(2).unwrap_or((rest, &[]));
        tell(&[Step::Index(index)], Class::Derived, count);
        if !units.is_empty() {
            tell(&[Step::Index(index)], Class::Semantic, units);
        }
        rest = behind.get(units.len()..).unwrap_or_default();
    }
}

fn show(bytes: &[u8]) -> Value {
    split(bytes).unwrap_or_default().into_iter().map(show_one).collect()
}

fn show_one(units: &[u8]) -> Value {
    match decode(units) {
        Some(text) => text.into(),
        None => Value::from([("units", numbers(units).map(u32::from).map(Value::from).collect())]),
    }
}

fn load(json: Value) -> Loaded<Vec<u8>> {
    let misfit =
        |steps: &[Step], expected: &str, found: &Value| LoadError::new(steps.to_vec(), expected, found.describe_text());
    let Value::List(items) = &json else { return Err(misfit(&[], "a list of 16 strings", &json)) };
    if items.len() != STRINGS {
        return Err(misfit(&[], "a list of 16 strings", &json));
    }
    let strings = (0..).zip(items).map(|(index, item)| {
        let units = load_one(item).filter(|units| units.len() / 2 <= usize::from(u16::MAX));
        let units = units.ok_or_else(|| misfit(&[Step::Index(index)], "a string of at most 65,535 units", item))?;
        match decode(&units).filter(|_| item.text().is_none()) {
            Some(text) => Err(misfit(&[Step::Index(index)], &format!("{text:?}, because the units are text"), item)),
            None => Ok(units),
        }
    });
    let strings = strings.collect::<Loaded<Vec<_>>>()?;
    join(&strings).ok_or_else(|| misfit(&[], "16 strings of at most 65,535 units", &json))
}

fn load_one(json: &Value) -> Option<Vec<u8>> {
    match (json.text(), json.only("units")) {
        (Some(text), _) => Some(encode(text)),
        (None, Some(Value::List(units))) => {
            let units = units.iter().map(|unit| u16::try_from(unit.whole()?).ok());
            Some(units.collect::<Option<Vec<_>>>()?.into_iter().flat_map(u16::to_le_bytes).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_block_of_the_spec_round_trips() {
        let mut block = vec![3, 0, 0x59, 0, 0x65, 0, 0x73, 0, 0, 0, 0, 0, 2, 0, 0x4E, 0, 0x6F, 0];
        block.resize(42, 0);
        let strings = split(&block).expect("16 strings");
        assert_eq!(strings.iter().map(|units| decode(units).expect("text")).collect::<Vec<_>>().concat(), "YesNo");
        assert_eq!(census(&block)[..2], [10, 32]);
        assert_eq!(join(&strings), Some(block.clone()));
        assert_eq!(load(show(&block)).expect("loads"), block);
    }

    #[test]
    fn unpaired_surrogates_round_trip() {
        let mut strings = vec![vec![]; STRINGS];
        strings[4] = vec![0x00, 0xD8, 0x41, 0x00];
        strings[5] = encode("\u{1F680}\0");
        let block = join(&strings).expect("short enough");
        assert_eq!(load(show(&block)).expect("loads"), block);
    }
}
