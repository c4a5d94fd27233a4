//! Fog, and effects over the whole screen.

use crate::{FogType, Vec3};
use field::{F32, Text};
use field::{flags, record};

use super::super::expect::gates;
use super::{NodeIndex, delta};

flags! {
    /// The fields of the fog to change. Source: `zipper-anim-events.md`, section 28.
    pub struct FogFlags(U32: u32) {
        /// Its type.
        TYPE = 1;
        /// Its color.
        COLOR = 2;
        /// Its altitude.
        ALTITUDE = 4;
        /// Its near and far range.
        RANGE = 8;
    }
}

record! {
    /// Changes the fog, 68 bytes. Source: `zipper-anim-events.md`, section 28.
    pub struct FogState: 68 {
        name: Text<32>,
        flags: FogFlags,
        fog_type: FogType,
        /// Red, green, blue, 0 to 1.
        color: Vec3,
        /// In either order.
        altitude: [F32; 2],
        /// Near, far.
        range: [F32; 2],
    }
}

gates! { FogState, FogFlags:
    TYPE => fog_type = 1;
    COLOR => color;
    ALTITUDE => altitude;
    RANGE => range;
}

record! {
    /// Colors the screen over time, 52 bytes. Source: `zipper-anim-events.md`, section 36.
    pub struct FbfxColorFromTo: 52 {
        red_from: F32,
        red_to: F32,
        red_delta: F32 => |r| delta(r.red_from, r.red_to, r.run_time),
        green_from: F32,
        green_to: F32,
        green_delta: F32 => |r| delta(r.green_from, r.green_to, r.run_time),
        blue_from: F32,
        blue_to: F32,
        blue_delta: F32 => |r| delta(r.blue_from, r.blue_to, r.run_time),
        alpha_from: F32,
        alpha_to: F32,
        alpha_delta: F32 => |r| delta(r.alpha_from, r.alpha_to, r.run_time),
        /// Seconds.
        run_time: F32,
    }
}

flags! {
    /// The position and size of a wave on the screen. Source: `zipper-anim-events.md`, section 37.
    pub struct FbfxCsinwaveFlags(U16: u16) {
        /// At a position on the screen.
        SCREEN_POSITION = 1;
        /// At the position of a node.
        AT_NODE = 2;
        /// With a radius on the screen.
        SCREEN_RADIUS = 4;
        /// With a radius in the world.
        WORLD_RADIUS = 8;
    }
}

record! {
    /// Distorts the screen in waves over time, 100 bytes. Source: `zipper-anim-events.md`, section 37.
    pub struct FbfxCsinwaveFromTo: 100 {
        flags: FbfxCsinwaveFlags,
        node: NodeIndex,
        translation: Vec3,
        screen_x_from: F32,
        screen_x_to: F32,
        screen_x_delta: F32 => |r| delta(r.screen_x_from, r.screen_x_to, r.run_time),
        screen_y_from: F32,
        screen_y_to: F32,
        screen_y_delta: F32 => |r| delta(r.screen_y_from, r.screen_y_to, r.run_time),
        world_radius_from: F32,
        world_radius_to: F32,
        screen_radius_from: F32,
        screen_radius_to: F32,
        screen_radius_delta: F32 => |r| delta(r.screen_radius_from, r.screen_radius_to, r.run_time),
        csin_x_from: F32,
        csin_x_to: F32,
        csin_x_delta: F32 => |r| delta(r.csin_x_from, r.csin_x_to, r.run_time),
        csin_y_from: F32,
        csin_y_to: F32,
        csin_y_delta: F32 => |r| delta(r.csin_y_from, r.csin_y_to, r.run_time),
        csin_z_from: F32,
        csin_z_to: F32,
        csin_z_delta: F32 => |r| delta(r.csin_z_from, r.csin_z_to, r.run_time),
        /// Seconds.
        run_time: F32,
    }
}

gates! { FbfxCsinwaveFromTo, FbfxCsinwaveFlags:
    AT_NODE => node, translation;
    SCREEN_POSITION => screen_x_from, screen_x_to, screen_y_from, screen_y_to;
    WORLD_RADIUS => world_radius_from, world_radius_to;
    SCREEN_RADIUS => screen_radius_from, screen_radius_to;
}
