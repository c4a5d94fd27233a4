//! Rows packed by runs: PackBits, and the two packers used to write the pictures.
//!
//! Source: `marathon-images.md`, sections 5 and 5.1.

use field::{Class, Codec, Fault, LoadError, Loaded, Step, Tell, Value, wide};
use json::Describe as _;

/// The packer used for the rows of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packer {
    /// Packer A: pieces of 128 bytes, each packed separately.
    Pieces,
    /// Packer B: whole rows, with lookahead into the next row.
    QuickDraw,
}

impl Packer {
    const ALL: [Self; 2] = [Self::Pieces, Self::QuickDraw];

    /// Returns its name in the exchange format.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Pieces => "PIECES",
            Self::QuickDraw => "QUICKDRAW",
        }
    }
}

/// The variant of the packing, as far as reading depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// `true` if the length of a row takes two bytes.
    pub is_long: bool,
    /// `true` if repeated units take two bytes.
    pub is_wide: bool,
}

impl Packing {
    /// Returns the bytes of a row's length.
    fn head(self) -> usize {
        if self.is_long { 2 } else { 1 }
    }

    /// Returns the bytes of a repeated unit.
    fn unit(self) -> usize {
        if self.is_wide { 2 } else { 1 }
    }

    /// Returns the conversion of packed rows; `packer` is preferred if both packers produce the same bytes.
    pub(super) fn codec(self, packer: Packer) -> &'static Codec {
        macro_rules! codec {
            ($is_long:literal, $is_wide:literal, $packer:ident) => {{
                const PACKING: Packing = Packing { is_long: $is_long, is_wide: $is_wide };
                static CODEC: Codec = Codec {
                    name: "packed rows",
                    owners: |bytes, tell| owners(PACKING, bytes, tell),
                    show: |bytes| show(PACKING, Packer::$packer, bytes),
                    print: None,
                    load: |json, _| load(PACKING, json),
                    merge: None,
                    dense: None,
                };
                &CODEC
            }};
        }
        match (self.is_long, self.is_wide, packer) {
            (false, false, Packer::Pieces) => codec!(false, false, Pieces),
            (false, true, Packer::Pieces) => codec!(false, true, Pieces),
            (true, false, Packer::Pieces) => codec!(true, false, Pieces),
            (true, true, Packer::Pieces) => codec!(true, true, Pieces),
            (false, false, Packer::QuickDraw) => codec!(false, false, QuickDraw),
            (false, true, Packer::QuickDraw) => codec!(false, true, QuickDraw),
            (true, false, Packer::QuickDraw) => codec!(true, false, QuickDraw),
            (true, true, Packer::QuickDraw) => codec!(true, true, QuickDraw),
        }
    }

    /// Returns the packed bytes of the first row, without its length.
    fn row(self, bytes: &[u8]) -> Option<&[u8]> {
        let (head, rest) = bytes.split_at_checked(self.head())?;
        let length = head.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
        rest.get(..length)
    }

    /// Returns the length in bytes of `rows` packed rows, each of `length` bytes when unpacked.
    pub(super) fn extent(self, bytes: &[u8], rows: u64, length: u64) -> Result<usize, (usize, u64, Fault)> {
        let mut at = 0_usize;
        for nth in 0..rows {
            let rest = bytes.get(at..).unwrap_or_default();
            let ends = || {
                let head = rest.get(..self.head()).unwrap_or_default();
                let told = head.iter().fold(0, |length, byte| length << 8 | u64::from(*byte));
                let each = told + wide(self.head());
                (at, nth, Fault::Ends { count: 1, each, remain: wide(rest.len()) })
            };
            let row = self.row(rest).ok_or_else(ends)?;
            let begin = at + self.head();
            let unpacked = self.length(row).map_err(|(within, fault)| (begin + within, nth, fault))?;
            if unpacked != length {
                let expected = format!("{length} bytes in the row");
                return Err((begin, nth, Fault::Outside { found: unpacked.into(), expected }));
            }
            at = begin + row.len();
        }
        Ok(at)
    }

    /// Returns the unpacked length of a packed row.
    fn length(self, row: &[u8]) -> Result<u64, (usize, Fault)> {
        let (mut at, mut length) = (0_usize, 0_u64);
        while let Some(&code) = row.get(at) {
            let (units, stored) = shape(code);
            let stored = stored * self.unit();
            at = at + 1 + stored;
            if at > row.len() {
                let begin = at - stored;
                let remain = wide(row.len().saturating_sub(begin));
                return Err((begin, Fault::Ends { count: 1, each: wide(stored), remain }));
            }
            length += wide(units * self.unit());
        }
        Ok(length)
    }

    /// Unpacks a row.
    fn unpack(self, row: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = row;
        while let Some((&code, behind)) = rest.split_first() {
            let (units, stored) = shape(code);
            let (stored, behind) = behind.split_at_checked(stored * self.unit()).unwrap_or((behind, &[]));
            if code > 128 {
                (0..units).for_each(|_| bytes.extend(stored));
            } else {
                bytes.extend(stored);
            }
            rest = behind;
        }
        bytes
    }

    /// Unpacks all rows.
    #[must_use]
    pub fn rows(self, mut bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut rows = Vec::new();
        while let Some(row) = self.row(bytes) {
            bytes = bytes.get(self.head() + row.len()..).unwrap_or_default();
            rows.push(self.unpack(row));
        }
        rows
    }

    /// Packs rows; returns `None` if a packed row is too long for its length field.
    #[must_use]
    pub fn pack(self, packer: Packer, rows: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for (nth, row) in rows.iter().enumerate() {
            let mut packed = Vec::new();
            match packer {
                Packer::Pieces => row.chunks(128).for_each(|piece| pack_piece(piece, &mut packed)),
                Packer::QuickDraw => {
                    let next = rows.get(nth + 1).map(Vec::as_slice).unwrap_or_default();
                    if self.is_wide {
                        pack_row(row.as_chunks::<2>().0, next.as_chunks::<2>().0, &mut packed);
                    } else {
                        pack_row(row.as_chunks::<1>().0, next.as_chunks::<1>().0, &mut packed);
                    }
                }
            }
            self.put(&packed, &mut bytes)?;
        }
        Some(bytes)
    }

    /// Appends a packed row, with its length.
    fn put(self, packed: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
        match self.is_long {
            true => bytes.extend(u16::try_from(packed.len()).ok()?.to_be_bytes()),
            false => bytes.push(u8::try_from(packed.len()).ok()?),
        }
        bytes.extend(packed);
        Some(())
    }
}

/// Returns the number of units that a code represents, and the number of units stored after it.
fn shape(code: u8) -> (usize, usize) {
    match code {
        0..=127 => (usize::from(code) + 1, usize::from(code) + 1),
        128 => (0, 0),
        129..=255 => (257 - usize::from(code), 1),
    }
}

fn put_literal(units: &[u8], count: usize, packed: &mut Vec<u8>) {
    if let Some(code) = count.checked_sub(1).and_then(|code| u8::try_from(code).ok()) {
        packed.push(code);
        packed.extend(units);
    }
}

fn put_run(unit: &[u8], count: usize, packed: &mut Vec<u8>) {
    packed.push(u8::try_from(257_usize.saturating_sub(count)).unwrap_or(u8::MAX));
    packed.extend(unit);
}

/// Packs a piece of at most 128 bytes like packer A: a pair is a run only at the start of a piece or directly after a run.
fn pack_piece(piece: &[u8], packed: &mut Vec<u8>) {
    let mut literal: &[u8] = &[];
    let mut rest = piece;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|byte| *byte == first).count();
        if run >= 3 || (literal.is_empty() && run >= 2) {
            put_literal(literal, literal.len(), packed);
            put_run(&[*first], run, packed);
            rest = rest.get(run..).unwrap_or_default();
            literal = &[];
        } else {
            rest = rest.get(1..).unwrap_or_default();
            let end = piece.len() - rest.len();
            literal = piece.get(end - literal.len() - 1..end).unwrap_or_default();
        }
    }
    put_literal(literal, literal.len(), packed);
}

/// Packs a row like packer B: a run begins at three equal units, the last of which may be in the next row.
fn pack_row<const N: usize>(row: &[[u8; N]], next: &[[u8; N]], packed: &mut Vec<u8>) {
    let unit = |at: usize| row.get(at).or_else(|| next.get(at - row.len()));
    // The first two are in this row.
    let three = |at: usize| {
        at + 1 < row.len() && unit(at).is_some_and(|it| unit(at + 1) == Some(it) && unit(at + 2) == Some(it))
    };
    let mut at = 0;
    while let Some(first) = row.get(at) {
        if three(at) {
            let run = row.iter().skip(at).take(128).take_while(|unit| *unit == first).count();
            put_run(first, run, packed);
            at += run;
            continue;
        }
        let start = at;
        loop {
            at += 1;
            let length = at - start;
            if length == 128 || at >= row.len() || (length < 127 && three(at)) {
                break;
            }
        }
        let literal = row.get(start..at).unwrap_or_default();
        put_literal(literal.as_flattened(), literal.len(), packed);
    }
}

/// Counts the bytes of packed rows by class: their lengths are derived.
pub(super) fn census(packing: Packing, length: usize, rows: u64) -> [usize; 7] {
    let derived = usize::try_from(rows).unwrap_or(usize::MAX).saturating_mul(packing.head()).min(length);
    [length - derived, derived, 0, 0, 0, 0, 0]
}

fn each<'a>(packing: Packing, mut bytes: &'a [u8], mut tell: impl FnMut(&'a [u8], &'a [u8])) {
    while let Some(row) = packing.row(bytes) {
        tell(bytes.get(..packing.head()).unwrap_or_default(), row);
        bytes = bytes.get(packing.head() + row.len()..).unwrap_or_default();
        if bytes.is_empty() {
            return;
        }
    }
}

fn owners(packing: Packing, bytes: &[u8], tell: Tell<'_>) {
    let mut nth = 0;
    each(packing, bytes, |head, row| {
        let step = [Step::Name("rows"), Step::Index(nth)];
        tell(&step, Class::Derived, head);
        if !row.is_empty() {
            tell(&step, Class::Semantic, row);
        }
        nth += 1;
    });
}

/// Returns the unpacked rows if one of the packers reproduces these bytes, else the packed rows.
fn show(packing: Packing, likely: Packer, bytes: &[u8]) -> Value {
    let rows = packing.rows(bytes);
    let mut packers = [likely].into_iter().chain(Packer::ALL);
    let packer = packers.find(|packer| packing.pack(*packer, &rows).as_deref() == Some(bytes));
    let list = |rows: Vec<Vec<u8>>| rows.into_iter().map(Value::of_bytes).collect();
    match packer {
        Some(packer) => Value::from([("packer", packer.name().into()), ("rows", list(rows))]),
        None => {
            let mut coded = Vec::new();
            each(packing, bytes, |_, row| coded.push(row.to_vec()));
            Value::from([("rows", list(coded))])
        }
    }
}

fn load(packing: Packing, mut json: Value) -> Loaded<Vec<u8>> {
    let misfit = |steps: Vec<Step>, expected: &str, found: &Value| LoadError::new(steps, expected, found.describe());
    let mut member = |name: &str| json.step_mut(name).map(std::mem::take).unwrap_or_default();
    let (packer, rows) = (member("packer"), member("rows"));
    if !json.is_taken() {
        return Err(misfit(Vec::new(), "a packer and rows", &json));
    }
    let rows = match rows {
        Value::List(rows) => rows,
        other => return Err(misfit(vec![Step::Name("rows")], "a list of rows", &other)),
    };
    let row = |(nth, row): (u64, &Value)| {
        let bytes = row.bytes().map(|bytes| bytes.into_owned());
        bytes.ok_or_else(|| misfit(vec![Step::Name("rows"), Step::Index(nth)], "bytes in hexadecimal", row))
    };
    let bytes: Vec<Vec<u8>> = (0..).zip(&rows).map(row).collect::<Loaded<_>>()?;
    let packed = match &packer {
        Value::Null => {
            let mut all = Vec::new();
            bytes.iter().try_for_each(|row| packing.put(row, &mut all)).map(|()| all)
        }
        named => {
            let known = Packer::ALL.into_iter().find(|packer| named.text() == Some(packer.name()));
            let packer = known.ok_or_else(|| misfit(vec![Step::Name("packer")], "PIECES or QUICKDRAW", named))?;
            packing.pack(packer, &bytes)
        }
    };
    packed.ok_or_else(|| misfit(vec![Step::Name("rows")], "rows whose lengths can be stored", &Value::List(rows)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;

    const SHORT: Packing = Packing { is_long: false, is_wide: false };

    fn packed(packing: Packing, packer: Packer, rows: &[&[u8]]) -> Vec<u8> {
        let rows: Vec<Vec<u8>> = rows.iter().map(|row| row.to_vec()).collect();
        let bytes = packing.pack(packer, &rows).expect("it is short");
        assert_eq!(packing.rows(&bytes), rows);
        let length = wide(rows[0].len());
        let extent = packing.extent(&bytes, wide(rows.len()), length).map_err(|(_, _, fault)| fault);
        assert_eq!(extent, Ok(bytes.len()));
        bytes
    }

    /// Source: `marathon-images.md`, section 5.1.
    #[test]
    fn pair_is_a_run_only_at_the_start_or_after_a_run() {
        let pieces = |row: &[u8]| packed(SHORT, Packer::Pieces, &[row]);
        assert_eq!(pieces(&[1, 1, 2, 3, 3, 4]), [7, 0xFF, 1, 3, 2, 3, 3, 4]);
        assert_eq!(pieces(&[1, 1, 1, 2, 2]), [4, 0xFE, 1, 0xFF, 2]);
        assert_eq!(pieces(&[5, 1, 1, 1]), [4, 0, 5, 0xFE, 1]);
        assert_eq!(pieces(&[9; 130]), [4, 0x81, 9, 0xFF, 9]);
    }

    /// Source: `marathon-images.md`, section 5.1.
    #[test]
    fn run_may_extend_into_the_next_row() {
        let rows = |rows: &[&[u8]]| packed(SHORT, Packer::QuickDraw, rows);
        assert_eq!(rows(&[&[1, 2, 2], &[2, 0, 0]]), [4, 0, 1, 0xFF, 2, 4, 2, 2, 0, 0]);
        assert_eq!(rows(&[&[1, 2, 2], &[3, 0, 0]]), [4, 2, 1, 2, 2, 4, 2, 3, 0, 0]);
        assert_eq!(rows(&[&[7; 129]]), [4, 0x81, 7, 0, 7]);
    }

    #[test]
    fn units_may_take_two_bytes() {
        let packing = Packing { is_long: true, is_wide: true };
        let bytes = packed(packing, Packer::QuickDraw, &[&[1, 2, 1, 2, 1, 2, 9, 9]]);
        assert_eq!(bytes, [0, 6, 0xFE, 1, 2, 0, 9, 9]);
    }

    #[test]
    fn invalid_rows_are_refused_with_their_place() {
        let refused = |bytes: &[u8]| SHORT.extent(bytes, 1, 3).map_err(|(at, row, _)| (at, row));
        assert_eq!(refused(&[2, 0xFE, 1]), Ok(3));
        assert_eq!(refused(&[2, 0xFD, 1]), Err((1, 0)), "too many pixels");
        assert_eq!(refused(&[3, 4, 1, 2]), Err((2, 0)), "a literal behind the end of the row");
        assert_eq!(refused(&[3, 0xFE, 1]), Err((0, 0)), "a row behind the end");
        assert_eq!(refused(&[3, 0x80, 0xFE, 1]), Ok(4), "a code that does nothing");
    }

    #[test]
    fn rows_of_unknown_packers_round_trip() {
        let bytes = [6, 0, 1, 0, 1, 0, 1];
        let shown = (SHORT.codec(Packer::Pieces).show)(&bytes);
        assert_eq!(Compact(&shown).to_string(), r#"{"rows":["00 01 00 01 00 01"]}"#);
        assert_eq!((SHORT.codec(Packer::Pieces).load)(shown, &mut Vec::new()).expect("it loads"), bytes);
    }
}
