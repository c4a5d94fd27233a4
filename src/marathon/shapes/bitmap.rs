//! Bitmaps. Source: `marathon-shapes.md`, section 5.

use bitflags::Flags as _;
use json::Describe as _;

use field::{Block, Class, Codec, Fault, I16be, LoadError, Result, Run, Step, Value, lay, wide};
use field::{flags, record};

use super::collection::Encoding;
use super::rows::{self, Wrong, census, codec, extent};

flags! {
    /// Storage and drawing of pixels. Source: `marathon-shapes.md`, section 5.
    pub struct BitmapFlags(U16be: u16) {
        /// Leftover memory.
        PATCHED = 0x2000;
        /// Pixels of index 0 are transparent.
        TRANSPARENT = 0x4000;
        /// Rows are stored as columns.
        COLUMN_ORDER = 0x8000;
    }
}

record! {
    /// The header of a bitmap, 26 bytes. Source: `marathon-shapes.md`, section 5.
    pub struct BitmapHeader: 26 {
        width: I16be,
        height: I16be,
        /// -1 if rows are coded.
        bytes_per_row: I16be,
        flags: BitmapFlags,
        bit_depth: I16be = 8,
        unused: [I16be; 8] = [I16be::new(0); 8],
    }
}

/// The pixels of a bitmap.
#[derive(Clone, Debug, PartialEq)]
pub enum Pixels {
    /// Row by row, uncompressed.
    Plain(Block),
    /// Row by row, without the transparent pixels.
    Coded(Block),
}

impl Default for Pixels {
    fn default() -> Self {
        Self::Plain(Block::default())
    }
}

/// A bitmap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bitmap {
    /// Size and order.
    pub head: BitmapHeader,
    /// Stale memory addresses of the rows, and one more.
    pub row_addresses: Block,
    /// The pixels.
    pub pixels: Pixels,
}

/// Addresses; omitted from the JSON if all are zero, as in most files.
static ADDRESSES: Codec = Codec {
    name: "addresses",
    owners: |bytes, tell| tell(&[], Class::Pointer, bytes),
    show: |bytes| match bytes.iter().all(|&byte| byte == 0) {
        true => Value::Null,
        false => bytes.as_chunks::<4>().0.iter().map(|address| Value::from(u32::from_be_bytes(*address))).collect(),
    },
    print: None,
    load: |json, _| match &json {
        Value::List(addresses) => {
            let address = |address: &Value| u32::try_from(address.whole()?).ok().map(u32::to_be_bytes);
            let addresses: Option<Vec<[u8; 4]>> = addresses.iter().map(address).collect();
            addresses.map(|addresses| addresses.concat()).ok_or_else(|| no_addresses(&json))
        }
        _ => Err(no_addresses(&json)),
    },
    merge: None,
    dense: None,
};

fn no_addresses(found: &Value) -> LoadError {
    LoadError::new(Vec::new(), "addresses", found.describe())
}

impl BitmapHeader {
    /// Returns the number of rows, and of pixels per row; in column order, rows are columns.
    #[must_use]
    pub fn shape(&self) -> Option<(u64, u64)> {
        let (width, height) = (u64::try_from(self.width.get()).ok()?, u64::try_from(self.height.get()).ok()?);
        Some(if self.flags.contains(BitmapFlags::COLUMN_ORDER) { (width, height) } else { (height, width) })
    }

    fn is_coded(&self) -> bool {
        self.bytes_per_row.get() == -1
    }
}

lay! {
    impl LayBy<Encoding> for Bitmap {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, encoding: Encoding) -> Result {
            t.fields(at!(self.head))?;
            let Some((rows, length)) = self.head.shape() else {
                let (width, height) = (self.head.width.get(), self.head.height.get());
                let (field, found) = if width < 0 { ("width", width) } else { ("height", height) };
                return Err(t.error_in(field, Fault::Outside { found: found.into(), expected: "a number from 0".into() }));
            };
            let addresses = rows + 1;
            t.room(addresses, 4)?;
            let bytes = usize::try_from(addresses).unwrap_or(0) * 4;
            t.coded_of("row_addresses", &ADDRESSES, [0, 0, 0, bytes, 0, 0, 0], at!(self.row_addresses))?;
            t.load(at!(self.row_addresses), |loaded, t| match wide(loaded.len() / 4) {
                _ if loaded.len() == bytes => Ok(()),
                found => Err(t.error_in("row_addresses", Fault::Count { expected: addresses, found })),
            })?;
            t.choose(at!(self.pixels), |_| {
                let none = Block::default();
                if self.head.is_coded() { Pixels::Coded(none) } else { Pixels::Plain(none) }
            });
            match at!(self.pixels) {
                Pixels::Plain(pixels) => {
                    let each = t.stated("bytes_per_row", self.head.bytes_per_row)?;
                    t.run("pixels", Run::Pixels, rows * each, pixels)?;
                    t.expect("bytes_per_row", || {
                        let whole = |value: u64| Value::from(i64::try_from(value).unwrap_or(i64::MAX));
                        (each != length && rows > 0).then(|| (whole(length), whole(each)))
                    });
                    Ok(())
                }
                Pixels::Coded(coded) => {
                    let known = at!(census(coded.len(), rows));
                    t.coded_checked(Some("rows"), codec(encoding), known, coded, |bytes| {
                        let wrong = |Wrong { at, row, fault }| (at, vec![Step::Index(row)], fault);
                        extent(encoding, bytes, rows, length).map(|length| census(length, rows)).map_err(wrong)
                    })
                }
            }
        }
    }
}

impl Bitmap {
    /// Returns the pixels row by row, with 0 for pixels that are not stored; rows are columns in column order.
    #[must_use]
    pub fn unpack(&self, encoding: Encoding) -> Vec<u8> {
        match &self.pixels {
            Pixels::Plain(pixels) => pixels.to_vec(),
            Pixels::Coded(rows) => {
                let length = self.head.shape().and_then(|(_, length)| usize::try_from(length).ok());
                rows::unpack(encoding, rows, length.unwrap_or(0))
            }
        }
    }
}
