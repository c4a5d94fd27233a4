//! Trees of fields with labels: creatures, items, areas, dialogs, modules and nearly all other structured files.
//!
//! | part | bytes |
//! |---|---|
//! | header: type, version, offset and size of each section | 56 |
//! | structs | 12 each |
//! | fields | 12 each |
//! | labels | 16 each |
//! | data of fields, indices of fields, indices of lists | |
//!
//! The bytes are the model. They are shown as a tree, in the JSON of neverwinter.nim. An edited tree is written as the game writes
//! it: offsets, numbers and indices follow from the tree. What a file has beyond its tree is in `__layout`.
//!
//! Source: [`nwn-gff.md`](formats::nwn_gff).

mod json;
mod judge;
mod keys;
pub(super) mod layout;
mod lint;
mod load;
mod owners;
mod sections;
pub mod text;
mod tree;
mod write;

use ::lint::Trap;
use field::{Block, Codec, Loaded, ReplacedField, Result, Value, lay};
use kind::{Format, Game, binrw_over_lay};

use sections::{Wrong, check};
pub use {json::is_wide, sections::TYPES};

/// A GFF.
#[derive(Clone, Debug, Default)]
pub struct Gff {
    /// The file.
    file: Block,
    /// The bytes by class.
    census: [usize; 7],
}

/// Access to the fields.
static CODEC: Codec = Codec {
    name: "fields with labels",
    owners: owners::owners,
    show: json::show,
    print: None,
    load,
    merge: None,
    dense: None,
};

/// Reads a GFF from JSON, and reports if its layout no longer fits the tree.
fn load(json: Value, replaced: &mut Vec<ReplacedField>) -> Loaded<Vec<u8>> {
    let (file, is_lost) = load::load(&json)?;
    if is_lost {
        replaced.push(layout::lost("the order that the game writes"));
        replaced.extend(layout::unshared(&json));
    }
    Ok(file)
}

impl Gff {
    /// Returns the tree: an object per struct, with type and value of each field (`nwn-gff.md`, section 7).
    #[must_use]
    pub fn json(&self) -> Value {
        json::show(&self.file)
    }
}

lay! {
    impl Lay for Gff {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.coded_checked(None, &CODEC, at!(self.census), at!(self.file), |file| {
                check(file).map_err(|Wrong { at, steps, fault }| (at, steps, fault))
            })?;
            t.judge(|t| judge::judge(&self.file, start, t));
            Ok(())
        }
    }
}

impl Format for Gff {
    const NAME: &'static str = "gff";
    const TITLE: &'static str = "fields with labels (creatures, items, areas, modules)";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &[
        "*.are", "*.bic", "*.dlg", "*.fac", "*.gff", "*.gic", "*.git", "*.ifo", "*.itp", "*.jrl", "*.ptm", "*.ptt",
        "*.utc", "*.utd", "*.ute", "*.uti", "*.utm", "*.utp", "*.uts", "*.utt", "*.utw",
    ];

    const TRAPS: &'static [&'static Trap] = lint::TRAPS;

    /// Checks for a type of capitals and digits, the version, and the offset of the first section (`nwn-gff.md`, section 5).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let (kind, rest) = file.split_first_chunk::<4>()?;
        let text = kind.trim_ascii_end();
        let is_type = text.len() >= 2 && text.iter().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit());
        (is_type && rest.starts_with(b"V3.2\x38\0\0\0")).then(|| Self::GAMES.to_vec())
    }

    /// Returns the end of the last section.
    fn ends_at(file: &[u8]) -> Option<usize> {
        sections::Sections::of(file).ok().map(|it| it.end()).filter(|end| *end < file.len())
    }

    /// Returns `false` for files of other programs with these endings.
    fn suits(file: &[u8]) -> bool {
        file.first_chunk().is_some_and(|kind: &[u8; 4]| kind.iter().all(|it| it.is_ascii_uppercase() || *it == b' '))
            && file.get(4) == Some(&b'V')
    }
}

binrw_over_lay!(Gff);
