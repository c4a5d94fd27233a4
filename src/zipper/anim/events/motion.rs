//! Objects moved by physics, or from one state to another.

use bitflags::Flags as _;

use crate::Vec3;
use field::{F32, I16, Text, U16};
use field::{flags, record};

use super::super::expect::gates;
use super::{NodeIndex, NodeIndex32, SoundIndex, delta, deltas};

flags! {
    /// The forces and changes that move an object. Source: `zipper-anim-events.md`, section 10.
    pub struct ObjectMotionFlags(U32: u32) {
        /// Gravity.
        GRAVITY = 0x1;
        /// The force of an impact.
        IMPACT_FORCE = 0x2;
        /// A velocity.
        TRANSLATION = 0x4;
        /// A random velocity: the minimum.
        TRANSLATION_RANGE_MIN = 0x8;
        /// A random velocity: the maximum.
        TRANSLATION_RANGE_MAX = 0x10;
        /// A rotation.
        XYZ_ROTATION = 0x20;
        /// A rotation by distance traveled.
        FORWARD_ROTATION_DISTANCE = 0x40;
        /// A rotation by time.
        FORWARD_ROTATION_TIME = 0x80;
        /// Scaling.
        SCALE = 0x100;
        /// Morphing.
        MORPH = 0x200;
        /// A run time.
        RUN_TIME = 0x400;
        /// A sequence to call on a bounce.
        BOUNCE_SEQUENCE = 0x800;
        /// A sound to play on a bounce.
        BOUNCE_SOUND = 0x1000;
        /// Gravity, in its complex form.
        GRAVITY_COMPLEX = 0x2000;
        /// Gravity, regardless of the altitude of the ground.
        GRAVITY_NO_ALTITUDE = 0x4000;
        /// Gravity with tests for intersections with other objects; Crimson Skies.
        GRAVITY_DO_INTERSECTIONS = 0x8000;
    }
}

macro_rules! object_motion {
    (
        $name:ident: $size:literal, $doc:literal,
        { $($index:tt)+ },
        [$($sequence:ident $index_of:ident $sound:ident $velocity:ident),*]
    ) => {
        record! {
            #[doc = $doc]
            pub struct $name: $size {
                flags: ObjectMotionFlags,
                node: NodeIndex,
                pad: U16 = 0,
                unk_08: F32 = 0.0,
                gravity: F32,
                morph: F32,
                /// Minimum and maximum in degrees; the minimum can exceed the maximum.
                launch_azimuth: [F32; 2],
                launch_elevation: [F32; 2],
                launch_speed: [F32; 2],
                launch_acceleration: [F32; 2],
                velocity: Vec3,
                acceleration: Vec3,
                velocity_run_time: Vec3 = [F32::new(0.0); 3],
                acceleration_run_time: Vec3 = [F32::new(0.0); 3],
                launch_direction: Vec3,
                forward_rotation: F32,
                forward_rotation_delta: F32,
                forward_rotation_run_time: F32 = 0.0,
                /// Radians per second.
                xyz_rotation: Vec3,
                xyz_rotation_delta: Vec3,
                xyz_rotation_run_time: Vec3 = [F32::new(0.0); 3],
                /// Offset from 1.
                scale: Vec3,
                scale_delta: Vec3,
                scale_run_time: Vec3 = [F32::new(0.0); 3],
                bounce_sequence: Text<32>,
                bounce_sequence_index: I16 $($index)+,
                /// Static sound.
                bounce_sound: SoundIndex,
                /// The velocity at which the sound reaches full volume.
                bounce_sound_velocity: F32,
                $(
                    $sequence: Text<32>,
                    $index_of: I16 = -1,
                    $sound: I16,
                    $velocity: F32,
                )*
                /// Seconds.
                run_time: F32,
            }
        }

        gates! { $name, ObjectMotionFlags:
                GRAVITY => gravity;
                MORPH => morph;
                TRANSLATION_RANGE_MIN | TRANSLATION_RANGE_MAX =>
                    launch_azimuth, launch_elevation, launch_speed, launch_acceleration;
                TRANSLATION => velocity, acceleration, launch_direction;
                FORWARD_ROTATION_DISTANCE | FORWARD_ROTATION_TIME => forward_rotation;
                FORWARD_ROTATION_TIME => forward_rotation_delta;
                XYZ_ROTATION => xyz_rotation, xyz_rotation_delta;
                SCALE => scale, scale_delta;
                BOUNCE_SEQUENCE => bounce_sequence $(, $sequence)*;
                BOUNCE_SOUND => bounce_sound, bounce_sound_velocity $(, $sound, $velocity)*;
                RUN_TIME => run_time;
            }
    };
}

object_motion! {
    ObjectMotion240: 240, "Moves an object in Recoil, 240 bytes. Source: `zipper-anim-events.md`, section 10.",
    { => |r| if r.flags.contains(ObjectMotionFlags::BOUNCE_SEQUENCE) { -1 } else { 0 } },
    []
}
object_motion! {
    ObjectMotion320: 320,
    "Moves an object in MechWarrior 3 and later, with a surface of its own for water and for lava, 320 bytes. Source: \
     `zipper-anim-events.md`, section 10.",
    { = -1 },
    [
        bounce_sequence_water bounce_sequence_water_index bounce_sound_water bounce_sound_water_velocity,
        bounce_sequence_lava bounce_sequence_lava_index bounce_sound_lava bounce_sound_lava_velocity
    ]
}

flags! {
    /// The properties of an object to change.
    pub struct ObjectMotionFromToFlags(U32: u32) {
        /// Its position.
        TRANSLATE = 1;
        /// Its rotation.
        ROTATE = 2;
        /// Its scale.
        SCALE = 4;
        /// Its morph state.
        MORPH = 8;
    }
}

record! {
    /// Moves an object from one state to another, 132 bytes. Source: `zipper-anim-events.md`, section 11.
    pub struct ObjectMotionFromTo: 132 {
        flags: ObjectMotionFromToFlags,
        node: NodeIndex32,
        morph_from: F32,
        morph_to: F32,
        morph_delta: F32 => |r| delta(r.morph_from, r.morph_to, r.run_time),
        translate_from: Vec3,
        translate_to: Vec3,
        translate_delta: Vec3 => |r| deltas(r.translate_from, r.translate_to, r.run_time),
        /// Radians.
        rotate_from: Vec3,
        rotate_to: Vec3,
        rotate_delta: Vec3 => |r| deltas(r.rotate_from, r.rotate_to, r.run_time),
        scale_from: Vec3,
        scale_to: Vec3,
        scale_delta: Vec3 => |r| deltas(r.scale_from, r.scale_to, r.run_time),
        /// Seconds.
        run_time: F32,
    }
}

gates! { ObjectMotionFromTo, ObjectMotionFromToFlags:
    MORPH => morph_from, morph_to;
    TRANSLATE => translate_from, translate_to;
    ROTATE => rotate_from, rotate_to;
    SCALE => scale_from, scale_to;
}
