//! The physics model of Marathon, a separate file: blocks of definitions to its end.
//!
//! | part | bytes |
//! |---|---|
//! | [`BlockHeader`] | 12 |
//! | records, with count and size from the header | |
//!
//! Source: `marathon-physics.md`, section 6.

use field::macros::split_head;
use field::record;
use field::{Block, FourCc, Result, Run, Shaped, Step, U16be, U32be, as_read, lay, wide};
use kind::{Format, Game, binrw_over_lay};
use lint::no_traps;

use super::super::tables::{Table, Tables};
use super::{EarlyEffect, EarlyMonster, EarlyPlayer, EarlyProjectile, EarlyWeapon};

/// The tags of the blocks, in the order of the file.
const TAGS: [&[u8; 4]; 5] = [b"mons", b"effe", b"proj", b"phys", b"weap"];

record! {
    /// The header of a block without the number and size of its records, 8 bytes. Source: `marathon-physics.md`, section 6.
    pub struct BlockHeader: 8 {
        tag: FourCc,
        address: U32be as Pointer,
    }
}

/// The definitions in a block.
#[derive(Clone, Debug)]
pub enum Definitions {
    /// Monsters.
    Monsters(Block<EarlyMonster>),
    /// Effects.
    Effects(Block<EarlyEffect>),
    /// Projectiles.
    Projectiles(Block<EarlyProjectile>),
    /// Movement of players.
    Players(Block<EarlyPlayer>),
    /// Weapons.
    Weapons(Block<EarlyWeapon>),
    /// Records of a different size, as raw bytes.
    Opaque(Block),
}

impl Default for Definitions {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

impl Definitions {
    /// Returns empty definitions for a block with this tag and record size.
    fn of(tag: FourCc, size: U16be) -> Self {
        let known = match &tag.0 {
            b"mons" => Self::Monsters(Block::default()),
            b"effe" => Self::Effects(Block::default()),
            b"proj" => Self::Projectiles(Block::default()),
            b"phys" => Self::Players(Block::default()),
            b"weap" => Self::Weapons(Block::default()),
            _ => Self::default(),
        };
        if known.size().is_some_and(|known| known == usize::from(size.get())) { known } else { Self::default() }
    }

    /// Returns the bytes per record, or `None` if they are unknown.
    fn size(&self) -> Option<usize> {
        fn of<R: Shaped>(_: &Block<R>) -> Option<usize> {
            Some(size_of::<R>())
        }
        match self {
            Self::Monsters(records) => of(records),
            Self::Effects(records) => of(records),
            Self::Projectiles(records) => of(records),
            Self::Players(records) => of(records),
            Self::Weapons(records) => of(records),
            Self::Opaque(_) => None,
        }
    }

    /// Returns the number of records of `size` bytes, or `None` if they cannot be counted.
    fn count(&self, size: U16be) -> Option<u64> {
        Some(match self {
            Self::Monsters(records) => wide(records.len()),
            Self::Effects(records) => wide(records.len()),
            Self::Projectiles(records) => wide(records.len()),
            Self::Players(records) => wide(records.len()),
            Self::Weapons(records) => wide(records.len()),
            Self::Opaque(bytes) => wide(bytes.len()).checked_div(size.get().into())?,
        })
    }
}

/// A block: its definitions, and their stale memory address.
#[derive(Clone, Debug, Default)]
pub struct PhysicsBlock {
    /// Tag and address.
    pub head: BlockHeader,
    /// The number of records.
    pub count: U16be,
    /// Bytes per record.
    pub size: U16be,
    /// The records.
    pub definitions: Definitions,
}

/// A physics model of Marathon.
#[derive(Clone, Debug, Default)]
pub struct Physics {
    /// The blocks of the model.
    pub blocks: Vec<PhysicsBlock>,
}

lay! {
    impl Lay for Physics {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let tables = self.tables();
            t.list_while("blocks", |t| t.remaining() > 0, at!(self.blocks), |t, block| block.lay_by(t, &tables))
        }
    }

    impl LayBy<&Tables> for PhysicsBlock {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, tables: &Tables) -> Result {
            t.fields(at!(self.head))?;
            let says = self.definitions.count(self.size).filter(|_| !t.exists("count", false));
            let was = self.count.get();
            t.counted("count", at!(self.count), says)?;
            if was != 0 {
                // The count was given because records without a size cannot be counted; otherwise it is computed.
                t.report_replaced_value(t.place().with([Step::Name("count")]), was.into(), self.count.get().into());
            }
            t.value("size", at!(self.size))?;
            t.choose(at!(self.definitions), |_| Definitions::of(self.head.tag, self.size));
            let start = t.position();
            self.definitions.lay_by(t, (self.count.get().into(), self.size))?;
            match &self.definitions {
                Definitions::Monsters(records) => t.judge(|t| tables.judge(t, "monsters", start, records)),
                Definitions::Projectiles(records) => t.judge(|t| tables.judge(t, "projectiles", start, records)),
                Definitions::Weapons(records) => t.judge(|t| tables.judge(t, "weapons", start, records)),
                _ => {}
            }
            Ok(())
        }
    }

    /// Lays out this many records of a size.
    impl LayBy<(u64, U16be)> for Definitions {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (count, size): (u64, U16be)) -> Result {
            match self {
                Self::Monsters(records) => t.block("monsters", count, records),
                Self::Effects(records) => t.block("effects", count, records),
                Self::Projectiles(records) => t.block("projectiles", count, records),
                Self::Players(records) => t.block("players", count, records),
                Self::Weapons(records) => t.block("weapons", count, records),
                Self::Opaque(bytes) => {
                    t.room(count, size.get().into())?;
                    let told = count * u64::from(size.get());
                    t.run("bytes", Run::Opaque, as_read(told), bytes)
                }
            }
        }
    }
}

impl Physics {
    /// Returns the number of entries in each table that the indices of the records refer to.
    fn tables(&self) -> Tables {
        let mut tables = Tables::default();
        for block in &self.blocks {
            match &block.definitions {
                Definitions::Effects(records) => tables.set(Table::Effects, records.len()),
                Definitions::Projectiles(records) => tables.set(Table::Projectiles, records.len()),
                _ => {}
            }
        }
        tables
    }
}

no_traps!(Physics);

impl Format for Physics {
    const NAME: &'static str = "physics";
    const TITLE: &'static str = "Marathon physics model";
    const GAMES: &'static [Game] = &[Game::Marathon];
    const CLAIMS: &'static [&'static str] = &["*.phys"];

    /// Recognizes blocks with known tags that fill the file.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let mut rest = file;
        while !rest.is_empty() {
            let (head, counts): (BlockHeader, _) = split_head(rest)?;
            let ([count, size], records): ([U16be; 2], _) = split_head(counts)?;
            TAGS.contains(&&head.tag.0).then_some(())?;
            rest = records.get(usize::from(count.get()).checked_mul(size.get().into())?..)?;
        }
        (!file.is_empty()).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Physics);
