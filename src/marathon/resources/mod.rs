//! Resource forks: images, sounds, shapes, text and other data of a Mac program.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] and [`Areas`] | 16 + 240 |
//! | data: a length and bytes per resource | |
//! | map: [`MapHeader`], list of types, references by type, names | |
//!
//! Programs write these parts in that order and end to end, except for the data of the resources and their names, whose order often differs
//! from that of the map.
//!
//! Source: [`marathon-images.md`](formats::marathon_images), section 3.

mod colors;
mod content;
mod find;
mod map;
mod place;
mod strings;
#[cfg(feature = "exchange")]
mod text_file;

use field::{
    Arrangement, Block, Error, Fault, FourCc, Label, Mac, Nth, Result, Run, Step, Style as _, Tape, Truth, U8, U16be,
    lay, wide,
};
use kind::{Container, Format, Game, binrw_over_lay};
use lint::{Entries, Lint};

pub use colors::{Color, ColorTable, ColorTableFlags, ColorTableHeader, Colors};
pub use content::Content;
pub use map::{Areas, Attributes, BlockHeader, Header, MapHeader, Reference, TypeCount, TypeHeader};
pub use strings::{PascalString, PlainText, StringList};
#[cfg(feature = "exchange")]
pub use text_file::MEDIUM;

/// The list of resources.
const RESOURCES: &str = "resources";
/// The list of types, if they cannot be computed from the resources.
const TYPES: &str = "types";

/// A resource.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// Its type.
    pub code: FourCc,
    /// The length of its data.
    pub block: BlockHeader,
    /// Its contents, or `None` if its data begin inside those of a different resource.
    pub content: Option<Content>,
    /// Id, attributes, and the location of the data.
    pub reference: Reference,
    /// Its name, if it has one.
    pub name: Option<Block>,
    /// `true` if the name begins inside another part.
    pub name_is_shared: Truth,
    /// The position of its data among those of the other resources.
    pub data_order: Nth,
    /// The position of its name among those of the other resources.
    pub name_order: Nth,
}

/// A type, and the number of its resources.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Type {
    /// The type.
    pub code: FourCc,
    /// The number of resources in its list.
    pub count: U16be,
    /// The stored offset of references that do not exist.
    pub no_references: U16be,
    /// The map's row for the type.
    pub head: TypeHeader,
}

/// A resource fork.
#[derive(Clone, Debug, Default)]
pub struct ResourceFork {
    /// The locations of data and map.
    pub head: Header,
    /// Bytes before the data.
    pub areas: Areas,
    /// `true` if the data begin at the start of these bytes, so that there are none.
    pub lacks_areas: Truth,
    /// The header of the map.
    pub map: MapHeader,
    /// The number of types.
    pub type_count: TypeCount,
    /// The types, in the order of the map.
    pub types: Vec<Type>,
    /// `true` if the types differ from those of the resources, in that order and each once.
    pub types_differ: bool,
    /// The resources, in the order of the map.
    pub resources: Vec<Resource>,
    /// The layout of the parts in the fork.
    pub arrangement: Arrangement,
    /// Bytes after the last part.
    pub trailing: Block,
}

/// A part of a fork after its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// The data of a resource.
    Data(usize),
    /// The header of the map.
    Map,
    /// The list of types.
    Types,
    /// The references of a type: the first, and the one after the last.
    References(usize, usize),
    /// The name of a resource.
    Name(usize),
}

impl Resource {
    /// Returns the name of its entry: type and id.
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
            t.read(at!(*self), |fork, t| {
                // The parts are found by the header, which is laid out after what is known of them.
                t.elsewhere(start, t.remaining(), |t| t.fields(&mut fork.head))?;
                ranges = fork.find(t, start)?;
                Ok(())
            })?;
            t.load(at!(*self), ResourceFork::prepare)?;
            outline(at!(*self), t)?;
            t.when_recomputing(at!(*self), |fork, t| fork.recompute(t))?;
            let items = self.items();
            let rules = t.rules(|| Ok(self.rules(&items, &self.places(&items)?)))?;
            t.fields_by(at!(self.head), rules.as_ref().map(|(head, _)| head))?;
            t.fact("lacks_areas", at!(self.lacks_areas))?;
            if !bool::from(self.lacks_areas) {
                t.fields(at!(self.areas))?;
            }
            t.read(at!(self.arrangement), |arrangement, t| {
                *arrangement =
                    Arrangement::find_items(t, start, ranges).map_err(|(item, fault)| wrong(t, &items, item, fault))?;
                Ok(())
            })?;
            let labels = t.labels(RESOURCES, self.resources.iter().map(Resource::label));
            let Self { map, type_count, types, types_differ, resources, arrangement, trailing, .. } = self;
            let rules = rules.as_ref().map(|(_, map)| map);
            t.arranged_sections(arrangement, RESOURCES, items.len(), |t, item| {
                match items.get(item).copied() {
                    None => Ok(()),
                    Some(Item::Data(index)) => {
                        let label = t.label_of(RESOURCES, &labels, index)?;
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
                            // A type is listed with the first of its resources.
                            let (list, at) = if *types_differ { (TYPES, index) } else { (RESOURCES, first) };
                            t.nth(list, at, |t| t.fields(at!(of.head)))?;
                            first += usize::from(of.count.get());
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

    /// Lays out the data of the resource at an index of the fork, as an entry with a label.
    impl LayBy<(usize, Label)> for Resource {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (index, label): (usize, Label)) -> Result {
            t.nth(RESOURCES, index, |t| t.fields(at!(self.block)))?;
            let length = t.stated("length", self.block.length)?;
            t.optional_entry(label, true, length, at!(self.content))
        }
    }

    /// Lays out the facts that no bytes of the resource itself determine.
    impl Lay for Resource {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("type", at!(self.code))?;
            t.fact("data_order", at!(self.data_order))?;
            t.fact("name_order", at!(self.name_order))?;
            t.fact("name_is_shared", at!(self.name_is_shared))?;
            t.load(at!(*self), |resource, t| {
                if t.exists("name", false) || resource.name_is_shared.into() {
                    resource.name = Some(Block::default());
                }
                Ok(())
            })
        }
    }

    /// Lays out the facts that no bytes determine: the types, and orders that differ from that of the map.
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
        let runs = fork.runs().map_err(|fault| t.error_in("count", fault))?;
        t.load(at!(fork.types), |types, _| {
            *types = runs;
            Ok(())
        })
    }
}

/// Returns the error for an item with an invalid location.
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
    /// Creates as many resources and types as the exchange format lists.
    fn prepare(&mut self, t: &mut Tape<'_>) -> Result {
        let count = t.given(RESOURCES, 0)?;
        self.resources = t.make(count)?;
        self.types_differ = t.exists(TYPES, false);
        let count = t.given(TYPES, 0)?;
        self.types = t.make(count)?;
        Ok(())
    }

    /// Returns `true` if `bytes` begin like a fork.
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

    /// Recognizes a map whose lists and data lie inside the file, as a decoder needs them.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        Self::begins(file).then_some(())?;
        Self::default().survey(file).is_ok().then(|| Self::GAMES.to_vec())
    }

    fn suits(file: &[u8]) -> bool {
        Self::begins(file)
    }
}

binrw_over_lay!(ResourceFork);

impl Lint for ResourceFork {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        let items = self.items();
        let labels = self.labels();
        for item in self.arrangement.items(items.len()) {
            if let Some(Item::Data(index)) = items.get(item)
                && let (Some(label), Some(resource)) = (labels.get(*index), self.resources.get(*index))
                && let Some(content) = &resource.content
            {
                pass.entry(label.clone(), content);
            }
        }
    }
}

impl ResourceFork {
    /// Returns the labels of the resources: type and id.
    fn labels(&self) -> Vec<Label> {
        Label::table(RESOURCES, self.resources.iter().map(Resource::label))
    }
}

impl Container for ResourceFork {
    type Content = Content;

    const PAGE: &'static field::CodePage = Mac::PAGE;

    /// Returns the resources that have data of their own, each named by type and id: `PICT 1100`.
    fn labeled(&self) -> Vec<(Label, &Content)> {
        self.labels()
            .into_iter()
            .zip(&self.resources)
            .filter_map(|(label, it)| Some((label, it.content.as_ref()?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::encode;

    #[test]
    fn more_resources_of_a_type_than_its_field_can_count_are_refused() {
        let fork = |count| ResourceFork { resources: vec![Resource::default(); count], ..ResourceFork::default() };
        let refused = encode(&fork(65_536)).map_err(|error| error.to_string());
        assert_eq!(refused.err().as_deref(), Some("0x00000000: /count: 65536 does not fit in u16"));
    }
}
