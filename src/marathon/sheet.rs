//! Contact sheets: all bitmaps of shapes and all pictures in a file.

use bytes::Bytes;

use crate::field::{Decoded, Result as Laid, decode};
use crate::kind::Format as _;
use crate::media::Error;
use crate::media::sheet::{Tile, contact_sheet};

use super::Payload;
use super::chunk;
use super::picture::{Picture, PictureFile, tiles};
use super::resources::Content;
use super::shapes::{Collection, Group, Shapes, ShapesPatch};

/// What can be on a sheet, with its name.
enum Shown {
    Picture(String, Box<Picture>),
    Collection(String, Box<Collection>),
    Patch(Box<ShapesPatch>),
    Shapes(Box<Shapes>),
}

/// A sheet of what is in a file of a kind of this family: a PNG.
///
/// # Errors
/// When the file does not decode; inside, when there is nothing to show, or the sheet would be too large.
pub fn of(kind: &str, file: Bytes) -> Laid<Result<Vec<u8>, Error>> {
    let shown = match kind {
        Shapes::NAME => vec![Shown::Shapes(Box::new(decode(file)?.model))],
        ShapesPatch::NAME => vec![Shown::Patch(Box::new(decode(file)?.model))],
        PictureFile::NAME => {
            let Decoded { model: PictureFile { picture, .. }, .. } = decode(file)?;
            vec![Shown::Picture(String::new(), Box::new(picture))]
        }
        kind => Payload::in_file(kind, file)?.into_iter().flat_map(in_fork).collect(),
    };
    let groups: Vec<Group<'_>> = shown.iter().flat_map(groups).collect();
    let pictures =
        shown.iter().filter_map(|it| if let Shown::Picture(name, it) = it { Some((name, it)) } else { None });
    let pictures = pictures.flat_map(|(name, picture)| tiles(name, picture));
    let tiles: Vec<Tile<'_>> = pictures.chain(groups.iter().flat_map(Group::tiles)).collect();
    Ok(contact_sheet(&tiles))
}

/// The bitmaps of shapes.
fn groups(shown: &Shown) -> Vec<Group<'_>> {
    match shown {
        Shown::Picture(..) => Vec::new(),
        Shown::Collection(name, collection) => vec![collection.group(name.clone())],
        Shown::Patch(patch) => patch.groups().collect(),
        Shown::Shapes(shapes) => shapes.groups().collect(),
    }
}

/// What is in a fork.
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
