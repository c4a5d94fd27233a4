//! Objects: position and appearance.

use crate::Vec3;
use field::{F32, I16, U16, U32};
use field::{flags, record};

use super::super::expect::gates;
use super::{NodeIndex, NodeIndex32, delta};

record! {
    /// Shows or hides an object, 8 bytes. Source: `zipper-anim-events.md`, section 6.
    pub struct ObjectActiveState: 8 {
        state: U32,
        node: NodeIndex,
        pad: U16 = 0,
    }
}

record! {
    /// Moves an object, 20 bytes. Source: `zipper-anim-events.md`, section 7.
    pub struct ObjectTranslateState: 20 {
        relative: U32,
        translation: Vec3,
        node: NodeIndex,
        at_node: NodeIndex,
    }
}

record! {
    /// Scales an object, 16 bytes. Source: `zipper-anim-events.md`, section 8.
    pub struct ObjectScaleState: 16 {
        scale: Vec3,
        node: NodeIndex32,
    }
}

flags! {
    /// The reference of a rotation; absolute if no flag is set.
    pub struct RotateFlags(U32: u32) {
        /// Relative to its current rotation.
        RELATIVE = 1;
        /// The rotation of a node, by its angles.
        AT_NODE_XYZ = 2;
        /// The rotation of a node, by its matrix.
        AT_NODE_MATRIX = 4;
    }
}

record! {
    /// Rotates an object, 20 bytes. Source: `zipper-anim-events.md`, section 9.
    pub struct ObjectRotateState: 20 {
        flags: RotateFlags,
        /// Radians.
        rotation: Vec3,
        node: NodeIndex,
        at_node: NodeIndex,
    }
}

gates! { ObjectRotateState, RotateFlags:
    AT_NODE_XYZ | AT_NODE_MATRIX => at_node;
}

record! {
    /// Sets the opacity of an object, 12 bytes. Source: `zipper-anim-events.md`, section 13.
    pub struct ObjectOpacityState: 12 {
        is_set: I16,
        opacity_given: I16,
        /// 0 to 1.
        opacity: F32,
        node: NodeIndex,
        pad: U16 = 0,
    }
}

record! {
    /// Changes the opacity of an object over time, 24 bytes. Source: `zipper-anim-events.md`, section 14.
    pub struct ObjectOpacityFromTo: 24 {
        node: NodeIndex32,
        from_state: I16,
        to_state: I16,
        from: F32,
        to: F32,
        delta: F32 => |r| delta(r.from, r.to, r.run_time),
        /// Seconds.
        run_time: F32,
    }
}

record! {
    /// Attaches a node to a parent or detaches it, 4 bytes. Source: `zipper-anim-events.md`, sections 15 and 16.
    pub struct ObjectChild: 4 {
        parent: NodeIndex,
        child: NodeIndex,
    }
}

record! {
    /// Switches the texture of an object, 8 bytes. Source: `zipper-anim-events.md`, section 17.
    pub struct ObjectCycleTexture: 8 {
        flags: U32 = 1,
        node: NodeIndex,
        /// The frame to jump to.
        reset: U16,
    }
}
