//! The tape that walks models: it passes every byte of an unchanged model to a [`Visitor`], in file order.

mod parts;

use core::ops::Range;
use std::rc::Rc;

use bytemuck::Pod;

use super::block::Block;
use super::effort;
use super::error::{Error, Fault, Result};
use super::layout::Layout;
use super::number::Integer;
use super::place::{Place, Step};
use super::referents::Referents;
use super::thresholds::Thresholds;
use super::visit::{Datum, Detail, Group, Visitor, What};
use super::wide::wide;

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
    /// Returns an error if the model cannot be written (for example, a list does not match its count), or if the visitor stops.
    fn lay(&self, t: &mut Tape<'_>) -> Result;
}

/// A part of a model whose layout depends on values of its container.
pub trait LayBy<By> {
    /// Names every part once, in file order.
    ///
    /// # Errors
    /// Returns an error if [`Lay::lay`] would.
    fn lay_by(&self, t: &mut Tape<'_>, by: By) -> Result;
}

/// The position, place and settings of walking a model.
pub struct Tape<'t> {
    /// The visitor, or `None` if only a size is measured.
    visitor: Option<&'t mut dyn Visitor>,
    /// `true` if values that follow from other parts must match them.
    is_recomputed: bool,
    /// The file, if the model was just read from it: its counts and lengths match its contents, and its bytes are those of the file.
    file: Option<&'t [u8]>,
    /// `true` if the visitor [judges](Visitor::judges); the next is `true` if it [counts](Visitor::counts).
    judges: bool,
    counts: bool,
    pub(super) detail: Detail,
    pub(super) at: u64,
    pub(super) place: Place,
    /// The offset at which the last part began.
    pub(super) begun: u64,
    /// The last record and its offset, which locate its fields for errors.
    pub(super) last: Option<(&'static Layout, u64)>,
    /// Parts without deviations that the visitor has not yet received, if it receives these in one piece.
    gathered: Option<Gathered>,
    /// What the indices of the current part refer to, if the visitor needs that.
    referents: Option<Rc<dyn Referents>>,
}

/// Small parts without deviations, so that they do not need a call each.
struct Gathered {
    bytes: Vec<u8>,
    /// The number of bytes by class.
    census: [usize; 7],
    /// The size of the largest part that is gathered, not passed on alone.
    most: usize,
    /// The number of bytes that are gathered: they are passed on before another part might exceed it.
    all: usize,
}

/// Returns a value as one of another type of its size, whose fields and names then describe it.
pub fn recast<As: Pod, T: Pod>(value: &T) -> &As {
    bytemuck::must_cast_ref(value)
}

/// The tape as functions have it that judge a part that was laid out: see [`Tape::judge`].
pub type Judge<'t> = Tape<'t>;

/// Passes every byte of a model to a visitor and returns their number.
///
/// # Errors
/// Returns an error if the model cannot be written, or if the visitor stops.
pub fn visit<M: Lay + ?Sized>(model: &M, visitor: &mut dyn Visitor) -> Result<u64> {
    walk(model, visitor, true, None)
}

/// Visits every byte of an unchanged model that was just read from a file, so that its counts need not be compared with its contents.
///
/// # Errors
/// Returns an error if the visitor stops.
pub fn visit_fresh<M: Lay + ?Sized>(model: &M, file: &[u8], visitor: &mut dyn Visitor) -> Result<u64> {
    walk(model, visitor, true, Some(file))
}

/// Visits every byte of a model some of whose values may still have to be recomputed. A checksum, which comes last, needs the bytes before.
///
/// # Errors
/// Returns an error if the model cannot be written, or if the visitor stops.
pub(crate) fn visit_edited<M: Lay + ?Sized>(model: &M, visitor: &mut dyn Visitor) -> Result<u64> {
    walk(model, visitor, false, None)
}

fn walk<'t, M: Lay + ?Sized>(
    model: &M,
    visitor: &'t mut dyn Visitor,
    is_recomputed: bool,
    file: Option<&'t [u8]>,
) -> Result<u64> {
    effort::walk();
    let detail = visitor.detail();
    let mut tape = Tape { is_recomputed, file, ..Tape::new(Some(visitor), detail) };
    if tape.detail == Detail::Steps && tape.is_coarse() {
        let Thresholds { bytes_gathered: all, bytes_of_gathered: most, .. } = *Thresholds::here();
        let bytes = Vec::with_capacity(all.min(Thresholds::PROGRAM.bytes_gathered));
        tape.gathered = Some(Gathered { bytes, census: [0; 7], most, all });
    }
    let outcome = model.lay(&mut tape);
    // The visitor receives everything before an error.
    let flushed = tape.flush();
    outcome.and(flushed)?;
    Ok(tape.at)
}

/// Returns the bytes of a model.
///
/// # Errors
/// Returns an error if the model cannot be written.
pub fn encode<M: Lay + ?Sized>(model: &M) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    visit(model, &mut bytes)?;
    Ok(bytes)
}

/// The bytes visited so far.
impl Visitor for Vec<u8> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        self.extend_from_slice(datum.bytes);
        Ok(())
    }
}

/// Passes the bytes of a model at these offsets to a checksum. The bytes at `as_zeros`, where the checksum itself is stored, are
/// passed as zeros. Values of the model may still have to be recomputed. If the tape has the bytes of the file, they are used without a walk.
///
/// # Errors
/// Returns an error if the model cannot be written.
pub fn visit_bytes<M: Lay + ?Sized>(
    model: &M,
    fresh: Option<&[u8]>,
    within: Range<u64>,
    as_zeros: Range<u64>,
    tell: impl FnMut(u64, &[u8]),
) -> Result {
    let mut summed = Summed { tell, within, as_zeros };
    match fresh {
        Some(bytes) => summed.pass(0, bytes),
        None => drop(visit_edited(model, &mut summed)?),
    }
    Ok(())
}

/// A visitor that passes bytes to a checksum.
struct Summed<F> {
    tell: F,
    within: Range<u64>,
    as_zeros: Range<u64>,
}

impl<F: FnMut(u64, &[u8])> Summed<F> {
    /// Passes the bytes from an offset onward.
    fn pass(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + wide(bytes.len());
        let mut part = |range: Range<u64>, is_zeros: bool| {
            let inside = |at: u64| at.min(self.within.end).max(self.within.start).min(end).max(offset);
            let (from, to) = (inside(range.start), inside(range.end));
            let index = |at: u64| usize::try_from(at - offset).unwrap_or(usize::MAX);
            match bytes.get(index(from)..index(to)) {
                Some([]) | None => {}
                Some(part) if is_zeros => (self.tell)(from, &vec![0; part.len()]),
                Some(part) => (self.tell)(from, part),
            }
        };
        let Range { start, end: behind } = self.as_zeros;
        part(0..start, false);
        part(start..behind, true);
        part(behind..u64::MAX, false);
    }
}

impl<F: FnMut(u64, &[u8])> Visitor for Summed<F> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        self.pass(datum.offset, datum.bytes);
        Ok(())
    }

    fn detail(&self) -> Detail {
        Detail::Bytes
    }
}

/// Returns the encoded size of a model in bytes.
///
/// # Errors
/// Returns an error if the model cannot be written. Its place counts from the model.
pub fn size<M: Lay + ?Sized>(model: &M) -> Result<u64> {
    sized(|t| model.lay(t))
}

/// Returns the encoded size of a part whose layout depends on its container.
///
/// # Errors
/// Returns an error if [`size`] does.
pub fn size_by<By, M: LayBy<By> + ?Sized>(model: &M, by: By) -> Result<u64> {
    sized(|t| model.lay_by(t, by))
}

/// Returns the encoded sizes of the items of a list with this name.
///
/// # Errors
/// Returns an error if `size` does.
pub fn sizes<T>(
    name: &'static str,
    items: impl IntoIterator<Item = T>,
    size: impl Fn(T) -> Result<u64>,
) -> Result<Vec<u64>> {
    items.into_iter().enumerate().map(|(index, item)| in_item(name, index, size(item))).collect()
}

/// Adds the place of an item of a list with this name to an error of the item.
pub fn in_item<T>(name: &'static str, index: usize, outcome: Result<T>) -> Result<T> {
    let place = || Place::default().with([Step::Name(name), Step::Index(wide(index))]);
    outcome.map_err(|error| error.within(&place()))
}

fn sized(lay: impl FnOnce(&mut Tape<'_>) -> Result) -> Result<u64> {
    let mut tape = Tape::new(None, Detail::Bytes);
    // A part that is only measured has no offset.
    lay(&mut tape).map_err(|error| Error::in_exchange(error.place().clone(), error.fault().clone()))?;
    Ok(tape.at)
}

impl<'t> Tape<'t> {
    fn new(visitor: Option<&'t mut dyn Visitor>, detail: Detail) -> Self {
        let asked = |question: fn(&dyn Visitor) -> bool| visitor.as_deref().is_some_and(question);
        Self {
            judges: asked(|it| it.judges()),
            counts: asked(|it| it.counts()),
            is_recomputed: false,
            file: None,
            visitor,
            detail,
            at: 0,
            place: Place::default(),
            begun: 0,
            last: None,
            gathered: None,
            referents: None,
        }
    }

    /// Returns the bytes of the file from an offset onward if the model was just read from it, so that they are also those of the model.
    pub fn fresh(&self, start: u64) -> Option<&'t [u8]> {
        let (file, start) = self.file.zip(usize::try_from(start).ok())?;
        file.get(start..)
    }

    /// Returns `true` if rules of a container should be computed for the visitor.
    pub(crate) fn judging(&self) -> bool {
        self.judges
    }

    /// Returns `true` if lengths and offsets that follow from the sizes of other parts are compared with those of the model.
    ///
    /// They are not while a size is measured: otherwise a nested container would be measured once for each container around
    /// it, and again for each of those.
    pub(crate) fn computing(&self) -> bool {
        self.is_recomputed && self.file.is_none()
    }

    /// Returns `true` if values that follow from the sizes of other parts are compared, or judged like computed values.
    pub(super) fn sizing(&self) -> bool {
        self.is_recomputed
    }

    /// Checks a count, length or offset against a value that is computed only if the two are compared.
    ///
    /// # Errors
    /// Returns an error if it does not match.
    #[inline]
    pub fn computed_by<W: Integer>(
        &self,
        name: &'static str,
        field: &W,
        value: impl FnOnce() -> Result<u64>,
    ) -> Result {
        if !self.computing() {
            return Ok(());
        }
        let value = self.within(value())?;
        if field.wide() == Some(value) {
            return Ok(());
        }
        let fault = match W::of(value) {
            None => Fault::TooLarge { value, field: W::LEAF.name },
            Some(_) => Fault::Outside { found: field.signed(), expected: value.to_string() },
        };
        Err(self.error_in(name, fault))
    }

    /// Adds the current place to an error of a part.
    fn within<T>(&self, part: Result<T>) -> Result<T> {
        part.map_err(|error| error.within(&self.place))
    }

    /// Returns a value computed from the sizes of other parts.
    pub(super) fn sized<T>(&self, value: Result<T>) -> Result<Option<T>> {
        self.within(value).map(Some)
    }

    /// Returns a value that the container computes for a field of the record that is about to be laid out. If it does not fit there,
    /// that is a deviation.
    ///
    /// # Errors
    /// None.
    pub fn rule<W: Integer>(&mut self, name: &'static str, value: u64, stored: W) -> Result<W> {
        let rule = W::of(value);
        if rule.is_none() && self.judging() {
            self.judged(self.at, &[Step::Name(name)], Some((value.into(), stored.signed().into())));
        }
        Ok(rule.unwrap_or(stored))
    }

    /// Checks a number of records against the rest of the model, if that is recomputed.
    fn count(&self, expected: u64, found: u64) -> Result {
        if expected == found || !self.is_recomputed {
            return Ok(());
        }
        Err(self.error(Fault::Count { expected, found }))
    }

    #[inline]
    pub(super) fn step<T>(&mut self, step: Step, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        // Every call has its own copy of this function, so it calls the closure in one place.
        let steps = self.detail.steps();
        if steps {
            self.place.push(step);
        }
        let outcome = lay(self)?;
        if steps {
            self.place.pop();
        }
        Ok(outcome)
    }

    #[inline]
    pub(super) fn nest<T>(&mut self, step: Step, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.step(step, |t| t.grouped(group, lay))
    }

    /// Reports the beginning and the end of a group to the visitor.
    #[inline]
    fn grouped<T>(&mut self, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let told = self.detail == Detail::Places || matches!(group, Group::Entry { .. });
        if told {
            self.enter(group);
        }
        let outcome = lay(self)?;
        if told {
            self.leave(group);
        }
        Ok(outcome)
    }

    fn enter(&mut self, group: Group) {
        if let Some(visitor) = &mut self.visitor {
            visitor.enter(group, &self.place, self.at);
        }
    }

    fn leave(&mut self, group: Group) {
        if let Some(visitor) = &mut self.visitor {
            visitor.leave(group, &self.place, self.at);
        }
    }

    /// Passes a value of fixed size to the visitor.
    #[inline]
    pub(super) fn fixed<T: Pod>(&mut self, value: &T, what: What<'_>) -> Result {
        self.bytes(crate::bytes_of(value), what)
    }

    /// Passes a block to the visitor.
    #[inline]
    pub(super) fn blob<T: Pod>(&mut self, count: u64, block: &Block<T>, what: What<'_>) -> Result {
        self.count(count, wide(block.len()))?;
        self.bytes(block.bytes(), what)
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8], what: What<'_>) -> Result {
        if let Some(gathered) = &mut self.gathered
            && bytes.len() <= gathered.most
            && what.count_as_expected(bytes, &mut gathered.census)
        {
            gathered.bytes.extend_from_slice(bytes);
            if gathered.bytes.len().saturating_add(gathered.most) > gathered.all {
                self.advance(bytes);
                return self.flush();
            }
        } else {
            self.pass(bytes, what)?;
        }
        self.advance(bytes);
        Ok(())
    }

    #[inline]
    fn advance(&mut self, bytes: &[u8]) {
        self.begun = self.at;
        self.at += wide(bytes.len());
    }

    /// Passes a part to the visitor, after those gathered before it.
    fn pass(&mut self, bytes: &[u8], what: What<'_>) -> Result {
        self.flush()?;
        match &mut self.visitor {
            Some(visitor) => visitor.data(&Datum {
                place: &self.place,
                offset: self.at,
                bytes,
                what,
                referents: self.referents.as_deref(),
            }),
            None => Ok(()),
        }
    }

    /// Passes the gathered parts to the visitor. Without deviations, they need no place.
    fn flush(&mut self) -> Result {
        let (Some(gathered), Some(visitor)) = (&mut self.gathered, &mut self.visitor) else { return Ok(()) };
        if !gathered.bytes.is_empty() {
            let offset = self.at.saturating_sub(wide(gathered.bytes.len()));
            let census = core::mem::take(&mut gathered.census);
            let what = What::AsExpected(&census);
            visitor.data(&Datum { place: &self.place, offset, bytes: &gathered.bytes, what, referents: None })?;
            gathered.bytes.clear();
        }
        Ok(())
    }
}
