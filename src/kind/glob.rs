//! Names with `*` for any text.

/// Returns `true` if a name matches a pattern, ignoring case. With `within`, `*` does not match a `/`.
pub fn fits(pattern: &str, name: &str, within: bool) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut parts = pattern.split('*');
    let Some(rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    follow(&parts, rest, within)
}

/// Returns `true` if the rest of a name consists of these parts, each after any text.
fn follow(parts: &[&str], name: &str, within: bool) -> bool {
    let Some((part, rest)) = parts.split_first() else { return name.is_empty() };
    let skipped = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    let can = |at: &usize| !within || !name.get(..*at).is_some_and(|skipped| skipped.contains('/'));
    let after = |at: usize| name.get(at..).and_then(|name| name.strip_prefix(part));
    skipped.take_while(can).filter_map(after).any(|name| follow(rest, name, within))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_match_the_same_names_as_in_globset() {
        let patterns = [
            "*.zmap",
            "*tex*.zbd",
            "interp.zbd",
            "sounds*.zbd",
            "zbd/*.wav",
            "zbd/*/reader*.zbd",
            "*/*/*.mw3",
            "a*a",
            "*",
        ];
        let names = [
            "m1.zmap",
            "M1.ZMAP",
            ".zmap",
            "zmap",
            "rtexture1.zbd",
            "tex.zbd.zbd",
            "interp.zbd2",
            "soundsl.zbd",
            "zbd/a.wav",
            "zbd/c1/a.wav",
            "zbd/c1/readerm1.zbd",
            "zbd/c1/m1/reader.zbd",
            "a/b/c.mw3",
            "a/b.mw3",
            "a",
            "aa",
            "aba",
            "",
            "Ä.zmap",
        ];
        for pattern in patterns {
            for within in [false, true] {
                let glob = globset::GlobBuilder::new(pattern).case_insensitive(true).literal_separator(within).build();
                let glob = glob.expect("a glob").compile_matcher();
                for name in names {
                    assert_eq!(fits(pattern, name, within), glob.is_match(name), "{pattern} {name} {within}");
                }
            }
        }
    }
}
