//! The elements that the indices of events refer to: their names, and checks that they exist.

use core::marker::PhantomData;
use core::ops::Range;

use field::macros::read_pod;
use field::{
    Block, I16, I32, Judge, Layout, Leaf, Record, Referents, Roster, Shape, Style as _, Value, Windows, decode_text,
    wide,
};
use kind::Game;
use smol_str::SmolStr;

use super::references::AnimRef;

/// An array of a definition or of its file, as a target of indices.
pub(super) trait Elements {
    /// Returns the number of elements, including the placeholder.
    fn count(&self) -> usize;

    /// Returns the index of the first element.
    fn first(&self) -> usize {
        0
    }

    /// Returns the name of an element.
    fn name(&self, index: usize) -> Option<SmolStr> {
        let _ = index;
        None
    }

    /// Returns the bytes of a name, up to its NUL.
    fn text(&self, index: usize) -> Option<&[u8]> {
        let _ = index;
        None
    }
}

impl<R: Record> Elements for Block<R> {
    fn count(&self) -> usize {
        self.len()
    }

    /// Index 0 is the placeholder.
    fn first(&self) -> usize {
        1
    }

    fn name(&self, index: usize) -> Option<SmolStr> {
        // The placeholder has no name.
        self.get(index).filter(|_| index > 0).and_then(name_in)
    }

    fn text(&self, index: usize) -> Option<&[u8]> {
        self.get(index).filter(|_| index > 0).and_then(text_in)
    }
}

impl Elements for Vec<AnimRef> {
    fn count(&self) -> usize {
        self.len()
    }

    fn name(&self, index: usize) -> Option<SmolStr> {
        self.get(index).and_then(|it| name_in(&it.name))
    }
}

/// An array of this many elements without names.
impl Elements for usize {
    fn count(&self) -> usize {
        *self
    }
}

/// Returns the contents of a record's field `name`.
fn name_in<R: Record>(record: &R) -> Option<SmolStr> {
    let field = R::LAYOUT.fields.iter().find(|field| field.name == "name")?;
    // In every code page, these bytes are these characters.
    if let Some(text) = text_in(record).and_then(|text| core::str::from_utf8(text).ok())
        && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && matches!(field.shape, Shape::Leaf(Leaf { tail: Some(_), .. }))
    {
        return Some(text.into());
    }
    let name = field.shape.show(field.of(field::bytes_of(record))?);
    name.get("text").unwrap_or(&name).text().map(Into::into)
}

/// Returns the name of a record as bytes, up to its NUL.
fn text_in<R: Record>(record: &R) -> Option<&[u8]> {
    let field = R::LAYOUT.fields.iter().find(|field| field.name == "name")?;
    field.of(field::bytes_of(record))?.split(|&byte| byte == 0).next()
}

/// An array, with the range of its indices: most of the many events only need this.
#[derive(Clone, Copy)]
pub(super) struct Array<'a> {
    elements: &'a dyn Elements,
    first: usize,
    count: usize,
}

impl<'a> Array<'a> {
    /// Returns the elements as an array.
    pub(super) fn of(elements: &'a dyn Elements) -> Self {
        Self { elements, first: elements.first(), count: elements.count() }
    }
}

/// The game, and the arrays that events refer to by index.
#[derive(Clone, Copy)]
pub(super) struct Arrays<'a> {
    pub(super) game: Game,
    pub(super) nodes: Array<'a>,
    pub(super) lights: Array<'a>,
    pub(super) puffers: Array<'a>,
    pub(super) dynamic_sounds: Array<'a>,
    pub(super) static_sounds: Array<'a>,
    pub(super) effects: Array<'a>,
    pub(super) anim_refs: Array<'a>,
    pub(super) script_ids: Array<'a>,
    /// The scripts in the pool of the file.
    pub(super) scripts: Array<'a>,
}

impl Arrays<'_> {
    /// Returns empty arrays, for events that are only read.
    pub(super) fn none(game: Game) -> Self {
        let none = Array::of(&0_usize);
        Self {
            game,
            nodes: none,
            lights: none,
            puffers: none,
            dynamic_sounds: none,
            static_sounds: none,
            effects: none,
            anim_refs: none,
            script_ids: none,
            scripts: none,
        }
    }
}

/// One of the arrays.
#[derive(Clone, Copy)]
enum Which {
    Nodes,
    Lights,
    Puffers,
    DynamicSounds,
    StaticSounds,
    Effects,
    AnimRefs,
    ScriptIds,
    Scripts,
}

impl<'a> Arrays<'a> {
    fn get(&self, which: Which) -> &Array<'a> {
        match which {
            Which::Nodes => &self.nodes,
            Which::Lights => &self.lights,
            Which::Puffers => &self.puffers,
            Which::DynamicSounds => &self.dynamic_sounds,
            Which::StaticSounds => &self.static_sounds,
            Which::Effects => &self.effects,
            Which::AnimRefs => &self.anim_refs,
            Which::ScriptIds => &self.script_ids,
            Which::Scripts => &self.scripts,
        }
    }
}

/// The values of a field besides the index of an element.
#[derive(Clone, Copy)]
enum Beside {
    /// These special numbers.
    Special(&'static [i64]),
    /// No special numbers, because elements have no names.
    Nothing,
    /// No special numbers; the record also holds the name of the element.
    Name,
}

use Beside::{Name, Nothing, Special};

/// None, not yet found, the node that the definition runs on, the node that its caller passed.
const SPECIAL: &[i64] = &[0, -1, -100, -200];

/// No animation.
const NO_REF: &[i64] = &[-1];

/// The fields that are indices, each with its array. Source: `zipper-anim-events.md`, section 0.1.
const INDICES: &[(&str, Beside, Which)] = &[
    ("node", Special(SPECIAL), Which::Nodes),
    ("at_node", Special(SPECIAL), Which::Nodes),
    ("from_node", Special(SPECIAL), Which::Nodes),
    ("to_node", Special(SPECIAL), Which::Nodes),
    ("operand_node", Special(SPECIAL), Which::Nodes),
    ("parent", Special(SPECIAL), Which::Nodes),
    ("child", Special(SPECIAL), Which::Nodes),
    ("static_sound", Special(SPECIAL), Which::StaticSounds),
    ("bounce_sound", Special(SPECIAL), Which::StaticSounds),
    ("bounce_sound_water", Special(SPECIAL), Which::StaticSounds),
    ("bounce_sound_lava", Special(SPECIAL), Which::StaticSounds),
    ("effect", Special(SPECIAL), Which::Effects),
    ("wait", Special(NO_REF), Which::AnimRefs),
    ("save_index", Special(NO_REF), Which::AnimRefs),
    ("light", Name, Which::Lights),
    ("puffer", Name, Which::Puffers),
    ("dynamic_sound", Name, Which::DynamicSounds),
    ("slot", Nothing, Which::ScriptIds),
    ("script", Nothing, Which::Scripts),
];

/// The names of the elements that have any, for events that are shown or loaded.
#[derive(Debug)]
pub(super) struct Names {
    nodes: Roster,
    static_sounds: Roster,
    effects: Roster,
    anim_refs: Roster,
}

impl Names {
    /// Collects the names of all elements.
    pub(super) fn of(arrays: &Arrays<'_>) -> Self {
        let roster = |array: &Array<'_>| (0..array.count).map(|index| array.elements.name(index)).collect();
        Self {
            nodes: roster(&arrays.nodes),
            static_sounds: roster(&arrays.static_sounds),
            effects: roster(&arrays.effects),
            anim_refs: roster(&arrays.anim_refs),
        }
    }
}

impl Referents for Names {
    fn of_field(&self, field: &str) -> Option<&Roster> {
        match INDICES.iter().find(|(name, ..)| *name == field)?.2 {
            Which::Nodes => Some(&self.nodes),
            Which::StaticSounds => Some(&self.static_sounds),
            Which::Effects => Some(&self.effects),
            Which::AnimRefs => Some(&self.anim_refs),
            _ => None,
        }
    }
}

/// One of [`INDICES`], and its position in a record.
type Index = (&'static (&'static str, Beside, Which), Range<usize>);

/// The maximum number of indices in a record.
const MOST: usize = 4;

/// The indices of a record, computed at compile time because there are many records and few have any.
struct Indices<R>(PhantomData<R>);

impl<R: Record> Indices<R> {
    const AT: [Option<Index>; MOST] = {
        let mut all = [const { None }; MOST];
        let (mut slots, mut names): (&mut [Option<Index>], _) = (&mut all, INDICES);
        while let [index, names_left @ ..] = names {
            if let Some(at) = place_of(R::LAYOUT, index.0) {
                assert!(!slots.is_empty(), "a record has more indices than `MOST`");
                let [slot, slots_left @ ..] = slots else { break };
                *slot = Some((index, at));
                slots = slots_left;
            }
            names = names_left;
        }
        all
    };
}

/// Returns the position of the field with this name, if it is a single value.
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

/// Expects every index of the record just laid out to refer to an element, and to the named one if the record holds a name.
pub(super) fn refer<R: Record>(t: &mut Judge<'_>, record: &R, arrays: Arrays<'_>) {
    let bytes = field::bytes_of(record);
    for ((field, beside, array), at) in Indices::<R>::AT.iter().flatten() {
        if let Some(index) = bytes.get(at.clone()).and_then(index_in) {
            let name = matches!(beside, Name).then(|| text_in(record)).flatten();
            t.expect(field, || misled(arrays.get(*array), *beside, index, name));
        }
    }
}

/// Returns `true` if every index of a record refers to an element, and to the named one if the record holds a name.
pub(super) fn leads<R: Record>(record: &R, arrays: &Arrays<'_>) -> bool {
    let bytes = field::bytes_of(record);
    // The indices come first; `flatten` would look at every place.
    Indices::<R>::AT.iter().map_while(Option::as_ref).all(|((_, beside, array), at)| {
        bytes.get(at.clone()).and_then(index_in).is_none_or(|index| {
            let name = matches!(beside, Name).then(|| text_in(record)).flatten();
            misled(arrays.get(*array), *beside, index, name).is_none()
        })
    })
}

/// Returns the expected and found index if it refers to no element or to one with a different name.
fn misled(array: &Array<'_>, beside: Beside, index: i64, name: Option<&[u8]>) -> Option<(Value, Value)> {
    let Array { elements: array, first, count } = *array;
    let element = usize::try_from(index).ok().filter(|index| (first..count).contains(index));
    let special = if let Special(special) = beside { special } else { &[] };
    let Some(name) = name else {
        let known = element.is_some() || special.contains(&index);
        return (!known).then(|| (range(first, count, special), index.into()));
    };
    if element.is_some_and(|element| array.text(element) == Some(name)) {
        return None;
    }
    let own = (first..count).find(|&other| array.text(other) == Some(name));
    let expected =
        own.map_or_else(|| format!("the index of {}", decode_text(Windows::PAGE, name)).into(), |own| wide(own).into());
    Some((expected, index.into()))
}

/// Returns the valid indices in words.
fn range(first: usize, count: usize, special: &[i64]) -> Value {
    let elements = (first < count).then(|| format!("{first} to {}", count - 1));
    let words: Vec<_> = elements.into_iter().chain(special.iter().map(i64::to_string)).collect();
    match words.split_last() {
        None => "an element".into(),
        Some((last, [])) => last.as_str().into(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")).into(),
    }
}

/// Returns an index of 16 or 32 bits.
fn index_in(bytes: &[u8]) -> Option<i64> {
    Some(match bytes.len() {
        2 => read_pod::<I16>(bytes)?.get().into(),
        _ => read_pod::<I32>(bytes)?.get().into(),
    })
}
