//! The kinds of digests in lists of files.

use md5::{Digest as _, Md5};
use sha1::Sha1;

use passes::Sha;

/// The prefix of an id of a git blob in tables, since it is as long as a SHA-1.
pub(super) const GIT: &str = "git:";

/// A kind of digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Digest {
    /// SHA-256, 64 digits.
    Sha256,
    /// SHA-1, 40 digits.
    Sha1,
    /// The id that git gives to the bytes of a file: `git:` and 40 digits, the SHA-1 of `blob `, the length in decimal digits, a NUL
    /// and the bytes.
    GitBlob,
    /// MD5, 32 digits.
    Md5,
    /// CRC-32, 8 digits.
    Crc32,
}

impl Digest {
    /// Returns the kind of a digest in text, or `None` if it is none.
    #[must_use]
    pub fn kind(text: &str) -> Option<Self> {
        let (digits, is_git) = text.strip_prefix(GIT).map_or((text, false), |digits| (digits, true));
        let kind = match (digits.len(), is_git) {
            (64, false) => Self::Sha256,
            (40, false) => Self::Sha1,
            (40, true) => Self::GitBlob,
            (32, false) => Self::Md5,
            (8, false) => Self::Crc32,
            _ => return None,
        };
        digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(kind)
    }

    /// Returns the digest of some bytes, in lower-case digits. `sha256` is theirs, if it is known.
    #[must_use]
    pub fn of(self, bytes: &[u8], sha256: Option<&Sha>) -> String {
        match self {
            Self::Sha256 => sha256.map_or_else(|| Sha::of(bytes), |sha| *sha).to_string(),
            Self::Sha1 => digits(&Sha1::digest(bytes)),
            Self::GitBlob => {
                let head = format!("blob {}\0", bytes.len());
                format!("{GIT}{}", digits(&Sha1::new().chain_update(head).chain_update(bytes).finalize()))
            }
            Self::Md5 => digits(&Md5::digest(bytes)),
            Self::Crc32 => digits(&crc32fast::hash(bytes).to_be_bytes()),
        }
    }
}

/// Returns bytes as hexadecimal digits.
fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `git hash-object` of these bytes.
    #[test]
    fn blobs_have_the_ids_that_git_gives_them() {
        for (bytes, id) in [
            (&b""[..], "git:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
            (b"hello\n", "git:ce013625030ba8dba906f756967f9e9ca394464a"),
        ] {
            assert_eq!(Digest::GitBlob.of(bytes, None), id);
            assert_eq!(Digest::kind(id), Some(Digest::GitBlob));
        }
        assert_eq!(Digest::kind("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"), Some(Digest::Sha1));
        assert_eq!(Digest::kind("git:00"), None);
        assert_eq!(Digest::kind("zz9de29bb2d1d6434b8b29ae775ad8c2e48c5391"), None);
    }
}
