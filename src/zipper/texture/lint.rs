//! The traps of texture packages.
//!
//! Source: `zipper-textures.md`, `zipper-editing.md`.

use std::collections::HashMap;

use field::{Step, wide};
use lint::{Lint, Trap, Warnings, Watch, traps};

use super::{Image, ImageHeader, Package};

traps! { TRAPS:
    NO_SIZE = "image-no-size" in Damage:
        "an image has no width or no height" => "it is lost: compare the file with another copy",
        "zipper-textures.md, section 2 (checked)";
    SIZE = "texture-size" in Addition:
        "a side of an image is not a power of two up to 256, or one side is more than 8 times as long as the other" =>
        "Recoil shows its default texture", "zipper-editing.md, section 3 (engine)";
    LEVEL = "texture-level" in Addition:
        "the image of a smaller level is not half, or a quarter, as large as the image that it belongs to" =>
        "the levels of an image are drawn in place of each other: resize all of them",
        "zipper-textures.md, section 2.3 (measured)";
    MODE = "texture-mode" in Change:
        "an image has changed between a palette and direct colors, or its type of alpha" =>
        "a renderer of the game can refuse it", "zipper-textures.md, section 2.5 (engine)";
    SIBLINGS = "texture-siblings" in Change:
        "an image was changed" =>
        "the game takes it from one of several packages, by its settings: change the image in all of them",
        "zipper-editing.md, section 4 (engine)";
    SAME_NAME = "texture-name-repeated" in Addition:
        "an earlier image has the same name, ignoring case" => "Recoil finds the earlier image",
        "zipper-textures.md, section 3 (engine)";
    ORDER = "texture-order" in Addition:
        "the name of an image is not in lower case or not in order" =>
        "Crimson Skies does not find the image, because it searches a sorted directory",
        "zipper-textures.md, section 3 (engine)";
    FONT = "font-letters" in Change:
        "the columns of a font have changed so that it has another number of letters, or it has got a palette" =>
        "Crimson Skies finds the letters between empty columns, so that those after the first change are wrong",
        "zipper-textures.md, section 2.6 (engine)";
    DECAL = "decal" in Addition:
        "a decal is not 64 x 64 with an alpha plane" => "Crimson Skies shows it wrongly or not at all",
        "zipper-textures.md, section 2.6 (measured)";
    LOGO = "logo-ignored" in Change:
        "a small logo of a plane was changed" => "the edit has no effect, because the game puts a decal over it",
        "zipper-textures.md, section 2.6 (measured)";
    TIER = "texture-tier" in Addition:
        "a package is larger than the number of MiB in its name" => "the game chooses it for cards with less memory than it takes",
        "zipper-textures.md, section 3 (engine)";
}

/// The greatest side that every Direct3D driver accepts.
const SIDE: u16 = 256;
/// The greatest ratio of two sides.
const RATIO: u16 = 8;

/// Returns the steps to a part of a directory entry.
fn entry(index: usize, more: &[Step]) -> Vec<Step> {
    [&[Step::Name("directory"), Step::Index(wide(index))], more].concat()
}

impl Lint for Package {
    fn has_signs(&self) -> bool {
        true
    }

    fn lint(&self, out: &mut Warnings<'_>) {
        lint(out, self);
    }

    fn watch(&self, out: &mut Watch<'_>) {
        watch(out, self);
    }
}

fn lint(out: &mut Warnings<'_>, package: &Package) {
    let mut names: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut before: &[u8] = &[];
    for (index, (slot, image)) in package.directory.iter().zip(&package.images).enumerate() {
        let name = slot.name.bytes();
        let first = *names.entry(name.to_ascii_lowercase()).or_insert(index);
        if first != index {
            out.warn(&SAME_NAME, &entry(index, &[Step::Name("name")]), format!("entry {first}"));
        }
        if name < before || name.iter().any(u8::is_ascii_uppercase) {
            out.warn(&ORDER, &entry(index, &[Step::Name("name")]), "");
        }
        before = name;
        let ImageHeader { width, height, .. } = image.head;
        let [width, height] = [width, height].map(|side| side.get());
        if width == 0 || height == 0 {
            out.warn(&NO_SIZE, &entry(index, &[]), format!("{width} x {height}"));
        }
        let is_usual = |side: u16| side.is_power_of_two() && side <= SIDE;
        let ratio = width.max(height).checked_div(width.min(height)).unwrap_or(0);
        if !is_usual(width) || !is_usual(height) || ratio > RATIO {
            out.warn(&SIZE, &entry(index, &[]), format!("{width} x {height}"));
        }
        if package.in_order.into()
            && is_decal(name)
            && ([width, height] != DECAL_SIDES || !image.head.has_alpha_plane())
        {
            out.warn(&DECAL, &entry(index, &[]), format!("{width} x {height}"));
        }
    }
    levels(out, package, &names);
}

/// The sides of a decal.
const DECAL_SIDES: [u16; 2] = [64, 64];

/// Returns `true` if an image is a decal: two digits up to 49, and a letter. A smaller level ends with `_1`.
fn is_decal(name: &[u8]) -> bool {
    let has_number = matches!(name, [b'0'..=b'4', b'0'..=b'9', b'a'..=b'z', ..]);
    has_number && !name.ends_with(b"_1")
}

/// The images of `rimage.zbd` that are fonts.
const FONTS: [&[u8]; 10] = [
    b"lucida_console_8",
    b"lucida_console_8b",
    b"modern_white_12",
    b"modern_red_12",
    b"verdana_red_11",
    b"verdana_white_11",
    b"verdana_green_11",
    b"verdana_offwhite_11",
    b"5pointhud",
    b"5pointhudbrite",
];

/// Returns the number of letters of a font: runs of columns that are not wholly of color 0. None has a palette.
fn letters(image: &Image) -> Option<usize> {
    if image.head.is_indexed() {
        return None;
    }
    let row = usize::from(image.head.width.get()) * 2;
    let mut is_drawn = vec![false; row / 2];
    for row in image.pixels.chunks_exact(row.max(1)) {
        for (column, color) in is_drawn.iter_mut().zip(row.chunks_exact(2)) {
            *column |= color != [0, 0];
        }
    }
    let before = core::iter::once(false).chain(is_drawn.iter().copied());
    Some(before.zip(&is_drawn).filter(|(before, drawn)| !before && **drawn).count())
}

/// Returns `true` if an image is one that the game puts a decal over.
fn is_small_logo(name: &[u8]) -> bool {
    [&b"_noselogo"[..], b"_taillogo", b"_winglogo"].iter().any(|ending| name.ends_with(ending))
}

/// Reports smaller levels, `NAME_1` and `NAME_2`, that do not have a half and a quarter of the sides of the image `NAME`.
fn levels(out: &mut Warnings<'_>, package: &Package, names: &HashMap<Vec<u8>, usize>) {
    let sides = |index: usize| {
        let ImageHeader { width, height, .. } = package.images.get(index)?.head;
        Some([width, height].map(|side| side.get()))
    };
    for (index, slot) in package.directory.iter().enumerate() {
        let name = slot.name.bytes().to_ascii_lowercase();
        for (ending, part) in [(&b"_1"[..], 2), (b"_2", 4)] {
            let base = name.strip_suffix(ending).and_then(|base| names.get(base));
            if let (Some(level), Some(base)) = (sides(index), base.and_then(|base| sides(*base)))
                && base.map(|side| side / part) != level
            {
                let [[width, height], [whole_width, whole_height]] = [level, base];
                let found = format!("{width} x {height}, of {whole_width} x {whole_height}");
                out.warn(&LEVEL, &entry(index, &[]), found);
            }
        }
    }
}

fn watch(out: &mut Watch<'_>, package: &Package) {
    for (index, (slot, image)) in package.directory.iter().zip(&package.images).enumerate() {
        let Image { head, pixels, alpha, palette } = image;
        let (place, name) = (entry(index, &[]), Some(slot.name.bytes()));
        let mode = [u8::from(head.is_indexed()), u8::from(head.has_alpha_plane())];
        out.watch(&MODE, &place, name, &mode);
        let sides = [head.width, head.height];
        let parts = [field::bytes_of(&sides), pixels, alpha, palette.bytes()].concat();
        out.watch(&SIBLINGS, &place, name, &parts);
        if is_small_logo(slot.name.bytes()) {
            out.watch(&LOGO, &place, name, &parts);
        }
        if FONTS.contains(&slot.name.bytes()) {
            let letters = letters(image).map_or(u64::MAX, wide);
            out.watch(&FONT, &place, name, &letters.to_le_bytes());
        }
    }
}

/// Returns the trap of a package whose name states fewer MiB than it has, with its size.
pub(super) fn tier(name: &str, bytes: u64) -> Option<(&'static Trap, String)> {
    let name = name.to_ascii_lowercase();
    let limit: u64 = name.strip_prefix("rtexture")?.strip_suffix(".zbd")?.parse().ok()?;
    let limit = limit.saturating_mul(1 << 20);
    (bytes > limit).then(|| (&TIER, format!("{bytes} bytes, at most {limit}")))
}
