//! What an ordinary text cannot say of a file, in lines that are remarks for all other programs: leftover memory, and results of a compiler
//! that differ in some bits.
//!
//! A line holds a part of a node, and for each value in it a checksum of what the text compiles to and the bytes of the file that differ.
//! So a line counts as long as the text gives what it gave: after an edit, the compiled value stays.
//!
//! Source: `nwn-mdl-text.md`, section 9.

use std::collections::{HashMap, HashSet};

use bitflags::Flags as _;
use bytes::Bytes;

use crate::aabb_tree::{BoxHeader, Entry};
use crate::controllers::Key;
use crate::flags::{NodeFlags, PieceKind, Things};
use crate::header::{Animation, AnimationHeader, Event, GeometryHeader, ModelHeader};
use crate::mesh::{Corner, List, MeshHeader, Streams};
use crate::mesh_types::{AnimHeader, DanglyHeader, MeshType, SkinHeader};
use crate::model::Model;
use crate::node::{Node, NodeHeader, PartNumber};
use crate::parts::{Emitter, Flare, LightHeader, Reference};
use crate::piece::{Piece, Whose};
use crate::pointers::Empties;
use field::{Block, F32, Layout, Record as _, Rule, Shape, Truth, U32, bytes_of, bytes_of_mut, unhex};

use super::syntax::MARK;
use super::words::{self, ORIENTATION, Word};

/// A record in a part of a model, whose fields have lines of their own.
pub(super) struct RecordPart<T> {
    name: &'static str,
    layout: &'static Layout,
    /// The words of a text that hold its fields.
    pub(super) words: &'static [Word],
    pub(super) get: fn(&T) -> Option<&[u8]>,
    pub(super) get_mut: fn(&mut T) -> Option<&mut [u8]>,
}

/// Bytes in a part of a model.
pub(super) struct BytesPart<T> {
    name: &'static str,
    /// The size of an item, or 0 if all bytes are one.
    item: usize,
    get: fn(&T) -> Option<Vec<u8>>,
    set: fn(&mut T, Vec<u8>),
}

/// A part of a model that lines are about.
pub(super) trait Marked: Sized + 'static {
    const RECORDS: &'static [RecordPart<Self>];
    const BYTES: &'static [BytesPart<Self>];
    /// Returns `true` if pointers of empty things are kept in the records.
    fn is_odd(&self) -> bool;
}

/// Declares records by their words and the path to each.
macro_rules! record {
    ($name:literal, $layout:ty, $words:expr, |$it:ident| $get:expr, $get_mut:expr) => {
        RecordPart {
            name: $name,
            layout: <$layout>::LAYOUT,
            words: $words,
            get: |$it| Some(bytes_of($get?)),
            get_mut: |$it| Some(bytes_of_mut($get_mut?)),
        }
    };
}

/// Declares a vector of a node.
macro_rules! vector {
    ($name:literal, $part:ident, $item:literal) => {
        BytesPart {
            name: $name,
            item: $item,
            get: |node| Some(node.content(PieceKind::$part, 0)?.bytes().to_vec()),
            set: |node, bytes| {
                if let Some(vector) = node.content_mut(PieceKind::$part, 0) {
                    vector.share(&bytes.into());
                }
            },
        }
    };
}

/// Declares the values of a structure that do not follow from the model.
macro_rules! empties {
    () => {
        BytesPart {
            name: "empties",
            item: 4,
            get: |it| {
                let Empties { at_cursor, stray, miscounted } = it.empties;
                Some([at_cursor, stray, miscounted].map(|it| it.bits().to_le_bytes()).concat())
            },
            set: |it, bytes| {
                let Empties { at_cursor, stray, miscounted } = &mut it.empties;
                for (to, word) in [at_cursor, stray, miscounted].into_iter().zip(bytes.as_chunks().0) {
                    *to = Things::from_bits_retain(u32::from_le_bytes(*word));
                }
            },
        }
    };
}

/// Declares the number of nodes of the super model.
macro_rules! inherited {
    () => {
        BytesPart {
            name: "inherited",
            item: 0,
            get: |it| Some(bytes_of(&it.geometry.inherited).to_vec()),
            set: |it, bytes| copy(bytes_of_mut(&mut it.geometry.inherited), &bytes),
        }
    };
}

fn copy(to: &mut [u8], from: &[u8]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

impl Marked for Node {
    const RECORDS: &'static [RecordPart<Self>] = &[
        record!("node", NodeHeader, words::NODE, |it| Some(&it.head), Some(&mut it.head)),
        record!("part", PartNumber, &[], |it| Some(&it.part_number), Some(&mut it.part_number)),
        record!(
            "light",
            LightHeader,
            words::LIGHT,
            |it| it.light.as_ref().map(|it| &it.head),
            it.light.as_mut().map(|it| &mut it.head)
        ),
        record!("emitter", Emitter, words::EMITTER, |it| it.emitter.as_deref(), it.emitter.as_deref_mut()),
        record!("reference", Reference, words::REFERENCE, |it| it.reference.as_deref(), it.reference.as_deref_mut()),
        record!(
            "mesh",
            MeshHeader,
            words::MESH,
            |it| it.mesh.as_ref().map(|it| &it.head),
            it.mesh.as_mut().map(|it| &mut it.head)
        ),
        record!(
            "skin",
            SkinHeader,
            &[],
            |it| match &it.mesh.as_ref()?.mesh_type {
                MeshType::Skin(skin) => Some(&skin.head),
                _ => None,
            },
            match &mut it.mesh.as_mut()?.mesh_type {
                MeshType::Skin(skin) => Some(&mut skin.head),
                _ => None,
            }
        ),
        record!(
            "anim_mesh",
            AnimHeader,
            words::ANIM,
            |it| match &it.mesh.as_ref()?.mesh_type {
                MeshType::Anim(anim) => Some(&anim.head),
                _ => None,
            },
            match &mut it.mesh.as_mut()?.mesh_type {
                MeshType::Anim(anim) => Some(&mut anim.head),
                _ => None,
            }
        ),
        record!(
            "dangly",
            DanglyHeader,
            words::DANGLY,
            |it| match &it.mesh.as_ref()?.mesh_type {
                MeshType::Dangly(dangly) => Some(&dangly.head),
                _ => None,
            },
            match &mut it.mesh.as_mut()?.mesh_type {
                MeshType::Dangly(dangly) => Some(&mut dangly.head),
                _ => None,
            }
        ),
    ];
    const BYTES: &'static [BytesPart<Self>] = &[
        empties!(),
        BytesPart {
            name: "unordered",
            item: 0,
            get: |it| Some(vec![u8::from(bool::from(it.unordered))]),
            set: |it, bytes| it.unordered = Truth::from(bytes.first().is_some_and(|it| *it != 0)),
        },
        BytesPart {
            name: "bones",
            item: 0,
            get: |it| match &it.mesh.as_ref()?.mesh_type {
                MeshType::Skin(skin) => Some(skin.bones.bytes().to_vec()),
                _ => None,
            },
            set: |it, bytes| {
                if let Some(skin) = it.skin_mut() {
                    skin.bones = shared(bytes);
                }
            },
        },
        BytesPart { name: "flares", item: 0, get: flares, set: set_flares },
        BytesPart { name: "lists", item: 0, get: lists, set: set_lists },
        BytesPart { name: "boxes", item: 41, get: boxes, set: set_boxes },
        BytesPart { name: "pads", item: 1, get: pads, set: set_pads },
        vector!("keys", KEYS, 12),
        BytesPart { name: "turns", item: 16, get: turns, set: set_turns },
        vector!("data", DATA, 0),
        vector!("flaresizes", FLARE_SIZES, 4),
        vector!("flarepositions", FLARE_POSITIONS, 4),
        vector!("flarecolorshifts", FLARE_SHIFTS, 12),
        vector!("map", MAP, 0),
        vector!("rotations", ROTATIONS, 16),
        vector!("translations", TRANSLATIONS, 12),
        vector!("constants", CONSTANTS, 4),
        vector!("animverts", ANIM_VERTICES, 0),
        vector!("animtverts", ANIM_COORDINATES, 0),
        vector!("constraints", CONSTRAINTS, 0),
        vector!("faces", FACES, 32),
        vector!("weights", WEIGHTS, 16),
        vector!("slots", SLOTS, 8),
        vector!("verts", VERTICES, 12),
        vector!("tverts", COORDINATES_0, 8),
        vector!("tverts1", COORDINATES_1, 0),
        vector!("tverts2", COORDINATES_2, 0),
        vector!("tverts3", COORDINATES_3, 0),
        vector!("normals", NORMALS, 12),
        vector!("colors", COLORS, 4),
        vector!("stream_0", STREAM_0, 0),
        vector!("stream_1", STREAM_1, 0),
        vector!("stream_2", STREAM_2, 0),
        vector!("tangents", STREAM_3, 0),
        vector!("stream_4", STREAM_4, 0),
        vector!("signs", STREAM_5, 0),
    ];

    fn is_odd(&self) -> bool {
        self.empties.odd()
    }
}

impl Marked for Animation {
    const RECORDS: &'static [RecordPart<Self>] = &[
        record!("geometry", GeometryHeader, &[], |it| Some(&it.geometry.head), Some(&mut it.geometry.head)),
        record!("animation", AnimationHeader, words::ANIMATION, |it| Some(&it.head), Some(&mut it.head)),
    ];
    const BYTES: &'static [BytesPart<Self>] = &[
        empties!(),
        inherited!(),
        BytesPart {
            name: "events",
            item: size_of::<Event>(),
            get: |it| Some(it.events.bytes().to_vec()),
            set: |it, bytes| it.events = shared(bytes),
        },
    ];

    fn is_odd(&self) -> bool {
        self.empties.odd()
    }
}

impl Marked for Model {
    const RECORDS: &'static [RecordPart<Self>] = &[
        record!("geometry", GeometryHeader, &[], |it| Some(&it.geometry.head), Some(&mut it.geometry.head)),
        record!("model", ModelHeader, words::MODEL, |it| Some(&it.head), Some(&mut it.head)),
    ];
    const BYTES: &'static [BytesPart<Self>] = &[
        empties!(),
        inherited!(),
        BytesPart { name: "order", item: 0, get: order, set: set_order },
        BytesPart {
            name: "trailing",
            item: 0,
            get: |it| Some(it.trailing.to_vec()),
            set: |it, bytes| it.trailing = bytes.into(),
        },
    ];

    fn is_odd(&self) -> bool {
        self.empties.odd()
    }
}

/// Returns whole records of some bytes.
fn shared<T: bytemuck::Pod>(bytes: Vec<u8>) -> Block<T> {
    let rest = bytes.len().checked_rem(size_of::<T>()).unwrap_or(0);
    let bytes = Bytes::from(bytes);
    Block::shared(bytes.slice(..bytes.len() - rest))
}

fn flares(node: &Node) -> Option<Vec<u8>> {
    let flares = &node.light.as_ref()?.flares;
    Some(flares.iter().flat_map(|flare| flare.name.iter().copied().chain([0])).collect())
}

fn set_flares(node: &mut Node, bytes: Vec<u8>) {
    let Some(light) = &mut node.light else { return };
    let names = bytes.split_inclusive(|byte| *byte == 0).filter_map(|name| name.strip_suffix(&[0]));
    light.flares = names.map(|name| Flare { name: name.to_vec().into(), ..Flare::default() }).collect();
}

fn lists(node: &Node) -> Option<Vec<u8>> {
    let lists = &node.mesh.as_ref()?.lists;
    let one = |list: &List| {
        let count = u32::try_from(list.vertices.len()).unwrap_or(u32::MAX);
        [&count.to_le_bytes()[..], bytes_of(&list.stray), list.vertices.bytes()].concat()
    };
    Some(lists.iter().flat_map(one).collect())
}

fn set_lists(node: &mut Node, bytes: Vec<u8>) {
    let Some(mesh) = &mut node.mesh else { return };
    let (mut lists, mut rest) = (Vec::new(), &bytes[..]);
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, stray @ ..] = *head;
        let count = usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        let length = count.saturating_mul(size_of::<Corner>()).min(after.len());
        let (own, next) = after.split_at_checked(length).unwrap_or((after, &[]));
        let stray = U32::new(u32::from_le_bytes(stray));
        lists.push(List { vertices: shared(own.to_vec()), stray, ..List::default() });
        rest = next;
    }
    mesh.lists = lists;
}

fn boxes(node: &Node) -> Option<Vec<u8>> {
    let MeshType::Aabb(tree) = &node.mesh.as_ref()?.mesh_type else { return None };
    // The pointers follow from the tree.
    let one = |entry: &Entry| {
        let head = BoxHeader { left_at: U32::default(), right_at: U32::default(), ..entry.head };
        bytes_of(&head).iter().copied().chain([entry.unusual.get()]).collect::<Vec<u8>>()
    };
    Some(tree.entries.iter().flat_map(one).collect())
}

fn set_boxes(node: &mut Node, bytes: Vec<u8>) {
    let Some(MeshType::Aabb(tree)) = node.mesh.as_mut().map(|mesh| &mut mesh.mesh_type) else { return };
    let entry = |bytes: &[u8; 41]| {
        let mut entry = Entry::default();
        copy(bytes_of_mut(&mut entry.head), bytes);
        entry.unusual.set(bytes.last().copied().unwrap_or_default());
        entry
    };
    tree.entries = bytes.as_chunks().0.iter().map(entry).collect();
}

fn pads(node: &Node) -> Option<Vec<u8>> {
    Some(node.keys.iter().flat_map(|key| key.unk_0b.0).collect())
}

fn set_pads(node: &mut Node, bytes: Vec<u8>) {
    node.keys.edit(|keys| keys.iter_mut().zip(bytes).for_each(|(key, pad)| key.unk_0b.0 = [pad]));
}

/// Returns the rotations of the controllers of a node.
fn turns(node: &Node) -> Option<Vec<u8>> {
    Some(
        places_of_turns(node)
            .filter_map(|at| node.data.get(at..at + 4))
            .flatten()
            .flat_map(bytes_of)
            .copied()
            .collect(),
    )
}

fn set_turns(node: &mut Node, bytes: Vec<u8>) {
    let places: Vec<usize> = places_of_turns(node).collect();
    node.data.edit(|data| {
        for (at, turn) in places.into_iter().zip(bytes.as_chunks::<16>().0) {
            let place = data.get_mut(at..at + 4).unwrap_or_default();
            for (to, word) in place.iter_mut().zip(turn.as_chunks().0) {
                *to = F32::new(f32::from_le_bytes(*word));
            }
        }
    });
}

/// Returns the index of the values of each rotation.
fn places_of_turns(node: &Node) -> impl Iterator<Item = usize> {
    let is_turn = |key: &&Key| key.kind.get() == ORIENTATION && key.columns.get() == 4;
    node.keys.iter().filter(is_turn).flat_map(|key| {
        let first = usize::try_from(key.data_index.get()).ok();
        (0..key.height()).filter_map(move |row| Some(first? + row * 4))
    })
}

fn order(model: &Model) -> Option<Vec<u8>> {
    let one = |piece: &Piece| {
        let length = u32::try_from(piece.gap.len()).unwrap_or(u32::MAX);
        let head = [bytes_of(&piece.of), &[u8::from(bool::from(piece.shared))]].concat();
        let after = [bytes_of(&piece.children), bytes_of(&piece.parts), &length.to_le_bytes(), &piece.gap];
        [head, after.concat()].concat()
    };
    Some(model.order.iter().flat_map(one).collect())
}

fn set_order(model: &mut Model, bytes: Vec<u8>) {
    const HEAD: usize = size_of::<Whose>();
    let (mut pieces, mut rest) = (Vec::new(), &bytes[..]);
    while let Some((of, after)) = rest.split_first_chunk::<HEAD>()
        && let Some(([shared, a, b, c, d, e, f, g, h, i, j, k, l], after)) = after.split_first_chunk::<13>()
    {
        let long = |word: [u8; 4]| U32::new(u32::from_le_bytes(word));
        let length = usize::try_from(long([*i, *j, *k, *l]).get()).unwrap_or(usize::MAX).min(after.len());
        let (gap, next) = after.split_at_checked(length).unwrap_or((after, &[]));
        let mut piece = Piece {
            shared: Truth::from(*shared != 0),
            children: long([*a, *b, *c, *d]),
            parts: NodeFlags::from_bits_retain(u32::from_le_bytes([*e, *f, *g, *h])),
            gap: gap.to_vec().into(),
            ..Piece::default()
        };
        copy(bytes_of_mut(&mut piece.of), of);
        pieces.push(piece);
        rest = next;
    }
    model.order = pieces;
}

/// Returns the fields of a record that a line can be about: each with its name, offset and size. Pointers are among them on request.
fn fields(part: &'static str, layout: &'static Layout, is_odd: bool) -> impl Iterator<Item = (String, usize, usize)> {
    let fields = layout.fields.iter().filter(move |field| is_odd || !matches!(field.rule, Rule::Outside));
    fields.flat_map(move |field| {
        let (size, each) = match field.shape {
            // Names do not depend on each other.
            Shape::Array(shape, count) if shape.size() > 4 => (shape.size(), Some(count)),
            _ => (field.shape.size(), None),
        };
        (0..each.unwrap_or(1)).map(move |nth| {
            let name = format!("{part}.{}", field.name);
            let name = if each.is_some() { format!("{name}.{nth}") } else { name };
            (name, field.offset + nth * size, size)
        })
    })
}

/// Returns the lines about what differs, and makes the compiled part equal.
pub(super) fn differ<T: Marked>(file: &T, compiled: &mut T) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    let mut put = |name: &str, payload: Option<String>, compiled: &mut T| {
        let Some(payload) = payload else { return Ok(()) };
        wrap(name, &payload, &mut lines);
        apply(compiled, name, &payload).map(drop)
    };
    for part in T::BYTES {
        let (Some(now), Some(old)) = ((part.get)(file), (part.get)(compiled)) else { continue };
        put(part.name, entries(part.item, &old, &now), compiled)?;
    }
    for part in T::RECORDS {
        let Some(now) = (part.get)(file) else { continue };
        for (name, at, size) in fields(part.name, part.layout, file.is_odd()) {
            let of = |record: &[u8]| record.get(at..at + size).map(<[u8]>::to_vec).unwrap_or_default();
            let old = (part.get)(compiled).map(of).unwrap_or_default();
            put(&name, entries(0, &old, &of(now)), compiled)?;
        }
    }
    Ok(lines)
}

/// The number of characters of a payload on a line: the engine and some tools read lines into a buffer.
const WIDTH: usize = 96;

/// The name on the second and further lines of a payload.
const MORE: &str = "...";

fn wrap(name: &str, payload: &str, lines: &mut Vec<String>) {
    for (nth, chunk) in payload.as_bytes().chunks(WIDTH).enumerate() {
        let chunk = String::from_utf8_lossy(chunk);
        lines.push(format!("{MARK} {} {chunk}", if nth == 0 { name } else { MORE }));
    }
}

/// The names and payloads of lines, each with its first line.
pub(super) type Joined<'t> = Vec<(usize, &'t str, String)>;

/// Returns the names and payloads of the lines about a part.
///
/// # Errors
/// Returns the line with a name that another line has too: the whole part would be compared again for each.
pub(super) fn joined<'t>(lines: impl Iterator<Item = (usize, &'t [&'t str])>) -> Result<Joined<'t>, (usize, String)> {
    let (mut all, mut names): (Joined<'_>, _) = (Vec::new(), HashSet::new());
    for (line, words) in lines {
        match (words, all.last_mut()) {
            ([_, MORE, rest @ ..], Some((.., payload))) => payload.extend(rest.iter().copied()),
            ([_, name, ..], _) if !names.insert(*name) => {
                return Err((line, format!("expected one line {MARK} {name} for this part, found another")));
            }
            ([_, name, rest @ ..], _) => all.push((line, name, rest.concat())),
            _ => {}
        }
    }
    Ok(all)
}

fn check(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

fn put_hex(bytes: &[u8], text: &mut String) {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    text.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xF)]));
}

/// Returns the bytes that differ from others of the same length: each run with its offset.
fn runs(old: &[u8], new: &[u8]) -> String {
    let mut text = String::new();
    let mut differ = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new).map(|(at, _)| at).peekable();
    while let Some(first) = differ.next() {
        let mut last = first;
        // An offset takes as much as some bytes.
        while let Some(next) = differ.next_if(|next| *next <= last + 4) {
            last = next;
        }
        if !text.is_empty() {
            text.push('+');
        }
        put_hex(new.get(first..=last).unwrap_or_default(), &mut text);
        if first > 0 {
            text.push_str(&format!("@{first}"));
        }
    }
    text
}

/// Returns what makes compiled bytes those of the file, or `None` if they are. Items that are compiled to the same are listed together:
/// once if they are the same in the file too, or else in their order.
fn entries(item: usize, old: &[u8], new: &[u8]) -> Option<String> {
    if old == new {
        return None;
    }
    if old.len() != new.len() {
        let mut text = format!("{:08x}=", check(old));
        put_hex(new, &mut text);
        return Some(text);
    }
    let item = if item == 0 { old.len() } else { item };
    let mut order = Vec::new();
    let mut by_value: HashMap<&[u8], Vec<&[u8]>> = HashMap::new();
    for (old, new) in old.chunks(item).zip(new.chunks(item)) {
        let known = by_value.entry(old).or_default();
        if known.is_empty() {
            order.push(old);
        }
        known.push(new);
    }
    let mut all = Vec::new();
    for old in order {
        let Some(news) = by_value.get(old) else { continue };
        let is_one = news.iter().zip(news.iter().skip(1)).all(|(one, other)| one == other);
        if is_one && news.first() == Some(&old) {
            continue;
        }
        for new in news.iter().take(if is_one { 1 } else { news.len() }) {
            all.push(format!("{:08x}:{}", check(old), runs(old, new)));
        }
    }
    Some(all.join(","))
}

/// Returns the bytes of the file for compiled ones, and whether all of a payload counts, or `None` if it is not what [`entries`] writes.
fn patched(item: usize, old: &[u8], payload: &str) -> Option<(Vec<u8>, bool)> {
    if let Some((known, bytes)) = payload.split_once('=') {
        let is_known = u32::from_str_radix(known, 16).ok()? == check(old);
        let bytes = unhex(bytes)?;
        return Some((if is_known { bytes } else { old.to_vec() }, is_known));
    }
    let mut by_check: HashMap<u32, Vec<&str>> = HashMap::new();
    for entry in payload.split(',') {
        let (known, runs) = entry.split_once(':')?;
        by_check.entry(u32::from_str_radix(known, 16).ok()?).or_default().push(runs);
    }
    let mut met: HashMap<u32, usize> = HashMap::new();
    let mut new = old.to_vec();
    let item = if item == 0 { old.len() } else { item };
    for value in new.chunks_mut(item.max(1)) {
        let known = check(value);
        let Some(all) = by_check.get(&known) else { continue };
        let nth = met.entry(known).or_default();
        // One entry is about all such items.
        let index = if all.len() == 1 { 0 } else { *nth };
        *nth += 1;
        // The runs are in order, and none overlaps another.
        let mut next = 0;
        for run in all.get(index).into_iter().flat_map(|runs| runs.split('+')).filter(|run| !run.is_empty()) {
            let (bytes, at) = run.split_once('@').unwrap_or((run, "0"));
            let (bytes, at) = (unhex(bytes)?, at.parse::<usize>().ok()?);
            let end = at.checked_add(bytes.len()).filter(|end| next <= at && at < *end)?;
            value.get_mut(at..end)?.copy_from_slice(&bytes);
            next = end;
        }
    }
    let counts =
        by_check.iter().all(|(known, all)| met.get(known).is_some_and(|met| all.len() == 1 || *met >= all.len()));
    Some((new, counts))
}

/// The parts of a mesh that refer to its vertices or have an item for each.
const BY_VERTEX: &[&str] = &[
    "lists",
    "animverts",
    "animtverts",
    "constraints",
    "faces",
    "weights",
    "slots",
    "verts",
    "tverts",
    "tverts1",
    "tverts2",
    "tverts3",
    "normals",
    "colors",
    "stream_0",
    "stream_1",
    "stream_2",
    "tangents",
    "stream_4",
    "signs",
];

/// Returns `true` if all streams have a value for each vertex, or none.
fn agree(streams: &Streams) -> bool {
    let fits = |values: usize| values == 0 || values == streams.vertices.len();
    streams.coordinates.iter().all(|set| fits(set.len())) && fits(streams.normals.len()) && fits(streams.colors.len())
}

/// The lines that no longer count, with the names of what they are about.
pub(super) type Uncounted = Vec<(usize, String)>;

/// Makes a compiled node that of the file, as its lines say. If the mesh has other vertices than the file had, because the text was edited,
/// no line about them counts. Returns the lines that do not count.
///
/// # Errors
/// Returns the line with an error if [`apply`] does.
pub(super) fn apply_to_node(node: &mut Node, lines: &[(usize, String, String)]) -> Result<Uncounted, (usize, String)> {
    let is_by_vertex = |name: &str| BY_VERTEX.contains(&name);
    // The vertices of the file are others in number if a part has another length in it.
    let mut others = lines.iter().filter(|(_, name, payload)| is_by_vertex(name) && payload.contains('='));
    let has_others = others.clone().next().is_some();
    let is_edited = others.any(|(_, name, payload)| {
        let part = Node::BYTES.iter().find(|part| part.name == name);
        let compiled = part.and_then(|part| (part.get)(node));
        let known = payload.split_once('=').and_then(|(known, _)| u32::from_str_radix(known, 16).ok());
        compiled.is_none_or(|bytes| known.is_some_and(|known| known != check(&bytes)))
    });
    let before = (has_others && !is_edited).then(|| node.mesh.clone());
    let uncounted = apply_all(node, lines, |name| !(is_edited && is_by_vertex(name)))?;
    match before.filter(|_| node.mesh.as_ref().is_some_and(|mesh| !agree(&mesh.streams))) {
        None => Ok(uncounted),
        Some(before) => {
            node.mesh = before;
            apply_all(node, lines, |name| !is_by_vertex(name))
        }
    }
}

/// Applies the lines about some parts, and returns those that do not count.
fn apply_all(
    node: &mut Node,
    lines: &[(usize, String, String)],
    is_applied: impl Fn(&str) -> bool,
) -> Result<Uncounted, (usize, String)> {
    let mut uncounted = Vec::new();
    for (line, name, payload) in lines {
        if !is_applied(name) || !apply(node, name, payload).map_err(|why| (*line, why))? {
            uncounted.push((*line, name.clone()));
        }
    }
    Ok(uncounted)
}

/// Makes a compiled part that of the file, as a line says. Returns `false` if the line does not count, or not all of it.
///
/// # Errors
/// Returns an error if a part has no such name, or if the rest of the line is damaged.
pub(super) fn apply<T: Marked>(compiled: &mut T, name: &str, payload: &str) -> Result<bool, String> {
    let damaged =
        || format!("expected what `bitexact export` writes after {MARK} {name}; delete the line to do without");
    if let Some(part) = T::BYTES.iter().find(|part| part.name == name) {
        let Some(old) = (part.get)(compiled) else { return Ok(false) };
        let (new, counts) = patched(part.item, &old, payload).ok_or_else(damaged)?;
        if new != old {
            (part.set)(compiled, new);
        }
        return Ok(counts);
    }
    let (of, _) = name.split_once('.').unwrap_or((name, ""));
    let unknown = || format!("no part of a model is {name}; delete the line to do without");
    let part = T::RECORDS.iter().find(|part| part.name == of).ok_or_else(unknown)?;
    let field = fields(part.name, part.layout, true).find(|(known, ..)| known == name);
    let (_, at, size) = field.ok_or_else(unknown)?;
    let field = (part.get_mut)(compiled).and_then(|record| record.get_mut(at..at + size));
    let Some(field) = field else { return Ok(false) };
    let (new, counts) = patched(0, field, payload).ok_or_else(damaged)?;
    if new.len() != field.len() {
        return Err(damaged());
    }
    field.copy_from_slice(&new);
    Ok(counts)
}
