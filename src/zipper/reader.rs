//! Binary reader data, `.zrd`: the games' own lists of numbers and strings.
//!
//! | value | bytes |
//! |---|---|
//! | integer: tag 1, i32 | 8 |
//! | float: tag 2, f32 | 8 |
//! | string: tag 3, length, bytes | 8 + length |
//! | list: tag 4, number of values plus one, values | 8 + values |
//!
//! A file is one value, nearly always a list. The plus one exists because the engine stores the number of values in slot 0 of
//! the list.
//!
//! Source: [`zipper-reader.md`](formats::zipper_reader), section 2.

pub mod text;

use core::mem::{replace, take};
use std::collections::HashMap;

use field::{
    Block, Class, Codec, F32, Fault, I32, LoadError, Loaded, Nest, Result, Run, Sink, Step, Style as _, Tell, U32,
    Value, Windows, decode_text, encode_text, float_of_bits, lay, limits, near_single, wide,
};
use json::Describe as _;
use kind::{Format, Game, binrw_over_lay};
use lint::{Lint, Trap, Warnings, Watch, traps};

traps! { TRAPS:
    TAG = "reader-type" in Change:
        "an integer became a float, or a float an integer" => "many loaders of the game take the bits of the other type",
        "zipper-editing.md, section 2 (engine)";
    KEY = "reader-key" in Addition:
        "a string value equals a key further on" => "the game takes the value for the key",
        "zipper-editing.md, section 2 (engine)";
    ALONE = "reader-key-alone" in Addition:
        "a key is the last item of its list, without a value" => "the game reads beyond the list",
        "zipper-reader.md, section 3 (engine)";
}

/// The tags of values.
const INTEGER: u32 = 1;
const FLOAT: u32 = 2;
const TEXT: u32 = 3;
const LIST: u32 = 4;

/// Reader data.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The encoded value; [`walk`](Self::walk) reaches its end without error.
    value: Block,
    /// The bytes of the value by class, counted while walking it.
    census: [usize; 7],
    /// Bytes after the value.
    pub trailing: Block,
}

/// A token of a value, in file order. Source: `zipper-reader.md`, section 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// An integer.
    Integer(I32),
    /// A float, any 32 bits.
    Float(F32),
    /// A string of any bytes.
    Text(&'a [u8]),
    /// The beginning of a list, with the number of values in it.
    Open(u32),
    /// The end of the list opened last.
    Close,
}

/// An open list: the number of values still to come, and the number begun.
#[derive(Clone, Copy, Debug)]
struct Open {
    left: u32,
    begun: u64,
}

/// The position of a value: the lists that contain it. The outermost is the file, which has one value.
#[derive(Clone, Copy)]
struct At<'a> {
    outer: &'a [Open],
    list: Open,
    /// The bytes from the value on, or from its end if it ends there.
    rest: &'a [u8],
}

impl At<'_> {
    fn depth(self) -> usize {
        self.outer.len()
    }

    fn steps(self) -> Vec<Step> {
        let lists = self.outer.iter().copied().chain([self.list]).skip(1);
        lists.map(|list| Step::Index(list.begun.saturating_sub(1))).collect()
    }
}

/// What is known about the end of an open list.
#[derive(Default)]
struct Ends {
    items: u64,
    /// `true` if a value of a key is no string.
    has_keys: bool,
    /// The way to the last item, if it can be a key.
    last: Option<Vec<Step>>,
}

/// An error in a value: its position and its cause.
struct Wrong {
    at: usize,
    steps: Vec<Step>,
    fault: Fault,
}

/// Walks the value at the beginning of some bytes, and returns its end. Calls `tell` with every token and its position.
///
/// Open lists are kept on an explicit stack, so deep nesting cannot overflow the call stack.
fn walk<'a>(bytes: &'a [u8], mut tell: impl FnMut(At<'_>, Token<'a>)) -> core::result::Result<usize, Wrong> {
    let mut outer: Vec<Open> = Vec::new();
    let mut list = Open { left: 1, begun: 0 };
    let mut rest = bytes;
    loop {
        list.left -= 1;
        list.begun += 1;
        let at = At { outer: &outer, list, rest };
        // The error is this many bytes after the beginning of the value.
        let wrong =
            |behind: usize, fault| Err(Wrong { at: bytes.len() - rest.len() + behind, steps: at.steps(), fault });
        let Some((head, mut inner)) = rest.split_first_chunk::<8>() else {
            return wrong(0, Fault::Ends { count: 1, each: 8, remain: wide(rest.len()) });
        };
        let [tag, word]: [U32; 2] = bytemuck::must_cast(*head);
        match tag.get() {
            INTEGER => tell(at, Token::Integer(bytemuck::must_cast(word))),
            FLOAT => tell(at, Token::Float(bytemuck::must_cast(word))),
            TEXT => {
                let split = usize::try_from(word.get()).ok().and_then(|length| inner.split_at_checked(length));
                let Some((text, behind)) = split else {
                    return wrong(8, Fault::Ends { count: word.get().into(), each: 1, remain: wide(inner.len()) });
                };
                tell(at, Token::Text(text));
                inner = behind;
            }
            LIST => {
                let Some(values) = word.get().checked_sub(1) else {
                    return wrong(4, Fault::Outside { found: 0, expected: "a count of at least 1".into() });
                };
                if outer.len() >= limits::NESTING {
                    return wrong(0, Fault::TooDeep { limit: limits::NESTING });
                }
                if u64::from(values) > wide(inner.len() / 8) {
                    return wrong(8, Fault::Ends { count: values.into(), each: 8, remain: wide(inner.len()) });
                }
                tell(at, Token::Open(values));
                outer.push(replace(&mut list, Open { left: values, begun: 0 }));
            }
            other => {
                let expected = "tag 1, 2, 3 or 4".to_owned();
                return wrong(0, Fault::Unknown { found: format!("tag {other}"), expected });
            }
        }
        rest = inner;
        // A value has ended, and so has every list whose last value it was.
        while list.left == 0 {
            let Some(next) = outer.pop() else { return Ok(bytes.len() - rest.len()) };
            list = next;
            tell(At { outer: &outer, list, rest }, Token::Close);
        }
    }
}

/// Access to the parts of an encoded value.
static CODEC: Codec = Codec {
    name: "reader data",
    owners,
    show,
    print: Some(print),
    load: |json, _| load(json),
    merge: None,
    dense: Some(|bytes| bytes),
};

fn owners(bytes: &[u8], tell: Tell<'_>) {
    let mut rest = bytes;
    let mut next = |length: usize| {
        let (piece, behind) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        rest = behind;
        piece
    };
    let _ = walk(bytes, |at, token| {
        let place = at.steps();
        let (head, value) = match token {
            Token::Close => return,
            Token::Open(_) => (8, 0),
            Token::Text(text) => (8, text.len()),
            Token::Integer(_) | Token::Float(_) => (4, 4),
        };
        tell(&place, Class::Derived, next(head));
        if value > 0 {
            tell(&place, Class::Semantic, next(value));
        }
    });
}

/// Counts the bytes by class of the value at the beginning of some bytes.
fn census(bytes: &[u8]) -> core::result::Result<[usize; 7], Wrong> {
    let mut semantic = 0_usize;
    let end = walk(bytes, |_, token| {
        semantic += match token {
            Token::Integer(_) | Token::Float(_) => 4,
            Token::Text(text) => text.len(),
            Token::Open(_) | Token::Close => 0,
        }
    })?;
    Ok([semantic, end.saturating_sub(semantic), 0, 0, 0, 0, 0])
}

fn show(bytes: &[u8]) -> Value {
    let mut open: Vec<Vec<Value>> = Vec::new();
    let mut values = Vec::new();
    let _ = walk(bytes, |_, token| {
        let value = match token {
            Token::Integer(value) => value.get().into(),
            Token::Float(value) => value.get().into(),
            Token::Text(text) => show_text(text),
            Token::Open(_) => return open.push(take(&mut values)),
            Token::Close => Value::List(replace(&mut values, open.pop().unwrap_or_default())),
        };
        values.push(value);
    });
    values.pop().unwrap_or_default()
}

/// Puts the value of [`show`].
fn print(bytes: &[u8], sink: &mut dyn Sink) {
    let _ = walk(bytes, |at, token| match token {
        Token::Integer(value) => sink.whole(value.get().into()),
        Token::Float(value) => sink.float(value.get()),
        Token::Text(it) if is_wrapped(it) => sink.value(show_text(it)),
        Token::Text(it) => sink.encoded(Windows::PAGE, it),
        Token::Open(values) => sink.begin(if is_flat(values, at.rest) { Nest::Plain } else { Nest::List }),
        Token::Close => sink.end(),
    });
}

/// Returns `true` if none of the values of the list at the beginning of some bytes is a list or is shown as an object.
fn is_flat(values: u32, list: &[u8]) -> bool {
    let Some((_, mut rest)) = list.split_at_checked(8) else { return true };
    (0..values).all(|_| {
        let Some((head, inner)) = rest.split_first_chunk::<8>() else { return true };
        let [tag, word]: [U32; 2] = bytemuck::must_cast(*head);
        let length = if tag.get() == TEXT { usize::try_from(word.get()).unwrap_or(inner.len()) } else { 0 };
        let (text, behind) = inner.split_at_checked(length).unwrap_or((inner, &[]));
        rest = behind;
        tag.get() != LIST && !is_wrapped(text)
    })
}

/// Returns `true` for a string that looks like a float without a JSON number.
fn is_wrapped(text: &[u8]) -> bool {
    text.starts_with(b"f32:")
}

/// Returns the JSON of a string; a string that looks like a float without a JSON number is wrapped.
fn show_text(text: &[u8]) -> Value {
    let value = decode_text(Windows::PAGE, text).into();
    if is_wrapped(text) { Value::from([("text", value)]) } else { value }
}

fn load(json: Value) -> Loaded<Vec<u8>> {
    let mut bytes = Vec::new();
    // The open lists: the values still to come, and the number begun.
    let mut open: Vec<(std::vec::IntoIter<Value>, u64)> = Vec::new();
    let mut next = Some(json);
    loop {
        match next {
            Some(Value::List(items)) => {
                let count = u32::try_from(items.len() + 1);
                let count = count.map_err(|_| misfit(&open, "at most 4294967294 values".to_owned(), &Value::Null))?;
                put(&mut bytes, LIST, count.to_le_bytes());
                open.push((items.into_iter(), 0));
                if open.len() > limits::NESTING {
                    return Err(misfit(&open, format!("at most {} levels", limits::NESTING), &Value::Null));
                }
            }
            Some(plain) => put_plain(&mut bytes, &plain).map_err(|expected| misfit(&open, expected, &plain))?,
            None => _ = open.pop(),
        }
        let Some((items, begun)) = open.last_mut() else { return Ok(bytes) };
        *begun += 1;
        next = items.next();
    }
}

fn put(bytes: &mut Vec<u8>, tag: u32, word: [u8; 4]) {
    bytes.extend(tag.to_le_bytes());
    bytes.extend(word);
}

/// Appends a value that is not a list, or returns an error that names the expected values.
fn put_plain(bytes: &mut Vec<u8>, json: &Value) -> core::result::Result<(), String> {
    let text = match json {
        Value::Integer(value) => {
            let value = i32::try_from(*value).map_err(|_| "a whole number of 32 bits".to_owned())?;
            put(bytes, INTEGER, value.to_le_bytes());
            return Ok(());
        }
        Value::Float(value) => {
            let near = near_single(*value).ok_or("a number that a float of 32 bits can be near to")?;
            put(bytes, FLOAT, near.to_le_bytes());
            return Ok(());
        }
        Value::Text(text) => match text.strip_prefix("f32:") {
            Some(bits) => {
                let float = float_of_bits(bits);
                let float = float.ok_or_else(|| "8 hexadecimal digits after f32:, or {\"text\": …}".to_owned())?;
                put(bytes, FLOAT, float.to_le_bytes());
                return Ok(());
            }
            None => Some(text.as_str()),
        },
        Value::Object(members) if members.len() == 1 => json.get("text").and_then(Value::text),
        _ => None,
    };
    let text = text.ok_or_else(|| "a number, a string or a list".to_owned())?;
    let text = encode_text(Windows::PAGE, text).ok_or_else(|| format!("characters of {}", Windows::PAGE.name()))?;
    let length = u32::try_from(text.len()).map_err(|_| "a string whose length fits in 32 bits".to_owned())?;
    put(bytes, TEXT, length.to_le_bytes());
    bytes.extend(text);
    Ok(())
}

fn misfit(open: &[(std::vec::IntoIter<Value>, u64)], expected: String, found: &Value) -> LoadError {
    let steps = open.iter().map(|(_, begun)| Step::Index(begun.saturating_sub(1))).collect();
    LoadError::new(steps, expected, found.describe_text())
}

lay! {
    impl Lay for Reader {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.coded_checked(None, &CODEC, at!(self.census), at!(self.value), |value| {
                census(value).map_err(|Wrong { at, steps, fault }| (at, steps, fault))
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Lint for Reader {
    /// Reports strings that the game takes for a key, because it searches depth first and does not distinguish keys from values, and keys
    /// without a value.
    ///
    /// A string is a key if a number or a list comes after it in its list. Source: `zipper-reader.md`, section 3.
    fn lint(&self, out: &mut Warnings<'_>) {
        self.lint_ends(out);
        let mut strings: Vec<(Vec<Step>, &[u8], bool)> = Vec::new();
        let mut last: Option<(usize, usize)> = None;
        let _ = walk(&self.value, |at, token| {
            // The value after a string in the same list makes it a key, unless it is a string too.
            let is_value = matches!(token, Token::Integer(_) | Token::Float(_) | Token::Open(_));
            if let (true, Some((depth, index))) = (is_value, last.take())
                && depth == at.depth()
                && let Some((.., is_key)) = strings.get_mut(index)
            {
                *is_key = true;
            }
            if let Token::Text(text) = token {
                last = Some((at.depth(), strings.len()));
                strings.push((at.steps(), text, false));
            }
        });
        let mut keys: HashMap<&[u8], usize> = HashMap::new();
        for (index, (_, text, _)) in strings.iter().enumerate().filter(|(_, (.., is_key))| *is_key) {
            keys.entry(text).or_insert(index);
        }
        for (index, (steps, text, _)) in strings.iter().enumerate().filter(|(_, (.., is_key))| !*is_key) {
            if keys.get(text).is_some_and(|key| *key > index) {
                out.warn(&KEY, steps, decode_text(Windows::PAGE, text));
            }
        }
    }

    /// Reports the types of numbers, whose change is a trap.
    fn watch(&self, out: &mut Watch<'_>) {
        let _ = walk(&self.value, |at, token| match token {
            Token::Integer(_) => out.watch(&TAG, &at.steps(), None, &[1]),
            Token::Float(_) => out.watch(&TAG, &at.steps(), None, &[2]),
            Token::Text(_) | Token::Open(_) | Token::Close => {}
        });
    }
}

impl Reader {
    /// Reports lists that end with a key: a string where their other keys are, at an even index.
    fn lint_ends(&self, out: &mut Warnings<'_>) {
        let mut open: Vec<Ends> = Vec::new();
        let _ = walk(&self.value, |at, token| {
            let is_value = matches!(token, Token::Integer(_) | Token::Float(_) | Token::Open(_));
            if let (true, Some(list)) = (is_value || matches!(token, Token::Text(_)), open.last_mut()) {
                let is_key = matches!(token, Token::Text(_)) && list.items.is_multiple_of(2);
                list.has_keys |= is_value && list.last.is_some();
                list.items += 1;
                list.last = is_key.then(|| at.steps());
            }
            match token {
                Token::Open(_) => open.push(Ends::default()),
                Token::Close => {
                    if let Some(Ends { has_keys: true, last: Some(steps), .. }) = open.pop() {
                        out.warn(&ALONE, &steps, "");
                    }
                }
                _ => {}
            }
        });
    }

    /// Creates reader data from a value in the form of [`json`](Self::json).
    ///
    /// # Errors
    /// Returns an error if reader data cannot hold the value.
    pub fn from_json(json: Value) -> Loaded<Self> {
        let value = load(json)?;
        Ok(Self { census: census(&value).unwrap_or_default(), value: value.into(), trailing: Block::default() })
    }

    /// Returns the value: lists, strings, integers and floats.
    #[must_use]
    pub fn json(&self) -> Value {
        show(&self.value)
    }

    /// Calls `tell` with the depth and content of every token of the value.
    pub fn walk(&self, mut tell: impl FnMut(usize, Token<'_>)) {
        let _ = walk(&self.value, |at, token| tell(at.depth(), token));
    }

    /// Returns `true` if some bytes begin like a value.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.first_chunk().is_some_and(|tag| (INTEGER..=LIST).contains(&u32::from_le_bytes(*tag)))
    }

    /// Returns the end of the first value in some bytes, or `None` if they do not begin with a value.
    #[must_use]
    pub fn extent(bytes: &[u8]) -> Option<usize> {
        walk(bytes, |_, _| {}).ok()
    }
}

impl Format for Reader {
    const NAME: &'static str = "reader";
    const TITLE: &'static str = "reader data";
    const GAMES: &'static [Game] = super::games::ALL;
    const CLAIMS: &'static [&'static str] = &["*.zrd"];
    const TRAPS: &'static [&'static Trap] = TRAPS;

    /// Checks for a list or a string that ends exactly at the end of the file; a lone number is too weak a sign.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let known = file.starts_with(&LIST.to_le_bytes()) || file.starts_with(&TEXT.to_le_bytes());
        (known && Self::extent(file) == Some(file.len())).then(|| Self::GAMES.to_vec())
    }

    fn ends_at(file: &[u8]) -> Option<usize> {
        Self::extent(file).filter(|end| *end < file.len())
    }

    fn suits(file: &[u8]) -> bool {
        // Text reader data begins with one of these bytes, but no tag does.
        !matches!(file.first(), Some(b'(' | b';' | b' ' | b'\t' | b'\r' | b'\n'))
    }
}

binrw_over_lay!(Reader);
