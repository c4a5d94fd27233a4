//! Resource forks: images, sounds, shapes, texts and whatever else a Mac program keeps.
//!
//! | part | bytes |
//! |---|---|
//! | [`Head`] and [`Areas`] | 16 + 240 |
//! | data: a length and bytes a resource | |
//! | map: [`MapHead`], list of types, references by type, names | |
//!
//! Writers lay all this in that order and end to end, but for the data of the resources and their names, whose order is
//! often another than that of the map.
//!
//! Source: `marathon-images.md`, section 3.

mod colours;
mod content;
mod find;
mod map;
mod place;
mod strings;

use crate::field::{
    Block, Error, Fault, FourCc, Label, Mac, Part, Result, Run, Spread, Step, Style as _, Tape, Truth, U8, U16be, lay,
    wide,
};
use crate::kind::{Format, Game, binrw_over_lay};
use crate::media::Medium;

use super::nth::Nth;

pub use colours::{Color, ColorTable, ColorTableHead, Colors};
pub use content::Content;
pub use map::{Areas, Attributes, BlockHead, Head, MapHead, Reference, TypeCount, TypeHead};
pub use strings::{PascalString, PlainText, StringList};

/// The list that says of the resources.
const RESOURCES: &str = "resources";
/// The list that says of the types, where they do not follow from the resources.
const TYPES: &str = "types";

/// A resource.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// Its type.
    pub code: FourCc,
    /// How long its data are.
    pub block: BlockHead,
    /// What it holds; nothing where its data begin inside those of another.
    pub content: Option<Content>,
    /// Id, attributes, and where the data are.
    pub reference: Reference,
    /// Its name, if it has one.
    pub name: Option<Block>,
    /// Whether the name begins inside another.
    pub name_is_shared: Truth,
    /// Where its data come among those of the others.
    pub data_order: Nth,
    /// Where its name comes among those of the others.
    pub name_order: Nth,
}

/// A type, and how many resources are of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Type {
    /// The type.
    pub code: FourCc,
    /// How many of the resources it stands for.
    pub count: U16be,
    /// Where references are said to be that do not exist.
    pub no_references: U16be,
    /// What the map says of it.
    pub head: TypeHead,
}

/// A resource fork.
#[derive(Clone, Debug, Default)]
pub struct ResourceFork {
    /// Where data and map are.
    pub head: Head,
    /// What lies before the data.
    pub areas: Areas,
    /// Whether the data begin where that would lie, so that there is none.
    pub lacks_areas: Truth,
    /// The head of the map.
    pub map: MapHead,
    /// The number of types.
    pub type_count: TypeCount,
    /// The types, in the order of the map.
    pub types: Vec<Type>,
    /// Whether the types are others than those of the resources, in that order and each once.
    pub types_differ: bool,
    /// The resources, in the order of the map.
    pub resources: Vec<Resource>,
    /// How all parts lie in the fork.
    pub spread: Spread,
    /// What stands behind the last part.
    pub trailing: Block,
}

/// A part of a fork behind its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// The data of a resource.
    Data(usize),
    /// The head of the map.
    Map,
    /// The list of types.
    Types,
    /// The references of a type: the first, and the one behind the last.
    References(usize, usize),
    /// The name of a resource.
    Name(usize),
}

impl Resource {
    /// The name of the entry that it is: type and id.
    fn label(&self) -> Vec<u8> {
        let code = self.code.0.trim_ascii_end();
        [code, b" ", self.reference.id.get().to_string().as_bytes()].concat()
    }
}

lay! {
    impl Lay for ResourceFork {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let mut ranges = Vec::new();
            // Reading and loading find out by the head what there is; then it is known what the head should say.
            t.build(at!(*self), |fork, t| {
                t.fields(&mut fork.head)?;
                t.read(fork, |fork, t| {
                    ranges = fork.find(t, start)?;
                    Ok(())
                })?;
                t.load(fork, |fork, t| fork.prepare(t))
            })?;
            outline(self, t)?;
            t.settle(at!(*self), |fork, t| fork.settle(t))?;
            let items = self.items();
            let rules = if t.judging() { Some(self.rules(&items)) } else { None };
            if !t.building() {
                t.fields_by(at!(self.head), rules.as_ref().map(|(head, _)| head))?;
            }
            t.fact("lacks_areas", at!(self.lacks_areas))?;
            if !bool::from(self.lacks_areas) {
                t.fields(at!(self.areas))?;
            }
            t.read(at!(self.spread), |spread, t| {
                *spread =
                    Spread::find_items(t, start, ranges).map_err(|(item, fault)| wrong(t, &items, item, fault))?;
                Ok(())
            })?;
            let labels = match t.labelling() {
                false => Vec::new(),
                true if t.loading() => (0..self.resources.len()).map(|index| Label::nth(RESOURCES, index)).collect(),
                true => Label::table(RESOURCES, self.resources.iter().map(Resource::label)),
            };
            let Self { map, type_count, types, types_differ, resources, spread, trailing, .. } = self;
            let rules = rules.as_ref().map(|(_, map)| map);
            t.spread(spread, RESOURCES, items.len(), false, |t, part| {
                let Part::Item(item) = part else { return Ok(()) };
                match items.get(item).copied() {
                    None => Ok(()),
                    Some(Item::Data(index)) => {
                        let label = labels.get(index).cloned().unwrap_or_default();
                        match at!(**resources).into_iter().nth(index) {
                            Some(resource) => resource.lay_by(t, (index, label)),
                            None => Ok(()),
                        }
                    }
                    Some(Item::Map) => t.group("map", |t| t.fields_by(at!(*map), rules)),
                    Some(Item::Types) => {
                        t.group("map", |t| t.fields(at!(*type_count)))?;
                        let mut first = 0_usize;
                        for (index, of) in (0..).zip(at!(**types)) {
                            // A type stands beside the first resource that is of it.
                            let (list, at) = if *types_differ { (TYPES, index) } else { (RESOURCES, first) };
                            t.nth(list, at, |t| t.fields(at!(of.head)))?;
                            first = first.saturating_add(of.count.get().into());
                        }
                        Ok(())
                    }
                    Some(Item::References(from, to)) => {
                        let resources = (0..to).zip(at!(**resources)).skip(from);
                        for (index, resource) in resources {
                            t.nth(RESOURCES, index, |t| t.fields(at!(resource.reference)))?;
                        }
                        Ok(())
                    }
                    Some(Item::Name(index)) => t.nth_of(RESOURCES, index, at!(**resources), |t, resource| {
                        match at!(resource.name) {
                            Some(name) => t.text::<U8>("name_length", "name", Mac::PAGE, name),
                            None => Ok(()),
                        }
                    }),
                }
            })?;
            t.rest("trailing", Run::Surplus, trailing)
        }
    }

    /// Lays the data of a resource, which is one of those of its fork and has a label.
    impl LayBy<(usize, Label)> for Resource {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (index, label): (usize, Label)) -> Result {
            t.nth(RESOURCES, index, |t| t.fields(at!(self.block)))?;
            let length = t.stated("length", self.block.length)?;
            t.build(at!(self.content), |content, t| {
                if t.reading() || t.has_entry(&label)? {
                    *content = Some(Content::default());
                }
                Ok(())
            })?;
            match at!(self.content) {
                Some(content) => t.entry(label, length, content),
                None => Ok(()),
            }
        }
    }

    /// Lays what no byte of the resource tells alone.
    impl Lay for Resource {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("type", at!(self.code))?;
            t.fact("data_order", at!(self.data_order))?;
            t.fact("name_order", at!(self.name_order))?;
            t.fact("name_is_shared", at!(self.name_is_shared))?;
            t.load(at!(*self), |resource, t| {
                if t.is_given("name") || resource.name_is_shared.into() {
                    resource.name = Some(Block::default());
                }
                Ok(())
            })
        }
    }

    /// Lays what no byte tells: the types, other orders than that of the map.
    fn outline(fork: at!(ResourceFork), t: &mut Tape<'_>) -> Result {
        t.each(RESOURCES, at!(fork.resources), |t, resource| resource.lay(t))?;
        t.load(at!(*fork), |fork, t| {
            fork.tidy_orders(t);
            Ok(())
        })?;
        if fork.types_differ {
            return t.each(TYPES, at!(fork.types), |t, of| {
                t.fact("type", at!(of.code))?;
                t.fact("count", at!(of.count))?;
                t.fact("no_references", at!(of.no_references))
            });
        }
        let runs = if t.reading() { None } else { Some(fork.runs(t)?) };
        t.load(at!(fork.types), |types, _| {
            *types = runs.unwrap_or_default();
            Ok(())
        })
    }
}

/// The error where an item cannot lie.
fn wrong(t: &Tape<'_>, items: &[Item], item: usize, fault: Fault) -> Error {
    match items.get(item) {
        Some(Item::Data(index)) => t.error_at(
            t.position(),
            [Step::Name(RESOURCES), Step::Index(wide(*index)), Step::Name("data_offset")],
            fault,
        ),
        _ => t.error_in("map_offset", fault),
    }
}

impl ResourceFork {
    /// Makes as many resources and types as the exchange form has.
    fn prepare(&mut self, t: &mut Tape<'_>) -> Result {
        let count = t.given(RESOURCES)?;
        self.resources = t.make(count)?;
        self.types_differ = t.is_given(TYPES);
        let count = t.given(TYPES)?;
        self.types = t.make(count)?;
        Ok(())
    }

    /// Whether some bytes begin like a fork.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        matches!(bytes, [0, 0, high, low, ..] if u16::from_be_bytes([*high, *low]) >= 16)
    }
}

impl Format for ResourceFork {
    const NAME: &'static str = "resources";
    const TITLE: &'static str = "resource fork (images, sounds, shapes)";
    const GAMES: &'static [Game] = &[Game::Marathon, Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.fnta", "*.imga", "*.rsrc"];
    const MEDIA: &'static [&'static Medium] = crate::marathon::MEDIA;
    #[cfg(feature = "export")]
    const EXPORTS: &'static [crate::kind::Export] = &[crate::marathon::sheet::of_forks::<Self>()];

    /// A map whose lists lie inside the file, and data that do, as a decoder needs them.
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
        Self::begins(file).then_some(())?;
        Self::default().survey(file).is_ok().then(|| Self::GAMES.to_vec())
    }

    fn suits(file: &[u8]) -> bool {
        Self::begins(file)
    }
}

binrw_over_lay!(ResourceFork);
