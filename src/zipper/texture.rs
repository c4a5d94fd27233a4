//! Texture packages: `rimage.zbd`, `texture*.zbd`, `rtexture*.zbd`, `rmechtex*.zbd`.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 24 |
//! | directory, one [`Slot`] per image | 40 |
//! | palettes that images share | 512 |
//! | images, end to end in the order of the directory | |
//!
//! An image is an [`ImageHeader`], then pixels, then an alpha plane if a flag is set for it, then its own palette if it
//! has one. Only these parts determine its length. Names repeat, and the directory need not be sorted, except for Crimson Skies, which
//! finds no other images.
//!
//! Not understood: bit 0 of the flags of images with a palette; the transparent colors of a palette image with simple
//! alpha; bit 8 of `addressing`. Its bits 1 and 2 are Recoil's; in Crimson Skies, they are inferred from it.
//!
//! Source: [`zipper-textures.md`](formats::zipper_textures).

pub mod color;
#[cfg(feature = "png")]
mod indices;
mod lint;
mod order;
#[cfg(feature = "exchange")]
pub mod pictured;
#[cfg(feature = "png")]
pub mod png;
#[cfg(feature = "export")]
pub mod sheet;

#[cfg(feature = "exchange")]
pub use pictured::MEDIUM;
#[cfg(feature = "export")]
pub use sheet::contact_sheet;

use core::ops::Range;

use bitflags::Flags as _;

use field::build::Tape;
use field::walk::{LayBy, size_by, sizes};
use field::{
    Arrangement, Block, Fault, I32, Label, Record as _, Result, Run, Step, Table, Text, Truth, U16, U32, lay, wide,
};
use field::{flags, record};
use kind::{Container, Contents, EntryTable, Format, Game, binrw_over_lay, encode_with, own};

/// The kind of an image.
const IMAGE: &str = "image";
/// The list of rows.
const TABLE: &str = "directory";

/// A palette that images share: 256 RGB565 colors, of which an image may use only the first few.
pub type Palette = [U16; 256];

record! {
    /// The header, 24 bytes. Source: `zipper-textures.md`, section 2.
    pub struct Header: 24 {
        zero00: U32 = 0,
        version: U32 = 1,
        global_palette_count: I32 as Outside,
        image_count: U32 as Outside,
        zero16: U32 = 0,
        zero20: U32 = 0,
    }
}

record! {
    /// An entry of the directory, 40 bytes. Source: `zipper-textures.md`, section 2.
    pub struct Slot: 40 {
        /// The name, without extension.
        name: Text<32>,
        start: U32 as Offset,
        /// The index of the shared palette of the image, or -1.
        palette_index: I32,
    }
}

flags! {
    /// The flags of an image. Source: `zipper-textures.md`, section 2.1.
    pub struct ImageFlags(U32: u32) {
        /// Colors have 16 bits.
        SIXTEEN_BIT = 0x01;
        /// Part of the image is transparent.
        ALPHA = 0x02;
        /// No part of the image is transparent.
        NO_ALPHA = 0x04;
        /// The image has an alpha plane, with one value per pixel.
        FULL_ALPHA = 0x08;
        /// The palette is a shared one.
        GLOBAL_PALETTE = 0x10;
        /// Left over from memory: the image owned its pixels.
        OWNS_PIXELS = 0x20;
        /// Left over from memory: the image owned its alpha plane.
        OWNS_ALPHA = 0x40;
        /// Left over from memory: the image owned its palette.
        OWNS_PALETTE = 0x80;
    }
}

flags! {
    /// How an image is drawn; some call the first two bits stretching. Crimson Skies also has bit 8, on clouds and a blurred rotor.
    /// Source: `zipper-textures.md`, section 2.3 (engine, except where marked).
    pub struct Addressing(U16: u16) {
        /// Coordinates outside the image are clamped from left to right; in Crimson Skies inferred from Recoil.
        CLAMP_U = 1;
        /// Coordinates outside the image are clamped from top to bottom; in Crimson Skies inferred from Recoil.
        CLAMP_V = 2;
        /// The colors are added to those behind it; Crimson Skies.
        ADDITIVE = 4;
    }
}

record! {
    /// The header of an image, 16 bytes. Source: `zipper-textures.md`, section 2.
    pub struct ImageHeader: 16 {
        flags: ImageFlags,
        width: U16,
        height: U16,
        zero08: U32 = 0,
        /// The number of palette colors that the image uses, or 0 if its pixels are colors.
        palette_count: U16,
        addressing: Addressing,
    }
}

/// An image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Size and flags.
    pub head: ImageHeader,
    /// Pixels, row by row from the top: two-byte colors (RGB565, little endian) or one-byte palette indices.
    pub pixels: Block,
    /// The alpha plane: one byte per pixel, 255 for opaque.
    pub alpha: Block,
    /// The image's own palette.
    pub palette: Block<U16>,
}

/// A texture package.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Version and counts.
    pub head: Header,
    /// Names and offsets.
    pub directory: Vec<Slot>,
    /// The palettes that images share.
    pub palettes: Block<Palette>,
    /// The images, in the order of the directory.
    pub images: Vec<Image>,
    /// The placement of the images in the file.
    pub arrangement: Arrangement,
    /// Bytes after the last image.
    pub trailing: Block,
    /// `true` if the directory is in the order in which Crimson Skies finds every image: lower case, ascending, no name twice. An edit
    /// keeps that: it puts an added or renamed image in its place.
    pub in_order: Truth,
}

impl ImageHeader {
    /// Returns `true` if the pixels are indices into a palette.
    #[must_use]
    pub fn is_indexed(&self) -> bool {
        self.palette_count.get() > 0
    }

    /// Returns `true` if the palette, if any, is a shared one.
    #[must_use]
    pub fn is_palette_shared(&self) -> bool {
        self.flags.contains(ImageFlags::GLOBAL_PALETTE)
    }

    /// Returns `true` if the image has an alpha plane.
    #[must_use]
    pub fn has_alpha_plane(&self) -> bool {
        self.flags.contains(ImageFlags::FULL_ALPHA)
    }

    /// Returns the number of pixels.
    fn area(&self) -> u64 {
        u64::from(self.width.get()) * u64::from(self.height.get())
    }

    /// Returns the number of bytes of the pixels.
    fn pixel_bytes(&self) -> u64 {
        if self.is_indexed() { self.area() } else { self.area() * 2 }
    }

    /// Returns the number of colors in the image's own palette.
    fn own_colors(&self) -> u64 {
        if self.is_palette_shared() { 0 } else { self.palette_count.get().into() }
    }

    /// Returns the number of bytes of the whole image.
    fn image_bytes(&self) -> u64 {
        let alpha = if self.has_alpha_plane() { self.area() } else { 0 };
        let parts = [wide(size_of::<Self>()), self.pixel_bytes(), alpha, self.own_colors() * 2];
        parts.into_iter().sum::<u64>()
    }

    /// Returns the first rule that the flags break, given the palette index in the directory.
    fn odd_flags(&self, palette_index: i32) -> Option<&'static str> {
        let has = |flag| self.flags.contains(flag);
        let shared = has(ImageFlags::GLOBAL_PALETTE);
        let rules = [
            (has(ImageFlags::SIXTEEN_BIT), "SIXTEEN_BIT"),
            (has(ImageFlags::ALPHA) != has(ImageFlags::NO_ALPHA), "either ALPHA or NO_ALPHA"),
            (has(ImageFlags::ALPHA) || !has(ImageFlags::FULL_ALPHA), "ALPHA with FULL_ALPHA"),
            (shared == (palette_index != -1), "GLOBAL_PALETTE if the directory names a palette, and only then"),
            (!shared || self.is_indexed(), "GLOBAL_PALETTE only with a palette"),
            (self.flags.bits() <= 0xFF, "no flags above 0x80"),
        ];
        rules.into_iter().find_map(|(holds, rule)| (!holds).then_some(rule))
    }
}

lay! {
    impl Lay for Package {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.when_recomputing(at!(*self), |package, t| package.keep_order(t))?;
            t.computed("global_palette_count", at!(self.head.global_palette_count), wide(self.palettes.len()))?;
            t.computed("image_count", at!(self.head.image_count), wide(self.images.len()))?;
            t.fields(at!(self.head))?;
            let palettes = t.stated("global_palette_count", self.head.global_palette_count)?;
            let count = t.stated("image_count", self.head.image_count)?;
            t.expect("image_count", || (count == 0).then(|| ("at least 1".into(), 0.into())));
            let between = wide(self.palettes.bytes().len());
            let table = Table { between, ..Table::of::<Slot>(TABLE, start, t.position()) };
            let sizes = || sizes(TABLE, &self.images, |image| size_by(image, -1));
            let mut places = t.item_places(&self.arrangement, &table, sizes)?;
            t.list(TABLE, count, wide(size_of::<Slot>()), at!(self.directory), |t, slot| {
                t.row_of_offset(at!(*slot), places.next())?;
                let (full, index) = (slot.name.is_full(), slot.palette_index.get());
                t.expect("name", || full.then(|| ("a NUL after the name".into(), "none".into())));
                let known = index == -1 || u64::try_from(index).is_ok_and(|index| index < palettes);
                t.expect("palette_index", || {
                    (!known).then(|| (format!("-1, or below {palettes}").into(), index.into()))
                });
                Ok(())
            })?;
            t.block("palettes", palettes, at!(self.palettes))?;
            t.as_many(at!(self.images), self.directory.len())?;
            t.find_arranged(at!(self.arrangement), &table, |t| ranges(t, &table, start, &self.directory))?;
            t.seen_fact("in_order", at!(self.in_order), |_| order::is_in_order(&self.directory).into())?;
            let labels = t.labels(TABLE, self.directory.iter().map(|slot| slot.name.bytes()));
            t.arranged_entries(at!(self.arrangement), TABLE, &labels, at!(self.images), |t, label, item, image| {
                let palette_index = self.directory.get(item).map_or(-1, |slot| slot.palette_index.get());
                t.part(label, IMAGE, |t| image.lay_by(t, palette_index))
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl LayBy<i32> for Image {
        /// Lays out an image, given the palette index in the directory.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, palette_index: i32) -> Result {
            let Self { head, pixels, alpha, palette } = self;
            t.fields(at!(*head))?;
            t.expect("flags", || {
                let rule = head.odd_flags(palette_index)?;
                Some((rule.into(), format!("{:?}", head.flags).into()))
            });
            for (name, side) in [("width", head.width), ("height", head.height)] {
                t.expect(name, || (side.get() == 0).then(|| ("at least 1".into(), 0.into())));
            }
            let colors = head.palette_count.get();
            t.expect("palette_count", || (colors > 256).then(|| ("at most 256".into(), colors.into())));
            t.run("pixels", Run::Pixels, head.pixel_bytes(), at!(*pixels))?;
            t.expect("pixels", || {
                if !head.is_indexed() || pixels.is_empty() {
                    return None;
                }
                // A fold handles many values at once; `max` does not.
                let largest = pixels.iter().copied().fold(0, u8::max);
                (colors <= largest.into()).then(|| (format!("indices below {colors}").into(), largest.into()))
            });
            if head.has_alpha_plane() {
                t.run("alpha", Run::Pixels, head.area(), alpha)?;
            }
            if head.own_colors() > 0 { t.block("palette", head.own_colors(), palette) } else { Ok(()) }
        }
    }
}

/// Returns the offset of the first image, given the numbers of images and shared palettes.
fn images_begin(images: usize, palettes: usize) -> u64 {
    let directory = images * size_of::<Slot>();
    wide(size_of::<Header>() + directory + palettes * size_of::<Palette>())
}

impl Package {
    /// Checks that an edit has kept the order, or notes that the directory has one now.
    fn keep_order(&mut self, t: &Tape<'_>) -> Result {
        let broken = if self.in_order.into() { order::broken(&self.directory) } else { None };
        if let Some((index, expected)) = broken {
            let found = self.directory.get(index).map(|slot| slot.name.to_string()).unwrap_or_default();
            let steps = [Step::Name(TABLE), Step::Index(wide(index)), Step::Name("name")];
            return Err(t.error_at(t.position(), steps, Fault::Unknown { found: format!("{found:?}"), expected }));
        }
        self.in_order = order::is_in_order(&self.directory).into();
        Ok(())
    }

    /// Returns the palette of an image: its own, or the shared one that the directory names.
    #[must_use]
    pub fn palette_of(&self, item: usize) -> Option<&[U16]> {
        let image = self.images.get(item).filter(|image| image.head.is_indexed())?;
        if !image.head.is_palette_shared() {
            return Some(&image.palette);
        }
        let index = self.directory.get(item)?.palette_index.get();
        self.palettes.get(usize::try_from(index).ok()?).map(|palette| &palette[..])
    }
}

/// Returns the byte ranges of the images in read mode, by their headers.
fn ranges(t: &Tape<'_>, table: &Table, start: u64, directory: &[Slot]) -> Result<Vec<Range<u64>>> {
    let range = |(item, slot): (usize, &Slot)| {
        let begin = u64::from(slot.start.get());
        let head =
            t.peek(start + begin, wide(size_of::<ImageHeader>())).map_err(|fault| table.wrong(t, item, fault))?;
        let head: ImageHeader = field::macros::read_pod(&head).unwrap_or_default();
        Ok(begin..begin + head.image_bytes())
    };
    directory.iter().enumerate().map(range).collect()
}

impl Format for Package {
    const NAME: &'static str = "texture";
    const TITLE: &'static str = "texture package";
    const GAMES: &'static [Game] = super::games::ALL;
    const CLAIMS: &'static [&'static str] = &["image.zbd", "rimage.zbd", "*tex*.zbd"];
    const TABLES: &'static [EntryTable] = &[EntryTable {
        kind: Self::NAME,
        list: TABLE,
        row: |_| Slot::LAYOUT,
        name: "name",
        extension: None,
        entry: Some(IMAGE),
    }];
    #[cfg(feature = "exchange")]
    const ARRANGE: Option<kind::Arrange> = Some(order::arrange);
    const TRAPS: &'static [&'static ::lint::Trap] = lint::TRAPS;

    fn trap_of_name(name: &str, bytes: u64) -> Option<(&'static ::lint::Trap, String)> {
        lint::tier(name, bytes)
    }

    /// Checks the words of the header, and that all images begin after the palettes (`zipper-textures.md`, section 5;
    /// there, the first image begins immediately after them, but files may have a gap). Only Crimson Skies has certain
    /// bits (section 2.3).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let head: Header = field::macros::read_head(file)?;
        let images = usize::try_from(head.image_count.get()).ok().filter(|&images| images > 0)?;
        let palettes = usize::try_from(head.global_palette_count.get()).ok()?;
        let fixed = Header {
            global_palette_count: head.global_palette_count,
            image_count: head.image_count,
            ..Header::default()
        };
        let directory = file.get(size_of::<Header>()..)?.get(..images.checked_mul(size_of::<Slot>())?)?;
        let directory: &[Slot] = bytemuck::try_cast_slice(directory).ok()?;
        let first = images_begin(images, palettes);
        let mut crimson = false;
        for slot in directory {
            let start = Some(slot.start.get()).filter(|&start| u64::from(start) >= first)?;
            let image = file.get(usize::try_from(start).ok()?..)?.get(..size_of::<ImageHeader>())?;
            let image: ImageHeader = field::macros::read_pod(image)?;
            crimson |= matches!(image.addressing.bits(), 4 | 7 | 8);
        }
        let games = if crimson { vec![Game::CrimsonSkies] } else { Self::GAMES.to_vec() };
        (head == fixed).then_some(games)
    }
}

binrw_over_lay!(Package);

impl Container for Package {
    type Content = Image;

    fn labeled(&self) -> Vec<(Label, &Image)> {
        let labels = Label::table(TABLE, self.directory.iter().map(|slot| slot.name.bytes().to_vec()));
        own(&self.arrangement, labels.into_iter().zip(&self.images))
    }
}

impl Contents<Package> for Image {
    fn kind(&self) -> &'static str {
        IMAGE
    }

    fn bytes(&self, _: &Package) -> Result<Vec<u8>> {
        // The index of a shared palette is only needed to check the flags.
        encode_with(|t| LayBy::lay_by(self, t, -1))
    }
}
