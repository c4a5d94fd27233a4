//! Walking: a model tells a [`Visitor`] every byte it owns, in file order. Nothing of the model changes.

mod parts;

use core::ops::Range;
use std::borrow::Cow;

use bytemuck::Pod;

use super::block::Block;
use super::error::{Fault, Result};
use super::layout::Layout;
use super::number::Whole;
use super::place::{Place, Step};
use super::tape::wide;
use super::visit::{Datum, Detail, Group, Visitor, What};

/// `&` before a part of a model that is walked; see [`lay!`](super::lay).
#[doc(hidden)]
#[macro_export]
macro_rules! at_to_walk {
    ($($part:tt)*) => { &$($part)* };
}
#[doc(hidden)]
pub use crate::at_to_walk as at;

/// A model that can be walked.
pub trait Lay {
    /// Names every part of the model once, in file order.
    ///
    /// # Errors
    /// When the model cannot be written (a list that is longer than its count field says), or when the visitor stops.
    fn lay(&self, t: &mut Tape<'_>) -> Result;
}

/// A part of a model that can be walked with what its container says of it.
pub trait LayBy<By> {
    /// Names every part once, in file order.
    ///
    /// # Errors
    /// Those of [`Lay::lay`].
    fn lay_by(&self, t: &mut Tape<'_>, by: By) -> Result;
}

/// Position and place in a model that is being walked.
pub struct Tape<'t> {
    /// Who is told; nobody where only a size is taken.
    visitor: Option<&'t mut dyn Visitor>,
    /// Whether what follows from other parts has to say so.
    is_settled: bool,
    /// Whether the model was just read, so that its counts and lengths are those of what it holds.
    is_fresh: bool,
    /// Whether the visitor judges, and whether it counts what holds.
    judges: bool,
    counts: bool,
    pub(in crate::field) detail: Detail,
    pub(in crate::field) at: u64,
    pub(in crate::field) place: Place,
    /// Where the part laid last began.
    pub(in crate::field) begun: u64,
    /// The record laid last and where it began, to find the offsets of its fields for errors.
    pub(in crate::field) last: Option<(&'static Layout, u64)>,
}

/// Tells a visitor every byte of a model; returns how many they are.
///
/// # Errors
/// When the model cannot be written, or the visitor stops.
pub fn visit<M: Lay + ?Sized>(model: &M, visitor: &mut dyn Visitor) -> Result<u64> {
    walk(model, visitor, true, false)
}

/// Visits every byte of a model that was just read and not changed, whose counts need not be compared with what it holds.
///
/// # Errors
/// Returns an error if the visitor stops.
pub(crate) fn visit_fresh<M: Lay + ?Sized>(model: &M, visitor: &mut dyn Visitor) -> Result<u64> {
    walk(model, visitor, true, true)
}

/// The same of a model that may not be settled yet: for a checksum, which is settled last.
///
/// # Errors
/// When the model cannot be written, or the visitor stops.
pub(crate) fn visit_unsettled<M: Lay + ?Sized>(model: &M, visitor: &mut dyn Visitor) -> Result<u64> {
    walk(model, visitor, false, false)
}

fn walk<M: Lay + ?Sized>(model: &M, visitor: &mut dyn Visitor, is_settled: bool, is_fresh: bool) -> Result<u64> {
    let detail = visitor.detail();
    let mut tape = Tape { is_settled, is_fresh, ..Tape::new(Some(visitor), detail) };
    model.lay(&mut tape)?;
    Ok(tape.at)
}

/// The bytes of a model.
///
/// # Errors
/// When the model cannot be written.
pub fn encode<M: Lay + ?Sized>(model: &M) -> Result<Vec<u8>> {
    struct Writer(Vec<u8>);
    impl Visitor for Writer {
        fn data(&mut self, datum: &Datum<'_>) -> Result {
            self.0.extend_from_slice(datum.bytes);
            Ok(())
        }
    }
    let mut writer = Writer(Vec::new());
    visit(model, &mut writer)?;
    Ok(writer.0)
}

/// Passes the bytes of a model at these offsets to a checksum. The bytes at `as_zeros`, where the checksum itself is stored, are
/// passed as zeros. The model need not be settled.
///
/// # Errors
/// When the model cannot be written.
pub fn visit_bytes<M: Lay + ?Sized>(
    model: &M,
    within: Range<u64>,
    as_zeros: Range<u64>,
    tell: impl FnMut(u64, &[u8]),
) -> Result {
    struct Bytes<F>(F, Range<u64>, Range<u64>);
    impl<F: FnMut(u64, &[u8])> Visitor for Bytes<F> {
        fn data(&mut self, datum: &Datum<'_>) -> Result {
            let Self(tell, within, as_zeros) = self;
            let end = datum.offset.saturating_add(super::wide(datum.bytes.len()));
            let index = |offset: u64| usize::try_from(offset.clamp(datum.offset, end) - datum.offset).unwrap_or(0);
            let part = |range: &Range<u64>| index(range.start)..index(range.end);
            let mut bytes = Cow::Borrowed(datum.bytes);
            if let Some(own) = Some(part(as_zeros)).filter(|own| !own.is_empty()) {
                bytes.to_mut().get_mut(own).unwrap_or_default().fill(0);
            }
            let part = part(within);
            let at = datum.offset.saturating_add(super::wide(part.start));
            tell(at, bytes.get(part).unwrap_or_default());
            Ok(())
        }

        fn detail(&self) -> Detail {
            Detail::Bytes
        }
    }
    visit_unsettled(model, &mut Bytes(tell, within, as_zeros)).map(drop)
}

/// How many bytes something takes. What cannot be written is refused when it is walked, with its place, not here.
pub fn size<M: Lay + ?Sized>(model: &M) -> u64 {
    sized(|t| model.lay(t))
}

/// The same of something that its container has a say in.
pub fn size_by<By, M: LayBy<By> + ?Sized>(model: &M, by: By) -> u64 {
    sized(|t| model.lay_by(t, by))
}

fn sized(lay: impl FnOnce(&mut Tape<'_>) -> Result) -> u64 {
    let mut tape = Tape::new(None, Detail::Bytes);
    let _ = lay(&mut tape);
    tape.at
}

impl<'t> Tape<'t> {
    fn new(visitor: Option<&'t mut dyn Visitor>, detail: Detail) -> Self {
        let asked = |question: fn(&dyn Visitor) -> bool| visitor.as_deref().is_some_and(question);
        Self {
            judges: asked(|it| it.judges()),
            counts: asked(|it| it.counts()),
            is_settled: false,
            is_fresh: false,
            visitor,
            detail,
            at: 0,
            place: Place::default(),
            begun: 0,
            last: None,
        }
    }

    /// Whether rules of a container should be computed for the visitor.
    #[must_use]
    pub fn judging(&self) -> bool {
        self.judges
    }

    /// Whether the visitor counts invariants that hold, so that [`judged`](Self::judged) is to be called for each.
    #[must_use]
    pub fn counting(&self) -> bool {
        self.counts
    }

    /// Whether lengths and offsets that follow from the sizes of other parts are to be compared with what the model has.
    ///
    /// They are not while a size is taken: else a container in a container would be sized once for each that it is in,
    /// and for each of those again.
    #[must_use]
    pub fn filling(&self) -> bool {
        self.is_settled && !self.is_fresh
    }

    /// Whether what follows from the sizes of other parts is compared, or judged as what a rule gives.
    #[must_use]
    pub fn planning(&self) -> bool {
        self.is_settled
    }

    /// Makes sure that a count, length or offset says what the model says. It does unless the model was changed and not
    /// settled.
    ///
    /// # Errors
    /// When it says something else.
    pub fn fill<W: Whole>(&self, name: &'static str, field: &W, value: u64) -> Result {
        self.fill_by(name, field, || value)
    }

    /// Makes sure that a count, length or offset says what is worth computing only where it is compared.
    ///
    /// # Errors
    /// Returns an error if it says something else.
    #[inline]
    pub fn fill_by<W: Whole>(&self, name: &'static str, field: &W, value: impl FnOnce() -> u64) -> Result {
        if !self.filling() {
            return Ok(());
        }
        let value = value();
        if field.wide() == Some(value) {
            return Ok(());
        }
        Err(match W::of(value) {
            None => self.error_in(name, Fault::TooLarge { value, field: W::LEAF.name }),
            Some(_) => self.error_in(name, Fault::Count { expected: value, found: field.wide().unwrap_or_default() }),
        })
    }

    /// Checks a number of records against what the rest of the model says, if that is settled.
    fn count(&self, expected: u64, found: u64) -> Result {
        if expected == found || !self.is_settled {
            return Ok(());
        }
        Err(self.error(Fault::Count { expected, found }))
    }

    #[inline]
    pub(in crate::field) fn step<T>(&mut self, step: Step, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if !self.detail.steps() {
            return lay(self);
        }
        self.place.push(step);
        let outcome = lay(self)?;
        self.place.pop();
        Ok(outcome)
    }

    #[inline]
    pub(in crate::field) fn nest<T>(
        &mut self,
        step: Step,
        group: Group,
        lay: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.step(step, |t| t.grouped(group, lay))
    }

    /// Tells the visitor where a group begins and ends.
    #[inline]
    fn grouped<T>(&mut self, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let told = self.detail == Detail::Places || matches!(group, Group::Entry { .. });
        if let (true, Some(visitor)) = (told, &mut self.visitor) {
            visitor.enter(group, &self.place, self.at);
        }
        let outcome = lay(self)?;
        if let (true, Some(visitor)) = (told, &mut self.visitor) {
            visitor.leave(group, &self.place, self.at);
        }
        Ok(outcome)
    }

    /// Tells something of fixed size.
    #[inline]
    pub(in crate::field) fn fixed<T: Pod>(&mut self, value: &T, what: What<'_>) -> Result {
        self.bytes(bytemuck::bytes_of(value), what)
    }

    /// Tells a block.
    #[inline]
    pub(in crate::field) fn blob<T: Pod>(&mut self, count: u64, block: &Block<T>, what: What<'_>) -> Result {
        self.count(count, wide(block.len()))?;
        self.bytes(block.bytes(), what)
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8], what: What<'_>) -> Result {
        if let Some(visitor) = &mut self.visitor {
            visitor.data(&Datum { place: &self.place, offset: self.at, bytes, what })?;
        }
        self.begun = self.at;
        self.at = self.at.saturating_add(wide(bytes.len()));
        Ok(())
    }
}
