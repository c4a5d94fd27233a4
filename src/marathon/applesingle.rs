//! AppleSingle and AppleDouble: the forks and Finder information of a Mac file as entries of one stream.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] and number of entries | 26 |
//! | directory, one [`Slot`] per entry | 12 |
//! | entries | |
//! | trailing bytes | |
//!
//! In known files the entries lie end to end, and the offset of an empty data fork is that of the resource fork. The end of the Finder
//! information is leftover memory.
//!
//! Source: [`marathon-images.md`](formats::marathon_images), section 2.

use field::walk::{size, sizes};
use field::{
    Arrangement, Block, FourCc, I16be, Label, Mac, Result, Run, Stale, Style as _, Table, U8, U16be, U32be, lay, wide,
};
use field::{names, record};
use kind::{Container, Format, Game, binrw_over_lay};
use lint::{Entries, Lint};

use super::Payload;
use super::wad::Wad;

/// The list of rows.
const TABLE: &str = "directory";

names! {
    /// The format: AppleSingle or AppleDouble. Source: `marathon-images.md`, section 2.
    pub struct Magic(U32be: u32) {
        /// All parts of a Mac file.
        APPLE_SINGLE = 0x0005_1600;
        /// All parts except for the data fork.
        APPLE_DOUBLE = 0x0005_1607;
    }
}

names! {
    /// The type of an entry. Source: `marathon-images.md`, section 2.
    pub struct Id(U32be: u32) {
        /// The data fork.
        DATA = 1;
        /// The resource fork.
        RESOURCE = 2;
        /// Types, flags, position.
        FINDER_INFO = 9;
    }
}

record! {
    /// The header and the number of entries, 26 bytes. Source: `marathon-images.md`, section 2.
    pub struct Header: 26 {
        magic: Magic,
        version: U32be = 0x0002_0000,
        filler: [U8; 16] = [U8::new(0); 16],
        entry_count: U16be as Outside,
    }
}

record! {
    /// A directory entry, 12 bytes. Source: `marathon-images.md`, section 2.
    pub struct Slot: 12 {
        id: Id,
        offset: U32be as Offset,
        length: U32be as Length,
    }
}

record! {
    /// Finder information of a file, 32 bytes. Source: `marathon-images.md`, section 2.
    pub struct FinderInfo: 32 {
        file_type: FourCc,
        creator: FourCc,
        flags: U16be,
        icon: [I16be; 2],
        folder: I16be,
        /// Mostly leftover memory.
        extended: Stale<16>,
    }
}

impl FinderInfo {
    /// The name of the entry that holds Finder information.
    pub(super) const ENTRY: &str = "finder_info";
}

/// An AppleSingle or AppleDouble file.
#[derive(Clone, Debug, Default)]
pub struct AppleSingle {
    /// Magic, version, number of entries.
    pub head: Header,
    /// The directory, one row per entry.
    pub directory: Vec<Slot>,
    /// The entries that have bytes, in the order of the directory.
    pub entries: Vec<Option<Payload>>,
    /// The layout of the entries in the file.
    pub arrangement: Arrangement,
    /// Bytes after the last entry.
    pub trailing: Block,
}

impl Id {
    /// Returns the name of an entry with this id.
    fn role(self) -> String {
        match self {
            Self::DATA => "data".to_owned(),
            Self::RESOURCE => "resource".to_owned(),
            Self::FINDER_INFO => FinderInfo::ENTRY.to_owned(),
            other => format!("id {}", other.get()),
        }
    }
}

lay! {
    impl Lay for AppleSingle {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.computed("entry_count", at!(self.head.entry_count), wide(self.entries.len()))?;
            t.fields(at!(self.head))?;
            let count = t.stated("entry_count", self.head.entry_count)?;
            let table = Table { cut: "length", ..Table::of::<Slot>(TABLE, start, t.position()) };
            let sizes = || sizes(TABLE, &self.entries, |entry| entry.as_ref().map_or(Ok(0), size));
            let mut places = t.item_places(&self.arrangement, &table, sizes)?;
            t.list(TABLE, count, wide(size_of::<Slot>()), at!(self.directory), |t, slot| t.row(slot, places.next()))?;
            t.as_many(at!(self.entries), self.directory.len())?;
            t.find_arranged(at!(self.arrangement), &table, |t| table.stated(t, &self.directory))?;
            let labels = self.labels();
            let Self { directory, entries, arrangement, trailing, .. } = self;
            t.arranged_entries(arrangement, TABLE, &labels, entries, |t, label, item, entry| {
                let length = directory.get(item).map_or(0, |slot| slot.length.get().into());
                t.optional_entry(label, length > 0, length, entry)
            })?;
            t.rest("trailing", Run::Surplus, trailing)
        }
    }
}

impl AppleSingle {
    /// Returns the labels of the entries: their roles.
    fn labels(&self) -> Vec<Label> {
        Label::table_of_roles(TABLE, self.directory.iter().map(|slot| slot.id.role()))
    }
}

impl Format for AppleSingle {
    const NAME: &'static str = "applesingle";
    const TITLE: &'static str = "AppleSingle or AppleDouble wrapper";
    const GAMES: &'static [Game] = &[Game::Marathon, Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &[];

    /// Recognizes the magic (`marathon-wad.md`, section 1). The games are those of a wad in the data fork.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let magic: Magic = field::macros::read_head(file)?;
        matches!(magic, Magic::APPLE_SINGLE | Magic::APPLE_DOUBLE).then(|| {
            let data = file.split_at_checked(size_of::<Header>()).and_then(|(head, table)| {
                let head: Header = field::macros::read_pod(head)?;
                let slots = table.chunks_exact(size_of::<Slot>()).filter_map(field::macros::read_pod::<Slot>);
                let slot = slots.take(head.entry_count.get().into()).find(|slot| slot.id == Id::DATA)?;
                let begin = usize::try_from(slot.offset.get()).ok()?;
                file.get(begin..begin.checked_add(usize::try_from(slot.length.get()).ok()?)?)
            });
            data.and_then(Wad::recognize).unwrap_or_else(|| Self::GAMES.to_vec())
        })
    }
}

binrw_over_lay!(AppleSingle);

impl Lint for AppleSingle {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        pass.items(&self.arrangement, self.labels().into_iter().zip(self.entries.iter().map(Option::as_ref)));
    }
}

impl Container for AppleSingle {
    type Content = Payload;

    const PAGE: &'static field::CodePage = Mac::PAGE;

    /// Returns the entries that have bytes, each named by its role: `data`, `resource`, `finder_info`, `id 5`.
    fn labeled(&self) -> Vec<(Label, &Payload)> {
        self.labels()
            .into_iter()
            .zip(&self.entries)
            .filter_map(|(label, entry)| Some((label, entry.as_ref()?)))
            .collect()
    }
}
