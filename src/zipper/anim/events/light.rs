//! Lights.

use crate::Vec3;
use field::{F32, I32, Text, U32};
use field::{flags, names, record};

use super::super::expect::gates;
use super::NodeIndex32;

flags! {
    /// The fields of a light that the event sets. Source: `zipper-anim-events.md`, section 4.
    pub struct LightStateFlags(U32: u32) {
        /// A position in the world.
        TRANSLATE_ABS = 0x1;
        /// A node, and a position relative to it.
        AT_NODE = 0x2;
        /// A direction.
        ORIENTATION = 0x4;
        /// Its range.
        RANGE = 0x8;
        /// Its color.
        COLOR = 0x10;
        /// Its ambient brightness.
        AMBIENT = 0x20;
        /// Its diffuse brightness.
        DIFFUSE = 0x40;
        /// The directional switch.
        DIRECTIONAL = 0x80;
        /// The saturated switch.
        SATURATED = 0x100;
        /// The subdivide switch; MechWarrior 3 and later.
        SUBDIVIDE = 0x200;
        /// The static switch; MechWarrior 3 and later.
        STATIC = 0x400;
        /// Its ambient color; Pirate's Moon and later.
        AMBIENT_COLOR = 0x800;
        /// The bicolored switch; Pirate's Moon and later.
        BICOLORED = 0x1000;
        /// The light map switch; Pirate's Moon and later.
        LIGHTMAP = 0x2000;
    }
}

names! {
    /// The type of a light. Source: `zipper-anim-events.md`, section 4.
    pub struct LightType(U32: u32) {
        /// It shines in one direction.
        DIRECTED = 0;
        /// It shines from one point.
        POINT_SOURCE = 1;
    }
}

macro_rules! light_state {
    ($name:ident: $size:literal, $doc:literal, [$($switch:ident = $bit:ident),*], [$($color:ident = $color_bit:ident)?]) => {
        record! {
            #[doc = $doc]
            pub struct $name: $size {
                name: Text<32>,
                /// The light with this name.
                light: I32,
                flags: LightStateFlags,
                active_state: U32,
                light_type: LightType,
                directional: U32,
                saturated: U32,
                $($switch: U32,)*
                node: NodeIndex32,
                translation: Vec3,
                orientation: Vec3,
                /// Near, far.
                range: [F32; 2],
                /// Red, green, blue, 0 to 1.
                color: Vec3,
                $(
                    /// Red, green, blue, 0 to 1.
                    $color: Vec3,
                )?
                ambient: F32,
                diffuse: F32,
            }
        }

        gates! { $name, LightStateFlags:
                DIRECTIONAL => directional;
                SATURATED => saturated;
                $($bit => $switch;)*
                AT_NODE => node;
                TRANSLATE_ABS | AT_NODE => translation;
                ORIENTATION => orientation;
                RANGE => range;
                COLOR => color;
                $($color_bit => $color;)?
                AMBIENT => ambient;
                DIFFUSE => diffuse;
            }
    };
}

light_state! {
    LightState112: 112, "Changes a light in Recoil, 112 bytes. Source: `zipper-anim-events.md`, section 4.",
    [], []
}
light_state! {
    LightState120: 120, "Changes a light in MechWarrior 3, 120 bytes. Source: `zipper-anim-events.md`, section 4.",
    [subdivide = SUBDIVIDE, is_static = STATIC], []
}
light_state! {
    LightState140: 140,
    "Changes a light in Pirate's Moon and Crimson Skies, 140 bytes. Source: `zipper-anim-events.md`, section 4.",
    [subdivide = SUBDIVIDE, lightmap = LIGHTMAP, is_static = STATIC, bicolored = BICOLORED],
    [ambient_color = AMBIENT_COLOR]
}

record! {
    /// Changes a light over time, 100 bytes. Source: `zipper-anim-events.md`, section 5.
    pub struct LightAnimation: 100 {
        name: Text<32>,
        /// The light with this name.
        light: I32,
        /// The change of the near and far range.
        range: [F32; 2],
        /// 0 except in one event; in Recoil, the rate at which the change itself changes.
        range_delta: [F32; 2],
        range_run_time: [F32; 2] = [F32::new(0.0); 2],
        /// The change of red, green and blue.
        color: Vec3,
        color_delta: Vec3 = [F32::new(0.0); 3],
        color_run_time: Vec3 = [F32::new(0.0); 3],
        /// Seconds.
        run_time: F32,
    }
}
