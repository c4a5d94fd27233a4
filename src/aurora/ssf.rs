//! Sound sets, `.ssf`: a sound and a text for each thing that a creature says.
//!
//! Two games call their sets V1.1: Neverwinter Nights 2, whose names are longer, and the sister game, which has texts only.
//!
//! Source: [`nwn-ssf.md`](formats::nwn_ssf).

use field::record;
use field::{Arrangement, Block, Fault, I32, Result, Run, Table, Text, Truth, U32, as_read, lay, wide};
use kind::{Format, Game, binrw_over_lay};

/// The list of sounds.
const TABLE: &str = "sounds";

record! {
    /// The beginning of the header, 8 bytes. Source: `nwn-ssf.md`.
    pub struct Header: 8 {
        magic: Text<8>,
    }
}

record! {
    /// The rest of the header, except in sets of the sister game, 32 bytes. Source: `nwn-ssf.md`.
    pub struct Counts: 32 {
        count: U32 as Outside,
        table_offset: U32 as Outside,
        padding: [U32; 6] = [U32::new(0); 6],
    }
}

record! {
    /// An item of the table, 4 bytes. Source: `nwn-ssf.md`.
    pub struct Slot: 4 {
        offset: U32 as Offset,
    }
}

record! {
    /// A sound, 20 bytes. Source: `nwn-ssf.md`.
    pub struct Sound: 20 {
        resource: Text<16>,
        /// The number of its text in the talk table, or -1.
        strref: I32,
    }
}

record! {
    /// A sound of Neverwinter Nights 2, 36 bytes. Source: `nwn-ssf.md`.
    pub struct LongSound: 36 {
        /// At most 31 bytes and a NUL.
        resource: Text<32>,
        /// The number of its text in the talk table, or -1.
        strref: I32,
    }
}

/// An item of the table, and its sound.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The offset of the sound.
    pub slot: Slot,
    /// The sound in V1.0; unused if another item has the same offset.
    pub sound: Sound,
    /// The sound in V1.1.
    pub long_sound: LongSound,
}

/// A sound set.
#[derive(Clone, Debug, Default)]
pub struct Ssf {
    /// The magic.
    pub head: Header,
    /// `true` if it is of the sister game: it has texts instead of sounds.
    pub is_of_sister: Truth,
    /// The number of sounds and the place of the table.
    pub counts: Counts,
    /// Bytes before the table.
    pub before_table: Block,
    /// The sounds.
    pub sounds: Vec<Entry>,
    /// The placement of the sounds in the file.
    pub arrangement: Arrangement,
    /// The offset of the texts of the sister game.
    pub texts_offset: U32,
    /// The numbers of texts of the sister game.
    pub texts: Block<I32>,
    /// Bytes after the sounds or texts.
    pub trailing: Block,
}

/// The magics.
const MAGIC: [&[u8; 8]; 2] = [b"SSF V1.0", b"SSF V1.1"];
/// The offset of the texts in a set of the sister game, and the first word after its magic.
const TEXTS: u32 = 12;

/// Returns `true` if the bytes after the magic of V1.1, of which this many remain, are those of the sister game. A set of Neverwinter
/// Nights 2 with 12 sounds has the same first word.
fn is_of_sister(after: &[u8], remain: u64) -> bool {
    let mut words = after.as_chunks().0.iter().copied().map(u32::from_le_bytes);
    let (first, second) = (words.next(), words.next());
    let has_sounds = second == Some(40) && remain >= 32 + u64::from(TEXTS) * 40;
    first == Some(TEXTS) && !has_sounds
}

lay! {
    impl Lay for Ssf {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.fields(at!(self.head))?;
            let is_long = self.head.magic.bytes() == MAGIC[1];
            if !is_long && self.head.magic.bytes() != MAGIC[0] {
                let found = self.head.magic.bytes().escape_ascii().to_string();
                return Err(t.error_in("magic", Fault::Unknown { found, expected: "SSF V1.0 or SSF V1.1".into() }));
            }
            t.choose(at!(self.is_of_sister), |t| {
                let is_of_sister = t.exists("texts_offset", is_of_sister(t.ahead(8), t.remaining()));
                (is_long && is_of_sister).into()
            });
            if bool::from(self.is_of_sister) {
                t.value("texts_offset", at!(self.texts_offset))?;
                if self.texts_offset.get() != TEXTS {
                    let found = self.texts_offset.get().into();
                    return Err(t.error_in("texts_offset", Fault::Outside { found, expected: TEXTS.to_string() }));
                }
                t.block("texts", as_read(t.remaining() / 4), at!(self.texts))?;
                return t.rest("trailing", Run::Surplus, at!(self.trailing));
            }
            t.computed("count", at!(self.counts.count), wide(self.sounds.len()))?;
            t.computed("table_offset", at!(self.counts.table_offset), wide(self.before_table.len()) + 40)?;
            t.fields(at!(self.counts))?;
            let gap = as_read(t.until("table_offset", self.counts.table_offset.get(), start)?);
            t.run("before_table", Run::Surplus, gap, at!(self.before_table))?;
            let count = as_read(self.counts.count.get().into());
            let table = Table::of::<Slot>(TABLE, start, t.position());
            let (rows, each) = (self.sounds.len(), wide(if is_long { size_of::<LongSound>() } else { size_of::<Sound>() }));
            let mut places = t.item_places(&self.arrangement, &table, || Ok(vec![each; rows]))?;
            t.list(TABLE, count, 4, at!(self.sounds), |t, entry| t.row_of_offset(at!(entry.slot), places.next()))?;
            t.find_arranged(at!(self.arrangement), &table, |_| {
                let begins = self.sounds.iter().map(|entry| u64::from(entry.slot.offset.get()));
                Ok(begins.map(|begin| begin..begin + each).collect())
            })?;
            t.arranged(at!(self.arrangement), TABLE, self.sounds.len(), |t, item| {
                t.nth_of(TABLE, item, at!(self.sounds), |t, entry| {
                    if !is_long {
                        return t.fields(at!(entry.sound));
                    }
                    t.fields(at!(entry.long_sound))?;
                    let resource = entry.long_sound.resource;
                    t.expect("resource", || {
                        let length = resource.bytes().len();
                        (length > 31).then(|| ("at most 31 bytes and a NUL".into(), length.into()))
                    });
                    Ok(())
                })
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Format for Ssf {
    const NAME: &'static str = "ssf";
    const TITLE: &'static str = "sound set";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.ssf"];

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.first_chunk::<8>().filter(|magic| MAGIC.contains(magic)).map(|_| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Ssf);
