//! Archives: `.zbd` files with a table at the end (sounds, readers, motions, 'Mech models, save games).
//!
//! | part | bytes |
//! |---|---|
//! | payloads, end to end in table order | |
//! | table, one [`Slot`] per entry | 148 |
//! | footer: version and count, from version 2 on a checksum | 8 or 12 |
//!
//! There is no magic. Version 2 belongs to Pirate's Moon. There, the checksum of a reader archive is a CRC over its
//! payloads and every other checksum is 0; the table of a motion archive stores length 1 for every entry, so an entry
//! ends where the next one begins. The packer left memory after the strings of a slot, and sometimes in all of its
//! last fields.
//!
//! Source: [`zipper-archives.md`](formats::zipper_archives).

use core::ops::Range;
use std::collections::HashMap;

use bytes::Bytes;

use field::build::Tape;
use field::macros::read_head;
use field::walk::{Lay, encode, visit_bytes};
use field::{
    self, Arrangement, Block, Fault, FileTime, GAME_TEXT, Label, Record as _, Result, Run, Step, Text, Truth, U32,
    decode_text, lay, wide,
};
use field::{flags, names, record};
use kind::{Container, EntryTable, Format, Game, MeshRef, Salvage, binrw_over_lay, own};
use lint::{Entries, Lint, Trap, Warnings, Watch, traps};

use super::Payload;
use super::motion::Motion;
use super::reader::{Reader, Token};
use super::wave::Wave;

traps! { TRAPS:
    IGNORED = "archive-value-ignored" in Change:
        "a value that the game does not use was changed" => "the edit has no effect",
        "zipper-editing.md, section 1 (engine)";
    SAME_NAME = "entry-name-repeated" in Addition:
        "an earlier entry has the same name, ignoring case" => "the game finds the earlier entry",
        "zipper-archives.md, section 4 (engine)";
    SOIL = "soil-name-known" in Addition:
        "a list of soils names one that is known already" =>
        "Crimson Skies skips it, so that the soils after it move down by one", "zipper-gamez.md, section 5 (engine)";
    BANKS = "sound-banks" in Change:
        "a sound was changed" => "the game's settings choose the archive that it plays from: change the sound in each",
        "zipper-editing.md, section 4 (engine)";
}

/// The name of the list that holds the table.
const TABLE: &str = "entries";

flags! {
    /// Flags that the packer set for an entry. Source: `zipper-archives.md`, section 2.3.
    pub struct SlotFlags(U32: u32) {
        /// The comment is the path that the entry was packed from.
        SOURCE = 2;
    }
}

record! {
    /// A table entry, 148 bytes. Source: `zipper-archives.md`, section 2.3.
    pub struct Slot: 148 {
        start: U32 as Offset,
        length: U32 as Length,
        name: Text<64>,
        flags: SlotFlags,
        /// The path that the entry was packed from, or leftover memory; in Crimson Skies, the name again.
        comment: Text<64>,
        /// In steps of 100 ns since 1601, or leftover memory.
        time: FileTime,
    }
}

record! {
    /// The footer up to version 1, the beginning of later ones, 8 bytes. Source: `zipper-archives.md`, section 2.1.
    pub struct Footer: 8 {
        version: U32,
        count: U32 as Outside,
    }
}

record! {
    /// The end of the footer in version 2, 4 bytes. Source: `zipper-archives.md`, section 2.2.
    pub struct FooterChecksum: 4 {
        checksum: U32 as Outside,
    }
}

/// An entry and its table row.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The table row.
    pub slot: Slot,
    /// The contents.
    pub payload: Payload,
}

names! {
    /// The purpose of an archive, which decides its checksum. Source: `zipper-archives.md`, section 7.
    pub struct Content(U8: u8) {
        /// Any other purpose.
        UNKNOWN = 0;
        /// A save game.
        SAVE = 1;
        /// 'Mech models.
        MECHLIB = 2;
        /// Motions.
        MOTION = 3;
        /// Sounds.
        SOUNDS = 4;
        /// Reader data.
        READER = 5;
        /// A save game of Crimson Skies.
        SAVE_OF_CRIMSON_SKIES = 6;
    }
}

/// An archive. Its entries are read, as those of every container, by the trait [`Container`]:
///
/// ```
/// # mod bitexact { pub use {field, kind, lint, bitexact_zipper as zipper}; }
/// use bitexact::kind::Container as _;
/// use bitexact::zipper::{Payload, archive::{Archive, Entry}};
///
/// let mut archive = Archive::default();
/// for (name, bytes) in [("m1.zmap", vec![1]), ("m1.zmap", vec![2, 3])] {
///     let mut entry = Entry { payload: Payload::Opaque(bytes.into()), ..Entry::default() };
///     entry.slot.name.set(name)?;
///     archive.entries.push(entry);
/// }
/// for entry in archive.entries() {
///     println!("{} {} {}", entry.name(), entry.kind(), entry.bytes()?.len());
/// }
/// assert_eq!(archive.entry("m1.zmap#2").expect("the second of this name").bytes()?, [2, 3]);
/// assert!(archive.entry("m2.zmap").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The entries, in table order; names repeat.
    pub entries: Vec<Entry>,
    /// The placement of the payloads in the file.
    pub arrangement: Arrangement,
    /// Bytes between the last payload and the table.
    pub trailing: Block,
    /// The purpose of the archive.
    pub content: Content,
    /// `true` if the table stores length 1 for every entry, whatever its length.
    pub lengths_are_one: Truth,
    /// Version and count.
    pub footer: Footer,
    /// The checksum of version 2.
    pub checksum: FooterChecksum,
}

/// A table that the end of a file may hold.
struct Table {
    version: u32,
    slots: Vec<Slot>,
    /// The offset of the table.
    start: u64,
    /// The byte ranges of the entries.
    ranges: Vec<Range<u64>>,
    lengths_are_one: bool,
}

impl Table {
    /// Reads the end of a file as a table of this version, or returns `None` if it cannot be one.
    fn read(file: &[u8], version: u32) -> Option<Self> {
        let footer = if version == 1 { 8 } else { 12 };
        let (rest, footer) = file.split_at_checked(file.len().checked_sub(footer)?)?;
        let footer: Footer = field::macros::read_head(footer)?;
        let count = usize::try_from(footer.count.get()).ok()?;
        let start = rest.len().checked_sub(count.checked_mul(size_of::<Slot>())?)?;
        let (data, slots) = rest.split_at_checked(start)?;
        let slots: &[Slot] = bytemuck::try_cast_slice(slots).ok()?;
        if footer.version.get() != version || slots.is_empty() {
            return None;
        }
        let start = wide(start);
        let lengths_are_one = version == 2 && are_motions_of_length_one(data, slots);
        let mut ends: Vec<u64> = slots.iter().map(|slot| slot.start.get().into()).chain([start]).collect();
        ends.sort_unstable();
        let ranges = slots.iter().map(|slot| {
            let begin = u64::from(slot.start.get());
            // An entry without a stored length ends where the next one begins.
            let next = ends.get(ends.partition_point(|&end| end <= begin)).copied().unwrap_or(begin);
            begin..if lengths_are_one { next } else { begin + u64::from(slot.length.get()) }
        });
        Some(Self { version, slots: slots.to_vec(), start, ranges: ranges.collect(), lengths_are_one })
    }

    /// Returns `true` if every entry lies before the table and has a name of printable ASCII.
    fn is_plausible(&self) -> bool {
        let named = |slot: &Slot| slot.name.bytes().iter().all(|byte| (b' '..=b'~').contains(byte));
        self.ranges.iter().all(|range| range.start <= self.start && range.end <= self.start)
            && self.slots.iter().all(named)
    }

    /// Returns `true` if the entries lie end to end, from the beginning of the file to the table.
    fn is_canonical(&self) -> bool {
        let end = self.ranges.iter().try_fold(0, |at, range| (range.start == at).then_some(range.end));
        end == Some(self.start)
    }

    /// Returns the table of a file, or `None` if it has none (`zipper-archives.md`, section 7, steps 1 to 3).
    fn find(file: &[u8]) -> Option<Self> {
        let plausible = |version| Self::read(file, version).filter(Self::is_plausible);
        match (plausible(1), plausible(2)) {
            (Some(first), Some(second)) if first.is_canonical() && !second.is_canonical() => Some(first),
            (first, second) => second.or(first),
        }
    }

    /// Returns the end of the last table before the end of a file. It is looked for in as many bytes as usually follow a file.
    fn before(file: &[u8]) -> Option<usize> {
        const MOST: usize = 1 << 20;
        /// The most footers to look at, since other bytes can look like any number of them.
        const FOOTERS: usize = 1000;
        let first = (file.len() - file.len().min(MOST)).max(size_of::<Footer>());
        let mut ends = footer_ends(file, first).take(FOOTERS);
        ends.find(|end| file.get(..*end).is_some_and(|file| Self::find(file).is_some_and(|table| table.is_canonical())))
    }

    /// Returns `true` for a save game of Crimson Skies, whose header is longer than that of MechWarrior 3 and begins with its length.
    fn is_of_crimson_skies(&self, file: &[u8]) -> bool {
        let mut entries = self.slots.iter().zip(self.payloads(file));
        entries.any(|(slot, bytes)| {
            slot.name.bytes() == b"zSaveHeader" && bytes.len() == 12 && bytes.starts_with(&[12, 0, 0, 0])
        })
    }

    /// Returns the payloads in table order.
    fn payloads<'a>(&'a self, file: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.ranges
            .iter()
            .filter_map(|range| file.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?))
    }
}

/// Returns the offsets before the end of a file, from this one onward and from the last one back, at which a footer may end: it has its
/// version 8 or 12 bytes before.
fn footer_ends(file: &[u8], first: usize) -> impl Iterator<Item = usize> {
    let from = (first - first.min(size_of::<Footer>() + size_of::<FooterChecksum>())).min(file.len());
    let (_, near) = file.split_at(from);
    let ends = move |version: u8, back: usize| {
        let is_version = |at: &usize| near.get(*at + 1..*at + 4) == Some(&[0; 3]);
        let ends = memchr::memrchr_iter(version, near).filter(is_version).map(move |at| from + at + back);
        ends.filter(move |end| (first..file.len()).contains(end)).peekable()
    };
    let (mut ones, mut twos) = (ends(1, 8), ends(2, 12));
    core::iter::from_fn(move || {
        let end = ones.peek().max(twos.peek()).copied()?;
        ones.next_if_eq(&end);
        twos.next_if_eq(&end);
        Some(end)
    })
}

/// Returns `true` if a file begins with the first entry of an archive: a sound, or a small number, which is a tag (reader), a version
/// (motion, model) or a length (save).
fn begins(file: &[u8]) -> bool {
    Wave::begins(file) || matches!(file, [1..64, 0, 0, 0, ..])
}

/// Returns `true` if a file ends within a table: two of its rows are before the end, the second of an entry right after that of the first,
/// and of the next row, as far as it is there, the offset is right after both. What follows a whole table, such as a footer, is no such row.
fn has_rows(file: &[u8]) -> bool {
    let row = size_of::<Slot>();
    (0..row).any(|cut| {
        let Some((whole, rest)) = file.len().checked_sub(cut).and_then(|at| file.split_at_checked(at)) else {
            return false;
        };
        let mut rows = whole.rchunks_exact(row);
        let mut row = || rows.next().and_then(read_head::<Slot>);
        let (Some(second), Some(first)) = (row(), row()) else { return false };
        let is_named = |slot: &Slot| slot.name.bytes().first().is_some_and(u8::is_ascii_graphic);
        let end = first.start.get().checked_add(first.length.get());
        let next = second.start.get().checked_add(second.length.get());
        let goes_on = rest.first_chunk().is_none_or(|start| next == Some(u32::from_le_bytes(*start)));
        first.length.get() > 0 && end == Some(second.start.get()) && is_named(&first) && is_named(&second) && goes_on
    })
}

/// Returns `true` if a table stores length 1 for every entry and every entry begins like a motion
/// (`zipper-archives.md`, section 6).
fn are_motions_of_length_one(data: &[u8], slots: &[Slot]) -> bool {
    slots.iter().all(|slot| {
        let payload = usize::try_from(slot.start.get()).ok().and_then(|start| data.get(start..));
        slot.length.get() == 1 && payload.is_some_and(|payload| payload.starts_with(&4_u32.to_le_bytes()))
    })
}

impl Content {
    /// Infers the purpose from names and payload beginnings, or returns `None` if they are not enough
    /// (`zipper-archives.md`, section 7, step 4).
    fn infer(table: &Table, file: &[u8]) -> Option<Self> {
        let names = || table.slots.iter().map(|slot| slot.name.bytes());
        let has = |wanted: &[u8]| names().any(|name| name == wanted);
        let payloads = table.payloads(file);
        if table.is_of_crimson_skies(file) {
            Some(Self::SAVE_OF_CRIMSON_SKIES)
        } else if has(b"zSaveHeader") || names().any(|name| name.contains(&b'/')) {
            Some(Self::SAVE)
        } else if has(b"format") && has(b"version") && has(b"materials") {
            Some(Self::MECHLIB)
        } else if payloads.clone().all(Motion::begins) {
            Some(Self::MOTION)
        } else if payloads.clone().any(Wave::begins) {
            Some(Self::SOUNDS)
        } else {
            None
        }
    }

    /// Infers the purpose from the decoded entries (the last tests of the same step).
    fn of(entries: &[Entry]) -> Self {
        let is_reader = |entry: &Entry| matches!(&entry.payload, Payload::Reader(reader) if reader.trailing.is_empty());
        match entries.iter().all(is_reader) {
            true => Self::READER,
            false => Self::named(entries.iter().map(|entry| entry.slot.name.bytes())),
        }
    }

    /// Infers the purpose from the names of the entries.
    fn named<'a>(names: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        let end = |ending: &[u8]| {
            names.clone().all(|name| {
                let end = name.len().checked_sub(ending.len()).and_then(|at| name.get(at..));
                end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
            })
        };
        if end(b".wav") {
            Self::SOUNDS
        } else if end(b".zrd") {
            Self::READER
        } else {
            Self::UNKNOWN
        }
    }
}

lay! {
    impl Lay for Archive {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let mut table = start;
            let count = t.given(TABLE, 0)?;
            t.as_many(at!(self.entries), count)?;
            t.read(at!(*self), |archive, t| {
                table = archive.find_entries(t, start)?;
                Ok(())
            })?;
            t.fact("content", at!(self.content))?;
            t.fact("lengths_are_one", at!(self.lengths_are_one))?;
            let labels = t.labels(TABLE, self.names());
            let recognize = match self.content {
                Content::SAVE_OF_CRIMSON_SKIES => Payload::of_crimson_skies,
                _ => <Payload as field::Payload>::recognize,
            };
            let mut sizes = Vec::new();
            t.window(table - start, |t| {
                sizes = t.arranged_payloads(at!(self.arrangement), TABLE, &labels, at!(self.entries), recognize, |entry| at!(entry.payload))?;
                t.rest("trailing", Run::Surplus, at!(self.trailing))
            })?;
            t.read(at!(*self), |archive, _| {
                if archive.content == Content::UNKNOWN {
                    archive.content = Content::of(&archive.entries);
                }
                Ok(())
            })?;
            // The table comes after the payloads, so their sizes are known by now.
            let places = t.from_sizes(|| Ok(self.arrangement.places(0, &sizes, None)?.items))?;
            let places: Vec<Range<u64>> = places.into_iter().flatten().collect();
            self.lay_by(t, (start, &places))
        }
    }

    impl LayBy<(u64, &[Range<u64>])> for Archive {
        /// Lays out the table, given the offset of the archive and the byte ranges of the entries, and the footer.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (start, ranges): (u64, &[Range<u64>])) -> Result {
            let checksum = t.rules(|| self.expected_checksum(t.fresh(start), ranges))?;
            let rules = checksum.map(|checksum| FooterChecksum { checksum: checksum.into() });
            let Self { entries, content, lengths_are_one, footer, checksum, .. } = self;
            let motion_of_version_2 = footer.version.get() == 2 && *content == Content::MOTION;
            let mut places = ranges.iter().cloned();
            t.each(TABLE, at!(*entries), |t, entry| {
                let place = places.next();
                let one = |place: Range<u64>| place.start..place.start + 1;
                t.row(at!(entry.slot), if bool::from(*lengths_are_one) { place.map(one) } else { place })?;
                let (name, length) = (entry.slot.name, entry.slot.length.get());
                t.expect("name", || name.is_full().then(|| ("a NUL after the name".into(), "none".into())));
                t.expect("length", || (length == 0).then(|| ("at least 1".into(), 0.into())));
                t.expect("length", || (motion_of_version_2 && length > 1).then(|| (1.into(), length.into())));
                Ok(())
            })?;
            t.computed("count", at!(footer.count), wide(entries.len()))?;
            t.fields(at!(*footer))?;
            if footer.version.get() == 2 { t.fields_by(checksum, rules.as_ref()) } else { Ok(()) }
        }
    }
}

impl Lint for Archive {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        pass.items(
            &self.arrangement,
            self.labels().into_iter().zip(self.entries.iter().map(|entry| Some(&entry.payload))),
        );
    }

    /// Reports the traps of the table.
    fn lint(&self, out: &mut Warnings<'_>) {
        let mut names: HashMap<Vec<u8>, usize> = HashMap::new();
        for (item, entry) in self.entries.iter().enumerate() {
            let first = *names.entry(entry.slot.name.bytes().to_ascii_lowercase()).or_insert(item);
            if first != item {
                let place = [Step::Name(TABLE), Step::Index(wide(item)), Step::Name("name")];
                out.warn(&SAME_NAME, &place, format!("entry {first}"));
            }
            if let Some(name) = known_soil(entry) {
                out.warn(&SOIL, &[Step::Name(TABLE), Step::Index(wide(item))], name);
            }
        }
    }

    fn watch(&self, out: &mut Watch<'_>) {
        for (item, entry) in self.entries.iter().enumerate() {
            let place = [Step::Name(TABLE), Step::Index(wide(item))];
            out.watch_fields(&IGNORED, &place, &entry.slot, &["flags", "comment", "time"]);
            // A model whose entry cannot be written is refused.
            if self.content == Content::SOUNDS
                && let Ok(bytes) = encode(&entry.payload)
            {
                out.watch(&BANKS, &place, Some(entry.slot.name.bytes()), &bytes);
            }
        }
    }
}

/// The soils that the program knows without a list. Source: `zipper-gamez.md`, section 5.
const SOILS: [&str; 6] = ["default", "water", "seafloor", "quicksand", "lava", "fire"];

/// Returns the first name in a list of soils that is known by then, without regard to case and to a digit after it. A script names the
/// list, so that it is recognized by its own name.
fn known_soil(entry: &Entry) -> Option<String> {
    let Payload::Reader(reader) = &entry.payload else { return None };
    let name = entry.slot.name.bytes().to_ascii_lowercase();
    if !name.windows(4).any(|part| part == b"soil") {
        return None;
    }
    let mut known: Vec<String> = SOILS.map(str::to_owned).into();
    let mut found = None;
    reader.walk(|_, token| {
        let Token::Text(text) = token else { return };
        let own = String::from_utf8_lossy(text).to_lowercase();
        // The name ends at a blank.
        let own = own.split(' ').next().unwrap_or_default().to_owned();
        let bare = own.strip_suffix(|last: char| last.is_ascii_digit()).unwrap_or(&own).to_owned();
        if known.contains(&own) || known.contains(&bare) {
            found.get_or_insert_with(|| String::from_utf8_lossy(text).into_owned());
        }
        known.push(own);
    });
    found
}

impl Archive {
    /// Returns the names of the entries.
    fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|entry| entry.slot.name.bytes())
    }

    /// Returns the labels of the entries.
    fn labels(&self) -> Vec<Label> {
        Label::table(TABLE, self.names())
    }

    /// Finds the table and its entries in read mode, and returns the offset of the table.
    fn find_entries(&mut self, t: &mut Tape<'_>, start: u64) -> Result<u64> {
        let file = t.peek(start, t.remaining()).map_err(|fault| t.error(fault))?;
        let found = Table::find(&file).or_else(|| Table::read(&file, 2)).or_else(|| Table::read(&file, 1));
        let Some(table) = found else {
            let expected = "1 or 2 before the end, and a table before that";
            let footer = start + wide(file.len()).saturating_sub(8);
            let words: Vec<String> = file.rchunks_exact(4).take(3).map(field::hex).collect();
            let (found, expected) = (words.join(" | "), expected.to_owned());
            let fault = match begins(&file) || has_rows(&file) {
                true => Fault::Cut { found, expected },
                false => Fault::Unknown { found, expected },
            };
            return Err(t.error_at(footer, [Step::Name("version")], fault));
        };
        let rows = field::Table::of::<Slot>(TABLE, start, start + table.start);
        if let Some((item, range)) = table.ranges.iter().enumerate().find(|(_, range)| range.end > table.start) {
            let (count, remain) = (range.end - range.start, table.start.saturating_sub(range.start));
            return Err(rows.wrong(t, item, Fault::Ends { count, each: 1, remain }));
        }
        t.find_arranged(&mut self.arrangement, &rows, |_| Ok(table.ranges.clone()))?;
        self.content = Content::infer(&table, &file).unwrap_or(Content::UNKNOWN);
        self.lengths_are_one = table.lengths_are_one.into();
        self.entries = t.make(table.slots.len())?;
        self.entries.iter_mut().zip(&table.slots).for_each(|(entry, &slot)| entry.slot = slot);
        self.footer.version = table.version.into();
        Ok(start + table.start)
    }

    /// Returns the expected checksum: a CRC over the payloads in table order for reader data, else 0. `fresh` are the bytes of the archive, if
    /// they are known.
    fn expected_checksum(&self, fresh: Option<&[u8]>, ranges: &[Range<u64>]) -> Result<u32> {
        if self.content != Content::READER || self.footer.version.get() != 2 {
            return Ok(0);
        }
        let mut crc = Crc::default();
        if ranges.is_sorted_by(|one, next| one.end <= next.start) {
            // The payloads lie in table order, so one walk feeds them all.
            let mut left = ranges.iter().peekable();
            visit_bytes(&Data(self), fresh, 0..u64::MAX, 0..0, |at, bytes| {
                let end = at + wide(bytes.len());
                while left.next_if(|range| range.end <= at).is_some() {}
                while let Some(range) = left.peek().filter(|range| range.start < end) {
                    let index = |offset: u64| usize::try_from(offset.clamp(at, end) - at).unwrap_or(0);
                    crc.update(bytes.get(index(range.start)..index(range.end)).unwrap_or_default());
                    if left.next_if(|range| range.end <= end).is_none() {
                        break;
                    }
                }
            })?;
            return Ok(crc.finalize());
        }
        let data = encode(&Data(self))?;
        for range in ranges {
            let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
            crc.update(range.and_then(|(start, end)| data.get(start..end)).unwrap_or_default());
        }
        Ok(crc.finalize())
    }
}

/// The checksum of Pirate's Moon's reader archives: the polynomial of CRC-32, highest bit first, from 0. That is the usual CRC-32
/// with the bits of every byte and of the sum reversed, so the usual one computes it. Source: `zipper-archives.md`, section 5.
struct Crc(crc32fast::Hasher);

impl Default for Crc {
    fn default() -> Self {
        // The hasher begins with the complement of its state.
        Self(crc32fast::Hasher::new_with_initial(!0))
    }
}

impl Crc {
    fn update(&mut self, bytes: &[u8]) {
        let mut buffer = [0; 4096];
        for chunk in bytes.chunks(buffer.len()) {
            buffer.iter_mut().zip(chunk).for_each(|(to, from)| *to = from.reverse_bits());
            self.0.update(buffer.get(..chunk.len()).unwrap_or_default());
        }
    }

    fn finalize(self) -> u32 {
        (!self.0.finalize()).reverse_bits()
    }
}

/// The payloads of an archive and the bytes between them, as laid out in the file.
struct Data<'a>(&'a Archive);

impl Lay for Data<'_> {
    fn lay(&self, t: &mut field::walk::Tape<'_>) -> Result {
        let Archive { entries, arrangement, .. } = self.0;
        t.arranged(arrangement, TABLE, entries.len(), |t, item| {
            entries.get(item).map_or(Ok(()), |it| it.payload.lay(t))
        })
    }
}

impl Format for Archive {
    const NAME: &'static str = "archive";
    const TITLE: &'static str = "archive (sounds, readers, motions, models, saves)";
    const GAMES: &'static [Game] = super::games::ALL;
    const CLAIMS: &'static [&'static str] =
        &["sounds*.zbd", "reader*.zbd", "zrdr.zbd", "motion.zbd", "mechlib.zbd", "*.mw3"];
    // The table is at the end, so what is cut has none.
    const TELLS_CUT: bool = false;
    const TABLES: &'static [EntryTable] = &[EntryTable {
        kind: Self::NAME,
        list: TABLE,
        row: |_| Slot::LAYOUT,
        name: "name",
        extension: None,
        entry: None,
    }];
    const TRAPS: &'static [&'static Trap] = TRAPS;

    /// Checks for a footer, and for a table whose entries lie before it. Version 2 belongs to Pirate's Moon; motions
    /// and models in version 1 belong to MechWarrior 3.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let table = Table::find(file)?;
        Some(match (table.version, Content::infer(&table, file).unwrap_or(Content::UNKNOWN)) {
            (2, _) => vec![Game::PiratesMoon],
            (_, Content::MOTION | Content::MECHLIB) => vec![Game::MechWarrior3],
            (_, Content::SAVE_OF_CRIMSON_SKIES) => vec![Game::CrimsonSkies],
            (_, Content::SAVE) if table.slots.iter().any(|slot| slot.name.bytes() == b"zSaveHeader") => {
                vec![Game::MechWarrior3]
            }
            (_, Content::SAVE) => vec![Game::Recoil],
            _ => vec![Game::Recoil, Game::MechWarrior3, Game::CrimsonSkies],
        })
    }

    /// Looks for a table before the end.
    fn ends_at(file: &[u8]) -> Option<usize> {
        Table::before(file)
    }

    fn salvage(file: &Bytes) -> Option<Salvage> {
        let salvage = of_table(file).unwrap_or_else(|| of_payloads(file));
        (!salvage.whole.is_empty()).then_some(salvage)
    }

    fn holds(file: &[u8]) -> Option<&'static str> {
        let table = Table::find(file)?;
        let names = || table.slots.iter().map(|slot| slot.name.bytes());
        match Content::infer(&table, file).unwrap_or_else(|| Content::named(names())) {
            Content::SAVE | Content::SAVE_OF_CRIMSON_SKIES => Some("saved states"),
            Content::MECHLIB => Some("models"),
            Content::MOTION => Some("motions"),
            Content::SOUNDS => Some("sounds"),
            Content::READER => Some("readers"),
            // Motions begin like readers, and one of them can be damaged.
            _ if table.payloads(file).any(Motion::begins) => Some("motions"),
            _ => table.payloads(file).all(super::reader::Reader::begins).then_some("readers"),
        }
    }
}

/// Returns the entries that the table of an archive lists, if it is whole: bytes before it are missing, so that the entries after those begin
/// earlier than it says.
fn of_table(file: &Bytes) -> Option<Salvage> {
    let is_named = |table: &Table| {
        let mut names = table.slots.iter().map(|slot| slot.name.bytes());
        names.all(|name| !name.is_empty() && name.iter().all(|byte| (b' '..=b'~').contains(byte)))
    };
    let table = [2, 1].into_iter().find_map(|version| Table::read(file, version).filter(is_named))?;
    let whole = table.ranges.iter().map(|range| range.end).max()?;
    let missing = whole.saturating_sub(table.start);
    let mut salvage = Salvage { unnamed: Some(0), ..Salvage::default() };
    for (slot, range) in table.slots.iter().zip(&table.ranges) {
        let name = decode_text(GAME_TEXT, slot.name.bytes());
        let place = range.start.checked_sub(missing).zip(range.end.checked_sub(missing));
        let place = place.and_then(|(begin, end)| Some(usize::try_from(begin).ok()?..usize::try_from(end).ok()?));
        let bytes = place.filter(|place| place.start < place.end && place.end <= file.len()).map(|it| file.slice(it));
        // Where bytes in the middle are missing, an entry before them begins earlier than where it is looked for.
        let begins_well =
            |bytes: &Bytes| missing == 0 || begins(bytes) && extent(bytes).is_none_or(|it| it <= bytes.len());
        match bytes.filter(begins_well) {
            Some(bytes) => salvage.keep(name, bytes),
            None => salvage.lost.push(name),
        }
    }
    Some(salvage)
}

/// Returns the entries of an archive whose table is missing: payloads that tell where they end, from the beginning of the file on. Rows of a
/// table that is cut name some of them.
fn of_payloads(file: &Bytes) -> Salvage {
    let mut salvage = Salvage::default();
    let mut places: Vec<(Range<usize>, &str)> = Vec::new();
    let mut at = 0_usize;
    loop {
        let rest = file.slice(at..);
        let Some(end) = extent(&rest).filter(|end| (1..=rest.len()).contains(end)) else { break };
        let ending = match () {
            () if Wave::begins(&rest) => "wav",
            () if Motion::begins(&rest) => "motion",
            () => "zrd",
        };
        places.push((at..at + end, ending));
        at += end;
    }
    let rows = file.get(at..).unwrap_or_default();
    let mut rows = rows.chunks_exact(size_of::<Slot>()).filter_map(read_head::<Slot>);
    for (nth, (place, ending)) in (1_usize..).zip(places) {
        let is_of = |slot: &Slot| usize::try_from(slot.start.get()) == Ok(place.start);
        let name = rows.next().filter(is_of).map(|slot| decode_text(GAME_TEXT, slot.name.bytes()));
        salvage.keep(name.unwrap_or_else(|| format!("{nth:04}.{ending}")), file.slice(place));
    }
    salvage
}

/// Returns the end of the payload that some bytes begin with, if it tells that and lies in them.
fn extent(bytes: &Bytes) -> Option<usize> {
    if Wave::begins(bytes) {
        let size = bytes.get(4..)?.first_chunk().map(|size| u32::from_le_bytes(*size))?;
        let end = usize::try_from(size).ok()?.checked_add(8)?;
        let next = |at: usize| bytes.get(at..).is_some_and(Wave::begins);
        // A sound of an odd size has a byte after it, or not.
        return Some(if end % 2 == 1 && !next(end) && next(end + 1) { end + 1 } else { end });
    }
    if Motion::begins(bytes) {
        let motion = field::decode::<Motion>(bytes.clone()).ok()?.model;
        return bytes.len().checked_sub(motion.trailing.len());
    }
    Reader::begins(bytes).then(|| Reader::extent(bytes)).flatten()
}

binrw_over_lay!(Archive);

impl Container for Archive {
    type Content = Payload;

    fn labeled(&self) -> Vec<(Label, &Payload)> {
        own(&self.arrangement, self.labels().into_iter().zip(self.entries.iter().map(|entry| &entry.payload)))
    }
}

impl Archive {
    /// Returns an iterator over the meshes of a 'Mech library, in the order of its entries and of their nodes.
    pub fn meshes(&self) -> impl Iterator<Item = MeshRef<'_>> {
        self.entries().flat_map(|entry| {
            let meshes = match entry.content {
                Payload::Mech(mech) => mech.meshes().collect(),
                Payload::LaterMech(mech) => mech.meshes().collect(),
                _ => Vec::new(),
            };
            let name = entry.name();
            meshes.into_iter().map(move |mesh| MeshRef { entry: Some(name.clone()), ..mesh })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Crc, footer_ends};

    fn checksum(data: &[u8]) -> u32 {
        let mut crc = Crc::default();
        crc.update(data);
        crc.finalize()
    }

    #[test]
    fn ends_of_footers_are_those_with_a_version_before_them() {
        let bytes: Vec<u8> = (0..4_000_usize).map(|at| [0, 1, 2, 0, 0, 7][at * at / 3 % 41 % 6]).collect();
        let mut file = bytes.repeat(2);
        for (at, version) in [(40, 1), (40, 2), (44, 1), (7_980, 2), (7_990, 1), (7_996, 1)] {
            file[at..at + 4].copy_from_slice(&[version, 0, 0, 0]);
        }
        let has = |end: usize, back: usize, version| {
            end.checked_sub(back).is_some_and(|at| file[at..].starts_with(&[version, 0, 0, 0]))
        };
        for first in [8, 11, 12, 48, 4_000, 7_999, 8_000] {
            let slow: Vec<_> = (first..file.len()).rev().filter(|end| has(*end, 8, 1) || has(*end, 12, 2)).collect();
            assert_eq!(footer_ends(&file, first).collect::<Vec<_>>(), slow);
            assert!(first > 4_000 || slow.len() > 100, "{}", slow.len());
        }
        assert_eq!(footer_ends(b"1234", 8).count(), 0);
    }

    #[test]
    fn checksum_matches_the_vectors_of_the_spec() {
        let all: Vec<u8> = (0..=255).collect();
        for (data, crc) in [
            (&b""[..], 0),
            (&[0; 7], 0),
            (&[1], 0x04C1_1DB7),
            (&[0xFF], 0xB1F7_40B4),
            (b"a", 0xA864_DB20),
            (b"abc", 0x2C17_398C),
            (b"123456789", 0x89A1_897F),
            (b"The quick brown fox jumps over the lazy dog", 0xC948_7F7E),
            (&all, 0xAC14_8725),
            (b"\x04\0\0\0\x01\0\0\0", 0xB62B_F428),
        ] {
            assert_eq!(checksum(data), crc, "{data:x?}");
        }
        let zrd = b"\x04\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0\x03\0\0\0\x03\0\0\0KEY\x04\0\0\0\x03\0\0\0\
            \x01\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\xBF\x04\0\0\0\x01\0\0\0";
        assert_eq!((zrd.len(), checksum(zrd)), (59, 0xED2B_7941));
        let both = [&zrd[..], b"\x04\0\0\0\x01\0\0\0"].concat();
        assert_eq!(checksum(&both), 0x221D_5BDE);
    }
}
