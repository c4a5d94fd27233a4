//! The parts of the fixed part; games share those that are alike.

use field::{F32, I32, Text, U8, U32};
use field::{flags, names, record};

use super::super::expect::gates;
use super::super::game::{CrimsonSkies, Game, MechWarrior3, PiratesMoon, Recoil};
use super::super::sequence::SequenceHeader;

record! {
    /// The name of a definition, 32 bytes. Source: `zipper-anim.md`, section 6.
    pub struct AnimName: 32 {
        anim_name: Text<32>,
    }
}

record! {
    /// The path to its node, 8 bytes; used in Crimson Skies. Source: `zipper-anim.md`, section 6.
    pub struct NodePath: 8 {
        node_path_ptr: U32 as Pointer,
        node_path_count: U32 as Outside,
    }
}

record! {
    /// The nodes of a definition, 116 bytes. Source: `zipper-anim.md`, section 6.
    pub struct NamesByPointer: 116 {
        name: Text<32>,
        anim_ptr: U32 as Pointer,
        anim_root_name: Text<32>,
        anim_root_ptr: U32 as Pointer,
        /// Node, callback with its context, eight words of scratch memory.
        run_time: [U32; 11] = [U32::new(0); 11],
    }
}

record! {
    /// The nodes of a definition in Crimson Skies, 116 bytes. Source: `zipper-anim.md`, section 6.
    pub struct NamesById: 116 {
        name: Text<32>,
        /// Probably the index of the node.
        anim_id: I32,
        anim_root_name: Text<32>,
        anim_root_id: I32,
        /// Node, callback with its context, eight words of scratch memory.
        run_time: [U32; 11] = [U32::new(0); 11],
    }
}

flags! {
    /// The flags of a definition. Source: `zipper-anim.md`, section 6.1.
    pub struct DefinitionFlags(U32: u32) {
        /// Runs if the player is near.
        EXECUTION_BY_RANGE = 0x2;
        /// Runs if the player is in its zone.
        EXECUTION_BY_ZONE = 0x8;
        /// A sequence calls back into the game.
        HAS_CALLBACKS = 0x10;
        /// The source specifies a reset time.
        RESET_TIME = 0x20;
        /// The source specifies whether it is logged for the network.
        NETWORK_LOG_SET = 0x400;
        /// It is logged for the network; not used in Recoil, where the previous flag means this.
        NETWORK_LOG_ON = 0x800;
        /// The source specifies whether it is saved.
        SAVE_LOG_SET = 0x1000;
        /// It is saved; not used in Recoil, where the previous flag means this.
        SAVE_LOG_ON = 0x2000;
        /// Nodes are reset without a sequence.
        AUTO_RESET_NODE_STATES = 0x1_0000;
        /// Nodes are looked up only in the definition.
        LOCAL_NODES_ONLY = 0x8_0000;
        /// Objects nearby are damaged.
        PROXIMITY_DAMAGE = 0x10_0000;
    }
}

names! {
    /// The status of a definition. Source: `zipper-anim.md`, section 6.
    pub struct Status(U8: u8) {
        /// It is not active; Pirate's Moon.
        NOT_ACTIVE = 5;
    }
}

names! {
    /// The event that starts a definition. Source: `zipper-anim.md`, section 6.
    pub struct Activation(U8: u8) {
        /// A weapon hit.
        WEAPON_HIT = 0;
        /// A collision.
        COLLIDE_HIT = 1;
        /// A weapon hit or a collision.
        WEAPON_OR_COLLIDE_HIT = 2;
        /// A call.
        ON_CALL = 3;
        /// The start of the mission.
        ON_STARTUP = 4;
    }
}

record! {
    /// When and how long a definition runs, 32 bytes. Source: `zipper-anim.md`, section 6.
    pub struct State: 32 {
        flags: DefinitionFlags,
        status: Status,
        activation: Activation,
        execution_priority: U8,
        two: U8 as Reserved,
        /// The square of a distance in meters.
        exec_range_min: F32,
        /// The square of a distance in meters.
        exec_range_max: F32,
        /// Seconds.
        reset_time: F32,
        clock: F32 = 0.0,
        max_health: F32,
        cur_health: F32 => |r| r.max_health.get(),
    }
}

gates! { State, DefinitionFlags:
    EXECUTION_BY_RANGE => exec_range_min, exec_range_max;
    RESET_TIME => reset_time = 0xBF80_0000; // -1.0
}

record! {
    /// An unused word that Recoil does not have, 4 bytes.
    pub struct Unused: 4 {
        unk_b4: U32 = 0,
    }
}

record! {
    /// The velocity of the node, and the address of the sequences, 16 bytes. Source: `zipper-anim.md`, section 6.
    pub struct Velocity: 16 {
        velocity: [F32; 3] = [F32::new(0.0); 3],
        seq_defs_ptr: U32 as Pointer,
    }
}

record! {
    /// A copy of the reset sequence's header in Recoil and MechWarrior 3, 64 bytes. Source: `zipper-anim.md`, section 12.
    pub struct EmbeddedReset: 64 {
        reset_state: SequenceHeader as Outside,
        reset_size: U32 as Outside,
    }
}

record! {
    /// The sequences before the ordinary ones in Pirate's Moon and Crimson Skies, 8 bytes. Source: `zipper-anim.md`, section 8.
    pub struct Blocks: 8 {
        /// Not 0 if there is a reset sequence.
        reset_state_ptr: U32 as Pointer,
        /// Not 0 if there is a damage sequence.
        damage_seq_ptr: U32 as Pointer,
    }
}

record! {
    /// The minimum number of optional prerequisites that must be met, 1 byte.
    pub struct PrerequisiteMin: 1 {
        activ_prereq_min: U8,
    }
}

record! {
    /// The end of the counts in games without script counts, 1 byte.
    pub struct CountPad: 1 {
        pad: U8 = 0,
    }
}

record! {
    /// The padding in place of the number of puffers in Recoil, 1 byte.
    pub struct NoPuffers: 1 {
        pad_10f: U8 = 0,
    }
}

record! {
    /// The addresses of the first arrays, 12 bytes. Source: `zipper-anim.md`, section 6.
    pub struct NodePointers: 12 {
        objects_ptr: U32 as Pointer,
        nodes_ptr: U32 as Pointer,
        lights_ptr: U32 as Pointer,
    }
}

record! {
    /// The address of the puffers, 4 bytes; not in Recoil.
    pub struct PuffersPointer: 4 {
        puffers_ptr: U32 as Pointer,
    }
}

record! {
    /// The addresses of the other arrays, 20 bytes. Source: `zipper-anim.md`, section 6.
    pub struct OtherPointers: 20 {
        dynamic_sounds_ptr: U32 as Pointer,
        static_sounds_ptr: U32 as Pointer,
        effects_ptr: U32 as Pointer,
        activ_prereqs_ptr: U32 as Pointer,
        anim_refs_ptr: U32 as Pointer,
    }
}

record! {
    /// The address of the next definition in Recoil, MechWarrior 3 and Pirate's Moon, 4 bytes.
    pub struct Next: 4 {
        next_ptr: U32 as Pointer = 0,
    }
}

record! {
    /// The address of the script ids in Crimson Skies, 8 bytes.
    pub struct ScriptIdsPointer: 8 {
        script_ids_ptr: U32 as Pointer,
        unk_10c: U32 = 0,
    }
}

/// Returns the size of the fixed part in bytes.
pub(super) const fn fixed<G: Game>() -> usize {
    let path = if G::HAS_POOL { size_of::<NodePath>() } else { 0 };
    let blocks = if G::HAS_POOL { size_of::<Blocks>() } else { size_of::<EmbeddedReset>() };
    let puffers = if G::HAS_PUFFERS { size_of::<Unused>() + size_of::<PuffersPointer>() } else { 0 };
    let counts = 12;
    let pointers = size_of::<NodePointers>() + size_of::<OtherPointers>() + puffers;
    let end = if G::HAS_SCRIPT_IDS { size_of::<ScriptIdsPointer>() } else { size_of::<Next>() };
    let names = size_of::<AnimName>() + path + size_of::<G::Names>();
    names + size_of::<State>() + size_of::<Velocity>() + blocks + counts + pointers + end
}

const _: () = assert!(fixed::<Recoil>() == 308 && fixed::<MechWarrior3>() == 316);
const _: () = assert!(fixed::<PiratesMoon>() == 268 && fixed::<CrimsonSkies>() == 272);

/// The nodes of a definition, by pointer or by index.
pub trait Nodes {
    /// Returns the names with this value in place of both nodes.
    #[must_use]
    fn with_nodes(self, node: u32) -> Self;
}

impl Nodes for NamesByPointer {
    fn with_nodes(self, node: u32) -> Self {
        Self { anim_ptr: node.into(), anim_root_ptr: node.into(), ..self }
    }
}

impl Nodes for NamesById {
    fn with_nodes(self, node: u32) -> Self {
        let node = I32::new(i32::from_le_bytes(node.to_le_bytes()));
        Self { anim_id: node, anim_root_id: node, ..self }
    }
}
