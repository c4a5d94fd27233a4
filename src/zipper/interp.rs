//! Interpreter scripts, `interp.zbd`: a cache of compiled text scripts.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 12 |
//! | index, one [`Slot`] per script | 128 |
//! | scripts: lines, then four zeros | 8 + words for each line |
//! | trailing bytes | |
//!
//! A line is a sequence of words, each ended by a NUL. Scripts lie end to end in the order of the index, but can be
//! shared.
//!
//! Source: [`zipper-interp.md`](formats::zipper_interp).

#[cfg(feature = "exchange")]
pub mod text;

use core::ops::Range;
use std::collections::HashMap;

use bytes::Bytes;
use field::build::Tape;
use field::walk::{encode, size, sizes};

use field::macros::{read_pod, split_head};
use field::record;
use field::{
    Arrangement, Block, Class, Fault, Label, LazyItem, LazyList, Record as _, Result, Run, Step, Table, Text, U32,
    WORDS, lay, wide,
};
use kind::{Container, Contents, EntryTable, Format, Game, binrw_over_lay, own};
use lint::{Entries, Lint, Trap, Warnings, Watch, traps};

traps! { TRAPS:
    LINE = "script-line" in File:
        "a line has more than 16 words or 1024 bytes" => "the game ignores the rest of the line",
        "zipper-editing.md, section 3 (engine)";
    NESTED = "script-nesting" in File:
        "a condition is inside another one" => "the first endif ends both if the game skips them",
        "zipper-interp.md, section 3.1 (engine)";
    BUILD_ONLY = "script-build-only" in Change:
        "a script of the build tool was changed" => "Recoil does not run it", "zipper-editing.md, section 4 (engine)";
}

/// The kind of a script.
const SCRIPT: &str = "script";
/// The list of rows.
const TABLE: &str = "index";

record! {
    /// The header, 12 bytes. Source: `zipper-interp.md`, section 1.
    pub struct Header: 12 {
        signature: U32 = 0x0897_1119,
        version: U32 = 7,
        count: U32 as Outside,
    }
}

record! {
    /// An entry of the index, 128 bytes. Source: `zipper-interp.md`, section 1.
    pub struct Slot: 128 {
        path: Text<120>,
        /// The time of the last change to the source, in seconds since 1970.
        time: U32,
        offset: U32 as Offset,
    }
}

record! {
    /// The header of a line, 8 bytes. Source: `zipper-interp.md`, section 1.
    pub struct LineHeader: 8 {
        size: U32 as Outside,
        /// The stored number of words.
        tokens: U32 as Outside,
    }
}

/// A line of a script.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Size and number of words.
    pub head: LineHeader,
    /// The words, each ended by a NUL.
    pub words: Block,
}

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The lines.
    pub lines: LazyList<Line>,
    /// The end marker: the size of an empty line.
    pub end: U32,
}

/// A cache of scripts.
#[derive(Clone, Debug, Default)]
pub struct Interp {
    /// Signature, version, count.
    pub head: Header,
    /// Paths, times and offsets.
    pub index: Vec<Slot>,
    /// The scripts, in the order of the index.
    pub scripts: Vec<Script>,
    /// The placement of the scripts in the file.
    pub arrangement: Arrangement,
    /// Bytes after the last script.
    pub trailing: Block,
}

lay! {
    impl Lay for Interp {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.computed("count", at!(self.head.count), wide(self.scripts.len()))?;
            t.fields(at!(self.head))?;
            let count = t.stated("count", self.head.count)?;
            let table = Table::of::<Slot>(TABLE, start, t.position());
            let mut places = t.item_places(&self.arrangement, &table, || sizes(TABLE, &self.scripts, size))?;
            t.list(TABLE, count, wide(size_of::<Slot>()), at!(self.index), |t, slot| {
                t.row_of_offset(at!(*slot), places.next())?;
                let full = slot.path.is_full();
                t.expect("path", || full.then(|| ("a NUL after the path".into(), "none".into())));
                Ok(())
            })?;
            t.as_many(at!(self.scripts), self.index.len())?;
            t.find_arranged(at!(self.arrangement), &table, |t| ranges(t, &table, start, &self.index))?;
            let labels = t.labels(TABLE, self.paths());
            t.arranged_entries(at!(self.arrangement), TABLE, &labels, at!(self.scripts), |t, label, _, script| {
                t.part(label, SCRIPT, |t| script.lay(t))
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl Lay for Script {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.encoded("lines", has_line, Line::count_as_expected, at!(self.lines), |t, line| line.lay(t))?;
            t.counted("end", at!(self.end), Some(0))
        }
    }

    impl Lay for Line {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("size", at!(self.head.size), wide(self.words.len()))?;
            let found = t.rules(|| Ok(separators(&self.words)))?;
            let rules = found.map(|(nuls, _)| LineHeader { tokens: U32::new(nuls), ..self.head });
            t.fields_by(at!(self.head), rules.as_ref())?;
            let size = t.stated("size", self.head.size)?;
            t.text_of("words", WORDS, size, at!(self.words))?;
            let words = &self.words;
            t.expect("words", || {
                let found = match words.last() {
                    Some(0) if found.is_none_or(|(_, blanks)| blanks == 0) => return None,
                    Some(0) => "white space in a word",
                    _ => "no NUL at the end",
                };
                Some(("words, each with a NUL after it".into(), found.into()))
            });
            Ok(())
        }
    }
}

/// Returns `true` if another line follows; an empty line ends a script.
fn has_line(t: &Tape<'_>) -> bool {
    let size = t.ahead(4);
    size.len() == 4 && size != [0; 4]
}

/// Returns the byte ranges of the scripts in read mode.
fn ranges(t: &Tape<'_>, table: &Table, start: u64, index: &[Slot]) -> Result<Vec<Range<u64>>> {
    let mut extents = Extents::default();
    let range = |(item, slot): (usize, &Slot)| {
        let script = extents.of(t, start + u64::from(slot.offset.get()));
        let script = script.map_err(|fault| table.wrong(t, item, fault))?;
        Ok(script.start - start..script.end - start)
    };
    index.iter().enumerate().map(range).collect()
}

impl Interp {
    /// Returns the paths of the scripts.
    fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.index.iter().map(|slot| slot.path.bytes())
    }

    /// Returns the labels of the scripts.
    fn labels(&self) -> Vec<Label> {
        Label::table(TABLE, self.paths())
    }
}

/// The ends of scripts, by the offsets of the visited lines. Scripts can share lines, so each line is visited only once.
#[derive(Default)]
struct Extents {
    /// Lines and the ends of their scripts, for scripts that begin after all earlier ones.
    ascending: Vec<(u64, u64)>,
    /// Lines and the ends of their scripts, for all other scripts.
    others: HashMap<u64, u64>,
    /// The end of the last line of all scripts so far.
    known: u64,
}

impl Extents {
    /// Returns the byte range of the script that begins at an offset.
    fn of(&mut self, t: &Tape<'_>, begin: u64) -> core::result::Result<Range<u64>, Fault> {
        let mut lines = Vec::new();
        let mut at = begin;
        let end = loop {
            if at < self.known
                && let Some(end) = self.end_of(at)
            {
                break end;
            }
            lines.push(at);
            let size: U32 = read_pod(t.look(at, 4)?).unwrap_or_default();
            if size.get() == 0 {
                break at + 4;
            }
            at += wide(size_of::<LineHeader>()) + u64::from(size.get());
        };
        let lines = lines.into_iter().map(|line| (line, end));
        if begin >= self.known {
            self.ascending.extend(lines)
        } else {
            self.others.extend(lines)
        }
        self.known = self.known.max(end);
        Ok(begin..end)
    }

    /// Returns the end of the script of a line, or `None` if the line has not been visited.
    fn end_of(&self, line: u64) -> Option<u64> {
        let found = self.ascending.binary_search_by_key(&line, |(line, _)| *line).ok();
        let end = found.and_then(|index| self.ascending.get(index)).map(|(_, end)| *end);
        end.or_else(|| self.others.get(&line).copied())
    }
}

impl Line {
    /// Counts the bytes of a line by class. Returns the offset of its words, or `None` if a walk would report a deviation.
    fn count_as_expected(line: &[u8], sums: &mut [usize; 7]) -> Option<usize> {
        let (head, words): (LineHeader, _) = split_head(line)?;
        let (nuls, blanks) = separators(words);
        if head.tokens != nuls || blanks > 0 || words.last() != Some(&0) {
            return None;
        }
        let length = size_of::<LineHeader>();
        Class::Derived.count(length, sums);
        Class::Semantic.count(words.len(), sums);
        Some(length)
    }
}

impl LazyItem for Line {
    type By = ();

    const SMALLEST: u64 = 9;

    /// An empty line ends a script.
    fn length(bytes: &[u8]) -> Option<usize> {
        let (head, words): (LineHeader, _) = split_head(bytes)?;
        let size = usize::try_from(head.size.get()).ok().filter(|&size| size > 0 && size <= words.len())?;
        Some(size_of::<LineHeader>() + size)
    }

    fn parse(bytes: Bytes, (): (), _: usize) -> Self {
        let (head, words) = split_head(&bytes).unwrap_or_default();
        Self { head, words: Block::shared(bytes.slice_ref(words)) }
    }
}

/// Returns the numbers of NULs and of white-space characters in some words.
fn separators(words: &[u8]) -> (u32, u32) {
    words.iter().fold((0, 0), |(nuls, blanks), byte| {
        (nuls + u32::from(*byte == 0), blanks + u32::from(byte.is_ascii_whitespace()))
    })
}

/// The maximum numbers of words and of bytes in a line.
const MOST_WORDS: usize = 16;
const MOST_BYTES: usize = 1024;

impl Lint for Interp {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        let scripts = self.index.iter().zip(&self.scripts);
        let scripts = scripts.map(|(slot, script)| Some(Named { path: slot.path.bytes(), script }));
        pass.items(&self.arrangement, self.labels().into_iter().zip(scripts));
    }
}

/// A script, with its path.
struct Named<'a> {
    path: &'a [u8],
    script: &'a Script,
}

impl Lint for Named<'_> {
    fn watch(&self, out: &mut Watch<'_>) {
        if is_build_only(self.path) {
            let words: Vec<u8> = self.script.lines.iter().flat_map(|line| line.words.to_vec()).collect();
            out.watch(&BUILD_ONLY, &[], Some(self.path), &words);
        }
    }

    fn lint(&self, out: &mut Warnings<'_>) {
        let mut open = 0_usize;
        for (nth, line) in self.script.lines.iter().enumerate() {
            let place = [Step::Name("lines"), Step::Index(wide(nth))];
            let mut words = line.words.split(|&byte| byte == 0);
            let first = words.next().unwrap_or_default();
            // A NUL ends each word, so the last part is empty.
            let (count, bytes) = (words.count(), line.words.len());
            if count > MOST_WORDS || bytes > MOST_BYTES {
                out.warn(&LINE, &place, format!("{count} words, {bytes} bytes"));
            }
            match first {
                b"ifdef" | b"ifndef" => {
                    if open > 0 {
                        out.warn(&NESTED, &place, "");
                    }
                    open += 1;
                }
                b"endif" => open = open.saturating_sub(1),
                _ => {}
            }
        }
    }
}

/// Returns `true` if only the tool that built Recoil's world files ran the script with this path.
///
/// Source: `zipper-interp.md`, section 3.1.
fn is_build_only(path: &[u8]) -> bool {
    let path = path.to_ascii_lowercase();
    let name = path.rsplit(|&byte| byte == b'\\').next().unwrap_or_default();
    let without = |end: &[u8]| name.strip_suffix(end);
    let numbered = |name: &[u8], stem: &[u8]| {
        name.strip_prefix(stem).is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
    };
    let is_main = without(b".gs").is_some_and(|name| numbered(name, b"m"));
    is_main
        || without(b".gw").is_some_and(|name| {
            let stems: [&[u8]; 5] = [b"commonm", b"loadm", b"displaym", b"mission", b"bft"];
            stems.iter().any(|stem| numbered(name, stem))
                || [&b"world"[..], b"weapons", b"bftmulti", b"vehicles", b"pickup"].contains(&name)
        })
}

impl Format for Interp {
    const NAME: &'static str = "interp";
    const TITLE: &'static str = "interpreter scripts";
    const GAMES: &'static [Game] = super::games::ALL;
    const CLAIMS: &'static [&'static str] = &["interp.zbd"];
    const TABLES: &'static [EntryTable] = &[EntryTable {
        kind: Self::NAME,
        list: TABLE,
        row: |_| Slot::LAYOUT,
        name: "path",
        extension: None,
        entry: Some(SCRIPT),
    }];
    const TRAPS: &'static [&'static Trap] = TRAPS;

    /// Checks the signature (`zipper-installs.md`, section 1).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.starts_with(&0x0897_1119_u32.to_le_bytes()).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Interp);

impl Container for Interp {
    type Content = Script;

    fn labeled(&self) -> Vec<(Label, &Script)> {
        own(&self.arrangement, self.labels().into_iter().zip(&self.scripts))
    }
}

impl Contents<Interp> for Script {
    fn kind(&self) -> &'static str {
        SCRIPT
    }

    fn bytes(&self, _: &Interp) -> Result<Vec<u8>> {
        encode(self)
    }
}
