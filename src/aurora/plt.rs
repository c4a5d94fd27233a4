//! Layered textures, `.plt`: for each pixel a brightness and the layer whose color it takes. Source:
//! [`nwn-other.md`](formats::nwn_other), section 2.

use field::record;
use field::{Block, Result, Run, Text, U8, U32, lay, wide};
use kind::{Format, Game, binrw_over_lay};

record! {
    /// The header, 24 bytes. Source: `nwn-other.md`, section 2.
    pub struct Header: 24 {
        magic: Text<8>,
        /// The number of layers, as the tool counted them.
        layers: U32,
        zero: U32 = 0,
        width: U32,
        height: U32,
    }
}

record! {
    /// A pixel, 2 bytes. Source: `nwn-other.md`, section 2.
    pub struct Pixel: 2 {
        brightness: U8,
        /// 0 skin, 1 hair, 2 and 3 metal, 4 and 5 cloth, 6 and 7 leather, 8 and 9 tattoo.
        layer: U8,
    }
}

/// A layered texture.
#[derive(Clone, Debug, Default)]
pub struct Plt {
    /// Width and height.
    pub head: Header,
    /// The pixels, row by row.
    pub pixels: Block,
    /// Bytes after the pixels.
    pub trailing: Block,
}

/// The magic.
const MAGIC: &[u8; 8] = b"PLT V1  ";

lay! {
    impl Lay for Plt {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let pixels = u64::from(self.head.width.get()) * u64::from(self.head.height.get());
            t.run("pixels", Run::Pixels, pixels.saturating_mul(2), at!(self.pixels))?;
            let length = wide(self.pixels.len());
            t.expect("pixels", || (length != pixels.saturating_mul(2)).then(|| (pixels.into(), (length / 2).into())));
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Plt {
    /// Returns the pixel in a column and a row, or `None` if there is none.
    #[must_use]
    pub fn pixel(&self, column: u32, row: u32) -> Option<Pixel> {
        let at =
            u64::from(row).checked_mul(self.head.width.get().into())?.checked_add(column.into())?.checked_mul(2)?;
        field::macros::read_head(self.pixels.get(usize::try_from(at).ok()?..)?)
    }
}

impl Format for Plt {
    const NAME: &'static str = "plt";
    const TITLE: &'static str = "layered texture";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.plt"];

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.starts_with(MAGIC).then(|| Self::GAMES.to_vec())
    }

    /// Returns `false` for plots and other files with this ending.
    fn suits(file: &[u8]) -> bool {
        file.starts_with(b"PLT ")
    }
}

binrw_over_lay!(Plt);
