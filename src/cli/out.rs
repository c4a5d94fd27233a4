//! Where the program prints: data to stdout, words to stderr.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

use anstream::{AutoStream, eprintln};
use serde::Serialize;

use super::Code;

/// Output of the program, and what the run comes to so far.
///
/// Words for people lose what colours a terminal where there is none, and with that every other character that controls one:
/// data have a way of their own. What goes one way is handed over before something goes the other.
pub(crate) struct Out {
    words: BufWriter<AutoStream<StdoutLock<'static>>>,
    data: BufWriter<StdoutLock<'static>>,
    closed: bool,
    quiet: bool,
    /// Whether more is to be said.
    pub(crate) verbose: bool,
    code: Code,
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
            writeln!(it.words, "{line}")
        });
    }

    /// Prints a row of data as one line of JSON.
    pub(crate) fn json(&mut self, row: &impl Serialize) {
        match serde_json::to_vec(row) {
            Ok(mut line) => {
                line.push(b'\n');
                self.bytes(&line);
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
            eprintln!("{words}");
        }
    }

    /// Says what went wrong, and remembers it.
    pub(crate) fn trouble(&mut self, code: Code, words: impl Display) {
        eprintln!("bitexact: {words}");
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
