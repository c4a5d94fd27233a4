//! Layout tables: the meaning of every byte of a record, as plain data.
//!
//! A table is written once, by [`record!`](crate::record!). Reading, writing, the exchange format, the census, the checks and the path of
//! any offset are then ordinary functions over the table and the bytes; no field is listed twice.

use core::ops::Range;

use bytemuck::Pod;
use smol_str::SmolStr;

use super::limits;
use super::sink::{Sink, Source};
use super::value::Value;

/// The reason why a byte is in the file. Every byte has exactly one class (`opaque` counts what is not yet understood).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A free value with a meaning for the game.
    Semantic,
    /// Computed by a rule.
    Derived,
    /// A constant that is equal in every file seen.
    Reserved,
    /// A stale address.
    Pointer,
    /// Leftover memory: tails of strings, garbage blocks, data that an editor forgot to cut off.
    Stale,
    /// Gaps and alignment.
    Padding,
    /// Bytes whose meaning is not yet known.
    Opaque,
}

impl Class {
    /// All classes, in the order of the census.
    pub const ALL: [Self; 7] =
        [Self::Semantic, Self::Derived, Self::Reserved, Self::Pointer, Self::Stale, Self::Padding, Self::Opaque];

    /// Returns its name in rows and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Semantic => "semantic",
            Self::Derived => "derived",
            Self::Reserved => "reserved",
            Self::Pointer => "pointer",
            Self::Stale => "stale",
            Self::Padding => "padding",
            Self::Opaque => "opaque",
        }
    }
}

/// A type of fixed size whose bytes are described: a number, a text field, an array of them, a record.
pub trait Shaped: Pod {
    /// The shape of its bytes.
    const SHAPE: Shape;
    /// The class of a field of this type, unless the field specifies another.
    const CLASS: Class;
}

/// A record: a [`Shaped`] type with a table of fields. Written by [`record!`](crate::record!).
pub trait Record: Shaped {
    /// The fields, in file order, without gaps.
    const LAYOUT: &'static Layout;
}

/// The structure of bytes of fixed size.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One value.
    Leaf(&'static Leaf),
    /// A record with its own fields.
    Record(&'static Layout),
    /// A number of values of one shape, end to end.
    Array(&'static Shape, usize),
}

/// A shape with its class, and facts computed from them.
#[derive(Debug)]
pub struct Item {
    /// The structure of its bytes.
    pub shape: Shape,
    /// Their class, unless fields specify others.
    pub class: Class,
    /// Its size in bytes.
    pub size: usize,
    /// `true` if a field in it has a rule that can be checked.
    pub ruled: bool,
    /// The number of bytes by class, or `None` if it depends on the bytes.
    pub census: Option<[usize; 7]>,
    /// The class of all its bytes, if they have only one.
    pub only_class: Option<Class>,
}

impl Item {
    /// Returns the item for values of this type.
    #[must_use]
    pub const fn of<T: Shaped>() -> Self {
        let (shape, class) = (T::SHAPE, T::CLASS);
        // A record that as a whole is leftover memory follows no rule.
        let ruled = matches!(class, Class::Semantic) && shape.ruled();
        let census = shape.census(class);
        let only_class = match census {
            Some([_, 0, 0, 0, 0, 0, 0]) => Some(Class::Semantic),
            Some([0, _, 0, 0, 0, 0, 0]) => Some(Class::Derived),
            Some([0, 0, _, 0, 0, 0, 0]) => Some(Class::Reserved),
            Some([0, 0, 0, _, 0, 0, 0]) => Some(Class::Pointer),
            Some([0, 0, 0, 0, _, 0, 0]) => Some(Class::Stale),
            Some([0, 0, 0, 0, 0, _, 0]) => Some(Class::Padding),
            Some([0, 0, 0, 0, 0, 0, _]) => Some(Class::Opaque),
            _ => None,
        };
        Self { shape, class, size: shape.size(), ruled, census, only_class }
    }
}

/// A function that finds the tail of a text field: the position at which it begins, and whether it is padding or stale.
pub type Tail = fn(&[u8]) -> (usize, Class);

/// The type of value that a value without fields is shown as and loaded from, for schemas.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// A float, or the text of its bits.
    Float,
    /// A decimal.
    Fixed,
    /// True or false.
    Truth,
    /// Text, or an object with more than text.
    Text,
    /// Bytes as hexadecimal digits.
    Hex,
    /// One of these names, or a whole number.
    Names(fn() -> Vec<&'static str>),
    /// Several of these names with `|` between them, or a whole number.
    Flags(fn() -> Vec<&'static str>),
    /// Text with its own rules, or a whole number.
    Words,
}

/// What a leaf expects where a value is something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A number, or one of the names that [`Takes`] lists: to list them for every name of what an index refers to would take too long.
    Name,
    /// This.
    Other(String),
}

impl<T: Into<String>> From<T> for Expected {
    fn from(text: T) -> Self {
        Self::Other(text.into())
    }
}

/// A type of values without fields: how a value is shown and set, and where its tail begins.
#[derive(Debug)]
pub struct Leaf {
    /// The name of the type, as in `u32` or `text 20`.
    pub name: &'static str,
    /// Its size in bytes.
    pub size: usize,
    /// The type of value that it is shown as and loaded from.
    pub takes: Takes,
    /// Puts the value: a plain one, or of some fields of text an object.
    pub put: fn(&[u8], &mut dyn Sink),
    /// Sets the value. Otherwise returns what is expected; the bytes are then unspecified.
    pub load: fn(&dyn Source, &mut [u8]) -> Result<(), Expected>,
    /// For numbers with names: the type of the number.
    pub number: Option<&'static Leaf>,
    /// For text fields: finds the tail.
    pub tail: Option<Tail>,
    /// For floats: returns `true` for NaN. A rule that computes NaN never agrees, not even with the same bits.
    pub nan: fn(&[u8]) -> bool,
    /// `true` for an index that can be given by the name of what it refers to, if the names are known ([`Referents`](super::Referents)).
    pub refers: bool,
}

/// The table of a record, and facts computed from it.
#[derive(Debug)]
pub struct Layout {
    /// The name of the Rust type.
    pub name: &'static str,
    /// Its size in bytes.
    pub size: usize,
    /// Its fields, in file order.
    pub fields: &'static [Field],
    /// `true` if a field has a rule that can be checked from the bytes of the record alone.
    pub ruled: bool,
    /// The number of bytes by class, or `None` if it depends on the bytes (a text field whose tail may be stale).
    pub census: Option<[usize; 7]>,
    /// The number of columns that its members take at least on one line.
    pub columns: usize,
    /// The approximate memory that it takes as [`Members`](super::Members), in bytes.
    memory: usize,
    /// `true` if its container fills in a field.
    waits_for_container: bool,
    /// `true` if a rule reads other fields.
    pub reads: bool,
    /// `true` if a field holds an index to which a name can refer.
    pub refers: bool,
    /// Returns its rules and classes for whole records, made when they are first needed.
    template: fn() -> &'static Template,
}

/// One field of a record.
#[derive(Debug)]
pub struct Field {
    /// Its name, in the exchange format and in places.
    pub name: &'static str,
    /// The position in the record at which it begins.
    pub offset: usize,
    /// The structure of its bytes.
    pub shape: Shape,
    /// The class of its bytes (unused for a nested record, whose fields have their own).
    pub class: Class,
    /// The rule for its value.
    pub rule: Rule,
    /// For a field whose names depend on other fields: its shape in a record, of the same size.
    pub named: Option<fn(&[u8]) -> &'static Shape>,
}

/// The rule for the value of a field. Rules read only fields without a rule, and fields above their own.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Any value.
    Free,
    /// A constant, written into the buffer given.
    Constant(fn(&mut [u8])),
    /// An exact rule over the record's bytes: not shown while it holds, recomputed after an edit.
    Exact(fn(&[u8], &mut [u8])),
    /// An advisory rule over the record's bytes: compared and reported, written only on request.
    Advisory(fn(&[u8], &mut [u8])),
    /// Filled in by the container (counts, offsets, checksums over other bytes).
    Outside,
}

impl Rule {
    /// Returns `true` if it reads other fields of the record.
    pub(super) const fn reads(self) -> bool {
        matches!(self, Self::Exact(_) | Self::Advisory(_))
    }
}

impl Shape {
    /// Returns its size in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        match self {
            Self::Leaf(leaf) => leaf.size,
            Self::Record(layout) => layout.size,
            Self::Array(of, count) => of.size() * *count,
        }
    }

    /// Returns the approximate memory that a value takes as [`Value`], without the value itself, in bytes.
    #[must_use]
    pub const fn memory(&self) -> usize {
        match self {
            // A short string takes no more; raw bytes are three characters each.
            Self::Leaf(leaf) if leaf.size <= 8 => 0,
            Self::Leaf(leaf) => leaf.size * 2,
            Self::Record(layout) => layout.memory,
            Self::Array(of, count) => (size_of::<Value>() + of.memory()) * *count + limits::ALLOCATION,
        }
    }

    /// Returns `true` if a value equals the one that its rule computes: to the bit, and without NaN.
    #[must_use]
    pub fn agrees(&self, found: &[u8], expected: &[u8]) -> bool {
        found == expected && (expected.iter().all(|&byte| byte == 0) || !self.has_nan(expected))
    }

    fn has_nan(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Leaf(leaf) => (leaf.nan)(bytes),
            Self::Record(_) => false,
            Self::Array(of, _) => bytes.chunks_exact(of.size().max(1)).any(|one| of.has_nan(one)),
        }
    }

    /// Counts bytes by class, where bytes have `class` unless fields specify others. The bytes are read only if the result depends on
    /// them.
    pub fn count(&self, class: Class, bytes: &[u8], sums: &mut [usize; 7]) {
        if let Some(census) = self.census(class) {
            *sums = plus(*sums, census, 1);
            return;
        }
        match self {
            Self::Leaf(Leaf { tail: Some(split), .. }) => {
                let (own, tail) = split(bytes);
                class.count(own, sums);
                tail.count(bytes.len().saturating_sub(own), sums);
            }
            Self::Record(layout) => layout.template().count(bytes, sums),
            Self::Array(of, _) => {
                bytes.chunks_exact(of.size().max(1)).for_each(|one| of.count(class, one, sums));
            }
            Self::Leaf(_) => {}
        }
    }

    /// Returns `true` if a field in it has a rule that can be checked.
    #[must_use]
    pub const fn ruled(&self) -> bool {
        match self {
            Self::Leaf(_) => false,
            Self::Record(layout) => layout.ruled,
            Self::Array(of, _) => of.ruled(),
        }
    }

    /// Returns the number of bytes by class, where bytes have `class` unless fields specify others, or `None` if it depends on the bytes.
    #[must_use]
    pub const fn census(&self, class: Class) -> Option<[usize; 7]> {
        match (self, class) {
            (Self::Record(layout), Class::Semantic) => layout.census,
            (Self::Array(of, count), _) => match of.census(class) {
                Some(one) => Some(plus([0; 7], one, *count)),
                None => None,
            },
            (Self::Leaf(Leaf { tail: Some(_), .. }), Class::Semantic) => None,
            _ => Some(plus([0; 7], class.one(), self.size())),
        }
    }
}

impl Class {
    /// Returns `true` for stale addresses and other leftover memory.
    pub const fn is_leftover(self) -> bool {
        matches!(self, Self::Pointer | Self::Stale)
    }

    /// Adds bytes of this class to a census.
    pub fn count(self, bytes: usize, sums: &mut [usize; 7]) {
        let [semantic, derived, reserved, pointer, stale, padding, opaque] = sums;
        let sum = match self {
            Self::Semantic => semantic,
            Self::Derived => derived,
            Self::Reserved => reserved,
            Self::Pointer => pointer,
            Self::Stale => stale,
            Self::Padding => padding,
            Self::Opaque => opaque,
        };
        *sum += bytes;
    }

    /// Returns the census of one byte of this class.
    pub(super) const fn one(self) -> [usize; 7] {
        match self {
            Self::Semantic => [1, 0, 0, 0, 0, 0, 0],
            Self::Derived => [0, 1, 0, 0, 0, 0, 0],
            Self::Reserved => [0, 0, 1, 0, 0, 0, 0],
            Self::Pointer => [0, 0, 0, 1, 0, 0, 0],
            Self::Stale => [0, 0, 0, 0, 1, 0, 0],
            Self::Padding => [0, 0, 0, 0, 0, 1, 0],
            Self::Opaque => [0, 0, 0, 0, 0, 0, 1],
        }
    }
}

/// Adds a multiple of a census to another.
pub(super) const fn plus(to: [usize; 7], one: [usize; 7], times: usize) -> [usize; 7] {
    let ([a, b, c, d, e, f, g], [h, i, j, k, l, m, n]) = (to, one);
    [a + h * times, b + i * times, c + j * times, d + k * times, e + l * times, f + m * times, g + n * times]
}

/// The rules and classes of a record, including those of nested records, by position.
///
/// It shows only that a record deviates; the [`Layout`] shows which fields do.
#[derive(Debug)]
pub struct Template {
    /// The values of the constants, and the bytes that have one.
    pub(super) expected: Vec<u8>,
    pub(super) constants: Mask,
    /// The fields that depend on the container.
    pub(super) outside: Mask,
    /// The fields among them that can be NaN, which never agrees.
    pub(super) floats: Vec<&'static Field>,
    /// Computed fields, with the ranges of the records that contain them.
    pub(super) computed: Vec<(Range<usize>, &'static Field)>,
    /// `true` if a constant never agrees: it is NaN, or two constants conflict.
    pub(super) never_agrees: bool,
    /// Bytes by class, except for those of strings.
    pub(super) fixed: [usize; 7],
    /// Strings: their ranges, and the functions that find their tails.
    pub(super) texts: Vec<(Range<usize>, Tail)>,
}

/// The relevant bits of a record: the words that have any, each as its offset and its bits.
#[derive(Debug, Default)]
pub(super) struct Mask(pub(super) Vec<(usize, u64)>);

impl Layout {
    /// Creates the table of these fields.
    #[must_use]
    pub const fn new(
        name: &'static str,
        size: usize,
        fields: &'static [Field],
        template: fn() -> &'static Template,
    ) -> Self {
        let (mut ruled, mut decided, mut fixed, mut rest) = (false, false, [0; 7], fields);
        let (mut columns, mut memory) = (0, limits::ALLOCATION);
        let (mut waits_for_container, mut reads, mut refers) = (false, false, false);
        while let [field, others @ ..] = rest {
            waits_for_container |= matches!(field.rule, Rule::Outside);
            refers |= field.index_leaf().is_some();
            reads |= field.reads();
            ruled |= !matches!(field.rule, Rule::Free | Rule::Outside) || field.shape.ruled();
            match field.shape.census(field.class) {
                Some(census) => fixed = plus(fixed, census, 1),
                None => decided = true,
            }
            memory += size_of::<(SmolStr, Value)>();
            if !matches!(field.rule, Rule::Constant(_) | Rule::Exact(_) | Rule::Outside) {
                memory += field.shape.memory();
            }
            if field.is_always_shown() {
                // Its name in quotes, a colon, a comma, the spaces after these, and a value of one column.
                columns += field.name.len() + 7;
            }
            rest = others;
        }
        let census = if decided { None } else { Some(fixed) };
        Self { name, size, fields, ruled, census, columns, memory, waits_for_container, reads, refers, template }
    }

    /// Returns its rules and classes for whole records.
    #[must_use]
    pub fn template(&self) -> &'static Template {
        (self.template)()
    }

    /// Returns the approximate memory that it takes as [`Members`](super::Members), in bytes.
    pub const fn memory(&self) -> usize {
        self.memory
    }

    /// Returns `true` if its derived fields are recomputed when the whole file is known, because its container fills some in.
    #[must_use]
    pub const fn waits_for_container(&self) -> bool {
        self.waits_for_container
    }

    /// Calls `visit` for every field that [`show`](Self::show) shows, with its bytes, and with those that its rule computes if they differ,
    /// until it returns `false`. Leftover memory comes last. Returns `true` if it never did; `buffer` is scratch space.
    pub fn shown<'a>(
        &self,
        bytes: &'a [u8],
        rules: Option<&[u8]>,
        buffer: &mut Vec<u8>,
        mut visit: impl FnMut(&'static Field, &'a [u8], Option<&[u8]>) -> bool,
    ) -> bool {
        let kept = self.fields.iter().filter(|field| !field.is_leftover());
        for field in kept.chain(self.fields.iter().filter(|field| field.is_leftover())) {
            let Some(found) = field.of(bytes) else { continue };
            let expected = match field.rule {
                Rule::Free | Rule::Advisory(_) if field.is_usual(found) => continue,
                Rule::Free | Rule::Advisory(_) => None,
                Rule::Outside => match rules.and_then(|rules| field.of(rules)) {
                    Some(expected) => Some(expected),
                    None => continue,
                },
                Rule::Constant(_) | Rule::Exact(_) => field.expected(bytes, buffer),
            };
            let computed = match expected {
                Some(expected) if field.shape.agrees(found, expected) => continue,
                Some(expected) if !matches!(field.rule, Rule::Constant(_)) => Some(expected),
                _ => None,
            };
            if !visit(field, found, computed) {
                return false;
            }
        }
        true
    }
}

impl Field {
    /// Returns the bytes of this field in the bytes of its record.
    #[must_use]
    pub fn of<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        record.get(self.offset..)?.get(..self.shape.size())
    }

    /// Returns the bytes of this field in the bytes of its record.
    pub fn of_mut<'a>(&self, record: &'a mut [u8]) -> &'a mut [u8] {
        record.get_mut(self.offset..).and_then(|rest| rest.get_mut(..self.shape.size())).unwrap_or_default()
    }

    /// Returns the structure of its bytes in a record.
    #[must_use]
    pub fn shape_in(&'static self, record: &[u8]) -> &'static Shape {
        self.named.map_or(&self.shape, |named| named(record))
    }

    /// Returns `true` if its value cannot be read before those of other fields.
    pub const fn reads(&self) -> bool {
        self.rule.reads() || self.named.is_some()
    }

    /// Returns `true` for a stale address or other leftover memory.
    pub const fn is_leftover(&self) -> bool {
        self.class.is_leftover()
    }

    /// Returns `true` if it is always shown.
    const fn is_always_shown(&self) -> bool {
        matches!(self.rule, Rule::Free | Rule::Advisory(_)) && !self.may_be_usual()
    }

    const fn may_be_usual(&self) -> bool {
        matches!(self.class, Class::Pointer | Class::Stale | Class::Padding)
    }

    /// Returns `true` if the value need not be shown: no address, no leftover memory, zeros for alignment.
    #[must_use]
    pub fn is_usual(&self, value: &[u8]) -> bool {
        self.may_be_usual() && value.iter().all(|&byte| byte == 0)
    }

    /// Returns the value that the rule computes for this record, or `None` if there is no rule or only the container has it.
    pub fn expected<'o>(&self, record: &[u8], out: &'o mut Vec<u8>) -> Option<&'o [u8]> {
        out.clear();
        match self.rule {
            Rule::Free | Rule::Outside => return None,
            Rule::Constant(write) => {
                out.resize(self.shape.size(), 0);
                write(out);
            }
            Rule::Exact(write) | Rule::Advisory(write) => {
                out.resize(self.shape.size(), 0);
                write(record, out);
            }
        }
        Some(out)
    }

    /// Returns `true` if the field equals the value computed from its record, or has none. Allocates only for a large field.
    pub(super) fn is_as_computed(&self, record: &[u8]) -> bool {
        let (Rule::Exact(compute) | Rule::Advisory(compute)) = self.rule else { return true };
        let (mut small, mut large) = ([0; 64], Vec::new());
        let size = self.shape.size();
        let expected = match small.get_mut(..size) {
            Some(small) => small,
            None => {
                large.resize(size, 0);
                &mut large[..]
            }
        };
        compute(record, expected);
        self.of(record).is_some_and(|found| self.shape.agrees(found, expected))
    }

    /// Returns `true` if the field holds the value that its rule computes, to the bit.
    #[must_use]
    pub fn holds(&self, record: &[u8]) -> bool {
        self.expected(record, &mut Vec::new())
            .is_none_or(|expected| self.of(record).is_some_and(|found| self.shape.agrees(found, expected)))
    }
}

impl<T: Shaped, const N: usize> Shaped for [T; N] {
    const SHAPE: Shape = Shape::Array(&T::SHAPE, N);
    const CLASS: Class = T::CLASS;
}
