//! The tree of boxes of a walkmesh.
//!
//! Source: `nwn-mdl-text.md`, section 8.8; `nwn-mdl.md`, section 4.9.

use crate::aabb_tree::{BoxHeader, Entry};
use field::{F32, I32, U32};

/// A box of a text: that of a face, or -1 if two boxes are in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
    pub(super) face: i32,
}

/// Returns the entries of a tree whose boxes are in preorder.
///
/// # Errors
/// Returns an error if the boxes are not one tree.
pub(super) fn entries(rows: Vec<Row>) -> Result<Vec<Entry>, String> {
    // From the last to the first, the boxes without a box around them; that of the left half is on top.
    let mut open: Vec<Row> = Vec::new();
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows.iter().rev() {
        let mut plane = 0;
        if row.face == -1 {
            let (Some(left), Some(right)) = (open.pop(), open.pop()) else {
                return Err("expected two boxes in each box without a face".to_owned());
            };
            plane = side(&left, &right);
        }
        open.push(*row);
        entries.push(Entry {
            head: BoxHeader {
                min: row.min.map(F32::new),
                max: row.max.map(F32::new),
                face: I32::new(row.face),
                plane: U32::new(plane),
                ..bytemuck::Zeroable::zeroed()
            },
            ..Entry::default()
        });
    }
    entries.reverse();
    if open.len() > 1 { Err("expected one box around all others".to_owned()) } else { Ok(entries) }
}

/// Returns the direction from the left box to the right one: 1, 2, 4 along x, y, z, and 8, 16, 32 against them.
fn side(left: &Row, right: &Row) -> u32 {
    let middle = |row: &Row| {
        let ([a, b, c], [x, y, z]) = (row.min, row.max);
        [a + x, b + y, c + z]
    };
    let ([a, b, c], [x, y, z]) = (middle(left), middle(right));
    let [x, y, z] = [x - a, y - b, z - c];
    let pick = |along: f32, bit: u32| if along < 0.0 { bit * 8 } else { bit };
    if x.abs() > y.abs() && x.abs() > z.abs() {
        pick(x, 1)
    } else if y.abs() > z.abs() {
        pick(y, 2)
    } else {
        pick(z, 4)
    }
}

/// Builds a tree for faces: each box is divided at the middle of its faces along its longest side.
pub(super) fn build(faces: Vec<[[f32; 3]; 3]>) -> Vec<Row> {
    let fold = |pick: fn(f32, f32) -> f32, [a, b, c]: [[f32; 3]; 3]| {
        let two = |[a, b, c]: [f32; 3], [x, y, z]: [f32; 3]| [pick(a, x), pick(b, y), pick(c, z)];
        two(two(a, b), c)
    };
    let leaf = |(face, corners)| Row {
        min: fold(f32::min, corners),
        max: fold(f32::max, corners),
        face: i32::try_from(face).unwrap_or(i32::MAX),
    };
    let leaves: Vec<Row> = faces.into_iter().enumerate().map(leaf).collect();
    let mut rows = Vec::with_capacity(leaves.len() * 2);
    let mut waiting = if leaves.is_empty() { Vec::new() } else { vec![leaves] };
    while let Some(mut leaves) = waiting.pop() {
        if let [leaf] = leaves[..] {
            rows.push(leaf);
            continue;
        }
        let around = leaves.iter().copied().reduce(|one, other| Row {
            min: fold(f32::min, [one.min, other.min, other.min]),
            max: fold(f32::max, [one.max, other.max, other.max]),
            face: -1,
        });
        let Some(around) = around else { continue };
        rows.push(Row { face: -1, ..around });
        let size = |axis: usize| {
            let of = |corner: [f32; 3]| corner.get(axis).copied().unwrap_or_default();
            of(around.max) - of(around.min)
        };
        let longest = [0, 1, 2].into_iter().max_by(|one, other| size(*one).total_cmp(&size(*other))).unwrap_or(0);
        let middle = |row: &Row| {
            let of = |corner: [f32; 3]| corner.get(longest).copied().unwrap_or_default();
            of(row.min) + of(row.max)
        };
        leaves.sort_by(|one, other| middle(one).total_cmp(&middle(other)));
        let right = leaves.split_off(leaves.len() / 2);
        waiting.push(right);
        waiting.push(leaves);
    }
    rows
}
