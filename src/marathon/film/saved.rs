//! The saved game that a recording starts from: the header of a wad and the chunks of one entry, without a directory.
//!
//! Source: `marathon-wad.md`, section 8.

use bytes::Bytes;

use field::record;
use field::walk::size_by;
use field::{Fault, Label, Result, U32be, lay, wide};
use kind::payloads;
use lint::lint_as;

use super::super::wad::{Entry, LooseHeader};

/// The first bytes of a flat wad.
const MAGIC: u32 = 0xDEAD_DEAD;

record! {
    /// The header of a flat wad, 8 bytes. Source: `marathon-wad.md`, section 8.
    pub struct FlatHeader: 8 {
        magic: U32be = MAGIC,
        /// Length of the flat wad, including these 8 bytes.
        length: U32be as Outside,
    }
}

/// A wad of one entry without a directory.
#[derive(Clone, Debug, Default)]
pub struct FlatWad {
    /// Magic and length.
    pub flat: FlatHeader,
    /// The header of the file that the game was saved in.
    pub head: LooseHeader,
    /// The level and its state.
    pub entry: Entry,
}

payloads! {
    /// The contents of an extension.
    pub enum Extension {
        /// The saved game that the recording starts from.
        SavedGame(Box<FlatWad>) = "flat-wad";
    }
}

lint_as!(FlatWad, it => &it.entry);

lay! {
    impl Lay for FlatWad {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let all = t.remaining();
            let heads = wide(size_of::<FlatHeader>() + size_of::<LooseHeader>());
            // Unknown sizes are refused once they have been read or loaded.
            if let Ok(sizes) = self.head.sizes() {
                t.computed_by("length", at!(self.flat.length), || Ok(size_by(&self.entry, sizes)? + heads))?;
            }
            t.fields(at!(self.flat))?;
            let length = u64::from(self.flat.length.get());
            t.refuse("length", length != all, || Fault::Outside { found: length.into(), expected: all.to_string() })?;
            t.record("head", at!(self.head))?;
            let sizes = self.head.sizes().map_err(|(field, fault)| t.error_in(field, fault))?;
            self.entry.lay_by(t, sizes)
        }
    }
}

impl Extension {
    fn fitting(_: &Label, bytes: &Bytes) -> Self {
        if bytes.starts_with(&MAGIC.to_be_bytes()) { Self::SavedGame(Box::default()) } else { Self::default() }
    }
}
