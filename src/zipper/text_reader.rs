//! Text reader data, `.zrd`: lists of words in parentheses, written by hand.
//!
//! The model is the text. It is shown as a tree, and an edit of the tree replaces only the words that differ, so every other space,
//! comment, quote and number keeps its spelling.
//!
//! Source: [`zipper-reader.md`](formats::zipper_reader), section 4.

mod merge;
mod words;

use core::ops::Range;

use field::build::Tape;
use field::{
    Block, Class, Codec, Fault, Judge, LoadError, Loaded, Result, Step, Style as _, Tell, Value, Windows, decode_text,
    encode_text, lay, limits, quote, wide,
};
use json::Describe as _;
use kind::{Format, Game, binrw_over_lay};
use lint::{Lint, Warnings, of_text};

pub(super) use words::{Spelling, oddity, print};
use words::{Words, all, is_plain_list, is_word, value};

/// The length of the longest word that the engine reads, in bytes.
pub(super) const LONGEST: usize = 255;

/// A text reader file.
#[derive(Clone, Debug, Default)]
pub struct TextReader {
    /// The text.
    pub text: Block,
}

/// Access to the words of a text.
static CODEC: Codec = Codec {
    name: "reader data as text",
    owners,
    show,
    print: None,
    load: |json, _| load(json),
    merge: Some(merge::merge),
    dense: Some(|bytes| bytes),
};

/// Calls `tell` for every word and parenthesis that belongs to a value: the steps to it, its position, and where the space before it
/// begins.
fn places(text: &[u8], mut tell: impl FnMut(&[Step], Range<usize>, usize)) {
    let mut steps = Vec::new();
    let mut begin = 0;
    for span in Words::of(text) {
        let word = text.get(span.clone()).unwrap_or_default();
        if matches!(word, [b')']) {
            steps.pop();
        }
        let end = span.end;
        tell(&steps, span, begin);
        begin = end;
        if matches!(word, [b'(']) {
            steps.push(Step::Index(0));
        } else if let Some(Step::Index(index)) = steps.last_mut() {
            *index += 1;
        }
    }
}

fn owners(bytes: &[u8], tell: Tell<'_>) {
    let mut owned = 0_usize;
    if tree(bytes).is_some() {
        places(bytes, |steps, span, begin| {
            owned = span.end;
            tell(steps, Class::Semantic, bytes.get(begin..span.end).unwrap_or_default());
        });
    }
    if let Some(rest @ [_, ..]) = bytes.get(owned..) {
        tell(&[], Class::Semantic, rest);
    }
}

/// Returns a text as a tree, or `None` if it is not one list with its parentheses and quotes in pairs.
pub(super) fn tree(text: &[u8]) -> Option<Value> {
    let (mut open, mut items, mut whole) = (Vec::new(), Vec::new(), None);
    for span in Words::of(text) {
        match text.get(span).unwrap_or_default() {
            _ if whole.is_some() || open.len() > limits::NESTING => return None,
            b"(" => open.push(core::mem::take(&mut items)),
            b")" => {
                let list = Value::List(core::mem::replace(&mut items, open.pop()?));
                if open.is_empty() { whole = Some(list) } else { items.push(list) }
            }
            word if open.is_empty() || !is_word(word) => return None,
            word => items.push(value(word)),
        }
    }
    whole
}

/// Returns the tree of a text, or the text itself if it is not a tree.
fn show(text: &[u8]) -> Value {
    tree(text).unwrap_or_else(|| decode_text(Windows::PAGE, text).into())
}

fn load(json: Value) -> Loaded<Vec<u8>> {
    match &json {
        Value::Text(text) => encode_text(Windows::PAGE, text).ok_or_else(|| {
            LoadError::new(Vec::new(), format!("characters of {}", Windows::PAGE.name()), json.describe_text())
        }),
        _ => print(&json, Spelling::Text),
    }
}

lay! {
    impl Lay for TextReader {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.seen(is_text).unwrap_or(Ok(()))?;
            t.coded_rest(&CODEC, at!(self.text))?;
            t.judge(|t| self.judge(t, start));
            Ok(())
        }
    }
}

/// Checks that the remaining bytes are text.
fn is_text(t: &Tape<'_>) -> Result {
    let left = t.ahead(t.remaining());
    let is_part = |byte: u8| byte >= b' ' || byte.is_ascii_whitespace();
    if all(left, is_part) {
        return Ok(());
    }
    let odd = left.iter().enumerate().find(|(_, byte)| !is_part(**byte));
    let Some((at, byte)) = odd else { return Ok(()) };
    let fault = Fault::Unknown { found: format!("byte {byte:#04x}"), expected: "text".into() };
    Err(t.error_at(t.position() + wide(at), [], fault))
}

impl TextReader {
    /// Returns the tree of the text: lists, strings, integers and floats. It is `None` if the text is not one list.
    #[must_use]
    pub fn json(&self) -> Option<Value> {
        tree(&self.text)
    }

    /// Reports words that the engine does not read, and parentheses and quotes that are not in pairs.
    fn judge(&self, t: &mut Judge<'_>, start: u64) {
        if is_plain_list(&self.text) {
            return;
        }
        let (mut depth, mut unbalanced) = (0_usize, None);
        places(&self.text, |steps, span, _| {
            let begin = start + wide(span.start);
            let word = self.text.get(span).unwrap_or_default();
            match word {
                b"(" => depth += 1,
                b")" if depth == 0 => _ = unbalanced.get_or_insert("a closing parenthesis without an opening one"),
                b")" => depth -= 1,
                word if !is_word(word) => _ = unbalanced.get_or_insert("an open quote"),
                _ => {}
            }
            if word.len() > LONGEST {
                t.judged(begin, steps, Some((format!("at most {LONGEST} bytes").into(), word.len().into())));
            }
            if !word.is_ascii() {
                t.judged(begin, steps, Some(("ASCII".into(), quote(word).into())));
            }
        });
        if let Some(found) = unbalanced.or((depth > 0).then_some("a list that is not closed")) {
            t.judged(start, &[], Some(("balanced parentheses and quotes".into(), found.into())));
        }
    }
}

impl Lint for TextReader {
    fn lint(&self, out: &mut Warnings<'_>) {
        of_text(&self.text, out);
    }
}

impl Format for TextReader {
    const NAME: &'static str = "text-reader";
    const TITLE: &'static str = "reader data as text";
    const GAMES: &'static [Game] = &[Game::MechWarrior3];
    const CLAIMS: &'static [&'static str] = &["*.zrd"];
    const RAW: Option<&'static str> = Some("zrd");

    /// Returns the end of the list before zeros.
    fn ends_at(file: &[u8]) -> Option<usize> {
        let end = file.iter().rposition(|byte| *byte != 0)?.checked_add(1)?;
        file.get(..end).filter(|text| end < file.len() && tree(text).is_some()).map(<[u8]>::len)
    }

    /// Checks for printable text that is one list from its first word to its last, and begins with a word in capitals and its list.
    /// Other languages write lists in parentheses too.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let mut first = Words::of(file).filter_map(|span| file.get(span));
        let is_key = |word: &[u8]| {
            let is_of_key = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
            word.iter().all(|byte| is_of_key(byte) || *byte == b'"') && word.iter().any(u8::is_ascii_uppercase)
        };
        let is_keyed = first.next()? == b"(" && is_key(first.next()?) && first.next()? == b"(";
        if !is_keyed || !all(file, |byte| (b' '..=b'~').contains(&byte) || byte.is_ascii_whitespace()) {
            return None;
        }
        if is_plain_list(file) {
            return Some(Self::GAMES.to_vec());
        }
        let (mut depth, mut ended) = (0_usize, false);
        for span in Words::of(file) {
            match file.get(span)? {
                _ if ended => return None,
                b"(" => depth = depth.checked_add(1)?,
                b")" => depth = depth.checked_sub(1)?,
                _ if depth == 0 => return None,
                _ => {}
            }
            ended = depth == 0;
        }
        ended.then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(TextReader);
