//! Indices of the resources of a set of BIFs, `.key`.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 64 |
//! | file table, one [`FileSlot`] per BIF | 12 |
//! | the paths of the BIFs | |
//! | key table, one [`Resource`] per resource | 22, in the Enhanced Edition 42 |
//!
//! The id of a resource is the index of its BIF, times 2^20, plus its index there.
//!
//! Source: [`nwn-key-bif.md`](formats::nwn_key_bif), section 1.

use core::ops::Range;

use field::record;
use field::{
    Arrangement, Block, Fault, GAME_TEXT, Result, Run, Stale, Table, Text, U8, U16, U32, as_read, decode_text, lay,
    wide,
};
use kind::{Format, Game, binrw_over_lay};

use super::erf::ENHANCED;
use super::resource::ResourceType;

/// The name of the file table.
const TABLE: &str = "files";
/// The size of the header, and so the usual offset of the file table.
const HEAD: u64 = 64;

record! {
    /// The header, 64 bytes. Source: `nwn-key-bif.md`, section 1.
    pub struct Header: 64 {
        magic: Text<8>,
        file_count: U32 as Outside,
        key_count: U32 as Outside,
        files_offset: U32 as Outside,
        keys_offset: U32 as Outside,
        /// The year of writing, counted from 1900.
        build_year: U32,
        /// The day of writing, counted from 0.
        build_day: U32,
        /// Leftover memory; in the Enhanced Edition, the identity of the files that belong together.
        leftover: Stale<32>,
    }
}

record! {
    /// An item of the file table, 12 bytes. Source: `nwn-key-bif.md`, section 1.
    pub struct FileSlot: 12 {
        /// The size of the BIF in bytes.
        file_size: U32,
        name_offset: U32 as Offset,
        name_size: U16 as Length,
        /// A bit for each place that the game searches.
        drives: U16,
    }
}

record! {
    /// A key, 22 bytes. Source: `nwn-key-bif.md`, section 1.
    pub struct Resource: 22 {
        name: Text<16>,
        kind_of_resource: ResourceType,
        /// The index of the BIF times 2^20, plus the index in it.
        id: U32,
    }
}

record! {
    /// A key of the Enhanced Edition, 42 bytes. Source: `nwn-key-bif.md`, section 1.
    pub struct EnhancedResource: 42 {
        name: Text<16>,
        kind_of_resource: ResourceType,
        id: U32,
        sha1: [U8; 20],
    }
}

/// A BIF.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Sizes and places.
    pub slot: FileSlot,
    /// The path, relative to the folder of the game, usually with a NUL at its end.
    pub name: Block,
}

impl File {
    /// Returns the path in lower case, with `/` between the parts.
    #[must_use]
    pub fn path(&self) -> String {
        decode_text(GAME_TEXT, &self.name).trim_end_matches('\0').replace('\\', "/").to_lowercase()
    }
}

/// A KEY.
#[derive(Clone, Debug, Default)]
pub struct Key {
    /// Counts, offsets and date.
    pub head: Header,
    /// Bytes before the file table.
    pub before_files: Block,
    /// The BIFs.
    pub files: Vec<File>,
    /// The placement of the paths in the file.
    pub arrangement: Arrangement,
    /// Bytes before the keys.
    pub before_keys: Block,
    /// The resources.
    pub keys: Block<Resource>,
    /// The resources, in the Enhanced Edition.
    pub enhanced_keys: Block<EnhancedResource>,
    /// Bytes after the keys.
    pub trailing: Block,
}

/// The magic, and that of the Enhanced Edition.
const MAGIC: [&[u8; 8]; 2] = [b"KEY V1  ", b"KEY E1  "];

impl Key {
    fn is_enhanced(&self) -> bool {
        self.head.magic.bytes() == MAGIC[1]
    }

    /// Returns the places of the paths, and the offset after them.
    ///
    /// # Errors
    /// Returns an error if the paths are not in one place each.
    fn places(&self) -> Result<(Vec<Range<u64>>, u64)> {
        let names: Vec<u64> = self.files.iter().map(|file| wide(file.name.len())).collect();
        let files = HEAD + wide(self.before_files.len());
        let first = files + wide(self.files.len()) * 12;
        let places = self.arrangement.places(first, &names, None)?.items;
        let end = places.iter().map(|place| place.end).max().unwrap_or(first);
        Ok((places, end))
    }

    /// Returns the number of keys.
    fn count(&self) -> u64 {
        wide(self.keys.len() + self.enhanced_keys.len())
    }
}

lay! {
    impl Lay for Key {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let laid_out = t.from_sizes(|| self.places())?;
            t.computed("file_count", at!(self.head.file_count), wide(self.files.len()))?;
            let count = self.count();
            t.computed("key_count", at!(self.head.key_count), count)?;
            t.computed("files_offset", at!(self.head.files_offset), wide(self.before_files.len()) + HEAD)?;
            if let Some((_, names_end)) = &laid_out {
                t.computed("keys_offset", at!(self.head.keys_offset), names_end + wide(self.before_keys.len()))?;
            }
            t.fields(at!(self.head))?;
            let enhanced = self.is_enhanced();
            if !enhanced && self.head.magic.bytes() != MAGIC[0] {
                let found = self.head.magic.bytes().escape_ascii().to_string();
                return Err(t.error_in("magic", Fault::Unknown { found, expected: "KEY V1 or KEY E1".into() }));
            }
            let gap = as_read(t.until("files_offset", self.head.files_offset.get(), start)?);
            t.run("before_files", Run::Surplus, gap, at!(self.before_files))?;
            let count = as_read(self.head.file_count.get().into());
            let table = Table::of::<FileSlot>(TABLE, start, t.position());
            let mut places = laid_out.into_iter().flat_map(|(places, _)| places);
            t.list(TABLE, count, 12, at!(self.files), |t, file| t.row(at!(file.slot), places.next()))?;
            t.window(t.until("keys_offset", self.head.keys_offset.get(), start)?, |t| {
                t.find_arranged(at!(self.arrangement), &table, |t| table.stated(t, self.files.iter().map(|file| &file.slot)))?;
                t.arranged(at!(self.arrangement), TABLE, self.files.len(), |t, item| {
                    t.nth_of(TABLE, item, at!(self.files), |t, file| t.text_of("path", GAME_TEXT, as_read(t.remaining()), at!(file.name)))
                })?;
                t.rest("before_keys", Run::Surplus, at!(self.before_keys))
            })?;
            let count = u64::from(self.head.key_count.get());
            if enhanced {
                t.block("enhanced_keys", as_read(count), at!(self.enhanced_keys))?;
            } else {
                t.block("keys", as_read(count), at!(self.keys))?;
            }
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Format for Key {
    const NAME: &'static str = "key";
    const TITLE: &'static str = "index of resources (KEY)";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.key"];

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.first_chunk::<8>().filter(|magic| MAGIC.contains(magic)).map(|_| Self::GAMES.to_vec())
    }

    fn uneditable(file: &[u8]) -> Option<&'static str> {
        file.starts_with(MAGIC[1]).then_some(ENHANCED)
    }

    /// Returns `false` for other files with this ending, such as certificates.
    fn suits(file: &[u8]) -> bool {
        file.starts_with(b"KEY ")
    }
}

binrw_over_lay!(Key);
