//! State of the game as a whole.

use field::record;
use field::{I16be, I32be, U16be};

use super::super::names::{Difficulty, GameKind, GameOptions};
use super::super::numbers::{Distance, Index};

record! {
    /// The type of game, 18 bytes. Source: `marathon-wad.md`, section 8.
    pub struct GameInformation: 18 {
        /// In ticks; 0x7FFFFFFF in a solo game.
        time_remaining: I32be,
        kind: GameKind,
        options: GameOptions,
        kill_limit: I16be,
        random_seed: I16be,
        difficulty: Difficulty,
        parameters: [I16be; 2],
    }
}

record! {
    /// The state of a level, 604 bytes. Source: `marathon-wad.md`, section 9.
    pub struct World: 604 {
        tick_count: I32be,
        random_seed: U16be,
        game: GameInformation,
        player_count: I16be,
        speaking_player: Index,
        unused: I16be,
        platform_count: I16be,
        endpoint_count: I16be,
        line_count: I16be,
        side_count: I16be,
        polygon_count: I16be,
        light_source_count: I16be,
        map_index_count: I16be,
        ambient_sound_count: I16be,
        random_sound_count: I16be,
        object_count: I16be,
        monster_count: I16be,
        projectile_count: I16be,
        effect_count: I16be,
        light_count: I16be,
        default_annotation_count: I16be,
        personal_annotation_count: I16be,
        initial_object_count: I16be,
        garbage_object_count: I16be,
        last_monster_to_get_time: Index,
        last_monster_to_build_path: Index,
        mangler_cookie: I16be,
        vanishing_cookie: I16be,
        civilians_killed: I16be,
        placement_counters: [[I16be; 64]; 4],
        level: I16be,
        casualty_counters: [I16be; 4],
        beacon: [Distance; 2],
        player: Index,
    }
}
