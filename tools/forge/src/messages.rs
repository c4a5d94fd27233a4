//! Message and string DLLs: portable executables with texts in `.rsrc` and keys in `.data`. Source: zipper-messages.md.

mod broken;
mod data;
mod resources;
mod samples;
mod traps;

use crate::bytes::Bytes;
pub use broken::broken;
pub use data::{Key, Keys};
pub use resources::{Block, Content, Leaf, Message, Messages, Resources, strings};
pub use samples::{Shape, ordinary, samples, with_ids};

/// A DLL. Source: zipper-messages.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Bytes between the first 64 bytes and the NT header.
    pub stub: Vec<u8>,
    /// `None`: after the stub.
    pub e_lfanew: Option<u32>,
    /// `None`: `PE\0\0`.
    pub signature: [u8; 4],
    /// 0x014C.
    pub machine: u16,
    /// `None`: the number of sections.
    pub section_count: Option<u16>,
    /// Seconds since 1970.
    pub time: u32,
    /// `None`: 224 and the bytes after the data directories.
    pub optional_size: Option<u16>,
    /// EXECUTABLE, 32BIT, DLL and other flags set by the linker.
    pub characteristics: u16,
    /// 0x010B.
    pub magic: u16,
    /// Address of the image in memory.
    pub image_base: u32,
    /// Alignment of the addresses of sections.
    pub section_alignment: u32,
    /// Alignment of raw sizes.
    pub file_alignment: u32,
    /// `None`: the end of the last section in memory.
    pub image_size: Option<u32>,
    /// The checksum to store.
    pub checksum: Checksum,
    /// `None`: 16.
    pub directory_count: Option<u32>,
    /// Data directories that are in use: number, address, size.
    pub directories: Vec<(usize, u32, u32)>,
    /// Bytes between data directories and section table.
    pub optional_rest: Vec<u8>,
    /// Bytes after the section table, before zeros up to the file alignment.
    pub header_rest: Vec<u8>,
    /// The sections, in the order of the table, of addresses and of the file.
    pub sections: Vec<Section>,
    /// Bytes after the last section.
    pub overlay: Vec<u8>,
}

/// The checksum of an image. Source: zipper-messages.md, section 7.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// 0: none.
    None,
    /// The computed value.
    Right,
    /// A wrong value.
    Wrong(u32),
}

/// A section. Source: zipper-messages.md, section 2.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name.
    pub name: &'static [u8],
    /// `None`: after the previous section, at a multiple of the section alignment.
    pub address: Option<u32>,
    /// `None`: the length of the content.
    pub virtual_size: Option<u32>,
    /// `None`: the length of content and slack, up to a multiple of the file alignment.
    pub raw_size: Option<u32>,
    /// `None`: the actual offset.
    pub pointer: Option<u32>,
    /// Code or data, and access rights.
    pub characteristics: u32,
    /// Bytes before it in the file.
    pub gap: Vec<u8>,
    /// The contents.
    pub content: Held,
    /// Bytes after the content, before zeros.
    pub slack: Vec<u8>,
}

/// The contents of a section.
#[derive(Clone, Debug)]
pub enum Held {
    /// Bytes.
    Raw(Vec<u8>),
    /// Keys.
    Keys(Keys),
    /// Resources; data directory 2 leads to them.
    Resources(Resources),
    /// One exported function, in data directory 0.
    Export(&'static [u8]),
    /// Relocations of the addresses of all keys, in data directory 5.
    Relocations,
}

impl Section {
    /// Creates a section with computed values.
    pub fn new(name: &'static [u8], characteristics: u32, content: Held) -> Self {
        Self {
            name,
            address: None,
            virtual_size: None,
            raw_size: None,
            pointer: None,
            characteristics,
            gap: vec![],
            content,
            slack: vec![],
        }
    }
}

impl Spec {
    /// Creates a DLL with computed values.
    pub fn new(sections: Vec<Section>) -> Self {
        Self {
            stub: vec![],
            e_lfanew: None,
            signature: *b"PE\0\0",
            machine: 0x014C,
            section_count: None,
            time: 0x3700_0000,
            optional_size: None,
            characteristics: 0x210E,
            magic: 0x010B,
            image_base: 0x1000_0000,
            section_alignment: 0x1000,
            file_alignment: 0x200,
            image_size: None,
            checksum: Checksum::None,
            directory_count: None,
            directories: vec![],
            optional_rest: vec![],
            header_rest: vec![],
            sections,
            overlay: vec![],
        }
    }

    /// Returns the keys.
    pub fn keys(&mut self) -> &mut Keys {
        let keys = self.sections.iter_mut().find_map(|section| match &mut section.content {
            Held::Keys(keys) => Some(keys),
            _ => None,
        });
        keys.expect("the DLL has keys")
    }

    /// Returns the resources.
    pub fn resources(&mut self) -> &mut Resources {
        let resources = self.sections.iter_mut().find_map(|section| match &mut section.content {
            Held::Resources(resources) => Some(resources),
            _ => None,
        });
        resources.expect("the DLL has resources")
    }

    /// Returns the section of this name.
    pub fn section(&mut self, name: &[u8]) -> &mut Section {
        self.sections.iter_mut().find(|section| section.name == name).expect("the DLL has the section")
    }
}

/// A section as written.
struct Placed {
    address: u32,
    virtual_size: u32,
    raw: Vec<u8>,
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut directories = [(0, 0); 16];
    let placed = place(spec, &mut directories);
    spec.directories.iter().for_each(|&(number, address, size)| directories[number] = (address, size));

    let mut out = Bytes::new();
    out.raw(b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xFF\xFF\0\0\xB8\0\0\0\0\0\0\0\x40").fill(0, 60 - 25);
    out.le_u32(spec.e_lfanew.unwrap_or(64 + spec.stub.len() as u32)).raw(&spec.stub);
    out.raw(&spec.signature).le_u16(spec.machine).le_u16(spec.section_count.unwrap_or(placed.len() as u16));
    let optional_size = 224 + spec.optional_rest.len();
    out.le_u32(spec.time).le_u32(0).le_u32(0).le_u16(spec.optional_size.unwrap_or(optional_size as u16));
    out.le_u16(spec.characteristics);

    let optional = out.len();
    let headers = (optional + optional_size + 40 * placed.len() + spec.header_rest.len())
        .next_multiple_of(spec.file_alignment as usize);
    let size_of = |flag: u32| {
        let of_kind = spec.sections.iter().zip(&placed).filter(|(section, _)| section.characteristics & flag != 0);
        of_kind.map(|(_, placed)| placed.raw.len() as u32).sum::<u32>()
    };
    let end = placed.iter().map(|it| (it.address + it.virtual_size).next_multiple_of(spec.section_alignment)).max();
    out.le_u16(spec.magic).u8(6).u8(0).le_u32(size_of(0x20)).le_u32(size_of(0x40)).le_u32(0);
    out.le_u32(0x1000).le_u32(0x1000).le_u32(placed.get(1).map_or(0, |it| it.address));
    out.le_u32(spec.image_base).le_u32(spec.section_alignment).le_u32(spec.file_alignment);
    for version in [4, 0, 0, 0, 4, 0] {
        out.le_u16(version);
    }
    out.le_u32(0).le_u32(spec.image_size.or(end).unwrap_or(0)).le_u32(headers as u32);
    let checksum = out.len();
    out.le_u32(0).le_u16(2).le_u16(0).le_u32(0x10_0000).le_u32(0x1000).le_u32(0x10_0000).le_u32(0x1000).le_u32(0);
    out.le_u32(spec.directory_count.unwrap_or(16));
    directories.iter().for_each(|&(address, size)| _ = out.le_u32(address).le_u32(size));
    out.raw(&spec.optional_rest);

    let table = out.len();
    out.fill(0, 40 * placed.len()).raw(&spec.header_rest).pad(spec.file_alignment as usize, 0);
    for (at, (section, placed)) in spec.sections.iter().zip(&placed).enumerate() {
        out.raw(&section.gap);
        let pointer = if placed.raw.is_empty() { 0 } else { out.len() as u32 };
        let mut head = Bytes::new();
        head.raw(section.name).pad(8, 0).le_u32(placed.virtual_size).le_u32(placed.address);
        head.le_u32(section.raw_size.unwrap_or(placed.raw.len() as u32)).le_u32(section.pointer.unwrap_or(pointer));
        head.fill(0, 12).le_u32(section.characteristics);
        out.patch(table + 40 * at, head.written()).raw(&placed.raw);
    }
    out.raw(&spec.overlay);
    let sum = match spec.checksum {
        Checksum::None => 0,
        Checksum::Right => image_checksum(out.written()),
        Checksum::Wrong(sum) => sum,
    };
    out.patch(checksum, &sum.to_le_bytes());
    out.finish()
}

/// Assigns every section its address and its bytes, and sets the data directories.
fn place(spec: &Spec, directories: &mut [(u32, u32); 16]) -> Vec<Placed> {
    let mut next = spec.section_alignment;
    let mut relocated = vec![];
    let mut placed: Vec<Placed> = vec![];
    for section in &spec.sections {
        let address = section.address.unwrap_or(next);
        let mut raw = match &section.content {
            Held::Raw(bytes) => bytes.clone(),
            Held::Keys(keys) => keys.build(spec.image_base, address, &mut relocated),
            Held::Resources(resources) => resources.build(address),
            Held::Export(name) => data::export(address, placed.first().map_or(0, |code| code.address), name),
            Held::Relocations => data::relocations(&relocated),
        };
        let length = raw.len() as u32;
        match &section.content {
            Held::Resources(_) => directories[2] = (address, length),
            Held::Export(_) => directories[0] = (address, length),
            Held::Relocations => directories[5] = (address, length),
            Held::Raw(_) | Held::Keys(_) => {}
        }
        let virtual_size = section.virtual_size.unwrap_or(length);
        raw.extend(&section.slack);
        raw.resize(raw.len().next_multiple_of(spec.file_alignment as usize), 0);
        next = (address + virtual_size.max(1)).next_multiple_of(spec.section_alignment);
        placed.push(Placed { address, virtual_size, raw });
    }
    placed
}

/// Computes the checksum of an image whose checksum field is still 0. Source: zipper-messages.md, section 7.5.
pub fn image_checksum(file: &[u8]) -> u32 {
    let mut sum = 0_u32;
    for word in file.chunks(2) {
        sum += u32::from(word[0]) | u32::from(*word.get(1).unwrap_or(&0)) << 8;
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    (sum & 0xFFFF) + (sum >> 16) + file.len() as u32
}

#[cfg(test)]
mod tests {
    use super::image_checksum;

    /// Source: zipper-messages.md, section 7.5.
    #[test]
    fn checksum_matches_the_vector_of_the_spec() {
        let mut bytes: Vec<u8> = (0..64).collect();
        bytes[24..28].fill(0);
        assert_eq!(image_checksum(&bytes), 0xCFF1);
    }
}
