//! Vectors: values of one type that a structure points to.
#![allow(clippy::multiple_bound_locations, reason = "bytemuck's derive repeats the bounds")]

use bytes::Bytes;

use field::{self, Block, Class, Direction, F32, I16, Record, Result, Run, Shape, Shaped, U8, as_read, lay, wide};

/// The name of the tangents of a mesh.
pub(super) const TANGENTS: &str = "tangents";

/// The name under which values are laid out.
#[derive(Clone, Copy)]
pub(super) struct Named(pub(super) &'static str);

/// A value of a vector. A byte is none: bytes are values of unknown type.
pub(super) trait Element: Shaped {}

impl Element for F32 {}
impl Element for I16 {}
impl<const N: usize> Element for [F32; N] {}
impl Element for [I16; 4] {}
impl Element for [U8; 4] {}

/// Any number of values of one type, laid out under a name.
pub(super) trait Vector: field::build::LayBy<Named> + field::walk::LayBy<Named> {
    /// Returns the bytes of all values.
    fn bytes(&self) -> &[u8];

    /// Takes the values of another vector, whose bytes it shares.
    fn share(&mut self, bytes: &Bytes);
}

impl<T: Element> Vector for Block<T> {
    fn bytes(&self) -> &[u8] {
        Self::bytes(self)
    }

    fn share(&mut self, bytes: &Bytes) {
        let rest = bytes.len().checked_rem(size_of::<T>()).unwrap_or(0);
        *self = Self::shared(bytes.slice(..bytes.len() - rest));
    }
}

/// Bytes of unknown type.
impl Vector for Block {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn share(&mut self, bytes: &Bytes) {
        *self = Self::shared(bytes.clone());
    }
}

/// Values per vertex, or bytes that are no whole number of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream<T: Shaped> {
    /// The values.
    pub values: Block<T>,
    /// The bytes, if there are no values.
    pub bytes: Block,
}

impl<T: Shaped> Stream<T> {
    /// Returns `true` if it has neither values nor bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.bytes.is_empty()
    }
}

impl<T: Element> Vector for Stream<T> {
    fn bytes(&self) -> &[u8] {
        if self.bytes.is_empty() { self.values.bytes() } else { &self.bytes }
    }

    fn share(&mut self, bytes: &Bytes) {
        *self = Self { values: Block::default(), bytes: Block::default() };
        match bytes.len().checked_rem(size_of::<T>()) {
            Some(0) => self.values.share(bytes),
            _ => self.bytes.share(bytes),
        }
    }
}

/// A record as leftover memory: the parts of a node in an animation, except for the header.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
struct Leftover<R: Record>(R);

impl<R: Record> Shaped for Leftover<R> {
    const SHAPE: Shape = R::SHAPE;
    const CLASS: Class = Class::Stale;
}

/// Lays out the parts of structures by their names.
pub(super) trait LayVectors: Direction {
    /// Lays out records by another layout of their size, `As`, as a vector.
    fn vector_as<As: Record, R: Record>(&mut self, name: &'static str, records: Self::At<'_, Block<R>>) -> Result;

    /// Lays out a part of a structure that is of fixed size.
    fn structure<R: Record>(
        &mut self,
        name: &'static str,
        record: Self::At<'_, R>,
        is_stale: bool,
        rules: Option<&R>,
    ) -> Result;

    /// Lays out all items as a list, or one of them as members of the object here.
    fn items_of<T: Default + field::build::Lay + field::walk::Lay>(
        &mut self,
        name: &'static str,
        item: Option<usize>,
        items: Self::At<'_, Vec<T>>,
    ) -> Result;
}

lay! {
    /// An empty vector is left out. In read mode, a vector takes all that remains.
    impl<T: Element> LayBy<Named> for Block<T> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Named(name): Named) -> Result {
            let here = t.remaining() / wide(size_of::<T>()).max(1);
            let is_left_out = here == 0 && self.is_empty() && !t.exists(name, false);
            if is_left_out { Ok(()) } else { t.block(name, as_read(here), self) }
        }
    }

    /// Bytes that are no values have the name of a stream of unknown type.
    impl<T: Element> LayBy<Named> for Stream<T> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Named(name): Named) -> Result {
            let raw = if name == TANGENTS { "stream_3" } else { "stream_5" };
            let left = t.remaining() % wide(size_of::<T>()).max(1);
            let is_raw = t.exists(raw, left != 0 || !self.bytes.is_empty());
            if is_raw { self.bytes.lay_by(t, Named(raw)) } else { self.values.lay_by(t, Named(name)) }
        }
    }

    impl LayBy<Named> for Block {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Named(name): Named) -> Result {
            t.run(name, Run::Opaque, as_read(t.remaining()), self)
        }
    }

    impl LayVectors for Tape<'_> {
        fn vector_as<As: Record, R: Record>(
            &mut self,
            name: &'static str,
            records: at!(Block<R>),
        ) -> Result {
            let here = self.remaining() / wide(size_of::<R>()).max(1);
            let is_left_out = here == 0 && records.is_empty() && !self.exists(name, false);
            if is_left_out { Ok(()) } else { self.block_as::<As, R>(name, as_read(here), records) }
        }

        fn structure<R: Record>(
            &mut self,
            name: &'static str,
            record: at!(R),
            is_stale: bool,
            rules: Option<&R>,
        ) -> Result {
            if is_stale {
                self.value(name, recast::<Leftover<R>, _>(record))
            } else {
                self.group(name, |t| t.fields_by(record, rules))
            }
        }

        fn items_of<T: Default + Lay>(
            &mut self,
            name: &'static str,
            item: Option<usize>,
            items: at!(Vec<T>),
        ) -> Result {
            match item {
                Some(item) => items.into_iter().nth(item).map_or(Ok(()), |it| it.lay(self)),
                None if items.is_empty() && !self.exists(name, false) => Ok(()),
                None => self.list(name, as_read(wide(items.len())), 0, items, |t, it| it.lay(t)),
            }
        }
    }
}
