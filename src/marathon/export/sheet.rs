//! Contact sheets of all bitmaps of shapes and all pictures in a file.

use field::decode;
use kind::{Drawing, Export, ExportError};
use media::sheet::Tile;

use super::level_picture;
use super::overhead_map::{levels, wad_of};
use crate::Payload;
use crate::chunk;
use crate::payload::Forks;
use crate::picture::{Picture, PictureFile, tiles};
use crate::resources::Content;
use crate::shapes::{Collection, Group, Shapes, ShapesPatch};

/// The export of all bitmaps of a shapes file.
pub const SHAPES: Export = Export {
    extension: "png",
    shows: BITMAPS,
    draw: |file, _| sheet(&[Shown::Shapes(Box::new(decode(file)?.model))]),
    levels: None,
};
/// The export of all bitmaps of a shapes patch.
pub const SHAPES_PATCH: Export =
    Export { draw: |file, _| sheet(&[Shown::Patch(Box::new(decode(file)?.model))]), ..SHAPES };
const BITMAPS: &str = "all bitmaps";

/// The export of a picture file.
pub const PICTURE: Export = Export {
    extension: "png",
    shows: "the picture",
    draw: |file, _| {
        let picture = decode::<PictureFile>(file)?.model.picture;
        sheet(&[Shown::Picture(String::new(), Box::new(picture))])
    },
    levels: None,
};

/// Returns the export of all bitmaps and pictures in a file.
pub const fn of_forks<F: Forks>() -> Export {
    Export {
        extension: "png",
        shows: "all bitmaps and pictures",
        draw: |file, _| sheet(&decode::<F>(file)?.model.forks().into_iter().flat_map(in_fork).collect::<Vec<_>>()),
        levels: Some(|file| {
            let (wad, before) = wad_of::<F>(file)?;
            levels(&wad, &before, |(index, map)| level_picture::draw(index, map))
        }),
    }
}

/// An item that a sheet can show, with its name.
enum Shown {
    Picture(String, Box<Picture>),
    Collection(String, Box<Collection>),
    Patch(Box<ShapesPatch>),
    Shapes(Box<Shapes>),
}

/// Draws a sheet.
fn sheet(shown: &[Shown]) -> Result<Drawing, ExportError> {
    let groups: Vec<Group<'_>> = shown.iter().flat_map(groups).collect();
    let pictures =
        shown.iter().filter_map(|it| if let Shown::Picture(name, it) = it { Some((name, it)) } else { None });
    let pictures = pictures.flat_map(|(name, picture)| tiles(name, picture));
    let tiles: Vec<Tile<'_>> = pictures.chain(groups.iter().flat_map(Group::tiles)).collect();
    if tiles.is_empty() {
        return Err(ExportError::content("no bitmap or picture to export; `bitexact ls` lists what the file holds"));
    }
    Drawing::of_sheet(&tiles)
}

/// Returns the bitmaps of shapes.
fn groups(shown: &Shown) -> Vec<Group<'_>> {
    match shown {
        Shown::Picture(..) => Vec::new(),
        Shown::Collection(name, collection) => vec![collection.group(name.clone())],
        Shown::Patch(patch) => patch.groups().collect(),
        Shown::Shapes(shapes) => shapes.groups().collect(),
    }
}

/// Returns the items to show in a fork.
fn in_fork(payload: Payload) -> Vec<Shown> {
    match payload {
        Payload::Resources(fork) => fork
            .resources
            .into_iter()
            .filter_map(|resource| match resource.content? {
                Content::Picture(picture) => {
                    Some(Shown::Picture(format!("PICT {}", resource.reference.id.get()), picture))
                }
                Content::Shapes(collection) => {
                    Some(Shown::Collection(resource.reference.id.get().to_string(), collection))
                }
                _ => None,
            })
            .collect(),
        Payload::Wad(wad) => {
            let indices = wad.directory.iter().map(|slot| slot.index.get());
            let entries = wad.entries.into_iter().zip(indices.collect::<Vec<_>>());
            let chunks = entries.flat_map(|(entry, index)| entry.chunks.into_iter().map(move |chunk| (chunk, index)));
            chunks
                .filter_map(|(chunk, index)| match chunk.payload {
                    chunk::Content::Picture(picture) => Some(Shown::Picture(format!("PICT {index}"), picture)),
                    chunk::Content::ShapesPatch(patch) => Some(Shown::Patch(patch)),
                    _ => None,
                })
                .collect()
        }
        _ => Vec::new(),
    }
}
