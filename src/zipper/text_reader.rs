//! Text reader data, `.zrd`: lists of words in parentheses, written by hand.
//!
//! The model holds each word and the white space and comments before it. Nothing is regenerated, so every space,
//! comment, quote and number keeps its spelling.
//!
//! Source: `zipper-reader.md`, section 4.

use bytes::Bytes;

use crate::field::build::Tape;
use crate::field::{Block, Class, Encode, Encoded, Fault, Result, Style as _, Windows, lay, pieces, quote, wide};
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
    /// Counts the bytes of a token by class, or returns `None` if a walk might report a deviation.
    fn count_as_expected(token: &[u8], sums: &mut [usize; 7]) -> Option<usize> {
        if token.len() > LONGEST || !token.is_ascii() {
            return None;
        }
        Class::Semantic.count(token.len(), sums);
        // The text after the tokens is laid out next, so where the word begins does not matter.
        Some(0)
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
            t.encoded("tokens", has_token, Token::count_as_expected, at!(self.tokens), |t, token| {
                let length = t.seen(|t| space(left(t))).unwrap_or(token.space.len());
                t.text_of("space", Windows::PAGE, wide(length), at!(token.space))?;
                let length = t.seen(|t| word(left(t))).unwrap_or(token.word.len());
                t.text_of("word", Windows::PAGE, wide(length), at!(token.word))?;
                let word = &token.word;
                t.expect("word", || {
                    (word.len() > LONGEST).then(|| (format!("at most {LONGEST} bytes").into(), word.len().into()))
                });
                t.expect("word", || (!word.is_ascii()).then(|| ("ASCII".into(), quote(word.bytes()).into())));
                Ok(())
            })?;
            t.rest_text("space", Windows::PAGE, at!(self.space))?;
            let unbalanced = || self.unbalanced().map(|found| ("balanced parentheses and quotes".into(), found.into()));
            t.expect("tokens", unbalanced);
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

/// Checks that the remaining bytes are text.
fn is_text(t: &Tape<'_>) -> Result {
    let odd = left(t).iter().enumerate().find(|(_, byte)| **byte < b' ' && !byte.is_ascii_whitespace());
    let Some((at, byte)) = odd else { return Ok(()) };
    let fault = Fault::Unknown { found: format!("byte {byte:#04x}"), expected: "text".into() };
    Err(t.error_at(t.position().saturating_add(wide(at)), [], fault))
}

impl TextReader {
    /// Describes the first error in parentheses or quotes, or returns `None` if they balance.
    fn unbalanced(&self) -> Option<&'static str> {
        let mut depth = 0_usize;
        let mut error_in = |word: &[u8]| {
            match word {
                b"(" => depth = depth.saturating_add(1),
                b")" if depth == 0 => return Some("a closing parenthesis without an opening one"),
                b")" => depth = depth.saturating_sub(1),
                word if word.iter().filter(|&&byte| byte == b'"').count() % 2 == 1 => return Some("an open quote"),
                _ => {}
            }
            None
        };
        let error = match self.tokens.parts() {
            Ok(bytes) => pieces::<Token>(bytes).find_map(|token| error_in(token.get(space(token)..)?)),
            Err(tokens) => tokens.iter().find_map(|token| error_in(&token.word)),
        };
        error.or((depth > 0).then_some("a list that is not closed"))
    }
}

impl Format for TextReader {
    const NAME: &'static str = "text-reader";
    const TITLE: &'static str = "reader data as text";
    const GAMES: &'static [Game] = &[Game::MechWarrior3];
    const CLAIMS: &'static [&'static str] = &["*.zrd"];
    const RAW: Option<&'static str> = Some("zrd");

    /// Checks for printable text that is one list from its first word to its last.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        if !file.iter().all(|byte| (b' '..=b'~').contains(byte) || byte.is_ascii_whitespace()) {
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
