//! The records of collections. Source: `marathon-shapes.md`, sections 2 to 4.

use field::{I16be, I32be, Pascal, U8, U16be};
use field::{flags, names, record};

use super::super::names::{Sound, TransferMode};
use super::super::numbers::Fixed;

names! {
    /// The purpose of a collection. Source: `marathon-enums.md`.
    pub struct CollectionType(I16be: i16) {
        /// Unused.
        UNUSED = 0;
        /// Walls.
        WALL = 1;
        /// Static and moving objects.
        OBJECT = 2;
        /// Parts of the interface.
        INTERFACE = 3;
        /// Scenery.
        SCENERY = 4;
    }
}

record! {
    /// The definition of a collection, 544 bytes. Source: `marathon-shapes.md`, section 2.
    pub struct Definition: 544 {
        version: I16be,
        collection_type: CollectionType,
        flags: U16be,
        colors_per_table: I16be,
        color_table_count: I16be,
        /// From the start of the definition, like the other offsets.
        color_tables: I32be as Outside,
        sequence_count: I16be as Outside,
        sequence_table: I32be as Outside,
        frame_count: I16be as Outside,
        frame_table: I32be as Outside,
        bitmap_count: I16be as Outside,
        bitmap_table: I32be as Outside,
        /// Scale of its frames, unless a sequence has its own.
        pixels_to_world: I16be,
        /// Size of the whole collection.
        size: I32be as Outside,
        unused: [I16be; 253] = [I16be::new(0); 253],
    }
}

flags! {
    /// The effect of a color. Source: `marathon-shapes.md`, section 2.
    pub struct ColorFlags(U8: u8) {
        /// Equally bright in the dark.
        SELF_LUMINESCENT = 0x80;
    }
}

record! {
    /// A color, 8 bytes. Source: `marathon-shapes.md`, section 2.
    pub struct Color: 8 {
        flags: ColorFlags,
        /// The slot in the palette.
        value: U8,
        red: U16be,
        green: U16be,
        blue: U16be,
    }
}

names! {
    /// The views of a sequence: those that are drawn, and those that they stand for. Source: `marathon-enums.md`, Shapes and sounds.
    pub struct ViewType(I16be: i16) {
        /// One view, animated.
        ONE = 1;
        /// Two views for eight.
        TWO_TO_EIGHT = 2;
        /// Three views for four.
        THREE_TO_FOUR = 3;
        /// Four views.
        FOUR = 4;
        /// Five views for eight.
        FIVE_TO_EIGHT = 5;
        /// Eight views.
        EIGHT = 8;
        /// Three views for five.
        THREE_TO_FIVE = 9;
        /// One view.
        NOT_ANIMATED = 10;
        /// Five views.
        FIVE = 11;
    }
}

impl ViewType {
    /// Returns the number of views that are stored. Source: `marathon-shapes.md`, section 3.
    #[must_use]
    pub fn views(self) -> i16 {
        match self {
            Self::ONE | Self::NOT_ANIMATED => 1,
            Self::THREE_TO_FOUR | Self::FOUR => 4,
            Self::THREE_TO_FIVE | Self::FIVE => 5,
            Self::TWO_TO_EIGHT | Self::FIVE_TO_EIGHT | Self::EIGHT => 8,
            other => other.get(),
        }
    }
}

/// The maximum length of the name of a sequence; the field has room for one more character. Source: `marathon-shapes.md`, section 3.
pub(super) const MOST_OF_NAME: u8 = 32;

/// Declares the header of a sequence: Marathon has other sounds.
macro_rules! sequence {
    ($(#[$meta:meta])* $name:ident, $sound:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 88 {
                sequence_type: I16be = 0,
                flags: U16be = 0,
                name: Pascal<34>,
                view_type: ViewType,
                frames_per_view: I16be,
                ticks_per_frame: I16be,
                key_frame: I16be,
                transfer_mode: TransferMode,
                /// In ticks.
                transfer_mode_period: I16be,
                /// -1 for none, as for the next two.
                first_frame_sound: $sound,
                key_frame_sound: $sound,
                last_frame_sound: $sound,
                pixels_to_world: I16be,
                loop_frame: I16be,
                unused: [I16be; 14] = [I16be::new(0); 14],
            }
        }
    };
}

sequence! {
    /// The header of a sequence, 88 bytes. Source: `marathon-shapes.md`, section 3.
    SequenceHeader, Sound
}

sequence! {
    /// The header of a sequence of Marathon, 88 bytes. Source: `marathon-shapes.md`, section 3.
    EarlySequenceHeader, I16be
}

flags! {
    /// Display of a frame. Source: `marathon-shapes.md`, section 4.
    pub struct FrameFlags(U16be: u16) {
        /// The key point is obscured.
        KEYPOINT_OBSCURED = 0x2000;
        /// Upside down.
        Y_MIRRORED = 0x4000;
        /// Mirrored left to right.
        X_MIRRORED = 0x8000;
    }
}

record! {
    /// A frame, 36 bytes. Source: `marathon-shapes.md`, section 4.
    pub struct Frame: 36 {
        flags: FrameFlags,
        /// With 16 fractional bits.
        minimum_light: Fixed,
        /// -1 for none.
        bitmap: I16be,
        /// In pixels.
        origin: [I16be; 2],
        /// In pixels.
        key_point: [I16be; 2],
        /// 1,024 is one world unit, as in the next fields.
        world_left: I16be,
        world_right: I16be,
        world_top: I16be,
        world_bottom: I16be,
        world_key_point: [I16be; 2],
        unused: [I16be; 4] = [I16be::new(0); 4],
    }
}
