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
    Block, Class, Coding, F32, Fault, I32, Json, Loaded, Misfit, Result, Run, Step, Style as _, Tell, U32, Windows,
    decode_text, encode_text, lay, limits, put_encoded, put_float, put_whole, wide,
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
    /// Its bytes by class, known from having gone through it.
    census: [usize; 7],
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

/// Where a value is: the lists that it is in. The outermost is the file, which has one value.
#[derive(Clone, Copy)]
struct At<'a> {
    outer: &'a [Open],
    list: Open,
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

/// Where some bytes are no value, and why.
struct Wrong {
    at: usize,
    steps: Vec<Step>,
    fault: Fault,
}

/// Goes through the value that some bytes begin with, and gives where it ends. `tell` is told every token and where it is.
///
/// Lists are kept on a stack of our own, so that no nesting can exhaust another.
fn walk<'a>(bytes: &'a [u8], mut tell: impl FnMut(At<'_>, Token<'a>)) -> core::result::Result<usize, Wrong> {
    let mut outer: Vec<Open> = Vec::new();
    let mut list = Open { left: 1, begun: 0 };
    let mut rest = bytes;
    loop {
        list.left = list.left.saturating_sub(1);
        list.begun = list.begun.saturating_add(1);
        let at = At { outer: &outer, list };
        // How many bytes behind the beginning of the value something is wrong.
        let wrong = |behind: usize, fault| {
            Err(Wrong { at: bytes.len().saturating_sub(rest.len()).saturating_add(behind), steps: at.steps(), fault })
        };
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
        // A value ends, and with it the lists that it was the last of.
        while list.left == 0 {
            let Some(next) = outer.pop() else { return Ok(bytes.len().saturating_sub(rest.len())) };
            list = next;
            tell(At { outer: &outer, list }, Token::Close);
        }
    }
}

/// How a value is looked into.
static CODING: Coding = Coding { name: "reader data", owners, show, print: Some(print), load };

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

/// Bytes by class of the value that some bytes begin with.
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

/// Writes what [`show`] shows.
fn print(bytes: &[u8], text: &mut Vec<u8>) {
    let _ = walk(bytes, |at, token| {
        if at.list.begun > 1 && token != Token::Close {
            text.extend_from_slice(b", ");
        }
        match token {
            Token::Integer(value) => put_whole(value.get(), text),
            Token::Float(value) => put_float(value.get(), text),
            Token::Text(it) if it.starts_with(b"f32:") => {
                text.extend_from_slice(b"{\"text\": ");
                put_encoded(Windows::PAGE, it, text);
                text.push(b'}');
            }
            Token::Text(it) => put_encoded(Windows::PAGE, it, text),
            Token::Open(_) => text.push(b'['),
            Token::Close => text.push(b']'),
        }
    });
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
                let float = Json::float_of_bits(bits);
                let float = float.ok_or_else(|| "8 hexadecimal digits after f32:, or {\"text\": …}".to_owned())?;
                put(bytes, FLOAT, float.to_le_bytes());
                return Ok(());
            }
            None => Some(text.as_str()),
        },
        Json::Object(members) if members.len() == 1 => json.get("text").and_then(Json::text),
        _ => None,
    };
    let text = text.ok_or_else(|| "a number, a string or a list".to_owned())?;
    let text = encode_text(Windows::PAGE, text).ok_or_else(|| format!("characters of {}", Windows::PAGE.name()))?;
    let length = u32::try_from(text.len()).map_err(|_| "a string whose length fits in 32 bits".to_owned())?;
    put(bytes, TEXT, length.to_le_bytes());
    bytes.extend(text);
    Ok(())
}

fn misfit(open: &[(std::vec::IntoIter<Json>, u64)], expected: String, found: &Json) -> Misfit {
    let steps = open.iter().map(|(_, begun)| Step::Index(begun.saturating_sub(1))).collect();
    Misfit::new(steps, expected, found.describe())
}

lay! {
    impl Lay for Reader {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.read(at!(self.census), |known, t| {
                let wrong = |Wrong { at, steps, fault }| t.error_at(start.saturating_add(wide(at)), steps, fault);
                *known = census(t.ahead(t.remaining())).map_err(wrong)?;
                Ok(())
            })?;
            t.coded(&CODING, self.census, at!(self.value))?;
            t.follow(at!(self.census), |known, t| {
                *known = census(&self.value).map_err(|Wrong { steps, fault, .. }| t.error_at(start, steps, fault))?;
                Ok(())
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Reader {
    /// Reader data of this value, as [`json`](Self::json) gives it.
    ///
    /// # Errors
    /// Where it is nothing that reader data can be.
    pub fn from_json(json: Json) -> Loaded<Self> {
        let value = load(json)?;
        Ok(Self { census: census(&value).unwrap_or_default(), value: value.into(), trailing: Block::default() })
    }

    /// The value: lists, texts, whole numbers and floats.
    #[must_use]
    pub fn json(&self) -> Json {
        show(&self.value)
    }

    /// Tells of every token of the value, and how deep it lies.
    pub fn walk(&self, mut tell: impl FnMut(usize, Token<'_>)) {
        let _ = walk(&self.value, |at, token| tell(at.depth(), token));
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
