//! Pixels of pictures as PNG files.
//!
//! Indices become an indexed PNG with the colors of the picture, colors an RGB one. Bytes of a row after its pixels, which a PNG cannot
//! hold, stay in the JSON if they are not zero; so do rows that none of the known packers produces.
//!
//! The JSON also holds the colors, with 16 bits. A checksum of the original palette shows whether the PNG or the JSON has been edited
//! since: the edited palette is used.

use std::borrow::Cow;

use bitflags::Flags as _;

use field::{U16be, Value, hex};
use json::Describe as _;
use media::png::{
    Error, PALETTE, Picture as Png, Pixels as Mode, checksum, edited_entries, is_unedited, shown_color, take_checksum,
    used_entries, write,
};
use media::{Around, Files, Imported, Location, Medium, MediumError, Replaced, first, record};

use super::grid::{Grid, Shown, palette, slots};
use super::{Copy, Opcode};
use crate::resources::{Color, ColorTableFlags};

/// Copied pixels of a picture.
pub static MEDIUM: Medium = Medium {
    kind: "picture",
    looks_around: false,
    is_whole: false,
    parts,
    files: &[("picture", ".png")],
    determined: &["pixels"],
    export,
    import,
};

/// The member for the bytes after the pixels of each row.
const TAILS: &str = "row_tails";
/// Opcodes that copy pixels.
const COPIES: [Opcode; 6] = [
    Opcode::COPY,
    Opcode::COPY_REGION,
    Opcode::PACKED_COPY,
    Opcode::PACKED_COPY_REGION,
    Opcode::DIRECT_COPY,
    Opcode::DIRECT_COPY_REGION,
];

fn opcode(part: &Value) -> Option<Opcode> {
    let name = part.get("opcode")?.text()?;
    COPIES.into_iter().find(|opcode| opcode.name() == Some(name))
}

fn parts(document: &Value) -> Vec<Location> {
    let opcodes = document.list("opcodes");
    let copies: Vec<usize> = (0..).zip(opcodes).filter_map(|(nth, it)| opcode(it).map(|_| nth)).collect();
    let part = |nth: &usize| {
        let name = (copies.len() > 1).then(|| format!("opcode {nth:04}"));
        Location { way: vec!["opcodes".to_owned(), nth.to_string()], name }
    };
    copies.iter().map(part).collect()
}

/// Reads a part without its pixels.
fn read(part: &Value) -> Result<(Copy, Grid), MediumError> {
    let mut copy = Copy { map: record(part)?, ..Copy::default() };
    if copy.has_pixel_map() {
        copy.pixel_map = record(part)?;
    }
    if let Some(table) = part.get("color_table_data") {
        copy.colors.head = record(table).map_err(|it| it.within("color_table_data"))?;
        let colors = table.list("colors").iter().enumerate();
        let color = |(nth, color)| record(color).map_err(|it| it.within(&format!("color_table_data/colors/{nth}")));
        copy.colors.colors = colors.map(color).collect::<Result<Vec<Color>, _>>()?.into();
    }
    let grid = opcode(part).and_then(|opcode| Grid::of(&copy, opcode));
    Ok((copy, grid.ok_or("a PNG cannot represent these pixels")?))
}

/// Returns the rows of a part, or `None` if they were not packed by a known packer.
fn rows<'a>(grid: &Grid, part: &'a Value) -> Option<Vec<Cow<'a, [u8]>>> {
    let pixels = part.get("pixels")?;
    if grid.rows.packing.is_some() {
        let Value::Object(members) = pixels else { return None };
        pixels.get("packer").filter(|_| members.len() == 2)?;
        return pixels.get("rows")?.items()?.iter().map(Value::bytes).collect();
    }
    let bytes = pixels.bytes()?;
    let length = usize::try_from(grid.rows.length).ok().filter(|length| *length > 0)?;
    Some(bytes.chunks(length).map(|row| row.to_vec().into()).collect())
}

fn export(around: &Around<'_>) -> Option<(Value, Files)> {
    let (copy, grid) = read(around.part).ok()?;
    let rows = rows(&grid, around.part)?;
    let shown = rows.iter().map(|row| grid.show(row)).collect::<Option<Vec<Shown>>>()?;
    let comes_back = |(row, (shown, tail)): (&Cow<'_, [u8]>, &Shown)| **row == *grid.row(shown, tail);
    if rows.len() != grid.height || !rows.iter().zip(&shown).all(comes_back) {
        return None;
    }
    let (shown, tails): (Vec<Vec<u8>>, Vec<Vec<u8>>) = shown.into_iter().unzip();
    let palette = grid.colors().map(|colors| palette(&copy, colors));
    let checksum = palette.as_deref().filter(|_| copy.has_pixel_map()).map(checksum);
    let mode = palette.map_or(Mode::Rgb, |palette| Mode::Indexed(palette.concat()));
    let (width, height) = (u32::try_from(grid.width).ok()?, u32::try_from(grid.height).ok()?);
    let file = write(width, height, &mode, &shown.concat()).ok()?;
    let mut left = around.part.clone();
    let mut pixels = left.take_member("pixels")?;
    if let Some(packer) = pixels.take_member("packer") {
        left.put("pixels", Value::from([("packer", packer)]));
    }
    checksum.into_iter().for_each(|checksum| left.put(PALETTE, checksum));
    if tails.iter().flatten().any(|byte| *byte != 0) {
        left.put(TAILS, tails.into_iter().map(Value::of_bytes).collect());
    }
    Some((left, vec![Some(file.into())]))
}

fn import(files: &Files, around: &Around<'_>) -> Result<Imported, MediumError> {
    let (copy, grid) = read(around.part)?;
    let png = Png::read(first(files)?).map_err(|error: Error| error.to_string())?;
    if (usize::from(png.width), usize::from(png.height)) != (grid.width, grid.height) {
        let Grid { width, height, .. } = grid;
        let why = format!(
            "expected {width} by {height} pixels, found {} by {}; the size of a picture cannot change",
            png.width, png.height
        );
        return Err(why.into());
    }
    let mut part = around.part.clone();
    let (given, mut replaced) = (part.get(PALETTE).cloned(), Vec::new());
    let shown = match grid.colors() {
        Some(colors) => {
            replaced = png.of_neither(given.as_ref(), &palette(&copy, colors));
            indices(&png, &copy, &mut part, (colors, &mut replaced))?
        }
        None => {
            if png.colors.iter().any(|[.., opacity]| *opacity < u8::MAX) {
                return Err("some pixels are transparent, but the picture cannot store transparency".into());
            }
            png.colors.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect()
        }
    };
    let tails = tails(part.take_member(TAILS), grid.height)?;
    let each = if grid.colors().is_some() { grid.width } else { grid.width * 3 };
    let row = |(nth, shown): (usize, &[u8])| {
        let Some(tail) = tails.get(nth) else { return Ok(grid.row(shown, &[])) };
        let row = grid.row(shown, tail);
        match grid.show(&row) {
            Some((_, found)) if found == *tail => Ok(row),
            _ => {
                let why = format!("expected the end of a row after its pixels, found {}", hex(tail));
                Err(MediumError::at(&format!("{TAILS}/{nth}"), why))
            }
        }
    };
    let rows = shown.chunks(each.max(1)).enumerate().map(row).collect::<Result<Vec<_>, _>>()?.into_iter();
    let before = part.take_member("pixels");
    let pixels = match grid.rows.packing {
        None => Value::of_bytes(rows.collect::<Vec<_>>().concat()),
        Some(_) => {
            let mut pixels = before.unwrap_or_else(|| Value::Object(Vec::new()));
            match (pixels.get("packer"), pixels.get("rows")) {
                (Some(_), _) => {}
                // The rows to replace were not packed by a known packer.
                (None, Some(_)) => pixels.put("packer", super::Packer::Pieces.name().into()),
                (None, None) => {
                    return Err(MediumError::at("pixels/packer", "expected PIECES or QUICKDRAW, found nothing"));
                }
            }
            pixels.put("rows", rows.map(Value::of_bytes).collect());
            pixels
        }
    };
    part.put("pixels", pixels);
    Ok(Imported { part, replaced })
}

/// Returns the bytes after the pixels of each row: none, or some for every row.
fn tails(json: Option<Value>, rows: usize) -> Result<Vec<Vec<u8>>, MediumError> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let tails = json.items().filter(|items| items.len() == rows);
    let tails = tails.and_then(|items| items.iter().map(|it| Some(it.bytes()?.into_owned())).collect());
    let why = || format!("expected bytes for each of {rows} rows, found {}", json.describe());
    tails.ok_or_else(|| MediumError::at(TAILS, why()))
}

/// Returns the indices of a PNG. They are unchanged if its palette has not been edited, or if only some of its colors have been, which the
/// picture then takes over; else they are found by the colors of the picture; else the picture takes over all colors of the PNG.
fn indices(
    png: &Png,
    copy: &Copy,
    part: &mut Value,
    (most, replaced): (usize, &mut Vec<Replaced>),
) -> Result<Vec<u8>, MediumError> {
    let known = palette(copy, most);
    let both = take_checksum(part)?;
    if let Some((indices, _)) = png.unedited(both.as_ref())
        && indices.iter().all(|index| usize::from(*index) < known.len())
    {
        return Ok(indices.to_vec());
    }
    let mut has = vec![!copy.has_pixel_map(); most];
    for (slot, _) in slots(&copy.colors) {
        if let Some(has) = has.get_mut(slot) {
            *has = true;
        }
    }
    // A PNG always replaces the pixels of a part that still has them; the checksum is ignored.
    let is_replaced = part.get("pixels").is_some_and(|pixels| pixels.get("rows").is_some() || pixels.bytes().is_some());
    if let Some((indices, own)) = png.comparable(both.as_ref().filter(|_| !is_replaced), &known) {
        let edited = edited_entries(own, &known, indices);
        if copy.has_pixel_map() && !edited.is_empty() {
            let mut now = known.clone();
            for entry in edited {
                if let (Some(now), Some(own)) = (now.get_mut(entry), own.get(entry)) {
                    *now = *own;
                }
            }
            replaced.extend(put_colors(part, copy, (&now, &known), &has, indices));
            return Ok(indices.to_vec());
        }
        if !copy.has_pixel_map()
            && indices.iter().all(|index| own.get(usize::from(*index)) == known.get(usize::from(*index)))
        {
            is_unedited((indices, own), &known, ("a picture of one bit", "such a picture has no other colors"))?;
        }
    }
    let by_known = png.indices(&known, &|index| has.get(usize::from(index)) == Some(&true), None);
    let (Err(_), Some((indices, own)), true) = (&by_known, &png.indexed, copy.has_pixel_map()) else {
        let hint = |why| format!("{why}; an indexed PNG can have its own colors");
        return by_known.map_err(|why| hint(why).into());
    };
    if own.len() > most {
        return Err(format!("expected a palette of at most {most} colors, found {}", own.len()).into());
    }
    let is_edited = !is_replaced && both.as_ref() != Some(&checksum(&known));
    let has_colors = part.get("color_table_data").is_some_and(|table| table.get("colors").is_some());
    if is_edited && has_colors {
        let differs = own.iter().zip(&known).position(|(own, known)| own != known).unwrap_or(known.len());
        let why = format!(
            "expected {} at index {differs}, as the palette of the PNG has it, found {}; edit one of them, or remove the \
             colors to take those of the PNG",
            shown_color(own, differs),
            shown_color(&known, differs)
        );
        return Err(MediumError::at("color_table_data/colors", why));
    }
    replaced.extend(put_colors(part, copy, (own, &known), &has, indices));
    Ok(indices.clone())
}

/// Puts the colors of a PNG's palette into the table of a picture, and returns the rows that this removes, because the palette is shorter than
/// the one that was written. Colors that are the same stay as they are, with 16 bits, and so do their order and the rows of indices that no
/// pixel can have. What only fills the palette that was written comes in only if a pixel has it.
fn put_colors(
    part: &mut Value,
    copy: &Copy,
    (own, known): (&[[u8; 3]], &[[u8; 3]]),
    has: &[bool],
    indices: &[u8],
) -> Option<Replaced> {
    let used = used_entries(own, indices);
    let is_device = copy.colors.head.flags.contains(ColorTableFlags::DEVICE);
    let color = |value: u16, [red, green, blue]: [u8; 3]| {
        let [red, green, blue] = [red, green, blue].map(|channel| U16be::new(u16::from(channel) * 257));
        Color { value: U16be::new(value), red, green, blue }
    };
    let (mut colors, mut removed) = (Vec::new(), Vec::new());
    for (slot, old) in slots(&copy.colors) {
        match own.get(slot) {
            Some(rgb) if known.get(slot) != Some(rgb) => colors.push(color(old.value.get(), *rgb)),
            Some(_) => colors.push(old),
            None if slot >= known.len() => colors.push(old),
            None => removed.push(old),
        }
    }
    let comes = |(slot, rgb): (usize, &[u8; 3])| {
        let is_filler = known.get(slot) == Some(rgb) && used.get(slot) != Some(&true);
        has.get(slot) != Some(&true) && !is_filler
    };
    let new: Vec<usize> = own.iter().enumerate().filter(|it| comes(*it)).map(|(slot, _)| slot).collect();
    // In the table of a device, the position of a color is its slot.
    let new: Vec<usize> = match new.last().filter(|_| is_device) {
        Some(last) => (colors.len()..=*last).collect(),
        None => new,
    };
    colors.extend(new.into_iter().filter_map(|slot| Some(color(u16::try_from(slot).ok()?, *own.get(slot)?))));
    let shown = |Color { value, red, green, blue }: Color| {
        let members = [("value", value), ("red", red), ("green", green), ("blue", blue)];
        Value::from(members.map(|(name, value)| (name, value.get().into())))
    };
    let table = part.step_mut("color_table_data")?;
    table.put("colors", colors.into_iter().map(shown).collect());
    let was: Value = removed.into_iter().map(shown).collect();
    let is_removed = was.items().is_some_and(|rows| !rows.is_empty());
    is_removed.then(|| Replaced { place: "/color_table_data/colors".to_owned(), was, now: Value::Null })
}
