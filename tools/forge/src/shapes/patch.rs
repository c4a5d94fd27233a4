//! Shapes patches. Source: marathon-shapes.md, section 7.

use super::{Bitmap, Collection, Frame, Sequence};
use crate::bytes::Bytes;

/// A replacement for an item.
#[derive(Clone, Debug)]
pub enum Item {
    /// The definition of the collection, and the numbers of its sequences, frames and bitmaps.
    Definition(Box<Collection>, [i16; 3]),
    /// A sequence, and a wrong size if given.
    Sequence(u32, Sequence, Option<u32>),
    /// A frame.
    Frame(u32, Frame),
    /// A bitmap, and a wrong size if given.
    Bitmap(u32, Bitmap, Option<u32>),
    /// Colors.
    Colors(u32, Vec<[u16; 4]>),
    /// Bytes.
    Raw(Vec<u8>),
}

/// The patch of a collection.
#[derive(Clone, Debug)]
pub struct Block {
    /// The number of the collection.
    pub collection: u32,
    /// 8 or 16.
    pub depth: u32,
    /// In this order.
    pub items: Vec<Item>,
    /// `true` if the end is present.
    pub ends: bool,
}

/// A patch.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Usually 64.
    pub blocks: Vec<Block>,
}

/// Writes the patch.
pub fn build_patch(patch: &Patch) -> Vec<u8> {
    let mut out = Bytes::new();
    for block in &patch.blocks {
        out.be_u32(block.collection).be_u32(block.depth);
        block.items.iter().for_each(|item| write(item, &mut out));
        if block.ends {
            out.raw(b"endc");
        }
    }
    out.finish()
}

fn write(item: &Item, out: &mut Bytes) {
    match item {
        Item::Definition(collection, [sequences, frames, bitmaps]) => {
            let mut bytes = collection.write();
            bytes.truncate(544);
            bytes[8..10].copy_from_slice(&1_i16.to_be_bytes());
            bytes[10..14].copy_from_slice(&544_i32.to_be_bytes());
            for (at, count) in [(14, sequences), (20, frames), (26, bitmaps)] {
                bytes[at..at + 2].copy_from_slice(&count.to_be_bytes());
                bytes[at + 2..at + 6].fill(0);
            }
            bytes[34..38].copy_from_slice(&collection.size.unwrap_or(0).to_be_bytes());
            out.raw(b"cldf").raw(&bytes);
        }
        Item::Sequence(index, sequence, size) => {
            let bytes = sequence.write();
            out.raw(b"hlsh").be_u32(*index).be_u32(size.unwrap_or(bytes.len() as u32)).raw(&bytes);
        }
        Item::Frame(index, frame) => _ = out.raw(b"llsh").be_u32(*index).raw(&frame.write()),
        Item::Bitmap(index, bitmap, size) => {
            let bytes = bitmap.write();
            out.raw(b"bmap").be_u32(*index).be_u32(size.unwrap_or(bytes.len() as u32)).raw(&bytes);
        }
        Item::Colors(index, colors) => {
            out.raw(b"ctab").be_u32(*index);
            colors.iter().flatten().for_each(|word| _ = out.be_u16(*word));
        }
        Item::Raw(bytes) => _ = out.raw(bytes),
    }
}
