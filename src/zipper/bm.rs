//! Livery images of Crimson Skies, `*.bm` in ROF archives: a picture, three masks of paint, and a picture to lay over it.
//!
//! | part | bytes, for N = width * height |
//! |---|---|
//! | [`Head`] | 4 |
//! | base, red, green and blue | 3 N |
//! | three masks | N each |
//! | overlay, red, green, blue and opacity | 4 N |
//!
//! Rows seem to go from the bottom to the top. There is no magic, only a size that fits.
//!
//! Source: `zipper-other.md`, section 2.

use crate::field::{Block, Result, Run, U16, lay, wide};
use crate::kind::{Format, Game, binrw_over_lay};
use crate::record;

record! {
    /// The head, 4 bytes. Source: `zipper-other.md`, section 2.
    pub struct Head: 4 {
        height: U16,
        width: U16,
    }
}

/// A livery image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bm {
    /// Its sides.
    pub head: Head,
    /// Three bytes a pixel.
    pub base: Block,
    /// Where the paint goes, a byte a pixel.
    pub masks: [Block; 3],
    /// Four bytes a pixel; the colours under what is transparent are kept.
    pub overlay: Block,
}

impl Head {
    fn area(&self) -> u64 {
        u64::from(self.width.get()).saturating_mul(self.height.get().into())
    }
}

impl Bm {
    /// Whether some bytes are as long as their first four say.
    #[must_use]
    pub fn fits(bytes: &[u8]) -> bool {
        let head: Option<Head> = crate::macros::read_head(bytes);
        head.is_some_and(|head| {
            head.area() > 0 && wide(bytes.len()) == head.area().saturating_mul(10).saturating_add(4)
        })
    }
}

lay! {
    impl Lay for Bm {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let area = self.head.area();
            t.run("base", Run::Pixels, area.saturating_mul(3), at!(self.base))?;
            for (name, mask) in ["mask_1", "mask_2", "mask_3"].into_iter().zip(at!(self.masks)) {
                t.run(name, Run::Pixels, area, mask)?;
            }
            t.run("overlay", Run::Pixels, area.saturating_mul(4), at!(self.overlay))
        }
    }
}

impl Format for Bm {
    const NAME: &'static str = "bm";
    const TITLE: &'static str = "livery image";
    const GAMES: &'static [Game] = &[Game::CrimsonSkies];
    const CLAIMS: &'static [&'static str] = &["*.bm"];

    /// The size, which any other kind is asked before (`zipper-other.md`, section 2).
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
        Self::fits(file).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Bm);
