//! The text of a JSON document with an index of its objects and lists. A value is parsed where it is used, and no tree of
//! values is built of the rest.

use core::ops::Range;
use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use serde::Deserialize as _;
use serde::de::Error as _;
use serde_json::Deserializer;
use serde_json::de::Read;

use super::json::Json;
use super::limits;
use super::raw::unhex;

/// Stands before the number of some bytes in a text that was made of a [`Json`]. No text of a user has it outside a string.
const BLOB: u8 = 1;

/// The text of a document, found to be JSON as far as its lists and objects go.
#[derive(Clone, Debug, Default)]
pub struct JsonText(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    text: Bytes,
    /// The values and the names of members, in the order in which they begin; behind them the end of the text.
    tokens: Vec<Token>,
    /// Whether a backslash is anywhere in the text.
    has_escapes: bool,
    /// Bytes that a value stands for.
    blobs: Vec<Bytes>,
}

/// A value, or the name of a member.
#[derive(Clone, Copy, Debug, Default)]
struct Token {
    /// Where it begins in the text.
    start: u32,
    /// The number of the token behind it and what is in it.
    next: u32,
}

/// A value in a text: the number of its token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct At(u32);

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name between the quotation marks, as it is written.
    name: (u32, u32),
    /// The value.
    pub value: At,
}

/// A value from text.
///
/// # Errors
/// The line and column where it is none, and why.
pub fn parse(text: &[u8]) -> Result<Json, serde_json::Error> {
    let text = unmarked(text).map_err(serde_json::Error::custom)?;
    // Looked at as a whole, the characters of every single text need not be. Where they are none is said on the way.
    match core::str::from_utf8(text) {
        Ok(text) => read(Deserializer::from_str(text)),
        Err(_) => read(Deserializer::from_slice(text)),
    }
}

fn read<'de>(mut reader: Deserializer<impl Read<'de>>) -> Result<Json, serde_json::Error> {
    // Deep lists are counted on the way.
    reader.disable_recursion_limit();
    let json = Json::deserialize(&mut reader)?;
    reader.end()?;
    Ok(json)
}

/// A text as it is meant: the mark that some editors put before UTF-8 is no part of it.
///
/// # Errors
/// When the mark says that it is UTF-16.
pub fn unmarked(text: &[u8]) -> Result<&[u8], &'static str> {
    match text {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Err("expected UTF-8, found UTF-16"),
        _ => Ok(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)),
    }
}

impl JsonText {
    /// Indexes the text of a file.
    ///
    /// # Errors
    /// The line and column where it is no JSON, and why.
    pub fn index(file: Bytes) -> Result<Self, serde_json::Error> {
        let text = file.slice_ref(unmarked(&file).map_err(serde_json::Error::custom)?);
        if u32::try_from(text.len()).is_err() {
            return Err(serde_json::Error::custom("expected at most 4 GB of text, found more"));
        }
        let tokens = core::str::from_utf8(&text).ok().and_then(|_| tokens(&text, false));
        match tokens {
            Some(tokens) => {
                let has_escapes = text.contains(&b'\\');
                Ok(Self(Arc::new(Inner { text, tokens, has_escapes, blobs: Vec::new() })))
            }
            // The parser says where and why.
            None => Err(parse(&text).map_or_else(|error| error, |_| serde_json::Error::custom("no JSON"))),
        }
    }

    /// The text of a value.
    #[must_use]
    pub fn of(json: &Json) -> Self {
        let (mut text, mut blobs) = (Vec::new(), Vec::new());
        put(&mut text, &mut blobs, json);
        let tokens = tokens(&text, true).unwrap_or_default();
        let has_escapes = text.contains(&b'\\');
        Self(Arc::new(Inner { text: text.into(), tokens, has_escapes, blobs }))
    }

    /// The whole value.
    #[must_use]
    pub fn root(&self) -> At {
        At(0)
    }

    fn token(&self, number: u32) -> Token {
        self.0.tokens.get(position(number)).copied().unwrap_or_default()
    }

    fn start(&self, at: At) -> u32 {
        self.token(at.0).start
    }

    /// The first byte of a value.
    fn first(&self, at: At) -> u8 {
        self.0.text.get(position(self.start(at))).copied().unwrap_or_default()
    }

    fn slice(&self, range: Range<u32>) -> &[u8] {
        self.0.text.get(position(range.start)..position(range.end)).unwrap_or_default()
    }

    /// What a token is that has no others in it, and behind it white space, commas and brackets.
    fn plain(&self, number: u32) -> &[u8] {
        self.slice(self.token(number).start..self.token(number.saturating_add(1)).start)
    }

    /// A string as it is written, without its quotation marks.
    fn quoted(&self, number: u32) -> &[u8] {
        let rest = self.plain(number).get(1..).unwrap_or_default();
        let end = rest.iter().rposition(|&byte| byte == b'"');
        rest.get(..end.unwrap_or_default()).unwrap_or_default()
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(&self, at: At) -> bool {
        self.first(at) == b'{'
    }

    /// Whether it is a list.
    #[must_use]
    pub fn is_list(&self, at: At) -> bool {
        self.first(at) == b'['
    }

    /// Whether it is an object or list without anything in it.
    #[must_use]
    pub fn is_empty(&self, at: At) -> bool {
        matches!(self.first(at), b'{' | b'[') && self.token(at.0).next == at.0.saturating_add(1)
    }

    /// The items of a list.
    pub fn items(&self, at: At) -> impl Iterator<Item = At> {
        let end = if self.is_list(at) { self.token(at.0).next } else { 0 };
        let mut next = at.0.saturating_add(1);
        core::iter::from_fn(move || {
            let item = (next < end).then_some(At(next))?;
            next = self.token(next).next;
            Some(item)
        })
    }

    /// The members of an object.
    pub fn members(&self, at: At) -> impl Iterator<Item = Member> {
        let end = if self.is_object(at) { self.token(at.0).next } else { 0 };
        let mut next = at.0.saturating_add(1);
        core::iter::from_fn(move || {
            let name = (next < end).then_some(next)?;
            let value = name.saturating_add(1);
            next = self.token(value).next;
            let start = self.token(name).start.saturating_add(1);
            let length = narrow(self.quoted(name).len());
            Some(Member { name: (start, start.saturating_add(length)), value: At(value) })
        })
    }

    /// Whether it is the null that stands in a [`Json`] where a value was taken.
    #[must_use]
    pub fn is_null(&self, at: At) -> bool {
        self.first(at) == b'n'
    }

    /// A number that is the same for equal names, and mostly another for others; nothing where an escape is in it, which can be
    /// written in several ways.
    #[must_use]
    pub fn hash_of_name(&self, member: &Member) -> Option<u32> {
        let raw = self.slice(member.name.0..member.name.1);
        if self.0.has_escapes && raw.contains(&b'\\') {
            return None;
        }
        let byte = |from: usize| raw.len().checked_sub(from).and_then(|at| raw.get(at)).copied().map_or(0, u32::from);
        let first = raw.first().copied().map_or(0, u32::from);
        let sum = byte(1).wrapping_mul(31).wrapping_add(byte(2).wrapping_mul(7)).wrapping_add(first);
        Some(sum.wrapping_add(narrow(raw.len())))
    }

    /// Whether two members of an object have the same name.
    #[must_use]
    pub fn have_one_name(&self, one: &Member, other: &Member) -> bool {
        let raw = |member: &Member| self.slice(member.name.0..member.name.1);
        raw(one) == raw(other)
            || (raw(one).contains(&b'\\') || raw(other).contains(&b'\\')) && self.name(one) == self.name(other)
    }

    /// Whether a member has this name.
    #[must_use]
    pub fn is_named(&self, member: &Member, name: &str) -> bool {
        let raw = self.slice(member.name.0..member.name.1);
        raw == name.as_bytes() || (self.0.has_escapes && raw.contains(&b'\\') && self.name(member) == name)
    }

    /// The name of a member.
    #[must_use]
    pub fn name(&self, member: &Member) -> Cow<'_, str> {
        let raw = self.slice(member.name.0..member.name.1);
        self.unescaped(raw).unwrap_or_else(|| String::from_utf8_lossy(raw))
    }

    /// The member of this name of an object.
    #[must_use]
    pub fn member(&self, object: At, name: &str) -> Option<At> {
        self.members(object).find(|member| self.is_named(member, name)).map(|member| member.value)
    }

    /// The text that a value is.
    #[must_use]
    pub fn text(&self, at: At) -> Option<Cow<'_, str>> {
        if self.first(at) == b'"' { self.unescaped(self.quoted(at.0)) } else { None }
    }

    fn unescaped<'t>(&self, raw: &'t [u8]) -> Option<Cow<'t, str>> {
        if !self.0.has_escapes || !raw.contains(&b'\\') {
            return core::str::from_utf8(raw).ok().map(Cow::Borrowed);
        }
        let quoted = [b"\"", raw, b"\""].concat();
        serde_json::from_slice(&quoted).ok().map(Cow::Owned)
    }

    /// The bytes that a value is, in hexadecimal or as they are.
    #[must_use]
    pub fn bytes(&self, at: At) -> Option<Bytes> {
        if self.first(at) == BLOB { self.blob(at) } else { unhex(&self.text(at)?).map(Bytes::from) }
    }

    fn blob(&self, at: At) -> Option<Bytes> {
        let digits = self.plain(at.0).get(1..)?;
        let digits = digits.get(..digits.iter().take_while(|byte| byte.is_ascii_digit()).count())?;
        let number: usize = core::str::from_utf8(digits).ok()?.parse().ok()?;
        self.0.blobs.get(number).cloned()
    }

    /// The value.
    ///
    /// # Errors
    /// Why there is none: a number that JSON does not know, or that is too large, a name that stands twice in an object.
    pub fn json(&self, at: At) -> Result<Json, String> {
        match self.first(at) {
            b'{' => {
                let member = |member: Member| Ok((self.name(&member).into(), self.json(member.value)?));
                let members = self.members(at).map(member).collect::<Result<_, String>>()?;
                Json::of_members(members).map_err(|name| format!("{name:?} stands there twice"))
            }
            b'[' => self.items(at).map(|item| self.json(item)).collect::<Result<_, String>>().map(Json::List),
            b'"' => match self.text(at) {
                Some(text) => Ok(Json::from(&*text)),
                None => Err("a text with an escape that JSON does not know".to_owned()),
            },
            BLOB => Ok(Json::Bytes(self.blob(at).unwrap_or_default().into())),
            b't' => Ok(Json::Bool(true)),
            b'f' => Ok(Json::Bool(false)),
            b'n' => Ok(Json::Null),
            _ => {
                let text = self.plain(at.0);
                let length = text.iter().take_while(|byte| is_of_number(**byte)).count();
                number(text.get(..length).unwrap_or_default())
            }
        }
    }

    /// What kind of value it is, for messages.
    #[must_use]
    pub fn describe(&self, at: At) -> String {
        match self.first(at) {
            b'{' => Json::Object(Vec::new()).describe(),
            b'[' => format!("a list of {}", self.items(at).count()),
            _ => self.json(at).map_or_else(|why| why, |json| json.describe()),
        }
    }
}

/// Finds the values of a text; nothing where it is no JSON. What numbers and escapes say is left to those who use them. Of our
/// `own`, a text may have bytes and nulls.
fn tokens(text: &[u8], own: bool) -> Option<Vec<Token>> {
    #[derive(Clone, Copy)]
    enum Next {
        Value { or_end: bool },
        Name { or_end: bool },
        Comma,
    }
    let mut tokens: Vec<Token> = Vec::new();
    // The objects and lists that are open, and whether they are objects.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let (mut at, mut next) = (0, Next::Value { or_end: false });
    loop {
        let Some(&byte) = text.get(at) else {
            let is_whole = matches!(next, Next::Comma) && open.is_empty();
            tokens.push(Token { start: narrow(text.len()), next: 0 });
            return is_whole.then_some(tokens);
        };
        if is_white(byte) {
            at += 1;
            continue;
        }
        if !matches!(byte, b',' | b'}' | b']') {
            tokens.push(Token { start: narrow(at), next: narrow(tokens.len()).saturating_add(1) });
        }
        at += 1;
        match (next, byte) {
            (Next::Value { .. }, b'{' | b'[') => {
                if open.len() > limits::NESTING_OF_JSON {
                    return None;
                }
                let object = byte == b'{';
                open.push((tokens.len().saturating_sub(1), object));
                next = if object { Next::Name { or_end: true } } else { Next::Value { or_end: true } };
            }
            (Next::Value { .. }, b'"') => {
                at += string(text.get(at..)?)? + 1;
                next = Next::Comma;
            }
            (Next::Value { .. }, b'-' | b'0'..=b'9') => {
                let begin = at.saturating_sub(1);
                at += text.get(at..)?.iter().take_while(|byte| is_of_number(**byte)).count();
                let digits = text.get(begin..at)?;
                // What is no number is refused here, with its line.
                (is_plain(digits) || number(digits).is_ok()).then_some(())?;
                next = Next::Comma;
            }
            (Next::Value { .. }, b't' | b'f') => {
                let rest: &[u8] = if byte == b't' { b"rue" } else { b"alse" };
                text.get(at..)?.starts_with(rest).then_some(())?;
                at += rest.len();
                next = Next::Comma;
            }
            (Next::Value { .. }, b'n') if own => {
                at += "ull".len();
                next = Next::Comma;
            }
            (Next::Value { .. }, BLOB) if own => {
                at += text.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
                next = Next::Comma;
            }
            (Next::Name { .. }, b'"') => {
                at += string(text.get(at..)?)? + 1;
                at += text.get(at..)?.iter().take_while(|byte| is_white(**byte)).count();
                (text.get(at) == Some(&b':')).then_some(())?;
                at += 1;
                next = Next::Value { or_end: false };
            }
            (Next::Comma, b',') => {
                next = if open.last()?.1 { Next::Name { or_end: false } } else { Next::Value { or_end: false } };
            }
            (Next::Comma | Next::Name { or_end: true }, b'}') | (Next::Comma | Next::Value { or_end: true }, b']') => {
                let (nest, object) = open.pop()?;
                (object == (byte == b'}')).then_some(())?;
                (!object || own || are_told_apart(text, &tokens, nest)).then_some(())?;
                let count = narrow(tokens.len());
                tokens.get_mut(nest)?.next = count;
                next = Next::Comma;
            }
            _ => return None,
        }
    }
}

/// The length of the string whose inside begins here; nothing where it has no end or a control character.
fn string(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < b' ')?;
        match text.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => return None,
        }
    }
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E')
}

/// The number that a text is.
fn number(text: &[u8]) -> Result<Json, String> {
    let (minus, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // Most numbers are short and whole; those that are not, and odd ones, are the parser's.
    if let [first, rest @ ..] = digits
        && (*first != b'0' || (rest.is_empty() && !minus))
        && digits.len() <= 18
        && digits.iter().all(u8::is_ascii_digit)
    {
        let value = digits.iter().fold(0_i64, |value, digit| value * 10 + i64::from(digit - b'0'));
        return Ok(Json::Integer(if minus { -value } else { value }));
    }
    if is_decimal(digits)
        && let Ok(text) = core::str::from_utf8(text)
        && let Ok(value) = text.parse::<f32>()
        && value.is_finite()
    {
        return Ok(Json::Float(value));
    }
    let json: Json = serde_json::from_slice(text).map_err(|error| {
        // It has no lines.
        let error = error.to_string();
        error.rsplit_once(" at line ").map_or_else(|| error.clone(), |(why, _)| why.to_owned())
    })?;
    Ok(json)
}

/// Whether it is a number that surely is one: not long, without an exponent.
fn is_plain(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let is_whole = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0'));
    (is_whole && (1..=18).contains(&digits.len())) || (digits.len() <= 38 && is_decimal(digits))
}

/// Whether no two members of an object have one name, as far as its tokens are known.
fn are_told_apart(text: &[u8], tokens: &[Token], object: usize) -> bool {
    let name = |token: &Token| {
        let rest = text.get(position(token.start).saturating_add(1)..)?;
        rest.get(..string(rest)?)
    };
    let mut names = Vec::new();
    let (mut seen, mut are_apart, mut at) = (0_u64, true, object.saturating_add(1));
    while let Some(token) = tokens.get(at) {
        let raw = name(token).unwrap_or_default();
        let byte = |from: usize| raw.len().checked_sub(from).and_then(|at| raw.get(at)).copied().map_or(0, u64::from);
        let first = raw.first().copied().map_or(0, u64::from);
        let sum = byte(1).wrapping_mul(31).wrapping_add(byte(2).wrapping_mul(7)).wrapping_add(first);
        let bit = 1_u64 << (sum.wrapping_add(u64::from(narrow(raw.len()))) % 64);
        // An escape can be written in several ways.
        are_apart &= seen & bit == 0 && !raw.contains(&b'\\');
        seen |= bit;
        names.push(raw);
        at = tokens.get(at.saturating_add(1)).map_or(usize::MAX, |value| position(value.next));
    }
    if are_apart {
        return true;
    }
    let mut names: Vec<_> = names.into_iter().filter_map(unescaped).collect();
    names.sort_unstable();
    names.windows(2).all(|two| !matches!(two, [one, other] if one == other))
}

fn unescaped(raw: &[u8]) -> Option<Cow<'_, str>> {
    if !raw.contains(&b'\\') {
        return core::str::from_utf8(raw).ok().map(Cow::Borrowed);
    }
    let quoted = [b"\"", raw, b"\""].concat();
    serde_json::from_slice(&quoted).ok().map(Cow::Owned)
}

/// Whether it is digits, a point and digits, without a needless zero.
fn is_decimal(text: &[u8]) -> bool {
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let no_zero = whole == 1 || text.first() != Some(&b'0');
    let fraction = text.get(whole..).and_then(|rest| rest.strip_prefix(b"."));
    let fraction = fraction.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
    whole > 0 && no_zero && fraction
}

fn put(text: &mut Vec<u8>, blobs: &mut Vec<Bytes>, json: &Json) {
    match json {
        Json::List(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                put(text, blobs, item);
            }
            text.push(b']');
        }
        Json::Object(members) => {
            text.push(b'{');
            for (index, (name, value)) in members.iter().filter(|(_, value)| *value != Json::Null).enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                put_plain(text, &Json::from(name.as_str()));
                text.push(b':');
                put(text, blobs, value);
            }
            text.push(b'}');
        }
        Json::Bytes(bytes) => {
            text.push(BLOB);
            text.extend_from_slice(blobs.len().to_string().as_bytes());
            blobs.push(Bytes::copy_from_slice(bytes));
        }
        plain => put_plain(text, plain),
    }
}

fn put_plain(text: &mut Vec<u8>, json: &Json) {
    // Memory takes all of it.
    serde_json::to_writer(text, json).unwrap_or_default();
}

fn position(offset: u32) -> usize {
    offset.try_into().unwrap_or(usize::MAX)
}

fn narrow(length: usize) -> u32 {
    length.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> JsonText {
        JsonText::index(Bytes::copy_from_slice(text.as_bytes())).expect("JSON")
    }

    #[test]
    fn values_are_what_the_parser_makes_of_them() {
        for text in [
            "0",
            "-0",
            " [ ] ",
            "{ }",
            r#"{"a": [1, -2, 3.5, 1e3, -0.0, 123456789012345678, 1234567890123456789], "b": {"c": [[], {}]}, "d": "x\n\u00e9\"", "é": true}"#,
            r#"["a\\", "", "\"", false, {"a\tb": 1}]"#,
            "[0.1, 16777217.0, 3.4028235e38, 1.17549435e-38]",
        ] {
            let indexed = index(text);
            assert_eq!(indexed.json(indexed.root()), Ok(parse(text.as_bytes()).expect("JSON")), "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_line() {
        for text in [
            "",
            "[1,]",
            "[1 2]",
            "{\"a\" 1}",
            "{\"a\": 1,}",
            "[",
            "]",
            "[}",
            "\"a",
            "\"\n\"",
            "[null]",
            "1 2",
            "{1: 2}",
            "tru",
            "\u{1}0",
        ] {
            let error = JsonText::index(Bytes::copy_from_slice(text.as_bytes())).expect_err(text).to_string();
            assert!(error.contains(" at line "), "{text}: {error}");
        }
    }

    #[test]
    fn numbers_that_json_does_not_know_and_names_that_stand_twice_are_refused() {
        let many: String = (0..40).map(|it| format!("\"m{it}\": 0, ")).collect();
        let many = format!("{{{many}\"m7\": 1}}");
        let twice = [r#"{"a": 1, "a": 2}"#, r#"[{"b": {"a": 1, "\u0061": 2}}]"#, &many];
        for text in ["01", "-", "1.", "1.2.3", "1e39", "1e", "--1"].into_iter().chain(twice) {
            let error = JsonText::index(Bytes::copy_from_slice(text.as_bytes())).expect_err(text).to_string();
            assert!(error.contains(" at line 1 column "), "{text}: {error}");
        }
    }

    #[test]
    fn bytes_come_back_as_they_are() {
        let json = Json::from([("a", Json::Bytes(vec![1, 2])), ("b", Json::List(vec![Json::Bytes(Vec::new())]))]);
        let text = JsonText::of(&json);
        assert_eq!(text.json(text.root()), Ok(json));
    }
}
