//! Ordinary picture files, others with traps, and broken files.

use super::{Packing, Pixels, Spec, build, clip, extended, native, region};
use crate::random::Random;
use crate::sample::{Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

const KIND: &str = "picture";
const ALL: &[&str] = &["m1", "m2", "mi"];

/// Returns rows of indices with runs in them.
fn rows(random: &mut Random, length: usize, height: usize, values: u32) -> Vec<Vec<u8>> {
    let mut rows = vec![];
    for _ in 0..height {
        let mut row = vec![];
        while row.len() < length {
            let (value, count) = (random.below(values) as u8, random.below(9) as usize + 1);
            row.extend(std::iter::repeat_n(value, if random.below(3) == 0 { 1 } else { count }));
        }
        row.truncate(length);
        rows.push(row);
    }
    rows
}

/// Returns random colors.
pub fn colors(random: &mut Random, count: u16) -> Vec<[u16; 4]> {
    (0..count).map(|value| [value, random.draw() as u16, random.draw() as u16, random.draw() as u16]).collect()
}

/// Returns width, height and colors of a size class.
fn extent(size: Size) -> (i16, i16, u16) {
    match size {
        Size::Tiny => (9, 3, 3),
        Size::Small => (130, 20, 26),
        Size::Retail => (614, 300, 256),
    }
}

/// Returns a picture of indices, with a header with resolutions.
pub fn ordinary(random: &mut Random, size: Size) -> Spec {
    indexed(random, extent(size))
}

/// Returns a picture of this width, height and number of colors.
pub(crate) fn indexed(random: &mut Random, (width, height, count): (i16, i16, u16)) -> Spec {
    let row_bytes = (width as u16).next_multiple_of(8);
    let pixels = Pixels::indexed(
        [width, height],
        row_bytes,
        colors(random, count),
        rows(random, row_bytes.into(), height as usize, count.into()),
    );
    Spec::new(width, height, vec![extended(width, height), clip(width, height), pixels.write()])
}

/// Returns a picture as written by native QuickDraw, of indices or of 16-bit or 32-bit colors.
fn quickdraw(random: &mut Random, size: Size, bits: u16) -> Spec {
    let (width, height, count) = extent(size);
    let row_bytes = (width as u16 * (bits / 8)).next_multiple_of(8);
    let (length, unit) = match bits {
        32 => (usize::from(width as u16 * 3), 1),
        bits => (row_bytes.into(), usize::from(bits / 8)),
    };
    let mut of = Pixels::indexed([width, height], row_bytes, colors(random, count), vec![]);
    of.rows = rows(random, length, height as usize, count.into());
    of.packing = Packing::QuickDraw(unit);
    of.color_table = 0x0012_3456;
    if bits > 8 {
        (of.opcode, of.pixel_size, of.pack_type) = (0x9A, bits, if bits == 16 { 3 } else { 4 });
        (of.components, of.color_table) = (3, 0);
    }
    Spec::new(width, height, vec![native(width, height), clip(width, height), of.write()])
}

fn file(spec: &Spec) -> Vec<u8> {
    [vec![0; 512], build(spec)].concat()
}

/// Returns picture files of a size class. Source of the traps: marathon-images.md, sections 5 and 6.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample =
        |name: &str, bytes| Sample { name: name.into(), kind: KIND, games: ALL, bytes, trap: None, deviates: false };
    let plain = |name: &str, of: &dyn Fn(&mut Random) -> Spec| sample(name, file(&of(&mut Random::named(seed, name))));
    let ordinary_files = [
        plain("01604.pct", &|random| ordinary(random, size)),
        plain("01605.pct", &|random| quickdraw(random, size, 8)),
        plain("01606.pct", &|random| quickdraw(random, size, 16)),
        plain("01607.pct", &|random| quickdraw(random, size, 32)),
    ];
    let odd = TRAPS.iter().map(|trap| {
        let mut spec = ordinary(&mut Random::named(seed, trap.name), size.of_traps());
        (trap.edit)(&mut spec);
        Sample { trap: Some(trap.words), deviates: trap.deviates, ..sample(trap.name, file(&spec)) }
    });
    ordinary_files.into_iter().chain(odd).collect()
}

/// Returns pixels of one row.
fn one_row(opcode: u16, row: &[u8], row_bytes: u16) -> Pixels {
    let mut pixels = Pixels::indexed([row.len() as i16, 1], row_bytes, vec![[0, 1, 2, 3]; 2], vec![row.to_vec()]);
    pixels.opcode = opcode;
    pixels
}

const TRAPS: [Trap<Spec>; 22] = [
    reported("pict_size.pct", "a size that is not that of the picture", |spec| spec.size = Some(7)),
    reported("pict_trailing.pct", "bytes behind the end", |spec| spec.trailing = b"left".into()),
    reported("pict_pad.pct", "a pad byte that is not 0", |spec| {
        spec.padding = 0xEE;
        spec.opcodes.insert(1, (0x00A1, [&[0x01, 0xF2, 0, 5][..], b"8BIM!"].concat()));
    }),
    kept("pict_comment.pct", "a remark with data", |spec| {
        spec.opcodes.insert(1, (0x00A1, [&[0x01, 0xF2, 0, 22][..], b"8BIM", &[7; 18]].concat()))
    }),
    kept("pict_packed_oddly.pct", "rows that no known packer makes", |spec| {
        let mut pixels = one_row(0x98, &[1, 1, 1, 1, 0, 0, 0, 0], 8);
        pixels.packing = Packing::Odd;
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_nothing_code.pct", "a row with a code that does nothing", |spec| {
        let (opcode, mut data) = one_row(0x98, &[1; 8], 8).write();
        let row = data.len() - 3;
        data.splice(row.., [3, 0x80, 0xF9, 1]);
        spec.opcodes.push((opcode, data));
    }),
    kept("pict_narrow.pct", "rows of less than 8 bytes, which are not packed", |spec| {
        let mut pixels = one_row(0x98, &[1, 1, 1, 1, 1, 1], 6);
        pixels.packing = Packing::None;
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_plain.pct", "pixels that are not packed", |spec| {
        let mut pixels = one_row(0x90, &[1; 16], 16);
        pixels.packing = Packing::None;
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_bitmap.pct", "pixels of one bit", |spec| {
        let mut pixels = one_row(0x98, &[0xAA; 8], 8);
        pixels.pixel_map = false;
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_region.pct", "pixels within a region that is no rectangle", |spec| {
        let mut pixels = one_row(0x99, &[1, 2, 3, 4, 5, 6, 7, 8], 8);
        pixels.mask = region(8, 1, &[0, 0, 4, 0x7FFF, 1, 0, 4, 0x7FFF, 0x7FFF]);
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_plain_region.pct", "plain pixels within a region", |spec| {
        let mut pixels = one_row(0x91, &[1; 8], 8);
        pixels.mask = region(8, 1, &[]);
        pixels.packing = Packing::None;
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_direct_region.pct", "colors within a region", |spec| {
        let mut pixels = one_row(0x9B, &[1; 16], 16);
        (pixels.size, pixels.pixel_size, pixels.pack_type, pixels.components) = ([8, 1], 16, 3, 3);
        pixels.packing = Packing::QuickDraw(2);
        pixels.mask = region(8, 1, &[]);
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_four_planes.pct", "colors of four components", |spec| {
        let mut pixels = one_row(0x9A, &[1; 16], 16);
        (pixels.size, pixels.pixel_size, pixels.pack_type, pixels.components) = ([4, 1], 32, 4, 4);
        pixels.packing = Packing::QuickDraw(1);
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_long_rows.pct", "rows whose lengths take two bytes", |spec| {
        spec.opcodes.push(one_row(0x98, &[9; 251], 251).write())
    }),
    kept("pict_no_rows.pct", "pixels without a row, and colors without one", |spec| {
        let mut pixels = one_row(0x98, &[], 8);
        (pixels.size, pixels.rows, pixels.colors) = ([8, 0], vec![], vec![]);
        spec.opcodes.push(pixels.write());
    }),
    kept("pict_other_opcodes.pct", "opcodes that only have a length", |spec| {
        spec.opcodes.extend([
            (0x0000, vec![]),
            (0x001E, vec![]),
            (0x0022, vec![1; 6]),
            (0x0030, vec![2; 8]),
            (0x002C, [&[0, 3][..], b"abc"].concat()),
            (0x0070, vec![0, 10, 1, 2, 3, 4, 5, 6, 7, 8]),
            (0x00A0, vec![0, 150]),
            (0x00D0, [&[0, 0, 0, 2][..], b"ab"].concat()),
            (0x0300, vec![3; 6]),
            (0x8000, vec![]),
            (0x8101, [&[0, 0, 0, 1][..], b"a"].concat()),
            (0x8200, [&[0, 0, 0, 4][..], b"moov"].concat()),
        ])
    }),
    kept("pict_frame.pct", "a frame that is not the pixels'", |spec| spec.frame = [-10, -20, -5, 4000]),
    kept("pict_version_1.pct", "a picture of version 1", |spec| {
        spec.version_1 = true;
        let mut pixels = one_row(0x98, &[0xAA; 8], 8);
        pixels.pixel_map = false;
        spec.opcodes = vec![clip(8, 1), pixels.write(), (0x31, vec![0; 8])];
    }),
    kept("pict_empty.pct", "a picture that draws nothing", |spec| spec.opcodes.clear()),
    kept("pict_clip_lines.pct", "a clip region of lines", |spec| {
        spec.opcodes[1] = (0x0001, region(9, 3, &[0, 1, 2, 0x7FFF, 0x7FFF]))
    }),
    reported("pict_header_reserved.pct", "a header whose reserved bytes are not 0", |spec| spec.opcodes[0].1[23] = 9),
    reported("pict_header_other.pct", "a header of neither form", |spec| {
        spec.opcodes[0].1[..2].copy_from_slice(&[0, 1])
    }),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = ordinary(&mut Random::named(seed, "broken.pct"), Size::Tiny);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new(KIND, &format!("{name}.pct"), file(&spec), why)
    };
    let with = |row: Vec<u8>| {
        move |spec: &mut Spec| {
            let (opcode, mut data) = one_row(0x98, &[1; 8], 8).write();
            let at = data.len() - 3;
            data.splice(at.., row.iter().copied());
            spec.opcodes.push((opcode, data));
        }
    };
    let others = [
        broken("pict_row_over", "a row of more pixels than it has room for", &with(vec![2, 0xF8, 1])),
        broken("pict_row_short", "a row of fewer pixels than it has room for", &with(vec![2, 0xFA, 1])),
        broken("pict_row_literal", "pixels behind the end of their row", &with(vec![2, 7, 1])),
        broken("pict_row_count", "a row behind the end of the file", &with(vec![200, 0xF9, 1])),
        broken("pict_no_end", "no end", &|spec| spec.ends = false),
        broken("pict_upside_down", "bounds whose bottom is above the top", &|spec| {
            let mut pixels = one_row(0x98, &[1; 8], 8);
            pixels.size = [8, -1];
            spec.opcodes.push(pixels.write());
        }),
        broken("pict_pattern", "an opcode whose length nobody knows", &|spec| spec.opcodes.push((0x0012, vec![0; 8]))),
        broken("pict_region_9", "a region shorter than its head", &|spec| {
            spec.opcodes[1] = (0x0001, vec![0, 9, 0, 0, 0, 0, 0, 0, 0, 0])
        }),
        broken("pict_colors_ffff", "more colors than the file holds", &|spec| {
            let at = 2 + 8 + 36 + 6;
            spec.opcodes[2].1[at..at + 2].copy_from_slice(&[0xFF, 0xFE]);
        }),
        broken("pict_data_long", "data longer than the file", &|spec| {
            spec.opcodes.push((0x8200, vec![0x7F, 0xFF, 0xFF, 0xFF]))
        }),
    ];
    let whole = file(&plain);
    let places =
        [(512 + 9, "in its head"), (512 + 14, "before its opcodes"), (whole.len() - 1, "before its last byte")];
    others.into_iter().chain(cuts(KIND, "pct", &whole, &places)).collect()
}
