//! Tables as CSV, for spreadsheets.
//!
//! A file is UTF-8 with a byte order mark, without which Excel takes it for the code page of the system. Files that spreadsheets have
//! saved again are read with and without the mark, with `,`, `;` or tabs between the cells, which a line `sep=;` before the table may state
//! for Excel, and with any line ends.
//!
//! If an encoding is chosen for the texts of a game, the first cell states it after its own text, `row (windows-1251)`, so that the file
//! is taken back in the same.

use std::collections::HashMap;

use csv::{ReaderBuilder, WriterBuilder};

use field::CodePage;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Writes rows. They may have different numbers of cells.
///
/// # Errors
/// Returns an error if they cannot be written.
pub fn write<R, C>(rows: impl IntoIterator<Item = R>) -> Result<Vec<u8>, String>
where
    R: IntoIterator<Item = C>,
    C: AsRef<[u8]>,
{
    let mut writer = WriterBuilder::new().flexible(true).from_writer(MARK.to_vec());
    let mut page = CodePage::chosen();
    for row in rows {
        for cell in row {
            let stated = page.take().map(|page| format!(" ({})", page.name())).unwrap_or_default();
            writer.write_field([cell.as_ref(), stated.as_bytes()].concat()).map_err(|error| error.to_string())?;
        }
        writer.write_record(None::<&[u8]>).map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

/// Returns a cell without the encoding that it states, and that encoding.
fn stated(cell: &str) -> (&str, Option<&'static CodePage>) {
    let parts = cell.strip_suffix(')').and_then(|cell| cell.rsplit_once(" ("));
    let found = parts.and_then(|(cell, name)| Some((cell, CodePage::named(name)?)));
    found.map_or((cell, None), |(cell, page)| (cell, Some(page)))
}

/// Returns the encoding that a file states for the texts of the game, or `None` if it states none, or is no table.
#[must_use]
pub fn encoding(file: &[u8]) -> Option<&'static CodePage> {
    let (_, text) = separator(file);
    let first = text.split(|byte| matches!(byte, b'\r' | b'\n' | b',' | b';' | b'\t')).next()?;
    stated(core::str::from_utf8(first).ok()?.trim_matches('"')).1
}

/// Returns the sign that a line before the table states, `sep=;`, and the text from the table on, without its byte order mark. Spreadsheets write
/// the line in quotes, and with as many cells as the table has.
fn separator(file: &[u8]) -> (Option<u8>, &[u8]) {
    let text = file.strip_prefix(MARK).unwrap_or(file);
    let length = text.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(text.len());
    let (line, rest) = text.split_at(length);
    match line.strip_prefix(b"\"").unwrap_or(line).split_at_checked(4) {
        Some((word, [sign @ (b',' | b';' | b'\t'), more @ ..]))
            if word.eq_ignore_ascii_case(b"sep=") && more.iter().all(|it| it == sign || b"\" ".contains(it)) =>
        {
            (Some(*sign), rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default())
        }
        _ => (None, text),
    }
}

/// A row that was read: the number of its line, and its cells.
pub(crate) type Row = (u64, Vec<String>);

/// Reads rows. The sign between the cells is the one that follows the first cell of the first row.
///
/// # Errors
/// Returns an error, with the number of the line, if the bytes are not UTF-8.
pub fn read(file: &[u8]) -> Result<Vec<Row>, String> {
    let (stated_sign, text) = separator(file);
    let first = text.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let sign = stated_sign.or_else(|| first.iter().copied().find(|byte| matches!(byte, b',' | b';' | b'\t')));
    let (sign, begin) = (sign.unwrap_or(b','), if stated_sign.is_some() { 2 } else { 1 });
    if let Some(line) = unclosed((text, begin), sign) {
        return Err(format!("line {line}: expected a closing quotation mark, found the end of the file"));
    }
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).delimiter(sign).from_reader(text);
    let (mut rows, mut lines) = (Vec::new(), Lines { text, at: 0, line: begin });
    for row in reader.byte_records() {
        let row = row.map_err(|error| error.to_string())?;
        let line = lines.line_of(row.position().map_or(0, csv::Position::byte));
        let cell = |cell: &[u8]| {
            let cell = core::str::from_utf8(cell);
            cell.map(str::to_owned).map_err(|_| format!("line {line}: expected UTF-8; save the file as \"CSV UTF-8\""))
        };
        let mut cells: Vec<String> = row.iter().map(cell).collect::<Result<_, _>>()?;
        if let (true, Some(first)) = (rows.is_empty(), cells.first_mut()) {
            *first = stated(first).0.to_owned();
        }
        rows.push((line, cells));
    }
    Ok(rows)
}

/// Counts the lines of a text with any line ends. The parser counts line feeds, and begins a row before that of the row before.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// Returns the number of the line with the row that begins at an offset, or after line ends there. The offsets must ascend.
    fn line_of(&mut self, begin: u64) -> u64 {
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let is_after = |at: usize| u64::try_from(at).is_ok_and(|at| at >= begin);
        while let Some(byte) = self.text.get(self.at).filter(|byte| !is_after(self.at) || is_end(byte)) {
            self.at += 1;
            self.line += u64::from(ends_line(*byte, self.text.get(self.at)));
        }
        self.line
    }
}

/// Returns `true` if a byte, before the next one, is the last one of a line.
fn ends_line(byte: u8, next: Option<&u8>) -> bool {
    byte == b'\n' || byte == b'\r' && next != Some(&b'\n')
}

/// Returns the line of a quotation mark that begins a cell and is never closed.
fn unclosed((text, begin): (&[u8], u64), sign: u8) -> Option<u64> {
    let (mut line, mut opened, mut begins) = (begin, None, true);
    for (at, byte) in (1..).zip(text) {
        match (byte, opened) {
            (b'"', Some(_)) => opened = None,
            // A second one in a row is one in the text, so that the cell goes on.
            (b'"', None) if begins => opened = Some(line),
            _ => {}
        }
        begins = opened.is_none() && (*byte == sign || matches!(byte, b'"' | b'\r' | b'\n'));
        line += u64::from(ends_line(*byte, text.get(at)));
    }
    opened
}

/// Returns the text of a cell with the line ends of the text before, or `None` if it differs from that in nothing else: spreadsheets have line
/// ends of their own.
pub fn changed(before: Option<&str>, text: &str) -> Option<String> {
    let plain = |text: &str| text.replace("\r\n", "\n");
    let Some(before) = before else { return Some(text.to_owned()) };
    let (was, now) = (plain(before), plain(text));
    match before.contains("\r\n") {
        _ if was == now => None,
        true => Some(now.replace('\n', "\r\n")),
        false if before.contains('\n') => Some(now),
        false => Some(text.to_owned()),
    }
}

/// A row of a table of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRow {
    /// The number of its line.
    pub line: u64,
    /// The cell that says which text it is.
    pub key: String,
    /// The text.
    pub text: String,
    /// The cells of the other columns that were asked for, or `None` if the table does not have the column, or only empty cells in it.
    pub others: Vec<Option<String>>,
}

/// The column of numbers.
const NUMBER: &str = "number";

impl TextRow {
    /// Checks that another cell is the one that the export has, because its column is only for people: an edit of it would have no effect. The
    /// cells of the column `number` are compared as numbers.
    ///
    /// # Errors
    /// Returns an error with the number of the line, and a hint, if it differs.
    pub fn is_unedited(&self, nth: usize, (column, was): (&str, &str), hint: &str) -> Result<(), String> {
        let Some(Some(now)) = self.others.get(nth) else { return Ok(()) };
        // Spreadsheets have line ends of their own, and write numbers as they like.
        let plain = |cell: &str| cell.trim().replace("\r\n", "\n");
        let number = |cell: &str| cell.trim().parse::<i64>().ok().filter(|_| column == NUMBER);
        let is_same = plain(now) == plain(was) || number(now).is_some() && number(now) == number(was);
        let shown = |cell: &str| if cell.is_empty() { "no cell".to_owned() } else { format!("{cell:?}") };
        match is_same {
            true => Ok(()),
            false => {
                let Self { line, key, .. } = self;
                let (was, now) = (shown(was), shown(now.trim()));
                Err(format!("line {line}: {key}: expected the {column} {was}, found {now}; {hint}"))
            }
        }
    }
}

/// Reads a table of texts, with the columns `key`, `text` and `others`, which can be missing. Other columns are for people. Rows without a key
/// and a text are left out.
///
/// # Errors
/// Returns an error, with the number of the line, if a column is missing, or a key is there twice.
pub fn texts(file: &[u8], key: &str, others: &[&str]) -> Result<Vec<TextRow>, String> {
    let rows = read(file)?;
    let Some(((_, head), rows)) = rows.split_first() else {
        return Err(format!(
            "expected CSV with a first line that names the columns {key} and text, found an empty file"
        ));
    };
    let column = |name: &str| head.iter().position(|it| it.trim().eq_ignore_ascii_case(name));
    let (Some(of_key), Some(of_text)) = (column(key), column("text")) else {
        return Err(format!("line 1: expected the columns {key} and text, found {}", head.join(",")));
    };
    let has_cells = |at: &usize| rows.iter().any(|(_, row)| row.get(*at).is_some_and(|cell| !cell.trim().is_empty()));
    let of_others: Vec<Option<usize>> = others.iter().map(|name| column(name).filter(has_cells)).collect();
    let (mut seen, mut texts) = (HashMap::new(), Vec::new());
    for (line, cells) in rows {
        let cell = |at: usize| cells.get(at).map_or("", String::as_str);
        let (given, text) = (cell(of_key).trim(), cell(of_text));
        if given.is_empty() && text.is_empty() {
            continue;
        }
        // One number can be written in several ways.
        let known = given.parse::<i64>().map_or_else(|_| given.to_owned(), |number| number.to_string());
        if let Some(before) = seen.insert(known, *line) {
            return Err(format!("line {line}: {key} {given} is also in line {before}"));
        }
        let others = of_others.iter().map(|at| at.map(|at| cell(at).to_owned())).collect();
        texts.push(TextRow { line: *line, key: given.to_owned(), text: text.to_owned(), others });
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(file: &[u8]) -> Vec<Vec<String>> {
        read(file).expect("rows").into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let rows = [vec!["number", "text"], vec!["0", "a \"b\", c;\r\nd"], vec!["1", "", "é"]];
        let file = write(rows.iter()).expect("a file");
        assert!(file.starts_with(MARK));
        assert_eq!(cells(&file), rows);
    }

    #[test]
    fn lines_are_counted_with_any_line_ends() {
        for end in ["\n", "\r\n", "\r"] {
            let file = ["number,text", "7,\"a", "b\"", "", "8,c", "9,d"].join(end);
            let lines = |file: &str| read(file.as_bytes()).expect("rows").iter().map(|row| row.0).collect::<Vec<_>>();
            assert_eq!(lines(&file), [1, 2, 5, 6], "{end:?}");
            assert_eq!(lines(&format!("\u{FEFF}{end}{file}{end}{end}")), [2, 3, 6, 7], "{end:?}");
            let open = read(format!("{file}{end}10,\"e{end}").as_bytes()).expect_err("an open mark");
            assert!(open.starts_with("line 7: expected a closing"), "{end:?}: {open}");
            let ansi = [file.as_bytes(), end.as_bytes(), b"10,caf\xE9"].concat();
            let refused = read(&ansi).expect_err("another encoding");
            assert!(refused.starts_with("line 7: expected UTF-8"), "{end:?}: {refused}");
        }
    }

    #[test]
    fn files_of_spreadsheets_are_read() {
        let expected = [["number", "text"], ["7", "a,b"]];
        for file in [
            "sep=;\r\nnumber;text\r\n7;a,b\r\n",
            "number;text\r\n7;a,b\r\n",
            "number\ttext\r7\ta,b",
            "number,text\n7,\"a,b\"\n",
        ] {
            assert_eq!(cells(file.as_bytes()), expected, "{file:?}");
        }
        for file in ["\u{FEFF}sep=;\nnumber;text\n7;\"a", "sep=\t\rnumber\ttext\r7\t\"a"] {
            assert_eq!(read(file.as_bytes()).expect_err("an open mark").split(':').next(), Some("line 3"), "{file:?}");
        }
        assert_eq!(cells(b"sep=|\n1,2"), [vec!["sep=|"], vec!["1", "2"]]);
        assert_eq!(changed(Some("a\r\nb"), "a\nb"), None);
        assert_eq!(changed(Some("a\r\nb"), "a\nc").as_deref(), Some("a\r\nc"));
        assert_eq!(changed(Some("a\nb"), "a\r\nc").as_deref(), Some("a\nc"));
        assert_eq!(changed(None, "a\r\nc").as_deref(), Some("a\r\nc"));
        let row = TextRow { line: 2, key: "7".to_owned(), text: "x".to_owned(), others: vec![None] };
        assert_eq!(texts(b"text,Number\nx, 7 \n,\n", "number", &["sound"]), Ok(vec![row]));
        let twice = texts(b"number,text\n7,x\n7,y\n", "number", &[]).expect_err("twice");
        assert_eq!(twice, "line 3: number 7 is also in line 2");
        let twice = texts(b"number,text\n7,x\n07,y\n", "number", &[]).expect_err("twice");
        assert_eq!(twice, "line 3: number 07 is also in line 2");
        let rows = texts(b"id,text,sound,number\n7,x,b, 07\n8,y,,\n", "id", &["sound", "number"]).expect("rows");
        let told = |nth, column, was| rows[0].is_unedited(nth, (column, was), "export it");
        assert_eq!((told(0, "sound", "b"), told(1, "number", "7"), told(2, "more", "c")), (Ok(()), Ok(()), Ok(())));
        let edited = told(0, "sound", "a").expect_err("an edit");
        assert_eq!(edited, "line 2: 7: expected the sound \"a\", found \"b\"; export it");
        assert!(told(1, "key", "7").is_err(), "only numbers are written in several ways");
        let cleared = rows[1].is_unedited(0, ("sound", "a"), "export it").expect_err("a cell without its sound");
        assert_eq!(cleared, "line 3: 8: expected the sound \"a\", found no cell; export it");
        let rows = texts(b"number,text,sound\n7,x,\n", "number", &["sound"]).expect("rows");
        assert_eq!(rows[0].is_unedited(0, ("sound", "a"), "export it"), Ok(()), "an empty column");
        let open = read(b"number,text\n1,\"a \"\"b\"\"\"\n7,\"x\n8,y\n").expect_err("a mark that is not closed");
        assert_eq!(open, "line 3: expected a closing quotation mark, found the end of the file");
        let refused = read(b"number,text\n7,caf\xE9\n").expect_err("another encoding");
        assert_eq!(refused, "line 2: expected UTF-8; save the file as \"CSV UTF-8\"");
    }
}
