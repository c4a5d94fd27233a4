//! Compiled scripts. Source: nwn-ncs.md.

use super::sample;
use crate::bytes::Bytes;
use crate::{Broken, Sample};

/// Returns a script with these instructions, end to end.
pub fn ncs(code: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"NCS V1.0\x42").be_u32(code.len() as u32 + 13).raw(code);
    out.finish()
}

/// Returns a constant string. Source: nwn-ncs.md, section 4.
pub fn string(text: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&[0x04, 0x05]).raw(&(text.len() as u16).to_be_bytes()).raw(text);
    out.finish()
}

/// Returns a jump with this opcode over a distance from its beginning. Source: nwn-ncs.md, section 5.
pub fn jump(opcode: u8, distance: i32) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&[opcode, 0]).raw(&distance.to_be_bytes());
    out.finish()
}

/// Returns a script of all ordinary parts.
pub fn script() -> Vec<u8> {
    let code: &[&[u8]] = &[
        &jump(0x1E, 8),
        &[0x20, 0],
        &[0x04, 0x03, 0, 0, 0, 5],
        &string(b"a\xFFb"),
        &[0x05, 0, 0, 1, 2],
        &[0x2C, 0x10, 0, 0, 0, 8, 0, 0, 0, 0],
        &jump(0x1D, 8),
        &[0x20, 0],
        &[0x0B, 0x24, 0, 12, 0x21, 1, 0, 4, 0, 0, 0, 4, 0x20, 0],
    ];
    ncs(&code.concat())
}

/// Returns the instructions of every opcode with the types that it has. Source: nwn-ncs.md, sections 2 to 4.
fn all() -> Vec<u8> {
    let mut code = Bytes::new();
    for opcode in [0x01, 0x03, 0x26, 0x27] {
        code.raw(&[opcode, 1, 0xFF, 0xFF, 0xFF, 0xFC, 0, 4]);
    }
    for kind in [3, 4, 5, 6, 0x10, 0x17, 0x19] {
        code.raw(&[0x02, kind]);
    }
    code.raw(&[0x04, 3, 0xFF, 0xFF, 0xFF, 0xFF, 0x04, 4, 0x3F, 0x80, 0, 0, 0x04, 4, 0xFF, 0xC0, 0, 1]);
    code.raw(&[0x04, 4, 0x80, 0, 0, 0, 0x04, 6, 0x7F, 0, 0, 0, 0x04, 0x12, 0, 0, 0, 0, 0x04, 0x17, 0, 4]).raw(b"null");
    code.raw(&string(b"")).raw(&string(b"nul \0, \"quotes\", \\, \n, \xE9\x81")).raw(&string(&[b'x'; 256]));
    code.raw(&[0x05, 0, 3, 0xFF, 9]);
    for opcode in (0x06..=0x1A).chain([0x22]) {
        code.raw(&[opcode, 0x20]);
    }
    for (opcode, kind) in
        [(0x14, 0x23), (0x14, 0x3A), (0x16, 0x3B), (0x16, 0x3C), (0x14, 0x25), (0x15, 0x26), (0x0B, 0x30)]
    {
        code.raw(&[opcode, kind]);
    }
    code.raw(&[0x0C, 0x24, 0, 8, 0x1B, 0, 0xFF, 0xFF, 0xFF, 0xF8, 0x1C, 0, 0, 0, 0, 0]);
    for opcode in [0x23, 0x24, 0x28, 0x29] {
        code.raw(&[opcode, 3, 0, 0, 0, 0]);
    }
    code.raw(&[0x2A, 0, 0x2B, 0, 0x2D, 0]);
    // To the next instruction, to itself, back, forth.
    code.raw(&jump(0x1D, 6)).raw(&jump(0x1D, 0)).raw(&jump(0x25, -6)).raw(&jump(0x1F, 8)).raw(&[0x2D, 0, 0x20, 0]);
    code.finish()
}

/// Returns the scripts.
pub fn samples() -> Vec<Sample> {
    let mut samples = vec![sample("nw_c2_default1.ncs", "ncs", script(), None)];
    let mut wrong = script();
    wrong[12] ^= 1;
    samples.push(sample("ncs_size.ncs", "ncs", wrong, Some(("a wrong size", true))));
    let mut add = |name: &str, code: &[u8], why: &'static str, is_reported: bool| {
        samples.push(sample(name, "ncs", ncs(code), Some((why, is_reported))));
    };
    add("ncs_empty.ncs", &[], "a script without instructions", false);
    add("ncs_all.ncs", &all(), "every instruction", false);
    add("ncs_longest.ncs", &string(&[b'x'; 65_535]), "the longest string", false);
    let jumps = |distance: i32| [&jump(0x1E, distance)[..], &string(b"text"), &[0x20, 0]].concat();
    add("ncs_middle.ncs", &jumps(8), "a jump into an instruction", true);
    add("ncs_before.ncs", &jumps(-6), "a jump before the code", true);
    add("ncs_outside.ncs", &jumps(i32::MAX), "a jump out of the code", true);
    add("ncs_end.ncs", &jumps(16), "a jump to the end of the code", true);
    add("ncs_state.ncs", &[0x2C, 9, 0, 0, 0, 8, 0, 0, 0, 0, 0x20, 0], "a delayed action inside an instruction", true);
    add("ncs_type.ncs", &[0x14, 0x70, 0x1E, 5, 0, 0, 0, 6, 0x20, 0], "types that no known script has", true);
    add("ncs_constant.ncs", &[0x2D, 0, 0x04, 0x07, 1, 2, 3, 4, 0x20, 0], "a constant of an unknown type", true);
    add("ncs_code.ncs", &[0x20, 0, 0xFE, 0, 0x20, 0], "an unknown instruction", true);
    add("ncs_odd.ncs", &[0x20, 0, 0x20], "half an instruction", true);
    // Source: nwn-ncs.md, section 1.
    let tail = [&script()[..], &[0, 4, 5, 0xFE, 0], &script()[20..]].concat();
    samples.push(sample("ncs_tail.ncs", "ncs", tail, Some(("the end of an older script behind the code", true))));
    let cut = script();
    samples.push(sample(
        "ncs_cut.ncs",
        "ncs",
        cut[..cut.len() - 3].to_vec(),
        Some(("the end of the file in an instruction", true)),
    ));
    samples
}

/// Returns files that must be refused.
pub fn broken() -> Vec<Broken> {
    vec![Broken::new("ncs", "ncs_header.ncs", b"NCS V1.0\x42\0\0".to_vec(), "the file ends in the header")]
}
