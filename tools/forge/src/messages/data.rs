//! The other sections: keys in `.data`, an export in `.rdata`, `.reloc`. Source: zipper-messages.md, sections 2 and 6.

use crate::bytes::Bytes;

/// The contents of `.data`. Source: zipper-messages.md, section 6.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Words of the C run-time library before the table: 16 or 48 bytes.
    pub lead: Vec<u8>,
    /// In the order of the table; their texts are in reverse order.
    pub keys: Vec<Key>,
    /// Bytes after the last text.
    pub tail: Vec<u8>,
}

/// A key. Source: zipper-messages.md, section 6.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its text, before the NUL; empty for a pair without text.
    pub text: Vec<u8>,
    /// The id of its message.
    pub id: u32,
    /// `None`: the actual offset.
    pub address: Option<u32>,
    /// `None`: zeros up to a multiple of 4.
    pub pad: Option<Vec<u8>>,
}

impl Key {
    /// Creates a key with computed values.
    pub fn new(text: &[u8], id: u32) -> Self {
        Self { text: text.to_vec(), id, address: None, pad: None }
    }
}

impl Keys {
    /// Returns the bytes of the section; appends the locations of text addresses to `relocated`.
    pub(super) fn build(&self, image_base: u32, address: u32, relocated: &mut Vec<u32>) -> Vec<u8> {
        let mut out = Bytes::new();
        out.raw(&self.lead).fill(0, 8 * self.keys.len());
        let place = |out: &Bytes| image_base + address + out.len() as u32;
        for (at, key) in self.keys.iter().enumerate().rev() {
            let text = key.address.unwrap_or_else(|| place(&out));
            let pair = self.lead.len() + 8 * at;
            out.patch(pair, &text.to_le_bytes()).patch(pair + 4, &key.id.to_le_bytes());
            if key.text.is_empty() {
                continue;
            }
            relocated.push(address + pair as u32);
            out.raw(&key.text).u8(0);
            match &key.pad {
                Some(pad) => out.raw(pad),
                None => out.pad(4, 0),
            };
        }
        out.raw(&self.tail);
        relocated.sort_unstable();
        out.finish()
    }
}

/// Returns an export directory with one function, at the beginning of the code.
pub(super) fn export(address: u32, code: u32, name: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    // Directory, address, place of the name, ordinal, name of the DLL, name.
    let (functions, names, ordinals, dll) = (address + 40, address + 44, address + 48, address + 50);
    out.le_u32(0).le_u32(0).le_u32(0).le_u32(dll).le_u32(1).le_u32(1).le_u32(1);
    out.le_u32(functions).le_u32(names).le_u32(ordinals);
    out.le_u32(code).le_u32(dll + 8).le_u16(0).raw(b"msg.dll\0").raw(name).u8(0);
    out.finish()
}

/// Returns blocks of relocations, one per page: type 3 (HIGHLOW) and the offset in the page.
pub(super) fn relocations(places: &[u32]) -> Vec<u8> {
    let mut out = Bytes::new();
    for page in places.chunk_by(|one, next| one >> 12 == next >> 12) {
        let padded = page.len().next_multiple_of(2);
        out.le_u32(page[0] & !0xFFF).le_u32(8 + 2 * padded as u32);
        page.iter().for_each(|place| _ = out.le_u16(0x3000 | (place & 0xFFF) as u16));
        out.pad(4, 0);
    }
    out.finish()
}
