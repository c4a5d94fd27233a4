//! Callbacks, messages, weapons.

use crate::Vec3;
use field::record;
use field::{I32, Text, U32};

use super::NodeIndex;

record! {
    /// Calls back into the game, 4 bytes. Source: `zipper-anim-events.md`, section 35.
    pub struct Callback: 4 {
        value: U32,
    }
}

record! {
    /// Shows a message, 4 bytes; found in no file of Recoil. Source: `zipper-anim-events.md`, section 38.
    pub struct TopMessage: 4 {
        /// Index into the messages; negative for none.
        message: I32,
    }
}

record! {
    /// Has no effect, 4 bytes. Source: `zipper-anim-events.md`, section 39.
    pub struct AnimVerbose: 4 {
        on: U32,
    }
}

record! {
    /// Detonates a weapon, 24 bytes. Source: `zipper-anim-events.md`, section 41.
    pub struct DetonateWeapon: 24 {
        weapon: Text<10>,
        node: NodeIndex,
        position: Vec3,
    }
}
