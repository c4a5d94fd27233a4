//! Worlds and 'Mech libraries as scenes, and edits of these scenes.
//!
//! | module | contents |
//! |---|---|
//! | `world`, `library` | scenes of worlds and libraries |
//! | `models`, `textures` | parts common to both |
//! | `import`, `import_model` | edits of nodes and models |
//! | `import_nodes`, `import_parts` | new and deleted nodes of worlds and libraries |
//! | `new_node`, `new_model`, `new_material` | new nodes, models and materials |
//! | `slots`, `shown` | pools of slots, the exchange format of new parts |

mod import;
mod import_model;
mod import_nodes;
mod import_parts;
mod library;
mod models;
mod new_material;
mod new_model;
mod new_node;
mod shown;
mod slots;
mod textures;
mod world;

use bytes::Bytes;

pub use import::{library as import_library, world as import_world};

use super::archive::Archive;
use super::gamez::Gamez;
use super::texture::Package;
use field::decode;
use kind::{Drawing, Export, ExportError, ExportOptions};
use media::gltf::Scene;

/// The exports of a world.
pub static WORLD: [Export; 2] = [
    Export {
        extension: "glb",
        shows: NODES,
        draw: |file, with| Drawing::glb(read_world(file, with)?, with),
        levels: None,
    },
    Export {
        extension: "gltf",
        shows: NODES,
        draw: |file, with| Drawing::gltf(&read_world(file, with)?),
        levels: None,
    },
];
const NODES: &str = "the models of the world";

/// The exports of a 'Mech library.
pub static LIBRARY: [Export; 2] = [
    Export {
        extension: "glb",
        shows: MECHS,
        draw: |file, with| Drawing::glb(read_library(file, with)?, with),
        levels: None,
    },
    Export {
        extension: "gltf",
        shows: MECHS,
        draw: |file, with| Drawing::gltf(&read_library(file, with)?),
        levels: None,
    },
];
const MECHS: &str = "the models of a 'Mech library";

fn read_world(file: Bytes, options: &ExportOptions) -> Result<Scene, ExportError> {
    Ok(of_world(&decode::<Gamez>(file)?.model, &packages(options)?))
}

fn read_library(file: Bytes, options: &ExportOptions) -> Result<Scene, ExportError> {
    let scene = of_library(&decode::<Archive>(file)?.model, &packages(options)?);
    scene.ok_or_else(|| ExportError::content("an archive without a 'Mech library has no models to export"))
}

fn packages(options: &ExportOptions) -> Result<Vec<Package>, ExportError> {
    options.textures.iter().map(|file| Ok(decode::<Package>(file.clone())?.model)).collect()
}

/// Returns the scene of a world: its nodes, each with its model. Textures are searched for in these packages, in this order.
#[must_use]
pub fn of_world(world: &Gamez, textures: &[Package]) -> Scene {
    let mut scene = world::scene(world, textures);
    scene.plain();
    scene
}

/// Returns the scene of a 'Mech library, with one tree of nodes per model, side by side, or `None` if the archive is not one.
#[must_use]
pub fn of_library(library: &Archive, textures: &[Package]) -> Option<Scene> {
    let mut scene = library::scene(library, textures, models::Detail::All)?;
    scene.plain();
    Some(scene)
}
