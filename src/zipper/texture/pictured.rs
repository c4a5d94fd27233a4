//! Images of a package as PNG files of the exchange format.

use std::borrow::Cow;

use bytes::Bytes;

use exchange::document::values_from;
use field::{Block, Result as Laid, U16, Value, lay};
use json::recompute::fill_in;
use json::{NoFiles, load};
use media::{Around, Files, Imported, Location, Medium, MediumError, Replaced, first};

use media::png::{PALETTE, Picture, checksum, is_unedited, take_checksum};

use super::Image;
use super::color::{expand, reduce};
use super::png::{Pngs, import, import_stored, lossless};

/// The images of a package.
pub static MEDIUM: Medium = Medium {
    kind: "image",
    looks_around: true,
    is_whole: false,
    parts: |_| vec![Location::default()],
    files: &[("picture", ".png"), ("alpha_picture", "/alpha.png")],
    determined: &DETERMINED,
    export: pictures,
    import: document,
};

/// The members that the PNG files replace. They determine the number of colors only of an image's own palette: 0 means
/// that the pixels are colors, and a shared palette has more colors than the image uses.
const DETERMINED: [&str; 6] = ["width", "height", "pixels", "alpha", "palette", COLORS];
const COLORS: &str = "palette_count";
/// What has the colors of a shared palette, and what to do to edit them.
const OWNER: &str = "the shared palette";
const HINT: &str = "other images have its colors too, so edit them in `palettes` of the package";

/// An image without its package.
#[derive(Default)]
struct Loose(Image);

lay! {
    impl Lay for Loose {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Laid {
            self.0.lay_by(t, -1)
        }
    }
}

/// Returns the image in a JSON document, without pixels if PNG files hold them.
fn image(document: &Value) -> Result<Image, MediumError> {
    let mut whole = Cow::Borrowed(document);
    // Any number except 0 marks the pixels as indices.
    for (name, value) in [("width", 0), ("height", 0), (COLORS, 1)] {
        if whole.get(name).is_none() {
            whole.to_mut().put(name, value.into());
        }
    }
    let given = load::<Loose>(&whole, &mut NoFiles)?;
    let image = given.model.0;
    if document.get(COLORS).is_none() && !has_own_palette(&image) {
        return Err(MediumError::at(COLORS, "expected a value, found nothing"));
    }
    Ok(image)
}

fn has_own_palette(image: &Image) -> bool {
    image.head.is_indexed() && !image.head.is_palette_shared()
}

/// Returns the shared palette that the directory names.
fn shared(around: &Around<'_>) -> Option<Vec<U16>> {
    let index = around.row.get("palette_index").and_then(Value::whole)?;
    let palette = around.container.get("palettes")?.items()?.get(usize::try_from(index).ok()?)?;
    let color = |color: &Value| u16::try_from(color.whole()?).ok().map(U16::new);
    palette.items()?.iter().map(color).collect()
}

fn pictures(around: &Around<'_>) -> Option<(Value, Files)> {
    let image = image(around.part).ok()?;
    let shared = shared(around);
    let Pngs { colors, alpha } = lossless(&image, shared.as_deref())?;
    let mut left = around.part.without(&DETERMINED);
    if let Some(colors) = around.part.get(COLORS).filter(|_| !has_own_palette(&image)) {
        left.put(COLORS, colors.clone());
    }
    if let Some(shared) = shared.filter(|_| image.head.is_indexed() && image.head.is_palette_shared()) {
        left.put(PALETTE, checksum(&shared.into_iter().map(expand).collect::<Vec<_>>()));
    }
    Some((left, vec![Some(colors.into()), alpha.map(Bytes::from)]))
}

fn document(files: &Files, around: &Around<'_>) -> Result<Imported, MediumError> {
    let colors = first(files)?;
    let alpha = files.get(1).and_then(Option::as_deref);
    let mut part = around.part.clone();
    let palette = take_checksum(&mut part)?;
    let onto = image(&part)?;
    if alpha.is_some() && !onto.head.has_alpha_plane() {
        let why = "expected those of an image with an alpha plane, because alpha_picture is present";
        return Err(MediumError::at("flags", why));
    }
    let (mut shared, mut replaced) = (shared(around), Vec::new());
    if onto.head.is_palette_shared() {
        let picture = Picture::read(colors).map_err(|error| error.to_string())?;
        // An image of colors has an RGB file, regardless of its flags.
        if picture.indexed.is_some() && !onto.head.is_indexed() {
            return Err(MediumError::at(COLORS, "expected at least 1, because /flags name a shared palette, found 0"));
        }
        let known: Vec<_> = shared.iter().flatten().map(|&color| expand(color)).collect();
        replaced = picture.of_neither(palette.as_ref(), &known);
        // If the PNG has not been edited, its indices keep their meaning, even if the colors of the palette have changed.
        if let Some((_, own)) = picture.unedited(palette.as_ref()) {
            shared = Some(own.iter().map(|&color| reduce(color)).collect());
        } else if let Some((indices, own)) = picture.comparable(palette.as_ref(), &known) {
            // An edit of a color that stays the same in 16 bits is none.
            let stored = |(at, &color): (usize, &[u8; 3])| {
                let stored = expand(reduce(color));
                if known.get(at) == Some(&stored) { stored } else { color }
            };
            let own: Vec<_> = own.iter().enumerate().map(stored).collect();
            is_unedited((indices, &own), &known, (OWNER, HINT))?;
        }
    }
    if let (Some(was), false) = (palette, onto.head.is_indexed() && onto.head.is_palette_shared()) {
        replaced.push(Replaced { place: format!("/{PALETTE}"), was, now: Value::Null });
    }
    let mut image = match import_stored(colors, alpha, &onto, shared.as_deref()) {
        Some(image) => image,
        None => {
            let pngs = Pngs { colors: colors.to_vec(), alpha: alpha.map(<[u8]>::to_vec) };
            import(&pngs, &onto, shared.as_deref()).map_err(|error| error.to_string())?
        }
    };
    // The pixels are shared with the values.
    let pixels = core::mem::take(&mut image.pixels).into_bytes();
    image.pixels = Block::shared(pixels.clone());
    let mut image = Loose(image);
    let part = fill_in(&mut image).and_then(|()| values_from(&image, pixels)).map_err(|error| error.to_string())?;
    Ok(Imported { part, replaced })
}
