//! Chunks that a saved game adds to those of its level.
//!
//! Source: [`marathon-wad.md`](formats::marathon_wad), section 9.

mod dweller;
mod player;
mod world;

pub use dweller::{SavedEffect, SavedMonster, SavedObject, SavedProjectile};
pub use player::{
    Arsenal, Computer, DamageRecord, PhysicsState, SavedPlayer, SavedTrigger, SavedWeapon, ShellCasingState,
};
pub use world::{GameInformation, World};
