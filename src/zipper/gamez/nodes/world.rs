//! The world: its weather, its area, and the grid of cells over it.

use crate::FogType;
use crate::gamez::arithmetic::rough_root;
use crate::gamez::free::null_where_nothing;
use crate::gamez::games::{Layouts, MechWarrior3};
use field::{Block, F32, I32, Result, U32, lay, wide};
use field::{flags, record};

use super::base::Ruled;
use super::cell::{Cell, CellHeader, Grid};

flags! {
    /// The fog settings that have changed; only while Recoil runs. Source: `zipper-nodes.md`, section 6.8.
    pub struct WorldFlags(U32: u32) {
        /// Its type.
        FOG_STATE = 0x01;
        /// Its color.
        FOG_COLOR = 0x02;
        /// Its near and far range.
        FOG_RANGE = 0x04;
        /// Its density.
        FOG_DENSITY = 0x08;
        /// Its altitude.
        FOG_ALTITUDE = 0x20;
    }
}

record! {
    /// Weather and area, 76 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct WorldArea: 76 {
        flags: WorldFlags,
        pending_update_count: I32 = 0,
        pending_update_capacity: I32 as Stale,
        pending_update_ptr: U32 as Pointer,
        fog_type: FogType,
        /// Red, green, blue, each up to 1.
        fog_color: [F32; 3],
        /// Near and far.
        fog_range: [F32; 2],
        /// High and low.
        fog_altitude: [F32; 2],
        fog_density: F32,
        area_left: F32,
        area_bottom: F32,
        area_width: F32 as Outside,
        /// Negative, because the bottom is further along the axis than the top.
        area_height: F32 as Outside,
        area_right: F32,
        area_top: F32,
    }
}

record! {
    /// The border of the area, from Pirate's Moon onward, 16 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct WorldBorder: 16 {
        border_left: F32 as Outside,
        border_bottom: F32 as Outside,
        border_right: F32 as Outside,
        border_top: F32 as Outside,
    }
}

record! {
    /// The settings of the virtual partition, 8 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct WorldPartition: 8 {
        /// One byte, and three of padding.
        max_dec_features: U32,
        virtual_partition: U32,
    }
}

record! {
    /// The range of virtual cells in MechWarrior 3 and Pirate's Moon, 16 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct WorldRange: 16 {
        x_min: I32 = 1,
        z_min: I32 = 1,
        x_max: I32 as Outside,
        z_max: I32 as Outside,
    }
}

record! {
    /// The range of virtual cells in Crimson Skies, 16 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct WorldRangeCs: 16 {
        /// Less than the number of columns.
        x_min: I32,
        /// Less than the number of rows.
        z_min: I32,
        x_max: I32 as Outside,
        z_max: I32 as Outside,
    }
}

record! {
    /// The grid and the lists of the world, 88 bytes. Source: `zipper-nodes.md`, section 6.8.
    pub struct WorldGrid: 88 {
        /// Along x and along z; negative along z.
        cell_size: [F32; 2],
        cell_half: [F32; 2] => |it| it.cell_size.map(|size| F32::new(size.get() / 2.0)),
        cell_inverse: [F32; 2] => |it| it.cell_size.map(|size| F32::new(1.0 / size.get())),
        radius_bias: F32 => |it| radius_bias(it.cell_size),
        inclusion_tolerance: [F32; 2],
        /// Columns.
        x_count: I32,
        /// Rows.
        z_count: I32,
        grid_ptr: U32 as Pointer,
        scale: [F32; 3] = [F32::new(1.0); 3],
        light_count: I32 as Outside,
        lights_ptr: [U32; 2] as Pointer,
        sound_count: I32 as Outside,
        sounds_ptr: [U32; 2] as Pointer,
        unk_last: I32 = 0,
    }
}

/// The distance of the border outside the area.
const BORDER: f32 = 3.0;

/// Returns minus half the approximate diagonal of a cell. Source: `zipper-nodes.md`, section 9.
fn radius_bias([x, z]: [F32; 2]) -> f32 {
    rough_root(x.get() * x.get() + z.get() * z.get()) * -0.5
}

/// The input for the last virtual cells: columns and rows, and whether a game that stores this has no virtual cells.
#[derive(Clone, Copy, Debug)]
pub struct LastCells {
    counts: [I32; 2],
    none: bool,
}

/// The world.
#[derive(Clone, Debug, Default)]
pub struct World<G: Layouts> {
    /// Weather and area.
    pub area: WorldArea,
    /// The border of the area.
    pub border: G::WorldBorder,
    /// The settings of the virtual partition.
    pub partition: WorldPartition,
    /// The range of virtual cells.
    pub range: G::WorldRange,
    /// The grid and the lists.
    pub grid: WorldGrid,
    /// The nodes of lights; in Crimson Skies, numbers that belong to no node.
    pub lights: Block<I32>,
    /// The nodes of sounds.
    pub sounds: Block<I32>,
    /// The cells, row by row.
    pub cells: Vec<Cell<G>>,
}

lay! {
    impl<G: Layouts> Lay for World<G> {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let Self { area, border, partition, range, grid, lights, sounds, cells } = self;
            t.fields_ruled(at!(*area), WorldArea::by_rule)?;
            t.fields_ruled(border, |border| border.by_rule(area))?;
            t.fields(at!(*partition))?;
            let none = partition.virtual_partition.get() == 0 && G::VERSION > MechWarrior3::VERSION;
            let last = LastCells { counts: [grid.x_count, grid.z_count], none };
            t.fields_ruled(range, |range| range.by_rule(&last))?;
            t.computed("light_count", at!(grid.light_count), wide(lights.len()))?;
            t.computed("sound_count", at!(grid.sound_count), wide(sounds.len()))?;
            t.fields(at!(*grid))?;
            let light_count = t.stated("light_count", grid.light_count)?;
            let sound_count = t.stated("sound_count", grid.sound_count)?;
            let columns = t.stated("x_count", grid.x_count)?;
            let rows = t.stated("z_count", grid.z_count)?;
            for (name, addresses, count) in
                [("lights_ptr", grid.lights_ptr, light_count), ("sounds_ptr", grid.sounds_ptr, sound_count)]
            {
                addresses.into_iter().for_each(|address| t.judge(|t| null_where_nothing(t, name, address, count > 0)));
            }
            t.block("lights", light_count, lights)?;
            t.block("sounds", sound_count, sounds)?;
            let mut places = Grid::of(area, grid, columns).into_iter();
            t.list("cells", rows * columns, wide(size_of::<CellHeader>()), cells, |t, cell| {
                cell.lay_by(t, places.next())
            })
        }
    }
}

impl WorldArea {
    fn by_rule(&self) -> Self {
        let area_width = F32::new(self.area_right.get() - self.area_left.get());
        let area_height = F32::new(self.area_top.get() - self.area_bottom.get());
        Self { area_width, area_height, ..*self }
    }
}

impl Ruled<WorldArea> for WorldBorder {
    fn by_rule(&self, area: &WorldArea) -> Self {
        Self {
            border_left: (area.area_left.get() - BORDER).into(),
            border_bottom: (area.area_bottom.get() + BORDER).into(),
            border_right: (area.area_right.get() + BORDER).into(),
            border_top: (area.area_top.get() - BORDER).into(),
        }
    }
}

macro_rules! range {
    ($range:ty) => {
        impl Ruled<LastCells> for $range {
            fn by_rule(&self, last: &LastCells) -> Self {
                let [x, z] = last.counts;
                let max = |count: I32, min: I32| if last.none { 0 } else { count.get().wrapping_sub(min.get()) };
                Self { x_max: max(x, self.x_min).into(), z_max: max(z, self.z_min).into(), ..*self }
            }
        }
    };
}
range!(WorldRange);
range!(WorldRangeCs);
