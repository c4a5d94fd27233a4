//! Drawings of levels, and contact sheets of pictures and shapes.

mod level_picture;
pub mod overhead_map;
pub mod sheet;

use kind::Export;

use super::payload::Forks;

/// Returns the exports of a file that can contain a wad or pictures.
pub const fn of_forks<F: Forks>() -> [Export; 2] {
    [sheet::of_forks::<F>(), overhead_map::of_forks::<F>()]
}
