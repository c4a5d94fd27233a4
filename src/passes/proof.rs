//! The proof compares the encoded bytes of a model with the file, without a second copy of it, and hashes them if a hash is wanted.

use std::io;

use sha2::{Digest as _, Sha256};

use field::{Datum, Result, Thresholds, Visitor, wide};

/// A SHA-256 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha([u8; 32]);

impl Sha {
    /// Returns the hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the hash of bytes in several pieces.
    #[must_use]
    pub fn of_pieces(pieces: &[impl AsRef<[u8]>]) -> Self {
        let mut hash = Sha256::new();
        pieces.iter().for_each(|piece| hash.update(piece));
        Self(hash.finalize().into())
    }

    /// Takes over a hash that something else has computed of some bytes, such as the browser around the program.
    #[must_use]
    pub const fn computed(hash: [u8; 32]) -> Self {
        Self(hash)
    }

    /// Returns its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        let Self(bytes) = self;
        bytes
    }

    /// Returns the hash and the size of all that a source has, of which only pieces are in memory.
    pub fn of_all(from: &mut impl io::Read) -> io::Result<(Self, u64)> {
        let mut hash = Hashing::new(io::sink());
        io::copy(from, &mut hash)?;
        let (_, sha256, size) = hash.finish();
        Ok((sha256, size))
    }
}

impl core::fmt::Display for Sha {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
        let digits = self.0.map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        f.write_str(str::from_utf8(digits.as_flattened()).map_err(|_| core::fmt::Error)?)
    }
}

impl core::fmt::Debug for Sha {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{self}")
    }
}

/// Hashes the bytes that it passes on.
pub struct Hashing<W> {
    to: W,
    hash: Sha256,
    bytes: u64,
}

impl<W: io::Write> Hashing<W> {
    /// Creates a visitor that passes the bytes on.
    pub fn new(to: W) -> Self {
        Self { to, hash: Sha256::new(), bytes: 0 }
    }

    /// Returns the writer, the hash of all bytes, and their number.
    pub fn finish(self) -> (W, Sha, u64) {
        (self.to, Sha(self.hash.finalize().into()), self.bytes)
    }
}

impl<W: io::Write> io::Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(bytes.get(..written).unwrap_or(bytes));
        self.bytes += wide(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Receives the bytes of a re-encoded file, in order.
pub type Receiver<'a> = &'a mut dyn FnMut(&[u8]);

/// Who hashes the bytes of a proof, if anyone does.
enum Hasher<'a> {
    Own(Sha256),
    Other(Receiver<'a>),
    /// The bytes are only compared.
    Nobody,
}

/// Compares the bytes it receives with a file, and hashes them, passes them on to be hashed, or does neither.
pub struct Proof<'a> {
    file: &'a [u8],
    hash: Hasher<'a>,
    /// Bytes collected before they are compared, so that small fields do not need a call each.
    buffer: Vec<u8>,
    /// The number of bytes that are collected at most, and the size of the largest part of them.
    most: (usize, usize),
    /// The number of bytes compared so far.
    done: usize,
    difference: Option<usize>,
}

impl<'a> Proof<'a> {
    /// Creates a proof against these bytes.
    #[must_use]
    pub fn against(file: &'a [u8]) -> Self {
        Self::with(file, Hasher::Own(Sha256::new()))
    }

    /// Creates a proof against these bytes that passes on what it receives, to be hashed elsewhere.
    #[must_use]
    pub fn unhashed(file: &'a [u8], to: Receiver<'a>) -> Self {
        Self::with(file, Hasher::Other(to))
    }

    /// Creates a proof that compares with these bytes, but hashes nothing.
    #[must_use]
    pub fn comparing(file: &'a [u8]) -> Self {
        Self::with(file, Hasher::Nobody)
    }

    fn with(file: &'a [u8], hash: Hasher<'a>) -> Self {
        let most = Thresholds::here().bytes_proven;
        let buffer = Vec::with_capacity(most.min(Thresholds::PROGRAM.bytes_proven));
        Self { file, hash, buffer, most: (most, most / 4), done: 0, difference: None }
    }

    /// Returns the hash of all bytes received, unless it is computed elsewhere or not at all, and the offset of the first byte that differs
    /// from the file or is missing.
    #[must_use]
    pub fn finish(mut self) -> (Option<Sha>, Option<u64>) {
        let rest = core::mem::take(&mut self.buffer);
        self.piece(&rest);
        let difference = self.difference.or((self.done < self.file.len()).then_some(self.done));
        let hash = match self.hash {
            Hasher::Own(hash) => Some(Sha(hash.finalize().into())),
            Hasher::Other(_) | Hasher::Nobody => None,
        };
        (hash, difference.map(wide))
    }

    fn piece(&mut self, bytes: &[u8]) {
        match &mut self.hash {
            Hasher::Own(hash) => hash.update(bytes),
            Hasher::Other(to) => to(bytes),
            Hasher::Nobody => {}
        }
        let end = self.done + bytes.len();
        if self.difference.is_none() {
            let file = self.file.get(self.done..).unwrap_or_default();
            let file = file.get(..bytes.len()).unwrap_or(file);
            if file != bytes {
                let same = file.iter().zip(bytes).take_while(|(file, byte)| file == byte).count();
                self.difference = Some(self.done + same);
            }
        }
        self.done = end;
    }
}

impl Visitor for Proof<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let (all, large) = self.most;
        let is_large = datum.bytes.len() > large;
        if is_large || self.buffer.len().saturating_add(datum.bytes.len()) > all {
            let gathered = core::mem::take(&mut self.buffer);
            self.piece(&gathered);
            self.buffer = gathered;
            self.buffer.clear();
        }
        if is_large {
            // Each piece is compared, and hashed, while it is in the cache.
            datum.bytes.chunks(all.max(1)).for_each(|piece| self.piece(piece));
        } else {
            self.buffer.extend_from_slice(datum.bytes);
        }
        Ok(())
    }
}
