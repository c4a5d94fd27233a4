//! The parts of the file around the definitions.

use field::{Block, F32, Fault, I32, Result, Run, Text, U16, U32, lay, quote, wide};
use field::{names, record};

use super::definition::{Definition, Within};
use super::expect::pointed;
use super::game::Game;
use super::pool::{Script, Scripts};

names! {
    /// The version, which selects the game. Source: `zipper-anim.md`, section 1.
    pub struct Release(U32: u32) {
        /// Recoil.
        RECOIL = 28;
        /// MechWarrior 3.
        MECHWARRIOR_3 = 39;
        /// Pirate's Moon.
        PIRATES_MOON = 50;
        /// Crimson Skies.
        CRIMSON_SKIES = 53;
    }
}

record! {
    /// The header that all games have, 8 bytes. Source: `zipper-anim.md`, section 3.
    pub struct Header: 8 {
        signature: U32 = 0x0817_0616,
        version: Release,
    }
}

record! {
    /// A container that the file was built against, 132 bytes. Source: `zipper-anim.md`, section 4.
    pub struct Base: 132 {
        path: Text<128>,
        /// The modification time, in seconds since 1970.
        time: U32,
    }
}

record! {
    /// A file that definitions were compiled from, 84 bytes. Source: `zipper-anim.md`, section 4.
    pub struct Source: 84 {
        path: Text<80>,
        /// The modification time, in seconds since 1970; the engine compares it with the file on disk, if it exists.
        time: U32,
    }
}

record! {
    /// The beginning of the information, 16 bytes. Source: `zipper-anim.md`, section 5.
    pub struct Info: 16 {
        instantiated: U32 = 0,
        heap_ptr: U32 as Pointer = 0,
        packed_counts: U16 = 0,
        /// Includes the placeholder.
        def_count: U16 as Outside,
        defs_ptr: U32 as Pointer,
    }
}

record! {
    /// The address of the pool of scripts, 4 bytes.
    pub struct PoolInfo: 4 {
        scripts_ptr: U32 as Pointer,
    }
}

record! {
    /// The number of messages in games with a pool of scripts, 4 bytes.
    pub struct NoMessages: 4 {
        msg_count: U32 = 0,
    }
}

record! {
    /// The information after the counts, 32 bytes. Source: `zipper-anim.md`, section 5.
    pub struct WorldInfo: 32 {
        msgs_ptr: U32 as Pointer,
        world_ptr: U32 as Pointer,
        /// -9.8 in retail files.
        gravity: F32,
        player_known: U32,
        unk: U32 = 0,
        player_position: [U32; 3] = [U32::new(0); 3],
    }
}

record! {
    /// The end of the information in Recoil, 8 bytes.
    pub struct InfoEnd60: 8 {
        unk_34: U32 = 0,
        frame_time_left: U32 = 0,
    }
}

record! {
    /// The end of the information in MechWarrior 3, 16 bytes.
    pub struct InfoEnd68: 16 {
        unk_34: U32 = 0,
        frame_time_left: U32 = 0,
        unk_3c: U32 = 1,
        unk_40: U32 = 0,
    }
}

record! {
    /// The end of the information in Pirate's Moon and Crimson Skies, 48 bytes.
    pub struct InfoEnd108: 48 {
        unk_3c: U32 = 1,
        unk_40: [U32; 11] = [U32::new(0); 11],
    }
}

/// Returns the size of the information with this end.
const fn info<G: Game>() -> usize {
    let pool = if G::HAS_POOL { size_of::<U32>() + size_of::<PoolInfo>() } else { 0 };
    size_of::<Info>() + pool + size_of::<NoMessages>() + size_of::<WorldInfo>() + size_of::<G::InfoEnd>()
}

const _: () = assert!(info::<super::Recoil>() == 60 && info::<super::MechWarrior3>() == 68);
const _: () = assert!(info::<super::PiratesMoon>() == 108 && info::<super::CrimsonSkies>() == 108);

record! {
    /// A message, 36 bytes; found in no known file. Source: `zipper-anim.md`, section 15.
    pub struct Message: 36 {
        key: Text<32>,
        /// MediaSummary up again by the engine from the key.
        id: I32,
    }
}

/// The contents of the file after the version.
#[derive(Clone, Debug, Default)]
pub struct Animations<G: Game> {
    /// Pirate's Moon: the build time, in seconds since 1970.
    pub time: U32,
    /// Crimson Skies: the containers that the file was built against.
    pub bases: Block<Base>,
    /// The files that the definitions were compiled from; paths repeat.
    pub sources: Block<Source>,
    /// Counts and pointers.
    pub info: Info,
    /// The number of scripts, if their position is not known.
    pub script_count: U32,
    /// The address of the pool.
    pub pool_info: PoolInfo,
    /// The number of messages in games with a pool of scripts, whose messages have no known position.
    pub no_messages: NoMessages,
    /// Gravity, and the state of the player.
    pub world_info: WorldInfo,
    /// The end of the information.
    pub info_end: G::InfoEnd,
    /// The definitions; the first is a placeholder.
    pub definitions: Vec<Definition<G>>,
    /// Recoil, MechWarrior 3: messages.
    pub messages: Block<Message>,
    /// Pirate's Moon, Crimson Skies: key-framed motions.
    pub scripts: Vec<Script>,
    /// Bytes after the last phase.
    pub tail: Block,
}

/// The numbers of definitions, scripts and messages.
#[derive(Default)]
struct Counts {
    definitions: u64,
    scripts: u64,
    messages: u64,
}

impl<G: Game> Animations<G> {
    /// Returns `true` if the pool can be found: its position relative to messages is not yet known.
    fn has_known_pool(&self) -> bool {
        G::HAS_POOL && self.no_messages == NoMessages::default()
    }
}

lay! {
    impl<G: Game> Lay for Animations<G> {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            sources(self, t)?;
            let mut counts = Counts::default();
            t.group("info", |t| info_block(self, t, &mut counts))?;
            let scripts = usize::try_from(counts.scripts).unwrap_or(usize::MAX);
            let smallest = Definition::<G>::smallest();
            t.list_apart("definitions", counts.definitions, smallest, at!(self.definitions), |t, index, definition| {
                definition.lay_by(t, Within { is_first: index == 0, scripts })
            })?;
            if !G::HAS_POOL {
                t.block("messages", counts.messages, at!(self.messages))?;
            } else if self.has_known_pool() {
                self.scripts.lay_by(t, Scripts { count: counts.scripts })?;
            }
            t.rest("tail", Run::Opaque, at!(self.tail))?;
            let tail = &self.tail;
            t.expect("tail", || (!tail.is_empty()).then(|| ("nothing".into(), quote(tail).into())));
            Ok(())
        }
    }

    fn sources<G: Game>(it: at!(Animations<G>), t: &mut Tape<'_>) -> Result {
        if G::HAS_TIME {
            t.value("time", at!(it.time))?;
        }
        let bases = if G::HAS_BASES { t.number::<U32>("base_count", wide(it.bases.len()))? } else { 0 };
        let sources = t.number::<U32>("source_count", wide(it.sources.len()))?;
        if G::HAS_BASES {
            t.block("bases", bases, at!(it.bases))?;
        }
        t.block("sources", sources, at!(it.sources))
    }

    fn info_block<G: Game>(it: at!(Animations<G>), t: &mut Tape<'_>, counts: &mut Counts) -> Result {
        t.computed("def_count", at!(it.info.def_count), wide(it.definitions.len()))?;
        t.fields(at!(it.info))?;
        counts.definitions = t.stated("def_count", it.info.def_count)?;
        if G::HAS_POOL {
            let is_given = t.exists("script_count", false);
            let known = (it.has_known_pool() && !is_given).then(|| wide(it.scripts.len()));
            t.counted("script_count", at!(it.script_count), known)?;
            counts.scripts = t.stated("script_count", it.script_count)?;
            t.fields(at!(it.pool_info))?;
            t.expect("scripts_ptr", || pointed(it.pool_info.scripts_ptr, counts.scripts));
            t.fields(at!(it.no_messages))?;
            if is_given && it.has_known_pool() && counts.scripts > 0 {
                let expected = "that of the scripts, because the file has no messages".to_owned();
                let found = counts.scripts.to_string();
                return Err(t.error_in("script_count", Fault::Unknown { found, expected }));
            }
        } else {
            counts.messages = t.number::<U32>("msg_count", wide(it.messages.len()))?;
        }
        t.fields(at!(it.world_info))?;
        t.expect("msgs_ptr", || pointed(it.world_info.msgs_ptr, counts.messages));
        t.fields(at!(it.info_end))
    }
}
