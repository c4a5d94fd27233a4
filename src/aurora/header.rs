//! The headers of models and animations, and events.

use field::{Block, Direction, F32, Result, Stale, Text, U8, U32, lay};
use field::{names, record};

use super::Vec3;
use super::flags::{PieceKind, Things};
use super::node::Node;
use super::pointers::{Access as _, Empties, NO_ARRAY, Part, Parts};
use super::vectors::{Element, Named};

names! {
    /// The type of a geometry. Source: `nwn-mdl.md`, section 3.1.
    pub struct GeometryKind(U8: u8) {
        /// The geometry of a model.
        MODEL = 2;
        /// An animation.
        ANIMATION = 5;
    }
}

names! {
    /// The purpose of a model. Source: `nwn-mdl.md`, section 3.2.
    pub struct Classification(U8: u8) {
        /// Anything else.
        OTHER = 0;
        /// An effect.
        EFFECT = 1;
        /// A tile.
        TILE = 2;
        /// A creature or a part of one.
        CHARACTER = 4;
        /// A door.
        DOOR = 8;
    }
}

record! {
    /// The first part of the header of a model or an animation, 112 bytes. Source: `nwn-mdl.md`, section 3.1.
    pub struct GeometryHeader: 112 {
        functions: [U32; 2] as Pointer,
        name: Text<64>,
        root_at: U32 as Outside,
        /// The number of nodes; with a super model, its nodes and one more are added.
        nodes: U32 as Outside,
        unk_50: [U32; 3] = NO_ARRAY,
        unk_5c: [U32; 3] = NO_ARRAY,
        references: U32 = 0,
        kind: GeometryKind,
        unk_6d: Stale<3>,
    }
}

record! {
    /// The rest of the header of a model, 120 bytes. Source: `nwn-mdl.md`, section 3.2.
    pub struct ModelHeader: 120 {
        unk_70: U8 = 0,
        unk_71: U8 = 0,
        classification: Classification,
        /// 1 in all files seen. It is not known whether that turns fog on or off.
        fog: U8,
        child_models: U32 = 0,
        animations_at: U32 as Outside,
        animations_used: U32 as Outside,
        animations_allocated: U32 as Outside,
        super_model_address: U32 as Pointer,
        box_min: Vec3,
        box_max: Vec3,
        radius: F32,
        animation_scale: F32,
        /// The model whose animations it uses, or `NULL`.
        super_model: Text<64>,
    }
}

record! {
    /// The rest of the header of an animation, 84 bytes. Source: `nwn-mdl.md`, section 3.3.
    pub struct AnimationHeader: 84 {
        /// Seconds.
        length: F32,
        /// Seconds.
        transition: F32,
        /// The node of the model that it moves, with all nodes below.
        animation_root: Text<64>,
        events_at: U32 as Outside,
        events_used: U32 as Outside,
        events_allocated: U32 as Outside,
    }
}

record! {
    /// An event during an animation, 36 bytes. Source: `nwn-mdl.md`, section 3.3.
    pub struct Event: 36 {
        /// Seconds.
        time: F32,
        /// For example `snd_footstep`; after the NUL, leftover memory in every file seen.
        name: Text<32>,
    }
}

/// A header: of the model or of an animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// The part that both share.
    pub head: GeometryHeader,
    /// The node count minus the number of nodes. With a super model, these are its nodes and one more.
    pub inherited: U32,
}

impl Geometry {
    /// Computes the inherited nodes of a geometry that was read.
    pub(super) fn inherit(&mut self, nodes: usize) {
        let own = u32::try_from(nodes).unwrap_or(u32::MAX);
        self.inherited.set(self.head.nodes.get().wrapping_sub(own));
    }
}

/// An animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// The part of its header that the header of a model has too.
    pub geometry: Geometry,
    /// The rest of its header.
    pub head: AnimationHeader,
    /// Values of its header that do not follow from the model.
    pub empties: Empties,
    /// Its events.
    pub events: Block<Event>,
    /// Its nodes.
    pub root: Node,
}

impl Animation {
    /// The size of its header in bytes.
    pub(super) const SIZE: u64 = 0xC4;
}

/// The context of a geometry.
#[derive(Clone, Copy)]
pub(super) struct Kin {
    /// The number of its nodes.
    pub(super) nodes: u64,
    pub(super) kind: GeometryKind,
    /// Set if it should count no other nodes.
    pub(super) is_alone: bool,
}

impl Element for Event {}

/// Lays out the parts of an animation.
pub(super) trait LayAnimation: Direction {
    /// Lays out the header of an animation with this number of nodes.
    fn animation_head(&mut self, it: Self::At<'_, Animation>, nodes: u64) -> Result;

    /// Lays out the events of an animation.
    fn events(&mut self, it: Self::At<'_, Animation>) -> Result;
}

lay! {
    impl LayBy<Kin> for Geometry {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Kin { nodes, kind, is_alone }: Kin) -> Result {
            t.fact("inherited", at!(self.inherited))?;
            let own = u32::try_from(nodes).unwrap_or(u32::MAX);
            t.computed("nodes", at!(self.head.nodes), own.wrapping_add(self.inherited.get()).into())?;
            t.fields(at!(self.head))?;
            let (found, of) = (self.head.nodes.get(), self.head.kind);
            t.expect("nodes", || (is_alone && u64::from(found) != nodes).then(|| (nodes.into(), found.into())));
            t.expect("kind", || (of != kind).then(|| (kind.get().into(), of.get().into())));
            Ok(())
        }
    }

    impl<'t> Parts<Tape<'t>> for Animation {
        fn part<'a: 'a>(it: at!('a Self), kind: PieceKind, _: usize) -> Option<Part<'a, Tape<'t>>> {
            let Animation { head, events, .. } = it;
            let array = [at!(head.events_at), at!(head.events_used), at!(head.events_allocated)];
            (kind == PieceKind::EVENTS).then(|| Tape::array((Things::EVENTS, "events"), array, size_of::<Event>(), events))
        }
    }

    impl LayAnimation for Tape<'_> {
        fn animation_head(&mut self, it: at!(Animation), nodes: u64) -> Result {
            it.geometry.lay_by(self, Kin { nodes, kind: GeometryKind::ANIMATION, is_alone: true })?;
            it.empties.lay(self)?;
            let events_at = if it.events.is_empty() { U32::new(PieceKind::EVENTS.null()) } else { it.head.events_at };
            let rules = AnimationHeader { events_at, events_allocated: it.head.events_used, ..it.head };
            let rules = Some(&rules).filter(|_| it.empties.odd());
            self.fields_by(at!(it.head), rules)
        }

        fn events(&mut self, it: at!(Animation)) -> Result {
            it.events.lay_by(self, Named("events"))?;
            let (events, length) = (&it.events, it.head.length);
            self.expect("events", || {
                let times = || events.iter().map(|event| event.time.get());
                let late = times().zip(times().skip(1)).find(|(before, after)| before > after).map(|(_, after)| after);
                let late = late.or_else(|| times().find(|time| *time > length.get()))?;
                Some(("ascending times up to the length".into(), late.to_string().into()))
            });
            Ok(())
        }
    }
}
