//! What is so in which game.

use core::fmt::Debug;

use crate::field::Record;
use crate::kind::Game as Title;

use super::container::{InfoEnd60, InfoEnd68, InfoEnd108};
use super::definition::{NamesById, NamesByPointer, Nodes};
use super::frame::{Curve, NoCurve, Spline};
use super::references::{Node40, Node44, NodeById, Object92, Object96, ObjectById, StaticSound36, StaticSound40};

/// A record that a model holds.
pub trait Part: Record + Debug + Default + Send {}

impl<R: Record + Debug + Default + Send> Part for R {}

/// The layouts of a game, and which phases its files have.
pub trait Game: Clone + Debug + Default + Send + 'static {
    /// The game.
    const TITLE: Title;
    /// The end of the information.
    type InfoEnd: Part;
    /// The names of a definition.
    type Names: Part + Nodes;
    /// An element of the objects.
    type Object: Part;
    /// An element of the nodes.
    type Node: Part;
    /// An element of the static sounds.
    type StaticSound: Part;
    /// What stands behind a block of a frame.
    type Curve: Curve;
    /// Whether the head holds the time of the build.
    const HAS_TIME: bool = false;
    /// Whether the containers are listed that the file was built against.
    const HAS_BASES: bool = false;
    /// Whether scripts lie in a pool behind the definitions, and a definition has a reset sequence only where it points to
    /// one; else scripts lie in their events, and every definition has a reset sequence, whose head it also embeds.
    const HAS_POOL: bool = false;
    /// Whether there are puffers, and one more unused word in a definition.
    const HAS_PUFFERS: bool = true;
    /// Whether a definition lists the scripts it uses.
    const HAS_SCRIPT_IDS: bool = false;
    /// What stands in the place of pointers to nodes in the placeholders.
    const NO_NODE: u32 = 0;
    /// What stands in the place of pointers to nodes elsewhere, if that is always the same.
    const ANY_NODE: Option<u32> = None;
    /// The name of the first definition, a placeholder.
    const FIRST_NAME: [u8; 32] = [0; 32];
}

/// Recoil, version 28.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recoil;

/// MechWarrior 3, version 39.
#[derive(Clone, Copy, Debug, Default)]
pub struct MechWarrior3;

/// Pirate's Moon, version 50.
#[derive(Clone, Copy, Debug, Default)]
pub struct PiratesMoon;

/// Crimson Skies, version 53.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrimsonSkies;

impl Game for Recoil {
    const TITLE: Title = Title::Recoil;
    type InfoEnd = InfoEnd60;
    type Names = NamesByPointer;
    type Object = Object96;
    type Node = Node40;
    type StaticSound = StaticSound36;
    type Curve = NoCurve;
    const HAS_PUFFERS: bool = false;
}

impl Game for MechWarrior3 {
    const TITLE: Title = Title::MechWarrior3;
    type InfoEnd = InfoEnd68;
    type Names = NamesByPointer;
    type Object = Object96;
    type Node = Node40;
    type StaticSound = StaticSound36;
    type Curve = Spline;
}

impl Game for PiratesMoon {
    const TITLE: Title = Title::PiratesMoon;
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
    const TITLE: Title = Title::CrimsonSkies;
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
