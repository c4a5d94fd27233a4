//! Text reader data, `.zrd`: lists of words in parentheses, written by hand.
//!
//! The model holds each word and the white space and comments before it. Nothing is regenerated, so every space,
//! comment, quote and number keeps its spelling.
//!
//! Source: `zipper-reader.md`, section 4.

use core::cell::Cell;

use bytes::Bytes;

use crate::field::build::Tape;
use crate::field::{Block, Class, Encode, Encoded, Fault, Result, Style as _, Windows, lay, quote, wide};
use crate::kind::{Format, Game, binrw_over_lay};

/// The length of the longest word that the engine reads, in bytes.
const LONGEST: usize = 255;

/// A word or parenthesis, with the text before it.
#[derive(Clone, Debug, Default)]
pub struct Token {
    /// White space and comments before the word.
    pub space: Block,
    /// `(`, `)`, or a word; quoted parts may occur anywhere in it.
    pub word: Block,
}

/// A text reader file.
#[derive(Clone, Debug, Default)]
pub struct TextReader {
    /// The words, in file order.
    pub tokens: Encoded<Token>,
    /// White space and comments after the last word.
    pub space: Block,
}

/// Returns the length of the white space and comments at the beginning of a text.
fn space(text: &[u8]) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        if rest.first() != Some(&b';') {
            return text.len().saturating_sub(rest.len());
        }
        rest = behind(rest, b'\n');
    }
}

/// Returns the length of the word at the beginning of a text.
fn word(text: &[u8]) -> usize {
    if matches!(text.first(), Some(b'(' | b')')) {
        return 1;
    }
    let mut rest = text;
    loop {
        let plain = rest.iter().position(|&byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'"'));
        rest = plain.and_then(|plain| rest.get(plain..)).unwrap_or_default();
        match rest.strip_prefix(b"\"") {
            Some(quoted) => rest = behind(quoted, b'"'),
            None => return text.len().saturating_sub(rest.len()),
        }
    }
}

/// Returns the text after the first of these bytes.
fn behind(text: &[u8], byte: u8) -> &[u8] {
    let at = text.iter().position(|&it| it == byte);
    at.and_then(|at| text.get(at.saturating_add(1)..)).unwrap_or_default()
}

impl Token {
    /// Counts the bytes of a token by class. Returns the offset of its word, or `None` if a walk might report a deviation.
    fn count_as_expected(token: &[u8], sums: &mut [usize; 7]) -> Option<usize> {
        if token.len() > LONGEST || !token.is_ascii() {
            return None;
        }
        Class::Semantic.count(token.len(), sums);
        Some(space(token))
    }
}

/// The balance of the parentheses and quotes of some words.
#[derive(Clone, Copy, Default)]
struct Balance {
    /// The number of open lists.
    depth: usize,
    /// The first error.
    error: Option<&'static str>,
}

impl Balance {
    /// Returns the balance after one more word.
    fn after(self, word: &[u8]) -> Self {
        let Self { depth, error } = self;
        let found = match word {
            b"(" => return Self { depth: depth.saturating_add(1), error },
            b")" if depth > 0 => return Self { depth: depth.saturating_sub(1), error },
            b")" => "a closing parenthesis without an opening one",
            word if word.iter().filter(|&&byte| byte == b'"').count() % 2 == 1 => "an open quote",
            _ => return self,
        };
        Self { depth, error: error.or(Some(found)) }
    }

    /// Describes the first error, or returns `None` if everything balances.
    fn error(self) -> Option<&'static str> {
        self.error.or((self.depth > 0).then_some("a list that is not closed"))
    }
}

impl Encode for Token {
    type By = ();

    fn length(bytes: &[u8]) -> Option<usize> {
        let space = space(bytes);
        let word = word(bytes.get(space..)?);
        (word > 0).then_some(space.saturating_add(word))
    }

    fn parse(bytes: Bytes, (): ()) -> Self {
        let mut space = bytes;
        let word = space.split_off(self::space(&space));
        Self { space: Block::shared(space), word: Block::shared(word) }
    }
}

lay! {
    impl Lay for TextReader {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.seen(is_text).unwrap_or(Ok(()))?;
            let balance = Cell::new(Balance::default());
            let judge = |token: &[u8], sums: &mut [usize; 7]| {
                let at = Token::count_as_expected(token, sums)?;
                balance.set(balance.get().after(token.get(at..).unwrap_or_default()));
                Some(at)
            };
            t.encoded("tokens", has_token, judge, at!(self.tokens), |t, token| {
                let length = t.seen(|t| space(left(t))).unwrap_or(token.space.len());
                t.text_of("space", Windows::PAGE, wide(length), at!(token.space))?;
                let length = t.seen(|t| word(left(t))).unwrap_or(token.word.len());
                t.text_of("word", Windows::PAGE, wide(length), at!(token.word))?;
                let word = &token.word;
                balance.set(balance.get().after(word));
                t.expect("word", || {
                    (word.len() > LONGEST).then(|| (format!("at most {LONGEST} bytes").into(), word.len().into()))
                });
                t.expect("word", || (!word.is_ascii()).then(|| ("ASCII".into(), quote(word.bytes()).into())));
                Ok(())
            })?;
            t.rest_text("space", Windows::PAGE, at!(self.space))?;
            let error = balance.get().error();
            t.expect("tokens", || Some(("balanced parentheses and quotes".into(), error?.into())));
            Ok(())
        }
    }
}

/// Returns `true` if more than white space remains.
fn has_token(t: &Tape<'_>) -> bool {
    space(left(t)) < left(t).len()
}

/// Returns the remaining bytes.
fn left<'a>(t: &'a Tape<'_>) -> &'a [u8] {
    t.ahead(t.remaining())
}

/// Returns `true` if every byte of a text matches. It looks at many bytes at once.
fn all(text: &[u8], matches: impl Fn(&u8) -> bool) -> bool {
    text.chunks(64).all(|part| part.iter().fold(true, |all, byte| all & matches(byte)))
}

/// Checks that the remaining bytes are text.
fn is_text(t: &Tape<'_>) -> Result {
    let is_text = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
    if all(left(t), is_text) {
        return Ok(());
    }
    let odd = left(t).iter().enumerate().find(|(_, byte)| !is_text(byte));
    let Some((at, byte)) = odd else { return Ok(()) };
    let fault = Fault::Unknown { found: format!("byte {byte:#04x}"), expected: "text".into() };
    Err(t.error_at(t.position().saturating_add(wide(at)), [], fault))
}

impl Format for TextReader {
    const NAME: &'static str = "text-reader";
    const TITLE: &'static str = "reader data as text";
    const GAMES: &'static [Game] = &[Game::MechWarrior3];
    const CLAIMS: &'static [&'static str] = &["*.zrd"];
    const RAW: Option<&'static str> = Some("zrd");

    /// Checks for printable text that is one list from its first word to its last.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        if !all(file, |byte| (b' '..=b'~').contains(byte) || byte.is_ascii_whitespace()) {
            return None;
        }
        let (mut rest, mut depth, mut ended) = (file, 0_usize, false);
        loop {
            rest = rest.get(space(rest)..)?;
            let (token, behind) = rest.split_at_checked(word(rest))?;
            match token {
                b"" => return ended.then(|| Self::GAMES.to_vec()),
                _ if ended => return None,
                b"(" => depth = depth.checked_add(1)?,
                b")" => depth = depth.checked_sub(1)?,
                _ if depth == 0 => return None,
                _ => {}
            }
            ended = depth == 0;
            rest = behind;
        }
    }
}

binrw_over_lay!(TextReader);
