//! Picture files, `*.pct`: 512 zeros, then a picture.
//!
//! Source: `marathon-images.md`, section 4.

use field::record;
use field::{Result, U8, lay};
use kind::{Format, Game, binrw_over_lay};
use lint::no_traps;

use super::Picture;

record! {
    /// The header of a picture in a file, 512 bytes. Source: `marathon-images.md`, section 4.
    pub struct FileHeader: 512 {
        zeros: [U8; 512] = [U8::new(0); 512],
    }
}

/// A picture file.
#[derive(Clone, Debug, Default)]
pub struct PictureFile {
    /// Zeros.
    pub head: FileHeader,
    /// The picture.
    pub picture: Picture,
}

lay! {
    impl Lay for PictureFile {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            self.picture.lay(t)
        }
    }
}

no_traps!(PictureFile);

impl Format for PictureFile {
    const NAME: &'static str = "picture";
    const TITLE: &'static str = "picture (PICT)";
    const GAMES: &'static [Game] = &[Game::Marathon, Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.pct"];

    /// Recognizes zeros, then a picture's version at its usual offset.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let (head, picture) = file.split_at_checked(size_of::<FileHeader>())?;
        (head.iter().all(|&byte| byte == 0) && Picture::begins(picture)).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(PictureFile);
