//! The cells of the grid over the world.

use crate::gamez::arithmetic::cell_diagonal;
use crate::gamez::free::null_where_nothing;
use crate::gamez::games::Layouts;
use field::record;
use field::{Block, F32, I16, I32, Result, U16, U32, lay, wide};

use super::world::{WorldArea, WorldGrid};

record! {
    /// A cell, 64 bytes: its corner, box and center. Source: `zipper-nodes.md`, section 6.8.
    pub struct CellHeader: 64 {
        flags: U32 = 0x100,
        index: I32 = -1,
        x: F32 as Outside,
        z: F32 as Outside,
        min_x: F32 as Outside,
        min_y: F32,
        min_z: F32 as Outside,
        max_x: F32 as Outside,
        max_y: F32,
        max_z: F32 as Outside,
        mid_x: F32 as Outside,
        /// Off by one or a few steps in 204 cells of MechWarrior 3.
        mid_y: F32 => |it| (it.max_y.get() + it.min_y.get()) * 0.5,
        mid_z: F32 as Outside,
        /// The approximate distance from its center to a corner.
        diagonal: F32 as Outside,
        unk_38: U16 = 0,
        node_count: I16 as Outside,
        nodes_ptr: U32 as Pointer,
    }
}

record! {
    /// The end of a cell of MechWarrior 3, 8 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct CellEndMw: 8 {
        unk_40: [U32; 2] = [U32::new(0); 2],
    }
}

record! {
    /// The end of a cell from Pirate's Moon onward, 24 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct CellEndPm: 24 {
        unk_40: [U32; 6] = [U32::new(0); 6],
    }
}

record! {
    /// A node in a cell, from Pirate's Moon onward, 12 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct CellNode: 12 {
        node: I32,
        min_y: F32,
        max_y: F32,
    }
}

/// The record of a node in a cell.
pub trait InCell {
    /// Returns the slot of the node.
    fn slot(&self) -> I32;

    /// Returns the least and the greatest height, from Pirate's Moon onward.
    fn heights(&self) -> Option<[F32; 2]> {
        None
    }
}

impl InCell for I32 {
    fn slot(&self) -> I32 {
        *self
    }
}

impl InCell for CellNode {
    fn slot(&self) -> I32 {
        self.node
    }

    fn heights(&self) -> Option<[F32; 2]> {
        Some([self.min_y, self.max_y])
    }
}

/// A cell.
#[derive(Clone, Debug, Default)]
pub struct Cell<G: Layouts> {
    /// The position and the box of the cell.
    pub head: CellHeader,
    /// The fields that later games added.
    pub end: G::CellEnd,
    /// The nodes in it.
    pub nodes: Block<G::CellNode>,
}

/// The position of a cell: its corner with the least x and the greatest z, and its size from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    corner: [f32; 2],
    size: [f32; 2],
}

/// The positions of all cells, row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    origin: [f32; 2],
    size: [f32; 2],
    columns: u64,
    at: u64,
}

impl Grid {
    /// Returns the grid over an area, with this number of columns.
    pub(super) fn of(area: &WorldArea, grid: &WorldGrid, columns: u64) -> Self {
        let origin = [area.area_left.get(), area.area_bottom.get()];
        Self { origin, size: grid.cell_size.map(F32::get), columns, at: 0 }
    }
}

impl Iterator for Grid {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let (row, column) = (self.at.checked_div(self.columns)?, self.at.checked_rem(self.columns)?);
        self.at = self.at.checked_add(1)?;
        // Grids are at most a few hundred cells wide; beyond 65535, no rule is known.
        let [column, row] = [u16::try_from(column).ok()?, u16::try_from(row).ok()?].map(f32::from);
        let ([left, bottom], [x, z]) = (self.origin, self.size);
        Some(Place { corner: [left + column * x, bottom + row * z], size: self.size })
    }
}

lay! {
    impl<G: Layouts> LayBy<Option<Place>> for Cell<G> {
        /// Lays out a cell at a position, if the position is known.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, place: Option<Place>) -> Result {
            let Self { head, end, nodes } = self;
            t.computed("node_count", at!(head.node_count), wide(nodes.len()))?;
            match place {
                Some(place) => t.fields_ruled(at!(*head), |head| head.placed(place))?,
                None => t.fields(at!(*head))?,
            }
            let count = t.stated("node_count", head.node_count)?;
            t.judge(|t| null_where_nothing(t, "nodes_ptr", head.nodes_ptr, count > 0));
            t.fields(end)?;
            t.block("nodes", count, nodes)
        }
    }
}

impl CellHeader {
    /// Returns the cell with the values that its position gives. Source: `zipper-nodes.md`, sections 6.8 and 9.
    fn placed(&self, place: Place) -> Self {
        let Place { corner: [x, z], size: [width, height] } = place;
        let half = [width / 2.0, height / 2.0];
        let [half_x, half_z] = half;
        Self {
            x: x.into(),
            z: z.into(),
            min_x: x.into(),
            min_z: (z + height).into(),
            max_x: (x + width).into(),
            max_z: z.into(),
            mid_x: (x + half_x).into(),
            mid_z: (z + half_z).into(),
            diagonal: cell_diagonal(half, [self.min_y.get(), self.max_y.get()]).into(),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_beyond_the_known_rules_keeps_its_position() {
        use crate::gamez::games::Recoil;
        use crate::gamez::nodes::World;
        use json::Recomputation;
        use json::recompute::recompute;
        let cell =
            |x: f32| Cell { head: CellHeader { x: x.into(), ..CellHeader::default() }, ..Cell::<Recoil>::default() };
        let mut world = World::<Recoil> { cells: vec![cell(7.0); 65537], ..World::default() };
        world.grid.x_count.set(65537);
        world.grid.z_count.set(1);
        recompute(&mut world, &Recomputation::default()).expect("it recomputes");
        assert_eq!([65535, 65536].map(|at: usize| world.cells[at].head.x.get()), [0.0, 7.0]);
    }

    /// Source: `zipper-nodes.md`, section 9.
    #[test]
    fn mid_y_follows_its_rule() {
        use field::{Record as _, Rule};
        let field = CellHeader::LAYOUT.fields.iter().find(|field| field.name == "mid_y").expect("the field");
        let Rule::Exact(rule) = field.rule else { panic!("an exact rule") };
        for (min_y, max_y, bits) in [(-10.0, 30.0, 0x4120_0000_u32), (0.1, 123.456, 0x4277_1CAC)] {
            let cell = CellHeader { min_y: F32::new(min_y), max_y: F32::new(max_y), ..CellHeader::default() };
            let mut out = [0; 4];
            rule(field::bytes_of(&cell), &mut out);
            assert_eq!(u32::from_le_bytes(out), bits);
        }
    }
}
