//! Shapes: collections, the shapes file, patches. Source: marathon-shapes.md.

mod file;
mod patch;
mod samples;

use crate::bytes::{Bytes, field};
pub use file::{Slot, Spec, build};
pub use patch::{Block, Item, Patch, build_patch};
pub(crate) use samples::{block, operations, stretch};
pub use samples::{broken, collection, levels, patches, samples};

/// A sequence. Source: marathon-shapes.md, section 3.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// At most 32 bytes.
    pub name: Vec<u8>,
    /// `None`: the length of the name.
    pub name_length: Option<u8>,
    /// `None`: zeros after the name.
    pub name_tail: Vec<u8>,
    /// Value of the enumeration of views.
    pub views: i16,
    /// Frames per view.
    pub frames_per_view: i16,
    /// Frames by view.
    pub frames: Vec<i16>,
    /// One more index, if present: 0.
    pub spare: Option<i16>,
    /// 14 words: 0.
    pub unused: i16,
}

impl Sequence {
    /// Creates a sequence of one view.
    pub fn new(name: &[u8], frames: Vec<i16>) -> Self {
        let frames_per_view = frames.len() as i16;
        let (name, name_tail) = (name.into(), vec![]);
        Self { name, name_length: None, name_tail, views: 1, frames_per_view, frames, spare: Some(0), unused: 0 }
    }

    /// Returns its bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        out.be_i16(0)
            .be_u16(0)
            .u8(self.name_length.unwrap_or(self.name.len() as u8))
            .raw(&field::<33>(&self.name, &self.name_tail));
        out.be_i16(self.views).be_i16(self.frames_per_view).be_i16(2).be_i16(1).be_i16(0).be_i16(0);
        [-1, 20, -1].iter().for_each(|sound| _ = out.be_i16(*sound));
        out.be_i16(0).be_i16(0);
        (0..14).for_each(|_| _ = out.be_i16(self.unused));
        self.frames.iter().chain(&self.spare).for_each(|frame| _ = out.be_i16(*frame));
        out.finish()
    }
}

/// A frame. Source: marathon-shapes.md, section 4.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Mirrored, obscured.
    pub flags: u16,
    /// -1 for none.
    pub bitmap: i16,
    /// 4 words: 0.
    pub unused: i16,
}

impl Frame {
    /// Creates a frame with a bitmap.
    pub fn new(bitmap: i16) -> Self {
        Self { flags: 0, bitmap, unused: 0 }
    }

    /// Returns its bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        out.be_u16(self.flags).be_u32(0x8000).be_i16(self.bitmap);
        [4, 9, 4, 8, -16, 16, 36, 0, 0, 2].iter().for_each(|word| _ = out.be_i16(*word));
        (0..4).for_each(|_| _ = out.be_i16(self.unused));
        out.finish()
    }
}

/// The coding of the rows of a bitmap.
#[derive(Clone, Debug)]
pub enum Rows {
    /// Uncoded.
    Plain(Vec<Vec<u8>>),
    /// As in Marathon 2: the first stored pixel, and all stored pixels.
    Stretches(Vec<(i16, Vec<u8>)>),
    /// As in Marathon: pixels, or the number of omitted ones.
    Operations(Vec<Vec<Operation>>),
    /// Bytes.
    Raw(Vec<u8>),
}

/// A part of a row of Marathon.
#[derive(Clone, Debug)]
pub enum Operation {
    /// The number of omitted pixels.
    Skip(i16),
    /// Pixels.
    Put(Vec<u8>),
}

/// A bitmap. Source: marathon-shapes.md, section 5.
#[derive(Clone, Debug)]
pub struct Bitmap {
    /// In pixels.
    pub size: [i16; 2],
    /// `None`: according to the rows.
    pub bytes_per_row: Option<i16>,
    /// 0xC000: columns, transparent.
    pub flags: u16,
    /// 8.
    pub depth: i16,
    /// The former address of each row: 0.
    pub address: u32,
    /// The rows.
    pub rows: Rows,
    /// Bytes after the rows.
    pub slack: Vec<u8>,
}

impl Bitmap {
    /// Creates a bitmap of columns.
    pub fn new(size: [i16; 2], rows: Rows) -> Self {
        Self { size, bytes_per_row: None, flags: 0xC000, depth: 8, address: 0, rows, slack: vec![] }
    }

    /// Returns its bytes.
    pub fn write(&self) -> Vec<u8> {
        let [width, height] = self.size;
        let (count, length) = if self.flags & 0x8000 != 0 { (width, height) } else { (height, width) };
        let mut out = Bytes::new();
        let bytes_per_row = if matches!(self.rows, Rows::Plain(_)) { length } else { -1 };
        out.be_i16(width).be_i16(height).be_i16(self.bytes_per_row.unwrap_or(bytes_per_row)).be_u16(self.flags);
        out.be_i16(self.depth).fill(0, 16);
        (0..=count).for_each(|_| _ = out.be_u32(self.address));
        match &self.rows {
            Rows::Plain(rows) => rows.iter().for_each(|row| _ = out.raw(row)),
            Rows::Stretches(rows) => rows.iter().for_each(|(first, pixels)| {
                out.be_i16(*first).be_i16(first + pixels.len() as i16).raw(pixels);
            }),
            Rows::Operations(rows) => rows.iter().for_each(|row| {
                row.iter().for_each(|operation| match operation {
                    Operation::Skip(pixels) => _ = out.be_i16(-pixels),
                    Operation::Put(pixels) => _ = out.be_i16(pixels.len() as i16).raw(pixels),
                });
                out.be_i16(0);
            }),
            Rows::Raw(bytes) => _ = out.raw(bytes),
        }
        out.raw(&self.slack);
        out.finish()
    }
}

/// A collection. Source: marathon-shapes.md, section 2.
#[derive(Clone, Debug)]
pub struct Collection {
    /// 3.
    pub version: i16,
    /// 2 for objects.
    pub kind: i16,
    /// Colors per table.
    pub colors: i16,
    /// Back to back.
    pub tables: Vec<Vec<[u16; 4]>>,
    /// The sequences.
    pub sequences: Vec<Sequence>,
    /// The frames.
    pub frames: Vec<Frame>,
    /// The bitmaps.
    pub bitmaps: Vec<Bitmap>,
    /// Two bitmaps at the same offset.
    pub same_bitmap: Option<(usize, usize)>,
    /// `None`: the actual length.
    pub size: Option<i32>,
    /// 253 words: 0.
    pub unused: i16,
    /// Bytes before the tables of colors.
    pub gap: Vec<u8>,
    /// `true` if the bitmaps come before all other parts.
    pub bitmaps_first: bool,
    /// `None`: the actual offset of the table of frames.
    pub frame_table: Option<i32>,
    /// `None`: the number of frames.
    pub frame_count: Option<i16>,
    /// Bytes after the last part.
    pub trailing: Vec<u8>,
}

impl Collection {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self {
            version: 3,
            kind: 2,
            colors: 0,
            tables: vec![],
            sequences: vec![],
            frames: vec![],
            bitmaps: vec![],
            same_bitmap: None,
            size: None,
            unused: 0,
            gap: vec![],
            bitmaps_first: false,
            frame_table: None,
            frame_count: None,
            trailing: vec![],
        }
    }

    /// Returns its bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut body = Bytes::new();
        body.raw(&self.gap);
        let mut bitmap_table = 0;
        let bitmaps: Vec<Vec<u8>> = self.bitmaps.iter().map(Bitmap::write).collect();
        if self.bitmaps_first {
            bitmap_table = self.write_bitmaps(&bitmaps, &mut body);
        }
        let colors = 544 + body.len();
        self.tables.iter().flatten().for_each(|color| {
            body.u8((color[0] >> 8) as u8).u8(color[0] as u8);
            color[1..].iter().for_each(|channel| _ = body.be_u16(*channel));
        });
        let sequences: Vec<Vec<u8>> = self.sequences.iter().map(Sequence::write).collect();
        let sequence_table = write_table(&sequences, &mut body);
        let frames: Vec<Vec<u8>> = self.frames.iter().map(Frame::write).collect();
        let frame_table = write_table(&frames, &mut body);
        if !self.bitmaps_first {
            bitmap_table = self.write_bitmaps(&bitmaps, &mut body);
        }
        let colors = if self.tables.is_empty() { 0 } else { colors as i32 };
        let size = self.size.unwrap_or((544 + body.len() + self.trailing.len()) as i32);
        let mut out = Bytes::new();
        out.be_i16(self.version).be_i16(self.kind).be_u16(0).be_i16(self.colors).be_i16(self.tables.len() as i16);
        out.be_i32(colors).be_i16(sequences.len() as i16).be_i32(sequence_table);
        out.be_i16(self.frame_count.unwrap_or(frames.len() as i16)).be_i32(self.frame_table.unwrap_or(frame_table));
        out.be_i16(bitmaps.len() as i16).be_i32(bitmap_table).be_i16(8).be_i32(size);
        (0..253).for_each(|_| _ = out.be_i16(self.unused));
        out.raw(body.written()).raw(&self.trailing);
        out.finish()
    }

    fn write_bitmaps(&self, bitmaps: &[Vec<u8>], body: &mut Bytes) -> i32 {
        let mut own: Vec<Vec<u8>> = bitmaps.to_vec();
        if let Some((one, _)) = self.same_bitmap {
            own[one].clear();
        }
        let at = body.len();
        let table = write_table(&own, body);
        if let Some((one, other)) = self.same_bitmap {
            let offset = body.written()[at + 4 * other..at + 4 * other + 4].to_vec();
            body.patch(at + 4 * one, &offset);
        }
        table
    }
}

impl Default for Collection {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes a table of offsets and its items; returns the offset of the table, 0 for none.
fn write_table(items: &[Vec<u8>], body: &mut Bytes) -> i32 {
    if items.is_empty() {
        return 0;
    }
    let table = 544 + body.len();
    let mut at = table + 4 * items.len();
    for item in items {
        body.be_i32(at as i32);
        at += item.len();
    }
    items.iter().for_each(|item| _ = body.raw(item));
    table as i32
}

#[cfg(test)]
mod tests {
    use super::{Bitmap, Collection, Frame, Operation, Rows, Sequence};

    /// Source: marathon-shapes.md, sections 2 to 5.
    #[test]
    fn records_are_laid_out() {
        assert_eq!(Sequence::new(b"walk", vec![1, 2]).write().len(), 90 + 4);
        assert_eq!(Frame::new(3).write().len(), 36);
        let bitmap = Bitmap::new([1, 4], Rows::Stretches(vec![(1, vec![7, 8])]));
        assert_eq!(bitmap.write().len(), 26 + 8 + 6);
        let row = vec![Operation::Skip(1), Operation::Put(vec![7, 8]), Operation::Skip(1)];
        assert_eq!(
            Bitmap::new([1, 4], Rows::Operations(vec![row])).write()[34..],
            [0xFF, 0xFF, 0, 2, 7, 8, 0xFF, 0xFF, 0, 0]
        );
        let collection = Collection { frames: vec![Frame::new(0)], ..Collection::new() }.write();
        assert_eq!((collection.len(), &collection[20..26]), (544 + 4 + 36, &[0, 1, 0, 0, 2, 32][..]));
        assert_eq!(collection[34..38], [0, 0, 2, 72]);
    }
}
