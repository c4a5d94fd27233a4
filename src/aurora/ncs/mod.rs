//! Compiled scripts, `.ncs`: big endian, a header and instructions.
//!
//! The bytes of the instructions are the model. They are shown as a list of instructions by name, with strings as text. The distance
//! of a jump is not shown: it names the label of the instruction where it ends, and so follows every edit. The same list is the text form,
//! `.asm`.
//!
//! Source: [`nwn-ncs.md`](formats::nwn_ncs).

mod code;
mod json;
mod judge;
mod opcodes;
pub mod text;

use field::record;
use field::{Block, Codec, Fault, Result, Run, Tape, Text, U8, U32be, Value, as_read, lay, wide};
use kind::{Format, Game, binrw_over_lay};
use lint::Trap;

pub use opcodes::{Called, Compared, Copied, Dropped, Moved, Numbered, Real, Stored, Unseen, Whole};

record! {
    /// The header, 13 bytes. Source: `nwn-ncs.md`, section 1.
    pub struct Header: 13 {
        magic: Text<8>,
        /// Looks like an instruction.
        marker: U8 = 0x42,
        size: U32be as Outside,
    }
}

/// A compiled script.
#[derive(Clone, Debug, Default)]
pub struct Ncs {
    /// The size of the file.
    pub head: Header,
    /// The instructions.
    code: Block,
    /// The bytes of the instructions by class.
    census: [usize; 7],
    /// Bytes from the first that is no complete instruction onward.
    rest: Block,
    /// Bytes after the size that the header states: the end of an older, longer script.
    trailing: Block,
}

/// The size of the header.
const HEAD: usize = 13;

/// The magic.
const MAGIC: &[u8; 8] = b"NCS V1.0";

/// The byte after the magic.
const MARKER: u8 = 0x42;

static CODEC: Codec = Codec {
    name: "instructions",
    owners: code::owners,
    show: json::show,
    print: None,
    load: |json, replaced| json::load(&json, replaced),
    merge: None,
    dense: Some(|bytes| bytes),
};

impl Ncs {
    /// Returns the instructions as a list of objects: name with type, operands by name, `label`, and the label `to` which a jump leads.
    #[must_use]
    pub fn json(&self) -> Value {
        json::show(&self.code)
    }
}

/// Refuses other files under the name of a script. The beginning of one can be lost.
fn check(t: &Tape<'_>) -> Result {
    let (file, start) = (t.ahead(t.remaining()), t.position());
    let head = file.get(..MAGIC.len()).unwrap_or(file);
    if head.starts_with(b"NCS") || head.iter().all(|byte| *byte == 0) {
        return Ok(());
    }
    let (found, expected) = (head.escape_ascii().to_string(), "NCS V1.0".to_owned());
    Err(t.error_at(start, [], Fault::Unknown { found, expected }))
}

lay! {
    impl Lay for Ncs {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.seen(check).unwrap_or(Ok(()))?;
            let size = wide(HEAD + self.code.len() + self.rest.len());
            let rules = Header { size: t.rule("size", size, self.head.size)?, ..self.head };
            // A wrong size is kept.
            t.fields_by(at!(self.head), Some(&rules))?;
            let (start, stated) = (t.position(), usize::try_from(self.head.size.get()).ok());
            let stated = stated.and_then(|size| size.checked_sub(HEAD));
            let sum = |census: &[usize; 7]| census.iter().sum::<usize>();
            t.read(at!(self.census), |census, t| {
                let all = t.ahead(t.remaining());
                // The code fills the file, unless it ends with an instruction where the header says.
                let own = stated.and_then(|length| all.get(..length)).map(code::census);
                let own = own.filter(|census| Some(sum(census)) == stated);
                *census = own.unwrap_or_else(|| code::census(all));
                Ok(())
            })?;
            t.coded_of("code", &CODEC, self.census, at!(self.code))?;
            t.follow(at!(self.census), |census, _| {
                *census = code::census(&self.code);
                Ok(())
            })?;
            let is_whole = Some(sum(&self.census)) == stated;
            let rest = as_read(if is_whole { 0 } else { t.remaining() });
            t.run("rest", Run::Opaque, rest, at!(self.rest))?;
            t.judge(|t| judge::judge(&self.code, start, t));
            t.expect("rest", || {
                let found = format!("code {:#04x}, and {} bytes", self.rest.first()?, self.rest.len());
                Some(("a complete instruction".into(), found.into()))
            });
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

/// Returns the size of a script in bytes.
fn length_of(Ncs { code, rest, trailing, .. }: &Ncs) -> usize {
    HEAD + [code, rest, trailing].into_iter().map(|part| part.len()).sum::<usize>()
}

impl Format for Ncs {
    const NAME: &'static str = "ncs";
    const TITLE: &'static str = "compiled script";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.ncs"];
    #[cfg(feature = "exchange")]
    const ALIGN: Option<kind::Align> = Some(json::align);
    const TRAPS: &'static [&'static Trap] = judge::TRAPS;

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        (file.starts_with(MAGIC) && file.get(8) == Some(&MARKER)).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Ncs);
