//! Plans: a level seen from above, as SVG.
//!
//! Polygons by kind, lines by what stops whom, objects by group and where they look, notes. What refers to something that is not
//! there is left out. Classes are for style sheets, `data-index` says which of its chunk a shape is.

use core::fmt::{self, Display, Write as _};

use bitflags::Flags as _;

use crate::field::{Mac, Style as _, decode_text};

use super::chunk::Content;
use super::map::{Line, Object};
use super::names::{LineFlags, ObjectGroup};
use super::numbers::Index;
use super::wad::{Entry, Wad};

/// How it looks where no other style says otherwise.
const STYLE: &str = "\
    svg { background: #111 } path, line, circle { vector-effect: non-scaling-stroke }
    #polygons path { fill: #333 } #polygons .platform { fill: #554 } #polygons .teleporter { fill: #426 }
    #polygons .minor-ouch, #polygons .major-ouch { fill: #622 } #polygons .must-be-explored { fill: #264 }
    #polygons .automatic-exit, #polygons .hill, #polygons .goal { fill: #284 }
    #lines line { stroke: #7a7 } #lines .elevation { stroke: #575 } #lines .platform { stroke: #aa5 }
    #lines .open { stroke: #353 } #objects { fill: #888; stroke: #ccc } #objects .monster { fill: #c33 }
    #objects .player { fill: #3c3 } #objects .item { fill: #36c } #objects .goal { fill: #cc3 }
    #objects .sound-source { fill: none } #notes { fill: #aca; font: 256px sans-serif }";

/// Room around a level.
const MARGIN: i32 = 512;

/// The plan of a level; nothing where the wad has no such entry.
#[must_use]
pub fn svg(wad: &Wad, level: usize) -> Option<String> {
    Some(Plan(wad.entries.get(level)?).to_string())
}

/// A point of the world.
type Spot = [i16; 2];

/// The plan of a level.
struct Plan<'a>(&'a Entry);

/// A polygon as it is drawn.
struct Outline {
    class: String,
    corners: Vec<Spot>,
}

impl Plan<'_> {
    /// The first of the chunks that a function finds something in.
    fn first<'a, T>(&'a self, find: impl Fn(&'a Content) -> Option<T>) -> Option<T> {
        self.0.chunks.iter().find_map(|chunk| find(&chunk.payload))
    }

    fn points(&self) -> Vec<Spot> {
        let raw = self.first(Content::points);
        let points = raw.map(|points| points.iter().map(|point| [point.x.get(), point.y.get()]).collect());
        let processed = || self.first(Content::endpoints).unwrap_or_default();
        points.unwrap_or_else(|| processed().iter().map(|point| [point.x.get(), point.y.get()]).collect())
    }

    /// The polygons whose corners are all there, by index.
    fn outlines(&self, points: &[Spot]) -> Vec<(usize, Outline)> {
        let outline = |kind: Option<&str>, number: i16, vertices: &[Index]| {
            let corners: Option<Vec<_>> = vertices.iter().map(|&vertex| spot(points, vertex)).collect();
            let corners = corners.filter(|corners| !corners.is_empty())?;
            Some(Outline { class: kind.map_or_else(|| format!("kind-{number}"), class), corners })
        };
        let later = self.first(Content::polygons).unwrap_or_default().iter();
        let later = later.map(|it| outline(it.kind.name(), it.kind.get(), it.vertices()));
        let early = self.first(Content::early_polygons).unwrap_or_default().iter();
        let early = early.map(|it| outline(it.kind.name(), it.kind.get(), it.vertices()));
        later.chain(early).enumerate().filter_map(|(index, outline)| Some((index, outline?))).collect()
    }

    /// The name of the level, in Mac OS Roman.
    fn name(&self) -> &[u8] {
        let name = self.first(|chunk| match chunk {
            Content::Information(it) => Some(it.level_name.bytes()),
            Content::EarlyInformation(it) => Some(it.level_name.bytes()),
            Content::ShortInformation(it) => Some(it.level_name.bytes()),
            _ => None,
        });
        name.unwrap_or_default()
    }
}

impl Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = self.points();
        let [left, top] = [0, 1].map(|axis| points.iter().filter_map(|it| it.get(axis)).min().copied().unwrap_or(0));
        let [right, low] = [0, 1].map(|axis| points.iter().filter_map(|it| it.get(axis)).max().copied().unwrap_or(0));
        let [width, height] =
            [(left, right), (top, low)].map(|(from, to)| i32::from(to) - i32::from(from) + 2 * MARGIN);
        let [x, y] = [left, top].map(|least| i32::from(least) - MARGIN);
        writeln!(f, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}">"#)?;
        writeln!(f, "<title>{}</title>\n<style>\n{STYLE}\n</style>", Escaped(self.name()))?;
        f.write_str("<g id=\"polygons\">\n")?;
        for (index, Outline { class, corners }) in self.outlines(&points) {
            write!(f, r#"<path class="{class}" data-index="{index}" d=""#)?;
            for ([x, y], command) in corners.iter().zip(core::iter::once('M').chain(core::iter::repeat('L'))) {
                write!(f, "{command}{x} {y}")?;
            }
            f.write_str("Z\"/>\n")?;
        }
        f.write_str("</g>\n<g id=\"lines\">\n")?;
        for (index, line) in self.first(Content::lines).unwrap_or_default().iter().enumerate() {
            let [from, to] = line.endpoints.map(|point| spot(&points, point));
            if let (Some([x, y]), Some([to_x, to_y])) = (from, to) {
                let class = stops(line);
                let ends = format_args!(r#"x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}""#);
                writeln!(f, r#"<line class="{class}" data-index="{index}" {ends}/>"#)?;
            }
        }
        f.write_str("</g>\n<g id=\"objects\">\n")?;
        let objects = self.first(Content::objects).unwrap_or_default();
        objects.iter().enumerate().try_for_each(|(index, object)| draw(f, index, object))?;
        f.write_str("</g>\n<g id=\"notes\">\n")?;
        for (index, note) in self.first(Content::annotations).unwrap_or_default().iter().enumerate() {
            let (x, y, text) = (note.x.get(), note.y.get(), Escaped(note.text.bytes()));
            writeln!(f, r#"<text data-index="{index}" x="{x}" y="{y}">{text}</text>"#)?;
        }
        f.write_str("</g>\n</svg>\n")
    }
}

/// Draws an object: a dot, and a stroke to where it looks. What sounds looks nowhere.
fn draw(f: &mut fmt::Formatter<'_>, index: usize, object: &Object) -> fmt::Result {
    let class = object.group.name().map_or_else(|| format!("group-{}", object.group.get()), class);
    let (x, y) = (object.x.get(), object.y.get());
    let turn = f64::from(object.facing.get()) * 360.0 / 512.0;
    write!(f, r#"<g class="{class}" data-index="{index}" transform="translate({x} {y}) rotate({turn})">"#)?;
    f.write_str(r#"<circle r="96"/>"#)?;
    if object.group != ObjectGroup::SOUND_SOURCE {
        f.write_str(r#"<path d="M96 0h96"/>"#)?;
    }
    f.write_str("</g>\n")
}

/// What a line is to those who pass.
fn stops(line: &Line) -> &'static str {
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

fn spot(points: &[Spot], index: Index) -> Option<Spot> {
    points.get(usize::try_from(index.get()).ok()?).copied()
}

/// A name as a class: small letters, with hyphens.
fn class(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// A text in Mac OS Roman as XML can have it.
struct Escaped<'a>(&'a [u8]);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        decode_text(Mac::PAGE, self.0).chars().try_for_each(|it| match it {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '\n' | '\r' | '\t' => f.write_char(' '),
            // XML has no way to say the other control characters.
            it if it.is_control() => f.write_char('\u{FFFD}'),
            it => f.write_char(it),
        })
    }
}
