//! Objects at places where they do not belong. Source: `marathon-lint.md`, section 2.

use bitflags::Flags as _;

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::{ObjectFlags, ObjectGroup};
use super::super::Object;
use super::survey::{Around, Point, Survey, cross, edges, get, record, square_to_edge};

traps! { TRAPS:
    VOID = "object-in-void" in Addition:
        "an object is in no polygon" => "a monster there is lost, and a sound is wrong",
        "marathon-lint.md, section 2 (engine)";
    OUTSIDE = "object-outside" in Addition:
        "an object is outside of its polygon" =>
        "it appears there, with the height and the light of the polygon that it belongs to",
        "marathon-lint.md, section 2 (engine)";
    PLAYER = "player-outside" in Addition:
        "the start of a player is more than 64 units outside of its polygon" => "the player can stick in a wall",
        "marathon-lint.md, section 2 (engine)";
    HEIGHT = "object-height" in Addition:
        "an object is below the floor or above the ceiling of its polygon" => "it is cut off or stuck",
        "marathon-lint.md, section 2 (engine)";
}

/// The distance from a polygon up to which a player is only a little outside.
const NEAR: i64 = 64;

/// Returns `true` if a point is in a convex outline, or on its border.
fn is_in(outline: &[Point], point: Point) -> bool {
    let turns = || edges(outline).map(|(from, to)| cross(from, to, point));
    turns().all(|turn| turn >= 0) || turns().all(|turn| turn <= 0)
}

pub(super) fn lint(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, object) in level.objects.iter().enumerate() {
        let place = record("objects", index);
        let point = [object.x.get(), object.y.get()].map(i64::from);
        let own = object.polygon.get();
        if let Some(outline) = get(level.outlines(), own).and_then(Option::as_deref)
            && !is_in(outline, point)
        {
            outside(out, level, &place, (object, outline, point));
        }
        height(out, level, &place, object);
    }
}

fn outside(
    out: &mut Warnings<'_>,
    level: &Survey<'_>,
    place: &[Step],
    (object, own, point): (&Object, &[Point], Point),
) {
    let is_inside = |outline: &Vec<Point>, around: &Around| {
        around.is_near(&Around { least: point, most: point }, 0) && is_in(outline, point)
    };
    let mut all = level.outlines().iter().zip(level.boxes());
    if !all.any(|(outline, around)| {
        outline.as_ref().zip(around.as_ref()).is_some_and(|(outline, around)| is_inside(outline, around))
    }) {
        return out.warn(&VOID, place, format!("{}, {}", point[0], point[1]));
    }
    let square = edges(own).map(|edge| square_to_edge(point, edge)).min();
    let far = square.filter(|square| *square > NEAR * NEAR);
    let found = format!("{} units from polygon {}", square.map_or(0, i64::isqrt), object.polygon.get());
    if far.is_some() && object.group == ObjectGroup::PLAYER {
        out.warn(&PLAYER, place, found);
    } else {
        out.warn(&OUTSIDE, place, found);
    }
}

/// Reports an object of the first four groups that is not between the floor and the ceiling of its polygon.
fn height(out: &mut Warnings<'_>, level: &Survey<'_>, place: &[Step], object: &Object) {
    let Some(polygon) = get(level.polygons, object.polygon.get()) else { return };
    if !(0..=3).contains(&object.group.get()) || Survey::is_platform(polygon) || level.is_early {
        return;
    }
    let [floor, ceiling, z] = [polygon.floor_height, polygon.ceiling_height, object.z].map(|it| i32::from(it.get()));
    let height = z + if object.flags.contains(ObjectFlags::HANGS_FROM_CEILING) { ceiling } else { floor };
    if !(floor..=ceiling).contains(&height) {
        let found = format!("{height}, floor {floor}, ceiling {ceiling}");
        out.warn(&HEIGHT, &[place, &[Step::Name("z")]].concat(), found);
    }
}
