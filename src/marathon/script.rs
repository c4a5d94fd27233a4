//! Script bundles, `MMLS` and `LUAS`: source code that later engines run.
//!
//! Source: [`marathon-wad.md`](formats::marathon_wad), section 5.

use field::record;
use field::{Block, Mac, Result, Run, Style as _, Text, U16be, U32be, lay, wide};

record! {
    /// The header of a script, 74 bytes. Source: `marathon-wad.md`, section 5.
    pub struct ScriptHeader: 74 {
        flags: U32be,
        name: Text<66, Mac>,
        length: U32be as Outside,
    }
}

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Flags, name, length.
    pub head: ScriptHeader,
    /// The text; with any line ending.
    pub text: Block,
}

/// A bundle of scripts.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// The scripts.
    pub scripts: Vec<Script>,
    /// Bytes after the scripts.
    pub rest: Block,
}

lay! {
    impl Lay for Scripts {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let count = t.number::<U16be>("count", wide(self.scripts.len()))?;
            t.list("scripts", count, wide(size_of::<ScriptHeader>()), at!(self.scripts), |t, script| {
                t.computed("length", at!(script.head.length), wide(script.text.len()))?;
                t.fields(at!(script.head))?;
                t.text_of("text", Mac::PAGE, script.head.length.get(), at!(script.text))
            })?;
            t.rest("rest", Run::Surplus, at!(self.rest))
        }
    }
}
