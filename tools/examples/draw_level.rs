//! Draws the first level of a map of Marathon as an SVG of one's own.
//!
//! ```sh
//! cargo run --example draw_level -- Map.sceA > level.svg
//! ```

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use bitexact::kind::Container as _;
use bitexact::marathon::wad::Wad;

fn main() -> Result<(), Box<dyn Error>> {
    env::args().skip(1).try_for_each(|map| draw(map.as_ref(), &mut io::stdout()))
}

/// Writes the lines of the first level. Solid ones are black, those that one can walk through gray.
pub(crate) fn draw(map: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    // Maps of the Mac are often wrapped, by MacBinary or AppleSingle.
    let file = bitexact::open(map)?.unwrapped()?;
    let wad: &Wad = file.model().ok_or("expected a map of Marathon")?;
    let level = wad.levels().next().ok_or("no level is in the map")?;
    let chunk = |tag: &str| level.entry.entry(tag).ok_or_else(|| format!("the level lacks {tag}"));
    let (points, lines) = (chunk("EPNT")?, chunk("LINS")?);
    let points = points.content.endpoints().ok_or("the points have another size")?;
    let lines = lines.content.lines().ok_or("the lines have another size")?;
    writeln!(out, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-32768 -32768 65536 65536" stroke-width="80">"#)?;
    for line in lines {
        let ends = line.endpoints.map(|point| points.get(usize::try_from(point.get()).ok()?));
        let [Some(from), Some(to)] = ends else { continue };
        let is_open = line.clockwise_polygon.get() != -1 && line.counterclockwise_polygon.get() != -1;
        let color = if is_open { "silver" } else { "black" };
        writeln!(out, r#"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{color}"/>"#, from.x, from.y, to.x, to.y)?;
    }
    writeln!(out, "</svg>")?;
    Ok(())
}
