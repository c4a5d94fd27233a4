//! Vectors: values of one type that a structure points to.
#![allow(clippy::multiple_bound_locations, reason = "bytemuck's derive repeats the bounds")]

use bytes::Bytes;

use crate::field::{self, Block, Class, Record, Result, Run, Shape, Shaped, as_read, lay, wide};

/// The name of the tangents of a mesh.
pub(super) const TANGENTS: &str = "tangents";

/// Any number of values of one type, laid out under a name.
pub(super) trait Vector: field::build::LayBy<&'static str> + field::walk::LayBy<&'static str> {
    /// Returns the bytes of all values.
    fn bytes(&self) -> &[u8];

    /// Takes the values of another vector, whose bytes it shares.
    fn share(&mut self, bytes: &Bytes);
}

impl<T: Shaped> Vector for Block<T> {
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

impl<T: Shaped> Vector for Stream<T> {
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

lay! {
    /// An empty vector is left out. In read mode, a vector takes all that remains.
    impl<T: Shaped> LayBy<&'static str> for Block<T> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, name: &'static str) -> Result {
            let here = t.remaining() / wide(size_of::<T>()).max(1);
            let is_left_out = here == 0 && self.is_empty() && !t.is_given(name);
            if is_left_out { Ok(()) } else { t.block(name, as_read(here), self) }
        }
    }

    /// Bytes that are no values have the name of a stream of unknown type.
    impl<T: Shaped> LayBy<&'static str> for Stream<T> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, name: &'static str) -> Result {
            let raw = if name == TANGENTS { "stream_3" } else { "stream_5" };
            let left = t.remaining() % wide(size_of::<T>()).max(1);
            let mut is_raw = left != 0 || !self.bytes.is_empty();
            t.load(at!(*self), |_, t| {
                is_raw = t.is_given(raw);
                Ok(())
            })?;
            if is_raw { self.bytes.lay_by(t, raw) } else { self.values.lay_by(t, name) }
        }
    }

    impl LayBy<&'static str> for Block {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, name: &'static str) -> Result {
            t.run(name, Run::Opaque, as_read(t.remaining()), self)
        }
    }

    impl Tape<'_> {
        /// Lays out records by another layout of their size, `As`, as a vector.
        pub(in crate::aurora) fn vector_as<As: Record, R: Record>(
            &mut self,
            name: &'static str,
            records: at!(Block<R>),
        ) -> Result {
            let here = self.remaining() / wide(size_of::<R>()).max(1);
            let is_left_out = here == 0 && records.is_empty() && !self.is_given(name);
            if is_left_out { Ok(()) } else { self.block_as::<As, R>(name, as_read(here), records) }
        }

        /// Lays out a part of a structure that is of fixed size.
        pub(in crate::aurora) fn structure<R: Record>(
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

        /// Lays out all items as a list, or one of them as members of the object here.
        pub(in crate::aurora) fn items_of<T: Default + Lay>(
            &mut self,
            name: &'static str,
            item: Option<usize>,
            items: at!(Vec<T>),
        ) -> Result {
            match item {
                Some(item) => items.into_iter().nth(item).map_or(Ok(()), |it| it.lay(self)),
                None if self.loading() => self.list(name, 0_u64, 0, items, |t, it| it.lay(t)),
                None if items.is_empty() => Ok(()),
                None => self.each(name, items, |t, it| it.lay(t)),
            }
        }
    }
}
