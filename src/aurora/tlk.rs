//! Talk tables, `.tlk`: the texts of the game by number, with their sounds.
//!
//! | part | bytes |
//! |---|---|
//! | header: magic, language, number of entries, offset of the texts | 20 |
//! | table | 40 per entry |
//! | texts | |
//!
//! The bytes are the model. JSON lists only the entries that are not blank. Texts are in the code page of the language.
//!
//! Source: [`nwn-tlk.md`](formats::nwn_tlk).

#[cfg(feature = "export")]
pub mod csv;
mod load;
mod show;
pub mod text;

use core::ops::Range;

use field::{
    Block, Class, Codec, Fault, Judge, LoadError, Loaded, ReplacedField, Result, Step, Tell, Value, lay, wide,
};
use json::Describe as _;
use kind::{Format, Game, binrw_over_lay};

use super::gff::layout::{self, KEY as LAYOUT};
use super::{SHARED, part};

/// The magic.
const MAGIC: &[u8; 8] = b"TLK V3.0";
/// The size of the header in bytes.
const HEAD: usize = 20;
/// The size of an entry of the table in bytes.
const ROW: usize = 40;
/// The member with the code page of the texts, if it is not that of the language.
const ENCODING: &str = "encoding";

/// A talk table.
#[derive(Clone, Debug, Default)]
pub struct Tlk {
    /// The file.
    file: Block,
    /// The bytes by class.
    census: [usize; 7],
}

/// Access to the entries.
static CODEC: Codec =
    Codec { name: "texts", owners, show: show::show, print: None, load, merge: None, dense: Some(texts) };

/// An entry of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    flags: u32,
    sound: [u8; 16],
    volume: u32,
    pitch: u32,
    offset: u32,
    size: u32,
    length: u32,
}

/// A table whose offsets have been checked.
struct Table<'a> {
    bytes: &'a [u8],
    language: u32,
    count: usize,
    /// The offset of the texts.
    texts: usize,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word))
}

/// Returns the language of a table, or `None` if its header is not that of one.
pub fn language(file: &[u8]) -> Option<u32> {
    Table::of(file).ok().map(|table| table.language)
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// An error at an offset.
type Checked<T> = core::result::Result<T, (usize, Fault)>;

impl<'a> Table<'a> {
    /// Checks the header.
    fn of(bytes: &'a [u8]) -> Checked<Self> {
        if bytes.len() < HEAD || !bytes.starts_with(MAGIC) {
            let found = part(bytes, ..bytes.len().min(8)).escape_ascii().to_string();
            return Err((0, Fault::Unknown { found, expected: "TLK V3.0 and a header of 20 bytes".into() }));
        }
        let (language, count, texts) = (word(bytes, 8), index(word(bytes, 12)), index(word(bytes, 16)));
        let remain = wide(bytes.len().saturating_sub(HEAD));
        let end = count.checked_mul(ROW).and_then(|size| size.checked_add(HEAD)).filter(|end| *end <= bytes.len());
        let Some(end) = end else { return Err((12, Fault::Ends { count: wide(count), each: wide(ROW), remain })) };
        if texts < end || texts > bytes.len() {
            let expected = format!("an offset from {end} to {}", bytes.len());
            return Err((16, Fault::Outside { found: word(bytes, 16).into(), expected }));
        }
        Ok(Self { bytes, language, count, texts })
    }

    fn rows(&self) -> impl Iterator<Item = Row> {
        let (rows, _) = part(self.bytes, HEAD..).as_chunks::<ROW>();
        rows.iter().take(self.count).map(|row| {
            let sound = row.get(4..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
            let word = |at: usize| word(row, at);
            Row {
                flags: word(0),
                sound,
                volume: word(20),
                pitch: word(24),
                offset: word(28),
                size: word(32),
                length: word(36),
            }
        })
    }

    /// Returns where the text of an entry is in the file.
    fn range(&self, row: Row) -> Range<usize> {
        let begin = self.texts.saturating_add(index(row.offset));
        if row.size == 0 { self.texts..self.texts } else { begin..begin.saturating_add(index(row.size)) }
    }
}

/// Returns the parts of the texts that entries own, in file order, and the entry of each.
fn owned(table: &Table<'_>) -> Vec<(Range<usize>, usize)> {
    let ranges = table.rows().enumerate().map(|(nth, row)| (table.range(row), nth));
    let mut ranges: Vec<_> = ranges.filter(|(range, _)| !range.is_empty()).collect();
    ranges.sort_by_key(|(range, _)| (range.start, range.end));
    let mut end = table.texts;
    // The first owns the bytes that several share.
    for (range, _) in &mut ranges {
        *range = range.start.max(end)..range.end.max(end);
        end = range.end;
    }
    ranges.retain(|(range, _)| !range.is_empty());
    ranges
}

/// Checks a table, and counts its bytes by class.
fn check(bytes: &[u8]) -> Checked<[usize; 7]> {
    let table = Table::of(bytes)?;
    let mut total = 0;
    let (mut orderly, mut end, mut texts) = (true, table.texts, 0_usize);
    for (nth, row) in table.rows().enumerate() {
        let range = table.range(row);
        let at = HEAD + nth * ROW + 28;
        if range.end > bytes.len() {
            let remain = wide(bytes.len().saturating_sub(range.start));
            return Err((at, Fault::Ends { count: row.size.into(), each: 1, remain }));
        }
        if row.size > 0 {
            orderly &= range.start >= end;
            end = range.end;
            // Texts that are not in order can share bytes, which are counted below.
            texts += if orderly { range.len() } else { 0 };
        }
        total += wide(range.len());
        if total > wide(bytes.len()) * SHARED {
            let expected = "texts that do not share their bytes with many others".to_owned();
            return Err((at, Fault::Outside { found: row.offset.into(), expected }));
        }
    }
    if !orderly {
        texts = owned(&table).iter().map(|(range, _)| range.len()).sum();
    }
    let rows = table.count * ROW;
    let semantic = 12 + rows - table.count * 8 + texts;
    let derived = 8 + table.count * 8;
    let stale = bytes.len() - semantic - derived;
    Ok([semantic, derived, 0, 0, stale, 0, 0])
}

/// Returns the texts. Entries before them can be blank by the thousand.
fn texts(bytes: &[u8]) -> &[u8] {
    Table::of(bytes).map_or(&[], |table| part(bytes, table.texts..))
}

fn owners(bytes: &[u8], tell: Tell<'_>) {
    let Ok(table) = Table::of(bytes) else { return tell(&[], Class::Opaque, bytes) };
    let mut put = |range: Range<usize>, class: Class, steps: &[Step]| {
        if let Some(part @ [_, ..]) = bytes.get(range) {
            tell(steps, class, part);
        }
    };
    put(0..12, Class::Semantic, &[]);
    put(12..HEAD, Class::Derived, &[]);
    // Keys of entries are numbers, which places write alike.
    let shown = show::listed(&table);
    let steps = |nth: usize| match shown.get(nth) {
        Some(true) => vec![Step::Name("entries"), Step::Index(wide(nth))],
        _ => Vec::new(),
    };
    let mut at = HEAD;
    for nth in 0..table.count {
        let steps = steps(nth);
        put(at..at + 28, Class::Semantic, &steps);
        put(at + 28..at + 36, Class::Derived, &steps);
        put(at + 36..at + ROW, Class::Semantic, &steps);
        at += ROW;
    }
    for (range, nth) in owned(&table) {
        put(at..range.start, Class::Stale, &[]);
        put(range.clone(), Class::Semantic, &steps(nth));
        at = range.end;
    }
    put(at..bytes.len(), Class::Stale, &[]);
}

/// Reads a table from JSON, and reports if its layout no longer fits the entries.
fn load(json: Value, replaced: &mut Vec<ReplacedField>) -> Loaded<Vec<u8>> {
    let (file, is_lost) = load::load(&json)?;
    if is_lost {
        replaced.push(layout::lost("the order of the table"));
    }
    Ok(file)
}

impl Tlk {
    /// Returns the table: language, number of entries, and the entries that are not blank (`nwn-tlk.md`).
    #[must_use]
    pub fn json(&self) -> Value {
        show::show(&self.file)
    }

    /// Reports what no table of the game has.
    fn judge(&self, t: &mut Judge<'_>, start: u64) {
        let Ok(table) = Table::of(&self.file) else { return };
        if !show::is_orderly(&self.file) {
            let at = start + wide(table.texts);
            let expected = "texts in the order of the table, without gaps";
            t.judged(at, &[], Some((expected.into(), "another order".into())));
        }
        for (nth, row) in table.rows().enumerate() {
            if row.volume != 0 || row.pitch != 0 {
                let at = start + wide(HEAD + nth * ROW + 20);
                let found = format!("{} and {}", row.volume, row.pitch);
                t.judged(at, &[Step::Name("entries"), Step::Index(wide(nth))], Some(("0 and 0".into(), found.into())));
            }
        }
    }
}

lay! {
    impl Lay for Tlk {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.coded_checked(None, &CODEC, at!(self.census), at!(self.file), |file| {
                check(file).map_err(|(at, fault)| (at, Vec::new(), fault))
            })?;
            t.judge(|t| self.judge(t, start));
            Ok(())
        }
    }
}

impl Format for Tlk {
    const NAME: &'static str = "tlk";
    const TITLE: &'static str = "talk table";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.tlk"];

    /// Returns the end of the last text.
    fn ends_at(file: &[u8]) -> Option<usize> {
        let table = Table::of(file).ok()?;
        let end = table.rows().map(|row| table.range(row).end).max().unwrap_or(table.texts);
        Some(end.max(table.texts)).filter(|end| *end < file.len())
    }

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.starts_with(MAGIC).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Tlk);

/// Creates the error of text at these steps.
fn misfit_of_text(steps: &[Step], expected: impl Into<String>, found: &Value) -> LoadError {
    LoadError::new(steps.to_vec(), expected, found.describe_text())
}

/// Creates the error of a value at these steps.
fn misfit(steps: &[Step], expected: impl Into<String>, found: &Value) -> LoadError {
    LoadError::new(steps.to_vec(), expected, found.describe())
}
