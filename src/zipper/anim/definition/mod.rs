//! Definitions: animations with everything that they refer to.

use std::rc::Rc;

use bitflags::Flags as _;

mod records;

pub use records::{
    Activation, AnimName, Blocks, CountPad, DefinitionFlags, EmbeddedReset, NamesById, NamesByPointer, Next, NoPuffers,
    NodePath, NodePointers, Nodes, OtherPointers, PrerequisiteMin, PuffersPointer, ScriptIdsPointer, State, Status,
    Unused, Velocity,
};

use field::build::Tape;
use field::{Block, Fault, Place, Result, Text, U8, U32, lay, wide};

use super::arrays::{Array, Arrays, Names};
use super::expect::{judge, like, pointed};
use super::game::Game;
use super::prerequisite::Prerequisite;
use super::references::{AnimRef, Effect, Light, PathNode, Puffer, WithPlaceholder};
use super::sequence::Sequence;
use records::fixed;

/// A definition.
#[derive(Clone, Debug, Default)]
pub struct Definition<G: Game> {
    /// The name of the animation.
    pub anim_name: AnimName,
    /// The path to its node.
    pub path: NodePath,
    /// Its nodes.
    pub names: G::Names,
    /// When and how long it runs.
    pub state: State,
    /// An unused word that Recoil does not have.
    pub unused: Unused,
    /// The velocity.
    pub velocity: Velocity,
    /// Recoil, MechWarrior 3: a copy of the header of the reset sequence.
    pub embedded: EmbeddedReset,
    /// Pirate's Moon, Crimson Skies: the sequences before the ordinary ones.
    pub blocks: Blocks,
    /// The minimum number of optional prerequisites that must be met.
    pub prerequisite_min: PrerequisiteMin,
    /// The end of the counts.
    pub count_pad: CountPad,
    /// The end of the counts in Recoil.
    pub no_puffers: NoPuffers,
    /// The addresses of the first arrays.
    pub node_pointers: NodePointers,
    /// The address of the puffers.
    pub puffers_pointer: PuffersPointer,
    /// The addresses of the other arrays.
    pub other_pointers: OtherPointers,
    /// The end of the fixed part.
    pub next: Next,
    /// The end of the fixed part in Crimson Skies.
    pub script_ids_pointer: ScriptIdsPointer,
    /// Crimson Skies: the path to its node.
    pub node_path: Block<PathNode>,
    /// Objects; here and below, the first is a placeholder.
    pub objects: Block<G::Object>,
    /// Nodes; most events refer to these.
    pub nodes: Block<G::Node>,
    /// Lights.
    pub lights: Block<Light>,
    /// Puffers.
    pub puffers: Block<Puffer>,
    /// Moving sounds.
    pub dynamic_sounds: Block<Light>,
    /// Stationary sounds.
    pub static_sounds: Block<G::StaticSound>,
    /// Recoil: effects.
    pub effects: Block<Effect>,
    /// Activation prerequisites; no placeholder.
    pub activ_prereqs: Vec<Prerequisite>,
    /// References to other animations; no placeholder.
    pub anim_refs: Vec<AnimRef>,
    /// Crimson Skies: indices into the pool; no placeholder.
    pub script_ids: Block<U32>,
    /// Resets everything.
    pub reset_sequence: Option<Sequence>,
    /// Runs on damage.
    pub damage_sequence: Option<Sequence>,
    /// The ordinary sequences.
    pub sequences: Vec<Sequence>,
}

/// The numbers of elements.
#[derive(Default)]
struct Counts {
    node_path: u64,
    sequences: u64,
    objects: u64,
    nodes: u64,
    lights: u64,
    puffers: u64,
    dynamic_sounds: u64,
    static_sounds: u64,
    effects: u64,
    activ_prereqs: u64,
    anim_refs: u64,
    script_ids: u64,
}

impl<G: Game> Definition<G> {
    /// Returns the size of the smallest definition in bytes.
    pub(super) fn smallest() -> u64 {
        wide(fixed::<G>())
    }
}

/// The context of a definition in its file.
#[derive(Clone, Copy)]
pub(super) struct Within {
    pub(super) is_first: bool,
    /// The number of scripts in the pool.
    pub(super) scripts: usize,
}

/// Returns the pointer to data: null if they are absent, else any address, because the engine makes its own.
fn address(pointer: U32, is_there: bool) -> u64 {
    match (pointer.get(), is_there) {
        (0, true) => u32::MAX.into(),
        (_, false) => 0,
        (pointer, true) => pointer.into(),
    }
}

/// Returns an empty sequence to fill if its pointer is not null or, in the exchange format, if the sequence is present.
fn announced(t: &Tape<'_>, name: &str, pointer: U32) -> Option<Sequence> {
    t.exists(name, pointer.get() != 0).then(Sequence::default)
}

lay! {
    impl<G: Game> LayBy<Within> for Definition<G> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, within: Within) -> Result {
            let mut counts = Counts::default();
            names(self, t, &mut counts, within.is_first)?;
            state(self, t, within.is_first)?;
            blocks(self, t)?;
            numbers(self, t, &mut counts)?;
            pointers(self, t, &counts)?;
            arrays(self, t, &counts)?;
            all_sequences(self, t, counts.sequences, within)
        }
    }

    fn names<G: Game>(it: at!(Definition<G>), t: &mut Tape<'_>, counts: &mut Counts, is_first: bool) -> Result {
        t.fields(at!(it.anim_name))?;
        if is_first {
            t.judge(|t| like(t, &it.anim_name, &AnimName { anim_name: Text::new(G::FIRST_NAME) }));
        }
        if G::HAS_POOL {
            t.computed("node_path_count", at!(it.path.node_path_count), wide(it.node_path.len()))?;
            t.fields(at!(it.path))?;
            counts.node_path = t.stated("node_path_count", it.path.node_path_count)?;
            t.expect("node_path_ptr", || pointed(it.path.node_path_ptr, counts.node_path));
        }
        t.fields(at!(it.names))?;
        if is_first {
            t.judge(|t| like(t, &it.names, &G::Names::default().with_nodes(G::NO_NODE)));
        } else if let Some(node) = G::ANY_NODE {
            t.judge(|t| like(t, &it.names, &it.names.with_nodes(node)));
        }
        Ok(())
    }

    fn state<G: Game>(it: at!(Definition<G>), t: &mut Tape<'_>, is_first: bool) -> Result {
        t.fields(at!(it.state))?;
        let state = &it.state;
        if is_first {
            // In Crimson Skies, the flags of a placeholder differ.
            let flags = if G::HAS_SCRIPT_IDS { state.flags } else { DefinitionFlags::default() };
            t.judge(|t| like(t, state, &State { flags, activation: Activation::ON_CALL, ..State::default() }));
        } else {
            t.judge(|t| like(t, state, &State { two: U8::new(2), ..*state }));
            t.judge(|t| judge(t, state, state.flags));
            let said = state.flags.contains(DefinitionFlags::HAS_CALLBACKS);
            let sequences = || it.reset_sequence.iter().chain(&it.damage_sequence).chain(&it.sequences);
            t.expect("flags", || {
                let found = sequences().any(Sequence::calls_back);
                let words = |calls| if calls { "HAS_CALLBACKS" } else { "no HAS_CALLBACKS" };
                (said != found).then(|| (words(found).into(), words(said).into()))
            });
        }
        if G::HAS_PUFFERS {
            t.fields(at!(it.unused))?;
        }
        t.fields(at!(it.velocity))?;
        t.expect("seq_defs_ptr", || pointed(it.velocity.seq_defs_ptr, u64::from(!is_first)));
        Ok(())
    }

    fn blocks<G: Game>(it: at!(Definition<G>), t: &mut Tape<'_>) -> Result {
        if !G::HAS_POOL {
            let reset = t.present("reset_sequence", at!(it.reset_sequence), |_| Ok(Sequence::default()))?;
            t.when_recomputing(at!(*reset), |reset, t| {
                let Some(length) = t.from_sizes(|| reset.length())? else { return Ok(()) };
                t.computed("size", &mut reset.size.size, length)
            })?;
            let rules = EmbeddedReset { reset_state: reset.head, reset_size: reset.size.size };
            return t.fields_by(at!(it.embedded), Some(&rules));
        }
        let was = it.blocks;
        let [reset, damage] = [it.reset_sequence.is_some(), it.damage_sequence.is_some()];
        t.computed("reset_state_ptr", at!(it.blocks.reset_state_ptr), address(was.reset_state_ptr, reset))?;
        t.computed("damage_seq_ptr", at!(it.blocks.damage_seq_ptr), address(was.damage_seq_ptr, damage))?;
        t.report_replaced(Place::clone, &was, &it.blocks);
        t.fields(at!(it.blocks))?;
        t.build(it, |it, t| {
            it.reset_sequence = announced(t, "reset_sequence", it.blocks.reset_state_ptr);
            it.damage_sequence = announced(t, "damage_sequence", it.blocks.damage_seq_ptr);
            Ok(())
        })
    }

    fn numbers<G: Game>(it: at!(Definition<G>), t: &mut Tape<'_>, counts: &mut Counts) -> Result {
        counts.sequences = t.number::<U8>("seq_def_count", wide(it.sequences.len()))?;
        counts.objects = t.number::<U8>("object_count", wide(it.objects.len()))?;
        counts.nodes = t.number::<U8>("node_count", wide(it.nodes.len()))?;
        counts.lights = t.number::<U8>("light_count", wide(it.lights.len()))?;
        if G::HAS_PUFFERS {
            counts.puffers = t.number::<U8>("puffer_count", wide(it.puffers.len()))?;
        }
        counts.dynamic_sounds = t.number::<U8>("dynamic_sound_count", wide(it.dynamic_sounds.len()))?;
        counts.static_sounds = t.number::<U8>("static_sound_count", wide(it.static_sounds.len()))?;
        counts.effects = t.number::<U8>("effect_count", wide(it.effects.len()))?;
        if G::HAS_POOL && counts.effects > 0 {
            let expected = "no effects, because their layout in this game is not known".to_owned();
            return Err(t.error_in("effect_count", Fault::Outside { found: counts.effects.into(), expected }));
        }
        counts.activ_prereqs = t.number::<U8>("activ_prereq_count", wide(it.activ_prereqs.len()))?;
        t.fields(at!(it.prerequisite_min))?;
        counts.anim_refs = t.number::<U8>("anim_ref_count", wide(it.anim_refs.len()))?;
        if G::HAS_SCRIPT_IDS {
            counts.script_ids = t.number::<U8>("script_id_count", wide(it.script_ids.len()))?;
        } else {
            t.fields(at!(it.count_pad))?;
        }
        if G::HAS_PUFFERS { Ok(()) } else { t.fields(at!(it.no_puffers)) }
    }

    fn pointers<G: Game>(it: at!(Definition<G>), t: &mut Tape<'_>, counts: &Counts) -> Result {
        t.fields(at!(it.node_pointers))?;
        let NodePointers { objects_ptr, nodes_ptr, lights_ptr } = it.node_pointers;
        t.expect("objects_ptr", || pointed(objects_ptr, counts.objects));
        t.expect("nodes_ptr", || pointed(nodes_ptr, counts.nodes));
        t.expect("lights_ptr", || pointed(lights_ptr, counts.lights));
        if G::HAS_PUFFERS {
            t.fields(at!(it.puffers_pointer))?;
            t.expect("puffers_ptr", || pointed(it.puffers_pointer.puffers_ptr, counts.puffers));
        }
        t.fields(at!(it.other_pointers))?;
        let OtherPointers { dynamic_sounds_ptr, static_sounds_ptr, effects_ptr, activ_prereqs_ptr, anim_refs_ptr } =
            it.other_pointers;
        t.expect("dynamic_sounds_ptr", || pointed(dynamic_sounds_ptr, counts.dynamic_sounds));
        t.expect("static_sounds_ptr", || pointed(static_sounds_ptr, counts.static_sounds));
        t.expect("effects_ptr", || pointed(effects_ptr, counts.effects));
        t.expect("activ_prereqs_ptr", || pointed(activ_prereqs_ptr, counts.activ_prereqs));
        t.expect("anim_refs_ptr", || pointed(anim_refs_ptr, counts.anim_refs));
        if !G::HAS_SCRIPT_IDS {
            return t.fields(at!(it.next));
        }
        t.fields(at!(it.script_ids_pointer))?;
        t.expect("script_ids_ptr", || pointed(it.script_ids_pointer.script_ids_ptr, counts.script_ids));
        Ok(())
    }

    fn arrays<G: Game>(it: at!(Definition<G>), t: &mut Tape<'_>, counts: &Counts) -> Result {
        if G::HAS_POOL {
            t.block("node_path", counts.node_path, at!(it.node_path))?;
        }
        it.objects.lay_by(t, WithPlaceholder { name: "objects", count: counts.objects, no_node: G::NO_NODE })?;
        it.nodes.lay_by(t, WithPlaceholder { name: "nodes", count: counts.nodes, no_node: G::NO_NODE })?;
        it.lights.lay_by(t, WithPlaceholder { name: "lights", count: counts.lights, no_node: 0 })?;
        if G::HAS_PUFFERS {
            it.puffers.lay_by(t, WithPlaceholder { name: "puffers", count: counts.puffers, no_node: 0 })?;
        }
        it.dynamic_sounds.lay_by(t, WithPlaceholder { name: "dynamic_sounds", count: counts.dynamic_sounds, no_node: 0 })?;
        it.static_sounds.lay_by(t, WithPlaceholder { name: "static_sounds", count: counts.static_sounds, no_node: 0 })?;
        if !G::HAS_POOL {
            it.effects.lay_by(t, WithPlaceholder { name: "effects", count: counts.effects, no_node: 0 })?;
        }
        let prerequisites = at!(it.activ_prereqs);
        t.list("activ_prereqs", counts.activ_prereqs, Prerequisite::SIZE, prerequisites, |t, it| it.lay(t))?;
        t.list("anim_refs", counts.anim_refs, AnimRef::SIZE, at!(it.anim_refs), |t, it| it.lay(t))?;
        if G::HAS_SCRIPT_IDS {
            t.block("script_ids", counts.script_ids, at!(it.script_ids))?;
        }
        Ok(())
    }

    fn all_sequences<G: Game>(it: at!(Definition<G>), t: &mut Tape<'_>, count: u64, within: Within) -> Result {
        let Definition { nodes, lights, puffers, dynamic_sounds, static_sounds, effects, anim_refs, .. } = it;
        // This array has no placeholder.
        let script_ids = &it.script_ids.len();
        let arrays = Arrays {
            game: G::TITLE,
            nodes: Array::of(nodes),
            lights: Array::of(lights),
            puffers: Array::of(puffers),
            dynamic_sounds: Array::of(dynamic_sounds),
            static_sounds: Array::of(static_sounds),
            effects: Array::of(effects),
            anim_refs: Array::of(anim_refs),
            script_ids: Array::of(script_ids),
            scripts: Array::of(&within.scripts),
        };
        t.refer_to(|| Some(Rc::new(Names::of(&arrays))), |t| {
            if let Some(reset) = at!(it.reset_sequence) {
                t.group("reset_sequence", |t| {
                    reset.lay_by(t, arrays)?;
                    t.judge(|t| reset.expect_name(t, if within.is_first { b"" } else { b"RESET_SEQUENCE" }));
                    Ok(())
                })?;
            }
            if let Some(damage) = at!(it.damage_sequence) {
                t.group("damage_sequence", |t| {
                    damage.lay_by(t, arrays)?;
                    t.judge(|t| damage.expect_name(t, b"DAMAGE_SEQUENCE"));
                    Ok(())
                })?;
            }
            t.list("sequences", count, Sequence::SMALLEST, at!(it.sequences), |t, sequence| {
                sequence.lay_by(t, arrays)?;
                let bytes = sequence.size.size.get();
                t.expect("size", || (bytes == 0).then(|| ("events".into(), 0.into())));
                Ok(())
            })
        })
    }
}
