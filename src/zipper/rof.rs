//! ROF archives of Crimson Skies, `GOSDATA/ASSETS/*.rof`: nested directories, and files, some of them compressed.
//!
//! | part | bytes |
//! |---|---|
//! | root [`Directory`]: header, one [`RecordHeader`] per entry, names | 8 + 24 each + names |
//! | other directories, and files, in any order | |
//!
//! There is no magic. A compressed file is kept as its zlib stream, because compressing it again would give different
//! bytes.
//!
//! Source: [`zipper-other.md`](formats::zipper_other), section 1.

mod member;
mod tree;

use bitflags::Flags as _;
use field::build::Tape;
use field::walk::{encode, size, size_by, sizes};
use field::{
    self, Arrangement, Block, Fault, Integer as _, Label, Result, Run, Step, Style as _, Truth, U32, Windows,
    decode_text, lay, wide,
};
use field::{flags, record};
use kind::{Container, Contents, Format, Game, binrw_over_lay, own};
use lint::{Entries, Lint, lint_as};
use media::zlib::inflate;

pub use member::Member;
use tree::Tree;

/// The name of the list of all directories and files.
const ITEMS: &str = "items";
/// The kind of a directory.
const DIRECTORY: &str = "directory";

/// A path longer than this is not repeated before the names in its directory. Otherwise the cost of a directory with an
/// endless name and very many files would be the product of both.
const LONGEST_PATH: usize = 1 << 10;

flags! {
    /// The type of an item. Source: `zipper-other.md`, section 1.2.
    pub struct RecordFlags(U32: u32) {
        /// A directory.
        DIRECTORY = 1;
        /// A compressed file.
        COMPRESSED = 2;
    }
}

record! {
    /// The header of a directory, 8 bytes. Source: `zipper-other.md`, section 1.1.
    pub struct DirectoryHeader: 8 {
        entry_count: U32 as Outside,
        names_length: U32 as Outside,
    }
}

record! {
    /// The record of an entry in a directory, 24 bytes. Source: `zipper-other.md`, section 1.2.
    pub struct RecordHeader: 24 {
        start: U32 as Outside,
        /// The length of a file after decompression.
        decoded_size: U32 as Outside,
        /// The length of a file as stored.
        stored_size: U32 as Outside,
        flags: RecordFlags,
        /// The length of the name, including its NUL.
        name_length: U32 as Outside,
        /// Where the name begins among the names of the directory; the game finds it by this.
        name_offset: U32 as Outside,
    }
}

impl RecordFlags {
    /// Returns `true` if the record describes a directory. A compressed directory has never been seen, and would be
    /// kept as raw bytes.
    fn is_directory(self) -> bool {
        self.contains(Self::DIRECTORY) && !self.contains(Self::COMPRESSED)
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The position and type of the item.
    pub head: RecordHeader,
    /// The name, including its NUL.
    pub name: Block,
    /// The index of the item.
    pub item: U32,
}

/// A directory.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// Counts.
    pub head: DirectoryHeader,
    /// The entries.
    pub records: Vec<Record>,
    /// Bytes after the names.
    pub after_names: Block,
}

/// An item: what a record refers to.
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
    /// The root directory, at the beginning of the file.
    pub root: Directory,
    /// The items of all directories, in file order.
    pub items: Vec<Item>,
    /// The placement of the items in the file.
    pub arrangement: Arrangement,
    /// Bytes after the last item.
    pub trailing: Block,
}

/// The values that the record of an item should contain.
#[derive(Clone, Copy)]
struct Expected {
    start: u64,
    stored: u64,
    /// The length after decompression, or `None` if the item is not a zlib stream.
    inflated: Option<u64>,
    is_directory: bool,
}

lay! {
    impl Lay for Rof {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let mut told = t.from_sizes(|| self.expected())?.into_iter().flatten().collect::<Vec<_>>();
            if let Some(inflated) = t.rules(|| Ok(self.inflated()))? {
                told.iter_mut().zip(inflated).for_each(|(told, inflated)| told.inflated = inflated);
            }
            let file = t.peek(start, t.remaining()).map_err(|fault| t.error(fault))?;
            let tree = t.seen(|t| Tree::read(&file).map_err(|wrong| wrong.error(t, start))).transpose()?;
            self.root.lay_by(t, (&told, tree.as_ref().map(Tree::root).unwrap_or_default()))?;
            let count = t.given(ITEMS, 0)?;
            t.as_many(at!(self.items), count)?;
            if let Some(tree) = &tree {
                t.read(at!(*self), |rof, t| rof.find_items(t, tree, start))?;
            }
            t.each(ITEMS, at!(self.items), |t, item| {
                let directory = at!(Truth::from(matches!(item, Item::Directory(_))));
                t.fact("directory", at!(*directory))?;
                t.load(item, |item, _| {
                    *item = Item::of((*directory).into());
                    Ok(())
                })
            })?;
            let records = self.items.iter().map(Item::records).sum::<usize>() + self.root.records.len();
            t.agree(ITEMS, wide(records), wide(self.items.len()))?;
            let labels = t.for_labels(|| Ok(match &tree {
                Some(tree) => Label::table(ITEMS, tree.paths()),
                None => Label::table(ITEMS, self.paths().map_err(|item| {
                    let expected = "a row of this item in one of the directories".to_owned();
                    let steps = [Step::Name(ITEMS), Step::Index(wide(item))];
                    t.error_at(t.position(), steps, Fault::Unknown { found: "none".to_owned(), expected })
                })?),
            }))?;
            t.arranged_entries(at!(self.arrangement), ITEMS, &labels, at!(self.items), |t, label, item, body| {
                match body {
                    Item::Directory(directory) => {
                        let numbers = tree.as_ref().map(|tree| tree.children(item)).unwrap_or_default();
                        t.part(label, DIRECTORY, |t| directory.lay_by(t, (&told, numbers)))
                    }
                    Item::File(member) => t.entry(label, t.remaining(), member),
                }
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl LayBy<(&[Expected], &[U32])> for Directory {
        /// Lays out the directory, given the values for all items and, in read mode, the indices of its own.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (told, numbers): (&[Expected], &[U32])) -> Result {
            let names = self.records.iter().map(|record| wide(record.name.len())).sum::<u64>();
            let names = names + wide(self.after_names.len());
            t.computed("entry_count", at!(self.head.entry_count), wide(self.records.len()))?;
            t.computed("names_length", at!(self.head.names_length), names)?;
            t.fields(at!(self.head))?;
            let count = t.stated("entry_count", self.head.entry_count)?;
            let names = t.stated("names_length", self.head.names_length)?;
            let found = wide(numbers.len());
            let (mut numbers, mut name_offset) = (numbers.iter(), 0_u64);
            t.list("records", count, wide(size_of::<RecordHeader>()), at!(self.records), |t, record| {
                t.read(at!(record.item), |item, t| {
                    *item = *numbers.next().ok_or_else(|| t.error(Fault::Count { expected: count, found }))?;
                    Ok(())
                })?;
                t.fact("item", at!(record.item))?;
                let told = told.get(number(record.item));
                record.lay_by(t, (told, name_offset))?;
                name_offset += wide(record.name.len());
                Ok(())
            })?;
            t.window(names, |t| {
                t.each("names", at!(self.records), |t, record| {
                    let length = t.stated("name_length", record.head.name_length)?;
                    t.text_of("name", Windows::PAGE, length, at!(record.name))?;
                    let name = &record.name;
                    t.expect("name", || {
                        let nul = name.iter().position(|&byte| byte == 0);
                        let ends = nul.is_some_and(|nul| nul + 1 == name.len());
                        let expected = "a NUL at the end, and only there";
                        (!ends).then(|| (expected.into(), decode_text(Windows::PAGE, name).into()))
                    });
                    t.expect("name", || {
                        // The game looks for names in upper case, and compares byte for byte.
                        let upper = !name.iter().any(u8::is_ascii_lowercase);
                        (!upper).then(|| ("upper case".into(), decode_text(Windows::PAGE, name).into()))
                    });
                    Ok(())
                })?;
                t.rest("after_names", Run::Surplus, at!(self.after_names))
            })
        }
    }

    impl LayBy<(Option<&Expected>, u64)> for Record {
        /// Lays out the record, given the values for its item and the offset of its name.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (told, name_offset): (Option<&Expected>, u64)) -> Result {
            let head = at!(self.head);
            t.computed("name_length", at!(head.name_length), wide(self.name.len()))?;
            let mut rules = *head;
            if let Some(told) = told {
                // Only an empty file may have a stored start that differs from its position.
                if told.stored > 0 {
                    t.computed("start", at!(head.start), told.start)?;
                }
                if !told.is_directory {
                    t.computed("stored_size", at!(head.stored_size), told.stored)?;
                }
                rules = head.by_rule(told);
            }
            rules.name_offset = t.rule("name_offset", name_offset, rules.name_offset)?;
            t.fields_by(at!(*head), Some(&rules))?;
            let flags = head.flags;
            t.expect("flags", || {
                let odd = !matches!(flags.bits(), 0..=2);
                odd.then(|| ("DIRECTORY, or COMPRESSED, or nothing".into(), format!("{flags:?}").into()))
            });
            t.expect("flags", || {
                let is_stream = told.is_none_or(|told| told.inflated.is_some());
                let odd = flags.contains(RecordFlags::COMPRESSED) && !is_stream;
                odd.then(|| ("one zlib stream, because of COMPRESSED".into(), "none".into()))
            });
            Ok(())
        }
    }

    impl Lay for Item {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Directory(directory) => directory.lay_by(t, (&[], &[])),
                Self::File(member) => member.lay(t),
            }
        }
    }
}

impl RecordHeader {
    /// Returns the record with the values that its item requires.
    fn by_rule(&self, told: &Expected) -> Self {
        let stored = if told.is_directory { 0 } else { told.stored };
        let packed = self.flags.contains(RecordFlags::COMPRESSED);
        let decoded = told.inflated.filter(|_| packed).unwrap_or(stored);
        let or = |value: u64, found| U32::of(value).unwrap_or(found);
        Self {
            start: or(told.start, self.start),
            stored_size: or(stored, self.stored_size),
            decoded_size: or(decoded, self.decoded_size),
            ..*self
        }
    }
}

/// Returns the path of a name (with its NUL) in a directory.
fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let name = name.strip_suffix(&[0]).unwrap_or(name);
    match directory.len() {
        1..=LONGEST_PATH => [directory, b"/", name].concat(),
        _ => name.to_vec(),
    }
}

/// Returns a number as an index.
fn number(item: U32) -> usize {
    usize::try_from(item.get()).unwrap_or(usize::MAX)
}

impl Item {
    /// Returns an empty item.
    fn of(is_directory: bool) -> Self {
        if is_directory { Self::Directory(Directory::default()) } else { Self::default() }
    }

    /// Returns the number of records.
    fn records(&self) -> usize {
        if let Self::Directory(directory) = self { directory.records.len() } else { 0 }
    }
}

impl Rof {
    /// Finds the number of items, and their placement.
    fn find_items(&mut self, t: &Tape<'_>, tree: &Tree<'_>, start: u64) -> Result {
        self.items = t.make(tree.items().count())?;
        let items = self.items.iter_mut().zip(tree.items());
        items.for_each(|(item, found)| *item = Item::of(found.is_directory()));
        let ranges = tree.items().map(|found| found.range.clone()).collect();
        let wrong = |(item, fault)| tree.wrong_item(item, fault).error(t, start);
        self.arrangement = Arrangement::find_items(t, start, ranges).map_err(wrong)?;
        Ok(())
    }

    /// Returns the paths of the items.
    ///
    /// # Errors
    /// Returns an error if an item has no record: the index of the first such item.
    fn paths(&self) -> core::result::Result<Vec<Vec<u8>>, usize> {
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
        paths.into_iter().enumerate().map(|(item, path)| path.ok_or(item)).collect()
    }

    /// Returns the values that the records should contain, but for the lengths after decompression.
    ///
    /// # Errors
    /// Returns an error if an item cannot be written.
    fn expected(&self) -> Result<Vec<Expected>> {
        let sizes = sizes(ITEMS, &self.items, size)?;
        let first = size_by(&self.root, (&[][..], &[][..]))?;
        let places = self.arrangement.places(first, &sizes, None)?.items;
        let told = self.items.iter().zip(places).map(|(item, place)| Expected {
            start: place.start,
            stored: place.end - place.start,
            inflated: None,
            is_directory: matches!(item, Item::Directory(_)),
        });
        Ok(told.collect())
    }

    /// Returns the length of each item after decompression, or `None` if it is not a zlib stream.
    fn inflated(&self) -> Vec<Option<u64>> {
        let inflated = |item: &Item| match item {
            Item::File(Member::Zlib(stream)) => inflate(&**stream, |_| true).ok(),
            _ => None,
        };
        self.items.iter().map(inflated).collect()
    }
}

impl Rof {
    /// Returns the labels of the items: their paths, or the index of each if one has no record.
    fn labels(&self) -> Vec<Label> {
        match self.paths() {
            Ok(paths) => Label::table(ITEMS, paths),
            Err(_) => (0..self.items.len()).map(|item| Label::nth(ITEMS, item)).collect(),
        }
    }
}

impl Lint for Rof {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        pass.items(&self.arrangement, self.labels().into_iter().zip(self.items.iter().map(Some)));
    }
}

lint_as!(Item, it => match it {
    Item::Directory(_) => &(),
    Item::File(member) => member,
});

impl Format for Rof {
    const NAME: &'static str = "rof";
    const TITLE: &'static str = "ROF archive";
    const GAMES: &'static [Game] = &[Game::CrimsonSkies];
    const CLAIMS: &'static [&'static str] = &["*.rof"];

    /// Checks that directories and files tile the file, and that the records describe them correctly
    /// (`zipper-other.md`, section 1.5).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        Tree::read(file).ok()?.is_orderly(file).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Rof);

impl Container for Rof {
    type Content = Item;

    /// Returns directories and files, in file order; the name of each is its path. An item without a record is named by its index.
    fn labeled(&self) -> Vec<(Label, &Item)> {
        own(&self.arrangement, self.labels().into_iter().zip(&self.items))
    }
}

impl Contents<Rof> for Item {
    fn kind(&self) -> &'static str {
        match self {
            Self::Directory(_) => DIRECTORY,
            Self::File(member) => field::Payload::kind(member),
        }
    }

    fn bytes(&self, _: &Rof) -> Result<Vec<u8>> {
        encode(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::decode;
    use json::Recomputation;
    use json::recompute::recompute;

    #[test]
    fn archive_is_refused_if_an_item_has_no_record() {
        let mut sample = forge::samples(7, forge::Size::Tiny).into_iter().filter(|sample| sample.kind == "rof");
        let file = sample.next().expect("a sample").bytes;
        let mut rof = decode::<Rof>(file).expect("it decodes").model;
        rof.root.records[0].item = u32::MAX.into();
        let error = recompute(&mut rof, &Recomputation::default()).expect_err("an item is lost").to_string();
        assert!(error.ends_with(": expected a row of this item in one of the directories, found none"), "{error}");
    }
}
