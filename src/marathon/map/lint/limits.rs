//! The limits of the engine, and what a level must have. Source: `marathon-lint.md`, sections 1, 2 and 4.

use field::{FourCc, Step, wide};
use lint::{Warnings, traps};

use super::super::super::chunk::Content;
use super::super::super::names::ObjectGroup;
use super::map_indices;
use super::survey::{MOST, Survey};

traps! { TRAPS:
    COUNT = "level-count" in File:
        "a table of a level has more than 32,767 records" => "the engine counts them with 16 bits and stops",
        "marathon-lint.md, section 1 (engine)";
    MISSING = "level-chunk-missing" in File:
        "a level has no points, lines, objects or properties" => "the engine stops, and editors refuse the level",
        "marathon-lint.md, section 1 (engine)";
    LENGTH = "level-chunk-length" in File:
        "the length of a chunk is not that of whole records" => "the engine stops", "marathon-lint.md, section 1 (engine)";
    LISTS = "index-lists-count" in File:
        "a level with points has index lists, or they have more than 32,767 entries" => "the engine stops",
        "marathon-lint.md, section 1 (engine)";
    MAP_INDICES = "map-index-limit" in File:
        "the index lists that the engine makes for the level have more than 65,535 entries" => "the engine stops while it loads",
        "marathon-lint.md, section 4 (engine)";
    NEAR = "map-index-near" in Addition:
        "the index lists that the engine makes for the level have nearly as many entries as it takes, 65,535" =>
        "a few more polygons, or sounds near many of them, and the engine stops while it loads",
        "marathon-lint.md, section 4 (engine)";
    PLAYER = "player-start" in File:
        "no player can start in a level" => "the engine divides by zero", "marathon-lint.md, section 1 (engine)";
    MONSTERS = "monster-limit" in File:
        "a level has more than 512 monsters" => "the others do not appear", "marathon-lint.md, section 1 (engine)";
    OBJECTS = "object-limit" in Addition:
        "a level has more than 1,024 objects" => "the others do not appear", "marathon-lint.md, section 2 (engine)";
    ENTRY = "entry-points" in File:
        "a level is for no kind of game" => "it can never be chosen", "marathon-lint.md, section 2 (engine)";
    PHYSICS = "physics-count" in File:
        "a physics model has more records than the engine" => "the engine stops", "marathon-lint.md, section 1 (engine)";
}

/// The most entries of index lists that the engine makes, 65,535, with the hundredths by which the count here can be too high; and the number
/// above which there is little room.
const MOST_MADE: usize = 67_501;
const NEARLY_MOST_MADE: usize = 60_000;
/// The most monsters and objects at once.
const MONSTERS_AT_ONCE: usize = 512;
const OBJECTS_AT_ONCE: usize = 1024;
/// The records of the tables of a physics model, in Infinity.
const MODEL: [(&str, usize); 5] =
    [("monsters", 47), ("effects", 73), ("projectiles", 39), ("player_physics", 2), ("weapons", 10)];

/// Reports the number of records in a chunk, and bytes after them.
pub(super) fn chunk(out: &mut Warnings<'_>, tag: FourCc, chunk: &Content) {
    let Some((list, count, rest)) = chunk.counted() else {
        if let Some(expected) = chunk.unusual(tag) {
            out.warn(&LENGTH, &[], format!("expected {expected}"));
        }
        return;
    };
    if rest > 0 {
        out.warn(&LENGTH, &[Step::Name("rest")], format!("{rest} bytes after {count} records"));
    }
    if count > MOST && list != "indices" {
        out.warn(&COUNT, &[Step::Name(list)], count.to_string());
    }
    if let Some((_, most)) = MODEL.iter().find(|(name, most)| *name == list && count > *most) {
        out.warn(&PHYSICS, &[Step::Name(list)], format!("{count}, at most {most}"));
    }
}

/// Reports stored index lists.
pub(super) fn lists(out: &mut Warnings<'_>, level: &Survey<'_>, has_points: bool, count: usize) {
    let is_beside_points = has_points && count > 0;
    if level.is_level && !level.is_early && (is_beside_points || count > MOST) {
        out.warn(&LISTS, &[Step::Name("indices")], count.to_string());
    }
}

/// Reports what a level lacks, at its polygons.
pub(super) fn polygons(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str) {
    let place = [Step::Name(list)];
    let lacks = [
        ("points", level.points.is_empty()),
        ("lines", level.lines.is_empty()),
        ("objects", level.objects.is_empty()),
        ("properties", !level.has_properties),
    ];
    for (what, _) in lacks.iter().filter(|(_, lacks)| *lacks) {
        out.warn(&MISSING, &place, format!("no {what}"));
    }
    if level.is_processed {
        return;
    }
    let made = map_indices::count(level, MOST_MADE);
    if made > MOST_MADE {
        out.warn(&MAP_INDICES, &place, format!("about {made} or more"));
    } else if made > NEARLY_MOST_MADE {
        out.warn(&NEAR, &place, format!("about {made}"));
    }
}

/// Reports how many objects there are.
pub(super) fn objects(out: &mut Warnings<'_>, level: &Survey<'_>) {
    let count = |group| level.objects.iter().filter(|object| object.group == group).count();
    let place = [Step::Name("objects")];
    let can_be_played = level.entry_points.is_none_or(|it| it != 0);
    if count(ObjectGroup::PLAYER) == 0 && can_be_played {
        out.warn(&PLAYER, &place, "");
    }
    let monsters = count(ObjectGroup::MONSTER);
    if monsters > MONSTERS_AT_ONCE {
        out.warn(&MONSTERS, &place, monsters.to_string());
    }
    if level.objects.len() > OBJECTS_AT_ONCE {
        out.warn(&OBJECTS, &place, wide(level.objects.len()).to_string());
    }
}

/// Reports a level that cannot be chosen. In Marathon, no flag is that of a solo game.
pub(super) fn properties(out: &mut Warnings<'_>, level: &Survey<'_>) {
    if level.entry_points == Some(0) {
        out.warn(&ENTRY, &[Step::Name("entry_point_flags")], "");
    }
}
