//! The traps of animation files.
//!
//! Source: `zipper-editing.md`.

use crate::field::{Judge, Step, traps, wide};
use crate::kind;

use super::definition::Definition;
use super::events::EventType;
use super::game::Game;

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

/// Reports the traps of definitions.
pub(super) fn lint<G: Game>(t: &mut impl Judge, definitions: &[Definition<G>]) {
    if definitions.len() > DEFINITIONS {
        t.warn(&LIMIT, &[Step::Name("definitions")], definitions.len().to_string());
    }
    for (index, it) in definitions.iter().enumerate() {
        if it.anim_name.anim_name.is_full() {
            t.warn(&NAME, &definition(index, &[Step::Name("anim_name")]), "");
        }
    }
}

/// Reports an event of a type that the game's engine rejects.
pub(super) fn event(t: &mut impl Judge, kind: EventType, game: kind::Game) {
    if game == kind::Game::Recoil && matches!(kind.get(), 29 | 41..) {
        t.warn(&EVENT, &[Step::Name("event_type")], format!("{kind:?}"));
    }
}

/// Reports conditions inside others, given the types of all events of a sequence.
pub(super) fn sequence(t: &mut impl Judge, kinds: impl Iterator<Item = EventType>, game: kind::Game) {
    if game != kind::Game::CrimsonSkies {
        return;
    }
    let mut depth = 0_usize;
    for (index, kind) in kinds.enumerate() {
        match kind {
            EventType::IF => {
                if depth > 0 {
                    t.warn(&NESTED, &[Step::Name("events"), Step::Index(wide(index))], "");
                }
                depth += 1;
            }
            EventType::ENDIF => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// Reports the values of definitions whose change is a trap.
pub(super) fn watch<G: Game>(t: &mut impl Judge, definitions: &[Definition<G>]) {
    for (index, it) in definitions.iter().enumerate() {
        let name = it.anim_name.anim_name.bytes();
        t.watch(&MOVED, &definition(index, &[]), Some(name), &wide(index).to_le_bytes());
        for (nth, object) in it.objects.iter().enumerate() {
            let place = definition(index, &[Step::Name("objects"), Step::Index(wide(nth))]);
            t.watch_fields(&CAPTURED, &place, object, &["node_active", "matrix_in_use", "transform", "flags"]);
        }
    }
}
