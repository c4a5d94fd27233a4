//! Connectors: objects stretched between two nodes.

use crate::Vec3;
use field::{F32, I16, Text, U16};
use field::{flags, record};

use super::super::expect::gates;
use super::{AnimRefIndex, NodeIndex, delta};

flags! {
    /// The ends of a connector. Source: `zipper-anim-events.md`, section 18.
    pub struct ObjectConnectorFlags(U32: u32) {
        /// From a node.
        FROM_NODE = 0x1;
        /// From the node of the caller.
        FROM_INPUT_NODE = 0x2;
        /// From a position.
        FROM_POS = 0x8;
        /// From the position of the caller.
        FROM_INPUT_POS = 0x10;
        /// To a node.
        TO_NODE = 0x20;
        /// To the node of the caller.
        TO_INPUT_NODE = 0x40;
        /// To a position.
        TO_POS = 0x100;
        /// To the position of the caller.
        TO_INPUT_POS = 0x200;
        /// From a fixed fraction of the way.
        FROM_T = 0x400;
        /// From a changing fraction of the way.
        FROM_T_RANGE = 0x800;
        /// To a fixed fraction of the way.
        TO_T = 0x1000;
        /// To a changing fraction of the way.
        TO_T_RANGE = 0x2000;
        /// Up to a maximum length.
        MAX_LENGTH = 0x8000;
    }
}

/// The bits of 1.0.
const ONE: u32 = 0x3F80_0000;

record! {
    /// Stretches an object between two others, 76 bytes. Source: `zipper-anim-events.md`, section 18.
    pub struct ObjectConnector: 76 {
        flags: ObjectConnectorFlags,
        node: NodeIndex,
        from_node: NodeIndex,
        to_node: NodeIndex,
        pad: U16 = 0,
        from_position: Vec3,
        to_position: Vec3,
        from_t_start: F32,
        from_t_end: F32,
        from_t_delta: F32 => |r| delta(r.from_t_start, r.from_t_end, r.run_time),
        from_t_run_time: F32 = 0.0,
        to_t_start: F32,
        to_t_end: F32,
        to_t_delta: F32 => |r| delta(r.to_t_start, r.to_t_end, r.run_time),
        to_t_run_time: F32 = 0.0,
        /// Seconds.
        run_time: F32,
        max_length: F32,
    }
}

gates! { ObjectConnector, ObjectConnectorFlags:
    FROM_NODE => from_node;
    TO_NODE => to_node;
    FROM_POS => from_position;
    TO_POS => to_position;
    FROM_T | FROM_T_RANGE => from_t_start, from_t_end;
    TO_T | TO_T_RANGE => to_t_start, to_t_end = ONE;
    MAX_LENGTH => max_length;
}

flags! {
    /// The values that the caller passes to a connector. Source: `zipper-anim-events.md`, section 19.
    pub struct CallObjectConnectorFlags(U32: u32) {
        /// From a node.
        FROM_NODE = 0x1;
        /// From the position of a node.
        FROM_NODE_POS = 0x2;
        /// From the node of its own caller.
        FROM_INPUT_NODE = 0x4;
        /// From the position of that node.
        FROM_INPUT_NODE_POS = 0x8;
        /// From a position.
        FROM_POS = 0x10;
        /// From the position of its own caller.
        FROM_INPUT_POS = 0x20;
        /// To a node.
        TO_NODE = 0x40;
        /// To the position of a node.
        TO_NODE_POS = 0x80;
        /// To the node of its own caller.
        TO_INPUT_NODE = 0x100;
        /// To the position of that node.
        TO_INPUT_NODE_POS = 0x200;
        /// To a position.
        TO_POS = 0x400;
        /// To the position of its own caller.
        TO_INPUT_POS = 0x800;
    }
}

record! {
    /// Calls an animation of connectors, 68 bytes. Source: `zipper-anim-events.md`, section 19.
    pub struct CallObjectConnector: 68 {
        flags: CallObjectConnectorFlags,
        animation: Text<32>,
        definition: I16 = 0,
        /// Reference to an animation, counted from 0; -1 for none.
        save_index: AnimRefIndex,
        from_node: NodeIndex,
        to_node: NodeIndex,
        from_position: Vec3,
        to_position: Vec3,
    }
}

gates! { CallObjectConnector, CallObjectConnectorFlags:
    FROM_NODE | FROM_NODE_POS => from_node;
    TO_NODE | TO_NODE_POS => to_node;
    FROM_POS => from_position;
    TO_POS => to_position;
}
