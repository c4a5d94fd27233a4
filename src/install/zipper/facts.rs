//! Facts about an install in the content of its files.

use memchr::memmem;

use crate::zipper::anim::Anim;
use crate::zipper::archive::Archive;
use crate::zipper::gamez::Gamez;
use kind::{Format as _, Game};

/// The facts about an install in the content of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Facts {
    /// The only game that the file can belong to.
    pub game: Option<Game>,
    /// The version of the file, if only the demos of the game have it.
    pub demo_version: Option<u32>,
    /// The version of a program.
    pub version: Option<[u16; 4]>,
    /// The language of a program, as an id of Windows.
    pub language: Option<u16>,
}

impl Facts {
    /// Returns the facts in a file.
    #[must_use]
    pub fn of(path: &str, bytes: &[u8]) -> Self {
        let (version, language) =
            if bytes.starts_with(b"MZ") { (version(bytes), language(bytes)) } else { (None, None) };
        Self { game: game_of_data(path, bytes), demo_version: Gamez::demo_version(bytes), version, language }
    }
}

/// Returns the only game that a file can belong to by its content, or `None` if there are several or none
/// (`zipper-installs.md`, section 1).
#[must_use]
pub fn game_of_data(path: &str, bytes: &[u8]) -> Option<Game> {
    let is_zbd =
        path.len().checked_sub(4).and_then(|at| path.get(at..)).is_some_and(|it| it.eq_ignore_ascii_case(".zbd"));
    let archive = || if is_zbd { Archive::recognize(bytes) } else { None };
    let games = Gamez::recognize(bytes).or_else(|| Anim::recognize(bytes)).or_else(archive)?;
    if let [game] = games[..] { Some(game) } else { None }
}

/// The signature and the format version of a version resource of Windows (`VS_FIXEDFILEINFO`).
const VERSION: [u8; 8] = [0xBD, 0x04, 0xEF, 0xFE, 0, 0, 1, 0];

/// Returns the file version of a program.
fn version(program: &[u8]) -> Option<[u16; 4]> {
    let at = memmem::find(program, &VERSION)?;
    let words = program.get(at.checked_add(VERSION.len())?..)?.get(..8)?;
    let [b0, b1, b2, b3, b4, b5, b6, b7] = words.try_into().ok()?;
    // Each pair of words has the less significant one first.
    Some([[b2, b3], [b0, b1], [b6, b7], [b4, b5]].map(u16::from_le_bytes))
}

/// Returns the language of the version resource of a program.
fn language(program: &[u8]) -> Option<u16> {
    let key: Vec<u8> = "Translation\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let at = memmem::find(program, &key)?;
    let value = program.get(at.checked_add(key.len())?..)?;
    // The key is padded with zeros to a multiple of four bytes. No language has the id 0.
    let pair = value.chunks_exact(2).take(2).map(|pair| pair.try_into().map_or(0, u16::from_le_bytes));
    pair.into_iter().find(|word| *word != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_resource_states_version_and_language() {
        let mut program = b"MZ....".to_vec();
        program.extend(VERSION);
        program.extend([2, 0, 1, 0, 0, 0, 22, 0]);
        program.extend("Translation\0".encode_utf16().flat_map(u16::to_le_bytes));
        program.extend([0, 0, 0x07, 0x04, 0xE4, 0x04]);
        let facts = Facts::of("mech3.exe", &program);
        assert_eq!((facts.version, facts.language), (Some([1, 2, 22, 0]), Some(0x0407)));
        assert_eq!(Facts::of("mech3.exe", b"MZ"), Facts::default());
        program.truncate(14);
        assert_eq!(Facts::of("mech3.exe", &program), Facts::default());
    }
}
