//! Images of a package as pictures of the exchange form.

use bytes::Bytes;

use crate::exchange::{Around, Exchange, Files, Medium, Part};
use crate::field::{Document, Json, Lay, Result as Laid, Tape, U16, load, visit};
use crate::tree::Tree;

use super::Image;
use super::png::{Pngs, import, lossless};

/// Images of a package.
pub static MEDIUM: Medium = Medium {
    kind: "image",
    parts: |_| vec![Part::default()],
    files: &[("picture", ".png"), ("alpha_picture", "/alpha.png")],
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

fn pictures(around: &Around<'_>) -> Option<(Json, Files)> {
    let Pngs { colours, alpha } = lossless(&image(around.part).ok()?, shared(around).as_deref())?;
    let left = around.part.without(&["width", "height", "pixels", "alpha", "palette"]);
    Some((left, vec![Some(colours.into()), alpha.map(Bytes::from)]))
}

fn document(files: &Files, around: &Around<'_>) -> Result<Json, String> {
    let mut files = files.iter().map(|file| file.as_ref().map(|bytes| bytes.to_vec()));
    let pngs = Pngs { colours: files.next().flatten().unwrap_or_default(), alpha: files.next().flatten() };
    let onto = image(around.part)?;
    let image = import(&pngs, &onto, shared(around).as_deref()).map_err(|error| error.to_string())?;
    let mut tree = Tree::documents(false);
    visit(&mut Loose(image), &mut tree).map_err(|error| error.to_string())?;
    match tree.finish().0 {
        Document::Json(json) => Ok(json),
        Document::Raw(_) => Err("an image is no raw bytes".to_owned()),
    }
}
