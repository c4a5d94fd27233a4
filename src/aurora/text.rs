//! Kinds that are texts: models and walkmeshes as text, and tilesets.
//!
//! The model is the text. It is shown as a list of lines, each a list of words. Source: `nwn-other.md`, sections 6 and 7.

use core::ops::Range;

use crate::field::{Block, Coding, Fault, Json, Result, lay, wide};
use crate::kind::{Format, Game, binrw_over_lay};

use super::lines::{self, between_spaces, first_nul};

/// Declares a kind of text.
macro_rules! texts {
    ($($(#[$meta:meta])* $format:ident = $name:literal, $title:literal, $raw:literal, $claims:expr, $words:expr;)*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        pub struct $format {
            /// The text.
            pub text: Block,
        }

        impl $format {
            const CODING: &'static Coding = &Coding {
                name: $title,
                owners: lines::each_owner,
                show: |text| lines::show(text, $words),
                print: None,
                load: |json, _| lines::load(b"", &json, $words),
                merge: Some(|text, json| lines::load(text, json, $words)),
                dense: Some(|bytes| bytes),
            };

            /// Returns the lines, each a list of words.
            #[must_use]
            pub fn json(&self) -> Json {
                lines::show(&self.text, $words)
            }
        }

        impl Format for $format {
            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
            const GAMES: &'static [Game] = &[Game::Neverwinter];
            const CLAIMS: &'static [&'static str] = $claims;
            const RAW: Option<&'static str> = Some($raw);

            /// Returns `None`: nothing in these texts identifies them.
            fn recognize(_: &[u8]) -> Option<Vec<Game>> {
                None
            }

            /// Returns `false` for files with a NUL, or that begin with something else than a word or a remark. Text can be empty.
            fn suits(file: &[u8]) -> bool {
                (file.is_empty() || super::is_text(file) || file.first() == Some(&b'[')) && first_nul(file).is_none()
            }
        }

        binrw_over_lay!($format);
    )* };
}

texts! {
    /// A model, or a walkmesh, as text.
    TextModel = "text-model", "model or walkmesh as text", "mdl", &["*.mdl", "*.wok", "*.pwk", "*.dwk"], words_of_model;
    /// A tileset.
    Tileset = "set", "tileset", "set", &["*.set"], words_of_settings;
}

lay! {
    impl Lay for TextModel {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.lines(Self::CODING, at!(self.text))
        }
    }

    impl Lay for Tileset {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.lines(Self::CODING, at!(self.text))
        }
    }

    impl Tape<'_> {
        /// Lays out the remaining bytes as text.
        fn lines(&mut self, coding: &'static Coding, text: at!(Block)) -> Result {
            self.seen(is_text).unwrap_or(Ok(()))?;
            self.coded_rest(coding, text)
        }

        /// Lays out the remaining bytes, which have an encoding.
        pub(crate) fn coded_rest(&mut self, coding: &'static Coding, text: at!(Block)) -> Result {
            let length = usize::try_from(self.told(self.remaining(), wide(text.len()))).unwrap_or(usize::MAX);
            self.coded(coding, [length, 0, 0, 0, 0, 0, 0], text)
        }
    }
}

/// Returns the words of a line of a model.
fn words_of_model(line: &[u8]) -> Vec<Range<usize>> {
    between_spaces(line, false)
}

/// Returns the section, or the key and the value of a line of settings.
fn words_of_settings(line: &[u8]) -> Vec<Range<usize>> {
    let trimmed = |range: Range<usize>| {
        let part = lines::part(line, range.clone());
        let begin = range.start.saturating_add(part.len().saturating_sub(part.trim_ascii_start().len()));
        begin..begin.saturating_add(part.trim_ascii().len())
    };
    let whole = trimmed(0..line.len());
    let is_pair = !matches!(line.get(whole.start), None | Some(b'[' | b';'));
    match line.iter().position(|&byte| byte == b'=').filter(|_| is_pair) {
        // The sign is a word, so that a value can be empty.
        Some(at) => [trimmed(0..at), at..at.saturating_add(1), trimmed(at.saturating_add(1)..line.len())]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect(),
        None => [whole].into_iter().filter(|word| !word.is_empty()).collect(),
    }
}

/// Checks that the remaining bytes are text.
fn is_text(t: &crate::field::Tape<'_>) -> Result {
    let Some(at) = first_nul(t.ahead(t.remaining())) else { return Ok(()) };
    let fault = Fault::Unknown { found: "a byte of 0".into(), expected: "text".into() };
    Err(t.error_at(t.position().saturating_add(wide(at)), [], fault))
}
