//! Scenes of an imaginary game: a header with a checksum, a table of names, types and places, and things of five types with gaps between.
//!
//! This is all that a tool of another crate declares. It gets the proof, the exchange format, edits that move the table, and warnings.

use bitexact::field::walk::visit_bytes;
use bitexact::field::{Arrangement, Block, F32, FourCc, I16, Result, Run, Step, Table, Text, U16, U32};
use bitexact::field::{as_read, lay, size, sizes, wide};
use bitexact::kind::{Format, Game};
use bitexact::lint::{Lint, Scope, Trap, Warnings};
use bitexact::registry::Kind;
use bitexact::{names, record};

names! {
    /// The type of a thing.
    pub struct Type(U32: u32) { LAMP = 1; DOOR = 2; SOUND = 3; ITEM = 4; PATH = 5; }
}
record! {
    /// The header, 16 bytes.
    pub struct Header: 16 { magic: FourCc = FourCc(*b"SCEN"), version: U32 = 1, count: U32 as Outside, sum: U32 as Outside }
}
record! {
    /// A row of the table, 24 bytes.
    pub struct Slot: 24 { name: Text<12>, kind: Type, offset: U32 as Offset, length: U32 as Length }
}
record! {
    /// A lamp, 16 bytes. Its reach is stored squared, too.
    pub struct Lamp: 16 { color: U32, reach: F32, reach_sq: F32 => |lamp| lamp.reach.get() * lamp.reach.get(), unk0c: U32 = 0 }
}
record! {
    /// A door, 8 bytes.
    pub struct Door: 8 { leads_to: U32, speed: F32 }
}
record! {
    /// A sound, 20 bytes.
    pub struct Sound: 20 { file: Text<16>, volume: U16, pitch: I16 }
}
record! {
    /// An item that lies around, 4 bytes.
    pub struct Item: 4 { item: U16, count: U16 }
}

/// What a thing is.
#[derive(Clone, Debug)]
pub enum Body {
    Lamp(Lamp),
    Door(Door),
    Sound(Sound),
    Item(Item),
    Path(Block<[F32; 3]>),
    Unknown(Block),
}

/// A thing and its row in the table.
#[derive(Clone, Debug, Default)]
pub struct Thing {
    pub slot: Slot,
    pub body: Body,
    pub rest: Block,
}

/// A scene.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub head: Header,
    pub things: Vec<Thing>,
    pub arrangement: Arrangement,
    pub trailing: Block,
}

lay! {
    impl Lay for Scene {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.computed("count", at!(self.head.count), wide(self.things.len()))?;
            let rules = t.rules(|| Ok(Header { sum: self.sum()?.into(), ..self.head }))?;
            t.fields_by(at!(self.head), rules.as_ref())?;
            let table = Table::of::<Slot>("things", start, t.position());
            let sizes = || sizes("things", &self.things, |thing| Ok(size(&thing.body)? + wide(thing.rest.len())));
            let mut places = t.item_places(&self.arrangement, &table, sizes)?;
            let smallest = wide(size_of::<Slot>());
            t.list("things", self.head.count.get(), smallest, at!(self.things), |t, thing| t.row(at!(thing.slot), places.next()))?;
            t.find_arranged(at!(self.arrangement), &table, |t| table.stated(t, self.things.iter().map(|thing| &thing.slot)))?;
            t.arranged(at!(self.arrangement), "things", self.things.len(), |t, index| {
                t.nth_of("things", index, at!(self.things), |t, thing| {
                    t.choose(at!(thing.body), |_| Body::of(thing.slot.kind));
                    thing.body.lay(t)?;
                    t.rest("rest", Run::Surplus, at!(thing.rest))
                })
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl Lay for Body {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Lamp(lamp) => t.record("lamp", lamp),
                Self::Door(door) => t.record("door", door),
                Self::Sound(sound) => t.record("sound", sound),
                Self::Item(item) => t.record("item", item),
                Self::Path(points) => t.block("points", as_read(t.remaining() / 12), points),
                Self::Unknown(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }
}

impl Scene {
    /// Returns the checksum: the sum of all bytes after the header.
    fn sum(&self) -> Result<u32> {
        let mut sum = 0_u32;
        let add = |_, bytes: &[u8]| sum = bytes.iter().fold(sum, |sum, byte| sum.wrapping_add(u32::from(*byte)));
        visit_bytes(self, None, 16..u64::MAX, 0..0, add)?;
        Ok(sum)
    }
}

impl Body {
    fn of(kind: Type) -> Self {
        match kind {
            Type::LAMP => Self::Lamp(Lamp::default()),
            Type::DOOR => Self::Door(Door::default()),
            Type::SOUND => Self::Sound(Sound::default()),
            Type::ITEM => Self::Item(Item::default()),
            Type::PATH => Self::Path(Block::default()),
            _ => Self::default(),
        }
    }
}

impl Default for Body {
    fn default() -> Self {
        Self::Unknown(Block::default())
    }
}

static DARK: Trap = Trap::new("dark-lamp", Scope::File, "A lamp that reaches nowhere.", "It is not drawn.", "the game");

impl Lint for Scene {
    fn lint(&self, out: &mut Warnings<'_>) {
        for (index, thing) in self.things.iter().enumerate() {
            if matches!(&thing.body, Body::Lamp(lamp) if lamp.reach.get() == 0.0) {
                out.warn(&DARK, &[Step::Name("things"), Step::Index(wide(index))], "reach 0");
            }
        }
    }
}

impl Format for Scene {
    const NAME: &'static str = "scene";
    const TITLE: &'static str = "scene";
    const GAMES: &'static [Game] = &[];
    const CLAIMS: &'static [&'static str] = &["*.scn"];
    const TRAPS: &'static [&'static Trap] = &[&DARK];

    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.starts_with(b"SCEN").then(Vec::new)
    }
}

/// The kinds of files that functions such as [`verify`](bitexact::verify::verify) take.
pub static KINDS: &[Kind] = &[Kind::of::<Scene>()];
