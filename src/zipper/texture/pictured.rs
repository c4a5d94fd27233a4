//! Images of a package as pictures of the exchange form.

use bytes::Bytes;

use crate::exchange::{Around, Exchange, Pictured, Pictures};
use crate::field::{Document, Json, Lay, Result as Laid, Tape, U16, load, visit};
use crate::tree::Tree;

use super::png::{Pngs, export, import};
use super::{Image, ImageHead};

/// Images of a package.
pub static PICTURED: Pictured = Pictured {
    kind: "image",
    tells: &["width", "height", "pixels", "alpha", "palette"],
    export: pictures,
    import: document,
};

/// An image without its package.
#[derive(Default)]
struct Loose(Image);

impl Lay for Loose {
    fn lay(&mut self, t: &mut Tape<'_>) -> Laid {
        self.0.lay(t, -1)
    }
}

/// The image that a document says; without pixels where it leaves them to pictures.
fn image(document: &Json) -> Result<Image, String> {
    let mut document = document.clone();
    for side in ["width", "height"] {
        if document.get(side).is_none() {
            document.put(side, 0.into());
        }
    }
    let given = load::<Loose>(document, &mut Exchange::default()).map_err(|error| error.to_string())?;
    Ok(given.model.0)
}

/// The shared palette that the directory names.
fn shared(around: &Around<'_>) -> Option<Vec<U16>> {
    let index = around.row.get("palette_index").and_then(Json::whole)?;
    let palette = around.container.get("palettes")?.items()?.get(usize::try_from(index).ok()?)?;
    let colour = |colour: &Json| u16::try_from(colour.whole()?).ok().map(U16::new);
    palette.items()?.iter().map(colour).collect()
}

/// What is known of an image before its pictures are looked at.
fn blank(head: &ImageHead) -> Image {
    Image { head: ImageHead { width: 0.into(), height: 0.into(), ..*head }, ..Image::default() }
}

fn pictures(around: &Around<'_>) -> Option<Pictures> {
    let (image, shared) = (image(around.document).ok()?, shared(around));
    let palette = if image.head.is_palette_shared() { shared.as_deref() } else { Some(&image.palette[..]) };
    let pngs = export(&image, palette).ok()?;
    // Only pictures that are this image again say all there is.
    let again = import(&pngs, &blank(&image.head), shared.as_deref()).ok()?;
    let Pngs { colours, alpha } = pngs;
    (again == image).then(|| Pictures { colours: colours.into(), alpha: alpha.map(Bytes::from) })
}

fn document(pictures: &Pictures, around: &Around<'_>) -> Result<Json, String> {
    let pngs = Pngs { colours: pictures.colours.to_vec(), alpha: pictures.alpha.as_ref().map(|alpha| alpha.to_vec()) };
    let onto = image(around.document)?;
    let image = import(&pngs, &onto, shared(around).as_deref()).map_err(|error| error.to_string())?;
    let mut tree = Tree::documents(false);
    visit(&mut Loose(image), &mut tree).map_err(|error| error.to_string())?;
    match tree.finish().0 {
        Document::Json(json) => Ok(json),
        Document::Raw(_) => Err("an image is no raw bytes".to_owned()),
    }
}
