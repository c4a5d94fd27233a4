//! What triggers, switches and teleporters lead to. Source: `marathon-lint.md`, sections 2 and 5.

use bitflags::Flags as _;

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::{ControlPanel, PolygonKind, SideFlags};
use super::bounds::is_platform_switch;
use super::survey::{Survey, get, record};

traps! { TRAPS:
    TRIGGER = "trigger-target" in Addition:
        "a trigger of a platform leads to a polygon that is not for a platform" =>
        "the engine takes another number of that polygon for a platform, so that another one moves, or it stops",
        "marathon-lint.md, section 2 (engine)";
    SWITCH = "switch-target" in Addition:
        "a switch of a platform leads to a polygon that is not for a platform" =>
        "the engine takes another number of that polygon for a platform, so that another one moves, or it stops",
        "marathon-lint.md, section 2 (engine)";
    TERMINAL = "terminal-missing" in Addition:
        "a control panel is for a terminal that the level does not have" => "the terminal is empty",
        "marathon-lint.md, section 2 (engine)";
    CURRENT = "teleporter-in-current" in Addition:
        "a teleporter is in a liquid with a current" => "it does not always work", "marathon-lint.md, section 5 (measured)";
}

pub(super) fn polygons(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str) {
    for (index, polygon) in level.polygons.iter().enumerate() {
        let place = [&record(list, index)[..], &[Step::Name("permutation")]].concat();
        let is_trigger = [PolygonKind::PLATFORM_ON_TRIGGER, PolygonKind::PLATFORM_OFF_TRIGGER].contains(&polygon.kind);
        let target = polygon.permutation.get();
        if is_trigger && get(level.polygons, target).is_some_and(|target| !Survey::is_platform(target)) {
            out.warn(&TRIGGER, &place, format!("polygon {target}"));
        }
        let liquid = get(level.liquids, polygon.media.get()).filter(|_| !level.is_early);
        if polygon.kind == PolygonKind::TELEPORTER && liquid.is_some_and(|it| it.current_magnitude.get() != 0) {
            out.warn(&CURRENT, &record(list, index), "");
        }
    }
}

/// Reports the control panels of a level of a later game: Marathon has other ones.
pub(super) fn sides(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, side) in level.sides.iter().enumerate() {
        if !side.flags.contains(SideFlags::CONTROL_PANEL) {
            continue;
        }
        let place = [&record("sides", index)[..], &[Step::Name("permutation")]].concat();
        let target = side.permutation.get();
        let leads_to_other = || get(level.polygons, target).is_some_and(|target| !Survey::is_platform(target));
        if is_platform_switch(side.control_panel) && leads_to_other() {
            out.warn(&SWITCH, &place, format!("polygon {target}"));
        }
        // Without a table, the terminals of a split scenario are in a file of their own.
        if let Some(terminals) = level.terminals.filter(|_| is_terminal(side.control_panel))
            && usize::try_from(target).is_ok_and(|target| target >= terminals)
        {
            out.warn(&TERMINAL, &place, format!("terminal {target} of {terminals}"));
        }
    }
}

fn is_terminal(panel: ControlPanel) -> bool {
    use ControlPanel as Panel;
    [Panel::WATER_TERMINAL, Panel::LAVA_TERMINAL, Panel::SEWAGE_TERMINAL, Panel::PFHOR_TERMINAL, Panel::JJARO_TERMINAL]
        .contains(&panel)
}
