//! Game recordings: the actions of players, tick by tick, from the start of a level.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 352 |
//! | [`ActionRun`]s | 6 each |
//! | extension | |
//! | trailing bytes | |
//!
//! The runs go round by round, and in each round player by player: a block of runs for 256 ticks each. In the last round each player's
//! block may be shorter, and ends with a mark, a run of 257.
//!
//! Source: [`marathon-wad.md`](formats::marathon_wad), section 8.

mod actions;
mod saved;

use field::walk::size;
use field::{
    Block, Fault, I16be, I32be, Integer as _, Label, Mac, Result, Run, Tape, Text, U32be, Value, as_read, lay, wide,
};
use field::{names, record};
use kind::{Container, Format, Game, binrw_over_lay};
use passes::damage::is_beyond_cut;

use super::array::AfterRecords;
use super::names::Recording;
use super::saved::GameInformation;
pub use actions::Actions;
use field::packed;
use field::packed::{Part, Word};
use lint::{Entries, Lint};
pub use saved::{Extension, FlatHeader, FlatWad};

/// The name of the extension.
const SAVED_GAME: &str = "saved_game";
/// Ticks per block.
const BLOCK: i16 = 256;
/// The count of the run that ends a player's actions.
const END: i16 = 257;

packed! {
    /// The number of a player, and whether the game switches weapons: in JSON `DOES_NOT_SWITCH_WEAPONS | ID=3`. Source: `marathon-wad.md`,
    /// section 8.
    pub struct Identifier(U16be: u16) = Word {
        has_none: false,
        is_little: false,
        parts: &const { [Part::number("DOES_NOT_SWITCH_WEAPONS", 0x8000), Part::number("ID", 0x3FFF)] },
    }
}

record! {
    /// A player at the start, 40 bytes. Source: `marathon-wad.md`, section 8.
    pub struct PlayerStart: 40 {
        team: I16be,
        identifier: Identifier,
        color: I16be,
        name: Text<34, Mac>,
    }
}

record! {
    /// The header, 352 bytes. Source: `marathon-wad.md`, section 8.
    pub struct Header: 352 {
        /// Length of the header and the runs.
        length: I32be as Outside,
        player_count: I16be,
        level: I16be,
        /// The checksum field of the map.
        map_checksum: U32be,
        version: Recording,
        /// Always eight; leftover memory after the active players.
        players: [PlayerStart; 8],
        game: GameInformation,
    }
}

record! {
    /// A player's actions for this many ticks, 6 bytes. Source: `marathon-wad.md`, section 8.
    pub struct ActionRun: 6 {
        count: I16be,
        flags: Actions,
    }
}

names! {
    /// The contents of an extension. Source: `marathon-wad.md`, section 8.
    pub struct Purpose(U32be: u32) {
        /// The saved game that the recording starts from.
        SAVED_GAME = 1;
    }
}

record! {
    /// The header of an extension, 8 bytes. Source: `marathon-wad.md`, section 8.
    pub struct ExtensionHeader: 8 {
        /// Includes these 8 bytes.
        length: U32be as Outside,
        purpose: Purpose,
    }
}

/// A game recording.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Players, level, game.
    pub head: Header,
    /// The actions of the players.
    pub runs: Block<ActionRun>,
    /// Trailing bytes if the length is not a multiple of the run size.
    pub rest: Block,
    /// The extension that newer versions put after the runs.
    pub extension: Option<(ExtensionHeader, Extension)>,
    /// Bytes after the extension.
    pub trailing: Block,
}

lay! {
    impl Lay for Film {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let Self { head, runs, rest, extension, trailing } = self;
            let (head_size, each) = (wide(size_of::<Header>()), wide(size_of::<ActionRun>()));
            let length = wide(runs.bytes().len() + rest.len());
            t.computed("length", at!(head.length), head_size + length)?;
            t.fields(head)?;
            let told = t.stated("length", head.length)?;
            let Some(length) = t.read_or(told.checked_sub(head_size), Some(length)) else {
                let found = head.length.signed();
                return Err(t.error_in("length", Fault::Outside { found, expected: "at least 352".to_owned() }));
            };
            t.block("runs", as_read(length / each), runs)?;
            let (players, all): (_, &[ActionRun]) = (head.player_count.get(), runs);
            t.expect("runs", || judge(players, all));
            t.window(length % each, |t| rest.lay_by(t, AfterRecords { each: size_of::<ActionRun>() }))?;
            t.choose(at!(*extension), |t| {
                t.exists("extension", ExtensionHeader::follows(t)).then(<(ExtensionHeader, Extension)>::default)
            });
            if let Some((head, content)) = extension {
                let head_size = wide(size_of::<ExtensionHeader>());
                t.computed_by("length", at!(head.length), || Ok(size(content)? + head_size))?;
                t.record("extension", head)?;
                let length = u64::from(head.length.get()).saturating_sub(head_size);
                t.entry(Label::role(SAVED_GAME), length, content)?;
            }
            t.rest("trailing", Run::Surplus, trailing)
        }
    }
}

impl ExtensionHeader {
    /// Returns `true` if the remaining bytes are exactly an extension, in read mode.
    fn follows(t: &Tape<'_>) -> bool {
        let head: Option<Self> = field::macros::read_pod(t.ahead(wide(size_of::<Self>())));
        head.is_some_and(|head| u64::from(head.length.get()) == t.remaining())
    }
}

/// Returns the first error in the runs of this many players, as the expected and the found value.
fn judge(players: i16, runs: &[ActionRun]) -> Option<(Value, Value)> {
    let (mut ticks, mut marks, mut before) = (0, 0_i64, None);
    for (index, run) in runs.iter().enumerate() {
        let (count, flags) = (run.count.get(), Some(run.flags));
        let wrong = |expected: &str| Some((expected.into(), format!("run {index} of {count}").into()));
        match count {
            END => (ticks, marks, before) = (0, marks + 1, None),
            0..=BLOCK if ticks + count > BLOCK => return wrong("blocks of 256 ticks"),
            0..=BLOCK if before == flags => return wrong("runs as long as they can be"),
            0..=BLOCK => {
                ticks = (ticks + count) % BLOCK;
                before = flags.filter(|_| ticks > 0);
            }
            _ => return wrong("a run of 0 to 257"),
        }
    }
    (marks != i64::from(players)).then(|| (format!("{players} marks").into(), format!("{marks} marks").into()))
}

impl Format for Film {
    const NAME: &'static str = "film";
    const TITLE: &'static str = "game recording";
    const GAMES: &'static [Game] = &[Game::Marathon, Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.fila"];

    /// Returns the end of the extension, of which a part may be missing, or of the runs if none follows.
    fn ends_at(file: &[u8]) -> Option<usize> {
        let head: Header = field::macros::read_head(file)?;
        let runs = usize::try_from(head.length.get()).ok()?;
        let head: Option<ExtensionHeader> = file.get(runs..).and_then(field::macros::read_head);
        let extension = head.and_then(|head| {
            let length = usize::try_from(head.length.get()).ok().filter(|length| *length >= size_of_val(&head))?;
            let end = runs.checked_add(length)?;
            let is_cut =
                |missing| head.purpose == Purpose::SAVED_GAME && !is_beyond_cut(wide(missing), wide(file.len()));
            end.checked_sub(file.len()).is_none_or(is_cut).then_some(end)
        });
        Some(extension.unwrap_or(runs)).filter(|end| *end != file.len())
    }

    /// Recognizes a known version, players, and lengths that fill the file.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let head: Header = field::macros::read_head(file)?;
        let length = usize::try_from(head.length.get()).ok()?;
        let extension = file.get(length..)?;
        let stated = extension.first_chunk().map(|length| u64::from(u32::from_be_bytes(*length)));
        let fills = extension.is_empty() || stated == Some(wide(extension.len()));
        let runs = length.checked_sub(size_of::<Header>())?.checked_rem(size_of::<ActionRun>()) == Some(0);
        let known = head.version.name().is_some() || (5..=6).contains(&head.version.get());
        (fills && runs && known && (1..=8).contains(&head.player_count.get())).then(|| match head.version {
            Recording::MARATHON => vec![Game::Marathon],
            Recording::INFINITY => vec![Game::Infinity],
            _ => Self::GAMES.to_vec(),
        })
    }
}

binrw_over_lay!(Film);

impl Lint for Film {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        self.labeled().into_iter().for_each(|(label, saved)| pass.entry(label, saved));
    }
}

impl Container for Film {
    type Content = Extension;

    /// Returns the saved game that the recording starts from, if it has one.
    fn labeled(&self) -> Vec<(Label, &Extension)> {
        self.extension.iter().map(|(_, content)| (Label::role(SAVED_GAME), content)).collect()
    }
}
