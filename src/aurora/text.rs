//! Kinds that are texts: models and walkmeshes as text, and tilesets.
//!
//! The text is kept as it is, and shown as a list of lines, each a list of words. [`TextModel::model`] gives what a model as text says. Source:
//! [`nwn-other.md`](formats::nwn_other), sections 6 and 7.

use core::ops::Range;

use field::{Block, Codec, GAME_TEXT, Judge, Result, Step, Value, decode_text, lay, wide};
use kind::{Format, Game, binrw_over_lay};
use lint::{Lint, Trap, Warnings, of_text};

use super::lines::{self, between_spaces, each_span, first_nul};
use super::model_text;
use super::part;

/// Declares a kind of text.
macro_rules! texts {
    ($(
        $(#[$meta:meta])*
        $format:ident = $name:literal, $title:literal, $raw:literal, $claims:expr, $words:expr, $suits:expr, $traps:expr, $lint:expr;
    )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        pub struct $format {
            /// The text.
            pub text: Block,
        }

        impl $format {
            const CODEC: &'static Codec = &Codec {
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
            pub fn json(&self) -> Value {
                lines::show(&self.text, $words)
            }
        }

        impl Lint for $format {
            fn lint(&self, out: &mut Warnings<'_>) {
                of_text(&self.text, out);
                let lint: fn(&[u8], &mut Warnings<'_>) = $lint;
                lint(&self.text, out);
            }
        }

        impl Format for $format {
            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
            const GAMES: &'static [Game] = &[Game::Neverwinter];
            const CLAIMS: &'static [&'static str] = $claims;
            const RAW: Option<&'static str> = Some($raw);
            const TRAPS: &'static [&'static Trap] = $traps;

            /// Returns `None`: nothing in these texts identifies them.
            fn recognize(_: &[u8]) -> Option<Vec<Game>> {
                None
            }

            /// Returns the end of the text before NULs.
            fn ends_at(file: &[u8]) -> Option<usize> {
                let last = file.iter().rposition(|byte| *byte != 0)?;
                last.checked_add(1).filter(|end| *end < file.len())
            }

            /// Returns `false` for files that are no such text.
            fn suits(file: &[u8]) -> bool {
                $suits(file)
            }
        }

        binrw_over_lay!($format);
    )* };
}

texts! {
    /// A model, or a walkmesh, as text.
    TextModel = "text-model", "model or walkmesh as text", "mdl", &["*.mdl", "*.wok", "*.pwk", "*.dwk"], words_of_model, is_model, model_text::TRAPS, model_text::lint;
    /// A tileset.
    Tileset = "set", "tileset", "set", &["*.set"], words_of_settings, is_settings, &[], |_, _| {};
}

impl TextModel {
    /// Returns the model that is compiled from the text, with its nodes, meshes and animations as values of Rust. A walkmesh has the tree of its
    /// boxes in its node, and gets the root that its nodes belong to, which is in the file of the model. Part numbers are those of a model
    /// whose super model is unknown.
    ///
    /// # Errors
    /// Returns why the text cannot be compiled, with the number of the line.
    pub fn model(&self) -> core::result::Result<super::model::Model, String> {
        model_text::model(&self.text)
    }
}

lay! {
    impl Lay for TextModel {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.coded_rest(Self::CODEC, at!(self.text))?;
            t.judge(|t| {
                judge_nul(&self.text, start, t);
                judge_log(&self.text, start, t);
            });
            Ok(())
        }
    }

    impl Lay for Tileset {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.coded_rest(Self::CODEC, at!(self.text))?;
            t.judge(|t| judge_nul(&self.text, start, t));
            Ok(())
        }
    }
}

/// The first words of lines that only a model or a walkmesh has. Source: `nwn-mdl-text.md`.
const OF_MODEL: [&[u8]; 5] = [b"newmodel", b"beginmodelgeom", b"beginwalkmeshgeom", b"node", b"donemodel"];

/// Returns `true` for a model or a walkmesh as text: it is empty, it begins with a word or a remark and has no NUL, or it has a line of a model, even
/// if a tool has written its log around it, or left a NUL after it (`nwn-mdl-text.md`, section 2).
pub(super) fn is_model(file: &[u8]) -> bool {
    let has_line = || {
        each_span(file).any(|(line, _)| {
            let mut words = part(file, line).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let first = words.next().is_some_and(|first| OF_MODEL.iter().any(|it| first.eq_ignore_ascii_case(it)));
            first && words.next().is_some()
        })
    };
    let is_binary = matches!(file, [0, ..]);
    file.is_empty() || !is_binary && (super::is_text(file) && first_nul(file).is_none() || has_line())
}

/// Returns `true` for settings: a section, a word or a remark at the beginning, and no NUL.
fn is_settings(file: &[u8]) -> bool {
    (file.is_empty() || super::is_text(file) || file.first() == Some(&b'[')) && first_nul(file).is_none()
}

/// Reports the first NUL of a text.
fn judge_nul(text: &[u8], start: u64, t: &mut Judge<'_>) {
    if let Some(at) = first_nul(text) {
        t.judged(start + wide(at), &[line_of(text, at)], Some(("text".into(), "a byte of 0".into())));
    }
}

/// Reports the log of a tool around a model.
fn judge_log(text: &[u8], start: u64, t: &mut Judge<'_>) {
    let log = each_span(text).find(|(line, _)| text.get(line.start) == Some(&b'<'));
    if let Some((line, _)) = log {
        let found = decode_text(GAME_TEXT, part(text, line.clone()));
        t.judged(
            start + wide(line.start),
            &[line_of(text, line.start)],
            Some(("a line of a model".into(), found.into())),
        );
    }
}

/// Returns the step to the line with the byte at an offset.
fn line_of(text: &[u8], at: usize) -> Step {
    Step::Index(wide(memchr::memchr_iter(b'\n', part(text, 0..at)).count()))
}

/// Returns the words of a line of a model.
fn words_of_model(line: &[u8]) -> Vec<Range<usize>> {
    between_spaces(line, false)
}

/// Returns the section, or the key and the value of a line of settings.
fn words_of_settings(line: &[u8]) -> Vec<Range<usize>> {
    let trimmed = |range: Range<usize>| {
        let part = part(line, range.clone());
        let begin = range.start + (part.len() - part.trim_ascii_start().len());
        begin..begin + part.trim_ascii().len()
    };
    let whole = trimmed(0..line.len());
    let is_pair = !matches!(line.get(whole.start), None | Some(b'[' | b';'));
    match line.iter().position(|&byte| byte == b'=').filter(|_| is_pair) {
        // The sign is a word, so that a value can be empty.
        Some(at) => [trimmed(0..at), at..at + 1, trimmed(at + 1..line.len())]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect(),
        None => [whole].into_iter().filter(|word| !word.is_empty()).collect(),
    }
}
