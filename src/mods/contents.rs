//! The contents of a file in a plan: where they are, and their hash. Only a change of values needs them in memory; all else copies them in
//! pieces, because a file of a game can be a video.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read, Write};

use bytes::Bytes;
use serde::Deserialize;

use crate::edit::diff::nested;
use field::{memory, wide};
use passes::{Hashing, Sha};

use super::disk::Disk;
use super::journal::{Journal, content, within};
use super::packed::{Packed, Text, unpack};
use super::transaction::CHANGED_SINCE;
use super::{FileEdit, Refusal, Result, refusal};

/// The contents of a file.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) sha256: String,
    /// The size in bytes.
    pub(super) size: u64,
    at: At,
}

/// Where contents are.
#[derive(Clone, Debug)]
enum At {
    Memory(Bytes),
    /// In the file of the game at this path, which something else can change.
    Game(String),
    /// In the journal, by their hash.
    Journal,
    /// In a mod, as [`Packed`].
    Mod(Bytes),
}

impl Contents {
    /// Returns contents that are in memory.
    pub(super) fn of(bytes: Bytes) -> Self {
        Self { sha256: Sha::of(&bytes).to_string(), size: wide(bytes.len()), at: At::Memory(bytes) }
    }

    /// Returns contents that a mod has in this text.
    pub(super) fn packed(text: Bytes, sha256: &str, size: u64) -> Self {
        Self { sha256: sha256.to_owned(), size, at: At::Mod(text) }
    }
}

impl<D: Disk> Journal<D> {
    /// Returns the contents of a file of the game, or `None` if it does not exist.
    pub(super) fn file(&self, path: &str) -> io::Result<Option<Contents>> {
        match self.disk.hash(path) {
            Ok((sha256, size)) => {
                Ok(Some(Contents { sha256: sha256.to_string(), size, at: At::Game(path.to_owned()) }))
            }
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns stored contents. They are verified when they are used.
    pub(super) fn stored(&self, hash: &str) -> Result<Contents> {
        let name = content(hash);
        let (_, size) = self.disk.open(&within(&name)).map_err(|error| self.refused(&name, error))?;
        Ok(Contents { sha256: hash.to_owned(), size, at: At::Journal })
    }

    /// Writes contents, and verifies on the way that they are those that were planned.
    ///
    /// # Errors
    /// Returns an error if they are not, or if they cannot be read or written. If that is because of the file that has them, the error is a
    /// [`Refusal`] with its path.
    pub(super) fn write(&self, contents: &Contents, to: &mut dyn Write) -> io::Result<()> {
        let mut to = Hashing::new(to);
        match &contents.at {
            At::Memory(bytes) => to.write_all(bytes)?,
            At::Game(path) => self.copy(path, contents.size, &mut to, |why| refusal(path, why))?,
            At::Journal => {
                let name = content(&contents.sha256);
                self.copy(&within(&name), contents.size, &mut to, |why| self.refused(&name, why))?;
            }
            At::Mod(text) => unpack(text, contents.size, &mut to)?,
        }
        let (_, found, _) = to.finish();
        if found.to_string() == contents.sha256 {
            return Ok(());
        }
        Err(match &contents.at {
            At::Game(path) => io::Error::other(refusal(path, CHANGED_SINCE)),
            At::Memory(_) | At::Journal => io::Error::other(self.damaged(&contents.sha256, found)),
            At::Mod(_) => io::Error::other(format!("content: expected SHA-256 {}, found {found}", contents.sha256)),
        })
    }

    /// Copies a file, or what it had when its size was taken.
    fn copy(
        &self,
        path: &str,
        size: u64,
        to: &mut impl Write,
        refused: impl Fn(io::Error) -> Refusal,
    ) -> io::Result<()> {
        let (file, _) = self.disk.open(path).map_err(|error| io::Error::other(refused(error)))?;
        io::copy(&mut Source { file: file.take(size), refused }, to).map(drop)
    }

    /// Returns the bytes of contents, verified like those of [`write`](Self::write).
    ///
    /// # Errors
    /// Returns an error as that does, or if the memory limit does not allow as many bytes.
    pub(super) fn bytes(&self, contents: &Contents) -> io::Result<Bytes> {
        let mut bytes = match &contents.at {
            At::Memory(bytes) => return Ok(bytes.clone()),
            // A mod can state any size.
            At::Mod(_) => memory::fits(contents.size).map(|()| Vec::new())?,
            At::Game(_) | At::Journal => memory::room(contents.size)?,
        };
        self.write(contents, &mut bytes)?;
        Ok(bytes.into())
    }

    /// Passes each line of a stored text with its end to `each`, until that returns an error.
    ///
    /// # Errors
    /// Returns an error if the text is damaged, or else that of `each`.
    pub(super) fn lines(&self, hash: &str, each: &mut dyn FnMut(&[u8]) -> Result) -> Result {
        let name = content(hash);
        let failed = |error| self.refused(&name, error);
        let (file, size) = self.disk.open(&within(&name)).map_err(failed)?;
        let (mut file, mut line) = (BufReader::new(file.take(size)), Vec::new());
        let (mut text, mut outcome) = (Hashing::new(io::sink()), Ok(()));
        loop {
            line.clear();
            // One byte more than is allowed is enough to refuse the line.
            let limit = memory::allowed();
            let mut most = (&mut file).take(limit.checked_add(1).unwrap_or(limit));
            most.read_until(b'\n', &mut line).and_then(|_| memory::fits(wide(line.len()))).map_err(failed)?;
            if line.is_empty() {
                break;
            }
            text.write_all(&line).map_err(failed)?;
            if outcome.is_ok() {
                outcome = each(&line);
            }
        }
        let (_, found, _) = text.finish();
        if found.to_string() == hash { outcome } else { Err(self.damaged(hash, found)) }
    }

    /// Returns the text of a packed file of a mod, for which an applied one is read again.
    pub(super) fn text(&self, packed: &Packed, path: &str) -> Result<Bytes> {
        /// What tells a line from others.
        #[derive(Deserialize)]
        struct Line {
            path: Option<String>,
        }
        let sha256 = match &packed.0 {
            Text::Here(text) => return Ok(text.clone()),
            Text::Kept(sha256) => sha256,
        };
        let mut found = None;
        self.lines(sha256, &mut |line| {
            let wrong = |why| self.refused(&content(sha256), why);
            let is_it = serde_json::from_slice(line).is_ok_and(|it: Line| it.path.as_deref() == Some(path));
            if is_it && let Some(Packed(Text::Here(text))) = nested::<FileEdit>(line).map_err(wrong)?.content {
                found = Some(text);
            }
            Ok(())
        })?;
        found.ok_or_else(|| self.refused(&content(sha256), format!("expected the content of {path}, found none")))
    }
}

/// A file whose errors name it.
struct Source<R, F> {
    file: R,
    refused: F,
}

impl<R: Read, F: Fn(io::Error) -> Refusal> Read for Source<R, F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes).map_err(|error| io::Error::new(error.kind(), (self.refused)(error)))
    }
}
