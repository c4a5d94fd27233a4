//! The records of collections. Source: `marathon-shapes.md`, sections 2 to 4.

use crate::field::{I16be, I32be, Pascal, U8, U16be};
use crate::{flags, names, record};

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

record! {
    /// The header of a sequence, 88 bytes. Source: `marathon-shapes.md`, section 3.
    pub struct SequenceHeader: 88 {
        sequence_type: I16be = 0,
        flags: U16be = 0,
        name: Pascal<34>,
        /// See [`views`].
        view_type: I16be,
        frames_per_view: I16be,
        ticks_per_frame: I16be,
        key_frame: I16be,
        transfer_mode: I16be,
        /// In ticks.
        transfer_mode_period: I16be,
        /// -1 for none, as for the next two.
        first_frame_sound: I16be,
        key_frame_sound: I16be,
        last_frame_sound: I16be,
        pixels_to_world: I16be,
        loop_frame: I16be,
        unused: [I16be; 14] = [I16be::new(0); 14],
    }
}

/// Returns the number of views for a view type.
#[must_use]
pub fn views(view_type: i16) -> i16 {
    match view_type {
        1 | 10 => 1,
        3 | 4 => 4,
        9 | 11 => 5,
        2 | 5 | 8 => 8,
        other => other,
    }
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
        minimum_light: I32be,
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
