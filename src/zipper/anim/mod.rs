//! Animation definitions: `anim.zbd` (Recoil, MechWarrior 3, Pirate's Moon), `cam_anim.zbd` and `mis_anim.zbd` (Crimson Skies).
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`], in Pirate's Moon a time | 8, 12 |
//! | the containers built against (Crimson Skies), the compiled sources, each with its time | 132, 84 each |
//! | information: counts, pointers, gravity | 60, 68, 108 |
//! | [`Definition`]s, each with its arrays and sequences of events | 308, 316, 268, 272 and more |
//! | messages (Recoil), or a pool of [`Script`]s (Pirate's Moon, Crimson Skies) | 36 each; 28 and more |
//! | trailing bytes | |
//!
//! All of it is memory of the compiler, written out: structures of fixed size that contain pointers. Flags determine the
//! meaning of a field, never its presence. Only counts and sizes determine the layout. The first definition and the first
//! element of most arrays are placeholders, so that an index of 0 means none.
//!
//! Source: [`zipper-anim.md`](formats::zipper_anim), [`zipper-anim-events.md`](formats::zipper_anim_events).

mod arrays;
mod container;
mod definition;
mod event;
pub mod events;
mod expect;
mod frame;
mod game;
mod lint;
mod outline;
mod pool;
mod prerequisite;
mod references;
mod sequence;
mod stream;
#[cfg(test)]
mod tests;
mod trial;

pub use container::{
    Animations, Base, Header, Info, InfoEnd60, InfoEnd68, InfoEnd108, Message, NoMessages, PoolInfo, Release, Source,
    WorldInfo,
};
pub use definition::{
    Activation, AnimName, Blocks, CountPad, Definition, DefinitionFlags, EmbeddedReset, NamesById, NamesByPointer,
    Next, NoPuffers, NodePath, NodePointers, Nodes, OtherPointers, PrerequisiteMin, PuffersPointer, ScriptIdsPointer,
    State, Status, Unused, Velocity,
};
pub use event::{Event, EventHeader, StartOffset};
pub use events::EventType;
pub use frame::{Curve, Frame, FrameFlags, FrameHeader, Move, NoCurve, NoSpline, Spline, Turn};
pub use game::{CrimsonSkies, Game, GameRecord, MechWarrior3, PiratesMoon, Recoil};
pub use pool::{Data, DataPointer, Interpolation, NamePointers, Script};
pub use prerequisite::{
    AnimationTarget, ObjectTarget, OpaqueTarget, Prerequisite, PrerequisiteHeader, PrerequisiteState, PrerequisiteType,
    Target,
};
pub use references::{
    AnimRef, Effect, Light, LocalName, NoLocalName, Node40, Node44, NodeById, Object92, Object96, ObjectById, PathNode,
    Puffer, RefEnd, RefName, RefType, StaticSound36, StaticSound40,
};
pub use sequence::{Sequence, SequenceHeader, SequenceSize, SequenceState};
pub use stream::Events;

use crate::games::{self, by_game};
use ::lint::lint_as;
use field::{Fault, Result, lay};
use kind::{Format, Game as Title, Name, Parts, binrw_over_lay};

/// An animation file.
#[derive(Clone, Debug, Default)]
pub struct Anim {
    /// Signature and version.
    pub head: Header,
    /// The contents after the version.
    pub body: Body,
}

by_game! {
    /// The contents after the version, by game.
    pub enum Body(Animations), Release {
        Recoil = Release::RECOIL,
        MechWarrior3 = Release::MECHWARRIOR_3,
        PiratesMoon = Release::PIRATES_MOON,
        CrimsonSkies = Release::CRIMSON_SKIES,
    }
}

lay! {
    impl Lay for Anim {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let version = self.head.version;
            t.build(at!(self.body), |body, t| {
                *body = Body::of(version).ok_or_else(|| {
                    let expected = "version 28, 39, 50 or 53".to_owned();
                    t.error_in("version", Fault::Unknown { found: format!("{version:?}"), expected })
                })?;
                Ok(())
            })?;
            self.body.lay(t)
        }
    }
}

lint_as!(Anim, it => &it.body);

impl Format for Anim {
    const NAME: &'static str = "anim";
    const TITLE: &'static str = "animation definitions";
    const GAMES: &'static [Title] = games::ALL;
    const CLAIMS: &'static [&'static str] = &["anim.zbd", "cam_anim.zbd", "mis_anim.zbd"];
    const PARTS: &'static [Parts] = &[Parts { list: "definitions", name: "anim_name" }];
    const NAMES: &'static [Name] = &[
        Name::itself("/definitions/*/anim_name"),
        Name::other_node("/definitions/*/name"),
        Name::other_node("/definitions/*/anim_root_name"),
        Name::other_node("/definitions/*/objects/*/name"),
        Name::other_node("/definitions/*/nodes/*/name"),
        Name::other_node("/definitions/*/lights/*/name"),
        Name::other_node("/definitions/*/node_path/*/name"),
        Name::other_node("/definitions/*/activ_prereqs/*/name").beside("state"),
        Name::other_node("/definitions/*/reset_sequence/events/*/payload/name").beside("light"),
        Name::other_node("/definitions/*/damage_sequence/events/*/payload/name").beside("light"),
        Name::other_node("/definitions/*/sequences/*/events/*/payload/name").beside("light"),
    ];
    const TRAPS: &'static [&'static ::lint::Trap] = lint::TRAPS;

    /// Checks the signature; the version selects the game (`zipper-anim.md`, section 1).
    fn recognize(file: &[u8]) -> Option<Vec<Title>> {
        let version = file.strip_prefix(field::bytes_of(&Header::default().signature))?;
        Some(Body::games(field::macros::read_head(version).unwrap_or_default()))
    }

    /// Returns the definitions as a script.
    fn outline(&mut self) -> Result<Option<Vec<String>>> {
        outline::script(self).map(Some)
    }
}

binrw_over_lay!(Anim);
