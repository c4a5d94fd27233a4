//! Compiled scripts, `.ncs`: big endian, a header and instructions. Source: `nwn-other.md`, section 5.

use crate::field::{
    Block, Class, Coding, Fault, Json, Loaded, Misfit, Result, Step, Tell, Text, U8, U32be, hex, lay, unhex, wide,
};
use crate::kind::{Format, Game, binrw_over_lay};
use crate::record;

record! {
    /// The header, 13 bytes. Source: `nwn-other.md`, section 5.
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
    pub code: Block,
}

/// The magic.
const MAGIC: &[u8; 8] = b"NCS V1.0";

static CODING: Coding = Coding {
    name: "instructions",
    owners,
    show,
    print: None,
    load: |json, _| load(json),
    merge: None,
    dense: Some(|bytes| bytes),
};

/// Returns the length of the instruction at the beginning of some bytes, or `None` if none begins there.
fn length(code: &[u8]) -> Option<usize> {
    let (&[opcode, kind], operands) = code.split_first_chunk()?;
    let operands = match (opcode, kind) {
        (0x01 | 0x03 | 0x26 | 0x27, _) | (0x21, _) => 6,
        (0x04, 0x05 | 0x17) => usize::from(u16::from_be_bytes(*operands.first_chunk()?)).checked_add(2)?,
        (0x04, _) | (0x1B | 0x1D | 0x1E | 0x1F | 0x23 | 0x24 | 0x25 | 0x28 | 0x29, _) => 4,
        (0x05, _) => 3,
        (0x0B | 0x0C, 0x24) => 2,
        (0x2C, _) => 8,
        (0x02 | 0x06..=0x22 | 0x2A | 0x2B | 0x2D, _) => 0,
        _ => return None,
    };
    let length = operands.checked_add(2)?;
    (length <= code.len()).then_some(length)
}

/// Returns the instructions, and the bytes after the last one that is complete.
fn instructions(mut code: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut all = Vec::new();
    while let Some((one, rest)) = length(code).and_then(|length| code.split_at_checked(length)) {
        all.push(one);
        code = rest;
    }
    (all, code)
}

fn owners(code: &[u8], tell: Tell<'_>) {
    let (all, rest) = instructions(code);
    for (nth, one) in all.into_iter().enumerate() {
        tell(&[Step::Index(wide(nth))], Class::Semantic, one);
    }
    if !rest.is_empty() {
        tell(&[], Class::Opaque, rest);
    }
}

/// Returns a list of instructions in hexadecimal: code, type, operands.
fn show(code: &[u8]) -> Json {
    instructions(code).0.into_iter().map(hex).collect()
}

fn load(json: Json) -> Loaded<Vec<u8>> {
    let Json::List(items) = &json else {
        return Err(Misfit::new(Vec::new(), "a list of instructions", json.describe()));
    };
    let mut code = Vec::new();
    for (nth, item) in items.iter().enumerate() {
        let bytes = item.text().and_then(unhex).filter(|bytes| length(bytes) == Some(bytes.len()));
        let misfit = || Misfit::new(vec![Step::Index(wide(nth))], "an instruction in hexadecimal", item.describe());
        code.extend(bytes.ok_or_else(misfit)?);
    }
    Ok(code)
}

lay! {
    impl Lay for Ncs {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let rules = Header { size: U32be::new(u32::try_from(self.code.len()).unwrap_or(0).saturating_add(13)), ..self.head };
            // A wrong size is kept.
            t.fields_by(at!(self.head), Some(&rules))?;
            t.seen(|t| {
                let mut rest = t.ahead(t.remaining());
                while let Some((_, after)) = length(rest).and_then(|length| rest.split_at_checked(length)) {
                    rest = after;
                }
                let Some(code) = rest.first() else { return Ok(()) };
                let at = t.position().saturating_add(t.remaining()).saturating_sub(wide(rest.len()));
                let found = format!("code {code:#04x}, and {} bytes", rest.len());
                Err(t.error_at(at, [Step::Name("code")], Fault::Unknown { found, expected: "a complete instruction".into() }))
            }).unwrap_or(Ok(()))?;
            let length = usize::try_from(t.told(t.remaining(), wide(self.code.len()))).unwrap_or(usize::MAX);
            t.coded_of("code", &CODING, [length, 0, 0, 0, 0, 0, 0], at!(self.code))
        }
    }
}

impl Format for Ncs {
    const NAME: &'static str = "ncs";
    const TITLE: &'static str = "compiled script";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.ncs"];

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        (file.starts_with(MAGIC) && file.get(8) == Some(&0x42)).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Ncs);
