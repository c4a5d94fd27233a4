//! State of objects in a level.

use field::record;
use field::{I16be, I32be, Stale, U16be};

use super::super::names::{ActivationBias, EffectKind, MonsterKind, ProjectileKind, TransferMode};
use super::super::numbers::{Angle, Distance, Fixed, Index, Shape};

record! {
    /// A visible object, 32 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedObject: 32 {
        x: Distance,
        y: Distance,
        z: Distance,
        polygon: Index,
        facing: Angle,
        shape: Shape,
        sequence: U16be,
        flags: U16be,
        transfer_mode: TransferMode,
        transfer_period: I16be,
        transfer_phase: I16be,
        permutation: I16be,
        next_object: Index,
        parasitic_object: Index,
        sound_pitch: Fixed,
    }
}

record! {
    /// A monster, 64 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedMonster: 64 {
        kind: MonsterKind,
        vitality: I16be,
        flags: U16be,
        path: Index,
        path_segment_length: Distance,
        desired_height: Distance,
        mode: I16be,
        action: I16be,
        target: Index,
        external_velocity: I16be,
        vertical_velocity: I16be,
        ticks_since_attack: I16be,
        attack_repetitions: I16be,
        changes_until_lock_lost: I16be,
        elevation: Angle,
        object: Index,
        ticks_since_activation: I32be,
        activation_bias: ActivationBias,
        goal_polygon: Index,
        sound_location: [Distance; 3],
        sound_polygon: Index,
        random_desired_height: I16be,
        unused: Stale<14>,
    }
}

record! {
    /// An effect, 32 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedEffect: 32 {
        kind: EffectKind,
        object: Index,
        flags: U16be,
        data: I16be,
        delay: I16be,
        unused: Stale<22>,
    }
}

record! {
    /// A projectile, 32 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedProjectile: 32 {
        kind: ProjectileKind,
        object: Index,
        target: Index,
        elevation: Angle,
        owner: Index,
        owner_kind: I16be,
        flags: U16be,
        contrail_ticks: I16be,
        contrail_count: I16be,
        distance: Distance,
        gravity: I16be,
        damage_scale: Fixed,
        permutation: I16be,
        unused: Stale<4>,
    }
}
