//! Where the program prints: data to stdout, words to stderr. Nothing else in it prints.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, StdoutLock, Write};

use anstream::AutoStream;
use anstyle::Style;
use bitexact::output::printable::{Printable, json};
use serde::Serialize;

use super::Code;

/// Output of the program, and what the run comes to so far.
///
/// Words for people are [escaped](Printable), whoever has written them: only the colors are ours, and they are lost where
/// there is no terminal. Data have a way of their own. What goes one way is handed over before something goes the other.
pub(crate) struct Out {
    words: BufWriter<AutoStream<StdoutLock<'static>>>,
    data: BufWriter<StdoutLock<'static>>,
    closed: bool,
    quiet: bool,
    /// Whether more is to be said.
    pub(crate) verbose: bool,
    code: Code,
}

/// Says a line on stderr. That nobody can read it changes nothing.
pub(crate) fn complain(line: impl Display) {
    let line = format!("{}\n", Printable(line));
    let _ = io::stderr().write_all(line.as_bytes());
}

impl Out {
    pub(crate) fn new(quiet: bool, verbose: bool) -> Self {
        let (words, data) = (BufWriter::new(anstream::stdout().lock()), BufWriter::new(io::stdout().lock()));
        Self { words, data, closed: false, quiet, verbose, code: Code::Fine }
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

    /// Prints some lines for people.
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
            Err(error) => self.trouble(Code::Internal, error),
        }
    }

    /// Prints data as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.print(|it| {
            it.words.flush()?;
            it.data.write_all(bytes)
        });
    }

    /// Prints lines that other programs read as they are; to a terminal, lines for people.
    pub(crate) fn listing(&mut self, lines: &[u8]) {
        if !io::stdout().is_terminal() {
            return self.bytes(lines);
        }
        let text = String::from_utf8_lossy(lines);
        self.lines(text.strip_suffix('\n').unwrap_or(&text));
    }

    /// Hands over what has been printed so far.
    pub(crate) fn flush(&mut self) {
        self.print(|it| it.words.flush().and_then(|()| it.data.flush()));
    }

    /// Prints something. Once stdout is closed nothing more is printed; other trouble with it is said once.
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
            self.trouble(Code::Failed, format_args!("cannot write to stdout: {error}"));
        }
    }

    /// Whether nobody reads stdout any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// What the run comes to so far.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// Whether only what is asked for is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Says something about the run, unless it is to be quiet.
    pub(crate) fn say(&self, words: impl Display) {
        if !self.quiet {
            complain(words);
        }
    }

    /// Says what went wrong, and remembers it.
    pub(crate) fn trouble(&mut self, code: Code, words: impl Display) {
        complain(format_args!("bitexact: {words}"));
        self.comes_to(code);
    }

    /// Remembers what the run comes to; the highest counts.
    pub(crate) fn comes_to(&mut self, code: Code) {
        self.code = self.code.max(code);
    }

    /// Ends the run.
    pub(crate) fn end(mut self, outcome: anyhow::Result<()>) -> Code {
        self.flush();
        if let Err(error) = outcome {
            self.trouble(Code::Failed, format_args!("{error:#}"));
        }
        self.code
    }
}
