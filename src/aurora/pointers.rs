//! Pointers, and the counts next to them.
//!
//! A pointer follows from the layout, so none is kept. The pointer of an empty thing does not: one of the two programs that
//! compiled models set it to null, the other to the offset of the next part, the *cursor* ([`nwn-mdl.md`](formats::nwn_mdl),
//! section 5.3).
//! [`Empties`] keeps which of the two a structure has.

use std::collections::HashMap;

use bitflags::Flags as _;

use field::{Direction, Fault, Result, U32, lay, wide};

use super::flags::{Kinds, PieceKind, Things};
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
/// Each structure names each of its parts once, by [`Parts`]. Reading, the walk and the order of the pieces of a file all follow from that.
pub(super) struct Part<'a, D: Access> {
    /// The name under which its values are laid out.
    pub(super) name: &'static str,
    /// The bit for its pointer in [`Empties`], which single items do not have.
    pub(super) thing: Things,
    /// The pointer to it, except for a box inside a box.
    pub(super) pointer: Option<D::At<'a, U32>>,
    /// The numbers of used and of allocated entries next to the pointer.
    pub(super) counts: [Option<D::At<'a, U32>>; 2],
    /// The size of an entry in bytes.
    pub(super) each: u64,
    /// Its number of bytes.
    pub(super) length: u64,
    /// Its number of bytes by the record, for a part without counts.
    pub(super) stated: u64,
    /// The pointer if it is empty; that of the kind if there is none.
    pub(super) null: Option<u32>,
    /// Its values.
    pub(super) values: Option<D::At<'a, dyn Vector + 'a>>,
}

/// The bit for the pointer of a part, and the name under which its values are laid out.
pub(super) type PartName = (Things, &'static str);

/// The result of a visit of all parts of a structure.
pub(super) type Visited<E> = core::result::Result<(), E>;

/// A structure that points to parts.
pub(super) trait Parts<D: Access> {
    /// Returns the kinds that its parts can have.
    fn kinds(_: &Self) -> Kinds {
        Kinds::ALL
    }

    /// Returns a part, or the item of this index of one that has items, or `None` if it has no such part.
    fn part<'a: 'a>(it: D::At<'a, Self>, kind: PieceKind, item: usize) -> Option<Part<'a, D>>;

    /// Visits counts and pointers next to no pointer of a part, given a binder after the visit of all parts.
    fn rest(it: D::At<'_, Self>, b: &mut Binder<'_>) -> Visited<Fault> {
        let _ = (it, b);
        Ok(())
    }
}

#[cfg(test)]
thread_local! {
    /// The number of parts that structures have handed out.
    pub(super) static HANDED_OUT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// The tape by which a model is looked at.
pub(super) type Walking = field::walk::Tape<'static>;

/// Visits each part of a structure once that is of some kinds, in the order of the walk.
pub(super) fn each_part<T: Parts<Walking>>(
    it: &T,
    kinds: Kinds,
    mut visit: impl FnMut(PieceKind, usize, Part<'_, Walking>),
) {
    let Ok(()) = Walking::each_part(it, kinds, &mut |kind, item, part| {
        visit(kind, item, part);
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

/// A tape that hands out the parts of structures.
pub(super) trait Access: Put {
    /// Returns a value.
    fn get(slot: &Self::At<'_, U32>) -> U32;

    /// Returns the number of bytes of a vector.
    fn length<'a>(values: &Self::At<'a, dyn Vector + 'a>) -> u64;

    /// Returns the name and the values of a part, or of the item of this index, or `None` if it has none.
    fn values<'a, T: Parts<Self> + 'a>(
        it: Self::At<'a, T>,
        kind: PieceKind,
        item: usize,
    ) -> Option<(&'static str, Self::At<'a, dyn Vector + 'a>)> {
        let Part { name, values, .. } = T::part(it, kind, item)?;
        Some((name, values?))
    }

    /// Visits each part of a structure once that is of some kinds, in the order of the walk.
    fn each_part<T: Parts<Self>, E>(
        it: Self::At<'_, T>,
        kinds: Kinds,
        visit: &mut impl FnMut(PieceKind, usize, Part<'_, Self>) -> Visited<E>,
    ) -> Visited<E>;

    /// Visits all pointers and counts of a structure.
    fn bind<T: Parts<Self>>(it: Self::At<'_, T>, b: &mut Binder<'_>) -> Visited<Fault>;

    /// Computes the pointers of a structure, or checks them.
    fn bound<T: Parts<Self>>(&mut self, it: Self::At<'_, T>, b: &Binder<'_>) -> Result;

    /// Returns a part without counts, given its number of bytes by the record.
    #[inline]
    fn vector<'a>(
        (thing, name): PartName,
        pointer: Self::At<'a, U32>,
        stated: u64,
        values: Option<Self::At<'a, dyn Vector + 'a>>,
    ) -> Part<'a, Self> {
        #[cfg(test)]
        HANDED_OUT.set(HANDED_OUT.get() + 1);
        let (length, pointer) = (values.as_ref().map_or(0, Self::length), Some(pointer));
        Part { name, thing, pointer, counts: [None, None], each: 1, length, stated, null: None, values }
    }

    /// Returns a part with numbers of used and of allocated entries next to its pointer, given the size of an entry.
    #[inline]
    fn array<'a>(
        name: PartName,
        [pointer, used, allocated]: [Self::At<'a, U32>; 3],
        each: usize,
        values: Self::At<'a, dyn Vector + 'a>,
    ) -> Part<'a, Self> {
        let counts = [Some(used), Some(allocated)];
        Part { counts, each: wide(each), ..Self::vector(name, pointer, 0, Some(values)) }
    }

    /// Returns a table of this many pointers or numbers.
    #[inline]
    fn table<'a>(thing: Things, [pointer, used, allocated]: [Self::At<'a, U32>; 3], entries: usize) -> Part<'a, Self> {
        let (counts, length) = ([Some(used), Some(allocated)], wide(entries) * 4);
        Part { counts, each: 4, length, ..Self::vector((thing, ""), pointer, 0, None) }
    }

    /// Returns an item of this many bytes, with its pointer if it is empty.
    #[inline]
    fn item<'a>(
        pointer: Self::At<'a, U32>,
        (length, null): (u64, u32),
        values: Self::At<'a, dyn Vector + 'a>,
    ) -> Part<'a, Self> {
        Part { length, null: Some(null), ..Self::vector((Things::empty(), ""), pointer, length, Some(values)) }
    }
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
    /// The number of children that the node lacks, because it is a copy.
    pub(super) lacking: usize,
    /// The bytes of the nodes below in the model data.
    pub(super) below: u64,
    /// The position of the first box of an AABB tree.
    pub(super) boxes: u64,
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
        let (owner, found, streams) = ((0, 0), Vec::new(), None);
        Self { way, empties, model, raw, owner, lacking: 0, below: 0, boxes: 0, found, streams, differs: false }
    }

    /// Returns `true` if pointers and counts are computed.
    #[inline]
    pub(super) fn fills(&self) -> bool {
        matches!(self.way, Way::Walk | Way::Place(_))
    }

    #[inline]
    fn cursor(&mut self, part: PieceKind) -> &mut u64 {
        if part.is_raw() { &mut self.raw } else { &mut self.model }
    }

    /// Sets or compares a value.
    #[inline]
    pub(super) fn put<D: Access, T: PartialEq>(&mut self, slot: D::At<'_, T>, value: T) {
        self.differs |= !D::put(slot, value);
    }

    /// Returns the offset of an item of a part, the first item of which is here in the order of the walk.
    pub(super) fn place(&self, kind: PieceKind, item: usize, here: u64) -> core::result::Result<U32, Fault> {
        let Way::Place(places) = self.way else { return offset(here) };
        let place = places.get(&(self.owner.0, self.owner.1, kind.get(), item)).ok_or_else(|| Fault::Unknown {
            found: "none".to_owned(),
            expected: format!("a piece for {}", kind.name().unwrap_or("a part")),
        })?;
        offset(*place)
    }

    /// Visits a part: the pointer to it, and the counts next to that.
    fn part<D: Access>(&mut self, kind: PieceKind, item: usize, part: Part<'_, D>) -> Visited<Fault> {
        let Part { thing, pointer, counts: [used, allocated], each, length, stated, null, .. } = part;
        // A copy of a node lacks its children.
        let length = if kind == PieceKind::CHILDREN { length + wide(self.lacking) * 4 } else { length };
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
        let cursor = *self.cursor(kind);
        if (kind, item) == (PieceKind::BOX, 0) {
            self.boxes = cursor;
        }
        if let Some(pointer) = pointer {
            self.pointer::<D>((kind, item, thing), pointer, null.unwrap_or(kind.null()), bytes)?;
        }
        // All nodes below come before the controllers.
        let below = if kind == PieceKind::CHILDREN { self.below } else { 0 };
        *self.cursor(kind) = cursor + bytes + below;
        Ok(())
    }

    /// Visits the pointer to this many bytes.
    fn pointer<D: Access>(
        &mut self,
        (kind, item, thing): (PieceKind, usize, Things),
        pointer: D::At<'_, U32>,
        null: u32,
        bytes: u64,
    ) -> Visited<Fault> {
        let (found, cursor, is_empty) = (D::get(&pointer).get(), *self.cursor(kind), bytes == 0);
        let is = |things: Things| is_empty && !thing.is_empty() && things.contains(thing);
        match self.way {
            Way::Collect if !is_empty => self.found.push((kind, found, bytes)),
            Way::MarkCursors if !is_empty => {}
            Way::Walk if !is_empty || is(self.empties.at_cursor) => self.put::<D, _>(pointer, offset(cursor)?),
            Way::Place(_) if !is_empty => {
                let place = self.place(kind, item, cursor)?;
                self.put::<D, _>(pointer, place);
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
                } else if at_cursor {
                    self.empties.stray.remove(thing);
                    self.empties.at_cursor.insert(thing);
                } else if stray {
                    self.empties.stray.insert(thing);
                }
            }
        }
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

        fn each_part<T: Parts<Self>, E>(
            it: at!(T),
            kinds: Kinds,
            visit: &mut impl FnMut(PieceKind, usize, Part<'_, Self>) -> Visited<E>,
        ) -> Visited<E> {
            for kind in kinds {
                let mut item = 0;
                while let Some(part) = T::part(at!(*it), kind, item) {
                    visit(kind, item, part)?;
                    item += 1;
                    if !kind.has_items() {
                        break;
                    }
                }
            }
            Ok(())
        }

        fn bind<T: Parts<Self>>(it: at!(T), b: &mut Binder<'_>) -> Visited<Fault> {
            let kinds = T::kinds(it);
            Self::each_part(at!(*it), kinds, &mut |kind, item, part| b.part(kind, item, part))?;
            if let Some((first, alike)) = b.streams {
                b.empties.stray.set(Things::STREAMS, !alike);
                b.empties.at_cursor.set(Things::STREAMS, alike && first);
            }
            T::rest(it, b)
        }

        fn bound<T: Parts<Self>>(&mut self, it: at!(T), b: &Binder<'_>) -> Result {
            self.when_whole(|t| {
                let mut b = b.clone();
                Self::bind(it, &mut b).map_err(|fault| t.error(fault))?;
                if b.differs { Err(t.error(not_recomputed())) } else { Ok(()) }
            })
        }
    }
}
