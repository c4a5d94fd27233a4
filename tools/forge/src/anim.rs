//! Animation definitions (`anim.zbd`, `cam_anim.zbd`, `mis_anim.zbd`). Sources: zipper-anim.md, zipper-anim-events.md.

mod broken;
pub mod elements;
pub mod events;
mod samples;
mod traps;

use crate::bytes::{Bytes, field};
pub use broken::broken;
pub use events::scripted;
pub use samples::{Extent, counted, ordinary, retail, samples, worked, zero_only};

/// The games. Source: zipper-anim.md, section 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Version 28.
    Recoil,
    /// Version 39.
    MechWarrior3,
    /// Version 50.
    PiratesMoon,
    /// Version 53.
    CrimsonSkies,
}

use Game::{CrimsonSkies, MechWarrior3, PiratesMoon, Recoil};

impl Game {
    /// All of them.
    pub const ALL: [Self; 4] = [Recoil, MechWarrior3, PiratesMoon, CrimsonSkies];

    /// Returns the second word of the file.
    pub const fn version(self) -> u32 {
        self.of(28, 39, 50, 53)
    }

    /// Returns the code of the game.
    pub const fn code(self) -> &'static str {
        self.of("rc", "mw", "pm", "cs")
    }

    /// Returns the value for this game.
    pub const fn of<T: Copy>(self, rc: T, mw: T, pm: T, cs: T) -> T {
        match self {
            Recoil => rc,
            MechWarrior3 => mw,
            PiratesMoon => pm,
            CrimsonSkies => cs,
        }
    }

    /// Returns `true` if scripts are in a pool after the definitions, and a reset block exists only if a pointer is set.
    pub const fn newer(self) -> bool {
        matches!(self, PiratesMoon | CrimsonSkies)
    }

    /// Returns the offset of the counts in the fixed record of a definition.
    pub const fn counts(self) -> usize {
        self.of(260, 264, 216, 216)
    }

    /// Returns the offset of the pointers to the arrays in the fixed record of a definition.
    pub const fn pointers(self) -> usize {
        self.of(272, 276, 228, 228)
    }
}

/// Bytes that overwrite computed ones: the offset in the part, and the bytes.
pub type Patches = Vec<(usize, Vec<u8>)>;

/// A file. Source: zipper-anim.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The game, which determines every layout.
    pub game: Game,
    /// 0x08170616.
    pub signature: u32,
    /// `None`: that of the game.
    pub version: Option<u32>,
    /// Pirate's Moon: seconds since 1970 of the build.
    pub time: u32,
    /// Crimson Skies; `None`: the number of bases.
    pub base_count: Option<u32>,
    /// Crimson Skies: path with its tail, and time.
    pub bases: Vec<([u8; 128], u32)>,
    /// `None`: the number of sources.
    pub source_count: Option<u32>,
    /// Path with its tail, and time.
    pub sources: Vec<([u8; 80], u32)>,
    /// `None`: the number of definitions.
    pub def_count: Option<u16>,
    /// Pirate's Moon and Crimson Skies; `None`: the number of scripts.
    pub script_count: Option<u32>,
    /// `None`: the number of messages.
    pub msg_count: Option<u32>,
    /// The acceleration, as bits.
    pub gravity: u32,
    /// Nonzero if the position of the player is known.
    pub player: u32,
    /// Changes to the info block.
    pub info_patches: Patches,
    /// The zero record, and the definitions.
    pub definitions: Vec<Definition>,
    /// Recoil: 36 bytes each.
    pub messages: Vec<[u8; 36]>,
    /// The pool of Pirate's Moon and Crimson Skies.
    pub scripts: Vec<Script>,
    /// Bytes after the last phase.
    pub tail: Vec<u8>,
}

/// A definition. Source: zipper-anim.md, sections 6 and 8.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// With its tail.
    pub anim_name: [u8; 32],
    /// Zero padded.
    pub name: [u8; 32],
    /// With its tail.
    pub anim_root_name: [u8; 32],
    /// Address of `name`.
    pub anim_ptr: u32,
    /// Address of `anim_root_name`.
    pub anim_root_ptr: u32,
    /// See section 6.1.
    pub flags: u32,
    /// Status, activation, execution priority, 2.
    pub bytes: [u8; 4],
    /// Squares of meters, as bits.
    pub exec_range: [u32; 2],
    /// Seconds, as bits.
    pub reset_time: u32,
    /// As bits.
    pub max_health: u32,
    /// `None`: `max_health`.
    pub cur_health: Option<u32>,
    /// Nonzero except in the zero record.
    pub seq_defs_ptr: u32,
    /// Changes to the fixed record.
    pub patches: Patches,
    /// Components of a path, 36 bytes each.
    pub node_path: Vec<Vec<u8>>,
    /// The arrays, with their zero elements.
    pub objects: Vec<Vec<u8>>,
    /// 40 or 44 bytes each.
    pub nodes: Vec<Vec<u8>>,
    /// 44 bytes each.
    pub lights: Vec<Vec<u8>>,
    /// 44 bytes each, not in Recoil.
    pub puffers: Vec<Vec<u8>>,
    /// 44 bytes each.
    pub dynamic_sounds: Vec<Vec<u8>>,
    /// 36 or 40 bytes each.
    pub static_sounds: Vec<Vec<u8>>,
    /// 36 bytes each, Recoil.
    pub effects: Vec<Vec<u8>>,
    /// 48 bytes each.
    pub prerequisites: Vec<Vec<u8>>,
    /// The number of optional prerequisites that must be met.
    pub prerequisites_min: u8,
    /// 72 bytes each.
    pub anim_refs: Vec<Vec<u8>>,
    /// Crimson Skies: indices into the pool.
    pub script_ids: Vec<u32>,
    /// Recoil and MechWarrior 3: `None` is a header without events.
    pub reset: Option<Sequence>,
    /// The copy of the reset header in the fixed record; `None`: equal to that after the arrays.
    pub embedded: Option<[u8; 64]>,
    /// The damage sequence, in Crimson Skies.
    pub damage: Option<Sequence>,
    /// The ordinary sequences.
    pub sequences: Vec<Sequence>,
}

/// A sequence. Source: zipper-anim.md, section 12.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// Zero padded.
    pub name: [u8; 32],
    /// 0 initial, 3 on call; stored twice.
    pub states: [u8; 2],
    /// `None`: the length of the events and the rest.
    pub size: Option<u32>,
    /// Changes to the header.
    pub patches: Patches,
    /// The events, in file order.
    pub events: Vec<Event>,
    /// Bytes that are not an event.
    pub rest: Vec<u8>,
}

/// An event. Source: zipper-anim.md, section 13.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// The type.
    pub kind: u8,
    /// 1 animation, 2 sequence, 3 event.
    pub start: u8,
    /// 0.
    pub pad: u16,
    /// `None`: 12 and the length of the payload.
    pub size: Option<u32>,
    /// Seconds, as bits.
    pub time: u32,
    /// The payload, which depends on type and game.
    pub payload: Vec<u8>,
}

/// A script of the pool. Source: zipper-anim.md, section 14.2.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// With its NUL.
    pub name: Vec<u8>,
    /// With its NUL.
    pub object: Vec<u8>,
    /// Nonzero if the splines are used.
    pub spline: u32,
    /// `None`: the number of frames.
    pub frame_count: Option<u32>,
    /// `None`: the length of the frames and the rest.
    pub data_len: Option<u32>,
    /// Changes to the header.
    pub patches: Patches,
    /// The frames, in file order.
    pub frames: Vec<Frame>,
    /// Bytes that are not a frame.
    pub rest: Vec<u8>,
}

/// A frame of a script. Source: zipper-anim.md, section 14.3.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The blocks that are present.
    pub flags: u32,
    /// Start and end in seconds, as bits.
    pub times: [u32; 2],
    /// 28 or 76 bytes each.
    pub blocks: Vec<u8>,
}

/// The signature of the files.
pub const SIGNATURE: u32 = 0x0817_0616;

/// -9.8
pub const GRAVITY: u32 = 0xC11C_CCCD;

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let (game, mut out) = (spec.game, Bytes::new());
    out.le_u32(spec.signature).le_u32(spec.version.unwrap_or(game.version()));
    if game == PiratesMoon {
        out.le_u32(spec.time);
    }
    if game == CrimsonSkies {
        out.le_u32(spec.base_count.unwrap_or(spec.bases.len() as u32));
    }
    out.le_u32(spec.source_count.unwrap_or(spec.sources.len() as u32));
    for (path, time) in &spec.bases {
        out.raw(path).le_u32(*time);
    }
    for (path, time) in &spec.sources {
        out.raw(path).le_u32(*time);
    }
    info(spec, &mut out);
    spec.definitions.iter().enumerate().for_each(|(index, it)| definition(game, it, index == 0, &mut out));
    spec.messages.iter().for_each(|message| _ = out.raw(message));
    spec.scripts.iter().for_each(|it| script_head(it, &mut out));
    for script in &spec.scripts {
        out.raw(&script.name).raw(&script.object).raw(&frames(&script.frames)).raw(&script.rest);
    }
    out.raw(&spec.tail);
    out.finish()
}

fn patch(out: &mut Bytes, start: usize, patches: &Patches) {
    patches.iter().for_each(|(at, bytes)| _ = out.patch(start + at, bytes));
}

/// Writes the info block. Source: zipper-anim.md, section 5.
fn info(spec: &Spec, out: &mut Bytes) {
    let start = out.len();
    out.fill(0, 10).le_u16(spec.def_count.unwrap_or(spec.definitions.len() as u16)).le_u32(0x0200_0010);
    if spec.game.newer() {
        let count = spec.scripts.len() as u32;
        out.le_u32(spec.script_count.unwrap_or(count)).le_u32(if count > 0 { 0x0200_0080 } else { 0 });
    }
    out.le_u32(spec.msg_count.unwrap_or(spec.messages.len() as u32)).le_u32(0).le_u32(0x0200_0020);
    out.le_u32(spec.gravity).le_u32(spec.player).fill(0, 16);
    match spec.game {
        Recoil => out.fill(0, 8),
        MechWarrior3 => out.fill(0, 8).le_u32(1).le_u32(0),
        PiratesMoon | CrimsonSkies => out.le_u32(1).fill(0, 44),
    };
    patch(out, start, &spec.info_patches);
}

/// Writes a definition. Source: zipper-anim.md, sections 6 and 8.
fn definition(game: Game, it: &Definition, is_zero_record: bool, out: &mut Bytes) {
    let empty =
        Sequence { name: if is_zero_record { [0; 32] } else { field(b"RESET_SEQUENCE", b"") }, ..<_>::default() };
    let reset = it.reset.as_ref().or((!game.newer()).then_some(&empty));
    let pointer = |present: bool, value: u32| if present { value } else { 0 };
    let start = out.len();
    out.raw(&it.anim_name);
    if game.newer() {
        out.le_u32(pointer(!it.node_path.is_empty(), 0x0200_0060)).le_u32(it.node_path.len() as u32);
    }
    out.raw(&it.name).le_u32(it.anim_ptr).raw(&it.anim_root_name).le_u32(it.anim_root_ptr).fill(0, 44);
    out.le_u32(it.flags).raw(&it.bytes).le_u32(it.exec_range[0]).le_u32(it.exec_range[1]);
    out.le_u32(it.reset_time).le_u32(0).le_u32(it.max_health).le_u32(it.cur_health.unwrap_or(it.max_health));
    out.fill(0, game.of(12, 16, 16, 16)).le_u32(it.seq_defs_ptr);
    match game.newer() {
        true => _ = out.le_u32(pointer(reset.is_some(), 0x0200_0048)).le_u32(pointer(it.damage.is_some(), 0x0200_004C)),
        false => {
            let mut head = Bytes::new();
            reset.into_iter().for_each(|reset| sequence_head(reset, &mut head));
            out.raw(it.embedded.as_ref().map_or(head.written(), |head| head));
        }
    }
    let puffers = [&it.puffers];
    let puffers = if game == Recoil { &[] } else { &puffers[..] };
    let named = [&it.objects, &it.nodes, &it.lights];
    let sounds = [&it.dynamic_sounds, &it.static_sounds, &it.effects];
    let arrays: Vec<_> = named.iter().chain(puffers).chain(&sounds).copied().collect();
    out.u8(it.sequences.len() as u8);
    arrays.iter().for_each(|array| _ = out.u8(array.len() as u8));
    out.u8(it.prerequisites.len() as u8).u8(it.prerequisites_min).u8(it.anim_refs.len() as u8);
    out.u8(it.script_ids.len() as u8).fill(0, game.of(1, 0, 0, 0));
    for array in arrays.iter().chain(&[&it.prerequisites, &it.anim_refs]) {
        out.le_u32(pointer(!array.is_empty(), 0x0200_0040));
    }
    out.le_u32(pointer(!it.script_ids.is_empty(), 0x0200_0070)).fill(0, game.of(0, 0, 0, 4));
    patch(out, start, &it.patches);
    for array in [&it.node_path].iter().chain(&arrays).chain(&[&it.prerequisites, &it.anim_refs]) {
        array.iter().for_each(|element| _ = out.raw(element));
    }
    it.script_ids.iter().for_each(|&id| _ = out.le_u32(id));
    reset.into_iter().chain(&it.damage).chain(&it.sequences).for_each(|it| sequence(it, out));
}

/// Writes the header of a sequence. Source: zipper-anim.md, section 12.
fn sequence_head(it: &Sequence, out: &mut Bytes) {
    let length = it.events.iter().map(|it| 12 + it.payload.len()).sum::<usize>() + it.rest.len();
    let start = out.len();
    out.raw(&it.name).raw(&it.states).fill(0, 22).le_u32(if length > 0 { 0x0200_0050 } else { 0 });
    out.le_u32(it.size.unwrap_or(length as u32));
    patch(out, start, &it.patches);
}

fn sequence(it: &Sequence, out: &mut Bytes) {
    sequence_head(it, out);
    it.events.iter().for_each(|it| event(it, out));
    out.raw(&it.rest);
}

/// Writes an event. Source: zipper-anim.md, section 13.
fn event(it: &Event, out: &mut Bytes) {
    out.u8(it.kind).u8(it.start).le_u16(it.pad).le_u32(it.size.unwrap_or(12 + it.payload.len() as u32));
    out.le_u32(it.time).raw(&it.payload);
}

/// Writes the header of a script. Source: zipper-anim.md, section 14.2.
fn script_head(it: &Script, out: &mut Bytes) {
    let (start, length) = (out.len(), frames(&it.frames).len() + it.rest.len());
    out.le_u32(0x0200_0090).le_u32(0x0200_00A0).u8(it.name.len() as u8).u8(it.object.len() as u8).le_u16(0);
    out.le_u32(it.spline).le_u32(it.frame_count.unwrap_or(it.frames.len() as u32));
    out.le_u32(it.data_len.unwrap_or(length as u32)).le_u32(0x0200_00B0);
    patch(out, start, &it.patches);
}

/// Returns the frames end to end. Source: zipper-anim.md, section 14.3.
pub fn frames(frames: &[Frame]) -> Vec<u8> {
    let mut out = Bytes::new();
    for frame in frames {
        out.le_u32(frame.flags).le_u32(frame.times[0]).le_u32(frame.times[1]).raw(&frame.blocks);
    }
    out.finish()
}
