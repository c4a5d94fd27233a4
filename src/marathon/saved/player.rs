//! State of players, their weapons and the terminals they read.

use field::record;
use field::{I16be, I32be, Mac, Stale, Text, U16be};

use super::super::names::ShellCasing;
use super::super::numbers::{Angle, Distance, Fixed, Index};

record! {
    /// The movement of a player, 110 bytes. Source: `marathon-wad.md`, section 9.
    pub struct PhysicsState: 110 {
        values: [Fixed; 26],
        action: I16be,
        old_flags: U16be,
        flags: U16be,
    }
}

record! {
    /// Damage taken or given, 6 bytes. Source: `marathon-wad.md`, section 9.
    pub struct DamageRecord: 6 {
        damage: I32be,
        kills: I16be,
    }
}

record! {
    /// A player, 930 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedPlayer: 930 {
        identifier: I16be,
        flags: U16be,
        color: I16be,
        team: I16be,
        name: Text<34, Mac>,
        location: [Distance; 3],
        camera: [Distance; 3],
        camera_polygon: Index,
        facing: Angle,
        elevation: Angle,
        supporting_polygon: Index,
        last_supporting_polygon: Index,
        suit_energy: I16be,
        suit_oxygen: I16be,
        monster: Index,
        object: Index,
        weapon_decay: I16be,
        weapon_intensity: Fixed,
        invisibility_duration: I16be,
        invincibility_duration: I16be,
        infravision_duration: I16be,
        extravision_duration: I16be,
        teleport_delay: I16be,
        teleport_phase: I16be,
        teleport_destination: I16be,
        interlevel_teleport_phase: I16be,
        item_counts: [I16be; 64],
        interface_flags: I16be,
        interface_decay: I16be,
        physics: PhysicsState,
        damage_given: DamageRecord,
        damage_taken_from_players: [DamageRecord; 8],
        damage_taken_from_monsters: DamageRecord,
        damage_given_to_monsters: DamageRecord,
        reincarnation_delay: I16be,
        control_panel_side: Index,
        ticks_at_last_save: I32be,
        game_parameters: [I32be; 2],
        unused: Stale<512>,
    }
}

record! {
    /// A trigger of a player's weapon, 16 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedTrigger: 16 {
        state: I16be,
        phase: I16be,
        rounds: I16be,
        shots: I16be,
        hits: I16be,
        ticks_since_shot: I16be,
        ticks_firing: I16be,
        sequence: I16be,
    }
}

record! {
    /// A weapon of a player, 38 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedWeapon: 38 {
        kind: I16be,
        flags: U16be,
        unused: Stale<2>,
        triggers: [SavedTrigger; 2],
    }
}

record! {
    /// A shell casing that flies off the screen, 22 bytes. Source: `marathon-wad.md`, section 9.
    pub struct ShellCasingState: 22 {
        kind: ShellCasing,
        frame: I16be,
        flags: U16be,
        x: Fixed,
        y: Fixed,
        vx: Fixed,
        vy: Fixed,
    }
}

record! {
    /// The weapons of a player, 472 bytes. Source: `marathon-wad.md`, section 9.
    pub struct Arsenal: 472 {
        current: Index,
        desired: Index,
        weapons: [SavedWeapon; 10],
        shell_casings: [ShellCasingState; 4],
    }
}

record! {
    /// The terminal that a player reads, 20 bytes. Source: `marathon-wad.md`, section 9.
    pub struct Computer: 20 {
        flags: U16be,
        phase: I16be,
        state: I16be,
        group: Index,
        completion: I16be,
        line: I16be,
        maximum_line: I16be,
        terminal: Index,
        last_action_flags: I32be,
    }
}
