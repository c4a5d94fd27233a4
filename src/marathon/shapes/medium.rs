//! Bitmaps as PNG files: indices, with the colors of the first color table of their collection.
//!
//! The rule determines the pixels that a row stores (see [`usual`]); the JSON lists rows that differ. Such a row keeps its stretch for as
//! long as the pixels that it omits are transparent.

use std::collections::HashMap;

use bitflags::Flags as _;

use field::{Value, limits, wide};
use json::Describe as _;
use media::png::{PALETTE, Picture as Png, Pixels as Mode, checksum, is_unedited, take_checksum, write};
use media::{Around, Files, Imported, Location, Medium, MediumError, Replaced, first, record};

use super::bitmap::{BitmapFlags, BitmapHeader};
use super::collection::Encoding;
use super::palette;
use super::records::Color;
use super::rows::{Stored, code, codec, extent, stored, unpack, usual};

/// The bitmaps of a collection, and those of a patch.
pub static MEDIA: [Medium; 2] = [
    Medium {
        kind: "collection",
        looks_around: true,
        is_whole: false,
        parts: of_collection,
        files: FILES,
        determined: &DETERMINED,
        export,
        import,
    },
    Medium {
        kind: "shapes-patch",
        looks_around: true,
        is_whole: false,
        parts: of_patch,
        files: FILES,
        determined: &DETERMINED,
        export,
        import,
    },
];

const FILES: &[(&str, &str)] = &[("picture", ".png")];
/// The members that a PNG contains; of uncoded rows, also their length.
const DETERMINED: [&str; 5] = ["width", "height", "bytes_per_row", "pixels", "rows"];
/// The number of colors that pixels can refer to.
const INDICES: usize = 256;
/// What has the colors of all bitmaps, and what to do to edit them.
const OWNER: &str = "its collection";
const HINT: &str = "all bitmaps have its colors, so edit `colors` of the collection";
/// The member for rows that do not store the usual pixels.
const STORED: &str = "stored";

fn of_collection(document: &Value) -> Vec<Location> {
    let part = |nth: usize| Location {
        way: vec!["bitmaps".to_owned(), nth.to_string()],
        name: Some(format!("bitmap {nth:04}")),
    };
    (0..document.list("bitmaps").len()).map(part).collect()
}

fn of_patch(document: &Value) -> Vec<Location> {
    let mut parts = Vec::new();
    for (block, it) in document.list("blocks").iter().enumerate() {
        let number = |name: &str, json: &Value| json.get(name).and_then(Value::integer);
        let deep = if number("bit_depth", it).is_some_and(|depth| depth > 8) { " deep" } else { "" };
        let collection = number("collection", it);
        for (items, it) in it.list("items").iter().enumerate() {
            for (nth, bitmap) in it.list("bitmaps").iter().enumerate() {
                let way = ["blocks", &block.to_string(), "items", &items.to_string(), "bitmaps", &nth.to_string()];
                // A document being imported may have something else than numbers, but then needs no names either.
                let numbers = collection.zip(number("index", bitmap));
                let name =
                    numbers.map(|(collection, index)| format!("collection {collection}{deep}/bitmap {index:04}"));
                parts.push(Location { way: way.map(str::to_owned).to_vec(), name });
            }
        }
    }
    parts
}

/// Returns the coding of rows: only collections in resources have that of Marathon.
fn encoding(around: &Around<'_>) -> Encoding {
    if around.row.get("type").is_some_and(|code| *code == ".256") { Encoding::Marathon } else { Encoding::Marathon2 }
}

/// Returns the colors of the first table, either of the collection or of the bitmap's block in a patch. Most patches have none.
///
/// # Errors
/// Returns an error if a color or the number of colors in a table is wrong.
fn colors(around: &Around<'_>) -> Result<Vec<Color>, MediumError> {
    let document = around.document;
    let of = |colors: &[Value], pointer: &str, most: usize| -> Result<Vec<Color>, MediumError> {
        let colors = colors.iter().take(most).enumerate();
        let color = |(nth, color)| {
            record(color).map_err(|wrong: MediumError| wrong.within(&format!("{pointer}/{nth}")).around())
        };
        colors.map(color).collect()
    };
    let own = document.list("colors");
    if !own.is_empty() {
        let each = document.get("colors_per_table").unwrap_or(&Value::Null);
        let wrong =
            || MediumError::at("colors_per_table", format!("expected a number from 0, found {}", each.describe()));
        let each = each.whole().ok_or_else(|| wrong().around())?;
        return of(own, "colors", usize::try_from(each).map_or(INDICES, |each| each.min(INDICES)));
    }
    let block = around.way.get(1).and_then(|block| Some((block, document.get("blocks")?.step(block)?)));
    let Some((block, found)) = block else { return Ok(Vec::new()) };
    let first = found.list("items").iter().enumerate().find_map(|(nth, it)| Some((nth, it.list("colors").first()?)));
    first.map_or(Ok(Vec::new()), |(nth, table)| {
        of(table.list("table"), &format!("blocks/{block}/items/{nth}/colors/0/table"), INDICES)
    })
}

/// Converts rows of `length` pixels, which are columns in column order, to image rows; or converts them back.
fn turn(pixels: &[u8], length: usize, is_turned: bool) -> Vec<u8> {
    if !is_turned || length == 0 {
        return pixels.to_vec();
    }
    (0..length).flat_map(|nth| pixels.iter().skip(nth).step_by(length).copied()).collect()
}

fn export(around: &Around<'_>) -> Option<(Value, Files)> {
    let part = around.part;
    let head: BitmapHeader = record(part).ok()?;
    let (rows, length) = head.shape()?;
    // Rows that store no pixels can represent an image too large to view.
    let area = rows.checked_mul(length).filter(|area| (1..=wide(limits::PIXELS)).contains(area))?;
    let each = usize::try_from(length).ok()?;
    let (mut pixels, mut kept) = (Vec::new(), Vec::new());
    let is_coded = head.bytes_per_row.get() == -1;
    if is_coded {
        let encoding = encoding(around);
        let bytes = (codec(encoding).load)(part.get("rows")?.clone(), &mut Vec::new()).ok()?;
        extent(encoding, &bytes, rows, length).ok().filter(|extent| *extent == bytes.len())?;
        pixels.extend(unpack(encoding, &bytes, each));
        for (nth, (row, stored)) in (0_u64..).zip(pixels.chunks(each).zip(stored(encoding, &bytes))) {
            if stored != usual(encoding, row) {
                let stored = stored.into_iter().collect();
                kept.push(Value::from([("row", nth.into()), ("pixels", stored)]));
            }
        }
    } else if i64::from(head.bytes_per_row.get()) == i64::try_from(length).ok()? {
        pixels.extend(&*part.get("pixels")?.bytes()?);
    }
    let (width, height) = (u32::try_from(head.width.get()).ok()?, u32::try_from(head.height.get()).ok()?);
    if wide(pixels.len()) != area {
        return None;
    }
    let palette = palette::of(&colors(around).ok()?);
    let checksum = checksum(&palette);
    let seen = turn(&pixels, each, head.flags.contains(BitmapFlags::COLUMN_ORDER));
    let file = write(width, height, &Mode::Indexed(palette.concat()), &seen).ok()?;
    let mut left = part.without(&["width", "height", "pixels", "rows"]);
    if !is_coded {
        left.take_member("bytes_per_row");
    }
    left.put(PALETTE, checksum);
    if !kept.is_empty() {
        left.put(STORED, Value::List(kept));
    }
    Some((left, vec![Some(file.into())]))
}

fn import(files: &Files, around: &Around<'_>) -> Result<Imported, MediumError> {
    let png = Png::read(first(files)?).map_err(|error| error.to_string())?;
    let (Ok(width), Ok(height)) = (i16::try_from(png.width), i16::try_from(png.height)) else {
        return Err(format!("{} by {} pixels do not fit in a bitmap", png.width, png.height).into());
    };
    let mut part = around.part.clone();
    let mut kept = kept(part.take_member(STORED).as_ref())?;
    part.put("width", width.into());
    part.put("height", height.into());
    let is_coded = part.get("bytes_per_row").is_some_and(|each| *each == -1);
    if !is_coded {
        part.put("bytes_per_row", 0.into());
    }
    let head: BitmapHeader = record(&part)?;
    let (rows, length) = head.shape().ok_or("a bitmap has no negative size")?;
    let clear = head.flags.contains(BitmapFlags::TRANSPARENT).then_some(0);
    // The colors of the collection or those of the PNG may have been edited: pixels must use existing colors.
    let (given, colors) = (take_checksum(&mut part)?, colors(around)?);
    let palette = palette::of(&colors);
    let mut replaced = png.of_neither(given.as_ref(), &palette);
    let seen = match png.unedited(given.as_ref()) {
        Some((indices, _)) => indices.to_vec(),
        None => {
            if let Some(own) = png.comparable(given.as_ref(), &palette) {
                is_unedited(own, &palette, (OWNER, HINT))?;
            }
            png.indices(&palette, &|index| palette::has(&colors, index), clear)?
        }
    };
    let is_turned = head.flags.contains(BitmapFlags::COLUMN_ORDER);
    let pixels = turn(&seen, usize::try_from(if is_turned { rows } else { length }).unwrap_or(0), is_turned);
    if !is_coded {
        part.put("bytes_per_row", length.into());
        part.put("pixels", Value::of_bytes(pixels));
        if let Some((row, _)) = kept.into_iter().min_by_key(|(row, _)| *row) {
            let why = format!("expected none, because no row is coded, found one of row {row}");
            return Err(MediumError::at(STORED, why));
        }
        return Ok(Imported { part, replaced });
    }
    let encoding = encoding(around);
    let mut bytes = Vec::new();
    for (nth, row) in (0_u64..).zip(pixels.chunks(usize::try_from(length).unwrap_or(0).max(1))) {
        let stored = kept.remove(&nth);
        let as_said = stored.as_ref().and_then(|stored| code(encoding, row, stored));
        let usual = usual(encoding, row);
        // A row that cannot be stored as requested is stored as usual, and a request for the usual pixels is dropped. Report both.
        if let Some(stored) = stored.filter(|stored| as_said.is_none() || *stored == usual) {
            let shown =
                |stored: Stored| Value::from([("row", nth.into()), ("pixels", stored.into_iter().collect::<Value>())]);
            let now = if stored == usual { Value::Null } else { shown(usual.clone()) };
            replaced.push(Replaced { place: format!("/{STORED}"), was: shown(stored), now });
        }
        let coded = as_said.or_else(|| code(encoding, row, &usual));
        bytes.extend(coded.ok_or_else(|| format!("row {nth} has more pixels than can be stored"))?);
    }
    if let Some(row) = kept.into_keys().min() {
        return Err(MediumError::at(STORED, format!("expected rows below {rows}, found {row}")));
    }
    part.put("rows", (codec(encoding).show)(&bytes));
    Ok(Imported { part, replaced })
}

/// Returns the pixels stored by unusual rows, by row.
fn kept(json: Option<&Value>) -> Result<HashMap<u64, Stored>, MediumError> {
    let row = |json: &Value| {
        let Value::Object(members) = json else { return None };
        let piece = |piece: &Value| piece.integer().and_then(|piece| i32::try_from(piece).ok());
        let stored: Option<Stored> = json.get("pixels")?.items()?.iter().map(piece).collect();
        (members.len() == 2).then_some((json.get("row")?.whole()?, stored?))
    };
    let expected =
        || MediumError::at(STORED, "expected rows, each with the numbers of omitted (below 0) and stored pixels");
    let Some(json) = json else { return Ok(HashMap::new()) };
    let (mut kept, mut last) = (HashMap::new(), None);
    for item in json.items().ok_or_else(expected)? {
        let (row, stored) = row(item).ok_or_else(expected)?;
        if let Some(last) = last.replace(row).filter(|last| *last >= row) {
            let why = format!("expected rows in ascending order, found {row} after {last}");
            return Err(MediumError::at(STORED, why));
        }
        kept.insert(row, stored);
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;

    fn exported(side: i64, rows: &Value) -> Option<Value> {
        let head = [("width", side.into()), ("height", side.into()), ("bytes_per_row", (-1).into())];
        let mut part = Value::from(head);
        part.put("flags", "TRANSPARENT".into());
        part.put("rows", rows.clone());
        let none = &Value::Null;
        let around = Around { part: &part, way: &[], document: none, row: none, container: none };
        let (left, files) = export(&around)?;
        let again = import(&files, &Around { part: &left, ..around }).expect("it comes back");
        assert_eq!(again.part.get("rows"), Some(rows));
        Some(left)
    }

    #[test]
    fn only_unusual_rows_are_listed() {
        let row = |first: i64, pixels: &[u8]| {
            Value::from([("first", first.into()), ("pixels", Value::of_bytes(pixels.to_vec()))])
        };
        let usual = Value::from(vec![row(1, &[7, 8]), Value::Object(Vec::new()), Value::Object(Vec::new())]);
        assert_eq!(exported(3, &usual).and_then(|left| left.get(STORED).cloned()), None);
        let wide = Value::from(vec![row(1, &[7, 0]), Value::Object(Vec::new()), Value::from([("first", 2.into())])]);
        let told = exported(3, &wide).and_then(|left| left.get(STORED).cloned()).unwrap_or_default();
        assert_eq!(Compact(&told).to_string(), r#"[{"row":0,"pixels":[-1,2]},{"row":2,"pixels":[-2,0]}]"#);
    }

    #[test]
    fn wrong_type_is_not_zero() {
        let document = r#"{"blocks": [{"collection": -1, "bit_depth": 16,
            "items": [{"bitmaps": [{"index": 2}, {"index": "2"}]}, {"bitmaps": [{}]}]}, {"collection": true,
            "items": [{"bitmaps": [{"index": 3}]}]}]}"#;
        let parts = of_patch(&json::parse(document.as_bytes()).expect("is JSON"));
        let names: Vec<_> = parts.iter().map(|part| part.name.as_deref()).collect();
        assert_eq!(names, [Some("collection -1 deep/bitmap 0002"), None, None, None]);

        let none = &Value::Null;
        let told = |document: &str| {
            let document = json::parse(document.as_bytes()).expect("is JSON");
            let around = Around { part: none, way: &[], document: &document, row: none, container: none };
            colors(&around).map(|colors| colors.len())
        };
        let color = r#"{"flags": 0, "value": 0, "red": 1, "green": 2, "blue": 3}"#;
        assert_eq!(told(&format!(r#"{{"colors": [{color}, {color}], "colors_per_table": 1}}"#)), Ok(1));
        let wrong = told(&format!(r#"{{"colors": [{color}], "colors_per_table": "1"}}"#));
        assert_eq!(wrong, Err(MediumError::at("colors_per_table", r#"expected a number from 0, found "1""#).around()));
        let wrong = told(&format!(r#"{{"colors": [{color}, {{}}], "colors_per_table": 2}}"#));
        assert_eq!(wrong, Err(MediumError::at("colors/1/flags", "expected a value, found nothing").around()));
    }

    #[test]
    fn oversized_bitmap_has_no_png() {
        let rows = |count: i64| (0..count).map(|_| Value::Object(Vec::new())).collect();
        assert!(exported(32, &rows(32)).is_some());
        assert!(exported(32767, &rows(32767)).is_none());
        assert!(exported(32, &rows(31)).is_none(), "too few rows");
    }
}
