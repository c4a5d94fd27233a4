//! Lossless export of images as PNG files, and import of any PNG file as an image.
//!
//! | image | PNG |
//! |---|---|
//! | colors, no alpha | RGB |
//! | colors, simple alpha | RGBA: black is transparent, all else opaque |
//! | colors, full alpha | RGBA: the alpha plane, and the colors, even under transparent pixels |
//! | indices | indexed, with the whole palette |
//! | indices, full alpha | indexed, and a separate gray PNG for the alpha plane |
//!
//! [`import`] restores the image from the PNG files that [`export`] writes. It also accepts any other PNG, and adapts
//! it to the storage of the image: a pixel that looks the same as before keeps its bytes.

use core::fmt::{self, Display};
use std::borrow::Cow;

use bitflags::Flags as _;

use field::{Block, U16};
use media::png::{self, Picture, Pixels, Rgba, write};

use super::color::{expand, reduce};
use super::indices::{Pixel, extend, nearest};
use super::{Image, ImageFlags, ImageHeader};

/// One step of green: the color nearest to black.
const DARKEST: u16 = 1 << 5;
/// The smallest opacity that is opaque where a pixel is either opaque or transparent.
const OPAQUE: u8 = 128;

/// The PNG files of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pngs {
    /// The file with the colors.
    pub colors: Vec<u8>,
    /// The file with the alpha plane, if the other one cannot hold it.
    pub alpha: Option<Vec<u8>>,
}

/// A reason why an image cannot become a PNG, or a PNG cannot become the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PngError {
    /// The file cannot be read or written.
    File(png::Error),
    /// The lengths of the image's parts do not match its header.
    Unfinished,
    /// The image has indices, but the package does not have its palette.
    NoPalette,
    /// A palette with more colors than a PNG can hold.
    PaletteTooLong(usize),
    /// An index outside the palette.
    IndexOutside(u8),
    /// A transparent pixel in an image that cannot store transparency.
    Transparent {
        /// The column, from the left.
        x: usize,
        /// The row, from the top.
        y: usize,
    },
    /// A pixel whose opacity in the file with the colors differs from that in the file with the alpha plane.
    TwoOpacities {
        /// The column, from the left.
        x: usize,
        /// The row, from the top.
        y: usize,
        /// The opacity in the alpha plane.
        plane: u8,
        /// The opacity in the file with the colors.
        colors: u8,
    },
    /// An alpha plane whose size differs from that of the colors.
    AlphaSize {
        /// Width and height of the colors.
        colors: (u16, u16),
        /// Width and height of the alpha plane.
        alpha: (u16, u16),
    },
}

impl Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Unfinished => f.write_str("the image has fewer or more pixels than its header specifies"),
            Self::NoPalette => f.write_str("the palette of the image is not in the package"),
            Self::PaletteTooLong(colors) => write!(f, "expected a palette of at most 256 colors, found {colors}"),
            Self::IndexOutside(index) => write!(f, "a pixel has color {index}, which is not in the palette"),
            Self::Transparent { x, y } => {
                write!(f, "pixel {x}, {y} is transparent, but the image cannot store transparency")
            }
            Self::TwoOpacities { x, y, plane, colors } => write!(
                f,
                "expected opacity {plane} in pixel {x}, {y}, as alpha_picture has it, found {colors}; edit the opacity there, or remove \
                 alpha_picture to take that of this image"
            ),
            Self::AlphaSize { colors, alpha } => {
                let ((width, height), (alpha_width, alpha_height)) = (colors, alpha);
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

/// An image in the form of its PNG files.
struct Drawn<'a> {
    size: (u32, u32),
    pixels: Pixels,
    bytes: Cow<'a, [u8]>,
    /// The alpha plane, if it has its own file.
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
            // The largest index is found many at a time.
            let largest = image.pixels.iter().copied().fold(0, u8::max);
            if usize::from(largest) >= palette.len() {
                let outside = image.pixels.iter().find(|index| usize::from(**index) >= palette.len());
                return Err(PngError::IndexOutside(*outside.unwrap_or(&largest)));
            }
            let colors: Vec<u8> = palette.iter().flat_map(|&color| expand(color)).collect();
            let alpha = (plane > 0).then_some(&*image.alpha);
            return Ok(Self { size, pixels: Pixels::Indexed(colors), bytes: (&*image.pixels).into(), alpha });
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
        Ok(Pngs { colors: file(&self.pixels, &self.bytes)?, alpha })
    }
}

/// Returns the PNG files of an image. The palette is the image's own or the shared one with all 256 colors; see
/// [`Package::palette_of`](super::Package::palette_of).
///
/// # Errors
/// Returns an error if no PNG can hold the image losslessly.
pub fn export(image: &Image, palette: Option<&[U16]>) -> Result<Pngs, PngError> {
    Drawn::of(image, palette)?.files()
}

/// Returns the PNG files of an image, or `None` if the files and its header do not restore it exactly.
pub(super) fn lossless(image: &Image, shared: Option<&[U16]>) -> Option<Pngs> {
    let head = &image.head;
    let size @ (width, height) = (head.width.get().into(), head.height.get().into());
    png::sides(size).ok()?;
    if !head.is_indexed() {
        // Every color round-trips, and so does opacity: without an alpha plane, only black is transparent.
        let rows = Rows::of(image)?;
        let dense = png::write_dense(width, height, &rows.pixels, &|at, to| rows.fill(at, to));
        return match dense {
            Some(colors) => Some(Pngs { colors, alpha: None }),
            None => Drawn::of(image, None).ok()?.files().ok(),
        };
    }
    // The number of colors of an image's own palette follows from the file; an image with a shared palette has no other.
    let is_own = !head.is_palette_shared();
    let is_restored = match is_own {
        true => usize::from(head.palette_count.get()) == image.palette.len(),
        false => image.palette.is_empty(),
    };
    if is_restored { Drawn::of(image, palette(image, shared)).ok()?.files().ok() } else { None }
}

/// The rows of an image without indices, as samples of a PNG file.
struct Rows<'a> {
    pixels: Pixels,
    transparency: Transparency,
    width: usize,
    colors: &'a [[u8; 2]],
    alpha: &'a [u8],
}

impl<'a> Rows<'a> {
    /// Returns `None` if the image is empty, or its parts do not match its header.
    fn of(image: &'a Image) -> Option<Self> {
        let (area, transparency) = (area(&image.head), transparency(&image.head));
        let plane = if transparency == Transparency::Full { area } else { 0 };
        let (colors, odd) = image.pixels.as_chunks::<2>();
        (area > 0 && odd.is_empty() && colors.len() == area && image.alpha.len() == plane).then_some(())?;
        let pixels = if transparency == Transparency::None { Pixels::Rgb } else { Pixels::Rgba };
        Some(Self { pixels, transparency, width: image.head.width.get().into(), colors, alpha: &image.alpha })
    }

    /// Writes the samples of a row.
    fn fill(&self, row: usize, to: &mut [u8]) {
        let (from, color) = (row * self.width, |it: &[u8; 2]| U16::new(u16::from_le_bytes(*it)));
        let Some(colors) = self.colors.get(from..from + self.width) else { return };
        match self.transparency {
            Transparency::None => {
                to.as_chunks_mut::<3>().0.iter_mut().zip(colors).for_each(|(to, it)| *to = expand(color(it)));
            }
            Transparency::Simple => {
                for (to, it) in to.as_chunks_mut::<4>().0.iter_mut().zip(colors) {
                    let [red, green, blue] = expand(color(it));
                    *to = [red, green, blue, if *it == [0; 2] { 0 } else { u8::MAX }];
                }
            }
            Transparency::Full => {
                let alpha = self.alpha.iter().skip(from);
                for (to, (it, alpha)) in to.as_chunks_mut::<4>().0.iter_mut().zip(colors.iter().zip(alpha)) {
                    let [red, green, blue] = expand(color(it));
                    *to = [red, green, blue, *alpha];
                }
            }
        }
    }
}

/// Returns a PNG file for viewing an image: like [`export`], but indices with an alpha plane become colors. `palette` is the one that the image
/// uses, its own or a shared one, which [`Package::palette_of`](super::Package::palette_of) returns.
///
/// # Errors
/// Returns an error if [`export`] does.
pub fn picture(image: &Image, palette: Option<&[U16]>) -> Result<Vec<u8>, PngError> {
    let drawn = Drawn::of(image, palette)?;
    if drawn.alpha.is_none() {
        return Ok(drawn.files()?.colors);
    }
    let shown: Vec<u8> = shown(image, palette).into_iter().flatten().flatten().collect();
    Ok(write(image.head.width.get().into(), image.head.height.get().into(), &Pixels::Rgba, &shown)?)
}

/// Returns how an image stores transparency.
#[must_use]
pub fn transparency(head: &ImageHeader) -> Transparency {
    if head.has_alpha_plane() {
        Transparency::Full
    } else if head.flags.contains(ImageFlags::ALPHA) && !head.is_indexed() {
        Transparency::Simple
    } else {
        Transparency::None
    }
}

/// Converts PNG files to an image with the storage of `onto`: colors or indices, with or without alpha. `shared` is the
/// shared palette of `onto`, if it has one; it does not change.
///
/// * A pixel that looks the same as in `onto` keeps its bytes: a color under a transparent pixel, or one of two equal
///   colors of a palette.
/// * An indexed PNG replaces the image's own palette and its indices directly, unless both differ from those of `onto`.
///   Otherwise, new colors are appended to the palette, then replace unused ones; more than 256 colors are reduced.
/// * A PNG without alpha is opaque. But if the separate file for the alpha plane of indices is missing, the plane is
///   kept if its size fits.
///
/// # Errors
/// Returns an error if the files cannot be read, or contain something that the image cannot store.
pub fn import(files: &Pngs, onto: &Image, shared: Option<&[U16]>) -> Result<Image, PngError> {
    let plane = files.alpha.as_deref().filter(|_| onto.head.has_alpha_plane()).map(Picture::read).transpose()?;
    shown_as(&Picture::read(&files.colors)?, plane.as_ref(), onto, shared)
}

/// Converts PNG files to an image that has no pixels yet, as [`import`] does, if they are stored as [`export`] stores them: without decoding
/// them to colors first. Returns `None` for all others.
#[cfg(feature = "exchange")]
pub(super) fn import_stored(
    colors: &[u8],
    plane: Option<&[u8]>,
    onto: &Image,
    shared: Option<&[U16]>,
) -> Option<Image> {
    (onto.pixels.is_empty() && onto.alpha.is_empty()).then_some(())?;
    let picture = png::Stored::read(colors)?;
    let mut head = onto.head;
    (head.width, head.height) = (picture.size.0.into(), picture.size.1.into());
    match head.is_indexed() {
        true => stored_indices(head, &picture, plane, palette(onto, shared)),
        false => stored_colors(head, &picture, plane.is_some()),
    }
}

/// Returns an image of indices with the palette of its file, which must be the shared one if it has that.
#[cfg(feature = "exchange")]
fn stored_indices(
    mut head: ImageHeader,
    picture: &png::Stored<'_>,
    plane: Option<&[u8]>,
    known: Option<&[U16]>,
) -> Option<Image> {
    use png::ColorType::{Grayscale, Indexed};
    let alpha = match plane.filter(|_| head.has_alpha_plane()) {
        Some(plane) => {
            let plane = png::Stored::read(plane)?;
            (plane.color == Grayscale && plane.size == picture.size).then_some(())?;
            plane.samples()
        }
        None => Vec::new(),
    };
    (picture.color == Indexed && alpha.is_empty() != head.has_alpha_plane()).then_some(())?;
    let (pixels, mut colors): (_, Vec<U16>) =
        (picture.samples(), picture.palette.iter().map(|&color| reduce(color)).collect());
    (usize::from(pixels.iter().copied().fold(0, u8::max)) < colors.len()).then_some(())?;
    if head.is_palette_shared() {
        (colors == known?).then_some(())?;
        colors = Vec::new();
    } else {
        head.palette_count = u16::try_from(colors.len()).ok()?.into();
    }
    Some(Image { head, pixels: pixels.into(), alpha: alpha.into(), palette: colors.into() })
}

/// Returns an image of colors.
#[cfg(feature = "exchange")]
fn stored_colors(head: ImageHeader, picture: &png::Stored<'_>, has_plane: bool) -> Option<Image> {
    use png::ColorType::{Rgb, Rgba};
    let (mut pixels, mut alpha): (Vec<[u8; 2]>, _) = (Vec::with_capacity(area(&head)), Vec::new());
    let (rows, stored) = (picture.rows(), |color: [u8; 3]| reduce(color).get().to_le_bytes());
    match (transparency(&head), picture.color) {
        (Transparency::None, Rgb) => {
            rows.for_each(|row| pixels.extend(row.as_chunks::<3>().0.iter().map(|color| stored(*color))));
        }
        (Transparency::Simple, Rgba) => {
            let color = |&[red, green, blue, opacity]: &[u8; 4]| match stored([red, green, blue]) {
                _ if opacity < OPAQUE => [0; 2],
                [0, 0] => DARKEST.to_le_bytes(),
                color => color,
            };
            rows.for_each(|row| pixels.extend(row.as_chunks::<4>().0.iter().map(color)));
        }
        (Transparency::Full, Rgba) if !has_plane => {
            alpha.reserve_exact(area(&head));
            for row in rows.map(|row| row.as_chunks::<4>().0) {
                pixels.extend(row.iter().map(|&[red, green, blue, _]| stored([red, green, blue])));
                alpha.extend(row.iter().map(|&[.., opacity]| opacity));
            }
        }
        _ => return None,
    }
    Some(Image { head, pixels: pixels.into_flattened().into(), alpha: alpha.into(), palette: Block::default() })
}

/// Converts decoded PNG files, one of colors and one of the alpha plane, to an image.
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
        let pixels = new.colors(|at| old.get(at).copied())?;
        return Ok(Image { head, pixels, alpha, palette: Block::default() });
    }
    if !head.has_alpha_plane() {
        new.is_opaque()?;
    }
    let known = palette(onto, shared).unwrap_or_default();
    if let Some((indices, colors)) = &picture.indexed {
        let colors: Vec<U16> = colors.iter().map(|&color| reduce(color)).collect();
        let one_of_them = colors == known || (!indices.is_empty() && indices.as_slice() == &*onto.pixels);
        let own = !head.is_palette_shared() && (one_of_them || onto.pixels.is_empty());
        let inside = indices.iter().all(|&index| usize::from(index) < colors.len());
        if inside && (own || colors == known) {
            let count = u16::try_from(colors.len()).unwrap_or(256);
            let palette = if head.is_palette_shared() { Vec::new() } else { colors };
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

/// A way to store transparency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transparency {
    /// No pixel is transparent.
    None,
    /// Pixels with color 0 are transparent. Its effect on indices is not known, so they are shown as opaque.
    Simple,
    /// Each pixel has its own opacity.
    Full,
}

fn area(head: &ImageHeader) -> usize {
    usize::from(head.width.get()) * usize::from(head.height.get())
}

/// Returns the palette that an image uses.
fn palette<'a>(image: &'a Image, shared: Option<&'a [U16]>) -> Option<&'a [U16]> {
    if image.head.is_palette_shared() { shared } else { Some(&image.palette) }
}

/// Returns the displayed color of every pixel, or `None` for an index outside the palette.
pub(super) fn shown(image: &Image, palette: Option<&[U16]>) -> Vec<Option<Rgba>> {
    if !image.head.is_indexed() {
        return direct(image).map(Some).collect();
    }
    let shows = shows(image);
    let color = |index: &u8| palette?.get(usize::from(*index)).copied();
    image.pixels.iter().enumerate().map(|(at, index)| Some(shows(at, color(index)?))).collect()
}

/// Returns the displayed color of every pixel of an image without indices.
fn direct(image: &Image) -> impl Iterator<Item = Rgba> {
    let shows = shows(image);
    let colors = image.pixels.as_chunks::<2>().0.iter().map(|bytes| U16::new(u16::from_le_bytes(*bytes)));
    colors.enumerate().map(move |(at, color)| shows(at, color))
}

/// Returns a function that gives the displayed color of a pixel with a stored color.
fn shows(image: &Image) -> impl Fn(usize, U16) -> Rgba {
    let transparency = transparency(&image.head);
    move |at, color| {
        let [red, green, blue] = expand(color);
        let opacity = match transparency {
            Transparency::None => u8::MAX,
            Transparency::Simple if color.get() == 0 => 0,
            Transparency::Simple => u8::MAX,
            Transparency::Full => image.alpha.get(at).copied().unwrap_or(u8::MAX),
        };
        [red, green, blue, opacity]
    }
}

/// Returns the alpha plane of the new image.
fn alpha(plane: Option<&Picture>, picture: &Picture, onto: &Image, same_size: bool) -> Result<Block, PngError> {
    if let Some(plane) = plane {
        let (colors, alpha) = ((picture.width, picture.height), (plane.width, plane.height));
        if colors != alpha {
            return Err(PngError::AlphaSize { colors, alpha });
        }
        // Some programs save each image with an opacity, so one that is opaque throughout is none.
        let has_opacity = picture.colors.iter().any(|&[.., opacity]| opacity < u8::MAX);
        let both = plane.colors.iter().zip(&picture.colors).map(|(&[grey, ..], &[.., opacity])| (grey, opacity));
        let differs = both.enumerate().find(|(_, (grey, opacity))| grey != opacity).filter(|_| has_opacity);
        if let Some((at, (plane, colors))) = differs {
            let width = usize::from(picture.width).max(1);
            return Err(PngError::TwoOpacities { x: at % width, y: at / width, plane, colors });
        }
        return Ok(plane.colors.iter().map(|&[grey, ..]| grey).collect::<Vec<u8>>().into());
    }
    let stays = onto.head.is_indexed() && !picture.has_alpha && same_size && onto.alpha.len() == area(&onto.head);
    if stays {
        return Ok(onto.alpha.clone());
    }
    Ok(picture.colors.iter().map(|&[.., opacity]| opacity).collect::<Vec<u8>>().into())
}

/// A decoded PNG, to be compared with the pixels before.
struct Fresh<'a> {
    picture: &'a Picture,
    /// The displayed colors before.
    before: &'a [Option<Rgba>],
    head: &'a ImageHeader,
}

impl Fresh<'_> {
    /// Returns `true` if a pixel looks the same as before. Transparent pixels have no color; the colors of indices are
    /// compared alone, because their opacity is in another file.
    fn is_same(&self, at: usize, [red, green, blue, opacity]: Rgba) -> bool {
        let Some(&Some([old_red, old_green, old_blue, old_opacity])) = self.before.get(at) else { return false };
        let color = [red, green, blue] == [old_red, old_green, old_blue];
        if self.head.is_indexed() { color } else { opacity == old_opacity && (opacity == 0 || color) }
    }

    /// Returns an error for the first pixel that is not fully opaque.
    fn is_opaque(&self) -> Result<(), PngError> {
        match self.picture.colors.iter().position(|&[.., opacity]| opacity < u8::MAX) {
            Some(at) => {
                let width = usize::from(self.picture.width).max(1);
                Err(PngError::Transparent { x: at % width, y: at / width })
            }
            None => Ok(()),
        }
    }

    /// Returns the pixels as stored colors.
    fn colors(&self, old: impl Fn(usize) -> Option<[u8; 2]>) -> Result<Block, PngError> {
        let transparency = transparency(self.head);
        if transparency == Transparency::None {
            self.is_opaque()?;
        }
        let color = |at: usize, shows: Rgba| {
            let [red, green, blue, opacity] = shows;
            match old(at).filter(|_| self.is_same(at, shows)) {
                Some(bytes) => bytes,
                None if transparency == Transparency::Simple && opacity < OPAQUE => [0; 2],
                None => {
                    let color = reduce([red, green, blue]).get();
                    // Black would be transparent, so this is the darkest opaque color.
                    let is_clear = transparency == Transparency::Simple && color == 0;
                    if is_clear { DARKEST.to_le_bytes() } else { color.to_le_bytes() }
                }
            }
        };
        let pixels = self.picture.colors.iter().enumerate().map(|(at, &shows)| color(at, shows));
        Ok(pixels.collect::<Vec<_>>().into_flattened().into())
    }

    /// Returns the existing indices of pixels that look the same as before, and the new colors of the others.
    fn indices(&self, old: impl Fn(usize) -> Option<u8>) -> Vec<Pixel> {
        let pixel = |at: usize, shows: Rgba| {
            let [red, green, blue, _] = shows;
            let new = Pixel::New(reduce([red, green, blue]));
            old(at).filter(|_| self.is_same(at, shows)).map_or(new, Pixel::Kept)
        };
        (0..).zip(&self.picture.colors).map(|(at, &shows)| pixel(at, shows)).collect()
    }
}

#[cfg(test)]
mod tests;
