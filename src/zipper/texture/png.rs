//! Images as PNG files that lose nothing, and PNG files of any kind as images.
//!
//! | image | PNG |
//! |---|---|
//! | colours, no alpha | RGB |
//! | colours, simple alpha | RGBA: black is transparent, all else opaque |
//! | colours, full alpha | RGBA: the plane, with the colours under what it hides |
//! | indices | indexed, with all of the palette |
//! | indices, full alpha | the same, and the plane as a grey PNG of its own |
//!
//! [`export`] makes them; [`import`] makes the same image of them again. It takes any other PNG too and fits it to what the
//! image is made of: what it shows as before keeps its bytes, however the file says it.

use core::fmt::{self, Display};
use std::borrow::Cow;

use bitflags::Flags as _;

use crate::field::{Block, U16};
use crate::media::png::{self, Picture, Pixels, Rgba, write};

use super::colour::{expand, reduce};
use super::indices::{Pixel, extend, nearest};
use super::{Image, ImageFlags, ImageHead};

/// One step of green: of all colours but black the nearest to it.
const DARKEST: u16 = 1 << 5;

/// The PNG files of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pngs {
    /// What it shows.
    pub colours: Vec<u8>,
    /// The alpha plane, where the file of colours cannot hold it.
    pub alpha: Option<Vec<u8>>,
}

/// Why an image cannot be a PNG, or a PNG not this image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PngError {
    /// The file cannot be read, or not be made.
    File(png::Error),
    /// The parts of the image are not as long as its head says.
    Unfinished,
    /// The image has indices, and the package does not have its palette.
    NoPalette,
    /// More colours in a palette than a PNG can have.
    PaletteTooLong(usize),
    /// An index beyond the palette.
    IndexOutside(u8),
    /// A transparent pixel, where the image cannot say so.
    Transparent {
        /// From the left.
        x: usize,
        /// From the top.
        y: usize,
    },
    /// The plane of opacity is not as large as the colours.
    AlphaSize {
        /// Width and height of the colours.
        colours: (u16, u16),
        /// Width and height of the plane.
        alpha: (u16, u16),
    },
}

impl Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Unfinished => f.write_str("the image has fewer or more pixels than its header specifies"),
            Self::NoPalette => f.write_str("the palette of the image is not in the package"),
            Self::PaletteTooLong(colours) => write!(f, "expected a palette of at most 256 colors, found {colours}"),
            Self::IndexOutside(index) => write!(f, "a pixel has color {index}, which is not in the palette"),
            Self::Transparent { x, y } => {
                write!(f, "pixel {x}, {y} is transparent, but the image cannot store transparency")
            }
            Self::AlphaSize { colours, alpha } => {
                let ((width, height), (alpha_width, alpha_height)) = (colours, alpha);
                write!(
                    f,
                    "expected an alpha plane of {width} by {height} pixels, found {alpha_width} by {alpha_height}"
                )
            }
        }
    }
}

impl core::error::Error for PngError {}

impl From<png::Error> for PngError {
    fn from(error: png::Error) -> Self {
        Self::File(error)
    }
}

/// An image as its PNG files show it.
struct Drawn<'a> {
    size: (u32, u32),
    pixels: Pixels,
    bytes: Cow<'a, [u8]>,
    /// The plane that has a file of its own.
    alpha: Option<&'a [u8]>,
}

impl<'a> Drawn<'a> {
    fn of(image: &'a Image, palette: Option<&[U16]>) -> Result<Self, PngError> {
        let head = &image.head;
        let area = area(head);
        let plane = if head.has_alpha_plane() { area } else { 0 };
        let pixels = if head.is_indexed() { area } else { area.saturating_mul(2) };
        if area == 0 {
            return Err(png::Error::Empty.into());
        }
        if image.pixels.len() != pixels || image.alpha.len() != plane {
            return Err(PngError::Unfinished);
        }
        let size = (head.width.get().into(), head.height.get().into());
        if head.is_indexed() {
            let palette = palette.filter(|palette| !palette.is_empty()).ok_or(PngError::NoPalette)?;
            if palette.len() > 256 {
                return Err(PngError::PaletteTooLong(palette.len()));
            }
            if let Some(&index) = image.pixels.iter().find(|index| usize::from(**index) >= palette.len()) {
                return Err(PngError::IndexOutside(index));
            }
            let colours: Vec<u8> = palette.iter().flat_map(|&colour| expand(colour)).collect();
            let alpha = (plane > 0).then_some(&*image.alpha);
            return Ok(Self { size, pixels: Pixels::Indexed(colours), bytes: (&*image.pixels).into(), alpha });
        }
        let (pixels, bytes) = if transparency(head) == Transparency::None {
            let opaque: Vec<_> = direct(image).map(|[red, green, blue, _]| [red, green, blue]).collect();
            (Pixels::Rgb, opaque.into_flattened())
        } else {
            (Pixels::Rgba, direct(image).collect::<Vec<_>>().into_flattened())
        };
        Ok(Self { size, pixels, bytes: bytes.into(), alpha: None })
    }

    fn files(&self) -> Result<Pngs, PngError> {
        let (width, height) = self.size;
        let file = |pixels, bytes| write(width, height, pixels, bytes);
        let alpha = self.alpha.map(|alpha| file(&Pixels::Grey, alpha)).transpose()?;
        Ok(Pngs { colours: file(&self.pixels, &self.bytes)?, alpha })
    }

    /// What the files show.
    fn pictures(&self) -> Result<(Picture, Option<Picture>), png::Error> {
        let (width, height) = self.size;
        let picture = |pixels, bytes| Picture::of(width, height, pixels, bytes);
        let alpha = self.alpha.map(|alpha| picture(&Pixels::Grey, alpha)).transpose()?;
        Ok((picture(&self.pixels, &self.bytes)?, alpha))
    }
}

/// The PNG files of an image. The palette is its own or the shared one, all 256 colours of it; see
/// [`Package::palette_of`](super::Package::palette_of).
///
/// # Errors
/// When no PNG can hold the image without losing something.
pub fn export(image: &Image, palette: Option<&[U16]>) -> Result<Pngs, PngError> {
    Drawn::of(image, palette)?.files()
}

/// The PNG files of an image, if with its head they say all there is: they are this image again.
pub(super) fn lossless(image: &Image, shared: Option<&[U16]>) -> Option<Pngs> {
    let drawn = Drawn::of(image, palette(image, shared)).ok()?;
    if !image.head.is_indexed() {
        // Every color comes back, and so does what is opaque: black alone is transparent where there is no plane.
        return png::sides(drawn.size).is_ok().then(|| drawn.files().ok())?;
    }
    let (picture, plane) = drawn.pictures().ok()?;
    let blank = ImageHead { width: 0.into(), height: 0.into(), ..image.head };
    let again = shown_as(&picture, plane.as_ref(), &Image { head: blank, ..Image::default() }, shared).ok()?;
    if again == *image { drawn.files().ok() } else { None }
}

/// What an image looks like, in one PNG file: as from [`export`] but that indices with an alpha plane become colours.
///
/// # Errors
/// As with [`export`].
pub fn picture(image: &Image, palette: Option<&[U16]>) -> Result<Vec<u8>, PngError> {
    let drawn = Drawn::of(image, palette)?;
    if drawn.alpha.is_none() {
        return Ok(drawn.files()?.colours);
    }
    let shown: Vec<u8> = shown(image, palette).into_iter().flatten().flatten().collect();
    Ok(write(image.head.width.get().into(), image.head.height.get().into(), &Pixels::Rgba, &shown)?)
}

/// How one sees through an image.
#[must_use]
pub fn transparency(head: &ImageHead) -> Transparency {
    if head.has_alpha_plane() {
        Transparency::Full
    } else if head.flags.contains(ImageFlags::ALPHA) && !head.is_indexed() {
        Transparency::Simple
    } else {
        Transparency::None
    }
}

/// The image that PNG files are, made of what `onto` is made of: colours or indices, with or without alpha. `shared` is the
/// shared palette of `onto`, if it has one; it does not change.
///
/// * What shows the same in the pixels of `onto`, if it has any, keeps its bytes: a colour under what is hidden, one of two
///   equal colours of a palette.
/// * An indexed PNG gives an own palette and its indices as they are, if only one of them differs from what `onto` has.
///   Otherwise new colours go behind the palette, then where it is unused; more than 256 are made fewer.
/// * Without opacity of its own, a PNG is opaque; but where the alpha plane of indices has a file of its own that is not
///   there, the plane stays, if it has the size.
///
/// # Errors
/// When the files cannot be read, or say what the image has no room for.
pub fn import(files: &Pngs, onto: &Image, shared: Option<&[U16]>) -> Result<Image, PngError> {
    let plane = files.alpha.as_deref().filter(|_| onto.head.has_alpha_plane()).map(Picture::read).transpose()?;
    shown_as(&Picture::read(&files.colours)?, plane.as_ref(), onto, shared)
}

/// The image that pictures are, of colours and of a plane of opacity.
fn shown_as(
    picture: &Picture,
    plane: Option<&Picture>,
    onto: &Image,
    shared: Option<&[U16]>,
) -> Result<Image, PngError> {
    let mut head = onto.head;
    (head.width, head.height) = (picture.width.into(), picture.height.into());
    let same_size = head == onto.head;
    let alpha = if head.has_alpha_plane() { alpha(plane, picture, onto, same_size)? } else { Block::default() };
    let before = if same_size { shown(onto, palette(onto, shared)) } else { Vec::new() };
    let new = Fresh { picture, before: &before, head: &head };
    if !head.is_indexed() {
        let old = onto.pixels.as_chunks::<2>().0;
        let pixels = new.colours(|at| old.get(at).copied())?;
        return Ok(Image { head, pixels, alpha, palette: Block::default() });
    }
    if !head.has_alpha_plane() {
        new.is_opaque()?;
    }
    let known = palette(onto, shared).unwrap_or_default();
    if let Some((indices, colours)) = &picture.indexed {
        let colours: Vec<U16> = colours.iter().map(|&colour| reduce(colour)).collect();
        let one_of_them = colours == known || (!indices.is_empty() && indices.as_slice() == &*onto.pixels);
        let own = !head.is_palette_shared() && (one_of_them || onto.pixels.is_empty());
        let inside = indices.iter().all(|&index| usize::from(index) < colours.len());
        if inside && (own || colours == known) {
            let count = u16::try_from(colours.len()).unwrap_or(256);
            let palette = if head.is_palette_shared() { Vec::new() } else { colours };
            if !head.is_palette_shared() {
                head.palette_count = count.into();
            }
            return Ok(Image { head, pixels: indices.clone().into(), alpha, palette: palette.into() });
        }
    }
    let pixels = new.indices(|at| onto.pixels.get(at).copied());
    if head.is_palette_shared() {
        let used = known.get(..head.palette_count.get().into()).unwrap_or(known);
        if used.is_empty() {
            return Err(PngError::NoPalette);
        }
        return Ok(Image { head, pixels: nearest(&pixels, used).into(), alpha, palette: Block::default() });
    }
    let (pixels, palette) = extend(&pixels, known.get(..256).unwrap_or(known));
    head.palette_count = u16::try_from(palette.len()).unwrap_or(256).into();
    Ok(Image { head, pixels: pixels.into(), alpha, palette: palette.into() })
}

/// How an image says what is transparent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transparency {
    /// Nothing is.
    None,
    /// By the colour 0. What it is for indices, nobody knows: they show as opaque.
    Simple,
    /// Pixel by pixel.
    Full,
}

fn area(head: &ImageHead) -> usize {
    usize::from(head.width.get()).saturating_mul(head.height.get().into())
}

/// The palette that an image uses.
fn palette<'a>(image: &'a Image, shared: Option<&'a [U16]>) -> Option<&'a [U16]> {
    if image.head.is_palette_shared() { shared } else { Some(&image.palette) }
}

/// What every pixel shows; nothing where it has an index that the palette does not have.
pub(super) fn shown(image: &Image, palette: Option<&[U16]>) -> Vec<Option<Rgba>> {
    if !image.head.is_indexed() {
        return direct(image).map(Some).collect();
    }
    let shows = shows(image);
    let colour = |index: &u8| palette?.get(usize::from(*index)).copied();
    image.pixels.iter().enumerate().map(|(at, index)| Some(shows(at, colour(index)?))).collect()
}

/// What every pixel shows that is a colour itself.
fn direct(image: &Image) -> impl Iterator<Item = Rgba> {
    let shows = shows(image);
    let colours = image.pixels.as_chunks::<2>().0.iter().map(|bytes| U16::new(u16::from_le_bytes(*bytes)));
    colours.enumerate().map(move |(at, colour)| shows(at, colour))
}

/// What a colour shows at a pixel.
fn shows(image: &Image) -> impl Fn(usize, U16) -> Rgba {
    let transparency = transparency(&image.head);
    move |at, colour| {
        let [red, green, blue] = expand(colour);
        let opacity = match transparency {
            Transparency::None => u8::MAX,
            Transparency::Simple if colour.get() == 0 => 0,
            Transparency::Simple => u8::MAX,
            Transparency::Full => image.alpha.get(at).copied().unwrap_or(u8::MAX),
        };
        [red, green, blue, opacity]
    }
}

/// The alpha plane of the image that is made.
fn alpha(plane: Option<&Picture>, picture: &Picture, onto: &Image, same_size: bool) -> Result<Block, PngError> {
    if let Some(plane) = plane {
        let (colours, alpha) = ((picture.width, picture.height), (plane.width, plane.height));
        if colours != alpha {
            return Err(PngError::AlphaSize { colours, alpha });
        }
        return Ok(plane.colours.iter().map(|&[grey, ..]| grey).collect::<Vec<u8>>().into());
    }
    let stays = onto.head.is_indexed() && !picture.has_alpha && same_size && onto.alpha.len() == area(&onto.head);
    if stays {
        return Ok(onto.alpha.clone());
    }
    Ok(picture.colours.iter().map(|&[.., opacity]| opacity).collect::<Vec<u8>>().into())
}

/// What a picture shows anew.
struct Fresh<'a> {
    picture: &'a Picture,
    /// What the pixels showed before.
    before: &'a [Option<Rgba>],
    head: &'a ImageHead,
}

impl Fresh<'_> {
    /// Whether a pixel shows what it did. What is hidden has no colour; that of indices, whose opacity lies in another
    /// file, is compared alone.
    fn is_same(&self, at: usize, [red, green, blue, opacity]: Rgba) -> bool {
        let Some(&Some([old_red, old_green, old_blue, old_opacity])) = self.before.get(at) else { return false };
        let colour = [red, green, blue] == [old_red, old_green, old_blue];
        if self.head.is_indexed() { colour } else { opacity == old_opacity && (opacity == 0 || colour) }
    }

    /// Where the first pixel is that is not quite opaque.
    fn is_opaque(&self) -> Result<(), PngError> {
        match self.picture.colours.iter().position(|&[.., opacity]| opacity < u8::MAX) {
            Some(at) => {
                let width = usize::from(self.picture.width).max(1);
                Err(PngError::Transparent { x: at % width, y: at / width })
            }
            None => Ok(()),
        }
    }

    /// The pixels as stored colours.
    fn colours(&self, old: impl Fn(usize) -> Option<[u8; 2]>) -> Result<Block, PngError> {
        let transparency = transparency(self.head);
        if transparency == Transparency::None {
            self.is_opaque()?;
        }
        let colour = |at: usize, shows: Rgba| {
            let [red, green, blue, opacity] = shows;
            match old(at).filter(|_| self.is_same(at, shows)) {
                Some(bytes) => bytes,
                None if transparency == Transparency::Simple && opacity < 128 => [0; 2],
                None => {
                    let colour = reduce([red, green, blue]).get();
                    // Black is transparent: the darkest colour that is not.
                    let is_clear = transparency == Transparency::Simple && colour == 0;
                    if is_clear { DARKEST.to_le_bytes() } else { colour.to_le_bytes() }
                }
            }
        };
        let pixels = self.picture.colours.iter().enumerate().map(|(at, &shows)| colour(at, shows));
        Ok(pixels.collect::<Vec<_>>().into_flattened().into())
    }

    /// The pixels as indices, as far as they are known.
    fn indices(&self, old: impl Fn(usize) -> Option<u8>) -> Vec<Pixel> {
        let pixel = |at: usize, shows: Rgba| {
            let [red, green, blue, _] = shows;
            let new = Pixel::New(reduce([red, green, blue]));
            old(at).filter(|_| self.is_same(at, shows)).map_or(new, Pixel::Kept)
        };
        (0..).zip(&self.picture.colours).map(|(at, &shows)| pixel(at, shows)).collect()
    }
}

#[cfg(test)]
mod tests;
