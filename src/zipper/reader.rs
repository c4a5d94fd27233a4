//! Binary reader data, `.zrd`: the games' own lists of numbers and texts.
//!
//! | value | bytes |
//! |---|---|
//! | integer: tag 1, i32 | 8 |
//! | float: tag 2, f32 | 8 |
//! | text: tag 3, length, bytes | 8 + length |
//! | list: tag 4, number of values and one more, values | 8 + values |
//!
//! A file is one value, nearly always a list. The engine keeps the number of values in slot 0 of the list, hence the one
//! more.
//!
//! Source: `zipper-reader.md`, section 2.

use core::mem::{replace, take};

use crate::field::{
    Block, Class, Coding, F32, Fault, I32, Json, Lay, Loaded, Misfit, Result, Run, Step, Style as _, Tape, Tell, U32,
    Windows, decode_text, encode_text, limits, wide,
};
use crate::format::{Format, Game, binrw_over_lay};

/// The tags of values.
const INTEGER: u32 = 1;
const FLOAT: u32 = 2;
const TEXT: u32 = 3;
const LIST: u32 = 4;

/// Reader data.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The value as it lies in the file, one that [`walk`](Self::walk) goes through to its end.
    value: Block,
    /// What stands behind it.
    pub trailing: Block,
}

/// What a value is made of, in file order. Source: `zipper-reader.md`, section 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A whole number.
    Integer(I32),
    /// A float, any 32 bits.
    Float(F32),
    /// A text, any bytes.
    Text(&'a [u8]),
    /// A list begins: so many of the values that follow, each with what is in it, are its own.
    Open(u32),
    /// The list opened last ends.
    Close,
}

/// A list on the way in: how many of its values are still to come, and how many have begun.
#[derive(Clone, Copy, Debug)]
struct Open {
    left: u32,
    begun: u64,
}

/// Where some bytes are no value, and why.
struct Wrong {
    at: usize,
    steps: Vec<Step>,
    fault: Fault,
}

/// Goes through the value that some bytes begin with, and gives where it ends. `tell` is told every token and the lists
/// that it is in.
///
/// Lists are kept on a stack of our own, so that no nesting can exhaust another.
fn walk<'a>(bytes: &'a [u8], mut tell: impl FnMut(&[Open], Token<'a>)) -> core::result::Result<usize, Wrong> {
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0_usize;
    loop {
        if let Some(list) = open.last_mut() {
            list.left = list.left.saturating_sub(1);
            list.begun = list.begun.saturating_add(1);
        }
        let begin = at;
        let wrong = |open: &[Open], at, fault| Err(Wrong { at, steps: steps(open), fault });
        let Some((head, rest)) = bytes.get(at..).and_then(<[u8]>::split_first_chunk::<8>) else {
            let remain = wide(bytes.len().saturating_sub(at));
            return wrong(&open, begin, Fault::Ends { count: 1, each: 8, remain });
        };
        at = at.saturating_add(8);
        let [tag, word]: [U32; 2] = bytemuck::must_cast(*head);
        match tag.get() {
            INTEGER => tell(&open, Token::Integer(bytemuck::must_cast(word))),
            FLOAT => tell(&open, Token::Float(bytemuck::must_cast(word))),
            TEXT => {
                let Some(text) = usize::try_from(word.get()).ok().and_then(|length| rest.get(..length)) else {
                    let (count, remain) = (word.get().into(), wide(rest.len()));
                    return wrong(&open, at, Fault::Ends { count, each: 1, remain });
                };
                tell(&open, Token::Text(text));
                at = at.saturating_add(text.len());
            }
            LIST => {
                let Some(values) = word.get().checked_sub(1) else {
                    let fault = Fault::Outside { found: 0, expected: "a count of at least 1".into() };
                    return wrong(&open, begin.saturating_add(4), fault);
                };
                if open.len() >= limits::NESTING {
                    return wrong(&open, begin, Fault::TooDeep { limit: limits::NESTING });
                }
                if u64::from(values) > wide(rest.len() / 8) {
                    return wrong(&open, at, Fault::Ends { count: values.into(), each: 8, remain: wide(rest.len()) });
                }
                tell(&open, Token::Open(values));
                open.push(Open { left: values, begun: 0 });
            }
            other => {
                let fault = Fault::Unknown { found: format!("tag {other}"), expected: "tag 1, 2, 3 or 4".into() };
                return wrong(&open, begin, fault);
            }
        }
        // A value ends, and with it the lists that it was the last of.
        loop {
            match open.last() {
                None => return Ok(at),
                Some(Open { left: 0, .. }) => {
                    open.pop();
                    tell(&open, Token::Close);
                }
                Some(_) => break,
            }
        }
    }
}

/// The steps to the value that has begun last.
fn steps(open: &[Open]) -> Vec<Step> {
    open.iter().map(|list| Step::Index(list.begun.saturating_sub(1))).collect()
}

/// How a value is looked into.
static CODING: Coding = Coding { name: "reader data", owners, census, show, load };

fn owners(bytes: &[u8], tell: Tell<'_>) {
    let mut rest = bytes;
    let mut next = |length: usize| {
        let (piece, behind) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        rest = behind;
        piece
    };
    let _ = walk(bytes, |open, token| {
        let place = steps(open);
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

fn census(bytes: &[u8]) -> [usize; 7] {
    let mut semantic = 0_usize;
    let _ = walk(bytes, |_, token| {
        semantic += match token {
            Token::Integer(_) | Token::Float(_) => 4,
            Token::Text(text) => text.len(),
            Token::Open(_) | Token::Close => 0,
        }
    });
    [semantic, bytes.len().saturating_sub(semantic), 0, 0, 0, 0, 0]
}

fn show(bytes: &[u8]) -> Json {
    let mut open: Vec<Vec<Json>> = Vec::new();
    let mut values = Vec::new();
    let _ = walk(bytes, |_, token| {
        let value = match token {
            Token::Integer(value) => value.get().into(),
            Token::Float(value) => value.get().into(),
            Token::Text(text) => show_text(text),
            Token::Open(_) => return open.push(take(&mut values)),
            Token::Close => Json::List(replace(&mut values, open.pop().unwrap_or_default())),
        };
        values.push(value);
    });
    values.pop().unwrap_or_default()
}

/// A text; one that looks like a float that JSON cannot say is wrapped.
fn show_text(text: &[u8]) -> Json {
    let text = decode_text(Windows::PAGE, text);
    if text.starts_with("f32:") { Json::from([("text", text.into())]) } else { text.into() }
}

fn load(json: Json) -> Loaded<Vec<u8>> {
    let mut bytes = Vec::new();
    // The lists that are open: what is still to come of each, and how much has begun.
    let mut open: Vec<(std::vec::IntoIter<Json>, u64)> = Vec::new();
    let mut next = Some(json);
    loop {
        match next {
            Some(Json::List(items)) => {
                let count = u32::try_from(items.len().saturating_add(1)).unwrap_or(u32::MAX);
                put(&mut bytes, LIST, count.to_le_bytes());
                open.push((items.into_iter(), 0));
                if open.len() > limits::NESTING {
                    return Err(misfit(&open, format!("at most {} levels", limits::NESTING), &Json::Null));
                }
            }
            Some(plain) => put_plain(&mut bytes, &plain).map_err(|expected| misfit(&open, expected, &plain))?,
            None => _ = open.pop(),
        }
        let Some((items, begun)) = open.last_mut() else { return Ok(bytes) };
        *begun = begun.saturating_add(1);
        next = items.next();
    }
}

fn put(bytes: &mut Vec<u8>, tag: u32, word: [u8; 4]) {
    bytes.extend(tag.to_le_bytes());
    bytes.extend(word);
}

/// Puts a value that is no list, or says what is expected.
fn put_plain(bytes: &mut Vec<u8>, json: &Json) -> core::result::Result<(), String> {
    let text = match json {
        Json::Integer(value) => {
            let value = i32::try_from(*value).map_err(|_| "a whole number of 32 bits".to_owned())?;
            put(bytes, INTEGER, value.to_le_bytes());
            return Ok(());
        }
        Json::Float(value) => {
            put(bytes, FLOAT, value.to_le_bytes());
            return Ok(());
        }
        Json::Text(text) => match text.strip_prefix("f32:") {
            Some(bits) => {
                let bits = u32::from_str_radix(bits, 16);
                let bits = bits.map_err(|_| "8 hexadecimal digits behind f32:, or {\"text\": …}".to_owned())?;
                put(bytes, FLOAT, bits.to_le_bytes());
                return Ok(());
            }
            None => Some(text.as_str()),
        },
        other => other.get("text").and_then(Json::text),
    };
    let text = text.ok_or_else(|| "a number, a text or a list".to_owned())?;
    let text = encode_text(Windows::PAGE, text).ok_or_else(|| format!("characters of {}", Windows::PAGE.name()))?;
    let length = u32::try_from(text.len()).map_err(|_| "a text whose length fits 32 bits".to_owned())?;
    put(bytes, TEXT, length.to_le_bytes());
    bytes.extend(text);
    Ok(())
}

fn misfit(open: &[(std::vec::IntoIter<Json>, u64)], expected: String, found: &Json) -> Misfit {
    let steps = open.iter().map(|(_, begun)| Step::Index(begun.saturating_sub(1))).collect();
    Misfit { steps, expected, found: found.describe() }
}

impl Lay for Reader {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let mut length = wide(self.value.len());
        if t.reading() {
            let start = t.position();
            let file = t.peek(start, t.remaining()).map_err(|fault| t.error(fault))?;
            length = wide(
                walk(&file, |_, _| {})
                    .map_err(|Wrong { at, steps, fault }| t.error_at(start.saturating_add(wide(at)), steps, fault))?,
            );
        }
        t.coded(&CODING, length, &mut self.value)?;
        t.rest("trailing", Run::Surplus, &mut self.trailing)
    }
}

impl Reader {
    /// Reader data of this value, as [`json`](Self::json) gives it.
    ///
    /// # Errors
    /// Where it is nothing that reader data can be.
    pub fn from_json(json: Json) -> Loaded<Self> {
        Ok(Self { value: load(json)?.into(), trailing: Block::default() })
    }

    /// The value: lists, texts, whole numbers and floats.
    #[must_use]
    pub fn json(&self) -> Json {
        show(&self.value)
    }

    /// Tells of every token of the value, and how deep it lies.
    pub fn walk(&self, mut tell: impl FnMut(usize, Token<'_>)) {
        let _ = walk(&self.value, |open, token| tell(open.len(), token));
    }

    /// Whether some bytes begin like a value.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.first_chunk().is_some_and(|tag| (INTEGER..=LIST).contains(&u32::from_le_bytes(*tag)))
    }

    /// Where the first value of some bytes ends, if one is there.
    #[must_use]
    pub fn extent(bytes: &[u8]) -> Option<usize> {
        walk(bytes, |_, _| {}).ok()
    }
}

impl Format for Reader {
    const NAME: &'static str = "reader";
    const TITLE: &'static str = "reader data";
    const GAMES: &'static [Game] = &[Game::Recoil, Game::MechWarrior3, Game::PiratesMoon, Game::CrimsonSkies];
    const CLAIMS: &'static [&'static str] = &["*.zrd"];

    /// A list or a text that ends exactly at the end; a lone number is too little to go by.
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
        let known = file.starts_with(&LIST.to_le_bytes()) || file.starts_with(&TEXT.to_le_bytes());
        (known && Self::extent(file) == Some(file.len())).then(|| Self::GAMES.to_vec())
    }

    fn suits(file: &[u8]) -> bool {
        // The text form begins with no byte that a tag begins with.
        !matches!(file.first(), Some(b'(' | b';' | b' ' | b'\t' | b'\r' | b'\n'))
    }
}

binrw_over_lay!(Reader);
