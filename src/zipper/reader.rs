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

use crate::field::{Block, F32, Fault, I32, Lay, Result, Run, Style as _, Tape, U32, Windows, limits, wide};
use crate::format::{Format, Game, binrw_over_lay};
use crate::record;

/// The tags of values.
const INTEGER: u32 = 1;
const FLOAT: u32 = 2;
const TEXT: u32 = 3;
const LIST: u32 = 4;

record! {
    /// An integer, 8 bytes. Source: `zipper-reader.md`, section 2.
    pub struct Integer: 8 {
        tag: U32 as Outside,
        value: I32,
    }
}

record! {
    /// A float, 8 bytes. Source: `zipper-reader.md`, section 2.
    pub struct Float: 8 {
        tag: U32 as Outside,
        value: F32,
    }
}

record! {
    /// What stands before a text, 8 bytes. Source: `zipper-reader.md`, section 2.
    pub struct TextHead: 8 {
        tag: U32 as Outside,
        length: U32 as Outside,
    }
}

record! {
    /// What stands before the values of a list, 8 bytes. Source: `zipper-reader.md`, section 2.
    pub struct ListHead: 8 {
        tag: U32 as Outside,
        /// The number of values and one more.
        count: U32 as Outside,
    }
}

/// A value, or the beginning of a list.
#[derive(Clone, Debug)]
pub enum Value {
    /// A whole number.
    Integer(Integer),
    /// A float, any 32 bits.
    Float(Float),
    /// A text, any bytes.
    Text(TextHead, Block),
    /// A list: so many of the values that follow, each with what is in it, are its own.
    List(ListHead, u64),
}

/// Reader data.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The values in file order, a list before what is in it. Kept flat, so that no nesting can exhaust a stack.
    pub values: Vec<Value>,
    /// What stands behind the last value.
    pub trailing: Block,
}

impl Value {
    /// In read mode, the empty value that begins here.
    fn begin(t: &Tape<'_>) -> Result<Self> {
        let Some(tag) = crate::macros::read_pod::<U32>(t.ahead(4)) else {
            return Err(t.error(Fault::Ends { count: 1, each: 8, remain: t.remaining() }));
        };
        match tag.get() {
            INTEGER => Ok(Self::Integer(Integer::default())),
            FLOAT => Ok(Self::Float(Float::default())),
            TEXT => Ok(Self::Text(TextHead::default(), Block::default())),
            LIST => Ok(Self::List(ListHead::default(), 0)),
            other => {
                Err(t.error(Fault::Unknown { found: format!("tag {other}"), expected: "tag 1, 2, 3 or 4".into() }))
            }
        }
    }

    /// Lays a value that is not a list.
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        match self {
            Self::Integer(value) => {
                value.tag.set(INTEGER);
                t.bare(value)
            }
            Self::Float(value) => {
                value.tag.set(FLOAT);
                t.bare(value)
            }
            Self::Text(head, text) => {
                head.tag.set(TEXT);
                t.fill("length", &mut head.length, wide(text.len()))?;
                t.bare(head)?;
                let length = t.stated("length", head.length)?;
                t.bare_text(Windows::PAGE, length, text)
            }
            // A list is opened and closed where the others are: see the lay of the whole.
            Self::List(..) => Ok(()),
        }
    }
}

impl Lay for Reader {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        if t.reading() {
            self.values.clear();
        }
        // The lists that are open: how many values each has, and how many of them have begun.
        let mut open: Vec<(u64, u64)> = Vec::new();
        let mut next = 0;
        loop {
            let index = open.last_mut().map(|(_, begun)| {
                *begun += 1;
                begun.saturating_sub(1)
            });
            if t.reading() {
                self.values.push(Value::begin(t)?);
            }
            let missing = Fault::Count { expected: wide(next).saturating_add(1), found: wide(self.values.len()) };
            let value = self.values.get_mut(next).ok_or_else(|| t.error(missing))?;
            next += 1;
            if let Value::List(head, values) = value {
                if open.len() >= limits::NESTING {
                    return Err(t.error(Fault::TooDeep { limit: limits::NESTING }));
                }
                t.open(index);
                head.tag.set(LIST);
                t.fill("count", &mut head.count, values.saturating_add(1))?;
                t.fields(head)?;
                *values = t
                    .stated("count", head.count)?
                    .checked_sub(1)
                    .ok_or_else(|| t.error_in("count", Fault::Outside { found: 0, expected: "at least 1".into() }))?;
                t.room(*values, 8)?;
                open.push((*values, 0));
            } else {
                t.at(index, |t| value.lay(t))?;
            }
            // A value ends, and with it the lists that it was the last of.
            loop {
                match open.last_mut() {
                    None => {
                        return match wide(self.values.len()).checked_sub(wide(next)) {
                            Some(0) => t.rest("trailing", Run::Surplus, &mut self.trailing),
                            _ => Err(t.error(Fault::Count { expected: wide(next), found: wide(self.values.len()) })),
                        };
                    }
                    Some((values, begun)) if begun == values => {
                        open.pop();
                        t.close(!open.is_empty());
                    }
                    Some(_) => break,
                }
            }
        }
    }
}

impl Reader {
    /// Whether some bytes begin like a value.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.first_chunk().is_some_and(|tag| (INTEGER..=LIST).contains(&u32::from_le_bytes(*tag)))
    }

    /// Where the first value of some bytes ends, if one is there.
    #[must_use]
    pub fn extent(bytes: &[u8]) -> Option<usize> {
        let mut at = 0_usize;
        // How many values are still to come: a list puts those in it in its place.
        let mut left = 1_usize;
        while left > 0 {
            let head: [U32; 2] = bytes.get(at..at.checked_add(8)?).and_then(crate::macros::read_pod)?;
            let [tag, word] = head.map(U32::get);
            let word = usize::try_from(word).ok()?;
            at = at.checked_add(8)?;
            left = left.checked_sub(1)?;
            match tag {
                INTEGER | FLOAT => {}
                TEXT => at = at.checked_add(word)?,
                LIST => left = left.checked_add(word.checked_sub(1)?)?,
                _ => return None,
            }
        }
        (at <= bytes.len()).then_some(at)
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
