//! Separate strings: `STR `, `STR#`, `TEXT` and `term`. Source: `marathon-images.md`, section 4; `marathon-1-resources.md`, section 1.

use field::record;
use field::{Block, Mac, Result, Run, Style as _, U8, U16be, as_read, lay, wide};

/// A resource `STR `.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PascalString {
    /// The text.
    pub text: Block,
    /// Bytes after the text.
    pub trailing: Block,
}

record! {
    /// The header of a list of strings, 2 bytes. Source: `marathon-images.md`, section 4.
    pub struct StringListHeader: 2 {
        string_count: U16be as Outside,
    }
}

/// A resource `STR#`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringList {
    /// The number of strings.
    pub head: StringListHeader,
    /// The strings.
    pub strings: Vec<Block>,
    /// Bytes after the last string.
    pub trailing: Block,
}

/// A resource `TEXT`, or `term`, a terminal of Marathon: text without its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainText {
    /// The text.
    pub text: Block,
}

lay! {
    impl Lay for PlainText {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.text_of("text", Mac::PAGE, as_read(t.remaining()), at!(self.text))
        }
    }

    impl Lay for PascalString {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.text::<U8>("length", "text", Mac::PAGE, at!(self.text))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl Lay for StringList {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("string_count", at!(self.head.string_count), wide(self.strings.len()))?;
            t.fields(at!(self.head))?;
            let count = t.stated("string_count", self.head.string_count)?;
            t.list("strings", count, 1, at!(self.strings), |t, text| t.text::<U8>("length", "text", Mac::PAGE, text))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}
