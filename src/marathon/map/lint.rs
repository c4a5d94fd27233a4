//! The traps of levels: those of single chunks, and the rules of a whole level in the modules below.
//!
//! Rules whose indices lead nowhere are reported by `bounds` alone.
//!
//! Source: `marathon-map.md`, `marathon-enums.md`, `marathon-lint.md`.

mod bounds;
mod lights;
mod limits;
mod lines;
mod map_indices;
mod objects;
mod platforms;
mod polygons;
mod sides;
mod survey;
mod triggers;

use bitflags::Flags as _;

use field::{FourCc, Record, Step, wide};
use lint::{Lint, Warnings, Watch, traps};

use super::super::chunk::Content;
use super::super::names::{ControlPanel, EnvironmentFlags, ObjectGroup, PolygonKind, SideFlags};
use super::{EarlyPolygon, EarlySide, Liquid, Object, Polygon};

use survey::Survey;

traps! { TRAPS:
    ENDPOINTS = "endpoints-ignored" in File:
        "the level has both points and endpoints" => "the engine ignores the endpoints",
        "marathon-map.md, introduction (engine)";
    INDICES = "index-lists-missing" in File:
        "the level has endpoints but no index lists" => "the engine requires them together",
        "marathon-map.md, introduction (engine)";
    VERTICES = "polygon-vertices" in File:
        "a polygon has fewer than 3 or more than 8 vertices" => "the engine reads beyond its points and lines",
        "marathon-map.md, POLY (measured)";
    CLEARED = "side-flags-cleared" in File:
        "a side has a flag that the engine clears" =>
        "the flag has no effect, because a side has the reserved flag or the level is of Marathon",
        "marathon-enums.md, Geometry (engine)";
    OBJECT = "object-index" in File:
        "an object has an index that its group does not have" => "the engine has no such object",
        "marathon-enums.md, Objects (engine)";
    PANEL = "control-panel" in File:
        "a side is a control panel of an unknown type" => "the engine finds no class and texture for it",
        "marathon-enums.md, Control panels (engine)";
    PLATFORM = "platform-polygon" in File:
        "a platform is in a polygon that is not for platforms" => "the engine does not move the polygon",
        "marathon-enums.md, Polygon type (engine)";
    COLLECTION = "level-collection" in File:
        "the walls or the landscape of a level are not in a collection for them" =>
        "the engine takes other shapes for them", "marathon-enums.md, Wad level (engine)";
    PROCESSED = "processed-geometry" in Change:
        "geometry of a processed level was changed" =>
        "its index lists and exclusion zones, which only a preprocessor computes, are those of the old geometry",
        "marathon-map.md, iidx (measured)";
    RUNNING = "level-value-ignored" in Change:
        "a value that the engine sets in a running game was changed" => "the edit has no effect",
        "marathon-map.md, POLY (engine)";
    EARLY = "not-in-marathon" in Change:
        "a value that levels of Marathon do not have was changed" => "the edit has no effect",
        "marathon-map.md, POLY (measured)";
}

/// The lists of the traps of whole levels.
pub static RULES: [&[&lint::Trap]; 9] = [
    bounds::TRAPS,
    lights::TRAPS,
    limits::TRAPS,
    lines::TRAPS,
    objects::TRAPS,
    platforms::TRAPS,
    polygons::TRAPS,
    sides::TRAPS,
    triggers::TRAPS,
];

/// The numbers of monsters, of pieces of scenery, of items, of teams and of sounds.
const MONSTERS: i16 = 47;
const SCENERY: i16 = 61;
const ITEMS: i16 = 36;
const TEAMS: i16 = 8;
const SOUNDS: i16 = 28;
/// The walls and the landscapes of a level.
const ENVIRONMENTS: core::ops::Range<i16> = 0..5;
const LANDSCAPES: core::ops::Range<i16> = 0..4;
/// The number of types of control panels.
const PANELS: i16 = 54;

/// The facts about a level that its traps depend on.
#[derive(Debug, Default)]
pub(crate) struct Facts<'a> {
    is_early: bool,
    has_points: bool,
    has_indices: bool,
    /// `true` if a side has the reserved flag.
    is_reserved: bool,
    /// `true` for each polygon that is for a platform; empty if the level has no polygons of later games.
    platforms: Vec<bool>,
    survey: Survey<'a>,
}

impl<'a> Facts<'a> {
    /// Returns the facts about a level with these chunks.
    pub(crate) fn of(chunks: impl Iterator<Item = &'a Content> + Clone) -> Self {
        let mut facts = Self { survey: Survey::of(chunks.clone()), ..Self::default() };
        for chunk in chunks {
            match chunk {
                Content::Points(array) => facts.has_points |= !array.records.is_empty(),
                Content::Indices(array) => facts.has_indices |= !array.records.is_empty(),
                Content::Sides(array) => {
                    facts.is_reserved |= array.records.iter().any(|side| side.flags.contains(SideFlags::RESERVED));
                }
                Content::EarlyPolygons(_) | Content::EarlySides(_) => facts.is_early = true,
                Content::Polygons(array) => {
                    facts.platforms = array.records.iter().map(|it| it.kind == PolygonKind::PLATFORM).collect();
                }
                _ => {}
            }
        }
        facts
    }

    /// Returns the flags of sides that the engine clears.
    fn cleared(&self) -> SideFlags {
        // Editors set the other two bits for themselves.
        let own = SideFlags::EDITOR_DIRTY.bits() | SideFlags::RESERVED.bits();
        SideFlags::from_bits_retain(match (self.is_early, self.is_reserved) {
            (true, _) => !0x0007 & !own,
            (false, true) => !0x007F & !own,
            (false, false) => 0,
        })
    }
}

/// Returns the steps to a field of a record.
fn at(list: &'static str, index: usize, field: &'static str) -> [Step; 3] {
    [Step::Name(list), Step::Index(wide(index)), Step::Name(field)]
}

/// A chunk in a level.
pub(crate) struct InLevel<'a> {
    pub(crate) facts: &'a Facts<'a>,
    pub(crate) tag: FourCc,
    pub(crate) chunk: &'a Content,
}

impl Lint for InLevel<'_> {
    fn lint(&self, out: &mut Warnings<'_>) {
        self.chunk.lint(out);
        lint(out, self.facts, self.chunk);
        limits::chunk(out, self.tag, self.chunk);
        if self.facts.survey.is_level {
            rules(out, self.facts, self.chunk);
        }
    }

    fn watch(&self, out: &mut Watch<'_>) {
        watch(out, self.facts, self.chunk);
    }
}

/// Reports the traps of a chunk.
fn lint(out: &mut Warnings<'_>, facts: &Facts<'_>, chunk: &Content) {
    match chunk {
        Content::Endpoints(array) if !array.records.is_empty() => {
            let place = [Step::Name("endpoints")];
            if facts.has_points {
                out.warn(&ENDPOINTS, &place, "");
            } else if !facts.has_indices && !facts.is_early {
                out.warn(&INDICES, &place, "");
            }
        }
        Content::Sides(array) => {
            for (index, side) in array.records.iter().enumerate() {
                cleared(out, facts, "sides", (index, side.flags));
                let known = (0..PANELS).contains(&side.control_panel.get());
                if side.flags.contains(SideFlags::CONTROL_PANEL) && !known {
                    let found = ControlPanel::get(side.control_panel).to_string();
                    out.warn(&PANEL, &at("sides", index, "control_panel"), found);
                }
            }
        }
        Content::EarlySides(array) => {
            for (index, side) in array.records.iter().enumerate() {
                cleared(out, facts, "early_sides", (index, side.flags));
            }
        }
        Content::Polygons(array) => vertices(out, "polygons", array.records.iter().map(|it| it.vertex_count.get())),
        Content::EarlyPolygons(array) => {
            vertices(out, "early_polygons", array.records.iter().map(|it| it.vertex_count.get()));
        }
        Content::Objects(array) if !facts.is_early => objects(out, &array.records),
        Content::PlatformPlans(array) => {
            platforms(out, facts, "platform_plans", array.records.iter().map(|it| it.polygon.get()));
        }
        Content::Information(it) => {
            if !ENVIRONMENTS.contains(&it.environment.get()) {
                out.warn(&COLLECTION, &[Step::Name("environment")], format!("{:?}", it.environment));
            }
            // With this flag, the field is a song.
            let is_song = it.environment_flags.contains(EnvironmentFlags::SONG_INDEX);
            if !is_song && !LANDSCAPES.contains(&it.landscape.get()) {
                out.warn(&COLLECTION, &[Step::Name("landscape")], it.landscape.get().to_string());
            }
        }
        Content::Platforms(array) => {
            platforms(out, facts, "platforms", array.records.iter().map(|it| it.polygon.get()))
        }
        _ => {}
    }
}

/// Reports the traps of a chunk whose records are those of a level.
fn rules(out: &mut Warnings<'_>, facts: &Facts<'_>, chunk: &Content) {
    let level = &facts.survey;
    match chunk {
        Content::Lines(array) if Survey::takes(level.lines, &array.records) => {
            bounds::lines(out, level);
            lines::lint(out, level);
        }
        Content::Sides(array) if Survey::takes(level.sides, &array.records) => {
            bounds::sides(out, level, "sides");
            sides::lint(out, level, "sides");
            triggers::sides(out, level);
        }
        Content::EarlySides(array) if Survey::takes(level.sides, &array.records) => {
            bounds::sides(out, level, "early_sides");
            sides::lint(out, level, "early_sides");
        }
        Content::Polygons(array) if Survey::takes(level.polygons, &array.records) => {
            of_polygons(out, level, "polygons");
            platforms::polygons(out, level);
        }
        Content::EarlyPolygons(array) if Survey::takes(level.polygons, &array.records) => {
            of_polygons(out, level, "early_polygons");
        }
        Content::Objects(array) if Survey::takes(level.objects, &array.records) => of_objects(out, level),
        Content::EarlyObjects(array) if Survey::takes(level.objects, &array.records) => of_objects(out, level),
        Content::Lights(array) if Survey::takes(level.later_lights, &array.records) => {
            bounds::lights(out, level);
            lights::lint(out, level.later_lights);
        }
        Content::Liquids(array) if Survey::takes(level.liquids, &array.records) => {
            bounds::liquids(out, level);
            lights::liquids(out, level.liquids);
        }
        Content::AmbientSounds(array) if Survey::takes(level.ambient, &array.records) => {
            bounds::ambient_sounds(out, level)
        }
        Content::RandomSounds(array) if Survey::takes(level.random, &array.records) => {
            bounds::random_sounds(out, level)
        }
        Content::PlatformPlans(array) if !array.records.is_empty() => {
            let flags = array.records.iter().map(|it| it.flags);
            let polygons: Vec<i16> = array.records.iter().map(|it| it.polygon.get()).collect();
            platforms::lint(out, "platform_plans", polygons.iter().copied().zip(flags));
            bounds::platforms(out, level, "platform_plans", &polygons);
        }
        Content::Platforms(array) if !array.records.is_empty() => {
            let flags = array.records.iter().map(|it| it.flags);
            let polygons: Vec<i16> = array.records.iter().map(|it| it.polygon.get()).collect();
            platforms::lint(out, "platforms", polygons.iter().copied().zip(flags));
            bounds::platforms(out, level, "platforms", &polygons);
        }
        Content::Indices(array) => limits::lists(out, level, facts.has_points, array.records.len()),
        Content::Terminals(terminals) => bounds::terminals(out, level, terminals),
        Content::Information(_) => limits::properties(out, level),
        _ => {}
    }
}

fn of_polygons(out: &mut Warnings<'_>, level: &Survey<'_>, list: &'static str) {
    limits::polygons(out, level, list);
    bounds::polygons(out, level, list);
    polygons::lint(out, level, list);
    triggers::polygons(out, level, list);
}

fn of_objects(out: &mut Warnings<'_>, level: &Survey<'_>) {
    limits::objects(out, level);
    bounds::objects(out, level);
    objects::lint(out, level);
}

fn cleared(out: &mut Warnings<'_>, facts: &Facts<'_>, list: &'static str, (index, flags): (usize, SideFlags)) {
    let cleared = SideFlags::from_bits_retain(flags.bits() & facts.cleared().bits());
    if cleared.bits() != 0 {
        out.warn(&CLEARED, &at(list, index, "flags"), format!("{cleared:?}"));
    }
}

fn vertices(out: &mut Warnings<'_>, list: &'static str, counts: impl Iterator<Item = u16>) {
    for (index, count) in counts.enumerate().filter(|(_, count)| !(3..=8).contains(count)) {
        out.warn(&VERTICES, &at(list, index, "vertex_count"), count.to_string());
    }
}

fn objects(out: &mut Warnings<'_>, objects: &[Object]) {
    for (nth, object) in objects.iter().enumerate() {
        let (what, count) = match object.group {
            ObjectGroup::MONSTER => ("monster", MONSTERS),
            ObjectGroup::SCENERY => ("scenery", SCENERY),
            ObjectGroup::ITEM => ("item", ITEMS),
            ObjectGroup::PLAYER => ("team", TEAMS),
            ObjectGroup::SOUND_SOURCE => ("sound", SOUNDS),
            _ => continue,
        };
        let index = object.index.get();
        if !(0..count).contains(&index) {
            out.warn(&OBJECT, &at("objects", nth, "index"), format!("{what} {index}"));
        }
    }
}

fn platforms(out: &mut Warnings<'_>, facts: &Facts<'_>, list: &'static str, polygons: impl Iterator<Item = i16>) {
    for (nth, polygon) in polygons.enumerate() {
        let is_for_platforms = usize::try_from(polygon).ok().and_then(|polygon| facts.platforms.get(polygon));
        if is_for_platforms == Some(&false) {
            out.warn(&PLATFORM, &at(list, nth, "polygon"), format!("polygon {polygon}"));
        }
    }
}

/// Reports the values of a chunk whose change is a trap.
fn watch(out: &mut Watch<'_>, facts: &Facts<'_>, chunk: &Content) {
    let is_processed = facts.has_indices;
    match chunk {
        Content::Endpoints(array) if is_processed => {
            each(out, "endpoints", &array.records, |out, place, it| {
                out.watch_fields(&PROCESSED, place, it, &["x", "y"])
            });
        }
        Content::Lines(array) if is_processed => {
            each(out, "lines", &array.records, |out, place, it| {
                out.watch_fields(&PROCESSED, place, it, &["endpoints"])
            });
        }
        Content::Polygons(array) => each(out, "polygons", &array.records, |out, place, it: &Polygon| {
            polygon(out, is_processed, place, it);
        }),
        Content::EarlyPolygons(array) => {
            each(out, "early_polygons", &array.records, |out, place, it: &EarlyPolygon| {
                polygon(out, is_processed, place, it);
                let absent =
                    ["media", "media_light", "ambient_sound", "random_sound", "floor_origin", "ceiling_origin"];
                out.watch_fields(&EARLY, place, it, &absent);
            })
        }
        Content::EarlySides(array) => each(out, "early_sides", &array.records, |out, place, it: &EarlySide| {
            out.watch_fields(&EARLY, place, it, &["primary_light", "secondary_light", "transparent_light"]);
        }),
        Content::Liquids(array) => each(out, "liquids", &array.records, |out, place, it: &Liquid| {
            out.watch_fields(&RUNNING, place, it, &["origin", "height", "texture", "transfer_mode"]);
        }),
        Content::EarlyLights(array) => {
            each(out, "early_lights", &array.records, |out, place, it| {
                out.watch_fields(&RUNNING, place, it, &["flags"])
            });
        }
        _ => {}
    }
}

/// Calls a function for each record, with the steps to it.
fn each<R>(out: &mut Watch<'_>, list: &'static str, records: &[R], watch: impl Fn(&mut Watch<'_>, &[Step], &R)) {
    for (index, record) in records.iter().enumerate() {
        watch(out, &[Step::Name(list), Step::Index(wide(index))], record);
    }
}

fn polygon<R: Record>(out: &mut Watch<'_>, is_processed: bool, place: &[Step], it: &R) {
    out.watch_fields(&RUNNING, place, it, &["first_object"]);
    if is_processed {
        let geometry = ["vertex_count", "endpoints", "lines", "floor_height", "ceiling_height"];
        out.watch_fields(&PROCESSED, place, it, &geometry);
    }
}
