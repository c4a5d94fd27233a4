//! Files with traps. Sources: zipper-anim.md, sections 4 to 18; zipper-anim-events.md.

use super::Game::{self, CrimsonSkies, MechWarrior3, PiratesMoon, Recoil};
use super::elements::{
    anim_ref, animation_prerequisite, component, effect, light, node, object, object_prerequisite, static_sound, zero,
};
use super::events::{event, frame, payload};
use super::samples::{games, recompute_callbacks, worked};
use super::{Definition, Event, Sequence, Spec, build};
use crate::bytes::field;
use crate::random::Random;
use crate::sample::{Trap, kept, reported};
use crate::{Sample, Size};

/// Returns files with traps, as small as the worked ones in every size class.
pub(super) fn traps(_: u64, _: Size) -> Vec<Sample> {
    let all: [(&[Game], &[Trap<Spec>]); 6] = [
        (&Game::ALL, ALL),
        (&[MechWarrior3, CrimsonSkies], EVENTS),
        (&[Recoil, MechWarrior3], OLDER),
        (&[PiratesMoon, CrimsonSkies], NEWER),
        (&[Recoil], RECOIL),
        (&[CrimsonSkies], CRIMSON),
    ];
    let sample = |game: Game, trap: &Trap<Spec>| {
        let name = format!("{}_{}", game.code(), trap.name);
        Sample::of(&name, "anim", games(game), worked(game, game.newer()), Some(trap), build)
    };
    all.iter()
        .flat_map(|(games, traps)| games.iter().flat_map(move |&game| traps.iter().map(move |trap| sample(game, trap))))
        .collect()
}

/// Returns the only definition besides the zero record.
pub(super) fn door(spec: &mut Spec) -> &mut Definition {
    &mut spec.definitions[1]
}

/// Adds an event to the sequence.
fn push(spec: &mut Spec, kind: u8, payload: Vec<u8>) {
    door(spec).sequences[0].events.push(Event { kind, start: 1, payload, ..<_>::default() });
}

/// Adds an ordinary event with a change.
fn push_odd(spec: &mut Spec, kind: u8, edit: impl Fn(&mut Vec<u8>)) {
    let mut bytes = payload(spec.game, kind, &mut Random::new(3));
    edit(&mut bytes);
    push(spec, kind, bytes);
}

/// Adds a puffer that uses many of its fields, with a change. A puffer of zeros could also be read as a definition, after a wrong count of
/// scripts.
fn push_puffer(spec: &mut Spec, edit: impl Fn(&mut Vec<u8>)) {
    let mut puffer = payload(spec.game, 42, &mut Random::new(1));
    edit(&mut puffer);
    push(spec, 42, puffer);
}

/// Adds two lights, two dynamic sounds and, if the game has them, a puffer to the definition.
fn referring(spec: &mut Spec) {
    let zero = || zero(44, None);
    let puffers = if spec.game == Recoil { vec![] } else { vec![zero(), light(field(b"smoke", b""), 0)] };
    let door = door(spec);
    door.lights = vec![zero(), light(field(b"lamp", b""), 0), light(field(b"sun", b""), 0)];
    door.dynamic_sounds = vec![zero(), light(field(b"engine", b""), 0), light(field(b"horn", b""), 0)];
    door.puffers = puffers;
}

/// Writes words over a payload or an element.
fn write(bytes: &mut [u8], at: usize, words: &[u32]) {
    words
        .iter()
        .enumerate()
        .for_each(|(index, word)| bytes[at + 4 * index..][..4].copy_from_slice(&word.to_le_bytes()));
}

/// Writes a word over the fixed record.
fn record(spec: &mut Spec, at: usize, word: u32) {
    door(spec).patches.push((at, word.to_le_bytes().into()));
}

/// Returns the size of the elements of nodes.
fn node_size(game: Game) -> usize {
    game.of(40, 40, 44, 44)
}

const ALL: &[Trap<Spec>] = &[
    kept("no_sources_anim.zbd", "no source", |spec| spec.sources.clear()),
    kept("source_tail_anim.zbd", "leftover memory behind a path", |spec| {
        spec.sources[0].0 = field(b"door.zrd", b"common\\zrdr\\x.zrd\0\x01\x80\x3F");
    }),
    kept("source_twice_anim.zbd", "a path twice", |spec| spec.sources[1] = spec.sources[0]),
    kept("source_full_anim.zbd", "a path that fills its field", |spec| spec.sources[1].0 = [b'p'; 80]),
    kept("gravity_anim.zbd", "a gravity of its own, and a player whose position is known", |spec| {
        (spec.gravity, spec.player) = (0xC1A0_0000, 1);
    }),
    reported("info_word_anim.zbd", "an info word that is not 0", |spec| {
        spec.info_patches.push((4, 9u32.to_le_bytes().into()));
    }),
    reported("info_last_anim.zbd", "a last info word that is not 0", |spec| {
        spec.info_patches.push((spec.game.of(56, 64, 104, 104), 9u32.to_le_bytes().into()));
    }),
    reported("zero_activation_anim.zbd", "a zero record with another activation", |spec| {
        spec.definitions[0].bytes[1] = 5;
    }),
    reported("zero_record_range_anim.zbd", "a zero record with a range", |spec| {
        spec.definitions[0].exec_range[0] = 1;
    }),
    kept("name_tails_anim.zbd", "leftover memory behind both names", |spec| {
        let door = door(spec);
        (door.anim_name, door.anim_root_name) = (field(b"blood", b"flt"), field(b"csinwave", b"locator"));
    }),
    kept("name_tail_anim.zbd", "leftover memory behind the name that is zero padded", |spec| {
        door(spec).name = field(b"door", b"x");
    }),
    kept("flags_anim.zbd", "every flag", |spec| door(spec).flags = u32::MAX),
    reported("callback_unflagged_anim.zbd", "a callback, and no flag that says so", |spec| door(spec).flags = 0),
    reported("no_callback_anim.zbd", "the flag of callbacks, and none", |spec| {
        door(spec).sequences[0].events.truncate(1);
    }),
    kept("range_anim.zbd", "a range, reversed, and a reset time with their flags", |spec| {
        let door = door(spec);
        (door.flags, door.exec_range) = (0x32, [400.0f32, 100.0].map(f32::to_bits));
        door.reset_time = 3.0f32.to_bits();
    }),
    reported("range_unflagged_anim.zbd", "a range without its flag", |spec| {
        door(spec).exec_range[1] = 400.0f32.to_bits();
    }),
    reported("range_minus_anim.zbd", "-0.0 as a range without its flag", |spec| {
        door(spec).exec_range[0] = 0x8000_0000;
    }),
    reported("reset_time_anim.zbd", "a reset time without its flag", |spec| door(spec).reset_time = 0),
    reported("two_anim.zbd", "a byte that is not 2", |spec| door(spec).bytes[3] = 3),
    kept("activation_anim.zbd", "an activation without a name", |spec| door(spec).bytes[1] = 9),
    reported("cur_health_anim.zbd", "a health that is not the most", |spec| door(spec).cur_health = Some(1)),
    reported("run_time_block_anim.zbd", "a run-time word that is not 0", |spec| {
        record(spec, spec.game.of(104, 104, 112, 112), 1);
    }),
    reported("seq_defs_ptr_anim.zbd", "no pointer to the sequences", |spec| door(spec).seq_defs_ptr = 0),
    reported("pointer_0_anim.zbd", "nodes, and no pointer to them", |spec| record(spec, spec.game.pointers() + 4, 0)),
    reported("pointer_anim.zbd", "a pointer to lights, and none", |spec| record(spec, spec.game.pointers() + 8, 7)),
    reported("zero_element_anim.zbd", "a zero element that is not", |spec| {
        let at = node_size(spec.game) - 8;
        door(spec).nodes[0][at] = 1;
    }),
    kept("one_element_anim.zbd", "a zero element alone", |spec| {
        door(spec).nodes.truncate(1);
        // The event is not at a node.
        door(spec).sequences[0].events[0].payload[4] = 0;
    }),
    kept("element_tails_anim.zbd", "tails of every kind behind the names of nodes", |spec| {
        let game = spec.game;
        let invalid = *b"door\0id_node_name\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        for name in [invalid, field(b"abort_test", b"ng\0ame"), [b'n'; 32]] {
            door(spec).nodes.push(node(game, name, &mut Random::new(1)));
        }
    }),
    kept("objects_anim.zbd", "objects", |spec| {
        let game = spec.game;
        door(spec).objects = vec![
            zero(game.of(96, 96, 92, 92), game.newer().then_some(36)),
            object(game, field(b"door", b""), &mut Random::new(1)),
        ];
    }),
    kept("sounds_anim.zbd", "lights and sounds, with leftover memory", |spec| {
        let game = spec.game;
        let it = door(spec);
        it.lights = vec![zero(44, None), light(field(b"lamp", b"t"), 0)];
        it.dynamic_sounds = it.lights.clone();
        it.static_sounds = vec![zero(game.of(36, 36, 36, 40), None), static_sound(game, b"creak", &mut Random::new(1))];
    }),
    reported("light_flags_anim.zbd", "a light with flags", |spec| {
        door(spec).lights = vec![zero(44, None), light(field(b"lamp", b""), 1)];
    }),
    kept("prerequisites_anim.zbd", "prerequisites in any order, and more asked for than there are", |spec| {
        let game = spec.game;
        let it = door(spec);
        it.prerequisites = vec![
            object_prerequisite(game, 2, 1, b"door"),
            animation_prerequisite(1, b"unlock"),
            object_prerequisite(game, 3, game.of(0, 0, 2, 2), b"house"),
        ];
        it.prerequisites_min = 9;
    }),
    reported("prerequisite_type_anim.zbd", "a prerequisite without a known type", |spec| {
        let mut odd = animation_prerequisite(1, b"unlock");
        write(&mut odd, 4, &[7]);
        door(spec).prerequisites = vec![odd];
    }),
    kept("anim_refs_anim.zbd", "references of both types, with leftover memory", |spec| {
        door(spec).anim_refs = vec![anim_ref(0, b"spark", b"left"), anim_ref(1, b"spark", b"local")];
    }),
    reported("sequence_clock_anim.zbd", "a clock in a sequence", |spec| {
        door(spec).sequences[0].patches.push((40, vec![1]));
    }),
    kept("sequence_states_anim.zbd", "states that differ", |spec| door(spec).sequences[0].states = [3, 0]),
    kept("sequence_name_anim.zbd", "a sequence without a name, and one whose name fills its field", |spec| {
        let mut second = door(spec).sequences[0].clone();
        (second.name, door(spec).sequences[0].name) = ([b'n'; 32], [0; 32]);
        door(spec).sequences.push(second);
    }),
    reported("sequence_pointer_anim.zbd", "events, and no pointer to them", |spec| {
        door(spec).sequences[0].patches.push((56, vec![0; 4]));
    }),
    reported("sequence_empty_anim.zbd", "a sequence without events", |spec| {
        let name = field(b"empty", b"");
        door(spec).sequences.push(Sequence { name, ..<_>::default() });
    }),
    kept("reset_anim.zbd", "a reset sequence", |spec| {
        let events = vec![Event { kind: 34, start: 1, ..<_>::default() }];
        door(spec).reset = Some(Sequence { name: field(b"RESET_SEQUENCE", b""), events, ..<_>::default() });
    }),
    reported("tail_anim.zbd", "bytes behind the last phase", |spec| spec.tail = b"left over".into()),
];

const EVENTS: &[Trap<Spec>] = &[
    reported("event_pad_anim.zbd", "padding in an event that is not 0", |spec| {
        door(spec).sequences[0].events[0].pad = 1;
    }),
    reported("event_200_anim.zbd", "an event of type 200", |spec| push(spec, 200, b"what?".into())),
    reported("event_29_anim.zbd", "an event of type 29 without a payload", |spec| push(spec, 29, vec![])),
    reported("event_longer_anim.zbd", "a callback of one byte more", |spec| push(spec, 35, vec![0; 5])),
    reported("event_shorter_anim.zbd", "an event that has lost its payload", |spec| push(spec, 10, vec![])),
    reported("event_size_0_anim.zbd", "an event that says it has no bytes", |spec| {
        door(spec).sequences[0].events[1].size = Some(0);
    }),
    reported("event_size_anim.zbd", "an event of one byte more than its sequence has", |spec| {
        door(spec).sequences[0].events[1].size = Some(17);
    }),
    reported("event_size_largest_anim.zbd", "an event of the most bytes there can be", |spec| {
        door(spec).sequences[0].events[0].size = Some(u32::MAX);
    }),
    reported("event_cut_anim.zbd", "a sequence that ends inside the head of an event", |spec| {
        door(spec).sequences[0].rest = b"\x06\x01\0\0\x14".into();
    }),
    reported("no_event_anim.zbd", "a sequence of one byte", |spec| {
        door(spec).flags = 0;
        door(spec).sequences[0].events.clear();
        door(spec).sequences[0].rest = vec![0];
    }),
    kept("negative_zero_anim.zbd", "-0.0, a NaN and a denormal", |spec| {
        push_odd(spec, 8, |bytes| write(bytes, 0, &[0x8000_0000, 0x7FA0_0001, 1]));
    }),
    kept("indices_anim.zbd", "indices that stand for something else than an element", |spec| {
        push_odd(spec, 6, |bytes| write(bytes, 4, &[0xFFFF]));
        push_odd(spec, 15, |bytes| write(bytes, 0, &[0xFF38_FF9C]));
    }),
    reported("node_index_anim.zbd", "a node that is none", |spec| push_odd(spec, 6, |bytes| write(bytes, 4, &[2]))),
    reported("node_minus_anim.zbd", "a node of a negative index without a meaning", |spec| {
        push_odd(spec, 6, |bytes| write(bytes, 4, &[0xFFFE]))
    }),
    reported("sound_index_anim.zbd", "a sound, and none in the definition", |spec| push_odd(spec, 1, |_| ())),
    reported("sound_node_index_anim.zbd", "a sound under the index of another", |spec| {
        referring(spec);
        push_odd(spec, 2, |bytes| write(bytes, 32, &[2]));
    }),
    kept("named_indices_anim.zbd", "a sound and a light under their own indices", |spec| {
        referring(spec);
        push_odd(spec, 2, |_| ());
        push_odd(spec, 5, |_| ());
    }),
    reported("light_index_anim.zbd", "a light under the index of another", |spec| {
        referring(spec);
        push_odd(spec, 4, |bytes| write(bytes, 32, &[2]));
    }),
    reported("light_index_0_anim.zbd", "a light under the index of none", |spec| {
        referring(spec);
        push_odd(spec, 5, |bytes| write(bytes, 32, &[0]));
    }),
    reported("light_name_anim.zbd", "a light that the definition does not have", |spec| {
        referring(spec);
        push_odd(spec, 5, |bytes| bytes[..4].copy_from_slice(b"lava"));
    }),
    reported("wait_index_anim.zbd", "a wait for an animation that the definition does not refer to", |spec| {
        push_odd(spec, 24, |bytes| {
            bytes[32..].fill(0);
            write(bytes, 32, &[0x0010_0001, 0x0001_0000]);
        });
    }),
    // 0.32 / 0.75, -0.32 / 1.5, -0.3 / 0.3 as computed by the compiler.
    reported("delta_outlier_anim.zbd", "the three rates that the rule does not give", |spec| {
        push_odd(spec, 14, |bytes| {
            write(bytes, 8, &[0.68f32.to_bits(), 1.0f32.to_bits(), 0x3EDA_740E, 0.75f32.to_bits()]);
        });
        push_odd(spec, 14, |bytes| {
            write(bytes, 8, &[1.0f32.to_bits(), 0.68f32.to_bits(), 0xBE5A_740E, 1.5f32.to_bits()]);
        });
        push_odd(spec, 36, |bytes| write(bytes, 36, &[0.3f32.to_bits(), 0, 0xBF7F_FFFF, 0.3f32.to_bits()]));
    }),
    kept("delta_0_anim.zbd", "no run time, and -0.0 beside 0.0", |spec| {
        push_odd(spec, 14, |bytes| write(bytes, 8, &[0.5f32.to_bits(), 1.0f32.to_bits(), 0, 0]));
        push_odd(spec, 14, |bytes| write(bytes, 8, &[0x8000_0000, 0, 0, 1.0f32.to_bits()]));
    }),
    reported("delta_vector_anim.zbd", "a rate of a vector that is one unit off", |spec| {
        push_odd(spec, 11, |bytes| {
            write(bytes, 0, &[1]);
            bytes[8..].fill(0);
            write(bytes, 20, &[0, 0, 0, 0, 0, 1.0f32.to_bits(), 0, 0, 0x3F80_0001]);
            write(bytes, 128, &[1.0f32.to_bits()]);
        });
    }),
    reported("motion_run_time_anim.zbd", "a run-time velocity", |spec| {
        push_odd(spec, 10, |bytes| write(bytes, 76, &[1]));
    }),
    reported("unflagged_anim.zbd", "a position without its flag", |spec| {
        push_odd(spec, 18, |bytes| {
            write(bytes, 0, &[0]);
            bytes[6..52].fill(0);
            write(bytes, 12, &[0x8000_0000]);
        });
    }),
    reported("puffer_node_anim.zbd", "a puffer at a node without its flag", |spec| {
        push_odd(spec, 42, |bytes| {
            bytes[36..].fill(0);
            write(bytes, 36, &[4, 0, 3]);
        });
    }),
    reported("puffer_index_anim.zbd", "a puffer under an index that is none", |spec| {
        referring(spec);
        push_puffer(spec, |puffer| write(puffer, 32, &[7]));
    }),
    kept("puffer_interval_anim.zbd", "an interval without its flags", |spec| {
        referring(spec);
        push_puffer(spec, |puffer| {
            puffer[36] &= 0x7F;
            write(puffer, 120, &[1, 0.5f32.to_bits()]);
        });
    }),
    kept("condition_anim.zbd", "conditions without a name, and a node that is none", |spec| {
        push_odd(spec, 31, |bytes| write(bytes, 0, &[0x8000_0000, 77, 0x7FA0_0001]));
        push_odd(spec, 33, |bytes| write(bytes, 0, &[0x10, 0x7FFF, 3]));
        push_odd(spec, 33, |bytes| write(bytes, 0, &[3, 0, 3]));
    }),
    kept("loop_anim.zbd", "loops of every kind", |spec| {
        push_odd(spec, 30, |bytes| write(bytes, 0, &[1, 0xFFFF]));
        push_odd(spec, 30, |bytes| write(bytes, 0, &[2, 0x8000_0000]));
        push_odd(spec, 30, |bytes| write(bytes, 0, &[3, 0x0102_0304]));
    }),
    reported("loop_pad_anim.zbd", "padding behind the count of a loop", |spec| {
        push_odd(spec, 30, |bytes| write(bytes, 0, &[1, 0x0001_0002]));
    }),
    reported("wait_anim.zbd", "an animation to wait for, and no wait", |spec| {
        push_odd(spec, 24, |bytes| {
            bytes[32..].fill(0);
            write(bytes, 32, &[0, 0x0004_0000]);
        });
    }),
    reported("fog_type_anim.zbd", "a type of fog without its flag", |spec| {
        push_odd(spec, 28, |bytes| {
            bytes[32..].fill(0);
        });
    }),
    reported("call_index_anim.zbd", "an index of a sequence that the run has filled in", |spec| {
        push_odd(spec, 22, |bytes| write(bytes, 32, &[2]));
    }),
];

const OLDER: &[Trap<Spec>] = &[
    reported("embedded_anim.zbd", "two reset heads that differ", |spec| {
        door(spec).embedded = Some(field(b"RESET_SEQUENCE", b"\0\0left"));
    }),
    reported("reset_unnamed_anim.zbd", "a reset head without its name", |spec| {
        door(spec).reset = Some(Sequence::default());
    }),
    kept("inline_no_frames_anim.zbd", "a script without frames", |spec| {
        let size = spec.game.of(20, 24, 0, 0);
        push_odd(spec, 12, |bytes| {
            bytes.truncate(size);
            write(bytes, 4, &[0]);
        });
    }),
    reported("inline_count_anim.zbd", "a script that counts one frame more, and one less", |spec| {
        push_odd(spec, 12, |bytes| write(bytes, 4, &[4]));
        push_odd(spec, 12, |bytes| write(bytes, 4, &[2]));
    }),
    reported("inline_count_largest_anim.zbd", "a script of the most frames there can be", |spec| {
        push_odd(spec, 12, |bytes| write(bytes, 4, &[u32::MAX]));
    }),
    reported("inline_flags_anim.zbd", "a frame with a flag without a name", |spec| {
        let size = spec.game.of(20, 24, 0, 0);
        push_odd(spec, 12, |bytes| write(bytes, size, &[15]));
    }),
    reported("inline_rest_anim.zbd", "a script with bytes behind its frames", |spec| {
        push_odd(spec, 12, |bytes| bytes.push(0));
    }),
    kept("messages_anim.zbd", "a table of messages", |spec| {
        spec.messages = vec![field(b"TOP_MESSAGE", b""), field(b"", b"")];
        spec.info_patches.push((20, 0x0200_0100u32.to_le_bytes().into()));
    }),
];

const NEWER: &[Trap<Spec>] = &[
    kept("no_scripts_anim.zbd", "no script", |spec| spec.scripts.clear()),
    reported("scripts_ptr_anim.zbd", "no script, and a pointer to them", |spec| {
        spec.scripts.clear();
        spec.info_patches.push((20, vec![1]));
    }),
    reported("script_name_anim.zbd", "names of a script without their NULs", |spec| {
        (spec.scripts[0].name, spec.scripts[0].object) = (b"a.zan".into(), b"".into());
    }),
    reported("script_name_nul_anim.zbd", "a name of a script with a NUL in it", |spec| {
        spec.scripts[0].name = b"a\0.zan\0".into();
    }),
    reported("script_pad_anim.zbd", "padding in the head of a script", |spec| {
        spec.scripts[0].patches.push((10, vec![1]));
    }),
    reported("script_count_more_anim.zbd", "a script that counts one frame more", |spec| {
        spec.scripts[0].frame_count = Some(2);
    }),
    reported("script_count_0_anim.zbd", "a script that counts no frame", |spec| {
        spec.scripts[0].frame_count = Some(0);
    }),
    reported("script_empty_anim.zbd", "a script without frames", |spec| spec.scripts[0].frames.clear()),
    reported("script_empty_count_anim.zbd", "a script without frames that counts one", |spec| {
        spec.scripts[0].frames.clear();
        spec.scripts[0].frame_count = Some(1);
    }),
    reported("script_rest_anim.zbd", "bytes behind the frames of a script", |spec| {
        spec.scripts[0].rest = b"rest".into();
    }),
    reported("script_flags_anim.zbd", "a frame with a flag without a name", |spec| {
        spec.scripts[0].frames[0].flags = 9;
    }),
    kept("script_spline_anim.zbd", "splines, one with NaNs and denormals", |spec| {
        let game = spec.game;
        spec.scripts[0].spline = 1;
        let mut frame = frame(game, 7, &mut Random::new(1));
        write(&mut frame.blocks, 28, &[0xFFC0_0000, 1, 0x7F80_0000]);
        spec.scripts[0].frames.push(frame);
    }),
    kept("script_like_archive_anim.zbd", "an end like the footer of an archive", |spec| {
        let blocks = &mut spec.scripts[0].frames[0].blocks;
        write(blocks, 68, &[1, 0xFFFF]);
    }),
    kept("script_times_anim.zbd", "a frame that ends when it starts, and not a number", |spec| {
        let frame = &mut spec.scripts[0].frames[0];
        frame.times = [0; 2];
        write(&mut frame.blocks, 0, &[0xFFC0_0000; 6]);
    }),
    kept("node_path_anim.zbd", "a path of nodes", |spec| {
        door(spec).node_path = vec![component(b"house"), component(b"door")];
    }),
    reported("messages_anim.zbd", "messages, whose place nobody knows", |spec| spec.msg_count = Some(1)),
    kept("damage_anim.zbd", "a damage sequence behind the reset sequence", |spec| {
        let events = vec![Event { kind: 32, start: 3, ..<_>::default() }];
        door(spec).reset =
            Some(Sequence { name: field(b"RESET_SEQUENCE", b""), events: events.clone(), ..<_>::default() });
        door(spec).damage = Some(Sequence { name: field(b"DAMAGE_SEQUENCE", b""), events, ..<_>::default() });
    }),
    reported("damage_name_anim.zbd", "a damage sequence of another name", |spec| {
        let events = vec![Event { kind: 32, start: 3, ..<_>::default() }];
        door(spec).damage = Some(Sequence { name: field(b"open", b""), events, ..<_>::default() });
    }),
];

const RECOIL: &[Trap<Spec>] = &[
    kept("effects_anim.zbd", "effects", |spec| {
        door(spec).effects = vec![zero(36, None), effect(b"dust", 3)];
    }),
    reported("event_40_anim.zbd", "an event whose size nobody knows", |spec| push(spec, 40, vec![0; 4])),
    reported("event_42_anim.zbd", "a puffer, which this game does not have", |spec| push(spec, 42, vec![0; 580])),
];

const CRIMSON: &[Trap<Spec>] = &[
    kept("bases_anim.zbd", "leftover memory behind the path of a base, and three of them", |spec| {
        spec.bases[1].0 = field(b"zbd\\planes.zbd", b"left over");
        spec.bases.push(spec.bases[0]);
    }),
    kept("script_ids_anim.zbd", "scripts that are none", |spec| door(spec).script_ids = vec![7, u32::MAX]),
    reported("script_list_count_anim.zbd", "a list of scripts that counts one more", |spec| {
        push_odd(spec, 47, |bytes| write(bytes, 0, &[3]));
    }),
    reported("script_list_rest_anim.zbd", "a list of scripts with bytes behind it", |spec| {
        push_odd(spec, 47, |bytes| bytes.push(0));
    }),
    reported("script_list_head_anim.zbd", "a list of scripts with another type in it", |spec| {
        push_odd(spec, 47, |bytes| bytes[4] = 13);
    }),
    kept("script_list_none_anim.zbd", "a list of no scripts", |spec| push(spec, 47, vec![0; 4])),
    kept("event_46_anim.zbd", "a payload that nobody understands", |spec| {
        let event = event(CrimsonSkies, 46, &mut Random::new(1));
        door(spec).sequences[0].events.push(event);
        recompute_callbacks(door(spec));
    }),
];
