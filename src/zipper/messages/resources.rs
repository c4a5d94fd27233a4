//! `.rsrc`: a tree of types, names and languages, and the resources that are its leaves.
//!
//! | part | bytes |
//! |---|---|
//! | [`Node`]s of the tree: directories, data entries, names | 16 and more |
//! | [`Resource`]s | |
//! | bytes without an owner, then zeros | |
//!
//! Data entries store the addresses and lengths of resources, and thereby the space of each. An edit that needs more
//! space finds it as described in section 7 of the spec. The tree itself never moves.
//!
//! Source: [`zipper-messages.md`](formats::zipper_messages), section 3.

use core::cell::LazyCell;
use core::ops::Range;

use field::names;
use field::{self, Block, Fault, Judge, Pad, Result, Run, Truth, U32, Value, as_read, lay, quote, wide};

use super::keys::Names;
use super::section::up_to_zeros;
use super::strings;
use super::table::Table;
use super::tree::{self, DataEntry, Node, Parts, Path};

/// The type of string blocks.
pub const STRING: u32 = 6;
/// The type of message tables.
pub const MESSAGE_TABLE: u32 = 11;
names! {
    /// The content type of a resource.
    pub struct Holds(U8: u8) {
        /// Raw bytes.
        BYTES = 0;
        /// A message table.
        MESSAGES = 1;
        /// A block of strings.
        STRINGS = 2;
    }
}

/// A resource.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// Type, name and language from the tree; for display, and to check that resources and tree still match.
    pub path: Path,
    /// The content type.
    pub holds: Holds,
    /// `true` if the bytes before the resource are not just zeros up to a multiple of 4.
    pub loose: Truth,
    /// The bytes before a loose resource.
    pub gap: Block,
    /// The zeros before any other resource.
    pub padding: Pad,
    /// The contents of a message table.
    pub table: Table,
    /// The 16 strings of a string block.
    pub strings: Block,
    /// The contents of any other resource; in a string block, the bytes after the strings.
    pub bytes: Block,
}

/// The contents of `.rsrc`.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The parts of the tree, in file order.
    pub tree: Vec<Node>,
    /// The resources, in file order.
    pub resources: Vec<Resource>,
    /// Bytes after the last resource, up to the last byte that is not zero.
    pub rest: Block,
    /// Zeros up to the end of the section in the file.
    pub slack: Pad,
}

/// The position of a section.
#[derive(Clone, Copy, Debug, Default)]
pub struct Section {
    /// The start in memory, relative to the image base.
    pub address: u64,
    /// The number of bytes before the tree.
    pub root: u64,
    /// The number of bytes in the file.
    pub room: u64,
}

impl Section {
    /// Returns the byte range that a data entry stores.
    pub(super) fn place_of(self, entry: &DataEntry) -> Range<u64> {
        // An address before the section becomes one after it; both are outside.
        let begin = u64::from(entry.address.get()).checked_sub(self.address).unwrap_or(u64::MAX);
        begin..begin.saturating_add(entry.size.get().into())
    }
}

impl Resources {
    /// Returns the paths of the resources in file order and the number of bytes before each, for display.
    pub(super) fn arrangement(&self) -> Value {
        let row = |it: &Resource| {
            Value::from([
                ("path", it.path.iter().map(|id| i64::from(id.get())).collect()),
                ("gap", it.gap.len().into()),
            ])
        };
        self.resources.iter().map(row).collect()
    }

    /// Returns the byte ranges in the section that the data entries store, without empty ones.
    pub(super) fn stated(&self, section: Section) -> impl Iterator<Item = Range<u64>> {
        tree::entries(&self.tree).filter(|entry| entry.size.get() > 0).map(move |entry| section.place_of(entry))
    }

    /// Returns the byte ranges of resources that share no bytes, in ascending order, from the end of the tree to the
    /// end of the section.
    pub(super) fn places(&self, section: Section) -> Vec<Range<u64>> {
        let mut places: Vec<Range<u64>> = self.stated(section).collect();
        places.sort_by_key(|place| place.start);
        let mut end = tree::end(&self.tree);
        places.retain(|place| {
            let own = place.start >= end && place.end <= section.room;
            if own {
                end = place.end;
            }
            own
        });
        places
    }

    fn expect_places(&self, t: &mut Judge<'_>, section: Section, places: &[Range<u64>]) {
        t.expect("resources", || {
            let mut places = places.to_vec();
            let lost = self.stated(section).find(|told| {
                let own = places.iter().position(|place| place == told);
                own.map(|own| places.swap_remove(own)).is_none()
            })?;
            Some((
                "resources that share no bytes in the section".into(),
                format!("one from {} to {}", lost.start, lost.end).into(),
            ))
        });
    }
}

impl Resource {
    /// Returns the length of the resource, without the bytes before it.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub(super) fn length(&self) -> Result<u64> {
        match self.holds {
            Holds::MESSAGES => field::walk::size_by(&self.table, &Names::default()),
            Holds::STRINGS => Ok(wide(self.strings.len() + self.bytes.len())),
            _ => Ok(wide(self.bytes.len())),
        }
    }

    /// Returns the content type of a resource with this path: that of its type if its bytes are valid, else raw bytes.
    fn recognize(bytes: &[u8], path: Path) -> Holds {
        match path.map(U32::get) {
            [MESSAGE_TABLE, ..] if Table::find(bytes).is_ok() => Holds::MESSAGES,
            [STRING, ..] if strings::length(bytes).is_some() => Holds::STRINGS,
            _ => Holds::BYTES,
        }
    }
}

/// The properties of a section that its resources depend on.
pub(super) struct Within<'a> {
    pub(super) section: Section,
    /// The parts of the tree, in read mode.
    pub(super) parts: &'a Parts,
    pub(super) names: &'a Names,
}

/// The properties of a resource that are stored elsewhere.
struct Known<'a> {
    /// The offset of its section.
    begin: u64,
    /// Its byte range in the section, if it is being read or written.
    place: Range<u64>,
    /// Returns its path in the tree.
    path: &'a dyn Fn() -> Path,
    names: &'a Names,
}

lay! {
    impl LayBy<Within<'_>> for Resources {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Within { section, parts, names }: Within<'_>) -> Result {
            let begin = t.position();
            let mut next = parts.iter();
            t.list("tree", wide(parts.len().max(self.tree.len())), 0, at!(self.tree), |t, node| {
                let mut gap = wide(node.gap.len());
                t.read(at!(node.kind), |kind, t| {
                    if let Some((&offset, &(found, _))) = next.next() {
                        *kind = found;
                        gap = (begin + offset).saturating_sub(t.position());
                    }
                    Ok(())
                })?;
                t.fact("kind", at!(node.kind))?;
                t.run("gap", Run::Surplus, gap, at!(node.gap))?;
                node.lay(t)
            })?;
            let tree = &self.tree;
            let paths = LazyCell::new(|| tree::paths(tree, section.root));
            let places = self.places(section);
            t.judge(|t| self.expect_places(t, section, &places));
            let expected = wide(places.len());
            t.agree("resources", expected, wide(self.resources.len()))?;
            let mut next = places.into_iter();
            t.list("resources", as_read(expected), 1, at!(self.resources), |t, resource| {
                // Loaded resources need no byte ranges; their number is checked when values are recomputed.
                let place = next.next().unwrap_or_default();
                let address = section.address + place.start;
                let path = &|| tree::path_of(&paths, address).unwrap_or_default();
                resource.lay_by(t, Known { begin, place, path, names })
            })?;
            let rest = up_to_zeros(t.ahead(t.remaining()));
            t.run("rest", Run::Surplus, as_read(rest), at!(self.rest))?;
            t.pad("slack", begin, section.room.max(1), at!(self.slack))
        }
    }

    impl LayBy<Known<'_>> for Resource {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, known: Known<'_>) -> Result {
            let Known { begin, place, path, names } = known;
            let gap = (begin + place.start).saturating_sub(t.position());
            t.seen_fact("path", at!(self.path), |_| path())?;
            t.when_whole(|t| match (self.path, path()) {
                (found, expected) if found == expected => Ok(()),
                (found, expected) => {
                    let fault = Fault::Unknown { found: format!("{found:?}"), expected: format!("{expected:?}") };
                    Err(t.error_in("path", fault))
                }
            })?;
            t.fact("holds", at!(self.holds))?;
            t.seen_fact("loose", at!(self.loose), |t| {
                let zeros = t.ahead(gap).iter().all(|&byte| byte == 0);
                (!zeros || gap != to_multiple(t.position() - begin)).into()
            })?;
            if bool::from(self.loose) {
                t.run("gap", Run::Surplus, as_read(gap), at!(self.gap))?;
                if self.gap.is_empty() {
                    t.expect("gap", || Some(("a multiple of 4".into(), place.start.into())));
                }
            } else {
                t.pad("padding", begin, 4, at!(self.padding))?;
            }
            let length = place.end - place.start;
            t.read(at!(self.holds), |holds, t| {
                *holds = Resource::recognize(&t.peek(t.position(), length).map_err(|fault| t.error(fault))?, path());
                Ok(())
            })?;
            t.window(length, |t| content(self, t, length, names))?;
            t.read(at!(self.table), |table, _| {
                let [_, _, language] = path();
                table.choose_page(language.get());
                Ok(())
            })?;
            let (path, holds, bytes) = (self.path.map(U32::get), self.holds, &self.bytes);
            t.expect("bytes", || match path {
                [MESSAGE_TABLE, ..] if holds == Holds::BYTES => {
                    Some(("a message table".into(), Table::find(bytes).err()?.to_string().into()))
                }
                [STRING, ..] if holds == Holds::BYTES => Some(("16 strings".into(), quote(bytes).into())),
                _ => None,
            });
            Ok(())
        }
    }

    fn content(it: at!(Resource), t: &mut Tape<'_>, length: u64, names: &Names) -> Result {
        match it.holds {
            Holds::MESSAGES => t.group("table", |t| it.table.lay_by(t, names)),
            Holds::STRINGS => {
                let census = t.seen(|t| strings::census(t.ahead(length)));
                let census = census.unwrap_or_else(|| strings::census(&it.strings));
                t.coded_of("strings", &strings::CODEC, census, at!(it.strings))?;
                t.rest("trailing", Run::Surplus, at!(it.bytes))
            }
            _ => t.rest("bytes", Run::Opaque, at!(it.bytes)),
        }
    }
}

/// Returns the number of zeros up to the next multiple of 4.
pub(super) fn to_multiple(at: u64) -> u64 {
    at.wrapping_neg() & 3
}
