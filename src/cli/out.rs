//! The program's output: data on stdout, notes and errors on stderr. No other module prints.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, StdoutLock, Write};

use anstream::AutoStream;
use anstyle::Style;
use anyhow::bail;
use bitexact::output::printable::{Printable, first, json};
use serde::Serialize;

use super::Code;

/// The output of the program, and the exit code so far.
///
/// Lines for people are [escaped](Printable), because they can quote a file. Colors are dropped if stdout is not a terminal.
/// Data is written raw. Each of the two buffers is flushed before the other one is written to.
pub(crate) struct Out {
    words: BufWriter<AutoStream<StdoutLock<'static>>>,
    data: BufWriter<StdoutLock<'static>>,
    closed: bool,
    quiet: bool,
    /// `true` to print more detail.
    pub(crate) verbose: bool,
    code: Code,
    /// The notes that are printed once.
    said: RefCell<BTreeSet<String>>,
}

/// Prints a line on stderr. A closed stderr is not an error.
pub(crate) fn complain(line: impl Display) {
    let line = format!("{}\n", Printable(line));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Returns an error with what to do about it, if it is one of Windows about a file that is in use.
pub(crate) fn with_advice(words: impl Display) -> String {
    let words = words.to_string();
    let advice = if cfg!(windows) { advice(&words) } else { "" };
    words + advice
}

/// Returns what to do about an error of Windows, given its text.
fn advice(words: &str) -> &'static str {
    let is = |number: &str| words.ends_with(number);
    if is("(os error 32)") || is("(os error 33)") {
        "; another program, such as the game, an editor or Excel, has the file open: close it"
    } else if is("(os error 5)") {
        "; another program, such as the game, an editor or Excel, may have the file open: close it"
    } else {
        ""
    }
}

impl Out {
    pub(crate) fn new(quiet: bool, verbose: bool) -> Self {
        let (words, data) = (BufWriter::new(anstream::stdout().lock()), BufWriter::new(io::stdout().lock()));
        Self { words, data, closed: false, quiet, verbose, code: Code::Fine, said: RefCell::default() }
    }

    /// Prints a line for people.
    pub(crate) fn line(&mut self, line: impl Display) {
        self.print(|it| {
            it.data.flush()?;
            writeln!(it.words, "{}", Printable(line))
        });
    }

    /// Prints a line that begins with a word in this style.
    pub(crate) fn marked(&mut self, style: Style, word: &str, line: impl Display) {
        self.print(|it| {
            it.data.flush()?;
            writeln!(it.words, "{style}{word:<12}{style:#}  {}", Printable(line))
        });
    }

    /// Prints a line that begins with a short word in this style.
    pub(crate) fn worded(&mut self, style: Style, word: &str, line: impl Display) {
        self.print(|it| {
            it.data.flush()?;
            writeln!(it.words, "{style}{word}{style:#} {}", Printable(line))
        });
    }

    /// Prints several lines for people.
    pub(crate) fn lines(&mut self, lines: impl Display) {
        lines.to_string().split('\n').for_each(|line| self.line(line));
    }

    /// Prints a row of data as one line of JSON.
    pub(crate) fn json(&mut self, row: &impl Serialize) {
        match json(row) {
            Ok(mut line) => {
                line.push('\n');
                self.bytes(line.as_bytes());
            }
            Err(error) => self.error(Code::Internal, error),
        }
    }

    /// Prints data unescaped.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.print(|it| {
            it.words.flush()?;
            it.data.write_all(bytes)
        });
    }

    /// Prints lines that other programs read: unescaped, unless stdout is a terminal.
    pub(crate) fn listing(&mut self, lines: &[u8]) {
        if !io::stdout().is_terminal() {
            return self.bytes(lines);
        }
        let text = String::from_utf8_lossy(lines);
        self.lines(text.strip_suffix('\n').unwrap_or(&text));
    }

    /// Prints the contents of a file unescaped. A terminal gets only text, and escaped.
    pub(crate) fn contents(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let is_text = str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
        if io::stdout().is_terminal() && !is_text {
            bail!("it is not text, which is all that a terminal can show; add `> FILE` to write it to a file");
        }
        self.listing(bytes);
        Ok(())
    }

    /// Flushes all output.
    pub(crate) fn flush(&mut self) {
        self.print(|it| it.words.flush().and_then(|()| it.data.flush()));
    }

    /// Prints something, unless stdout is closed. Any other error of stdout is reported once.
    fn print(&mut self, print: impl FnOnce(&mut Self) -> io::Result<()>) {
        if !self.closed
            && let Err(error) = print(self)
        {
            self.failed(&error);
        }
    }

    fn failed(&mut self, error: &io::Error) {
        self.closed = true;
        if error.kind() != ErrorKind::BrokenPipe {
            self.error(Code::Failed, format_args!("cannot write to stdout: {error}"));
        }
    }

    /// Returns `true` if stdout is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the exit code so far.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// Returns `true` if notes and progress are suppressed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a note on stderr, unless notes are suppressed.
    pub(crate) fn say(&self, words: impl Display) {
        if !self.quiet {
            complain(words);
        }
    }

    /// Prints a note on stderr, unless it is already there or notes are suppressed.
    pub(crate) fn say_once(&self, words: impl Display) {
        let words = words.to_string();
        if !self.said.borrow().contains(&words) {
            self.say(&words);
            self.said.borrow_mut().insert(words);
        }
    }

    /// Prints the paths of ignored files on one line.
    pub(crate) fn ignored(&self, paths: impl Iterator<Item = String>) {
        self.paths("ignored", paths, "");
    }

    /// Prints the first paths on one line, after what they are and before the rest of the line.
    pub(crate) fn paths(&self, what: &str, paths: impl Iterator<Item = String>, rest: &str) {
        /// The maximum number of paths printed.
        const MOST: usize = 3;
        let paths: Vec<String> = paths.collect();
        if !paths.is_empty() {
            self.say(format_args!("{what}: {}{rest}", first(&paths, MOST)));
        }
    }

    /// Prints an error, and records its exit code.
    pub(crate) fn error(&mut self, code: Code, words: impl Display) {
        complain(format_args!("bitexact: {}", with_advice(words)));
        self.comes_to(code);
    }

    /// Records an exit code; the highest counts.
    pub(crate) fn comes_to(&mut self, code: Code) {
        self.code = self.code.max(code);
    }

    /// Ends the run, and returns its exit code.
    pub(crate) fn end(mut self, outcome: anyhow::Result<()>) -> Code {
        self.flush();
        if let Err(error) = outcome {
            self.error(Code::Failed, format_args!("{error:#}"));
        }
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn files_in_use_are_explained() {
        assert!(advice("a.zbd: Sharing violation. (os error 32)").contains("has the file open: close it"));
        assert!(advice("a.zbd: Access denied. (os error 5)").contains("may have the file open: close it"));
        assert_eq!(advice("a.zbd: File not found. (os error 2)"), "");
        assert_eq!(advice("a.zbd: expected (os error 5) bytes"), "");
    }
}
