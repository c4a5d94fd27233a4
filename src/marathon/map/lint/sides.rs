//! Sides and their lines. Source: `marathon-lint.md`, sections 1 and 2.

use bitflags::Flags as _;

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::SideFlags;
use super::survey::{Survey, record};

traps! { TRAPS:
    ORPHAN = "side-orphan" in File:
        "no line uses a side" => "the engine stops if the level is processed", "marathon-lint.md, section 1 (engine)";
    SHARED = "side-shared" in File:
        "two lines use one side" => "the engine stops if the level is processed", "marathon-lint.md, section 1 (engine)";
    OWNER = "side-owner" in File:
        "a side of a processed level names another line or polygon than those that use it" => "the engine stops",
        "marathon-lint.md, section 2 (engine)";
    RUNTIME_FLAG = "side-runtime-flag" in Addition:
        "a side has the flag 0x8000, which saved games of old programs left" => "the engine clears other flags of all sides",
        "marathon-lint.md, section 2 (engine)";
}

pub(super) fn lint(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str) {
    let mut users: Vec<Vec<(usize, i16)>> = vec![Vec::new(); level.sides.len()];
    for (index, line) in level.lines.iter().enumerate() {
        let both = [
            (line.clockwise_side, line.clockwise_polygon),
            (line.counterclockwise_side, line.counterclockwise_polygon),
        ];
        for (side, polygon) in both {
            let users = usize::try_from(side.get()).ok().and_then(|side| users.get_mut(side));
            users.into_iter().for_each(|users| users.push((index, polygon.get())));
        }
    }
    for (index, (side, users)) in level.sides.iter().zip(&users).enumerate() {
        let place = record(list, index);
        match &users[..] {
            [] => out.warn(&ORPHAN, &place, ""),
            [(line, polygon)] if level.is_processed => {
                let [own_line, own_polygon] = [side.line, side.polygon].map(|it| it.get());
                if usize::try_from(own_line) != Ok(*line) || own_polygon != *polygon {
                    let found =
                        format!("line {own_line}, polygon {own_polygon}, used by line {line}, polygon {polygon}");
                    out.warn(&OWNER, &place, found);
                }
            }
            [_] => {}
            [one, two, ..] => out.warn(&SHARED, &place, format!("lines {} and {}", one.0, two.0)),
        }
        if side.flags.contains(SideFlags::RESERVED) {
            out.warn(&RUNTIME_FLAG, &[&place[..], &[Step::Name("flags")]].concat(), "");
        }
    }
}
