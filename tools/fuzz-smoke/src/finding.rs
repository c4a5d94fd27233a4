//! Violated laws, and the files that violate them.

use std::fmt::{self, Display};

/// The type of violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A panic, even if `verify` catches it.
    Panic,
    /// Accepted, but encoded to different bytes or not at all.
    Different,
    /// Refused at an offset after the end of the file, or without an offset.
    Nowhere,
    /// The census does not add up to the size of the file.
    Census,
    /// The exchange format does not reproduce the file.
    Exchange,
    /// An edit of the exchange format is lost, or changes something else.
    Edit,
    /// A change of the unpacked folder is silently lost, or changes something else.
    Form,
    /// Too much memory.
    Memory,
    /// Too much time.
    Time,
}

impl What {
    /// Returns the name of the type in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::Different => "different",
            Self::Nowhere => "nowhere",
            Self::Census => "census",
            Self::Exchange => "exchange",
            Self::Edit => "edit",
            Self::Form => "form",
            Self::Memory => "memory",
            Self::Time => "time",
        }
    }
}

/// A violation of a law by some bytes.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The type of violation.
    pub what: What,
    /// The kind that the bytes were decoded as.
    pub kind: &'static str,
    /// The violation in words.
    pub words: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Text shared by all findings that probably have one cause, if the words do not show it.
    pub alike: Option<String>,
}

impl Finding {
    /// Returns text shared by all findings that probably have one cause: the words without numbers.
    #[must_use]
    pub fn cause(&self) -> String {
        if let Some(alike) = &self.alike {
            return format!("{}: {}: {alike}", self.kind, self.what.name());
        }
        let words: String = self.words.chars().filter(|it| !it.is_ascii_digit()).take(120).collect();
        format!("{}: {}: {words}", self.kind, self.what.name())
    }

    /// Returns the name of its file, which depends only on the bytes (FNV-1a).
    #[must_use]
    pub fn file_name(&self) -> String {
        let hash = self
            .bytes
            .iter()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        format!("{}_{:08x}", self.what.name(), hash as u32)
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {} ({} bytes)", self.kind, self.what.name(), self.words, self.bytes.len())
    }
}

/// Returns a smaller file with the same cause: parts are removed, and bytes zeroed, as long as `again` still finds it.
#[must_use]
pub fn minimised(finding: Finding, mut again: impl FnMut(&[u8]) -> Option<Finding>) -> Finding {
    let cause = finding.cause();
    let mut tries = 4000_u32;
    let mut least = finding;
    let mut attempt = |bytes: Vec<u8>, least: &mut Finding| {
        tries = tries.saturating_sub(1);
        let found = (tries > 0).then(|| again(&bytes)).flatten().filter(|found| found.cause() == cause);
        let smaller = found.is_some();
        found.into_iter().for_each(|found| *least = found);
        smaller
    };
    let mut size = least.bytes.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < least.bytes.len() {
            let end = (at + size).min(least.bytes.len());
            let mut shorter = least.bytes.clone();
            shorter.drain(at..end);
            let mut zeroed = least.bytes.clone();
            zeroed[at..end].fill(0);
            if !attempt(shorter, &mut least) {
                if zeroed != least.bytes {
                    attempt(zeroed, &mut least);
                }
                at = end;
            }
        }
        size /= 2;
    }
    least
}
