//! Save games of Recoil: one record per entry, of the kind that the section in its name indicates.
//!
//! Sizes and fields come from a reconstruction of the program; only [`Mission`] and [`Vehicle`] have been seen in real
//! saves. Not yet understood: the events of a running animation.
//!
//! Source: [`zipper-saves.md`](formats::zipper_saves), section 2.

use crate::Vec3;
use field::{Block, F32, I32, Padding, Result, Run, Stale, Text, U8, U16, U32, lay, wide};
use field::{names, record};
use kind::lay_record;

use super::is_activation;

record! {
    /// `Mission/MissionData`, 92 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Mission: 92 {
        mission_id: I32,
        mission_flags: I32,
        current_objective: I32,
        first_incomplete_objective: I32,
        completed_objective_count: I32,
        objective_flow_state: I32,
        /// In seconds.
        flow_deadline: F32,
        statistics: [I32; 4],
        weapons_found_mask: I32,
        objectives_completed: [I32; 10],
        difficulty: I32,
    }
}

record! {
    /// `VehicleList`, under the name of the vehicle's node, 128 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Vehicle: 128 {
        /// The game accepts no other value.
        size: I32 = 128,
        rotation: Vec3,
        position: Vec3,
        ai_net_id: I32,
        ai_state: I32,
        saved_state: I32,
        return_state: I32,
        attack_radius_sq: F32,
        restore_distance_sq: F32,
        restore_target: Vec3,
        dynamic_offset: Vec3,
        activation_radius_sq: F32,
        tick_suppressed: I32,
        alert: I32,
        marker: I32 as Pointer,
        ai_active: I32,
        path_cursor_request: I32,
        steering: I32,
        return_steering: I32,
        master_type: I32,
        status_scaled: F32,
        status_value: F32,
        nanite_level: I32,
        /// Set only for the vehicle of the local player.
        local_master_type: I32 as Stale,
    }
}

record! {
    /// One side of a weapon bank, 8 bytes.
    pub struct Side: 8 {
        enabled: I32,
        ammo: F32,
    }
}

record! {
    /// A weapon bank, 20 bytes.
    pub struct Bank: 20 {
        selected_side: I32,
        sides: [Side; 2],
    }
}

record! {
    /// `Player`, under the name of the player's node, 320 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Player: 320 {
        size: I32 = 320,
        alt_bank: I32,
        alt_side: I32,
        primary_bank: I32,
        primary_side: I32,
        banks: [Bank; 10],
        status_ratio: F32,
        hud_counter: I32,
        amphib_unlocked: I32,
        hover_unlocked: I32,
        sub_unlocked: I32,
        ai_mode: I32,
        next_mode_switch_time: F32,
        motion_input: I32,
        auto_turn_sign: I32,
        bank_input: I32,
        master_type: I32,
        camera_target: Vec3,
        camera_position: Vec3,
        tag_count: U8,
        tags: [U8; 3],
        hit_flags: U32,
        hit_source_id: U32,
        level: F32,
        target_level: F32,
        light_node: U32 as Pointer,
        next_update: F32,
        light_parent: U32 as Pointer,
    }
}

record! {
    /// `Pickup`, under the name of the pickup's node, 48 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Pickup: 48 {
        /// 1 in the first record that was written.
        first_record: I32,
        kind: I32,
        id: I32,
        amount: I32,
        position: Vec3,
        rotation: Vec3,
        spawn_param: I32,
        respawn_delay: F32,
    }
}

record! {
    /// `Mines`, 96 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Mine: 96 {
        /// 1 in `DummyMineData`.
        reset_marker: I32,
        weapon: Text<32>,
        position: Vec3,
        scale: Vec3,
        owner: Text<36>,
    }
}

record! {
    /// `GWWorld`, under the name of the world's node, 36 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct World: 36 {
        fog_state: I32,
        fog_color: Vec3,
        near: F32,
        far: F32,
        altitude_high: F32,
        altitude_low: F32,
        density: F32,
    }
}

names! {
    /// The type of a change in the ground. Source: `zipper-saves.md`, section 2.2.
    pub struct ClientKind(I32: i32) {
        /// A crater.
        CRATER = 1;
        /// Quicksand.
        QUICKSAND = 3;
    }
}

record! {
    /// `zDEClient/Crater*`, 52 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Crater: 52 {
        kind: ClientKind = ClientKind::CRATER,
        flags: I32,
        point_count: I32,
        material_slot: U32 as Pointer,
        slope: F32,
        depth: F32,
        radius: F32,
        center: Vec3,
        owner: U32 as Pointer,
        junk: Stale<4>,
        reload: I32,
    }
}

record! {
    /// `zDEClient/QSand*`, 52 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Quicksand: 52 {
        kind: ClientKind = ClientKind::QUICKSAND,
        flags: I32,
        point_count: I32,
        material: U32 as Pointer,
        cycle_material: U32 as Pointer,
        slope: F32,
        depth: F32,
        radius: F32,
        center: Vec3,
        owner: U32 as Pointer,
        reload: I32,
    }
}

record! {
    /// `zDEClient/Dummy`, 52 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Dummy: 52 {
        junk: Stale<48>,
        reload: I32,
    }
}

record! {
    /// `HUDTimer/TimerData`, 4 bytes. Source: `zipper-saves.md`, section 2.1.
    pub struct Timer: 4 {
        /// In seconds; whether it is an integer or a float is not known.
        elapsed: U32,
    }
}

record! {
    /// `Weapons/WeaponData`, 4 bytes. Source: `zipper-saves.md`, section 2.1.
    pub struct Weapons: 4 {
        hit_count: I32,
    }
}

record! {
    /// `MissionLate/LateMissionData`, 4 bytes. Source: `zipper-saves.md`, section 2.1.
    pub struct LateMission: 4 {
        value: I32 = 1,
    }
}

record! {
    /// A node that an animation moves, 68 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct TrackedNode: 68 {
        /// The index of the node, or -1.
        node_index: I32,
        active: I32,
        uses_matrix: I32,
        /// A 3 by 4 matrix; or position, rotation, scale and three unused values.
        transform: [F32; 12],
        flags: U32,
        user_value: I32,
    }
}

record! {
    /// The state of an animation, 88 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct ActivationHeader: 88 {
        command: I32,
        record_id: U32,
        name: Text<32>,
        node_index: I32,
        parameters: [U32; 9],
        /// An index into the table of entries, for `Anim`; 0 for `AnimActivation`.
        entry_index: U32,
        activation_state: U8,
        count: U8 as Outside,
        unused: U16 = 0,
    }
}

/// `AnimActivation` and `Anim`: the state of an animation.
#[derive(Clone, Debug, Default)]
pub struct Activation {
    /// The header of the state.
    pub head: ActivationHeader,
    /// The nodes that the animation moves.
    pub nodes: Block<TrackedNode>,
}

record! {
    /// A running animation, 104 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct RunningHeader: 104 {
        index: I32,
        match_root: I32,
        name: Text<32>,
        root_node: I32,
        node_a: I32,
        vec_a: Vec3,
        node_b: I32,
        vec_b: Vec3,
        state: U8,
        unused: Padding<3>,
        trigger: F32,
        countdown: F32,
        velocity: Vec3,
        sequences_count: U8 as Outside,
        lights_count: U8 as Outside,
        sounds_count: U8 as Outside,
        reserved: U8 = 0,
    }
}

record! {
    /// A sequence of a running animation, 64 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct SequenceHeader: 64 {
        name: Text<32>,
        run_state: U8,
        reset_mode: U8,
        unused_22: Padding<2>,
        elapsed: [F32; 3],
        loop_count: U16,
        unused_32: Padding<2>,
        /// The offset of the next event among the events.
        current_event: U32,
        stream: U32 as Pointer,
        stream_size: I32 as Outside,
    }
}

record! {
    /// A light of a running animation, 56 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Light: 56 {
        name: Text<36>,
        attached: I32,
        position: Vec3,
        parent: I32,
    }
}

record! {
    /// A sound of a running animation, 60 bytes. Source: `zipper-saves.md`, section 2.2.
    pub struct Sound: 60 {
        name: Text<36>,
        attached: I32,
        has_position: I32,
        position: Vec3,
        parent: I32,
    }
}

/// A sequence of a running animation.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The progress of the sequence.
    pub head: SequenceHeader,
    /// The events.
    pub events: Block,
}

/// `RunningAnim`: a running animation.
#[derive(Clone, Debug, Default)]
pub struct Running {
    /// The header of the animation.
    pub head: RunningHeader,
    /// The sequences.
    pub sequences: Vec<Sequence>,
    /// The lights.
    pub lights: Block<Light>,
    /// The sounds.
    pub sounds: Block<Sound>,
}

lay! {
    lay_record!(Mission, Vehicle, Player, Pickup, Mine, World, Crater, Quicksand, Dummy, Timer, Weapons, LateMission);

    impl Lay for Activation {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("count", at!(self.head.count), wide(self.nodes.len()))?;
            t.fields(at!(self.head))?;
            let count = t.stated("count", self.head.count)?;
            t.block("nodes", count, at!(self.nodes))
        }
    }

    impl Lay for Running {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let Self { head, sequences, lights, sounds } = self;
            t.computed("sequences_count", at!(head.sequences_count), wide(sequences.len()))?;
            t.computed("lights_count", at!(head.lights_count), wide(lights.len()))?;
            t.computed("sounds_count", at!(head.sounds_count), wide(sounds.len()))?;
            t.fields(at!(*head))?;
            let counts = [head.sequences_count, head.lights_count, head.sounds_count].map(|count| u64::from(count.get()));
            let [sequence_count, light_count, sound_count] = counts;
            t.list("sequences", sequence_count, wide(size_of::<SequenceHeader>()), at!(*sequences), |t, sequence| {
                t.computed("stream_size", at!(sequence.head.stream_size), wide(sequence.events.len()))?;
                t.fields(at!(sequence.head))?;
                let length = t.stated("stream_size", sequence.head.stream_size)?;
                t.run("events", Run::Opaque, length, at!(sequence.events))
            })?;
            t.block("lights", light_count, lights)?;
            t.block("sounds", sound_count, sounds)
        }
    }
}

/// Returns the kind of an entry with this section, token and content, or `None` if it is not known.
pub(super) fn kind_of(section: &[u8], token: &[u8], bytes: &[u8]) -> Option<&'static str> {
    let client = bytes.first_chunk().map(|kind| u32::from_le_bytes(*kind));
    Some(match (section, bytes.len()) {
        (b"Mission", 92) => "save-mission",
        (b"AnimActivation" | b"Anim", _) if is_activation(bytes) => "save-activation",
        (b"RunningAnim", 104..) => "save-running",
        (b"VehicleList", 128) => "save-vehicle",
        (b"HUDTimer", 4) => "save-timer",
        (b"Player", 320) => "save-player",
        (b"Pickup", 48) => "save-pickup",
        (b"Mines", 96) => "save-mine",
        (b"zDEClient", 52) if token == b"Dummy" => "save-dummy",
        (b"zDEClient", 52) if client == Some(1) => "save-crater",
        (b"zDEClient", 52) if client == Some(3) => "save-quicksand",
        (b"GWWorld", 36) => "save-world",
        (b"Weapons", 4) => "save-weapons",
        (b"MissionLate", 4) => "save-late-mission",
        _ => return None,
    })
}
