//! Puffers, which emit smoke and sparks.

use crate::Vec3;
use field::{F32, I32, Text, U32};
use field::{flags, names, record};

use super::super::expect::gates;
use super::NodeIndex32;

flags! {
    /// The fields of a puffer that the event sets; no other bit is set without ACTIVE_STATE. Source: `zipper-anim-events.md`, section 42.
    pub struct PufferStateFlags(U32: u32) {
        /// A position in the world.
        TRANSLATE_ABS = 0x1;
        /// A node.
        AT_NODE = 0x2;
        /// The active state.
        ACTIVE_STATE = 0x4;
        /// A velocity relative to the rotation of the node.
        LOCAL_VELOCITY = 0x8;
        /// A velocity in the world.
        WORLD_VELOCITY = 0x10;
        /// The minimum of the random velocity.
        MIN_RANDOM_VELOCITY = 0x20;
        /// The maximum of the random velocity.
        MAX_RANDOM_VELOCITY = 0x40;
        /// The unit of the interval.
        INTERVAL_TYPE = 0x80;
        /// The length of the interval.
        INTERVAL_VALUE = 0x100;
        /// The size of puffs.
        SIZE_RANGE = 0x200;
        /// Their lifetime.
        LIFETIME_RANGE = 0x400;
        /// The distance between their starting points.
        DEVIATION_DISTANCE = 0x800;
        /// The far distance at which they fade out.
        FADE_RANGE = 0x1000;
        /// Their growth.
        GROWTH_FACTORS = 0x2000;
        /// Their textures.
        TEXTURES = 0x4000;
        /// Their starting age.
        START_AGE_RANGE = 0x8000;
        /// Their acceleration.
        WORLD_ACCELERATION = 0x10000;
        /// The friction that slows them.
        FRICTION = 0x20000;
        /// Their colors.
        COLORS = 0x40000;
        /// The near distance at which they fade out.
        NEAR_FADE = 0x80000;
        /// The effect of wind on them.
        WIND_FACTOR = 0x100000;
        /// The number of puffs; Pirate's Moon and later.
        NUMBER = 0x200000;
        /// Their priority.
        PRIORITY = 0x400000;
    }
}

names! {
    /// The unit of the interval between puffs. Source: `zipper-anim-events.md`, section 42.
    pub struct IntervalType(U32: u32) {
        /// Seconds.
        TIME = 0;
        /// Meters.
        DISTANCE = 1;
    }
}

record! {
    /// A texture of a puff, 36 bytes.
    pub struct PufferTexture: 36 {
        time: F32,
        name: Text<32>,
    }
}

record! {
    /// A color of a puff, 20 bytes.
    pub struct PufferColor: 20 {
        /// Fraction of its lifetime.
        time: F32,
        /// Red, green, blue.
        color: Vec3,
        alpha: F32,
    }
}

record! {
    /// The size of a puff at an age, 8 bytes.
    pub struct PufferGrowth: 8 {
        age: F32,
        scale: F32,
    }
}

macro_rules! puffer_state {
    ($name:ident: $size:literal, $doc:literal, [$($number:ident = $bit:ident)?]) => {
        record! {
            #[doc = $doc]
            pub struct $name: $size {
                name: Text<32>,
                /// The puffer with this name.
                puffer: I32,
                flags: PufferStateFlags,
                node: NodeIndex32,
                active_state: U32,
                translation: Vec3,
                local_velocity: Vec3,
                world_velocity: Vec3,
                min_random_velocity: Vec3,
                max_random_velocity: Vec3,
                world_acceleration: Vec3,
                interval_type: IntervalType,
                /// Seconds or meters; meaningful even without its flag.
                interval_value: F32,
                size: [F32; 2],
                /// Seconds.
                lifetime: [F32; 2],
                start_age: [F32; 2],
                deviation_distance: F32,
                near_fade: [F32; 2],
                fade_range: [F32; 2],
                friction: F32,
                wind_factor: F32,
                priority: F32,
                $($number: U32,)?
                textures_have_times: U32,
                /// The used textures end at the first without a name.
                textures: [PufferTexture; 6],
                /// The number of used colors.
                colors_used: U32,
                colors: [PufferColor; 6],
                /// The number of used sizes.
                growth_used: U32,
                growth: [PufferGrowth; 6],
            }
        }

        gates! { $name, PufferStateFlags:
                AT_NODE => node = u32::MAX;
                ACTIVE_STATE => active_state;
                TRANSLATE_ABS => translation;
                LOCAL_VELOCITY => local_velocity;
                WORLD_VELOCITY => world_velocity;
                MIN_RANDOM_VELOCITY => min_random_velocity;
                MAX_RANDOM_VELOCITY => max_random_velocity;
                WORLD_ACCELERATION => world_acceleration;
                SIZE_RANGE => size;
                LIFETIME_RANGE => lifetime;
                START_AGE_RANGE => start_age;
                DEVIATION_DISTANCE => deviation_distance;
                NEAR_FADE => near_fade;
                FADE_RANGE => fade_range;
                FRICTION => friction;
                WIND_FACTOR => wind_factor;
                PRIORITY => priority;
                $($bit => $number;)?
                TEXTURES => textures_have_times, textures;
                COLORS => colors_used, colors;
                GROWTH_FACTORS => growth_used, growth;
            }
    };
}

puffer_state! {
    PufferState580: 580, "Changes a puffer in MechWarrior 3, 580 bytes. Source: `zipper-anim-events.md`, section 42.", []
}
puffer_state! {
    PufferState584: 584,
    "Changes a puffer in Pirate's Moon and Crimson Skies, 584 bytes. Source: `zipper-anim-events.md`, section 42.",
    [number = NUMBER]
}
