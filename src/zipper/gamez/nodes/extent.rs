//! The boxes of a node: its own, which the demos of 1998 store as eight corners, and those of its model and its children.
//!
//! Source: `zipper-nodes.md`, sections 2, 4 and 14.

use bitflags::Flags as _;

use crate::Vec3;
use crate::gamez::games::GameRecord;
use field::record;
use field::{F32, Record, U32};

use super::NodeFlags;

record! {
    /// The box of a node, 24 bytes. Source: `zipper-nodes.md`, section 2.
    pub struct NodeBox: 24 {
        node_bbox: [Vec3; 2],
    }
}

record! {
    /// The corners of the box of a node in Recoil's demos of 1998, 96 bytes. Source: `zipper-nodes.md`, section 14.
    pub struct NodeCorners: 96 {
        /// In the space of the parent: those with the least y, then those with the greatest y.
        corners: [Vec3; 8] as Outside,
    }
}

record! {
    /// The corners that a freed node of the demos has left, 96 bytes. Source: `zipper-nodes.md`, sections 1.2 and 14.
    pub struct StaleCorners: 96 {
        corners: [Vec3; 8] as Stale,
    }
}

record! {
    /// The boxes of the model and of the children of a node, 52 bytes. Source: `zipper-nodes.md`, section 2.
    pub struct NodeBoxes: 52 {
        model_bbox: [Vec3; 2],
        child_bbox: [Vec3; 2],
        activation_ptr: U32 = 0,
    }
}

/// The box of a node as a game stores it. It encloses the boxes of its model and its children.
pub trait NodeExtent: GameRecord {
    /// The record of a freed node, for which no rule holds.
    type Freed: Record;

    /// The name of the field.
    const NAME: &'static str;

    /// Returns the box, or `None` if it follows from the others.
    fn node_bbox(&self) -> Option<&[Vec3; 2]>;

    /// Stores the box, unless it follows from the others.
    fn set_node_bbox(&mut self, node_bbox: [Vec3; 2]);

    /// Returns the record for a node with these flags and boxes, and with this matrix if it has one, or `None` if no rule gives it.
    fn by_rule(flags: NodeFlags, boxes: &NodeBoxes, matrix: Option<&[F32; 12]>) -> Option<Self>;

    /// Returns `true` if all numbers are 0.
    fn is_empty(&self) -> bool {
        field::bytes_of(self).iter().all(|&byte| byte == 0)
    }
}

impl NodeExtent for NodeBox {
    type Freed = Self;

    const NAME: &'static str = "node_bbox";

    fn node_bbox(&self) -> Option<&[Vec3; 2]> {
        Some(&self.node_bbox)
    }

    fn set_node_bbox(&mut self, node_bbox: [Vec3; 2]) {
        self.node_bbox = node_bbox;
    }

    fn by_rule(_: NodeFlags, _: &NodeBoxes, _: Option<&[F32; 12]>) -> Option<Self> {
        None
    }
}

impl NodeExtent for NodeCorners {
    type Freed = StaleCorners;

    const NAME: &'static str = "corners";

    fn node_bbox(&self) -> Option<&[Vec3; 2]> {
        None
    }

    fn set_node_bbox(&mut self, _: [Vec3; 2]) {}

    fn by_rule(flags: NodeFlags, boxes: &NodeBoxes, matrix: Option<&[F32; 12]>) -> Option<Self> {
        let Some([low, high]) = both(flags, boxes) else { return Some(Self::default()) };
        let [[left, bottom, back], [right, top, front]] = [low, high];
        let ring = |y: f32| [[left, y, front], [right, y, front], [right, y, back], [left, y, back]];
        let [[a, b, c, d], [e, f, g, h]] = [ring(bottom), ring(top)];
        let corners = [a, b, c, d, e, f, g, h].map(|corner| placed(corner, matrix).map(F32::new));
        Some(Self { corners })
    }
}

/// Returns the box around those of the model and the children, as far as the flags of the node say that they are valid.
fn both(flags: NodeFlags, boxes: &NodeBoxes) -> Option<[[f32; 3]; 2]> {
    let valid = |flag: NodeFlags, of: [Vec3; 2]| flags.contains(flag).then(|| of.map(|corner| corner.map(F32::get)));
    let model = valid(NodeFlags::BBOX_MODEL, boxes.model_bbox);
    let child = valid(NodeFlags::BBOX_CHILD, boxes.child_bbox);
    let (Some([mut low, mut high]), Some(other)) = (model, child) else { return model.or(child) };
    let [least, most] = other;
    low.iter_mut().zip(least).for_each(|(low, least)| *low = low.min(least));
    high.iter_mut().zip(most).for_each(|(high, most)| *high = high.max(most));
    Some([low, high])
}

/// Returns a point after the transformation by three rows and a translation, in single precision from left to right.
fn placed([x, y, z]: [f32; 3], matrix: Option<&[F32; 12]>) -> [f32; 3] {
    let Some(matrix) = matrix else { return [x, y, z] };
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, left, up, back] = matrix.map(F32::get);
    [x * xx + y * yx + z * zx + left, x * xy + y * yy + z * zy + up, x * xz + y * yz + z * zz + back]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: NodeFlags = NodeFlags::BBOX_MODEL;
    const CHILD: NodeFlags = NodeFlags::BBOX_CHILD;

    fn boxes(model: [[f32; 3]; 2], child: [[f32; 3]; 2]) -> NodeBoxes {
        let of = |corners: [[f32; 3]; 2]| corners.map(|corner| corner.map(F32::new));
        NodeBoxes { model_bbox: of(model), child_bbox: of(child), ..NodeBoxes::default() }
    }

    fn corners(flags: NodeFlags, boxes: &NodeBoxes, matrix: Option<[f32; 12]>) -> [[f32; 3]; 8] {
        let matrix = matrix.map(|matrix| matrix.map(F32::new));
        let by_rule = NodeCorners::by_rule(flags, boxes, matrix.as_ref()).expect("a rule");
        by_rule.corners.map(|corner| corner.map(F32::get))
    }

    const ONE: [[f32; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    const NONE: [[f32; 3]; 2] = [[0.0; 3]; 2];
    const RING: [[f32; 3]; 8] = [
        [1.0, 2.0, 6.0],
        [4.0, 2.0, 6.0],
        [4.0, 2.0, 3.0],
        [1.0, 2.0, 3.0],
        [1.0, 5.0, 6.0],
        [4.0, 5.0, 6.0],
        [4.0, 5.0, 3.0],
        [1.0, 5.0, 3.0],
    ];

    /// Source: the vectors of `zipper-nodes.md`, section 14.
    #[test]
    fn corners_match_the_vectors_of_the_spec() {
        let mut matrix = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(corners(MODEL, &boxes(ONE, NONE), Some(matrix)), RING);
        assert_eq!(corners(CHILD, &boxes(NONE, ONE), None), RING);
        matrix[9] = 10.0;
        assert_eq!(corners(MODEL, &boxes(ONE, NONE), Some(matrix)), RING.map(|[x, y, z]| [x + 10.0, y, z]));
        // A quarter turn around y: x becomes the second point's -z.
        let turned = [0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(corners(MODEL, &boxes(ONE, NONE), Some(turned)), RING.map(|[x, y, z]| [z, y, -x]));
    }

    #[test]
    fn corners_enclose_only_boxes_that_are_valid() {
        let far = [[-7.0, 3.0, 4.0], [2.0, 9.0, 5.0]];
        let both = corners(MODEL.union(CHILD), &boxes(ONE, far), None);
        assert_eq!([both[3], both[5]], [[-7.0, 2.0, 3.0], [4.0, 9.0, 6.0]]);
        assert_eq!(corners(MODEL, &boxes(ONE, far), None), RING);
        assert_eq!(corners(NodeFlags::BBOX_NODE, &boxes(ONE, far), None), [[0.0; 3]; 8]);
    }
}
