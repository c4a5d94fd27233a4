//! Physics models: monsters, effects, projectiles, player physics, weapons, as chunks of a wad or as a separate file of Marathon.
//!
//! Source: [`marathon-physics.md`](formats::marathon_physics).

mod convert;
mod early;
mod file;
mod monster;
mod player;
mod projectile;
mod weapon;

pub use convert::{Later, to_early, to_later};
pub use early::{EarlyEffect, EarlyProjectile, EarlyWeapon};
pub use file::{BlockHeader, Definitions, Physics, PhysicsBlock};
pub use monster::{Attack, Damage, EarlyMonster, Monster};
pub use player::{EarlyPlayer, Player};
pub use projectile::{Effect, Projectile};
pub use weapon::{Trigger, Weapon};
