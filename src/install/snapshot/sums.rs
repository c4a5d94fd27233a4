//! Lists of `sha256sum`: a hash, a blank, a blank or `*`, a path; or with `--tag`, `SHA256 (path) = hash`.
//!
//! If a path contains a backslash or a line end, its line begins with a backslash, and the path has them as `\\`, `\n`, `\r`.

use crate::install::lossless;
use crate::passes::Sha;

/// Returns a line of a list, as `sha256sum` writes it.
#[must_use]
pub fn line(sha256: Sha, path: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(path.len());
    for &byte in path {
        match byte {
            b'\\' => escaped.extend(b"\\\\"),
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            byte => escaped.push(byte),
        }
    }
    let mark = if escaped == path { "" } else { "\\" };
    [format!("{mark}{sha256}  ").as_bytes(), &escaped, b"\n"].concat()
}

/// Returns the hash and the path of a line.
pub(super) fn parse(line: &[u8]) -> Option<(String, String)> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (escaped, line) = line.strip_prefix(b"\\").map_or((false, line), |line| (true, line));
    let (hash, path) = match line.strip_prefix(b"SHA256 (") {
        Some(tagged) => {
            let (path, hash) = tagged.split_at_checked(tagged.len().checked_sub(64)?)?;
            (hash, path.strip_suffix(b") = ")?)
        }
        None => {
            let (hash, path) = line.split_at_checked(64)?;
            (hash, path.strip_prefix(b"  ").or_else(|| path.strip_prefix(b" *"))?)
        }
    };
    let hash = core::str::from_utf8(hash).ok().filter(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let path = if escaped { unescape(path)? } else { path.to_vec() };
    let mut path = lossless(&path);
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.to_owned();
    }
    (!path.is_empty()).then(|| (hash.to_ascii_lowercase(), path))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The SHA-256 of no bytes.
    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn parsed(line: &str) -> Option<String> {
        let (hash, path) = parse(line.as_bytes())?;
        assert_eq!(hash, EMPTY, "{line}");
        Some(path)
    }

    #[test]
    fn lines_equal_those_of_coreutils() {
        let line = |path: &[u8]| String::from_utf8(line(Sha::of(b""), path)).expect("plain");
        assert_eq!(line(b"maps/m1.zmap"), format!("{EMPTY}  maps/m1.zmap\n"));
        assert_eq!(line(b"a\\b\nc\rd"), format!("\\{EMPTY}  a\\\\b\\nc\\rd\n"));
    }

    #[test]
    fn all_line_formats_are_parsed() {
        let path = |path: &str| Some(path.to_owned());
        assert_eq!(parsed(&format!("{EMPTY}  a b")), path("a b"));
        assert_eq!(parsed(&format!("{EMPTY} *./maps/m1.zmap\r")), path("maps/m1.zmap"));
        assert_eq!(parsed(&format!("{EMPTY}   a")), path(" a"), "a name that begins with a blank");
        assert_eq!(parsed(&format!("{}  a\\n", EMPTY.to_uppercase())), path("a\\n"), "not escaped without a mark");
        assert_eq!(parsed(&format!("\\{EMPTY}  a\\\\b\\nc\\rd")), path("a\\b\nc\rd"));
        assert_eq!(parsed(&format!("SHA256 (a) = (b)) = {EMPTY}")), path("a) = (b)"));
        assert_eq!(parsed(&format!("\\SHA256 (a\\nb) = {EMPTY}")), path("a\nb"));
    }

    #[test]
    fn other_lines_are_refused() {
        let short = EMPTY.strip_prefix('e').expect("it begins so");
        for line in [
            format!("{EMPTY} a"),
            format!("{EMPTY}  "),
            format!("{short}  a"),
            format!("g{short}  a"),
            format!("\\{EMPTY}  a\\t"),
            format!("\\{EMPTY}  a\\"),
            format!("SHA1 (a) = {EMPTY}"),
            format!("SHA256 (a = {EMPTY}"),
            String::new(),
        ] {
            assert_eq!(parse(line.as_bytes()), None, "{line}");
        }
    }
}
