//! Texts of lines of words: an edit replaces the words that differ, and leaves all others and the spaces between them unchanged.
//!
//! Source: `nwn-2da.md`, section 3, and `nwn-other.md`, sections 6 and 7.

use core::ops::Range;

use field::{Class, Codec, GAME_TEXT, LoadError, Loaded, Step, Tell, Value, decode_text, encode_text, wide};
use json::Describe as _;

use super::part;

/// Returns the words of a line.
pub(super) type Grammar = fn(&[u8]) -> Vec<Range<usize>>;

/// A line: its words, and where the line and its end are in the text.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The words.
    pub(super) words: Vec<Range<usize>>,
    /// The line without its end.
    pub(super) span: Range<usize>,
    /// The end of the line: the offset after CR and LF, or the end of the text.
    pub(super) end: usize,
}

/// Returns the lines of a text without their ends, and where the next line begins.
pub(super) fn each_span(text: &[u8]) -> impl Iterator<Item = (Range<usize>, usize)> {
    let mut begin = 0_usize;
    let mut feeds = memchr::memchr_iter(b'\n', text);
    core::iter::from_fn(move || {
        let (feed, end) = feeds.next().map_or((text.len(), text.len()), |feed| (feed, feed + 1));
        let own = text.get(begin..feed).filter(|_| begin < end)?;
        let own = own.strip_suffix(b"\r").filter(|_| feed < end).unwrap_or(own);
        let span = begin..begin + own.len();
        begin = end;
        Some((span, end))
    })
}

/// Splits a text into lines.
pub(super) fn lines(text: &[u8], grammar: Grammar) -> Vec<Line> {
    let line = |(span, end): (Range<usize>, usize)| {
        let shifted = |word: Range<usize>| span.start + word.start..span.start + word.end;
        let words = grammar(part(text, span.clone())).into_iter().map(shifted).collect();
        Line { words, span, end }
    };
    each_span(text).map(line).collect()
}

/// Returns the words of a line.
pub(super) fn words<'t>(text: &'t [u8], line: &Line) -> Vec<&'t [u8]> {
    line.words.iter().map(|word| part(text, word.clone())).collect()
}

/// Returns `true` for what separates words. A NUL, which some tools left after a text, is no part of a word.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0B | 0x0C | 0x1A | 0)
}

/// Returns the number of words that [`between_spaces`] finds, several bytes at once if none is a quote.
pub(super) fn count_between_spaces(line: &[u8], quotes: bool) -> usize {
    if quotes && memchr::memchr(b'"', line).is_some() {
        return between_spaces(line, quotes).len();
    }
    let after = part(line, 1..);
    let ends = line.iter().zip(after).filter(|(one, next)| !is_space(**one) & is_space(**next)).count();
    ends + usize::from(line.last().is_some_and(|last| !is_space(*last)))
}

/// Returns the words between spaces and tabs, with quotes around those that have spaces in them if `quotes` is set.
pub(super) fn between_spaces(line: &[u8], quotes: bool) -> Vec<Range<usize>> {
    let (mut words, mut begin, mut quoted) = (Vec::new(), None, false);
    for (at, &byte) in line.iter().enumerate() {
        if is_space(byte) && !quoted {
            words.extend(begin.take().map(|begin| begin..at));
        } else {
            begin = begin.or(Some(at));
            quoted ^= quotes && byte == b'"';
        }
    }
    words.extend(begin.map(|begin| begin..line.len()));
    words
}

/// Returns a text in which some lines have other words. `new` has the words of each line, and the old line that it takes the place of,
/// if there is one; old lines that are not there are removed.
pub(super) fn merge(text: &[u8], old: &[Line], new: &[(Option<usize>, Vec<Vec<u8>>)]) -> Vec<u8> {
    let mut merged = Vec::with_capacity(text.len());
    let usual = old.first().map_or(&b"\n"[..], |line| part(text, line.span.end..line.end));
    let usual = if usual.is_empty() { b"\n" } else { usual };
    let mut like: Option<&Line> = None;
    for (nth, (of, new_words)) in new.iter().enumerate() {
        let line = of.and_then(|of| old.get(of));
        let is_last = nth + 1 == new.len();
        match line {
            Some(line)
                if words(text, line).iter().zip(new_words).all(|(old, new)| *old == &new[..])
                    && line.words.len() == new_words.len() =>
            {
                merged.extend_from_slice(part(text, line.span.clone()));
            }
            // A new line is laid out like the one before it.
            _ => put(text, line.or(like), new_words, &mut merged),
        }
        let end = line.map(|line| part(text, line.span.end..line.end));
        let ends_text = old.last().is_some_and(|last| last.span.end == last.end);
        match end {
            Some(end) if !end.is_empty() => merged.extend_from_slice(end),
            _ if is_last && ends_text => {}
            _ => merged.extend_from_slice(usual),
        }
        like = line.or(like);
    }
    merged
}

/// Writes words with the spaces of a line between them. A space of several blanks takes up the difference in length.
fn put(text: &[u8], like: Option<&Line>, new: &[Vec<u8>], merged: &mut Vec<u8>) {
    let old: &[Range<usize>] = like.map(|line| &line.words[..]).unwrap_or_default();
    let begin = like.map_or(0, |line| line.span.start);
    let space = |nth: usize| {
        let before = nth.checked_sub(1).and_then(|before| old.get(before)).map_or(begin, |word| word.end);
        old.get(nth).map(|word| part(text, before..word.start))
    };
    let last = (0..old.len()).rev().find_map(space).filter(|space| !space.is_empty() && old.len() > 1);
    let mut longer = 0_usize;
    let mut shorter = 0_usize;
    for (nth, word) in new.iter().enumerate() {
        let gap = space(nth).or(if nth == 0 { None } else { last }).unwrap_or(if nth == 0 { b"" } else { b" " });
        let is_blanks = gap.len() > 1 && gap.iter().all(|&byte| byte == b' ');
        if nth > 0 && is_blanks && space(nth).is_some() {
            let length = (gap.len() + shorter).saturating_sub(longer).max(1);
            merged.extend(core::iter::repeat_n(b' ', length));
        } else if nth > 0 && gap.is_empty() {
            merged.push(b' ');
        } else {
            merged.extend_from_slice(gap);
        }
        merged.extend_from_slice(word);
        let before = old.get(nth).map_or(word.len(), Range::len);
        (longer, shorter) = (word.len().saturating_sub(before), before.saturating_sub(word.len()));
    }
    if let (Some(like), Some(end)) = (like, old.last()) {
        merged.extend_from_slice(part(text, end.end..like.span.end));
    }
}

/// Pairs new lines with old ones: those that are equal at the beginning and at the end, then the others in order.
pub(super) fn pair<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - same;
    let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - last, new.len() - last);
    let of = |nth: usize| {
        if nth < new_end { Some(nth).filter(|nth| *nth < old_end) } else { Some(old_end + (nth - new_end)) }
    };
    (0..new.len()).map(of).collect()
}

/// Returns a text as a list of lines, each a list of words.
pub(super) fn show(text: &[u8], grammar: Grammar) -> Value {
    let shown = |line: &Line| words(text, line).into_iter().map(|word| decode_text(GAME_TEXT, word)).collect::<Value>();
    lines(text, grammar).iter().map(shown).collect()
}

/// Returns a word, at these steps.
pub(super) fn word(json: &Value, steps: impl IntoIterator<Item = Step>) -> Loaded<Vec<u8>> {
    let bytes = json.text().and_then(|text| encode_text(GAME_TEXT, text));
    let misfit = || LoadError::new(steps.into_iter().collect(), "a word of windows-1252", json.describe_text());
    bytes.ok_or_else(misfit)
}

/// Checks that words are words: a line of them has the same ones.
pub(super) fn are_words(words: &[Vec<u8>], grammar: Grammar) -> bool {
    let mut line = Vec::new();
    put(b"", None, words, &mut line);
    let found = grammar(&line);
    !line.contains(&b'\n')
        && !line.contains(&0)
        && found.len() == words.len()
        && found.into_iter().zip(words).all(|(found, word)| part(&line, found) == &word[..])
}

/// Changes a text to a list of lines.
pub(super) fn load(text: &[u8], json: &Value, grammar: Grammar) -> Loaded<Vec<u8>> {
    let Value::List(items) = json else { return Err(LoadError::new(Vec::new(), "a list of lines", json.describe())) };
    let mut new = Vec::with_capacity(items.len());
    for (nth, item) in items.iter().enumerate() {
        let at = Step::Index(wide(nth));
        let Value::List(own) = item else { return Err(LoadError::new(vec![at], "a list of words", item.describe())) };
        let own = own.iter().enumerate().map(|(word_nth, json)| word(json, [at, Step::Index(wide(word_nth))]));
        let own = own.collect::<Loaded<Vec<_>>>()?;
        if !are_words(&own, grammar) {
            return Err(LoadError::new(vec![at], "words without spaces and line ends", item.describe()));
        }
        new.push(own);
    }
    Ok(with_lines(text, new, grammar))
}

/// Returns a text with the words of these lines.
fn with_lines(text: &[u8], new: Vec<Vec<Vec<u8>>>, grammar: Grammar) -> Vec<u8> {
    let old = lines(text, grammar);
    let own: Vec<Vec<Vec<u8>>> =
        old.iter().map(|line| words(text, line).into_iter().map(<[u8]>::to_vec).collect()).collect();
    let paired: Vec<_> = pair(&own, &new).into_iter().zip(new).collect();
    merge(text, &old, &paired)
}

/// A text as a list of lines without their ends.
pub(super) static LINES: Codec = Codec {
    name: "lines of text",
    owners: each_owner,
    show: show_lines,
    print: None,
    load: |json, _| load_lines(b"", &json),
    merge: Some(load_lines),
    dense: Some(|bytes| bytes),
};

/// Returns the whole line as a word, if there is anything in it.
fn whole(line: &[u8]) -> Vec<Range<usize>> {
    if line.is_empty() { Vec::new() } else { core::iter::once(0..line.len()).collect() }
}

fn show_lines(text: &[u8]) -> Value {
    each_span(text).map(|(line, _)| Value::from(decode_text(GAME_TEXT, part(text, line)))).collect()
}

fn load_lines(text: &[u8], json: &Value) -> Loaded<Vec<u8>> {
    let Value::List(items) = json else { return Err(LoadError::new(Vec::new(), "a list of lines", json.describe())) };
    let line = |(nth, item): (usize, &Value)| {
        let line = word(item, [Step::Index(wide(nth))])?;
        Ok([line].into_iter().filter(|line| !line.is_empty()).collect())
    };
    let new = items.iter().enumerate().map(line).collect::<Loaded<Vec<_>>>()?;
    let loaded = with_lines(text, new, whole);
    match show_lines(&loaded) == *json {
        true => Ok(loaded),
        false => Err(LoadError::new(Vec::new(), "lines without line ends", json.describe())),
    }
}

/// Calls back for every line.
pub(super) fn each_owner(text: &[u8], tell: Tell<'_>) {
    for (nth, (line, end)) in each_span(text).enumerate() {
        tell(&[Step::Index(wide(nth))], Class::Semantic, part(text, line.start..end));
    }
}

/// Returns an error for the first byte of a text that no text has.
pub(super) fn first_nul(text: &[u8]) -> Option<usize> {
    memchr::memchr(0, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;

    fn spaced(line: &[u8]) -> Vec<Range<usize>> {
        between_spaces(line, true)
    }

    #[test]
    fn lines_end_after_their_feed() {
        let spans = |text| each_span(text).collect::<Vec<_>>();
        assert_eq!(spans(b"ab\r\n\nc\rd\r"), [(0..2, 4), (4..4, 5), (5..9, 9)]);
        assert_eq!(spans(b"a\n"), [(0..1, 2)]);
        assert_eq!(spans(b""), []);
    }

    #[test]
    fn words_are_counted_as_they_are_found() {
        for line in [&b""[..], b" ", b"a", b" a\tb ", b"a \"b c\" d", b"\"a b", b"\r\x0B\x0Ca\x1Ab", b"a\"b c\"d e"] {
            for quotes in [false, true] {
                assert_eq!(count_between_spaces(line, quotes), between_spaces(line, quotes).len(), "{line:?}");
            }
        }
    }

    #[test]
    fn only_the_words_that_differ_change() {
        let text = b"node  dummy a \r\n\r\n  position 0.10   1\t2\r\n\tend";
        let shown = show(text, spaced);
        assert_eq!(Compact(&shown).to_string(), r#"[["node","dummy","a"],[],["position","0.10","1","2"],["end"]]"#);
        assert_eq!(load(text, &shown, spaced).expect("fits"), text);
        for (json, expected) in [
            (
                r#"[["node","dummy","a"],[],["position","0.1","1","2"],["end"]]"#,
                &b"node  dummy a \r\n\r\n  position 0.1    1\t2\r\n\tend"[..],
            ),
            (
                r#"[["node","dummy","a"],[],["position","0.10","1","2","3"],["end"]]"#,
                b"node  dummy a \r\n\r\n  position 0.10   1\t2\t3\r\n\tend",
            ),
            (r#"[["node","dummy","a"],[],["end"]]"#, b"node  dummy a \r\n\r\n\tend"),
            (
                r#"[["node","dummy","a"],[],["position","0.10","1","2"],["x","y"],["end"]]"#,
                b"node  dummy a \r\n\r\n  position 0.10   1\t2\r\n  x y\r\n\tend",
            ),
        ] {
            let json = json::parse(json.as_bytes()).expect("JSON");
            let loaded = load(text, &json, spaced).expect("fits");
            assert_eq!(loaded.escape_ascii().to_string(), expected.escape_ascii().to_string());
            assert_eq!(show(&loaded, spaced), json);
        }
        assert!(load(text, &json::parse(br#"[["two words"]]"#).expect("JSON"), spaced).is_err());
    }

    #[test]
    fn only_the_lines_that_differ_change() {
        let text = b"void main()\r\n{\r\n\r\n  x();\r\r\n}";
        let loaded = |json: &str| load_lines(text, &json::parse(json.as_bytes()).expect("JSON"));
        assert_eq!(Compact(&show_lines(text)).to_string(), r#"["void main()","{","","  x();\r","}"]"#);
        assert_eq!(loaded(&Compact(&show_lines(text)).to_string()).as_deref(), Ok(&text[..]));
        assert_eq!(
            loaded(r#"["void main()","{","  y();","  x();\r","}",""]"#).map_err(|why| why.expected),
            Err("lines without line ends".to_owned()),
            "the text has no line end at its end"
        );
        let expected = b"int a;\r\nvoid main()\r\n{\r\n  y();\r\n  x();\r\r\n}";
        assert_eq!(loaded(r#"["int a;","void main()","{","  y();","  x();\r","}"]"#).as_deref(), Ok(&expected[..]));
        for wrong in [r#"["a\nb"]"#, r#"[["a"]]"#, r#"["\u4e00"]"#, "{}"] {
            assert!(loaded(wrong).is_err(), "{wrong}");
        }
    }
}
