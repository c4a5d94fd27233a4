//! The records of each game. A record type is a layout; the phases of a file are written once over all of them.

use core::fmt::Debug;

use crate::Vec3;
use crate::games::Game;
pub use crate::games::{CrimsonSkies, GameRecord, MechWarrior3, PiratesMoon, Recoil};
use field::record;
use field::{I32, Record, Shaped};
use kind::Game as Title;

use super::header::Timestamp;
use super::materials::{MaterialSlot, MaterialSlotCs};
use super::models::{
    FreeModelMw, FreeModelPm, FreeModelRc, ModelEnd, ModelEndMw, ModelEndPm, ModelHeadMw, ModelHeadRc, ModelHeader,
    Next, PolygonHeader, PolygonMw, PolygonPm, PolygonRc,
};
use super::nodes::{
    CellEndMw, CellEndPm, CellNode, FreeNodeMw, FreeNodeRc, FreeNodeRcDemo, InCell, LastCells, LightKinds, LightMix,
    LightRange, LightRangeCs, LightRangeMw, LightRangePm, LightRangeRc, LightRecalc, Lod, LodPm, LodRc, NodeBox,
    NodeCorners, NodeEnd, NodeExtent, NodeHeader, NodeHeaderCs, NodePlace, NodePlacePm, NodePlaceRc, ObjectTranslate,
    Ruled, WorldArea, WorldBorder, WorldRange, WorldRangeCs,
};
use super::textures::{Texture, TextureMw, TexturePm, TextureRc};

record! {
    /// Placeholder for a record that a game does not have.
    pub struct Nothing: 0 {}
}

/// The records of a game.
pub trait Layouts: Game {
    /// The version number, which follows the magic.
    const VERSION: u32;
    /// `true` if node slots are a pool with a free list, and store the offsets of their nodes' data.
    const NODE_POOL: bool;
    /// `true` if nodes can be sounds.
    const SOUNDS: bool;
    /// The number of material slots in every retail file, even if the file states a different one.
    const MATERIAL_SLOTS: u64;
    /// The flags of a free material slot.
    const FREE_MATERIAL: u8;

    /// The build time of the file.
    type Build: GameRecord;
    /// An entry of the texture directory.
    type Texture: Texture;
    /// A used material slot, with the soils of the game.
    type Material: GameRecord;
    /// The beginning of a model.
    type ModelHeader: ModelHeader;
    /// The end of a model.
    type ModelEnd: ModelEnd;
    /// A free model slot.
    type FreeModel: GameRecord + Next;
    /// A polygon.
    type Polygon: PolygonHeader;
    /// The beginning of a node, as [`NodeHeader`] with the names of the game.
    type NodeHeader: Record;
    /// The position of a node in the grid and the tree.
    type NodePlace: NodePlace;
    /// The box of a node.
    type NodeExtent: NodeExtent;
    /// The end of a node.
    type NodeEnd: Ruled<bool>;
    /// A node slot that was never used.
    type FreeNode: GameRecord + Next;
    /// The copy of an object's position.
    type ObjectTranslate: Ruled<Vec3>;
    /// The data of a LOD.
    type Lod: Lod;
    /// The beginning of a light.
    type LightRecalc: GameRecord;
    /// The middle of a light.
    type LightMix: GameRecord;
    /// The end of a light.
    type LightRange: LightRange;
    /// The border around the area of a world.
    type WorldBorder: Ruled<WorldArea>;
    /// The range of virtual cells.
    type WorldRange: Ruled<LastCells>;
    /// The end of a cell.
    type CellEnd: GameRecord;
    /// A node in a cell.
    type CellNode: InCell + Shaped + Default + Debug + Send;
}

/// Recoil's demos of July and August 1998, whose nodes have records of their own. Everything else is that of the game.
///
/// Source: `zipper-nodes.md`, section 14.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecoilDemo;

impl Game for RecoilDemo {
    const TITLE: Title = Title::Recoil;
}

macro_rules! recoil {
    ($game:ty, $version:literal, $extent:ty, $translate:ty, $free:ty) => {
        impl Layouts for $game {
            const VERSION: u32 = $version;
            const NODE_POOL: bool = true;
            const SOUNDS: bool = true;
            const MATERIAL_SLOTS: u64 = 5000;
            const FREE_MATERIAL: u8 = 0;

            type Build = Nothing;
            type Texture = TextureRc;
            type ModelHeader = ModelHeadRc;
            type ModelEnd = Nothing;
            type FreeModel = FreeModelRc;
            type Polygon = PolygonRc;
            type NodeHeader = NodeHeader;
            type NodePlace = NodePlaceRc;
            type NodeExtent = $extent;
            type NodeEnd = Nothing;
            type FreeNode = $free;
            type ObjectTranslate = $translate;
            type Lod = LodRc;
            type LightRecalc = LightRecalc;
            type LightMix = LightKinds;
            type LightRange = LightRangeRc;
            type Material = MaterialSlot;
            type WorldBorder = Nothing;
            type WorldRange = Nothing;
            type CellEnd = Nothing;
            type CellNode = I32;
        }
    };
}
recoil!(RecoilDemo, 13, NodeCorners, ObjectTranslate, FreeNodeRcDemo);
recoil!(Recoil, 15, NodeBox, Nothing, FreeNodeRc);

impl Layouts for MechWarrior3 {
    const VERSION: u32 = 27;
    const NODE_POOL: bool = true;
    const SOUNDS: bool = false;
    const MATERIAL_SLOTS: u64 = 1000;
    const FREE_MATERIAL: u8 = 0x20;

    type Build = Nothing;
    type Texture = TextureMw;
    type ModelHeader = ModelHeadMw;
    type ModelEnd = ModelEndMw;
    type FreeModel = FreeModelMw;
    type Polygon = PolygonMw;
    type NodeHeader = NodeHeader;
    type NodePlace = NodePlaceRc;
    type NodeExtent = NodeBox;
    type NodeEnd = NodeEnd;
    type FreeNode = FreeNodeMw;
    type ObjectTranslate = Nothing;
    type Lod = LodRc;
    type LightRecalc = Nothing;
    type LightMix = Nothing;
    type LightRange = LightRangeMw;
    type Material = MaterialSlot;
    type WorldBorder = Nothing;
    type WorldRange = WorldRange;
    type CellEnd = CellEndMw;
    type CellNode = I32;
}

/// Pirate's Moon and Crimson Skies share their layouts, but some values differ.
macro_rules! later {
    ($game:ty, $version:literal, $header:ty, $range:ty, $light_range:ty, $material:ty) => {
        impl Layouts for $game {
            const VERSION: u32 = $version;
            const NODE_POOL: bool = false;
            const SOUNDS: bool = false;
            const MATERIAL_SLOTS: u64 = 1000;
            const FREE_MATERIAL: u8 = 0x20;

            type Build = Timestamp;
            type Texture = TexturePm;
            type ModelHeader = ModelHeadMw;
            type ModelEnd = ModelEndPm;
            type FreeModel = FreeModelPm;
            type Polygon = PolygonPm;
            type NodeHeader = $header;
            type NodePlace = NodePlacePm;
            type NodeExtent = NodeBox;
            type NodeEnd = NodeEnd;
            type FreeNode = FreeNodeMw;
            type ObjectTranslate = Nothing;
            type Lod = LodPm;
            type LightRecalc = Nothing;
            type LightMix = LightMix;
            type LightRange = $light_range;
            type Material = $material;
            type WorldBorder = WorldBorder;
            type WorldRange = $range;
            type CellEnd = CellEndPm;
            type CellNode = CellNode;
        }
    };
}
later!(PiratesMoon, 41, NodeHeader, WorldRange, LightRangePm, MaterialSlot);
later!(CrimsonSkies, 42, NodeHeaderCs, WorldRangeCs, LightRangeCs, MaterialSlotCs);
