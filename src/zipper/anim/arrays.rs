//! The names that the indices of events stand for.

use core::marker::PhantomData;
use core::ops::Range;

use crate::field::{Block, I16, I32, Json, Layout, Record, Shape, Tape, Whole as _};
use crate::macros::read_pod;

use super::references::AnimRef;

/// What elements of an array are called.
pub(super) trait Names {
    /// The name of an element.
    fn name(&self, index: usize) -> Option<Json>;
}

impl<R: Record> Names for Block<R> {
    fn name(&self, index: usize) -> Option<Json> {
        // The placeholder has none.
        self.get(index).filter(|_| index > 0).and_then(name_in)
    }
}

impl Names for Vec<AnimRef> {
    fn name(&self, index: usize) -> Option<Json> {
        self.get(index).and_then(|it| name_in(&it.name))
    }
}

/// What a record says its name is.
fn name_in<R: Record>(record: &R) -> Option<Json> {
    let field = R::LAYOUT.fields.iter().find(|field| field.name == "name")?;
    let name = field.shape.show(field.of(bytemuck::bytes_of(record))?);
    Some(name.get("text").cloned().unwrap_or(name))
}

/// The arrays of a definition that its events refer to by index alone.
#[derive(Clone, Copy)]
pub(super) struct Arrays<'a> {
    pub(super) nodes: &'a dyn Names,
    pub(super) static_sounds: &'a dyn Names,
    pub(super) effects: &'a dyn Names,
    pub(super) anim_refs: &'a dyn Names,
}

/// An array among those of a definition.
type Pick = for<'a> fn(&Arrays<'a>) -> &'a dyn Names;

const NODES: Pick = |arrays| arrays.nodes;
const SOUNDS: Pick = |arrays| arrays.static_sounds;
const EFFECTS: Pick = |arrays| arrays.effects;
const ANIM_REFS: Pick = |arrays| arrays.anim_refs;

/// The fields that are indices: what the name beside each is called, and which array it is of.
const INDICES: &[(&str, &str, Pick)] = &[
    ("node", "node_name", NODES),
    ("at_node", "at_node_name", NODES),
    ("from_node", "from_node_name", NODES),
    ("to_node", "to_node_name", NODES),
    ("operand_node", "operand_node_name", NODES),
    ("parent", "parent_name", NODES),
    ("child", "child_name", NODES),
    ("static_sound", "static_sound_name", SOUNDS),
    ("bounce_sound", "bounce_sound_name", SOUNDS),
    ("bounce_sound_water", "bounce_sound_water_name", SOUNDS),
    ("bounce_sound_lava", "bounce_sound_lava_name", SOUNDS),
    ("effect", "effect_name", EFFECTS),
    ("wait", "wait_name", ANIM_REFS),
    ("save_index", "save_index_name", ANIM_REFS),
];

/// Where a record has them: known when the program is built, for there are many records and few with any.
struct Indices<R>(PhantomData<R>);

impl<R: Record> Indices<R> {
    const AT: [Option<Range<usize>>; INDICES.len()] = {
        let mut all = [const { None }; INDICES.len()];
        let (mut slots, mut names): (&mut [Option<Range<usize>>], _) = (&mut all, INDICES);
        while let ([slot, slots_left @ ..], [(name, ..), names_left @ ..]) = (slots, names) {
            *slot = place_of(R::LAYOUT, name);
            (slots, names) = (slots_left, names_left);
        }
        all
    };
}

/// Where the field of a name lies, if it is one value.
const fn place_of(layout: &Layout, name: &str) -> Option<Range<usize>> {
    let mut fields = layout.fields;
    while let [field, left @ ..] = fields {
        if is_same(field.name.as_bytes(), name.as_bytes()) {
            return match field.shape {
                Shape::Leaf(leaf) => Some(field.offset..field.offset + leaf.size),
                _ => None,
            };
        }
        fields = left;
    }
    None
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([byte, one_left @ ..], [other_byte, other_left @ ..]) = (one, other) {
        if *byte != *other_byte {
            return false;
        }
        (one, other) = (one_left, other_left);
    }
    one.is_empty() && other.is_empty()
}

/// Says beside the indices of the record laid last which names they stand for.
pub(super) fn remark<R: Record>(t: &mut Tape<'_>, record: &R, arrays: Arrays<'_>) {
    if !t.reading() && t.labelling() {
        let bytes = bytemuck::bytes_of(record);
        for ((_, remark, array), at) in INDICES.iter().zip(&Indices::<R>::AT) {
            if let Some(at) = at {
                t.remark(remark, || array(&arrays).name(index_in(bytes.get(at.clone())?)?));
            }
        }
    }
}

/// An index of 16 or 32 bits, if it is not negative.
fn index_in(bytes: &[u8]) -> Option<usize> {
    let wide = match bytes.len() {
        2 => read_pod::<I16>(bytes)?.wide(),
        _ => read_pod::<I32>(bytes)?.wide(),
    };
    usize::try_from(wide?).ok()
}
