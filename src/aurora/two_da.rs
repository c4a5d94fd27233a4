//! Tables as text, `.2da`: `2DA V2.0`, an optional default, the names of the columns, then a line per row.
//!
//! The model is the text. It is shown as a table, and an edit of the table replaces only the words that differ, so that spaces, tabs,
//! quotes and line ends stay. The label at the beginning of a row need not be its number.
//!
//! Source: [`nwn-2da.md`](formats::nwn_2da).

#[cfg(feature = "export")]
pub mod csv;
mod lint;
mod rows;

use core::ops::Range;
use std::collections::HashSet;

use field::{
    Block, Class, Codec, Fault, GAME_TEXT, Judge, LoadError, Loaded, Result, Step, Tape, Tell, Value, decode_text, lay,
    wide,
};
use json::Describe as _;
use kind::{Format, Game, binrw_over_lay};
use output::printable::counted;

use super::lines::{
    self, Line, between_spaces, count_between_spaces, each_span, first_nul, is_space, lines, pair, words,
};
use super::part;

pub use rows::RowsOfTwo;
#[cfg(feature = "exchange")]
pub use rows::renumbered;

/// A table.
#[derive(Clone, Debug, Default)]
pub struct TwoDa {
    /// The text.
    pub text: Block,
}

static CODEC: Codec = Codec {
    name: "table",
    owners,
    show,
    print: None,
    load: |json, _| load(EMPTY, &json),
    merge: Some(load),
    dense: Some(|bytes| bytes),
};

/// The table that a whole one is loaded onto.
const EMPTY: &[u8] = b"2DA V2.0\r\n\r\n  A\r\n";

/// Returns the words of a line.
fn grammar(line: &[u8]) -> Vec<Range<usize>> {
    between_spaces(line, true)
}

/// The lines of a table by their purpose.
struct Table<'t> {
    text: &'t [u8],
    lines: Vec<Line>,
    /// The line with the default, or a blank one in its place.
    default: Option<usize>,
    /// The line with the names of the columns.
    columns: usize,
    /// The lines of the rows.
    rows: Vec<usize>,
}

/// Returns `true` for a line after the first that has words and is not the default: the columns, or a row.
fn is_filled(line: &[u8]) -> bool {
    let begin = line.iter().position(|&byte| !is_space(byte));
    let words = begin.and_then(|begin| line.get(begin..));
    words.is_some_and(|words| !words.get(..8).is_some_and(|word| word.eq_ignore_ascii_case(b"DEFAULT:")))
}

impl<'t> Table<'t> {
    /// Finds the lines, or returns the number of the line, from 1, after which there are no columns.
    fn of(text: &'t [u8]) -> core::result::Result<Self, usize> {
        let lines = lines(text, grammar);
        let mut filled = lines.iter().enumerate().skip(1).filter(|(_, line)| is_filled(part(text, line.span.clone())));
        let (columns, _) = filled.next().ok_or(lines.len())?;
        let rows = filled.map(|(at, _)| at).collect();
        let default = (1..columns).next();
        Ok(Self { text, default, columns, rows, lines })
    }

    fn words(&self, line: usize) -> Vec<&'t [u8]> {
        self.lines.get(line).map(|line| words(self.text, line)).unwrap_or_default()
    }

    /// Returns the names of the columns if they differ.
    fn names(&self) -> Option<Vec<String>> {
        let names: Vec<String> = self.words(self.columns).iter().map(|name| shown(name)).collect();
        let mut seen = HashSet::new();
        names.iter().all(|name| seen.insert(name.clone())).then_some(names)
    }

    /// Returns the default, or `None` if there is none.
    fn default(&self) -> Option<String> {
        let words = self.words(self.default?);
        let (first, more) = words.split_first()?;
        let joined = [part(first, 8..)].into_iter().chain(more.iter().copied());
        let joined: Vec<&[u8]> = joined.filter(|word| !word.is_empty()).collect();
        Some(shown(&joined.join(&b" "[..])))
    }
}

fn shown(word: &[u8]) -> String {
    decode_text(GAME_TEXT, word)
}

/// Calls back for every line.
fn owners(text: &[u8], tell: Tell<'_>) {
    let Ok(table) = Table::of(text) else { return tell(&[], Class::Semantic, text) };
    let mut rows = table.rows.iter().enumerate().peekable();
    for (at, line) in table.lines.iter().enumerate() {
        let bytes = part(text, line.span.start..line.end);
        match rows.next_if(|(_, row)| **row == at) {
            Some((nth, _)) => tell(&[Step::Name("rows"), Step::Index(wide(nth))], Class::Semantic, bytes),
            None if at == table.columns => tell(&[Step::Name("columns")], Class::Semantic, bytes),
            None => tell(&[], Class::Semantic, bytes),
        }
    }
}

/// Returns a table: its default, its columns, and its rows with the cells by column.
fn show(text: &[u8]) -> Value {
    let Ok(table) = Table::of(text) else { return Value::Null };
    let mut members = Vec::new();
    // A blank line in place of the default is an empty one, so that the place of a default can be seen and set.
    members.extend(table.default.map(|_| ("default".into(), table.default().unwrap_or_default().into())));
    let columns: Value = table.words(table.columns).iter().map(|name| shown(name)).collect();
    members.push(("columns".into(), columns));
    let names = table.names().unwrap_or_default();
    let row = |&line: &usize| {
        let words = table.words(line);
        let (label, cells) = words.split_first().map(|(label, cells)| (shown(label), cells)).unwrap_or_default();
        let named = names.iter().zip(cells).map(|(name, cell)| (name.as_str().into(), shown(cell).into())).collect();
        let mut row = vec![("label".into(), label.into()), ("cells".into(), Value::Object(named))];
        if let Some(more @ [_, ..]) = cells.get(names.len()..) {
            row.push(("more".into(), more.iter().map(|cell| shown(cell)).collect()));
        }
        Value::Object(row)
    };
    members.push(("rows".into(), table.rows.iter().map(row).collect()));
    Value::Object(members)
}

/// Changes a text to a table.
fn load(text: &[u8], json: &Value) -> Loaded<Vec<u8>> {
    let wrong =
        |steps: &[Step], expected: &str, found: &Value| LoadError::new(steps.to_vec(), expected, found.describe());
    let Value::Object(members) = json else { return Err(wrong(&[], "an object", json)) };
    if let Some((key, value)) = members.iter().find(|(key, _)| !["default", "columns", "rows"].contains(&key.as_str()))
    {
        return Err(LoadError::surplus(Vec::new(), vec![key.to_string()], value.describe()));
    }
    let table = Table::of(text).map_err(|_| wrong(&[], "a text with columns", &Value::Null))?;
    let list = |name: &'static str| {
        let list = json.get(name).unwrap_or(&Value::Null);
        list.items().ok_or_else(|| wrong(&[Step::Name(name)], "a list", list))
    };
    let columns = list("columns")?
        .iter()
        .enumerate()
        .map(|(nth, name)| lines::word(name, [Step::Name("columns"), Step::Index(wide(nth))]));
    let columns = columns.collect::<Loaded<Vec<_>>>()?;
    let is_default =
        columns.first().and_then(|name| name.get(..8)).is_some_and(|it| it.eq_ignore_ascii_case(b"DEFAULT:"));
    if columns.is_empty() || is_default || !lines::are_words(&columns, grammar) {
        let found = json.get("columns").unwrap_or(&Value::Null);
        return Err(wrong(&[Step::Name("columns")], "at least one name without spaces", found));
    }
    let mut rows = Vec::new();
    for (nth, row) in list("rows")?.iter().enumerate() {
        rows.push(self::row(row, &columns, [Step::Name("rows"), Step::Index(wide(nth))])?);
    }
    let mut new: Vec<(Option<usize>, Vec<Vec<u8>>)> = Vec::new();
    let own = |line: usize| table.words(line).into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
    for line in 0..table.columns {
        new.push((Some(line), own(line)));
    }
    let value = json.get("default").unwrap_or(&Value::Null);
    let is_same = match value {
        Value::Null => table.default().is_none(),
        value => table.default.is_some() && value.text() == Some(&*table.default().unwrap_or_default()),
    };
    if !is_same {
        let Some(line) = table.default else {
            return Err(wrong(&[Step::Name("default")], "no default: the text has no line for it", value));
        };
        let mut words = vec![b"DEFAULT:".to_vec()];
        match value {
            Value::Null => words.clear(),
            Value::Text(text) if text.is_empty() => {}
            _ => words.push(cell(value, "the default", [Step::Name("default")])?),
        }
        if !lines::are_words(&words, grammar) {
            return Err(wrong(&[Step::Name("default")], "a word without spaces, or in quotes", value));
        }
        if let Some(line) = new.get_mut(line) {
            line.1 = words;
        }
    }
    new.push((Some(table.columns), columns));
    // Blank lines stay before the row that they were before.
    let old: Vec<Vec<Vec<u8>>> = table.rows.iter().map(|&line| own(line)).collect();
    let mut next = table.columns + 1;
    let blanks_until = |next: &mut usize, line: usize, new: &mut Vec<(Option<usize>, Vec<Vec<u8>>)>| {
        new.extend(
            (*next..line).filter(|line| table.rows.binary_search(line).is_err()).map(|line| (Some(line), Vec::new())),
        );
        *next = line.max(*next);
    };
    for (of, row) in pair(&old, &rows).into_iter().zip(rows) {
        let line = of.and_then(|of| table.rows.get(of).copied());
        if let Some(line) = line {
            blanks_until(&mut next, line, &mut new);
            next = line + 1;
        }
        new.push((line, row));
    }
    blanks_until(&mut next, table.lines.len(), &mut new);
    Ok(lines::merge(text, &table.lines, &new))
}

/// Returns a cell or a label as a word. One that is not a word by itself is put in quotes, which is what was meant.
fn cell(json: &Value, of: &str, steps: impl IntoIterator<Item = Step> + Clone) -> Loaded<Vec<u8>> {
    let word = lines::word(json, steps.clone())?;
    let is_word = |word: &Vec<u8>| lines::are_words(core::slice::from_ref(word), grammar);
    if is_word(&word) {
        return Ok(word);
    }
    let quoted = [b"\"", &word[..], b"\""].concat();
    // A quote in it would end the text, and the rest would be another cell.
    if !word.contains(&b'"') && is_word(&quoted) {
        return Ok(quoted);
    }
    Err(LoadError::new(steps.into_iter().collect(), unquoted(of), json.describe_text()))
}

/// Returns what is expected of a cell or a label.
fn unquoted(of: &str) -> String {
    format!("{of} as one word or text without quotes and line ends; **** for no value")
}

/// Returns the words of a row.
fn row(json: &Value, columns: &[Vec<u8>], at: [Step; 2]) -> Loaded<Vec<Vec<u8>>> {
    let wrong = |name: Option<&'static str>, expected: String, found: &Value| {
        LoadError::new(at.into_iter().chain(name.map(Step::Name)).collect(), expected, found.describe())
    };
    let Value::Object(members) = json else { return Err(wrong(None, "an object".into(), json)) };
    if let Some((key, value)) = members.iter().find(|(key, _)| !["label", "cells", "more"].contains(&key.as_str())) {
        return Err(LoadError::surplus(at.to_vec(), vec![key.to_string()], value.describe()));
    }
    let null = Value::Null;
    let label = json.get("label").unwrap_or(&null);
    let mut words = vec![cell(label, "the label", at.into_iter().chain([Step::Name("label")]))?];
    let cells = json.get("cells").unwrap_or(&null);
    let Value::Object(cells_by_name) = cells else { return Err(wrong(Some("cells"), "an object".into(), cells)) };
    let mut named = cells_by_name.iter();
    for name in columns {
        let Some((key, value)) = named.next() else { break };
        if *key != shown(name) {
            let expected = format!("the cell of column {}; only the last cells of a row can be left out", shown(name));
            let found = Value::from(key.as_str());
            return Err(LoadError { surplus: vec![key.to_string()], ..wrong(Some("cells"), expected, &found) });
        }
        words.push(cell(value, &format!("the cell of {key}"), at.into_iter().chain([Step::Name("cells")]))?);
    }
    if let Some((key, value)) = named.next() {
        let steps = at.into_iter().chain([Step::Name("cells")]).collect();
        return Err(LoadError::surplus(steps, vec![key.to_string()], value.describe()));
    }
    if let Some(more) = json.get("more") {
        let items = more.items().filter(|_| cells_by_name.len() == columns.len());
        let items = items.ok_or_else(|| wrong(Some("more"), "a list, after cells for all columns".into(), more))?;
        for item in items {
            words.push(cell(item, "a cell", at.into_iter().chain([Step::Name("more")]))?);
        }
    }
    match lines::are_words(&words, grammar) {
        true => Ok(words),
        false => {
            // A quote in a word ends it, so that another word follows.
            let is_odd = |word: &Vec<u8>| !lines::are_words(&[word.clone(), b"x".to_vec()], grammar);
            let odd = words.iter().position(is_odd).and_then(|nth| nth.checked_sub(1));
            match odd.and_then(|nth| cells_by_name.get(nth)) {
                Some((key, value)) => {
                    let steps = at.into_iter().chain([Step::Name("cells")]).collect();
                    Err(LoadError::new(steps, unquoted(&format!("the cell of {key}")), value.describe_text()))
                }
                None => Err(wrong(None, "words without spaces, or in quotes; **** for no value".into(), json)),
            }
        }
    }
}

lay! {
    impl Lay for TwoDa {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.seen(check).unwrap_or(Ok(()))?;
            t.coded_rest(&CODEC, at!(self.text))?;
            t.judge(|t| self.judge(t, start));
            Ok(())
        }
    }
}

/// A byte order mark of UTF-8, which some editors write. The game does not find the signature behind it.
const MARK: &[u8] = b"\xEF\xBB\xBF";
/// The first line of a table.
const SIGNATURE: &str = "2DA V2.0";

/// Returns `true` if a file begins like a table, whatever its capitals, and even if a byte order mark comes before (`nwn-2da.md`, section 7).
fn begins(file: &[u8]) -> bool {
    let file = file.strip_prefix(MARK).unwrap_or(file);
    let Some((first, rest)) = file.split_at_checked(3) else { return false };
    let version = rest.trim_ascii_start();
    let is_version = version.get(..4).is_some_and(|version| version.eq_ignore_ascii_case(b"V2.0"));
    first.eq_ignore_ascii_case(b"2DA") && version.len() < rest.len() && is_version
}

/// Returns `true` if the first line of a file has no version.
fn lacks_version(file: &[u8]) -> bool {
    let file = file.strip_prefix(MARK).unwrap_or(file);
    each_span(file).next().is_some_and(|(line, _)| part(file, line).trim_ascii().eq_ignore_ascii_case(b"2DA"))
}

/// Returns how to save a text that is not in a form of the game, and what that form is.
fn misshapen(text: &[u8]) -> Option<[&'static str; 2]> {
    if text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF") {
        return Some(["2DA V2.0 as text of one byte per character; save it as ANSI", "UTF-16"]);
    }
    // Other files than tables can have CRs too.
    let is_table = text.strip_prefix(MARK).unwrap_or(text).get(..3).is_some_and(|it| it.eq_ignore_ascii_case(b"2DA"));
    let has_returns = is_table && memchr::memchr(b'\r', text).is_some() && memchr::memchr(b'\n', text).is_none();
    has_returns.then_some(["lines that end with LF or CR LF; save it so", "lines that end with CR only"])
}

/// Checks that the remaining bytes are a table.
fn check(t: &Tape<'_>) -> Result {
    let (text, start) = (t.ahead(t.remaining()), t.position());
    if let Some([expected, found]) = misshapen(text) {
        return Err(t.error_at(start, [], Fault::Unknown { found: found.into(), expected: expected.into() }));
    }
    if !begins(text) && !lacks_version(text) {
        let found = part(text, ..text.len().min(12)).escape_ascii().to_string();
        return Err(t.error_at(start, [], Fault::Unknown { found, expected: SIGNATURE.into() }));
    }
    if let Some(at) = first_nul(text) {
        let fault = Fault::Unknown { found: "a byte of 0".into(), expected: "text".into() };
        return Err(t.error_at(start + wide(at), [], fault));
    }
    if each_span(text).skip(1).any(|(line, _)| is_filled(part(text, line))) {
        return Ok(());
    }
    let lines = each_span(text).count();
    let (found, expected) = (format!("none up to line {lines}"), "a line with the names of the columns".to_owned());
    let fault = Fault::Unknown { found, expected };
    Err(t.error_at(start + wide(text.len()), [Step::Name("columns")], fault))
}

impl TwoDa {
    /// Returns the table: default, columns, and rows with their cells by column.
    #[must_use]
    pub fn json(&self) -> Value {
        show(&self.text)
    }

    /// Reports a signature in another form, rows with more or fewer cells than there are columns, and columns with the same name.
    fn judge(&self, t: &mut Judge<'_>, start: u64) {
        let text = &self.text;
        let bare = text.strip_prefix(MARK);
        let own = bare.unwrap_or(text);
        let is_usual = own.strip_prefix(b"2DA").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"V2.0"));
        let found = match bare {
            Some(_) => Some("a byte order mark before it"),
            None if is_usual => None,
            None if lacks_version(own) => Some("no version"),
            None => Some("small letters"),
        };
        if let Some(found) = found {
            t.judged(start, &[], Some((SIGNATURE.into(), found.into())));
        }
        let lines = each_span(text).skip(1).map(|(span, _)| (part(text, span.clone()), span.start));
        let mut filled = lines.filter(|(line, _)| is_filled(line));
        let Some((names, at)) = filled.next() else { return };
        let offset = |at: usize| start + wide(at);
        let names = grammar(names).into_iter().map(|name| part(names, name)).collect::<Vec<_>>();
        let mut seen = HashSet::new();
        if !names.iter().all(|name| seen.insert(name)) {
            let broken = Some(("different names".into(), "one twice".into()));
            t.judged(offset(at), &[Step::Name("columns")], broken);
        }
        for (nth, (line, at)) in filled.enumerate() {
            let cells = count_between_spaces(line, true).saturating_sub(1);
            if cells != names.len() {
                let [expected, found] = [names.len(), cells].map(|cells| counted(wide(cells), "cell"));
                let steps = [Step::Name("rows"), Step::Index(wide(nth))];
                t.judged(offset(at), &steps, Some((expected.into(), found.into())));
            }
        }
    }
}

impl Format for TwoDa {
    const NAME: &'static str = "2da";
    const TITLE: &'static str = "table as text (2DA)";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.2da"];
    const RAW: Option<&'static str> = Some("2da");
    const TRAPS: &'static [&'static ::lint::Trap] = lint::TRAPS;

    /// Returns the end of the last line before zeros.
    fn ends_at(file: &[u8]) -> Option<usize> {
        let end = file.iter().rposition(|byte| *byte != 0)?.checked_add(1)?;
        file.get(..end).filter(|text| end < file.len() && text.ends_with(b"\n")).map(<[u8]>::len)
    }

    /// Checks for the first line.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        begins(file).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(TwoDa);
