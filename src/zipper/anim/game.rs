//! The differences between the games.

use crate::games;
pub use crate::games::{CrimsonSkies, GameRecord, MechWarrior3, PiratesMoon, Recoil};

use super::container::{InfoEnd60, InfoEnd68, InfoEnd108};
use super::definition::{NamesById, NamesByPointer, Nodes};
use super::frame::{Curve, NoCurve, Spline};
use super::references::{Node40, Node44, NodeById, Object92, Object96, ObjectById, StaticSound36, StaticSound40};

/// The layouts of a game, and the phases of its files.
pub trait Game: games::Game {
    /// The end of the information.
    type InfoEnd: GameRecord;
    /// The names of a definition.
    type Names: GameRecord + Nodes;
    /// An element of the objects.
    type Object: GameRecord;
    /// An element of the nodes.
    type Node: GameRecord;
    /// An element of the static sounds.
    type StaticSound: GameRecord;
    /// The curve after a block of a frame.
    type Curve: Curve;
    /// `true` if the header holds the build time.
    const HAS_TIME: bool = false;
    /// `true` if the file lists the containers that it was built against.
    const HAS_BASES: bool = false;
    /// `true` if scripts are in a pool after the definitions, and a definition has a reset sequence only if it points to one.
    /// Otherwise scripts are in their events, and every definition has a reset sequence, whose header it also embeds.
    const HAS_POOL: bool = false;
    /// `true` if there are puffers, and one more unused word in a definition.
    const HAS_PUFFERS: bool = true;
    /// `true` if a definition lists the scripts it uses.
    const HAS_SCRIPT_IDS: bool = false;
    /// The value of pointers to nodes in the placeholders.
    const NO_NODE: u32 = 0;
    /// The value of pointers to nodes elsewhere, if it is constant.
    const ANY_NODE: Option<u32> = None;
    /// The name of the first definition, a placeholder.
    const FIRST_NAME: [u8; 32] = [0; 32];
}

impl Game for Recoil {
    type InfoEnd = InfoEnd60;
    type Names = NamesByPointer;
    type Object = Object96;
    type Node = Node40;
    type StaticSound = StaticSound36;
    type Curve = NoCurve;
    const HAS_PUFFERS: bool = false;
}

impl Game for MechWarrior3 {
    type InfoEnd = InfoEnd68;
    type Names = NamesByPointer;
    type Object = Object96;
    type Node = Node40;
    type StaticSound = StaticSound36;
    type Curve = Spline;
}

impl Game for PiratesMoon {
    type InfoEnd = InfoEnd108;
    type Names = NamesByPointer;
    type Object = Object92;
    type Node = Node44;
    type StaticSound = StaticSound36;
    type Curve = Spline;
    const HAS_TIME: bool = true;
    const HAS_POOL: bool = true;
    const NO_NODE: u32 = u32::MAX;
    const ANY_NODE: Option<u32> = Some(u32::MAX);
}

impl Game for CrimsonSkies {
    type InfoEnd = InfoEnd108;
    type Names = NamesById;
    type Object = ObjectById;
    type Node = NodeById;
    type StaticSound = StaticSound40;
    type Curve = Spline;
    const HAS_BASES: bool = true;
    const HAS_POOL: bool = true;
    const HAS_SCRIPT_IDS: bool = true;
    const NO_NODE: u32 = u32::MAX;
    const FIRST_NAME: [u8; 32] = *b"reserved_anim_0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
}
