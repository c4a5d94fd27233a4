//! Layout tables: what every byte of a record is, as plain data.
//!
//! A table is written once, by [`record!`](crate::record!). Reading, writing, JSON, the census, the checks and the
//! path of any offset are then ordinary functions over the table and the bytes; nothing is listed twice.

use bytemuck::Pod;
use smol_str::SmolStr;

use super::json::{Json, Members};
use super::print::Print;
use super::scan::Scan;

/// Why a byte is in the file. Every byte has exactly one class (`opaque` is the debt we show).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A free value that means something to the game.
    Semantic,
    /// A rule gives it.
    Derived,
    /// The same constant in every file seen.
    Reserved,
    /// A stale address.
    Pointer,
    /// Leftover memory: the tails of texts, garbage blocks, what an editor forgot to cut off.
    Stale,
    /// Gaps and alignment.
    Padding,
    /// Not understood yet.
    Opaque,
}

impl Class {
    /// All classes, in the order of the census.
    pub const ALL: [Self; 7] =
        [Self::Semantic, Self::Derived, Self::Reserved, Self::Pointer, Self::Stale, Self::Padding, Self::Opaque];

    /// The word for it in rows and tables.
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
    /// What lies in the bytes.
    const SHAPE: Shape;
    /// The class of a field of this type that says nothing else.
    const CLASS: Class;
}

/// A record: a [`Shaped`] type with a table of fields. Written by [`record!`](crate::record!).
pub trait Record: Shaped {
    /// The fields, in file order, without holes.
    const LAYOUT: &'static Layout;
}

/// What lies in some bytes of fixed size.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One value.
    Leaf(&'static Leaf),
    /// A record with fields of its own.
    Record(&'static Layout),
    /// So many of one shape, end to end.
    Array(&'static Shape, usize),
}

/// A shape with its class, and what follows from them.
#[derive(Debug)]
pub struct Item {
    /// What lies in the bytes.
    pub shape: Shape,
    /// Their class, unless fields say otherwise.
    pub class: Class,
    /// Bytes it takes.
    pub size: usize,
    /// Whether some field in it has a rule that can be checked.
    pub ruled: bool,
    /// Bytes by class; nothing where the bytes decide.
    pub census: Option<[usize; 7]>,
}

impl Item {
    /// The item that is a value of this type.
    #[must_use]
    pub const fn of<T: Shaped>() -> Self {
        let (shape, class) = (T::SHAPE, T::CLASS);
        // What a record holds that as a whole is leftover memory follows no rule.
        let ruled = matches!(class, Class::Semantic) && shape.ruled();
        Self { shape, class, size: shape.size(), ruled, census: shape.census(class) }
    }

    /// The class of all its bytes, if they have one.
    #[must_use]
    pub fn only_class(&self) -> Option<Class> {
        let census = self.census?;
        let mut classes = Class::ALL.into_iter().zip(census).filter(|(_, bytes)| *bytes > 0);
        classes.next().filter(|_| classes.next().is_none()).map(|(class, _)| class)
    }
}

/// Where in a text field the tail begins, and whether it is padding or stale.
pub type Tail = fn(&[u8]) -> (usize, Class);

/// A value that has no fields: how it is shown, and how much of it is text before a tail.
#[derive(Debug)]
pub struct Leaf {
    /// The type in words, as in `u32` or `text 20`.
    pub name: &'static str,
    /// Bytes it takes.
    pub size: usize,
    /// The value as JSON.
    pub show: fn(&[u8]) -> Json,
    /// Writes that JSON as text, on one line.
    pub print: Print,
    /// Sets the value from JSON, or says what is expected instead.
    pub load: fn(&Json, &mut [u8]) -> Result<(), String>,
    /// For texts: the tail.
    pub tail: Option<Tail>,
    /// For floats: whether it is none. A rule that gives NaN never agrees, not even with the same bits.
    pub nan: fn(&[u8]) -> bool,
    /// Sets the value straight from the text of most tokens, where that is worth something.
    pub scan: Option<Scan>,
}

/// The table of a record, and what follows from it.
#[derive(Debug)]
pub struct Layout {
    /// The name of the Rust type.
    pub name: &'static str,
    /// Bytes it takes.
    pub size: usize,
    /// Its fields, in file order.
    pub fields: &'static [Field],
    /// Whether some field has a rule that can be checked from the bytes of the record alone.
    pub ruled: bool,
    /// Bytes by class; nothing where the bytes decide (a text whose tail may be stale).
    pub census: Option<[usize; 7]>,
    /// The same of the fields where they do not.
    fixed: [usize; 7],
    /// How many columns it takes on one line at least.
    least: usize,
    /// About how many bytes of memory it takes as [`Members`].
    memory: usize,
    /// Whether some field is filled in by its container.
    settles: bool,
    /// Whether some rule reads other fields.
    pub(super) reads: bool,
}

/// What an allocation takes besides the bytes that were asked for.
const ALLOCATION: usize = 16;

/// One field of a record.
#[derive(Debug)]
pub struct Field {
    /// Its name, in JSON and in places.
    pub name: &'static str,
    /// Where it begins in the record.
    pub offset: usize,
    /// What lies in it.
    pub shape: Shape,
    /// The class of its bytes (for a nested record: of none; its own fields say).
    pub class: Class,
    /// What it is expected to hold.
    pub rule: Rule,
}

/// What a field is expected to hold. A rule reads fields without a rule, and of the others only those above its own.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Any value.
    Free,
    /// A constant, written into the buffer given.
    Constant(fn(&mut [u8])),
    /// An exact rule over the record's bytes: left out of JSON while it holds, settled after an edit.
    Exact(fn(&[u8], &mut [u8])),
    /// An advisory rule over the record's bytes: compared and reported, written only on request.
    Advisory(fn(&[u8], &mut [u8])),
    /// The container fills it in (counts, offsets, checksums over other bytes).
    Outside,
}

impl Rule {
    /// Whether it reads other fields of the record.
    pub(super) const fn reads(self) -> bool {
        matches!(self, Self::Exact(_) | Self::Advisory(_))
    }
}

impl Shape {
    /// Bytes it takes.
    #[must_use]
    pub const fn size(&self) -> usize {
        match self {
            Self::Leaf(leaf) => leaf.size,
            Self::Record(layout) => layout.size,
            Self::Array(of, count) => of.size().saturating_mul(*count),
        }
    }

    /// How many columns a value takes on one line at least.
    #[must_use]
    pub const fn least(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            // The last member has no comma.
            Self::Record(layout) => layout.least.saturating_sub(2),
            Self::Array(of, count) => of.least().saturating_add(2).saturating_mul(*count),
        }
    }

    /// About how many bytes of memory a value takes as [`Json`], besides the value itself.
    #[must_use]
    pub(crate) const fn memory(&self) -> usize {
        match self {
            // A short text takes no more, raw bytes are three characters each.
            Self::Leaf(leaf) if leaf.size <= 8 => 0,
            Self::Leaf(leaf) => leaf.size.saturating_mul(2),
            Self::Record(layout) => layout.memory,
            Self::Array(of, count) => {
                size_of::<Json>().saturating_add(of.memory()).saturating_mul(*count).saturating_add(ALLOCATION)
            }
        }
    }

    /// The value in `bytes` as JSON, without what holds anyway (reserved and exact fields that agree).
    #[must_use]
    pub fn show(&self, bytes: &[u8]) -> Json {
        match self {
            Self::Leaf(leaf) => (leaf.show)(bytes),
            Self::Record(layout) => Json::Object(layout.show(bytes, None)),
            Self::Array(of, _) => bytes.chunks_exact(of.size().max(1)).map(|one| of.show(one)).collect(),
        }
    }

    /// The value in `bytes` as JSON, with everything in it.
    #[must_use]
    pub fn show_all(&self, bytes: &[u8]) -> Json {
        match self {
            Self::Leaf(leaf) => (leaf.show)(bytes),
            Self::Record(layout) => Json::Object(layout.show_all(bytes)),
            Self::Array(of, _) => bytes.chunks_exact(of.size().max(1)).map(|one| of.show_all(one)).collect(),
        }
    }

    /// Whether what is found is what a rule gives: to the bit, and no NaN.
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

    /// Counts bytes by class, when they are of `class` unless the fields say otherwise. Only where the bytes decide are they
    /// looked at.
    pub fn count(&self, class: Class, bytes: &[u8], sums: &mut [usize; 7]) {
        if let Some(census) = self.census(class) {
            *sums = plus(*sums, census, 1);
            return;
        }
        match self {
            Self::Leaf(Leaf { tail: Some(split), .. }) => {
                let (own, tail) = split(bytes);
                *sums = plus(*sums, class.one(), own);
                *sums = plus(*sums, tail.one(), bytes.len().saturating_sub(own));
            }
            Self::Record(layout) => {
                *sums = plus(*sums, layout.fixed, 1);
                let decided = layout.fields.iter().filter(|field| field.shape.census(field.class).is_none());
                decided.for_each(|field| field.shape.count(field.class, field.of(bytes).unwrap_or_default(), sums));
            }
            Self::Array(of, _) => {
                bytes.chunks_exact(of.size().max(1)).for_each(|one| of.count(class, one, sums));
            }
            Self::Leaf(_) => {}
        }
    }

    /// Whether some field in it has a rule that can be checked.
    #[must_use]
    pub const fn ruled(&self) -> bool {
        match self {
            Self::Leaf(_) => false,
            Self::Record(layout) => layout.ruled,
            Self::Array(of, _) => of.ruled(),
        }
    }

    /// Bytes by class, when they are of `class` unless its fields say otherwise; nothing where the bytes decide.
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
    /// A census of one byte of this class.
    const fn one(self) -> [usize; 7] {
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

/// A census and so many times another.
const fn plus(to: [usize; 7], one: [usize; 7], times: usize) -> [usize; 7] {
    let ([a, b, c, d, e, f, g], [h, i, j, k, l, m, n]) = (to, one);
    [a + h * times, b + i * times, c + j * times, d + k * times, e + l * times, f + m * times, g + n * times]
}

impl Layout {
    /// The table of these fields.
    #[must_use]
    pub const fn new(name: &'static str, size: usize, fields: &'static [Field]) -> Self {
        let (mut ruled, mut decided, mut fixed, mut rest) = (false, false, [0; 7], fields);
        let (mut least, mut memory) = (2_usize, ALLOCATION);
        let (mut settles, mut reads) = (false, false);
        while let [field, others @ ..] = rest {
            settles |= matches!(field.rule, Rule::Outside);
            reads |= field.rule.reads();
            ruled |= !matches!(field.rule, Rule::Free | Rule::Outside) || field.shape.ruled();
            match field.shape.census(field.class) {
                Some(census) => fixed = plus(fixed, census, 1),
                None => decided = true,
            }
            memory = memory.saturating_add(size_of::<(SmolStr, Json)>());
            if !matches!(field.rule, Rule::Constant(_) | Rule::Exact(_) | Rule::Outside) {
                memory = memory.saturating_add(field.shape.memory());
            }
            if field.is_always_shown() {
                // Its name in quotes, a colon, a comma, and the spaces after these.
                least = least.saturating_add(field.name.len()).saturating_add(6).saturating_add(field.shape.least());
            }
            rest = others;
        }
        let census = if decided { None } else { Some(fixed) };
        Self { name, size, fields, ruled, census, fixed, least, memory, settles, reads }
    }

    /// About how many bytes of memory it takes as [`Members`].
    pub(crate) const fn memory(&self) -> usize {
        self.memory
    }

    /// Whether its derived fields are settled when the whole file is known, for some are filled in by its container.
    #[must_use]
    pub const fn settles(&self) -> bool {
        self.settles
    }

    /// The fields that a reader could not know anyway, as JSON by name; `rules` is the record as its container would
    /// have it.
    ///
    /// A field that does not hold what an exact rule gives shows both, as `{"kept": 401.0, "computed": 400.0}`.
    #[must_use]
    pub fn show(&self, bytes: &[u8], rules: Option<&[u8]>) -> Members {
        let mut members = Members::with_capacity(self.fields.len());
        self.shown(bytes, rules, &mut Vec::new(), |field, found, computed| {
            let found = field.shape.show(found);
            let value = match computed {
                Some(expected) => Json::kept(found, field.shape.show(expected)),
                None => found,
            };
            members.push((SmolStr::new_static(field.name), value));
            true
        });
        members
    }

    /// Calls `tell` for every field that [`show`](Self::show) shows, in order, as long as it returns `true`: with its bytes, and
    /// with those that a rule gives instead if it is kept. Returns whether all of them were told; `buffer` is room to compute in.
    pub fn shown<'a>(
        &self,
        bytes: &'a [u8],
        rules: Option<&[u8]>,
        buffer: &mut Vec<u8>,
        mut tell: impl FnMut(&'static Field, &'a [u8], Option<&[u8]>) -> bool,
    ) -> bool {
        for field in self.fields {
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
            if !tell(field, found, computed) {
                return false;
            }
        }
        true
    }

    /// The fields that nothing gives, as zeros.
    #[must_use]
    pub fn blank(&self) -> Members {
        let free = self.fields.iter().filter(|field| matches!(field.rule, Rule::Free | Rule::Advisory(_)));
        let blank = |field: &Field| {
            let zeros = vec![0; field.shape.size()];
            (!field.is_usual(&zeros)).then(|| (SmolStr::new_static(field.name), field.shape.show(&zeros)))
        };
        free.filter_map(blank).collect()
    }

    /// All fields as JSON by name.
    #[must_use]
    pub fn show_all(&self, bytes: &[u8]) -> Members {
        let field = |field: &Field| Some((SmolStr::new_static(field.name), field.shape.show_all(field.of(bytes)?)));
        self.fields.iter().filter_map(field).collect()
    }
}

impl Field {
    /// The bytes of this field in the bytes of its record.
    #[must_use]
    pub fn of<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        record.get(self.offset..)?.get(..self.shape.size())
    }

    /// Whether it is shown whatever it holds.
    const fn is_always_shown(&self) -> bool {
        matches!(self.rule, Rule::Free | Rule::Advisory(_))
            && !matches!(self.class, Class::Pointer | Class::Stale | Class::Padding)
    }

    /// Whether there is nothing to show: no address, nothing left over, zeros for alignment.
    #[must_use]
    pub fn is_usual(&self, value: &[u8]) -> bool {
        matches!(self.class, Class::Pointer | Class::Stale | Class::Padding) && value.iter().all(|&byte| byte == 0)
    }

    /// What the rule gives for this record, in the buffer; nothing where there is none, or only the container has it.
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

    /// Whether the field holds what its rule gives, to the bit.
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
