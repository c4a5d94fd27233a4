//! Movement of players.

use super::super::numbers::Fixed;
use field::record;

/// Declares the movement of players; those of Marathon make no splash.
macro_rules! player {
    ($(#[$meta:meta])* $name:ident: $size:literal, $($splash_height:ident)?) => {
        record! {
            $(#[$meta])*
            pub struct $name: $size {
                maximum_forward_velocity: Fixed,
                maximum_backward_velocity: Fixed,
                maximum_perpendicular_velocity: Fixed,
                acceleration: Fixed,
                deceleration: Fixed,
                airborne_deceleration: Fixed,
                gravitational_acceleration: Fixed,
                climbing_acceleration: Fixed,
                terminal_velocity: Fixed,
                external_deceleration: Fixed,
                angular_acceleration: Fixed,
                angular_deceleration: Fixed,
                maximum_angular_velocity: Fixed,
                angular_recentering_velocity: Fixed,
                fast_angular_velocity: Fixed,
                fast_angular_maximum: Fixed,
                maximum_elevation: Fixed,
                external_angular_deceleration: Fixed,
                step_delta: Fixed,
                step_amplitude: Fixed,
                radius: Fixed,
                height: Fixed,
                dead_height: Fixed,
                camera_height: Fixed,
                $($splash_height: Fixed,)?
                half_camera_separation: Fixed,
            }
        }
    };
}

player! {
    /// The movement of a player, walking, then running, 104 bytes. Source: `marathon-physics.md`, section 4.
    Player: 104, splash_height
}

player! {
    /// The movement of a player of Marathon: in the editor, walking, running, 100 bytes. Source: `marathon-physics.md`, section 6.
    EarlyPlayer: 100,
}
