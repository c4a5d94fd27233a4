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
//! Source: [`nwn-key-bif.md`](crate::guide::formats::nwn_key_bif), section 2.

use core::ops::Range;

use crate::field::walk::{size, sizes};
use crate::field::{Arrangement, Block, Fault, Label, Result, Run, Step, Text, U32, lay, wide};
use crate::kind::{Container, Format, Game, binrw_over_lay, own};
use crate::lint::{Entries, Lint};
use crate::record;

use super::Payload;
use super::erf::{Compression, ENHANCED};
use super::resource::WideResourceType;
use super::until::until;

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
        offset: U32 as Outside,
        size: U32 as Outside,
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

    /// Finds the data of the resources in read mode.
    fn find_data(&mut self, t: &crate::field::Tape<'_>, start: u64, each: u64) -> Result {
        let ranges: Vec<Range<u64>> = self
            .entries
            .iter()
            .map(|entry| {
                let begin = u64::from(entry.slot.offset.get());
                begin..begin + u64::from(entry.slot.size.get())
            })
            .collect();
        let table = u64::from(self.head.table_offset.get());
        let wrong = |item: usize, fault| {
            let offset = start + table + wide(item) * each;
            t.error_at(offset, [Step::Name(TABLE), Step::Index(wide(item)), Step::Name("offset")], fault)
        };
        let end = t.position() + t.remaining() - start;
        if let Some((item, range)) = ranges.iter().enumerate().max_by_key(|(_, range)| range.end)
            && range.end > end
        {
            let missing = range.end - end;
            let expected = format!("a file of {} bytes; {missing} bytes are missing at its end", range.end);
            return Err(wrong(item, Fault::Cut { found: end.to_string(), expected }));
        }
        self.arrangement = Arrangement::find_items(t, start, ranges).map_err(|(item, fault)| wrong(item, fault))?;
        Ok(())
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
            let before = match t.seen(|t| until(t, "table_offset", self.head.table_offset, start)) {
                Some(before) => before?,
                None => wide(self.before_table.len()),
            };
            t.run("before_table", Run::Surplus, before, at!(self.before_table))?;
            let each = if enhanced { 24 } else { 16 };
            t.build(at!(*self), |bif, t| {
                let count = match t.reading() {
                    true => usize::try_from(bif.head.entry_count.get()).unwrap_or(usize::MAX),
                    false => t.given(TABLE)?,
                };
                t.room(wide(count), each)?;
                bif.entries = t.make(count)?;
                Ok(())
            })?;
            let data = t.position() - start + wide(self.entries.len()) * each;
            let places = t.from_sizes(|| {
                let sizes = sizes(TABLE, &self.entries, |entry| size(&entry.payload))?;
                Ok(self.arrangement.places(data, &sizes, None)?.items)
            })?;
            let mut places = places.into_iter().flatten();
            t.each(TABLE, at!(self.entries), |t, entry| entry.lay_by(t, (enhanced, places.next())))?;
            t.read(at!(*self), |bif, t| bif.find_data(t, start, each))?;
            let labels = t.labels(TABLE, self.names());
            let mut prepared = t.prepare(&labels)?;
            t.arranged_items(at!(self.arrangement), TABLE, at!(self.entries), |t, item, entry| {
                let (label, prepared) = (t.label_of(TABLE, &labels, item)?, prepared.get_mut(item).and_then(Option::take));
                t.entry_prepared(label, t.remaining(), at!(entry.payload), prepared)
            })?;
            t.all_laid(&prepared)?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    /// Lays out the item of the table, given the byte range of the data.
    impl LayBy<(bool, Option<Range<u64>>)> for Entry {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (enhanced, place): (bool, Option<Range<u64>>)) -> Result {
            let mut rules = self.slot;
            if let Some(place) = place {
                let length = place.end - place.start;
                t.computed("size", at!(self.slot.size), length)?;
                if length > 0 {
                    t.computed("offset", at!(self.slot.offset), place.start)?;
                }
                rules = Slot { offset: t.rule("offset", place.start, self.slot.offset)?, ..self.slot };
            }
            t.fields_by(at!(self.slot), Some(&rules))?;
            if enhanced { t.fields(at!(self.compression)) } else { Ok(()) }
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
