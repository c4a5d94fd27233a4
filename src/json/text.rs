//! The text of a JSON document with an index of its objects and lists. A value is parsed only where it is used, and no tree of
//! values is built for the rest.

mod origin;
mod spot;

use core::ops::Range;
use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use serde_core::de::Error as _;

use super::compact::Compact;
use super::describe::Describe as _;
use super::number::{is_of_number, number};
use super::parse::{parse, refused, unmarked};
use super::read::object;
use super::tokens::{At, BLOB, INSIDE, Tokens, length_of, narrow, position, tokens, unescaped};
use field::{Value, unhex};

use origin::Origin;
pub(super) use origin::PARTS;
pub use origin::{Joined, Sources};

/// The text of a document, validated as JSON except for its numbers and escapes.
#[derive(Clone, Debug, Default)]
pub struct JsonText {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    text: Bytes,
    found: Tokens,
    /// `true` if it is known that no object has duplicate names.
    is_apart: bool,
    /// Bytes that values refer to.
    blobs: Vec<Bytes>,
    origin: Origin,
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name between the quotation marks, with escapes.
    name: (u32, u32),
    /// The value.
    pub value: At,
}

impl JsonText {
    /// Indexes the text of a file.
    ///
    /// # Errors
    /// Returns an error with the line, the column and the reason if it is not valid JSON.
    pub fn index(file: Bytes) -> Result<Self, serde_json::Error> {
        Self::index_on(1, Origin::Nowhere, file)
    }

    /// Indexes the text of the file with this path, on this number of threads.
    ///
    /// # Errors
    /// Returns an error with the file, the line and the column if it is not valid JSON.
    pub fn index_file(threads: usize, path: &str, file: Bytes) -> Result<Self, String> {
        let indexed = Self::index_on(threads, Origin::File(path.into()), file.clone());
        indexed.map_err(|error| refused(path, &file, &error))
    }

    fn index_on(threads: usize, origin: Origin, file: Bytes) -> Result<Self, serde_json::Error> {
        let text = file.slice_ref(unmarked(&file).map_err(serde_json::Error::custom)?);
        if u32::try_from(text.len()).is_err() {
            return Err(serde_json::Error::custom("more than 4 GB of text"));
        }
        let found = tokens(&text, false, threads);
        let found = found.filter(|found| found.is_ascii || core::str::from_utf8(&text).is_ok());
        match found {
            Some(found) => Ok(Self::new(Inner { text, found, is_apart: true, blobs: Vec::new(), origin })),
            // The parser reports the position and the reason.
            None => Err(parse(&text).map_or_else(
                |error| Self::second_member(&text, &error).unwrap_or(error),
                |_| serde_json::Error::custom("no JSON"),
            )),
        }
    }

    /// Returns the error for a duplicate name in an object, at its second occurrence. The parser only knows the end of the object.
    fn second_member(text: &Bytes, error: &serde_json::Error) -> Option<serde_json::Error> {
        let found = tokens(text, true, 1).filter(|_| error.is_data())?;
        let text = Self::new(Inner { text: text.clone(), found, ..Inner::default() });
        let (line, column, name) = text.second().filter(|(line, ..)| *line <= error.line())?;
        let why = format!("duplicate key {name:?} at line {line} column {column}");
        Some(serde_json::Error::custom(why))
    }

    /// Creates the text of a value.
    #[must_use]
    pub fn of(json: &Value) -> Self {
        Self::with_origin(json, Origin::Nowhere)
    }

    fn with_origin(json: &Value, origin: Origin) -> Self {
        let (mut text, mut blobs) = (Vec::new(), Vec::new());
        put(&mut text, &mut blobs, json);
        let found = tokens(&text, true, 1).unwrap_or_default();
        Self::new(Inner { text: text.into(), found, is_apart: false, blobs, origin })
    }

    fn new(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// Returns the whole value.
    #[must_use]
    pub fn root(&self) -> At {
        At(0)
    }

    /// Returns the position at which a token begins.
    #[inline]
    fn start(&self, at: At) -> u32 {
        self.inner.found.tokens.get(position(at.0)).copied().unwrap_or_default()
    }

    /// Returns the number of the token after a value and its contents.
    #[inline]
    fn after(&self, at: At) -> u32 {
        at.0 + narrow(length_of(&self.inner.text, &self.inner.found.tokens, position(at.0)))
    }

    /// Returns the numbers of the first token in an object or a list, and of the one after it.
    #[inline]
    fn inside(&self, at: At) -> Range<u32> {
        at.0 + narrow(INSIDE)..self.after(at)
    }

    /// Returns the first byte of a value.
    fn first(&self, at: At) -> u8 {
        match self.text_from(at) {
            [first, ..] => *first,
            [] => 0,
        }
    }

    fn slice(&self, range: Range<u32>) -> &[u8] {
        self.inner.text.get(position(range.start)..position(range.end)).unwrap_or_default()
    }

    /// Returns a token that contains no others, followed by white space, commas and brackets.
    fn plain(&self, number: u32) -> &[u8] {
        self.slice(self.start(At(number))..self.start(At(number + 1)))
    }

    /// Returns the text of a number that begins at a position in its token.
    fn number_text(&self, number: u32, from: usize) -> &[u8] {
        let text = self.plain(number).get(from..).unwrap_or_default();
        let length = text.iter().take_while(|byte| is_of_number(**byte)).count();
        text.get(..length).unwrap_or_default()
    }

    /// Returns a string with escapes, without its quotation marks.
    fn quoted(&self, number: u32) -> &[u8] {
        let rest = self.plain(number).get(1..).unwrap_or_default();
        let end = rest.iter().rposition(|&byte| byte == b'"');
        rest.get(..end.unwrap_or_default()).unwrap_or_default()
    }

    /// Returns `true` if it is an object.
    #[must_use]
    pub fn is_object(&self, at: At) -> bool {
        self.first(at) == b'{'
    }

    /// Returns `true` if it is a list.
    #[must_use]
    pub fn is_list(&self, at: At) -> bool {
        self.first(at) == b'['
    }

    /// Returns `true` if it is an empty object or list.
    #[must_use]
    pub fn is_empty(&self, at: At) -> bool {
        matches!(self.first(at), b'{' | b'[') && self.inside(at).is_empty()
    }

    /// Returns the items of a list.
    pub fn items(&self, at: At) -> impl Iterator<Item = At> {
        let Range { start: mut next, end } = if self.is_list(at) { self.inside(at) } else { 0..0 };
        core::iter::from_fn(move || {
            let item = (next < end).then_some(At(next))?;
            next = self.after(item);
            Some(item)
        })
    }

    /// Returns the members of an object.
    pub fn members(&self, at: At) -> impl Iterator<Item = Member> {
        let Range { start: mut next, end } = if self.is_object(at) { self.inside(at) } else { 0..0 };
        let members = core::iter::from_fn(move || {
            let name = (next < end).then_some(next)?;
            let value = At(name + 1);
            next = self.after(value);
            let start = self.start(At(name)) + 1;
            let length = narrow(self.quoted(name).len());
            Some(Member { name: (start, start + length), value })
        });
        // The schema of a document is for editors.
        let is_schema = |member: &Member| {
            self.slice(member.name.0..member.name.1) == b"$schema" && self.first(member.value) == b'"'
        };
        members.filter(move |member| at != self.root() || !is_schema(member))
    }

    /// Returns `true` if it is the null that replaces a taken value of a [`Value`].
    #[must_use]
    pub fn is_null(&self, at: At) -> bool {
        self.first(at) == b'n'
    }

    /// Returns a number that is equal for equal names and mostly differs for different ones, or `None` if the name has an escape,
    /// which can be written in several ways.
    #[must_use]
    pub fn hash_of_name(&self, member: &Member) -> Option<u32> {
        let raw = self.slice(member.name.0..member.name.1);
        if self.inner.found.names_escape && raw.contains(&b'\\') {
            return None;
        }
        let byte = |from: usize| raw.len().checked_sub(from).and_then(|at| raw.get(at)).copied().map_or(0, u32::from);
        let first = raw.first().copied().map_or(0, u32::from);
        let sum = byte(1).wrapping_mul(31).wrapping_add(byte(2).wrapping_mul(7)).wrapping_add(first);
        Some(sum.wrapping_add(narrow(raw.len())))
    }

    /// Returns `true` if two members of an object have the same name.
    #[must_use]
    pub fn have_one_name(&self, one: &Member, other: &Member) -> bool {
        let raw = |member: &Member| self.slice(member.name.0..member.name.1);
        raw(one) == raw(other)
            || (raw(one).contains(&b'\\') || raw(other).contains(&b'\\')) && self.name(one) == self.name(other)
    }

    /// Returns `true` if a member has this name.
    #[must_use]
    pub fn is_named(&self, member: &Member, name: &str) -> bool {
        self.is_written(member, name) || self.is_named_otherwise(member, name)
    }

    /// Returns `true` if a member has this name, written without escapes.
    #[inline]
    pub(super) fn is_written(&self, member: &Member, name: &str) -> bool {
        is_same(self.raw_name(member), name)
    }

    /// Returns `true` if a member has this name, written with escapes.
    fn is_named_otherwise(&self, member: &Member, name: &str) -> bool {
        self.name_escapes(member) && self.name(member) == name
    }

    /// Returns `true` if the name of a member is written with escapes.
    pub(super) fn name_escapes(&self, member: &Member) -> bool {
        self.inner.found.names_escape && self.raw_name(member).contains(&b'\\')
    }

    /// Returns `true` if a name of the text is written with escapes.
    pub(super) fn names_escape(&self) -> bool {
        self.inner.found.names_escape
    }

    /// Returns the name of a member as it is written.
    #[inline]
    pub(super) fn raw_name(&self, member: &Member) -> &[u8] {
        self.slice(member.name.0..member.name.1)
    }

    /// Returns the name of a member.
    #[must_use]
    pub fn name(&self, member: &Member) -> Cow<'_, str> {
        let raw = self.slice(member.name.0..member.name.1);
        self.unescaped(raw).unwrap_or_else(|| String::from_utf8_lossy(raw))
    }

    /// Returns the member with this name of an object.
    #[must_use]
    pub fn member(&self, object: At, name: &str) -> Option<At> {
        self.members(object).find(|member| self.is_named(member, name)).map(|member| member.value)
    }

    /// Returns the string, or `None` if the value is not one.
    #[must_use]
    pub fn text(&self, at: At) -> Option<Cow<'_, str>> {
        if self.first(at) == b'"' { self.unescaped(self.quoted(at.0)) } else { None }
    }

    fn unescaped<'t>(&self, raw: &'t [u8]) -> Option<Cow<'t, str>> {
        match self.inner.found.has_escapes {
            true => unescaped(raw),
            false => core::str::from_utf8(raw).ok().map(Cow::Borrowed),
        }
    }

    /// Returns the text that begins with a value.
    #[inline]
    pub(super) fn text_from(&self, at: At) -> &[u8] {
        self.inner.text.get(position(self.start(at))..).unwrap_or_default()
    }

    /// Returns the number of items of a list.
    pub(super) fn count(&self, at: At) -> usize {
        self.items(at).count()
    }

    /// Returns `true` if it is known that no object has duplicate names.
    pub(super) fn is_apart(&self) -> bool {
        self.inner.is_apart
    }

    /// Returns the bytes of a value, which are hexadecimal digits or stored separately.
    #[must_use]
    pub fn bytes(&self, at: At) -> Option<Bytes> {
        if self.first(at) == BLOB { self.blob(at) } else { unhex(&self.text(at)?).map(Bytes::from) }
    }

    fn blob(&self, at: At) -> Option<Bytes> {
        let digits = self.plain(at.0).get(1..)?;
        let digits = digits.get(..digits.iter().take_while(|byte| byte.is_ascii_digit()).count())?;
        let number: usize = core::str::from_utf8(digits).ok()?.parse().ok()?;
        self.inner.blobs.get(number).cloned()
    }

    /// Parses the value.
    ///
    /// # Errors
    /// Returns an error if a number is not valid JSON or is too large, or if an object has duplicate names.
    pub fn json(&self, at: At) -> Result<Value, String> {
        match self.first(at) {
            b'{' => {
                let member = |member: Member| Ok((self.name(&member).into(), self.json(member.value)?));
                let members = self.members(at).map(member).collect::<Result<_, String>>()?;
                object(members).map_err(|name| format!("duplicate key {name:?}"))
            }
            b'[' => self.items(at).map(|item| self.json(item)).collect::<Result<_, String>>().map(Value::List),
            b'"' => match self.text(at) {
                Some(text) => Ok(Value::from(&*text)),
                None => Err("a string with an invalid escape".to_owned()),
            },
            BLOB => match self.blob(at) {
                Some(bytes) => Ok(Value::of_bytes(bytes)),
                None => Err("bytes that are not beside the text".to_owned()),
            },
            b't' => Ok(Value::Bool(true)),
            b'f' => Ok(Value::Bool(false)),
            b'n' => Ok(Value::Null),
            _ => number(self.number_text(at.0, 0)).or_else(|why| self.beyond(at).ok_or(why)),
        }
    }

    /// Returns a number that no float of 32 bits is near to. Only a text made from a value has such, and what loads it decides.
    fn beyond(&self, at: At) -> Option<Value> {
        let text = core::str::from_utf8(self.number_text(at.0, 0)).ok()?;
        text.parse().ok().filter(|value: &f64| text.contains(['.', 'e', 'E']) && !value.is_nan()).map(Value::Float)
    }

    /// Returns an object with only its first two members and its text, from which a message tells what was given.
    fn given(&self, at: At) -> Value {
        let part = |member: Member| {
            let text = self.text(member.value).map_or(Value::Null, |text| text.into_owned().into());
            (self.name(&member).into_owned().into(), text)
        };
        let text = self.members(at).skip(2).find(|member| self.is_named(member, "text"));
        Value::Object(self.members(at).take(2).chain(text).map(part).collect())
    }

    /// Describes a value that does not fit where text is expected: a text with its length.
    #[must_use]
    pub(crate) fn describe_text(&self, at: At) -> String {
        let given =
            if self.is_object(at) { Some(self.given(at)) } else { self.text(at).map(|it| it.into_owned().into()) };
        given.map_or_else(|| self.describe(at), |given| given.describe_text())
    }

    /// Describes the type of the value for messages.
    #[must_use]
    pub fn describe(&self, at: At) -> String {
        match self.first(at) {
            // A long list is described without being built.
            b'{' => Value::Object(Vec::new()).describe(),
            b'[' => format!("a list of {}", self.items(at).count()),
            _ => self.json(at).map_or_else(|why| why, |json| json.describe()),
        }
    }
}

/// Returns `true` if a name is written like this. Most names of one length differ in their last byte.
#[inline]
pub(super) fn is_same(raw: &[u8], name: &str) -> bool {
    let name = name.as_bytes();
    raw.len() == name.len() && raw.last() == name.last() && raw == name
}

fn put(text: &mut Vec<u8>, blobs: &mut Vec<Bytes>, json: &Value) {
    match json {
        Value::List(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                put(text, blobs, item);
            }
            text.push(b']');
        }
        Value::Object(members) => {
            text.push(b'{');
            for (index, (name, value)) in members.iter().filter(|(_, value)| *value != Value::Null).enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                put_plain(text, &Value::from(name.as_str()));
                text.push(b':');
                put(text, blobs, value);
            }
            text.push(b'}');
        }
        Value::Bytes(bytes) => {
            text.push(BLOB);
            text.extend_from_slice(blobs.len().to_string().as_bytes());
            blobs.push((**bytes).clone());
        }
        // Its name can depend on another value, which may have been edited; its bits do not change with that.
        Value::Named(_, number) => put_plain(text, &Value::Integer(*number)),
        // Beyond all floats, so that what loads it refuses it. `null` would stand for a taken value.
        Value::Float(value) if !value.is_finite() => {
            text.extend_from_slice(if *value < 0.0 { b"-1e999" } else { b"1e999" })
        }
        plain => put_plain(text, plain),
    }
}

fn put_plain(text: &mut Vec<u8>, json: &Value) {
    // Writing to memory cannot fail.
    serde_json::to_writer(text, &Compact(json)).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> JsonText {
        JsonText::index(Bytes::copy_from_slice(text.as_bytes())).expect("JSON")
    }

    #[test]
    fn values_equal_those_of_the_parser() {
        for text in [
            "0",
            "-1",
            " [ ] ",
            "{ }",
            r#"{"a": [1, -2, 3.5, 1e3, -0.0, 123456789012345678, 1234567890123456789], "b": {"c": [[], {}]}, "d": "x\n\u00e9\"", "é": true}"#,
            r#"["a\\", "", "\"", false, {"a\tb": 1}]"#,
            "[0.1, 16777217.0, 3.4028235e38, 1.17549435e-38]",
            "[1e+05, 1e5, 1E15, 2.5e-03, 1e+25, 1e-9, 1e29, 12.5e2, 0.00000000000000000000000000000000000000000001]",
            "[1234567890123456789, 9223372036854775807]",
        ] {
            let indexed = index(text);
            assert_eq!(indexed.json(indexed.root()), Ok(parse(text.as_bytes()).expect("JSON")), "{text}");
        }
        for text in ["-0", "1e-50", "-1e-50", "3.5e38", "9223372036854775808", "18446744073709551616"] {
            let own = JsonText::index(Bytes::copy_from_slice(text.as_bytes())).ok();
            assert!(own.is_none_or(|own| own.json(own.root()).is_err()), "{text}");
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn duplicate_name_is_refused_at_its_second_occurrence() {
        let refused =
            |text: &str| JsonText::index(Bytes::copy_from_slice(text.as_bytes())).expect_err("refused").to_string();
        let text = "{\"a\": 1,\n \"b\": {\"x\": 1,\n \"x\": 2,\n \"y\": 3},\n \"c\": 4}";
        assert_eq!(refused(text), "duplicate key \"x\" at line 3 column 2");
        // An error before it comes first.
        assert!(refused("{\"a\": 1e99,\n \"b\": 1,\n \"b\": 2}").contains("line 1"));
    }

    #[test]
    fn no_value_becomes_an_empty_text() {
        let deep = (0..2 * field::limits::NESTING).fold(Value::Integer(1), |inner, _| vec![inner].into());
        let floats = [1e-46, -1e-46, 1e-300, 1e39, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for value in floats.map(Value::Float).into_iter().chain([deep]) {
            let text =
                JsonText::of(&Value::from([("a", vec![Value::Integer(7), value.clone()].into()), ("b", 8.into())]));
            let members: Vec<_> = text.members(text.root()).map(|member| member.value).collect();
            let items: Vec<_> = members.iter().take(1).flat_map(|at| text.items(*at)).collect();
            assert_eq!((members.len(), items.len()), (2, 2));
            let again = items.last().map(|at| text.json(*at));
            let is_it = |again: &Value| *again == value || matches!(again, Value::Float(it) if it.is_infinite());
            assert!(again.is_some_and(|again| again.as_ref().is_ok_and(is_it)), "{value:?}");
            assert_eq!(members.last().map(|at| text.json(*at)), Some(Ok(Value::Integer(8))));
        }
    }

    #[test]
    fn null_stands_for_a_taken_value() {
        let text = JsonText::of(&vec![Value::Null, Value::Integer(0), Value::Text("null".into())].into());
        assert_eq!(text.items(text.root()).map(|at| text.is_null(at)).collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn names_have_a_hash_unless_they_can_be_written_differently() {
        let text = index(r#"{"abc": 1, "abd": 2, "bbc": 3, "abcc": 4, "": 5, "a": 6, "d\u0062": 7}"#);
        let hashes: Vec<_> = text.members(text.root()).map(|member| text.hash_of_name(&member)).collect();
        let escaped = hashes.last().copied();
        let mut others: Vec<_> = hashes.iter().filter_map(|it| *it).collect();
        assert_eq!((others.len(), escaped), (6, Some(None)));
        others.sort_unstable();
        others.dedup();
        assert_eq!(others.len(), 6, "{others:?}");
        let again = index(r#"[{"x": 0, "abc": 1}, {"abc": 2}]"#);
        let objects: Vec<_> = again.items(again.root()).collect();
        let last = |at: At| again.members(at).last().and_then(|member| again.hash_of_name(&member));
        assert_eq!(objects.iter().map(|at| last(*at)).collect::<Vec<_>>(), [hashes.first().copied().flatten(); 2]);
    }

    #[test]
    fn names_with_escapes_equal_those_without() {
        let text = index(r#"{"a": 1, "b": {"\u0061": 2, "ab": 3, "a\"": 4}}"#);
        let members: Vec<_> = text.members(text.root()).collect();
        let [a, b] = &members[..] else { panic!("two members") };
        let inner: Vec<_> = text.members(b.value).collect();
        let one_name = |it: &Member| text.have_one_name(a, it) && text.have_one_name(it, a);
        assert!(one_name(a) && !one_name(b));
        assert_eq!(inner.iter().map(one_name).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(inner.iter().map(|it| text.is_named(it, "a")).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(inner.iter().map(|it| text.is_named(it, "a\"")).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn values_are_described_by_their_type() {
        let described = |text: &str| index(text).describe(At(0));
        assert_eq!(
            ["{}", r#"{"a": 1}"#, "[1, 2, 3]", "[]"].map(described),
            ["an object", "an object", "a list of 3", "a list of 0"]
        );
        // What a list or an object contains is not looked at.
        let [list, object] = [r#"["\x"]"#, r#"{"a": "\x"}"#].map(described);
        assert_eq!((list.as_str(), object.as_str()), ("a list of 1", "an object"));
    }

    #[test]
    fn invalid_json_is_refused_with_its_line() {
        for text in [
            "[12345678901234567890]",
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
    fn invalid_numbers_and_duplicate_names_are_refused() {
        let many: String = (0..40).map(|it| format!("\"m{it}\": 0, ")).collect();
        let many = format!("{{{many}\"m7\": 1}}");
        let twice = [r#"{"a": 1, "a": 2}"#, r#"[{"b": {"a": 1, "\u0061": 2}}]"#, &many];
        for text in ["01", "-", "1.", "1.2.3", "1e39", "1e", "--1"].into_iter().chain(twice) {
            let error = JsonText::index(Bytes::copy_from_slice(text.as_bytes())).expect_err(text).to_string();
            assert!(error.contains(" at line 1 column "), "{text}: {error}");
        }
    }

    #[test]
    fn bytes_round_trip() {
        let json =
            Value::from([("a", Value::of_bytes(vec![1, 2])), ("b", Value::List(vec![Value::of_bytes(Bytes::new())]))]);
        let text = JsonText::of(&json);
        assert_eq!(text.json(text.root()), Ok(json));
    }
}
