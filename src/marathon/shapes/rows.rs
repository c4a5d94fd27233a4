//! Rows of pixels that omit the transparent ones.
//!
//! Source: `marathon-shapes.md`, section 5.

use field::{Class, Codec, Fault, LoadError, Loaded, Step, Tell, Value, wide};
use json::Describe as _;

use super::collection::Encoding;

/// An invalid row.
pub(super) struct Wrong {
    /// Offset from the start of the rows.
    pub(super) at: usize,
    pub(super) row: u64,
    pub(super) fault: Fault,
}

/// A row of pixels in one of the codings: its bytes and its decoded pieces.
struct Row<'a> {
    bytes: &'a [u8],
    pieces: Pieces<'a>,
}

enum Pieces<'a> {
    /// The first stored pixel, and all stored pixels.
    Stretch(u16, &'a [u8]),
    /// Runs of stored pixels and counts of omitted ones.
    Operations(Vec<Operation<'a>>),
}

enum Operation<'a> {
    Skip(i16),
    Put(&'a [u8]),
}

fn word(bytes: &[u8]) -> Option<i16> {
    bytes.first_chunk().map(|word| i16::from_be_bytes(*word))
}

/// Reads the row at the start of some bytes, and the most pixels that it can represent.
fn row(encoding: Encoding, bytes: &[u8]) -> Result<(Row<'_>, u64), Fault> {
    let ends = |at: usize, each: usize| {
        let remain = wide(bytes.len().saturating_sub(at));
        Fault::Ends { count: 1, each: wide(each), remain }
    };
    match encoding {
        Encoding::Marathon2 => {
            let (first, rest) = bytes.split_first_chunk().ok_or_else(|| ends(0, 4))?;
            let (last, rest) = rest.split_first_chunk().ok_or_else(|| ends(2, 2))?;
            let (first, last) = (i16::from_be_bytes(*first), i16::from_be_bytes(*last));
            let outside =
                |found: i16, expected: &str| Fault::Outside { found: found.into(), expected: expected.into() };
            let first = u16::try_from(first).map_err(|_| outside(first, "a number from 0"))?;
            let last = u16::try_from(last).map_err(|_| outside(last, "a number from 0"))?;
            let length = last.checked_sub(first);
            let length = usize::from(length.ok_or_else(|| Fault::Outside {
                found: first.into(),
                expected: format!("at most {last}, the end of the row"),
            })?);
            let pixels = rest.get(..length).ok_or_else(|| ends(4, length))?;
            let row = bytes.get(..length + 4).unwrap_or_default();
            Ok((Row { bytes: row, pieces: Pieces::Stretch(first, pixels) }, last.into()))
        }
        Encoding::Marathon => {
            let (mut at, mut pixels) = (0_usize, 0_u64);
            let mut operations = Vec::new();
            loop {
                let operation = bytes.get(at..).and_then(word).ok_or_else(|| ends(at, 2))?;
                at += 2;
                pixels += u64::from(operation.unsigned_abs());
                match usize::try_from(operation) {
                    Ok(0) => break,
                    Ok(length) => {
                        let put = bytes.get(at..).and_then(|rest| rest.get(..length));
                        operations.push(Operation::Put(put.ok_or_else(|| ends(at, length))?));
                        at += length;
                    }
                    Err(_) => operations.push(Operation::Skip(operation)),
                }
            }
            let row = bytes.get(..at).unwrap_or_default();
            Ok((Row { bytes: row, pieces: Pieces::Operations(operations) }, pixels))
        }
    }
}

/// Returns the length in bytes of `rows` rows of `length` pixels at the start of some bytes.
pub(super) fn extent(encoding: Encoding, bytes: &[u8], rows: u64, length: u64) -> Result<usize, Wrong> {
    let mut at = 0_usize;
    for nth in 0..rows {
        let wrong = |fault| Wrong { at, row: nth, fault };
        let (row, pixels) = row(encoding, bytes.get(at..).unwrap_or_default()).map_err(wrong)?;
        let whole = matches!(encoding, Encoding::Marathon);
        if pixels > length || (whole && pixels < length) {
            let most = if whole { "" } else { "at most " };
            return Err(wrong(Fault::Outside { found: pixels.into(), expected: format!("{most}{length} pixels") }));
        }
        at += row.bytes.len();
    }
    Ok(at)
}

/// Counts the bytes of rows by class: in both codings two bytes per row are derived, the last word of one and the end of the other.
pub(super) fn census(length: usize, rows: u64) -> [usize; 7] {
    let derived = usize::try_from(rows).unwrap_or(usize::MAX).saturating_mul(2).min(length);
    [length - derived, derived, 0, 0, 0, 0, 0]
}

/// Returns the conversion of rows to JSON and back.
pub(super) fn codec(encoding: Encoding) -> &'static Codec {
    static MARATHON: Codec = Codec {
        name: "rows of pixels",
        owners: |bytes, tell| owners(Encoding::Marathon, bytes, tell),
        show: |bytes| show(Encoding::Marathon, bytes),
        print: None,
        load: |json, _| load_operations(json),
        merge: None,
        dense: None,
    };
    static MARATHON_2: Codec = Codec {
        name: "rows of pixels",
        owners: |bytes, tell| owners(Encoding::Marathon2, bytes, tell),
        show: |bytes| show(Encoding::Marathon2, bytes),
        print: None,
        load: |json, _| load_stretches(json),
        merge: None,
        dense: None,
    };
    match encoding {
        Encoding::Marathon => &MARATHON,
        Encoding::Marathon2 => &MARATHON_2,
    }
}

fn each<'a>(encoding: Encoding, mut bytes: &'a [u8], mut tell: impl FnMut(Row<'a>)) {
    while !bytes.is_empty() {
        let Ok((row, _)) = row(encoding, bytes) else { return };
        bytes = bytes.get(row.bytes.len()..).unwrap_or_default();
        tell(row);
    }
}

fn owners(encoding: Encoding, bytes: &[u8], tell: Tell<'_>) {
    let mut nth = 0;
    each(encoding, bytes, |row| {
        let step = [Step::Index(nth)];
        let (begin, rest) = match encoding {
            Encoding::Marathon2 => row.bytes.split_at(row.bytes.len().min(2)),
            Encoding::Marathon => row.bytes.split_at(row.bytes.len().saturating_sub(2)),
        };
        let (derived, pixels) = rest.split_at(rest.len().min(2));
        for (class, bytes) in [(Class::Semantic, begin), (Class::Derived, derived), (Class::Semantic, pixels)] {
            if !bytes.is_empty() {
                tell(&step, class, bytes);
            }
        }
        nth += 1;
    });
}

fn show(encoding: Encoding, bytes: &[u8]) -> Value {
    let mut rows = Vec::new();
    each(encoding, bytes, |row| {
        rows.push(match row.pieces {
            Pieces::Stretch(first, pixels) => {
                let mut members = Vec::new();
                if first != 0 || !pixels.is_empty() {
                    members.push(("first".into(), first.into()));
                }
                if !pixels.is_empty() {
                    members.push(("pixels".into(), Value::of_bytes(pixels.to_vec())));
                }
                Value::Object(members)
            }
            Pieces::Operations(operations) => operations
                .into_iter()
                .map(|operation| match operation {
                    Operation::Skip(pixels) => pixels.into(),
                    Operation::Put(pixels) => Value::of_bytes(pixels.to_vec()),
                })
                .collect(),
        });
    });
    Value::List(rows)
}

fn misfit(row: u64, expected: &str, found: &Value) -> LoadError {
    LoadError::new(vec![Step::Index(row)], expected, found.describe())
}

fn rows_of(json: Value) -> Loaded<Vec<Value>> {
    match json {
        Value::List(rows) => Ok(rows),
        other => Err(LoadError::new(Vec::new(), "a list of rows", other.describe())),
    }
}

fn load_stretches(json: Value) -> Loaded<Vec<u8>> {
    let mut bytes = Vec::new();
    for (nth, mut row) in (0..).zip(rows_of(json)?) {
        let wrong = |row: &Value| misfit(nth, "the first pixel and the pixels, at most 32767 in all", row);
        let member = |row: &mut Value, name: &str| row.step_mut(name).map(std::mem::take).unwrap_or_default();
        let (first, pixels) = (member(&mut row, "first"), member(&mut row, "pixels"));
        let first = match first {
            Value::Null => Some(0),
            first => first.whole().and_then(|first| u16::try_from(first).ok()),
        };
        let pixels = match pixels {
            Value::Null => Some(Vec::new()),
            pixels => pixels.bytes().map(|bytes| bytes.into_owned()),
        };
        let (Some(first), Some(pixels), Value::Object(_), true) = (first, pixels, &row, row.is_taken()) else {
            return Err(wrong(&row));
        };
        let last = u16::try_from(pixels.len()).ok().and_then(|length| first.checked_add(length));
        let last = last.filter(|last| i16::try_from(*last).is_ok()).ok_or_else(|| wrong(&row))?;
        bytes.extend(first.to_be_bytes());
        bytes.extend(last.to_be_bytes());
        bytes.extend(pixels);
    }
    Ok(bytes)
}

fn load_operations(json: Value) -> Loaded<Vec<u8>> {
    let mut bytes = Vec::new();
    for (nth, row) in (0..).zip(rows_of(json)?) {
        let expected = "a list of pixels, and of numbers below 0 for omitted ones";
        let Value::List(operations) = row else { return Err(misfit(nth, expected, &row)) };
        for operation in operations {
            match &operation {
                Value::Integer(skip) => {
                    let skip = i16::try_from(*skip).ok().filter(|skip| *skip < 0);
                    bytes.extend(skip.ok_or_else(|| misfit(nth, expected, &operation))?.to_be_bytes());
                }
                pixels => {
                    let pixels = pixels.bytes().filter(|pixels| !pixels.is_empty());
                    let pixels = pixels.ok_or_else(|| misfit(nth, expected, &operation))?;
                    let length = i16::try_from(pixels.len()).map_err(|_| misfit(nth, expected, &operation))?;
                    bytes.extend(length.to_be_bytes());
                    bytes.extend(&*pixels);
                }
            }
        }
        bytes.extend([0; 2]);
    }
    Ok(bytes)
}

/// Returns the pixels of coded rows of `length` pixels each, with 0 for omitted ones.
pub(super) fn unpack(encoding: Encoding, bytes: &[u8], length: usize) -> Vec<u8> {
    let mut all = Vec::new();
    each(encoding, bytes, |row| {
        let end = all.len() + length;
        match row.pieces {
            Pieces::Stretch(first, pixels) => {
                all.resize(all.len() + usize::from(first), 0);
                all.extend(pixels);
            }
            Pieces::Operations(operations) => operations.into_iter().for_each(|operation| match operation {
                Operation::Skip(pixels) => all.resize(all.len() + usize::from(pixels.unsigned_abs()), 0),
                Operation::Put(pixels) => all.extend(pixels),
            }),
        }
        all.resize(end, 0);
    });
    all
}

/// Numbers of omitted (below 0) and stored pixels of a row, in order.
pub(super) type Stored = Vec<i32>;

/// Returns the pixels stored by each row.
pub(super) fn stored(encoding: Encoding, bytes: &[u8]) -> Vec<Stored> {
    let mut all = Vec::new();
    let count = |pixels: &[u8]| i32::try_from(pixels.len()).unwrap_or(i32::MAX);
    each(encoding, bytes, |row| {
        all.push(match row.pieces {
            Pieces::Stretch(first, pixels) => vec![-i32::from(first), count(pixels)],
            Pieces::Operations(operations) => operations
                .iter()
                .map(|operation| match operation {
                    Operation::Skip(pixels) => (*pixels).into(),
                    Operation::Put(pixels) => count(pixels),
                })
                .collect(),
        });
    });
    all
}

/// Returns the pixels that a row stores by the rule: in Marathon 2 from the first to the last that is not transparent, in Marathon all that
/// are not.
pub(super) fn usual(encoding: Encoding, row: &[u8]) -> Stored {
    let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    match encoding {
        Encoding::Marathon2 => match (row.iter().position(|it| *it != 0), row.iter().rposition(|it| *it != 0)) {
            (Some(first), Some(last)) => vec![-number(first), number(last - first + 1)],
            _ => vec![0, 0],
        },
        Encoding::Marathon => {
            let runs = row.chunk_by(|one, next| (*one == 0) == (*next == 0));
            runs.map(|run| if run.first() == Some(&0) { -number(run.len()) } else { number(run.len()) }).collect()
        }
    }
}

/// Codes a row that stores the given pixels, or returns `None` if they are too few or too many.
pub(super) fn code(encoding: Encoding, row: &[u8], stored: &[i32]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = row;
    for &piece in stored {
        let (pixels, behind) = rest.split_at_checked(usize::try_from(piece.unsigned_abs()).ok()?)?;
        rest = behind;
        if piece < 0 && pixels.iter().any(|pixel| *pixel != 0) {
            return None;
        }
        let word = i16::try_from(piece).ok()?;
        match encoding {
            Encoding::Marathon2 if piece <= 0 && bytes.is_empty() => bytes.extend(word.checked_neg()?.to_be_bytes()),
            Encoding::Marathon2 if piece >= 0 && bytes.len() == 2 => {
                let first = bytes.first_chunk().copied().map(i16::from_be_bytes)?;
                bytes.extend(first.checked_add(word)?.to_be_bytes());
                bytes.extend(pixels);
            }
            Encoding::Marathon if piece < 0 => bytes.extend(word.to_be_bytes()),
            Encoding::Marathon if piece > 0 => {
                bytes.extend(word.to_be_bytes());
                bytes.extend(pixels);
            }
            _ => return None,
        }
    }
    match encoding {
        Encoding::Marathon2 => (bytes.len() >= 4 && rest.iter().all(|pixel| *pixel == 0)).then_some(bytes),
        Encoding::Marathon => {
            bytes.extend([0; 2]);
            rest.is_empty().then_some(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;

    /// Asserts that rows round-trip via JSON, and represent these pixels.
    fn back(encoding: Encoding, bytes: &[u8], json: &str, pixels: &[u8]) {
        let rows = extent(encoding, bytes, 2, 4).unwrap_or_else(|wrong| panic!("{:?}", wrong.fault));
        assert_eq!(rows, bytes.len());
        let shown = (codec(encoding).show)(bytes);
        assert_eq!(Compact(&shown).to_string(), json);
        assert_eq!((codec(encoding).load)(shown, &mut Vec::new()).expect("it loads"), bytes);
        assert_eq!(unpack(encoding, bytes, 4), pixels);
    }

    #[test]
    fn rows_round_trip() {
        let bytes = [0, 1, 0, 3, 7, 8, 0, 0, 0, 0];
        back(Encoding::Marathon2, &bytes, r#"[{"first":1,"pixels":"07 08"},{}]"#, &[0, 7, 8, 0, 0, 0, 0, 0]);
        let bytes = [0xFF, 0xFF, 0, 2, 7, 8, 0xFF, 0xFF, 0, 0, 0, 3, 1, 0, 2, 0, 1, 9, 0, 0];
        back(Encoding::Marathon, &bytes, r#"[[-1,"07 08",-1],["01 00 02","09"]]"#, &[0, 7, 8, 0, 1, 0, 2, 9]);
    }

    #[test]
    fn rows_are_coded_by_the_rule_or_as_stored() {
        let row = [0, 7, 0, 8, 0];
        for (encoding, usual_row, bytes) in [
            (Encoding::Marathon2, vec![-1, 3], &[0, 1, 0, 4, 7, 0, 8][..]),
            (Encoding::Marathon2, vec![0, 5], &[0, 0, 0, 5, 0, 7, 0, 8, 0]),
            (Encoding::Marathon, vec![-1, 1, -1, 1, -1], &[255, 255, 0, 1, 7, 255, 255, 0, 1, 8, 255, 255, 0, 0]),
            (Encoding::Marathon, vec![2, 3], &[0, 2, 0, 7, 0, 3, 0, 8, 0, 0, 0]),
        ] {
            assert_eq!(code(encoding, &row, &usual_row).as_deref(), Some(bytes));
            assert_eq!(stored(encoding, bytes), [usual_row]);
        }
        assert_eq!(usual(Encoding::Marathon2, &row), [-1, 3]);
        assert_eq!(usual(Encoding::Marathon, &row), [-1, 1, -1, 1, -1]);
        assert_eq!(usual(Encoding::Marathon2, &[0, 0]), [0, 0]);
        assert_eq!(code(Encoding::Marathon2, &[0, 0], &[-2, 0]).as_deref(), Some(&[0, 2, 0, 2][..]));
        for wrong in [&[-2, 3][..], &[-1, 5], &[-1], &[3, -1, 1], &[]] {
            assert_eq!(code(Encoding::Marathon2, &row, wrong), None, "{wrong:?}");
        }
        assert_eq!(code(Encoding::Marathon, &row, &[-1, 1]), None, "too little");
    }

    #[test]
    fn invalid_rows_are_refused() {
        let refused = |encoding, bytes: &[u8]| extent(encoding, bytes, 1, 4).is_err();
        for bytes in [&[0, 0, 0, 5, 1, 2, 3, 4, 5][..], &[0, 3, 0, 2], &[0xFF, 0xFF, 0, 2, 1, 2, 3], &[0, 0, 0, 2, 1]] {
            assert!(refused(Encoding::Marathon2, bytes), "{bytes:?}");
        }
        for bytes in [&[0xFF, 0xFD, 0, 0][..], &[0xFF, 0xFB, 0, 0], &[0, 4, 1, 2, 3, 4], &[0, 4, 1]] {
            assert!(refused(Encoding::Marathon, bytes), "{bytes:?}");
        }
    }
}
