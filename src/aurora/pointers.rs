//! Pointers, and the counts next to them.
//!
//! A pointer follows from the layout, so none is kept. The pointer of an empty thing does not: one of the two programs that
//! compiled models set it to null, the other to the offset of the next part, the *cursor* ([`nwn-mdl.md`](formats::nwn_mdl),
//! section 5.3).
//! [`Empties`] keeps which of the two a structure has.

use std::collections::HashMap;

use bitflags::Flags as _;

use field::{Direction, Fault, Result, U32, lay, wide};

use super::flags::{PieceKind, Things};
use super::vectors::Vector;

/// An array without a known use: pointer, used, allocated.
pub(super) const NO_ARRAY: [U32; 3] = [U32::new(0); 3];

/// The values of a structure that do not follow from the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Empties {
    /// Empty things whose pointers are cursors.
    pub at_cursor: Things,
    /// Empty things whose pointers are neither null nor cursors; these are kept in the record.
    pub stray: Things,
    /// Things with different numbers of used and allocated items, or with a count but no pointer; kept in the record.
    pub miscounted: Things,
}

impl Empties {
    /// Returns `true` if the record has a value that does not follow from the model.
    #[must_use]
    pub fn odd(&self) -> bool {
        !self.stray.is_empty() || !self.miscounted.is_empty()
    }
}

/// The owner of a piece: the geometry (0) or an animation (its index and one), the node in preorder, the part, and the
/// item of that.
pub(super) type Owner = (usize, usize, u8, usize);

/// A part that a structure points to.
///
/// Each structure names its parts once, in the order of the walk, by [`Parts`]. Reading, the walk and the order of the pieces of a file
/// all follow from that.
pub(super) struct Part<'a, D: Access> {
    pub(super) kind: PieceKind,
    /// The index among parts of its kind.
    pub(super) item: usize,
    /// The bit for its pointer in [`Empties`], which single items do not have.
    thing: Option<Things>,
    /// The name under which its values are laid out.
    pub(super) name: &'static str,
    pointer: D::At<'a, U32>,
    /// The numbers of used and of allocated entries next to the pointer.
    counts: [Option<D::At<'a, U32>>; 2],
    /// The size of an entry in bytes.
    each: u64,
    /// Its number of bytes.
    pub(super) length: u64,
    /// Its number of bytes by the record, for a part without counts.
    stated: u64,
    /// The pointer if it is empty.
    null: u32,
    /// Its values.
    pub(super) values: Option<D::At<'a, dyn Vector + 'a>>,
}

/// The result of a visit of all parts of a structure.
pub(super) type Visited<E> = core::result::Result<(), E>;

impl<D: Access> Part<'_, D> {
    /// Returns `true` if it is of a kind, and the item of this index where there are several.
    pub(super) fn is(&self, kind: PieceKind, item: usize) -> bool {
        self.kind == kind && (self.thing.is_some() || self.item == item)
    }
}

/// The kind of a part, the bit for its pointer, which has the same name, and the name under which its values are laid out.
pub(super) type PartName = (PieceKind, Things, &'static str);

macro_rules! key {
    ($kind:ident) => {
        key!($kind, "")
    };
    ($kind:ident, $name:literal) => {
        (PieceKind::$kind, Things::$kind, $name)
    };
}
pub(super) use key;

/// A visitor of parts. The structures call the method that fits a part.
pub(super) trait Visit<'a, D: Access, E>: FnMut(Part<'a, D>) -> Visited<E> {
    /// Visits a part with numbers of used and perhaps of allocated entries next to its pointer, given the size of an entry.
    #[inline(always)]
    fn array(
        &mut self,
        (kind, thing, name): PartName,
        pointer: D::At<'a, U32>,
        counts: [Option<D::At<'a, U32>>; 2],
        each: usize,
        values: D::At<'a, dyn Vector + 'a>,
    ) -> Visited<E> {
        let (length, each, thing, null) = (D::length(&values), wide(each), Some(thing), kind.null());
        let values = Some(values);
        self(Part { kind, item: 0, thing, name, pointer, counts, each, length, stated: 0, null, values })
    }

    /// Visits a table of this many pointers or numbers.
    #[inline(always)]
    fn table(
        &mut self,
        (kind, thing, name): PartName,
        pointer: D::At<'a, U32>,
        counts: [Option<D::At<'a, U32>>; 2],
        entries: usize,
    ) -> Visited<E> {
        let (length, thing, null, values) = (wide(entries) * 4, Some(thing), kind.null(), None);
        self(Part { kind, item: 0, thing, name, pointer, counts, each: 4, length, stated: 0, null, values })
    }

    /// Visits a part without such numbers, given its number of bytes by the record.
    #[inline(always)]
    fn vector(
        &mut self,
        (kind, thing, name): PartName,
        pointer: D::At<'a, U32>,
        stated: u64,
        values: Option<D::At<'a, dyn Vector + 'a>>,
    ) -> Visited<E> {
        let (length, thing, null) = (values.as_ref().map_or(0, D::length), Some(thing), kind.null());
        self(Part { kind, item: 0, thing, name, pointer, counts: [None, None], each: 1, length, stated, null, values })
    }

    /// Visits an item of this many bytes, with its pointer if it is empty.
    #[inline(always)]
    fn item(
        &mut self,
        (kind, item): (PieceKind, usize),
        pointer: D::At<'a, U32>,
        (length, null): (u64, u32),
        values: Option<D::At<'a, dyn Vector + 'a>>,
    ) -> Visited<E> {
        let (name, counts, stated) = ("", [None, None], length);
        self(Part { kind, item, thing: None, name, pointer, counts, each: 1, length, stated, null, values })
    }
}

impl<'a, D: Access, E, F: FnMut(Part<'a, D>) -> Visited<E>> Visit<'a, D, E> for F {}

/// A structure that points to parts.
pub(super) trait Parts<D: Access> {
    /// Visits each part once, in the order of the walk.
    fn parts<'a, E>(it: D::At<'a, Self>, visit: &mut impl Visit<'a, D, E>) -> Visited<E>;

    /// Visits counts that are next to no pointer.
    fn count(it: D::At<'_, Self>, b: &mut Binder<'_>) -> Visited<Fault> {
        let _ = (it, b);
        Ok(())
    }
}

/// The tape by which a model is looked at.
pub(super) type Walking = field::walk::Tape<'static>;

/// Visits each part of a structure once, in the order of the walk.
pub(super) fn each_part<'a, T: Parts<Walking>>(it: &'a T, mut visit: impl FnMut(Part<'a, Walking>)) {
    let Ok(()) = T::parts(it, &mut |part: Part<'a, Walking>| {
        visit(part);
        Ok::<_, core::convert::Infallible>(())
    });
}

/// A tape that sets values of structures, or compares them.
pub(super) trait Put: Direction + Sized {
    /// Sets a value, or returns `false` if it is different.
    fn put<T: PartialEq>(slot: Self::At<'_, T>, value: T) -> bool;
}

impl Put for field::build::Tape<'_> {
    #[inline]
    fn put<T: PartialEq>(slot: &mut T, value: T) -> bool {
        *slot = value;
        true
    }
}

impl Put for field::walk::Tape<'_> {
    #[inline]
    fn put<T: PartialEq>(slot: &T, value: T) -> bool {
        *slot == value
    }
}

/// Lays out structures with pointers.
pub(super) trait Access: Put {
    /// Returns a value.
    fn get(slot: &Self::At<'_, U32>) -> U32;

    /// Returns the number of bytes of a vector.
    fn length<'a>(values: &Self::At<'a, dyn Vector + 'a>) -> u64;

    /// Returns the name and the values of a part of a structure, or of the item of this index, or `None` if it has no such part.
    fn values<'a, T: Parts<Self>>(
        it: Self::At<'a, T>,
        kind: PieceKind,
        item: usize,
    ) -> Option<(&'static str, Self::At<'a, dyn Vector + 'a>)>
    where
        'a: 'a;

    /// Visits all pointers and counts of a structure.
    fn bind<T: Parts<Self>>(it: Self::At<'_, T>, b: &mut Binder<'_>) -> Visited<Fault>;

    /// Computes the pointers of a structure, or checks them.
    fn bound<T: Parts<Self>>(&mut self, it: Self::At<'_, T>, b: &Binder<'_>) -> Result;
}

/// The action of a [`Binder`] on pointers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way<'a> {
    /// Collects the parts that the pointers refer to, and marks values that do not follow from the model.
    Collect,
    /// Marks pointers of empty things that are cursors, in a file that is laid out by the walk.
    MarkCursors,
    /// Computes them by the walk.
    Walk,
    /// Takes them from the offsets of the pieces.
    Place(&'a HashMap<Owner, u64>),
}

/// A visitor of the pointers of a structure, with the position of the walk in both sections.
#[derive(Clone, Debug)]
pub(super) struct Binder<'a> {
    pub(super) way: Way<'a>,
    /// The values of the structure that do not follow from the model.
    pub(super) empties: Empties,
    pub(super) model: u64,
    pub(super) raw: u64,
    /// Tree and node.
    pub(super) owner: (usize, usize),
    /// The bytes of the nodes below in the model data.
    pub(super) below: u64,
    /// The part, the pointer and the length of everything that was collected.
    pub(super) found: Vec<(PieceKind, u32, u64)>,
    /// Whether the pointer of the first empty stream of unknown type is a cursor, and whether those of all others agree with it.
    pub(super) streams: Option<(bool, bool)>,
    /// Set if a value that is only compared is different.
    pub(super) differs: bool,
}

impl<'a> Binder<'a> {
    /// Returns a binder for a structure at these positions of both sections.
    pub(super) fn new(way: Way<'a>, empties: Empties, model: u64, raw: u64) -> Self {
        let (owner, below, found, streams, differs) = ((0, 0), 0, Vec::new(), None, false);
        Self { way, empties, model, raw, owner, below, found, streams, differs }
    }

    /// Returns `true` if pointers and counts are computed.
    pub(super) fn fills(&self) -> bool {
        matches!(self.way, Way::Walk | Way::Place(_))
    }

    fn cursor(&mut self, part: PieceKind) -> &mut u64 {
        if part.is_raw() { &mut self.raw } else { &mut self.model }
    }

    /// Sets or compares a value.
    pub(super) fn put<D: Access, T: PartialEq>(&mut self, slot: D::At<'_, T>, value: T) {
        self.differs |= !D::put(slot, value);
    }

    /// Visits the pointer to a part, and the counts next to it.
    fn part<D: Access>(&mut self, part: Part<'_, D>) -> Visited<Fault> {
        let Part { kind, item, thing, pointer, counts: [used, allocated], each, length, stated, null, .. } = part;
        let thing = thing.unwrap_or(Things::empty());
        let mut bytes = if matches!(self.way, Way::Collect) { stated } else { length };
        if let Some(used) = used {
            let count = D::get(&used);
            if matches!(self.way, Way::Collect) {
                bytes = u64::from(count.get()) * each;
            }
            if self.fills() {
                let count = offset(length / each)?;
                self.put::<D, _>(used, count);
                if let Some(allocated) = allocated.filter(|_| !self.empties.miscounted.contains(thing)) {
                    self.put::<D, _>(allocated, count);
                }
            } else if allocated.is_some_and(|allocated| D::get(&allocated) != count) {
                self.empties.miscounted.insert(thing);
            }
        }
        let (found, cursor) = (D::get(&pointer).get(), *self.cursor(kind));
        let is_empty = bytes == 0;
        let is = |things: Things| is_empty && !thing.is_empty() && things.contains(thing);
        match self.way {
            Way::Collect if !is_empty => self.found.push((kind, found, bytes)),
            Way::MarkCursors if !is_empty => {}
            Way::Walk if !is_empty || is(self.empties.at_cursor) => self.put::<D, _>(pointer, offset(cursor)?),
            Way::Place(places) if !is_empty => {
                let owner = (self.owner.0, self.owner.1, kind.get(), item);
                let place = places.get(&owner).ok_or_else(|| Fault::Unknown {
                    found: "none".to_owned(),
                    expected: format!("a piece for {}", kind.name().unwrap_or("a part")),
                })?;
                self.put::<D, _>(pointer, offset(*place)?);
            }
            Way::Walk | Way::Place(_) if is(self.empties.stray) => {}
            Way::Walk | Way::Place(_) => self.put::<D, _>(pointer, U32::new(null)),
            Way::Collect | Way::MarkCursors => {
                let is_cursor = matches!(self.way, Way::MarkCursors) && u64::from(found) == cursor;
                let (at_cursor, stray) = (found != null && is_cursor, found != null && !is_cursor);
                if thing == Things::STREAMS {
                    // One bit covers all six pointers. If they do not agree, all pointers are kept in the record.
                    let (first, alike) = self.streams.unwrap_or((at_cursor, true));
                    self.streams = Some((first, alike && first == at_cursor && !stray));
                } else if found != null {
                    self.empties.stray.set(thing, stray);
                    self.empties.at_cursor.set(thing, at_cursor || self.empties.at_cursor.contains(thing));
                }
            }
        }
        // All nodes below come before the controllers.
        let below = if kind == PieceKind::CHILDREN { self.below } else { 0 };
        *self.cursor(kind) = cursor + bytes + below;
        Ok(())
    }
}

/// Returns the fault of a model that was changed and not updated.
pub(super) fn not_recomputed() -> Fault {
    let expected = "pointers, counts and part numbers that match the model".to_owned();
    Fault::Unknown { found: "others".to_owned(), expected }
}

/// Returns an offset or a count as the number in the file.
pub(super) fn offset(value: u64) -> core::result::Result<U32, Fault> {
    u32::try_from(value).map(U32::new).map_err(|_| Fault::TooLarge { value, field: "u32" })
}

lay! {
    impl Lay for Empties {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("at_cursor", at!(self.at_cursor))?;
            t.fact("stray", at!(self.stray))?;
            t.fact("miscounted", at!(self.miscounted))
        }
    }

    impl Access for Tape<'_> {
        #[inline]
        fn get(slot: &at!(U32)) -> U32 {
            **slot
        }

        #[inline]
        fn length<'a>(values: &at!('a (dyn Vector + 'a))) -> u64 {
            wide(values.bytes().len())
        }

        fn values<'a, T: Parts<Self>>(
            it: at!('a T),
            kind: PieceKind,
            item: usize,
        ) -> Option<(&'static str, at!('a dyn Vector))>
        where
            'a: 'a,
        {
            let mut found = None;
            let end = T::parts(it, &mut |part: Part<'a, Self>| {
                if part.is(kind, item) {
                    found = part.values.map(|values| (part.name, values));
                    return Err(());
                }
                Ok(())
            });
            end.err().and(found)
        }

        fn bind<T: Parts<Self>>(it: at!(T), b: &mut Binder<'_>) -> Visited<Fault> {
            T::count(at!(*it), b)?;
            T::parts(it, &mut |part: Part<'_, Self>| b.part(part))?;
            if let Some((first, alike)) = b.streams {
                b.empties.stray.set(Things::STREAMS, !alike);
                b.empties.at_cursor.set(Things::STREAMS, alike && first);
            }
            Ok(())
        }

        fn bound<T: Parts<Self>>(&mut self, it: at!(T), b: &Binder<'_>) -> Result {
            if !self.computing() {
                return Ok(());
            }
            let mut b = b.clone();
            Self::bind(it, &mut b).map_err(|fault| self.error(fault))?;
            if b.differs { Err(self.error(not_recomputed())) } else { Ok(()) }
        }
    }
}
