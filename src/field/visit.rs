//! What a tape tells while it lays a model: every byte once, in file order, with its place and what it is.

use super::page::Page;
use bytes::Bytes;

use super::coding::Coding;
use super::error::Result;
use super::json::Json;
use super::layout::{Class, Item, Layout, Leaf, Shape};
use super::place::{Label, Place, Step};

/// Someone who sees every byte of a file as its model lays it out: a writer, a hasher, the census, a JSON builder.
pub trait Visitor {
    /// Bytes, each exactly once, in file order.
    ///
    /// # Errors
    /// Whatever stops the visitor stops the tape.
    fn data(&mut self, datum: &Datum<'_>) -> Result;

    /// A group begins; `place` already leads into it.
    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        let _ = (group, place, offset);
    }

    /// The group entered last ends; `place` still leads into it.
    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        let _ = (group, place, offset);
    }

    /// An invariant over several fields holds at a place. Only for a visitor that [counts](Self::counts).
    fn holds(&mut self, place: &Place) {
        let _ = place;
    }

    /// Whether invariants that hold are worth finding the places of.
    fn counts(&self) -> bool {
        false
    }

    /// An invariant over several fields does not hold: what is expected and what is found at a place.
    fn deviates(&mut self, place: &Place, offset: u64, expected: Json, found: Json) {
        let _ = (place, offset, expected, found);
    }

    /// Something that no byte tells, or a remark beside a field, at a place.
    fn fact(&mut self, place: &Place, fact: Json) {
        let _ = (place, fact);
    }

    /// Whether facts are worth finding.
    fn wants_facts(&self) -> bool {
        false
    }

    /// How much it is to be told besides the bytes.
    fn detail(&self) -> Detail {
        Detail::Places
    }

    /// Whether the values that rules of a container give (a checksum over the file) are worth computing.
    fn judges(&self) -> bool {
        false
    }
}

/// How much a visitor is told besides the bytes. Places cost more than the bytes of small fields, so who does not look at
/// them says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Nothing: places and groups are missing.
    Bytes,
    /// Places without the labels of the entries in them; no groups.
    Steps,
    /// Entries: places lead into entries and no further, and only entries are groups.
    Entries,
    /// Everything.
    Places,
}

impl Detail {
    /// Whether places lead to every value.
    #[inline]
    pub(super) const fn steps(self) -> bool {
        matches!(self, Self::Steps | Self::Places)
    }
}

/// What a model groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// Named members.
    Object,
    /// Items by index; each is an [`Object`](Self::Object).
    List,
    /// An entry of a container.
    Entry {
        /// The kind of its payload.
        kind: &'static str,
        /// Where the exchange form has its bytes as they are: the extension of the file.
        raw: Option<&'static str>,
    },
}

/// Some bytes and what they are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Datum<'a> {
    /// Where they are in the model.
    pub place: &'a Place,
    /// Where they are in the file.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
    /// What they are.
    pub what: What<'a>,
}

/// What some bytes are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum What<'a> {
    /// A record whose fields are members of the object at the place; with it, the same record as its container's rules
    /// would have it, where the visitor judges.
    Fields(&'static Layout, Option<&'a [u8]>),
    /// One value.
    Value(&'static Item),
    /// A count or length kept nowhere else than in the length of what it counts.
    Count(&'static Leaf),
    /// Any number of one shape, end to end; with them, the same records as their container's rules would have them, where
    /// the visitor judges.
    Block(&'static Item, Option<&'a [u8]>),
    /// Text of any length.
    Text(&'static Page),
    /// A value in an encoding of its own, and its bytes by class.
    Coded(&'static Coding, [usize; 7]),
    /// Raw bytes.
    Run(Run),
    /// Records that hold all that is expected of them, and their bytes by class if the visitor judges. Only a visitor that wants no
    /// places gets them as one: one with [`Detail::Steps`] or less.
    AsExpected([usize; 7]),
}

/// Raw bytes of any length: their class, and what is expected of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Run {
    /// Bytes that the format does not explain yet.
    Opaque,
    /// Samples of sound, as their format chunk says.
    Samples,
    /// Pixels, as the head of their image says.
    Pixels,
    /// A compressed stream, which no other program would compress to the same bytes.
    Packed,
    /// Bytes that nobody owns, where none are expected: padding while they are zero, else leftover memory.
    Surplus,
    /// Alignment: so many zeros are expected.
    Padding(u64),
    /// What an entry has of its own that begins inside others, behind so many shared bytes; none are expected.
    Overlap(u64),
}

impl Run {
    /// The class of these bytes.
    #[must_use]
    pub fn class(self, bytes: &[u8]) -> Class {
        match self {
            Self::Opaque | Self::Overlap(_) => Class::Opaque,
            Self::Samples | Self::Pixels | Self::Packed => Class::Semantic,
            Self::Surplus | Self::Padding(_) if bytes.iter().all(|&byte| byte == 0) => Class::Padding,
            Self::Surplus | Self::Padding(_) => Class::Stale,
        }
    }
}

/// One field and the bytes it owns.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Owner<'a> {
    /// The field.
    pub place: &'a Place,
    /// Where its bytes begin in the file.
    pub offset: u64,
    /// Their class.
    pub class: Class,
    /// The bytes.
    pub bytes: &'a [u8],
    /// The value, where it is one of fixed shape.
    pub leaf: Option<&'static Leaf>,
}

impl<'a> Datum<'a> {
    /// Tells of every field in these bytes, in file order, down to single values.
    pub fn owners(&self, tell: &mut dyn FnMut(Owner<'_>)) {
        let mut place = self.place.clone();
        let whole = |class, leaf| Owner { place: self.place, offset: self.offset, class, bytes: self.bytes, leaf };
        match self.what {
            What::Fields(layout, _) => fields(layout, self.bytes, self.offset, &mut place, tell),
            What::Value(item) => shaped(&item.shape, item.class, self.bytes, self.offset, &mut place, tell),
            What::Count(leaf) => tell(whole(Class::Derived, Some(leaf))),
            What::Block(item, _) => array(&item.shape, item.class, self.bytes, self.offset, &mut place, tell),
            What::Text(_) => tell(whole(Class::Semantic, None)),
            What::Coded(coding, _) => {
                let mut offset = self.offset;
                (coding.owners)(self.bytes, &mut |steps, class, bytes| {
                    tell(Owner { place: &self.place.with(steps.iter().copied()), offset, class, bytes, leaf: None });
                    offset = advance(offset, bytes.len());
                });
            }
            What::Run(run) => tell(whole(run.class(self.bytes), None)),
            // Who wants to know the fields gets them one by one.
            What::AsExpected(_) => tell(whole(Class::Semantic, None)),
        }
    }
}

fn fields(layout: &Layout, bytes: &[u8], offset: u64, place: &mut Place, tell: &mut dyn FnMut(Owner<'_>)) {
    for field in layout.fields {
        if let Some(value) = field.of(bytes) {
            place.push(Step::Name(field.name));
            shaped(&field.shape, field.class, value, advance(offset, field.offset), place, tell);
            place.pop();
        }
    }
}

fn array(of: &Shape, class: Class, bytes: &[u8], offset: u64, place: &mut Place, tell: &mut dyn FnMut(Owner<'_>)) {
    let mut at = offset;
    for (index, one) in (0..).zip(bytes.chunks_exact(of.size().max(1))) {
        place.push(Step::Index(index));
        shaped(of, class, one, at, place, tell);
        place.pop();
        at = advance(at, one.len());
    }
}

fn shaped(shape: &Shape, class: Class, bytes: &[u8], offset: u64, place: &mut Place, tell: &mut dyn FnMut(Owner<'_>)) {
    match shape {
        // The fields of a record say their own classes, unless the record as a whole is something else.
        Shape::Record(layout) if class == Class::Semantic => fields(layout, bytes, offset, place, tell),
        Shape::Record(layout) => {
            fields(layout, bytes, offset, place, &mut |owner| tell(Owner { class, ..owner }));
        }
        Shape::Array(of, _) => array(of, class, bytes, offset, place, tell),
        Shape::Leaf(leaf) => {
            let (own, tail) = match leaf.tail {
                Some(split) if class == Class::Semantic => split(bytes),
                _ => (bytes.len(), class),
            };
            let (text, rest) = bytes.split_at_checked(own).unwrap_or((bytes, &[]));
            if !text.is_empty() {
                tell(Owner { place, offset, class, bytes: text, leaf: Some(leaf) });
            }
            if !rest.is_empty() {
                let offset = advance(offset, own);
                tell(Owner { place, offset, class: tail, bytes: rest, leaf: None });
            }
        }
    }
}

fn advance(offset: u64, by: usize) -> u64 {
    u64::try_from(by).map_or(u64::MAX, |by| offset.saturating_add(by))
}

/// What an entry should hold, judged by its content; laid out by the family it belongs to.
pub trait Payload: super::tape::Lay + Default {
    /// The word for what it holds.
    fn kind(&self) -> &'static str;

    /// The empty payload of the kind that an entry of this name and content has, ready to be read.
    fn recognise(label: &Label, bytes: &Bytes) -> Self;

    /// The payload for bytes that are kept as they are.
    fn opaque() -> Self;

    /// The empty payload of a kind, ready to be loaded.
    fn of_kind(kind: &str) -> Option<Self>;

    /// Where the exchange form has the bytes as they are: the extension of the file.
    fn raw(&self) -> Option<&'static str>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_owns_is_padding_while_it_is_zero() {
        for run in [Run::Surplus, Run::Padding(2)] {
            assert_eq!([run.class(&[0, 0]), run.class(&[0, 1])], [Class::Padding, Class::Stale]);
        }
        assert_eq!(Run::Opaque.class(&[0, 0]), Class::Opaque);
    }
}
