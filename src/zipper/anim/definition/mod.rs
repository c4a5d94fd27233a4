//! Definitions: an animation with all that it refers to.

use bitflags::Flags as _;

mod records;

pub use records::{
    Activation, AnimName, Blocks, CountPad, DefinitionFlags, EmbeddedReset, NamesById, NamesByPointer, Next, NoPuffers,
    NodePath, NodePointers, Nodes, OtherPointers, PrerequisiteMin, PuffersPointer, ScriptIdsPointer, State, Unused,
    Velocity,
};

use crate::field::{Block, Fault, Lay, Place, Result, Tape, Text, U8, U32, wide};

use super::arrays::Arrays;
use super::container::counted;
use super::expect::{judge, like, pointed};
use super::game::Game;
use super::prerequisite::Prerequisite;
use super::references::{AnimRef, Effect, Light, PathNode, Puffer, array};
use super::sequence::Sequence;
use records::fixed;

/// A definition.
#[derive(Clone, Debug, Default)]
pub struct Definition<G: Game> {
    /// What it is called.
    pub anim_name: AnimName,
    /// The path to its node.
    pub path: NodePath,
    /// Its nodes.
    pub names: G::Names,
    /// When and for how long it runs.
    pub state: State,
    /// A word that Recoil does not have.
    pub unused: Unused,
    /// How fast it moves.
    pub velocity: Velocity,
    /// Recoil, MechWarrior 3: the head of the reset sequence once more.
    pub embedded: EmbeddedReset,
    /// Pirate's Moon, Crimson Skies: which sequences stand before the ordinary ones.
    pub blocks: Blocks,
    /// How many of the optional prerequisites have to be met.
    pub prerequisite_min: PrerequisiteMin,
    /// The end of the counts.
    pub count_pad: CountPad,
    /// The end of the counts in Recoil.
    pub no_puffers: NoPuffers,
    /// Where the arrays were.
    pub node_pointers: NodePointers,
    /// Where the puffers were.
    pub puffers_pointer: PuffersPointer,
    /// Where the other arrays were.
    pub other_pointers: OtherPointers,
    /// The end of the fixed part.
    pub next: Next,
    /// The end of the fixed part in Crimson Skies.
    pub script_ids_pointer: ScriptIdsPointer,
    /// Crimson Skies: the path to its node.
    pub node_path: Block<PathNode>,
    /// Objects; here and below, the first is a placeholder.
    pub objects: Block<G::Object>,
    /// Nodes, as most events refer to them.
    pub nodes: Block<G::Node>,
    /// Lights.
    pub lights: Block<Light>,
    /// Puffers.
    pub puffers: Block<Puffer>,
    /// Sounds that move.
    pub dynamic_sounds: Block<Light>,
    /// Sounds that do not.
    pub static_sounds: Block<G::StaticSound>,
    /// Recoil: effects.
    pub effects: Block<Effect>,
    /// What has to be so before; no placeholder.
    pub activ_prereqs: Vec<Prerequisite>,
    /// Other animations; no placeholder.
    pub anim_refs: Vec<AnimRef>,
    /// Crimson Skies: indices into the pool; no placeholder.
    pub script_ids: Block<U32>,
    /// Puts everything back.
    pub reset_sequence: Option<Sequence>,
    /// Runs on damage.
    pub damage_sequence: Option<Sequence>,
    /// What it does.
    pub sequences: Vec<Sequence>,
}

/// How many elements there are.
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
    /// Bytes of the smallest.
    pub(super) fn smallest() -> u64 {
        wide(fixed::<G>())
    }

    /// Lays the definition, in a file with so many scripts in its pool.
    pub(super) fn lay(&mut self, t: &mut Tape<'_>, is_first: bool, scripts: usize) -> Result {
        let mut counts = Counts::default();
        self.lay_names(t, &mut counts, is_first)?;
        self.lay_state(t, is_first)?;
        self.lay_blocks(t)?;
        self.lay_counts(t, &mut counts)?;
        self.lay_pointers(t, &counts)?;
        self.lay_arrays(t, &counts)?;
        self.lay_sequences(t, counts.sequences, is_first, scripts)
    }

    fn lay_names(&mut self, t: &mut Tape<'_>, counts: &mut Counts, is_first: bool) -> Result {
        t.fields(&mut self.anim_name)?;
        if is_first {
            like(t, &self.anim_name, &AnimName { anim_name: Text::new(G::FIRST_NAME) });
        }
        if G::HAS_POOL {
            t.fill("node_path_count", &mut self.path.node_path_count, wide(self.node_path.len()))?;
            t.fields(&mut self.path)?;
            counts.node_path = t.stated("node_path_count", self.path.node_path_count)?;
            pointed(t, "node_path_ptr", self.path.node_path_ptr, counts.node_path);
        }
        t.fields(&mut self.names)?;
        if is_first {
            like(t, &self.names, &G::Names::default().with_nodes(G::NO_NODE));
        } else if let Some(node) = G::ANY_NODE {
            like(t, &self.names, &self.names.with_nodes(node));
        }
        Ok(())
    }

    fn lay_state(&mut self, t: &mut Tape<'_>, is_first: bool) -> Result {
        t.fields(&mut self.state)?;
        let state = &self.state;
        if is_first {
            // The flags of a placeholder differ in Crimson Skies.
            let flags = if G::HAS_SCRIPT_IDS { state.flags } else { DefinitionFlags::default() };
            like(t, state, &State { flags, activation: Activation::ON_CALL, ..State::default() });
        } else {
            like(t, state, &State { two: U8::new(2), ..*state });
            judge(t, state, state.flags);
            let said = state.flags.contains(DefinitionFlags::HAS_CALLBACKS);
            let sequences = || self.reset_sequence.iter().chain(&self.damage_sequence).chain(&self.sequences);
            t.expect("flags", || {
                let found = sequences().any(Sequence::calls_back);
                let words = |calls| if calls { "HAS_CALLBACKS" } else { "no HAS_CALLBACKS" };
                (said != found).then(|| (words(found).into(), words(said).into()))
            });
        }
        if G::HAS_PUFFERS {
            t.fields(&mut self.unused)?;
        }
        t.fields(&mut self.velocity)?;
        pointed(t, "seq_defs_ptr", self.velocity.seq_defs_ptr, u64::from(!is_first));
        Ok(())
    }

    fn lay_blocks(&mut self, t: &mut Tape<'_>) -> Result {
        if !G::HAS_POOL {
            let reset = self.reset_sequence.get_or_insert_default();
            reset.settle(t)?;
            let rules = t.judging().then_some(EmbeddedReset { reset_state: reset.head, reset_size: reset.size.size });
            return t.fields_by(&mut self.embedded, rules.as_ref());
        }
        if !t.building() {
            let was = self.blocks;
            point(&mut self.blocks.reset_state_ptr, self.reset_sequence.is_some());
            point(&mut self.blocks.damage_seq_ptr, self.damage_sequence.is_some());
            t.tell(Place::clone, &was, &self.blocks);
        }
        t.fields(&mut self.blocks)?;
        if t.building() {
            // Where the exchange form has a sequence, it is there; the pointer follows.
            let there = |name, pointer: U32| if t.loading() { t.is_given(name) } else { pointer.get() != 0 };
            self.reset_sequence = there("reset_sequence", self.blocks.reset_state_ptr).then(Sequence::default);
            self.damage_sequence = there("damage_sequence", self.blocks.damage_seq_ptr).then(Sequence::default);
        }
        Ok(())
    }

    fn lay_counts(&mut self, t: &mut Tape<'_>, counts: &mut Counts) -> Result {
        counts.sequences = counted::<U8>(t, "seq_def_count", self.sequences.len())?;
        counts.objects = counted::<U8>(t, "object_count", self.objects.len())?;
        counts.nodes = counted::<U8>(t, "node_count", self.nodes.len())?;
        counts.lights = counted::<U8>(t, "light_count", self.lights.len())?;
        if G::HAS_PUFFERS {
            counts.puffers = counted::<U8>(t, "puffer_count", self.puffers.len())?;
        }
        counts.dynamic_sounds = counted::<U8>(t, "dynamic_sound_count", self.dynamic_sounds.len())?;
        counts.static_sounds = counted::<U8>(t, "static_sound_count", self.static_sounds.len())?;
        counts.effects = counted::<U8>(t, "effect_count", self.effects.len())?;
        if G::HAS_POOL && counts.effects > 0 {
            let expected = "no effects, for nobody knows how they lie in this game".to_owned();
            return Err(t.error_in("effect_count", Fault::Outside { found: counts.effects.into(), expected }));
        }
        counts.activ_prereqs = counted::<U8>(t, "activ_prereq_count", self.activ_prereqs.len())?;
        t.fields(&mut self.prerequisite_min)?;
        counts.anim_refs = counted::<U8>(t, "anim_ref_count", self.anim_refs.len())?;
        if G::HAS_SCRIPT_IDS {
            counts.script_ids = counted::<U8>(t, "script_id_count", self.script_ids.len())?;
        } else {
            t.fields(&mut self.count_pad)?;
        }
        if G::HAS_PUFFERS { Ok(()) } else { t.fields(&mut self.no_puffers) }
    }

    fn lay_pointers(&mut self, t: &mut Tape<'_>, counts: &Counts) -> Result {
        t.fields(&mut self.node_pointers)?;
        let NodePointers { objects_ptr, nodes_ptr, lights_ptr } = self.node_pointers;
        pointed(t, "objects_ptr", objects_ptr, counts.objects);
        pointed(t, "nodes_ptr", nodes_ptr, counts.nodes);
        pointed(t, "lights_ptr", lights_ptr, counts.lights);
        if G::HAS_PUFFERS {
            t.fields(&mut self.puffers_pointer)?;
            pointed(t, "puffers_ptr", self.puffers_pointer.puffers_ptr, counts.puffers);
        }
        t.fields(&mut self.other_pointers)?;
        let OtherPointers { dynamic_sounds_ptr, static_sounds_ptr, effects_ptr, activ_prereqs_ptr, anim_refs_ptr } =
            self.other_pointers;
        pointed(t, "dynamic_sounds_ptr", dynamic_sounds_ptr, counts.dynamic_sounds);
        pointed(t, "static_sounds_ptr", static_sounds_ptr, counts.static_sounds);
        pointed(t, "effects_ptr", effects_ptr, counts.effects);
        pointed(t, "activ_prereqs_ptr", activ_prereqs_ptr, counts.activ_prereqs);
        pointed(t, "anim_refs_ptr", anim_refs_ptr, counts.anim_refs);
        if !G::HAS_SCRIPT_IDS {
            return t.fields(&mut self.next);
        }
        t.fields(&mut self.script_ids_pointer)?;
        pointed(t, "script_ids_ptr", self.script_ids_pointer.script_ids_ptr, counts.script_ids);
        Ok(())
    }

    fn lay_arrays(&mut self, t: &mut Tape<'_>, counts: &Counts) -> Result {
        if G::HAS_POOL {
            t.block("node_path", counts.node_path, &mut self.node_path)?;
        }
        array(t, "objects", counts.objects, &mut self.objects, G::NO_NODE)?;
        array(t, "nodes", counts.nodes, &mut self.nodes, G::NO_NODE)?;
        array(t, "lights", counts.lights, &mut self.lights, 0)?;
        if G::HAS_PUFFERS {
            array(t, "puffers", counts.puffers, &mut self.puffers, 0)?;
        }
        array(t, "dynamic_sounds", counts.dynamic_sounds, &mut self.dynamic_sounds, 0)?;
        array(t, "static_sounds", counts.static_sounds, &mut self.static_sounds, 0)?;
        if !G::HAS_POOL {
            array(t, "effects", counts.effects, &mut self.effects, 0)?;
        }
        let prerequisites = &mut self.activ_prereqs;
        t.list("activ_prereqs", counts.activ_prereqs, Prerequisite::SIZE, prerequisites, |t, it| it.lay(t))?;
        t.list("anim_refs", counts.anim_refs, AnimRef::SIZE, &mut self.anim_refs, |t, it| it.lay(t))?;
        if G::HAS_SCRIPT_IDS {
            t.block("script_ids", counts.script_ids, &mut self.script_ids)?;
        }
        Ok(())
    }

    fn lay_sequences(&mut self, t: &mut Tape<'_>, count: u64, is_first: bool, scripts: usize) -> Result {
        let Self { nodes, lights, puffers, dynamic_sounds, static_sounds, effects, anim_refs, script_ids, .. } = self;
        // Without a placeholder.
        let script_ids = &script_ids.len();
        let scripts = &scripts;
        let arrays =
            Arrays { nodes, lights, puffers, dynamic_sounds, static_sounds, effects, anim_refs, script_ids, scripts };
        let Self { reset_sequence, damage_sequence, sequences, .. } = self;
        if let Some(reset) = reset_sequence {
            t.group("reset_sequence", |t| {
                reset.lay(t, G::TITLE, arrays)?;
                reset.expect_name(t, if is_first { b"" } else { b"RESET_SEQUENCE" });
                Ok(())
            })?;
        }
        if let Some(damage) = damage_sequence {
            t.group("damage_sequence", |t| {
                damage.lay(t, G::TITLE, arrays)?;
                damage.expect_name(t, b"DAMAGE_SEQUENCE");
                Ok(())
            })?;
        }
        t.list("sequences", count, Sequence::SMALLEST, sequences, |t, sequence| {
            sequence.lay(t, G::TITLE, arrays)?;
            let bytes = sequence.size.size.get();
            t.expect("size", || (bytes == 0).then(|| ("events".into(), 0.into())));
            Ok(())
        })
    }
}

/// Makes a pointer say whether something is there. Any address will do: the engine makes its own.
fn point(pointer: &mut U32, is_there: bool) {
    match (pointer.get(), is_there) {
        (0, true) => pointer.set(u32::MAX),
        (_, false) => pointer.set(0),
        _ => {}
    }
}
