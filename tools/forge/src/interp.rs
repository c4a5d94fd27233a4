//! Interpreter scripts (`interp.zbd`): an index, and the lines of each script as tokens. Source: zipper-interp.md.

mod samples;

use crate::bytes::Bytes;
pub use samples::{broken, ordinary, samples};

/// An interpreter file. Source: zipper-interp.md, section 1.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 0x08971119.
    pub signature: u32,
    /// 7.
    pub version: u32,
    /// `None`: the number of entries.
    pub count: Option<u32>,
    /// In the order of the index.
    pub entries: Vec<Entry>,
    /// In the order of the file.
    pub scripts: Vec<Script>,
    /// Bytes after the last script.
    pub trailing: Vec<u8>,
}

/// An entry of the index. Source: zipper-interp.md, section 1.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The text the script was compiled from, with its tail.
    pub path: [u8; 120],
    /// Seconds since 1970, when that text was written.
    pub time: u32,
    /// The script it names.
    pub script: usize,
    /// `None`: the actual offset.
    pub offset: Option<u32>,
}

/// A script. Source: zipper-interp.md, section 1.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Bytes before the script.
    pub gap: Vec<u8>,
    /// In file order.
    pub lines: Vec<Line>,
}

/// A line. Source: zipper-interp.md, section 1.
#[derive(Clone, Debug)]
pub struct Line {
    /// `None`: the length of the data.
    pub size: Option<u32>,
    /// `None`: the number of NULs in the data.
    pub token_count: Option<u32>,
    /// Tokens, each with a NUL after it.
    pub data: Vec<u8>,
}

/// The signature of the files.
pub const SIGNATURE: u32 = 0x0897_1119;

impl Spec {
    /// Creates a file with computed values, and its scripts in the order of the index.
    pub fn new(scripts: Vec<([u8; 120], u32, Vec<Line>)>) -> Self {
        let entries = scripts.iter().enumerate();
        let entries = entries.map(|(script, &(path, time, _))| Entry { path, time, script, offset: None }).collect();
        let scripts = scripts.into_iter().map(|(_, _, lines)| Script { gap: vec![], lines }).collect();
        Self { signature: SIGNATURE, version: 7, count: None, entries, scripts, trailing: vec![] }
    }
}

impl Line {
    /// Creates a line with computed values.
    pub fn new(tokens: &[&[u8]]) -> Self {
        Self::raw(tokens.iter().flat_map(|token| token.iter().chain(&[0])).copied().collect())
    }

    /// Creates a line of arbitrary bytes.
    pub fn raw(data: Vec<u8>) -> Self {
        Self { size: None, token_count: None, data }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_u32(spec.signature).le_u32(spec.version).le_u32(spec.count.unwrap_or(spec.entries.len() as u32));
    let index = out.len();
    out.fill(0, 128 * spec.entries.len());
    let places: Vec<_> = spec.scripts.iter().map(|it| script(it, &mut out)).collect();
    for (at, entry) in spec.entries.iter().enumerate() {
        let mut record = Bytes::new();
        record.raw(&entry.path).le_u32(entry.time).le_u32(entry.offset.unwrap_or(places[entry.script] as u32));
        out.patch(index + 128 * at, record.written());
    }
    out.raw(&spec.trailing);
    out.finish()
}

/// Writes a script and returns its offset.
fn script(script: &Script, out: &mut Bytes) -> usize {
    out.raw(&script.gap);
    let place = out.len();
    for line in &script.lines {
        let tokens = line.data.iter().filter(|&&byte| byte == 0).count();
        out.le_u32(line.size.unwrap_or(line.data.len() as u32)).le_u32(line.token_count.unwrap_or(tokens as u32));
        out.raw(&line.data);
    }
    out.le_u32(0);
    place
}

#[cfg(test)]
mod tests {
    use super::{Line, Spec, build};
    use crate::bytes::{Bytes, field};

    /// Source: zipper-interp.md, section 5.
    #[test]
    fn worked_example_is_built() {
        let mut expected = Bytes::new();
        expected.raw(&[0x19, 0x11, 0x97, 0x08, 0x07, 0, 0, 0, 0x01, 0, 0, 0]);
        expected.raw(&[0x6D, 0x31, 0x2E, 0x67, 0x73]).fill(0, 115);
        expected.raw(&[0x00, 0xB0, 0xA0, 0x36, 0x8C, 0, 0, 0]);
        expected.raw(&[0x08, 0, 0, 0, 0x03, 0, 0, 0, 0x73, 0x65, 0x74, 0, 0x41, 0, 0x42, 0]);
        expected.raw(&[0, 0, 0, 0]);
        let spec = Spec::new(vec![(field(b"m1.gs", b""), 0x36A0_B000, vec![Line::new(&[b"set", b"A", b"B"])])]);
        assert_eq!(build(&spec), expected.finish());
    }
}
