//! Save games: the entries of an archive that is a save.
//!
//! A save is a memory image, so it contains addresses and leftover memory. Recoil names its entries `section/token`,
//! and the section determines the kind of the entry ([`recoil`]). MechWarrior 3 has a header, and the states of
//! animations under their names ([`mech3`]). An entry that fits none of these exactly is kept as raw bytes.
//!
//! Source: `zipper-saves.md`.

pub mod mech3;
pub mod recoil;

use crate::field::{Result, lay};

/// Declares the kinds of entries: a variant, its type and its name.
macro_rules! saved {
    ($($variant:ident($of:ty) = $kind:literal,)*) => {
        /// An entry of a save game.
        #[derive(Clone, Debug)]
        pub enum Saved { $(#[doc = concat!("`", $kind, "`")] $variant($of),)* }

        impl Saved {
            /// Returns the name of the kind.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $kind,)* }
            }

            /// Returns an empty entry of a kind, or `None` if the kind is unknown.
            #[must_use]
            pub fn of_kind(kind: &str) -> Option<Self> {
                match kind { $($kind => Some(Self::$variant(<$of>::default())),)* _ => None }
            }
        }

        lay! {
            impl Lay for Saved {
                fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                    match self { $(Self::$variant(entry) => entry.lay(t),)* }
                }
            }
        }
    };
}

saved! {
    Mission(recoil::Mission) = "save-mission",
    Activation(recoil::Activation) = "save-activation",
    Running(recoil::Running) = "save-running",
    Vehicle(recoil::Vehicle) = "save-vehicle",
    Timer(recoil::Timer) = "save-timer",
    Player(recoil::Player) = "save-player",
    Pickup(recoil::Pickup) = "save-pickup",
    Mine(recoil::Mine) = "save-mine",
    Crater(recoil::Crater) = "save-crater",
    Quicksand(recoil::Quicksand) = "save-quicksand",
    Dummy(recoil::Dummy) = "save-dummy",
    World(recoil::World) = "save-world",
    Weapons(recoil::Weapons) = "save-weapons",
    LateMission(recoil::LateMission) = "save-late-mission",
    Header(mech3::Header) = "save-header",
    MechActivation(mech3::Activation) = "save-mech-activation",
}

impl Saved {
    /// Returns an empty entry of the kind that both name and content indicate, or `None` if they do not.
    #[must_use]
    pub fn recognise(name: &[u8], bytes: &[u8]) -> Option<Self> {
        let mut parts = name.splitn(2, |&byte| byte == b'/');
        let kind = match (parts.next()?, parts.next()) {
            (section, Some(token)) => recoil::kind_of(section, token, bytes)?,
            (name, None) => mech3::kind_of(name, bytes)?,
        };
        Self::of_kind(kind)
    }
}

/// Returns `true` if some bytes are as long as the state of an animation with the stored number of nodes.
fn is_activation(bytes: &[u8]) -> bool {
    let nodes = bytes.get(85).copied().map(usize::from);
    nodes.is_some_and(|nodes| bytes.len() == nodes.saturating_mul(68).saturating_add(88))
}

/// Lays out records that fill a whole entry. Used inside `lay!`.
macro_rules! lay_record {
    ($($record:ty),* $(,)?) => {
        $(impl Lay for $record {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                t.fields(self)
            }
        })*
    };
}
use lay_record;
