//! Sounds and effects.

use crate::Vec3;
use field::{F32, I32, Opaque, Text, U32};
use field::{flags, record};

use super::super::expect::gates;
use super::{EffectIndex, NodeIndex, NodeIndex32, SoundIndex};

record! {
    /// Plays a sound, 16 bytes. Source: `zipper-anim-events.md`, section 1.
    pub struct Sound: 16 {
        static_sound: SoundIndex,
        node: NodeIndex,
        /// Relative to the node.
        position: Vec3,
    }
}

record! {
    /// Shows an effect, in Recoil, 16 bytes. Source: `zipper-anim-events.md`, section 3.
    pub struct Effect: 16 {
        effect: EffectIndex,
        node: NodeIndex,
        /// Relative to the node.
        position: Vec3,
    }
}

flags! {
    /// The fields of a sound that the event sets.
    pub struct SoundNodeFlags(U32: u32) {
        /// A position in the world.
        TRANSLATE_ABS = 1;
        /// A node, and a position relative to it.
        AT_NODE = 2;
    }
}

record! {
    /// Places a sound, 60 bytes. Source: `zipper-anim-events.md`, section 2.
    pub struct SoundNode: 60 {
        name: Text<32>,
        /// The dynamic sound with this name.
        dynamic_sound: I32,
        flags: SoundNodeFlags,
        active_state: U32,
        node: NodeIndex32,
        translation: Vec3,
    }
}

gates! { SoundNode, SoundNodeFlags:
    AT_NODE => node;
    TRANSLATE_ABS | AT_NODE => translation;
}

record! {
    /// Changes a sound over time, in Crimson Skies, 176 bytes. Source: `zipper-anim-events.md`, section 46.
    pub struct SoundAdjust: 176 {
        /// Volumes, frequencies and directions, in an unknown order.
        unk_00: Opaque<172>,
        /// Seconds.
        run_time: F32,
    }
}
