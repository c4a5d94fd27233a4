//! Pointers, and the counts next to them.
//!
//! A pointer follows from the layout, so none is kept. The pointer of an empty thing does not: one of the two programs that
//! compiled models set it to null, the other to the offset of the next part, the *cursor* ([`nwn-mdl.md`](formats::nwn_mdl),
//! section 5.3).
//! [`Empties`] keeps which of the two a structure has.

use std::collections::HashMap;

use bitflags::Flags as _;

use field::{Direction, Fault, Result, U32, lay};

use super::flags::{PieceKind, Things};

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
    pub(super) model: u64,
    pub(super) raw: u64,
    /// Tree and node.
    pub(super) owner: (usize, usize),
    /// The number of children of the node, and their bytes in the model data.
    pub(super) children: usize,
    pub(super) below: u64,
    /// The part, the pointer and the length of everything that was collected.
    pub(super) found: Vec<(PieceKind, u32, u64)>,
}

/// A structure with pointers.
pub(super) trait Bind {
    /// Visits all pointers and counts.
    fn bind(&mut self, b: &mut Binder<'_>) -> core::result::Result<(), Fault>;

    /// Returns `true` if a binder would leave all of them unchanged.
    fn is_bound(&self, b: &mut Binder<'_>) -> core::result::Result<bool, Fault>;
}

impl<'a> Binder<'a> {
    /// Returns a binder at these positions of both sections.
    pub(super) fn new(way: Way<'a>, model: u64, raw: u64) -> Self {
        Self { way, model, raw, owner: (0, 0), children: 0, below: 0, found: Vec::new() }
    }

    /// Returns `true` if sizes follow from the model, not from its records.
    pub(super) fn sized(&self) -> bool {
        !matches!(self.way, Way::Collect)
    }

    /// Returns `true` if pointers and counts are computed.
    pub(super) fn fills(&self) -> bool {
        matches!(self.way, Way::Walk | Way::Place(_))
    }

    fn cursor(&mut self, part: PieceKind) -> &mut u64 {
        if part.is_raw() { &mut self.raw } else { &mut self.model }
    }

    /// Visits a pointer to an item of a part with this number of bytes.
    pub(super) fn pointer(
        &mut self,
        empties: &mut Empties,
        thing: Things,
        (part, item): (PieceKind, usize),
        pointer: &mut U32,
        bytes: u64,
    ) -> core::result::Result<(), Fault> {
        let (found, cursor) = (pointer.get(), *self.cursor(part));
        if bytes == 0 {
            match self.way {
                Way::Walk if empties.at_cursor.contains(thing) => *pointer = offset(cursor)?,
                Way::Walk | Way::Place(_) if empties.stray.contains(thing) => {}
                Way::Walk | Way::Place(_) => pointer.set(part.null()),
                _ if found == part.null() => {}
                Way::MarkCursors if u64::from(found) == cursor => {
                    empties.stray.remove(thing);
                    empties.at_cursor.insert(thing);
                }
                _ => empties.stray.insert(thing),
            }
            return Ok(());
        }
        match self.way {
            Way::Collect => self.found.push((part, found, bytes)),
            Way::MarkCursors => {}
            Way::Walk => *pointer = offset(cursor)?,
            Way::Place(places) => {
                let owner = (self.owner.0, self.owner.1, part.get(), item);
                let place = places.get(&owner).ok_or_else(|| Fault::Unknown {
                    found: "none".to_owned(),
                    expected: format!("a piece for {}", part.name().unwrap_or("a part")),
                })?;
                *pointer = offset(*place)?;
            }
        }
        *self.cursor(part) = cursor + bytes;
        Ok(())
    }

    /// Visits an array: its pointer and the numbers of used and allocated entries, given the number of entries and the size
    /// of one.
    pub(super) fn array(
        &mut self,
        empties: &mut Empties,
        thing: Things,
        part: PieceKind,
        [pointer, used, allocated]: [&mut U32; 3],
        (entries, each): (u64, u64),
    ) -> core::result::Result<(), Fault> {
        if self.fills() {
            *used = offset(entries)?;
            if !empties.miscounted.contains(thing) {
                *allocated = *used;
            }
        } else if used != allocated {
            empties.miscounted.insert(thing);
        }
        let entries = if self.sized() { entries } else { used.get().into() };
        self.pointer(empties, thing, (part, 0), pointer, entries * each)
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

/// Lays out structures with pointers.
pub(super) trait LayPointers: Direction {
    /// Computes the pointers of a structure, or checks them.
    fn bound<T: Bind>(&mut self, it: Self::At<'_, T>, b: &Binder<'_>) -> Result;
}

lay! {
    impl Lay for Empties {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("at_cursor", at!(self.at_cursor))?;
            t.fact("stray", at!(self.stray))?;
            t.fact("miscounted", at!(self.miscounted))
        }
    }

    impl LayPointers for Tape<'_> {
        fn bound<T: Bind>(&mut self, it: at!(T), b: &Binder<'_>) -> Result {
            let mut is_bound = !self.computing();
            self.when_recomputing(at!(*it), |it, t| {
                is_bound = true;
                it.bind(&mut b.clone()).map_err(|fault| t.error(fault))
            })?;
            if is_bound || it.is_bound(&mut b.clone()).map_err(|fault| self.error(fault))? {
                return Ok(());
            }
            Err(self.error(not_recomputed()))
        }
    }
}
