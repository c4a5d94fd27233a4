//! Overhead maps: levels from above, as SVG.
//!
//! A map shows polygons by kind, lines by what they block, objects by group and direction, and notes. References to missing things are
//! omitted. Style sheets can use the classes; `data-index` is the index of a shape in its chunk. Each shape has its place as its title,
//! which programs show when the mouse is over it.

use core::fmt::{self, Display, Write as _};

use bitflags::Flags as _;

use bytes::Bytes;

use field::{Mac, Style as _, decode, decode_text};
use kind::{Container as _, Drawing, Export, ExportError, LevelDrawing};

use crate::Payload;
use crate::chunk::Content;
use crate::map::{AnyPolygon, Line, Object};
use crate::names::{LineFlags, ObjectGroup};
use crate::numbers::Index;
use crate::payload::Forks;
use crate::wad::{Entry, Wad};

/// Colors of polygons by class; others are dark gray.
pub(super) const POLYGONS: [(&str, &str); 17] = [
    ("platform", "#775"),
    ("teleporter", "#437"),
    ("minor-ouch", "#733"),
    ("major-ouch", "#a33"),
    ("must-be-explored", "#376"),
    ("automatic-exit", "#3a5"),
    ("hill", "#583"),
    ("goal", "#485"),
    ("item-impassable", "#444a5a"),
    ("monster-impassable", "#5a444a"),
    ("zone-border", "#555"),
    ("light-on-trigger", "#665a2a"),
    ("light-off-trigger", "#4a4224"),
    ("platform-on-trigger", "#355a66"),
    ("platform-off-trigger", "#24424a"),
    ("item-trigger", "#345"),
    ("glue", "#636"),
];
/// Colors of lines by class.
pub(super) const LINES: [(&str, &str); 4] =
    [("solid", "#9c9"), ("elevation", "#575"), ("platform", "#cc6"), ("open", "#464")];
/// Colors of objects by class.
pub(super) const OBJECTS: [(&str, &str); 6] = [
    ("monster", "#e44"),
    ("scenery", "#999"),
    ("item", "#48f"),
    ("player", "#4d4"),
    ("goal", "#dd4"),
    ("sound-source", "#c6c"),
];

/// Margin around a level.
const MARGIN: i32 = 512;

/// Returns the export of a level of the wad in a file.
pub(super) const fn of_forks<F: Forks>() -> Export {
    Export {
        extension: "svg",
        shows: "a level from above",
        draw: |file, options| {
            let (wad, before) = wad_of::<F>(file)?;
            let map = OverheadMap::of(&wad, options.level, &before).map(|map| map.to_string().into_bytes().into());
            map.ok_or_else(|| no_entry(&wad, options.level))
        },
        levels: Some(|file| {
            let (wad, before) = wad_of::<F>(file)?;
            let draw = |(_, map): (usize, &OverheadMap<'_>)| Ok(map.to_string().into_bytes().into());
            levels(&wad, &before, draw)
        }),
    }
}

/// Returns the wad of a file, and the beginning of the places in it.
///
/// # Errors
/// Returns an error if the file does not decode, or has no wad.
pub(super) fn wad_of<F: Forks>(file: Bytes) -> Result<(Box<Wad>, String), ExportError> {
    let model = decode::<F>(file)?.model;
    let before = model.place_of_wad();
    let wad = model.forks().into_iter().find_map(|payload| match payload {
        Payload::Wad(wad) => Some(wad),
        _ => None,
    });
    Ok((wad.ok_or_else(|| ExportError::content("contains no wad"))?, before))
}

/// Returns the error of an entry that the wad does not have.
pub(super) fn no_entry(wad: &Wad, level: usize) -> ExportError {
    let entries = match wad.entries.len() {
        1 => "1 entry".to_owned(),
        entries => format!("{entries} entries"),
    };
    ExportError::content(format_args!("no entry {level}, the wad has {entries} (the first is 0)"))
}

/// Draws the levels of a wad: the entries that have points, or properties of a level.
pub(super) fn levels(
    wad: &Wad,
    before: &str,
    draw: impl Fn((usize, &OverheadMap<'_>)) -> Result<Drawing, ExportError>,
) -> Result<Vec<LevelDrawing>, ExportError> {
    let mut drawn = Vec::new();
    for (index, entry) in wad.entries.iter().enumerate() {
        let Some(map) = OverheadMap::of(wad, index, before) else { continue };
        if !map.points().is_empty() || entry.level().is_some() {
            let name = decode_text(Mac::PAGE, map.name());
            drawn.push(LevelDrawing { index, name, drawing: draw((index, &map))? });
        }
    }
    match drawn.is_empty() {
        true => Err(ExportError::content("the wad has no level")),
        false => Ok(drawn),
    }
}

/// Draws a level as SVG, or returns `None` if the wad has no such entry.
#[must_use]
pub fn svg(wad: &Wad, level: usize) -> Option<String> {
    Some(OverheadMap::of(wad, level, "")?.to_string())
}

/// A point in the world.
pub(super) type Spot = [i16; 2];

/// The overhead map of a level.
pub(super) struct OverheadMap<'a> {
    entry: &'a Entry,
    /// The beginning of the places in it.
    before: String,
}

/// A polygon to draw.
pub(super) struct Outline {
    pub(super) class: String,
    pub(super) corners: Vec<Spot>,
}

impl<'m> OverheadMap<'m> {
    /// Returns the map of the level at an index, or `None` if the wad has no such entry. `before` begins the places in the wad.
    pub(super) fn of(wad: &'m Wad, level: usize, before: &str) -> Option<Self> {
        Some(Self { entry: wad.entries.get(level)?, before: format!("{before}{level}!") })
    }
}

impl OverheadMap<'_> {
    /// Returns the first match of a function among the chunks.
    fn first<'a, T>(&'a self, find: impl Fn(&'a Content) -> Option<T>) -> Option<T> {
        self.entry.chunks.iter().find_map(|chunk| find(&chunk.payload))
    }

    /// Returns the records that a function finds in the first chunk that has them, or none.
    pub(super) fn all<'a, T>(&'a self, find: impl Fn(&'a Content) -> Option<&'a [T]>) -> &'a [T] {
        self.first(find).unwrap_or_default()
    }

    /// Returns the place of this list in the first chunk that has records for a function.
    fn list<'a, T: 'a>(&'a self, list: &str, find: impl Fn(&'a Content) -> Option<&'a [T]>) -> String {
        let found = self.entry.labeled().into_iter().find(|(_, chunk)| find(chunk).is_some());
        found.map_or_else(String::new, |(label, _)| format!("{}{label}:/{list}", self.before))
    }

    pub(super) fn points(&self) -> Vec<Spot> {
        let raw = self.first(Content::points);
        let points = raw.map(|points| points.iter().map(|point| [point.x.get(), point.y.get()]).collect());
        let processed = || self.all(Content::endpoints);
        points.unwrap_or_else(|| processed().iter().map(|point| [point.x.get(), point.y.get()]).collect())
    }

    /// Returns the polygons whose corners all exist, by index.
    pub(super) fn outlines(&self, points: &[Spot]) -> Vec<(usize, Outline)> {
        let polygons = self.first(|chunk| Some(chunk.any_polygons()).filter(|polygons| !polygons.is_empty()));
        let outline = |(index, polygon): (usize, &dyn AnyPolygon)| {
            let corners: Option<Vec<_>> = polygon.vertices().iter().map(|&vertex| spot(points, vertex)).collect();
            let corners = corners.filter(|corners| !corners.is_empty())?;
            let class = polygon.kind_name().map_or_else(|| format!("kind-{}", polygon.kind_number()), class);
            Some((index, Outline { class, corners }))
        };
        polygons.unwrap_or_default().into_iter().enumerate().filter_map(outline).collect()
    }

    /// Returns the name of the level, in Mac OS Roman.
    pub(super) fn name(&self) -> &[u8] {
        let name = self.first(|chunk| match chunk {
            Content::Information(it) => Some(it.level_name.bytes()),
            Content::EarlyInformation(it) => Some(it.level_name.bytes()),
            Content::ShortInformation(it) => Some(it.level_name.bytes()),
            _ => None,
        });
        name.unwrap_or_default()
    }
}

impl Display for OverheadMap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = self.points();
        let [left, top] = [0, 1].map(|axis| points.iter().filter_map(|it| it.get(axis)).min().copied().unwrap_or(0));
        let [right, low] = [0, 1].map(|axis| points.iter().filter_map(|it| it.get(axis)).max().copied().unwrap_or(0));
        let [width, height] =
            [(left, right), (top, low)].map(|(from, to)| i32::from(to) - i32::from(from) + 2 * MARGIN);
        let [x, y] = [left, top].map(|least| i32::from(least) - MARGIN);
        let outlines = self.outlines(&points);
        let objects = self.all(Content::objects);
        // Lines remain visible at any size of the level.
        let unit = (width.max(height) / 800).max(16);
        let legend = Legend::of(&outlines, objects, (width - 2 * MARGIN) / unit);
        let width = width.max(legend.width(unit) + 2 * MARGIN);
        let all = height + legend.height(unit);
        writeln!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {all}">"#)?;
        writeln!(f, "<title>{}</title>", Escaped(self.name()))?;
        style(f, unit)?;
        writeln!(f, r##"<rect x="{x}" y="{y}" width="{width}" height="{all}" fill="#111"/>"##)?;
        let polygons = match self.all(Content::polygons) {
            [] => self.list("early_polygons", Content::early_polygons),
            [..] => self.list("polygons", Content::polygons),
        };
        f.write_str("<g id=\"polygons\">\n")?;
        for (index, Outline { class, corners }) in outlines {
            write!(f, r#"<path class="{class}" data-index="{index}" d=""#)?;
            for ([x, y], command) in corners.iter().zip(core::iter::once('M').chain(core::iter::repeat('L'))) {
                write!(f, "{command}{x} {y}")?;
            }
            writeln!(f, "Z\">{}</path>", Title(&polygons, index))?;
        }
        let lines = self.list("lines", Content::lines);
        f.write_str("</g>\n<g id=\"lines\">\n")?;
        for (index, line) in self.all(Content::lines).iter().enumerate() {
            let [from, to] = line.endpoints.map(|point| spot(&points, point));
            if let (Some([x, y]), Some([to_x, to_y])) = (from, to) {
                let class = stops(line);
                let ends = format!(r#"x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}""#);
                let title = Title(&lines, index);
                writeln!(f, r#"<line class="{class}" data-index="{index}" {ends}>{title}</line>"#)?;
            }
        }
        f.write_str("</g>\n<g id=\"objects\">\n")?;
        let list = self.list("objects", Content::objects);
        objects.iter().enumerate().try_for_each(|(index, object)| draw(f, (&list, index), object, unit * 3))?;
        f.write_str("</g>\n<g id=\"notes\">\n")?;
        let notes = self.list("annotations", Content::annotations);
        for (index, note) in self.all(Content::annotations).iter().enumerate() {
            let (x, y, text) = (note.x.get(), note.y.get(), Escaped(note.text.bytes()));
            let title = Title(&notes, index);
            writeln!(f, r#"<text data-index="{index}" x="{x}" y="{y}">{title}{text}</text>"#)?;
        }
        f.write_str("</g>\n")?;
        legend.draw(f, [x + MARGIN, y + height], unit)?;
        f.write_str("</svg>\n")
    }
}

/// Writes the default style, with this line width.
fn style(f: &mut fmt::Formatter<'_>, unit: i32) -> fmt::Result {
    writeln!(f, "<style>\n#polygons path {{ fill: #333 }} #lines line {{ stroke-width: {unit} }}")?;
    for (group, property, colors) in
        [("polygons", "fill", &POLYGONS[..]), ("lines", "stroke", &LINES), ("objects", "fill", &OBJECTS)]
    {
        for (class, color) in colors {
            writeln!(f, "#{group} .{class} {{ {property}: {color} }}")?;
        }
    }
    let letters = unit * 10;
    writeln!(f, "#objects {{ fill: #888 }} #objects path {{ stroke: #ccc; stroke-width: {unit} }}")?;
    writeln!(f, "#notes, #legend {{ fill: #aca; font: {letters}px sans-serif }}\n</style>")
}

/// Names and colors of the classes in a level, in as many columns as fit below it.
struct Legend {
    classes: Vec<(&'static str, &'static str)>,
    columns: i32,
}

impl Legend {
    /// The width of a column in units: that of the longest name.
    const COLUMN: i32 = 150;
    /// Names per line, if the level is wide enough.
    const MOST: i32 = 5;

    /// Returns the legend of a level of this width in units.
    fn of(outlines: &[(usize, Outline)], objects: &[Object], width: i32) -> Self {
        let polygons = POLYGONS.iter().filter(|(class, _)| outlines.iter().any(|(_, outline)| outline.class == *class));
        let objects = OBJECTS.iter().filter(|(class, _)| objects.iter().any(|object| group(object) == *class));
        let classes = objects.chain(polygons).copied().collect();
        Self { classes, columns: (width / Self::COLUMN).clamp(1, Self::MOST) }
    }

    fn width(&self, unit: i32) -> i32 {
        if self.classes.is_empty() { 0 } else { self.columns * unit * Self::COLUMN }
    }

    fn height(&self, unit: i32) -> i32 {
        let lines = (i32::try_from(self.classes.len()).unwrap_or(0) + self.columns - 1) / self.columns;
        lines * unit * 16
    }

    fn draw(&self, f: &mut fmt::Formatter<'_>, [left, top]: [i32; 2], unit: i32) -> fmt::Result {
        f.write_str("<g id=\"legend\">\n")?;
        for (nth, (name, color)) in (0..).zip(&self.classes) {
            let (x, y) = (left + nth % self.columns * unit * Self::COLUMN, top + nth / self.columns * unit * 16);
            let (side, text, base) = (unit * 10, x + unit * 14, y + unit * 9);
            write!(f, r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{color}"/>"#)?;
            writeln!(f, r#"<text x="{text}" y="{base}">{}</text>"#, name.replace('-', " "))?;
        }
        f.write_str("</g>\n")
    }
}

/// The title of a shape: the place of its record, by the list and the index.
struct Title<'a>(&'a str, usize);

impl Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(list, index) = self;
        // Names of entries are ASCII, but can have any printable character.
        write!(f, "<title>{}/{index}</title>", Escaped(list.as_bytes()))
    }
}

/// Returns the class of an object.
pub(super) fn group(object: &Object) -> String {
    object.group.name().map_or_else(|| format!("group-{}", object.group.get()), class)
}

/// Draws an object: a dot of this radius, and a stroke in its direction. Sound sources have no direction.
fn draw(f: &mut fmt::Formatter<'_>, (list, index): (&str, usize), object: &Object, radius: i32) -> fmt::Result {
    let class = group(object);
    let (x, y) = (object.x.get(), object.y.get());
    let turn = f64::from(object.facing.get()) * 360.0 / 512.0;
    write!(f, r#"<g class="{class}" data-index="{index}" transform="translate({x} {y}) rotate({turn})">"#)?;
    write!(f, r#"{}<circle r="{radius}"/>"#, Title(list, index))?;
    if object.group != ObjectGroup::SOUND_SOURCE {
        write!(f, r#"<path d="M{radius} 0h{radius}"/>"#)?;
    }
    f.write_str("</g>\n")
}

/// Returns the class of a line: what it blocks.
pub(super) fn stops(line: &Line) -> &'static str {
    let is = |flag| line.flags.contains(flag);
    if is(LineFlags::SOLID) {
        "solid"
    } else if is(LineFlags::VARIABLE_ELEVATION) {
        "platform"
    } else if is(LineFlags::ELEVATION) {
        "elevation"
    } else {
        "open"
    }
}

pub(super) fn spot(points: &[Spot], index: Index) -> Option<Spot> {
    points.get(usize::try_from(index.get()).ok()?).copied()
}

/// Converts a name to a class: lowercase letters with hyphens.
fn class(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// Text in Mac OS Roman, escaped for XML.
struct Escaped<'a>(&'a [u8]);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        decode_text(Mac::PAGE, self.0).chars().try_for_each(|it| match it {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '\n' | '\r' | '\t' => f.write_char(' '),
            // XML cannot represent the other control characters.
            it if it.is_control() => f.write_char('\u{FFFD}'),
            it => f.write_char(it),
        })
    }
}
