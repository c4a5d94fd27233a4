//! Save games: what the entries of an archive hold that is one.
//!
//! A save is an image of memory, so that addresses and leftover memory are part of it. Recoil names its entries
//! `section/token`, and the section says what the entry is ([`recoil`]); MechWarrior 3 has a header and the states of
//! animations, each under its name ([`mech3`]). What fits none of these exactly is kept as it is.
//!
//! Source: `zipper-saves.md`.

pub mod mech3;
pub mod recoil;

use crate::field::{Result, lay};

/// Declares what an entry can hold: a variant, its type, its kind.
macro_rules! saved {
    ($($variant:ident($of:ty) = $kind:literal,)*) => {
        /// What an entry of a save game holds.
        #[derive(Clone, Debug)]
        pub enum Saved { $(#[doc = concat!("`", $kind, "`")] $variant($of),)* }

        impl Saved {
            /// The word for it.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $kind,)* }
            }

            /// The empty one of a kind.
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
    /// The empty one for an entry of this name and content, where both say what it is.
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

/// Whether some bytes are as long as the state of an animation with as many nodes as it says.
fn is_activation(bytes: &[u8]) -> bool {
    let nodes = bytes.get(85).copied().map(usize::from);
    nodes.is_some_and(|nodes| bytes.len() == nodes.saturating_mul(68).saturating_add(88))
}

/// Lays records, each of which is all there is of an entry. It stands in `lay!`.
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
