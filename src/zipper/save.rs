//! Save games: the entries of an archive that is a save.
//!
//! A save is a memory image, so it contains addresses and leftover memory. Recoil names its entries `section/token`,
//! and the section determines the kind of the entry ([`recoil`]). MechWarrior 3 has a header, and the states of
//! animations under their names ([`mech3`]). Crimson Skies has names like Recoil's and a header of another length ([`crimson`]). An
//! entry that fits none of these exactly is kept as raw bytes.
//!
//! Source: [`zipper-saves.md`](formats::zipper_saves).

pub mod crimson;
pub mod mech3;
pub mod recoil;

/// Returns the kind that both name and content of an entry indicate, or `None` if they do not.
pub(super) fn kind_of(name: &[u8], bytes: &[u8]) -> Option<&'static str> {
    let mut parts = name.splitn(2, |&byte| byte == b'/');
    match (parts.next()?, parts.next()) {
        (section, Some(token)) => recoil::kind_of(section, token, bytes),
        (name, None) => mech3::kind_of(name, bytes),
    }
}

/// Returns `true` if some bytes are as long as the state of an animation with the stored number of nodes.
fn is_activation(bytes: &[u8]) -> bool {
    let nodes = bytes.get(85).copied().map(usize::from);
    nodes.is_some_and(|nodes| bytes.len() == nodes * 68 + 88)
}
