//! Drawings of files. They do not contain everything in the file; edits of some can be [imported](super::Import). Each kind names
//! its own.

use core::fmt::{self, Display};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use super::Model;
use crate::spans;
use media::Placed;
#[cfg(feature = "export")]
use media::{
    gltf::Scene,
    sheet::{Tile, placed_sheet},
};

/// A drawing that can be made of the files of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// The extension of the drawing, in lower case.
    pub extension: &'static str,
    /// A short description of the drawing.
    pub shows: &'static str,
    /// Draws a file.
    pub draw: fn(Bytes, &ExportOptions) -> Result<Drawing, ExportError>,
    /// Draws all levels of a file, if it can have several.
    pub levels: Option<DrawLevels>,
}

/// Draws all levels of a file.
type DrawLevels = fn(Bytes) -> Result<Vec<LevelDrawing>, ExportError>;

/// The drawing of a level.
#[derive(Clone, Debug)]
pub struct LevelDrawing {
    /// The index of its entry, from 0.
    pub index: usize,
    /// The name of the level.
    pub name: String,
    /// The drawing.
    pub drawing: Drawing,
}

/// Options for a drawing.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Files with the textures of models, searched in this order.
    pub textures: Vec<Bytes>,
    /// The index of the entry in a container, from 0.
    pub level: usize,
    /// `true` if meshes bound to several nodes are exported on their own nodes, as other meshes are.
    pub unbound: bool,
    /// Finds the textures that models name without their files.
    pub images: Option<Images>,
    /// `true` if a `.glb` file is returned as its scene, for a caller that writes it.
    pub unwritten: bool,
}

/// Finds the file of a texture.
type Find = dyn Fn(&str) -> Option<Bytes> + Send + Sync;

/// The extensions of textures, the preferred ones first: a user has made the PNG, and the game takes a DDS before a TGA.
const TEXTURES: [&str; 3] = ["png", "dds", "tga"];

/// Finds the file of a texture by its name in lower case, without extension.
#[derive(Clone)]
pub struct Images(Arc<Find>);

impl Images {
    /// Wraps a function that finds textures.
    #[must_use]
    pub fn new(find: impl Fn(&str) -> Option<Bytes> + Send + Sync + 'static) -> Self {
        Self(Arc::new(find))
    }

    /// Finds textures in a folder, read by a function that can refuse, then in containers, each given with its bytes.
    ///
    /// # Errors
    /// Returns an error if a container cannot be walked.
    pub fn beside(
        folder: &Path,
        containers: &[(&Model, &Bytes)],
        read: impl Fn(&Path) -> Option<Bytes> + Send + Sync + 'static,
    ) -> field::Result<Self> {
        let mut beside: HashMap<String, PathBuf> = HashMap::new();
        for file in folder.read_dir().into_iter().flatten().flatten() {
            beside.insert(file.file_name().to_string_lossy().to_lowercase(), file.path());
        }
        let mut inside: HashMap<String, Bytes> = HashMap::new();
        for (model, bytes) in containers {
            for (entry, span) in spans(*model)? {
                if let Some(part) = span.of(bytes) {
                    inside.entry(entry.to_lowercase()).or_insert_with(|| bytes.slice_ref(part));
                }
            }
        }
        Ok(Self::new(move |name: &str| {
            let names = TEXTURES.map(|end| format!("{name}.{end}"));
            let file = names.iter().filter_map(|name| beside.get(name)).find_map(|path| read(path));
            file.or_else(|| names.iter().find_map(|name| inside.get(name).cloned()))
        }))
    }

    /// Returns the file of the texture with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Bytes> {
        (self.0)(name)
    }
}

impl fmt::Debug for Images {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Images")
    }
}

impl ExportOptions {
    /// Sets the files with the textures of models.
    #[must_use]
    pub fn textures(self, textures: Vec<Bytes>) -> Self {
        Self { textures, ..self }
    }

    /// Sets the index of the entry in a container, from 0.
    #[must_use]
    pub fn level(self, level: usize) -> Self {
        Self { level, ..self }
    }

    /// Sets whether meshes bound to several nodes are exported on their own nodes.
    #[must_use]
    pub fn unbound(self, unbound: bool) -> Self {
        Self { unbound, ..self }
    }

    /// Sets whether a `.glb` file is returned as its scene.
    #[must_use]
    pub fn unwritten(self, unwritten: bool) -> Self {
        Self { unwritten, ..self }
    }

    /// Sets how the textures of models are found.
    #[must_use]
    pub fn images(self, images: Images) -> Self {
        Self { images: Some(images), ..self }
    }
}

/// A drawing.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The file; empty if there is a scene.
    pub file: Vec<u8>,
    /// The scene of a file that is not written yet.
    #[cfg(feature = "export")]
    pub scene: Option<Scene>,
    /// The parts of the file that the drawing does not show, with their numbers.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Where each image is on a contact sheet.
    pub images: Vec<Placed>,
}

impl From<Vec<u8>> for Drawing {
    fn from(file: Vec<u8>) -> Self {
        Self { file, ..Self::default() }
    }
}

#[cfg(feature = "export")]
impl Drawing {
    /// Returns a scene as `.glb`, written or not, and what was left out.
    pub fn glb(scene: Scene, options: &ExportOptions) -> Result<Self, ExportError> {
        let left_out = scene.left_out.clone();
        if options.unwritten {
            return Ok(Self { left_out, scene: Some(scene), ..Self::default() });
        }
        let file = scene.glb().map_err(ExportError::content)?;
        Ok(Self { left_out, ..Self::from(file) })
    }

    /// Returns a scene as `.gltf`, and what was left out.
    pub fn gltf(scene: &Scene) -> Result<Self, ExportError> {
        let file = scene.gltf().map_err(ExportError::content)?;
        Ok(Self { left_out: scene.left_out.clone(), ..Self::from(file) })
    }

    /// Draws a contact sheet.
    pub fn of_sheet(tiles: &[Tile<'_>]) -> Result<Self, ExportError> {
        let (file, images) = placed_sheet(tiles).map_err(ExportError::content)?;
        Ok(Self { images, ..Self::from(file) })
    }
}

/// The reason why a file cannot be drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExportError {
    /// The file, or one with textures, does not decode.
    Decode(field::Error),
    /// It contains nothing that can be drawn, or too much.
    Content(String),
}

impl ExportError {
    /// Returns an error about the content of a file.
    pub fn content(why: impl Display) -> Self {
        Self::Content(why.to_string())
    }
}

impl Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Content(why) => f.write_str(why),
        }
    }
}

impl core::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Decode(error) => error.source(),
            Self::Content(_) => None,
        }
    }
}

impl From<field::Error> for ExportError {
    fn from(error: field::Error) -> Self {
        Self::Decode(error)
    }
}
