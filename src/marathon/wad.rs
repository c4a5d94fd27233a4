//! Wads: the container of maps, physics models, shapes patches and saved games.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 128 |
//! | entries, each a chain of chunks | |
//! | directory, one [`Slot`] per entry | 8 or 10, and application data |
//! | trailing bytes | |
//!
//! A chunk is tag, offset of the next chunk (from the start of the entry, 0 in the last), length, from version 2 onward a patch offset,
//! then the payload. All offsets and lengths are computed from the contents; entries may lie in any order. The bytes after the directory
//! are the end of an earlier, longer version of the file.
//!
//! Source: [`marathon-wad.md`](formats::marathon_wad).

use core::ops::Range;

use bytes::Bytes;

use field::macros::read_head;
use field::walk::{LayBy, encode, size_by, sizes as sizes_of, visit_bytes};
use field::{
    Arrangement, Block, Error, Fault, I16be, I32be, Integer as _, Label, Mac, Place, Places, Record as _, Result, Run,
    Stale, Step, Style as _, Table, Tape, Text, U32be, bytes_of, decode, decode_text, lay, wide,
};
use field::{names, record};
use kind::{Container, Contents, EntryTable, Format, Game, Salvage, binrw_over_lay, encode_with, own};
use lint::{Entries, Lint};

use super::names::{DataVersion, EntryPointFlags, EnvironmentFlags, MissionFlags};

mod entry;

pub use entry::{Chunk, ChunkHeader, ChunkPatch, Entry};

/// The kind of an entry.
const ENTRY: &str = "entry";
/// The list of rows.
const TABLE: &str = "directory";
/// Bytes of the header, and so the offset of the first entry.
const HEAD: u64 = 128;
/// Bytes of the checksum in the header.
const CHECKSUM: Range<u64> = 68..72;
/// Bytes of application data with a known meaning.
pub const LEVEL_DATA: u64 = 74;

names! {
    /// The program that wrote the wad, in effect. Source: `marathon-wad.md`, section 2.1.
    pub struct Version(I16be: i16) {
        /// Without entry points: Marathon.
        MARATHON = 0;
        /// With directory entries.
        DIRECTORY = 1;
        /// With support for overlays: Marathon 2.
        OVERLAYS = 2;
        /// Marathon Infinity.
        INFINITY = 4;
    }
}

/// Declares the header of a wad: in a game recording it has its own type, because some of its fields refer to another file.
macro_rules! head {
    ($(#[$meta:meta])* $name:ident $($outside:ident)?) => {
        record! {
            $(#[$meta])*
            pub struct $name: 128 {
                version: Version,
                data_version: DataVersion,
                /// Often a path, cut off at 64 bytes without a NUL.
                name: Text<64, Mac>,
                /// CRC-32 up to the end of the directory, with this field as zeros.
                checksum: U32be $(as $outside)?,
                directory_offset: I32be $(as $outside)?,
                entry_count: I16be $(as $outside)?,
                application_data_size: I16be,
                chunk_header_size: I16be,
                slot_size: I16be,
                /// The checksum field of the file that this one extends; never recomputed.
                parent_checksum: U32be,
                unused: Stale<40>,
            }
        }
    };
}

head! {
    /// The header, 128 bytes. Source: `marathon-wad.md`, section 2.1.
    Header Outside
}

head! {
    /// The header of a wad that used to be a separate file, 128 bytes. Source: `marathon-wad.md`, section 8.
    LooseHeader
}

record! {
    /// A directory entry up to version 1, or the beginning of a later one, 8 bytes. Source: `marathon-wad.md`, section 2.2.
    pub struct SlotHeader: 8 {
        offset: I32be as Offset,
        length: I32be as Length,
    }
}

record! {
    /// Level data repeated in the directory, 74 bytes. Source: `marathon-wad.md`, section 2.2.
    pub struct LevelData: 74 {
        mission_flags: MissionFlags as Outside,
        environment_flags: EnvironmentFlags as Outside,
        entry_point_flags: EntryPointFlags as Outside,
        level_name: Text<66, Mac> as Outside,
    }
}

/// The directory's row for an entry.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// Offset and length.
    pub head: SlotHeader,
    /// The level or picture number, from version 2 onward.
    pub index: I16be,
    /// Application data of 74 bytes.
    pub level: Option<LevelData>,
    /// Application data of any other size.
    pub application_data: Block,
}

/// A wad.
#[derive(Clone, Debug, Default)]
pub struct Wad {
    /// Versions, name, checksum, sizes.
    pub head: Header,
    /// The entries, in the order of the directory.
    pub entries: Vec<Entry>,
    /// The directory, one row per entry.
    pub directory: Vec<Slot>,
    /// The layout of the entries, and of the directory after them, in the file.
    pub arrangement: Arrangement,
    /// Bytes after the directory.
    pub trailing: Block,
}

/// The sizes given in a header, and the data version, which determines the contents of some chunks.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    data_version: i16,
    chunk_header: u64,
    /// The size of a row of the directory.
    pub slot: u64,
    /// The size of the data of an application in such a row.
    pub application_data: u64,
}

impl Header {
    /// Returns the sizes that this header specifies, or the field with an unknown value, that value, and the known ones.
    ///
    /// Up to version 1 the sizes are fixed and the fields are ignored. In later versions, 0 means the usual size.
    pub fn known_sizes(&self) -> core::result::Result<Sizes, (&'static str, i16, &'static str)> {
        let version = self.version.get();
        if !matches!(version, 0 | 1 | 2 | 4) {
            return Err(("version", version, "0, 1, 2 or 4"));
        }
        let early = version < 2;
        let (chunk_header, slot) = (self.chunk_header_size.get(), self.slot_size.get());
        let application_data = self.application_data_size.get();
        Ok(Sizes {
            data_version: self.data_version.get(),
            chunk_header: match chunk_header {
                _ if early => 12,
                0 | 16 => 16,
                12 => 12,
                other => return Err(("chunk_header_size", other, "12 or 16")),
            },
            slot: match slot {
                _ if early => 8,
                0 | 10 => 10,
                8 => 8,
                other => return Err(("slot_size", other, "8 or 10")),
            },
            application_data: match u64::try_from(application_data) {
                Ok(0) => 0,
                Ok(size) if version > 0 => size,
                _ => return Err(("application_data_size", application_data, "0, or more from version 1 on")),
            },
        })
    }

    /// Returns the sizes that this header, just laid out, specifies.
    fn sizes(&self) -> core::result::Result<Sizes, (&'static str, Fault)> {
        self.known_sizes().map_err(|(field, found, expected)| {
            (field, Fault::Unknown { found: found.to_string(), expected: expected.to_owned() })
        })
    }
}

impl LooseHeader {
    /// Returns the sizes that this header, just laid out, specifies.
    pub(super) fn sizes(&self) -> core::result::Result<Sizes, (&'static str, Fault)> {
        bytemuck::must_cast_ref::<Self, Header>(self).sizes()
    }
}

impl Sizes {
    fn stride(self) -> u64 {
        self.slot + self.application_data
    }

    /// Returns the rows in the bytes of a directory.
    fn slots(self, directory: &[u8]) -> impl Iterator<Item = SlotHeader> {
        directory.chunks_exact(usize::try_from(self.stride()).unwrap_or(usize::MAX)).filter_map(read_head)
    }
}

lay! {
    impl Lay for Wad {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let places = t.from_sizes(|| self.places())?.unwrap_or_default();
            t.computed("entry_count", at!(self.head.entry_count), wide(self.entries.len()))?;
            if let Some(directory) = &places.table {
                t.computed("directory_offset", at!(self.head.directory_offset), directory.start)?;
            }
            let rules = t.rules(|| self.rules(t.fresh(start), &places))?;
            t.fields_by(at!(self.head), rules.as_ref())?;
            let count = t.given(TABLE, 0)?;
            t.as_many(at!(self.entries), count)?;
            t.read(at!(*self), |wad, t| wad.find_entries(t, start))?;
            let sizes = self.head.sizes().map_err(|(field, fault)| t.error_in(field, fault))?;
            let Self { entries, directory, arrangement, trailing, .. } = self;
            let levels = t.rules(|| Ok(entries.iter().map(Entry::repeated).collect::<Vec<_>>()))?;
            let count = wide(entries.len());
            t.arranged_with_table(
                arrangement,
                TABLE,
                entries,
                |t, item, entry| t.part(Label::nth(TABLE, item), ENTRY, |t| entry.lay_by(t, sizes)),
                |t| {
                    let (mut places, mut levels) = (places.items.iter().cloned(), levels.iter().flatten());
                    t.list(TABLE, count, sizes.stride(), at!(*directory), |t, slot| {
                        slot.lay_by(t, (sizes, places.next(), levels.next()))
                    })
                },
            )?;
            t.rest("trailing", Run::Surplus, trailing)
        }
    }

    /// Lays out the row of an entry at a place, and of the level in it.
    impl LayBy<(Sizes, Option<Range<u64>>, Option<&LevelData>)> for Slot {
        fn lay_by(
            self: at!(Self),
            t: &mut Tape<'_>,
            (sizes, place, level): (Sizes, Option<Range<u64>>, Option<&LevelData>),
        ) -> Result {
            t.row(at!(self.head), place)?;
            if sizes.slot > 8 {
                t.value("index", at!(self.index))?;
            }
            match sizes.application_data {
                0 => Ok(()),
                LEVEL_DATA => {
                    let data = t.present("level", at!(self.level), |_| Ok(LevelData::default()))?;
                    t.group("level", |t| t.fields_by(data, level))
                }
                other => t.run("application_data", Run::Opaque, other, at!(self.application_data)),
            }
        }
    }
}

impl Wad {
    /// Finds the entries in read mode, by reading ahead in the directory.
    fn find_entries(&mut self, t: &mut Tape<'_>, start: u64) -> Result {
        let sizes = self.head.sizes().map_err(|(field, fault)| t.error_in(field, fault))?;
        let directory = t.stated("directory_offset", self.head.directory_offset)?;
        let count = t.stated("entry_count", self.head.entry_count)?;
        if count == 0 {
            // The offset of an empty directory has no meaning, so the end of the file would be unknown.
            return Err(t.error_in("entry_count", Fault::Outside { found: 0, expected: "at least 1".into() }));
        }
        let table = Table::of::<SlotHeader>(TABLE, start, start + directory).among("directory_offset", count);
        let table = Table { each: sizes.stride(), cut: "length", ..table };
        let rows: Vec<SlotHeader> = table.rows(t)?;
        self.entries = t.make(rows.len())?;
        t.find_arranged(&mut self.arrangement, &table, |t| table.stated(t, &rows))
    }

    /// Returns the sizes that the header specifies.
    fn sizes(&self) -> Result<Sizes> {
        self.head.known_sizes().map_err(|(field, found, expected)| {
            let fault = Fault::Unknown { found: found.to_string(), expected: expected.to_owned() };
            Error::new(0, Place::default().with([Step::Name(field)]), fault)
        })
    }

    /// Returns the locations of the entries and the directory.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be written.
    pub fn places(&self) -> Result<Places> {
        let sizes = self.sizes()?;
        let lengths = sizes_of(TABLE, &self.entries, |entry| size_by(entry, sizes))?;
        self.arrangement.places(HEAD, &lengths, Some(wide(self.entries.len()) * sizes.stride()))
    }

    /// Returns the header with its computed checksum: over the bytes up to the end of the directory, with the field itself as zeros. `fresh`
    /// are the bytes of the wad, if they are known.
    pub fn rules(&self, fresh: Option<&[u8]>, places: &Places) -> Result<Header> {
        let end = places.table.as_ref().map_or(HEAD, |directory| directory.end);
        let mut crc = crc32fast::Hasher::new();
        visit_bytes(self, fresh, 0..end, CHECKSUM, |_, bytes| crc.update(bytes))?;
        Ok(Header { checksum: crc.finalize().into(), ..self.head })
    }
}

impl Wad {
    /// Returns `true` if `bytes` begin like a wad.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        read_head::<Header>(bytes).is_some_and(|head| {
            (0..=2).contains(&head.data_version.get())
                && head.entry_count.get() > 0
                && head.directory_offset.wide().is_some_and(|offset| offset >= HEAD)
                && head.known_sizes().is_ok()
        })
    }
}

impl Format for Wad {
    const NAME: &'static str = "wad";
    const TITLE: &'static str = "wad (maps, physics, patches, saves)";
    const GAMES: &'static [Game] = &[Game::Marathon, Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.scea", "*.phya", "*.sgaa", "*.scen"];
    const TABLES: &'static [EntryTable] = &[EntryTable {
        kind: ENTRY,
        list: "chunks",
        row: |_| ChunkHeader::LAYOUT,
        name: "tag",
        extension: None,
        entry: None,
    }];
    const TRAPS: &'static [&'static lint::Trap] = super::map::lint::TRAPS;

    fn salvage(file: &Bytes) -> Option<Salvage> {
        salvage(file)
    }

    /// Recognizes a wad, which has no magic, by its versions, its sizes, and a directory and entries that lie inside the file
    /// (`marathon-wad.md`, section 1). The decoder checks the chunk chains and reports the place of an error.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let head: Header = read_head(file)?;
        let sizes = head.known_sizes().ok()?;
        Self::begins(file).then_some(())?;
        let inside = |offset: u64, length: u64| -> Option<&[u8]> {
            let end = usize::try_from(offset.checked_add(length)?).ok()?;
            file.get(usize::try_from(offset).ok().filter(|&offset| offset >= size_of::<Header>())?..end)
        };
        let length = head.entry_count.wide()?.checked_mul(sizes.stride())?;
        let directory = inside(head.directory_offset.wide()?, length)?;
        for slot in sizes.slots(directory) {
            match slot.length.wide()? {
                0 => {}
                length if length < sizes.chunk_header => return None,
                length => _ = inside(slot.offset.wide()?, length)?,
            }
        }
        Some(match head.version {
            Version::MARATHON => vec![Game::Marathon],
            Version::INFINITY => vec![Game::Infinity],
            _ => vec![Game::Marathon2, Game::Infinity],
        })
    }
}

/// Returns the entries that lie in a wad whose end is missing, each as a wad of its own.
fn salvage(file: &Bytes) -> Option<Salvage> {
    let head: Header = read_head(file)?;
    let sizes = head.known_sizes().ok().filter(|_| Wad::begins(file))?;
    let count = head.entry_count.wide()?;
    let directory = usize::try_from(head.directory_offset.wide()?).ok().and_then(|at| file.get(at..));
    let rows = directory.unwrap_or_default().chunks_exact(usize::try_from(sizes.stride()).ok()?);
    let rows: Vec<&[u8]> = rows.take(usize::try_from(count).ok()?).collect();
    let place = |row: &[u8]| {
        let row: SlotHeader = read_head(row)?;
        let begin = usize::try_from(row.offset.wide()?).ok()?;
        Some(begin..begin.checked_add(usize::try_from(row.length.wide()?).ok()?)?)
    };
    let mut salvage = Salvage::default();
    let mut rest = file.len();
    if wide(rows.len()) == count {
        for (index, &row) in (0_u64..).zip(&rows) {
            let bytes = place(row).filter(|it| it.end <= file.len() && it.len() <= rest).map(|it| file.slice(it));
            match bytes.and_then(|bytes| alone((&head, sizes), (index, Some(row)), &bytes).map(|it| (it, bytes.len())))
            {
                Some(((name, wad), length)) => {
                    rest -= length;
                    salvage.keep(name, wad);
                }
                None => salvage.lost.push(format!("entry {index}")),
            }
        }
        salvage.unnamed = Some(0);
    } else {
        // The entries are in a row, and the last chunk of each has no next one.
        let mut at = usize::try_from(HEAD).ok()?;
        let mut whole = 0_u64;
        while whole < count
            && let Some(end) = entry_end(file, at, sizes)
            && let Some((name, wad)) = alone((&head, sizes), (whole, None), &file.slice(at..end))
        {
            salvage.keep(name, wad);
            (at, whole) = (end, whole + 1);
        }
        salvage.unnamed = Some(count - whole);
    }
    (!salvage.whole.is_empty()).then_some(salvage)
}

/// Returns the end of the chain of chunks that begins at an offset, if it lies in the file.
fn entry_end(file: &[u8], begin: usize, sizes: Sizes) -> Option<usize> {
    let header = usize::try_from(sizes.chunk_header).ok()?;
    let mut at = begin;
    loop {
        let head: ChunkHeader = read_head(file.get(at..)?)?;
        let end = at.checked_add(header)?.checked_add(usize::try_from(head.length.wide()?).ok()?)?;
        if end > file.len() {
            return None;
        }
        match usize::try_from(head.next.wide()?).ok()? {
            0 => return Some(end),
            next => at = begin.checked_add(next).filter(|next| *next >= end)?,
        }
    }
}

/// Returns an entry as a wad of its own, with a name: its number, and that of its level if it has one. What a lost row of the directory stated
/// is filled in as far as the entry repeats it.
fn alone((head, sizes): (&Header, Sizes), (index, row): (u64, Option<&[u8]>), entry: &[u8]) -> Option<(String, Bytes)> {
    let slot = SlotHeader { offset: i32::try_from(HEAD).ok()?.into(), length: i32::try_from(entry.len()).ok()?.into() };
    let head = Header {
        entry_count: 1.into(),
        directory_offset: i32::try_from(HEAD.checked_add(wide(entry.len()))?).ok()?.into(),
        ..*head
    };
    let mut bytes = [bytes_of(&head), entry, bytes_of(&slot)].concat();
    match row {
        Some(row) => bytes.extend_from_slice(row.get(size_of::<SlotHeader>()..)?),
        None => {
            let number = i16::try_from(index).ok()?.to_be_bytes();
            bytes.extend(number.into_iter().filter(|_| sizes.slot > 8));
            bytes.resize(bytes.len().checked_add(usize::try_from(sizes.application_data).ok()?)?, 0);
        }
    }
    let mut wad = decode::<Wad>(bytes).ok()?.model;
    let level = wad.entries.first()?.level();
    for slot in wad.directory.iter_mut().filter(|_| row.is_none()) {
        if let (Some(data), Some(level)) = (&mut slot.level, level) {
            *data = level;
        }
    }
    wad.head.checksum = wad.rules(None, &wad.places().ok()?).ok()?.checksum;
    let name = level.map(|level| decode_text(Mac::PAGE, level.level_name.bytes())).filter(|name| !name.is_empty());
    let name = name.map_or_else(|| format!("{index:02}"), |name| format!("{index:02} {name}"));
    Some((name + ".sceA", encode(&wad).ok()?.into()))
}

binrw_over_lay!(Wad);

impl Lint for Wad {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        let labels = (0..self.entries.len()).map(|item| Label::nth(TABLE, item));
        pass.items(&self.arrangement, labels.zip(self.entries.iter().map(Some)));
    }
}

impl Container for Wad {
    type Content = Entry;

    const PAGE: &'static field::CodePage = Mac::PAGE;

    /// Returns the entries, each named by its index.
    fn labeled(&self) -> Vec<(Label, &Entry)> {
        own(&self.arrangement, self.entries.iter().enumerate().map(|(index, entry)| (Label::nth(TABLE, index), entry)))
    }
}

impl Contents<Wad> for Entry {
    fn kind(&self) -> &'static str {
        ENTRY
    }

    fn bytes(&self, wad: &Wad) -> Result<Vec<u8>> {
        let sizes = wad.sizes()?;
        encode_with(|t| LayBy::lay_by(self, t, sizes))
    }
}

/// A level of a wad.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LevelRef<'a> {
    /// The index of its entry, from 0.
    pub index: usize,
    /// The number of the level, or `None` in Marathon, where it is the index.
    pub number: Option<i16>,
    /// Its name, mission, environment, and types of game.
    pub data: LevelData,
    /// Its chunks.
    pub entry: &'a Entry,
}

impl Wad {
    /// Returns an iterator over the entries that are levels: those with properties of a level, the chunk `Minf`.
    ///
    /// ```
    /// # mod bitexact { pub use {field, kind, bitexact_marathon as marathon}; }
    /// # let file = std::fs::read("../../golden/install/m2/Map.sceA").expect("a map");
    /// use bitexact::{field::decode, kind::Container as _, marathon::wad::Wad};
    ///
    /// let wad: Wad = decode(file)?.model;
    /// for level in wad.levels() {
    ///     let lines = level.entry.entry("LINS").and_then(|chunk| chunk.content.lines());
    ///     println!("{} {}: {} lines", level.index, level.data.level_name, lines.map_or(0, <[_]>::len));
    /// }
    /// # assert!(wad.levels().count() > 0);
    /// # Ok::<(), bitexact::field::Error>(())
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = LevelRef<'_>> {
        let has_numbers = self.head.known_sizes().is_ok_and(|sizes| sizes.slot > 8);
        self.entries.iter().enumerate().filter_map(move |(index, entry)| {
            let slot = self.directory.get(index).filter(|_| has_numbers);
            Some(LevelRef { index, number: slot.map(|slot| slot.index.get()), data: entry.level()?, entry })
        })
    }
}
