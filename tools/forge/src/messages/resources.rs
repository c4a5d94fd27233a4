//! `.rsrc`: the tree, message tables, string blocks. Source: zipper-messages.md, sections 3 to 5.

use crate::bytes::Bytes;

/// The contents of `.rsrc`. Source: zipper-messages.md, section 3.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The first word of every directory: 0.
    pub characteristics: u32,
    /// The time of every directory.
    pub time: u32,
    /// The version of every directory.
    pub version: (u16, u16),
    /// In the order of the tree and of the file.
    pub leaves: Vec<Leaf>,
    /// Bytes between the data entries and the first payload.
    pub gap: Vec<u8>,
    /// Bytes after the last payload.
    pub rest: Vec<u8>,
    /// Words that overwrite the finished section: offset, value.
    pub patches: Vec<(usize, u32)>,
}

/// A resource. Source: zipper-messages.md, section 3.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Type, name, language.
    pub path: [u32; 3],
    /// A name instead of the number.
    pub name: Option<&'static str>,
    /// `None`: the actual offset.
    pub rva: Option<u32>,
    /// `None`: the length of the payload.
    pub size: Option<u32>,
    /// 0 or 1252.
    pub code_page: u32,
    /// The contents.
    pub content: Content,
    /// `None`: zeros up to a multiple of 4.
    pub pad: Option<Vec<u8>>,
}

/// The contents of a resource.
#[derive(Clone, Debug)]
pub enum Content {
    /// A message table.
    Messages(Messages),
    /// Anything else.
    Raw(Vec<u8>),
    /// The payload of the leaf with this number.
    Same(usize),
}

/// A message table. Source: zipper-messages.md, section 4.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    /// `None`: the number of blocks.
    pub block_count: Option<u32>,
    /// In the order of the headers and of the file.
    pub blocks: Vec<Block>,
    /// Bytes after the last entry.
    pub trailing: Vec<u8>,
}

/// A block of messages. Source: zipper-messages.md, section 4.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The id of the first message.
    pub low: u32,
    /// `None`: the id of the last message.
    pub high: Option<u32>,
    /// `None`: the actual offset of its first entry.
    pub offset: Option<u32>,
    /// Bytes before its first entry.
    pub gap: Vec<u8>,
    /// In the order of their ids.
    pub messages: Vec<Message>,
}

/// A message. Source: zipper-messages.md, section 4.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// `None`: the size of header, text and one NUL, up to a multiple of 4.
    pub length: Option<u16>,
    /// `None`: the length.
    pub told: Option<u16>,
    /// 0: the text is not Unicode.
    pub flags: u16,
    /// With the final line end.
    pub text: Vec<u8>,
    /// Bytes after the first NUL, before zeros.
    pub tail: Vec<u8>,
}

impl Message {
    /// Creates a message with computed values.
    pub fn new(text: &[u8]) -> Self {
        Self { text: [text, b"\r\n"].concat(), ..Self::default() }
    }
}

impl Messages {
    /// Creates a table with computed values of messages in the order of their ids: consecutive ids share a block.
    pub fn new(messages: Vec<(u32, Message)>) -> Self {
        let mut table = Self::default();
        for (id, message) in messages {
            match table.blocks.last_mut() {
                Some(block) if block.low + block.messages.len() as u32 == id => block.messages.push(message),
                _ => table.blocks.push(Block { low: id, messages: vec![message], ..Block::default() }),
            }
        }
        table
    }

    /// Writes the table.
    pub fn build(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        out.le_u32(self.block_count.unwrap_or(self.blocks.len() as u32)).fill(0, 12 * self.blocks.len());
        for (at, block) in self.blocks.iter().enumerate() {
            out.raw(&block.gap);
            let high = block.high.unwrap_or(block.low.wrapping_add(block.messages.len() as u32).wrapping_sub(1));
            let mut head = Bytes::new();
            head.le_u32(block.low).le_u32(high).le_u32(block.offset.unwrap_or(out.len() as u32));
            out.patch(4 + 12 * at, head.written());
            for message in &block.messages {
                let least = (message.text.len() + 1 + message.tail.len()).next_multiple_of(4);
                let length = message.length.unwrap_or(4 + least as u16);
                let end = out.len() + usize::from(length).max(4 + message.text.len());
                out.le_u16(message.told.unwrap_or(length)).le_u16(message.flags).raw(&message.text);
                if out.len() < end {
                    out.u8(0).raw(&message.tail);
                    let left = end - out.len();
                    out.fill(0, left);
                }
            }
        }
        out.raw(&self.trailing);
        out.finish()
    }
}

/// Returns a block of 16 strings. Source: zipper-messages.md, section 5.
pub fn strings<'a>(strings: impl IntoIterator<Item = &'a [u16]>) -> Vec<u8> {
    let mut out = Bytes::new();
    for string in strings {
        out.le_u16(string.len() as u16);
        string.iter().for_each(|&unit| _ = out.le_u16(unit));
    }
    out.finish()
}

impl Leaf {
    /// Creates a resource with computed values.
    pub fn new(path: [u32; 3], code_page: u32, content: Content) -> Self {
        Self { path, name: None, rva: None, size: None, code_page, content, pad: None }
    }
}

impl Resources {
    /// Creates resources with computed values.
    pub fn new(leaves: Vec<Leaf>) -> Self {
        Self { characteristics: 0, time: 0, version: (4, 0), leaves, gap: vec![], rest: vec![], patches: vec![] }
    }

    /// Returns the first message table.
    pub fn messages(&mut self) -> &mut Messages {
        let table = self.leaves.iter_mut().find_map(|leaf| match &mut leaf.content {
            Content::Messages(messages) => Some(messages),
            _ => None,
        });
        table.expect("there is a message table")
    }

    /// Returns the bytes of the section: directories (each type followed by its names), data entries, names, payloads.
    pub(super) fn build(&self, address: u32) -> Vec<u8> {
        let types: Vec<Vec<&[Leaf]>> = self
            .leaves
            .chunk_by(|one, next| one.path[0] == next.path[0])
            .map(|of| of.chunk_by(|one, next| one.path[1] == next.path[1]).collect())
            .collect();
        let directory = |entries: usize| 16 + 8 * entries;
        let of_type = |names: &[&[Leaf]]| {
            directory(names.len()) + names.iter().map(|leaves| directory(leaves.len())).sum::<usize>()
        };
        let entries = directory(types.len()) + types.iter().map(|names| of_type(names)).sum::<usize>();
        let mut names_at = entries + 16 * self.leaves.len();
        let mut out = Bytes::new();
        self.head(&mut out, 0, types.len());
        let mut behind = directory(types.len());
        for names in &types {
            out.le_u32(names[0][0].path[0]).le_u32(0x8000_0000 | behind as u32);
            behind += of_type(names);
        }
        let mut entry = entries;
        for names in &types {
            let mut behind = out.len() + directory(names.len());
            let named = names.iter().filter(|leaves| leaves[0].name.is_some()).count();
            self.head(&mut out, named, names.len() - named);
            for leaves in names {
                let name = leaves[0].name.map(|name| {
                    names_at += 2 + 2 * name.len();
                    0x8000_0000 | (names_at - 2 - 2 * name.len()) as u32
                });
                out.le_u32(name.unwrap_or(leaves[0].path[1])).le_u32(0x8000_0000 | behind as u32);
                behind += directory(leaves.len());
            }
            for leaves in names {
                self.head(&mut out, 0, leaves.len());
                for leaf in *leaves {
                    out.le_u32(leaf.path[2]).le_u32(entry as u32);
                    entry += 16;
                }
            }
        }
        out.fill(0, 16 * self.leaves.len());
        for name in types.iter().flatten().filter_map(|leaves| leaves[0].name) {
            out.le_u16(name.len() as u16);
            name.bytes().for_each(|byte| _ = out.le_u16(byte.into()));
        }
        out.pad(4, 0).raw(&self.gap);
        let mut places = vec![];
        for (at, leaf) in self.leaves.iter().enumerate() {
            let start = out.len() as u32;
            let payload = leaf.content.build();
            let (rva, size) = match leaf.content {
                Content::Same(other) => places[other],
                _ => (leaf.rva.unwrap_or(address + start), leaf.size.unwrap_or(payload.len() as u32)),
            };
            places.push((rva, size));
            let mut entry = Bytes::new();
            entry.le_u32(rva).le_u32(size).le_u32(leaf.code_page).le_u32(0);
            out.patch(entries + 16 * at, entry.written()).raw(&payload);
            match &leaf.pad {
                Some(pad) => _ = out.raw(pad),
                None if at + 1 < self.leaves.len() => _ = out.pad(4, 0),
                None => {}
            }
        }
        out.raw(&self.rest);
        self.patches.iter().for_each(|(offset, word)| _ = out.patch(*offset, &word.to_le_bytes()));
        out.finish()
    }

    fn head(&self, out: &mut Bytes, named: usize, numbered: usize) {
        out.le_u32(self.characteristics).le_u32(self.time).le_u16(self.version.0).le_u16(self.version.1);
        out.le_u16(named as u16).le_u16(numbered as u16);
    }
}

impl Content {
    fn build(&self) -> Vec<u8> {
        match self {
            Self::Messages(messages) => messages.build(),
            Self::Raw(bytes) => bytes.clone(),
            Self::Same(_) => vec![],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Message, Messages, strings};

    /// Source: zipper-messages.md, section 4.
    #[test]
    fn worked_table_is_built() {
        let of = |(id, text): (u32, &str)| (id, Message::new(text.as_bytes()));
        let table = Messages::new([(1, "OK"), (2, "Cancel"), (20, "Quit?")].map(of).into()).build();
        let expected = [
            [2, 1, 2, 0x1C, 0x14, 0x14, 0x38, 0x0C].map(u32::to_le_bytes).concat(),
            b"OK\r\n\0\0\0\0\x10\0\0\0Cancel\r\n\0\0\0\0\x0C\0\0\0Quit?\r\n\0".to_vec(),
        ];
        assert_eq!(table, expected.concat());
    }

    /// Source: zipper-messages.md, section 5.
    #[test]
    fn worked_block_is_built() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let mut texts = vec![vec![]; 16];
        (texts[0], texts[3]) = (units("Yes"), units("No"));
        let block = strings(texts.iter().map(Vec::as_slice));
        assert_eq!(block.len(), 42);
        assert_eq!(block[..18], *b"\x03\0Y\0e\0s\0\0\0\0\0\x02\0N\0o\0");
    }
}
