//! `.rsrc`: a tree of types, names and languages, and the resources at its ends.
//!
//! | part | bytes |
//! |---|---|
//! | [`Node`]s of the tree: directories, data entries, names | 16 and more |
//! | [`Resource`]s | |
//! | bytes that nobody owns, then zeros | |
//!
//! Data entries say where in memory a resource lies and how long it is. What they say is the room that a resource has: an
//! edit that needs more finds it as section 7 of the document says. The tree itself never moves.
//!
//! Source: `zipper-messages.md`, section 3.

use core::ops::Range;

use crate::field::{Block, Fault, Json, Pad, Result, Run, Tape, Truth, U32, quote, size, wide};
use crate::names;

use super::keys::Names;
use super::strings;
use super::table::Table;
use super::tree::{self, Node, Parts, Path};

/// The type of string blocks.
pub const STRING: u32 = 6;
/// The type of message tables.
pub const MESSAGE_TABLE: u32 = 11;
names! {
    /// How a resource is looked into.
    pub struct Holds(U8: u8) {
        /// Not at all.
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
    /// Type, name and language, as the tree says; for people, and a check that nothing has got out of step.
    pub path: Path,
    /// How it is looked into.
    pub holds: Holds,
    /// Whether other bytes lie before it than zeros up to a multiple of 4.
    pub loose: Truth,
    /// Those bytes.
    pub gap: Block,
    /// The zeros.
    pub padding: Pad,
    /// Of a message table: all of it.
    pub table: Table,
    /// Of a block of strings: all 16 of them.
    pub strings: Block,
    /// Of any other: all of it; of a block of strings: what stands behind them.
    pub bytes: Block,
}

/// What `.rsrc` holds.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The tree, as its parts lie.
    pub tree: Vec<Node>,
    /// The resources, as they lie.
    pub resources: Vec<Resource>,
    /// What stands behind the last, up to the last byte that is not zero.
    pub rest: Block,
    /// Zeros up to the end of the section in the file.
    pub slack: Pad,
}

/// Where a section lies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Section {
    /// Where it begins in memory, counted from the image base.
    pub address: u64,
    /// Bytes before the tree in it.
    pub root: u64,
    /// Bytes in the file.
    pub room: u64,
}

impl Resources {
    /// Lays a section; `parts` are those of its tree, in read mode.
    ///
    /// # Errors
    /// In visit mode, when there are other resources than the tree has.
    pub fn lay(&mut self, t: &mut Tape<'_>, section: Section, parts: &Parts, names: &Names) -> Result {
        let begin = t.position();
        let mut next = parts.iter();
        t.list("tree", wide(parts.len().max(self.tree.len())), 0, &mut self.tree, |t, node| {
            let mut gap = wide(node.gap.len());
            if let Some((&offset, &(kind, _))) = next.next() {
                node.kind = kind;
                gap = begin.saturating_add(offset).saturating_sub(t.position());
            }
            t.fact("kind", &mut node.kind)?;
            t.run("gap", Run::Surplus, gap, &mut node.gap)?;
            node.lay(t)
        })?;
        // Only where somebody looks: how long something is does not hang on it.
        let paths = if t.reading() || t.labelling() { tree::paths(&self.tree, section.root) } else { Vec::new() };
        let places = self.places(section);
        self.expect_places(t, section, &places);
        let mut next = places.iter();
        let count = if t.reading() { wide(places.len()) } else { wide(self.resources.len()) };
        if t.filling() && places.len() != self.resources.len() {
            return Err(t.error_in("resources", Fault::Count { expected: wide(places.len()), found: count }));
        }
        t.list("resources", count, 1, &mut self.resources, |t, resource| {
            let place = next.next().cloned().unwrap_or_default();
            let path = tree::path_of(&paths, section.address.saturating_add(place.start)).unwrap_or_default();
            resource.lay(t, begin, &place, path, names)
        })?;
        let mut rest = wide(self.rest.len());
        if t.reading() {
            let left = t.ahead(t.remaining());
            rest = wide(left.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1)));
        }
        t.run("rest", Run::Surplus, rest, &mut self.rest)?;
        t.pad("slack", begin, section.room.max(1), &mut self.slack)
    }

    /// Where the data entries say that something lies in the section, empty resources left out.
    /// Which resources there are as they lie, each with how many bytes lie before it, for people.
    pub(super) fn arrangement(&self) -> Json {
        let row = |it: &Resource| {
            Json::from([("path", it.path.iter().map(|id| i64::from(id.get())).collect()), ("gap", it.gap.len().into())])
        };
        self.resources.iter().map(row).collect()
    }

    pub(super) fn told(&self, section: Section) -> impl Iterator<Item = Range<u64>> {
        tree::entries(&self.tree).filter(|entry| entry.size.get() > 0).map(move |entry| {
            // What lies before the section lies outside it as well.
            let begin = u64::from(entry.address.get()).checked_sub(section.address).unwrap_or(u64::MAX);
            begin..begin.saturating_add(entry.size.get().into())
        })
    }

    /// Where resources lie that have their bytes to themselves: behind the tree, in the section, the first to begin first.
    pub(super) fn places(&self, section: Section) -> Vec<Range<u64>> {
        let mut places: Vec<Range<u64>> = self.told(section).collect();
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

    fn expect_places(&self, t: &mut Tape<'_>, section: Section, places: &[Range<u64>]) {
        t.expect("resources", || {
            let mut places = places.to_vec();
            let lost = self.told(section).find(|told| {
                let own = places.iter().position(|place| place == told);
                own.map(|own| places.swap_remove(own)).is_none()
            })?;
            Some((
                "resources in the section that share no bytes".into(),
                format!("one from {} to {}", lost.start, lost.end).into(),
            ))
        });
    }
}

impl Resource {
    /// Bytes it takes, without what lies before it.
    pub(super) fn length(&mut self) -> u64 {
        size(|t| self.lay_content(t, 0, &Names::default()))
    }

    /// Lays a resource of a section that begins at `begin`, in read mode at a place in it.
    fn lay(&mut self, t: &mut Tape<'_>, begin: u64, place: &Range<u64>, path: Path, names: &Names) -> Result {
        let mut gap = wide(self.gap.len());
        if t.reading() {
            gap = begin.saturating_add(place.start).saturating_sub(t.position());
            let zeros = t.ahead(gap).iter().all(|&byte| byte == 0);
            self.loose = (!zeros || gap != to_multiple(t.position().saturating_sub(begin))).into();
        }
        if t.reading() {
            self.path = path;
        }
        t.fact("path", &mut self.path)?;
        if t.filling() && t.labelling() && self.path != path {
            let fault = Fault::Unknown { found: format!("{:?}", self.path), expected: format!("{path:?}") };
            return Err(t.error_in("path", fault));
        }
        t.fact("holds", &mut self.holds)?;
        t.fact("loose", &mut self.loose)?;
        if bool::from(self.loose) {
            t.run("gap", Run::Surplus, gap, &mut self.gap)?;
            if self.gap.is_empty() {
                t.expect("gap", || Some(("a multiple of 4".into(), place.start.into())));
            }
        } else {
            t.pad("padding", begin, 4, &mut self.padding)?;
        }
        let length = place.end.saturating_sub(place.start);
        if t.reading() {
            self.holds = Self::recognise(&t.peek(t.position(), length).map_err(|fault| t.error(fault))?, path);
        }
        t.window(length, |t| self.lay_content(t, length, names))?;
        if t.reading() {
            let [_, _, language] = path;
            self.table.choose_page(language.get());
        }
        let Self { path, holds, bytes, .. } = self;
        t.expect("bytes", || match path.map(U32::get) {
            [MESSAGE_TABLE, ..] if *holds == Holds::BYTES => {
                Some(("a message table".into(), Table::find(bytes).err()?.to_string().into()))
            }
            [STRING, ..] if *holds == Holds::BYTES => Some(("16 strings".into(), quote(bytes).into())),
            _ => None,
        });
        Ok(())
    }

    /// How a resource of this path is looked into, if it is sound.
    fn recognise(bytes: &[u8], path: Path) -> Holds {
        match path.map(U32::get) {
            [MESSAGE_TABLE, ..] if Table::find(bytes).is_ok() => Holds::MESSAGES,
            [STRING, ..] if strings::split(bytes).is_some() => Holds::STRINGS,
            _ => Holds::BYTES,
        }
    }

    fn lay_content(&mut self, t: &mut Tape<'_>, length: u64, names: &Names) -> Result {
        match self.holds {
            Holds::MESSAGES => t.group("table", |t| self.table.lay(t, names)),
            Holds::STRINGS => {
                let census = strings::census(if t.reading() { t.ahead(length) } else { &self.strings });
                t.coded_of("strings", &strings::CODING, census, &mut self.strings)?;
                t.rest("trailing", Run::Surplus, &mut self.bytes)
            }
            _ => t.rest("bytes", Run::Opaque, &mut self.bytes),
        }
    }
}

/// Zeros up to the next multiple of 4.
pub(super) fn to_multiple(at: u64) -> u64 {
    at.wrapping_neg() & 3
}
