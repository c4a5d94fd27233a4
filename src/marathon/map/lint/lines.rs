//! Lines that the engine does not handle. Source: `marathon-lint.md`, sections 1 and 2.

use std::collections::HashMap;

use bitflags::Flags as _;

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::LineFlags;
use super::survey::{Survey, get, record};

traps! { TRAPS:
    ZERO_LENGTH = "line-zero-length" in Addition:
        "both ends of a line are at one place" => "the engine divides by its length while it draws the map and what is seen",
        "marathon-lint.md, section 2 (engine)";
    TWICE = "line-twice" in Addition:
        "an earlier line has the same two points" => "only one of them belongs to a polygon: there is a hole or a double wall",
        "marathon-lint.md, section 2 (engine)";
    TRANSPARENT = "line-transparent" in Addition:
        "a line with a polygon on one side only is transparent" => "one sees and shoots through it into nothing",
        "marathon-lint.md, section 2 (engine)";
    LENGTH = "line-length" in Addition:
        "a line is longer than 32,767 units, 32 world units" =>
        "its length is negative for the engine, which draws it at wrong places", "marathon-lint.md, section 2 (engine)";
    OWNERS = "line-owners" in File:
        "a line belongs to a polygon that does not have it, or twice to one" => "the engine stops",
        "marathon-lint.md, section 1 (engine)";
}

/// The longest length of a line.
const LONGEST: i64 = 32_767;

pub(super) fn lint(out: &mut Warnings<'_>, level: &Survey<'_>) {
    let mut known: HashMap<[i16; 2], usize> = HashMap::new();
    for (index, line) in level.lines.iter().enumerate() {
        let place = record("lines", index);
        let mut points = line.endpoints.map(|it| it.get());
        points.sort_unstable();
        let first = *known.entry(points).or_insert(index);
        if first != index {
            out.warn(&TWICE, &place, format!("points {} and {}, line {first}", points[0], points[1]));
        }
        if let Some([[x, y], [to_x, to_y]]) = level.ends(line) {
            let square = (to_x - x) * (to_x - x) + (to_y - y) * (to_y - y);
            let at = || [&place[..], &[Step::Name("endpoints")]].concat();
            if square == 0 {
                out.warn(&ZERO_LENGTH, &at(), format!("{x}, {y}"));
            } else if square > LONGEST * LONGEST {
                out.warn(&LENGTH, &at(), square.isqrt().to_string());
            }
        }
        let owners = [line.clockwise_polygon, line.counterclockwise_polygon].map(|it| it.get());
        owner(out, level, (index, owners));
        let is_outer = owners.iter().filter(|it| **it == -1).count() == 1;
        if is_outer && line.flags.contains(LineFlags::TRANSPARENT) {
            out.warn(&TRANSPARENT, &[&place[..], &[Step::Name("flags")]].concat(), "");
        }
    }
}

/// Reports a line that does not agree with its polygons.
fn owner(out: &mut Warnings<'_>, level: &Survey<'_>, (index, owners): (usize, [i16; 2])) {
    let [one, other] = owners;
    if one == other && one != -1 {
        return out.warn(&OWNERS, &record("lines", index), format!("polygon {one} twice"));
    }
    for owner in owners {
        let Some(polygon) = get(level.polygons, owner) else { continue };
        let own = polygon.lines.iter().take(polygon.vertex_count.get().into());
        if !own.into_iter().any(|line| usize::try_from(line.get()) == Ok(index)) {
            out.warn(&OWNERS, &record("lines", index), format!("polygon {owner} does not have it"));
        }
    }
}
