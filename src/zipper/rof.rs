//! ROF archives of Crimson Skies, `GOSDATA/ASSETS/*.rof`: directories in directories, files, some of them compressed.
//!
//! | part | bytes |
//! |---|---|
//! | root [`Directory`]: head, one [`RecordHead`] an entry, names | 8 + 24 each + names |
//! | other directories, and files, in any order | |
//!
//! There is no magic. A compressed file is kept as its zlib stream: to compress it again would give other bytes.
//!
//! Not understood: the `id` of a record.
//!
//! Source: `zipper-other.md`, section 1.

mod member;
mod tree;

use crate::field::{
    Block, Fault, Label, Lay, Result, Run, Spread, Style as _, Tape, Truth, U32, Whole as _, Windows, decode_text,
    size, wide,
};
use crate::format::{Format, Game, binrw_over_lay};
use crate::{flags, record};
use bitflags::Flags as _;

pub use member::Member;
use member::inflated;
use tree::Tree;

/// The list of what the records of all directories are about.
const ITEMS: &str = "items";

/// A path that is longer than this does not go before the names below it: a directory with an endless name and very many
/// files must not cost the product of both.
const LONGEST_PATH: usize = 1 << 10;

flags! {
    /// What a record is about. Source: `zipper-other.md`, section 1.2.
    pub struct RecordFlags(U32: u32) {
        /// A directory.
        DIRECTORY = 1;
        /// A file that is compressed.
        COMPRESSED = 2;
    }
}

record! {
    /// The head of a directory, 8 bytes. Source: `zipper-other.md`, section 1.1.
    pub struct DirectoryHead: 8 {
        entry_count: U32 as Outside,
        names_length: U32 as Outside,
    }
}

record! {
    /// What a directory says of an entry, 24 bytes. Source: `zipper-other.md`, section 1.2.
    pub struct RecordHead: 24 {
        start: U32 as Outside,
        /// How long a file is, uncompressed.
        decoded_size: U32 as Outside,
        /// How long a file is as it lies here.
        stored_size: U32 as Outside,
        flags: RecordFlags,
        /// How long the name is, with its NUL.
        name_length: U32 as Outside,
        id: U32 as Opaque,
    }
}

impl RecordFlags {
    /// Whether the record is about a directory. A compressed one has never been seen; its bytes are kept as they are.
    fn is_directory(self) -> bool {
        self.contains(Self::DIRECTORY) && !self.contains(Self::COMPRESSED)
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Where what it is about lies, and what that is.
    pub head: RecordHead,
    /// The name, with its NUL.
    pub name: Block,
    /// Which of the items it is about.
    pub item: U32,
}

/// A directory.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// Counts.
    pub head: DirectoryHead,
    /// Its entries.
    pub records: Vec<Record>,
    /// What stands behind the names.
    pub after_names: Block,
}

/// What a record is about.
#[derive(Clone, Debug)]
pub enum Item {
    /// A directory.
    Directory(Directory),
    /// A file.
    File(Member),
}

impl Default for Item {
    fn default() -> Self {
        Self::File(Member::default())
    }
}

/// An archive.
#[derive(Clone, Debug, Default)]
pub struct Rof {
    /// The directory at the beginning.
    pub root: Directory,
    /// What the records of all directories are about, in file order.
    pub items: Vec<Item>,
    /// How they lie in the file.
    pub spread: Spread,
    /// What stands behind the last of them.
    pub trailing: Block,
}

/// What is to be said of an item in its record.
#[derive(Clone, Copy)]
struct Told {
    start: u64,
    stored: u64,
    /// How long it is decompressed; not known where it is no stream.
    inflated: Option<u64>,
    is_directory: bool,
}

impl Directory {
    /// Lays the directory; in visit mode with what is to be said of all items, in read mode with the numbers of its own.
    fn lay(&mut self, t: &mut Tape<'_>, told: &[Told], numbers: &[U32]) -> Result {
        let names = self.records.iter().map(|record| wide(record.name.len())).fold(0, u64::saturating_add);
        let names = names.saturating_add(wide(self.after_names.len()));
        t.fill("entry_count", &mut self.head.entry_count, wide(self.records.len()))?;
        t.fill("names_length", &mut self.head.names_length, names)?;
        t.fields(&mut self.head)?;
        let count = t.stated("entry_count", self.head.entry_count)?;
        let names = t.stated("names_length", self.head.names_length)?;
        let mut numbers = numbers.iter();
        t.list("records", count, wide(size_of::<RecordHead>()), &mut self.records, |t, record| {
            if t.reading() {
                record.item = numbers.next().copied().unwrap_or_default();
            }
            t.fact("item", &mut record.item)?;
            let told = told.get(number(record.item));
            record.lay(t, told)
        })?;
        t.window(names, |t| {
            t.each("names", &mut self.records, |t, record| {
                let length = t.stated("name_length", record.head.name_length)?;
                t.text_of("name", Windows::PAGE, length, &mut record.name)?;
                let name = &record.name;
                t.expect("name", || {
                    let nul = name.iter().position(|&byte| byte == 0);
                    let ends = nul.is_some_and(|nul| nul.saturating_add(1) == name.len());
                    (!ends)
                        .then(|| ("a NUL at the end, and only there".into(), decode_text(Windows::PAGE, name).into()))
                });
                Ok(())
            })?;
            t.rest("after_names", Run::Surplus, &mut self.after_names)
        })
    }
}

impl Record {
    fn lay(&mut self, t: &mut Tape<'_>, told: Option<&Told>) -> Result {
        let head = &mut self.head;
        t.fill("name_length", &mut head.name_length, wide(self.name.len()))?;
        let mut rules = *head;
        if let Some(told) = told {
            // Only a file without bytes can be said to lie elsewhere than it does.
            if told.stored > 0 {
                t.fill("start", &mut head.start, told.start)?;
            }
            if !told.is_directory {
                t.fill("stored_size", &mut head.stored_size, told.stored)?;
            }
            let stored = if told.is_directory { 0 } else { told.stored };
            let packed = head.flags.contains(RecordFlags::COMPRESSED);
            let decoded = told.inflated.filter(|_| packed).unwrap_or(stored);
            let or = |value: u64, found| U32::of(value).unwrap_or(found);
            rules = RecordHead {
                start: or(told.start, head.start),
                stored_size: or(stored, head.stored_size),
                decoded_size: or(decoded, head.decoded_size),
                ..*head
            };
        }
        t.fields_by(head, Some(&rules))?;
        let flags = head.flags;
        t.expect("flags", || {
            let odd = !matches!(flags.bits(), 0..=2);
            odd.then(|| ("DIRECTORY, or COMPRESSED, or nothing".into(), format!("{flags:?}").into()))
        });
        t.expect("flags", || {
            let is_stream = told.is_none_or(|told| told.inflated.is_some());
            let odd = flags.contains(RecordFlags::COMPRESSED) && !is_stream;
            odd.then(|| ("one zlib stream, as COMPRESSED says".into(), "none".into()))
        });
        Ok(())
    }
}

/// The path of what has this name, with its NUL, in a directory of this path.
fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let name = name.strip_suffix(&[0]).unwrap_or(name);
    match directory.len() {
        1..=LONGEST_PATH => [directory, b"/", name].concat(),
        _ => name.to_vec(),
    }
}

/// A number as an index.
fn number(item: U32) -> usize {
    usize::try_from(item.get()).unwrap_or(usize::MAX)
}

impl Item {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        match self {
            Self::Directory(directory) => directory.lay(t, &[], &[]),
            Self::File(member) => member.lay(t),
        }
    }

    /// The empty item.
    fn of(is_directory: bool) -> Self {
        if is_directory { Self::Directory(Directory::default()) } else { Self::default() }
    }

    /// How many records it has.
    fn records(&self) -> usize {
        if let Self::Directory(directory) = self { directory.records.len() } else { 0 }
    }
}

impl Lay for Rof {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let start = t.position();
        let told = if t.filling() { self.told(t.judging()) } else { Vec::new() };
        let file = t.peek(start, t.remaining()).map_err(|fault| t.error(fault))?;
        let tree = if t.reading() { Some(Tree::read(&file).map_err(|wrong| wrong.error(t, start))?) } else { None };
        self.root.lay(t, &told, tree.as_ref().map(Tree::root).unwrap_or_default())?;
        if let Some(tree) = &tree {
            self.items = t.make(tree.items().count())?;
            let items = self.items.iter_mut().zip(tree.items());
            items.for_each(|(item, found)| *item = Item::of(found.is_directory()));
            let ranges = tree.items().map(|found| found.range.clone()).collect();
            let wrong = |(item, fault)| tree.wrong_item(item, fault).error(t, start);
            self.spread = Spread::find_items(t, start, ranges).map_err(wrong)?;
        }
        if t.loading() {
            let count = t.given(ITEMS)?;
            self.items = t.make(count)?;
        }
        t.each(ITEMS, &mut self.items, |t, item| {
            let mut directory = Truth::from(matches!(item, Item::Directory(_)));
            t.fact("directory", &mut directory)?;
            if t.loading() {
                *item = Item::of(directory.into());
            }
            Ok(())
        })?;
        let records = self.items.iter().map(Item::records).fold(self.root.records.len(), usize::saturating_add);
        if !t.building() && records != self.items.len() {
            let fault = Fault::Count { expected: wide(records), found: wide(self.items.len()) };
            return Err(t.error_in(ITEMS, fault));
        }
        let labels = match &tree {
            _ if !t.labelling() => Vec::new(),
            Some(tree) => Label::table(ITEMS, tree.paths()),
            None if t.loading() => (0..self.items.len()).map(|item| Label::nth(ITEMS, item)).collect(),
            None => Label::table(ITEMS, self.paths()),
        };
        let Self { items, spread, trailing, .. } = self;
        spread.lay_items(t, ITEMS, items, |t, item, body| {
            let label = labels.get(item).cloned().unwrap_or_default();
            match body {
                Item::Directory(directory) => {
                    let numbers = tree.as_ref().map(|tree| tree.children(item)).unwrap_or_default();
                    t.part(label, "directory", |t| directory.lay(t, &told, numbers))
                }
                Item::File(member) => t.entry(label, t.remaining(), member),
            }
        })?;
        t.rest("trailing", Run::Surplus, trailing)
    }
}

impl Rof {
    /// The paths of the items.
    fn paths(&self) -> Vec<Vec<u8>> {
        let mut paths: Vec<Option<Vec<u8>>> = vec![None; self.items.len()];
        let mut open = vec![(&self.root, Vec::new())];
        while let Some((directory, before)) = open.pop() {
            for record in &directory.records {
                let item = number(record.item);
                let Some(path @ None) = paths.get_mut(item) else { continue };
                let full = join(&before, &record.name);
                if let Some(Item::Directory(directory)) = self.items.get(item) {
                    open.push((directory, full.clone()));
                }
                *path = Some(full);
            }
        }
        paths.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// What the records are to say of the items; how long files are that are compressed, only where it is judged.
    fn told(&mut self, judging: bool) -> Vec<Told> {
        let sizes: Vec<u64> = self.items.iter_mut().map(|item| size(|t| item.lay(t))).collect();
        let first = size(|t| self.root.lay(t, &[], &[]));
        let places = self.spread.places(first, &sizes, None).items;
        let told = self.items.iter().zip(places).map(|(item, place)| Told {
            start: place.start,
            stored: place.end.saturating_sub(place.start),
            inflated: match item {
                Item::File(Member::Zlib(stream)) if judging => inflated(stream),
                _ => None,
            },
            is_directory: matches!(item, Item::Directory(_)),
        });
        told.collect()
    }
}

impl Format for Rof {
    const NAME: &'static str = "rof";
    const TITLE: &'static str = "archive of directories";
    const GAMES: &'static [Game] = &[Game::CrimsonSkies];
    const CLAIMS: &'static [&'static str] = &["*.rof"];

    /// Directories and files that tile the file, and records that say of them what they should (`zipper-other.md`,
    /// section 1.5).
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
        Tree::read(file).ok()?.is_orderly(file).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Rof);
