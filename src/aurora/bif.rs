//! Data of resources without names, `.bif`.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 20, in the Enhanced Edition 44 |
//! | table, one [`Slot`] per resource | 16, in the Enhanced Edition 24 |
//! | data | |
//!
//! The names are in the [`Key`](super::key::Key) of the install. Here, a resource is named after its index: `0012.2da`.
//!
//! Source: [`nwn-key-bif.md`](formats::nwn_key_bif), section 2.

use core::ops::Range;

use field::record;
use field::walk::{size, sizes};
use field::{Arrangement, Block, Fault, Label, Payload as _, Result, Run, Table, Tape, Text, U32, as_read, lay, wide};
use kind::{Container, Format, Game, binrw_over_lay, own};
use lint::{Entries, Lint};

use super::Payload;
use super::erf::{Compression, ENHANCED};
use super::resource::WideResourceType;

/// The name of the table.
const TABLE: &str = "entries";

record! {
    /// The header, 20 bytes. Source: `nwn-key-bif.md`, section 2.
    pub struct Header: 20 {
        magic: Text<8>,
        entry_count: U32 as Outside,
        /// Never implemented.
        fixed_count: U32 = 0,
        table_offset: U32 as Outside,
    }
}

record! {
    /// The end of the header in the Enhanced Edition, 24 bytes. Source: `nwn-key-bif.md`, section 2.
    pub struct ObjectId: 24 {
        object_id: Text<24>,
    }
}

record! {
    /// An item of the table, 16 bytes. Source: `nwn-key-bif.md`, section 2.
    pub struct Slot: 16 {
        /// The low 20 bits are the index.
        id: U32,
        offset: U32 as Offset,
        size: U32 as Length,
        kind_of_resource: WideResourceType,
    }
}

/// A resource.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// Offset, size and type.
    pub slot: Slot,
    /// In the Enhanced Edition, whether the data is compressed.
    pub compression: Compression,
    /// The data.
    pub payload: Payload,
}

/// A BIF.
#[derive(Clone, Debug, Default)]
pub struct Bif {
    /// Magic and count.
    pub head: Header,
    /// In the Enhanced Edition, the identity of the files that belong together.
    pub object_id: ObjectId,
    /// Bytes before the table.
    pub before_table: Block,
    /// The resources.
    pub entries: Vec<Entry>,
    /// The placement of the data in the file.
    pub arrangement: Arrangement,
    /// Bytes after the data.
    pub trailing: Block,
}

/// The magic, and that of the Enhanced Edition.
const MAGIC: [&[u8; 8]; 2] = [b"BIFFV1  ", b"BIFFE1  "];

impl Bif {
    /// Returns `true` for a file of the Enhanced Edition.
    fn is_enhanced(&self) -> bool {
        self.head.magic.bytes() == MAGIC[1]
    }

    /// Returns the labels of the resources.
    fn labels(&self) -> Vec<Label> {
        Label::table(TABLE, self.names())
    }

    /// Returns names for the resources.
    fn names(&self) -> impl Iterator<Item = String> {
        let name = |(index, entry): (usize, &Entry)| format!("{index:04}.{}", entry.slot.kind_of_resource.extension());
        self.entries.iter().enumerate().map(name)
    }
}

/// Returns the byte ranges of the resources in read mode. The one that ends last shows how much of a file is missing.
fn stated(t: &Tape<'_>, table: &Table, start: u64, entries: &[Entry]) -> Result<Vec<Range<u64>>> {
    let ranges = table.stated(t, entries.iter().map(|entry| &entry.slot))?;
    let end = t.position() + t.remaining() - start;
    match ranges.iter().enumerate().max_by_key(|(_, range)| range.end) {
        Some((item, range)) if range.end > end => {
            let missing = range.end - end;
            let expected = format!("a file of {} bytes; {missing} bytes are missing at its end", range.end);
            Err(table.wrong(t, item, Fault::Cut { found: end.to_string(), expected }))
        }
        _ => Ok(ranges),
    }
}

lay! {
    impl Lay for Bif {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.computed("entry_count", at!(self.head.entry_count), wide(self.entries.len()))?;
            let head = if self.is_enhanced() { 44 } else { 20 };
            t.computed("table_offset", at!(self.head.table_offset), wide(self.before_table.len()) + head)?;
            t.fields(at!(self.head))?;
            let enhanced = self.is_enhanced();
            if !enhanced && self.head.magic.bytes() != MAGIC[0] {
                let found = self.head.magic.bytes().escape_ascii().to_string();
                return Err(t.error_in("magic", Fault::Unknown { found, expected: "BIFFV1 or BIFFE1".into() }));
            }
            if self.head.fixed_count.get() > 0 {
                let found = self.head.fixed_count.get().into();
                return Err(t.error_in("fixed_count", Fault::Outside { found, expected: "0: such resources have no known form".into() }));
            }
            if enhanced {
                t.fields(at!(self.object_id))?;
            }
            let gap = as_read(t.until("table_offset", self.head.table_offset.get(), start)?);
            t.run("before_table", Run::Surplus, gap, at!(self.before_table))?;
            let each = if enhanced { 24 } else { 16 };
            let count = u64::from(self.head.entry_count.get());
            t.room(count, each)?;
            let table = Table { each, ..Table::of::<Slot>(TABLE, start, t.position()) };
            let sizes = || sizes(TABLE, &self.entries, |entry| size(&entry.payload));
            let mut places = t.item_places(&self.arrangement, &table, sizes)?;
            t.list(TABLE, as_read(count), 0, at!(self.entries), |t, entry| {
                t.row(at!(entry.slot), places.next())?;
                if enhanced { t.fields(at!(entry.compression)) } else { Ok(()) }
            })?;
            t.find_arranged(at!(self.arrangement), &table, |t| stated(t, &table, start, &self.entries))?;
            let labels = t.labels(TABLE, self.names());
            t.arranged_payloads(at!(self.arrangement), TABLE, &labels, at!(self.entries), Payload::recognize, |entry| at!(entry.payload))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

}

impl Format for Bif {
    const NAME: &'static str = "bif";
    const TITLE: &'static str = "data of resources (BIF)";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.bif"];

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.first_chunk::<8>().filter(|magic| MAGIC.contains(magic)).map(|_| Self::GAMES.to_vec())
    }

    fn uneditable(file: &[u8]) -> Option<&'static str> {
        file.starts_with(MAGIC[1]).then_some(ENHANCED)
    }
}

binrw_over_lay!(Bif);

impl Lint for Bif {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        let payloads = self.entries.iter().map(|entry| Some(&entry.payload));
        pass.items(&self.arrangement, self.labels().into_iter().zip(payloads));
    }
}

impl Container for Bif {
    type Content = Payload;

    fn labeled(&self) -> Vec<(Label, &Payload)> {
        own(&self.arrangement, self.labels().into_iter().zip(self.entries.iter().map(|entry| &entry.payload)))
    }
}
