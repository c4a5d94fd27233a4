//! Polygons that the engine does not handle. Source: `marathon-lint.md`, sections 1 and 2.

use std::collections::HashSet;

use bitflags::Flags as _;

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::PolygonFlags;
use super::super::Polygon;
use super::survey::{Point, Survey, cross, edges, get, record, twice_area};

traps! { TRAPS:
    CONCAVE = "polygon-concave" in File:
        "a polygon is concave" => "walls vanish, and the game crashes or one leaves the level on entering it",
        "marathon-lint.md, section 2 (engine)";
    WINDING = "polygon-winding" in File:
        "the lines of a polygon do not go round it clockwise" => "the engine draws nothing",
        "marathon-lint.md, section 1 (engine)";
    RING = "polygon-lines" in File:
        "the lines of a polygon do not close around it, or one of them does not belong to it" =>
        "the engine stops while it draws, or reads beyond the polygon", "marathon-lint.md, section 1 (engine)";
    POINTS = "polygon-points" in File:
        "the points of a polygon in a processed level are not those between its lines" =>
        "the engine takes both unchanged, so that walls vanish or it crashes", "marathon-lint.md, section 2 (engine)";
    DETACHED = "polygon-detached" in File:
        "a polygon has the flag of one that the engine detaches while it runs" => "the engine stops",
        "marathon-lint.md, section 1 (engine)";
    FLAT = "polygon-flat" in Addition:
        "all points of a polygon are on one line" => "a platform in it crushes nothing",
        "marathon-lint.md, section 2 (engine)";
    HEIGHT = "polygon-height" in Addition:
        "the floor of a polygon is above its ceiling" => "it is closed, and what is seen of it flickers",
        "marathon-lint.md, section 2 (engine)";
}

pub(super) fn lint(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str) {
    for (index, (polygon, outline)) in level.polygons.iter().zip(level.outlines()).enumerate() {
        let place = record(list, index);
        let field = |name| [&place[..], &[Step::Name(name)]].concat();
        if let Some(why) = lines(level, index, polygon) {
            out.warn(&RING, &field("lines"), why);
        }
        if let Some(outline) = outline {
            shape(out, &place, outline);
            let ring = level.ring(polygon).unwrap_or_default();
            let points = polygon.vertices().iter().map(|it| it.get());
            if level.is_processed && !points.eq(ring.iter().copied()) {
                out.warn(&POINTS, &field("endpoints"), format!("{ring:?} by its lines"));
            }
        }
        if polygon.flags.contains(PolygonFlags::DETACHED) {
            out.warn(&DETACHED, &field("flags"), "");
        }
        let [floor, ceiling] = [polygon.floor_height, polygon.ceiling_height].map(|it| it.get());
        if floor > ceiling {
            out.warn(&HEIGHT, &field("floor_height"), format!("{floor}, ceiling {ceiling}"));
        }
    }
}

/// Returns why the lines of a polygon do not close around it, or `None` if they do or lead nowhere.
fn lines(level: &Survey<'_>, index: usize, polygon: &Polygon) -> Option<String> {
    let own = polygon.lines.get(..usize::from(polygon.vertex_count.get()))?;
    // An index that leads nowhere is a trap of its own.
    if own.len() < 3 || own.iter().any(|line| get(level.lines, line.get()).is_none()) {
        return None;
    }
    let mut seen = HashSet::new();
    if let Some(twice) = own.iter().find(|line| !seen.insert(line.get())) {
        return Some(format!("line {} twice", twice.get()));
    }
    let Some(ring) = level.ring(polygon) else {
        let has_points = |line: i16| get(level.lines, line).is_some_and(|line| level.ends(line).is_some());
        return own
            .iter()
            .all(|line| has_points(line.get()))
            .then(|| "two lines in a row do not share one point".to_owned());
    };
    let mut seen = HashSet::new();
    if let Some(twice) = ring.iter().find(|point| !seen.insert(**point)) {
        return Some(format!("point {twice} twice"));
    }
    let next = ring.iter().cycle().skip(1);
    for ((number, from), to) in own.iter().zip(&ring).zip(next) {
        let line = get(level.lines, number.get())?;
        let ends = line.endpoints.map(|it| it.get());
        let owner = match ends {
            ends if ends == [*from, *to] => line.clockwise_polygon,
            _ => line.counterclockwise_polygon,
        };
        if usize::try_from(owner.get()) != Ok(index) {
            return Some(format!("line {} belongs to polygon {} on this side", number.get(), owner.get()));
        }
    }
    None
}

/// Reports an outline that is not convex and clockwise.
fn shape(out: &mut Warnings<'_>, place: &[Step], outline: &[Point]) {
    let corners = edges(outline).zip(edges(outline).skip(1).chain(edges(outline)));
    let turns: Vec<i64> = corners.map(|((a, b), (_, c))| cross(a, b, c)).filter(|turn| *turn != 0).collect();
    let area = twice_area(outline);
    if turns.iter().any(|turn| *turn > 0) && turns.iter().any(|turn| *turn < 0) {
        out.warn(&CONCAVE, place, "");
    } else if area < 0 {
        out.warn(&WINDING, place, "");
    } else if area == 0 {
        out.warn(&FLAT, place, "");
    }
}
