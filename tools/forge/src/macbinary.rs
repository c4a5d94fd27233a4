//! MacBinary II: both forks of a Mac file in one. Source: marathon-images.md, section 1.

mod samples;

use crate::bytes::{Bytes, field};
use crate::checksum::xmodem;
pub use samples::{broken, samples};

/// A MacBinary file. Source: marathon-images.md, section 1.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 0.
    pub old_version: u8,
    /// `None`: the length of the name.
    pub name_length: Option<u8>,
    /// 1 to 63 bytes.
    pub name: Vec<u8>,
    /// Bytes after the NUL of the name; empty.
    pub name_tail: Vec<u8>,
    /// Type, `scen` for a map of Marathon.
    pub file_type: [u8; 4],
    /// Creator, `26.2` for Marathon.
    pub creator: [u8; 4],
    /// High byte at 73, low byte at 101.
    pub finder_flags: u16,
    /// Byte 74: 0.
    pub zero74: u8,
    /// Vertical, then horizontal.
    pub icon: [i16; 2],
    /// Folder id.
    pub folder: i16,
    /// `true` if the file is locked.
    pub protected: u8,
    /// Byte 82: 0.
    pub zero82: u8,
    /// `None`: the length of the data fork.
    pub data_length: Option<u32>,
    /// `None`: the length of the resource fork.
    pub resource_length: Option<u32>,
    /// Seconds since 1904: created, modified.
    pub dates: [u32; 2],
    /// `None`: the length of the comment.
    pub comment_length: Option<u16>,
    /// Bytes 102 to 115: 0.
    pub unused: [u8; 14],
    /// 0.
    pub unpacked_length: u32,
    /// `None`: the length of the secondary header.
    pub secondary_length: Option<u16>,
    /// The version that wrote it, and the required one: 0x81.
    pub versions: [u8; 2],
    /// `None`: the computed value.
    pub crc: Option<u16>,
    /// Bytes 126 and 127: 0.
    pub reserved: u16,
    /// Bytes between the header and the data fork, padded like a fork.
    pub secondary: Vec<u8>,
    /// Data fork.
    pub data: Vec<u8>,
    /// Resource fork.
    pub resources: Vec<u8>,
    /// Bytes after the resource fork.
    pub comment: Vec<u8>,
    /// The padding of forks: 0.
    pub padding: u8,
    /// `true` if the last fork is padded too.
    pub pad_last: bool,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

impl Spec {
    /// Creates a file with computed values, and the type and creator of a Marathon map.
    pub fn new(name: &[u8], data: Vec<u8>, resources: Vec<u8>) -> Self {
        Self {
            old_version: 0,
            name_length: None,
            name: name.to_vec(),
            name_tail: vec![],
            file_type: *b"scen",
            creator: *b"26.2",
            finder_flags: 0x0100,
            zero74: 0,
            icon: [0x68, 0x100],
            folder: 0,
            protected: 0,
            zero82: 0,
            data_length: None,
            resource_length: None,
            dates: [0xABBA_842D, 0xABBA_84C4],
            comment_length: None,
            unused: [0; 14],
            unpacked_length: 0,
            secondary_length: None,
            versions: [0x81; 2],
            crc: None,
            reserved: 0,
            secondary: vec![],
            data,
            resources,
            comment: vec![],
            padding: 0,
            pad_last: true,
            trailing: vec![],
        }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    header(spec, &mut out);
    for part in [&spec.secondary, &spec.data, &spec.resources] {
        out.raw(part).pad(128, spec.padding);
    }
    if !spec.pad_last {
        let last = if spec.resources.is_empty() { &spec.data } else { &spec.resources };
        out.truncate(out.len() - (last.len().next_multiple_of(128) - last.len()));
    }
    out.raw(&spec.comment).raw(&spec.trailing);
    out.finish()
}

/// Writes the same forks, name, type, creator and Finder flags as BinHex 4. Source: marathon-images.md, section 1.1.
///
/// `runs_from` is the shortest number of equal bytes that become a run; 256 for none. Lines end with `end`.
pub fn binhex(spec: &Spec, runs_from: usize, end: &str) -> Vec<u8> {
    let mut header = Bytes::new();
    header.u8(spec.name.len() as u8).raw(&spec.name).u8(0).raw(&spec.file_type).raw(&spec.creator);
    header.raw(&spec.finder_flags.to_be_bytes());
    header.be_u32(spec.data.len() as u32).be_u32(spec.resources.len() as u32);
    let mut plain = vec![];
    for part in [&header.finish(), &spec.data, &spec.resources] {
        plain.extend_from_slice(part);
        plain.extend_from_slice(&xmodem(part).to_be_bytes());
    }
    let mut packed = vec![];
    let mut at = 0;
    while at < plain.len() {
        let run = plain[at..].iter().take(255).take_while(|byte| **byte == plain[at]).count();
        let is_run = run >= runs_from;
        packed.push(plain[at]);
        if plain[at] == 0x90 {
            packed.push(0);
        }
        if is_run {
            packed.extend([0x90, run as u8]);
        }
        at += if is_run { run } else { 1 };
    }
    const LETTERS: &[u8] = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr";
    let bits: Vec<bool> = packed.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
    let letter = |bits: &[bool]| {
        let value = (0..6).fold(0, |value, bit| value * 2 + usize::from(bits.get(bit) == Some(&true)));
        LETTERS[value]
    };
    let letters: Vec<u8> = [b':'].into_iter().chain(bits.chunks(6).map(letter)).chain([b':']).collect();
    let mut out =
        format!("From: a friend{end}{end}(This file must be converted with BinHex 4.0){end}{end}").into_bytes();
    for line in letters.chunks(64) {
        out.extend_from_slice(line);
        out.extend_from_slice(end.as_bytes());
    }
    out
}

fn header(spec: &Spec, out: &mut Bytes) {
    let [flags_high, flags_low] = spec.finder_flags.to_be_bytes();
    out.u8(spec.old_version).u8(spec.name_length.unwrap_or(spec.name.len() as u8));
    out.raw(&field::<63>(&spec.name, &spec.name_tail)).raw(&spec.file_type).raw(&spec.creator);
    out.u8(flags_high).u8(spec.zero74).be_i16(spec.icon[0]).be_i16(spec.icon[1]).be_i16(spec.folder);
    out.u8(spec.protected).u8(spec.zero82);
    out.be_u32(spec.data_length.unwrap_or(spec.data.len() as u32));
    out.be_u32(spec.resource_length.unwrap_or(spec.resources.len() as u32));
    out.be_u32(spec.dates[0]).be_u32(spec.dates[1]);
    out.be_u16(spec.comment_length.unwrap_or(spec.comment.len() as u16)).u8(flags_low).raw(&spec.unused);
    out.be_u32(spec.unpacked_length).be_u16(spec.secondary_length.unwrap_or(spec.secondary.len() as u16));
    out.raw(&spec.versions);
    let crc = spec.crc.unwrap_or_else(|| xmodem(out.written()));
    out.be_u16(crc).be_u16(spec.reserved);
}

#[cfg(test)]
mod tests {
    use super::{Spec, binhex, build};

    /// The bytes 90 90 become runs that no reader takes for others. Source: marathon-images.md, section 1.1.
    #[test]
    fn characters_of_binhex_have_six_bits() {
        let spec = Spec { finder_flags: 0, ..Spec::new(b"M", vec![0x90; 2], vec![]) };
        let text = String::from_utf8(binhex(&spec, 4, "\n")).unwrap();
        // 01 'M' 00 's' 'c' 'e' 'n': 000000 010100 110100 000000 011100 110110 ..
        let (_, characters) = text.split_once("4.0)\n\n").unwrap();
        assert!(characters.starts_with(":!8d!") && characters.ends_with(":\n"), "{text}");
    }

    #[test]
    fn header_is_laid_out_and_forks_are_padded() {
        let bytes = build(&Spec::new(b"Map", vec![1; 129], vec![2; 3]));
        assert_eq!(bytes.len(), 128 + 256 + 128);
        assert_eq!(&bytes[..6], b"\0\x03Map\0");
        assert_eq!(&bytes[65..75], b"scen26.2\x01\0");
        assert_eq!(&bytes[83..91], [0, 0, 0, 129, 0, 0, 0, 3]);
        assert_eq!(&bytes[122..124], [0x81, 0x81]);
        assert_eq!((&bytes[256..260], &bytes[384..388]), (&[1, 0, 0, 0][..], &[2, 2, 2, 0][..]));
    }

    /// Source: marathon-images.md, section 1: a fork of length 0 takes no space.
    #[test]
    fn missing_forks_take_no_space() {
        assert_eq!(build(&Spec::new(b"Map", vec![], vec![])).len(), 128);
        assert_eq!(build(&Spec::new(b"Map", vec![], vec![2; 128])).len(), 256);
        assert_eq!(build(&Spec { pad_last: false, ..Spec::new(b"Map", vec![1; 3], vec![]) }).len(), 131);
    }
}
