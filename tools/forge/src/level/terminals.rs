//! Terminals. Source: marathon-terminals.md.

use crate::bytes::Bytes;

/// A terminal with a group for each of its texts, which are consecutive.
pub struct Terminal<'a> {
    /// Bit 0: the text is masked; the other bits are arbitrary.
    pub flags: u16,
    /// Type and text of each group.
    pub groups: &'a [(i16, &'a [u8])],
    /// Text index, face and color.
    pub faces: &'a [[u16; 3]],
}

/// Masks or unmasks the text: the third and fourth of every four bytes, and each byte after the last complete four. Source:
/// marathon-terminals.md, "Text obfuscation".
pub fn mask(text: &mut [u8]) {
    let mut fours = text.chunks_exact_mut(4);
    for four in &mut fours {
        four[2] ^= 0xFE;
        four[3] ^= 0xED;
    }
    fours.into_remainder().iter_mut().for_each(|byte| *byte ^= 0xFE);
}

impl Terminal<'_> {
    /// Returns its bytes.
    pub fn build(&self) -> Vec<u8> {
        let mut text: Vec<u8> = self.groups.iter().flat_map(|(_, text)| *text).copied().collect();
        text.push(0);
        let mut out = Bytes::new();
        out.be_u16((10 + 12 * self.groups.len() + 6 * self.faces.len() + text.len()) as u16).be_u16(self.flags);
        out.be_i16(22).be_u16(self.groups.len() as u16).be_u16(self.faces.len() as u16);
        let mut start = 0;
        for (kind, own) in self.groups {
            let length = own.len() as u16;
            out.be_u16(0).be_i16(*kind).be_i16(0).be_u16(start).be_u16(length).be_i16(2);
            start += length;
        }
        self.faces.iter().flatten().for_each(|&it| _ = out.be_u16(it));
        if self.flags & 1 == 1 {
            mask(&mut text);
        }
        out.raw(&text);
        out.finish()
    }
}

/// Returns the terminals of a level: one in plain text, one masked.
pub fn terminals(name: &[u8]) -> Vec<u8> {
    let welcome = [b"Welcome to ", name, b".\r"].concat();
    let plain = Terminal { flags: 0, groups: &[(6, &welcome)], faces: &[] };
    let masked = Terminal {
        flags: 57481,
        groups: &[(0, b""), (4, b"Frog blast\rthe vent core!"), (5, b"")],
        faces: &[[0, 1, 0], [5, 6, 2]],
    };
    [plain.build(), masked.build()].concat()
}

#[cfg(test)]
mod tests {
    use super::{Terminal, mask};

    #[test]
    fn text_is_masked_as_specified() {
        let mut text = *b"\0\0\0\0\0\0";
        mask(&mut text);
        assert_eq!(text, [0, 0, 0xFE, 0xED, 0xFE, 0xFE]);
    }

    #[test]
    fn length_counts_the_whole_terminal() {
        let terminal = Terminal { flags: 1, groups: &[(4, b"ab")], faces: &[[0; 3]] }.build();
        assert_eq!((terminal.len(), &terminal[..10]), (31, &[0, 31, 0, 1, 0, 22, 0, 1, 0, 1][..]));
        assert_eq!(&terminal[28..], [b'a' ^ 0xFE, b'b' ^ 0xFE, 0xFE]);
    }
}
