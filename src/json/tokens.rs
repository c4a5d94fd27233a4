//! Finds the values of a text and their positions in one pass; a large text is scanned in pieces, on several cores.
//!
//! A string has no line breaks. So a piece can begin with any line that follows a comma and whose first value is not a string: it is
//! an item of a list. Lists and objects that end in a piece but began before it are checked when the pieces are joined. If anything
//! does not fit, the whole text is scanned once more in a single piece, which decides.

use core::ops::Range;

use std::borrow::Cow;

use super::nesting::NESTING;
use super::number::{is_of_number, number};
use field::{Thresholds, work};

/// Precedes the number of some bytes in a text that was made from a [value](field::Value). Text from a user never has it outside a string.
pub(super) const BLOB: u8 = 1;

/// A value in a text: the number of its token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct At(pub(super) u32);

/// The values of a text.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// The positions at which values and the names of members begin, in this order, followed by the end of the text. After that of an
    /// object or a list comes the length of all of it in this list.
    pub(super) tokens: Vec<u32>,
    /// `true` if the text contains a backslash.
    pub(super) has_escapes: bool,
    /// `true` if a name contains one.
    pub(super) names_escape: bool,
    /// `true` if there are no bytes in it but those of ASCII.
    pub(super) is_ascii: bool,
}

/// The approximate number of bytes of text per token.
const BYTES: usize = 8;

/// Finds the values of a text, or returns `None` if it is not valid JSON. Numbers and escapes are decoded only on use. Only a text
/// of bitexact's `own` may contain bytes, nulls, numbers that no float is near to, and any nesting: a text refused here would count
/// as empty, and would empty what it replaces.
pub(super) fn tokens(text: &[u8], own: bool, threads: usize) -> Option<Tokens> {
    let pieces = pieces(text, threads.min(text.len() / Thresholds::here().bytes_of_piece.max(1)));
    if pieces.len() > 1 {
        let found = work::share(&pieces, threads, |piece| Scan::of(text, own, piece.clone()));
        if let Some(all) = joined(text, found) {
            return Some(all);
        }
    }
    let mut scan = Scan::of(text, own, 0..text.len())?;
    if !scan.open.is_empty() || scan.next != Next::Comma {
        return None;
    }
    scan.tokens.push(narrow(text.len()));
    let Scan { tokens, has_escapes, names_escape, seen, .. } = scan;
    Some(Tokens { tokens, has_escapes, names_escape, is_ascii: seen & HIGH == 0 })
}

/// Returns the pieces of a text, at most `count` of them.
fn pieces(text: &[u8], count: usize) -> Vec<Range<usize>> {
    let count = count.max(1);
    let (mut pieces, mut from) = (Vec::new(), 0);
    for nth in 1..count {
        let about = ((text.len() / count) * nth).max(from);
        if let Some(to) = line_of_item(text, about) {
            pieces.push(from..to);
            from = to;
        }
    }
    pieces.push(from..text.len());
    pieces
}

/// Returns the offset of the first line after `about` that begins with an item of a list.
fn line_of_item(text: &[u8], about: usize) -> Option<usize> {
    let near = text.get(about..)?;
    let near = near.get(..Thresholds::here().bytes_to_line).unwrap_or(near);
    let mut at = 0_usize;
    loop {
        at = (at + near.get(at..)?.windows(2).position(|two| two == b",\n")?) + 2;
        let line = near.get(at..)?;
        let inner = line.iter().position(|byte| *byte != b' ')?;
        if matches!(line.get(inner), Some(b'[' | b'{' | b'-' | b'0'..=b'9')) {
            return Some(about + at + inner);
        }
    }
}

/// The expected next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Value {
        or_end: bool,
    },
    Name {
        or_end: bool,
    },
    /// A value or a name, in an object or list that began before the piece.
    Either,
    Comma,
}

/// An open object or list.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The number of its token.
    token: usize,
    is_object: bool,
    /// A bit set of hashes of its names.
    seen: u64,
    names: usize,
    /// `true` if its names must be compared when it ends.
    is_doubtful: bool,
}

/// An object or list that began before the piece, and ends in it.
#[derive(Clone, Copy, Debug)]
struct Ended {
    is_object: bool,
    /// The number of tokens in the piece before its end.
    tokens: usize,
}

/// The scan of a piece.
struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    tokens: Vec<u32>,
    open: Vec<Open>,
    /// The objects and lists that began before the piece and have ended, innermost first.
    ended: Vec<Ended>,
    /// For the innermost one that began before the piece and has not ended, `true` if it is an object; `None` if not known yet.
    outer: Option<bool>,
    next: Next,
    has_escapes: bool,
    names_escape: bool,
    /// All bits of all words that hold the bytes of strings. Only strings can hold bytes beyond ASCII.
    seen: u64,
    /// The maximum number of open lists and objects, without those from before the piece.
    depth_most: usize,
    /// Up to this many names are compared with each other; more are sorted.
    few: usize,
}

/// Joins pieces.
fn joined(text: &[u8], found: Vec<Option<Scan<'_>>>) -> Option<Tokens> {
    let mut pieces = found.into_iter();
    let Scan { mut tokens, mut open, mut next, mut has_escapes, mut names_escape, mut seen, ended, .. } =
        pieces.next()??;
    ended.is_empty().then_some(())?;
    let all: Vec<Scan<'_>> = pieces.collect::<Option<_>>()?;
    tokens.reserve_exact(all.iter().map(|piece| piece.tokens.len()).sum::<usize>() + 1);
    for piece in all {
        // The piece began as an item of a list, after its comma.
        (next == Next::Value { or_end: false } && open.last().is_some_and(|open| !open.is_object)).then_some(())?;
        (open.len() + piece.depth_most <= NESTING).then_some(())?;
        let base = tokens.len();
        tokens.extend_from_slice(&piece.tokens);
        for Ended { is_object, tokens: before } in piece.ended {
            let outer = open.pop()?;
            // No token may follow the outermost one.
            let is_last = before == piece.tokens.len() && piece.next == Next::Comma;
            (!open.is_empty() || is_last).then_some(())?;
            (outer.is_object == is_object).then_some(())?;
            *tokens.get_mut(outer.token + 1)? = narrow(base + before - outer.token);
            (!is_object || are_told_apart(text, &tokens, outer.token)).then_some(())?;
        }
        if let (Some(is_object), Some(outer)) = (piece.outer, open.last_mut()) {
            (outer.is_object == is_object).then_some(())?;
            outer.is_doubtful = true;
        }
        // The piece did not know what it was in.
        next = match (piece.next, open.last()) {
            (Next::Either, Some(outer)) if piece.open.is_empty() => match outer.is_object {
                true => Next::Name { or_end: false },
                false => Next::Value { or_end: false },
            },
            (Next::Either, _) => return None,
            (next, _) => next,
        };
        open.extend(piece.open.into_iter().map(|it| Open { token: it.token + base, ..it }));
        has_escapes |= piece.has_escapes;
        names_escape |= piece.names_escape;
        seen |= piece.seen;
    }
    (open.is_empty() && next == Next::Comma).then_some(())?;
    tokens.push(narrow(text.len()));
    Some(Tokens { tokens, has_escapes, names_escape, is_ascii: seen & HIGH == 0 })
}

impl<'t> Scan<'t> {
    /// Scans a piece to its end, which is the end of a token.
    fn of(text: &'t [u8], own: bool, piece: Range<usize>) -> Option<Self> {
        let mut scan = Self {
            text: text.get(..piece.end)?,
            at: piece.start,
            tokens: Vec::with_capacity(piece.len() / BYTES),
            open: Vec::new(),
            ended: Vec::new(),
            // It begins as an item of a list.
            outer: (piece.start > 0).then_some(false),
            next: Next::Value { or_end: false },
            has_escapes: false,
            names_escape: false,
            seen: 0,
            depth_most: 0,
            few: Thresholds::here().names,
        };
        scan.run(own, piece.start > 0)?;
        Some(scan)
    }

    fn run(&mut self, own: bool, is_inner: bool) -> Option<()> {
        while let Some(byte) = self.ahead() {
            match (self.next, byte) {
                (Next::Either, b'"') => {
                    self.token();
                    self.at = self.string(self.at + 1)?;
                    let is_name = self.ahead() == Some(b':');
                    if is_name {
                        self.at += 1;
                        self.names_escape |= self.has_escapes;
                    }
                    (*self.outer.get_or_insert(is_name) == is_name).then_some(())?;
                    self.next = if is_name { Next::Value { or_end: false } } else { Next::Comma };
                }
                (Next::Either, _) => {
                    (!*self.outer.get_or_insert(false)).then_some(())?;
                    self.next = Next::Value { or_end: false };
                }
                (Next::Value { .. }, b'{' | b'[') => {
                    let is_object = byte == b'{';
                    let token = self.tokens.len();
                    self.token();
                    // Its length, once it ends.
                    self.tokens.push(0);
                    (own || self.open.len() <= NESTING).then_some(())?;
                    self.open.push(Open { token, is_object, seen: 0, names: 0, is_doubtful: false });
                    self.depth_most = self.depth_most.max(self.open.len());
                    self.at += 1;
                    self.next = if is_object { Next::Name { or_end: true } } else { Next::Value { or_end: true } };
                }
                (Next::Value { .. }, b'"') => {
                    self.token();
                    self.at = self.string(self.at + 1)?;
                    self.next = Next::Comma;
                }
                (Next::Value { .. }, b'-' | b'0'..=b'9') => {
                    let in_list = self.open.last().is_some_and(|open| !open.is_object);
                    self.next = Next::Comma;
                    loop {
                        self.token();
                        self.at = self.number(own)?;
                        // Most numbers follow others in a list.
                        if !in_list || self.text.get(self.at) != Some(&b',') {
                            break;
                        }
                        self.at += 1;
                        if !matches!(self.ahead(), Some(b'-' | b'0'..=b'9')) {
                            self.next = Next::Value { or_end: false };
                            break;
                        }
                    }
                }
                (Next::Value { .. }, b't') => self.word(b"true")?,
                (Next::Value { .. }, b'f') => self.word(b"false")?,
                (Next::Value { .. }, b'n') if own => self.word(b"null")?,
                (Next::Value { .. }, BLOB) if own => {
                    self.token();
                    let rest = self.text.get(self.at + 1..)?;
                    let digits = rest.iter().take_while(|byte| is_of_number(**byte)).count();
                    self.at = self.at + 1 + digits;
                    self.next = Next::Comma;
                }
                (Next::Name { .. }, b'"') => self.name(own)?,
                (Next::Comma, b',') => {
                    self.at += 1;
                    self.next = match self.open.last() {
                        Some(open) if open.is_object => Next::Name { or_end: false },
                        Some(_) => Next::Value { or_end: false },
                        None if is_inner => match self.outer {
                            Some(true) => Next::Name { or_end: false },
                            Some(false) => Next::Value { or_end: false },
                            None => Next::Either,
                        },
                        None => return None,
                    };
                }
                (Next::Comma | Next::Name { or_end: true }, b'}')
                | (Next::Comma | Next::Value { or_end: true }, b']') => self.end(byte == b'}', own, is_inner)?,
                _ => return None,
            }
        }
        Some(())
    }

    /// Returns the next byte that is not white space.
    #[inline]
    fn ahead(&mut self) -> Option<u8> {
        match *self.text.get(self.at)? {
            // One space follows most commas and colons.
            b' ' => self.at += 1,
            byte if byte > b' ' => return Some(byte),
            _ => {}
        }
        match *self.text.get(self.at)? {
            byte if byte > b' ' => Some(byte),
            _ => {
                self.at = blank_end(self.text, self.at);
                self.text.get(self.at).copied()
            }
        }
    }

    /// Adds a token for a value or name that begins here.
    #[inline]
    fn token(&mut self) {
        self.tokens.push(narrow(self.at));
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.token();
        self.text.get(self.at..)?.starts_with(word).then_some(())?;
        self.at += word.len();
        self.next = Next::Comma;
        Some(())
    }

    /// Returns the end of the string whose contents begin at an offset, after its closing quotation mark.
    #[inline]
    fn string(&mut self, mut at: usize) -> Option<usize> {
        loop {
            at = plain_end(self.text, at, &mut self.seen);
            match self.text.get(at)? {
                b'"' => return Some(at + 1),
                b'\\' => {
                    self.has_escapes = true;
                    self.seen |= u64::from(*self.text.get(at + 1)?);
                    at += 2;
                }
                _ => return None,
            }
        }
    }

    /// Returns the end of the number that begins here, or `None` if it is not a valid number. Those of an `own` text are valid or
    /// refused by what loads them.
    #[inline]
    fn number(&self, own: bool) -> Option<usize> {
        let text = self.text.get(self.at..)?;
        let begin = usize::from(text.first() == Some(&b'-'));
        let whole = digits_end(text, begin);
        let has_zero = text.get(begin) == Some(&b'0') && whole > begin + 1;
        let (end, is_long) = match text.get(whole) {
            Some(b'.') => {
                let end = digits_end(text, whole + 1);
                (end, end == whole + 1 || end > 38)
            }
            _ => (whole, whole > 18),
        };
        // One digit before the point and a small exponent: a float can hold all such numbers, and none of them is too small.
        let is_short = whole == begin + 1 && !is_long && text.get(begin) != Some(&b'0');
        let end = match text.get(end..) {
            Some([b'e' | b'E', rest @ ..]) if is_short => match rest {
                [b'-', b'0'..=b'3', b'0'..=b'9', ..] => end + 4,
                [b'-', b'0'..=b'9', ..] => end + 3,
                [b'+', b'0'..=b'2', b'0'..=b'9', ..] => end + 4,
                [b'+', b'0'..=b'9', ..] => end + 3,
                [b'0'..=b'2', b'0'..=b'9', ..] => end + 3,
                [b'0'..=b'9', ..] => end + 2,
                _ => end,
            },
            _ => end,
        };
        let is_zero = begin == 1 && whole == 2 && end == whole && text.get(begin) == Some(&b'0');
        let is_odd =
            is_zero || is_long || has_zero || whole == begin || text.get(end).is_some_and(|byte| is_of_number(*byte));
        if !is_odd {
            return Some(self.at + end);
        }
        let length = text.iter().take_while(|byte| is_of_number(**byte)).count();
        (own || number(text.get(..length)?).is_ok()).then_some(self.at + length)
    }

    /// Scans the name of a member, and the colon after it.
    #[inline]
    fn name(&mut self, own: bool) -> Option<()> {
        let begin = self.at + 1;
        let had_escapes = core::mem::take(&mut self.has_escapes);
        self.token();
        let end = self.string(begin)?;
        // The closing quotation mark is included, so that a longer name does not match.
        let name = self.text.get(begin..end)?;
        if !own && let Some(open) = self.open.last_mut() {
            let bit = 1_u64 << bits(name);
            if open.seen & bit != 0 && !open.is_doubtful {
                if open.names > self.few {
                    open.is_doubtful = true;
                } else {
                    let this = self.tokens.len().saturating_sub(1);
                    for token in names_of(self.text, &self.tokens, open.token, this) {
                        let start = position(*self.tokens.get(token)?) + 1;
                        (!self.text.get(start..)?.starts_with(name)).then_some(())?;
                    }
                }
            }
            open.seen |= bit;
            open.names += 1;
            // An escape can be written in several ways.
            open.is_doubtful |= self.has_escapes;
        }
        self.names_escape |= self.has_escapes;
        self.has_escapes |= had_escapes;
        self.at = end;
        (self.ahead() == Some(b':')).then_some(())?;
        self.at += 1;
        self.next = Next::Value { or_end: false };
        Some(())
    }

    /// Ends an object or a list.
    fn end(&mut self, is_object: bool, own: bool, is_inner: bool) -> Option<()> {
        self.at += 1;
        self.next = Next::Comma;
        let tokens = self.tokens.len();
        let Some(open) = self.open.pop() else {
            (is_inner && self.outer.is_none_or(|outer| outer == is_object)).then_some(())?;
            self.ended.push(Ended { is_object, tokens });
            self.outer = None;
            return Some(());
        };
        (open.is_object == is_object).then_some(())?;
        *self.tokens.get_mut(open.token + 1)? = narrow(tokens - open.token);
        (own || !open.is_doubtful || are_told_apart(self.text, &self.tokens, open.token)).then_some(())
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// Returns the position of the first quotation mark, backslash or control character from an offset onward, and adds the bits of the bytes
/// before it, and perhaps of some after it, to those seen.
#[inline]
fn plain_end(text: &[u8], mut at: usize, seen: &mut u64) -> usize {
    // Tests eight bytes at once. The lowest bit found marks the first such byte; higher ones may be wrong.
    while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*eight);
        *seen |= word;
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
        let control = word.wrapping_sub(ONES << 5) & !word & HIGH;
        let found = zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5C)) | control;
        if found != 0 {
            return at + position(found.trailing_zeros() / 8);
        }
        at += 8;
    }
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().for_each(|byte| *seen |= u64::from(*byte));
    let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
    at + found.unwrap_or(rest.len())
}

/// Returns the end of white space, eight spaces at a time: a third of a document is indentation.
#[inline]
fn blank_end(text: &[u8], mut at: usize) -> usize {
    loop {
        while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let other = u64::from_le_bytes(*eight) ^ 0x2020_2020_2020_2020;
            if other != 0 {
                at += position(other.trailing_zeros() / 8);
                break;
            }
            at += 8;
        }
        match text.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
    }
}

/// Returns the end of the digits from an offset onward, eight at a time.
#[inline]
fn digits_end(text: &[u8], mut at: usize) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        // A digit becomes 0 to 9, and more than 9 sets the high bit. A carry spoils only bytes after the first that is no digit.
        let word = u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030;
        let found = (word | word.wrapping_add(0x7676_7676_7676_7676)) & HIGH;
        if found != 0 {
            return at + position(found.trailing_zeros() / 8);
        }
        at += 8;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())
}

/// Returns a hash of a name, of a few bits.
#[inline]
fn bits(name: &[u8]) -> u32 {
    let word = match name.last_chunk::<5>() {
        Some([a, b, c, d, _]) => u32::from_le_bytes([*a, *b, *c, *d]),
        None => name.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)),
    };
    (word ^ narrow(name.len()).rotate_left(13)).wrapping_mul(0x9E37_79B1) >> 26
}

/// Returns `true` if an object that has ended has no duplicate names.
fn are_told_apart(text: &[u8], tokens: &[u32], object: usize) -> bool {
    let name = |token: usize| {
        let start = position(*tokens.get(token)?) + 1;
        let mut end = start;
        loop {
            end = plain_end(text, end, &mut 0);
            match text.get(end)? {
                b'"' => return unescaped(text.get(start..end)?),
                _ => end += 2,
            }
        }
    };
    let end = object + length_of(text, tokens, object);
    let mut names: Vec<_> = names_of(text, tokens, object, end).filter_map(name).collect();
    names.sort_unstable();
    names.windows(2).all(|two| !matches!(two, [one, other] if one == other))
}

/// Returns the numbers of the name tokens in an object, before the token `end`.
fn names_of(text: &[u8], tokens: &[u32], object: usize, end: usize) -> impl Iterator<Item = usize> {
    let mut next = object + INSIDE;
    core::iter::from_fn(move || {
        let name = Some(next).filter(|name| *name < end)?;
        next = name + 1 + length_of(text, tokens, name + 1);
        Some(name)
    })
}

/// The contents of an object or a list begin this far after its token.
pub(super) const INSIDE: usize = 2;

/// Returns the number of tokens that a value takes.
#[inline]
pub(super) fn length_of(text: &[u8], tokens: &[u32], token: usize) -> usize {
    let first = tokens.get(token).and_then(|start| text.get(position(*start)));
    match first {
        Some(b'{' | b'[') => tokens.get(token + 1).map_or(1, |length| position(*length)),
        _ => 1,
    }
}

/// Returns a string without its escapes, or `None` if it has an escape that JSON does not define.
pub(super) fn unescaped(raw: &[u8]) -> Option<Cow<'_, str>> {
    let Some(first) = raw.iter().position(|byte| *byte == b'\\') else {
        return core::str::from_utf8(raw).ok().map(Cow::Borrowed);
    };
    let (plain, rest) = raw.split_at_checked(first)?;
    let mut text = Vec::with_capacity(raw.len());
    text.extend_from_slice(plain);
    let mut rest = rest;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'\\' {
            text.push(*byte);
            continue;
        }
        let (escape, behind) = rest.split_first()?;
        rest = behind;
        match escape {
            b'"' | b'\\' | b'/' => text.push(*escape),
            b'n' => text.push(b'\n'),
            b't' => text.push(b'\t'),
            b'r' => text.push(b'\r'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'u' => {
                let (digits, behind) = rest.split_first_chunk::<4>()?;
                let digits = core::str::from_utf8(digits).ok().filter(|it| !it.starts_with('+'))?;
                // The parser handles characters that take two escapes.
                let Some(it) = char::from_u32(u32::from_str_radix(digits, 16).ok()?) else {
                    return serde_json::from_slice(&[b"\"", raw, b"\""].concat()).ok().map(Cow::Owned);
                };
                text.extend_from_slice(it.encode_utf8(&mut [0; 4]).as_bytes());
                rest = behind;
            }
            _ => return None,
        }
    }
    String::from_utf8(text).ok().map(Cow::Owned)
}

pub(super) fn position(offset: u32) -> usize {
    offset.try_into().unwrap_or(usize::MAX)
}

pub(super) fn narrow(length: usize) -> u32 {
    length.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the tokens of a text that is scanned in pieces, if these fit together.
    fn in_pieces(text: &str, count: usize) -> Option<Tokens> {
        let pieces = pieces(text.as_bytes(), count);
        assert!(pieces.len() > 1, "{pieces:?}: {text}");
        joined(text.as_bytes(), pieces.into_iter().map(|piece| Scan::of(text.as_bytes(), false, piece)).collect())
    }

    #[test]
    fn ends_of_blanks_and_digits_are_those_of_single_steps() {
        type End = fn(&[u8], usize) -> usize;
        let ends: [(&[u8; 4], End); 2] = [(b" \n\r\t", blank_end), (b"0591", digits_end)];
        for length in 0..20 {
            for byte in 0..=255 {
                for (run, end) in ends {
                    let mut text: Vec<u8> = run.iter().copied().cycle().take(length).chain([byte]).collect();
                    let is_more =
                        |byte: &u8| if run[0] == b' ' { b" \n\r\t".contains(byte) } else { byte.is_ascii_digit() };
                    for rest in [&b""[..], b" 0", b"000000000000", b"            "] {
                        text.truncate(length + 1);
                        text.extend_from_slice(rest);
                        let expected = text.iter().position(|byte| !is_more(byte)).unwrap_or(text.len());
                        assert_eq!(end(&text, 0), expected, "{text:?}");
                    }
                }
            }
        }
    }

    fn shown(tokens: Option<Tokens>) -> Option<(Vec<u32>, bool)> {
        tokens.map(|it| (it.tokens, it.has_escapes))
    }

    #[test]
    fn text_in_pieces_has_the_same_tokens() {
        let item = |nth: usize| format!("{{\"a\": {nth}, \"b\": [\n1,\n-2.5e-3], \"c\": \"x{nth}\\n\"}}");
        let list = |count: usize| (0..count).map(item).collect::<Vec<_>>().join(",\n  ");
        let records = format!("{{\"z\": \"s\", \"list\": [\n  {}\n], \"after\": {{\"a\": 1}}, \"t\": true}}", list(20));
        let nested = format!("[[\n{0}],\n[{0}], [[\n{0},\n {0}]]]", list(3));
        let mixed = format!("[{0}, \"x\",\n1, [{{\"p\": [\n{0}], \"q\": [2,\n3]}}, \"y\"],\n4, \"z\", [5]]", list(2));
        for text in [&records, &nested, &mixed] {
            let whole = shown(tokens(text.as_bytes(), false, 1));
            assert!(whole.is_some(), "{text}");
            for count in 2..12 {
                assert_eq!(shown(in_pieces(text, count)), whole, "{count}: {text}");
            }
        }
    }

    #[test]
    fn errors_between_pieces_are_found() {
        let rows = "1,\n2,\n3,\n4,\n5,\n6";
        for text in [
            format!("{{\"a\": [{rows}], \"b\": [{rows}], \"a\": 1}}"),
            format!("{{\"a\": [{rows}}}, \"b\": [{rows}]]"),
            format!("{{\"a\": 1,\n{rows}}}"),
            format!("[{rows}], [{rows}]"),
            format!("[{rows}]]"),
            format!("[[{rows}], \"b\": [{rows}]]"),
            format!("{{\"a\": [{rows}], 7, [{rows}]}}"),
            format!("[[{rows}], [{rows}]"),
        ] {
            assert!(tokens(text.as_bytes(), false, 1).is_none(), "{text}");
            for count in 2..8 {
                assert!(in_pieces(&text, count).is_none(), "{count}: {text}");
            }
        }
    }

    #[test]
    fn duplicate_names_are_found_in_objects_of_any_size() {
        for count in [2, 5, 15, 16, 17, 18, 40, 200] {
            let names = (0..count).map(|nth| format!("\"name{nth}\": {{}}")).collect::<Vec<_>>().join(", ");
            assert!(tokens(format!("{{{names}}}").as_bytes(), false, 1).is_some(), "{count}");
            for nth in [0, count / 2, count - 1] {
                let text = format!("{{{names}, \"name{nth}\": 1}}");
                assert!(tokens(text.as_bytes(), false, 1).is_none(), "{count} {nth}");
            }
        }
        let prefix = r#"{"a": 1, "ab": 2, "b": 3, "": 4, "ba": 5}"#;
        assert!(tokens(prefix.as_bytes(), false, 1).is_some());
    }

    #[test]
    fn numbers_too_large_for_a_float_are_refused() {
        for (number, is) in
            [("1e29", true), ("9.5e29", true), ("1e38", true), ("1e39", false), ("99999999999e29", false)]
        {
            assert_eq!(tokens(number.as_bytes(), false, 1).is_some(), is, "{number}");
        }
    }
}
