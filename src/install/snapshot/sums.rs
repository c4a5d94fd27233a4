//! Lists of `sha256sum`: a hash, a blank, a blank or `*`, a path; or with `--tag`, `SHA256 (path) = hash`.
//!
//! If a path contains a backslash or a line end, its line begins with a backslash, and the path has them as `\\`, `\n`, `\r`.

use passes::Sha;

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

/// Returns the digest and the path of a line. A backslash in a line without a mark is that of a path of Windows.
pub(super) fn parse(line: &[u8]) -> Option<(String, String)> {
    let (digest, mut path) = crate::install::known::parse(line)?;
    if !line.starts_with(b"\\") {
        path = path.replace('\\', "/");
    }
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.to_owned();
    }
    (!path.is_empty()).then_some((digest, path))
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
        assert_eq!(
            parsed(&format!("{}  a\\n", EMPTY.to_uppercase())),
            path("a/n"),
            "a path of Windows, not escaped without a mark"
        );
        assert_eq!(parsed(&format!("{EMPTY} *.\\zbd\\c1\\gamez.zbd\r")), path("zbd/c1/gamez.zbd"));
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
