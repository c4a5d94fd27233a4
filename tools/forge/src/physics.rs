//! The physics model of Marathon, a separate file. Source: marathon-physics.md, section 6.

mod samples;

use crate::bytes::Bytes;
pub(crate) use samples::model;
pub use samples::{broken, samples};

/// A physics model. Source: marathon-physics.md, section 6.
#[derive(Clone, Debug)]
pub struct Spec {
    /// In the order of the file.
    pub blocks: Vec<Block>,
}

/// A block of definitions.
#[derive(Clone, Debug)]
pub struct Block {
    /// Names the content.
    pub tag: [u8; 4],
    /// Its former address in memory.
    pub address: u32,
    /// `None`: the number of records in the data.
    pub count: Option<u16>,
    /// Bytes of a record.
    pub size: u16,
    /// The records.
    pub data: Vec<u8>,
}

/// Tags, addresses, counts and sizes as measured.
pub const BLOCKS: [(&[u8; 4], u32, usize, u16); 5] = [
    (b"mons", 0x0067_8DC4, 40, 138),
    (b"effe", 0x0067_895C, 38, 6),
    (b"proj", 0x0067_8A40, 25, 36),
    (b"phys", 0x0067_8830, 3, 100),
    (b"weap", 0x0067_A354, 7, 120),
];

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    for block in &spec.blocks {
        let count = block.data.len().checked_div(block.size.into()).unwrap_or(0);
        out.raw(&block.tag).be_u32(block.address).be_u16(block.count.unwrap_or(count as u16)).be_u16(block.size);
        out.raw(&block.data);
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use crate::{Size, samples};

    /// Source: marathon-wad.md, section 12.
    #[test]
    fn physics_has_the_retail_size() {
        let model = samples(1, Size::Retail).into_iter().find(|it| it.name == "Physics.phys").expect("it is there");
        assert_eq!((model.bytes.len(), &model.bytes[..12]), (7848, &b"mons\0\x67\x8D\xC4\0\x28\0\x8A"[..]));
    }
}
