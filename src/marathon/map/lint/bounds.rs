//! Indices into other tables of a level, and values from a list, that are out of bounds. Source: `marathon-lint.md`, sections 1 and 2.
//!
//! Indices that the engine computes again are left out: a level of an editor holds old ones.

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::{ControlPanel, ObjectGroup, PolygonKind, SideFlags};
use super::super::super::terminal::{GroupKind, Terminals};
use super::super::{Polygon, Side};
use super::survey::{Survey, has, record};

use bitflags::Flags as _;

traps! { TRAPS:
    INDEX = "level-index" in File:
        "an index leads to a record that the level does not have" => "the engine stops, or reads other memory",
        "marathon-lint.md, section 1 (engine)";
    VALUE = "level-value" in File:
        "a value is none that the engine knows" => "the engine stops, or shows a wrong texture",
        "marathon-lint.md, section 1 (engine)";
    LIQUID_LIGHT = "liquid-light" in Addition:
        "the light of a liquid in a polygon does not exist" => "the liquid is black", "marathon-lint.md, section 2 (engine)";
    COLLECTION = "surface-collection" in File:
        "a floor or ceiling has a texture of a collection that is not of walls or a landscape" =>
        "the engine has not loaded the texture", "marathon-lint.md, section 1 (engine)";
    TEXT = "terminal-text" in File:
        "a group of a terminal goes beyond its text, or the text does not end with a NUL" => "the engine reads other memory",
        "marathon-lint.md, section 1 (engine)";
}

/// The numbers of kinds of polygons, of sides, of transfer modes, of groups of objects, of liquids, of functions of lights, of sounds, and
/// of groups of terminals.
const POLYGON_KINDS: usize = 24;
const EARLY_POLYGON_KINDS: usize = 16;
const SIDE_KINDS: usize = 5;
const TRANSFER_MODES: usize = 28;
const OBJECT_GROUPS: usize = 6;
const LIQUIDS: usize = 5;
const FUNCTIONS: usize = 6;
const AMBIENT_SOUNDS: usize = 28;
const RANDOM_SOUNDS: usize = 5;
const TERMINAL_GROUPS: usize = 17;

/// The record whose values are judged.
struct Judged<'j, 'w> {
    out: &'j mut Warnings<'w>,
    place: &'j [Step],
}

impl Judged<'_, '_> {
    /// Reports an index that leads to none of some entries.
    fn index(&mut self, field: &'static str, index: i16, (count, of): (usize, &str)) {
        self.slot(&[Step::Name(field)], index, (count, of));
    }

    /// Reports an index that is neither -1 nor leads to one of some entries.
    fn index_or_none(&mut self, field: &'static str, index: i16, of: (usize, &str)) {
        if index != -1 {
            self.index(field, index, of);
        }
    }

    fn slot(&mut self, steps: &[Step], index: i16, (count, of): (usize, &str)) {
        if !has(count, index) {
            self.out.warn(&INDEX, &[self.place, steps].concat(), format!("{of} {index} of {count}"));
        }
    }

    /// Reports a value that is none of the first so many.
    fn value(&mut self, steps: &[Step], value: i16, count: usize) {
        if !has(count, value) {
            self.out.warn(&VALUE, &[self.place, steps].concat(), value.to_string());
        }
    }
}

pub(super) fn lines(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, line) in level.lines.iter().enumerate() {
        let mut it = Judged { out, place: &record("lines", index) };
        for (nth, point) in (0..).zip(line.endpoints) {
            it.slot(&[Step::Name("endpoints"), Step::Index(nth)], point.get(), (level.points.len(), "point"));
        }
        let (sides, polygons) = ((level.sides.len(), "side"), (level.polygons.len(), "polygon"));
        it.index_or_none("clockwise_side", line.clockwise_side.get(), sides);
        it.index_or_none("counterclockwise_side", line.counterclockwise_side.get(), sides);
        it.index_or_none("clockwise_polygon", line.clockwise_polygon.get(), polygons);
        it.index_or_none("counterclockwise_polygon", line.counterclockwise_polygon.get(), polygons);
    }
}

pub(super) fn sides(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str) {
    for (index, side) in level.sides.iter().enumerate() {
        let mut it = Judged { out, place: &record(list, index) };
        it.value(&[Step::Name("kind")], side.kind.get(), SIDE_KINDS);
        if level.is_processed {
            it.index("line", side.line.get(), (level.lines.len(), "line"));
            it.index("polygon", side.polygon.get(), (level.polygons.len(), "polygon"));
        }
        // Sides of Marathon have no lights and transfer modes of their own, and other panels.
        if level.is_early {
            continue;
        }
        let parts = [
            (&side.primary, "primary_light", side.primary_light, "primary_transfer_mode", side.primary_transfer_mode),
            (
                &side.secondary,
                "secondary_light",
                side.secondary_light,
                "secondary_transfer_mode",
                side.secondary_transfer_mode,
            ),
            (
                &side.transparent,
                "transparent_light",
                side.transparent_light,
                "transparent_transfer_mode",
                side.transparent_transfer_mode,
            ),
        ];
        for (texture, light, its_light, mode, its_mode) in parts {
            if texture.shape.get() != u16::MAX {
                it.index(light, its_light.get(), (level.lights, "light"));
                it.value(&[Step::Name(mode)], its_mode.get(), TRANSFER_MODES);
            }
        }
        panel(&mut it, level, side);
    }
}

/// Judges what a control panel leads to.
fn panel(it: &mut Judged<'_, '_>, level: &Survey<'_>, side: &Side) {
    if side.flags.contains(SideFlags::CONTROL_PANEL) {
        if is_light_switch(side.control_panel) {
            it.index("permutation", side.permutation.get(), (level.lights, "light"));
        } else if is_platform_switch(side.control_panel) {
            it.index("permutation", side.permutation.get(), (level.polygons.len(), "polygon"));
        }
    }
}

/// Returns `true` for a switch of a light, in the order of the five sets of panels.
fn is_light_switch(panel: ControlPanel) -> bool {
    use ControlPanel as Panel;
    [
        Panel::WATER_LIGHT_SWITCH,
        Panel::LAVA_LIGHT_SWITCH,
        Panel::SEWAGE_LIGHT_SWITCH,
        Panel::PFHOR_LIGHT_SWITCH,
        Panel::JJARO_LIGHT_SWITCH,
    ]
    .contains(&panel)
}

/// Returns `true` for a switch of a platform.
pub(super) fn is_platform_switch(panel: ControlPanel) -> bool {
    use ControlPanel as Panel;
    [
        Panel::WATER_PLATFORM_SWITCH,
        Panel::LAVA_PLATFORM_SWITCH,
        Panel::SEWAGE_PLATFORM_SWITCH,
        Panel::PFHOR_PLATFORM_SWITCH,
        Panel::JJARO_PLATFORM_SWITCH,
    ]
    .contains(&panel)
}

pub(super) fn polygons(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str) {
    let kinds = if level.is_early { EARLY_POLYGON_KINDS } else { POLYGON_KINDS };
    for (index, polygon) in level.polygons.iter().enumerate() {
        let place = record(list, index);
        let mut it = Judged { out, place: &place };
        it.value(&[Step::Name("kind")], polygon.kind.get(), kinds);
        for (field, mode) in [
            ("floor_transfer_mode", polygon.floor_transfer_mode),
            ("ceiling_transfer_mode", polygon.ceiling_transfer_mode),
        ] {
            it.value(&[Step::Name(field)], mode.get(), TRANSFER_MODES);
        }
        let count = usize::from(polygon.vertex_count.get());
        let points =
            polygon.endpoints.iter().take(count).map(|it| ("endpoints", it.get(), (level.points.len(), "point")));
        let lines = polygon.lines.iter().take(count).map(|it| ("lines", it.get(), (level.lines.len(), "line")));
        for (field, indices) in [("endpoints", points.collect::<Vec<_>>()), ("lines", lines.collect())] {
            for (nth, (_, index, of)) in (0..).zip(indices) {
                it.slot(&[Step::Name(field), Step::Index(nth)], index, of);
            }
        }
        it.index("floor_light", polygon.floor_light.get(), (level.lights, "light"));
        it.index("ceiling_light", polygon.ceiling_light.get(), (level.lights, "light"));
        target(&mut it, level, polygon);
        if !level.is_early {
            later(&mut it, level, polygon);
        }
    }
}

/// Judges what a polygon leads to by its kind, whose numbers are the same in Marathon.
fn target(it: &mut Judged<'_, '_>, level: &Survey<'_>, polygon: &Polygon) {
    let target = polygon.permutation.get();
    match polygon.kind {
        PolygonKind::LIGHT_ON_TRIGGER | PolygonKind::LIGHT_OFF_TRIGGER => {
            it.index("permutation", target, (level.lights, "light"));
        }
        PolygonKind::PLATFORM_ON_TRIGGER | PolygonKind::PLATFORM_OFF_TRIGGER | PolygonKind::TELEPORTER => {
            it.index("permutation", target, (level.polygons.len(), "polygon"));
        }
        _ => {}
    }
}

/// Judges what polygons of Marathon do not have.
fn later(it: &mut Judged<'_, '_>, level: &Survey<'_>, polygon: &Polygon) {
    it.index_or_none("media", polygon.media.get(), (level.liquids.len(), "liquid"));
    it.index_or_none("ambient_sound", polygon.ambient_sound.get(), (level.ambient.len(), "ambient sound"));
    it.index_or_none("random_sound", polygon.random_sound.get(), (level.random.len(), "random sound"));
    if polygon.media.get() != -1 && !has(level.lights, polygon.media_light.get()) {
        let found = format!("light {} of {}", polygon.media_light.get(), level.lights);
        it.out.warn(&LIQUID_LIGHT, &[it.place, &[Step::Name("media_light")]].concat(), found);
    }
    for (field, texture) in [("floor_texture", polygon.floor_texture), ("ceiling_texture", polygon.ceiling_texture)] {
        let collection = (texture.get() >> 8) & 0x1F;
        if texture.get() != u16::MAX && !matches!(collection, 17..=21 | 27..=30) {
            it.out.warn(&COLLECTION, &[it.place, &[Step::Name(field)]].concat(), format!("collection {collection}"));
        }
    }
}

pub(super) fn objects(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, object) in level.objects.iter().enumerate() {
        let mut it = Judged { out, place: &record("objects", index) };
        it.value(&[Step::Name("group")], object.group.get(), OBJECT_GROUPS);
        it.index("polygon", object.polygon.get(), (level.polygons.len(), "polygon"));
        let facing = object.facing.get();
        if object.group == ObjectGroup::SOUND_SOURCE && facing < 0 && !level.is_early {
            it.index("facing", facing.checked_neg().unwrap_or(i16::MAX), (level.lights, "light"));
        }
    }
}

pub(super) fn platforms(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str, polygons: &[i16]) {
    for (index, polygon) in polygons.iter().enumerate() {
        let mut it = Judged { out, place: &record(list, index) };
        it.index("polygon", *polygon, (level.polygons.len(), "polygon"));
    }
}

pub(super) fn lights(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, light) in level.later_lights.iter().enumerate() {
        let mut it = Judged { out, place: &record("lights", index) };
        for (name, pulse) in super::lights::pulses(light) {
            it.value(&[Step::Name(name), Step::Name("function")], pulse.function.get(), FUNCTIONS);
        }
    }
}

pub(super) fn liquids(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, liquid) in level.liquids.iter().enumerate() {
        let mut it = Judged { out, place: &record("liquids", index) };
        it.value(&[Step::Name("kind")], liquid.kind.get(), LIQUIDS);
        it.index("light", liquid.light.get(), (level.lights, "light"));
    }
}

pub(super) fn ambient_sounds(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, source) in level.ambient.iter().enumerate() {
        let mut it = Judged { out, place: &record("ambient_sounds", index) };
        it.value(&[Step::Name("sound")], source.sound.get(), AMBIENT_SOUNDS);
    }
}

pub(super) fn random_sounds(out: &mut Warnings<'_>, level: &Survey<'_>) {
    for (index, source) in level.random.iter().enumerate() {
        let mut it = Judged { out, place: &record("random_sounds", index) };
        it.value(&[Step::Name("sound")], source.sound.get(), RANDOM_SOUNDS);
    }
}

pub(super) fn terminals(out: &mut Warnings<'_>, level: &Survey<'_>, terminals: &Terminals) {
    for (index, terminal) in terminals.terminals.iter().enumerate() {
        let own = record("terminals", index);
        let text = terminal.text();
        for (nth, group) in terminal.groups.iter().enumerate() {
            let place = [own, record("groups", nth)].concat();
            let mut it = Judged { out: &mut *out, place: &place };
            it.value(&[Step::Name("kind")], group.kind.get(), TERMINAL_GROUPS);
            if group.kind == GroupKind::INTRALEVEL_TELEPORT {
                it.index("permutation", group.permutation.get(), (level.polygons.len(), "polygon"));
            }
            let end = usize::from(group.text_start.get()) + usize::from(group.text_length.get());
            if end > text.len() {
                out.warn(&TEXT, &place, format!("up to {end} of {}", text.len()));
            }
        }
        if text.last().is_some_and(|last| *last != 0) {
            out.warn(&TEXT, &[&own[..], &[Step::Name("text")]].concat(), "no NUL at the end");
        }
    }
}
