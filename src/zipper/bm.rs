//! Livery images of Crimson Skies, `*.bm` in ROF archives: a base image, three paint masks, and an overlay image.
//!
//! | part | bytes, for N = width * height |
//! |---|---|
//! | [`Header`] | 4 |
//! | base, red, green and blue | 3 N |
//! | three masks | N each |
//! | overlay, red, green, blue and opacity | 4 N |
//!
//! Rows seem to be stored bottom-up. There is no magic, only a matching size.
//!
//! Source: [`zipper-other.md`](formats::zipper_other), section 2.

use field::record;
use field::{Block, Result, Run, U16, lay, wide};
use kind::{Format, Game, binrw_over_lay};

record! {
    /// The header, 4 bytes. Source: `zipper-other.md`, section 2.
    pub struct Header: 4 {
        height: U16,
        width: U16,
    }
}

/// A livery image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bm {
    /// Width and height.
    pub head: Header,
    /// The base image, three bytes per pixel.
    pub base: Block,
    /// The paint masks, one byte per pixel.
    pub masks: [Block; 3],
    /// The overlay, four bytes per pixel; colors under transparent pixels are preserved.
    pub overlay: Block,
}

impl Header {
    fn area(&self) -> u64 {
        u64::from(self.width.get()) * u64::from(self.height.get())
    }
}

impl Bm {
    /// Returns `true` if some bytes have the length that their first four bytes specify.
    #[must_use]
    pub fn fits(bytes: &[u8]) -> bool {
        let head: Option<Header> = field::macros::read_head(bytes);
        head.is_some_and(|head| head.area() > 0 && wide(bytes.len()) == head.area() * 10 + 4)
    }
}

lay! {
    impl Lay for Bm {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let area = self.head.area();
            t.run("base", Run::Pixels, area * 3, at!(self.base))?;
            for (name, mask) in ["mask_1", "mask_2", "mask_3"].into_iter().zip(at!(self.masks)) {
                t.run(name, Run::Pixels, area, mask)?;
            }
            t.run("overlay", Run::Pixels, area * 4, at!(self.overlay))
        }
    }
}

impl Format for Bm {
    const NAME: &'static str = "bm";
    const TITLE: &'static str = "livery image";
    const GAMES: &'static [Game] = &[Game::CrimsonSkies];
    const CLAIMS: &'static [&'static str] = &["*.bm"];

    /// Checks the size. Every other kind is tried first (`zipper-other.md`, section 2).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        Self::fits(file).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Bm);
