//! Texts of their own: `STR `, `STR#` and `TEXT`. Source: `marathon-images.md`, section 4.

use crate::field::{Block, Lay, Mac, Result, Run, Style as _, Tape, U8, U16be, wide};
use crate::record;

/// A resource `STR `.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PascalString {
    /// The text.
    pub text: Block,
    /// What stands behind it.
    pub trailing: Block,
}

record! {
    /// The head of a list of texts, 2 bytes. Source: `marathon-images.md`, section 4.
    pub struct StringListHead: 2 {
        string_count: U16be as Outside,
    }
}

/// A resource `STR#`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringList {
    /// How many there are.
    pub head: StringListHead,
    /// The texts.
    pub strings: Vec<Block>,
    /// What stands behind the last.
    pub trailing: Block,
}

/// A resource `TEXT`: a text without its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainText {
    /// The text.
    pub text: Block,
}

impl Lay for PlainText {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.rest_text("text", Mac::PAGE, &mut self.text)
    }
}

impl Lay for PascalString {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.text::<U8>("length", "text", Mac::PAGE, &mut self.text)?;
        t.rest("trailing", Run::Surplus, &mut self.trailing)
    }
}

impl Lay for StringList {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.fill("string_count", &mut self.head.string_count, wide(self.strings.len()))?;
        t.fields(&mut self.head)?;
        let count = t.stated("string_count", self.head.string_count)?;
        t.list("strings", count, 1, &mut self.strings, |t, text| t.text::<U8>("length", "text", Mac::PAGE, text))?;
        t.rest("trailing", Run::Surplus, &mut self.trailing)
    }
}
