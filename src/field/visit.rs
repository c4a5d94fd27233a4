//! The interface between a walk and its [`Visitor`]: every byte once, in file order, with its place and type.

use super::code_page::CodePage;
use super::codec::Codec;
use super::error::Result;
use super::layout::{Class, Item, Layout, Leaf, Shape, plus};
use super::place::{Place, Step};
use super::referents::Referents;
use super::value::Value;
use super::wide::wide;

/// A receiver of every byte of a file, in the layout of its model: a writer, a hasher, the census, a recorder for the exchange format.
pub trait Visitor {
    /// Receives bytes, each exactly once, in file order.
    ///
    /// # Errors
    /// Returns an error to stop the walk.
    fn data(&mut self, datum: &Datum<'_>) -> Result;

    /// Receives the beginning of a group; `place` already leads into it.
    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        let _ = (group, place, offset);
    }

    /// Receives the end of the last group entered; `place` still leads into it.
    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        let _ = (group, place, offset);
    }

    /// Receives the place of an invariant over several fields that holds. Called only if the visitor [counts](Self::counts).
    fn holds(&mut self, place: &Place) {
        let _ = place;
    }

    /// Returns `true` if the visitor needs the places of invariants that hold.
    fn counts(&self) -> bool {
        false
    }

    /// Receives the expected and the found value of an invariant over several fields that does not hold.
    fn deviates(&mut self, place: &Place, offset: u64, expected: Value, found: Value) {
        let _ = (place, offset, expected, found);
    }

    /// Receives a fact that no byte stores, or a label, at a place.
    fn fact(&mut self, place: &Place, fact: Value) {
        let _ = (place, fact);
    }

    /// Returns `true` if the visitor needs facts.
    fn wants_facts(&self) -> bool {
        false
    }

    /// Returns the level of detail that the visitor needs besides the bytes.
    fn detail(&self) -> Detail {
        Detail::Places
    }

    /// Returns `true` if the visitor needs the values that rules of a container compute, such as a checksum over the file.
    fn judges(&self) -> bool {
        false
    }
}

/// The level of detail that a visitor receives besides the bytes. Places cost more than the bytes of small fields, so visitors
/// that do not need them ask for less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Bytes only, without places and groups.
    Bytes,
    /// Places, with only those labels of their entries that formats know anyway; no groups.
    Steps,
    /// Entries: places end at entries, and only entries are groups.
    Entries,
    /// All places and groups.
    Places,
}

impl Detail {
    /// Returns `true` if places lead to every value.
    #[inline]
    pub(super) const fn steps(self) -> bool {
        matches!(self, Self::Steps | Self::Places)
    }
}

/// A group of parts in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Named members.
    Object,
    /// Items by index; each is an [`Object`](Self::Object).
    List,
    /// An entry of a container.
    Entry {
        /// The kind of its payload.
        kind: &'static str,
        /// The file extension if the exchange format stores it as raw bytes, otherwise `None`.
        raw: Option<&'static str>,
        /// `true` for a part of a file that is no file by itself: its container decides how it is laid out.
        is_part: bool,
    },
}

/// Bytes with their place and type.
#[derive(Clone, Copy, Debug)]
pub struct Datum<'a> {
    /// Their place in the model.
    pub place: &'a Place,
    /// Their offset in the file.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
    /// Their type.
    pub what: What<'a>,
    /// The names of what the indices in the bytes refer to, if the visitor [wants facts](Visitor::wants_facts) and the format knows them.
    pub referents: Option<&'a dyn Referents>,
}

/// The type of some bytes.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// A record whose fields are members of the object at the place; if the visitor judges, also the record as computed by the
    /// rules of its container.
    Fields(&'static Layout, Option<&'a [u8]>),
    /// One value.
    Value(&'static Item),
    /// A count or length that the model stores only as the length of the counted part.
    Count(&'static Leaf),
    /// Any number of items of one shape, end to end; if the visitor judges, also the records as computed by the rules of their
    /// container.
    Block(&'static Item, Option<&'a [u8]>),
    /// Text of any length.
    Text(&'static CodePage),
    /// A value with its own encoding, and its bytes by class.
    Coded(&'static Codec, &'a [usize; 7]),
    /// Raw bytes.
    Run(Run),
    /// Adjacent parts without deviations, and their bytes by class; with [`Detail::Bytes`], the classes are not counted. Only visitors
    /// that need no places, with [`Detail::Steps`] or less, receive them in one piece, at the offset of the first.
    AsExpected(&'a [usize; 7]),
}

/// Raw bytes of any length, with their class and what is expected of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Bytes whose meaning is not yet known.
    Opaque,
    /// Sound samples, described by their format chunk.
    Samples,
    /// Pixels, described by the header of their image.
    Pixels,
    /// A compressed stream, which other programs would compress to different bytes.
    Packed,
    /// Unowned bytes where none are expected: padding if all are zero, otherwise leftover memory.
    Surplus,
    /// Alignment: this many zeros are expected.
    Padding(u64),
    /// The bytes of an entry that begins inside others, after this many shared bytes; none are expected.
    Overlap(u64),
}

impl What<'_> {
    /// Counts the bytes by class. Returns `false` if a value deviates, or if the bytes have to be seen one by one.
    #[inline]
    pub(super) fn count_as_expected(&self, bytes: &[u8], sums: &mut [usize; 7]) -> bool {
        match *self {
            Self::Fields(layout, rules) => {
                if (layout.ruled || rules.is_some()) && layout.template().deviates(bytes, rules) {
                    return false;
                }
                match layout.census {
                    Some(census) => *sums = plus(*sums, census, 1),
                    None => layout.template().count(bytes, sums),
                }
            }
            Self::Value(item) | Self::Block(item, None) if !item.ruled => match (item.only_class, item.census) {
                (Some(class), _) => class.count(bytes.len(), sums),
                (None, Some(one)) => *sums = plus(*sums, one, bytes.len().checked_div(item.size).unwrap_or(0)),
                (None, None) => return false,
            },
            Self::Count(_) => Class::Derived.count(bytes.len(), sums),
            Self::Text(_) => Class::Semantic.count(bytes.len(), sums),
            Self::Coded(_, census) | Self::AsExpected(census) => *sums = plus(*sums, *census, 1),
            // The class of expected bytes is that of none: those of a padding are zeros.
            Self::Run(run) if run.is_as_expected(bytes) => run.class(&[]).count(bytes.len(), sums),
            Self::Value(_) | Self::Block(..) | Self::Run(_) => return false,
        }
        true
    }
}

impl Run {
    /// Returns `true` if these bytes are expected.
    pub fn is_as_expected(self, bytes: &[u8]) -> bool {
        match self {
            Self::Opaque | Self::Samples | Self::Pixels | Self::Packed => true,
            Self::Padding(wanted) => super::wide(bytes.len()) == wanted && bytes.iter().all(|&byte| byte == 0),
            Self::Surplus | Self::Overlap(_) => false,
        }
    }

    /// Returns the class of these bytes.
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
    /// The file offset of its bytes.
    pub offset: u64,
    /// Their class.
    pub class: Class,
    /// The bytes.
    pub bytes: &'a [u8],
    /// The type of the value if its shape is fixed, otherwise `None`.
    pub leaf: Option<&'static Leaf>,
}

impl<'a> Datum<'a> {
    /// Reports every field in these bytes, in file order, down to single values.
    pub fn owners(&self, tell: &mut dyn FnMut(Owner<'_>)) {
        let mut place = self.place.clone();
        let whole = |class, leaf| Owner { place: self.place, offset: self.offset, class, bytes: self.bytes, leaf };
        match self.what {
            What::Fields(layout, _) => fields(layout, self.bytes, self.offset, &mut place, tell),
            What::Value(item) => shaped(&item.shape, item.class, self.bytes, self.offset, &mut place, tell),
            What::Count(leaf) => tell(whole(Class::Derived, Some(leaf))),
            What::Block(item, _) => array(&item.shape, item.class, self.bytes, self.offset, &mut place, tell),
            What::Text(_) => tell(whole(Class::Semantic, None)),
            What::Coded(codec, _) => {
                let mut offset = self.offset;
                (codec.owners)(self.bytes, &mut |steps, class, bytes| {
                    tell(Owner { place: &self.place.with(steps.iter().copied()), offset, class, bytes, leaf: None });
                    offset = advance(offset, bytes.len());
                });
            }
            What::Run(run) => tell(whole(run.class(self.bytes), None)),
            // A visitor that needs the fields receives the records one by one.
            What::AsExpected(_) => tell(whole(Class::Semantic, None)),
        }
    }
}

fn fields(layout: &Layout, bytes: &[u8], offset: u64, place: &mut Place, tell: &mut dyn FnMut(Owner<'_>)) {
    for field in layout.fields {
        if let Some(value) = field.of(bytes) {
            place.push(Step::Name(field.name));
            shaped(field.shape_in(bytes), field.class, value, advance(offset, field.offset), place, tell);
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
        // Fields have their own classes, unless the class of the whole record overrides them.
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
    offset + wide(by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unowned_bytes_are_padding_if_all_are_zero() {
        for run in [Run::Surplus, Run::Padding(2)] {
            assert_eq!([run.class(&[0, 0]), run.class(&[0, 1])], [Class::Padding, Class::Stale]);
        }
        assert_eq!(Run::Opaque.class(&[0, 0]), Class::Opaque);
    }
}
