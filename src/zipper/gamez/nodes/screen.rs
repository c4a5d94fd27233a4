//! Windows and displays.

use field::record;
use field::{F32, I32, U32};

record! {
    /// A display, 28 bytes. Source: `zipper-nodes.md`, section 6.2.
    pub struct Display: 28 {
        origin_x: U32,
        origin_y: U32,
        resolution_x: U32,
        resolution_y: U32,
        /// Red, green, blue, each up to 1.
        clear_color: [F32; 3],
    }
}

record! {
    /// A window, 248 bytes. Source: `zipper-nodes.md`, section 6.3.
    pub struct Window: 248 {
        origin_x: I32,
        origin_y: I32,
        resolution_x: I32,
        resolution_y: I32,
        /// Four points and a number of corners each; all unused.
        clear_polygons: [[U32; 13]; 4] = [[U32::new(0); 13]; 4],
        clear_polygon_count: I32 = 0,
        buffer_index: I32 = -1,
        buffer_ptr: U32 = 0,
        width: U32 = 0,
        height: U32 = 0,
        depth: U32 = 0,
    }
}
