//! Platforms and their polygons. Source: `marathon-lint.md`, sections 1, 2 and 5.

use std::collections::HashMap;

use bitflags::Flags as _;

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::PlatformFlags;
use super::survey::{Survey, record};

traps! { TRAPS:
    TWICE = "platform-twice" in File:
        "a polygon has two platforms" => "the engine stops", "marathon-lint.md, section 1 (engine)";
    DIRECTION = "platform-direction" in File:
        "a platform comes neither from the floor nor from the ceiling" => "the engine stops",
        "marathon-lint.md, section 1 (engine)";
    ONCE = "platform-once" in Addition:
        "a platform is activated only once, but others can deactivate it" => "it can stop for ever where it is",
        "marathon-lint.md, section 5 (measured)";
    MISSING = "platform-missing" in File:
        "a polygon for a platform has none" => "the engine makes a default one, or stops",
        "marathon-lint.md, section 2 (engine)";
    PERMUTATION = "platform-permutation" in File:
        "a polygon of a processed level does not have the number of its platform" => "another platform moves",
        "marathon-lint.md, section 2 (engine)";
}

/// Reports platforms, each with its polygon and its flags.
pub(super) fn lint(out: &mut Warnings<'_>, list: &'static str, platforms: impl Iterator<Item = (i16, PlatformFlags)>) {
    let mut known = HashMap::new();
    for (index, (polygon, flags)) in platforms.enumerate() {
        let place = |field| [&record(list, index)[..], &[Step::Name(field)]].concat();
        let first = *known.entry(polygon).or_insert(index);
        if first != index {
            out.warn(&TWICE, &place("polygon"), format!("polygon {polygon}, platform {first}"));
        }
        if !flags.intersects(PlatformFlags::COMES_FROM_FLOOR.union(PlatformFlags::COMES_FROM_CEILING)) {
            out.warn(&DIRECTION, &place("flags"), "");
        }
        let once = flags.contains(PlatformFlags::ACTIVATES_ONLY_ONCE);
        if once && !flags.contains(PlatformFlags::CANNOT_BE_EXTERNALLY_DEACTIVATED) {
            out.warn(&ONCE, &place("flags"), "");
        }
    }
}

/// Reports polygons for platforms that have none, or another one. Platforms of Marathon can be elsewhere.
pub(super) fn polygons(out: &mut Warnings<'_>, level: &Survey<'_>) {
    let mut first: HashMap<i16, usize> = HashMap::new();
    for (number, polygon) in level.platforms.iter().enumerate() {
        first.entry(*polygon).or_insert(number);
    }
    for (index, polygon) in level.polygons.iter().enumerate().filter(|(_, it)| Survey::is_platform(it)) {
        let place = record("polygons", index);
        let own = i16::try_from(index).ok().and_then(|index| first.get(&index).copied());
        let number = polygon.permutation.get();
        match own {
            None => out.warn(&MISSING, &place, ""),
            Some(own) if level.is_processed && usize::try_from(number) != Ok(own) => {
                let found = format!("{number}, platform {own}");
                out.warn(&PERMUTATION, &[&place[..], &[Step::Name("permutation")]].concat(), found);
            }
            Some(_) => {}
        }
    }
}
