//! The proof: what a model lays down is hashed and compared with the file, byte by byte, without a second copy of it.

use sha2::{Digest as _, Sha256};

use crate::field::{Datum, Result, Visitor, wide};

/// Bytes gathered before they are hashed and compared, so that small fields cost no call each.
const BUFFER: usize = 32 << 10;

/// A SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha([u8; 32]);

impl Sha {
    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl core::fmt::Display for Sha {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl core::fmt::Debug for Sha {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{self}")
    }
}

/// Hashes what it is told, and compares it with a file.
pub struct Proof<'a> {
    file: &'a [u8],
    hash: Sha256,
    buffer: Vec<u8>,
    /// Bytes hashed and compared so far.
    done: usize,
    difference: Option<usize>,
}

impl<'a> Proof<'a> {
    /// A proof against these bytes.
    #[must_use]
    pub fn against(file: &'a [u8]) -> Self {
        Self { file, hash: Sha256::new(), buffer: Vec::with_capacity(BUFFER), done: 0, difference: None }
    }

    /// The hash of all bytes told, and the offset of the first that differs from the file or is missing from it.
    #[must_use]
    pub fn finish(mut self) -> (Sha, Option<u64>) {
        let rest = core::mem::take(&mut self.buffer);
        self.piece(&rest);
        let difference = self.difference.or((self.done < self.file.len()).then_some(self.done));
        (Sha(self.hash.finalize().into()), difference.map(wide))
    }

    fn piece(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        let end = self.done.saturating_add(bytes.len());
        if self.difference.is_none() {
            let file = self.file.get(self.done..).unwrap_or_default();
            let file = file.get(..bytes.len()).unwrap_or(file);
            if file != bytes {
                let same = file.iter().zip(bytes).take_while(|(file, byte)| file == byte).count();
                self.difference = Some(self.done.saturating_add(same));
            }
        }
        self.done = end;
    }
}

impl Visitor for Proof<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if self.buffer.len() + datum.bytes.len() > BUFFER {
            let gathered = core::mem::take(&mut self.buffer);
            self.piece(&gathered);
            self.buffer = gathered;
            self.buffer.clear();
        }
        if datum.bytes.len() > BUFFER {
            // Hashed and compared while it is near.
            datum.bytes.chunks(BUFFER).for_each(|piece| self.piece(piece));
        } else {
            self.buffer.extend_from_slice(datum.bytes);
        }
        Ok(())
    }
}
