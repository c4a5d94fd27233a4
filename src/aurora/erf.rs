//! Containers of resources with names: ERF, HAK, MOD, SAV, NWM.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 160 |
//! | descriptions, each with the number of its language | 8 + length |
//! | keys: name and type of each resource | 24; 40 in V1.1, 44 in E1.0 |
//! | slack: 8 bytes per key, or none | |
//! | resource list: offset and size of each | 8; 16 in E1.0 |
//! | data | |
//!
//! All counts, sizes and offsets are computed. V1.1 has names of 32 characters, as in Neverwinter Nights 2. E1.0 is the Enhanced
//! Edition, with a hash in each key, and data that can be compressed.
//!
//! Source: [`nwn-erf.md`](formats::nwn_erf).

use core::ops::Range;
use std::collections::HashMap;

use bytes::Bytes;

use field::macros::{read_head, split_head};
use field::record;
use field::walk::{size, sizes};
use field::{
    Arrangement, Block, Fault, FourCc, GAME_TEXT, I32, Label, Pad, Payload as _, Record as _, Result, Run, Step, Table,
    Text, TextError, Truth, U16, U32, Value, as_read, decode_text, lay, wide,
};
use kind::{Container, EntryTable, Format, Game, Salvage, binrw_over_lay, own};
use lint::{Entries, Lint, Trap, Warnings, traps};

use super::Payload;
use super::resource::{ResourceType, file_name};

traps! { TRAPS:
    NO_NAME = "resource-no-name" in Addition:
        "a resource has a type, but no name" => "the game looks resources up by name, so it does not find this one",
        "nwn-erf.md, section 2 (checked)";
    SAME_NAME = "resource-same-name" in Addition:
        "a resource differs from an earlier one only in the capitals of its name" =>
        "the game takes one of them, and it is not known which", "nwn-erf.md, section 3 (checked)";
    CHARACTER = "resource-name-character" in File:
        "the name of a resource has a character other than letters, digits and `_`, `-`, `.` or a blank" =>
        "no resource of the game has one, and other programs refuse it", "nwn-erf.md, section 1 (measured)";
    NO_TYPE = "resource-no-type" in File:
        "a resource with a name has the type of an entry that is not valid" => "the game does not find it",
        "nwn-erf.md, section 2 (checked)";
}

/// The name of the list of resources.
const TABLE: &str = "entries";
/// The size of the header, and so the usual offset of the descriptions.
const HEAD: u64 = 160;
/// The type words. Source: `nwn-erf.md`, section 1.
const TYPES: [&[u8; 4]; 5] = [b"ERF ", b"HAK ", b"MOD ", b"SAV ", b"NWM "];

/// Why files of the newer edition are not edited. Source: `nwn-erf.md`, section 5.
pub(super) const ENHANCED: &str = "containers of the Enhanced Edition (E1) cannot be edited: their keys hold the SHA-1 of each \
    resource, which would no longer agree";

record! {
    /// The header, 160 bytes. Source: `nwn-erf.md`, section 1.
    pub struct Header: 160 {
        kind: FourCc,
        version: FourCc,
        description_count: U32 as Outside,
        descriptions_size: U32 as Outside,
        entry_count: U32 as Outside,
        descriptions_offset: U32 as Outside,
        keys_offset: U32 as Outside,
        resources_offset: U32 as Outside,
        /// The year of writing, counted from 1900.
        build_year: U32,
        /// The day of writing, counted from 0.
        build_day: U32,
        /// The number of a text in the talk table, -1 for none, or leftover memory.
        description_strref: I32,
        /// In E1.0, the identity of the file in hexadecimal.
        object_id: Text<24>,
        reserved: [U32; 23] = [U32::new(0); 23],
    }
}

record! {
    /// The beginning of a key, 16 bytes. Source: `nwn-erf.md`, section 1.
    pub struct Name: 16 {
        name: Text<16>,
    }
}

record! {
    /// The beginning of a key in V1.1, 32 bytes. Source: `nwn-erf.md`, section 1.
    pub struct LongName: 32 {
        name: Text<32>,
    }
}

record! {
    /// The end of a key, 8 bytes. Source: `nwn-erf.md`, section 1.
    pub struct KeyEnd: 8 {
        /// The index of the resource, or 0 in a blank entry.
        id: U32 as Outside,
        kind_of_resource: ResourceType,
        unused: U16 = 0,
    }
}

record! {
    /// An item of the resource list, 8 bytes. Source: `nwn-erf.md`, section 1.
    pub struct Slot: 8 {
        offset: U32 as Offset,
        size: U32 as Length,
    }
}

record! {
    /// The end of an item of the resource list in E1.0, 8 bytes. Source: `nwn-erf.md`, section 5.
    pub struct Compression: 8 {
        /// 0 if the data is not compressed.
        compression: U32,
        uncompressed_size: U32,
    }
}

/// A description in one language.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// Twice the number of the language, plus 1 for the feminine form.
    pub language: U32,
    /// The text, often with a NUL at its end.
    pub text: Block,
}

/// A resource: its key, its item of the resource list, and its data.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The name, except in V1.1.
    pub name: Name,
    /// The name in V1.1.
    pub long_name: LongName,
    /// The number and the type.
    pub key: KeyEnd,
    /// In E1.0, the SHA-1 of the data before compression.
    pub sha1: [field::U8; 20],
    /// Offset and size.
    pub slot: Slot,
    /// In E1.0, whether the data is compressed.
    pub compression: Compression,
    /// The data.
    pub payload: Payload,
}

/// A container of resources.
#[derive(Clone, Debug, Default)]
pub struct Erf {
    /// Type, version, date.
    pub head: Header,
    /// Bytes before the descriptions.
    pub before_descriptions: Block,
    /// The descriptions.
    pub descriptions: Vec<Description>,
    /// Bytes between the descriptions and the keys.
    pub before_keys: Block,
    /// The resources, in the order of the keys.
    pub entries: Vec<Entry>,
    /// `true` if there are 8 bytes per key after the keys.
    pub has_slack: Truth,
    /// These bytes; zeros, or the end of an older, longer list of keys.
    pub slack: Pad,
    /// Other bytes before the resource list.
    pub before_resources: Block,
    /// The placement of the data in the file.
    pub arrangement: Arrangement,
    /// Bytes after the data.
    pub trailing: Block,
}

/// A version, which determines the sizes of keys and resource list items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Original,
    LongNames,
    Enhanced,
}

impl Version {
    fn of(word: FourCc) -> Option<Self> {
        match &word.0 {
            b"V1.0" => Some(Self::Original),
            b"V1.1" => Some(Self::LongNames),
            b"E1.0" => Some(Self::Enhanced),
            _ => None,
        }
    }

    const fn key(self) -> u64 {
        match self {
            Self::Original => 24,
            Self::LongNames => 40,
            Self::Enhanced => 44,
        }
    }

    const fn slot(self) -> u64 {
        if matches!(self, Self::Enhanced) { 16 } else { 8 }
    }
}

impl Entry {
    /// Returns the file name of the resource, empty for a blank entry.
    fn file_name(&self, version: Version) -> Vec<u8> {
        let kind = self.key.kind_of_resource;
        match version {
            _ if self.is_blank(version) => Vec::new(),
            Version::LongNames => file_name(&self.long_name.name, &kind.extension()),
            Version::Original | Version::Enhanced => file_name(&self.name.name, &kind.extension()),
        }
    }

    /// Returns `true` if the entry has neither a name nor a type (`nwn-erf.md`, section 2).
    fn is_blank(&self, version: Version) -> bool {
        self.has_no_name(version) && self.key.kind_of_resource.get() == 0
    }

    fn has_no_name(&self, version: Version) -> bool {
        self.own_name(version).is_empty()
    }

    fn own_name(&self, version: Version) -> &[u8] {
        if version == Version::LongNames { self.long_name.name.bytes() } else { self.name.name.bytes() }
    }
}

/// The offsets of the parts before the data.
struct Tables {
    descriptions_size: u64,
    keys: u64,
    resources: u64,
}

impl Erf {
    fn tables(&self, version: Version) -> Tables {
        let length = |block: &Block| wide(block.len());
        let descriptions_size = self.descriptions.iter().map(|it| length(&it.text) + 8).sum::<u64>();
        let count = wide(self.entries.len());
        let before = HEAD + length(&self.before_descriptions) + descriptions_size;
        let keys = before + length(&self.before_keys);
        let slack = if bool::from(self.has_slack) { count * 8 } else { 0 };
        let after_keys = keys + count * version.key() + slack;
        let resources = after_keys + length(&self.before_resources);
        Tables { descriptions_size, keys, resources }
    }

    /// Returns the version, which the header just laid out states.
    fn version(&self) -> core::result::Result<Version, Fault> {
        let version = self.head.version;
        let unknown = || Fault::Unknown { found: version.text(), expected: "V1.0, V1.1 or E1.0".to_owned() };
        Version::of(version).ok_or_else(unknown)
    }

    /// Returns the version, or the original one if it is unknown, which is refused when the container is laid out.
    fn known_version(&self) -> Version {
        Version::of(self.head.version).unwrap_or(Version::Original)
    }

    /// Returns a container without resources.
    #[must_use]
    pub fn new(kind: [u8; 4]) -> Self {
        let head = Header {
            kind: FourCc(kind),
            version: FourCc(*b"V1.0"),
            descriptions_offset: U32::new(160),
            description_strref: I32::new(-1),
            ..Header::default()
        };
        Self { head, ..Self::default() }
    }

    /// Returns the most characters of the name of a resource.
    #[must_use]
    pub fn longest_name(&self) -> usize {
        match self.known_version() {
            Version::LongNames => LongName::LAYOUT.size,
            Version::Original | Version::Enhanced => Name::LAYOUT.size,
        }
    }

    /// Appends a resource with these bytes.
    ///
    /// # Errors
    /// Returns an error if the name is too long, or has a character that Windows-1252 lacks.
    pub fn push(&mut self, name: &str, kind: ResourceType, bytes: Bytes) -> core::result::Result<(), TextError> {
        let key = KeyEnd { kind_of_resource: kind, ..KeyEnd::default() };
        let mut entry = Entry { key, payload: Payload::Opaque(Block::shared(bytes)), ..Entry::default() };
        match self.known_version() {
            Version::LongNames => entry.long_name.name.set(name)?,
            Version::Original | Version::Enhanced => entry.name.name.set(name)?,
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Numbers all resources, and places their data in this order. Returns the offset of the first.
    pub fn place(&mut self) -> u64 {
        let version = self.known_version();
        let first = self.tables(version).resources + wide(self.entries.len()) * version.slot();
        let mut at = first;
        for (id, entry) in (0_u32..).zip(&mut self.entries) {
            if !entry.is_blank(version) {
                entry.key.id = id.into();
                // An offset that does not fit is refused when the container is written.
                entry.slot.offset = u32::try_from(at).unwrap_or(u32::MAX).into();
            }
            at += size(&entry.payload).unwrap_or(0);
        }
        first
    }

    /// Returns the name, the type, and the range in the file of each resource of a container that has been decoded, except blank entries.
    pub fn resources(&self) -> impl Iterator<Item = (String, ResourceType, Range<u64>)> {
        let version = self.known_version();
        self.entries.iter().filter(move |entry| !entry.is_blank(version)).map(move |entry| {
            let name =
                if version == Version::LongNames { entry.long_name.name.bytes() } else { entry.name.name.bytes() };
            let (start, length) = (u64::from(entry.slot.offset.get()), u64::from(entry.slot.size.get()));
            (decode_text(GAME_TEXT, name), entry.key.kind_of_resource, start..start + length)
        })
    }

    /// Removes all resources.
    pub fn clear(&mut self) {
        (self.entries, self.arrangement) = (Vec::new(), Arrangement::default());
        (self.has_slack, self.slack) = (Truth::default(), Pad::default());
    }

    /// Returns the labels of all resources.
    fn labels(&self) -> Vec<Label> {
        Label::table(TABLE, self.names(self.known_version()))
    }

    /// Returns the file names of all resources.
    fn names(&self, version: Version) -> impl Iterator<Item = Vec<u8>> {
        self.entries.iter().map(move |entry| entry.file_name(version))
    }
}

lay! {
    impl Lay for Erf {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let count = wide(self.entries.len());
            t.computed("description_count", at!(self.head.description_count), wide(self.descriptions.len()))?;
            t.computed("entry_count", at!(self.head.entry_count), count)?;
            let known = self.known_version();
            let mut rules = self.head;
            if let Some(tables) = t.from_sizes(|| Ok(self.tables(known)))? {
                let offset = HEAD + wide(self.before_descriptions.len());
                if !self.descriptions.is_empty() {
                    t.computed("descriptions_offset", at!(self.head.descriptions_offset), offset)?;
                }
                t.computed("keys_offset", at!(self.head.keys_offset), tables.keys)?;
                t.computed("resources_offset", at!(self.head.resources_offset), tables.resources)?;
                rules = self.head;
                rules.descriptions_offset = t.rule("descriptions_offset", offset, rules.descriptions_offset)?;
                let size = tables.descriptions_size;
                rules.descriptions_size = t.rule("descriptions_size", size, rules.descriptions_size)?;
            }
            t.fields_by(at!(self.head), Some(&rules))?;
            let is_original = known != Version::Enhanced;
            let object_id = self.head.object_id;
            t.expect("object_id", || {
                (is_original && !object_id.bytes().is_empty()).then(|| ("none".into(), "some bytes".into()))
            });
            let version = self.version().map_err(|fault| t.error_in("version", fault))?;
            // An empty list of descriptions has no place.
            let number = u64::from(self.head.description_count.get());
            let offset = if number > 0 { self.head.descriptions_offset.get().into() } else { HEAD };
            let gap = t.until("descriptions_offset", offset, start)?;
            t.run("before_descriptions", Run::Surplus, as_read(gap), at!(self.before_descriptions))?;
            t.window(t.until("keys_offset", self.head.keys_offset.get(), start)?, |t| {
                t.list("descriptions", as_read(number), 8, at!(self.descriptions), |t, it| it.lay(t))?;
                t.rest("before_keys", Run::Surplus, at!(self.before_keys))
            })?;
            let count = u64::from(self.head.entry_count.get());
            t.room(count, version.key() + version.slot())?;
            let mut index = 0_u32;
            t.list(TABLE, as_read(count), 0, at!(self.entries), |t, entry| {
                let id = index;
                index += 1;
                entry.lay_by(t, (version, id))
            })?;
            let count = wide(self.entries.len());
            let left = t.until("resources_offset", self.head.resources_offset.get(), start)?;
            t.seen_fact("has_slack", at!(self.has_slack), |_| (count > 0 && left >= count * 8).into())?;
            if bool::from(self.has_slack) {
                // As padding from one byte before: the slack has 8 bytes per key, wherever it begins.
                let of = count * 8 + 1;
                t.pad("slack", t.position() - 1, of, at!(self.slack))?;
            }
            let gap = as_read(t.until("resources_offset", self.head.resources_offset.get(), start)?);
            t.run("before_resources", Run::Surplus, gap, at!(self.before_resources))?;
            let table = Table { each: version.slot(), ..Table::of::<Slot>(TABLE, start, t.position()) };
            let sizes = || sizes(TABLE, &self.entries, |entry| size(&entry.payload));
            let mut places = t.item_places(&self.arrangement, &table, sizes)?;
            t.each(TABLE, at!(self.entries), |t, entry| {
                // An entry without data begins where the next one does, a blank one nowhere (`nwn-erf.md`, section 2).
                let is_nowhere = |place: &Range<u64>| place.is_empty() && entry.is_blank(version);
                let place = places.next().map(|place| if is_nowhere(&place) { 0..0 } else { place });
                t.row(at!(entry.slot), place)?;
                if version == Version::Enhanced { t.fields(at!(entry.compression)) } else { Ok(()) }
            })?;
            t.find_arranged(at!(self.arrangement), &table, |t| table.stated(t, self.entries.iter().map(|entry| &entry.slot)))?;
            let labels = t.labels(TABLE, self.names(version));
            t.arranged_payloads(at!(self.arrangement), TABLE, &labels, at!(self.entries), Payload::recognize, |entry| at!(entry.payload))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl Lay for Description {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.value("language", at!(self.language))?;
            t.text::<U32>("size", "text", GAME_TEXT, at!(self.text))
        }
    }

    /// Lays out the key of a resource with this index.
    impl LayBy<(Version, u32)> for Entry {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (version, index): (Version, u32)) -> Result {
            match version {
                Version::LongNames => t.fields(at!(self.long_name))?,
                Version::Original | Version::Enhanced => t.fields(at!(self.name))?,
            }
            let id = if self.is_blank(version) { 0 } else { index };
            let rules = KeyEnd { id: id.into(), ..self.key };
            t.fields_by(at!(self.key), Some(&rules))?;
            if version == Version::Enhanced { t.value("sha1", at!(self.sha1)) } else { Ok(()) }
        }
    }

}

impl Lint for Erf {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        let payloads = self.entries.iter().map(|entry| Some(&entry.payload));
        pass.items(&self.arrangement, self.labels().into_iter().zip(payloads));
    }

    /// Reports names under which the game does not find a resource.
    fn lint(&self, out: &mut Warnings<'_>) {
        let version = self.known_version();
        let mut names: HashMap<Vec<u8>, usize> = HashMap::new();
        for (item, (entry, file)) in self.entries.iter().zip(self.names(version)).enumerate() {
            let place = [Step::Name(TABLE), Step::Index(wide(item)), Step::Name("name")];
            if entry.has_no_name(version) && !entry.is_blank(version) {
                out.warn(&NO_NAME, &place, decode_text(GAME_TEXT, &file));
            }
            let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ');
            if !entry.own_name(version).iter().all(is_usual) {
                out.warn(&CHARACTER, &place, decode_text(GAME_TEXT, &file));
            }
            if entry.key.kind_of_resource == ResourceType::INVALID && !entry.has_no_name(version) {
                out.warn(&NO_TYPE, &place, decode_text(GAME_TEXT, &file));
            }
            let first = *names.entry(file.to_ascii_lowercase()).or_insert(item);
            if first != item && !file.is_empty() {
                out.warn(&SAME_NAME, &place, format!("{}, entry {first}", decode_text(GAME_TEXT, &file)));
            }
        }
    }
}

impl Format for Erf {
    const NAME: &'static str = "erf";
    const TITLE: &'static str = "container of resources (ERF, HAK, MOD, SAV, NWM)";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.erf", "*.hak", "*.mod", "*.nwm"];
    const TABLES: &'static [EntryTable] = &[EntryTable {
        kind: Self::NAME,
        list: TABLE,
        row: |erf| {
            if erf.get("version").and_then(Value::text) == Some("V1.1") { LongName::LAYOUT } else { Name::LAYOUT }
        },
        name: "name",
        extension: Some("kind_of_resource"),
        entry: None,
    }];
    const TRAPS: &'static [&'static Trap] = TRAPS;

    /// Checks for a type word and a known version.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let (kind, rest) = file.split_first_chunk::<4>()?;
        let (version, _) = rest.split_first_chunk::<4>()?;
        (TYPES.contains(&kind) && Version::of(FourCc(*version)).is_some()).then(|| Self::GAMES.to_vec())
    }

    fn uneditable(file: &[u8]) -> Option<&'static str> {
        (file.get(4..8) == Some(b"E1.0")).then_some(ENHANCED)
    }

    fn salvage(file: &Bytes) -> Option<Salvage> {
        salvage(file)
    }

    /// Returns `false` for other files that end in `.mod`: music, and modules of other games.
    fn suits(file: &[u8]) -> bool {
        file.first_chunk::<4>().is_some_and(|kind| TYPES.contains(&kind))
    }
}

/// Returns the resources that lie in a container whose end is missing. Those that are compressed stay so, with one more extension.
fn salvage(file: &Bytes) -> Option<Salvage> {
    let tables = Listing::of(file)?;
    let mut salvage = Salvage { unnamed: Some(0), ..Salvage::default() };
    let count = tables.count();
    // Resources can share bytes, but not so many that they are more than the file.
    let mut rest = file.len();
    for index in 0..count {
        let Some(entry) = tables.key(index) else {
            // The keys are in a row, so that all others are missing too.
            salvage.unnamed = Some(count - index);
            break;
        };
        if entry.is_blank(tables.version) {
            continue;
        }
        let name = decode_text(GAME_TEXT, &entry.file_name(tables.version));
        let row = tables.row(index);
        let is_compressed = row.as_ref().is_some_and(|(_, is_compressed)| *is_compressed);
        let place = row.and_then(|(it, _)| Some(usize::try_from(it.start).ok()?..usize::try_from(it.end).ok()?));
        match place.filter(|place| place.end <= file.len() && place.len() <= rest) {
            Some(place) => {
                rest -= place.len();
                salvage.keep(if is_compressed { name + ".compressed" } else { name }, file.slice(place));
            }
            None => salvage.lost.push(name),
        }
    }
    (!salvage.whole.is_empty()).then_some(salvage)
}

/// The tables of a container, read without what they list.
struct Listing<'f> {
    file: &'f [u8],
    head: Header,
    version: Version,
}

impl<'f> Listing<'f> {
    fn of(file: &'f [u8]) -> Option<Self> {
        let head: Header = read_head(file)?;
        let version = Version::of(head.version).filter(|_| TYPES.contains(&&head.kind.0))?;
        Some(Self { file, head, version })
    }

    fn count(&self) -> u64 {
        self.head.entry_count.get().into()
    }

    fn at(&self, offset: U32, index: u64, each: u64) -> Option<&'f [u8]> {
        let begin = index.checked_mul(each)?.checked_add(offset.get().into())?;
        self.file.get(usize::try_from(begin).ok()?..)
    }

    /// Returns an entry with what its key says, unless it is missing.
    fn key(&self, index: u64) -> Option<Entry> {
        Entry::read_key(self.at(self.head.keys_offset, index, self.version.key())?, self.version)
    }

    /// Returns the range of a resource, and whether it is compressed, unless its row is missing.
    fn row(&self, index: u64) -> Option<(Range<u64>, bool)> {
        let row = self.at(self.head.resources_offset, index, self.version.slot())?;
        let slot: Slot = read_head(row)?;
        let compression: Option<Compression> = row.get(8..).and_then(read_head);
        let is_compressed =
            self.version == Version::Enhanced && compression.is_some_and(|it| it.compression.get() != 0);
        let begin = u64::from(slot.offset.get());
        Some((begin..begin + u64::from(slot.size.get()), is_compressed))
    }
}

/// Returns the file names and the ranges of all resources that the tables of a container list, or `None` if a table is not whole.
pub fn listed(head: &[u8]) -> Option<Vec<(String, Range<u64>)>> {
    let tables = Listing::of(head)?;
    let listed = |index| {
        let (name, (place, _)) = (tables.key(index)?.file_name(tables.version), tables.row(index)?);
        Some((decode_text(GAME_TEXT, &name), place))
    };
    (0..tables.count()).map(listed).collect()
}

impl Entry {
    /// Reads the name and the type in a key.
    fn read_key(key: &[u8], version: Version) -> Option<Self> {
        let size = usize::try_from(version.key()).ok()?;
        let key = key.get(..size)?;
        let mut entry = Self::default();
        let rest = match version {
            Version::LongNames => {
                let (name, rest) = split_head(key)?;
                entry.long_name = name;
                rest
            }
            Version::Original | Version::Enhanced => {
                let (name, rest) = split_head(key)?;
                entry.name = name;
                rest
            }
        };
        entry.key = read_head(rest)?;
        Some(entry)
    }
}

binrw_over_lay!(Erf);

impl Container for Erf {
    type Content = Payload;

    fn labeled(&self) -> Vec<(Label, &Payload)> {
        own(&self.arrangement, self.labels().into_iter().zip(self.entries.iter().map(|entry| &entry.payload)))
    }
}
