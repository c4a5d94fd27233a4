//! Lines with a digest and a path: of `sha256sum`, `sha1sum`, `md5sum`, with or without `--tag`, and of SFV files.
//!
//! If a path contains a backslash or a line end, its line begins with a backslash, and the path has them as `\\`, `\n`, `\r`.

use super::digest::{Digest, GIT};
use crate::install::lossless;

/// The tags of lines, with the number of digits of their digests.
const TAGS: [(&[u8], usize); 4] = [(b"SHA256 (", 64), (b"SHA1 (", 40), (b"MD5 (", 32), (b"CRC32 (", 8)];

/// Returns the digest in lower case and the path of a line.
pub(in crate::install) fn parse(line: &[u8]) -> Option<(String, String)> {
    if let Some(blob) = of_git(line) {
        return Some(blob);
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (escaped, line) = line.strip_prefix(b"\\").map_or((false, line), |line| (true, line));
    let tag = TAGS.iter().find_map(|(tag, digits)| Some((line.strip_prefix(*tag)?, *digits)));
    let (digest, path) = match tag {
        Some((tagged, digits)) => {
            let (path, digest) = tagged.split_at_checked(tagged.len().checked_sub(digits)?)?;
            (digest, path.strip_suffix(b") = ")?)
        }
        None => plain(line).or_else(|| sfv(line))?,
    };
    let digest = core::str::from_utf8(digest).ok().filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let path = if escaped { unescape(path)? } else { path.to_vec() };
    let mut path = lossless(&path);
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.to_owned();
    }
    (!path.is_empty()).then(|| (digest.to_ascii_lowercase(), path))
}

/// Returns the id of a blob, with its prefix, and the path of a line of `git ls-tree -r` or `git ls-files -s`: a mode, the word `blob` or
/// nothing, the id, a size or a stage, a tab, the path.
pub(super) fn of_git(line: &[u8]) -> Option<(String, String)> {
    let line = core::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line)).ok()?;
    let (about, path) = line.split_once('\t')?;
    let mut words = about.split_ascii_whitespace();
    words.next().filter(|mode| mode.len() == 6 && mode.bytes().all(|digit| digit.is_ascii_digit()))?;
    let id = words.next().filter(|word| *word != "blob").or_else(|| words.next())?;
    let digest = format!("{GIT}{}", id.to_ascii_lowercase());
    let is_id = Digest::kind(&digest) == Some(Digest::GitBlob);
    (is_id && !path.is_empty()).then(|| (digest, path.to_owned()))
}

/// Splits a line that begins with the digest.
fn plain(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let (digest, path) = line.split_at_checked(digits).filter(|_| matches!(digits, 64 | 40 | 32 | 8))?;
    Some((digest, path.strip_prefix(b"  ").or_else(|| path.strip_prefix(b" *"))?))
}

/// Splits a line of an SFV file, which ends with a CRC-32.
fn sfv(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (path, digest) = line.split_at_checked(line.len().checked_sub(8)?)?;
    digest.iter().all(u8::is_ascii_hexdigit).then_some(())?;
    Some((digest, path.strip_suffix(b" ")?))
}

fn unescape(path: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(path.len());
    let mut bytes = path.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(match (byte, byte == b'\\') {
            (byte, false) => byte,
            _ => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
        });
    }
    Some(plain)
}
