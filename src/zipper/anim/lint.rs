//! The traps of animation files.
//!
//! Source: `zipper-editing.md`.

use field::{Step, wide};
use kind::Game as Title;
use lint::{Lint, Warnings, Watch, traps};

use super::container::Animations;
use super::events::EventType;
use super::game::Game;
use super::sequence::Sequence;

traps! { TRAPS:
    LIMIT = "definition-limit" in File:
        "the file has more than 32,767 definitions" => "the game refuses it", "zipper-editing.md, section 3 (engine)";
    NAME = "definition-name-length" in File:
        "the name of a definition has more than 31 characters" => "the game reads beyond the name",
        "zipper-editing.md, section 3 (engine)";
    EVENT = "event-type" in Addition:
        "an animation has an event of a type that Recoil does not have" => "Recoil refuses the event",
        "zipper-anim-events.md, Unknown types (engine)";
    NESTED = "event-if-nested" in Addition:
        "a condition is inside another one" =>
        "Crimson Skies does not count them, so that the wrong branch runs if the outer one is false",
        "zipper-anim-events.md, section 31 (engine)";
    MOVED = "definition-moved" in Change:
        "a definition was moved to a different index" =>
        "definitions take nodes of one name in their order, so that this one animates a different node",
        "zipper-editing.md, section 2 (engine)";
    ATTACHED = "attach-node-changed" in Change:
        "the node that a definition is attached to was changed" =>
        "if the world has no node of this name, Recoil refuses the whole file, and nothing in the mission is animated",
        "zipper-anim.md, section 10 (engine)";
    CAPTURED = "object-state-ignored" in Change:
        "the captured state of an object was changed" => "the edit has no effect, because the game captures it again",
        "zipper-editing.md, section 1 (engine)";
}

/// The maximum number of definitions.
const DEFINITIONS: usize = 32_767;

/// Returns the steps to a part of a definition.
fn definition(index: usize, more: &[Step]) -> Vec<Step> {
    [&[Step::Name("definitions"), Step::Index(wide(index))], more].concat()
}

impl<G: Game> Lint for Animations<G> {
    fn lint(&self, out: &mut Warnings<'_>) {
        if self.definitions.len() > DEFINITIONS {
            out.warn(&LIMIT, &[Step::Name("definitions")], self.definitions.len().to_string());
        }
        for (index, it) in self.definitions.iter().enumerate() {
            if it.anim_name.anim_name.is_full() {
                out.warn(&NAME, &definition(index, &[Step::Name("anim_name")]), "");
            }
        }
        for (index, it) in self.definitions.iter().enumerate() {
            for (name, own) in [("reset_sequence", &it.reset_sequence), ("damage_sequence", &it.damage_sequence)] {
                own.iter().for_each(|own| sequence::<G>(out, &definition(index, &[Step::Name(name)]), own));
            }
            for (nth, own) in it.sequences.iter().enumerate() {
                sequence::<G>(out, &definition(index, &[Step::Name("sequences"), Step::Index(wide(nth))]), own);
            }
        }
    }

    fn watch(&self, out: &mut Watch<'_>) {
        for (index, it) in self.definitions.iter().enumerate() {
            let name = it.anim_name.anim_name.bytes();
            out.watch(&MOVED, &definition(index, &[]), Some(name), &wide(index).to_le_bytes());
            if G::TITLE == Title::Recoil {
                out.watch_fields(&ATTACHED, &definition(index, &[]), &it.names, &["name"]);
            }
            for (nth, object) in it.objects.iter().enumerate() {
                let place = definition(index, &[Step::Name("objects"), Step::Index(wide(nth))]);
                out.watch_fields(&CAPTURED, &place, object, &["node_active", "matrix_in_use", "transform", "flags"]);
            }
        }
    }
}

/// Reports events of a type that the game's engine rejects, and conditions inside others.
fn sequence<G: Game>(out: &mut Warnings<'_>, steps: &[Step], sequence: &Sequence) {
    let (rejects, nests) = (G::TITLE == Title::Recoil, G::TITLE == Title::CrimsonSkies);
    if !rejects && !nests {
        return;
    }
    let mut depth = 0_usize;
    for (index, event) in sequence.events.iter().enumerate() {
        let place = |more: &[Step]| [steps, &[Step::Name("events"), Step::Index(wide(index))], more].concat();
        match event.head.event_type {
            kind if rejects && matches!(kind.get(), 29 | 41..) => {
                out.warn(&EVENT, &place(&[Step::Name("event_type")]), format!("{kind:?}"));
            }
            EventType::IF if nests => {
                if depth > 0 {
                    out.warn(&NESTED, &place(&[]), "");
                }
                depth += 1;
            }
            EventType::ENDIF => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
}
