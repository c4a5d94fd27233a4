//! Letters of names, `.ltr`: how probable it is that letters follow one another. Source:
//! [`nwn-other.md`](formats::nwn_other), section 4.

use field::record;
use field::{Block, F32, Result, Run, Text, U8, lay};
use kind::{Format, Game, binrw_over_lay};

record! {
    /// The header, 9 bytes. Source: `nwn-other.md`, section 4.
    pub struct Header: 9 {
        magic: Text<8>,
        /// The number of letters.
        letters: U8,
    }
}

/// The probabilities of letters: at the beginning, in the middle and at the end of a name, each cumulative.
#[derive(Clone, Debug, Default)]
pub struct Ltr {
    /// The number of letters.
    pub head: Header,
    /// Of one letter: three tables.
    pub single: Block<F32>,
    /// Of a letter after one other: three tables for each.
    pub double: Block<F32>,
    /// Of a letter after two others: three tables for each.
    pub triple: Block<F32>,
    /// Bytes after the tables.
    pub trailing: Block,
}

/// The magic.
const MAGIC: &[u8; 8] = b"LTR V1.0";

lay! {
    impl Lay for Ltr {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let letters = u64::from(self.head.letters.get());
            let count = |power: u32| letters.pow(power) * 3;
            t.block("single", count(1), at!(self.single))?;
            t.block("double", count(2), at!(self.double))?;
            t.block("triple", count(3), at!(self.triple))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Format for Ltr {
    const NAME: &'static str = "ltr";
    const TITLE: &'static str = "letters of names";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.ltr"];

    /// Checks the magic.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.starts_with(MAGIC).then(|| Self::GAMES.to_vec())
    }

    /// Returns `false` for letters to people.
    fn suits(file: &[u8]) -> bool {
        file.starts_with(b"LTR ")
    }
}

binrw_over_lay!(Ltr);
